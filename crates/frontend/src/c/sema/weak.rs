//! Weak symbols that no file defines: their address is null, as the linker has it; that nothing outside defines
//! them is said as an assumption.
//!
//! Each has a flag that is zero: its address is `flag ? &symbol : 0`. Calls and accesses that name the
//! symbol itself stay as they are.

use super::super::hir::{
    Expr, ExprKind, FuncId, Global, GlobalId, Linkage, Place, PlaceKind, visit,
};
use super::super::types::IntKind;
use super::Sema;
use base::{FxHashMap, FxHashSet};
use program::{Note, Span};

/// What has a flag.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Symbol {
    Func(FuncId),
    Global(GlobalId),
}

impl Sema<'_, '_> {
    /// At the end of the run, when it is known what is defined.
    pub(super) fn weak_addresses(&mut self) {
        let mut weak: Vec<(Symbol, String, Span)> = Vec::new();
        for (id, f) in self.unit.functions.iter_enumerated() {
            if f.is_weak && f.body.is_none() {
                weak.push((Symbol::Func(id), f.name.clone(), f.span));
            }
        }
        for &id in &self.weak_globals {
            let g = &self.unit.globals[id];
            if !g.defined {
                weak.push((Symbol::Global(id), g.name.clone(), g.span));
            }
        }
        if weak.is_empty() {
            return;
        }
        let mut taken = FxHashSet::default();
        visit::rewrite_unit(&mut self.unit, &mut |e, _| taken.extend(address_of(e)));
        weak.retain(|(symbol, ..)| taken.contains(symbol));
        let bool = self.unit.types.int(IntKind::Bool);
        let mut flags = FxHashMap::default();
        for (symbol, name, span) in weak {
            let flag = self.unit.globals.push(Global {
                name: format!("{name}.present"),
                source_name: None,
                ty: bool,
                span,
                linkage: Linkage::Internal,
                defined: true,
                init: None,
                is_const: true,
                is_volatile: false,
                thread_local: false,
                function: None,
            });
            flags.insert(symbol, flag);
            let message = format!("`{name}` is weak and no file defines it: its address is null");
            self.unit.assumptions.push(Note { span, message });
        }
        let mut change = |e: &mut Expr, _| {
            if let Some(&flag) = address_of(e).and_then(|s| flags.get(&s)) {
                let (ty, span) = (e.ty, e.span);
                let kind = PlaceKind::Global(flag);
                let place = Box::new(Place {
                    kind,
                    ty: bool,
                    span,
                });
                let cond = Box::new(Expr::new(ExprKind::Load(place), bool, span));
                let then = Box::new(e.clone());
                let els = Box::new(Expr::new(ExprKind::Int(0), ty, span));
                e.kind = ExprKind::Conditional { cond, then, els };
            }
        };
        visit::rewrite_unit(&mut self.unit, &mut change);
    }
}

/// The symbol whose address the expression is.
fn address_of(e: &Expr) -> Option<Symbol> {
    match &e.kind {
        ExprKind::FunctionAddress(f) => Some(Symbol::Func(*f)),
        ExprKind::AddressOf(place) => match place.kind {
            PlaceKind::Global(g) => Some(Symbol::Global(g)),
            _ => None,
        },
        _ => None,
    }
}
