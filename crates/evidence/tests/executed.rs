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
