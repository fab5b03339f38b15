#![allow(clippy::unwrap_used)]
use super::*;
use crate::text::{parse, print};

#[test]
fn calls_become_copies() {
    let mut pool = Pool::new();
    let text = "
entry main
global g: Int
fn main() {
  locals a: Int [0, 9], b: Int [0, 9]
  l0 -> l1: a := call f(1)
  l1 -> l2: b := call f((+ a 1))
  l2 -> exit: assume (= a b)
}
fn f(x: Int) returns (y: Int) {
  locals z: Int [0, 3], w: Int
  f0 -> f1: w := x
  f1 -> bad: assume (= z x)
  f1 -> exit: y := (+ z w)
  error bad
}";
    let program = parse(&mut pool, text).unwrap();
    let inlined = inline(&mut pool, &program).unwrap();
    inlined.program.check_invariants();
    insta::assert_snapshot!(print(&pool, &inlined.program));
    let again = inline(&mut pool, &program).unwrap();
    assert_eq!(print(&pool, &inlined.program), print(&pool, &again.program));
    assert_eq!(inlined.program.error_locations().count(), 2);
    assert_eq!(inlined.instances.len(), 3);
    assert!(matches!(
        inline_within(&mut pool, &program, 5),
        Err(Refusal::TooLarge { .. })
    ));
    // An upper bound: a call is three edges unless it passes nothing.
    let size = size(&program).unwrap();
    let edges = inlined.program.edges.len() as u64;
    assert!(edges <= size && size <= edges + 2 * 3, "{edges} {size}");
}

#[test]
fn recursion_is_refused_by_name() {
    let mut pool = Pool::new();
    let text = "
fn main() { m0 -> exit: call f() }
fn f() { f0 -> exit: call g() }
fn g() { g0 -> exit: call f() }";
    let program = parse(&mut pool, text).unwrap();
    let refusal = inline(&mut pool, &program).unwrap_err();
    assert_eq!(refusal.to_string(), "recursion: f calls g calls f");
    assert_eq!(size(&program), Err(refusal));
}

/// The size of a program whose copies double with each of eighty functions is known at once.
#[test]
fn sizes_are_counted_and_saturate() {
    let mut pool = Pool::new();
    let mut text = String::from("entry f0\n");
    for i in 0..80 {
        let next = i + 1;
        text += &format!("fn f{i}() {{ a -> b: call f{next}()\n  b -> exit: call f{next}() }}\n");
    }
    text += "fn f80() { a -> exit: skip }\n";
    let program = parse(&mut pool, &text).unwrap();
    assert_eq!(size_within(&program, u64::MAX), Ok(u64::MAX));
    assert!(size(&program).is_err() && inline(&mut pool, &program).is_err());
}
