//! Numbers: their bounds, what comparisons with zero say, division and wrapping.

use super::lin::{Base, Lin};
use super::names::{Name, negated};
use super::state::State;
use super::terms::{Meaning, Split, Terms};
use base::Id;
use logic::{Interval, TermId};
use std::collections::btree_map::Entry;

impl Terms<'_> {
    /// Bounds by those of names.
    pub(super) fn quick(&self, state: &State, lin: &Lin) -> Interval {
        let parts = self.bounds_of_parts(lin);
        state.quick(&lin.form).add(&lin.rest).add(&parts)
    }

    /// Bounds by facts.
    pub(super) fn precise(&self, state: &State, lin: &Lin) -> Interval {
        let parts = self.bounds_of_parts(lin);
        let form = state
            .bounds(&lin.form)
            .unwrap_or(Interval { low: 1, high: 0 });
        if form.is_empty() {
            // No such state: whatever is said of it holds.
            return self.quick(state, lin);
        }
        form.add(&lin.rest).add(&parts)
    }

    pub(super) fn bounds_of_parts(&self, lin: &Lin) -> Interval {
        let addresses = Interval::of(Some(self.start), Some(self.limit - self.block));
        match *lin.parts.as_slice() {
            [] => Interval::single(0),
            [(Base::Address(_), k)] => addresses.times(k),
            [(Base::Block(_), k)] => {
                let block = |n: i128| Some(n.div_euclid(self.block));
                Interval::of(block(addresses.low), block(addresses.high)).times(k)
            }
            _ => Interval::ANY,
        }
    }

    /// Does it lie within bounds?
    pub(super) fn is_within(&self, state: &State, lin: &Lin, bounds: &Interval) -> bool {
        if bounds.includes(&self.quick(state, lin)) {
            return true;
        }
        if !lin.parts.is_empty() || lin.form.is_empty() {
            return false;
        }
        // form + rest in bounds for every number of the rest.
        let ((low, high), (a, b)) = (bounds.ends(), lin.rest.ends());
        let low = match (low, a) {
            (None, _) => None,
            (Some(l), Some(a)) => Some(l - a),
            (Some(_), None) => return false,
        };
        let high = match (high, b) {
            (None, _) => None,
            (Some(h), Some(b)) => Some(h - b),
            (Some(_), None) => return false,
        };
        state.entails(&lin.form, &Interval::of(low, high))
    }

    pub(super) fn is_zero(&self, state: &State, lin: &Lin) -> Option<bool> {
        match *lin.parts.as_slice() {
            [] => {}
            [(Base::Address(a), k), (Base::Address(b), l)] if k == -l && k.abs() == 1 => {
                debug_assert!(a != b);
                // Sound because blocks are apart and begin at multiples of their length.
                let near = Interval::of(Some(1 - self.block), Some(self.block - 1));
                let off = Lin {
                    parts: Vec::new(),
                    ..lin.clone()
                };
                return self.is_within(state, &off, &near).then_some(false);
            }
            [(Base::Block(_), k), (Base::Block(_), l)] if k == -l => {
                let same = lin.form.is_empty() && lin.rest == Interval::single(0);
                return same.then_some(false);
            }
            [_] => {
                let bounds = self.quick(state, lin);
                return (!bounds.contains(0)).then_some(false);
            }
            _ => return None,
        }
        let quick = self.quick(state, lin);
        if let Some(n) = quick.as_single() {
            return Some(n == 0);
        }
        if !quick.contains(0) {
            return Some(false);
        }
        if lin.is_any() || lin.form.is_empty() {
            return None;
        }
        let bounds = self.precise(state, lin);
        match bounds.as_single() {
            Some(n) => Some(n == 0),
            None => (!bounds.contains(0)).then_some(false),
        }
    }

    pub(super) fn is_at_most_zero(&self, state: &State, lin: &Lin) -> Option<bool> {
        let quick = self.quick(state, lin);
        let answer = |b: Interval| match b.ends() {
            (_, Some(h)) if h <= 0 => Some(true),
            (Some(l), _) if l > 0 => Some(false),
            _ => None,
        };
        if answer(quick).is_some() || !lin.parts.is_empty() {
            return answer(quick);
        }
        if lin.is_any() || lin.form.is_empty() {
            return None;
        }
        answer(self.precise(state, lin))
    }

    /// Adds that a number lies within bounds. False if that cannot be.
    pub(super) fn add(&self, state: &mut State, lin: &Lin, bounds: &Interval) -> bool {
        if !lin.parts.is_empty() {
            return !self.quick(state, lin).meet(bounds).is_empty();
        }
        // form = bounds - rest
        let form = lin.form.clone();
        let own = bounds.add(&lin.rest.negate());
        if form.is_empty() {
            return !lin.rest.meet(bounds).is_empty();
        }
        state.add_fact(form, own)
    }

    /// The number differs from zero: so it lies on a side, if it has one.
    pub(super) fn add_not_zero(&self, state: &mut State, lin: &Lin) -> bool {
        let Some(n) = lin.rest.as_single().filter(|_| lin.parts.is_empty()) else {
            return true;
        };
        let Some(bounds) = state.bounds(&lin.form) else {
            return false;
        };
        // form + n is not zero.
        if bounds.as_single() == Some(-n) {
            return false;
        }
        if bounds.high == -n {
            return state.add_fact(lin.form.clone(), Interval::of(None, Some(-n - 1)));
        }
        if bounds.low == -n {
            return state.add_fact(negated(&lin.form), Interval::of(None, Some(n - 1)));
        }
        true
    }

    /// The quotient, rounded down, as a number of its own.
    pub(super) fn quotient(&self, state: &mut State, t: TermId, lin: &Lin, by: i128) -> Meaning {
        if let Some((o, off)) = lin.inside() {
            let whole = Interval::of(Some(0), Some(self.block - 1));
            // Sound because the object begins a block and the offset lies in it.
            return Meaning::Number(
                match by == self.block && self.is_within(state, &off, &whole) {
                    true => Lin {
                        parts: vec![(Base::Block(o), 1)],
                        ..Lin::number(0)
                    },
                    false => Lin::any(),
                },
            );
        }
        if !lin.parts.is_empty() {
            return Meaning::Number(Lin::any());
        }
        let floor = |b: Interval| {
            let (l, h) = b.ends();
            Interval::of(l.map(|l| l.div_euclid(by)), h.map(|h| h.div_euclid(by)))
        };
        let mut bounds = floor(self.quick(state, lin));
        if by == self.block && bounds.as_single().is_none() {
            bounds = floor(self.precise(state, lin));
        }
        if by == 1 {
            return Meaning::Number(lin.clone());
        }
        if let Some(n) = bounds.as_single() {
            return Meaning::Number(Lin::number(n));
        }
        let name = Name::Aux(t.index() as u32);
        if let Entry::Vacant(entry) = state.ghosts.entry(name) {
            entry.insert(bounds);
            // 0 <= lin - by * name <= by - 1
            let rest = lin.plus(-by, &Lin::name(name), self.block);
            self.add(state, &rest, &Interval::of(Some(0), Some(by - 1)));
        }
        Meaning::Number(Lin::name(name))
    }

    /// The product of two numbers: a number of its own if they are variables.
    pub(super) fn product(&self, state: &mut State, x: &Lin, y: &Lin) -> Meaning {
        let (a, b) = (self.quick(state, x), self.quick(state, y));
        let bounds = a.multiply(&b);
        let var = |l: &Lin| match *l.form.as_slice() {
            [(Name::Var(v), 1)] if l.parts.is_empty() && l.rest == Interval::single(0) => Some(v),
            _ => None,
        };
        let (Some(v), Some(w)) = (var(x), var(y)) else {
            return Meaning::Number(Lin::within(bounds));
        };
        let name = Name::product(v, w);
        if let Entry::Vacant(entry) = state.ghosts.entry(name) {
            entry.insert(bounds);
            // What is multiplied by a positive number does not get smaller.
            for (own, other, lin) in [(a, b, x), (b, a, y)] {
                if own.low >= 0 && other.low >= 1 {
                    let more = Lin::name(name).plus(-1, lin, self.block);
                    self.add(state, &more, &Interval::of(Some(0), None));
                }
            }
        } else {
            state.narrow(name, bounds);
        }
        Meaning::Number(Lin::name(name))
    }

    /// The remainder of a division by a number that is not known: below it, if it is positive.
    pub(super) fn remainder(&self, state: &mut State, t: TermId, x: &Lin, by: &Lin) -> Meaning {
        let (dividend, divisor) = (self.quick(state, x), self.quick(state, by));
        if divisor.low < 1 || !by.parts.is_empty() || !x.parts.is_empty() {
            return Meaning::Number(Lin::any());
        }
        let name = Name::Aux(t.index() as u32);
        if let Entry::Vacant(entry) = state.ghosts.entry(name) {
            let most = divisor.ends().1.map(|d| d - 1);
            let mut bounds = Interval::of(Some(0), most);
            if dividend.low >= 0 {
                bounds = bounds.meet(&Interval::of(Some(0), dividend.ends().1));
            }
            entry.insert(bounds);
            let below = Lin::name(name).plus(-1, by, self.block);
            self.add(state, &below, &Interval::of(None, Some(-1)));
        }
        Meaning::Number(Lin::name(name))
    }

    pub(super) fn modulo(&self, state: &mut State, t: TermId, lin: &Lin, by: i128) -> Meaning {
        let lin = match lin.inside() {
            // Addresses of objects are multiples of a block.
            Some((_, off)) if self.block % by == 0 => off,
            None if lin.parts.is_empty() => lin.clone(),
            _ => return Meaning::Number(Lin::within(Interval::of(Some(0), Some(by - 1)))),
        };
        if Interval::of(Some(0), Some(by - 1)).includes(&self.quick(state, &lin)) {
            return Meaning::Number(lin);
        }
        match self.quotient(state, t, &lin, by) {
            Meaning::Number(q) => Meaning::Number(lin.plus(-by, &q, self.block)),
            other => other,
        }
    }

    pub(super) fn wrap(&self, state: &State, lin: &Lin, bits: u8, signed: bool) -> Meaning {
        if bits > 64 {
            return Meaning::Number(Lin::any());
        }
        let size = 1i128 << bits;
        let low = if signed { -(size / 2) } else { 0 };
        let range = Interval::of(Some(low), Some(low + size - 1));
        if let Some((_, off)) = lin.inside() {
            let whole = Interval::of(Some(0), Some(self.block));
            // Sound because what is allocated ends at a value of the variable that says where.
            let kept = range.high >= self.limit && self.is_within(state, &off, &whole);
            return Meaning::Number(if kept {
                lin.clone()
            } else {
                Lin::within(range)
            });
        }
        if !lin.parts.is_empty() || lin.is_any() {
            return Meaning::Number(Lin::within(range));
        }
        if self.is_within(state, lin, &range) {
            return Meaning::Number(lin.clone());
        }
        let bounds = self.quick(state, lin);
        let outside = bounds.meet(&range).is_empty();
        let (Some(l), Some(h)) = bounds.ends() else {
            return Meaning::Number(Lin::within(range));
        };
        let turns = (l - low).div_euclid(size);
        if turns == (h - low).div_euclid(size) {
            return Meaning::Number(lin.plus(-1, &Lin::number(turns * size), self.block));
        }
        // More than a few turns are not told apart.
        if outside || h - l > 4 * size || lin.rest.as_single().is_none() {
            return Meaning::Number(Lin::within(range));
        }
        let loose = Meaning::Number(Lin::within(range));
        self.needs(Split::Range(lin.clone(), range), loose)
    }
}
