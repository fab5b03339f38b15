//! What follows from the facts of a state: bounds of forms.
//!
//! A form is bounded by sums of facts and of bounds of single names (`lp`). Only facts that hang together with the form by
//! names are looked at: an index by number says which, and is made once for all questions to the same facts.

use super::facts::Fact;
use super::lp::{Largest, Problem, largest};
use super::names::{Form, Name, Obj};
use super::state::State;
use logic::Interval;
use std::cell::OnceCell;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

/// Names and facts that one search looks at.
const MOST_ROWS: usize = 14;
const MOST_CHOSEN: usize = 32;

/// The facts of a state, sorted by their forms, and their index.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    list: Vec<Fact>,
    index: OnceCell<Rc<Index>>,
}

/// Names by number.
#[derive(Debug)]
struct Index {
    names: Vec<Name>,
    /// By name: the facts about it.
    about: Vec<Vec<u16>>,
    /// By fact: its names, in their order.
    of: Vec<Vec<u16>>,
}

impl Deref for Facts {
    type Target = Vec<Fact>;

    fn deref(&self) -> &Vec<Fact> {
        &self.list
    }
}

impl DerefMut for Facts {
    fn deref_mut(&mut self) -> &mut Vec<Fact> {
        self.index.take();
        &mut self.list
    }
}

impl Facts {
    fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let all = self.list.iter().flat_map(|f| f.form.iter());
            let mut names: Vec<Name> = all.map(|t| t.0).collect();
            names.sort_unstable();
            names.dedup();
            let mut about = vec![Vec::new(); names.len()];
            let mut of = Vec::with_capacity(self.list.len());
            for (n, fact) in self.list.iter().enumerate() {
                let number = |t: &(Name, i128)| names.binary_search(&t.0).ok();
                let own: Vec<u16> = fact
                    .form
                    .iter()
                    .filter_map(number)
                    .map(|n| n as u16)
                    .collect();
                for &name in &own {
                    about[usize::from(name)].push(n as u16);
                }
                of.push(own);
            }
            Rc::new(Index { names, about, of })
        })
    }
}

/// The part of a state that decides bounds of a form.
struct System {
    problem: Problem,
    /// The form by rows.
    target: Vec<i128>,
    /// Bounds of what no fact is about.
    alone: Interval,
}

impl State {
    /// Bounds of a form by those of its names.
    pub fn quick(&self, form: &Form) -> Interval {
        let mut out = Interval::single(0);
        for &(name, k) in form {
            out = out.add(&self.interval(name).times(k));
        }
        out
    }

    /// `None` if bounds of names are all that is known.
    fn system(&self, form: &Form) -> Option<System> {
        if form.is_empty() || self.facts.is_empty() {
            return None;
        }
        let index = self.facts.index();
        let mut alone = Interval::single(0);
        let mut rows: Vec<u16> = Vec::with_capacity(MOST_ROWS);
        let mut target: Vec<i128> = Vec::with_capacity(MOST_ROWS);
        for &(name, k) in form {
            match index.names.binary_search(&name) {
                Ok(n) => {
                    rows.push(n as u16);
                    target.push(k);
                }
                Err(_) => alone = alone.add(&self.interval(name).times(k)),
            }
        }
        // Facts that speak of an object that need not exist, or of each number of a segment that may be empty, count if
        // the form speaks of it too.
        let counts = |fact: &Fact| {
            let named = |n: Name| form.iter().any(|t| t.0 == n);
            let of = |o: Obj| form.iter().any(|t| t.0.object() == Some(o));
            fact.form.iter().all(|t| {
                let exists = t.0.object().is_none_or(|o| self.is_sure(o) || of(o));
                exists && (!matches!(t.0, Name::Each(..)) || named(t.0))
            })
        };
        const NONE: u8 = u8::MAX;
        let mut row_of = vec![NONE; index.names.len()];
        for (row, &name) in rows.iter().enumerate() {
            row_of[usize::from(name)] = row as u8;
        }
        let mut used = vec![false; self.facts.len()];
        let mut chosen: Vec<u16> = Vec::with_capacity(MOST_CHOSEN);
        let mut at = 0;
        while at < rows.len() {
            for &fact in &index.about[usize::from(rows[at])] {
                let n = usize::from(fact);
                if used[n] || chosen.len() >= MOST_CHOSEN {
                    continue;
                }
                used[n] = true;
                let new = index.of[n]
                    .iter()
                    .filter(|&&m| row_of[usize::from(m)] == NONE);
                if rows.len() + new.count() > MOST_ROWS || !counts(&self.facts[n]) {
                    continue;
                }
                chosen.push(fact);
                for &name in &index.of[n] {
                    if row_of[usize::from(name)] == NONE {
                        row_of[usize::from(name)] = rows.len() as u8;
                        rows.push(name);
                        target.push(0);
                    }
                }
            }
            at += 1;
        }
        if chosen.is_empty() {
            return None;
        }
        let mut problem = Problem::new(rows.len());
        for fact in chosen {
            let n = usize::from(fact);
            let fact = &self.facts[n];
            let row = |m: &u16| usize::from(row_of[usize::from(*m)]);
            let factors = index.of[n]
                .iter()
                .map(row)
                .zip(fact.form.iter().map(|t| t.1));
            problem.within(factors, fact.bounds);
        }
        for (row, &name) in rows.iter().enumerate() {
            let own = self.interval(index.names[usize::from(name)]);
            problem.within([(row, 1)].into_iter(), own);
        }
        Some(System {
            problem,
            target,
            alone,
        })
    }

    /// A number that the form of a system, or its negation, does not exceed: the least that is found, or one that is
    /// not above the goal.
    fn upper(&self, system: &System, sign: i128, goal: Option<i128>) -> Largest {
        let Some(alone) = system.alone.times(sign).ends().1 else {
            return Largest::Unbounded;
        };
        let target: Vec<i128> = system.target.iter().map(|k| k * sign).collect();
        let goal = goal.map(|g| g - alone);
        let (answer, cost) = largest(&target, &system.problem, goal);
        self.frame.work.set(self.frame.work.get() + cost);
        match answer {
            Largest::AtMost(n) => Largest::AtMost(n + alone),
            other => other,
        }
    }

    /// Bounds of a form. `None`: there is no such state.
    pub fn bounds(&self, form: &Form) -> Option<Interval> {
        let quick = self.quick(form);
        let Some(system) = self.system(form) else {
            return Some(quick);
        };
        let side = |sign: i128| match self.upper(&system, sign, None) {
            Largest::AtMost(n) => Some(Some(n)),
            Largest::Unbounded => Some(None),
            Largest::Nothing => None,
        };
        let (high, low) = (side(1)?, side(-1)?);
        let both = quick.meet(&Interval::of(low.map(|l| -l), high));
        Some(self.residue(form).narrowed(&both))
    }

    /// Does every state satisfy it?
    pub fn entails(&self, form: &Form, bounds: &Interval) -> bool {
        // Between the bounds and the next number that the form can be there is none.
        let bounds = &self.residue(form).widened(bounds);
        let mut quick = self.quick(form);
        if let Ok(at) = self.facts.binary_search_by(|f| f.form.cmp(form)) {
            quick = quick.meet(&self.facts[at].bounds);
        }
        if bounds.includes(&quick) {
            return true;
        }
        let Some(system) = self.system(form) else {
            return false;
        };
        let below = |sign: i128, quick: Option<i128>, bound: Option<i128>| match bound {
            None => true,
            Some(b) if quick.is_some_and(|q| q <= b) => true,
            Some(b) => match self.upper(&system, sign, Some(b)) {
                Largest::AtMost(n) => n <= b,
                Largest::Nothing => true,
                Largest::Unbounded => false,
            },
        };
        let ((low, high), (least, most)) = (quick.ends(), bounds.ends());
        below(1, high, most) && below(-1, low.map(|l| -l), least.map(|l| -l))
    }
}
