//! Each generator on a tiny program where it names the fact that is wanted.
#![allow(clippy::unwrap_used)]

use crate::api::{EngineOptions, Stats};
use crate::core::block_solver::BlockSolver;
use crate::core::houdini::Invariants;
use crate::core::tests::with_program;
use crate::guess::affine::Region;
use crate::guess::generator::{GENERATORS, Scene};
use base::Budget;
use logic::{Pool, TermId};

/// The candidates of one generator at all loop heads of `main`.
fn candidates(name: &str, body: &str, wanted: impl FnOnce(&mut Pool) -> TermId) -> bool {
    let text = format!(
        "entry main\nglobal x: Int\nglobal y: Int\nglobal a: (Array Int Int)\nfn main() {{\n  error bad\n  entry start\n{body}}}\n"
    );
    let options = EngineOptions {
        aids: false,
        slice: false,
        ..EngineOptions::default()
    };
    let budget = Budget::unlimited();
    let mut found = false;
    with_program(&text, &options, &budget, |task, prepared| {
        let invariants = Invariants::default();
        let region = Region::whole(prepared, &invariants);
        let mut solver = BlockSolver::new(&prepared.program, &prepared.graph);
        let generator = GENERATORS.iter().find(|g| g.name() == name).unwrap();
        let wanted = wanted(task.pool);
        let result = generator.candidates(&mut Scene {
            pool: task.pool,
            region: &region,
            proven: &|_| Vec::new(),
            solver: &mut solver,
            stats: &mut Stats::default(),
            limits: &options.limits.guess,
            sampled: true,
            samples: None,
            budget: &budget,
        });
        found = result.unwrap().values().flatten().any(|&t| t == wanted);
    });
    found
}

fn term(pool: &mut Pool, text: &str) -> TermId {
    let int = pool.int_sort();
    match text.parse::<i64>() {
        Ok(n) => pool.int(n),
        Err(_) => pool.constant(text, int),
    }
}

#[test]
fn text_weakens_the_guard() {
    let body = "  start -> head: x := 0\n  head -> body: assume (< x y)\n  body -> head: x := (+ x 1)\n  head -> bad: assume (> x y)\n  head -> exit: skip\n";
    assert!(candidates("candidates: text", body, |pool| {
        let (x, y) = (term(pool, "x"), term(pool, "y"));
        pool.le(x, y)
    }));
}

#[test]
fn statements_keep_residues() {
    let body = "  start -> head: x := 0\n  head -> head: x := (+ x 4)\n  head -> bad: assume (= x 7)\n  head -> exit: skip\n";
    let wanted = |pool: &mut Pool| {
        let (x, four, zero) = (term(pool, "x"), pool.int(4), pool.int(0));
        let rest = pool.modulo(x, four);
        pool.eq(rest, zero)
    };
    assert!(candidates("candidates: statements", body, wanted));
    assert!(!candidates("candidates: text", body, wanted));
}

#[test]
fn affine_finds_the_line() {
    let body = "  start -> head: x := 0, y := 0\n  head -> head: x := (+ x 1), y := (+ y 2)\n  head -> bad: assume (= y 7)\n  head -> exit: skip\n";
    assert!(candidates("candidates: affine", body, |pool| {
        let (x, y, two) = (term(pool, "x"), term(pool, "y"), pool.int(2));
        let twice = pool.mul(&[two, x]);
        pool.eq(y, twice)
    }));
}

#[test]
fn phases_guard_facts_by_branches() {
    let body = "  start -> head: x := 0, y := 0\n  head -> low: assume (< x 50)\n  head -> high: assume (>= x 50)\n  low -> head: x := (+ x 1)\n  high -> head: x := (+ x 2), y := (+ y 1)\n  head -> bad: assume (> y x)\n  head -> exit: skip\n";
    assert!(candidates("candidates: phases", body, |pool| {
        let (x, y, zero) = (term(pool, "x"), term(pool, "y"), pool.int(0));
        let end = pool.int(49);
        let (low, fact) = (pool.le(x, end), pool.le(y, zero));
        let high = pool.not(low);
        pool.or2(high, fact)
    }));
}

#[test]
fn arrays_speak_of_what_the_counter_passed() {
    let body = "  start -> head: x := 0\n  head -> body: assume (< x y)\n  body -> head: a := (store a x 7), x := (+ x 1)\n  head -> bad: assume (!= (select a 3) 7)\n  head -> exit: skip\n";
    assert!(candidates("candidates: arrays", body, |pool| {
        let (x, zero, seven) = (term(pool, "x"), pool.int(0), pool.int(7));
        let int = pool.int_sort();
        let sort = pool.array_sort(int, int);
        let a = pool.constant("a", sort);
        let any = program::any_term(pool, 0);
        let (from, below) = (pool.le(zero, any), pool.lt(any, x));
        let passed = pool.and(&[from, below]);
        let read = pool.select(a, any);
        let cell = pool.eq(read, seven);
        pool.implies(passed, cell)
    }));
}

#[test]
fn residues_have_relations_of_their_own() {
    let body = "  start -> head: x := 0, y := 0\n  head -> even: assume (= (mod x 2) 0)\n  head -> odd: assume (!= (mod x 2) 0)\n  even -> head: x := (+ x 1), y := (+ y 1)\n  odd -> head: x := (+ x 1)\n  head -> bad: assume (> y x)\n  head -> exit: skip\n";
    assert!(candidates("candidates: residues", body, |pool| {
        let (x, y) = (term(pool, "x"), term(pool, "y"));
        let (one, two) = (pool.int(1), pool.int(2));
        let rest = pool.modulo(x, two);
        let odd = pool.eq(rest, one);
        let twice = pool.mul(&[two, y]);
        let next = pool.add(&[x, one]);
        let related = pool.eq(twice, next);
        let even = pool.not(odd);
        pool.or2(even, related)
    }));
}
