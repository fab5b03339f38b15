//! The states that are kept at each location, and by what they are kept apart.
//!
//! Two states of a location become one if they have the same key. What separates them is what a join could not say: what
//! variables point to, where there is a known zero (a string that is copied has its end or has it not yet), and whether a
//! number says that something failed (`n` is -1, or a length). At last laps of loops are told apart too: `do { *p++ = n % 10; n /= 10; }
//! while (n);` ends after ten, which no bound of `n` alone says. Where there are many states, less counts.

use super::join::{Joining, join};
use super::names::{self, Obj, Zero};
use super::state::State;
use super::terms::Terms;
use crate::shapes::value::integer;
use base::FxHashMap;
use logic::Op;
use program::{LocId, Stmt, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// Laps that are told apart.
const MOST_LAPS: i128 = 16;

/// Variables that are asked whether they are a negative number, as those are that say that something failed, and variables that
/// are copied to them: by number.
pub(super) fn signals(terms: &Terms) -> BTreeMap<VarId, BTreeSet<i128>> {
    let (pool, program) = (terms.pool, terms.program);
    let mut out: BTreeMap<VarId, BTreeSet<i128>> = BTreeMap::new();
    let mut copies: Vec<(VarId, VarId)> = Vec::new();
    for edge in program.edges.iter() {
        match &edge.stmt {
            Stmt::Assume(c) => {
                for t in pool.post_order(&[*c]) {
                    let (Op::Eq, &[x, y]) = (pool.op(t), pool.args(t)) else {
                        continue;
                    };
                    for (x, y) in [(x, y), (y, x)] {
                        let number = pool.as_number(y).and_then(integer);
                        if let (Some(&v), Some(n)) = (terms.var_of.get(&x), number)
                            && n < 0
                        {
                            out.entry(v).or_default().insert(n);
                        }
                    }
                }
            }
            Stmt::Assign(pairs) => {
                let from = |t: &logic::TermId| terms.var_of.get(t).copied();
                copies.extend(pairs.iter().filter_map(|(v, t)| Some((*v, from(t)?))));
            }
            _ => {}
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (to, from) in &copies {
            let Some(numbers) = out.get(to).cloned() else {
                continue;
            };
            let own = out.entry(*from).or_default();
            let before = own.len();
            own.extend(numbers);
            changed |= own.len() > before;
        }
    }
    out
}

/// Variables that something constant is added to.
pub(super) fn counters(terms: &Terms) -> BTreeSet<VarId> {
    let (pool, program) = (terms.pool, terms.program);
    let mut out = BTreeSet::new();
    for edge in program.edges.iter() {
        let Stmt::Assign(pairs) = &edge.stmt else {
            continue;
        };
        for &(v, mut term) in pairs {
            if let (Op::Wrap { .. }, &[inner]) = (pool.op(term), pool.args(term)) {
                term = inner;
            }
            let form = pool.linear(term);
            let own = matches!(form.terms.as_slice(), [(t, k)] if terms.var_of.get(t) == Some(&v) && k.is_one());
            if own && !form.constant.is_zero() && Some(v) != terms.top {
                out.insert(v);
            }
        }
    }
    out
}

/// By what states of a location are kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// By how often loops have gone round too, as far as counters say.
    Laps,
    /// By what variables point to, by where there are known zeros, and by signals.
    Zeros,
    /// By what variables point to.
    Pointers,
    /// Not at all.
    One,
}

impl Level {
    fn next(self) -> Level {
        match self {
            Level::Laps => Level::Zeros,
            Level::Zeros => Level::Pointers,
            Level::Pointers | Level::One => Level::One,
        }
    }
}

/// What variables point to, which cells hold objects, which arrays of objects have a known zero, and which variables say
/// that something failed: states that differ in it are kept apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pointers: Vec<(VarId, Vec<Option<Obj>>)>,
    cells: Vec<(Obj, names::Cell)>,
    zeros: Vec<(Obj, VarId)>,
    signals: Vec<(VarId, i128)>,
    laps: Vec<(VarId, i128)>,
}

impl Key {
    /// Is it a lap of a loop that is kept apart from others?
    pub fn is_lap(&self) -> bool {
        !self.laps.is_empty()
    }
}

/// The states of each location where paths meet.
pub(super) struct Reached {
    pub states: BTreeMap<LocId, BTreeMap<Key, State>>,
    levels: FxHashMap<LocId, Level>,
    /// That of locations with few states.
    first: Level,
}

impl Reached {
    /// No states yet; those to come are kept apart by laps of loops, or are not.
    pub fn new(by_laps: bool) -> Reached {
        Reached {
            states: BTreeMap::new(),
            levels: FxHashMap::default(),
            first: match by_laps {
                true => Level::Laps,
                false => Level::Zeros,
            },
        }
    }

    fn level(&self, loc: LocId) -> Level {
        self.levels.get(&loc).copied().unwrap_or(self.first)
    }

    /// No states, to be kept apart in the same way.
    pub fn alike(&self) -> Reached {
        Reached {
            states: BTreeMap::new(),
            levels: self.levels.clone(),
            first: self.first,
        }
    }

    pub fn key(&self, loc: LocId, state: &State) -> Key {
        let level = self.level(loc);
        if level == Level::One {
            return Key::default();
        }
        let pointers = state.vars.iter().filter(|(_, value)| value.has_pointer());
        let bases = |v: &names::Val| v.alts().iter().map(|a| a.base).collect();
        let kept = state.objects.keys().copied();
        let kept = kept.filter(|o| matches!(o, Obj::Held(n) if *n >= names::FIRST_OF_CELLS));
        let kept: Vec<Obj> = kept.collect();
        let cells = state.holding_cells(&kept).into_iter();
        let mut zeros = Vec::new();
        let (mut signals, mut laps) = (Vec::new(), Vec::new());
        if level == Level::Laps {
            for &v in &state.frame.counters {
                let exact = state.vars.get(&v).and_then(names::Val::exact);
                laps.extend(exact.filter(|n| n.abs() <= MOST_LAPS).map(|n| (v, n)));
            }
        }
        if matches!(level, Level::Laps | Level::Zeros) {
            for (&id, object) in state.objects.iter().filter(|(id, _)| !id.is_many()) {
                let first = object.marks.iter().filter(|m| m.1 == Zero::First);
                zeros.extend(first.map(|m| (id, m.0)));
            }
            for (&v, numbers) in &state.frame.signals {
                let exact = state.vars.get(&v).and_then(names::Val::exact);
                signals.extend(exact.filter(|n| numbers.contains(n)).map(|n| (v, n)));
            }
        }
        Key {
            pointers: pointers.map(|(v, value)| (*v, bases(value))).collect(),
            cells: cells.map(|(_, id, cell)| (id, cell)).collect(),
            zeros,
            signals,
            laps,
        }
    }

    /// Keeps the states of a location less apart, so that there are fewer; says how they are named then.
    pub fn merge(&mut self, loc: LocId) -> Vec<Key> {
        self.levels.insert(loc, self.level(loc).next());
        let mut merged: BTreeMap<Key, State> = BTreeMap::new();
        for state in self.states.remove(&loc).unwrap_or_default().into_values() {
            let key = self.key(loc, &state);
            let both = match merged.get(&key) {
                Some(known) => join(known, &state, Joining::Growing),
                None => state,
            };
            merged.insert(key, both);
        }
        let keys = merged.keys().cloned().collect();
        self.states.insert(loc, merged);
        keys
    }
}
