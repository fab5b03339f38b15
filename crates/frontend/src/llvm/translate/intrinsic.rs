//! The intrinsics of LLVM: `llvm.memcpy`, `llvm.sadd.with.overflow`, …

use super::super::module::{Call, Type, Typed, Value, ValueId};
use super::Translator;
use super::place::Pointer;
use crate::c::hir::{BinaryOp, Expr, ExprKind, LocalKind};
use crate::c::types::IntKind;

/// Copies and fills of up to this many scalars are written out.
const WRITTEN_OUT: usize = 64;

impl<'t> Translator<'_, 't> {
    pub(super) fn llvm_intrinsic(&mut self, word: &str, call: &Call<'t>, result: Option<ValueId>) {
        let args = call.args.as_slice();
        if word.starts_with("memcpy") || word.starts_with("memmove") {
            return self.memory_copy(word, call);
        }
        if word.starts_with("memset") {
            return self.memory_set(call);
        }
        if let Some((op, signed)) = with_overflow(word)
            && let (Some(r), [a, b]) = (result, args)
        {
            return self.overflow(op, signed, a, b, r);
        }
        let stem = word.split('.').next().unwrap_or(word);
        let void = self.unit.types.void();
        match (stem, args) {
            ("assume", [c, ..]) => {
                let c = self.truth(&c.value);
                self.flush(&|r| r.memory || r.traps);
                let e = self.intrinsic("__builtin_assume", vec![c], void);
                self.emit_expr(e);
            }
            ("trap" | "ubsantrap" | "debugtrap", _) => {
                self.flush(&|r| r.memory || r.traps);
                let e = self.intrinsic("__builtin_trap", Vec::new(), void);
                self.emit_expr(e);
            }
            ("va_start" | "va_end" | "va_copy", _) => self.variadic(stem, call),
            ("stacksave" | "stackrestore" | "donothing" | "prefetch" | "sideeffect" | "var", _) => {
                if let Some(r) = result.filter(|r| self.f.uses[r.0 as usize] > 0) {
                    let null = self.null();
                    self.give(null, Some(r));
                }
            }
            _ => {
                let Some(r) = result else { return };
                let ty = call.ret;
                if self.is_aggregate(ty) {
                    let local = self.local_of(r);
                    let place = self.local_place(local);
                    self.lost(&place, &format!("llvm.{word}"));
                    return;
                }
                let e = self.pure_intrinsic(stem, word, call, r);
                self.define(r, e);
            }
        }
    }

    fn pure_intrinsic(&mut self, stem: &str, word: &str, call: &Call<'t>, r: ValueId) -> Expr {
        let ty = call.ret;
        let signed = self.signs.value(self.f.index, r);
        let hir = self.ty(ty, signed);
        let bits = self.module.int_bits(ty).unwrap_or(0);
        let scalar = matches!(self.module.get(ty), Type::Int(b) if *b > 1 && *b <= 128);
        match (stem, call.args.as_slice()) {
            (
                "expect" | "ssa_copy" | "ssa" | "annotation" | "launder" | "strip" | "ptrmask",
                [a, ..],
            ) if stem != "ptrmask" => {
                let e = self.scalar(&a.value, a.ty, signed);
                self.cast(e, hir)
            }
            ("threadlocal", [a]) => {
                let e = self.scalar(&a.value, a.ty, signed);
                self.cast(e, hir)
            }
            ("abs", [a, ..]) if scalar => {
                let x = self.kept_operand(a, true);
                let wide = self.wider(bits);
                let y = self.cast(x.clone(), wide);
                let minus = self.expr(
                    ExprKind::Unary(crate::c::hir::UnaryOp::Neg, Box::new(y)),
                    wide,
                );
                let zero = self.number(0, x.ty);
                let negative = self.binary(BinaryOp::Lt, x.clone(), zero);
                let same = x.ty;
                let minus = self.cast(minus, same);
                let e = self.conditional(negative, minus, x);
                self.with_sign(e, bits, signed)
            }
            ("smax" | "smin" | "umax" | "umin", [a, b]) if scalar => {
                let s = stem.starts_with('s');
                let (x, y) = (self.kept_operand(a, s), self.kept_operand(b, s));
                let op = if stem.ends_with("max") {
                    BinaryOp::Gt
                } else {
                    BinaryOp::Lt
                };
                let c = self.binary(op, x.clone(), y.clone());
                let e = self.conditional(c, x, y);
                self.with_sign(e, bits, signed)
            }
            ("uadd" | "usub" | "sadd" | "ssub", [a, b]) if scalar && word.contains(".sat") => {
                self.saturating(stem, a, b, bits, signed)
            }
            ("scmp" | "ucmp", [a, b]) => {
                let s = stem == "scmp";
                let (x, y) = (self.kept_operand(a, s), self.kept_operand(b, s));
                let less = self.binary(BinaryOp::Lt, x.clone(), y.clone());
                let more = self.binary(BinaryOp::Gt, x, y);
                let kept = self.int_type(bits, true);
                let values = [-1, 0, 1].map(|n| self.number(n, kept));
                let [minus, zero, one] = values;
                let rest = self.conditional(more, one, zero);
                let e = self.conditional(less, minus, rest);
                self.with_sign(e, bits, signed)
            }
            ("fshl" | "fshr", [a, b, n]) if scalar && bits <= 64 => {
                self.funnel(stem == "fshl", a, b, n, bits, signed)
            }
            ("ctpop" | "ctlz" | "cttz", [a, ..]) if scalar && bits <= 64 => {
                let name = match (stem, bits > 32) {
                    ("ctpop", false) => "__builtin_popcount",
                    ("ctpop", true) => "__builtin_popcountll",
                    ("ctlz", false) => "__builtin_clz",
                    ("ctlz", true) => "__builtin_clzll",
                    ("cttz", false) => "__builtin_ctz",
                    _ => "__builtin_ctzll",
                };
                self.count_bits(name, stem, a, bits, hir)
            }
            ("bswap", [a]) if matches!(bits, 16 | 32 | 64) => {
                let name = format!("__builtin_bswap{bits}");
                let x = self.scalar(&a.value, a.ty, false);
                let to = x.ty;
                let e = self.intrinsic(name, vec![x], to);
                self.with_sign(e, bits, signed)
            }
            (
                "fabs" | "sqrt" | "floor" | "ceil" | "trunc" | "round" | "rint" | "pow" | "sin"
                | "cos" | "exp" | "log" | "copysign",
                args,
            ) => {
                let float = matches!(
                    self.module.get(ty),
                    Type::Float(super::super::module::FloatType::Float)
                );
                let name = format!("__builtin_{stem}{}", if float { "f" } else { "" });
                let args: Vec<Expr> = args
                    .iter()
                    .map(|a| self.scalar(&a.value, a.ty, false))
                    .collect();
                self.intrinsic(name, args, hir)
            }
            ("objectsize", _) => self.number(-1, hir),
            ("is", _) if word.starts_with("is.constant") => self.int(0),
            ("eh", [a]) if word.starts_with("eh.typeid.for") => {
                let id = self.type_number(&a.value);
                self.number(i128::from(id), hir)
            }
            _ => {
                for a in &call.args {
                    if !self.is_aggregate(a.ty)
                        && !matches!(self.module.get(a.ty), Type::Metadata | Type::Other)
                    {
                        let s = self.signs.default_signed();
                        self.scalar(&a.value, a.ty, s);
                    }
                }
                self.approximation(hir, &format!("llvm.{word}"))
            }
        }
    }

    /// An operand that is used more than once: in a local unless it is simple.
    fn kept_operand(&mut self, a: &Typed<'t>, signed: bool) -> Expr {
        let e = self.scalar(&a.value, a.ty, signed);
        if e.as_int().is_some() {
            return e;
        }
        let local = self.new_local("", e.ty, LocalKind::Auto);
        let place = self.local_place(local);
        self.emit_assign(place.clone(), e);
        self.load(place)
    }

    /// A signed type that holds every sum and product of numbers of so many bits.
    fn wider(&mut self, bits: u32) -> crate::c::types::TypeId {
        self.int_type((bits * 2).min(128), true)
    }

    fn saturating(
        &mut self,
        stem: &str,
        a: &Typed<'t>,
        b: &Typed<'t>,
        bits: u32,
        signed: bool,
    ) -> Expr {
        let s = stem.starts_with('s');
        let wide = self.wider(bits);
        let (x, y) = (self.kept_operand(a, s), self.kept_operand(b, s));
        let (x, y) = (self.cast(x, wide), self.cast(y, wide));
        let op = if stem.ends_with("add") {
            BinaryOp::Add
        } else {
            BinaryOp::Sub
        };
        let sum = self.binary(op, x, y);
        let (low, high) = limits(bits, s);
        let (low, high) = (self.number(low, wide), self.number(high, wide));
        let below = self.binary(BinaryOp::Lt, sum.clone(), low.clone());
        let above = self.binary(BinaryOp::Gt, sum.clone(), high.clone());
        let inner = self.conditional(above, high, sum);
        let e = self.conditional(below, low, inner);
        let to = self.int_type(bits, s);
        let e = self.cast(e, to);
        self.with_sign(e, bits, signed)
    }

    fn funnel(
        &mut self,
        left: bool,
        a: &Typed<'t>,
        b: &Typed<'t>,
        n: &Typed<'t>,
        bits: u32,
        signed: bool,
    ) -> Expr {
        let wide = self.int_type(bits * 2, false);
        let (x, y) = (self.kept_operand(a, false), self.kept_operand(b, false));
        let (x, y) = (self.cast(x, wide), self.cast(y, wide));
        let n = self.kept_operand(n, false);
        let n = self.cast(n, wide);
        let width = self.number(i128::from(bits), wide);
        let amount = self.binary(BinaryOp::Rem, n, width.clone());
        let high = self.binary(BinaryOp::Shl, x, width.clone());
        let both = self.binary(BinaryOp::BitOr, high, y);
        let e = if left {
            let moved = self.binary(BinaryOp::Shl, both, amount);
            self.binary(BinaryOp::Shr, moved, width)
        } else {
            self.binary(BinaryOp::Shr, both, amount)
        };
        let to = self.int_type(bits, false);
        let e = self.cast(e, to);
        self.with_sign(e, bits, signed)
    }

    fn count_bits(
        &mut self,
        name: &str,
        stem: &str,
        a: &Typed<'t>,
        bits: u32,
        hir: crate::c::types::TypeId,
    ) -> Expr {
        let x = self.kept_operand(a, false);
        let container = if bits > 32 { 64 } else { 32 };
        let wide = self.int_type(container, false);
        let x = self.cast(x, wide);
        let int = self.unit.types.int(IntKind::Int);
        let mut e = self.intrinsic(name, vec![x.clone()], int);
        if stem == "ctlz" && bits < container {
            let more = self.int(i128::from(container - bits));
            e = self.binary(BinaryOp::Sub, e, more);
        }
        if stem != "ctpop" {
            let zero = self.number(0, wide);
            let none = self.binary(BinaryOp::Eq, x, zero);
            let all = self.int(i128::from(bits));
            e = self.conditional(none, all, e);
        }
        let e = self.cast(e, hir);
        // Models of the library are called where they stand.
        let local = self.new_local("", hir, LocalKind::Auto);
        let place = self.local_place(local);
        self.emit_assign(place.clone(), e);
        self.load(place)
    }

    /// `{ iN, i1 } @llvm.sadd.with.overflow.iN`
    fn overflow(&mut self, op: BinaryOp, signed: bool, a: &Typed<'t>, b: &Typed<'t>, r: ValueId) {
        let result = self.local_of(r);
        let place = self.local_place(result);
        let Some(bits) = self
            .module
            .int_bits(a.ty)
            .filter(|b| *b <= 64 || op != BinaryOp::Mul && *b <= 127)
        else {
            self.lost(&place, "overflow of wide integers");
            return;
        };
        let wide = self.wider(bits);
        let (x, y) = (self.kept_operand(a, signed), self.kept_operand(b, signed));
        let (x, y) = (self.cast(x, wide), self.cast(y, wide));
        let exact = self.binary(op, x, y);
        let (low, high) = limits(bits, signed);
        let (low, high) = (self.number(low, wide), self.number(high, wide));
        let below = self.binary(BinaryOp::Lt, exact.clone(), low);
        let above = self.binary(BinaryOp::Gt, exact.clone(), high);
        let over = self.either(below, above);
        let (first, second) = (
            self.element_place(place.clone(), 0),
            self.element_place(place, 1),
        );
        let to = self.int_type(bits, signed);
        let value = self.cast(exact, to);
        let value = if matches!(bits, 8 | 16 | 32 | 64 | 128) {
            value
        } else {
            self.narrow(value, bits, signed)
        };
        let value = self.cast(value, first.ty);
        let over = self.cast(over, second.ty);
        self.emit_assign(second, over);
        self.emit_assign(first, value);
    }

    fn size_expr(&mut self, n: &Typed<'t>) -> Expr {
        let size_t = self.unit.types.size_t();
        let e = self.scalar(&n.value, n.ty, false);
        self.cast(e, size_t)
    }

    fn memory_copy(&mut self, word: &str, call: &Call<'t>) {
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
    fn fix_addresses(&mut self, args: &[Typed<'t>]) {
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

    fn memory_set(&mut self, call: &Call<'t>) {
        let [to, byte, n, ..] = call.args.as_slice() else {
            return;
        };
        self.fix_addresses(&call.args);
        if let (Value::Int(0), Value::Int(n)) = (&byte.value, &n.value)
            && let Pointer::To(place) = self.pointer(&to.value)
            && let Some(place) = self.sized(place, *n as u64)
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

    fn variadic(&mut self, stem: &str, call: &Call<'t>) {
        let void = self.unit.types.void();
        let va_list = self.unit.types.va_list();
        self.fix_addresses(&call.args);
        let mut args = Vec::new();
        for a in &call.args {
            let p = self.pointer(&a.value);
            let e = self.pointer_value(p);
            let place = self.deref(e, va_list);
            let first = self.unit.types.element(va_list);
            args.push(match first {
                Some(_) => {
                    let zero = self.int(0);
                    let place = self.index_place(place, zero);
                    self.address(place)
                }
                None => self.load(place),
            });
        }
        self.flush(&|r| r.memory || r.traps || !r.objects.is_empty());
        if stem != "va_end" && self.unit.types.element(va_list).is_some() {
            self.no_registers(&call.args);
        }
        let e = self.intrinsic(format!("__builtin_{stem}"), args, void);
        self.emit_expr(e);
    }

    /// Arguments lie in one area behind each other: none is in a saved register, which is what the
    /// offsets of x86-64 say when they are past the end. Compilers write these tests out.
    fn no_registers(&mut self, args: &[Typed<'t>]) {
        let va_list = self.unit.types.va_list();
        let Some(list) = args.first() else { return };
        for (field, end) in [(0, 48), (1, 176)] {
            let p = self.pointer(&list.value);
            let e = self.pointer_value(p);
            let place = self.deref(e, va_list);
            let zero = self.int(0);
            let place = self.index_place(place, zero);
            let place = self.field_place(place, field);
            let end = self.number(end, place.ty);
            self.emit_assign(place, end);
        }
    }
}

fn with_overflow(word: &str) -> Option<(BinaryOp, bool)> {
    let (stem, rest) = word.split_once('.')?;
    if !rest.starts_with("with.overflow") {
        return None;
    }
    let op = match &stem[1..] {
        "add" => BinaryOp::Add,
        "sub" => BinaryOp::Sub,
        _ => BinaryOp::Mul,
    };
    Some((op, stem.starts_with('s')))
}

/// Least and greatest number.
fn limits(bits: u32, signed: bool) -> (i128, i128) {
    if signed {
        (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
    } else {
        (0, (1i128 << bits) - 1)
    }
}
