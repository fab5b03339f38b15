//! What the fuzz targets check; `crates/smt/tests/fuzz.rs` runs the same on kept inputs and a few
//! random ones. Nothing here may panic except for a bug.

use base::Budget;
use logic::smtlib::{CommandKind, NoHooks, ScriptReader, declarations, prelude, print_term};
use logic::{Pool, TermId, Value, eval};
use smt::{Answer, Solver};
use std::time::Duration;

fn budget() -> Budget {
    let time = Duration::from_millis(300);
    Budget::unlimited().with_time(time).with_conflicts(2000)
}

/// Reads the bytes as a script and runs its assertions. A formula that was read prints as text that
/// reads as the same formula; models hold.
#[allow(dead_code)]
pub fn script(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut pool = Pool::new();
    let mut reader = ScriptReader::new(&text);
    let mut solver = Solver::new();
    let mut asserted: Vec<Vec<TermId>> = vec![Vec::new()];
    for _ in 0..10_000 {
        let Some(next) = reader.next(&mut pool, &mut NoHooks) else {
            break;
        };
        let Ok(command) = next else { continue };
        match command.kind {
            CommandKind::Assert { term, .. } => {
                print_and_read(&pool, term);
                solver.assert(&mut pool, term);
                asserted.last_mut().expect("one is open").push(term);
            }
            CommandKind::Push(n) => {
                for _ in 0..n.min(100) {
                    solver.push();
                    asserted.push(Vec::new());
                }
            }
            CommandKind::Pop(n) => {
                for _ in 0..n.min(100) {
                    if asserted.len() > 1 {
                        solver.pop();
                        asserted.pop();
                    }
                }
            }
            CommandKind::CheckSat => check(&mut pool, &mut solver, &asserted, &[]),
            CommandKind::CheckSatAssuming(list) => {
                let terms: Vec<TermId> = list.iter().map(|a| a.1).collect();
                check(&mut pool, &mut solver, &asserted, &terms);
            }
            CommandKind::Reset | CommandKind::ResetAssertions => {
                solver = Solver::new();
                asserted = vec![Vec::new()];
            }
            CommandKind::Exit => break,
            _ => {}
        }
    }
}

fn print_and_read(pool: &Pool, term: TermId) {
    let body = print_term(pool, term);
    if body.len() > 10_000 {
        return;
    }
    let head = declarations(pool, &[term]) + &prelude(pool, &[term]);
    let text = format!("{head}(assert {body})");
    let mut copy = Pool::new();
    let mut reader = ScriptReader::new(&text);
    let mut last = None;
    while let Some(next) = reader.next(&mut copy, &mut NoHooks) {
        let command = next.unwrap_or_else(|e| panic!("{e} in {text}"));
        if let CommandKind::Assert { term, .. } = command.kind {
            last = Some(term);
        }
    }
    let again = last.map(|t| print_term(&copy, t));
    // The order of arguments may depend on the order of creation; sizes do not.
    assert_eq!(again.map(|s| s.len()), Some(body.len()), "{text}");
}

fn check(pool: &mut Pool, solver: &mut Solver, asserted: &[Vec<TermId>], assumptions: &[TermId]) {
    match solver.check(pool, assumptions, &budget()) {
        Answer::Sat => {
            let model = solver.model(pool);
            for &t in asserted.iter().flatten().chain(assumptions) {
                assert_eq!(eval(pool, &model, t), Value::Bool(true), "a model holds");
            }
        }
        Answer::Unsat => {
            let core = solver.core();
            assert!(
                core.iter().all(|c| assumptions.contains(c)),
                "a core is a subset"
            );
        }
        Answer::Unknown(_) => {}
    }
}

/// Calls of the solver: push, pop, assert, check. The answers agree with those of a fresh solver.
#[allow(dead_code)]
pub fn trace(data: &[u8]) {
    let mut pool = Pool::new();
    let (int, bool) = (pool.int_sort(), pool.bool_sort());
    let array = pool.array_sort(int, int);
    let f = pool.symbol("f", &[int], int);
    let mut terms: Vec<TermId> = Vec::new();
    for n in ["x", "y", "z"] {
        terms.push(pool.constant(n, int));
    }
    let mut facts: Vec<TermId> = ["p", "q"].map(|n| pool.constant(n, bool)).into();
    let memory = pool.constant("m", array);
    let mut arrays = vec![memory];
    let proof = data.first().is_some_and(|b| b & 1 == 1);
    let mut solver = match proof {
        true => Solver::with_proof(),
        false => Solver::new(),
    };
    let mut asserted: Vec<Vec<TermId>> = vec![Vec::new()];
    for step in data.chunks_exact(3).take(200) {
        let (op, a, b) = (step[0], usize::from(step[1]), usize::from(step[2]));
        let (s, t) = (terms[a % terms.len()], terms[b % terms.len()]);
        let (p, q) = (facts[a % facts.len()], facts[b % facts.len()]);
        let m = arrays[a % arrays.len()];
        match op % 16 {
            0 => terms.push(pool.add2(s, t)),
            1 => {
                let k = pool.int(b as i64 - 128);
                terms.push(pool.add2(s, k));
            }
            2 => {
                let k = pool.int(b as i64 % 7 - 3);
                terms.push(pool.mul(&[k, s]));
            }
            3 => terms.push(pool.app(f, &[s])),
            4 => terms.push(pool.select(m, t)),
            5 => {
                let v = terms[(a + b) % terms.len()];
                arrays.push(pool.store(m, t, v));
            }
            6 => terms.push(pool.ite(p, s, t)),
            7 => facts.push(pool.le(s, t)),
            8 => facts.push(pool.eq(s, t)),
            9 => facts.push(pool.or(&[p, q])),
            10 => facts.push(pool.and(&[p, q])),
            11 => facts.push(pool.not(p)),
            12 if asserted.len() < 20 => {
                solver.push();
                asserted.push(Vec::new());
            }
            13 if asserted.len() > 1 => {
                solver.pop();
                asserted.pop();
            }
            14 => {
                solver.assert(&mut pool, p);
                asserted.last_mut().expect("one is open").push(p);
            }
            15 => {
                let assumptions = if b % 2 == 0 { vec![] } else { vec![p, q] };
                let answer = solver.check(&mut pool, &assumptions, &budget());
                let mut fresh = Solver::new();
                for &t in asserted.iter().flatten().chain(&assumptions) {
                    fresh.assert(&mut pool, t);
                }
                let expected = fresh.check(&mut pool, &[], &budget());
                let unknown = |a: &Answer| matches!(a, Answer::Unknown(_));
                if !unknown(&answer) && !unknown(&expected) {
                    assert_eq!(answer, expected, "incremental and fresh");
                }
                check(&mut pool, &mut solver, &asserted, &assumptions);
            }
            _ => {}
        }
    }
}
