//! Records with members of variable length (GNU C, inside functions).
//!
//! ```text
//! struct { char h; int a[n]; short t; } s;    →    char s[size];    at_a = 4; at_t = at_a + 4 * n; size = …
//! s.t                                         →    *(short *)(s + at_t)
//! ```
//! The type is an array of bytes whose length is computed where the record is defined; a table keeps where the
//! members are. Such an object has an address, members and a size, and can be copied to another; elsewhere, as a
//! value, it is refused.

use super::super::hir::{
    BinaryOp, Expr, ExprKind, LocalId, LocalKind, Place, PlaceKind, SizeOf, Stmt, StmtKind,
};
use super::super::types::{ArrayLen, IntKind, Type, TypeId};
use super::{Operand, Sema};
use crate::c::syntax::ast::Qualifiers;
use crate::c::types::layout::{Member, RecordAttributes};
use program::Span;

/// Where a member is.
#[derive(Clone, Copy, Debug)]
enum Offset {
    Known(u64),
    /// Bytes in a local.
    Kept(LocalId),
}

pub(super) struct VariableRecord {
    members: Vec<(Option<String>, TypeId, Offset)>,
    pub align: u64,
}

impl Sema<'_, '_> {
    /// The type of a record some of whose members have a variable length.
    pub(super) fn variable_record(
        &mut self,
        members: Vec<Member>,
        attributes: RecordAttributes,
        span: Span,
    ) -> TypeId {
        if members
            .iter()
            .any(|m| m.width.is_some() || m.name.is_none())
        {
            let message =
                "bit-fields and unnamed members beside one of variable length are not supported";
            self.error(span, message);
            return self.error_type();
        }
        let (mut at, mut most) = (Offset::Known(0), attributes.align.unwrap_or(1));
        let mut placed = Vec::new();
        for m in members {
            let own = match attributes.packed || m.packed {
                true => 1,
                false => self.types().member_align(m.ty),
            };
            let align = own.min(attributes.max_align.unwrap_or(own));
            let align = align.max(m.align.unwrap_or(1));
            most = most.max(align);
            at = self.rounded_offset(at, align, span);
            placed.push((m.name, m.ty, at));
            at = self.offset_after(at, m.ty, span);
        }
        at = self.rounded_offset(at, most, span);
        let length = match at {
            Offset::Kept(local) => local,
            Offset::Known(n) => {
                let n = self.int_expr(i128::from(n), IntKind::ULong, span);
                self.kept_offset(n, span)
            }
        };
        let char = self.unit.types.int(IntKind::Char);
        let ty = Type::Array(char, ArrayLen::Variable(length));
        let ty = self.unit.types.intern(ty);
        let record = VariableRecord {
            members: placed,
            align: most,
        };
        self.variable_records.insert(ty, record);
        ty
    }

    fn offset_expr(&mut self, at: Offset, span: Span) -> Expr {
        let size_t = self.unit.types.size_t();
        match at {
            Offset::Known(n) => Expr::new(ExprKind::Int(i128::from(n)), size_t, span),
            Offset::Kept(local) => {
                let kind = PlaceKind::Local(local);
                let place = Place {
                    kind,
                    ty: size_t,
                    span,
                };
                Expr::new(ExprKind::Load(Box::new(place)), size_t, span)
            }
        }
    }

    fn kept_offset(&mut self, value: Expr, span: Span) -> LocalId {
        let size_t = self.unit.types.size_t();
        let value = self.cast(value, size_t, span);
        let quals = Qualifiers::default();
        let local = self.new_local("", size_t, span, LocalKind::VlaLength, quals);
        let init = Some(self.scalar_init(value));
        let kind = StmtKind::Decl { local, init };
        self.pending.push(Stmt { kind, span });
        local
    }

    fn size_arithmetic(&mut self, op: BinaryOp, left: Expr, n: u64, span: Span) -> Expr {
        let ty = left.ty;
        let right = Expr::new(ExprKind::Int(i128::from(n)), ty, span);
        let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
        Expr::new(kind, ty, span)
    }

    fn rounded_offset(&mut self, at: Offset, align: u64, span: Span) -> Offset {
        match at {
            Offset::Known(n) => Offset::Known(n.next_multiple_of(align)),
            Offset::Kept(_) if align == 1 => at,
            Offset::Kept(_) => {
                let e = self.offset_expr(at, span);
                let e = self.size_arithmetic(BinaryOp::Add, e, align - 1, span);
                let e = self.size_arithmetic(BinaryOp::Div, e, align, span);
                let e = self.size_arithmetic(BinaryOp::Mul, e, align, span);
                Offset::Kept(self.kept_offset(e, span))
            }
        }
    }

    fn offset_after(&mut self, at: Offset, ty: TypeId, span: Span) -> Offset {
        if let (Offset::Known(n), Some(size)) = (at, self.types().size_of(ty)) {
            return Offset::Known(n + size);
        }
        let (left, right) = (self.offset_expr(at, span), self.size_of(ty, span));
        let kind = ExprKind::Binary(BinaryOp::Add, Box::new(left), Box::new(right));
        let size_t = self.unit.types.size_t();
        Offset::Kept(self.kept_offset(Expr::new(kind, size_t, span), span))
    }

    /// The member of an object of such a type; `None` if the type is another.
    pub(super) fn variable_member(
        &mut self,
        base: &Place,
        name: &str,
        span: Span,
    ) -> Option<Operand> {
        let record = self.variable_records.get(&base.ty)?;
        let found = record.members.iter().find(|m| m.0.as_deref() == Some(name));
        let Some(&(_, ty, at)) = found else {
            self.error(span, format!("the record has no member `{name}`"));
            return Some(Operand::Value(self.error_expr(span)));
        };
        let char = self.unit.types.int(IntKind::Char);
        let pointer = Box::new(self.address_as(base.clone(), char));
        let index = Box::new(self.offset_expr(at, span));
        let kind = ExprKind::PointerOffset {
            pointer,
            index,
            subtract: false,
            size: Box::new(SizeOf {
                factor: 1,
                lengths: Vec::new(),
            }),
        };
        let bytes = self.unit.types.pointer(char);
        let pointer = Expr::new(kind, bytes, span);
        let to = self.unit.types.pointer(ty);
        let pointer = Box::new(self.cast(pointer, to, span));
        let kind = PlaceKind::Deref(pointer);
        Some(Operand::Place(Place { kind, ty, span }))
    }

    /// `a = b`, both objects of such a type.
    pub(super) fn assign_variable(&mut self, to: Place, from: Operand, span: Span) -> Expr {
        let from = match from {
            Operand::Place(place) if place.ty == to.ty => place,
            _ => {
                let message =
                    "a record with members of variable length is copied from another only";
                self.error(span, message);
                return self.error_expr(span);
            }
        };
        let size = self.size_of(to.ty, span);
        let char = self.unit.types.int(IntKind::Char);
        let args = vec![self.address_as(to, char), self.address_as(from, char), size];
        let (name, void) = ("__builtin_memmove".to_string(), self.unit.types.void());
        Expr::new(ExprKind::Intrinsic { name, args }, void, span)
    }
}
