//! Exact summaries: functions without loops and recursion that are small enough are summarised once,
//! by eliminating everything but inputs and outputs from their bodies, callees first. An exact
//! summary is a lemma of every depth and a reach fact at the same time, so such functions are never asked.

use super::levels::{Levels, PROVEN, ReachFact, ReachFactId};
use crate::api::Task;
use crate::limits::WhaleLimits;
use crate::prepare::modular::ModularProgram;
use crate::summaries::contracts::Facts;
use base::{Budget, FxHashMap, IndexVec};
use logic::{Bound, Op, Pool, Rational, Side, SymbolId, TermId};
use program::FuncId;
use smt::project::eliminate;

/// Of the functions that have one.
type Summaries = IndexVec<FuncId, Option<TermId>>;

/// Levels with the functions that have exact summaries.
pub struct Exact {
    pub levels: Levels,
    pub summaries: Summaries,
}

impl Exact {
    pub fn of(task: &mut Task<'_>, prepared: &ModularProgram) -> Self {
        let mut levels = Levels::new(task.pool, prepared, &task.options.solvers);
        let slice = task.options.limits.whale.exact_work.of(task.budget);
        let limits = &task.options.limits.whale;
        let summaries = exact(task.pool, &mut levels, prepared, limits, &slice);
        Exact { levels, summaries }
    }
}

/// Leaves of functions with exact summaries nothing but these: no other summary says more, and guards may
/// not hold where a copied function calls them.
pub fn only(facts: &mut IndexVec<FuncId, Facts>, exact: &Summaries) {
    for (f, summary) in exact.iter_enumerated() {
        if let Some(summary) = *summary {
            facts[f] = Facts {
                guards: Vec::new(),
                summaries: vec![summary],
            };
        }
    }
}

/// Adds exact summaries until `budget` runs out; returns them.
fn exact(
    pool: &mut Pool,
    levels: &mut Levels,
    prepared: &ModularProgram,
    limits: &WhaleLimits,
    budget: &Budget,
) -> Summaries {
    let mut known: IndexVec<FuncId, Option<ReachFactId>> =
        IndexVec::filled(None, levels.functions.len());
    let mut tried: IndexVec<FuncId, bool> = IndexVec::filled(false, levels.functions.len());
    tried[prepared.entry] = true;
    loop {
        // Callees first; a function on a cycle of calls never has all of them.
        let next = levels.functions.ids().find(|&f| {
            let calls = &levels.functions[f].calls;
            !tried[f] && calls.iter().all(|c| known[c.callee].is_some())
        });
        let Some(f) = next.filter(|_| budget.check().is_ok()) else {
            let formula = |fact: ReachFactId| levels.reach_facts[fact].formula;
            return known.iter().map(|fact| fact.map(formula)).collect();
        };
        tried[f] = true;
        known[f] = summarise(pool, levels, prepared, &known, f, limits, budget);
    }
}

fn summarise(
    pool: &mut Pool,
    levels: &mut Levels,
    prepared: &ModularProgram,
    known: &IndexVec<FuncId, Option<ReachFactId>>,
    f: FuncId,
    limits: &WhaleLimits,
    budget: &Budget,
) -> Option<ReachFactId> {
    let formulas: IndexVec<ReachFactId, _> = levels.reach_facts.iter().map(|u| u.formula).collect();
    let state = &mut levels.functions[f];
    let mut parts = vec![state.body[0]];
    let mut calls = Vec::new();
    for call in &mut state.calls {
        let fact = known[call.callee]?;
        let there = call.there.apply(pool, formulas[fact]);
        parts.push(pool.implies(call.made, there));
        calls.push(Some(fact));
    }
    let whole = pool.and(&parts);
    if pool.dag_size(whole) > limits.exact_body {
        return None;
    }
    let kept: Vec<SymbolId> = state
        .interface
        .iter()
        .filter_map(|&t| pool.as_constant(t))
        .collect();
    let mut symbols = pool.symbols_of(&[whole]);
    symbols.retain(|s| !kept.contains(s) && pool.symbol_data(*s).args.is_empty());
    let result = eliminate(pool, whole, &symbols, budget)?;
    if !result.exact {
        return None;
    }
    let formula = levels.functions[f].entry.apply(pool, result.formula);
    let formula = without_ranges(pool, prepared, f, formula);
    if pool.dag_size(formula) > limits.exact_terms {
        return None;
    }
    levels.add_lemma(pool, f, formula, PROVEN);
    let fact = ReachFact {
        func: f,
        formula,
        calls,
        exact: true,
    };
    Some(levels.add_reach_fact(pool, fact))
}

/// Decides the bounds that follow from the ranges of parameters and returns.
fn without_ranges(
    pool: &mut Pool,
    prepared: &ModularProgram,
    f: FuncId,
    formula: TermId,
) -> TermId {
    let program = &prepared.bodies.program;
    let interface = prepared.inputs(f).into_iter().chain(prepared.outputs(f));
    let mut ranges: FxHashMap<TermId, &(Rational, Rational)> = FxHashMap::default();
    for v in interface {
        if let Some(range) = &program.vars[v].range {
            ranges.insert(program.vars[v].term, range);
        }
    }
    let mut pairs = Vec::new();
    for t in pool.post_order(&[formula]) {
        if pool.op(t) != Op::Le {
            continue;
        }
        let Some(bound) = Bound::read(pool, t) else {
            continue;
        };
        let [(x, factor)] = &bound.form[..] else {
            continue;
        };
        let Some((low, high)) = ranges.get(x).filter(|_| factor.is_one()) else {
            continue;
        };
        let (always, never) = match bound.side {
            Side::AtMost => (*high <= bound.limit, *low > bound.limit),
            _ => (*low >= bound.limit, *high < bound.limit),
        };
        if always {
            pairs.push((t, pool.tt()));
        } else if never {
            pairs.push((t, pool.ff()));
        }
    }
    pool.substitute(formula, &pairs)
}
