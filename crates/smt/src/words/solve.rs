//! Equations of a script solved before its translation: `x = t` makes `x` go away.
//!
//! A path in static single assignment is mostly definitions. Solved, the terms of a path are functions of its inputs, and what
//! is computed twice is one term with one circuit. Equations that a sum makes (`b - a = 8`) are solved for a
//! constant with the coefficient one.
//!
//! Sound because a constant is replaced by a term without it that an assertion says it equals; a model gives the
//! constant the value of the term ([`Solved::order`]).

use crate::ticks;
use base::{Budget, FxHashMap, FxHashSet, Stop};
use logic::word::WordOp;
use logic::{Op, Pool, Sort, TermId};

/// Rounds of solving: replacing makes new equations.
const ROUNDS: usize = 8;
/// Steps of looking for circles, a round.
const STEPS: usize = 2_000_000;
const STEPS_A_TICK: u64 = 8;
/// Steps after which the budget is asked.
const STEPS_ASKED: usize = 1024;

/// What is left of a list of formulas.
pub struct Solved {
    pub formulas: Vec<TermId>,
    /// Constants and their terms over constants that are left.
    pub order: Vec<(TermId, TermId)>,
}

/// Whether formulas have nothing but Booleans, words and their operators.
pub(super) fn are_plain(pool: &Pool, formulas: &[TermId], budget: &Budget) -> Result<bool, Stop> {
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut stack = Vec::new();
    for &f in formulas {
        stack.push(f);
        let before = seen.len();
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            let sort = pool.sort_of(t);
            let known = pool.shape(sort).is_some() || *pool.sort_kind(sort) == Sort::Bool;
            let real = matches!(pool.op(t), Op::Num(_));
            let applied = match pool.op(t) {
                Op::App(_) => pool.args(t).is_empty() || pool.word_operation(t).is_some(),
                _ => true,
            };
            if !(known || real) || !applied {
                return Ok(false);
            }
            stack.extend(pool.args(t));
            if (seen.len() - before).is_multiple_of(STEPS_ASKED) {
                budget.check()?;
            }
        }
        budget.spend((seen.len() - before) as u64 / STEPS_A_TICK)?;
    }
    Ok(true)
}

/// Solves the equations among formulas over words; `None` if there is something else in them.
pub fn solve(
    pool: &mut Pool,
    formulas: &[TermId],
    budget: &Budget,
) -> Result<Option<Solved>, Stop> {
    if !are_plain(pool, formulas, budget)? {
        return Ok(None);
    }
    solve_for(pool, formulas, None, budget).map(Some)
}

/// What a formula says, as conjuncts without those constants that its equations define. Constants of `kept` stay; others that no
/// equation defines are left too.
pub(super) fn project(
    pool: &mut Pool,
    formula: TermId,
    kept: &FxHashSet<TermId>,
    budget: &Budget,
) -> Result<Vec<TermId>, Stop> {
    let solved = solve_for(pool, &[formula], Some(kept), budget)?;
    let all = pool.and(&solved.formulas);
    Ok(pool.conjuncts(all))
}

fn solve_for(
    pool: &mut Pool,
    formulas: &[TermId],
    kept: Option<&FxHashSet<TermId>>,
    budget: &Budget,
) -> Result<Solved, Stop> {
    let mut left: Vec<TermId> = formulas.to_vec();
    let mut order: Vec<(TermId, TermId)> = Vec::new();
    for _ in 0..ROUNDS {
        let all = pool.and(&left);
        let mut work = Definitions {
            kept,
            ..Definitions::default()
        };
        let mut parts = Vec::new();
        for p in pool.conjuncts(all) {
            let before = work.steps;
            if !work.take(pool, p, budget)? {
                parts.push(p);
            }
            budget.spend((1 + work.steps - before) as u64 / STEPS_A_TICK)?;
        }
        if work.of.is_empty() {
            left = parts;
            break;
        }
        for p in &mut parts {
            *p = work.replace(pool, *p, budget)?;
        }
        // Terms of earlier rounds may have constants of this one.
        for (_, t) in &mut order {
            *t = work.replace(pool, *t, budget)?;
        }
        for x in work.list.clone() {
            let t = work.replace(pool, x, budget)?;
            order.push((x, t));
        }
        left = parts;
    }
    Ok(Solved {
        formulas: left,
        order,
    })
}

#[derive(Default)]
struct Definitions<'a> {
    /// Constants that are not solved for.
    kept: Option<&'a FxHashSet<TermId>>,
    of: FxHashMap<TermId, TermId>,
    /// The defined constants, oldest first.
    list: Vec<TermId>,
    images: FxHashMap<TermId, TermId>,
    steps: usize,
}

impl Definitions<'_> {
    /// Makes a definition of a conjunct if it is one.
    fn take(&mut self, pool: &mut Pool, part: TermId, budget: &Budget) -> Result<bool, Stop> {
        let (tt, ff) = (pool.tt(), pool.ff());
        let negated = match pool.op(part) {
            Op::Not => Some(pool.args(part)[0]),
            _ => None,
        };
        if pool.as_constant(part).is_some() {
            return self.define(pool, part, tt, budget);
        }
        if let Some(x) = negated.filter(|&x| pool.as_constant(x).is_some()) {
            return self.define(pool, x, ff, budget);
        }
        if pool.op(part) != Op::Eq {
            return Ok(false);
        }
        let (a, b) = (pool.args(part)[0], pool.args(part)[1]);
        for (x, t) in [(a, b), (b, a)] {
            if pool.as_constant(x).is_some() && self.define(pool, x, t, budget)? {
                return Ok(true);
            }
        }
        Ok(self.take_sum(pool, a, b, budget)? || self.take_sum(pool, b, a, budget)?)
    }

    /// `x + s = t`, `x - s = t` and `s - x = t`, solved for x.
    fn take_sum(
        &mut self,
        pool: &mut Pool,
        sum: TermId,
        rest: TermId,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let op = match pool.word_operation(sum) {
            Some(op @ (WordOp::Add | WordOp::Sub)) => op,
            _ => return Ok(false),
        };
        let (a, b) = (pool.args(sum)[0], pool.args(sum)[1]);
        let choices = match op {
            WordOp::Add => [(a, WordOp::Sub, rest, b), (b, WordOp::Sub, rest, a)],
            _ => [(a, WordOp::Add, rest, b), (b, WordOp::Sub, a, rest)],
        };
        for (x, op, left, right) in choices {
            if pool.as_constant(x).is_none() {
                continue;
            }
            if let Ok(t) = pool.word(op, &[left, right])
                && self.define(pool, x, t, budget)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// `x` becomes `t`, unless `t` has `x` in it.
    fn define(&mut self, pool: &Pool, x: TermId, t: TermId, budget: &Budget) -> Result<bool, Stop> {
        let kept = self.kept.is_some_and(|k| k.contains(&x));
        if kept
            || self.of.contains_key(&x)
            || self.steps > STEPS
            || self.reaches(pool, t, x, budget)?
        {
            return Ok(false);
        }
        self.of.insert(x, t);
        self.list.push(x);
        Ok(true)
    }

    fn reaches(
        &mut self,
        pool: &Pool,
        from: TermId,
        to: TermId,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let mut stack = vec![from];
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        while let Some(t) = stack.pop() {
            if t == to {
                return Ok(true);
            }
            self.steps += 1;
            if self.steps.is_multiple_of(STEPS_ASKED) {
                budget.check()?;
            }
            if seen.insert(t) {
                stack.extend(pool.args(t));
                stack.extend(self.of.get(&t));
            }
        }
        Ok(false)
    }

    /// The term without defined constants.
    fn replace(&mut self, pool: &mut Pool, root: TermId, budget: &Budget) -> Result<TermId, Stop> {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.images.contains_key(&t) {
                stack.pop();
                continue;
            }
            budget.spend(ticks::TERM)?;
            let before = stack.len();
            let below = self.of.get(&t).into_iter().chain(pool.args(t));
            stack.extend(below.filter(|a| !self.images.contains_key(*a)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let image = match self.of.get(&t) {
                Some(definition) => self.images[definition],
                None => {
                    let args: Vec<TermId> = pool.args(t).iter().map(|a| self.images[a]).collect();
                    match args == pool.args(t) {
                        true => t,
                        false => pool.rebuild(t, &args),
                    }
                }
            };
            self.images.insert(t, image);
        }
        Ok(self.images[&root])
    }
}
