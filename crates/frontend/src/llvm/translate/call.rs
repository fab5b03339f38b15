//! Calls: of the module's functions, of the runtime of C++ and Rust, through pointers.

use super::super::module::{Call, Op, Type, Typed, Value, ValueId};
use super::{Translator, runtime};
use crate::c::hir::{Callee, Expr, ExprKind, FuncId, LocalKind, StmtKind};
use crate::c::types::{FunctionType, TypeId};

impl<'t> Translator<'_, 't> {
    pub(super) fn call(&mut self, call: &Call<'t>, result: Option<ValueId>) {
        self.plain_call(call, result);
        self.after_call(call);
    }

    pub(super) fn plain_call(&mut self, call: &Call<'t>, result: Option<ValueId>) {
        if let Value::Global(name) = &call.callee {
            if let Some(word) = name.strip_prefix("llvm.") {
                self.llvm_intrinsic(word, call, result);
                return;
            }
            if self.runtime_call(name, call, result) {
                return;
            }
        }
        if let Value::Asm(text) = call.callee {
            // Without instructions it only keeps the compiler from moving code.
            if text.trim_matches('"').is_empty() && result.is_none() {
                return;
            }
            self.assembly(call, result);
            return;
        }
        let direct = match &call.callee {
            Value::Global(name) => self.function_named(name),
            _ => None,
        };
        let signature =
            direct.and_then(|f| self.unit.types.function(self.unit.functions[f].ty).cloned());
        let args = self.arguments(call, signature.as_ref());
        let callee = match direct {
            Some(f) => Callee::Direct(f),
            None => Callee::Indirect(Box::new(self.function_pointer(call, &args))),
        };
        let ret = match &signature {
            Some(s) => s.ret,
            None => self.return_type(call, result),
        };
        self.finish_call(callee, args, ret, result, call);
    }

    fn return_type(&mut self, call: &Call<'t>, result: Option<ValueId>) -> TypeId {
        let signed = result.map_or(self.signs.default_signed(), |r| {
            self.signs.value(self.f.index, r)
        });
        self.ty(call.ret, signed)
    }

    fn function_pointer(&mut self, call: &Call<'t>, args: &[Expr]) -> Expr {
        let ret = self.return_type(call, None);
        let named = call.variadic.unwrap_or(args.len());
        let ty = self
            .unit
            .types
            .intern(crate::c::types::Type::Function(FunctionType {
                ret,
                params: args.iter().take(named).map(|a| a.ty).collect(),
                variadic: call.variadic.is_some(),
                unprototyped: false,
            }));
        let ty = self.unit.types.pointer(ty);
        let p = self.pointer(&call.callee);
        let p = self.pointer_value(p);
        self.cast(p, ty)
    }

    pub(super) fn arguments(
        &mut self,
        call: &Call<'t>,
        signature: Option<&FunctionType>,
    ) -> Vec<Expr> {
        let mut args = Vec::new();
        for (i, a) in call.args.iter().enumerate() {
            let wanted = signature.and_then(|s| s.params.get(i)).copied();
            if let Some(ty) = call.byval.get(i).copied().flatten() {
                args.push(self.copied_argument(a, ty));
                continue;
            }
            args.push(self.argument(a, wanted));
        }
        args
    }

    pub(super) fn argument(&mut self, a: &Typed<'t>, wanted: Option<TypeId>) -> Expr {
        if matches!(self.module.get(a.ty), Type::Metadata | Type::Other) {
            return self.int(0);
        }
        if self.is_aggregate(a.ty) {
            let place = self.aggregate(a);
            let Some(to) = wanted.filter(|w| *w != place.ty) else {
                return self.load(place);
            };
            let local = self.new_local("", to, LocalKind::Auto);
            let copy = self.local_place(local);
            self.copy(&copy, &place);
            return self.load(copy);
        }
        let signed = match wanted {
            Some(w) => self.sign_in(w),
            None => self
                .sign_of(&a.value)
                .unwrap_or(self.signs.default_signed()),
        };
        let e = self.scalar(&a.value, a.ty, signed);
        let to = match wanted {
            Some(w) if self.unit.types.is_scalar(w) => w,
            _ => self.ty(a.ty, signed),
        };
        self.cast(e, to)
    }

    /// An argument that the callee gets a copy of.
    fn copied_argument(&mut self, a: &Typed<'t>, ty: super::super::module::Ty) -> Expr {
        let hir = self.ty(ty, self.signs.default_signed());
        let local = self.new_local("", hir, LocalKind::Auto);
        self.emit(StmtKind::Decl { local, init: None });
        let copy = self.local_place(local);
        let from = self.access(&a.value, ty);
        self.copy(&copy, &from);
        let e = self.address(copy);
        let pointer = self.void_pointer();
        self.cast(e, pointer)
    }

    /// Makes the call where it stands; its result goes into the local of its value.
    pub(super) fn finish_call(
        &mut self,
        callee: Callee,
        args: Vec<Expr>,
        ret: TypeId,
        result: Option<ValueId>,
        call: &Call<'t>,
    ) {
        self.flush(&|r| r.memory || r.traps);
        let e = self.expr(ExprKind::Call { callee, args }, ret);
        self.give(e, result);
        if call.noreturn {
            let void = self.unit.types.void();
            let end = self.intrinsic("__builtin_unreachable", Vec::new(), void);
            self.emit_expr(end);
        }
    }

    /// Evaluates an expression with effects now.
    pub(super) fn give(&mut self, e: Expr, result: Option<ValueId>) {
        self.f.reads = Default::default();
        let used = result.filter(|r| self.f.uses[r.0 as usize] > 0);
        let Some(r) = used else {
            self.emit_expr(e);
            return;
        };
        let local = self.local_of(r);
        let place = self.local_place(local);
        if !self.unit.types.is_scalar(place.ty) && place.ty != e.ty {
            let temp = self.new_local("", e.ty, LocalKind::Auto);
            let temp = self.local_place(temp);
            self.emit_assign(temp.clone(), e);
            self.copy(&place, &temp);
            return;
        }
        let e = self.cast(e, place.ty);
        self.emit_assign(place, e);
    }

    /// Assembly is not modelled: results are any value.
    fn assembly(&mut self, call: &Call<'t>, result: Option<ValueId>) {
        let args: Vec<Typed<'t>> = call.args.clone();
        for a in &args {
            if !self.is_aggregate(a.ty) {
                let signed = self.signs.default_signed();
                self.scalar(&a.value, a.ty, signed);
            }
        }
        self.flush(&|r| r.memory || r.traps);
        let span = self.f.span;
        self.note(span, "assembly is not modelled: any result");
        if let Some(r) = result {
            let local = self.local_of(r);
            let place = self.local_place(local);
            let any = self.approximation(place.ty, "assembly");
            self.emit_assign(place, any);
        }
        // It may write through its pointers.
        let pointers: Vec<Expr> = args
            .iter()
            .filter(|a| matches!(self.module.get(a.ty), Type::Pointer))
            .map(|a| a.value.clone())
            .collect::<Vec<_>>()
            .iter()
            .map(|v| {
                let p = self.pointer(v);
                self.pointer_value(p)
            })
            .collect();
        if !pointers.is_empty() {
            self.library("craig.assembly", pointers);
        }
    }

    /// A call of a function of the C library.
    pub(super) fn library(&mut self, name: &'static str, args: Vec<Expr>) {
        let ret = match name {
            "free" | "exit" | "abort" | "craig.assembly" => self.unit.types.void(),
            _ => self.void_pointer(),
        };
        let f = self.library_function(name, &args, ret);
        self.flush(&|r| r.memory || r.traps || !r.objects.is_empty());
        let e = self.call_direct(f, args, ret);
        self.emit_expr(e);
    }

    pub(super) fn library_function(
        &mut self,
        name: &'static str,
        args: &[Expr],
        ret: TypeId,
    ) -> FuncId {
        if let Some(f) = self.function_named(name) {
            return f;
        }
        if let Some(&f) = self.runtime.get(name) {
            return f;
        }
        let ty = self
            .unit
            .types
            .intern(crate::c::types::Type::Function(FunctionType {
                ret,
                params: args.iter().map(|a| a.ty).collect(),
                variadic: false,
                unprototyped: false,
            }));
        let span = self.built_in_span();
        let f = self.unit.functions.push(crate::c::hir::Function {
            name: name.into(),
            source_name: name.into(),
            ty,
            span,
            linkage: crate::c::hir::Linkage::External,
            is_noreturn: matches!(name, "exit" | "abort"),
            is_weak: false,
            implicit: false,
            library: false,
            body: None,
        });
        self.runtime.insert(name, f);
        f
    }

    /// Does the call write to the console? Then it gives back the stream, and nothing else happens that a program sees.
    fn prints(&self, name: &str, call: &Call<'t>) -> bool {
        // What is written to other streams can be read again.
        let console = |v: &Value<'t>| match v {
            Value::Global(name) => runtime::is_console(name),
            Value::Local(v) => matches!(self.f.defs[v.0 as usize],
                Some(Op::Call(inner) | Op::Invoke(inner, ..))
                    if matches!(&inner.callee, Value::Global(n) if self.prints(n, inner))),
            _ => false,
        };
        let plain = |v: &Value<'t>| matches!(v, Value::Global(n) if runtime::is_manipulator(n));
        match call.args.as_slice() {
            [stream, how] if name.starts_with("_ZNSolsEPF") => {
                console(&stream.value) && plain(&how.value)
            }
            [stream, ..] => runtime::writes_to_stream(name) && console(&stream.value),
            [] => false,
        }
    }

    /// Functions of the runtimes of C++ and Rust that are known.
    fn runtime_call(&mut self, name: &str, call: &Call<'t>, result: Option<ValueId>) -> bool {
        let defined = self
            .indices
            .get(name)
            .is_some_and(|&i| !self.module.functions[i].blocks.is_empty());
        let size_t = self.unit.types.size_t();
        let pointer = self.void_pointer();
        if self.prints(name, call) {
            let stream = self.argument(&call.args[0], Some(pointer));
            self.give(stream, result);
            return true;
        }
        let Some(what) = runtime::classify(name, defined) else {
            return false;
        };
        match what {
            runtime::Known::Allocate { size, zero } => {
                let n = self.argument(&call.args[size], Some(size_t));
                let args = if zero {
                    let one = self.number(1, size_t);
                    vec![one, n]
                } else {
                    vec![n]
                };
                let f =
                    self.library_function(if zero { "calloc" } else { "malloc" }, &args, pointer);
                self.flush(&|r| r.memory || r.traps);
                let e = self.call_direct(f, args, pointer);
                self.give(e, result);
            }
            runtime::Known::Free => {
                let p = self.argument(&call.args[0], Some(pointer));
                self.library("free", vec![p]);
            }
            runtime::Known::Reallocate => {
                let p = self.argument(&call.args[0], Some(pointer));
                let n = self.argument(&call.args[3], Some(size_t));
                let args = vec![p, n];
                // Programs end where it fails, as they do for want of any memory.
                let f = self.library_function("xrealloc", &args, pointer);
                self.flush(&|r| r.memory || r.traps);
                let e = self.call_direct(f, args, pointer);
                self.give(e, result);
            }
            runtime::Known::Nothing => {
                if let Some(r) = result.filter(|r| self.f.uses[r.0 as usize] > 0) {
                    let local = self.local_of(r);
                    let place = self.local_place(local);
                    let zero = self.zero(place.ty);
                    if self.unit.types.is_scalar(place.ty) {
                        self.emit_assign(place, zero);
                    }
                }
            }
            runtime::Known::AtExit => return self.at_exit(call),
            runtime::Known::Guard(made) => {
                let p = self.argument(&call.args[0], Some(pointer));
                let byte = self.int_type(8, true);
                self.flush(&|r| r.memory || r.traps);
                let place = self.deref(p, byte);
                if made {
                    let one = self.number(1, byte);
                    self.emit_assign(place, one);
                } else {
                    let now = self.load(place);
                    let zero = self.number(0, byte);
                    let e = self.binary(crate::c::hir::BinaryOp::Eq, now, zero);
                    self.give(e, result);
                }
            }
            runtime::Known::Panic => {
                let message = self.panic_message(name, call);
                self.flush(&|r| r.memory || r.traps);
                self.violation(&message);
            }
            runtime::Known::Assume => {
                let bool = self.unit.types.int(crate::c::types::IntKind::Bool);
                let c = self.argument(&call.args[0], Some(bool));
                let void = self.unit.types.void();
                let e = self.intrinsic("__builtin_assume", vec![c], void);
                self.flush(&|r| r.memory || r.traps);
                self.emit_expr(e);
            }
            runtime::Known::DynamicCast => return self.dynamic_cast(call, result),
            runtime::Known::Throw | runtime::Known::Exception(_) => {
                return self.exception_call(what, call, result);
            }
        }
        true
    }

    /// The program violates its property here.
    pub(super) fn violation(&mut self, message: &str) {
        let void = self.unit.types.void();
        let e = self.intrinsic(format!("__builtin_craig_panic:{message}"), Vec::new(), void);
        self.emit_expr(e);
        let end = self.intrinsic("__builtin_unreachable", Vec::new(), void);
        self.emit_expr(end);
    }

    /// What Rust would print.
    fn panic_message(&mut self, name: &str, call: &Call<'t>) -> String {
        let text = call
            .args
            .iter()
            .find_map(|a| self.constant_text(&a.value, 0));
        runtime::panic_message(name, text)
    }

    /// The text that a constant points to, perhaps through the parts of a format.
    fn constant_text(&self, v: &Value<'t>, depth: u32) -> Option<String> {
        let Value::Global(name) = v else { return None };
        let global = self.module.globals.iter().find(|g| g.name == *name)?;
        let mut work = vec![global.init.as_ref()?];
        while let Some(init) = work.pop() {
            match init {
                Value::Bytes(text) => {
                    let bytes = super::super::lex::unescape(text);
                    let text = String::from_utf8(bytes).ok()?;
                    let readable =
                        text.len() > 3 && !text.chars().any(|c| c.is_control() && c != '\n');
                    return readable.then_some(text);
                }
                Value::Aggregate(list) => work.extend(list.iter().rev().map(|t| &t.value)),
                Value::Global(_) if depth < 2 => return self.constant_text(init, depth + 1),
                _ => {}
            }
        }
        None
    }
}
