//! Arrays of lists executed abstractly: what is well is accepted, and no accepted program has an execution that fails.
#![allow(clippy::unwrap_used)]

use base::{Budget, Random, Work};
use evidence::{Proof, Scope, Verdict, check};
use logic::{Pool, Value};
use program::interp::{Interpreter, Limits, Oracle, Outcome};
use program::text::parse;
use program::{EdgeId, LocId, Program, VarId};
use std::fmt::Write;

/// A program as text: objects of 16 bytes in blocks of 1024 addresses with `next` at 8; an array `heads` with twelve cells, and
/// an array of twelve pointers of eight bytes each at the fixed address 2048, in `next` too.
struct Text {
    edges: String,
    at: usize,
    last: usize,
}

const CELLS: u32 = 12;

impl Text {
    fn new() -> Self {
        let mut text = Text {
            edges: String::new(),
            at: 0,
            last: 0,
        };
        text.then("top := 4096, size := (const-array (Array Int Int) 0)");
        text.then(
            "heads := (const-array (Array Int Int) 0), next := (const-array (Array Int Int) 0)",
        );
        text.then("p := 0, q := 0, a := 2048, i := 0, j := 0");
        text
    }

    fn fresh(&mut self) -> usize {
        self.last += 1;
        self.last
    }

    fn edge(&mut self, from: usize, to: &str, stmt: &str) {
        let _ = writeln!(self.edges, "  l{from} -> {to}: {stmt}");
    }

    fn then(&mut self, stmt: &str) {
        let (from, to) = (self.at, self.fresh());
        self.edge(from, &format!("l{to}"), stmt);
        self.at = to;
    }

    /// The error unless the condition holds.
    fn check(&mut self, condition: &str) {
        let from = self.at;
        self.edge(from, "le", &format!("assume (not {condition})"));
        self.then(&format!("assume {condition}"));
    }

    fn when(&mut self, condition: &str, body: impl FnOnce(&mut Self)) {
        let (from, inside, after) = (self.at, self.fresh(), self.fresh());
        self.edge(from, &format!("l{inside}"), &format!("assume {condition}"));
        self.edge(
            from,
            &format!("l{after}"),
            &format!("assume (not {condition})"),
        );
        self.at = inside;
        body(self);
        let end = self.at;
        self.edge(end, &format!("l{after}"), "skip");
        self.at = after;
    }

    fn repeat(&mut self, before: &str, condition: &str, body: impl FnOnce(&mut Self)) {
        let (from, head) = (self.at, self.fresh());
        self.edge(from, &format!("l{head}"), "skip");
        self.at = head;
        self.then(before);
        let (test, inside, after) = (self.at, self.fresh(), self.fresh());
        self.edge(test, &format!("l{inside}"), &format!("assume {condition}"));
        self.edge(
            test,
            &format!("l{after}"),
            &format!("assume (not {condition})"),
        );
        self.at = inside;
        body(self);
        let end = self.at;
        self.edge(end, &format!("l{head}"), "skip");
        self.at = after;
    }

    fn allocate(&mut self, x: &str) {
        self.then(&format!(
            "{x} := top, top := (+ top 1024), size := (store size (div top 1024) 16)"
        ));
    }

    /// An object is there.
    fn valid(&mut self, x: &str) {
        self.check(&format!("(= (select size (div {x} 1024)) 16)"));
    }

    fn free(&mut self, x: &str) {
        self.check(&format!(
            "(and (= (select size (div {x} 1024)) 16) (= {x} (* 1024 (div {x} 1024))))"
        ));
        self.then(&format!("size := (store size (div {x} 1024) 0)"));
    }

    fn link(&mut self, x: &str, to: &str) {
        self.valid(x);
        self.then(&format!("next := (store next (+ {x} 8) {to})"));
    }

    fn follow(&mut self, to: &str, x: &str) {
        self.valid(x);
        self.then(&format!("{to} := (select next (+ {x} 8))"));
    }

    /// The index is one of a cell: as a program that was checked for bounds knows.
    fn bounded(&mut self, i: &str) {
        self.then(&format!("assume (and (<= 0 {i}) (< {i} {CELLS}))"));
    }

    /// Any cell.
    fn any_cell(&mut self, i: &str) {
        self.then(&format!("havoc {i} nondet \"n\""));
        self.then(&format!("{i} := (mod (* 5 {i}) {CELLS})"));
    }

    fn end(&mut self, nothing_left: bool) {
        if nothing_left {
            self.check("(= size (const-array (Array Int Int) 0))");
        }
        let from = self.at;
        self.edge(from, "exit", "skip");
    }

    fn program(&self, pool: &mut Pool) -> Program {
        let edges = &self.edges;
        let text = format!(
            "global size: (Array Int Int)
global next: (Array Int Int)
global heads: (Array Int Int)
global top: Int [0, 1000000]
fn main() {{
  locals p: Int [0, 1000000], q: Int [0, 1000000], a: Int [0, 1000000], i: Int [0, 1000], j: Int [0, 1000], m: Int [0, 1000], c: Int [0, 3]
  entry l0
  error le: valid-deref \"bad\"
{edges}}}"
        );
        parse(pool, &text).unwrap_or_else(|e| panic!("{e:?}\n{text}"))
    }
}

fn accepted(pool: &mut Pool, program: &Program, thousands: u64) -> bool {
    let budget = Budget::unlimited().with_slice(Work::thousand(thousands));
    let verdict = Verdict::Safe(Proof::by(Scope::Shapes));
    matches!(
        check(pool, program, verdict, &budget).get(),
        Verdict::Safe(_)
    )
}

/// Lists in the cells of `heads`, by index, are made, searched and freed; the mutations break one thing each.
fn chains(mutation: &str) -> bool {
    let mut t = Text::new();
    t.repeat("havoc c nondet \"n\"", "(!= c 0)", |t| {
        t.any_cell("i");
        t.allocate("p");
        match mutation {
            "dropped" => t.link("p", "0"),
            "other cell" => {
                t.any_cell("j");
                t.link("p", "(select heads j)");
            }
            _ => t.link("p", "(select heads i)"),
        }
        t.then("heads := (store heads i p)");
    });
    if mutation == "freed" {
        t.any_cell("i");
        t.then("p := (select heads i)");
        t.when("(!= p 0)", |t| t.free("p"));
    }
    let end = match mutation {
        "short" => CELLS - 1,
        _ => CELLS,
    };
    let first = u32::from(mutation == "late");
    t.then(&format!("i := {first}"));
    t.repeat("skip", &format!("(< i {end})"), |t| {
        t.then("p := (select heads i)");
        t.repeat("skip", "(!= p 0)", |t| {
            t.follow("q", "p");
            t.free("p");
            t.then("p := q");
        });
        if mutation == "back" {
            t.when("(> i 0)", |t| {
                t.then("p := (select heads (- i 1))");
                t.when("(!= p 0)", |t| t.free("p"));
            });
        }
        t.then("i := (+ i 1)");
    });
    t.end(true);
    let mut pool = Pool::new();
    let program = t.program(&mut pool);
    accepted(&mut pool, &program, 4000)
}

#[test]
fn lists_in_the_cells_of_an_array() {
    assert!(chains(""));
    for mutation in ["dropped", "other cell", "freed", "short", "late", "back"] {
        assert!(!chains(mutation), "{mutation}");
    }
}

/// The same with pointers to the cells, at which lists are taken apart.
fn by_pointer(mutation: &str) -> bool {
    let mut t = Text::new();
    t.repeat("havoc c nondet \"n\"", "(!= c 0)", |t| {
        t.any_cell("i");
        t.then("a := (+ 2048 (* 8 i))");
        t.allocate("p");
        t.link("p", "(select next a)");
        t.then("next := (store next a p)");
    });
    t.any_cell("i");
    t.then("a := (+ 2048 (* 8 i))");
    t.then("p := (select next a)");
    t.when("(!= p 0)", |t| {
        t.follow("q", "p");
        if mutation != "stays" {
            t.then("next := (store next a q)");
        }
        t.free("p");
    });
    t.then("i := 0");
    t.repeat("skip", "(< i 12)", |t| {
        t.repeat("skip", "(!= (select next (+ 2048 (* 8 i))) 0)", |t| {
            t.then("p := (select next (+ 2048 (* 8 i)))");
            t.follow("q", "p");
            t.then("next := (store next (+ 2048 (* 8 i)) q)");
            if mutation != "leak" {
                t.free("p");
            }
        });
        t.then("i := (+ i 1)");
    });
    t.end(true);
    let mut pool = Pool::new();
    let program = t.program(&mut pool);
    accepted(&mut pool, &program, 8000)
}

#[test]
fn lists_at_cells_that_are_pointed_to() {
    assert!(by_pointer(""));
    for mutation in ["stays", "leak"] {
        assert!(!by_pointer(mutation), "{mutation}");
    }
}

/// Random choices.
struct Chance(Random);

impl Oracle for Chance {
    fn havoc(&mut self, _edge: EdgeId, vars: &[VarId]) -> Option<Vec<Value>> {
        let mut any = |_: &VarId| Value::Num(self.0.below(4).into());
        Some(vars.iter().map(&mut any).collect())
    }

    fn choose(&mut self, _at: LocId, enabled: &[EdgeId]) -> Option<usize> {
        Some(self.0.below(enabled.len() as u64) as usize)
    }
}

/// One random statement about lists in cells.
fn statement(t: &mut Text, random: &mut Random) {
    let index = random.pick(&["i", "i", "j"]);
    let x = random.pick(&["p", "p", "q"]);
    let y = random.pick(&["p", "q", "q"]);
    match random.below(16) {
        0 | 1 => t.any_cell(index),
        2 => t.then(&format!(
            "{index} := {}",
            random.pick(&["i", "j", "0", "3"])
        )),
        3 => {
            t.then(&format!("{index} := (+ {index} 1)"));
            t.bounded(index);
        }
        4 | 5 => {
            t.allocate(x);
            t.link(
                x,
                random.pick(&["0", "q", "(select heads i)", "(select heads j)"]),
            );
            if random.below(3) != 0 {
                t.then(&format!("heads := (store heads {index} {x})"));
            }
        }
        6 | 7 => t.then(&format!("{x} := (select heads {index})")),
        8 => t.then(&format!(
            "heads := (store heads {index} {})",
            random.pick(&["0", "p", "q"])
        )),
        9 | 10 => t.when(&format!("(!= {x} 0)"), |t| {
            t.free(x);
            if random.below(4) != 0 {
                t.then(&format!("heads := (store heads {index} 0)"));
            }
        }),
        11 => t.when(&format!("(!= {y} 0)"), |t| t.follow(x, y)),
        12 => t.when("(= i j)", |t| t.then("p := (select heads j)")),
        13 => {
            t.then(&format!("a := (+ 2048 (* 8 {index}))"));
            t.then(&format!("next := (store next a {x})"));
        }
        14 => t.then(&format!("{x} := (select next a)")),
        _ => t.then("p := (select heads i), heads := (store heads i (select heads j)), j := i"),
    }
}

fn random_program(seed: u64) -> Text {
    let random = &mut Random::new(seed);
    let mut t = Text::new();
    // Something is in the table, mostly, sometimes below a number only.
    let below = random.below(3) == 0;
    t.then("havoc m nondet \"n\"");
    t.then("m := (+ 1 (* 6 m))");
    if random.below(4) != 0 {
        t.repeat("havoc c nondet \"n\"", "(!= c 0)", |t| {
            t.any_cell("i");
            if below {
                t.then("assume (< i m)");
            }
            t.allocate("p");
            t.link("p", "(select heads i)");
            t.then("heads := (store heads i p)");
        });
    }
    for _ in 0..1 + random.below(2) {
        let length = 1 + random.below(4);
        match random.below(3) {
            0 => {
                for _ in 0..length {
                    statement(&mut t, random);
                }
            }
            1 => t.repeat("havoc c nondet \"n\"", "(!= c 0)", |t| {
                for _ in 0..length {
                    statement(t, random);
                }
            }),
            _ => {
                t.then("j := 0");
                let step = random.pick(&["(+ j 1)", "(+ j 1)", "(+ j 2)"]);
                t.repeat("skip", &format!("(< j {CELLS})"), |t| {
                    for _ in 0..length {
                        statement(t, random);
                    }
                    t.then(&format!("j := {step}"));
                });
            }
        }
    }
    match random.below(4) {
        0 => t.end(true),
        1 => {
            t.any_cell("i");
            t.then("p := (select heads i)");
            t.when("(!= p 0)", |t| t.valid("p"));
            t.end(false);
        }
        2 => {
            // Everything is freed, if all is well.
            t.then("i := 0");
            let all = format!("(< i {CELLS})");
            let some = format!("(and (< i {CELLS}) (< i m))");
            t.repeat("skip", if below { &some } else { &all }, |t| {
                t.then("p := (select heads i)");
                t.repeat("skip", "(!= p 0)", |t| {
                    t.follow("q", "p");
                    t.free("p");
                    t.then("p := q");
                });
                t.then("i := (+ i 1)");
            });
            t.end(true);
        }
        _ => t.end(false),
    }
    t
}

#[test]
fn no_accepted_program_fails() {
    let mut count = 0;
    let campaign = std::env::var("CRAIG_CAMPAIGN").ok();
    let seeds: u64 = campaign.and_then(|c| c.parse().ok()).unwrap_or(120);
    for seed in 0..seeds {
        let text = random_program(seed);
        let mut pool = Pool::new();
        let program = text.program(&mut pool);
        if !accepted(&mut pool, &program, 150) {
            continue;
        }
        count += 1;
        let limits = Limits {
            steps: 500,
            ..Limits::default()
        };
        let mut interpreter = Interpreter::new(&pool, &program);
        for run in 0..60 {
            let mut oracle = Chance(Random::new(seed * 1000 + run));
            let result = interpreter.run(&mut oracle, &limits);
            assert!(
                !matches!(result.outcome, Outcome::ReachedError(_)),
                "seed {seed}, run {run}\n{}",
                text.edges
            );
        }
    }
    assert!(count > 10, "only {count} programs were accepted");
}
