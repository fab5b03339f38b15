//! Programs with calls executed on bounds of variables: accepted where no state reaches an error, and never where some
//! execution does.
#![allow(clippy::unwrap_used)]

use base::{Budget, Random, Work};
use evidence::{Proof, Scope, Verdict, check};
use logic::{Pool, Value};
use program::interp::{Interpreter, Limits, Oracle, Outcome};
use program::text::parse;
use program::{EdgeId, LocId, Program, VarId};
use std::collections::BTreeMap;

fn accepted(pool: &mut Pool, program: &Program) -> bool {
    let proof = Proof {
        rest: Vec::new(),
        cone: None,
        scope: Scope::Tables,
        invariants: BTreeMap::new(),
        contracts: BTreeMap::new(),
    };
    let budget = Budget::unlimited().with_slice(Work::thousand(200));
    let verdict = check(pool, program, Verdict::Safe(proof), &budget);
    matches!(verdict.get(), Verdict::Safe(_))
}

/// A lock that is taken where `open` says 0, and given back where it was taken; the mutations break one thing each.
fn lock(mutation: &str) -> bool {
    let is = |name: &str, then: &'static str, other: &'static str| match name == mutation {
        true => then,
        false => other,
    };
    let text = format!(
        "entry main
global lock: Int [0, 3], count: Int [0, 1000]
fn open(dev: Int [0, 9]) returns (code: Int [-9, 9]) {{
  entry o0
  error e: unreach \"taken twice\"
  o0 -> o1: assume (< dev 5)
  o0 -> o2: assume (>= dev 5)
  o1 -> e: assume (!= lock 0)
  o1 -> o3: assume (= lock 0)
  o3 -> exit: code := 0, lock := 1
  o2 -> exit: code := {}
}}
fn close() {{
  entry c0
  error e: unreach \"not taken\"
  c0 -> e: assume (!= lock 1)
  c0 -> exit: lock := {}
}}
fn step(n: Int [0, 9]) returns (done: Int [0, 1]) {{
  locals got: Int [-9, 9]
  entry s0
  s0 -> s1: got := call open({})
  s1 -> s2: assume (= got 0)
  s1 -> s4: assume (!= got 0)
  s4 -> exit: done := 0
  s2 -> s3: call close()
  s3 -> exit: done := 1
}}
fn main() {{
  locals m: Int [0, 9], d: Int [0, 1]
  entry m0
  error e: unreach \"left taken\"
  m0 -> m1: lock := 0, count := 0
  m1 -> m2: havoc m nondet \"n\"
  m2 -> m3: d := call step(m)
  m3 -> m1: count := (ite (< count 1000) (+ count d) 0)
  m3 -> e: assume (!= lock 0)
}}",
        is("same code", "0", "-1"),
        is("not given back", "lock", "0"),
        is("second", "(ite (= lock 1) 0 n)", "n"),
    );
    let mut pool = Pool::new();
    let program = parse(&mut pool, &text).unwrap();
    accepted(&mut pool, &program)
}

#[test]
fn a_lock_that_is_given_back_where_it_was_taken() {
    assert!(lock(""));
    assert!(lock("second"));
    assert!(!lock("same code"));
    assert!(!lock("not given back"));
}

#[test]
fn recursion_ends_with_what_it_can_return() {
    for (limit, fine) in [(4, false), (5, true)] {
        let text = format!(
            "entry main
fn deep(n: Int [0, 9]) returns (r: Int [0, 9]) {{
  locals s: Int [0, 9]
  entry d0
  d0 -> exit: r := 0
  d0 -> d1: assume (< n 5)
  d1 -> d2: s := call deep((+ n 1))
  d2 -> exit: r := (ite (< s 5) (+ s 1) s)
}}
fn main() {{
  locals x: Int [0, 9]
  entry m0
  error e: unreach \"too large\"
  m0 -> m1: x := call deep(0)
  m1 -> e: assume (> x {limit})
  m1 -> exit: skip
}}"
        );
        let mut pool = Pool::new();
        let program = parse(&mut pool, &text).unwrap();
        assert_eq!(accepted(&mut pool, &program), fine, "{limit}");
    }
}

/// Random choices.
struct Chance<'a> {
    random: Random,
    pool: &'a Pool,
    program: &'a Program,
}

impl Oracle for Chance<'_> {
    fn havoc(&mut self, _edge: EdgeId, vars: &[VarId]) -> Option<Vec<Value>> {
        let mut any = |v: &VarId| match self.program.vars[*v].sort == self.pool.bool_sort() {
            true => Value::Bool(self.random.below(2) == 1),
            false => Value::Num(self.random.below(4).into()),
        };
        Some(vars.iter().map(&mut any).collect())
    }

    fn choose(&mut self, _at: LocId, enabled: &[EdgeId]) -> Option<usize> {
        Some(self.random.below(enabled.len() as u64) as usize)
    }
}

#[test]
fn what_is_accepted_has_no_random_run_to_an_error() {
    let (mut proved, mut failed) = (0, 0);
    for seed in 0..400 {
        let text = match seed % 3 {
            0 => testkit::programs::with_calls(seed, false),
            1 => testkit::programs::with_calls(seed, true),
            _ => testkit::programs::boolean(seed),
        };
        let mut pool = Pool::new();
        let program = parse(&mut pool, &text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        let accepted = accepted(&mut pool, &program);
        proved += u32::from(accepted);
        let mut interpreter = Interpreter::new(&pool, &program);
        for run in 0..40 {
            let limits = Limits {
                steps: 300,
                ..Limits::default()
            };
            let mut chance = Chance {
                random: Random::new(seed * 100 + run),
                pool: &pool,
                program: &program,
            };
            let end = interpreter.run(&mut chance, &limits);
            if matches!(end.outcome, Outcome::ReachedError(_)) {
                failed += 1;
                assert!(!accepted, "seed {seed}, run {run}:\n{text}");
                break;
            }
        }
    }
    assert!(proved > 20 && failed > 20, "{proved} proved, {failed} fail");
}
