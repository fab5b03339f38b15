//! Phases: facts that hold only while a branch inside a loop goes one way.
//!
//! Idea, on `x = 0; while (x < 100) { if (x < 50) x++; else x += 2; }`: that `x` is even is no
//! invariant, but `x >= 50 => x mod 2 = 0` is one. Likewise `if (x < 50) y++; else y--;` has an affine
//! relation between `x` and `y` in each of its phases and none in all. So the conditions of branches that
//! speak of what the loop changes split the states at its head into cases; candidates and affine
//! equalities are then sought in each case by itself. That a variable still has the value it came with is such a condition
//! too: `limit = 100; while (*) { if (x < limit) x++; else limit = x + 5; }` has `limit - x <= 5` from the second phase on.
//! Source: the idea of phase splitting, Sharma, Dillig, Dillig, Aiken, "Simplifying Loop Invariant
//! Generation Using Splitter Predicates" (CAV 2011); here without changing the program.
//!
//! The results are guesses for Houdini like any other.

use crate::guess::affine::{self, Cases, Region};
use crate::guess::generator::{Candidates, Generator, Scene, Stage};
use crate::guess::program_text::{at_head, branch_conditions, starts};
use crate::guess::statement_facts::residues;
use crate::limits::{GuessLimits, Slice};
use base::Stop;
use logic::{Op, TermId};

/// What tells the phases of a loop apart.
#[derive(Clone, Copy)]
pub enum Phases {
    /// The conditions of its branches.
    Branches,
    /// Whether a variable still has the value it came with.
    Starts,
}

/// Guesses from the text, in each phase by itself.
pub struct PhaseFacts(pub Phases);

impl Generator for PhaseFacts {
    fn name(&self) -> &'static str {
        match self.0 {
            Phases::Branches => "candidates: phases",
            Phases::Starts => "candidates: start values",
        }
    }

    fn stage(&self) -> Stage {
        match self.0 {
            Phases::Branches => Stage::Phases,
            Phases::Starts => Stage::Starts,
        }
    }

    fn most_heads(&self, limits: &GuessLimits) -> usize {
        limits.phase_heads
    }

    fn candidates(&self, scene: &mut Scene<'_, '_>) -> Result<Candidates, Stop> {
        let residues = residues(scene.pool, scene.region, scene.limits);
        let Region { program, graph, .. } = *scene.region;
        let mut out = Candidates::new();
        for (head, list) in self.0.conditions(scene) {
            let mut facts = residues.clone();
            facts.extend(at_head(scene.pool, program, graph, head, scene.limits));
            let proven = (scene.proven)(head);
            facts.retain(|f| !proven.contains(f));
            facts.truncate(scene.limits.phase_facts);
            let mut found = Vec::new();
            for condition in list {
                let negated = scene.pool.not(condition);
                for &fact in &facts {
                    // `condition => fact`, `not condition => fact`
                    found.push(scene.pool.or2(negated, fact));
                    found.push(scene.pool.or2(condition, fact));
                }
            }
            out.insert(head, found);
        }
        Ok(out)
    }
}

/// When the equalities of phases are asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Time {
    /// Before facts of phases are tried, which are many: relations are often enough.
    First,
    /// With what was proved of the phases: `y = n - x` holds while `x` is even, where `y` wraps around below zero.
    Again,
}

/// Affine equalities in each phase by itself, given what is known.
pub struct PhaseEqualities(pub Time);

impl Generator for PhaseEqualities {
    fn name(&self) -> &'static str {
        match self.0 {
            Time::First => "candidates: affine phases",
            Time::Again => "candidates: affine phases again",
        }
    }

    fn stage(&self) -> Stage {
        match self.0 {
            Time::First => Stage::AffinePhases,
            Time::Again => Stage::AffinePhasesAgain,
        }
    }

    fn most_heads(&self, limits: &GuessLimits) -> usize {
        limits.phase_heads
    }

    fn work(&self, limits: &GuessLimits) -> Option<Slice> {
        Some(limits.phase_work)
    }

    fn candidates(&self, scene: &mut Scene<'_, '_>) -> Result<Candidates, Stop> {
        let mut conditions = Phases::Branches.conditions(scene);
        let mut out = Candidates::new();
        if self.0 == Time::First {
            for (head, starts) in Phases::Starts.conditions(scene) {
                conditions.entry(head).or_default().extend(starts);
            }
        } else if !told_apart(scene, &conditions) {
            return Ok(out);
        }
        let rounds = conditions.values().map(Vec::len).max().unwrap_or(0);
        for round in 0..rounds {
            let mut cases = Cases::new();
            for (&head, list) in &conditions {
                if let Some(&condition) = list.get(round) {
                    cases.insert(head, vec![condition, scene.pool.not(condition)]);
                }
            }
            let found = affine::equalities_by_case(
                scene.pool,
                scene.region,
                &cases,
                scene.solver,
                scene.limits.affine_variables,
                scene.budget,
            );
            // A round that takes too long leaves what others found.
            let Ok(found) = found else {
                break;
            };
            for (head, facts) in found {
                out.entry(head).or_default().extend(facts);
            }
        }
        Ok(out)
    }
}

/// Is anything proved of a single phase?
fn told_apart(scene: &mut Scene<'_, '_>, conditions: &Candidates) -> bool {
    conditions.iter().any(|(&head, list)| {
        let proven = (scene.proven)(head);
        list.iter().any(|&condition| {
            let sides = [condition, scene.pool.not(condition)];
            let pool = &*scene.pool;
            let of_phase = |f: &TermId| {
                pool.op(*f) == Op::Or && pool.args(*f).iter().any(|a| sides.contains(a))
            };
            proven.iter().any(of_phase)
        })
    })
}

impl Phases {
    /// For each loop head, the conditions that tell its phases apart.
    fn conditions(self, scene: &mut Scene<'_, '_>) -> Candidates {
        let Region { program, graph, .. } = *scene.region;
        let mut out = Candidates::new();
        for &head in scene.region.heads {
            let (mut list, most) = match self {
                Phases::Branches => (
                    branch_conditions(scene.pool, program, graph, head),
                    scene.limits.phase_conditions,
                ),
                Phases::Starts => (
                    starts(scene.pool, program, graph, head),
                    scene.limits.phase_starts,
                ),
            };
            // A condition that always holds at the head has one phase.
            let proven = (scene.proven)(head);
            list.retain(|c| !proven.contains(c));
            list.truncate(most);
            if !list.is_empty() {
                out.insert(head, list);
            }
        }
        out
    }
}
