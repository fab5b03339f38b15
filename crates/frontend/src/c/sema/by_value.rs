//! Functions of the library that take or give records: the models see them by address.

use super::super::hir::{self, Expr, FuncId, LocalKind, Place, PlaceKind, StmtKind};
use super::super::types::TypeId;
use super::Sema;
use super::steps::Work;
use program::Span;

impl Sema<'_, '_> {
    /// `div(a, b)` and its like return a record: `({ T t; craig_into_div(&t, a, b); t; })`. Those that take one get
    /// where it is: `({ T t = a; craig_of_inet_ntoa(&t); })`.
    pub(super) fn record_call(
        &mut self,
        caller: FuncId,
        name: &str,
        mut args: Vec<Expr>,
        e: &Expr,
    ) -> Option<Expr> {
        let gives = self.types().record(e.ty).is_some();
        if !gives && !args.iter().any(|a| self.types().record(a.ty).is_some()) {
            return None;
        }
        let part = format!("craig_{}_{name}", if gives { "into" } else { "of" });
        self.names.get(&part)?;
        let mut work = Work::new(caller, e.span);
        for a in &mut args {
            if self.types().record(a.ty).is_some() {
                let place = self.record_place(&mut work, caller, a.ty, a.span);
                let address = self.address_as(place.clone(), a.ty);
                let value = std::mem::replace(a, address);
                self.store(&mut work, place, value);
            }
        }
        if !gives {
            let call = self.part_call(&work, &part, args)?;
            let call = self.cast(call, e.ty, e.span);
            return Some(work.finish(Some(call), e.ty));
        }
        let place = self.record_place(&mut work, caller, e.ty, e.span);
        args.insert(0, self.address_as(place.clone(), e.ty));
        self.run_part(&mut work, &part, args);
        let value = self.load(place);
        Some(work.finish(Some(value), e.ty))
    }

    /// A local for a record that a part of the models fills or reads.
    fn record_place(&mut self, work: &mut Work, caller: FuncId, ty: TypeId, span: Span) -> Place {
        let local = self.unit.locals.push(hir::Local {
            name: String::new(),
            ty,
            span,
            kind: LocalKind::Auto,
            function: caller,
            is_const: false,
            is_volatile: false,
            address_taken: true,
        });
        work.push(StmtKind::Decl { local, init: None });
        Place {
            kind: PlaceKind::Local(local),
            ty,
            span,
        }
    }
}
