//! Sorts of words, and which operator takes and gives which.

use super::{FpOp, WordOp};
use crate::{IBig, Pool, Sort, SortId};

/// The widest bit-vector that is read.
pub const WIDEST: u32 = 4096;

/// Whether a format of floats is known: all up to quadruple precision.
pub fn is_format(e: u32, s: u32) -> bool {
    (2..=15).contains(&e) && (2..=113).contains(&s)
}

/// A word sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Bits(u32),
    Float(u32, u32),
    Rounding,
}

impl Shape {
    /// Bits of a value.
    pub fn width(self) -> usize {
        match self {
            Shape::Bits(n) => n as usize,
            Shape::Float(e, s) => (e + s) as usize,
            Shape::Rounding => 3,
        }
    }
}

impl Pool {
    /// The kind of word that a sort has, if it is one.
    pub fn shape(&self, sort: SortId) -> Option<Shape> {
        match *self.sort_kind(sort) {
            Sort::BitVec(n) => Some(Shape::Bits(n)),
            Sort::Float(e, s) => Some(Shape::Float(e, s)),
            Sort::Rounding => Some(Shape::Rounding),
            _ => None,
        }
    }
}

/// The pattern of a float, NaNs made one.
pub(super) fn canonical(bits: IBig, e: u32, s: u32) -> IBig {
    let fraction = (s - 1) as usize;
    let infinity = ((IBig::ONE << e as usize) - IBig::ONE) << fraction;
    let magnitude = &bits & ((IBig::ONE << (fraction + e as usize)) - IBig::ONE);
    match magnitude > infinity {
        true => infinity | (IBig::ONE << (fraction - 1)),
        false => bits,
    }
}

fn same_bits(pool: &Pool, sorts: &[SortId], n: usize) -> Result<u32, String> {
    match sorts.first().and_then(|&s| pool.shape(s)) {
        Some(Shape::Bits(w)) if sorts.len() == n && sorts.iter().all(|s| *s == sorts[0]) => Ok(w),
        _ => Err(format!("{n} bit-vectors of one width are needed")),
    }
}

/// The format of the floats, which come after a rounding mode if there is to be one.
fn same_floats(
    pool: &Pool,
    sorts: &[SortId],
    rounded: bool,
    n: usize,
) -> Result<(u32, u32), String> {
    let error = || {
        let mode = if rounded { "a rounding mode and " } else { "" };
        format!("{mode}{n} floats of one format are needed")
    };
    let rest = match (rounded, sorts) {
        (true, [mode, rest @ ..]) if pool.shape(*mode) == Some(Shape::Rounding) => rest,
        (false, all) => all,
        _ => return Err(error()),
    };
    match rest.first().and_then(|&s| pool.shape(s)) {
        Some(Shape::Float(e, s)) if rest.len() == n && rest.iter().all(|x| *x == rest[0]) => {
            Ok((e, s))
        }
        _ => Err(error()),
    }
}

/// The sort that an operator gives for arguments of these sorts.
pub(super) fn result(pool: &mut Pool, op: WordOp, sorts: &[SortId]) -> Result<SortId, String> {
    use WordOp::*;
    let truth = pool.bool_sort();
    let bits = |pool: &mut Pool, n: u32| match n {
        0 => Err("a bit-vector has at least one bit".to_string()),
        n if n > WIDEST => Err(format!("bit-vectors have at most {WIDEST} bits here")),
        n => Ok(pool.sort(Sort::BitVec(n))),
    };
    match op {
        Not | Neg => same_bits(pool, sorts, 1).map(|_| sorts[0]),
        And | Or | Xor | Add | Sub | Mul | Udiv | Urem | Sdiv | Srem | Smod | Shl | Lshr | Ashr => {
            same_bits(pool, sorts, 2).map(|_| sorts[0])
        }
        Comp => {
            same_bits(pool, sorts, 2)?;
            bits(pool, 1)
        }
        Ult | Ule | Slt | Sle | UaddOverflow | SaddOverflow | UsubOverflow | SsubOverflow
        | UmulOverflow | SmulOverflow | SdivOverflow => same_bits(pool, sorts, 2).map(|_| truth),
        NegOverflow => same_bits(pool, sorts, 1).map(|_| truth),
        Concat => match sorts {
            [a, b] => {
                let n = same_bits(pool, &[*a], 1)? + same_bits(pool, &[*b], 1)?;
                bits(pool, n)
            }
            _ => Err("two bit-vectors are needed".into()),
        },
        Extract(high, low) => match same_bits(pool, sorts, 1)? {
            n if low <= high && high < n => bits(pool, high - low + 1),
            _ => Err("the indices of `extract` lie outside".into()),
        },
        ZeroExtend(k) | SignExtend(k) => {
            let n = same_bits(pool, sorts, 1)?;
            bits(pool, n.saturating_add(k))
        }
        Bit(k) => match sorts {
            [s] if pool.shape(*s).is_some_and(|s| (k as usize) < s.width()) => Ok(truth),
            _ => Err("the bit lies outside".into()),
        },
        Float(op) => float_result(pool, op, sorts),
    }
}

fn float_result(pool: &mut Pool, op: FpOp, sorts: &[SortId]) -> Result<SortId, String> {
    use FpOp::*;
    let truth = pool.bool_sort();
    let shapes: Vec<Option<Shape>> = sorts.iter().map(|&s| pool.shape(s)).collect();
    let format = |pool: &mut Pool, e: u32, s: u32| match is_format(e, s) {
        true => Ok(pool.sort(Sort::Float(e, s))),
        false => Err("this format of floats is not supported".to_string()),
    };
    let mode = Some(Shape::Rounding);
    match op {
        Make => match shapes[..] {
            [
                Some(Shape::Bits(1)),
                Some(Shape::Bits(e)),
                Some(Shape::Bits(f)),
            ] => format(pool, e, f + 1),
            _ => Err("`fp` needs a bit, an exponent and a fraction".into()),
        },
        FromBits(e, s) => match shapes[..] {
            [Some(Shape::Bits(n))] if n == e + s => format(pool, e, s),
            _ => Err("a bit-vector as wide as the format is needed".into()),
        },
        ToBits => {
            let (e, s) = same_floats(pool, sorts, false, 1)?;
            Ok(pool.sort(Sort::BitVec(e + s)))
        }
        FromFloat(e, s) => match shapes[..] {
            [m, Some(Shape::Float(..))] if m == mode => format(pool, e, s),
            _ => Err("a rounding mode and a float are needed".into()),
        },
        FromReal(e, s) => match shapes[..] {
            [m, None] if m == mode && sorts[1] == pool.real_sort() => format(pool, e, s),
            _ => Err("a rounding mode and a real number are needed".into()),
        },
        FromSigned(e, s) | FromUnsigned(e, s) => match shapes[..] {
            [m, Some(Shape::Bits(_))] if m == mode => format(pool, e, s),
            _ => Err("a rounding mode and a bit-vector are needed".into()),
        },
        ToUnsigned(n) | ToSigned(n) => match shapes[..] {
            [m, Some(Shape::Float(..))] if m == mode && n > 0 && n <= WIDEST => {
                Ok(pool.sort(Sort::BitVec(n)))
            }
            _ => Err("a rounding mode and a float are needed".into()),
        },
        Abs | Neg => same_floats(pool, sorts, false, 1).map(|_| sorts[0]),
        Add | Sub | Mul | Div => same_floats(pool, sorts, true, 2).map(|_| sorts[1]),
        Fma => same_floats(pool, sorts, true, 3).map(|_| sorts[1]),
        Sqrt | Integral => same_floats(pool, sorts, true, 1).map(|_| sorts[1]),
        Rem | Min | Max => same_floats(pool, sorts, false, 2).map(|_| sorts[0]),
        Le | Lt | Eq => same_floats(pool, sorts, false, 2).map(|_| truth),
        IsNormal | IsSubnormal | IsZero | IsInfinite | IsNan | IsNegative | IsPositive => {
            same_floats(pool, sorts, false, 1).map(|_| truth)
        }
    }
}
