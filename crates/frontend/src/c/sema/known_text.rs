//! Calls see the literal that a local holds: what is known of a format or a string at compile time need not be a
//! literal in the call itself.
//!
//! ```text
//! const char *t;  …  t = "key: %d\n"; printf(t, key);   →   t = "key: %d\n"; printf("key: %d\n", key);
//! ```
//! Code that tools have written (CIL) names every value before it is used. A call of `printf` with a variable for its
//! format would be read character by character at run time.
//!
//! Sound because the local is written at one place only, nobody has its address, and the write comes before the call
//! in the same list of statements without a label between them: whoever comes to the call has executed it.

use super::super::hir::visit::{Visitor, VisitorMut, changing, shared};
use super::super::hir::{
    CastKind, Expr, ExprKind, Init, InitValue, LocalId, PlaceKind, Stmt, StmtKind, Unit,
};
use base::FxHashMap;

/// Puts literals into the calls of a unit.
pub(super) fn hand_on(unit: &mut Unit) {
    let mut uses = Uses::default();
    shared::unit(&mut uses, unit);
    let locals = &unit.locals;
    uses.written.retain(|local, count| {
        let local = &locals[*local];
        *count == 1 && !local.is_volatile && !local.address_taken
    });
    if uses.written.is_empty() {
        return;
    }
    let mut calls = Calls {
        written_once: uses.written,
    };
    changing::unit(&mut calls, unit);
}

/// How often each local is named but to read it.
#[derive(Default)]
struct Uses {
    written: FxHashMap<LocalId, i64>,
}

impl<'h> Visitor<'h> for Uses {
    fn expr(&mut self, e: &'h Expr) {
        if let Some(local) = loaded(e) {
            *self.written.entry(local).or_default() -= 1;
        }
    }

    fn place(&mut self, p: &'h super::super::hir::Place) {
        if let PlaceKind::Local(local) = p.kind {
            *self.written.entry(local).or_default() += 1;
        }
    }

    fn stmt(&mut self, s: &'h Stmt) {
        if let StmtKind::Decl {
            local,
            init: Some(_),
        } = s.kind
        {
            *self.written.entry(local).or_default() += 1;
        }
    }
}

/// The local that an expression reads.
fn loaded(e: &Expr) -> Option<LocalId> {
    match &e.kind {
        ExprKind::Load(p) => match p.kind {
            PlaceKind::Local(local) => Some(local),
            _ => None,
        },
        _ => None,
    }
}

struct Calls {
    written_once: FxHashMap<LocalId, i64>,
}

impl VisitorMut for Calls {
    fn after_stmts(&mut self, list: &mut Vec<Stmt>) {
        let mut known: FxHashMap<LocalId, Expr> = FxHashMap::default();
        for s in list {
            if !known.is_empty() {
                let mut labels = Labels(false);
                shared::stmt(&mut labels, s);
                if labels.0 {
                    known.clear();
                    continue;
                }
                changing::stmt(&mut Arguments(&known), s);
            }
            if let Some((local, literal)) = self.write(s) {
                known.insert(local, literal.clone());
            }
        }
    }
}

impl Calls {
    /// A statement that gives a local its literal.
    fn write<'s>(&self, s: &'s Stmt) -> Option<(LocalId, &'s Expr)> {
        let (local, value) = match &s.kind {
            StmtKind::Decl {
                local,
                init: Some(Init { items, .. }),
            } => match items.as_slice() {
                [item] if item.path.is_empty() => match &item.value {
                    InitValue::Expr(value) => (*local, value),
                    InitValue::String(_) => return None,
                },
                _ => return None,
            },
            StmtKind::Expr(e) => match &e.kind {
                ExprKind::Assign { place, value } => match place.kind {
                    PlaceKind::Local(local) => (local, &**value),
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        };
        value.as_string()?;
        self.written_once
            .contains_key(&local)
            .then_some((local, value))
    }
}

/// Can control come into a statement from elsewhere?
struct Labels(bool);

impl Visitor<'_> for Labels {
    fn stmt(&mut self, s: &Stmt) {
        self.0 |= matches!(s.kind, StmtKind::Label(_));
    }
}

/// Literals for the locals that are arguments.
struct Arguments<'k>(&'k FxHashMap<LocalId, Expr>);

impl VisitorMut for Arguments<'_> {
    fn after_expr(&mut self, e: &mut Expr, _unused: bool) {
        if let ExprKind::Call { args, .. } | ExprKind::Intrinsic { args, .. } = &mut e.kind {
            args.iter_mut().for_each(|a| self.argument(a));
        }
    }
}

impl Arguments<'_> {
    fn argument(&self, e: &mut Expr) {
        if let ExprKind::Cast(CastKind::PointerToPointer | CastKind::Same, inner) = &mut e.kind {
            return self.argument(inner);
        }
        if let Some(literal) = loaded(e).and_then(|local| self.0.get(&local)) {
            let literal = Box::new(literal.clone());
            e.kind = ExprKind::Cast(CastKind::PointerToPointer, literal);
        }
    }
}
