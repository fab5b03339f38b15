//! Guessing between refinements: a bounded search for errors, invariants read off the program text,
//! and what refinements find at loop heads offered to Houdini now and then.
//!
//! What is inductive holds everywhere at once and turns facts of one path into invariants; if the
//! invariants exclude all errors, the proof is done. Shared by the engines that work on the inlined
//! program.

use crate::api::Task;
use crate::clauses::clauses;
use crate::hoare::Hoare;
use crate::hunt::{Hunt, hunt};
use crate::invariants::Invariants;
use crate::path::Versions;
use crate::prepare::Prepared;
use evidence::Counterexample;
use logic::{Pool, Stop, TermId};
use program::LocId;
use std::collections::BTreeMap;
use std::time::Duration;

/// How long the search for affine equalities may take.
const AFFINE_TIME: Duration = Duration::from_secs(2);

/// Bounded search for an error path.
pub fn hunt_errors(
    task: &mut Task<'_>,
    prepared: &Prepared,
    versions: &mut Versions,
    solver_calls: u64,
) -> Result<Option<Counterexample>, Stop> {
    let found = hunt(task.pool, prepared, versions, solver_calls, task.budget)?;
    task.stats.add("hunt solver calls", found.solver_calls);
    Ok(match found.result {
        Hunt::Error(cex) => Some(cex),
        Hunt::Nothing => None,
    })
}

/// The invariants proven so far and the candidates collected for the next attempt.
#[derive(Default)]
pub struct Guesses {
    pub invariants: Invariants,
    found: BTreeMap<LocId, Vec<TermId>>,
    next_refinement: u64,
}

impl Guesses {
    /// Candidates from the program text. Says whether the invariants exclude all errors.
    pub fn read_text(
        &mut self,
        task: &mut Task<'_>,
        prepared: &Prepared,
        hoare: &mut Hoare<'_>,
    ) -> Result<bool, Stop> {
        let mut candidates = crate::candidates::candidates(task.pool, prepared);
        let slice = task.budget.clone().with_time(AFFINE_TIME);
        let equalities = crate::affine::equalities(task.pool, prepared, hoare, &slice);
        task.budget.check()?;
        for (loc, facts) in equalities.unwrap_or_default() {
            candidates.entry(loc).or_default().extend(facts);
        }
        self.attempt(task, prepared, hoare, candidates)
    }

    /// Keeps a fact that a refinement found for the next attempt.
    pub fn note(&mut self, pool: &mut Pool, prepared: &Prepared, loc: LocId, fact: TermId) {
        if prepared.is_loop_head(loc) {
            let parts = clauses(pool, fact);
            self.found.entry(loc).or_default().extend(parts);
        }
    }

    /// Offers what was noted to Houdini, less often the more refinements there were. Says whether
    /// the invariants exclude all errors.
    pub fn after_refinement(
        &mut self,
        refinements: u64,
        task: &mut Task<'_>,
        prepared: &Prepared,
        hoare: &mut Hoare<'_>,
    ) -> Result<bool, Stop> {
        if refinements < self.next_refinement {
            return Ok(false);
        }
        self.next_refinement = refinements + 1 + refinements / 4;
        let found = std::mem::take(&mut self.found);
        self.attempt(task, prepared, hoare, found)
    }

    fn attempt(
        &mut self,
        task: &mut Task<'_>,
        prepared: &Prepared,
        hoare: &mut Hoare<'_>,
        candidates: BTreeMap<LocId, Vec<TermId>>,
    ) -> Result<bool, Stop> {
        let budget = task.budget;
        self.invariants
            .extend(task.pool, prepared, hoare, candidates, budget)?;
        task.stats
            .max("inductive invariants", self.invariants.len() as u64);
        self.invariants
            .exclude_errors(task.pool, prepared, hoare, budget)
    }
}
