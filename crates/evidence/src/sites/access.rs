//! Memory: where an index leads, what is read there, and what an assignment gives.

use super::facts::gcd;
use super::lin::{Base, Lin};
use super::names::{Alt, Form, Mark, Name, Obj, Val, Zero};
use super::state::State;
use super::terms::{Lvalue, Meaning, Split, Terms};
use base::Id;
use logic::{Interval, Op, TermId};
use program::VarId;
use std::collections::btree_map::Entry;
use std::rc::Rc;

/// Cells of a table that are looked at at once.
const MOST_LISTED: i128 = 64;

/// Where an index leads: an object and, in bytes, where in it.
pub(super) enum Place {
    Object(Obj, Lin),
    Anywhere,
}

/// What a variable or cell is given.
pub(super) struct Given {
    pub value: Val,
    /// Its number, counted from the object, by other names: a form and what is added.
    pub relation: Option<(Form, Interval)>,
    /// It is one of the numbers of a segment, read here.
    pub like: Option<(Name, Lin)>,
}

impl Given {
    fn new(value: Val, relation: Option<(Form, Interval)>) -> Given {
        Given {
            value,
            relation,
            like: None,
        }
    }
}

impl Terms<'_> {
    /// What an assignment of the term gives; what is only copied need not be understood.
    pub(super) fn given(&self, state: &mut State, term: TermId) -> Result<Given, Split> {
        if let Some(&v) = self.var_of.get(&term)
            && Some(v) != self.top
            && self.pool.sort_of(term) == self.pool.int_sort()
        {
            let relation = (vec![(Name::Var(v), 1)], Interval::single(0));
            return Ok(Given::new(state.var(v), Some(relation)));
        }
        if let (Op::Select, &[array, index]) = (self.pool.op(term), self.pool.args(term))
            && let Some(&array) = self.var_of.get(&array)
        {
            let index = self.lin(state, index)?;
            let Place::Object(o, off) = self.place(state, array, &index) else {
                return Ok(Given::new(Val::any(), None));
            };
            let (value, mut name) = self.load(state, array, o, &off)?;
            if matches!(name, Some(Name::Each(..))) && self.can_look(state, array, o, &value) {
                self.look_at(state, array, o, &off, &value);
                name = Some(Name::Pick(o, array));
            }
            // What is copied from a cell and the cell stay known to be the same.
            let place = match name {
                Some(Name::Cell(o, cell)) => Some(Lvalue::Cell(o, cell)),
                Some(Name::Pick(o, array)) => Some(Lvalue::Pick(o, array)),
                _ => None,
            };
            if let Some(place) = place
                && value.has_pointer()
                && !value.is_any()
            {
                let many = |a: Alt| a.base.is_some_and(Obj::is_many);
                match value.single() {
                    _ if self.loose.get() => {}
                    None => return Err(Split::Alternatives(place)),
                    Some(alt) if many(alt) => return Err(Split::TakeOut(place)),
                    Some(_) => {}
                }
            }
            if let Some(Name::Each(..)) = name {
                return Ok(Given {
                    like: name.map(|each| (each, off)),
                    ..Given::new(value, None)
                });
            }
            let name = name.filter(|n| !matches!(n, Name::Pick(..)));
            let relation = name.map(|n| (vec![(n, 1)], Interval::single(0)));
            return Ok(Given::new(value, relation));
        }
        let lin = self.lin(state, term)?;
        Ok(self.given_by(state, lin))
    }

    pub(super) fn given_by(&self, state: &State, lin: Lin) -> Given {
        if let Some((o, off)) = lin.inside() {
            let left = state.residue_of(&off);
            let value = Val::one(Alt::new(Some(o), self.quick(state, &off), left));
            return Given::new(value, Some((off.form, off.rest)));
        }
        if !lin.parts.is_empty() {
            return Given::new(Val::any(), None);
        }
        let mut bounds = self.quick(state, &lin);
        // Is it the address of a declared object, which facts may know?
        if bounds.low >= self.block && bounds.low < self.start && bounds.high >= self.start {
            bounds = self.precise(state, &lin);
        }
        let Some((block, off)) = self.declared(bounds, &lin) else {
            let value = Val::one(Alt::new(None, bounds, state.residue_of(&lin)));
            return Given::new(value, Some((lin.form, lin.rest)));
        };
        let left = state.residue_of(&off);
        let base = Some(Obj::Static(block));
        let value = Val::one(Alt::new(base, self.quick(state, &off), left));
        Given::new(value, Some((off.form, off.rest)))
    }

    /// The block of a declared object that a number with these bounds is an address of.
    pub(super) fn declared(&self, bounds: Interval, lin: &Lin) -> Option<(u32, Lin)> {
        let (Some(low), Some(high)) = bounds.ends() else {
            return None;
        };
        let block = low.div_euclid(self.block);
        if block < 1 || high.div_euclid(self.block) != block || high >= self.start {
            return None;
        }
        let base = Lin::number(block * self.block);
        Some((u32::try_from(block).ok()?, lin.plus(-1, &base, self.block)))
    }

    /// Where an index of the array leads.
    pub(super) fn place(&self, state: &State, array: VarId, index: &Lin) -> Place {
        if self.by_block.contains(&array) {
            return match (index.parts.as_slice(), index.form.is_empty()) {
                (&[(Base::Block(o), 1)], true) if index.rest == Interval::single(0) => {
                    Place::Object(o, Lin::number(0))
                }
                ([], _) => match self.quick(state, index).as_single() {
                    Some(n) if n >= 0 && n < self.start / self.block => {
                        Place::Object(Obj::Static(n as u32), Lin::number(0))
                    }
                    _ => Place::Anywhere,
                },
                _ => Place::Anywhere,
            };
        }
        let whole = Interval::of(Some(0), Some(self.block - 1));
        if let Some((o, off)) = index.inside() {
            // Sound because an object has its block alone.
            return match self.is_within(state, &off, &whole) {
                true => Place::Object(o, off),
                false => Place::Anywhere,
            };
        }
        if !index.parts.is_empty() {
            return Place::Anywhere;
        }
        let mut bounds = self.quick(state, index);
        let one_block = |b: &Interval| match b.ends() {
            (Some(l), Some(h)) => l.div_euclid(self.block) == h.div_euclid(self.block),
            _ => false,
        };
        if !one_block(&bounds) {
            bounds = self.precise(state, index);
        }
        if one_block(&bounds) && bounds.low >= 0 && bounds.high < self.block {
            return Place::Object(Obj::Static(0), index.clone());
        }
        match self.declared(bounds, index) {
            Some((block, off)) => Place::Object(Obj::Static(block), off),
            None => Place::Anywhere,
        }
    }

    /// How far a place is behind a known zero of its array.
    pub(super) fn behind_mark(&self, state: &State, mark: Mark, o: Obj, off: &Lin) -> Option<Lin> {
        let object = state.objects.get(&o).filter(|_| !o.is_many())?;
        object.marks.contains(&mark).then_some(())?;
        Some(off.plus(-1, &Lin::name(Name::Mark(o, mark)), self.block))
    }

    /// Is a place in the segment of its array?
    pub(super) fn is_filled(&self, state: &State, array: VarId, o: Obj, off: &Lin) -> Option<Val> {
        let object = state.objects.get(&o).filter(|_| !o.is_many())?;
        let segment = object.segments.get(&array)?;
        if !state.residue_of(off).is_multiple_of(segment.stride) {
            return None;
        }
        let behind = off.plus(-1, &Lin::name(Name::Fill(o, array)), self.block);
        let start = match segment.starts {
            true => Lin::name(Name::Start(o, array)),
            false => Lin::number(0),
        };
        let after = off.plus(-1, &start, self.block);
        let inside = self.is_within(state, &behind, &Interval::of(None, Some(-1)))
            && self.is_within(state, &after, &Interval::of(Some(0), None));
        inside.then(|| segment.value.clone())
    }

    /// What holds for each number of a segment holds for the one that is read at a place.
    pub(super) fn copy_facts_of(&self, state: &mut State, each: Name, one: Name, off: &Lin) {
        state.copy_facts_of(each, one);
        let Name::Each(o, array) = each else {
            return;
        };
        let segment = state.objects.get(&o).and_then(|x| x.segments.get(&array));
        let Some((stride, bounds)) = segment.map(|s| (s.stride, s.beside)) else {
            return;
        };
        if bounds != Interval::ANY {
            let beside = self.beside(one, stride, off);
            self.add(state, &beside, &bounds);
        }
    }

    /// A number times the stride of its array, less its place.
    pub(super) fn beside(&self, number: Name, stride: i64, off: &Lin) -> Lin {
        let times = Lin::number(0).plus(i128::from(stride), &Lin::name(number), self.block);
        times.plus(-1, off, self.block)
    }

    /// What an array holds at a place of an object, and the name of that number.
    pub(super) fn load(
        &self,
        state: &mut State,
        array: VarId,
        o: Obj,
        off: &Lin,
    ) -> Result<(Val, Option<Name>), Split> {
        if let Some(value) = self.picked(state, array, o, off) {
            return Ok((value, Some(Name::Pick(o, array))));
        }
        if self.can_pick(state, array, o, off).is_some() {
            return Err(Split::Pick(o, array, off.clone()));
        }
        for zero in [Zero::First, Zero::Last] {
            let Some(behind) = self.behind_mark(state, (array, zero), o, off) else {
                continue;
            };
            let here = Interval::single(0);
            if self.is_within(state, &behind, &here) {
                return Ok((Val::number(here), None));
            }
            // A walk towards the zero is there, or is not yet.
            if !self.loose.get()
                && behind.rest.as_single().is_some()
                && self.is_within(state, &behind, &Interval::of(None, Some(0)))
                && !self.is_within(state, &behind, &Interval::of(None, Some(-1)))
            {
                return Err(Split::Range(behind, here));
            }
        }
        let bounds = self.quick(state, off);
        let exact = bounds.as_single().and_then(|n| i64::try_from(n).ok());
        if let Some(at) = exact {
            let cell = (array, at);
            let mut value = state.cell(o, cell);
            if o.is_many() {
                return Ok((value, None));
            }
            if value.is_any()
                && let Some(filled) = self.is_filled(state, array, o, off)
            {
                // Sound because the cell is one of the segment.
                state.forget_name(Name::Cell(o, cell));
                state.object_mut(o).cells.insert(cell, filled.clone());
                let name = Name::Cell(o, cell);
                self.copy_facts_of(state, Name::Each(o, array), name, off);
                value = filled;
            }
            return Ok((value, Some(Name::Cell(o, cell))));
        }
        if let Some(filled) = self.is_filled(state, array, o, off) {
            return Ok((filled, Some(Name::Each(o, array))));
        }
        let mut listed = self.listed(state, array, o, off, bounds);
        let mut bounds = bounds;
        if listed.is_none() && self.has_table(state, array, o) {
            bounds = self.precise(state, off);
            listed = self.listed(state, array, o, off, bounds);
        }
        if let Some(value) = listed {
            return Ok((value, None));
        }
        let mut value = state.rest(o, array);
        if let Some(object) = state.objects.get(&o) {
            for (cell, own) in &object.cells {
                if cell.0 == array && bounds.contains(i128::from(cell.1)) {
                    value = value.join(own);
                }
            }
        }
        Ok((value, None))
    }

    /// Are there so many cells that all places of a walk may be among them?
    fn has_table(&self, state: &State, array: VarId, o: Obj) -> bool {
        let object = state.objects.get(&o).filter(|_| !o.is_many());
        object.is_some_and(|x| x.cells.keys().filter(|c| c.0 == array).count() > 1)
    }

    /// What an array holds at a place within bounds, if all cells that it can be are listed: tables are.
    ///
    /// Sound because a place is the constant of its form and a multiple of what its factors have in common.
    fn listed(
        &self,
        state: &State,
        array: VarId,
        o: Obj,
        off: &Lin,
        bounds: Interval,
    ) -> Option<Val> {
        let object = state.objects.get(&o).filter(|_| !o.is_many())?;
        let step = off.form.iter().fold(0, |step, t| gcd(step, t.1.abs()));
        let (constant, (low, high)) = (off.rest.as_single()?, bounds.ends());
        let (low, high) = (low?, high?);
        if step == 0 || !off.parts.is_empty() || (high - low) / step > MOST_LISTED {
            return None;
        }
        let mut at = low + (constant - low).rem_euclid(step);
        let mut value = Val::none();
        while at <= high {
            let cell = (array, i64::try_from(at).ok()?);
            value = value.join(object.cells.get(&cell)?);
            at += step;
        }
        Some(value).filter(|v| !v.alts().is_empty())
    }

    /// A value that is one alternative of a number with a name.
    pub(super) fn of_value(&self, value: &Val, name: Option<Name>) -> Meaning {
        let place = match name {
            Some(Name::Var(v)) => Some(Lvalue::Var(v)),
            Some(Name::Cell(o, c)) => Some(Lvalue::Cell(o, c)),
            Some(Name::Pick(o, array)) => Some(Lvalue::Pick(o, array)),
            _ => None,
        };
        // The place of a picked cell is no name of what it holds.
        let name = name.filter(|n| !matches!(n, Name::Pick(..)));
        let Some(alt) = value.single() else {
            return match place {
                Some(place) => self.needs(Split::Alternatives(place), Meaning::Number(Lin::any())),
                None => Meaning::Number(Lin::any()),
            };
        };
        let number = match name {
            Some(name) if alt.off.as_single().is_none() => Lin::name(name),
            _ => Lin::within(alt.off),
        };
        let number = match alt.base {
            None => number,
            Some(Obj::Static(k)) => {
                let address = Lin::number(i128::from(k) * self.block);
                number.plus(1, &address, self.block)
            }
            Some(Obj::Old(_)) => {
                return match place {
                    Some(place) => self.needs(Split::TakeOut(place), Meaning::Number(Lin::any())),
                    None => Meaning::Number(Lin::any()),
                };
            }
            Some(o) => number.plus(1, &Lin::address(o), self.block),
        };
        Meaning::Number(number)
    }

    /// The number that the term reads from an array.
    pub(super) fn read(
        &self,
        state: &mut State,
        term: TermId,
        index: &Lin,
        lin: &dyn Fn(TermId) -> Lin,
    ) -> Meaning {
        let mut array = self.pool.args(term)[0];
        loop {
            match (self.pool.op(array), self.pool.args(array)) {
                (Op::Store, &[inner, at, stored]) => {
                    let apart = index.plus(-1, &lin(at), self.block);
                    match self.is_zero(state, &apart) {
                        Some(true) => return Meaning::Number(lin(stored)),
                        Some(false) => array = inner,
                        None => return Meaning::Number(Lin::any()),
                    }
                }
                (Op::ConstArray, &[all]) => return Meaning::Number(lin(all)),
                _ => break,
            }
        }
        let Some(&var) = self.var_of.get(&array) else {
            return Meaning::Number(Lin::any());
        };
        match self.place(state, var, index) {
            Place::Object(o, off) => match self.load(state, var, o, &off) {
                Ok((value, Some(Name::Each(..)))) if self.can_look(state, var, o, &value) => {
                    self.look_at(state, var, o, &off, &value);
                    self.of_value(&value, Some(Name::Pick(o, var)))
                }
                Ok((value, Some(each @ Name::Each(..)))) => {
                    // One of the segment's numbers, which has a name for this step.
                    let name = Name::Aux(term.index() as u32);
                    if let Entry::Vacant(entry) = state.ghosts.entry(name) {
                        entry.insert(value.hull());
                        self.copy_facts_of(state, each, name, &off);
                    }
                    self.of_value(&value, Some(name))
                }
                Ok((value, name)) => self.of_value(&value, name),
                Err(split) => Meaning::Needs(Rc::new(split)),
            },
            Place::Anywhere => Meaning::Number(Lin::any()),
        }
    }

    /// Is an array the same number everywhere?
    pub(super) fn arrays_equal(
        &self,
        state: &State,
        a: TermId,
        b: TermId,
        lin: &dyn Fn(TermId) -> Lin,
    ) -> Option<bool> {
        let constant = |t: TermId| match (self.pool.op(t), self.pool.args(t)) {
            (Op::ConstArray, &[all]) => self.quick(state, &lin(all)).as_single(),
            _ => None,
        };
        let (array, number) = match (constant(a), constant(b)) {
            (Some(n), _) => (b, n),
            (_, Some(n)) => (a, n),
            _ => return None,
        };
        let var = *self.var_of.get(&array)?;
        let is = |v: &Val| v.exact() == Some(number);
        let mut same = state.defaults.get(&var).is_some_and(is);
        for (&id, object) in &state.objects {
            let mut cells = object.cells.iter().filter(|(c, _)| c.0 == var);
            same &= cells.all(|(_, v)| is(v));
            // A cell that is listed is all there is of an object with one cell.
            let whole = self.by_block.contains(&var) && object.cells.contains_key(&(var, 0));
            same &= whole || is(&state.rest(id, var));
        }
        same.then_some(true)
    }
}
