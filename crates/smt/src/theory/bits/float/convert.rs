//! Integers, other formats, integral values, remainders.

use super::round::{goes_up, round};
use super::{
    Format, Mode, Packed, Unpacked, Word, choose, none, normalise, number, pack, shift_left,
    shift_sticky, signed,
};
use crate::theory::bits::circuit;
use logic::{IBig, Pool, TermId};

/// The nearest number of another format. The payload of a NaN is the caller's business.
pub fn to_format(pool: &mut Pool, mode: &Mode, a: &Unpacked, format: Format) -> Packed {
    let magnitude = round(pool, format, mode, a.sign, &a.exp, &a.sig);
    let bits = pack(pool, format, a.sign, (a.inf, a.zero), &magnitude);
    Packed { nan: a.nan, bits }
}

/// The number nearest to a signed integer.
pub fn from_integer(pool: &mut Pool, mode: &Mode, a: &[TermId], format: Format) -> Word {
    let n = a.len();
    let sign = a[n - 1];
    let negative = circuit::negate(pool, a, n);
    let absolute = choose(pool, sign, &negative, a);
    let zero = none(pool, a);
    let (sig, count) = normalise(pool, &absolute);
    let most = number(pool, n as i64 - 1);
    let width = most.len().max(count.len()) + 1;
    let exp = circuit::subtract(pool, &most, &count, width);
    let magnitude = round(pool, format, mode, sign, &exp, &sig);
    let never = pool.ff();
    pack(pool, format, sign, (never, zero), &magnitude)
}

/// The value without its fraction as a signed number of `n` bits, and whether it lies within.
/// Infinities and NaNs do not.
pub fn to_integer(pool: &mut Pool, a: &Unpacked, n: usize) -> (Word, TermId) {
    let digits = a.sig.len();
    // The point is behind the leading one; the exponent says how far it moves.
    let below = a.exp[a.exp.len() - 1];
    let mut word = a.sig.clone();
    word.resize(digits + n, pool.ff());
    let moved = shift_left(pool, &word, &a.exp[..a.exp.len() - 1]);
    let mut magnitude: Word = moved[digits - 1..digits + n].to_vec();
    let nothing = pool.or2(below, a.zero);
    let something = pool.not(nothing);
    for b in &mut magnitude {
        *b = pool.and2(*b, something);
    }
    let limit = number(pool, n as i64 - 1);
    let beyond = circuit::at_most(pool, &limit, &a.exp);
    // The most negative number is one further from zero than the greatest.
    let lowest = none(pool, &magnitude[..n - 1]);
    let exactly = circuit::equal(pool, &limit, &a.exp);
    let lowest = pool.and(&[lowest, exactly, a.sign]);
    let within = pool.not(beyond);
    let within = pool.or(&[within, lowest, a.zero]);
    let (number, finite) = (pool.not(a.nan), pool.not(a.inf));
    let within = pool.and(&[within, number, finite]);
    magnitude.truncate(n);
    let negative = circuit::negate(pool, &magnitude, n);
    (choose(pool, a.sign, &negative, &magnitude), within)
}

/// The integral value that the mode says, as a float.
pub fn integral(pool: &mut Pool, mode: &Mode, a: &Unpacked, bits: &[TermId]) -> Packed {
    let n = a.sig.len();
    let width = a.exp.len() + 2;
    let last = number(pool, n as i64 - 1);
    let whole = circuit::at_most(pool, &last, &a.exp);
    let by = circuit::subtract(pool, &last, &signed(&a.exp, width), width);
    let mut word = vec![pool.ff(); 2];
    word.extend(&a.sig);
    let word = shift_sticky(pool, &word, &by[..width - 1]);
    let up = goes_up(pool, mode, a.sign, (word[2], word[1], word[0]));
    let zero = [pool.ff()];
    let mut integer = word[2..].to_vec();
    integer.push(pool.ff());
    let integer = circuit::add(pool, &integer, &zero, up, n);
    let nothing = none(pool, &integer);
    let (sig, count) = normalise(pool, &integer);
    let exp = circuit::subtract(pool, &last, &count, width.max(count.len() + 1));
    let magnitude = round(pool, a.format, mode, a.sign, &exp, &sig);
    let never = pool.ff();
    let rounded = pack(pool, a.format, a.sign, (never, nothing), &magnitude);
    let keep = pool.or(&[whole, a.inf, a.zero]);
    Packed {
        nan: a.nan,
        bits: choose(pool, keep, bits, &rounded),
    }
}

/// `a - b * n`, where `n` is `a / b` without its fraction (`fmod`), or the nearest integer, ties to even (IEEE
/// `remainder`). A step for each possible difference of exponents; `None` if one of them may not be made.
pub fn remainder(
    pool: &mut Pool,
    a: &Unpacked,
    b: &Unpacked,
    a_bits: &[TermId],
    nearest: bool,
    go_on: &mut dyn FnMut(&Pool) -> bool,
) -> Option<Packed> {
    let n = a.sig.len();
    let format = a.format;
    let width = a.exp.len().max(b.exp.len()) + 1;
    let gap = circuit::subtract(pool, &a.exp, &b.exp, width);
    // So far below the divisor nothing is taken away.
    let far = number(pool, if nearest { -2 } else { -1 });
    let small = circuit::at_most(pool, &gap, &far);
    let mut divisor = b.sig.clone();
    divisor.extend([pool.ff(), pool.ff()]);
    let mut rest = a.sig.clone();
    rest.push(pool.ff());
    let mut odd = pool.ff();
    for i in (0..(1usize << format.exponent) + n).rev() {
        // The steps gap, gap - 1, ..., 0 take part.
        if !go_on(pool) {
            return None;
        }
        let index = number(pool, i as i64);
        let takes = circuit::at_most(pool, &index, &gap);
        let mut top = rest.clone();
        top.push(pool.ff());
        let less = circuit::subtract(pool, &top, &divisor, n + 2);
        let fits = pool.not(less[n + 1]);
        let mut next = choose(pool, fits, &less[..n + 1], &rest);
        odd = pool.ite(takes, fits, odd);
        if i > 0 {
            next.pop();
            next.insert(0, pool.ff());
        }
        rest = choose(pool, takes, &next, &rest);
    }
    // In half units of the divisor's last digit; a dividend just below it was not touched.
    let under = gap[width - 1];
    let mut doubled = vec![pool.ff()];
    doubled.extend(&rest);
    rest.push(pool.ff());
    let halves = choose(pool, under, &rest, &doubled);
    let nothing = none(pool, &halves);
    let (mut sign, mut value) = (a.sign, halves.clone());
    if nearest {
        let mut wide = halves;
        wide.push(pool.ff());
        // Twice the rest against the divisor.
        let ge = circuit::at_most(pool, &divisor, &wide);
        let tie = circuit::equal(pool, &divisor, &wide);
        let more = pool.not(tie);
        let parts = [pool.and2(ge, more), pool.and2(tie, odd)];
        let up = pool.or(&parts);
        let mut twice = vec![pool.ff()];
        twice.extend(&divisor);
        let complement = circuit::subtract(pool, &twice, &wide, n + 2);
        value = choose(pool, up, &complement, &value);
        sign = pool.xor(sign, up);
    }
    let (sig, count) = normalise(pool, &value);
    // The first place of `value` weighs twice as much as the divisor's leading one.
    let one = pool.tt();
    let raised = circuit::add(pool, &signed(&b.exp, width), &[pool.ff()], one, width + 1);
    let exp = circuit::subtract(pool, &raised, &count, width + 2);
    let mode = Mode::fixed(pool, 0);
    let magnitude = round(pool, format, &mode, sign, &exp, &sig);
    let sign = pool.ite(nothing, a.sign, sign);
    let never = pool.ff();
    let bits = pack(pool, format, sign, (never, nothing), &magnitude);
    let keep = pool.or(&[small, b.inf, a.zero]);
    let bits = choose(pool, keep, a_bits, &bits);
    let nan = pool.or(&[a.nan, b.nan, a.inf, b.zero]);
    Some(Packed { nan, bits })
}

/// The number nearest to `digits * 2^exponent`, whose last digit may stand for all that follow; of at least two more
/// digits than the format has, or exact.
pub fn from_digits(
    pool: &mut Pool,
    mode: &Mode,
    negative: bool,
    (digits, exponent): (&IBig, i64),
    format: Format,
) -> Word {
    let sign = pool.bool_const(negative);
    let zero = pool.bool_const(*digits == IBig::ZERO);
    let mut sig = circuit::constant(pool, digits);
    // Without its sign the first digit is set.
    sig.pop();
    if sig.is_empty() {
        sig.push(pool.tt());
    }
    let exp = number(pool, exponent + sig.len() as i64 - 1);
    let magnitude = round(pool, format, mode, sign, &exp, &sig);
    let never = pool.ff();
    pack(pool, format, sign, (never, zero), &magnitude)
}
