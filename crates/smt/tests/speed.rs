//! Speed of the queries a model checker makes. `cargo test --release -- --ignored --nocapture`.

#![allow(clippy::unwrap_used)]

use base::Budget;
use logic::{Pool, TermId};
use smt::{Answer, Solver, interpolate};
use std::time::Instant;

/// Steps of a counter program: `x_{k+1} = x_k + 1`, `y_{k+1} = ite(x_k <= y_k, y_k, x_k)`.
fn step(pool: &mut Pool, k: usize) -> TermId {
    let int = pool.int_sort();
    let var = |pool: &mut Pool, n: &str, k: usize| pool.constant(&format!("{n}@{k}"), int);
    let (x, y) = (var(pool, "x", k), var(pool, "y", k));
    let (x1, y1) = (var(pool, "x", k + 1), var(pool, "y", k + 1));
    let one = pool.int(1);
    let next = pool.add2(x, one);
    let le = pool.le(x, y);
    let max = pool.ite(le, y, x);
    let parts = [pool.eq(x1, next), pool.eq(y1, max)];
    pool.and(&parts)
}

/// Hoare triples over one block: push, assert pre, block, negated post, check, pop.
#[test]
#[ignore = "a benchmark"]
fn hoare_triples() {
    let mut pool = Pool::new();
    let block = step(&mut pool, 0);
    let int = pool.int_sort();
    let [x, y, x1, y1] = ["x@0", "y@0", "x@1", "y@1"].map(|n| pool.constant(n, int));
    let mut solver = Solver::new();
    let start = Instant::now();
    let (mut sat, n) = (0, 10_000);
    for k in 0..n {
        let c = pool.int(k % 100);
        let d = pool.int(k % 37);
        let pre = [pool.le(x, c), pool.le(y, d)];
        let post = [pool.le(x1, c), pool.le(y1, c)];
        solver.push();
        for t in pre {
            solver.assert(&mut pool, t);
        }
        solver.assert(&mut pool, block);
        let post = pool.and(&post);
        let not = pool.not(post);
        solver.assert(&mut pool, not);
        let answer = solver.check(&mut pool, &[], &Budget::unlimited());
        sat += u32::from(answer == Answer::Sat);
        solver.pop();
    }
    let each = start.elapsed() / n as u32;
    println!(
        "hoare triples: {each:?} each, {sat} sat of {n}; {:?}",
        solver.stats()
    );
}

/// Paths of growing length, each step in a scope, checked at every step.
#[test]
#[ignore = "a benchmark"]
fn growing_paths() {
    let mut pool = Pool::new();
    let mut solver = Solver::new();
    let start = Instant::now();
    let mut checks = 0;
    for _ in 0..50 {
        for k in 0..40 {
            let t = step(&mut pool, k);
            solver.push();
            solver.assert(&mut pool, t);
            assert_eq!(
                solver.check(&mut pool, &[], &Budget::unlimited()),
                Answer::Sat
            );
            checks += 1;
        }
        for _ in 0..40 {
            solver.pop();
        }
    }
    let each = start.elapsed() / checks;
    println!("growing paths: {each:?} each; {:?}", solver.stats());
}

/// Fresh solvers on a small path formula.
#[test]
#[ignore = "a benchmark"]
fn fresh_solvers() {
    let mut pool = Pool::new();
    let int = pool.int_sort();
    let steps: Vec<TermId> = (0..10).map(|k| step(&mut pool, k)).collect();
    let path = pool.and(&steps);
    let [x, x10] = ["x@0", "x@10"].map(|n| pool.constant(n, int));
    let bad = pool.le(x10, x);
    for proof in [false, true] {
        let start = Instant::now();
        let n = 2000;
        for _ in 0..n {
            let mut s = if proof {
                Solver::with_proof()
            } else {
                Solver::new()
            };
            s.assert(&mut pool, path);
            s.assert(&mut pool, bad);
            assert_eq!(s.check(&mut pool, &[], &Budget::unlimited()), Answer::Unsat);
        }
        println!(
            "fresh solvers, proof {proof}: {:?} each",
            start.elapsed() / n
        );
    }
}

/// Pigeons: hard for resolution, a test of the SAT core.
#[test]
#[ignore = "a benchmark"]
fn pigeons() {
    let mut pool = Pool::new();
    let b = pool.bool_sort();
    let n = 8;
    let var = |pool: &mut Pool, i: usize, j: usize| pool.constant(&format!("p{i}_{j}"), b);
    let mut s = Solver::new();
    for i in 0..=n {
        let holes: Vec<TermId> = (0..n).map(|j| var(&mut pool, i, j)).collect();
        let t = pool.or(&holes);
        s.assert(&mut pool, t);
    }
    for j in 0..n {
        for i in 0..=n {
            for k in i + 1..=n {
                let (a, c) = (var(&mut pool, i, j), var(&mut pool, k, j));
                let both = pool.and2(a, c);
                let t = pool.not(both);
                s.assert(&mut pool, t);
            }
        }
    }
    let start = Instant::now();
    assert_eq!(s.check(&mut pool, &[], &Budget::unlimited()), Answer::Unsat);
    println!("pigeons {n}: {:?}; {:?}", start.elapsed(), s.stats());
}

/// Sequence interpolants of unrolled loops: `x@n <= y@0` contradicts n steps from `x@0 = y@0`.
#[test]
#[ignore = "a benchmark"]
fn unrolled_loops() {
    for n in [10, 50, 100, 200] {
        let mut pool = Pool::new();
        let int = pool.int_sort();
        let mut parts: Vec<TermId> = (0..n).map(|k| step(&mut pool, k)).collect();
        let [x, y] = ["x@0", "y@0"].map(|n| pool.constant(n, int));
        let start_eq = pool.eq(x, y);
        parts[0] = pool.and2(start_eq, parts[0]);
        let last = pool.constant(&format!("y@{n}"), int);
        let xn = pool.constant(&format!("x@{n}"), int);
        parts.push(pool.le(xn, last));
        let start = Instant::now();
        let mut s = Solver::with_proof();
        for (i, &p) in parts.iter().enumerate() {
            s.assert_in(&mut pool, p, base::Id::from_index(i));
        }
        assert_eq!(s.check(&mut pool, &[], &Budget::unlimited()), Answer::Unsat);
        let solve = start.elapsed();
        for check in [false, true] {
            let options = interpolate::Options {
                check,
                ..interpolate::Options::default()
            };
            let start = Instant::now();
            let outcome = interpolate::sequence(&mut pool, &parts, &options, &Budget::unlimited());
            assert!(matches!(outcome, interpolate::Outcome::Interpolants(_)));
            println!(
                "unrolled {n}, check {check}: {:?}; the check alone {solve:?}; {:?}",
                start.elapsed(),
                s.stats().sat
            );
        }
    }
}
