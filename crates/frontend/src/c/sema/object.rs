//! Parts of objects (elements, members), sizes, explicit casts, compound literals.

use super::super::hir::{self, CastKind, Expr, ExprKind, LocalKind, Place, PlaceKind};
use super::super::types::{RecordId, Type, TypeId};
use super::{Binding, Operand, Sema};
use crate::c::syntax::ast;
use crate::c::syntax::lexer::Symbol;
use program::Span;

impl Sema<'_, '_> {
    pub(super) fn index(&mut self, left: &ast::Expr, right: &ast::Expr, span: Span) -> Operand {
        let l = self.expr(left);
        let r = self.expr(right);
        // `2[a]` is `a[2]`.
        let swapped = self.operand_is_integer(&l) && !self.operand_is_integer(&r);
        let (base, index) = if swapped { (r, l) } else { (l, r) };
        let index = self.value_of(index);
        if !self.types().is_integer(index.ty) {
            if !self.types().is_error(index.ty) {
                self.error(span, "an index must be an integer");
            }
            return Operand::Value(self.error_expr(span));
        }
        if let Operand::Place(place) = base {
            let element = match *self.types().get(place.ty) {
                Type::Array(element, _) | Type::Vector(element, _) => Some(element),
                _ => None,
            };
            if let Some(ty) = element {
                return Operand::Place(Place {
                    kind: PlaceKind::Index {
                        base: Box::new(place),
                        index: Box::new(index),
                    },
                    ty,
                    span,
                });
            }
            let pointer = self.load(place);
            return self.pointer_index(pointer, index, span);
        }
        let pointer = self.value_of(base);
        if self.vector_parts(pointer.ty).is_some() {
            return self.vector_index(pointer, index, span);
        }
        self.pointer_index(pointer, index, span)
    }

    fn operand_is_integer(&self, operand: &Operand) -> bool {
        let ty = match operand {
            Operand::Value(e) | Operand::Function(e) => e.ty,
            Operand::Place(p) => p.ty,
        };
        self.types().is_integer(ty)
    }

    fn pointer_index(&mut self, pointer: Expr, index: Expr, span: Span) -> Operand {
        if !self.types().is_pointer(pointer.ty) {
            if !self.types().is_error(pointer.ty) {
                let shown = self.show(pointer.ty);
                self.error(
                    span,
                    format!("`[]` needs an array or pointer, not `{shown}`"),
                );
            }
            return Operand::Value(self.error_expr(span));
        }
        let address = self.pointer_offset(pointer, index, false, span);
        self.deref(address, span)
    }

    pub(super) fn member(&mut self, base: &ast::Expr, name: Symbol, span: Span) -> Operand {
        let base = match self.expr(base) {
            Operand::Place(place) => place,
            // An object, so that its elements can be found by number.
            Operand::Value(e) if self.func.is_some() && self.has_elements(e.ty) => {
                let (ty, span) = (e.ty, e.span);
                let init = self.scalar_init(e);
                self.literal_object(ty, init, span)
            }
            Operand::Value(e) | Operand::Function(e) => Place {
                ty: e.ty,
                span: e.span,
                kind: PlaceKind::Temporary(Box::new(e)),
            },
        };
        self.member_of(base, name, span)
    }

    /// Is there an array in it?
    fn has_elements(&self, ty: TypeId) -> bool {
        let types = self.types();
        match types.record(ty) {
            Some(r) => {
                let mut fields = types.records[r].fields.iter();
                fields.any(|f| self.has_elements(f.ty))
            }
            None => types.element(ty).is_some(),
        }
    }

    pub(super) fn arrow(&mut self, base: &ast::Expr, name: Symbol, span: Span) -> Operand {
        let pointer = self.value(base);
        if self.types().is_error(pointer.ty) {
            return Operand::Value(pointer);
        }
        match self.deref(pointer, span) {
            Operand::Place(place) => self.member_of(place, name, span),
            other => other,
        }
    }

    fn member_of(&mut self, base: Place, name: Symbol, span: Span) -> Operand {
        if let Some(member) = self.variable_member(&base, self.text(name), span) {
            return member;
        }
        let Some(record) = self.types().record(base.ty) else {
            if !self.types().is_error(base.ty) {
                let (shown, text) = (self.show(base.ty), self.text(name));
                self.error(span, format!("`{shown}` has no member `{text}`"));
            }
            return Operand::Value(self.error_expr(span));
        };
        let text = self.text(name);
        let Some(path) = self.types().find_field(record, text) else {
            let shown = self.show(base.ty);
            let message = if self.types().records[record].complete {
                format!("`{shown}` has no member `{text}`")
            } else {
                format!("`{shown}` is not complete here, its members are unknown")
            };
            self.error(span, message);
            return Operand::Value(self.error_expr(span));
        };
        let mut place = base;
        for (record, field) in path {
            place = self.field_place(place, record, field, span);
        }
        Operand::Place(place)
    }

    fn field_place(&self, base: Place, record: RecordId, field: u32, span: Span) -> Place {
        Place {
            ty: self.types().records[record].fields[field as usize].ty,
            kind: PlaceKind::Field {
                base: Box::new(base),
                record,
                field,
            },
            span,
        }
    }

    pub(super) fn size_of(&mut self, ty: TypeId, span: Span) -> Expr {
        let size_t = self.types().size_t_kind();
        let Some(size) = self.size_form(ty) else {
            let shown = self.show(ty);
            self.error(
                span,
                format!("`{shown}` is incomplete, its size is unknown"),
            );
            return self.error_expr(span);
        };
        let mut e = self.int_expr(i128::from(size.factor), size_t, span);
        for local in size.lengths {
            let ty = e.ty;
            let length = Expr::new(
                ExprKind::Load(Box::new(Place {
                    kind: PlaceKind::Local(local),
                    ty,
                    span,
                })),
                ty,
                span,
            );
            let kind = ExprKind::Binary(hir::BinaryOp::Mul, Box::new(e), Box::new(length));
            e = Expr::new(kind, ty, span);
        }
        e
    }

    /// The alignment that the declaration of what is named asked for.
    pub(super) fn alignment_of_name(&self, e: &ast::Expr) -> Option<u64> {
        let ast::ExprKind::Name(name) = &e.kind else {
            return None;
        };
        let asked = &self.unit.alignments;
        match self.ordinary.get(*name)? {
            Binding::Func(f) => asked.functions.get(&f).copied(),
            Binding::Global(g) => {
                let asked = asked.globals.contains_key(&g);
                asked.then(|| self.unit.align_of_global(g))
            }
            Binding::Local(l) => {
                let asked = asked.locals.contains_key(&l);
                asked.then(|| self.unit.align_of_local(l))
            }
            _ => None,
        }
    }

    pub(super) fn align_of(&mut self, ty: TypeId, span: Span) -> Expr {
        let variable = self.variable_records.get(&ty).map(|r| r.align);
        let align = i128::from(variable.unwrap_or_else(|| self.types().align_of(ty)));
        let size_t = self.types().size_t_kind();
        self.int_expr(align, size_t, span)
    }

    pub(super) fn explicit_cast(
        &mut self,
        name: &ast::TypeName,
        operand: &ast::Expr,
        span: Span,
    ) -> Expr {
        self.with_pending(|s| {
            let ty = s.type_name(name);
            let value = s.value(operand);
            s.checked_cast(value, ty, span)
        })
    }

    pub(super) fn checked_cast(&mut self, value: Expr, ty: TypeId, span: Span) -> Expr {
        let types = self.types();
        if types.is_error(value.ty) || types.is_error(ty) {
            return self.error_expr(span);
        }
        if value.ty == ty && self.bit_field(&value).is_some() {
            // A value of the whole type, which is not promoted as the bit-field would be.
            return Expr::new(
                ExprKind::Cast(CastKind::IntToInt, Box::new(value)),
                ty,
                span,
            );
        }
        let float_pointer = types.is_float(value.ty) && types.is_pointer(ty)
            || types.is_pointer(value.ty) && types.is_float(ty);
        let scalars = types.is_scalar(value.ty) && types.is_scalar(ty) && !float_pointer;
        if scalars || types.is_void(ty) || value.ty == ty || self.compatible(value.ty, ty, 0) {
            return self.cast(value, ty, span);
        }
        if self.both_numbers(value.ty, ty) {
            return self.cast(value, ty, span);
        }
        if self.same_bytes(value.ty, ty) {
            return self.reinterpreted(value, ty, span);
        }
        if self.types().record(ty).is_some()
            && let Some(union) = self.union_of(&value, ty, span)
        {
            return union;
        }
        let (from, to) = (self.show(value.ty), self.show(ty));
        self.error(span, format!("cannot cast `{from}` to `{to}`"));
        self.error_expr(span)
    }

    pub(super) fn compound_literal(
        &mut self,
        name: &ast::TypeName,
        init: &ast::Initializer,
        span: Span,
    ) -> Operand {
        let ty = self.type_name(name);
        let (ty, init) = self.initializer(ty, init, span);
        if self.types().size_of(ty).is_none() {
            if !self.types().is_error(ty) {
                self.error(span, "a compound literal needs a complete type");
            }
            return Operand::Value(self.error_expr(span));
        }
        Operand::Place(self.literal_object(ty, init, span))
    }

    /// The object of a compound literal.
    pub(super) fn literal_object(&mut self, ty: TypeId, init: hir::Init, span: Span) -> Place {
        let kind = if self.func.is_some() {
            let quals = ast::Qualifiers::default();
            let local = self.new_local("", ty, span, LocalKind::CompoundLiteral, quals);
            PlaceKind::CompoundLiteral { local, init }
        } else {
            let init = self.static_initializer(init);
            let global = self.unit.globals.push(hir::Global {
                name: String::new(),
                source_name: None,
                ty,
                span,
                linkage: hir::Linkage::Internal,
                defined: true,
                init: Some(init),
                is_const: false,
                is_volatile: false,
                thread_local: false,
                function: None,
            });
            PlaceKind::Global(global)
        };
        Place { kind, ty, span }
    }
}
