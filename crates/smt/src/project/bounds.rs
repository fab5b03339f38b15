//! Cubes without what is said twice: of the bounds on one linear form only the tightest stay.
//!
//! Facts are made of facts, so bounds pile up: `x > 0`, `x > 1`, `x > 2`, one a call. Each costs in
//! every solver that sees the cube, and in every attempt to drop a literal.

use base::FxHashMap;
use logic::{Op, Pool, Rational, TermId};

/// A side of the bounds on a form: its terms with the first factor 1, and whether from above.
type Side = (Vec<(TermId, Rational)>, bool);

/// Drops bounds of integers that others on the same form imply. The result is equivalent to the cube.
pub fn tightest(pool: &Pool, cube: Vec<TermId>) -> Vec<TermId> {
    let mut best: FxHashMap<Side, (Rational, usize)> = FxHashMap::default();
    let mut dropped = vec![false; cube.len()];
    for (at, &literal) in cube.iter().enumerate() {
        let Some((side, bound)) = bound(pool, literal) else {
            continue;
        };
        let from_above = side.1;
        match best.get_mut(&side) {
            None => {
                best.insert(side, (bound, at));
            }
            Some((known, holder)) => {
                let tighter = match from_above {
                    true => bound < *known,
                    false => bound > *known,
                };
                if tighter {
                    dropped[*holder] = true;
                    (*known, *holder) = (bound, at);
                } else {
                    dropped[at] = true;
                }
            }
        }
    }
    // An equation says all about its form. Sound because cubes have a model, which the bounds allow.
    for &literal in &cube {
        if pool.op(literal) != Op::Eq {
            continue;
        }
        let [a, b] = *pool.args(literal) else {
            continue;
        };
        if pool.sort_of(a) != pool.int_sort() {
            continue;
        }
        let linear = difference(pool, a, b);
        let Some((form, _)) = scaled(&linear.terms) else {
            continue;
        };
        for from_above in [false, true] {
            if let Some((_, holder)) = best.get(&(form.clone(), from_above)) {
                dropped[*holder] = true;
            }
        }
    }
    let kept = cube.into_iter().zip(dropped).filter(|(_, d)| !d);
    kept.map(|(t, _)| t).collect()
}

fn difference(pool: &Pool, a: TermId, b: TermId) -> logic::Linear {
    pool.linear(a)
        .add_scaled(&Rational::MINUS_ONE, &pool.linear(b))
}

/// The terms divided by the first factor, and that factor.
fn scaled(terms: &[(TermId, Rational)]) -> Option<(Vec<(TermId, Rational)>, Rational)> {
    let first = terms.first()?.1.clone();
    let form = terms.iter().map(|(t, c)| (*t, c / &first)).collect();
    Some((form, first))
}

/// The form that a literal bounds, from which side, and by what.
fn bound(pool: &Pool, literal: TermId) -> Option<(Side, Rational)> {
    let (atom, positive) = match pool.op(literal) {
        Op::Not => (pool.args(literal)[0], false),
        _ => (literal, true),
    };
    if pool.op(atom) != Op::Le {
        return None;
    }
    let [a, b] = *pool.args(atom) else {
        return None;
    };
    if pool.sort_of(a) != pool.int_sort() {
        return None;
    }
    // sum + constant <= 0, or >= 1 if negated.
    let linear = difference(pool, a, b);
    let (form, first) = scaled(&linear.terms)?;
    let limit = match positive {
        true => -&linear.constant,
        false => &Rational::ONE - &linear.constant,
    };
    let from_above = positive == first.is_positive();
    Some(((form, from_above), &limit / &first))
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
