//! What a program compares: numbers at which bounds stop on their way, and differences that joins keep.
//!
//! ```text
//!   if (b.len + 1 >= b.cap)   b.len - b.cap is worth knowing
//!   while (i < 10)            i stops at 9, 10 and 11
//! ```
//! These are guesses only: arithmetic that may wrap counts as if it did not.

use super::facts::normal_form;
use super::join::Steps;
use super::names::{Form, Name};
use super::terms::Terms;
use crate::shapes::value::integer;
use logic::{Linear, Op, Rational, TermId};
use program::Stmt;
use std::collections::BTreeSet;

/// Numbers of a difference that is worth keeping, and the largest multiple of one.
const MOST_NAMES: usize = 3;
const MOST_FACTOR: i128 = 1 << 20;
/// Wraps inside of wraps that are looked through.
const MOST_WRAPS: usize = 8;

/// The differences of variables that a program compares, and where bounds stop.
pub(super) fn compared(terms: &Terms) -> (Vec<Form>, Steps) {
    let pool = terms.pool;
    let mut forms: BTreeSet<Form> = BTreeSet::new();
    let mut steps = Steps::new(terms.block);
    for edge in terms.program.edges.iter() {
        let Stmt::Assume(c) = &edge.stmt else {
            continue;
        };
        for t in pool.post_order(&[*c]) {
            let (Op::Le | Op::Eq, &[x, y]) = (pool.op(t), pool.args(t)) else {
                continue;
            };
            if pool.sort_of(x) != pool.int_sort() {
                continue;
            }
            let numbers = [x, y].into_iter().filter_map(|t| pool.as_number(t));
            numbers.filter_map(integer).for_each(|n| steps.add_limit(n));
            let Some((form, constant)) = difference(terms, x, y) else {
                continue;
            };
            match form.as_slice() {
                [(Name::Var(v), k)] => steps.add(*v, if *k < 0 { constant } else { -constant }),
                _ if form.len() <= MOST_NAMES => {
                    // `n <= 1024 - used`: neither goes far beyond that.
                    for (name, _) in &form {
                        if let Name::Var(v) = name {
                            steps.add(*v, constant.abs());
                        }
                    }
                    forms.insert(normal_form(form));
                }
                _ => {}
            }
        }
    }
    steps.finish();
    (forms.into_iter().collect(), steps)
}

/// The difference of two terms by variables, if it is one of variables.
fn difference(terms: &Terms, x: TermId, y: TermId) -> Option<(Form, i128)> {
    let pool = terms.pool;
    let mut sum = pool.difference(x, y);
    for _ in 0..MOST_WRAPS {
        let is_wrap = |t: &(TermId, Rational)| matches!(pool.op(t.0), Op::Wrap { .. });
        let Some(at) = sum.terms.iter().position(is_wrap) else {
            break;
        };
        let (wrap, factor) = sum.terms.remove(at);
        let inner: Linear = pool.linear(pool.args(wrap)[0]);
        sum = sum.add_scaled(&factor, &inner);
    }
    let term = |t: &(TermId, Rational)| {
        let name = Name::Var(*terms.var_of.get(&t.0)?);
        Some((name, integer(&t.1).filter(|k| k.abs() < MOST_FACTOR)?))
    };
    let form: Option<Form> = sum.terms.iter().map(term).collect();
    let constant = integer(&sum.constant).filter(|n| n.abs() < terms.block);
    form.filter(|f| !f.is_empty()).zip(constant)
}
