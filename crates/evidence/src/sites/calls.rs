//! Calls of recursive functions: what a callee is entered with, and what a caller knows after it.
//!
//! Idea, on `sort(a, low, high) { … sort(a, low, p - 1); sort(a, p + 1, high); }`:
//!
//! ```text
//!   entered with    a -> recent: size = 4 * n;  0 <= low;  4 * high + 4 <= size
//!   ends with       the cells of a are any numbers
//!   after a call    low, p, high as before; the cells of a as the callee's ends say
//! ```
//! All calls of a function are one: its states begin with what arguments, globals and memory are at any of them. What a callee may
//! write is, after a call, as one of the states in which it ends says; everything else is as it was before, and so are
//! the variables of the caller, which wait.
//!
//! Sound because of the names of objects: a callee that allocates nothing and frees nothing (others are refused) gives
//! no object another name, but that those which a caller tells apart from the many (`Obj::Held`) are among these while it runs. So what
//! its ends say of an object of a name, or of each of the many, holds for the objects that the caller calls so; and that arguments and ends
//! are cases of states that are known is checked where all states are (`Search::open_errors`), by induction on the number of steps.

use super::access::Given;
use super::facts::Fact;
use super::names::{Alt, Form, Name, Obj, Val};
use super::state::{Object, Segment, State};
use super::terms::{Split, Terms};
use crate::shapes::memory::compared_as_wholes;
use logic::{Interval, Sort, TermId};
use program::analysis::modref::ModRef;
use program::{FuncId, VarId};
use std::collections::BTreeSet;

/// What a function writes, itself or by way of those it calls.
pub(super) type Writes<'a> = &'a BTreeSet<VarId>;

/// Is what a function writes modelled: does it neither allocate nor free?
pub(super) fn is_understood(terms: &Terms, callee: FuncId, modref: &ModRef) -> bool {
    let wholes = compared_as_wholes(terms.pool, terms.program, &terms.var_of);
    let mut writes = modref.writes[callee].iter();
    !writes.any(|v| Some(*v) == terms.top || wholes.contains(v))
}

impl State {
    /// Objects that are told apart from the many go back to them.
    pub(super) fn put_back_held(&mut self) {
        let held = |o: &&Obj| matches!(o, Obj::Held(_));
        let held: Vec<Obj> = self.objects.keys().filter(held).copied().collect();
        for object in held {
            self.put_back(object);
        }
    }
}

impl Terms<'_> {
    fn is_int(&self, v: VarId) -> bool {
        self.pool.sort_of(self.program.vars[v].term) == self.pool.int_sort()
    }

    fn is_array(&self, v: VarId) -> bool {
        matches!(
            self.pool.sort_kind(self.program.vars[v].sort),
            Sort::Array(..)
        )
    }

    fn is_global(&self, v: VarId) -> bool {
        self.globals.contains(&v)
    }

    /// What a call enters the function with; nothing if an argument leaves its range.
    ///
    /// Sound because what is not global, but for the arguments, is forgotten: variables and arrays of the function's own may be
    /// those of the caller by name.
    pub(super) fn entered(
        &self,
        state: &State,
        callee: FuncId,
        args: &[TermId],
    ) -> Result<Option<State>, Split> {
        let mut entry = state.clone();
        let mut given: Vec<(VarId, Given)> = Vec::new();
        for (&param, &arg) in self.program.functions[callee].params.iter().zip(args) {
            if !self.is_int(param) {
                continue;
            }
            let mut own = self.given(&mut entry, arg)?;
            if own.value.single().is_some_and(|a| a.base.is_none()) {
                own.value = own.value.meet(&entry.frame.ranges[param]);
            }
            if own.value.alts().is_empty() {
                return Ok(None);
            }
            given.push((param, own));
        }
        for (n, (_, own)) in given.iter().enumerate() {
            self.announce(&mut entry, n, own);
        }
        entry.drop_idle(|v| self.is_global(v));
        for (n, (param, own)) in given.iter().enumerate() {
            self.settle(&mut entry, n, Name::Var(*param), &own.value);
        }
        entry.end_step();
        entry.put_back_held();
        Ok(entry.reduce().then_some(entry))
    }

    /// What a caller knows after a call that ended so; nothing if a result leaves its range.
    pub(super) fn returned(
        &self,
        before: &State,
        end: &State,
        (callee, results): (FuncId, &[VarId]),
        writes: Writes,
    ) -> Option<State> {
        let seen = Seen { before, end };
        let mut state = before.clone();
        state.end_step();
        for &v in writes {
            if self.is_array(v) {
                state.forget_array(v);
                if let Some(value) = end.defaults.get(&v) {
                    state.defaults.insert(v, seen.value(value));
                }
                continue;
            }
            state.forget_name(Name::Var(v));
            state.vars.remove(&v);
            if let Some(value) = end.vars.get(&v) {
                state.vars.insert(v, seen.value(value));
            }
        }
        let arrays: Vec<VarId> = writes
            .iter()
            .copied()
            .filter(|v| self.is_array(*v))
            .collect();
        let declared = end.objects.keys().filter(|o| matches!(o, Obj::Static(_)));
        for &id in declared {
            state.object_mut(id);
        }
        let ids: Vec<Obj> = state.objects.keys().copied().collect();
        for id in ids {
            seen.write(&mut state, id, &arrays);
        }
        // Results wait under names of their own: variables of the callee may be those of the caller.
        let returns = &self.program.functions[callee].returns;
        let mut values: Vec<Val> = Vec::new();
        for (n, &from) in returns.iter().enumerate() {
            let value = match self.is_int(from) {
                true => seen.value(&end.var(from)),
                false => Val::any(),
            };
            state.ghosts.insert(Name::New(n as u32), value.hull());
            values.push(value);
        }
        for fact in end.facts.iter() {
            for (form, bounds) in self.carried(&seen, fact, returns, writes) {
                state.add_fact(form, bounds);
            }
        }
        for (n, &result) in results.iter().enumerate() {
            if self.is_array(result) {
                state.forget_array(result);
            }
            if !self.is_int(result) {
                continue;
            }
            let range = state.frame.ranges[result];
            let mut value = values.get(n).cloned().unwrap_or_else(Val::any);
            if value.single().is_some_and(|a| a.base.is_none()) {
                value = value.meet(&range);
            }
            if value.alts().is_empty() {
                return None;
            }
            self.settle(&mut state, n, Name::Var(result), &value);
        }
        state.end_step();
        state.reduce().then_some(state)
    }

    /// A fact of the callee in the words of the caller, once for each object that it speaks of there.
    fn carried(
        &self,
        seen: &Seen,
        fact: &Fact,
        returns: &[VarId],
        writes: Writes,
    ) -> Vec<(Form, Interval)> {
        let mut objects = fact.form.iter().filter_map(|t| t.0.object());
        let many = objects.find(|o| o.is_many());
        let names = match many {
            None => vec![None],
            Some(many) => seen.of_many(many).into_iter().map(Some).collect(),
        };
        let mut out = Vec::new();
        for own in names {
            let name =
                |t: &(Name, i128)| Some((self.carried_name(seen, t.0, own, returns, writes)?, t.1));
            let form: Option<Form> = fact.form.iter().map(name).collect();
            if let Some(mut form) = form {
                form.sort_unstable_by_key(|t| t.0);
                out.push((form, fact.bounds));
            }
        }
        out
    }

    /// A number of the callee's end that the caller knows by a name. `own` is the caller's object among many.
    fn carried_name(
        &self,
        seen: &Seen,
        name: Name,
        own: Option<Obj>,
        returns: &[VarId],
        writes: Writes,
    ) -> Option<Name> {
        let same = |value: &Val| {
            let carried = seen.value(value);
            let based = |v: &Val| v.alts().iter().all(|a| a.base.is_some());
            let bare = |v: &Val| v.alts().iter().all(|a| a.base.is_none());
            based(value) && based(&carried) || bare(value) && bare(&carried)
        };
        match name {
            Name::Var(v) => {
                if let Some(n) = returns.iter().position(|r| *r == v) {
                    return same(&seen.end.var(v)).then_some(Name::New(n as u32));
                }
                if !self.is_global(v) {
                    return None;
                }
                let theirs = seen.end.var(v);
                if writes.contains(&v) {
                    return same(&theirs).then_some(name);
                }
                let (theirs, mine) = (theirs.single()?, seen.before.var(v).single()?);
                (mine.base.map(|o| seen.folded(o)) == theirs.base).then_some(name)
            }
            Name::Cell(o, cell) => {
                let (value, array) = (seen.end.cell(o, cell), cell.0);
                let here = seen.here(o, own)?;
                let written = writes.contains(&array) && same(&value);
                let number = |s: &State, o: Obj| !s.cell(o, (array, 0)).has_pointer();
                let kept = !writes.contains(&array)
                    && self.by_block.contains(&array)
                    && number(seen.end, o)
                    && number(seen.before, here);
                (written || kept).then(|| name.at(here))
            }
            Name::Mark(o, (array, _)) | Name::Fill(o, array) | Name::Start(o, array) => {
                let here = seen.here(o, own)?;
                writes.contains(&array).then(|| name.at(here))
            }
            _ => None,
        }
    }
}

/// A caller's state before a call, and one that the callee ended in.
struct Seen<'s> {
    before: &'s State,
    end: &'s State,
}

impl Seen<'_> {
    /// The name of a caller's object in the callee.
    fn folded(&self, object: Obj) -> Obj {
        match object {
            Obj::Held(_) => match self.before.objects.get(&object) {
                Some(x) => Obj::Old(x.site),
                None => object,
            },
            other => other,
        }
    }

    /// Is the last object of a place surely the last still?
    fn stays(&self, recent: Obj) -> bool {
        self.end.objects.get(&recent).is_some_and(|o| o.sure)
    }

    /// The caller's objects that may be among many of the callee.
    fn of_many(&self, many: Obj) -> Vec<Obj> {
        let Obj::Old(site) = many else {
            return Vec::new();
        };
        let among = |id: &Obj| match *id {
            Obj::Recent(s) => s == site && !self.stays(*id),
            other => self.folded(other) == many,
        };
        let ids = self.before.objects.keys().copied();
        ids.filter(among).collect()
    }

    /// What the callee says of an object of the caller, if it surely speaks of it.
    ///
    /// Sound because objects that are surely alive are forgotten by no callee that frees nothing.
    fn object(&self, id: Obj) -> Option<&Object> {
        let declared = matches!(id, Obj::Static(_) | Obj::Fresh);
        if !declared && !self.before.is_surely_alive(id) {
            return None;
        }
        if matches!(id, Obj::Recent(_)) && !self.stays(id) {
            return None;
        }
        self.end.objects.get(&self.folded(id)).map(|o| &**o)
    }

    /// The caller's name of an object of the callee, if facts about it are facts about that.
    fn here(&self, object: Obj, own: Option<Obj>) -> Option<Obj> {
        let here = match object {
            Obj::Static(_) => return Some(object),
            Obj::Recent(_) => object,
            // A fact may speak of objects of two places.
            Obj::Old(_) => own.filter(|o| self.folded(*o) == object)?,
            _ => return None,
        };
        self.before.objects.get(&here)?;
        self.object(here).map(|_| here)
    }

    /// A value of the callee in the words of the caller.
    fn value(&self, value: &Val) -> Val {
        let mut alts: Vec<Alt> = Vec::new();
        for &alt in value.alts() {
            let bases: Vec<Option<Obj>> = match alt.base {
                None | Some(Obj::Static(_)) => vec![alt.base],
                Some(recent @ Obj::Recent(_)) => {
                    let known = self.before.objects.contains_key(&recent);
                    known.then_some(Some(recent)).into_iter().collect()
                }
                Some(many) => self.of_many(many).into_iter().map(Some).collect(),
            };
            if bases.is_empty() {
                return Val::any();
            }
            alts.extend(bases.into_iter().map(|base| Alt { base, ..alt }));
        }
        Val::of(alts)
    }

    /// An object of the caller gets what the callee left in these arrays.
    fn write(&self, state: &mut State, id: Obj, arrays: &[VarId]) {
        let theirs = self.object(id).cloned();
        let folded = self.folded(id);
        let declared = matches!(id, Obj::Static(_) | Obj::Fresh);
        let mut bounds: Vec<(Name, Interval)> = Vec::new();
        let object = state.object_mut(id);
        let Some(theirs) = theirs else {
            // A declared object that is not listed is as declared objects are.
            if !declared {
                for &array in arrays {
                    object.rest.insert(array, Val::any());
                }
            }
            return;
        };
        for &array in arrays {
            let cells = theirs.cells.iter().filter(|(c, _)| c.0 == array);
            for (cell, value) in cells {
                object.cells.insert(*cell, self.value(value));
            }
            if let Some(value) = theirs.rest.get(&array) {
                object.rest.insert(array, self.value(value));
            }
            if let Some(segment) = theirs.segments.get(&array) {
                let segment = Segment {
                    value: self.value(&segment.value),
                    distinct: false,
                    picked: None,
                    ..segment.clone()
                };
                bounds.extend(
                    segment
                        .names(folded, array)
                        .map(|n| (n, self.end.interval(n))),
                );
                object.segments.insert(array, segment);
            }
            for &mark in theirs.marks.iter().filter(|m| m.0 == array) {
                let name = Name::Mark(folded, mark);
                bounds.push((name, self.end.interval(name)));
                object.marks.insert(mark);
            }
        }
        for (name, own) in bounds {
            state.ghosts.insert(name.at(id), own);
        }
    }
}
