//! Implicants and tightened cubes of random formulas, against all values in a box.
#![allow(clippy::unwrap_used)]

use super::{Point, implicant, tightest};
use base::Random;
use logic::{ArrayValue, Memo, Model, Op, Pool, Rational, TermId, Value};
use std::sync::Arc;

/// The symbols of the random formulas.
struct Symbols {
    numbers: [TermId; 2],
    flags: [TermId; 2],
    array: TermId,
}

impl Symbols {
    fn new(pool: &mut Pool) -> Self {
        let (int, bool) = (pool.int_sort(), pool.bool_sort());
        let array = pool.array_sort(int, int);
        Symbols {
            numbers: ["x", "y"].map(|n| pool.constant(n, int)),
            flags: ["p", "q"].map(|n| pool.constant(n, bool)),
            array: pool.constant("a", array),
        }
    }

    /// All models with small numbers and an array that differs from 0 at two places.
    fn models(&self, pool: &Pool) -> Vec<Model> {
        let number = |n: i64| Value::Num(Rational::from(n));
        let mut out = Vec::new();
        for case in 0..3 * 3 * 4 * 9 {
            let digit = |weight: i64, base: i64| case / weight % base;
            let mut array = ArrayValue {
                default: number(0),
                entries: Default::default(),
            };
            array.set(number(0), number(digit(36, 3) - 1));
            array.set(number(1), number(digit(108, 3) - 1));
            let values = [
                (self.numbers[0], number(digit(1, 3) - 1)),
                (self.numbers[1], number(digit(3, 3) - 1)),
                (self.flags[0], Value::Bool(digit(9, 2) == 1)),
                (self.flags[1], Value::Bool(digit(18, 2) == 1)),
                (self.array, Value::Array(Arc::new(array))),
            ];
            let mut model = Model::default();
            for (t, value) in values {
                model.constants.insert(pool.as_constant(t).unwrap(), value);
            }
            out.push(model);
        }
        out
    }

    fn number(&self, pool: &mut Pool, r: &mut Random, depth: i64) -> TermId {
        match r.between(0, if depth > 0 { 5 } else { 2 }) {
            0 => pool.int(r.between(-2, 2)),
            1 | 2 => self.numbers[r.between(0, 1) as usize],
            3 => {
                let parts = [(); 2].map(|()| self.number(pool, r, depth - 1));
                pool.add(&parts)
            }
            4 => {
                let condition = self.formula(pool, r, depth - 1);
                let [a, b] = [(); 2].map(|()| self.number(pool, r, depth - 1));
                pool.ite(condition, a, b)
            }
            _ => {
                let [at, value, index] = [(); 3].map(|()| self.number(pool, r, depth - 1));
                let array = match r.between(0, 2) {
                    0 => self.array,
                    _ => pool.store(self.array, at, value),
                };
                pool.select(array, index)
            }
        }
    }

    fn formula(&self, pool: &mut Pool, r: &mut Random, depth: i64) -> TermId {
        match r.between(0, if depth > 0 { 6 } else { 1 }) {
            0 => self.flags[r.between(0, 1) as usize],
            1 | 2 => {
                let [a, b] = [(); 2].map(|()| self.number(pool, r, depth - 1));
                match r.between(0, 2) {
                    0 => pool.eq(a, b),
                    1 => pool.lt(a, b),
                    _ => pool.le(a, b),
                }
            }
            3 => {
                let inner = self.formula(pool, r, depth - 1);
                pool.not(inner)
            }
            kind => {
                let [a, b, c] = [(); 3].map(|()| self.formula(pool, r, depth - 1));
                match kind {
                    4 => pool.and(&[a, b, c]),
                    5 => pool.or(&[a, b, c]),
                    _ => {
                        let same = pool.eq(a, b);
                        pool.ite(c, same, a)
                    }
                }
            }
        }
    }
}

fn holds(pool: &Pool, model: &Model, term: TermId) -> bool {
    Memo::new().holds(pool, model, term)
}

#[test]
fn implicants_hold_and_imply() {
    let mut r = Random::new(3);
    let mut found = 0;
    for round in 0..300 {
        let mut pool = Pool::new();
        let symbols = Symbols::new(&mut pool);
        let models = symbols.models(&pool);
        let roots = [(); 2].map(|()| symbols.formula(&mut pool, &mut r, 4));
        let here = &models[r.between(0, models.len() as i64 - 1) as usize];
        let all = pool.and(&roots);
        let literals = implicant(&mut pool, &mut Point::new(here), &roots);
        assert_eq!(literals.is_some(), holds(&pool, here, all), "round {round}");
        let Some(literals) = literals else { continue };
        found += 1;
        for &t in &literals {
            let inner = pool.post_order(&[t]);
            let flat = |t: &TermId| !matches!(pool.op(*t), Op::And | Op::Or | Op::Ite);
            assert!(inner.iter().all(flat), "round {round}: not a literal");
        }
        let cube = pool.and(&literals);
        assert!(holds(&pool, here, cube), "round {round}");
        for there in models.iter().filter(|m| holds(&pool, m, cube)) {
            assert!(holds(&pool, there, all), "round {round}: not implied");
        }
    }
    assert!(found > 50, "too few formulas hold: {found}");
}

#[test]
fn tightened_cubes_are_equivalent() {
    let mut r = Random::new(4);
    let mut dropped = 0;
    for round in 0..300 {
        let mut pool = Pool::new();
        let symbols = Symbols::new(&mut pool);
        let models = symbols.models(&pool);
        let here = &models[r.between(0, models.len() as i64 - 1) as usize];
        let mut cube = Vec::new();
        for _ in 0..8 {
            let factors = [(); 2].map(|()| Rational::from(r.between(-2, 2)));
            let parts = [0, 1].map(|i| pool.mul_const(&factors[i], symbols.numbers[i]));
            let sum = pool.add(&parts);
            let limit = pool.int(r.between(-2, 2));
            let literal = match r.between(0, 4) {
                0 => pool.eq(sum, limit),
                1 => pool.lt(limit, sum),
                _ => pool.le(sum, limit),
            };
            let literal = match holds(&pool, here, literal) {
                true => literal,
                false => pool.not(literal),
            };
            if !cube.contains(&literal) {
                cube.push(literal);
            }
        }
        let tight = tightest(&pool, cube.clone());
        dropped += cube.len() - tight.len();
        let (cube, tight) = (pool.and(&cube), pool.and(&tight));
        for there in &models {
            let same = holds(&pool, there, cube) == holds(&pool, there, tight);
            assert!(same, "round {round}");
        }
    }
    assert!(dropped > 100, "too few bounds are dropped: {dropped}");
}
