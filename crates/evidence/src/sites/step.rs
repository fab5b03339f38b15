//! Steps of a program on states.

use super::access::{Given, Place};
use super::covers::covers;
use super::lin::Lin;
use super::names::{Name, Obj, Val, Zero};
use super::state::{Segment, State};
use super::terms::{Split, Terms};
use base::Id;
use logic::{Interval, Op, Sort, TermId};
use program::{EdgeId, Stmt, VarId};

/// Numbers of a segment that are worth knowing lie closer together.
const NARROW: i128 = 1 << 7;

/// What is written where.
struct Written {
    array: VarId,
    place: Place,
    given: Given,
}

/// What an assignment does to an array.
enum Change {
    Fill(VarId, Val),
    Forget(VarId),
    /// It becomes what the other was.
    Copy(VarId, VarId),
}

impl Change {
    /// The array that becomes what another was.
    fn copy(&self) -> Option<VarId> {
        match self {
            Change::Copy(array, _) => Some(*array),
            _ => None,
        }
    }
}

impl Terms<'_> {
    /// The states after an edge. `None` if the end of memory is used in a way that is not understood.
    pub fn after(&self, state: State, edge: EdgeId) -> Option<Vec<State>> {
        let mut out = Vec::new();
        self.begin_step();
        match &self.program.edges[edge].stmt {
            Stmt::Skip => return Some(vec![state]),
            Stmt::Assume(c) => out = self.assume(state, *c, true),
            Stmt::Havoc(vars, _) => out.push(self.havoc(state, vars)),
            Stmt::Call { .. } => return None,
            Stmt::Assign(pairs) => {
                let mut work = vec![state];
                while let Some(mut state) = work.pop() {
                    match self.assign(&mut state, pairs, edge) {
                        Ok(Some(true)) => out.push(state),
                        Ok(Some(false)) => {}
                        Ok(None) => return None,
                        Err(split) => work.extend(self.split(state, &split)),
                    }
                }
            }
        }
        out.iter_mut().for_each(State::end_step);
        if out.len() > 1 {
            drop_cases(&mut out);
        }
        Some(out)
    }

    /// A step begins that has been split for nothing yet.
    pub(super) fn begin_step(&self) {
        self.splits.set(0);
        self.loose.set(false);
    }

    fn havoc(&self, mut state: State, vars: &[VarId]) -> State {
        for &v in vars {
            match self.pool.sort_kind(self.program.vars[v].sort) {
                Sort::Array(..) => state.forget_array(v),
                _ => {
                    state.forget_name(Name::Var(v));
                    state.vars.remove(&v);
                }
            }
        }
        state
    }

    /// Makes the state what it is after an assignment; false if a value leaves its range. The inner `None` as in `after`.
    fn assign(
        &self,
        state: &mut State,
        pairs: &[(VarId, TermId)],
        edge: EdgeId,
    ) -> Result<Option<bool>, Split> {
        let mut numbers: Vec<(VarId, Given)> = Vec::new();
        let mut written: Vec<Written> = Vec::new();
        let mut changes: Vec<Change> = Vec::new();
        let mut growth = None;
        for &(var, term) in pairs {
            match self.pool.sort_kind(self.program.vars[var].sort) {
                Sort::Int if Some(var) == self.top => growth = Some(self.lin(state, term)?),
                Sort::Int => {
                    let mut given = self.given(state, term)?;
                    let range = state.frame.ranges[var];
                    if let Some(alt) = given.value.single()
                        && alt.base.is_none()
                    {
                        given.value = given.value.meet(&range);
                    }
                    if given.value.alts().is_empty() {
                        return Ok(Some(false));
                    }
                    numbers.push((var, given));
                }
                Sort::Array(..) => self.stores(state, var, term, &mut written, &mut changes)?,
                _ => {}
            }
        }
        // Sound because all that is read was read, and every new number has a name, before anything changes.
        let first = numbers.len();
        for (n, (_, given)) in numbers.iter().enumerate() {
            self.announce(state, n, given);
        }
        for (n, w) in written.iter().enumerate() {
            self.announce(state, first + n, &w.given);
        }
        if written.len() > 1 {
            self.name_offsets(state, &mut written, first);
        }
        // Sound because arrays are copied before they change: an array that is also given another is not looked at.
        changes.sort_by_key(|c| !matches!(c, Change::Copy(..)));
        let given: Vec<VarId> = changes.iter().filter_map(Change::copy).collect();
        for change in changes {
            match change {
                Change::Copy(array, from) if given.contains(&from) => state.forget_array(array),
                Change::Forget(array) => state.forget_array(array),
                Change::Fill(array, value) => state.fill_array(array, value),
                Change::Copy(array, from) => state.copy_array(from, array),
            }
        }
        for (n, w) in written.iter().enumerate() {
            let Place::Object(o, off) = &w.place else {
                state.forget_array(w.array);
                continue;
            };
            self.keep_ghosts(state, *o, w.array, off, (first + n, &w.given.value));
            let exact = self.quick(state, off).as_single();
            let exact = exact.and_then(|n| i64::try_from(n).ok());
            match exact.filter(|_| !o.is_many()) {
                Some(at) => {
                    let name = Name::Cell(*o, (w.array, at));
                    self.settle(state, first + n, name, &w.given.value);
                }
                None => self.write_somewhere(state, *o, w.array, off, &w.given.value),
            }
        }
        for (n, (var, given)) in numbers.iter().enumerate() {
            self.settle(state, n, Name::Var(*var), &given.value);
        }
        state.forget_ghosts(|n| matches!(n, Name::New(_)));
        if !state.reduce() {
            return Ok(Some(false));
        }
        match growth {
            Some(to) => Ok(self.allocate(state, &to, edge).then_some(true)),
            None => Ok(Some(true)),
        }
    }

    /// Says how a new number relates to the old ones.
    pub(super) fn announce(&self, state: &mut State, number: usize, given: &Given) {
        let name = Name::New(number as u32);
        state.ghosts.insert(name, given.value.hull());
        if let Some((each, off)) = &given.like {
            self.copy_facts_of(state, *each, name, off);
        }
        if let Some((form, rest)) = &given.relation {
            let lin = Lin {
                parts: Vec::new(),
                form: form.clone(),
                rest: *rest,
            };
            let same = Lin::name(name).plus(-1, &lin, self.block);
            self.add(state, &same, &Interval::single(0));
        }
    }

    /// Offsets that are read from memory get a name, as the first write may change what was read.
    fn name_offsets(&self, state: &mut State, written: &mut [Written], first: usize) {
        let count = written.len();
        for (n, w) in written.iter_mut().enumerate() {
            let Place::Object(o, off) = &w.place else {
                continue;
            };
            if off.form.iter().any(|t| t.0.object().is_some()) {
                let given = Given {
                    value: Val::number(self.quick(state, off)),
                    relation: Some((off.form.clone(), off.rest)),
                    like: None,
                };
                let number = first + count + n;
                self.announce(state, number, &given);
                w.place = Place::Object(*o, Lin::name(Name::New(number as u32)));
            }
        }
    }

    /// The new number takes its place.
    pub(super) fn settle(&self, state: &mut State, number: usize, name: Name, value: &Val) {
        let new = Name::New(number as u32);
        state.forget_name(name);
        let narrowed = value.meet(&state.interval(new));
        let value = match narrowed.alts().is_empty() {
            true => value.clone(),
            false => narrowed,
        };
        match name {
            Name::Var(v) => {
                let range = Val::number(state.frame.ranges[v]);
                match value == range {
                    true => drop(state.vars.remove(&v)),
                    false => drop(state.vars.insert(v, value)),
                }
            }
            Name::Cell(o, c) => {
                state.object_mut(o).cells.insert(c, value);
            }
            _ => {}
        }
        state.ghosts.remove(&new);
        state.rename_names(|n| if n == new { name } else { n });
    }

    /// The stores that an assignment to an array makes.
    fn stores(
        &self,
        state: &mut State,
        var: VarId,
        term: TermId,
        written: &mut Vec<Written>,
        changes: &mut Vec<Change>,
    ) -> Result<(), Split> {
        let first = written.len();
        let mut array = term;
        loop {
            match (self.pool.op(array), self.pool.args(array)) {
                (Op::Store, &[inner, at, stored]) => {
                    let index = self.lin(state, at)?;
                    let given = self.given(state, stored)?;
                    written.push(Written {
                        array: var,
                        place: self.place(state, var, &index),
                        given,
                    });
                    array = inner;
                }
                (Op::Ite, &[c, a, b]) => match self.truth(state, c)? {
                    Some(true) => array = a,
                    Some(false) => array = b,
                    None if self.loose.get() => {
                        written.truncate(first);
                        changes.push(Change::Forget(var));
                        return Ok(());
                    }
                    None => return Err(Split::Truth(c)),
                },
                (Op::ConstArray, &[all]) => {
                    changes.push(Change::Fill(var, self.given(state, all)?.value));
                    break;
                }
                _ if self.program.vars[var].term == array => break,
                _ => {
                    // Of an array that is no variable nothing is known but what is stored after.
                    let from = self.var_of.get(&array).copied();
                    let alike =
                        |v: &VarId| self.by_block.contains(v) == self.by_block.contains(&var);
                    changes.push(match from.filter(alike) {
                        Some(from) => Change::Copy(var, from),
                        None => Change::Forget(var),
                    });
                    break;
                }
            }
        }
        written[first..].reverse();
        Ok(())
    }

    /// Which known zeros and segments stay after a write, and new ones.
    fn keep_ghosts(&self, state: &mut State, o: Obj, array: VarId, off: &Lin, new: (usize, &Val)) {
        if self.by_block.contains(&array) || o.is_many() {
            return;
        }
        self.keep_segment(state, o, array, off, new);
        if new.1.exact() == Some(0) {
            self.set_mark(state, o, array, off, true);
            return;
        }
        let before = Interval::of(None, Some(-1));
        let after = Interval::of(Some(1), None);
        for zero in [Zero::Last, Zero::First] {
            let Some(behind) = self.behind_mark(state, (array, zero), o, off) else {
                continue;
            };
            if !self.is_within(state, &behind, &before) && !self.is_within(state, &behind, &after) {
                state.drop_mark(o, (array, zero));
            }
        }
    }

    /// What a segment is after a write of a new number.
    fn keep_segment(
        &self,
        state: &mut State,
        o: Obj,
        array: VarId,
        off: &Lin,
        (number, value): (usize, &Val),
    ) {
        let (each, one) = (Name::Each(o, array), Name::New(number as u32));
        let Some(&stride) = self.strides.get(&array) else {
            return;
        };
        let name = Name::Fill(o, array);
        self.keep_pick(state, o, array, off);
        if self.append(state, o, array, off, value) {
            return;
        }
        let known = state
            .objects
            .get(&o)
            .and_then(|x| x.segments.get(&array))
            .cloned();
        let worth = narrow(&value.hull())
            || tells(&value.hull(), stride)
            || value.has_pointer() && !value.is_any();
        let beside = match value.has_pointer() {
            true => Interval::ANY,
            false => self.precise(state, &self.beside(one, stride, off)),
        };
        let Some(mut segment) = known else {
            // It begins with the first cell.
            if worth && self.is_within(state, off, &Interval::single(0)) {
                let segment = Segment {
                    beside,
                    ..Segment::new(stride, value.clone())
                };
                state.object_mut(o).segments.insert(array, segment);
                state
                    .ghosts
                    .insert(name, Interval::single(i128::from(stride)));
                state.include(each, one, true);
            }
            return;
        };
        let behind = off.plus(-1, &Lin::name(name), self.block);
        let kind = |o: Option<Obj>| o.and_then(|o| Some(state.objects.get(&o)?.site));
        let mut kinds = segment
            .value
            .alts()
            .iter()
            .map(|a| (a.base.is_some(), kind(a.base)));
        let mut alike = value
            .alts()
            .iter()
            .map(|a| (a.base.is_some(), kind(a.base)));
        let same = segment.value.alts().is_empty() || alike.all(|k| kinds.any(|l| l == k));
        if same
            && worth
            && state.residue_of(off).is_multiple_of(stride)
            && self.is_within(state, &behind, &Interval::single(0))
        {
            state.include(each, one, segment.value.alts().is_empty());
            let new = |o: Obj| !segment.value.points_to(o);
            segment.distinct &=
                value.is_one_object() && value.alts().iter().all(|a| a.base.is_some_and(new));
            segment.add(value, beside);
            state.object_mut(o).segments.insert(array, segment);
            let next = off.plus(1, &Lin::number(i128::from(stride)), self.block);
            self.set_place(state, name, &next);
            return;
        }
        if self.is_within(state, &behind, &Interval::of(Some(0), None)) {
            return;
        }
        let start = off.plus(-1, &Lin::name(Name::Start(o, array)), self.block);
        if segment.starts && self.is_within(state, &start, &Interval::of(None, Some(-1))) {
            return;
        }
        state.include(each, one, segment.value.alts().is_empty());
        segment.add(value, beside);
        segment.distinct = false;
        match is_idle(&segment) {
            true => {
                let (start, pick) = (Name::Start(o, array), Name::Pick(o, array));
                state.forget_ghosts(|n| [name, each, start, pick].contains(&n));
                state.object_mut(o).segments.remove(&array);
            }
            false => drop(state.object_mut(o).segments.insert(array, segment)),
        }
    }

    /// A write to a cell of an object that is not known, or of one of many objects.
    fn write_somewhere(&self, state: &mut State, o: Obj, array: VarId, off: &Lin, value: &Val) {
        let bounds = self.quick(state, off);
        let hit = |c: &(VarId, i64)| c.0 == array && bounds.contains(i128::from(c.1));
        let changed = |n: Name| matches!(n, Name::Cell(x, c) if x == o && hit(&c));
        state.forget_products(|f| changed(f.name()));
        state.forget_names(changed);
        if o.is_many() {
            state.forget_ghosts(|n| n.object() == Some(o) && n.is_in(|a| a == array));
            let object = state.object_mut(o);
            object.marks.retain(|m| m.0 != array);
            object.segments.remove(&array);
        }
        let rest = state.rest(o, array).join(value);
        let object = state.object_mut(o);
        object.rest.insert(array, rest);
        for (cell, old) in &mut object.cells {
            if hit(cell) {
                *old = old.join(value);
            }
        }
    }

    /// The end of memory moves: what lies between is a new object.
    fn allocate(&self, state: &mut State, to: &Lin, edge: EdgeId) -> bool {
        if to.parts.is_empty() {
            // Memory begins.
            return self.quick(state, to).as_single() == Some(self.start);
        }
        let Some((Obj::Fresh, off)) = to.inside() else {
            return false;
        };
        if self.quick(state, &off).as_single() != Some(self.block) {
            return false;
        }
        let site = edge.index() as u32;
        let recent = Obj::Recent(site);
        if state.objects.contains_key(&recent) {
            self.age(state, recent);
        }
        let object = state.object_mut(Obj::Fresh);
        object.site = site;
        object.sure = true;
        state.rename_object(Obj::Fresh, recent);
        true
    }

    /// The last object of a place is the last no more: it stays apart if a variable points to it and nowhere else.
    fn age(&self, state: &mut State, recent: Obj) {
        let holder = state.vars.iter().find(|(v, value)| {
            let own = Obj::Held(v.index() as u32);
            let here = value.single().is_some_and(|a| a.base == Some(recent));
            here && !state.objects.contains_key(&own)
        });
        match holder.map(|(v, _)| Obj::Held(v.index() as u32)) {
            Some(held) => state.rename_object(recent, held),
            None => state.put_back(recent),
        }
    }
}

/// Does a segment say nothing any more?
fn is_idle(segment: &Segment) -> bool {
    let bounds = segment.value.hull();
    let wide = segment.stride > 1 && !narrow(&bounds) && !tells(&bounds, segment.stride);
    segment.value.is_any() || wide && !segment.value.has_pointer()
}

/// Are numbers close to one another?
fn narrow(bounds: &Interval) -> bool {
    matches!(bounds.ends(), (Some(l), Some(h)) if h - l < NARROW)
}

/// Do numbers of cells of so many bytes say more than what such a cell can hold?
fn tells(bounds: &Interval, stride: i64) -> bool {
    let bits = match stride {
        2..=8 => 8 * stride as u32,
        _ => return false,
    };
    let (least, most) = (-(1i128 << (bits - 1)), (1i128 << bits) - 1);
    matches!(bounds.ends(), (Some(l), Some(h)) if l > least && h < most)
}

/// Drops states that are cases of others.
fn drop_cases(states: &mut Vec<State>) {
    let mut kept: Vec<State> = Vec::new();
    for state in states.drain(..) {
        if kept.iter().any(|k| covers(&state, k)) {
            continue;
        }
        kept.retain(|k| !covers(k, &state));
        kept.push(state);
    }
    *states = kept;
}
