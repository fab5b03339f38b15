//! Circuits of the bit-vector operators. Division by zero is what SMT-LIB says: all ones, and the dividend.

use crate::theory::bits::circuit::{self, Word, add, choose, negate, subtract};
use crate::ticks;
use base::{Budget, Stop};
use logic::word::WordOp;
use logic::{Pool, TermId};
use std::rc::Rc;

/// The bits of a result; a predicate is a single one.
pub(super) fn apply(
    pool: &mut Pool,
    op: WordOp,
    args: &[Rc<Word>],
    budget: &Budget,
) -> Result<Word, Stop> {
    use WordOp::*;
    let a: &Word = &args[0];
    let b: &Word = args.get(1).unwrap_or(&args[0]);
    let n = a.len();
    let none = pool.ff();
    Ok(match op {
        Not => circuit::invert(pool, a),
        Neg => negate(pool, a, n),
        And => zip(a, b, |x, y| pool.and2(x, y)),
        Or => zip(a, b, |x, y| pool.or2(x, y)),
        Xor => zip(a, b, |x, y| pool.xor(x, y)),
        Add => add(pool, a, b, none, n),
        Sub => subtract(pool, a, b, n),
        Mul => multiply(pool, a, b, n, budget)?,
        Udiv => divide(pool, a, b, budget)?.0,
        Urem => divide(pool, a, b, budget)?.1,
        Sdiv | Srem | Smod => signed_division(pool, op, a, b, budget)?,
        Shl => shift(pool, a, b, true, none),
        Lshr => shift(pool, a, b, false, none),
        Ashr => shift(pool, a, b, false, a[n - 1]),
        Comp => vec![circuit::equal(pool, a, b)],
        Ult => vec![unsigned_less(pool, a, b)],
        Ule => {
            let more = unsigned_less(pool, b, a);
            vec![pool.not(more)]
        }
        Slt => {
            let more = circuit::at_most(pool, b, a);
            vec![pool.not(more)]
        }
        Sle => vec![circuit::at_most(pool, a, b)],
        Concat => b.iter().chain(a).copied().collect(),
        Extract(high, low) => a[low as usize..=high as usize].to_vec(),
        ZeroExtend(k) => wider(a, k as usize, none),
        SignExtend(k) => wider(a, k as usize, a[n - 1]),
        NegOverflow => {
            let mut parts = circuit::invert(pool, &a[..n - 1]);
            parts.push(a[n - 1]);
            vec![pool.and(&parts)]
        }
        UaddOverflow => {
            let sum = add(pool, &wider(a, 1, none), &wider(b, 1, none), none, n + 1);
            vec![sum[n]]
        }
        UsubOverflow => vec![unsigned_less(pool, a, b)],
        SaddOverflow => {
            let sum = add(pool, a, b, none, n + 1);
            vec![pool.xor(sum[n], sum[n - 1])]
        }
        SsubOverflow => {
            let difference = subtract(pool, a, b, n + 1);
            vec![pool.xor(difference[n], difference[n - 1])]
        }
        UmulOverflow => {
            let (x, y) = (wider(a, n, none), wider(b, n, none));
            let product = multiply(pool, &x, &y, 2 * n, budget)?;
            vec![pool.or(&product[n..])]
        }
        SmulOverflow => {
            let (x, y) = (wider(a, n, a[n - 1]), wider(b, n, b[n - 1]));
            let product = multiply(pool, &x, &y, 2 * n, budget)?;
            let differ: Vec<TermId> = product[n..]
                .iter()
                .map(|&p| pool.xor(p, product[n - 1]))
                .collect();
            vec![pool.or(&differ)]
        }
        SdivOverflow => {
            // The least number by minus one.
            let mut parts = circuit::invert(pool, &a[..n - 1]);
            parts.push(a[n - 1]);
            parts.extend(b);
            vec![pool.and(&parts)]
        }
        Bit(k) => vec![a[k as usize]],
        Float(_) => unreachable!("floats have circuits of their own"),
    })
}

fn zip(a: &[TermId], b: &[TermId], mut f: impl FnMut(TermId, TermId) -> TermId) -> Word {
    a.iter().zip(b).map(|(&x, &y)| f(x, y)).collect()
}

fn wider(a: &[TermId], by: usize, fill: TermId) -> Word {
    let mut word = a.to_vec();
    word.resize(a.len() + by, fill);
    word
}

/// `a < b` as unsigned numbers.
fn unsigned_less(pool: &mut Pool, a: &[TermId], b: &[TermId]) -> TermId {
    let mut less = pool.ff();
    for (&x, &y) in a.iter().zip(b) {
        let same = pool.eq(x, y);
        less = pool.ite(same, less, y);
    }
    less
}

/// The product modulo `2^n`: a row for each bit of the operand with more constant bits.
pub(super) fn multiply(
    pool: &mut Pool,
    a: &[TermId],
    b: &[TermId],
    n: usize,
    budget: &Budget,
) -> Result<Word, Stop> {
    let constants = |w: &[TermId]| {
        w.iter()
            .filter(|&&t| t == pool.tt() || t == pool.ff())
            .count()
    };
    let (a, b) = if constants(a) > constants(b) {
        (b, a)
    } else {
        (a, b)
    };
    let none = pool.ff();
    let mut sum = vec![none; n];
    for (i, &chosen) in b.iter().enumerate().take(n) {
        if chosen == none {
            continue;
        }
        let row: Word = a[..n - i].iter().map(|&x| pool.and2(chosen, x)).collect();
        let high = add(pool, &sum[i..], &row, none, n - i);
        sum.truncate(i);
        sum.extend(high);
        budget.spend((n - i) as u64 * ticks::TERM)?;
    }
    Ok(sum)
}

/// Quotient and remainder of unsigned numbers, digit by digit. By zero every digit fits, so the quotient is
/// all ones and the dividend is left.
pub(super) fn divide(
    pool: &mut Pool,
    a: &[TermId],
    b: &[TermId],
    budget: &Budget,
) -> Result<(Word, Word), Stop> {
    let n = a.len();
    let none = pool.ff();
    let mut rest = vec![none; n];
    let mut quotient = vec![none; n];
    let divisor = wider(b, 1, none);
    for i in (0..n).rev() {
        let mut top = vec![a[i]];
        top.extend(&rest);
        let (less, fits) = take_away(pool, &top, &divisor);
        rest = choose(pool, fits, &less[..n], &top[..n]);
        quotient[i] = fits;
        budget.spend(n as u64 * ticks::TERM)?;
    }
    Ok((quotient, rest))
}

/// `a - b` and whether it is not negative, as unsigned numbers of one width.
fn take_away(pool: &mut Pool, a: &[TermId], b: &[TermId]) -> (Word, TermId) {
    let mut carry = pool.tt();
    let mut out = Vec::with_capacity(a.len());
    for (&x, &y) in a.iter().zip(b) {
        let y = pool.not(y);
        let same = pool.eq(x, y);
        out.push(pool.eq(same, carry));
        carry = pool.ite(same, x, carry);
    }
    (out, carry)
}

/// Division that rounds towards zero; `bvsmod` takes the sign of the divisor.
fn signed_division(
    pool: &mut Pool,
    op: WordOp,
    a: &[TermId],
    b: &[TermId],
    budget: &Budget,
) -> Result<Word, Stop> {
    let n = a.len();
    let (sa, sb) = (a[n - 1], b[n - 1]);
    let turned = [a, b].map(|w| negate(pool, w, n));
    let (x, y) = (
        choose(pool, sa, &turned[0], a),
        choose(pool, sb, &turned[1], b),
    );
    let (quotient, rest) = divide(pool, &x, &y, budget)?;
    let minus = negate(pool, &rest, n);
    let signed_rest = choose(pool, sa, &minus, &rest);
    Ok(match op {
        WordOp::Sdiv => {
            let minus = negate(pool, &quotient, n);
            let same = pool.eq(sa, sb);
            choose(pool, same, &quotient, &minus)
        }
        WordOp::Srem => signed_rest,
        _ => {
            let none = pool.ff();
            let moved = add(pool, &signed_rest, b, none, n);
            let something = pool.or(&rest);
            let differ = pool.xor(sa, sb);
            let adjust = pool.and2(something, differ);
            choose(pool, adjust, &moved, &signed_rest)
        }
    })
}

/// The word shifted by an unsigned number; all `fill` if that is not below the width.
fn shift(pool: &mut Pool, a: &[TermId], by: &[TermId], left: bool, fill: TermId) -> Word {
    let n = a.len();
    let mut word = a.to_vec();
    let mut gone = Vec::new();
    for (k, &chosen) in by.iter().enumerate() {
        let places = 1usize.checked_shl(k as u32).filter(|p| *p < n);
        let Some(places) = places else {
            gone.push(chosen);
            continue;
        };
        let moved: Word = (0..n)
            .map(|i| match left {
                true => i.checked_sub(places).map_or(fill, |j| word[j]),
                false => word.get(i + places).copied().unwrap_or(fill),
            })
            .collect();
        word = choose(pool, chosen, &moved, &word);
    }
    let gone = pool.or(&gone);
    choose(pool, gone, &vec![fill; n], &word)
}
