//! Abstract states: what variables hold and what memory looks like.
//!
//! Memory is a set of objects, each with its cells; an object with `links` stands for a chain of one or
//! more objects of the same kind:
//!
//! ```text
//!   head -> [ chain, next at 8 ] -> 0        head -> o -> o -> ... -> o -> 0
//! ```
//! Its `next` cell is that of the last object of the chain, its `prev` cell that of the first; the other
//! cells are those of each of them, where an address of the chain itself means the object's own.
//!
//! A chain may own objects: each of its objects has one like that of its own, possibly a chain in turn:
//!
//! ```text
//!   head -> [ chain, next at 0 ] -> 0                     lists in the nodes of a list
//!              | at 8
//!              +-> [ chain, owned ] -> 0
//! ```
//! Nothing but the owner's cells and what the same owner owns points to an owned object; in an owned object the
//! address of the owner means that of the one object it belongs to. An owned object may be *optional*: some objects of
//! the chain have none, and zero where the others have a pointer to it (lists that may be empty in the nodes of a list).
//! What only such a single object leads to is owned by it, and is there where it is (the key of an entry of a table).
//!
//! A tree is one object too (`tree`): its cells that point to children are zero but for the first, which holds what
//! stands in place of one child of one object of the tree, if there is such a thing (a *hole*); the cell that points to the parent
//! is that of the root, the others are as in chains.
//!
//! The cells of a table (`table`) are objects here too, rows of them such that stand for any number, also none, and own
//! what each cell has. Nothing points to them: they have no addresses but those in the object that holds the table, whose
//! own list has no cells at these places. What holds a table is one object.
//!
//! Meaning. A state stands for all concrete states in which there are disjoint objects as described, and
//! everything else in memory is as `defaults` say: an array with a default has that value in all cells that were not
//! allocated yet, and, if the program compares it as a whole, in all cells of no listed object. Objects lie above all fixed addresses, and none lies above `fresh`, which
//! begins where the next one will be.

use super::facts::{Facts, Name};
use super::table::Table;
use super::terms::Need;
use super::tree::Tree;
use super::value::{Base, End, Interval, Target, Val};
use program::VarId;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

pub(super) type ObjectId = u32;

/// An array and a distance from the start of an object; 0 in arrays with one cell an object.
pub(super) type Cell = (VarId, i128);

/// How the objects of a chain hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Links {
    pub next: Cell,
    /// Where in the next object `next` points to.
    pub to: i128,
    /// The cell that points back, and where to.
    pub prev: Option<(Cell, i128)>,
}

/// What an object stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Single,
    /// One or more, each linked to the next.
    Chain(Links),
    /// One or more, each but the root a child of one other (`tree`).
    Tree(Rc<Tree>),
    /// Any number, also none, of cells of a table (`table`).
    Row,
}

impl Links {
    pub fn is_link(&self, cell: Cell) -> bool {
        cell == self.next || self.prev.is_some_and(|(p, _)| p == cell)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Object {
    pub kind: Kind,
    /// The chain each of whose objects has one like this.
    pub owner: Option<ObjectId>,
    /// Only some of them have: where there is none, what would point to it is zero.
    pub optional: bool,
    pub cells: BTreeMap<Cell, Val>,
    /// Other cells of an array, if not as the state's default.
    pub rest: BTreeMap<VarId, Val>,
    /// Addresses from its start on that are its own.
    pub extent: i128,
    /// Its address is a multiple of this.
    pub align: i128,
}

impl Object {
    pub fn is_single(&self) -> bool {
        self.kind == Kind::Single
    }

    /// The links, if it is a chain.
    pub fn links(&self) -> Option<Links> {
        match self.kind {
            Kind::Chain(links) => Some(links),
            _ => None,
        }
    }

    pub fn tree(&self) -> Option<&Rc<Tree>> {
        match &self.kind {
            Kind::Tree(tree) => Some(tree),
            _ => None,
        }
    }

    /// Do its objects hang together by what the array holds?
    pub fn hangs_by(&self, array: VarId) -> bool {
        match &self.kind {
            Kind::Single | Kind::Row => false,
            Kind::Chain(l) => l.next.0 == array || l.prev.is_some_and(|(p, _)| p.0 == array),
            Kind::Tree(tree) => tree.links().any(|c| c.0 == array),
        }
    }

    pub fn values(&self) -> impl Iterator<Item = &Val> {
        self.cells.values().chain(self.rest.values())
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct State {
    /// A variable that is missing has any value of its range.
    pub vars: BTreeMap<VarId, Val>,
    /// The cells of arrays that belong to no listed object and no fixed address.
    pub defaults: BTreeMap<VarId, Val>,
    /// Cells at fixed addresses.
    pub statics: BTreeMap<Cell, Val>,
    pub static_defaults: BTreeMap<VarId, Val>,
    /// Shared between states: few statements change many of them.
    pub objects: BTreeMap<ObjectId, Rc<Object>>,
    /// Begins at the end of what is allocated.
    pub fresh: Option<ObjectId>,
    pub next_id: ObjectId,
    /// Arrays of pointers, by segments; their cells are in no other list.
    pub tables: Vec<Rc<Table>>,
    /// How numbers relate.
    pub facts: Facts,
    /// What holds a chain or a tree together, or what waits for the end of a call, may have been overwritten: the state says
    /// too much.
    pub broken: bool,
    /// There may be other objects, which wait for the end of a call (`calls`).
    pub framed: bool,
}

impl State {
    pub fn add_object(&mut self, object: Object) -> ObjectId {
        let id = self.next_id;
        self.next_id += 1;
        self.objects.insert(id, Rc::new(object));
        id
    }

    pub fn object_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        self.objects.get_mut(&id).map(Rc::make_mut)
    }

    /// How many values it holds: what copying and comparing it costs.
    pub fn size(&self) -> u64 {
        let objects = self.objects.values();
        let cells: usize = objects.map(|o| 1 + o.cells.len() + o.rest.len()).sum();
        let borders: usize = self.tables.iter().map(|t| 4 * t.segments.len()).sum();
        (cells + borders + self.vars.len() + self.statics.len()) as u64
    }

    pub fn is_chain(&self, id: ObjectId) -> bool {
        self.objects.get(&id).is_some_and(|o| o.links().is_some())
    }

    /// Does it stand for one object or more?
    pub fn is_many(&self, id: ObjectId) -> bool {
        self.objects.get(&id).is_some_and(|o| !o.is_single())
    }

    pub fn cell(&self, id: ObjectId, cell: Cell) -> Val {
        match self.objects.get(&id).and_then(|o| o.cells.get(&cell)) {
            Some(&value) => value,
            None => self.rest(id, cell.0),
        }
    }

    /// The cells of the array in the object that are not listed.
    pub fn rest(&self, id: ObjectId, array: VarId) -> Val {
        let own = self.objects.get(&id).and_then(|o| o.rest.get(&array));
        let default = own.or_else(|| self.defaults.get(&array));
        default.copied().unwrap_or(Val::ANY)
    }

    pub fn fixed(&self, cell: Cell) -> Val {
        let default = || self.static_defaults.get(&cell.0);
        let value = self.statics.get(&cell).or_else(default);
        value.copied().unwrap_or(Val::ANY)
    }

    /// What the fixed cells that another state knows hold here and there. Both are in order: nothing is looked up.
    pub fn fixed_beside<'a>(&'a self, other: &'a State) -> impl Iterator<Item = (Val, Val)> + 'a {
        let mut own = self.statics.iter().peekable();
        other.statics.iter().map(move |(cell, there)| {
            while own.next_if(|(known, _)| *known < cell).is_some() {}
            let here = match own.peek() {
                Some((known, here)) if *known == cell => **here,
                _ => self.fixed(*cell),
            };
            (here, *there)
        })
    }

    /// Nothing is known of the array any more.
    pub fn forget_array(&mut self, array: VarId) {
        self.broken |= self.framed || self.objects.values().any(|o| o.hangs_by(array));
        self.forget_tables(array);
        self.drop_array(array);
    }

    /// Nobody reads the array as it is now.
    fn drop_array(&mut self, array: VarId) {
        self.forget_array_facts(array);
        self.defaults.remove(&array);
        self.static_defaults.remove(&array);
        self.statics.retain(|c, _| c.0 != array);
        for object in self.objects.values_mut() {
            let known = |o: &Object| o.cells.keys().any(|c| c.0 == array);
            if known(object) || object.rest.contains_key(&array) {
                let object = Rc::make_mut(object);
                object.cells.retain(|c, _| c.0 != array);
                object.rest.remove(&array);
            }
        }
    }

    /// The array has the value everywhere.
    pub fn fill_array(&mut self, array: VarId, value: Val) {
        self.forget_array(array);
        self.defaults.insert(array, value);
        self.static_defaults.insert(array, value);
    }

    /// All values, with those of the objects of which something is to be changed.
    fn values_mut(&mut self, changes: impl Fn(&Object) -> bool) -> impl Iterator<Item = &mut Val> {
        let objects = self.objects.values_mut().filter(move |o| changes(o));
        let cells = objects.map(Rc::make_mut);
        let cells = cells.flat_map(|o| o.cells.values_mut().chain(o.rest.values_mut()));
        let own = self.vars.values_mut().chain(self.statics.values_mut());
        let defaults = self.defaults.values_mut();
        let defaults = defaults.chain(self.static_defaults.values_mut());
        own.chain(defaults).chain(cells)
    }

    pub fn redirect(&mut self, from: Target, to: Target) {
        let points = move |o: &Object| o.values().any(|v| v.target() == Some(from));
        for value in self.values_mut(points) {
            if let Some(base) = value.base
                && base.target() == from
            {
                value.base = Some(base.at(to));
            }
        }
    }

    /// A chain with an end that is one object: the whole chain, or one that another chain follows; of a tree, the root
    /// or the object with the hole.
    pub fn unfolded(&self, need: &Need) -> Vec<State> {
        match need {
            Need::End(target) => self.unfolded_end(*target),
            Need::Cell(spot) => self.unfolded_cell(spot),
        }
    }

    fn unfolded_end(&self, target: Target) -> Vec<State> {
        let Some(object) = self.objects.get(&target.object) else {
            return vec![self.clone()];
        };
        let links = match &object.kind {
            Kind::Single | Kind::Row => return vec![self.clone()],
            Kind::Chain(links) => *links,
            Kind::Tree(tree) => return self.unfolded_tree(target, tree),
        };
        let seg = target.object;
        let first = |object| Target {
            object,
            end: End::First,
        };
        let last = Target {
            object: seg,
            end: End::Last,
        };
        let owned = self.owned(seg);
        // A single object.
        let mut single = self.clone();
        if let Some(object) = single.object_mut(seg) {
            object.kind = Kind::Single;
        }
        single.redirect(last, first(seg));
        for id in &owned {
            if let Some(object) = single.object_mut(*id)
                && object.owner == Some(seg)
            {
                object.owner = None;
            }
        }
        // An object and the rest.
        let mut more = self.clone();
        let id = more.copy(seg, Some(links), &owned, Kind::Single);
        more.copy_facts(seg, id);
        let to = Interval::number(links.to);
        match target.end {
            End::First => {
                more.redirect_first(seg, links, &owned, first(id));
                let prev = links.prev.map(|(p, at)| (p, at, more.cell(seg, p)));
                let rest = Val::address(first(seg), to);
                set(&mut more, id, links.next, rest);
                if let Some((p, at, before)) = prev {
                    set(&mut more, id, p, before);
                    let back = Val::address(first(id), Interval::number(at));
                    set(&mut more, seg, p, back);
                }
            }
            End::Last => {
                more.redirect(last, first(id));
                let after = more.cell(seg, links.next);
                set(&mut more, id, links.next, after);
                set(&mut more, seg, links.next, Val::address(first(id), to));
                if let Some((p, at)) = links.prev {
                    let back = Val::address(last, Interval::number(at));
                    set(&mut more, id, p, back);
                }
            }
        }
        settled(vec![single, more])
    }

    /// Need it not be there, as it is optional or belongs to what is?
    pub fn may_be_absent(&self, id: ObjectId) -> bool {
        let mut at = self.objects.get(&id);
        while let Some(object) = at {
            if object.optional || object.kind == Kind::Row {
                return true;
            }
            at = object.owner.and_then(|o| self.objects.get(&o));
        }
        false
    }

    /// Without an object and all that it owns: what points there is zero.
    fn without(mut self, id: ObjectId) -> State {
        let mut gone = self.owned(id);
        gone.insert(id);
        let points = |v: &Val| v.target().is_some_and(|t| gone.contains(&t.object));
        let mut changed: BTreeSet<(ObjectId, Cell)> = BTreeSet::new();
        for (&holder, object) in &self.objects {
            let cells = object.cells.iter().filter(|(_, v)| points(v));
            changed.extend(cells.map(|(c, _)| (holder, *c)));
        }
        self.forget_names(|n| matches!(n, Name::Cell(o, c) if changed.contains(&(o, c))));
        self.forget_object_facts(|x| gone.contains(&x));
        self.objects.retain(|x, _| !gone.contains(x));
        for value in self.values_mut(|o| o.values().any(points)) {
            if points(value) {
                *value = Val::int(Interval::number(0));
            }
        }
        self
    }

    /// What belongs to a single object that nobody owns, and that is there, is an object like others.
    ///
    /// Sound because that object has exactly one like it, as each of those that it was taken from.
    fn release(&mut self) {
        let free = |s: &State, id: ObjectId| {
            let object = s.objects.get(&id);
            object.is_some_and(|o| o.is_single() && o.owner.is_none() && !o.optional)
        };
        let freed = |s: &State| {
            let owned = s.objects.iter();
            let mut owned = owned.filter(|(_, o)| o.owner.is_some_and(|o| free(s, o)));
            owned.next().map(|(id, _)| *id)
        };
        while let Some(id) = freed(self) {
            if let Some(object) = self.object_mut(id) {
                object.owner = None;
            }
        }
    }

    /// All that a chain owns, and what that owns.
    pub fn owned(&self, chain: ObjectId) -> BTreeSet<ObjectId> {
        let mut out = BTreeSet::new();
        loop {
            let before = out.len();
            for (&id, object) in &self.objects {
                if object.owner.is_some_and(|o| o == chain || out.contains(&o)) {
                    out.insert(id);
                }
            }
            if out.len() == before {
                return out;
            }
        }
    }

    /// Adds an object like those of the chain, with copies of all that the chain owns; its links are those of the
    /// chain still.
    pub(super) fn copy(
        &mut self,
        chain: ObjectId,
        links: Option<Links>,
        owned: &BTreeSet<ObjectId>,
        kind: Kind,
    ) -> ObjectId {
        let mut names: BTreeMap<ObjectId, ObjectId> = BTreeMap::new();
        for &id in std::iter::once(&chain).chain(owned) {
            names.insert(id, self.next_id);
            let object = Object::clone(&self.objects[&id]);
            self.add_object(object);
        }
        let renamed = |value: &mut Val| {
            if let Some(base) = value.base
                && let Some(&object) = names.get(&base.target().object)
            {
                let target = base.target();
                value.base = Some(base.at(Target { object, ..target }));
            }
        };
        for (&old, new) in &names {
            let Some(object) = self.object_mut(*new) else {
                continue;
            };
            for (cell, value) in &mut object.cells {
                if old != chain || links.is_none_or(|l| !l.is_link(*cell)) {
                    renamed(value);
                }
            }
            object.rest.values_mut().for_each(renamed);
            if old == chain {
                object.kind = kind.clone();
            } else {
                let one = kind == Kind::Single;
                let owner = object.owner.filter(|o| !one || *o != chain);
                object.owner = owner.and_then(|o| names.get(&o).copied());
            }
        }
        names[&chain]
    }

    /// Who pointed to the first object of the chain points to another; in the chain and in what it owns its
    /// address means each object's own and stays.
    fn redirect_first(
        &mut self,
        chain: ObjectId,
        links: Links,
        owned: &BTreeSet<ObjectId>,
        to: Target,
    ) {
        let inner =
            |id: ObjectId, cell: Cell| owned.contains(&id) || id == chain && !links.is_link(cell);
        let own = |object: &Object, id: ObjectId| -> Vec<(Cell, Val)> {
            let cells = object.cells.iter().filter(|(c, _)| inner(id, **c));
            cells.map(|(c, v)| (*c, *v)).collect()
        };
        let kept: Vec<(ObjectId, Vec<(Cell, Val)>)> = self
            .objects
            .iter()
            .map(|(id, o)| (*id, own(o, *id)))
            .collect();
        self.redirect(single(chain), to);
        for (id, cells) in kept {
            for (cell, value) in cells {
                set(self, id, cell, value);
            }
        }
    }

    /// Objects that something points to, from variables, fixed cells and these objects on.
    pub fn reachable(&self, from: impl Iterator<Item = ObjectId>) -> BTreeSet<ObjectId> {
        let mut seen = BTreeSet::new();
        let own = self.vars.values().chain(self.statics.values());
        let own = own.chain(self.defaults.values());
        let own = own.chain(self.static_defaults.values());
        let mut work: Vec<ObjectId> = own.filter_map(|v| Some(v.target()?.object)).collect();
        work.extend(from);
        while let Some(id) = work.pop() {
            if seen.insert(id)
                && let Some(object) = self.objects.get(&id)
            {
                let values = object.cells.values().chain(object.rest.values());
                work.extend(values.filter_map(|v| Some(v.target()?.object)));
                work.extend(object.owner);
            }
        }
        seen
    }

    /// Drops variables and arrays that nobody reads any more, and objects that nothing points to and
    /// that look like what was never allocated in arrays that are compared as a whole.
    ///
    /// Sound because a dropped object is as the defaults say where anybody asks: what nothing points to is read and written
    /// by way of values that may be any number only. Dropping other facts only forgets.
    pub fn tidy(&mut self, is_live: impl Fn(VarId) -> bool, is_whole: impl Fn(VarId) -> bool) {
        let dead = |n: Name| matches!(n, Name::Var(v) if !is_live(v));
        self.round_borders(dead);
        self.forget_names(dead);
        self.vars.retain(|v, _| is_live(*v));
        let mut arrays: BTreeSet<VarId> = self.defaults.keys().copied().collect();
        arrays.extend(self.static_defaults.keys());
        arrays.extend(self.statics.keys().map(|c| c.0));
        for object in self.objects.values() {
            arrays.extend(object.cells.keys().map(|c| c.0));
            arrays.extend(object.rest.keys());
        }
        for array in arrays.into_iter().filter(|a| !is_live(*a)) {
            self.drop_array(array);
        }
        let stays = |(_, object): &(&ObjectId, &Rc<Object>)| {
            let cells = object.cells.iter().map(|(c, v)| (c.0, v));
            let mut all = cells.chain(object.rest.iter().map(|(a, v)| (*a, v)));
            all.any(|(array, value)| {
                is_whole(array) && {
                    let default = self.defaults.get(&array);
                    default.is_some_and(|d| d != value || d.offset.exact().is_none())
                }
            })
        };
        let kept: Vec<ObjectId> = self.objects.iter().filter(stays).map(|o| *o.0).collect();
        let seen = self.reachable(kept.into_iter().chain(self.fresh));
        let seen = self.with_tables(seen);
        self.forget_object_facts(|id| !seen.contains(&id));
        self.objects.retain(|id, _| seen.contains(id));
        self.tables.retain(|t| seen.contains(&t.segments[0].cells));
        for object in self.objects.values_mut() {
            // Unlisted cells have any value where there is no default.
            let known = |a: &VarId| self.defaults.contains_key(a) || object.rest.contains_key(a);
            let idle = |c: &Cell, v: &Val| *v == Val::ANY && !known(&c.0);
            let idle: Vec<Cell> = object
                .cells
                .iter()
                .filter(|(c, v)| idle(c, v))
                .map(|(c, _)| *c)
                .collect();
            if !idle.is_empty() {
                Rc::make_mut(object).cells.retain(|c, _| !idle.contains(c));
            }
        }
    }

    /// Does a variable or a fixed cell point to the object?
    pub fn is_named(&self, id: ObjectId) -> bool {
        let mut names = self.vars.values().chain(self.statics.values());
        names.any(|v| v.target().is_some_and(|t| t.object == id))
    }

    /// How many objects nothing points to.
    pub fn lost(&self) -> usize {
        let seen = self.with_tables(self.reachable(self.fresh.into_iter()));
        let lost = self.objects.keys().filter(|id| !seen.contains(id));
        lost.count()
    }

    /// Names the objects in the order in which pointers lead to them, so that equal states are equal.
    pub fn renumber(&mut self) {
        let own = self.vars.values().chain(self.statics.values());
        let mut queue: VecDeque<ObjectId> = own.filter_map(|v| Some(v.target()?.object)).collect();
        queue.extend(self.fresh);
        queue.extend(self.objects.keys());
        let mut names: BTreeMap<ObjectId, ObjectId> = BTreeMap::new();
        let mut front: Vec<ObjectId> = Vec::new();
        while let Some(id) = front.pop().or_else(|| queue.pop_front()) {
            let name = names.len() as ObjectId;
            let Some(object) = self.objects.get(&id) else {
                continue;
            };
            if let std::collections::btree_map::Entry::Vacant(e) = names.entry(id) {
                e.insert(name);
                let to = object
                    .cells
                    .values()
                    .filter_map(|v| Some(v.target()?.object));
                front.extend(to);
            }
        }
        let same = names.iter().all(|(old, new)| old == new) && names.len() == self.objects.len();
        for value in self.values_mut(|o| !same && o.values().any(|v| v.base.is_some())) {
            if let Some(base) = value.base {
                let target = base.target();
                *value = match names.get(&target.object) {
                    Some(&object) => Val {
                        base: Some(base.at(Target { object, ..target })),
                        ..*value
                    },
                    None => Val::ANY,
                };
            }
        }
        let objects = std::mem::take(&mut self.objects);
        let named = objects.into_iter();
        let named = named.filter_map(|(id, o)| Some((*names.get(&id)?, o)));
        self.objects = named.collect();
        for object in self.objects.values_mut().filter(|o| o.owner.is_some()) {
            let owner = object.owner.and_then(|o| names.get(&o).copied());
            if owner != object.owner {
                Rc::make_mut(object).owner = owner;
            }
        }
        if !same {
            self.forget_object_facts(|id| !names.contains_key(&id));
            self.rename_facts(|n| match n.object().and_then(|o| names.get(&o)) {
                Some(&new) => n.at(new),
                None => n,
            });
        }
        self.fresh = self.fresh.and_then(|f| names.get(&f).copied());
        for table in &mut self.tables {
            let table = Rc::make_mut(table);
            // An object that is no more is not the fixed addresses.
            table.holder = table
                .holder
                .map(|h| names.get(&h).copied().unwrap_or(ObjectId::MAX));
            for segment in &mut table.segments {
                if let Some(&name) = names.get(&segment.cells) {
                    segment.cells = name;
                }
            }
        }
        self.next_id = self.objects.len() as ObjectId;
    }
}

/// Optional objects that nobody owns any more are there, or are not.
///
/// Sound because these are the two cases there are for one object of a chain, and without it what would point to it
/// is zero.
pub(super) fn settled(mut open: Vec<State>) -> Vec<State> {
    let mut out = Vec::new();
    while let Some(mut state) = open.pop() {
        state.release();
        let free = |o: &Object| o.optional && o.owner.is_none();
        let Some(id) = state.objects.iter().find(|o| free(o.1)).map(|o| *o.0) else {
            out.push(state);
            continue;
        };
        open.push(state.clone().without(id));
        if let Some(object) = state.object_mut(id) {
            object.optional = false;
        }
        open.push(state);
    }
    out
}

pub(super) fn set(state: &mut State, id: ObjectId, cell: Cell, value: Val) {
    if let Some(object) = state.object_mut(id) {
        object.cells.insert(cell, value);
    }
}

/// The target that is a single object.
pub(super) fn single(object: ObjectId) -> Target {
    Target {
        object,
        end: End::First,
    }
}

/// Base and target of an address.
pub(super) fn address_of(value: Val) -> Option<Target> {
    match value.base {
        Some(Base::Address(t)) => Some(t),
        _ => None,
    }
}
