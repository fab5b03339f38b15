//! Circuits over words: adders, multipliers, comparators, shifters and dividers as Bool terms.
//!
//! A word is a list of Bool terms, least significant first, read as two's complement: the last one is
//! the sign and goes on for ever. Sums are exclusive ors written as equivalences, carries are
//! `ite(a = b, a, c)`, so that no junction is flattened and shared parts stay shared.

use logic::{IBig, Pool, TermId};

/// Bits of a number in two's complement.
pub type Word = Vec<TermId>;

/// Bit `i`, the sign for all beyond the word.
pub fn bit(word: &[TermId], i: usize) -> TermId {
    word[i.min(word.len() - 1)]
}

/// The word at another width: cut off or with its sign repeated.
pub fn resize(word: &[TermId], width: usize) -> Word {
    (0..width).map(|i| bit(word, i)).collect()
}

/// The word of a number, as short as it can be.
pub fn constant(pool: &Pool, value: &IBig) -> Word {
    let width = signed_width(value);
    (0..width)
        .map(|i| pool.bool_const((value >> i) & IBig::ONE == IBig::ONE))
        .collect()
}

/// The bits that a number needs with its sign.
pub fn signed_width(value: &IBig) -> usize {
    let mut rest = match *value < IBig::ZERO {
        true => -value - IBig::ONE,
        false => value.clone(),
    };
    let mut width = 1;
    while rest > IBig::ZERO {
        rest >>= 1;
        width += 1;
    }
    width
}

/// `a + b + carry` modulo `2^width`.
pub fn add(pool: &mut Pool, a: &[TermId], b: &[TermId], mut carry: TermId, width: usize) -> Word {
    let mut out = Vec::with_capacity(width);
    for i in 0..width {
        let (x, y) = (bit(a, i), bit(b, i));
        let same = pool.eq(x, y);
        out.push(pool.eq(same, carry));
        if i + 1 < width {
            carry = match two_alike(pool, [x, y, carry]) {
                Some(fixed) => fixed,
                None => pool.ite(same, x, carry),
            };
        }
    }
    out
}

/// The constant that two of three bits are.
fn two_alike(pool: &Pool, bits: [TermId; 3]) -> Option<TermId> {
    let fixed = [pool.ff(), pool.tt()];
    let is = |c: &TermId| bits.iter().filter(|b| *b == c).count() > 1;
    fixed.into_iter().find(is)
}

pub fn invert(pool: &mut Pool, a: &[TermId]) -> Word {
    a.iter().map(|&x| pool.not(x)).collect()
}

/// `a - b` modulo `2^width`.
pub fn subtract(pool: &mut Pool, a: &[TermId], b: &[TermId], width: usize) -> Word {
    let inverted = invert(pool, b);
    let one = pool.tt();
    add(pool, a, &inverted, one, width)
}

/// `-a` modulo `2^width`.
pub fn negate(pool: &mut Pool, a: &[TermId], width: usize) -> Word {
    let zero = [pool.ff()];
    subtract(pool, &zero, a, width)
}

/// `a * b` modulo `2^width`: a row for each bit of `b`, the sign's subtracted.
pub fn multiply(pool: &mut Pool, a: &[TermId], b: &[TermId], width: usize) -> Word {
    let (a, b) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let mut sum = vec![pool.ff(); width];
    for (i, &chosen) in b.iter().enumerate().take(width) {
        let rest = width - i;
        let row: Word = (0..rest).map(|k| pool.and2(chosen, bit(a, k))).collect();
        let high = match i + 1 == b.len() {
            true => subtract(pool, &sum[i..], &row, rest),
            false => {
                let none = pool.ff();
                add(pool, &sum[i..], &row, none, rest)
            }
        };
        sum.truncate(i);
        sum.extend(high);
    }
    sum
}

/// `factor * a` modulo `2^width`.
pub fn scale(pool: &mut Pool, a: &[TermId], factor: &IBig, width: usize) -> Word {
    let magnitude = match *factor < IBig::ZERO {
        true => -factor,
        false => factor.clone(),
    };
    let mut sum: Option<Word> = None;
    for i in 0..width {
        if (&magnitude >> i) & IBig::ONE != IBig::ONE {
            continue;
        }
        let mut row = vec![pool.ff(); i];
        row.extend((0..width - i).map(|k| bit(a, k)));
        sum = Some(match sum {
            None => row,
            Some(sum) => {
                let none = pool.ff();
                add(pool, &sum, &row, none, width)
            }
        });
    }
    let sum = sum.unwrap_or_else(|| vec![pool.ff(); width]);
    match *factor < IBig::ZERO {
        true => negate(pool, &sum, width),
        false => sum,
    }
}

/// `a <= b` as signed numbers.
pub fn at_most(pool: &mut Pool, a: &[TermId], b: &[TermId]) -> TermId {
    let width = a.len().max(b.len());
    let mut result = pool.tt();
    for i in 0..width {
        let (x, y) = (bit(a, i), bit(b, i));
        let same = pool.eq(x, y);
        let decides = if i + 1 == width { x } else { y };
        result = pool.ite(same, result, decides);
    }
    result
}

pub fn equal(pool: &mut Pool, a: &[TermId], b: &[TermId]) -> TermId {
    let width = a.len().max(b.len());
    let parts: Vec<TermId> = (0..width).map(|i| pool.eq(bit(a, i), bit(b, i))).collect();
    pool.and(&parts)
}

pub fn choose(pool: &mut Pool, c: TermId, a: &[TermId], b: &[TermId]) -> Word {
    let width = a.len().max(b.len());
    (0..width)
        .map(|i| pool.ite(c, bit(a, i), bit(b, i)))
        .collect()
}

/// The word shifted by 0 to 255 places as `by` says, to the left or to the right; all `fill` when `by` is
/// anything else. The result has the width of `a`.
pub fn shift(pool: &mut Pool, a: &[TermId], by: &[TermId], left: bool, fill: TermId) -> Word {
    let width = a.len();
    let mut word = a.to_vec();
    let sign = by.len() - 1;
    let mut gone = vec![by[sign]];
    for (k, &chosen) in by[..sign].iter().enumerate() {
        let places = 1usize.checked_shl(k as u32).filter(|p| k < 8 && *p < width);
        let Some(places) = places else {
            gone.push(chosen);
            continue;
        };
        let moved: Word = (0..width)
            .map(|i| match left {
                true => i.checked_sub(places).map_or(fill, |j| word[j]),
                false => word.get(i + places).copied().unwrap_or(fill),
            })
            .collect();
        word = choose(pool, chosen, &moved, &word);
    }
    let gone = pool.or(&gone);
    let filled = vec![fill; width];
    choose(pool, gone, &filled, &word)
}

/// Quotient and remainder of numbers that are not negative; for `b = 0` they mean nothing.
pub fn divide(pool: &mut Pool, a: &[TermId], b: &[TermId]) -> (Word, Word) {
    let width = b.len() + 1;
    let mut rest = vec![pool.ff(); width];
    let mut quotient = vec![pool.ff(); a.len()];
    for i in (0..a.len()).rev() {
        rest.pop();
        rest.insert(0, a[i]);
        let fits = at_most(pool, b, &rest);
        let less = subtract(pool, &rest, b, width);
        rest = choose(pool, fits, &less, &rest);
        quotient[i] = fits;
    }
    quotient.push(pool.ff());
    (quotient, rest)
}
