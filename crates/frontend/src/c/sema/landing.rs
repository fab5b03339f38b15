//! One function under [`super::jumps`]: what it calls is asked for jumps, and it lands them behind its body.

use super::super::hir::visit::VisitorMut;
use super::super::hir::{
    BinaryOp, Block, Callee, Expr, ExprKind, FuncId, GlobalId, LabelId, LocalId, Place, PlaceKind,
    SizeOf, Stmt, StmtKind,
};
use super::super::types::IntKind;
use super::Sema;
use super::jumps::{Jump, State};
use base::{FxHashMap, FxHashSet};
use program::Span;

/// A place that `setjmp` set.
pub(super) struct Site {
    number: i128,
    label: LabelId,
    /// What `setjmp` returns.
    back: LocalId,
}

/// The change of one function.
pub(super) struct Pass<'p, 't, 'a> {
    pub sema: &'p mut Sema<'t, 'a>,
    pub f: FuncId,
    pub state: State,
    /// Labels that are jumped to from other functions.
    pub numbers: &'p FxHashMap<LabelId, i128>,
    pub jumpers: &'p FxHashSet<FuncId>,
    /// Those of this function.
    pub own: Vec<LabelId>,
    pub land: LabelId,
    pub frame: Option<LocalId>,
    pub sites: Vec<Site>,
    pub next: i128,
}

fn stmt(kind: StmtKind, span: Span) -> Stmt {
    Stmt { kind, span }
}

impl Pass<'_, '_, '_> {
    fn global(&self, g: GlobalId, span: Span) -> Place {
        let ty = self.sema.unit.globals[g].ty;
        let kind = PlaceKind::Global(g);
        Place { kind, ty, span }
    }

    fn local(&self, l: LocalId, span: Span) -> Place {
        let ty = self.sema.unit.locals[l].ty;
        let kind = PlaceKind::Local(l);
        Place { kind, ty, span }
    }

    fn load(&self, place: Place) -> Expr {
        let (ty, span) = (place.ty, place.span);
        Expr::new(ExprKind::Load(Box::new(place)), ty, span)
    }

    fn set(&mut self, place: Place, value: Expr) -> Stmt {
        let (ty, span) = (place.ty, place.span);
        let value = Box::new(self.sema.cast(value, ty, span));
        let place = Box::new(place);
        let assign = Expr::new(ExprKind::Assign { place, value }, ty, span);
        stmt(StmtKind::Expr(assign), span)
    }

    fn number(&mut self, n: i128, span: Span) -> Expr {
        self.sema.int_expr(n, IntKind::Long, span)
    }

    fn equal(&mut self, a: Expr, b: Expr) -> Expr {
        let (int, span) = (self.sema.int_type(), a.span);
        let kind = ExprKind::Binary(BinaryOp::Eq, Box::new(a), Box::new(b));
        Expr::new(kind, int, span)
    }

    /// A word of a buffer.
    fn word(&mut self, buffer: &Expr, index: i128) -> Place {
        let span = buffer.span;
        let types = &mut self.sema.unit.types;
        let long = types.int(IntKind::Long);
        let size = types.size_of(long).unwrap_or(8);
        let index = Box::new(self.number(index, span));
        let kind = ExprKind::PointerOffset {
            pointer: Box::new(buffer.clone()),
            index,
            subtract: false,
            size: Box::new(SizeOf {
                factor: size,
                lengths: Vec::new(),
            }),
        };
        let pointer = Expr::new(kind, buffer.ty, span);
        Place {
            kind: PlaceKind::Deref(Box::new(pointer)),
            ty: long,
            span,
        }
    }

    /// The buffer of a call, evaluated once.
    fn buffer(&mut self, args: &mut Vec<Expr>, span: Span, out: &mut Vec<Stmt>) -> Option<Expr> {
        if args.is_empty() {
            return None;
        }
        let types = &mut self.sema.unit.types;
        let long = types.int(IntKind::Long);
        let ty = types.pointer(long);
        let value = self.sema.cast(args.remove(0), ty, span);
        Some(self.kept(value, out))
    }

    fn kept(&mut self, value: Expr, out: &mut Vec<Stmt>) -> Expr {
        let (ty, span) = (value.ty, value.span);
        let local = self.sema.unit.hidden_local(self.f, ty, span);
        let init = Some(self.sema.scalar_init(value));
        out.push(stmt(StmtKind::Decl { local, init }, span));
        self.load(self.local(local, span))
    }

    /// `setjmp`.
    fn set_place(&mut self, mut args: Vec<Expr>, e: &Expr) -> Option<ExprKind> {
        let span = e.span;
        let mut stmts = Vec::new();
        let buffer = self.buffer(&mut args, span, &mut stmts)?;
        let number = self.next;
        self.next += 1;
        let int = self.sema.int_type();
        let site = Site {
            number,
            label: self.sema.jump_label(span),
            back: self.sema.unit.hidden_local(self.f, int, span),
        };
        let (place, n) = (self.word(&buffer, 0), self.number(number, span));
        stmts.push(self.set(place, n));
        let place = self.word(&buffer, 1);
        let frame = match self.frame {
            Some(l) => self.load(self.local(l, span)),
            None => self.number(0, span),
        };
        stmts.push(self.set(place, frame));
        let (back, zero) = (self.local(site.back, span), self.number(0, span));
        stmts.push(self.set(back, zero));
        stmts.push(stmt(StmtKind::Label(site.label), span));
        let value = self.load(self.local(site.back, span));
        let value = Some(Box::new(self.sema.cast(value, e.ty, span)));
        self.sites.push(site);
        let message = "locals keep their values over `longjmp`, as in code that is not optimised";
        self.sema.assume(span, message);
        let block = Block { stmts, span };
        Some(ExprKind::StmtExpr { block, value })
    }

    /// `longjmp`.
    fn jump(&mut self, mut args: Vec<Expr>, e: &Expr) -> Option<ExprKind> {
        let span = e.span;
        let mut stmts = Vec::new();
        let buffer = self.buffer(&mut args, span, &mut stmts)?;
        let value = match args.pop() {
            Some(value) => {
                let int = self.sema.int_type();
                let value = self.sema.cast(value, int, span);
                let cond = self.kept(value, &mut stmts);
                let one = self.sema.int_expr(1, IntKind::Int, span);
                let (cond, els) = (Box::new(cond), Box::new(one));
                Expr::new(ExprKind::Elvis { cond, els }, int, span)
            }
            None => self.sema.int_expr(1, IntKind::Int, span),
        };
        let (frame, target) = (self.word(&buffer, 1), self.word(&buffer, 0));
        for (global, value) in [
            (self.state.frame, self.load(frame)),
            (self.state.value, value),
            (self.state.jump, self.load(target)),
        ] {
            let place = self.global(global, span);
            stmts.push(self.set(place, value));
        }
        stmts.push(stmt(StmtKind::Goto(self.land), span));
        let block = Block { stmts, span };
        Some(ExprKind::StmtExpr { block, value: None })
    }

    /// A call after which a jump may be under way.
    fn asked(&mut self, call: Expr) -> ExprKind {
        let span = call.span;
        let mut stmts = Vec::new();
        let value = match self.sema.types().is_void(call.ty) {
            true => {
                stmts.push(stmt(StmtKind::Expr(call), span));
                None
            }
            false => Some(Box::new(self.kept(call, &mut stmts))),
        };
        let cond = self.load(self.global(self.state.jump, span));
        let then = Box::new(stmt(StmtKind::Goto(self.land), span));
        let els = None;
        stmts.push(stmt(StmtKind::If { cond, then, els }, span));
        let block = Block { stmts, span };
        ExprKind::StmtExpr { block, value }
    }

    fn may_jump(&self, callee: &Callee) -> bool {
        match callee {
            Callee::Direct(f) => self.jumpers.contains(f),
            // The function itself may jump because of such calls only.
            Callee::Indirect(_) => self.jumpers.contains(&self.f),
        }
    }

    /// Where jumps land, behind the body.
    pub fn finish(mut self, block: &mut Block, span: Span) {
        let mut first = Vec::new();
        if let Some(frame) = self.frame {
            let (local, init) = (frame, None);
            first.push(stmt(StmtKind::Decl { local, init }, span));
            let count = self.load(self.global(self.state.frames, span));
            let one = self.number(1, span);
            let ty = count.ty;
            let kind = ExprKind::Binary(BinaryOp::Add, Box::new(count), Box::new(one));
            let more = Expr::new(kind, ty, span);
            let place = self.global(self.state.frames, span);
            first.push(self.set(place, more));
            let count = self.load(self.global(self.state.frames, span));
            let place = self.local(frame, span);
            first.push(self.set(place, count));
        }
        for site in &self.sites {
            let (local, init) = (site.back, None);
            first.push(stmt(StmtKind::Decl { local, init }, span));
        }
        let end = self.sema.jump_label(span);
        let mut last = vec![
            stmt(StmtKind::Goto(end), span),
            stmt(StmtKind::Label(self.land), span),
        ];
        for site in std::mem::take(&mut self.sites) {
            let value = self.load(self.global(self.state.value, span));
            let place = self.local(site.back, span);
            let set = self.set(place, value);
            let mut cond = self.is_jump(site.number, span);
            if let Some(frame) = self.frame {
                let target = self.load(self.global(self.state.frame, span));
                let own = self.load(self.local(frame, span));
                let same = self.equal(target, own);
                let kind = ExprKind::LogicalAnd(Box::new(cond), Box::new(same));
                cond = Expr::new(kind, self.sema.int_type(), span);
            }
            last.push(self.landing(cond, vec![set], site.label, span));
        }
        for label in std::mem::take(&mut self.own) {
            let cond = self.is_jump(self.numbers[&label], span);
            last.push(self.landing(cond, Vec::new(), label, span));
        }
        // Nobody is left to land in, or the buffer was never set: undefined.
        if self.sema.unit.functions[self.f].source_name == "main" {
            last.push(self.nowhere(span));
        } else {
            let none = self.is_jump(0, span);
            let then = Box::new(self.nowhere(span));
            let (cond, els) = (none, None);
            last.push(stmt(StmtKind::If { cond, then, els }, span));
            last.push(stmt(StmtKind::Return(None), span));
        }
        last.push(stmt(StmtKind::Label(end), span));
        block.stmts.splice(0..0, first);
        block.stmts.append(&mut last);
    }

    fn is_jump(&mut self, n: i128, span: Span) -> Expr {
        let jump = self.load(self.global(self.state.jump, span));
        let n = self.number(n, span);
        self.equal(jump, n)
    }

    fn landing(&mut self, cond: Expr, mut stmts: Vec<Stmt>, to: LabelId, span: Span) -> Stmt {
        let (place, zero) = (self.global(self.state.jump, span), self.number(0, span));
        stmts.push(self.set(place, zero));
        stmts.push(stmt(StmtKind::Goto(to), span));
        let then = Box::new(stmt(StmtKind::Block(Block { stmts, span }), span));
        let els = None;
        stmt(StmtKind::If { cond, then, els }, span)
    }

    fn nowhere(&mut self, span: Span) -> Stmt {
        let (name, args) = ("__builtin_unreachable".to_string(), Vec::new());
        let void = self.sema.unit.types.void();
        let end = Expr::new(ExprKind::Intrinsic { name, args }, void, span);
        stmt(StmtKind::Expr(end), span)
    }
}

impl VisitorMut for Pass<'_, '_, '_> {
    fn after_expr(&mut self, e: &mut Expr, _: bool) {
        let jump = self.sema.jump_of(e);
        if let ExprKind::Call { callee, .. } = &e.kind
            && jump.is_none()
            && self.may_jump(callee)
        {
            e.kind = self.asked(e.clone());
            return;
        }
        let (ExprKind::Call { args, .. } | ExprKind::Intrinsic { args, .. }) = &e.kind else {
            return;
        };
        let new = match jump {
            Some(Jump::Set) => self.set_place(args.clone(), e),
            Some(Jump::Long) => self.jump(args.clone(), e),
            None => None,
        };
        if let Some(kind) = new {
            e.kind = kind;
        }
    }

    fn after_stmt(&mut self, s: &mut Stmt) {
        if let StmtKind::Goto(l) = s.kind
            && !self.own.contains(&l)
            && let Some(&n) = self.numbers.get(&l)
        {
            let span = s.span;
            let (place, n) = (self.global(self.state.jump, span), self.number(n, span));
            let stmts = vec![self.set(place, n), stmt(StmtKind::Goto(self.land), span)];
            s.kind = StmtKind::Block(Block { stmts, span });
        }
    }
}
