//! The command line as clap reads it: what each command takes, with its help.

use super::scale_args::{BatchArgs, ProjectArgs, WorkerArgs};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Examples:
  craig check loop.c                             prove every assert, or show how one fails
  craig check --property valid-memsafety list.c  pointers, frees and leaks
  craig check --report out.html list.c           the trace or the proof, to click through
  craig check - < loop.c                         a program from standard input

Exit status: 0 safe, 1 unsafe, 2 unknown, 3 wrong input or command line.
Options may also stand in a `craig.toml` beside the program or in a folder above it.";

const CHECK_EXAMPLES: &str = "\
Examples:
  craig check loop.c
  craig check --property no-overflow --time 60 sum.c
  craig check --32 --property valid-memsafety.prp --witness w.yml task.i
  craig check -I include -D DEBUG=0 --entry parse main.c parse.c
  craig check --engine whale --certificate proof.json recursive.c
  craig check --json - --quiet loop.c | jq .verdict
  craig check --cargo=path/to/package

The last line of standard output is `verdict: safe`, `verdict: unsafe` or `verdict: unknown`.
Exit status: 0 safe, 1 unsafe, 2 unknown, 3 wrong input or command line.";

#[derive(Parser)]
#[command(
    name = "craig",
    version,
    about = "Interpolation-based software model checker",
    after_help = AFTER_HELP
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Prove that no execution violates the property, or show inputs on which one does
    #[command(after_help = CHECK_EXAMPLES)]
    Check(Box<CheckArgs>),
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
    /// Check every program of a code base; remember what was found
    Project(Box<ProjectArgs>),
    /// Run sets of tasks with expected verdicts under limits; tables and plots
    Batch(Box<BatchArgs>),
    /// Check the units that `craig project` sends over standard input
    #[command(hide = true)]
    Worker(Box<WorkerArgs>),
    /// Serve an editor: the language server protocol on standard input and output
    Lsp(LspArgs),
    /// Print a script that completes commands and options in a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write one a command
    Man {
        /// Write craig.1, craig-check.1, … into this folder
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
}

#[derive(Args, Default)]
#[command(next_help_heading = "Program")]
pub struct SourceArgs {
    /// 32-bit data model (ILP32)
    #[arg(long = "32", conflicts_with = "b64")]
    pub b32: bool,
    /// 64-bit data model (LP64, the default)
    #[arg(long = "64")]
    pub b64: bool,
    /// Signed overflow wraps around (as gcc -fwrapv) instead of being assumed absent
    #[arg(long)]
    pub wrapv: bool,
    /// What functions without a body do: nothing, or write through their pointer arguments (the
    /// default unless the property comes from a .prp file)
    #[arg(long, value_enum, value_name = "HOW")]
    pub externs: Option<Externs>,
    /// Whether allocation always succeeds (the default, as most programs end when it does not);
    /// `realloc` may refuse more memory to programs that look at its result
    #[arg(long, value_enum, value_name = "HOW")]
    pub malloc: Option<Malloc>,
    /// Directory of included files
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<String>,
    /// Macro definition
    #[arg(short = 'D', value_name = "NAME=V")]
    pub define: Vec<String>,
    /// The preprocessor, run with -E on files that have directives [default: cc]
    #[arg(long, value_name = "COMMAND")]
    pub cpp: Option<String>,
    /// Function where execution starts
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,
    /// A .prp file, or names and sets with commas: unreach-call (default), no-overflow, valid-deref,
    /// valid-free, valid-memtrack, valid-memcleanup, no-div-by-zero, no-shift, no-uninit, no-misaligned,
    /// no-pointer-arith, no-unreachable, no-missing-return; valid-memsafety; the sets memsafety,
    /// undefined and all, of which every check is decided
    #[arg(long, value_name = "P.prp|LIST")]
    pub property: Option<String>,
    /// Language of standard input (`-`), as a file ending: c, bpl, smt2, iproc, cfa
    #[arg(long, value_name = "ENDING", default_value = "c")]
    pub language: String,
    /// Options from this file in place of the `craig.toml` found beside the program or above it
    #[arg(long, value_name = "F.toml")]
    pub config: Option<PathBuf>,
    /// No options from a `craig.toml`
    #[arg(long, conflicts_with = "config")]
    pub no_config: bool,
}

#[derive(Args)]
#[command(next_help_heading = "Limits")]
pub struct BudgetArgs {
    /// Time limit in seconds, `inf` for none; beyond it the verdict is unknown [default: 300; smt: none]
    #[arg(long, value_name = "S")]
    pub time: Option<f64>,
    /// Memory limit in MiB; beyond it the verdict is unknown [default: three quarters of the machine]
    #[arg(long, value_name = "MIB")]
    pub memory: Option<u64>,
}

#[derive(Args)]
pub struct CheckArgs {
    /// Files of one program: .c .i (C), .bpl (Boogie), .smt2 (Horn clauses), .iproc, .cfa (program model), .ll .bc (LLVM),
    /// .cpp .cc .cxx (C++), .rs or Cargo.toml (Rust); `-` is standard input
    #[arg(required_unless_present = "cargo", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The binary of the cargo package in this folder [default: .], the same as its Cargo.toml for FILE
    #[arg(
        long,
        value_name = "DIR",
        num_args = 0..=1,
        default_missing_value = ".",
        require_equals = true,
        conflicts_with = "files",
        help_heading = "Program"
    )]
    pub cargo: Option<PathBuf>,
    #[command(flatten)]
    pub source: SourceArgs,
    #[command(flatten)]
    pub budget: BudgetArgs,
    /// Engine; see `craig engines`
    #[arg(long, value_name = "NAME", help_heading = "Engine")]
    pub engine: Option<craig::Engine>,
    /// Who of the portfolio works, in which order and with which weight, in place of what its table says:
    /// `impact 1, predabs 0.5, runs 0.5` (others are sites, unrolled, tables)
    #[arg(
        long,
        value_name = "WORKERS",
        value_parser = plan,
        conflicts_with_all = ["engine", "solver_chc"],
        help_heading = "Engine"
    )]
    pub portfolio: Option<String>,
    /// Let another program solve the Horn clauses of the program (see `show --as chc`) in place of an
    /// engine: z3, or a command that reads SMT-LIB; its model is checked as our own proofs are
    #[arg(
        long,
        value_name = "SOLVER",
        conflicts_with = "engine",
        help_heading = "Engine"
    )]
    pub solver_chc: Option<String>,
    /// Who decides the engine's queries: native, z3, cvc5, opensmt, smtinterpol, mathsat, yices
    #[arg(
        long,
        value_name = "NAME",
        default_value = "native",
        help_heading = "Engine"
    )]
    pub solver: String,
    /// Command that starts the solver, for any program that reads SMT-LIB 2
    #[arg(long, value_name = "COMMAND", help_heading = "Engine")]
    pub solver_command: Option<String>,
    /// Longest time for one query to another solver
    #[arg(
        long,
        value_name = "S",
        default_value_t = 20.0,
        help_heading = "Engine"
    )]
    pub solver_time: f64,
    /// Write every query and interpolation problem as an SMT-LIB file
    #[arg(long, value_name = "DIR", help_heading = "Engine")]
    pub smt_out: Option<PathBuf>,
    /// Size of the blocks that engines work on (whale: function bodies whole, or else path by path)
    /// [default: large; with --method paper those of the engine's paper]
    #[arg(long, value_enum, help_heading = "Engine")]
    pub blocks: Option<Blocks>,
    /// The algorithm of the engine's paper and nothing else, or all that helps (paper needs --engine)
    #[arg(long, value_enum, default_value = "full", help_heading = "Engine")]
    pub method: Method,
    /// What interpolants of paths are made from: refutations, strongest postconditions, weakest preconditions, or
    /// the interpolants of --solver
    #[arg(long, value_enum, default_value = "proof", help_heading = "Engine")]
    pub interpolation: Interpolation,
    /// Make interpolants from the error path alone or from all loop-free ways at once (split)
    #[arg(long, value_enum, default_value = "path", help_heading = "Engine")]
    pub ways: Ways,
    /// No search for shallow errors before the engine's algorithm, no memory left out at first, no guessed
    /// invariants beside it; programs are still simplified (see --method paper for the algorithm alone)
    #[arg(long, help_heading = "Engine")]
    pub no_aids: bool,
    /// Engines of the portfolio do not offer each other the invariants that they find
    #[arg(long, help_heading = "Engine")]
    pub no_lemmas: bool,
    /// In which order the unwinding is explored (impact)
    #[arg(long, value_enum, default_value = "depth", help_heading = "Engine")]
    pub order: Order,
    /// Unroll at most this many blocks (bmc, kind)
    #[arg(long, value_name = "N", help_heading = "Engine")]
    pub bound: Option<u64>,
    /// Threads that an engine may use (portfolio: engines at work at a time; trace: callees of a trace asked at a time)
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Engine")]
    pub jobs: usize,
    /// Write a witness (YAML, SV-COMP format)
    #[arg(long, value_name = "F.yml", help_heading = "Outputs")]
    pub witness: Option<PathBuf>,
    /// Version of the witness format
    #[arg(long, value_enum, default_value = "2.0", help_heading = "Outputs")]
    pub witness_version: Version,
    /// Write an HTML page: source, trace or invariants, memory, graph, statistics
    #[arg(long, value_name = "F.html", help_heading = "Outputs")]
    pub report: Option<PathBuf>,
    /// Write the result as JSON; `-` (here and below) is standard output, before the verdict line
    #[arg(long, value_name = "F", help_heading = "Outputs")]
    pub json: Option<PathBuf>,
    /// Write the result as SARIF 2.1.0
    #[arg(long, value_name = "F", help_heading = "Outputs")]
    pub sarif: Option<PathBuf>,
    /// Write what the engine did, in order, as JSON lines (see docs/log.md)
    #[arg(long, value_name = "F.jsonl", help_heading = "Outputs")]
    pub log: Option<PathBuf>,
    /// Write the proof with all its obligations (docs/certificates.md)
    #[arg(long, value_name = "F", help_heading = "Outputs")]
    pub certificate: Option<PathBuf>,
    /// Write a C file with the inputs of a counterexample
    #[arg(long, value_name = "F.c", help_heading = "Outputs")]
    pub harness: Option<PathBuf>,
    /// Write a folder that shows the error: inputs, and a script that builds and runs the program on them
    #[arg(long, value_name = "DIR", help_heading = "Outputs")]
    pub reproduce: Option<PathBuf>,
    /// Have every obligation of a proof confirmed by another solver (z3, cvc5, or a command)
    #[arg(long, value_name = "SOLVER", help_heading = "Engine")]
    pub cross_check: Option<String>,
    /// Print definitions for the predicates of a safe Horn system, as an SMT-LIB model
    #[arg(long, help_heading = "Outputs")]
    pub print_model: bool,
    /// Print a derivation of false for an unsafe Horn system
    #[arg(long, help_heading = "Outputs")]
    pub print_refutation: bool,
    #[command(flatten)]
    pub functions: FunctionArgs,
    #[command(flatten)]
    pub predabs: PredabsArgs,
    #[command(flatten)]
    pub trace: TraceArgs,
    /// Print statistics
    #[arg(long, help_heading = "Outputs")]
    pub stats: bool,
    /// When to use colours; NO_COLOR in the environment means never
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Outputs"
    )]
    pub color: Color,
    /// Which steps of a trace are printed
    #[arg(
        long = "trace",
        value_enum,
        value_name = "STEPS",
        default_value = "relevant",
        help_heading = "Outputs"
    )]
    pub steps: Steps,
    /// No progress, no notes, and only the verdict line
    #[arg(short, long, help_heading = "Outputs")]
    pub quiet: bool,
}

impl CheckArgs {
    /// With the package of `--cargo` among the files.
    pub fn with_package(mut self) -> Self {
        let manifest = self.cargo.take().map(|folder| folder.join("Cargo.toml"));
        self.files.extend(manifest);
        self
    }
}

#[derive(Args)]
#[command(next_help_heading = "One function at a time (docs/functions.md)")]
pub struct FunctionArgs {
    /// Check the function with any arguments and globals, or `all` functions, one result each; --time is
    /// for each (10 s if not given)
    #[arg(long, value_name = "NAME|all", conflicts_with = "entry")]
    pub function: Option<String>,
    /// How far pointers behind pointers of arguments are followed
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub depth: u32,
    /// Arguments of one pointer type may be equal, and structures cyclic
    #[arg(long)]
    pub sharing: bool,
    /// Say whether a proof is vacuous, as nothing reaches the end (on with --function)
    #[arg(long)]
    pub vacuity: bool,
    /// Check ACSL comments (on with --function); CBMC's clauses always count
    #[arg(long)]
    pub contracts: bool,
    /// Write the contracts that were found as ACSL
    #[arg(long, value_name = "F", requires = "function")]
    pub contracts_out: Option<PathBuf>,
    /// Taken for CBMC's sake and ignored: proofs here have no bound
    #[arg(long, value_name = "N")]
    pub unwind: Option<u64>,
}

#[derive(Args)]
#[command(next_help_heading = "Predicate abstraction")]
pub struct PredabsArgs {
    /// Where a predicate found at one location is tracked
    #[arg(long, value_enum, value_name = "WHERE", default_value = "location")]
    pub predicates: Sharing,
    /// What becomes of calls: inlined where that is possible, or function summaries
    #[arg(long, value_enum, value_name = "HOW", default_value = "inline")]
    pub calls: Calls,
    /// In which order abstract states are explored
    #[arg(long, value_enum, value_name = "ORDER", default_value = "breadth")]
    pub traversal: Traversal,
    /// Track each predicate for itself, not their combinations
    #[arg(long)]
    pub cartesian: bool,
    /// Start with the predicates of this file, in place of the search for errors and the guesses
    #[arg(long, value_name = "F")]
    pub precision_in: Option<PathBuf>,
    /// Write the predicates that the run ended with
    #[arg(long, value_name = "F")]
    pub precision_out: Option<PathBuf>,
}

#[derive(Args)]
#[command(next_help_heading = "Modular trace refinement")]
pub struct TraceArgs {
    /// Make functions with summaries of their own from loops (always done when functions recurse), or from what follows an
    /// `if` too
    #[arg(long, value_name = "PARTS", num_args = 0..=1, require_equals = true, default_missing_value = "loops")]
    pub outline: Option<Outline>,
    /// Re-use the summaries of this file where functions did not change; each is proved again
    #[arg(long, value_name = "F")]
    pub summaries_in: Option<PathBuf>,
    /// Write the function summaries that the run ended with
    #[arg(long, value_name = "F")]
    pub summaries_out: Option<PathBuf>,
}

#[derive(Args)]
pub struct LspArgs {
    /// Time limit in seconds for one check
    #[arg(long, value_name = "S", default_value_t = 60.0)]
    pub time: f64,
    #[command(flatten)]
    pub source: SourceArgs,
}

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal
    Auto,
    Always,
    Never,
}

/// Which steps of a trace are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Steps {
    /// Those that the violation depends on; the rest is folded
    Relevant,
    Full,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Externs {
    Pure,
    Write,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Malloc {
    Always,
    MayFail,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Outline {
    Loops,
    All,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Sharing {
    Location,
    Function,
    Global,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Calls {
    Inline,
    Summaries,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Order {
    Depth,
    Breadth,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Traversal {
    /// Loops before what follows them
    Program,
    Depth,
    Breadth,
}

/// How much an engine does beside its paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    Paper,
    Full,
}

/// What interpolants are made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Interpolation {
    Proof,
    Sp,
    Wp,
    External,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Blocks {
    Large,
    Joins,
    Basic,
    Single,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Ways {
    Path,
    All,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Version {
    #[value(name = "2.0")]
    V2_0,
    #[value(name = "2.1")]
    V2_1,
}

#[derive(Args)]
pub struct ValidateArgs {
    /// The program
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Certificate written by `craig check --certificate`
    #[arg(long, value_name = "F", conflicts_with = "witness")]
    pub certificate: Option<PathBuf>,
    /// Witness in YAML (formats 2.0 to 2.2): values are replayed, invariants and contracts checked as
    /// they are, else tried as candidate facts; property and data model come from it if not given
    #[arg(long, value_name = "F.yml")]
    pub witness: Option<PathBuf>,
    /// Hold the witness to every rule of its format (docs/witnesses.md); each one that it breaks is an error
    #[arg(long, requires = "witness")]
    pub strict: bool,
    #[command(flatten)]
    pub source: SourceArgs,
    #[command(flatten)]
    pub budget: BudgetArgs,
}

#[derive(Args)]
pub struct RunArgs {
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Values for nondeterministic inputs, one a line
    #[arg(long, value_name = "F", conflicts_with = "seed")]
    pub inputs: Option<PathBuf>,
    /// Random inputs from this seed
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Most steps to take
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    pub steps: u64,
    #[command(flatten)]
    pub source: SourceArgs,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub arguments: Vec<std::ffi::OsString>,
}

#[derive(Args)]
pub struct SmtArgs {
    /// Scripts, each run on its own; `-` is standard input
    #[arg(required = true, value_name = "FILE.smt2")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub budget: BudgetArgs,
}

#[derive(Args)]
pub struct ShowArgs {
    #[arg(required_unless_present = "log", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The graphs of a log that `check --log` wrote (with --dot)
    #[arg(
        long,
        value_name = "F.jsonl",
        requires = "dot",
        conflicts_with = "files"
    )]
    pub log: Option<PathBuf>,
    /// Which form
    #[arg(long = "as", value_enum, default_value = "cfa")]
    pub form: craig::show::Form,
    /// As a graph for Graphviz (cfa, blocks)
    #[arg(long)]
    pub dot: bool,
    #[command(flatten)]
    pub source: SourceArgs,
}

/// The text of a plan, if it is one.
fn plan(text: &str) -> Result<String, craig::PlanError> {
    text.parse::<craig::Plan>().map(|_| text.into())
}
