//! Facts as clauses: interpolants come as nested formulas, and Houdini can only keep or drop a
//! whole candidate. The more a fact is taken apart into conjuncts, the more of it survives.

use crate::limits::CLAUSES;
use logic::{Op, Pool, TermId};

/// Formulas that together are equivalent to `fact`: its conjuncts, with disjunctions over
/// conjunctions multiplied out while that stays small; then `fact` itself if it was changed.
pub fn clauses(pool: &mut Pool, fact: TermId) -> Vec<TermId> {
    let mut out = Vec::new();
    let mut work = pool.conjuncts(fact);
    work.reverse();
    while let Some(t) = work.pop() {
        match distribute(pool, t) {
            Some(parts) if out.len() + work.len() + parts.len() <= CLAUSES.parts => {
                for p in parts {
                    work.extend(pool.conjuncts(p));
                }
            }
            _ => out.push(t),
        }
    }
    if !out.contains(&fact) {
        out.push(fact);
    }
    out
}

/// The clauses of a fact and stronger guesses made from them: candidates for Houdini, not facts.
pub fn guesses(pool: &mut Pool, fact: TermId) -> Vec<TermId> {
    let mut out = clauses(pool, fact);
    let stronger: Vec<TermId> = out.iter().flat_map(|&c| shortened(pool, c)).collect();
    out.extend(stronger);
    out
}

/// The clause with one literal left out, each in turn: stronger guesses, for a path often needs
/// `x = 3 or safe` where `x <= 3 or safe` is the invariant.
fn shortened(pool: &mut Pool, clause: TermId) -> Vec<TermId> {
    let literals = negation_pushed(pool, clause);
    if !(2..=CLAUSES.shortened).contains(&literals.len()) {
        return Vec::new();
    }
    (0..literals.len())
        .map(|at| {
            let mut rest = literals.clone();
            rest.remove(at);
            pool.or(&rest)
        })
        .collect()
}

/// `a or (b and c)` as `a or b`, `a or c`.
fn distribute(pool: &mut Pool, t: TermId) -> Option<Vec<TermId>> {
    let literals = negation_pushed(pool, t);
    let at = literals.iter().position(|&d| is_conjunction(pool, d))?;
    let inner = conjuncts_of(pool, literals[at]);
    let mut out = Vec::with_capacity(inner.len());
    for c in inner {
        let mut clause = literals.clone();
        clause[at] = c;
        out.push(pool.or(&clause));
    }
    Some(out)
}

/// The disjuncts of `t`, looking through one negation of a conjunction.
fn negation_pushed(pool: &mut Pool, t: TermId) -> Vec<TermId> {
    if pool.op(t) == Op::Not && pool.op(pool.args(t)[0]) == Op::And {
        let inner = pool.args(pool.args(t)[0]).to_vec();
        return inner.into_iter().map(|a| pool.not(a)).collect();
    }
    pool.disjuncts(t)
}

fn is_conjunction(pool: &Pool, t: TermId) -> bool {
    match pool.op(t) {
        Op::And => true,
        Op::Not => pool.op(pool.args(t)[0]) == Op::Or,
        _ => false,
    }
}

fn conjuncts_of(pool: &mut Pool, t: TermId) -> Vec<TermId> {
    if pool.op(t) == Op::And {
        return pool.args(t).to_vec();
    }
    let inner = pool.args(pool.args(t)[0]).to_vec();
    inner.into_iter().map(|a| pool.not(a)).collect()
}
