//! The operations of programs (`fp.add.64` and its like) as circuits, with the NaNs of x86.

use super::{
    Format, Mode, Packed, Word, add, choose, divide, from_integer, integral, multiply, quiet_nan,
    remainder, sqrt, to_format, unpack, with_nans,
};
use logic::float::{Arithmetic, FloatOp, Rounding, Width};
use logic::{Pool, TermId};

/// The pattern that an operation gives for patterns as arguments (`from_int`: for a signed number). `None`: there
/// is no circuit, or none of a reasonable size; `to_int` has its own.
pub(crate) fn apply(pool: &mut Pool, op: FloatOp, args: &[Word]) -> Option<Word> {
    let format = Format::of(op.width());
    let mode = Mode::fixed(pool, 0);
    match op {
        FloatOp::Arithmetic(Arithmetic::Rem, Width::W64 | Width::W80 | Width::W128) => None,
        FloatOp::Arithmetic(how, _) => {
            let (x, y) = (&args[0], &args[1]);
            let (a, b) = (unpack(pool, format, x), unpack(pool, format, y));
            let result = match how {
                Arithmetic::Add => add(pool, &mode, &a, &b),
                Arithmetic::Sub => {
                    let sign = pool.not(b.sign);
                    add(pool, &mode, &a, &super::Unpacked { sign, ..b.clone() })
                }
                Arithmetic::Mul => multiply(pool, &mode, &a, &b),
                Arithmetic::Div => divide(pool, &mode, &a, &b),
                Arithmetic::Rem => remainder(pool, &a, &b, x, false, &mut |_| true)?,
            };
            Some(with_nans(pool, format, &[(a.nan, x), (b.nan, y)], result))
        }
        FloatOp::Neg(_) => {
            let mut bits = args[0].clone();
            let last = bits.len() - 1;
            bits[last] = pool.not(bits[last]);
            Some(bits)
        }
        FloatOp::Sqrt(_) => {
            let a = unpack(pool, format, &args[0]);
            let result = sqrt(pool, &mode, &a);
            Some(with_nans(pool, format, &[(a.nan, &args[0])], result))
        }
        FloatOp::Round(how, _) => {
            let mode = Mode::fixed(
                pool,
                match how {
                    Rounding::Even => 0,
                    Rounding::Away => 1,
                    Rounding::Up => 2,
                    Rounding::Down => 3,
                    Rounding::Zero => 4,
                },
            );
            let a = unpack(pool, format, &args[0]);
            let result = integral(pool, &mode, &a, &args[0]);
            Some(with_nans(pool, format, &[(a.nan, &args[0])], result))
        }
        FloatOp::FromInt(_) => Some(from_integer(pool, &mode, &args[0], format)),
        FloatOp::Convert(_, to) => Some(convert(pool, &mode, format, Format::of(to), &args[0])),
        FloatOp::Lt(_) | FloatOp::Le(_) | FloatOp::Eq(_) => None,
        FloatOp::ToInt(_) | FloatOp::Decimal(_) => None,
    }
}

/// To another format; a NaN keeps its sign and the front of its payload and is made quiet.
fn convert(pool: &mut Pool, mode: &Mode, from: Format, to: Format, bits: &[TermId]) -> Word {
    let a = unpack(pool, from, bits);
    let Packed { nan, bits: rounded } = to_format(pool, mode, &a, to);
    let mut pattern = quiet_nan(pool, to);
    let (old, new) = (from.significand - 1, to.significand - 1);
    for i in 1..new.min(old) {
        pattern[new - 1 - i] = bits[old - 1 - i];
    }
    let last = pattern.len() - 1;
    pattern[last] = a.sign;
    choose(pool, nan, &pattern, &rounded)
}
