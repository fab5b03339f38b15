//! Programs run to their end: accepted only where no decision depends on what is left open.
#![allow(clippy::unwrap_used)]

use base::Budget;
use evidence::{Proof, Scope, Verdict, check};
use logic::Pool;
use program::text::parse;
use std::collections::BTreeMap;

/// Is it a proof that the program with this body was run?
fn accepted(body: &str) -> bool {
    let mut pool = Pool::new();
    let text = format!(
        "global a: (Array Int Int)
fn main() {{
  locals x: Int, i: Int
  entry l0
  error e: unreach \"reached\"
{body}
}}"
    );
    let program = parse(&mut pool, &text).unwrap();
    let proof = Proof {
        rest: Vec::new(),
        cone: None,
        scope: Scope::Executed,
        invariants: BTreeMap::new(),
        contracts: BTreeMap::new(),
    };
    let verdict = check(
        &mut pool,
        &program,
        Verdict::Safe(proof),
        &Budget::unlimited(),
    );
    matches!(verdict.get(), Verdict::Safe(_))
}

#[test]
fn one_course_without_an_error_is_a_proof() {
    assert!(accepted(
        "  l0 -> l1: i := 3\n  l1 -> e: assume (= i 4)\n  l1 -> exit: assume (!= i 4)"
    ));
    assert!(!accepted(
        "  l0 -> l1: i := 4\n  l1 -> e: assume (= i 4)\n  l1 -> exit: assume (!= i 4)"
    ));
}

#[test]
fn decisions_on_what_is_open_are_none() {
    // A havoc, an initial value, and a cell that a write at an open index may have changed.
    for body in [
        "  l0 -> l1: havoc x nondet \"n\"\n  l1 -> e: assume (= x 4)\n  l1 -> exit: assume (!= x 4)",
        "  l0 -> e: assume (= x 4)\n  l0 -> exit: assume (!= x 4)",
        "  l0 -> l1: a := (store (const-array (Array Int Int) 0) x 1)
  l1 -> e: assume (= (select a 5) 1)\n  l1 -> exit: assume (!= (select a 5) 1)",
    ] {
        assert!(!accepted(body), "{body}");
    }
}

/// A loop of so many laps that writes and reads an array, and then what `after` says.
fn long(laps: u32, after: &str) -> String {
    format!(
        "  l0 -> h: i := 0, a := (const-array (Array Int Int) 0)
  h -> b: assume (< i {laps})
  h -> t: assume (>= i {laps})
  b -> c: a := (store a i 1)
  c -> d: assume (= (select a i) 1)
  c -> e: assume (!= (select a i) 1)
  d -> h: i := (+ i 1)
{after}"
    )
}

#[test]
fn long_courses_are_followed_part_by_part() {
    // Longer than a part, and than all parts may be.
    let fine = "  t -> exit: assume (= i i)";
    assert!(accepted(&long(40_000, fine)));
    assert!(!accepted(&long(600_000, fine)));
    // What is open decides behind the first part.
    let looks = "  t -> e: assume (= x 4)\n  t -> exit: assume (!= x 4)";
    assert!(!accepted(&long(40_000, looks)));
    assert!(!accepted(&long(10, looks)));
    let wrong = "  t -> e: assume (= (select a 7) 1)\n  t -> exit: assume (!= (select a 7) 1)";
    assert!(!accepted(&long(40_000, wrong)));
}

#[test]
fn entries_that_are_open_no_more_are_known() {
    // A cell that was open is written again; another one stays open.
    let body = |read: u32| {
        format!(
            "  l0 -> l1: a := (store (store (const-array (Array Int Int) 0) 1 x) 2 x)
  l1 -> l2: a := (store a 1 5)
  l2 -> e: assume (= (select a {read}) 4)\n  l2 -> exit: assume (!= (select a {read}) 4)"
        )
    };
    assert!(accepted(&body(1)));
    assert!(!accepted(&body(2)));
}
