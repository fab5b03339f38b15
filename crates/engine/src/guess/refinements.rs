//! Candidates between refinements: what refinements find at loop heads, offered to Houdini now and
//! then ([`crate::presolve`]). What is inductive holds everywhere at once and turns facts of one path
//! into invariants.

use crate::api::Task;
use crate::core::block_solver::Hoare;
use crate::core::clauses::clauses;
use crate::core::houdini::Invariants;
use crate::prepare::Prepared;
use crate::presolve::offer;
use base::Stop;
use logic::{Pool, TermId};
use program::LocId;
use std::collections::BTreeMap;

/// The invariants proven so far and the candidates collected for the next attempt.
#[derive(Default)]
pub struct Guesses {
    pub invariants: Invariants,
    found: BTreeMap<LocId, Vec<TermId>>,
    next_refinement: u64,
}

impl Guesses {
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
        offer(task, prepared, hoare, &mut self.invariants, found)
    }
}
