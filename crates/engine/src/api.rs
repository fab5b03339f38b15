//! What an engine gets and gives, and the table of engines.

use crate::limits::Limits;
use crate::predabs::PredabsOptions;
use crate::trace::TraceOptions;
use base::Budget;
use evidence::Verdict;
use logic::{Pool, TermId};
use program::{BlockSize, LocId, Program};
use smt::Solvers;
use std::collections::BTreeMap;

/// A verification problem handed to an engine.
pub struct Task<'a> {
    pub pool: &'a mut Pool,
    pub program: &'a Program,
    pub options: &'a EngineOptions,
    pub budget: &'a Budget,
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
    fn run(&mut self, task: &mut Task<'_>) -> Verdict;
}

/// One row of the engine table.
pub struct EngineEntry {
    pub name: &'static str,
    pub summary: &'static str,
    pub make: fn() -> Box<dyn Engine>,
}

/// All engines, in the order in which help lists them.
pub const ENGINES: &[EngineEntry] = &[
    EngineEntry {
        name: "portfolio",
        summary: "the engines that fit the program, in turns (default)",
        make: || Box::new(crate::portfolio::Portfolio),
    },
    EngineEntry {
        name: "impact",
        summary: "lazy abstraction with interpolants on large blocks (WOLVERINE)",
        make: || Box::new(crate::impact::Impact),
    },
    EngineEntry {
        name: "split",
        summary: "splitting of program locations by path-insensitive interpolants (ULTIMATE)",
        make: || Box::new(crate::split::Split),
    },
    EngineEntry {
        name: "whale",
        summary: "function summaries guessed from tree interpolants; recursion (WHALE)",
        make: || Box::new(crate::whale::Whale::default()),
    },
    EngineEntry {
        name: "predabs",
        summary: "lazy predicate abstraction, predicates from proofs (BLAST)",
        make: || Box::new(crate::predabs::Predabs),
    },
    EngineEntry {
        name: "trace",
        summary: "modular trace refinement: each function alone, summaries on demand (IPROC)",
        make: || Box::new(crate::trace::Trace),
    },
];

/// In which order an engine explores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    DepthFirst,
    BreadthFirst,
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
    pub blocks: BlockSize,
    pub order: Order,
    /// Drop what does not matter to the property before encoding.
    pub slice: bool,
    /// Threads an engine may use where it can. The portfolio gives each of its engines one.
    pub jobs: usize,
    pub predabs: PredabsOptions,
    pub trace: TraceOptions,
    /// Who decides the engine's queries and interpolates.
    pub solvers: Solvers,
    /// Search for errors first and guess invariants beside the algorithm ([`crate::presolve`]).
    pub aids: bool,
    /// Among the aids, random runs of the program: once is enough where several engines run.
    pub random_runs: bool,
    pub ways: Ways,
    /// Facts that may hold at locations of the program, from elsewhere (a witness): tried as
    /// invariants before anything else, never trusted.
    pub candidates: Vec<(LocId, TermId)>,
    pub limits: Limits,
}

impl Default for EngineOptions {
    fn default() -> Self {
        EngineOptions {
            blocks: BlockSize::Large,
            order: Order::DepthFirst,
            slice: true,
            jobs: 1,
            predabs: PredabsOptions::default(),
            trace: TraceOptions::default(),
            solvers: Solvers::native(),
            aids: true,
            random_runs: true,
            ways: Ways::Path,
            candidates: Vec::new(),
            limits: Limits::default(),
        }
    }
}

/// Counters of a run, by name, in the order of their names.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    pub counters: BTreeMap<&'static str, u64>,
    /// The predicates an engine ended with, for a later run to start from.
    pub precision: Option<String>,
    /// The summaries that an engine ended with, for a later run.
    pub summaries: Option<String>,
    /// What was decided on the way, for people: which engine was chosen and why.
    pub notes: Vec<String>,
}

impl Stats {
    pub fn add(&mut self, name: &'static str, amount: u64) {
        *self.counters.entry(name).or_insert(0) += amount;
    }

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
    }

    pub fn max(&mut self, name: &'static str, value: u64) {
        let entry = self.counters.entry(name).or_insert(0);
        *entry = (*entry).max(value);
    }
}

/// A glimpse of a running engine.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    pub engine: &'static str,
    pub refinements: u64,
    pub nodes: u64,
    pub covered: u64,
    pub depth: u64,
    pub solver_calls: u64,
}
