//! `craig check`: from arguments to a run, and from its outcome to what is printed.

use super::args::{CheckArgs, Steps};
use super::config::Config;
use super::progress::Line;
use super::{conclude, conclude_in, idle, outputs, paint, remark, say};
use craig::{Checker, Engine, EngineKind, Error, Outcome, VerdictKind, Watchdog};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Scripts of a cross-check get as much time as so many queries.
const CROSS_CHECK_QUERIES: u32 = 3;

/// Runs the command; the result is the exit status. `given` are the options that stand on the command line.
pub fn check(args: &CheckArgs, given: &BTreeSet<String>) -> Result<u8, Error> {
    if args.functions.unwind.is_some() && !args.quiet {
        say("--unwind is ignored: proofs have no bound.\n");
    }
    let source = &args.source;
    let config = Config::of(&args.files, source.config.as_deref(), !source.no_config)?;
    let limits = args.budget.or(&config);
    if !args.quiet {
        for sentence in idle::sentences(args, given) {
            remark(&sentence);
        }
        if let Some(path) = &config.found {
            remark(&format!("options of {}", path.display()));
            if config.suppress.is_some() {
                remark("its [[suppress]] counts in `craig project` only");
            }
        }
    }
    if args.functions.function.is_some() || args.functions.vacuity {
        return super::functions::check(args, &config);
    }
    let mut checker = checker(args, &config)?;
    let flag = checker.cancel_flag();
    let _ = ctrlc::set_handler(move || {
        // The first time ends the run with `unknown`, the second time the process.
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(2);
        }
    });
    let line = Arc::new(Line::new(args.quiet));
    let shown = Arc::clone(&line);
    checker = checker.on_progress(Box::new(move |p| shown.show(p)));
    let unwritten = outputs::unwritten(args);
    let watchdog = Watchdog::start(limits.time()?, limits.memory(), move |why| {
        say(&format!(
            "No answer.\n  why: {why}\n  what would help: a longer --time or more --memory, or another --engine\n"
        ));
        for text in &unwritten {
            remark(text);
        }
        std::process::exit(i32::from(conclude(VerdictKind::Unknown)));
    });
    let outcome = checker.check_files(&args.files);
    watchdog.answer();
    line.clear();
    let mut outcome = outcome?;
    outputs::write_all(args, &mut outcome)?;
    let colour = paint::wanted(args.color);
    if !args.quiet {
        let account = match args.steps {
            Steps::Relevant => outcome.text(),
            Steps::Full => outcome.whole_text(),
        };
        say(&if colour {
            paint::account(&account)
        } else {
            account
        });
        if args.stats {
            say(&statistics(&outcome));
        }
    }
    let pairs = [
        (args.print_model, VerdictKind::Safe, "--print-model"),
        (
            args.print_refutation,
            VerdictKind::Unsafe,
            "--print-refutation",
        ),
        (
            args.cross_check.is_some(),
            VerdictKind::Safe,
            "--cross-check",
        ),
    ];
    for (_, kind, option) in pairs.into_iter().filter(|(on, ..)| *on && !args.quiet) {
        if outcome.kind() != kind {
            let verdict = outcome.kind();
            remark(&format!(
                "{option} did nothing: the verdict is {verdict}, not {kind}"
            ));
        }
    }
    if args.print_model && outcome.kind() == VerdictKind::Safe {
        say(&model_text(args, &config, &mut outcome)?);
    }
    if args.print_refutation && outcome.kind() == VerdictKind::Unsafe {
        match craig::horn::refutation(&mut outcome, &limits.budget()) {
            Ok(text) => say(&text),
            Err(why) => say(&format!("No derivation: {why}.\n")),
        }
    }
    Ok(conclude_in(outcome.kind(), colour))
}

fn checker(args: &CheckArgs, config: &Config) -> Result<Checker, Error> {
    let limits = args.budget.or(config);
    let mut source = args.source.options(config)?;
    source.contracts = args.functions.contracts;
    let mut checker = Checker::new()
        .source(source)
        .engine_options(args.engine_options(limits.memory())?);
    if let Some(engine) = &args.engine {
        checker = checker.engine(engine.clone());
    } else if let Some(name) = &config.engine {
        checker = checker.engine(name.parse::<Engine>()?);
    }
    if let Some(solver) = &args.solver_chc {
        checker = checker.engine(Engine::Clauses(solver.clone()));
    }
    if let Some(limit) = limits.time()? {
        checker = checker.time(limit);
    }
    if let Some(limit) = limits.memory() {
        checker = checker.memory(limit);
    }
    if let Some(solver) = &args.cross_check {
        checker = checker.cross_check(solver, CROSS_CHECK_QUERIES * args.solver_limit()?);
    }
    Ok(checker)
}

fn statistics(outcome: &Outcome) -> String {
    let mut out = String::from("Statistics:\n");
    for (name, value) in &outcome.account.counters {
        out += &format!("  {name}: {value}\n");
    }
    let mib = craig::memory::usage().map_or(0, |(_, resident)| resident >> 20);
    let seconds = outcome.account.seconds;
    out + &format!("  memory_mib: {mib}\n  seconds: {seconds:.3}\n")
}

/// The model of a Horn system. A proof that cannot be mapped to the predicates (loops as functions,
/// predicates copied into each other) is found again with a function per predicate.
fn model_text(args: &CheckArgs, config: &Config, outcome: &mut Outcome) -> Result<String, Error> {
    let limits = args.budget.or(config);
    let budget = limits.budget();
    let why = match craig::horn::model(outcome, &budget) {
        Ok(text) => return Ok(text),
        Err(why) => why,
    };
    if outcome.input.horn.is_none() {
        return Ok(format!("No model: {why}.\n"));
    }
    let mut source = args.source.options(config)?;
    source.horn_shape = frontend::horn::Shape::Functions;
    let mut checker = Checker::new().source(source).engine(EngineKind::Whale);
    if let Some(seconds) = limits.time {
        let left = (seconds - outcome.account.seconds).max(0.1);
        checker = checker.time(Duration::from_secs_f64(left));
    }
    let mut again = checker.check_files(&args.files)?;
    let text = craig::horn::model(&mut again, &budget);
    Ok(text.unwrap_or_else(|second| format!("No model: {why}; again with functions: {second}.\n")))
}
