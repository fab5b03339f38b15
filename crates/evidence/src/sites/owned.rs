//! Arrays that own what they point to: each cell of a segment has an object of its own.
//!
//! Idea, on `for (i = 0; i < n; i++) free(rows[i]);`: all rows are one object here, of which it is known that it lives. After
//! one of them was freed nothing would be known of any. But no two cells point to the same row, and nobody else points to
//! a row at all:
//!
//! ```text
//!   rows -> [ 0 .. 8 n: each another row ]                      all rows live
//!   rows[i], i = 0:  the cell is picked, the segment begins at 8, and its row is no longer one of the many
//!   free:            the picked row is dead and nobody will find it: it is forgotten, the others live
//! ```
//! A row that lives still when nobody holds it goes back, and its cell with it. Cells are picked at either end of a
//! segment, as loops walk over arrays upwards or downwards.
//!
//! Sound because of identities of objects: a segment is `distinct` if each value that was written behind it is the address
//! of one known object to which none of its cells points. Whether somebody else points to one of the many is seen in the state; a value that
//! is any number may be its address all the same, and whoever uses one as an address is told nothing.

use super::lin::Lin;
use super::names::{Alt, Name, Obj, Val};
use super::residue::Residue;
use super::state::{Object, Segment, State};
use super::terms::Terms;
use logic::Interval;
use program::VarId;
use std::rc::Rc;

/// What may happen to objects when a cell is picked no more: in the middle of a step there may be numbers that speak of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Objects {
    Stay,
    Change,
}

impl State {
    fn segment(&self, o: Obj, array: VarId) -> Option<&Segment> {
        self.objects.get(&o)?.segments.get(&array)
    }

    pub fn picked(&self, o: Obj, array: VarId) -> Option<Val> {
        self.segment(o, array)?.picked.clone()
    }

    pub fn set_picked(&mut self, o: Obj, array: VarId, value: Val) {
        if let Some(segment) = self.segment_mut(o, array) {
            segment.picked = Some(value);
        }
    }

    fn segment_mut(&mut self, o: Obj, array: VarId) -> Option<&mut Segment> {
        self.object_mut(o).segments.get_mut(&array)
    }

    /// Does a value that is told apart from others point to the object, but for cells of this array of this object?
    fn is_held_beside(&self, object: Obj, holder: Obj, array: VarId) -> bool {
        let points = |v: &Val| v.points_to(object) && !v.is_any();
        let elsewhere = |(&id, x): (&Obj, &Rc<Object>)| {
            let own = |a: VarId| id == holder && a == array;
            x.cells.iter().any(|(c, v)| !own(c.0) && points(v))
                || x.rest.iter().any(|(a, v)| !own(*a) && points(v))
                || x.segments.iter().any(|(a, s)| {
                    !own(*a) && (points(&s.value) || s.picked.as_ref().is_some_and(points))
                })
        };
        self.vars.values().any(points)
            || self.defaults.values().any(points)
            || self.objects.iter().any(elsewhere)
    }

    /// Does somebody point to what was picked, but for the picked cell?
    fn is_held_beside_pick(&self, one: Obj, holder: Obj, array: VarId) -> bool {
        let points = |v: &Val| v.points_to(one) && !v.is_any();
        let own = self.objects.get(&holder).is_some_and(|x| {
            x.cells.iter().any(|(c, v)| c.0 == array && points(v))
                || x.rest.get(&array).is_some_and(points)
                || x.segments.get(&array).is_some_and(|s| points(&s.value))
        });
        own || self.is_held_beside(one, holder, array)
    }

    /// Is an object of this kind alive: does it differ from what nobody allocated?
    fn is_alive(&self, id: Obj) -> bool {
        let mut wholes = self.frame.wholes.iter();
        wholes.any(|&a| {
            let default = self.defaults.get(&a);
            !default.is_some_and(|d| d.includes(&self.cell(id, (a, 0))))
        })
    }

    /// Is an object of this kind surely alive, so that none of them is ever forgotten as lost?
    pub(super) fn is_surely_alive(&self, id: Obj) -> bool {
        let mut wholes = self.frame.wholes.iter();
        wholes.any(|&a| match self.defaults.get(&a) {
            None => true,
            Some(dead) => {
                let apart = self.cell(id, (a, 0)).hull().meet(&dead.hull()).is_empty();
                apart && !dead.has_pointer() && !self.cell(id, (a, 0)).has_pointer()
            }
        })
    }

    /// Would an object that goes back to the many leave them as they are, as far as objects as a whole are concerned?
    fn is_alike(&self, one: Obj, many: Obj) -> bool {
        let mut by_block = self.frame.by_block.iter();
        by_block.all(|&a| self.cell(many, (a, 0)).includes(&self.cell(one, (a, 0))))
    }

    /// Is it an object that nobody can find and that is not alive, unlike the others of its place?
    pub fn is_lost(&self, one: Obj) -> bool {
        let Some(object) = self.objects.get(&one) else {
            return false;
        };
        let points = |v: &Val| v.points_to(one) && !v.is_any();
        let many = Obj::Old(object.site);
        let alike = self.objects.contains_key(&many) && self.is_alike(one, many);
        !alike
            && !self.is_alive(one)
            && !self.vars.values().any(points)
            && !self.defaults.values().any(points)
            && !self.objects.values().any(|x| x.values().any(points))
    }

    /// Forgets which cell was picked.
    fn drop_pick(&mut self, o: Obj, array: VarId) {
        if let Some(segment) = self.segment_mut(o, array) {
            segment.picked = None;
        }
        let pick = Name::Pick(o, array);
        self.forget_name(pick);
        self.ghosts.remove(&pick);
    }

    /// Forgets an object that nobody can find and that is not alive.
    ///
    /// Sound because only arrays that are compared as a whole are asked about objects that nobody points to.
    pub fn forget_object(&mut self, id: Obj) {
        let own = |n: Name| n.object() == Some(id);
        self.forget_names(own);
        self.ghosts.retain(|n, _| !own(*n));
        self.objects.remove(&id);
        // What is left that names it is any number.
        self.rename_values(id, |_| Val::any());
    }
}

impl Terms<'_> {
    /// A place that a state speaks of is here from now on.
    pub(super) fn set_place(&self, state: &mut State, name: Name, at: &Lin) {
        let new = Name::New(u32::MAX);
        state.ghosts.insert(new, self.quick(state, at));
        let equal = Lin::name(new).plus(-1, at, self.block);
        self.add(state, &equal, &Interval::single(0));
        state.forget_name(name);
        state.ghosts.remove(&name);
        state.rename_names(|n| if n == new { name } else { n });
    }

    fn is_at(&self, state: &State, off: &Lin, place: &Lin) -> bool {
        let apart = off.plus(-1, place, self.block);
        self.is_within(state, &apart, &Interval::single(0))
    }

    /// What the picked cell holds, if it is here.
    pub(super) fn picked(&self, state: &State, array: VarId, o: Obj, off: &Lin) -> Option<Val> {
        let value = state.picked(o, array).filter(|_| !o.is_many())?;
        let here = self.is_at(state, off, &Lin::name(Name::Pick(o, array)));
        here.then_some(value)
    }

    /// May another cell be picked? In a step that was split for the sake of one cell that one stays.
    fn can_change(&self, state: &State, array: VarId, o: Obj) -> bool {
        !self.loose.get() && (self.splits.get() == 0 || state.picked(o, array).is_none())
    }

    /// Is it a cell at an end of a segment that owns what it points to? Says of which kind that is, and whether it is the
    /// first cell.
    pub(super) fn can_pick(
        &self,
        state: &State,
        array: VarId,
        o: Obj,
        off: &Lin,
    ) -> Option<(Obj, bool)> {
        if o.is_many() || off.rest.as_single().is_none() || !self.can_change(state, array, o) {
            return None;
        }
        let segment = state.segment(o, array)?;
        let alt = segment.value.single()?;
        let many = alt.base.filter(|b| b.is_many())?;
        if !segment.distinct || alt.off != Interval::single(0) || !state.is_alive(many) {
            return None;
        }
        self.is_filled(state, array, o, off)?;
        let start = match segment.starts {
            true => Lin::name(Name::Start(o, array)),
            false => Lin::number(0),
        };
        let next = off.plus(1, &Lin::number(i128::from(segment.stride)), self.block);
        let first = self.is_at(state, off, &start);
        let last = || self.is_at(state, &next, &Lin::name(Name::Fill(o, array)));
        let ends = first || last();
        (ends && !state.is_held_beside(many, o, array)).then_some((many, first))
    }

    /// Picks a cell: its object is one of the many no more.
    ///
    /// Sound because no other cell of the segment points to it, and nobody else to one of the many; and because this is done
    /// before a step begins anew, when nothing but the state speaks of objects.
    pub(super) fn pick(&self, state: &mut State, o: Obj, array: VarId, off: &Lin) {
        self.unpick(state, o, array, Objects::Change);
        let Some((many, first)) = self.can_pick_now(state, array, o, off) else {
            return;
        };
        let Some(stride) = state.segment(o, array).map(|s| s.stride) else {
            return;
        };
        let Some(mut object) = state.objects.get(&many).map(|x| Object::clone(x)) else {
            return;
        };
        let one = self.free_step_name(state);
        object.sure = true;
        state.objects.insert(one, Rc::new(object));
        state.copy_facts(many, one);
        let object = state.object_mut(o);
        object.cells.retain(|c, _| c.0 != array);
        object.rest.insert(array, Val::any());
        state.forget_names(|n| matches!(n, Name::Cell(x, c) if x == o && c.0 == array));
        let value = Val::one(Alt::new(Some(one), Interval::single(0), Residue::ANY));
        state.set_picked(o, array, value);
        self.set_place(state, Name::Pick(o, array), off);
        match first {
            true => {
                if let Some(segment) = state.segment_mut(o, array) {
                    segment.starts = true;
                }
                let next = off.plus(1, &Lin::number(i128::from(stride)), self.block);
                self.set_place(state, Name::Start(o, array), &next);
            }
            false => self.set_place(state, Name::Fill(o, array), off),
        }
    }

    /// The same question when the step has been split for it.
    fn can_pick_now(&self, state: &State, array: VarId, o: Obj, off: &Lin) -> Option<(Obj, bool)> {
        let splits = self.splits.replace(0);
        let out = self.can_pick(state, array, o, off);
        self.splits.set(splits);
        out
    }

    /// The picked cell is one of the segment again, or is forgotten with its object, if that is not alive and nobody else
    /// holds it.
    ///
    /// Sound because objects change their names only where nothing but the state speaks of them (`Objects::Change`).
    fn unpick(&self, state: &mut State, o: Obj, array: VarId, objects: Objects) {
        let Some(segment) = state.segment(o, array) else {
            return;
        };
        let Some(value) = segment.picked.clone() else {
            return;
        };
        let one = value.single().filter(|a| a.off == Interval::single(0));
        let one = one.and_then(|a| a.base);
        let one = one.filter(|p| !p.is_many() && !segment.value.points_to(*p));
        let Some(one) = one else {
            state.drop_pick(o, array);
            return;
        };
        let held = state.is_held_beside_pick(one, o, array);
        let many = state.objects.get(&one).map(|x| Obj::Old(x.site));
        let alike = many.is_some_and(|m| state.objects.contains_key(&m) && state.is_alike(one, m));
        let kept =
            held || objects == Objects::Stay || !matches!(one, Obj::Held(_) | Obj::Recent(_));
        // Sound because nobody else holds it.
        if !alike && !kept && !state.is_alive(one) {
            state.drop_pick(o, array);
            state.forget_object(one);
            return;
        }
        // Sound because no cell of the segment points to the object: all cells are distinct with this one too.
        let (pick, fill) = (Lin::name(Name::Pick(o, array)), Name::Fill(o, array));
        let next = pick.plus(1, &Lin::number(i128::from(segment.stride)), self.block);
        let starts = segment.starts;
        if starts && self.is_at(state, &next, &Lin::name(Name::Start(o, array))) {
            self.set_place(state, Name::Start(o, array), &pick);
        } else if self.is_at(state, &pick, &Lin::name(fill)) {
            self.set_place(state, fill, &next);
        } else {
            state.drop_pick(o, array);
            return;
        }
        if let Some(segment) = state.segment_mut(o, array) {
            segment.value = segment.value.join(&value);
            segment.beside = Interval::ANY;
        }
        state.drop_pick(o, array);
        if !kept {
            state.put_back(one);
        }
    }

    /// Is what was read of a segment the address of one of several objects, so that it is worth knowing which?
    pub(super) fn can_look(&self, state: &State, array: VarId, o: Obj, value: &Val) -> bool {
        let known = |a: &Alt| a.base.is_some() && a.off == Interval::single(0);
        let address = value.has_pointer() && value.alts().iter().all(known);
        address && self.can_change(state, array, o)
    }

    /// A cell of a segment that is looked at is picked, where it is: which object it points to can be asked then.
    pub(super) fn look_at(&self, state: &mut State, array: VarId, o: Obj, off: &Lin, value: &Val) {
        self.unpick(state, o, array, Objects::Stay);
        state.set_picked(o, array, value.clone());
        self.set_place(state, Name::Pick(o, array), off);
    }

    /// A new address is written behind a segment that owns what it points to: the cell is picked until nobody else holds the
    /// object. False if the segment is not of that kind.
    pub(super) fn append(
        &self,
        state: &mut State,
        o: Obj,
        array: VarId,
        off: &Lin,
        value: &Val,
    ) -> bool {
        let one = value.single().and_then(|a| a.base);
        let Some(one) = one.filter(|_| value.is_one_object()) else {
            return false;
        };
        if !state.is_alive(one) || off.rest.as_single().is_none() {
            return false;
        }
        self.unpick(state, o, array, Objects::Stay);
        let Some(segment) = state.segment(o, array) else {
            return false;
        };
        let fits = segment.distinct && !segment.value.points_to(one);
        if !fits || !self.is_at(state, off, &Lin::name(Name::Fill(o, array))) {
            return false;
        }
        state.set_picked(o, array, value.clone());
        self.set_place(state, Name::Pick(o, array), off);
        true
    }

    /// Before a write: the picked cell stays known if another is written.
    pub(super) fn keep_pick(&self, state: &mut State, o: Obj, array: VarId, off: &Lin) {
        let picked = state.segment(o, array).is_some_and(|s| s.picked.is_some());
        if !picked {
            return;
        }
        let apart = off.plus(-1, &Lin::name(Name::Pick(o, array)), self.block);
        let (before, after) = (Interval::of(None, Some(-1)), Interval::of(Some(1), None));
        if !self.is_within(state, &apart, &before) && !self.is_within(state, &apart, &after) {
            state.drop_pick(o, array);
        }
    }

    /// What was picked and is held by no variable any more goes back, and the last object of a place to the others if only an
    /// array that owns it points to it.
    pub(super) fn put_away(&self, state: &mut State) {
        let owning = |s: &Segment| s.distinct && s.value.has_pointer() || s.picked.is_some();
        let mut segments: Vec<(Obj, VarId)> = Vec::new();
        for (&o, object) in state.objects.iter().filter(|(o, _)| !o.is_many()) {
            let own = object.segments.iter().filter(|(_, s)| owning(s));
            segments.extend(own.map(|(a, _)| (o, *a)));
        }
        if segments.is_empty() {
            return;
        }
        for (o, array) in segments {
            let picked = state.segment(o, array).and_then(|s| s.picked.clone());
            let one = picked.and_then(|v| v.single()).and_then(|a| a.base);
            if one.is_some_and(|p| !state.is_held_beside_pick(p, o, array)) {
                self.unpick(state, o, array, Objects::Change);
            }
            let Some(segment) = state.segment(o, array).filter(|s| s.distinct) else {
                continue;
            };
            let recent = segment.value.alts().iter().filter_map(|a| a.base);
            let recent: Vec<Obj> = recent.filter(|b| matches!(b, Obj::Recent(_))).collect();
            for last in recent {
                if state.is_alive(last) && !state.is_held_beside(last, o, array) {
                    state.put_back(last);
                }
            }
        }
    }
}
