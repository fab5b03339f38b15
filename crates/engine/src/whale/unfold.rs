//! Guesses from unfoldings: the call tree is expanded step by step, calls at its frontier count as not
//! made (an under-approximation), and the tree interpolants of its refutation are summaries to try.
//!
//! The frontier grows geometrically where the refutation needs it, so that errors at great depth
//! come within reach; Houdini keeps those summaries of all functions that support each other.

use super::proved;
use super::tree::{Frontier, Tree, Unfolding};
use crate::api::Task;
use crate::clauses::guesses;
use crate::modular::contracts::Contracts;
use crate::modular::prepare::ModularProgram;
use evidence::Step;
use logic::{Budget, Stop, TermId};
use smt::interpolate::{FarkasSide, Labelling, Options};
use std::collections::VecDeque;

/// How unfolding ended.
pub enum Outcome {
    /// The guesses prove the goal.
    Proved,
    /// An execution reaches it, as steps of the ghost program.
    Error(Vec<Step>),
    /// Neither, in the time given.
    Open,
}

/// Unfolds and guesses until `slice` runs out.
pub fn unfold(
    task: &mut Task<'_>,
    prepared: &ModularProgram,
    contracts: &mut Contracts<'_>,
    goal: TermId,
    slice: &Budget,
) -> Result<Outcome, Stop> {
    let tree = Tree::new(task.pool, &prepared.bodies, prepared.entry).using(&task.options.solvers);
    let mut unfolder = Unfolder {
        task,
        prepared,
        contracts,
        tree,
    };
    let outcome = unfolder.run(goal, slice);
    let graphs = unfolder.tree.instances.len() as u64;
    task.stats.add("unfolded calls", graphs);
    // The slice may be over without the budget being so.
    task.budget.check()?;
    Ok(outcome.unwrap_or(Outcome::Open))
}

struct Unfolder<'a, 'b, 't, 'c> {
    task: &'a mut Task<'t>,
    prepared: &'b ModularProgram,
    contracts: &'a mut Contracts<'c>,
    tree: Tree<'b>,
}

impl Unfolder<'_, '_, '_, '_> {
    fn run(&mut self, goal: TermId, slice: &Budget) -> Result<Outcome, Stop> {
        loop {
            slice.check()?;
            match self.tree.check(self.task.pool, goal, slice)? {
                Unfolding::Error(model) => {
                    let steps = self.tree.execution(self.task.pool, &model);
                    return Ok(steps.map_or(Outcome::Open, Outcome::Error));
                }
                Unfolding::Unknown => return Ok(Outcome::Open),
                Unfolding::NoError(needed) => {
                    self.refine(goal, &needed, slice)?;
                    self.contracts.houdini(self.task.pool, slice)?;
                    if proved(self.task, self.prepared, self.contracts, goal)? {
                        return Ok(Outcome::Proved);
                    }
                    if needed.is_empty() {
                        return Ok(Outcome::Open);
                    }
                    self.grow(needed);
                }
            }
        }
    }

    /// Guesses summaries from the tree interpolants of the refuted unfolding, strong and weak ones.
    fn refine(&mut self, goal: TermId, needed: &[Frontier], slice: &Budget) -> Result<(), Stop> {
        self.task.stats.add("unfoldings", 1);
        for (labelling, farkas) in [
            (Labelling::McMillan, FarkasSide::Primal),
            (Labelling::InverseMcMillan, FarkasSide::Dual),
        ] {
            let options = Options {
                labelling,
                farkas,
                ..Options::default()
            };
            let pool = &mut *self.task.pool;
            let found = self
                .tree
                .interpolants(pool, goal, needed, &options, slice)?;
            let Ok(found) = found else {
                self.task.stats.add("interpolation failures", 1);
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
                        self.contracts.offer_summary(pool, func, clause);
                    }
                }
                whole.push((func, fact));
            }
            // Last, so that they outlive older guesses: together they support each other.
            for (func, fact) in whole {
                self.contracts.offer_summary(pool, func, fact);
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
}
