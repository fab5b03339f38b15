//! Interpolants of divisibility lemmas.
//!
//! The negated literals state equalities `p = 0`; weighted by the certificate their sum has integer
//! coefficients and a fractional constant. The A-part of the sum is 0 in A. Its A-only terms
//! have integer coefficients, as B has none to add, so A implies that the rest, over shared terms,
//! is an integer: with `d` the common denominator, `d * rest mod d = 0`. In B the rest differs
//! from an integer by the fractional constant. `x = 2y` against `x = 2z + 1`: `x mod 2 = 0`.
//!
//! An equality whose two bounds are on different sides counts as A's, and the interpolant I
//! becomes `p <= 0 and (p < 0 or I)`, where A has `p <= 0` and B has `p >= 0`.

use super::clean::inequality;
use crate::proof_check::arithmetic::{Fact, Relation, fact};
use logic::{Linear, Pool, Rational, TermId};

pub(crate) fn interpolant(
    pool: &mut Pool,
    literals: &[(TermId, bool)],
    weights: &[Rational],
    in_a: &[bool],
) -> Result<TermId, String> {
    let mut facts: Vec<Fact> = Vec::with_capacity(literals.len());
    for &(term, value) in literals {
        match fact(pool, term, value) {
            Some(f) if f.relation == Relation::Le && !f.linear.terms.is_empty() => facts.push(f),
            _ => return Err("a divisibility literal is not an inequality".into()),
        }
    }
    let mut sum = Linear::constant(Rational::ZERO);
    let mut split = Vec::new();
    for (i, weight) in weights.iter().enumerate() {
        if weight.is_zero() {
            continue;
        }
        let partner = (0..facts.len())
            .find(|j| opposite(&facts[i].linear, &facts[*j].linear))
            .ok_or("a bound without its opposite")?;
        if !in_a[i] && !in_a[partner] {
            continue;
        }
        sum = sum.add_scaled(weight, &facts[i].linear);
        if in_a[i] != in_a[partner] {
            split.push(if in_a[i] { i } else { partner });
        }
    }
    let mut result = is_integer(pool, &sum);
    for i in split {
        let (p, sort) = (facts[i].linear.clone(), facts[i].sort);
        let (weak, strict) = (
            inequality(pool, p.clone(), false, sort),
            inequality(pool, p, true, sort),
        );
        let inner = pool.or2(strict, result);
        result = pool.and2(weak, inner);
    }
    Ok(result)
}

fn opposite(a: &Linear, b: &Linear) -> bool {
    let ratio = &a.terms[0].1 / &b.terms[0].1;
    let difference = a.add_scaled(&-&ratio, b);
    ratio.is_negative() && difference.terms.is_empty() && difference.constant.is_zero()
}

/// That a linear form over Int terms is an integer: only fractional parts matter.
fn is_integer(pool: &mut Pool, form: &Linear) -> TermId {
    let part = |c: &Rational| c - &c.floor();
    let mut rest = Linear::constant(part(&form.constant));
    for (t, c) in &form.terms {
        if !c.is_integer() {
            rest.terms.push((*t, part(c)));
        }
    }
    let mut d = Rational::ONE;
    for c in rest.terms.iter().map(|t| &t.1).chain([&rest.constant]) {
        let den = Rational::from(c.denominator());
        d = &(&d / &d.gcd(&den)) * &den;
    }
    rest.scale(&d);
    let sort = pool.int_sort();
    let dividend = pool.from_linear(&rest, sort);
    let divisor = pool.int(d);
    let remainder = pool.modulo(dividend, divisor);
    let zero = pool.int(0);
    pool.eq(remainder, zero)
}
