//! Instances of facts that hold for every value of some constants ("for any k").
//!
//! Idea: with `0 <= k < n => a[k] = 7` for any `k`, a formula that reads `a[x + 1]` needs the fact at
//! `k = x + 1`. So each place where the fact uses an array (`a[k + c]`) is matched with each place where
//! the formula does, and the equation between the two indices solved for `k`. Where a fact says that
//! a constant is a number, it is that number in indices too: `p + 4x` is `4k + 64` at `k = x` if `p = 64`.
//!
//! Facts about objects speak of neighbours (`next[k]`): their instances read arrays at places that the
//! formula does not name (`size[next[x] div c]`), and a second round takes the facts there.
//!
//! Sound because an instance of a fact that holds for every value is implied by it; which
//! instances are made is a heuristic.

use crate::{Linear, Op, Pool, Rational, Sort, Substitution, TermId};
use base::{FxHashMap, FxHashSet, Id};

/// Most instances of one fact.
const MOST: usize = 120;

/// Most values that one constant takes in a fact with several.
const MOST_VALUES: usize = 10;

/// Most neighbours at which facts are taken.
const MOST_NEIGHBOURS: usize = 12;

/// A fact at other values of its constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The fact for all values.
    pub of: TermId,
    pub fact: TermId,
}

/// Terms that arrays are read or written at in `formulas`, in order of their first use, and the places
/// where arrays that are compared differ if they do.
pub fn array_indices(pool: &mut Pool, formulas: &[TermId]) -> Vec<TermId> {
    let mut seen = FxHashSet::default();
    let mut out = Vec::new();
    for t in pool.post_order(formulas) {
        let index = match (pool.op(t), pool.args(t)) {
            (Op::Select, &[_, index]) | (Op::Store, &[_, index, _]) => index,
            (Op::Eq, &[a, b]) => match array_diff(pool, a, b) {
                Some(index) => index,
                None => continue,
            },
            _ => continue,
        };
        if pool.sort_of(index) == pool.int_sort() && seen.insert(index) {
            out.push(index);
        }
    }
    out
}

/// A place where two arrays differ, if they do: `a = b || a[d] != b[d]` defines it (extensionality).
pub fn array_diff(pool: &mut Pool, a: TermId, b: TermId) -> Option<TermId> {
    let sort = pool.sort_of(a);
    let &Sort::Array(index, _) = pool.sort_kind(sort) else {
        return None;
    };
    let name = format!("array-diff!{}", sort.index());
    let symbol = pool.symbol(&name, &[sort, sort], index);
    Some(pool.app(symbol, &[a, b]))
}

/// Whether the symbol is `array-diff` of some sort of arrays.
pub fn is_array_diff(pool: &Pool, symbol: crate::SymbolId) -> bool {
    pool.symbol_data(symbol).name.starts_with("array-diff!")
}

/// Instances at the neighbours of those that there are already: where these read arrays at what they
/// read from arrays.
pub fn neighbour_instances(
    pool: &mut Pool,
    facts: &[TermId],
    any: &FxHashSet<TermId>,
    indices: &[TermId],
    first: &[Instance],
) -> Vec<Instance> {
    let terms: Vec<TermId> = first.iter().map(|i| i.fact).collect();
    let mut places = array_indices(pool, &terms);
    let reads = |t: &TermId| pool.op(*t) == Op::Select;
    places.retain(|&p| !indices.contains(&p) && pool.post_order(&[p]).iter().any(reads));
    places.truncate(MOST_NEIGHBOURS);
    let mut out = match places.is_empty() {
        true => Vec::new(),
        false => instances(pool, facts, any, &places),
    };
    let known: FxHashSet<TermId> = terms.into_iter().collect();
    out.retain(|i| !known.contains(&i.fact));
    out
}

/// The facts with each constant of `any` replaced by the values at which they speak of `indices`.
/// A fact without such constants has no instances.
pub fn instances(
    pool: &mut Pool,
    facts: &[TermId],
    any: &FxHashSet<TermId>,
    indices: &[TermId],
) -> Vec<Instance> {
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
            if ghosts.len() > 1 {
                values.truncate(MOST_VALUES);
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
                out.push(Instance {
                    of: fact,
                    fact: instance,
                });
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
        // Objects are named by their start: the bytes of `t + 8` are those of the object at `t`.
        let mut inner = Vec::new();
        let mut others = Vec::new();
        for &index in indices {
            match (pool.op(index), pool.args(index)) {
                (Op::IntDiv, &[address, by]) if by == divisor => {
                    let mut start = pool.linear(address);
                    if !start.constant.is_zero() && !start.terms.is_empty() {
                        start.constant = Rational::ZERO;
                        others.push(address);
                        inner.push(pool.from_linear(&start, pool.int_sort()));
                    } else {
                        inner.push(address);
                    }
                }
                // A number of an object, not computed from an address.
                (Op::App(_), args) if !args.is_empty() => {
                    inner.push(pool.mul(&[divisor, index]));
                }
                _ => {}
            }
        }
        inner.extend(others);
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
        let expected = pool.eq(read, seven);
        let is = |found: &[Instance]| {
            let facts: Vec<TermId> = found.iter().map(|i| i.fact).collect();
            facts == vec![expected]
        };
        assert!(is(&found));
        assert!(instances(&mut pool, &[fact], &any, &[x]).is_empty());
        // a[2x + y] meets it at k = x if y is known to be 3.
        let y = pool.constant("y", int);
        let place = pool.add(&[twice, y]);
        assert!(instances(&mut pool, &[fact], &any, &[place]).is_empty());
        let known = pool.eq(y, three);
        let found = instances(&mut pool, &[fact, known], &any, &[place]);
        let index = pool.add(&[twice, three]);
        let read = pool.select(a, index);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].fact, pool.eq(read, seven));
        assert_eq!(found[0].of, fact);
    }
}
