//! Memory safety as ghost state: which objects live, how large they are, which are from the heap.
//!
//! Only with a memory property are objects given aligned blocks of a fixed power of two; then the
//! block number of an address names the object, and one array from block to size says what is
//! valid. Without such a property none of this exists.
//!
//! ```text
//!   p valid for n bytes  iff  p mod B + n <= size[p div B]       (size is 0 where nothing lives)
//! ```
//! A limit, said as an assumption: objects are smaller than a block. Locals live until control leaves
//! their block (`lifetime`).
//!
//! Memory is leaked when nothing that lives points to it any more. What is still allocated when
//! the entry function returns is, if no static object points to the heap. Where one does, at
//! `exit`, and in loops without a way out, it may be or not: such an error is reached only by an
//! approximated choice, so that it prevents a proof but never counts as one.

use super::super::hir::{self, Unit};
use super::super::memory::constraints::{ObjectKind, PointsTo};
use super::super::memory::regions::Address;
use super::super::memory::unify::NodeId;
use super::super::types::{DataModel, Type, TypeId};
use super::access::Batch;
use super::place::At;
use super::reach::{ObjectKey, Reach};
use super::scalar::{Scalar, ScalarKind, leaves, scalar_of};
use super::walk::{self, Visitor};
use super::{Lower, LowerOptions};
use crate::builder::VarSpec;
use base::{FxHashMap, FxHashSet};
use logic::{Rational, SortId, TermId};
use program::{
    Access, AccessKind, ErrorTag, InputKind, LocId, ObjectName, Property, Span, Stmt, VarId,
    VarKind,
};

/// Static values that are looked at for pointers to the heap.
const MOST_STATICS: usize = 256;

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

/// The block size, if a memory property is checked or the program has `predicates` about memory.
pub(in crate::c) fn block_size(
    unit: &Unit,
    reach: &Reach,
    options: &LowerOptions,
    points: &PointsTo,
    predicates: bool,
) -> Option<u64> {
    let checked = is_checked(options);
    if !checked && !predicates {
        return None;
    }
    let largest = points.objects.iter().filter_map(|o| o.size).max();
    let needed = (largest.unwrap_or(0) + 128).next_power_of_two();
    Some(match unit.types.model {
        // Addresses that become integers stay small; others have room for every size there is.
        DataModel::Ilp32 if makes_integers(unit, reach, points) => needed.clamp(1 << 18, 1 << 30),
        DataModel::Ilp32 => 1 << 33,
        // No object of a real machine is larger than its address space, which has 47 bits.
        DataModel::Lp64 if !checked => needed.clamp(1 << 48, 1 << 60),
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

fn makes_integers(unit: &Unit, reach: &Reach, points: &PointsTo) -> bool {
    let mut found = Integers(false);
    for &f in &reach.functions {
        if let Some(body) = &unit.functions[f].body {
            walk::block(&mut found, &body.block);
        }
    }
    for &g in &reach.globals {
        if let Some(init) = &unit.globals[g].init {
            walk::init(&mut found, init);
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
    }

    pub(in crate::c) fn check_access(&mut self, at: &At, scalar: Scalar, kind: AccessKind) {
        if self.safety.is_none() || !at.deref || self.frame.library {
            return;
        }
        let address = self.address_of(at);
        let last = at.bit.rem_euclid(8) as u32 + scalar.bits;
        let bytes = self.pool.int(last.div_ceil(8));
        self.check_bytes(address, bytes, kind, at.span);
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
            self.check_bytes(address, bytes, kind, at.span);
        }
    }

    /// A new object of `size` bytes; its address goes to `base`.
    pub(in crate::c) fn allocate(&mut self, base: VarId, size: TermId, heap: bool, span: Span) {
        let top = self.alloc_top();
        let t = self.var_term(top);
        self.b.assumption(span, "memory does not run out");
        let Some(s) = self.safety else {
            if self.pool.as_number(size).is_none() {
                // No object is larger than half of the addresses, whatever `malloc` says.
                let most = match self.unit.types.model {
                    DataModel::Ilp32 => 1u64 << 31,
                    DataModel::Lp64 => 1 << 47,
                };
                let fits = self
                    .pool
                    .in_range(&Rational::ZERO, size, &Rational::from(most));
                self.b.assume(self.pool, fits, span);
            }
            let next = match self.pool.as_number(size).and_then(Rational::to_i64) {
                Some(n) => {
                    let n = (n.max(0) as u64).next_multiple_of(16) + 16;
                    let n = self.pool.int(n);
                    self.pool.add2(t, n)
                }
                None => {
                    let gap = self.pool.int(16);
                    self.pool.add(&[t, size, gap])
                }
            };
            self.b.assign(vec![(base, t), (top, next)], span);
            return;
        };
        self.b.assumption(
            span,
            "allocated objects are smaller than a block of addresses",
        );
        let limit = Rational::from(s.block - 64);
        let fits = self.pool.in_range(&Rational::ZERO, size, &limit);
        self.b.assume(self.pool, fits, span);
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
        self.b.assign(vec![(s.size, sizes)], span);
        if entry && self.checks(Property::ValidMemcleanup) {
            let none = self.nothing_lives(s);
            let message = "memory is still allocated at the end";
            self.check(none, Property::ValidMemcleanup, message, span);
        }
        if entry && self.checks(Property::ValidMemtrack) {
            let none = self.nothing_lives(s);
            match self.static_pointers() {
                // Nothing static points to the heap: what lives there is lost.
                Some(pointers) => {
                    let mut held = vec![none];
                    for at in pointers {
                        let value = self.read(&at);
                        let value = self.settle(value, span);
                        let (number, _) = self.block_of(s, value);
                        let heaps = self.var_term(s.heap);
                        let mark = self.pool.select(heaps, number);
                        let one = self.pool.int(1);
                        held.push(self.pool.eq(mark, one));
                    }
                    let doubtful = held.len() > 1;
                    let held = self.pool.or(&held);
                    self.check(held, Property::ValidMemtrack, "memory is leaked", span);
                    if doubtful {
                        self.perhaps_leaked(none, span);
                    }
                }
                None => self.perhaps_leaked(none, span),
            }
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

    /// No allocated object lives: the count is zero, or (the same, but what facts about any object
    /// show) no block is marked. Proofs take whichever is at hand.
    fn nothing_lives(&mut self, s: Safety) -> TermId {
        let (live, heaps, zero) = (
            self.var_term(s.live),
            self.var_term(s.heap),
            self.pool.int(0),
        );
        let sort = self.b.vars[s.heap].sort;
        let empty = self.pool.const_array(sort, zero);
        let (none, unmarked) = (self.pool.eq(live, zero), self.pool.eq(heaps, empty));
        self.pool.or2(none, unmarked)
    }

    /// Everything that outlives the entry function and can hold a pointer, unless it is too much.
    fn static_pointers(&mut self) -> Option<Vec<At>> {
        let width = self.unit.types.pointer_size() as u32 * 8;
        let globals: Vec<_> = self.reach.globals.to_vec();
        let mut out = Vec::new();
        for g in globals {
            let ty = self.unit.globals[g].ty;
            let narrow = self.unit.types.element(ty);
            let narrow = narrow.and_then(|e| scalar_of(&self.unit.types, e));
            if narrow.is_some_and(|s| s.bits < width) {
                continue;
            }
            // A pointer may lie under another member of a union, as bytes.
            if self.has_union(ty) {
                return None;
            }
            let all = leaves(&self.unit.types, ty, MOST_STATICS)?;
            let span = self.unit.globals[g].span;
            let at = self.object_at(ObjectKey::Global(g), span);
            for leaf in all.iter().filter(|l| l.scalar.bits >= width) {
                let part = at.part(leaf.bit, leaf.scalar);
                // What nobody reads or writes holds no pointer to the heap.
                if self.is_modelled(&part) {
                    out.push(part);
                }
            }
            if out.len() > MOST_STATICS {
                return None;
            }
        }
        Some(out)
    }

    fn has_union(&self, ty: TypeId) -> bool {
        match *self.unit.types.get(ty) {
            Type::Array(element, _) => self.has_union(element),
            Type::Record(r) => {
                let record = &self.unit.types.records[r];
                record.is_union || record.fields.iter().any(|f| self.has_union(f.ty))
            }
            _ => false,
        }
    }

    /// A violation unless the condition holds, or none: nobody can say.
    fn perhaps_leaked(&mut self, none: TermId, span: Span) {
        let property = Property::ValidMemtrack;
        self.perhaps(none, property, "memory may be leaked", span);
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

    /// The program ends here without returning from the entry function.
    pub(in crate::c) fn ends(&mut self, span: Span) {
        if let (Some(s), true) = (self.safety, self.checks(Property::ValidMemcleanup)) {
            let none = self.nothing_lives(s);
            let message = "memory may be allocated when the program is ended";
            self.perhaps(none, Property::ValidMemcleanup, message, span);
        }
        if let (Some(s), true) = (self.safety, self.checks(Property::ValidMemtrack)) {
            let none = self.nothing_lives(s);
            self.perhaps_leaked(none, span);
        }
        self.b.stop(span);
    }

    /// Memory may be lost on the way into a loop that is never left. `first`: the function's edges
    /// begin here.
    pub(in crate::c) fn endless_leaks(&mut self, first: usize) {
        let (Some(s), true) = (self.safety, self.checks(Property::ValidMemtrack)) else {
            return;
        };
        let (entry, exit) = {
            let f = &self.b.functions[self.b.func];
            (f.entry, f.exit)
        };
        let edges: Vec<(LocId, LocId)> = self
            .b
            .edges
            .iter()
            .skip(first)
            .map(|e| (e.from, e.to))
            .collect();
        let mut into: FxHashMap<LocId, Vec<LocId>> = FxHashMap::default();
        let mut out: FxHashMap<LocId, Vec<LocId>> = FxHashMap::default();
        for &(from, to) in &edges {
            into.entry(to).or_default().push(from);
            out.entry(from).or_default().push(to);
        }
        let mut leaves_it: FxHashSet<LocId> = FxHashSet::default();
        let mut stack = vec![exit];
        while let Some(l) = stack.pop() {
            if leaves_it.insert(l) {
                stack.extend(into.get(&l).into_iter().flatten());
            }
        }
        // Targets of back edges of a depth-first search, among what never gets to the exit.
        let mut heads = Vec::new();
        let mut seen: FxHashSet<LocId> = FxHashSet::default();
        let mut open: FxHashSet<LocId> = FxHashSet::default();
        let mut stack = vec![(entry, 0)];
        seen.insert(entry);
        open.insert(entry);
        while let Some((l, i)) = stack.last_mut() {
            let l = *l;
            let next = out.get(&l).and_then(|o| o.get(*i)).copied();
            *i += 1;
            let Some(to) = next else {
                open.remove(&l);
                stack.pop();
                continue;
            };
            if open.contains(&to) && !leaves_it.contains(&to) && !heads.contains(&to) {
                heads.push(to);
            }
            if seen.insert(to) {
                open.insert(to);
                stack.push((to, 0));
            }
        }
        for head in heads {
            let span = self.b.locations[head].span;
            self.b.at = head;
            let none = self.nothing_lives(s);
            self.perhaps_leaked(none, span);
            self.b.stop(span);
        }
    }
}
