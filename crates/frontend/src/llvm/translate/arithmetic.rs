//! Operators of numbers: integers of any width, truth values, floats, conversions.

use super::super::module::{Flags, Op, Ty, Type, Typed, Value};
use super::Translator;
use crate::c::hir::{BinaryOp, Expr, ExprKind, StmtKind, UnaryOp};
use crate::c::types::IntKind;

impl<'t> Translator<'_, 't> {
    pub(super) fn binary_op(
        &mut self,
        name: &str,
        flags: Flags,
        ty: Ty,
        a: &Value<'t>,
        b: &Value<'t>,
        signed: bool,
    ) -> Expr {
        let module = self.module;
        let bits = match module.get(ty) {
            Type::Int(1) => return self.truth_op(name, a, b),
            Type::Int(bits) => *bits,
            Type::Float(_) => return self.float_op(name, ty, a, b),
            _ => {
                let hir = self.ty(ty, signed);
                return self.approximation(hir, "instruction");
            }
        };
        let (op, computed) = match name {
            "add" => (BinaryOp::Add, flags.nsw),
            "sub" => (BinaryOp::Sub, flags.nsw),
            "mul" => (BinaryOp::Mul, flags.nsw),
            "udiv" => (BinaryOp::Div, false),
            "sdiv" => (BinaryOp::Div, true),
            "urem" => (BinaryOp::Rem, false),
            "srem" => (BinaryOp::Rem, true),
            "shl" => (BinaryOp::Shl, false),
            "lshr" => (BinaryOp::Shr, false),
            "ashr" => (BinaryOp::Shr, true),
            "and" => (BinaryOp::BitAnd, signed),
            "or" => (BinaryOp::BitOr, signed),
            _ => (BinaryOp::BitXor, signed),
        };
        if name == "xor" && matches!(b, Value::Int(-1)) {
            let x = self.scalar(a, ty, signed);
            let to = x.ty;
            let e = self.expr(ExprKind::Unary(UnaryOp::BitNot, Box::new(x)), to);
            return self.kept(e, bits, signed);
        }
        self.f.reads.traps |= matches!(op, BinaryOp::Div | BinaryOp::Rem);
        let x = match self.address_again(a).filter(|_| name == "and") {
            Some(address) => self.with_sign(address, bits, computed),
            None => self.scalar(a, ty, computed),
        };
        // The amount of a shift is a number without sign.
        let y = self.scalar(b, ty, computed && !op.is_shift());
        // `x + -1` is `x - 1`.
        let (op, y) = match (op, y.as_int()) {
            (BinaryOp::Add, Some(n)) if n < 0 && n != i128::MIN && computed => {
                let n = self.number(-n, y.ty);
                (BinaryOp::Sub, n)
            }
            _ => (op, y),
        };
        let e = self.binary(op, x, y);
        self.kept(e, bits, signed)
    }

    /// An address that was made a number before, from its pointer: what is promised of it is known there.
    ///
    /// // Sound because a pointer gets a new value only where this number, which it is in front of, gets one too.
    fn address_again(&mut self, v: &Value<'t>) -> Option<Expr> {
        let Value::Local(id) = v else { return None };
        let Some(Op::Cast("ptrtoint", _, from, to)) = self.f.defs[id.0 as usize] else {
            return None;
        };
        let address = self.unit.types.size_t();
        let whole = self.module.int_bits(*to).map(|b| u64::from(b) / 8);
        let Value::Local(pointer) = from.value else {
            return None;
        };
        let waits = self.f.waiting.contains_key(id) || self.is_symbolic(pointer);
        let local = self.f.locals[pointer.0 as usize].filter(|_| !waits)?;
        if whole != Some(self.unit.types.pointer_size()) {
            return None;
        }
        let place = self.local_place(local);
        let pointer = self.load(place);
        Some(self.cast(pointer, address))
    }

    /// The low bits of a result, with the sign that it is kept with.
    fn kept(&mut self, e: Expr, bits: u32, signed: bool) -> Expr {
        let to = self.int_type(bits, signed);
        if matches!(bits, 8 | 16 | 32 | 64 | 128) {
            return self.cast(e, to);
        }
        let e = self.cast(e, to);
        self.narrow(e, bits, signed)
    }

    fn truth_op(&mut self, name: &str, a: &Value<'t>, b: &Value<'t>) -> Expr {
        let x = self.truth(a);
        if matches!((name, b), ("xor" | "add" | "sub", Value::Int(n)) if *n != 0) {
            return self.not(x);
        }
        let y = self.truth(b);
        match name {
            "and" | "mul" => self.both(x, y),
            "or" => self.either(x, y),
            _ => {
                let (x, y) = (self.not(x), self.not(y));
                self.binary(BinaryOp::Ne, x, y)
            }
        }
    }

    fn float_op(&mut self, name: &str, ty: Ty, a: &Value<'t>, b: &Value<'t>) -> Expr {
        let op = match name {
            "fadd" => BinaryOp::Add,
            "fsub" => BinaryOp::Sub,
            "fmul" => BinaryOp::Mul,
            "fdiv" => BinaryOp::Div,
            _ => {
                let hir = self.ty(ty, false);
                return self.approximation(hir, "frem");
            }
        };
        let (x, y) = (self.scalar(a, ty, false), self.scalar(b, ty, false));
        if !self.unit.types.is_float(x.ty) {
            let hir = x.ty;
            return self.approximation(hir, "half precision");
        }
        self.binary(op, x, y)
    }

    pub(super) fn float_compare(
        &mut self,
        how: &str,
        ty: Ty,
        a: &Value<'t>,
        b: &Value<'t>,
    ) -> Expr {
        let (x, y) = (self.scalar(a, ty, false), self.scalar(b, ty, false));
        if !self.unit.types.is_float(x.ty) {
            let bool = self.unit.types.int(IntKind::Bool);
            return self.approximation(bool, "half precision");
        }
        let make = |t: &mut Self, op: BinaryOp| t.binary(op, x.clone(), y.clone());
        match how {
            "false" => self.int(0),
            "true" => self.int(1),
            "oeq" => make(self, BinaryOp::Eq),
            "une" => make(self, BinaryOp::Ne),
            "olt" => make(self, BinaryOp::Lt),
            "ole" => make(self, BinaryOp::Le),
            "ogt" => make(self, BinaryOp::Gt),
            "oge" => make(self, BinaryOp::Ge),
            "one" | "ueq" => {
                let (less, more) = (make(self, BinaryOp::Lt), make(self, BinaryOp::Gt));
                let e = self.either(less, more);
                if how == "one" { e } else { self.not(e) }
            }
            "ord" | "uno" => {
                let same = |t: &mut Self, v: &Expr| t.binary(BinaryOp::Eq, v.clone(), v.clone());
                let (p, q) = (same(self, &x), same(self, &y));
                let e = self.both(p, q);
                if how == "ord" { e } else { self.not(e) }
            }
            _ => {
                let opposite = match how {
                    "ult" => BinaryOp::Ge,
                    "ule" => BinaryOp::Gt,
                    "ugt" => BinaryOp::Le,
                    _ => BinaryOp::Lt,
                };
                let e = make(self, opposite);
                self.not(e)
            }
        }
    }

    pub(super) fn cast_op(&mut self, how: &str, a: &Typed<'t>, to: Ty, signed: bool) -> Expr {
        let module = self.module;
        let hir = self.ty(to, signed);
        let bits = module.int_bits(to).unwrap_or(0);
        let from_bit = module.int_bits(a.ty) == Some(1);
        match how {
            "zext" | "uitofp" => {
                let e = self.scalar(&a.value, a.ty, false);
                self.cast(e, hir)
            }
            "sext" | "sitofp" if from_bit => {
                let e = self.truth(&a.value);
                let (minus, zero) = match how {
                    "sext" => {
                        let m = super::value::truncate(-1, bits, signed);
                        (self.number(m, hir), self.number(0, hir))
                    }
                    _ => {
                        let (m, z) = (self.int(-1), self.int(0));
                        (self.cast(m, hir), self.cast(z, hir))
                    }
                };
                self.conditional(e, minus, zero)
            }
            "sext" => {
                let e = self.scalar(&a.value, a.ty, true);
                let wide = self.int_type(bits, true);
                let e = self.cast(e, wide);
                self.with_sign(e, bits, signed)
            }
            "sitofp" => {
                let e = self.scalar(&a.value, a.ty, true);
                self.cast(e, hir)
            }
            "trunc" => {
                let sign = self.sign_of(&a.value).unwrap_or(false);
                let e = self.scalar(&a.value, a.ty, sign);
                if bits == 1 {
                    return self.low_bit(e);
                }
                self.kept(e, bits, signed)
            }
            "fptosi" | "fptoui" => {
                let e = self.scalar(&a.value, a.ty, false);
                let number = self.int_type(bits, how == "fptosi");
                let e = self.cast(e, number);
                self.kept(e, bits, signed)
            }
            "fpext" | "fptrunc" => {
                let e = self.scalar(&a.value, a.ty, false);
                if !self.unit.types.is_float(e.ty) || !self.unit.types.is_float(hir) {
                    return self.approximation(hir, "half precision");
                }
                self.cast(e, hir)
            }
            "ptrtoint" | "ptrtoaddr" => {
                let e = self.scalar(&a.value, a.ty, false);
                let address = self.unit.types.size_t();
                let e = self.cast(e, address);
                self.kept(e, bits, signed)
            }
            "inttoptr" => {
                let e = self.scalar(&a.value, a.ty, false);
                let address = self.unit.types.size_t();
                let e = self.cast(e, address);
                self.cast(e, hir)
            }
            _ => self.reinterpret(a, to, signed),
        }
    }

    /// `bitcast`: the same bits as another type, through memory.
    fn reinterpret(&mut self, a: &Typed<'t>, to: Ty, signed: bool) -> Expr {
        let hir = self.ty(to, signed);
        if !self.is_aggregate(a.ty) {
            let e = self.scalar(&a.value, a.ty, signed);
            if e.ty == hir {
                return e;
            }
            let both_int = self.unit.types.is_integer(e.ty) && self.unit.types.is_integer(hir);
            if both_int || self.unit.types.is_pointer(e.ty) {
                return self.cast(e, hir);
            }
            let local = self.new_local("", e.ty, crate::c::hir::LocalKind::Auto);
            self.emit(StmtKind::Decl { local, init: None });
            let place = self.local_place(local);
            self.emit_assign(place.clone(), e);
            let address = self.address(place);
            let place = self.deref(address, hir);
            self.f.reads.memory = true;
            return self.load(place);
        }
        let place = self.aggregate(a);
        let address = self.address(place);
        let place = self.deref(address, hir);
        self.f.reads.memory = true;
        self.load(place)
    }
}
