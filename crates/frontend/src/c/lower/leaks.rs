//! Leaks: memory that is allocated and that nothing which lives points to any more.
//!
//! What is still allocated when the entry function returns is leaked, unless static objects point to it. Where what
//! they point to may itself point to the heap, at `exit`, and in loops without a way out, it may be or not: such an
//! error is reached only by an approximated choice, so that it prevents a proof but never counts as one. An `exit` in
//! the entry function is a leak if neither static objects nor its own variables point to the heap.

use super::super::memory::constraints::ObjectKind;
use super::super::memory::unify::NodeId;
use super::super::types::{Type, TypeId};
use super::Lower;
use super::place::At;
use super::reach::ObjectKey;
use super::safety::Safety;
use super::scalar::{leaves, scalar_of};
use base::{FxHashMap, FxHashSet};
use logic::TermId;
use program::{LocId, Property, Span};

/// Variables of the models that no library has: where they are in a text, what they keep of the command line.
const SCRATCH: [&str; 9] = [
    "craig_argv",
    "craig_to",
    "craig_wide_to",
    "craig_onto",
    "craig_scan_from",
    "craig_from",
    "craig_from_end",
    "craig_from_stream",
    "craig_written_name",
];

/// Static values that are looked at for pointers to the heap.
const MOST_STATICS: usize = 256;
/// Static pointers whose targets are counted one by one.
const MOST_COUNTED: usize = 8;
/// Bytes of a union that is read word by word.
const MOST_UNION: u64 = 64;

impl Lower<'_> {
    /// The entry function returns: what is allocated still is left, or lost.
    pub(super) fn heap_ends(&mut self, s: Safety, span: Span) {
        if self.checks(Property::ValidMemcleanup) {
            let none = self.nothing_lives(s);
            let message = "memory is still allocated at the end";
            self.check(none, Property::ValidMemcleanup, message, span);
        }
        if self.checks(Property::ValidMemtrack) {
            let none = self.nothing_lives(s);
            match self.static_pointers() {
                Some(pointers) => self.only_held(s, none, &pointers, span),
                None => self.perhaps_leaked(none, span),
            }
        }
    }

    /// Every allocated object is held by these pointers, directly or by way of objects on the heap.
    fn only_held(&mut self, s: Safety, none: TermId, pointers: &[(ObjectKey, At)], span: Span) {
        let numbers: Vec<TermId> = pointers
            .iter()
            .map(|(_, at)| self.block_held(s, at))
            .collect();
        let marks: Vec<TermId> = numbers.iter().map(|&n| self.allocated(s, n)).collect();
        let mut held = vec![none];
        held.extend(&marks);
        let message = "memory is leaked";
        let deep = pointers.iter().any(|p| self.holds_deeply(p));
        if deep || pointers.len() > MOST_COUNTED {
            // Nothing points to the heap at all: what lives there is lost. Else nobody can say.
            let doubtful = !marks.is_empty();
            let held = self.pool.or(&held);
            self.check(held, Property::ValidMemtrack, message, span);
            if doubtful {
                self.perhaps_leaked(none, span);
            }
            return;
        }
        // Objects of the heap hold none of each other: there are as many as are pointed to.
        let (zero, one) = (self.pool.int(0), self.pool.int(1));
        let mut count = zero;
        for (i, &mark) in marks.iter().enumerate() {
            let mut new = vec![mark];
            for &earlier in &numbers[..i] {
                let same = self.pool.eq(earlier, numbers[i]);
                new.push(self.pool.not(same));
            }
            let new = self.pool.and(&new);
            let one_more = self.pool.ite(new, one, zero);
            count = self.pool.add2(count, one_more);
        }
        let live = self.var_term(s.live);
        let all = self.pool.eq(live, count);
        let all = self.pool.or2(none, all);
        self.check(all, Property::ValidMemtrack, message, span);
    }

    /// The block that the pointer at a place points into.
    fn block_held(&mut self, s: Safety, at: &At) -> TermId {
        let value = self.read(at);
        let value = self.settle(value, at.span);
        self.block_of(s, value).0
    }

    /// May what the pointer points to point to the heap itself?
    fn holds_deeply(&mut self, (key, at): &(ObjectKey, At)) -> bool {
        let points = &mut self.memory.points;
        let Some(object) = points.object(*key) else {
            return true;
        };
        let cell = points.objects[object as usize].cell;
        let content = points.graph.content((cell.0, cell.1 + at.bit));
        let Some((root, _)) = points.graph.target(content) else {
            return false;
        };
        let pointees = points.graph.pointees(root);
        pointees.into_iter().any(|r| self.is_heap(r))
    }

    fn is_heap(&self, root: NodeId) -> bool {
        let points = &self.memory.points;
        let node = points.graph.root_data(root);
        let mut objects = node.objects.iter();
        node.external
            || objects.any(|&(o, _)| matches!(points.objects[o as usize].kind, ObjectKind::Heap(_)))
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
    fn static_pointers(&mut self) -> Option<Vec<(ObjectKey, At)>> {
        let width = self.unit.types.pointer_size() as u32 * 8;
        let globals: Vec<_> = self.reach.globals.to_vec();
        let mut out = Vec::new();
        for g in globals {
            let name = self.unit.globals[g].source_name.as_deref();
            if name.is_some_and(|n| SCRATCH.contains(&n)) {
                continue;
            }
            let ty = self.unit.globals[g].ty;
            let narrow = self.unit.types.element(ty);
            let narrow = narrow.and_then(|e| scalar_of(&self.unit.types, e));
            if narrow.is_some_and(|s| s.bits < width) {
                continue;
            }
            let span = self.unit.globals[g].span;
            let key = ObjectKey::Global(g);
            let at = self.object_at(key, span);
            if self.has_union(ty) {
                // A pointer may lie under another member of a union, as bytes: every word counts.
                let size = self.unit.types.size_of(ty).filter(|n| *n <= MOST_UNION)?;
                let scalar = self.pointer_scalar();
                let words =
                    (0..size / self.unit.types.pointer_size()).map(|i| i * u64::from(width));
                for part in words.map(|bit| at.part(bit, scalar)) {
                    if self.is_modelled(&part) {
                        out.push((key, part));
                    }
                }
                continue;
            }
            let all = leaves(&self.unit.types, ty, MOST_STATICS)?;
            for leaf in all.iter().filter(|l| l.scalar.bits >= width) {
                let part = at.part(leaf.bit, leaf.scalar);
                // What nobody reads or writes holds no pointer to the heap.
                if self.is_modelled(&part) {
                    out.push((key, part));
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

    /// The program ends here without returning from the entry function.
    pub(in crate::c) fn ends(&mut self, span: Span) {
        if let (Some(s), true) = (self.safety, self.checks(Property::ValidMemcleanup)) {
            let none = self.nothing_lives(s);
            let message = "memory may be allocated when the program is ended";
            self.perhaps(none, Property::ValidMemcleanup, message, span);
        }
        if let (Some(s), true) = (self.safety, self.checks(Property::ValidMemtrack)) {
            let none = self.nothing_lives(s);
            if let Some(roots) = self.entry_roots() {
                let mut held = vec![none];
                for at in roots {
                    let number = self.block_held(s, &at);
                    held.push(self.allocated(s, number));
                }
                let held = self.pool.or(&held);
                let message = "memory is leaked";
                self.check(held, Property::ValidMemtrack, message, span);
            }
            self.perhaps_leaked(none, span);
        }
        self.b.stop(span);
    }

    /// Everything that can hold a pointer while only the entry function is active.
    fn entry_roots(&mut self) -> Option<Vec<At>> {
        let entry = *self.reach.functions.first()?;
        if self.frame.name != self.unit.functions[entry].name
            || self.reach.recursive.contains(&entry)
        {
            return None;
        }
        let mut out: Vec<At> = self
            .static_pointers()?
            .into_iter()
            .map(|(_, at)| at)
            .collect();
        let width = self.unit.types.pointer_size() as u32 * 8;
        let locals = self.unit.locals.iter_enumerated();
        let own: Vec<_> = locals
            .filter(|(_, l)| l.function == entry)
            .map(|(l, _)| l)
            .collect();
        for l in own {
            let (ty, span) = (self.unit.locals[l].ty, self.unit.locals[l].span);
            if self.has_union(ty) {
                return None;
            }
            let all = leaves(&self.unit.types, ty, MOST_COUNTED)?;
            let at = self.object_at(ObjectKey::Local(l), span);
            for leaf in all.iter().filter(|l| l.scalar.bits >= width) {
                let part = at.part(leaf.bit, leaf.scalar);
                if self.is_modelled(&part) {
                    out.push(part);
                }
            }
        }
        (out.len() <= MOST_COUNTED).then_some(out)
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
