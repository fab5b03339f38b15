//! Texts cut into pieces, tables of pointers into them, and rows of numbers, executed abstractly: what is accepted has no
//! execution that fails.
#![allow(clippy::unwrap_used)]

mod random;

use base::Random;
use evidence::Scope;
use logic::Pool;
use program::text::parse;
use random::{Text, accepted, never_fails, seeds, valid};

fn text(edges: &str) -> String {
    format!(
        "global size: (Array Int Int)
global mem: (Array Int Int)
global ptr: (Array Int Int)
global num: (Array Int Int)
global top: Int [0, 1000000]
fn main() {{
  locals a: Int [0, 1000000], b: Int [0, 1000000], d: Int [0, 1000000], p: Int [0, 1000000], q: Int [0, 1000000], n: Int [1, 5], m: Int [1, 5], i: Int [-2000, 2000], j: Int [-2000, 2000], k: Int [-2000, 2000], c: Int [0, 3]
  entry l0
  error e: valid-deref \"bad\"
{edges}}}"
    )
}

fn is_accepted(edges: &str, work: u64) -> bool {
    let mut pool = Pool::new();
    let text = text(edges);
    let program = parse(&mut pool, &text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    accepted(&mut pool, &program, Scope::Sites, work)
}

/// Eight bytes of memory are valid.
fn valid_word(x: &str) -> String {
    format!("(<= (+ {x} 8) (+ (* 1024 (div {x} 1024)) (select size (div {x} 1024))))")
}

/// A loop as long as the condition holds.
fn while_loop(t: &mut Text, checks: &[String], condition: &str, body: impl FnOnce(&mut Text)) {
    t.then("skip");
    let head = t.at;
    for check in checks {
        t.check(check);
    }
    t.last += 1;
    let (test, after) = (t.at, t.last);
    t.edge(
        test,
        &format!("l{after}"),
        &format!("assume (not {condition})"),
    );
    t.then(&format!("assume {condition}"));
    body(t);
    let end = t.at;
    t.edge(end, &format!("l{head}"), "skip");
    t.at = after;
}

/// What is left out, or done wrong, of a text that is cut into pieces.
#[derive(Clone, Copy, Default)]
struct Cut<'a> {
    end: &'a str,
    room: &'a str,
    limit: &'a str,
    kept: &'a str,
    cut: &'a str,
    taken: &'a str,
}

const GOOD: Cut = Cut {
    end: "mem := (store mem (+ a n -1) 0)",
    room: "(* 8 m)",
    limit: "(< i m)",
    kept: "(+ p 1)",
    cut: "mem := (store mem p 0)",
    taken: "(* 8 j)",
};

/// A text is cut at some of its characters; where the pieces begin is kept in a table; then each piece is walked over.
fn pieces(how: Cut) -> String {
    let mut t = Text::default();
    t.then("top := 4096, size := (const-array (Array Int Int) 0)");
    t.then("havoc n, m nondet \"n\"");
    t.then("a := top, top := (+ top 1024), size := (store size (div top 1024) n)");
    t.then(&format!(
        "b := top, top := (+ top 1024), size := (store size (div top 1024) {})",
        how.room
    ));
    t.then(how.end);
    t.then("p := a, ptr := (store ptr b a), i := 1");
    while_loop(&mut t, &[valid("p")], "(!= (select mem p) 0)", |t| {
        t.then("havoc c nondet \"c\"");
        let from = t.at;
        t.then("assume (= c 1)");
        let skipped = t.last + 1;
        t.last += 1;
        t.edge(from, &format!("l{skipped}"), "assume (!= c 1)");
        t.then(how.cut);
        let full = t.at;
        t.edge(
            full,
            &format!("l{skipped}"),
            &format!("assume (not {})", how.limit),
        );
        t.then(&format!("assume {}", how.limit));
        t.check(&valid_word("(+ b (* 8 i))"));
        t.then(&format!(
            "ptr := (store ptr (+ b (* 8 i)) {}), i := (+ i 1)",
            how.kept
        ));
        let end = t.at;
        t.edge(end, &format!("l{skipped}"), "skip");
        t.at = skipped;
        t.then("p := (+ p 1)");
    });
    t.then("j := 0");
    while_loop(&mut t, &[], "(< j i)", |t| {
        t.then(&format!("q := (select ptr (+ b {}))", how.taken));
        while_loop(t, &[valid("q")], "(!= (select mem q) 0)", |t| {
            t.then("q := (+ q 1)")
        });
        t.then("j := (+ j 1)");
    });
    let from = t.at;
    t.edge(from, "exit", "skip");
    t.edges
}

#[test]
fn pieces_of_a_text() {
    assert!(is_accepted(&pieces(GOOD), 4_000));
    let broken = [
        Cut {
            end: "mem := (store mem (+ a n -1) 1)",
            ..GOOD
        },
        Cut {
            end: "mem := (store mem (+ a n) 0)",
            ..GOOD
        },
        Cut {
            room: "(- (* 8 m) 1)",
            ..GOOD
        },
        Cut {
            limit: "(<= i m)",
            ..GOOD
        },
        // Only later pieces are wrong.
        Cut {
            kept: "(ite (< i 3) (+ p 1) (+ p 2))",
            ..GOOD
        },
        Cut {
            kept: "(+ p 2)",
            ..GOOD
        },
        Cut {
            cut: "mem := (store mem (+ a n -1) 1)",
            ..GOOD
        },
        Cut {
            taken: "(+ 4 (* 8 j))",
            ..GOOD
        },
        Cut {
            taken: "(+ 8 (* 8 j))",
            ..GOOD
        },
    ];
    for (n, how) in broken.into_iter().enumerate() {
        assert!(!is_accepted(&pieces(how), 4_000), "{n}");
    }
}

/// Texts cut into pieces in ways that are mostly wrong.
#[test]
fn no_accepted_cut_fails() {
    let mut count = 0;
    for seed in seeds(120) {
        let random = &mut Random::new(seed);
        let mut pick = |good: &'static str, others: &[&'static str]| match random.below(4) {
            0 => random.pick(others),
            _ => good,
        };
        let how = Cut {
            end: pick(
                GOOD.end,
                &[
                    "mem := (store mem (+ a (mod m n)) 0)",
                    "mem := (store mem a 0)",
                    "skip",
                ],
            ),
            room: pick(GOOD.room, &["(* 8 n)", "(+ 8 (* 8 m))", "8"]),
            limit: pick(
                GOOD.limit,
                &["(< i n)", "(<= i m)", "(< (+ i 1) m)", "(< i 3)"],
            ),
            kept: pick(
                GOOD.kept,
                &[
                    "p",
                    "a",
                    "(+ p 2)",
                    "(ite (< i 3) p (+ p 2))",
                    "b",
                    "(+ a i)",
                    "(- p 1)",
                ],
            ),
            cut: pick(
                GOOD.cut,
                &[
                    "skip",
                    "mem := (store mem p c)",
                    "mem := (store mem (+ p 1) 0)",
                    "mem := (store mem (+ p 1) 1)",
                    "mem := (store mem (+ a (mod i n)) 0)",
                    "mem := (store mem (+ a (mod i n)) 1)",
                    "mem := (store (store mem p 0) a 1)",
                    "mem := (store (store mem a 0) p 1)",
                ],
            ),
            taken: pick(
                GOOD.taken,
                &["(* 8 (- i 1))", "0", "(* 8 (- (- i 1) j))", "(* 4 j)"],
            ),
        };
        let edges = pieces(how);
        let mut pool = Pool::new();
        let program = parse(&mut pool, &text(&edges)).unwrap();
        if accepted(&mut pool, &program, Scope::Sites, 1_000) {
            count += 1;
            never_fails(&pool, &program, seed, &edges);
        }
    }
    assert!(count > 20, "only {count} programs were accepted");
}

/// Rows of numbers: a place is a row times the length of rows, and a column.
fn rows(random: &mut Random) -> String {
    let mut t = Text::default();
    let mut pick = |good: &'static str, others: &[&'static str]| match random.below(3) {
        0 => random.pick(others),
        _ => good,
    };
    t.then("top := 4096, size := (const-array (Array Int Int) 0)");
    t.then("havoc n, m nondet \"n\"");
    t.then("d := top, top := (+ top 1024), size := (store size (div top 1024) 16)");
    let size = pick(
        "(* n m)",
        &["(* n n)", "(+ n m)", "(* m m)", "(+ 1 (* n m))"],
    );
    t.then(&format!(
        "a := top, top := (+ top 1024), size := (store size (div top 1024) {size})"
    ));
    t.then("num := (store num d n)");
    t.then("num := (store num (+ d 8) m)");
    if pick("", &["lost"]) == "lost" {
        t.then("havoc n nondet \"n\"");
    }
    let rows = pick("(select num d)", &["n", "(select num (+ d 8))", "m"]);
    let columns = pick("(select num (+ d 8))", &["m", "n", "(select num d)"]);
    let length = pick("(select num (+ d 8))", &["m", "n", "(select num d)"]);
    let change = pick(
        "skip",
        &[
            "num := (store num d 5)",
            "num := (store num (+ d 8) (+ m 1))",
            "num := (store num (+ d (* 8 (mod i 2))) n)",
            "m := n",
            "n := (+ 1 (mod i n))",
            "k := (bitand i 6)",
        ],
    );
    let place = pick(
        "j",
        &["(bitand j -2)", "(bitand j 3)", "k", "(- j k)", "(+ j 1)"],
    );
    t.then("i := 0, k := 0");
    while_loop(&mut t, &[], &format!("(< i {rows})"), |t| {
        t.then("j := 0");
        while_loop(t, &[], &format!("(< j {columns})"), |t| {
            let at = format!("(+ a (* i {length}) {place})");
            t.check(&valid(&at));
            t.check(&format!("(>= (+ (* i {length}) {place}) 0)"));
            t.then(&format!("mem := (store mem {at} 1)"));
            t.then("j := (+ j 1)");
        });
        t.then(change);
        t.then("i := (+ i 1)");
    });
    let from = t.at;
    t.edge(from, "exit", "skip");
    t.edges
}

#[test]
fn no_accepted_row_fails() {
    let mut count = 0;
    for seed in seeds(150) {
        let edges = rows(&mut Random::new(seed));
        let mut pool = Pool::new();
        let program = parse(&mut pool, &text(&edges)).unwrap();
        if accepted(&mut pool, &program, Scope::Sites, 1_000) {
            count += 1;
            never_fails(&pool, &program, seed, &edges);
        }
    }
    assert!(count > 15, "only {count} programs were accepted");
}
