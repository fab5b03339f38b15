//! The command line of Craig. Exit status: 0 safe, 1 unsafe, 2 unknown, 3 wrong input or usage.

mod progress;

use clap::{Args, Parser, Subcommand, ValueEnum};
use craig::{Checker, Outcome, Preprocessor, Properties, SourceOptions, Trouble, diagnostics};
use evidence::Verdict;
use logic::Budget;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

#[derive(Parser)]
#[command(
    name = "craig",
    version,
    about = "Interpolation-based software model checker",
    after_help = "Exit status: 0 safe, 1 unsafe, 2 unknown, 3 wrong input or command line."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Prove that no execution violates the property, or show inputs on which one does
    Check(CheckArgs),
    /// Check a certificate or a witness again
    Validate(ValidateArgs),
    /// Run a program in the interpreter: output and exit status as compiled
    Run(RunArgs),
    /// Run an SMT-LIB 2 script in the native solver
    Smt(SmtArgs),
    /// Show a program in one of its forms
    Show(ShowArgs),
    /// List the engines
    Engines,
}

#[derive(Args)]
struct SourceArgs {
    /// 32-bit data model (ILP32)
    #[arg(long = "32", conflicts_with = "b64")]
    b32: bool,
    /// 64-bit data model (LP64, the default)
    #[arg(long = "64")]
    b64: bool,
    /// Signed overflow wraps around (as gcc -fwrapv) instead of being assumed absent
    #[arg(long)]
    wrapv: bool,
    /// Directory of included files
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<String>,
    /// Macro definition
    #[arg(short = 'D', value_name = "NAME=V")]
    define: Vec<String>,
    /// The preprocessor, run with -E on files that have directives
    #[arg(long, value_name = "COMMAND", default_value = "cc")]
    cpp: String,
    /// Function where execution starts
    #[arg(long, value_name = "FUNCTION")]
    entry: Option<String>,
    /// unreach-call (default), no-overflow, valid-memsafety, or a .prp file
    #[arg(long, value_name = "P.prp|NAME")]
    property: Option<String>,
}

#[derive(Args)]
struct BudgetArgs {
    /// Time limit in seconds; beyond it the verdict is unknown
    #[arg(long, value_name = "S")]
    time: Option<f64>,
    /// Memory limit in MiB; beyond it the verdict is unknown
    #[arg(long, value_name = "MIB")]
    memory: Option<u64>,
}

#[derive(Args)]
struct CheckArgs {
    /// Files of one program: .c .i (C), .bpl (Boogie), .smt2 (Horn clauses), .cfa (program model)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Engine; see `craig engines`
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Solver: native
    #[arg(long, value_name = "NAME", default_value = "native")]
    solver: String,
    /// Size of the blocks that engines work on
    #[arg(long, value_enum, default_value = "large")]
    blocks: Blocks,
    /// Threads that an engine may use
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    budget: BudgetArgs,
    /// Write a witness (YAML, SV-COMP format)
    #[arg(long, value_name = "F.yml")]
    witness: Option<PathBuf>,
    /// Version of the witness format
    #[arg(long, value_enum, default_value = "2.0")]
    witness_version: Version,
    /// Write an HTML report
    #[arg(long, value_name = "F.html")]
    report: Option<PathBuf>,
    /// Write the result as JSON
    #[arg(long, value_name = "F")]
    json: Option<PathBuf>,
    /// Write the result as SARIF 2.1.0
    #[arg(long, value_name = "F")]
    sarif: Option<PathBuf>,
    /// Write the proof with all its obligations (docs/certificates.md)
    #[arg(long, value_name = "F")]
    certificate: Option<PathBuf>,
    /// Write a C file with the inputs of a counterexample
    #[arg(long, value_name = "F.c")]
    harness: Option<PathBuf>,
    /// Have every obligation of a proof confirmed by another solver (z3, cvc5, or a command)
    #[arg(long, value_name = "SOLVER")]
    cross_check: Option<String>,
    /// Print statistics
    #[arg(long)]
    stats: bool,
    /// No progress, and only the verdict line
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Blocks {
    Large,
    Single,
}

#[derive(Clone, Copy, ValueEnum)]
enum Version {
    #[value(name = "2.0")]
    V2_0,
    #[value(name = "2.1")]
    V2_1,
}

#[derive(Args)]
struct ValidateArgs {
    /// The program
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Certificate written by `craig check --certificate`
    #[arg(long, value_name = "F", conflicts_with = "witness")]
    certificate: Option<PathBuf>,
    /// Witness in YAML
    #[arg(long, value_name = "F.yml")]
    witness: Option<PathBuf>,
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    budget: BudgetArgs,
}

#[derive(Args)]
struct RunArgs {
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Values for nondeterministic inputs, one a line
    #[arg(long, value_name = "F", conflicts_with = "seed")]
    inputs: Option<PathBuf>,
    /// Random inputs from this seed
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Most steps to take
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    steps: u64,
    #[command(flatten)]
    source: SourceArgs,
}

#[derive(Args)]
struct SmtArgs {
    #[arg(value_name = "FILE.smt2")]
    file: PathBuf,
    #[command(flatten)]
    budget: BudgetArgs,
}

#[derive(Args)]
struct ShowArgs {
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Which form
    #[arg(long = "as", value_enum, default_value = "cfa")]
    form: craig::show::Form,
    /// As a graph for Graphviz (cfa, blocks)
    #[arg(long)]
    dot: bool,
    #[command(flatten)]
    source: SourceArgs,
}

fn main() -> ExitCode {
    // Panics become `unknown` with a note in the account; the message is not printed twice.
    std::panic::set_hook(Box::new(|_| {}));
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let wrong = error.use_stderr();
            let _ = error.print();
            return ExitCode::from(if wrong { 3 } else { 0 });
        }
    };
    let result = match cli.command {
        Command::Check(args) => check(args),
        Command::Validate(args) => validate(args),
        Command::Run(args) => run(args),
        Command::Smt(args) => smt(&args),
        Command::Show(args) => show(args),
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

fn source_options(args: SourceArgs) -> Result<SourceOptions, Trouble> {
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
        entry: args.entry,
        properties,
        preprocessor: Preprocessor {
            command: args.cpp,
            include: args.include,
            define: args.define,
            bits32: args.b32,
        },
        for_running: false,
    })
}

fn check(args: CheckArgs) -> Result<u8, Trouble> {
    if args.solver != "native" {
        return Err(Trouble::Message(format!(
            "the solver `{}` is not available in this build; there is only `native`",
            args.solver
        )));
    }
    let mut checker = Checker::new().source(source_options(args.source)?);
    if let Some(engine) = &args.engine {
        checker = checker.engine(engine);
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
            Blocks::Single => program::BlockSize::Single,
        },
        jobs: args.jobs.max(1),
        ..Default::default()
    });
    let flag = checker.cancel_flag();
    let _ = ctrlc::set_handler(move || {
        // The first time ends the run with `unknown`, the second time the process.
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(2);
        }
    });
    let line = std::sync::Arc::new(progress::Line::new(args.quiet));
    let shown = std::sync::Arc::clone(&line);
    checker = checker.on_progress(Box::new(move |p| shown.show(p)));
    let outcome = checker.check_files(&args.files);
    line.clear();
    let mut outcome = outcome?;

    let mut word = outcome.word();
    if let (Some(solver), Verdict::Safe(proof)) = (&args.cross_check, outcome.verdict.get().clone())
    {
        let result = craig::cross_check::cross_check(
            &mut outcome.pool,
            &outcome.program,
            &proof,
            solver,
        );
        match result {
            Ok(count) => say(&format!("Cross-check: {solver} confirms {count} obligations.\n")),
            Err(why) => {
                say(&format!("Cross-check failed: {why}\n"));
                word = "unknown";
            }
        }
    }
    write_files(&args.files_to_write(), &mut outcome)?;
    if !args.quiet {
        say(&report::text(&outcome.subject()));
        if args.stats {
            say("Statistics:\n");
            for (name, value) in &outcome.stats {
                say(&format!("  {name}: {value}\n"));
            }
            let mib = craig::limits::usage().map_or(0, |(_, r)| r >> 20);
            say(&format!("  memory_mib: {mib}\n  seconds: {:.3}\n", outcome.seconds));
        }
    }
    say(&format!("verdict: {word}\n"));
    Ok(status(word))
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
    if let Some(path) = outputs.certificate {
        if let Ok(Some(json)) = craig::validate::write_certificate(outcome) {
            write(path, &format!("{json:#}\n"))?;
        }
    }
    let subject = outcome.subject();
    if let Some((path, version)) = outputs.witness {
        if let Some(text) = report::witness(&subject, version) {
            write(path, &text)?;
        }
    }
    if let Some(path) = outputs.harness {
        if let Some(text) = report::harness(&subject) {
            write(path, &text)?;
        }
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
        budget = budget.with_memory(mib << 20, craig::limits::start_meter());
    }
    budget
}

fn validate(args: ValidateArgs) -> Result<u8, Trouble> {
    let options = source_options(args.source)?;
    let Some(path) = &args.certificate else {
        return Err(Trouble::Message(match &args.witness {
            Some(_) => "witnesses are written but not validated by this build; use --certificate".into(),
            None => "validate needs --certificate F".into(),
        }));
    };
    let text = read(path)?;
    let budget = budget(&args.budget);
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

fn run(args: RunArgs) -> Result<u8, Trouble> {
    let mut options = source_options(args.source)?;
    options.wrapv = true;
    options.for_running = true;
    let inputs = match (&args.inputs, args.seed) {
        (Some(path), _) => craig::run::Inputs::parse(&read(path)?)?,
        (None, Some(seed)) => craig::run::Inputs::Random(seed),
        (None, None) => craig::run::Inputs::Zero,
    };
    craig::on_deep_stack(|| {
        let mut loaded = craig::load(&args.files, &options)?;
        craig::run::run(&mut loaded, inputs, args.steps, &mut std::io::stdout().lock())
    })
}

fn smt(_args: &SmtArgs) -> Result<u8, Trouble> {
    Err(Trouble::Message("the command `smt` is not in this build".into()))
}

fn show(args: ShowArgs) -> Result<u8, Trouble> {
    let options = source_options(args.source)?;
    let text = craig::on_deep_stack(|| craig::show::show(&args.files, &options, args.form, args.dot))?;
    say(&text);
    Ok(0)
}
