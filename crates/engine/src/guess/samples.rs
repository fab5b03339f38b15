//! States that random runs meet at loop heads: they refute a wrong candidate fact for the price of
//! one evaluation, before Houdini asks the solver about it.
//!
//! Sound because a fact is only ever dropped here; what is kept still has to be proven. Each sample
//! is a state of a real run, so a true invariant is never dropped.

use crate::limits::{Limits, SampleLimits};
use crate::presolve::random_runs::Guesser;
use base::{Budget, FxHashSet};
use logic::{Interpretation, Memo, Model, Op, Pool, Rational, SymbolId, TermId, Value};
use program::interp::{Along, Interpreter};
use program::{LocId, MOST_ANY, Program, any_name};
use std::collections::{BTreeMap, BTreeSet};

/// Runs that a head has states of at least, if they meet it often: the inputs of one run alone look like constants.
const RUNS: usize = 8;
/// The same for runs with small numbers.
const NEAR_RUNS: usize = 24;

/// States by loop head.
#[derive(Default)]
pub struct Samples {
    limits: SampleLimits,
    at: BTreeMap<LocId, Vec<Sample>>,
    memo: Memo,
}

struct Sample {
    state: Model,
    /// The same state with values for the constant of facts "for any k"; made when first asked for.
    views: Option<Vec<Model>>,
}

/// A state with values for the constants of facts "for any k, l".
struct View<'a> {
    state: &'a Model,
    any: [(SymbolId, &'a Rational); 2],
}

impl Interpretation for View<'_> {
    fn constant(&self, symbol: SymbolId) -> Option<Value> {
        let own = self.any.iter().find(|(s, _)| *s == symbol);
        match own {
            Some((_, value)) => Some(Value::Num((*value).clone())),
            None => self.state.constant(symbol),
        }
    }
}

impl Sample {
    /// Integers to try for a constant: where arrays have entries, and what they hold there (the
    /// addresses of other objects).
    fn places(&self, limits: &SampleLimits) -> Vec<Rational> {
        let mut places: BTreeSet<Rational> = (0..2).map(Rational::from).collect();
        let mut held: BTreeSet<Rational> = BTreeSet::new();
        for value in self.state.constants.values() {
            let Value::Array(array) = value else { continue };
            let indices = array.entries.keys().filter_map(Value::as_num);
            let mut indices: Vec<&Rational> = indices.collect();
            indices.sort();
            let step = (indices.len() / limits.places_an_array).max(1);
            places.extend(indices.into_iter().step_by(step).cloned());
            held.extend(array.entries.values().filter_map(Value::as_num).cloned());
        }
        let step = (places.len() / limits.places).max(1);
        let mut out: Vec<Rational> = places.iter().step_by(step).cloned().collect();
        held.retain(|h| *h > Rational::from(1) && !out.contains(h));
        let step = (held.len() / limits.places_an_array).max(1);
        out.extend(held.into_iter().step_by(step));
        out
    }

    /// The state with the constant at places where arrays have entries.
    fn views(&mut self, symbol: SymbolId, limits: &SampleLimits) -> &[Model] {
        if self.views.is_none() {
            let with = |place| {
                let mut state = self.state.clone();
                state.constants.insert(symbol, Value::Num(place));
                state
            };
            self.views = Some(self.places(limits).into_iter().map(with).collect());
        }
        self.views.as_deref().unwrap_or_default()
    }
}

impl Samples {
    /// Runs a program without calls and remembers its states at `heads`; with `near` also with small numbers alone, of which relations
    /// between products are told best: many inputs, and what is assumed of them mostly holds.
    pub fn collect(
        pool: &Pool,
        program: &Program,
        heads: &[LocId],
        near: bool,
        limits: &Limits,
        budget: &Budget,
    ) -> Samples {
        let mut out = Samples::of_runs(pool, program, heads, false, limits, budget);
        if near {
            let small = Samples::of_runs(pool, program, heads, true, limits, budget);
            for (loc, list) in small.at {
                out.at.entry(loc).or_default().extend(list);
            }
        }
        out
    }

    fn of_runs(
        pool: &Pool,
        program: &Program,
        heads: &[LocId],
        near: bool,
        limits: &Limits,
        budget: &Budget,
    ) -> Samples {
        let samples = &limits.guess.samples;
        let mut out = Samples {
            limits: samples.clone(),
            ..Samples::default()
        };
        if heads.is_empty() {
            return out;
        }
        let heads: FxHashSet<LocId> = heads.iter().copied().collect();
        let constants = crate::presolve::random_runs::constants(pool, program);
        let mut interpreter = Interpreter::new(pool, program);
        // States that a long run meets late: they have the room that other runs leave.
        let mut later: BTreeMap<LocId, Vec<Sample>> = BTreeMap::new();
        let share = samples.states / if near { NEAR_RUNS } else { RUNS };
        for run in 0..samples.runs {
            let mut oracle = Guesser::new(pool, program, &constants, run, &limits.runs, budget);
            if near {
                oracle = oracle.near();
            }
            let one = program::interp::Limits {
                steps: samples.steps,
                cells: samples.cells,
                trace: true,
            };
            let result = interpreter.run(&mut oracle, &one);
            let mut along = Along::new(pool, program);
            let mut met: BTreeMap<LocId, usize> = BTreeMap::new();
            for taken in &result.trace {
                let from = program.edges[taken.edge].from;
                if heads.contains(&from) {
                    let met = met.entry(from).or_default();
                    *met += 1;
                    let list = match *met <= share {
                        true => out.at.entry(from).or_default(),
                        false => later.entry(from).or_default(),
                    };
                    remember(list, samples, pool, program, &along);
                }
                along.step(taken);
            }
        }
        for (loc, list) in later {
            let first = out.at.entry(loc).or_default();
            let room = samples.states.saturating_sub(first.len());
            first.extend(list.into_iter().take(room));
        }
        out
    }

    /// The states that were met at a location.
    pub fn states(&self, loc: LocId) -> impl Iterator<Item = &Model> {
        self.at.get(&loc).into_iter().flatten().map(|s| &s.state)
    }

    /// Was the location reached in a state where the fact is false?
    pub fn refute(&mut self, pool: &Pool, loc: LocId, fact: TermId) -> bool {
        let Some(samples) = self.at.get_mut(&loc) else {
            return false;
        };
        // The samples do not know what declared functions mean.
        let opaque = |&t: &TermId| matches!(pool.op(t), Op::App(_)) && !pool.args(t).is_empty();
        let order = pool.post_order(&[fact]);
        if order.iter().any(opaque) {
            return false;
        }
        let named = |n: usize| pool.symbol_named(&any_name(n));
        let general = |symbol: &SymbolId| {
            let is = |t: &TermId| pool.as_constant(*t) == Some(*symbol);
            order.iter().any(is)
        };
        if (2..MOST_ANY).filter_map(named).any(|s| general(&s)) {
            return false;
        }
        if let Some(second) = named(1).filter(general) {
            let any = [named(0).filter(general).unwrap_or(second), second];
            let mut samples = samples.iter().rev().step_by(2).take(self.limits.paired);
            let (memo, limits) = (&mut self.memo, &self.limits);
            return samples.any(|s| refutes_pair(pool, memo, s, any, fact, limits));
        }
        if let Some(symbol) = named(0).filter(general) {
            let samples = samples.iter_mut().take(self.limits.general);
            let (memo, limits) = (&mut self.memo, &self.limits);
            let mut views = samples.flat_map(|s| s.views(symbol, limits));
            return views.any(|state| fails(pool, memo, state, fact));
        }
        let memo = &mut self.memo;
        samples.iter().any(|s| fails(pool, memo, &s.state, fact))
    }
}

/// Keeps a state, unless there are enough or it is too large.
fn remember(
    list: &mut Vec<Sample>,
    limits: &SampleLimits,
    pool: &Pool,
    program: &Program,
    along: &Along<'_>,
) {
    if list.len() >= limits.states {
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
    if entries <= limits.entries {
        list.push(Sample { state, views: None });
    }
}

/// Is the fact false in the state? The memo is as large as the pool, so there is one for all states.
fn fails(pool: &Pool, memo: &mut Memo, state: &Model, fact: TermId) -> bool {
    memo.clear();
    !memo.holds(pool, state, fact)
}

/// Is the fact false at some pair of places?
fn refutes_pair(
    pool: &Pool,
    memo: &mut Memo,
    sample: &Sample,
    [first, second]: [SymbolId; 2],
    fact: TermId,
    limits: &SampleLimits,
) -> bool {
    let places = sample.places(limits);
    for a in &places {
        for b in &places {
            let view = View {
                state: &sample.state,
                any: [(first, a), (second, b)],
            };
            memo.clear();
            if !memo.holds(pool, &view, fact) {
                return true;
            }
        }
    }
    false
}
