//! Instances of facts that hold for every value of some constants ("for any k").
//!
//! Idea: with `0 <= k < n => a[k] = 7` for any `k`, a formula that reads `a[x + 1]` needs the fact at
//! `k = x + 1`. So each place where the fact uses an array (`a[k + c]`) is matched with each place where
//! the formula does, and the equation between the two indices solved for `k`. Where a fact says that
//! a constant is a number, it is that number in indices too: `p + 4x` is `4k + 64` at `k = x` if `p = 64`.
//!
//! Sound because an instance of a fact that holds for every value is implied by it; which
//! instances are made is a heuristic.

use crate::{Linear, Op, Pool, Rational, Substitution, TermId};
use base::{FxHashMap, FxHashSet};

/// Most instances of one fact.
const MOST: usize = 60;

/// Terms that arrays are read or written at in `formulas`, in order of their first use.
pub fn array_indices(pool: &Pool, formulas: &[TermId]) -> Vec<TermId> {
    let mut seen = FxHashSet::default();
    pool.post_order(formulas)
        .into_iter()
        .filter(|&t| matches!(pool.op(t), Op::Select | Op::Store))
        .map(|t| pool.args(t)[1])
        .filter(|&index| pool.sort_of(index) == pool.int_sort() && seen.insert(index))
        .collect()
}

/// The facts with each constant of `any` replaced by the values at which they speak of `indices`.
/// A fact without such constants has no instances.
pub fn instances(
    pool: &mut Pool,
    facts: &[TermId],
    any: &FxHashSet<TermId>,
    indices: &[TermId],
) -> Vec<TermId> {
    let indices = &with_numbers(pool, facts, indices);
    let mut out = Vec::new();
    let mut seen: FxHashSet<TermId> = facts.iter().copied().collect();
    let mut solved: FxHashMap<(TermId, TermId), Vec<TermId>> = FxHashMap::default();
    for &fact in facts {
        let order = pool.post_order(&[fact]);
        let ghosts: Vec<TermId> = order.iter().copied().filter(|t| any.contains(t)).collect();
        if ghosts.is_empty() {
            continue;
        }
        let patterns = array_indices(pool, &[fact]);
        let mut choices: Vec<Vec<(TermId, TermId)>> = vec![Vec::new()];
        for &ghost in &ghosts {
            let mut values = vec![ghost];
            for &pattern in &patterns {
                let found = solved
                    .entry((ghost, pattern))
                    .or_insert_with(|| solutions(pool, ghost, pattern, indices));
                for &value in found.iter() {
                    if !values.contains(&value) {
                        values.push(value);
                    }
                }
            }
            let mut longer = Vec::new();
            for choice in &choices {
                for &value in &values {
                    let mut choice = choice.clone();
                    choice.push((ghost, value));
                    longer.push(choice);
                }
            }
            longer.truncate(MOST);
            choices = longer;
        }
        for choice in choices {
            let instance = Substitution::new(choice).apply(pool, fact);
            if instance != pool.tt() && seen.insert(instance) {
                out.push(instance);
            }
        }
    }
    out
}

/// The indices, and what they are with the numbers that facts give constants put in.
fn with_numbers(pool: &mut Pool, facts: &[TermId], indices: &[TermId]) -> Vec<TermId> {
    let mut known = Vec::new();
    for &fact in facts {
        if pool.op(fact) != Op::Eq {
            continue;
        }
        let [a, b] = *pool.args(fact) else { continue };
        for (constant, number) in [(a, b), (b, a)] {
            if pool.as_constant(constant).is_some() && pool.as_number(number).is_some() {
                known.push((constant, number));
            }
        }
    }
    let mut out = indices.to_vec();
    if known.is_empty() {
        return out;
    }
    let mut numbers = Substitution::new(known);
    for &index in indices {
        let other = numbers.apply(pool, index);
        if !out.contains(&other) {
            out.push(other);
        }
    }
    out
}

/// Values of `ghost` with which `pattern` is one of `indices`.
fn solutions(pool: &mut Pool, ghost: TermId, pattern: TermId, indices: &[TermId]) -> Vec<TermId> {
    // `k div c` is `t div c` at the solutions of `k = t` (and at others).
    if pool.op(pattern) == Op::IntDiv {
        let [pattern, divisor] = *pool.args(pattern) else {
            return Vec::new();
        };
        let inner: Vec<TermId> = indices
            .iter()
            .filter(|&&i| pool.op(i) == Op::IntDiv && pool.args(i)[1] == divisor)
            .map(|&i| pool.args(i)[0])
            .collect();
        return linear_solutions(pool, ghost, pattern, &inner);
    }
    linear_solutions(pool, ghost, pattern, indices)
}

fn linear_solutions(
    pool: &mut Pool,
    ghost: TermId,
    pattern: TermId,
    indices: &[TermId],
) -> Vec<TermId> {
    let form = pool.linear(pattern);
    let Some(factor) = form.terms.iter().find(|(t, _)| *t == ghost) else {
        return Vec::new();
    };
    let inverse = factor.1.recip();
    let rest = Linear {
        terms: form
            .terms
            .iter()
            .filter(|(t, _)| *t != ghost)
            .cloned()
            .collect(),
        constant: form.constant.clone(),
    };
    let int = pool.int_sort();
    let mut out = Vec::new();
    for &index in indices {
        let mut value = pool.linear(index).add_scaled(&Rational::MINUS_ONE, &rest);
        value.scale(&inverse);
        let whole = value.constant.is_integer() && value.terms.iter().all(|(_, c)| c.is_integer());
        if whole {
            out.push(pool.from_linear(&value, int));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn solves_for_the_constant() {
        let mut pool = Pool::new();
        let int = pool.int_sort();
        let sort = pool.array_sort(int, int);
        let (a, k, x) = (
            pool.constant("a", sort),
            pool.constant("k", int),
            pool.constant("x", int),
        );
        let (two, three, seven) = (pool.int(2), pool.int(3), pool.int(7));
        // a[2k + 3] = 7 meets a[2x + 7] at k = x + 2, and a[x] nowhere.
        let twice = pool.mul(&[two, k]);
        let index = pool.add(&[twice, three]);
        let read = pool.select(a, index);
        let fact = pool.eq(read, seven);
        let twice = pool.mul(&[two, x]);
        let place = pool.add(&[twice, seven]);
        let any = FxHashSet::from_iter([k]);
        let found = instances(&mut pool, &[fact], &any, &[place, x]);
        let read = pool.select(a, place);
        assert_eq!(found, vec![pool.eq(read, seven)]);
        assert!(instances(&mut pool, &[fact], &any, &[x]).is_empty());
        // a[2x + y] meets it at k = x if y is known to be 3.
        let y = pool.constant("y", int);
        let place = pool.add(&[twice, y]);
        assert!(instances(&mut pool, &[fact], &any, &[place]).is_empty());
        let known = pool.eq(y, three);
        let found = instances(&mut pool, &[fact, known], &any, &[place]);
        let index = pool.add(&[twice, three]);
        let read = pool.select(a, index);
        assert_eq!(found, vec![pool.eq(read, seven)]);
    }
}
