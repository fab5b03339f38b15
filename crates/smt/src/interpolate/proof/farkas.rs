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

use crate::interpolate::FarkasSide;
use crate::interpolate::clean::inequality;
use crate::theory::arith::integer;
use logic::{Comparison, Linear, Pool, Rational, Relation, TermId};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The facts of a Farkas (or divisibility) lemma with their weighted sum over one side. Along a sequence of cuts few
/// literals change sides from one to the next, so the sum is kept and only they are moved.
pub(crate) struct Sum {
    /// The weighted facts, in the order of the literals.
    facts: Vec<Comparison>,
    summed: Vec<bool>,
    terms: BTreeMap<TermId, Rational>,
    constant: Rational,
    /// How many of the summed facts are strict, and how many are no equalities.
    strict: usize,
    inequalities: usize,
}

impl Sum {
    pub fn new(
        pool: &Pool,
        literals: &[(TermId, bool)],
        coefficients: &[Rational],
    ) -> Result<Sum, String> {
        let mut facts = Vec::with_capacity(literals.len());
        for (&(term, value), c) in literals.iter().zip(coefficients) {
            let f = Comparison::of(pool, term, value);
            let mut f = f.ok_or("a literal of the lemma is not an arithmetic atom")?;
            match c.is_zero() {
                true => f.linear = Linear::constant(Rational::ZERO),
                false => f.linear.scale(c),
            }
            facts.push(f);
        }
        Ok(Sum {
            summed: vec![false; facts.len()],
            facts,
            terms: BTreeMap::new(),
            constant: Rational::ZERO,
            strict: 0,
            inequalities: 0,
        })
    }

    /// Takes a fact into the sum, or out of it.
    fn flip(&mut self, i: usize) {
        self.summed[i] = !self.summed[i];
        let f = &self.facts[i];
        let sign = match self.summed[i] {
            true => Rational::ONE,
            false => Rational::MINUS_ONE,
        };
        for (t, c) in &f.linear.terms {
            match self.terms.entry(*t) {
                Entry::Vacant(slot) => {
                    slot.insert(c * &sign);
                }
                Entry::Occupied(mut slot) => {
                    let sum = slot.get().mul_add(&sign, c);
                    if sum.is_zero() {
                        slot.remove();
                    } else {
                        slot.insert(sum);
                    }
                }
            }
        }
        self.constant = self.constant.mul_add(&sign, &f.linear.constant);
        let step = |count: &mut usize, hit: bool| match self.summed[i] {
            true => *count += usize::from(hit),
            false => *count -= usize::from(hit),
        };
        step(&mut self.strict, f.relation == Relation::Lt);
        step(&mut self.inequalities, f.relation != Relation::Eq);
    }

    /// Makes it the sum of A's literals, or of the others.
    fn move_to(&mut self, in_a: &[bool], sum_a: bool) {
        for (i, &a) in in_a.iter().enumerate() {
            if self.summed[i] != (a == sum_a) {
                self.flip(i);
            }
        }
    }

    /// The interpolant of a divisibility lemma when the literals of A are these.
    pub fn divisibility(
        &mut self,
        pool: &mut Pool,
        in_a: &[bool],
        side: FarkasSide,
        shared: impl Fn(TermId) -> bool,
    ) -> Result<TermId, String> {
        let sum_a = side == FarkasSide::Primal;
        self.move_to(in_a, sum_a);
        // Integer multiples of integers do not matter.
        let fractions = self.terms.iter().filter(|(_, c)| !c.is_integer());
        let sum = Linear {
            terms: fractions.map(|(t, c)| (*t, c.clone())).collect(),
            constant: self.constant.clone(),
        };
        let part = integrality(pool, sum, shared)?;
        Ok(match sum_a {
            true => part,
            false => pool.not(part),
        })
    }

    /// The lemma's interpolant when the literals of A are these.
    pub fn interpolant(&mut self, pool: &mut Pool, in_a: &[bool], side: FarkasSide) -> TermId {
        let sum_a = side == FarkasSide::Primal;
        self.move_to(in_a, sum_a);
        let sort = self.facts.first().map_or(pool.int_sort(), |f| f.sort);
        let sum = Linear {
            terms: self.terms.iter().map(|(t, c)| (*t, c.clone())).collect(),
            constant: self.constant.clone(),
        };
        // An equality on the summed side keeps its strength only if nothing else is summed.
        let part = if self.inequalities == 0 && !sum.terms.is_empty() {
            pool.eq_zero(sum, sort)
        } else {
            inequality(pool, sum, self.strict > 0, sort)
        };
        match sum_a {
            true => part,
            false => pool.not(part),
        }
    }
}

/// What a weighted sum of equations says about divisibility of shared terms.
fn integrality(
    pool: &mut Pool,
    mut sum: Linear,
    shared: impl Fn(TermId) -> bool,
) -> Result<TermId, String> {
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
    Ok(congruent_to_zero(pool, sum, &denominator))
}

/// The sum is a multiple of `modulus`, as the residue of a sum without constant and with small coefficients:
/// of a single term where possible, which is how programs speak of it.
fn congruent_to_zero(pool: &mut Pool, mut sum: Linear, modulus: &Rational) -> TermId {
    if let [(_, c)] = &sum.terms[..]
        && let Some(factor) = inverse(&c.rem_euclid(modulus), modulus)
    {
        sum.scale(&factor);
    }
    for (_, c) in &mut sum.terms {
        *c = c.rem_euclid(modulus);
        if &*c + &*c > *modulus {
            *c = &*c - modulus;
        }
    }
    sum.terms.retain(|(_, c)| !c.is_zero());
    let residue = (-&sum.constant).rem_euclid(modulus);
    sum.constant = Rational::ZERO;
    let int = pool.int_sort();
    let (whole, divisor) = (pool.from_linear(&sum, int), pool.int(modulus.clone()));
    let (rest, residue) = (pool.modulo(whole, divisor), pool.int(residue));
    pool.eq(rest, residue)
}

/// The number whose product with `n` leaves 1, if both are machine integers and there is one.
fn inverse(n: &Rational, modulus: &Rational) -> Option<Rational> {
    let found = integer::inverse(n.to_i64()?.into(), modulus.to_i64()?.into())?;
    i64::try_from(found).ok().map(Rational::from)
}

/// Residue lemmas. With both bounds in A, what B knows is the divisibility that its equations
/// give, and A contradicts it. Otherwise A's divisibility and A's bound, if it has one, which is on a
/// shared form then, since the other one is B's.
pub(crate) fn residue(
    pool: &mut Pool,
    literals: &[(TermId, bool)],
    weights: &[(Rational, bool)],
    in_a: &[bool],
    shared: impl Fn(TermId) -> bool,
) -> Result<TermId, String> {
    let bounds = (0..literals.len()).filter(|&i| weights[i].1 && in_a[i]);
    let bounds: Vec<usize> = bounds.collect();
    let sum_a = bounds.len() < 2;
    let own = (0..literals.len()).filter(|&i| !weights[i].1 && in_a[i] == sum_a);
    let mut sum = Linear::constant(Rational::ZERO);
    for i in own.filter(|&i| !weights[i].0.is_zero()) {
        let (term, value) = literals[i];
        let f = Comparison::of(pool, term, value).ok_or("a literal is not an arithmetic atom")?;
        sum = sum.add_scaled(&weights[i].0, &f.linear);
    }
    let part = integrality(pool, sum, &shared)?;
    if !sum_a {
        return Ok(pool.not(part));
    }
    let mut conjuncts = vec![part];
    for i in bounds {
        let (term, value) = literals[i];
        let f = Comparison::of(pool, term, value).ok_or("a literal is not an arithmetic atom")?;
        if f.linear.terms.iter().any(|(t, _)| !shared(*t)) {
            return Err("a bound on a form of one side only".into());
        }
        conjuncts.push(match value {
            true => term,
            false => pool.not(term),
        });
    }
    Ok(pool.and(&conjuncts))
}
