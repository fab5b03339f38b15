//! Steps of a program on abstract states.

use super::facts::Name;
use super::relate::{Linear, Written};
use super::state::{Kind, Object, State, set, single};
use super::terms::{Need, Place, Terms};
use super::value::{Base, Interval, Sum, Val, gcd};
use logic::{Op, Sort, TermId};
use program::{Stmt, VarId};
use std::collections::BTreeMap;

/// An index with fewer values is looked at value by value.
const FEW: i128 = 8;
/// Choices of one statement that are looked at one by one.
const MOST_CHOICES: usize = 4;

/// What an assignment does to an array.
enum Change {
    /// One value everywhere, if there is one, then these stores.
    Stores(Option<Val>, Vec<Written>),
    Forget,
}

impl Terms<'_> {
    /// The states after a statement. `None` if the end of memory is used in a way that is not understood, or a
    /// write may go into the links of what stands for many objects.
    pub(super) fn after(&self, state: State, stmt: &Stmt) -> Option<Vec<State>> {
        let out = self.by_cases(state, stmt);
        self.decided.take();
        out
    }

    fn by_cases(&self, state: State, stmt: &Stmt) -> Option<Vec<State>> {
        let mut out = Vec::new();
        let mut work: Vec<(State, Vec<(TermId, bool)>)> = vec![(state, Vec::new())];
        while let Some((state, decided)) = work.pop() {
            self.decided.replace(decided.clone());
            if let Some((var, low, high)) = self.small_index(&state, stmt) {
                // Which cell it is matters: one case for each.
                for n in low..=high {
                    let mut case = state.clone();
                    case.vars.insert(var, Val::int(Interval::number(n)));
                    work.push((case, decided.clone()));
                }
                continue;
            }
            match self.split_at_mark(&state, stmt) {
                Ok(Some(cases)) => {
                    work.extend(cases.into_iter().map(|s| (s, decided.clone())));
                    continue;
                }
                Ok(None) => {}
                Err(need) => {
                    let cases = state.unfolded(&need).into_iter();
                    work.extend(cases.map(|s| (s, decided.clone())));
                    continue;
                }
            }
            match self.cases_of_choice(&state, stmt, &decided) {
                Ok(Some(cases)) => {
                    work.extend(cases);
                    continue;
                }
                Ok(None) => {}
                Err(need) => {
                    let cases = state.unfolded(&need).into_iter();
                    work.extend(cases.map(|s| (s, decided.clone())));
                    continue;
                }
            }
            let result = match stmt {
                Stmt::Skip => Ok(vec![state]),
                Stmt::Assume(c) => match self.assume(state.clone(), *c, true) {
                    Ok(states) => Ok(states),
                    Err(need) => Err((need, state)),
                },
                Stmt::Havoc(vars, _) => Ok(vec![self.havoc(state, vars)]),
                Stmt::Assign(pairs) => match self.assign(&state, pairs) {
                    Ok(next) => Ok(next?),
                    Err(need) => Err((need, state)),
                },
                Stmt::Call { .. } => return None,
            };
            match result {
                Ok(states) => out.extend(states),
                Err((need, state)) => {
                    let cases = state.unfolded(&need).into_iter();
                    work.extend(cases.map(|s| (s, decided.clone())));
                }
            }
        }
        out.iter_mut().for_each(State::prune);
        out.iter().all(|s| !s.broken).then_some(out)
    }

    /// An assignment of one of two addresses: a case for each, with what the condition is there.
    ///
    /// Sound because the condition is true or false before the assignment, and each case keeps the states in which it is that;
    /// taking objects out of chains leaves what it is.
    #[expect(clippy::type_complexity)]
    fn cases_of_choice(
        &self,
        state: &State,
        stmt: &Stmt,
        decided: &[(TermId, bool)],
    ) -> Result<Option<Vec<(State, Vec<(TermId, bool)>)>>, Need> {
        let Stmt::Assign(pairs) = stmt else {
            return Ok(None);
        };
        if decided.len() >= MOST_CHOICES {
            return Ok(None);
        }
        for (_, root) in pairs {
            for &(condition, a, b) in self.choices(*root).iter() {
                if self.decision(condition).is_some() || self.truth(state, condition)?.is_some() {
                    continue;
                }
                let (a, b) = (self.value(state, a)?, self.value(state, b)?);
                if a.base == b.base {
                    continue;
                }
                let mut out = Vec::new();
                for holds in [true, false] {
                    let mut decided = decided.to_vec();
                    decided.push((condition, holds));
                    let cases = self.assume(state.clone(), condition, holds)?;
                    out.extend(cases.into_iter().map(|s| (s, decided.clone())));
                }
                return Ok(Some(out));
            }
        }
        Ok(None)
    }

    /// A variable that an array is indexed by and that has a few values only.
    fn small_index(&self, state: &State, stmt: &Stmt) -> Option<(VarId, i128, i128)> {
        let roots: Vec<TermId> = match stmt {
            Stmt::Assume(c) => vec![*c],
            Stmt::Assign(pairs) => pairs.iter().map(|(_, t)| *t).collect(),
            _ => return None,
        };
        for root in roots {
            for &var in self.index_vars(root).iter() {
                let value = self.var(state, var);
                if let (None, Some(low), Some(high)) =
                    (value.base, value.offset.low, value.offset.high)
                    && low < high
                    && high - low < FEW
                {
                    return Some((var, low, high));
                }
            }
        }
        None
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

    /// The states after an assignment: none if a value leaves its range. The inner `None` as in `after`.
    fn assign(&self, state: &State, pairs: &[(VarId, TermId)]) -> Result<Option<Vec<State>>, Need> {
        let mut numbers: Vec<(VarId, Val)> = Vec::new();
        let mut related: Vec<(VarId, Option<Linear>, Option<Base>)> = Vec::new();
        let mut changes: Vec<(VarId, Change)> = Vec::new();
        let mut growth = None;
        for &(var, term) in pairs {
            match self.pool.sort_kind(self.program.vars[var].sort) {
                Sort::Int if var == self.top => growth = Some(self.number(state, term)?),
                Sort::Int => {
                    let mut value = self.value(state, term)?;
                    self.point_into_table(state, term, value)?;
                    if value.base.is_none() {
                        value.offset = value.offset.meet(self.range(var));
                        if value.offset.is_empty() {
                            return Ok(Some(Vec::new()));
                        }
                    }
                    numbers.push((var, value));
                    if state.facts.on || !state.tables.is_empty() {
                        let linear = self.linear(state, term, 0)?;
                        related.push((var, linear, value.base));
                    }
                }
                Sort::Array(..) => changes.push((var, self.change(state, var, term)?)),
                _ => {}
            }
        }
        let mut next = state.clone();
        let mut written = Vec::new();
        let mut whole = Vec::new();
        for (array, change) in &mut changes {
            let stays = matches!(change, Change::Stores(None, _));
            whole.extend((!stays).then_some(*array));
            if let Change::Stores(all, stores) = change {
                if all.is_some() {
                    next.forget_array_facts(*array);
                }
                written.push((*array, std::mem::take(stores)));
            }
        }
        let tables = self.borders_after(state, &related, &written, &whole);
        self.relate(&mut next, &related, &written);
        next.tables = tables;
        for (var, value) in numbers {
            match value == Val::int(self.range(var)) {
                true => drop(next.vars.remove(&var)),
                false => drop(next.vars.insert(var, value)),
            }
        }
        for (array, change) in changes {
            match change {
                Change::Forget => next.forget_array(array),
                Change::Stores(all, _) => {
                    if let Some(value) = all {
                        next.fill_array(array, value);
                        // New memory holds anything, as far as a program can tell.
                        if self.by_address.contains(&array) {
                            next.defaults.remove(&array);
                        }
                    }
                    let stores = written.iter().filter(|(a, _)| *a == array);
                    for w in stores.flat_map(|(_, list)| list) {
                        self.write(&mut next, array, w.place, w.value);
                    }
                }
            }
        }
        next.reduce();
        match growth {
            Some(sum) => Ok(self.allocate(next, &sum).map(|s| vec![s])),
            None => Ok(Some(vec![next])),
        }
    }

    fn change(&self, state: &State, var: VarId, term: TermId) -> Result<Change, Need> {
        let mut stores = Vec::new();
        let mut array = term;
        loop {
            match (self.pool.op(array), self.pool.args(array)) {
                (Op::Store, &[inner, at, stored]) => {
                    let index = self.value(state, at)?;
                    let (mut index_form, mut number) = (None, None);
                    if state.facts.on || !state.tables.is_empty() {
                        index_form = self.linear(state, at, 0)?;
                        number = self.linear(state, stored, 0)?;
                    }
                    let value = self.value(state, stored)?;
                    self.make_table(state, var, at, index, Some(value))?;
                    stores.push(Written {
                        place: self.place(state, var, at, index, false)?,
                        index: index_form,
                        value,
                        number,
                    });
                    array = inner;
                }
                (Op::ConstArray, &[all]) => {
                    stores.reverse();
                    return Ok(Change::Stores(Some(self.value(state, all)?), stores));
                }
                _ if self.program.vars[var].term == array => {
                    stores.reverse();
                    return Ok(Change::Stores(None, stores));
                }
                _ => return Ok(Change::Forget),
            }
        }
    }

    fn write(&self, state: &mut State, array: VarId, place: Place, value: Val) {
        match place {
            Place::Object(id, offset) => match offset.exact() {
                Some(at) => set(state, id, (array, at), value),
                None => {
                    let rest = state.rest(id, array).join(value);
                    let Some(object) = state.object_mut(id) else {
                        return;
                    };
                    object.rest.insert(array, rest);
                    for (cell, old) in &mut object.cells {
                        if cell.0 == array && offset.holds(cell.1) {
                            *old = old.join(value);
                        }
                    }
                }
            },
            Place::Fixed(offset) => match offset.exact() {
                Some(at) => drop(state.statics.insert((array, at), value)),
                None => {
                    let default = state.static_defaults.get(&array).copied();
                    if let Some(default) = default {
                        state.static_defaults.insert(array, default.join(value));
                    }
                    for (cell, old) in &mut state.statics {
                        if cell.0 == array && offset.holds(cell.1) {
                            *old = old.join(value);
                        }
                    }
                }
            },
            Place::Anywhere | Place::Row(_) => state.forget_array(array),
        }
    }

    /// The end of memory moves: what lies between is a new object.
    fn allocate(&self, mut state: State, to: &Sum) -> Option<State> {
        let Some(old) = state.fresh else {
            // Memory begins.
            let start = to.offset.exact().filter(|_| to.parts.is_empty())?;
            return (start == self.start).then(|| self.begin(state, start));
        };
        let &[(Base::Address(target), 1)] = to.parts.as_slice() else {
            return None;
        };
        let length = to.offset.low.filter(|l| *l > 0)?;
        if target != single(old) {
            return None;
        }
        let object = state.object_mut(old)?;
        object.extent = length;
        let align = match to.offset.exact() {
            Some(n) => gcd(object.align, n),
            None => 1,
        };
        let fresh = state.add_object(empty(align));
        state.fresh = Some(fresh);
        let end = Val::address(single(fresh), Interval::number(0));
        state.vars.insert(self.top, end);
        Some(state)
    }

    fn begin(&self, mut state: State, start: i128) -> State {
        let fresh = state.add_object(empty(start));
        state.fresh = Some(fresh);
        let end = Val::address(single(fresh), Interval::number(0));
        state.vars.insert(self.top, end);
        state
    }
}

fn empty(align: i128) -> Object {
    Object {
        kind: Kind::Single,
        owner: None,
        optional: false,
        cells: BTreeMap::new(),
        rest: BTreeMap::new(),
        extent: 0,
        align,
    }
}
