//! Linear facts between the numbers of an abstract state, and known zeros inside objects.
//!
//! ```text
//!   p.offset - z <= 0      p walks over a string whose known zero, the mark of its object, is at z
//!   z - n <= -1            which lies below n, the size of the object
//!   n - size(o) <= 0
//! ```
//! A fact bounds a sum of multiples of *names*. A name is the number in a variable or a cell: its value, without
//! the address of the object that it points into. A name of a cell of a chain means the cell of each object of the
//! chain; a fact holds for whichever objects its names are taken of, names of one chain being of one object.
//!
//! Sound because what [`State::upper`] answers is a sum of facts and of bounds of single names, because a name that
//! changes is eliminated (sums of two facts in which it cancels stay), and because a mark is given up when
//! something may be written over it.

use super::state::{Cell, ObjectId, State};
use super::value::{Interval, Val, gcd};
use logic::TermId;
use program::VarId;
use std::cell::Cell as Count;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// A number of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    Var(VarId),
    Fixed(Cell),
    Cell(ObjectId, Cell),
    /// Where, from the start of the object on, the array holds a zero.
    Mark(ObjectId, VarId),
    /// What the n-th target of an assignment will be.
    New(usize),
    /// A number that a term makes of one variable: only places in tables are said in such.
    Term(TermId, VarId),
}

impl Name {
    pub fn object(self) -> Option<ObjectId> {
        match self {
            Name::Cell(o, _) | Name::Mark(o, _) => Some(o),
            _ => None,
        }
    }

    fn array(self) -> Option<VarId> {
        match self {
            Name::Fixed((a, _)) | Name::Cell(_, (a, _)) | Name::Mark(_, a) => Some(a),
            _ => None,
        }
    }

    pub fn at(self, object: ObjectId) -> Name {
        match self {
            Name::Cell(_, c) => Name::Cell(object, c),
            Name::Mark(_, a) => Name::Mark(object, a),
            other => other,
        }
    }
}

/// Multiples of names, sorted, each once.
pub(super) type Form = Vec<(Name, i128)>;

/// The form is at most the bound.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fact {
    pub form: Form,
    pub bound: i128,
}

/// What variables of the program range over, the same for all states; and how much was searched in facts.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranges(pub Rc<(BTreeMap<VarId, Interval>, Count<u64>)>);

impl PartialEq for Ranges {
    fn eq(&self, _: &Ranges) -> bool {
        true
    }
}

/// What is known of how numbers relate.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Facts {
    /// Facts are kept at all.
    pub on: bool,
    pub all: Vec<Fact>,
    /// Objects and arrays with a known zero, and where it may be.
    pub marks: BTreeMap<(ObjectId, VarId), Interval>,
    pub ranges: Ranges,
    /// How often states became one here.
    pub joined: u8,
}

impl Facts {
    /// What was spent on them since this was asked last.
    pub fn cost(&self) -> u64 {
        self.ranges.0.1.take()
    }
}

/// Facts of one state; names of one fact; factors.
const MOST_FACTS: usize = 64;
pub(super) const MOST_NAMES: usize = 4;
const MOST_FACTOR: i128 = 1 << 20;
/// How many facts a bound may be the sum of, and how many sums are tried.
const DEEPEST: usize = 9;
const MOST_SUMS: usize = 300;
/// Larger distances are those of ends of ranges: nothing that a program knows.
pub(super) const FAR: i128 = 1 << 20;

/// `form + factor * other`.
pub(super) fn plus(form: &Form, factor: i128, other: &Form) -> Option<Form> {
    let mut out = form.clone();
    for &(name, k) in other {
        let k = k.checked_mul(factor)?;
        match out.binary_search_by_key(&name, |t| t.0) {
            Ok(at) => out[at].1 = out[at].1.checked_add(k)?,
            Err(at) => out.insert(at, (name, k)),
        }
    }
    out.retain(|t| t.1 != 0);
    Some(out)
}

pub(super) fn negated(form: &Form) -> Form {
    form.iter().map(|&(n, k)| (n, -k)).collect()
}

impl State {
    pub fn interval(&self, name: Name) -> Interval {
        match name {
            Name::Var(v) => match self.vars.get(&v) {
                Some(value) => value.offset,
                None => self
                    .facts
                    .ranges
                    .0
                    .0
                    .get(&v)
                    .copied()
                    .unwrap_or(Interval::ALL),
            },
            Name::Fixed(c) => self.fixed(c).offset,
            Name::Cell(o, c) => self.cell(o, c).offset,
            Name::Mark(o, a) => {
                let mark = self.facts.marks.get(&(o, a));
                mark.copied().unwrap_or(Interval::ALL)
            }
            Name::New(_) | Name::Term(..) => Interval::ALL,
        }
    }

    /// Whether what a name means is counted from the address of an object.
    pub fn has_base(&self, name: Name) -> bool {
        match name {
            Name::Var(v) => self.vars.get(&v).is_some_and(|v| v.base.is_some()),
            Name::Fixed(c) => self.fixed(c).base.is_some(),
            Name::Cell(o, c) => self.cell(o, c).base.is_some(),
            Name::Mark(..) | Name::New(_) | Name::Term(..) => false,
        }
    }

    /// A bound of the form by the bounds of its names.
    fn by_intervals(&self, form: &Form) -> Option<i128> {
        let mut out: i128 = 0;
        for &(name, k) in form {
            out = out.checked_add(self.interval(name).scale(k).high?)?;
        }
        Some(out)
    }

    /// A number that the form does not exceed, the smallest that is found.
    pub fn upper(&self, form: &Form) -> Option<i128> {
        let mut best = self.by_intervals(form);
        let mut tried = 0;
        let mut seen: Vec<(Form, i128)> = Vec::new();
        // Short sums first.
        let mut open: VecDeque<(Form, i128, usize)> = VecDeque::from([(form.clone(), 0, 0)]);
        while let Some((rest, sum, depth)) = open.pop_front() {
            if let Some(last) = self.by_intervals(&rest)
                && let Some(total) = last.checked_add(sum)
                && best.is_none_or(|b| total < b)
            {
                best = Some(total);
            }
            tried += 1;
            let count = &self.facts.ranges.0.1;
            count.set(count.get() + 1 + self.facts.all.len() as u64 / 4);
            if depth == DEEPEST || tried > MOST_SUMS || rest.is_empty() {
                continue;
            }
            if seen.iter().any(|(f, s)| *f == rest && *s <= sum) {
                continue;
            }
            seen.push((rest.clone(), sum));
            // The first name goes by its own bound or by a fact that has it: no sum is tried in two orders.
            let (name, k) = rest[0];
            let bound = self.interval(name).scale(k).high;
            if let Some(sum) = bound.and_then(|b| b.checked_add(sum))
                && rest.len() > 1
            {
                open.push_back((rest[1..].to_vec(), sum, depth + 1));
            }
            for fact in &self.facts.all {
                let Ok(at) = fact.form.binary_search_by_key(&name, |t| t.0) else {
                    continue;
                };
                let own = fact.form[at].1;
                if own.signum() != k.signum() || k % own != 0 {
                    continue;
                }
                let times = k / own;
                if let Some(left) = plus(&rest, -times, &fact.form)
                    && left.len() <= MOST_NAMES
                    && let Some(bound) = fact.bound.checked_mul(times)
                    && let Some(sum) = sum.checked_add(bound)
                {
                    open.push_back((left, sum, depth + 1));
                }
            }
        }
        best
    }

    pub fn lower(&self, form: &Form) -> Option<i128> {
        self.upper(&negated(form)).map(|u| -u)
    }

    /// Adds a fact that holds. False if nothing satisfies it.
    pub fn add_fact(&mut self, form: Form, bound: i128) -> bool {
        if !self.facts.on || form.is_empty() {
            return !form.is_empty() || bound >= 0;
        }
        let divisor = form.iter().fold(0, |d, t| gcd(d, t.1));
        let form: Form = form.iter().map(|t| (t.0, t.1 / divisor)).collect();
        let bound = bound.div_euclid(divisor);
        let large = form.iter().any(|t| t.1.abs() > MOST_FACTOR);
        if self
            .by_intervals(&negated(&form))
            .is_some_and(|u| -u > bound)
        {
            return false;
        }
        if form.len() == 1 {
            return self.narrow(form[0].0, form[0].1, bound);
        }
        let exact = |t: &(Name, i128)| self.interval(t.0).exact();
        if large || form.iter().all(|t| exact(t).is_some()) {
            return true;
        }
        // Also without the names whose number is known, as it may be forgotten.
        if form.len() > 2 && form.iter().any(|t| exact(t).is_some()) {
            let numbers = form.iter().filter_map(|t| Some(exact(t)? * t.1));
            let sum: i128 = numbers.sum();
            let others = form.iter().filter(|t| exact(t).is_none());
            let others: Form = others.copied().collect();
            if others.len() > 1 {
                self.add_fact(others, bound - sum);
            }
        }
        if form.len() > MOST_NAMES {
            return true;
        }
        match self.facts.all.binary_search_by(|f| f.form.cmp(&form)) {
            Ok(at) => {
                let known = &mut self.facts.all[at].bound;
                *known = (*known).min(bound);
            }
            Err(at) if self.facts.all.len() < MOST_FACTS => {
                self.facts.all.insert(at, Fact { form, bound });
            }
            Err(_) => {}
        }
        true
    }

    /// `factor * name <= bound`, as an interval.
    /// False if no number is left.
    fn narrow(&mut self, name: Name, factor: i128, bound: i128) -> bool {
        let allowed = match factor > 0 {
            true => Interval {
                low: None,
                high: Some(bound.div_euclid(factor)),
            },
            false => Interval {
                low: Some(-(bound.div_euclid(-factor))),
                high: None,
            },
        };
        let old = self.interval(name);
        let new = old.meet(allowed);
        if new == old || new.is_empty() {
            return !new.is_empty();
        }
        match name {
            Name::Var(v) => {
                let base = self.vars.get(&v).and_then(|v| v.base);
                self.vars.insert(v, Val { base, offset: new });
            }
            Name::Fixed(c) => {
                let old = self.fixed(c);
                self.statics.insert(c, Val { offset: new, ..old });
            }
            Name::Cell(o, c) => {
                let old = self.cell(o, c);
                super::state::set(self, o, c, Val { offset: new, ..old });
            }
            Name::Mark(o, a) => {
                if let Some(mark) = self.facts.marks.get_mut(&(o, a)) {
                    *mark = new;
                }
            }
            Name::New(_) | Name::Term(..) => {}
        }
        true
    }

    /// Bounds of single names that follow from facts. False if there are no such numbers.
    pub fn reduce(&mut self) -> bool {
        if !self.facts.on {
            return true;
        }
        for fact in self.facts.all.clone() {
            for at in 0..fact.form.len() {
                let (name, factor) = fact.form[at];
                let mut others = negated(&fact.form);
                others.remove(at);
                if let Some(rest) = self.by_intervals(&others)
                    && let Some(bound) = fact.bound.checked_add(rest)
                    && !self.narrow(name, factor, bound)
                {
                    return false;
                }
            }
        }
        true
    }

    /// The name will mean something else: what follows from facts about it stays.
    pub fn forget_name(&mut self, name: Name) {
        self.forget_in_borders(|n| n == name);
        let factor_in = |f: &Fact| {
            let at = f.form.binary_search_by_key(&name, |t| t.0);
            at.map_or(0, |at| f.form[at].1)
        };
        let (gone, kept): (Vec<Fact>, Vec<Fact>) = std::mem::take(&mut self.facts.all)
            .into_iter()
            .partition(|f| factor_in(f) != 0);
        self.facts.all = kept;
        if gone.is_empty() {
            return;
        }
        // Bounds of the name itself are facts too.
        let interval = self.interval(name);
        let mut sides: Vec<Fact> = gone;
        let own = |k: i128, bound: Option<i128>| Some((vec![(name, k)], bound?));
        for (form, bound) in [own(1, interval.high), own(-1, interval.low.map(|l| -l))]
            .into_iter()
            .flatten()
        {
            sides.push(Fact { form, bound });
        }
        for f in sides.iter().filter(|f| factor_in(f) > 0) {
            for g in sides.iter().filter(|g| factor_in(g) < 0) {
                let (a, b) = (factor_in(f), -factor_in(g));
                let d = gcd(a, b);
                let (x, y) = (b / d, a / d);
                let form = plus(&Form::new(), x, &f.form).and_then(|h| plus(&h, y, &g.form));
                let bound = f.bound.checked_mul(x);
                let bound = bound.and_then(|n| n.checked_add(g.bound.checked_mul(y)?));
                if let (Some(form), Some(bound)) = (form, bound)
                    && form.len() > 1
                    && bound.abs() < FAR
                    && (form.len() == 2 || self.upper(&form).is_none_or(|u| u > bound))
                {
                    self.add_fact(form, bound);
                }
            }
        }
    }

    pub fn forget_names(&mut self, which: impl Fn(Name) -> bool) {
        self.forget_in_borders(&which);
        let mut names: Vec<Name> = Vec::new();
        for fact in &self.facts.all {
            names.extend(fact.form.iter().map(|t| t.0).filter(|n| which(*n)));
        }
        names.sort_unstable();
        names.dedup();
        for name in names {
            self.forget_name(name);
        }
    }

    /// Nothing is known of the array any more.
    pub fn forget_array_facts(&mut self, array: VarId) {
        if self.facts.on || !self.tables.is_empty() {
            self.forget_names(|n| n.array() == Some(array));
            self.facts.marks.retain(|m, _| m.1 != array);
        }
    }

    /// Facts about objects that are no more, or of which nothing is to be known.
    pub fn forget_object_facts(&mut self, gone: impl Fn(ObjectId) -> bool) {
        if self.facts.on || !self.tables.is_empty() {
            self.forget_names(|n| n.object().is_some_and(&gone));
            self.facts.marks.retain(|m, _| !gone(m.0));
        }
    }

    pub fn rename_facts(&mut self, to: impl Fn(Name) -> Name) {
        for fact in &mut self.facts.all {
            for term in &mut fact.form {
                term.0 = to(term.0);
            }
            fact.form.sort_unstable();
        }
        self.facts.all.sort_unstable();
        for table in &mut self.tables {
            for segment in &mut Rc::make_mut(table).segments {
                for (form, _) in &mut segment.from.names {
                    form.iter_mut().for_each(|t| t.0 = to(t.0));
                    form.sort_unstable();
                }
            }
        }
        // The same form may have become known by two names.
        self.facts.all.dedup_by(|a, b| a.form == b.form);
        let marks = std::mem::take(&mut self.facts.marks);
        for ((o, a), interval) in marks {
            if let Name::Mark(o, a) = to(Name::Mark(o, a)) {
                self.facts.marks.insert((o, a), interval);
            }
        }
    }

    /// A new object is like the objects of the chain it comes from.
    pub fn copy_facts(&mut self, chain: ObjectId, new: ObjectId) {
        for fact in self.facts.all.clone() {
            if fact.form.iter().any(|t| t.0.object() == Some(chain)) {
                let own = |t: &(Name, i128)| match t.0.object() == Some(chain) {
                    true => (t.0.at(new), t.1),
                    false => *t,
                };
                let mut form: Form = fact.form.iter().map(own).collect();
                form.sort_unstable();
                self.add_fact(form, fact.bound);
            }
        }
    }

    /// Two neighbours become a chain, the first of which has its name: what holds for both holds for the chain.
    pub fn merge_facts(&mut self, a: ObjectId, b: ObjectId, is_link: impl Fn(Cell) -> bool) {
        self.forget_in_borders(|n| n.object().is_some_and(|o| o == a || o == b));
        if !self.facts.on {
            return;
        }
        let speaks = |f: &Fact, o: ObjectId| f.form.iter().any(|t| t.0.object() == Some(o));
        let links = |f: &Fact| {
            let mut names = f.form.iter();
            names.any(|t| matches!(t.0, Name::Cell(o, c) if (o == a || o == b) && is_link(c)))
        };
        let moved = |f: &Fact, to: ObjectId| {
            let own = |t: &(Name, i128)| match t.0.object() {
                Some(o) if o == a || o == b => (t.0.at(to), t.1),
                _ => *t,
            };
            let mut form: Form = f.form.iter().map(own).collect();
            form.sort_unstable();
            form
        };
        let mut kept = Vec::new();
        for f in &self.facts.all {
            let (first, second) = (speaks(f, a), speaks(f, b));
            if !first && !second {
                kept.push(f.clone());
                continue;
            }
            if first && second || links(f) {
                continue;
            }
            let holds = |form: &Form| self.upper(form).is_some_and(|u| u <= f.bound);
            let (of_a, of_b) = (moved(f, a), moved(f, b));
            if holds(&of_a) && holds(&of_b) {
                kept.push(Fact {
                    form: of_a,
                    bound: f.bound,
                });
            }
        }
        kept.sort_unstable();
        kept.dedup_by(|x, y| x.form == y.form);
        self.facts.all = kept;
        self.facts.marks.retain(|m, _| m.0 != a && m.0 != b);
    }
}
