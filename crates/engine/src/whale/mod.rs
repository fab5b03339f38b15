//! WHALE: inter-procedural verification with summaries guessed from under-approximations.
//!
//! Terms. An *instance* is one call of a function in a partial unfolding of the call tree (the
//! paper's ARG, with its whole body as one DAG condition); the tree of instances is the
//! *justification tree*. Calls at its *frontier* are not expanded and count as not made: an
//! under-approximation. A *summary* relates a function's inputs and outputs, a *guard* its inputs.
//!
//! Idea, on McCarthy's 91 function with the property r >= 91:
//! ```text
//!   expand main -> mc(p): the inner calls are at the frontier. No error: the tree interpolant of
//!   the instance of mc is a guess for its summary, say r >= 91. Is it inductive over mc's body,
//!   with r >= 91 for both inner calls? Yes: done. Otherwise expand further and guess again.
//! ```
//! Source: Albarghouthi, Gurfinkel, Chechik, "Whale" (VMCAI 2012). IDAGCOND is [`tree`], STITP is
//! tree interpolation of that tree, loops are tail-recursive functions.
//!
//! Where we differ, and why:
//! - covering: the paper covers an ARG by another of the same function with a stronger triple, and
//!   Reset throws proved triples away. Here all guesses for one function (all instances merged, as
//!   in the paper's section 6) go into one pool, and Houdini keeps the largest set of triples that
//!   supports itself ([`crate::modular::contracts`]). A kept triple rests only on kept triples, so
//!   nothing proved is ever withdrawn, and every guess is tried again when new ones come.
//! - the frontier grows geometrically, where the refutation needs it (unsat core);
//! - affine relations between inputs and outputs are tried before any interpolant.

mod execution;
mod frames;
pub mod guess;
mod lemmas;
mod queries;
#[cfg(test)]
mod tests;
mod tree;
mod unfold;

use crate::api::{Engine, Progress, Task};
use crate::fuzz::fuzz;
use crate::modular::bodies::prefixes;
use crate::modular::contracts::Contracts;
use crate::modular::prepare::{ModularProgram, prepare};
use evidence::{Reason, Verdict};
use frames::{FactId, Frames};
use logic::{Stop, TermId};
use queries::{Query, Reply};
use std::time::Duration;
use unfold::Outcome;

/// How long the search for affine relations may take.
const AFFINE_TIME: Duration = Duration::from_secs(1);
/// How long first guesses may be tried.
const GUESS_TIME: Duration = Duration::from_secs(1);
/// How long call trees may be unfolded before the queries: the time left over this, at most that.
const UNFOLDING_SHARE: f64 = 6.0;
const UNFOLDING_TIME: Duration = Duration::from_secs(10);

/// The engine as the table makes it.
pub struct Whale {
    /// Look for errors by random runs first, and try guesses from the text.
    aids: bool,
}

impl Default for Whale {
    fn default() -> Self {
        Whale { aids: true }
    }
}

impl Whale {
    /// The algorithm alone.
    #[cfg(test)]
    fn alone() -> Self {
        Whale { aids: false }
    }
}

impl Engine for Whale {
    fn run(&mut self, task: &mut Task<'_>) -> Verdict {
        if self.aids
            && let Some(cex) = fuzz(task.pool, task.program, task.budget)
        {
            return Verdict::Unsafe(cex);
        }
        let prepared = prepare(task);
        match run(task, &prepared, self.aids) {
            Ok(verdict) => verdict,
            Err(stop) => Verdict::Unknown(Reason::OutOfBudget(stop)),
        }
    }
}

fn run(task: &mut Task<'_>, prepared: &ModularProgram, aids: bool) -> Result<Verdict, Stop> {
    let prefixes = prefixes(task.pool, &prepared.flagged.program);
    let mut contracts = Contracts::new(&prepared.bodies, prepared.entry)
        .with_prefixes(&prefixes)
        .using(&task.options.solvers);
    let Some(goal) = prepared.goal() else {
        return Ok(Verdict::Safe(prepared.proof(task.pool, &contracts.proven)));
    };
    if aids && guessed(task, prepared, &mut contracts, goal)? {
        return Ok(safe(task, prepared, &contracts, goal));
    }
    let slice = match task.budget.remaining() {
        Some(left) => left.div_f64(UNFOLDING_SHARE).min(UNFOLDING_TIME),
        None => UNFOLDING_TIME,
    };
    let slice = task.budget.clone().with_time(slice);
    match unfold::unfold(task, prepared, &mut contracts, goal, &slice)? {
        Outcome::Proved => return Ok(safe(task, prepared, &contracts, goal)),
        Outcome::Error(steps) => return Ok(Verdict::Unsafe(prepared.original(steps))),
        Outcome::Open => {}
    }
    let frames = Frames::new(
        task.pool,
        prepared,
        &contracts.proven,
        &task.options.solvers,
    );
    let mut search = Search {
        task,
        prepared,
        frames,
        depth: 0,
        queries: 0,
        lemmas: 0,
    };
    let result = search.run(goal);
    search.report_progress();
    let found = match result? {
        Found::Verdict(verdict) => return Ok(verdict),
        Found::Inductive(level) => search.frames.summaries(level),
    };
    for f in found.ids() {
        let facts = &mut contracts.proven[f].summaries;
        for &t in &found[f] {
            if !facts.contains(&t) {
                facts.push(t);
            }
        }
    }
    Ok(safe(task, prepared, &contracts, goal))
}

/// Tries guesses; says if they prove the goal.
fn guessed(
    task: &mut Task<'_>,
    prepared: &ModularProgram,
    contracts: &mut Contracts<'_>,
    goal: TermId,
) -> Result<bool, Stop> {
    guess::from_text(task.pool, prepared, contracts);
    // Running out of a slice only means fewer guesses.
    let slice = task.budget.clone().with_time(GUESS_TIME);
    let _ = contracts.houdini(task.pool, &slice);
    task.budget.check()?;
    if proved(task, prepared, contracts, goal)? {
        return Ok(true);
    }
    let slice = task.budget.clone().with_time(AFFINE_TIME);
    let _ = guess::affine(task.pool, prepared, contracts, &slice);
    let slice = task.budget.clone().with_time(GUESS_TIME);
    let _ = contracts.houdini(task.pool, &slice);
    task.budget.check()?;
    if proved(task, prepared, contracts, goal)? {
        return Ok(true);
    }
    let slice = task.budget.clone().with_time(AFFINE_TIME);
    let _ = guess::affine_guards(task.pool, prepared, contracts, &slice);
    let _ = contracts.houdini(task.pool, &slice);
    task.budget.check()?;
    proved(task, prepared, contracts, goal)
}

fn proved(
    task: &mut Task<'_>,
    prepared: &ModularProgram,
    contracts: &mut Contracts<'_>,
    goal: TermId,
) -> Result<bool, Stop> {
    let safe = task.pool.not(goal);
    contracts.implies(task.pool, prepared.entry, safe, task.budget)
}

fn safe(
    task: &mut Task<'_>,
    prepared: &ModularProgram,
    contracts: &Contracts<'_>,
    goal: TermId,
) -> Verdict {
    // Keep the property itself as the entry's summary: the contract's guard comes from it.
    let mut facts = contracts.proven.clone();
    facts[prepared.entry].summaries.push(task.pool.not(goal));
    Verdict::Safe(prepared.proof(task.pool, &facts))
}

enum Found {
    Verdict(Verdict),
    /// The lemmas above this level support each other.
    Inductive(usize),
}

struct Search<'a, 't> {
    task: &'a mut Task<'t>,
    prepared: &'a ModularProgram,
    frames: Frames,
    /// The call depth under consideration.
    depth: usize,
    queries: u64,
    lemmas: u64,
}

impl Search<'_, '_> {
    /// Asks for the error at growing call depth.
    fn run(&mut self, goal: TermId) -> Result<Found, Stop> {
        loop {
            self.report_progress();
            let query = Query {
                func: self.prepared.entry,
                cube: vec![goal],
                depth: self.depth,
            };
            match self.answer(query)? {
                Reply::Yes(fact) => return Ok(Found::Verdict(self.counterexample(fact)?)),
                Reply::Unclear(what) => {
                    let reason = Reason::SolverGaveUp { what };
                    return Ok(Found::Verdict(Verdict::Unknown(reason)));
                }
                Reply::No => {}
            }
            if let Some(level) = self.raise()? {
                return Ok(Found::Inductive(level));
            }
            self.depth += 1;
        }
    }

    fn counterexample(&mut self, fact: FactId) -> Result<Verdict, Stop> {
        Ok(match self.execution(fact)? {
            Some(steps) => Verdict::Unsafe(self.prepared.original(steps)),
            None => Verdict::Unknown(Reason::NoProgress {
                what: "an error is feasible for the solver but no execution follows it".into(),
            }),
        })
    }

    fn report_progress(&mut self) {
        let progress = Progress {
            engine: "whale",
            refinements: self.lemmas,
            nodes: self.queries,
            depth: self.depth as u64,
            solver_calls: self.frames.solver_calls,
            ..Progress::default()
        };
        (self.task.progress)(&progress);
        let facts = self.frames.facts.len() as u64;
        let stats = &mut self.task.stats;
        stats.max("queries", progress.nodes);
        stats.max("lemmas", progress.refinements);
        stats.max("call depth", progress.depth);
        stats.max("facts reached", facts);
        stats.max("solver calls", progress.solver_calls);
    }
}
