//! Checking arithmetic certificates by summation, independent of the simplex.
//!
//! The negated literals of a lemma are read as `form <= 0` or `form < 0`; see
//! [`Certificate`](crate::proof::Certificate) for what each kind of certificate promises.

use super::atom_form;
use crate::proof::Certificate;
use crate::proof::check::arithmetic::check_residue;
use logic::{Linear, Op, Pool, Rational, TermId};

/// An inequality `form <= 0`, or `form < 0` when strict.
#[derive(Clone, Debug)]
pub struct Inequality {
    pub form: Linear,
    pub strict: bool,
}

/// The inequality that the literal `atom` (or its negation) states.
/// Over Int a negated `a <= b` is `b + 1 <= a`, over Real `b < a`.
pub fn inequality(pool: &Pool, atom: TermId, positive: bool) -> Option<Inequality> {
    if pool.op(atom) != Op::Le {
        return None;
    }
    let mut form = atom_form(pool, atom);
    if positive {
        return Some(Inequality {
            form,
            strict: false,
        });
    }
    form.scale(&Rational::MINUS_ONE);
    let int = pool.sort_of(pool.args(atom)[0]) == pool.int_sort();
    if int {
        form.constant += &Rational::ONE;
    }
    Some(Inequality { form, strict: !int })
}

/// Whether the weighted sum of the negations of a clause's literals is a contradiction.
/// `clause` gives each literal as atom and sign.
pub fn check_farkas(pool: &Pool, clause: &[(TermId, bool)], weights: &[Rational]) -> bool {
    if clause.len() != weights.len() {
        return false;
    }
    let mut sum = Linear::constant(Rational::ZERO);
    let mut strict = false;
    for (&(atom, positive), weight) in clause.iter().zip(weights) {
        let Some(inequality) = inequality(pool, atom, !positive) else {
            return false;
        };
        if !weight.is_positive() {
            return false;
        }
        sum = sum.add_scaled(weight, &inequality.form);
        strict |= inequality.strict;
    }
    let c = &sum.constant;
    sum.terms.is_empty() && (c.is_positive() || strict && c.is_zero())
}

/// Whether an arithmetic certificate shows the clause to be valid. False for other certificates.
pub fn check_clause(pool: &Pool, clause: &[(TermId, bool)], cert: &Certificate) -> bool {
    match cert {
        Certificate::Farkas(weights) => check_farkas(pool, clause, weights),
        Certificate::Divisibility(weights) => check_divisibility(pool, clause, weights),
        Certificate::Residue(weights) => {
            let negated: Vec<_> = clause.iter().map(|(atom, sign)| (*atom, !sign)).collect();
            check_residue(pool, &negated, weights).is_ok()
        }
        Certificate::Branch => check_branch(pool, clause),
        _ => false,
    }
}

/// Whether the negated literals are equalities in opposite pairs whose weighted sum has integer
/// coefficients of Int terms and a fractional constant.
pub fn check_divisibility(pool: &Pool, clause: &[(TermId, bool)], weights: &[Rational]) -> bool {
    if clause.len() != weights.len() {
        return false;
    }
    let mut forms = Vec::new();
    for &(atom, positive) in clause {
        match inequality(pool, atom, !positive) {
            Some(i) if !i.strict && !i.form.terms.is_empty() => forms.push(i.form),
            _ => return false,
        }
    }
    let opposite = |a: &Linear, b: &Linear| {
        let ratio = &a.terms[0].1 / &b.terms[0].1;
        ratio.is_negative() && {
            let difference = a.add_scaled(&-&ratio, b);
            difference.terms.is_empty() && difference.constant.is_zero()
        }
    };
    let mut sum = Linear::constant(Rational::ZERO);
    for (form, weight) in forms.iter().zip(weights) {
        if !weight.is_zero() {
            if !forms.iter().any(|f| opposite(form, f)) {
                return false;
            }
            sum = sum.add_scaled(weight, form);
        }
    }
    let int = |t: TermId| pool.sort_of(t) == pool.int_sort();
    sum.terms.iter().all(|(t, c)| int(*t) && c.is_integer()) && !sum.constant.is_integer()
}

/// Whether the clause is `x <= k or x >= k + 1` for an Int term `x`: the pool makes both literals
/// of one atom, so it is a tautology.
pub fn check_branch(pool: &Pool, clause: &[(TermId, bool)]) -> bool {
    match *clause {
        [(a, positive), (b, other)] => a == b && positive != other,
        [(a, positive)] => positive && a == pool.tt(),
        _ => false,
    }
}
