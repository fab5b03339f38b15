//! Abstract states: what variables hold, what objects there are and what is in them.
//!
//! Meaning. A state stands for all concrete states in which
//!
//! - every variable has one of the alternatives of its value, a variable that is not listed any number of its range;
//! - every object of memory is of one listed kind: a declared one, the last of a place of allocation, one that a
//!   variable holds, or one of all others of that place; a listed cell has its value, other cells that of `rest`, where
//!   the object has none that of `defaults` (declared objects, and arrays with one cell an object), else any;
//! - or it is of none: no value but one that is any number is its address, and in arrays that the program compares as a
//!   whole it has what `defaults` say (`owned`);
//! - all facts hold (`facts`), for each object of a kind that is many.
//!
//! An object that is not `sure` need not exist; then what is said of it says nothing.

use super::bounds::Facts;
use super::names::{Cell, Factor, Form, Mark, Name, Obj, Val, Zero};
use base::IndexVec;
use logic::{Interval, TermId};
use program::VarId;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What all cells of an array are from the start of an object, or from `Name::Start` on, up to `Name::Fill`, in steps of
/// `stride` bytes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Segment {
    pub stride: i64,
    pub value: Val,
    /// Between these lies, for each of its cells, the number times the stride less the place: cells of `fail[i] <= i` have
    /// none above zero. Nothing is said of addresses.
    pub beside: Interval,
    /// No two of its cells point to the same object.
    pub distinct: bool,
    /// It begins at `Name::Start`.
    pub starts: bool,
    /// What the cell at `Name::Pick` holds, which lies beside the segment.
    pub picked: Option<Val>,
}

impl Segment {
    /// The names of the places that it speaks of.
    pub fn names(&self, o: Obj, array: VarId) -> impl Iterator<Item = Name> + use<> {
        let start = self.starts.then_some(Name::Start(o, array));
        let pick = self.picked.is_some().then_some(Name::Pick(o, array));
        [Name::Fill(o, array)].into_iter().chain(start).chain(pick)
    }

    /// Bounds of numbers beside their places in this segment and another.
    pub fn both_beside(&self, other: &Segment) -> Interval {
        match (self.value.alts().is_empty(), other.value.alts().is_empty()) {
            (true, _) => other.beside,
            (_, true) => self.beside,
            _ => self.beside.hull(&other.beside),
        }
    }

    /// One cell more has this value, and lies so beside its place.
    pub fn add(&mut self, value: &Val, beside: Interval) {
        self.beside = match self.value.alts().is_empty() {
            true => beside,
            false => self.beside.hull(&beside),
        };
        self.value = self.value.join(value);
    }

    /// A segment of the first cell.
    pub fn new(stride: i64, value: Val) -> Segment {
        Segment {
            stride,
            beside: Interval::ANY,
            distinct: value.alts().is_empty() || value.is_one_object(),
            value,
            starts: false,
            picked: None,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Object {
    /// The edge that allocates it.
    pub site: u32,
    /// Surely there.
    pub sure: bool,
    pub cells: BTreeMap<Cell, Val>,
    pub rest: BTreeMap<VarId, Val>,
    pub segments: BTreeMap<VarId, Segment>,
    /// Arrays with a zero at `Name::Mark`.
    pub marks: BTreeSet<Mark>,
}

impl Object {
    pub fn new(site: u32) -> Object {
        Object {
            site,
            sure: true,
            cells: BTreeMap::new(),
            rest: BTreeMap::new(),
            segments: BTreeMap::new(),
            marks: BTreeSet::new(),
        }
    }

    fn values_mut(&mut self) -> impl Iterator<Item = &mut Val> {
        let segments = self.segments.values_mut();
        let segments = segments.flat_map(|s| [&mut s.value].into_iter().chain(&mut s.picked));
        self.cells
            .values_mut()
            .chain(self.rest.values_mut())
            .chain(segments)
    }

    pub fn values(&self) -> impl Iterator<Item = &Val> {
        let segments = self.segments.values();
        let segments = segments.flat_map(|s| [&s.value].into_iter().chain(&s.picked));
        self.cells
            .values()
            .chain(self.rest.values())
            .chain(segments)
    }
}

/// What is the same for all states of a program.
#[derive(Debug)]
pub(super) struct Frame {
    pub ranges: IndexVec<VarId, Interval>,
    /// Arrays with one cell an object.
    pub by_block: BTreeSet<VarId>,
    /// Those of them that the program compares as a whole.
    pub wholes: BTreeSet<VarId>,
    /// Variables that say that something failed, and by which numbers.
    pub signals: BTreeMap<VarId, BTreeSet<i128>>,
    /// Variables that count laps.
    pub counters: BTreeSet<VarId>,
    /// How many objects may be held by cells alone.
    pub kept: usize,
    /// Differences of variables that the program compares.
    pub compared: Vec<Form>,
    /// Work done on facts since somebody asked.
    pub work: std::cell::Cell<u64>,
}

#[derive(Clone, Debug)]
pub(super) struct State {
    pub frame: Rc<Frame>,
    pub vars: BTreeMap<VarId, Val>,
    pub objects: BTreeMap<Obj, Rc<Object>>,
    pub defaults: BTreeMap<VarId, Val>,
    pub facts: Facts,
    /// Bounds of the numbers that are in no variable or cell: marks, fills, terms.
    pub ghosts: BTreeMap<Name, Interval>,
    /// Conditions of the step that the state was split by.
    pub decided: BTreeMap<TermId, bool>,
    /// Pairs of objects of which the step has learnt that the first lies above the second.
    pub above: BTreeSet<(Obj, Obj)>,
}

impl State {
    pub fn new(frame: Rc<Frame>) -> State {
        State {
            frame,
            vars: BTreeMap::new(),
            objects: BTreeMap::new(),
            defaults: BTreeMap::new(),
            facts: Facts::default(),
            ghosts: BTreeMap::new(),
            decided: BTreeMap::new(),
            above: BTreeSet::new(),
        }
    }

    /// Forgets the numbers and decisions of a step.
    pub fn end_step(&mut self) {
        self.decided.clear();
        self.above.clear();
        self.forget_ghosts(|n| matches!(n, Name::Aux(_)));
    }

    pub fn var(&self, v: VarId) -> Val {
        match self.vars.get(&v) {
            Some(value) => value.clone(),
            None => Val::number(self.frame.ranges[v]),
        }
    }

    pub fn object_mut(&mut self, id: Obj) -> &mut Object {
        let made = || {
            let mut object = Object::new(u32::MAX);
            object.sure = matches!(id, Obj::Static(_) | Obj::Fresh);
            Rc::new(object)
        };
        Rc::make_mut(self.objects.entry(id).or_insert_with(made))
    }

    /// Is it a number, and no address?
    pub fn is_number_at(&self, factor: Factor) -> bool {
        match factor {
            Factor::Var(v) => !self.var(v).has_pointer(),
            Factor::Cell(o, c) => !self.cell(o, c).has_pointer(),
        }
    }

    /// Is it any of the numbers of a segment that has none?
    pub fn is_of_empty_segment(&self, name: Name) -> bool {
        let Name::Each(o, array) = name else {
            return false;
        };
        let segment = self.objects.get(&o).and_then(|x| x.segments.get(&array));
        segment.is_some_and(|s| s.value.alts().is_empty())
    }

    /// There may be no zero any more; what is left of two is the first.
    pub fn drop_mark(&mut self, o: Obj, (array, zero): Mark) {
        let name = Name::Mark(o, (array, zero));
        self.forget_name(name);
        self.ghosts.remove(&name);
        self.object_mut(o).marks.remove(&(array, zero));
        let last = (array, Zero::Last);
        if zero == Zero::First && self.object_mut(o).marks.remove(&last) {
            self.object_mut(o).marks.insert((array, zero));
            let last = Name::Mark(o, last);
            self.rename_names(|n| if n == last { name } else { n });
        }
    }

    pub fn is_sure(&self, id: Obj) -> bool {
        match id {
            Obj::Static(_) | Obj::Fresh => true,
            Obj::Old(_) => false,
            Obj::Recent(_) | Obj::Held(_) => self.objects.get(&id).is_some_and(|o| o.sure),
        }
    }

    /// What cells of an object hold that are not listed.
    pub fn rest(&self, id: Obj, array: VarId) -> Val {
        if let Some(object) = self.objects.get(&id)
            && let Some(value) = object.rest.get(&array)
        {
            return value.clone();
        }
        let has_default = matches!(id, Obj::Static(_)) || self.frame.by_block.contains(&array);
        match self.defaults.get(&array).filter(|_| has_default) {
            Some(value) => value.clone(),
            None => Val::any(),
        }
    }

    pub fn cell(&self, id: Obj, cell: Cell) -> Val {
        let object = self.objects.get(&id);
        match object.and_then(|o| o.cells.get(&cell)) {
            Some(value) => value.clone(),
            None => self.rest(id, cell.0),
        }
    }

    /// The array has any values.
    pub fn forget_array(&mut self, array: VarId) {
        self.forget_names(|n| n.is_in(|a| a == array));
        self.ghosts.retain(|n, _| !n.is_in(|a| a == array));
        self.defaults.remove(&array);
        for object in self.objects.values_mut() {
            let own = |o: &Object| {
                o.rest.contains_key(&array)
                    || o.cells.keys().any(|c| c.0 == array)
                    || o.segments.contains_key(&array)
                    || o.marks.iter().any(|m| m.0 == array)
            };
            if own(object) {
                let object = Rc::make_mut(object);
                object.cells.retain(|c, _| c.0 != array);
                object.rest.remove(&array);
                object.segments.remove(&array);
                object.marks.retain(|m| m.0 != array);
            }
        }
    }

    /// The array has the value everywhere.
    pub fn fill_array(&mut self, array: VarId, value: Val) {
        self.forget_array(array);
        self.defaults.insert(array, value);
    }

    /// The array becomes what the other is. Of its numbers the places of zeros and of segments are known to be the same.
    pub fn copy_array(&mut self, from: VarId, to: VarId) {
        self.forget_array(to);
        if let Some(value) = self.defaults.get(&from).cloned() {
            self.defaults.insert(to, value);
        }
        let ids: Vec<Obj> = self.objects.keys().copied().collect();
        for id in ids {
            let object = self.object_mut(id);
            let cells: Vec<(Cell, Val)> = object
                .cells
                .iter()
                .filter(|(c, _)| c.0 == from)
                .map(|(c, v)| ((to, c.1), v.clone()))
                .collect();
            object.cells.extend(cells);
            if let Some(value) = object.rest.get(&from).cloned() {
                object.rest.insert(to, value);
            }
            let mut same: Vec<(Name, Name)> = Vec::new();
            if let Some(mut segment) = object.segments.get(&from).cloned() {
                segment.picked = None;
                same.push((Name::Fill(id, from), Name::Fill(id, to)));
                if segment.starts {
                    same.push((Name::Start(id, from), Name::Start(id, to)));
                }
                object.segments.insert(to, segment);
            }
            for zero in [Zero::First, Zero::Last] {
                if object.marks.contains(&(from, zero)) {
                    object.marks.insert((to, zero));
                    same.push((Name::Mark(id, (from, zero)), Name::Mark(id, (to, zero))));
                }
            }
            for (old, new) in same {
                self.ghosts.insert(new, self.interval(old));
                let mut form = vec![(old, 1), (new, -1)];
                form.sort_unstable_by_key(|t| t.0);
                self.add_fact(form, Interval::single(0));
            }
        }
    }

    /// Gives objects other names in all values, not in `objects` nor in facts.
    pub fn rename_values(&mut self, from: Obj, to: impl Fn(&Val) -> Val) {
        for value in self.vars.values_mut() {
            if value.points_to(from) {
                *value = to(value);
            }
        }
        for value in self.defaults.values_mut() {
            if value.points_to(from) {
                *value = to(value);
            }
        }
        for object in self.objects.values_mut() {
            if object.values().any(|v| v.points_to(from)) {
                for value in Rc::make_mut(object).values_mut() {
                    if value.points_to(from) {
                        *value = to(value);
                    }
                }
            }
        }
    }

    /// Gives an object another name, which no object has.
    pub fn rename_object(&mut self, from: Obj, to: Obj) {
        let Some(object) = self.objects.remove(&from) else {
            return;
        };
        self.objects.insert(to, object);
        self.rename_values(from, |v| v.renamed(|o| if o == from { to } else { o }));
        self.rename_names(|n| {
            if n.object() == Some(from) {
                n.at(to)
            } else {
                n
            }
        });
    }

    /// Makes one object of a kind that is many an object of its own: the one that a value points to.
    /// Whatever else points to one of the many may point to this one.
    pub fn take_out(&mut self, many: Obj, one: Obj) {
        let Some(object) = self.objects.get(&many) else {
            return;
        };
        let mut object = Object::clone(object);
        object.sure = true;
        self.objects.insert(one, Rc::new(object));
        let both = |v: &Val| {
            let mut alts = v.alts().to_vec();
            let here = alts.iter().find(|a| a.base == Some(many)).copied();
            alts.extend(here.map(|a| super::names::Alt {
                base: Some(one),
                ..a
            }));
            Val::of(alts)
        };
        self.rename_values(many, both);
        self.copy_facts(many, one);
    }

    /// An object becomes one of the many of its site.
    ///
    /// Sound because a cell of the many is one of the two, and of the facts those stay that hold for both.
    pub fn put_back(&mut self, one: Obj) {
        let Some(object) = self.objects.get(&one) else {
            return;
        };
        let many = Obj::Old(object.site);
        if !self.objects.contains_key(&many) {
            self.rename_object(one, many);
            if let Some(object) = self.objects.get_mut(&many) {
                Rc::make_mut(object).sure = false;
            }
            return;
        }
        self.open_like(one, many);
        self.open_like(many, one);
        let facts = self.common_facts(one, many);
        let merged = self.merged(one, self, many);
        let bounds = self.merged_ghosts(one, self, many, &merged);
        let own = |n: Name| n.object() == Some(one) || n.object() == Some(many);
        self.forget_names(own);
        self.ghosts.retain(|n, _| !own(*n));
        self.ghosts.extend(bounds);
        self.objects.remove(&one);
        self.objects.insert(many, Rc::new(merged));
        self.rename_values(one, |v| v.renamed(|o| if o == one { many } else { o }));
        for fact in facts {
            self.add_fact(fact.form, fact.bounds);
        }
    }

    /// Segments that another object has and this one not begin empty, and what has one known zero has it as the last too.
    pub fn open_like(&mut self, id: Obj, like: Obj) {
        let Some(other) = self.objects.get(&like).cloned() else {
            return;
        };
        self.open_like_object(id, &other);
    }

    pub fn open_like_object(&mut self, id: Obj, other: &Object) {
        for &(array, zero) in &other.marks {
            let own = self.objects.get(&id);
            let marks = |zero| own.is_some_and(|o| o.marks.contains(&(array, zero)));
            if zero == Zero::Last && marks(Zero::First) && !marks(Zero::Last) {
                self.object_mut(id).marks.insert((array, Zero::Last));
                let (first, last) = (
                    Name::Mark(id, (array, Zero::First)),
                    Name::Mark(id, (array, Zero::Last)),
                );
                self.ghosts.insert(last, self.interval(first));
                self.keep_fact(vec![(first, 1), (last, -1)], Interval::single(0));
            }
        }
        for (&array, segment) in &other.segments {
            let Some(own) = self.objects.get(&id) else {
                continue;
            };
            let own = own.segments.get(&array);
            let starts = own.is_some_and(|s| s.starts);
            if own.is_none() {
                let empty = Segment::new(segment.stride, Val::none());
                self.object_mut(id).segments.insert(array, empty);
                let name = Name::Fill(id, array);
                self.ghosts.insert(name, Interval::single(0));
            }
            if segment.starts && !starts {
                if let Some(own) = self.object_mut(id).segments.get_mut(&array) {
                    own.starts = true;
                }
                let name = Name::Start(id, array);
                self.ghosts.insert(name, Interval::single(0));
            }
        }
    }

    /// An object that is like `one` here and like `many` there.
    pub fn merged(&self, one: Obj, there: &State, many: Obj) -> Object {
        let none = Object::new(u32::MAX);
        let x = self.objects.get(&one).map_or(&none, |o| o);
        let y = there.objects.get(&many).map_or(&none, |o| o);
        let mut out = Object::new(if x.site == u32::MAX { y.site } else { x.site });
        out.sure = x.sure && y.sure;
        for &cell in x.cells.keys().chain(y.cells.keys()) {
            let value = || self.cell(one, cell).join(&there.cell(many, cell));
            out.cells.entry(cell).or_insert_with(value);
        }
        for &array in x.rest.keys().chain(y.rest.keys()) {
            let value = || self.rest(one, array).join(&there.rest(many, array));
            out.rest.entry(array).or_insert_with(value);
        }
        for (&array, a) in &x.segments {
            if let Some(b) = y.segments.get(&array)
                && a.stride == b.stride
            {
                let segment = Segment {
                    stride: a.stride,
                    value: a.value.join(&b.value),
                    beside: a.both_beside(b),
                    distinct: a.distinct && b.distinct,
                    starts: a.starts || b.starts,
                    picked: a
                        .picked
                        .as_ref()
                        .zip(b.picked.as_ref())
                        .map(|(a, b)| a.join(b)),
                };
                out.segments.insert(array, segment);
            }
        }
        out.marks = x.marks.intersection(&y.marks).copied().collect();
        out
    }

    /// Bounds of the marks and fills of a merged object.
    fn merged_ghosts(
        &self,
        one: Obj,
        there: &State,
        many: Obj,
        merged: &Object,
    ) -> Vec<(Name, Interval)> {
        let marks = merged.marks.iter().map(|a| Name::Mark(many, *a));
        let segments = merged.segments.iter();
        let ends = segments.flat_map(|(a, s)| s.names(many, *a));
        let hull = |n: Name| self.interval(n.at(one)).hull(&there.interval(n));
        marks.chain(ends).map(|n| (n, hull(n))).collect()
    }

    /// A measure of what a step on the state costs.
    pub fn size(&self) -> u64 {
        let cells: usize = self.objects.values().map(|o| 1 + o.cells.len()).sum();
        (self.vars.len() + cells + self.facts.len()) as u64
    }
}
