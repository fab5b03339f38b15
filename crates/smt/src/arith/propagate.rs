//! Theory propagation: literals that the asserted bounds imply.
//!
//! A new bound on a form decides the weaker atoms of that form at once. After a check, rows over
//! variables with new bounds imply bounds on their other variables, within limits. Explanations are kept from
//! the moment of propagation until its level is closed, so they never mention later literals.

use super::bounds::Bound;
use super::delta::Delta;
use super::{Arith, Conflict, Undo, Var};
use crate::{BoolVar, Lit};
use logic::Rational;
use std::ops::Range;

/// Limits on one round of row propagation: entries read, entries of a row, rows of a variable.
const ROW_WORK: usize = 3_000;
const ROW_LENGTH: usize = 300;
const ROWS_PER_VAR: usize = 32;

/// The true literals that imply a propagated one.
#[derive(Clone, Debug)]
pub(crate) enum Reason {
    /// A bound on the same form.
    Bound(Lit),
    /// Bounds of a row with their weights, and the weight of the propagated atom's bound.
    Row(Box<(Rational, Vec<(Lit, Rational)>)>),
}

impl Arith {
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
            Reason::Row(row) => {
                let mut all = vec![(!lit, row.0.clone())];
                all.extend(row.1.iter().cloned());
                all
            }
        };
        self.conflict_of(&weighted)
    }

    /// Implies the atoms over `x` between its old and its new bound.
    pub(super) fn imply_same_form(&mut self, x: Var, upper: bool, old: Option<&Delta>) {
        let state = &self.vars[x];
        if state.atoms.len() < 2 {
            return;
        }
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
    fn atoms_between(
        &self,
        x: Var,
        upper: bool,
        value: &Delta,
        old: Option<&Delta>,
    ) -> Range<usize> {
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
    fn implied_by(&self, b: BoolVar, upper: bool, value: &Delta) -> Option<Lit> {
        let atom = self.atom(b);
        if atom.assigned {
            return None;
        }
        let positive = atom.factor.is_positive() == upper;
        let (_, k) = atom.bound(!positive);
        let holds = if upper { *value < k } else { *value > k };
        holds.then(|| Lit::new(b, positive))
    }

    fn imply(&mut self, lit: Lit, reason: Reason) {
        if self.reasons[lit.index()].is_none() {
            self.reasons[lit.index()] = Some(reason);
            self.trail.push(Undo::Reason(lit));
            self.implied.push(lit);
        }
    }

    /// Bounds that follow from one row each, of rows over variables with new bounds.
    fn imply_rows(&mut self) {
        let mut changed = std::mem::take(&mut self.changed);
        let mut rows: Vec<u32> = Vec::new();
        for &x in &changed {
            if !self.vars[x].present {
                continue;
            }
            match self.tableau.row_of(x) {
                Some(r) => rows.push(r),
                None => rows.extend(self.tableau.col(x).iter().map(|c| c.row).take(ROWS_PER_VAR)),
            }
        }
        changed.clear();
        self.changed = changed;
        rows.sort_unstable();
        rows.dedup();
        let mut work = 0;
        for r in rows {
            let length = self.tableau.row(r).entries.len();
            if length > ROW_LENGTH {
                continue;
            }
            work += length;
            if work > ROW_WORK {
                break;
            }
            self.imply_row(r, true);
            self.imply_row(r, false);
        }
    }

    /// With `0 = sum of c * x` over the row: from `least`, the sum of the least values of all terms
    /// but `c * y`, follows `c * y <= -least`; with `greatest`, the same mirrored.
    fn imply_row(&mut self, r: u32, least: bool) {
        let row = self.tableau.row(r);
        let minus_den = -&row.den;
        let terms = || {
            let basic = std::iter::once((row.basic, &minus_den));
            basic.chain(row.entries.iter().map(|e| (e.var, &e.coeff)))
        };
        let mut sum = Delta::ZERO;
        let mut open = None;
        for (x, c) in terms() {
            match self.extreme(x, c, least) {
                Some(bound) => sum = sum.add_scaled(c, &bound.value),
                None if open.is_some() => return,
                None => open = Some(x),
            }
        }
        let mut found: Vec<(Lit, Rational, Var)> = Vec::new();
        for (y, c) in terms() {
            if self.vars[y].atoms.is_empty() || open.is_some_and(|o| o != y) {
                continue;
            }
            let rest = match self.extreme(y, c, least) {
                Some(own) => sum.add_scaled(&-c, &own.value),
                None => sum.clone(),
            };
            let value = rest.scale(&-c.recip());
            let upper = c.is_positive() == least;
            let now = if upper {
                &self.vars[y].upper
            } else {
                &self.vars[y].lower
            };
            let now = now.as_ref().map(|b| &b.value);
            if now.is_some_and(|n| if upper { *n <= value } else { *n >= value }) {
                continue;
            }
            for i in self.atoms_between(y, upper, &value, now) {
                let lit = self.implied_by(self.vars[y].atoms[i], upper, &value);
                if let Some(lit) = lit.filter(|l| self.reasons[l.index()].is_none()) {
                    found.push((lit, c.abs(), y));
                }
            }
        }
        if found.is_empty() {
            return;
        }
        let bounds: Vec<(Var, Lit, Rational)> = terms()
            .filter_map(|(x, c)| Some((x, self.extreme(x, c, least)?.reason, c.abs())))
            .collect();
        for (lit, weight, y) in found {
            let others = bounds.iter().filter(|(x, ..)| *x != y);
            let reason = others.map(|(_, l, w)| (*l, w.clone())).collect();
            self.imply(lit, Reason::Row(Box::new((weight, reason))));
        }
    }

    /// The bound that limits `c * x` from below (or from above).
    fn extreme(&self, x: Var, c: &Rational, least: bool) -> Option<&Bound> {
        let s = &self.vars[x];
        if c.is_positive() == least {
            s.lower.as_ref()
        } else {
            s.upper.as_ref()
        }
    }
}
