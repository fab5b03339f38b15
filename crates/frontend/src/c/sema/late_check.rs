//! Allocations whose result is used before it is compared with null.
//!
//! Memory does not run out unless the options say so. But who writes
//!
//! ```text
//!   p = malloc(n);  *p = 5;  if (p != NULL) …
//! ```
//!
//! says that it may, and the comparison comes too late. There the allocation may fail, as an approximation: a proof
//! has to do without its success, and an error that rests on its failure is left open.

use super::super::hir::visit::{Visitor, VisitorMut, changing, shared};
use super::super::hir::{
    BinaryOp, Callee, Expr, ExprKind, FuncId, InitValue, LocalId, Place, PlaceKind, Stmt, StmtKind,
    UnaryOp, Unit,
};
use super::super::types::{IntKind, TypeId};
use crate::c::library::table::{self, Meaning};
use base::{FxHashSet, Id};

const NOTE: &str =
    "__builtin_craig_allocates:memory that is compared with null after its use may be null";

/// Changes the allocations of the program's own functions.
pub(super) fn doubt(unit: &mut Unit) {
    let allocates = |id: FuncId| {
        let f = &unit.functions[id];
        let meaning = table::meaning(&f.source_name);
        f.body.is_none() && matches!(meaning, Some(Meaning::Allocate { stack: false, .. }))
    };
    let ids = (0..unit.functions.len()).map(FuncId::from_index);
    let allocators: FxHashSet<FuncId> = ids.filter(|&f| allocates(f)).collect();
    if allocators.is_empty() {
        return;
    }
    let bool = unit.types.int(IntKind::Bool);
    for i in 0..unit.functions.len() {
        let f = FuncId::from_index(i);
        if unit.functions[f].library {
            continue;
        }
        if let Some(mut body) = unit.functions[f].body.take() {
            let mut lists = Lists {
                allocators: &allocators,
                bool,
            };
            changing::block(&mut lists, &mut body.block);
            unit.functions[f].body = Some(body);
        }
    }
}

struct Lists<'a> {
    allocators: &'a FxHashSet<FuncId>,
    bool: TypeId,
}

impl VisitorMut for Lists<'_> {
    fn after_stmts(&mut self, list: &mut Vec<Stmt>) {
        for i in 0..list.len() {
            let (head, rest) = list.split_at_mut(i + 1);
            let Some((local, call)) = self.allocation(&mut head[i]) else {
                continue;
            };
            if compared_late(local, rest) {
                let (ty, span) = (call.ty, call.span);
                let name = NOTE.to_string();
                let args = Vec::new();
                let cond = Expr::new(ExprKind::Intrinsic { name, args }, self.bool, span);
                let null = Expr::new(ExprKind::Int(0), ty, span);
                let then = std::mem::replace(call, null.clone());
                call.kind = ExprKind::Conditional {
                    cond: Box::new(cond),
                    then: Box::new(then),
                    els: Box::new(null),
                };
            }
        }
    }
}

impl Lists<'_> {
    /// `p = malloc(…)` or `T *p = malloc(…)`: the variable and the call.
    fn allocation<'s>(&self, s: &'s mut Stmt) -> Option<(LocalId, &'s mut Expr)> {
        let (local, mut value) = match &mut s.kind {
            StmtKind::Expr(Expr {
                kind: ExprKind::Assign { place, value },
                ..
            }) => match place.kind {
                PlaceKind::Local(l) => (l, &mut **value),
                _ => return None,
            },
            StmtKind::Decl {
                local,
                init: Some(init),
            } => match init.items.as_mut_slice() {
                [item] => match &mut item.value {
                    InitValue::Expr(e) => (*local, e),
                    InitValue::String(_) => return None,
                },
                _ => return None,
            },
            _ => return None,
        };
        while matches!(value.kind, ExprKind::Cast(..)) {
            let ExprKind::Cast(_, inner) = &mut value.kind else {
                return None;
            };
            value = &mut **inner;
        }
        let called = match &value.kind {
            ExprKind::Call {
                callee: Callee::Direct(f),
                ..
            } => *f,
            _ => return None,
        };
        self.allocators.contains(&called).then_some((local, value))
    }
}

/// Is the first that happens to the variable an access, and a comparison comes after it?
fn compared_late(local: LocalId, rest: &[Stmt]) -> bool {
    let mut used = false;
    for s in rest {
        let mut uses = Uses::of(local);
        if let StmtKind::If { cond, .. } = &s.kind {
            shared::expr(&mut uses, cond);
            uses.compared |= uses.is_value(bare(cond));
            if uses.compared && !uses.accessed {
                return used;
            }
        }
        shared::stmt(&mut uses, s);
        if uses.changed {
            // Another value from here on.
            return false;
        }
        let simple = matches!(s.kind, StmtKind::Expr(_) | StmtKind::Decl { .. });
        match (uses.accessed, uses.plain) {
            (false, false) => {}
            (true, _) if simple => used = true,
            _ if used => {}
            _ => return false,
        }
    }
    false
}

/// How a variable is used.
struct Uses {
    local: LocalId,
    plain: bool,
    /// With null, or as a truth value.
    compared: bool,
    accessed: bool,
    /// It is assigned to, or its address is taken.
    changed: bool,
}

impl Uses {
    fn of(local: LocalId) -> Uses {
        Uses {
            local,
            plain: false,
            compared: false,
            accessed: false,
            changed: false,
        }
    }

    fn is_value(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Load(p) if matches!(p.kind, PlaceKind::Local(l) if l == self.local))
    }
}

impl Visitor<'_> for Uses {
    fn expr(&mut self, e: &Expr) {
        self.plain |= self.is_value(e);
        self.compared |= match &e.kind {
            ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) => {
                self.is_value(bare(a)) && is_null(b) || self.is_value(bare(b)) && is_null(a)
            }
            ExprKind::Unary(UnaryOp::Not, a) => self.is_value(bare(a)),
            ExprKind::LogicalAnd(a, b) | ExprKind::LogicalOr(a, b) => {
                self.is_value(bare(a)) || self.is_value(bare(b))
            }
            _ => false,
        };
        if let ExprKind::Assign { place, .. }
        | ExprKind::CompoundAssign { place, .. }
        | ExprKind::PointerAssign { place, .. }
        | ExprKind::IncDec { place, .. }
        | ExprKind::AddressOf(place) = &e.kind
        {
            self.changed |= matches!(place.kind, PlaceKind::Local(l) if l == self.local);
        }
    }

    fn place(&mut self, p: &Place) {
        if let PlaceKind::Deref(pointer) = &p.kind {
            let mut e = &**pointer;
            while let ExprKind::Cast(_, inner) | ExprKind::PointerOffset { pointer: inner, .. } =
                &e.kind
            {
                e = inner;
            }
            self.accessed |= self.is_value(e);
        }
    }
}

/// The expression inside casts.
fn bare(mut e: &Expr) -> &Expr {
    while let ExprKind::Cast(_, inner) = &e.kind {
        e = inner;
    }
    e
}

fn is_null(e: &Expr) -> bool {
    matches!(bare(e).kind, ExprKind::Int(0))
}
