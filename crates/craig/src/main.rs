//! The command line of Craig. Exit status: 0 safe, 1 unsafe, 2 unknown, 3 wrong input or usage.

#![forbid(unsafe_code)]

mod cli;

use base::Budget;
use clap::Parser;
use cli::args::{
    Blocks, BudgetArgs, Calls, CheckArgs, Cli, Command, PredabsArgs, RunArgs, Sharing, ShowArgs,
    SmtArgs, SourceArgs, Traversal, ValidateArgs, Version, Ways,
};
use craig::{Checker, Outcome, Preprocessor, Properties, SourceOptions, Trouble, diagnostics};
use evidence::Verdict;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

fn main() -> ExitCode {
    // Panics become `unknown` with a note in the account instead of a message here.
    std::panic::set_hook(Box::new(craig::note_panic));
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let wrong = error.use_stderr();
            let _ = error.print();
            return ExitCode::from(if wrong { 3 } else { 0 });
        }
    };
    let result = match cli.command {
        Command::Check(args) => check(&args),
        Command::Validate(args) => validate(&args),
        Command::Run(args) => run(&args),
        Command::Smt(args) => smt(&args),
        Command::Show(args) => show(&args),
        Command::Engines => {
            for e in engine::ENGINES {
                say(&format!("{:<10} {}\n", e.name, e.summary));
            }
            Ok(0)
        }
    };
    match result {
        Ok(status) => ExitCode::from(status),
        Err(trouble) => {
            let text = match &trouble {
                Trouble::Message(text) => format!("craig: {text}\n"),
                Trouble::Input {
                    diagnostics,
                    sources,
                } => diagnostics::draw(diagnostics, sources, std::io::stderr().is_terminal()),
            };
            let _ = std::io::stderr().write_all(text.as_bytes());
            ExitCode::from(3)
        }
    }
}

/// Standard output; a closed pipe is not our trouble.
fn say(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

fn read(path: &Path) -> Result<String, Trouble> {
    std::fs::read_to_string(path).map_err(|e| Trouble::Message(format!("{}: {e}", path.display())))
}

fn write(path: &Path, text: &str) -> Result<(), Trouble> {
    std::fs::write(path, text).map_err(|e| Trouble::Message(format!("{}: {e}", path.display())))
}

fn source_options(args: &SourceArgs) -> Result<SourceOptions, Trouble> {
    let properties = match args.property.as_deref() {
        None => Properties::default(),
        Some(name) => match Properties::from_name(name) {
            Some(properties) => properties,
            None if name.ends_with(".prp") => Properties::from_file(&read(Path::new(name))?)?,
            None => {
                return Err(Trouble::Message(format!(
                    "unknown property `{name}` (known: unreach-call, no-overflow, valid-memsafety, valid-deref, valid-free, valid-memtrack, or a .prp file)"
                )));
            }
        },
    };
    Ok(SourceOptions {
        bits32: args.b32,
        wrapv: args.wrapv,
        entry: args.entry.clone(),
        properties,
        preprocessor: Preprocessor {
            command: args.cpp.clone(),
            include: args.include.clone(),
            define: args.define.clone(),
            bits32: args.b32,
        },
        ..SourceOptions::default()
    })
}

fn predabs_options(args: &PredabsArgs) -> Result<engine::PredabsOptions, Trouble> {
    Ok(engine::PredabsOptions {
        sharing: match args.predicates {
            Sharing::Location => engine::Sharing::Location,
            Sharing::Function => engine::Sharing::Function,
            Sharing::Global => engine::Sharing::Global,
        },
        abstraction: match args.cartesian {
            true => engine::Abstraction::Cartesian,
            false => engine::Abstraction::Boolean,
        },
        calls: match args.calls {
            Calls::Inline => engine::Calls::Inline,
            Calls::Summaries => engine::Calls::Summaries,
        },
        traversal: match args.traversal {
            Traversal::Program => engine::Traversal::Program,
            Traversal::Depth => engine::Traversal::DepthFirst,
            Traversal::Breadth => engine::Traversal::BreadthFirst,
        },
        precision: args.precision_in.as_deref().map(read).transpose()?,
    })
}

fn check(args: &CheckArgs) -> Result<u8, Trouble> {
    let seconds = |s: f64, option: &str| {
        Duration::try_from_secs_f64(s)
            .map_err(|_| Trouble::Message(format!("{option} takes a positive number")))
    };
    let solver_limit = seconds(args.solver_time, "--solver-time")?;
    let solvers = craig::solvers(&craig::SolverChoice {
        name: args.solver.clone(),
        command: args.solver_command.clone(),
        limit: solver_limit,
        memory: args.budget.memory.map(|mib| mib << 20),
        out: args.smt_out.clone(),
    })?;
    let mut checker = Checker::new().source(source_options(&args.source)?);
    if let Some(engine) = &args.engine {
        checker = checker.engine(engine);
    }
    if let Some(solver) = &args.solver_chc {
        checker = checker.chc_solver(solver);
    }
    if let Some(seconds) = args.budget.time {
        let limit = Duration::try_from_secs_f64(seconds)
            .map_err(|_| Trouble::Message("--time takes a positive number".into()))?;
        checker = checker.time(limit);
    }
    if let Some(mib) = args.budget.memory {
        checker = checker.memory(mib << 20);
    }
    checker = checker.engine_options(engine::EngineOptions {
        blocks: match args.blocks {
            Blocks::Large => program::BlockSize::Large,
            Blocks::Joins => program::BlockSize::Joins,
            Blocks::Single => program::BlockSize::Single,
        },
        order: match args.order {
            cli::args::Order::Depth => engine::Order::DepthFirst,
            cli::args::Order::Breadth => engine::Order::BreadthFirst,
        },
        jobs: args.jobs.max(1),
        predabs: predabs_options(&args.predabs)?,
        trace: engine::TraceOptions {
            outline: args.trace.outline,
            summaries: args.trace.summaries_in.as_deref().map(read).transpose()?,
            keep_summaries: args.trace.summaries_out.is_some(),
        },
        solvers,
        aids: !args.no_aids,
        ways: match args.ways {
            Ways::Path => engine::Ways::Path,
            Ways::All => engine::Ways::All,
        },
        ..Default::default()
    });
    let flag = checker.cancel_flag();
    let _ = ctrlc::set_handler(move || {
        // The first time ends the run with `unknown`, the second time the process.
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(2);
        }
    });
    let line = std::sync::Arc::new(cli::progress::Line::new(args.quiet));
    let shown = std::sync::Arc::clone(&line);
    checker = checker.on_progress(Box::new(move |p| shown.show(p)));
    let limit = args
        .budget
        .time
        .and_then(|s| Duration::try_from_secs_f64(s).ok());
    let memory = args.budget.memory.map(|mib| mib << 20);
    let watchdog = craig::Watchdog::start(limit, memory, |why| {
        say(&format!(
            "No answer.\n  why: {why}\n  what would help: a longer --time or more --memory, or another --engine\nverdict: unknown\n"
        ));
        std::process::exit(2);
    });
    let outcome = checker.check_files(&args.files);
    watchdog.answer();
    line.clear();
    let mut outcome = outcome?;

    let mut word = outcome.word();
    if let (Some(solver), Verdict::Safe(proof)) = (&args.cross_check, outcome.verdict.get().clone())
    {
        let (pool, program) = (&mut outcome.pool, &outcome.program);
        let result =
            craig::cross_check::cross_check(pool, program, &proof, solver, 3 * solver_limit);
        match result {
            Ok(count) => say(&format!(
                "Cross-check: {solver} confirms {count} obligations.\n"
            )),
            Err(why) => {
                say(&format!("Cross-check failed: {why}\n"));
                word = "unknown";
            }
        }
    }
    write_files(&args.files_to_write(), &mut outcome)?;
    if let Some(path) = &args.predabs.precision_out {
        let none = "; no predicates: the answer came before any were needed\n";
        write(path, outcome.precision.as_deref().unwrap_or(none))?;
    }
    if let (Some(path), Some(text)) = (&args.trace.summaries_out, &outcome.summaries) {
        write(path, text)?;
    }
    if !args.quiet {
        say(&report::text(&outcome.subject()));
        if args.stats {
            say("Statistics:\n");
            for (name, value) in &outcome.stats {
                say(&format!("  {name}: {value}\n"));
            }
            let mib = craig::memory::usage().map_or(0, |(_, r)| r >> 20);
            say(&format!(
                "  memory_mib: {mib}\n  seconds: {:.3}\n",
                outcome.seconds
            ));
        }
    }
    if args.print_model && word == "safe" {
        say(&model_text(args, &mut outcome)?);
    }
    if args.print_refutation && word == "unsafe" {
        let budget = budget(&args.budget);
        match craig::horn::refutation(&mut outcome, &budget) {
            Ok(text) => say(&text),
            Err(why) => say(&format!("No derivation: {why}.\n")),
        }
    }
    say(&format!("verdict: {word}\n"));
    Ok(status(word))
}

/// The model of a Horn system. A proof that cannot be mapped to the predicates (loops as functions,
/// predicates copied into each other) is found again with a function per predicate.
fn model_text(args: &CheckArgs, outcome: &mut Outcome) -> Result<String, Trouble> {
    let budget = budget(&args.budget);
    let why = match craig::horn::model(outcome, &budget) {
        Ok(text) => return Ok(text),
        Err(why) => why,
    };
    if outcome.horn.is_none() {
        return Ok(format!("No model: {why}.\n"));
    }
    let mut source = source_options(&args.source)?;
    source.horn_shape = frontend::horn::Shape::Functions;
    let mut checker = Checker::new().source(source).engine("whale");
    if let Some(seconds) = args.budget.time {
        let left = (seconds - outcome.seconds).max(0.1);
        checker = checker.time(Duration::from_secs_f64(left));
    }
    let mut again = checker.check_files(&args.files)?;
    let text = craig::horn::model(&mut again, &budget);
    Ok(text.unwrap_or_else(|second| format!("No model: {why}; again with functions: {second}.\n")))
}

fn status(word: &str) -> u8 {
    match word {
        "safe" => 0,
        "unsafe" => 1,
        _ => 2,
    }
}

/// The files a check writes.
struct Outputs<'a> {
    witness: Option<(&'a Path, report::WitnessVersion)>,
    report: Option<&'a Path>,
    json: Option<&'a Path>,
    sarif: Option<&'a Path>,
    certificate: Option<&'a Path>,
    harness: Option<&'a Path>,
}

impl CheckArgs {
    fn files_to_write(&self) -> Outputs<'_> {
        let version = match self.witness_version {
            Version::V2_0 => report::WitnessVersion::V2_0,
            Version::V2_1 => report::WitnessVersion::V2_1,
        };
        Outputs {
            witness: self.witness.as_deref().map(|p| (p, version)),
            report: self.report.as_deref(),
            json: self.json.as_deref(),
            sarif: self.sarif.as_deref(),
            certificate: self.certificate.as_deref(),
            harness: self.harness.as_deref(),
        }
    }
}

fn write_files(outputs: &Outputs<'_>, outcome: &mut Outcome) -> Result<(), Trouble> {
    if let Some(path) = outputs.certificate
        && let Ok(Some(json)) = craig::validate::write_certificate(outcome)
    {
        write(path, &format!("{json:#}\n"))?;
    }
    let subject = outcome.subject();
    if let Some((path, version)) = outputs.witness
        && let Some(text) = report::witness(&subject, version)
    {
        write(path, &text)?;
    }
    if let Some(path) = outputs.harness
        && let Some(text) = report::harness(&subject)
    {
        write(path, &text)?;
    }
    if let Some(path) = outputs.json {
        write(path, &format!("{:#}\n", report::json(&subject)))?;
    }
    if let Some(path) = outputs.sarif {
        write(path, &format!("{:#}\n", report::sarif(&subject)))?;
    }
    if let Some(path) = outputs.report {
        write(path, &report::html(&subject))?;
    }
    Ok(())
}

fn budget(args: &BudgetArgs) -> Budget {
    let mut budget = Budget::unlimited();
    if let Some(limit) = args.time.and_then(|s| Duration::try_from_secs_f64(s).ok()) {
        budget = budget.with_time(limit);
    }
    if let Some(mib) = args.memory {
        budget = budget.with_memory(mib << 20, craig::memory::start_meter());
    }
    budget
}

fn validate(args: &ValidateArgs) -> Result<u8, Trouble> {
    let options = source_options(&args.source)?;
    let budget = budget(&args.budget);
    if let Some(path) = &args.witness {
        let text = read(path)?;
        let open = craig::witness::Open {
            property: args.source.property.is_none(),
            data_model: !args.source.b32 && !args.source.b64,
        };
        let name = path.display().to_string();
        let end = craig::on_deep_stack(|| {
            craig::witness::validate(&args.files, &options, open, (&name, &text), &budget)
        })?;
        say(&end.account);
        say(&format!("verdict: {}\n", end.word));
        return Ok(status(end.word));
    }
    let Some(path) = &args.certificate else {
        return Err(Trouble::Message(
            "validate needs --certificate F or --witness F.yml".into(),
        ));
    };
    let text = read(path)?;
    let (word, account) = craig::on_deep_stack(|| {
        let mut loaded = craig::load(&args.files, &options)?;
        let checked = craig::validate::check_certificate(&mut loaded, &text, &budget)?;
        let account = match checked.get() {
            Verdict::Unknown(reason) => format!(
                "The certificate was rejected.\n  why: {}\n",
                report::reason_text(reason, &loaded.sources)
            ),
            _ => format!(
                "The certificate was accepted: {} obligations hold.\n",
                checked.record().obligations
            ),
        };
        Ok((checked.get().word(), account))
    })?;
    say(&account);
    say(&format!("verdict: {word}\n"));
    Ok(status(word))
}

fn run(args: &RunArgs) -> Result<u8, Trouble> {
    let mut options = source_options(&args.source)?;
    options.wrapv = true;
    let inputs = match (&args.inputs, args.seed) {
        (Some(path), _) => craig::run::Inputs::parse(&read(path)?)?,
        (None, Some(seed)) => craig::run::Inputs::Random(seed),
        (None, None) => craig::run::Inputs::Zero,
    };
    let ended = craig::on_deep_stack(|| {
        let loaded = craig::load(&args.files, &options)?;
        let mut out = std::io::BufWriter::new(std::io::stdout());
        let bits32 = options.bits32;
        Ok(craig::run::run(
            &loaded, inputs, bits32, args.steps, &mut out,
        ))
    })?;
    if let Some(note) = ended.note {
        let _ = writeln!(std::io::stderr(), "craig: {note}");
    }
    Ok(ended.status)
}

fn smt(args: &SmtArgs) -> Result<u8, Trouble> {
    let budget = budget(&args.budget);
    let mut status = 0;
    for file in &args.files {
        let text = if file.as_os_str() == "-" {
            std::io::read_to_string(std::io::stdin()).map_err(|e| format!("standard input: {e}"))?
        } else {
            read(file)?
        };
        let one = craig::on_deep_stack(|| {
            let mut out = std::io::BufWriter::new(std::io::stdout().lock());
            // A closed pipe is not our trouble.
            Ok(craig::smt::run(&text, &budget, &mut out).unwrap_or(0))
        })?;
        status = status.max(one);
    }
    Ok(status)
}

fn show(args: &ShowArgs) -> Result<u8, Trouble> {
    let options = source_options(&args.source)?;
    let text =
        craig::on_deep_stack(|| craig::show::show(&args.files, &options, args.form, args.dot))?;
    say(&text);
    Ok(0)
}
