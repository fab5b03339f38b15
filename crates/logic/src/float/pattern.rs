//! Floats as bit patterns: exact arithmetic in every format that C has, on any machine.
//!
//! Single and double precision are computed by the machine, whose results IEEE 754 fixes, the x87
//! extended and the quadruple format by `rustc_apfloat`. NaNs are those of x86: an operand that is
//! one wins (the first of two, made quiet), and an invalid operation gives the negative quiet one.

use crate::IBig;
use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};
use std::cmp::Ordering;

/// A format, by the width of its patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Width {
    W32,
    W64,
    /// x87 extended, with its explicit leading bit.
    W80,
    W128,
}

use Width::*;

/// Where an integral value is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    Down,
    Up,
    Zero,
    /// To nearest, ties away from zero (`round`).
    Away,
    /// To nearest, ties to even (`rint`).
    Even,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    Add,
    Sub,
    Mul,
    Div,
    /// `fmod`: the remainder has the sign of the dividend.
    Rem,
}

macro_rules! in_format {
    ($width:expr, $format:ident => $body:expr) => {
        match $width {
            W32 => {
                type $format = Single;
                $body
            }
            W64 => {
                type $format = Double;
                $body
            }
            W80 => {
                type $format = X87DoubleExtended;
                $body
            }
            W128 => {
                type $format = Quad;
                $body
            }
        }
    };
}

impl Width {
    pub const ALL: [Width; 4] = [W32, W64, W80, W128];

    pub fn bits(self) -> u32 {
        match self {
            W32 => 32,
            W64 => 64,
            W80 => 80,
            W128 => 128,
        }
    }

    pub fn of_bits(bits: u32) -> Option<Width> {
        Width::ALL.into_iter().find(|w| w.bits() == bits)
    }

    /// Stored bits below the exponent (with the leading bit, where it is stored).
    pub fn low(self) -> u32 {
        match self {
            W32 => 23,
            W64 => 52,
            W80 => 64,
            W128 => 112,
        }
    }

    pub fn sign(self) -> u128 {
        1 << (self.bits() - 1)
    }

    fn exponents(self) -> u128 {
        (self.sign() - 1) >> self.low() << self.low()
    }

    /// The pattern of positive infinity.
    pub fn infinity(self) -> u128 {
        match self {
            W80 => self.exponents() | 1 << 63,
            _ => self.exponents(),
        }
    }

    /// The bit that tells a quiet NaN.
    fn quiet(self) -> u128 {
        match self {
            W80 => 1 << 62,
            _ => 1 << (self.low() - 1),
        }
    }

    /// The quiet NaN without sign and payload.
    pub fn nan(self) -> u128 {
        self.infinity() | self.quiet()
    }

    pub fn is_nan(self, a: u128) -> bool {
        in_format!(self, F => F::from_bits(a).is_nan())
    }
}

/// The result, or the NaN that x86 gives.
fn with_nans(width: Width, operands: &[u128], result: u128) -> u128 {
    if !width.is_nan(result) {
        return result;
    }
    match operands.iter().find(|&&a| width.is_nan(a)) {
        Some(&a) => a | width.quiet(),
        None => width.nan() | width.sign(),
    }
}

pub fn arithmetic(op: Arithmetic, width: Width, a: u128, b: u128) -> u128 {
    use Arithmetic::*;
    let result = match (width, op) {
        (W32, Add | Sub | Mul | Div) => {
            let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            let r = match op {
                Add => x + y,
                Sub => x - y,
                Mul => x * y,
                _ => x / y,
            };
            u128::from(r.to_bits())
        }
        (W64, Add | Sub | Mul | Div) => {
            let (x, y) = (f64::from_bits(a as u64), f64::from_bits(b as u64));
            let r = match op {
                Add => x + y,
                Sub => x - y,
                Mul => x * y,
                _ => x / y,
            };
            u128::from(r.to_bits())
        }
        _ => in_format!(width, F => {
            let (x, y) = (F::from_bits(a), F::from_bits(b));
            let r = match op {
                Add => x + y,
                Sub => x - y,
                Mul => x * y,
                Div => x / y,
                Rem => x.c_fmod(y),
            };
            r.value.to_bits()
        }),
    };
    with_nans(width, &[a, b], result)
}

/// `None`: one is no number.
pub fn compare(width: Width, a: u128, b: u128) -> Option<Ordering> {
    in_format!(width, F => F::from_bits(a).partial_cmp(&F::from_bits(b)))
}

pub fn convert(from: Width, to: Width, a: u128) -> u128 {
    if from == to {
        return a;
    }
    let mut inexact = false;
    let result = in_format!(from, F => {
        let value = F::from_bits(a);
        in_format!(to, G => {
            let converted: G = FloatConvert::<G>::convert(value, &mut inexact).value;
            converted.to_bits()
        })
    });
    match from.is_nan(a) {
        true => result | to.quiet(),
        false => result,
    }
}

/// The float nearest to an integer.
pub fn from_integer(width: Width, n: &IBig) -> u128 {
    let negative = *n < IBig::ZERO;
    let mut rest = if negative { -n.clone() } else { n.clone() };
    let (mut scale, mut sticky) = (0i32, false);
    let mut magnitude = u128::try_from(rest.clone());
    while magnitude.is_err() {
        // Bits beyond 128 only say whether the value is a tie.
        let half: IBig = rest.clone() >> 1;
        sticky |= half.clone() << 1 != rest;
        rest = half;
        scale += 1;
        magnitude = u128::try_from(rest.clone());
    }
    let magnitude = magnitude.unwrap_or(u128::MAX) | u128::from(sticky);
    let bits = in_format!(width, F => F::from_u128(magnitude).value.scalbn(scale).to_bits());
    match negative {
        true => bits | width.sign(),
        false => bits,
    }
}

/// `|a| = significand * 2^exponent`; `None` for infinities and NaNs.
fn parts(width: Width, a: u128) -> Option<(u128, i32)> {
    let exponents = width.exponents();
    let field = (a & exponents) >> width.low();
    if a & exponents == exponents {
        return None;
    }
    let stored = a & ((1 << width.low()) - 1);
    let hidden = u128::from(width != W80 && field != 0) << width.low();
    let fraction = if width == W80 { 63 } else { width.low() as i32 };
    let bias = (exponents >> width.low() >> 1) as i32;
    Some((stored | hidden, field.max(1) as i32 - bias - fraction))
}

/// The value without its fraction; `None` for infinities and NaNs.
pub fn to_integer(width: Width, a: u128) -> Option<IBig> {
    let (significand, exponent) = parts(width, a)?;
    let magnitude = match exponent {
        0.. => IBig::from(significand) << exponent as usize,
        -127..0 => IBig::from(significand >> -exponent),
        _ => IBig::ZERO,
    };
    let negative = a & width.sign() != 0;
    Some(if negative { -magnitude } else { magnitude })
}

/// The integral value that `rounding` says, as a float.
pub fn round(width: Width, rounding: Rounding, a: u128) -> u128 {
    let mode = match rounding {
        Rounding::Down => Round::TowardNegative,
        Rounding::Up => Round::TowardPositive,
        Rounding::Zero => Round::TowardZero,
        Rounding::Away => Round::NearestTiesToAway,
        Rounding::Even => Round::NearestTiesToEven,
    };
    let result = in_format!(width, F => F::from_bits(a).round_to_integral(mode).value.to_bits());
    with_nans(width, &[a], result)
}

pub fn sqrt(width: Width, a: u128) -> u128 {
    let zero = a & !width.sign() == 0;
    if zero || a == width.infinity() {
        return a;
    }
    let negative = a & width.sign() != 0;
    let Some((significand, exponent)) = parts(width, a).filter(|_| !negative) else {
        return with_nans(width, &[a], width.nan());
    };
    // The root of so many bits more than the significand has more bits than the format, and a sticky one; it
    // is small enough to be a number of the format.
    let more: usize = if width == W32 { 60 } else { 260 };
    let odd = exponent.rem_euclid(2);
    let scaled = IBig::from(significand) << (more + odd as usize);
    let root = integer_sqrt(&scaled);
    let exact = root.clone() * root.clone() == scaled;
    let root = (root << 1) + IBig::from(u8::from(!exact));
    let bits = from_integer(width, &root);
    let scale = (exponent - odd) / 2 - (more / 2) as i32 - 1;
    in_format!(width, F => F::from_bits(bits).scalbn(scale).to_bits())
}

/// The largest integer whose square is not above `n > 0`, by Newton's steps from above.
fn integer_sqrt(n: &IBig) -> IBig {
    let mut root = IBig::from(1u8) << 256;
    loop {
        let next: IBig = (root.clone() + n / &root) >> 1;
        if next >= root {
            return root;
        }
        root = next;
    }
}

/// The float nearest to a decimal or hexadecimal number as C writes it, without suffix.
pub fn parse(width: Width, text: &str) -> Option<u128> {
    in_format!(width, F => {
        let parsed = F::from_str_r(text, Round::NearestTiesToEven).ok()?;
        Some(parsed.value.to_bits())
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn extended_has_more_digits_than_double() {
        let one = parse(W80, "1.0").unwrap();
        let small = parse(W80, "1e-18").unwrap();
        let sum = arithmetic(Arithmetic::Add, W80, one, small);
        assert_eq!(compare(W80, sum, one), Some(Ordering::Greater));
        assert_eq!(convert(W80, W64, sum), u128::from(1f64.to_bits()));
    }

    #[test]
    fn roots_are_those_of_the_machine() {
        for x in [2.0f64, 3.0, 0.1, 1e300, 4.0, 5e-324, 2f64.powi(1023)] {
            let single = x as f32;
            let root = sqrt(W32, u128::from(single.to_bits()));
            assert_eq!(root, u128::from(single.sqrt().to_bits()), "{x}");
            let root = sqrt(W64, u128::from(x.to_bits()));
            assert_eq!(root, u128::from(x.sqrt().to_bits()), "{x}");
        }
    }

    #[test]
    fn integers_and_back() {
        for n in [0i128, 1, -7, i128::MAX, i128::MIN, (1 << 60) + 1] {
            let n = IBig::from(n);
            for w in Width::ALL {
                let there = from_integer(w, &n);
                let back = to_integer(w, there).unwrap();
                assert_eq!(from_integer(w, &back), there);
            }
        }
        assert_eq!(
            from_integer(W64, &IBig::from(3)),
            u128::from(3f64.to_bits())
        );
        assert_eq!(
            from_integer(W64, &(IBig::from(1) << 200)),
            u128::from(2f64.powi(200).to_bits())
        );
    }

    #[test]
    fn invalid_operations_give_the_negative_nan() {
        for w in Width::ALL {
            let nan = arithmetic(Arithmetic::Div, w, 0, 0);
            assert_eq!(nan, w.nan() | w.sign());
            assert_eq!(sqrt(w, from_integer(w, &IBig::from(-1))), nan);
        }
    }
}
