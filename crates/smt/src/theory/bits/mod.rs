//! Bit-precise arithmetic: integer atoms as circuits over the bits of their leaves.
//!
//! Lemmas about machine operations (`lemmas`) are few and general; some queries need the bits. Then every
//! arithmetic atom gets a *definition*: `leaves in their ranges => (atom = circuit)`. It is a
//! valid formula over the atom's own symbols, so the proof checker knows it as an axiom of the atom
//! ([`is_definition`] builds it again), interpolation has it on one side, and what is learnt from it outlives
//! the query. Bits are atoms themselves (`words::bit_atom`), interpolants speak of them as `(x / 4) % 2`.
//!
//! A float operation is a leaf to the atoms; its own definition says what its bits are
//! (`float`), one operation at a time and only where a model has it wrong.
//!
//! `solver::bits` decides when this happens and reads models off the bits.

pub mod circuit;
pub mod float;
#[cfg(test)]
mod tests;
pub(crate) mod words;

use base::FxHashMap;
use logic::float::FloatOp;
use logic::{IBig, Op, Pool, Rational, TermId};
use std::collections::BTreeMap;
use words::{Blaster, RangeOf};

/// Terms that the circuit of one float operation may add.
const FLOAT_GATES: usize = 150_000;

/// What an atom means bit by bit.
pub(crate) struct Definition {
    /// `guards => (atom = circuit)`.
    pub(crate) formula: TermId,
    /// The leaves, with the number of bits that the circuit reads.
    pub(crate) leaves: BTreeMap<TermId, usize>,
    /// Leaves that the circuit takes for numbers in a range.
    pub(crate) guards: BTreeMap<TermId, (IBig, IBig)>,
}

/// The definition of an inequality or equality of integers; `None` if an operator has no circuit or it
/// would be too large.
pub(crate) fn definition(pool: &mut Pool, atom: TermId, ranges: &RangeOf) -> Option<Definition> {
    let op = pool.op(atom);
    if !matches!(op, Op::Le | Op::Eq) || pool.sort_of(pool.args(atom)[0]) != pool.int_sort() {
        return None;
    }
    let [a, b] = *pool.args(atom) else {
        return None;
    };
    if bit_of(pool, atom).is_some() {
        return None;
    }
    let mut blaster = Blaster::new(pool, ranges);
    let (x, y) = (blaster.exact_word(a)?, blaster.exact_word(b)?);
    let circuit = match op {
        Op::Le => circuit::at_most(blaster.pool, &x.word, &y.word),
        _ => circuit::equal(blaster.pool, &x.word, &y.word),
    };
    let fact = blaster.pool.eq(atom, circuit);
    Some(guarded(blaster, fact))
}

/// The definition of a float operation: its bits are those of its circuit.
pub(crate) fn float_definition(pool: &mut Pool, t: TermId, ranges: &RangeOf) -> Option<Definition> {
    let op = logic::float::operation(pool, t)?;
    let args = pool.args(t).to_vec();
    let mut blaster = Blaster::with_gates(pool, ranges, FLOAT_GATES);
    if let FloatOp::ToInt(width) = op {
        let word = blaster.low_word(args[0], width.bits() as usize)?;
        let own = blaster.leaf_word(t);
        // A range from zero has one bit less than its word.
        let n = own.word.len();
        let pool = &mut *blaster.pool;
        let a = float::unpack(pool, float::Format::of(width), &word);
        let (integer, within) = float::to_integer(pool, &a, n);
        let same = circuit::equal(pool, &integer, &own.word);
        let odd = pool.or2(a.nan, a.inf);
        let zero = [pool.ff()];
        let nothing = circuit::equal(pool, &own.word, &zero);
        // What has no integer gives zero.
        let fact = pool.ite(odd, nothing, same);
        let inside = pool.or2(odd, within);
        let fact = pool.and2(inside, fact);
        return Some(guarded(blaster, fact));
    }
    let mut words = Vec::new();
    for &a in &args {
        words.push(match op {
            FloatOp::FromInt(_) => blaster.exact_word(a)?.word,
            _ => blaster.low_word(a, op.width().bits() as usize)?,
        });
    }
    let result = float::operations::apply(blaster.pool, op, &words)?;
    let own = blaster.leaf_bits(t, result.len());
    let pool = &mut *blaster.pool;
    let same: Vec<TermId> = own
        .iter()
        .zip(&result)
        .map(|(&x, &y)| pool.eq(x, y))
        .collect();
    let fact = pool.and(&same);
    Some(guarded(blaster, fact))
}

/// A fact about the leaves that rests on their ranges.
fn guarded(blaster: Blaster, fact: TermId) -> Definition {
    let Blaster {
        pool,
        guards,
        divisors,
        leaves,
        ..
    } = blaster;
    let mut parts = Vec::new();
    for (&leaf, (low, high)) in &guards {
        let (low, high) = (pool.int(low.clone()), pool.int(high.clone()));
        let inside = [pool.le(low, leaf), pool.le(leaf, high)];
        parts.extend(inside.map(|g| pool.not(g)));
    }
    for d in divisors {
        let zero = pool.int(0);
        parts.push(pool.eq(d, zero));
    }
    parts.push(fact);
    Definition {
        formula: pool.or(&parts),
        leaves,
        guards,
    }
}

/// Whether a formula is the definition of an atom or a float operation for some ranges of its leaves. The ranges are read off the
/// formula's bounds; the circuit is built again.
pub(crate) fn is_definition(pool: &mut Pool, atom: TermId, formula: TermId) -> bool {
    let mut bounds: FxHashMap<TermId, (Option<IBig>, Option<IBig>)> = FxHashMap::default();
    let formulas = pool.bool_sort() == pool.sort_of(atom);
    let opposite = if formulas { pool.not(atom) } else { atom };
    for part in pool.disjuncts(formula) {
        if part == atom || part == opposite {
            continue; // a circuit that is a constant
        }
        // The disjunct is the negation of the bound.
        if let Some((leaf, bound, upper)) = bound_of(pool, part, false) {
            let entry = bounds.entry(leaf).or_default();
            *(if upper { &mut entry.1 } else { &mut entry.0 }) = Some(bound);
        }
    }
    let ranges = |t: TermId| match bounds.get(&t) {
        Some((Some(low), Some(high))) => Some((low.clone(), high.clone())),
        _ => None,
    };
    let again = match pool.op(atom) {
        Op::App(_) => float_definition(pool, atom, &ranges),
        _ => definition(pool, atom, &ranges),
    };
    again.is_some_and(|d| d.formula == formula)
}

/// A literal as a bound on a single term: the term, the bound, whether it is an upper one.
pub(crate) fn bound_of(pool: &Pool, literal: TermId, value: bool) -> Option<(TermId, IBig, bool)> {
    let (atom, value) = match pool.op(literal) {
        Op::Not => (pool.args(literal)[0], !value),
        _ => (literal, value),
    };
    if pool.op(atom) != Op::Le || pool.sort_of(pool.args(atom)[0]) != pool.int_sort() {
        return None;
    }
    let [a, b] = [0, 1].map(|k| pool.linear(pool.args(atom)[k]));
    // form <= 0, or for a false one form >= 1.
    let form = a.add_scaled(&Rational::MINUS_ONE, &b);
    let [(t, c)] = &form.terms[..] else {
        return None;
    };
    let (limit, upper) = match value {
        true => (-&form.constant, c.is_positive()),
        false => (&Rational::ONE - &form.constant, c.is_negative()),
    };
    let limit = &limit / c;
    let limit = if upper { limit.floor() } else { limit.ceil() };
    Some((*t, limit.to_integer()?, upper))
}

/// The leaf and the place of an atom `(x div 2^i) mod 2 = 1`.
pub(crate) fn bit_of(pool: &Pool, atom: TermId) -> Option<(TermId, usize)> {
    if pool.op(atom) != Op::Eq {
        return None;
    }
    let [last, one] = *pool.args(atom) else {
        return None;
    };
    let is = |t: TermId, n: i64| pool.as_number(t).is_some_and(|v| v.to_i64() == Some(n));
    if pool.op(last) != Op::Mod || !is(one, 1) || !is(pool.args(last)[1], 2) {
        return None;
    }
    let shifted = pool.args(last)[0];
    if pool.op(shifted) != Op::IntDiv {
        return Some((shifted, 0));
    }
    let divisor = pool.as_number(pool.args(shifted)[1])?.to_integer()?;
    let place = circuit::signed_width(&divisor).checked_sub(2)?;
    match divisor > IBig::ONE && IBig::ONE << place == divisor {
        true => Some((pool.args(shifted)[0], place)),
        false => Some((shifted, 0)),
    }
}
