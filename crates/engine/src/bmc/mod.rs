//! Bounded model checking: all executions of up to k blocks, k growing until an error is found, nothing is
//! left, or the budget ends.
//!
//! *Idea*, on `x = 0; while (x < n) x++; if (x == 7) error;`: layer k of the unrolling
//! ([`unrolling`]) is the loop head after k laps; layer 8 has the error. Values come first: random runs of
//! the interpreter find most shallow errors without a solver.
//!
//! *Recursion.* Calls are inlined to a depth that doubles; deeper calls end the execution. What is not found
//! is not there up to that depth.
//!
//! *Answers.* An error is an error. If no execution goes on, the unrolling was complete; the proof is then
//! [`crate::impact`]'s, which unwinds no more than that. Else "no error up to k" is the answer
//! ([`Reason::NoErrorUpTo`]), which proves nothing but is worth knowing.
//!
//! Invariant: the bound that is reported was decided: every layer up to it had no error, by the solver.

pub(crate) mod unrolling;

use crate::api::{Engine, Progress, Task};
use crate::core::exploration::Exploration;
use crate::core::path::{Versions, path_formulas, vars_by_term};
use crate::prepare::{Base, Prepared};
use crate::presolve::random_runs::fuzz;
use base::Stop;
use evidence::{Counterexample, Reason, Verdict};
use program::BlockId;
use program::passes::inline::{self, Refusal};
use smt::Answer;
use unrolling::{ErrorLayer, Unrolling};

/// The engine as the table makes it.
#[derive(Default)]
pub struct Bmc;

/// How the search of one prepared program ended.
enum Searched {
    Error(Counterexample),
    /// Every execution ended before the bound.
    Exhausted,
    /// No error up to some layer: the bound was met, or the solver was undecided.
    Bounded,
}

/// How far the search has come.
#[derive(Clone, Copy, Default)]
struct Bound {
    blocks: u64,
    /// How deep calls of one function are nested, if the program is recursive.
    calls: Option<u64>,
}

impl Engine for Bmc {
    fn run(&mut self, task: &mut Task<'_>) -> Verdict {
        if task.options.aids
            && task.options.random_runs
            && let Some(cex) = fuzz(task)
        {
            return Verdict::Unsafe(cex);
        }
        let mut bound = Bound::default();
        let end = match inline::size(task.program) {
            Err(Refusal::Recursion(_)) => recursive(task, &mut bound),
            _ => plain(task, &mut bound),
        };
        match end {
            Ok(verdict) => verdict,
            Err(stop) if bound.blocks == 0 => Verdict::Unknown(Reason::OutOfBudget(stop)),
            Err(stop) => no_error_up_to(bound, Some(stop)),
        }
    }
}

fn no_error_up_to(bound: Bound, stop: Option<Stop>) -> Verdict {
    Verdict::Unknown(Reason::NoErrorUpTo {
        blocks: bound.blocks,
        calls: bound.calls,
        stop,
    })
}

/// A program without recursion: one unrolling.
fn plain(task: &mut Task<'_>, bound: &mut Bound) -> Result<Verdict, Stop> {
    let prepared = match Base::of(task).and_then(|base| base.prepared(task, true)) {
        Ok(prepared) => prepared,
        Err(reason) => return Ok(Verdict::Unknown(reason)),
    };
    let most = task.options.bound.unwrap_or(u64::MAX);
    Ok(match search(task, &prepared, most, &mut bound.blocks)? {
        Searched::Error(cex) => Verdict::Unsafe(cex),
        Searched::Exhausted => crate::impact::search(task, &prepared),
        Searched::Bounded => no_error_up_to(*bound, None),
    })
}

/// A recursive program: calls inlined deeper and deeper, each unrolled further than the one before.
fn recursive(task: &mut Task<'_>, bound: &mut Bound) -> Result<Verdict, Stop> {
    let limits = task.options.limits.bmc.clone();
    let (mut calls, mut most) = (limits.first_calls, limits.first_blocks);
    loop {
        task.budget.check()?;
        let base = Base::to_depth(task, calls);
        let prepared = match base.and_then(|base| base.prepared(task, true)) {
            Ok(prepared) => prepared,
            Err(_) if bound.calls.is_some() => return Ok(no_error_up_to(*bound, None)),
            Err(reason) => return Ok(Verdict::Unknown(reason)),
        };
        let asked = task.options.bound.unwrap_or(u64::MAX);
        let mut blocks = 0;
        let found = search(task, &prepared, most.min(asked), &mut blocks)?;
        if let Searched::Error(cex) = found {
            return Ok(Verdict::Unsafe(cex));
        }
        *bound = Bound {
            blocks,
            calls: Some(calls),
        };
        if calls >= asked {
            return Ok(no_error_up_to(*bound, None));
        }
        (calls, most) = (calls * 2, most * 2);
    }
}

/// Unrolls up to `most` blocks; `done` is how many layers were found free of errors.
fn search(
    task: &mut Task<'_>,
    prepared: &Prepared,
    most: u64,
    done: &mut u64,
) -> Result<Searched, Stop> {
    let mut versions = Versions::default();
    let mut unrolling = Unrolling::new(task.pool, prepared, [prepared.entry()]);
    while !unrolling.is_exhausted() {
        if unrolling.depth() as u64 >= most {
            return Ok(Searched::Bounded);
        }
        task.budget.check()?;
        unrolling.extend(task.pool, &mut versions, &|_| true);
        match unrolling.error(task.pool, task.budget)? {
            ErrorLayer::None => {}
            ErrorLayer::Undecided => return Ok(Searched::Bounded),
            ErrorLayer::Path(path) => {
                return Ok(match execution(task, prepared, &mut versions, &path)? {
                    Some(cex) => Searched::Error(cex),
                    None => Searched::Bounded,
                });
            }
        }
        unrolling.prune(task.pool, task.budget)?;
        *done = unrolling.depth() as u64;
        task.stats.max("layers without an error", *done);
        task.stats.max("unrolling queries", unrolling.solver_calls);
        (task.progress)(&Progress {
            engine: "bmc",
            depth: *done,
            solver_calls: unrolling.solver_calls,
            ..Progress::default()
        });
    }
    Ok(Searched::Exhausted)
}

/// The execution that follows a path the solver found feasible; `None` if none does.
pub(crate) fn execution(
    task: &mut Task<'_>,
    prepared: &Prepared,
    versions: &mut Versions,
    path: &[BlockId],
) -> Result<Option<Counterexample>, Stop> {
    let var_of = vars_by_term(&prepared.program);
    let (program, graph) = (&prepared.program, &prepared.graph);
    let (parts, _) = path_formulas(task.pool, program, graph, versions, &var_of, path, &[]);
    let mut solver = prepared.solvers.solver();
    for part in parts {
        solver.assert(task.pool, part);
    }
    if solver.check(task.pool, &[], task.budget) != Answer::Sat {
        task.budget.check()?;
        return Ok(None);
    }
    let model = solver.model(task.pool);
    let end = Exploration::at_model(task.pool, prepared, versions, path, &model);
    Ok(match end {
        Exploration::Error(cex) => Some(cex),
        _ => None,
    })
}
