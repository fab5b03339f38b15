//! Interpolants of Farkas lemmas.
//!
//! The negated literals, weighted by the certificate, sum up to a contradiction. The A-part of the
//! sum is implied by A, contradicts the B-part, and its A-only variables have cancelled (B has
//! none): it is the primal, strongest interpolant. The negated B-part is the dual, weakest one.
//! Over Int the constructor rounds the bound: sound because both parts are sums of integer terms.

use super::FarkasSide;
use crate::proof_check::arithmetic::{Relation, fact};
use logic::{Linear, Pool, Rational, SortId, TermId};

pub(crate) fn interpolant(
    pool: &mut Pool,
    literals: &[(TermId, bool)],
    coefficients: &[Rational],
    in_a: &[bool],
    side: FarkasSide,
) -> Result<TermId, String> {
    let sum_a = side == FarkasSide::Primal;
    let mut sum = Linear::constant(Rational::ZERO);
    let mut strict = false;
    let mut sort = pool.int_sort();
    // An equality on the summed side keeps its strength only if nothing else is summed.
    let mut equalities = true;
    for ((&(term, value), c), &a) in literals.iter().zip(coefficients).zip(in_a) {
        if a != sum_a {
            continue;
        }
        let f = fact(pool, term, value).ok_or("a Farkas literal is not an arithmetic atom")?;
        sort = f.sort;
        strict |= f.relation == Relation::Lt;
        equalities &= f.relation == Relation::Eq;
        sum = sum.add_scaled(c, &f.linear);
    }
    let part = if equalities && !sum.terms.is_empty() {
        pool.eq_zero(sum, sort)
    } else {
        bound(pool, sum, strict, sort)
    };
    Ok(match sum_a {
        true => part,
        false => pool.not(part),
    })
}

/// `sum <= 0`, or `sum < 0`.
fn bound(pool: &mut Pool, mut sum: Linear, strict: bool, sort: SortId) -> TermId {
    if strict {
        sum.scale(&Rational::MINUS_ONE);
        let le = pool.le_zero(sum, sort);
        return pool.not(le);
    }
    pool.le_zero(sum, sort)
}
