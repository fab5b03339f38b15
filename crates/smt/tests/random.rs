//! Random formulas against brute force and random interpretations.

#![allow(clippy::unwrap_used)]

use base::Budget;
use logic::{Model, Pool, Rational, Value, eval};
use proptest::prelude::*;
use smt::{Answer, Solver};
use std::time::Duration;
use testkit::formulas::{Features, Random, Vocabulary};

fn budget() -> Budget {
    Budget::unlimited().with_time(Duration::from_secs(60))
}

/// All models over the bounded integers and the Booleans.
fn brute_force(pool: &Pool, v: &Vocabulary, formula: logic::TermId, ints: bool) -> bool {
    let range: Vec<i64> = if ints { (-2..=2).collect() } else { vec![0] };
    for bits in 0..8 {
        for &x in &range {
            for &y in &range {
                for &z in &range {
                    let mut model = Model::default();
                    for (k, &b) in v.bools.iter().enumerate() {
                        let value = Value::Bool(bits >> k & 1 == 1);
                        model.constants.insert(pool.as_constant(b).unwrap(), value);
                    }
                    for (&t, n) in v.ints.iter().zip([x, y, z]) {
                        let value = Value::Num(Rational::from(n));
                        model.constants.insert(pool.as_constant(t).unwrap(), value);
                    }
                    if eval(pool, &model, formula) == Value::Bool(true) {
                        return true;
                    }
                }
            }
        }
    }
    false
}

fn against_brute_force(features: Features, bytes: &[u8]) {
    let mut pool = Pool::new();
    let v = Vocabulary::new(&mut pool, features);
    let f = v.formula(&mut pool, bytes);
    let bounds = v.bounds(&mut pool);
    let all = pool.and2(f, bounds);
    let expected = brute_force(&pool, &v, all, features.ints);
    for proof in [false, true] {
        let mut s = if proof {
            Solver::with_proof()
        } else {
            Solver::new()
        };
        s.assert(&mut pool, f);
        s.assert(&mut pool, bounds);
        let answer = s.check(&mut pool, &[], &budget());
        if features.special && matches!(answer, Answer::Unknown(_)) {
            continue;
        }
        // Division by zero is any function, brute force tries only one.
        if !features.special || expected {
            assert_eq!(answer == Answer::Sat, expected, "{answer:?}");
        }
        assert!(!matches!(answer, Answer::Unknown(_)), "{answer:?}");
        if answer == Answer::Sat {
            let model = s.model(&mut pool);
            assert_eq!(eval(&pool, &model, all), Value::Bool(true));
        }
    }
}

/// `Sat` comes with a model; `Unsat` means no random interpretation satisfies the formula.
fn against_random_models(features: Features, bytes: &[u8], seed: u64) {
    let mut pool = Pool::new();
    let v = Vocabulary::new(&mut pool, features);
    let f = v.formula(&mut pool, bytes);
    let mut s = Solver::new();
    s.assert(&mut pool, f);
    match s.check(&mut pool, &[], &budget()) {
        Answer::Sat => {
            let model = s.model(&mut pool);
            assert_eq!(eval(&pool, &model, f), Value::Bool(true));
        }
        Answer::Unsat => {
            let mut random = Random(seed | 1);
            for _ in 0..300 {
                let model = v.random_model(&pool, &mut random);
                assert_eq!(eval(&pool, &model, f), Value::Bool(false), "{model:?}");
            }
        }
        Answer::Unknown(why) => assert!(features.special, "{why:?}"),
    }
}

/// A trace of push, pop, assert, check with assumptions: the incremental solver agrees with a fresh one.
fn trace(features: Features, steps: &[(u8, Vec<u8>)], proof: bool) {
    let mut pool = Pool::new();
    let v = Vocabulary::new(&mut pool, features);
    let mut s = if proof {
        Solver::with_proof()
    } else {
        Solver::new()
    };
    let mut scopes: Vec<Vec<logic::TermId>> = vec![vec![]];
    let bounds = v.bounds(&mut pool);
    s.assert(&mut pool, bounds);
    scopes[0].push(bounds);
    for (op, bytes) in steps {
        let f = v.formula(&mut pool, bytes);
        match op % 6 {
            0 => {
                s.push();
                scopes.push(vec![]);
            }
            1 if scopes.len() > 1 => {
                s.pop();
                scopes.pop();
            }
            2 | 3 => {
                s.assert(&mut pool, f);
                scopes.last_mut().unwrap().push(f);
            }
            _ => {
                let g = v.formula(&mut pool, &bytes[bytes.len() / 2..]);
                let assumptions = if op % 6 == 4 { vec![f, g] } else { vec![] };
                let answer = s.check(&mut pool, &assumptions, &budget());
                let mut all: Vec<_> = scopes.concat();
                let mut fresh = Solver::new();
                for &t in all.iter().chain(&assumptions) {
                    fresh.assert(&mut pool, t);
                }
                let expected = fresh.check(&mut pool, &[], &budget());
                if matches!(answer, Answer::Unknown(_)) || matches!(expected, Answer::Unknown(_)) {
                    assert!(features.special, "{answer:?} {expected:?}");
                    continue;
                }
                assert_eq!(answer, expected);
                if answer == Answer::Sat {
                    all.extend(&assumptions);
                    let model = s.model(&mut pool);
                    for t in all {
                        assert_eq!(eval(&pool, &model, t), Value::Bool(true));
                    }
                } else {
                    let core = s.core().to_vec();
                    assert!(core.iter().all(|c| assumptions.contains(c)));
                    let mut fresh = Solver::new();
                    for &t in all.iter().chain(&core) {
                        fresh.assert(&mut pool, t);
                    }
                    assert_eq!(fresh.check(&mut pool, &[], &budget()), Answer::Unsat);
                    if assumptions.is_empty() {
                        assert_eq!(s.refutation().is_some(), proof);
                    }
                }
            }
        }
    }
}

const BOOLEAN: Features = Features {
    ints: false,
    functions: false,
    arrays: false,
    uninterpreted: false,
    special: false,
};
const INTS: Features = Features {
    ints: true,
    ..BOOLEAN
};
const EUF: Features = Features {
    uninterpreted: true,
    ..BOOLEAN
};
const UFLIA: Features = Features {
    ints: true,
    functions: true,
    ..BOOLEAN
};
const ARRAYS: Features = Features {
    ints: true,
    arrays: true,
    ..BOOLEAN
};
const ALL: Features = Features {
    ints: true,
    functions: true,
    arrays: true,
    uninterpreted: true,
    special: false,
};
const SPECIAL: Features = Features {
    ints: true,
    special: true,
    ..BOOLEAN
};

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..120)
}

fn steps() -> impl Strategy<Value = Vec<(u8, Vec<u8>)>> {
    prop::collection::vec(
        (any::<u8>(), prop::collection::vec(any::<u8>(), 0..40)),
        0..20,
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn boolean(b in bytes()) { against_brute_force(BOOLEAN, &b); }
    #[test]
    fn integers(b in bytes()) { against_brute_force(INTS, &b); }
    #[test]
    fn special(b in prop::collection::vec(any::<u8>(), 0..40)) { against_brute_force(SPECIAL, &b); }
    #[test]
    fn euf(b in bytes(), seed: u64) { against_random_models(EUF, &b, seed); }
    #[test]
    fn uflia(b in bytes(), seed: u64) { against_random_models(UFLIA, &b, seed); }
    #[test]
    fn arrays(b in bytes(), seed: u64) { against_random_models(ARRAYS, &b, seed); }
    #[test]
    fn everything(b in bytes(), seed: u64) { against_random_models(ALL, &b, seed); }
    #[test]
    fn trace_boolean(s in steps()) { trace(BOOLEAN, &s, false); }
    #[test]
    fn trace_integers(s in steps()) { trace(INTS, &s, false); }
    #[test]
    fn trace_everything(s in steps()) { trace(ALL, &s, false); }
    #[test]
    fn trace_proof(s in steps()) { trace(ALL, &s, true); }
}

/// How often the solver gives up, by theory.
#[test]
#[ignore = "a campaign"]
fn unknown_rate() {
    for (name, features) in [
        ("uflia", UFLIA),
        ("arrays", ARRAYS),
        ("ints", INTS),
        ("all", ALL),
    ] {
        let (mut unknown, mut bad) = (0, 0);
        let mut random = Random(7);
        let n = 4000;
        for _ in 0..n {
            let len = 10 + (random.number() % 110) as usize;
            let bytes: Vec<u8> = (0..len).map(|_| (random.number() >> 13) as u8).collect();
            let mut pool = Pool::new();
            let v = Vocabulary::new(&mut pool, features);
            let f = v.formula(&mut pool, &bytes);
            let mut s = Solver::with_proof();
            s.assert(&mut pool, f);
            match s.check(&mut pool, &[], &budget()) {
                Answer::Unknown(why) => {
                    unknown += 1;
                    println!("{name} {why:?} {bytes:?}");
                }
                Answer::Unsat => {
                    let r = s.refutation().unwrap().clone();
                    if let Err(e) = smt::proof::check::check(&mut pool, &r, &[f]) {
                        bad += 1;
                        println!("{name} {e} {bytes:?}");
                    }
                }
                Answer::Sat => {}
            }
        }
        println!("{name}: {unknown} unknown, {bad} bad proofs of {n}");
    }
}

/// A literal that is negated as an argument: `q` at both truth values, and so at what `q` gives.
#[test]
fn proofs_with_formulas_as_arguments() {
    let text = "(declare-fun q (Int Bool) Bool)
        (declare-fun a () Int) (declare-fun b () Int) (declare-fun p (Bool) Int)
        (push 1)
        (assert (q 0 (q 0 (not (q 0 true)))))
        (assert (not (q 0 false)))
        (check-sat)
        (pop 1)
        (push 1)
        (assert (= a b))
        (assert (not (= (p (= a b)) (p (not (not true))))))
        (check-sat)
        (pop 1)
        (push 1)
        (assert (not (= a b)))
        (assert (not (= (p (not (= a b))) (p true))))
        (check-sat)";
    let mut pool = Pool::new();
    let script = logic::smtlib::parse_script(&mut pool, text).unwrap();
    let mut asserted = Vec::new();
    let mut checked = 0;
    for command in script.commands {
        match command.kind {
            logic::smtlib::CommandKind::Push(_) => asserted.clear(),
            logic::smtlib::CommandKind::Assert { term, .. } => asserted.push(term),
            logic::smtlib::CommandKind::CheckSat => {
                let all = pool.and(&asserted);
                let mut solver = Solver::with_proof();
                solver.assert(&mut pool, all);
                let answer = solver.check(&mut pool, &[], &Budget::unlimited());
                assert_eq!(answer, Answer::Unsat);
                let proof = solver.refutation().unwrap().clone();
                let result = smt::proof::check::check(&mut pool, &proof, &[all]);
                assert!(result.is_ok(), "{result:?}");
                checked += 1;
            }
            _ => {}
        }
    }
    assert_eq!(checked, 3);
}
