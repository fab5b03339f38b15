//! Phases: facts that hold only while a branch inside a loop goes one way.
//!
//! Idea, on `x = 0; while (x < 100) { if (x < 50) x++; else x += 2; }`: that `x` is even is no
//! invariant, but `x >= 50 => x mod 2 = 0` is one. Likewise `if (x < 50) y++; else y--;` has an affine
//! relation between `x` and `y` in each of its phases and none in all. So the conditions of branches that
//! speak of what the loop changes split the states at its head into cases; candidates and affine
//! equalities are then sought in each case by itself.
//! Source: the idea of phase splitting, Sharma, Dillig, Dillig, Aiken, "Simplifying Loop Invariant
//! Generation Using Splitter Predicates" (CAV 2011); here without changing the program.
//!
//! The results are guesses for Houdini like any other.

use crate::core::block_solver::Hoare;
use crate::core::houdini::Invariants;
use crate::guess::affine::{self, Cases, Region};
use crate::guess::program_text;
use crate::prepare::Prepared;
use base::{Budget, Stop};
use logic::{Pool, TermId};
use program::LocId;
use std::collections::BTreeMap;

/// Conditions of a loop head that are tried, and facts that are tried in each case.
const MOST_CONDITIONS: usize = 3;
const MOST_FACTS: usize = 40;
/// Programs with more loop heads are left alone.
const MOST_HEADS: usize = 12;

/// The phases of a program's loops.
pub struct Phases {
    /// For each loop head, the conditions that tell its phases apart.
    conditions: BTreeMap<LocId, Vec<TermId>>,
}

impl Phases {
    pub fn of(pool: &mut Pool, prepared: &Prepared, invariants: &Invariants) -> Self {
        let mut conditions = BTreeMap::new();
        let heads = &prepared.graph.loop_heads;
        for &head in heads.iter().filter(|_| heads.len() <= MOST_HEADS) {
            let (program, graph) = (&prepared.program, &prepared.graph);
            let mut list = program_text::branch_conditions(pool, program, graph, head);
            // A condition that always holds at the head has one phase.
            list.retain(|c| !invariants.at(head).contains(c));
            list.truncate(MOST_CONDITIONS);
            if !list.is_empty() {
                conditions.insert(head, list);
            }
        }
        Phases { conditions }
    }

    /// Guesses from the text, in each phase by itself. `residues` are worth trying first.
    pub fn candidates(
        &self,
        pool: &mut Pool,
        prepared: &Prepared,
        invariants: &Invariants,
        residues: &[TermId],
    ) -> BTreeMap<LocId, Vec<TermId>> {
        let mut out = BTreeMap::new();
        for (&head, list) in &self.conditions {
            let mut facts = residues.to_vec();
            let (program, graph) = (&prepared.program, &prepared.graph);
            facts.extend(program_text::at_head(pool, program, graph, head));
            facts.retain(|f| !invariants.at(head).contains(f));
            facts.truncate(MOST_FACTS);
            let mut found = Vec::new();
            for &condition in list {
                let negated = pool.not(condition);
                for &fact in &facts {
                    // `condition => fact`, `not condition => fact`
                    found.push(pool.or2(negated, fact));
                    found.push(pool.or2(condition, fact));
                }
            }
            out.insert(head, found);
        }
        out
    }

    /// Affine equalities in each phase by itself, given what is known.
    pub fn equalities(
        &self,
        pool: &mut Pool,
        prepared: &Prepared,
        hoare: &mut Hoare<'_>,
        invariants: &Invariants,
        budget: &Budget,
    ) -> Result<BTreeMap<LocId, Vec<TermId>>, Stop> {
        let mut out: BTreeMap<LocId, Vec<TermId>> = BTreeMap::new();
        for round in 0..MOST_CONDITIONS {
            let mut cases = Cases::new();
            for (&head, list) in &self.conditions {
                if let Some(&condition) = list.get(round) {
                    cases.insert(head, vec![condition, pool.not(condition)]);
                }
            }
            if cases.is_empty() {
                break;
            }
            let region = Region::whole(prepared, invariants);
            let found = affine::equalities_by_case(pool, &region, &cases, hoare, budget);
            for (head, facts) in found? {
                out.entry(head).or_default().extend(facts);
            }
        }
        Ok(out)
    }
}
