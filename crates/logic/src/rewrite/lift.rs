//! Small rewrites at one operator: `ite` lifted out of atoms, wraps that do nothing.

use crate::machine::type_range;
use crate::{Op, Pool, Rational, TermId};

/// An atom over one `ite`: decided in both branches, it is the condition. `ite(c, 1, 0) = 1` is `c`.
pub(super) fn atom(pool: &mut Pool, t: TermId) -> TermId {
    let &[a, b] = pool.args(t) else {
        return t;
    };
    if !pool.is_arith(pool.sort_of(a)) {
        return t;
    }
    let left = pool.linear(a);
    let linear = left.add_scaled(&Rational::MINUS_ONE, &pool.linear(b));
    let mut ites = linear.terms.iter().filter(|(x, _)| pool.op(*x) == Op::Ite);
    let (Some((x, _)), None) = (ites.next(), ites.next()) else {
        return t;
    };
    let x = *x;
    let &[c, yes, no] = pool.args(x) else {
        return t;
    };
    let mut with = |value: TermId| {
        let (a, b) = (replace(pool, a, x, value), replace(pool, b, x, value));
        match pool.op(t) {
            Op::Eq => pool.eq(a, b),
            _ => pool.le(a, b),
        }
    };
    let (yes, no) = (with(yes), with(no));
    let decided = |p: &Pool, t: TermId| matches!(p.op(t), Op::True | Op::False);
    if decided(pool, yes) || decided(pool, no) {
        pool.ite(c, yes, no)
    } else {
        t
    }
}

/// `x` replaced among the summands of `t`.
fn replace(pool: &mut Pool, t: TermId, x: TermId, value: TermId) -> TermId {
    let linear = pool.linear(t);
    let Some(i) = linear.terms.iter().position(|(y, _)| *y == x) else {
        return t;
    };
    let mut rest = linear;
    let (_, c) = rest.terms.remove(i);
    let sum = rest.add_scaled(&c, &pool.linear(value));
    pool.from_linear(&sum, pool.sort_of(t))
}

/// The branches of an `ite` know its condition when they are `ite`s over the same one.
pub(super) fn ite(pool: &mut Pool, t: TermId) -> TermId {
    let &[c, a, b] = pool.args(t) else {
        return t;
    };
    let branch = |pool: &Pool, t: TermId, which: usize| match pool.op(t) {
        Op::Ite if pool.args(t)[0] == c => pool.args(t)[which],
        _ => t,
    };
    let (a, b) = (branch(pool, a, 1), branch(pool, b, 2));
    // `if x = 3 then x else y`: the numeral is as good.
    let a = match (pool.op(c), pool.args(c)) {
        (Op::Eq, &[x, n]) if pool.as_number(n).is_some() && a == x => n,
        _ => a,
    };
    pool.ite(c, a, b)
}

/// `wrap`, `mod` or `div` of a term whose values are in range already.
pub(super) fn wrapped(pool: &mut Pool, t: TermId) -> TermId {
    let args = pool.args(t);
    let Some((low, high)) = range(pool, args[0]) else {
        return t;
    };
    match pool.op(t) {
        Op::Wrap { bits, signed } => {
            let (least, greatest) = type_range(bits, signed);
            if least <= low && high <= greatest {
                return args[0];
            }
        }
        op @ (Op::Mod | Op::IntDiv) => {
            if let Some(d) = pool.as_number(args[1])
                && !low.is_negative()
                && high < d.abs()
            {
                return if op == Op::Mod { args[0] } else { pool.int(0) };
            }
        }
        _ => {}
    }
    t
}

/// Bounds on the values of a term that its operator alone gives.
fn range(pool: &Pool, t: TermId) -> Option<(Rational, Rational)> {
    let args = pool.args(t);
    let number = |i: usize| args.get(i).and_then(|&a| pool.as_number(a));
    match pool.op(t) {
        Op::Num(n) => Some((pool.number(n).clone(), pool.number(n).clone())),
        Op::Wrap { bits, signed } => Some(type_range(bits, signed)),
        Op::Mod => {
            let d = number(1).filter(|d| !d.is_zero())?.abs();
            Some((Rational::ZERO, &d - &Rational::ONE))
        }
        Op::BitAnd => {
            // One operand without a sign bounds the result.
            let mask = [number(0), number(1)].into_iter().flatten();
            let mask = mask.filter(|m| !m.is_negative()).min()?;
            Some((Rational::ZERO, mask.clone()))
        }
        Op::Ite => {
            // One level only: deeper ones would need a walk.
            let (a, b) = (leaf_range(pool, args[1])?, leaf_range(pool, args[2])?);
            Some((a.0.min(b.0), a.1.max(b.1)))
        }
        _ => None,
    }
}

fn leaf_range(pool: &Pool, t: TermId) -> Option<(Rational, Rational)> {
    match pool.op(t) {
        Op::Ite => None,
        _ => range(pool, t),
    }
}
