//! Interpolation along random program paths: assignments, branches, arrays, division, havoc, in
//! static single assignment form, as engines ask for it.

use super::generate::{brute_force, vocabulary};
use super::proofs::path;
use crate::interpolate::{FarkasSide, Interpolator, Labelling, Options, Outcome, Stats};
use crate::proof::PartitionId;
use crate::proof::check::check;
use crate::{Answer, Solver};
use base::{Budget, Id};
use logic::{Pool, Rational, TermId};
use proptest::prelude::*;

#[derive(Clone, Debug)]
pub enum Step {
    /// `x_i := x_j + k`.
    Add(u8, u8, i8),
    /// `x_i := c * x_j + x_k`.
    Scale(u8, u8, u8, i8),
    Havoc(u8),
    /// `assume x_i + k <= x_j`, or `=`, or `!=`.
    Assume(u8, u8, i8, u8),
    /// `if x_i <= k then x_i++ else x_j := 0`.
    Branch(u8, u8, i8),
    /// `m[x_i] := x_j`.
    Write(u8, u8),
    /// `x_i := m[x_j]`.
    Read(u8, u8),
    /// `x_i := x_j mod 2`.
    Parity(u8, u8),
    /// `x_i := f(x_j)`.
    Call(u8, u8),
    /// `x_i := x_j (machine operation) x_k`.
    Machine(u8, u8, u8, u8),
}

const VARS: u8 = 3;

#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Linear,
    Calls,
    Arrays,
    Machine,
}

pub fn step(kind: Kind) -> BoxedStrategy<Step> {
    let v = || 0..VARS;
    let basic = prop_oneof![
        3 => (v(), v(), -2..3i8).prop_map(|(a, b, k)| Step::Add(a, b, k)),
        1 => (v(), v(), v(), -2..3i8).prop_map(|(a, b, c, k)| Step::Scale(a, b, c, k)),
        1 => v().prop_map(Step::Havoc),
        3 => (v(), v(), -2..3i8, 0..3u8).prop_map(|(a, b, k, r)| Step::Assume(a, b, k, r)),
        2 => (v(), v(), -1..3i8).prop_map(|(a, b, k)| Step::Branch(a, b, k)),
        1 => (v(), v()).prop_map(|(a, b)| Step::Parity(a, b)),
    ];
    let memory = prop_oneof![
        (v(), v()).prop_map(|(a, b)| Step::Write(a, b)),
        (v(), v()).prop_map(|(a, b)| Step::Read(a, b)),
    ];
    let call = (v(), v()).prop_map(|(a, b)| Step::Call(a, b));
    let machine = (v(), v(), v(), 0..5u8).prop_map(|(a, b, c, op)| Step::Machine(a, b, c, op));
    match kind {
        Kind::Linear => basic.boxed(),
        Kind::Calls => prop_oneof![2 => basic, 1 => call].boxed(),
        Kind::Arrays => prop_oneof![2 => basic, 2 => memory].boxed(),
        Kind::Machine => prop_oneof![3 => basic, 1 => machine].boxed(),
    }
}

/// The steps in single assignment form; the first part fixes the start, the last one is the goal.
pub fn encode(pool: &mut Pool, steps: &[Step], goal: &Step) -> Vec<TermId> {
    let int = pool.int_sort();
    let array = pool.array_sort(int, int);
    let f = pool.symbol("f", &[int], int);
    let mut version = [0usize; VARS as usize + 1];
    let name = |pool: &mut Pool, v: u8, version: &[usize]| {
        let n = version[v as usize];
        match v == VARS {
            true => pool.constant(&format!("m@{n}"), array),
            false => pool.constant(&format!("x{v}@{n}"), int),
        }
    };
    let mut parts = Vec::new();
    let mut start = Vec::new();
    for v in 0..2 {
        let (x, zero) = (name(pool, v, &version), pool.int(0));
        start.push(pool.eq(x, zero));
    }
    for s in steps.iter().chain([goal]) {
        let old = version;
        let get = |pool: &mut Pool, v: u8| name(pool, v, &old);
        let (target, value) = match *s {
            Step::Add(a, b, k) => {
                let (x, k) = (get(pool, b), pool.int(i64::from(k)));
                (Some(a), pool.add2(x, k))
            }
            Step::Scale(a, b, c, k) => {
                let (x, y) = (get(pool, b), get(pool, c));
                let x = pool.mul_const(&Rational::from(i64::from(k)), x);
                (Some(a), pool.add2(x, y))
            }
            Step::Havoc(a) => {
                version[a as usize] += 1;
                (None, pool.tt())
            }
            Step::Assume(a, b, k, relation) => {
                let (x, y, k) = (get(pool, a), get(pool, b), pool.int(i64::from(k)));
                let x = pool.add2(x, k);
                (
                    None,
                    match relation {
                        0 => pool.le(x, y),
                        1 => pool.eq(x, y),
                        _ => {
                            let e = pool.eq(x, y);
                            pool.not(e)
                        }
                    },
                )
            }
            Step::Branch(a, b, k) => {
                let (x, y) = (get(pool, a), get(pool, b));
                version[a as usize] += 1;
                if b != a {
                    version[b as usize] += 1;
                }
                let (x1, y1) = (name(pool, a, &version), name(pool, b, &version));
                let (k, one, zero) = (pool.int(i64::from(k)), pool.int(1), pool.int(0));
                let condition = pool.le(x, k);
                let other = pool.not(condition);
                let next = pool.add2(x, one);
                let (set, keep) = (pool.eq(x1, next), pool.eq(x1, x));
                let (reset, same) = (pool.eq(y1, zero), pool.eq(y1, y));
                let (yes, no) = match a == b {
                    true => (vec![condition, set], vec![other, reset]),
                    false => (vec![condition, set, same], vec![other, keep, reset]),
                };
                let (yes, no) = (pool.and(&yes), pool.and(&no));
                (None, pool.or2(yes, no))
            }
            Step::Write(a, b) => {
                let (m, i, v) = (get(pool, VARS), get(pool, a), get(pool, b));
                (Some(VARS), pool.store(m, i, v))
            }
            Step::Read(a, b) => {
                let (m, i) = (get(pool, VARS), get(pool, b));
                (Some(a), pool.select(m, i))
            }
            Step::Parity(a, b) => {
                let (x, two) = (get(pool, b), pool.int(2));
                (Some(a), pool.modulo(x, two))
            }
            Step::Machine(a, b, c, op) => {
                let (x, y) = (get(pool, b), get(pool, c));
                let (five, sum) = (pool.int(5), pool.add2(x, y));
                (
                    Some(a),
                    match op {
                        0 => pool.bit_and(x, five),
                        1 => pool.wrap(4, c == 0, sum),
                        2 => pool.c_div(x, five),
                        3 => pool.mul(&[x, y]),
                        _ => pool.c_rem(x, y),
                    },
                )
            }
            Step::Call(a, b) => {
                let x = get(pool, b);
                (Some(a), pool.app(f, &[x]))
            }
        };
        let part = match target {
            Some(v) => {
                version[v as usize] += 1;
                let x = name(pool, v, &version);
                pool.eq(x, value)
            }
            None => value,
        };
        start.push(part);
        parts.push(pool.and(&start));
        start.clear();
    }
    parts
}

fn run(steps: &[Step], goal: &Step, totals: &mut Stats) -> Result<(), TestCaseError> {
    let mut pool = Pool::new();
    let parts = encode(&mut pool, steps, goal);
    let budget = Budget::unlimited().with_conflicts(2000);
    let budget = budget.with_time(std::time::Duration::from_secs(10));
    let parent = path(parts.len());
    let mut solver = Solver::with_proof();
    for (i, &p) in parts.iter().enumerate() {
        solver.assert_in(&mut pool, p, PartitionId::from_index(i));
    }
    if solver.check(&mut pool, &[], &budget) != Answer::Unsat {
        return Ok(());
    }
    let refutation = solver.refutation().unwrap();
    check(&mut pool, refutation, &parts).map_err(|e| TestCaseError::fail(e.to_string()))?;
    for (labelling, farkas) in [
        (Labelling::McMillan, FarkasSide::Primal),
        (Labelling::Pudlak, FarkasSide::Primal),
        (Labelling::InverseMcMillan, FarkasSide::Dual),
    ] {
        let mut interpolator = Interpolator::new(Options {
            labelling,
            farkas,
            ..Options::default()
        });
        let outcome = interpolator.sequence(&mut pool, &parts, &budget);
        totals.add(&interpolator.stats);
        match outcome {
            Outcome::Interpolants(found) => vocabulary(&pool, &parts, &parent, &found)
                .and_then(|()| brute_force(&pool, &parts, &parent, &found, 50))
                .map_err(TestCaseError::fail)?,
            Outcome::Sat(_) => return Err(TestCaseError::fail("sat after unsat")),
            Outcome::Unknown(_) => {}
        }
    }
    Ok(())
}

/// Random paths of each kind; how often a method was rejected is printed with `--nocapture`.
#[test]
fn program_paths() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    for kind in [Kind::Linear, Kind::Calls, Kind::Arrays, Kind::Machine] {
        let goal =
            (0..VARS, 0..VARS, -3..4i8, 0..3u8).prop_map(|(a, b, k, r)| Step::Assume(a, b, k, r));
        let strategy = (prop::collection::vec(step(kind), 2..9), goal);
        let mut totals = Stats::default();
        for _ in 0..600 {
            let (steps, goal) = strategy.new_tree(&mut runner).unwrap().current();
            run(&steps, &goal, &mut totals)
                .map_err(|e| format!("{steps:?} {goal:?}: {e}"))
                .unwrap();
        }
        println!("{kind:?}: {totals:?}");
        assert!(totals.unknown * 10 <= totals.problems, "{totals:?}");
    }
}
