//! Definitions hold for random values of their leaves, and the checker builds them again.

#![allow(clippy::unwrap_used)]

use super::*;
use base::Id;
use logic::{Memo, Model, Value};

/// A small generator: the same numbers every time.
struct Random(u64);

impl Random {
    fn next(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }
}

fn term(pool: &mut Pool, random: &mut Random, leaves: &[TermId], depth: usize) -> TermId {
    if depth == 0 || random.next(6) == 0 {
        return match random.next(4) {
            0 => pool.int(random.next(40) as i64 - 20),
            _ => leaves[random.next(leaves.len() as u64) as usize],
        };
    }
    let a = term(pool, random, leaves, depth - 1);
    let b = term(pool, random, leaves, depth - 1);
    let width = [3u8, 4, 8][random.next(3) as usize];
    match random.next(15) {
        0 => pool.add2(a, b),
        1 => pool.sub(a, b),
        2 => pool.mul(&[a, b]),
        3 => pool.bit_and(a, b),
        4 => pool.bit_or(a, b),
        5 => pool.bit_xor(a, b),
        6 => pool.wrap(width, true, a),
        7 => pool.wrap(width, false, a),
        8 => pool.int_div(a, b),
        9 => pool.modulo(a, b),
        10 => pool.c_div(a, b),
        11 => pool.c_rem(a, b),
        12 => {
            let by = pool.wrap(4, random.next(2) == 0, b);
            let shifted = pool.shl(a, by);
            pool.wrap(8, true, shifted)
        }
        13 => {
            let by = pool.wrap(4, random.next(2) == 0, b);
            pool.shr(a, by)
        }
        _ => {
            let c = pool.le(a, b);
            pool.ite(c, b, a)
        }
    }
}

#[test]
fn definitions_hold() {
    let mut pool = Pool::new();
    let int = pool.int_sort();
    let leaves: Vec<TermId> = ["x", "y", "z"].map(|n| pool.constant(n, int)).to_vec();
    let mut random = Random(88_172_645_463_325_252);
    let mut made = 0;
    for round in 0..600 {
        let a = term(&mut pool, &mut random, &leaves, 3);
        let b = term(&mut pool, &mut random, &leaves, 2);
        let atom = match round % 2 {
            0 => pool.le(a, b),
            _ => pool.eq(a, b),
        };
        let atom = match pool.op(atom) {
            Op::Not => pool.args(atom)[0],
            _ => atom,
        };
        let ranges = |t: TermId| {
            let spans = [(-8, 7), (0, 31), (-100, 5)];
            let (low, high) = spans[t.index() % 3];
            Some((IBig::from(low), IBig::from(high)))
        };
        let Some(d) = definition(&mut pool, atom, &ranges) else {
            continue;
        };
        made += 1;
        if d.formula == pool.tt() {
            continue; // the ranges say it all
        }
        assert!(is_definition(&mut pool, atom, d.formula), "round {round}");
        for _ in 0..20 {
            let mut model = Model::default();
            for &x in &leaves {
                let symbol = pool.as_constant(x).unwrap();
                let value = random.next(300) as i64 - 150;
                let value = if random.next(3) == 0 {
                    value
                } else {
                    value % 9
                };
                model.constants.insert(symbol, Value::Num(value.into()));
            }
            let holds = Memo::new().eval(&pool, &model, d.formula);
            assert!(holds == Value::Bool(true), "round {round}");
        }
    }
    assert!(made > 300, "{made}");
}

#[test]
fn a_wrong_definition_is_none() {
    let mut pool = Pool::new();
    let int = pool.int_sort();
    let (x, y) = (pool.constant("x", int), pool.constant("y", int));
    let both = pool.bit_and(x, y);
    let zero = pool.int(5);
    let (atom, other) = (pool.eq(both, zero), pool.eq(both, y));
    let d = definition(&mut pool, atom, &|_| Some((IBig::ZERO, IBig::from(7)))).unwrap();
    assert!(is_definition(&mut pool, atom, d.formula));
    assert!(!is_definition(&mut pool, other, d.formula));
}

#[test]
fn bits_are_recognised() {
    let mut pool = Pool::new();
    let int = pool.int_sort();
    let x = pool.constant("x", int);
    for i in [0, 1, 5, 63] {
        let atom = words::bit_atom(&mut pool, x, i);
        assert_eq!(bit_of(&pool, atom), Some((x, i)));
    }
}
