//! Which integers may be addresses: a flow of values from casts of pointers over variables, members, parameters and
//! results, whatever the order of execution, and from bytes that a union or a cast shares with a pointer.

use super::super::hir::visit::{self, Visitor};
use super::super::hir::{
    BinaryOp, Callee, CastKind, Expr, ExprId, ExprKind, FuncId, GlobalId, Init, InitValue, LocalId,
    Place, PlaceKind, Stmt, StmtKind, UnaryOp, Unit,
};
use super::super::types::{RecordId, TypeId};
use super::reach::Reach;
use base::{FxHashMap, IndexVec};

/// Masks below this leave no address.
const SMALL: i128 = 1 << 16;

/// How an integer comes from an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::c) enum Address {
    #[default]
    No,
    /// By sums and bits set or cleared: what is promised of the address is known of its low bits.
    Plain,
    /// Also by products and shifts: nothing is known.
    Scaled,
}

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
    exprs: IndexVec<ExprId, Address>,
    kept: FxHashMap<Kept, Address>,
    constants: FxHashMap<LocalId, Option<i128>>,
}

impl AddressBits {
    pub(in crate::c) fn find(unit: &Unit, reach: &Reach) -> AddressBits {
        let mut bits = AddressBits {
            exprs: IndexVec::filled(Address::No, unit.exprs),
            ..AddressBits::default()
        };
        let measure =
            |bits: &AddressBits| -> usize { bits.kept.values().map(|a| *a as usize).sum() };
        let mut known = usize::MAX;
        while known != measure(&bits) {
            known = measure(&bits);
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
    pub(in crate::c) fn of(&self, e: &Expr) -> Address {
        self.exprs.get(e.id).copied().unwrap_or_default()
    }

    /// May the place hold one?
    pub(in crate::c) fn kept(&self, p: &Place) -> Address {
        let kept = kept_at(p).and_then(|k| self.kept.get(&k));
        kept.copied().unwrap_or_default()
    }

    fn keep(&mut self, at: Kept, how: Address) {
        if how != Address::No {
            let old = self.kept.entry(at).or_default();
            *old = how.max(*old);
        }
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
    fn is(&self, e: &Expr) -> Address {
        self.bits.exprs[e.id]
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
        if let Some(k) = kept_at(p) {
            let how = self.is(value);
            self.bits.keep(k, how);
        }
    }

    fn initialised(&mut self, at: Kept, init: &Init) {
        for item in &init.items {
            if let InitValue::Expr(e) = &item.value
                && self.is(e) != Address::No
            {
                let (how, ty) = (self.is(e), e.ty);
                self.bits.keep(at, how);
                self.bits.keep(Kept::Behind(ty), how);
                self.members(ty, how);
            }
        }
    }

    /// An initialiser set some member of this type.
    fn members(&mut self, ty: TypeId, how: Address) {
        for (id, record) in self.unit.types.records.iter_enumerated() {
            for (i, f) in record.fields.iter().enumerate() {
                if f.ty == ty {
                    self.bits.keep(Kept::Member(id, i as u32), how);
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
                let how = self.is(a);
                self.bits.keep(Kept::Local(p), how);
                let value = a.as_int().filter(|_| direct);
                let seen = self.bits.constants.entry(p).or_insert(value);
                if *seen != value {
                    *seen = None;
                }
            }
        }
    }

    fn binary(&self, op: BinaryOp, x: Address, y: Address, other: &Expr) -> Address {
        let both = x.max(y);
        let small = other.as_int().is_some_and(|c| (0..SMALL).contains(&c));
        match op {
            // How far apart they are.
            BinaryOp::Sub if x == Address::Plain && y == Address::Plain => Address::No,
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::BitOr | BinaryOp::BitXor => both,
            BinaryOp::BitAnd if small => Address::No,
            BinaryOp::BitAnd => both,
            BinaryOp::Mul if both != Address::No => Address::Scaled,
            BinaryOp::Div | BinaryOp::Shl | BinaryOp::Shr if x != Address::No => Address::Scaled,
            _ => Address::No,
        }
    }

    fn value(&mut self, e: &Expr) -> Address {
        match &e.kind {
            ExprKind::Cast(CastKind::PointerToInt, a) => match a.as_int() {
                None => Address::Plain,
                Some(_) => Address::No,
            },
            ExprKind::Cast(CastKind::IntToInt | CastKind::Narrow { .. } | CastKind::Same, a) => {
                self.is(a)
            }
            ExprKind::Load(p) => match self.shares(p) {
                true => self.bits.kept(p).max(Address::Plain),
                false => self.bits.kept(p),
            },
            ExprKind::Unary(UnaryOp::Not, _) => Address::No,
            ExprKind::Unary(_, a) => self.is(a),
            ExprKind::Binary(op, a, b) => {
                let other = if self.is(a) != Address::No { b } else { a };
                self.binary(*op, self.is(a), self.is(b), other)
            }
            ExprKind::Assign { place, value } => {
                self.keep(place, value);
                self.is(value)
            }
            ExprKind::CompoundAssign {
                op, place, value, ..
            } => {
                let is = self.binary(*op, self.bits.kept(place), self.is(value), value);
                if let Some(k) = kept_at(place) {
                    self.bits.keep(k, is);
                }
                is
            }
            ExprKind::IncDec { place, .. } => {
                self.changed(place);
                self.bits.kept(place)
            }
            ExprKind::Conditional { then, els, .. } => self.is(then).max(self.is(els)),
            ExprKind::Elvis { cond, els } => self.is(cond).max(self.is(els)),
            ExprKind::Comma(_, b) => self.is(b),
            ExprKind::StmtExpr { value: Some(v), .. } => self.is(v),
            ExprKind::Call { callee, args } => {
                self.passed(callee, args);
                let result = |f: &FuncId| self.bits.kept.get(&Kept::Result(*f)).copied();
                match callee {
                    Callee::Direct(f) => result(f).unwrap_or_default(),
                    Callee::Indirect(_) => {
                        let targets = self.reach.address_taken.iter();
                        targets.filter_map(result).max().unwrap_or_default()
                    }
                }
            }
            _ => Address::No,
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
        let how = self.value(e);
        if number {
            self.bits.exprs[e.id] = how.max(self.bits.exprs[e.id]);
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
            StmtKind::Return(Some(e)) => {
                if let Some(f) = self.current {
                    let how = self.is(e);
                    self.bits.keep(Kept::Result(f), how);
                }
            }
            _ => {}
        }
    }
}
