//! Functions of the library whose address is taken: what has a model gets it as its body; what is built in
//! has a wrapper among the models (`craig_at_…`) that calls it by name.

use super::super::hir::{Expr, ExprKind, FuncId, Linkage, visit};
use super::Sema;
use crate::c::syntax::lexer::Symbol;
use base::Id;
use program::Span;

impl Sema<'_, '_> {
    /// What is built in has a model for calls through pointers only, which calls it by name.
    /// What is wrong in it is wrong where the address is taken.
    pub(super) fn wrapper_of(&mut self, f: FuncId, span: Span) -> Option<FuncId> {
        let function = &self.unit.functions[f];
        if function.body.is_some() || function.linkage == Linkage::Internal {
            return None;
        }
        let name = format!("craig_at_{}", function.source_name);
        let name = self.names.get(&name).or_else(|| self.variadic_model(f))?;
        self.shared_copy(name, span)
    }

    /// A variadic function cannot hand its arguments on: its model itself is called.
    fn variadic_model(&self, f: FuncId) -> Option<Symbol> {
        let function = &self.unit.functions[f];
        self.types().function(function.ty).filter(|t| t.variadic)?;
        match function.source_name.as_str() {
            "printf" => self.names.get("craig_printf"),
            "fprintf" => self.names.get("craig_fprintf"),
            _ => self.model_of(f).map(|(name, _)| name),
        }
    }

    /// The address of a wrapped function is that of its wrapper.
    pub(super) fn point_to_wrappers(&mut self, wrapped: &[(FuncId, FuncId)]) {
        if wrapped.is_empty() {
            return;
        }
        let mut change = |e: &mut Expr, _: bool| {
            if let ExprKind::FunctionAddress(f) = &mut e.kind
                && let Some((_, wrapper)) = wrapped.iter().find(|(g, _)| g == f)
            {
                *f = *wrapper;
            }
        };
        visit::rewrite_unit(&mut self.unit, &mut change);
    }

    pub(super) fn link_globals(&mut self, taken: &mut Vec<(FuncId, Span)>) {
        for i in 0..self.unit.globals.len() {
            let g = super::GlobalId::from_index(i);
            if let Some(mut init) = self.unit.globals[g].init.take() {
                visit::rewrite_init(&mut init, &mut |e, _| {
                    if let ExprKind::FunctionAddress(f) = e.kind {
                        taken.push((f, e.span));
                    }
                });
                self.unit.globals[g].init = Some(init);
            }
        }
    }

    /// The function's address is used: it gets the model as its body.
    pub(super) fn give_body(&mut self, f: FuncId, next: &mut usize) {
        if self.unit.functions[f].body.is_some() {
            return;
        }
        let span = self.unit.functions[f].span;
        let Some((name, _)) = self.model_of(f) else {
            return;
        };
        if self.unit.functions[f].linkage == Linkage::Internal {
            return;
        }
        let Some(copy) = self.shared_copy(name, span) else {
            return;
        };
        let from = self.types().function(self.unit.functions[f].ty).cloned();
        let to = self.types().function(self.unit.functions[copy].ty).cloned();
        let (Some(from), Some(to)) = (from, to) else {
            return;
        };
        if from.variadic || from.params.len() != to.params.len() {
            return;
        }
        self.forwarding_body(f, copy, span);
        *next = (*next).min(f.index());
        self.unit.functions[f].library = true;
    }
}
