//! Folding of operators on integer constants, and integer constant expressions (6.6).
//!
//! Undefined operations (signed overflow, division by zero, bad shifts) are never folded: they
//! stay in the tree for the lowering to judge.

use super::super::hir::{BinaryOp, Expr, ExprKind, UnaryOp};
use super::super::types::{IntKind, Type, TypeId};
use super::Sema;
use crate::c::syntax::ast;
use program::interp::float::pattern::{self, Arithmetic};
use std::cmp::Ordering;

impl Sema<'_, '_> {
    /// The value of an integer constant expression; reports what is none.
    pub(super) fn constant(&mut self, e: &ast::Expr, what: &str) -> Option<i128> {
        let value = self.value(e);
        if let Some(v) = self.evaluate(&value) {
            return Some(v);
        }
        if !self.types().is_error(value.ty) {
            let span = self.span(e.at);
            self.error(span, format!("{what} is not an integer constant"));
        }
        None
    }

    /// The value of a constant tree that was not folded because of a shift C leaves undefined but
    /// gcc does not (`1 << 31`, `-1 << 4`). Other undefined operations have no value.
    pub(super) fn evaluate(&self, e: &Expr) -> Option<i128> {
        let model = self.types().model;
        match &e.kind {
            ExprKind::Int(v) => Some(*v),
            ExprKind::Unary(op, a) => self.fold_unary(*op, self.evaluate(a)?, e.ty),
            ExprKind::Cast(_, a) if self.types().is_integer(a.ty) => {
                let kind = self.types().int_kind(e.ty)?;
                Some(kind.convert(self.evaluate(a)?, model))
            }
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.evaluate(a)?, self.evaluate(b)?);
                let kind = self.types().int_kind(a.ty)?;
                let bits = i128::from(kind.bits(model));
                if *op == BinaryOp::Shl && (0..bits).contains(&y) && bits <= 64 {
                    return Some(kind.convert(x << y, model));
                }
                self.fold_binary(*op, x, y, kind)
            }
            ExprKind::LogicalAnd(a, b) => {
                let truth = self.evaluate(a)? != 0 && self.evaluate(b)? != 0;
                Some(i128::from(truth))
            }
            ExprKind::LogicalOr(a, b) => {
                let truth = self.evaluate(a)? != 0 || self.evaluate(b)? != 0;
                Some(i128::from(truth))
            }
            ExprKind::Conditional { cond, then, els } => {
                let chosen = if self.evaluate(cond)? != 0 { then } else { els };
                self.evaluate(chosen)
            }
            _ => None,
        }
    }

    /// Folds `op` on a constant of type `ty` (already promoted).
    pub(super) fn fold_unary(&self, op: UnaryOp, value: i128, ty: TypeId) -> Option<i128> {
        let kind = self.types().int_kind(ty)?;
        match op {
            UnaryOp::Not => Some(i128::from(value == 0)),
            UnaryOp::Neg => self.in_range(value.checked_neg()?, kind),
            UnaryOp::BitNot => self.in_range(!value, kind),
        }
    }

    /// Folds a binary operator; both operands have integer kind `kind`, for shifts the left one.
    pub(super) fn fold_binary(
        &self,
        op: BinaryOp,
        left: i128,
        right: i128,
        kind: IntKind,
    ) -> Option<i128> {
        use BinaryOp::*;
        if kind == IntKind::UInt128 && (left < 0 || right < 0) {
            return None;
        }
        let truth = |b: bool| Some(i128::from(b));
        let value = match op {
            Add => left.checked_add(right)?,
            Sub => left.checked_sub(right)?,
            Mul => left.checked_mul(right)?,
            Div => left.checked_div(right)?,
            Rem => {
                // `INT_MIN % -1` overflows like the division.
                self.in_range(left.checked_div(right)?, kind)?;
                left.checked_rem(right)?
            }
            BitAnd => left & right,
            BitOr => left | right,
            BitXor => left ^ right,
            Shl | Shr => {
                let bits = i128::from(kind.bits(self.types().model));
                if right < 0 || right >= bits || (op == Shl && kind.is_signed() && left < 0) {
                    return None;
                }
                if op == Shr {
                    left >> right
                } else if bits == 128 {
                    left.checked_mul(1i128.checked_shl(right as u32)?)?
                } else {
                    left.checked_mul(1 << right)
                        .or_else(|| (!kind.is_signed()).then_some(left << right))?
                }
            }
            Lt => return truth(left < right),
            Le => return truth(left <= right),
            Gt => return truth(left > right),
            Ge => return truth(left >= right),
            Eq => return truth(left == right),
            Ne => return truth(left != right),
        };
        self.in_range(value, kind)
    }

    /// Folds an operator on two floating constants of one type.
    pub(super) fn fold_float(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<ExprKind> {
        use BinaryOp::*;
        let (ExprKind::Float(l), ExprKind::Float(r)) = (&left.kind, &right.kind) else {
            return None;
        };
        let Type::Float(kind) = *self.types().get(left.ty) else {
            return None;
        };
        let width = kind.width();
        let order = pattern::compare(width, *l, *r);
        let operation = match op {
            Add => Arithmetic::Add,
            Sub => Arithmetic::Sub,
            Mul => Arithmetic::Mul,
            Div => Arithmetic::Div,
            _ => {
                let truth = match op {
                    Lt => order == Some(Ordering::Less),
                    Gt => order == Some(Ordering::Greater),
                    Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
                    Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
                    Eq => order == Some(Ordering::Equal),
                    Ne => order != Some(Ordering::Equal),
                    _ => return None,
                };
                return Some(ExprKind::Int(i128::from(truth)));
            }
        };
        let bits = pattern::arithmetic(operation, width, *l, *r);
        Some(ExprKind::Float(bits))
    }

    /// Unsigned wraps; a signed value out of range is undefined.
    fn in_range(&self, value: i128, kind: IntKind) -> Option<i128> {
        let model = self.types().model;
        let converted = kind.convert(value, model);
        if kind == IntKind::UInt128 && value < 0 {
            return None;
        }
        (converted == value || !kind.is_signed()).then_some(converted)
    }

    /// The truth of a constant condition.
    pub(super) fn truth(&self, kind: &ExprKind) -> Option<bool> {
        match *kind {
            ExprKind::Int(v) => Some(v != 0),
            _ => None,
        }
    }

    pub(super) fn static_assert(&mut self, assert: &ast::StaticAssert) {
        let holds = self.constant(&assert.cond, "the asserted condition");
        if holds == Some(0) {
            let message = match assert.message {
                Some(at) => format!("static assertion failed: {}", self.token_text(at)),
                None => "static assertion failed".into(),
            };
            let span = self.span(assert.at);
            self.error(span, message);
        }
    }
}
