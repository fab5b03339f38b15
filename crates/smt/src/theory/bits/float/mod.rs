//! Circuits of IEEE 754: floats as bit patterns, every operation correctly rounded.
//!
//! An operand is *unpacked* into sign, exponent and a significand with its leading one in front (so
//! subnormal numbers are numbers like any others), the exact result is computed as far as rounding can see it (further
//! digits are or-ed into a last, *sticky* bit), and `round` packs it. Rounding modes are five Bool terms of
//! which one is true, so that they may be constants or not.
//!
//! Invariant: a circuit over constants folds to constants; that is how tests compare them with `rustc_apfloat`.

mod arithmetic;
mod convert;
pub(crate) mod operations;
mod round;
#[cfg(test)]
mod tests;

pub use arithmetic::{add, divide, fused, multiply, sqrt};
pub use convert::{from_digits, from_integer, integral, remainder, to_format, to_integer};

use super::circuit::{self, Word, choose, constant, resize};
use logic::float::Width;
use logic::{IBig, Pool, TermId};

/// A format: bits of the exponent, bits of the significand with its leading one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    pub exponent: usize,
    pub significand: usize,
    /// The leading one is stored (x87).
    pub explicit: bool,
}

impl Format {
    pub fn of(width: Width) -> Format {
        let (exponent, significand) = match width {
            Width::W32 => (8, 24),
            Width::W64 => (11, 53),
            Width::W80 => (15, 64),
            Width::W128 => (15, 113),
        };
        let explicit = width == Width::W80;
        Format {
            exponent,
            significand,
            explicit,
        }
    }

    /// Bits of a pattern.
    pub fn width(self) -> usize {
        self.exponent + self.significand + usize::from(self.explicit)
    }

    fn bias(self) -> IBig {
        (IBig::ONE << (self.exponent - 1)) - IBig::ONE
    }

    /// Stored bits below the exponent.
    fn low(self) -> usize {
        self.significand - usize::from(!self.explicit)
    }

    /// Bits for exponents of unpacked operands and what is computed with them.
    fn wide(self) -> usize {
        let digits = usize::BITS - self.significand.leading_zeros();
        self.exponent.max(digits as usize + 1) + 4
    }
}

/// The rounding mode: one of these is true.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// To nearest, ties to even.
    pub even: TermId,
    /// To nearest, ties away from zero.
    pub away: TermId,
    pub up: TermId,
    pub down: TermId,
    pub zero: TermId,
}

impl Mode {
    /// One of `even, away, up, down, zero`, by number.
    pub fn fixed(pool: &Pool, which: usize) -> Mode {
        let is = |k| pool.bool_const(which == k);
        Mode {
            even: is(0),
            away: is(1),
            up: is(2),
            down: is(3),
            zero: is(4),
        }
    }
}

/// A pattern taken apart. Exponent and significand mean nothing for infinities and NaNs; the exponent of
/// a zero is below all others.
#[derive(Clone, Debug)]
pub struct Unpacked {
    pub nan: TermId,
    pub inf: TermId,
    pub zero: TermId,
    pub sign: TermId,
    /// Two's complement, without bias.
    pub exp: Word,
    /// Its last bit is the leading one.
    pub sig: Word,
    pub format: Format,
}

/// A result: its pattern where it is a number.
#[derive(Clone, Debug)]
pub struct Packed {
    pub nan: TermId,
    pub bits: Word,
}

fn any(pool: &mut Pool, bits: &[TermId]) -> TermId {
    pool.or(bits)
}

fn none(pool: &mut Pool, bits: &[TermId]) -> TermId {
    let any = pool.or(bits);
    pool.not(any)
}

fn number(pool: &Pool, n: impl Into<IBig>) -> Word {
    constant(pool, &n.into())
}

pub fn unpack(pool: &mut Pool, format: Format, bits: &[TermId]) -> Unpacked {
    let low = format.low();
    let fraction = &bits[..format.significand - 1];
    let field = &bits[low..low + format.exponent];
    let sign = bits[low + format.exponent];
    let empty = none(pool, field);
    let full = pool.and(field);
    let whole = none(pool, fraction);
    let part = pool.not(whole);
    let normal = pool.not(empty);
    let (nan, inf, leading, zero);
    if format.explicit {
        leading = bits[format.significand - 1];
        let missing = pool.not(leading);
        // Large patterns without their leading bit are no numbers.
        let broken = pool.and2(normal, missing);
        let odd = pool.and2(full, part);
        nan = pool.or2(broken, odd);
        inf = pool.and(&[full, leading, whole]);
        zero = pool.and(&[empty, missing, whole]);
    } else {
        leading = normal;
        nan = pool.and2(full, part);
        inf = pool.and2(full, whole);
        zero = pool.and2(empty, whole);
    }
    let mut sig = fraction.to_vec();
    sig.push(leading);
    let (sig, count) = normalise(pool, &sig);
    let wide = format.wide();
    let mut exp = field.to_vec();
    // A subnormal number has the exponent of the smallest normal ones.
    exp[0] = pool.or2(exp[0], empty);
    exp.push(pool.ff());
    let less = number(pool, -format.bias());
    let carry = pool.ff();
    let exp = circuit::add(pool, &exp, &less, carry, wide);
    let exp = circuit::subtract(pool, &exp, &count, wide);
    Unpacked {
        nan,
        inf,
        zero,
        sign,
        exp,
        sig,
        format,
    }
}

/// The word shifted left until its leading bit is set, and by how many places (with a sign that is
/// false). For zero that is some number not below the places but one.
fn normalise(pool: &mut Pool, a: &[TermId]) -> (Word, Word) {
    let n = a.len();
    let mut word = a.to_vec();
    let stages = (0..).take_while(|k| 1usize << k < n).count();
    let mut count = vec![pool.ff(); stages + 1];
    for k in (0..stages).rev() {
        let places = 1usize << k;
        let empty = none(pool, &word[n - places..]);
        let moved: Word = (0..n)
            .map(|i| match i.checked_sub(places) {
                Some(j) => word[j],
                None => pool.ff(),
            })
            .collect();
        word = choose(pool, empty, &moved, &word);
        count[k] = empty;
    }
    (word, count)
}

/// The word shifted right by an unsigned number; what falls out is or-ed into the last bit.
fn shift_sticky(pool: &mut Pool, a: &[TermId], by: &[TermId]) -> Word {
    let n = a.len();
    let mut word = a.to_vec();
    for (k, &chosen) in by.iter().enumerate() {
        let places = if k < 16 { (1usize << k).min(n) } else { n };
        let mut moved: Word = (0..n)
            .map(|i| word.get(i + places).copied().unwrap_or(pool.ff()))
            .collect();
        moved[0] = any(pool, &word[..(places + 1).min(n)]);
        word = choose(pool, chosen, &moved, &word);
    }
    word
}

/// The word shifted left by an unsigned number.
fn shift_left(pool: &mut Pool, a: &[TermId], by: &[TermId]) -> Word {
    let n = a.len();
    let mut word = a.to_vec();
    for (k, &chosen) in by.iter().enumerate() {
        let places = if k < 16 { (1usize << k).min(n) } else { n };
        let moved: Word = (0..n)
            .map(|i| i.checked_sub(places).map_or(pool.ff(), |j| word[j]))
            .collect();
        word = choose(pool, chosen, &moved, &word);
    }
    word
}

/// The magnitude of infinity.
fn infinity(pool: &Pool, format: Format) -> Word {
    let mut bits = vec![pool.ff(); format.significand - 1];
    if format.explicit {
        bits.push(pool.tt());
    }
    bits.extend(vec![pool.tt(); format.exponent]);
    bits
}

/// The quiet NaN without sign and payload.
pub fn quiet_nan(pool: &Pool, format: Format) -> Word {
    let mut bits = infinity(pool, format);
    bits[format.significand - 2] = pool.tt();
    bits.push(pool.ff());
    bits
}

/// Puts a rounded magnitude, infinity and zero together.
fn pack(
    pool: &mut Pool,
    format: Format,
    sign: TermId,
    (inf, zero): (TermId, TermId),
    magnitude: &[TermId],
) -> Word {
    let infinite = infinity(pool, format);
    let nothing = vec![pool.ff(); magnitude.len()];
    let bits = choose(pool, zero, &nothing, magnitude);
    let mut bits = choose(pool, inf, &infinite, &bits);
    bits.push(sign);
    bits
}

/// The pattern with the NaN that x86 gives: the first operand that is one, made quiet, or the negative quiet one.
pub fn with_nans(
    pool: &mut Pool,
    format: Format,
    operands: &[(TermId, &[TermId])],
    result: Packed,
) -> Word {
    let mut nan = quiet_nan(pool, format);
    nan[format.width() - 1] = pool.tt();
    for (is_nan, bits) in operands.iter().rev() {
        let mut quiet = bits.to_vec();
        quiet[format.significand - 2] = pool.tt();
        nan = choose(pool, *is_nan, &quiet, &nan);
    }
    choose(pool, result.nan, &nan, &result.bits)
}

/// A word of another width, as a signed number.
fn signed(word: &[TermId], width: usize) -> Word {
    resize(word, width.max(word.len()))
}
