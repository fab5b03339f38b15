//! Assertions that are many boxes: accepted where they are inductive, and not where one box is missing or too small.
#![allow(clippy::unwrap_used)]

use base::{Budget, Id};
use evidence::{Proof, Scope, Verdict, check};
use logic::{Pool, Rational, TermId};
use program::EdgeId;
use program::text::parse;
use std::collections::BTreeMap;

/// A counter of 20 modes; `x` is at most ten times the mode.
const PROGRAM: &str = "global m: Int
global x: Int
fn main() {
  locals y: Int
  entry l0
  exit l6
  error e: unreach \"reached\"
  l0 -> l1: m := 0, x := 0
  l1 -> l2: havoc y nondet \"n\"
  l2 -> l3: assume (and (<= 0 y) (<= y 10))
  l3 -> l4: x := (+ (* 10 m) y)
  l4 -> e: assume (< 200 x)
  l4 -> l5: assume (<= x 200)
  l5 -> l1: m := (mod (+ m 1) 20)
}";

/// Are these bounds of `x` for each mode a proof?
fn accepted(bounds: impl Fn(i64) -> Option<(i64, i64)>) -> bool {
    let mut pool = Pool::new();
    let program = parse(&mut pool, PROGRAM).unwrap();
    let var = |name: &str| program.vars.iter().find(|v| v.name == name).unwrap().term;
    let (m, x) = (var("m"), var("x"));
    let int = pool.int_sort();
    let cases: Vec<TermId> = (0..20)
        .filter_map(|mode| Some((mode, bounds(mode)?)))
        .map(|(mode, (low, high))| {
            let mode = pool.num(Rational::from(mode), int);
            let is = pool.eq(m, mode);
            let within = pool.in_range(&Rational::from(low), x, &Rational::from(high));
            pool.and(&[is, within])
        })
        .collect();
    let either = pool.or(&cases);
    let proof = Proof {
        rest: Vec::new(),
        cone: None,
        scope: Scope::Modular,
        invariants: BTreeMap::from([(program.edges[EdgeId::from_index(0)].to, either)]),
        contracts: BTreeMap::new(),
    };
    let budget = Budget::unlimited();
    let verdict = check(&mut pool, &program, Verdict::Safe(proof), &budget);
    matches!(verdict.get(), Verdict::Safe(_))
}

/// What `x` is when the mode begins: the one before made it.
fn exact(mode: i64) -> (i64, i64) {
    match mode {
        0 => (0, 200),
        _ => (10 * mode - 10, 10 * mode),
    }
}

#[test]
fn inductive_boxes_are_a_proof() {
    assert!(accepted(|mode| Some(exact(mode))));
    assert!(accepted(|_| Some((-5, 1000))));
}

#[test]
fn a_missing_box_is_noticed() {
    assert!(!accepted(|mode| (mode != 13).then(|| exact(mode))));
}

#[test]
fn a_box_that_is_too_small_is_noticed() {
    assert!(!accepted(|mode| Some(match mode {
        7 => (60, 69),
        _ => exact(mode),
    })));
}
