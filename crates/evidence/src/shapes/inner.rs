//! What neighbours in a list know alone, and how it becomes what their chain owns.
//!
//! ```text
//!   a -> b -> 0                  [ chain of a, b ] -> 0
//!   |    |          becomes         |
//!   x    y                          z, owned
//! ```
//! The objects that only `a` leads to and those that only `b` leads to are walked over side by side: the same
//! pointers lead to the same objects, to each one's own, or to pairs of which one object can be made. A single
//! object and a chain make a chain. Where one has zero and the other a pointer to what only it knows, that becomes
//! optional, if so much may be forgotten.
//!
//! Invariant: nothing outside points into a pair, so what becomes owned is each object's own.

use super::fold::Folding;
use super::state::{Cell, Kind, Object, ObjectId, State};
use super::tree::ZERO;
use super::value::{Base, End, Target, Val, gcd};
use std::rc::Rc;

/// Objects of the first and of the second that become one.
#[derive(Clone, Debug, Default)]
pub(super) struct Inner {
    pairs: Vec<(ObjectId, ObjectId)>,
    /// Objects that only the first has, or only the second.
    lone: [Vec<ObjectId>; 2],
    /// What these own, and what only they lead to.
    below: [Vec<ObjectId>; 2],
    /// What only one of these leads to, with that one.
    of_lone: Vec<(ObjectId, ObjectId)>,
}

impl Inner {
    pub fn is_second(&self, id: ObjectId) -> bool {
        self.pairs.iter().any(|p| p.1 == id) || self.is_lone(1, id)
    }

    /// Does only that side have it?
    fn is_lone(&self, side: usize, id: ObjectId) -> bool {
        self.lone[side].contains(&id) || self.below[side].contains(&id)
    }

    pub fn is_part(&self, id: ObjectId) -> bool {
        self.is_first(id) || self.is_second(id)
    }

    fn is_first(&self, id: ObjectId) -> bool {
        self.pairs.iter().any(|p| p.0 == id) || self.is_lone(0, id)
    }

    fn partner(&self, second: ObjectId) -> Option<ObjectId> {
        let pair = self.pairs.iter().find(|p| p.1 == second);
        pair.map(|p| p.0)
    }

    /// The cells that an object of a pair, or of the two themselves, has afterwards.
    pub fn joined(
        &self,
        state: &State,
        x: ObjectId,
        y: ObjectId,
        wanted: impl Fn(Cell) -> bool,
    ) -> Vec<(Cell, Val)> {
        let cells = cells(state, x, y).into_iter().filter(|c| wanted(*c));
        let joined = |cell: Cell| {
            let (v, w) = (state.cell(x, cell), state.cell(y, cell));
            match (v.base, w.base) {
                (None, Some(_)) => return (cell, w),
                (Some(_), None) => return (cell, v),
                _ => {}
            }
            let mut value = Val {
                base: v.base,
                offset: v.offset.hull(w.offset),
            };
            // The end of a chain is the end of what it and a single object become.
            if let (Some(base), Some(other)) = (v.base, w.target())
                && !state.is_chain(base.target().object)
                && self.is_first(base.target().object)
            {
                let end = other.end;
                value.base = Some(base.at(Target {
                    end,
                    ..base.target()
                }));
            }
            (cell, value)
        };
        cells.map(joined).collect()
    }

    /// Each pair becomes its first, which the chain `a` or something in it owns; what one has alone becomes optional.
    pub fn merge(&self, state: &mut State, (a, b): (ObjectId, ObjectId)) {
        let mut made: Vec<(ObjectId, Object)> = Vec::new();
        for &(x, y) in &self.pairs {
            let (Some(one), Some(other)) = (state.objects.get(&x), state.objects.get(&y)) else {
                continue;
            };
            let mut object = Object::clone(one);
            if one.is_single() {
                object.kind = other.kind.clone();
            }
            object.optional = one.optional || other.optional;
            object.align = gcd(one.align, other.align);
            let owner = other.owner.and_then(|o| self.partner(o));
            // What belongs to a single object belongs to it still.
            let its = owner.filter(|o| state.objects.get(o).is_some_and(|o| o.is_single()));
            object.owner = its.or(one.owner).or(owner).or(Some(a));
            object.cells = self.joined(state, x, y, |_| true).into_iter().collect();
            made.push((x, object));
        }
        let first = |second: ObjectId| match second == b {
            true => Some(a),
            false => self.partner(second),
        };
        for (side, lone) in self.lone.iter().enumerate() {
            for &z in lone.iter().chain(&self.below[side]) {
                let Some(known) = state.objects.get(&z) else {
                    continue;
                };
                let mut object = Object::clone(known);
                object.optional |= lone.contains(&z);
                let owner = known.owner.map(|o| first(o).unwrap_or(o));
                let of_lone = self.of_lone.iter().find(|o| o.0 == z).map(|o| o.1);
                object.owner = of_lone.or(owner).or(Some(a));
                // Only those of the second side know objects that go by another name now.
                for value in object.cells.values_mut() {
                    if let Some(base) = value.base
                        && let Some(to) = first(base.target().object)
                    {
                        let end = base.target().end;
                        value.base = Some(base.at(Target { object: to, end }));
                    }
                }
                made.push((z, object));
            }
        }
        for (x, object) in made {
            state.objects.insert(x, Rc::new(object));
        }
        for (_, y) in &self.pairs {
            state.objects.remove(y);
        }
    }
}

fn cells(state: &State, x: ObjectId, y: ObjectId) -> Vec<Cell> {
    let (x, y) = (&state.objects[&x], &state.objects[&y]);
    let mut out: Vec<Cell> = x.cells.keys().chain(y.cells.keys()).copied().collect();
    out.sort_unstable();
    out.dedup();
    out
}

/// What becomes owned when two neighbours become a chain; `None` if they are not alike.
pub(super) fn inner(
    state: &State,
    a: ObjectId,
    b: ObjectId,
    is_link: impl Fn(Cell) -> bool,
    how: Folding,
) -> Option<Inner> {
    let mut found = Inner::default();
    let mut open = vec![(a, b)];
    while let Some((x, y)) = open.pop() {
        let (one, other) = (state.objects.get(&x)?, state.objects.get(&y)?);
        let mut arrays = one.rest.keys().chain(other.rest.keys());
        let rests = arrays.all(|&v| state.rest(x, v) == state.rest(y, v));
        let mut values = one.rest.values().chain(other.rest.values());
        if !rests || x != a && values.any(|v| v.base.is_some()) {
            return None;
        }
        for cell in cells(state, x, y) {
            if x == a && is_link(cell) {
                continue;
            }
            let (v, w) = (state.cell(x, cell), state.cell(y, cell));
            let (p, q) = match (v.base, w.base) {
                (None, None) => {
                    // What says how large an object is, and that it lives; sizes that are not known are alike.
                    let known = v.offset.exact().or(w.offset.exact()).is_some();
                    let by_block = cell.1 == 0 && state.defaults.contains_key(&cell.0);
                    if v != w && (by_block && known || !how.numbers) {
                        return None;
                    }
                    continue;
                }
                (Some(p), Some(q)) if p.at(q.target()) == q && v.offset == w.offset => {
                    (p.target(), q.target())
                }
                (Some(p), None) if how.optional && w == ZERO => {
                    found.alone(state, 0, p, (a, b))?;
                    continue;
                }
                (None, Some(q)) if how.optional && v == ZERO => {
                    found.alone(state, 1, q, (a, b))?;
                    continue;
                }
                _ => return None,
            };
            if p.object == a && q.object == b {
                if p.end != End::First || q.end != End::First {
                    return None;
                }
            } else if p == q {
                if p.object == a || p.object == b {
                    return None;
                }
            } else {
                if found.is_lone(0, p.object) || found.is_lone(1, q.object) {
                    return None;
                }
                let known = |pair: &&(ObjectId, ObjectId)| pair.0 == p.object || pair.1 == q.object;
                match found.pairs.iter().find(known) {
                    Some(&pair) if pair == (p.object, q.object) => {}
                    Some(_) => return None,
                    None => {
                        can_pair(state, p.object, q.object, (a, b))?;
                        found.pairs.push((p.object, q.object));
                        open.push((p.object, q.object));
                    }
                }
                let chains = state.is_chain(p.object) && state.is_chain(q.object);
                if chains && p.end != q.end {
                    return None;
                }
            }
        }
    }
    is_private(state, (a, b), is_link, &found).then_some(found)
}

impl Inner {
    /// Notes that only one side has what is pointed to; `None` if that cannot be.
    fn alone(
        &mut self,
        state: &State,
        side: usize,
        base: Base,
        (a, b): (ObjectId, ObjectId),
    ) -> Option<()> {
        let (Base::Address(_), id) = (base, base.target().object) else {
            return None;
        };
        let paired = |p: &(ObjectId, ObjectId)| p.0 == id || p.1 == id;
        let held = state.holds_table(id);
        if id == a || id == b || held || state.fresh == Some(id) || self.pairs.iter().any(paired) {
            return None;
        }
        if self.below[side].contains(&id) || self.is_lone(1 - side, id) {
            return None;
        }
        state.objects.get(&id)?.tree().is_none().then_some(())?;
        if !self.lone[side].contains(&id) {
            self.lone[side].push(id);
            self.below[side].extend(state.owned(id));
            if state.objects[&id].is_single() {
                self.with_all_below(state, side, id, (a, b));
            }
        }
        Some(())
    }

    /// What nobody but one object that one side has alone leads to, and what it leads to in turn, belongs to that one.
    fn with_all_below(
        &mut self,
        state: &State,
        side: usize,
        lone: ObjectId,
        (a, b): (ObjectId, ObjectId),
    ) {
        let head = if side == 0 { a } else { b };
        let mut group: Vec<ObjectId> = vec![lone];
        let mut next = 0;
        while let Some(&holder) = group.get(next) {
            next += 1;
            for value in state.objects[&holder].values() {
                let Some(id) = value.target().map(|t| t.object) else {
                    continue;
                };
                let Some(object) = state.objects.get(&id) else {
                    continue;
                };
                let special = id == a || id == b || state.fresh == Some(id);
                let owned = object.owner.is_some_and(|o| o != head);
                let known = group.contains(&id) || self.below[side].contains(&id);
                let used = self.pairs.iter().any(|p| p.0 == id || p.1 == id);
                let used = used || self.is_lone(0, id) || self.is_lone(1, id);
                if special || owned || known || used || state.holds_table(id) {
                    continue;
                }
                let points = |v: &Val| v.target().is_some_and(|t| t.object == id);
                let names = state.vars.values().chain(state.statics.values());
                let names = names.chain(state.defaults.values());
                let mut names = names.chain(state.static_defaults.values());
                let mut others = state.objects.iter().filter(|(x, _)| **x != id);
                let lonely = !names.any(points)
                    && others.all(|(x, o)| group.contains(x) || !o.values().any(points));
                if lonely && object.tree().is_none() {
                    group.push(id);
                    self.below[side].push(id);
                    self.below[side].extend(state.owned(id));
                    self.of_lone.push((id, lone));
                }
            }
        }
    }
}

/// Could one object be made of the two?
fn can_pair(state: &State, x: ObjectId, y: ObjectId, (a, b): (ObjectId, ObjectId)) -> Option<()> {
    let special =
        |id: ObjectId| id == a || id == b || state.fresh == Some(id) || state.holds_table(id);
    if x == y || special(x) || special(y) {
        return None;
    }
    let (one, other) = (state.objects.get(&x)?, state.objects.get(&y)?);
    let links = match (&one.kind, &other.kind) {
        (Kind::Single, Kind::Single) => true,
        (Kind::Chain(l), Kind::Chain(m)) => l == m,
        (Kind::Chain(l), Kind::Single) => other.cells.contains_key(&l.next),
        (Kind::Single, Kind::Chain(l)) => one.cells.contains_key(&l.next),
        // Nothing owns trees.
        (Kind::Tree(_) | Kind::Row, _) | (_, Kind::Tree(_) | Kind::Row) => false,
    };
    (links && one.extent == other.extent).then_some(())
}

/// Nothing but the two and the pairs points into the pairs, and what a chain among them owns is among them.
fn is_private(
    state: &State,
    (a, b): (ObjectId, ObjectId),
    is_link: impl Fn(Cell) -> bool,
    found: &Inner,
) -> bool {
    let mut sides = [Vec::new(), Vec::new()];
    for &(x, y) in &found.pairs {
        sides[0].push(x);
        sides[1].push(y);
    }
    for (side, own) in sides.iter_mut().enumerate() {
        own.extend(found.lone[side].iter().chain(&found.below[side]));
    }
    if sides[0].iter().any(|x| sides[1].contains(x)) {
        return false;
    }
    let names = state.vars.values().chain(state.statics.values());
    let names = names.chain(state.defaults.values());
    let names = names.chain(state.static_defaults.values());
    let named: Vec<ObjectId> = names.filter_map(|v| Some(v.target()?.object)).collect();
    for (side, head) in sides.iter().zip([a, b]) {
        if side.iter().any(|x| named.contains(x)) {
            return false;
        }
        let within = |id: ObjectId| id == head || side.contains(&id);
        for (&id, object) in &state.objects {
            let values = object.cells.values().chain(object.rest.values());
            let points = |v: &Val| v.target().is_some_and(|t| side.contains(&t.object));
            let mut linked = object.cells.iter().filter(|(c, _)| is_link(**c));
            if !within(id) && values.into_iter().any(points)
                || id == head && linked.any(|(_, v)| points(v))
            {
                return false;
            }
            // What one of them owns is one of them, and what owns one of them too.
            let inside = side.contains(&id);
            let owned = object.owner.is_some_and(within);
            if owned && !inside || inside && object.owner.is_some_and(|o| !within(o)) {
                return false;
            }
        }
    }
    true
}
