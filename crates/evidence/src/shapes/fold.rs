//! Abstraction: neighbours of the same kind become a chain.
//!
//! ```text
//!   head -> a -> b -> 0      becomes      head -> [ chain of a, b ] -> 0
//! ```
//! if nothing but `a` points to `b` (and the object after it points back, where lists are doubly
//! linked). What only `a` knows and what only `b` knows has to look alike (`inner`) and is owned by the chain
//! then. Objects with several children become trees (`tree`). Sound because a chain stands for any number of objects, so for these too; the entailment
//! that ends the search (`entail`) does not rest on it.

use super::facts::Name;
use super::inner::{Inner, inner};
use super::state::{Cell, Kind, Links, Object, ObjectId, State, single};
use super::table_fold::fold_rows;
use super::tree::{Branching, fold_tree};
use super::value::{Base, End, Interval, Target, Val, gcd};

/// How much may be forgotten.
#[derive(Clone, Copy, Debug)]
pub(super) struct Folding {
    /// Shorter chains stay as they are.
    pub least: usize,
    /// Objects with different numbers in them become one kind.
    pub numbers: bool,
    /// So do objects of which one knows something alone and the other has zero there.
    pub optional: bool,
    /// Facts about how numbers relate are kept.
    pub facts: bool,
}

/// Folds until nothing can be; says whether anything was.
pub(super) fn fold(state: &mut State, how: Folding, trees: &[Branching]) -> bool {
    let mut folded = false;
    while fold_once(state, how, trees).is_some() {
        folded = true;
    }
    folded
}

/// Makes a chain of two neighbours, or a tree of an object and what is below it, if there are such; says which object is
/// that then, and what else it is made of.
pub(super) fn fold_once(
    state: &mut State,
    how: Folding,
    trees: &[Branching],
) -> Option<(ObjectId, Vec<ObjectId>)> {
    if let Some((a, b, links, inner)) = candidate(state, how, trees) {
        merge(state, a, b, links, &inner);
        return Some((a, vec![b]));
    }
    // Few objects stay as they are.
    match how.least {
        2 => fold_tree(state, how, trees).or_else(|| fold_rows(state, how)),
        _ => None,
    }
}

fn candidate(
    state: &State,
    how: Folding,
    trees: &[Branching],
) -> Option<(ObjectId, ObjectId, Links, Inner)> {
    for (&a, object) in &state.objects {
        for (b, links) in successors(state, a) {
            if trees.iter().any(|t| t.has_link(object, links.next)) {
                continue;
            }
            let Some(inner) = can_merge(state, a, b, links, how) else {
                continue;
            };
            if long_enough(state, a, b, links, how) {
                return Some((a, b, links, inner));
            }
        }
    }
    None
}

/// Objects that one points to, with the links that the two would have as a chain.
fn successors(state: &State, a: ObjectId) -> Vec<(ObjectId, Links)> {
    let object = &state.objects[&a];
    if let Some(links) = object.links() {
        let next = state.cell(a, links.next);
        let to = next.target().filter(|t| t.end == End::First);
        return to.map(|t| (t.object, links)).into_iter().collect();
    }
    let mut out = Vec::new();
    for (&cell, value) in &object.cells {
        let (Some(Base::Address(t)), Some(to)) = (value.base, value.offset.exact()) else {
            continue;
        };
        if t.object == a || t.end == End::Last || state.fresh == Some(t.object) {
            continue;
        }
        let Some(other) = state.objects.get(&t.object) else {
            continue;
        };
        match other.kind {
            Kind::Chain(links) if links.next == cell && links.to == to => {
                out.push((t.object, links));
            }
            Kind::Chain(_) | Kind::Tree(_) | Kind::Row => {}
            Kind::Single => {
                let back = |(c, v): (&Cell, &Val)| {
                    let own = v.base == Some(Base::Address(single(a)));
                    // In a ring of two `next` points back too.
                    Some((*c, v.offset.exact()?)).filter(|_| own && *c != cell)
                };
                let prev = other.cells.iter().find_map(back);
                let next = cell;
                out.push((t.object, Links { next, to, prev }));
            }
        }
    }
    out
}

/// Chains, and objects that could be merged one after the other.
fn long_enough(state: &State, a: ObjectId, b: ObjectId, links: Links, how: Folding) -> bool {
    if state.is_chain(a) || state.is_chain(b) {
        return true;
    }
    let mut length = 2;
    let mut at = b;
    while length < how.least {
        let next = state.cell(at, links.next);
        let Some(Base::Address(t)) = next.base else {
            return false;
        };
        if t.object == a || can_merge(state, at, t.object, links, how).is_none() {
            return false;
        }
        if state.is_chain(t.object) {
            return true;
        }
        at = t.object;
        length += 1;
    }
    true
}

/// What the two know alone, if they can become a chain.
fn can_merge(state: &State, a: ObjectId, b: ObjectId, links: Links, how: Folding) -> Option<Inner> {
    let (x, y) = (state.objects.get(&a)?, state.objects.get(&b)?);
    let apart = a != b && state.fresh != Some(a) && state.fresh != Some(b);
    let held = state.holds_table(a) || state.holds_table(b);
    if !apart || held || x.owner.is_some() || y.owner.is_some() {
        return None;
    }
    let alike = |o: &Object| o.is_single() || o.links() == Some(links);
    if !alike(x) || !alike(y) || x.extent != y.extent {
        return None;
    }
    let to = Val::address(single(b), Interval::number(links.to));
    if state.cell(a, links.next) != to {
        return None;
    }
    // What an object has is another kind of object, which has no such link.
    if how.optional && !y.cells.contains_key(&links.next) {
        return None;
    }
    let last = |id: ObjectId| Target {
        object: id,
        end: if state.is_chain(id) {
            End::Last
        } else {
            End::First
        },
    };
    // A ring that a variable knows an object of keeps that object: else it would be forgotten that there are two.
    if state.cell(b, links.next) == Val::address(single(a), Interval::number(links.to))
        && state.is_named(a)
    {
        return None;
    }
    if let Some((prev, at)) = links.prev
        && state.cell(b, prev) != Val::address(last(a), Interval::number(at))
    {
        return None;
    }
    let inner = inner(state, a, b, |c| links.is_link(c), how)?;
    lonely(state, a, b, links, &inner).then_some(inner)
}

/// Who else points into the two?
fn lonely(state: &State, a: ObjectId, b: ObjectId, links: Links, inner: &Inner) -> bool {
    let chain = |id: ObjectId| state.is_chain(id);
    let names = state.vars.values().chain(state.statics.values());
    let names = names.chain(state.defaults.values());
    let mut names = names.chain(state.static_defaults.values());
    // Variables may point to the first object only.
    let inside = |t: Target| t.object == b || t.object == a && t.end == End::Last;
    if names.any(|v| v.target().is_some_and(inside)) {
        return false;
    }
    for (&id, object) in &state.objects {
        if object
            .rest
            .values()
            .any(|v| v.target().is_some_and(|t| t.object == a || t.object == b))
        {
            return false;
        }
        for (&cell, value) in &object.cells {
            let Some(base) = value.base else { continue };
            let t = base.target();
            let is_next = cell == links.next;
            let is_prev = links.prev.is_some_and(|(p, _)| p == cell);
            let fine = match (t.object == a, t.object == b) {
                (false, false) => true,
                // The object's own address.
                _ if t.object == id && !links.is_link(cell) => true,
                // The address of the object that it belongs to.
                (_, true) if inner.is_second(id) => t.end == End::First,
                // The last object of a chain is known to the second part only.
                (true, _) if chain(a) && t.end == End::Last => id == b && is_prev,
                // The first of the two may be known to others.
                (true, _) => true,
                (_, true) => {
                    let from_first = id == a && is_next && t.end == End::First;
                    // The object after it, or one that knows where the list ends.
                    let from_behind = !is_next && id != a && (!chain(b) || t.end == End::Last);
                    // A ring: the first object points back to the last.
                    let ring = is_prev && id == a && (!chain(b) || t.end == End::Last);
                    from_first || links.prev.is_some() && (from_behind || ring)
                }
            };
            if !fine {
                return false;
            }
        }
    }
    true
}

fn merge(state: &mut State, a: ObjectId, b: ObjectId, links: Links, inner: &Inner) {
    // What is an address in one of the two only has no number of its own.
    let address = |id: ObjectId, cell: Cell| state.cell(id, cell).base.is_some();
    let cells = state.objects[&a]
        .cells
        .keys()
        .chain(state.objects[&b].cells.keys());
    let mixed: Vec<Cell> = cells
        .copied()
        .filter(|&c| address(a, c) != address(b, c))
        .collect();
    state.forget_names(
        |n| matches!(n, Name::Cell(o, c) if (o == a || o == b) && mixed.contains(&c)),
    );
    state.merge_facts(a, b, |c| links.is_link(c));
    state.forget_object_facts(|id| inner.is_part(id));
    let cells_of_chain = inner.joined(state, a, b, |c| !links.is_link(c));
    inner.merge(state, (a, b));
    let next = state.cell(b, links.next);
    let align = state.objects[&b].align;
    let prev = links.prev.map(|(p, _)| (p, state.cell(a, p)));
    // The object `a` becomes the chain; who pointed to `b` or its end points to the end of the chain.
    let end = Target {
        object: a,
        end: End::Last,
    };
    let Some(object) = state.object_mut(a) else {
        return;
    };
    object.kind = Kind::Chain(links);
    object.align = gcd(object.align, align);
    for (cell, value) in cells_of_chain {
        object.cells.insert(cell, value);
    }
    object.cells.insert(links.next, next);
    if let Some((p, before)) = prev {
        object.cells.insert(p, before);
    }
    state.objects.remove(&b);
    for which in [End::First, End::Last] {
        let from = Target {
            object: b,
            end: which,
        };
        state.redirect(from, end);
    }
}
