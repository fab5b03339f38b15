//! Facts times a factor: equations and orders that hold in a model, multiplied by a factor of a product.
//!
//! ```text
//!   y = 2 * k                   gives   x * y = 2 * (x * k)
//!   a >= b + 1 and 0 <= c       gives   a * c >= b * c + c
//! ```
//! The first is what a step does to `z + x * y` when y is halved; the second is why a quotient is unique: of
//! `q * y + r = d * y + m` with remainders below y neither q nor d can be the larger one.
//!
//! Source: monomial and order lemmas of incremental linearisation (Cimatti, Griggio, Irfan, Roveri, Sebastiani, TOCL 2018), as
//! steps of polynomial division that a model asks for.
//!
//! Sound because both sides of a true equation, and of an order by a factor without the other sign, may be multiplied. The lemmas
//! have the symbols of two terms; in a proof they are on both sides' symbols like those of `polynomial`.

use super::build::{offset, when};
use super::polynomial::{FACTORS, expand};
use logic::{Op, Pool, Rational, TermId};

/// Summands of an equation that is multiplied.
const SUMMANDS: usize = 8;
/// Equations and other products that one factor of a product is looked at with.
const EQUATIONS: usize = 4;
const OTHERS: usize = 6;
/// Products that a lemma may bring in.
const NEW: usize = 2;

/// `e => e * factor`, multiplied out.
fn of_equation(pool: &mut Pool, equation: TermId, factor: TermId) -> Option<TermId> {
    let (Op::Eq, &[left, right]) = (pool.op(equation), pool.args(equation)) else {
        return None;
    };
    let sort = pool.sort_of(left);
    if !pool.is_arith(sort) || pool.sort_of(factor) != sort {
        return None;
    }
    let minus = pool.neg(right);
    let difference = pool.add2(left, minus);
    let form = pool.linear(difference);
    if form.terms.len() > SUMMANDS || form.terms.iter().any(|(t, _)| degree(pool, *t) >= FACTORS) {
        return None;
    }
    let mut sum: Vec<(Rational, Option<TermId>)> =
        form.terms.into_iter().map(|(t, c)| (c, Some(t))).collect();
    sum.push((form.constant, None));
    let product = expand(pool, &[sum, vec![(Rational::ONE, Some(factor))]], left)?;
    let zero = pool.num(Rational::ZERO, sort);
    let fact = pool.eq(product, zero);
    Some(when(pool, &[equation], fact))
}

fn degree(pool: &Pool, t: TermId) -> usize {
    match pool.op(t) {
        Op::Mul => pool.args(t).len(),
        _ => 1,
    }
}

/// An order of two factors, by how much, and the common factor with its sign.
#[derive(Clone, Copy)]
struct Order {
    large: TermId,
    small: TermId,
    by: i8,
    common: TermId,
    positive: bool,
}

/// `large >= small + by and 0 <= common => large * common >= small * common + by * common`, and the other way round where
/// the common factor is not positive.
fn of_order(pool: &mut Pool, order: Order) -> TermId {
    let Order {
        large,
        small,
        by,
        common,
        positive,
    } = order;
    let by = Rational::from(i64::from(by));
    let zero = pool.num(Rational::ZERO, pool.sort_of(common));
    let least = offset(pool, small, &by);
    let above = pool.ge(large, least);
    let sign = match positive {
        true => pool.ge(common, zero),
        false => pool.le(common, zero),
    };
    let (much, little) = (pool.mul(&[large, common]), pool.mul(&[small, common]));
    let more = pool.mul_const(&by, common);
    let little = pool.add2(little, more);
    let fact = match positive {
        true => pool.ge(much, little),
        false => pool.le(much, little),
    };
    when(pool, &[above, sign], fact)
}

/// Each factor of a product with the product of the others.
fn splits(pool: &mut Pool, t: TermId) -> Vec<(TermId, TermId)> {
    let factors = pool.args(t).to_vec();
    let mut out: Vec<(TermId, TermId)> = Vec::new();
    if !(2..=FACTORS).contains(&factors.len()) {
        return out;
    }
    for (n, &factor) in factors.iter().enumerate() {
        if out.iter().all(|(known, _)| *known != factor) {
            let mut rest = factors.clone();
            rest.remove(n);
            out.push((factor, pool.mul(&rest)));
        }
    }
    out
}

/// Lemmas about a product `t` that has a wrong value in a model, where `equations` hold.
pub fn about(
    pool: &mut Pool,
    t: TermId,
    products: &[TermId],
    equations: &[TermId],
    value: &dyn Fn(TermId) -> Option<Rational>,
) -> Vec<TermId> {
    let mut out = Vec::new();
    for (factor, rest) in splits(pool, t) {
        let mut found: Vec<(usize, usize, TermId)> = Vec::new();
        for (n, &equation) in equations.iter().enumerate() {
            if !speaks_of(pool, equation, factor) {
                continue;
            }
            let Some(lemma) = of_equation(pool, equation, rest) else {
                continue;
            };
            if let Some(new) = new_products(pool, lemma, products, degree(pool, t)) {
                found.push((new, n, lemma));
            }
        }
        // What brings nothing new closes the case soonest.
        found.sort_unstable();
        out.extend(found.into_iter().take(EQUATIONS).map(|f| f.2));
        let mut compared = 0;
        for &u in products {
            if u == t || compared == OTHERS {
                continue;
            }
            let shared = splits(pool, u).into_iter().find(|(_, r)| *r == rest);
            let Some((other, _)) = shared else { continue };
            let (Some(own), Some(its), Some(sign)) =
                (value(factor), value(other), sign(pool, rest, value))
            else {
                continue;
            };
            let (large, small) = match own >= its {
                true => (factor, other),
                false => (other, factor),
            };
            let whole = pool.sort_of(t) == pool.int_sort();
            out.push(of_order(
                pool,
                Order {
                    large,
                    small,
                    by: i8::from(whole && own != its),
                    common: rest,
                    positive: sign,
                },
            ));
            compared += 1;
        }
    }
    out
}

/// Whether a factor, or a product of factors, is not negative in a model.
fn sign(pool: &Pool, t: TermId, value: &dyn Fn(TermId) -> Option<Rational>) -> Option<bool> {
    let factors = match pool.op(t) {
        Op::Mul => pool.args(t).to_vec(),
        _ => vec![t],
    };
    let mut positive = true;
    for factor in factors {
        positive ^= value(factor)?.is_negative();
    }
    Some(positive)
}

/// Is the factor a summand of the equation?
fn speaks_of(pool: &Pool, equation: TermId, factor: TermId) -> bool {
    let is = |t: &TermId| pool.linear(*t).terms.iter().any(|(s, _)| *s == factor);
    pool.op(equation) == Op::Eq && pool.args(equation).iter().any(is)
}

/// How many products a lemma brings in, unless they are too many or of a higher degree than what it is about: then lemmas would go on
/// for ever.
fn new_products(pool: &Pool, lemma: TermId, products: &[TermId], most: usize) -> Option<usize> {
    let inside = pool.post_order(&[lemma]);
    let new = |t: &&TermId| super::is_special(pool, **t) && pool.op(**t) == Op::Mul;
    let new = inside.iter().filter(new).filter(|t| !products.contains(t));
    let degrees = new.clone().map(|&t| degree(pool, t)).max();
    let count = new.count();
    (count <= NEW && degrees.unwrap_or(0) <= most).then_some(count)
}

/// Whether a formula is such a lemma about `t`.
pub fn is_instance(pool: &mut Pool, t: TermId, formula: TermId) -> bool {
    if pool.op(t) != Op::Mul || pool.op(formula) != Op::Or {
        return false;
    }
    let inside = pool.post_order(&[formula]);
    let own = splits(pool, t);
    for &part in &inside {
        match pool.op(part) {
            Op::Eq => {
                for (_, rest) in &own {
                    if of_equation(pool, part, *rest) == Some(formula) {
                        return true;
                    }
                }
            }
            Op::Mul if part != t => {
                for (other, shared) in splits(pool, part) {
                    for &(factor, common) in own.iter().filter(|s| s.1 == shared) {
                        if is_order(pool, formula, factor, other, common) {
                            return true;
                        }
                    }
                }
            }
            _ => {}
        }
    }
    false
}

fn is_order(pool: &mut Pool, formula: TermId, a: TermId, b: TermId, common: TermId) -> bool {
    for (large, small) in [(a, b), (b, a)] {
        for positive in [true, false] {
            for by in [0, 1] {
                let order = Order {
                    large,
                    small,
                    by,
                    common,
                    positive,
                };
                if of_order(pool, order) == formula {
                    return true;
                }
            }
        }
    }
    false
}
