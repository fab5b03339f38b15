//! Walking the typed tree: one visitor for everything that only collects.

use super::super::hir::{
    Asm, Block, Callee, Expr, ExprKind, Init, InitValue, Place, PlaceKind, Stmt, StmtKind,
};

/// Called before the children of a node are walked.
pub trait Visitor<'h> {
    fn expr(&mut self, _: &'h Expr) {}
    fn place(&mut self, _: &'h Place) {}
    fn stmt(&mut self, _: &'h Stmt) {}
    /// A string literal initialises an array.
    fn string_init(&mut self, _: super::super::hir::StringId) {}
}

pub fn block<'h>(v: &mut impl Visitor<'h>, b: &'h Block) {
    b.stmts.iter().for_each(|s| stmt(v, s));
}

pub fn stmt<'h>(v: &mut impl Visitor<'h>, s: &'h Stmt) {
    v.stmt(s);
    match &s.kind {
        StmtKind::Empty
        | StmtKind::Label(_)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue => {}
        StmtKind::Expr(e) | StmtKind::ComputedGoto(e) => expr(v, e),
        StmtKind::Return(e) => {
            if let Some(e) = e {
                expr(v, e);
            }
        }
        StmtKind::Decl { init: i, .. } => {
            if let Some(i) = i {
                init(v, i);
            }
        }
        StmtKind::Block(b) => block(v, b),
        StmtKind::If { cond, then, els } => {
            expr(v, cond);
            stmt(v, then);
            if let Some(e) = els {
                stmt(v, e);
            }
        }
        StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
            expr(v, cond);
            stmt(v, body);
        }
        StmtKind::For {
            init,
            cond,
            step,
            body,
        } => {
            init.iter().for_each(|s| stmt(v, s));
            if let Some(c) = cond {
                expr(v, c);
            }
            if let Some(e) = step {
                expr(v, e);
            }
            stmt(v, body);
        }
        StmtKind::Switch { value, body, .. } => {
            expr(v, value);
            stmt(v, body);
        }
        StmtKind::Asm(a) => asm(v, a),
    }
}

fn asm<'h>(v: &mut impl Visitor<'h>, a: &'h Asm) {
    a.outputs.iter().for_each(|o| place(v, &o.place));
    a.inputs.iter().for_each(|e| expr(v, e));
}

pub fn init<'h>(v: &mut impl Visitor<'h>, i: &'h Init) {
    for item in &i.items {
        match &item.value {
            InitValue::Expr(e) => expr(v, e),
            InitValue::String(s) => v.string_init(*s),
        }
    }
}

pub fn expr<'h>(v: &mut impl Visitor<'h>, e: &'h Expr) {
    v.expr(e);
    match &e.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::FunctionAddress(_)
        | ExprKind::LabelAddress(_) => {}
        ExprKind::Load(p) | ExprKind::AddressOf(p) | ExprKind::VaArg(p) => place(v, p),
        ExprKind::Unary(_, a) | ExprKind::Cast(_, a) | ExprKind::UnionOf { value: a, .. } => {
            expr(v, a);
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
            expr(v, a);
            expr(v, b);
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
            place(v, p);
            expr(v, value);
        }
        ExprKind::IncDec { place: p, .. } => place(v, p),
        ExprKind::Conditional { cond, then, els } => {
            expr(v, cond);
            expr(v, then);
            expr(v, els);
        }
        ExprKind::Call { callee, args } => {
            if let Callee::Indirect(e) = callee {
                expr(v, e);
            }
            args.iter().for_each(|a| expr(v, a));
        }
        ExprKind::Intrinsic { args, .. } => args.iter().for_each(|a| expr(v, a)),
        ExprKind::StmtExpr { block: b, value } => {
            block(v, b);
            if let Some(e) = value {
                expr(v, e);
            }
        }
    }
}

pub fn place<'h>(v: &mut impl Visitor<'h>, p: &'h Place) {
    v.place(p);
    match &p.kind {
        PlaceKind::Global(_) | PlaceKind::Local(_) | PlaceKind::String(_) => {}
        PlaceKind::Deref(e) | PlaceKind::Temporary(e) => expr(v, e),
        PlaceKind::Field { base, .. } => place(v, base),
        PlaceKind::Index { base, index } => {
            place(v, base);
            expr(v, index);
        }
        PlaceKind::CompoundLiteral { init: i, .. } => init(v, i),
    }
}
