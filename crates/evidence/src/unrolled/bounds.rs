//! What is known of the values on a path, as bounds of terms, and how terms become simpler by it.
//!
//! ```text
//!   0 <= i <= 9:   (wrap.u64 (+ p i)), p = 5 * 2^48, is (+ p i);   (div (+ p i) 2^48) is 5
//!                  (select (store a (+ p i) x) q) is (select a q), q = 6 * 2^48
//! ```
//! Sound because a term is replaced only by one that has the same value in every state within the bounds, and the
//! bounds hold wherever the condition of the path does.

use super::cells::Shared;
use base::{FxHashMap, FxHashSet, Trie};
use logic::{Compiled, Interval, Op, Pool, TermId};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// How much of a condition is looked at to narrow bounds.
const MOST_NODES: usize = 96;
/// How much of a term is looked at before what is known of its parts is taken as it is: a value to which each branch
/// of a long way adds is as deep as the way is long.
const MOST_LOOKED_AT: usize = 400;
/// How much of the condition of a choice is looked at to bound its values.
const MOST_OF_CHOICE: usize = 24;
/// How many stores a read or a write looks behind.
const MOST_STORES: usize = 400;

fn number(pool: &Pool, t: TermId) -> Option<i128> {
    let n = pool.as_number(t)?;
    Interval::between(n, n).as_single()
}

/// A term as a positive multiple of another one and a number.
fn line(pool: &Pool, t: TermId) -> Option<(i128, TermId, i128)> {
    let (sum, offset) = match (pool.op(t), pool.args(t)) {
        (Op::Add, &[a, b]) => match (number(pool, a), number(pool, b)) {
            (Some(offset), _) => (b, offset),
            (_, Some(offset)) => (a, offset),
            _ => (t, 0),
        },
        _ => (t, 0),
    };
    let (scale, inner) = match (pool.op(sum), pool.args(sum)) {
        (Op::Mul, &[a, b]) => match (number(pool, a), number(pool, b)) {
            (Some(scale), _) => (scale, b),
            (_, Some(scale)) => (scale, a),
            _ => (1, sum),
        },
        _ => (1, sum),
    };
    (scale > 0).then_some((scale, inner, offset))
}

/// Ranges of constants, which hold everywhere.
pub(super) type Ranges = Rc<RefCell<FxHashMap<TermId, Interval>>>;

/// Bounds of terms, narrower than what follows from their arguments.
pub(super) struct Bounds {
    pub(super) ranges: Ranges,
    pub(super) cells: Shared,
    known: Trie<TermId, Interval>,
    pub(super) memo: FxHashMap<TermId, Interval>,
    /// Addresses compared that nobody was charged for.
    pub(super) compared: u64,
}

impl Clone for Bounds {
    fn clone(&self) -> Self {
        Bounds {
            ranges: Rc::clone(&self.ranges),
            cells: Rc::clone(&self.cells),
            known: self.known.clone(),
            memo: FxHashMap::default(),
            compared: 0,
        }
    }
}

impl Bounds {
    /// Nothing but the ranges.
    pub fn new(ranges: &Ranges, cells: &Shared) -> Self {
        Bounds {
            ranges: Rc::clone(ranges),
            cells: Rc::clone(cells),
            known: Trie::default(),
            memo: FxHashMap::default(),
            compared: 0,
        }
    }

    /// Says that the value of a term is within these.
    pub fn insert(&mut self, term: TermId, bounds: Interval) {
        self.known.insert(term, bounds);
        self.memo.clear();
    }

    /// What holds here and there.
    pub fn hull(&self, other: &Bounds) -> Bounds {
        let mut known = self.known.clone();
        for term in self.known.differences(&other.known) {
            let hull = match (self.known.get(term), other.known.get(term)) {
                (Some(here), Some(there)) => here.hull(there),
                _ => Interval::ANY,
            };
            match hull.has_low() || hull.has_high() {
                true => known.insert(term, hull),
                false => known.remove(term),
            }
        }
        Bounds {
            ranges: Rc::clone(&self.ranges),
            cells: Rc::clone(&self.cells),
            known,
            memo: FxHashMap::default(),
            compared: 0,
        }
    }

    /// Bounds of the value of a term.
    pub fn of(&mut self, pool: &Pool, term: TermId) -> Interval {
        let mut stack = vec![(term, false)];
        let mut args = Vec::new();
        let mut looked_at = 0;
        while let Some((t, ready)) = stack.pop() {
            if self.memo.contains_key(&t) {
                continue;
            }
            looked_at += 1;
            if looked_at > MOST_LOOKED_AT
                && let Some(known) = self.known.get(t)
                && known.has_low()
                && known.has_high()
            {
                self.memo.insert(t, *known);
                continue;
            }
            let inner = matches!(pool.op(t), Op::Select | Op::Store | Op::ConstArray);
            if !ready && !inner && !pool.args(t).is_empty() {
                stack.push((t, true));
                stack.extend(pool.args(t).iter().map(|&a| (a, false)));
                continue;
            }
            args.clear();
            args.extend(pool.args(t).iter().map(|a| match inner {
                true => Interval::ANY,
                false => self.memo[a],
            }));
            let mut value = match pool.op(t) {
                Op::Ite => self.of_choice(pool, t, &args),
                _ => Interval::of_term(pool, t, &args),
            };
            if let Some(range) = self.ranges.borrow().get(&t) {
                value = value.meet(range);
            }
            if let Some(known) = self.known.get(t) {
                value = value.meet(known);
            }
            self.memo.insert(t, value);
        }
        self.memo[&term]
    }

    /// Bounds of a choice between values of which each has those that the condition leaves it:
    /// ```text
    ///   (ite (or (< d 0) (< 9 d)) 0 d) is within 0..=9
    /// ```
    fn of_choice(&self, pool: &Pool, choice: TermId, args: &[Interval]) -> Interval {
        let plainly = Interval::of_term(pool, choice, args);
        let &[condition, ref values @ ..] = pool.args(choice) else {
            return plainly;
        };
        let decided = args[0].as_single().is_some();
        if decided || pool.sort_of(choice) != pool.int_sort() {
            return plainly;
        }
        let (mut inside, mut todo) = (FxHashSet::default(), vec![condition]);
        let mut leaves = Vec::new();
        while let Some(t) = todo.pop() {
            if !inside.insert(t) {
                continue;
            }
            if inside.len() > MOST_OF_CHOICE {
                return plainly;
            }
            match values.contains(&t) || matches!(pool.op(t), Op::App(_) | Op::Select) {
                true => leaves.push(t),
                false => todo.extend(pool.args(t)),
            }
        }
        if !leaves.iter().any(|leaf| values.contains(leaf)) {
            return plainly;
        }
        let number: FxHashMap<TermId, u32> = leaves.iter().copied().zip(0..).collect();
        let compiled = Compiled::new(pool, condition, |t| number.get(&t).copied());
        let read = |v: u32| {
            let known = self.memo.get(&leaves[v as usize]);
            known.copied().unwrap_or(Interval::ANY)
        };
        let mut hull: Option<Interval> = None;
        for (truth, value, bounds) in [(true, values[0], args[1]), (false, values[1], args[2])] {
            let mut left = bounds;
            let wanted = Interval::single(i128::from(truth));
            let possible = compiled.assume_within(wanted, read, &mut Vec::new(), |v, by| {
                if leaves[v as usize] == value {
                    left = left.meet(&by);
                }
            });
            if possible && !left.is_empty() {
                hull = Some(hull.map_or(left, |other| other.hull(&left)));
            }
        }
        // That neither is possible is for the condition of the path to say.
        hull.map_or(plainly, |hull| plainly.meet(&hull))
    }

    /// Narrows the bounds by a condition that holds; `false`: it cannot.
    pub fn assume(&mut self, pool: &Pool, condition: TermId) -> bool {
        let mut inside = base::FxHashSet::default();
        let mut leaves: Vec<TermId> = Vec::new();
        let mut queue = VecDeque::from([condition]);
        while let Some(t) = queue.pop_front() {
            if !inside.insert(t) {
                continue;
            }
            let opaque = matches!(pool.op(t), Op::App(_) | Op::Select);
            match opaque || inside.len() > MOST_NODES {
                true => leaves.push(t),
                false => queue.extend(pool.args(t)),
            }
        }
        let number: FxHashMap<TermId, u32> = leaves.iter().copied().zip(0..).collect();
        let compiled = Compiled::new(pool, condition, |t| number.get(&t).copied());
        let read: Vec<Interval> = leaves.iter().map(|&t| self.of(pool, t)).collect();
        let mut narrowed = Vec::new();
        let possible = compiled.assume(
            |v| read[v as usize],
            &mut Vec::new(),
            |v, by| narrowed.push((v as usize, by)),
        );
        for (v, by) in narrowed {
            let less = read[v].meet(&by);
            if less.is_empty() {
                return false;
            }
            if less != read[v] {
                let now = self.known.get(leaves[v]).unwrap_or(&Interval::ANY);
                self.insert(leaves[v], now.meet(&less));
            }
        }
        possible
    }

    /// The operator of `term` over other arguments, as simple as the bounds make it.
    pub fn rebuild(&mut self, pool: &mut Pool, term: TermId, args: &[TermId]) -> TermId {
        let op = pool.op(term);
        if op == Op::Store {
            return self.write(pool, args[0], args[1], args[2]);
        }
        let made = self.rebuild_plainly(pool, term, args);
        let by_cases = match op {
            Op::IntDiv | Op::Mod | Op::Wrap { .. } if pool.op(made) == op => Some(0),
            Op::Select if pool.op(made) == op => Some(1),
            Op::Eq | Op::Le if pool.op(made) == op => {
                let numbers = [0, 1].map(|n| pool.as_number(args[n]).is_some());
                numbers.iter().position(|is| *is).map(|n| 1 - n)
            }
            _ => None,
        };
        let Some(number) = by_cases else {
            return made;
        };
        let simpler = self
            .by_cases(pool, term, args, number)
            .or_else(|| match op {
                Op::Eq => self.one_case(pool, args[number], args[1 - number]),
                _ => None,
            });
        simpler.unwrap_or(made)
    }

    /// The same without a look at the cases of its arguments.
    pub fn rebuild_plainly(&mut self, pool: &mut Pool, term: TermId, args: &[TermId]) -> TermId {
        let made = match pool.op(term) {
            Op::Select => self.read(pool, args[0], args[1]),
            Op::Store => return self.write_plainly(pool, args[0], args[1], args[2]),
            Op::Wrap { bits, signed } if bits < 97 => {
                let size = 1i128 << bits;
                let low = if signed { -(size / 2) } else { 0 };
                self.in_one_turn(pool, args[0], low, size)
                    .or_else(|| self.cell(pool, args[0], bits, signed))
                    .unwrap_or_else(|| pool.wrap(bits, signed, args[0]))
            }
            Op::Mod => self
                .of(pool, args[1])
                .as_single()
                .filter(|d| *d > 0)
                .and_then(|d| self.in_one_turn(pool, args[0], 0, d))
                .unwrap_or_else(|| pool.modulo(args[0], args[1])),
            _ => pool.rebuild(term, args),
        };
        self.folded(pool, made)
    }

    /// The term less the multiple of `size` that takes all its values to `low` and above, if there is one.
    fn in_one_turn(&mut self, pool: &mut Pool, t: TermId, low: i128, size: i128) -> Option<TermId> {
        let value = self.of(pool, t);
        if !value.has_low() || !value.has_high() {
            return None;
        }
        let turns = (value.low - low).div_euclid(size);
        if turns != (value.high - low).div_euclid(size) {
            return None;
        }
        let less = pool.int(-(turns * size));
        Some(pool.add2(t, less))
    }

    /// The one value that a term can have, in its place.
    fn folded(&mut self, pool: &mut Pool, t: TermId) -> TermId {
        if pool.args(t).is_empty() {
            return t;
        }
        let sort = pool.sort_of(t);
        if sort != pool.int_sort() && sort != pool.bool_sort() {
            return t;
        }
        match self.of(pool, t).as_single() {
            Some(value) if sort == pool.int_sort() => pool.int(value),
            Some(value) => pool.bool_const(value == 1),
            None => t,
        }
    }

    /// Are two addresses never equal?
    pub(super) fn apart(&mut self, pool: &mut Pool, a: TermId, b: TermId) -> bool {
        let sort = pool.sort_of(a);
        if sort != pool.int_sort() {
            return false;
        }
        self.compared += 1;
        if pool.as_number(a).is_some() && pool.as_number(b).is_some() {
            return a != b;
        }
        if self.of(pool, a).meet(&self.of(pool, b)).is_empty() {
            return true;
        }
        let between = pool.sub(a, b);
        !self.of(pool, between).contains(0)
    }

    /// What an array holds at an index.
    pub fn read(&mut self, pool: &mut Pool, mut array: TermId, index: TermId) -> TermId {
        for _ in 0..MOST_STORES {
            match (pool.op(array), pool.args(array)) {
                (Op::Store, &[inner, at, value]) => {
                    if at == index {
                        return value;
                    }
                    if !self.apart(pool, at, index) {
                        if let Some(value) = self.table_entry(pool, array, index) {
                            return value;
                        }
                        break;
                    }
                    array = inner;
                }
                (Op::ConstArray, &[value]) => return value,
                _ => break,
            }
        }
        if let Some(value) = self.read_behind(pool, array, index) {
            return value;
        }
        let made = pool.select(array, index);
        if pool.op(made) == Op::Select
            && pool.sort_of(made) == pool.int_sort()
            && self.known.get(made).is_none()
            && let Some(bounds) = self.of_cells(pool, array, index)
        {
            self.insert(made, bounds);
        }
        made
    }

    /// Bounds of what is read, where each cell that the index can mean was written at a place that is a number.
    fn of_cells(&mut self, pool: &mut Pool, array: TermId, index: TermId) -> Option<Interval> {
        if !matches!(pool.op(array), Op::Store | Op::ConstArray) {
            return None;
        }
        let (scale, inner, offset) = line(pool, index)?;
        let places = self.of(pool, inner);
        if !places.has_low() || !places.has_high() {
            return None;
        }
        let count = usize::try_from(places.high - places.low + 1).ok()?;
        let mut written = FxHashSet::default();
        let mut bounds: Option<Interval> = None;
        let mut rest = array;
        while written.len() < count {
            let (value, last) = match (pool.op(rest), pool.args(rest)) {
                (Op::Store, &[inner, at, value]) => {
                    rest = inner;
                    let from = number(pool, at)?.checked_sub(offset)?;
                    let place = from.div_euclid(scale);
                    let here = from.rem_euclid(scale) == 0 && places.contains(place);
                    if !here || !written.insert(place) {
                        continue;
                    }
                    (value, false)
                }
                (Op::ConstArray, &[value]) => (value, true),
                _ => return None,
            };
            let value = match number(pool, value) {
                Some(value) => Interval::single(value),
                None => self.ranges.borrow().get(&value).copied()?,
            };
            bounds = Some(bounds.map_or(value, |b| b.hull(&value)));
            if last {
                break;
            }
        }
        bounds
    }

    /// The array with a value at an index.
    pub fn write(
        &mut self,
        pool: &mut Pool,
        array: TermId,
        index: TermId,
        value: TermId,
    ) -> TermId {
        self.write_by_cases(pool, array, index, value)
            .unwrap_or_else(|| self.write_plainly(pool, array, index, value))
    }

    /// The same without a look at the cases of the index; what was there before is forgotten.
    pub fn write_plainly(
        &mut self,
        pool: &mut Pool,
        array: TermId,
        index: TermId,
        value: TermId,
    ) -> TermId {
        let mut above = Vec::new();
        let mut base = array;
        while above.len() < MOST_STORES
            && let (Op::Store, &[inner, at, old]) = (pool.op(base), pool.args(base))
        {
            if at == index {
                let mut without = inner;
                for &(at, old) in above.iter().rev() {
                    without = pool.store(without, at, old);
                }
                return pool.store(without, index, value);
            }
            if !self.apart(pool, at, index) {
                break;
            }
            above.push((at, old));
            base = inner;
        }
        pool.store(array, index, value)
    }
}
