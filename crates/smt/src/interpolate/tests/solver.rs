//! Interpolation end to end on random problems: the solver's proofs pass the proof checker, and
//! every interpolant passes the module's own check and a brute-force one.

use super::generate::{Shape, Theory, brute_force, build_parts, parents, problem, vocabulary};
use super::proofs::{SIDES, SYSTEMS, path};
use crate::interpolate::{FarkasSide, Interpolator, Options, Outcome, Selection, StateTransition};
use crate::proof::PartitionId;
use crate::proof::check::check;
use crate::{Answer, Solver};
use base::{Budget, Id};
use logic::Pool;
use proptest::prelude::*;

pub(super) fn run(
    shapes: &[Shape],
    parent: &[usize],
    all: bool,
    totals: &mut crate::interpolate::Stats,
) -> Result<(), TestCaseError> {
    let mut pool = Pool::new();
    let budget = Budget::unlimited().with_conflicts(2000);
    let parts = build_parts(&mut pool, shapes, parent);
    let mut solver = Solver::with_proof();
    for (i, &p) in parts.iter().enumerate() {
        solver.assert_in(&mut pool, p, PartitionId::from_index(i));
    }
    if solver.check(&mut pool, &[], &budget) != Answer::Unsat {
        return Ok(());
    }
    let refutation = solver.refutation().unwrap();
    check(&mut pool, refutation, &parts).map_err(|e| TestCaseError::fail(e.to_string()))?;
    for labelling in SYSTEMS {
        for farkas in SIDES {
            let mut interpolator = Interpolator::new(Options {
                labelling,
                farkas,
                core: labelling == SYSTEMS[1],
                selection: match farkas {
                    FarkasSide::Primal => Selection::First,
                    FarkasSide::Dual => Selection::Simplest,
                },
                ..Options::default()
            });
            let outcome = interpolator.tree(&mut pool, &parts, parent, &budget);
            totals.add(&interpolator.stats);
            match outcome {
                Outcome::Interpolants(found) => vocabulary(&pool, &parts, parent, &found)
                    .and_then(|()| brute_force(&pool, &parts, parent, &found, 100))
                    .map_err(|e| TestCaseError::fail(format!("{labelling:?} {farkas:?}: {e}")))?,
                Outcome::Sat(_) => return Err(TestCaseError::fail("sat after unsat")),
                Outcome::Unknown(why) if all => return Err(TestCaseError::fail(why)),
                Outcome::Unknown(_) => {}
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn boolean_sequences(shapes in problem(Theory::Boolean, 2..7)) {
        run(&shapes, &path(shapes.len()), true, &mut Default::default())?;
    }

    #[test]
    fn linear_sequences(shapes in problem(Theory::Linear, 2..7)) {
        run(&shapes, &path(shapes.len()), true, &mut Default::default())?;
    }

    #[test]
    fn equality_sequences(shapes in problem(Theory::Equality, 2..7)) {
        run(&shapes, &path(shapes.len()), true, &mut Default::default())?;
    }

    #[test]
    fn mixed_sequences(shapes in problem(Theory::Mixed, 2..7)) {
        run(&shapes, &path(shapes.len()), false, &mut Default::default())?;
    }

    #[test]
    fn linear_trees(shapes in problem(Theory::Linear, 2..7), choices in prop::collection::vec(any::<u8>(), 6)) {
        run(&shapes, &parents(shapes.len(), &choices), true, &mut Default::default())?;
    }

    #[test]
    fn mixed_trees(shapes in problem(Theory::Mixed, 2..7), choices in prop::collection::vec(any::<u8>(), 6)) {
        run(&shapes, &parents(shapes.len(), &choices), false, &mut Default::default())?;
    }

    #[test]
    fn state_transitions(shapes in problem(Theory::Linear, 2..6)) {
        let mut pool = Pool::new();
        let budget = Budget::unlimited().with_conflicts(2000);
        let parts = build_parts(&mut pool, &shapes, &path(shapes.len()));
        let mut interpolator = Interpolator::new(Options::default());
        match interpolator.state_transition(&mut pool, &parts, &budget) {
            StateTransition::Interpolants { states, transitions } => {
                prop_assert_eq!(states.len(), parts.len() - 1);
                prop_assert_eq!(transitions.len(), parts.len() - 2);
                for i in 0..transitions.len() {
                    for (given, goal) in [
                        (vec![parts[i + 1]], transitions[i]),
                        (vec![states[i], transitions[i]], states[i + 1]),
                    ] {
                        let mut solver = Solver::new();
                        given.iter().for_each(|&g| solver.assert(&mut pool, g));
                        let negated = pool.not(goal);
                        solver.assert(&mut pool, negated);
                        prop_assert_eq!(solver.check(&mut pool, &[], &budget), Answer::Unsat);
                    }
                }
            }
            StateTransition::Sat(_) => {}
            StateTransition::Unknown(why) => return Err(TestCaseError::fail(why)),
        }
    }
}

/// Method by method over a fixed set of problems; printed with `--nocapture`.
#[test]
fn methods_are_rarely_rejected() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    for theory in [
        Theory::Boolean,
        Theory::Linear,
        Theory::Equality,
        Theory::Mixed,
    ] {
        let strategy = problem(theory, 3..6);
        let mut totals = crate::interpolate::Stats::default();
        for _ in 0..150 {
            let shapes = strategy.new_tree(&mut runner).unwrap().current();
            run(&shapes, &path(shapes.len()), false, &mut totals).unwrap();
        }
        println!("{theory:?}: {totals:?}");
        let rejected: u64 = totals.methods.values().map(|c| c.rejected).sum();
        assert!(rejected * 4 <= totals.problems, "{theory:?}: {totals:?}");
    }
}

/// A wrong interpolant does not pass: too strong, too weak, or with a foreign symbol.
#[test]
fn wrong_interpolants_are_rejected() {
    use crate::interpolate::proof::colour::Cuts;
    use crate::interpolate::{Problem, check as steps};
    let mut pool = Pool::new();
    let int = pool.int_sort();
    let [x, y, z] = ["x", "y", "z"].map(|n| pool.constant(n, int));
    let (zero, one) = (pool.int(0), pool.int(1));
    let a = [pool.eq(x, zero), pool.eq(y, x)];
    let b = [pool.ge(y, one), pool.eq(z, y)];
    let parts = [pool.and(&a), pool.and(&b)];
    let parent = [1, 1];
    let cuts = Cuts::of_tree(&parent);
    let problem = Problem {
        parts: &parts,
        parent: &parent,
        cuts: &cuts,
    };
    let budget = Budget::unlimited();
    let right = pool.le(y, zero);
    assert!(steps::steps(&mut pool, &problem, &[right], None, &budget).is_ok());
    assert!(steps::vocabulary(&pool, &problem, &[right], false).is_ok());
    let (strong, weak) = (pool.lt(y, zero), pool.le(y, one));
    assert!(steps::steps(&mut pool, &problem, &[strong], None, &budget).is_err());
    assert!(steps::steps(&mut pool, &problem, &[weak], None, &budget).is_err());
    assert!(steps::vocabulary(&pool, &problem, &[a[0]], false).is_err());
    assert!(steps::vocabulary(&pool, &problem, &[b[1]], false).is_err());
}

/// The fallback alone finds interpolants of linear paths, and of a store.
#[test]
fn projection_finds_interpolants() {
    use crate::interpolate::proof::colour::Cuts;
    use crate::interpolate::{Problem, check as steps, fallback};
    let mut pool = Pool::new();
    let int = pool.int_sort();
    let array = pool.array_sort(int, int);
    let [m, n] = ["m", "n"].map(|s| pool.constant(s, array));
    let [i, x] = ["i", "x"].map(|s| pool.constant(s, int));
    let (zero, one) = (pool.int(0), pool.int(1));
    let stored = pool.store(m, i, one);
    let (read, written) = (pool.select(n, i), pool.eq(n, stored));
    let parts = [written, pool.eq(x, read), pool.le(x, zero)];
    let parent = [1, 2, 2];
    let cuts = Cuts::of_tree(&parent);
    let problem = Problem {
        parts: &parts,
        parent: &parent,
        cuts: &cuts,
    };
    let budget = Budget::unlimited();
    for list in [
        fallback::strongest_post(&mut pool, &problem, &budget).unwrap(),
        fallback::weakest_pre(&mut pool, &problem, &budget).unwrap(),
    ] {
        steps::vocabulary(&pool, &problem, &list, false).unwrap();
        steps::steps(&mut pool, &problem, &list, None, &budget).unwrap();
    }
}
