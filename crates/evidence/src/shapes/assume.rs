//! What a condition says of an abstract state: states split by cases, values narrowed.

use super::facts::Name;
use super::state::State;
use super::terms::{Lvalue, Need, Place, Terms};
use super::value::{Interval, Sum, Val, integer};
use logic::{Op, TermId};

/// Wider intervals bound nothing.
const SURE: i128 = 1 << 12;

impl Terms<'_> {
    /// The cell that a term reads, if it is one.
    pub(super) fn lvalue(&self, state: &State, t: TermId) -> Result<Option<Lvalue>, Need> {
        if let Some(&v) = self.var_of.get(&t) {
            return Ok((self.pool.sort_of(t) == self.pool.int_sort()).then_some(Lvalue::Var(v)));
        }
        let (Op::Select, &[array, index]) = (self.pool.op(t), self.pool.args(t)) else {
            return Ok(None);
        };
        let Some(&var) = self.var_of.get(&array) else {
            return Ok(None);
        };
        let value = self.value(state, index)?;
        Ok(match self.place(state, var, index, value, true)? {
            Place::Row(_) => None,
            Place::Object(id, offset) => offset.exact().map(|at| Lvalue::Object(id, (var, at))),
            Place::Fixed(offset) => offset.exact().map(|at| Lvalue::Fixed((var, at))),
            Place::Anywhere => None,
        })
    }

    /// The states in which the condition is as said.
    pub(super) fn assume(
        &self,
        state: State,
        condition: TermId,
        holds: bool,
    ) -> Result<Vec<State>, Need> {
        let mut out = Vec::new();
        let mut work = vec![(state, vec![(condition, holds)])];
        while let Some((mut state, mut open)) = work.pop() {
            let Some((t, wanted)) = open.pop() else {
                out.push(state);
                continue;
            };
            let truth = match self.truth(&state, t)? {
                None => self.truth_by_facts(&state, t)?,
                known => known,
            };
            match truth {
                Some(truth) if truth == wanted => {
                    work.push((state, open));
                    continue;
                }
                Some(_) => continue,
                None => {}
            }
            match (self.pool.op(t), self.pool.args(t), wanted) {
                (Op::Not, &[a], _) => {
                    open.push((a, !wanted));
                    work.push((state, open));
                }
                (Op::And, args, true) | (Op::Or, args, false) => {
                    open.extend(args.iter().map(|&a| (a, wanted)));
                    if state.facts.on {
                        // What one says may be needed to understand another.
                        open.extend(args.iter().map(|&a| (a, wanted)));
                    }
                    work.push((state, open));
                }
                (Op::And, args, false) | (Op::Or, args, true) if args.len() <= 4 => {
                    for &a in args {
                        let mut case = open.clone();
                        case.push((a, wanted));
                        work.push((state.clone(), case));
                    }
                }
                (Op::Eq, &[a, b], _) if self.pool.sort_of(a) == self.pool.int_sort() => {
                    if self.learn(&mut state, t, wanted)?
                        && self.equality(&mut state, a, b, wanted)?
                    {
                        work.push((state, open));
                    }
                }
                (Op::Le, &[a, b], _) if self.pool.sort_of(a) == self.pool.int_sort() => {
                    if self.learn(&mut state, t, wanted)?
                        && self.inequality(&mut state, a, b, wanted)?
                    {
                        work.push((state, open));
                    }
                }
                _ => work.push((state, open)),
            }
        }
        Ok(out)
    }

    /// The sum of a linear form without one of its terms.
    fn without(&self, state: &State, form: &logic::Linear, skip: TermId) -> Result<Sum, Need> {
        let Some(constant) = integer(&form.constant) else {
            return Ok(Sum::of(Val::ANY));
        };
        let mut out = Sum::number(constant);
        for (t, factor) in form.terms.iter().filter(|(t, _)| *t != skip) {
            let Some(factor) = integer(factor) else {
                return Ok(Sum::of(Val::ANY));
            };
            let mut part = self.number(state, *t)?;
            part.scale(factor, self.block);
            out.add(&part);
        }
        Ok(out)
    }

    /// `a <= b` is as wanted; false if that cannot be.
    fn inequality(
        &self,
        state: &mut State,
        a: TermId,
        b: TermId,
        wanted: bool,
    ) -> Result<bool, Need> {
        let mut form = self.pool.difference(a, b);
        if !wanted {
            // a > b is b - a + 1 <= 0.
            form.scale(&logic::Rational::MINUS_ONE);
            form.constant = &form.constant + &logic::Rational::ONE;
        }
        self.at_most(state, &form)
    }

    fn at_most(&self, state: &mut State, form: &logic::Linear) -> Result<bool, Need> {
        for (t, factor) in &form.terms {
            let Some(factor) = integer(factor) else {
                continue;
            };
            let Some(lvalue) = self.lvalue(state, *t)? else {
                continue;
            };
            let own = self.get(state, lvalue);
            let mut rest = self.without(state, form, *t)?;
            if let Some(base) = own.base {
                let mut part = Sum {
                    parts: vec![(base, 1)],
                    offset: Interval::number(0),
                };
                part.scale(factor, self.block);
                rest.add(&part);
            }
            let (true, Some(low)) = (rest.parts.is_empty(), rest.offset.low) else {
                continue;
            };
            // A bound by something that is hardly known only makes states differ.
            if rest.offset.high.is_none_or(|h| h - low > SURE) {
                continue;
            }
            let allowed = match factor > 0 {
                true => Interval {
                    low: None,
                    high: Some((-low).div_euclid(factor)),
                },
                false => Interval {
                    low: Some(-((-low).div_euclid(-factor))),
                    high: None,
                },
            };
            let offset = own.offset.meet(allowed);
            if offset.is_empty() {
                return Ok(false);
            }
            self.put(state, lvalue, Val { offset, ..own });
        }
        Ok(true)
    }

    fn equality(
        &self,
        state: &mut State,
        a: TermId,
        b: TermId,
        wanted: bool,
    ) -> Result<bool, Need> {
        let form = self.pool.difference(a, b);
        if wanted {
            let mut other = form.clone();
            other.scale(&logic::Rational::MINUS_ONE);
            if !self.at_most(state, &form)? || !self.at_most(state, &other)? {
                return Ok(false);
            }
        }
        for (t, factor) in &form.terms {
            let Some(factor) = integer(factor).filter(|f| f.abs() == 1) else {
                continue;
            };
            let Some(lvalue) = self.lvalue(state, *t)? else {
                continue;
            };
            let own = self.get(state, lvalue);
            let mut other = self.without(state, &form, *t)?;
            other.scale(-factor, self.block);
            let other = other.value();
            if wanted {
                // The unknown number is that address.
                if own.base.is_none() && other.base.is_some() {
                    self.put(state, lvalue, other);
                }
                continue;
            }
            let (true, Some(n)) = (own.base == other.base, other.offset.exact()) else {
                continue;
            };
            let mut offset = own.offset;
            if offset.low == Some(n) {
                offset.low = Some(n + 1);
            }
            if offset.high == Some(n) {
                offset.high = Some(n - 1);
            }
            if offset.is_empty() {
                return Ok(false);
            }
            self.put(state, lvalue, Val { offset, ..own });
        }
        Ok(true)
    }

    pub(super) fn get(&self, state: &State, lvalue: Lvalue) -> Val {
        match lvalue {
            Lvalue::Var(v) => self.var(state, v),
            Lvalue::Object(id, cell) => state.cell(id, cell),
            Lvalue::Fixed(cell) => state.fixed(cell),
        }
    }

    fn put(&self, state: &mut State, lvalue: Lvalue, value: Val) {
        let known = state.facts.on || !state.tables.is_empty();
        if known && self.get(state, lvalue).base != value.base {
            // What the name means is counted from something else now.
            state.forget_name(match lvalue {
                Lvalue::Var(v) => Name::Var(v),
                Lvalue::Object(id, cell) => Name::Cell(id, cell),
                Lvalue::Fixed(cell) => Name::Fixed(cell),
            });
        }
        match lvalue {
            Lvalue::Var(v) if v == self.top => {}
            Lvalue::Var(v) => {
                state.vars.insert(v, value);
            }
            Lvalue::Object(id, cell) => super::state::set(state, id, cell, value),
            Lvalue::Fixed(cell) => {
                state.statics.insert(cell, value);
            }
        }
    }
}
