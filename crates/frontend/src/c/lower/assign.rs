//! Assignments: plain, compound, `++` and `--`, and the conversions they imply.

use super::super::hir::{BinaryOp, Expr, ExprKind, Place, PlaceKind, SizeOf};
use super::super::types::TypeId;
use super::Lower;
use super::expr::Val;
use super::scalar::{Scalar, ScalarKind, scalar_of};
use logic::TermId;
use program::Span;

impl Lower<'_> {
    /// Whether somebody uses the value of an assignment.
    pub(in crate::c) fn wanted(&self, e: &Expr) -> bool {
        !self.unused[e.id]
    }

    pub(in crate::c) fn assign(&mut self, place: &Place, value: &Expr, e: &Expr) -> Val {
        let wanted = self.wanted(e);
        self.check_writable(place, e.span);
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
        if !super::order::place_first(value) {
            let t = self.term(value);
            let t = self.freeze(t, value.span);
            let at = self.place(place);
            return self.store(&at, Val::int(t), wanted, e.span);
        }
        let mut at = self.place(place);
        self.protect_place(&mut at, value);
        let v = self.expr(value);
        self.store(&at, v, wanted, e.span)
    }

    /// `x = f()` with a plain variable: the call writes it.
    pub(in crate::c) fn assign_call(&mut self, place: &Place, value: &Expr, span: Span) -> bool {
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
    pub(in crate::c) fn store(
        &mut self,
        at: &super::place::At,
        v: Val,
        wanted: bool,
        span: Span,
    ) -> Val {
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
    pub(in crate::c) fn value_before(&mut self, t: TermId, span: Span) -> TermId {
        if self.pool.as_constant(t).is_some() {
            t
        } else {
            let interval = self.ranges.of(self.pool, t);
            let frozen = self.freeze(t, span);
            self.ranges.set(frozen, interval);
            frozen
        }
    }

    pub(in crate::c) fn compound(
        &mut self,
        op: BinaryOp,
        place: &Place,
        value: &Expr,
        compute: TypeId,
        e: &Expr,
    ) -> Val {
        let wanted = self.wanted(e);
        self.check_writable(place, e.span);
        let mut v = self.term(value);
        if self.place_has_effects(place) {
            v = self.freeze(v, value.span);
        }
        let at = self.place(place);
        let old = self.read(&at);
        let old = self.settle(old, e.span);
        let (declared, wide) = (self.scalar(at.ty), self.scalar(compute));
        let a = self.convert(old, declared, wide, e.span);
        let new = if wide.is_float() {
            self.float_binary(op, a, v, wide)
        } else {
            self.number_compound(op, e, value, (a, v), wide)
        };
        let new = self.convert_back(new, wide, declared, e.span);
        self.store(&at, new, wanted, e.span)
    }

    /// A settled value of one scalar type as another.
    pub(in crate::c) fn convert(
        &mut self,
        t: TermId,
        from: Scalar,
        to: Scalar,
        span: Span,
    ) -> TermId {
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

    pub(in crate::c) fn convert_back(
        &mut self,
        v: Val,
        from: Scalar,
        to: Scalar,
        span: Span,
    ) -> Val {
        if from == to {
            return v;
        }
        let t = self.settle(v, span);
        Val::int(self.convert(t, from, to, span))
    }

    pub(in crate::c) fn inc_dec(
        &mut self,
        place: &Place,
        decrement: bool,
        prefix: bool,
        compute: TypeId,
        size: Option<&SizeOf>,
        e: &Expr,
    ) -> Val {
        let wanted = self.wanted(e);
        self.check_writable(place, e.span);
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
}
