//! Errors that abstract execution sets aside are out of reach, and the others are left.
#![allow(clippy::unwrap_used)]

use base::{Budget, Work};
use evidence::{Proof, Scope, Verdict, check, set_aside};
use logic::Pool;
use program::LocId;
use program::text::parse;

/// A byte is written at `p + i`, once with and once without a look at the bound, `f` does it in two copies.
fn text(first: &str, second: &str) -> String {
    let valid = "(<= (+ x 1) (+ (* 1024 (div x 1024)) (select size (div x 1024))))";
    format!(
        "global size: (Array Int Int)
global mem: (Array Int Int)
global top: Int [0, 1000000]
fn main() {{
  locals p: Int [0, 1000000], i: Int [0, 100], j: Int [0, 100]
  entry l0
  exit l9
  l0 -> l1: top := 2048, size := (const-array (Array Int Int) 0)
  l1 -> l2: p := top, size := (store size (div top 1024) 8), top := (+ top 1024)
  l2 -> l3: havoc i, j
  l3 -> l4: assume (< i {first})
  l4 -> l5: call f((+ p i))
  l5 -> l6: assume (< j {second})
  l6 -> l9: call g((+ p j))
}}
fn f(x: Int [0, 1000000]) {{
  entry l10
  exit l11
  error e: valid-deref \"bad\"
  l10 -> e: assume (not {valid})
  l10 -> l11: mem := (store mem x 0)
}}
fn g(y: Int [0, 1000000]) {{
  entry l20
  exit l21
  error d: valid-deref \"bad\"
  l20 -> d: assume (not {y})
  l20 -> l21: mem := (store mem y 0)
}}",
        y = valid.replace('x', "y")
    )
}

#[test]
fn what_is_set_aside_is_out_of_reach() {
    for (first, second, aside, all) in [
        ("8", "8", 2, true),
        ("9", "8", 1, false),
        ("8", "9", 1, false),
        ("9", "9", 0, false),
    ] {
        let mut pool = Pool::new();
        let text = text(first, second);
        let program = parse(&mut pool, &text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        let budget = Budget::unlimited().with_slice(Work::thousand(1_000));
        let shown = set_aside(&mut pool, &program, &budget).unwrap();
        assert_eq!(shown.len(), aside, "{first} {second}");
        assert_eq!(shown.is_empty(), aside == 0);
        let left = shown.left(&program);
        let errors = |p: &program::Program| -> Vec<LocId> {
            let all = p.locations.iter_enumerated();
            let all = all.filter(|(_, l)| l.error.is_some());
            all.map(|(l, _)| l).collect()
        };
        assert_eq!(errors(&left).len(), 2 - aside);
        // What is left has no proof where an error can be reached, and is the whole proof where none can.
        let claim = Verdict::Safe(Proof::by(Scope::Sites));
        let rest = check(&mut pool, &left, claim, &budget);
        let whole = rest.with_aside(shown.clone());
        assert_eq!(matches!(whole.get(), Verdict::Safe(_)), all);
        if all {
            let again = check(&mut pool, &program, whole.into_inner(), &budget);
            assert!(matches!(again.get(), Verdict::Safe(_)));
        }
        assert_eq!(shown.decided(&program).is_ok(), all);
    }
}
