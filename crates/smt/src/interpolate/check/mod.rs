//! The check of interpolants, by solver calls without proofs.
//!
//! For every node: the children's interpolants and the node's part imply the node's interpolant;
//! at the root they are unsat. By induction over the tree this gives both halves of Craig's property
//! for every cut, and the inductive steps engines rely on.
//!
//! The solver is not the one that found the refutation. A first try at a step has few conflicts and, of the
//! part, only what the refutation rests on: less on the left makes the step harder, not easier. Each
//! try has a scope of one solver, so that terms of neighbouring steps are prepared once. A step that is
//! another one with other names (`alike`) needs no check. What a first try
//! leaves open goes to a solver of its own, which proves the lemmas of `hints` on the way.

pub(super) mod alike;
pub(super) mod hints;

use super::{Problem, reason};
use crate::interpolate::check::alike::Alike;
use crate::interpolate::proof::partial::Extraction;
use crate::{Answer, Solver, Unknown};
use base::{Budget, FxHashMap, Stop};
use logic::{Pool, SymbolId, TermId};

/// Conflicts of a first try.
const FIRST_TRY: u64 = 150;
/// Steps after which a new solver begins: terms that are no longer in use slow it down.
const SHARE: u64 = 16;
/// Conflicts for one lemma, and how many lemmas may fail.
const LEMMA: u64 = 100;
const MISSES: usize = 20;

/// Checks all steps; returns the number of solver calls. `guide` is the extraction that the
/// interpolants come from, if there is one.
pub(crate) fn steps(
    pool: &mut Pool,
    problem: &Problem,
    interpolants: &[TermId],
    guide: Option<&Extraction>,
    budget: &Budget,
) -> Result<u64, String> {
    let mut calls = 0;
    let mut given: Vec<Vec<usize>> = vec![Vec::new(); problem.parts.len()];
    for i in 0..interpolants.len() {
        given[problem.parent[i]].push(i);
    }
    let used = guide.map(|g| g.used(pool));
    let limit = budget.conflicts.map_or(FIRST_TRY, |c| c.min(FIRST_TRY));
    let short = budget.clone().with_conflicts(limit);
    let mut solver = Solver::new();
    let mut alike = Alike::default();
    for (i, &part) in problem.parts.iter().enumerate() {
        let own = interpolants.get(i).copied().unwrap_or(pool.ff());
        let left: Vec<TermId> = given[i].iter().map(|&k| interpolants[k]).collect();
        if own == pool.tt() || left.contains(&pool.ff()) || left.contains(&own) {
            continue;
        }
        let goal = pool.not(own);
        let mut step = left.clone();
        let mut whole = true;
        for c in pool.conjuncts(part) {
            match &used {
                Some(used) if !used.contains(&c) => whole = false,
                _ => step.push(c),
            }
        }
        step.push(goal);
        if alike.is_verified(pool, &step) {
            continue;
        }
        if calls % SHARE == SHARE - 1 {
            solver = Solver::new();
        }
        calls += 1;
        solver.push();
        for &f in &step {
            solver.assert(pool, f);
        }
        let first = solver.check(pool, &[], &short);
        solver.pop();
        let answer = match first {
            Answer::Unsat => {
                alike.note(step);
                continue;
            }
            Answer::Sat if whole => first,
            Answer::Unknown(Unknown::Budget(
                Stop::Time | Stop::Memory | Stop::Work | Stop::Cancelled,
            )) => first,
            _ => {
                calls += 1;
                let lemmas = match (guide, &given[i][..]) {
                    (Some(guide), [] | [_]) if first != Answer::Sat => {
                        let own = (i < interpolants.len()).then_some(i);
                        guide.hints(pool, given[i].first().copied(), own)
                    }
                    _ => Vec::new(),
                };
                thorough(pool, part, &left, goal, &lemmas, budget)
            }
        };
        match answer {
            Answer::Unsat => {}
            Answer::Sat => return Err(format!("step {i} does not hold")),
            // Not known to hold is not good enough.
            Answer::Unknown(why) => return Err(format!("step {i} unchecked: {}", reason(why))),
        }
    }
    Ok(calls)
}

/// Whether the formulas of a step have a model. Lemmas that follow from the part help.
fn thorough(
    pool: &mut Pool,
    part: TermId,
    left: &[TermId],
    goal: TermId,
    lemmas: &[Vec<TermId>],
    budget: &Budget,
) -> Answer {
    let mut solver = Solver::new();
    solver.assert(pool, part);
    // Once for all lemmas, whose terms are mostly parts of these.
    for &f in left.iter().chain([&goal]) {
        solver.activate(pool, f);
    }
    let brief = budget.clone().with_conflicts(LEMMA);
    let mut misses = 0;
    for lemma in lemmas {
        let negated: Vec<TermId> = lemma.iter().map(|&t| pool.not(t)).collect();
        // Sound because the lemma was just refuted with nothing asserted but the part.
        match solver.check(pool, &negated, &brief) {
            Answer::Unsat => solver.add_consequence(pool, lemma),
            _ => misses += 1,
        }
        if misses > MISSES {
            break;
        }
    }
    for &f in left.iter().chain([&goal]) {
        solver.assert(pool, f);
    }
    solver.check(pool, &[], budget)
}

/// Every symbol of an interpolant occurs inside and outside its subtree, or is `array-diff` where that is allowed.
pub(crate) fn vocabulary(
    pool: &Pool,
    problem: &Problem,
    interpolants: &[TermId],
    diff: bool,
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
            let allowed = diff && logic::is_array_diff(pool, s);
            if !allowed && (within == 0 || within == list.len()) {
                let name = &pool.symbol_data(s).name;
                return Err(format!("{name} is not shared at cut {cut}"));
            }
        }
    }
    Ok(())
}
