//! Products of variables: zero and one eagerly; signs, tangent planes and values on demand.
//!
//! A product of more than two factors is its first factor times the product of the rest.

use super::build::{at_least, at_most, is, num, offset, plus, when};
use logic::{Pool, Rational, TermId};

const ZERO: Rational = Rational::ZERO;
const ONE: Rational = Rational::ONE;

/// The two factors that lemmas talk about.
pub fn factors(pool: &mut Pool, term: TermId) -> (TermId, TermId) {
    let args = pool.args(term).to_vec();
    let rest = pool.mul(&args[1..]);
    (args[0], rest)
}

pub fn axioms(pool: &mut Pool, t: TermId) -> Vec<TermId> {
    let (a, b) = factors(pool, t);
    let t_zero = is(pool, t, &ZERO);
    let mut out = Vec::new();
    for (x, y) in [(a, b), (b, a)] {
        let (zero, one) = (is(pool, x, &ZERO), is(pool, x, &ONE));
        out.push(when(pool, &[zero], t_zero));
        let same = pool.eq(t, y);
        out.push(when(pool, &[one], same));
        if a == b {
            break;
        }
    }
    if a == b {
        out.push(at_least(pool, t, &ZERO));
        if pool.sort_of(t) == pool.int_sort() {
            out.extend([pool.le(a, t), {
                let minus = pool.neg(a);
                pool.le(minus, t)
            }]);
        }
    }
    out
}

/// The sign of the product from the signs of the factors; over Int also `|t| >= |a|, |b|`.
pub fn signs(pool: &mut Pool, t: TermId) -> Vec<TermId> {
    let (a, b) = factors(pool, t);
    let zero = num(pool, &ZERO, t);
    let int = pool.sort_of(t) == pool.int_sort();
    let (minus_a, minus_b, minus_t) = (pool.neg(a), pool.neg(b), pool.neg(t));
    let mut out = Vec::new();
    for (x, y, p) in [
        (a, b, t),
        (minus_a, minus_b, t),
        (minus_a, b, minus_t),
        (a, minus_b, minus_t),
    ] {
        let guards = [pool.gt(x, zero), pool.gt(y, zero)];
        let positive = pool.gt(p, zero);
        out.push(when(pool, &guards, positive));
        if int {
            // (x - 1) * (y - 1) >= 0.
            let sum = pool.add2(x, y);
            let least = offset(pool, sum, &Rational::MINUS_ONE);
            let large = pool.ge(p, least);
            out.push(when(pool, &guards, large));
        }
    }
    out
}

/// Bounds by the planes through `(va, vb)`: `(a - va) * (b - vb)` has the sign of its factors. At
/// that point they leave only the exact value.
pub fn tangents(pool: &mut Pool, t: TermId, va: &Rational, vb: &Rational) -> Vec<TermId> {
    let (a, b) = factors(pool, t);
    // vb * a + va * b - va * vb
    let plane = pool.mul_const(vb, a);
    let plane = plus(pool, plane, va, b);
    let plane = offset(pool, plane, &-(va * vb));
    let (above, below) = (pool.ge(t, plane), pool.le(t, plane));
    let (a_low, a_high) = (at_most(pool, a, va), at_least(pool, a, va));
    let (b_low, b_high) = (at_most(pool, b, vb), at_least(pool, b, vb));
    vec![
        when(pool, &[a_low, b_low], above),
        when(pool, &[a_high, b_high], above),
        when(pool, &[a_low, b_high], below),
        when(pool, &[a_high, b_low], below),
    ]
}

/// `a = va => t = va * b` and the same for `b`.
pub fn values(pool: &mut Pool, t: TermId, va: &Rational, vb: &Rational) -> Vec<TermId> {
    let (a, b) = factors(pool, t);
    [(a, va, b), (b, vb, a)]
        .into_iter()
        .map(|(x, v, y)| {
            let guard = is(pool, x, v);
            let linear = pool.mul_const(v, y);
            let exact = pool.eq(t, linear);
            when(pool, &[guard], exact)
        })
        .collect()
}
