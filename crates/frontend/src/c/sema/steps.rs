//! Expressions that become blocks of statements: `({ t0 = a; t1 = b; …; value })`. Formats, atomic functions
//! and other calls that sema takes apart are built from these, with calls of parts of the models.

use super::super::hir::{
    BinaryOp, Block, Callee, Expr, ExprKind, FuncId, LocalId, Place, PlaceKind, Stmt, StmtKind,
    StringId,
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
        let local = self.unit.hidden_local(work.caller, ty, span);
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

    /// The characters of a string literal, without the zero.
    pub(super) fn literal_text(&self, e: &Expr) -> Option<Vec<u32>> {
        let s = e.as_string()?;
        let units = &self.unit.strings[s].units;
        Some(units.iter().copied().take_while(|&u| u != 0).collect())
    }

    /// A call of a part of the models.
    pub(super) fn part_call(&mut self, work: &Work, name: &str, args: Vec<Expr>) -> Option<Expr> {
        let symbol = self.names.get(name)?;
        let copy = self.copy_for(work.caller, symbol, work.span)?;
        let signature = self
            .types()
            .function(self.unit.functions[copy].ty)
            .cloned()?;
        let mut given = Vec::with_capacity(args.len());
        for (a, &ty) in args.into_iter().zip(&signature.params) {
            given.push(self.cast(a, ty, work.span));
        }
        let callee = Callee::Direct(copy);
        let kind = ExprKind::Call {
            callee,
            args: given,
        };
        Some(Expr::new(kind, signature.ret, work.span))
    }

    pub(super) fn run_part(&mut self, work: &mut Work, name: &str, args: Vec<Expr>) {
        if let Some(call) = self.part_call(work, name, args) {
            work.push(StmtKind::Expr(call));
        }
    }

    pub(super) fn text_expr(&mut self, text: &[u32], span: Span) -> Expr {
        let mut units: Vec<u32> = text.to_vec();
        units.push(0);
        let id: StringId = self.new_string(units, IntKind::Char, span);
        let place = Place {
            kind: PlaceKind::String(id),
            ty: self.unit.strings[id].ty,
            span,
        };
        let char = self.unit.types.int(IntKind::Char);
        self.address_as(place, char)
    }
}
