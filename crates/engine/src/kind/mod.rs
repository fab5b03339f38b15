//! k-induction with auxiliary invariants: no error within k blocks of the entry, and none at the end of any
//! k blocks from any cut point.
//!
//! *Idea*, on `x = 1; y = 0; while (*) { t = x; x = y; y = t; assert(x != y); }`: `x != y` at the end of a lap
//! does not follow from any state at the head, but from a state at the head after one lap without a
//! failed assertion. A path that goes on past an assertion has passed it, so the hypothesis "no error so far"
//! is in the path itself:
//! ```text
//!   base: no path of at most k blocks from the entry ends in an error
//!   step: no path of k blocks from any cut point, in any state with the known invariants, ends in an error
//! ```
//! An execution to an error of more than k blocks would end with the path that the step excludes.
//!
//! *Proof.* Our checker wants invariants: "no error within j blocks from here", j < k, is one
//! ([`no_error`]): it is made by quantifier elimination, offered to Houdini with the rest, and the verdict is
//! `safe` only if these exclude all errors. Where elimination gives up, k grows.
//!
//! Source: Sheeran, Singh, Stålmarck, "Checking safety properties using induction and a SAT-solver" (FMCAD
//! 2000); with invariants as Beyer, Dangl, Wendler, "Boosting k-induction with continuously-refined
//! invariants" (CAV 2015): those of all generators, and candidates from elsewhere.

mod no_error;

use crate::api::{Engine, Progress, Task};
use crate::bmc::unrolling::{ErrorLayer, Unrolling, distances};
use crate::core::cegar::{self, Cegar, Refinement};
use crate::core::exploration::Exploration;
use crate::prepare::Prepared;
use crate::presolve::{self, localization};
use base::Stop;
use evidence::{Proof, Reason, Verdict};

/// The engine as the table makes it.
#[derive(Default)]
pub struct KInduction;

impl Engine for KInduction {
    fn run(&mut self, task: &mut Task<'_>) -> Verdict {
        localization::run(task, true, search).unwrap_or_else(Verdict::Unknown)
    }
}

fn search(task: &mut Task<'_>, prepared: &Prepared) -> Verdict {
    let mut induction = Induction::new(task, prepared);
    let verdict = cegar::run(&mut induction);
    let (done, exhausted) = (induction.free_of_errors, induction.base.is_exhausted());
    match verdict {
        // No execution goes on: an unwinding is finite.
        Verdict::Unknown(Reason::NoProgress { .. }) if exhausted => {
            crate::impact::search(task, prepared)
        }
        Verdict::Unknown(Reason::OutOfBudget(stop)) if done > 0 => bounded(done, Some(stop)),
        Verdict::Unknown(Reason::NoProgress { .. }) if done > 0 => bounded(done, None),
        verdict => verdict,
    }
}

fn bounded(blocks: u64, stop: Option<Stop>) -> Verdict {
    Verdict::Unknown(Reason::NoErrorUpTo {
        blocks,
        calls: None,
        stop,
    })
}

/// The state of one run.
struct Induction<'a, 't> {
    run: Cegar<'a, 't>,
    /// From the entry.
    base: Unrolling<'a>,
    /// Layers of the base without an error.
    free_of_errors: u64,
    step_queries: u64,
}

impl<'a, 't> Refinement<'a, 't> for Induction<'a, 't> {
    fn cegar(&mut self) -> &mut Cegar<'a, 't> {
        &mut self.run
    }

    /// One k: the base one layer deeper, then the step.
    fn advance(&mut self) -> Result<Option<Exploration>, Stop> {
        let k = self.free_of_errors as usize + 1;
        if self.run.task.options.bound.is_some_and(|b| k as u64 > b) {
            return Ok(Some(Exploration::Stuck("the bound was met".into())));
        }
        if self.base.is_exhausted() {
            return Ok(Some(Exploration::Stuck("no execution goes on".into())));
        }
        if let Some(end) = self.extend_base()? {
            return Ok(Some(end));
        }
        self.free_of_errors += 1;
        self.run.refinements += 1;
        if self.step_holds(k)? && self.prove(k)? {
            return Ok(Some(Exploration::Invariant));
        }
        Ok(None)
    }

    fn proof(&mut self) -> Proof {
        unreachable!("k-induction ends with invariants")
    }

    fn progress(&mut self) -> Progress {
        let progress = Progress {
            engine: "kind",
            refinements: self.run.refinements,
            depth: self.free_of_errors,
            solver_calls: self.base.solver_calls + self.step_queries,
            ..Progress::default()
        };
        let stats = &mut *self.run.task.stats;
        stats.max("k", progress.depth);
        stats.max("unrolling queries", progress.solver_calls);
        progress
    }

    fn searches_errors(&self) -> bool {
        false
    }
}

impl<'a, 't> Induction<'a, 't> {
    fn new(task: &'a mut Task<'t>, prepared: &'a Prepared) -> Self {
        let base = Unrolling::new(task.pool, prepared, [prepared.entry()]);
        Induction {
            run: Cegar::new(task, prepared),
            base,
            free_of_errors: 0,
            step_queries: 0,
        }
    }

    fn extend_base(&mut self) -> Result<Option<Exploration>, Stop> {
        let run = &mut self.run;
        let (pool, budget) = (&mut *run.task.pool, run.task.budget);
        self.base.extend(pool, &mut run.versions, &|_| true);
        match self.base.error(pool, budget)? {
            ErrorLayer::None => {}
            ErrorLayer::Undecided => {
                return Ok(Some(Exploration::Stuck("the solver gave up".into())));
            }
            ErrorLayer::Path(path) => {
                let cex = crate::bmc::execution(run.task, run.prepared, &mut run.versions, &path)?;
                return Ok(Some(match cex {
                    Some(cex) => Exploration::Error(cex),
                    None => Exploration::Stuck("no execution follows an error path".into()),
                }));
            }
        }
        self.base.prune(pool, budget)?;
        Ok(None)
    }

    /// Does no path of k blocks from any cut point end in an error?
    fn step_holds(&mut self, k: usize) -> Result<bool, Stop> {
        let run = &mut self.run;
        let to_error = distances(run.prepared, k);
        let (pool, budget) = (&mut *run.task.pool, run.task.budget);
        let starts = to_error[k].iter().copied();
        // Sound because an execution is at the entry only at its start, which the base is about.
        let starts = starts.filter(|&l| l != run.prepared.entry());
        let mut step = Unrolling::new(pool, run.prepared, starts);
        let invariants = &run.invariants;
        let known = |loc| invariants.at(loc).to_vec();
        for layer in 0..k {
            budget.check()?;
            step.assume(pool, &mut run.versions, &known);
            let left = &to_error[k - layer - 1];
            step.extend(pool, &mut run.versions, &|loc| left.contains(&loc));
        }
        let end = step.error(pool, budget)?;
        self.step_queries += step.solver_calls;
        Ok(matches!(end, ErrorLayer::None))
    }

    /// Makes invariants of a step that holds; says whether they exclude all errors.
    fn prove(&mut self, k: usize) -> Result<bool, Stop> {
        let run = &mut self.run;
        let slice = run.task.options.limits.kind.elimination.of(run.task.budget);
        let candidates = no_error::within(run.task.pool, run.prepared, k, &slice);
        run.task.budget.check()?;
        presolve::prove(
            run.task,
            run.prepared,
            &mut run.block_solver,
            &mut run.invariants,
            candidates,
        )
    }
}
