//! The end of the run: aliases become calls, names become unique.

use super::super::hir::{
    Block, Body, Callee, Expr, ExprKind, FuncId, Linkage, Local, LocalKind, Place, PlaceKind, Stmt,
    StmtKind, visit,
};
use super::{Entity, Sema};
use crate::c::syntax::ast::At;
use crate::c::types::IntKind;
use base::FxHashSet;
use base::Id;
use program::Span;

/// Functions that gcc computes itself even where the program defines them: their names are the library's, so C
/// leaves it open and compilers differ. Verdicts hold for both meanings; `craig run` does as gcc does.
const COMPILED_IN: [&str; 7] = ["abs", "labs", "llabs", "imaxabs", "fabs", "fabsf", "fabsl"];

impl Sema<'_, '_> {
    /// Calls of [`COMPILED_IN`] functions, of the library's type, that the program defines too.
    pub(super) fn call_compiled_in(&mut self) {
        let mut own = Vec::new();
        for (f, function) in self.unit.functions.iter_enumerated() {
            let name = function.source_name.as_str();
            let outer = function.linkage == Linkage::External && function.body.is_some();
            if outer && COMPILED_IN.contains(&name) && !function.library {
                own.push((f, name.to_string(), function.span));
            }
        }
        own.retain(|(f, name, _)| {
            let ret = self.library_return(name);
            let signature = self.types().function(self.unit.functions[*f].ty);
            signature.is_some_and(|s| ret == Some(s.ret) && s.params == [s.ret])
        });
        let int = self.unit.types.int(IntKind::Int);
        for (f, name, span) in own {
            let which = format!("calls of `{name}` are the compiler's own or the program's");
            if self.running {
                self.assume(
                    span,
                    format!("calls of `{name}` are the compiler's own, as gcc has it"),
                );
            }
            let running = self.running;
            let name = format!("__builtin_{name}");
            visit::rewrite_unit(&mut self.unit, &mut |e, _| {
                let ExprKind::Call {
                    callee: Callee::Direct(g),
                    args,
                } = &e.kind
                else {
                    return;
                };
                if *g != f {
                    return;
                }
                let own = ExprKind::Intrinsic {
                    name: name.clone(),
                    args: args.clone(),
                };
                if running {
                    e.kind = own;
                    return;
                }
                let either = ExprKind::Intrinsic {
                    name: format!("__builtin_craig_any_int:{which}"),
                    args: Vec::new(),
                };
                let theirs = std::mem::replace(&mut e.kind, ExprKind::Int(0));
                e.kind = ExprKind::Conditional {
                    cond: Box::new(Expr::new(either, int, e.span)),
                    then: Box::new(Expr::new(own, e.ty, e.span)),
                    els: Box::new(Expr::new(theirs, e.ty, e.span)),
                };
            });
        }
    }

    /// At the end of a file, where its static functions are still known.
    pub(super) fn resolve_aliases(&mut self) {
        for (f, target, span) in std::mem::take(&mut self.aliases) {
            self.resolve_alias(f, &target, span);
        }
        for (f, name, span) in std::mem::take(&mut self.asm_names) {
            let entity = self.names.get(&name).and_then(|s| {
                let here = self.file_entities.get(&s);
                here.or_else(|| self.linked.get(&s)).copied()
            });
            let Some(Entity::Func(other)) = entity else {
                continue;
            };
            let defined = |f: FuncId| self.unit.functions[f].body.is_some();
            match (defined(f), defined(other)) {
                (false, true) => self.forward(f, other, span),
                (true, false) => self.forward(other, f, span),
                _ => {}
            }
        }
    }

    /// The text of adjacent string tokens.
    pub(super) fn strings_text(&self, at: At) -> String {
        let mut out = String::new();
        for token in at.. {
            let text = self.token_text(token);
            if !text.starts_with('"') {
                break;
            }
            out.push_str(text.trim_matches('"'));
        }
        out
    }

    pub(super) fn main_function(&self) -> Option<FuncId> {
        let mut functions = self.unit.functions.iter_enumerated();
        let main = functions.find(|(_, f)| f.source_name == "main" && f.body.is_some());
        main.map(|(id, _)| id)
    }

    /// Constructors are called where `main` begins.
    pub(super) fn call_constructors(&mut self) {
        let constructors = std::mem::take(&mut self.constructors);
        let Some(main) = self.main_function().filter(|_| !constructors.is_empty()) else {
            return;
        };
        if self.is_recursive(main) {
            let span = self.unit.functions[main].span;
            self.error(
                span,
                "constructors and a recursive `main` are not supported",
            );
        }
        let calls = constructors.into_iter().map(|((_, f), span)| (f, span));
        let calls = self.calls_of(calls);
        if let Some(body) = &mut self.unit.functions[main].body {
            body.block.stmts.splice(0..0, calls);
        }
    }

    /// Calls of those of the functions that are defined.
    pub(super) fn calls_of(
        &mut self,
        functions: impl Iterator<Item = (FuncId, Span)>,
    ) -> Vec<Stmt> {
        let void = self.unit.types.void();
        functions
            .filter(|&(f, _)| self.unit.functions[f].body.is_some())
            .map(|(f, span)| {
                let kind = ExprKind::Call {
                    callee: Callee::Direct(f),
                    args: Vec::new(),
                };
                let kind = StmtKind::Expr(Expr::new(kind, void, span));
                Stmt { kind, span }
            })
            .collect()
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
        self.forward(f, target, span);
    }

    /// Gives `f` a body that calls the target.
    pub(super) fn forward(&mut self, f: FuncId, target: FuncId, span: Span) {
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
