//! Exact summaries: functions without loops and recursion that are small enough are summarised once,
//! by eliminating everything but inputs and outputs from their bodies, callees first. An exact
//! summary is a lemma of every depth and a fact at the same time, so such functions are never asked.

use super::frames::{Fact, FactId, Frames, PROVEN};
use logic::{Budget, IndexVec, Pool, SymbolId};
use program::FuncId;
use smt::qe;

/// Largest summary, in distinct terms.
const MOST_TERMS: usize = 300;
/// Largest body that is tried.
const MOST_BODY: usize = 2500;

/// Adds exact summaries until `budget` runs out.
pub fn exact(pool: &mut Pool, frames: &mut Frames, entry: FuncId, budget: &Budget) {
    let mut known: IndexVec<FuncId, Option<FactId>> =
        IndexVec::filled(None, frames.functions.len());
    let mut tried: IndexVec<FuncId, bool> = IndexVec::filled(false, frames.functions.len());
    tried[entry] = true;
    loop {
        // Callees first; a function on a cycle of calls never has all of them.
        let next = frames.functions.ids().find(|&f| {
            let calls = &frames.functions[f].calls;
            !tried[f] && calls.iter().all(|c| known[c.callee].is_some())
        });
        let Some(f) = next else { return };
        if budget.check().is_err() {
            return;
        }
        tried[f] = true;
        known[f] = summarise(pool, frames, &known, f, budget);
    }
}

fn summarise(
    pool: &mut Pool,
    frames: &mut Frames,
    known: &IndexVec<FuncId, Option<FactId>>,
    f: FuncId,
    budget: &Budget,
) -> Option<FactId> {
    let formulas: IndexVec<FactId, _> = frames.facts.iter().map(|u| u.formula).collect();
    let state = &mut frames.functions[f];
    let mut parts = vec![state.body[0]];
    let mut calls = Vec::new();
    for call in &mut state.calls {
        let fact = known[call.callee]?;
        let there = call.there.apply(pool, formulas[fact]);
        parts.push(pool.implies(call.made, there));
        calls.push(Some(fact));
    }
    let whole = pool.and(&parts);
    if pool.dag_size(whole) > MOST_BODY {
        return None;
    }
    let kept: Vec<SymbolId> = state
        .interface
        .iter()
        .filter_map(|&t| pool.as_constant(t))
        .collect();
    let mut symbols = pool.symbols_of(&[whole]);
    symbols.retain(|s| !kept.contains(s) && pool.symbol_data(*s).args.is_empty());
    let result = qe::project(pool, whole, &symbols, budget)?;
    if !result.exact || pool.dag_size(result.formula) > MOST_TERMS {
        return None;
    }
    let formula = frames.functions[f].entry.apply(pool, result.formula);
    frames.add_lemma(pool, f, formula, PROVEN);
    let fact = Fact {
        func: f,
        formula,
        calls,
        exact: true,
    };
    Some(frames.add_fact(pool, fact))
}
