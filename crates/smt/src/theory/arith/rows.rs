//! Bounds derived from rows: `y = x + 1` and `x >= 3` give `y >= 4`.
//!
//! Derived bounds serve propagation only; the simplex never sees them. Each is a node that names
//! the bounds it comes from, asserted literals or older nodes, with their weights; an
//! explanation multiplies the weights out. Values are not rounded, so that it is a Farkas
//! combination of asserted literals.
//!
//! The definitions of slacks are the source: short, and the same whatever the basis is. The rows of
//! the tableau would add what follows from several at once, but cost more than they save.
//!
//! Rounds are limited: tightening may go on for ever on cycles of rows, and long rows cost more
//! than the literals they imply are worth.

use super::delta::Delta;
use super::propagate::Reason;
use super::{Arith, Undo, Var};
use crate::Lit;
use logic::Rational;
use std::collections::BTreeMap;

/// Limits on one round: entries read in definitions, and definitions (the youngest) looked at per
/// variable.
const DEFINITION_WORK: usize = 4_000;
const SLACKS_PER_VAR: usize = 64;
/// Longer bounds are not kept: on a cycle of rows that integers contradict and rationals do not, they would double in
/// length with every lap.
const BITS: usize = 192;
/// So often a bound may get better by a little; then it must come closer to the other bound by a part of the
/// distance, a quarter. On a cycle of rows over machine integers the little steps would be 2^64.
const SMALL_STEPS: u32 = 8;
const PART: i64 = 4;

/// A bound that follows from the bounds in `parents`: with positive weights, their sum and
/// the rows of the tableau.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    parents: Vec<(Source, Rational)>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    Asserted(Lit),
    Derived(u32),
}

#[derive(Clone, Debug)]
pub(crate) struct DerivedBound {
    pub value: Delta,
    pub node: u32,
    /// How many derived bounds it is the improvement of.
    steps: u32,
}

impl Arith {
    /// Derives bounds from the definitions of slacks over variables with new bounds, and of those in
    /// turn.
    pub(crate) fn imply_rows(&mut self) {
        let mut queue = std::mem::take(&mut self.changed);
        let mut work = 0;
        let mut at = 0;
        while at < queue.len() && work < DEFINITION_WORK {
            let x = queue[at];
            at += 1;
            let own = self.vars[x].equation.clone();
            if let Some(equation) = own {
                work += equation.len();
                self.imply_equation(&equation, &mut queue);
            }
            let users = self.vars[x].slacks.len();
            for i in (users.saturating_sub(SLACKS_PER_VAR)..users).rev() {
                let slack = self.vars[x].slacks[i];
                let equation = self.vars[slack].equation.clone();
                let equation = equation.expect("slacks have a definition");
                work += equation.len();
                self.imply_equation(&equation, &mut queue);
            }
        }
        // What the limit left over waits for the next round.
        queue.drain(..at);
        self.changed = queue;
    }

    /// Derives bounds from `0 = sum of terms`.
    fn imply_equation(&mut self, terms: &[(Var, Rational)], queue: &mut Vec<Var>) {
        self.imply_side(terms, true, queue);
        self.imply_side(terms, false, queue);
    }

    /// From `least`, the sum of the least values of all terms but `c * y`, follows
    /// `c * y <= -least`; with the greatest values, the same mirrored.
    fn imply_side(&mut self, terms: &[(Var, Rational)], least: bool, queue: &mut Vec<Var>) {
        let mut open = None;
        for (x, c) in terms {
            if !self.is_bounded(*x, c.is_positive() != least) {
                if open.is_some() {
                    return;
                }
                open = Some(*x);
            }
        }
        // With one term open only its bound can follow, so it must be wanted.
        if open.is_some_and(|o| !self.is_wanted(o)) {
            return;
        }
        if self.nothing_new(terms, least, open) {
            return;
        }
        let mut sum = Delta::ZERO;
        for (x, c) in terms {
            if let Some((value, _)) = self.extreme(*x, c, least) {
                sum = sum.add_scaled(c, value);
            }
        }
        for (y, c) in terms {
            if open.is_some_and(|o| o != *y) || !self.is_wanted(*y) {
                continue;
            }
            let rest = match self.extreme(*y, c, least) {
                Some((value, _)) => sum.add_scaled(&-c, value),
                None => sum.clone(),
            };
            let value = rest.scale(&-c.recip());
            let upper = c.is_positive() == least;
            if value.real.bits() <= BITS && self.improves_on(*y, upper, &value) {
                // The other terms give way in the direction opposite to what y gains, so `sum`
                // and the sources of the rest stay as they are.
                let others = terms.iter().filter(|(x, _)| x != y);
                let parents = others
                    .filter_map(|(x, d)| Some((self.extreme(*x, d, least)?.1, &d.abs() / &c.abs())))
                    .collect();
                self.derive(*y, upper, value, parents);
                queue.push(*y);
            }
        }
    }

    /// Whether machine integers already show that no bound gets better: the common case.
    fn nothing_new(&self, terms: &[(Var, Rational)], least: bool, open: Option<Var>) -> bool {
        if open.is_some() {
            return false;
        }
        let word = |d: &Delta| d.delta.is_zero().then(|| d.real.to_i64()).flatten();
        let mut sum = 0i128;
        for (x, c) in terms {
            let bound = self.extreme(*x, c, least).and_then(|(v, _)| word(v));
            let (Some(v), Some(c)) = (bound, c.to_i64()) else {
                return false;
            };
            let Some(next) = sum.checked_add(i128::from(v) * i128::from(c)) else {
                return false;
            };
            sum = next;
        }
        terms.iter().all(|(y, c)| {
            if !self.is_wanted(*y) {
                return true;
            }
            let upper = c.is_positive() == least;
            let own = self.extreme(*y, c, least).and_then(|(v, _)| word(v));
            let now = self.best(*y, upper).and_then(|(v, _)| word(v));
            let (Some(own), Some(now), Some(c)) = (own, now, c.to_i64()) else {
                return false;
            };
            let (own, now, c) = (i128::from(own), i128::from(now), i128::from(c));
            // The new bound is bound / |c|; it must beat `now` by 1.
            let Some(rest) = sum.checked_sub(c * own) else {
                return false;
            };
            let bound = if c > 0 { -rest } else { rest };
            match upper {
                true => bound > (now - 1) * c.abs(),
                false => bound < (now + 1) * c.abs(),
            }
        })
    }

    /// Whether a derived bound on `x` could imply a listed atom, directly or further on.
    fn is_wanted(&self, x: Var) -> bool {
        let s = &self.vars[x];
        !s.atoms.is_empty() || !s.slacks.is_empty()
    }

    fn is_bounded(&self, x: Var, upper: bool) -> bool {
        let s = &self.vars[x];
        match upper {
            true => s.upper.is_some() || s.derived_upper.is_some(),
            false => s.lower.is_some() || s.derived_lower.is_some(),
        }
    }

    /// Whether a derived bound is worth keeping: the first, or better by 1 at least, and after some by a part of what
    /// is left.
    fn improves_on(&self, y: Var, upper: bool, value: &Delta) -> bool {
        let Some((now, _)) = self.best(y, upper) else {
            return true;
        };
        let gain = match upper {
            true => &now.real - &value.real,
            false => &value.real - &now.real,
        };
        if gain < Rational::ONE {
            return false;
        }
        if self.small_steps(y, upper) < SMALL_STEPS {
            return true;
        }
        let left = match self.best(y, !upper) {
            Some((other, _)) => (&now.real - &other.real).abs(),
            None => now.real.abs(),
        };
        &gain * &Rational::from(PART) >= left
    }

    fn small_steps(&self, y: Var, upper: bool) -> u32 {
        let state = &self.vars[y];
        let derived = match upper {
            true => &state.derived_upper,
            false => &state.derived_lower,
        };
        derived.as_ref().map_or(0, |d| d.steps)
    }

    fn derive(&mut self, y: Var, upper: bool, value: Delta, parents: Vec<(Source, Rational)>) {
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { parents });
        let before = self.best(y, upper).map(|(v, _)| v.clone());
        self.sort_atoms(y);
        for i in self.atoms_between(y, upper, &value, before.as_ref()) {
            let b = self.vars[y].atoms[i];
            if let Some(lit) = self.implied_by(b, upper, &value) {
                self.imply(lit, Reason::Derived(node));
            }
        }
        let steps = self.small_steps(y, upper) + 1;
        let state = &mut self.vars[y];
        let slot = if upper {
            &mut state.derived_upper
        } else {
            &mut state.derived_lower
        };
        let old = slot.replace(DerivedBound { value, node, steps });
        self.trail.push(Undo::Derived { var: y, upper, old });
    }

    /// The tightest bound, asserted or derived.
    fn best(&self, x: Var, upper: bool) -> Option<(&Delta, Source)> {
        let s = &self.vars[x];
        let (asserted, derived) = if upper {
            (&s.upper, &s.derived_upper)
        } else {
            (&s.lower, &s.derived_lower)
        };
        let asserted = asserted
            .as_ref()
            .map(|b| (&b.value, Source::Asserted(b.reason)));
        let Some(derived) = derived else {
            return asserted;
        };
        match asserted {
            Some((v, _)) if (*v <= derived.value) == upper || *v == derived.value => asserted,
            _ => Some((&derived.value, Source::Derived(derived.node))),
        }
    }

    /// The bound that limits `c * x` from below (or from above).
    fn extreme(&self, x: Var, c: &Rational, least: bool) -> Option<(&Delta, Source)> {
        self.best(x, c.is_positive() != least)
    }

    /// The asserted literals that a node comes from, with their weights.
    pub(crate) fn expand(&self, node: u32) -> Vec<(Lit, Rational)> {
        let mut lits: BTreeMap<Lit, Rational> = BTreeMap::new();
        let mut open: BTreeMap<u32, Rational> = BTreeMap::from([(node, Rational::ONE)]);
        // Parents are older, so the youngest node has its full weight.
        while let Some((n, weight)) = open.pop_last() {
            for (source, w) in &self.nodes[n as usize].parents {
                let slot = match source {
                    Source::Asserted(l) => lits.entry(*l).or_default(),
                    Source::Derived(p) => open.entry(*p).or_default(),
                };
                *slot = slot.mul_add(&weight, w);
            }
        }
        lits.into_iter().collect()
    }
}
