//! Programs as Horn clauses: the text is kept, and it reads back as SMT-LIB.
#![allow(clippy::unwrap_used)]

use logic::Pool;

const LOOP: &str = r#"
fn main() {
  locals x: Int [0, 9]
  entry l0
  exit l4
  error l3: unreach "assertion violated"
  l0 -> l1: x := 0
  l1 -> l2: assume (< x 5)
  l2 -> l1: x := (+ x 1)
  l1 -> l4: assume (= x 5)
  l1 -> l3: assume (> x 5)
}
"#;

const CALLS: &str = r#"
entry main
global g: Int
fn up(n: Int) returns (r: Int) {
  entry l0
  exit l4
  l0 -> l4: assume (<= n 0)
  l0 -> l1: assume (> n 0)
  l1 -> l2: r := call up((- n 1))
  l2 -> l3: g := (+ g 1)
  l3 -> l4: r := (+ r 1)
}
fn main() {
  locals x: Int
  entry l5
  exit l8
  error l7: unreach "too many"
  l5 -> l6: x := call up(3)
  l6 -> l7: assume (> x 3)
  l6 -> l8: assume (<= x 3)
}
"#;

fn clauses(text: &str) -> String {
    let mut pool = Pool::new();
    let program = program::text::parse(&mut pool, text).unwrap();
    program::export::chc::print(&mut pool, &program)
}

#[test]
fn loops_are_linear() {
    insta::assert_snapshot!(clauses(LOOP));
}

#[test]
fn calls_have_summaries() {
    insta::assert_snapshot!(clauses(CALLS));
}
