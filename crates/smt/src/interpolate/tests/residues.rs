//! Problems that only the residues of integer forms refute: equations leave a form no value
//! between its bounds, with bounds and equations on either side of the cut.

use crate::interpolate::{FarkasSide, Interpolator, Labelling, Options, Outcome};
use crate::proof::check::check;
use crate::proof::{Certificate, Origin, PartitionId};
use crate::{Answer, Solver};
use base::{Budget, Id};
use logic::{Pool, TermId};

/// `x = 4a + b`, `b = 8c`, `1 <= x <= 3`, as conjuncts to be dealt to the parts.
fn conjuncts(pool: &mut Pool) -> Vec<TermId> {
    let int = pool.int_sort();
    let [x, a, b, c] = ["x", "a", "b", "c"].map(|n| pool.constant(n, int));
    let [one, three, four, eight] = [1, 3, 4, 8].map(|n| pool.int(n));
    let (scaled, b8) = (pool.mul(&[four, a]), pool.mul(&[eight, c]));
    let sum = pool.add2(scaled, b);
    vec![
        pool.eq(x, sum),
        pool.eq(b, b8),
        pool.ge(x, one),
        pool.le(x, three),
    ]
}

#[test]
fn every_split_has_interpolants() {
    for split in 0..16u32 {
        let mut pool = Pool::new();
        let mut parts = [Vec::new(), Vec::new()];
        for (i, t) in conjuncts(&mut pool).into_iter().enumerate() {
            parts[(split >> i & 1) as usize].push(t);
        }
        let parts = parts.map(|p| pool.and(&p));
        for farkas in [FarkasSide::Primal, FarkasSide::Dual] {
            let mut interpolator = Interpolator::new(Options {
                labelling: Labelling::McMillan,
                farkas,
                ..Options::default()
            });
            let outcome = interpolator.sequence(&mut pool, &parts, &Budget::unlimited());
            assert!(
                matches!(outcome, Outcome::Interpolants(_)),
                "{split}: {outcome:?}"
            );
        }
    }
}

#[test]
fn the_proof_has_a_residue_and_checks() {
    let mut pool = Pool::new();
    let parts = conjuncts(&mut pool);
    let mut solver = Solver::with_proof();
    for (i, &t) in parts.iter().enumerate() {
        solver.assert_in(&mut pool, t, PartitionId::from_index(i));
    }
    assert_eq!(
        solver.check(&mut pool, &[], &Budget::unlimited()),
        Answer::Unsat
    );
    let mut refutation = solver.refutation().unwrap().clone();
    assert!(check(&mut pool, &refutation, &parts).is_ok());
    let mut seen = false;
    for clause in refutation.clauses.iter_mut() {
        if let Origin::Lemma(Certificate::Residue(weights)) = &mut clause.origin {
            seen = true;
            // A wrong weight must not pass.
            for (w, _) in weights {
                *w = &*w + &logic::Rational::new(1, 3);
            }
        }
    }
    assert!(seen, "residues refute it");
    assert!(check(&mut pool, &refutation, &parts).is_err());
}
