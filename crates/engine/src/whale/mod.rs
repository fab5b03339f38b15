//! WHALE: inter-procedural verification with summaries guessed from under-approximations.
//!
//! Terms. An *instance* is one call of a function in a partial unfolding of the call tree (the
//! paper's ARG, with its whole body as one DAG condition); the tree of instances is the
//! *justification tree*. Calls at its *frontier* are not expanded; when they count as not made, the tree
//! is an under-approximation. A *summary* relates a function's inputs and outputs, a *guard* its inputs.
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
//! How a run goes:
//! 1. summaries of flags and modes by explicit values ([`crate::summaries::values`]), exact summaries of
//!    small functions without loops ([`exact`]), and guesses from the text ([`crate::summaries::guess`]);
//!    Functions without loops that have no exact summary are copied into their callers ([`leaves`]);
//! 2. unfolding: a call tree grows where models of it ask for that, below a bound that doubles
//!    ([`unfold`]). It shows errors; tree interpolants of its refutations are guesses, of which Houdini
//!    keeps the summaries that support each other ([`crate::summaries::contracts`]);
//! 3. queries: for growing k the under-approximation with call depth at most k. Each function
//!    has lemmas per depth (guessed summaries, from interpolants of one body at a time and
//!    generalised) and reach facts (executions that exist), see [`levels`] and [`queries`]. Reach facts at
//!    the error are expanded into an execution ([`execution`]); a depth all of whose lemmas also hold
//!    one deeper is a proof.
//!
//! Parts 2 and 3 take turns that double, as either can have the short way to the answer. With
//! `--blocks joins` bodies are single paths between the points where paths meet, instead of DAGs.
//!
//! `--method paper` runs the paper's own algorithm instead ([`iarg`]). Where the rest differs from the paper, and why:
//! - covering: the paper covers an ARG by another of the same function with a stronger triple, and
//!   Reset throws proved triples away. Here all instances of a function share their summaries (as in the
//!   paper's section 6); a summary that holds one level deeper is *covered*, one that does not stays at
//!   its depth (a *reset* of that summary alone). What is proved for good rests only on such
//!   facts, so it is never withdrawn.
//! - one body at a time: the call tree of depth k is never one formula in part 3. Its nodes are
//!   queries, answered from lemmas and reach facts that all call sites share; queries are projections
//!   along a model, as in GPDR and Spacer (Komuravelli, Gurfinkel, Chaki, CAV 2014).

mod exact;
mod execution;
mod iarg;
mod leaves;
mod lemmas;
mod levels;
mod presolve;
mod queries;
#[cfg(test)]
mod tests;
mod tree;
mod unfold;

use crate::api::{Engine, Progress, Task};
use crate::prepare::modular::{Constants, ModularProgram, prepare};
use crate::presolve::random_runs::{fuzz, fuzz_briefly};
use crate::summaries::bodies::prefixes;
use crate::summaries::contracts::{Contracts, Facts};
use crate::summaries::values;
use base::{Budget, IndexVec, Stop};
use evidence::{Reason, Verdict};
use exact::Exact;
use levels::{Levels, ReachFactId};
use logic::TermId;
use presolve::{affine, from_text, given_contracts, keep_by_values, proved};
use program::FuncId;
use queries::{Query, Reply};
use unfold::{Outcome, Unfolder};

/// The engine as the table makes it.
pub struct Whale {
    /// Look for errors by random runs first, and try guesses from the text.
    aids: bool,
    /// Summarise by explicit values first.
    values: bool,
    /// Copy functions into their callers even if they have exact summaries (for tests).
    copy: bool,
}

impl Default for Whale {
    fn default() -> Self {
        Whale {
            aids: true,
            values: true,
            copy: false,
        }
    }
}

impl Whale {
    /// The algorithm alone.
    #[cfg(test)]
    fn alone() -> Self {
        Whale {
            aids: false,
            values: false,
            copy: false,
        }
    }
}

impl Engine for Whale {
    fn run(&mut self, task: &mut Task<'_>) -> Verdict {
        if task.options.is_paper() {
            return as_in_the_paper(task);
        }
        let aids = self.aids && task.options.aids;
        if aids
            && task.options.random_runs
            && let Some(cex) = fuzz_briefly(task)
        {
            return Verdict::Unsafe(cex);
        }
        let prepared = match prepare(task, Constants::Folded) {
            Ok(prepared) => prepared,
            Err(reason) => return Verdict::Unknown(reason),
        };
        match self.check(task, &prepared, aids) {
            Ok(verdict) => verdict,
            Err(stop) => Verdict::Unknown(Reason::OutOfBudget(stop)),
        }
    }
}

impl Whale {
    fn check(
        &self,
        task: &mut Task<'_>,
        whole: &ModularProgram,
        aids: bool,
    ) -> Result<Verdict, Stop> {
        for name in ["graphs", "refinements", "covers", "resets"] {
            task.stats.add(name, 0);
        }
        let mut contracts = Contracts::new(&whole.bodies, whole.entry).using(&task.options.solvers);
        let Some(goal) = whole.goal() else {
            return Ok(Verdict::Safe(whole.proof(task.pool, &contracts.proven())));
        };
        let by_values = values_of(task, whole, self.values);
        for (f, summaries) in by_values.iter_enumerated() {
            contracts.assume_summaries(f, summaries.iter().copied());
        }
        if proved(task, whole, &mut contracts, goal)? {
            let facts = contracts.proven();
            return Ok(safe(task, whole, facts, goal));
        }
        let exact = Exact::of(task, whole);
        let unclear = |f: FuncId| self.copy || exact.summaries[f].is_none();
        if let Some(merged) = whole.merged(task.pool, unclear) {
            let by_values = values_of(task, &merged, self.values);
            let exact = Exact::of(task, &merged);
            let summaries = exact.summaries.clone();
            match prove(task, &merged, aids, &by_values, exact, goal)? {
                Proved::Verdict(verdict) => return Ok(verdict),
                Proved::Facts(mut facts) => {
                    exact::only(&mut facts, &summaries);
                    facts[whole.entry].summaries.push(task.pool.not(goal));
                    if leaves::complete(task, &merged, &mut facts)? {
                        return Ok(safe(task, whole, facts, goal));
                    }
                }
            }
        }
        Ok(match prove(task, whole, aids, &by_values, exact, goal)? {
            Proved::Verdict(verdict) => verdict,
            Proved::Facts(facts) => safe(task, whole, facts, goal),
        })
    }
}

/// The algorithm of the paper on the program as it is.
fn as_in_the_paper(task: &mut Task<'_>) -> Verdict {
    let prepared = match prepare(task, Constants::Kept) {
        Ok(prepared) => prepared,
        Err(reason) => return Verdict::Unknown(reason),
    };
    let Some(goal) = prepared.goal() else {
        let nothing = IndexVec::filled(Facts::default(), prepared.bodies.bodies.len());
        return Verdict::Safe(prepared.proof(task.pool, &nothing));
    };
    let found = iarg::run(task, &prepared, goal);
    found.unwrap_or_else(|stop| Verdict::Unknown(Reason::OutOfBudget(stop)))
}

/// Summaries by explicit values, if wanted.
fn values_of(
    task: &mut Task<'_>,
    prepared: &ModularProgram,
    wanted: bool,
) -> IndexVec<FuncId, Vec<TermId>> {
    let program = &prepared.flagged.program;
    match wanted {
        true => values::summaries(task.pool, program),
        false => IndexVec::filled(Vec::new(), program.functions.len()),
    }
}

/// What came of a run.
enum Proved {
    /// These facts support each other and exclude the goal.
    Facts(IndexVec<FuncId, Facts>),
    Verdict(Verdict),
}

fn prove(
    task: &mut Task<'_>,
    prepared: &ModularProgram,
    aids: bool,
    by_values: &IndexVec<FuncId, Vec<TermId>>,
    exact: Exact,
    goal: TermId,
) -> Result<Proved, Stop> {
    // Guards are only guessed as aids, or said by the user.
    let guards = aids || !task.program.contracts.is_empty();
    let prefixes = guards.then(|| prefixes(task.pool, &prepared.flagged.program));
    let mut contracts = Contracts::new(&prepared.bodies, prepared.entry)
        .with_prefixes(prefixes.as_ref().unwrap_or(&prepared.bodies))
        .using(&task.options.solvers);
    keep_by_values(task, &mut contracts, by_values)?;
    if given_contracts(task, prepared, &mut contracts, goal)? {
        return Ok(Proved::Facts(contracts.proven()));
    }
    if aids && from_text(task, prepared, &mut contracts, goal)? {
        return Ok(Proved::Facts(contracts.proven()));
    }
    let mut levels = exact.levels;
    for (f, summary) in exact.summaries.iter_enumerated() {
        contracts.assume_summaries(f, *summary);
    }
    let small = exact.summaries.iter().map(Option::is_some).collect();
    let mut unfolder = Unfolder::new(task, prepared, goal, small);
    let mut known = Counters::default();
    // Most answers are near, but which way is the short one differs.
    let mut turn = 0;
    let found = loop {
        let limits = &task.options.limits.whale;
        let work = limits.first_turn * (1 << turn);
        // A tree that is large already grows slowly.
        let unfolding = work / 2;
        let mut slice = task.budget.clone().with_slice(unfolding);
        if turn == 0 {
            // Easy questions may be many: what they cost must not depend on how busy the machine is.
            slice = task.budget.clone().with_slice(limits.first_unfolding);
            slice = slice.with_conflicts(limits.first_conflicts);
        }
        match unfolder.run(task, &mut contracts, &slice)? {
            Outcome::Proved => return Ok(Proved::Facts(contracts.proven())),
            Outcome::Error(execution) => {
                let verdict = Verdict::Unsafe(prepared.original(execution));
                return Ok(Proved::Verdict(verdict));
            }
            Outcome::Open => {}
        }
        levels.assume(task.pool, &contracts.proven());
        let last = turn == limits.last_unfolding;
        let slice = match last {
            true => task.budget.clone(),
            false => task.budget.clone().with_slice(work),
        };
        let found = search(task, prepared, &mut levels, &mut known, goal, slice)?;
        if last || !matches!(found, None | Some(Found::Unclear(_))) {
            break found;
        }
        if turn == 0
            && aids
            && task.options.random_runs
            && let Some(cex) = fuzz(task)
        {
            return Ok(Proved::Verdict(Verdict::Unsafe(cex)));
        }
        if turn == limits.affine_turn && aids && affine(task, prepared, &mut contracts, goal)? {
            return Ok(Proved::Facts(contracts.proven()));
        }
        turn += 1;
    };
    let level = match found {
        Some(Found::Verdict(verdict)) => return Ok(Proved::Verdict(verdict)),
        Some(Found::Inductive(level)) => level,
        Some(Found::Unclear(what)) => {
            let verdict = Verdict::Unknown(Reason::SolverGaveUp { what });
            return Ok(Proved::Verdict(verdict));
        }
        None => return Err(Stop::Time),
    };
    let found = levels.summaries(level);
    for f in found.ids() {
        let known = contracts.summaries(f);
        let new = found[f].iter().copied().filter(|t| !known.contains(t));
        let new: Vec<TermId> = new.collect();
        contracts.assume_summaries(f, new);
    }
    Ok(Proved::Facts(contracts.proven()))
}

/// Asks for the error at growing depth; `None` if `budget` ran out but the task's did not.
fn search(
    task: &mut Task<'_>,
    prepared: &ModularProgram,
    levels: &mut Levels,
    known: &mut Counters,
    goal: TermId,
    budget: Budget,
) -> Result<Option<Found>, Stop> {
    let before = *known;
    let mut search = Search {
        task,
        prepared,
        levels,
        budget,
        known: before,
    };
    let result = search.run(goal);
    *known = search.known;
    known.count(&before, task, levels);
    match result {
        Ok(found) => Ok(Some(found)),
        Err(_) => task.budget.check().map(|()| None),
    }
}

fn safe(
    task: &mut Task<'_>,
    prepared: &ModularProgram,
    mut facts: IndexVec<FuncId, Facts>,
    goal: TermId,
) -> Verdict {
    // Keep the property itself as the entry's summary: the contract's guard comes from it.
    facts[prepared.entry].summaries.push(task.pool.not(goal));
    Verdict::Safe(prepared.proof(task.pool, &facts))
}

enum Found {
    Verdict(Verdict),
    /// The solver gave up on a query.
    Unclear(String),
    /// The lemmas above this level support each other.
    Inductive(usize),
}

/// How far the queries are, and what they did. In the statistics, nodes of the call tree are graphs too and
/// the refutations of it refinements.
#[derive(Clone, Copy, Default)]
struct Counters {
    /// The call depth under consideration.
    depth: usize,
    queries: u64,
    lemmas: u64,
    /// Lemmas that also held one level up, and those that did not and stayed behind.
    covers: u64,
    resets: u64,
}

impl Counters {
    /// Adds what is new since `before` to the statistics of the run.
    fn count(&self, before: &Counters, task: &mut Task<'_>, levels: &Levels) {
        let stats = &mut task.stats;
        stats.add("graphs", self.queries - before.queries);
        stats.add("refinements", self.lemmas - before.lemmas);
        stats.add("covers", self.covers - before.covers);
        stats.add("resets", self.resets - before.resets);
        stats.max("reach facts", levels.reach_facts.len() as u64);
        stats.max("call depth", self.depth as u64);
        stats.max("solver calls", levels.solver_calls);
    }
}

struct Search<'a, 't> {
    task: &'a mut Task<'t>,
    prepared: &'a ModularProgram,
    levels: &'a mut Levels,
    budget: Budget,
    known: Counters,
}

impl Search<'_, '_> {
    /// Asks for the error at growing call depth.
    fn run(&mut self, goal: TermId) -> Result<Found, Stop> {
        loop {
            self.report_progress();
            let query = Query {
                func: self.prepared.entry,
                cube: vec![goal],
                depth: self.known.depth,
            };
            match self.answer(query)? {
                Reply::Yes(fact) => return Ok(Found::Verdict(self.counterexample(fact)?)),
                Reply::Unclear(what) => return Ok(Found::Unclear(what)),
                Reply::No => {}
            }
            if let Some(level) = self.raise()? {
                return Ok(Found::Inductive(level));
            }
            // Small steps as long as they are cheap, then geometrically.
            self.known.depth += 1 + self.known.depth / self.task.options.limits.whale.slow_growth;
        }
    }

    fn counterexample(&mut self, fact: ReachFactId) -> Result<Verdict, Stop> {
        // What is found is worth all the time there is.
        self.budget = self.task.budget.clone();
        Ok(match self.execution(fact)? {
            Some(execution) => Verdict::Unsafe(self.prepared.original(execution)),
            None => Verdict::Unknown(Reason::NoProgress {
                what: "an error is feasible for the solver but no execution follows it".into(),
            }),
        })
    }

    fn report_progress(&mut self) {
        let progress = Progress {
            engine: "whale",
            refinements: self.known.lemmas,
            nodes: self.known.queries,
            depth: self.known.depth as u64,
            solver_calls: self.levels.solver_calls,
            ..Progress::default()
        };
        (self.task.progress)(&progress);
    }
}
