//! Which integers may be addresses: a flow of values from casts of pointers over variables, members, parameters and
//! results, whatever the order of execution, and from bytes that a union or a cast shares with a pointer.

use super::super::hir::visit::{self, Visitor};
use super::super::hir::{
    BinaryOp, Callee, CastKind, Expr, ExprId, ExprKind, FuncId, GlobalId, Init, InitValue, LocalId,
    Place, PlaceKind, Stmt, StmtKind, UnaryOp, Unit,
};
use super::super::types::{RecordId, TypeId};
use super::reach::Reach;
use base::{FxHashMap, FxHashSet, IndexVec};

/// Masks below this leave no address.
const SMALL: i128 = 1 << 16;

/// Where an integer is kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kept {
    Local(LocalId),
    Global(GlobalId),
    Member(RecordId, u32),
    Result(FuncId),
    /// Behind a pointer to the type.
    Behind(TypeId),
}

/// Which integers may be addresses, and which parameters are always one number.
#[derive(Default)]
pub(in crate::c) struct AddressBits {
    exprs: IndexVec<ExprId, bool>,
    kept: FxHashSet<Kept>,
    constants: FxHashMap<LocalId, Option<i128>>,
}

impl AddressBits {
    pub(in crate::c) fn find(unit: &Unit, reach: &Reach) -> AddressBits {
        let mut bits = AddressBits {
            exprs: IndexVec::filled(false, unit.exprs),
            ..AddressBits::default()
        };
        let mut known = usize::MAX;
        while known != bits.kept.len() {
            known = bits.kept.len();
            let mut walk = Walk {
                unit,
                reach,
                bits: &mut bits,
                current: None,
            };
            for &f in &reach.functions {
                if let Some(body) = &unit.functions[f].body {
                    walk.current = Some(f);
                    visit::shared::block(&mut walk, &body.block);
                }
            }
            walk.current = None;
            for &g in &reach.globals {
                if let Some(init) = &unit.globals[g].init {
                    visit::shared::init(&mut walk, init);
                    walk.initialised(Kept::Global(g), init);
                }
            }
        }
        bits
    }

    /// May the expression be an address as a number?
    pub(in crate::c) fn is_address(&self, e: &Expr) -> bool {
        self.exprs.get(e.id).is_some_and(|b| *b)
    }

    /// May the place hold one?
    pub(in crate::c) fn is_kept(&self, p: &Place) -> bool {
        kept_at(p).is_some_and(|k| self.kept.contains(&k))
    }

    /// The number that a parameter always is.
    pub(in crate::c) fn constant(&self, l: LocalId) -> Option<i128> {
        self.constants.get(&l).copied().flatten()
    }
}

fn kept_at(p: &Place) -> Option<Kept> {
    match &p.kind {
        PlaceKind::Global(g) => Some(Kept::Global(*g)),
        PlaceKind::Local(l) | PlaceKind::CompoundLiteral { local: l, .. } => Some(Kept::Local(*l)),
        PlaceKind::Field { record, field, .. } => Some(Kept::Member(*record, *field)),
        PlaceKind::Index { base, .. } => kept_at(base),
        PlaceKind::Deref(_) => Some(Kept::Behind(p.ty)),
        PlaceKind::String(_) | PlaceKind::Temporary(_) => None,
    }
}

struct Walk<'a> {
    unit: &'a Unit,
    reach: &'a Reach,
    bits: &'a mut AddressBits,
    current: Option<FuncId>,
}

impl Walk<'_> {
    fn is(&self, e: &Expr) -> bool {
        self.bits.exprs[e.id]
    }

    fn holds(&self, p: &Place) -> bool {
        kept_at(p).is_some_and(|k| self.bits.kept.contains(&k))
    }

    /// Is it a number as wide as an address, in the bytes of a pointer?
    fn shares(&self, p: &Place) -> bool {
        let types = &self.unit.types;
        if types.size_of(p.ty) != Some(types.pointer_size()) {
            return false;
        }
        match &p.kind {
            PlaceKind::Field { record, .. } => {
                let record = &types.records[*record];
                record.is_union && record.fields.iter().any(|f| types.is_pointer(f.ty))
            }
            PlaceKind::Deref(e) => {
                let mut inner = e;
                while let ExprKind::Cast(CastKind::PointerToPointer, a) = &inner.kind {
                    inner = a;
                }
                let behind = types.pointee(inner.ty);
                behind.is_some_and(|t| types.is_pointer(t))
            }
            _ => false,
        }
    }

    fn keep(&mut self, p: &Place, value: &Expr) {
        if self.is(value)
            && let Some(k) = kept_at(p)
        {
            self.bits.kept.insert(k);
        }
    }

    fn initialised(&mut self, at: Kept, init: &Init) {
        for item in &init.items {
            if let InitValue::Expr(e) = &item.value
                && self.is(e)
            {
                self.bits.kept.insert(at);
                let ty = e.ty;
                self.bits.kept.insert(Kept::Behind(ty));
                self.members(ty);
            }
        }
    }

    /// An initialiser set some member of this type.
    fn members(&mut self, ty: TypeId) {
        for (id, record) in self.unit.types.records.iter_enumerated() {
            for (i, f) in record.fields.iter().enumerate() {
                if f.ty == ty {
                    self.bits.kept.insert(Kept::Member(id, i as u32));
                }
            }
        }
    }

    fn passed(&mut self, callee: &Callee, args: &[Expr]) {
        let (targets, direct): (Vec<FuncId>, bool) = match callee {
            Callee::Direct(f) => (vec![*f], true),
            Callee::Indirect(_) => (self.reach.address_taken.clone(), false),
        };
        for f in targets {
            let Some(body) = &self.unit.functions[f].body else {
                continue;
            };
            for (i, &p) in body.params.iter().enumerate() {
                let Some(a) = args.get(i) else { continue };
                if self.is(a) {
                    self.bits.kept.insert(Kept::Local(p));
                }
                let value = a.as_int().filter(|_| direct);
                let seen = self.bits.constants.entry(p).or_insert(value);
                if *seen != value {
                    *seen = None;
                }
            }
        }
    }

    fn binary(&self, op: BinaryOp, x: bool, y: bool, other: &Expr) -> bool {
        match op {
            BinaryOp::Sub => x != y,
            BinaryOp::Add | BinaryOp::BitOr | BinaryOp::BitXor => x || y,
            BinaryOp::BitAnd => {
                (x || y) && !other.as_int().is_some_and(|c| (0..SMALL).contains(&c))
            }
            _ => false,
        }
    }

    fn value(&mut self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Cast(CastKind::PointerToInt, a) => a.as_int().is_none(),
            ExprKind::Cast(CastKind::IntToInt | CastKind::Narrow { .. } | CastKind::Same, a) => {
                self.is(a)
            }
            ExprKind::Load(p) => self.holds(p) || self.shares(p),
            ExprKind::Unary(op, a) => *op != UnaryOp::Not && self.is(a),
            ExprKind::Binary(op, a, b) => {
                let other = if self.is(a) { b } else { a };
                self.binary(*op, self.is(a), self.is(b), other)
            }
            ExprKind::Assign { place, value } => {
                self.keep(place, value);
                self.is(value)
            }
            ExprKind::CompoundAssign {
                op, place, value, ..
            } => {
                let held = self.holds(place);
                let is = self.binary(*op, held, self.is(value), value);
                if is && let Some(k) = kept_at(place) {
                    self.bits.kept.insert(k);
                }
                is
            }
            ExprKind::IncDec { place, .. } => {
                self.changed(place);
                self.holds(place)
            }
            ExprKind::Conditional { then, els, .. } => self.is(then) || self.is(els),
            ExprKind::Elvis { cond, els } => self.is(cond) || self.is(els),
            ExprKind::Comma(_, b) => self.is(b),
            ExprKind::StmtExpr { value: Some(v), .. } => self.is(v),
            ExprKind::Call { callee, args } => {
                self.passed(callee, args);
                match callee {
                    Callee::Direct(f) => self.bits.kept.contains(&Kept::Result(*f)),
                    Callee::Indirect(_) => {
                        let mut targets = self.reach.address_taken.iter();
                        targets.any(|&f| self.bits.kept.contains(&Kept::Result(f)))
                    }
                }
            }
            _ => false,
        }
    }

    /// A parameter that is written is no constant.
    fn changed(&mut self, p: &Place) {
        if let PlaceKind::Local(l) = p.kind {
            self.bits.constants.insert(l, None);
        }
    }
}

impl<'h> Visitor<'h> for Walk<'_> {
    fn after_expr(&mut self, e: &'h Expr, _: bool) {
        match &e.kind {
            ExprKind::Assign { place, .. } | ExprKind::CompoundAssign { place, .. } => {
                self.changed(place);
            }
            ExprKind::AddressOf(place) => self.changed(place),
            _ => {}
        }
        // Pointers are no numbers.
        let number = self.unit.types.pointee(e.ty).is_none();
        if self.value(e) && number {
            self.bits.exprs[e.id] = true;
        }
    }

    fn after_place(&mut self, p: &'h Place) {
        if let PlaceKind::CompoundLiteral { local, init } = &p.kind {
            self.initialised(Kept::Local(*local), init);
        }
    }

    fn after_stmt(&mut self, s: &'h Stmt) {
        match &s.kind {
            StmtKind::Decl {
                local,
                init: Some(init),
                ..
            } => self.initialised(Kept::Local(*local), init),
            StmtKind::Return(Some(e)) if self.is(e) => {
                if let Some(f) = self.current {
                    self.bits.kept.insert(Kept::Result(f));
                }
            }
            _ => {}
        }
    }
}
