//! Clause variables that the constraint determines are replaced by what they are equal to
//! (one-point rule), so that programs guess only what is really free.

use base::{FxHashMap, FxHashSet};
use logic::{Op, Pool, Rational, Substitution, TermId};

/// A clause body solved for its variables.
pub struct Solved {
    pub constraint: Vec<TermId>,
    /// What variables stand for; apply to the head's and the body's arguments.
    pub map: Vec<(TermId, TermId)>,
    /// The variables left to guess, in order of first use.
    pub free: Vec<TermId>,
}

/// `known` maps some variables to program terms; the others are eliminated where an equality of the
/// constraint says what they are. `used` are further terms whose variables matter.
pub fn solve(
    pool: &mut Pool,
    vars: &[TermId],
    known: Vec<(TermId, TermId)>,
    constraint: Vec<TermId>,
    used: &[TermId],
) -> Solved {
    let mut open: FxHashSet<TermId> = vars.iter().copied().collect();
    for (v, _) in &known {
        open.remove(v);
    }
    let mut map = known;
    let mut first = Substitution::new(map.iter().copied());
    let mut rest: Vec<TermId> = constraint
        .into_iter()
        .map(|c| first.apply(pool, c))
        .collect();
    while let Some((at, v, value)) = rest
        .iter()
        .enumerate()
        .find_map(|(at, &c)| definition(pool, c, &open).map(|(v, value)| (at, v, value)))
    {
        rest.swap_remove(at);
        open.remove(&v);
        let mut one = Substitution::new([(v, value)]);
        let mut next = Vec::new();
        for c in rest {
            let c = one.apply(pool, c);
            next.extend(pool.conjuncts(c));
        }
        rest = next;
        for (_, t) in &mut map {
            *t = one.apply(pool, *t);
        }
        map.push((v, value));
    }
    let mut all = Substitution::new(map.iter().copied());
    let mut mentioned: Vec<TermId> = rest.clone();
    mentioned.extend(used.iter().map(|&t| all.apply(pool, t)));
    let mut seen: FxHashMap<TermId, ()> = FxHashMap::default();
    let free = pool
        .post_order(&mentioned)
        .into_iter()
        .filter(|t| open.contains(t) && seen.insert(*t, ()).is_none())
        .collect();
    Solved {
        constraint: rest,
        map,
        free,
    }
}

/// `v = value` if the conjunct determines an open variable.
fn definition(pool: &mut Pool, c: TermId, open: &FxHashSet<TermId>) -> Option<(TermId, TermId)> {
    match pool.op(c) {
        // A Boolean variable that must be true, or false.
        Op::App(_) if open.contains(&c) => return Some((c, pool.tt())),
        Op::Not if open.contains(&pool.args(c)[0]) => return Some((pool.args(c)[0], pool.ff())),
        Op::Eq => {}
        _ => return None,
    }
    let [a, b] = *pool.args(c) else { return None };
    for (v, value) in [(a, b), (b, a)] {
        if open.contains(&v) && !occurs(pool, v, value) {
            return Some((v, value));
        }
    }
    let sort = pool.sort_of(a);
    if !pool.is_arith(sort) {
        return None;
    }
    let sum = pool.difference(a, b);
    let unit = |c: &Rational| c.abs().is_one() || sort == pool.real_sort();
    let candidates: Vec<(TermId, Rational)> = sum
        .terms
        .iter()
        .filter(|(t, c)| open.contains(t) && unit(c))
        .cloned()
        .collect();
    for (v, c) in candidates {
        let mut value = sum.clone();
        value.terms.retain(|(t, _)| *t != v);
        value.scale(&-c.recip());
        let value = pool.from_linear(&value, sort);
        if !occurs(pool, v, value) {
            return Some((v, value));
        }
    }
    None
}

fn occurs(pool: &Pool, v: TermId, t: TermId) -> bool {
    pool.post_order(&[t]).contains(&v)
}
