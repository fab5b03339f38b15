//! Integrality: a rational solution is not enough for integer terms.
//!
//! First the equalities among the bounds are solved over the integers, which refutes parity
//! conflicts that branching would chase for ever. The solved equalities also say which residues a
//! bounded form can have; no residue between its bounds is a conflict, a residue beyond a bound a good
//! place to branch (a cut, in two steps). Then a term with a fractional value is
//! branched on: `x <= k or x >= k + 1`. Branches are on terms, never on slacks, so that each new
//! atom has the symbols of one term and can be interpolated. (Over Int both literals are
//! of one atom, so the clause is a tautology: what it brings is the atom to decide.)

use super::bounds::Bound;
use super::diophantine::Diophantine;
use super::{Arith, Conflict, FinalCheck, Meaning, TheoryLemma, Var};
use crate::Lit;
use crate::proof::Certificate;
use base::{Budget, Id, Stop};
use logic::{Linear, Pool, Rational, TermId};

/// Branches of one search before we give up.
const BRANCH_LIMIT: u32 = 5_000;

/// What the equalities among integers tell.
enum Solved {
    Conflict(Conflict),
    /// The form is at most this or at least 1 more, and its value is on the side that has no
    /// solutions.
    Cut(Var, Rational),
    Nothing,
}

impl Arith {
    /// Says that a new search begins: limits on effort are per search.
    pub fn begin_search(&mut self) {
        self.branch_effort = 0;
    }

    pub(crate) fn check_integers(&mut self, pool: &mut Pool, budget: &Budget) -> FinalCheck {
        if self.branch_variable().is_none() {
            return FinalCheck::Ok;
        }
        let solved = match self.solve_equalities(budget) {
            Ok(solved) => solved,
            Err(stop) => return FinalCheck::Stop(stop),
        };
        let cut = match solved {
            Solved::Conflict(conflict) => {
                self.stats.divisibility_conflicts += 1;
                return FinalCheck::Conflict(conflict);
            }
            Solved::Cut(x, low) => Some((x, low)),
            Solved::Nothing => None,
        };
        if cut.is_none() {
            self.patch();
        }
        let Some((x, low)) = cut.or_else(|| {
            let x = self.branch_variable()?;
            Some((x, self.vars[x].value.real.floor()))
        }) else {
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
        let term = self.form_term(pool, x);
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
            // A solved term is integral when the others are.
            if !s.is_int
                || !s.present
                || s.value.is_integer()
                || !matches!(s.meaning, Meaning::Term(_))
            {
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

    /// The term of an integer variable or slack.
    fn form_term(&self, pool: &mut Pool, x: Var) -> TermId {
        let definition = match &self.vars[x].meaning {
            Meaning::Term(term) => return *term,
            Meaning::Slack(definition) => definition,
            Meaning::One => unreachable!("branches are on terms and slacks"),
        };
        let mut linear = Linear::constant(Rational::ZERO);
        for (v, c) in definition {
            let Meaning::Term(term) = self.vars[*v].meaning else {
                unreachable!("slacks are defined by terms");
            };
            linear.terms.push((term, c.clone()));
        }
        linear.terms.sort_unstable_by_key(|(t, _)| *t);
        let int = pool.int_sort();
        pool.from_linear(&linear, int)
    }

    /// Solves the equalities that the bounds state. A system without integer solution is a conflict of
    /// both bounds of each equality in the certificate; so is one that leaves a form no value
    /// between its bounds.
    fn solve_equalities(&self, budget: &Budget) -> Result<Solved, Stop> {
        let mut system = Diophantine::new(self.vars.len());
        let mut fixed: Vec<(&Bound, &Bound)> = Vec::new();
        let terms = |x: Var| {
            let single = [(x.index() as u32, Rational::ONE)];
            let definition: &[(Var, Rational)] = match &self.vars[x].meaning {
                Meaning::Slack(definition) => definition,
                _ => &[],
            };
            let many = definition
                .iter()
                .map(|(v, c)| (v.index() as u32, c.clone()));
            let single = single.into_iter().filter(|_| definition.is_empty());
            many.chain(single).collect::<Vec<_>>().into_iter()
        };
        let mut open = Vec::new();
        for (x, s) in self.vars.iter_enumerated().filter(|(_, s)| s.is_int) {
            let (Some(lower), Some(upper)) = (&s.lower, &s.upper) else {
                if s.lower.is_some() || s.upper.is_some() {
                    open.push(x);
                }
                continue;
            };
            if lower.value != upper.value {
                open.push(x);
                continue;
            }
            fixed.push((lower, upper));
            budget.spend(system.ticks())?;
            if let Some(certificate) = system.add(terms(x), lower.value.real.clone()) {
                let (lits, weights) = self.equations(&fixed, &certificate, &Rational::ONE);
                let cert = Certificate::Divisibility(weights);
                return Ok(Solved::Conflict(Conflict { lits, cert }));
            }
        }
        let mut cut = Solved::Nothing;
        for x in open {
            budget.spend(system.ticks())?;
            let Some((g, rest, multipliers)) = system.residue(terms(x)) else {
                continue;
            };
            let s = &self.vars[x];
            let steps = |v: &Rational| &(v - &rest) / &g;
            let value = |n: &Rational| &rest + &(n * &g);
            // The least and the greatest value of the class within the bounds.
            let least = s
                .lower
                .as_ref()
                .map(|b| value(&steps(&b.value.real).ceil()));
            let most = s
                .upper
                .as_ref()
                .map(|b| value(&steps(&b.value.real).floor()));
            if let (Some(least), Some(most), Some(lower), Some(upper)) =
                (&least, &most, &s.lower, &s.upper)
                && least > most
            {
                let (mut lits, weights) = self.equations(&fixed, &multipliers, &g.recip());
                let mut weights: Vec<_> = weights.into_iter().map(|w| (w, false)).collect();
                for bound in [upper, lower] {
                    let factor = self.atom(bound.reason.var()).factor.abs();
                    lits.push(!bound.reason);
                    weights.push(((&g * &factor).recip(), true));
                }
                let cert = Certificate::Residue(weights);
                return Ok(Solved::Conflict(Conflict { lits, cert }));
            }
            let now = &s.value.real;
            match (least, most) {
                (Some(least), _) if *now < least => {
                    cut = Solved::Cut(x, &least - &Rational::ONE);
                }
                (_, Some(most)) if *now > most => cut = Solved::Cut(x, most),
                _ => {}
            }
        }
        Ok(cut)
    }

    /// The literals of equalities `lower = upper`, negated, with weights: the multiplier of the
    /// equality times `scale` at its upper bound.
    fn equations(
        &self,
        fixed: &[(&Bound, &Bound)],
        multipliers: &[(u32, Rational)],
        scale: &Rational,
    ) -> (Vec<Lit>, Vec<Rational>) {
        let (mut lits, mut weights) = (Vec::new(), Vec::new());
        for (i, multiplier) in multipliers {
            let (lower, upper) = fixed[*i as usize];
            // The upper bound's atom is |factor| * (form - value) <= 0.
            let factor = self.atom(upper.reason.var()).factor.abs();
            lits.extend([!upper.reason, !lower.reason]);
            weights.extend([&(multiplier * scale) / &factor, Rational::ZERO]);
        }
        (lits, weights)
    }

    /// Tries to make basic integer variables integral by moves of non-basic ones that keep every bound and make no
    /// other integer variable fractional. Which moves make the variable integral is a congruence.
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
            let row = self.tableau.row(row);
            let step = row.entries.iter().find_map(|e| {
                if !self.vars[e.var].is_int || self.tableau.col(e.var).len() > 64 {
                    return None;
                }
                let coeff = &e.coeff / &row.den;
                let steps = integral_steps(&s.value.real, &coeff)?;
                let mut steps = steps.into_iter().map(Rational::from);
                let step = steps.find(|step| self.improves(e.var, step))?;
                Some((e.var, step))
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

/// The least steps `k` up and down for which `value + k * coeff` is an integer, the shorter one first; `None` if there
/// are none, or they are beyond machine integers.
fn integral_steps(value: &Rational, coeff: &Rational) -> Option<[i64; 2]> {
    let small = |n| Rational::new(n, 1).to_i64().map(i128::from);
    let (p, q) = (small(value.numerator())?, small(value.denominator())?);
    let (a, b) = (small(coeff.numerator())?, small(coeff.denominator())?);
    if b % q != 0 {
        return None;
    }
    // k * a = -p * (b / q) modulo b, and a is invertible.
    let wanted = (-p).rem_euclid(b) * (b / q) % b;
    let up = wanted * inverse(a.rem_euclid(b), b)? % b;
    let (up, down) = (i64::try_from(up).ok()?, i64::try_from(up - b).ok()?);
    Some(if up <= -down { [up, down] } else { [down, up] })
}

/// The number whose product with `n` leaves 1 modulo the other, if there is one.
pub(crate) fn inverse(n: i128, modulus: i128) -> Option<i128> {
    let (mut r, mut next) = (modulus, n);
    let (mut x, mut following) = (0, 1);
    while next != 0 {
        let quotient = r / next;
        (r, next) = (next, r - quotient * next);
        (x, following) = (following, x - quotient * following);
    }
    (r == 1).then(|| x.rem_euclid(modulus))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_make_the_value_integral_and_none_is_shorter() {
        for q in 1..=6i64 {
            for p in -7..=7i64 {
                for b in 1..=12i64 {
                    for a in (-13..=13i64).filter(|a| *a != 0) {
                        let (value, coeff) = (Rational::new(p, q), Rational::new(a, b));
                        let integral =
                            |k: i64| value.mul_add(&coeff, &Rational::from(k)).is_integer();
                        let steps = integral_steps(&value, &coeff);
                        let up = (0..40).find(|&k| integral(k));
                        let down = (1..40).find(|&k| integral(-k)).map(|k| -k);
                        let found = steps.map(|mut s| {
                            s.sort_unstable();
                            (s[1], s[0])
                        });
                        assert_eq!(found, up.zip(down), "{p}/{q} + k * {a}/{b}");
                    }
                }
            }
        }
    }
}
