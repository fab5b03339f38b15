//! Machine operations on small words, decided by their bits, against all values of the variables.
#![allow(clippy::unwrap_used)]

use base::Budget;
use logic::{Memo, Model, Pool, TermId, Value};
use smt::interpolate::{Options, Outcome, sequence};
use smt::proof::check::check;
use smt::{Answer, Solver};
use std::time::Duration;
use testkit::formulas::Random;

fn pick(random: &mut Random, n: u64) -> u64 {
    (random.number() >> 17) % n
}

fn word(pool: &mut Pool, random: &mut Random, vars: &[TermId], depth: usize) -> TermId {
    if depth == 0 || pick(random, 5) == 0 {
        return match pick(random, 4) {
            0 => pool.int(pick(random, 16) as i64),
            _ => vars[pick(random, vars.len() as u64) as usize],
        };
    }
    let a = word(pool, random, vars, depth - 1);
    let b = word(pool, random, vars, depth - 1);
    let result = match pick(random, 12) {
        0 => pool.add2(a, b),
        1 => pool.sub(a, b),
        2 => pool.mul(&[a, b]),
        3 => pool.bit_and(a, b),
        4 => pool.bit_or(a, b),
        5 => pool.bit_xor(a, b),
        6 => pool.shl(a, b),
        7 => pool.shr(a, b),
        8 => {
            let one = pool.int(1);
            let odd = pool.bit_or(b, one);
            pool.c_div(a, odd)
        }
        9 => {
            let one = pool.int(1);
            let odd = pool.bit_or(b, one);
            pool.c_rem(a, odd)
        }
        10 => pool.bit_not(a),
        _ => {
            let c = pool.le(a, b);
            pool.ite(c, a, b)
        }
    };
    pool.wrap(4, pick(random, 3) == 0, result)
}

fn literal(pool: &mut Pool, random: &mut Random, vars: &[TermId]) -> TermId {
    let a = word(pool, random, vars, 2);
    let b = word(pool, random, vars, 1);
    let atom = match pick(random, 2) {
        0 => pool.le(a, b),
        _ => pool.eq(a, b),
    };
    match pick(random, 2) {
        0 => pool.not(atom),
        _ => atom,
    }
}

/// Whether some values of the three variables make all parts true.
fn has_model(pool: &Pool, vars: &[TermId], all: TermId) -> bool {
    (0..16 * 16 * 16i64).any(|n| {
        let mut model = Model::default();
        for (k, &x) in vars.iter().enumerate() {
            let value = (n >> (4 * k)) & 15;
            let symbol = pool.as_constant(x).unwrap();
            model.constants.insert(symbol, Value::Num(value.into()));
        }
        Memo::new().eval(pool, &model, all) == Value::Bool(true)
    })
}

fn round(k: u64, interpolated: &mut u64) -> Answer {
    let mut random = Random((k + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut pool = Pool::new();
    let int = pool.int_sort();
    let vars = ["x", "y", "z"].map(|n| pool.constant(n, int));
    let mut parts = Vec::new();
    for x in vars {
        parts.push(pool.in_range(&0.into(), x, &15.into()));
    }
    for _ in 0..2 + pick(&mut random, 4) {
        let a = literal(&mut pool, &mut random, &vars);
        let b = literal(&mut pool, &mut random, &vars);
        parts.push(match pick(&mut random, 2) {
            0 => pool.or2(a, b),
            _ => a,
        });
    }
    let all = pool.and(&parts);
    let expected = has_model(&pool, &vars, all);
    let budget = || Budget::unlimited().with_time(Duration::from_secs(20));
    let mut solver = Solver::with_proof();
    solver.use_bits_after(u32::from(k.is_multiple_of(3)));
    solver.assert(&mut pool, all);
    let answer = solver.check(&mut pool, &[], &budget());
    match answer {
        Answer::Sat => {
            assert!(expected, "round {k}");
            let model = solver.model(&mut pool);
            assert_eq!(Memo::new().eval(&pool, &model, all), Value::Bool(true));
        }
        Answer::Unsat => {
            assert!(!expected, "round {k}");
            let proof = solver.refutation().unwrap().clone();
            check(&mut pool, &proof, &[all]).unwrap_or_else(|e| panic!("round {k}: {e}"));
            let outcome = sequence(&mut pool, &parts, &Options::default(), &budget());
            assert!(!matches!(outcome, Outcome::Sat(_)), "round {k}");
            *interpolated += u64::from(matches!(outcome, Outcome::Interpolants(_)));
        }
        Answer::Unknown(why) => panic!("round {k}: {why:?}"),
    }
    answer
}

/// `CRAIG_BITS=COUNT` for more rounds.
#[test]
fn all_values_agree() {
    let count = std::env::var("CRAIG_BITS").map_or(150, |n| n.parse().unwrap());
    let [mut unsat, mut interpolated] = [0u64; 2];
    for k in 0..count {
        unsat += u64::from(round(k, &mut interpolated) == Answer::Unsat);
    }
    println!("{count} queries, {unsat} unsat, {interpolated} interpolated");
    assert!(unsat > count / 10 && unsat < count);
}

/// A query by bits alone: no proof, all parts are assumptions, and divisors may be zero. The core must be contradictory by
/// itself, its ranges included.
fn alone(k: u64) -> Answer {
    let mut random = Random((k + 7).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut pool = Pool::new();
    let int = pool.int_sort();
    let vars = ["x", "y", "z"].map(|n| pool.constant(n, int));
    let mut parts = Vec::new();
    for x in vars {
        let (zero, most) = (pool.int(0), pool.int(15));
        parts.extend([pool.le(zero, x), pool.le(x, most)]);
    }
    for _ in 0..3 + pick(&mut random, 4) {
        let a = literal(&mut pool, &mut random, &vars);
        parts.push(a);
        let [x, y] = [0, 1].map(|_| vars[pick(&mut random, 3) as usize]);
        let rest = match pick(&mut random, 4) {
            0 => pool.c_rem(x, y),
            1 => pool.c_div(x, y),
            2 => pool.modulo(x, y),
            _ => pool.mul(&[x, y]),
        };
        let n = pool.int(pick(&mut random, 8) as i64);
        let odd = pool.eq(rest, n);
        parts.push(match pick(&mut random, 3) {
            0 => odd,
            1 => pool.not(odd),
            _ => pool.or2(odd, a),
        });
    }
    let all = pool.and(&parts);
    let expected = has_model(&pool, &vars, all);
    let budget = Budget::unlimited().with_time(Duration::from_secs(20));
    let mut solver = Solver::new();
    solver.use_bits_after(0);
    let answer = solver.check(&mut pool, &parts, &budget);
    match answer {
        Answer::Sat => {
            let model = solver.model(&mut pool);
            assert_eq!(Memo::new().eval(&pool, &model, all), Value::Bool(true));
        }
        Answer::Unsat => {
            assert!(!expected, "round {k}");
            let core = solver.core().to_vec();
            assert!(core.iter().all(|c| parts.contains(c)), "round {k}");
            let mut again = Solver::with_proof();
            let core = pool.and(&core);
            again.assert(&mut pool, core);
            let answer = again.check(&mut pool, &[], &budget);
            assert_eq!(answer, Answer::Unsat, "round {k}: the core");
        }
        Answer::Unknown(why) => panic!("round {k}: {why:?}"),
    }
    answer
}

#[test]
fn bits_alone_agree_with_all_values() {
    let count = std::env::var("CRAIG_BITS").map_or(200, |n| n.parse().unwrap());
    let unsat = (0..count).filter(|&k| alone(k) == Answer::Unsat).count() as u64;
    println!("{count} queries, {unsat} unsat");
    assert!(unsat > count / 10 && unsat < count);
}

/// A query after `pop` is not confused by the bits of an earlier one, and formulas may speak of bits.
#[test]
fn bits_outlive_scopes() {
    let mut pool = Pool::new();
    let int = pool.int_sort();
    let [x, y] = ["x", "y"].map(|n| pool.constant(n, int));
    let mut solver = Solver::new();
    solver.use_bits_after(0);
    for v in [x, y] {
        let range = pool.in_range(&0.into(), v, &255.into());
        solver.assert(&mut pool, range);
    }
    let budget = Budget::unlimited().with_time(Duration::from_secs(20));
    let product = pool.mul(&[x, y]);
    let wrapped = pool.wrap(8, false, product);
    for n in [1i64, 6, 97, 255] {
        solver.push();
        let n = pool.int(n);
        let goal = pool.eq(wrapped, n);
        solver.assert(&mut pool, goal);
        let two = pool.int(2);
        let low = pool.modulo(x, two);
        let one = pool.int(1);
        let odd = pool.eq(low, one);
        solver.assert(&mut pool, odd);
        assert_eq!(solver.check(&mut pool, &[], &budget), Answer::Sat);
        let even = pool.not(odd);
        assert_eq!(solver.check(&mut pool, &[even], &budget), Answer::Unsat);
        assert_eq!(solver.core(), &[even]);
        solver.pop();
    }
    // Without the product: the bit is arithmetic's business again.
    let two = pool.int(2);
    let low = pool.modulo(x, two);
    let one = pool.int(1);
    let odd = pool.eq(low, one);
    let (six, double) = (pool.int(6), pool.mul_const(&2.into(), y));
    let parts = [pool.eq(x, double), pool.le(x, six), odd];
    let all = pool.and(&parts);
    assert_eq!(solver.check(&mut pool, &[all], &budget), Answer::Unsat);
}
