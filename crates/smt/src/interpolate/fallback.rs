//! Interpolants without a proof: unsat cores, strongest postconditions, weakest preconditions.
//!
//! These work with any solver that gives cores. Relaxing the parts to the conjuncts of a core first
//! keeps the projections small and the results general. A result need not be right (projection may
//! over-approximate), so callers check it.

use super::{Outcome, Problem, reason};
use crate::project::{eliminate, eliminate_universally};
use crate::{Answer, Solver};
use base::{Budget, FxHashSet};
use logic::{Pool, SymbolId, TermId};

/// The parts with only those conjuncts that a core of the whole needs. An interpolant of the
/// relaxed parts is one of the parts.
pub fn relax_to_core(
    pool: &mut Pool,
    parts: &[TermId],
    budget: &Budget,
) -> Result<Vec<TermId>, Outcome> {
    let conjuncts: Vec<Vec<TermId>> = parts.iter().map(|&p| pool.conjuncts(p)).collect();
    let mut seen = FxHashSet::default();
    let mut assumptions: Vec<TermId> = conjuncts.iter().flatten().copied().collect();
    assumptions.retain(|&c| seen.insert(c));
    if assumptions.contains(&pool.ff()) {
        return Ok(parts.to_vec());
    }
    let mut solver = Solver::new();
    // What makes a long path infeasible is mostly near its end.
    let mut end = SHORT_END;
    while end < parts.len() {
        let mut near: Vec<TermId> = conjuncts[parts.len() - end..].concat();
        let mut seen = FxHashSet::default();
        near.retain(|&c| seen.insert(c));
        match solver.check(pool, &near, budget) {
            Answer::Unsat => {
                assumptions = near;
                break;
            }
            Answer::Sat => end *= 2,
            Answer::Unknown(_) => break,
        }
    }
    match solver.check(pool, &assumptions, budget) {
        Answer::Unsat => {}
        Answer::Sat => return Err(Outcome::Sat(solver.model(pool))),
        Answer::Unknown(why) => return Err(Outcome::Unknown(reason(why))),
    }
    // A long list begins with the solver's choice; of a short one the reasons near the beginning are chosen.
    if assumptions.len() > SMALL_CORE {
        let core: FxHashSet<TermId> = solver.core().iter().copied().collect();
        assumptions.retain(|c| core.contains(c));
    }
    let core = minimal(pool, assumptions, budget);
    let core: FxHashSet<TermId> = core.into_iter().collect();
    let relax = |pool: &mut Pool, list: &Vec<TermId>| {
        let kept: Vec<TermId> = list.iter().copied().filter(|c| core.contains(c)).collect();
        pool.and(&kept)
    };
    Ok(conjuncts.iter().map(|list| relax(pool, list)).collect())
}

/// Of a path with more parts the last ones are looked at first, twice as many each time.
const SHORT_END: usize = 64;

/// A core is made minimal only if it has at most so many conjuncts.
const SMALL_CORE: usize = 24;

/// The core without conjuncts that it can do without: later ones go first, so that reasons near the beginning stay.
fn minimal(pool: &mut Pool, mut core: Vec<TermId>, budget: &Budget) -> Vec<TermId> {
    let mut at = core.len();
    if at > SMALL_CORE {
        return core;
    }
    let mut solver = Solver::new();
    while at > 0 {
        at -= 1;
        let mut fewer = core.clone();
        fewer.remove(at);
        if solver.check(pool, &fewer, budget) == Answer::Unsat {
            // Those after it were needed, and still are.
            let after = fewer.len() - at;
            let left: FxHashSet<TermId> = solver.core().iter().copied().collect();
            fewer.retain(|c| left.contains(c));
            at = fewer.len().saturating_sub(after);
            core = fewer;
        }
    }
    core
}

/// The symbols that occur inside and outside of each cut's subtree.
fn shared(pool: &Pool, problem: &Problem, cut: usize) -> FxHashSet<SymbolId> {
    let side = |inside: bool| {
        let parts = problem.parts.iter().enumerate();
        let parts = parts.filter(|(p, _)| problem.cuts.inside[cut][*p] == inside);
        pool.symbols_of(&parts.map(|(_, &t)| t).collect::<Vec<_>>())
    };
    let outer: FxHashSet<SymbolId> = side(false).into_iter().collect();
    side(true)
        .into_iter()
        .filter(|s| outer.contains(s))
        .collect()
}

fn foreign(pool: &Pool, formula: TermId, shared: &FxHashSet<SymbolId>) -> Vec<SymbolId> {
    let mut list = pool.symbols_of(&[formula]);
    list.retain(|s| !shared.contains(s));
    list
}

/// Node after node: the children's formulas and the node's part, projected to the shared symbols.
pub(crate) fn strongest_post(
    pool: &mut Pool,
    problem: &Problem,
    budget: &Budget,
) -> Result<Vec<TermId>, String> {
    let mut result: Vec<TermId> = Vec::new();
    for node in 0..problem.cuts.len() {
        let children = (0..node).filter(|&c| problem.parent[c] == node);
        let mut parts: Vec<TermId> = children.map(|c| result[c]).collect();
        parts.push(problem.parts[node]);
        let formula = pool.and(&parts);
        let gone = foreign(pool, formula, &shared(pool, problem, node));
        let p = eliminate(pool, formula, &gone, budget).ok_or("a projection is too large")?;
        result.push(super::clean(pool, p.formula));
    }
    Ok(result)
}

/// From the end of a path: what makes the rest contradictory, for all values of the rest's own
/// symbols.
pub(crate) fn weakest_pre(
    pool: &mut Pool,
    problem: &Problem,
    budget: &Budget,
) -> Result<Vec<TermId>, String> {
    let n = problem.parts.len();
    if (0..n - 1).any(|i| problem.parent[i] != i + 1) {
        return Err("weakest preconditions are for paths".into());
    }
    let mut result = Vec::new();
    let mut after = pool.ff();
    for node in (1..n).rev() {
        let formula = pool.implies(problem.parts[node], after);
        let gone = foreign(pool, formula, &shared(pool, problem, node - 1));
        let p = eliminate_universally(pool, formula, &gone, budget)
            .ok_or("a projection is too large")?;
        after = super::clean(pool, p.formula);
        result.push(after);
    }
    result.reverse();
    Ok(result)
}
