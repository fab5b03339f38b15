//! `__attribute__((cleanup(f)))`: `f(&x)` is called when `x` ends, whichever way control leaves.
//!
//! A variable is *open* from its declaration to the end of its block. Where a block ends its variables are
//! closed, the last first; `break`, `continue`, `return` and `goto` first close what is open here and not there. The
//! value of `return` is computed before. Statement expressions that open such variables or jump over them are refused.

use super::super::hir::visit::{Visitor, shared};
use super::super::hir::{
    Block, Callee, Expr, ExprKind, FuncId, LabelId, LocalId, Place, PlaceKind, Stmt, StmtKind,
};
use super::Sema;
use super::steps::Work;
use super::{Binding, ast};
use base::FxHashMap;
use program::Span;

impl Sema<'_, '_> {
    pub(super) fn note_cleanup(
        &mut self,
        local: LocalId,
        specs: &ast::Specifiers,
        declarator: &ast::Declarator,
    ) {
        let mut attributes = specs.attributes.iter().chain(&declarator.attributes);
        let cleanup = attributes.find_map(|a| match a {
            ast::Attribute::Cleanup(at, name) => Some((*at, *name)),
            _ => None,
        });
        let Some((at, name)) = cleanup else { return };
        match self.ordinary.get(name) {
            Some(Binding::Func(f)) => {
                self.cleanups.insert(local, f);
                self.unit.locals[local].address_taken = true;
            }
            _ => {
                let (span, text) = (self.span(at), self.text(name));
                self.error(span, format!("`{text}` is no function"));
            }
        }
    }

    /// When all files are read.
    pub(super) fn call_cleanups(&mut self) {
        if self.cleanups.is_empty() {
            return;
        }
        let functions: Vec<FuncId> = {
            let locals = self.cleanups.keys().map(|&l| self.unit.locals[l].function);
            let mut list: Vec<FuncId> = locals.collect();
            list.sort_unstable();
            list.dedup();
            list
        };
        for f in functions {
            let Some(mut body) = self.unit.functions[f].body.take() else {
                continue;
            };
            let mut scopes = Scopes {
                sema: self,
                f,
                open: Vec::new(),
                around: Vec::new(),
                labels: FxHashMap::default(),
                rewriting: false,
            };
            scopes.stmts(&mut body.block.stmts, body.end);
            scopes.rewriting = true;
            scopes.stmts(&mut body.block.stmts, body.end);
            self.unit.functions[f].body = Some(body);
        }
    }
}

/// What is open at a place of a function.
struct Scopes<'s, 't, 'a> {
    sema: &'s mut Sema<'t, 'a>,
    f: FuncId,
    open: Vec<LocalId>,
    /// How much was open before each loop and switch around; whether `continue` ends there too.
    around: Vec<(usize, bool)>,
    /// What is open at each label, found in a first round.
    labels: FxHashMap<LabelId, Vec<LocalId>>,
    rewriting: bool,
}

impl Scopes<'_, '_, '_> {
    fn stmts(&mut self, list: &mut Vec<Stmt>, end: Span) {
        let before = self.open.len();
        let mut out = Vec::with_capacity(list.len());
        for mut s in std::mem::take(list) {
            self.stmt(&mut s);
            let local = match s.kind {
                StmtKind::Decl { local, .. } => Some(local),
                _ => None,
            };
            out.push(s);
            if let Some(local) = local.filter(|l| self.sema.cleanups.contains_key(l)) {
                self.open.push(local);
            }
        }
        if self.rewriting {
            let close = self.closing(before, end);
            out.extend(close);
        }
        self.open.truncate(before);
        *list = out;
    }

    /// Calls for what was opened after the first `keep`.
    fn closing(&mut self, keep: usize, span: Span) -> Vec<Stmt> {
        let open: Vec<LocalId> = self.open[keep..].iter().rev().copied().collect();
        open.into_iter().map(|l| self.close(l, span)).collect()
    }

    fn close(&mut self, local: LocalId, span: Span) -> Stmt {
        let f = self.sema.cleanups[&local];
        let ty = self.sema.unit.locals[local].ty;
        let place = Place {
            kind: PlaceKind::Local(local),
            ty,
            span,
        };
        let pointer = self.sema.unit.types.pointer(ty);
        let mut arg = Expr::new(ExprKind::AddressOf(Box::new(place)), pointer, span);
        let signature = self.sema.unit.functions[f].ty;
        let signature = self.sema.types().function(signature).cloned();
        let int = self.sema.int_type();
        let ret = signature.as_ref().map_or(int, |s| s.ret);
        if let Some(&ty) = signature.as_ref().and_then(|s| s.params.first()) {
            arg = self.sema.cast(arg, ty, span);
        }
        let kind = ExprKind::Call {
            callee: Callee::Direct(f),
            args: vec![arg],
        };
        let kind = StmtKind::Expr(Expr::new(kind, ret, span));
        Stmt { kind, span }
    }

    /// A statement that is the body of another.
    fn body(&mut self, s: &mut Stmt) {
        if let StmtKind::Decl { .. } = s.kind {
            let span = s.span;
            let inner = std::mem::replace(&mut s.kind, StmtKind::Empty);
            let stmts = vec![Stmt { kind: inner, span }];
            s.kind = StmtKind::Block(Block { stmts, span });
        }
        self.stmt(s);
    }

    fn looped(&mut self, body: &mut Stmt, continues: bool) {
        self.around.push((self.open.len(), continues));
        self.body(body);
        self.around.pop();
    }

    fn stmt(&mut self, s: &mut Stmt) {
        let span = s.span;
        if !self.rewriting {
            self.refuse_inside(s);
        }
        let new = match &mut s.kind {
            StmtKind::Block(b) => {
                self.stmts(&mut b.stmts, span);
                return;
            }
            StmtKind::If { then, els, .. } => {
                self.body(then);
                if let Some(els) = els {
                    self.body(els);
                }
                return;
            }
            StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => {
                return self.looped(body, true);
            }
            StmtKind::Switch { body, .. } => return self.looped(body, false),
            StmtKind::For { init, body, .. } => {
                let before = self.open.len();
                for d in init.iter() {
                    if let StmtKind::Decl { local, .. } = d.kind
                        && self.sema.cleanups.contains_key(&local)
                    {
                        self.open.push(local);
                    }
                }
                self.looped(body, true);
                if self.open.len() == before || !self.rewriting {
                    self.open.truncate(before);
                    return;
                }
                let close = self.closing(before, span);
                self.open.truncate(before);
                let kind = std::mem::replace(&mut s.kind, StmtKind::Empty);
                let mut stmts = vec![Stmt { kind, span }];
                stmts.extend(close);
                stmts
            }
            StmtKind::Label(l) => {
                self.labels.insert(*l, self.open.clone());
                return;
            }
            StmtKind::Goto(l) => {
                let there = self.labels.get(l).cloned().unwrap_or_default();
                let alike = self.open.iter().zip(&there).take_while(|(a, b)| a == b);
                let keep = alike.count();
                self.closing_before(keep, s)
            }
            StmtKind::Break => {
                let keep = self.around.last().map_or(0, |a| a.0);
                self.closing_before(keep, s)
            }
            StmtKind::Continue => {
                let mut around = self.around.iter().rev();
                let keep = around.find(|a| a.1).map_or(0, |a| a.0);
                self.closing_before(keep, s)
            }
            StmtKind::Return(value) => {
                if self.open.is_empty() || !self.rewriting {
                    return;
                }
                let mut work = Work::new(self.f, span);
                let value = value.take();
                let kept = value.map(|v| match self.sema.types().is_void(v.ty) {
                    true => v,
                    false => self.sema.keep(&mut work, v),
                });
                let close = self.closing(0, span);
                work.stmts.extend(close);
                work.push(StmtKind::Return(kept));
                work.stmts
            }
            _ => return,
        };
        if self.rewriting && !new.is_empty() {
            s.kind = StmtKind::Block(Block { stmts: new, span });
        }
    }

    fn closing_before(&mut self, keep: usize, s: &Stmt) -> Vec<Stmt> {
        let mut list = self.closing(keep, s.span);
        if !list.is_empty() {
            list.push(s.clone());
        }
        list
    }

    /// Reports what is not modelled in the expressions of a statement, and jumps whose target is not known.
    fn refuse_inside(&mut self, s: &Stmt) {
        struct Find<'c> {
            cleanups: &'c FxHashMap<LocalId, FuncId>,
            open: bool,
            inside: u32,
            bad: Option<Span>,
        }
        impl<'h> Visitor<'h> for Find<'_> {
            fn expr(&mut self, e: &'h Expr) {
                self.inside += u32::from(matches!(e.kind, ExprKind::StmtExpr { .. }));
            }
            fn after_expr(&mut self, e: &'h Expr, _: bool) {
                self.inside -= u32::from(matches!(e.kind, ExprKind::StmtExpr { .. }));
            }
            fn stmt(&mut self, s: &'h Stmt) {
                let leaves = match &s.kind {
                    StmtKind::Decl { local, .. } => {
                        self.inside > 0 && self.cleanups.contains_key(local)
                    }
                    StmtKind::Return(_) | StmtKind::Goto(_) => self.inside > 0 && self.open,
                    StmtKind::ComputedGoto(_) => true,
                    StmtKind::Asm(a) => !a.labels.is_empty(),
                    _ => false,
                };
                if leaves {
                    self.bad.get_or_insert(s.span);
                }
            }
        }
        let mut find = Find {
            cleanups: &self.sema.cleanups,
            open: !self.open.is_empty(),
            inside: 0,
            bad: None,
        };
        match &s.kind {
            StmtKind::Block(_) => {}
            StmtKind::If { cond: e, .. }
            | StmtKind::While { cond: e, .. }
            | StmtKind::DoWhile { cond: e, .. }
            | StmtKind::Switch { value: e, .. } => shared::expr(&mut find, e),
            StmtKind::For {
                init, cond, step, ..
            } => {
                init.iter().for_each(|s| shared::stmt(&mut find, s));
                for e in cond.iter().chain(step) {
                    shared::expr(&mut find, e);
                }
            }
            _ => shared::stmt(&mut find, s),
        }
        if let Some(span) = find.bad {
            let message = "a jump out of an expression is not supported in a function with the attribute `cleanup`";
            self.sema.error(span, message);
        }
    }
}
