//! Summaries of the functions that were copied into their callers ([`program::passes::leaves`]), for a proof.
//!
//! What was proved of the other functions rests on the bodies of the leaves. For each of these functions the
//! claim that it breaks its contract is refuted once more, with every call of a leaf as a node of
//! a tree; the tree interpolants are what the proof needs to know of the leaves at these calls.
//! They support each other by construction; the checker decides, as always.

use super::tree::Tree;
use crate::api::Task;
use crate::prepare::modular::ModularProgram;
use crate::summaries::bodies::{Bodies, bodies, prefixes};
use crate::summaries::contracts::Facts;
use base::{FxHashSet, IndexVec, Stop};
use logic::{Pool, Substitution, TermId};
use program::{FuncId, Stmt};
use smt::interpolate::Options;
use std::collections::BTreeSet;

/// Adds summaries of the leaves to `facts`; says if all were found.
pub(super) fn complete(
    task: &mut Task<'_>,
    prepared: &ModularProgram,
    facts: &mut IndexVec<FuncId, Facts>,
) -> Result<bool, Stop> {
    let Some(leaves) = &prepared.leaves else {
        return Ok(true);
    };
    let copied = &leaves.copied;
    for f in copied.ids().filter(|&f| copied[f]) {
        facts[f] = Facts::default();
    }
    let whole = bodies(task.pool, &leaves.whole);
    let guarded = facts.iter().any(|f| !f.guards.is_empty());
    let early = guarded.then(|| prefixes(task.pool, &leaves.whole));
    let known = facts.clone();
    let mut callers: BTreeSet<FuncId> = BTreeSet::new();
    for edge in leaves.whole.edges.iter() {
        if let Stmt::Call { callee, .. } = &edge.stmt {
            let f = leaves.whole.locations[edge.from].func;
            if copied[*callee] || copied[f] {
                callers.insert(f);
            }
        }
    }
    for f in callers {
        let inside = task.pool.and(&known[f].guards);
        let summary = task.pool.and(&known[f].summaries);
        let broken = task.pool.not(summary);
        let mut claims = vec![(&whole, broken)];
        if let Some(early) = &early {
            claims.push((early, outside(task.pool, early, f, &known)));
        }
        for (bodies, broken) in claims {
            let goal = task.pool.and2(inside, broken);
            if goal != task.pool.ff() && !refute(task, bodies, f, goal, copied, &known, facts)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// "Some call is made outside the guards of its callee", over the ghosts of the body.
fn outside(pool: &mut Pool, bodies: &Bodies, f: FuncId, known: &IndexVec<FuncId, Facts>) -> TermId {
    let vars = &bodies.program.vars;
    let mut cases = Vec::new();
    for site in &bodies.bodies[f].calls {
        let params = bodies.program.functions[site.callee].params.iter();
        let pairs = params
            .zip(&site.args)
            .map(|(&p, &g)| (vars[p].term, vars[g].term));
        let guard = pool.and(&known[site.callee].guards);
        let guard = Substitution::new(pairs).apply(pool, guard);
        let broken = pool.not(guard);
        cases.push(pool.and2(vars[site.made].term, broken));
    }
    pool.or(&cases)
}

/// Refutes that a run of `f` reaches `goal`, with the leaves as nodes, and takes their interpolants.
fn refute(
    task: &mut Task<'_>,
    bodies: &Bodies,
    f: FuncId,
    goal: TermId,
    copied: &IndexVec<FuncId, bool>,
    known: &IndexVec<FuncId, Facts>,
    facts: &mut IndexVec<FuncId, Facts>,
) -> Result<bool, Stop> {
    let none = IndexVec::filled(false, copied.len());
    let pool = &mut *task.pool;
    let mut tree = Tree::new(pool, bodies, f, goal, none, &task.options.solvers);
    tree.assume(pool, known);
    let mut open = vec![tree.root()];
    while let Some(instance) = open.pop() {
        for at in tree.open_calls(instance) {
            if copied[at.callee] {
                open.push(tree.expand(pool, at));
            }
        }
    }
    let options = Options::default();
    let found = tree.interpolants(pool, usize::MAX, &[], &options, task.budget)?;
    let Ok(found) = found else {
        return Ok(false);
    };
    let mut seen: FxHashSet<(FuncId, TermId)> = FxHashSet::default();
    for (instance, interpolant) in found {
        let Some(fact) = tree.summary(pool, instance, interpolant) else {
            continue;
        };
        let func = tree.instances[instance].func;
        if fact != pool.tt() && seen.insert((func, fact)) && !facts[func].summaries.contains(&fact)
        {
            facts[func].summaries.push(fact);
        }
    }
    Ok(true)
}
