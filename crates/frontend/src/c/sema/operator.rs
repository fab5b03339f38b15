//! Binary operators, assignment, increment, conditional, comma.

use super::super::hir::{BinaryOp, Expr, ExprKind, SizeOf};
use super::super::types::{IntKind, TypeId};
use super::Sema;
use crate::c::syntax::ast::{self, Binary};
use program::Span;

pub(super) fn operator(op: Binary) -> Option<BinaryOp> {
    Some(match op {
        Binary::Mul => BinaryOp::Mul,
        Binary::Div => BinaryOp::Div,
        Binary::Rem => BinaryOp::Rem,
        Binary::Add => BinaryOp::Add,
        Binary::Sub => BinaryOp::Sub,
        Binary::Shl => BinaryOp::Shl,
        Binary::Shr => BinaryOp::Shr,
        Binary::Lt => BinaryOp::Lt,
        Binary::Le => BinaryOp::Le,
        Binary::Gt => BinaryOp::Gt,
        Binary::Ge => BinaryOp::Ge,
        Binary::Eq => BinaryOp::Eq,
        Binary::Ne => BinaryOp::Ne,
        Binary::BitAnd => BinaryOp::BitAnd,
        Binary::BitXor => BinaryOp::BitXor,
        Binary::BitOr => BinaryOp::BitOr,
        Binary::And | Binary::Or => return None,
    })
}

impl Sema<'_, '_> {
    pub(super) fn binary(
        &mut self,
        op: Binary,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Expr {
        let Some(op) = operator(op) else {
            return self.logical(op == Binary::And, left, right, span);
        };
        let left = self.value(left);
        let right = self.value(right);
        self.binary_values(op, left, right, span)
    }

    pub(super) fn binary_values(
        &mut self,
        op: BinaryOp,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Expr {
        let types = self.types();
        if types.is_error(left.ty) || types.is_error(right.ty) {
            return self.error_expr(span);
        }
        if self.vector_parts(left.ty).is_some() || self.vector_parts(right.ty).is_some() {
            return self.vector_binary(op, left, right, span);
        }
        if self.complex_part(left.ty).is_some() || self.complex_part(right.ty).is_some() {
            return self.complex_binary(op, left, right, span);
        }
        let types = self.types();
        let (lp, rp) = (types.is_pointer(left.ty), types.is_pointer(right.ty));
        let (li, ri) = (types.is_integer(left.ty), types.is_integer(right.ty));
        match op {
            BinaryOp::Add if lp && ri => return self.pointer_offset(left, right, false, span),
            BinaryOp::Add if li && rp => return self.pointer_offset(right, left, false, span),
            BinaryOp::Sub if lp && ri => return self.pointer_offset(left, right, true, span),
            BinaryOp::Sub if lp && rp => return self.pointer_difference(left, right, span),
            _ if op.is_comparison() && (lp && (rp || ri) || rp && li) => {
                return self.pointer_comparison(op, left, right, span);
            }
            _ => {}
        }
        if let Some(e) = self.record_comparison(op, &left, &right, span) {
            return e;
        }
        let types = self.types();
        use BinaryOp::*;
        let fits = |ty: TypeId| match op {
            Rem | Shl | Shr | BitAnd | BitOr | BitXor => types.is_integer(ty),
            _ => types.is_integer(ty) || types.is_float(ty),
        };
        if !fits(left.ty) || !fits(right.ty) {
            let (l, r) = (self.show(left.ty), self.show(right.ty));
            self.error(
                span,
                format!("this operator does not apply to `{l}` and `{r}`"),
            );
            return self.error_expr(span);
        }
        let narrow = match op.is_shift() {
            true => self.wide_field(&left),
            false => self.narrow_common(&left, &right),
        };
        let (mut left, mut right) = if op.is_shift() {
            (self.promote(left), self.promote(right))
        } else {
            let ty = self.common_type(&left, &right);
            let (ls, rs) = (left.span, right.span);
            (self.cast(left, ty, ls), self.cast(right, ty, rs))
        };
        if let Some(field) = narrow.filter(|_| !op.is_shift()) {
            (left, right) = (self.narrowed(left, field), self.narrowed(right, field));
        }
        let ty = if op.is_comparison() {
            self.int_type()
        } else {
            left.ty
        };
        if let (ExprKind::Int(l), ExprKind::Int(r)) = (&left.kind, &right.kind)
            && let Some(kind) = self.types().int_kind(left.ty)
            && let Some(value) = self.fold_binary(op, *l, *r, kind)
        {
            let kind = ExprKind::Int(value);
            return Expr::new(kind, ty, span);
        }
        if let Some(kind) = self.fold_float(op, &left, &right) {
            return Expr::new(kind, ty, span);
        }
        let result = Expr::new(
            ExprKind::Binary(op, Box::new(left), Box::new(right)),
            ty,
            span,
        );
        self.narrowed_if(result, narrow.filter(|_| !op.is_comparison()))
    }

    pub(super) fn element_size(&mut self, pointer: TypeId, span: Span) -> Box<SizeOf> {
        let pointee = self.types().pointee(pointer);
        if let Some(size) = pointee.and_then(|t| self.size_form(t)) {
            return Box::new(size);
        }
        let shown = self.show(pointer);
        self.error(
            span,
            format!("arithmetic on `{shown}`, which points to an incomplete type"),
        );
        Box::new(SizeOf {
            factor: 1,
            lengths: Vec::new(),
        })
    }

    pub(super) fn pointer_offset(
        &mut self,
        pointer: Expr,
        index: Expr,
        subtract: bool,
        span: Span,
    ) -> Expr {
        let ty = pointer.ty;
        let size = self.element_size(ty, span);
        if index.as_int() == Some(0) {
            return pointer;
        }
        if let (Some(p), Some(i), true) =
            (pointer.as_int(), index.as_int(), size.lengths.is_empty())
            && let Some(bytes) = i.checked_mul(i128::from(size.factor))
        {
            let sum = if subtract { p - bytes } else { p + bytes };
            let kind = ExprKind::Int(self.pointer_value(sum));
            return Expr::new(kind, ty, span);
        }
        Expr::new(
            ExprKind::PointerOffset {
                pointer: Box::new(pointer),
                index: Box::new(index),
                subtract,
                size,
            },
            ty,
            span,
        )
    }

    fn pointer_difference(&mut self, left: Expr, right: Expr, span: Span) -> Expr {
        let size = self.element_size(left.ty, span);
        let kind = self.types().ptrdiff_kind();
        let ty = self.unit.types.int(kind);
        if let (Some(l), Some(r), true) = (left.as_int(), right.as_int(), size.lengths.is_empty())
            && size.factor > 0
        {
            return self.int_expr((l - r) / i128::from(size.factor), kind, span);
        }
        Expr::new(
            ExprKind::PointerDifference {
                left: Box::new(left),
                right: Box::new(right),
                size,
            },
            ty,
            span,
        )
    }

    /// Pointers of different types, or a pointer and an integer, meet in the first one's type.
    fn pointer_comparison(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
        let lp = self.types().is_pointer(left.ty);
        let ty = if lp { left.ty } else { right.ty };
        let (ls, rs) = (left.span, right.span);
        let left = self.cast(left, ty, ls);
        let right = self.cast(right, ty, rs);
        let int = self.int_type();
        if let (Some(l), Some(r)) = (left.as_int(), right.as_int())
            && let Some(value) = self.fold_binary(op, l, r, self.types().size_t_kind())
        {
            let kind = ExprKind::Int(value);
            return Expr::new(kind, int, span);
        }
        Expr::new(
            ExprKind::Binary(op, Box::new(left), Box::new(right)),
            int,
            span,
        )
    }

    fn logical(&mut self, and: bool, left: &ast::Expr, right: &ast::Expr, span: Span) -> Expr {
        let left = self.condition(left);
        let labels = self.label_definitions;
        let right = self.condition(right);
        let labels = self.label_definitions != labels;
        let ty = self.int_type();
        if self.types().is_error(left.ty) || self.types().is_error(right.ty) {
            return self.error_expr(span);
        }
        let folded = match (self.truth(&left.kind), self.truth(&right.kind)) {
            (Some(false), _) if and => Some(false),
            (Some(true), _) if !and => Some(true),
            (Some(_), Some(r)) => Some(r),
            _ => None,
        };
        if let Some(value) = folded
            && !labels
        {
            return self.int_expr(i128::from(value), IntKind::Int, span);
        }
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = if and {
            ExprKind::LogicalAnd(left, right)
        } else {
            ExprKind::LogicalOr(left, right)
        };
        Expr::new(kind, ty, span)
    }

    // ------------------------------------------------------------ conditional and comma

    pub(super) fn conditional(
        &mut self,
        cond: &ast::Expr,
        then: Option<&ast::Expr>,
        els: &ast::Expr,
        span: Span,
    ) -> Expr {
        let cond = self.condition(cond);
        let labels = self.label_definitions;
        let then = then.map(|e| self.value(e));
        let els = self.value(els);
        // A jump may lead into a branch that is never chosen.
        let labels = self.label_definitions != labels;
        let Some(ty) = self.branch_type(then.as_ref().unwrap_or(&cond), &els, span) else {
            return self.error_expr(span);
        };
        let narrow = self.narrow_common(then.as_ref().unwrap_or(&cond), &els);
        let els_span = els.span;
        let els = self.cast(els, ty, els_span);
        let els = self.narrowed_if(els, narrow);
        let ty = els.ty;
        let Some(then) = then else {
            let kind = match self.truth(&cond.kind) {
                Some(false) => return els,
                Some(true) if !labels => return self.cast(cond, ty, span),
                _ => ExprKind::Elvis {
                    cond: Box::new(cond),
                    els: Box::new(els),
                },
            };
            return Expr::new(kind, ty, span);
        };
        let then_span = then.span;
        let then = self.cast(then, ty, then_span);
        let then = self.narrowed_if(then, narrow);
        match self.truth(&cond.kind) {
            Some(true) if !labels => then,
            Some(false) if !labels => els,
            _ => {
                let kind = ExprKind::Conditional {
                    cond: Box::new(cond),
                    then: Box::new(then),
                    els: Box::new(els),
                };
                self.narrowed_if(Expr::new(kind, ty, span), narrow)
            }
        }
    }

    /// The type of `c ? then : els` (6.5.15).
    fn branch_type(&mut self, then: &Expr, els: &Expr, span: Span) -> Option<TypeId> {
        let types = self.types();
        if types.is_error(then.ty) || types.is_error(els.ty) {
            return None;
        }
        if types.is_arithmetic(then.ty) && types.is_arithmetic(els.ty) {
            return Some(self.common_type(then, els));
        }
        if self.both_numbers(then.ty, els.ty) {
            let part = self.complex_common(then, els);
            return Some(self.unit.types.complex(part));
        }
        if types.is_void(then.ty) || types.is_void(els.ty) {
            return Some(self.unit.types.void());
        }
        let (tp, ep) = (types.is_pointer(then.ty), types.is_pointer(els.ty));
        if tp && ep {
            let null = |e: &Expr| self.is_null_constant(e);
            let void = |t: TypeId| types.pointee(t).is_some_and(|p| types.is_void(p));
            return Some(if null(then) && !null(els) {
                els.ty
            } else if null(els) {
                then.ty
            } else if void(els.ty) {
                els.ty
            } else {
                then.ty
            });
        }
        if tp && types.is_integer(els.ty) {
            return Some(then.ty);
        }
        if ep && types.is_integer(then.ty) {
            return Some(els.ty);
        }
        if self.compatible(then.ty, els.ty, 0) {
            return Some(then.ty);
        }
        let (l, r) = (self.show(then.ty), self.show(els.ty));
        self.error(span, format!("the branches have types `{l}` and `{r}`"));
        None
    }

    pub(super) fn comma(&mut self, left: &ast::Expr, right: &ast::Expr, span: Span) -> Expr {
        let left = self.value(left);
        let right = self.value(right);
        if self.types().is_error(right.ty) {
            return right;
        }
        let ty = right.ty;
        Expr::new(ExprKind::Comma(Box::new(left), Box::new(right)), ty, span)
    }
}
