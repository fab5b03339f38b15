//! Memory safety as ghost state: which objects live, how large they are, which are from the heap.
//!
//! Only with a memory property are objects given aligned blocks of a fixed power of two; then the
//! block number of an address names the object, and one array from block to size says what is
//! valid. Without such a property none of this exists.
//!
//! ```text
//!   p valid for n bytes  iff  p mod B + n <= size[p div B]       (size is 0 where nothing lives)
//! ```
//! A limit, said as an assumption where it is not known to hold: objects are smaller than a block. Locals live until control leaves
//! their block (`lifetime`).
//! Leaks are another file's business (`leaks`).

use super::super::hir::visit::{self, Visitor};
use super::super::hir::{self, Place, Unit};
use super::super::memory::constraints::{ObjectKind, PointsTo};
use super::super::memory::regions::{Address, is_constant};
use super::super::memory::unify::{Cell, NodeId};
use super::super::types::{DataModel, TypeId};
use super::access::Batch;
use super::place::At;
use super::reach::{ObjectKey, Reach, root};
use super::scalar::{Scalar, ScalarKind};
use super::{Lower, LowerOptions};
use crate::builder::VarSpec;
use logic::{Op, Rational, SortId, TermId};
use program::{
    Access, AccessKind, ErrorTag, InputKind, ObjectName, Program, Property, Span, Stmt, VarId,
    VarKind,
};

/// The ghost variables.
#[derive(Clone, Copy, Debug)]
pub(in crate::c) struct Safety {
    pub(in crate::c) block: u64,
    /// Bytes of the object in a block, 0 where none lives.
    pub(in crate::c) size: VarId,
    /// 1 where the block's object was allocated and not freed.
    pub(in crate::c) heap: VarId,
    /// Allocated objects not yet freed.
    pub(in crate::c) live: VarId,
    /// Where a string in the block may end, if models of the library are called: never trusted.
    pub(in crate::c) end: Option<VarId>,
}

impl Safety {
    pub(in crate::c) fn size(self) -> VarId {
        self.size
    }
}

/// Does a property need the objects?
pub(in crate::c) fn is_checked(options: &LowerOptions) -> bool {
    options.properties.iter().any(|p| p.needs_objects())
}

/// How large objects may be. Large blocks cost addresses, so they are for programs that need them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::c) enum Room {
    Usual,
    /// Whatever a machine has addresses for.
    AnySize,
}

/// Assumed only to find out that it would have to be.
const TOO_LARGE: &str = "no object is larger than its block";

/// Were blocks too small for an object of any size?
pub(in crate::c) fn needs_room(program: &Program) -> bool {
    let mut assumed = program.assumptions.iter();
    assumed.any(|a| a.message == TOO_LARGE)
}

/// The block size, if a memory property is checked or the program has `predicates` about memory.
pub(in crate::c) fn block_size(
    unit: &Unit,
    options: &LowerOptions,
    points: &PointsTo,
    predicates: bool,
    integers: bool,
    room: Room,
) -> Option<u64> {
    let checked = is_checked(options);
    if !checked && !predicates {
        return None;
    }
    let largest = points.objects.iter().filter_map(|o| o.size).max();
    let needed = (largest.unwrap_or(0) + 128).next_power_of_two();
    Some(match unit.types.model {
        // Addresses that become integers stay small; others have room for every size there is.
        DataModel::Ilp32 if integers && room == Room::Usual => needed.clamp(1 << 18, 1 << 30),
        DataModel::Ilp32 => 1 << 33,
        // No object of a real machine is larger than its address space, which has 47 bits.
        DataModel::Lp64 if !checked || room == Room::AnySize => needed.clamp(1 << 48, 1 << 60),
        DataModel::Lp64 => needed.clamp(1 << 40, 1 << 60),
    })
}

/// Does the program look at addresses as numbers?
struct Integers(bool);

impl<'h> Visitor<'h> for Integers {
    fn expr(&mut self, e: &'h hir::Expr) {
        self.0 |= matches!(e.kind, hir::ExprKind::Cast(hir::CastKind::PointerToInt, _));
    }
}

pub(in crate::c) fn makes_integers(unit: &Unit, reach: &Reach, points: &PointsTo) -> bool {
    let mut found = Integers(false);
    for &f in &reach.functions {
        if let Some(body) = &unit.functions[f].body {
            visit::shared::block(&mut found, &body.block);
        }
    }
    for &g in &reach.globals {
        if let Some(init) = &unit.globals[g].init {
            visit::shared::init(&mut found, init);
        }
    }
    let graph = &points.graph;
    let parts = |root| {
        let accesses: Vec<_> = graph.root_data(root).accesses.iter().copied().collect();
        let overlap = |a: &(i64, Scalar), b: &(i64, Scalar)| {
            a.0 < b.0 + i64::from(b.1.bits) && b.0 < a.0 + i64::from(a.1.bits)
        };
        let pointer = |a: &(i64, Scalar)| a.1.kind == ScalarKind::Pointer;
        let pointers = accesses.iter().filter(|a| pointer(a));
        let mut pairs = pointers.flat_map(|a| accesses.iter().map(move |b| (a, b)));
        pairs.any(|(a, b)| a != b && overlap(a, b))
    };
    let roots = 0..graph.node_count() as NodeId;
    found.0 || roots.into_iter().any(|r| graph.is_root(r) && parts(r))
}

impl Lower<'_> {
    pub(in crate::c) fn ghost(&mut self, name: &str, sort: SortId) -> VarId {
        self.b.var(
            self.pool,
            VarSpec {
                name,
                sort,
                range: None,
                kind: VarKind::Global,
                source_name: None,
                source_type: None,
                span: Span::unknown(),
            },
        )
    }

    pub(in crate::c) fn make_safety(&mut self, block: u64) -> Safety {
        let int = self.pool.int_sort();
        let array = self.pool.array_sort(int, int);
        Safety {
            block,
            size: self.ghost("obj.size", array),
            heap: self.ghost("obj.heap", array),
            live: self.ghost("heap.live", int),
            end: self.hints().then(|| self.ghost("obj.end", array)),
        }
    }

    /// At the start only static objects live.
    pub(in crate::c) fn safety_start(&mut self, batch: &mut Batch) {
        let Some(s) = self.safety else { return };
        let zero = self.pool.int(0);
        let sort = self.b.vars[s.size].sort;
        let mut sizes = self.pool.const_array(sort, zero);
        let empty = sizes;
        for i in 0..self.memory.points.objects.len() {
            let object = self.memory.points.objects[i];
            let ObjectKind::Declared(key) = object.kind else {
                continue;
            };
            if matches!(key, ObjectKey::Local(_)) {
                continue;
            }
            if let Some(&Address::Fixed(a)) = self.memory.addresses.get(&key) {
                let index = self.pool.int(a / s.block);
                let size = self.pool.int(object.size.unwrap_or(s.block - 1));
                sizes = self.pool.store(sizes, index, size);
            }
        }
        self.describe_memory(s);
        batch.set(s.size, sizes);
        batch.set(s.heap, empty);
        batch.set(s.live, zero);
        if let Some(end) = s.end {
            let ends = self.first_hints(s, empty);
            batch.set(end, ends);
        }
    }

    /// Says how memory is laid out, for explanations of violations.
    fn describe_memory(&mut self, s: Safety) {
        let mut objects = std::collections::BTreeMap::new();
        for object in &self.memory.points.objects {
            if let ObjectKind::Declared(key) = object.kind
                && let Some(&Address::Fixed(a)) = self.memory.addresses.get(&key)
            {
                let (_, name, span) = self.object_name(key);
                let local = matches!(key, ObjectKey::Local(_));
                let name = ObjectName { name, span, local };
                objects.insert(a / s.block, name);
            }
        }
        let memory = &mut self.b.memory;
        memory.block = s.block;
        memory.size = Some(self.b.vars[s.size].term);
        memory.heap = Some(self.b.vars[s.heap].term);
        memory.objects = objects;
    }

    /// Block number and offset of an address.
    pub(in crate::c) fn block_of(&mut self, s: Safety, address: TermId) -> (TermId, TermId) {
        let block = self.pool.int(s.block);
        let number = self.pool.int_div(address, block);
        let start = self.pool.mul_const(&Rational::from(s.block), number);
        let offset = self.pool.sub(address, start);
        (number, offset)
    }

    /// Says that the bytes from the address on lie in a living object.
    pub(in crate::c) fn bytes_valid(
        &mut self,
        s: Safety,
        address: TermId,
        bytes: TermId,
    ) -> TermId {
        let (number, offset) = self.block_of(s, address);
        let sizes = self.var_term(s.size);
        let size = self.pool.select(sizes, number);
        let end = self.pool.add2(offset, bytes);
        self.pool.le(end, size)
    }

    /// Says that the object of the block was allocated and not freed.
    pub(in crate::c) fn allocated(&mut self, s: Safety, number: TermId) -> TermId {
        let heaps = self.var_term(s.heap);
        let (mark, one) = (self.pool.select(heaps, number), self.pool.int(1));
        self.pool.eq(mark, one)
    }

    /// The bytes from the address on lie in a living object.
    pub(in crate::c) fn check_bytes(
        &mut self,
        address: TermId,
        bytes: TermId,
        kind: AccessKind,
        target: Option<Cell>,
        span: Span,
    ) {
        let Some(s) = self.safety.filter(|_| is_checked(self.options)) else {
            return;
        };
        let fits = self.bytes_valid(s, address, bytes);
        // Nothing is accessed by a length of zero.
        let zero = self.pool.int(0);
        let none = self.pool.le(bytes, zero);
        let valid = self.pool.or2(none, fits);
        if self.checks(Property::ValidDeref) {
            let access = Access {
                kind,
                value: address,
                extent: Some(bytes),
            };
            let message = "invalid dereference";
            self.check_of(valid, Property::ValidDeref, message, span, access);
        } else {
            self.require(valid, span);
        }
        if kind == AccessKind::Write && self.may_be_constant(target) {
            // Constants lie below everything else.
            let first = self.pool.int(self.memory.writable);
            let apart = self.pool.le(first, address);
            let fine = self.pool.or2(none, apart);
            if self.checks(Property::ValidDeref) {
                let message = "a constant or string literal is written";
                self.check(fine, Property::ValidDeref, message, span);
            } else {
                self.require(fine, span);
            }
        }
    }

    /// A place that names its object is not in a constant: only a cast makes such a place one to assign to.
    pub(in crate::c) fn check_writable(&mut self, place: &Place, span: Span) {
        if self.safety.is_none() || self.frame.library || !self.checks(Property::ValidDeref) {
            return;
        }
        let constant = |key| is_constant(self.unit, ObjectKind::Declared(key));
        if root(self.unit, place).is_some_and(constant) {
            let (never, message) = (self.pool.ff(), "a constant or string literal is written");
            self.check(never, Property::ValidDeref, message, span);
        }
    }

    /// May the pointer point to an object that must not be written?
    fn may_be_constant(&mut self, target: Option<Cell>) -> bool {
        let Some(target) = target else {
            return false;
        };
        let (root, _) = self.memory.points.graph.find(target);
        let points = &self.memory.points;
        let mut objects = points.graph.root_data(root).objects.iter();
        objects.any(|&(o, _)| is_constant(self.unit, points.objects[o as usize].kind))
    }

    pub(in crate::c) fn check_access(&mut self, at: &At, scalar: Scalar, kind: AccessKind) {
        if self.safety.is_none() || !at.deref || self.frame.library {
            return;
        }
        let address = self.address_of(at);
        let last = at.bit.rem_euclid(8) as u32 + scalar.bits;
        let bytes = self.pool.int(last.div_ceil(8));
        self.check_bytes(address, bytes, kind, at.cell(), at.span);
    }

    /// An index of a declared array lies inside it.
    pub(in crate::c) fn check_index(&mut self, index: TermId, length: Option<u64>, span: Span) {
        let (Some(n), true) = (length, self.safety.is_some()) else {
            return;
        };
        if self.checks(Property::ValidDeref) && !self.frame.library {
            let high = Rational::from(n as i64 - 1);
            let inside = self.pool.in_range(&Rational::ZERO, index, &high);
            let access = Access {
                kind: AccessKind::Index,
                value: index,
                extent: Some(self.pool.int(n)),
            };
            let message = "index out of bounds";
            self.check_of(inside, Property::ValidDeref, message, span, access);
        }
    }

    /// A value of the type is copied from or to the place as a whole, padding too.
    pub(in crate::c) fn check_whole(&mut self, at: &At, ty: TypeId, kind: AccessKind) {
        let Some(size) = self.unit.types.size_of(ty) else {
            return;
        };
        if self.safety.is_some() && at.deref && !self.frame.library && size > 0 {
            let (address, bytes) = (self.address_of(at), self.pool.int(size));
            self.check_bytes(address, bytes, kind, at.cell(), at.span);
        }
    }

    /// A new object of `size` bytes, aligned; its address goes to `base`.
    pub(in crate::c) fn allocate(
        &mut self,
        base: VarId,
        size: TermId,
        align: u64,
        heap: bool,
        span: Span,
    ) {
        let top = self.alloc_top();
        let t = self.var_term(top);
        self.b.assumption(span, "memory does not run out");
        let Some(s) = self.safety else {
            if self.pool.as_number(size).is_none() {
                // No object is larger than half of the addresses, whatever `malloc` says.
                let most = self.address_space();
                let fits = self
                    .pool
                    .in_range(&Rational::ZERO, size, &Rational::from(most));
                self.b.assume(self.pool, fits, span);
            }
            // Addresses given out are multiples of 16, if anybody looks.
            let address = match align > 16 && self.integers {
                true => self.rounded(t, align),
                false => t,
            };
            let taken = match self.pool.as_number(size).and_then(Rational::to_i64) {
                Some(n) => self.pool.int((n.max(0) as u64).next_multiple_of(16) + 16),
                None => {
                    let gap = self.pool.int(16);
                    let size = match self.integers {
                        true => self.rounded(size, 16),
                        false => size,
                    };
                    self.pool.add2(size, gap)
                }
            };
            let next = self.pool.add2(address, taken);
            self.b.assign(vec![(base, address), (top, next)], span);
            return;
        };
        // Sound because the heap gives no object that is larger than the address space: see `new_memory`.
        let any_size = s.block - 64 > self.address_space();
        let fits = heap && any_size || self.is_small(size, s.block - 64, heap);
        if !fits {
            let message = match any_size {
                true => "the stack does not overflow",
                false => TOO_LARGE,
            };
            self.b.assumption(span, message);
            let limit = Rational::from(s.block - 64);
            let fits = self.pool.in_range(&Rational::ZERO, size, &limit);
            self.b.assume(self.pool, fits, span);
        }
        let block = self.pool.int(s.block);
        let next = self.pool.add2(t, block);
        let (number, _) = self.block_of(s, t);
        let sizes = self.var_term(s.size);
        let sizes = self.pool.store(sizes, number, size);
        let mut pairs = vec![(base, t), (top, next), (s.size, sizes)];
        if heap {
            let (one, heaps, live) = (
                self.pool.int(1),
                self.var_term(s.heap),
                self.var_term(s.live),
            );
            pairs.push((s.heap, self.pool.store(heaps, number, one)));
            pairs.push((s.live, self.pool.add2(live, one)));
        }
        self.b.assign(pairs, span);
    }

    /// The bytes that all objects of a machine have together.
    pub(in crate::c) fn address_space(&self) -> u64 {
        match self.unit.types.model {
            DataModel::Ilp32 => 1 << 31,
            DataModel::Lp64 => 1 << 47,
        }
    }

    /// Is a size at most `most`? That of an object of the heap is no larger than the address space.
    fn is_small(&mut self, size: TermId, most: u64, heap: bool) -> bool {
        let most = i128::from(most);
        if self.ranges.within(self.pool, size, Some((0, most))) {
            return true;
        }
        // Sound because what wraps around from below zero is larger than the address space.
        match (self.pool.op(size), self.pool.args(size)) {
            (Op::Wrap { bits: 64, .. }, &[t]) if heap => {
                let low = -(1i128 << 62);
                self.ranges.within(self.pool, t, Some((low, most)))
            }
            _ => false,
        }
    }

    /// The next multiple of a power of two.
    fn rounded(&mut self, t: TermId, align: u64) -> TermId {
        let more = self.pool.int(align - 1);
        let t = self.pool.add2(t, more);
        let by = self.pool.int(align);
        let number = self.pool.int_div(t, by);
        self.pool.mul_const(&Rational::from(align), number)
    }

    /// The object ends; it must be allocated, living, and the pointer at its start.
    pub(in crate::c) fn free(&mut self, pointer: TermId, span: Span) {
        let Some(s) = self.safety else { return };
        let (zero, one) = (self.pool.int(0), self.pool.int(1));
        let null = self.pool.eq(pointer, zero);
        let (number, offset) = self.block_of(s, pointer);
        let (heaps, sizes, live) = (
            self.var_term(s.heap),
            self.var_term(s.size),
            self.var_term(s.live),
        );
        let mark = self.pool.select(heaps, number);
        let parts = [self.pool.eq(mark, one), self.pool.eq(offset, zero)];
        let fine = self.pool.and(&parts);
        let (skip, go) = self.b.branch(self.pool, null, span);
        self.b.at = go;
        if self.checks(Property::ValidFree) {
            let access = Access {
                kind: AccessKind::Free,
                value: pointer,
                extent: None,
            };
            self.check_of(fine, Property::ValidFree, "invalid free", span, access);
        } else if is_checked(self.options) {
            self.require(fine, span);
        }
        let mut pairs = vec![
            (s.heap, self.pool.store(heaps, number, zero)),
            (s.live, self.pool.sub(live, one)),
        ];
        // Where accesses are not checked, one after the end is not the end of the execution.
        if self.checks(Property::ValidDeref) || !is_checked(self.options) {
            pairs.push((s.size, self.pool.store(sizes, number, zero)));
        }
        self.b.assign(pairs, span);
        self.b.edge(self.b.at, skip, Stmt::Skip, span);
        self.b.at = skip;
    }

    /// A local at a fixed address begins to live.
    pub(in crate::c) fn local_begins(&mut self, address: u64, ty: TypeId, span: Span) {
        let Some(s) = self.safety else { return };
        let size = self.unit.types.size_of(ty).unwrap_or(s.block - 1);
        let (index, size) = (self.pool.int(address / s.block), self.pool.int(size));
        let sizes = self.var_term(s.size);
        let stored = self.pool.store(sizes, index, size);
        self.b.assign(vec![(s.size, stored)], span);
    }

    /// The function returns: its locals end; from the entry function, so does the heap.
    pub(in crate::c) fn locals_end(&mut self, f: hir::FuncId, entry: bool, span: Span) {
        let Some(s) = self.safety else { return };
        let mut sizes = self.var_term(s.size);
        for i in 0..self.memory.points.objects.len() {
            let object = self.memory.points.objects[i];
            if let ObjectKind::Declared(ObjectKey::Local(l)) = object.kind
                && self.unit.locals[l].function == f
            {
                sizes = self.without_object(s, sizes, l);
            }
        }
        sizes = self.without_stacked(s, sizes);
        self.b.assign(vec![(s.size, sizes)], span);
        if entry {
            self.heap_ends(s, span);
        }
    }

    /// The sizes without an object of the function at hand.
    pub(in crate::c) fn without_object(
        &mut self,
        s: Safety,
        sizes: TermId,
        l: hir::LocalId,
    ) -> TermId {
        if !self.checks(Property::ValidDeref) {
            return sizes;
        }
        let zero = self.pool.int(0);
        let number = match self.memory.addresses.get(&ObjectKey::Local(l)) {
            Some(&Address::Fixed(a)) => self.pool.int(a / s.block),
            Some(Address::Dynamic) => match self.frame.bases.get(&l) {
                Some(&base) => {
                    let address = self.var_term(base);
                    self.block_of(s, address).0
                }
                None => return sizes,
            },
            _ => return sizes,
        };
        self.pool.store(sizes, number, zero)
    }

    /// A pointer that passed its check but hits none of the cells that are modelled for it: what it does
    /// is not known, so such an execution is not assumed away.
    pub(in crate::c) fn perhaps_elsewhere(&mut self, hit: TermId, span: Span) {
        if self.safety.is_some() && self.checks(Property::ValidDeref) && !self.frame.library {
            let message = "a pointer may leave the objects known for it";
            self.perhaps(hit, Property::ValidDeref, message, span);
        }
    }

    pub(super) fn perhaps(&mut self, fine: TermId, property: Property, message: &str, span: Span) {
        if fine == self.pool.tt() {
            return;
        }
        let t = self.any(Scalar::FLAG, InputKind::Approximation, span);
        let one = self.pool.int(1);
        let doubt = self.pool.eq(t, one);
        let bad = self.pool.not(fine);
        let bad = self.pool.and2(bad, doubt);
        let tag = ErrorTag {
            property,
            span,
            message: message.into(),
        };
        self.b.error_if(self.pool, bad, tag);
    }
}
