//! Products beside products: what a step of a loop does to a power of its counter.
//!
//! Tangents bound one product at a time, so they never show that `i' * i'` is `i * i + 2 * i + 1` after
//! `i' = i + 1`. Two lemmas do: a product of sums is the sum of the products of their parts, and where the factors of
//! one product are those of another plus constants, so is the product, multiplied out. A third compares them: `0 <= i <= n` gives
//! `i * i <= n * n`.
//!
//! The last two have the symbols of two terms; in a proof they are on both sides' symbols like any such lemma.

use super::build::{offset, when};
use logic::{Op, Pool, Rational, TermId};

/// More factors are left to tangents.
pub(super) const FACTORS: usize = 4;
/// Summands of a product that is multiplied out.
const SUMMANDS: usize = 40;
/// Constants by which factors may differ.
const SHIFT: i64 = 64;
/// Products that one is compared with.
const NEIGHBOURS: usize = 4;
/// Choices of constants that the proof checker tries.
const CHOICES: usize = 50_000;

/// Multiplies sums out: each sum is a list of a coefficient and factors.
pub(super) fn expand(
    pool: &mut Pool,
    factors: &[Vec<(Rational, Option<TermId>)>],
    like: TermId,
) -> Option<TermId> {
    let mut summands: Vec<(Rational, Vec<TermId>)> = vec![(Rational::ONE, Vec::new())];
    for factor in factors {
        let mut next = Vec::with_capacity(summands.len() * factor.len());
        for (c, product) in &summands {
            for (d, t) in factor {
                let mut product = product.clone();
                product.extend(*t);
                next.push((c * d, product));
            }
        }
        if next.len() > SUMMANDS {
            return None;
        }
        summands = next;
    }
    let sort = pool.sort_of(like);
    let mut parts = Vec::with_capacity(summands.len());
    for (c, product) in summands {
        let c = pool.num(c, sort);
        let mut factors = vec![c];
        factors.extend(product);
        parts.push(pool.mul(&factors));
    }
    Some(pool.add(&parts))
}

/// A product with a sum among its factors, multiplied out.
pub fn distribution(pool: &mut Pool, t: TermId) -> Option<TermId> {
    let factors = pool.args(t).to_vec();
    if factors.len() > FACTORS || factors.iter().all(|f| pool.op(*f) != Op::Add) {
        return None;
    }
    let mut sums = Vec::with_capacity(factors.len());
    for f in factors {
        let form = pool.linear(f);
        let mut sum: Vec<(Rational, Option<TermId>)> =
            form.terms.into_iter().map(|(t, c)| (c, Some(t))).collect();
        if !form.constant.is_zero() {
            sum.push((form.constant, None));
        }
        sums.push(sum);
    }
    let sum = expand(pool, &sums, t)?;
    Some(pool.eq(t, sum))
}

/// `a_1 = c_1 + k_1 and … => a_1 * a_2 * … = (c_1 + k_1) * (c_2 + k_2) * …`, multiplied out, where the `a` are the factors
/// of `t` and the `c` those of another product in some order.
fn shifted(pool: &mut Pool, t: TermId, others: &[TermId], shifts: &[Rational]) -> Option<TermId> {
    let factors = pool.args(t).to_vec();
    let mut guards = Vec::with_capacity(factors.len());
    let mut sums = Vec::with_capacity(factors.len());
    for ((&a, &c), k) in factors.iter().zip(others).zip(shifts) {
        let moved = offset(pool, c, k);
        guards.push(pool.eq(a, moved));
        let mut sum = vec![(Rational::ONE, Some(c))];
        if !k.is_zero() {
            sum.push((k.clone(), None));
        }
        sums.push(sum);
    }
    let sum = expand(pool, &sums, t)?;
    let equal = pool.eq(t, sum);
    Some(when(pool, &guards, equal))
}

/// `0 <= a_1 <= c_1 and … => a_1 * a_2 * … <= c_1 * c_2 * …`, where the `a` are the factors of `t` and the `c` those of `u` in
/// some order; or the other way round.
fn monotone(pool: &mut Pool, t: TermId, u: TermId, others: &[TermId], below: bool) -> TermId {
    let zero = pool.num(Rational::ZERO, pool.sort_of(t));
    let mut guards = Vec::new();
    for (a, &c) in pool.args(t).to_vec().into_iter().zip(others) {
        let (small, large) = if below { (a, c) } else { (c, a) };
        guards.extend([pool.ge(small, zero), pool.le(small, large)]);
    }
    let fact = match below {
        true => pool.le(t, u),
        false => pool.le(u, t),
    };
    when(pool, &guards, fact)
}

/// Which product's factors are below the other's, all of them and none negative: those of the first?
fn ordered(factors: &[(Rational, Rational)]) -> Option<bool> {
    let below = |x: &Rational, y: &Rational| !x.is_negative() && x <= y;
    if factors.iter().all(|(a, c)| below(a, c)) {
        return Some(true);
    }
    factors.iter().all(|(a, c)| below(c, a)).then_some(false)
}

/// The orders of up to three things, and of four only as they stand.
fn orders(n: usize) -> &'static [&'static [usize]] {
    match n {
        2 => &[&[0, 1], &[1, 0]],
        3 => &[
            &[0, 1, 2],
            &[0, 2, 1],
            &[1, 0, 2],
            &[1, 2, 0],
            &[2, 0, 1],
            &[2, 1, 0],
        ],
        4 => &[&[0, 1, 2, 3]],
        _ => &[],
    }
}

fn is_plain_product(pool: &Pool, t: TermId) -> bool {
    let args = pool.args(t);
    pool.op(t) == Op::Mul
        && (2..=FACTORS).contains(&args.len())
        && args
            .iter()
            .all(|&f| pool.as_number(f).is_none() && pool.op(f) != Op::Add)
}

/// Lemmas about `t` beside other products whose factors are near those of `t` in a model, the nearest first.
pub fn neighbours(
    pool: &mut Pool,
    t: TermId,
    products: &[TermId],
    value: &dyn Fn(TermId) -> Option<Rational>,
) -> Vec<TermId> {
    if !is_plain_product(pool, t) {
        return Vec::new();
    }
    let factors = pool.args(t).to_vec();
    let most = Rational::from(SHIFT);
    let mut found: Vec<(Rational, TermId, Vec<TermId>, Vec<Rational>)> = Vec::new();
    let mut compared = Vec::new();
    for &u in products {
        if u == t || !is_plain_product(pool, u) || pool.args(u).len() != factors.len() {
            continue;
        }
        if pool.sort_of(u) != pool.sort_of(t) {
            continue;
        }
        let mut best: Option<(Rational, Vec<TermId>, Vec<Rational>)> = None;
        for order in orders(factors.len()) {
            let others: Vec<TermId> = order.iter().map(|&i| pool.args(u)[i]).collect();
            let both = |(&a, &c): (&TermId, &TermId)| Some((value(a)?, value(c)?));
            let values: Option<Vec<_>> = factors.iter().zip(&others).map(both).collect();
            let Some(values) = values else { continue };
            if let Some(below) = ordered(&values).filter(|_| compared.len() < NEIGHBOURS) {
                compared.push(monotone(pool, t, u, &others, below));
            }
            let shifts: Vec<Rational> = values.iter().map(|(a, c)| a - c).collect();
            let mut far = Rational::ZERO;
            for k in &shifts {
                far = match k.is_negative() {
                    true => &far - k,
                    false => &far + k,
                };
            }
            if far <= most && best.as_ref().is_none_or(|b| far < b.0) {
                best = Some((far, others, shifts));
            }
        }
        if let Some((far, others, shifts)) = best {
            found.push((far, u, others, shifts));
        }
    }
    found.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
    found.truncate(NEIGHBOURS);
    let lemmas = found.into_iter();
    let mut lemmas: Vec<TermId> = lemmas
        .filter_map(|(_, _, others, shifts)| shifted(pool, t, &others, &shifts))
        .collect();
    lemmas.extend(compared);
    lemmas
}

/// Whether a formula is such a lemma about `t`, with constants among `numbers`.
pub fn is_instance(pool: &mut Pool, t: TermId, formula: TermId, numbers: &[Rational]) -> bool {
    if pool.op(t) != Op::Mul {
        return false;
    }
    if distribution(pool, t) == Some(formula) {
        return true;
    }
    let n = pool.args(t).len();
    if !is_plain_product(pool, t) {
        return false;
    }
    // The factors of the other product: some of the formula's own terms, which the guards equate.
    let mut products: Vec<TermId> = pool.post_order(&[formula]);
    products.retain(|&u| u != t && is_plain_product(pool, u) && pool.args(u).len() == n);
    for &u in &products {
        for order in orders(n) {
            let others: Vec<TermId> = order.iter().map(|&i| pool.args(u)[i]).collect();
            if [true, false]
                .map(|below| monotone(pool, t, u, &others, below))
                .contains(&formula)
            {
                return true;
            }
        }
    }
    let choices = (0..n).try_fold(1usize, |c, _| c.checked_mul(numbers.len()));
    if choices.is_none_or(|c| c > CHOICES) {
        return false;
    }
    for u in products {
        for order in orders(n) {
            let others: Vec<TermId> = order.iter().map(|&i| pool.args(u)[i]).collect();
            let mut shifts = vec![0usize; n];
            loop {
                let chosen: Vec<Rational> = shifts.iter().map(|&i| numbers[i].clone()).collect();
                if shifted(pool, t, &others, &chosen) == Some(formula) {
                    return true;
                }
                let Some(at) = shifts.iter().position(|&i| i + 1 < numbers.len()) else {
                    break;
                };
                shifts[..at].fill(0);
                shifts[at] += 1;
            }
        }
    }
    false
}
