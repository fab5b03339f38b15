//! `llvm.memcpy`, `llvm.memmove` and `llvm.memset`: written out for small objects of known shape, else calls.

use super::super::module::{Call, Type, Typed, Value};
use super::Translator;
use super::place::Pointer;
use crate::c::hir::Expr;
use crate::c::types::IntKind;

/// Copies and fills of up to this many scalars are written out.
const WRITTEN_OUT: usize = 64;

impl<'t> Translator<'_, 't> {
    fn size_expr(&mut self, n: &Typed<'t>) -> Expr {
        let size_t = self.unit.types.size_t();
        let e = self.scalar(&n.value, n.ty, false);
        self.cast(e, size_t)
    }

    pub(super) fn memory_copy(&mut self, word: &str, call: &Call<'t>) {
        let [to, from, n, ..] = call.args.as_slice() else {
            return;
        };
        self.fix_addresses(&call.args);
        if let Value::Int(n) = n.value {
            if n == 0 {
                return;
            }
            if self.copy_places(to, from, n as u64) {
                return;
            }
        }
        let a = self.pointer(&to.value);
        let a = self.pointer_value(a);
        let b = self.pointer(&from.value);
        let b = self.pointer_value(b);
        let n = self.size_expr(n);
        let name = if word.starts_with("memcpy") {
            "memcpy"
        } else {
            "memmove"
        };
        self.library(name, vec![a, b, n]);
    }

    /// Addresses that are looked at more than once must not wait.
    pub(super) fn fix_addresses(&mut self, args: &[Typed<'t>]) {
        for a in args {
            if let Value::Local(id) = a.value
                && matches!(self.module.get(a.ty), Type::Pointer)
            {
                self.fix_operands(id);
            }
        }
    }

    /// A copy between known objects of the same shape.
    fn copy_places(&mut self, to: &Typed<'t>, from: &Typed<'t>, n: u64) -> bool {
        let (Pointer::To(mut a), Pointer::To(mut b)) =
            (self.pointer(&to.value), self.pointer(&from.value))
        else {
            // Through one pointer: the type of the other side tells what is copied.
            return self.copy_through(to, from, n);
        };
        loop {
            let (x, y) = (self.unit.types.size_of(a.ty), self.unit.types.size_of(b.ty));
            if x == Some(n) && y == Some(n) {
                break;
            }
            let shrink = |t: &mut Self, p: &crate::c::hir::Place| {
                let types = &t.unit.types;
                if types
                    .record(p.ty)
                    .is_some_and(|r| !types.records[r].fields.is_empty())
                    || types.element(p.ty).is_some()
                {
                    Some(t.element_place(p.clone(), 0))
                } else {
                    None
                }
            };
            let next = if x > y {
                shrink(self, &a).map(|p| (p, b.clone()))
            } else {
                shrink(self, &b).map(|p| (a.clone(), p))
            };
            match next {
                Some((p, q)) => (a, b) = (p, q),
                None => return false,
            }
        }
        if self.incomplete.contains(&a.ty) || self.incomplete.contains(&b.ty) {
            return false;
        }
        if a.ty == b.ty && self.unit.types.record(a.ty).is_some() {
            self.flush(&|r| r.memory || !r.objects.is_empty());
            self.copy(&a, &b);
            return true;
        }
        let (Some(x), Some(y)) = (
            self.leaf_places(&a, WRITTEN_OUT),
            self.leaf_places(&b, WRITTEN_OUT),
        ) else {
            return false;
        };
        let size = |t: &Self, p: &crate::c::hir::Place| t.unit.types.size_of(p.ty);
        let alike = x.len() == y.len()
            && x.iter().zip(&y).all(|(p, q)| {
                let float = self.unit.types.is_float(p.ty) == self.unit.types.is_float(q.ty);
                float && size(self, p) == size(self, q)
            });
        if !alike || self.covered(&x) != n {
            return false;
        }
        self.flush(&|r| r.memory || !r.objects.is_empty());
        self.copy(&a, &b);
        true
    }

    /// A record copied to or from where a pointer points.
    fn copy_through(&mut self, to: &Typed<'t>, from: &Typed<'t>, n: u64) -> bool {
        let known = |t: &mut Self, v: &Typed<'t>| match t.pointer(&v.value) {
            Pointer::To(p) => {
                let fits =
                    t.unit.types.record(p.ty).is_some() && t.unit.types.size_of(p.ty) == Some(n);
                fits.then_some(p.ty)
            }
            Pointer::Value(_) => None,
        };
        let Some(ty) = known(self, to).or_else(|| known(self, from)) else {
            return false;
        };
        if self.incomplete.contains(&ty) {
            return false;
        }
        let place = |t: &mut Self, v: &Typed<'t>| match t.pointer(&v.value) {
            Pointer::To(p) if p.ty == ty => p,
            p => {
                let e = t.pointer_value(p);
                t.deref(e, ty)
            }
        };
        let (a, b) = (place(self, to), place(self, from));
        self.flush(&|r| r.memory || !r.objects.is_empty());
        self.copy(&a, &b);
        true
    }

    /// Bytes that the scalars cover: padding may hold what another view of the object reads.
    fn covered(&self, leaves: &[crate::c::hir::Place]) -> u64 {
        leaves
            .iter()
            .filter_map(|p| self.unit.types.size_of(p.ty))
            .sum()
    }

    pub(super) fn memory_set(&mut self, call: &Call<'t>) {
        let [to, byte, n, ..] = call.args.as_slice() else {
            return;
        };
        self.fix_addresses(&call.args);
        if let (Value::Int(0), Value::Int(n)) = (&byte.value, &n.value)
            && let Pointer::To(place) = self.pointer(&to.value)
            && let Some(place) = self.sized(place, *n as u64)
            && !self.incomplete.contains(&place.ty)
            && let Some(leaves) = self.leaf_places(&place, WRITTEN_OUT)
        {
            self.flush(&|r| r.memory || !r.objects.is_empty());
            for leaf in leaves {
                let zero = self.zero(leaf.ty);
                self.emit_assign(leaf, zero);
            }
            return;
        }
        let a = self.pointer(&to.value);
        let a = self.pointer_value(a);
        let int = self.unit.types.int(IntKind::Int);
        let byte = self.scalar(&byte.value, byte.ty, false);
        let byte = self.cast(byte, int);
        let n = self.size_expr(n);
        self.library("memset", vec![a, byte, n]);
    }

    /// The part at the beginning of the place that has so many bytes.
    fn sized(&mut self, place: crate::c::hir::Place, n: u64) -> Option<crate::c::hir::Place> {
        let mut at = place;
        loop {
            let size = self.unit.types.size_of(at.ty)?;
            if size == n {
                return Some(at);
            }
            let types = &self.unit.types;
            let deeper = types
                .record(at.ty)
                .is_some_and(|r| !types.records[r].fields.is_empty())
                || types.element(at.ty).is_some();
            if size < n || !deeper {
                return None;
            }
            at = self.element_place(at, 0);
        }
    }
}
