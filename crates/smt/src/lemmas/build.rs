//! Short names for building lemmas: guarded facts and linear terms.

use logic::{Pool, Rational, TermId};

/// `guard_1 and ... and guard_n => fact`.
pub fn when(pool: &mut Pool, guards: &[TermId], fact: TermId) -> TermId {
    let mut parts: Vec<TermId> = guards.iter().map(|g| pool.not(*g)).collect();
    parts.push(fact);
    pool.or(&parts)
}

/// The numeral `value` of the sort of `like`.
pub fn num(pool: &mut Pool, value: &Rational, like: TermId) -> TermId {
    let sort = pool.sort_of(like);
    pool.num(value.clone(), sort)
}

/// `t <= value`.
pub fn at_most(pool: &mut Pool, t: TermId, value: &Rational) -> TermId {
    let n = num(pool, value, t);
    pool.le(t, n)
}

/// `t >= value`.
pub fn at_least(pool: &mut Pool, t: TermId, value: &Rational) -> TermId {
    let n = num(pool, value, t);
    pool.ge(t, n)
}

/// `t = value`.
pub fn is(pool: &mut Pool, t: TermId, value: &Rational) -> TermId {
    let n = num(pool, value, t);
    pool.eq(t, n)
}

/// `a + factor * b`.
pub fn plus(pool: &mut Pool, a: TermId, factor: &Rational, b: TermId) -> TermId {
    let scaled = pool.mul_const(factor, b);
    pool.add2(a, scaled)
}

/// `t + value`.
pub fn offset(pool: &mut Pool, t: TermId, value: &Rational) -> TermId {
    let n = num(pool, value, t);
    pool.add2(t, n)
}

pub fn two_to(exp: usize) -> Rational {
    Rational::power_of_two(exp)
}
