//! Calls: direct, through pointers, of undeclared functions, of built-ins.

use super::super::hir::{self, Callee, Expr, ExprKind, FuncId, Linkage};
use super::super::types::{FloatKind, FunctionType, IntKind, Type, TypeId};
use super::{Binding, Entity, Operand, Sema};
use crate::c::syntax::ast;
use crate::c::syntax::lexer::Symbol;
use program::Span;

impl Sema<'_, '_> {
    pub(super) fn call(&mut self, callee: &ast::Expr, args: &[ast::Expr], span: Span) -> Expr {
        if let ast::ExprKind::Name(name) = callee.kind {
            let bound = self.ordinary.get(name);
            if bound.is_none() && self.text(name) == "__builtin_tgmath" {
                return self.type_generic(args, span);
            }
            let declared = match bound {
                Some(Binding::Func(f)) => Some(f),
                _ => None,
            };
            if (bound.is_none() || declared.is_some())
                && let Some(e) = self.known_call(self.text(name), declared, args, span)
            {
                return e;
            }
            if bound.is_none() {
                let f = self.implicit_function(name, span);
                return self.call_function(f, args, span);
            }
        }
        match self.expr(callee) {
            Operand::Function(Expr {
                kind: ExprKind::FunctionAddress(f),
                ..
            }) => self.call_function(f, args, span),
            other => {
                let pointer = self.value_of(other);
                self.call_pointer(pointer, args, span)
            }
        }
    }

    /// A call of something that the compiler, or another checker, knows.
    fn known_call(
        &mut self,
        name: &str,
        declared: Option<FuncId>,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        let cprover = self.cprover_call(name, declared, args, span);
        cprover.or_else(|| self.builtin_call(name, declared, args, span))
    }

    /// `__builtin_tgmath(sqrtf, sqrt, sqrtl, x)`: the function for the widest type of the arguments, real or complex.
    fn type_generic(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let named = |s: &Self, a: &ast::Expr| match a.kind {
            ast::ExprKind::Name(n) => match s.ordinary.get(n) {
                Some(Binding::Func(f)) => Some(f),
                _ => None,
            },
            _ => None,
        };
        let functions: Vec<FuncId> = args.iter().map_while(|a| named(self, a)).collect();
        let args = &args[functions.len()..];
        let params = |s: &Self, f: FuncId| {
            let ty = s.unit.functions[f].ty;
            s.types().function(ty).map(|f| f.params.clone())
        };
        let generic: Vec<bool> = match functions.first().and_then(|&f| params(self, f)) {
            Some(types) => types.iter().map(|&t| self.width(t).is_some()).collect(),
            None => return self.error_expr(span),
        };
        let mut wanted = (false, FloatKind::F32);
        for (a, _) in args.iter().zip(&generic).filter(|(_, g)| **g) {
            let ty = self.type_of(a);
            // Whole numbers count as `double`.
            let (complex, kind) = self.width(ty).unwrap_or((false, FloatKind::F64));
            wanted = (wanted.0 | complex, wanted.1.max(kind));
        }
        let takes = |s: &Self, f: FuncId, wanted| {
            let types = params(s, f).unwrap_or_default();
            types.iter().find_map(|&t| s.width(t)) == Some(wanted)
        };
        let found = functions.iter().find(|&&f| takes(self, f, wanted));
        // Some are there for complex numbers only.
        let found = found.or_else(|| {
            functions
                .iter()
                .find(|&&f| takes(self, f, (true, wanted.1)))
        });
        match found {
            Some(&f) => self.call_function(f, args, span),
            None => {
                self.error(span, "no function of the list takes these arguments");
                self.error_expr(span)
            }
        }
    }

    /// Whether a type is complex, and what its floats are; `None` for others.
    fn width(&self, ty: TypeId) -> Option<(bool, FloatKind)> {
        let part = self.types().complex_part(ty);
        match self.types().get(part.unwrap_or(ty)) {
            Type::Float(kind) => Some((part.is_some(), *kind)),
            _ => None,
        }
    }

    fn call_function(&mut self, f: FuncId, args: &[ast::Expr], span: Span) -> Expr {
        let ty = self.unit.functions[f].ty;
        let Some(signature) = self.types().function(ty).cloned() else {
            return self.error_expr(span);
        };
        let args = self.arguments(&signature, args, span);
        Expr::new(
            ExprKind::Call {
                callee: Callee::Direct(f),
                args,
            },
            signature.ret,
            span,
        )
    }

    fn call_pointer(&mut self, pointer: Expr, args: &[ast::Expr], span: Span) -> Expr {
        if self.types().is_error(pointer.ty) {
            return pointer;
        }
        let signature = self
            .types()
            .pointee(pointer.ty)
            .and_then(|t| self.types().function(t))
            .cloned();
        let Some(signature) = signature else {
            let shown = self.show(pointer.ty);
            self.error(span, format!("`{shown}` cannot be called"));
            return self.error_expr(span);
        };
        let args = self.arguments(&signature, args, span);
        let callee = match pointer.kind {
            ExprKind::FunctionAddress(f) => Callee::Direct(f),
            _ => Callee::Indirect(Box::new(pointer)),
        };
        Expr::new(ExprKind::Call { callee, args }, signature.ret, span)
    }

    fn arguments(&mut self, signature: &FunctionType, args: &[ast::Expr], span: Span) -> Vec<Expr> {
        let (given, wanted) = (args.len(), signature.params.len());
        if !signature.unprototyped && (given < wanted || given > wanted && !signature.variadic) {
            let many = if given < wanted { "few" } else { "many" };
            self.error(
                span,
                format!("too {many} arguments: {wanted} expected, {given} given"),
            );
        }
        let mut out = Vec::with_capacity(given);
        for (i, arg) in args.iter().enumerate() {
            let value = self.value(arg);
            out.push(match signature.params.get(i) {
                Some(&ty) => self.assign_convert(value, ty, "argument"),
                None => self.promote_argument(value),
            });
        }
        out
    }

    /// C89: a call declares `int f()`; library functions get their own type, as in gcc.
    fn implicit_function(&mut self, name: Symbol, span: Span) -> FuncId {
        let text = self.text(name);
        let known = self.library_return(text);
        // Models call what the library has without saying so.
        if self.model_place.is_none() && self.warned.insert(name) {
            self.warn(
                span,
                format!("`{text}` is not declared; taken as a function returning int"),
            );
        }
        let ret = known.unwrap_or_else(|| self.int_type());
        let ty = self.unit.types.intern(Type::Function(FunctionType {
            ret,
            params: Vec::new(),
            variadic: false,
            unprototyped: true,
        }));
        let entity = self
            .file_entities
            .get(&name)
            .or_else(|| self.linked.get(&name));
        if let Some(&Entity::Func(f)) = entity {
            self.ordinary.bind(name, Binding::Func(f), 0);
            return f;
        }
        let f = self.unit.functions.push(hir::Function {
            name: text.into(),
            source_name: text.into(),
            ty,
            span,
            linkage: Linkage::External,
            is_noreturn: matches!(text, "abort" | "exit" | "_exit"),
            is_weak: false,
            implicit: true,
            library: false,
            body: None,
        });
        self.linked.insert(name, Entity::Func(f));
        self.file_entities.insert(name, Entity::Func(f));
        // Bound for the rest of the block only; the next use finds it again by its name.
        let depth = self.depth();
        self.ordinary.bind(name, Binding::Func(f), depth);
        f
    }

    /// The return type of a library function that is no int.
    pub(super) fn library_return(&mut self, name: &str) -> Option<TypeId> {
        use crate::c::library::table::{self, Returns};
        let types = &mut self.unit.types;
        let kind = match table::find(name)?.returns {
            Returns::Declared => return None,
            Returns::Void => return Some(types.void()),
            Returns::Float => return Some(types.float(super::FloatKind::F32)),
            Returns::Double => return Some(types.float(super::FloatKind::F64)),
            Returns::LongDouble => return Some(types.float(super::FloatKind::F80)),
            Returns::Pointer => {
                let void = types.void();
                return Some(types.pointer(void));
            }
            Returns::Text | Returns::WideText => {
                let wide = table::find(name)?.returns == Returns::WideText;
                let element = types.int(if wide { IntKind::Int } else { IntKind::Char });
                return Some(types.pointer(element));
            }
            Returns::Size => return Some(types.size_t()),
            Returns::Bool => IntKind::Bool,
            Returns::Int => IntKind::Int,
            Returns::UShort => IntKind::UShort,
            Returns::UInt => IntKind::UInt,
            Returns::Long => IntKind::Long,
            Returns::ULong => IntKind::ULong,
            Returns::LongLong => IntKind::LongLong,
            Returns::ULongLong => IntKind::ULongLong,
            Returns::UInt128 => IntKind::UInt128,
        };
        Some(types.int(kind))
    }
}
