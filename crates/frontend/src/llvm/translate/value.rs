//! Operands: constants, values of earlier instructions.

use super::super::module::{ConstExpr, FloatType, Ty, Type, Typed, Value};
use super::{Symbol, Translator};
use crate::c::hir::{BinaryOp, Expr, ExprKind, LocalKind, Place, StmtKind};
use crate::c::types::IntKind;

impl<'t> Translator<'_, 't> {
    /// The sign that the value is kept with.
    pub(super) fn sign_of(&self, v: &Value<'t>) -> Option<bool> {
        match v {
            Value::Local(id) => Some(match self.f.lane_signs.get(id) {
                Some(&signed) => signed,
                None => self.signs.value(self.f.index, *id),
            }),
            _ => None,
        }
    }

    /// A scalar operand; integers as numbers of this sign.
    pub(super) fn scalar(&mut self, v: &Value<'t>, ty: Ty, signed: bool) -> Expr {
        let module = self.module;
        match module.get(ty) {
            Type::Int(1) => self.truth(v),
            Type::Int(bits) if *bits > 128 => {
                let hir = self.int_type(128, signed);
                self.approximation(hir, "integer of more than 128 bits")
            }
            Type::Int(bits) => {
                let bits = *bits;
                let e = self.natural(v, ty, signed);
                self.with_sign(e, bits, signed)
            }
            _ => self.natural(v, ty, signed),
        }
    }

    /// The number with the other sign, if need be.
    pub(super) fn with_sign(&mut self, e: Expr, bits: u32, signed: bool) -> Expr {
        let to = self.int_type(bits, signed);
        if e.ty == to {
            return e;
        }
        let e = self.cast(e, to);
        if matches!(bits, 8 | 16 | 32 | 64 | 128) {
            return e;
        }
        self.narrow(e, bits, signed)
    }

    /// A truth value: a condition.
    pub(super) fn truth(&mut self, v: &Value<'t>) -> Expr {
        match v {
            Value::Int(n) => self.int(i128::from(*n != 0)),
            Value::Zero | Value::Null => self.int(0),
            Value::Local(id) => self.operand(*id),
            Value::Expr(e) => match &**e {
                ConstExpr::Compare(how, a, b) => self.compare(how, a.ty, &a.value, &b.value),
                _ => {
                    let ty = self.unit.types.int(IntKind::Bool);
                    self.approximation(ty, "constant expression")
                }
            },
            _ => {
                let ty = self.unit.types.int(IntKind::Bool);
                self.open_value(ty)
            }
        }
    }

    /// The operand as it is kept; `hint` is the sign of constants.
    fn natural(&mut self, v: &Value<'t>, ty: Ty, hint: bool) -> Expr {
        match v {
            Value::Local(id) => {
                if self.is_symbolic(*id) {
                    let p = self.pointer(v);
                    return self.pointer_value(p);
                }
                self.operand(*id)
            }
            Value::Global(_) => {
                let p = self.pointer(v);
                self.pointer_value(p)
            }
            Value::Int(n) => {
                let hir = self.ty(ty, hint);
                let bits = self.module.int_bits(ty).unwrap_or(64);
                let n = truncate(*n, bits, hint);
                self.number(n, hir)
            }
            Value::Null | Value::Zero => {
                let hir = self.ty(ty, hint);
                let kind = if self.unit.types.is_float(hir) {
                    ExprKind::Float(0)
                } else {
                    ExprKind::Int(0)
                };
                self.expr(kind, hir)
            }
            Value::Float(text) => self.float(text, ty),
            Value::Undef | Value::Poison => {
                let hir = self.ty(ty, hint);
                self.open_value(hir)
            }
            Value::Expr(e) => self.const_expr(v, e, ty, hint),
            Value::BlockAddress(f, block) => self.block_address(f, block),
            _ => {
                let hir = self.ty(ty, hint);
                self.approximation(hir, "operand")
            }
        }
    }

    fn block_address(&mut self, f: &str, block: &str) -> Expr {
        let pointer = self.void_pointer();
        let here = self.module.functions[self.f.index].name == f;
        let found = self.module.functions[self.f.index]
            .blocks
            .iter()
            .position(|b| b.name == block);
        // A global that holds such an address is made before the labels of any function.
        let label = found.filter(|_| here).and_then(|b| self.f.labels.get(b));
        match label.copied() {
            Some(label) => {
                if !self.f.address_labels.contains(&label) {
                    self.f.address_labels.push(label);
                }
                self.expr(ExprKind::LabelAddress(label), pointer)
            }
            None => self.approximation(pointer, "address of a block"),
        }
    }

    fn const_expr(&mut self, v: &Value<'t>, e: &ConstExpr<'t>, ty: Ty, hint: bool) -> Expr {
        match e {
            ConstExpr::Gep { .. } => {
                let p = self.pointer(v);
                self.pointer_value(p)
            }
            ConstExpr::Cast("bitcast" | "addrspacecast", a, _)
                if matches!(self.module.get(a.ty), Type::Pointer) =>
            {
                let p = self.pointer(&a.value);
                self.pointer_value(p)
            }
            ConstExpr::Cast(how, a, to) => self.cast_op(how, a, *to, hint),
            ConstExpr::Binary(op, a, b) => {
                self.binary_op(op, Default::default(), ty, &a.value, &b.value, hint)
            }
            ConstExpr::Compare(how, a, b) => self.compare(how, a.ty, &a.value, &b.value),
            ConstExpr::Select(c, a, b) => {
                let c = self.truth(&c.value);
                let a = self.scalar(&a.value, ty, hint);
                let b = self.scalar(&b.value, ty, hint);
                self.conditional(c, a, b)
            }
            ConstExpr::Other => {
                let hir = self.ty(ty, hint);
                self.approximation(hir, "constant expression")
            }
        }
    }

    /// A constant of floating point, by its text.
    fn float(&mut self, text: &str, ty: Ty) -> Expr {
        let hir = self.ty(ty, false);
        let bits = float_bits(text, self.module.get(ty));
        let kind = if self.unit.types.is_float(hir) {
            ExprKind::Float(bits)
        } else {
            ExprKind::Int(bits as i128)
        };
        self.expr(kind, hir)
    }

    /// An aggregate operand as a place that holds it.
    pub(super) fn aggregate(&mut self, v: &Typed<'t>) -> Place {
        let signed = self
            .sign_of(&v.value)
            .unwrap_or(self.signs.default_signed());
        let ty = self.ty(v.ty, signed);
        if let Value::Local(id) = &v.value {
            if let Some(local) = self.f.locals[id.0 as usize] {
                return self.local_place(local);
            }
            // Blocks need not stand in the order of execution: it may be assigned further down.
            if self.is_aggregate(v.ty) {
                let local = self.local_of(*id);
                return self.local_place(local);
            }
        }
        let local = self.new_local("", ty, LocalKind::Auto);
        self.emit(StmtKind::Decl { local, init: None });
        let place = self.local_place(local);
        self.fill(&place, &v.value, v.ty);
        place
    }

    /// Writes a constant aggregate into a place.
    pub(super) fn fill(&mut self, place: &Place, v: &Value<'t>, ty: Ty) {
        match v {
            Value::Undef | Value::Poison => {}
            Value::Zero => {
                for leaf in self.leaf_places(place, 256).unwrap_or_default() {
                    let zero = self.zero(leaf.ty);
                    self.emit_assign(leaf, zero);
                }
            }
            Value::Aggregate(list) => {
                for (k, element) in list.iter().enumerate() {
                    let part = self.element_place(place.clone(), k as u64);
                    self.fill(&part, &element.value, element.ty);
                }
            }
            Value::Splat(element) => {
                if let Type::Vector(n, _) = *self.module.get(ty) {
                    for k in 0..n {
                        let part = self.element_place(place.clone(), k);
                        self.fill(&part, &element.value, element.ty);
                    }
                }
            }
            Value::Bytes(text) => {
                for (k, b) in super::super::lex::unescape(text).into_iter().enumerate() {
                    let part = self.element_place(place.clone(), k as u64);
                    let b = self.number(i128::from(b), part.ty);
                    self.emit_assign(part, b);
                }
            }
            Value::Int(_) | Value::Big(_) | Value::Expr(_) if self.is_wide(ty) => {
                self.fill_wide(place, v, ty);
            }
            _ if self.is_aggregate(ty) => {
                let typed = Typed {
                    ty,
                    value: v.clone(),
                };
                let from = self.aggregate(&typed);
                self.copy(place, &from);
            }
            _ => {
                let signed = self.sign_in(place.ty);
                let e = self.scalar(v, ty, signed);
                let e = self.cast(e, place.ty);
                self.emit_assign(place.clone(), e);
            }
        }
    }

    pub(super) fn sign_in(&self, ty: crate::c::types::TypeId) -> bool {
        self.unit.types.int_kind(ty).is_some_and(IntKind::is_signed)
    }

    pub(super) fn zero(&mut self, ty: crate::c::types::TypeId) -> Expr {
        let kind = if self.unit.types.is_float(ty) {
            ExprKind::Float(0)
        } else {
            ExprKind::Int(0)
        };
        self.expr(kind, ty)
    }

    /// Member, element or lane.
    pub(super) fn element_place(&mut self, base: Place, k: u64) -> Place {
        if self.unit.types.record(base.ty).is_some() {
            return self.field_place(base, k as u32);
        }
        let ty = self.int_type(64, true);
        let k = self.number(i128::from(k), ty);
        self.index_place(base, k)
    }

    /// Copies one aggregate to another of the same shape.
    pub(super) fn copy(&mut self, to: &Place, from: &Place) {
        if to.ty == from.ty && self.unit.types.record(to.ty).is_some() {
            let value = self.load(from.clone());
            self.emit_assign(to.clone(), value);
            return;
        }
        let (a, b) = (self.leaf_places(to, 256), self.leaf_places(from, 256));
        match (a, b) {
            (Some(a), Some(b)) if a.len() == b.len() => {
                for (a, b) in a.into_iter().zip(b) {
                    let value = self.load(b);
                    let value = self.cast(value, a.ty);
                    self.emit_assign(a, value);
                }
            }
            _ => {
                let size = self.unit.types.size_of(to.ty).unwrap_or(0);
                let (to, from) = (self.address(to.clone()), self.address(from.clone()));
                let size_t = self.unit.types.size_t();
                let size = self.number(i128::from(size), size_t);
                self.library("memcpy", vec![to, from, size]);
            }
        }
    }

    /// The function behind a name, through aliases.
    pub(super) fn function_named(&self, name: &str) -> Option<crate::c::hir::FuncId> {
        match self.symbols.get(name) {
            Some(Symbol::Func(f)) => Some(*f),
            _ => None,
        }
    }

    pub(super) fn compare(&mut self, how: &str, ty: Ty, a: &Value<'t>, b: &Value<'t>) -> Expr {
        let signed = match how.as_bytes().first() {
            Some(b's') => true,
            Some(b'u') => false,
            _ => self.sign_of(a).or_else(|| self.sign_of(b)).unwrap_or(true),
        };
        if self.is_wide(ty)
            && let Some(e) = self.compare_wide(how, ty, a, b)
        {
            return e;
        }
        let bit = self.module.int_bits(ty) == Some(1);
        let (mut x, mut y) = (self.scalar(a, ty, signed), self.scalar(b, ty, signed));
        if bit {
            let int = self.unit.types.int(IntKind::Int);
            // As a signed number of one bit, true is -1: the order turns around.
            (x, y) = (self.cast(x, int), self.cast(y, int));
            if how.starts_with('s') {
                std::mem::swap(&mut x, &mut y);
            }
        }
        let op = match &how[how.len().saturating_sub(2)..] {
            "eq" => BinaryOp::Eq,
            "ne" => BinaryOp::Ne,
            "lt" => BinaryOp::Lt,
            "le" => BinaryOp::Le,
            "gt" => BinaryOp::Gt,
            _ => BinaryOp::Ge,
        };
        if y.ty != x.ty {
            y = self.cast(y, x.ty);
        }
        self.binary(op, x, y)
    }
}

/// The number of `bits` bits, with the sign.
pub(super) fn truncate(n: i128, bits: u32, signed: bool) -> i128 {
    if bits >= 128 {
        return n;
    }
    let low = n & ((1i128 << bits) - 1);
    if signed && bits > 0 && low >> (bits - 1) != 0 {
        low - (1i128 << bits)
    } else {
        low
    }
}

/// The bit pattern of a constant of floating point.
pub(super) fn float_bits(text: &str, ty: &Type<'_>) -> u128 {
    let Type::Float(kind) = ty else { return 0 };
    let double = if let Some(hex) = text.strip_prefix("0x") {
        let digits = hex.trim_start_matches(['K', 'L', 'M', 'H', 'R']);
        let bits = u128::from_str_radix(digits, 16).unwrap_or(0);
        if hex.starts_with(['K', 'H', 'R']) {
            return bits;
        }
        if hex.starts_with('L') {
            // The halves of a quadruple are written low first.
            return bits.rotate_left(64);
        }
        f64::from_bits(bits as u64)
    } else {
        text.parse::<f64>().unwrap_or(0.0)
    };
    match kind {
        FloatType::Float => u128::from((double as f32).to_bits()),
        FloatType::Double => u128::from(double.to_bits()),
        _ => 0,
    }
}
