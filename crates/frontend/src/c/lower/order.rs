//! The order of evaluation, where C leaves it open: as gcc does it for x86 without optimisation.
//!
//! Arguments are evaluated from the last to the first. The value of an assignment comes before the place, unless it is
//! a call as it is, or a literal. Of operands the left one comes first, unless it is a variable and the operator
//! lets gcc exchange them: then it is read last. Parts of an initialiser are evaluated in the order of members.

use super::super::hir::{BinaryOp, CastKind, Expr, ExprKind, PlaceKind, UnaryOp};
use super::Lower;

/// Is the place of an assignment of this value evaluated before it?
pub(super) fn place_first(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Call { .. } => true,
        ExprKind::Cast(CastKind::Same, a) | ExprKind::Comma(_, a) => place_first(a),
        ExprKind::Load(p) => matches!(p.kind, PlaceKind::CompoundLiteral { .. }),
        _ => false,
    }
}

impl Lower<'_> {
    /// A variable, under casts that keep its size.
    fn is_variable(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Load(p) => matches!(p.kind, PlaceKind::Local(_) | PlaceKind::Global(_)),
            ExprKind::Cast(CastKind::Same | CastKind::PointerToPointer, a) => self.is_variable(a),
            ExprKind::Cast(CastKind::IntToInt, a) => {
                let types = &self.unit.types;
                types.size_of(e.ty) == types.size_of(a.ty) && self.is_variable(a)
            }
            _ => false,
        }
    }

    /// Is the right operand evaluated before the left one is read?
    pub(super) fn right_first(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> bool {
        let negated = |e: &Expr| matches!(e.kind, ExprKind::Unary(UnaryOp::Neg, _));
        let exchanged = match &a.kind {
            // `-x + y` is `y - x`.
            ExprKind::Unary(UnaryOp::Neg, x) => op == BinaryOp::Add && self.is_variable(x),
            _ => (op.commutes() || op.is_comparison()) && self.is_variable(a),
        };
        // `x + -y` is `x - y`.
        let stays = self.is_variable(b) || (op == BinaryOp::Add && negated(b));
        exchanged && !stays && self.has_writes(b)
    }
}
