//! Linking with the models of the C library, after all files are read.
//!
//! A call of a function that no file defines and that the library has goes to a copy of its model
//! made for this call; where its address is taken, the function gets a body that is the model. A
//! declaration whose parameters do not fit the library's is of another function, the program's own.

use super::super::hir::{self, Body, Callee, Expr, ExprKind, FuncId, Linkage, rewrite};
use super::super::library::table::{self, Alias};
use super::super::types::TypeId;
use super::{Binding, FileContext, Sema};
use crate::c::syntax::ast;
use crate::c::syntax::lexer::Symbol;
use base::{FxHashMap, Id};
use program::Span;

/// Calls of one function beyond this many share a copy.
const COPIES: u32 = 48;

/// The models, read but not yet checked.
pub(super) struct Models<'t> {
    tree: &'t ast::File,
    file: FileContext<'t>,
    /// Definitions by name.
    defs: FxHashMap<Symbol, &'t ast::FunctionDef>,
    /// The declared functions, once the models are open.
    templates: FxHashMap<FuncId, Symbol>,
    by_name: FxHashMap<Symbol, FuncId>,
    open: bool,
    copies: FxHashMap<Symbol, u32>,
    shared: FxHashMap<Symbol, FuncId>,
    /// Which model each copy is of, and which copy made it.
    origin: FxHashMap<FuncId, (Symbol, Option<FuncId>)>,
}

impl<'t> Sema<'t, '_> {
    /// Says where the models are.
    pub fn library(
        &mut self,
        tree: &'t ast::File,
        text: &'t str,
        lexed: &'t crate::c::syntax::lexer::Lexed,
        places: &'t super::Places,
    ) {
        let mut defs = FxHashMap::default();
        for item in &tree.items {
            if let ast::Item::Function(def) = item
                && let Some(name) = def.declarator.name
            {
                defs.insert(name, &**def);
            }
        }
        self.models = Some(Models {
            tree,
            file: FileContext {
                text,
                lexed,
                places,
            },
            defs,
            templates: FxHashMap::default(),
            by_name: FxHashMap::default(),
            open: false,
            copies: FxHashMap::default(),
            shared: FxHashMap::default(),
            origin: FxHashMap::default(),
        });
    }

    /// Resolves calls of library functions in everything read so far.
    pub(super) fn link_library(&mut self) {
        if self.models.is_none() || self.failed() {
            return;
        }
        self.link_streams();
        self.link_arguments();
        let mut taken = Vec::new();
        let mut wrapped = Vec::new();
        let mut next = 0;
        while next < self.unit.functions.len() {
            let f = FuncId::from_index(next);
            next += 1;
            if let Some(mut body) = self.unit.functions[f].body.take() {
                rewrite::block(&mut body.block, &mut |e, unused| {
                    self.link_expr(f, e, unused, &mut taken);
                });
                self.unit.functions[f].body = Some(body);
            }
            if next == self.unit.functions.len() {
                self.link_globals(&mut taken);
                for (f, span) in std::mem::take(&mut taken) {
                    match self.wrapper_of(f, span) {
                        Some(wrapper) => wrapped.push((f, wrapper)),
                        None => self.give_body(f, &mut next),
                    }
                }
            }
        }
        self.point_to_wrappers(&wrapped);
    }

    /// What is built in has a model for calls through pointers only, which calls it by name.
    /// What is wrong in it is wrong where the address is taken.
    fn wrapper_of(&mut self, f: FuncId, span: Span) -> Option<FuncId> {
        let function = &self.unit.functions[f];
        if function.body.is_some() || function.linkage == Linkage::Internal {
            return None;
        }
        let name = format!("craig_at_{}", function.source_name);
        let name = self.names.get(&name)?;
        self.shared_copy(name, span)
    }

    /// The address of a wrapped function is that of its wrapper.
    fn point_to_wrappers(&mut self, wrapped: &[(FuncId, FuncId)]) {
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
        for function in self.unit.functions.iter_mut() {
            if let Some(body) = &mut function.body {
                rewrite::block(&mut body.block, &mut change);
            }
        }
        for global in self.unit.globals.iter_mut() {
            if let Some(init) = &mut global.init {
                rewrite::init(init, &mut change);
            }
        }
    }

    /// `stdin` and its like point to streams of the models.
    fn link_streams(&mut self) {
        for i in 0..self.unit.globals.len() {
            let g = super::GlobalId::from_index(i);
            let global = &self.unit.globals[g];
            let name = match global.source_name.as_deref() {
                Some("stdin") => "craig_stdin",
                Some("stdout") => "craig_stdout",
                Some("stderr") => "craig_stderr",
                _ => continue,
            };
            let (ty, span) = (global.ty, global.span);
            if global.defined || !self.types().is_pointer(ty) {
                continue;
            }
            self.open_models();
            let bound = self.names.get(name).and_then(|s| self.ordinary.get(s));
            let Some(Binding::Global(stream)) = bound else {
                continue;
            };
            let place = hir::Place {
                kind: hir::PlaceKind::Global(stream),
                ty: self.unit.globals[stream].ty,
                span,
            };
            let pointee = place.ty;
            let address = self.address_as(place, pointee);
            let address = self.cast(address, ty, span);
            let init = self.scalar_init(address);
            let global = &mut self.unit.globals[g];
            global.defined = true;
            global.init = Some(init);
        }
    }

    /// `main` gets its arguments, if it uses them.
    fn link_arguments(&mut self) {
        let main = self.unit.functions.iter_enumerated().find(|(_, f)| {
            f.source_name == "main" && f.linkage == Linkage::External && f.body.is_some()
        });
        let Some((main, _)) = main else { return };
        let mut used = false;
        let mut called = false;
        let mut params = Vec::new();
        for i in 0..self.unit.functions.len() {
            let f = FuncId::from_index(i);
            let Some(mut body) = self.unit.functions[f].body.take() else {
                continue;
            };
            if f == main {
                params.clone_from(&body.params);
            }
            rewrite::block(&mut body.block, &mut |e, _| match &e.kind {
                ExprKind::Load(p) | ExprKind::AddressOf(p) | ExprKind::IncDec { place: p, .. } => {
                    used |= matches!(&p.kind, hir::PlaceKind::Local(l) if params.get(1) == Some(l));
                }
                ExprKind::FunctionAddress(g) => called |= *g == main,
                ExprKind::Call {
                    callee: Callee::Direct(g),
                    ..
                } => called |= *g == main,
                _ => {}
            });
            self.unit.functions[f].body = Some(body);
        }
        let (true, false, &[argc, argv]) = (used, called, params.as_slice()) else {
            return;
        };
        let span = self.unit.functions[main].span;
        let Some(copy) = self
            .names
            .get("craig_arguments")
            .and_then(|name| self.copy_for(main, name, span))
        else {
            return;
        };
        let ty = self.unit.locals[argv].ty;
        let place = |local, ty| hir::Place {
            kind: hir::PlaceKind::Local(local),
            ty,
            span,
        };
        let int = self.unit.locals[argc].ty;
        let count = Expr::new(ExprKind::Load(Box::new(place(argc, int))), int, span);
        let callee = Callee::Direct(copy);
        let ret = self
            .types()
            .function(self.unit.functions[copy].ty)
            .map_or(ty, |t| t.ret);
        let args = vec![count];
        let call = Expr::new(ExprKind::Call { callee, args }, ret, span);
        let value = Box::new(self.cast(call, ty, span));
        let assign = ExprKind::Assign {
            place: Box::new(place(argv, ty)),
            value,
        };
        let stmt = hir::Stmt {
            kind: hir::StmtKind::Expr(Expr::new(assign, ty, span)),
            span,
        };
        if let Some(body) = &mut self.unit.functions[main].body {
            body.block.stmts.insert(0, stmt);
        }
    }

    fn link_globals(&mut self, taken: &mut Vec<(FuncId, Span)>) {
        for i in 0..self.unit.globals.len() {
            let g = super::GlobalId::from_index(i);
            if let Some(mut init) = self.unit.globals[g].init.take() {
                rewrite::init(&mut init, &mut |e, _| {
                    if let ExprKind::FunctionAddress(f) = e.kind {
                        taken.push((f, e.span));
                    }
                });
                self.unit.globals[g].init = Some(init);
            }
        }
    }

    /// The function's address is used: it gets the model as its body.
    fn give_body(&mut self, f: FuncId, next: &mut usize) {
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

    /// The model of a function without a body, and the arguments it does not take.
    fn model_of(&self, f: FuncId) -> Option<(Symbol, Alias)> {
        let function = &self.unit.functions[f];
        let models = self.models.as_ref()?;
        if let Some(&name) = models.templates.get(&f) {
            return Some((name, Alias::default()));
        }
        if function.body.is_some() || function.linkage == Linkage::Internal {
            return None;
        }
        self.model_named(&function.source_name)
    }

    fn model_named(&self, name: &str) -> Option<(Symbol, Alias)> {
        let models = self.models.as_ref()?;
        let (plain, alias) = table::canonical(name);
        let known = |name: &str| {
            let symbol = self.names.get(name)?;
            let hidden = name.starts_with("craig_");
            (!hidden && models.defs.contains_key(&symbol)).then_some(symbol)
        };
        let symbol = known(plain).or_else(|| known(plain.strip_prefix("__builtin_")?))?;
        Some((symbol, alias))
    }

    fn link_expr(
        &mut self,
        caller: FuncId,
        e: &mut Expr,
        unused: bool,
        taken: &mut Vec<(FuncId, Span)>,
    ) {
        if self.link_format(caller, e, unused) || self.link_class(caller, e) {
            return;
        }
        self.link_puts(caller, e);
        match &mut e.kind {
            ExprKind::FunctionAddress(f) => taken.push((*f, e.span)),
            ExprKind::Call {
                callee: Callee::Direct(f),
                ..
            } => {
                let f = *f;
                if let Some((name, alias)) = self.model_of(f) {
                    self.link_call(caller, e, name, alias);
                }
            }
            ExprKind::Intrinsic { name, .. } => {
                let name = name.clone();
                if let Some((symbol, alias)) = self.model_named(&name) {
                    self.link_call(caller, e, symbol, alias);
                }
            }
            _ => {}
        }
    }

    /// Sends the call to a copy of the model, with its types.
    fn link_call(&mut self, caller: FuncId, e: &mut Expr, name: Symbol, alias: Alias) {
        let span = e.span;
        let (ExprKind::Call { args, .. } | ExprKind::Intrinsic { args, .. }) = &mut e.kind else {
            return;
        };
        let mut given = std::mem::take(args);
        let kept: Vec<Expr> = given.clone();
        alias.drop_from(&mut given);
        let copy = self.copy_for(caller, name, span);
        let fits = copy.is_some_and(|c| self.fits(c, &given, e.ty));
        let Some(copy) = copy.filter(|_| fits) else {
            let (ExprKind::Call { args, .. } | ExprKind::Intrinsic { args, .. }) = &mut e.kind
            else {
                return;
            };
            *args = kept;
            return;
        };
        let Some(signature) = self.types().function(self.unit.functions[copy].ty).cloned() else {
            return;
        };
        let mut args = Vec::with_capacity(given.len());
        for (i, a) in given.into_iter().enumerate() {
            args.push(match signature.params.get(i) {
                Some(&ty) => self.cast(a, ty, span),
                None => a,
            });
        }
        let callee = Callee::Direct(copy);
        let call = Expr::new(ExprKind::Call { callee, args }, signature.ret, span);
        let wanted = e.ty;
        *e = if self.types().is_void(wanted) || self.types().is_void(signature.ret) {
            Expr { ty: wanted, ..call }
        } else {
            self.cast(call, wanted, span)
        };
    }

    /// Do the arguments and the result fit the model?
    fn fits(&self, copy: FuncId, args: &[Expr], result: TypeId) -> bool {
        let types = self.types();
        let Some(signature) = types.function(self.unit.functions[copy].ty) else {
            return false;
        };
        let number = |t: TypeId| types.is_integer(t) || types.is_float(t);
        let alike = |a: TypeId, b: TypeId| {
            a == b
                || types.is_pointer(a) && types.is_pointer(b)
                || number(a) && number(b)
                || types.is_integer(a) && types.is_pointer(b)
                || types.is_pointer(a) && types.is_integer(b)
        };
        let count = args.len() == signature.params.len()
            || signature.variadic && args.len() >= signature.params.len();
        let returned =
            types.is_void(result) || types.is_void(signature.ret) || alike(signature.ret, result);
        count
            && returned
            && signature
                .params
                .iter()
                .zip(args)
                .all(|(&p, a)| alike(p, a.ty))
    }

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

    fn shared_copy(&mut self, name: Symbol, span: Span) -> Option<FuncId> {
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
    fn copy(&mut self, name: Symbol, span: Span) -> Option<FuncId> {
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
    fn open_models(&mut self) {
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

    /// `puts` stays as it is; its text must be one.
    fn link_puts(&mut self, caller: FuncId, e: &mut Expr) {
        let span = e.span;
        let ExprKind::Call {
            callee: Callee::Direct(f),
            args,
        } = &mut e.kind
        else {
            return;
        };
        let function = &self.unit.functions[*f];
        if function.source_name != "puts" || function.body.is_some() || args.len() != 1 {
            return;
        }
        let Some(copy) = self
            .names
            .get("craig_text")
            .and_then(|name| self.copy_for(caller, name, span))
        else {
            return;
        };
        if let Some(text) = args.pop() {
            let ty = text.ty;
            let callee = Callee::Direct(copy);
            let kind = ExprKind::Call {
                callee,
                args: vec![text],
            };
            args.push(Expr::new(kind, ty, span));
        }
    }

    /// glibc's macros of ctype.h: `(*__ctype_b_loc())[c] & mask` is a call of the model's.
    fn link_class(&mut self, caller: FuncId, e: &mut Expr) -> bool {
        let ExprKind::Binary(hir::BinaryOp::BitAnd, left, right) = &mut e.kind else {
            return false;
        };
        let (Some(mask), Some(index)) = (right.as_int(), self.class_index(left)) else {
            return false;
        };
        let Some(name) = self.names.get("craig_ctype") else {
            return false;
        };
        let Some(copy) = self.copy_for(caller, name, e.span) else {
            return false;
        };
        let int = self.int_type();
        let index = self.cast(index, int, e.span);
        let mask = Expr::new(ExprKind::Int(mask), int, e.span);
        let callee = Callee::Direct(copy);
        let args = vec![index, mask];
        let call = Expr::new(ExprKind::Call { callee, args }, int, e.span);
        *e = self.cast(call, e.ty, e.span);
        true
    }

    fn class_index(&self, e: &Expr) -> Option<Expr> {
        let mut e = e;
        while let ExprKind::Cast(_, inner) = &e.kind {
            e = inner;
        }
        let ExprKind::Load(p) = &e.kind else {
            return None;
        };
        let hir::PlaceKind::Deref(pointer) = &p.kind else {
            return None;
        };
        let ExprKind::PointerOffset {
            pointer,
            index,
            subtract: false,
            ..
        } = &pointer.kind
        else {
            return None;
        };
        let ExprKind::Load(table) = &pointer.kind else {
            return None;
        };
        let hir::PlaceKind::Deref(call) = &table.kind else {
            return None;
        };
        let mut call = &**call;
        while let ExprKind::Cast(_, inner) = &call.kind {
            call = inner;
        }
        let ExprKind::Call {
            callee: Callee::Direct(f),
            ..
        } = &call.kind
        else {
            return None;
        };
        // Children come first: the call went to its model already.
        let known = self.unit.functions[*f].source_name == "__ctype_b_loc";
        known.then(|| (**index).clone())
    }

    /// `f` calls `target` with its own arguments.
    fn forwarding_body(&mut self, f: FuncId, target: FuncId, span: Span) {
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
