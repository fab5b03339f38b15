//! Expressions: values as terms, effects as edges.
//!
//! An expression without effects becomes a term over the current values of variables; what must
//! hold for it to be defined is assumed (or checked) under the conditions of the short circuits
//! around it. Operands are evaluated left to right; a value computed before an operand with
//! effects is kept in a temporary.

use super::super::hir::{BinaryOp, CastKind, Expr, ExprKind, SizeOf, UnaryOp};
use super::super::types::TypeId;
use super::Lower;
use super::scalar::{Scalar, scalar_of};
use logic::TermId;
use program::{InputKind, Property, Span};

/// The value of a scalar expression.
#[derive(Clone, Copy, Debug)]
pub(in crate::c) struct Val {
    pub term: TermId,
    /// The term is Bool and stands for 0 or 1.
    pub boolean: bool,
    /// The term may be outside this type; whoever uses it must see to that.
    pub pending: Option<Scalar>,
}

impl Val {
    pub(in crate::c) fn int(term: TermId) -> Val {
        Val {
            term,
            boolean: false,
            pending: None,
        }
    }

    pub(in crate::c) fn boolean(term: TermId) -> Val {
        Val {
            term,
            boolean: true,
            pending: None,
        }
    }
}

impl Lower<'_> {
    pub(in crate::c) fn scalar(&self, ty: TypeId) -> Scalar {
        scalar_of(&self.unit.types, ty).unwrap_or(Scalar::BYTE)
    }

    /// A settled integer term.
    pub(in crate::c) fn term(&mut self, e: &Expr) -> TermId {
        let v = self.expr(e);
        self.settle(v, e.span)
    }

    /// Evaluates for effects only.
    pub(in crate::c) fn discard(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Cast(CastKind::ToVoid | CastKind::Same, a) => self.discard(a),
            ExprKind::Comma(a, b) => {
                self.discard(a);
                self.discard(b);
            }
            ExprKind::Call { callee, args } => {
                self.call(e, callee, args, super::call::Want::Nothing);
            }
            ExprKind::Conditional { cond, then, els }
                if self.has_effects(then) || self.has_effects(els) =>
            {
                let (yes, no, end) = self.three(e.span);
                self.branch_on(cond, yes, no, e.span);
                self.b.at = yes;
                self.discard(then);
                self.b.jump(end, e.span);
                self.b.at = no;
                self.discard(els);
                self.b.jump(end, e.span);
                self.b.at = end;
            }
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) if self.has_effects(e) => {
                let end = self.b.new_loc(e.span);
                self.branch_on(e, end, end, e.span);
                self.b.at = end;
            }
            ExprKind::StmtExpr { block, value } => {
                self.open_block(block);
                if let Some(v) = value {
                    self.discard(v);
                }
                self.close_block(e.span);
            }
            _ if scalar_of(&self.unit.types, e.ty).is_some() => {
                self.unused[e.id] = true;
                self.expr(e);
            }
            _ if self.unit.types.is_void(e.ty) => {
                self.expr(e);
            }
            _ => {
                self.aggregate(e);
            }
        }
    }

    fn three(&mut self, span: Span) -> (program::LocId, program::LocId, program::LocId) {
        (
            self.b.new_loc(span),
            self.b.new_loc(span),
            self.b.new_loc(span),
        )
    }

    /// Keeps a value from changing while `later` is evaluated.
    pub(in crate::c) fn protect(&mut self, v: Val, later: &Expr) -> Val {
        if !self.has_writes(later) {
            return v;
        }
        let t = self.settle(v, later.span);
        Val::int(self.freeze(t, later.span))
    }

    /// The value of a scalar expression, its effects at the cursor.
    pub(in crate::c) fn expr(&mut self, e: &Expr) -> Val {
        match &e.kind {
            ExprKind::Int(n) => {
                let n = match self.scalar(e.ty) {
                    s if s.bits == 128 && !s.signed && *n < 0 => {
                        &logic::Rational::from(*n) + &logic::Rational::power_of_two(128)
                    }
                    _ => logic::Rational::from(*n),
                };
                Val::int(self.pool.int(n))
            }
            ExprKind::Float(bits) => Val::int(self.pool.int(*bits)),
            ExprKind::Load(p) => {
                let at = self.place(p);
                self.read(&at)
            }
            ExprKind::AddressOf(p) => {
                let at = self.place_of_address(p);
                let t = self.address_of(&at);
                Val {
                    term: t,
                    boolean: false,
                    pending: Some(self.pointer_scalar()),
                }
            }
            ExprKind::FunctionAddress(f) => {
                let a = self.memory.functions.get(f).copied().unwrap_or(0);
                Val::int(self.pool.int(a))
            }
            ExprKind::LabelAddress(l) => {
                use base::Id;
                Val::int(self.pool.int(l.index() as i64 + 1))
            }
            ExprKind::Unary(op, a) => self.unary(*op, a, e),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, e),
            ExprKind::PointerOffset {
                pointer,
                index,
                subtract,
                size,
            } => {
                let p = self.expr(pointer);
                let p = self.protect(p, index);
                let p = self.settle(p, pointer.span);
                let i = self.term(index);
                self.pointer_step(p, i, index.ty, *subtract, size, e.span)
            }
            ExprKind::PointerDifference { left, right, size } => {
                let l = self.expr(left);
                let l = self.protect(l, right);
                let l = self.settle(l, left.span);
                let r = self.term(right);
                let d = self.pool.sub(l, r);
                let n = self.size_of_term(size);
                // Both point into one object, so the division is exact.
                let exact = match self.pool.as_number(n).cloned() {
                    Some(k) if k.is_one() => d,
                    _ => self.pool.c_div(d, n),
                };
                let scalar = self.scalar(e.ty);
                Val::int(self.wrap_to(exact, scalar))
            }
            ExprKind::Cast(kind, a) => self.cast(*kind, a, e),
            ExprKind::Assign { place, value } => self.assign(place, value, e),
            ExprKind::CompoundAssign {
                op,
                place,
                value,
                compute,
            } => self.compound(*op, place, value, *compute, e),
            ExprKind::PointerAssign {
                place,
                index,
                subtract,
                size,
            } => {
                let wanted = self.wanted(e);
                let (at, i) = if self.place_has_effects(place) {
                    let mut at = self.place(place);
                    self.protect_place(&mut at, index);
                    (at, self.term(index))
                } else {
                    let i = self.term(index);
                    (self.place(place), i)
                };
                let old = self.read(&at);
                let old = self.settle(old, e.span);
                let new = self.pointer_step(old, i, index.ty, *subtract, size, e.span);
                self.store(&at, new, wanted, e.span)
            }
            ExprKind::IncDec {
                place,
                decrement,
                prefix,
                compute,
                size,
            } => self.inc_dec(place, *decrement, *prefix, *compute, size.as_deref(), e),
            ExprKind::LogicalAnd(a, b) => self.logical(a, b, true, e),
            ExprKind::LogicalOr(a, b) => self.logical(a, b, false, e),
            ExprKind::Conditional { cond, then, els } => self.conditional(cond, then, els, e),
            ExprKind::Elvis { cond, els } => self.elvis(cond, els, e),
            ExprKind::Comma(a, b) => {
                self.discard(a);
                self.expr(b)
            }
            ExprKind::Call { callee, args } => self.call(e, callee, args, super::call::Want::Value),
            ExprKind::Intrinsic { name, args } => self.intrinsic(name, args, e),
            // Only of a type that no argument has.
            ExprKind::VaArg(list) => {
                self.place(list);
                self.b.note(e.span, "variadic argument: any value");
                let s = self.scalar(e.ty);
                Val::int(self.any(s, InputKind::Approximation, e.span))
            }
            ExprKind::StmtExpr { block, value } => {
                self.open_block(block);
                let value = match value {
                    Some(v) => self.expr(v),
                    None => Val::int(self.pool.int(0)),
                };
                self.close_block(e.span);
                value
            }
            ExprKind::UnionOf { value, .. } => {
                self.discard(value);
                Val::int(self.pool.int(0))
            }
        }
    }

    pub(in crate::c) fn size_of_term(&mut self, size: &SizeOf) -> TermId {
        let mut factors = vec![self.pool.int(size.factor)];
        for &l in &size.lengths {
            let at = self.object_at(super::reach::ObjectKey::Local(l), Span::unknown());
            let n = self.read(&at);
            factors.push(self.settle(n, Span::unknown()));
        }
        self.pool.mul(&factors)
    }

    pub(in crate::c) fn pointer_step(
        &mut self,
        p: TermId,
        index: TermId,
        index_ty: TypeId,
        subtract: bool,
        size: &SizeOf,
        span: Span,
    ) -> Val {
        let pointer = self.pointer_scalar();
        let n = self.size_of_term(size);
        let mut offset = self.pool.mul(&[index, n]);
        let index = self.scalar(index_ty);
        let huge = !index.signed && index.bits >= pointer.bits;
        if huge && pointer.span() > pointer.bits {
            let signed = Scalar {
                signed: true,
                kind: super::scalar::ScalarKind::Int,
                ..pointer
            };
            offset = self.wrap_to(offset, signed);
        }
        let t = if subtract {
            self.pool.sub(p, offset)
        } else {
            self.pool.add2(p, offset)
        };
        if huge {
            // Adding a huge unsigned number moves back.
            let t = self.wrap_to(t, pointer);
            self.check_pointer_step(p, t, span);
            return Val::int(t);
        }
        self.check_pointer_step(p, t, span);
        if self.ranges.within(self.pool, t, pointer.interval()) {
            return Val::int(t);
        }
        if self.checks(Property::NoPointerArith) {
            // An object and the address after it lie in the address space.
            return Val::int(t);
        }
        self.b
            .assumption(span, "pointer arithmetic stays inside the address space");
        Val {
            term: t,
            boolean: false,
            pending: Some(pointer),
        }
    }

    fn unary(&mut self, op: UnaryOp, a: &Expr, e: &Expr) -> Val {
        if op == UnaryOp::Not {
            let c = self.cond(a);
            return Val::boolean(self.pool.not(c));
        }
        let scalar = self.scalar(e.ty);
        let t = self.term(a);
        if scalar.is_float() {
            return Val::int(self.float_negate(t, scalar));
        }
        match op {
            UnaryOp::Neg => {
                let t = self.pool.neg(t);
                self.result(t, scalar, e.span)
            }
            _ => {
                let t = self.pool.bit_not(t);
                Val::int(self.wrap_to(t, scalar))
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, e: &Expr) -> Val {
        let operand = self.scalar(a.ty);
        if self.right_first(op, a, b) {
            let y = self.term(b);
            let x = self.term(a);
            return match op.is_comparison() {
                _ if operand.is_float() => self.float_binary(op, x, y, operand),
                true => self.number_compare(op, (a, x), (b, y), e),
                false => self.number_binary(op, (a, x), (b, y), e),
            };
        }
        let x = self.expr(a);
        let x = self.protect(x, b);
        if operand.is_float() {
            let (x, y) = (self.settle(x, a.span), self.term(b));
            return self.float_binary(op, x, y, operand);
        }
        if op.is_comparison() {
            let y = self.expr(b);
            if let Some(v) = self.compare_condition(op, x, y) {
                return v;
            }
            let (x, y) = (self.settle(x, a.span), self.settle(y, b.span));
            return self.number_compare(op, (a, x), (b, y), e);
        }
        let x = self.settle(x, a.span);
        let y = self.term(b);
        self.number_binary(op, (a, x), (b, y), e)
    }

    /// `(c) == 0`, `(c) != 0` for a condition `c`, and `(c) == (d)`.
    fn compare_condition(&mut self, op: BinaryOp, x: Val, y: Val) -> Option<Val> {
        if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            return None;
        }
        let (c, other) = match (x.boolean, y.boolean) {
            (true, _) => (x, y),
            (false, true) => (y, x),
            _ => return None,
        };
        let equal = if other.boolean {
            self.pool.eq(c.term, other.term)
        } else {
            match self.pool.as_number(other.term)?.to_i64()? {
                0 => self.pool.not(c.term),
                1 => c.term,
                _ => self.pool.ff(),
            }
        };
        Some(Val::boolean(if op == BinaryOp::Eq {
            equal
        } else {
            self.pool.not(equal)
        }))
    }

    fn cast(&mut self, kind: CastKind, a: &Expr, e: &Expr) -> Val {
        match kind {
            CastKind::ToVoid => {
                self.discard(a);
                Val::int(self.pool.int(0))
            }
            CastKind::ToBool => Val::boolean(self.cond(a)),
            CastKind::Same => self.expr(a),
            CastKind::PointerToPointer => {
                let v = self.expr(a);
                self.check_alignment(a, v.term, e);
                v
            }
            CastKind::Narrow { width, signed } => {
                let t = self.term(a);
                let narrow = super::scalar::Scalar {
                    bits: width,
                    signed,
                    kind: super::scalar::ScalarKind::Int,
                };
                Val::int(self.wrap_to(t, narrow))
            }
            CastKind::PointerToInt | CastKind::IntToPointer => {
                let v = self.expr(a);
                let t = self.settle(v, a.span);
                let t = match kind {
                    CastKind::PointerToInt => self.address_as_integer(t, e.span),
                    _ => self.integer_as_address(t),
                };
                let scalar = self.scalar(e.ty);
                Val::int(self.wrap_to(t, scalar))
            }
            CastKind::IntToInt => {
                let v = self.expr(a);
                let scalar = self.scalar(e.ty);
                if v.boolean {
                    return v;
                }
                if v.pending == Some(scalar) {
                    return v;
                }
                let t = self.settle(v, a.span);
                let t = self.wrap_to(t, scalar);
                if kind == CastKind::IntToPointer {
                    self.check_alignment(a, t, e);
                }
                Val::int(t)
            }
            CastKind::IntToFloat => {
                let t = self.term(a);
                let scalar = self.scalar(e.ty);
                Val::int(self.float_op("from_int", &[t], scalar))
            }
            CastKind::FloatToInt => {
                let t = self.term(a);
                let from = self.scalar(a.ty);
                let scalar = self.scalar(e.ty);
                let t = self.float_op("to_int", &[t], from);
                self.b
                    .assumption(e.span, "floats converted to integers fit");
                Val {
                    term: t,
                    boolean: false,
                    pending: Some(scalar),
                }
            }
            CastKind::FloatToFloat => {
                let t = self.term(a);
                let (from, to) = (self.scalar(a.ty), self.scalar(e.ty));
                Val::int(self.float_convert(t, from, to))
            }
        }
    }

    fn logical(&mut self, a: &Expr, b: &Expr, and: bool, e: &Expr) -> Val {
        if self.has_effects(b) {
            let scalar = self.scalar(e.ty);
            let result = self.temp(scalar, e.span);
            let (yes, no, end) = self.three(e.span);
            self.branch_on(e, yes, no, e.span);
            for (at, value) in [(yes, 1), (no, 0)] {
                self.b.at = at;
                let n = self.pool.int(value);
                self.b.assign(vec![(result, n)], e.span);
                self.b.jump(end, e.span);
            }
            self.b.at = end;
            return Val::int(self.var_term(result));
        }
        let x = self.cond(a);
        let guard = if and { x } else { self.pool.not(x) };
        self.frame.guards.push(guard);
        let y = self.cond(b);
        self.frame.guards.pop();
        Val::boolean(if and {
            self.pool.and2(x, y)
        } else {
            self.pool.or2(x, y)
        })
    }

    fn conditional(&mut self, cond: &Expr, then: &Expr, els: &Expr, e: &Expr) -> Val {
        let Some(scalar) = scalar_of(&self.unit.types, e.ty) else {
            self.discard(e);
            return Val::int(self.pool.int(0));
        };
        if self.has_effects(then) || self.has_effects(els) {
            let result = self.temp(scalar, e.span);
            let (yes, no, end) = self.three(e.span);
            self.branch_on(cond, yes, no, e.span);
            for (at, branch) in [(yes, then), (no, els)] {
                self.b.at = at;
                let t = self.term(branch);
                self.b.assign(vec![(result, t)], e.span);
                self.b.jump(end, e.span);
            }
            self.b.at = end;
            return Val::int(self.var_term(result));
        }
        let c = self.cond(cond);
        let not = self.pool.not(c);
        self.frame.guards.push(c);
        let x = self.expr(then);
        self.frame.guards.pop();
        self.frame.guards.push(not);
        let y = self.expr(els);
        self.frame.guards.pop();
        self.choose(c, x, y, e.span)
    }

    fn choose(&mut self, c: TermId, x: Val, y: Val, span: Span) -> Val {
        if x.boolean && y.boolean {
            return Val::boolean(self.pool.ite(c, x.term, y.term));
        }
        let not = self.pool.not(c);
        self.frame.guards.push(c);
        let x = self.settle(x, span);
        self.frame.guards.pop();
        self.frame.guards.push(not);
        let y = self.settle(y, span);
        self.frame.guards.pop();
        Val::int(self.pool.ite(c, x, y))
    }

    fn elvis(&mut self, cond: &Expr, els: &Expr, e: &Expr) -> Val {
        let scalar = self.scalar(e.ty);
        let from = self.scalar(cond.ty);
        let x = self.expr(cond);
        let x = self.protect(x, els);
        let c = if from.is_float() {
            self.float_truth(x.term, cond.ty)
        } else {
            self.truth(x, cond.span)
        };
        let x = self.settle(x, cond.span);
        let x = self.convert(x, from, scalar, e.span);
        if self.has_effects(els) {
            let result = self.temp(scalar, e.span);
            let (yes, no, end) = self.three(e.span);
            self.b.branch_to(self.pool, c, yes, no, e.span);
            self.b.at = yes;
            self.b.assign(vec![(result, x)], e.span);
            self.b.jump(end, e.span);
            self.b.at = no;
            let y = self.term(els);
            self.b.assign(vec![(result, y)], e.span);
            self.b.jump(end, e.span);
            self.b.at = end;
            return Val::int(self.var_term(result));
        }
        let not = self.pool.not(c);
        self.frame.guards.push(not);
        let y = self.term(els);
        self.frame.guards.pop();
        Val::int(self.pool.ite(c, x, y))
    }
}
