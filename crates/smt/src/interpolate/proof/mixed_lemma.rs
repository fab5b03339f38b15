//! Interpolants of lemmas with mixed literals, in terms of auxiliary variables (see `mixed`).
//!
//! Of a Farkas lemma it is A's part of the sum as before, a bound now if it has a variable of an inequality. Of
//! trichotomy (`e != 0`, `e <= 0`, `e >= 0`): what A sees of the two inequalities adds up to a bound, and if
//! that is tight the value of e's variable is known. A branch `x <= k or x >= k + 1` is a Farkas sum.

use super::colour::{Colours, Side};
use super::mixed::{Auxiliary, Mixed, below_or};
use crate::BoolVar;
use crate::interpolate::clean::inequality;
use logic::{Comparison, Linear, Op, Pool, Rational, Relation, SortId, TermId};

/// A literal of a lemma, negated: on one side, or on both.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    A,
    B,
    Mixed(Auxiliary),
}

/// The auxiliary variable of a mixed atom, made when it is first met.
pub(crate) fn variable(
    pool: &mut Pool,
    colours: &Colours,
    cut: usize,
    mixed: &mut Mixed,
    var: BoolVar,
    atom: TermId,
) -> Result<Auxiliary, String> {
    if let Some(known) = mixed.variable(var) {
        return Ok(known.clone());
    }
    if let Some(c) = Comparison::of(pool, atom, true) {
        let mut own = Linear::constant(Rational::ZERO);
        for (t, k) in c.linear.terms {
            match colours.side(t, cut) {
                Some(Side::A) => own.terms.push((t, k)),
                Some(_) => {}
                None => return Err("a term has symbols of both sides".into()),
            }
        }
        let equality = c.relation == Relation::Eq;
        return Ok(mixed.add_variable(pool, var, c.sort, own, equality));
    }
    let (Op::Eq, &[a, b]) = (pool.op(atom), pool.args(atom)) else {
        return Err("a mixed literal is no equality and no inequality".into());
    };
    if colours.side(a, cut).is_none() || colours.side(b, cut).is_none() {
        return Err("a term has symbols of both sides".into());
    }
    let own = Linear::constant(Rational::ZERO);
    Ok(mixed.add_variable(pool, var, pool.sort_of(a), own, true))
}

/// What A sees of a negated literal: its whole form, `p + x` of a mixed one, nothing of B's.
fn seen(pool: &Pool, place: &Place, (term, value): (TermId, bool)) -> Option<(Comparison, Linear)> {
    let c = Comparison::of(pool, term, value)?;
    let form = match place {
        Place::A => c.linear.clone(),
        Place::B => Linear::constant(Rational::ZERO),
        Place::Mixed(aux) => {
            let x = pool.linear(aux.x);
            let mut form = aux.own.add_scaled(&Rational::ONE, &x);
            // The variable belongs to the atom, whatever its value.
            let atom = Comparison::of(pool, term, true)?;
            let same = atom.linear.terms.first()?.1.is_positive()
                == c.linear.terms.first()?.1.is_positive();
            if !same {
                form.scale(&Rational::MINUS_ONE);
            }
            form
        }
    };
    Some((c, form))
}

/// A weighted sum that is a contradiction.
pub(crate) fn farkas(
    pool: &mut Pool,
    mixed: &mut Mixed,
    literals: &[(TermId, bool)],
    places: &[Place],
    weights: &[Rational],
) -> Result<TermId, String> {
    let mut sum = Linear::constant(Rational::ZERO);
    let (mut strict, mut equations, mut sort) = (false, true, pool.int_sort());
    for ((&literal, place), weight) in literals.iter().zip(places).zip(weights) {
        let (c, form) =
            seen(pool, place, literal).ok_or("a literal of the lemma is not an arithmetic atom")?;
        sort = c.sort;
        if weight.is_zero() || matches!(place, Place::B) {
            continue;
        }
        sum = sum.add_scaled(weight, &form);
        equations &= c.relation == Relation::Eq;
        // Of a mixed literal B has the strictness.
        strict |= c.relation == Relation::Lt && matches!(place, Place::A);
    }
    bound(pool, mixed, sum, strict, equations, sort)
}

fn bound(
    pool: &mut Pool,
    mixed: &mut Mixed,
    mut sum: Linear,
    strict: bool,
    equations: bool,
    sort: SortId,
) -> Result<TermId, String> {
    if sort == pool.int_sort() {
        whole(&mut sum);
    }
    if equations && !sum.terms.is_empty() {
        return Ok(pool.eq_zero(sum, sort));
    }
    let formula = inequality(pool, sum.clone(), strict, sort);
    mixed.bound(pool, sum, -1, formula)
}

/// Makes all numbers of a form whole.
fn whole(sum: &mut Linear) {
    let mut denominator = Rational::from(sum.constant.denominator());
    for (_, c) in &sum.terms {
        let d = Rational::from(c.denominator());
        denominator = &(&denominator / &denominator.gcd(&d)) * &d;
    }
    sum.scale(&denominator);
}

/// Facts on one form that leave it no value: trichotomy or a branch.
pub(crate) fn one_dimensional(
    pool: &mut Pool,
    mixed: &mut Mixed,
    literals: &[(TermId, bool)],
    places: &[Place],
) -> Result<TermId, String> {
    let read: Option<Vec<Comparison>> = literals
        .iter()
        .map(|&(t, v)| Comparison::of(pool, t, v))
        .collect();
    let read = read.ok_or("a literal of the lemma is not an arithmetic atom")?;
    let leading = |c: &Comparison| c.linear.terms.first().map(|t| t.1.clone());
    if let Some(k) = read.iter().position(|c| c.relation == Relation::Ne) {
        return trichotomy(pool, mixed, literals, places, &read, k);
    }
    // Two of them contradict each other.
    for i in 0..read.len() {
        for j in 0..read.len() {
            let (Some(a), Some(b)) = (leading(&read[i]), leading(&read[j])) else {
                continue;
            };
            if i == j || read[i].relation == Relation::Eq {
                continue;
            }
            let weight = -&(&a / &b);
            if read[j].relation != Relation::Eq && !weight.is_positive() {
                continue;
            }
            let sum = read[i].linear.add_scaled(&weight, &read[j].linear);
            let strict = read[i].relation == Relation::Lt || read[j].relation == Relation::Lt;
            if sum.constant.is_positive() || strict && sum.constant.is_zero() {
                let mut weights = vec![Rational::ZERO; read.len()];
                weights[i] = Rational::ONE;
                weights[j] = weight;
                return farkas(pool, mixed, literals, places, &weights);
            }
        }
    }
    Err("a lemma about one form without a contradiction of two".into())
}

/// `e != 0` (literal `at`) with `e <= 0` and `e >= 0`, all mixed.
fn trichotomy(
    pool: &mut Pool,
    mixed: &mut Mixed,
    literals: &[(TermId, bool)],
    places: &[Place],
    read: &[Comparison],
    at: usize,
) -> Result<TermId, String> {
    let Place::Mixed(equal) = &places[at] else {
        return Err("a disequality of one side in a mixed lemma".into());
    };
    let (lead, e) = equal
        .own
        .terms
        .first()
        .ok_or("a mixed atom without terms of A")?;
    let sort = read[at].sort;
    // What A sees, divided so that it is `±own(e) + value <= 0`: the values of both directions.
    let mut sums: [Option<Linear>; 2] = [None, None];
    for i in (0..read.len()).filter(|&i| i != at) {
        let (_, form) = seen(pool, &places[i], literals[i]).ok_or("no arithmetic atom")?;
        let Place::Mixed(_) = &places[i] else {
            return Err("an inequality of one side in a mixed lemma".into());
        };
        let ratio = &form.coefficient(*lead) / e;
        let mut value = form.add_scaled(&-&ratio, &equal.own);
        value.scale(&match ratio.is_positive() {
            true => ratio.recip(),
            false => -ratio.recip(),
        });
        sums[usize::from(ratio.is_negative())] = Some(value);
    }
    let [Some(above), Some(below)] = sums else {
        return Err("trichotomy with one direction only".into());
    };
    // own(e) <= -above and below <= own(e); x is -own(e).
    let mut sum = above.add_scaled(&Rational::ONE, &below);
    let integral = |l: &Linear| l.terms.iter().all(|(_, c)| c.is_integer());
    if sort == pool.int_sort() && !integral(&above) {
        return Err("trichotomy of a multiple over the integers".into());
    }
    let tight = pool.from_linear(&above, sort);
    let value = mixed.value(pool, equal.x, tight)?;
    if sort == pool.int_sort() {
        whole(&mut sum);
    }
    let formula = below_or(pool, &sum, value, sort);
    mixed.bound(pool, sum, 0, formula)
}
