//! Copies of models: the definition of a model is checked once more for each call, as a function of its own,
//! so that the points-to analysis keeps callers apart and errors are at the user's place.

use super::super::hir::{self, Body, Callee, Expr, ExprKind, FuncId, Linkage};
use super::super::types::TypeId;
use super::{Binding, Sema};
use crate::c::syntax::ast;
use crate::c::syntax::lexer::Symbol;
use program::Span;

/// Calls of one function beyond this many share a copy.
const COPIES: u32 = 48;

impl Sema<'_, '_> {
    pub(super) fn copy_for(&mut self, caller: FuncId, name: Symbol, span: Span) -> Option<FuncId> {
        // A model that calls itself, however far round, calls the same copy.
        let mut above = Some(caller);
        while let Some(f) = above {
            match self.models.as_ref()?.origin.get(&f) {
                Some(&(n, _)) if n == name => return Some(f),
                Some(&(_, parent)) => above = parent,
                None => break,
            }
        }
        let count = self.models.as_mut()?.copies.entry(name).or_insert(0);
        *count += 1;
        if *count > COPIES {
            return self.shared_copy(name, span);
        }
        let f = self.copy(name, span)?;
        let models = self.models.as_mut()?;
        let parent = models.origin.contains_key(&caller).then_some(caller);
        models.origin.insert(f, (name, parent));
        Some(f)
    }

    pub(super) fn shared_copy(&mut self, name: Symbol, span: Span) -> Option<FuncId> {
        if let Some(&f) = self.models.as_ref()?.shared.get(&name) {
            return Some(f);
        }
        let f = self.copy(name, span)?;
        let models = self.models.as_mut()?;
        models.shared.insert(name, f);
        models.origin.insert(f, (name, None));
        Some(f)
    }

    /// Checks the definition of a model once more, as a new function at this place.
    pub(super) fn copy(&mut self, name: Symbol, span: Span) -> Option<FuncId> {
        self.open_models();
        let def = *self.models.as_ref()?.defs.get(&name)?;
        self.model_place = Some(span);
        let base = self.specifiers(&def.specs);
        let ty = self.declared_type(base, &def.declarator);
        let text = self.text(name).to_string();
        let f = self
            .unit
            .functions
            .push(self.model_function(&text, ty, span));
        self.define(f, def, ty);
        self.model_place = None;
        Some(f)
    }

    fn model_function(&self, name: &str, ty: TypeId, span: Span) -> hir::Function {
        hir::Function {
            name: name.into(),
            source_name: name.into(),
            ty,
            span,
            linkage: Linkage::Internal,
            is_noreturn: false,
            is_weak: false,
            implicit: false,
            library: true,
            body: None,
        }
    }

    /// Reads the declarations of the models into a scope of their own.
    pub(super) fn open_models(&mut self) {
        let Some(models) = &mut self.models else {
            return;
        };
        if std::mem::replace(&mut models.open, true) {
            return;
        }
        let tree = models.tree;
        self.file = models.file;
        self.ordinary.rewind(0);
        self.tags.rewind(0);
        self.marks.clear();
        self.file_entities.clear();
        self.declare_builtin_types();
        self.model_place = Some(Span::unknown());
        for item in &tree.items {
            match item {
                ast::Item::Declaration(d) => self.file_declaration(d),
                ast::Item::Function(def) => self.template(def),
                ast::Item::StaticAssert(_) | ast::Item::Asm(_) => {}
            }
        }
        self.model_place = None;
    }

    fn template(&mut self, def: &ast::FunctionDef) {
        let Some(name) = def.declarator.name else {
            return;
        };
        let base = self.specifiers(&def.specs);
        let ty = self.declared_type(base, &def.declarator);
        let text = self.text(name).to_string();
        let function = self.model_function(&text, ty, Span::unknown());
        let f = self.unit.functions.push(function);
        self.bind(name, Binding::Func(f));
        if let Some(models) = &mut self.models {
            models.templates.insert(f, name);
            models.by_name.insert(name, f);
        }
    }

    /// `f` calls `target` with its own arguments.
    pub(super) fn forwarding_body(&mut self, f: FuncId, target: FuncId, span: Span) {
        let Some(signature) = self.types().function(self.unit.functions[f].ty).cloned() else {
            return;
        };
        let Some(wanted) = self
            .types()
            .function(self.unit.functions[target].ty)
            .cloned()
        else {
            return;
        };
        let mut params = Vec::new();
        let mut args = Vec::new();
        for (&ty, &to) in signature.params.iter().zip(&wanted.params) {
            let local = self.unit.locals.push(hir::Local {
                name: String::new(),
                ty,
                span,
                kind: hir::LocalKind::Param,
                function: f,
                is_const: false,
                is_volatile: false,
                address_taken: false,
            });
            params.push(local);
            let place = hir::Place {
                kind: hir::PlaceKind::Local(local),
                ty,
                span,
            };
            let value = Expr::new(ExprKind::Load(Box::new(place)), ty, span);
            args.push(self.cast(value, to, span));
        }
        let callee = Callee::Direct(target);
        let call = Expr::new(ExprKind::Call { callee, args }, wanted.ret, span);
        let void = self.types().is_void(signature.ret);
        let kind = if void || self.types().is_void(wanted.ret) {
            hir::StmtKind::Expr(call)
        } else {
            hir::StmtKind::Return(Some(self.cast(call, signature.ret, span)))
        };
        self.unit.functions[f].body = Some(Body {
            params,
            address_labels: Vec::new(),
            block: hir::Block {
                stmts: vec![hir::Stmt { kind, span }],
                span,
            },
            end: span,
        });
    }
}
