//! Constraints of calls: arguments to parameters, results back, and what the library does.

use super::super::hir::{Callee, Expr, ExprKind, PlaceKind};
use super::super::lower::scalar::scalar_of;
use super::constraints::{Generator, ObjectKind, Promise, pointee};
use super::unify::ValueId;
use crate::c::library::table::{self, Meaning};
use crate::c::sema::untyped;

impl<'h> Generator<'h> {
    pub(super) fn call(
        &mut self,
        e: &'h Expr,
        callee: &'h Callee,
        args: &'h [Expr],
    ) -> Option<ValueId> {
        match callee {
            Callee::Direct(f) => {
                let values: Vec<_> = args.iter().map(|a| self.value(a)).collect();
                let function = &self.unit.functions[*f];
                if function.body.is_some() && !(self.modelled)(*f) {
                    let params = self.params(*f);
                    for (i, v) in values.iter().enumerate() {
                        let p = params.get(i).copied().unwrap_or(self.varargs);
                        if let Some(v) = v {
                            self.graph().join(p, *v);
                        }
                    }
                    return Some(self.returned(*f));
                }
                if function.body.is_some() {
                    return None;
                }
                if let Some(meaning) = table::meaning(&function.source_name)
                    && meaning.is_of_memory()
                {
                    return self.library(meaning, args, &values);
                }
                let ty = &self.unit.types;
                let record = scalar_of(ty, e.ty).is_none() && !ty.is_void(e.ty);
                let pointer = ty.is_pointer(e.ty);
                if !(pointer || record) {
                    return None;
                }
                let returned = self.returned(*f);
                if (self.unmodelled)(*f) {
                    let given = args.iter().zip(&values);
                    for v in given.filter_map(|(a, v)| v.filter(|_| ty.is_pointer(a.ty))) {
                        self.graph().join(returned, v);
                    }
                }
                Some(returned)
            }
            Callee::Indirect(pointer) => {
                let v = self.some_value(pointer);
                self.out.exprs[pointer.id] = Some(v);
                let values: Vec<_> = args.iter().map(|a| self.some_value(a)).collect();
                let ty = pointee(self.unit, pointer).and_then(|t| self.unit.types.function(t));
                if let Some(t) = ty.filter(|t| t.variadic) {
                    for &v in values.iter().skip(t.params.len()) {
                        let varargs = self.varargs;
                        self.graph().join(varargs, v);
                    }
                }
                let ret = self.graph().value();
                let cell = self.graph().deref(v);
                self.graph().call(cell, values, Some(ret));
                if self.unit.types.is_pointer(e.ty) {
                    // No candidate, or one without a body: the result may be from outside.
                    self.graph().deref(ret);
                }
                Some(ret)
            }
        }
    }

    pub(super) fn intrinsic(
        &mut self,
        name: &str,
        e: &'h Expr,
        args: &'h [Expr],
        values: &[Option<ValueId>],
    ) -> Option<ValueId> {
        if matches!(
            name,
            "__builtin_craig_hint" | "__builtin_craig_last" | "__builtin_craig_literal"
        ) {
            return values.first().copied().flatten();
        }
        match name {
            untyped::SET => return self.library(Meaning::SetBytes, args, values),
            untyped::COPY => {
                return self.library(Meaning::CopyBytes { apart: false }, args, values);
            }
            _ if name.starts_with("__builtin_craig_") => return None,
            _ => {}
        }
        match table::meaning(name) {
            Some(Meaning::Number) => None,
            Some(meaning) if meaning.is_of_memory() => self.library(meaning, args, values),
            _ if self.unit.types.is_pointer(e.ty) => {
                let v = self.graph().value();
                self.external(v);
                Some(v)
            }
            _ => None,
        }
    }

    /// What is built in and has to do with memory.
    pub(super) fn library(
        &mut self,
        meaning: Meaning,
        args: &'h [Expr],
        values: &[Option<ValueId>],
    ) -> Option<ValueId> {
        let arg = |i: usize| values.get(i).copied().flatten();
        match meaning {
            Meaning::Allocate { size, stack, .. } => {
                let fixed = size.iter().try_fold(1u64, |n, &i| {
                    let k = args.get(i)?.as_int()?;
                    n.checked_mul(u64::try_from(k).ok()?)
                });
                let asked = match (size, stack) {
                    ([1], false) => args.first(),
                    _ => None,
                };
                let promise = asked.map_or(Promise::Usual, promise_of);
                let cell = self.new_object(ObjectKind::Heap(promise), fixed);
                Some(self.pointer_to(cell))
            }
            Meaning::CopyBytes { .. } => {
                if let (Some(a), Some(b)) = (arg(0), arg(1)) {
                    let (a, b) = (self.graph().deref(a), self.graph().deref(b));
                    self.graph().unify(a, b);
                }
                arg(0)
            }
            Meaning::SetBytes => {
                if let Some(a) = arg(0) {
                    self.graph().deref(a);
                }
                arg(0)
            }
            Meaning::First => arg(0),
            Meaning::Checked { stores: true, .. } => {
                let scalar = args.get(2).and_then(|a| pointee(self.unit, a));
                let scalar = scalar.and_then(|t| scalar_of(&self.unit.types, t));
                if let (Some(v), Some(s)) = (arg(2), scalar) {
                    let cell = self.graph().deref(v);
                    self.graph().access(cell, s);
                }
                None
            }
            _ => None,
        }
    }
}

/// What an allocation promises that is asked for this alignment.
fn promise_of(asked: &Expr) -> Promise {
    match &asked.kind {
        ExprKind::Int(n) => u64::try_from(*n).map_or(Promise::Usual, Promise::Bytes),
        ExprKind::Cast(_, inner) => promise_of(inner),
        ExprKind::Load(p) => match p.kind {
            PlaceKind::Local(l) => Promise::Parameter(l),
            _ => Promise::Usual,
        },
        _ => Promise::Usual,
    }
}
