//! What the outside gives a program before it starts: the standard streams and the command line.

use super::super::hir::{self, Callee, ExprKind, FuncId, Linkage, visit};
use super::steps::Work;
use super::{Binding, Sema};
use base::Id;
use program::Span;

/// Globals that a program shares with the models of the library.
pub(crate) const OPTION_GLOBALS: &[&str] = &["optarg", "optind", "opterr", "optopt"];

impl Sema<'_, '_> {
    /// `stdin` and its like point to streams of the models.
    pub(super) fn link_streams(&mut self) {
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
    pub(super) fn link_arguments(&mut self) {
        let main = self.unit.functions.iter_enumerated().find(|(_, f)| {
            f.source_name == "main" && f.linkage == Linkage::External && f.body.is_some()
        });
        let Some((main, _)) = main else { return };
        let mut used = [false; 3];
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
            visit::rewrite_block(&mut body.block, &mut |e, _| match &e.kind {
                ExprKind::Load(p) | ExprKind::AddressOf(p) | ExprKind::IncDec { place: p, .. } => {
                    for (used, param) in used.iter_mut().zip(&params) {
                        *used |= matches!(&p.kind, hir::PlaceKind::Local(l) if l == param);
                    }
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
        let span = self.unit.functions[main].span;
        let mut work = Work::new(main, span);
        if !called {
            self.link_environ(&mut work);
        }
        if called || params.len() < 2 {
            self.begin_with(main, work);
            return;
        }
        used[0] |= used[1];
        let count = {
            let place = self.param_place(params[0], span);
            self.load(place)
        };
        let given = [
            ("craig_count", vec![]),
            ("craig_arguments", vec![count]),
            ("craig_environment", vec![]),
        ];
        for ((&param, (part, args)), used) in params.iter().zip(given).zip(used) {
            let place = self.param_place(param, span);
            if used && let Some(call) = self.part_call(&work, part, args) {
                let value = self.cast(call, place.ty, span);
                self.store(&mut work, place, value);
            }
        }
        self.begin_with(main, work);
    }

    /// The function begins with these steps.
    fn begin_with(&mut self, f: FuncId, mut work: Work) {
        if let Some(body) = &mut self.unit.functions[f].body {
            work.stmts.append(&mut body.block.stmts);
            body.block.stmts = work.stmts;
        }
    }

    /// Does a function name the object? Headers only declare it.
    fn is_named(&self, g: super::GlobalId) -> bool {
        struct Names(super::GlobalId, bool);
        impl<'h> hir::visit::Visitor<'h> for Names {
            fn place(&mut self, p: &'h hir::Place) {
                self.1 |= matches!(p.kind, hir::PlaceKind::Global(g) if g == self.0);
            }
        }
        let mut names = Names(g, false);
        for body in self.unit.functions.iter().filter_map(|f| f.body.as_ref()) {
            hir::visit::shared::block(&mut names, &body.block);
        }
        names.1
    }

    /// `environ`, if no file defines it: the environment as an array.
    fn link_environ(&mut self, work: &mut Work) {
        for i in 0..self.unit.globals.len() {
            let g = super::GlobalId::from_index(i);
            let global = &self.unit.globals[g];
            let named = matches!(
                global.source_name.as_deref(),
                Some("environ" | "__environ" | "_environ")
            );
            let (ty, span) = (global.ty, global.span);
            if !named || global.defined || !self.types().is_pointer(ty) || !self.is_named(g) {
                continue;
            }
            let Some(call) = self.part_call(work, "craig_environment", Vec::new()) else {
                continue;
            };
            let value = self.cast(call, ty, span);
            let kind = hir::PlaceKind::Global(g);
            self.store(work, hir::Place { kind, ty, span }, value);
            self.unit.globals[g].defined = true;
        }
    }

    fn param_place(&self, local: hir::LocalId, span: Span) -> hir::Place {
        hir::Place {
            kind: hir::PlaceKind::Local(local),
            ty: self.unit.locals[local].ty,
            span,
        }
    }

    /// Globals of getopt that no file defines: the library's.
    pub(super) fn define_option_globals(&mut self) {
        for i in 0..self.unit.globals.len() {
            let g = super::GlobalId::from_index(i);
            let global = &self.unit.globals[g];
            let first = match global.source_name.as_deref() {
                Some("optind" | "opterr") => 1,
                Some("optopt") => 63,
                Some("optarg") => 0,
                _ => continue,
            };
            if global.defined || global.linkage != Linkage::External {
                continue;
            }
            let (ty, span) = (global.ty, global.span);
            let value = self.int_expr(first, super::IntKind::Int, span);
            let value = self.cast(value, ty, span);
            let init = self.scalar_init(value);
            let global = &mut self.unit.globals[g];
            global.defined = true;
            global.init = Some(init);
        }
    }
}
