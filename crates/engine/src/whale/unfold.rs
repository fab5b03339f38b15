//! The call tree, expanded step by step: errors, and guesses from its refutations.
//!
//! Below a bound on the depth, calls are expanded as models of the tree make them; deeper ones count as
//! not made (an under-approximation). When no error is left below the bound, it is doubled: so errors at
//! great depth come within reach, and refutations are few.
//!
//! Errors are searched first, as long as the tree is small. Then the bound starts anew from 1, and the
//! tree interpolants of each refutation are summaries to try. Houdini keeps those of all functions that
//! support each other; they hold at every call, so they prune the trees that follow.

use super::presolve::proved;
use super::tree::{Frontier, Tree, Unfolding};
use crate::api::Task;
use crate::core::clauses::guesses;
use crate::limits::WhaleLimits;
use crate::log;
use crate::prepare::modular::ModularProgram;
use crate::summaries::contracts::Contracts;
use base::{Budget, IndexVec, Stop};
use logic::{Pool, TermId};
use program::{Execution, FuncId};
use smt::interpolate::{FarkasSide, Labelling, Options};

/// How unfolding ended.
pub enum Outcome {
    /// The guesses prove the goal.
    Proved,
    /// An execution of the ghost program reaches it.
    Error(Execution),
    /// Neither, in the time given.
    Open,
}

/// A call tree and how far it has come.
pub struct Unfolder<'b> {
    prepared: &'b ModularProgram,
    goal: TermId,
    tree: Tree<'b>,
    /// Calls deeper than this are not made.
    bound: usize,
    /// Which of the rounds that search errors is on; none after the last.
    round: usize,
    limits: WhaleLimits,
    /// Nothing more will come of it.
    over: bool,
}

impl<'b> Unfolder<'b> {
    /// The tree with the entry function alone; `exact` says which functions have exact summaries.
    pub fn new(
        task: &mut Task<'_>,
        prepared: &'b ModularProgram,
        goal: TermId,
        exact: IndexVec<FuncId, bool>,
    ) -> Self {
        let solvers = &task.options.solvers;
        let (bodies, entry) = (&prepared.bodies, prepared.entry);
        Unfolder {
            prepared,
            goal,
            tree: Tree::new(task.pool, bodies, entry, goal, exact, solvers),
            bound: task.options.limits.whale.error_rounds[0].bound,
            round: 0,
            limits: task.options.limits.whale.clone(),
            over: false,
        }
    }

    /// Unfolds and guesses until `slice` runs out; may be called again.
    pub fn run(
        &mut self,
        task: &mut Task<'_>,
        contracts: &mut Contracts<'_>,
        slice: &Budget,
    ) -> Result<Outcome, Stop> {
        if self.over {
            return Ok(Outcome::Open);
        }
        let before = self.tree.instances.len() as u64;
        let outcome = self.steps(task, contracts, slice);
        let graphs = self.tree.instances.len() as u64;
        task.stats.add("graphs", graphs - before);
        task.stats.max("unfolded calls", graphs);
        task.stats.max("unfolding bound", self.bound as u64);
        task.stats.max("unfolding checks", self.tree.checks);
        // The slice may be over without the budget being so.
        task.budget.check()?;
        if outcome.is_ok() {
            self.over = true;
        }
        Ok(outcome.unwrap_or(Outcome::Open))
    }

    fn steps(
        &mut self,
        task: &mut Task<'_>,
        contracts: &mut Contracts<'_>,
        slice: &Budget,
    ) -> Result<Outcome, Stop> {
        loop {
            slice.check()?;
            if self.searches_errors() && self.tree.checks > self.limits.error_checks {
                self.next_round(self.limits.error_rounds.len());
            } else if self.searches_errors()
                && self.tree.instances.len() > self.limits.error_rounds[self.round].instances
            {
                self.next_round(self.round + 1);
            }
            self.tree.assume(task.pool, &contracts.proven());
            task.stats.add("unfoldings", 1);
            match self.tree.check(task.pool, self.bound, slice)? {
                Unfolding::Error(model) => {
                    let found = self.tree.execution(task.pool, &model);
                    return Ok(found.map_or(Outcome::Open, Outcome::Error));
                }
                Unfolding::Unknown => return Ok(Outcome::Open),
                Unfolding::Perhaps(calls) => {
                    for at in calls {
                        self.expand(task.pool, at);
                    }
                }
                Unfolding::NoError(needed) if self.searches_errors() => {
                    // A refutation that needs no bound leaves nothing to search.
                    let next = match needed.is_empty() {
                        true => self.limits.error_rounds.len(),
                        false => self.round + 1,
                    };
                    self.next_round(next);
                }
                Unfolding::NoError(needed) => {
                    if self.tree.instances.len() <= self.limits.interpolated {
                        self.refine(task, contracts, &needed, slice)?;
                        contracts.houdini(task.pool, slice)?;
                        if proved(task, self.prepared, contracts, self.goal)? {
                            return Ok(Outcome::Proved);
                        }
                    }
                    if needed.is_empty() {
                        return Ok(Outcome::Open);
                    }
                    self.bound *= 2;
                }
            }
        }
    }

    fn searches_errors(&self) -> bool {
        self.round < self.limits.error_rounds.len()
    }

    /// Goes on to another round, or to guesses after the last.
    fn next_round(&mut self, round: usize) {
        self.round = round;
        self.bound = self.limits.error_rounds.get(round).map_or(1, |r| r.bound);
    }

    /// Expands a call. The loops of a function are expanded with it; a function that calls itself
    /// once is expanded as often again as it has been, or up to the bound in the first round.
    fn expand(&mut self, pool: &mut Pool, at: Frontier) {
        let child = self.tree.expand(pool, at);
        let mut started = vec![child];
        let heads = &self.prepared.loop_free.heads;
        if !heads.contains_key(&self.tree.instances[child].func) {
            for at in self.tree.open_calls(child) {
                if at.depth <= self.bound && heads.contains_key(&at.callee) {
                    started.push(self.tree.expand(pool, at));
                }
            }
        }
        for mut last in started {
            let more = match self.round {
                0 => self.bound,
                _ => self.tree.streak(last),
            };
            for _ in 0..more {
                let func = self.tree.instances[last].func;
                let mut own = self.tree.open_calls(last);
                own.retain(|f| f.callee == func && f.depth <= self.bound);
                let [next] = own[..] else { break };
                last = self.tree.expand(pool, next);
            }
        }
    }

    /// Guesses summaries from the tree interpolants of the refuted unfolding, strong and weak ones.
    fn refine(
        &mut self,
        task: &mut Task<'_>,
        contracts: &mut Contracts<'_>,
        needed: &[Frontier],
        slice: &Budget,
    ) -> Result<(), Stop> {
        task.stats.add("unfolding refutations", 1);
        task.stats.add("refinements", 1);
        for (labelling, farkas) in [
            (Labelling::McMillan, FarkasSide::Primal),
            (Labelling::InverseMcMillan, FarkasSide::Dual),
        ] {
            let options = Options {
                labelling,
                farkas,
                ..Options::default()
            };
            let pool = &mut *task.pool;
            let found = self
                .tree
                .interpolants(pool, self.bound, needed, &options, slice)?;
            let Ok(found) = found else {
                task.stats.add("interpolation failures", 1);
                continue;
            };
            let mut whole = Vec::new();
            for (instance, interpolant) in found {
                let Some(fact) = self.tree.summary(pool, instance, interpolant) else {
                    continue;
                };
                let func = self.tree.instances[instance].func;
                for clause in guesses(pool, fact) {
                    if clause != fact {
                        contracts.offer_summary(pool, func, clause);
                    }
                }
                let shown = &*pool;
                task.stats.log("summary guessed", || {
                    let name = self.prepared.flagged.program.functions[func].name.as_str();
                    vec![
                        ("function", name.into()),
                        ("summary", log::formula(shown, fact)),
                    ]
                });
                whole.push((func, fact));
            }
            // Last, so that they outlive older guesses: together they support each other.
            for (func, fact) in whole {
                contracts.offer_summary(pool, func, fact);
            }
        }
        Ok(())
    }
}
