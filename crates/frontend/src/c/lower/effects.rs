//! Which expressions change something: those are sequenced by edges, the others are terms.

use super::super::hir::{Expr, ExprKind, Place, PlaceKind};
use super::Lower;

impl Lower<'_> {
    /// Whether evaluating the expression changes anything or reads an input.
    pub(in crate::c) fn has_effects(&mut self, e: &Expr) -> bool {
        if let Some(known) = self.effects[e.id] {
            return known;
        }
        let result = match &e.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::FunctionAddress(_)
            | ExprKind::LabelAddress(_) => return false,
            ExprKind::Load(p) | ExprKind::AddressOf(p) => return self.place_has_effects(p),
            ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => return self.has_effects(a),
            ExprKind::Binary(_, a, b)
            | ExprKind::LogicalAnd(a, b)
            | ExprKind::LogicalOr(a, b)
            | ExprKind::Comma(a, b)
            | ExprKind::Elvis { cond: a, els: b }
            | ExprKind::PointerDifference {
                left: a, right: b, ..
            }
            | ExprKind::PointerOffset {
                pointer: a,
                index: b,
                ..
            } => self.has_effects(a) || self.has_effects(b),
            ExprKind::Conditional { cond, then, els } => {
                self.has_effects(cond) || self.has_effects(then) || self.has_effects(els)
            }
            ExprKind::Intrinsic { name, args } => {
                !crate::c::library::is_pure(name) || args.iter().any(|a| self.has_effects(a))
            }
            ExprKind::Assign { .. }
            | ExprKind::CompoundAssign { .. }
            | ExprKind::PointerAssign { .. }
            | ExprKind::IncDec { .. }
            | ExprKind::Call { .. }
            | ExprKind::VaArg(_)
            | ExprKind::StmtExpr { .. }
            | ExprKind::UnionOf { .. } => true,
        };
        self.effects[e.id] = Some(result);
        result
    }

    /// Whether evaluating the expression may change a variable or memory.
    pub(in crate::c) fn has_writes(&mut self, e: &Expr) -> bool {
        if !self.has_effects(e) {
            return false;
        }
        if let Some(known) = self.writes[e.id] {
            return known;
        }
        let result = match &e.kind {
            ExprKind::Call {
                callee: super::super::hir::Callee::Direct(f),
                args,
            } => {
                let name = &self.unit.functions[*f].source_name;
                let quiet = name.starts_with("__VERIFIER_nondet_")
                    && self.unit.functions[*f].body.is_none();
                !quiet || args.iter().any(|a| self.has_writes(a))
            }
            ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => self.has_writes(a),
            ExprKind::Binary(_, a, b) => self.has_writes(a) || self.has_writes(b),
            _ => true,
        };
        self.writes[e.id] = Some(result);
        result
    }

    pub(in crate::c) fn place_has_effects(&mut self, p: &Place) -> bool {
        match &p.kind {
            PlaceKind::Global(_) | PlaceKind::Local(_) | PlaceKind::String(_) => false,
            PlaceKind::Deref(e) => self.has_effects(e),
            PlaceKind::Field { base, .. } => self.place_has_effects(base),
            PlaceKind::Index { base, index } => {
                self.place_has_effects(base) || self.has_effects(index)
            }
            PlaceKind::CompoundLiteral { .. } | PlaceKind::Temporary(_) => true,
        }
    }
}
