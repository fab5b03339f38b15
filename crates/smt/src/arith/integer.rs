//! Integrality: a rational solution is not enough for integer terms.
//!
//! First the equalities among the bounds are solved over the integers, which refutes parity
//! conflicts that branching would chase for ever. Then a term with a fractional value is
//! branched on: `x <= k or x >= k + 1`. Branches are on terms, never on slacks, so that each new
//! atom has the symbols of one term and can be interpolated. (Over Int both literals are
//! of one atom, so the clause is a tautology: what it brings is the atom to decide.)

use super::bounds::Bound;
use super::diophantine::Diophantine;
use super::{Arith, Conflict, FinalCheck, Meaning, TheoryLemma, Var};
use crate::proof::Certificate;
use logic::{Budget, Id, Pool, Rational};

/// Branches of one search before we give up.
const BRANCH_LIMIT: u32 = 5_000;

impl Arith {
    /// Says that a new search begins: limits on effort are per search.
    pub fn begin_search(&mut self) {
        self.branch_effort = 0;
    }

    pub(super) fn check_integers(&mut self, pool: &mut Pool, budget: &Budget) -> FinalCheck {
        if self.branch_variable().is_none() {
            return FinalCheck::Ok;
        }
        if let Some(conflict) = self.divisibility_conflict() {
            self.stats.divisibility_conflicts += 1;
            return FinalCheck::Conflict(conflict);
        }
        self.patch();
        let Some(x) = self.branch_variable() else {
            return FinalCheck::Ok;
        };
        if let Err(stop) = budget.check() {
            return FinalCheck::Stop(stop);
        }
        self.branch_effort += 1;
        if self.branch_effort > BRANCH_LIMIT {
            return FinalCheck::Unknown("integer branching does not end");
        }
        self.stats.branches += 1;
        let Meaning::Term(term) = self.vars[x].meaning else {
            unreachable!("branches are on terms");
        };
        let low = self.vars[x].value.real.floor();
        let high = &low + &Rational::ONE;
        let (l, h) = (pool.int(low), pool.int(high));
        let clause = vec![pool.le(term, l), pool.ge(term, h)];
        FinalCheck::Lemmas(vec![TheoryLemma {
            clause,
            cert: Certificate::Branch,
        }])
    }

    /// An integer term whose value is not integral: smallest range first, then smallest value.
    fn branch_variable(&self) -> Option<Var> {
        let mut best: Option<(bool, Rational, Var)> = None;
        for i in 0..self.vars.len() {
            let x = Var::from_index(i);
            let s = &self.vars[x];
            if !s.is_int || s.value.is_integer() || !matches!(s.meaning, Meaning::Term(_)) {
                continue;
            }
            let key = match (&s.lower, &s.upper) {
                (Some(l), Some(u)) => (false, &u.value.real - &l.value.real, x),
                _ => (true, s.value.real.abs(), x),
            };
            if best.as_ref().is_none_or(|b| key < *b) {
                best = Some(key);
            }
        }
        best.map(|(_, _, x)| x)
    }

    /// Solves the equalities that the bounds state; a system without integer solution is a
    /// conflict of both bounds of each equality in the certificate.
    fn divisibility_conflict(&self) -> Option<Conflict> {
        let mut system = Diophantine::new(self.vars.len());
        let mut fixed: Vec<(&Bound, &Bound)> = Vec::new();
        for (x, s) in self.vars.iter_enumerated() {
            let (Some(lower), Some(upper)) = (&s.lower, &s.upper) else {
                continue;
            };
            if !s.is_int || lower.value != upper.value {
                continue;
            }
            fixed.push((lower, upper));
            let single = [(x, Rational::ONE)];
            let definition: &[(Var, Rational)] = match &s.meaning {
                Meaning::Term(_) => &single,
                Meaning::Slack(definition) => definition,
            };
            let terms = definition
                .iter()
                .map(|(v, c)| (v.index() as u32, c.clone()));
            let Some(certificate) = system.add(terms, lower.value.real.clone()) else {
                continue;
            };
            let mut conflict = Conflict {
                lits: Vec::new(),
                cert: Certificate::Branch,
            };
            let mut weights = Vec::new();
            for (i, multiplier) in certificate {
                let (lower, upper) = fixed[i as usize];
                // The upper bound's atom is |factor| * (form - value) <= 0.
                let factor = self.atom(upper.reason.var()).factor.abs();
                conflict.lits.extend([!upper.reason, !lower.reason]);
                weights.extend([&multiplier / &factor, Rational::ZERO]);
            }
            conflict.cert = Certificate::Divisibility(weights);
            return Some(conflict);
        }
        None
    }

    /// Tries to make basic integer variables integral by small moves of non-basic ones that keep
    /// every bound and make no other integer variable fractional.
    fn patch(&mut self) {
        for i in 0..self.vars.len() {
            let x = Var::from_index(i);
            let s = &self.vars[x];
            if !s.is_int || s.value.is_integer() {
                continue;
            }
            let Some(row) = self.tableau.row_of(x) else {
                continue;
            };
            let step = self.tableau.row(row).entries.iter().find_map(|e| {
                if !self.vars[e.var].is_int || self.tableau.col(e.var).len() > 64 {
                    return None;
                }
                let most = self.tableau.row(row).den.to_i64()?.min(16);
                (1..most)
                    .flat_map(|n| [n, -n])
                    .map(Rational::from)
                    .find(|step| self.improves(e.var, step))
                    .map(|step| (e.var, step))
            });
            if let Some((y, step)) = step {
                self.shift(y, &step.into());
            }
        }
    }

    /// Whether moving a non-basic variable keeps bounds, makes some integer variable integral and
    /// none fractional.
    fn improves(&self, y: Var, step: &Rational) -> bool {
        let within = |x: Var, real: &Rational| {
            let s = &self.vars[x];
            let value = super::Delta::new(real.clone(), s.value.delta.clone());
            s.lower.as_ref().is_none_or(|b| b.value <= value)
                && s.upper.as_ref().is_none_or(|b| value <= b.value)
        };
        if !within(y, &(&self.vars[y].value.real + step)) {
            return false;
        }
        let mut better = false;
        for cell in self.tableau.col(y) {
            let row = self.tableau.row(cell.row);
            let coeff = &row.entries[cell.pos as usize].coeff / &row.den;
            let s = &self.vars[row.basic];
            let moved = s.value.real.mul_add(&coeff, step);
            if !within(row.basic, &moved) {
                return false;
            }
            if s.is_int {
                let (before, after) = (s.value.real.is_integer(), moved.is_integer());
                if before && !after {
                    return false;
                }
                better |= after && !before;
            }
        }
        better
    }
}
