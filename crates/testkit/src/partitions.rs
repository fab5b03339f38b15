//! Random partition problems and a brute-force judge of interpolants.
//!
//! Partition `p` of a path may use the symbols numbered `p` and `p + 1`; so cuts share few symbols
//! and interpolants must get rid of the rest.

use logic::{Pool, Rational, SymbolId, TermId, Value};
use proptest::prelude::*;

/// A formula before it meets a pool. Numbers choose among the symbols a partition may use.
#[derive(Clone, Debug)]
pub enum Shape {
    /// `c1 * x + c2 * y + k <= 0` or `= 0`.
    Linear {
        x: u8,
        y: u8,
        c: [i8; 2],
        k: i8,
        equal: bool,
    },
    /// `f^i(u) = f^j(v)` over an uninterpreted sort.
    Euf {
        u: u8,
        v: u8,
        fu: u8,
        fv: u8,
    },
    /// `g^i(x) + k <= g^j(y)` over Int.
    Mixed {
        x: u8,
        y: u8,
        gx: bool,
        gy: bool,
        k: i8,
        equal: bool,
    },
    Bool(u8),
    Not(Box<Shape>),
    And(Vec<Shape>),
    Or(Vec<Shape>),
    Iff(Box<Shape>, Box<Shape>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theory {
    Boolean,
    Linear,
    Equality,
    Mixed,
}

fn atom(theory: Theory) -> BoxedStrategy<Shape> {
    let linear = (0..2u8, 0..2u8, [-2..3i8, -2..3i8], -3..4i8, any::<bool>())
        .prop_map(|(x, y, c, k, equal)| Shape::Linear { x, y, c, k, equal });
    let euf =
        (0..2u8, 0..2u8, 0..3u8, 0..2u8).prop_map(|(u, v, fu, fv)| Shape::Euf { u, v, fu, fv });
    let mixed = (
        0..2u8,
        0..2u8,
        any::<bool>(),
        any::<bool>(),
        -1..2i8,
        any::<bool>(),
    )
        .prop_map(|(x, y, gx, gy, k, equal)| Shape::Mixed {
            x,
            y,
            gx,
            gy,
            k,
            equal,
        });
    let boolean = (0..2u8).prop_map(Shape::Bool);
    match theory {
        Theory::Boolean => boolean.boxed(),
        Theory::Linear => prop_oneof![4 => linear, 1 => boolean].boxed(),
        Theory::Equality => prop_oneof![4 => euf, 1 => boolean].boxed(),
        Theory::Mixed => prop_oneof![2 => linear, 3 => mixed, 1 => boolean].boxed(),
    }
}

fn formula(theory: Theory) -> BoxedStrategy<Shape> {
    let literal = (atom(theory), any::<bool>()).prop_map(|(a, n)| match n {
        true => Shape::Not(Box::new(a)),
        false => a,
    });
    let inner = prop_oneof![
        4 => literal.clone(),
        2 => prop::collection::vec(literal.clone(), 2..4).prop_map(Shape::Or),
        1 => (literal.clone(), literal.clone()).prop_map(|(a, b)| Shape::Iff(Box::new(a), Box::new(b))),
    ];
    prop::collection::vec(inner, 1..4)
        .prop_map(Shape::And)
        .boxed()
}

pub fn problem(theory: Theory, parts: std::ops::Range<usize>) -> BoxedStrategy<Vec<Shape>> {
    prop::collection::vec(formula(theory), parts).boxed()
}

/// A random tree: `parent[i] > i`.
pub fn parents(len: usize, choices: &[u8]) -> Vec<usize> {
    (0..len)
        .map(|i| match i + 1 == len {
            true => i,
            false => i + 1 + choices[i % choices.len()] as usize % (len - 1 - i),
        })
        .collect()
}

/// Symbols are shared between the neighbours given: `left` and `right` name them.
pub fn build(pool: &mut Pool, shape: &Shape, left: usize, right: usize) -> TermId {
    let int = pool.int_sort();
    let pick = |n: u8| if n == 0 { left } else { right };
    match shape {
        Shape::Linear { x, y, c, k, equal } => {
            let x = pool.constant(&format!("x{}", pick(*x)), int);
            let y = pool.constant(&format!("x{}", pick(*y)), int);
            let (x, y) = (
                pool.mul_const(&Rational::from(i64::from(c[0])), x),
                pool.mul_const(&Rational::from(i64::from(c[1])), y),
            );
            let k = pool.int(i64::from(*k));
            let (sum, zero) = (pool.add(&[x, y, k]), pool.int(0));
            match equal {
                true => pool.eq(sum, zero),
                false => pool.le(sum, zero),
            }
        }
        Shape::Euf { u, v, fu, fv } => {
            let sort = pool.sort(logic::Sort::Uninterpreted("U".into()));
            let f = pool.symbol("f", &[sort], sort);
            let mut a = pool.constant(&format!("u{}", pick(*u)), sort);
            let mut b = pool.constant(&format!("u{}", pick(*v)), sort);
            for _ in 0..*fu {
                a = pool.app(f, &[a]);
            }
            for _ in 0..*fv {
                b = pool.app(f, &[b]);
            }
            pool.eq(a, b)
        }
        Shape::Mixed {
            x,
            y,
            gx,
            gy,
            k,
            equal,
        } => {
            let g = pool.symbol("g", &[int], int);
            let mut a = pool.constant(&format!("x{}", pick(*x)), int);
            let mut b = pool.constant(&format!("x{}", pick(*y)), int);
            if *gx {
                a = pool.app(g, &[a]);
            }
            if *gy {
                b = pool.app(g, &[b]);
            }
            let k = pool.int(i64::from(*k));
            let a = pool.add2(a, k);
            match equal {
                true => pool.eq(a, b),
                false => pool.le(a, b),
            }
        }
        Shape::Bool(b) => pool.constant(&format!("b{}", pick(*b)), pool.bool_sort()),
        Shape::Not(a) => {
            let a = build(pool, a, left, right);
            pool.not(a)
        }
        Shape::And(list) | Shape::Or(list) => {
            let parts: Vec<TermId> = list.iter().map(|s| build(pool, s, left, right)).collect();
            match shape {
                Shape::And(_) => pool.and(&parts),
                _ => pool.or(&parts),
            }
        }
        Shape::Iff(a, b) => {
            let (a, b) = (build(pool, a, left, right), build(pool, b, left, right));
            pool.eq(a, b)
        }
    }
}

/// The formulas of a tree problem: node `i` shares the symbols numbered `i` with its parent, and
/// those of one child with that child.
pub fn build_parts(pool: &mut Pool, shapes: &[Shape], parent: &[usize]) -> Vec<TermId> {
    let len = shapes.len();
    (0..len)
        .map(|i| {
            let child = (0..i).rev().find(|&c| parent[c] == i).unwrap_or(len + i);
            build(pool, &shapes[i], child, i)
        })
        .collect()
}

/// Pseudo-random interpretations over a small domain; functions are tables made from the seed.
pub struct Judge {
    pub seed: u64,
}

impl Judge {
    fn number(&self, symbol: SymbolId, args: &[Value]) -> u64 {
        use std::hash::{Hash, Hasher};
        let mut h = std::collections::hash_map::DefaultHasher::new();
        (self.seed, symbol, args).hash(&mut h);
        h.finish()
    }

    fn value(&self, pool: &Pool, symbol: SymbolId, args: &[Value]) -> Option<Value> {
        let sort = pool.symbol_data(symbol).sort;
        let n = self.number(symbol, args);
        Some(if sort == pool.bool_sort() {
            Value::Bool(n.is_multiple_of(2))
        } else if sort == pool.int_sort() {
            Value::Num(Rational::from((n % 7) as i64 - 3))
        } else if let logic::Sort::Array(..) = pool.sort_kind(sort) {
            let mut array = logic::ArrayValue {
                default: Value::Num(Rational::from((n % 5) as i64)),
                entries: Default::default(),
            };
            for i in 0..4 {
                let value = Value::Num(Rational::from((n >> (3 * i + 3) & 7) as i64 - 3));
                array.set(Value::Num(Rational::from(i)), value);
            }
            Value::Array(std::sync::Arc::new(array))
        } else {
            Value::Element(sort, (n % 3) as u32)
        })
    }

    pub fn holds(&self, pool: &Pool, t: TermId) -> bool {
        logic::Evaluator::new(pool, |s| self.value(pool, s, &[]))
            .with_functions(|s, args| self.value(pool, s, args))
            .holds(t)
    }
}

/// Looks for an interpretation that refutes `children interpolants and part => own interpolant`.
pub fn brute_force(
    pool: &Pool,
    parts: &[TermId],
    parent: &[usize],
    interpolants: &[TermId],
    rounds: u64,
) -> Result<(), String> {
    for seed in 0..rounds {
        let judge = Judge { seed };
        let labels: Vec<bool> = interpolants.iter().map(|&i| judge.holds(pool, i)).collect();
        for (i, &part) in parts.iter().enumerate() {
            let children = (0..i).filter(|&c| parent[c] == i).all(|c| labels[c]);
            let own = labels.get(i).copied().unwrap_or(false);
            if children && !own && judge.holds(pool, part) {
                return Err(format!("step {i} fails under seed {seed}"));
            }
        }
    }
    Ok(())
}
