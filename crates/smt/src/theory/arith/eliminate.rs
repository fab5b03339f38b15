//! Equations of the outermost level, solved once and for all.
//!
//! A path in static single assignment form is full of them: `x1 = x0 + 1`, `x2 = x1 + 1`. As rows
//! of the tableau they fill it: `x500` is a sum of 500 slacks. Instead the equation of a fixed slack
//! is solved for one of its variables, which never enters the tableau: definitions of other slacks
//! are reduced first, constants being multiples of a variable that is always 1. A solved variable that
//! is bounded has a row like a slack.
//!
//! *Explanations.* A row then holds only modulo the solved equations, and a Farkas sum of bounds
//! leaves a combination of them. It is found by elimination in the order of solving (`cancel`) and
//! expressed in the original equations in the opposite order; their literals join the conflict.
//!
//! Invariants: a solved form has coefficient 1 for its variable, integer coefficients and constant,
//! and no variable solved before it. Sound because bounds of the outermost level are never undone.

use super::bounds::Bound;
use super::delta::Delta;
use super::{Arith, Meaning, Var};
use crate::{BoolVar, Lit};
use base::Id;
use logic::Rational;
use std::collections::{BTreeMap, BTreeSet};

/// `sum of form = constant`, which is `scale * (slack's definition - sum of uses)`.
#[derive(Clone, Debug)]
pub(crate) struct Solved {
    var: Var,
    slack: Var,
    form: Vec<(Var, Rational)>,
    constant: Rational,
    scale: Rational,
    /// Older solved equations, with factors.
    uses: Vec<(u32, Rational)>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Elimination {
    solved: Vec<Solved>,
    /// The variable that is always 1.
    one: Option<Var>,
    /// Values of solved variables outside the tableau are older than the tableau.
    pub(crate) stale: bool,
}

type Form = BTreeMap<Var, Rational>;

fn add(into: &mut Form, factor: &Rational, from: &[(Var, Rational)]) {
    for (v, c) in from {
        let slot = into.entry(*v).or_default();
        *slot = slot.mul_add(factor, c);
        if slot.is_zero() {
            into.remove(v);
        }
    }
}

impl Arith {
    pub(crate) fn is_one(&self, x: Var) -> bool {
        self.elimination.one == Some(x)
    }

    /// Whether a slack's equation was solved: it is out of the game.
    pub(crate) fn is_settled(&self, x: Var) -> bool {
        self.vars[x].settled
    }

    /// Replaces solved variables, oldest first; also the constant and what was used.
    fn reduce(&self, form: &mut Form) -> (Rational, Vec<(u32, Rational)>) {
        let mut constant = Rational::ZERO;
        let mut uses = Vec::new();
        let index = |v: &Var| self.vars[*v].solved;
        let mut due: BTreeSet<u32> = form.keys().filter_map(index).collect();
        while let Some(j) = due.pop_first() {
            let by = &self.elimination.solved[j as usize];
            let Some(c) = form.get(&by.var).cloned() else {
                continue;
            };
            add(form, &-&c, &by.form);
            constant = constant.mul_add(&c, &by.constant);
            let later = by.form.iter().filter_map(|(v, _)| index(v));
            due.extend(later.filter(|k| *k > j));
            uses.push((j, c));
        }
        (constant, uses)
    }

    /// The definition of a slack, or of a solved variable, over what is in the tableau.
    pub(crate) fn reduced_definition(&mut self, x: Var) -> Vec<(Var, Rational)> {
        let plain = match &self.vars[x].meaning {
            Meaning::Slack(definition) => definition.clone(),
            _ => vec![(x, Rational::ONE)],
        };
        if self.elimination.solved.is_empty() {
            return plain;
        }
        let mut form: Form = plain.into_iter().collect();
        let (constant, _) = self.reduce(&mut form);
        let mut definition: Vec<(Var, Rational)> = form.into_iter().collect();
        if !constant.is_zero() {
            definition.push((self.one(), constant));
        }
        definition
    }

    fn one(&mut self) -> Var {
        if let Some(one) = self.elimination.one {
            return one;
        }
        let value = Delta::from(Rational::ONE);
        let one = self.new_var(Meaning::One, false, true, value.clone());
        // Never looked at: conflicts leave this variable out.
        let bound = Bound {
            value,
            reason: Lit::new(BoolVar::from_index(0), true),
        };
        self.vars[one].lower = Some(bound.clone());
        self.vars[one].upper = Some(bound);
        self.elimination.one = Some(one);
        one
    }

    /// Solves the equation of a slack that is fixed at the outermost level, if one of its variables
    /// is in no row. Returns that variable.
    pub(crate) fn solve_for_good(&mut self, x: Var, value: &Delta) -> Option<Var> {
        let fits = self.levels.is_empty() && value.delta.is_zero() && value.real.is_integer();
        let Meaning::Slack(definition) = &self.vars[x].meaning else {
            return None;
        };
        if !fits {
            return None;
        }
        let mut form: Form = definition.iter().cloned().collect();
        let (constant, uses) = self.reduce(&mut form);
        // Sound because a solved integer is then a sum of integers.
        let integral = form.keys().all(|v| self.vars[*v].is_int);
        let usable = |v: Var, c: &Rational| {
            (integral || !self.vars[v].is_int)
                && c.abs().is_one()
                && self.tableau.row_of(v).is_none()
                && self.tableau.col(v).is_empty()
        };
        let (var, c) = form.iter().rev().find(|(v, c)| usable(**v, c))?;
        let (var, scale) = (*var, c.recip());
        if form.values().any(|c| !c.is_integer()) || !constant.is_integer() {
            return None;
        }
        let constant = &(&value.real - &constant) * &scale;
        let form = form.into_iter().map(|(v, c)| (v, &c * &scale)).collect();
        self.vars[var].solved = Some(self.elimination.solved.len() as u32);
        self.vars[var].present = false;
        self.vars[x].settled = true;
        self.elimination.solved.push(Solved {
            var,
            slack: x,
            form,
            constant,
            scale,
            uses,
        });
        self.elimination.stale = true;
        Some(var)
    }

    /// Adds the literals of solved equations to those of bounds whose weighted sum is a contradiction
    /// only modulo the equations. A bound is given as variable, whether it is an upper one, weight.
    pub(crate) fn cancel(&self, bounds: &[(Var, bool, Rational)]) -> Vec<(Lit, Rational)> {
        let mut weighted = Vec::with_capacity(bounds.len());
        let mut rest = Form::new();
        for (x, upper, weight) in bounds {
            weighted.push((self.bound_reason(*x, *upper), weight.clone()));
            if self.elimination.solved.is_empty() {
                continue;
            }
            let factor = if *upper { weight.clone() } else { -weight };
            match &self.vars[*x].meaning {
                Meaning::Slack(definition) => add(&mut rest, &factor, definition),
                _ => add(&mut rest, &factor, &[(*x, Rational::ONE)]),
            }
        }
        if rest.is_empty() {
            return weighted;
        }
        let (_, uses) = self.reduce(&mut rest);
        debug_assert!(rest.is_empty(), "the sum is constant modulo the equations");
        // From solved to original equations, youngest first.
        let mut factors: BTreeMap<u32, Rational> = uses.into_iter().collect();
        while let Some((j, factor)) = factors.pop_last() {
            if factor.is_zero() {
                continue;
            }
            let s = &self.elimination.solved[j as usize];
            let own = &factor * &s.scale;
            for (i, m) in &s.uses {
                let slot = factors.entry(*i).or_default();
                *slot = slot.mul_add(&-&own, m);
            }
            // The sum has `own` times the form, so that much is taken away.
            weighted.push((self.bound_reason(s.slack, own.is_negative()), own.abs()));
        }
        weighted
    }

    /// Brings the values of solved variables that have no row up to date.
    pub fn refresh(&mut self) {
        if !std::mem::take(&mut self.elimination.stale) {
            return;
        }
        for j in (0..self.elimination.solved.len()).rev() {
            let s = &self.elimination.solved[j];
            if self.vars[s.var].present {
                continue;
            }
            let mut value = Delta::from(s.constant.clone());
            for (v, c) in &s.form {
                if *v != s.var {
                    value = value.add_scaled(&-c, &self.vars[*v].value);
                }
            }
            let var = s.var;
            self.vars[var].value = value;
        }
    }
}
