//! The paper's algorithm on its own example and, by brute force, on Boolean programs (Theorem 1).
#![allow(clippy::unwrap_used)]

use crate::api::{Engine, EngineKind, EngineOptions, Stats, Task};
use crate::whale::Whale;
use crate::whale::tests::errs;
use base::Budget;
use evidence::Verdict;
use logic::Pool;
use program::Program;
use std::time::Duration;
use testkit::programs;

fn run(pool: &mut Pool, program: &Program, budget: &Budget) -> (Verdict, Stats) {
    let mut stats = Stats::default();
    let verdict = Whale::default().run(&mut Task {
        pool,
        program,
        options: &EngineOptions::paper(EngineKind::Whale),
        budget,
        stats: &mut stats,
        progress: &mut |_| {},
    });
    (verdict, stats)
}

#[test]
fn boolean_programs_end_with_the_right_answer() {
    let (mut safe, mut unsafe_) = (0, 0);
    for seed in 0..120 {
        let text = programs::boolean(seed);
        let mut pool = Pool::new();
        let program = program::text::parse(&mut pool, &text).unwrap();
        let expected = errs(&pool, &program);
        let budget = Budget::unlimited().with_time(Duration::from_secs(60));
        let (verdict, _) = run(&mut pool, &program, &budget);
        match (&verdict, expected) {
            (Verdict::Safe(_), false) => safe += 1,
            (Verdict::Unsafe(_), true) => unsafe_ += 1,
            other => panic!("{other:?} on\n{text}"),
        }
        let checked = evidence::check(&mut pool, &program, verdict, &budget);
        let kept = !matches!(checked.get(), Verdict::Unknown(_));
        assert!(kept, "rejected: {:?}\n{text}", checked.get());
    }
    assert!(safe > 20 && unsafe_ > 20, "{safe} safe, {unsafe_} unsafe");
}

/// McCarthy's 91 function, as in the paper's Fig. 1, with the bound that is asked for.
fn mc91(bound: i32) -> String {
    format!(
        "entry main
fn main() returns (s: Int) {{
  locals a: Int
  error bad
  entry m0
  m0 -> m1: s := call mc91(a)
  m1 -> bad: assume (< s {bound})
  m1 -> exit: assume (>= s {bound})
}}
fn mc91(p: Int) returns (r: Int) {{
  locals p1: Int, p2: Int
  entry l2
  l2 -> l3: assume (> p 100)
  l3 -> exit: r := (- p 10)
  l2 -> l5: assume (<= p 100)
  l5 -> l6: p1 := (+ p 11)
  l6 -> l7: p2 := call mc91(p1)
  l7 -> exit: r := call mc91(p2)
}}
"
    )
}

#[test]
fn the_motivating_example() {
    let mut pool = Pool::new();
    let program = program::text::parse(&mut pool, &mc91(91)).unwrap();
    let budget = Budget::unlimited().with_time(Duration::from_secs(20));
    let (verdict, stats) = run(&mut pool, &program, &budget);
    let Verdict::Safe(proof) = verdict else {
        panic!("{verdict:?}");
    };
    // Main, mc91, its two calls, and the two calls of the second, which is covered at the end.
    assert_eq!(stats.counters["ARGs"], 6);
    assert_eq!(stats.counters["Cover"], 1);
    let ensures = proof
        .contracts
        .values()
        .map(|c| program::text::print_expr(&pool, c.ensures));
    let ensures: Vec<String> = ensures.collect();
    assert!(
        ensures.iter().any(|e| e.contains("(> r 90)")),
        "{ensures:?}"
    );
    let checked = evidence::check(&mut pool, &program, Verdict::Safe(proof), &budget);
    assert!(
        matches!(checked.get(), Verdict::Safe(_)),
        "{:?}",
        checked.get()
    );
}

#[test]
fn a_bound_that_is_missed_is_an_error() {
    let mut pool = Pool::new();
    let program = program::text::parse(&mut pool, &mc91(92)).unwrap();
    let budget = Budget::unlimited().with_time(Duration::from_secs(20));
    let (verdict, _) = run(&mut pool, &program, &budget);
    let checked = evidence::check(&mut pool, &program, verdict, &budget);
    assert!(
        matches!(checked.get(), Verdict::Unsafe(_)),
        "{:?}",
        checked.get()
    );
}
