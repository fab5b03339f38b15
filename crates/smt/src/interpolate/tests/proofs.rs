//! Extraction from proofs of the test producer: every labelling, both Farkas sides, sequences and
//! trees; and the checker accepts the proofs and rejects damaged ones.

use super::generate::{Shape, Theory, brute_force, build_parts, parents, problem, vocabulary};
use super::producer::refute;
use crate::Lit;
use crate::interpolate::proof::colour::{Colours, Cuts, Direction};
use crate::interpolate::proof::partial::Extraction;
use crate::interpolate::{FarkasSide, Labelling};
use crate::proof::check::{check, reachable};
use crate::proof::{Certificate, Origin, Refutation};
use base::Id;
use logic::{Pool, TermId};
use proptest::prelude::*;

pub(super) const SYSTEMS: [Labelling; 3] = [
    Labelling::McMillan,
    Labelling::Pudlak,
    Labelling::InverseMcMillan,
];
pub(super) const SIDES: [FarkasSide; 2] = [FarkasSide::Primal, FarkasSide::Dual];

fn extract(
    pool: &mut Pool,
    parts: &[TermId],
    parent: &[usize],
    refutation: &Refutation,
    labelling: Labelling,
    farkas: FarkasSide,
) -> Result<Vec<TermId>, String> {
    let clauses = reachable(refutation).unwrap();
    let cuts = Cuts::of_tree(parent);
    let mut colours = Colours::new(pool, parts, &cuts, refutation, &clauses, Direction::Forward);
    assert!(!colours.widened);
    let (system, budget) = ((labelling, farkas), base::Budget::unlimited());
    let mut extraction =
        Extraction::new(refutation, &clauses, &cuts, &mut colours, system, &budget);
    extraction.run(pool)
}

fn run(shapes: &[Shape], parent: &[usize], tree: bool) -> Result<bool, TestCaseError> {
    let mut pool = Pool::new();
    let parts = build_parts(&mut pool, shapes, parent);
    let Some(refutation) = refute(&mut pool, &parts) else {
        return Ok(false);
    };
    if let Err(e) = check(&mut pool, &refutation, &parts) {
        return Err(TestCaseError::fail(e.to_string()));
    }
    for labelling in SYSTEMS {
        // The weaker systems promise path interpolants only.
        if tree && labelling != Labelling::McMillan {
            continue;
        }
        for farkas in SIDES {
            let found = extract(&mut pool, &parts, parent, &refutation, labelling, farkas)
                .map_err(TestCaseError::fail)?;
            vocabulary(&pool, &parts, parent, &found)
                .and_then(|()| brute_force(&pool, &parts, parent, &found, 150))
                .map_err(|e| TestCaseError::fail(format!("{labelling:?} {farkas:?}: {e}")))?;
        }
    }
    Ok(true)
}

pub(super) fn path(len: usize) -> Vec<usize> {
    (0..len).map(|i| (i + 1).min(len - 1)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn boolean_paths(shapes in problem(Theory::Boolean, 2..7)) {
        run(&shapes, &path(shapes.len()), false)?;
    }

    #[test]
    fn linear_paths(shapes in problem(Theory::Linear, 2..5)) {
        run(&shapes, &path(shapes.len()), false)?;
    }

    #[test]
    fn equality_paths(shapes in problem(Theory::Equality, 2..5)) {
        run(&shapes, &path(shapes.len()), false)?;
    }

    #[test]
    fn trees(shapes in problem(Theory::Linear, 2..6), choices in prop::collection::vec(any::<u8>(), 6)) {
        run(&shapes, &parents(shapes.len(), &choices), true)?;
    }

    #[test]
    fn equality_trees(shapes in problem(Theory::Equality, 2..6), choices in prop::collection::vec(any::<u8>(), 6)) {
        run(&shapes, &parents(shapes.len(), &choices), true)?;
    }

    /// Flipping a literal, a coefficient or a reference is noticed.
    #[test]
    fn damaged_proofs_are_rejected(
        shapes in problem(Theory::Linear, 2..4),
        place in any::<prop::sample::Index>(),
        how in 0..3u8,
    ) {
        let mut pool = Pool::new();
        let parts = build_parts(&mut pool, &shapes, &path(shapes.len()));
        let Some(mut refutation) = refute(&mut pool, &parts) else { return Ok(()) };
        let ids: Vec<_> = refutation.clauses.ids().collect();
        let id = ids[place.index(ids.len())];
        let clause = &mut refutation.clauses[id];
        match (how, &mut clause.origin) {
            (0, Origin::Lemma(Certificate::Farkas(w))) => w[0] = -w[0].clone(),
            (1, Origin::Chain { steps, .. }) => steps[0].pivot = !steps[0].pivot,
            _ if clause.lits.is_empty() => clause.lits.push(Lit::new(crate::BoolVar::from_index(0), true)),
            (_, Origin::Chain { .. }) => { clause.lits.pop(); }
            _ => return Ok(()),
        }
        prop_assert!(check(&mut pool, &refutation, &parts).is_err());
    }
}

/// How many random problems are refuted: the properties above must not be vacuous.
#[test]
fn generator_gives_refutations() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    for theory in [Theory::Boolean, Theory::Linear, Theory::Equality] {
        let strategy = problem(theory, 3..5);
        let (mut refuted, mut telling) = (0, 0);
        for _ in 0..200 {
            let shapes = strategy.new_tree(&mut runner).unwrap().current();
            let mut pool = Pool::new();
            let parts = build_parts(&mut pool, &shapes, &path(shapes.len()));
            let Some(refutation) = refute(&mut pool, &parts) else {
                continue;
            };
            refuted += 1;
            let parent = path(parts.len());
            let (system, side) = (Labelling::McMillan, FarkasSide::Primal);
            let found = extract(&mut pool, &parts, &parent, &refutation, system, side).unwrap();
            telling += u32::from(found.iter().any(|&i| i != pool.tt() && i != pool.ff()));
        }
        assert!(
            refuted > 20 && telling > 10,
            "{theory:?}: {refuted}, {telling}"
        );
    }
}
