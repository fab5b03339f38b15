//! Initialisers: of locals where they are declared, of globals before the entry function runs.

use super::super::hir::{Expr, ExprKind, Init, InitValue, StringId};
use super::super::memory::constraints::{ObjectKind, item_bits};
use super::super::memory::regions::{Address, RegionId};
use super::super::types::TypeId;
use super::access::Batch;
use super::call::Want;
use super::place::{At, Base};
use super::reach::ObjectKey;
use super::scalar::{Scalar, ScalarKind, scalar_of};
use super::{Lower, RegionVars};
use base::{FxHashSet, Id};
use logic::{IBig, Rational, TermId};
use program::{Span, VarId};

/// Objects of more cells are zeroed by a loop.
const CELL_LIMIT: usize = 4096;
/// How many texts of the program are told to those who guess, and how long each may be.
const MOST_TEXTS: usize = 40;
const LONGEST_TEXT: usize = 64;

/// Is it data of the C library, whose value the outside does not choose freely?
fn is_of_library(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "timezone",
        "daylight",
        "__timezone",
        "__daylight",
        "signgam",
        "program_invocation_name",
        "program_invocation_short_name",
        "__progname",
        "sys_nerr",
        "environ",
        "__environ",
        "getdate_err",
        "h_errno",
    ];
    NAMES.contains(&name)
}

impl Lower<'_> {
    fn zero_array(&mut self, v: VarId) -> TermId {
        let sort = self.b.vars[v].sort;
        let zero = self.pool.int(0);
        self.pool.const_array(sort, zero)
    }

    /// Everything of an object is zero. `zeroed`: regions that are zero already.
    fn zero(&mut self, batch: &mut Batch, at: &At, zeroed: &FxHashSet<VarId>, span: Span) {
        let zero = self.pool.int(0);
        match &at.base {
            Base::Split(split, _) => {
                let slots: Vec<_> = split.slots.values().cloned().collect();
                for slot in slots {
                    let value = if slot.dims.is_empty() {
                        zero
                    } else {
                        self.zero_array(slot.var)
                    };
                    batch.set(slot.var, value);
                }
            }
            Base::Memory { address, cell } => {
                let (address, cell) = (*address, *cell);
                let size = self.unit.types.size_of(at.ty).unwrap_or(0);
                self.fill(batch, cell, address, Some(size), None, zero, zeroed, span);
            }
            Base::Lost => {}
        }
    }

    /// Sets `size` bytes from the address on to copies of a byte (0..=255); a size that is not
    /// constant, or too many cells, takes a loop.
    #[allow(clippy::too_many_arguments)]
    pub(in crate::c) fn fill(
        &mut self,
        batch: &mut Batch,
        cell: super::super::memory::unify::Cell,
        address: TermId,
        size: Option<u64>,
        size_term: Option<TermId>,
        byte: TermId,
        skip: &FxHashSet<VarId>,
        span: Span,
    ) {
        if size != Some(0) {
            self.forget_across(batch, cell, address, span);
        }
        let cells = size.and_then(|n| self.memory.cells_in(cell, n * 8, CELL_LIMIT));
        if let (Some(cells), Some(n)) = (cells, size) {
            for (bit, region) in cells {
                let vars = self.region_vars(region);
                if matches!(vars, RegionVars::Array(v) if skip.contains(&v)) {
                    continue;
                }
                let scalar = self.memory.regions[region.index()]
                    .scalar
                    .unwrap_or(Scalar::BYTE);
                let offset = self.pool.int(bit / 8);
                let at = self.pool.add2(address, offset);
                let inside = bit + u64::from(scalar.bits) <= n * 8;
                let part = (n * 8).saturating_sub(bit) as u32;
                let value = if inside {
                    self.repeated(byte, scalar)
                } else if Self::has_parts(scalar) {
                    let new = self.repeated(byte, scalar);
                    let old = self.read_region(region, at, bit as i64 / 8 * 8, scalar, span);
                    self.joined(new, old, part, scalar)
                } else {
                    self.b.note(span, "part of a value is set: any value");
                    self.any(scalar, program::InputKind::Approximation, span)
                };
                self.write_region(batch, region, at, bit as i64 / 8 * 8, scalar, value, span);
            }
            return;
        }
        let done = std::mem::take(batch);
        self.commit(done, span);
        let total = match (size_term, size) {
            (Some(t), _) => t,
            (None, n) => self.pool.int(n.unwrap_or(0)),
        };
        for region in self.memory.node_regions(cell) {
            self.fill_unknown(region, cell, address, total, byte, skip, span);
        }
    }

    /// Is a part of the scalar a number like the whole?
    pub(in crate::c) fn has_parts(scalar: Scalar) -> bool {
        scalar.kind == ScalarKind::Int && scalar.bits.is_multiple_of(8)
    }

    /// The lowest `bits` of the new value, the others of the old one.
    pub(in crate::c) fn joined(
        &mut self,
        new: TermId,
        old: TermId,
        bits: u32,
        scalar: Scalar,
    ) -> TermId {
        let old = self.wrap_unsigned(old, scalar.bits);
        let (low, lost) = (self.wrap_unsigned(new, bits), self.wrap_unsigned(old, bits));
        let high = self.pool.sub(old, lost);
        let whole = self.pool.add2(high, low);
        self.wrap_to(whole, scalar)
    }

    /// The scalar whose bytes are all `byte`.
    pub(in crate::c) fn repeated(&mut self, byte: TermId, scalar: Scalar) -> TermId {
        let count = scalar.bits.div_ceil(8);
        let parts: Vec<TermId> = (0..count)
            .map(|i| {
                let factor = logic::Rational::power_of_two(8 * i as usize);
                self.pool.mul_const(&factor, byte)
            })
            .collect();
        let whole = self.pool.add(&parts);
        self.wrap_to(whole, scalar)
    }

    pub(in crate::c) fn initialise(&mut self, key: ObjectKey, init: &Init, span: Span) {
        let at = self.object_at(key, span);
        let mut batch = Batch::default();
        if init.zero_rest {
            self.zero(&mut batch, &at, &FxHashSet::default(), span);
        }
        self.init_items(batch, &at, init, span);
    }

    fn init_items(&mut self, mut batch: Batch, at: &At, init: &Init, span: Span) {
        for item in &init.items {
            let (bit, scalar) = item_bits(self.unit, item);
            let part = At {
                bit: at.bit + bit,
                ty: item.ty,
                scalar,
                ..at.clone()
            };
            match &item.value {
                InitValue::Expr(e) => {
                    if scalar.is_none() || self.has_effects(e) {
                        let done = std::mem::take(&mut batch);
                        self.commit(done, span);
                    }
                    match scalar {
                        Some(s) => {
                            if self.init_by_call(&part, e) {
                                continue;
                            }
                            let v = self.expr(e);
                            let direct = v.pending.is_some_and(|p| p.interval() == s.interval())
                                && self.plain_var(&part).is_some();
                            let t = if direct {
                                v.term
                            } else {
                                let t = self.settle(v, item.span);
                                self.wrap_to(t, s)
                            };
                            self.write_in(&mut batch, &part, t);
                        }
                        None => {
                            let from = self.aggregate(e);
                            self.copy(&part, &from, item.ty, item.span);
                        }
                    }
                }
                InitValue::String(s) => {
                    self.init_string(&mut batch, &part, *s, item.ty, init.zero_rest, span);
                }
            }
        }
        self.commit(batch, span);
    }

    /// `int x = f();`: the call writes the variable.
    fn init_by_call(&mut self, part: &At, e: &Expr) -> bool {
        let ExprKind::Call { callee, args } = &e.kind else {
            return false;
        };
        let Some(var) = self.plain_var(part) else {
            return false;
        };
        let v = self.call(e, callee, args, Want::Into(var));
        let t = self.settle(v, e.span);
        self.b.assign(vec![(var, t)], e.span);
        true
    }

    fn init_string(
        &mut self,
        batch: &mut Batch,
        at: &At,
        s: StringId,
        ty: TypeId,
        zeroed: bool,
        span: Span,
    ) {
        let types = &self.unit.types;
        let Some(element) = types.element(ty) else {
            return;
        };
        let (Some(scalar), Some(size), Some(total)) = (
            scalar_of(types, element),
            types.size_of(element),
            types.size_of(ty),
        ) else {
            return;
        };
        let units = self.unit.strings[s].units.clone();
        let count = total / size.max(1);
        let whole = at.bit == 0 && matches!(&at.base, Base::Split(x, _) if x.slots.len() == 1);
        let mut zeroed = zeroed;
        if whole && !zeroed {
            self.zero(batch, at, &FxHashSet::default(), span);
            zeroed = true;
        }
        let unit = |i: u64| units.get(i as usize).copied().unwrap_or(0);
        // Units up to here are part of a wider cell, and of which region it is.
        let mut inside: (u64, Option<RegionId>) = (0, None);
        for i in 0..count {
            let part = at.part(i * size * 8, scalar);
            let mut region = None;
            if let Base::Memory { cell, .. } = &part.base {
                // Cells nobody accesses have no region.
                region = self.memory.region((cell.0, cell.1 + part.bit));
                if region.is_none() {
                    if i > 1 << 16 {
                        break;
                    }
                    continue;
                }
            }
            if i < inside.0 && region == inside.1 {
                continue;
            }
            let wide = region.and_then(|r| self.wide_cell(r, scalar));
            if let Some((whole, units)) = wide.filter(|(_, n)| i + n <= count) {
                let number = (0..units).rev().fold(IBig::ZERO, |sum, k| {
                    (sum << scalar.bits as usize) + IBig::from(unit(i + k))
                });
                inside = (i + units, region);
                if number == IBig::ZERO && zeroed {
                    continue;
                }
                let value = self.pool.int(Rational::from(number));
                let value = self.wrap_to(value, whole);
                let part = at.part(i * size * 8, whole);
                self.write_in(batch, &part, value);
                continue;
            }
            if unit(i) == 0 && zeroed {
                continue;
            }
            let value = self.pool.int(unit(i));
            let value = self.wrap_to(value, scalar);
            self.write_constant(batch, &part, value);
        }
    }

    /// The cells of a region if they are integers wider than the units, and how many units they are.
    fn wide_cell(&self, region: RegionId, unit: Scalar) -> Option<(Scalar, u64)> {
        let cell = self.memory.regions[region.index()].scalar?;
        let wide = cell.bits > unit.bits && cell.bits.is_multiple_of(unit.bits);
        let number = match cell.kind {
            // An address is wider than what is stored of it: the number becomes one where it is written.
            ScalarKind::Pointer => Scalar {
                bits: cell.bits,
                ..Scalar::BYTE
            },
            ScalarKind::Int => cell,
            _ => return None,
        };
        wide.then_some((number, u64::from(cell.bits / unit.bits)))
    }

    /// Writes a number where the program may look at its bytes only.
    fn write_constant(&mut self, batch: &mut Batch, part: &At, value: TermId) {
        let bits = part.scalar.map_or(8, |s| s.bits);
        let bytes = match &part.base {
            Base::Memory { cell, .. }
                if bits > 8 && bits.is_multiple_of(8) && part.bit % 8 == 0 =>
            {
                let region = self.memory.region((cell.0, cell.1 + part.bit));
                let scalar = region.and_then(|r| self.memory.regions[r.index()].scalar);
                scalar.is_some_and(|s| s.bits == 8)
            }
            _ => false,
        };
        let number = self.pool.as_number(value).and_then(Rational::to_integer);
        let Some(number) = number.filter(|_| bytes) else {
            self.write_in(batch, part, value);
            return;
        };
        for i in 0..bits / 8 {
            let byte = (&number >> (8 * i as usize)) & IBig::from(255);
            let byte = self.pool.int(Rational::from(byte));
            let place = part.part(u64::from(8 * i), Scalar::BYTE);
            let Base::Memory { cell, .. } = &place.base else {
                continue;
            };
            // Bytes nobody accesses have no region.
            if self.memory.region((cell.0, cell.1 + place.bit)).is_some() {
                self.write_in(batch, &place, byte);
            }
        }
    }

    /// All static objects get their initial values; allocation starts behind them.
    pub(in crate::c) fn global_initialisers(&mut self) {
        let unit = self.unit;
        let mut batch = Batch::default();
        let allocates = self
            .memory
            .points
            .objects
            .iter()
            .any(|o| matches!(o.kind, ObjectKind::Heap(_)))
            || self
                .memory
                .addresses
                .values()
                .any(|a| *a == Address::Dynamic);
        if allocates {
            let top = self.alloc_top();
            let heap = self.pool.int(self.memory.heap);
            batch.set(top, heap);
        }
        self.safety_start(&mut batch);
        // Regions of static objects only start as all zero.
        let mut zeroed = FxHashSet::default();
        for i in 0..self.memory.regions.len() {
            let region = &self.memory.regions[i];
            if region.cells.is_none() && region.only_static {
                let id = super::super::memory::regions::RegionId::from_index(i);
                if let RegionVars::Array(v) = self.region_vars(id) {
                    let zero = self.zero_array(v);
                    batch.set(v, zero);
                    zeroed.insert(v);
                }
            }
        }
        // Objects found last first: literals before what copies them.
        for g in self.reach.globals.clone().into_iter().rev() {
            let global = &unit.globals[g];
            if !global.defined {
                self.b.note(
                    global.span,
                    format!("extern object `{}` has any value", global.name),
                );
                let (ty, span) = (global.ty, global.span);
                if is_of_library(&global.name)
                    && let Some(scalar) = scalar_of(&unit.types, ty)
                {
                    let at = self.object_at(ObjectKey::Global(g), span);
                    let value = self.any(scalar, program::InputKind::Approximation, span);
                    self.write_in(&mut batch, &at, value);
                }
                continue;
            }
            let at = self.object_at(ObjectKey::Global(g), global.span);
            self.zero(&mut batch, &at, &zeroed, global.span);
            if let Some(init) = &global.init {
                let simple = init.items.iter().all(|i| match &i.value {
                    InitValue::Expr(e) => scalar_of(&unit.types, e.ty).is_some(),
                    InitValue::String(_) => true,
                });
                if !simple {
                    let done = std::mem::take(&mut batch);
                    self.commit(done, global.span);
                }
                batch = self.init_static(batch, &at, init, global.span);
            }
        }
        for s in self.reach.strings.clone() {
            let key = ObjectKey::String(s);
            let literal = &unit.strings[s];
            let at = self.object_at(key, literal.span);
            self.init_string(&mut batch, &at, s, literal.ty, false, literal.span);
        }
        self.commit(batch, Span::unknown());
    }

    /// The texts of the program's literals, each once.
    pub(super) fn texts(&self) -> Vec<Vec<u8>> {
        let mut out: Vec<Vec<u8>> = Vec::new();
        for s in &self.reach.strings {
            let units = self.unit.strings[*s].units.iter();
            let bytes = units.take_while(|u| **u != 0).map(|u| u8::try_from(*u));
            let Ok(text) = bytes.collect::<Result<Vec<u8>, _>>() else {
                continue;
            };
            if out.len() < MOST_TEXTS && text.len() <= LONGEST_TEXT && !out.contains(&text) {
                out.push(text);
            }
        }
        out
    }

    /// Like [`Self::init_items`], all in one batch where possible.
    fn init_static(&mut self, mut batch: Batch, at: &At, init: &Init, span: Span) -> Batch {
        for item in &init.items {
            let (bit, scalar) = item_bits(self.unit, item);
            let part = At {
                bit: at.bit + bit,
                ty: item.ty,
                scalar,
                ..at.clone()
            };
            match (&item.value, scalar) {
                (InitValue::Expr(e), Some(s)) => {
                    let t = self.term(e);
                    let t = self.wrap_to(t, s);
                    self.write_constant(&mut batch, &part, t);
                }
                (InitValue::Expr(e), None) => {
                    let done = std::mem::take(&mut batch);
                    self.commit(done, span);
                    let from = self.aggregate(e);
                    self.copy(&part, &from, item.ty, span);
                }
                (InitValue::String(s), _) => {
                    self.init_string(&mut batch, &part, *s, item.ty, true, span);
                }
            }
        }
        batch
    }
}
