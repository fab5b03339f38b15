//! Operations on values that depend on which way was taken, case by case.
//!
//! ```text
//!   top = (ite take 7 6) * 2^48:   (div (+ top i) 2^48), 0 <= i <= 9, is (ite take 7 6)
//!   (select a (ite take 7 6))      is (ite take (select a 7) (select a 6)), where reads look behind writes
//! ```
//! Where an address is one of a few, what it leads to is found for each of them; else the solver would have to.

use super::bounds::Bounds;
use super::cells::MOST_BYTES;
use logic::{Op, Pool, TermId};

/// Cases of one value.
const MOST_CASES: usize = 12;
/// Cases of an address that is written to.
const MOST_TARGETS: usize = 4;

/// Parts of a sum or product that is looked at.
const MOST_PARTS: usize = 6;

/// What decides a case: conditions, and whether they hold.
type Way = Vec<(TermId, bool)>;

/// A condition inside the term, and the term where it holds and where it does not.
fn split(pool: &mut Pool, t: TermId, widest: usize) -> Option<(TermId, TermId, TermId)> {
    match pool.op(t) {
        Op::Ite => {
            let &[c, a, b] = pool.args(t) else {
                return None;
            };
            Some((c, a, b))
        }
        Op::Add | Op::Mul if pool.args(t).len() <= widest => {
            let args = pool.args(t).to_vec();
            for (n, &arg) in args.iter().enumerate() {
                let inside = match pool.op(arg) {
                    Op::Ite => true,
                    Op::Mul => pool.args(arg).iter().any(|&x| pool.op(x) == Op::Ite),
                    _ => false,
                };
                if !inside {
                    continue;
                }
                let (c, a, b) = split(pool, arg, widest)?;
                let with = |pool: &mut Pool, x: TermId| {
                    let mut args = args.clone();
                    args[n] = x;
                    pool.rebuild(t, &args)
                };
                let (a, b) = (with(pool, a), with(pool, b));
                return Some((c, a, b));
            }
            None
        }
        _ => None,
    }
}

/// The values that a term is one of, and when; `None` if it is one, or one of too many.
fn cases(pool: &mut Pool, t: TermId, most: usize, widest: usize) -> Option<Vec<(Way, TermId)>> {
    let mut out = Vec::new();
    let mut stack = vec![(Way::new(), t)];
    while let Some((way, t)) = stack.pop() {
        let Some((c, a, b)) = split(pool, t, widest) else {
            out.push((way, t));
            continue;
        };
        if out.len() + stack.len() >= most {
            return None;
        }
        let decided = way.iter().find(|(d, _)| *d == c).map(|(_, holds)| *holds);
        for (holds, t) in [(false, b), (true, a)] {
            if decided.is_none_or(|d| d == holds) {
                let mut way = way.clone();
                if decided.is_none() {
                    way.push((c, holds));
                }
                stack.push((way, t));
            }
        }
    }
    (out.len() > 1).then_some(out)
}

/// One value again: the cases are in the order in which [`cases`] finds them, depth first.
fn joined(pool: &mut Pool, cases: &[(Way, TermId)], depth: usize) -> TermId {
    let (way, value) = &cases[0];
    let Some(&(c, _)) = way.get(depth) else {
        return *value;
    };
    let middle = cases.partition_point(|(way, _)| way[depth].1);
    let a = joined(pool, &cases[..middle], depth + 1);
    let b = joined(pool, &cases[middle..], depth + 1);
    pool.ite(c, a, b)
}

impl Bounds {
    /// The operator of `term`, case by case in its argument of this number, if that makes it simpler.
    pub fn by_cases(
        &mut self,
        pool: &mut Pool,
        term: TermId,
        args: &[TermId],
        number: usize,
    ) -> Option<TermId> {
        let mut all = cases(pool, args[number], MOST_CASES, MOST_PARTS)?;
        let truth = pool.sort_of(term) == pool.bool_sort();
        let mut args = args.to_vec();
        for (_, value) in &mut all {
            args[number] = *value;
            *value = self.rebuild_plainly(pool, term, &args);
            let simple = match pool.op(term) {
                Op::Select => true,
                _ => truth_or_sum(pool, *value, truth),
            };
            if !simple {
                return None;
            }
        }
        Some(joined(pool, &all, 0))
    }

    /// A number in place of the sum of its bytes, to which a constant may be added, and conditions that hold.
    pub fn number_of_bytes(
        &mut self,
        pool: &mut Pool,
        sum: TermId,
    ) -> Option<(TermId, Vec<TermId>)> {
        if pool.op(sum) != Op::Add || pool.args(sum).len() > MOST_BYTES + 1 {
            return None;
        }
        let mut parts = pool.args(sum).iter().copied();
        let constant = parts.find(|&t| pool.as_number(t).is_some());
        let bytes = match constant {
            Some(constant) => pool.sub(sum, constant),
            None => sum,
        };
        let (number, conditions) = match self.put_together(pool, bytes) {
            Some(whole) => (whole, Vec::new()),
            None => match self.word_by_cases(pool, bytes) {
                Some(found) => found,
                None => {
                    let (word, inside) = self.word(pool, bytes)?;
                    (word, vec![inside])
                }
            },
        };
        let number = match constant {
            Some(constant) => pool.add2(number, constant),
            None => number,
        };
        Some((number, conditions))
    }

    /// The same where the bytes depend on which way was taken, and on some way are those of one number.
    fn word_by_cases(&mut self, pool: &mut Pool, sum: TermId) -> Option<(TermId, Vec<TermId>)> {
        let mut all = cases(pool, sum, MOST_CASES, MOST_BYTES)?;
        let mut simpler = false;
        let mut conditions = Vec::new();
        for (_, value) in &mut all {
            if let Some(whole) = self.put_together(pool, *value) {
                *value = whole;
                simpler = true;
            } else if let Some((word, inside)) = self.word(pool, *value) {
                *value = word;
                conditions.push(inside);
            }
        }
        simpler.then(|| (joined(pool, &all, 0), conditions))
    }

    /// The array with a value at an index that is one of a few.
    pub fn write_by_cases(
        &mut self,
        pool: &mut Pool,
        mut array: TermId,
        index: TermId,
        value: TermId,
    ) -> Option<TermId> {
        for (way, at) in cases(pool, index, MOST_TARGETS, MOST_PARTS)? {
            let conditions: Vec<TermId> = way
                .iter()
                .map(|&(c, holds)| if holds { c } else { pool.not(c) })
                .collect();
            let here = pool.and(&conditions);
            let before = self.read(pool, array, at);
            let value = pool.ite(here, value, before);
            array = self.write_plainly(pool, array, at, value);
        }
        Some(array)
    }
}

/// Is it decided (a truth value), or without an operation that is not linear?
fn truth_or_sum(pool: &Pool, t: TermId, truth: bool) -> bool {
    match truth {
        true => t == pool.tt() || t == pool.ff(),
        false => !matches!(pool.op(t), Op::IntDiv | Op::Mod | Op::Wrap { .. }),
    }
}
