//! Changing the typed tree in place: every expression once, children before parents.

use super::{
    Asm, Block, Callee, CastKind, Expr, ExprKind, Init, InitValue, Place, PlaceKind, Stmt, StmtKind,
};

/// What is done to each expression; the flag says that nobody uses its value.
type Change<'f> = dyn FnMut(&mut Expr, bool) + 'f;

pub fn block(b: &mut Block, change: &mut Change<'_>) {
    b.stmts.iter_mut().for_each(|s| stmt(s, change));
}

/// Every `return` of a block, but for those inside expressions.
pub fn returns(b: &mut Block, change: &mut dyn FnMut(&mut Stmt)) {
    b.stmts.iter_mut().for_each(|s| returns_in(s, change));
}

fn returns_in(s: &mut Stmt, change: &mut dyn FnMut(&mut Stmt)) {
    match &mut s.kind {
        StmtKind::Return(_) => change(s),
        StmtKind::Block(b) => returns(b, change),
        StmtKind::If { then, els, .. } => {
            returns_in(then, change);
            els.iter_mut().for_each(|s| returns_in(s, change));
        }
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::For { body, .. }
        | StmtKind::Switch { body, .. } => returns_in(body, change),
        _ => {}
    }
}

pub fn stmt(s: &mut Stmt, change: &mut Change<'_>) {
    match &mut s.kind {
        StmtKind::Empty
        | StmtKind::Label(_)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue => {}
        StmtKind::Expr(e) => expr_in(e, true, change),
        StmtKind::ComputedGoto(e) => expr(e, change),
        StmtKind::Return(e) => e.iter_mut().for_each(|e| expr(e, change)),
        StmtKind::Decl { init: i, .. } => i.iter_mut().for_each(|i| init(i, change)),
        StmtKind::Block(b) => block(b, change),
        StmtKind::If { cond, then, els } => {
            expr(cond, change);
            stmt(then, change);
            els.iter_mut().for_each(|s| stmt(s, change));
        }
        StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
            expr(cond, change);
            stmt(body, change);
        }
        StmtKind::For {
            init,
            cond,
            step,
            body,
        } => {
            init.iter_mut().for_each(|s| stmt(s, change));
            cond.iter_mut().for_each(|e| expr(e, change));
            step.iter_mut().for_each(|e| expr_in(e, true, change));
            stmt(body, change);
        }
        StmtKind::Switch { value, body, .. } => {
            expr(value, change);
            stmt(body, change);
        }
        StmtKind::Asm(Asm {
            outputs, inputs, ..
        }) => {
            outputs.iter_mut().for_each(|o| place(&mut o.place, change));
            inputs.iter_mut().for_each(|e| expr(e, change));
        }
    }
}

pub fn init(i: &mut Init, change: &mut Change<'_>) {
    for item in &mut i.items {
        if let InitValue::Expr(e) = &mut item.value {
            expr(e, change);
        }
    }
}

pub fn expr(e: &mut Expr, change: &mut Change<'_>) {
    expr_in(e, false, change);
}

fn expr_in(e: &mut Expr, unused: bool, change: &mut Change<'_>) {
    match &mut e.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::FunctionAddress(_)
        | ExprKind::LabelAddress(_) => {}
        ExprKind::Load(p) | ExprKind::AddressOf(p) | ExprKind::VaArg(p) => place(p, change),
        ExprKind::Cast(CastKind::ToVoid, a) => expr_in(a, true, change),
        ExprKind::Unary(_, a) | ExprKind::Cast(_, a) | ExprKind::UnionOf { value: a, .. } => {
            expr(a, change);
        }
        ExprKind::Comma(a, b) => {
            expr_in(a, true, change);
            expr_in(b, unused, change);
        }
        ExprKind::Binary(_, a, b)
        | ExprKind::LogicalAnd(a, b)
        | ExprKind::LogicalOr(a, b)
        | ExprKind::Elvis { cond: a, els: b }
        | ExprKind::PointerDifference {
            left: a, right: b, ..
        }
        | ExprKind::PointerOffset {
            pointer: a,
            index: b,
            ..
        } => {
            expr(a, change);
            expr(b, change);
        }
        ExprKind::Assign { place: p, value }
        | ExprKind::CompoundAssign {
            place: p, value, ..
        }
        | ExprKind::PointerAssign {
            place: p,
            index: value,
            ..
        } => {
            place(p, change);
            expr(value, change);
        }
        ExprKind::IncDec { place: p, .. } => place(p, change),
        ExprKind::Conditional { cond, then, els } => {
            expr(cond, change);
            expr(then, change);
            expr(els, change);
        }
        ExprKind::Call { callee, args } => {
            if let Callee::Indirect(e) = callee {
                expr(e, change);
            }
            args.iter_mut().for_each(|a| expr(a, change));
        }
        ExprKind::Intrinsic { args, .. } => args.iter_mut().for_each(|a| expr(a, change)),
        ExprKind::StmtExpr { block: b, value } => {
            block(b, change);
            value.iter_mut().for_each(|e| expr(e, change));
        }
    }
    change(e, unused);
}

pub fn place(p: &mut Place, change: &mut Change<'_>) {
    match &mut p.kind {
        PlaceKind::Global(_) | PlaceKind::Local(_) | PlaceKind::String(_) => {}
        PlaceKind::Deref(e) | PlaceKind::Temporary(e) => expr(e, change),
        PlaceKind::Field { base, .. } => place(base, change),
        PlaceKind::Index { base, index } => {
            place(base, change);
            expr(index, change);
        }
        PlaceKind::CompoundLiteral { init: i, .. } => init(i, change),
    }
}
