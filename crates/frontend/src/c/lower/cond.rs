//! Conditions: C scalars in Boolean context stay Boolean, and control flow replaces them where
//! operands have effects.

use super::super::hir::{BinaryOp, CastKind, Expr, ExprKind, UnaryOp};
use super::Lower;
use super::expr::Val;
use super::scalar::scalar_of;
use logic::TermId;
use program::{LocId, Span};

impl Lower<'_> {
    /// Whether the value is non-zero.
    pub(in crate::c) fn truth(&mut self, v: Val, span: Span) -> TermId {
        if v.boolean {
            return v.term;
        }
        let t = self.settle(v, span);
        // A stored condition read back.
        if let logic::Op::Ite = self.pool.op(t) {
            let [c, a, b] = *self.pool.args(t) else {
                unreachable!("ite has three arguments")
            };
            let number = |p: &logic::Pool, t| p.as_number(t).map(|n| !n.is_zero());
            if let (Some(a), Some(b)) = (number(self.pool, a), number(self.pool, b)) {
                let (a, b) = (self.pool.bool_const(a), self.pool.bool_const(b));
                return self.pool.ite(c, a, b);
            }
        }
        let zero = self.pool.int(0);
        let is_zero = self.pool.eq(t, zero);
        self.pool.not(is_zero)
    }

    /// Whether the expression is non-zero; evaluates it here.
    pub(in crate::c) fn cond(&mut self, e: &Expr) -> TermId {
        let v = self.expr(e);
        if scalar_of(&self.unit.types, e.ty).is_some_and(|s| s.is_float()) && !v.boolean {
            return self.float_truth(v.term, e.ty);
        }
        self.truth(v, e.span)
    }

    /// From here to `yes` if the expression is non-zero, else to `no`.
    pub(in crate::c) fn branch_on(&mut self, e: &Expr, yes: LocId, no: LocId, span: Span) {
        match &e.kind {
            ExprKind::Unary(UnaryOp::Not, a) => self.branch_on(a, no, yes, span),
            ExprKind::LogicalAnd(a, b) if self.has_effects(b) => {
                let middle = self.b.new_loc(b.span);
                self.branch_on(a, middle, no, span);
                self.b.at = middle;
                self.branch_on(b, yes, no, span);
            }
            ExprKind::LogicalOr(a, b) if self.has_effects(b) => {
                let middle = self.b.new_loc(b.span);
                self.branch_on(a, yes, middle, span);
                self.b.at = middle;
                self.branch_on(b, yes, no, span);
            }
            ExprKind::Cast(CastKind::IntToInt | CastKind::ToBool, a)
                if is_logical(a) && self.has_effects(a) =>
            {
                self.branch_on(a, yes, no, span);
            }
            ExprKind::Binary(op @ (BinaryOp::Ne | BinaryOp::Eq), a, b)
                if b.as_int() == Some(0) && is_logical(strip_casts(a)) && self.has_effects(a) =>
            {
                if *op == BinaryOp::Ne {
                    self.branch_on(strip_casts(a), yes, no, span);
                } else {
                    self.branch_on(strip_casts(a), no, yes, span);
                }
            }
            ExprKind::Comma(a, b) => {
                self.discard(a);
                self.branch_on(b, yes, no, span);
            }
            _ => {
                let c = self.cond(e);
                self.b.branch_to(self.pool, c, yes, no, span);
                self.b.at = self.b.new_loc(span);
            }
        }
    }
}

fn is_logical(e: &Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) | ExprKind::Unary(UnaryOp::Not, _)
    )
}

/// Looks through integer conversions; 0 and 1 survive them.
fn strip_casts(e: &Expr) -> &Expr {
    let mut e = e;
    while let ExprKind::Cast(CastKind::IntToInt, a) = &e.kind {
        e = a;
    }
    e
}
