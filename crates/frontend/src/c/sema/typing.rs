//! Specifiers and declarators to types; records and enums.

use super::super::hir::{self, ExprKind, LocalKind};
use super::super::types::{ArrayLen, FloatKind, FunctionType, IntKind, Type, TypeId};
use super::{Binding, Sema};
use crate::c::syntax::ast::*;
use crate::c::syntax::lexer::Symbol;

/// Operators of vectors are expanded, so these are small.
const MOST_ELEMENTS: u64 = 1024;

impl Sema<'_, '_> {
    pub(super) fn type_name(&mut self, name: &TypeName) -> TypeId {
        let base = self.specifiers(&name.specs);
        self.declared_type(base, &name.declarator)
    }

    /// The type the specifiers name.
    pub(super) fn specifiers(&mut self, specs: &Specifiers) -> TypeId {
        let ty = match &specs.ty {
            TypeSpec::Implicit | TypeSpec::Auto => self.int_type(),
            TypeSpec::Builtin(b) => self.builtin_type(*b, specs.at),
            TypeSpec::Record(r) => self.record_type(r),
            TypeSpec::Enum(e) => self.enum_type(e),
            TypeSpec::Typedef(name) => match self.ordinary.get(*name) {
                Some(Binding::Typedef(ty)) => ty,
                _ => {
                    let span = self.span(specs.at);
                    let text = self.text(*name);
                    self.error(span, format!("`{text}` is not a type here"));
                    self.error_type()
                }
            },
            TypeSpec::TypeofExpr(e) => self.type_of(e),
            TypeSpec::TypeofType(t) => self.type_name(t),
            TypeSpec::Error => self.error_type(),
        };
        self.attributed(ty, &specs.attributes)
    }

    /// Reports attributes that change meaning and are not modelled.
    pub(super) fn refuse(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            if let Attribute::Refused(at) = attribute {
                let (span, text) = (self.span(*at), self.token_text(*at));
                self.error(span, format!("the attribute `{text}` is not supported"));
            }
        }
    }

    /// Applies `mode` and `vector_size`.
    pub(super) fn attributed(&mut self, ty: TypeId, attributes: &[Attribute]) -> TypeId {
        self.refuse(attributes);
        let mut ty = ty;
        for attribute in attributes {
            match attribute {
                Attribute::Mode(mode) => ty = self.with_mode(ty, *mode),
                Attribute::VectorSize(size) => ty = self.vector_type(ty, size),
                _ => {}
            }
        }
        ty
    }

    /// `ty` with `vector_size(size)`: of a pointer or function, what it points to or returns.
    fn vector_type(&mut self, ty: TypeId, size: &Expr) -> TypeId {
        let Some(bytes) = self.constant(size, "the vector size") else {
            return ty;
        };
        match self.types().get(ty).clone() {
            Type::Pointer(to) => {
                let to = self.vector_type(to, size);
                return self.unit.types.pointer(to);
            }
            Type::Function(mut f) => {
                f.ret = self.vector_type(f.ret, size);
                return self.unit.types.intern(Type::Function(f));
            }
            _ => {}
        }
        let element = self.types().size_of(ty).unwrap_or(0);
        let count = u64::try_from(bytes).ok().and_then(|b| {
            let whole = b.checked_rem(element)? == 0 && b > 0;
            whole.then_some(b / element)
        });
        match count {
            Some(n) if n <= MOST_ELEMENTS && self.types().is_arithmetic(ty) => {
                self.unit.types.intern(Type::Vector(ty, n))
            }
            _ => {
                let (span, shown) = (self.span(size.at), self.show(ty));
                self.error(
                    span,
                    format!("no vector of {bytes} bytes has elements `{shown}`"),
                );
                self.error_type()
            }
        }
    }

    fn with_mode(&mut self, ty: TypeId, mode: Symbol) -> TypeId {
        let Some(kind) = self.types().int_kind(ty) else {
            let float = match self.text(mode).trim_matches('_') {
                "SF" => FloatKind::F32,
                "DF" => FloatKind::F64,
                "XF" => FloatKind::F80,
                "TF" => FloatKind::F128,
                _ => return ty,
            };
            return match self.types().is_float(ty) {
                true => self.unit.types.float(float),
                false => ty,
            };
        };
        let size = match self.text(mode).trim_matches('_') {
            "QI" | "byte" => IntKind::SChar,
            "HI" => IntKind::Short,
            "SI" => IntKind::Int,
            "DI" => IntKind::LongLong,
            "TI" => IntKind::Int128,
            "word" | "pointer" | "unwind_word" => self.types().ptrdiff_kind(),
            _ => return ty,
        };
        // A 64-bit word on LP64 is `long`, as gcc's `int64_t`.
        let size = if size == IntKind::LongLong && self.types().ptrdiff_kind() == IntKind::Long {
            IntKind::Long
        } else {
            size
        };
        let kind = if kind.is_signed() {
            size
        } else {
            size.to_unsigned()
        };
        self.unit.types.int(kind)
    }

    fn builtin_type(&mut self, b: Builtin, at: At) -> TypeId {
        let part = self.plain_type(b, at);
        match b.complex && self.types().is_arithmetic(part) {
            true => self.unit.types.complex(part),
            false => part,
        }
    }

    fn plain_type(&mut self, b: Builtin, at: At) -> TypeId {
        use IntKind::*;
        let pick = |signed: IntKind, unsigned: IntKind| {
            if b.unsigned { unsigned } else { signed }
        };
        let has_sign = b.signed || b.unsigned;
        let int = match b.base {
            Base::Void if !has_sign && !b.short && b.longs == 0 => {
                return self.unit.types.void();
            }
            Base::Float if !has_sign && b.longs == 0 => {
                return self.unit.types.float(FloatKind::F32);
            }
            Base::Double if !has_sign && b.longs <= 1 => {
                let kind = if b.longs == 1 {
                    FloatKind::F80
                } else {
                    FloatKind::F64
                };
                return self.unit.types.float(kind);
            }
            Base::None if b.complex && !has_sign && b.longs == 0 => {
                return self.unit.types.float(FloatKind::F64);
            }
            Base::Bool if !has_sign && b.longs == 0 => Bool,
            Base::Char if b.longs == 0 && !b.short => {
                if b.signed {
                    SChar
                } else {
                    pick(Char, UChar)
                }
            }
            Base::Int128 if b.longs == 0 => pick(Int128, UInt128),
            Base::Int | Base::None if b.short => pick(Short, UShort),
            Base::Int | Base::None => match b.longs {
                0 => pick(Int, UInt),
                1 => pick(Long, ULong),
                _ => pick(LongLong, ULongLong),
            },
            _ => {
                let span = self.span(at);
                self.error(span, "these type words do not go together");
                return self.error_type();
            }
        };
        self.unit.types.int(int)
    }

    // ------------------------------------------------------------ declarators

    /// The type of the declared name, its parts applied from the outside in.
    pub(super) fn declared_type(&mut self, base: TypeId, declarator: &Declarator) -> TypeId {
        let mut ty = base;
        for part in declarator.parts.iter().rev() {
            ty = match part {
                Part::Pointer(_) => self.unit.types.pointer(ty),
                Part::Array(size) => self.array_type(ty, size, declarator.at),
                Part::Function(params) => self.function_type(ty, params, declarator.at),
            };
        }
        self.attributed(ty, &declarator.attributes)
    }

    fn array_type(&mut self, element: TypeId, size: &ArraySize, at: At) -> TypeId {
        let bad = matches!(self.types().get(element), Type::Function(_) | Type::Void);
        if bad {
            let (span, shown) = (self.span(at), self.show(element));
            self.error(span, format!("array of `{shown}`"));
            return self.error_type();
        }
        let len = match size {
            ArraySize::None | ArraySize::Star => ArrayLen::Incomplete,
            ArraySize::Expr(e) => self.array_length(e),
        };
        self.unit.types.intern(Type::Array(element, len))
    }

    fn array_length(&mut self, e: &Expr) -> ArrayLen {
        let before = self.diagnostics.len();
        let value = self.value(e);
        let span = self.span(e.at);
        let known = match self.types().is_error(value.ty) {
            true => None,
            false => self.evaluate(&value),
        };
        if let Some(n) = known {
            return match u64::try_from(n) {
                Ok(n) if n < 1 << 60 => ArrayLen::Fixed(n),
                _ => {
                    let message = if n < 0 {
                        "the array has a negative size"
                    } else {
                        "the array is too large"
                    };
                    self.error(span, message);
                    ArrayLen::Fixed(1)
                }
            };
        }
        if self.in_prototype {
            // Refers to parameters that are no objects here.
            self.diagnostics.truncate(before);
            return ArrayLen::Incomplete;
        }
        if self.types().is_error(value.ty) {
            return ArrayLen::Fixed(1);
        }
        if !self.types().is_integer(value.ty) {
            self.error(span, "the array size is not an integer");
            return ArrayLen::Fixed(1);
        }
        if self.func.is_none() {
            self.error(span, "the array size at file scope is not a constant");
            return ArrayLen::Fixed(1);
        }
        let size_t = self.unit.types.size_t();
        let value = self.cast(value, size_t, span);
        let quals = Qualifiers::default();
        let local = self.new_local("", size_t, span, LocalKind::VlaLength, quals);
        let init = self.scalar_init(value);
        self.pending.push(hir::Stmt {
            kind: hir::StmtKind::Decl {
                local,
                init: Some(init),
            },
            span,
        });
        ArrayLen::Variable(local)
    }

    /// An initialiser of the whole object with one value.
    pub(super) fn scalar_init(&self, value: hir::Expr) -> hir::Init {
        hir::Init {
            zero_rest: false,
            items: vec![hir::InitItem {
                path: Vec::new(),
                offset: 0,
                ty: value.ty,
                span: value.span,
                value: hir::InitValue::Expr(value),
            }],
        }
    }

    fn function_type(&mut self, ret: TypeId, params: &Params, at: At) -> TypeId {
        if matches!(self.types().get(ret), Type::Function(_) | Type::Array(..)) {
            let (span, shown) = (self.span(at), self.show(ret));
            self.error(span, format!("a function cannot return `{shown}`"));
            return self.error_type();
        }
        let outer = std::mem::replace(&mut self.in_prototype, true);
        self.enter();
        let mut types = Vec::with_capacity(params.list.len());
        for param in &params.list {
            let ty = self.param_type(param);
            types.push(ty);
        }
        self.leave();
        self.in_prototype = outer;
        let only_void = types.len() == 1
            && params.list[0].declarator.name.is_none()
            && self.types().is_void(types[0]);
        if only_void {
            types.clear();
        }
        self.unit.types.intern(Type::Function(FunctionType {
            ret,
            params: types,
            variadic: params.variadic,
            unprototyped: params.empty || !params.names.is_empty(),
        }))
    }

    /// A parameter's type, arrays and functions as pointers.
    pub(super) fn param_type(&mut self, param: &Param) -> TypeId {
        let base = self.specifiers(&param.specs);
        // The outermost length of an array parameter does not matter.
        let ty = match param.declarator.parts.split_first() {
            Some((Part::Array(size), rest)) => {
                self.unused_length(size);
                let inner = self.parts_type(base, rest, param.declarator.at);
                self.unit.types.pointer(inner)
            }
            _ => self.declared_type(base, &param.declarator),
        };
        self.adjusted(ty)
    }

    /// The outermost length of an array parameter is evaluated all the same.
    fn unused_length(&mut self, size: &ArraySize) {
        let ArraySize::Expr(e) = size else {
            return;
        };
        if self.in_prototype {
            return;
        }
        let value = self.value(e);
        if !matches!(value.kind, ExprKind::Int(_) | ExprKind::Load(_)) {
            let (span, void) = (value.span, self.unit.types.void());
            let value = self.cast(value, void, span);
            let kind = hir::StmtKind::Expr(value);
            self.pending.push(hir::Stmt { kind, span });
        }
    }

    fn parts_type(&mut self, base: TypeId, parts: &[Part], at: At) -> TypeId {
        let mut ty = base;
        for part in parts.iter().rev() {
            ty = match part {
                Part::Pointer(_) => self.unit.types.pointer(ty),
                Part::Array(size) => self.array_type(ty, size, at),
                Part::Function(params) => self.function_type(ty, params, at),
            };
        }
        ty
    }

    /// Array and function parameters are pointers (6.7.6.3).
    pub(super) fn adjusted(&mut self, ty: TypeId) -> TypeId {
        match *self.types().get(ty) {
            Type::Array(element, _) => self.unit.types.pointer(element),
            Type::Function(_) => self.unit.types.pointer(ty),
            _ => ty,
        }
    }

    /// The type of an expression that is not evaluated.
    pub(super) fn type_of(&mut self, e: &Expr) -> TypeId {
        match self.expr(e) {
            super::Operand::Value(v) => v.ty,
            super::Operand::Place(p) => p.ty,
            super::Operand::Function(f) => self.types().pointee(f.ty).unwrap_or(f.ty),
        }
    }

    /// Wraps the VLA lengths evaluated while making `e` around it.
    pub(super) fn with_pending(&mut self, make: impl FnOnce(&mut Self) -> hir::Expr) -> hir::Expr {
        let outer = std::mem::take(&mut self.pending);
        let e = make(self);
        let stmts = std::mem::replace(&mut self.pending, outer);
        if stmts.is_empty() {
            return e;
        }
        let (ty, span) = (e.ty, e.span);
        hir::Expr::new(
            ExprKind::StmtExpr {
                block: hir::Block { stmts, span },
                value: Some(Box::new(e)),
            },
            ty,
            span,
        )
    }
}
