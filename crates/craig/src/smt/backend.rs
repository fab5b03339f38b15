//! What a script needs of a solver.

use base::{Budget, FxHashMap, Id, Stop};
use logic::smtlib::{SourceId, Sources};
use logic::{Memo, Model, Op, Pool, TermId, Value};
use smt::interpolate::{self, Interpolator, Outcome};
use smt::proof::{self, Origin, PartitionId, Refutation, alethe};
use smt::words::{Words, solve};
use smt::{Answer, Solver, Unknown};

/// The answer to an interpolation problem.
#[derive(Clone, Debug)]
pub enum Interpolation {
    /// One formula for each part but the root.
    Interpolants(Vec<TermId>),
    /// There are none: the parts have a model.
    Satisfiable,
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
    /// Asserts a formula in the innermost scope. Where the budget does not suffice, the next check says so.
    fn assert(&mut self, pool: &mut Pool, term: TermId, budget: &Budget);
    /// Decides the assertions together with assumptions.
    fn check(&mut self, pool: &mut Pool, assumptions: &[TermId], budget: &Budget) -> Answer;
    /// The model of the last `Sat`.
    fn model(&mut self, pool: &mut Pool) -> Model;
    /// The values of terms in the model of the last `Sat`.
    fn values(&mut self, pool: &mut Pool, model: &Model, terms: &[TermId]) -> Vec<Value> {
        let mut memo = Memo::new();
        let values = terms.iter().map(|&t| memo.eval(pool, model, t));
        values.collect()
    }
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
    /// An Alethe proof that the assertions are unsatisfiable, or why there is none.
    fn proof(
        &mut self,
        _pool: &mut Pool,
        _assertions: &[TermId],
        _sources: &Sources,
        _written: &[SourceId],
        _budget: &Budget,
    ) -> Result<String, String> {
        Err("this solver writes no proofs".into())
    }
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
    /// Bit-vectors and floats as the solver knows them.
    words: Words,
    /// An assertion that the budget did not suffice for, and in which scope.
    failed: Option<(usize, Stop)>,
    /// The assumptions of the last check, and what they became.
    assumed: Vec<(TermId, TermId)>,
    /// The model of the last check over the translation.
    bits: Option<Model>,
    /// What was asserted before the first check, which decides a script over words as a whole.
    early: Option<Early>,
    /// The model of that check.
    whole: Option<Model>,
}

/// Scopes and assertions that the solver has not seen.
#[derive(Default)]
struct Early {
    depth: usize,
    asserted: Vec<(usize, TermId)>,
    /// The first check was answered.
    answered: bool,
}

impl Native {
    /// A solver without assertions.
    pub fn new() -> Self {
        Native {
            solver: Solver::new(),
            partitions: None,
            words: Words::new(),
            failed: None,
            assumed: Vec::new(),
            bits: None,
            early: Some(Early::default()),
            whole: None,
        }
    }

    /// Gives the solver what was asserted so far, from now on step by step.
    fn go_on(&mut self, pool: &mut Pool, budget: &Budget) {
        let Some(early) = self.early.take() else {
            return;
        };
        let mut list = early.asserted.into_iter().peekable();
        for depth in 0..=early.depth {
            if depth > 0 {
                Backend::push(self);
            }
            while let Some((_, term)) = list.next_if(|a| a.0 == depth) {
                Backend::assert(self, pool, term, budget);
            }
        }
    }

    /// The first check of a script over words alone, with its equations solved. `None` if it is something else.
    fn decide_whole(&mut self, pool: &mut Pool, budget: &Budget) -> Result<Option<Answer>, Stop> {
        let early = self.early.as_mut().filter(|e| !e.answered);
        let Some(early) = early.filter(|_| pool.has_words()) else {
            return Ok(None);
        };
        let formulas: Vec<TermId> = early.asserted.iter().map(|a| a.1).collect();
        let Some(solved) = solve(pool, &formulas, budget)? else {
            return Ok(None);
        };
        early.answered = true;
        let (mut words, mut solver) = (Words::new(), Solver::new());
        for &f in &solved.formulas {
            let image = words.translate(pool, f, budget)?;
            solver.assert(pool, image);
        }
        let answer = solver.check(pool, &[], budget);
        if answer == Answer::Sat {
            let mut bits = solver.model(pool);
            let mut model = bits.clone();
            words.complete(pool, &mut model);
            words.complete_solved(pool, &mut model, &mut bits, &solved.order, budget)?;
            self.bits = Some(bits);
            self.whole = Some(model);
        }
        self.words = words;
        Ok(Some(answer))
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

/// Whether a term has operators on floats.
fn has_floats(pool: &Pool, t: TermId) -> bool {
    let mut terms = pool.post_order(&[t]).into_iter();
    terms.any(|t| {
        pool.word_operation(t)
            .is_some_and(logic::word::needs_circuits)
    })
}

impl Default for Native {
    fn default() -> Self {
        Self::new()
    }
}

impl Backend for Native {
    fn push(&mut self) {
        if let Some(early) = &mut self.early {
            early.depth += 1;
            return;
        }
        self.solver.push();
        if let Some((asserted, marks)) = &mut self.partitions {
            marks.push(asserted.len());
        }
    }

    fn pop(&mut self) {
        if let Some(early) = &mut self.early {
            early.depth = early.depth.saturating_sub(1);
            early.asserted.retain(|a| a.0 <= early.depth);
            return;
        }
        self.solver.pop();
        let depth = self.solver.depth();
        self.failed = self.failed.filter(|(at, _)| *at <= depth);
        if let Some((asserted, marks)) = &mut self.partitions {
            asserted.truncate(marks.pop().unwrap_or(0));
        }
    }

    fn assert(&mut self, pool: &mut Pool, term: TermId, budget: &Budget) {
        if let Some(early) = &mut self.early {
            early.asserted.push((early.depth, term));
            return;
        }
        let term = match self.words.translate(pool, term, budget) {
            Ok(term) => term,
            Err(stop) => {
                self.failed.get_or_insert((self.solver.depth(), stop));
                return;
            }
        };
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
        self.early = None;
    }

    fn check(&mut self, pool: &mut Pool, assumptions: &[TermId], budget: &Budget) -> Answer {
        self.whole = None;
        if assumptions.is_empty() {
            match self.decide_whole(pool, budget) {
                Ok(Some(answer)) => {
                    self.assumed.clear();
                    return answer;
                }
                Ok(None) => {}
                Err(stop) => return Answer::Unknown(Unknown::Budget(stop)),
            }
        }
        self.go_on(pool, budget);
        if let Some((_, stop)) = self.failed {
            return Answer::Unknown(Unknown::Budget(stop));
        }
        self.assumed.clear();
        for &t in assumptions {
            match self.words.translate(pool, t, budget) {
                Ok(image) => self.assumed.push((t, image)),
                Err(stop) => return Answer::Unknown(Unknown::Budget(stop)),
            }
        }
        let images: Vec<TermId> = self.assumed.iter().map(|a| a.1).collect();
        self.solver.check(pool, &images, budget)
    }

    fn model(&mut self, pool: &mut Pool) -> Model {
        if let Some(model) = &self.whole {
            return model.clone();
        }
        let mut model = self.solver.model(pool);
        if pool.has_words() {
            self.bits = Some(model.clone());
            self.words.complete(pool, &mut model);
        }
        model
    }

    fn values(&mut self, pool: &mut Pool, model: &Model, terms: &[TermId]) -> Vec<Value> {
        let mut memo = Memo::new();
        let mut values = Vec::new();
        for &t in terms {
            // Operators on floats are known to circuits alone.
            let by_bits = match &self.bits {
                Some(bits) if has_floats(pool, t) => {
                    self.words.value(pool, bits, t, &Budget::unlimited()).ok()
                }
                _ => None,
            };
            values.push(by_bits.unwrap_or_else(|| memo.eval(pool, model, t)));
        }
        values
    }

    fn core(&self) -> Vec<TermId> {
        let core = self.solver.core();
        let used = self.assumed.iter().filter(|a| core.contains(&a.1));
        used.map(|a| a.0).collect()
    }

    fn interpolants(
        &mut self,
        pool: &mut Pool,
        parts: &[TermId],
        parent: &[usize],
        budget: &Budget,
    ) -> Interpolation {
        if let Some(list) = self.words.interpolants(pool, parts, parent, budget) {
            return Interpolation::Interpolants(list);
        }
        let mut images = Vec::new();
        for &part in parts {
            match self.words.translate(pool, part, budget) {
                Ok(image) => images.push(image),
                Err(stop) => return Interpolation::None(format!("stopped: {stop:?}")),
            }
        }
        let parts = &images;
        let options = interpolate::Options {
            diff: true,
            ..Default::default()
        };
        let mut interpolator = Interpolator::new(options);
        let outcome = match self.refutation_of(pool, parts) {
            Some(proof) => interpolator.tree_of(pool, parts, parent, &proof, budget),
            None => interpolator.tree(pool, parts, parent, budget),
        };
        match outcome {
            Outcome::Interpolants(list) => {
                let list = list.into_iter().map(|t| self.words.back(pool, t));
                Interpolation::Interpolants(list.collect())
            }
            Outcome::Sat(_) => Interpolation::Satisfiable,
            Outcome::Unknown(why) => Interpolation::None(why),
        }
    }

    fn proof(
        &mut self,
        pool: &mut Pool,
        assertions: &[TermId],
        sources: &Sources,
        written: &[SourceId],
        budget: &Budget,
    ) -> Result<String, String> {
        if pool.has_words() {
            return Err("no proof: bit-vectors and floats are not written".into());
        }
        let mut solver = Solver::with_proof();
        for (i, &term) in assertions.iter().enumerate() {
            solver.assert_in(pool, term, PartitionId::from_index(i));
        }
        if solver.check(pool, &[], budget) != Answer::Unsat {
            return Err("no proof: the refutation was not found again".into());
        }
        let refutation = solver.refutation().ok_or("no proof was kept")?;
        proof::check::check(pool, refutation, assertions)
            .map_err(|e| format!("no proof: the refutation is faulty: {e}"))?;
        alethe::write(pool, refutation, sources, written, budget)
            .map_err(|trouble| format!("no proof: {trouble}"))
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
