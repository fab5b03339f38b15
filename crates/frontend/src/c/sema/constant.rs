//! Folding of operators on integer constants, and integer constant expressions (6.6).
//!
//! Undefined operations (signed overflow, division by zero, bad shifts) are never folded: they
//! stay in the tree for the lowering to judge.

use super::super::ast;
use super::super::hir::{BinaryOp, ExprKind, UnaryOp};
use super::super::types::{IntKind, TypeId};
use super::Sema;

impl Sema<'_, '_> {
    /// The value of an integer constant expression; reports what is none.
    pub(super) fn constant(&mut self, e: &ast::Expr, what: &str) -> Option<i128> {
        let value = self.value(e);
        if let Some(v) = value.as_int() {
            return Some(v);
        }
        if !self.types().is_error(value.ty) {
            let span = self.span(e.at);
            self.error(span, format!("{what} is not an integer constant"));
        }
        None
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
