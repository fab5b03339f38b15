//! Which relations between numbers two states share, and guesses of more.
//!
//! Idea, on a loop that has gone round once: in the state before it `s = 0`, `t <= z`; after it `s = 1`, `t <= z + 1`. What
//! both have in common is `t - s <= z`: a bound that moves with a number that moves is a bound of their difference.
//! None of this is believed: that a state has the facts is checked when it is shown to cover the others (`entail`).

use super::facts::{FAR, Fact, Form, MOST_NAMES, Name, negated, plus};
use super::state::State;
use super::value::gcd;

/// Numbers that two states differ in, of which a relation is guessed.
const MOST_DRIFTS: usize = 10;
/// How fast one may move while the other does.
const STEEPEST: i128 = 1 << 6;

/// Facts that two states with the same names share: those of one that the other has too, and guesses of how numbers
/// that differ between the two go together. All hold in both.
pub(super) fn shared(old: &State, new: &State, new_facts: &[Fact]) -> Vec<Fact> {
    let mut names: Vec<Name> = old.vars.keys().map(|v| Name::Var(*v)).collect();
    names.extend(new.vars.keys().map(|v| Name::Var(*v)));
    names.extend(old.facts.marks.keys().map(|m| Name::Mark(m.0, m.1)));
    for fact in old.facts.all.iter().chain(new_facts) {
        names.extend(fact.form.iter().map(|t| t.0));
    }
    for (&id, object) in old.objects.iter().filter(|(_, o)| o.is_single()) {
        names.extend(object.cells.keys().map(|c| Name::Cell(id, *c)));
    }
    names.sort_unstable();
    names.dedup();
    let mut drifts: Vec<(Name, i128, i128)> = Vec::new();
    for name in names {
        let values = (old.interval(name).exact(), new.interval(name).exact());
        if let (Some(a), Some(b)) = values
            && a != b
            && old.has_base(name) == new.has_base(name)
            && drifts.len() < MOST_DRIFTS
        {
            drifts.push((name, a, b));
        }
    }
    let mut out: Vec<Fact> = Vec::new();
    let mut push = |mut form: Form, mut bound: i128| {
        // Numbers that are the same in both need no name.
        form.retain(|&(name, k)| match old.interval(name).exact() {
            Some(n) if new.interval(name).exact() == Some(n) => {
                bound = bound.saturating_sub(n.saturating_mul(k));
                false
            }
            _ => true,
        });
        let fact = Fact { form, bound };
        // A bound that moves goes away.
        let mut known = old.facts.all.iter().filter(|f| f.form == fact.form);
        if known.any(|f| f.bound < fact.bound) {
            return;
        }
        let holds = |s: &State| s.upper(&fact.form).is_some_and(|u| u <= fact.bound);
        if fact.form.len() > 1
            && fact.form.len() <= MOST_NAMES
            && fact.bound.abs() < FAR
            && out.iter().all(|f| f.form != fact.form)
            && fact
                .form
                .iter()
                .all(|t| old.has_base(t.0) == new.has_base(t.0))
            && holds(old)
            && holds(new)
        {
            out.push(fact);
        }
    };
    let mut forms: Vec<&Form> = Vec::new();
    for fact in old.facts.all.iter().chain(new_facts) {
        push(fact.form.clone(), fact.bound);
        if !forms.contains(&&fact.form) {
            forms.push(&fact.form);
        }
    }
    for form in forms {
        let (Some(k), Some(l)) = (old.upper(form), new.upper(form)) else {
            continue;
        };
        if k == l {
            continue;
        }
        for &(name, a, b) in &drifts {
            let apart = form.iter().all(|t| t.0 != name);
            if !apart || (l - k) % (b - a) != 0 {
                continue;
            }
            let slope = (l - k) / (b - a);
            if slope.abs() > STEEPEST {
                continue;
            }
            if let Some(sum) = plus(form, -slope, &vec![(name, 1)])
                && let Some(bound) = slope.checked_mul(a).and_then(|n| k.checked_sub(n))
            {
                push(sum, bound);
            }
        }
    }
    for (at, &(n, a, b)) in drifts.iter().enumerate() {
        for &(m, c, d) in &drifts[at + 1..] {
            // n moves by b - a while m moves by d - c.
            let g = gcd(b - a, d - c);
            let (x, y) = ((d - c) / g, (b - a) / g);
            let (Some(p), Some(q)) = (x.checked_mul(a), y.checked_mul(c)) else {
                continue;
            };
            if let Some(form) = plus(&vec![(n, x)], -y, &vec![(m, 1)])
                && let Some(bound) = p.checked_sub(q)
            {
                push(negated(&form), -bound);
                push(form, bound);
            }
        }
    }
    out.sort_unstable();
    out
}
