//! Division: exact by constants, basic facts for variable divisors, floor.
//!
//! By a constant `d` the remainder `t - d*q` is linear in quotient and dividend, so two bounds on
//! it say everything. The divisor 0 is unconstrained: every fact is guarded against it.

use super::build::{at_least, at_most, is, num, plus, when};
use logic::{Op, Pool, Rational, TermId};

const ZERO: Rational = Rational::ZERO;
const ONE: Rational = Rational::ONE;
const MINUS_ONE: Rational = Rational::MINUS_ONE;

/// `div` and `mod`.
pub fn euclidean(pool: &mut Pool, term: TermId, a: TermId, b: TermId) -> Vec<TermId> {
    let quotient = pool.op(term) == Op::IntDiv;
    match pool.as_number(b).cloned() {
        Some(d) if d.is_zero() => Vec::new(),
        Some(d) => {
            let most = &d.abs() - &ONE;
            if quotient {
                let r = plus(pool, a, &-&d, term);
                return vec![pool.in_range(&ZERO, r, &most)];
            }
            let q = pool.int_div(a, b);
            let r = plus(pool, a, &-&d, q);
            let below = pool.in_range(&ZERO, a, &most);
            let same = pool.eq(term, a);
            vec![
                pool.in_range(&ZERO, term, &most),
                pool.eq(term, r),
                when(pool, &[below], same),
            ]
        }
        None if quotient => quotient_facts(pool, term, a, b),
        None => modulo_facts(pool, term, a, b),
    }
}

/// `q = a div b` with a variable `b`.
fn quotient_facts(pool: &mut Pool, q: TermId, a: TermId, b: TermId) -> Vec<TermId> {
    let (b_pos, b_neg) = (at_least(pool, b, &ONE), at_most(pool, b, &MINUS_ONE));
    let (a_pos, a_neg) = (at_least(pool, a, &ZERO), at_most(pool, a, &MINUS_ONE));
    let minus_a = pool.neg(a);
    let mut out = Vec::new();
    // Non-negative dividend: 0 <= |q| <= a; negative: 1 <= |q| <= -a.
    for (guards, low, high) in [
        ([b_pos, a_pos], num(pool, &ZERO, q), a),
        ([b_neg, a_pos], minus_a, num(pool, &ZERO, q)),
        ([b_pos, a_neg], a, num(pool, &MINUS_ONE, q)),
        ([b_neg, a_neg], num(pool, &ONE, q), minus_a),
    ] {
        let range = [pool.le(low, q), pool.le(q, high)];
        let range = pool.and(&range);
        out.push(when(pool, &guards, range));
    }
    let (b_one, same) = (is(pool, b, &ONE), pool.eq(q, a));
    out.push(when(pool, &[b_one], same));
    let (small, zero) = (pool.lt(a, b), is(pool, q, &ZERO));
    out.push(when(pool, &[a_pos, small], zero));
    out
}

/// `m = a mod b` with a variable `b`.
fn modulo_facts(pool: &mut Pool, m: TermId, a: TermId, b: TermId) -> Vec<TermId> {
    let (b_pos, b_neg) = (at_least(pool, b, &ONE), at_most(pool, b, &MINUS_ONE));
    let a_pos = at_least(pool, a, &ZERO);
    let minus_b = pool.neg(b);
    let m_pos = at_least(pool, m, &ZERO);
    let mut out = Vec::new();
    for (guard, divisor) in [(b_pos, b), (b_neg, minus_b)] {
        let below = pool.lt(m, divisor);
        let range = pool.and2(m_pos, below);
        out.push(when(pool, &[guard], range));
    }
    let (small, same) = (pool.lt(a, b), pool.eq(m, a));
    out.push(when(pool, &[a_pos, small], same));
    // One period up: b <= a < 2b.
    let rest = pool.sub(a, b);
    let (large, near) = (pool.le(b, a), pool.lt(rest, b));
    let once = pool.eq(m, rest);
    out.push(when(pool, &[large, near], once));
    out
}

/// C `/` and `%`.
pub fn truncated(pool: &mut Pool, term: TermId, a: TermId, b: TermId) -> Vec<TermId> {
    let quotient = pool.op(term) == Op::CDiv;
    match pool.as_number(b).cloned() {
        Some(d) if d.is_zero() => Vec::new(),
        Some(d) => {
            let most = &d.abs() - &ONE;
            let q = if quotient { term } else { pool.c_div(a, b) };
            let r = plus(pool, a, &-&d, q);
            let (a_pos, a_neg) = (at_least(pool, a, &ZERO), at_most(pool, a, &ZERO));
            // The remainder has the dividend's sign.
            let subject = if quotient { r } else { term };
            let up = pool.in_range(&ZERO, subject, &most);
            let down = pool.in_range(&-&most, subject, &ZERO);
            let mut out = vec![when(pool, &[a_pos], up), when(pool, &[a_neg], down)];
            if !quotient {
                out.push(pool.eq(term, r));
                let below = pool.in_range(&-&most, a, &most);
                let same = pool.eq(term, a);
                out.push(when(pool, &[below], same));
            }
            out
        }
        None if quotient => truncated_quotient_facts(pool, term, a, b),
        None => truncated_remainder_facts(pool, term, a, b),
    }
}

fn truncated_quotient_facts(pool: &mut Pool, q: TermId, a: TermId, b: TermId) -> Vec<TermId> {
    let (b_pos, b_neg) = (at_least(pool, b, &ONE), at_most(pool, b, &MINUS_ONE));
    let (a_pos, a_neg) = (at_least(pool, a, &ZERO), at_most(pool, a, &ZERO));
    let (minus_a, minus_b) = (pool.neg(a), pool.neg(b));
    let zero = num(pool, &ZERO, q);
    let q_zero = is(pool, q, &ZERO);
    let mut out = Vec::new();
    for (guards, low, high, abs_a, abs_b) in [
        ([b_pos, a_pos], zero, a, a, b),
        ([b_neg, a_pos], minus_a, zero, a, minus_b),
        ([b_pos, a_neg], a, zero, minus_a, b),
        ([b_neg, a_neg], zero, minus_a, minus_a, minus_b),
    ] {
        let range = [pool.le(low, q), pool.le(q, high)];
        let range = pool.and(&range);
        out.push(when(pool, &guards, range));
        let small = pool.lt(abs_a, abs_b);
        out.push(when(pool, &[guards[0], guards[1], small], q_zero));
    }
    let (b_one, same) = (is(pool, b, &ONE), pool.eq(q, a));
    out.push(when(pool, &[b_one], same));
    out
}

fn truncated_remainder_facts(pool: &mut Pool, r: TermId, a: TermId, b: TermId) -> Vec<TermId> {
    let (b_pos, b_neg) = (at_least(pool, b, &ONE), at_most(pool, b, &MINUS_ONE));
    let (a_pos, a_neg) = (at_least(pool, a, &ZERO), at_most(pool, a, &ZERO));
    let (minus_a, minus_b, minus_r) = (pool.neg(a), pool.neg(b), pool.neg(r));
    let same = pool.eq(r, a);
    let mut out = Vec::new();
    // By symmetry: (a, r) or (-a, -r) is non-negative, b or -b is positive.
    for (a_guard, dividend, rest) in [(a_pos, a, r), (a_neg, minus_a, minus_r)] {
        for (b_guard, divisor) in [(b_pos, b), (b_neg, minus_b)] {
            let guards = [a_guard, b_guard];
            let range = [
                at_least(pool, rest, &ZERO),
                pool.le(rest, dividend),
                pool.lt(rest, divisor),
            ];
            let range = pool.and(&range);
            out.push(when(pool, &guards, range));
            let small = pool.lt(dividend, divisor);
            out.push(when(pool, &[a_guard, b_guard, small], same));
            let (large, once) = (pool.le(divisor, dividend), pool.sub(dividend, divisor));
            let near = pool.lt(once, divisor);
            let fact = pool.eq(rest, once);
            out.push(when(pool, &[a_guard, b_guard, large, near], fact));
        }
    }
    out
}

/// `q = a / b` over Real.
pub fn real(pool: &mut Pool, q: TermId, a: TermId, b: TermId) -> Vec<TermId> {
    if pool.as_number(b).is_some() {
        return Vec::new(); // Only a division by 0 is left as a term.
    }
    let b_zero = is(pool, b, &ZERO);
    let product = pool.mul(&[b, q]);
    let exact = pool.eq(product, a);
    vec![pool.or2(b_zero, exact)]
}

/// `t = floor(a)`.
pub fn floor(pool: &mut Pool, t: TermId, a: TermId) -> Vec<TermId> {
    let low = pool.to_real(t);
    let one = num(pool, &ONE, low);
    let high = pool.add2(low, one);
    vec![pool.le(low, a), pool.lt(a, high)]
}

/// Lemmas that pin a division by a variable to its meaning at divisor `vb`, and the relation of
/// dividend, divisor, quotient and remainder.
pub fn refine(pool: &mut Pool, term: TermId, vb: &Rational) -> Vec<TermId> {
    let (op, a, b) = (pool.op(term), pool.args(term)[0], pool.args(term)[1]);
    if vb.is_zero() || pool.as_number(b).is_some() {
        return Vec::new();
    }
    let guard = is(pool, b, vb);
    let d = num(pool, vb, b);
    let b_zero = is(pool, b, &ZERO);
    let (at_value, q, r) = match op {
        Op::IntDiv | Op::Mod => {
            let at = if op == Op::Mod {
                pool.modulo(a, d)
            } else {
                pool.int_div(a, d)
            };
            (at, pool.int_div(a, b), pool.modulo(a, b))
        }
        _ => {
            let at = if op == Op::CRem {
                pool.c_rem(a, d)
            } else {
                pool.c_div(a, d)
            };
            (at, pool.c_div(a, b), pool.c_rem(a, b))
        }
    };
    let exact = pool.eq(term, at_value);
    let product = pool.mul(&[b, q]);
    let sum = pool.add2(product, r);
    let relation = pool.eq(a, sum);
    vec![when(pool, &[guard], exact), pool.or2(b_zero, relation)]
}
