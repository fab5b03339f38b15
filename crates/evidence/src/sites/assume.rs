//! What a condition says of a state, and states split by cases.

use super::access::Place;
use super::lin::{Base, Lin};
use super::names::{FIRST_OF_STEP, Mark, Name, Obj, Val, Zero};
use super::state::State;
use super::terms::{Lvalue, Split, Terms};
use crate::shapes::value::integer;
use logic::{Interval, Op, TermId};

/// Parts of one condition that are looked at, and splits of one step.
const MOST_CASES: usize = 200;
const MOST_SPLITS: usize = 40;
/// Splits one after the other in a look at all cases.
const DEPTH: usize = 3;

impl Terms<'_> {
    /// The cases of a state that has to be split.
    pub fn split(&self, state: State, split: &Split) -> Vec<State> {
        self.splits.set(self.splits.get() + 1);
        self.loose.set(self.splits.get() > MOST_SPLITS);
        match split {
            Split::Alternatives(place) => {
                let value = get(&state, *place);
                let case = |alt: &super::names::Alt| {
                    let mut case = state.clone();
                    put(&mut case, *place, Val::one(*alt));
                    // Sound because something points to the object.
                    if let Some(o) = alt
                        .base
                        .filter(|o| !o.is_many() && case.objects.contains_key(o))
                        && !case.is_sure(o)
                    {
                        case.object_mut(o).sure = true;
                    }
                    case
                };
                value.alts().iter().map(case).collect()
            }
            Split::TakeOut(place) => {
                let mut case = state;
                let value = get(&case, *place);
                let many = value.single().and_then(|a| a.base);
                let Some(many) = many.filter(|o| case.objects.contains_key(o)) else {
                    put(&mut case, *place, Val::any());
                    return vec![case];
                };
                let one = self.free_name(&case, *place);
                case.take_out(many, one);
                let value = value.renamed(|o| if o == many { one } else { o });
                put(&mut case, *place, value);
                vec![case]
            }
            Split::Pick(o, array, off) => {
                let mut case = state;
                self.pick(&mut case, *o, *array, off);
                vec![case]
            }
            Split::Truth(c) => {
                let mut cases = Vec::new();
                for truth in [true, false] {
                    let mut case = state.clone();
                    case.decided.remove(c);
                    for mut case in self.assume(case, *c, truth) {
                        case.decided.insert(*c, truth);
                        cases.push(case);
                    }
                }
                cases
            }
            Split::Range(lin, range) => {
                let (low, high) = range.ends();
                let above = high.map(|h| Interval::of(Some(h + 1), None));
                let below = low.map(|l| Interval::of(None, Some(l - 1)));
                let parts = [Some(*range), above, below];
                let case = |bounds: &Interval| {
                    let mut case = state.clone();
                    (self.add(&mut case, lin, bounds) && case.reduce()).then_some(case)
                };
                parts.iter().flatten().filter_map(case).collect()
            }
        }
    }

    /// A name for an object that a value points to alone.
    fn free_name(&self, state: &State, place: Lvalue) -> Obj {
        if let Lvalue::Var(v) = place {
            let own = Obj::Held(base::Id::index(v) as u32);
            if !state.objects.contains_key(&own) {
                return own;
            }
        }
        self.free_step_name(state)
    }

    /// A name for an object of the step.
    pub(super) fn free_step_name(&self, state: &State) -> Obj {
        let mut n = FIRST_OF_STEP;
        while state.objects.contains_key(&Obj::Held(n)) {
            n += 1;
        }
        Obj::Held(n)
    }

    /// The states in which the condition is as wanted.
    pub fn assume(&self, state: State, condition: TermId, wanted: bool) -> Vec<State> {
        let mut out = Vec::new();
        let mut work = vec![(state, vec![(condition, wanted)])];
        let mut cases = 0;
        while let Some((mut state, mut open)) = work.pop() {
            let Some((t, wanted)) = open.pop() else {
                out.push(state);
                continue;
            };
            cases += 1;
            if cases > MOST_CASES {
                // Sound because a condition that is not looked at only allows more.
                work.push((state, open));
                continue;
            }
            match self.truth(&mut state, t) {
                Ok(Some(truth)) if truth == wanted => {
                    work.push((state, open));
                    continue;
                }
                Ok(Some(_)) => continue,
                Ok(None) => {}
                Err(split) => {
                    // What one part says may make it needless to split.
                    let junction = matches!(self.pool.op(t), Op::And | Op::Or | Op::Not);
                    if !junction {
                        // What is so in every case says nothing: an address is within the range of addresses.
                        if self.is_so_in_all_cases(&state, &split, t, wanted) {
                            work.push((state, open));
                            continue;
                        }
                        open.push((t, wanted));
                        let cases = self.split(state, &split);
                        work.extend(cases.into_iter().map(|s| (s, open.clone())));
                        continue;
                    }
                }
            }
            match (self.pool.op(t), self.pool.args(t), wanted) {
                (Op::Not, &[a], _) => {
                    open.push((a, !wanted));
                    work.push((state, open));
                }
                (Op::And, args, true) | (Op::Or, args, false) => {
                    // The short ones are looked at first: they may say what the long ones need.
                    let mut args: Vec<TermId> = args.to_vec();
                    args.sort_by_key(|&a| std::cmp::Reverse(self.order(a).len()));
                    open.extend(args.iter().map(|&a| (a, wanted)));
                    work.push((state, open));
                }
                (Op::And, args, false) | (Op::Or, args, true) => {
                    self.one_of(&mut work, state, &open, args, wanted);
                }
                (Op::Eq | Op::Le, &[a, _], _) if self.pool.sort_of(a) == self.pool.int_sort() => {
                    match self.learn(&mut state, t, wanted) {
                        Ok(true) => work.push((state, open)),
                        Ok(false) => {}
                        Err(split) => {
                            open.push((t, wanted));
                            let cases = self.split(state, &split);
                            work.extend(cases.into_iter().map(|s| (s, open.clone())));
                        }
                    }
                }
                _ => work.push((state, open)),
            }
        }
        out
    }

    /// Is the condition as wanted whichever object a value points to? The state stays as it is.
    fn is_so_in_all_cases(&self, state: &State, split: &Split, t: TermId, wanted: bool) -> bool {
        let splits = (self.splits.get(), self.loose.get());
        let mut cases = vec![(state.clone(), split.clone(), DEPTH)];
        let mut so = true;
        while let Some((case, split, depth)) = cases.pop() {
            let by_object = matches!(split, Split::Alternatives(_) | Split::TakeOut(_));
            so &= by_object && depth > 0;
            if !so {
                break;
            }
            for mut case in self.split(case, &split) {
                match self.truth(&mut case, t) {
                    Ok(truth) => so &= truth == Some(wanted),
                    Err(split) => cases.push((case, split, depth - 1)),
                }
            }
        }
        self.splits.set(splits.0);
        self.loose.set(splits.1);
        so
    }

    /// One of the parts is as wanted: a case for each that can be.
    fn one_of(
        &self,
        work: &mut Vec<(State, Vec<(TermId, bool)>)>,
        mut state: State,
        open: &[(TermId, bool)],
        args: &[TermId],
        wanted: bool,
    ) {
        let mut left: Vec<TermId> = Vec::new();
        for &a in args {
            match self.truth(&mut state, a) {
                Ok(Some(truth)) if truth == wanted => {
                    work.push((state, open.to_vec()));
                    return;
                }
                Ok(Some(_)) => {}
                _ => left.push(a),
            }
        }
        // Too many cases say little, and so do parts that have parts.
        let plain = |a: &TermId| {
            let inner = match (self.pool.op(*a), self.pool.args(*a)) {
                (Op::Not, &[inner]) => inner,
                _ => *a,
            };
            !matches!(self.pool.op(inner), Op::And | Op::Or)
        };
        if left.len() > 1 && (left.len() > 4 || !left.iter().all(plain)) {
            work.push((state, open.to_vec()));
            return;
        }
        for a in left {
            let mut case = open.to_vec();
            case.push((a, wanted));
            work.push((state.clone(), case));
        }
    }

    /// A comparison is as wanted; false if that cannot be.
    fn learn(&self, state: &mut State, t: TermId, wanted: bool) -> Result<bool, Split> {
        let (op, &[a, b]) = (self.pool.op(t), self.pool.args(t)) else {
            return Ok(true);
        };
        if op == Op::Eq {
            for (read, number) in [(a, b), (b, a)] {
                if self.pool.as_number(number).and_then(integer) == Some(0)
                    && !self.learn_about_zero(state, read, wanted)?
                {
                    return Ok(false);
                }
            }
        }
        if op == Op::Eq && !wanted && !self.learn_apart(state, a, b)? {
            return Ok(false);
        }
        let (x, y) = (self.lin(state, a)?, self.lin(state, b)?);
        let d = x.plus(-1, &y, self.block);
        if op == Op::Le && d.parts.len() == 2 {
            return Ok(self.learn_order(state, &d, wanted));
        }
        if d.is_any() || !d.parts.is_empty() {
            return Ok(true);
        }
        let bounds = match (op, wanted) {
            (Op::Le, true) => Interval::of(None, Some(0)),
            (Op::Le, false) => Interval::of(Some(1), None),
            (_, true) => Interval::single(0),
            (_, false) => return Ok(self.add_not_zero(state, &d) && state.reduce()),
        };
        Ok(self.add(state, &d, &bounds) && state.reduce())
    }

    /// A comparison of addresses in two objects says which lies above, if they are compared within their blocks.
    fn learn_order(&self, state: &mut State, d: &Lin, wanted: bool) -> bool {
        let (a, b) = match *d.parts.as_slice() {
            [(Base::Address(a), 1), (Base::Address(b), -1)]
            | [(Base::Address(b), -1), (Base::Address(a), 1)] => (a, b),
            _ => return true,
        };
        let off = Lin {
            parts: Vec::new(),
            ..d.clone()
        };
        // a + off <= b, or a + off > b; blocks are at least a block's length apart.
        let (above, below) = match wanted {
            true if self.is_within(state, &off, &Interval::of(Some(1 - self.block), None)) => {
                (b, a)
            }
            false if self.is_within(state, &off, &Interval::of(None, Some(self.block))) => (a, b),
            _ => return true,
        };
        state.above.insert((above, below));
        !state.above.contains(&(below, above))
    }

    /// What was read at two places of an array differs.
    ///
    /// Sound because one place holds one number: so the places differ too.
    fn learn_apart(&self, state: &mut State, a: TermId, b: TermId) -> Result<bool, Split> {
        let read = |t: TermId| match (self.pool.op(t), self.pool.args(t)) {
            (Op::Select, &[array, index]) => Some((array, index)),
            _ => None,
        };
        let (Some((array, x)), Some((other, y))) = (read(a), read(b)) else {
            return Ok(true);
        };
        if array != other {
            return Ok(true);
        }
        let (x, y) = (self.lin(state, x)?, self.lin(state, y)?);
        Ok(self.add_not_zero(state, &x.plus(-1, &y, self.block)))
    }

    /// What was read from memory is zero, or is not.
    fn learn_about_zero(
        &self,
        state: &mut State,
        read: TermId,
        is_zero: bool,
    ) -> Result<bool, Split> {
        let (Op::Select, &[array, index]) = (self.pool.op(read), self.pool.args(read)) else {
            return Ok(true);
        };
        let Some(&var) = self
            .var_of
            .get(&array)
            .filter(|v| !self.by_block.contains(v))
        else {
            return Ok(true);
        };
        let index = self.lin(state, index)?;
        let Place::Object(o, off) = self.place(state, var, &index) else {
            return Ok(true);
        };
        if o.is_many() {
            return Ok(true);
        }
        if is_zero {
            self.set_mark(state, o, var, &off, false);
            return Ok(true);
        }
        for zero in [Zero::First, Zero::Last] {
            if let Some(behind) = self.behind_mark(state, (var, zero), o, &off)
                && !self.add_not_zero(state, &behind)
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// There is a zero at this place of an object. The first that is known is kept; of bytes, where a text is cut before its
    /// end by a write, the end stays as the last.
    pub fn set_mark(
        &self,
        state: &mut State,
        o: Obj,
        array: program::VarId,
        off: &Lin,
        written: bool,
    ) {
        if off.rest.as_single().is_none() {
            return;
        }
        let (first, last) = ((array, Zero::First), (array, Zero::Last));
        if let Some(behind) = self.behind_mark(state, first, o, off) {
            if self.is_within(state, &behind, &Interval::of(Some(0), None)) {
                return;
            }
            let of_bytes = written && !self.strides.contains_key(&array);
            let ends = state
                .objects
                .get(&o)
                .is_some_and(|x| x.marks.contains(&last));
            let cuts = || self.is_within(state, &behind, &Interval::of(None, Some(-1)));
            if of_bytes && !ends && cuts() {
                state.object_mut(o).marks.insert(last);
                let (from, to) = (Name::Mark(o, first), Name::Mark(o, last));
                state.rename_names(|n| if n == from { to } else { n });
            }
        }
        self.mark(state, o, first, off);
    }

    /// The known zero is at this place from now on.
    fn mark(&self, state: &mut State, o: Obj, mark: Mark, off: &Lin) {
        let name = Name::Mark(o, mark);
        state.forget_name(name);
        let bounds = self.quick(state, off);
        state.object_mut(o).marks.insert(mark);
        state.ghosts.insert(name, bounds);
        let same = Lin::name(name).plus(-1, off, self.block);
        self.add(state, &same, &Interval::single(0));
    }
}

pub(super) fn get(state: &State, place: Lvalue) -> Val {
    match place {
        Lvalue::Var(v) => state.var(v),
        Lvalue::Cell(o, c) => state.cell(o, c),
        Lvalue::Pick(o, array) => state.picked(o, array).unwrap_or(Val::any()),
    }
}

fn put(state: &mut State, place: Lvalue, value: Val) {
    match place {
        Lvalue::Var(v) => drop(state.vars.insert(v, value)),
        Lvalue::Cell(o, c) => drop(state.object_mut(o).cells.insert(c, value)),
        Lvalue::Pick(o, array) => state.set_picked(o, array, value),
    }
}
