//! Instructions one by one.

use super::super::module::{BlockId, Instruction, Op, Ty, Type, Typed, Value};
use super::Translator;
use super::function::is_silent;
use crate::c::hir::{BinaryOp, Expr, ExprKind, Place, PlaceKind, StmtKind, UnaryOp};
use crate::c::types::IntKind;

impl<'t> Translator<'_, 't> {
    pub(super) fn instruction(&mut self, inst: &Instruction<'t>, block: BlockId) {
        if is_silent(&inst.op) {
            self.lifetime(&inst.op, block);
            return;
        }
        self.f.reads = Default::default();
        match (&inst.op, inst.result) {
            (Op::Phi(..), _) => {}
            (Op::Alloca(ty, Some(n)), Some(r)) if !self.f.objects.contains_key(&r) => {
                self.dynamic_alloca(r, *ty, n);
            }
            // A new object each time the instruction is executed.
            (Op::Alloca(..), Some(r)) if block.0 > 0 => {
                if let Some(&local) = self.f.objects.get(&r) {
                    self.flush(&|r| r.memory || r.objects.contains(&local));
                    self.emit(StmtKind::Decl { local, init: None });
                }
            }
            (Op::Alloca(..), _) => {}
            (Op::Gep { .. }, Some(r)) if self.f.vector[r.0 as usize] => self.vector_gep(r),
            (Op::Gep { .. }, Some(r)) => {
                let i = r.0 as usize;
                if self.f.uses[i] != 1 || !self.f.only_here[i] {
                    self.fix_operands(r);
                }
            }
            (Op::Cast(..), Some(r)) if self.is_symbolic(r) => {
                let i = r.0 as usize;
                if self.f.uses[i] != 1 || !self.f.only_here[i] {
                    self.fix_operands(r);
                }
            }
            (Op::Store(v, p), _) => self.store(v, p),
            (Op::Call(call), r) => self.call(call, r),
            (Op::Invoke(call, normal, unwind), r) => self.invoke(call, r, block, *normal, *unwind),
            (Op::Fence, _) => {}
            (op, Some(r)) => {
                let ty = self.module.functions[self.f.index].values[r.0 as usize].ty;
                match ty {
                    Some(ty) if self.is_aggregate(ty) => self.aggregate_op(op, r, ty),
                    Some(ty) => {
                        let e = self.value_op(op, r, ty);
                        self.define(r, e);
                    }
                    None => {}
                }
            }
            (op, None) => self.terminator(op, block),
        }
    }

    /// Objects of inner blocks begin with any content, and end.
    fn lifetime(&mut self, op: &Op<'t>, block: BlockId) {
        let Op::Call(call) = op else { return };
        let Value::Global(name) = &call.callee else {
            return;
        };
        let Some(word) = name.strip_prefix("llvm.lifetime.") else {
            return;
        };
        let Some(Value::Local(p)) = call.args.last().map(|a| &a.value) else {
            return;
        };
        let Some(local) = self.object_of(*p) else {
            return;
        };
        if word.starts_with("start") {
            let declared = !self.f.written_first.contains(&local);
            if block.0 > 0 && declared && self.f.scoped.contains(&local) {
                self.flush(&|r| r.memory || r.objects.contains(&local));
                self.emit(StmtKind::Decl { local, init: None });
            }
        } else if self.f.escaping.contains(&local) {
            self.flush(&|r| r.memory || r.objects.contains(&local));
            let place = self.local_place(local);
            let value = self.load(place);
            let void = self.unit.types.void();
            let e = self.intrinsic("__builtin_craig_dead", vec![value], void);
            self.emit_expr(e);
        }
    }

    /// The object that an address is the beginning of.
    pub(super) fn object_of(
        &self,
        v: super::super::module::ValueId,
    ) -> Option<crate::c::hir::LocalId> {
        if let Some(&local) = self.f.objects.get(&v) {
            return Some(local);
        }
        match self.f.defs[v.0 as usize]? {
            Op::Cast("bitcast", _, a, _) => match a.value {
                Value::Local(inner) => self.object_of(inner),
                _ => None,
            },
            _ => None,
        }
    }

    /// A scalar result.
    fn value_op(&mut self, op: &Op<'t>, r: super::super::module::ValueId, ty: Ty) -> Expr {
        let signed = self.signs.value(self.f.index, r);
        match op {
            Op::Binary(name, flags, ty, a, b) => self.binary_op(name, *flags, *ty, a, b, signed),
            Op::FNeg(ty, a) => {
                let a = self.scalar(a, *ty, false);
                let to = a.ty;
                self.expr(ExprKind::Unary(UnaryOp::Neg, Box::new(a)), to)
            }
            Op::ICmp(how, ty, a, b) => self.compare(how, *ty, a, b),
            Op::FCmp(how, ty, a, b) => self.float_compare(how, *ty, a, b),
            Op::Cast("bitcast", _, a, _) if self.vector_type(a.ty).is_some() => {
                match self.vector_number(a, ty, signed) {
                    Some(e) => e,
                    None => {
                        let hir = self.ty(ty, signed);
                        self.approximation(hir, "bits of a vector")
                    }
                }
            }
            Op::Cast("trunc", _, a, to) if self.is_wide(a.ty) => {
                match self.low_bits(a, *to, signed) {
                    Some(e) => e,
                    None => {
                        let hir = self.ty(ty, signed);
                        self.approximation(hir, "bits of a wide number")
                    }
                }
            }
            Op::Cast(how, _, a, to) => self.cast_op(how, a, *to, signed),
            Op::Select(c, a, b) => {
                let c = self.truth(&c.value);
                self.settle_traps();
                let (x, y) = (
                    self.scalar(&a.value, ty, signed),
                    self.scalar(&b.value, ty, signed),
                );
                let hir = self.ty(ty, signed);
                let (x, y) = (self.cast(x, hir), self.cast(y, hir));
                self.conditional(c, x, y)
            }
            Op::Load(ty, p) if let Some(bits) = self.odd_bits(*ty) => {
                self.load_odd(p, bits, signed)
            }
            Op::Load(ty, p) => {
                self.f.access_sign = Some(signed);
                let place = self.access(p, *ty);
                self.f.access_sign = None;
                self.read(&place);
                let e = self.load(place);
                match self.module.get(*ty) {
                    Type::Int(1) => self.low_bit(e),
                    Type::Int(bits) if !matches!(bits, 8 | 16 | 32 | 64 | 128) => {
                        self.narrow(e, *bits, signed)
                    }
                    Type::Int(bits) => self.with_sign(e, *bits, signed),
                    _ => {
                        let hir = self.ty(*ty, signed);
                        self.cast(e, hir)
                    }
                }
            }
            Op::Freeze(a) => self.scalar(&a.value, ty, signed),
            Op::ExtractValue(a, path) => {
                let mut place = self.aggregate(a);
                for &k in path {
                    place = self.element_place(place, k);
                }
                // Only the next run of the block assigns members of values again: no read to wait for.
                let e = self.load(place);
                let hir = self.ty(ty, signed);
                self.cast(e, hir)
            }
            Op::ExtractElement(a, i) => self.extract_element(a, i, ty, signed),
            Op::VaArg(list, ty) => self.va_arg(list, *ty, signed),
            Op::AtomicRmw(how, p, v) => self.atomic(how, p, v, r),
            _ => {
                let hir = self.ty(ty, signed);
                self.approximation(hir, "instruction")
            }
        }
    }

    /// What a load from the place depends on.
    pub(super) fn read(&mut self, place: &Place) {
        let mut p = place;
        loop {
            match &p.kind {
                PlaceKind::Local(l) => {
                    if self.f.escaping.contains(l) {
                        self.f.reads.memory = true;
                    } else if !self.f.reads.objects.contains(l) {
                        self.f.reads.objects.push(*l);
                    }
                    return;
                }
                PlaceKind::Field { base, .. } => p = base,
                PlaceKind::Index { base, .. } => {
                    self.f.reads.traps = true;
                    p = base;
                }
                PlaceKind::Global(_) | PlaceKind::String(_) => {
                    self.f.reads.memory = true;
                    return;
                }
                _ => {
                    self.f.reads.memory = true;
                    self.f.reads.traps = true;
                    return;
                }
            }
        }
    }

    /// What waits and may be undefined is computed now.
    fn settle_traps(&mut self) {
        self.flush(&|r| r.traps);
    }

    pub(super) fn low_bit(&mut self, e: Expr) -> Expr {
        if self.unit.types.int_kind(e.ty) == Some(IntKind::Bool) {
            return e;
        }
        let low = self.narrow(e, 1, false);
        let zero = self.number(0, low.ty);
        self.binary(BinaryOp::Ne, low, zero)
    }

    fn store(&mut self, v: &Typed<'t>, p: &Value<'t>) {
        if self.is_aggregate(v.ty) {
            let place = self.access(p, v.ty);
            self.flush_writes(&place);
            self.fill_from(&place, v);
            return;
        }
        if let Some(bits) = self.odd_bits(v.ty) {
            if !matches!(v.value, Value::Undef | Value::Poison) {
                self.store_odd(v, p, bits);
            }
            return;
        }
        self.f.access_sign = self.sign_of(&v.value);
        let place = self.access(p, v.ty);
        self.f.access_sign = None;
        if matches!(v.value, Value::Undef | Value::Poison) {
            return;
        }
        let signed = self.sign_in(place.ty);
        let e = self.scalar(&v.value, v.ty, signed);
        let e = self.cast(e, place.ty);
        self.flush_writes(&place);
        self.emit_assign(place, e);
    }

    /// Computes what would see the write.
    pub(super) fn flush_writes(&mut self, place: &Place) {
        match place.kind {
            PlaceKind::Local(l) if !self.f.escaping.contains(&l) => {
                self.flush(&|r| r.memory || r.objects.contains(&l));
            }
            _ => self.flush(&|r| r.memory || !r.objects.is_empty()),
        }
    }
}
