//! Expressions: one case per form, each giving a value, a place or a function.

use super::super::hir::{self, Expr, ExprKind, Place, PlaceKind, UnaryOp};
use super::super::types::{ArrayLen, IntKind, Type, TypeId};
use super::literal::{self, Number};
use super::{Binding, Operand, Sema};
use crate::c::syntax::ast::{self, Designator, ExprKind as A, Unary};
use crate::c::syntax::lexer::Symbol;
use program::Span;

impl Sema<'_, '_> {
    /// The value of an expression.
    pub(super) fn value(&mut self, e: &ast::Expr) -> Expr {
        let operand = self.expr(e);
        self.value_of(operand)
    }

    /// A scalar condition.
    pub(super) fn condition(&mut self, e: &ast::Expr) -> Expr {
        let value = self.value(e);
        if self.complex_part(value.ty).is_some() {
            let span = value.span;
            return self.complex_truth(value, span);
        }
        self.check_scalar(value)
    }

    pub(super) fn check_scalar(&mut self, value: Expr) -> Expr {
        if self.types().is_scalar(value.ty) || self.types().is_error(value.ty) {
            return value;
        }
        let (span, shown) = (value.span, self.show(value.ty));
        self.error(span, format!("a scalar is needed here, not `{shown}`"));
        self.error_expr(span)
    }

    pub(super) fn expr(&mut self, e: &ast::Expr) -> Operand {
        let span = self.span(e.at);
        match &e.kind {
            A::Name(name) => self.name(*name, span),
            A::Number => Operand::Value(self.number(e.at, span)),
            A::Char => Operand::Value(self.character(e.at, span)),
            A::Strings(count) => Operand::Place(self.string(e.at, *count, span)),
            A::Unary(op, operand) => self.unary(*op, operand, span),
            A::Binary(op, both) => Operand::Value(self.binary(*op, &both.0, &both.1, span)),
            A::Assign(both) => Operand::Value(self.assign(&both.0, &both.1, span)),
            A::CompoundAssign(op, both) => {
                Operand::Value(self.compound_assign(*op, &both.0, &both.1, span))
            }
            A::IncDec {
                decrement,
                prefix,
                operand,
            } => Operand::Value(self.inc_dec(*decrement, *prefix, operand, span)),
            A::Conditional(parts) => {
                Operand::Value(self.conditional(&parts.0, parts.1.as_ref(), &parts.2, span))
            }
            A::Comma(both) => Operand::Value(self.comma(&both.0, &both.1, span)),
            A::Index(both) => self.index(&both.0, &both.1, span),
            A::Call(call) => Operand::Value(self.call(&call.0, &call.1, span)),
            A::Member(base, name) => self.member(base, *name, span),
            A::Arrow(base, name) => self.arrow(base, *name, span),
            A::Cast(parts) => Operand::Value(self.explicit_cast(&parts.0, &parts.1, span)),
            A::CompoundLiteral(parts) => self.compound_literal(&parts.0, &parts.1, span),
            A::SizeofExpr(operand) => {
                let ty = self.type_of(operand);
                Operand::Value(self.size_of(ty, span))
            }
            A::SizeofType(name) => Operand::Value(self.with_pending(|s| {
                let ty = s.type_name(name);
                s.size_of(ty, span)
            })),
            A::AlignofExpr(operand) => {
                if let Some(align) = self.alignment_of_name(operand) {
                    let size_t = self.types().size_t_kind();
                    return Operand::Value(self.int_expr(i128::from(align), size_t, span));
                }
                let ty = self.type_of(operand);
                Operand::Value(self.align_of(ty, span))
            }
            A::AlignofType(name) => {
                let ty = self.type_name(name);
                if name.declarator.parts.is_empty()
                    && let Some(align) = self.typedef_alignment(&name.specs)
                {
                    let size_t = self.types().size_t_kind();
                    return Operand::Value(self.int_expr(i128::from(align), size_t, span));
                }
                Operand::Value(self.align_of(ty, span))
            }
            A::StmtExpr(block) => Operand::Value(self.stmt_expr(block, span)),
            A::LabelAddress(name) => Operand::Value(self.label_address(*name, e.at, span)),
            A::VaArg(parts) => Operand::Value(self.va_arg(&parts.0, &parts.1, span)),
            A::Offsetof(parts) => Operand::Value(self.offsetof(&parts.0, &parts.1, span)),
            A::TypesCompatible(both) => {
                let (a, b) = (self.type_name(&both.0), self.type_name(&both.1));
                let alike = match (self.pointed_type(&both.0), self.pointed_type(&both.1)) {
                    (Some(a), Some(b)) => a == b,
                    _ => true,
                };
                let same = i128::from(alike && self.compatible(a, b, 0));
                Operand::Value(self.int_expr(same, IntKind::Int, span))
            }
            A::ConvertVector(parts) => {
                let value = self.value(&parts.0);
                let ty = self.type_name(&parts.1);
                Operand::Value(self.convert_elements(value, ty, span))
            }
            A::ChooseExpr(parts) => match self.constant(&parts.0, "the condition") {
                Some(0) => self.expr(&parts.2),
                _ => self.expr(&parts.1),
            },
            A::Generic(parts) => self.generic(&parts.0, &parts.1, span),
            A::Quantifier(q) => Operand::Value(self.quantifier(q, span)),
        }
    }

    // ------------------------------------------------------------ primaries

    fn name(&mut self, name: Symbol, span: Span) -> Operand {
        match self.ordinary.get(name) {
            Some(Binding::Local(local)) => {
                if self
                    .func
                    .as_ref()
                    .is_some_and(|f| f.id != self.unit.locals[local].function)
                {
                    self.capture(local, span);
                }
                Operand::Place(Place {
                    kind: PlaceKind::Local(local),
                    ty: self.unit.locals[local].ty,
                    span,
                })
            }
            Some(Binding::Global(global)) => Operand::Place(Place {
                kind: PlaceKind::Global(global),
                ty: self.declared_global(global),
                span,
            }),
            Some(Binding::Func(f)) => self.function_operand(f, span),
            Some(Binding::EnumConstant(value, ty)) => {
                Operand::Value(Expr::new(ExprKind::Int(value), ty, span))
            }
            Some(Binding::Typedef(_)) => {
                let text = self.text(name);
                self.error(span, format!("`{text}` is a type, not a value"));
                Operand::Value(self.error_expr(span))
            }
            None => {
                let text = self.text(name);
                if let Some(operand) = self.function_name(text, span) {
                    return operand;
                }
                // A length in a prototype may name parameters, which are no objects there.
                if self.in_prototype {
                    return Operand::Value(self.error_expr(span));
                }
                // Reported once per name.
                if self.warned.insert(name) {
                    self.error(span, format!("`{text}` is not declared"));
                } else if !self.failed() {
                    self.error(span, format!("`{text}` is not declared here"));
                }
                Operand::Value(self.error_expr(span))
            }
        }
    }

    pub(super) fn function_operand(&mut self, f: hir::FuncId, span: Span) -> Operand {
        let ty = self.unit.functions[f].ty;
        Operand::Function(Expr::new(
            ExprKind::FunctionAddress(f),
            self.unit.types.pointer(ty),
            span,
        ))
    }

    /// `__func__` and its spellings.
    fn function_name(&mut self, text: &str, span: Span) -> Option<Operand> {
        if !matches!(text, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            return None;
        }
        let func = self.func.as_ref()?;
        let known = func.name_string;
        let id = match known {
            Some(id) => id,
            None => {
                let name = self.unit.functions[func.id].source_name.clone();
                let units: Vec<u32> = name.bytes().map(u32::from).chain([0]).collect();
                let id = self.new_string(units, IntKind::Char, span);
                if let Some(func) = &mut self.func {
                    func.name_string = Some(id);
                }
                id
            }
        };
        Some(Operand::Place(Place {
            kind: PlaceKind::String(id),
            ty: self.unit.strings[id].ty,
            span,
        }))
    }

    fn number(&mut self, at: ast::At, span: Span) -> Expr {
        let model = self.types().model;
        match literal::number(self.token_text(at), model) {
            Ok(number) => self.literal_expr(number, span),
            Err(message) => {
                self.error(span, message);
                self.error_expr(span)
            }
        }
    }

    fn literal_expr(&mut self, number: Number, span: Span) -> Expr {
        match number {
            Number::Int(value, kind) => self.int_expr(value, kind, span),
            Number::Float(bits, kind) => {
                Expr::new(ExprKind::Float(bits), self.unit.types.float(kind), span)
            }
            Number::Imaginary(part) => {
                let im = self.literal_expr(*part, span);
                let zero = self.int_expr(0, IntKind::Int, span);
                self.complex_of(im.ty, zero, im, span)
            }
        }
    }

    fn character(&mut self, at: ast::At, span: Span) -> Expr {
        let model = self.types().model;
        match literal::character(self.token_text(at), model) {
            Ok((value, kind)) => self.int_expr(value, kind, span),
            Err(message) => {
                self.error(span, message);
                self.error_expr(span)
            }
        }
    }

    /// Decoded elements (with the zero) and element kind of adjacent literals.
    pub(super) fn string_units(&self, at: ast::At, count: u32) -> (IntKind, Vec<u32>) {
        let pieces = (at..at + count).map(|i| self.token_text(i));
        let (encoding, mut units) = literal::string(pieces);
        units.push(0);
        (encoding.element(self.types().model), units)
    }

    pub(super) fn string(&mut self, at: ast::At, count: u32, span: Span) -> Place {
        let (element, units) = self.string_units(at, count);
        let id = self.new_string(units, element, span);
        Place {
            kind: PlaceKind::String(id),
            ty: self.unit.strings[id].ty,
            span,
        }
    }

    pub(super) fn new_string(
        &mut self,
        units: Vec<u32>,
        element: IntKind,
        span: Span,
    ) -> hir::StringId {
        let element = self.unit.types.int(element);
        let ty = self.unit.types.array(element, units.len() as u64);
        self.unit
            .strings
            .push(hir::StringLiteral { units, ty, span })
    }

    // ------------------------------------------------------------ unary

    fn unary(&mut self, op: Unary, operand: &ast::Expr, span: Span) -> Operand {
        match op {
            Unary::AddressOf => {
                let operand = self.expr(operand);
                Operand::Value(self.address_of(operand, span))
            }
            Unary::Deref => {
                let pointer = self.value(operand);
                self.deref(pointer, span)
            }
            Unary::Plus | Unary::Neg | Unary::BitNot | Unary::Not => {
                let value = self.value(operand);
                Operand::Value(self.unary_value(op, value, span))
            }
            Unary::Real | Unary::Imag => {
                let operand = self.expr(operand);
                self.complex_component(op == Unary::Imag, operand)
            }
        }
    }

    pub(super) fn unary_value(&mut self, op: Unary, value: Expr, span: Span) -> Expr {
        if self.types().is_error(value.ty) {
            return value;
        }
        if self.complex_part(value.ty).is_some() {
            return self.complex_unary(op, value, span);
        }
        if self.vector_parts(value.ty).is_some() {
            return self.vector_unary(op, value, span);
        }
        let ok = match op {
            Unary::Not => self.types().is_scalar(value.ty),
            Unary::BitNot => self.types().is_integer(value.ty),
            _ => self.types().is_arithmetic(value.ty),
        };
        if !ok {
            let shown = self.show(value.ty);
            self.error(span, format!("this operator does not apply to `{shown}`"));
            return self.error_expr(span);
        }
        let (op, value, ty) = match op {
            Unary::Plus => return self.promote(value),
            Unary::Not => (UnaryOp::Not, value, self.int_type()),
            Unary::Neg | Unary::BitNot => {
                let mut value = self.promote(value);
                if self.exact > 0 && op == Unary::Neg && self.types().is_integer(value.ty) {
                    let wide = self.unit.types.int(IntKind::Int128);
                    value = self.cast(value, wide, span);
                }
                let ty = value.ty;
                let op = if op == Unary::Neg {
                    UnaryOp::Neg
                } else {
                    UnaryOp::BitNot
                };
                (op, value, ty)
            }
            _ => return value,
        };
        let folded = match value.kind {
            ExprKind::Int(v) if op == UnaryOp::Not => Some(ExprKind::Int(i128::from(v == 0))),
            ExprKind::Int(v) => self.fold_unary(op, v, ty).map(ExprKind::Int),
            ExprKind::Float(bits) if op == UnaryOp::Neg => match *self.types().get(ty) {
                Type::Float(kind) => Some(ExprKind::Float(bits ^ (1 << (kind.bits() - 1)))),
                _ => None,
            },
            _ => None,
        };
        let narrow = self.wide_field(&value).filter(|_| op != UnaryOp::Not);
        let kind = folded.unwrap_or_else(|| ExprKind::Unary(op, Box::new(value)));
        let result = Expr::new(kind, ty, span);
        self.narrowed_if(result, narrow)
    }

    pub(super) fn address_of(&mut self, operand: Operand, span: Span) -> Expr {
        match operand {
            Operand::Function(e) => e,
            Operand::Place(place) => {
                if self.place_bit_field(&place).is_some() {
                    self.error(span, "a bit-field has no address");
                    return self.error_expr(span);
                }
                let ty = place.ty;
                let mut e = self.address_as(place, ty);
                e.span = span;
                e
            }
            Operand::Value(e) => {
                if !self.types().is_error(e.ty) {
                    self.error(span, "only an object has an address, this is a value");
                }
                self.error_expr(span)
            }
        }
    }

    pub(super) fn deref(&mut self, pointer: Expr, span: Span) -> Operand {
        let Some(ty) = self.types().pointee(pointer.ty) else {
            if !self.types().is_error(pointer.ty) {
                let shown = self.show(pointer.ty);
                self.error(span, format!("`*` needs a pointer, not `{shown}`"));
            }
            return Operand::Value(self.error_expr(span));
        };
        if matches!(self.types().get(ty), Type::Function(_)) {
            return Operand::Function(pointer);
        }
        // `*&x` is `x`.
        if let ExprKind::AddressOf(place) = pointer.kind {
            if place.ty == ty {
                return Operand::Place(*place);
            }
            return Operand::Place(Place {
                kind: PlaceKind::Deref(Box::new(Expr {
                    kind: ExprKind::AddressOf(place),
                    ..pointer
                })),
                ty,
                span,
            });
        }
        Operand::Place(Place {
            kind: PlaceKind::Deref(Box::new(pointer)),
            ty,
            span,
        })
    }

    fn va_arg(&mut self, list: &ast::Expr, name: &ast::TypeName, span: Span) -> Expr {
        let ty = self.type_name(name);
        match self.expr(list) {
            Operand::Place(place) => Expr::new(ExprKind::VaArg(Box::new(place)), ty, span),
            Operand::Value(e) | Operand::Function(e) => {
                if !self.types().is_error(e.ty) {
                    self.error(span, "`va_arg` needs a `va_list` object");
                }
                self.error_expr(span)
            }
        }
    }

    fn offsetof(&mut self, name: &ast::TypeName, path: &[Designator], span: Span) -> Expr {
        let start = self.type_name(name);
        let mut ty = start;
        let mut offset = 0i128;
        let mut moving = Vec::new();
        for step in path {
            let next = match step {
                Designator::Field(_, member) => {
                    let found = self
                        .types()
                        .record(ty)
                        .and_then(|r| self.types().find_field(r, self.names.name(*member)));
                    found.map(|path| {
                        for (record, field) in path {
                            let field = &self.types().records[record].fields[field as usize];
                            offset += i128::from(field.offset);
                            ty = field.ty;
                        }
                    })
                }
                Designator::Index(e) => {
                    let index = self.value(e);
                    match (self.types().element(ty), self.evaluate(&index)) {
                        (Some(element), Some(index)) => {
                            let size = self.types().size_of(element).unwrap_or(0);
                            offset = offset.saturating_add(index.saturating_mul(i128::from(size)));
                            ty = element;
                            Some(())
                        }
                        // gcc takes any integer here.
                        (Some(element), None) if self.types().is_integer(index.ty) => {
                            moving.push((index, self.types().size_of(element).unwrap_or(0)));
                            ty = element;
                            Some(())
                        }
                        _ => None,
                    }
                }
                Designator::Range(..) => None,
            };
            if next.is_none() {
                if !self.types().is_error(ty) {
                    let shown = self.show(ty);
                    self.error(span, format!("no such member in `{shown}`"));
                }
                return self.error_expr(span);
            }
        }
        let kind = self.types().size_t_kind();
        let mut sum = self.int_expr(offset, kind, span);
        for (index, size) in moving {
            let ty = sum.ty;
            let index = self.cast(index, ty, span);
            let size = self.int_expr(i128::from(size), kind, span);
            let by = ExprKind::Binary(hir::BinaryOp::Mul, Box::new(index), Box::new(size));
            let by = Expr::new(by, ty, span);
            let both = ExprKind::Binary(hir::BinaryOp::Add, Box::new(sum), Box::new(by));
            sum = Expr::new(both, ty, span);
        }
        sum
    }

    fn generic(
        &mut self,
        control: &ast::Expr,
        choices: &[(Option<ast::TypeName>, ast::Expr)],
        span: Span,
    ) -> Operand {
        let pointed = self.pointed_by(control);
        let control = self.value(control).ty;
        let is_pointer = self.types().is_pointer(control);
        let (mut default, mut maybe) = (None, Vec::new());
        for (name, e) in choices {
            match name {
                None => default = Some(e),
                Some(name) => {
                    let ty = self.type_name(name);
                    let exact = matches!(
                        (self.types().get(ty), self.types().get(control)),
                        (Type::Int(a), Type::Int(b)) if a != b
                    );
                    if exact || !self.compatible(ty, control, 0) {
                        continue;
                    }
                    match (pointed, self.pointed_type(name)) {
                        _ if !is_pointer => return self.expr(e),
                        (Some(a), Some(b)) if a == b => return self.expr(e),
                        (Some(_), Some(_)) => {}
                        _ => maybe.push(e),
                    }
                }
            }
        }
        if maybe.len() > 1 {
            let message = "which association of `_Generic` fits depends on qualifiers that are not known here";
            self.error(span, message);
        }
        match maybe.first().copied().or(default) {
            Some(e) => self.expr(e),
            None => {
                let shown = self.show(control);
                self.error(span, format!("no association of `_Generic` fits `{shown}`"));
                Operand::Value(self.error_expr(span))
            }
        }
    }

    /// Is the type an array whose length is not yet known?
    pub(super) fn is_incomplete_array(&self, ty: TypeId) -> bool {
        matches!(self.types().get(ty), Type::Array(_, ArrayLen::Incomplete))
    }
}
