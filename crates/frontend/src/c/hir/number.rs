//! Numbers the expressions of a finished unit, in the order of the tree.
//!
//! Sema moves and copies expressions freely; only when the unit is complete does each get its id,
//! so ids are unique and dense and passes keep what they know of expressions in plain vectors.

use super::{
    Asm, Block, Callee, Expr, ExprId, ExprKind, Init, InitValue, Place, PlaceKind, Stmt, StmtKind,
    Unit,
};
use base::Id;

struct Numbers(usize);

impl Numbers {
    fn next(&mut self) -> ExprId {
        self.0 += 1;
        ExprId::from_index(self.0 - 1)
    }
}

impl Unit {
    /// Gives every expression its id; to be called again after the tree was changed.
    pub fn number(&mut self) {
        let mut n = Numbers(0);
        for global in self.globals.iter_mut() {
            if let Some(i) = &mut global.init {
                init(&mut n, i);
            }
        }
        for function in self.functions.iter_mut() {
            if let Some(body) = &mut function.body {
                block(&mut n, &mut body.block);
            }
        }
        self.exprs = n.0;
    }
}

fn block(n: &mut Numbers, b: &mut Block) {
    b.stmts.iter_mut().for_each(|s| stmt(n, s));
}

fn stmt(n: &mut Numbers, s: &mut Stmt) {
    match &mut s.kind {
        StmtKind::Empty
        | StmtKind::Label(_)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue => {}
        StmtKind::Expr(e) | StmtKind::ComputedGoto(e) => expr(n, e),
        StmtKind::Return(e) => {
            if let Some(e) = e {
                expr(n, e);
            }
        }
        StmtKind::Decl { init: i, .. } => {
            if let Some(i) = i {
                init(n, i);
            }
        }
        StmtKind::Block(b) => block(n, b),
        StmtKind::If { cond, then, els } => {
            expr(n, cond);
            stmt(n, then);
            if let Some(e) = els {
                stmt(n, e);
            }
        }
        StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
            expr(n, cond);
            stmt(n, body);
        }
        StmtKind::For {
            init,
            cond,
            step,
            body,
        } => {
            init.iter_mut().for_each(|s| stmt(n, s));
            if let Some(c) = cond {
                expr(n, c);
            }
            if let Some(e) = step {
                expr(n, e);
            }
            stmt(n, body);
        }
        StmtKind::Switch { value, body, .. } => {
            expr(n, value);
            stmt(n, body);
        }
        StmtKind::Asm(a) => asm(n, a),
    }
}

fn asm(n: &mut Numbers, a: &mut Asm) {
    a.outputs.iter_mut().for_each(|o| place(n, &mut o.place));
    a.inputs.iter_mut().for_each(|e| expr(n, e));
}

fn init(n: &mut Numbers, i: &mut Init) {
    for item in &mut i.items {
        match &mut item.value {
            InitValue::Expr(e) => expr(n, e),
            InitValue::String(_) => {}
        }
    }
}

fn expr(n: &mut Numbers, e: &mut Expr) {
    e.id = n.next();
    match &mut e.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::FunctionAddress(_)
        | ExprKind::LabelAddress(_) => {}
        ExprKind::Load(p) | ExprKind::AddressOf(p) | ExprKind::VaArg(p) => place(n, p),
        ExprKind::Unary(_, a) | ExprKind::Cast(_, a) | ExprKind::UnionOf { value: a, .. } => {
            expr(n, a);
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
            expr(n, a);
            expr(n, b);
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
            place(n, p);
            expr(n, value);
        }
        ExprKind::IncDec { place: p, .. } => place(n, p),
        ExprKind::Conditional { cond, then, els } => {
            expr(n, cond);
            expr(n, then);
            expr(n, els);
        }
        ExprKind::Call { callee, args } => {
            if let Callee::Indirect(e) = callee {
                expr(n, e);
            }
            args.iter_mut().for_each(|a| expr(n, a));
        }
        ExprKind::Intrinsic { args, .. } => args.iter_mut().for_each(|a| expr(n, a)),
        ExprKind::StmtExpr { block: b, value } => {
            block(n, b);
            if let Some(e) = value {
                expr(n, e);
            }
        }
    }
}

fn place(n: &mut Numbers, p: &mut Place) {
    match &mut p.kind {
        PlaceKind::Global(_) | PlaceKind::Local(_) | PlaceKind::String(_) => {}
        PlaceKind::Deref(e) | PlaceKind::Temporary(e) => expr(n, e),
        PlaceKind::Field { base, .. } => place(n, base),
        PlaceKind::Index { base, index } => {
            place(n, base);
            expr(n, index);
        }
        PlaceKind::CompoundLiteral { init: i, .. } => init(n, i),
    }
}
