//! `__builtin_craig_…`: what models of the library say that C cannot.
//!
//! The kind of value is in the name (`…_int`, `…_size`), texts become part of it, so that no
//! string literal of a model becomes an object of the program.

use super::super::hir::{Expr, ExprKind};
use super::super::types::{FloatKind, IntKind, TypeId};
use super::Sema;
use crate::c::syntax::ast;
use program::Span;

impl Sema<'_, '_> {
    pub(super) fn model_builtin(
        &mut self,
        plain: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        let word = plain.strip_prefix("craig_")?;
        self.model_place?;
        if word == "runs" {
            let running = i128::from(self.running);
            return Some(self.int_expr(running, IntKind::Int, span));
        }
        if word == "rereads" {
            let rereads = i128::from(self.uses.rereads);
            return Some(self.int_expr(rereads, IntKind::Int, span));
        }
        if word == "prepared" {
            let prepared = i128::from(self.uses.prepared);
            return Some(self.int_expr(prepared, IntKind::Int, span));
        }
        let mut name = format!("__builtin_{plain}");
        let mut values = Vec::new();
        for a in args {
            if let ast::ExprKind::Strings(count) = a.kind {
                let (_, units) = self.string_units(a.at, count);
                name.push(':');
                name.extend(
                    units
                        .iter()
                        .filter_map(|&u| char::from_u32(u))
                        .filter(|&c| c != '\0'),
                );
            } else {
                let value = self.value(a);
                values.push(self.promote_argument(value));
            }
        }
        let ty = self.intrinsic_type(word, &values);
        Some(Expr::new(
            ExprKind::Intrinsic { name, args: values },
            ty,
            span,
        ))
    }

    fn intrinsic_type(&mut self, word: &str, args: &[Expr]) -> TypeId {
        let types = &mut self.unit.types;
        let kind = word
            .split_once('_')
            .filter(|(w, _)| matches!(*w, "input" | "any" | "unspecified" | "decimal"))
            .map(|(_, kind)| kind);
        match (kind, word) {
            (Some("char"), _) => types.int(IntKind::Char),
            (Some("uchar"), _) => types.int(IntKind::UChar),
            (Some("bool"), _) => types.int(IntKind::Bool),
            (Some("uint"), _) => types.int(IntKind::UInt),
            (Some("long"), _) => types.int(IntKind::Long),
            (Some("ulong"), _) => types.int(IntKind::ULong),
            (Some("llong"), _) => types.int(IntKind::LongLong),
            (Some("ullong"), _) => types.int(IntKind::ULongLong),
            (Some("size"), _) => types.size_t(),
            (Some("double"), _) => types.float(FloatKind::F64),
            (Some("float"), _) => types.float(FloatKind::F32),
            (Some("ldouble"), _) => types.float(FloatKind::F80),
            (Some(_), _) | (_, "checks" | "argument" | "maybe") => types.int(IntKind::Int),
            (_, "hint" | "last" | "literal") => match args.first() {
                Some(a) => a.ty,
                None => types.void(),
            },
            (_, "room") => types.size_t(),
            _ => types.void(),
        }
    }
}
