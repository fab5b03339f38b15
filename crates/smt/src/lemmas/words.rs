//! Machine words: wrapping into a range, and shifts by a variable.
//!
//! Wrapping is stated by the cases that occur in practice: the value fits, or it is one period
//! too high or too low. The exact relation `t = w + 2^n * k` with `k` a `div` term comes on demand:
//! it is needed after multiplications only, and keeps `div` out of interpolants until then.

use super::build::{at_least, at_most, is, num, offset, plus, two_to, when};
use logic::machine::type_range;
use logic::{Op, Pool, Rational, TermId};

const ZERO: Rational = Rational::ZERO;
const ONE: Rational = Rational::ONE;
const MINUS_ONE: Rational = Rational::MINUS_ONE;

/// `w = wrap(t)`: its range, and its value within one period.
pub fn wrap(pool: &mut Pool, w: TermId, bits: u8, signed: bool, t: TermId) -> Vec<TermId> {
    let (low, high) = type_range(bits, signed);
    let period = two_to(bits as usize);
    let mut out = vec![pool.in_range(&low, w, &high)];
    for shift in [ZERO, -&period, period] {
        let target = offset(pool, t, &shift);
        let fits = pool.in_range(&low, target, &high);
        let same = pool.eq(w, target);
        out.push(when(pool, &[fits], same));
    }
    out
}

/// `w = t - 2^n * k`, where `k` counts the periods.
pub fn wrap_exact(pool: &mut Pool, w: TermId, bits: u8, signed: bool, t: TermId) -> TermId {
    let (low, _) = type_range(bits, signed);
    let period = two_to(bits as usize);
    let from_low = offset(pool, t, &-&low);
    let divisor = num(pool, &period, t);
    let k = pool.int_div(from_low, divisor);
    let exact = plus(pool, t, &-&period, k);
    pool.eq(w, exact)
}

/// `a << b`, `a >> b` with a variable `b`.
pub fn shift(pool: &mut Pool, term: TermId, a: TermId, b: TermId) -> Vec<TermId> {
    let left = pool.op(term) == Op::Shl;
    let (a_pos, a_neg) = (at_least(pool, a, &ZERO), at_most(pool, a, &MINUS_ONE));
    let b_low = at_least(pool, b, &ZERO);
    let b_high = at_most(pool, b, &Rational::from(255));
    let usual = pool.and2(b_low, b_high);
    let odd = pool.not(usual);
    let (t_pos, t_neg) = (at_least(pool, term, &ZERO), at_most(pool, term, &MINUS_ONE));
    let (above, below) = (pool.ge(term, a), pool.le(term, a));
    let b_zero = is(pool, b, &ZERO);
    let b_one = at_least(pool, b, &ONE);
    let same = pool.eq(term, a);
    let t_zero = is(pool, term, &ZERO);
    let double = pool.mul_const(&Rational::from(2), a);
    let mut out = vec![when(pool, &[b_zero], same)];
    if left {
        let twice_up = pool.ge(term, double);
        let twice_down = pool.le(term, double);
        out.extend([
            when(pool, &[odd], t_zero),
            when(pool, &[a_pos], t_pos),
            when(pool, &[usual, a_pos], above),
            when(pool, &[usual, a_neg], below),
            when(pool, &[usual, b_one, a_pos], twice_up),
            when(pool, &[usual, b_one, a_neg], twice_down),
        ]);
    } else {
        let t_all = is(pool, term, &MINUS_ONE);
        let half = pool.mul_const(&Rational::from(2), term);
        let halved = pool.le(half, a);
        out.extend([
            when(pool, &[odd, a_pos], t_zero),
            when(pool, &[odd, a_neg], t_all),
            when(pool, &[a_pos], t_pos),
            when(pool, &[a_pos], below),
            when(pool, &[a_neg], t_neg),
            when(pool, &[a_neg], above),
            when(pool, &[b_one, usual, a_pos], halved),
        ]);
    }
    out
}

/// The shift at a value of its second argument; with `table`, at all of 0..=63.
pub fn shift_at(pool: &mut Pool, term: TermId, vb: &Rational, table: bool) -> Vec<TermId> {
    let (op, a, b) = (pool.op(term), pool.args(term)[0], pool.args(term)[1]);
    let Some(n) = vb.to_i64().filter(|n| (0..=255).contains(n)) else {
        return Vec::new(); // The axioms settle these.
    };
    let range = if table && n < 64 { 0..=63 } else { n..=n };
    let mut out = Vec::new();
    for n in range {
        let n = Rational::from(n);
        let (guard, by) = (is(pool, b, &n), num(pool, &n, b));
        let shifted = match op {
            Op::Shl => pool.shl(a, by),
            _ => pool.shr(a, by),
        };
        let exact = pool.eq(term, shifted);
        out.push(when(pool, &[guard], exact));
    }
    out
}
