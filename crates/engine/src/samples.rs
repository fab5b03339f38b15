//! States that random runs meet at loop heads: they refute a wrong candidate fact for the price of
//! one evaluation, before Houdini asks the solver about it.
//!
//! Sound because a fact is only ever dropped here; what is kept still has to be proven. Each sample
//! is a state of a real run, so a true invariant is never dropped.

use crate::fuzz::Guesser;
use logic::{FxHashSet, Memo, Model, Op, Pool, TermId, Value};
use program::interp::{Along, Interpreter, Limits};
use program::{LocId, Program};
use std::collections::BTreeMap;

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
            let mut along = Along::new(pool, program);
            for taken in &result.trace {
                let from = program.edges[taken.edge].from;
                if heads.contains(&from) {
                    out.remember(from, pool, program, &along);
                }
                along.step(taken);
            }
        }
        out
    }

    fn remember(&mut self, loc: LocId, pool: &Pool, program: &Program, along: &Along<'_>) {
        let list = self.at.entry(loc).or_default();
        if list.len() >= MOST {
            return;
        }
        let mut state = Model::default();
        let mut entries = 0;
        for (id, var) in program.vars.iter_enumerated() {
            let value = along.value(id);
            if let Value::Array(array) = &value {
                entries += array.entries.len();
            }
            if let Op::App(symbol) = pool.op(var.term) {
                state.constants.insert(symbol, value);
            }
        }
        if entries <= ENTRIES {
            list.push(Sample {
                state,
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
