//! Bodies as relations, and contracts that support themselves, on small recursive functions.
#![allow(clippy::unwrap_used)]

use super::bodies::{Bodies, bodies, prefixes};
use super::contracts::Contracts;
use base::Budget;
use logic::{Pool, TermId};
use program::{FuncId, Program, VarId};
use smt::{Answer, Solvers};

/// `sum(k) = 0 + 1 + … + k`, called with any number that is not negative.
const SUM: &str = "entry main
fn main(n: Int) returns (m: Int) {
  entry m0
  m0 -> m1: assume (>= n 0)
  m1 -> exit: m := call sum(n)
}
fn sum(k: Int) returns (s: Int) {
  locals t: Int
  entry s0
  s0 -> s1: assume (<= k 0)
  s1 -> exit: s := 0
  s0 -> s2: assume (> k 0)
  s2 -> s3: t := call sum((- k 1))
  s3 -> exit: s := (+ t k)
}
";

/// `stop` calls `log` and never goes on.
const STOP: &str = "entry stop
fn stop(a: Int) returns (r: Int) {
  entry p0
  p0 -> p1: r := call log((* 2 a))
  p1 -> exit: assume false
  p0 -> exit: r := 1
}
fn log(x: Int) returns (y: Int) {
  entry q0
  q0 -> exit: y := x
}
";

fn func(program: &Program, name: &str) -> FuncId {
    let mut ids = program.functions.ids();
    ids.find(|&f| program.functions[f].name == name).unwrap()
}

fn var(program: &Program, name: &str) -> VarId {
    let mut ids = program.vars.ids();
    ids.find(|&v| program.vars[v].name == name).unwrap()
}

fn term(pool: &mut Pool, name: &str) -> TermId {
    let int = pool.int_sort();
    pool.constant(name, int)
}

/// Has the body of `f` an execution with these values (at exit) of variables?
fn possible(pool: &mut Pool, bodies: &Bodies, f: FuncId, values: &[(VarId, TermId)]) -> bool {
    let Some(transition) = bodies.transition(f) else {
        return false;
    };
    let mut solver = Solvers::native().solver();
    solver.assert(pool, transition.formula);
    for &(v, value) in values {
        let at_exit = bodies.at_exit(pool, f, v);
        let equal = pool.eq(at_exit, value);
        solver.assert(pool, equal);
    }
    solver.check(pool, &[], &Budget::unlimited()) == Answer::Sat
}

#[test]
fn a_body_relates_inputs_outputs_and_calls() {
    let mut pool = Pool::new();
    let program = program::text::parse(&mut pool, SUM).unwrap();
    let made = bodies(&mut pool, &program);
    let sum = func(&program, "sum");
    let (k, s) = (var(&program, "k"), var(&program, "s"));
    let site = made.bodies[sum].calls[0].clone();
    assert_eq!(made.bodies[sum].calls.len(), 1);
    assert_eq!(site.callee, sum);
    let (tt, ff) = (pool.tt(), pool.ff());
    for input in -2..=2 {
        let n: Vec<TermId> = (-3..=6).map(|n| pool.int(n)).collect();
        let number = |n_: i64| n[(n_ + 3) as usize];
        // The call is made for positive numbers only, with one less, and may return anything.
        for (is_made, flag) in [(true, tt), (false, ff)] {
            let expected = is_made == (input > 0);
            let values = [(k, number(input)), (site.made, flag)];
            assert_eq!(possible(&mut pool, &made, sum, &values), expected);
        }
        for argument in -3..=3 {
            let values = [
                (k, number(input)),
                (site.made, tt),
                (site.args[0], number(argument)),
            ];
            let expected = input > 0 && argument == input - 1;
            assert_eq!(possible(&mut pool, &made, sum, &values), expected);
        }
        for returned in -1..=1 {
            let values = [
                (k, number(input)),
                (site.results[0], number(returned)),
                (s, number(4)),
            ];
            let expected = input > 0 && returned + input == 4;
            assert_eq!(possible(&mut pool, &made, sum, &values), expected);
        }
    }
}

#[test]
fn prefixes_end_at_a_call() {
    let mut pool = Pool::new();
    let program = program::text::parse(&mut pool, STOP).unwrap();
    let stop = func(&program, "stop");
    let tt = pool.tt();
    for (early, encoded) in [
        (false, bodies(&mut pool, &program)),
        (true, prefixes(&mut pool, &program)),
    ] {
        let made = encoded.bodies[stop].calls[0].made;
        let found = possible(&mut pool, &encoded, stop, &[(made, tt)]);
        assert_eq!(found, early, "the call is only seen by prefixes");
    }
}

/// Contracts of [`SUM`], and the terms of `k` and `s`.
fn with_sum(look: impl FnOnce(&mut Pool, &mut Contracts<'_>, FuncId, [TermId; 2])) {
    let mut pool = Pool::new();
    let program = program::text::parse(&mut pool, SUM).unwrap();
    let (bodies, prefixes) = (bodies(&mut pool, &program), prefixes(&mut pool, &program));
    let mut contracts = Contracts::new(&bodies, program.entry).with_prefixes(&prefixes);
    let terms = ["k", "s"].map(|n| term(&mut pool, n));
    look(&mut pool, &mut contracts, func(&program, "sum"), terms);
}

#[test]
fn the_facts_that_support_each_other_stay() {
    with_sum(|pool, contracts, sum, [k, s]| {
        let n: Vec<TermId> = (0..=5).map(|n| pool.int(n)).collect();
        let guards = [pool.ge(k, n[0]), pool.ge(k, n[1]), pool.le(k, n[5])];
        for g in guards {
            contracts.offer_guard(pool, sum, g);
        }
        let summaries = [
            pool.ge(s, n[0]),
            pool.ge(s, k),
            pool.le(s, n[5]),
            pool.eq(s, n[0]),
        ];
        for f in summaries {
            contracts.offer_summary(pool, sum, f);
        }
        let budget = Budget::unlimited();
        contracts.houdini(pool, &budget).unwrap();
        assert_eq!(contracts.guards(sum), &guards[..1]);
        assert_eq!(contracts.summaries(sum), &summaries[..2]);
        let entry = contracts.proven().ids().next().unwrap();
        let (input, result) = (term(pool, "n"), term(pool, "m"));
        let (at_least, small) = (pool.ge(result, input), pool.le(result, n[3]));
        assert!(contracts.implies(pool, entry, at_least, &budget).unwrap());
        assert!(!contracts.implies(pool, entry, small, &budget).unwrap());
    });
}

#[test]
fn a_fact_that_failed_is_tried_again_with_later_ones() {
    with_sum(|pool, contracts, sum, [_, s]| {
        let (zero, minus_one) = (pool.int(0), pool.int(-1));
        let equal = pool.eq(s, minus_one);
        let other = pool.not(equal);
        let budget = Budget::unlimited();
        contracts.offer_summary(pool, sum, other);
        contracts.houdini(pool, &budget).unwrap();
        assert!(contracts.summaries(sum).is_empty(), "-2 + 1 = -1");
        let at_least = pool.ge(s, zero);
        contracts.offer_summary(pool, sum, at_least);
        contracts.houdini(pool, &budget).unwrap();
        assert_eq!(contracts.summaries(sum), [other, at_least]);
    });
}

#[test]
fn guards_are_checked_at_calls_that_do_not_return() {
    let mut pool = Pool::new();
    let program = program::text::parse(&mut pool, STOP).unwrap();
    let (bodies, prefixes) = (bodies(&mut pool, &program), prefixes(&mut pool, &program));
    let log = func(&program, "log");
    let x = term(&mut pool, "x");
    let (zero, two) = (pool.int(0), pool.int(2));
    let positive = pool.ge(x, zero);
    let remainder = pool.modulo(x, two);
    let even = pool.eq(remainder, zero);
    let budget = Budget::unlimited();
    let mut contracts = Contracts::new(&bodies, program.entry).with_prefixes(&prefixes);
    contracts.offer_guard(&pool, log, positive);
    contracts.offer_guard(&pool, log, even);
    contracts.houdini(&mut pool, &budget).unwrap();
    assert_eq!(contracts.guards(log), [even]);
    // The entry may be called with anything.
    let a = term(&mut pool, "a");
    let guard = pool.ge(a, zero);
    contracts.offer_guard(&pool, program.entry, guard);
    contracts.houdini(&mut pool, &budget).unwrap();
    assert!(contracts.guards(program.entry).is_empty());
}
