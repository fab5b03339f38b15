//! Rounding: an exact result, or one with a sticky bit, as a magnitude of a format.

use super::{Format, Mode, Word, any, choose, infinity, number, shift_sticky, signed};
use crate::theory::bits::circuit;
use logic::{Pool, TermId};

/// Whether the last kept bit goes up.
pub(super) fn goes_up(
    pool: &mut Pool,
    mode: &Mode,
    sign: TermId,
    (last, guard, sticky): (TermId, TermId, TermId),
) -> TermId {
    let inexact = pool.or2(guard, sticky);
    let positive = pool.not(sign);
    let tail = pool.or2(sticky, last);
    let parts = [
        pool.and(&[mode.even, guard, tail]),
        pool.and2(mode.away, guard),
        pool.and(&[mode.up, positive, inexact]),
        pool.and(&[mode.down, sign, inexact]),
    ];
    pool.or(&parts)
}

/// The magnitude of `sig * 2^exp`, where the last bit of `sig` has the weight one and is set.
pub(super) fn round(
    pool: &mut Pool,
    format: Format,
    mode: &Mode,
    sign: TermId,
    exp: &[TermId],
    sig: &[TermId],
) -> Word {
    let keep = format.significand;
    let mut word = vec![pool.ff(); (keep + 2).saturating_sub(sig.len())];
    word.extend(sig);
    let width = exp.len().max(format.exponent + 1) + 2;
    let exp = signed(exp, width);
    let bias = number(pool, format.bias());
    let carry = pool.ff();
    let biased = circuit::add(pool, &exp, &bias, carry, width);
    // Below the smallest normal exponent digits fall out.
    let zero = number(pool, 0);
    let small = circuit::at_most(pool, &biased, &zero);
    let one = number(pool, 1);
    let by = circuit::subtract(pool, &one, &biased, width);
    let by: Word = by.iter().map(|&b| pool.and2(small, b)).collect();
    let word = shift_sticky(pool, &word, &by[..width - 1]);
    let cut = word.len() - keep;
    let sticky = any(pool, &word[..cut - 1]);
    let up = goes_up(pool, mode, sign, (word[cut], word[cut - 1], sticky));
    // Fraction and exponent as one number: a carry out of the fraction is what the exponent needs.
    let normal = pool.not(small);
    let mut magnitude = word[cut..cut + keep - 1].to_vec();
    magnitude.extend(
        biased[..format.exponent]
            .iter()
            .map(|&b| pool.and2(normal, b)),
    );
    let total = magnitude.len();
    let none = [pool.ff()];
    let mut magnitude = circuit::add(pool, &magnitude, &none, up, total);
    if format.explicit {
        let leading = any(pool, &magnitude[keep - 1..]);
        magnitude.insert(keep - 1, leading);
    }
    let most = number(
        pool,
        (logic::IBig::ONE << format.exponent) - logic::IBig::ONE,
    );
    let over = circuit::at_most(pool, &most, &biased);
    let (positive, towards) = (pool.not(sign), [mode.even, mode.away]);
    let to_infinity = [
        towards[0],
        towards[1],
        pool.and2(mode.up, positive),
        pool.and2(mode.down, sign),
    ];
    let to_infinity = pool.or(&to_infinity);
    let infinite = infinity(pool, format);
    let mut largest = vec![pool.tt(); infinite.len()];
    largest[format.low()] = pool.ff();
    let beyond = choose(pool, to_infinity, &infinite, &largest);
    choose(pool, over, &beyond, &magnitude)
}
