//! Candidate invariants about linked objects, as facts about any object `k` (and any other `l`).
//!
//! Idea, on a list built by prepending and freed from its head:
//!
//! ```text
//!   live(k)  =>  next[k] = 0 || live(next[k])           every node's successor is a node
//!   live(k)  =>  next[k] < k                            objects are numbered as they are allocated
//!   live(k)  =>  k <= head                              the head is the youngest
//!   live(k) && live(l) && k < l  =>  k <= next[l]       nothing lives between a node and its successor
//! ```
//! The first makes walks valid, the others keep it true when the head is freed, and with `head = 0` at
//! the end nothing lives any more. Lists that are built by appending have the order turned around; where
//! order says nothing, `next[k] != head` and `next[k] != next[l]` separate the freed node from the rest;
//! doubly linked ones have `prev[next[k]] = k`. Each fact also comes for all nodes but one that a
//! variable points to: the node that is being linked.
//!
//! `live(k)` is the mark of the object at address `k` in its object array (`accesses`), or, where objects
//! have no marks as nothing is checked about them, that `k` lies in what has been allocated.
//!
//! These are many, but most are refuted by the samples of random runs before a solver sees them.

use crate::guess::accesses::{Accesses, Field, push_new};
use crate::guess::affine::Region;
use crate::guess::generator::{Candidates, Generator, Scene, Stage};
use crate::limits::{GuessLimits, HeapLimits};
use base::Stop;
use logic::{Pool, Rational, TermId};
use program::analysis::liveness::{Liveness, liveness};
use program::analysis::modref::modref;
use program::analysis::reads::VarsOf;
use program::analysis::shape::shape;
use program::any_term;

/// Which candidates are made. Facts about two objects have by far the most instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objects {
    /// The few facts about one object that ordinary lists need.
    One,
    /// Facts about two objects.
    Two,
    /// All facts about one object, also for all objects but one.
    Most,
}

/// Candidates at every loop head; nothing for programs without linked objects.
pub struct Linked(pub Objects);

impl Generator for Linked {
    fn name(&self) -> &'static str {
        match self.0 {
            Objects::One => "candidates: any object",
            Objects::Most => "candidates: any object but one",
            Objects::Two => "candidates: any two objects",
        }
    }

    fn stage(&self) -> Stage {
        match self.0 {
            Objects::One => Stage::Objects,
            Objects::Most => Stage::MostObjects,
            Objects::Two => Stage::PairsOfObjects,
        }
    }

    fn most_heads(&self, limits: &GuessLimits) -> usize {
        limits.heap.heads
    }

    fn candidates(&self, scene: &mut Scene<'_, '_>) -> Result<Candidates, Stop> {
        Ok(candidates(
            scene.pool,
            scene.region,
            &scene.limits.heap,
            self.0,
        ))
    }
}

fn candidates(
    pool: &mut Pool,
    region: &Region<'_>,
    limits: &HeapLimits,
    about: Objects,
) -> Candidates {
    let program = region.program;
    let accesses = Accesses::of(pool, program);
    let linked = !accesses.pointers.is_empty()
        && (!accesses.marks.is_empty() || !accesses.pointer_fields.is_empty());
    if !linked {
        return Candidates::new();
    }
    let Some(objects) = Living::of(pool, &accesses, limits) else {
        return Candidates::new();
    };
    let live = live_variables(pool, region);
    let mut out = Candidates::new();
    for &head in region.heads {
        let lives = |t: &&TermId| {
            let ids = program.vars.iter_enumerated();
            let mut own = ids.filter(|(_, v)| v.term == **t);
            own.any(|(id, _)| live.is_live(head, id))
        };
        let pointers: Vec<TermId> = accesses.pointers.iter().filter(lives).copied().collect();
        let mut facts = Facts {
            pool: &mut *pool,
            objects: &objects,
            accesses: &accesses,
            limits,
            pointers,
            facts: Vec::new(),
        };
        facts.pointers.truncate(limits.pointers);
        match about {
            Objects::One => facts.basic(),
            Objects::Most => facts.about_one(),
            Objects::Two => facts.about_two(),
        }
        let mut found = facts.facts;
        found.truncate(limits.facts);
        out.insert(head, found);
    }
    out
}

/// The variables that matter at each location.
pub fn live_variables(pool: &Pool, region: &Region<'_>) -> Liveness {
    let program = region.program;
    let successors = program.successors();
    let shape = shape(program, &successors, region.entry);
    let mut vars_of = VarsOf::new(program);
    let modref = modref(pool, program);
    let function = program.locations[region.entry].func;
    liveness(
        pool,
        program,
        function,
        &shape,
        &successors,
        &mut vars_of,
        &modref,
    )
}

/// What it means that an object lives.
struct Living {
    /// Addresses are divided by this; `None` without marks.
    divisor: Option<TermId>,
    mark: Option<TermId>,
    /// Sizes of objects, if there are several kinds or they are checked.
    size: Option<(TermId, Vec<TermId>)>,
    top: Option<(TermId, TermId)>,
    any: [TermId; 2],
    zero: TermId,
    one: TermId,
}

impl Living {
    fn of(pool: &mut Pool, accesses: &Accesses, limits: &HeapLimits) -> Option<Living> {
        let int = pool.int_sort();
        let mark = accesses.marks.first().copied();
        let sizes = accesses.sizes.first().map(|(array, numbers)| {
            let numbers = numbers.iter().take(limits.sizes);
            let numbers = numbers.map(|n| pool.num(n.clone(), int)).collect();
            (*array, numbers)
        });
        let top = accesses.tops.first().cloned();
        let top = top.map(|(v, start)| (v, pool.num(start, int)));
        if accesses.divisor.is_none() && top.is_none() {
            return None;
        }
        Some(Living {
            divisor: accesses.divisor,
            mark,
            size: sizes,
            top,
            any: [any_term(pool, 0), any_term(pool, 1)],
            zero: pool.int(0),
            one: pool.int(1),
        })
    }

    fn number(&self, pool: &mut Pool, address: TermId) -> Option<TermId> {
        Some(pool.int_div(address, self.divisor?))
    }

    /// The object's mark, or that its address was allocated.
    fn marked(&self, pool: &mut Pool, address: TermId) -> TermId {
        match (self.mark, self.number(pool, address)) {
            (Some(mark), Some(number)) => {
                let read = pool.select(mark, number);
                pool.eq(read, self.one)
            }
            _ => self.allocated(pool, address),
        }
    }

    fn allocated(&self, pool: &mut Pool, address: TermId) -> TermId {
        match self.top {
            Some((top, start)) => {
                let (from, to) = (pool.le(start, address), pool.lt(address, top));
                pool.and2(from, to)
            }
            None => pool.tt(),
        }
    }

    fn aligned(&self, pool: &mut Pool, address: TermId) -> TermId {
        match self.divisor {
            Some(divisor) => {
                let number = pool.int_div(address, divisor);
                let start = pool.mul(&[divisor, number]);
                pool.eq(address, start)
            }
            None => pool.tt(),
        }
    }

    fn has_size(&self, pool: &mut Pool, address: TermId, size: TermId) -> TermId {
        match (&self.size, self.number(pool, address)) {
            (Some((sizes, _)), Some(number)) => {
                let read = pool.select(*sizes, number);
                pool.eq(read, size)
            }
            _ => pool.tt(),
        }
    }

    fn sizes(&self) -> Vec<TermId> {
        self.size.iter().flat_map(|(_, n)| n.clone()).collect()
    }

    /// The kinds of objects: by their size where there are several.
    fn kinds(&self) -> Vec<Option<TermId>> {
        match self.sizes().as_slice() {
            [] | [_] => vec![None],
            several => several.iter().copied().map(Some).collect(),
        }
    }

    /// The address is the start of a living object of the kind.
    fn live(&self, pool: &mut Pool, address: TermId, kind: Option<TermId>) -> TermId {
        let mut parts = vec![self.marked(pool, address), self.aligned(pool, address)];
        if let Some(size) = kind {
            parts.push(self.has_size(pool, address, size));
        }
        pool.and(&parts)
    }
}

struct Facts<'a> {
    pool: &'a mut Pool,
    objects: &'a Living,
    accesses: &'a Accesses,
    limits: &'a HeapLimits,
    pointers: Vec<TermId>,
    facts: Vec<TermId>,
}

impl Facts<'_> {
    fn fields(&self) -> Vec<Field> {
        let fields = self.accesses.pointer_fields.iter();
        fields.take(self.limits.fields).cloned().collect()
    }

    /// What lists that are built, walked and freed from one end need.
    fn basic(&mut self) {
        let o = self.objects;
        let k = o.any[0];
        for x in self.pointers.clone() {
            let mut facts = vec![o.aligned(self.pool, x)];
            let null = self.null(x);
            facts.push(null);
            facts.push(self.pool.not(null));
            let marked = o.marked(self.pool, x);
            facts.push(marked);
            facts.push(self.null_or(x, marked));
            for size in o.sizes() {
                let sized = o.has_size(self.pool, x, size);
                facts.push(self.null_or(x, sized));
            }
            facts.into_iter().for_each(|f| self.add(f));
        }
        self.objects_are_allocated();
        let fields = self.fields();
        for kind in o.kinds() {
            let live = o.live(self.pool, k, kind);
            let none = self.pool.not(live);
            self.add(none);
            for x in self.pointers.clone() {
                let below = self.pool.le(k, x);
                let above = self.pool.le(x, k);
                let null = self.null(x);
                let some = self.pool.not(null);
                let above = self.pool.and2(some, above);
                for fact in [below, above] {
                    let fact = self.pool.implies(live, fact);
                    self.add(fact);
                }
            }
            for field in &fields {
                let next = self.read(field, k);
                let mut facts = vec![o.aligned(self.pool, next)];
                let marked = o.marked(self.pool, next);
                facts.push(self.null_or(next, marked));
                for size in o.sizes() {
                    let sized = o.has_size(self.pool, next, size);
                    facts.push(self.null_or(next, sized));
                }
                facts.push(self.pool.lt(next, k));
                let younger = self.pool.lt(k, next);
                facts.push(self.null_or(next, younger));
                for fact in facts {
                    let fact = self.pool.implies(live, fact);
                    self.add(fact);
                }
                self.separation(kind, field);
            }
        }
    }

    fn about_one(&mut self) {
        self.variables();
        self.objects_are_allocated();
        let fields = self.fields();
        for kind in self.objects.kinds() {
            self.which_live(kind);
            for field in &fields {
                self.successors(kind, field);
                self.order(kind, field);
                self.separation(kind, field);
                for other in fields.iter().filter(|f| *f != field) {
                    self.back_and_forth(kind, field, other);
                }
            }
            self.data(kind);
        }
        for field in &fields {
            self.at_variables(field);
        }
    }

    fn about_two(&mut self) {
        let fields = self.fields();
        for kind in self.objects.kinds() {
            for field in &fields {
                self.order_of_two(kind, field);
                self.never_the_same(kind, field);
                for other in fields.iter().filter(|f| field < *f) {
                    self.never_the_same_by(kind, field, other);
                }
            }
        }
    }

    fn add(&mut self, fact: TermId) {
        if fact != self.pool.tt() && fact != self.pool.ff() {
            push_new(&mut self.facts, fact);
        }
    }

    fn null(&mut self, t: TermId) -> TermId {
        self.pool.eq(t, self.objects.zero)
    }

    /// `t` is null, or the fact holds.
    fn null_or(&mut self, t: TermId, fact: TermId) -> TermId {
        let null = self.null(t);
        self.pool.or2(null, fact)
    }

    fn read(&mut self, field: &Field, at: TermId) -> TermId {
        let int = self.pool.int_sort();
        let offset = self.pool.num(field.offset.clone(), int);
        let index = self.pool.add2(at, offset);
        self.pool.select(field.array, index)
    }

    /// What pointers point to, and how they relate.
    fn variables(&mut self) {
        let o = self.objects;
        for x in self.pointers.clone() {
            let aligned = o.aligned(self.pool, x);
            self.add(aligned);
            let null = self.null(x);
            self.add(null);
            let not_null = self.pool.not(null);
            self.add(not_null);
            let mut facts = vec![o.marked(self.pool, x), o.allocated(self.pool, x)];
            for size in o.sizes() {
                facts.push(o.has_size(self.pool, x, size));
            }
            for fact in facts {
                self.add(fact);
                let weaker = self.null_or(x, fact);
                self.add(weaker);
            }
            for y in self.pointers.clone() {
                if x < y {
                    let equal = self.pool.eq(x, y);
                    self.add(equal);
                    let either = self.null_or(x, equal);
                    self.add(either);
                    let either = self.null_or(y, equal);
                    self.add(either);
                }
                if x != y {
                    let (nx, ny) = (self.null(x), self.null(y));
                    let implied = self.pool.implies(nx, ny);
                    self.add(implied);
                    let (le, lt) = (self.pool.le(x, y), self.pool.lt(x, y));
                    self.add(lt);
                    self.add(le);
                    let lt = self.null_or(x, lt);
                    self.add(lt);
                }
            }
        }
    }

    /// What lives was allocated and has one of the sizes.
    fn objects_are_allocated(&mut self) {
        let o = self.objects;
        if let Some((top, start)) = o.top {
            let facts = [o.aligned(self.pool, top), self.pool.le(start, top)];
            facts.into_iter().for_each(|f| self.add(f));
        }
        let Some(mark) = o.mark else { return };
        let k = o.any[0];
        let marked = o.marked(self.pool, k);
        let allocated = o.allocated(self.pool, k);
        let fact = self.pool.implies(marked, allocated);
        self.add(fact);
        let none = self.pool.not(marked);
        self.add(none);
        let nothing = self.pool.select(mark, o.zero);
        let nothing = self.null(nothing);
        self.add(nothing);
        let sizes: Vec<TermId> = o.sizes();
        let parts: Vec<TermId> = sizes.iter().map(|&s| o.has_size(self.pool, k, s)).collect();
        if !parts.is_empty() {
            let one_of = self.pool.or(&parts);
            let fact = self.pool.implies(marked, one_of);
            self.add(fact);
        }
        // Marks are 0 or 1: an object that is not free lives.
        if let Some(number) = o.number(self.pool, k) {
            let read = self.pool.select(mark, number);
            let bit = self.pool.in_range(&Rational::ZERO, read, &Rational::ONE);
            self.add(bit);
        }
    }

    /// Which objects live, in terms of variables.
    fn which_live(&mut self, kind: Option<TermId>) {
        let o = self.objects;
        let k = o.any[0];
        let live = o.live(self.pool, k, kind);
        let none = self.pool.not(live);
        self.add(none);
        for x in self.pointers.clone() {
            let mut facts = vec![self.pool.le(k, x), self.pool.eq(k, x)];
            let not_null = self.null(x);
            let not_null = self.pool.not(not_null);
            let above = self.pool.le(x, k);
            facts.push(self.pool.and2(not_null, above));
            for y in self.pointers.clone() {
                if x < y {
                    let (a, b) = (self.pool.eq(k, x), self.pool.eq(k, y));
                    facts.push(self.pool.or2(a, b));
                }
                if x != y {
                    // All but one of them.
                    let (same, below) = (self.pool.eq(k, y), self.pool.le(k, x));
                    facts.push(self.pool.or2(same, below));
                }
            }
            for fact in facts {
                let fact = self.pool.implies(live, fact);
                self.add(fact);
            }
        }
    }

    /// Adds `live(k) => fact`, also for all `k` but those that a variable points to.
    fn for_all(&mut self, live: TermId, fact: TermId) {
        let whole = self.pool.implies(live, fact);
        self.add(whole);
        let k = self.objects.any[0];
        for x in self.pointers.clone() {
            let same = self.pool.eq(k, x);
            let but = self.pool.or2(same, whole);
            self.add(but);
        }
    }

    /// A field points to living objects.
    fn successors(&mut self, kind: Option<TermId>, field: &Field) {
        let o = self.objects;
        let k = o.any[0];
        let live = o.live(self.pool, k, kind);
        let next = self.read(field, k);
        let aligned = o.aligned(self.pool, next);
        self.for_all(live, aligned);
        let null = self.null(next);
        let mut facts = vec![null, o.marked(self.pool, next)];
        for size in o.sizes() {
            facts.push(o.has_size(self.pool, next, size));
        }
        for x in self.pointers.clone() {
            facts.push(self.pool.eq(next, x));
        }
        for fact in facts {
            let either = self.null_or(next, fact);
            self.for_all(live, either);
            self.for_all(live, fact);
        }
    }

    /// A field points to older objects, or to younger ones.
    fn order(&mut self, kind: Option<TermId>, field: &Field) {
        let o = self.objects;
        let k = o.any[0];
        let live = o.live(self.pool, k, kind);
        let next = self.read(field, k);
        let older = self.pool.lt(next, k);
        self.for_all(live, older);
        let younger = self.pool.lt(k, next);
        let younger = self.null_or(next, younger);
        self.for_all(live, younger);
    }

    /// A field skips no living object.
    fn order_of_two(&mut self, kind: Option<TermId>, field: &Field) {
        let o = self.objects;
        let [k, l] = o.any;
        let (live, other) = (o.live(self.pool, k, kind), o.live(self.pool, l, kind));
        let (next, last) = (self.read(field, k), self.read(field, l));
        let before = self.pool.lt(k, l);
        let both = self.pool.and(&[live, other, before]);
        let down = self.pool.le(k, last);
        let down = self.pool.implies(both, down);
        self.add(down);
        let null = self.null(next);
        let (some, up) = (self.pool.not(null), self.pool.le(next, l));
        let up = self.pool.and2(some, up);
        let up = self.pool.implies(both, up);
        self.add(up);
    }

    /// Nothing points to what a variable points to.
    fn separation(&mut self, kind: Option<TermId>, field: &Field) {
        let o = self.objects;
        let k = o.any[0];
        let live = o.live(self.pool, k, kind);
        let next = self.read(field, k);
        for x in self.pointers.clone() {
            let same = self.pool.eq(next, x);
            let differ = self.pool.not(same);
            let differ = self.null_or(next, differ);
            let fact = self.pool.implies(live, differ);
            self.add(fact);
        }
    }

    /// No two objects point to the same.
    fn never_the_same(&mut self, kind: Option<TermId>, field: &Field) {
        let [k, l] = self.objects.any;
        let same = self.pool.eq(k, l);
        let apart = self.pool.not(same);
        self.different_targets(kind, apart, field, field);
    }

    /// No object points by one field to what any points to by another.
    fn never_the_same_by(&mut self, kind: Option<TermId>, field: &Field, other: &Field) {
        let always = self.pool.tt();
        self.different_targets(kind, always, field, other);
    }

    fn different_targets(
        &mut self,
        kind: Option<TermId>,
        apart: TermId,
        field: &Field,
        other: &Field,
    ) {
        let o = self.objects;
        let [k, l] = o.any;
        let (live, second) = (o.live(self.pool, k, kind), o.live(self.pool, l, kind));
        let (next, last) = (self.read(field, k), self.read(other, l));
        let both = self.pool.and(&[live, second, apart]);
        let same = self.pool.eq(next, last);
        let differ = self.pool.not(same);
        let differ = self.null_or(next, differ);
        let fact = self.pool.implies(both, differ);
        self.add(fact);
    }

    /// Fields that lead back and forth.
    fn back_and_forth(&mut self, kind: Option<TermId>, field: &Field, other: &Field) {
        let o = self.objects;
        let k = o.any[0];
        let live = o.live(self.pool, k, kind);
        let next = self.read(field, k);
        let back = self.read(other, next);
        let same = self.pool.eq(back, k);
        let same = self.null_or(next, same);
        self.for_all(live, same);
    }

    /// Numbers in fields.
    fn data(&mut self, kind: Option<TermId>) {
        let int = self.pool.int_sort();
        let k = self.objects.any[0];
        let live = self.objects.live(self.pool, k, kind);
        for (field, numbers) in &self.accesses.data_fields {
            let value = self.read(field, k);
            let mut parts = Vec::new();
            for number in numbers.iter().take(self.limits.sizes) {
                let number = self.pool.num(number.clone(), int);
                let equal = self.pool.eq(value, number);
                self.for_all(live, equal);
                parts.push(equal);
            }
            if parts.len() > 1 {
                let one_of = self.pool.or(&parts);
                self.for_all(live, one_of);
            }
        }
    }

    /// What the fields of objects that variables point to hold.
    fn at_variables(&mut self, field: &Field) {
        for x in self.pointers.clone() {
            let next = self.read(field, x);
            let mut facts = vec![self.null(next)];
            for y in self.pointers.clone() {
                if x != y {
                    facts.push(self.pool.eq(next, y));
                }
            }
            for fact in facts {
                self.add(fact);
                let weaker = self.null_or(x, fact);
                self.add(weaker);
            }
        }
    }
}
