//! What a script needs of a solver.

use base::{Budget, FxHashMap, Id};
use logic::{Model, Op, Pool, TermId};
use smt::interpolate::{self, Interpolator, Outcome};
use smt::proof::{Origin, PartitionId, Refutation};
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
    /// Opens a scope.
    fn push(&mut self);
    /// Closes the innermost scope and forgets its assertions.
    fn pop(&mut self);
    /// Asserts a formula in the innermost scope.
    fn assert(&mut self, pool: &mut Pool, term: TermId);
    /// Decides the assertions together with assumptions.
    fn check(&mut self, pool: &mut Pool, assumptions: &[TermId], budget: &Budget) -> Answer;
    /// The model of the last `Sat`.
    fn model(&mut self, pool: &mut Pool) -> Model;
    /// The assumptions that the last `Unsat` used.
    fn core(&self) -> Vec<TermId>;
    /// `parent[i] > i`; the root is last.
    fn interpolants(
        &mut self,
        pool: &mut Pool,
        parts: &[TermId],
        parent: &[usize],
        budget: &Budget,
    ) -> Interpolation;
    /// Interpolants will be asked for: the check may keep a proof. Before the first assertion.
    fn expect_interpolants(&mut self) {}
    /// Forgets everything.
    fn reset(&mut self);
    /// Counters for `get-info :all-statistics`.
    fn statistics(&self) -> Vec<(&'static str, u64)>;
}

/// The solver of this project.
pub struct Native {
    solver: Solver,
    /// With a proof: the assertions in force, each a partition, and how many each scope found.
    partitions: Option<(Vec<TermId>, Vec<usize>)>,
}

impl Native {
    /// A solver without assertions.
    pub fn new() -> Self {
        Native {
            solver: Solver::new(),
            partitions: None,
        }
    }

    /// The refutation of the last check with the parts as its partitions, if each assertion it
    /// uses is one of a part's conjuncts.
    fn refutation_of(&self, pool: &Pool, parts: &[TermId]) -> Option<Refutation> {
        let (asserted, _) = self.partitions.as_ref()?;
        let mut refutation = self.solver.refutation()?.clone();
        let mut homes: FxHashMap<TermId, usize> = FxHashMap::default();
        for (i, &part) in parts.iter().enumerate() {
            for c in pool.conjuncts(part) {
                homes.entry(c).or_insert(i);
            }
        }
        for clause in refutation.clauses.iter_mut() {
            if let Origin::Input(p) = &mut clause.origin {
                // An assertion enters the proof conjunct by conjunct.
                let lit = clause.lits.first()?;
                let term = refutation.terms[lit.var()];
                let of = asserted.get(p.index())?;
                let conjuncts = pool.conjuncts(*of);
                let own = conjuncts.iter().find(|c| {
                    let negated = pool.op(**c) == Op::Not && pool.args(**c)[0] == term;
                    match lit.is_positive() {
                        true => **c == term,
                        false => negated,
                    }
                })?;
                *p = PartitionId::from_index(*homes.get(own)?);
            }
        }
        Some(refutation)
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
        if let Some((asserted, marks)) = &mut self.partitions {
            marks.push(asserted.len());
        }
    }

    fn pop(&mut self) {
        self.solver.pop();
        if let Some((asserted, marks)) = &mut self.partitions {
            asserted.truncate(marks.pop().unwrap_or(0));
        }
    }

    fn assert(&mut self, pool: &mut Pool, term: TermId) {
        match &mut self.partitions {
            None => self.solver.assert(pool, term),
            Some((asserted, _)) => {
                let id = PartitionId::from_index(asserted.len());
                asserted.push(term);
                self.solver.assert_in(pool, term, id);
            }
        }
    }

    fn expect_interpolants(&mut self) {
        self.solver = Solver::with_proof();
        self.partitions = Some(Default::default());
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
        let mut interpolator = Interpolator::new(options);
        let outcome = match self.refutation_of(pool, parts) {
            Some(proof) => interpolator.tree_of(pool, parts, parent, &proof, budget),
            None => interpolator.tree(pool, parts, parent, budget),
        };
        match outcome {
            Outcome::Interpolants(list) => Interpolation::Interpolants(list),
            Outcome::Sat(_) => Interpolation::None("the parts are satisfiable together".into()),
            Outcome::Unknown(why) => Interpolation::None(why),
        }
    }

    fn reset(&mut self) {
        *self = Native::new();
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
