//! One state for two, and how joins come to an end.
//!
//! None of this is believed: that a state covers what leads to it is checked in the end (`covers`).
//!
//! Idea of the guesses, on a loop that has gone round once: before it `i = 0` and `p` is at 0, after it `i = 1` and `p` is at 8.
//! What both have in common is `p = 8 * i`: numbers that move together are bounds of one another.

use super::facts::{Fact, gcd, normal_form};
use super::names::{Alt, Factor, Form, Name, Obj, Val, Zero, plus};
use super::state::{Object, Segment, State};
use logic::Interval;
use program::VarId;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Numbers that move while all others stand still, and by how many of one for one of the other.
const MOST_DRIFTS: usize = 8;
const STEEPEST: i128 = 1 << 20;
/// The same where the other is only a bound: more is mostly chance.
const STEEP: i128 = 16;
const SLOWEST: i128 = 4;
/// Numbers of an object that are compared with one another.
const MOST_USUAL: usize = 8;
/// Numbers at which bounds always stop on their way.
const SMALL: [i128; 3] = [-1, 0, 1];

/// Numbers at which bounds that move stop on their way.
pub(super) struct Steps {
    /// For numbers of memory, and for variables that are compared with no number.
    usual: Vec<i128>,
    /// At last: small numbers, and limits of sizes.
    far: Vec<i128>,
    /// Numbers that a variable is compared with, sorted.
    of: BTreeMap<VarId, Vec<i128>>,
}

/// Limits of sizes are larger.
const LARGE: i128 = 1 << 31;

impl Steps {
    pub fn new(block: i128) -> Steps {
        let mut usual = SMALL.to_vec();
        usual.extend([i128::from(i32::MAX), block, i128::from(i64::MAX)]);
        let mut far = SMALL.to_vec();
        far.push(block);
        Steps {
            usual,
            far,
            of: BTreeMap::new(),
        }
    }

    /// The variable is compared with a number.
    pub fn add(&mut self, var: VarId, n: i128) {
        let own = self.of.entry(var).or_default();
        own.extend([n - 1, n, n + 1]);
    }

    /// Something is compared with a number.
    pub fn add_limit(&mut self, n: i128) {
        if n.abs() > LARGE {
            self.usual.push(n);
            self.far.push(n);
        }
    }

    /// All is added.
    pub fn finish(&mut self) {
        for own in self.of.values_mut() {
            own.extend(&self.usual);
            own.sort_unstable();
            own.dedup();
        }
        for steps in [&mut self.usual, &mut self.far] {
            steps.sort_unstable();
            steps.dedup();
        }
    }

    fn of(&self, var: VarId) -> &[i128] {
        self.of.get(&var).unwrap_or(&self.usual)
    }
}

/// Which facts a join looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joining {
    /// Also such that neither state has.
    Guessing,
    Growing,
    /// Only such as the old state has.
    Shrinking,
}

/// Opens in a state what another has and it could have: segments, which begin empty, and products.
pub(super) fn open_like(state: &mut State, other: &State) {
    open_segments(state, other);
    open_products(state, other);
}

/// Products of numbers that are known, or of such that are not.
///
/// Sound because a product is what its factors make it.
fn open_products(state: &mut State, other: &State) {
    for &name in other.ghosts.keys() {
        let Name::Product(a, b) = name else {
            continue;
        };
        let number = |f: Factor| is_there(state, f.name()) && state.is_number_at(f);
        if state.ghosts.contains_key(&name) || !number(a) || !number(b) {
            continue;
        }
        let (x, y) = (state.interval(a.name()), state.interval(b.name()));
        state.ghosts.insert(name, x.multiply(&y));
        let known = x.as_single().map(|k| (k, b));
        let Some((k, other)) = known.or_else(|| y.as_single().map(|k| (k, a))) else {
            continue;
        };
        if let Some(form) = plus(&vec![(name, 1)], -k, &vec![(other.name(), 1)]) {
            state.keep_fact(form, Interval::single(0));
        }
    }
}

fn open_segments(state: &mut State, other: &State) {
    let ids: Vec<Obj> = other.objects.keys().copied().collect();
    for id in ids {
        let object = &other.objects[&id];
        let ends = object.marks.iter().any(|m| m.1 == Zero::Last);
        if object.segments.is_empty() && !ends {
            continue;
        }
        if state.objects.contains_key(&id) {
            state.open_like_object(id, object);
        } else if matches!(id, Obj::Static(_)) && !object.segments.is_empty() {
            state.object_mut(id);
            state.open_like_object(id, object);
        }
    }
}

/// A state that has both as cases.
pub(super) fn join(old: &State, new: &State, how: Joining) -> State {
    let (mut old, mut new) = (old.clone(), new.clone());
    open_like(&mut old, &new);
    open_like(&mut new, &old);
    let mut out = State::new(old.frame.clone());
    for (v, a) in &old.vars {
        if let Some(b) = new.vars.get(v) {
            out.vars.insert(*v, a.join(b));
        }
    }
    for (array, a) in &old.defaults {
        if let Some(b) = new.defaults.get(array) {
            out.defaults.insert(*array, a.join(b));
        }
    }
    let mut ids: BTreeSet<Obj> = old.objects.keys().copied().collect();
    ids.extend(new.objects.keys());
    for &id in &ids {
        let declared = matches!(id, Obj::Static(_) | Obj::Fresh);
        let object = match (old.objects.get(&id), new.objects.get(&id)) {
            (Some(a), None) if !declared => unsure(a),
            (None, Some(b)) if !declared => unsure(b),
            (Some(a), Some(b)) if Rc::ptr_eq(a, b) => Object::clone(a),
            _ => {
                let mut merged = old.merged(id, &new, id);
                merged.sure |= declared;
                merged
            }
        };
        for &mark in &object.marks {
            join_ghost(&mut out, &old, &new, Name::Mark(id, mark));
        }
        for (&array, segment) in &object.segments {
            for name in segment.names(id, array) {
                join_ghost(&mut out, &old, &new, name);
            }
        }
        out.objects.insert(id, Rc::new(object));
    }
    for &name in old.ghosts.keys() {
        if matches!(name, Name::Product(..)) && is_there(&old, name) && is_there(&new, name) {
            join_ghost(&mut out, &old, &new, name);
        }
    }
    let kept: Vec<Form> = old.facts.iter().map(|f| f.form.clone()).collect();
    // Bounds of numbers that move will say less than they do now.
    let moves = |t: &(Name, i128)| old.interval(t.0) != new.interval(t.0);
    for fact in common(&old, &new, how) {
        let compared = out.frame.compared.contains(&fact.form) || kept.contains(&fact.form);
        match compared || fact.form.len() == 2 && fact.form.iter().any(moves) {
            true => out.keep_fact(fact.form, fact.bounds),
            false => drop(out.add_fact(fact.form, fact.bounds)),
        }
    }
    out
}

fn join_ghost(out: &mut State, old: &State, new: &State, name: Name) {
    let bounds = match (old.ghosts.get(&name), new.ghosts.get(&name)) {
        (Some(a), Some(b)) => a.hull(b),
        (Some(a), None) | (None, Some(a)) => *a,
        (None, None) => Interval::ANY,
    };
    out.ghosts.insert(name, bounds);
}

fn unsure(object: &Object) -> Object {
    Object {
        sure: false,
        ..object.clone()
    }
}

/// Do both count the number from the same objects?
fn same_base(old: &State, new: &State, name: Name) -> bool {
    let bases = |v: &Val| v.alts().iter().map(|a| a.base).collect::<Vec<_>>();
    match name {
        Name::Var(v) => bases(&old.var(v)) == bases(&new.var(v)),
        Name::Cell(o, c) => bases(&old.cell(o, c)) == bases(&new.cell(o, c)),
        Name::Each(o, a) => {
            let of = |state: &State| {
                let object = state.objects.get(&o);
                object.and_then(|x| Some(bases(&x.segments.get(&a)?.value)))
            };
            of(old) == of(new)
        }
        _ => true,
    }
}

fn is_there(state: &State, name: Name) -> bool {
    match name {
        Name::Cell(o, _) => matches!(o, Obj::Static(_)) || state.objects.contains_key(&o),
        Name::Mark(o, a) => state.objects.get(&o).is_some_and(|x| x.marks.contains(&a)),
        Name::Fill(o, a) | Name::Each(o, a) => {
            let object = state.objects.get(&o);
            object.is_some_and(|x| x.segments.contains_key(&a))
        }
        Name::Start(o, a) | Name::Pick(o, a) => {
            let object = state.objects.get(&o);
            let segment = object.and_then(|x| x.segments.get(&a));
            segment.is_some_and(|s| s.names(o, a).any(|n| n == name))
        }
        Name::Product(a, b) => {
            let there = |f: Factor| is_there(state, f.name()) && state.is_number_at(f);
            state.ghosts.contains_key(&name) && there(a) && there(b)
        }
        _ => true,
    }
}

/// Differences of the numbers of an object and of what points into it: what memory is about.
pub(super) fn usual_forms(state: &State, id: Obj) -> Vec<Form> {
    let Some(object) = state.objects.get(&id) else {
        return Vec::new();
    };
    let mut names: Vec<Name> = Vec::new();
    let by_block = |c: &super::names::Cell| state.frame.by_block.contains(&c.0);
    let cells = object.cells.keys().filter(|c| by_block(c));
    names.extend(cells.map(|c| Name::Cell(id, *c)));
    names.extend(object.marks.iter().map(|a| Name::Mark(id, *a)));
    names.extend(object.segments.keys().map(|a| Name::Fill(id, *a)));
    for (v, value) in &state.vars {
        if !id.is_many() && value.single().is_some_and(|a| a.base == Some(id)) {
            names.push(Name::Var(*v));
        }
    }
    for (&holder, x) in state.objects.iter().filter(|(h, _)| !h.is_many()) {
        let inside = |s: &Segment| !id.is_many() && s.value.is_only(id);
        let arrays = x.segments.iter().filter(|(_, s)| inside(s));
        names.extend(arrays.map(|(a, _)| Name::Each(holder, *a)));
    }
    names.retain(|n| state.interval(*n).as_single().is_none());
    names.sort_unstable();
    names.truncate(MOST_USUAL);
    let mut out = Vec::new();
    for (n, a) in names.iter().enumerate() {
        for b in &names[n + 1..] {
            out.push(vec![(*a, 1), (*b, -1)]);
        }
    }
    out
}

/// Is it a number of an object that is not there, or of a segment that is empty?
fn is_absent(state: &State, name: Name) -> bool {
    state.is_of_empty_segment(name)
        || name.object().is_some_and(|o| {
            !matches!(o, Obj::Static(_) | Obj::Fresh) && !state.objects.contains_key(&o)
        })
}

/// Facts that both states have, and guesses of such.
fn common(old: &State, new: &State, how: Joining) -> Vec<Fact> {
    let usable = |form: &Form| {
        form.iter()
            .all(|t| is_there(old, t.0) && is_there(new, t.0) && same_base(old, new, t.0))
    };
    let mut out: Vec<Fact> = Vec::new();
    let mut forms: Vec<Form> = Vec::new();
    let grows = how != Joining::Shrinking;
    // What moves for the first time has facts that the old state needs none of; equations it may have in other words.
    let first = |t: &(Name, i128)| {
        old.interval(t.0).as_single().is_some() && new.interval(t.0).as_single().is_none()
    };
    let theirs = new.facts.iter();
    let equation = |f: &Fact| f.bounds.as_single().is_some();
    let theirs = theirs.filter(|f| grows || equation(f) || f.form.iter().any(first));
    let theirs = theirs.map(|f| (f, old));
    for (fact, other) in old.facts.iter().map(|f| (f, new)).chain(theirs) {
        // What is said of an object that the other does not have holds there.
        let same = |f: &Fact| f.form == fact.form && f.bounds == fact.bounds;
        if fact.form.iter().any(|t| is_absent(other, t.0))
            || usable(&fact.form) && other.facts.iter().any(same)
        {
            if out.iter().all(|f| f.form != fact.form) {
                out.push(fact.clone());
            }
        } else if !forms.contains(&fact.form) && usable(&fact.form) {
            forms.push(fact.form.clone());
        }
    }
    for state in [old, new].into_iter().filter(|_| grows) {
        for &id in state.objects.keys() {
            let same = match (old.objects.get(&id), new.objects.get(&id)) {
                (Some(a), Some(b)) => Rc::ptr_eq(a, b) || a == b,
                _ => false,
            };
            if same && id.is_many() {
                continue;
            }
            for form in usual_forms(state, id) {
                let known = forms.contains(&form) || out.iter().any(|f| f.form == form);
                if !known && usable(&form) {
                    forms.push(form);
                }
            }
        }
    }
    if grows {
        let listed = |t: &(Name, i128)| match t.0 {
            Name::Var(v) => old.vars.contains_key(&v) && new.vars.contains_key(&v),
            _ => false,
        };
        for form in &old.frame.compared {
            if form.iter().all(listed) && !forms.contains(form) && usable(form) {
                forms.push(form.clone());
            }
        }
    }
    let drifts: Vec<(Name, i128, i128)> = drifts(old, new)
        .into_iter()
        .filter(|d| how == Joining::Guessing && usable(&vec![(d.0, 1)]))
        .collect();
    if !drifts.is_empty() {
        // Single numbers whose bounds move are told from one another by what moves with them.
        for name in names(old) {
            let (a, b) = (old.interval(name), new.interval(name));
            let moves = a.as_single().is_none() || b.as_single().is_none();
            let form = vec![(name, 1)];
            if moves && a != b && is_there(new, name) && usable(&form) {
                forms.push(form);
            }
        }
        // Numbers of a segment are mostly below, or above, what counts them.
        for &(name, ..) in &drifts {
            for each in segments_of_numbers(old) {
                let form = normal_form(vec![(name, 1), (each, -1)]);
                if matches!(name, Name::Var(_)) && !forms.contains(&form) && usable(&form) {
                    forms.push(form);
                }
            }
        }
    }
    let mut push = |form: Form, bounds: Interval| {
        if bounds != Interval::ANY && form.len() > 1 && out.iter().all(|f| f.form != form) {
            out.push(Fact { form, bounds });
        }
    };
    for form in forms {
        let (Some(a), Some(b)) = (old.bounds(&form), new.bounds(&form)) else {
            continue;
        };
        push(form.clone(), a.hull(&b));
        // A bound that moves with a number that moves.
        for (k, l, high) in [(a.high, b.high, true), (a.low, b.low, false)] {
            let ends = if high {
                (a.has_high(), b.has_high())
            } else {
                (a.has_low(), b.has_low())
            };
            if ends != (true, true) || k == l {
                continue;
            }
            for &(name, x, y) in &drifts {
                // Of sums of several variables equations are worth it: so much is allocated, less what was freed.
                let is_var = |n: Name| matches!(n, Name::Var(_));
                let equation = a.as_single().is_some()
                    && b.as_single().is_some()
                    && is_var(name)
                    && form.iter().all(|t| is_var(t.0));
                let far = form.len() > 2 && !equation || form.iter().any(|t| t.0 == name);
                // The bound moves by `rise` while the number moves by `run`.
                let common = gcd(l - k, y - x).max(1) * (y - x).signum();
                let (rise, run) = ((l - k) / common, (y - x) / common);
                let steep = rise.abs() > STEEP || run > SLOWEST;
                // Other than by whole multiples numbers mostly move up together.
                let chance = run != 1 && (form.len() > 1 || rise < 0);
                if far || chance || steep {
                    continue;
                }
                let moved = plus(&Form::new(), run, &form);
                let moved = moved.and_then(|form| plus(&form, -rise, &vec![(name, 1)]));
                let Some(moved) = moved else {
                    continue;
                };
                if let (Some(a), Some(b)) = (old.bounds(&moved), new.bounds(&moved)) {
                    let both = a.hull(&b);
                    // Sums of three numbers that only lie within bounds are mostly chance, if these move.
                    if moved.len() < 3 || a == b {
                        push(moved, both);
                    }
                }
            }
        }
    }
    for (n, &(p, a, b)) in drifts.iter().enumerate() {
        for &(q, c, d) in &drifts[n + 1..] {
            // p moves by b - a while q moves by d - c.
            let (x, y) = (d - c, b - a);
            if x.abs() > STEEPEST || y.abs() > STEEPEST {
                continue;
            }
            if let Some(form) = plus(&vec![(p, x)], -y, &vec![(q, 1)]) {
                let value = x * a - y * c;
                push(form, Interval::single(value));
            }
        }
    }
    out
}

/// Each number of the segments that hold no addresses.
fn segments_of_numbers(state: &State) -> Vec<Name> {
    let single = state.objects.iter().filter(|(id, _)| !id.is_many());
    let segments = single.flat_map(|(&id, x)| x.segments.iter().map(move |(a, s)| (id, *a, s)));
    let numbers = segments.filter(|(.., s)| !s.value.has_pointer() && !s.value.alts().is_empty());
    numbers.map(|(id, a, _)| Name::Each(id, a)).collect()
}

/// The numbers that a state says something of.
fn names(state: &State) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    names.extend(state.vars.keys().map(|v| Name::Var(*v)));
    let products = state.ghosts.keys().copied();
    names.extend(products.filter(|n| matches!(n, Name::Product(..))));
    for (&id, object) in &state.objects {
        names.extend(object.cells.keys().map(|c| Name::Cell(id, *c)));
        names.extend(object.marks.iter().map(|a| Name::Mark(id, *a)));
        let segments = object.segments.iter();
        names.extend(segments.flat_map(|(a, s)| s.names(id, *a)));
    }
    names
}

/// Does a number that was known move for the first time?
pub(super) fn moves(old: &State, new: &State) -> bool {
    let mut opened = old.clone();
    open_segments(&mut opened, new);
    !drifts(&opened, new).is_empty()
}

/// Numbers that are known in both states and differ.
fn drifts(old: &State, new: &State) -> Vec<(Name, i128, i128)> {
    let mut out = Vec::new();
    for name in names(old) {
        let values = (
            old.interval(name).as_single(),
            new.interval(name).as_single(),
        );
        if let (Some(a), Some(b)) = values
            && a != b
            && out.len() < MOST_DRIFTS
        {
            out.push((name, a, b));
        }
    }
    out
}

/// Contains both; a bound that moves goes on to the next of the sorted steps, at last away.
fn widen_interval(old: &Interval, new: &Interval, steps: &[i128]) -> Interval {
    let hull = old.hull(new);
    let low = match old.low == hull.low {
        true => hull.ends().0,
        false => hull
            .ends()
            .0
            .and_then(|l| steps.iter().rev().find(|s| **s <= l).copied()),
    };
    let high = match old.high == hull.high {
        true => hull.ends().1,
        false => hull
            .ends()
            .1
            .and_then(|h| steps.iter().find(|s| **s >= h).copied()),
    };
    Interval::of(low, high)
}

fn widen_value(old: &Val, joined: &Val, steps: &[i128]) -> Val {
    let alts = joined.alts().iter().map(|alt| {
        let known = old.alts().iter().find(|a| a.base == alt.base);
        match known {
            Some(a) => Alt::new(
                alt.base,
                widen_interval(&a.off, &alt.off, steps),
                alt.residue(),
            ),
            None => *alt,
        }
    });
    Val::of(alts.collect())
}

/// Do all variables have the values that they had?
pub(super) fn variables_rest(old: &State, joined: &State) -> bool {
    let mut all = joined.vars.iter();
    all.all(|(v, value)| old.vars.get(v) == Some(value))
}

/// The join with less in it, so that joins come to an end: bounds that moved go far, facts that are new go. What is in
/// memory moves with variables: it stays as it is joined, unless it goes on to move where they rest (`memory`).
pub(super) fn widen(old: &State, joined: &State, all: &Steps, far: bool, memory: bool) -> State {
    let steps = if far { &all.far } else { &all.usual };
    let mut opened = old.clone();
    open_like(&mut opened, joined);
    let old = &opened;
    let mut out = joined.clone();
    for (v, value) in &mut out.vars {
        let steps = if far { steps } else { all.of(*v) };
        *value = widen_value(&old.var(*v), value, steps);
        let range = joined.frame.ranges[*v];
        if let Some(alt) = value.single()
            && alt.base.is_none()
        {
            *value = value.meet(&range);
        }
    }
    for (&id, object) in out.objects.iter_mut().filter(|_| memory) {
        let object = Rc::make_mut(object);
        for (cell, value) in &mut object.cells {
            *value = widen_value(&old.cell(id, *cell), value, steps);
        }
        for (array, value) in &mut object.rest {
            *value = widen_value(&old.rest(id, *array), value, steps);
        }
        for (array, segment) in &mut object.segments {
            let known = old.objects.get(&id).and_then(|o| o.segments.get(array));
            if let Some(known) = known {
                segment.value = widen_value(&known.value, &segment.value, steps);
                if !known.value.alts().is_empty() {
                    segment.beside = widen_interval(&known.beside, &segment.beside, steps);
                }
            }
        }
    }
    for (name, bounds) in &mut out.ghosts {
        if let Some(known) = old.ghosts.get(name) {
            *bounds = widen_interval(known, bounds, steps);
        }
    }
    // Facts that held before and hold after stay.
    let facts = std::mem::take(&mut *out.facts);
    for fact in facts {
        let known = old.facts.iter().find(|f| f.form == fact.form);
        let Some(known) = known else {
            // What has moved for the first time may have a new fact.
            let new = |t: &(Name, i128)| {
                old.interval(t.0).as_single().is_some()
                    && joined.interval(t.0).as_single().is_none()
            };
            if fact.bounds.as_single().is_some() || fact.form.iter().any(new) {
                out.facts.push(fact);
            }
            continue;
        };
        let bounds = widen_interval(&known.bounds, &fact.bounds, &SMALL);
        if bounds != Interval::ANY {
            out.facts.push(Fact {
                form: fact.form,
                bounds,
            });
        }
    }
    out
}
