//! A lock with many digits: a wrong one ends the run, so only runs that go on from one another open it.
#![allow(clippy::unwrap_used)]

use super::GuidedRuns;
use crate::limits::RunLimits;
use base::Budget;
use evidence::Verdict;
use logic::Pool;

/// Opens after `digits` right inputs in a row; the error is behind `open` of them.
fn lock(digits: usize, open: usize) -> String {
    let mut text = String::from(
        "entry main\nglobal m: Int\nglobal i: Int\nfn main() {\n  error bad\n  entry start\n  start -> head: m := 0\n  head -> got: havoc i\n",
    );
    for place in 0..digits {
        let right = (place * 7919 + 13) % 1000;
        text += &format!("  got -> at{place}: assume (= m {place})\n");
        text += &format!("  at{place} -> right{place}: assume (= i {right})\n");
        text += &format!("  at{place} -> exit: assume (not (= i {right}))\n");
        text += &format!("  right{place} -> head: m := {}\n", place + 1);
    }
    text + &format!("  head -> bad: assume (= m {open})\n}}\n")
}

fn errors(text: &str) -> Vec<bool> {
    let mut pool = Pool::new();
    let program = program::text::parse(&mut pool, text).unwrap();
    let mut limits = RunLimits::default();
    limits.guide.idle = 3000;
    let budget = Budget::unlimited();
    let copy = pool.clone();
    let mut runs = GuidedRuns::new(&copy, &program, &limits).unwrap();
    let found = runs.next(&budget).unwrap();
    let judge = |cex| {
        let checked = evidence::check(&mut pool, &program, Verdict::Unsafe(cex), &budget);
        matches!(checked.get(), Verdict::Unsafe(_))
    };
    found.into_iter().map(judge).collect()
}

#[test]
fn runs_that_go_on_from_one_another_open_a_lock() {
    assert_eq!(errors(&lock(12, 12)), [true]);
}

#[test]
fn without_an_error_they_end() {
    assert!(errors(&lock(12, 13)).is_empty());
}

#[test]
fn programs_without_inputs_have_no_runs() {
    let pool_of = |text: &str| {
        let mut pool = Pool::new();
        let program = program::text::parse(&mut pool, text).unwrap();
        GuidedRuns::new(&pool, &program, &RunLimits::default()).is_none()
    };
    assert!(pool_of(&lock(2, 2).replace("havoc i", "i := 13")));
    assert!(!pool_of(&lock(2, 2)));
}
