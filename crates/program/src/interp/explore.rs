//! Explicit-state exploration of small programs: the judge that tests hold everything else against.
//!
//! Visits every state reachable from every initial state, with calls on an explicit stack. Only
//! for programs whose inputs have small ranges: an input without one is tried with a single value
//! and the result says that it is not complete.

use crate::analysis::liveness::uninitialised;
use crate::interp::float::function_value;
use crate::{EdgeId, FuncId, LocId, Program, Stmt, VarId};
use base::{FxHashMap, FxHashSet, IndexVec};
use logic::{Evaluator, Pool, Rational, SymbolId, TermId, Value};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What exploration found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explored {
    /// Error locations some execution reaches.
    pub errors: BTreeSet<LocId>,
    /// Values of the globals, then of the entry function's returns, where it exits.
    pub exits: BTreeSet<Vec<Value>>,
    /// Whether all inputs and all states were tried.
    pub complete: bool,
    pub states: usize,
}

/// A call in progress, or the globals when `loc` is `None`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Frame {
    loc: LocId,
    /// The call edge to return over.
    call: Option<EdgeId>,
    vars: Vec<Value>,
}

/// A state between statements.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    globals: Vec<Value>,
    frames: Vec<Frame>,
}

/// Explores at most `limit` states.
pub fn explore(pool: &Pool, program: &Program, limit: usize) -> Explored {
    visit(pool, program, limit, |_, _| {})
}

/// The values of globals and of the current function's variables at each location, in every state;
/// `None` if not all of at most `limit` states could be tried.
pub fn states(
    pool: &Pool,
    program: &Program,
    limit: usize,
) -> Option<BTreeMap<LocId, BTreeSet<BTreeMap<VarId, Value>>>> {
    let mut out: BTreeMap<LocId, BTreeSet<BTreeMap<VarId, Value>>> = BTreeMap::new();
    let explored = visit(pool, program, limit, |explorer, state| {
        let Some(top) = state.frames.last() else {
            return;
        };
        let f = &program.functions[program.locations[top.loc].func];
        let visible = program.globals.iter().copied().chain(own_vars(f));
        let values = visible.filter_map(|v| Some((v, explorer.read(state, v)?)));
        out.entry(top.loc).or_default().insert(values.collect());
    });
    explored.complete.then_some(out)
}

fn visit(
    pool: &Pool,
    program: &Program,
    limit: usize,
    mut see: impl FnMut(&Explorer<'_>, &State),
) -> Explored {
    let mut explorer = Explorer::new(pool, program);
    let mut seen: FxHashSet<State> = FxHashSet::default();
    // Breadth first, so that with recursion without end the shallow states are still seen.
    let mut work: VecDeque<State> = explorer.initial().into();
    seen.extend(work.iter().cloned());
    while let Some(state) = work.pop_front() {
        if seen.len() > limit {
            explorer.out.complete = false;
            break;
        }
        see(&explorer, &state);
        for next in explorer.successors(&state) {
            if seen.insert(next.clone()) {
                work.push_back(next);
            }
        }
    }
    explorer.out.states = seen.len();
    explorer.out
}

/// Where a variable lives in a state.
#[derive(Clone, Copy)]
enum Slot {
    Global(usize),
    Frame(usize),
}

/// Executes single statements; also used to walk a program by hand in tests.
struct Explorer<'a> {
    pool: &'a Pool,
    program: &'a Program,
    out_edges: IndexVec<LocId, Vec<EdgeId>>,
    slots: FxHashMap<VarId, Slot>,
    symbols: FxHashMap<SymbolId, VarId>,
    inputs: IndexVec<FuncId, Vec<VarId>>,
    out: Explored,
}

impl<'a> Explorer<'a> {
    fn new(pool: &'a Pool, program: &'a Program) -> Self {
        let mut slots = FxHashMap::default();
        for (i, v) in program.globals.iter().enumerate() {
            slots.insert(*v, Slot::Global(i));
        }
        for f in program.functions.iter() {
            for (i, v) in own_vars(f).enumerate() {
                slots.insert(v, Slot::Frame(i));
            }
        }
        let symbols = program.vars.iter_enumerated();
        Explorer {
            pool,
            program,
            out_edges: program.successors(),
            slots,
            symbols: symbols
                .filter_map(|(id, v)| Some((pool.as_constant(v.term)?, id)))
                .collect(),
            inputs: uninitialised(pool, program),
            out: Explored {
                errors: BTreeSet::new(),
                exits: BTreeSet::new(),
                complete: true,
                states: 0,
            },
        }
    }

    /// All values an input may take.
    fn domain(&mut self, var: VarId) -> Vec<Value> {
        let (pool, v) = (self.pool, &self.program.vars[var]);
        if v.sort == pool.bool_sort() {
            return vec![Value::Bool(false), Value::Bool(true)];
        }
        match &v.range {
            Some((low, high)) if high - low <= Rational::from(64) => {
                let mut out = Vec::new();
                let mut n = low.clone();
                while n <= *high {
                    out.push(Value::Num(n.clone()));
                    n += &Rational::ONE;
                }
                out
            }
            _ => {
                self.out.complete = false;
                vec![self.program.default_value(pool, var)]
            }
        }
    }

    /// The states with all combinations of values for `vars` of the top frame.
    fn choose(&mut self, states: Vec<State>, vars: &[VarId]) -> Vec<State> {
        let mut states = states;
        for &var in vars {
            let domain = self.domain(var);
            let mut next = Vec::with_capacity(states.len() * domain.len());
            for state in &states {
                for value in &domain {
                    let mut copy = state.clone();
                    self.write(&mut copy, var, value.clone());
                    next.push(copy);
                }
            }
            states = next;
        }
        states
    }

    fn fresh_frame(&self, func: FuncId, call: Option<EdgeId>) -> Frame {
        let f = &self.program.functions[func];
        Frame {
            loc: f.entry,
            call,
            vars: own_vars(f)
                .map(|v| self.program.default_value(self.pool, v))
                .collect(),
        }
    }

    fn initial(&mut self) -> Vec<State> {
        let program = self.program;
        let globals = program.globals.iter();
        let state = State {
            globals: globals
                .map(|v| program.default_value(self.pool, *v))
                .collect(),
            frames: vec![self.fresh_frame(program.entry, None)],
        };
        let mut inputs = program.globals.clone();
        inputs.extend(&program.functions[program.entry].params);
        inputs.extend(&self.inputs[program.entry]);
        self.choose(vec![state], &inputs)
    }

    fn read(&self, state: &State, var: VarId) -> Option<Value> {
        Some(match self.slots.get(&var)? {
            Slot::Global(i) => state.globals[*i].clone(),
            Slot::Frame(i) => state.frames.last()?.vars[*i].clone(),
        })
    }

    fn write(&self, state: &mut State, var: VarId, value: Value) {
        match self.slots.get(&var) {
            Some(Slot::Global(i)) => state.globals[*i] = value,
            Some(Slot::Frame(i)) => {
                if let Some(frame) = state.frames.last_mut() {
                    frame.vars[*i] = value;
                }
            }
            None => {}
        }
    }

    fn eval(&self, state: &State, term: TermId) -> Value {
        Evaluator::new(self.pool, |s| self.read(state, *self.symbols.get(&s)?))
            .with_functions(|s, args| function_value(self.pool, s, args))
            .eval(term)
    }

    /// Assigns in parallel; `None` if a value is out of range.
    fn assign(&self, state: &State, pairs: Vec<(VarId, Value)>) -> Option<State> {
        let mut next = state.clone();
        for (var, value) in pairs {
            if !self.program.in_range(var, &value) {
                return None;
            }
            self.write(&mut next, var, value);
        }
        Some(next)
    }

    fn successors(&mut self, state: &State) -> Vec<State> {
        let Some(top) = state.frames.last() else {
            return Vec::new();
        };
        let program = self.program;
        let location = &program.locations[top.loc];
        if location.error.is_some() {
            self.out.errors.insert(top.loc);
            return Vec::new();
        }
        let mut out = Vec::new();
        let f = &program.functions[location.func];
        if top.loc == f.exit {
            out.extend(self.leave(state, f));
        }
        for id in self.out_edges[top.loc].clone() {
            let edge = &program.edges[id];
            let mut next = match &edge.stmt {
                Stmt::Skip => vec![state.clone()],
                Stmt::Assume(c) => match self.eval(state, *c) {
                    Value::Bool(true) => vec![state.clone()],
                    _ => Vec::new(),
                },
                Stmt::Assign(pairs) => {
                    let values = pairs.iter().map(|(v, e)| (*v, self.eval(state, *e)));
                    self.assign(state, values.collect()).into_iter().collect()
                }
                Stmt::Havoc(vars, _) => self.choose(vec![state.clone()], vars),
                Stmt::Call { callee, args, .. } => {
                    out.extend(self.enter(state, id, *callee, args));
                    continue;
                }
            };
            for s in &mut next {
                if let Some(frame) = s.frames.last_mut() {
                    frame.loc = edge.to;
                }
            }
            out.extend(next);
        }
        out
    }

    fn enter(
        &mut self,
        state: &State,
        edge: EdgeId,
        callee: FuncId,
        args: &[TermId],
    ) -> Vec<State> {
        let values: Vec<Value> = args.iter().map(|a| self.eval(state, *a)).collect();
        let mut next = state.clone();
        next.frames.push(self.fresh_frame(callee, Some(edge)));
        let params = self.program.functions[callee].params.iter().copied();
        let Some(next) = self.assign(&next, params.zip(values).collect()) else {
            return Vec::new();
        };
        let inputs = self.inputs[callee].clone();
        self.choose(vec![next], &inputs)
    }

    fn leave(&mut self, state: &State, f: &crate::Function) -> Option<State> {
        let returned: Vec<Value> = f
            .returns
            .iter()
            .filter_map(|r| self.read(state, *r))
            .collect();
        let mut next = state.clone();
        let frame = next.frames.pop()?;
        let Some(call) = frame.call else {
            let mut values = state.globals.clone();
            values.extend(returned);
            self.out.exits.insert(values);
            return None;
        };
        let edge = &self.program.edges[call];
        next.frames.last_mut()?.loc = edge.to;
        match &edge.stmt {
            Stmt::Call { results, .. } => {
                self.assign(&next, results.iter().copied().zip(returned).collect())
            }
            _ => None,
        }
    }
}

fn own_vars(f: &crate::Function) -> impl Iterator<Item = VarId> {
    f.params.iter().chain(&f.returns).chain(&f.locals).copied()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::passes::inline::inline;
    use crate::text::{parse, print};
    use testkit::programs as random;

    /// Inlining keeps which errors are reachable and how the program ends.
    #[test]
    fn inlining_keeps_behaviour() {
        for seed in 0..40 {
            let mut pool = Pool::new();
            let text = random::with_calls(seed, false);
            let program = parse(&mut pool, &text).unwrap();
            let printed = print(&pool, &program);
            let again = parse(&mut pool, &printed).unwrap();
            assert_eq!(printed, print(&pool, &again));
            let before = explore(&pool, &program, 4_000);
            let inlined = inline(&mut pool, &program).unwrap();
            let after = explore(&pool, &inlined.program, 4_000);
            if !(before.complete && after.complete) {
                continue;
            }
            let origins: BTreeSet<LocId> = after
                .errors
                .iter()
                .filter_map(|l| inlined.back.location(*l))
                .collect();
            assert_eq!(before.errors, origins, "{text}");
            assert_eq!(before.exits, after.exits, "{text}");
        }
    }
}
