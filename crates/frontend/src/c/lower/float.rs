//! Floats: bit patterns, with arithmetic as applications of declared functions that the solver
//! leaves open and the interpreter computes. Comparisons and signs are exact for both.

use super::super::hir::BinaryOp;
use super::super::types::TypeId;
use super::Lower;
use super::expr::Val;
use super::scalar::Scalar;
use logic::TermId;
use program::interp::float::Width;

impl Lower<'_> {
    /// `fp.name.bits(args)`, of sort Int.
    pub(in crate::c) fn float_op(&mut self, name: &str, args: &[TermId], scalar: Scalar) -> TermId {
        let int = self.pool.int_sort();
        let sorts = vec![int; args.len()];
        let symbol = self
            .pool
            .symbol(&format!("fp.{name}.{}", scalar.bits), &sorts, int);
        let t = self.pool.app(symbol, args);
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
        let width = Width::of_bits(scalar.bits).expect("floats have one of the formats");
        let number = self.pool.float_is_number(width, t);
        (number, self.pool.float_key(width, t))
    }

    /// The sign bit turned.
    pub(in crate::c) fn float_negate(&mut self, t: TermId, scalar: Scalar) -> TermId {
        let sign = self.pool.int(1u128 << (scalar.bits - 1));
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
