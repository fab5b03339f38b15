#![allow(clippy::unwrap_used)]
use super::*;
use crate::interp::explore::explore;
use crate::text::parse;
use crate::{Program, Stmt};
use logic::{Pool, Rational};
use testkit::programs::{self as random, Random};

/// Chooses at random, within ranges.
struct Dice<'a> {
    random: Random,
    program: &'a Program,
    log: Vec<(EdgeId, Vec<Value>)>,
    initial: Vec<(VarId, Value)>,
}

impl Dice<'_> {
    fn value(&mut self, var: VarId) -> Value {
        match self.program.vars[var].range {
            Some(_) => Value::Num(Rational::from(self.random.below(4) as i64)),
            None => Value::Bool(self.random.below(2) == 0),
        }
    }
}

impl Oracle for Dice<'_> {
    fn initial(&mut self, var: VarId) -> Option<Value> {
        let value = self.value(var);
        self.initial.push((var, value.clone()));
        Some(value)
    }

    fn havoc(&mut self, edge: EdgeId, vars: &[VarId]) -> Option<Vec<Value>> {
        let values: Vec<Value> = vars.iter().map(|v| self.value(*v)).collect();
        assert_eq!(self.log.last().unwrap().0, edge);
        self.log.last_mut().unwrap().1 = values.clone();
        Some(values)
    }

    fn choose(&mut self, _at: LocId, enabled: &[EdgeId]) -> Option<usize> {
        let i = self.random.below(enabled.len() as u64) as usize;
        self.log.push((enabled[i], Vec::new()));
        Some(i)
    }
}

/// Random runs end where exploration says they can, and a replay of a run is that run.
#[test]
fn runs_agree_with_exploration() {
    for seed in 0..40 {
        let mut pool = Pool::new();
        let text = random::with_calls(seed, seed % 2 == 0);
        let program = parse(&mut pool, &text).unwrap();
        let explored = explore(&pool, &program, 4_000);
        let mut interpreter = Interpreter::new(&pool, &program);
        for game in 0..50 {
            let mut dice = Dice {
                random: Random::new(seed * 100 + game),
                program: &program,
                log: Vec::new(),
                initial: Vec::new(),
            };
            let limits = Limits {
                steps: 200,
                cells: 300,
                trace: true,
            };
            let run = interpreter.run(&mut dice, &limits);
            assert_eq!(
                run.trace.iter().filter(|t| !t.returns).count() as u64,
                run.steps
            );
            if explored.complete {
                match run.outcome {
                    Outcome::ReachedError(loc) => assert!(explored.errors.contains(&loc), "{text}"),
                    Outcome::Exited => {
                        let f = &program.functions[program.entry];
                        let shown = program.globals.iter().chain(&f.returns);
                        let values: Vec<Value> =
                            shown.map(|v| interpreter.value(*v).unwrap()).collect();
                        assert!(explored.exits.contains(&values), "{text}");
                    }
                    _ => {}
                }
            }
            if matches!(run.outcome, Outcome::ReachedError(_) | Outcome::Exited) {
                let mut replay = Replay::new(dice.log);
                replay.initial = dice.initial.into_iter().collect();
                let again = interpreter.run(&mut replay, &limits);
                assert_eq!(again.outcome, run.outcome, "{text}");
                assert_eq!(again.steps, run.steps);
            }
        }
    }
}

/// The compiled code and the evaluator of the logic agree on random expressions.
#[test]
fn code_agrees_with_evaluation() {
    struct Fixed(FxHashMap<VarId, Value>);
    impl Oracle for Fixed {
        fn initial(&mut self, var: VarId) -> Option<Value> {
            self.0.get(&var).cloned()
        }
        fn havoc(&mut self, _: EdgeId, _: &[VarId]) -> Option<Vec<Value>> {
            None
        }
    }
    for seed in 0..300 {
        let mut pool = Pool::new();
        let mut r = Random::new(seed);
        let vars = [
            "x",
            "y",
            "(select m y)",
            "(select (store m x y) x)",
            "70000000000",
        ];
        let e = random::value(&mut r, &vars, 5);
        let text = format!(
            "global x: Int, y: Int, b: Bool, m: (Array Int Int), out: Int\n\
             fn main() {{ a -> c: m := (store (ite b (store m x 5) m) y {e})\n c -> exit: out := {e} }}"
        );
        let program = parse(&mut pool, &text).unwrap();
        let id = |name: &str| {
            let mut vars = program.vars.iter_enumerated();
            vars.find(|(_, v)| v.name == name).unwrap().0
        };
        let mut values: FxHashMap<VarId, Value> = FxHashMap::default();
        for name in ["x", "y"] {
            let n = r.below(1 << 40) as i64 - (1 << 39);
            values.insert(id(name), Value::Num(Rational::from(n)));
        }
        values.insert(id("b"), Value::Bool(r.below(2) == 0));
        let mut expected = values.clone();
        for edge in program.edges.iter() {
            let Stmt::Assign(pairs) = &edge.stmt else {
                continue;
            };
            let (var, e) = pairs[0];
            let value = logic::Evaluator::new(&pool, |s| {
                let mut vars = program.vars.iter_enumerated();
                let (v, _) = vars.find(|(_, v)| pool.as_constant(v.term) == Some(s))?;
                expected.get(&v).cloned()
            })
            .eval(e);
            expected.insert(var, value);
        }
        let mut interpreter = Interpreter::new(&pool, &program);
        let run = interpreter.run(&mut Fixed(values), &Limits::default());
        assert_eq!(run.outcome, Outcome::Exited);
        for (var, value) in expected {
            assert_eq!(interpreter.value(var), Some(value), "{text}");
        }
    }
}

#[test]
fn memory_is_updated_in_place() {
    let mut pool = Pool::new();
    let text = "
global m: (Array Int Int), n: (Array Int (Array Int Int)), i: Int
fn main() {
  a -> h: i := 0
  h -> b: assume (< i 100000)
  b -> c: m := (store m i (+ i 1)), n := (store n 7 (store (select n 7) i (select m i)))
  c -> h: i := (+ i 1)
  h -> exit: assume (>= i 100000)
}";
    let program = parse(&mut pool, text).unwrap();
    let mut interpreter = Interpreter::new(&pool, &program);
    let mut replay = Replay::new(Vec::new());
    struct Free;
    impl Oracle for Free {
        fn havoc(&mut self, _: EdgeId, _: &[VarId]) -> Option<Vec<Value>> {
            None
        }
    }
    let run = interpreter.run(&mut Free, &Limits::default());
    assert_eq!(run.outcome, Outcome::Exited);
    let small = Limits {
        cells: 50_000,
        ..Limits::default()
    };
    assert_eq!(
        interpreter.run(&mut Free, &small).outcome,
        Outcome::OutOfMemory
    );
    let short = Limits {
        steps: 10,
        ..Limits::default()
    };
    assert_eq!(
        interpreter.run(&mut Free, &short).outcome,
        Outcome::OutOfSteps
    );
    let entry = program.functions[program.entry].entry;
    assert_eq!(
        interpreter.run(&mut replay, &short).outcome,
        Outcome::OutOfInputs(entry)
    );
}
