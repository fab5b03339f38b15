//! Expressions that become blocks of statements: `({ t0 = a; t1 = b; …; value })`. Formats, atomic functions
//! and other calls that sema takes apart are built from these.

use super::super::hir::{
    BinaryOp, Block, Expr, ExprKind, FuncId, Local, LocalId, LocalKind, Place, PlaceKind, Stmt,
    StmtKind,
};
use super::super::types::{IntKind, TypeId};
use super::Sema;
use program::Span;

/// The statements made so far, in the function that calls.
pub(super) struct Work {
    pub caller: FuncId,
    pub stmts: Vec<Stmt>,
    pub span: Span,
}

impl Work {
    pub fn new(caller: FuncId, span: Span) -> Work {
        Work {
            caller,
            stmts: Vec::new(),
            span,
        }
    }

    pub fn push(&mut self, kind: StmtKind) {
        let span = self.span;
        self.stmts.push(Stmt { kind, span });
    }

    /// The block as an expression of this type.
    pub fn finish(self, value: Option<Expr>, ty: TypeId) -> Expr {
        let span = self.span;
        let block = Block {
            stmts: self.stmts,
            span,
        };
        let value = value.map(Box::new);
        Expr::new(ExprKind::StmtExpr { block, value }, ty, span)
    }
}

impl Sema<'_, '_> {
    /// Evaluates a value into a local of its own.
    pub(super) fn keep(&mut self, work: &mut Work, value: Expr) -> Expr {
        let (ty, span) = (value.ty, work.span);
        let local = self.unit.locals.push(Local {
            name: String::new(),
            ty,
            span,
            kind: LocalKind::Auto,
            function: work.caller,
            is_const: false,
            is_volatile: false,
            address_taken: false,
        });
        let init = Some(self.scalar_init(value));
        work.push(StmtKind::Decl { local, init });
        self.local_value(local, work.span)
    }

    fn local_value(&self, local: LocalId, span: Span) -> Expr {
        let ty = self.unit.locals[local].ty;
        let place = Place {
            kind: PlaceKind::Local(local),
            ty,
            span,
        };
        Expr::new(ExprKind::Load(Box::new(place)), ty, span)
    }

    /// Sets a kept value.
    pub(super) fn set(&mut self, target: &Expr, value: Expr, span: Span) -> Stmt {
        let place = match &target.kind {
            ExprKind::Load(p) => p.clone(),
            _ => unreachable!("kept values are loads of locals"),
        };
        let ty = target.ty;
        let value = Box::new(self.cast(value, ty, span));
        let kind = ExprKind::Assign { place, value };
        Stmt {
            kind: StmtKind::Expr(Expr::new(kind, ty, span)),
            span,
        }
    }

    /// What a kept pointer points to.
    pub(super) fn pointed(&self, pointer: &Expr, ty: TypeId) -> Place {
        Place {
            kind: PlaceKind::Deref(Box::new(pointer.clone())),
            ty,
            span: pointer.span,
        }
    }

    /// `place = value;`, both of one type.
    pub(super) fn store(&mut self, work: &mut Work, place: Place, value: Expr) {
        let ty = place.ty;
        let (place, value) = (Box::new(place), Box::new(value));
        let assign = Expr::new(ExprKind::Assign { place, value }, ty, work.span);
        work.push(StmtKind::Expr(assign));
    }

    pub(super) fn equals(&mut self, value: &Expr, n: i64, span: Span) -> Expr {
        let int = self.int_type();
        let n = self.int_expr(i128::from(n), IntKind::Int, span);
        let kind = ExprKind::Binary(BinaryOp::Eq, Box::new(value.clone()), Box::new(n));
        Expr::new(kind, int, span)
    }

    pub(super) fn number_expr(&mut self, n: i64, span: Span) -> Expr {
        self.int_expr(i128::from(n), IntKind::Long, span)
    }
}
