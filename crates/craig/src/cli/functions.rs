//! `craig check --function`: functions one by one, what is printed of each, and the worst verdict.

use super::args::CheckArgs;
use super::config::Config;
use super::{conclude, outputs, say, write};
use craig::functions::{End, FunctionCheck, FunctionResult};
use craig::{Checker, Error, Properties, VerdictKind};
use serde_json::{Value, json};
use std::time::Duration;

/// Time for a function if none is given.
const TIME: Duration = Duration::from_secs(10);

/// Runs the command; the result is the exit status.
pub fn check(args: &CheckArgs, config: &Config) -> Result<u8, Error> {
    let options = &args.functions;
    let mut source = args.source.options(config)?;
    source.contracts = options.function.is_some() || options.contracts;
    if options.function.is_some() && args.source.property.is_none() {
        source.properties = Properties::for_functions();
    }
    let which = match (&options.function, &args.source.entry) {
        (Some(name), _) => name.clone(),
        (None, Some(name)) => name.clone(),
        (None, None) => "main".into(),
    };
    let limits = args.budget.or(config);
    let memory = limits.memory();
    let engine = (args.engine.clone(), args.engine_options(memory)?);
    let checker = move || {
        let (engine, options) = engine.clone();
        let mut checker = Checker::new().engine_options(options);
        if let Some(engine) = engine {
            checker = checker.engine(engine);
        }
        if let Some(limit) = memory {
            checker = checker.memory(limit);
        }
        Ok(checker)
    };
    let run = FunctionCheck {
        checker: Box::new(checker),
        source,
        limit: args.budget.time()?.unwrap_or(TIME),
        depth: options.depth,
        sharing: options.sharing,
        vacuity: options.function.is_some() || options.vacuity,
        plain: options.function.is_none(),
    };
    let mut results = run.run(&args.files, &which, |r| {
        if !args.quiet {
            say(&text(r));
        }
    })?;
    if let [only] = results.as_mut_slice()
        && let Ok(outcome) = &mut only.outcome
    {
        outputs::write_all(args, outcome)?;
    } else if only_for_one(args) && !args.quiet {
        say("Of several functions only --json and --contracts-out are written.\n");
    }
    if let Some(path) = &args.json {
        write(path, &format!("{:#}\n", as_json(&results)))?;
    }
    if let Some(path) = &options.contracts_out {
        write(path, &contracts(&results))?;
    }
    if !args.quiet && results.len() > 1 {
        say(&summary(&results));
    }
    Ok(conclude(worst(&results)))
}

/// Is a file asked for that speaks of one run?
fn only_for_one(args: &CheckArgs) -> bool {
    let files = [
        &args.witness,
        &args.report,
        &args.sarif,
        &args.certificate,
        &args.harness,
    ];
    files.iter().any(|f| f.is_some())
}

fn worst(results: &[FunctionResult]) -> VerdictKind {
    let has = |k: VerdictKind| results.iter().any(|r| r.kind() == k);
    if has(VerdictKind::Unsafe) {
        VerdictKind::Unsafe
    } else if has(VerdictKind::Unknown) || results.is_empty() {
        VerdictKind::Unknown
    } else {
        VerdictKind::Safe
    }
}

fn word(kind: VerdictKind) -> &'static str {
    match kind {
        VerdictKind::Safe => "safe",
        VerdictKind::Unsafe => "unsafe",
        VerdictKind::Unknown => "unknown",
    }
}

/// What is said of one function.
fn text(r: &FunctionResult) -> String {
    let mut out = format!("function {}: {}", r.name, word(r.kind()));
    if r.end == End::Vacuous {
        out += " (vacuous: nothing reaches its end)";
    }
    out += &format!(" [{:.1} s]\n", r.seconds);
    for line in &r.requires {
        out += &format!("  requires {}\n", line.text());
    }
    for line in &r.caller.assumed {
        out += &format!("  assuming of the caller: {line}\n");
    }
    match &r.outcome {
        Ok(outcome) if r.kind() != VerdictKind::Safe => {
            for line in outcome.text().lines() {
                out += &format!("  {line}\n");
            }
        }
        Ok(_) => {}
        Err(e) => out += &format!("  {}\n", first_line(e)),
    }
    out
}

fn first_line(e: &Error) -> String {
    let text = e.to_string();
    text.lines().next().unwrap_or("cannot be read").to_string()
}

fn summary(results: &[FunctionResult]) -> String {
    let count = |k: VerdictKind| results.iter().filter(|r| r.kind() == k).count();
    let vacuous = results.iter().filter(|r| r.end == End::Vacuous).count();
    format!(
        "{} functions: {} safe ({vacuous} vacuous), {} unsafe, {} unknown\n",
        results.len(),
        count(VerdictKind::Safe),
        count(VerdictKind::Unsafe),
        count(VerdictKind::Unknown)
    )
}

fn as_json(results: &[FunctionResult]) -> Value {
    let functions: Vec<Value> = results
        .iter()
        .map(|r| {
            let report = match &r.outcome {
                Ok(o) => serde_json::from_str(&o.json()).unwrap_or(Value::Null),
                Err(e) => json!({ "error": first_line(e) }),
            };
            let requires: Vec<String> = r.requires.iter().map(|q| q.text()).collect();
            json!({
                "function": r.name,
                "verdict": word(r.kind()),
                "requires": requires,
                "assumes": r.caller.assumed,
                "vacuous": match r.end {
                    End::Vacuous => Value::Bool(true),
                    End::Reached => Value::Bool(false),
                    End::Open => Value::Null,
                },
                "seconds": r.seconds,
                "report": report,
            })
        })
        .collect();
    json!({ "verdict": word(worst(results)), "functions": functions })
}

/// The contracts as ACSL over prototypes.
fn contracts(results: &[FunctionResult]) -> String {
    let mut out = String::new();
    for r in results {
        let (VerdictKind::Safe, Some(prototype)) = (r.kind(), &r.caller.signature) else {
            continue;
        };
        let mut lines: Vec<String> = r.requires.iter().map(|q| q.acsl()).collect();
        if lines.is_empty() {
            lines.push("requires \\true;".into());
        }
        out += &format!("/*@ {} */\n{prototype}\n\n", lines.join("\n    "));
    }
    out
}
