//! Lemmas about operators that linear arithmetic does not know: `ite`, division, machine words, bit
//! operations, products, floats.
//!
//! [`axioms`] states what is cheap and often enough, once per term, and suffices to pin the
//! value of the operators with constant divisor or mask. The other operators are loose until a
//! model gives one of them a wrong value; then [`Refiner::refine`] states lemmas which that model
//! violates, general ones first, exact ones later.
//!
//! Invariants. Every lemma is a valid formula: true in every model in which the operators have
//! their meaning. It has only symbols of the term it is about, so a lemma about a term of
//! one partition belongs to that partition; but for products beside products and beside facts (`polynomial`, `multiplied`). Lemmas may contain new terms of the same kind
//! (`x div 2` inside a lemma about `x & 1`), whose axioms are needed in turn.

mod bits;
mod build;
mod division;
mod float;
mod float_relations;
mod multiplied;
mod polynomial;
mod product;
mod refine;
mod ring;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use float::result as float_result;
pub use refine::{About, Refiner, refine};
pub(crate) use refine::{is_instance, value_of};

use logic::{Op, Pool, TermId};

/// Whether linear arithmetic leaves the meaning of this term's operator open, so that it
/// needs [`axioms`].
pub fn is_special(pool: &Pool, term: TermId) -> bool {
    match pool.op(term) {
        Op::Ite => pool.sort_of(term) != pool.bool_sort(),
        Op::Mul => pool.as_number(pool.args(term)[0]).is_none(),
        Op::IntDiv
        | Op::Mod
        | Op::RealDiv
        | Op::ToInt
        | Op::Wrap { .. }
        | Op::BitAnd
        | Op::BitOr
        | Op::BitXor
        | Op::Shl
        | Op::Shr
        | Op::CDiv
        | Op::CRem => true,
        Op::App(s) => pool.sort_of(term) == pool.int_sort() && pool.float_op(s).is_some(),
        _ => false,
    }
}

/// Valid formulas about `term`; none for terms that are not special.
pub fn axioms(pool: &mut Pool, term: TermId) -> Vec<TermId> {
    if !is_special(pool, term) {
        return Vec::new();
    }
    let args = pool.args(term).to_vec();
    let mut out = match pool.op(term) {
        Op::Ite => ite(pool, term, args[0], args[1], args[2]),
        Op::Mul => product::axioms(pool, term),
        Op::IntDiv | Op::Mod => division::euclidean(pool, term, args[0], args[1]),
        Op::CDiv | Op::CRem => division::truncated(pool, term, args[0], args[1]),
        Op::RealDiv => division::real(pool, term, args[0], args[1]),
        Op::ToInt => division::floor(pool, term, args[0]),
        Op::Wrap { bits, signed } => words::wrap(pool, term, bits, signed, args[0]),
        Op::Shl | Op::Shr => words::shift(pool, term, args[0], args[1]),
        Op::BitAnd | Op::BitOr | Op::BitXor => bits::axioms(pool, term, args[0], args[1]),
        Op::App(_) => float::axioms(pool, term),
        _ => Vec::new(),
    };
    out.retain(|t| *t != pool.tt());
    out
}

fn ite(pool: &mut Pool, term: TermId, c: TermId, a: TermId, b: TermId) -> Vec<TermId> {
    let (then, otherwise) = (pool.eq(term, a), pool.eq(term, b));
    let mut out = vec![pool.implies(c, then), pool.or2(c, otherwise)];
    if let (Some(x), Some(y)) = (pool.as_number(a), pool.as_number(b)) {
        let (low, high) = (x.min(y).clone(), x.max(y).clone());
        out.push(pool.in_range(&low, term, &high));
    }
    out
}
