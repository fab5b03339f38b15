//! Buffers of any size and zeros that end them, executed abstractly: walks over strings and numbers in nodes are
//! accepted where all is well, their mutated twins are not, and no accepted program has an execution that fails.
#![allow(clippy::unwrap_used)]

mod random;

use base::Random;
use evidence::Scope;
use logic::Pool;
use program::text::parse;
use random::{Text, accepted, never_fails, seeds, valid};

/// The two kinds of abstract execution.
const SCOPES: [Scope; 2] = [Scope::Shapes, Scope::Sites];

fn text(edges: &str) -> String {
    format!(
        "global size: (Array Int Int)
global mem: (Array Int Int)
global before: (Array Int Int)
global next: (Array Int Int)
global top: Int [0, 1000000]
fn main() {{
  locals a: Int [0, 1000000], b: Int [0, 1000000], p: Int [0, 1000000], q: Int [0, 1000000], n: Int [1, 6], m: Int [1, 6], i: Int [-2000, 2000], c: Int [0, 3], more: Int [0, 3]
  entry l0
  error e: valid-deref \"bad\"
{edges}}}"
    )
}

/// Is it accepted by each of the two?
fn is_accepted(edges: &str) -> [bool; 2] {
    let mut pool = Pool::new();
    let text = text(edges);
    let program = parse(&mut pool, &text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    SCOPES.map(|scope| accepted(&mut pool, &program, scope, 4_000))
}

/// `while ((*q++ = *p++) != 0);` from a string of n bytes into m bytes.
fn copy() -> String {
    let (from, to) = (valid("p"), valid("q"));
    format!(
        "  l0 -> l1: top := 4096, size := (const-array (Array Int Int) 0)
  l1 -> l2: havoc n, m nondet \"n\"
  l2 -> l3: assume (<= n m)
  l3 -> l4: a := top, top := (+ top 1024), size := (store size (div top 1024) n)
  l4 -> l5: b := top, top := (+ top 1024), size := (store size (div top 1024) m)
  l5 -> l6: mem := (store mem (+ a n -1) 0)
  l6 -> l7: p := a, q := b
  l7 -> e: assume (not {from})
  l7 -> l8: assume {from}
  l8 -> l9: c := (select mem p)
  l9 -> e: assume (not {to})
  l9 -> l10: assume {to}
  l10 -> l11: mem := (store mem q c)
  l11 -> l12: p := (+ p 1), q := (+ q 1)
  l12 -> l7: assume (!= c 0)
  l12 -> exit: assume (= c 0)
"
    )
}

#[test]
fn a_string_is_copied() {
    let program = copy();
    assert_eq!(is_accepted(&program), [true, true]);
    let mutations = [
        ("(<= n m)", "(<= n (+ m 1))"),
        ("(<= n m)", "(<= m n)"),
        ("(+ a n -1) 0)", "(+ a n -1) 1)"),
        ("(+ a n -1) 0)", "(+ b n -1) 0)"),
        ("p := (+ p 1)", "p := (+ p 2)"),
        ("q := (+ q 1)", "q := (+ q 2)"),
        ("l12 -> l7: assume (!= c 0)", "l12 -> l7: skip"),
        ("(store mem q c)", "(store mem p c)"),
        ("(store mem q c)", "(store mem (+ p 1) 1)"),
    ];
    for (good, bad) in mutations {
        let broken = program.replace(good, bad);
        assert!(broken != program, "{good}");
        // Writing back what was read changes nothing.
        let harmless = bad == "(store mem p c)";
        assert!(harmless || is_accepted(&broken) == [false, false], "{bad}");
    }
}

/// Nodes with two numbers, the first at most the second, in a list of any length.
fn nodes() -> String {
    "  l0 -> l1: top := 4096, size := (const-array (Array Int Int) 0), a := 0
  l1 -> l2: havoc more, n, m nondet \"n\"
  l2 -> l3: assume (!= more 0)
  l3 -> l4: assume (<= n m)
  l3 -> l1: assume (> n m)
  l4 -> l5: b := top, top := (+ top 1024), size := (store size (div top 1024) 24)
  l5 -> l6: mem := (store mem b n)
  l6 -> l7: mem := (store mem (+ b 8) m)
  l7 -> l8: next := (store next (+ b 16) a)
  l8 -> l1: a := b
  l2 -> l9: assume (= more 0)
  l9 -> l10: assume (!= a 0)
  l10 -> e: assume (> (select mem a) (select mem (+ a 8)))
  l10 -> l11: assume (<= (select mem a) (select mem (+ a 8)))
  l11 -> l9: a := (select next (+ a 16))
  l9 -> exit: assume (= a 0)
"
    .into()
}

#[test]
fn numbers_in_nodes_relate() {
    let program = nodes();
    assert_eq!(is_accepted(&program), [true, true]);
    let mutations = [
        ("l4: assume (<= n m)", "l4: assume (<= n (+ m 1))"),
        ("l4: assume (<= n m)", "l4: skip"),
        ("(store mem (+ b 8) m)", "(store mem (+ b 8) 2)"),
        ("(store mem (+ b 8) m)", "(store mem (+ b 4) m)"),
        (
            "assume (> (select mem a) (select mem (+ a 8)))",
            "assume (>= (select mem a) (select mem (+ a 8)))",
        ),
    ];
    for (good, bad) in mutations {
        let broken = program.replace(good, bad);
        assert!(broken != program, "{good}");
        assert_eq!(is_accepted(&broken), [false, false], "{bad}");
    }
}

/// Two buffers of n and m bytes, perhaps with ends, and loops that walk over them.
fn random_program(seed: u64) -> String {
    let random = &mut Random::new(seed);
    let mut t = Text::default();
    t.then("top := 4096, size := (const-array (Array Int Int) 0)");
    t.then("havoc n, m nondet \"n\"");
    t.then(&format!(
        "assume {}",
        random.pick(&["true", "(<= n m)", "(< m n)", "(= n m)", "(<= (+ n 1) m)"])
    ));
    let sizes = ["n", "n", "n", "(* n m)", "(+ n m)", "5"];
    let size = random.pick(&sizes).to_string();
    t.then(&format!(
        "a := top, top := (+ top 1024), size := (store size (div top 1024) {size})"
    ));
    t.then("b := top, top := (+ top 1024), size := (store size (div top 1024) m)");
    t.then("p := a, q := b, i := 0");
    if random.below(5) != 0 {
        t.then("mem := (store mem (+ a n -1) 0)");
    }
    if random.below(3) != 0 {
        t.then("mem := (store mem (+ b m -1) 0)");
    }
    for _ in 0..1 + random.below(2) {
        match random.below(6) {
            0 => t.then("p := a, i := 0"),
            1 => t.then("q := b"),
            2 => t.then("i := (- n 1)"),
            // Loops that end after a few laps, as far as a number that gets smaller says.
            3 => {
                t.then("havoc c nondet \"c\"");
                t.then("assume (and (>= c 0) (< c 4))");
                t.then("c := (* 26 c)");
                t.then("i := 0");
            }
            _ => {}
        }
        t.then("skip");
        let head = t.at;
        let guards = [
            "(< i n)",
            "(< (+ i 1) n)",
            "(< i m)",
            "(< i (* n m))",
            "(< i (+ n m))",
            "(> i 0)",
            "(!= (select mem p) 0)",
            "(!= (select mem q) 0)",
            "(!= c 0)",
        ];
        let guard = random.pick(&guards);
        for x in ["p", "q"] {
            if guard.contains(&format!("mem {x}")) {
                t.check(&valid(x));
            }
        }
        t.last += 1;
        let (test, after) = (t.at, t.last);
        t.edge(test, &format!("l{after}"), &format!("assume (not {guard})"));
        t.then(&format!("assume {guard}"));
        for _ in 0..1 + random.below(4) {
            let x = random.pick(&["p", "q", "(+ a i)", "(+ b i)"]);
            match random.below(16) {
                12 | 13 => t.then("c := (div c 3)"),
                14 => t.then(random.pick(&[
                    "i := (cdiv i 2)",
                    "i := (cdiv (- i 1) 2)",
                    "i := (cdiv (- m i) 2)",
                    "i := (crem (- i m) 3)",
                ])),
                15 => {
                    let y = random.pick(&[
                        "(+ a (cdiv i 2))",
                        "(+ a (cdiv (- i 1) 2))",
                        "(+ b (crem i 3))",
                        "(+ b (crem (- i m) 3))",
                    ]);
                    t.check(&valid(y));
                    t.then(&format!("mem := (store mem {y} c)"));
                }
                9 => t.then("before := mem"),
                10 => {
                    t.check(&valid(x));
                    t.then(&format!("c := (select before {x})"));
                }
                11 => {
                    let y = random.pick(&["(+ a (mod i n))", "(+ b (mod i m))", "(+ b (mod i n))"]);
                    t.check(&valid(y));
                    t.then(&format!("mem := (store mem {y} (select before {x}))"));
                }
                0 | 1 => {
                    t.check(&valid(x));
                    t.then(&format!("c := (select mem {x})"));
                }
                2 => t.then("havoc c nondet \"c\""),
                3 | 4 => {
                    t.check(&valid(x));
                    let value = random.pick(&["c", "0", "1", "c"]);
                    t.then(&format!("mem := (store mem {x} {value})"));
                }
                5 => t.then("p := (+ p 1)"),
                6 => t.then("p := (+ p 1), q := (+ q 1)"),
                7 => {
                    let from = t.at;
                    t.edge(from, &format!("l{after}"), "assume (= c 0)");
                    t.then("assume (!= c 0)");
                }
                _ => t.then(random.pick(&["i := (+ i 1)", "i := (- i 1)", "q := (+ q 1)"])),
            }
        }
        let step = random.pick(&[
            "i := (+ i 1)",
            "p := (+ p 1)",
            "q := (+ q 1)",
            "i := (- i 1)",
        ]);
        t.then(step);
        let end = t.at;
        t.edge(end, &format!("l{head}"), "skip");
        t.at = after;
    }
    let from = t.at;
    t.edge(from, "exit", "skip");
    t.edges
}

#[test]
fn no_accepted_program_fails() {
    let mut count = [0, 0];
    for seed in seeds(150) {
        let edges = random_program(seed);
        let mut pool = Pool::new();
        let text = text(&edges);
        let program = parse(&mut pool, &text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        let by = SCOPES.map(|scope| accepted(&mut pool, &program, scope, 200));
        if by == [false, false] {
            continue;
        }
        for n in [0, 1] {
            count[n] += u32::from(by[n]);
        }
        never_fails(
            &pool,
            &program,
            seed,
            &format!("accepted by {by:?}\n{edges}"),
        );
    }
    assert!(
        count[0] > 30 && count[1] > 30,
        "only {count:?} programs were accepted"
    );
}

/// A table of pointers: a place in it is one of its cells, if none is missing and the place is at a cell's start.
#[test]
fn tables_of_pointers() {
    let program = |bound: &str, factor: &str, last: &str| {
        let valid = valid("p");
        format!(
            "  l0 -> l1: top := 4096, size := (store (store (const-array (Array Int Int) 0) 1 24) 2 8), next := (store (store (store (const-array (Array Int Int) 0) 1024 2048) 1032 2050) 1040 {last})
  l1 -> l2: havoc i
  l2 -> l3: assume (and (>= i 0) (<= i {bound}))
  l3 -> l4: p := (select next (+ 1024 (* {factor} i)))
  l4 -> e: assume (not {valid})
  l4 -> l5: assume {valid}
  l5 -> l6: p := top, size := (store size (div top 1024) 8), top := (+ top 1024)
"
        )
    };
    assert!(is_accepted(&program("2", "8", "2048"))[1]);
    // Behind the table, between its cells, and a cell that points to nothing.
    assert!(!is_accepted(&program("3", "8", "2048"))[1]);
    assert!(!is_accepted(&program("4", "4", "2048"))[1]);
    assert!(!is_accepted(&program("2", "8", "0"))[1]);
}
