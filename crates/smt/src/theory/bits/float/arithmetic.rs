//! Sums, products, quotients, roots.

use super::round::round;
use super::{
    Format, Mode, Packed, Unpacked, Word, any, choose, none, normalise, number, pack, shift_sticky,
    signed,
};
use crate::theory::bits::circuit;
use logic::{IBig, Pool, TermId};

/// `a + b`; for a difference the caller turns the sign of `b`.
pub fn add(pool: &mut Pool, mode: &Mode, a: &Unpacked, b: &Unpacked) -> Packed {
    sum(pool, a.format, mode, a, b)
}

/// The sum of numbers with significands of one length, rounded to a format.
fn sum(pool: &mut Pool, format: Format, mode: &Mode, a: &Unpacked, b: &Unpacked) -> Packed {
    let n = a.sig.len();
    let width = a.exp.len().max(b.exp.len()) + 1;
    let gap = circuit::subtract(pool, &a.exp, &b.exp, width);
    let swap = gap[width - 1];
    let other = circuit::negate(pool, &gap, width);
    let gap = choose(pool, swap, &other, &gap);
    let exp = choose(pool, swap, &b.exp, &a.exp);
    let sign = pool.ite(swap, b.sign, a.sign);
    let (big, small) = (
        choose(pool, swap, &b.sig, &a.sig),
        choose(pool, swap, &a.sig, &b.sig),
    );
    // Guard, round and sticky.
    let longer = |sig: &[TermId], f: TermId| {
        let mut word = vec![f; 3];
        word.extend(sig);
        word
    };
    let (big, small) = (longer(&big, pool.ff()), longer(&small, pool.ff()));
    let mut small = shift_sticky(pool, &small, &gap[..width - 1]);
    let differ = pool.xor(a.sign, b.sign);
    small.push(pool.ff());
    let mut big = big;
    big.push(pool.ff());
    let small: Word = small.iter().map(|&x| pool.xor(x, differ)).collect();
    let total = circuit::add(pool, &big, &small, differ, n + 5);
    let below = total[n + 4];
    let turned = circuit::negate(pool, &total, n + 5);
    let total = choose(pool, below, &turned, &total);
    let total = &total[..n + 4];
    let nothing = none(pool, total);
    let (sig, count) = normalise(pool, total);
    let one = pool.tt();
    let zero = [pool.ff()];
    let raised = circuit::add(pool, &signed(&exp, width), &zero, one, width + 1);
    let exp = circuit::subtract(pool, &raised, &count, width.max(count.len()) + 2);
    let sign = pool.xor(sign, below);
    // An exact zero is positive, unless rounding goes down or both are negative zeros.
    let zero_sign = pool.ite(differ, mode.down, a.sign);
    let sign = pool.ite(nothing, zero_sign, sign);
    let inf_sign = pool.ite(a.inf, a.sign, b.sign);
    let inf = pool.or2(a.inf, b.inf);
    let magnitude = round(pool, format, mode, sign, &exp, &sig);
    let sign = pool.ite(inf, inf_sign, sign);
    let bits = pack(pool, format, sign, (inf, nothing), &magnitude);
    let against = pool.and(&[a.inf, b.inf, differ]);
    let nan = pool.or(&[a.nan, b.nan, against]);
    Packed { nan, bits }
}

/// Sign, exponent and significand of a product, all its digits kept.
fn product(pool: &mut Pool, a: &Unpacked, b: &Unpacked) -> (TermId, Word, Word) {
    let n = a.sig.len();
    let sign = pool.xor(a.sign, b.sign);
    let positive = |sig: &[TermId], f: TermId| {
        let mut word = sig.to_vec();
        word.push(f);
        word
    };
    let (x, y) = (positive(&a.sig, pool.ff()), positive(&b.sig, pool.ff()));
    let digits = circuit::multiply(pool, &x, &y, 2 * n);
    let top = digits[2 * n - 1];
    let mut moved = vec![pool.ff()];
    moved.extend(&digits[..2 * n - 1]);
    let sig = choose(pool, top, &digits, &moved);
    let width = a.exp.len().max(b.exp.len()) + 2;
    let exp = circuit::add(pool, &a.exp, &b.exp, top, width);
    (sign, exp, sig)
}

pub fn multiply(pool: &mut Pool, mode: &Mode, a: &Unpacked, b: &Unpacked) -> Packed {
    let (sign, exp, sig) = product(pool, a, b);
    let magnitude = round(pool, a.format, mode, sign, &exp, &sig);
    let (inf, zero) = (pool.or2(a.inf, b.inf), pool.or2(a.zero, b.zero));
    let bits = pack(pool, a.format, sign, (inf, zero), &magnitude);
    let invalid = pool.and2(inf, zero);
    let nan = pool.or(&[a.nan, b.nan, invalid]);
    Packed { nan, bits }
}

/// `a * b + c` with one rounding.
pub fn fused(pool: &mut Pool, mode: &Mode, a: &Unpacked, b: &Unpacked, c: &Unpacked) -> Packed {
    let format = a.format;
    let (sign, exp, sig) = product(pool, a, b);
    let (inf, zero) = (pool.or2(a.inf, b.inf), pool.or2(a.zero, b.zero));
    let invalid = pool.and2(inf, zero);
    let nan = pool.or(&[a.nan, b.nan, invalid]);
    // A zero must not be taken for the larger operand; its significand is 0.
    let lowest = number(pool, -(IBig::ONE << (format.wide() + 1)));
    let exp = choose(pool, zero, &lowest, &exp);
    let wide = Unpacked {
        nan,
        inf,
        zero,
        sign,
        exp,
        sig,
        format,
    };
    let mut sig = vec![pool.ff(); c.sig.len()];
    sig.extend(&c.sig);
    let other = Unpacked { sig, ..c.clone() };
    sum(pool, format, mode, &wide, &other)
}

pub fn divide(pool: &mut Pool, mode: &Mode, a: &Unpacked, b: &Unpacked) -> Packed {
    let n = a.sig.len();
    let format = a.format;
    let mut divisor = b.sig.clone();
    divisor.push(pool.ff());
    divisor.push(pool.ff());
    let mut rest = a.sig.clone();
    rest.push(pool.ff());
    // n + 3 digits: one or none before the point.
    let mut digits = Vec::new();
    for i in 0..n + 3 {
        if i > 0 {
            rest.pop();
            rest.insert(0, pool.ff());
        }
        let mut top = rest.clone();
        top.push(pool.ff());
        let less = circuit::subtract(pool, &top, &divisor, n + 2);
        let fits = pool.not(less[n + 1]);
        rest = choose(pool, fits, &less[..n + 1], &rest);
        digits.push(fits);
    }
    let whole = digits[0];
    let sticky = any(pool, &rest);
    digits.reverse();
    let mut moved = vec![sticky, pool.ff()];
    moved.extend(&digits[..n + 2]);
    let mut kept = vec![sticky];
    kept.extend(&digits);
    let sig = choose(pool, whole, &kept, &moved);
    let width = a.exp.len().max(b.exp.len()) + 2;
    // One less if the quotient is below one: a - b - 1 is a + not b.
    let inverted = circuit::invert(pool, &b.exp);
    let exp = circuit::add(pool, &a.exp, &inverted, whole, width);
    let sign = pool.xor(a.sign, b.sign);
    let magnitude = round(pool, format, mode, sign, &exp, &sig);
    let (inf, zero) = (pool.or2(a.inf, b.zero), pool.or2(a.zero, b.inf));
    let bits = pack(pool, format, sign, (inf, zero), &magnitude);
    let zeros = pool.and2(a.zero, b.zero);
    let infs = pool.and2(a.inf, b.inf);
    let nan = pool.or(&[a.nan, b.nan, zeros, infs]);
    Packed { nan, bits }
}

pub fn sqrt(pool: &mut Pool, mode: &Mode, a: &Unpacked) -> Packed {
    let n = a.sig.len();
    let format = a.format;
    // With an even exponent the radicand lies between one and four.
    let odd = a.exp[0];
    let mut even_sig = a.sig.clone();
    even_sig.push(pool.ff());
    let mut odd_sig = vec![pool.ff()];
    odd_sig.extend(&a.sig);
    let radicand = choose(pool, odd, &odd_sig, &even_sig);
    let digits = n + 2;
    let mut supply = radicand.into_iter().rev();
    let mut rest: Word = Vec::new();
    let mut root: Word = Vec::new(); // least significant first
    for _ in 0..digits {
        let (high, low) = (supply.next(), supply.next());
        let (high, low) = (high.unwrap_or(pool.ff()), low.unwrap_or(pool.ff()));
        rest.splice(0..0, [low, high]);
        let mut trial = vec![pool.tt(), pool.ff()];
        trial.extend(&root);
        let width = rest.len().max(trial.len()) + 1;
        let zero = pool.ff();
        rest.resize(width, zero);
        trial.resize(width, zero);
        let less = circuit::subtract(pool, &rest, &trial, width);
        let fits = pool.not(less[width - 1]);
        rest = choose(pool, fits, &less, &rest);
        root.insert(0, fits);
        // The rest is at most twice the root.
        rest.truncate(root.len() + 1);
    }
    let sticky = any(pool, &rest);
    root.insert(0, sticky);
    let exp = a.exp[1..].to_vec();
    let magnitude = round(pool, format, mode, a.sign, &exp, &root);
    let bits = pack(pool, format, a.sign, (a.inf, a.zero), &magnitude);
    let nonzero = pool.not(a.zero);
    let negative = pool.and2(a.sign, nonzero);
    let nan = pool.or2(a.nan, negative);
    Packed { nan, bits }
}
