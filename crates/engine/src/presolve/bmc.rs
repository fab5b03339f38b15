//! Bounded model checking: depth-first along feasible blocks on one incremental solver.
//!
//! Most bugs are shallow, and with large blocks one path stands for all branches between cut points,
//! so a few hundred checks find most of them before any refinement. Depth grows step by step
//! (iterative deepening), so short error paths come first. Finding nothing proves nothing.

use crate::api::Task;
use crate::core::path::{Ssa, Versions, concrete_steps, transition};
use crate::prepare::Prepared;
use base::{Budget, Stop};
use evidence::Counterexample;
use logic::Pool;
use program::{BlockId, LocId};
use smt::{Answer, SmtSolver, Unknown};

/// What the search found.
pub enum Found {
    Error(Counterexample),
    Nothing,
}

pub struct Searched {
    pub result: Found,
    pub solver_calls: u64,
}

/// One location on the current path, with the blocks still to try from it.
struct Visit {
    loc: LocId,
    ssa: Ssa,
    next: usize,
}

/// Searches for an error within `limit` solver calls and a slice of the work.
pub fn bmc(
    task: &mut Task<'_>,
    prepared: &Prepared,
    versions: &mut Versions,
    limit: u64,
) -> Result<Searched, Stop> {
    let limits = &task.options.limits.presolve;
    let (pool, budget) = (&mut *task.pool, task.budget);
    let slice = limits.bmc_work.of(budget);
    let mut search = Bmc {
        pool,
        prepared,
        versions,
        budget: &slice,
        limit,
        solver_calls: 0,
    };
    let mut depth = limits.bmc_depth;
    loop {
        let level = match search.search_to(depth) {
            Ok(level) => level,
            // The slice is over; whether the run is, the caller's budget says.
            Err(_) => break,
        };
        match level {
            Level::Found(cex) => {
                return Ok(Searched {
                    result: Found::Error(cex),
                    solver_calls: search.solver_calls,
                });
            }
            Level::Exhausted | Level::OutOfCalls => break,
            Level::Deeper => depth *= 2,
        }
    }
    budget.check()?;
    Ok(Searched {
        result: Found::Nothing,
        solver_calls: search.solver_calls,
    })
}

enum Level {
    Found(Counterexample),
    /// Every feasible path ended before the bound.
    Exhausted,
    /// Some path was cut off by the bound.
    Deeper,
    OutOfCalls,
}

struct Bmc<'a> {
    pool: &'a mut Pool,
    prepared: &'a Prepared,
    versions: &'a mut Versions,
    budget: &'a Budget,
    limit: u64,
    solver_calls: u64,
}

impl Bmc<'_> {
    fn search_to(&mut self, depth: usize) -> Result<Level, Stop> {
        let mut solver = self.prepared.solvers.solver();
        let mut path: Vec<BlockId> = Vec::new();
        let mut stack = vec![Visit {
            loc: self.prepared.entry(),
            ssa: Ssa::default(),
            next: 0,
        }];
        let mut cut_off = false;
        while let Some(visit) = stack.last_mut() {
            let out = self.ordered(visit.loc);
            let Some(&block) = out.get(visit.next) else {
                stack.pop();
                if path.pop().is_some() {
                    solver.pop();
                }
                continue;
            };
            visit.next += 1;
            if self.solver_calls >= self.limit {
                return Ok(Level::OutOfCalls);
            }
            let mut ssa = visit.ssa.clone();
            let t = transition(&self.prepared.graph, block);
            let formula = ssa.step(self.pool, &self.prepared.program, self.versions, block, t);
            solver.push();
            solver.assert(self.pool, formula);
            self.solver_calls += 1;
            let answer = solver.check(self.pool, &[], self.budget);
            if let Answer::Unknown(Unknown::Budget(stop)) = answer {
                return Err(stop);
            }
            path.push(block);
            if answer == Answer::Sat
                && self.prepared.is_error_block(block)
                && let Some(cex) = self.counterexample(&mut *solver, &path)
            {
                return Ok(Level::Found(cex));
            }
            let deeper = answer == Answer::Sat && !self.prepared.is_error_block(block);
            if deeper && stack.len() < depth {
                stack.push(Visit {
                    loc: self.prepared.graph.blocks[block].to,
                    ssa,
                    next: 0,
                });
            } else {
                cut_off |= deeper;
                path.pop();
                solver.pop();
            }
        }
        Ok(if cut_off {
            Level::Deeper
        } else {
            Level::Exhausted
        })
    }

    /// Error blocks first.
    fn ordered(&self, loc: LocId) -> Vec<BlockId> {
        let mut out = self.prepared.graph.out[loc].clone();
        out.sort_by_key(|&b| !self.prepared.is_error_block(b));
        out
    }

    fn counterexample(
        &mut self,
        solver: &mut dyn SmtSolver,
        path: &[BlockId],
    ) -> Option<Counterexample> {
        let model = solver.model(self.pool);
        let steps = concrete_steps(
            self.pool,
            &self.prepared.program,
            &self.prepared.graph,
            self.versions,
            path,
            &model,
        )?;
        Some(self.prepared.original(steps))
    }
}
