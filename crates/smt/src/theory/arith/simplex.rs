//! The check of the general simplex: repair basic variables that are out of bounds by pivoting.
//!
//! The leaving variable is the smallest one out of bounds; the entering one has the shortest
//! column. After a number of pivots the entering variable is the smallest as well (Bland's rule),
//! which makes the loop end. When no variable of the row can give way, the row and the bounds it
//! sits on are a Farkas refutation.

use super::delta::Delta;
use super::tableau::Tableau;
use super::{Arith, Conflict, Meaning, Var};
use crate::Lit;
use base::{Budget, Id, Stop};
use logic::Rational;
use std::cmp::Reverse;

/// Pivots of one check before Bland's rule takes over.
const PATIENCE: usize = 200;

impl Arith {
    /// Decides the asserted bounds over the rationals.
    ///
    /// A budget that runs out shows in [`Arith::stopped`]; the result is then `Ok`.
    pub fn check(&mut self, budget: &Budget) -> Result<(), Conflict> {
        self.stopped = None;
        if self.touched.is_empty() && self.suspects.is_empty() {
            return Ok(());
        }
        self.stats.checks += 1;
        if self.changed.len() > self.vars.len() {
            self.changed.clear();
        }
        if self.idle > 64 && self.idle > 2 * self.tableau.row_count() / 3 {
            self.rebuild();
        }
        if let Err(stop) = self.settle_touched(budget) {
            self.stopped = Some(stop);
            return Ok(());
        }
        let mut pivots = 0;
        while let Some(Reverse(x)) = self.suspects.pop() {
            self.vars[x].suspect = false;
            let Some(row) = self.tableau.row_of(x) else {
                continue;
            };
            let Some((rising, target)) = self.violated(x) else {
                continue;
            };
            match self.entering(row, rising, pivots > PATIENCE) {
                Some(pos) => {
                    self.move_and_pivot(row, pos, &target);
                    pivots += 1;
                    // A pivot in a large tableau takes milliseconds.
                    if let Err(stop) = budget.spend(self.tableau.ticks()) {
                        self.stopped = Some(stop);
                        return Ok(());
                    }
                }
                None => {
                    self.suspect(x);
                    self.stats.conflicts += 1;
                    return Err(self.row_conflict(row, rising));
                }
            }
        }
        Ok(())
    }

    /// Whether a variable must rise or fall, and to which value.
    fn violated(&self, x: Var) -> Option<(bool, Delta)> {
        let s = &self.vars[x];
        if let Some(b) = s.lower.as_ref().filter(|b| s.value < b.value) {
            return Some((true, b.value.clone()));
        }
        let b = s.upper.as_ref().filter(|b| s.value > b.value)?;
        Some((false, b.value.clone()))
    }

    pub(crate) fn suspect(&mut self, x: Var) {
        if !self.vars[x].suspect {
            self.vars[x].suspect = true;
            self.suspects.push(Reverse(x));
        }
    }

    /// Brings newly bounded slacks into the tableau and non-basic variables within their bounds.
    /// Stopped half-way, the rest stays touched.
    fn settle_touched(&mut self, budget: &Budget) -> Result<(), Stop> {
        let mut touched = std::mem::take(&mut self.touched);
        // Definitions first, so that what they define is still new.
        for i in 0..touched.len() {
            let x = touched[i];
            let Some(value) = self.fixed_at(x) else {
                continue;
            };
            if self.vars[x].present || self.is_settled(x) {
                continue;
            }
            if let Err(stop) = budget.spend(self.tableau.ticks()) {
                self.touched = touched;
                return Err(stop);
            }
            match self.solve_for_good(x, &value) {
                // Its bounds, if it has any, need a row now.
                Some(solved) => touched.push(solved),
                None => {
                    self.make_present(x);
                    self.solve_for_new(x);
                }
            }
        }
        for i in 0..touched.len() {
            let x = touched[i];
            if let Err(stop) = budget.spend(self.tableau.ticks()) {
                self.touched = touched.split_off(i);
                return Err(stop);
            }
            self.vars[x].touched = false;
            let s = &self.vars[x];
            if s.lower.is_none() && s.upper.is_none() {
                continue;
            }
            self.changed.push(x);
            if self.is_settled(x) {
                continue;
            }
            self.make_present(x);
            if self.tableau.row_of(x).is_some() {
                if self.violated(x).is_some() {
                    self.suspect(x);
                }
            } else if let Some((_, target)) = self.violated(x) {
                let step = target.sub(&self.vars[x].value);
                self.shift(x, &step);
            }
        }
        touched.clear();
        self.touched = touched;
        Ok(())
    }

    pub(crate) fn make_present(&mut self, x: Var) {
        if self.vars[x].present {
            return;
        }
        let definition = self.reduced_definition(x);
        let mut value = Delta::ZERO;
        for (v, c) in &definition {
            value = value.add_scaled(c, &self.vars[*v].value);
        }
        self.tableau.add_row(x, &definition);
        let state = &mut self.vars[x];
        state.value = value;
        state.present = true;
        if self.is_idle(x) {
            self.idle += 1;
        }
    }

    /// The value of a variable whose bounds meet.
    fn fixed_at(&self, x: Var) -> Option<Delta> {
        match (&self.vars[x].lower, &self.vars[x].upper) {
            (Some(l), Some(u)) if l.value == u.value => Some(l.value.clone()),
            _ => None,
        }
    }

    /// A slack that is fixed gives its row to a variable that nothing else depends on: `y = x + 1`
    /// along a path defines `y`, so the row holds from the start and stays as short as `x`'s.
    fn solve_for_new(&mut self, x: Var) {
        let (Some(target), Some(row)) = (self.fixed_at(x), self.tableau.row_of(x)) else {
            return;
        };
        let entries = &self.tableau.row(row).entries;
        let new = entries.iter().rposition(|e| {
            let s = &self.vars[e.var];
            self.tableau.col(e.var).len() == 1 && s.lower.is_none() && s.upper.is_none()
        });
        if let Some(pos) = new {
            self.move_and_pivot(row, pos, &target);
        }
    }

    /// Moves a non-basic variable and the basic ones that depend on it.
    pub(crate) fn shift(&mut self, x: Var, step: &Delta) {
        if step.is_zero() {
            return;
        }
        self.elimination.stale = true;
        self.vars[x].value = self.vars[x].value.add_scaled(&Rational::ONE, step);
        for i in 0..self.tableau.col(x).len() {
            let cell = self.tableau.col(x)[i];
            let row = self.tableau.row(cell.row);
            let basic = row.basic;
            let coeff = &row.entries[cell.pos as usize].coeff;
            let value = &self.vars[basic].value;
            let value = if row.den.is_one() {
                value.add_scaled(coeff, step)
            } else {
                value.add_scaled(&(coeff / &row.den), step)
            };
            self.vars[basic].value = value;
            if !self.vars[basic].suspect && self.violated(basic).is_some() {
                self.suspect(basic);
            }
        }
    }

    /// A position of the row whose variable can move so that the basic one rises (or falls).
    fn entering(&self, row: u32, rising: bool, bland: bool) -> Option<usize> {
        let mut best: Option<(usize, usize, Var)> = None;
        for (pos, e) in self.tableau.row(row).entries.iter().enumerate() {
            let s = &self.vars[e.var];
            let up = e.coeff.is_positive() == rising;
            let free = if up {
                s.upper.as_ref().is_none_or(|b| s.value < b.value)
            } else {
                s.lower.as_ref().is_none_or(|b| s.value > b.value)
            };
            if !free {
                continue;
            }
            let cost = if bland {
                0
            } else {
                self.tableau.col(e.var).len()
            };
            if best.is_none_or(|(c, _, v)| (cost, e.var) < (c, v)) {
                best = Some((cost, pos, e.var));
            }
        }
        best.map(|(_, pos, _)| pos)
    }

    /// Brings the basic variable of `row` to `target` by moving the one at `pos`, and swaps them.
    fn move_and_pivot(&mut self, row: u32, pos: usize, target: &Delta) {
        let r = self.tableau.row(row);
        let (leaving, e) = (r.basic, &r.entries[pos]);
        let (entering, ratio) = (e.var, &r.den / &e.coeff);
        let step = target.sub(&self.vars[leaving].value).scale(&ratio);
        self.shift(entering, &step);
        debug_assert!(self.vars[leaving].value == *target);
        self.tableau.pivot(row, pos);
        self.stats.pivots += 1;
        if self.violated(entering).is_some() {
            self.suspect(entering);
        }
    }

    /// The refutation of a row whose basic variable cannot rise (or fall) to its bound.
    fn row_conflict(&self, row: u32, rising: bool) -> Conflict {
        let r = self.tableau.row(row);
        let mut bounds = vec![(r.basic, !rising, r.den.clone())];
        for e in r.entries.iter().filter(|e| !self.is_one(e.var)) {
            let upper = e.coeff.is_positive() == rising;
            bounds.push((e.var, upper, e.coeff.abs()));
        }
        self.conflict_of(&self.cancel(&bounds))
    }

    pub(crate) fn bound_reason(&self, x: Var, upper: bool) -> Lit {
        let s = &self.vars[x];
        let bound = if upper { &s.upper } else { &s.lower };
        bound
            .as_ref()
            .expect("a blocked variable is bounded")
            .reason
    }

    /// Starts from the definitions again, with the slacks that are bounded now. Values stay, so
    /// only what they violate needs pivots.
    fn rebuild(&mut self) {
        self.tableau = Tableau::default();
        self.touched.clear();
        for i in 0..self.vars.len() {
            let x = Var::from_index(i);
            self.tableau.add_var();
            let state = &mut self.vars[x];
            if matches!(state.meaning, Meaning::Slack(_)) || state.solved.is_some() {
                state.present = false;
            }
            let bounded = state.lower.is_some() || state.upper.is_some();
            state.touched = bounded && !matches!(state.meaning, Meaning::One);
            if state.touched {
                self.touched.push(x);
            }
        }
        self.idle = 0;
    }
}
