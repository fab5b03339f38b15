//! How statements change what is known of the relations between numbers ([`super::facts`]).

use super::facts::{Form, Name, plus};
use super::state::{State, single};
use super::table::{Renamed, Table, named_after};
use super::terms::{Lvalue, Need, Place, Terms};
use super::value::{Base, Interval, Sum, Val, integer};
use logic::{Op, TermId};
use program::{Stmt, VarId};
use std::rc::Rc;

/// Operators under one another that keep a number in its range.
const DEEPEST: usize = 4;

/// Multiples of names, of addresses, and an interval.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    pub form: Form,
    pub rest: Sum,
}

impl Linear {
    /// What is added to the address of an object, if it is that and nothing else.
    fn inside(&self) -> Option<(u32, &Form, i128)> {
        match self.rest.parts.as_slice() {
            &[(Base::Address(t), 1)] if t == single(t.object) => {
                Some((t.object, &self.form, self.rest.offset.exact()?))
            }
            _ => None,
        }
    }
}

/// What is written where: for facts.
pub(super) struct Written {
    pub place: Place,
    pub index: Option<Linear>,
    pub value: Val,
    pub number: Option<Linear>,
}

impl Terms<'_> {
    /// A term over names.
    pub(super) fn linear(
        &self,
        state: &State,
        term: TermId,
        depth: usize,
    ) -> Result<Option<Linear>, Need> {
        let sum = self.pool.linear(term);
        let Some(constant) = integer(&sum.constant) else {
            return Ok(None);
        };
        let mut out = Linear {
            form: Form::new(),
            rest: Sum::number(constant),
        };
        for (t, factor) in &sum.terms {
            let Some(factor) = integer(factor) else {
                return Ok(None);
            };
            let Some(mut part) = self.linear_leaf(state, *t, depth)? else {
                return Ok(None);
            };
            let Some(form) = plus(&out.form, factor, &part.form) else {
                return Ok(None);
            };
            out.form = form;
            part.rest.scale(factor, self.block);
            out.rest.add(&part.rest);
        }
        Ok(Some(out))
    }

    fn linear_leaf(&self, state: &State, t: TermId, depth: usize) -> Result<Option<Linear>, Need> {
        if let Some(lvalue) = self.lvalue(state, t)? {
            let value = self.get(state, lvalue);
            let name = match lvalue {
                Lvalue::Var(v) if v == self.top => None,
                Lvalue::Var(v) => Some(Name::Var(v)),
                Lvalue::Object(id, cell) => Some(Name::Cell(id, cell)),
                Lvalue::Fixed(cell) => Some(Name::Fixed(cell)),
            };
            if let Some(name) = name {
                let mut rest = Sum::of(value);
                rest.offset = Interval::number(0);
                return Ok(Some(Linear {
                    form: vec![(name, 1)],
                    rest,
                }));
            }
        }
        if let (Op::Wrap { bits, signed }, &[inner]) = (self.pool.op(t), self.pool.args(t))
            && depth < DEEPEST
        {
            let value = self.value(state, inner)?;
            if value.offset != Interval::ALL && self.wrapped(state, value, bits, signed) == value {
                return self.linear(state, inner, depth + 1);
            }
        }
        if let (Op::Ite, &[condition, a, b]) = (self.pool.op(t), self.pool.args(t))
            && let Some(holds) = self.decision(condition)
            && depth < DEEPEST
        {
            return self.linear(state, if holds { a } else { b }, depth + 1);
        }
        let rest = Sum::of(self.value(state, t)?);
        Ok(Some(Linear {
            form: Form::new(),
            rest,
        }))
    }

    /// `a - b`, if addresses cancel.
    fn difference(&self, state: &State, a: TermId, b: TermId) -> Result<Option<Linear>, Need> {
        let (Some(mut x), Some(mut y)) = (self.linear(state, a, 0)?, self.linear(state, b, 0)?)
        else {
            return Ok(None);
        };
        y.rest.scale(-1, self.block);
        x.rest.add(&y.rest);
        let Some(form) = plus(&x.form, -1, &y.form) else {
            return Ok(None);
        };
        x.form = form;
        Ok(Some(x).filter(|l| l.rest.parts.is_empty() && !l.form.is_empty()))
    }

    /// What facts say of a comparison.
    pub(super) fn truth_by_facts(&self, state: &State, t: TermId) -> Result<Option<bool>, Need> {
        let (op, &[a, b]) = (self.pool.op(t), self.pool.args(t)) else {
            return Ok(None);
        };
        let compares = matches!(op, Op::Le | Op::Eq);
        if !state.facts.on || !compares || self.pool.sort_of(a) != self.pool.int_sort() {
            return Ok(None);
        }
        let Some(l) = self.difference(state, a, b)? else {
            return Ok(None);
        };
        let sum = |x: Option<i128>, y: Option<i128>| x?.checked_add(y?);
        let high = sum(state.upper(&l.form), l.rest.offset.high);
        let low = sum(state.lower(&l.form), l.rest.offset.low);
        Ok(match op {
            Op::Le if high.is_some_and(|h| h <= 0) => Some(true),
            Op::Le if low.is_some_and(|l| l > 0) => Some(false),
            Op::Eq if high == Some(0) && low == Some(0) => Some(true),
            Op::Eq if high.is_some_and(|h| h < 0) || low.is_some_and(|l| l > 0) => Some(false),
            _ => None,
        })
    }

    /// A comparison is as wanted; false if that cannot be.
    pub(super) fn learn(&self, state: &mut State, t: TermId, wanted: bool) -> Result<bool, Need> {
        let (op, &[a, b]) = (self.pool.op(t), self.pool.args(t)) else {
            return Ok(true);
        };
        if !state.facts.on {
            return Ok(true);
        }
        if op == Op::Eq && wanted {
            self.learn_zero(state, a, b)?;
            self.learn_zero(state, b, a)?;
        }
        let Some(l) = self.difference(state, a, b)? else {
            return Ok(true);
        };
        let (form, rest) = (l.form, l.rest.offset);
        let minus = plus(&Form::new(), -1, &form).unwrap_or_default();
        let mut fine = true;
        // form + rest <= 0, or >= 1.
        match (op, wanted) {
            (Op::Le, true) => {
                if let Some(low) = rest.low {
                    fine &= state.add_fact(form, -low);
                }
            }
            (Op::Le, false) => {
                if let Some(high) = rest.high {
                    fine &= state.add_fact(minus, high - 1);
                }
            }
            (Op::Eq, true) => {
                if let Some(low) = rest.low {
                    fine &= state.add_fact(form, -low);
                }
                if let Some(high) = rest.high {
                    fine &= state.add_fact(minus, high);
                }
            }
            (Op::Eq, false) => {
                // Unequal and on one side.
                let Some(n) = rest.exact() else {
                    return Ok(true);
                };
                if state.upper(&form) == Some(-n) {
                    fine &= state.add_fact(form, -n - 1);
                } else if state.upper(&minus) == Some(n) {
                    fine &= state.add_fact(minus, n - 1);
                }
            }
            _ => {}
        }
        Ok(fine && state.reduce())
    }

    /// Facts after an assignment, in a state that still has the old values.
    pub(super) fn relate(
        &self,
        state: &mut State,
        numbers: &[(VarId, Option<Linear>, Option<Base>)],
        written: &[(VarId, Vec<Written>)],
    ) {
        if !state.facts.on {
            return;
        }
        self.keep_marks(state, written);
        let mut targets: Vec<(Name, Option<Base>, Option<&Linear>)> = Vec::new();
        for (var, number, base) in numbers {
            targets.push((Name::Var(*var), *base, number.as_ref()));
        }
        for (array, list) in written {
            for (at, w) in list.iter().enumerate() {
                let name = match w.place {
                    Place::Object(id, offset) => match offset.exact() {
                        Some(n) => Some(Name::Cell(id, (*array, n))),
                        None => {
                            let hit = |n: Name| match n {
                                Name::Cell(o, c) => o == id && c.0 == *array && offset.holds(c.1),
                                _ => false,
                            };
                            state.forget_names(hit);
                            None
                        }
                    },
                    Place::Fixed(offset) => match offset.exact() {
                        Some(n) => Some(Name::Fixed((*array, n))),
                        None => {
                            let hit = |n: Name| matches!(n, Name::Fixed(c) if c.0 == *array);
                            state.forget_names(hit);
                            None
                        }
                    },
                    Place::Anywhere | Place::Row(_) => {
                        state.forget_array_facts(*array);
                        None
                    }
                };
                // Only what is not written over in the same step, at a place that may be the same.
                let last = list[at + 1..].iter().all(|o| !may_meet(o.place, w.place));
                if let Some(name) = name {
                    let number = w.number.as_ref().filter(|_| last);
                    targets.push((name, w.value.base, number));
                }
            }
        }
        for (at, (_, base, number)) in targets.iter().enumerate() {
            let Some(number) = number else { continue };
            // The name of an address is what is added to the address.
            let own = match (number.rest.parts.as_slice(), base) {
                ([], None) => true,
                (&[(b, 1)], Some(base)) => b == *base,
                _ => false,
            };
            if !own {
                continue;
            }
            let new = vec![(Name::New(at), 1)];
            let (Some(more), Some(less)) =
                (plus(&new, -1, &number.form), plus(&number.form, -1, &new))
            else {
                continue;
            };
            if let Some(high) = number.rest.offset.high {
                state.add_fact(more, high);
            }
            if let Some(low) = number.rest.offset.low {
                state.add_fact(less, -low);
            }
        }
        let names: Vec<Name> = targets.iter().map(|t| t.0).collect();
        for name in &names {
            state.forget_name(*name);
        }
        state.rename_facts(|n| match n {
            Name::New(at) => names[at],
            other => other,
        });
    }

    /// How the borders of tables are named after an assignment, in a state before it.
    pub(super) fn borders_after(
        &self,
        state: &State,
        numbers: &[(VarId, Option<Linear>, Option<Base>)],
        written: &[(VarId, Vec<Written>)],
        forgotten: &[VarId],
    ) -> Vec<Rc<Table>> {
        let mut renamed: Vec<Renamed> = Vec::new();
        let mut lost: Vec<(Place, VarId)> = Vec::new();
        for (var, number, base) in numbers {
            renamed.push(renamed_to(Name::Var(*var), number.as_ref(), *base));
        }
        for (array, list) in written {
            for (at, w) in list.iter().enumerate() {
                let name = match w.place {
                    Place::Object(id, offset) => {
                        offset.exact().map(|n| Name::Cell(id, (*array, n)))
                    }
                    Place::Fixed(offset) => offset.exact().map(|n| Name::Fixed((*array, n))),
                    Place::Row(_) | Place::Anywhere => None,
                };
                let last = list[at + 1..].iter().all(|o| !may_meet(o.place, w.place));
                let number = w.number.as_ref().filter(|_| last);
                match name {
                    Some(name) => {
                        renamed.retain(|r| r.name != name);
                        renamed.push(renamed_to(name, number, w.value.base));
                    }
                    None => lost.push((w.place, *array)),
                }
            }
        }
        let hit = |n: Name| {
            let of = |a: VarId| forgotten.contains(&a);
            match n {
                Name::Cell(o, c) => {
                    of(c.0)
                        || lost.iter().any(|(p, a)| {
                            *a == c.0 && may_meet(*p, Place::Object(o, Interval::number(c.1)))
                        })
                }
                Name::Fixed(c) => {
                    of(c.0)
                        || lost.iter().any(|(p, a)| {
                            *a == c.0 && may_meet(*p, Place::Fixed(Interval::number(c.1)))
                        })
                }
                _ => false,
            }
        };
        let after = |table: &Rc<Table>| {
            let mut table = Table::clone(table);
            for segment in &mut table.segments {
                segment.from = named_after(&segment.from, table.holder, &renamed, &hit);
            }
            Rc::new(table)
        };
        state.tables.iter().map(after).collect()
    }

    /// Which zeros are still there after these writes, and new ones.
    fn keep_marks(&self, state: &mut State, written: &[(VarId, Vec<Written>)]) {
        for (array, list) in written {
            if self.is_by_block(*array) {
                continue;
            }
            for w in list {
                let Place::Object(id, _) = w.place else {
                    if matches!(w.place, Place::Anywhere) {
                        state.forget_array_facts(*array);
                    }
                    continue;
                };
                let index = w.index.as_ref().and_then(Linear::inside);
                let index = index.filter(|i| i.0 == id);
                let zero = w.value == Val::int(Interval::number(0));
                let mark = Name::Mark(id, *array);
                let known = state.facts.marks.contains_key(&(id, *array));
                let Some((_, form, constant)) = index else {
                    if !zero {
                        state.forget_name(mark);
                        state.facts.marks.remove(&(id, *array));
                    }
                    continue;
                };
                if zero {
                    let form = form.clone();
                    self.set_mark(state, (id, *array), &form, constant);
                } else if known {
                    let apart = plus(form, -1, &vec![(mark, 1)]);
                    let high = apart.as_ref().and_then(|d| state.upper(d));
                    let low = apart.as_ref().and_then(|d| state.lower(d));
                    let below = high.is_some_and(|h| h + constant < 0);
                    let above = low.is_some_and(|l| l + constant > 0);
                    if !below && !above {
                        state.forget_name(mark);
                        state.facts.marks.remove(&(id, *array));
                    }
                }
            }
        }
    }

    /// There is a zero at this place of an object; of two that are known the first is kept.
    fn set_mark(&self, state: &mut State, at: (u32, VarId), form: &Form, constant: i128) {
        let mark = Name::Mark(at.0, at.1);
        let (Some(more), Some(less)) = (
            plus(&vec![(mark, 1)], -1, form),
            plus(form, -1, &vec![(mark, 1)]),
        ) else {
            return;
        };
        let known = state.facts.marks.contains_key(&at);
        if known && state.lower(&less).is_some_and(|l| l + constant >= 0) {
            return;
        }
        state.forget_name(mark);
        // Of exact numbers no fact is kept: the interval says it.
        let bounds = Interval {
            low: state.lower(form).map(|l| l + constant),
            high: state.upper(form).map(|u| u + constant),
        };
        state.facts.marks.insert(at, bounds);
        state.add_fact(more, constant);
        state.add_fact(less, -constant);
    }

    /// What was read is zero: now it is known where there is one.
    fn learn_zero(&self, state: &mut State, read: TermId, number: TermId) -> Result<(), Need> {
        let zero = self.pool.as_number(number).and_then(integer) == Some(0);
        let (Op::Select, &[array, index]) = (self.pool.op(read), self.pool.args(read)) else {
            return Ok(());
        };
        let Some(&var) = self
            .var_of
            .get(&array)
            .filter(|v| zero && !self.is_by_block(**v))
        else {
            return Ok(());
        };
        let value = self.value(state, index)?;
        let Place::Object(id, _) = self.place(state, var, index, value, true)? else {
            return Ok(());
        };
        if state.tables.iter().any(|t| t.array == var) {
            return Ok(());
        }
        if let Some(index) = self.linear(state, index, 0)?
            && let Some((object, form, constant)) = index.inside()
            && object == id
        {
            let form = form.clone();
            self.set_mark(state, (id, var), &form, constant);
        }
        Ok(())
    }

    /// How far a place is behind the known zero of its object.
    fn behind_mark(
        &self,
        state: &State,
        array: TermId,
        index: TermId,
    ) -> Result<Option<(Form, i128)>, Need> {
        let Some(&var) = self.var_of.get(&array) else {
            return Ok(None);
        };
        if !state.facts.marks.keys().any(|m| m.1 == var) {
            return Ok(None);
        }
        let Some(index) = self.linear(state, index, 0)? else {
            return Ok(None);
        };
        let Some((id, form, constant)) = index.inside() else {
            return Ok(None);
        };
        if !state.facts.marks.contains_key(&(id, var)) {
            return Ok(None);
        }
        let distance = plus(form, -1, &vec![(Name::Mark(id, var), 1)]);
        Ok(distance.map(|d| (d, constant)))
    }

    /// Is it the known zero of its object that is read?
    pub(super) fn is_mark(
        &self,
        state: &State,
        array: TermId,
        index: TermId,
    ) -> Result<bool, Need> {
        if state.facts.marks.is_empty() {
            return Ok(false);
        }
        let Some((form, constant)) = self.behind_mark(state, array, index)? else {
            return Ok(false);
        };
        let zero = |bound: Option<i128>| bound == Some(-constant);
        Ok(zero(state.upper(&form)) && zero(state.lower(&form)))
    }

    /// A read that may be of the known zero of its object, as two cases: it is, or it is before it.
    pub(super) fn split_at_mark(
        &self,
        state: &State,
        stmt: &Stmt,
    ) -> Result<Option<Vec<State>>, Need> {
        if state.facts.marks.is_empty() {
            return Ok(None);
        }
        let roots: Vec<TermId> = match stmt {
            Stmt::Assume(c) => vec![*c],
            Stmt::Assign(pairs) => pairs.iter().map(|(_, t)| *t).collect(),
            _ => return Ok(None),
        };
        for root in roots {
            for &(array, index) in self.reads(root).iter() {
                let Some((form, constant)) = self.behind_mark(state, array, index)? else {
                    continue;
                };
                let (high, low) = (state.upper(&form), state.lower(&form));
                let at_end = high == Some(-constant) && low.is_none_or(|l| l < -constant);
                if !at_end {
                    continue;
                }
                let minus = plus(&Form::new(), -1, &form).unwrap_or_default();
                let (mut here, mut before) = (state.clone(), state.clone());
                let fits = here.add_fact(minus.clone(), constant) && here.reduce();
                let less = before.add_fact(form.clone(), -constant - 1) && before.reduce();
                // Only if both are known then.
                let is = !fits || here.lower(&form) == Some(-constant);
                let is_not = !less || before.upper(&form).is_some_and(|u| u < -constant);
                if !is || !is_not {
                    continue;
                }
                let mut cases = Vec::new();
                cases.extend(fits.then_some(here));
                cases.extend(less.then_some(before));
                return Ok(Some(cases));
            }
        }
        Ok(None)
    }
}

fn renamed_to(name: Name, number: Option<&Linear>, base: Option<Base>) -> Renamed {
    let mut out = Renamed {
        name,
        value: None,
        holder: None,
    };
    let Some(number) = number else { return out };
    // The name of an address is what is added to the address.
    let own = match (number.rest.parts.as_slice(), base) {
        ([], None) => true,
        (&[(b, 1)], Some(base)) => b == base,
        _ => false,
    };
    if let (true, Some(by)) = (own, number.rest.offset.exact()) {
        out.value = Some((number.form.clone(), by));
        out.holder = match base {
            None => Some(None),
            Some(Base::Address(t)) if t == single(t.object) => Some(Some(t.object)),
            _ => None,
        };
    }
    out
}

/// May both be the same cell?
fn may_meet(a: Place, b: Place) -> bool {
    match (a, b) {
        (Place::Object(x, i), Place::Object(y, j)) => x == y && !i.meet(j).is_empty(),
        (Place::Fixed(i), Place::Fixed(j)) => !i.meet(j).is_empty(),
        (Place::Object(..), Place::Fixed(_)) | (Place::Fixed(_), Place::Object(..)) => false,
        _ => true,
    }
}
