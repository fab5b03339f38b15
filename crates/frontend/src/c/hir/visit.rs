//! Walks over the typed tree: what the parts of a node are stands here and nowhere else.
//!
//! One listing is read twice by a macro, for visitors that look ([`Visitor`], [`shared`]) and for
//! visitors that change the tree in place ([`VisitorMut`], [`changing`]); the two differ in `&` and
//! `&mut` only. A visitor is called before the parts of a node are walked (`expr`, `place`, `stmt`)
//! or after (`after_…`); each node is met once. Most changes concern single expressions and are
//! closures ([`rewrite_block`], [`rewrite_init`], [`rewrite_expr`]).

use super::{
    Asm, Block, Callee, CastKind, Expr, ExprKind, Init, InitValue, Place, PlaceKind, Stmt,
    StmtKind, StringId, Unit,
};

macro_rules! walks {
    ($module:ident, $Visitor:ident $(<$h:lifetime>)?, [$($ref:tt)+], [$($borrow:tt)+], $iter:ident, $stmts:ty) => {
        /// What is done at the nodes of a tree.
        pub trait $Visitor $(<$h>)? {
            fn expr(&mut self, _: $($ref)+ Expr) {}
            fn place(&mut self, _: $($ref)+ Place) {}
            fn stmt(&mut self, _: $($ref)+ Stmt) {}
            /// A string literal initialises an array.
            fn string_init(&mut self, _: StringId) {}
            /// The flag says that nobody uses the value.
            fn after_expr(&mut self, _: $($ref)+ Expr, _unused: bool) {}
            fn after_place(&mut self, _: $($ref)+ Place) {}
            fn after_stmt(&mut self, _: $($ref)+ Stmt) {}
            /// The statements of a block, or those before a `for`.
            fn after_stmts(&mut self, _: $($ref)+ $stmts) {}
        }

        pub mod $module {
            use super::*;

            pub fn block<$($h,)? V: $Visitor $(<$h>)?>(v: &mut V, b: $($ref)+ Block) {
                stmts(v, $($borrow)+ b.stmts);
            }

            fn stmts<$($h,)? V: $Visitor $(<$h>)?>(v: &mut V, list: $($ref)+ Vec<Stmt>) {
                for s in $($borrow)+ *list {
                    stmt(v, s);
                }
                v.after_stmts(list);
            }

            pub fn stmt<$($h,)? V: $Visitor $(<$h>)?>(v: &mut V, s: $($ref)+ Stmt) {
                v.stmt(s);
                match $($borrow)+ s.kind {
                    StmtKind::Empty
                    | StmtKind::Label(_)
                    | StmtKind::Goto(_)
                    | StmtKind::Break
                    | StmtKind::Continue => {}
                    StmtKind::Expr(e) => unused(v, e),
                    StmtKind::ComputedGoto(e) => expr(v, e),
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
                        stmts(v, init);
                        if let Some(c) = cond {
                            expr(v, c);
                        }
                        if let Some(e) = step {
                            unused(v, e);
                        }
                        stmt(v, body);
                    }
                    StmtKind::Switch { value, body, .. } => {
                        expr(v, value);
                        stmt(v, body);
                    }
                    StmtKind::Asm(a) => asm(v, a),
                }
                v.after_stmt(s);
            }

            fn asm<$($h,)? V: $Visitor $(<$h>)?>(v: &mut V, a: $($ref)+ Asm) {
                for o in $($borrow)+ a.outputs {
                    place(v, $($borrow)+ o.place);
                }
                for e in $($borrow)+ a.inputs {
                    expr(v, e);
                }
            }

            pub fn init<$($h,)? V: $Visitor $(<$h>)?>(v: &mut V, i: $($ref)+ Init) {
                for item in $($borrow)+ i.items {
                    match $($borrow)+ item.value {
                        InitValue::Expr(e) => expr(v, e),
                        InitValue::String(s) => v.string_init(*s),
                    }
                }
            }

            pub fn expr<$($h,)? V: $Visitor $(<$h>)?>(v: &mut V, e: $($ref)+ Expr) {
                expr_in(v, e, false);
            }

            fn unused<$($h,)? V: $Visitor $(<$h>)?>(v: &mut V, e: $($ref)+ Expr) {
                expr_in(v, e, true);
            }

            fn expr_in<$($h,)? V: $Visitor $(<$h>)?>(v: &mut V, e: $($ref)+ Expr, is_unused: bool) {
                v.expr(e);
                match $($borrow)+ e.kind {
                    ExprKind::Int(_)
                    | ExprKind::Float(_)
                    | ExprKind::FunctionAddress(_)
                    | ExprKind::LabelAddress(_) => {}
                    ExprKind::Load(p) | ExprKind::AddressOf(p) | ExprKind::VaArg(p) => place(v, p),
                    ExprKind::Cast(CastKind::ToVoid, a) => unused(v, a),
                    ExprKind::Unary(_, a)
                    | ExprKind::Cast(_, a)
                    | ExprKind::UnionOf { value: a, .. } => expr(v, a),
                    ExprKind::Comma(a, b) => {
                        unused(v, a);
                        expr_in(v, b, is_unused);
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
                        for a in args {
                            expr(v, a);
                        }
                    }
                    ExprKind::Intrinsic { args, .. } => {
                        for a in args {
                            expr(v, a);
                        }
                    }
                    ExprKind::StmtExpr { block: b, value } => {
                        block(v, b);
                        if let Some(e) = value {
                            expr(v, e);
                        }
                    }
                }
                v.after_expr(e, is_unused);
            }

            pub fn place<$($h,)? V: $Visitor $(<$h>)?>(v: &mut V, p: $($ref)+ Place) {
                v.place(p);
                match $($borrow)+ p.kind {
                    PlaceKind::Global(_) | PlaceKind::Local(_) | PlaceKind::String(_) => {}
                    PlaceKind::Deref(e) | PlaceKind::Temporary(e) => expr(v, e),
                    PlaceKind::Field { base, .. } => place(v, base),
                    PlaceKind::Index { base, index } => {
                        place(v, base);
                        expr(v, index);
                    }
                    PlaceKind::CompoundLiteral { init: i, .. } => init(v, i),
                }
                v.after_place(p);
            }

            /// Everything that a unit holds: initialisers, then bodies.
            pub fn unit<$($h,)? V: $Visitor $(<$h>)?>(v: &mut V, u: $($ref)+ Unit) {
                for global in u.globals.$iter() {
                    if let Some(i) = $($borrow)+ global.init {
                        init(v, i);
                    }
                }
                for function in u.functions.$iter() {
                    if let Some(body) = $($borrow)+ function.body {
                        block(v, $($borrow)+ body.block);
                    }
                }
            }
        }
    };
}

walks!(shared, Visitor<'h>, [&'h], [&], iter, [Stmt]);
walks!(changing, VisitorMut, [&mut], [&mut], iter_mut, Vec<Stmt>);

/// What is done to each expression, after its parts; the flag says that nobody uses its value.
type Change<'f> = dyn FnMut(&mut Expr, bool) + 'f;

struct EachExpr<'c, 'f>(&'c mut Change<'f>);

impl VisitorMut for EachExpr<'_, '_> {
    fn after_expr(&mut self, e: &mut Expr, unused: bool) {
        (self.0)(e, unused);
    }
}

pub fn rewrite_block(b: &mut Block, change: &mut Change<'_>) {
    changing::block(&mut EachExpr(change), b);
}

pub fn rewrite_init(i: &mut Init, change: &mut Change<'_>) {
    changing::init(&mut EachExpr(change), i);
}

pub fn rewrite_expr(e: &mut Expr, change: &mut Change<'_>) {
    changing::expr(&mut EachExpr(change), e);
}

pub fn rewrite_unit(u: &mut Unit, change: &mut Change<'_>) {
    changing::unit(&mut EachExpr(change), u);
}

/// Changes every `return` of a block, after its value.
pub fn rewrite_returns(b: &mut Block, change: &mut dyn FnMut(&mut Stmt)) {
    struct Returns<'c>(&'c mut dyn FnMut(&mut Stmt));
    impl VisitorMut for Returns<'_> {
        fn after_stmt(&mut self, s: &mut Stmt) {
            if let StmtKind::Return(_) = s.kind {
                (self.0)(s);
            }
        }
    }
    changing::block(&mut Returns(change), b);
}
