//! "No error within j blocks from here" as formulas over program variables, by quantifier elimination.
//!
//! `bad(1, l)` are the states at l from which an error block can be taken, `bad(j + 1, l)` those from which a
//! block leads to `bad(j, l')`. Both are pre-images: post values and internal constants of the block are
//! eliminated. Elimination may give more states, so "not bad" may be stronger than what it says; it is a
//! candidate, and Houdini looks at it.

use crate::core::path::transition;
use crate::guess::generator::Candidates;
use crate::prepare::Prepared;
use base::Budget;
use logic::{Pool, SymbolId, TermId};
use program::{BlockId, LocId, primed};
use std::collections::BTreeMap;

/// The candidates for j = 1 … k; fewer where elimination gives up.
pub fn within(pool: &mut Pool, prepared: &Prepared, k: usize, budget: &Budget) -> Candidates {
    let mut out: Candidates = BTreeMap::new();
    let mut bad: BTreeMap<LocId, TermId> = BTreeMap::new();
    for &loc in &prepared.graph.nodes {
        if prepared.program.locations[loc].error.is_some() {
            bad.insert(loc, pool.tt());
        }
    }
    for _ in 0..k {
        let mut before: BTreeMap<LocId, Vec<TermId>> = BTreeMap::new();
        for (id, block) in prepared.graph.blocks.iter_enumerated() {
            let Some(&states) = bad.get(&block.to) else {
                continue;
            };
            let Some(pre) = pre_image(pool, prepared, id, states, budget) else {
                return out;
            };
            before.entry(block.from).or_default().push(pre);
        }
        bad.clear();
        for (loc, parts) in before {
            let states = pool.or(&parts);
            if states != pool.ff() {
                bad.insert(loc, states);
                out.entry(loc).or_default().push(pool.not(states));
            }
        }
    }
    out
}

/// The states from which the block can lead to `states`, or more.
fn pre_image(
    pool: &mut Pool,
    prepared: &Prepared,
    block: BlockId,
    states: TermId,
    budget: &Budget,
) -> Option<TermId> {
    let t = transition(&prepared.graph, block);
    let mut pairs = Vec::new();
    let mut gone: Vec<TermId> = t.internals.clone();
    for &v in &t.modified {
        let post = primed(pool, &prepared.program, v);
        pairs.push((prepared.program.vars[v].term, post));
        gone.push(post);
    }
    let after = pool.substitute(states, &pairs);
    let both = pool.and(&[t.formula, after]);
    let symbols: Vec<SymbolId> = gone.iter().filter_map(|&c| pool.as_constant(c)).collect();
    smt::project::eliminate(pool, both, &symbols, budget).map(|p| p.formula)
}
