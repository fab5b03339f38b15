//! Programs executed abstractly: lists of any length are accepted where all is well, and no accepted
//! program has an execution that fails.
#![allow(clippy::unwrap_used)]

use base::{Budget, Random, Work};
use evidence::{Proof, Scope, Verdict, check};
use logic::{Pool, Value};
use program::interp::{Interpreter, Limits, Oracle, Outcome};
use program::text::parse;
use program::{EdgeId, LocId, Program, VarId};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A program as text: blocks of 1024 addresses, objects of 16 bytes with `next` at 8 and `prev` at 0.
struct Text {
    edges: String,
    at: usize,
    last: usize,
}

impl Text {
    fn new() -> Self {
        let mut text = Text {
            edges: String::new(),
            at: 0,
            last: 0,
        };
        text.then("top := 4096, size := (const-array (Array Int Int) 0)");
        text.then("p := 0, q := 0, r := 0");
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
        let (from, to) = (self.at, self.fresh());
        self.edge(from, "e", &format!("assume (not {condition})"));
        self.edge(from, &format!("l{to}"), &format!("assume {condition}"));
        self.at = to;
    }

    /// `body` where the condition holds; nothing elsewhere.
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

    /// `body` again and again while the condition holds.
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

    fn valid(&mut self, x: &str, offset: u32) {
        self.check(&format!(
            "(<= (+ {x} {}) (+ (* 1024 (div (+ {x} {offset}) 1024)) (select size (div (+ {x} {offset}) 1024))))",
            offset + 8
        ));
    }

    fn store(&mut self, x: &str, offset: u32, field: &str, value: &str) {
        self.valid(x, offset);
        self.then(&format!(
            "{field} := (store {field} (+ {x} {offset}) {value})"
        ));
    }

    fn load(&mut self, to: &str, x: &str, offset: u32, field: &str) {
        self.valid(x, offset);
        self.then(&format!("{to} := (select {field} (+ {x} {offset}))"));
    }

    fn free(&mut self, x: &str) {
        self.check(&format!(
            "(and (= (select size (div {x} 1024)) 16) (= {x} (* 1024 (div {x} 1024))))"
        ));
        self.then(&format!("size := (store size (div {x} 1024) 0)"));
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
global prev: (Array Int Int)
global top: Int [0, 1000000]
fn main() {{
  locals p: Int [0, 1000000], q: Int [0, 1000000], r: Int [0, 1000000], c: Int [0, 3]
  entry l0
  error e: valid-deref \"bad\"
{edges}}}"
        );
        parse(pool, &text).unwrap_or_else(|e| panic!("{e:?}\n{text}"))
    }
}

fn accepted(pool: &mut Pool, program: &Program) -> bool {
    accepted_by(pool, program, Scope::Shapes)
}

fn accepted_by(pool: &mut Pool, program: &Program, scope: Scope) -> bool {
    let proof = Proof {
        cone: None,
        scope,
        invariants: BTreeMap::new(),
        contracts: BTreeMap::new(),
    };
    // Some random programs have very many shapes.
    let budget = Budget::unlimited().with_slice(Work::thousand(40));
    let verdict = check(pool, program, Verdict::Safe(proof), &budget);
    matches!(verdict.get(), Verdict::Safe(_))
}

/// A list is built, walked and freed; the mutations break one thing each.
fn list(mutation: &str) -> bool {
    let mut t = Text::new();
    t.repeat("havoc c nondet \"n\"", "(!= c 0)", |t| {
        t.allocate("q");
        let value = if mutation == "loop" { "q" } else { "p" };
        if mutation != "open" {
            t.store("q", 8, "next", value);
        }
        t.then("p := q");
    });
    t.then("r := p");
    t.repeat("skip", "(!= r 0)", |t| {
        if mutation == "free while walking" {
            t.free("r");
        }
        t.load("r", "r", 8, "next");
        if mutation == "cut" {
            t.when("(!= r 0)", |t| t.store("r", 8, "next", "0"));
        }
    });
    t.repeat("skip", "(!= p 0)", |t| {
        t.load("q", "p", 8, "next");
        if mutation != "leak" {
            t.free("p");
        }
        if mutation == "twice" {
            t.free("p");
        }
        if mutation == "late" {
            t.load("q", "p", 8, "next");
        }
        t.then("p := q");
    });
    t.end(true);
    let mut pool = Pool::new();
    let program = t.program(&mut pool);
    accepted(&mut pool, &program)
}

#[test]
fn a_list_of_any_length() {
    assert!(list(""));
    let mutations = [
        "loop",
        "open",
        "free while walking",
        "cut",
        "leak",
        "twice",
        "late",
    ];
    for mutation in mutations {
        assert!(!list(mutation), "{mutation}");
    }
}

/// A ring with both links, from which the object after `p` is taken out.
fn ring(mutation: &str) -> bool {
    let mut t = Text::new();
    t.allocate("p");
    t.store("p", 8, "next", "p");
    t.store("p", 0, "prev", "p");
    t.repeat("havoc c nondet \"n\"", "(!= c 0)", |t| {
        t.allocate("q");
        t.load("r", "p", 8, "next");
        t.store("q", 8, "next", "r");
        t.store("q", 0, "prev", "p");
        t.store("p", 8, "next", "q");
        if mutation != "one way" {
            t.store("r", 0, "prev", "q");
        }
    });
    // From behind.
    t.load("q", "p", 0, "prev");
    t.repeat("skip", "(!= q p)", |t| {
        t.load("r", "q", 0, "prev");
        t.free("q");
        t.then("q := r");
    });
    if mutation != "leak" {
        t.free("p");
    }
    t.end(true);
    let mut pool = Pool::new();
    let program = t.program(&mut pool);
    accepted(&mut pool, &program)
}

#[test]
fn a_ring_with_links_both_ways() {
    assert!(ring(""));
    assert!(!ring("one way"), "objects are lost");
    assert!(!ring("leak"));
}

#[test]
fn memory_that_is_not_handed_out_once() {
    // The end of memory goes back: two names for one object.
    let mut t = Text::new();
    t.allocate("p");
    t.then("top := 4096");
    t.allocate("q");
    t.store("p", 8, "next", "0");
    t.store("q", 8, "next", "1");
    t.load("r", "p", 8, "next");
    t.check("(= r 0)");
    t.end(false);
    let mut pool = Pool::new();
    let program = t.program(&mut pool);
    assert!(!accepted(&mut pool, &program));
}

#[test]
fn a_write_that_may_go_anywhere() {
    for (index, fine) in [("(+ p 8)", true), ("(+ q 8)", false)] {
        let mut t = Text::new();
        t.allocate("p");
        t.allocate("r");
        t.store("r", 8, "next", "5");
        t.then("havoc q nondet \"n\"");
        t.then(&format!("next := (store next {index} 1)"));
        t.load("q", "r", 8, "next");
        t.check("(= q 5)");
        t.end(false);
        let mut pool = Pool::new();
        let program = t.program(&mut pool);
        assert_eq!(accepted(&mut pool, &program), fine, "{index}");
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

/// One random statement, mostly with the test that a careful programmer makes.
fn statement(t: &mut Text, random: &mut Random) {
    let names = ["p", "q", "r"];
    let (x, y) = (random.pick(&names), random.pick(&names));
    let (offset, field) = random.pick(&[(8, "next"), (8, "next"), (0, "prev")]);
    let careful = random.below(8) != 0;
    let some = format!("(!= {y} 0)");
    let kind = random.below(8);
    let act = |t: &mut Text| match kind {
        0 | 1 => t.store(y, offset, field, x),
        2..=4 => t.load(x, y, offset, field),
        _ => {
            t.free(y);
            t.then(&format!("{y} := 0"));
        }
    };
    match random.below(10) {
        0..=2 => {
            t.allocate(x);
            let rest = random.pick(&["0", "p", "q", "r"]);
            t.store(x, 8, "next", rest);
            if random.below(3) != 0 {
                let back = random.pick(&["0", "p", "q", "r"]);
                t.store(x, 0, "prev", back);
            }
        }
        3 => t.then(&format!("{x} := {y}")),
        4 => t.then(&format!("{x} := 0")),
        _ if careful => t.when(&some, act),
        _ => act(t),
    }
}

fn random_program(seed: u64) -> Text {
    let random = &mut Random::new(seed);
    let mut t = Text::new();
    for _ in 0..1 + random.below(3) {
        let condition = random.pick(&["(!= c 0)", "(!= p 0)", "(!= q 0)"]);
        let length = 1 + random.below(4);
        t.repeat("havoc c nondet \"n\"", condition, |t| {
            for _ in 0..length {
                statement(t, random);
            }
        });
    }
    if random.below(3) == 0 {
        t.check("(or (= p 0) (!= p q))");
    }
    t.end(random.below(6) == 0);
    t
}

#[test]
fn no_accepted_program_fails() {
    let mut count = [0, 0];
    let campaign = std::env::var("CRAIG_CAMPAIGN").ok();
    let seeds: u64 = campaign.and_then(|c| c.parse().ok()).unwrap_or(250);
    for seed in 0..seeds {
        let text = random_program(seed);
        let mut pool = Pool::new();
        let program = text.program(&mut pool);
        let scopes = [Scope::Shapes, Scope::Sites];
        let by = scopes.map(|scope| accepted_by(&mut pool, &program, scope));
        if by == [false, false] {
            continue;
        }
        for n in [0, 1] {
            count[n] += u32::from(by[n]);
        }
        let limits = Limits {
            steps: 300,
            ..Limits::default()
        };
        let mut interpreter = Interpreter::new(&pool, &program);
        for run in 0..40 {
            let mut oracle = Chance(Random::new(seed * 1000 + run));
            let result = interpreter.run(&mut oracle, &limits);
            assert!(
                !matches!(result.outcome, Outcome::ReachedError(_)),
                "seed {seed}, run {run}, accepted by {by:?}\n{}",
                text.edges
            );
        }
    }
    assert!(
        count[0] > 10 && count[1] > 10,
        "only {count:?} programs were accepted"
    );
}
