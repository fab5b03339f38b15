//! Words of scripts in functions and arrays: when two of them are equal.
//!
//! To congruence closure a term of a word sort is an element of that sort, and each of its bits is a
//! predicate of it, so equal terms have equal bits. The other direction comes on demand: where a candidate has an
//! equality that contradicts the bits of its sides, or two classes with the same bits, the equality is
//! *defined*: it holds if and only if all bits are the same. A sort of n bits so has no more than 2^n elements.
//!
//! What is below bits, the circuits of operators, is `crate::words`.

use crate::solver::candidate::Candidate;
use crate::theory::{Demands, OnDemand};
use base::{FxHashMap, FxHashSet};
use logic::word::WordOp;
use logic::{IBig, Op, Pool, SortId, TermId};

/// Bit `k` of a word as an atom; of a numeral it is a constant.
pub(crate) fn bit(pool: &mut Pool, t: TermId, k: usize) -> TermId {
    pool.word(WordOp::Bit(k as u32), &[t])
        .expect("the term is a word")
}

/// `a = b` if and only if their bits are the same.
pub(crate) fn definition(pool: &mut Pool, equality: TermId) -> Option<TermId> {
    let &[a, b] = pool.args(equality) else {
        return None;
    };
    let width = pool.shape(pool.sort_of(a))?.width();
    let mut parts = Vec::new();
    for k in 0..width {
        let (x, y) = (bit(pool, a, k), bit(pool, b, k));
        parts.push(pool.eq(x, y));
    }
    let same = pool.and(&parts);
    Some(pool.eq(equality, same))
}

/// The theory has no state: it looks at a candidate.
pub(crate) struct Words;

impl OnDemand for Words {
    fn demands(&mut self, pool: &mut Pool, candidate: &Candidate) -> Demands {
        let mut lemmas = Vec::new();
        let mut first_of: FxHashMap<(SortId, IBig), TermId> = FxHashMap::default();
        let values = class_values(pool, candidate);
        for t in terms(pool, candidate) {
            if pool.op(t) == Op::Eq && pool.shape(pool.sort_of(pool.args(t)[0])).is_some() {
                let sides = [0, 1].map(|k| pool.args(t)[k]);
                let wrong = match sides.map(|x| value(pool, candidate, x)) {
                    [(x, true), (y, true)] => (x == y) == candidate.is_false(t),
                    _ => true,
                };
                if wrong {
                    lemmas.extend(definition(pool, t).map(|d| (t, d)));
                }
                continue;
            }
            let sort = pool.sort_of(t);
            if pool.shape(sort).is_none() || !candidate.has_node(t) {
                continue;
            }
            let bits = values.get(&candidate.class_of(t)).cloned();
            let key = (sort, bits.unwrap_or_default());
            let first = *first_of.entry(key).or_insert(t);
            if !candidate.same_class(first, t) {
                let equality = pool.eq(first, t);
                lemmas.extend(definition(pool, equality).map(|d| (equality, d)));
            }
        }
        Demands {
            lemmas,
            splits: Vec::new(),
            compared: 0,
        }
    }
}

/// The active terms, and the numerals that functions and arrays are applied to, which are always there.
fn terms(pool: &Pool, candidate: &Candidate) -> Vec<TermId> {
    let mut out = candidate.active_terms();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    for &t in candidate.applications() {
        let numerals = pool
            .args(t)
            .iter()
            .filter(|a| pool.as_number(**a).is_some());
        out.extend(numerals.filter(|a| seen.insert(**a)));
    }
    out
}

/// The number that the bits of a term are, and whether the search knows them all; others count as zero.
fn value(pool: &mut Pool, candidate: &Candidate, t: TermId) -> (IBig, bool) {
    let width = pool.shape(pool.sort_of(t)).map_or(0, |s| s.width());
    if let Some(n) = pool.as_number(t) {
        return (n.to_integer().unwrap_or_default(), true);
    }
    let (mut number, mut known) = (IBig::ZERO, true);
    for k in 0..width {
        let b = bit(pool, t, k);
        match candidate.truth(b) {
            Some(true) => number += IBig::ONE << k,
            Some(false) => {}
            None => known = false,
        }
    }
    (number, known)
}

/// The numbers that bits give the classes of words: what the search knows of any member.
pub(crate) fn class_values(pool: &mut Pool, candidate: &Candidate) -> FxHashMap<usize, IBig> {
    let mut values: FxHashMap<usize, IBig> = FxHashMap::default();
    for t in terms(pool, candidate) {
        if pool.shape(pool.sort_of(t)).is_some() && candidate.has_node(t) {
            let (number, _) = value(pool, candidate, t);
            let known = values.entry(candidate.class_of(t)).or_default();
            *known |= number;
        }
    }
    values
}
