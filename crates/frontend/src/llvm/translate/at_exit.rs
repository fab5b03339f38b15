//! Destructors of static objects: they run when the program ends, the last registered first.
//!
//! ```text
//!   __cxa_atexit(&S::~S, &object, …)     →     void end() { S::~S(&object); }     atexit(end)
//! ```
//! The object is a constant, also that of a static local, so a function without arguments can end it. Destructors of
//! the library without a body (those of its streams) do nothing that a program sees; others are unknown functions.

use super::super::module::{Call, Value};
use super::Translator;
use super::global::base_symbol;
use crate::c::hir::{self, Block, Body, ExprKind, Linkage, StmtKind};
use crate::c::types::FunctionType;

impl<'t> Translator<'_, 't> {
    /// Registers the destructor of a static object; `false` if the call is of another kind.
    pub(super) fn at_exit(&mut self, call: &Call<'t>) -> bool {
        let [destructor, object, ..] = call.args.as_slice() else {
            return false;
        };
        let Some(name) = base_symbol(&destructor.value) else {
            return false;
        };
        if matches!(object.value, Value::Local(_)) {
            return false;
        }
        let (Some(f), Some(&index)) = (self.function_named(name), self.indices.get(name)) else {
            return false;
        };
        let has_body = !self.module.functions[index].blocks.is_empty();
        if !has_body && super::runtime::demangle(name).starts_with("std::") {
            return true;
        }
        let Some(signature) = self.unit.types.function(self.unit.functions[f].ty).cloned() else {
            return false;
        };
        let wanted = signature.params.first().copied();
        let args: Vec<hir::Expr> = wanted
            .map(|ty| self.argument(object, Some(ty)))
            .into_iter()
            .collect();
        let end = self.call_direct(f, args, signature.ret);
        let end = self.stmt(StmtKind::Expr(end));
        let whose = base_symbol(&object.value).map_or_else(String::new, super::runtime::demangle);
        let void = self.unit.types.void();
        let plain = FunctionType {
            ret: void,
            params: Vec::new(),
            variadic: false,
            unprototyped: false,
        };
        let ty = self
            .unit
            .types
            .intern(crate::c::types::Type::Function(plain));
        let span = self.f.span;
        let number = self.unit.functions.len();
        let ends = self.unit.functions.push(hir::Function {
            name: format!("end of {whose} #{number}"),
            source_name: format!("end of {whose}"),
            ty,
            span,
            linkage: Linkage::Internal,
            is_noreturn: false,
            is_weak: false,
            implicit: false,
            library: false,
            body: Some(Body {
                params: Vec::new(),
                address_labels: Vec::new(),
                block: Block {
                    stmts: vec![end],
                    span,
                },
                end: span,
            }),
        });
        let pointer = self.unit.types.pointer(ty);
        let address = self.expr(ExprKind::FunctionAddress(ends), pointer);
        let int = self.int_type(32, true);
        let args = vec![address];
        let register = self.library_function("atexit", &args, int);
        self.flush(&|r| r.memory || r.traps);
        let e = self.call_direct(register, args, int);
        self.emit_expr(e);
        true
    }
}
