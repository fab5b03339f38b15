//! The final check: all active variables are assigned; does the assignment have a model?
//!
//! Arithmetic completes its assignment to integers. Then the theories must agree: terms that congruence closure
//! has in one class need one value, and applications whose arguments have equal values need equal
//! results (model-based combination, de Moura and Bjørner 2007). Where they do not, an equality
//! atom between two terms is made and the search decides it. Arrays and operators with lemmas on
//! demand come last.

use crate::Lit;
use crate::proof::Certificate;
use crate::sat::Because;
use crate::solver::Solver;
use crate::solver::alone::{self, Alone};
use crate::solver::candidate::Candidate;
use crate::theory::arrays::Arrays;
use crate::theory::euf::Euf;
use crate::theory::words::Words;
use crate::theory::{Demands, FinalCheck, OnDemand, Theory};
use crate::ticks;
use base::{Budget, FxHashMap, FxHashSet, Stop};
use logic::{Op, Pool, Rational, TermId};

/// What a final check found.
pub(crate) enum Verdict {
    Model,
    /// Bits alone refute the query; the core is known.
    Refuted,
    /// Something was added: search on.
    Again,
    GiveUp(&'static str),
}

/// A value as far as applications can tell values apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Number(Rational),
    Class(u32),
}

impl Solver {
    pub(crate) fn final_check(
        &mut self,
        pool: &mut Pool,
        budget: &Budget,
    ) -> Result<Verdict, Stop> {
        budget.spend(ticks::FINAL_CHECK)?;
        let applications = &self.active.applications;
        let functions = applications.iter().any(|&t| !Solver::is_float(pool, t));
        let combined = !applications.is_empty() || !self.active.array_eqs.is_empty();
        self.bits.finals += 1;
        if let Some(conflicts) = alone::turn(self.bits.finals)
            && !self.active.specials.is_empty()
        {
            let verdict = self.turned(pool, conflicts, budget)?;
            if !matches!(verdict, Verdict::Again) {
                return Ok(verdict);
            }
        }
        if alone::try_due(self.bits.finals) && self.try_small(pool, budget)? {
            return Ok(Verdict::Model);
        }
        if self.bits.on {
            if self.define_by_bits(pool, budget)? {
                return Ok(Verdict::Again);
            }
            if self.define_floats(pool, budget)? {
                return Ok(Verdict::Again);
            }
            if !functions && self.active.array_eqs.is_empty() && self.model_by_bits(pool) {
                return Ok(Verdict::Model);
            }
            if self.tell_values(pool, budget)? {
                return Ok(Verdict::Again);
            }
        }
        match Theory::final_check(&mut self.theories.arith, pool, budget) {
            FinalCheck::Ok => {}
            FinalCheck::Stop(stop) => return Err(stop),
            FinalCheck::Unknown(why) => {
                // Bits settle integers that branching does not.
                return match !self.active.specials.is_empty() && self.force_bits() {
                    true => self.turned(pool, alone::CONFLICTS, budget),
                    false => Ok(Verdict::GiveUp(why)),
                };
            }
            FinalCheck::Conflict(conflict) => {
                let c = self.sat.temporary(conflict);
                self.false_clauses.push(c);
                return Ok(Verdict::Again);
            }
            FinalCheck::Lemmas(lemmas) => {
                for lemma in lemmas {
                    self.stats.lemmas += 1;
                    let lits: Vec<Lit> =
                        lemma.clause.iter().map(|&t| self.lit_of(pool, t)).collect();
                    for &t in &lemma.clause {
                        self.activate(pool, t);
                    }
                    self.add_clause(&lits, Because::Lemma(lemma.cert));
                }
                return Ok(Verdict::Again);
            }
        }
        if combined
            && (self.agree_on_classes(pool)
                || self.agree_on_applications(pool)
                || (pool.has_words() && self.demand(pool, &mut Words, budget))
                || self.demand(pool, &mut Arrays, budget))
        {
            return Ok(Verdict::Again);
        }
        if !self.active.specials.is_empty() {
            let mut refiner = std::mem::take(&mut self.refiner);
            let again = self.demand(pool, &mut refiner, budget);
            self.refiner = refiner;
            if again {
                return match self.turn_to_bits(self.refiner.about) {
                    true => self.turned(pool, alone::CONFLICTS, budget),
                    false => Ok(Verdict::Again),
                };
            }
        }
        // The procedures for these are not complete, so the model is the judge.
        if (combined || !self.active.specials.is_empty()) && !self.model_holds(pool) {
            return Ok(Verdict::GiveUp("the candidate model does not hold"));
        }
        Ok(Verdict::Model)
    }

    /// A check turns to bits: alone first, then beside arithmetic.
    fn turned(
        &mut self,
        pool: &mut Pool,
        conflicts: u64,
        budget: &Budget,
    ) -> Result<Verdict, Stop> {
        Ok(match self.decide_alone(pool, conflicts, budget)? {
            Alone::Unsat => Verdict::Refuted,
            Alone::Model => Verdict::Model,
            Alone::Open => Verdict::Again,
        })
    }

    pub(crate) fn number(&self, pool: &Pool, t: TermId) -> Rational {
        self.theories.arith.value(pool, t).unwrap_or(Rational::ZERO)
    }

    /// The value of a term that has a node.
    pub(crate) fn key(&self, pool: &Pool, t: TermId) -> Key {
        use base::Id;
        if pool.is_arith(pool.sort_of(t)) {
            return Key::Number(self.number(pool, t));
        }
        let node = self.theories.euf.node_of(t).expect("the term has a node");
        Key::Class(self.theories.euf.root(node).index() as u32)
    }

    /// Terms of one class must have one arithmetic value.
    fn agree_on_classes(&mut self, pool: &mut Pool) -> bool {
        let mut first = FxHashMap::default();
        let mut seen = FxHashSet::default();
        let mut wrong = Vec::new();
        for &t in &self.active.applications {
            for k in 0..=pool.args(t).len() {
                let t = pool.args(t).get(k).copied().unwrap_or(t);
                if !pool.is_arith(pool.sort_of(t)) || !seen.insert(t) {
                    continue;
                }
                let node = self.theories.euf.node_of(t).expect("arguments have nodes");
                let value = self.number(pool, t);
                match first.get(&self.theories.euf.root(node)) {
                    None => {
                        first.insert(self.theories.euf.root(node), (t, value));
                    }
                    Some((other, v)) if *v != value => wrong.push((*other, t)),
                    Some(_) => {}
                }
            }
        }
        for &(a, b) in &wrong {
            self.stats.lemmas += 1;
            let euf = &mut self.theories.euf;
            let (Some(x), Some(y)) = (euf.node_of(a), euf.node_of(b)) else {
                unreachable!("both have nodes")
            };
            let mut lits = euf.explain_equal(x, y);
            let e = pool.eq(a, b);
            if e != pool.ff() {
                lits.push(self.lit_of(pool, e));
                self.activate(pool, e);
            }
            self.add_clause(&lits, Because::Lemma(Certificate::Equality));
        }
        !wrong.is_empty()
    }

    /// Applications with equal argument values must have equal values.
    fn agree_on_applications(&mut self, pool: &mut Pool) -> bool {
        let mut table: FxHashMap<(Op, Vec<Key>), TermId> = FxHashMap::default();
        let mut splits = Vec::new();
        for &t in &self.active.applications {
            if let Op::Store | Op::ConstArray = pool.op(t) {
                continue;
            }
            let keys = pool.args(t).iter().map(|&a| self.key(pool, a)).collect();
            let other = *table.entry((pool.op(t), keys)).or_insert(t);
            if other != t && self.key(pool, other) != self.key(pool, t) {
                for (&a, &b) in pool.args(other).iter().zip(pool.args(t)) {
                    let euf: &Euf = &self.theories.euf;
                    if euf.node_of(a).map(|n| euf.root(n)) != euf.node_of(b).map(|n| euf.root(n)) {
                        splits.push((a, b));
                    }
                }
            }
        }
        let mut new = false;
        for (a, b) in splits {
            new |= self.split_equality(pool, a, b);
        }
        new
    }

    /// Makes the search decide whether two terms with nodes are equal; equal is tried first.
    pub(crate) fn split_equality(&mut self, pool: &mut Pool, a: TermId, b: TermId) -> bool {
        let e = pool.eq(a, b);
        if e == pool.tt() || e == pool.ff() {
            return false;
        }
        self.stats.lemmas += 1;
        let new = self.activate(pool, e);
        let lit = self.lit_of(pool, e);
        // The atom is normalised: its sides need not be `a` and `b`.
        let linked = self.link_eq(a, b, lit);
        let undecided = self.sat.value(lit).is_none();
        if undecided {
            self.sat.set_phase(lit);
        }
        new || undecided || linked
    }

    /// Does what a theory on demand wants; true if that changed anything.
    fn demand(&mut self, pool: &mut Pool, theory: &mut impl OnDemand, budget: &Budget) -> bool {
        let Demands {
            lemmas,
            splits,
            compared,
        } = theory.demands(pool, &Candidate::new(self));
        budget.charge(compared / ticks::COMPARED);
        let mut new = false;
        for (term, formula) in lemmas {
            if self.learn_formula(pool, term, formula) {
                self.stats.lemmas += 1;
                new = true;
            }
        }
        if !new {
            for (a, b) in splits {
                new |= self.split_equality(pool, a, b);
            }
        }
        new
    }
}
