//! Facts about any two objects: the proof that a list built by prepending can be freed, and proofs with
//! one fact less or a wrong one.
#![allow(clippy::unwrap_used)]

use base::Budget;
use evidence::{Proof, Scope, Verdict, check};
use logic::{Pool, TermId};
use program::{LocId, Program, Stmt, text};
use std::collections::BTreeMap;

/// Objects are numbers from 1 on in the order of their allocation; `heap` marks those that live.
const PROGRAM: &str = "global heap: (Array Int Int), next: (Array Int Int), head: Int, top: Int
fn main() {
  entry start
  error freed: unreach \"a freed node is used\"
  error lost: unreach \"a node lives at the end\"
  start -> build: heap := (const-array (Array Int Int) 0), head := 0, top := 1
  build -> build: heap := (store heap top 1), next := (store next top head), head := top, top := (+ top 1)
  build -> drop: skip
  drop -> freed: assume (and (!= head 0) (!= (select heap head) 1))
  drop -> node: assume (and (!= head 0) (= (select heap head) 1))
  node -> drop: heap := (store heap head 0), head := (select next head)
  drop -> lost: assume (and (= head 0) (not (= heap (const-array (Array Int Int) 0))))
}";

/// What holds at both loops.
const FACTS: [&str; 8] = [
    "(or (= head 0) (= (select heap head) 1))",
    "(or (!= (select heap any!0) 1) (= (select next any!0) 0) (= (select heap (select next any!0)) 1))",
    "(or (!= (select heap any!0) 1) (< (select next any!0) any!0))",
    "(or (!= (select heap any!0) 1) (<= any!0 head))",
    "(or (!= (select heap any!0) 1) (!= (select heap any!1) 1) (>= any!0 any!1) (<= any!0 (select next any!1)))",
    "(or (!= (select heap any!0) 1) (and (<= 1 any!0) (< any!0 top)))",
    "(or (= (select heap any!0) 0) (= (select heap any!0) 1))",
    "(and (<= 1 top) (<= 0 head))",
];

/// The facts as terms: they are parsed as the conditions of a program of their own.
fn terms(pool: &mut Pool, facts: &[&str]) -> Vec<TermId> {
    let mut source = String::from(
        "global heap: (Array Int Int), next: (Array Int Int), head: Int, top: Int, any!0: Int, any!1: Int
fn main() {
  entry l0
",
    );
    for (n, fact) in facts.iter().enumerate() {
        source += &format!("  l{n} -> l{}: assume {fact}\n", n + 1);
    }
    source += "}";
    let program = text::parse(pool, &source).unwrap();
    let condition = |stmt: &Stmt| match stmt {
        Stmt::Assume(t) => Some(*t),
        _ => None,
    };
    program
        .edges
        .iter()
        .filter_map(|e| condition(&e.stmt))
        .collect()
}

fn target(program: &Program, edge: usize) -> LocId {
    program.edges.iter().nth(edge).unwrap().to
}

/// Is the program proven by these facts at both loops?
fn accepted(facts: &[&str]) -> bool {
    let mut pool = Pool::new();
    let program = text::parse(&mut pool, PROGRAM).unwrap();
    let facts = terms(&mut pool, facts);
    let fact = pool.and(&facts);
    let (build, drop) = (target(&program, 0), target(&program, 2));
    let proof = Proof {
        rest: Vec::new(),
        cone: None,
        scope: Scope::Modular,
        invariants: BTreeMap::from([(build, fact), (drop, fact)]),
        contracts: BTreeMap::new(),
    };
    let verdict = Verdict::Safe(proof);
    let checked = check(&mut pool, &program, verdict, &Budget::unlimited());
    matches!(checked.get(), Verdict::Safe(_))
}

#[test]
fn the_proof_of_a_list_is_accepted() {
    assert!(accepted(&FACTS));
}

/// Every fact is needed: with `next` all but null the walk would go on in freed nodes, and so on.
#[test]
fn with_a_fact_less_it_is_none() {
    for (left_out, fact) in FACTS.iter().enumerate().take(FACTS.len() - 1) {
        let mut fewer = FACTS.to_vec();
        fewer.remove(left_out);
        assert!(!accepted(&fewer), "without {fact}");
    }
}

/// Order the other way round, no order between neighbours, a node too many.
#[test]
fn with_a_wrong_fact_it_is_none() {
    for (at, from, to) in [
        (
            2,
            "(< (select next any!0) any!0)",
            "(> (select next any!0) any!0)",
        ),
        (
            4,
            "(<= any!0 (select next any!1))",
            "(< any!0 (select next any!1))",
        ),
        (3, "(<= any!0 head)", "(< any!0 head)"),
    ] {
        let wrong = FACTS[at].replace(from, to);
        assert_ne!(wrong, FACTS[at]);
        let mut facts = FACTS.to_vec();
        facts[at] = &wrong;
        assert!(!accepted(&facts), "with {wrong}");
    }
}
