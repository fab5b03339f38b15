//! What an engine gets and gives, and the table of engines.

use crate::limits::Limits;
use crate::log::{Event, Field};
use crate::predabs::PredabsOptions;
use crate::trace::TraceOptions;
use base::Budget;
use evidence::Verdict;
use logic::{Pool, TermId};
use program::{BlockGraph, BlockSize, LocId, Program};
use smt::Solvers;
use smt::interpolate::Source;
use std::collections::BTreeMap;

/// A verification problem handed to an engine.
pub struct Task<'a> {
    /// The terms; engines add their own.
    pub pool: &'a mut Pool,
    /// The program as the front end gave it.
    pub program: &'a Program,
    /// What the user chose.
    pub options: &'a EngineOptions,
    /// What the run may use.
    pub budget: &'a Budget,
    /// Where the engine counts.
    pub stats: &'a mut Stats,
    /// Called now and then with how far the run is; must be cheap.
    pub progress: &'a mut dyn FnMut(&Progress),
}

/// An engine.
///
/// # Contract
/// - `Safe(proof)`: the proof holds of the program of `proof.scope` (the checker will look).
/// - `Unsafe(counterexample)`: an execution of the *original* program.
/// - Running out of budget, unsupported programs and lack of progress are `Unknown` with the
///   reason; an engine never panics on a well-formed program and honours the budget.
/// - The same task gives the same verdict, evidence and statistics, times apart.
pub trait Engine {
    /// Looks for a verdict.
    fn run(&mut self, task: &mut Task<'_>) -> Verdict;
}

/// An engine, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EngineKind {
    /// Lazy abstraction with interpolants (WOLVERINE).
    Impact,
    /// Splitting of locations (ULTIMATE).
    Split,
    /// Function summaries from tree interpolants (WHALE).
    Whale,
    /// Lazy predicate abstraction (BLAST).
    Predabs,
    /// Modular trace refinement (IPROC).
    Trace,
    /// Bounded model checking.
    Bmc,
    /// k-induction.
    Kind,
}

/// One row of the engine table.
pub struct EngineEntry {
    /// The engine.
    pub kind: EngineKind,
    /// What users call it.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// It searches up to a bound that grows, and leaves many safe programs undecided.
    pub bounded: bool,
    /// The blocks of its paper, for [`Method::Paper`].
    pub paper_blocks: BlockSize,
    /// Its paper slices programs first.
    pub paper_slices: bool,
    /// Makes one, ready to run.
    pub make: fn() -> Box<dyn Engine>,
}

/// All engines, in the order in which help lists them.
pub const ENGINES: &[EngineEntry] = &[
    EngineEntry {
        kind: EngineKind::Impact,
        name: "impact",
        summary: "lazy abstraction with interpolants on large blocks (WOLVERINE)",
        bounded: false,
        paper_blocks: BlockSize::Basic,
        paper_slices: true,
        make: || Box::new(crate::impact::Impact),
    },
    EngineEntry {
        kind: EngineKind::Split,
        name: "split",
        summary: "splitting of program locations by path-insensitive interpolants (ULTIMATE)",
        bounded: false,
        paper_blocks: BlockSize::Large,
        paper_slices: false,
        make: || Box::new(crate::split::Split),
    },
    EngineEntry {
        kind: EngineKind::Whale,
        name: "whale",
        summary: "function summaries guessed from tree interpolants; recursion (WHALE)",
        bounded: false,
        paper_blocks: BlockSize::Large,
        paper_slices: false,
        make: || Box::new(crate::whale::Whale::default()),
    },
    EngineEntry {
        kind: EngineKind::Predabs,
        name: "predabs",
        summary: "lazy predicate abstraction, predicates from proofs (BLAST)",
        bounded: false,
        paper_blocks: BlockSize::Basic,
        paper_slices: false,
        make: || Box::new(crate::predabs::Predabs),
    },
    EngineEntry {
        kind: EngineKind::Trace,
        name: "trace",
        summary: "modular trace refinement: each function alone, summaries on demand (IPROC)",
        bounded: false,
        paper_blocks: BlockSize::Single,
        paper_slices: false,
        make: || Box::new(crate::trace::Trace),
    },
    EngineEntry {
        kind: EngineKind::Bmc,
        name: "bmc",
        summary: "bounded model checking, deeper and deeper: errors, or none up to a bound",
        bounded: true,
        paper_blocks: BlockSize::Large,
        paper_slices: false,
        make: || Box::new(crate::bmc::Bmc),
    },
    EngineEntry {
        kind: EngineKind::Kind,
        name: "kind",
        summary: "k-induction with guessed invariants",
        bounded: true,
        paper_blocks: BlockSize::Large,
        paper_slices: false,
        make: || Box::new(crate::kind::KInduction),
    },
];

impl EngineKind {
    /// The engine's row of the table.
    pub fn entry(self) -> &'static EngineEntry {
        let row = ENGINES.iter().find(|e| e.kind == self);
        row.expect("every engine has a row in the table")
    }

    /// The engine's name.
    pub fn as_str(self) -> &'static str {
        self.entry().name
    }
}

impl std::fmt::Display for EngineKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// No engine has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownEngine(pub String);

impl std::fmt::Display for UnknownEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "there is no engine `{}`", self.0)
    }
}

impl std::error::Error for UnknownEngine {}

impl std::str::FromStr for EngineKind {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<Self, UnknownEngine> {
        let row = ENGINES.iter().find(|e| e.name == name);
        row.map(|e| e.kind)
            .ok_or_else(|| UnknownEngine(name.into()))
    }
}

/// In which order an engine explores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Newest first.
    DepthFirst,
    /// Oldest first.
    BreadthFirst,
}

/// How much an engine does beside its paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// The algorithm of the engine's paper and nothing else: its blocks; no presolve, no guesses, no localization, no
    /// templates, no splitting by values, no folding of constants, no slice (but for WOLVERINE, which slices), no
    /// quantifier elimination, no copying of functions. Of the passes on memory only one is left, which makes variables of variables whose address is taken.
    Paper,
    /// All that helps.
    #[default]
    Full,
}

/// What interpolants of paths are made from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InterpolationSource {
    /// Refutations.
    #[default]
    Proof,
    /// Strongest postconditions.
    StrongestPost,
    /// Weakest preconditions.
    WeakestPre,
}

impl InterpolationSource {
    pub(crate) fn source(self) -> Source {
        match self {
            InterpolationSource::Proof => Source::Proof,
            InterpolationSource::StrongestPost => Source::StrongestPost,
            InterpolationSource::WeakestPre => Source::WeakestPre,
        }
    }
}

/// What interpolants for the nodes of an error path are made from (engine `split`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ways {
    /// The path alone.
    Path,
    /// All loop-free ways to the node and from it.
    All,
}

/// Options that engines share; each engine documents which it reads.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// How much of the program is one block.
    pub blocks: BlockSize,
    /// The order of exploration (`impact`).
    pub order: Order,
    /// Drop what does not matter to the property before encoding.
    pub slice: bool,
    /// Let the portfolio look at the cone of the errors alone. Not where every location is to have an assertion: models of
    /// Horn systems.
    pub cones: bool,
    /// The program starts in a function of its own, not in `main`: most such programs set up some memory, call one
    /// function and end, so that executing them symbolically is tried before the engines.
    pub harness: bool,
    /// In paper mode only that of all simplifications, where the paper has it.
    pub paper_slice: bool,
    /// Threads an engine may use where it can. The portfolio gives each of its engines one.
    pub jobs: usize,
    /// For predicate abstraction.
    pub predabs: PredabsOptions,
    /// For modular trace refinement.
    pub trace: TraceOptions,
    /// Who decides the engine's queries and interpolates.
    pub solvers: Solvers,
    /// Search for errors first and guess invariants beside the algorithm ([`crate::presolve`]).
    pub aids: bool,
    /// Among the aids, random runs of the program: once is enough where several engines run.
    pub random_runs: bool,
    /// The first of them is done: the program was run to the end of long loops.
    pub ran_long: bool,
    /// For location splitting.
    pub ways: Ways,
    /// The most blocks that `bmc` and `kind` unroll; no bound but the budget if not given.
    pub bound: Option<u64>,
    /// Facts that may hold at locations of the program, from elsewhere (a witness): tried as
    /// invariants before anything else, never trusted.
    pub candidates: Vec<(LocId, TermId)>,
    /// Engines of a portfolio offer each other what they have proven.
    pub lemmas: bool,
    /// Who of a portfolio works and with which weight, in place of what its table says of such programs.
    pub plan: Option<String>,
    /// What other engines of the same portfolio have prepared.
    pub shared: Option<crate::prepare::shared::Shared>,
    /// The paper's algorithm, or all that helps.
    pub method: Method,
    /// What interpolants of paths are made from.
    pub interpolation: InterpolationSource,
    /// Keep a log of what happens ([`Stats::log`]), of so many events at most.
    pub log: Option<usize>,
    /// How long, how many, how deep.
    pub limits: Limits,
}

impl EngineOptions {
    /// The algorithm of the engine's paper and nothing else.
    pub fn paper(engine: EngineKind) -> Self {
        EngineOptions {
            method: Method::Paper,
            blocks: engine.entry().paper_blocks,
            paper_slice: engine.entry().paper_slices,
            aids: false,
            random_runs: false,
            ..EngineOptions::default()
        }
    }

    pub(crate) fn is_paper(&self) -> bool {
        self.method == Method::Paper
    }

    /// Whether programs are simplified before an engine sees them.
    pub fn simplifies(&self) -> bool {
        self.slice && !self.is_paper()
    }
}

impl Default for EngineOptions {
    fn default() -> Self {
        EngineOptions {
            blocks: BlockSize::Large,
            order: Order::DepthFirst,
            slice: true,
            cones: true,
            harness: false,
            paper_slice: false,
            jobs: 1,
            predabs: PredabsOptions::default(),
            trace: TraceOptions::default(),
            solvers: Solvers::native(),
            aids: true,
            random_runs: true,
            ran_long: false,
            ways: Ways::Path,
            bound: None,
            candidates: Vec::new(),
            lemmas: true,
            plan: None,
            shared: None,
            method: Method::Full,
            interpolation: InterpolationSource::Proof,
            log: None,
            limits: Limits::default(),
        }
    }
}

/// Counters of a run, by name, in the order of their names.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// The counters.
    pub counters: BTreeMap<&'static str, u64>,
    /// The predicates an engine ended with, for a later run to start from.
    pub precision: Option<String>,
    /// The summaries that an engine ended with, for a later run.
    pub summaries: Option<String>,
    /// What was decided on the way, for people: which engine was chosen and why.
    pub notes: Vec<String>,
    /// What happened, in order, if somebody wants to know.
    pub log: Option<Vec<Event>>,
    /// How many events the log may have.
    pub log_limit: usize,
}

impl Stats {
    /// Nothing counted yet; with a log if the options ask for one.
    pub fn new(options: &EngineOptions) -> Self {
        Stats {
            log: options.log.map(|_| Vec::new()),
            log_limit: options.log.unwrap_or(0),
            ..Stats::default()
        }
    }

    /// Says what happened, and counts it under the same name; the fields are made only if somebody wants to know.
    pub(crate) fn log(
        &mut self,
        name: &'static str,
        fields: impl FnOnce() -> Vec<(&'static str, Field)>,
    ) {
        self.add(name, 1);
        self.tell(name, fields);
    }

    /// As [`Stats::log`], but the event is no counter.
    fn tell(&mut self, name: &'static str, fields: impl FnOnce() -> Vec<(&'static str, Field)>) {
        if let Some(log) = &mut self.log
            && log.len() < self.log_limit
        {
            let fields = fields();
            log.push(Event { name, fields });
        }
    }

    /// From now on the log is that of an engine.
    pub fn begin(&mut self, engine: &str) {
        self.tell("engine", || vec![("name", engine.into())]);
    }

    /// Where the locations of a path or tree are in the source: those that blocks begin or end at.
    pub(crate) fn places(&mut self, program: &Program, graph: &BlockGraph) {
        self.tell("places", || {
            vec![("places", crate::log::places(program, graph))]
        });
    }

    /// Adds to a counter.
    pub fn add(&mut self, name: &'static str, amount: u64) {
        *self.counters.entry(name).or_insert(0) += amount;
    }

    /// Notes a decision.
    pub fn note(&mut self, text: &str) {
        self.notes.push(text.to_string());
    }

    /// Takes over what another run counted.
    pub fn absorb(&mut self, other: Stats) {
        for (name, amount) in other.counters {
            self.add(name, amount);
        }
        self.precision = other.precision.or(self.precision.take());
        self.summaries = other.summaries.or(self.summaries.take());
        self.notes.extend(other.notes);
        if let (Some(log), Some(more)) = (&mut self.log, other.log) {
            log.extend(more);
        }
    }

    /// Raises a counter to a value.
    pub fn max(&mut self, name: &'static str, value: u64) {
        let entry = self.counters.entry(name).or_insert(0);
        *entry = (*entry).max(value);
    }
}

/// A glimpse of a running engine.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Who speaks.
    pub engine: &'static str,
    /// Refinements so far.
    pub refinements: u64,
    /// Nodes of the tree or graph.
    pub nodes: u64,
    /// Nodes that are covered.
    pub covered: u64,
    /// How deep the search is.
    pub depth: u64,
    /// Queries so far.
    pub solver_calls: u64,
}
