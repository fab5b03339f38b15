//! Floats: bit patterns, with arithmetic as applications of declared functions that the solver
//! leaves open and the interpreter computes. Comparisons and signs are exact for both.

use super::super::hir::{BinaryOp, Expr};
use super::super::types::{FloatKind, Type, TypeId};
use super::Lower;
use super::expr::Val;
use super::scalar::Scalar;
use logic::TermId;

/// An extended or quadruple pattern rounded to double (to nearest, ties to even).
fn to_double(sign: bool, exponent: i64, significand: u128, width: u32) -> u64 {
    let sign = u64::from(sign) << 63;
    if significand == 0 {
        return sign;
    }
    // value = significand * 2^(exponent - (width - 1))
    let top = 127 - i64::from(significand.leading_zeros());
    let mut e = exponent - i64::from(width - 1) + top;
    // Bring the leading bit to position 52, subnormals lower.
    let keep = if e < -1022 { 52 + (e + 1022) } else { 52 };
    if keep < -1 {
        return sign;
    }
    let shift = top - keep;
    let mut m = if shift <= 0 {
        significand << -shift
    } else {
        let kept = significand >> shift;
        let rest = significand & ((1u128 << shift) - 1);
        let half = 1u128 << (shift - 1);
        kept + u128::from(rest > half || (rest == half && kept & 1 == 1))
    };
    if m >> 53 != 0 {
        m >>= 1;
        e += 1;
    }
    if e > 1023 {
        return sign | 0x7ff0_0000_0000_0000;
    }
    if m >> 52 == 0 {
        return sign | m as u64;
    }
    let biased = (e.max(-1022) + 1023) as u64;
    sign | (biased << 52) | (m as u64 & ((1 << 52) - 1))
}

fn double_pattern(kind: FloatKind, bits: u128) -> u64 {
    match kind {
        FloatKind::F80 => {
            let exponent = ((bits >> 64) & 0x7fff) as i64;
            let significand = bits & u128::from(u64::MAX);
            let sign = (bits >> 79) & 1 == 1;
            if exponent == 0x7fff {
                let nan = significand << 65 != 0;
                let mantissa = if nan { 1u64 << 51 } else { 0 };
                return (u64::from(sign) << 63) | 0x7ff0_0000_0000_0000 | mantissa;
            }
            to_double(sign, exponent.max(1) - 16383, significand, 64)
        }
        FloatKind::F128 => {
            let exponent = ((bits >> 112) & 0x7fff) as i64;
            let mantissa = bits & ((1u128 << 112) - 1);
            let sign = bits >> 127 == 1;
            if exponent == 0x7fff {
                let m = if mantissa == 0 { 0 } else { 1u64 << 51 };
                return (u64::from(sign) << 63) | 0x7ff0_0000_0000_0000 | m;
            }
            let hidden = if exponent == 0 { 0 } else { 1u128 << 112 };
            to_double(sign, exponent.max(1) - 16383, hidden | mantissa, 113)
        }
        _ => bits as u64,
    }
}

impl Lower<'_> {
    pub(in crate::c) fn float_constant(&mut self, bits: u128, e: &Expr) -> TermId {
        let bits = match *self.unit.types.get(e.ty) {
            Type::Float(kind @ (FloatKind::F80 | FloatKind::F128)) => {
                self.b.note(e.span, "long double computed as double");
                u128::from(double_pattern(kind, bits))
            }
            _ => bits,
        };
        self.pool.int(bits)
    }

    /// `fp.name.bits(args)`, of sort Int.
    pub(in crate::c) fn float_op(&mut self, name: &str, args: &[TermId], scalar: Scalar) -> TermId {
        let int = self.pool.int_sort();
        let sorts = vec![int; args.len()];
        let symbol = self
            .pool
            .symbol(&format!("fp.{name}.{}", scalar.bits), &sorts, int);
        let t = self.pool.app(symbol, args);
        let t = program::interp::float::fold(self.pool, t);
        if name != "to_int" {
            // Sound because the function's meaning is a bit pattern of that width.
            self.ranges.set(t, scalar.interval());
        }
        t
    }

    /// Comparisons are exact: the order of floats is that of their bit patterns without the sign bit,
    /// which turns it round; both zeros are one, and what lies beyond the infinities is no number.
    fn float_test(&mut self, name: &str, a: TermId, b: TermId, scalar: Scalar) -> TermId {
        let (a_number, a_key) = self.float_key(a, scalar);
        let (b_number, b_key) = self.float_key(b, scalar);
        let holds = match name {
            "lt" => self.pool.lt(a_key, b_key),
            "le" => self.pool.le(a_key, b_key),
            _ => self.pool.eq(a_key, b_key),
        };
        self.pool.and(&[a_number, b_number, holds])
    }

    /// Whether a pattern is a number, and an integer that orders numbers.
    fn float_key(&mut self, t: TermId, scalar: Scalar) -> (TermId, TermId) {
        let (sign, infinity) = match scalar.bits {
            32 => (1u64 << 31, 0x7f80_0000u64),
            _ => (1u64 << 63, 0x7ff0_0000_0000_0000u64),
        };
        let (sign, infinity) = (self.pool.int(sign), self.pool.int(infinity));
        let negative = self.pool.le(sign, t);
        let minus = self.pool.sub(sign, t);
        let key = self.pool.ite(negative, minus, t);
        let least = self.pool.neg(infinity);
        let number = [self.pool.le(least, key), self.pool.le(key, infinity)];
        (self.pool.and(&number), key)
    }

    /// The sign bit turned.
    pub(in crate::c) fn float_negate(&mut self, t: TermId, scalar: Scalar) -> TermId {
        let sign = self.pool.int(1u64 << (scalar.bits - 1));
        let negative = self.pool.le(sign, t);
        let (without, with) = (self.pool.sub(t, sign), self.pool.add(&[t, sign]));
        let t = self.pool.ite(negative, without, with);
        self.ranges.set(t, scalar.interval());
        t
    }

    pub(in crate::c) fn float_convert(&mut self, t: TermId, from: Scalar, to: Scalar) -> TermId {
        if from.bits == to.bits {
            return t;
        }
        let int = self.pool.int_sort();
        let name = format!("fp.cvt.{}.{}", from.bits, to.bits);
        let symbol = self.pool.symbol(&name, &[int], int);
        let t = self.pool.app(symbol, &[t]);
        let t = program::interp::float::fold(self.pool, t);
        self.ranges.set(t, to.interval());
        t
    }

    pub(in crate::c) fn float_binary(
        &mut self,
        op: BinaryOp,
        a: TermId,
        b: TermId,
        s: Scalar,
    ) -> Val {
        let test = |this: &mut Self, name, x, y| Val::boolean(this.float_test(name, x, y, s));
        match op {
            BinaryOp::Add => Val::int(self.float_op("add", &[a, b], s)),
            BinaryOp::Sub => Val::int(self.float_op("sub", &[a, b], s)),
            BinaryOp::Mul => Val::int(self.float_op("mul", &[a, b], s)),
            BinaryOp::Div => Val::int(self.float_op("div", &[a, b], s)),
            BinaryOp::Lt => test(self, "lt", a, b),
            BinaryOp::Le => test(self, "le", a, b),
            BinaryOp::Gt => test(self, "lt", b, a),
            BinaryOp::Ge => test(self, "le", b, a),
            BinaryOp::Eq => test(self, "eq", a, b),
            BinaryOp::Ne => {
                let e = self.float_test("eq", a, b, s);
                Val::boolean(self.pool.not(e))
            }
            _ => unreachable!("no such operation on floats"),
        }
    }

    /// Unequal to zero.
    pub(in crate::c) fn float_truth(&mut self, t: TermId, ty: TypeId) -> TermId {
        let scalar = self.scalar(ty);
        let zero = self.pool.int(0);
        let e = self.float_test("eq", t, zero, scalar);
        self.pool.not(e)
    }

    pub(in crate::c) fn float_is_nan(&mut self, t: TermId, scalar: Scalar) -> TermId {
        let e = self.float_test("eq", t, t, scalar);
        self.pool.not(e)
    }
}
