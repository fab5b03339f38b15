//! The end of the run: aliases become calls, names become unique.

use super::super::hir::{
    Block, Body, Callee, Expr, ExprKind, FuncId, Linkage, Local, LocalKind, Place, PlaceKind, Stmt,
    StmtKind,
};
use super::{Entity, Sema};
use base::FxHashSet;
use base::Id;
use program::Span;

impl Sema<'_, '_> {
    /// At the end of a file, where its static functions are still known.
    pub(super) fn resolve_aliases(&mut self) {
        for (f, target, span) in std::mem::take(&mut self.aliases) {
            self.resolve_alias(f, &target, span);
        }
    }

    /// `f` with `alias("target")`: a body that calls the target.
    fn resolve_alias(&mut self, f: FuncId, target: &str, span: Span) {
        let entity = self.names.get(target).and_then(|s| {
            let here = self.file_entities.get(&s);
            here.or_else(|| self.linked.get(&s)).copied()
        });
        let Some(Entity::Func(target)) = entity else {
            self.error(span, format!("the alias target `{target}` is not defined"));
            return;
        };
        let Some(signature) = self.types().function(self.unit.functions[f].ty).cloned() else {
            return;
        };
        if self.unit.functions[f].body.is_some() || f == target {
            return;
        }
        let mut params = Vec::new();
        let mut args = Vec::new();
        for ty in signature.params {
            let local = self.unit.locals.push(Local {
                name: String::new(),
                ty,
                span,
                kind: LocalKind::Param,
                function: f,
                is_const: false,
                is_volatile: false,
                address_taken: false,
            });
            params.push(local);
            let place = Place {
                kind: PlaceKind::Local(local),
                ty,
                span,
            };
            args.push(Expr::new(ExprKind::Load(Box::new(place)), ty, span));
        }
        let call = Expr::new(
            ExprKind::Call {
                callee: Callee::Direct(target),
                args,
            },
            signature.ret,
            span,
        );
        let stmts = vec![Stmt {
            kind: StmtKind::Return(Some(call)),
            span,
        }];
        self.unit.functions[f].body = Some(Body {
            params,
            address_labels: Vec::new(),
            block: Block { stmts, span },
            end: span,
        });
    }

    /// External names stay as they are; internal ones give way.
    pub(super) fn unique_names(&mut self) {
        let mut taken: FxHashSet<String> = FxHashSet::default();
        for f in self.unit.functions.iter() {
            if f.linkage == Linkage::External {
                taken.insert(f.name.clone());
            }
        }
        for g in self.unit.globals.iter() {
            if g.linkage == Linkage::External {
                taken.insert(g.name.clone());
            }
        }
        for f in self.unit.functions.iter_mut() {
            if f.linkage == Linkage::Internal {
                f.name = free_name(&f.name, &mut taken);
            }
        }
        for i in 0..self.unit.globals.len() {
            let id = super::GlobalId::from_index(i);
            let global = &mut self.unit.globals[id];
            if global.linkage == Linkage::Internal {
                let wanted = if global.name.is_empty() {
                    "literal.1"
                } else {
                    &global.name
                };
                global.name = free_name(wanted, &mut taken);
            }
        }
    }
}

fn free_name(wanted: &str, taken: &mut FxHashSet<String>) -> String {
    let mut name = wanted.to_string();
    let mut n = 1u32;
    while !taken.insert(name.clone()) {
        n += 1;
        name = format!("{wanted}.{n}");
    }
    name
}
