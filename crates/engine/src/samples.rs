//! States that random runs meet at loop heads: they refute a wrong candidate fact for the price of
//! one evaluation, before Houdini asks the solver about it.
//!
//! Sound because a fact is only ever dropped here; what is kept still has to be proven. Each sample
//! is a state of a real run, so a true invariant is never dropped.

use crate::fuzz::Guesser;
use logic::{FxHashMap, FxHashSet, Memo, Model, Op, Pool, SymbolId, TermId, Value};
use program::interp::{Change, Interpreter, Limits};
use program::{LocId, Program, VarId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Runs to take samples from, and steps of one run.
const RUNS: u64 = 40;
const STEPS: u64 = 4_000;
/// Samples kept for one location.
const MOST: usize = 120;
/// A state whose arrays have more entries is too dear to keep.
const ENTRIES: usize = 2_000;

/// States by loop head.
#[derive(Default)]
pub struct Samples {
    at: BTreeMap<LocId, Vec<Sample>>,
}

struct Sample {
    state: Model,
    memo: Memo,
}

impl Samples {
    /// Runs a program without calls and remembers its states at `heads`.
    pub fn collect(pool: &Pool, program: &Program, heads: &[LocId]) -> Samples {
        let mut out = Samples::default();
        if heads.is_empty() {
            return out;
        }
        let heads: FxHashSet<LocId> = heads.iter().copied().collect();
        let constants = crate::fuzz::constants(pool, program);
        let mut interpreter = Interpreter::new(pool, program);
        for run in 0..RUNS {
            let mut oracle = Guesser::new(pool, program, &constants, run);
            let limits = Limits {
                steps: STEPS,
                cells: 100_000,
                trace: true,
            };
            let result = interpreter.run(&mut oracle, &limits);
            let mut state = State::new(pool, program);
            for taken in &result.trace {
                let from = program.edges[taken.edge].from;
                if heads.contains(&from) {
                    out.remember(from, &state);
                }
                for change in &taken.changes {
                    state.apply(change);
                }
            }
        }
        out
    }

    fn remember(&mut self, loc: LocId, state: &State) {
        let list = self.at.entry(loc).or_default();
        if list.len() < MOST && state.entries() <= ENTRIES {
            list.push(Sample {
                state: Model {
                    constants: state.values.clone(),
                    functions: FxHashMap::default(),
                },
                memo: Memo::new(),
            });
        }
    }

    /// Was the location reached in a state where the fact is false?
    pub fn refute(&mut self, pool: &Pool, loc: LocId, fact: TermId) -> bool {
        let Some(samples) = self.at.get_mut(&loc) else {
            return false;
        };
        // The samples do not know what declared functions mean.
        let opaque = |&t: &TermId| matches!(pool.op(t), Op::App(_)) && !pool.args(t).is_empty();
        if pool.post_order(&[fact]).iter().any(opaque) {
            return false;
        }
        samples
            .iter_mut()
            .any(|s| !s.memo.holds(pool, &s.state, fact))
    }
}

/// The variables' values along a trace.
struct State {
    symbols: FxHashMap<VarId, SymbolId>,
    values: FxHashMap<SymbolId, Value>,
}

impl State {
    fn new(pool: &Pool, program: &Program) -> State {
        let mut symbols = FxHashMap::default();
        let mut values = FxHashMap::default();
        for (id, var) in program.vars.iter_enumerated() {
            if let Op::App(symbol) = pool.op(var.term) {
                symbols.insert(id, symbol);
                values.insert(symbol, program.default_value(pool, id));
            }
        }
        State { symbols, values }
    }

    fn apply(&mut self, change: &Change) {
        let slot = self
            .symbols
            .get(&change.var)
            .and_then(|s| self.values.get_mut(s));
        let Some(slot) = slot else { return };
        match (&change.index, slot) {
            (Some(index), Value::Array(array)) => {
                Arc::make_mut(array).set(index.clone(), change.value.clone());
            }
            (_, slot) => *slot = change.value.clone(),
        }
    }

    fn entries(&self) -> usize {
        let size = |v: &Value| match v {
            Value::Array(a) => a.entries.len(),
            _ => 0,
        };
        self.values.values().map(size).sum()
    }
}
