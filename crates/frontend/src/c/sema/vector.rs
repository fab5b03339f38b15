//! GNU vectors (`vector_size`): operators work element by element, in the type of the elements.
//!
//! A scalar operand stands for a vector of copies of it. Comparisons give vectors of integers of the
//! same width, 0 or -1. A cast to another vector type of the same size keeps the bytes.

use super::super::hir::{BinaryOp, CastKind, Expr, ExprKind, PlaceKind};
use super::super::types::{IntKind, Type, TypeId};
use super::parts::Held;
use super::{Operand, Sema};
use crate::c::syntax::ast::{self, Unary};
use program::Span;

impl Sema<'_, '_> {
    /// The elements of an operand, all of one type.
    fn elements(&mut self, e: Expr, element: TypeId, n: u64, held: &mut Held) -> Vec<Expr> {
        if self.vector_parts(e.ty).is_some() {
            return self.take_apart(e, held);
        }
        let span = e.span;
        let e = self.cast(e, element, span);
        let e = self.hold(e, held);
        vec![e; n as usize]
    }

    /// The vector of integers that a comparison gives.
    fn mask_type(&mut self, element: TypeId, n: u64) -> TypeId {
        let kind = match self.types().size_of(element) {
            Some(1) => IntKind::SChar,
            Some(2) => IntKind::Short,
            Some(4) => IntKind::Int,
            Some(8) => IntKind::Long,
            _ => IntKind::Int128,
        };
        let kind = match kind {
            IntKind::Long if kind.size(self.types().model) == 4 => IntKind::LongLong,
            kind => kind,
        };
        let element = self.unit.types.int(kind);
        self.unit.types.intern(Type::Vector(element, n))
    }

    pub(super) fn vector_binary(
        &mut self,
        op: BinaryOp,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Expr {
        let ty = match self.vector_parts(left.ty) {
            Some(_) => left.ty,
            None => right.ty,
        };
        let Some((element, n)) = self.vector_parts(ty) else {
            return self.error_expr(span);
        };
        let fits = |s: &Self, e: &Expr| match s.vector_parts(e.ty) {
            Some((other, m)) => m == n && s.types().size_of(other) == s.types().size_of(element),
            None => s.is_real(e.ty),
        };
        if !fits(self, &left) || !fits(self, &right) {
            let (l, r) = (self.show(left.ty), self.show(right.ty));
            let message = format!("this operator does not apply to `{l}` and `{r}`");
            self.error(span, message);
            return self.error_expr(span);
        }
        let mut held = Held::new();
        let ls = self.elements(left, element, n, &mut held);
        let rs = self.elements(right, element, n, &mut held);
        let mut parts = Vec::new();
        for (l, r) in ls.into_iter().zip(rs) {
            let part = self.binary_values(op, l, r, span);
            parts.push(match op.is_comparison() {
                true => self.unary_value(Unary::Neg, part, span),
                false => part,
            });
        }
        let ty = match op.is_comparison() {
            true => self.mask_type(element, n),
            false => ty,
        };
        let value = self.put_together(ty, parts, span);
        self.after_held(held, value)
    }

    pub(super) fn vector_unary(&mut self, op: Unary, value: Expr, span: Span) -> Expr {
        if op == Unary::Plus {
            return value;
        }
        if op == Unary::Not {
            let zero = self.int_expr(0, IntKind::Int, span);
            return self.vector_binary(BinaryOp::Eq, value, zero, span);
        }
        let ty = value.ty;
        let mut held = Held::new();
        let elements = self.take_apart(value, &mut held);
        let parts = elements.into_iter();
        let parts = parts.map(|e| self.unary_value(op, e, span)).collect();
        let value = self.put_together(ty, parts, span);
        self.after_held(held, value)
    }

    /// `__builtin_convertvector`.
    pub(super) fn convert_elements(&mut self, value: Expr, ty: TypeId, span: Span) -> Expr {
        let (from, to) = (self.vector_parts(value.ty), self.vector_parts(ty));
        let (Some((_, n)), Some((element, m))) = (from, to) else {
            self.error(
                span,
                "`__builtin_convertvector` converts a vector to a vector type",
            );
            return self.error_expr(span);
        };
        if n != m {
            self.error(span, "the vector types have different lengths");
            return self.error_expr(span);
        }
        let mut held = Held::new();
        let parts = self.take_apart(value, &mut held).into_iter();
        let parts = parts.map(|e| self.cast(e, element, span)).collect();
        let value = self.put_together(ty, parts, span);
        self.after_held(held, value)
    }

    /// The same bytes as another type.
    pub(super) fn reinterpreted(&mut self, e: Expr, ty: TypeId, span: Span) -> Expr {
        let mut held = Held::new();
        let place = self.hold_in_local(e, &mut held);
        let address = self.address_of(Operand::Place(place), span);
        let pointer = self.unit.types.pointer(ty);
        let kind = ExprKind::Cast(CastKind::PointerToPointer, Box::new(address));
        let pointer = Expr::new(kind, pointer, span);
        let operand = self.deref(pointer, span);
        let value = self.value_of(operand);
        self.after_held(held, value)
    }

    /// Vectors, and scalars beside them, of the same size.
    pub(super) fn same_bytes(&self, a: TypeId, b: TypeId) -> bool {
        let vector = self.vector_parts(a).is_some() || self.vector_parts(b).is_some();
        let fits = |ty| self.vector_parts(ty).is_some() || self.types().is_integer(ty);
        vector && fits(a) && fits(b) && self.types().size_of(a) == self.types().size_of(b)
    }

    /// An element of a vector that is no object.
    pub(super) fn vector_index(&mut self, vector: Expr, index: Expr, span: Span) -> Operand {
        let Some((ty, _)) = self.vector_parts(vector.ty) else {
            return Operand::Value(self.error_expr(span));
        };
        let mut held = Held::new();
        let base = Box::new(self.hold_in_local(vector, &mut held));
        let index = Box::new(index);
        let kind = PlaceKind::Index { base, index };
        let element = self.load(super::Place { kind, ty, span });
        Operand::Value(self.after_held(held, element))
    }

    /// `__builtin_shuffle(v, mask)`, `__builtin_shuffle(v, w, mask)`,
    /// `__builtin_shufflevector(v, w, i, …)`.
    pub(super) fn shuffle(&mut self, plain: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let constant = plain == "shufflevector";
        if !constant && plain != "shuffle" {
            return None;
        }
        let values: Vec<Expr> = args.iter().map(|a| self.value(a)).collect();
        let first = values.first()?;
        let (element, n) = self.vector_parts(first.ty)?;
        let ty = first.ty;
        let mut held = Held::new();
        let mut values = values.into_iter();
        let mut sources = vec![self.hold_in_local(values.next()?, &mut held)];
        if constant || args.len() == 3 {
            sources.push(self.hold_in_local(values.next()?, &mut held));
        }
        let indices: Vec<Expr> = match constant {
            true => values.collect(),
            false => {
                let mask = values.next()?;
                self.vector_parts(mask.ty)?;
                self.take_apart(mask, &mut held)
            }
        };
        let total = i128::from(n) * sources.len() as i128;
        let size_t = self.unit.types.size_t();
        let mut parts = Vec::new();
        for index in indices {
            // -1 in a constant shuffle leaves the element open: gcc takes the first.
            let last = self.int_expr(total - 1, self.types().size_t_kind(), span);
            let index = self.cast(index, size_t, span);
            let index = self.binary_values(BinaryOp::BitAnd, index, last, span);
            let mut chosen = None;
            for (k, source) in sources.iter().enumerate().rev() {
                let start = self.int_expr(i128::from(n) * k as i128, IntKind::Int, span);
                let inside = self.binary_values(BinaryOp::Sub, index.clone(), start.clone(), span);
                let kind = PlaceKind::Index {
                    base: Box::new(source.clone()),
                    index: Box::new(inside),
                };
                let place = super::Place {
                    kind,
                    ty: element,
                    span,
                };
                let then = self.load(place);
                chosen = Some(match chosen {
                    None => then,
                    Some(els) => {
                        let end = self.int_expr(i128::from(n), IntKind::Int, span);
                        let cond = self.binary_values(BinaryOp::Lt, index.clone(), end, span);
                        self.choose(cond, then, els, span)
                    }
                });
            }
            parts.push(chosen?);
        }
        let ty = match parts.len() as u64 == n {
            true => ty,
            false => {
                let count = parts.len() as u64;
                self.unit.types.intern(Type::Vector(element, count))
            }
        };
        let value = self.put_together(ty, parts, span);
        Some(self.after_held(held, value))
    }

    /// `cond ? then : els` of one type.
    pub(super) fn choose(&mut self, cond: Expr, then: Expr, els: Expr, span: Span) -> Expr {
        let ty = then.ty;
        match cond.as_int() {
            Some(0) => els,
            Some(_) => then,
            None => {
                let (cond, then, els) = (Box::new(cond), Box::new(then), Box::new(els));
                Expr::new(ExprKind::Conditional { cond, then, els }, ty, span)
            }
        }
    }
}
