//! Linking with the models of the C library, after all files are read.
//!
//! A call of a function that no file defines and that the library has goes to a copy of its model
//! made for this call; where its address is taken, the function gets a body that is the model. A
//! declaration whose parameters do not fit the library's is of another function, the program's own.

use super::super::hir::{Callee, Expr, ExprKind, FuncId, Linkage, visit};
use super::super::library::table::{self, Alias};
use super::super::types::TypeId;
use super::{FileContext, Sema};
use crate::c::syntax::ast;
use crate::c::syntax::lexer::Symbol;
use base::{FxHashMap, Id};
use program::Span;

/// The models, read but not yet checked.
pub(super) struct Models<'t> {
    pub(super) tree: &'t ast::File,
    pub(super) file: FileContext<'t>,
    /// Definitions by name.
    pub(super) defs: FxHashMap<Symbol, &'t ast::FunctionDef>,
    /// The declared functions, once the models are open.
    pub(super) templates: FxHashMap<FuncId, Symbol>,
    pub(super) by_name: FxHashMap<Symbol, FuncId>,
    pub(super) open: bool,
    pub(super) copies: FxHashMap<Symbol, u32>,
    pub(super) shared: FxHashMap<Symbol, FuncId>,
    /// Which model each copy is of, and which copy made it.
    pub(super) origin: FxHashMap<FuncId, (Symbol, Option<FuncId>)>,
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
        self.uses = self.look_at_uses();
        let mut taken = Vec::new();
        let mut wrapped = Vec::new();
        let mut next = 0;
        while next < self.unit.functions.len() {
            let f = FuncId::from_index(next);
            next += 1;
            if let Some(mut body) = self.unit.functions[f].body.take() {
                visit::rewrite_block(&mut body.block, &mut |e, unused| {
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
        self.define_option_globals();
    }

    /// The model of a function without a body, and the arguments it does not take.
    pub(super) fn model_of(&self, f: FuncId) -> Option<(Symbol, Alias)> {
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
        if self.link_format(caller, e, unused)
            || self.link_class(caller, e)
            || self.link_special(caller, e)
        {
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
                } else if self.unit.functions[f].body.is_none() {
                    let name = self.unit.functions[f].source_name.clone();
                    self.link_built_in(&name, e);
                }
            }
            ExprKind::Intrinsic { name, .. } => {
                let name = name.clone();
                if let Some((symbol, alias)) = self.model_named(&name) {
                    self.link_call(caller, e, symbol, alias);
                } else {
                    self.link_built_in(&name, e);
                }
            }
            _ => {}
        }
    }

    /// A call of what is built in under another name, as `__builtin___memcpy_chk`: by its own name, without
    /// the arguments that it does not take.
    fn link_built_in(&mut self, name: &str, e: &mut Expr) {
        let (plain, alias) = table::canonical(name);
        let known = table::find(plain).is_some_and(|r| r.meaning != table::Meaning::Model);
        if !known || plain == name {
            return;
        }
        if let ExprKind::Call { args, .. } | ExprKind::Intrinsic { args, .. } = &mut e.kind {
            let mut args = std::mem::take(args);
            alias.drop_from(&mut args);
            let name = plain.to_string();
            e.kind = ExprKind::Intrinsic { name, args };
        }
    }

    /// Sends the call to a copy of the model, with its types.
    pub(super) fn link_call(&mut self, caller: FuncId, e: &mut Expr, name: Symbol, alias: Alias) {
        let span = e.span;
        let (ExprKind::Call { args, .. } | ExprKind::Intrinsic { args, .. }) = &mut e.kind else {
            return;
        };
        let mut given = std::mem::take(args);
        let kept: Vec<Expr> = given.clone();
        alias.drop_from(&mut given);
        given.iter_mut().for_each(|a| self.bare(a));
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

    /// An address that glibc's headers take as one of several kinds (`bind`, `accept` …): as it was written.
    fn bare(&self, a: &mut Expr) {
        let ExprKind::UnionOf { value, .. } = &a.kind else {
            return;
        };
        let record = self.types().record(a.ty);
        if record.is_some_and(|r| self.types().records[r].transparent) {
            *a = (**value).clone();
        }
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
                // An address where the model wants a number is another function of that name.
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
}
