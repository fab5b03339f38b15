#![allow(clippy::unwrap_used)]
use super::*;

const EXAMPLE: &str = "
entry main
function f (Int Int) Int
global x: Int [0, 255]
global memory: (Array Int Int)
fn main(n: Int [-5, 9]) returns (r: Int) {
  locals i: Int, ok: Bool, |odd name|: Real
  entry l0
  exit l5
  error l4: unreach \"assertion \\\"x\\\" violated\"
  l0 -> l1: i := 0, x := n              ; parallel
  l1 -> l2: assume (< i 5)
  l2 -> l3: havoc x, ok nondet \"__VERIFIER_nondet_int\" @0:3:4:1
  l3 -> l1: i := call next(i, (wrap.u8 (+ x 1)))
  l1 -> l5: assume (or ok (>= i 5) (= |odd name| 1/2))
  l1 -> l5: memory := (store memory i (bitand (select memory 3) x))
  l1 -> l4: let $1 = (* x x), $2 = (+ $1 $1) in assume (= $2 (f $1 i))
  l5 -> l5: skip
}
fn next(a: Int, b: Int) returns (c: Int) {
  a0 -> exit: c := (+ a (fp.add.64 b b))
}
";

#[test]
fn text_round_trips() {
    let mut pool = Pool::new();
    let program = parse(&mut pool, EXAMPLE).unwrap();
    assert_eq!(program.functions.len(), 2);
    assert_eq!(program.edges.len(), 9);
    let text = print(&pool, &program);
    let again = parse(&mut pool, &text).unwrap();
    assert_eq!(print(&pool, &again), text);
    let placed = print_with_places(&pool, &program);
    assert!(placed.contains("@0:3:4:1"));
    let again = parse(&mut pool, &placed).unwrap();
    assert_eq!(print_with_places(&pool, &again), placed);
}

#[test]
fn printed_form() {
    let mut pool = Pool::new();
    let program = parse(&mut pool, EXAMPLE).unwrap();
    insta::assert_snapshot!(print(&pool, &program));
}

#[test]
fn errors_have_lines() {
    let mut pool = Pool::new();
    let mut message = |text: &str| parse(&mut pool, text).unwrap_err().to_string();
    assert_eq!(
        message("fn f() {\n a -> b: assume (< y 1)\n}"),
        "line 2: `y` is not declared"
    );
    assert_eq!(
        message("fn f() {\n a -> b: call g()\n}"),
        "line 3: no function is called `g`"
    );
    assert_eq!(
        message("global q: Int fn f() {\n a -> b: assume q }"),
        "line 2: a condition is of sort Bool"
    );
    assert!(message("fn f() { a -> b: assume (and true").contains("line 1"));
    assert!(message("").contains("at least one function"));
}

#[test]
fn deep_terms_need_no_stack() {
    let mut pool = Pool::new();
    let int = pool.int_sort();
    let b = pool.bool_sort();
    let s = pool.symbol("g", &[int], int);
    let mut t = pool.constant("x0", int);
    for _ in 0..200_000 {
        t = pool.app(s, &[t]);
    }
    let text = print_expr(&pool, t);
    assert_eq!(parse_expr(&mut pool, &text), Ok(t));
    // Sharing keeps the text linear.
    let c = pool.constant("c0", b);
    let d = pool.constant("d0", b);
    let mut t = c;
    for _ in 0..2_000 {
        let left = pool.and(&[t, d]);
        let right = pool.or(&[t, c]);
        t = pool.eq(left, right);
    }
    let sharing = Sharing::new(&pool, &[t]).bindings();
    assert!(sharing.len() < 200_000, "{}", sharing.len());
}
