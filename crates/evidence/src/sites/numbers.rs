//! Numbers: their bounds, what comparisons with zero say, division and wrapping.

use super::lin::{Base, Lin};
use super::names::{Factor, Name, negated, plus};
use super::state::State;
use super::terms::{Meaning, Split, Terms};
use base::Id;
use logic::{Interval, TermId};
use std::collections::btree_map::Entry;

/// Products that a product of sums may have.
const MOST_PARTS: usize = 4;
/// Products that are compared with one, and how far apart their factors may be.
const MOST_PRODUCTS: usize = 6;
const FARTHEST: i128 = 1 << 10;
/// Sums with larger masks might not fit in a number.
const WIDEST_MASK: u128 = 1 << 100;

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

    /// The product of two numbers, multiplied out: products of variables and cells are numbers of their own.
    ///
    /// Sound because a number without an interval of its own is exactly its form and its constant.
    pub(super) fn product(&self, state: &mut State, x: &Lin, y: &Lin) -> Meaning {
        let bounds = self.quick(state, x).multiply(&self.quick(state, y));
        let Some(sum) = self.multiplied_out(state, x, y) else {
            return Meaning::Number(Lin::within(bounds));
        };
        if sum.form.len() > 1 {
            // Bounds of the sum of all products may be wider than those of the product of sums.
            self.add(state, &sum, &bounds);
        }
        Meaning::Number(sum)
    }

    fn multiplied_out(&self, state: &mut State, x: &Lin, y: &Lin) -> Option<Lin> {
        let (c, d) = (x.rest.as_single()?, y.rest.as_single()?);
        let parts = x.form.len() * y.form.len();
        if !x.parts.is_empty() || !y.parts.is_empty() || !(1..=MOST_PARTS).contains(&parts) {
            return None;
        }
        let mut products: Vec<(Factor, Factor, Name, i128)> = Vec::with_capacity(parts);
        for &(v, k) in &x.form {
            for &(w, l) in &y.form {
                let factor = |n: Name| Factor::of(n).filter(|f| state.is_number_at(*f));
                let (v, w) = (state.first_equal(factor(v)?), state.first_equal(factor(w)?));
                products.push((v, w, Name::product(v, w)?, k.checked_mul(l)?));
            }
        }
        let plain = |lin: &Lin| Lin {
            rest: Interval::single(0),
            ..lin.clone()
        };
        let mut sum = Lin::number(c.checked_mul(d)?);
        sum = sum.plus(d, &plain(x), self.block);
        sum = sum.plus(c, &plain(y), self.block);
        for (v, w, name, k) in products {
            self.make_product(state, v, w, name);
            sum = sum.plus(k, &Lin::name(name), self.block);
        }
        (!sum.is_any()).then_some(sum)
    }

    /// A product of two variables or cells that are numbers gets its bounds, and what is known of others beside it.
    fn make_product(&self, state: &mut State, v: Factor, w: Factor, name: Name) {
        let (a, b) = (state.interval(v.name()), state.interval(w.name()));
        let bounds = a.multiply(&b);
        if let Entry::Vacant(entry) = state.ghosts.entry(name) {
            entry.insert(bounds);
            // What is multiplied by a positive number does not get smaller.
            for (own, other, factor) in [(a, b, v), (b, a, w)] {
                if own.low >= 0 && other.low >= 1 {
                    let lin = Lin::name(factor.name());
                    let more = Lin::name(name).plus(-1, &lin, self.block);
                    self.add(state, &more, &Interval::of(Some(0), None));
                }
            }
        } else {
            state.narrow(name, bounds);
        }
        self.compare_products(state, v, w, name);
    }

    /// What is known of the difference of two products that have a factor in common: `y * w <= h * w - w` if `y < h`.
    ///
    /// Sound because the difference is the common factor times that of the others, and the common factor is not negative.
    fn compare_products(&self, state: &mut State, v: Factor, w: Factor, name: Name) {
        let products = state.ghosts.keys().copied();
        let products = products.filter(|n| matches!(n, Name::Product(..)) && *n != name);
        let products: Vec<Name> = products.take(MOST_PRODUCTS).collect();
        for other in products {
            let Name::Product(p, q) = other else {
                continue;
            };
            for (own, common) in [(v, w), (w, v)] {
                let theirs = match () {
                    () if p == common => q,
                    () if q == common => p,
                    () => continue,
                };
                if own == theirs || state.interval(common.name()).low < 0 {
                    continue;
                }
                let form = plus(&vec![(own.name(), 1)], -1, &vec![(theirs.name(), 1)]);
                let apart = form.and_then(|form| state.bounds(&form));
                let Some(apart) = apart.filter(|b| !b.is_empty()) else {
                    continue;
                };
                let (low, high) = apart.ends();
                let sides = [
                    (high, Interval::of(None, Some(0))),
                    (low, Interval::of(Some(0), None)),
                ];
                for (by, side) in sides {
                    let Some(by) = by.filter(|by| by.abs() <= FARTHEST) else {
                        continue;
                    };
                    let difference = Lin::name(name)
                        .plus(-1, &Lin::name(other), self.block)
                        .plus(-by, &Lin::name(common.name()), self.block);
                    self.add(state, &difference, &side);
                }
            }
        }
    }

    /// What is left of a number by a mask: its low bits, or all but those.
    ///
    /// Sound because in two's complement, of any length, the low bits are the remainder by a power of two; and the
    /// bits that a mask leaves out above are zero, as the number is below them.
    pub(super) fn masked(
        &self,
        state: &mut State,
        t: TermId,
        x: &Lin,
        mask: i128,
    ) -> Option<Meaning> {
        if mask.unsigned_abs() > WIDEST_MASK {
            return None;
        }
        let power = |n: i128| n > 0 && n < 1 << 62 && n & (n - 1) == 0;
        if mask >= 0 && power(mask + 1) {
            return Some(self.modulo(state, t, x, mask + 1));
        }
        let low = 1i128 << mask.trailing_zeros();
        let above = mask + low;
        let below = Interval::of(Some(0), Some(above - 1));
        let whole = mask < 0 && above == 0
            || mask > 0 && above & (above - 1) == 0 && self.is_within(state, x, &below);
        if !whole || !x.parts.is_empty() || !power(low) {
            return None;
        }
        match self.quotient(state, t, x, low) {
            Meaning::Number(q) => {
                let rounded = Lin::number(0).plus(low, &q, self.block);
                Some(Meaning::Number(rounded))
            }
            _ => None,
        }
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
        // Of a number without a name its quotient says nothing.
        if lin.rest.as_single().is_none() && lin.form.is_empty() {
            let below = Interval::of(Some(0), Some(by - 1));
            let own = self.quick(state, &lin);
            return Meaning::Number(Lin::within(match below.includes(&own) {
                true => own,
                false => below,
            }));
        }
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
