//! `craig check --function`: functions one by one, what is printed of each, and the worst verdict.
//!
//! Of `--function all` each function is a run of the command by itself ([`each_alone`]), so that one that does
//! not stop in time, or ends the process, costs only its own answer.

use super::args::CheckArgs;
use super::config::Config;
use super::{conclude, outputs, say, write};
use craig::functions::{End, FunctionCheck, FunctionResult};
use craig::{Checker, Error, Properties, VerdictKind, Watchdog};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::process::Command;
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
        earlier: None,
    };
    if which == "all" && args.files.iter().all(|f| f.as_os_str() != "-") {
        return each_alone(args, &run.names(&args.files)?);
    }
    let name = which.clone();
    let watchdog = Watchdog::start(Some(run.limit), memory, move |why| {
        say(&format!("function {name}: unknown\n  why: {why}\n"));
        std::process::exit(i32::from(conclude(VerdictKind::Unknown)));
    });
    let results = run.run(&args.files, &which, |_| {});
    watchdog.answer();
    let mut results = results?;
    if !args.quiet {
        results.iter().for_each(|r| say(&text(r)));
    }
    if let [only] = results.as_mut_slice()
        && let Ok(outcome) = &mut only.outcome
    {
        outputs::write_all(args, outcome)?;
    }
    if let Some(path) = &args.json {
        write(path, &format!("{:#}\n", as_json(&results)))?;
    }
    if let Some(path) = &options.contracts_out {
        write(path, &contracts(&results))?;
    }
    Ok(conclude(worst(results.iter().map(FunctionResult::kind))))
}

/// Checks each function in a process of its own.
fn each_alone(args: &CheckArgs, names: &[String]) -> Result<u8, Error> {
    let program = std::env::current_exe().map_err(|e| format!("where am I? {e}"))?;
    let folder = std::env::temp_dir().join(format!("craig-functions-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let (json, acsl) = (folder.join("result.json"), folder.join("contracts.c"));
    let (mut results, mut contracts) = (Vec::new(), String::new());
    for name in names {
        if name == "all" {
            // Its process would begin with all functions again.
            let error = "a function of this name cannot be asked for alone";
            results.push(
                json!({ "function": name, "verdict": "unknown", "report": { "error": error } }),
            );
            continue;
        }
        let _ = std::fs::remove_file(&json);
        let _ = std::fs::remove_file(&acsl);
        let output = Command::new(&program)
            .args(words_for(name))
            .arg("--json")
            .arg(&json)
            .arg("--contracts-out")
            .arg(&acsl)
            .output()
            .map_err(|e| format!("{}: {e}", program.display()))?;
        let said = String::from_utf8_lossy(&output.stdout);
        let kept = |l: &&str| !l.starts_with("verdict: ");
        let said: String = said
            .lines()
            .filter(kept)
            .map(|l| format!("{l}\n"))
            .collect();
        let text = std::fs::read_to_string(&json).unwrap_or_default();
        let report = serde_json::from_str::<Value>(&text).unwrap_or(Value::Null);
        let result = match &report["functions"][0] {
            Value::Null => {
                let why = match output.status.code() {
                    Some(_) => "it has no answer within its limits",
                    None => "its process was ended",
                };
                let error = String::from_utf8_lossy(&output.stderr);
                let error = error.lines().next().unwrap_or(why);
                json!({ "function": name, "verdict": "unknown", "report": { "error": error } })
            }
            result => result.clone(),
        };
        if !args.quiet {
            say(&match said.is_empty() {
                true => format!("function {name}: unknown\n"),
                false => said,
            });
        }
        // Functions speak of the same records.
        for part in std::fs::read_to_string(&acsl)
            .unwrap_or_default()
            .split("\n\n")
        {
            if !part.is_empty() && !contracts.contains(part) {
                contracts += &format!("{part}\n\n");
            }
        }
        results.push(result);
    }
    let _ = std::fs::remove_dir_all(&folder);
    if only_for_one(args) && !args.quiet {
        say("Of several functions only --json and --contracts-out are written.\n");
    }
    let verdict = worst(results.iter().map(|r| match r["verdict"].as_str() {
        Some("safe") => VerdictKind::Safe,
        Some("unsafe") => VerdictKind::Unsafe,
        _ => VerdictKind::Unknown,
    }));
    if let Some(path) = &args.json {
        let all = json!({ "verdict": word(verdict), "functions": results });
        write(path, &format!("{all:#}\n"))?;
    }
    if let Some(path) = &args.functions.contracts_out {
        write(path, &contracts)?;
    }
    if !args.quiet {
        say(&summary(&results));
    }
    Ok(conclude(verdict))
}

/// The words of the command line, asking for one function.
fn words_for(name: &str) -> Vec<OsString> {
    let mut out = Vec::new();
    let mut words = std::env::args_os().skip(1);
    while let Some(word) = words.next() {
        let text = word.to_string_lossy().into_owned();
        let (flag, joined) = match text.split_once('=') {
            Some((flag, _)) => (flag, true),
            None => (text.as_str(), false),
        };
        let of_one = [
            "--witness",
            "--report",
            "--sarif",
            "--certificate",
            "--harness",
        ];
        let dropped = ["--json", "--contracts-out", "--function"];
        if !dropped.contains(&flag) && !of_one.contains(&flag) {
            out.push(word);
        } else if !joined {
            words.next();
        }
    }
    out.extend([OsString::from("--function"), OsString::from(name)]);
    out
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

fn worst(kinds: impl Iterator<Item = VerdictKind>) -> VerdictKind {
    let kinds: Vec<VerdictKind> = kinds.collect();
    if kinds.contains(&VerdictKind::Unsafe) {
        VerdictKind::Unsafe
    } else if kinds.contains(&VerdictKind::Unknown) || kinds.is_empty() {
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
    match r.end {
        End::Vacuous => out += " (vacuous: nothing reaches its end)",
        End::Open if r.kind() == VerdictKind::Safe => {
            out += " (whether its end is reached is open)"
        }
        End::Open | End::Reached => {}
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

fn summary(results: &[Value]) -> String {
    let count = |k: &str| results.iter().filter(|r| r["verdict"] == k).count();
    let vacuous = results.iter().filter(|r| r["vacuous"] == true).count();
    format!(
        "{} functions: {} safe ({vacuous} vacuous), {} unsafe, {} unknown\n",
        results.len(),
        count("safe"),
        count("unsafe"),
        count("unknown")
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
    let verdict = worst(results.iter().map(FunctionResult::kind));
    json!({ "verdict": word(verdict), "functions": functions })
}

/// The contracts as ACSL over prototypes.
fn contracts(results: &[FunctionResult]) -> String {
    let mut out = String::new();
    for r in results {
        let (VerdictKind::Safe, Some(prototype)) = (r.kind(), &r.caller.signature) else {
            continue;
        };
        // A contract without what it requires would say too much.
        let lines: Option<Vec<String>> = r.requires.iter().map(|q| q.acsl(&r.caller)).collect();
        let Some(mut lines) = lines else { continue };
        for definition in &r.caller.definitions {
            if !out.contains(definition.as_str()) {
                out += &format!("{definition}\n\n");
            }
        }
        if lines.is_empty() {
            lines.push("requires \\true;".into());
        }
        out += &format!("/*@ {} */\n{prototype}\n\n", lines.join("\n    "));
    }
    out
}
