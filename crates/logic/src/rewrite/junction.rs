//! Conjunctions and disjunctions whose parts see each other.
//!
//! A disjunction is handled as the negation of the conjunction of its negated parts, so there is
//! one procedure over *facts* that hold together. A fact that is a disjunction (or a negated
//! conjunction) is seen as a *clause*: its list of literals.

use super::bounds;
use crate::{Op, Pool, Rational, Substitution, TermId};
use base::FxHashSet;

/// Junctions with more facts are only flattened.
const MANY: usize = 2_000;
/// Facts with more distinct subterms are not rewritten by the others.
const LARGE: usize = 2_000;
/// With more clauses, pairs are not compared.
const FEW: usize = 40;

pub(super) fn simplify(pool: &mut Pool, t: TermId, effort: &mut usize) -> TermId {
    let conjunction = pool.op(t) == Op::And;
    let goal = if conjunction { t } else { pool.not(t) };
    let result = conjoin(pool, goal, effort);
    if conjunction {
        result
    } else {
        pool.not(result)
    }
}

/// The facts of a conjunction, through nested conjunctions and negated disjunctions.
fn facts_of(pool: &mut Pool, goal: TermId) -> Vec<TermId> {
    let mut out = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![goal];
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        match pool.op(t) {
            Op::And => stack.extend(pool.args(t).iter().rev()),
            Op::Not if pool.op(pool.args(t)[0]) == Op::Or => {
                let parts = pool.args(pool.args(t)[0]).to_vec();
                stack.extend(parts.into_iter().rev().map(|p| pool.not(p)));
            }
            _ => out.push(t),
        }
    }
    out
}

/// Builds the conjunction of facts; a negated disjunction comes out as such (its negation is then
/// the disjunction).
fn conjoin(pool: &mut Pool, goal: TermId, effort: &mut usize) -> TermId {
    let mut facts = facts_of(pool, goal);
    if facts.len() > MANY {
        return finish(pool, goal, &facts);
    }
    for _ in 0..3 {
        let Some(merged) = bounds::merge(pool, facts) else {
            return pool.ff();
        };
        facts = merged;
        let before = facts.clone();
        if !propagate(pool, &mut facts, effort) {
            return pool.ff();
        }
        if facts == before {
            break;
        }
        let all = pool.and(&facts);
        facts = facts_of(pool, all);
    }
    if facts.contains(&pool.ff()) {
        return pool.ff();
    }
    facts.retain(|&f| f != pool.tt());
    subsume(pool, &mut facts);
    match common(pool, goal, &facts) {
        Some(factored) => factored,
        None => finish(pool, goal, &facts),
    }
}

/// A junction of the same kind as `goal`.
fn finish(pool: &mut Pool, goal: TermId, facts: &[TermId]) -> TermId {
    if pool.op(goal) == Op::Not {
        let parts: Vec<TermId> = facts.iter().map(|&f| pool.not(f)).collect();
        let either = pool.or(&parts);
        pool.not(either)
    } else {
        pool.and(facts)
    }
}

/// Tells the facts what the literals among them say. False if they contradict.
fn propagate(pool: &mut Pool, facts: &mut [TermId], effort: &mut usize) -> bool {
    let (tt, ff) = (pool.tt(), pool.ff());
    let mut truths: Vec<(TermId, TermId)> = Vec::new();
    let mut values: Vec<(TermId, TermId)> = Vec::new();
    let mut defining: FxHashSet<TermId> = FxHashSet::default();
    let mut defined: FxHashSet<TermId> = FxHashSet::default();
    for &f in facts.iter() {
        if f == ff {
            return false;
        }
        if let Some((x, value)) = definition(pool, f)
            && defined.insert(x)
        {
            values.push((x, value));
            defining.insert(f);
        }
        match pool.op(f) {
            Op::Not => truths.push((pool.args(f)[0], ff)),
            Op::Or | Op::Ite => {}
            _ => truths.push((f, tt)),
        }
    }
    // Sound because the facts that define values stay as they are, the other literals are
    // rewritten by them alone, and a compound uses the truth only of literals and of compounds
    // that are its proper parts: by induction on size, each new fact gives back the old one.
    let mut for_literals = Substitution::new(values.iter().copied());
    let mut for_compounds = Substitution::new(values.iter().chain(&truths).copied());
    for f in facts.iter_mut() {
        if defining.contains(f) {
            continue;
        }
        let compound = is_compound(pool, *f);
        if !compound && values.is_empty() {
            continue;
        }
        // Looking costs as well, also when the fact turns out too large.
        let cost = capped_size(pool, *f, LARGE.min(*effort));
        *effort = effort.saturating_sub(cost);
        if *effort == 0 || cost > LARGE {
            continue;
        }
        *f = if compound {
            below(pool, *f, &mut for_compounds)
        } else {
            for_literals.apply(pool, *f)
        };
    }
    true
}

fn is_compound(pool: &Pool, fact: TermId) -> bool {
    let atom = match pool.op(fact) {
        Op::Not => pool.args(fact)[0],
        _ => fact,
    };
    match pool.op(atom) {
        Op::And | Op::Or | Op::Ite => true,
        Op::Eq => pool.sort_of(pool.args(atom)[0]) == pool.bool_sort(),
        _ => false,
    }
}

/// Substitutes in the arguments of a fact (of its atom, if negated), not for the fact itself.
fn below(pool: &mut Pool, fact: TermId, substitution: &mut Substitution) -> TermId {
    let (atom, negated) = match pool.op(fact) {
        Op::Not => (pool.args(fact)[0], true),
        _ => (fact, false),
    };
    let args: Vec<TermId> = pool.args(atom).to_vec();
    let new: Vec<TermId> = args.iter().map(|&a| substitution.apply(pool, a)).collect();
    let result = pool.rebuild(atom, &new);
    if negated { pool.not(result) } else { result }
}

/// `x = numeral` as a pair; `x` is any term that is not a sum.
fn definition(pool: &mut Pool, fact: TermId) -> Option<(TermId, TermId)> {
    if pool.op(fact) != Op::Eq {
        return None;
    }
    let &[a, b] = pool.args(fact) else {
        return None;
    };
    let sort = pool.sort_of(a);
    if !pool.is_arith(sort) {
        return None;
    }
    let left = pool.linear(a);
    let linear = left.add_scaled(&Rational::MINUS_ONE, &pool.linear(b));
    match linear.terms.as_slice() {
        [(x, c)] => {
            let value = -(&linear.constant / c);
            Some((*x, pool.num(value, sort)))
        }
        _ => None,
    }
}

/// The number of distinct subterms, or something above `limit`.
fn capped_size(pool: &Pool, term: TermId, limit: usize) -> usize {
    let mut seen = FxHashSet::default();
    let mut stack = vec![term];
    while let Some(t) = stack.pop() {
        if seen.insert(t) {
            if seen.len() > limit {
                break;
            }
            stack.extend(pool.args(t));
        }
    }
    seen.len()
}

/// The literals of a fact that is a clause; the fact itself otherwise. Sorted.
fn clause(pool: &mut Pool, fact: TermId) -> Vec<TermId> {
    let mut lits = match pool.op(fact) {
        Op::Or => pool.args(fact).to_vec(),
        Op::Not if pool.op(pool.args(fact)[0]) == Op::And => {
            let parts = pool.args(pool.args(fact)[0]).to_vec();
            parts.into_iter().map(|p| pool.not(p)).collect()
        }
        _ => vec![fact],
    };
    lits.sort_unstable();
    lits
}

/// Drops clauses that contain another.
fn subsume(pool: &mut Pool, facts: &mut Vec<TermId>) {
    if facts.len() > FEW {
        return;
    }
    let clauses: Vec<Vec<TermId>> = facts.iter().map(|&f| clause(pool, f)).collect();
    let within = |a: &[TermId], b: &[TermId]| a.iter().all(|l| b.binary_search(l).is_ok());
    let keep: Vec<bool> = (0..clauses.len())
        .map(|i| {
            !(0..clauses.len()).any(|j| {
                let (a, b) = (&clauses[j], &clauses[i]);
                // Equal clauses: the first one stays.
                i != j && within(a, b) && (a.len() < b.len() || j < i)
            })
        })
        .collect();
    let mut keep = keep.into_iter();
    facts.retain(|_| keep.next().unwrap_or(true));
}

/// `(l | a) & (l | b)` is `l | (a & b)`, if every fact has the literals in common; in a negated
/// disjunction, `(l & a) | (l & b)` is `l & (a | b)`.
fn common(pool: &mut Pool, goal: TermId, facts: &[TermId]) -> Option<TermId> {
    if facts.len() < 2 || facts.len() > FEW {
        return None;
    }
    let mut shared = clause(pool, facts[0]);
    let mut clauses = Vec::new();
    for &f in facts {
        let lits = clause(pool, f);
        shared.retain(|l| lits.binary_search(l).is_ok());
        if shared.is_empty() || lits.len() < 2 {
            return None;
        }
        clauses.push(lits);
    }
    for lits in &mut clauses {
        lits.retain(|l| shared.binary_search(l).is_err());
    }
    if pool.op(goal) != Op::Not {
        let rests: Vec<TermId> = clauses.iter().map(|lits| pool.or(lits)).collect();
        shared.push(pool.and(&rests));
        return Some(pool.or(&shared));
    }
    let mut negated =
        |lits: &[TermId]| -> Vec<TermId> { lits.iter().map(|&l| pool.not(l)).collect() };
    let mut outer = negated(&shared);
    let inner: Vec<Vec<TermId>> = clauses.iter().map(|lits| negated(lits)).collect();
    let inner: Vec<TermId> = inner.iter().map(|lits| pool.and(lits)).collect();
    outer.push(pool.or(&inner));
    let result = pool.and(&outer);
    Some(pool.not(result))
}
