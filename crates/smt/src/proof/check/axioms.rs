//! Whether a formula is an instance of the axioms of a term's operator.
//!
//! Axioms are re-derived, not parsed: the candidate instances are built anew and compared as
//! hash-consed terms. For arrays the instances range over the arrays and indices in the formula.

use crate::lemmas;
use crate::theory::{arrays, bits, words};
use base::FxHashSet;
use logic::{Op, Pool, Sort, TermId};

pub(crate) fn is_axiom(pool: &mut Pool, term: TermId, formula: TermId) -> bool {
    if is_axiom_of_operator(pool, term, formula) {
        return true;
    }
    if term == formula {
        // A lemma on demand that does not say which of its terms it is about.
        for t in pool.post_order(&[formula]) {
            if t != term && is_axiom_of_operator(pool, t, formula) {
                return true;
            }
        }
    }
    match pool.op(term) {
        Op::Le => bits::is_definition(pool, term, formula),
        Op::Eq if pool.sort_of(pool.args(term)[0]) == pool.int_sort() => {
            bits::is_definition(pool, term, formula)
        }
        Op::App(_) if lemmas::is_special(pool, term) => bits::is_definition(pool, term, formula),
        Op::Store => store_axiom(pool, term, formula),
        Op::ConstArray => constant_axiom(pool, term, formula),
        Op::Eq if pool.shape(pool.sort_of(pool.args(term)[0])).is_some() => {
            words::definition(pool, term) == Some(formula)
        }
        Op::Eq => extensionality(pool, term).contains(&formula),
        _ => false,
    }
}

fn is_axiom_of_operator(pool: &mut Pool, term: TermId, formula: TermId) -> bool {
    lemmas::is_special(pool, term)
        && (lemmas::axioms(pool, term).contains(&formula)
            || lemmas::is_instance(pool, term, formula))
}

/// The subterms of the formula and the term that are arrays of its sort, and of its index sort.
fn candidates(pool: &Pool, term: TermId, formula: TermId) -> (Vec<TermId>, Vec<TermId>) {
    let sort = pool.sort_of(term);
    let Sort::Array(index, _) = *pool.sort_kind(sort) else {
        return (Vec::new(), Vec::new());
    };
    let all = pool.post_order(&[formula, term]);
    let of = |s| {
        let list = all.iter().copied().filter(|&t| pool.sort_of(t) == s);
        list.collect::<Vec<_>>()
    };
    let mut indices = of(index);
    // An equality of indices is normalised: its sides may be hidden in sums.
    let mut seen: FxHashSet<TermId> = indices.iter().copied().collect();
    for &t in &all {
        if matches!(pool.op(t), Op::Select | Op::Store) {
            let i = pool.args(t)[1];
            if pool.sort_of(i) == index && seen.insert(i) {
                indices.push(i);
            }
        }
    }
    (of(sort), indices)
}

/// Numbers at which constant arrays are read; they may be hidden in normalised equalities.
fn small_numbers(pool: &mut Pool, array: TermId) -> Vec<TermId> {
    match *pool.sort_kind(pool.sort_of(array)) {
        Sort::Array(index, _) => arrays::small_numbers(pool, index, 16),
        _ => Vec::new(),
    }
}

/// A read of an array equal to `store(a, i, v)`, or to `a`, at the index or away from it.
fn store_axiom(pool: &mut Pool, store: TermId, formula: TermId) -> bool {
    let [a, i, v] = *pool.args(store) else {
        return false;
    };
    let (arrays, mut indices) = candidates(pool, store, formula);
    if arrays.iter().any(|&c| pool.op(c) == Op::ConstArray) {
        indices.extend(small_numbers(pool, store));
    }
    for &c in &arrays {
        let (is_store, is_base) = (pool.eq(c, store), pool.eq(c, a));
        let (not_store, not_base) = (pool.not(is_store), pool.not(is_base));
        for &j in &indices {
            let here = pool.eq(i, j);
            let away = pool.not(here);
            let (read, below, above) =
                (pool.select(c, j), pool.select(a, j), pool.select(store, j));
            let (written, kept, lifted) =
                (pool.eq(read, v), pool.eq(read, below), pool.eq(above, read));
            let instances = [
                pool.or(&[not_store, away, written]),
                pool.or(&[not_store, here, kept]),
                pool.or(&[not_base, here, lifted]),
            ];
            if instances.contains(&formula) {
                return true;
            }
        }
    }
    false
}

fn constant_axiom(pool: &mut Pool, array: TermId, formula: TermId) -> bool {
    let everywhere = pool.args(array)[0];
    let (arrays, mut indices) = candidates(pool, array, formula);
    indices.extend(small_numbers(pool, array));
    for &c in &arrays {
        let same = pool.eq(c, array);
        let other = pool.not(same);
        if pool.op(c) == Op::ConstArray {
            // Sound because every sort has an index.
            let equal = pool.eq(pool.args(c)[0], everywhere);
            if pool.or2(other, equal) == formula {
                return true;
            }
        }
        for &j in &indices {
            let read = pool.select(c, j);
            let equal = pool.eq(read, everywhere);
            if pool.or2(other, equal) == formula {
                return true;
            }
        }
    }
    false
}

/// `a = b`, or they differ at the index that `array-diff` names, in either order. Sound as a definition of that
/// function, which no program and no script has.
fn extensionality(pool: &mut Pool, equality: TermId) -> Vec<TermId> {
    let [a, b] = *pool.args(equality) else {
        return Vec::new();
    };
    let mut axioms = Vec::new();
    for (a, b) in [(a, b), (b, a)] {
        let Some(d) = logic::array_diff(pool, a, b) else {
            continue;
        };
        let (x, y) = (pool.select(a, d), pool.select(b, d));
        let same = pool.eq(x, y);
        let differ = pool.not(same);
        axioms.push(pool.or2(equality, differ));
    }
    axioms
}
