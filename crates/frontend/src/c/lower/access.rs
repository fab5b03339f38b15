//! Reading and writing scalars where a place says they are.
//!
//! A region of few cells is read by an `ite` chain over pointer equality and written by
//! conditional assignments (the lvalue maps of BLAST); others are arrays from address to value.
//! A dereference that hits no cell of its region is undefined and assumed away.

use super::super::memory::regions::RegionId;
use super::expr::Val;
use super::place::{At, Base};
use super::scalar::{Scalar, ScalarKind};
use super::{Lower, RegionVars, Slot};
use base::{FxHashMap, Id};
use logic::TermId;
use program::{AccessKind, InputKind, Property, Span, Stmt, VarId, VarKind};

/// Writes that happen at once: later ones see earlier ones, all values are from before.
#[derive(Default)]
pub(in crate::c) struct Batch {
    order: Vec<VarId>,
    terms: FxHashMap<VarId, TermId>,
}

impl Batch {
    pub(in crate::c) fn set(&mut self, v: VarId, t: TermId) {
        if self.terms.insert(v, t).is_none() {
            self.order.push(v);
        }
    }

    fn into_pairs(self) -> Vec<(VarId, TermId)> {
        self.order.iter().map(|v| (*v, self.terms[v])).collect()
    }
}

impl Lower<'_> {
    /// The slot of a split object at a bit, and the constant indices inside its arrays.
    fn slot(&self, at: &At) -> Option<(Slot, Vec<u64>)> {
        let Base::Split(split, _) = &at.base else {
            return None;
        };
        let bit = u64::try_from(at.bit).ok()?;
        for (&start, slot) in split.slots.range(..=bit).rev() {
            let mut rest = bit - start;
            let mut indices = Vec::new();
            for &(size, count) in &slot.dims {
                let k = rest / size;
                if k >= count {
                    break;
                }
                indices.push(k);
                rest %= size;
            }
            let same = at.scalar.is_none_or(|s| s.bits == slot.scalar.bits);
            if rest == 0 && indices.len() == slot.dims.len() && same {
                return Some((slot.clone(), indices));
            }
        }
        None
    }

    /// The element number in a folded slot.
    fn slot_index(&mut self, slot: &Slot, constant: &[u64], given: &[TermId]) -> TermId {
        let mut index = self.pool.int(0);
        for (d, (&(_, count), &k)) in slot.dims.iter().zip(constant).enumerate() {
            let n = self.pool.int(count);
            index = self.pool.mul(&[index, n]);
            let k = self.pool.int(k);
            index = self.pool.add2(index, k);
            if let Some(&i) = given.get(d) {
                index = self.pool.add2(index, i);
            }
        }
        index
    }

    /// The variable that alone is this place, with the range of the place's scalar.
    pub(in crate::c) fn plain_var(&mut self, at: &At) -> Option<VarId> {
        match &at.base {
            Base::Split(..) => {
                let (slot, _) = self.slot(at)?;
                slot.dims.is_empty().then_some(slot.var)
            }
            Base::Memory { .. } if at.deref && self.safety.is_some() => None,
            Base::Memory { cell, .. } => {
                let id = self.memory.region((cell.0, cell.1 + at.bit))?;
                let region = &self.memory.regions[id.index()];
                let same = region.scalar?.interval() == at.scalar?.interval();
                if region.mixed_sign || !same {
                    return None;
                }
                let RegionVars::Cells(cells) = self.region_vars(id) else {
                    return None;
                };
                let address = self.address_of(at);
                self.fixed_cell(&cells, address)
            }
            Base::Lost => None,
        }
    }

    /// The byte address of a place in memory.
    pub(in crate::c) fn address_of(&mut self, at: &At) -> TermId {
        match &at.base {
            Base::Memory { address, .. } => {
                let offset = self.pool.int(at.bit.div_euclid(8));
                self.pool.add2(*address, offset)
            }
            _ => self.pool.int(0),
        }
    }

    /// Any value of the scalar.
    pub(in crate::c) fn any(&mut self, scalar: Scalar, kind: InputKind, span: Span) -> TermId {
        let v = self.temp(scalar, span);
        self.b.havoc(v, kind, span);
        self.var_term(v)
    }

    /// Is there a variable for the value at a place, because the program uses it?
    pub(in crate::c) fn is_modelled(&mut self, at: &At) -> bool {
        match &at.base {
            Base::Split(..) => self.slot(at).is_some(),
            Base::Memory { cell, .. } => self.memory.region((cell.0, cell.1 + at.bit)).is_some(),
            Base::Lost => false,
        }
    }

    /// The value at a place.
    pub(in crate::c) fn read(&mut self, at: &At) -> Val {
        let Some(scalar) = at.scalar else {
            self.b.note(at.span, "value of unknown kind: any value");
            let v = self.any(Scalar::BYTE, InputKind::Approximation, at.span);
            return Val::int(v);
        };
        match &at.base {
            Base::Split(_, indices) => {
                let indices = indices.clone();
                if let Some((slot, constant)) = self.slot(at) {
                    let array = self.var_term(slot.var);
                    if slot.dims.is_empty() {
                        self.check_written(slot.var, at.span);
                        return Val::int(array);
                    }
                    let index = self.slot_index(&slot, &constant, &indices);
                    let value = self.pool.select(array, index);
                    return Val::int(self.in_type(value, scalar, at.span));
                }
            }
            Base::Memory { cell, .. } => {
                let cell = (cell.0, cell.1 + at.bit);
                self.check_access(at, scalar, AccessKind::Read);
                if let Some(region) = self.memory.region(cell) {
                    let address = self.address_of(at);
                    let t = self.read_region(region, address, at.bit, scalar, at.span);
                    return Val::int(t);
                }
            }
            Base::Lost => {}
        }
        self.b
            .note(at.span, "memory not modelled here: reading gives any value");
        let v = self.any(scalar, InputKind::Approximation, at.span);
        Val::int(v)
    }

    /// Assumes that a cell holds a value of its type.
    // Sound because every write to the cell stores such a value, and what was there before is
    // arbitrary anyway.
    pub(super) fn in_type(&mut self, value: TermId, scalar: Scalar, span: Span) -> TermId {
        let cell = self.pool.op(value) == logic::Op::Select;
        // What was known of a cell was known of an earlier content: assumed at every read.
        if !cell && self.ranges.within(self.pool, value, scalar.interval()) {
            return value;
        }
        let (low, high) = Self::scalar_range(scalar);
        let fits = self.pool.in_range(&low, value, &high);
        self.b.assume_range(self.pool, fits, span);
        if cell {
            self.ranges.set(value, scalar.interval());
        }
        value
    }

    pub(in crate::c) fn read_region(
        &mut self,
        id: RegionId,
        address: TermId,
        bit: i64,
        scalar: Scalar,
        span: Span,
    ) -> TermId {
        let region = &self.memory.regions[id.index()];
        let (clean, mixed) = (region.scalar, region.mixed_sign);
        if clean.is_some_and(|kind| kind.bits != scalar.bits) {
            // A copy that cuts the cell otherwise than the program reads it.
            self.b.note(span, "part of a value is read: any value");
            return self.any(scalar, InputKind::Approximation, span);
        }
        // A copy reads bytes of either sign, whatever the program reads.
        let mixed = mixed || clean.is_some_and(|kind| kind.signed != scalar.signed);
        match (self.region_vars(id), clean) {
            (RegionVars::Cells(cells), Some(kind)) => {
                let value = self.read_cells(&cells, address, span);
                if mixed {
                    self.read_mixed(value, kind, scalar, span)
                } else {
                    value
                }
            }
            (RegionVars::Array(v), Some(kind)) => {
                let array = self.var_term(v);
                let value = self.pool.select(array, address);
                if mixed {
                    self.read_mixed(value, kind, scalar, span)
                } else {
                    self.in_type(value, scalar, span)
                }
            }
            (RegionVars::Array(v), None) => {
                let array = self.var_term(v);
                self.read_bytes(array, address, bit, scalar, span)
            }
            (RegionVars::Cells(_), None) => unreachable!("cells have a scalar"),
        }
    }

    /// The value of a cell that accesses see as scalars of several kinds, of one width.
    fn read_mixed(&mut self, value: TermId, cell: Scalar, scalar: Scalar, span: Span) -> TermId {
        let address = |s: Scalar| s.kind == ScalarKind::Pointer && s.span() > s.bits;
        match (address(cell), address(scalar)) {
            (true, true) => self.in_type(value, scalar, span),
            (true, false) => {
                let value = self.in_type(value, cell, span);
                let value = self.address_as_integer(value, span);
                self.wrap_to(value, scalar)
            }
            (false, _) => self.wrap_to(value, scalar),
        }
    }

    fn read_cells(&mut self, cells: &[(u64, VarId)], address: TermId, span: Span) -> TermId {
        if let Some(v) = self.fixed_cell(cells, address) {
            return self.var_term(v);
        }
        let Some((&(_, last), rest)) = cells.split_last() else {
            // No object: the dereference is undefined.
            let ff = self.pool.ff();
            self.perhaps_elsewhere(ff, span);
            self.require(ff, span);
            return self.pool.int(0);
        };
        self.hits(cells, address, span);
        let mut value = self.var_term(last);
        for &(a, v) in rest.iter().rev() {
            let a = self.pool.int(a);
            let here = self.pool.eq(address, a);
            let t = self.var_term(v);
            value = self.pool.ite(here, t, value);
        }
        value
    }

    fn fixed_cell(&self, cells: &[(u64, VarId)], address: TermId) -> Option<VarId> {
        let n = self.pool.as_number(address)?.to_i64()?;
        let found = cells.iter().find(|c| i64::try_from(c.0) == Ok(n));
        found.map(|c| c.1)
    }

    /// The pointer points to one of the cells.
    fn hits(&mut self, cells: &[(u64, VarId)], address: TermId, span: Span) {
        let mut any = Vec::new();
        for &(a, _) in cells {
            let a = self.pool.int(a);
            any.push(self.pool.eq(address, a));
        }
        let hit = self.pool.or(&any);
        if hit != self.pool.tt() {
            // What is checked is not assumed.
            if !self.checks(Property::ValidDeref) {
                let what = "pointers that are dereferenced are valid";
                self.b.assumption(span, what);
            }
            self.perhaps_elsewhere(hit, span);
        }
        self.require(hit, span);
    }

    /// Stores a settled value.
    pub(in crate::c) fn write(&mut self, at: &At, value: TermId, span: Span) {
        let mut batch = Batch::default();
        self.write_in(&mut batch, at, value);
        self.commit(batch, span);
    }

    pub(in crate::c) fn commit(&mut self, batch: Batch, span: Span) {
        self.b.assign(batch.into_pairs(), span);
    }

    pub(super) fn current(&self, batch: &Batch, v: VarId) -> TermId {
        batch
            .terms
            .get(&v)
            .copied()
            .unwrap_or_else(|| self.var_term(v))
    }

    pub(in crate::c) fn write_in(&mut self, batch: &mut Batch, at: &At, value: TermId) {
        let scalar = at.scalar.unwrap_or(Scalar::BYTE);
        match &at.base {
            Base::Split(_, indices) => {
                let indices = indices.clone();
                if let Some((slot, constant)) = self.slot(at) {
                    if slot.dims.is_empty() {
                        batch.set(slot.var, value);
                    } else {
                        let index = self.slot_index(&slot, &constant, &indices);
                        let array = self.current(batch, slot.var);
                        let stored = self.pool.store(array, index, value);
                        batch.set(slot.var, stored);
                    }
                    return;
                }
            }
            Base::Memory { cell, .. } => {
                let cell = (cell.0, cell.1 + at.bit);
                self.check_access(at, scalar, AccessKind::Write);
                if let Some(region) = self.memory.region(cell) {
                    let address = self.address_of(at);
                    self.write_region(batch, region, address, at.bit, scalar, value, at.span);
                    return;
                }
                // Unknown which cells are hit: all of the object's lose their value.
                for r in self.memory.node_regions(cell) {
                    self.b.note(at.span, "a write whose target is not modelled");
                    self.lose_region(batch, r, at.span);
                }
                return;
            }
            Base::Lost => {
                let what = "integers that no address flows into are no addresses of objects";
                self.b.assumption(at.span, what);
                return;
            }
        }
        // Which part of the object is hit is not known: all of it loses its value.
        if let Base::Split(split, _) = &at.base {
            self.b.note(at.span, "a write whose target is not modelled");
            let vars: Vec<VarId> = split.slots.values().map(|s| s.var).collect();
            for v in vars {
                let any = self.any_like(v, at.span);
                batch.set(v, any);
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    pub(in crate::c) fn write_region(
        &mut self,
        batch: &mut Batch,
        id: RegionId,
        address: TermId,
        bit: i64,
        scalar: Scalar,
        value: TermId,
        span: Span,
    ) {
        let clean = self.memory.regions[id.index()].scalar;
        if clean.is_some_and(|kind| kind.bits != scalar.bits) {
            // Sound because whatever cells it hits, they are of this region.
            self.b.note(span, "part of a value is written: any value");
            self.lose_region(batch, id, span);
            return;
        }
        let value = match clean {
            Some(kind)
                if kind.kind == ScalarKind::Pointer && scalar.kind != ScalarKind::Pointer =>
            {
                self.integer_as_address(value)
            }
            _ => value,
        };
        match (self.region_vars(id), clean) {
            (RegionVars::Cells(cells), Some(kind)) => {
                let value = self.wrap_to(value, kind);
                if let Some(v) = self.fixed_cell(&cells, address) {
                    batch.set(v, value);
                    return;
                }
                self.hits(&cells, address, span);
                let single = cells.len() == 1;
                for &(a, v) in cells.iter() {
                    let old = self.current(batch, v);
                    let a = self.pool.int(a);
                    let here = self.pool.eq(address, a);
                    // The only cell is hit, or the path has ended.
                    let new = if single && self.frame.guards.is_empty() {
                        value
                    } else {
                        self.pool.ite(here, value, old)
                    };
                    batch.set(v, new);
                }
            }
            (RegionVars::Array(v), Some(kind)) => {
                // Initialisers have the sign of the object, not of what accesses it.
                let other = kind.kind == ScalarKind::Int && kind.signed != scalar.signed;
                let value = match other && !self.memory.regions[id.index()].mixed_sign {
                    true => self.wrap_to(value, kind),
                    false => value,
                };
                let array = self.current(batch, v);
                let stored = self.pool.store(array, address, value);
                batch.set(v, stored);
            }
            (RegionVars::Array(v), None) => {
                self.write_bytes(batch, v, address, bit, scalar, value, span);
            }
            (RegionVars::Cells(_), None) => unreachable!("cells have a scalar"),
        }
    }

    /// Cells that begin before the address and reach beyond it lose their value: part of it is overwritten.
    pub(in crate::c) fn forget_across(
        &mut self,
        batch: &mut Batch,
        cell: super::super::memory::unify::Cell,
        address: TermId,
        span: Span,
    ) {
        for (distance, id) in self.memory.cells_across(cell) {
            self.b.note(span, "part of a value is written: any value");
            let back = self.pool.int(distance.div_ceil(8));
            let address = self.pool.sub(address, back);
            let scalar = self.memory.regions[id.index()].scalar;
            let scalar = scalar.unwrap_or(Scalar::BYTE);
            let any = self.any(scalar, InputKind::Approximation, span);
            match self.region_vars(id) {
                RegionVars::Cells(cells) => {
                    for &(a, v) in cells.iter() {
                        let a = self.pool.int(a);
                        let (here, old) = (self.pool.eq(address, a), self.current(batch, v));
                        batch.set(v, self.pool.ite(here, any, old));
                    }
                }
                RegionVars::Array(v) => {
                    let array = self.current(batch, v);
                    batch.set(v, self.pool.store(array, address, any));
                }
            }
        }
    }

    /// A region loses all it held, with the other writes of the batch: not before them, since what they
    /// write to it would stand.
    fn lose_region(&mut self, batch: &mut Batch, id: RegionId, span: Span) {
        let vars: Vec<VarId> = match self.region_vars(id) {
            RegionVars::Cells(cells) => cells.iter().map(|c| c.1).collect(),
            RegionVars::Array(v) => vec![v],
        };
        for v in vars {
            let any = self.any_like(v, span);
            batch.set(v, any);
        }
    }

    /// Any value that the variable may hold.
    fn any_like(&mut self, v: VarId, span: Span) -> TermId {
        let name = format!("{}::any", self.frame.name);
        let var = &self.b.vars[v];
        let (sort, range) = (var.sort, var.range.clone());
        let any = self.b.var(
            self.pool,
            crate::builder::VarSpec {
                name: &name,
                sort,
                range,
                kind: VarKind::Local,
                source_name: None,
                source_type: None,
                span,
            },
        );
        let stmt = Stmt::Havoc(vec![any], InputKind::Approximation);
        self.b.emit(stmt, span);
        self.var_term(any)
    }

    /// A region loses all it held.
    pub(in crate::c) fn havoc_region(&mut self, id: RegionId, span: Span) {
        let vars = match self.region_vars(id) {
            RegionVars::Cells(cells) => cells.iter().map(|c| c.1).collect(),
            RegionVars::Array(v) => vec![v],
        };
        self.b
            .emit(Stmt::Havoc(vars, InputKind::Approximation), span);
    }
}
