//! What a pointer leads to where its type does not say it: the records that the program casts it to.
//!
//! ```text
//! int rest(void *p) { struct state *s = p; … }             `p` leads to a `struct state`
//! int kind(struct base *b) { … (struct derived *)b … }     `b` leads to a `struct derived`
//! container_of(node, struct item, link)                    `node` leads to the member `link` of a `struct item`
//! each(void *p) { act(p); }  act = &add              `p` leads to what `add` takes its argument for
//! void put(void *table, int i) { ((int *)table)[i] = 0; }  `table` leads to elements of `int`
//! ```
//! Members that no function names are not looked at here either: what they hold does not matter.
//!
//! Casts are followed through locals, members and arguments of calls. Nothing hangs on what is found here but which
//! callers are looked at: it is a line of what is assumed.

use crate::c::hir::visit::{self, Visitor};
use crate::c::hir::{
    Callee, CastKind, Expr, ExprKind, FuncId, InitValue, LocalId, Place, PlaceKind, Stmt, StmtKind,
    Unit,
};
use crate::c::lower::reach;
use crate::c::types::{ArrayLen, RecordId, Type, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// So many records are told apart for one pointer.
const MOST_RECORDS: usize = 8;

/// Where a pointer is kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Keeper {
    Local(LocalId),
    Member(RecordId, u32),
}

/// A record (or a number), and how many bytes behind its start the pointer leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Inside {
    pub record: TypeId,
    pub offset: u64,
}

/// The casts of the functions that an entry reaches.
#[derive(Default)]
pub(super) struct Casts {
    records: BTreeMap<Keeper, BTreeSet<Inside>>,
    /// The value of the one is handed to the other.
    handed: BTreeMap<Keeper, BTreeSet<Keeper>>,
    /// Members that the functions name.
    named: BTreeSet<(RecordId, u32)>,
}

impl Casts {
    pub fn new(unit: &Unit, entry: FuncId, taken: &[FuncId]) -> Self {
        let mut find = Find {
            unit,
            taken,
            called: Vec::new(),
            casts: Casts::default(),
        };
        let mut todo = reach::reach(unit, entry).functions;
        let mut seen: BTreeSet<FuncId> = todo.iter().copied().collect();
        while let Some(f) = todo.pop() {
            let function = &unit.functions[f];
            // Models of the library have casts of their own, about bytes.
            if let Some(body) = function.body.as_ref().filter(|_| !function.library) {
                visit::shared::block(&mut find, &body.block);
            }
            for called in std::mem::take(&mut find.called) {
                let all = reach::reach(unit, called).functions.into_iter();
                todo.extend(all.filter(|f| seen.insert(*f)));
            }
        }
        find.casts.name_inner(unit);
        find.casts
    }

    /// Whoever has a pointer to a part of a record names the part.
    fn name_inner(&mut self, unit: &Unit) {
        for inside in self.records.values().flatten() {
            let (mut ty, mut at) = (inside.record, inside.offset);
            while let &Type::Record(r) = unit.types.get(ty) {
                let mut fields = unit.types.records[r].fields.iter().enumerate();
                let found = fields.find(|(_, f)| {
                    let size = unit.types.size_of(f.ty).unwrap_or(0);
                    f.bits.is_none() && f.offset <= at && at < f.offset + size
                });
                let Some((i, field)) = found else { break };
                self.named.insert((r, i as u32));
                (ty, at) = (field.ty, at - field.offset);
            }
        }
    }

    /// Does a function name this member of the record?
    pub fn names(&self, record: RecordId, field: u32) -> bool {
        self.named.contains(&(record, field))
    }

    /// What the pointer leads to, if that is a larger record than the one of its type: the records that no other
    /// of them contains at that place. More than a few are none.
    pub fn of(&self, unit: &Unit, keeper: Keeper, to: TypeId) -> Vec<Inside> {
        let untyped = match unit.types.get(to) {
            Type::Void => true,
            Type::Record(r) => !unit.types.records[*r].complete,
            _ => return Vec::new(),
        };
        let mut seen = BTreeSet::from([keeper]);
        let mut todo = vec![keeper];
        let mut found: BTreeSet<Inside> = BTreeSet::new();
        while let Some(k) = todo.pop() {
            found.extend(self.records.get(&k).into_iter().flatten());
            let next = self.handed.get(&k).into_iter().flatten();
            todo.extend(next.filter(|n| seen.insert(**n)));
        }
        let own = Inside {
            record: to,
            offset: 0,
        };
        found.remove(&own);
        let is_record = |i: &Inside| matches!(unit.types.get(i.record), Type::Record(_));
        let scalars = found.iter().filter(|i| !is_record(i) && i.offset == 0);
        let widest = scalars
            .max_by_key(|i| unit.types.size_of(i.record))
            .copied();
        found.retain(is_record);
        if found.is_empty() {
            // Memory that is taken for numbers is counted in the largest of them.
            let void = matches!(unit.types.get(to), Type::Void);
            return widest.filter(|_| void).into_iter().collect();
        }
        let size = unit.types.size_of(to).unwrap_or(0);
        found.retain(|i| {
            let whole = unit.types.size_of(i.record).unwrap_or(0);
            untyped || whole > size && whole >= i.offset.saturating_add(size)
        });
        let all: Vec<Inside> = found.iter().copied().collect();
        found.retain(|i| {
            let larger = |o: &Inside| o != i && o.offset >= i.offset && contains(unit, *o, *i);
            !all.iter().any(larger)
        });
        match found.len() > MOST_RECORDS {
            true => Vec::new(),
            false => found.into_iter().collect(),
        }
    }
}

/// Is the second record a member of the first one, where the pointer is?
fn contains(unit: &Unit, outer: Inside, inner: Inside) -> bool {
    let (mut ty, mut at) = (outer.record, outer.offset - inner.offset);
    loop {
        if ty == inner.record && at == 0 && outer.record != inner.record {
            return true;
        }
        match unit.types.get(ty) {
            Type::Record(r) => {
                let mut fields = unit.types.records[*r].fields.iter();
                let found = fields.find(|f| {
                    let size = unit.types.size_of(f.ty).unwrap_or(0);
                    f.bits.is_none() && f.offset <= at && at < f.offset + size
                });
                let Some(field) = found else { return false };
                (ty, at) = (field.ty, at - field.offset);
            }
            Type::Array(element, ArrayLen::Fixed(_)) => {
                let size = unit.types.size_of(*element).unwrap_or(0).max(1);
                (ty, at) = (*element, at % size);
            }
            _ => return false,
        }
    }
}

struct Find<'u> {
    unit: &'u Unit,
    /// What pointers to functions may lead to.
    taken: &'u [FuncId],
    /// Those that are called so.
    called: Vec<FuncId>,
    casts: Casts,
}

impl Find<'_> {
    /// Whose pointer the expression is, and how many bytes before it.
    fn source(&self, e: &Expr) -> Option<(Keeper, u64)> {
        let (mut e, mut back) = (e, 0_i128);
        loop {
            match &e.kind {
                ExprKind::Cast(CastKind::PointerToPointer | CastKind::Same, inner) => e = inner,
                ExprKind::PointerOffset {
                    pointer,
                    index,
                    subtract,
                    size,
                } => {
                    let n = constant(index)?;
                    let n = n.checked_mul(i128::from(size.factor))?;
                    if !size.lengths.is_empty() {
                        return None;
                    }
                    back += if *subtract { n } else { -n };
                    e = pointer;
                }
                ExprKind::Load(place) => {
                    return Some((self.keeper(place)?, u64::try_from(back).ok()?));
                }
                _ => return None,
            }
        }
    }

    fn keeper(&self, place: &Place) -> Option<Keeper> {
        match &place.kind {
            PlaceKind::Local(l) => Some(Keeper::Local(*l)),
            PlaceKind::Field { record, field, .. } => Some(Keeper::Member(*record, *field)),
            _ => None,
        }
    }

    /// The arguments of a call become the function's parameters.
    fn pass(&mut self, args: &[Expr], to: FuncId) {
        let unit = self.unit;
        if let Some(body) = &unit.functions[to].body {
            for (arg, param) in args.iter().zip(&body.params) {
                self.hand(arg, Keeper::Local(*param));
            }
        }
    }

    fn hand(&mut self, value: &Expr, to: Keeper) {
        if let Some((from, 0)) = self.source(value) {
            self.casts.handed.entry(from).or_default().insert(to);
        }
    }
}

fn constant(e: &Expr) -> Option<i128> {
    match &e.kind {
        ExprKind::Int(n) => Some(*n),
        ExprKind::Cast(CastKind::IntToInt | CastKind::Same, inner) => constant(inner),
        _ => None,
    }
}

impl<'u> Visitor<'u> for Find<'u> {
    fn expr(&mut self, e: &'u Expr) {
        match &e.kind {
            ExprKind::Cast(CastKind::PointerToPointer, _) => {
                let Some(record) = self.unit.types.pointee(e.ty) else {
                    return;
                };
                let counts = match self.unit.types.get(record) {
                    Type::Record(r) => self.unit.types.records[*r].complete,
                    Type::Int(_) | Type::Float(_) | Type::Pointer(_) => {
                        self.unit.types.size_of(record) > Some(1)
                    }
                    _ => false,
                };
                if !counts {
                    return;
                }
                if let Some((keeper, offset)) = self.source(e) {
                    let found = self.casts.records.entry(keeper).or_default();
                    found.insert(Inside { record, offset });
                }
            }
            ExprKind::Assign { place, value } => {
                if let Some(to) = self.keeper(place) {
                    self.hand(value, to);
                }
            }
            ExprKind::Call {
                callee: Callee::Direct(f),
                args,
            } => self.pass(args, *f),
            ExprKind::Call {
                callee: Callee::Indirect(pointer),
                args,
            } => {
                let ty = self.unit.types.pointee(pointer.ty);
                for f in self.taken {
                    if Some(self.unit.functions[*f].ty) == ty {
                        if !self.called.contains(f) {
                            self.called.push(*f);
                        }
                        self.pass(args, *f);
                    }
                }
            }
            _ => {}
        }
    }

    fn place(&mut self, p: &'u Place) {
        if let PlaceKind::Field { record, field, .. } = &p.kind {
            self.casts.named.insert((*record, *field));
        }
    }

    fn stmt(&mut self, s: &'u Stmt) {
        let StmtKind::Decl {
            local,
            init: Some(init),
        } = &s.kind
        else {
            return;
        };
        for item in init.items.iter().filter(|i| i.path.is_empty()) {
            if let InitValue::Expr(value) = &item.value {
                self.hand(value, Keeper::Local(*local));
            }
        }
    }
}
