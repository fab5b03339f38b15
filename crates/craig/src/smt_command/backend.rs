//! What a script needs of a solver.

use logic::{Budget, Model, Pool, TermId};
use smt::interpolate::{self, Outcome};
use smt::{Answer, Solver};

/// The answer to an interpolation problem.
#[derive(Clone, Debug)]
pub enum Interpolation {
    /// One formula for each part but the root.
    Interpolants(Vec<TermId>),
    /// There are none, and why.
    None(String),
}

/// A solver that runs scripts.
///
/// # Contract
/// `Sat` and `Unsat` are right; `model` (after `Sat`) makes all assertions and assumptions true,
/// `core` (after `Unsat`) is a subset of the assumptions that is unsat with the assertions.
pub trait Backend {
    fn push(&mut self);
    fn pop(&mut self);
    fn assert(&mut self, pool: &mut Pool, term: TermId);
    fn check(&mut self, pool: &mut Pool, assumptions: &[TermId], budget: &Budget) -> Answer;
    fn model(&mut self, pool: &mut Pool) -> Model;
    fn core(&self) -> Vec<TermId>;
    /// `parent[i] > i`; the root is last.
    fn interpolants(
        &mut self,
        pool: &mut Pool,
        parts: &[TermId],
        parent: &[usize],
        budget: &Budget,
    ) -> Interpolation;
    /// Forgets everything.
    fn reset(&mut self);
    /// Counters for `get-info :all-statistics`.
    fn statistics(&self) -> Vec<(&'static str, u64)>;
}

/// The solver of this project.
pub struct Native {
    solver: Solver,
}

impl Native {
    pub fn new() -> Self {
        Native {
            solver: Solver::new(),
        }
    }
}

impl Default for Native {
    fn default() -> Self {
        Self::new()
    }
}

impl Backend for Native {
    fn push(&mut self) {
        self.solver.push();
    }

    fn pop(&mut self) {
        self.solver.pop();
    }

    fn assert(&mut self, pool: &mut Pool, term: TermId) {
        self.solver.assert(pool, term);
    }

    fn check(&mut self, pool: &mut Pool, assumptions: &[TermId], budget: &Budget) -> Answer {
        self.solver.check(pool, assumptions, budget)
    }

    fn model(&mut self, pool: &mut Pool) -> Model {
        self.solver.model(pool)
    }

    fn core(&self) -> Vec<TermId> {
        self.solver.core().to_vec()
    }

    fn interpolants(
        &mut self,
        pool: &mut Pool,
        parts: &[TermId],
        parent: &[usize],
        budget: &Budget,
    ) -> Interpolation {
        let options = interpolate::Options::default();
        match interpolate::tree(pool, parts, parent, &options, budget) {
            Outcome::Interpolants(list) => Interpolation::Interpolants(list),
            Outcome::Sat(_) => Interpolation::None("the parts are satisfiable together".into()),
            Outcome::Unknown(why) => Interpolation::None(why),
        }
    }

    fn reset(&mut self) {
        self.solver = Solver::new();
    }

    fn statistics(&self) -> Vec<(&'static str, u64)> {
        let s = self.solver.stats();
        vec![
            ("checks", s.checks),
            ("final-checks", s.final_checks),
            ("lemmas", s.lemmas),
            ("merges", s.merges),
            ("rebuilds", s.rebuilds),
        ]
    }
}
