//! What bit-vector operators compute, on numbers: SMT-LIB's definitions.

use super::{Shape, WordOp};
use crate::{IBig, Rational, Value};

/// The value of an operator on unsigned numbers; `None` for operators on floats.
pub(super) fn apply(op: WordOp, args: &[IBig], shapes: &[Shape]) -> Option<Value> {
    use WordOp::*;
    let n = shapes.first()?.width();
    let modulus = IBig::ONE << n;
    let a = args.first()?;
    let b = args.get(1).cloned().unwrap_or_default();
    let sa = signed(a, n);
    let sb = signed(&b, shapes.get(1).map_or(n, |s| s.width()));
    let outside = |x: IBig| Value::Bool(x < -(&modulus >> 1) || x >= &modulus >> 1);
    let value = match op {
        Not => &modulus - IBig::ONE - a,
        Neg => -a,
        And => a & &b,
        Or => a | &b,
        Xor => a ^ &b,
        Add => a + &b,
        Sub => a - &b,
        Mul => a * &b,
        Udiv => divide(a, &b).map_or(&modulus - IBig::ONE, |(q, _)| q),
        Urem => divide(a, &b).map_or(a.clone(), |(_, r)| r),
        Sdiv => match (truncated(&sa, &sb), sa < IBig::ZERO) {
            (Some((q, _)), _) => q,
            (None, true) => IBig::ONE,
            (None, false) => -IBig::ONE,
        },
        Srem => truncated(&sa, &sb).map_or(sa, |(_, r)| r),
        Smod => match truncated(&sa, &sb) {
            None => sa,
            Some((_, r)) if r != IBig::ZERO && (r < IBig::ZERO) != (sb < IBig::ZERO) => r + sb,
            Some((_, r)) => r,
        },
        Shl => places(&b, n).map_or(IBig::ZERO, |k| a << k),
        Lshr => places(&b, n).map_or(IBig::ZERO, |k| a >> k),
        Ashr => sa >> places(&b, n).unwrap_or(n),
        Comp => IBig::from(u8::from(*a == b)),
        Concat => (a << shapes.get(1)?.width()) | b,
        Extract(high, low) => {
            let kept = (IBig::ONE << (high - low + 1) as usize) - IBig::ONE;
            return Some(Value::Num(Rational::from((a >> low as usize) & kept)));
        }
        ZeroExtend(_) => a.clone(),
        SignExtend(k) => {
            let wide = IBig::ONE << (n + k as usize);
            let value = if sa < IBig::ZERO { sa + wide } else { sa };
            return Some(Value::Num(Rational::from(value)));
        }
        Ult => return Some(Value::Bool(*a < b)),
        Ule => return Some(Value::Bool(*a <= b)),
        Slt => return Some(Value::Bool(sa < sb)),
        Sle => return Some(Value::Bool(sa <= sb)),
        NegOverflow => return Some(outside(-sa)),
        SaddOverflow => return Some(outside(sa + sb)),
        SsubOverflow => return Some(outside(sa - sb)),
        SmulOverflow => return Some(outside(sa * sb)),
        SdivOverflow => {
            return Some(truncated(&sa, &sb).map_or(Value::Bool(false), |(q, _)| outside(q)));
        }
        UaddOverflow => return Some(Value::Bool(a + b >= modulus)),
        UsubOverflow => return Some(Value::Bool(*a < b)),
        UmulOverflow => return Some(Value::Bool(a * b >= modulus)),
        Bit(k) => return Some(Value::Bool((a >> k as usize) & IBig::ONE == IBig::ONE)),
        Float(_) => return None,
    };
    let value = match op {
        Concat => value,
        _ => value & (modulus - IBig::ONE),
    };
    Some(Value::Num(Rational::from(value)))
}

/// The signed number with the same bits.
fn signed(a: &IBig, n: usize) -> IBig {
    match n > 0 && (a >> (n - 1)) & IBig::ONE == IBig::ONE {
        true => a - (IBig::ONE << n),
        false => a.clone(),
    }
}

fn divide(a: &IBig, b: &IBig) -> Option<(IBig, IBig)> {
    (*b != IBig::ZERO).then(|| (a / b, a % b))
}

/// Quotient and remainder of a division that rounds towards zero.
fn truncated(a: &IBig, b: &IBig) -> Option<(IBig, IBig)> {
    divide(a, b)
}

/// A distance below the width.
fn places(b: &IBig, n: usize) -> Option<usize> {
    usize::try_from(b.clone()).ok().filter(|k| *k < n)
}
