//! The command line as clap reads it: what each command takes, with its help.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Parser)]
#[command(
    name = "craig",
    version,
    about = "Interpolation-based software model checker",
    after_help = "Exit status: 0 safe, 1 unsafe, 2 unknown, 3 wrong input or command line."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Prove that no execution violates the property, or show inputs on which one does
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
}

#[derive(Args)]
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
    /// `realloc` may fail in any case
    #[arg(long, value_enum, value_name = "HOW", default_value = "always")]
    pub malloc: Malloc,
    /// Directory of included files
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<String>,
    /// Macro definition
    #[arg(short = 'D', value_name = "NAME=V")]
    pub define: Vec<String>,
    /// The preprocessor, run with -E on files that have directives
    #[arg(long, value_name = "COMMAND", default_value = "cc")]
    pub cpp: String,
    /// Function where execution starts
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,
    /// unreach-call (default), no-overflow, valid-memsafety, or a .prp file
    #[arg(long, value_name = "P.prp|NAME")]
    pub property: Option<String>,
}

#[derive(Args)]
pub struct BudgetArgs {
    /// Time limit in seconds; beyond it the verdict is unknown
    #[arg(long, value_name = "S")]
    pub time: Option<f64>,
    /// Memory limit in MiB; beyond it the verdict is unknown
    #[arg(long, value_name = "MIB")]
    pub memory: Option<u64>,
}

#[derive(Args)]
pub struct CheckArgs {
    /// Files of one program: .c .i (C), .bpl (Boogie), .smt2 (Horn clauses), .cfa (program model)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Engine; see `craig engines`
    #[arg(long, value_name = "NAME")]
    pub engine: Option<craig::Engine>,
    /// Let another program solve the Horn clauses of the program (see `show --as chc`) in place of an
    /// engine: z3, or a command that reads SMT-LIB; its model is checked as our own proofs are
    #[arg(long, value_name = "SOLVER", conflicts_with = "engine")]
    pub solver_chc: Option<String>,
    /// Who decides the engine's queries: native, z3, cvc5, opensmt, smtinterpol, mathsat, yices
    #[arg(long, value_name = "NAME", default_value = "native")]
    pub solver: String,
    /// Command that starts the solver, for any program that reads SMT-LIB 2
    #[arg(long, value_name = "COMMAND")]
    pub solver_command: Option<String>,
    /// Longest time for one query to another solver
    #[arg(long, value_name = "S", default_value_t = 20.0)]
    pub solver_time: f64,
    /// Write every query and interpolation problem as an SMT-LIB file
    #[arg(long, value_name = "DIR")]
    pub smt_out: Option<PathBuf>,
    /// Size of the blocks that engines work on (whale: function bodies whole, or else path by path)
    #[arg(long, value_enum, default_value = "large")]
    pub blocks: Blocks,
    /// Make interpolants from the error path alone or from all loop-free ways at once (split)
    #[arg(long, value_enum, default_value = "path")]
    pub ways: Ways,
    /// Only the algorithm of the engine's paper: no search for shallow errors before it, no memory
    /// left out at first, no guessed invariants beside it
    #[arg(long)]
    pub no_aids: bool,
    /// In which order the unwinding is explored (impact)
    #[arg(long, value_enum, default_value = "depth")]
    pub order: Order,
    /// Threads that an engine may use (portfolio: engines at work at a time; trace: callees of a trace asked at a time)
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub jobs: usize,
    #[command(flatten)]
    pub source: SourceArgs,
    #[command(flatten)]
    pub budget: BudgetArgs,
    /// Write a witness (YAML, SV-COMP format)
    #[arg(long, value_name = "F.yml")]
    pub witness: Option<PathBuf>,
    /// Version of the witness format
    #[arg(long, value_enum, default_value = "2.0")]
    pub witness_version: Version,
    /// Write an HTML report
    #[arg(long, value_name = "F.html")]
    pub report: Option<PathBuf>,
    /// Write the result as JSON
    #[arg(long, value_name = "F")]
    pub json: Option<PathBuf>,
    /// Write the result as SARIF 2.1.0
    #[arg(long, value_name = "F")]
    pub sarif: Option<PathBuf>,
    /// Write the proof with all its obligations (docs/certificates.md)
    #[arg(long, value_name = "F")]
    pub certificate: Option<PathBuf>,
    /// Write a C file with the inputs of a counterexample
    #[arg(long, value_name = "F.c")]
    pub harness: Option<PathBuf>,
    /// Have every obligation of a proof confirmed by another solver (z3, cvc5, or a command)
    #[arg(long, value_name = "SOLVER")]
    pub cross_check: Option<String>,
    /// Print definitions for the predicates of a safe Horn system, as an SMT-LIB model
    #[arg(long)]
    pub print_model: bool,
    /// Print a derivation of false for an unsafe Horn system
    #[arg(long)]
    pub print_refutation: bool,
    #[command(flatten)]
    pub functions: FunctionArgs,
    #[command(flatten)]
    pub predabs: PredabsArgs,
    #[command(flatten)]
    pub trace: TraceArgs,
    /// Print statistics
    #[arg(long)]
    pub stats: bool,
    /// No progress, and only the verdict line
    #[arg(short, long)]
    pub quiet: bool,
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
    /// Make functions with summaries of their own from loops (always done when functions recurse)
    #[arg(long)]
    pub outline: bool,
    /// Re-use the summaries of this file where functions did not change; each is proved again
    #[arg(long, value_name = "F")]
    pub summaries_in: Option<PathBuf>,
    /// Write the function summaries that the run ended with
    #[arg(long, value_name = "F")]
    pub summaries_out: Option<PathBuf>,
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

#[derive(Clone, Copy, ValueEnum)]
pub enum Blocks {
    Large,
    Joins,
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
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Which form
    #[arg(long = "as", value_enum, default_value = "cfa")]
    pub form: craig::show::Form,
    /// As a graph for Graphviz (cfa, blocks)
    #[arg(long)]
    pub dot: bool,
    #[command(flatten)]
    pub source: SourceArgs,
}
