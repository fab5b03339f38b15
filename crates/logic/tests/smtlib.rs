//! SMT-LIB reading and printing on whole texts.
#![allow(clippy::unwrap_used)]

use logic::smtlib::{
    CommandKind, Hooks, NoHooks, ScriptReader, declarations, parse_script, parse_term, prelude,
    print_term,
};
use logic::{Model, Pool, TermId, Value, eval};

fn assertions(pool: &mut Pool, text: &str) -> Vec<TermId> {
    let script = parse_script(pool, text).unwrap_or_else(|e| panic!("{e}"));
    script
        .commands
        .iter()
        .filter_map(|c| match c.kind {
            CommandKind::Assert { term, .. } => Some(term),
            _ => None,
        })
        .collect()
}

fn errors(text: &str) -> Vec<String> {
    match parse_script(&mut Pool::new(), text) {
        Ok(_) => Vec::new(),
        Err(e) => e.0.iter().map(ToString::to_string).collect(),
    }
}

/// Each formula on the left is the formula on the right, as terms.
#[test]
fn operators_and_sugar() {
    let decl = "(declare-const x Int)(declare-const y Int)(declare-const r Real)
        (declare-const p Bool)(declare-const q Bool)
        (declare-const a (Array Int Int))(declare-fun f (Int Real) Int)
        (define-fun inc ((v Int)) Int (+ v 1)) (define-const two Int 2)
        (define-sort Map (K) (Array K K)) (declare-const m (Map Int))";
    for (left, right) in [
        ("(< x y)", "(not (<= y x))"),
        ("(< x y two)", "(and (< x y) (< y 2))"),
        ("(=> p q p)", "(=> p (=> q p))"),
        ("(xor p q true)", "(xor (xor p q) true)"),
        ("(= x y two)", "(and (= x y) (= y 2))"),
        (
            "(distinct x y two)",
            "(and (not (= x y)) (not (= x 2)) (not (= y 2)))",
        ),
        ("(= (- x y two) 0)", "(= x (+ y 2))"),
        ("(= (- x) 5)", "(= x (- 5))"),
        ("(= (* 2 x) 3)", "false"),
        ("(<= (* 2 x) 5)", "(<= x 2)"),
        ("(= r 1)", "(= r 1.0)"),
        ("(= r (/ 1 3))", "(= (* 3 r) 1.0)"),
        ("(= (+ x r) 0)", "(= (+ (to_real x) r) 0.0)"),
        ("(<= (abs x) 3)", "(<= (ite (< x 0) (- x) x) 3)"),
        ("((_ divisible 3) x)", "(= (mod x 3) 0)"),
        ("(is_int r)", "(= r (to_real (to_int r)))"),
        ("(let ((x y) (y x)) (< x y))", "(< y x)"),
        ("(= (inc (inc x)) y)", "(= (+ x 2) y)"),
        ("(= (f x x) 0)", "(= (f x (to_real x)) 0)"),
        ("(= (select (store a x y) x) 1)", "(= y 1)"),
        ("(= m a)", "(= a m)"),
        (
            "(= a ((as const (Array Int Int)) 0))",
            "(= ((as const (Map Int)) 0) a)",
        ),
        ("(! (and p q) :pattern (p) :named foo)", "(and p q)"),
        ("(= (div x 1) (mod 7 (- 3)))", "(= x 1)"),
        ("(ite p q q)", "q"),
        ("(> x 3 y)", "(and (> x 3) (> 3 y))"),
        ("(= (c.div (- 7) 2) x)", "(= x (- 3))"),
        ("(= (wrap.s8 200) x)", "(= x (- 56))"),
        ("(= |x| x)", "true"),
    ] {
        let mut pool = Pool::new();
        let text = format!("{decl}(assert {left})(assert {right})");
        let terms = assertions(&mut pool, &text);
        assert_eq!(
            print_term(&pool, terms[0]),
            print_term(&pool, terms[1]),
            "{left}"
        );
        // What is printed reads back.
        let lookup_pool = pool.clone();
        for &t in &terms {
            let text = print_term(&pool, t);
            let mut reader = pool.clone();
            let again = parse_term(&mut reader, &text, &|name| {
                let s = lookup_pool.symbol_named(name)?;
                Some(lookup_pool.clone().app(s, &[]))
            });
            assert_eq!(again.unwrap(), t, "{text}");
        }
    }
}

#[test]
fn errors_have_positions_and_the_next_command_is_read() {
    let text = "(declare-const x Int)
(assert (+ x 1))
(assert (and x true))
  (assert (< x z))
(foo)
(assert)
(declare-const x Int)
(assert (forall ((y Int)) (< x y)))
(pop)
(declare-datatypes () ())
(assert (< x 1 \"s\"))
(check-sat)
(assert (< x 1)";
    assert_eq!(
        errors(text),
        [
            "2:9: a term of sort Bool is needed, this one is Int",
            "3:9: an argument of sort Bool is needed, this one is Int",
            "4:16: `z` is not declared",
            "5:2: `foo` is not a known command",
            "6:2: `assert` does not take these arguments",
            "7:16: `x` is declared already",
            "8:9: quantifiers are not supported here",
            "9:1: there are only 0 levels to pop",
            "10:2: `declare-datatypes` is not supported",
            "11:16: `s` is not a term",
            "13:1: this list is not closed",
        ]
    );
}

#[test]
fn scopes_end_with_pop() {
    let text = "(push)(declare-const x Int)(assert (= x 1))(pop)
        (push 2)(declare-const x Bool)(assert (! x :named n))(assert n)(pop 2)
        (declare-const n Real)(assert (= n 1))";
    let mut pool = Pool::new();
    assert_eq!(assertions(&mut pool, text).len(), 4);
}

#[test]
fn quantifiers_go_to_the_hook() {
    struct Universal(Vec<TermId>);
    impl Hooks for Universal {
        fn quantifier(
            &mut self,
            _: &mut Pool,
            exists: bool,
            vars: &[TermId],
            body: TermId,
        ) -> Result<TermId, String> {
            assert!(!exists);
            self.0.extend(vars);
            Ok(body)
        }
    }
    let text = "(declare-fun P (Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (and (P x) (= y (+ x 1))) (P y))))";
    let mut pool = Pool::new();
    let mut hooks = Universal(Vec::new());
    let mut reader = ScriptReader::new(text);
    let mut count = 0;
    while let Some(command) = reader.next(&mut pool, &mut hooks) {
        command.unwrap();
        count += 1;
    }
    assert_eq!((count, hooks.0.len()), (2, 2));
}

#[test]
fn shared_subterms_print_in_linear_size() {
    let mut pool = Pool::new();
    let int = pool.int_sort();
    let f = pool.symbol("f", &[int, int], int);
    let mut t = pool.constant("x", int);
    for _ in 0..200 {
        t = pool.app(f, &[t, t]);
    }
    let text = print_term(&pool, t);
    assert!(text.len() < 10_000, "{}", text.len());
    let lookup = pool.constant("x", int);
    let again = parse_term(&mut pool, &text, &|_| Some(lookup)).unwrap();
    assert_eq!(again, t);
}

#[test]
fn deep_nesting() {
    let n = 1_000_000;
    let mut pool = Pool::new();
    let int = pool.int_sort();
    let x = pool.constant("x", int);
    pool.symbol("f", &[int], int);
    let text = format!("{}x{}", "(f ".repeat(n), ")".repeat(n));
    let t = parse_term(&mut pool, &text, &|_| Some(x)).unwrap();
    assert_eq!(print_term(&pool, t), text);
    let lets = format!(
        "(declare-fun g (Int Int) Int)(declare-const x0 Int)(assert (= 0 {} x{}))",
        (0..100_000)
            .map(|i| format!("(let ((x{} (g x{i} x{i}))) ", i + 1))
            .collect::<String>(),
        format_args!("100000{}", ")".repeat(100_000)),
    );
    assert_eq!(assertions(&mut pool, &lets).len(), 1);
    let sort = format!(
        "(declare-const a {}Int{})",
        "(Array Int ".repeat(n),
        ")".repeat(n)
    );
    assert_eq!(errors(&sort).len(), 1);
}

#[test]
fn the_prelude_is_read_back_as_built_in() {
    let mut pool = Pool::new();
    let int = pool.int_sort();
    let (x, y) = (pool.constant("x y", int), pool.constant("store", int));
    let mut terms = vec![
        pool.wrap(8, false, x),
        pool.wrap(32, true, x),
        pool.bit_and(x, y),
        pool.bit_or(x, y),
        pool.bit_xor(x, y),
        pool.shl(x, y),
        pool.shr(x, y),
        pool.c_div(x, y),
        pool.c_rem(x, y),
        pool.int_div(x, y),
    ];
    let zero = pool.zero_division_symbol(logic::Op::IntDiv);
    terms.push(pool.app(zero, &[x]));
    let mut text = prelude(&pool, &terms) + &declarations(&pool, &terms);
    for &t in &terms {
        text += &format!("(assert (= 0 {}))\n", print_term(&pool, t));
    }
    let zero = pool.int(0);
    let expected: Vec<TermId> = terms.iter().map(|&t| pool.eq(t, zero)).collect();
    assert_eq!(assertions(&mut pool, &text), expected);
    // A function of the same name with another meaning is not taken for ours.
    let own = "(define-fun wrap.u8 ((a Int)) Int a)(assert (= (wrap.u8 300) 300))";
    let t = assertions(&mut pool, own)[0];
    assert_eq!(eval(&pool, &Model::default(), t), Value::Bool(true));
}

#[test]
fn reader_of_a_large_text_is_linear() {
    let line = "(assert (or (< (+ x 1) y) (= x (* 3 y)) (not p)))\n";
    let mut text = String::from("(declare-const x Int)(declare-const y Int)(declare-const p Bool)");
    text += &line.repeat(50_000);
    let mut pool = Pool::new();
    let mut reader = ScriptReader::new(&text);
    let mut count = 0;
    while let Some(command) = reader.next(&mut pool, &mut NoHooks) {
        command.unwrap();
        count += 1;
    }
    assert_eq!(count, 50_003);
}
