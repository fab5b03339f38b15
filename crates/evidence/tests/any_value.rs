//! Constants of a proof that stand for any value, and constants of the program that do not.
#![allow(clippy::unwrap_used)]

use base::Budget;
use evidence::{Proof, Scope, Verdict, check};
use logic::{Pool, TermId};
use program::{LocId, Stmt, any_term, text};
use std::collections::BTreeMap;

/// `a[c] = 0` is assumed, then a loop, then `a[i]` is looked at: is a proof accepted whose assertion at the
/// loop head says so much of `a[c]`?
fn accepted(constant: impl Fn(&mut Pool) -> TermId) -> bool {
    let mut pool = Pool::new();
    let text = "global a: (Array Int Int), i: Int
fn main() {
  entry start
  error bad: unreach \"not zero\"
  start -> head: assume (= (select a 0) 0)
  head -> head: skip
  head -> bad: assume (not (= (select a i) 0))
}";
    let mut program = text::parse(&mut pool, text).unwrap();
    let a = program.vars.iter().find(|v| v.name == "a").unwrap().term;
    let c = constant(&mut pool);
    let read = pool.select(a, c);
    let zero = pool.int(0);
    let fact = pool.eq(read, zero);
    let first = program.edges.ids().next().unwrap();
    program.edges[first].stmt = Stmt::Assume(fact);
    let head: LocId = program.edges[first].to;
    let proof = Proof {
        rest: Vec::new(),
        cone: None,
        scope: Scope::Modular,
        invariants: BTreeMap::from([(head, fact)]),
        contracts: BTreeMap::new(),
    };
    let checked = check(
        &mut pool,
        &program,
        Verdict::Safe(proof),
        &Budget::unlimited(),
    );
    matches!(checked.get(), Verdict::Safe(_))
}

/// The program chose one value of its constant: what holds there says nothing of other cells.
#[test]
fn constants_of_the_program_have_one_value() {
    assert!(!accepted(|pool| {
        let int = pool.int_sort();
        pool.constant("rigid", int)
    }));
}

/// Not even if it is called like those of proofs.
#[test]
fn also_those_with_a_proofs_name() {
    assert!(!accepted(|pool| any_term(pool, 0)));
}
