//! Theory propagation: literals that the asserted bounds imply.
//!
//! A new bound on a form decides the weaker atoms of that form at once. Explanations are kept from
//! the moment of propagation until its level is closed, so they never mention later literals.

use super::delta::Delta;
use super::{Arith, Conflict, FinalCheck, Interrupt, Source, Theory, Undo, Var};
use crate::theory::Assignment;
use crate::{BoolVar, Lit};
use base::Budget;
use logic::{Pool, Rational};
use std::ops::Range;

/// The true literals that imply a propagated one.
#[derive(Clone, Debug)]
pub(crate) enum Reason {
    /// A bound on the same form.
    Bound(Lit),
    /// A derived bound on the atom's variable.
    Derived(u32),
}

impl Theory for Arith {
    const SOURCE: Source = Source::Arith;

    fn push(&mut self) {
        Arith::push(self);
    }

    fn pop(&mut self, levels: usize) {
        Arith::pop(self, levels);
    }

    fn assert_lit(&mut self, lit: Lit) -> Result<(), Conflict> {
        self.dirty = true;
        Arith::assert_lit(self, lit)
    }

    fn propagate(&mut self, budget: &Budget) -> Result<(), Interrupt> {
        self.outbox.clear();
        if !std::mem::take(&mut self.dirty) {
            return Ok(());
        }
        self.check(budget).map_err(Interrupt::Conflict)?;
        if let Some(stop) = self.stopped() {
            return Err(Interrupt::Stop(stop));
        }
        let mut out = std::mem::take(&mut self.outbox);
        Arith::propagate(self, &mut out);
        out.reverse();
        self.outbox = out;
        Ok(())
    }

    fn next_implied(&mut self, assignment: &impl Assignment) -> Option<Lit> {
        while let Some(lit) = self.outbox.pop() {
            match assignment.value(lit) {
                Some(true) => {}
                // Atoms of popped scopes stay out of it.
                None if !assignment.is_active(lit.var()) => {}
                _ => return Some(lit),
            }
        }
        None
    }

    fn explain(&mut self, lit: Lit) -> Conflict {
        Arith::explain(self, lit)
    }

    fn final_check(&mut self, pool: &mut Pool, budget: &Budget) -> FinalCheck {
        Arith::final_check(self, pool, budget)
    }
}

impl Arith {
    /// Says that the next propagation has work to do.
    pub(crate) fn wake(&mut self) {
        self.dirty = true;
    }

    /// Appends literals implied since the last call. Some may be assigned already: the caller skips
    /// the true ones; for a false one, its explanation is a conflict.
    pub fn propagate(&mut self, out: &mut Vec<Lit>) {
        self.imply_rows();
        self.stats.propagations += self.implied.len() as u64;
        out.append(&mut self.implied);
    }

    /// Why a propagated literal holds: a clause of it and the negated reasons.
    pub fn explain(&mut self, lit: Lit) -> Conflict {
        let reason = self.reasons[lit.index()].as_ref();
        let reason = reason.expect("the literal was propagated by arithmetic");
        let weighted = match reason {
            Reason::Bound(b) => vec![(!lit, Rational::ONE), (*b, Rational::ONE)],
            Reason::Derived(node) => {
                let mut all = vec![(!lit, Rational::ONE)];
                all.extend(self.expand(*node));
                all
            }
        };
        self.conflict_of(&weighted)
    }

    /// Implies the atoms over `x` between its old and its new bound.
    pub(crate) fn imply_same_form(&mut self, x: Var, upper: bool, old: Option<&Delta>) {
        if self.vars[x].atoms.len() < 2 {
            return;
        }
        self.sort_atoms(x);
        let state = &self.vars[x];
        let bound = if upper { &state.upper } else { &state.lower };
        let bound = bound.as_ref().expect("the bound was just set");
        let (value, reason) = (bound.value.clone(), bound.reason);
        for i in self.atoms_between(x, upper, &value, old) {
            let b = self.vars[x].atoms[i];
            if let Some(lit) = self.implied_by(b, upper, &value) {
                self.imply(lit, Reason::Bound(reason));
            }
        }
    }

    /// Where the atoms over `x` are that a new bound may decide and the old one did not.
    /// Sound because atoms are sorted by position, and their bounds are at most 1 away from it.
    pub(crate) fn atoms_between(
        &self,
        x: Var,
        upper: bool,
        value: &Delta,
        old: Option<&Delta>,
    ) -> Range<usize> {
        debug_assert!(!self.vars[x].unsorted);
        let atoms = &self.vars[x].atoms;
        let before = |limit: Rational| atoms.partition_point(|b| self.atom(*b).position < limit);
        let margin = Rational::from(2);
        if upper {
            let to = old.map_or(atoms.len(), |o| before(&o.real + &margin));
            before(&value.real - &margin)..to
        } else {
            let from = old.map_or(0, |o| before(&o.real - &margin));
            from..before(&value.real + &margin)
        }
    }

    /// The literal of an unassigned atom that a bound on its variable implies: the bound that its
    /// negation would set contradicts `value`.
    pub(crate) fn implied_by(&self, b: BoolVar, upper: bool, value: &Delta) -> Option<Lit> {
        let atom = self.atom(b);
        if atom.assigned {
            return None;
        }
        let positive = atom.factor.is_positive() == upper;
        let (_, k) = atom.bound(!positive);
        let holds = if upper { value < k } else { value > k };
        holds.then(|| Lit::new(b, positive))
    }

    pub(crate) fn imply(&mut self, lit: Lit, reason: Reason) {
        if self.reasons[lit.index()].is_none() {
            self.reasons[lit.index()] = Some(reason);
            self.trail.push(Undo::Reason(lit));
            self.implied.push(lit);
        }
    }
}
