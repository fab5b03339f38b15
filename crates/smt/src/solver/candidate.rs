//! A candidate model as theories on demand see it: classes, numbers and truth values of the active terms.

use crate::solver::Solver;
use crate::solver::combine::Key;
use base::{FxHashMap, Id};
use logic::{Op, Pool, Rational, TermId};
use std::cell::RefCell;

/// A complete assignment on which congruence closure and arithmetic agree.
pub(crate) struct Candidate<'s> {
    solver: &'s Solver,
    /// Numbers that were asked for.
    numbers: RefCell<FxHashMap<TermId, Rational>>,
}

impl<'s> Candidate<'s> {
    pub(crate) fn new(solver: &'s Solver) -> Self {
        Candidate {
            solver,
            numbers: RefCell::default(),
        }
    }

    /// Active applications of functions and array operators, oldest first.
    pub(crate) fn applications(&self) -> &'s [TermId] {
        &self.solver.active.applications
    }

    /// Active equalities of arrays.
    pub(crate) fn array_equalities(&self) -> &'s [TermId] {
        &self.solver.active.array_eqs
    }

    /// Active terms of operators with lemmas.
    pub(crate) fn specials(&self) -> &'s [TermId] {
        &self.solver.active.specials
    }

    pub(crate) fn is_active(&self, t: TermId) -> bool {
        self.solver.record(t).is_some_and(|r| r.active)
    }

    /// All active terms, oldest first.
    pub(crate) fn active_terms(&self) -> Vec<TermId> {
        let all = self.solver.active.all.iter();
        all.map(|&i| self.solver.records[i as usize].term).collect()
    }

    /// Active equalities of numbers that are true, oldest first.
    pub(crate) fn equations(&self, pool: &Pool) -> Vec<TermId> {
        let mut all = self.active_terms();
        all.retain(|&t| {
            let number = pool.op(t) == Op::Eq && pool.is_arith(pool.sort_of(pool.args(t)[0]));
            number && self.truth(t) == Some(true)
        });
        all
    }

    /// The value of an active formula.
    pub(crate) fn truth(&self, t: TermId) -> Option<bool> {
        match self.solver.record(t) {
            Some(r) if r.active => self.solver.sat.value(r.lit?),
            _ => None,
        }
    }

    pub(crate) fn has_node(&self, t: TermId) -> bool {
        self.solver.theories.euf.node_of(t).is_some()
    }

    /// Whether congruence closure has two terms with nodes in one class.
    pub(crate) fn same_class(&self, a: TermId, b: TermId) -> bool {
        let euf = &self.solver.theories.euf;
        match (euf.node_of(a), euf.node_of(b)) {
            (Some(x), Some(y)) => euf.same(x, y),
            _ => a == b,
        }
    }

    /// Whether a Bool term that the search knows is false.
    pub(crate) fn is_false(&self, t: TermId) -> bool {
        let lit = self.solver.record(t).and_then(|r| r.lit);
        lit.is_some_and(|l| self.solver.sat.is_false(l))
    }

    /// The class of a term that has a node.
    pub(crate) fn class_of(&self, t: TermId) -> usize {
        let euf = &self.solver.theories.euf;
        euf.root(euf.node_of(t).expect("arrays have nodes")).index()
    }

    fn number(&self, pool: &Pool, t: TermId) -> Rational {
        let mut known = self.numbers.borrow_mut();
        let number = known
            .entry(t)
            .or_insert_with(|| self.solver.number(pool, t));
        number.clone()
    }

    fn key(&self, pool: &Pool, t: TermId) -> Key {
        match pool.is_arith(pool.sort_of(t)) {
            true => Key::Number(self.number(pool, t)),
            false => self.solver.key(pool, t),
        }
    }

    /// Whether two terms have one value; false if one is not part of the search yet.
    pub(crate) fn same_value(&self, pool: &Pool, a: TermId, b: TermId) -> bool {
        if a == b {
            return true;
        }
        let euf = &self.solver.theories.euf;
        let known = |t: TermId| {
            pool.as_number(t).is_some()
                || self.is_active(t)
                || pool.op(t) == Op::True
                || pool.op(t) == Op::False
        };
        if !known(a) || !known(b) {
            return false;
        }
        match (euf.node_of(a), euf.node_of(b)) {
            (Some(x), Some(y)) => euf.same(x, y) || self.key(pool, a) == self.key(pool, b),
            _ => pool.is_arith(pool.sort_of(a)) && self.number(pool, a) == self.number(pool, b),
        }
    }

    /// The values of all active arithmetic terms.
    pub(crate) fn numbers(&self, pool: &Pool) -> FxHashMap<TermId, Rational> {
        let mut values = FxHashMap::default();
        for &i in &self.solver.active.all {
            let t = self.solver.records[i as usize].term;
            if pool.is_arith(pool.sort_of(t)) {
                values.insert(t, self.solver.number(pool, t));
            }
        }
        values
    }

    /// The value of a term that arithmetic has a variable for, active or not.
    pub(crate) fn term_value(&self, t: TermId) -> Option<Rational> {
        self.solver.theories.arith.term_value(t)
    }
}
