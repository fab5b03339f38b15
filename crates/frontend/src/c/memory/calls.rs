//! Constraints of calls: arguments to parameters, results back, and what the library does.

use super::super::hir::{Callee, Expr};
use super::super::lower::scalar::{Scalar, ScalarKind, scalar_of};
use super::constraints::{Generator, ObjectKind, pointee};
use super::unify::ValueId;
use crate::c::library::points_to::{Effect, effect};

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
                match effect(&function.source_name) {
                    Effect::Unknown => {
                        let ty = &self.unit.types;
                        let record = scalar_of(ty, e.ty).is_none() && !ty.is_void(e.ty);
                        let pointer = ty.is_pointer(e.ty);
                        (pointer || record).then(|| self.returned(*f))
                    }
                    known => self.library(known, args, &values),
                }
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
        if name.contains("sync_") || name.contains("atomic_") {
            // Reads and writes through the first argument.
            let pointer = values.first().copied().flatten()?;
            let cell = self.graph().deref(pointer);
            if let Some(s) = args
                .first()
                .and_then(|a| pointee(self.unit, a))
                .and_then(|t| scalar_of(&self.unit.types, t))
            {
                self.graph().access(cell, s);
            }
            let c = self.graph().content(cell);
            for v in values.iter().skip(1).flatten() {
                self.graph().join(c, *v);
            }
            return Some(self.mangled(c));
        }
        if name == "__builtin_craig_hint" {
            return values.first().copied().flatten();
        }
        if name.starts_with("__builtin_craig_") {
            return None;
        }
        match name {
            "__builtin_expect" | "__builtin_constant_p" | "__builtin_assume_aligned" => {
                values.first().copied().flatten()
            }
            _ => match effect(name) {
                Effect::Unknown if self.unit.types.is_pointer(e.ty) => {
                    let v = self.graph().value();
                    self.external(v);
                    Some(v)
                }
                Effect::Unknown => None,
                known => self.library(known, args, values),
            },
        }
    }

    pub(super) fn library(
        &mut self,
        effect: Effect,
        args: &'h [Expr],
        values: &[Option<ValueId>],
    ) -> Option<ValueId> {
        let arg = |i: usize| values.get(i).copied().flatten();
        const CHAR: Scalar = Scalar {
            bits: 8,
            signed: true,
            kind: ScalarKind::Int,
        };
        match effect {
            Effect::Allocate { size, .. } => {
                let fixed = size.iter().try_fold(1u64, |n, &i| {
                    let k = args.get(i)?.as_int()?;
                    n.checked_mul(u64::try_from(k).ok()?)
                });
                let cell = self.new_object(ObjectKind::Heap, fixed);
                Some(self.pointer_to(cell))
            }
            Effect::Reallocate => {
                let cell = self.new_object(ObjectKind::Heap, None);
                let v = self.pointer_to(cell);
                if let Some(old) = arg(0) {
                    self.graph().join(v, old);
                }
                Some(v)
            }
            Effect::Duplicate => {
                let cell = self.new_object(ObjectKind::Heap, None);
                let v = self.pointer_to(cell);
                if let Some(old) = arg(0) {
                    self.graph().join(v, old);
                }
                self.characters(v, CHAR);
                Some(v)
            }
            Effect::CopyBytes => {
                if let (Some(a), Some(b)) = (arg(0), arg(1)) {
                    let (a, b) = (self.graph().deref(a), self.graph().deref(b));
                    self.graph().unify(a, b);
                }
                arg(0)
            }
            Effect::SetBytes => {
                if let Some(a) = arg(0) {
                    self.graph().deref(a);
                }
                arg(0)
            }
            Effect::CopyString | Effect::AppendString => {
                for i in 0..2 {
                    if let Some(v) = arg(i) {
                        self.characters(v, CHAR);
                    }
                }
                arg(0)
            }
            Effect::ReadString => {
                for (a, v) in args.iter().zip(values).take(2) {
                    if let (Some(v), true) = (*v, self.unit.types.is_pointer(a.ty)) {
                        self.characters(v, CHAR);
                    }
                }
                None
            }
            Effect::PointerIntoFirst | Effect::WriteIntoFirst => {
                if let Some(v) = arg(0) {
                    self.characters(v, CHAR);
                }
                arg(0)
            }
            Effect::Scan => {
                for (i, a) in args.iter().enumerate().skip(1) {
                    let scalar = pointee(self.unit, a).and_then(|t| scalar_of(&self.unit.types, t));
                    if let (Some(v), Some(s)) = (arg(i), scalar) {
                        let cell = self.graph().deref(v);
                        self.graph().access(cell, s);
                    }
                }
                None
            }
            Effect::Free | Effect::Print | Effect::Write | Effect::Elsewhere | Effect::Unknown => {
                None
            }
        }
    }

    /// The value points to characters and walks over them.
    pub(super) fn characters(&mut self, v: ValueId, scalar: Scalar) {
        let cell = self.graph().deref(v);
        self.graph().arithmetic(v, 8);
        self.graph().access(cell, scalar);
    }
}
