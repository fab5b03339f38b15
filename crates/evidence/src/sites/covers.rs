//! Is one state a case of another?

use super::names::{Name, Obj, Val};
use super::state::{Object, State};
use logic::Interval;
use std::collections::BTreeSet;

/// Is every concrete state of `special` one of `general`?
///
/// Sound because objects have the same names in both, every value of the one is a value of the other, and the facts
/// of the other follow from those of the one. A number that is counted from an object in one state and not in the
/// other is in no fact.
pub(super) fn covers(special: &State, general: &State) -> bool {
    let mut turned: BTreeSet<Name> = BTreeSet::new();
    let mut value = |name: Name, mine: &Val, theirs: &Val| {
        let narrower = || match (mine.single(), theirs.single()) {
            // Facts may know more than the bounds of the number alone.
            (Some(a), Some(b)) if a.base == b.base => {
                b.residue().includes(&a.residue()) && special.entails(&vec![(name, 1)], &b.off)
            }
            _ => false,
        };
        if !theirs.includes(mine) && !narrower() {
            return false;
        }
        let bases = |v: &Val| v.alts().iter().map(|a| a.base).collect::<Vec<_>>();
        let known = bases(theirs);
        if bases(mine).iter().any(|b| !known.contains(b)) {
            turned.insert(name);
        }
        true
    };
    for (v, theirs) in &general.vars {
        if !value(Name::Var(*v), &special.var(*v), theirs) {
            return false;
        }
    }
    // A variable that is not listed is a number.
    for (v, mine) in &special.vars {
        if !general.vars.contains_key(v) && !value(Name::Var(*v), mine, &general.var(*v)) {
            return false;
        }
    }
    for (array, theirs) in &general.defaults {
        let mine = special.defaults.get(array);
        if !mine.is_some_and(|m| theirs.includes(m)) {
            return false;
        }
    }
    let mut turned_segments: BTreeSet<Name> = BTreeSet::new();
    let none = Object::new(u32::MAX);
    let mut ids: BTreeSet<Obj> = general.objects.keys().copied().collect();
    ids.extend(special.objects.keys());
    for id in ids {
        let there = general.objects.get(&id);
        let here = special.objects.get(&id);
        let declared = matches!(id, Obj::Static(_) | Obj::Fresh);
        if there.is_none() && !declared {
            return false;
        }
        if here.is_none() && !declared {
            // There is no such object; the other need not have one.
            if general.is_sure(id) {
                return false;
            }
            continue;
        }
        if general.is_sure(id) && !special.is_sure(id) {
            return false;
        }
        let x = here.map_or(&none, |o| o);
        let y = there.map_or(&none, |o| o);
        if !declared && x.site != y.site {
            return false;
        }
        for &cell in x.cells.keys().chain(y.cells.keys()) {
            let (mine, theirs) = (special.cell(id, cell), general.cell(id, cell));
            if !value(Name::Cell(id, cell), &mine, &theirs) {
                return false;
            }
        }
        let mut arrays: BTreeSet<_> = x.rest.keys().chain(y.rest.keys()).copied().collect();
        arrays.extend(general.defaults.keys());
        for array in arrays {
            if !general.rest(id, array).includes(&special.rest(id, array)) {
                return false;
            }
        }
        if !y.marks.is_subset(&x.marks) {
            return false;
        }
        for (array, theirs) in &y.segments {
            let fill = Name::Fill(id, *array);
            match x.segments.get(array) {
                Some(mine) if mine.stride == theirs.stride => {
                    if !theirs.value.includes(&mine.value) {
                        return false;
                    }
                    if !mine.value.alts().is_empty() && !theirs.beside.includes(&mine.beside) {
                        return false;
                    }
                    if mine.value.has_pointer() && theirs.value.is_any() {
                        turned_segments.insert(Name::Each(id, *array));
                    }
                    let start = Name::Start(id, *array);
                    let bounds = match theirs.starts {
                        true => general.interval(start),
                        false => Interval::single(0),
                    };
                    let begins = match mine.starts {
                        true => special.entails(&vec![(start, 1)], &bounds),
                        false => !theirs.starts,
                    };
                    if !begins || theirs.distinct && !mine.distinct {
                        return false;
                    }
                    let pick = Name::Pick(id, *array);
                    let same = match (&mine.picked, &theirs.picked) {
                        (_, None) => true,
                        (None, Some(_)) => false,
                        (Some(mine), Some(theirs)) => {
                            let bounds = general.interval(pick);
                            theirs.includes(mine) && special.entails(&vec![(pick, 1)], &bounds)
                        }
                    };
                    if !same {
                        return false;
                    }
                }
                // The caller opens segments that the other has.
                _ => return false,
            }
            if !special.entails(&vec![(fill, 1)], &general.interval(fill)) {
                return false;
            }
        }
        for mark in &y.marks {
            let mark = Name::Mark(id, *mark);
            if !special.entails(&vec![(mark, 1)], &general.interval(mark)) {
                return false;
            }
        }
    }
    turned.extend(turned_segments);
    let is_absent = |n: Name| {
        n.object().is_some_and(|o| {
            !matches!(o, Obj::Static(_) | Obj::Fresh) && !special.objects.contains_key(&o)
        })
    };
    // A product of numbers is one wherever they are numbers.
    let product = |n: &Name, bounds: &Interval| match *n {
        Name::Product(a, b) => {
            let numbers = special.is_number_at(a) && special.is_number_at(b);
            is_absent(*n) || numbers && special.entails(&vec![(*n, 1)], bounds)
        }
        _ => true,
    };
    if !general.ghosts.iter().all(|(n, bounds)| product(n, bounds)) {
        return false;
    }
    general.facts.iter().all(|fact| {
        // What is said of an object that is not there says nothing, nor of each number where there is none.
        fact.form
            .iter()
            .any(|t| is_absent(t.0) || special.is_of_empty_segment(t.0))
            || !fact.form.iter().any(|t| turned.contains(&t.0))
                && special.entails(&fact.form, &fact.bounds)
    })
}
