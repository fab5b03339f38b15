//! The table of generators of candidates for invariants.
//!
//! A generator looks at a [`Region`] (a program, or one function of it) and names facts that may hold at
//! its loop heads. Nothing it says needs to be right: Houdini proves what is kept. Who wants candidates
//! goes through [`GENERATORS`] stage by stage, cheap ones first, and offers what a stage brings before it
//! asks the next: [`crate::presolve`] does so for whole programs.

use crate::api::Stats;
use crate::core::block_solver::BlockSolver;
use crate::guess::affine::{Affine, Region};
use crate::guess::array_invariants::{Arrays, Detail};
use crate::guess::congruences::Congruences;
use crate::guess::heap::{Linked, Objects};
use crate::guess::modular::Modular;
use crate::guess::phases::{PhaseEqualities, PhaseFacts, Phases, Time};
use crate::guess::polynomials::{Polynomials, has_product, multiplies};
use crate::guess::program_text::Text;
use crate::guess::residues::Residues;
use crate::guess::samples::Samples;
use crate::guess::statement_facts::Statements;
use crate::guess::strings::Strings;
use crate::guess::value_analysis::ValueAnalysis;
use crate::limits::{GuessLimits, Slice};
use base::{Budget, Stop};
use logic::{Pool, TermId};
use program::LocId;
use std::collections::BTreeMap;

/// Facts that may hold, by location.
pub type Candidates = BTreeMap<LocId, Vec<TermId>>;

/// When a generator is asked; what one stage brings is offered before the next begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// All states, where they are few.
    States,
    /// Terminators of strings ahead of the loops that walk over them.
    Strings,
    /// Polynomial equalities of programs that multiply: they say much, and what the next stages ask about products is hard
    /// without them.
    Products,
    /// Facts about any object, "for any k"; none where objects are not linked.
    Objects,
    /// Facts about any two objects.
    PairsOfObjects,
    /// What stands in the program, with bounds shifted.
    Text,
    /// More facts about any object.
    MostObjects,
    /// Facts about all cells of arrays, "for any k".
    Arrays,
    /// What variables are modulo a number, from states of runs.
    Congruences,
    /// Relations between variables that the solver finds states for.
    Affine,
    /// Relations in the phases of loops: few, and each says much.
    AffinePhases,
    /// Relations between products of variables modulo the size of words, from states of runs: apart from the next, of
    /// which most end when a word wraps around, and that is hard to see.
    Modular,
    /// Relations between products of variables, from states of runs, of programs that do not multiply.
    Polynomials,
    /// Facts from the text with products of variables: hard to prove, and the more of them the harder.
    TextOfProducts,
    /// Facts of the phases of loops.
    Phases,
    /// Relations in the phases once more, given their facts.
    AffinePhasesAgain,
    /// Facts of the phases that the first values of variables tell apart.
    Starts,
    /// Facts about arrays with a case left out: many, and rarely needed.
    ArrayCases,
}

impl Stage {
    pub const ALL: [Stage; 18] = [
        Stage::States,
        Stage::Strings,
        Stage::Products,
        Stage::Objects,
        Stage::PairsOfObjects,
        Stage::Text,
        Stage::MostObjects,
        Stage::Arrays,
        Stage::Congruences,
        Stage::Affine,
        Stage::AffinePhases,
        Stage::Modular,
        Stage::Polynomials,
        Stage::TextOfProducts,
        Stage::Phases,
        Stage::AffinePhasesAgain,
        Stage::Starts,
        Stage::ArrayCases,
    ];
}

/// What a generator may look at.
pub struct Scene<'a, 'p> {
    pub pool: &'a mut Pool,
    pub region: &'a Region<'a>,
    /// Facts known to hold at a location.
    pub proven: &'a dyn Fn(LocId) -> Vec<TermId>,
    /// Finds states and steps.
    pub solver: &'a mut BlockSolver<'p>,
    pub stats: &'a mut Stats,
    pub limits: &'a GuessLimits,
    /// States of random runs refute most wrong candidates before a solver sees them; without samples only
    /// few can be tried.
    pub sampled: bool,
    /// These states, once there are any.
    pub samples: Option<&'a Samples>,
    pub budget: &'a Budget,
}

/// A generator of candidates.
///
/// # Contract
/// - The same scene gives the same candidates in the same order, the likely ones first.
/// - Running out of `budget` is an error of the generator alone: the caller asks its own budget.
pub trait Generator: Sync {
    /// What statistics count its candidates as.
    fn name(&self) -> &'static str;

    fn stage(&self) -> Stage;

    /// With more loop heads than this it is not asked.
    fn most_heads(&self, _limits: &GuessLimits) -> usize {
        usize::MAX
    }

    /// The work it may take; none for those that only read the program.
    fn work(&self, _limits: &GuessLimits) -> Option<Slice> {
        None
    }

    fn candidates(&self, scene: &mut Scene<'_, '_>) -> Result<Candidates, Stop>;
}

/// The candidates of a generator with, or without, products of variables.
struct Parted {
    of: &'static dyn Generator,
    products: Option<&'static str>,
}

impl Parted {
    const fn without_products(of: &'static dyn Generator) -> Self {
        Parted { of, products: None }
    }

    const fn with_products(of: &'static dyn Generator, name: &'static str) -> Self {
        Parted {
            of,
            products: Some(name),
        }
    }
}

impl Generator for Parted {
    fn name(&self) -> &'static str {
        self.products.unwrap_or_else(|| self.of.name())
    }

    fn stage(&self) -> Stage {
        match self.products {
            Some(_) => Stage::TextOfProducts,
            None => self.of.stage(),
        }
    }

    fn most_heads(&self, limits: &GuessLimits) -> usize {
        self.of.most_heads(limits)
    }

    fn work(&self, limits: &GuessLimits) -> Option<Slice> {
        self.of.work(limits)
    }

    fn candidates(&self, scene: &mut Scene<'_, '_>) -> Result<Candidates, Stop> {
        let wanted = self.products.is_some();
        // Only where equalities of products come before is there a reason to wait.
        if !multiplies(scene.pool, scene.region.graph) {
            return match wanted {
                true => Ok(Candidates::new()),
                false => self.of.candidates(scene),
            };
        }
        let mut found = self.of.candidates(scene)?;
        for facts in found.values_mut() {
            facts.retain(|f| has_product(scene.pool, &[*f]) == wanted);
        }
        found.retain(|_, facts| !facts.is_empty());
        Ok(found)
    }
}

/// All generators, in the order in which they are asked.
pub const GENERATORS: &[&dyn Generator] = &[
    &ValueAnalysis,
    &Strings,
    &Polynomials { early: true },
    &Linked(Objects::One),
    &Linked(Objects::Two),
    &Parted::without_products(&Text),
    &Parted::without_products(&Statements),
    &Linked(Objects::Most),
    &Arrays(Detail::Plain),
    &Congruences,
    &Affine,
    &Residues,
    &PhaseEqualities(Time::First),
    &Modular,
    &Polynomials { early: false },
    &Parted::with_products(&Text, "candidates: text with products"),
    &Parted::with_products(&Statements, "candidates: statements with products"),
    &PhaseFacts(Phases::Branches),
    &PhaseEqualities(Time::Again),
    &PhaseFacts(Phases::Starts),
    &Arrays(Detail::Cases),
];

/// What the generators of a stage say, one after the other, each within its slice.
pub fn candidates(stage: Stage, scene: &mut Scene<'_, '_>) -> Result<Candidates, Stop> {
    let heads = scene.region.heads.len();
    let mut out = Candidates::new();
    for generator in GENERATORS.iter().filter(|g| g.stage() == stage) {
        if heads > generator.most_heads(scene.limits) {
            continue;
        }
        let work = generator.work(scene.limits);
        let slice = work.map_or_else(|| scene.budget.clone(), |w| w.of(scene.budget));
        let found = generator.candidates(&mut Scene {
            pool: &mut *scene.pool,
            solver: &mut *scene.solver,
            stats: &mut *scene.stats,
            budget: &slice,
            ..*scene
        });
        // Running out of the slice only means fewer candidates.
        scene.budget.check()?;
        let found = found.unwrap_or_default();
        let count = found.values().map(Vec::len).sum::<usize>();
        scene.stats.add(generator.name(), count as u64);
        for (loc, facts) in found {
            out.entry(loc).or_default().extend(facts);
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_stages_and_names_differ() {
        let stages: Vec<Stage> = GENERATORS.iter().map(|g| g.stage()).collect();
        assert!(stages.is_sorted());
        for stage in Stage::ALL {
            assert!(stages.contains(&stage), "{stage:?} has a generator");
        }
        let mut names: Vec<&str> = GENERATORS.iter().map(|g| g.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), GENERATORS.len());
    }
}
