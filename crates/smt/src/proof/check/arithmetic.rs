//! Certificates of linear arithmetic: Farkas sums, trichotomy and branches.
//!
//! Literals are read as [`Comparison`]s: over Int a strict inequality is `linear + 1 <= 0`, which is the
//! reading the certificates use.

use logic::{Comparison, Linear, Pool, Rational, Relation, TermId};

pub(crate) fn check_farkas(
    pool: &Pool,
    negated: &[(TermId, bool)],
    coefficients: &[Rational],
) -> Result<(), String> {
    if negated.len() != coefficients.len() {
        return Err("one coefficient a literal is needed".into());
    }
    let mut sum = Linear::constant(Rational::ZERO);
    let mut strict = false;
    for (&(term, value), c) in negated.iter().zip(coefficients) {
        let f = Comparison::of(pool, term, value).ok_or("a literal is not an arithmetic atom")?;
        match f.relation {
            Relation::Ne => return Err("a disequality in a Farkas sum".into()),
            // An equality may be taken in either direction.
            Relation::Eq if !c.is_zero() => {}
            _ if c.is_positive() => {}
            _ => return Err("a coefficient is not positive".into()),
        }
        strict |= f.relation == Relation::Lt;
        sum = sum.add_scaled(c, &f.linear);
    }
    if !sum.terms.is_empty() {
        return Err("the variables of the sum do not cancel".into());
    }
    match sum.constant.is_positive() || strict && sum.constant.is_zero() {
        true => Ok(()),
        false => Err("the sum is not a contradiction".into()),
    }
}

/// The facts are equations, as opposite pairs of inequalities; their weighted sum has integer
/// coefficients and a fractional constant.
pub(crate) fn check_divisibility(
    pool: &Pool,
    negated: &[(TermId, bool)],
    coefficients: &[Rational],
) -> Result<(), String> {
    if negated.len() != coefficients.len() {
        return Err("one coefficient a literal is needed".into());
    }
    let mut facts = Vec::with_capacity(negated.len());
    for &(term, value) in negated {
        let f = Comparison::of(pool, term, value).ok_or("a literal is not an arithmetic atom")?;
        if f.sort != pool.int_sort() || f.linear.terms.is_empty() {
            return Err("a literal is not about integers".into());
        }
        facts.push(f);
    }
    let sum = equation_sum(&facts, coefficients.iter())?;
    match sum.terms.iter().all(|(_, c)| c.is_integer()) && !sum.constant.is_integer() {
        true => Ok(()),
        false => Err("the sum is no contradiction of divisibility".into()),
    }
}

/// The weighted sum of facts that are equations: stated as such, or an inequality beside its opposite.
fn equation_sum<'a>(
    facts: &[Comparison],
    weights: impl Iterator<Item = &'a Rational>,
) -> Result<Linear, String> {
    let mut sum = Linear::constant(Rational::ZERO);
    for (f, c) in facts.iter().zip(weights).filter(|(_, c)| !c.is_zero()) {
        let paired = match f.relation {
            Relation::Eq => true,
            Relation::Le => facts
                .iter()
                .any(|g| g.relation == Relation::Le && opposite(f, g)),
            _ => false,
        };
        if !paired {
            return Err("an inequality without its opposite".into());
        }
        sum = sum.add_scaled(c, &f.linear);
    }
    Ok(sum)
}

/// Equations and two bounds on one form, between which the equations leave no residue.
pub(crate) fn check_residue(
    pool: &Pool,
    negated: &[(TermId, bool)],
    weights: &[(Rational, bool)],
) -> Result<(), String> {
    if negated.len() != weights.len() {
        return Err("one weight a literal is needed".into());
    }
    let (mut equations, mut factors, mut bounds) = (Vec::new(), Vec::new(), Vec::new());
    for (&(term, value), (c, is_bound)) in negated.iter().zip(weights) {
        let f = Comparison::of(pool, term, value).ok_or("a literal is not an arithmetic atom")?;
        if f.sort != pool.int_sort() || f.linear.terms.is_empty() {
            return Err("a literal is not about integers".into());
        }
        if !is_bound {
            equations.push(f);
            factors.push(c);
            continue;
        }
        if f.relation != Relation::Le || !c.is_positive() {
            return Err("a bound is no weighted inequality".into());
        }
        let mut linear = f.linear;
        linear.scale(c);
        bounds.push(linear);
    }
    let sum = equation_sum(&equations, factors.into_iter())?;
    let [first, second] = bounds.as_slice() else {
        return Err("two bounds are needed".into());
    };
    let between = first.add_scaled(&Rational::ONE, second);
    if !between.terms.is_empty() {
        return Err("the bounds are not opposite".into());
    }
    // i + high <= 0 and -i + low <= 0 with integer i: low <= i <= -high.
    let refutes = |above: &Linear, below: &Linear| {
        let upper = above.add_scaled(&Rational::ONE, &sum);
        let lower = below.add_scaled(&Rational::MINUS_ONE, &sum);
        upper.terms.iter().all(|(_, c)| c.is_integer())
            && (-&upper.constant).floor() < lower.constant
    };
    match refutes(first, second) || refutes(second, first) {
        true => Ok(()),
        false => Err("the bounds leave a residue".into()),
    }
}

/// Whether one form is a negative multiple of the other.
fn opposite(f: &Comparison, g: &Comparison) -> bool {
    let ratio = &f.linear.terms[0].1 / &g.linear.terms[0].1;
    let difference = f.linear.add_scaled(&-&ratio, &g.linear);
    ratio.is_negative() && difference.terms.is_empty() && difference.constant.is_zero()
}

/// All facts must speak about one linear form (up to sign and constant) and leave it no value.
pub(crate) fn check_one_dimensional(pool: &Pool, negated: &[(TermId, bool)]) -> Result<(), String> {
    let mut form: Option<Linear> = None;
    // Bounds as (value, strict).
    let mut lower: Option<(Rational, bool)> = None;
    let mut upper: Option<(Rational, bool)> = None;
    let mut excluded: Vec<Rational> = Vec::new();
    let mut integral = false;
    for &(term, value) in negated {
        let f = Comparison::of(pool, term, value).ok_or("a literal is not an arithmetic atom")?;
        let (leading, _) = f
            .linear
            .terms
            .first()
            .ok_or("a literal without variables")?;
        debug_assert!(pool.is_arith(pool.sort_of(*leading)));
        integral = f.sort == pool.int_sort();
        // Divide by the leading coefficient: form + k (relation, maybe mirrored) 0.
        let c = f.linear.terms[0].1.clone();
        let mut l = f.linear;
        l.scale(&c.recip());
        let bound = -&l.constant;
        l.constant = Rational::ZERO;
        match &form {
            None => form = Some(l),
            Some(known) if *known == l => {}
            Some(_) => return Err("the literals are about different terms".into()),
        }
        let strict = f.relation == Relation::Lt;
        match f.relation {
            Relation::Ne => excluded.push(bound),
            Relation::Eq => {
                tighten(&mut lower, &bound, false, |new, old| new > old);
                tighten(&mut upper, &bound, false, |new, old| new < old);
            }
            _ if c.is_positive() => tighten(&mut upper, &bound, strict, |new, old| new < old),
            _ => tighten(&mut lower, &bound, strict, |new, old| new > old),
        }
    }
    let form = form.ok_or("an empty lemma")?;
    // The form takes integer values only if its coefficients are integers.
    let integral = integral && form.terms.iter().all(|(_, c)| c.is_integer());
    let (Some((low, low_strict)), Some((high, high_strict))) = (lower, upper) else {
        return Err("one side is unbounded".into());
    };
    let strict = low_strict || high_strict;
    let (low, high) = match integral && !strict {
        true => (low.ceil(), high.floor()),
        false => (low, high),
    };
    if low > high || low == high && (strict || excluded.contains(&low)) {
        return Ok(());
    }
    Err("a value is left".into())
}

fn tighten(
    bound: &mut Option<(Rational, bool)>,
    value: &Rational,
    strict: bool,
    better: fn(&Rational, &Rational) -> bool,
) {
    match bound {
        Some((old, old_strict)) if *old == *value => *old_strict |= strict,
        Some((old, _)) if !better(value, old) => {}
        _ => *bound = Some((value.clone(), strict)),
    }
}
