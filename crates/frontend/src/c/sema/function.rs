//! Function definitions, new and old style.

use super::super::hir::{self, FuncId, LocalId, LocalKind};
use super::super::types::{FunctionType, IntKind, Type, TypeId};
use super::{Binding, FunctionContext, Sema};
use crate::c::syntax::ast::*;
use crate::c::syntax::lexer::Symbol;
use base::FxHashMap;
use program::Span;

impl Sema<'_, '_> {
    /// Name, parameters and type of a function that is defined.
    fn definition_head<'d>(
        &mut self,
        def: &'d FunctionDef,
        span: Span,
    ) -> Option<(Symbol, &'d Params, TypeId)> {
        let base = self.specifiers(&def.specs);
        let ty = self.declared_type(base, &def.declarator);
        let (Some(name), Some(Part::Function(params))) =
            (def.declarator.name, def.declarator.parts.first())
        else {
            self.error(span, "a function definition needs a name and parameters");
            return None;
        };
        let ty = match params.names.is_empty() {
            true => ty,
            false => self.old_style_type(ty, params, &def.old_params),
        };
        Some((name, params, ty))
    }

    pub(super) fn function_definition(&mut self, def: &FunctionDef) {
        let span = self.span(def.declarator.at);
        let Some((name, params, ty)) = self.definition_head(def, span) else {
            return;
        };
        let Some(signature) = self.types().function(ty).cloned() else {
            return;
        };
        let f = self.declare_function(&def.specs, &def.declarator, name, ty, span);
        let inline = def.specs.inline;
        if self.unit.functions[f].body.is_some() {
            // An inline or weak definition yields to, or is, the one that counts.
            let replaceable = self.inline_defs.contains(&f) || self.unit.functions[f].is_weak;
            if !inline && !replaceable {
                let text = self.text(name);
                if self.is_stubbed(f, span) {
                    self.warn(
                        span,
                        format!("`{text}` has a stub; this definition is left out"),
                    );
                    return;
                }
                self.error(span, format!("`{text}` is defined again"));
            }
            if !replaceable {
                return;
            }
        }
        if inline && def.specs.storage != Storage::Static {
            self.inline_defs.insert(f);
        } else {
            self.inline_defs.remove(&f);
        }
        // `f() { … }` says nothing about parameters that a prototype did not say better.
        if !signature.unprototyped {
            self.unit.functions[f].ty = ty;
        }
        self.unit.functions[f].span = span;
        self.function_body(f, def, params, &signature);
        if let Some((span, pack)) = self.packed.take() {
            let known = crate::c::library::table::meaning(self.text(name)).is_some();
            if known && inline && def.specs.storage == Storage::Extern {
                // A wrapper of a header around a function of the library, which is what is meant.
                self.unit.functions[f].body = None;
                self.inline_defs.remove(&f);
            } else {
                self.error(span, format!("`{pack}` is not supported"));
            }
        }
    }

    /// Gives the function of this type the body.
    pub(super) fn define(&mut self, f: FuncId, def: &FunctionDef, ty: TypeId) {
        let (Some(Part::Function(params)), Some(signature)) = (
            def.declarator.parts.first(),
            self.types().function(ty).cloned(),
        ) else {
            return;
        };
        self.function_body(f, def, params, &signature);
    }

    /// A function inside a function: known in its block only. What it uses of the outer one is
    /// found when names are looked up, see `nested`.
    pub(super) fn nested_function(&mut self, def: &FunctionDef) {
        let span = self.span(def.declarator.at);
        let Some((name, params, ty)) = self.definition_head(def, span) else {
            return;
        };
        let Some(signature) = self.types().function(ty).cloned() else {
            return;
        };
        let depth = self.depth();
        // `auto int f(int);` may stand before.
        let declared = match self.ordinary.get_at(name, depth) {
            Some(Binding::Func(f)) if self.unit.functions[f].body.is_none() => Some(f),
            _ => None,
        };
        let text = self.text(name).to_string();
        let f = declared.unwrap_or_else(|| {
            self.unit.functions.push(hir::Function {
                name: text.clone(),
                source_name: text,
                ty,
                span,
                linkage: hir::Linkage::Internal,
                is_noreturn: false,
                is_weak: false,
                implicit: false,
                library: false,
                body: None,
            })
        });
        self.unit.functions[f].ty = ty;
        self.bind(name, Binding::Func(f));
        self.function_body(f, def, params, &signature);
    }

    fn function_body(
        &mut self,
        f: FuncId,
        def: &FunctionDef,
        params: &Params,
        signature: &FunctionType,
    ) {
        let pending = std::mem::take(&mut self.pending);
        let outer = self.func.take().map(Box::new);
        self.func = Some(FunctionContext {
            id: f,
            ret: signature.ret,
            labels: FxHashMap::default(),
            address_labels: Vec::new(),
            switches: Vec::new(),
            breakable: 0,
            loops: 0,
            name_string: None,
            outer,
        });
        self.enter();
        let mut stmts = Vec::new();
        let locals = if params.names.is_empty() {
            self.new_params(params)
        } else {
            self.old_params(params, &signature.params, &def.old_params)
        };
        stmts.append(&mut self.pending);
        // Parameters and the outermost block share a scope.
        self.stmts(&def.body.stmts, &mut stmts);
        self.leave();
        self.finish_labels();
        let block = hir::Block {
            stmts,
            span: self.span(def.body.at),
        };
        let end = self.span(def.body.end);
        let mut address_labels = Vec::new();
        if let Some(func) = self.func.take() {
            address_labels = func.address_labels;
            self.func = func.outer.map(|outer| *outer);
        }
        self.pending = pending;
        self.unit.functions[f].body = Some(hir::Body {
            params: locals,
            address_labels,
            block,
            end,
        });
    }

    fn new_params(&mut self, params: &Params) -> Vec<LocalId> {
        let mut locals = Vec::with_capacity(params.list.len());
        for param in &params.list {
            let ty = self.param_type(param);
            let span = self.span(param.declarator.at);
            if self.types().is_void(ty) && param.declarator.name.is_none() && params.list.len() == 1
            {
                break;
            }
            if self.types().size_of(ty).is_none() || self.types().is_void(ty) {
                let shown = self.show(ty);
                self.error(span, format!("a parameter has incomplete type `{shown}`"));
            }
            let local = self.new_param(param.declarator.name, ty, param.specs.quals, span);
            let pointed = self.pointed_qualifiers(&param.specs, &param.declarator);
            self.pointed_names.locals.insert(local, pointed);
            locals.push(local);
        }
        locals
    }

    fn new_param(
        &mut self,
        name: Option<Symbol>,
        ty: TypeId,
        quals: Qualifiers,
        span: Span,
    ) -> LocalId {
        let text = name.map_or("", |n| self.text(n));
        let local = self.new_local(text, ty, span, LocalKind::Param, quals);
        if let Some(name) = name {
            let depth = self.depth();
            if self.ordinary.get_at(name, depth).is_some() {
                self.error(span, format!("two parameters are named `{text}`"));
            }
            self.bind(name, Binding::Local(local));
        }
        local
    }

    /// The type of `int f(a, b) char a; { … }`: a prototype of the declared types.
    fn old_style_type(&mut self, ty: TypeId, params: &Params, decls: &[Declaration]) -> TypeId {
        let Some(signature) = self.types().function(ty).cloned() else {
            return ty;
        };
        let outer = std::mem::replace(&mut self.in_prototype, true);
        let mut by_name: FxHashMap<Symbol, TypeId> = FxHashMap::default();
        for declaration in decls {
            let base = self.specifiers(&declaration.specs);
            for item in &declaration.declarators {
                let ty = self.declared_type(base, &item.declarator);
                let ty = self.adjusted(ty);
                if let Some(name) = item.declarator.name {
                    by_name.insert(name, ty);
                }
            }
        }
        self.in_prototype = outer;
        let int = self.unit.types.int(IntKind::Int);
        let types = params
            .names
            .iter()
            .map(|(_, name)| by_name.get(name).copied().unwrap_or(int))
            .collect();
        self.unit.types.intern(Type::Function(FunctionType {
            ret: signature.ret,
            params: types,
            variadic: false,
            unprototyped: false,
        }))
    }

    fn old_params(
        &mut self,
        params: &Params,
        types: &[TypeId],
        decls: &[Declaration],
    ) -> Vec<LocalId> {
        let mut locals = Vec::new();
        for (&(at, name), &ty) in params.names.iter().zip(types) {
            let span = self.span(at);
            locals.push(self.new_param(Some(name), ty, Qualifiers::default(), span));
        }
        for declaration in decls {
            for item in &declaration.declarators {
                let Some(name) = item.declarator.name else {
                    continue;
                };
                if !params.names.iter().any(|&(_, n)| n == name) {
                    let (span, text) = (self.span(item.declarator.at), self.text(name));
                    self.error(span, format!("`{text}` is declared but is no parameter"));
                }
            }
        }
        locals
    }

    /// Reports labels used but not defined.
    fn finish_labels(&mut self) {
        let Some(func) = &self.func else { return };
        let mut missing: Vec<_> = func
            .labels
            .iter()
            .filter(|(_, state)| !state.defined)
            .map(|(&name, state)| (state.used_at, name))
            .collect();
        missing.sort();
        for (at, name) in missing {
            let (span, text) = (self.span(at), self.text(name));
            self.error(span, format!("the label `{text}` is not defined"));
        }
    }
}
