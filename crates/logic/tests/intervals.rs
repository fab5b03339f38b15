//! Bounds hold: random terms, random boxes, random valuations inside them.
#![allow(clippy::unwrap_used)]

use base::Random;
use logic::{Compiled, Interval, Model, Pool, Rational, TermId, Value, eval};

/// A random formula or integer term over three variables.
fn grow(pool: &mut Pool, random: &mut Random, vars: &[TermId]) -> (Vec<TermId>, Vec<TermId>) {
    let mut ints: Vec<TermId> = vars.to_vec();
    let mut bools = vec![pool.tt()];
    for _ in 0..14 {
        let (a, b) = (random.pick(&ints), random.pick(&ints));
        let (p, q) = (random.pick(&bools), random.pick(&bools));
        let int = pool.int_sort();
        let k = pool.num(Rational::from(random.between(-9, 9)), int);
        match random.below(20) {
            0 => ints.push(k),
            1 | 2 => ints.push(pool.add(&[a, b, k])),
            3 => ints.push(pool.mul(&[a, k])),
            4 => ints.push(pool.mul(&[a, b])),
            5 => ints.push(pool.int_div(a, k)),
            6 => ints.push(pool.modulo(a, k)),
            7 => ints.push(pool.c_div(a, k)),
            8 => ints.push(pool.c_rem(a, k)),
            9 => ints.push(pool.wrap(4, random.below(2) == 0, a)),
            10 => ints.push(pool.bit_and(a, b)),
            11 => ints.push(pool.bit_or(a, k)),
            12 => ints.push(pool.bit_xor(a, b)),
            13 => ints.push(pool.ite(p, a, b)),
            14 => bools.push(pool.le(a, b)),
            15 => bools.push(pool.eq(a, k)),
            16 => bools.push(pool.eq(a, b)),
            17 => bools.push(pool.not(p)),
            18 => bools.push(pool.and(&[p, q])),
            _ => bools.push(pool.or(&[p, q])),
        }
    }
    (ints, bools)
}

fn number(value: &Value) -> i128 {
    match value {
        Value::Bool(b) => *b as i128,
        Value::Num(n) => n.to_i64().unwrap() as i128,
        _ => panic!("no number"),
    }
}

#[test]
fn bounds_hold_forward_and_backward() {
    let (mut narrowed, mut refuted) = (0, 0);
    for seed in 0..4000 {
        let mut random = Random::new(seed);
        let mut pool = Pool::new();
        let int = pool.int_sort();
        let vars: Vec<TermId> = (0..3)
            .map(|k| pool.constant(&format!("x{k}"), int))
            .collect();
        let (ints, bools) = grow(&mut pool, &mut random, &vars);
        let number_of = |t: TermId| vars.iter().position(|v| *v == t).map(|n| n as u32);
        let boxes: Vec<Interval> = (0..3)
            .map(|_| {
                let low = random.between(-12, 12);
                let wide = 1 << random.below(5);
                let high = low + random.between(0, wide);
                Interval {
                    low: low.into(),
                    high: high.into(),
                }
            })
            .collect();
        let points: Vec<Vec<i64>> = (0..20)
            .map(|_| {
                boxes
                    .iter()
                    .map(|b| random.between(b.low as i64, b.high as i64))
                    .collect()
            })
            .collect();
        let mut scratch = Vec::new();
        for &t in ints.iter().chain(&bools) {
            let code = Compiled::new(&pool, t, number_of);
            let bounds = code.value(|v| boxes[v as usize], &mut scratch);
            let truth = pool.sort_of(t) == pool.bool_sort();
            let mut less = boxes.clone();
            let possible = truth
                && code.assume(
                    |v| boxes[v as usize],
                    &mut scratch,
                    |v, by| {
                        less[v as usize] = less[v as usize].meet(&by);
                    },
                );
            narrowed += (truth && possible && less != boxes) as u32;
            refuted += (truth && !possible) as u32;
            for point in &points {
                let mut model = Model::default();
                for (var, value) in vars.iter().zip(point) {
                    let symbol = pool.as_constant(*var).unwrap();
                    model
                        .constants
                        .insert(symbol, Value::Num(Rational::from(*value)));
                }
                let value = number(&eval(&pool, &model, t));
                assert!(bounds.contains(value), "seed {seed}: {value} in {bounds:?}");
                if truth && value == 1 {
                    assert!(possible, "seed {seed}: true, but refuted");
                    let inside = point
                        .iter()
                        .zip(&less)
                        .all(|(p, b)| b.contains((*p).into()));
                    assert!(inside, "seed {seed}: {point:?} narrowed away from {less:?}");
                }
            }
        }
    }
    assert!(narrowed > 1000 && refuted > 1000, "{narrowed} {refuted}");
}
