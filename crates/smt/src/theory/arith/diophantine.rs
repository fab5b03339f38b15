//! Linear equations over the integers: a system without solution has a divisibility certificate.
//!
//! Terms. Equations `sum of a * x = c` with integer `a`. A certificate is a list of multipliers
//! whose weighted sum has integer coefficients and a constant that is no integer.
//!
//! Idea. Each equation is reduced by the solved ones, then divided by the gcd `g` of its
//! coefficients; if `g` does not divide the constant, the multipliers so far, over `g`, are the
//! certificate. A variable with coefficient 1 is solved for. If there is none, with `c` the least
//! coefficient, of `y`: put `t = y + sum of round(a/c) * x`, an integer, and write the equation in
//! `t`, whose other coefficients are at most half as large. `2x = a, 2y = a + 1`: solving for `a`
//! leaves `2y - 2x = 1`, and 1/2 of the difference of both equations refutes them.
//!
//! Source: Griggio, A Practical Approach to Satisfiability Modulo Linear Integer Arithmetic, 2012,
//! section 4. Invariant: a solved equation mentions no variable solved before it; the variables
//! `t` are integer combinations of the original ones, so they keep certificates right.

use super::tableau::{div_exact, gcd};
use logic::Rational;
use std::collections::{BTreeMap, BTreeSet};

/// `sum of terms = constant`, with the combination of the input that it is.
#[derive(Clone, Debug, Default)]
struct Equation {
    terms: BTreeMap<u32, Rational>,
    constant: Rational,
    multipliers: BTreeMap<u32, Rational>,
}

/// Modulus, remainder, and multipliers by number of the equation.
pub(crate) type Residue = (Rational, Rational, Vec<(u32, Rational)>);

const UNSOLVED: u32 = u32::MAX;

/// Steps (coefficients touched) before the search is given up.
const EFFORT: usize = 4_000_000;

#[derive(Debug, Default)]
pub(crate) struct Diophantine {
    /// When each variable was solved.
    order: Vec<u32>,
    /// Each with coefficient 1 for the variable it solves.
    solved: Vec<(u32, Equation)>,
    inputs: u32,
    effort: usize,
    /// That of it which was charged.
    charged: usize,
}

fn add_into(into: &mut BTreeMap<u32, Rational>, factor: &Rational, from: &BTreeMap<u32, Rational>) {
    for (k, c) in from {
        let slot = into.entry(*k).or_default();
        *slot = slot.mul_add(factor, c);
        if slot.is_zero() {
            into.remove(k);
        }
    }
}

impl Equation {
    fn add_scaled(&mut self, factor: &Rational, other: &Equation) {
        add_into(&mut self.terms, factor, &other.terms);
        add_into(&mut self.multipliers, factor, &other.multipliers);
        self.constant = self.constant.mul_add(factor, &other.constant);
    }

    /// Divides by an integer that divides all coefficients.
    fn divide(&mut self, by: &Rational) {
        for c in self.terms.values_mut() {
            *c = div_exact(c, by);
        }
        for c in self.multipliers.values_mut() {
            *c = &*c / by;
        }
        self.constant = &self.constant / by;
    }
}

impl Diophantine {
    /// The work since the last call, in ticks.
    pub fn ticks(&mut self) -> u64 {
        let new = self.effort - self.charged;
        self.charged = self.effort;
        new as u64 / crate::ticks::ENTRIES
    }

    /// Over variables `0..vars`.
    pub fn new(vars: usize) -> Self {
        Diophantine {
            order: vec![UNSOLVED; vars],
            ..Self::default()
        }
    }

    /// Adds the next equation. `Some` is a certificate: multipliers by number of the equation.
    pub fn add(
        &mut self,
        terms: impl Iterator<Item = (u32, Rational)>,
        constant: Rational,
    ) -> Option<Vec<(u32, Rational)>> {
        let mut eq = Equation {
            terms: terms.collect(),
            constant,
            multipliers: BTreeMap::from([(self.inputs, Rational::ONE)]),
        };
        self.inputs += 1;
        if self.effort > EFFORT {
            return None;
        }
        self.reduce(&mut eq);
        loop {
            let mut divisor = Rational::ZERO;
            for c in eq.terms.values() {
                divisor = gcd(&divisor, c);
            }
            if divisor.is_zero() {
                // 0 = constant: scaled so that the constant is 1/2, no integer.
                if !eq.constant.is_zero() {
                    eq.divide(&(&eq.constant * &Rational::from(2)));
                    return Some(eq.multipliers.into_iter().collect());
                }
                return None;
            }
            eq.divide(&divisor);
            if !eq.constant.is_integer() {
                return Some(eq.multipliers.into_iter().collect());
            }
            let (y, least) = eq
                .terms
                .iter()
                .min_by_key(|(k, c)| (c.abs(), **k))
                .map(|(k, c)| (*k, c.clone()))
                .expect("the divisor is not 0");
            if least.abs().is_one() {
                eq.divide(&least);
                self.solve(y, eq);
                return None;
            }
            self.change_variable(&mut eq, y, &least);
        }
    }

    /// The residue class of a form: with `(g, r, multipliers)`, `form = r + g * (an integer)`, because
    /// the form plus the equations so weighted (each as `terms - constant`) is that. `None`
    /// when nothing is known: `g` would be 0 or 1.
    pub fn residue(&mut self, terms: impl Iterator<Item = (u32, Rational)>) -> Option<Residue> {
        if self.effort > EFFORT {
            return None;
        }
        let mut eq = Equation {
            terms: terms.collect(),
            ..Equation::default()
        };
        self.reduce(&mut eq);
        let mut divisor = Rational::ZERO;
        for c in eq.terms.values() {
            divisor = gcd(&divisor, c);
            if divisor.is_one() {
                return None;
            }
        }
        if divisor.is_zero() {
            return None;
        }
        let multipliers = eq.multipliers.into_iter().collect();
        Some((divisor, -eq.constant, multipliers))
    }

    /// Replaces solved variables, oldest first: a solved equation brings in only younger ones.
    fn reduce(&mut self, eq: &mut Equation) {
        let order_of = |order: &[u32], terms: &BTreeMap<u32, Rational>| -> Vec<u32> {
            terms.keys().map(|k| order[*k as usize]).collect()
        };
        let mut due: BTreeSet<u32> = order_of(&self.order, &eq.terms).into_iter().collect();
        while let Some(at) = due.pop_first() {
            if at == UNSOLVED {
                break;
            }
            let (var, by) = &self.solved[at as usize];
            let Some(c) = eq.terms.get(var).cloned() else {
                continue;
            };
            due.extend(
                order_of(&self.order, &by.terms)
                    .into_iter()
                    .filter(|o| *o > at),
            );
            eq.add_scaled(&-c, by);
            self.effort += by.terms.len() + by.multipliers.len();
        }
    }

    fn solve(&mut self, var: u32, eq: Equation) {
        self.order[var as usize] = self.solved.len() as u32;
        self.solved.push((var, eq));
    }

    /// Puts `t = y + sum of round(a / c) * x` for the equation `c * y + sum of a * x = d`.
    fn change_variable(&mut self, eq: &mut Equation, y: u32, c: &Rational) {
        let t = self.order.len() as u32;
        self.order.push(UNSOLVED);
        let half = Rational::new(1, 2);
        let mut definition = Equation::default();
        for (x, a) in &eq.terms {
            let quotient = (&(a / c) + &half).floor();
            if !quotient.is_zero() {
                definition.terms.insert(*x, quotient);
            }
        }
        definition.terms.insert(t, Rational::MINUS_ONE);
        // `definition` has coefficient 1 for y, so this removes y and brings in c * t.
        eq.add_scaled(&-c, &definition);
        self.effort += definition.terms.len();
        self.solve(y, definition);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn solve(rows: &[(Vec<i64>, i64)]) -> Option<Vec<(u32, Rational)>> {
        let mut d = Diophantine::new(rows[0].0.len());
        rows.iter().find_map(|(coeffs, c)| {
            let terms = coeffs.iter().enumerate().filter(|(_, c)| **c != 0);
            d.add(
                terms.map(|(i, c)| (i as u32, Rational::from(*c))),
                Rational::from(*c),
            )
        })
    }

    #[test]
    fn parity() {
        // 2x - a = 0, 2y - a = 1
        assert!(solve(&[(vec![2, 0, -1], 0), (vec![0, 2, -1], 1)]).is_some());
        assert!(solve(&[(vec![6, 10, 15], 1)]).is_none());
        assert!(solve(&[(vec![6, 10, 14], 1)]).is_some());
    }

    proptest! {
        /// A certificate is right; without one there is a solution near 0, or we cannot tell.
        #[test]
        fn certificates_and_solutions(
            rows in prop::collection::vec((prop::collection::vec(-5i64..=5, 3), -6i64..=6), 1..4)
        ) {
            let solvable = (-12i64..=12).any(|x| (-12i64..=12).any(|y| (-12i64..=12).any(|z| {
                rows.iter().all(|(a, c)| a[0] * x + a[1] * y + a[2] * z == *c)
            })));
            let Some(certificate) = solve(&rows) else { return Ok(()) };
            prop_assert!(!solvable);
            let mut sum = vec![Rational::ZERO; 4];
            for (i, m) in certificate {
                let (a, c) = &rows[i as usize];
                for k in 0..3 {
                    sum[k] = sum[k].mul_add(&m, &Rational::from(a[k]));
                }
                sum[3] = sum[3].mul_add(&m, &Rational::from(*c));
            }
            prop_assert!(sum[..3].iter().all(Rational::is_integer));
            prop_assert!(!sum[3].is_integer());
        }

        /// Residue classes contain the value of the form at a planted solution.
        #[test]
        fn residues(
            rows in prop::collection::vec(prop::collection::vec(-9i64..=9, 4), 1..4),
            at in prop::collection::vec(-20i64..=20, 4),
            form in prop::collection::vec(-9i64..=9, 4)
        ) {
            let value = |a: &[i64]| -> i64 { a.iter().zip(&at).map(|(a, x)| a * x).sum() };
            let mut d = Diophantine::new(4);
            let terms = |a: &[i64]| -> Vec<(u32, Rational)> {
                let terms = a.iter().enumerate().filter(|(_, c)| **c != 0);
                terms.map(|(i, c)| (i as u32, Rational::from(*c))).collect()
            };
            for a in &rows {
                prop_assert!(d.add(terms(a).into_iter(), Rational::from(value(a))).is_none());
            }
            if let Some((g, r, multipliers)) = d.residue(terms(&form).into_iter()) {
                let quotient = &(&Rational::from(value(&form)) - &r) / &g;
                prop_assert!(quotient.is_integer());
                // The combination shows it: all coefficients are multiples of g.
                for k in 0..4 {
                    let mut sum = Rational::from(form[k]);
                    for (i, m) in &multipliers {
                        sum = sum.mul_add(m, &Rational::from(rows[*i as usize][k]));
                    }
                    prop_assert!((&sum / &g).is_integer());
                }
            }
        }

        /// Systems with a planted solution are never refuted.
        #[test]
        fn planted(
            rows in prop::collection::vec(prop::collection::vec(-9i64..=9, 4), 1..6),
            at in prop::collection::vec(-20i64..=20, 4)
        ) {
            let rows: Vec<_> = rows.into_iter().map(|a| {
                let c = a.iter().zip(&at).map(|(a, x)| a * x).sum();
                (a, c)
            }).collect();
            prop_assert!(solve(&rows).is_none());
        }
    }
}
