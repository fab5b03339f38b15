//! The check of interpolants, by fresh solver calls without proofs.
//!
//! For every node: the children's interpolants and the node's part imply the node's interpolant;
//! at the root they are unsat. By induction over the tree this gives both halves of Craig's property
//! for every cut, and the inductive steps engines rely on.

use super::{Problem, reason};
use crate::{Answer, Solver};
use logic::{Budget, FxHashMap, Pool, SymbolId, TermId};

/// Checks all steps; returns the number of solver calls.
pub(crate) fn steps(
    pool: &mut Pool,
    problem: &Problem,
    interpolants: &[TermId],
    budget: &Budget,
) -> Result<u64, String> {
    let mut calls = 0;
    let mut given: Vec<Vec<TermId>> = vec![Vec::new(); problem.parts.len()];
    for (i, &f) in interpolants.iter().enumerate() {
        given[problem.parent[i]].push(f);
    }
    for (i, &part) in problem.parts.iter().enumerate() {
        let own = interpolants.get(i).copied().unwrap_or(pool.ff());
        if own == pool.tt() || given[i].contains(&pool.ff()) || given[i].contains(&own) {
            continue;
        }
        let mut solver = Solver::new();
        for &f in &given[i] {
            solver.assert(pool, f);
        }
        solver.assert(pool, part);
        let negated = pool.not(own);
        solver.assert(pool, negated);
        calls += 1;
        match solver.check(pool, &[], budget) {
            Answer::Unsat => {}
            Answer::Sat => return Err(format!("step {i} does not hold")),
            // Not known to hold is not good enough.
            Answer::Unknown(why) => return Err(format!("step {i} unchecked: {}", reason(why))),
        }
    }
    Ok(calls)
}

/// Every symbol of an interpolant occurs inside and outside its subtree.
pub(crate) fn vocabulary(
    pool: &Pool,
    problem: &Problem,
    interpolants: &[TermId],
) -> Result<(), String> {
    let mut places: FxHashMap<SymbolId, Vec<usize>> = FxHashMap::default();
    for (p, &part) in problem.parts.iter().enumerate() {
        for s in pool.symbols_of(&[part]) {
            places.entry(s).or_default().push(p);
        }
    }
    for (cut, &f) in interpolants.iter().enumerate() {
        let inside = &problem.cuts.inside[cut];
        for s in pool.symbols_of(&[f]) {
            let list = places.get(&s).map_or(&[] as &[usize], |l| l);
            let within = list.iter().filter(|&&p| inside[p]).count();
            if within == 0 || within == list.len() {
                let name = &pool.symbol_data(s).name;
                return Err(format!("{name} is not shared at cut {cut}"));
            }
        }
    }
    Ok(())
}
