//! Tables of blocks that are allocated and freed in loops, executed abstractly: what is accepted has no execution that
//! fails. Most programs are wrong: blocks stand in two cells, are overwritten, freed twice, used when they are gone, or left.
#![allow(clippy::unwrap_used)]

mod random;

use base::Random;
use evidence::Scope;
use logic::Pool;
use program::text::parse;
use random::{Text, accepted, never_fails, seeds};

fn text(edges: &str) -> String {
    format!(
        "global size: (Array Int Int)
global heap: (Array Int Int)
global live: Int [-2000, 2000]
global ptr: (Array Int Int)
global num: (Array Int Int)
global top: Int [0, 1000000]
fn main() {{
  locals a: Int [0, 1000000], p: Int [0, 1000000], q: Int [0, 1000000], n: Int [1, 4], i: Int [-2000, 2000], j: Int [-2000, 2000], c: Int [0, 3]
  entry l0
  error e: valid-deref \"bad\"
{edges}}}"
    )
}

/// Eight bytes of memory are valid.
fn valid(x: &str) -> String {
    format!("(<= (+ {x} 8) (+ (* 1024 (div {x} 1024)) (select size (div {x} 1024))))")
}

fn allocate(t: &mut Text, name: &str, size: &str) {
    t.then(&format!(
        "{name} := top, top := (+ top 1024), size := (store size (div top 1024) {size}), heap := (store heap (div top 1024) 1), live := (+ live 1)"
    ));
}

fn free(t: &mut Text, x: &str) {
    t.check(&format!(
        "(and (= (select heap (div {x} 1024)) 1) (= {x} (* 1024 (div {x} 1024))))"
    ));
    t.then(&format!(
        "heap := (store heap (div {x} 1024) 0), size := (store size (div {x} 1024) 0), live := (- live 1)"
    ));
}

fn while_loop(t: &mut Text, condition: &str, body: impl FnOnce(&mut Text)) {
    t.then("skip");
    let head = t.at;
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

/// What is done with a table of blocks, step by step; the good way is the first of each.
#[derive(Clone, Copy)]
struct Ways {
    /// What else is written when a block is put into its cell.
    written: &'static str,
    /// What happens to the table before blocks are freed.
    between: &'static str,
    /// Where the first cell is, how the loop that frees goes on, and as long as what.
    frees: (&'static str, &'static str, &'static str),
    /// Which cell is freed.
    freed: &'static str,
    /// What is written into a cell that was freed.
    after: &'static str,
    /// A block is used between.
    used: &'static str,
    /// A block is used in the loop that frees.
    looked_at: &'static str,
}

const WRITTEN: [&str; 6] = [
    "skip",
    "ptr := (store ptr (+ a (* 8 (mod c n))) p)",
    "ptr := (store ptr a p)",
    "q := p",
    "num := (store num p i)",
    "i := (ite (= c 3) (+ i 1) i)",
];
const BETWEEN: [&str; 10] = [
    "skip",
    "ptr := (store ptr a (select ptr (+ a (* 8 (- n 1)))))",
    "ptr := (store (store ptr a (select ptr (+ a (* 8 (- n 1))))) (+ a (* 8 (- n 1))) (select ptr a))",
    "ptr := (store ptr (+ a (* 8 (mod c n))) q)",
    "q := (select ptr (+ a (* 8 (mod c n))))",
    "ptr := (store ptr (+ a (* 8 (mod c n))) 0)",
    "q := (select ptr a)",
    "p := (select ptr (+ a (* 8 (mod c n)))), q := (select ptr a)",
    "q := (select ptr (+ a (* 8 (- n 1)))), p := (select ptr a)",
    "num := (store num (select ptr a) (select num (select ptr (+ a (* 8 (- n 1))))))",
];
const FREES: [(&str, &str, &str); 6] = [
    ("0", "(+ j 1)", "(< j n)"),
    ("(- n 1)", "(- j 1)", "(>= j 0)"),
    ("1", "(+ j 1)", "(< j n)"),
    ("0", "(+ j 2)", "(< j n)"),
    ("0", "(+ j 1)", "(<= (+ j 1) 2)"),
    ("(- n 1)", "(- j 1)", "(>= j 1)"),
];
const FREED: [&str; 5] = ["j", "(- (- n 1) j)", "0", "(mod c n)", "(- n 1)"];
const AFTER: [&str; 7] = [
    "skip",
    "p := q, q := (select ptr (+ a (* 8 j)))",
    "p := (select ptr (+ a (* 8 (mod c n)))), q := (select ptr (+ a (* 8 j)))",
    "ptr := (store ptr (+ a (* 8 j)) 0)",
    "ptr := (store ptr a q)",
    "q := (select ptr a)",
    "ptr := (store ptr (+ a (* 8 j)) (select ptr a))",
];
const USED: [&str; 5] = [
    "",
    "q",
    "(select ptr a)",
    "(select ptr (+ a (* 8 (mod c n))))",
    "p",
];

fn table(ways: Ways) -> String {
    let mut t = Text::default();
    t.then("top := 4096, size := (const-array (Array Int Int) 0), heap := (const-array (Array Int Int) 0), live := 0");
    t.then("havoc n, c nondet \"n\"");
    allocate(&mut t, "a", "(* 8 n)");
    t.then("i := 0, q := a");
    while_loop(&mut t, "(< i n)", |t| {
        allocate(t, "p", "16");
        t.check(&valid("(+ a (* 8 i))"));
        t.then("ptr := (store ptr (+ a (* 8 i)) p)");
        t.then(ways.written);
        t.then("i := (+ i 1)");
    });
    t.then(ways.between);
    if !ways.used.is_empty() {
        t.check(&valid(ways.used));
    }
    let (from, step, condition) = ways.frees;
    t.then(&format!("j := {from}"));
    while_loop(&mut t, condition, |t| {
        if !ways.looked_at.is_empty() {
            t.check(&valid(ways.looked_at));
        }
        let cell = format!("(+ a (* 8 {}))", ways.freed);
        t.check(&valid(&cell));
        free(t, &format!("(select ptr {cell})"));
        t.then(ways.after);
        t.then(&format!("j := {step}"));
    });
    free(&mut t, "a");
    t.check("(or (= live 0) (= heap (const-array (Array Int Int) 0)))");
    let from = t.at;
    t.edge(from, "exit", "skip");
    t.edges
}

fn is_accepted(ways: Ways) -> bool {
    let edges = table(ways);
    let mut pool = Pool::new();
    let program = parse(&mut pool, &text(&edges)).unwrap_or_else(|e| panic!("{e:?}\n{edges}"));
    accepted(&mut pool, &program, Scope::Sites, 2_000)
}

const GOOD: Ways = Ways {
    written: WRITTEN[0],
    between: BETWEEN[0],
    frees: FREES[0],
    freed: FREED[0],
    after: AFTER[0],
    used: USED[0],
    looked_at: USED[0],
};

#[test]
fn tables_that_own_blocks_are_freed() {
    assert!(is_accepted(GOOD), "upwards");
    let down = Ways {
        frees: FREES[1],
        ..GOOD
    };
    assert!(is_accepted(down), "downwards");
    let zeroed = Ways {
        after: AFTER[3],
        ..GOOD
    };
    assert!(is_accepted(zeroed), "cells become null");
    let used = Ways {
        used: USED[3],
        ..GOOD
    };
    assert!(is_accepted(used), "a block is used before");
}

#[test]
fn tables_that_go_wrong_are_not_accepted() {
    let twice = Ways {
        between: BETWEEN[1],
        ..GOOD
    };
    assert!(!is_accepted(twice), "a block stands in two cells");
    let same = Ways {
        freed: FREED[2],
        ..GOOD
    };
    assert!(!is_accepted(same), "the first is freed again and again");
    let left = Ways {
        frees: FREES[2],
        ..GOOD
    };
    assert!(!is_accepted(left), "the first is left");
    let gone = Ways {
        looked_at: USED[2],
        ..GOOD
    };
    assert!(!is_accepted(gone), "the first is used when it is gone");
    let overwritten = Ways {
        written: WRITTEN[2],
        ..GOOD
    };
    assert!(!is_accepted(overwritten), "blocks are lost");
}

#[test]
fn no_accepted_table_fails() {
    let mut count = 0;
    for seed in seeds(150) {
        let random = &mut Random::new(seed);
        let mut at = |count: usize| match random.below(3) {
            0 => random.below(count as u64) as usize,
            _ => 0,
        };
        let ways = Ways {
            written: WRITTEN[at(WRITTEN.len())],
            between: BETWEEN[at(BETWEEN.len())],
            frees: FREES[at(FREES.len())],
            freed: FREED[at(FREED.len())],
            after: AFTER[at(AFTER.len())],
            used: USED[at(USED.len())],
            looked_at: USED[at(USED.len())],
        };
        let edges = table(ways);
        let mut pool = Pool::new();
        let program = parse(&mut pool, &text(&edges)).unwrap();
        if accepted(&mut pool, &program, Scope::Sites, 2_000) {
            count += 1;
            never_fails(&pool, &program, seed, &edges);
        }
    }
    assert!(count > 10, "only {count} programs were accepted");
}
