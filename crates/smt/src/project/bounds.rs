//! Cubes without what is said twice: of the bounds on one linear form only the tightest stay.
//!
//! Facts are made of facts, so bounds pile up: `x > 0`, `x > 1`, `x > 2`, one a call. Each costs in
//! every solver that sees the cube, and in every attempt to drop a literal.

use base::FxHashMap;
use logic::{Bound, Pool, Rational, Side, TermId};

/// A summand of a form.
type Term = (TermId, Rational);

/// Drops bounds of integers that others on the same form imply. The result is equivalent to the cube.
pub fn tightest(pool: &Pool, cube: Vec<TermId>) -> Vec<TermId> {
    let read = |&literal: &TermId| Bound::of_integers(pool, literal);
    let bounds: Vec<Option<Bound>> = cube.iter().map(read).collect();
    // By form and side: the tightest limit so far, and who has it.
    let mut best: FxHashMap<(&[Term], Side), (&Rational, usize)> = FxHashMap::default();
    let mut dropped = vec![false; cube.len()];
    for (at, bound) in bounds.iter().enumerate() {
        let Some(bound) = bound else { continue };
        let tighter = |known: &Rational| match bound.side {
            Side::AtMost => bound.limit < *known,
            _ => bound.limit > *known,
        };
        if !matches!(bound.side, Side::AtMost | Side::AtLeast) {
            continue;
        }
        let entry = best.entry((&bound.form, bound.side));
        let (known, holder) = entry.or_insert((&bound.limit, at));
        if tighter(known) {
            dropped[*holder] = true;
            (*known, *holder) = (&bound.limit, at);
        } else if *holder != at {
            dropped[at] = true;
        }
    }
    // An equation says all about its form. Sound because cubes have a model, which the bounds allow.
    for bound in bounds.iter().flatten().filter(|b| b.side == Side::Is) {
        for side in [Side::AtMost, Side::AtLeast] {
            if let Some((_, holder)) = best.get(&(&bound.form, side)) {
                dropped[*holder] = true;
            }
        }
    }
    let kept = cube.into_iter().zip(dropped).filter(|(_, d)| !d);
    kept.map(|(t, _)| t).collect()
}

#[cfg(test)]
mod tests {
    use super::tightest;
    use logic::Pool;

    #[test]
    fn only_the_tightest_bounds_stay() {
        let mut pool = Pool::new();
        let int = pool.int_sort();
        let [x, y] = ["x", "y"].map(|n| pool.constant(n, int));
        let numbers: Vec<_> = (0..8).map(|n| pool.int(n)).collect();
        let above = |pool: &mut Pool, t, n: usize| pool.le(numbers[n], t);
        let below = |pool: &mut Pool, t, n: usize| pool.le(t, numbers[n]);
        let sum = pool.add(&[x, y]);
        let loose = above(&mut pool, x, 1);
        let tight = above(&mut pool, x, 3);
        let under = below(&mut pool, x, 2);
        let not_under = pool.not(under);
        let other_side = below(&mut pool, x, 7);
        let of_sum = above(&mut pool, sum, 1);
        let cube = vec![loose, tight, other_side, of_sum];
        assert_eq!(tightest(&pool, cube), [tight, other_side, of_sum]);
        // `not x <= 2` is `x >= 3`: the first of the two stays.
        let kept = tightest(&pool, vec![not_under, tight, loose]);
        assert_eq!(kept, [not_under]);
        let fixed = pool.eq(x, numbers[4]);
        let kept = tightest(&pool, vec![loose, fixed, other_side, of_sum]);
        assert_eq!(kept, [fixed, of_sum]);
    }
}
