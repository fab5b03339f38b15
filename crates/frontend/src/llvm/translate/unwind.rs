//! Exceptions of C++ as control flow.
//!
//! A thrown exception is a number in a global (its type's, from 1 on) and the address of its object in
//! another. After a call that may throw, `invoke` branches to its landing pad and `call` returns. A
//! landing pad compares the thrown type with its clauses; base classes are known from the type
//! information in the module. What leaves the entry function is an uncaught exception.

use super::super::module::{Call, ConstExpr, Op, Typed, Value, ValueId};
use super::Translator;
use super::hierarchy::{Takes, thrown_by_library};
use super::runtime::{Exception, Known};
use crate::c::hir::{
    BinaryOp, Callee, Expr, FuncId, GlobalId, Linkage, Place, PlaceKind, StmtKind,
};
use crate::c::types::{IntKind, TypeId};
use base::{FxHashMap, FxHashSet};
use program::Span;

#[derive(Default)]
pub(super) struct Unwind {
    /// Functions that an exception may leave.
    throwing: FxHashSet<String>,
    /// Somebody throws, so indirect calls may.
    any: bool,
    thrown: Option<GlobalId>,
    object: Option<GlobalId>,
    caught: Option<GlobalId>,
    /// Numbers of type information.
    numbers: FxHashMap<String, u32>,
    names: Vec<String>,
    /// Types of exceptions that occur.
    types: Vec<String>,
}

/// Functions of the library that throw instead of returning.
fn throws_itself(name: &str) -> bool {
    matches!(name, "__cxa_throw" | "__cxa_rethrow" | "_Unwind_Resume")
        || thrown_by_library(name).is_some()
}

impl<'t> Translator<'_, 't> {
    pub(super) fn prepare_unwinding(&mut self) {
        let module = self.module;
        let mut throwing: FxHashSet<String> = FxHashSet::default();
        let mut any = false;
        loop {
            let before = throwing.len();
            for f in &module.functions {
                if throwing.contains(f.name) {
                    continue;
                }
                let throws = f
                    .blocks
                    .iter()
                    .flat_map(|b| &b.instructions)
                    .any(|i| match &i.op {
                        Op::Resume(_) => true,
                        Op::Call(call) => match &call.callee {
                            Value::Global(name) => throws_itself(name) || throwing.contains(*name),
                            Value::Asm(_) => false,
                            _ => any && !call.nounwind,
                        },
                        Op::Invoke(call, ..) => {
                            matches!(&call.callee, Value::Global(name) if throws_itself(name)) && {
                                any = true;
                                false
                            }
                        }
                        _ => false,
                    });
                if throws && !f.nounwind {
                    throwing.insert(f.name.to_string());
                }
            }
            let more = !any && !throwing.is_empty();
            any |= more;
            if throwing.len() == before && !more {
                break;
            }
        }
        // `resume` alone, without anybody who throws, is dead code.
        let thrower = module.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instructions).any(|i| {
            matches!(&i.op, Op::Call(c) | Op::Invoke(c, ..)
                if matches!(&c.callee, Value::Global(n) if throws_itself(n) && *n != "_Unwind_Resume"))
        });
        if !thrower {
            return;
        }
        self.unwind.throwing = throwing;
        self.unwind.any = true;
        self.unwind.types = self.types_thrown();
        let int = self.unit.types.int(IntKind::Int);
        let pointer = self.void_pointer();
        self.unwind.thrown = Some(self.state("craig.thrown", int));
        self.unwind.object = Some(self.state("craig.exception", pointer));
        self.unwind.caught = Some(self.state("craig.caught", int));
    }

    fn state(&mut self, name: &str, ty: TypeId) -> GlobalId {
        self.unit.globals.push(crate::c::hir::Global {
            name: name.into(),
            source_name: Some(name.into()),
            ty,
            span: Span::unknown(),
            linkage: Linkage::Internal,
            defined: true,
            init: None,
            is_const: false,
            is_volatile: false,
            thread_local: false,
            function: None,
        })
    }

    fn state_place(&self, g: GlobalId) -> Place {
        Place {
            kind: PlaceKind::Global(g),
            ty: self.unit.globals[g].ty,
            span: self.f.span,
        }
    }

    fn thrown(&self) -> Option<Place> {
        self.unwind.thrown.map(|g| self.state_place(g))
    }

    /// The number of a type, from 1 on; null (catch all) is 0.
    pub(super) fn type_number(&mut self, v: &Value<'t>) -> u32 {
        let name = match v {
            Value::Global(name) => *name,
            Value::Expr(e) => match &**e {
                ConstExpr::Cast(_, inner, _) => return self.type_number(&inner.value),
                _ => return 0,
            },
            _ => return 0,
        };
        self.number_of(name)
    }

    fn number_of(&mut self, name: &str) -> u32 {
        if let Some(&n) = self.unwind.numbers.get(name) {
            return n;
        }
        let n = self.unwind.names.len() as u32 + 1;
        self.unwind.numbers.insert(name.to_string(), n);
        self.unwind.names.push(name.to_string());
        n
    }

    /// Is what was thrown taken by a handler for `name`? `None` if nothing that occurs is.
    fn caught_by(&mut self, thrown: &Place, name: &str) -> Option<Expr> {
        let mut hit: Option<Expr> = None;
        for ty in self.unwind.types.clone() {
            let takes = self.takes(name, &ty, 0);
            if takes == Takes::No {
                continue;
            }
            let n = self.number_of(&ty);
            let now = self.load(thrown.clone());
            let n = self.number(i128::from(n), now.ty);
            let mut same = self.binary(BinaryOp::Eq, now, n);
            if takes == Takes::Perhaps {
                let bool = self.unit.types.int(IntKind::Bool);
                let any = self.approximation(bool, "bases of an exception's type");
                same = self.both(same, any);
            }
            hit = Some(match hit {
                None => same,
                Some(h) => self.either(h, same),
            });
        }
        hit
    }

    fn may_throw(&self, call: &Call<'t>) -> bool {
        if !self.unwind.any || call.nounwind {
            return false;
        }
        match &call.callee {
            Value::Global(name) => self.unwind.throwing.contains(*name),
            Value::Asm(_) => false,
            _ => true,
        }
    }

    /// An exception that a call lets through leaves this function too.
    pub(super) fn after_call(&mut self, call: &Call<'t>) {
        if !self.may_throw(call) {
            return;
        }
        if let Some(thrown) = self.thrown() {
            self.flush(&|r| r.memory || r.traps);
            let cond = self.load(thrown);
            let leave = self.leave();
            self.emit(StmtKind::If {
                cond,
                then: Box::new(leave),
                els: None,
            });
        }
    }

    /// Returns with any value.
    fn leave(&mut self) -> crate::c::hir::Stmt {
        let ret = self
            .unit
            .types
            .function(self.unit.functions[self.f.id].ty)
            .map(|t| t.ret);
        let value = match ret {
            Some(ret) if !self.unit.types.is_void(ret) => {
                let local = self.new_local("", ret, crate::c::hir::LocalKind::Auto);
                let place = self.local_place(local);
                Some(self.load(place))
            }
            _ => None,
        };
        self.stmt(StmtKind::Return(value))
    }

    pub(super) fn invoke(
        &mut self,
        call: &Call<'t>,
        result: Option<ValueId>,
        block: super::super::module::BlockId,
        normal: super::super::module::BlockId,
        unwind: super::super::module::BlockId,
    ) {
        let itself = matches!(&call.callee, Value::Global(n) if throws_itself(n));
        self.plain_call(call, result);
        let throws = itself || self.may_throw(call);
        match self.thrown().filter(|_| throws) {
            Some(thrown) => {
                self.flush_all();
                let cond = self.load(thrown);
                self.branch(cond, block, unwind, normal);
            }
            None => self.jump(block, normal),
        }
    }

    pub(super) fn resume(&mut self) {
        let (Some(thrown), Some(caught)) = (self.thrown(), self.unwind.caught) else {
            let void = self.unit.types.void();
            let e = self.intrinsic("__builtin_unreachable", Vec::new(), void);
            self.emit_expr(e);
            return;
        };
        // The landing pad noted what it took.
        let caught = self.state_place(caught);
        let value = self.load(caught);
        self.emit_assign(thrown, value);
        let leave = self.leave();
        self.f.stmts.push(leave);
    }

    pub(super) fn landing_pad(&mut self, place: &Place, clauses: &[(bool, Typed<'t>)]) {
        let (Some(thrown), Some(object), Some(caught)) =
            (self.thrown(), self.unwind.object, self.unwind.caught)
        else {
            return;
        };
        let object = self.state_place(object);
        let pointer = self.load(object);
        let first = self.element_place(place.clone(), 0);
        let second = self.element_place(place.clone(), 1);
        let pointer = self.cast(pointer, first.ty);
        self.emit_assign(first, pointer);
        let mut selector = self.number(0, second.ty);
        for (catch, clause) in clauses.iter().rev() {
            if !catch {
                continue;
            }
            let number = self.type_number(&clause.value);
            let chosen = self.number(i128::from(number), second.ty);
            if number == 0 {
                selector = chosen;
                continue;
            }
            let name = self.unwind.names[number as usize - 1].clone();
            if let Some(hit) = self.caught_by(&thrown, &name) {
                selector = self.conditional(hit, chosen, selector);
            }
        }
        self.emit_assign(second, selector);
        let now = self.load(thrown.clone());
        let caught = self.state_place(caught);
        self.emit_assign(caught, now);
        let zero = self.number(0, thrown.ty);
        self.emit_assign(thrown, zero);
    }

    pub(super) fn exception_call(
        &mut self,
        what: Known,
        call: &Call<'t>,
        result: Option<ValueId>,
    ) -> bool {
        let pointer = self.void_pointer();
        let size_t = self.unit.types.size_t();
        match what {
            Known::Throw => {
                let number = self.type_number(&call.args[1].value);
                let p = self.pointer(&call.args[0].value);
                let p = self.pointer_value(p);
                self.flush(&|r| r.memory || r.traps);
                if let (Some(thrown), Some(object)) = (self.thrown(), self.unwind.object) {
                    let object = self.state_place(object);
                    self.emit_assign(object, p);
                    let n = self.number(i128::from(number), thrown.ty);
                    self.emit_assign(thrown, n);
                }
                self.leave_unless_invoked(call);
            }
            Known::Exception(Exception::Allocate) => {
                let n = self.scalar(&call.args[0].value, call.args[0].ty, false);
                let n = self.cast(n, size_t);
                let args = vec![n];
                let f = self.library_function("malloc", &args, pointer);
                self.flush(&|r| r.memory || r.traps);
                let e = self.call_direct(f, args, pointer);
                self.give(e, result);
            }
            Known::Exception(Exception::Library) => {
                let Value::Global(name) = &call.callee else {
                    return false;
                };
                let ty = thrown_by_library(name).unwrap_or_default();
                let number = self.number_of(&ty);
                let size = self.number(16, size_t);
                let args = vec![size];
                let f = self.library_function("malloc", &args, pointer);
                self.flush(&|r| r.memory || r.traps);
                if let (Some(thrown), Some(object)) = (self.thrown(), self.unwind.object) {
                    let made = self.call_direct(f, args, pointer);
                    let object = self.state_place(object);
                    self.emit_assign(object, made);
                    let n = self.number(i128::from(number), thrown.ty);
                    self.emit_assign(thrown, n);
                }
                self.leave_unless_invoked(call);
            }
            Known::Exception(Exception::Begin) => {
                let p = self.pointer(&call.args[0].value);
                let p = self.pointer_value(p);
                self.give(p, result);
            }
            Known::Exception(Exception::Rethrow) => {
                if let (Some(thrown), Some(caught)) = (self.thrown(), self.unwind.caught) {
                    let caught = self.state_place(caught);
                    let value = self.load(caught);
                    self.emit_assign(thrown, value);
                }
                self.leave_unless_invoked(call);
            }
            Known::Exception(Exception::Terminate) => self.violation("std::terminate is called"),
            Known::Exception(Exception::End | Exception::Free) => {}
            _ => return false,
        }
        true
    }

    /// A `call` of a throwing function returns; an `invoke` branches afterwards.
    fn leave_unless_invoked(&mut self, call: &Call<'t>) {
        let invoked = self.module.functions[self.f.index]
            .blocks
            .iter()
            .flat_map(|b| &b.instructions)
            .any(|i| matches!(&i.op, Op::Invoke(c, ..) if std::ptr::eq(&**c, call)));
        if !invoked {
            let leave = self.leave();
            self.f.stmts.push(leave);
        }
    }

    /// An exception that leaves the entry function ends the program as an error.
    pub(super) fn guard_entry(&mut self, f: FuncId) {
        let name = self.unit.functions[f].name.clone();
        let throws = |n: &String| self.function_named(n) == Some(f);
        if !self.unwind.any || !self.unwind.throwing.iter().any(throws) {
            return;
        }
        let Some(thrown) = self.thrown() else { return };
        let span = self.unit.functions[f].span;
        self.f.span = span;
        self.f.id = f;
        let inner = self.unit.functions[f].clone();
        let source = inner.source_name.clone();
        let ty = inner.ty;
        let inner = self.unit.functions.push(crate::c::hir::Function {
            name: format!("{name}()"),
            source_name: source.clone(),
            linkage: Linkage::Internal,
            ..inner
        });
        for l in self.unit.locals.iter_mut() {
            if l.function == f {
                l.function = inner;
            }
        }
        let Some(signature) = self.unit.types.function(ty).cloned() else {
            return;
        };
        let mut params = Vec::new();
        let mut args = Vec::new();
        for &p in &signature.params {
            let local = self.new_local("", p, crate::c::hir::LocalKind::Param);
            params.push(local);
            let place = self.local_place(local);
            args.push(self.load(place));
        }
        self.f.stmts = Vec::new();
        let call = self.expr(
            crate::c::hir::ExprKind::Call {
                callee: Callee::Direct(inner),
                args,
            },
            signature.ret,
        );
        let value = if self.unit.types.is_void(signature.ret) {
            self.emit_expr(call);
            None
        } else {
            let local = self.new_local("", signature.ret, crate::c::hir::LocalKind::Auto);
            let place = self.local_place(local);
            self.emit_assign(place.clone(), call);
            Some(self.load(place))
        };
        let names = self.unwind.names.clone();
        for (i, ty) in names.iter().enumerate() {
            let now = self.load(thrown.clone());
            let n = self.number(i as i128 + 1, now.ty);
            let cond = self.binary(BinaryOp::Eq, now, n);
            let before = std::mem::take(&mut self.f.stmts);
            let plain = super::runtime::demangle(ty);
            let plain = plain
                .strip_prefix("typeinfo for ")
                .unwrap_or(&plain)
                .to_string();
            self.violation(&format!("uncaught exception of type {plain}"));
            let stmts = std::mem::replace(&mut self.f.stmts, before);
            let then = self.stmt(StmtKind::Block(crate::c::hir::Block { stmts, span }));
            self.emit(StmtKind::If {
                cond,
                then: Box::new(then),
                els: None,
            });
        }
        self.emit(StmtKind::Return(value));
        let stmts = std::mem::take(&mut self.f.stmts);
        let body = crate::c::hir::Body {
            params,
            address_labels: Vec::new(),
            block: crate::c::hir::Block { stmts, span },
            end: span,
        };
        self.unit.functions[f].body = Some(body);
        // The entry is found by its name.
        self.unit.functions[inner].source_name = format!("{source} (body)");
    }

    /// Functions that run at the end of the program, with their priorities.
    pub(super) fn destructors(&self) -> Vec<(i128, FuncId)> {
        let list = self.listed("llvm.global_dtors");
        list.into_iter().map(|(p, _, f)| (p, f)).collect()
    }

    /// The functions of a list that the linker puts together: priority, place in the list, function.
    fn listed(&self, name: &str) -> Vec<(i128, usize, FuncId)> {
        let mut found = Vec::new();
        let list = self.module.globals.iter().find(|g| g.name == name);
        let Some(Value::Aggregate(entries)) = list.and_then(|l| l.init.as_ref()) else {
            return found;
        };
        for (k, e) in entries.iter().enumerate() {
            if let Value::Aggregate(parts) = &e.value
                && let [
                    Typed {
                        value: Value::Int(priority),
                        ..
                    },
                    Typed {
                        value: Value::Global(name),
                        ..
                    },
                    ..,
                ] = parts.as_slice()
                && let Some(c) = self.function_named(name)
            {
                found.push((*priority, k, c));
            }
        }
        found.sort_unstable_by_key(|&(p, k, _)| (p, k));
        found
    }

    /// Constructors of globals run before the entry.
    pub(super) fn run_constructors(&mut self, f: FuncId) {
        let found = self.listed("llvm.global_ctors");
        if found.is_empty() {
            return;
        }
        let void = self.unit.types.void();
        self.f.span = self.unit.functions[f].span;
        self.f.stmts = Vec::new();
        for (_, _, c) in found {
            let e = self.call_direct(c, Vec::new(), void);
            self.emit_expr(e);
        }
        let calls = std::mem::take(&mut self.f.stmts);
        if let Some(body) = &mut self.unit.functions[f].body {
            body.block.stmts.splice(0..0, calls);
        }
    }
}
