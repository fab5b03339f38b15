//! Summaries by explicit values: what functions do with flags and modes that only ever hold constants.
//!
//! Idea, on a switch `if (on == s) error; on = s;` that main calls as `set(0); set(1);` with `on = 1`:
//! `set` is run from `on = 1, s = 0` and ends with `on = 0`, from `on = 0, s = 1` and ends with
//! `on = 1`; it never errs. Each run is a summary of its own, "from these inputs, one of these
//! outputs", so no guard is needed. Functions are tabulated as in Reps, Horwitz, Sagiv (POPL 1995):
//! one run for each combination of known inputs, again when a callee has more outputs.
//!
//! A variable is *finite* if all that is assigned to it is constants and finite variables (or any
//! value, of which nothing is known), and a constant is among it. States are values of finite variables
//! that are live; where there are too many, only what all have in common is kept. This is for programs
//! with calls what `program::passes::split_values` is for those without.

#[cfg(test)]
mod tests;

use crate::limits::TABULATION;
use base::{FxHashMap, FxHashSet, IndexVec};
use logic::{Op, Pool, Substitution, TermId};
use program::analysis::liveness::{Liveness, liveness};
use program::analysis::modref::{ModRef, modref};
use program::analysis::reads::VarsOf;
use program::analysis::shape::{Shape, shape};
use program::{EdgeId, FuncId, LocId, Program, Stmt, VarId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Known values of variables.
type Env = BTreeMap<VarId, TermId>;

/// Summaries over parameters at entry and returns at exit, for a program without loops and globals.
/// Sound because each is the result of a run that follows all paths from the inputs it names.
pub fn summaries(pool: &mut Pool, program: &Program) -> IndexVec<FuncId, Vec<TermId>> {
    let finite = finite(pool, program);
    let mut out = IndexVec::filled(Vec::new(), program.functions.len());
    if finite.is_empty() {
        return out;
    }
    let mut table = Table {
        program,
        finite,
        successors: program.successors(),
        effects: modref(pool, program),
        vars_of: VarsOf::new(program),
        shapes: FxHashMap::default(),
        runs: Vec::new(),
        index: FxHashMap::default(),
        count: IndexVec::filled(0, program.functions.len()),
        work: VecDeque::new(),
        steps: 0,
    };
    table.run_of(program.entry, Env::new());
    while let Some(run) = table.work.pop_front() {
        table.runs[run].queued = false;
        if table.tabulate(pool, run).is_none() {
            return out;
        }
    }
    for run in &table.runs {
        let inputs = equations(pool, program, &run.inputs);
        let outputs: Vec<TermId> = run
            .outputs
            .iter()
            .map(|env| equations(pool, program, env))
            .collect();
        let outputs = pool.or(&outputs);
        let summary = pool.implies(inputs, outputs);
        if summary != pool.tt() {
            out[run.func].push(summary);
        }
    }
    out
}

fn equations(pool: &mut Pool, program: &Program, env: &Env) -> TermId {
    let parts: Vec<TermId> = env
        .iter()
        .map(|(v, c)| pool.eq(program.vars[*v].term, *c))
        .collect();
    pool.and(&parts)
}

/// The function from some known inputs.
struct Run {
    func: FuncId,
    inputs: Env,
    /// Known returns.
    outputs: BTreeSet<Env>,
    callers: BTreeSet<usize>,
    queued: bool,
}

struct Table<'p> {
    program: &'p Program,
    finite: FxHashSet<VarId>,
    successors: IndexVec<LocId, Vec<EdgeId>>,
    effects: ModRef,
    vars_of: VarsOf,
    shapes: FxHashMap<FuncId, (Shape, Liveness)>,
    runs: Vec<Run>,
    index: FxHashMap<(FuncId, Env), usize>,
    count: IndexVec<FuncId, usize>,
    work: VecDeque<usize>,
    steps: usize,
}

impl Table<'_> {
    /// The run of a function from these inputs, or from any if it has many already.
    fn run_of(&mut self, func: FuncId, inputs: Env) -> usize {
        if let Some(&run) = self.index.get(&(func, inputs.clone())) {
            return run;
        }
        if self.count[func] >= TABULATION.runs && !inputs.is_empty() {
            return self.run_of(func, Env::new());
        }
        self.count[func] += 1;
        let run = self.runs.len();
        self.index.insert((func, inputs.clone()), run);
        self.runs.push(Run {
            func,
            inputs,
            outputs: BTreeSet::new(),
            callers: BTreeSet::new(),
            queued: true,
        });
        self.work.push_back(run);
        run
    }

    /// Follows all paths of a run; `None` if that is too much.
    fn tabulate(&mut self, pool: &mut Pool, run: usize) -> Option<()> {
        let func = self.runs[run].func;
        let (shape, live) = self.shape(pool, func);
        let function = &self.program.functions[func];
        let mut states: FxHashMap<LocId, BTreeSet<Env>> = FxHashMap::default();
        let first = BTreeSet::from([self.runs[run].inputs.clone()]);
        states.insert(function.entry, first);
        for &loc in &shape.order {
            let here = states.remove(&loc).unwrap_or_default();
            if loc == function.exit {
                self.finish(run, here);
                continue;
            }
            for edge in self.successors[loc].clone() {
                let to = self.program.edges[edge].to;
                for env in &here {
                    self.steps += 1;
                    if self.steps > TABULATION.steps {
                        return None;
                    }
                    for mut next in self.step(pool, run, edge, env) {
                        if to != function.exit {
                            next.retain(|v, _| live.is_live(to, *v));
                        } else {
                            next.retain(|v, _| function.returns.contains(v));
                        }
                        let there = states.entry(to).or_default();
                        there.insert(next);
                        if there.len() > TABULATION.states {
                            let common = common(there);
                            *there = BTreeSet::from([common]);
                        }
                    }
                }
            }
        }
        self.shapes.insert(func, (shape, live));
        Some(())
    }

    fn shape(&mut self, pool: &Pool, func: FuncId) -> (Shape, Liveness) {
        if let Some(known) = self.shapes.remove(&func) {
            return known;
        }
        let program = self.program;
        let shape = shape(program, &self.successors, program.functions[func].entry);
        let live = liveness(
            pool,
            program,
            func,
            &shape,
            &self.successors,
            &mut self.vars_of,
            &self.effects,
        );
        (shape, live)
    }

    fn finish(&mut self, run: usize, outputs: BTreeSet<Env>) {
        if outputs.is_subset(&self.runs[run].outputs) {
            return;
        }
        let known = &mut self.runs[run].outputs;
        known.extend(outputs);
        if known.len() > TABULATION.states {
            *known = BTreeSet::from([common(known)]);
        }
        for caller in self.runs[run].callers.clone() {
            if !self.runs[caller].queued {
                self.runs[caller].queued = true;
                self.work.push_back(caller);
            }
        }
    }

    /// The states after an edge.
    fn step(&mut self, pool: &mut Pool, run: usize, edge: EdgeId, env: &Env) -> Vec<Env> {
        let program = self.program;
        let mut next = env.clone();
        match &program.edges[edge].stmt {
            Stmt::Skip => {}
            Stmt::Havoc(vars, _) => next.retain(|v, _| !vars.contains(v)),
            Stmt::Assume(c) => {
                let c = self.value(pool, env, *c);
                if c == pool.ff() {
                    return Vec::new();
                }
                for t in pool.conjuncts(c) {
                    if let Some((v, value)) = self.equation(pool, t) {
                        next.insert(v, value);
                    }
                }
            }
            Stmt::Assign(pairs) => {
                for &(v, e) in pairs {
                    let value = self.constant(pool, env, v, e);
                    set(&mut next, v, value);
                }
            }
            Stmt::Call {
                callee,
                args,
                results,
            } => {
                let mut inputs = Env::new();
                let params = &program.functions[*callee].params;
                for (&p, &a) in params.iter().zip(args) {
                    let value = self.constant(pool, env, p, a);
                    set(&mut inputs, p, value);
                }
                let called = self.run_of(*callee, inputs);
                self.runs[called].callers.insert(run);
                let returns = &program.functions[*callee].returns;
                let after = |outputs: &Env| {
                    let mut next = env.clone();
                    for (r, &v) in returns.iter().zip(results) {
                        let value = outputs.get(r).copied();
                        set(&mut next, v, value.filter(|_| self.finite.contains(&v)));
                    }
                    next
                };
                return self.runs[called].outputs.iter().map(after).collect();
            }
        }
        vec![next]
    }

    /// The constant that a finite variable gets from an expression.
    fn constant(&mut self, pool: &mut Pool, env: &Env, v: VarId, e: TermId) -> Option<TermId> {
        if !self.finite.contains(&v) {
            return None;
        }
        let value = self.value(pool, env, e);
        is_value(pool, value).then_some(value)
    }

    /// The expression with known values put in.
    fn value(&mut self, pool: &mut Pool, env: &Env, e: TermId) -> TermId {
        let vars = self.vars_of.of(pool, e);
        let known = vars.iter().filter_map(|v| {
            let value = env.get(v)?;
            Some((self.program.vars[*v].term, *value))
        });
        let known: Vec<(TermId, TermId)> = known.collect();
        match known.is_empty() {
            true => e,
            false => Substitution::new(known).apply(pool, e),
        }
    }

    /// A finite variable that a condition gives a value.
    fn equation(&self, pool: &Pool, t: TermId) -> Option<(VarId, TermId)> {
        let (v, value) = match pool.op(t) {
            Op::Eq => {
                let [a, b] = *pool.args(t) else { return None };
                match (self.vars_of.var(a), self.vars_of.var(b)) {
                    (Some(v), _) if is_value(pool, b) => (v, b),
                    (_, Some(v)) if is_value(pool, a) => (v, a),
                    _ => return None,
                }
            }
            Op::Not => (self.vars_of.var(pool.args(t)[0])?, pool.ff()),
            _ => (self.vars_of.var(t)?, pool.tt()),
        };
        self.finite.contains(&v).then_some((v, value))
    }
}

fn set(env: &mut Env, v: VarId, value: Option<TermId>) {
    match value {
        Some(value) => env.insert(v, value),
        None => env.remove(&v),
    };
}

/// What all states have in common.
fn common(states: &BTreeSet<Env>) -> Env {
    let mut states = states.iter();
    let mut out = states.next().cloned().unwrap_or_default();
    for env in states {
        out.retain(|v, value| env.get(v) == Some(value));
    }
    out
}

fn is_value(pool: &Pool, t: TermId) -> bool {
    t == pool.tt() || t == pool.ff() || pool.as_number(t).is_some()
}

/// Variables that only get constants and each other, and some constant.
fn finite(pool: &Pool, program: &Program) -> FxHashSet<VarId> {
    let vars_of = VarsOf::new(program);
    let mut flows: Vec<(VarId, TermId)> = Vec::new();
    for edge in program.edges.iter() {
        match &edge.stmt {
            Stmt::Assign(pairs) => flows.extend(pairs),
            Stmt::Call {
                callee,
                args,
                results,
            } => {
                let callee = &program.functions[*callee];
                flows.extend(callee.params.iter().copied().zip(args.iter().copied()));
                let returns = callee.returns.iter().map(|r| program.vars[*r].term);
                flows.extend(results.iter().copied().zip(returns));
            }
            Stmt::Skip | Stmt::Assume(_) | Stmt::Havoc(..) => {}
        }
    }
    // What is written is chosen from: the leaves of a choice.
    let flows: Vec<(VarId, Vec<TermId>)> = flows
        .into_iter()
        .map(|(v, e)| (v, choices(pool, e)))
        .collect();
    let is_bool = |v: VarId| program.vars[v].sort == pool.bool_sort();
    let mut infinite: FxHashSet<VarId> = FxHashSet::default();
    let mut constant: FxHashSet<VarId> = FxHashSet::default();
    let mut changed = true;
    while changed {
        changed = false;
        for (v, from) in &flows {
            for &e in from {
                let source = vars_of.var(e);
                let value = is_value(pool, e);
                let bad = !value && !is_bool(*v) && source.is_none_or(|s| infinite.contains(&s));
                let good = value || is_bool(*v) || source.is_some_and(|s| constant.contains(&s));
                changed |= bad && infinite.insert(*v);
                changed |= good && constant.insert(*v);
            }
        }
    }
    constant.retain(|v| !infinite.contains(v));
    constant
}

/// The values that an expression chooses from.
fn choices(pool: &Pool, e: TermId) -> Vec<TermId> {
    let mut out = Vec::new();
    let mut work = vec![e];
    while let Some(t) = work.pop() {
        match pool.op(t) {
            Op::Ite => work.extend(&pool.args(t)[1..]),
            Op::Wrap { .. } => work.push(pool.args(t)[0]),
            _ => out.push(t),
        }
    }
    out
}
