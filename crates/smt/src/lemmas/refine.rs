//! Lemmas on demand: a model gives a special term another value than its arguments demand.
//!
//! Lemmas come in tiers, general before exact; the first tier with a lemma that the model violates
//! is used. The last tier of every operator contains a lemma that excludes the model, so
//! each round makes progress. [`Refiner`] counts the rounds of a term to switch from single values
//! to tables and bits.

use super::build::offset;
use super::{bits, division, float, is_special, multiplied, polynomial, product, ring, words};
use crate::solver::candidate::Candidate;
use crate::theory::{Demands, OnDemand};
use base::FxHashMap;
use logic::machine::{apply, wrap_value};
use logic::{Op, Pool, Rational, TermId, Value};

/// The value of a term in the model; `None` for terms the model does not know. It is asked about
/// terms that the lemmas bring in as well; it need not look into sums.
pub type ValueOf<'a> = dyn Fn(TermId) -> Option<Rational> + 'a;

/// Nesting of new terms inside lemmas that evaluation follows.
const DEPTH: usize = 100;

/// Rounds in which a bit operation is refined by single values.
const VALUE_ROUNDS: u32 = 3;

/// Rounds in which a product is compared with others, and with how many before and after it.
const PRODUCT_ROUNDS: u32 = 12;
const PRODUCTS: usize = 30;

/// Refinement with memory.
#[derive(Clone, Debug, Default)]
pub struct Refiner {
    rounds: FxHashMap<TermId, u32>,
    /// Words and what they are as polynomials.
    rings: FxHashMap<TermId, Option<TermId>>,
    /// What the last round was about.
    pub(crate) about: About,
}

/// What a round of lemmas was about: circuits of floats and of products are large, so that those get
/// more rounds before bits decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum About {
    #[default]
    Nothing,
    Floats,
    /// Products, and maybe floats.
    Products,
    Words,
}

/// One round of refinement without memory; see [`Refiner`].
pub fn refine(pool: &mut Pool, terms: &[TermId], value: &ValueOf) -> Vec<TermId> {
    Refiner::default().refine(pool, terms, value, &|_| Vec::new())
}

impl Refiner {
    pub fn new() -> Self {
        Self::default()
    }

    /// Lemmas that the model violates, about those of `terms` that have wrong values. Empty when
    /// all values are right (or unknown). `equations` are asked for where a product is wrong: equalities that are
    /// true in the model.
    pub fn refine(
        &mut self,
        pool: &mut Pool,
        terms: &[TermId],
        value: &ValueOf,
        equations: &dyn Fn(&Pool) -> Vec<TermId>,
    ) -> Vec<TermId> {
        let mut known: Option<Vec<TermId>> = None;
        let mut out = Vec::new();
        let is_product = |t: &TermId| pool.op(*t) == Op::Mul;
        let products: Vec<TermId> = terms.iter().copied().filter(is_product).collect();
        let mut about = About::Nothing;
        if !products.is_empty() {
            out = self.polynomials(pool, terms, value);
            if !out.is_empty() {
                self.about = About::Products;
                return out;
            }
        }
        for &t in terms {
            if !is_special(pool, t) || pool.op(t) == Op::Ite {
                continue;
            }
            let Some(actual) = value(t) else { continue };
            let Some(exact) = exact_value(pool, t, value, DEPTH) else {
                continue;
            };
            if actual == exact {
                continue;
            }
            let round = self.rounds.entry(t).or_insert(0);
            *round += 1;
            about = about.with(pool, t, !products.is_empty());
            if pool.op(t) == Op::Mul && *round <= PRODUCT_ROUNDS {
                let mut lemmas = Vec::from_iter(polynomial::distribution(pool, t));
                let near = beside(&products, t);
                let at = |t: TermId| model_value(pool, t, value, DEPTH);
                let values: FxHashMap<TermId, Rational> = near
                    .iter()
                    .flat_map(|&p| pool.args(p))
                    .filter_map(|&f| Some((f, at(f)?)))
                    .collect();
                let at_hand = |t: TermId| values.get(&t).cloned();
                lemmas.extend(polynomial::neighbours(pool, t, near, &at_hand));
                // Words that wrap around are told by ring identities.
                let wraps = |t: &TermId| matches!(pool.op(*t), Op::Wrap { .. });
                if !terms.iter().any(wraps) {
                    let equations = known.get_or_insert_with(|| {
                        let mut list = divided(pool, terms, value);
                        list.extend(equations(pool));
                        list
                    });
                    lemmas.extend(multiplied::about(pool, t, near, equations, &at_hand));
                }
                lemmas.retain(|&l| holds(pool, l, value) != Some(true));
                // What may be violated may also be known: only what is violated is progress.
                let progress = lemmas.iter().any(|&l| holds(pool, l, value) == Some(false));
                out.extend(lemmas);
                if progress {
                    continue;
                }
            }
            out.extend(lemmas_for(pool, t, value, *round));
        }
        self.about = about;
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Words that are not what their polynomials are.
    fn polynomials(&mut self, pool: &mut Pool, terms: &[TermId], value: &ValueOf) -> Vec<TermId> {
        let mut out = Vec::new();
        for &t in terms {
            if let Op::Wrap { .. } = pool.op(t) {
                let lemma = self.rings.entry(t).or_insert_with(|| ring::exact(pool, t));
                out.extend(lemma.filter(|l| holds(pool, *l, value) == Some(false)));
            }
        }
        out
    }
}

impl About {
    /// Words around products are exact after one lemma each, while circuits would have the products too.
    fn with(self, pool: &Pool, t: TermId, products: bool) -> About {
        let of_term = match pool.op(t) {
            Op::Mul => About::Products,
            Op::Wrap { .. } | Op::IntDiv | Op::Mod | Op::CDiv | Op::CRem if products => {
                About::Products
            }
            _ if logic::float::operation(pool, t).is_some() => About::Floats,
            _ => About::Words,
        };
        match (self, of_term) {
            (About::Words, _) | (_, About::Words) => About::Words,
            (About::Products, _) | (_, About::Products) => About::Products,
            _ => About::Floats,
        }
    }
}

/// The products around one of them.
fn beside(products: &[TermId], t: TermId) -> &[TermId] {
    let at = products.iter().position(|&p| p == t).unwrap_or(0);
    &products[at.saturating_sub(PRODUCTS)..(at + PRODUCTS).min(products.len())]
}

/// Dividends by constants in a model: `a = d * (a div d) + r`. In a proof the remainder is known to be that, or the case is another.
fn divided(pool: &mut Pool, terms: &[TermId], value: &ValueOf) -> Vec<TermId> {
    let mut out = Vec::new();
    for &t in terms {
        if !matches!(pool.op(t), Op::IntDiv | Op::CDiv) {
            continue;
        }
        let [a, d] = *pool.args(t) else { continue };
        let Some(d) = pool.as_number(d).cloned() else {
            continue;
        };
        let at = |t: TermId| model_value(pool, t, value, DEPTH);
        let (Some(whole), Some(quotient)) = (at(a), at(t)) else {
            continue;
        };
        let rest = &whole - &(&d * &quotient);
        let times = pool.mul_const(&d, t);
        let sum = offset(pool, times, &rest);
        out.push(pool.eq(a, sum));
    }
    out
}

impl OnDemand for Refiner {
    fn demands(&mut self, pool: &mut Pool, candidate: &Candidate) -> Demands {
        let values = candidate.numbers(pool);
        let value = |t: TermId| {
            let known = values.get(&t).cloned();
            known.or_else(|| candidate.term_value(t))
        };
        let equations = |pool: &Pool| candidate.equations(pool);
        let formulas = self.refine(pool, candidate.specials(), &value, &equations);
        Demands {
            lemmas: formulas.into_iter().map(|f| (f, f)).collect(),
            splits: Vec::new(),
            compared: 0,
        }
    }
}

/// The violated lemmas of the first tier that has any; failing that, those that may be violated.
fn lemmas_for(pool: &mut Pool, t: TermId, value: &ValueOf, round: u32) -> Vec<TermId> {
    let mut open = Vec::new();
    for tier in 0.. {
        let Some(lemmas) = tier_of(pool, t, value, round, tier) else {
            break;
        };
        let mut violated = Vec::new();
        for l in lemmas {
            match holds(pool, l, value) {
                Some(true) => {}
                Some(false) => violated.push(l),
                None => open.push(l),
            }
        }
        if !violated.is_empty() {
            return violated;
        }
    }
    open
}

/// Candidates; `None` after the last tier. Tier 0 is the axioms, in case they were not added.
fn tier_of(
    pool: &mut Pool,
    t: TermId,
    value: &ValueOf,
    round: u32,
    tier: u32,
) -> Option<Vec<TermId>> {
    if tier == 0 {
        return Some(super::axioms(pool, t));
    }
    let op = pool.op(t);
    match op {
        Op::Mul => {
            let (a, b) = product::factors(pool, t);
            let va = model_value(pool, a, value, DEPTH)?;
            let vb = model_value(pool, b, value, DEPTH)?;
            match tier {
                1 => Some(product::signs(pool, t)),
                2 => {
                    let mut all = product::tangents(pool, t, &va, &vb);
                    all.extend(product::values(pool, t, &va, &vb));
                    Some(all)
                }
                _ => None,
            }
        }
        Op::Wrap { bits, signed } if tier == 1 => {
            let inner = pool.args(t)[0];
            Some(vec![words::wrap_exact(pool, t, bits, signed, inner)])
        }
        Op::IntDiv | Op::Mod | Op::CDiv | Op::CRem if tier == 1 => {
            let vb = model_value(pool, pool.args(t)[1], value, DEPTH)?;
            Some(division::refine(pool, t, &vb))
        }
        Op::Shl | Op::Shr if tier == 1 => {
            let vb = model_value(pool, pool.args(t)[1], value, DEPTH)?;
            Some(words::shift_at(pool, t, &vb, round > VALUE_ROUNDS))
        }
        Op::BitAnd => {
            let int = |x| model_value(pool, x, value, DEPTH)?.to_integer();
            let (va, vb) = (int(pool.args(t)[0])?, int(pool.args(t)[1])?);
            let constant = pool.args(t).iter().any(|a| pool.as_number(*a).is_some());
            match tier {
                1 => Some(Vec::from_iter(bits::and_floor(pool, t, &va, &vb))),
                2 if round > VALUE_ROUNDS && !constant => {
                    Some(Vec::from_iter(bits::expansion(pool, t, &va, &vb)))
                }
                2 | 3 => Some(vec![bits::and_at(pool, t, &va, &vb)]),
                _ => None,
            }
        }
        Op::App(_) => {
            let op = logic::float::operation(pool, t)?;
            let args = pool.args(t).to_vec();
            let values: Option<Vec<Rational>> = args
                .iter()
                .map(|&a| model_value(pool, a, value, DEPTH).and_then(integer))
                .collect();
            float::tier(pool, t, op, &values?, tier)
        }
        _ => None,
    }
}

/// Whether a formula is a lemma about `t` for some values of its arguments. For the proof checker:
/// the values are sought among the numerals of the formula and their neighbours.
pub(crate) fn is_instance(pool: &mut Pool, t: TermId, formula: TermId) -> bool {
    if let Some(op) = logic::float::operation(pool, t) {
        return float::is_instance(pool, t, op, formula);
    }
    let mut numbers: Vec<Rational> = Vec::new();
    for u in pool.post_order(&[formula]) {
        if let Some(n) = pool.as_number(u) {
            let (less, more) = (n - &Rational::ONE, n + &Rational::ONE);
            numbers.extend([n.clone(), -n, less, more]);
        }
    }
    numbers.extend([Rational::ZERO, Rational::ONE]);
    numbers.sort();
    numbers.dedup();
    if multiplied::is_instance(pool, t, formula)
        || polynomial::is_instance(pool, t, formula, &numbers)
    {
        return true;
    }
    if ring::exact(pool, t) == Some(formula) {
        return true;
    }
    let (a, b) = match pool.op(t) {
        Op::Mul => product::factors(pool, t),
        _ => match *pool.args(t) {
            [a, b] => (a, b),
            [a] => (a, a),
            _ => return false,
        },
    };
    for va in &numbers {
        for vb in &numbers {
            let value = |u: TermId| match u {
                _ if u == a => Some(va.clone()),
                _ if u == b => Some(vb.clone()),
                _ => None,
            };
            for round in [1, VALUE_ROUNDS + 1] {
                for tier in 1.. {
                    match tier_of(pool, t, &value, round, tier) {
                        Some(lemmas) if lemmas.contains(&formula) => return true,
                        Some(_) => {}
                        None => break,
                    }
                }
            }
        }
    }
    false
}

/// The value of an integer term whose leaves have these values.
pub(crate) fn value_of(pool: &Pool, t: TermId, value: &ValueOf) -> Option<Rational> {
    model_value(pool, t, value, DEPTH)
}

/// The value that a special term must have, given the model's values of its arguments.
fn exact_value(pool: &Pool, t: TermId, value: &ValueOf, depth: usize) -> Option<Rational> {
    let args = pool.args(t);
    let at = |i: usize| model_value(pool, args[i], value, depth);
    Some(match pool.op(t) {
        Op::Mul => {
            let mut product = Rational::ONE;
            for i in 0..args.len() {
                product = &product * &at(i)?;
            }
            product
        }
        Op::Wrap { bits, signed } => wrap_value(bits, signed, &integer(at(0)?)?),
        Op::ToInt => at(0)?.floor(),
        Op::ToReal => at(0)?,
        Op::Ite => {
            let branch = if holds_within(pool, args[0], value, depth)? {
                1
            } else {
                2
            };
            at(branch)?
        }
        Op::IntDiv => integer(at(0)?)?.div_euclid(&nonzero(at(1)?)?),
        Op::Mod => integer(at(0)?)?.rem_euclid(&nonzero(at(1)?)?),
        Op::RealDiv => &at(0)? / &nonzero(at(1)?)?,
        op @ (Op::BitAnd | Op::BitOr | Op::BitXor | Op::Shl | Op::Shr | Op::CDiv | Op::CRem) => {
            apply(op, &integer(at(0)?)?, &integer(at(1)?)?)?
        }
        Op::App(s) => {
            let op = pool.float_op(s)?;
            let mut values = Vec::new();
            for i in 0..args.len() {
                values.push(Value::Num(integer(at(i)?)?));
            }
            op.apply(&values)?.as_num()?.clone()
        }
        _ => return None,
    })
}

fn nonzero(v: Rational) -> Option<Rational> {
    (!v.is_zero()).then_some(v)
}

fn integer(v: Rational) -> Option<Rational> {
    v.is_integer().then_some(v)
}

/// The value of an arithmetic term: linear in the model's values, exact for terms it lacks.
fn model_value(pool: &Pool, t: TermId, value: &ValueOf, depth: usize) -> Option<Rational> {
    if let Some(v) = value(t) {
        return Some(v);
    }
    let form = pool.linear(t);
    let mut sum = form.constant.clone();
    for (x, c) in &form.terms {
        let v = match value(*x) {
            Some(v) => v,
            None => exact_value(pool, *x, value, depth.checked_sub(1)?)?,
        };
        sum = sum.mul_add(c, &v);
    }
    Some(sum)
}

/// Whether a lemma holds in the model; `None` when that is not known.
fn holds(pool: &Pool, formula: TermId, value: &ValueOf) -> Option<bool> {
    holds_within(pool, formula, value, DEPTH)
}

fn holds_within(pool: &Pool, formula: TermId, value: &ValueOf, depth: usize) -> Option<bool> {
    let depth = depth.checked_sub(1)?;
    let args = pool.args(formula);
    match pool.op(formula) {
        Op::True => Some(true),
        Op::False => Some(false),
        Op::Not => Some(!holds_within(pool, args[0], value, depth)?),
        op @ (Op::And | Op::Or) => {
            let decisive = op == Op::Or;
            let mut unknown = false;
            for &a in args {
                match holds_within(pool, a, value, depth) {
                    Some(v) if v == decisive => return Some(decisive),
                    Some(_) => {}
                    None => unknown = true,
                }
            }
            (!unknown).then_some(!decisive)
        }
        Op::Eq if pool.sort_of(args[0]) == pool.bool_sort() => Some(
            holds_within(pool, args[0], value, depth)?
                == holds_within(pool, args[1], value, depth)?,
        ),
        op @ (Op::Eq | Op::Le) if pool.is_arith(pool.sort_of(args[0])) => {
            let a = model_value(pool, args[0], value, depth)?;
            let b = model_value(pool, args[1], value, depth)?;
            Some(if op == Op::Eq { a == b } else { a <= b })
        }
        _ => None,
    }
}
