//! The way back: formulas over bits as formulas over words.
//!
//! Bits become predicates of the script's constants. Junctions of bits next to each other become
//! equalities of (parts of) words: `x[3] & !x[2] & x[1]` is `x[3:1] = 101`, and `x[1] = y[1] & x[0] = y[0]` is
//! `x[1:0] = y[1:0]`. Nothing changes but the way it is written.

use super::Words;
use crate::theory::words::bit;
use base::{FxHashMap, FxHashSet};
use logic::word::{FpOp, Shape, WordOp};
use logic::{IBig, Op, Pool, Rational, Sort, TermId};
use std::collections::BTreeMap;

impl Words {
    /// A formula over the constants of the translation as one over those of the script.
    pub fn back(&self, pool: &mut Pool, t: TermId) -> TermId {
        if !pool.has_words() {
            return t;
        }
        let mut memo: FxHashMap<TermId, TermId> = FxHashMap::default();
        for s in pool.post_order(&[t]) {
            let image = match (self.bit_of.get(&s), self.source_of.get(&s)) {
                (Some(&(x, k)), _) => source_bit(pool, x, k),
                (_, Some(&source)) => source,
                _ => {
                    let args: Vec<TermId> = pool.args(s).iter().map(|a| memo[a]).collect();
                    let rebuilt = match args == pool.args(s) {
                        true => s,
                        false => pool.rebuild(s, &args),
                    };
                    lifted(pool, rebuilt)
                }
            };
            memo.insert(s, image);
        }
        memo[&t]
    }
}

/// Bit `k` of a constant; of a rounding mode, which modes have it.
fn source_bit(pool: &mut Pool, x: TermId, k: usize) -> TermId {
    let sort = pool.sort_of(x);
    if pool.shape(sort) != Some(Shape::Rounding) {
        return bit(pool, x, k);
    }
    let mut parts = Vec::new();
    for m in (0..5i64).filter(|m| (m >> k) & 1 == 1) {
        let mode = pool.num(Rational::from(m), sort);
        parts.push(pool.eq(x, mode));
    }
    pool.or(&parts)
}

/// A junction with its bits as parts of words.
fn lifted(pool: &mut Pool, t: TermId) -> TermId {
    let op = pool.op(t);
    if !matches!(op, Op::And | Op::Or) {
        return t;
    }
    // Of a disjunction the negation is looked at.
    let turn = |pool: &mut Pool, x: TermId| if op == Op::Or { pool.not(x) } else { x };
    let mut bits: BTreeMap<TermId, BTreeMap<usize, bool>> = BTreeMap::new();
    let mut pairs: BTreeMap<(TermId, TermId), FxHashSet<usize>> = BTreeMap::new();
    let mut rest = Vec::new();
    for a in pool.args(t).to_vec() {
        let a = turn(pool, a);
        match (as_bit(pool, a), as_pair(pool, a)) {
            (Some((x, k, value)), _) => {
                bits.entry(x).or_default().insert(k, value);
            }
            (_, Some((x, y, k))) => {
                pairs.entry((x, y)).or_default().insert(k);
            }
            _ => rest.push(a),
        }
    }
    for (x, places) in bits {
        for (high, low) in runs(places.keys().copied().collect()) {
            let value = (low..=high).filter(|k| places[k]);
            let value: IBig = value.map(|k| IBig::ONE << (k - low)).sum();
            rest.push(match high == low {
                true => literal(pool, x, low, places[&low]),
                false => {
                    let part = part(pool, x, high, low);
                    let number = pool.word_num(&value, pool.sort_of(part));
                    pool.eq(part, number)
                }
            });
        }
    }
    for ((x, y), places) in pairs {
        let mut places: Vec<usize> = places.into_iter().collect();
        places.sort_unstable();
        for (high, low) in runs(places) {
            let (a, b) = (part(pool, x, high, low), part(pool, y, high, low));
            rest.push(pool.eq(a, b));
        }
    }
    let all = pool.and(&rest);
    turn(pool, all)
}

fn literal(pool: &mut Pool, x: TermId, k: usize, value: bool) -> TermId {
    let b = bit(pool, x, k);
    if value { b } else { pool.not(b) }
}

/// A bit or its negation.
fn as_bit(pool: &Pool, t: TermId) -> Option<(TermId, usize, bool)> {
    let (t, value) = match pool.op(t) {
        Op::Not => (pool.args(t)[0], false),
        _ => (t, true),
    };
    match pool.word_operation(t) {
        Some(WordOp::Bit(k)) => Some((pool.args(t)[0], k as usize, value)),
        _ => None,
    }
}

/// The same bit of two words, equal.
fn as_pair(pool: &Pool, t: TermId) -> Option<(TermId, TermId, usize)> {
    if pool.op(t) != Op::Eq {
        return None;
    }
    let (x, k, _) = as_bit(pool, pool.args(t)[0])?;
    let (y, l, same) = as_bit(pool, pool.args(t)[1])?;
    (same && k == l && pool.sort_of(x) == pool.sort_of(y)).then_some((x, y, k))
}

/// The runs of numbers that follow each other: the last and the first of each.
fn runs(places: Vec<usize>) -> Vec<(usize, usize)> {
    let mut out: Vec<(usize, usize)> = Vec::new();
    for k in places {
        match out.last_mut() {
            Some((high, _)) if *high + 1 == k => *high = k,
            _ => out.push((k, k)),
        }
    }
    out
}

/// Part of a word as a bit-vector.
fn part(pool: &mut Pool, x: TermId, high: usize, low: usize) -> TermId {
    let sort = pool.sort_of(x);
    let mut word = x;
    if let Sort::Float(..) = pool.sort_kind(sort) {
        word = pool
            .word(WordOp::Float(FpOp::ToBits), &[x])
            .expect("it is a float");
    }
    let width = pool.shape(sort).map_or(0, |s| s.width());
    if high + 1 == width && low == 0 {
        return word;
    }
    pool.word(WordOp::Extract(high as u32, low as u32), &[word])
        .expect("the places lie inside")
}
