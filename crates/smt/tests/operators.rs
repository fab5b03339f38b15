//! Operators beyond linear arithmetic through the whole solver: divisions, words, bits, products.
#![allow(clippy::unwrap_used)]

use base::Budget;
use logic::smtlib::{CommandKind, NoHooks, ScriptReader};
use logic::{Pool, TermId, Value, eval};
use smt::interpolate::{self, Options, Outcome};
use smt::{Answer, Solver};
use std::time::Duration;

struct Query {
    pool: Pool,
    parts: Vec<TermId>,
}

impl Query {
    fn new() -> Self {
        Query {
            pool: Pool::new(),
            parts: Vec::new(),
        }
    }

    fn var(&mut self, name: &str) -> TermId {
        let int = self.pool.int_sort();
        self.pool.constant(name, int)
    }

    /// A variable within bounds.
    fn within(&mut self, name: &str, low: i64, high: i64) -> TermId {
        let v = self.var(name);
        let range = self.pool.in_range(&low.into(), v, &high.into());
        self.parts.push(range);
        v
    }

    fn eq(&mut self, a: TermId, b: i64) {
        let n = self.pool.int(b);
        let e = self.pool.eq(a, n);
        self.parts.push(e);
    }

    fn answer(&mut self) -> Answer {
        let mut solver = Solver::new();
        for &p in &self.parts {
            solver.assert(&mut self.pool, p);
        }
        let budget = Budget::unlimited().with_time(Duration::from_secs(20));
        let answer = solver.check(&mut self.pool, &[], &budget);
        if answer == Answer::Sat {
            let model = solver.model(&mut self.pool);
            for &p in &self.parts {
                assert_eq!(eval(&self.pool, &model, p), Value::Bool(true));
            }
        }
        answer
    }
}

#[test]
fn increments_wrap_at_the_end_only() {
    for (limit, expected) in [
        (u32::MAX as i64 - 1, Answer::Unsat),
        (u32::MAX as i64, Answer::Sat),
    ] {
        let mut q = Query::new();
        let x = q.within("x", 0, limit);
        let one = q.pool.int(1);
        let sum = q.pool.add2(x, one);
        let y = q.pool.wrap(32, false, sum);
        let less = q.pool.lt(y, x);
        q.parts.push(less);
        assert_eq!(q.answer(), expected);
    }
}

#[test]
fn products_of_words() {
    // 3 * a = 1 modulo 2^32 has a solution, 2 * a = 1 has none.
    for (factor, expected) in [(3, Answer::Sat), (2, Answer::Unsat)] {
        let mut q = Query::new();
        let a = q.within("a", 0, u32::MAX as i64);
        let p = q.pool.mul_const(&factor.into(), a);
        let w = q.pool.wrap(32, false, p);
        q.eq(w, 1);
        assert_eq!(q.answer(), expected);
    }
}

#[test]
fn small_products() {
    for (value, expected) in [(35, Answer::Sat), (37, Answer::Unsat)] {
        let mut q = Query::new();
        let (x, y) = (q.within("x", 2, 20), q.within("y", 2, 20));
        let p = q.pool.mul(&[x, y]);
        q.eq(p, value);
        assert_eq!(q.answer(), expected);
    }
}

#[test]
fn squares() {
    for (value, expected) in [(2, Answer::Unsat), (49, Answer::Sat), (-1, Answer::Unsat)] {
        let mut q = Query::new();
        let x = q.var("x");
        let p = q.pool.mul(&[x, x]);
        q.eq(p, value);
        assert_eq!(q.answer(), expected, "x * x = {value}");
    }
}

#[test]
fn masks() {
    // An even x: x | 1 is x + 1.
    let mut q = Query::new();
    let x = q.var("x");
    let one = q.pool.int(1);
    let low = q.pool.bit_and(x, one);
    q.eq(low, 0);
    let or = q.pool.bit_or(x, one);
    let next = q.pool.add2(x, one);
    let same = q.pool.eq(or, next);
    let differ = q.pool.not(same);
    q.parts.push(differ);
    assert_eq!(q.answer(), Answer::Unsat);
}

#[test]
fn xor_twice_is_the_identity() {
    let mut q = Query::new();
    let (a, b) = (q.within("a", 0, 15), q.within("b", 0, 15));
    let x = q.pool.bit_xor(a, b);
    let y = q.pool.bit_xor(x, b);
    let same = q.pool.eq(y, a);
    let differ = q.pool.not(same);
    q.parts.push(differ);
    assert_eq!(q.answer(), Answer::Unsat);
}

#[test]
fn and_with_xor_has_a_solution() {
    let mut q = Query::new();
    let (a, b) = (q.within("a", 0, 255), q.within("b", 0, 255));
    let and = q.pool.bit_and(a, b);
    let xor = q.pool.bit_xor(a, b);
    q.eq(and, 12);
    q.eq(xor, 3);
    assert_eq!(q.answer(), Answer::Sat);
    let sum = q.pool.add2(a, b);
    q.eq(sum, 28);
    assert_eq!(q.answer(), Answer::Unsat);
}

#[test]
fn quotient_and_remainder() {
    for d in [2, -3, 7] {
        let mut q = Query::new();
        let x = q.var("x");
        let n = q.pool.int(d);
        let (quotient, rest) = (q.pool.c_div(x, n), q.pool.c_rem(x, n));
        let back = q.pool.mul_const(&d.into(), quotient);
        let sum = q.pool.add2(back, rest);
        let same = q.pool.eq(sum, x);
        let differ = q.pool.not(same);
        q.parts.push(differ);
        assert_eq!(q.answer(), Answer::Unsat);
    }
}

#[test]
fn variable_divisor_and_shift() {
    let mut q = Query::new();
    let (a, b, n) = (
        q.within("a", 17, 17),
        q.within("b", 5, 6),
        q.within("n", 0, 5),
    );
    let rest = q.pool.c_rem(a, b);
    q.eq(rest, 5);
    let one = q.pool.int(1);
    let shifted = q.pool.shl(one, n);
    q.eq(shifted, 16);
    assert_eq!(q.answer(), Answer::Sat);
    let five = q.pool.int(5);
    let is_five = q.pool.eq(b, five);
    q.parts.push(is_five);
    assert_eq!(q.answer(), Answer::Unsat);
}

#[test]
fn parity_is_interpolated() {
    let mut q = Query::new();
    let (x, y, z) = (q.var("x"), q.var("y"), q.var("z"));
    let two = logic::Rational::from(2);
    let even = q.pool.mul_const(&two, y);
    let double = q.pool.mul_const(&two, z);
    let one = q.pool.int(1);
    let odd = q.pool.add2(double, one);
    let a = q.pool.eq(x, even);
    let b = q.pool.eq(x, odd);
    let outcome = interpolate::sequence(
        &mut q.pool,
        &[a, b],
        &Options::default(),
        &Budget::unlimited().with_time(Duration::from_secs(20)),
    );
    let Outcome::Interpolants(list) = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(list.len(), 1);
}

/// An equality that is an argument: its value follows from the literal that it is.
#[test]
fn equalities_may_be_arguments() {
    let mut pool = Pool::new();
    let text = "(declare-sort U 0) (declare-fun a () U) (declare-fun b () U) \
                (declare-fun p (Bool) Bool) \
                (assert (= a b)) (assert (not (p true))) (assert (p (= a b)))";
    let mut reader = ScriptReader::new(text);
    let mut parts = Vec::new();
    while let Some(command) = reader.next(&mut pool, &mut NoHooks) {
        if let CommandKind::Assert { term, .. } = command.unwrap().kind {
            parts.push(term);
        }
    }
    let mut solver = Solver::with_proof();
    let all = pool.and(&parts);
    solver.assert(&mut pool, all);
    let budget = Budget::unlimited().with_time(Duration::from_secs(20));
    assert_eq!(solver.check(&mut pool, &[], &budget), Answer::Unsat);
    let proof = solver.refutation().unwrap().clone();
    smt::proof::check::check(&mut pool, &proof, &[all]).unwrap();
    let outcome = interpolate::sequence(&mut pool, &parts, &Options::default(), &budget);
    assert!(matches!(outcome, Outcome::Interpolants(_)), "{outcome:?}");
}
