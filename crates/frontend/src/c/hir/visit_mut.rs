//! Changing the typed tree in place: every expression is visited once, its parts before it.

use super::{
    Asm, Block, Callee, Expr, ExprKind, Init, InitValue, Place, PlaceKind, Stmt, StmtKind,
};

/// Called after the parts of a node were walked.
pub trait VisitorMut {
    fn expr(&mut self, _: &mut Expr) {}
    fn place(&mut self, _: &mut Place) {}
    /// The statements of a block.
    fn stmts(&mut self, _: &mut Vec<Stmt>) {}
}

pub fn block(r: &mut impl VisitorMut, b: &mut Block) {
    b.stmts.iter_mut().for_each(|s| stmt(r, s));
    r.stmts(&mut b.stmts);
}

fn stmt(r: &mut impl VisitorMut, s: &mut Stmt) {
    match &mut s.kind {
        StmtKind::Empty
        | StmtKind::Label(_)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue => {}
        StmtKind::Expr(e) | StmtKind::ComputedGoto(e) => expr(r, e),
        StmtKind::Return(e) => {
            if let Some(e) = e {
                expr(r, e);
            }
        }
        StmtKind::Decl { init: i, .. } => {
            if let Some(i) = i {
                init(r, i);
            }
        }
        StmtKind::Block(b) => block(r, b),
        StmtKind::If { cond, then, els } => {
            expr(r, cond);
            stmt(r, then);
            if let Some(e) = els {
                stmt(r, e);
            }
        }
        StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
            expr(r, cond);
            stmt(r, body);
        }
        StmtKind::For {
            init,
            cond,
            step,
            body,
        } => {
            init.iter_mut().for_each(|s| stmt(r, s));
            r.stmts(init);
            if let Some(c) = cond {
                expr(r, c);
            }
            if let Some(e) = step {
                expr(r, e);
            }
            stmt(r, body);
        }
        StmtKind::Switch { value, body, .. } => {
            expr(r, value);
            stmt(r, body);
        }
        StmtKind::Asm(a) => asm(r, a),
    }
}

fn asm(r: &mut impl VisitorMut, a: &mut Asm) {
    a.outputs.iter_mut().for_each(|o| place(r, &mut o.place));
    a.inputs.iter_mut().for_each(|e| expr(r, e));
}

pub fn init(r: &mut impl VisitorMut, i: &mut Init) {
    for item in &mut i.items {
        match &mut item.value {
            InitValue::Expr(e) => expr(r, e),
            InitValue::String(_) => {}
        }
    }
}

fn expr(r: &mut impl VisitorMut, e: &mut Expr) {
    match &mut e.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::FunctionAddress(_)
        | ExprKind::LabelAddress(_) => {}
        ExprKind::Load(p) | ExprKind::AddressOf(p) | ExprKind::VaArg(p) => place(r, p),
        ExprKind::Unary(_, a) | ExprKind::Cast(_, a) | ExprKind::UnionOf { value: a, .. } => {
            expr(r, a);
        }
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
        } => {
            expr(r, a);
            expr(r, b);
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
            place(r, p);
            expr(r, value);
        }
        ExprKind::IncDec { place: p, .. } => place(r, p),
        ExprKind::Conditional { cond, then, els } => {
            expr(r, cond);
            expr(r, then);
            expr(r, els);
        }
        ExprKind::Call { callee, args } => {
            if let Callee::Indirect(e) = callee {
                expr(r, e);
            }
            args.iter_mut().for_each(|a| expr(r, a));
        }
        ExprKind::Intrinsic { args, .. } => args.iter_mut().for_each(|a| expr(r, a)),
        ExprKind::StmtExpr { block: b, value } => {
            block(r, b);
            if let Some(e) = value {
                expr(r, e);
            }
        }
    }
    r.expr(e);
}

fn place(r: &mut impl VisitorMut, p: &mut Place) {
    match &mut p.kind {
        PlaceKind::Global(_) | PlaceKind::Local(_) | PlaceKind::String(_) => {}
        PlaceKind::Deref(e) | PlaceKind::Temporary(e) => expr(r, e),
        PlaceKind::Field { base, .. } => place(r, base),
        PlaceKind::Index { base, index } => {
            place(r, base);
            expr(r, index);
        }
        PlaceKind::CompoundLiteral { init: i, .. } => init(r, i),
    }
    r.place(p);
}
