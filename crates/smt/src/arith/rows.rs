//! Bounds derived from rows: `y = x + 1` and `x >= 3` give `y >= 4`.
//!
//! Derived bounds serve propagation only; the simplex never sees them. Each is a node that names
//! the bounds it comes from, asserted literals or older nodes, with their weights; an
//! explanation multiplies the weights out. Values are not rounded, so that it is a Farkas
//! combination of asserted literals.
//!
//! The definitions of slacks are the best source: short, and the same whatever the basis is. The
//! rows of the tableau add what follows from several of them at once.
//!
//! Rounds are limited: tightening may go on for ever on cycles of rows, and long rows cost more
//! than the literals they imply are worth.

use super::delta::Delta;
use super::propagate::Reason;
use super::{Arith, Undo, Var};
use crate::Lit;
use logic::Rational;
use std::collections::BTreeMap;

/// Limits on one round: entries read in definitions, and in all; entries of a row; definitions
/// (the youngest) and rows looked at per variable.
const DEFINITION_WORK: usize = 4_000;
const ROW_WORK: usize = 5_000;
const ROW_LENGTH: usize = 60;
const SLACKS_PER_VAR: usize = 64;
const ROWS_PER_VAR: usize = 16;

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
}

impl Arith {
    /// Derives bounds from the definitions of slacks over variables with new bounds, and of those in
    /// turn; then, with what work is left, from the rows of the first.
    pub(super) fn imply_rows(&mut self) {
        let mut queue = std::mem::take(&mut self.changed);
        let first = queue.len().min(64);
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
        let mut terms = Vec::new();
        for i in 0..first {
            let x = queue[i];
            let rows = match self.tableau.row_of(x) {
                Some(_) => 1,
                None => self.tableau.col(x).len().min(ROWS_PER_VAR),
            };
            for k in 0..rows {
                let r = match self.tableau.row_of(x) {
                    Some(r) => r,
                    None => self.tableau.col(x)[k].row,
                };
                let row = self.tableau.row(r);
                work += row.entries.len().min(ROW_LENGTH);
                if row.entries.len() > ROW_LENGTH || work > ROW_WORK {
                    continue;
                }
                terms.clear();
                terms.push((row.basic, -&row.den));
                terms.extend(row.entries.iter().map(|e| (e.var, e.coeff.clone())));
                self.imply_equation(&terms, &mut queue);
            }
            if work > ROW_WORK {
                break;
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
        let mut sum = Delta::ZERO;
        let mut open = None;
        for (x, c) in terms {
            match self.extreme(*x, c, least) {
                Some((value, _)) => sum = sum.add_scaled(c, value),
                None if open.is_some() => return,
                None => open = Some(*x),
            }
        }
        for (y, c) in terms {
            if open.is_some_and(|o| o != *y) {
                continue;
            }
            let rest = match self.extreme(*y, c, least) {
                Some((value, _)) => sum.add_scaled(&-c, value),
                None => sum.clone(),
            };
            let value = rest.scale(&-c.recip());
            let upper = c.is_positive() == least;
            if self.improves_on(*y, upper, &value) {
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

    /// Whether a derived bound is worth keeping: the first, or better by 1 at least.
    fn improves_on(&self, y: Var, upper: bool, value: &Delta) -> bool {
        match self.best(y, upper) {
            None => true,
            Some((now, _)) if upper => &value.real + &Rational::ONE <= now.real,
            Some((now, _)) => value.real >= &now.real + &Rational::ONE,
        }
    }

    fn derive(&mut self, y: Var, upper: bool, value: Delta, parents: Vec<(Source, Rational)>) {
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { parents });
        let before = self.best(y, upper).map(|(v, _)| v.clone());
        for i in self.atoms_between(y, upper, &value, before.as_ref()) {
            let b = self.vars[y].atoms[i];
            if let Some(lit) = self.implied_by(b, upper, &value) {
                self.imply(lit, Reason::Derived(node));
            }
        }
        let state = &mut self.vars[y];
        let slot = if upper {
            &mut state.derived_upper
        } else {
            &mut state.derived_lower
        };
        let old = slot.replace(DerivedBound { value, node });
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
    pub(super) fn expand(&self, node: u32) -> Vec<(Lit, Rational)> {
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
