//! Machine words as a ring: what a wrapped polynomial is without the wrapping inside it.
//!
//! `wrap(wrap(i + 1) * wrap(i + 2))` and `wrap(wrap(i * i) + wrap(3 * i + 2))` are one number, which bounds on products never
//! show. A word of n bits keeps sums and products modulo `2^n`, so words of n bits or more inside of it may be left out,
//! products multiplied out and coefficients reduced: of both words the lemma says that they are `i * i + 3 * i + 2 - 2^n * k`. The rest
//! is linear in the monomials, as are steps of loops from `2 * s = i * i + i` modulo `2^n` to the next.

use super::words::wrap_exact;
use base::FxHashMap;
use logic::{Op, Pool, Rational, TermId};
use std::collections::BTreeMap;

/// Terms that are looked at, and monomials and factors of what comes out.
const TERMS: usize = 300;
const MONOMIALS: usize = 60;
const FACTORS: usize = 6;

/// Monomials (sorted factors, none of which is a number) with their coefficients.
type Sum = BTreeMap<Vec<TermId>, Rational>;

/// `w = p - 2^n * k` for the polynomial of the wrapped term `w`; none if that has no products, or is written in `w` as it is.
pub fn exact(pool: &mut Pool, w: TermId) -> Option<TermId> {
    let (Op::Wrap { bits, signed }, &[inner]) = (pool.op(w), pool.args(w)) else {
        return None;
    };
    let sum = polynomial(pool, inner, bits)?;
    let sort = pool.sort_of(inner);
    let mut parts = Vec::with_capacity(sum.len());
    for (factors, c) in &sum {
        let mut product = vec![pool.num(c.clone(), sort)];
        product.extend(factors);
        parts.push(pool.mul(&product));
    }
    let flat = match parts.is_empty() {
        true => pool.num(Rational::ZERO, sort),
        false => pool.add(&parts),
    };
    (flat != inner).then(|| wrap_exact(pool, w, bits, signed, flat))
}

/// The polynomial of a term modulo `2^bits`, if there is a product in it.
fn polynomial(pool: &Pool, term: TermId, bits: u8) -> Option<Sum> {
    let mut known: FxHashMap<TermId, Sum> = FxHashMap::default();
    let mut stack = vec![term];
    let mut products = false;
    while let Some(&t) = stack.last() {
        if known.contains_key(&t) {
            stack.pop();
            continue;
        }
        if known.len() + stack.len() > TERMS {
            return None;
        }
        let form = pool.linear(t);
        let plain = form.constant.is_zero() && form.terms == [(t, Rational::ONE)];
        let children: Vec<TermId> = match pool.op(t) {
            Op::Mul if plain => pool.args(t).to_vec(),
            // Sound because sums and products of words modulo 2^bits do not depend on what is above those bits.
            Op::Wrap { bits: inside, .. } if inside >= bits => pool.args(t).to_vec(),
            _ if plain => Vec::new(),
            _ => form.terms.iter().map(|(x, _)| *x).collect(),
        };
        let before = stack.len();
        stack.extend(children.iter().filter(|c| !known.contains_key(c)));
        if stack.len() > before {
            continue;
        }
        stack.pop();
        let sum = match pool.op(t) {
            Op::Mul if plain => {
                products = true;
                let mut product = Sum::from([(Vec::new(), Rational::ONE)]);
                for c in &children {
                    product = times(&product, &known[c], bits)?;
                }
                product
            }
            _ if plain && !children.is_empty() => known[&children[0]].clone(),
            _ if plain => Sum::from([(vec![t], Rational::ONE)]),
            _ => {
                let mut sum = Sum::new();
                add(&mut sum, Vec::new(), &form.constant, bits)?;
                for (x, c) in &form.terms {
                    for (factors, d) in &known[x] {
                        add(&mut sum, factors.clone(), &(c * d), bits)?;
                    }
                }
                sum
            }
        };
        known.insert(t, sum);
    }
    known.remove(&term).filter(|_| products)
}

/// Adds a monomial; its coefficient is reduced to the number nearest to zero.
fn add(sum: &mut Sum, factors: Vec<TermId>, c: &Rational, bits: u8) -> Option<()> {
    if !c.is_integer() {
        return None;
    }
    let modulus = Rational::power_of_two(bits as usize);
    let old = sum.remove(&factors).unwrap_or(Rational::ZERO);
    let mut new = (&old + c).rem_euclid(&modulus);
    if new > Rational::power_of_two(bits as usize - 1) {
        new = &new - &modulus;
    }
    if !new.is_zero() {
        sum.insert(factors, new);
    }
    (sum.len() <= MONOMIALS).then_some(())
}

fn times(a: &Sum, b: &Sum, bits: u8) -> Option<Sum> {
    let mut product = Sum::new();
    for (x, c) in a {
        for (y, d) in b {
            let mut factors = [&x[..], &y[..]].concat();
            if factors.len() > FACTORS {
                return None;
            }
            factors.sort_unstable();
            add(&mut product, factors, &(c * d), bits)?;
        }
    }
    Some(product)
}
