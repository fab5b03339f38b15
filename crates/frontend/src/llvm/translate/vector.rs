//! Vectors: in locals as arrays, operations lane by lane.

use super::super::module::{Call, Op, Ty, Type, Typed, Value, ValueId};
use super::Translator;
use crate::c::hir::{BinaryOp, Expr, ExprKind, LocalKind, Place, UnaryOp};

/// Vectors of more lanes are approximated.
const LANES: u64 = 64;

impl<'t> Translator<'_, 't> {
    pub(super) fn shuffle(
        &mut self,
        place: &Place,
        a: &Typed<'t>,
        b: &Typed<'t>,
        mask: &Typed<'t>,
    ) {
        let Type::Vector(n, _) = *self.module.get(a.ty) else {
            return;
        };
        let (x, y) = (self.aggregate(a), self.aggregate(b));
        let picks: Vec<Option<u64>> = match &mask.value {
            Value::Aggregate(list) => list
                .iter()
                .map(|t| match t.value {
                    Value::Int(k) => Some(k as u64),
                    _ => None,
                })
                .collect(),
            Value::Zero => match *self.module.get(mask.ty) {
                Type::Vector(m, _) => vec![Some(0); m as usize],
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        for (k, pick) in picks.into_iter().enumerate() {
            // Poison: what the lane holds is nobody's.
            let Some(pick) = pick.filter(|&pick| pick < 2 * n) else {
                continue;
            };
            let from = if pick < n {
                self.element_place(x.clone(), pick)
            } else {
                self.element_place(y.clone(), pick - n)
            };
            let to = self.element_place(place.clone(), k as u64);
            let value = self.load(from);
            let value = self.cast(value, to.ty);
            self.emit_assign(to, value);
        }
    }

    /// An operation on vectors, lane by lane.
    pub(super) fn lanes(&mut self, op: &Op<'t>, place: &Place, ty: Ty) {
        let Type::Vector(n, element) = *self.module.get(ty) else {
            self.lost(place, "instruction on an aggregate");
            return;
        };
        if n > LANES {
            self.lost(place, "large vector");
            return;
        }
        for k in 0..n {
            let to = self.element_place(place.clone(), k);
            let signed = self.sign_in(to.ty);
            let Some(e) = self.lane_op(op, element, k, signed) else {
                self.lost(place, "vector instruction");
                return;
            };
            let e = self.cast(e, to.ty);
            self.emit_assign(to, e);
        }
    }

    fn lane_op(&mut self, op: &Op<'t>, element: Ty, k: u64, signed: bool) -> Option<Expr> {
        Some(match op {
            Op::Binary(name, flags, vt, a, b) => {
                let (x, y) = (self.lane(a, *vt, k)?, self.lane(b, *vt, k)?);
                self.binary_op(name, *flags, element, &x, &y, signed)
            }
            Op::ICmp(how, vt, a, b) => {
                let (x, y) = (self.lane(a, *vt, k)?, self.lane(b, *vt, k)?);
                let (_, e) = self.vector_type(*vt)?;
                self.compare(how, e, &x, &y)
            }
            Op::FCmp(how, vt, a, b) => {
                let (x, y) = (self.lane(a, *vt, k)?, self.lane(b, *vt, k)?);
                let (_, e) = self.vector_type(*vt)?;
                self.float_compare(how, e, &x, &y)
            }
            Op::FNeg(vt, a) => {
                let x = self.lane(a, *vt, k)?;
                let x = self.scalar(&x, element, false);
                let to = x.ty;
                self.expr(ExprKind::Unary(UnaryOp::Neg, Box::new(x)), to)
            }
            Op::Select(c, a, b) => {
                let c = self.lane(&c.value, c.ty, k)?;
                let (x, y) = (self.lane(&a.value, a.ty, k)?, self.lane(&b.value, b.ty, k)?);
                let c = self.truth(&c);
                let x = self.scalar(&x, element, signed);
                let y = self.scalar(&y, element, signed);
                let y = self.cast(y, x.ty);
                self.conditional(c, x, y)
            }
            Op::Cast(how, _, a, _) => {
                let (_, e) = self.vector_type(a.ty)?;
                let value = self.lane(&a.value, a.ty, k)?;
                self.cast_op(how, &Typed { ty: e, value }, element, signed)
            }
            _ => return None,
        })
    }

    pub(super) fn vector_type(&self, ty: Ty) -> Option<(u64, Ty)> {
        match *self.module.get(ty) {
            Type::Vector(n, e) => Some((n, e)),
            _ => None,
        }
    }

    /// The same bits as a vector: of as many lanes, of others, or of a number.
    pub(super) fn vector_bits(&mut self, place: &Place, a: &Typed<'t>, ty: Ty) {
        let Some((n, element)) = self.vector_type(ty).filter(|(n, _)| *n <= LANES) else {
            self.lost(place, "bits of an aggregate");
            return;
        };
        let bits = self.module.int_bits(element);
        if let (Some(whole), Some(bits)) = (self.module.int_bits(a.ty).filter(|b| *b <= 128), bits)
        {
            let x = self.scalar(&a.value, a.ty, false);
            let x = self.held(x);
            for k in 0..n {
                let by = self.number(i128::from(k) * i128::from(bits), x.ty);
                let moved = self.binary(BinaryOp::Shr, x.clone(), by);
                let to = self.element_place(place.clone(), k);
                let part = if bits == 1 {
                    self.low_bit(moved)
                } else if bits < whole {
                    self.narrow(moved, bits, false)
                } else {
                    moved
                };
                let part = self.cast(part, to.ty);
                self.emit_assign(to, part);
            }
            return;
        }
        let from = self.vector_type(a.ty);
        let bytes = |t: &Self, e: Ty| t.module.int_bits(e).is_none_or(|b| b.is_multiple_of(8));
        match from {
            Some((m, e)) if m <= LANES && bytes(self, e) && bytes(self, element) => {
                if m == n && self.module.get(e) == self.module.get(element) {
                    return self.fill_from(place, a);
                }
                let from = self.aggregate(a);
                let size = self.size(ty);
                self.flush(&|r| r.memory || r.traps || !r.objects.is_empty());
                let (to, from) = (self.address(place.clone()), self.address(from));
                let size_t = self.unit.types.size_t();
                let size = self.number(i128::from(size), size_t);
                self.library("memcpy", vec![to, from, size]);
            }
            _ => self.lost(place, "bits of a vector"),
        }
    }

    /// The bits of a vector of integers as one number.
    pub(super) fn vector_number(&mut self, a: &Typed<'t>, ty: Ty, signed: bool) -> Option<Expr> {
        let whole = self.module.int_bits(ty).filter(|b| *b <= 128)?;
        let (n, element) = self.vector_type(a.ty).filter(|(n, _)| *n <= LANES)?;
        let bits = self.module.int_bits(element)?;
        let wide = self.int_type(whole, false);
        let mut sum = self.number(0, wide);
        for k in 0..n {
            let x = self.lane(&a.value, a.ty, k)?;
            let x = self.scalar(&x, element, false);
            let x = self.cast(x, wide);
            let by = self.number(i128::from(k) * i128::from(bits), wide);
            let x = self.binary(BinaryOp::Shl, x, by);
            sum = self.binary(BinaryOp::BitOr, sum, x);
        }
        Some(self.with_sign(sum, whole, signed))
    }

    /// An intrinsic that works on each lane; `false` if it does not.
    pub(super) fn lane_intrinsic(
        &mut self,
        stem: &str,
        word: &str,
        call: &Call<'t>,
        r: ValueId,
        place: &Place,
    ) -> bool {
        const KNOWN: &[&str] = &[
            "abs",
            "smax",
            "smin",
            "umax",
            "umin",
            "uadd",
            "usub",
            "sadd",
            "ssub",
            "fshl",
            "fshr",
            "ctpop",
            "ctlz",
            "cttz",
            "bswap",
            "bitreverse",
            "fabs",
            "sqrt",
            "floor",
            "ceil",
            "trunc",
            "round",
            "rint",
            "copysign",
            "minnum",
            "maxnum",
            "fma",
            "fmuladd",
        ];
        let Some((n, element)) = self.vector_type(call.ret).filter(|(n, _)| *n <= LANES) else {
            return false;
        };
        if !KNOWN.contains(&stem) || word.contains("with.overflow") {
            return false;
        }
        for k in 0..n {
            let mut one = call.clone();
            one.ret = element;
            for a in &mut one.args {
                if let Some((_, e)) = self.vector_type(a.ty) {
                    let Some(value) = self.lane(&a.value, a.ty, k) else {
                        return false;
                    };
                    *a = Typed { ty: e, value };
                }
            }
            let e = self.pure_intrinsic(stem, word, &one, r);
            let to = self.element_place(place.clone(), k);
            let e = self.cast(e, to.ty);
            self.emit_assign(to, e);
        }
        true
    }

    /// `llvm.vector.reduce.add` and the like over integers.
    pub(super) fn reduction(&mut self, word: &str, call: &Call<'t>, signed: bool) -> Option<Expr> {
        let name = word.strip_prefix("vector.reduce.")?.split('.').next()?;
        let [a] = call.args.as_slice() else {
            return None;
        };
        let (n, element) = self.vector_type(a.ty).filter(|(n, _)| *n <= LANES)?;
        let bits = self.module.int_bits(element)?;
        let op = match name {
            "add" | "mul" | "and" | "or" | "xor" => name,
            "smax" | "smin" | "umax" | "umin" => "",
            _ => return None,
        };
        let mut sum = self.lane(&a.value, a.ty, 0)?;
        for k in 1..n {
            let next = self.lane(&a.value, a.ty, k)?;
            let e = if op.is_empty() {
                let s = name.starts_with('s');
                let (x, y) = (
                    self.scalar(&sum, element, s),
                    self.scalar(&next, element, s),
                );
                let op = if name.ends_with("max") {
                    BinaryOp::Gt
                } else {
                    BinaryOp::Lt
                };
                let c = self.binary(op, x.clone(), y.clone());
                self.conditional(c, x, y)
            } else {
                self.binary_op(op, Default::default(), element, &sum, &next, signed)
            };
            sum = self.lane_value(e);
        }
        let e = self.scalar(&sum, element, signed);
        Some(if bits == 1 {
            e
        } else {
            self.with_sign(e, bits, signed)
        })
    }

    /// A lane of a vector operand as a value of its own.
    fn lane(&mut self, v: &Value<'t>, ty: Ty, k: u64) -> Option<Value<'t>> {
        match v {
            Value::Aggregate(list) => Some(list.get(k as usize)?.value.clone()),
            Value::Splat(e) => Some(e.value.clone()),
            Value::Zero => Some(Value::Zero),
            Value::Undef | Value::Poison => Some(Value::Undef),
            Value::Local(_) => {
                // The lane gets a value number of its own that waits like others.
                let typed = Typed {
                    ty,
                    value: v.clone(),
                };
                let place = self.aggregate(&typed);
                let part = self.element_place(place, k);
                let value = self.load(part);
                Some(self.lane_value(value))
            }
            _ => None,
        }
    }

    /// The value as one with a name.
    fn lane_value(&mut self, e: Expr) -> Value<'t> {
        let signed = self.sign_in(e.ty);
        let id = ValueId(self.f.locals.len() as u32);
        let local = self.new_local("", e.ty, LocalKind::Auto);
        let to = self.local_place(local);
        self.emit_assign(to, e);
        self.f.locals.push(Some(local));
        self.f.defs.push(None);
        self.f.uses.push(2);
        self.f.only_here.push(false);
        self.f.vector.push(false);
        self.f.lane_signs.insert(id, signed);
        Value::Local(id)
    }

    /// A lane beyond the end is poison, no error.
    pub(super) fn has_lane(&self, ty: Ty, k: i128) -> bool {
        matches!(self.module.get(ty), Type::Vector(n, _) if (0..i128::from(*n)).contains(&k))
    }

    pub(super) fn extract_element(
        &mut self,
        a: &Typed<'t>,
        i: &Typed<'t>,
        ty: Ty,
        signed: bool,
    ) -> Expr {
        let hir = self.ty(ty, signed);
        let place = self.aggregate(a);
        match i.value {
            Value::Int(k) if !self.has_lane(a.ty, k) => self.approximation(hir, "poison"),
            Value::Int(k) => {
                let part = self.element_place(place, k as u64);
                let e = self.load(part);
                self.cast(e, hir)
            }
            _ => {
                let address = self.address(place);
                let to = self.unit.types.pointer(hir);
                let address = self.cast(address, to);
                let index = self.scalar(&i.value, i.ty, true);
                let size = self.size(ty);
                let moved = self.offset(address, index, size);
                let part = self.deref(moved, hir);
                self.f.reads.memory = true;
                self.load(part)
            }
        }
    }

    pub(super) fn vector_gep(&mut self, r: ValueId) {
        let local = self.local_of(r);
        let place = self.local_place(local);
        self.lost(&place, "vector of addresses");
    }
}
