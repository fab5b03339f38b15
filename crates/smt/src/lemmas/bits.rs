//! Bit operations on infinite two's complement.
//!
//! `a | b = a + b - (a & b)` and `a ^ b = a + b - 2 * (a & b)` reduce everything to `and`. A
//! constant mask is a sum of runs of ones, and the run of bits `i..j` of `a` is
//! `(a mod 2^j) - (a mod 2^i)`: exact linear arithmetic. For two variables there are bounds, the
//! mask that one of them is in the model, and at last all bits, guarded by a range of both.

use super::build::{at_least, at_most, is, num, plus, two_to, when};
use logic::{IBig, Op, Pool, Rational, TermId};

const ZERO: Rational = Rational::ZERO;
const ONE: Rational = Rational::ONE;
const MINUS_ONE: Rational = Rational::MINUS_ONE;

/// Runs of ones up to which a constant mask is expanded at once.
const EAGER_RUNS: usize = 4;

pub fn axioms(pool: &mut Pool, term: TermId, a: TermId, b: TermId) -> Vec<TermId> {
    let op = pool.op(term);
    if op != Op::BitAnd {
        let mut out = vec![by_and(pool, term, a, b)];
        if op == Op::BitOr {
            out.extend(or_bounds(pool, term, a, b));
        } else {
            out.extend(xor_bounds(pool, term, a, b));
        }
        return out;
    }
    let mut out = and_bounds(pool, term, a, b);
    for (x, m) in [(a, b), (b, a)] {
        let mask = pool.as_number(m).and_then(Rational::to_integer);
        if let Some(mask) = mask.filter(|m| runs(&magnitude(m)).len() <= EAGER_RUNS) {
            let exact = masked(pool, x, &mask);
            out.push(pool.eq(term, exact));
        }
    }
    out
}

/// `or` and `xor` by `and`.
fn by_and(pool: &mut Pool, term: TermId, a: TermId, b: TermId) -> TermId {
    let times = if pool.op(term) == Op::BitOr { -1 } else { -2 };
    let both = pool.bit_and(a, b);
    let sum = pool.add2(a, b);
    let exact = plus(pool, sum, &Rational::from(times), both);
    pool.eq(term, exact)
}

fn and_bounds(pool: &mut Pool, t: TermId, a: TermId, b: TermId) -> Vec<TermId> {
    let t_pos = at_least(pool, t, &ZERO);
    let mut out = Vec::new();
    let mut both_negative = Vec::new();
    for (x, y) in [(a, b), (b, a)] {
        let (x_pos, x_neg) = (at_least(pool, x, &ZERO), at_most(pool, x, &MINUS_ONE));
        let (to_x, to_y) = (pool.le(t, x), pool.le(t, y));
        out.push(when(pool, &[x_pos], t_pos));
        out.push(when(pool, &[x_pos], to_x));
        // Clearing non-sign bits of y makes it smaller.
        out.push(when(pool, &[x_neg], to_y));
        let all = is(pool, x, &MINUS_ONE);
        let same = pool.eq(t, y);
        out.push(when(pool, &[all], same));
        both_negative.push(x_neg);
    }
    // a | b <= -1 when one of them is negative, so a & b >= a + b + 1.
    let sum = pool.add2(a, b);
    let least = super::build::offset(pool, sum, &ONE);
    let above = pool.ge(t, least);
    let one_negative = pool.or(&both_negative);
    out.push(when(pool, &[one_negative], above));
    let t_neg = at_most(pool, t, &MINUS_ONE);
    out.push(when(pool, &both_negative, t_neg));
    let (equal, same) = (pool.eq(a, b), pool.eq(t, a));
    out.push(when(pool, &[equal], same));
    out
}

fn or_bounds(pool: &mut Pool, t: TermId, a: TermId, b: TermId) -> Vec<TermId> {
    let t_neg = at_most(pool, t, &MINUS_ONE);
    let mut out = Vec::new();
    let mut both = Vec::new();
    for (x, y) in [(a, b), (b, a)] {
        let (x_pos, x_neg) = (at_least(pool, x, &ZERO), at_most(pool, x, &MINUS_ONE));
        let (above_x, above_y) = (pool.ge(t, x), pool.ge(t, y));
        out.push(when(pool, &[x_neg], t_neg));
        out.push(when(pool, &[x_neg], above_x));
        out.push(when(pool, &[x_pos], above_y));
        both.push(x_pos);
    }
    let t_pos = at_least(pool, t, &ZERO);
    out.push(when(pool, &both, t_pos));
    out
}

fn xor_bounds(pool: &mut Pool, t: TermId, a: TermId, b: TermId) -> Vec<TermId> {
    let (a_pos, b_pos) = (at_least(pool, a, &ZERO), at_least(pool, b, &ZERO));
    let same_sign = pool.eq(a_pos, b_pos);
    let t_pos = at_least(pool, t, &ZERO);
    let (equal, zero) = (pool.eq(a, b), is(pool, t, &ZERO));
    vec![pool.eq(same_sign, t_pos), pool.eq(equal, zero)]
}

/// The mask itself, or its complement when it is negative.
fn magnitude(mask: &IBig) -> IBig {
    if *mask < IBig::ZERO {
        -mask - IBig::ONE
    } else {
        mask.clone()
    }
}

/// The runs `i..j` of ones of a non-negative number.
pub fn runs(n: &IBig) -> Vec<(usize, usize)> {
    let mut out: Vec<(usize, usize)> = Vec::new();
    let mut rest = n.clone();
    let mut at = 0;
    while rest > IBig::ZERO {
        if &rest & IBig::ONE == IBig::ONE {
            match out.last_mut() {
                Some(last) if last.1 == at => last.1 += 1,
                _ => out.push((at, at + 1)),
            }
        }
        rest >>= 1;
        at += 1;
    }
    out
}

/// The linear term, over `mod` terms of `a`, that `a & mask` is.
pub fn masked(pool: &mut Pool, a: TermId, mask: &IBig) -> TermId {
    let mut sum = pool.int(0);
    for (i, j) in runs(&magnitude(mask)) {
        let high = low_bits(pool, a, j);
        let low = low_bits(pool, a, i);
        let run = pool.sub(high, low);
        sum = pool.add2(sum, run);
    }
    if *mask < IBig::ZERO {
        // a & m = a - (a & ~m).
        pool.sub(a, sum)
    } else {
        sum
    }
}

/// `a mod 2^n`.
fn low_bits(pool: &mut Pool, a: TermId, n: usize) -> TermId {
    if n == 0 {
        return pool.int(0);
    }
    let d = pool.int(two_to(n));
    pool.modulo(a, d)
}

/// `a = va => a & b = (b masked by va)`; the mask with fewer runs is taken.
pub fn and_at(pool: &mut Pool, term: TermId, va: &IBig, vb: &IBig) -> TermId {
    let (a, b) = (pool.args(term)[0], pool.args(term)[1]);
    let fewer = runs(&magnitude(va)).len() <= runs(&magnitude(vb)).len();
    let constant = |t: TermId| pool.as_number(t).is_some();
    let (x, mask, y) = if constant(a) || fewer && !constant(b) {
        (a, va, b)
    } else {
        (b, vb, a)
    };
    let guard = is(pool, x, &Rational::from(mask.clone()));
    let exact = masked(pool, y, mask);
    let fact = pool.eq(term, exact);
    when(pool, &[guard], fact)
}

/// The least of 1, 2, 4 … 64 such that both values are in `-2^n .. 2^n`.
fn width(va: &IBig, vb: &IBig) -> Option<usize> {
    let need = |v: &IBig| {
        let mut n = 0;
        let mut rest = magnitude(v);
        while rest > IBig::ZERO {
            rest >>= 1;
            n += 1;
        }
        n
    };
    let bits: usize = need(va).max(need(vb)).max(1);
    let bits = bits.next_power_of_two();
    (bits <= 64).then_some(bits)
}

/// All bits: `a & b = sum of 2^i * (a_i and b_i)` for both in `-2^n .. 2^n`.
///
/// With `q_0 = a` and `q_(i+1) = q_i div 2`, bit `i` is `q_i - 2 * q_(i+1)`, and `q_n` is
/// 0 or -1, the sign.
pub fn expansion(pool: &mut Pool, term: TermId, va: &IBig, vb: &IBig) -> Option<TermId> {
    let n = width(va, vb)?;
    let (a, b) = (pool.args(term)[0], pool.args(term)[1]);
    let limit = two_to(n);
    let most = &limit - &ONE;
    let guards = [
        pool.in_range(&-&limit, a, &most),
        pool.in_range(&-&limit, b, &most),
    ];
    let two = pool.int(2);
    let zero = pool.int(0);
    let mut sum = zero;
    let (mut x, mut y) = (a, b);
    for i in 0..n {
        let (next_x, next_y) = (pool.int_div(x, two), pool.int_div(y, two));
        let minus_two = Rational::from(-2);
        let (bit_x, bit_y) = (
            plus(pool, x, &minus_two, next_x),
            plus(pool, y, &minus_two, next_y),
        );
        let ones = [at_least(pool, bit_x, &ONE), at_least(pool, bit_y, &ONE)];
        let both = pool.and(&ones);
        let weight = num(pool, &two_to(i), zero);
        let summand = pool.ite(both, weight, zero);
        sum = pool.add2(sum, summand);
        (x, y) = (next_x, next_y);
    }
    let signs = [at_most(pool, a, &MINUS_ONE), at_most(pool, b, &MINUS_ONE)];
    let both = pool.and(&signs);
    let weight = num(pool, &-&limit, zero);
    let sign = pool.ite(both, weight, zero);
    sum = pool.add2(sum, sign);
    let exact = pool.eq(term, sum);
    Some(when(pool, &guards, exact))
}

/// For both in `0 .. 2^n`: `a | b < 2^n`, so `a & b >= a + b - 2^n + 1`.
pub fn and_floor(pool: &mut Pool, term: TermId, va: &IBig, vb: &IBig) -> Option<TermId> {
    if *va < IBig::ZERO || *vb < IBig::ZERO {
        return None;
    }
    let n = width(va, vb)?;
    let (a, b) = (pool.args(term)[0], pool.args(term)[1]);
    let most = &two_to(n) - &ONE;
    let guards = [at_most(pool, a, &most), at_most(pool, b, &most)];
    let sum = pool.add2(a, b);
    let least = super::build::offset(pool, sum, &-&most);
    let above = pool.ge(term, least);
    Some(when(pool, &guards, above))
}
