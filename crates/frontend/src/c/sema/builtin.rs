//! `__builtin_*`, `__sync_*` and `__atomic_*`: folded where the answer is known, else intrinsics.

use super::super::hir::{CastKind, Expr, ExprKind, FuncId, PlaceKind};
use super::super::types::{FloatKind, IntKind, TypeId};
use super::{Operand, Sema};
use crate::c::library::table::{self, Meaning, Returns};
use crate::c::syntax::ast;
use program::Span;
use program::interp::float::{Width, pattern};

impl Sema<'_, '_> {
    /// `None`: no built-in has this name.
    pub(super) fn builtin_call(
        &mut self,
        name: &str,
        declared: Option<FuncId>,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        let is_builtin = name.starts_with("__builtin_")
            || name.starts_with("__sync_")
            || name.starts_with("__atomic_")
            || name.starts_with("__c11_atomic_");
        if !is_builtin || declared.is_some_and(|f| self.unit.functions[f].body.is_some()) {
            return None;
        }
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        if matches!(plain, "va_arg_pack" | "va_arg_pack_len") {
            self.packed = Some((span, name.to_string()));
            return Some(self.int_expr(0, IntKind::Int, span));
        }
        if matches!(plain, "apply" | "apply_args" | "return") {
            self.error(span, format!("`{name}` is not supported"));
        }
        if let Some(e) = self.model_builtin(plain, args, span) {
            return Some(e);
        }
        if let Some(e) = self.shuffle(plain, args, span) {
            return Some(e);
        }
        if name != plain
            && let Some(e) = self.complex_builtin(plain, args, span)
        {
            return Some(e);
        }
        if let Some(e) = self.folded_builtin(plain, args, span) {
            return Some(e);
        }
        if let Some(e) = self.atomic_call(name, args, span) {
            return Some(e);
        }
        if let Some(e) = self.typed_overflow(plain, args, span) {
            return Some(e);
        }
        let mut values = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate() {
            values.push(self.builtin_argument(plain, i, arg));
        }
        let ty = self.builtin_result(name, declared, &values);
        Some(Expr::new(
            ExprKind::Intrinsic {
                name: name.into(),
                args: values,
            },
            ty,
            span,
        ))
    }

    /// `va_*` take the list itself: its address is passed.
    fn builtin_argument(&mut self, plain: &str, index: usize, arg: &ast::Expr) -> Expr {
        let by_address = matches!(plain, "va_start" | "va_end") && index == 0 || plain == "va_copy";
        let checked = plain.ends_with("_overflow") || plain.ends_with("_overflow_p");
        let operand = self.expr(arg);
        if by_address && matches!(operand, Operand::Place(_)) {
            let span = self.span(arg.at);
            return self.address_of(operand, span);
        }
        let value = self.value_of(operand);
        // The checked arithmetic built-ins take any integer types as they are; so does what a
        // claim says of a value at function entry.
        if checked || plain == "craig_old" {
            return value;
        }
        if let Some(row) = table::find(&format!("__builtin_{plain}"))
            && row.meaning == Meaning::Number
        {
            // Of the function's own type where it has one; else as they are, for a class is one of a type.
            let kind = match row.returns {
                Returns::Float => FloatKind::F32,
                Returns::Double => FloatKind::F64,
                Returns::LongDouble => FloatKind::F80,
                _ if self.types().is_float(value.ty) => return value,
                _ => return self.promote_argument(value),
            };
            let ty = self.unit.types.float(kind);
            return self.assign_convert(value, ty, "argument");
        }
        self.promote_argument(value)
    }

    fn folded_builtin(&mut self, plain: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let long = self.unit.types.int(IntKind::Long);
        match (plain, args) {
            ("constant_p", [arg]) => {
                let value = self.value(arg);
                let known = match &value.kind {
                    ExprKind::Int(_) | ExprKind::Float(_) => true,
                    ExprKind::AddressOf(place) => match &place.kind {
                        PlaceKind::Index { base, .. } => matches!(base.kind, PlaceKind::String(_)),
                        kind => matches!(kind, PlaceKind::String(_)),
                    },
                    _ => false,
                };
                Some(self.int_expr(i128::from(known), IntKind::Int, span))
            }
            ("expect", [arg, hint]) | ("expect_with_probability", [arg, hint, _]) => {
                let value = self.value(arg);
                let value = self.assign_convert(value, long, "argument");
                let hint = self.value(hint);
                if hint.as_int().is_some() {
                    return Some(value);
                }
                // The hint is evaluated too.
                let void = self.unit.types.void();
                let hint = Expr::new(ExprKind::Cast(CastKind::ToVoid, Box::new(hint)), void, span);
                let ty = value.ty;
                Some(Expr::new(
                    ExprKind::Comma(Box::new(hint), Box::new(value)),
                    ty,
                    span,
                ))
            }
            ("classify_type", [arg]) => {
                let ty = self.type_of(arg);
                let class = if self.types().is_integer(ty) {
                    1
                } else if self.types().is_pointer(ty) {
                    5
                } else if self.types().is_float(ty) {
                    8
                } else {
                    12
                };
                Some(self.int_expr(class, IntKind::Int, span))
            }
            ("inf" | "huge_val", []) => Some(self.float_expr(f64::INFINITY, FloatKind::F64, span)),
            ("inff" | "huge_valf", []) => {
                Some(self.float_expr(f64::INFINITY, FloatKind::F32, span))
            }
            ("infl" | "huge_vall", []) => {
                Some(self.float_expr(f64::INFINITY, FloatKind::F80, span))
            }
            ("nan", [_]) => Some(self.float_expr(f64::NAN, FloatKind::F64, span)),
            ("nanf", [_]) => Some(self.float_expr(f64::NAN, FloatKind::F32, span)),
            ("nanl", [_]) => Some(self.float_expr(f64::NAN, FloatKind::F80, span)),
            _ => None,
        }
    }

    fn float_expr(&mut self, value: f64, kind: FloatKind, span: Span) -> Expr {
        let bits = u128::from(value.to_bits());
        Expr::new(
            ExprKind::Float(pattern::convert(Width::W64, kind.width(), bits)),
            self.unit.types.float(kind),
            span,
        )
    }

    /// `__builtin_sadd_overflow` and its like take operands of their own type; then they are the general ones.
    fn typed_overflow(&mut self, plain: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let word = plain.strip_suffix("_overflow")?;
        let (signed, rest) = match word.split_at_checked(1)? {
            ("s", rest) => (true, rest),
            ("u", rest) => (false, rest),
            _ => return None,
        };
        let (op, length) = rest.split_at_checked(3)?;
        let kind = match length {
            "" => IntKind::Int,
            "l" => IntKind::Long,
            "ll" => IntKind::LongLong,
            _ => return None,
        };
        let kind = if signed { kind } else { kind.to_unsigned() };
        let ([a, b, r], "add" | "sub" | "mul") = (args, op) else {
            return None;
        };
        let ty = self.unit.types.int(kind);
        let mut values = Vec::new();
        for arg in [a, b] {
            let value = self.value(arg);
            values.push(self.assign_convert(value, ty, "argument"));
        }
        values.push(self.value(r));
        let name = format!("__builtin_{op}_overflow");
        let bool = self.unit.types.int(IntKind::Bool);
        let kind = ExprKind::Intrinsic { name, args: values };
        Some(Expr::new(kind, bool, span))
    }

    fn builtin_result(&mut self, name: &str, declared: Option<FuncId>, args: &[Expr]) -> TypeId {
        match name {
            "__builtin_craig_result" => {
                if let Some(f) = &self.func {
                    return f.ret;
                }
            }
            "__builtin_craig_old" => {
                if let Some(arg) = args.first() {
                    return arg.ty;
                }
            }
            _ => {}
        }
        if let Some(ty) = self.library_return(name) {
            return ty;
        }
        let declared = declared.map(|f| self.unit.functions[f].ty);
        let ret = declared.and_then(|ty| self.types().function(ty).map(|f| f.ret));
        ret.unwrap_or_else(|| self.int_type())
    }
}
