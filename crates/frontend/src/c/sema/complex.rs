//! Complex numbers: records of a real and an imaginary part, with gcc's arithmetic.
//!
//! A real operand stays real (`x * c` multiplies both parts by `x`, which keeps the signs of zeros).
//! Products and quotients of two complex floats are calls of the functions that gcc calls
//! (`library/models/complex.c`), since infinities need care.

use super::super::hir::{BinaryOp, Callee, Expr, ExprKind, Function, Linkage, Place, PlaceKind};
use super::super::types::{FloatKind, FunctionType, IntKind, Type, TypeId};
use super::parts::Held;
use super::{Entity, Operand, Sema};
use crate::c::syntax::ast::{self, Unary};
use program::Span;

/// A complex operand by its parts; a real one has no imaginary part.
struct Parts {
    re: Expr,
    im: Option<Expr>,
}

impl Sema<'_, '_> {
    pub(super) fn is_real(&self, ty: TypeId) -> bool {
        self.types().is_arithmetic(ty)
    }

    /// The type of an operation of which one operand is complex.
    pub(super) fn complex_common(&mut self, left: &Expr, right: &Expr) -> TypeId {
        let part = |s: &Self, e: &Expr| {
            let ty = s.complex_part(e.ty).unwrap_or(e.ty);
            Expr::new(ExprKind::Int(1), ty, e.span)
        };
        let (l, r) = (part(self, left), part(self, right));
        // The parts of complex integers are not promoted.
        match l.ty == r.ty {
            true => l.ty,
            false => self.common_type(&l, &r),
        }
    }

    fn complex_operand(&mut self, e: Expr, part: TypeId, held: &mut Held) -> Parts {
        let span = e.span;
        if self.complex_part(e.ty).is_none() {
            let e = self.cast(e, part, span);
            let re = self.hold(e, held);
            return Parts { re, im: None };
        }
        let mut both = self.take_apart(e, held).into_iter();
        let (re, im) = (both.next(), both.next());
        let re = re.map(|e| self.cast(e, part, span));
        let im = im.map(|e| self.cast(e, part, span));
        let re = re.unwrap_or_else(|| self.error_expr(span));
        Parts { re, im }
    }

    pub(super) fn complex_binary(
        &mut self,
        op: BinaryOp,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Expr {
        use BinaryOp::*;
        let fits = |s: &Self, ty| s.complex_part(ty).is_some() || s.is_real(ty);
        let known = matches!(op, Add | Sub | Mul | Div | Eq | Ne);
        if !known || !fits(self, left.ty) || !fits(self, right.ty) {
            let (l, r) = (self.show(left.ty), self.show(right.ty));
            let message = format!("this operator does not apply to `{l}` and `{r}`");
            self.error(span, message);
            return self.error_expr(span);
        }
        let part = self.complex_common(&left, &right);
        let mut held = Held::new();
        let l = self.complex_operand(left, part, &mut held);
        let r = self.complex_operand(right, part, &mut held);
        let value = match op {
            Eq | Ne => self.complex_equal(op, l, r, span),
            Mul | Div => self.complex_product(op, l, r, part, span, &mut held),
            _ => self.complex_sum(op, l, r, part, span),
        };
        self.after_held(held, value)
    }

    fn zero_of(&mut self, ty: TypeId, span: Span) -> Expr {
        let zero = self.int_expr(0, IntKind::Int, span);
        self.cast(zero, ty, span)
    }

    fn complex_equal(&mut self, op: BinaryOp, l: Parts, r: Parts, span: Span) -> Expr {
        let zero = self.zero_of(l.re.ty, span);
        let (li, ri) = (
            l.im.unwrap_or_else(|| zero.clone()),
            r.im.unwrap_or_else(|| zero.clone()),
        );
        let re = Box::new(self.binary_values(op, l.re, r.re, span));
        let im = Box::new(self.binary_values(op, li, ri, span));
        let kind = match op {
            BinaryOp::Eq => ExprKind::LogicalAnd(re, im),
            _ => ExprKind::LogicalOr(re, im),
        };
        let int = self.int_type();
        Expr::new(kind, int, span)
    }

    fn complex_sum(&mut self, op: BinaryOp, l: Parts, r: Parts, part: TypeId, span: Span) -> Expr {
        let re = self.binary_values(op, l.re, r.re, span);
        let im = match (l.im, r.im) {
            (Some(a), Some(b)) => self.binary_values(op, a, b, span),
            (Some(a), None) => a,
            (None, Some(b)) if op == BinaryOp::Sub => self.unary_value(Unary::Neg, b, span),
            (None, Some(b)) => b,
            (None, None) => self.zero_of(part, span),
        };
        self.complex_of(part, re, im, span)
    }

    fn complex_product(
        &mut self,
        op: BinaryOp,
        l: Parts,
        r: Parts,
        part: TypeId,
        span: Span,
        held: &mut Held,
    ) -> Expr {
        let (a, c) = (l.re, r.re);
        let zero = self.zero_of(part, span);
        match (l.im, r.im) {
            // By a real number, part by part.
            (Some(b), None) => {
                let re = self.binary_values(op, a, c.clone(), span);
                let im = self.binary_values(op, b, c, span);
                self.complex_of(part, re, im, span)
            }
            (None, Some(d)) if op == BinaryOp::Mul => {
                let re = self.binary_values(op, a.clone(), c, span);
                let im = self.binary_values(op, a, d, span);
                self.complex_of(part, re, im, span)
            }
            (b, d) => {
                let (b, d) = (b.unwrap_or(zero.clone()), d.unwrap_or(zero));
                match *self.types().get(part) {
                    Type::Float(kind) => self.complex_call(op, kind, [a, b, c, d], span),
                    _ => self.complex_integers(op, [a, b, c, d], part, span, held),
                }
            }
        }
    }

    fn complex_integers(
        &mut self,
        op: BinaryOp,
        [a, b, c, d]: [Expr; 4],
        part: TypeId,
        span: Span,
        held: &mut Held,
    ) -> Expr {
        use BinaryOp::*;
        let two = |s: &mut Self, op, x: [&Expr; 4]| {
            let l = s.binary_values(Mul, x[0].clone(), x[1].clone(), span);
            let r = s.binary_values(Mul, x[2].clone(), x[3].clone(), span);
            s.binary_values(op, l, r, span)
        };
        if op == Mul {
            let re = two(self, Sub, [&a, &c, &b, &d]);
            let im = two(self, Add, [&a, &d, &b, &c]);
            return self.complex_of(part, re, im, span);
        }
        // gcc divides by the greater part of the divisor first, also integers.
        let size = |s: &mut Self, e: &Expr| {
            let zero = s.zero_of(e.ty, span);
            let negative = s.binary_values(Lt, e.clone(), zero, span);
            let minus = s.unary_value(Unary::Neg, e.clone(), span);
            let plus = s.unary_value(Unary::Plus, e.clone(), span);
            s.choose(negative, minus, plus, span)
        };
        let (m, n) = (size(self, &c), size(self, &d));
        let swapped = self.binary_values(Lt, m, n, span);
        let swapped = self.hold(swapped, held);
        let mut pick = |s: &mut Self, x: &Expr, y: &Expr| {
            let chosen = s.choose(swapped.clone(), x.clone(), y.clone(), span);
            s.hold(chosen, held)
        };
        let (less, more) = (pick(self, &c, &d), pick(self, &d, &c));
        let (p, q) = (pick(self, &a, &b), pick(self, &b, &a));
        let ratio = self.binary_values(Div, less.clone(), more.clone(), span);
        let ratio = self.hold(ratio, held);
        let by_ratio =
            |s: &mut Self, e: &Expr| s.binary_values(Mul, e.clone(), ratio.clone(), span);
        let norm = by_ratio(self, &less);
        let norm = self.binary_values(Add, norm, more, span);
        let norm = self.hold(norm, held);
        // With the parts in the other order the imaginary part changes its sign.
        let re = by_ratio(self, &p);
        let re = self.binary_values(Add, re, q.clone(), span);
        let first = by_ratio(self, &q);
        let first = self.binary_values(Sub, first, p.clone(), span);
        let second = by_ratio(self, &q);
        let second = self.binary_values(Sub, p, second, span);
        let im = self.choose(swapped, first, second, span);
        let re = self.binary_values(Div, re, norm.clone(), span);
        let im = self.binary_values(Div, im, norm, span);
        self.complex_of(part, re, im, span)
    }

    /// `__muldc3(a, b, c, d)` and its like.
    fn complex_call(&mut self, op: BinaryOp, kind: FloatKind, args: [Expr; 4], span: Span) -> Expr {
        if self.func.is_none() {
            self.error(span, "the initialiser of a static object is not constant");
            return self.error_expr(span);
        }
        let mode = match kind {
            FloatKind::F32 => "s",
            FloatKind::F64 => "d",
            FloatKind::F80 => "x",
            FloatKind::F128 => "t",
        };
        let word = match op {
            BinaryOp::Mul => "mul",
            _ => "div",
        };
        let name = format!("__{word}{mode}c3");
        let part = self.unit.types.float(kind);
        let ret = self.unit.types.complex(part);
        let f = self.runtime_function(&name, ret, vec![part; 4], span);
        let kind = ExprKind::Call {
            callee: Callee::Direct(f),
            args: args.into(),
        };
        Expr::new(kind, ret, span)
    }

    /// A function of the compiler's own library.
    fn runtime_function(
        &mut self,
        name: &str,
        ret: TypeId,
        params: Vec<TypeId>,
        span: Span,
    ) -> super::FuncId {
        let known = self.names.get(name).and_then(|s| self.linked.get(&s));
        if let Some(&Entity::Func(f)) = known {
            return f;
        }
        let functions = self.unit.functions.iter_enumerated();
        let made = functions.rev().find(|(_, f)| f.source_name == name);
        if let Some((id, _)) = made {
            return id;
        }
        let ty = self.unit.types.intern(Type::Function(FunctionType {
            ret,
            params,
            variadic: false,
            unprototyped: false,
        }));
        self.unit.functions.push(Function {
            name: name.into(),
            source_name: name.into(),
            ty,
            span,
            linkage: Linkage::External,
            is_noreturn: false,
            is_weak: false,
            implicit: false,
            library: false,
            body: None,
        })
    }

    pub(super) fn complex_of(&mut self, part: TypeId, re: Expr, im: Expr, span: Span) -> Expr {
        let ty = self.unit.types.complex(part);
        self.put_together(ty, vec![re, im], span)
    }

    pub(super) fn complex_unary(&mut self, op: Unary, value: Expr, span: Span) -> Expr {
        let Some(part) = self.complex_part(value.ty) else {
            return value;
        };
        if op == Unary::Plus {
            return value;
        }
        let mut held = Held::new();
        let Parts { re, im } = self.complex_operand(value, part, &mut held);
        let im = im.unwrap_or_else(|| re.clone());
        let result = match op {
            Unary::Not => {
                let (l, r) = (Some(im), None);
                let zero = self.zero_of(part, span);
                let (l, r) = (Parts { re, im: l }, Parts { re: zero, im: r });
                self.complex_equal(BinaryOp::Eq, l, r, span)
            }
            // `~` is the conjugate.
            _ => {
                let re = match op {
                    Unary::Neg => self.unary_value(Unary::Neg, re, span),
                    _ => re,
                };
                let im = self.unary_value(Unary::Neg, im, span);
                self.complex_of(part, re, im, span)
            }
        };
        self.after_held(held, result)
    }

    /// Converts from or to a complex type.
    pub(super) fn complex_cast(&mut self, e: Expr, ty: TypeId, span: Span) -> Expr {
        let mut held = Held::new();
        let value = match (self.complex_part(e.ty), self.complex_part(ty)) {
            (_, Some(part)) => {
                let Parts { re, im } = self.complex_operand(e, part, &mut held);
                let im = im.unwrap_or_else(|| self.zero_of(part, span));
                self.complex_of(part, re, im, span)
            }
            (Some(_), None) if self.types().int_kind(ty) == Some(IntKind::Bool) => {
                let e = self.complex_truth(e, span);
                self.cast(e, ty, span)
            }
            (Some(part), None) => {
                let Parts { re, .. } = self.complex_operand(e, part, &mut held);
                self.cast(re, ty, span)
            }
            (None, None) => e,
        };
        self.after_held(held, value)
    }

    /// `__builtin_conj`, `__builtin_creal`, `__builtin_cimag` and `__builtin_complex`.
    pub(super) fn complex_builtin(
        &mut self,
        plain: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        if let ("complex", [re, im]) = (plain, args) {
            let (re, im) = (self.value(re), self.value(im));
            let part = self.common_type(&re, &im);
            return Some(self.complex_of(part, re, im, span));
        }
        let (word, kind) = match plain.split_at_checked(plain.len().saturating_sub(1))? {
            (word, "f") => (word, FloatKind::F32),
            (word, "l") if word != "crea" => (word, FloatKind::F80),
            _ => (plain, FloatKind::F64),
        };
        let (true, [arg]) = (matches!(word, "conj" | "creal" | "cimag"), args) else {
            return None;
        };
        let part = self.unit.types.float(kind);
        let ty = self.unit.types.complex(part);
        let value = self.value(arg);
        let value = self.assign_convert(value, ty, "argument");
        Some(match word {
            "conj" => self.complex_unary(Unary::BitNot, value, span),
            _ => {
                let operand = Operand::Value(value);
                let part = self.complex_component(word == "cimag", operand);
                self.value_of(part)
            }
        })
    }

    /// Is a complex number unequal to zero?
    pub(super) fn complex_truth(&mut self, e: Expr, span: Span) -> Expr {
        let zero = self.int_expr(0, IntKind::Int, span);
        self.complex_binary(BinaryOp::Ne, e, zero, span)
    }

    /// `__real__ x`, `__imag__ x`; of an object, an object.
    pub(super) fn complex_component(&mut self, imaginary: bool, operand: Operand) -> Operand {
        let place = match operand {
            Operand::Place(place) => place,
            Operand::Value(e) | Operand::Function(e) => Place {
                ty: e.ty,
                span: e.span,
                kind: PlaceKind::Temporary(Box::new(e)),
            },
        };
        let (ty, span) = (place.ty, place.span);
        if self.complex_part(ty).is_some() {
            return Operand::Place(self.part_place(&place, u64::from(imaginary)));
        }
        if !self.is_real(ty) {
            if !self.types().is_error(ty) {
                let shown = self.show(ty);
                self.error(span, format!("`{shown}` has no real and imaginary part"));
            }
            return Operand::Value(self.error_expr(span));
        }
        if imaginary {
            return Operand::Value(self.zero_of(ty, span));
        }
        match place.kind {
            PlaceKind::Temporary(e) => Operand::Value(*e),
            _ => Operand::Place(place),
        }
    }
}
