//! The check of `assigns`: places that a caller can see are looked at before and after the call.
//!
//! ```text
//! /*@ assigns *p; */ void f(int *p, int *q)   →   at = q + k;  old = *at;  may = assigned(p, q, at);
//!                                                 f(p, q);
//!                                                 if (!may && *at is still there) assert(*at == old);
//! ```
//! Of an array any one element is looked at: `k` is an input. Places are the globals that the function or
//! what it calls names, and what its arguments lead to.
//!
//! Sound because what is not looked at is a line of the description, as all that is assumed.

use super::build::Build;
use crate::c::contracts::{APPLIES, ASSIGNED, KEPT, THERE};
use crate::c::hir::{
    BinaryOp, Callee, CastKind, Expr, ExprKind, FuncId, LocalId, Place, PlaceKind, SizeOf, Stmt,
    StmtKind,
};
use crate::c::types::{ArrayLen, IntKind, Type, TypeId};

/// Places that are looked at.
const MOST_PLACES: usize = 80;

/// The functions that a contract with `assigns` comes with.
#[derive(Clone, Copy)]
pub(super) struct Contract {
    applies: FuncId,
    assigned: FuncId,
    there: FuncId,
    kept: FuncId,
}

/// A place that is looked at.
#[derive(Clone, Copy)]
pub(super) struct Watched {
    /// A pointer to it; null if there is no such place.
    address: LocalId,
    ty: TypeId,
    /// It may be freed.
    heap: bool,
}

impl Build<'_> {
    /// The contract of the function that is called, if it says what may change.
    pub(super) fn contract(&self) -> Option<Contract> {
        let find = |prefix: &str| {
            let name = format!("{prefix}{}", self.environment.function);
            let mut all = self.unit.functions.iter_enumerated();
            all.find(|(_, f)| f.source_name == name && f.body.is_some())
                .map(|(id, _)| id)
        };
        if self.environment.reach_end || self.environment.plain {
            return None;
        }
        Some(Contract {
            applies: find(APPLIES)?,
            assigned: find(ASSIGNED)?,
            there: find(THERE)?,
            kept: find(KEPT)?,
        })
    }

    /// Has all scalars of the place looked at. Nothing if the contract does not ask for it.
    pub(super) fn watch(&mut self, place: &Place, path: &str, heap: bool, stmts: &mut Vec<Stmt>) {
        if self.contract.is_none() {
            return;
        }
        match self.unit.types.get(place.ty).clone() {
            Type::Int(_) | Type::Enum(_) | Type::Float(_) | Type::Pointer(_) => {
                if self.watched.len() == MOST_PLACES {
                    self.unwatched(path);
                    return;
                }
                let pointer = self.unit.types.pointer(place.ty);
                let address = self.local("", pointer);
                let target = self.place(PlaceKind::Local(address), pointer);
                let here = self.expr(ExprKind::AddressOf(Box::new(place.clone())), pointer);
                stmts.push(self.assign(target, here));
                self.watched.push(Watched {
                    address,
                    ty: place.ty,
                    heap,
                });
            }
            Type::Record(r) => {
                let fields = self.unit.types.records[r].fields.clone();
                for (i, field) in fields.iter().enumerate() {
                    let inner = match &field.name {
                        Some(name) => format!("{path}.{name}"),
                        None => path.to_string(),
                    };
                    if field.bits.is_some() {
                        self.unwatched(&inner);
                        continue;
                    }
                    let kind = PlaceKind::Field {
                        base: Box::new(place.clone()),
                        record: r,
                        field: i as u32,
                    };
                    let part = self.place(kind, field.ty);
                    self.watch(&part, &inner, heap, stmts);
                }
            }
            Type::Array(element, ArrayLen::Fixed(n)) => {
                let (index, inside) = self.any_index(path, stmts);
                let size_t = self.unit.types.size_t();
                let n = self.expr(ExprKind::Int(i128::from(n)), size_t);
                let less = self.compare(BinaryOp::Lt, inside, n);
                let kind = PlaceKind::Index {
                    base: Box::new(place.clone()),
                    index: Box::new(index),
                };
                let part = self.place(kind, element);
                let mut then = Vec::new();
                self.watch(&part, &format!("{path}[…]"), heap, &mut then);
                stmts.push(self.only_if(less, then));
            }
            _ => self.unwatched(path),
        }
    }

    /// Has any one of the elements looked at that a pointer leads to.
    pub(super) fn watch_elements(
        &mut self,
        pointer: &Place,
        to: TypeId,
        count: Place,
        path: &str,
        stmts: &mut Vec<Stmt>,
    ) {
        if self.contract.is_none() {
            return;
        }
        let (index, inside) = self.any_index(path, stmts);
        let count = self.load(count);
        let less = self.compare(BinaryOp::Lt, inside, count);
        let offset = ExprKind::PointerOffset {
            pointer: Box::new(self.load(pointer.clone())),
            index: Box::new(index),
            subtract: false,
            size: Box::new(SizeOf {
                factor: self.unit.types.size_of(to).unwrap_or(1),
                lengths: Vec::new(),
            }),
        };
        let there = self.expr(offset, pointer.ty);
        let part = self.place(PlaceKind::Deref(Box::new(there)), to);
        let mut then = Vec::new();
        self.watch(&part, &format!("{path}[…]"), true, &mut then);
        stmts.push(self.only_if(less, then));
    }

    fn unwatched(&mut self, path: &str) {
        let line = format!("`{path}` changes only as `assigns` says");
        if !self.out.assumed.contains(&line) {
            self.out.assumed.push(line);
        }
    }

    /// Any index, twice.
    fn any_index(&mut self, path: &str, stmts: &mut Vec<Stmt>) -> (Expr, Expr) {
        let size_t = self.unit.types.size_t();
        let index = self.local("", size_t);
        self.declare(index, stmts);
        let place = self.place(PlaceKind::Local(index), size_t);
        let any = self.input(size_t, &format!("element of {path} that is looked at"));
        stmts.push(self.assign(place.clone(), any));
        (self.load(place.clone()), self.load(place))
    }

    fn only_if(&self, cond: Expr, then: Vec<Stmt>) -> Stmt {
        let then = Box::new(self.block(then));
        self.stmt(StmtKind::If {
            cond,
            then,
            els: None,
        })
    }

    /// What is done before the call (first what the caller begins with) and after it.
    pub(super) fn looks(&mut self, args: &[Expr]) -> (Vec<Stmt>, Vec<Stmt>, Vec<Stmt>) {
        let (mut first, mut before, mut after) = (Vec::new(), Vec::new(), Vec::new());
        let Some(contract) = self.contract else {
            return (first, before, after);
        };
        let int = self.unit.types.int(IntKind::Int);
        let void = self.unit.types.void();
        let call = |build: &Self, f: FuncId, args: Vec<Expr>, ty: TypeId| {
            let callee = Callee::Direct(f);
            build.expr(ExprKind::Call { callee, args }, ty)
        };
        let applies = call(self, contract.applies, args.to_vec(), int);
        before.push(self.assume(applies));
        for w in self.watched.clone() {
            let pointer = self.unit.types.pointer(w.ty);
            let (old, may) = (self.local("", w.ty), self.local("", int));
            let [address, old, may] =
                [(w.address, pointer), (old, w.ty), (may, int)].map(|(local, ty)| {
                    self.declare(local, &mut first);
                    self.place(PlaceKind::Local(local), ty)
                });
            let null = self.expr(ExprKind::Int(0), pointer);
            first.push(self.assign(address.clone(), null.clone()));
            let one = self.expr(ExprKind::Int(1), int);
            first.push(self.assign(may.clone(), one));
            // Before the call.
            let here = self.load(address.clone());
            let exists = self.compare(BinaryOp::Ne, here.clone(), null);
            let target = self.place(PlaceKind::Deref(Box::new(here.clone())), w.ty);
            let keep = self.assign(old.clone(), self.load(target.clone()));
            let last = |build: &Self, f: FuncId, n: usize| {
                let ty = build.unit.functions[f].ty;
                let params = build.unit.types.function(ty).map(|f| f.params.clone());
                params.and_then(|p| p.get(n).copied()).unwrap_or(pointer)
            };
            let byte = last(self, contract.assigned, args.len());
            let cast = ExprKind::Cast(CastKind::PointerToPointer, Box::new(here.clone()));
            let mut with: Vec<Expr> = args.to_vec();
            with.push(self.expr(cast, byte));
            let allowed = call(self, contract.assigned, with, int);
            let allowed = self.assign(may.clone(), allowed);
            before.push(self.only_if(exists, vec![keep, allowed]));
            // After it.
            let now = self.load(target);
            let mut same = self.compare(BinaryOp::Eq, now, self.load(old.clone()));
            if matches!(self.unit.types.get(w.ty), Type::Float(_)) {
                let (a, b) = (self.load(old.clone()), self.load(old));
                let none = self.compare(BinaryOp::Ne, a, b);
                let either = ExprKind::LogicalOr(Box::new(same), Box::new(none));
                same = self.expr(either, int);
            }
            let kept = call(self, contract.kept, vec![same], void);
            let mut then = self.stmt(StmtKind::Expr(kept));
            if w.heap {
                let raw = last(self, contract.there, 0);
                let size_t = self.unit.types.size_t();
                let cast = ExprKind::Cast(CastKind::PointerToPointer, Box::new(here));
                let size = self.unit.types.size_of(w.ty).unwrap_or(1);
                let with = vec![
                    self.expr(cast, raw),
                    self.expr(ExprKind::Int(i128::from(size)), size_t),
                ];
                let there = call(self, contract.there, with, int);
                then = self.only_if(there, vec![then]);
            }
            let zero = self.expr(ExprKind::Int(0), int);
            let no = self.compare(BinaryOp::Eq, self.load(may), zero);
            after.push(self.only_if(no, vec![then]));
        }
        (first, before, after)
    }
}
