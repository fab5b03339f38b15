//! Destructors: functions that are called when `main` returns and when `exit` is called.
//!
//! ```text
//!   int main(…) { … }          int main.body(…) { … }
//!   exit(e)             →      int main(…) { int r = main.body(…); d(); return r; }
//!                              ({ int n = e; d(); exit(n); })
//! ```
//! `abort` and `_exit` call none. A destructor that calls `exit` itself has no defined behaviour.

use super::super::hir::{
    Block, Callee, Expr, ExprKind, FuncId, Place, PlaceKind, Stmt, StmtKind, visit,
};
use super::Sema;
use base::Id;
use program::Span;

impl Sema<'_, '_> {
    pub(super) fn call_destructors(&mut self) {
        let destructors = std::mem::take(&mut self.destructors);
        let order: Vec<(FuncId, Span)> = destructors
            .into_iter()
            .rev()
            .map(|((_, f), span)| (f, span))
            .collect();
        let calls = self.calls_of(order.iter().copied());
        let Some(main) = self.main_function().filter(|_| !calls.is_empty()) else {
            return;
        };
        self.before_exits(&calls, |f| order.iter().all(|&(d, _)| d != f));
        self.after_main(main, calls);
    }

    /// A hidden local that holds the value, and the value from it.
    fn kept(&mut self, function: FuncId, value: Expr) -> (Stmt, Expr) {
        let (ty, span) = (value.ty, value.span);
        let local = self.unit.hidden_local(function, ty, span);
        let init = Some(self.scalar_init(value));
        let kind = StmtKind::Decl { local, init };
        let place = Box::new(Place {
            kind: PlaceKind::Local(local),
            ty,
            span,
        });
        let load = Expr::new(ExprKind::Load(place), ty, span);
        (Stmt { kind, span }, load)
    }

    fn before_exits(&mut self, calls: &[Stmt], inside: impl Fn(FuncId) -> bool) {
        for i in 0..self.unit.functions.len() {
            let f = FuncId::from_index(i);
            let Some(mut body) = self.unit.functions[f].body.take_if(|_| inside(f)) else {
                continue;
            };
            visit::rewrite_block(&mut body.block, &mut |e, _| {
                if let ExprKind::Call {
                    callee: Callee::Direct(callee),
                    args,
                } = &mut e.kind
                    && self.unit.functions[*callee].source_name == "exit"
                    && let [status] = args.as_mut_slice()
                {
                    let (first, load) = self.kept(f, status.clone());
                    *status = load;
                    let mut stmts = vec![first];
                    stmts.extend(calls.iter().cloned());
                    let span = e.span;
                    let value = Some(Box::new(e.clone()));
                    let block = Block { stmts, span };
                    e.kind = ExprKind::StmtExpr { block, value };
                }
            });
            self.unit.functions[f].body = Some(body);
        }
    }

    /// `main` becomes a function that calls what was `main`.
    fn after_main(&mut self, main: FuncId, calls: Vec<Stmt>) {
        let mut outer = self.unit.functions[main].clone();
        outer.body = None;
        let span = outer.span;
        let ret = self.types().function(outer.ty).map(|t| t.ret);
        let inner = &mut self.unit.functions[main];
        inner.name = "main()".into();
        inner.source_name = inner.name.clone();
        let ret = ret.filter(|&t| self.types().is_integer(t));
        // Reaching the end of main returns 0.
        if let Some(ty) = ret
            && let Some(body) = &mut self.unit.functions[main].body
        {
            let zero = Expr::new(ExprKind::Int(0), ty, body.end);
            let kind = StmtKind::Return(Some(zero));
            let span = body.end;
            body.block.stmts.push(Stmt { kind, span });
        }
        let outer = self.unit.functions.push(outer);
        self.forward(outer, main, span);
        let Some(mut body) = self.unit.functions[outer].body.take() else {
            return;
        };
        if let Some(Stmt {
            kind: StmtKind::Return(Some(call)),
            ..
        }) = body.block.stmts.pop()
        {
            let end = match ret {
                Some(_) => {
                    let (first, load) = self.kept(outer, call);
                    body.block.stmts.push(first);
                    Some(load)
                }
                None => {
                    let kind = StmtKind::Expr(call);
                    body.block.stmts.push(Stmt { kind, span });
                    None
                }
            };
            body.block.stmts.extend(calls);
            let kind = StmtKind::Return(end);
            body.block.stmts.push(Stmt { kind, span });
        }
        self.unit.functions[outer].body = Some(body);
    }
}
