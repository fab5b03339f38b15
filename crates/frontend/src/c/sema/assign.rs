//! Assignment, compound assignment, increment and decrement.

use super::super::hir::{BinaryOp, Expr, ExprKind, Place};
use super::super::types::{IntKind, Type, TypeId};
use super::operator::operator;
use super::parts::Held;
use super::{Operand, Sema};
use crate::c::syntax::ast::{self, Binary};
use program::Span;

impl Sema<'_, '_> {
    /// The operand as something to store to.
    fn assignable(&mut self, operand: Operand, span: Span) -> Option<Place> {
        match operand {
            Operand::Place(place) => {
                let bad = matches!(
                    self.types().get(place.ty),
                    Type::Array(..) | Type::Function(_) | Type::Void
                );
                if bad {
                    let shown = self.show(place.ty);
                    self.error(span, format!("cannot assign to `{shown}`"));
                    return None;
                }
                (!self.types().is_error(place.ty)).then_some(place)
            }
            Operand::Value(e) | Operand::Function(e) => {
                if !self.types().is_error(e.ty) {
                    self.error(span, "cannot assign to a value, only to an object");
                }
                None
            }
        }
    }

    pub(super) fn assign(&mut self, left: &ast::Expr, right: &ast::Expr, span: Span) -> Expr {
        let left = self.expr(left);
        let left = match left {
            Operand::Place(to) if self.variable_records.contains_key(&to.ty) => {
                let from = self.expr(right);
                return self.assign_variable(to, from, span);
            }
            other => other,
        };
        let value = self.value(right);
        let Some(place) = self.assignable(left, span) else {
            return self.error_expr(span);
        };
        let ty = place.ty;
        let value = self.assign_convert(value, ty, "assignment");
        Expr::new(
            ExprKind::Assign {
                place: Box::new(place),
                value: Box::new(value),
            },
            ty,
            span,
        )
    }

    pub(super) fn compound_assign(
        &mut self,
        op: Binary,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Expr {
        let left = self.expr(left);
        let value = self.value(right);
        let (Some(place), Some(op)) = (self.assignable(left, span), operator(op)) else {
            return self.error_expr(span);
        };
        if self.types().is_error(value.ty) {
            return value;
        }
        let ty = place.ty;
        let additive = matches!(op, BinaryOp::Add | BinaryOp::Sub);
        if self.types().is_pointer(ty) && additive && self.types().is_integer(value.ty) {
            let size = self.element_size(ty, span);
            return Expr::new(
                ExprKind::PointerAssign {
                    place: Box::new(place),
                    index: Box::new(value),
                    subtract: op == BinaryOp::Sub,
                    size,
                },
                ty,
                span,
            );
        }
        if self.has_parts(ty) || self.has_parts(value.ty) {
            let compute = |s: &mut Self, old| s.binary_values(op, old, value, span);
            return self.update(place, false, span, compute);
        }
        // Type the operation on a load of the place, then keep only its computation type.
        let load = Expr::new(ExprKind::Load(Box::new(place)), ty, span);
        let to_bool = self.types().int_kind(ty) == Some(IntKind::Bool);
        let width_shows = to_bool || matches!(op, BinaryOp::Div | BinaryOp::Rem);
        if width_shows
            && !op.is_shift()
            && let Some(field) = self.narrow_common(&load, &value)
        {
            let ExprKind::Load(place) = load.kind else {
                return self.error_expr(span);
            };
            return self.update_in_width(op, *place, value, field, span);
        }
        let typed = match self.operation_type(op, &load, &value, span) {
            Some(compute) => compute,
            None => return self.error_expr(span),
        };
        let value_span = value.span;
        let value = if op.is_shift() {
            self.promote(value)
        } else {
            self.cast(value, typed, value_span)
        };
        let ExprKind::Load(place) = load.kind else {
            return self.error_expr(span);
        };
        Expr::new(
            ExprKind::CompoundAssign {
                op,
                place,
                value: Box::new(value),
                compute: typed,
            },
            ty,
            span,
        )
    }

    /// `place op= value` in the width of a bit-field wider than int, for divisions and for places of type `_Bool`. In all
    /// others the wider type leaves the same in the lowest bits.
    fn update_in_width(
        &mut self,
        op: BinaryOp,
        place: Place,
        value: Expr,
        field: (u32, bool),
        span: Span,
    ) -> Expr {
        let load = Expr::new(ExprKind::Load(Box::new(place.clone())), place.ty, span);
        let common = self.common_type(&load, &value);
        let mut held = Held::new();
        let value = self.cast(value, common, span);
        let value = self.narrowed(value, field);
        let value = self.hold(value, &mut held);
        let compute = |s: &mut Self, old| {
            let old = s.cast(old, common, span);
            let old = s.narrowed(old, field);
            let ty = old.ty;
            let kind = ExprKind::Binary(op, Box::new(old), Box::new(value));
            s.narrowed(Expr::new(kind, ty, span), field)
        };
        let result = self.update(place, false, span, compute);
        self.after_held(held, result)
    }

    fn operation_type(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Option<TypeId> {
        use BinaryOp::*;
        let types = self.types();
        let integers = types.is_integer(left.ty) && types.is_integer(right.ty);
        let numbers = (types.is_integer(left.ty) || types.is_float(left.ty))
            && (types.is_integer(right.ty) || types.is_float(right.ty));
        let ok = match op {
            Rem | Shl | Shr | BitAnd | BitOr | BitXor => integers,
            _ => numbers,
        };
        if !ok {
            let (l, r) = (self.show(left.ty), self.show(right.ty));
            self.error(
                span,
                format!("this operator does not apply to `{l}` and `{r}`"),
            );
            return None;
        }
        if op.is_shift() {
            let kind = self.types().int_kind(left.ty)?;
            let kind = self.promote_kind(kind, self.bit_field(left));
            return Some(self.unit.types.int(kind));
        }
        Some(self.common_type(left, right))
    }

    pub(super) fn inc_dec(
        &mut self,
        decrement: bool,
        prefix: bool,
        operand: &ast::Expr,
        span: Span,
    ) -> Expr {
        let operand = self.expr(operand);
        let Some(place) = self.assignable(operand, span) else {
            return self.error_expr(span);
        };
        let ty = place.ty;
        if self.has_parts(ty) {
            let op = match decrement {
                true => BinaryOp::Sub,
                false => BinaryOp::Add,
            };
            let one = self.int_expr(1, IntKind::Int, span);
            let add = |s: &mut Self, old| s.binary_values(op, old, one, span);
            return self.update(place, !prefix, span, add);
        }
        let (compute, size) = if self.types().is_pointer(ty) {
            (ty, Some(self.element_size(ty, span)))
        } else if self.types().is_arithmetic(ty) {
            let one = self.int_expr(1, IntKind::Int, span);
            let load = Expr::new(ExprKind::Load(Box::new(place.clone())), ty, span);
            (self.common_type(&load, &one), None)
        } else {
            let shown = self.show(ty);
            self.error(span, format!("this operator does not apply to `{shown}`"));
            return self.error_expr(span);
        };
        Expr::new(
            ExprKind::IncDec {
                place: Box::new(place),
                decrement,
                prefix,
                compute,
                size,
            },
            ty,
            span,
        )
    }
}
