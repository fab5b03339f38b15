//! Nested functions: what they use of the functions around them.
//!
//! A local that a nested function names becomes an object that lives as long as the program.
//! // Sound because the function that declares it is not recursive, so that at most one instance of
//! // the local lives at a time; otherwise the program is refused. The object gets any value where its
//! // declaration is executed, as a local would.

use super::super::hir::visit::{Visitor, VisitorMut, changing, shared};
use super::super::hir::{
    Callee, Expr, ExprKind, FuncId, Global, GlobalId, Linkage, LocalId, Place, PlaceKind, Stmt,
    StmtKind,
};
use super::super::types::{ArrayLen, Type, TypeId};
use super::Sema;
use base::{FxHashMap, FxHashSet, Id};
use program::Span;

impl Sema<'_, '_> {
    pub(super) fn capture(&mut self, local: LocalId, span: Span) {
        if self.is_variable(self.unit.locals[local].ty) {
            self.error(
                span,
                "a nested function that uses an array of variable length is not supported",
            );
        }
        self.captured.entry(local).or_insert(span);
    }

    /// Is the type an array with a variable length somewhere?
    pub(super) fn is_variable_array(&self, ty: TypeId) -> bool {
        match *self.types().get(ty) {
            Type::Array(_, ArrayLen::Variable(_)) => true,
            Type::Array(to, _) => self.is_variable_array(to),
            _ => false,
        }
    }

    fn is_variable(&self, ty: TypeId) -> bool {
        match *self.types().get(ty) {
            Type::Array(_, ArrayLen::Variable(_)) => true,
            Type::Array(to, _) | Type::Pointer(to) => self.is_variable(to),
            _ => false,
        }
    }

    /// Does the function call itself, by whatever way?
    pub(super) fn is_recursive(&mut self, f: FuncId) -> bool {
        let graph = self.call_graph();
        reaches(&graph, f)
    }

    /// At the end of the run: captured locals become globals.
    pub(super) fn lift_captured(&mut self) {
        if self.captured.is_empty() {
            return;
        }
        let graph = self.call_graph();
        let mut lifted = FxHashMap::default();
        for (local, span) in std::mem::take(&mut self.captured) {
            let l = self.unit.locals[local].clone();
            if reaches(&graph, l.function) {
                self.error(
                    span,
                    "a nested function that uses locals of a recursive function is not supported",
                );
            }
            let function = &self.unit.functions[l.function].source_name;
            let global = self.unit.globals.push(Global {
                name: format!("{function}.{}", l.name),
                source_name: Some(l.name),
                ty: l.ty,
                span: l.span,
                linkage: Linkage::Internal,
                defined: true,
                init: None,
                // Its initialiser assigns to it.
                is_const: false,
                is_volatile: l.is_volatile,
                thread_local: false,
                function: Some(l.function),
            });
            lifted.insert(local, (global, l.ty));
        }
        for i in 0..self.unit.functions.len() {
            let f = FuncId::from_index(i);
            let Some(mut body) = self.unit.functions[f].body.take() else {
                continue;
            };
            let mut lift = Lift { lifted: &lifted };
            changing::block(&mut lift, &mut body.block);
            let start: Vec<Stmt> = body
                .params
                .iter()
                .filter_map(|p| {
                    let &(global, ty) = lifted.get(p)?;
                    Some(begin(global, *p, ty, self.unit.locals[*p].span))
                })
                .collect();
            body.block.stmts.splice(0..0, start);
            self.unit.functions[f].body = Some(body);
        }
    }

    /// Who may call whom; a call through a pointer may reach every function whose address is used.
    pub(super) fn call_graph(&self) -> FxHashMap<FuncId, FxHashSet<FuncId>> {
        let mut graph: FxHashMap<FuncId, FxHashSet<FuncId>> = FxHashMap::default();
        let (mut through, mut taken) = (Vec::new(), FxHashSet::default());
        for (f, function) in self.unit.functions.iter_enumerated() {
            if let Some(body) = &function.body {
                let mut calls = Calls::default();
                shared::block(&mut calls, &body.block);
                taken.extend(calls.taken);
                if calls.indirect {
                    through.push(f);
                }
                graph.insert(f, calls.direct);
            }
        }
        for init in self.unit.globals.iter().filter_map(|g| g.init.as_ref()) {
            let mut calls = Calls::default();
            shared::init(&mut calls, init);
            taken.extend(calls.taken);
        }
        for f in through {
            graph.entry(f).or_default().extend(&taken);
        }
        graph
    }
}

/// Does the function call itself, by whatever way?
pub(super) fn reaches(graph: &FxHashMap<FuncId, FxHashSet<FuncId>>, f: FuncId) -> bool {
    let mut seen = FxHashSet::default();
    let mut open = vec![f];
    while let Some(g) = open.pop() {
        for &callee in graph.get(&g).into_iter().flatten() {
            if callee == f {
                return true;
            }
            if seen.insert(callee) {
                open.push(callee);
            }
        }
    }
    false
}

#[derive(Default)]
struct Calls {
    direct: FxHashSet<FuncId>,
    taken: FxHashSet<FuncId>,
    indirect: bool,
}

impl<'h> Visitor<'h> for Calls {
    fn expr(&mut self, e: &'h Expr) {
        match &e.kind {
            ExprKind::Call { callee, .. } => match callee {
                Callee::Direct(f) => {
                    self.direct.insert(*f);
                }
                Callee::Indirect(_) => self.indirect = true,
            },
            ExprKind::FunctionAddress(f) => {
                self.taken.insert(*f);
            }
            _ => {}
        }
    }
}

struct Lift<'m> {
    lifted: &'m FxHashMap<LocalId, (GlobalId, TypeId)>,
}

impl VisitorMut for Lift<'_> {
    fn after_place(&mut self, p: &mut Place) {
        if let PlaceKind::Local(l) = &p.kind
            && let Some(&(global, _)) = self.lifted.get(l)
        {
            p.kind = PlaceKind::Global(global);
        }
    }

    /// The declared local stays: it is the value that the object begins with.
    fn after_stmts(&mut self, stmts: &mut Vec<Stmt>) {
        let mut i = 0;
        while i < stmts.len() {
            i += 1;
            let span = stmts[i - 1].span;
            if let StmtKind::Decl { local, .. } = stmts[i - 1].kind
                && let Some(&(global, ty)) = self.lifted.get(&local)
            {
                stmts.insert(i, begin(global, local, ty, span));
                i += 1;
            }
        }
    }
}

/// `global = local;`
fn begin(global: GlobalId, local: LocalId, ty: TypeId, span: Span) -> Stmt {
    let place = |kind| Box::new(Place { kind, ty, span });
    let value = Expr::new(ExprKind::Load(place(PlaceKind::Local(local))), ty, span);
    let kind = ExprKind::Assign {
        place: place(PlaceKind::Global(global)),
        value: Box::new(value),
    };
    let kind = StmtKind::Expr(Expr::new(kind, ty, span));
    Stmt { kind, span }
}
