//! Fewer conjuncts for readers: bounds that others imply are left out.
//!
//! Engines collect facts as they come: `x > -5`, `x > -1`, `x <= y`, `x == y`. Of all bounds on one
//! linear expression only the tightest two are kept, none if an equality fixes it, and none that the
//! range of a variable implies. The conjunction means the same to whoever knows the ranges.

use logic::{Bound, Pool, Rational, Side, TermId};
use std::collections::BTreeMap;

#[derive(Default)]
struct Bounds {
    below: Option<(Rational, TermId)>,
    above: Option<(Rational, TermId)>,
    exact: bool,
}

/// The conjuncts of `term` worth showing. `range` gives the values a constant can have anyway.
pub fn tidy(
    pool: &Pool,
    term: TermId,
    range: &dyn Fn(TermId) -> Option<(Rational, Rational)>,
) -> Vec<TermId> {
    let conjuncts = pool.conjuncts(term);
    let mut bounds: BTreeMap<Vec<(TermId, Rational)>, Bounds> = BTreeMap::new();
    for &c in &conjuncts {
        let Some(Bound {
            form, side, limit, ..
        }) = Bound::of_integers(pool, c)
        else {
            continue;
        };
        let entry = bounds.entry(form).or_default();
        match side {
            Side::Is => entry.exact = true,
            Side::AtMost if entry.below.as_ref().is_none_or(|(l, _)| limit < *l) => {
                entry.below = Some((limit, c));
            }
            Side::AtLeast if entry.above.as_ref().is_none_or(|(l, _)| limit > *l) => {
                entry.above = Some((limit, c));
            }
            _ => {}
        }
    }
    let keep = |&c: &TermId| {
        let Some(Bound {
            form, side, limit, ..
        }) = Bound::of_integers(pool, c)
        else {
            return true;
        };
        let known = &bounds[&form];
        let free = match form.as_slice() {
            [(t, one)] if one.is_one() => range(*t),
            _ => None,
        };
        let tightest = |best: &Option<(Rational, TermId)>| {
            !known.exact && best.as_ref().is_some_and(|(_, t)| *t == c)
        };
        match side {
            Side::Is | Side::IsNot => true,
            Side::AtMost => tightest(&known.below) && free.is_none_or(|(_, high)| limit < high),
            Side::AtLeast => tightest(&known.above) && free.is_none_or(|(low, _)| limit > low),
        }
    };
    conjuncts.iter().copied().filter(keep).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_tightest() {
        let mut pool = Pool::new();
        let int = pool.int_sort();
        let (x, y) = (pool.constant("x", int), pool.constant("y", int));
        let [five, six, low] = [5, 6, -10].map(|n| pool.int(n));
        let parts = [
            pool.le(x, five),
            pool.le(x, six),
            pool.ge(x, low),
            pool.eq(x, y),
            pool.le(x, y),
        ];
        let all = pool.and(&parts);
        let kept = tidy(&pool, all, &|t| {
            (t == x).then(|| (Rational::from(-10), Rational::from(10)))
        });
        assert_eq!(kept.len(), 2);
        assert!(kept.contains(&parts[0]) && kept.contains(&parts[3]));
    }
}
