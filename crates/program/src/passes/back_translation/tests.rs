//! What holds of the program after random chains of passes holds, taken back, of the one before.
#![allow(clippy::unwrap_used)]

use crate::analysis::liveness::liveness;
use crate::analysis::modref::modref;
use crate::analysis::reads::VarsOf;
use crate::analysis::shape::shape;
use crate::interp::explore::states;
use crate::interp::{Interpreter, Limits, Oracle, Replay};
use crate::passes::error_flag::error_flag;
use crate::passes::inline::inline;
use crate::passes::leaves::merge;
use crate::passes::loops::joins_to_recursion;
use crate::passes::{
    SplitLimits, Transformed, abstract_variables, constants, dead_code, globals_to_params,
    loops_to_recursion, merge_errors, scalar_replacement, slice, slice_with_calls, split_values,
};
use crate::text::parse;
use crate::{EdgeId, Execution, LocId, Program, Step, Stmt, VarId, VarKind};
use base::{FxHashSet, Random};
use logic::{Evaluator, Pool, Rational, TermId, Value};
use std::collections::BTreeMap;
use testkit::programs as random;

const STATES: usize = 3_000;

/// A pass that may have nothing to do.
type Pass = fn(&mut Pool, &Program, &mut Random) -> Option<Transformed>;

/// Passes whose programs have the executions of the original and no others (to errors).
const EXACT: [(&str, Pass); 10] = [
    ("inline", |pool, p, _| {
        let made = inline(pool, p).ok()?;
        made_of(made.program, made.back)
    }),
    ("loops", |pool, p, _| {
        let made = loops_to_recursion(pool, p);
        made_of(made.program, made.back)
    }),
    ("joins", |pool, p, _| {
        let made = joins_to_recursion(pool, p);
        made_of(made.program, made.back)
    }),
    ("globals", |pool, p, _| {
        let made = globals_to_params(pool, p);
        made_of(made.program, made.back)
    }),
    ("flags", |pool, p, _| {
        let made = error_flag(pool, p);
        p.globals
            .is_empty()
            .then(|| made_of(made.program, made.back))?
    }),
    ("constants", |pool, p, _| Some(constants(pool, p))),
    ("dead code", |_, p, _| Some(dead_code(p))),
    ("scalar replacement", |pool, p, _| {
        scalar_replacement(pool, p)
    }),
    ("split", |pool, p, _| {
        let made = split_values(pool, p, SplitLimits::default())?;
        made_of(made.program, made.back)
    }),
    ("merge errors", |_, p, _| Some(merge_errors(p.clone()))),
];

/// Passes whose programs may have more executions.
const COARSE: [(&str, Pass); 3] = [
    ("slice", |pool, p, _| Some(slice(pool, p))),
    ("slice with calls", |pool, p, _| {
        Some(slice_with_calls(pool, p))
    }),
    ("abstraction", |pool, p, random| {
        let calls = |e: &crate::Edge| matches!(e.stmt, Stmt::Call { .. });
        let vars: Vec<VarId> = p.vars.ids().collect();
        let forgotten: FxHashSet<VarId> = [random.pick(&vars)].into_iter().collect();
        (!p.edges.iter().any(calls)).then(|| abstract_variables(pool, p, &forgotten))
    }),
];

/// Small functions copied into their callers, which must be loop-free and interact by values.
fn without_leaves(pool: &mut Pool, p: &Program) -> Option<Transformed> {
    let before = globals_to_params(pool, p);
    let flagged = error_flag(pool, &before.program);
    let merged = merge(pool, &flagged.program, |_| true)?;
    let back = before.back.then(&flagged.back).then(&merged.back);
    made_of(merged.program, back)
}

fn made_of(program: Program, back: super::WayBack) -> Option<Transformed> {
    Some(Transformed { program, back })
}

fn texts() -> impl Iterator<Item = (u64, String)> {
    (0..150).map(|seed| {
        let text = match seed % 3 {
            0 => random::single(seed),
            1 => random::with_calls(seed, false),
            _ => random::with_calls(seed, true),
        };
        (seed, text)
    })
}

/// One to three passes of the list, each of which did something.
fn chain(
    pool: &mut Pool,
    program: &Program,
    passes: &[(&str, Pass)],
    random: &mut Random,
) -> (Transformed, Vec<String>) {
    let mut names = Vec::new();
    let mut made = Transformed::nothing(program.clone());
    for _ in 0..1 + random.below(3) {
        let (name, pass) = &passes[random.below(passes.len() as u64) as usize];
        if let Some(next) = pass(pool, &made.program, random) {
            made = made.then(|_| next);
            made.program.check_invariants();
            names.push((*name).into());
        }
    }
    (made, names)
}

/// Runs at random and writes down what it chose.
struct Recorder<'p> {
    pool: &'p Pool,
    original: &'p Program,
    back: &'p super::WayBack,
    program: &'p Program,
    random: Random,
    run: Execution,
}

impl Recorder<'_> {
    fn value(&mut self, var: VarId) -> Value {
        let v = &self.program.vars[var];
        if v.sort == self.pool.bool_sort() {
            return Value::Bool(self.random.below(2) == 1);
        }
        match self.program.default_value(self.pool, var) {
            Value::Num(_) => Value::Num(Rational::from(self.random.between(0, 3))),
            other => other,
        }
    }
}

impl Oracle for Recorder<'_> {
    fn initial(&mut self, var: VarId) -> Option<Value> {
        let value = self.value(var);
        self.run.initial.push((var, value.clone()));
        Some(value)
    }

    fn havoc(&mut self, edge: EdgeId, vars: &[VarId]) -> Option<Vec<Value>> {
        // Which locals a call leaves uninitialised differs between the programs: they get defaults.
        let origin = self.back.edge(edge).map(|e| &self.original.edges[e].stmt);
        if !matches!(origin, None | Some(Stmt::Havoc(..))) {
            return Some(Vec::new());
        }
        let values: Vec<Value> = vars.iter().map(|&v| self.value(v)).collect();
        self.run
            .steps
            .last_mut()
            .unwrap()
            .havocs
            .clone_from(&values);
        Some(values)
    }

    fn choose(&mut self, _: LocId, enabled: &[EdgeId]) -> Option<usize> {
        let at = self.random.below(enabled.len() as u64) as usize;
        self.run.steps.push(Step {
            edge: enabled[at],
            havocs: Vec::new(),
        });
        Some(at)
    }
}

fn run_at_random(pool: &mut Pool, original: &Program, made: &Transformed, seed: u64) -> Execution {
    let program = &made.program;
    let limits = Limits {
        steps: 60,
        ..Limits::default()
    };
    let mut interpreter = Interpreter::new(pool, program);
    let mut oracle = Recorder {
        pool,
        original,
        back: &made.back,
        program,
        random: Random::new(seed),
        run: Execution::default(),
    };
    let run = interpreter.run(&mut oracle, &limits);
    // The last edge may have been chosen and not been possible.
    let taken = run.steps as usize;
    oracle.run.steps.truncate(taken);
    oracle.run
}

/// The program takes exactly these edges with these values.
fn assert_is_execution(pool: &mut Pool, program: &Program, run: &Execution, what: &str) {
    let steps = run.steps.iter().map(|s| (s.edge, s.havocs.clone()));
    let mut replay = Replay::new(steps.collect()).lenient();
    replay.initial = run.initial.iter().cloned().collect();
    let limits = Limits {
        trace: true,
        steps: run.steps.len() as u64,
        ..Limits::default()
    };
    let replayed = Interpreter::new(pool, program).run(&mut replay, &limits);
    let taken = replayed.trace.iter().filter(|t| !t.returns);
    let taken: Vec<EdgeId> = taken.map(|t| t.edge).collect();
    let wanted: Vec<EdgeId> = run.steps.iter().map(|s| s.edge).collect();
    let outcome = replayed.outcome;
    let prefix = &taken[..wanted.len().min(taken.len())];
    assert_eq!(prefix, wanted, "{outcome:?}: {what}");
}

#[test]
fn executions_go_back() {
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    let mut steps = 0;
    for (seed, text) in texts() {
        let mut pool = Pool::new();
        let program = parse(&mut pool, &text).unwrap();
        let mut random = Random::new(seed);
        let (made, names) = chain(&mut pool, &program, &EXACT, &mut random);
        for k in 0..4 {
            let run = run_at_random(&mut pool, &program, &made, 7 * seed + k);
            let back = made.back.execution(run);
            steps += back.steps.len();
            assert_is_execution(&mut pool, &program, &back, &format!("{names:?}\n{text}"));
        }
        for name in names {
            *used.entry(name).or_default() += 1;
        }
    }
    assert!(steps > 1_000, "{steps}");
    assert!(used.len() >= EXACT.len() - 1, "{used:?}");
}

/// Cells of arrays go back into the arrays, from the start and from a havoc.
#[test]
fn cells_go_back_into_their_arrays() {
    let text = "
entry main
global m: (Array Int Int), n: (Array Int Int)
fn main() {
  locals x: Int [0, 3]
  a -> b: x := (select m 8)
  b -> c: assume (= x 2)
  c -> d: havoc x, m
  d -> e: assume (= (select m 8) (+ x 1))
  e -> f: n := (store m 4 x)
  f -> g: assume (= (select n 8) (+ (select n 4) 1))
}";
    let mut pool = Pool::new();
    let program = parse(&mut pool, text).unwrap();
    let made = scalar_replacement(&mut pool, &program).unwrap();
    let mut longest = 0;
    for seed in 0..200 {
        let run = run_at_random(&mut pool, &program, &made, seed);
        let back = made.back.execution(run);
        assert_is_execution(&mut pool, &program, &back, text);
        longest = longest.max(back.steps.len());
    }
    assert_eq!(longest, 6, "some run passes all assumptions");
}

/// What the states of each location have in common, over the variables that matter there: the values
/// of each, and of each pair of neighbours.
fn invariants(pool: &mut Pool, program: &Program) -> Option<BTreeMap<LocId, TermId>> {
    let states = states(pool, program, STATES)?;
    let successors = program.successors();
    let mut vars_of = VarsOf::new(program);
    let effects = modref(pool, program);
    let mut out = BTreeMap::new();
    for (id, f) in program.functions.iter_enumerated() {
        let shape = shape(program, &successors, f.entry);
        let live = liveness(
            pool,
            program,
            id,
            &shape,
            &successors,
            &mut vars_of,
            &effects,
        );
        let own = |l: &LocId| program.locations[*l].func == id;
        for loc in program.locations.ids().filter(own) {
            let Some(seen) = states.get(&loc) else {
                out.insert(loc, pool.ff());
                continue;
            };
            let mut vars = program.globals.clone();
            if shape.is_reachable(loc) {
                let here = live.at(loc).into_iter();
                vars.extend(here.filter(|v| program.vars[*v].kind != VarKind::Global));
            }
            let mut parts = Vec::new();
            for group in vars.chunks(1).chain(vars.windows(2)) {
                let values = seen.iter().map(|state| -> Vec<(VarId, Value)> {
                    group.iter().map(|v| (*v, state[v].clone())).collect()
                });
                let values: std::collections::BTreeSet<Vec<_>> = values.collect();
                let cases = values.into_iter().map(|case| {
                    let equal: Vec<TermId> = case
                        .into_iter()
                        .map(|(v, value)| {
                            let value = match value {
                                Value::Bool(b) => pool.bool_const(b),
                                Value::Num(n) => pool.num(n, program.vars[v].sort),
                                other => panic!("{other:?}"),
                            };
                            pool.eq(program.vars[v].term, value)
                        })
                        .collect();
                    pool.and(&equal)
                });
                let cases: Vec<TermId> = cases.collect();
                parts.push(pool.or(&cases));
            }
            out.insert(loc, pool.and(&parts));
        }
    }
    Some(out)
}

/// Formulas of the new program hold in every state of the old one; says how many were not trivial.
fn assert_hold_back(
    pool: &mut Pool,
    program: &Program,
    made: &Transformed,
    found: BTreeMap<LocId, TermId>,
    names: &[String],
) -> usize {
    let before = states(pool, program, STATES).unwrap();
    let mut strong = 0;
    for (loc, formula) in made.back.invariants(pool, found) {
        strong += usize::from(formula != pool.tt());
        for state in before.get(&loc).into_iter().flatten() {
            let lookup = |s| {
                let mut vars = program.vars.iter_enumerated();
                let (v, _) = vars.find(|(_, v)| pool.as_constant(v.term) == Some(s))?;
                state.get(&v).cloned()
            };
            assert!(
                Evaluator::new(pool, lookup).holds(formula),
                "{names:?} at {loc}: {} in {state:?}\n{}",
                logic::smtlib::print_term(pool, formula),
                crate::text::print(pool, program)
            );
        }
    }
    strong
}

#[test]
fn invariants_go_back() {
    let all = [&EXACT[..], &COARSE[..]].concat();
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    let mut strong = 0;
    for (seed, text) in texts() {
        let mut pool = Pool::new();
        let program = parse(&mut pool, &text).unwrap();
        if states(&pool, &program, STATES).is_none() {
            continue;
        }
        let mut random = Random::new(seed);
        for _ in 0..3 {
            let (made, names) = chain(&mut pool, &program, &all, &mut random);
            let Some(found) = invariants(&mut pool, &made.program) else {
                continue;
            };
            strong += assert_hold_back(&mut pool, &program, &made, found, &names);
            for name in names {
                *used.entry(name).or_default() += 1;
            }
        }
    }
    assert!(strong > 1_000, "{strong}");
    assert!(used.len() >= all.len() - 1, "{used:?}");
}

#[test]
fn leaves_go_back() {
    let text = "
entry main
global g: Int [0, 3]
fn main(a: Int [0, 3]) returns (r: Int [0, 3]) {
  entry m0
  error bad
  m0 -> m1: r := call next(a)
  m1 -> m2: r := call next(r)
  m2 -> bad: assume (= r 3)
  m2 -> exit: assume (< r 3)
}
fn next(x: Int [0, 3]) returns (y: Int [0, 3]) {
  entry n0
  error worse
  n0 -> worse: assume (= g 2)
  n0 -> n1: g := x
  n1 -> exit: y := (+ x 1)
}";
    let mut pool = Pool::new();
    let program = parse(&mut pool, text).unwrap();
    let made = without_leaves(&mut pool, &program).unwrap();
    let found = invariants(&mut pool, &made.program).unwrap();
    let strong = assert_hold_back(&mut pool, &program, &made, found, &["leaves".into()]);
    assert!(strong > 1, "{strong}");
    let mut longest = 0;
    for seed in 0..60 {
        let run = run_at_random(&mut pool, &program, &made, seed);
        let back = made.back.execution(run);
        assert_is_execution(&mut pool, &program, &back, text);
        longest = longest.max(back.steps.len());
    }
    assert!(longest >= 7, "{longest}");
}

/// Going back through two ways one after the other is going back through their composition.
#[test]
fn ways_compose() {
    for (_, text) in texts().take(30) {
        let mut pool = Pool::new();
        let program = parse(&mut pool, &text).unwrap();
        let first = globals_to_params(&mut pool, &program);
        let second = error_flag(&mut pool, &first.program);
        let both = first.back.then(&second.back);
        for edge in second.program.edges.ids() {
            let stepwise = second.back.edge(edge).and_then(|e| first.back.edge(e));
            assert_eq!(both.edge(edge), stepwise);
        }
        for loc in second.program.locations.ids() {
            let stepwise = second
                .back
                .location(loc)
                .and_then(|l| first.back.location(l));
            assert_eq!(both.location(loc), stepwise);
        }
    }
}
