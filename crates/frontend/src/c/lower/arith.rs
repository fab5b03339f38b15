//! Arithmetic of C on mathematical integers: when to wrap, when to assume, when to check.

use super::super::hir::BinaryOp;
use super::Lower;
use super::expr::Val;
use super::scalar::{Scalar, ScalarKind};
use logic::{Op, TermId};
use program::{ErrorTag, Property, Span};

pub(in crate::c) const NO_OVERFLOW: &str = "signed arithmetic does not overflow";

impl Lower<'_> {
    pub(in crate::c) fn checks(&self, property: Property) -> bool {
        // A model of the library checks what it says itself; its arithmetic wraps.
        let here = property.in_models() || !self.frame.library;
        here && self.options.properties.contains(&property)
    }

    fn wraps(&self) -> bool {
        self.options.wrapv || self.frame.library
    }

    /// The conjunction of the conditions under which the expression at hand is evaluated.
    pub(in crate::c) fn guard(&mut self) -> TermId {
        let guards = self.frame.guards.clone();
        self.pool.and(&guards)
    }

    /// The condition holds where the expression at hand is evaluated, or the path ends.
    pub(in crate::c) fn require(&mut self, cond: TermId, span: Span) {
        let guard = self.guard();
        let cond = self.pool.implies(guard, cond);
        self.b.assume(self.pool, cond, span);
    }

    /// The condition holds where the expression at hand is evaluated, or the property is violated.
    pub(in crate::c) fn check(
        &mut self,
        cond: TermId,
        property: Property,
        message: &str,
        span: Span,
    ) {
        let guard = self.guard();
        let not = self.pool.not(cond);
        let bad = self.pool.and2(guard, not);
        self.b.error_if(
            self.pool,
            bad,
            ErrorTag {
                property,
                span,
                message: message.into(),
            },
        );
    }

    /// Assumes something undefined away, saying so.
    fn undefined_unless(&mut self, cond: TermId, what: &str, span: Span) {
        if cond != self.pool.tt() {
            self.b.assumption(span, what);
            self.require(cond, span);
        }
    }

    /// A value that is certainly in the range of its type.
    pub(in crate::c) fn settle(&mut self, v: Val, span: Span) -> TermId {
        let t = self.int_term(v);
        if let Some(scalar) = v.pending
            && !self.ranges.within(self.pool, t, scalar.interval())
        {
            let (low, high) = Self::scalar_range(scalar);
            let fits = self.pool.in_range(&low, t, &high);
            self.require(fits, span);
        }
        t
    }

    /// 0 or 1 for a condition.
    pub(in crate::c) fn int_term(&mut self, v: Val) -> TermId {
        if !v.boolean {
            return v.term;
        }
        let (zero, one) = (self.pool.int(0), self.pool.int(1));
        self.pool.ite(v.term, one, zero)
    }

    pub(in crate::c) fn wrap_unsigned(&mut self, t: TermId, bits: u32) -> TermId {
        let scalar = Scalar {
            bits,
            signed: false,
            kind: ScalarKind::Int,
        };
        self.wrap_to(t, scalar)
    }

    /// The value of the scalar type congruent to the term.
    pub(in crate::c) fn wrap_to(&mut self, t: TermId, scalar: Scalar) -> TermId {
        if self.ranges.within(self.pool, t, scalar.interval()) {
            return t;
        }
        if scalar.kind == ScalarKind::Bool {
            let (zero, one) = (self.pool.int(0), self.pool.int(1));
            let is_zero = self.pool.eq(t, zero);
            return self.pool.ite(is_zero, zero, one);
        }
        let t = self.strip(t, scalar.span());
        if self.ranges.within(self.pool, t, scalar.interval()) {
            return t;
        }
        self.pool.wrap(scalar.span() as u8, scalar.signed, t)
    }

    /// An address as the integer that the program sees. Addresses beyond those of the machine stand for
    /// some that were free again: any integer, which no error may rest on.
    pub(in crate::c) fn address_as_integer(&mut self, t: TermId, span: Span) -> TermId {
        let integer = Scalar {
            kind: ScalarKind::Int,
            ..self.pointer_scalar()
        };
        if self.ranges.within(self.pool, t, integer.interval()) {
            return t;
        }
        let (low, high) = Self::scalar_range(integer);
        let fits = self.pool.in_range(&low, t, &high);
        // Sound because what lies beyond the addresses given out so far is no address: a value that was never
        // set, and small values stand for all it can be.
        let top = self.alloc_top();
        let top = self.var_term(top);
        let given_out = self.pool.lt(t, top);
        let either = self.pool.or(&[fits, given_out]);
        self.b.assume(self.pool, either, span);
        let other = self.any(integer, program::InputKind::Approximation, span);
        let value = self.pool.ite(fits, t, other);
        self.ranges.set(value, integer.interval());
        value
    }

    /// The address that an integer of its width is.
    pub(in crate::c) fn integer_as_address(&mut self, t: TermId) -> TermId {
        let bits = self.pointer_scalar().bits;
        self.wrap_unsigned(t, bits)
    }

    /// Drops wraps inside a sum that an outer wrap of `bits` makes superfluous.
    fn strip(&mut self, t: TermId, bits: u32) -> TermId {
        let wide = |op: Op| matches!(op, Op::Wrap { bits: b, .. } if u32::from(b) >= bits);
        let mut linear = self.pool.linear(t);
        if !linear.terms.iter().any(|(a, _)| wide(self.pool.op(*a))) {
            return t;
        }
        let mut parts = vec![self.pool.int(std::mem::take(&mut linear.constant))];
        for (a, c) in linear.terms {
            let inner = if wide(self.pool.op(a)) {
                self.pool.args(a)[0]
            } else {
                a
            };
            parts.push(self.pool.mul_const(&c, inner));
        }
        self.pool.add(&parts)
    }

    /// A result of integer arithmetic in the type: wrapped, assumed or checked to fit.
    pub(in crate::c) fn result(&mut self, t: TermId, scalar: Scalar, span: Span) -> Val {
        if self.ranges.within(self.pool, t, scalar.interval()) {
            return Val::int(t);
        }
        if !scalar.signed || self.wraps() && !self.checks(Property::NoOverflow) {
            return Val::int(self.wrap_to(t, scalar));
        }
        if self.checks(Property::NoOverflow) {
            let (low, high) = Self::scalar_range(scalar);
            let fits = self.pool.in_range(&low, t, &high);
            self.check_number(fits, t, Property::NoOverflow, "signed overflow", span);
            return Val::int(t);
        }
        self.b.assumption(span, NO_OVERFLOW);
        Val {
            term: t,
            boolean: false,
            pending: Some(scalar),
        }
    }

    /// Integer arithmetic on settled operands of the type `scalar` (shifts: the left one's).
    pub(in crate::c) fn int_binary(
        &mut self,
        op: BinaryOp,
        a: TermId,
        b: TermId,
        scalar: Scalar,
        span: Span,
    ) -> Val {
        match op {
            BinaryOp::Add => {
                let t = self.pool.add2(a, b);
                self.result(t, scalar, span)
            }
            BinaryOp::Sub => {
                let t = self.pool.sub(a, b);
                self.result(t, scalar, span)
            }
            BinaryOp::Mul => {
                let t = self.pool.mul(&[a, b]);
                self.result(t, scalar, span)
            }
            BinaryOp::Div | BinaryOp::Rem => self.division(op, a, b, scalar, span),
            BinaryOp::Shl | BinaryOp::Shr => self.shift(op, a, b, scalar, span),
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                let t = match op {
                    BinaryOp::BitAnd => self.pool.bit_and(a, b),
                    BinaryOp::BitOr => self.pool.bit_or(a, b),
                    _ => self.pool.bit_xor(a, b),
                };
                // Bit operations stay inside the type; only the interval may not see it.
                Val::int(self.wrap_to_if_needed(t, scalar))
            }
            _ => unreachable!("comparisons are conditions"),
        }
    }

    fn wrap_to_if_needed(&mut self, t: TermId, scalar: Scalar) -> TermId {
        if self.ranges.of(self.pool, t).is_none() {
            // Sound because both operands are values of the type.
            self.ranges.set(t, scalar.interval());
        }
        t
    }

    fn division(&mut self, op: BinaryOp, a: TermId, b: TermId, scalar: Scalar, span: Span) -> Val {
        let zero = self.pool.int(0);
        let is_zero = self.pool.eq(b, zero);
        let defined = self.pool.not(is_zero);
        let may_be_zero = self
            .ranges
            .of(self.pool, b)
            .is_none_or(|(low, high)| low <= 0 && high >= 0);
        if may_be_zero {
            if self.checks(Property::NoDivByZero) {
                let message = "division by zero";
                self.check_number(defined, b, Property::NoDivByZero, message, span);
            } else {
                self.undefined_unless(defined, "no division by zero", span);
            }
        }
        let unsigned = self.ranges.of(self.pool, a).is_some_and(|i| i.0 >= 0)
            && self.ranges.of(self.pool, b).is_some_and(|i| i.0 >= 0);
        let t = match op {
            // For non-negative operands truncated and Euclidean division agree.
            BinaryOp::Div if unsigned => self.pool.int_div(a, b),
            BinaryOp::Rem if unsigned => self.pool.modulo(a, b),
            BinaryOp::Div => self.pool.c_div(a, b),
            _ => self.pool.c_rem(a, b),
        };
        if !scalar.signed {
            self.wrap_to_if_needed(t, scalar);
            return Val::int(t);
        }
        // Only INT_MIN / -1 leaves the range; the remainder is undefined then, too.
        let low = scalar.interval().map_or(0, |i| i.0);
        let may_overflow = self.ranges.of(self.pool, a).is_none_or(|i| i.0 <= low)
            && self
                .ranges
                .of(self.pool, b)
                .is_none_or(|i| i.0 <= -1 && i.1 >= -1);
        if may_overflow {
            let (min, minus) = (self.pool.int(low), self.pool.int(-1));
            let parts = [self.pool.eq(a, min), self.pool.eq(b, minus)];
            let bad = self.pool.and(&parts);
            let fine = self.pool.not(bad);
            if self.checks(Property::NoOverflow) {
                self.check(
                    fine,
                    Property::NoOverflow,
                    "signed overflow in division",
                    span,
                );
            } else if self.wraps() {
                return Val::int(self.wrap_to(t, scalar));
            } else {
                self.undefined_unless(fine, NO_OVERFLOW, span);
            }
        }
        self.wrap_to_if_needed(t, scalar);
        Val::int(t)
    }

    fn shift(&mut self, op: BinaryOp, a: TermId, b: TermId, scalar: Scalar, span: Span) -> Val {
        let last = i128::from(scalar.bits) - 1;
        if !self.ranges.within(self.pool, b, Some((0, last))) {
            let (low, high) = (logic::Rational::ZERO, logic::Rational::from(last));
            let fits = self.pool.in_range(&low, b, &high);
            if self.checks(Property::NoShift) {
                let message = format!("a shift count is not between 0 and {last}");
                self.check_number(fits, b, Property::NoShift, &message, span);
            } else {
                self.undefined_unless(fits, "shift counts are less than the width", span);
            }
        }
        if op == BinaryOp::Shr {
            let t = self.pool.shr(a, b);
            self.wrap_to_if_needed(t, scalar);
            return Val::int(t);
        }
        let t = self.pool.shl(a, b);
        if !scalar.signed || !self.checks(Property::NoOverflow) {
            // gcc defines left shifts of signed values as shifts of the bits.
            return Val::int(self.wrap_to(t, scalar));
        }
        let zero = self.pool.int(0);
        let positive = self.pool.le(zero, a);
        let (low, high) = Self::scalar_range(scalar);
        let fits = self.pool.in_range(&low, t, &high);
        let fine = self.pool.and2(positive, fits);
        self.check(fine, Property::NoOverflow, "signed overflow in shift", span);
        Val::int(self.wrap_to(t, scalar))
    }

    /// A comparison of settled integers.
    pub(in crate::c) fn compare(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        match op {
            BinaryOp::Lt => self.pool.lt(a, b),
            BinaryOp::Le => self.pool.le(a, b),
            BinaryOp::Gt => self.pool.gt(a, b),
            BinaryOp::Ge => self.pool.ge(a, b),
            BinaryOp::Eq => self.pool.eq(a, b),
            BinaryOp::Ne => {
                let e = self.pool.eq(a, b);
                self.pool.not(e)
            }
            _ => unreachable!("a comparison"),
        }
    }
}
