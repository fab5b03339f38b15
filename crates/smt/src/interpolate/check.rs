//! The check of interpolants, by fresh solver calls without proofs.
//!
//! For every node: the children's interpolants and the node's part imply the node's interpolant;
//! at the root they are unsat. By induction over the tree this gives both halves of Craig's property
//! for every cut, and the inductive steps engines rely on.

use super::{Problem, reason};
use crate::{Answer, Solver};
use logic::{Budget, FxHashSet, Pool, SymbolId, TermId};

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
    let symbols: Vec<Vec<SymbolId>> = problem
        .parts
        .iter()
        .map(|&p| pool.symbols_of(&[p]))
        .collect();
    for (cut, &f) in interpolants.iter().enumerate() {
        let used = pool.symbols_of(&[f]);
        if used.is_empty() {
            continue;
        }
        let occurring = |inside: bool| -> FxHashSet<SymbolId> {
            let parts = symbols.iter().enumerate();
            let parts = parts.filter(|(p, _)| problem.cuts.inside[cut][*p] == inside);
            parts.flat_map(|(_, list)| list.iter().copied()).collect()
        };
        let (inner, outer) = (occurring(true), occurring(false));
        for s in used {
            if !inner.contains(&s) || !outer.contains(&s) {
                let name = &pool.symbol_data(s).name;
                return Err(format!("{name} is not shared at cut {cut}"));
            }
        }
    }
    Ok(())
}
