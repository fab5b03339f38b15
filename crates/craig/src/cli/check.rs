//! `craig check`: from arguments to a run, and from its outcome to what is printed.

use super::args::CheckArgs;
use super::progress::Line;
use super::{conclude, outputs, say};
use craig::{Checker, Engine, EngineKind, Error, Outcome, VerdictKind, Watchdog};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Scripts of a cross-check get as much time as so many queries.
const CROSS_CHECK_QUERIES: u32 = 3;

/// Runs the command; the result is the exit status.
pub fn check(args: &CheckArgs) -> Result<u8, Error> {
    if args.functions.unwind.is_some() && !args.quiet {
        say("--unwind is ignored: proofs have no bound.\n");
    }
    if args.functions.function.is_some() || args.functions.vacuity {
        return super::functions::check(args);
    }
    let mut checker = checker(args)?;
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
    let watchdog = Watchdog::start(args.budget.time()?, args.budget.memory(), |why| {
        say(&format!(
            "No answer.\n  why: {why}\n  what would help: a longer --time or more --memory, or another --engine\n"
        ));
        std::process::exit(i32::from(conclude(VerdictKind::Unknown)));
    });
    let outcome = checker.check_files(&args.files);
    watchdog.answer();
    line.clear();
    let mut outcome = outcome?;
    outputs::write_all(args, &mut outcome)?;
    if !args.quiet {
        say(&outcome.text());
        if args.stats {
            say(&statistics(&outcome));
        }
    }
    if args.print_model && outcome.kind() == VerdictKind::Safe {
        say(&model_text(args, &mut outcome)?);
    }
    if args.print_refutation && outcome.kind() == VerdictKind::Unsafe {
        match craig::horn::refutation(&mut outcome, &args.budget.budget()) {
            Ok(text) => say(&text),
            Err(why) => say(&format!("No derivation: {why}.\n")),
        }
    }
    Ok(conclude(outcome.kind()))
}

pub(super) fn checker(args: &CheckArgs) -> Result<Checker, Error> {
    let mut source = args.source.options()?;
    source.contracts = args.functions.contracts;
    let mut checker = Checker::new()
        .source(source)
        .engine_options(args.engine_options()?);
    if let Some(engine) = &args.engine {
        checker = checker.engine(engine.clone());
    }
    if let Some(solver) = &args.solver_chc {
        checker = checker.engine(Engine::Clauses(solver.clone()));
    }
    if let Some(limit) = args.budget.time()? {
        checker = checker.time(limit);
    }
    if let Some(limit) = args.budget.memory() {
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
fn model_text(args: &CheckArgs, outcome: &mut Outcome) -> Result<String, Error> {
    let budget = args.budget.budget();
    let why = match craig::horn::model(outcome, &budget) {
        Ok(text) => return Ok(text),
        Err(why) => why,
    };
    if outcome.input.horn.is_none() {
        return Ok(format!("No model: {why}.\n"));
    }
    let mut source = args.source.options()?;
    source.horn_shape = frontend::horn::Shape::Functions;
    let mut checker = Checker::new().source(source).engine(EngineKind::Whale);
    if let Some(seconds) = args.budget.time {
        let left = (seconds - outcome.account.seconds).max(0.1);
        checker = checker.time(Duration::from_secs_f64(left));
    }
    let mut again = checker.check_files(&args.files)?;
    let text = craig::horn::model(&mut again, &budget);
    Ok(text.unwrap_or_else(|second| format!("No model: {why}; again with functions: {second}.\n")))
}
