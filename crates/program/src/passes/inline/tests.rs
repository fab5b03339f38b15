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

/// Only calls that lead back remain: `g` is part of `main` and of `f`, which calls itself through it.
#[test]
fn recursive_calls_remain() {
    let mut pool = Pool::new();
    let text = "
entry main
fn main() {
  locals a: Int
  m0 -> m1: a := call f(3)
  m1 -> exit: a := call g(a)
}
fn f(x: Int) returns (y: Int) {
  locals z: Int
  f0 -> f1: assume (> x 0)
  f1 -> exit: y := call g((- x 1))
  f0 -> exit: y := z
  f0 -> bad: assume (= z 7)
  error bad
}
fn g(u: Int) returns (v: Int) { g0 -> exit: v := call f(u) }";
    let program = parse(&mut pool, text).unwrap();
    let inlined = inline_but_recursion(&mut pool, &program).unwrap();
    inlined.program.check_invariants();
    let made = &inlined.program;
    let names: Vec<&str> = made.functions.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["main", "f"]);
    let calls = made.edges.iter().filter_map(|e| match e.stmt {
        Stmt::Call { callee, .. } => Some((made.locations[e.from].func, callee)),
        _ => None,
    });
    // `main` calls `f`, and again in its copy of `g`; so does the copy in `f`.
    let [main, f] = [0, 1].map(FuncId::from_index);
    let mut calls: Vec<(FuncId, FuncId)> = calls.collect();
    calls.sort_unstable();
    assert_eq!(calls, [(main, f), (main, f), (f, f)]);
    assert_eq!(made.error_locations().count(), 1);
    for (id, f) in made.functions.iter_enumerated() {
        assert_eq!(made.locations[f.entry].func, id);
        assert_eq!(made.locations[f.exit].func, id);
    }
    let again = parse(&mut pool, "fn main() { a -> exit: call main() }").unwrap();
    assert!(inline_but_recursion(&mut pool, &again).is_err());
}
