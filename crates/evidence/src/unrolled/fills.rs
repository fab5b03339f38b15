//! Loops that write one cell of an array after the other, whole: copies of any length, and memory that is set.
//!
//! ```text
//!   while (i < n) { m[d + i] = v(i); i++; }     from i0 on
//!   afterwards  i = (ite (< i0 n) n i0) =: e
//!               m'[x] = (ite (d + i0 <= x < d + e) v(x - d) m[x])
//! ```
//! Such an array is a constant that reads look behind; the solver never sees what it holds but by what is read.
//!
//! Sound because the shape is read off the edges: the loop is one way from its head back to it, with one condition on
//! the counter that is asked at the head and nowhere else, and what it writes at the cell of a lap depends on nothing
//! that the loop writes but the counter. So each cell between the first and the last lap's is written once, with the
//! value of its lap, and no other. Executions that a range stops inside the loop are followed nevertheless.

use super::bounds::Bounds;
use super::{Execution, State};
use base::{FxHashMap, FxHashSet};
use logic::{Interval, Op, Pool, TermId};
use program::{EdgeId, LocId, Stmt, VarId};
use std::ops::Range;
use std::rc::Rc;

/// A loop of this shape.
#[derive(Clone)]
pub(super) struct FillLoop {
    counter: VarId,
    /// The counter is below this as long as the loop goes on.
    end: TermId,
    /// Arrays, where they are written, and with what.
    writes: Vec<(VarId, TermId, TermId)>,
}

/// An array after such a loop.
#[derive(Clone, Copy)]
pub(super) struct Fill {
    before: TermId,
    /// The first cell that was written, and the one after the last.
    low: TermId,
    high: TermId,
    /// A cell less the lap that wrote it.
    shift: TermId,
    /// What was written, over the constant `lap`.
    value: TermId,
    lap: TermId,
}

/// Arrays of which reads look behind more than writes.
#[derive(Default)]
pub(super) struct Fills {
    made: FxHashMap<TermId, Fill>,
    /// Those, and what was made of them.
    behind: FxHashSet<TermId>,
}

impl Fills {
    pub fn get(&self, array: TermId) -> Option<Fill> {
        self.made.get(&array).copied()
    }

    pub fn insert(&mut self, array: TermId, fill: Fill) {
        self.made.insert(array, fill);
        self.behind.insert(array);
    }

    /// Notes that an array is one of these two, if that matters.
    pub fn either(&mut self, pool: &Pool, array: TermId, a: TermId, b: TermId) {
        if self.is_behind(pool, a) || self.is_behind(pool, b) {
            self.behind.insert(array);
        }
    }

    /// Is what an array holds more than a choice between arrays, and writes?
    pub fn is_behind(&self, pool: &Pool, mut array: TermId) -> bool {
        if self.behind.is_empty() {
            return false;
        }
        while let (Op::Store, &[inner, ..]) = (pool.op(array), pool.args(array)) {
            array = inner;
        }
        self.behind.contains(&array)
    }
}

impl Fill {
    /// The array before, and what was written over `lap`.
    pub fn parts(&self) -> (TermId, TermId) {
        (self.before, self.value)
    }

    /// The same with other values.
    pub fn with(self, before: TermId, value: TermId) -> Fill {
        Fill {
            before,
            value,
            ..self
        }
    }
}

impl Execution<'_> {
    /// The loop at these places if it has the shape.
    pub(super) fn fill_loop(
        &self,
        pool: &mut Pool,
        places: &Range<usize>,
        order: &[LocId],
        written: &[VarId],
    ) -> Option<FillLoop> {
        let program = self.program;
        let head = order[places.start];
        let inside = |l: LocId| self.position.get(&l).is_some_and(|p| places.contains(p));
        let &[first, second] = self.successors[head].as_slice() else {
            return None;
        };
        let (on, off) = match [first, second].map(|e| inside(program.edges[e].to)) {
            [true, false] => (first, second),
            [false, true] => (second, first),
            _ => return None,
        };
        let condition = |e: EdgeId| match program.edges[e].stmt {
            Stmt::Assume(t) => Some(t),
            _ => None,
        };
        let (goes_on, ends) = (condition(on)?, condition(off)?);
        if pool.not(goes_on) != ends {
            return None;
        }
        let mut assigned: Vec<(VarId, TermId)> = Vec::new();
        let mut loc = program.edges[on].to;
        let mut length = 1;
        while loc != head {
            let &[edge] = self.successors[loc].as_slice() else {
                return None;
            };
            match &program.edges[edge].stmt {
                Stmt::Skip => {}
                Stmt::Assign(pairs) if assigned.is_empty() => assigned = pairs.clone(),
                _ => return None,
            }
            length += 1;
            loc = program.edges[edge].to;
            if !inside(loc) || length > places.len() {
                return None;
            }
        }
        if length != places.len() {
            return None;
        }
        let (counter, end) = self.counted(pool, goes_on, &assigned)?;
        let mut writes = Vec::new();
        for (var, value) in assigned.into_iter().filter(|(v, _)| *v != counter) {
            let (Op::Store, &[array, at, value]) = (pool.op(value), pool.args(value)) else {
                return None;
            };
            let free = |t: TermId, but: Option<VarId>| self.is_free_of(pool, t, written, but);
            if array != program.vars[var].term
                || !free(at, Some(counter))
                || !free(value, Some(counter))
                || !free(end, None)
            {
                return None;
            }
            writes.push((var, at, value));
        }
        (!writes.is_empty()).then_some(FillLoop {
            counter,
            end,
            writes,
        })
    }

    /// The variable that each lap adds one to, and what it is below as long as the condition holds.
    fn counted(
        &self,
        pool: &mut Pool,
        condition: TermId,
        assigned: &[(VarId, TermId)],
    ) -> Option<(VarId, TermId)> {
        let one = pool.int(1);
        for &(var, value) in assigned {
            let term = self.program.vars[var].term;
            if pool.sort_of(term) != pool.int_sort() || pool.add2(term, one) != value {
                continue;
            }
            match (pool.op(condition), pool.args(condition).to_vec().as_slice()) {
                (Op::Le, &[a, most]) if a == term => return Some((var, pool.add2(most, one))),
                (Op::Not, &[inner]) => match (pool.op(inner), pool.args(inner)) {
                    (Op::Le, &[end, a]) if a == term => return Some((var, end)),
                    _ => {}
                },
                _ => {}
            }
        }
        None
    }

    /// Does a term speak of none of these variables, but perhaps of one?
    fn is_free_of(&self, pool: &Pool, t: TermId, vars: &[VarId], but: Option<VarId>) -> bool {
        pool.post_order(&[t])
            .iter()
            .filter_map(|t| self.var_of.get(t))
            .all(|v| Some(*v) == but || !vars.contains(v))
    }

    /// The state when the loop ends; `false` if a place that it writes is not one lap's from the next.
    pub(super) fn filled(&mut self, pool: &mut Pool, state: &mut State, fill: &FillLoop) -> bool {
        let counter = self.program.vars[fill.counter].term;
        let start = self.value(pool, state, fill.counter);
        let lap = pool.fresh_constant("lap", pool.int_sort());
        let end = self.plainly(pool, state, fill.end, (counter, start));
        let below = pool.le(end, start);
        let last = match state.bounds.of(pool, below).as_single() {
            Some(1) => start,
            Some(_) => end,
            None => pool.ite(below, start, end),
        };
        let (first, most) = (state.bounds.of(pool, start), state.bounds.of(pool, end));
        let high = match most.has_high() {
            true => most.high - 1,
            false => most.high,
        };
        let low = first.low;
        if low > high {
            // There is no lap.
            return true;
        }
        let mut laps = state.bounds.clone();
        laps.insert(lap, Interval { low, high });
        let mut made = Vec::new();
        for &(var, at, value) in &fill.writes {
            let at = self.plainly(pool, state, at, (counter, lap));
            let at = laps.again(pool, at, None);
            let shift = pool.sub(at, lap);
            if pool.post_order(&[shift]).contains(&lap) {
                return false;
            }
            let value = self.plainly(pool, state, value, (counter, lap));
            let before = self.value(pool, state, var);
            let array = pool.fresh_constant("filled", pool.sort_of(before));
            let (low, high) = (pool.add2(shift, start), pool.add2(shift, last));
            made.push((
                var,
                array,
                Fill {
                    before,
                    low,
                    high,
                    shift,
                    value,
                    lap,
                },
            ));
        }
        for (var, array, fill) in made {
            self.cells.borrow_mut().fills.insert(array, fill);
            state.values.insert(var, array);
        }
        state.values.insert(fill.counter, last);
        true
    }

    /// An expression in the values of a state, nothing made simpler; the counter is what is said.
    fn plainly(
        &mut self,
        pool: &mut Pool,
        state: &State,
        expression: TermId,
        counter: (TermId, TermId),
    ) -> TermId {
        let mut pairs = vec![counter];
        for t in pool.post_order(&[expression]) {
            if let Some(&var) = self.var_of.get(&t)
                && t != counter.0
            {
                pairs.push((t, self.value(pool, state, var)));
            }
        }
        pool.substitute(expression, &pairs)
    }
}

impl Bounds {
    /// What such an array, or one that may be one, holds at an index.
    pub fn read_behind(&mut self, pool: &mut Pool, array: TermId, index: TermId) -> Option<TermId> {
        let cells = Rc::clone(&self.cells);
        let fill = cells.borrow().fills.get(array);
        if let Some(fill) = fill {
            return Some(self.read_filled(pool, fill, index));
        }
        let choice = cells.borrow().chosen(pool, array);
        if let Some((choice, a, b)) = choice {
            let (a, b) = (self.read(pool, a, index), self.read(pool, b, index));
            return Some(pool.ite(choice, a, b));
        }
        let is_behind = cells.borrow().fills.is_behind(pool, array);
        match (pool.op(array), pool.args(array)) {
            (Op::Store, &[inner, at, value]) if is_behind => {
                let rest = self.read(pool, inner, index);
                let here = pool.eq(at, index);
                Some(pool.ite(here, value, rest))
            }
            _ => None,
        }
    }

    fn read_filled(&mut self, pool: &mut Pool, fill: Fill, index: TermId) -> TermId {
        let (above, below) = (pool.le(fill.low, index), pool.lt(index, fill.high));
        let known = [above, below].map(|c| self.decided(pool, c));
        if known.contains(&Some(false)) {
            return self.read(pool, fill.before, index);
        }
        let lap = pool.sub(index, fill.shift);
        let value = self.again(pool, fill.value, Some((fill.lap, lap)));
        if known == [Some(true), Some(true)] {
            return value;
        }
        let before = self.read(pool, fill.before, index);
        let inside = pool.and(&[above, below]);
        pool.ite(inside, value, before)
    }

    /// Whether a comparison holds, as far as bounds say.
    fn decided(&mut self, pool: &mut Pool, condition: TermId) -> Option<bool> {
        self.of(pool, condition).as_single().map(|v| v == 1)
    }

    /// The term made again, with a constant replaced, as simple as the bounds make it.
    fn again(
        &mut self,
        pool: &mut Pool,
        term: TermId,
        replaced: Option<(TermId, TermId)>,
    ) -> TermId {
        let mut made: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut args = Vec::new();
        for t in pool.post_order(&[term]) {
            args.clear();
            args.extend(pool.args(t).iter().map(|a| made[a]));
            let new = match replaced {
                Some((from, to)) if from == t => to,
                // What the constant is not in stays as it was made.
                Some(_) if args == pool.args(t) => t,
                _ if args.is_empty() => t,
                _ => self.rebuild(pool, t, &args),
            };
            made.insert(t, new);
        }
        made[&term]
    }
}
