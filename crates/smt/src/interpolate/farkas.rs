//! Interpolants of Farkas lemmas.
//!
//! The negated literals, weighted by the certificate, sum up to a contradiction. The A-part of the
//! sum is implied by A, contradicts the B-part, and its A-only variables have cancelled (B has
//! none): it is the primal, strongest interpolant. The negated B-part is the dual, weakest one.
//!
//! Divisibility lemmas: equations whose weighted sum has integer coefficients and a fractional constant.
//! In A's part the A-only variables have integer coefficients, so the rest of it is an integer:
//! `D * rest mod D = 0` for the common denominator D. B's part then makes the constant integral.
//!
//! Over Int the constructor rounds the bound: sound because both parts are sums of integer terms.

use super::FarkasSide;
use super::clean::inequality;
use crate::proof_check::arithmetic::{Relation, fact};
use logic::{Linear, Pool, Rational, TermId};

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
        inequality(pool, sum, strict, sort)
    };
    Ok(match sum_a {
        true => part,
        false => pool.not(part),
    })
}

pub(crate) fn divisibility(
    pool: &mut Pool,
    literals: &[(TermId, bool)],
    coefficients: &[Rational],
    in_a: &[bool],
    side: FarkasSide,
    shared: impl Fn(TermId) -> bool,
) -> Result<TermId, String> {
    let sum_a = side == FarkasSide::Primal;
    let mut sum = Linear::constant(Rational::ZERO);
    for ((&(term, value), c), &a) in literals.iter().zip(coefficients).zip(in_a) {
        if a == sum_a && !c.is_zero() {
            let f = fact(pool, term, value).ok_or("a literal is not an arithmetic atom")?;
            sum = sum.add_scaled(c, &f.linear);
        }
    }
    // Integer multiples of integers do not matter; one side's own terms have no other ones.
    sum.terms.retain(|(_, c)| !c.is_integer());
    if let Some((t, _)) = sum.terms.iter().find(|(t, _)| !shared(*t)) {
        return Err(format!("{t} has a fractional coefficient on one side only"));
    }
    let mut denominator = Rational::from(sum.constant.denominator());
    for (_, c) in &sum.terms {
        let d = Rational::from(c.denominator());
        denominator = &(&denominator / &denominator.gcd(&d)) * &d;
    }
    sum.scale(&denominator);
    let int = pool.int_sort();
    let (whole, divisor) = (pool.from_linear(&sum, int), pool.int(denominator));
    let (rest, zero) = (pool.modulo(whole, divisor), pool.int(0));
    let part = pool.eq(rest, zero);
    Ok(match sum_a {
        true => part,
        false => pool.not(part),
    })
}
