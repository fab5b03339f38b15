//! Projections of random literals over four integers, against all values in a box: the result holds
//! at the point, and wherever it holds there are values for what was eliminated.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::{Answer, Solvers};
use base::Budget;
use base::Random;
use logic::{Model, eval};

/// `sum + constant` stands in this relation to 0.
#[derive(Clone, Copy, Debug)]
enum Kind {
    AtMost,
    Equal,
    /// The remainder by 3 is this.
    Rest(i64),
}

#[derive(Clone, Debug)]
struct Literal {
    coefficients: [i64; 4],
    constant: i64,
    kind: Kind,
}

impl Literal {
    fn holds(&self, values: [i64; 4]) -> bool {
        let products = self.coefficients.iter().zip(values).map(|(c, v)| c * v);
        let sum = products.sum::<i64>() + self.constant;
        match self.kind {
            Kind::AtMost => sum <= 0,
            Kind::Equal => sum == 0,
            Kind::Rest(r) => sum.rem_euclid(3) == r,
        }
    }

    /// A random literal that is true of the values.
    fn random(r: &mut Random, values: [i64; 4]) -> Self {
        let coefficients = [(); 4].map(|()| r.between(-2, 2));
        let products = coefficients.iter().zip(values).map(|(c, v)| c * v);
        let sum = products.sum::<i64>();
        let constant = r.between(-3, 3);
        let (constant, kind) = match r.between(0, 5) {
            0 => (-sum, Kind::Equal),
            1 => (constant, Kind::Rest((sum + constant).rem_euclid(3))),
            _ => (-sum - r.between(0, 3), Kind::AtMost),
        };
        Literal {
            coefficients,
            constant,
            kind,
        }
    }

    fn term(&self, pool: &mut Pool, vars: &[TermId; 4]) -> TermId {
        let mut parts = vec![pool.int(self.constant)];
        for (&c, &v) in self.coefficients.iter().zip(vars) {
            parts.push(pool.mul_const(&Rational::from(c), v));
        }
        let sum = pool.add(&parts);
        let zero = pool.int(0);
        match self.kind {
            Kind::AtMost => pool.le(sum, zero),
            Kind::Equal => pool.eq(sum, zero),
            Kind::Rest(rest) => {
                let three = pool.int(3);
                let remainder = pool.modulo(sum, three);
                let rest = pool.int(rest);
                pool.eq(remainder, rest)
            }
        }
    }
}

fn model(pool: &Pool, vars: &[TermId], values: &[i64]) -> Model {
    let mut out = Model::default();
    for (&v, &n) in vars.iter().zip(values) {
        let symbol = pool.as_constant(v).unwrap();
        out.constants.insert(symbol, Value::Num(Rational::from(n)));
    }
    out
}

#[test]
fn projections_are_inside() {
    let mut r = Random::new(1);
    for _ in 0..120 {
        let mut pool = Pool::new();
        let int = pool.int_sort();
        let vars = ["a", "b", "x", "y"].map(|n| pool.constant(n, int));
        let values = [(); 4].map(|()| r.between(-4, 4));
        let literals: Vec<Literal> = (0..r.between(2, 5))
            .map(|_| Literal::random(&mut r, values))
            .collect();
        let terms: Vec<TermId> = literals.iter().map(|l| l.term(&mut pool, &vars)).collect();
        let here = model(&pool, &vars, &values);
        let kept: FxHashSet<TermId> = vars[..2].iter().copied().collect();
        let result = project(&mut pool, &here, &terms, &kept).unwrap();
        let result = pool.and(&result);
        let symbols = pool.symbols_of(&[result]);
        let names = symbols.iter().map(|&s| &*pool.symbol_data(s).name);
        assert!(names.clone().all(|n| n == "a" || n == "b"), "{literals:?}");
        let at_point = eval(&pool, &here, result);
        assert_eq!(at_point, Value::Bool(true), "{literals:?} at {values:?}");
        for a in -3..=3 {
            for b in -3..=3 {
                let there = model(&pool, &vars[..2], &[a, b]);
                if eval(&pool, &there, result) != Value::Bool(true) {
                    continue;
                }
                let mut choices = (-200..=200).flat_map(|x| (-200..=200).map(move |y| (x, y)));
                let extends = choices.any(|(x, y)| literals.iter().all(|l| l.holds([a, b, x, y])));
                assert!(extends, "{literals:?} at {values:?}: not from {a}, {b}");
            }
        }
    }
}

/// Reals: strict and weak bounds, against the solver at points inside the result.
#[test]
fn projections_of_reals_are_inside() {
    let mut r = Random::new(2);
    for _ in 0..150 {
        let mut pool = Pool::new();
        let real = pool.real_sort();
        let vars = ["a", "b", "x", "y"].map(|n| pool.constant(n, real));
        let values = [(); 4].map(|()| r.between(-3, 3));
        let here = model(&pool, &vars, &values);
        let zero = pool.num(0, real);
        let mut terms = Vec::new();
        for _ in 0..r.between(2, 6) {
            let factors = [(); 4].map(|()| r.between(-2, 2));
            let products = factors.iter().zip(values).map(|(c, v)| c * v);
            let sum = products.sum::<i64>();
            let slack = r.between(0, 2);
            let mut parts = vec![pool.num(-sum - slack, real)];
            for (&c, &v) in factors.iter().zip(&vars) {
                parts.push(pool.mul_const(&Rational::from(c), v));
            }
            let left = pool.add(&parts);
            terms.push(match slack {
                0 if r.between(0, 3) == 0 => pool.eq(left, zero),
                0 => pool.le(left, zero),
                _ => pool.lt(left, zero),
            });
        }
        let kept: FxHashSet<TermId> = vars[..2].iter().copied().collect();
        let Some(result) = project(&mut pool, &here, &terms, &kept) else {
            continue;
        };
        let result = pool.and(&result);
        assert_eq!(eval(&pool, &here, result), Value::Bool(true));
        let mut solver = Solvers::native().solver();
        for &t in &terms {
            solver.assert(&mut pool, t);
        }
        for a in -3..=3 {
            for b in -3..=3 {
                let there = model(&pool, &vars[..2], &[a, b]);
                if eval(&pool, &there, result) != Value::Bool(true) {
                    continue;
                }
                let (a, b) = (pool.num(a, real), pool.num(b, real));
                let at = [pool.eq(vars[0], a), pool.eq(vars[1], b)];
                let answer = solver.check(&mut pool, &at, &Budget::unlimited());
                assert_eq!(answer, Answer::Sat, "{values:?}");
            }
        }
    }
}
