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
    /// How locations are named.
    place: &'static str,
}

impl Text {
    fn new() -> Self {
        let mut text = Text {
            edges: String::new(),
            at: 0,
            last: 0,
            place: "l",
        };
        text.then("top := 4096, size := (const-array (Array Int Int) 0)");
        text.then("p := 0, q := 0, r := 0");
        text
    }

    fn fresh(&mut self) -> usize {
        self.last += 1;
        self.last
    }

    /// The body of the recursive function.
    fn of_callee() -> Self {
        let mut text = Text {
            edges: String::new(),
            at: 0,
            last: 0,
            place: "f",
        };
        text.then("p := x, q := 0, r := 0");
        text.then("havoc c nondet \"n\"");
        text
    }

    fn edge(&mut self, from: usize, to: &str, stmt: &str) {
        let place = self.place;
        // Locations by number; others are the same everywhere.
        let to = match to.strip_prefix('l') {
            Some(number) => format!("{place}{number}"),
            None if to == "e" => format!("{place}e"),
            None => to.to_string(),
        };
        let _ = writeln!(self.edges, "  {place}{from} -> {to}: {stmt}");
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
        self.with(None, pool)
    }

    /// The program, with a function that is called.
    fn with(&self, callee: Option<&Text>, pool: &mut Pool) -> Program {
        let edges = &self.edges;
        let names = "p: Int [0, 1000000], q: Int [0, 1000000], r: Int [0, 1000000], c: Int [0, 3]";
        let callee = callee.map_or(String::new(), |f| {
            // Names are those of one function each.
            let own = own_names(&format!("  locals {names}\n{}", f.edges));
            let (names, edges) = own.split_once('\n').unwrap();
            format!(
                "fn f(x: Int [0, 1000000]) returns (y: Int [0, 1000000]) {{
{names}
  entry f0
  error fe: valid-deref \"bad\"
{edges}}}
"
            )
        });
        let text = format!(
            "global size: (Array Int Int)
global next: (Array Int Int)
global prev: (Array Int Int)
global top: Int [0, 1000000]
fn main() {{
  locals {names}
  entry l0
  error le: valid-deref \"bad\"
{edges}}}
{callee}"
        );
        parse(pool, &text).unwrap_or_else(|e| panic!("{e:?}\n{text}"))
    }
}

/// The text with names of its own for the variables `p`, `q`, `r` and `c`.
fn own_names(text: &str) -> String {
    let mut out = String::new();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    for piece in text.split_inclusive(|c: char| !is_part(c)) {
        let name = piece.trim_end_matches(|c: char| !is_part(c));
        if ["p", "q", "r", "c"].contains(&name) {
            out.push_str("f::");
        }
        out.push_str(piece);
    }
    out
}

fn accepted(pool: &mut Pool, program: &Program) -> bool {
    accepted_by(pool, program, Scope::Shapes)
}

fn accepted_by(pool: &mut Pool, program: &Program, scope: Scope) -> bool {
    // Some random programs have very many shapes.
    accepted_within(pool, program, scope, 40)
}

fn accepted_within(pool: &mut Pool, program: &Program, scope: Scope, thousands: u64) -> bool {
    let proof = Proof {
        rest: Vec::new(),
        cone: None,
        scope,
        invariants: BTreeMap::new(),
        contracts: BTreeMap::new(),
    };
    let budget = Budget::unlimited().with_slice(Work::thousand(thousands));
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

/// A tree is built by walks to its leaves and freed leaf by leaf; the mutations break one thing each.
fn tree(mutation: &str) -> bool {
    let mut t = Text::new();
    let leaf = |t: &mut Text, x: &str| {
        t.allocate(x);
        t.store(x, 8, "next", "0");
        t.store(x, 0, "prev", "0");
    };
    leaf(&mut t, "p");
    t.repeat("havoc c nondet \"n\"", "(!= c 0)", |t| {
        t.then("q := p");
        let both = "(and (!= (select next (+ q 8)) 0) (!= (select prev q) 0))";
        t.repeat("havoc c nondet \"n\"", both, |t| {
            t.valid("q", 0);
            t.when("(= c 0)", |t| t.load("q", "q", 8, "next"));
            t.when("(!= c 0)", |t| t.load("q", "q", 0, "prev"));
        });
        leaf(t, "r");
        if mutation == "shared" {
            t.when("(= (select next (+ q 8)) 0)", |t| {
                t.store("q", 0, "prev", "r")
            });
        }
        match mutation {
            "lost" => t.store("q", 8, "next", "r"),
            _ => {
                t.then("c := (ite (= (select next (+ q 8)) 0) 0 1)");
                t.when("(= c 0)", |t| t.store("q", 8, "next", "r"));
                t.when("(= c 1)", |t| t.store("q", 0, "prev", "r"));
            }
        }
    });
    t.repeat("skip", "(!= p 0)", |t| {
        t.then("q := p, r := 0");
        let some = "(or (!= (select next (+ q 8)) 0) (!= (select prev q) 0))";
        t.repeat("skip", some, |t| {
            t.then("r := q");
            t.then("c := (ite (= (select next (+ q 8)) 0) 0 1)");
            t.when("(= c 0)", |t| t.load("q", "q", 0, "prev"));
            t.when("(= c 1)", |t| t.load("q", "r", 8, "next"));
        });
        t.when("(= r 0)", |t| t.then("p := 0"));
        t.when("(!= r 0)", |t| {
            t.then("c := (ite (= (select next (+ r 8)) q) 1 0)");
            if mutation != "dangling" {
                t.when("(= c 1)", |t| t.store("r", 8, "next", "0"));
            }
            t.when("(= c 0)", |t| t.store("r", 0, "prev", "0"));
        });
        if mutation != "leak" {
            t.free("q");
        }
        if mutation == "twice" {
            t.free("q");
        }
    });
    t.end(true);
    let mut pool = Pool::new();
    let program = t.program(&mut pool);
    accepted_within(&mut pool, &program, Scope::Shapes, 4000)
}

#[test]
fn a_tree_of_any_size() {
    assert!(tree(""));
    for mutation in ["shared", "lost", "dangling", "leak", "twice"] {
        assert!(!tree(mutation), "{mutation}");
    }
}

/// A tree is built and freed by functions that call themselves; the mutations break one thing each.
fn recursive(mutation: &str) -> bool {
    let mut f = Text::of_callee();
    // Builds where `x` is zero, else frees what is below it.
    f.when("(= x 0)", |t| {
        t.when("(!= c 0)", |t| {
            t.allocate("p");
            t.then("q := call f(0)");
            t.store("p", 8, "next", "q");
            t.then("r := call f(0)");
            t.store("p", 0, "prev", if mutation == "shared" { "q" } else { "r" });
        });
    });
    f.when("(!= x 0)", |t| {
        t.load("q", "x", 8, "next");
        t.load("r", "x", 0, "prev");
        t.when("(!= q 0)", |t| t.then("q := call f(q)"));
        if mutation == "early" {
            t.free("x");
        }
        if mutation == "again" {
            t.load("r", "x", 8, "next");
        }
        t.when("(!= r 0)", |t| t.then("r := call f(r)"));
        if !["early", "leak"].contains(&mutation) {
            t.free("x");
        }
        if mutation == "late" {
            t.load("r", "x", 8, "next");
        }
        t.then("p := 0");
    });
    let end = f.at;
    f.edge(end, "exit", "y := p");
    let mut t = Text::new();
    t.then("p := call f(0)");
    t.when("(!= p 0)", |t| t.then("q := call f(p)"));
    if mutation == "afterwards" {
        t.when("(!= p 0)", |t| t.load("q", "p", 8, "next"));
    }
    t.end(true);
    let mut pool = Pool::new();
    let program = t.with(Some(&f), &mut pool);
    accepted_within(&mut pool, &program, Scope::Shapes, 4000)
}

#[test]
fn a_tree_by_recursion() {
    assert!(recursive(""));
    assert!(recursive("early"));
    for mutation in ["shared", "again", "leak", "late", "afterwards"] {
        assert!(!recursive(mutation), "{mutation}");
    }
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
    let careful = random.below(8) != 0;
    statement_by(t, random, careful);
}

fn statement_by(t: &mut Text, random: &mut Random, careful: bool) {
    let names = ["p", "q", "r"];
    let (x, y) = (random.pick(&names), random.pick(&names));
    let (offset, field) = random.pick(&[(8, "next"), (8, "next"), (0, "prev")]);
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

/// A random program with a function that calls itself: what it makes or takes apart is a list or a tree mostly.
fn random_calls(seed: u64) -> (Text, Text) {
    let random = &mut Random::new(seed);
    let careful = random.below(6) != 0;
    let mut f = Text::of_callee();
    let calls = 1 + random.below(2);
    if random.below(2) == 0 {
        f.when("(!= c 0)", |t| {
            t.allocate("p");
            t.then("q := call f(x)");
            t.store("p", 8, "next", "q");
            let other = random.pick(&["0", "x", "q", "p", "r"]);
            if calls == 2 {
                t.then(&format!("r := call f({})", random.pick(&["x", "q"])));
            }
            t.store("p", 0, "prev", other);
        });
    } else {
        f.when("(!= x 0)", |t| {
            t.load("q", "x", 8, "next");
            if random.below(4) == 0 {
                t.load("r", "x", 0, "prev");
            }
            t.then("q := call f(q)");
            if calls == 2 {
                t.then(&format!("r := call f({})", random.pick(&["r", "q"])));
            }
            match random.below(4) {
                0 => t.free("x"),
                1 => t.store("x", 8, "next", random.pick(&["q", "r", "0"])),
                _ => {}
            }
        });
    }
    for _ in 0..random.below(2) {
        statement_by(&mut f, random, careful);
    }
    let end = f.at;
    let result = random.pick(&["p", "p", "q", "x", "0"]);
    f.edge(end, "exit", &format!("y := {result}"));
    let mut t = Text::new();
    t.repeat("havoc c nondet \"n\"", "(!= c 0)", |t| {
        t.allocate("q");
        t.store("q", 8, "next", "p");
        t.store("q", 0, "prev", random.pick(&["0", "0", "0", "p", "r"]));
        t.then("p := q");
    });
    t.then(&format!("r := call f({})", random.pick(&["p", "0"])));
    for _ in 0..1 + random.below(3) {
        statement_by(&mut t, random, careful);
    }
    t.end(random.below(4) == 0);
    (t, f)
}

#[test]
fn no_accepted_program_with_calls_fails() {
    let mut count = 0;
    let campaign = std::env::var("CRAIG_CAMPAIGN").ok();
    let seeds: u64 = campaign.and_then(|c| c.parse().ok()).unwrap_or(80);
    for seed in 0..seeds {
        let (text, callee) = random_calls(seed);
        let mut pool = Pool::new();
        let program = text.with(Some(&callee), &mut pool);
        if !accepted_within(&mut pool, &program, Scope::Shapes, 200) {
            continue;
        }
        count += 1;
        let limits = Limits {
            steps: 300,
            ..Limits::default()
        };
        let mut interpreter = Interpreter::new(&pool, &program);
        for run in 0..60 {
            let mut oracle = Chance(Random::new(seed * 1000 + run));
            let result = interpreter.run(&mut oracle, &limits);
            assert!(
                !matches!(result.outcome, Outcome::ReachedError(_)),
                "seed {seed}, run {run}\n{}\n{}",
                callee.edges,
                text.edges
            );
        }
    }
    assert!(count > 10, "only {count} programs were accepted");
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
