//! The intrinsics of LLVM: `llvm.memcpy`, `llvm.sadd.with.overflow`, …

use super::super::module::{Call, Type, Typed, Value, ValueId};
use super::Translator;
use crate::c::hir::{BinaryOp, Expr, ExprKind, LocalKind, Place};
use crate::c::types::IntKind;

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
                    if !self.lane_intrinsic(stem, word, call, r, &place) {
                        self.lost(&place, &format!("llvm.{word}"));
                    }
                    return;
                }
                let e = self.pure_intrinsic(stem, word, call, r);
                self.define(r, e);
            }
        }
    }

    pub(super) fn pure_intrinsic(
        &mut self,
        stem: &str,
        word: &str,
        call: &Call<'t>,
        r: ValueId,
    ) -> Expr {
        let ty = call.ret;
        let signed = self.signs.value(self.f.index, r);
        if let Some(e) = self.reduction(word, call, signed) {
            return e;
        }
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
            ("minnum" | "maxnum", args) => {
                let float = matches!(
                    self.module.get(ty),
                    Type::Float(super::super::module::FloatType::Float)
                );
                let which = if stem == "minnum" { "fmin" } else { "fmax" };
                let name = format!("__builtin_{which}{}", if float { "f" } else { "" });
                let args: Vec<Expr> = args
                    .iter()
                    .map(|a| self.scalar(&a.value, a.ty, false))
                    .collect();
                self.intrinsic(name, args, hir)
            }
            // Machines without a fused operation round twice.
            ("fmuladd", [a, b, c]) => {
                let (x, y) = (
                    self.scalar(&a.value, a.ty, false),
                    self.scalar(&b.value, b.ty, false),
                );
                let z = self.scalar(&c.value, c.ty, false);
                let product = self.binary(BinaryOp::Mul, x, y);
                self.binary(BinaryOp::Add, product, z)
            }
            ("fptosi" | "fptoui", [a]) if word.contains(".sat") && scalar && bits <= 64 => {
                self.saturating_number(stem == "fptosi", a, bits, signed)
            }
            ("bitreverse", [a]) if scalar && bits <= 64 => {
                let x = self.kept_operand(a, false);
                let ty = self.int_type(bits, false);
                let mut sum = self.number(0, ty);
                for k in 0..bits {
                    let (from, to) = (i128::from(k), i128::from(bits - 1 - k));
                    let (from, to) = (self.number(from, ty), self.number(to, ty));
                    let one = self.number(1, ty);
                    let bit = self.binary(BinaryOp::Shr, x.clone(), from);
                    let bit = self.binary(BinaryOp::BitAnd, bit, one);
                    let bit = self.binary(BinaryOp::Shl, bit, to);
                    sum = self.binary(BinaryOp::BitOr, sum, bit);
                }
                self.with_sign(sum, bits, signed)
            }
            // Unknown: the least or the greatest size.
            ("objectsize", [_, least, ..]) => {
                let least = matches!(least.value, Value::Int(1));
                self.number(if least { 0 } else { -1 }, hir)
            }
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
        self.held(e)
    }

    /// The value now, in a local unless it is a constant.
    pub(super) fn held(&mut self, e: Expr) -> Expr {
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

    /// The integer nearest to zero, kept inside its type; zero for what is no number.
    fn saturating_number(&mut self, s: bool, a: &Typed<'t>, bits: u32, signed: bool) -> Expr {
        let x = self.kept_operand(a, false);
        let float = matches!(
            self.module.get(a.ty),
            Type::Float(super::super::module::FloatType::Float)
        );
        let constant = |t: &Self, value: f64| {
            let pattern = if float {
                u128::from((value as f32).to_bits())
            } else {
                u128::from(value.to_bits())
            };
            t.expr(ExprKind::Float(pattern), x.ty)
        };
        let (least, greatest) = limits(bits, s);
        // Both bounds are powers of two, or zero.
        let (from, to) = (
            constant(self, least as f64),
            constant(self, (greatest as f64 + 1.0).round()),
        );
        let ty = self.int_type(bits, s);
        let (least, greatest) = (self.number(least, ty), self.number(greatest, ty));
        let inside = self.cast(x.clone(), ty);
        let above = self.binary(BinaryOp::Ge, x.clone(), to);
        let e = self.conditional(above, greatest, inside);
        let below = self.binary(BinaryOp::Le, x.clone(), from);
        let e = self.conditional(below, least, e);
        let number = self.binary(BinaryOp::Eq, x.clone(), x);
        let zero = self.number(0, ty);
        let e = self.conditional(number, e, zero);
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
        let all = self.module.int_bits(a.ty);
        if all == Some(128) {
            return self.overflow_128(op, signed, (a, b), &place);
        }
        let Some(bits) = all.filter(|b| *b <= 64 || op != BinaryOp::Mul && *b <= 127) else {
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

    /// The same where no type holds the exact result: by the operands and the low bits of the result.
    fn overflow_128(
        &mut self,
        op: BinaryOp,
        signed: bool,
        (a, b): (&Typed<'t>, &Typed<'t>),
        place: &Place,
    ) {
        let (plain, number) = (self.int_type(128, false), self.int_type(128, signed));
        let (x, y) = (self.kept_operand(a, signed), self.kept_operand(b, signed));
        let (x, y) = (self.held(x), self.held(y));
        let (low_x, low_y) = (self.cast(x.clone(), plain), self.cast(y.clone(), plain));
        let low = self.binary(op, low_x, low_y);
        let result = self.cast(low, number);
        let result = self.held(result);
        let zero = self.number(0, number);
        let over = match (op, signed) {
            (BinaryOp::Add, false) => self.binary(BinaryOp::Lt, result.clone(), x),
            (BinaryOp::Sub, false) => self.binary(BinaryOp::Lt, x, y),
            (BinaryOp::Add | BinaryOp::Sub, true) => {
                // The sign is wrong: other than both operands have, or than the first one has and the second has not.
                let negative = |t: &mut Self, e: Expr| t.binary(BinaryOp::Lt, e, zero.clone());
                let (of_x, of_y) = (negative(self, x), negative(self, y));
                let of_result = negative(self, result.clone());
                let alike = if op == BinaryOp::Add {
                    BinaryOp::Eq
                } else {
                    BinaryOp::Ne
                };
                let alike = self.binary(alike, of_x.clone(), of_y);
                let other = self.binary(BinaryOp::Ne, of_x, of_result);
                self.both(alike, other)
            }
            _ => {
                let some = self.binary(BinaryOp::Ne, x.clone(), zero.clone());
                let back = self.binary(BinaryOp::Div, result.clone(), x.clone());
                let mut over = self.binary(BinaryOp::Ne, back, y.clone());
                if signed {
                    let (minus, least) = (self.number(-1, number), self.number(i128::MIN, number));
                    let first = self.binary(BinaryOp::Eq, x, minus);
                    let second = self.binary(BinaryOp::Eq, y, least);
                    let corner = self.both(first, second);
                    over = self.either(corner, over);
                }
                self.both(some, over)
            }
        };
        let (first, second) = (
            self.element_place(place.clone(), 0),
            self.element_place(place.clone(), 1),
        );
        let over = self.cast(over, second.ty);
        self.emit_assign(second, over);
        let value = self.cast(result, first.ty);
        self.emit_assign(first, value);
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
    let (op, signed) = match stem {
        "sadd" => (BinaryOp::Add, true),
        "uadd" => (BinaryOp::Add, false),
        "ssub" => (BinaryOp::Sub, true),
        "usub" => (BinaryOp::Sub, false),
        "smul" => (BinaryOp::Mul, true),
        "umul" => (BinaryOp::Mul, false),
        _ => return None,
    };
    Some((op, signed))
}

/// Least and greatest number.
fn limits(bits: u32, signed: bool) -> (i128, i128) {
    if signed {
        (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
    } else {
        (0, (1i128 << bits) - 1)
    }
}
