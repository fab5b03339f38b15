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

pub mod guess;
mod tree;

use crate::api::{Engine, Progress, Task};
use crate::clauses::guesses;
use crate::fuzz::fuzz;
use crate::modular::contracts::Contracts;
use crate::modular::prepare::{ModularProgram, prepare};
use evidence::{Reason, Verdict};
use logic::{Budget, Stop, TermId};
use smt::interpolate::{FarkasSide, Labelling, Options};
use std::collections::VecDeque;
use std::time::Duration;
use tree::{Frontier, Tree, Unfolding};

/// How long the search for affine relations may take.
const AFFINE_TIME: Duration = Duration::from_secs(2);

/// The engine as the table makes it.
#[derive(Default)]
pub struct Whale;

impl Engine for Whale {
    fn run(&mut self, task: &mut Task<'_>) -> Verdict {
        if let Some(cex) = fuzz(task.pool, task.program, task.budget) {
            return Verdict::Unsafe(cex);
        }
        let prepared = prepare(task);
        let mut search = Search {
            contracts: Contracts::new(&prepared.bodies, prepared.entry)
                .using(&task.options.solvers),
            tree: Tree::new(task.pool, &prepared.bodies, prepared.entry)
                .using(&task.options.solvers),
            prepared: &prepared,
            task,
            refinements: 0,
        };
        match search.run() {
            Ok(verdict) => verdict,
            Err(stop) => Verdict::Unknown(Reason::OutOfBudget(stop)),
        }
    }
}

struct Search<'a, 't> {
    task: &'a mut Task<'t>,
    prepared: &'a ModularProgram,
    contracts: Contracts<'a>,
    tree: Tree<'a>,
    refinements: u64,
}

impl<'a, 't> Search<'a, 't> {
    fn budget(&self) -> &'t Budget {
        self.task.budget
    }

    /// Guess, unfold, refine until the guesses prove the property or the unfolding has an error.
    fn run(&mut self) -> Result<Verdict, Stop> {
        let Some(goal) = self.prepared.goal() else {
            return Ok(Verdict::Safe(
                self.prepared.proof(self.task.pool, &self.contracts.proven),
            ));
        };
        guess::from_text(self.task.pool, self.prepared, &mut self.contracts);
        if self.proved(goal)? {
            return Ok(self.safe());
        }
        let slice = self.budget().clone().with_time(AFFINE_TIME);
        // Running out of the slice only means fewer guesses.
        let _ = guess::affine(self.task.pool, self.prepared, &mut self.contracts, &slice);
        if self.proved(goal)? {
            return Ok(self.safe());
        }
        loop {
            self.budget().check()?;
            self.report_progress();
            match self.tree.check(self.task.pool, goal, self.budget())? {
                Unfolding::Error(model) => {
                    let steps = self.tree.execution(self.task.pool, &model);
                    return Ok(match steps {
                        Some(steps) => Verdict::Unsafe(self.prepared.original(steps)),
                        None => Verdict::Unknown(Reason::NoProgress {
                            what: "an error is feasible for the solver but no execution follows it"
                                .into(),
                        }),
                    });
                }
                Unfolding::Unknown(what) => {
                    return Ok(Verdict::Unknown(Reason::SolverGaveUp { what }));
                }
                Unfolding::NoError(needed) => {
                    self.refine(goal, &needed)?;
                    if self.proved(goal)? {
                        return Ok(self.safe());
                    }
                    if needed.is_empty() {
                        return Ok(Verdict::Unknown(Reason::NoProgress {
                            what: "the call tree is finite, but no summaries support each other"
                                .into(),
                        }));
                    }
                    self.grow(needed);
                }
            }
        }
    }

    fn proved(&mut self, goal: TermId) -> Result<bool, Stop> {
        let budget = self.budget();
        self.contracts.houdini(self.task.pool, budget)?;
        let safe = self.task.pool.not(goal);
        self.contracts
            .implies(self.task.pool, self.prepared.entry, safe, budget)
    }

    fn safe(&mut self) -> Verdict {
        // Keep the property itself as the entry's summary: the contract's guard comes from it.
        let mut facts = self.contracts.proven.clone();
        if let Some(goal) = self.prepared.goal() {
            facts[self.prepared.entry]
                .summaries
                .push(self.task.pool.not(goal));
        }
        Verdict::Safe(self.prepared.proof(self.task.pool, &facts))
    }

    /// Guesses summaries from the tree interpolants of the refuted unfolding, strong and weak ones.
    fn refine(&mut self, goal: TermId, needed: &[Frontier]) -> Result<(), Stop> {
        self.refinements += 1;
        let budget = self.budget();
        for (labelling, farkas) in [
            (Labelling::McMillan, FarkasSide::Primal),
            (Labelling::InverseMcMillan, FarkasSide::Dual),
        ] {
            let options = Options {
                labelling,
                farkas,
                ..Options::default()
            };
            let found = self
                .tree
                .interpolants(self.task.pool, goal, needed, &options, budget)?;
            let Ok(found) = found else {
                self.task.stats.add("interpolation failures", 1);
                continue;
            };
            let mut whole = Vec::new();
            for (instance, interpolant) in found {
                let Some(fact) = self.tree.summary(self.task.pool, instance, interpolant) else {
                    continue;
                };
                let func = self.tree.instances[instance].func;
                for clause in guesses(self.task.pool, fact) {
                    if clause != fact {
                        self.contracts.offer_summary(self.task.pool, func, clause);
                    }
                }
                whole.push((func, fact));
            }
            // Last, so that they outlive older guesses: together they support each other.
            for (func, fact) in whole {
                self.contracts.offer_summary(self.task.pool, func, fact);
            }
        }
        Ok(())
    }

    /// Expands what the refutation rested on not being made; doubles the tree where that is more.
    fn grow(&mut self, needed: Vec<Frontier>) {
        let room = self.tree.instances.len().max(2);
        let mut added = 0;
        let mut work: VecDeque<Frontier> = needed.into();
        while let Some(at) = work.pop_front() {
            let child = self.tree.expand(self.task.pool, at);
            added += 1;
            if added >= room {
                break;
            }
            for call in 0..self.tree.instances[child].children.len() {
                let made = self.tree.made(self.task.pool, child, call);
                let blocked = self.task.pool.not(made);
                work.push_back(Frontier {
                    instance: child,
                    call,
                    blocked,
                });
            }
        }
    }

    fn report_progress(&mut self) {
        let progress = Progress {
            engine: "whale",
            refinements: self.refinements,
            nodes: self.tree.instances.len() as u64,
            solver_calls: self.contracts.solver_calls,
            ..Progress::default()
        };
        (self.task.progress)(&progress);
        self.task.stats.max("graphs", progress.nodes);
        self.task.stats.max("refinements", progress.refinements);
        self.task
            .stats
            .max("contract checks", progress.solver_calls);
    }
}
