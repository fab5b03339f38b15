//! Expressions: values as terms, effects as edges.
//!
//! An expression without effects becomes a term over the current values of variables; what must
//! hold for it to be defined is assumed (or checked) under the conditions of the short circuits
//! around it. Operands are evaluated left to right; a value computed before an operand with
//! effects is kept in a temporary.

use super::super::hir::{BinaryOp, CastKind, Expr, ExprKind, Place, PlaceKind, SizeOf, UnaryOp};
use super::super::types::TypeId;
use super::Lower;
use super::scalar::{Scalar, ScalarKind, scalar_of};
use logic::TermId;
use program::{InputKind, Span};

/// The value of a scalar expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct Val {
    pub term: TermId,
    /// The term is Bool and stands for 0 or 1.
    pub boolean: bool,
    /// The term may be outside this type; whoever uses it must see to that.
    pub pending: Option<Scalar>,
}

impl Val {
    pub(super) fn int(term: TermId) -> Val {
        Val {
            term,
            boolean: false,
            pending: None,
        }
    }

    pub(super) fn boolean(term: TermId) -> Val {
        Val {
            term,
            boolean: true,
            pending: None,
        }
    }
}

impl Lower<'_> {
    pub(super) fn scalar(&self, ty: TypeId) -> Scalar {
        scalar_of(&self.unit.types, ty).unwrap_or(Scalar::BYTE)
    }

    /// A settled integer term.
    pub(super) fn term(&mut self, e: &Expr) -> TermId {
        let v = self.expr(e);
        self.settle(v, e.span)
    }

    /// Evaluates for effects only.
    pub(super) fn discard(&mut self, e: &Expr) {
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
                self.block(block);
                if let Some(v) = value {
                    self.discard(v);
                }
            }
            _ if scalar_of(&self.unit.types, e.ty).is_some() => {
                self.unused.insert(std::ptr::from_ref(e));
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
    fn protect(&mut self, v: Val, later: &Expr) -> Val {
        if !self.has_writes(later) {
            return v;
        }
        let t = self.settle(v, later.span);
        Val::int(self.freeze(t, later.span))
    }

    /// The value of a scalar expression, its effects at the cursor.
    pub(super) fn expr(&mut self, e: &Expr) -> Val {
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
            ExprKind::Float(bits) => Val::int(self.float_constant(*bits, e)),
            ExprKind::Load(p) => {
                let at = self.place(p);
                self.read(&at)
            }
            ExprKind::AddressOf(p) => {
                let at = self.place(p);
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
                use logic::Id;
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
            ExprKind::VaArg(_) => {
                self.b.note(e.span, "variadic argument: any value");
                let s = self.scalar(e.ty);
                Val::int(self.any(s, InputKind::Unknown, e.span))
            }
            ExprKind::StmtExpr { block, value } => {
                self.block(block);
                match value {
                    Some(v) => self.expr(v),
                    None => Val::int(self.pool.int(0)),
                }
            }
            ExprKind::UnionOf { value, .. } => {
                self.discard(value);
                Val::int(self.pool.int(0))
            }
        }
    }

    pub(super) fn size_of_term(&mut self, size: &SizeOf) -> TermId {
        let mut factors = vec![self.pool.int(size.factor)];
        for &l in &size.lengths {
            let at = self.object_at(super::reach::ObjectKey::Local(l), Span::unknown());
            let n = self.read(&at);
            factors.push(self.settle(n, Span::unknown()));
        }
        self.pool.mul(&factors)
    }

    fn pointer_step(
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
        let offset = self.pool.mul(&[index, n]);
        let t = if subtract {
            self.pool.sub(p, offset)
        } else {
            self.pool.add2(p, offset)
        };
        let index = self.scalar(index_ty);
        if !index.signed && index.bits >= pointer.bits {
            // Adding a huge unsigned number moves back.
            return Val::int(self.wrap_to(t, pointer));
        }
        if self.ranges.within(self.pool, t, pointer.interval()) {
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
            return Val::int(self.float_op("neg", &[t], scalar));
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
        let x = self.expr(a);
        let x = self.protect(x, b);
        let operand = self.scalar(a.ty);
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
            return Val::boolean(self.compare(op, x, y));
        }
        let x = self.settle(x, a.span);
        let y = self.term(b);
        let scalar = self.scalar(e.ty);
        self.int_binary(op, x, y, scalar, e.span)
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
            CastKind::Same | CastKind::PointerToPointer => self.expr(a),
            CastKind::IntToInt | CastKind::PointerToInt | CastKind::IntToPointer => {
                let v = self.expr(a);
                let scalar = self.scalar(e.ty);
                if v.boolean {
                    return v;
                }
                if v.pending == Some(scalar) {
                    return v;
                }
                let t = self.settle(v, a.span);
                Val::int(self.wrap_to(t, scalar))
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

    /// Whether somebody uses the value of an assignment.
    fn wanted(&self, e: &Expr) -> bool {
        !self.unused.contains(&std::ptr::from_ref(e))
    }

    fn assign(&mut self, place: &Place, value: &Expr, e: &Expr) -> Val {
        let wanted = self.wanted(e);
        if scalar_of(&self.unit.types, place.ty).is_none() {
            self.assign_aggregate(place, value, e.span);
            return Val::int(self.pool.int(0));
        }
        if !self.place_has_effects(place) {
            // The order is ours to choose: the value first.
            if self.assign_call(place, value, e.span) {
                let at = self.place(place);
                return self.read(&at);
            }
            let v = self.expr(value);
            let at = self.place(place);
            return self.store(&at, v, wanted, e.span);
        }
        let mut at = self.place(place);
        self.protect_place(&mut at, value);
        let v = self.expr(value);
        self.store(&at, v, wanted, e.span)
    }

    /// `x = f()` with a plain variable: the call writes it.
    fn assign_call(&mut self, place: &Place, value: &Expr, span: Span) -> bool {
        let ExprKind::Call { callee, args } = &value.kind else {
            return false;
        };
        if !matches!(place.kind, PlaceKind::Local(_) | PlaceKind::Global(_)) {
            return false;
        }
        let at = self.place(place);
        let Some(var) = self.plain_var(&at) else {
            return false;
        };
        let v = self.call(value, callee, args, super::call::Want::Into(var));
        if self.int_term(v) != self.var_term(var) {
            self.store(&at, v, false, span);
        }
        true
    }

    /// Stores a value; the result is the value stored.
    pub(super) fn store(&mut self, at: &super::place::At, v: Val, wanted: bool, span: Span) -> Val {
        let scalar = at.scalar.unwrap_or(Scalar::BYTE);
        let declared = self.scalar(at.ty);
        if let Some(var) = self.plain_var(at) {
            let t = self.int_term(v);
            // An assignment out of range blocks: that is the check.
            let t = if v.pending.is_some_and(|p| p.interval() == scalar.interval()) {
                t
            } else {
                let t = self.settle(v, span);
                if scalar.interval() == declared.interval() {
                    t
                } else {
                    self.wrap_to(t, scalar)
                }
            };
            self.b.assign(vec![(var, t)], span);
            return Val::int(self.var_term(var));
        }
        let t = self.settle(v, span);
        let t = if scalar != declared || declared.kind == ScalarKind::Bool {
            self.wrap_to(t, scalar)
        } else {
            t
        };
        // The value may mention what is being written.
        let t = if !wanted || self.pool.as_number(t).is_some() {
            t
        } else {
            self.value_before(t, span)
        };
        self.write(at, t, span);
        Val::int(t)
    }

    /// The term, kept if it mentions memory.
    fn value_before(&mut self, t: TermId, span: Span) -> TermId {
        if self.pool.as_constant(t).is_some() {
            t
        } else {
            let interval = self.ranges.of(self.pool, t);
            let frozen = self.freeze(t, span);
            self.ranges.set(frozen, interval);
            frozen
        }
    }

    fn compound(
        &mut self,
        op: BinaryOp,
        place: &Place,
        value: &Expr,
        compute: TypeId,
        e: &Expr,
    ) -> Val {
        let wanted = self.wanted(e);
        let (at, v) = if self.place_has_effects(place) {
            let mut at = self.place(place);
            self.protect_place(&mut at, value);
            (at, self.term(value))
        } else {
            let v = self.term(value);
            (self.place(place), v)
        };
        let old = self.read(&at);
        let old = self.settle(old, e.span);
        let (declared, wide) = (self.scalar(at.ty), self.scalar(compute));
        let a = self.convert(old, declared, wide, e.span);
        let new = if wide.is_float() {
            self.float_binary(op, a, v, wide)
        } else {
            self.int_binary(op, a, v, wide, e.span)
        };
        let new = self.convert_back(new, wide, declared, e.span);
        self.store(&at, new, wanted, e.span)
    }

    /// A settled value of one scalar type as another.
    pub(super) fn convert(&mut self, t: TermId, from: Scalar, to: Scalar, span: Span) -> TermId {
        match (from.is_float(), to.is_float()) {
            (true, true) => self.float_convert(t, from, to),
            (false, true) => self.float_op("from_int", &[t], to),
            (true, false) => {
                let t = self.float_op("to_int", &[t], from);
                let v = Val {
                    term: t,
                    boolean: false,
                    pending: Some(to),
                };
                self.settle(v, span)
            }
            // Settled, so already a value of the type.
            (false, false) if from.interval() == to.interval() && from.bits == to.bits => t,
            (false, false) => self.wrap_to(t, to),
        }
    }

    fn convert_back(&mut self, v: Val, from: Scalar, to: Scalar, span: Span) -> Val {
        if from == to {
            return v;
        }
        let t = self.settle(v, span);
        Val::int(self.convert(t, from, to, span))
    }

    fn inc_dec(
        &mut self,
        place: &Place,
        decrement: bool,
        prefix: bool,
        compute: TypeId,
        size: Option<&SizeOf>,
        e: &Expr,
    ) -> Val {
        let wanted = self.wanted(e);
        let at = self.place(place);
        let old = self.read(&at);
        let old = self.settle(old, e.span);
        let kept = if prefix || !wanted {
            old
        } else {
            self.freeze(old, e.span)
        };
        let declared = self.scalar(at.ty);
        let new = match size {
            Some(size) if declared.kind == ScalarKind::Pointer => {
                let one = self.pool.int(1);
                self.pointer_step(old, one, compute, decrement, size, e.span)
            }
            _ => {
                let wide = self.scalar(compute);
                let a = self.convert(old, declared, wide, e.span);
                let op = if decrement {
                    BinaryOp::Sub
                } else {
                    BinaryOp::Add
                };
                let new = if wide.is_float() {
                    let zero = self.pool.int(1);
                    let one = self.float_op("from_int", &[zero], wide);
                    self.float_binary(op, a, one, wide)
                } else {
                    let one = self.pool.int(1);
                    self.int_binary(op, a, one, wide, e.span)
                };
                self.convert_back(new, wide, declared, e.span)
            }
        };
        let stored = self.store(&at, new, wanted, e.span);
        if prefix { stored } else { Val::int(kept) }
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

    /// Whether evaluating the expression changes anything or reads an input.
    pub(super) fn has_effects(&mut self, e: &Expr) -> bool {
        let key = std::ptr::from_ref(e);
        if let Some(&known) = self.effects.get(&key) {
            return known;
        }
        let result = match &e.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::FunctionAddress(_)
            | ExprKind::LabelAddress(_) => return false,
            ExprKind::Load(p) | ExprKind::AddressOf(p) => return self.place_has_effects(p),
            ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => return self.has_effects(a),
            ExprKind::Binary(_, a, b)
            | ExprKind::LogicalAnd(a, b)
            | ExprKind::LogicalOr(a, b)
            | ExprKind::Comma(a, b)
            | ExprKind::Elvis { cond: a, els: b }
            | ExprKind::PointerDifference {
                left: a, right: b, ..
            }
            | ExprKind::PointerOffset {
                pointer: a,
                index: b,
                ..
            } => self.has_effects(a) || self.has_effects(b),
            ExprKind::Conditional { cond, then, els } => {
                self.has_effects(cond) || self.has_effects(then) || self.has_effects(els)
            }
            ExprKind::Intrinsic { name, args } => {
                !super::library::is_pure(name) || args.iter().any(|a| self.has_effects(a))
            }
            ExprKind::Assign { .. }
            | ExprKind::CompoundAssign { .. }
            | ExprKind::PointerAssign { .. }
            | ExprKind::IncDec { .. }
            | ExprKind::Call { .. }
            | ExprKind::VaArg(_)
            | ExprKind::StmtExpr { .. }
            | ExprKind::UnionOf { .. } => true,
        };
        self.effects.insert(key, result);
        result
    }

    /// Whether evaluating the expression may change a variable or memory.
    pub(super) fn has_writes(&mut self, e: &Expr) -> bool {
        if !self.has_effects(e) {
            return false;
        }
        let key = std::ptr::from_ref(e);
        if let Some(&known) = self.writes.get(&key) {
            return known;
        }
        let result = match &e.kind {
            ExprKind::Call {
                callee: super::super::hir::Callee::Direct(f),
                args,
            } => {
                let name = &self.unit.functions[*f].source_name;
                let quiet = name.starts_with("__VERIFIER_nondet_")
                    && self.unit.functions[*f].body.is_none();
                !quiet || args.iter().any(|a| self.has_writes(a))
            }
            ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => self.has_writes(a),
            ExprKind::Binary(_, a, b) => self.has_writes(a) || self.has_writes(b),
            _ => true,
        };
        self.writes.insert(key, result);
        result
    }

    pub(super) fn place_has_effects(&mut self, p: &Place) -> bool {
        match &p.kind {
            PlaceKind::Global(_) | PlaceKind::Local(_) | PlaceKind::String(_) => false,
            PlaceKind::Deref(e) => self.has_effects(e),
            PlaceKind::Field { base, .. } => self.place_has_effects(base),
            PlaceKind::Index { base, index } => {
                self.place_has_effects(base) || self.has_effects(index)
            }
            PlaceKind::CompoundLiteral { .. } | PlaceKind::Temporary(_) => true,
        }
    }
}
