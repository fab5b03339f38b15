//! A model from another solver's values, believed only after evaluation.
//!
//! Constants are asked for by name. Functions, and divisions by zero, become tables: the solver gives
//! the value of each application, the arguments are evaluated here, inner applications first. The values
//! that it gives to loose operators (`loose`) are not part of the model, only of the report on it.

use super::loose::is_loose;
use super::session::Session;
use super::{Error, answer};
use base::{Budget, FxHashMap};
use logic::smtlib::{parse_term, print_term};
use logic::{FunctionValue, Model, Op, Pool, Rational, Sort, SortId, TermId, Value, eval};
use std::time::Duration;

/// What the solver's values amount to.
pub(crate) enum Reading {
    /// It makes all formulas true.
    Model(Model),
    /// It does not, or not surely; with the solver's values of the loose terms.
    Wrong(Model, FxHashMap<TermId, Rational>),
    Unreadable(String),
}

/// The model of the last check, of all constants and functions in `formulas`.
pub(crate) fn read(
    session: &mut Session,
    pool: &mut Pool,
    formulas: &[TermId],
    limit: Duration,
    budget: &Budget,
) -> Result<Reading, Error> {
    let asked: Vec<TermId> = pool
        .post_order(formulas)
        .into_iter()
        .filter(|&t| has_table(pool, t))
        .collect();
    let mut texts = Vec::new();
    if !asked.is_empty() {
        let list: Vec<String> = asked.iter().map(|&t| print_term(pool, t)).collect();
        let question = format!("(get-value ({}))", list.join(" "));
        let reply = session.ask(&question, limit, budget)?;
        texts = match answer::values(&reply) {
            Some(texts) if texts.len() == asked.len() => texts,
            _ => return Ok(Reading::Unreadable("the values cannot be read".into())),
        };
    }
    Ok(build(pool, formulas, &asked, &texts).unwrap_or_else(Reading::Unreadable))
}

/// Constants, applications, loose operators, and divisions that may be by zero.
fn has_table(pool: &Pool, t: TermId) -> bool {
    match pool.op(t) {
        Op::App(_) => true,
        Op::IntDiv | Op::Mod | Op::RealDiv | Op::CDiv | Op::CRem => {
            pool.as_number(pool.args(t)[1]).is_none()
        }
        op => is_loose(op),
    }
}

fn build(
    pool: &mut Pool,
    formulas: &[TermId],
    asked: &[TermId],
    texts: &[String],
) -> Result<Reading, String> {
    let mut model = Model::default();
    let mut loose = FxHashMap::default();
    let mut elements: FxHashMap<(SortId, String), u32> = FxHashMap::default();
    for (&t, text) in asked.iter().zip(texts) {
        let value = value(pool, text, pool.sort_of(t), &mut elements).ok_or_else(|| {
            format!(
                "`{}` is no value we can read",
                super::session::shorten(text)
            )
        })?;
        if is_loose(pool.op(t)) {
            loose.extend(value.as_num().map(|n| (t, n.clone())));
            continue;
        }
        let args: Vec<Value> = pool
            .args(t)
            .iter()
            .map(|&a| eval(pool, &model, a))
            .collect();
        let (symbol, point) = match pool.op(t) {
            Op::App(s) if args.is_empty() => {
                model.constants.insert(s, value);
                continue;
            }
            Op::App(s) => (s, args),
            _ if args[1].as_num().is_some_and(|n| !n.is_zero()) => continue,
            op => (pool.zero_division_symbol(op), vec![args[0].clone()]),
        };
        let default = pool.default_value(pool.symbol_data(symbol).sort);
        let function = model.functions.entry(symbol);
        let function = function.or_insert_with(|| FunctionValue {
            default,
            entries: Default::default(),
        });
        function.entries.insert(point, value);
    }
    // Sound because nothing is taken from the solver but values that make every formula true.
    for &f in formulas {
        if eval(pool, &model, f) != Value::Bool(true) {
            return Ok(Reading::Wrong(model, loose));
        }
    }
    Ok(Reading::Model(model))
}

/// A value as the solver writes it.
fn value(
    pool: &mut Pool,
    text: &str,
    sort: SortId,
    elements: &mut FxHashMap<(SortId, String), u32>,
) -> Option<Value> {
    if let Sort::Uninterpreted(_) = pool.sort_kind(sort) {
        let next = elements.len() as u32;
        let n = *elements.entry((sort, text.to_string())).or_insert(next);
        return Some(Value::Element(sort, n));
    }
    let mut term = parse_term(pool, text, &|_| None).ok()?;
    if pool.sort_of(term) == pool.int_sort() && sort == pool.real_sort() {
        term = pool.to_real(term);
    }
    if pool.sort_of(term) != sort {
        return None;
    }
    Some(eval(pool, &Model::default(), term))
}
