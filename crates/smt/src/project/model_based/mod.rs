//! Model-based projection: from literals that hold at a point, literals over some constants only
//! that hold at the point and imply `exists others. literals`.
//!
//! *Idea.* Replacing an eliminated constant by any term over the rest strengthens the formula; the
//! point says which term keeps it true there. Equations are solved; of several lower bounds the one
//! that is greatest at the point is the value (Loos and Weispfenning); multiples leave a
//! divisibility behind. What has no such term (products, array arguments) gets its value at the point.
//!
//! Sound because each step is such a strengthening; nothing is dropped except bounds of a constant
//! that has them on one side only.

mod rows;
#[cfg(test)]
mod tests;

use super::bounds::tightest;
use super::implicant::{Point, implicant, value_term};
use base::{FxHashMap, FxHashSet};
use logic::{Model, Op, Pool, Rational, Substitution, TermId, Value};
use rows::{eliminate, row};

/// A cube over `kept` that holds in the model and from which the other constants can be given values
/// that make all formulas true. `None` if a formula is false in the model or its values have no names.
pub fn project(
    pool: &mut Pool,
    model: &Model,
    formulas: &[TermId],
    kept: &FxHashSet<TermId>,
) -> Option<Vec<TermId>> {
    let mut point = Point::new(model);
    let literals = implicant(pool, &mut point, formulas)?;
    let cube = project_literals(pool, &mut point, literals, kept)?;
    Some(tightest(pool, cube))
}

/// Projects literals onto `kept`. `None` if they do not hold at the point.
fn project_literals(
    pool: &mut Pool,
    point: &mut Point<'_>,
    literals: Vec<TermId>,
    kept: &FxHashSet<TermId>,
) -> Option<Vec<TermId>> {
    let mut work = Work {
        kept,
        touched: FxHashMap::default(),
        literals,
    };
    while let Some(next) = work.solve_plain(pool) {
        work.literals = implicant(pool, point, &next)?;
    }
    while let Some(next) = work.flatten(pool, point) {
        work.literals = implicant(pool, point, &next)?;
    }
    let mut rows = Vec::new();
    let mut out = Vec::new();
    for t in std::mem::take(&mut work.literals) {
        match row(pool, t) {
            Some(r) if work.touches(pool, t) => rows.push(r),
            _ if !work.touches(pool, t) => out.push(t),
            // A Boolean constant: it has this value, and nobody else asks.
            _ => {}
        }
    }
    out.extend(eliminate(pool, point, rows, kept)?);
    out.retain(|&t| t != pool.tt());
    out.sort_unstable();
    out.dedup();
    (!out.contains(&pool.ff())).then_some(out)
}

struct Work<'k> {
    kept: &'k FxHashSet<TermId>,
    touched: FxHashMap<TermId, bool>,
    literals: Vec<TermId>,
}

impl Work<'_> {
    /// Does an eliminated constant occur in the term?
    fn touches(&mut self, pool: &Pool, term: TermId) -> bool {
        if let Some(&known) = self.touched.get(&term) {
            return known;
        }
        for t in pool.post_order(&[term]) {
            let here = match pool.op(t) {
                Op::App(_) if pool.args(t).is_empty() => !self.kept.contains(&t),
                _ => pool.args(t).iter().any(|a| self.touched[a]),
            };
            self.touched.insert(t, here);
        }
        self.touched[&term]
    }

    fn is_eliminated(&self, pool: &Pool, t: TermId) -> bool {
        pool.as_constant(t).is_some() && !self.kept.contains(&t)
    }

    fn substituted(&self, pool: &mut Pool, pairs: Vec<(TermId, TermId)>) -> Vec<TermId> {
        let mut map = Substitution::new(pairs);
        self.literals.iter().map(|&t| map.apply(pool, t)).collect()
    }

    /// Uses an equation `x = t` of arrays or uninterpreted elements.
    fn solve_plain(&mut self, pool: &mut Pool) -> Option<Vec<TermId>> {
        for &t in &self.literals {
            if pool.op(t) != Op::Eq {
                continue;
            }
            let [a, b] = *pool.args(t) else { continue };
            if pool.is_arith(pool.sort_of(a)) {
                continue;
            }
            for (x, y) in [(a, b), (b, a)] {
                if self.is_eliminated(pool, x) && !pool.post_order(&[y]).contains(&x) {
                    return Some(self.substituted(pool, vec![(x, y)]));
                }
            }
        }
        None
    }

    /// Takes one compound term with eliminated constants out of the literals.
    fn flatten(&mut self, pool: &mut Pool, point: &mut Point<'_>) -> Option<Vec<TermId>> {
        let literals = self.literals.clone();
        for t in pool.post_order(&literals) {
            if !self.touches(pool, t) || pool.as_constant(t).is_some() {
                continue;
            }
            let args = pool.args(t).to_vec();
            match pool.op(t) {
                Op::Add | Op::Not | Op::Le => {}
                Op::Eq if pool.is_arith(pool.sort_of(args[0])) => {}
                Op::Mul if pool.as_number(args[0]).is_some() => {}
                Op::IntDiv | Op::Mod | Op::CDiv | Op::CRem | Op::Wrap { .. } => {
                    if let Some((term, side)) = unfold(pool, point, t) {
                        let mut next = self.substituted(pool, vec![(t, term)]);
                        next.extend(side);
                        return Some(next);
                    }
                    return Some(self.fix(pool, point, t));
                }
                Op::Select if self.is_eliminated(pool, args[0]) => {
                    return Some(self.reads(pool, point, args[0]));
                }
                _ => return Some(self.fix(pool, point, t)),
            }
        }
        None
    }

    /// Gives the eliminated constants of a term their values at the point.
    fn fix(&mut self, pool: &mut Pool, point: &mut Point<'_>, term: TermId) -> Vec<TermId> {
        let mut pairs = Vec::new();
        for x in pool.post_order(&[term]) {
            if self.is_eliminated(pool, x) {
                let value = point.value(pool, x);
                let sort = pool.sort_of(x);
                // Elements of uninterpreted sorts have no name: say nothing, the literal goes.
                if let Some(v) = value_term(pool, &value, sort) {
                    pairs.push((x, v));
                }
            }
        }
        if pairs.is_empty() {
            let ff = pool.ff();
            return vec![ff];
        }
        self.substituted(pool, pairs)
    }

    /// Turns the reads of an eliminated array into constants, one for each index that the point has.
    fn reads(&mut self, pool: &mut Pool, point: &mut Point<'_>, array: TermId) -> Vec<TermId> {
        let mut classes: Vec<(Value, TermId, TermId)> = Vec::new();
        let mut pairs = Vec::new();
        let mut side = Vec::new();
        for t in pool.post_order(&self.literals) {
            if !pool.args(t).contains(&array) {
                continue;
            }
            let is_read = pool.op(t) == Op::Select && pool.args(t)[0] == array;
            let index = *pool.args(t).last().expect("it has the array");
            if !is_read || pool.post_order(&[index]).contains(&array) {
                return self.fix(pool, point, array);
            }
            let at = point.value(pool, index);
            let known = classes.iter().find(|c| c.0 == at);
            let stands = match known {
                Some(&(_, other, stands)) => {
                    side.push(pool.eq(index, other));
                    stands
                }
                None => {
                    let sort = pool.sort_of(t);
                    let value = point.value(pool, t);
                    let stands = pool.fresh_constant("read", sort);
                    point.set(stands, value);
                    for &(_, other, _) in &classes {
                        let same = pool.eq(index, other);
                        side.push(pool.not(same));
                    }
                    classes.push((at, index, stands));
                    stands
                }
            };
            pairs.push((t, stands));
        }
        let mut next = self.substituted(pool, pairs);
        next.extend(side);
        next
    }
}

/// A division, remainder or wrapping as a linear term, under side conditions that hold at the point.
fn unfold(pool: &mut Pool, point: &mut Point<'_>, t: TermId) -> Option<(TermId, Vec<TermId>)> {
    let args = pool.args(t).to_vec();
    let a = args[0];
    let value = |point: &mut Point<'_>, pool: &Pool, t| point.value(pool, t).as_num().cloned();
    if let Op::Wrap { bits, signed } = pool.op(t) {
        let modulus = Rational::power_of_two(bits as usize);
        let before = value(point, pool, a)?;
        let after = value(point, pool, t)?;
        let shift = pool.int(&after - &before);
        let term = pool.add2(a, shift);
        let (low, high) = match signed {
            false => (Rational::ZERO, &modulus - &Rational::ONE),
            true => {
                let half = Rational::power_of_two(bits as usize - 1);
                (-&half, &half - &Rational::ONE)
            }
        };
        let range = pool.in_range(&low, term, &high);
        return Some((term, vec![range]));
    }
    let k = pool.as_number(args[1])?.clone();
    if !k.is_positive() {
        return None;
    }
    let zero = pool.int(0);
    let mut side = Vec::new();
    let mut negative = false;
    if matches!(pool.op(t), Op::CDiv | Op::CRem) {
        negative = value(point, pool, a)?.is_negative();
        side.push(if negative {
            pool.le(a, zero)
        } else {
            pool.le(zero, a)
        });
    }
    let magnitude = if negative { pool.neg(a) } else { a };
    let quotient_value = value(point, pool, magnitude)?.div_euclid(&k);
    let q = pool.fresh_constant("quotient", pool.int_sort());
    point.set(q, Value::Num(quotient_value));
    let multiple = pool.mul_const(&k, q);
    let rest = pool.sub(magnitude, multiple);
    side.push(pool.in_range(&Rational::ZERO, rest, &(&k - &Rational::ONE)));
    let term = match pool.op(t) {
        Op::IntDiv | Op::CDiv => q,
        _ => rest,
    };
    let term = if negative { pool.neg(term) } else { term };
    Some((term, side))
}
