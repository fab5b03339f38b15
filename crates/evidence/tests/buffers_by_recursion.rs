//! Recursive functions over buffers, executed abstractly: what is accepted has no execution that fails.
#![allow(clippy::unwrap_used)]

mod random;

use base::Random;
use evidence::Scope;
use logic::Pool;
use program::text::parse;
use random::{Text, accepted, never_fails, seeds};

/// A function that calls itself, and a program that calls it.
fn text(function: &Text, main: &Text) -> String {
    let names = "p: Int [-1000, 1000], q: Int [-1000, 1000], y: Int [0, 1000000], c: Int [0, 3]";
    let function = own_names(&format!(
        "fn walk(x: Int [0, 1000000], low: Int [-1000, 1000], high: Int [-1000, 1000]) returns (r: Int [-1000, 1000], s: Int [0, 1000000]) {{
  locals {names}
  entry l0
  error e: valid-deref \"bad\"
{}}}",
        function.edges
    ));
    format!(
        "global size: (Array Int Int)
global num: (Array Int Int)
global g: Int [-1000, 1000]
global h: Int [0, 1000000]
global top: Int [0, 1000000]
fn main() {{
  locals a: Int [0, 1000000], b: Int [0, 1000000], n: Int [1, 5], m: Int [1, 5], {names}
  entry l0
  error e: valid-deref \"bad\"
{}}}
{function}
",
        main.edges
    )
}

/// The text of a function with names of its own for variables and locations.
fn own_names(text: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    for piece in text.split_inclusive(|c: char| !is_part(c)) {
        let name = piece.trim_end_matches(|c: char| !is_part(c));
        let is_location = name
            .strip_prefix('l')
            .is_some_and(|n| n.parse::<u32>().is_ok());
        let own = ["x", "low", "high", "r", "s", "p", "q", "y", "c"];
        if own.contains(&name) {
            out.push_str("f::");
        } else if is_location || name == "e" {
            out.push('f');
        }
        out.push_str(piece);
    }
    out
}

/// Is there a number at the place of a buffer?
fn valid(buffer: &str, index: &str) -> String {
    format!(
        "(and (>= {index} 0) (<= (* 8 (+ {index} 1)) (select size (div {buffer} 1024))) (= (mod {buffer} 1024) 0))"
    )
}

fn at(buffer: &str, index: &str) -> String {
    format!("(+ {buffer} (* 8 {index}))")
}

/// What a sort does wrong.
#[derive(Clone, Copy)]
struct Sort<'a> {
    first: &'a str,
    last: &'a str,
    end: &'a str,
    pivot: &'a str,
}

const GOOD: Sort = Sort {
    first: "(- p 1)",
    last: "(+ p 1)",
    end: "(- n 1)",
    pivot: "(and (<= low p) (<= p high))",
};

/// An array is divided at a place, then both parts by recursion.
fn sort(how: Sort) -> String {
    let mut f = Text::default();
    f.edge(0, "exit", "assume (>= low high)");
    f.then("assume (< low high)");
    f.then("havoc c, p nondet \"c\"");
    f.then(&format!("assume {}", how.pivot));
    for index in ["p", "low", "high"] {
        f.check(&valid("x", index));
    }
    f.then(&format!("num := (store num {} c)", at("x", "p")));
    f.then(&format!("r, s := call walk(x, low, {})", how.first));
    f.then(&format!("r, s := call walk(x, {}, high)", how.last));
    f.check(&valid("x", "p"));
    let end = f.at;
    f.edge(end, "exit", "skip");
    let mut m = Text::default();
    m.then("top := 4096, size := (const-array (Array Int Int) 0)");
    m.then("havoc n nondet \"n\"");
    m.then("a := top, top := (+ top 1024), size := (store size (div top 1024) (* 8 n))");
    m.then(&format!("p, y := call walk(a, 0, {})", how.end));
    m.check(&valid("a", "(- n 1)"));
    let end = m.at;
    m.edge(end, "exit", "skip");
    text(&f, &m)
}

fn is_accepted(text: &str) -> bool {
    let mut pool = Pool::new();
    let program = parse(&mut pool, text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    accepted(&mut pool, &program, Scope::Sites, 2_000)
}

#[test]
fn a_sort_by_recursion() {
    assert!(is_accepted(&sort(GOOD)));
    let broken = [
        Sort { end: "n", ..GOOD },
        Sort {
            pivot: "(and (<= low p) (<= p (+ high 1)))",
            ..GOOD
        },
        Sort {
            first: "(+ high 1)",
            ..GOOD
        },
        Sort {
            last: "(- low 1)",
            ..GOOD
        },
    ];
    for (n, how) in broken.into_iter().enumerate() {
        assert!(!is_accepted(&sort(how)), "{n}");
    }
}

/// What a program is made of: mostly numbers that are places of every buffer, and some that are not.
struct Kind {
    buffers: &'static [&'static str],
    numbers: &'static [&'static str],
    depth: &'static str,
}

const FUNCTION: Kind = Kind {
    buffers: &["x", "y", "h"],
    numbers: &["0", "1", "low", "p", "q", "g", "7"],
    depth: "(- high 1)",
};
const PROGRAM: Kind = Kind {
    buffers: &["a", "b", "y", "h"],
    numbers: &["0", "1", "0", "p", "q", "g", "7"],
    depth: "2",
};

/// One statement or check; what is not checked is assumed.
fn statement(random: &mut Random, t: &mut Text, kind: &Kind) {
    let buffer = random.pick(kind.buffers);
    let (index, number) = (random.pick(kind.numbers), random.pick(kind.numbers));
    let place = at(buffer, index);
    match random.below(12) {
        0 => t.then(&format!("g := {number}")),
        1 => t.then(&format!("h := {buffer}")),
        2..=4 => {
            t.then(&format!("assume {}", valid(buffer, index)));
            t.then(&format!("num := (store num {place} {number})"));
        }
        5..=7 => {
            t.then(&format!("assume {}", valid(buffer, index)));
            t.then(&format!("q := (select num {place})"));
            t.check(&valid(buffer, "q"));
        }
        8 => t.check(&valid(buffer, "q")),
        9 => t.check(&valid(buffer, "g")),
        _ => t.then(&format!(
            "q, y := call walk({buffer}, {number}, {})",
            kind.depth
        )),
    }
}

fn function(random: &mut Random) -> Text {
    let mut f = Text::default();
    f.then("r := low, s := x");
    let start = f.at;
    f.edge(start, "exit", "assume (<= high 0)");
    f.then("assume (> high 0)");
    f.then("q := 0, p := 1, y := x");
    for _ in 0..1 + random.below(4) {
        statement(random, &mut f, &FUNCTION);
    }
    let (r, s) = (random.pick(FUNCTION.numbers), random.pick(FUNCTION.buffers));
    f.then(&format!("r := {r}, s := {s}"));
    let end = f.at;
    f.edge(end, "exit", "skip");
    f
}

/// Two buffers of two or more cells, of one place or of two, or two names of one; all cells are zero or one.
fn program(random: &mut Random) -> Text {
    let mut m = Text::default();
    let new = |name: &str, n: &str| {
        format!(
            "{name} := top, top := (+ top 1024), size := (store size (div top 1024) (* 8 (+ 1 {n})))"
        )
    };
    m.then("top := 4096, size := (const-array (Array Int Int) 0), g := 0, b := 0");
    m.then("havoc n, m, c nondet \"n\"");
    let head = m.at;
    m.then(&new("a", "n"));
    m.then("num := (store (store num a 0) (+ a 8) 1), h := a");
    let from = m.at;
    match random.below(3) {
        // Some objects are of the same place, and one of them is told apart.
        0 => {
            m.then("havoc c nondet \"more\"");
            let from = m.at;
            m.then("assume (= c 1)");
            m.then("b := a");
            let end = m.at;
            m.edge(end, &format!("l{head}"), "skip");
            m.last += 1;
            m.at = m.last;
            let to = m.at;
            m.edge(from, &format!("l{to}"), "assume (!= c 1)");
        }
        1 => {
            m.then("assume (= b 0)");
            m.then(&new("b", "m"));
            m.then("num := (store (store num b 1) (+ b 8) 0)");
        }
        _ => {}
    }
    let at = m.at;
    if at != from {
        m.then("assume (!= b 0)");
    } else {
        m.then("b := a");
    }
    m.then("p := 0, q := 0, y := a");
    for _ in 0..random.below(3) {
        statement(random, &mut m, &PROGRAM);
    }
    m.then("q, y := call walk(a, 0, 2)");
    for _ in 0..1 + random.below(5) {
        statement(random, &mut m, &PROGRAM);
    }
    let end = m.at;
    m.edge(end, "exit", "skip");
    m
}

#[test]
fn no_accepted_program_with_calls_fails() {
    let (mut count, mut calls) = (0, 0);
    for seed in seeds(1_500) {
        let random = &mut Random::new(seed);
        let text = text(&function(random), &program(random));
        let mut pool = Pool::new();
        let program = parse(&mut pool, &text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        if accepted(&mut pool, &program, Scope::Sites, 1_000) {
            count += 1;
            calls += usize::from(text.matches("call").count() > 1);
            never_fails(&pool, &program, seed, &text);
        }
    }
    assert!(
        count > 20 && calls > 5,
        "only {count} ({calls}) programs were accepted"
    );
}
