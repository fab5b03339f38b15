//! What all branches of a disjunction agree on, as literals worth deciding.
//!
//! *Problem.* In a row of diamonds (`c and x' = x + 1 and y' = y + 1, or not c and x' = x - 3 and
//! y' = y - 3`) every path has the same `x - y`, but no atom says so: clause learning then refutes path
//! by path, exponentially many.
//!
//! *Idea.* The equations of a branch span a space of linear forms with a known value. The forms
//! that lie in the spaces of all branches have one value per branch: `x' - y' - x + y` is 0 in both,
//! `x' - x` is 1 or -3. Their least and greatest values are bounds that the disjunction implies. We only
//! *propose* these bounds: the search decides the negation of each, then the branches, one by
//! one, and learns the bound from the conflicts. So nothing here needs trust, proofs stay as they
//! are, and since a disjunction is in one partition, the new atoms are not mixed.
//!
//! Only a search with many conflicts gets here.

use crate::Lit;
use crate::solver::Solver;
use base::FxHashSet;
use logic::{Linear, Op, Pool, Rational, TermId};
use std::collections::BTreeMap;

/// Limits: branches of a disjunction, equations of a branch, terms of a form, all proposals.
const BRANCHES: usize = 24;
const EQUATIONS: usize = 40;
const TERMS: usize = 4;
const PROPOSALS: usize = 600;

/// A literal that the search shall try to establish by refuting its negation, branch by branch.
#[derive(Clone, Debug)]
pub(crate) struct Proposal {
    lit: Lit,
    branches: Vec<Lit>,
    /// Decisions it may still take.
    patience: usize,
}

type Form = BTreeMap<TermId, Rational>;

/// A form and its value in each branch.
#[derive(Clone, Debug, Default)]
struct Row {
    form: Form,
    values: Vec<Rational>,
}

fn add_form(into: &mut Form, factor: &Rational, from: &Form) {
    for (t, c) in from {
        let slot = into.entry(*t).or_default();
        *slot = slot.mul_add(factor, c);
        if slot.is_zero() {
            into.remove(t);
        }
    }
}

fn add_values(into: &mut [Rational], factor: &Rational, from: &[Rational]) {
    for (a, b) in into.iter_mut().zip(from) {
        *a = a.mul_add(factor, b);
    }
}

/// A row on its way through elimination: what is left of it, and the combination of the first
/// space's rows (form and values) and of the second one's (values) that it is.
#[derive(Clone)]
struct Open {
    rest: Form,
    first: Row,
    second: Vec<Rational>,
}

impl Open {
    fn add(&mut self, factor: &Rational, other: &Open) {
        add_form(&mut self.rest, factor, &other.rest);
        add_form(&mut self.first.form, factor, &other.first.form);
        add_values(&mut self.first.values, factor, &other.first.values);
        add_values(&mut self.second, factor, &other.second);
    }
}

/// The forms in both spaces.
fn intersect(a: &[Row], b: &[Row]) -> Vec<Row> {
    let (Some(x), Some(y)) = (a.first(), b.first()) else {
        return Vec::new();
    };
    let (left, right) = (x.values.len(), y.values.len());
    let mut solved: BTreeMap<TermId, Open> = BTreeMap::new();
    let mut common = Vec::new();
    let from_a = a.iter().map(|row| Open {
        rest: row.form.clone(),
        first: row.clone(),
        second: vec![Rational::ZERO; right],
    });
    let from_b = b.iter().map(|row| Open {
        rest: row.form.clone(),
        first: Row {
            form: Form::new(),
            values: vec![Rational::ZERO; left],
        },
        second: row.values.clone(),
    });
    for mut row in from_a.chain(from_b) {
        // A solved row has no term before its own, so one pass upwards is enough.
        let mut at = row.rest.keys().next().copied();
        while let Some(t) = at {
            if let (Some(by), Some(c)) = (solved.get(&t), row.rest.get(&t)) {
                let factor = -c;
                row.add(&factor, by);
            }
            let after = (std::ops::Bound::Excluded(t), std::ops::Bound::Unbounded);
            at = row.rest.range(after).next().map(|(t, _)| *t);
        }
        match row.rest.iter().next().map(|(t, c)| (*t, c.recip())) {
            Some((t, scale)) => {
                let unit = row.clone();
                row.add(&(&scale - &Rational::ONE), &unit);
                solved.insert(t, row);
            }
            None => {
                // first + second = 0, so the common form has the second's values negated.
                let mut values = row.first.values;
                values.extend(row.second.iter().map(|v| -v));
                if !row.first.form.is_empty() {
                    common.push(Row {
                        form: row.first.form,
                        values,
                    });
                }
            }
        }
    }
    common
}

/// The equations among the conjuncts of a branch.
fn equations(pool: &Pool, branch: TermId) -> Vec<Row> {
    let mut rows = Vec::new();
    for part in pool.conjuncts(branch) {
        if pool.op(part) != Op::Eq || rows.len() >= EQUATIONS {
            continue;
        }
        let [a, b] = *pool.args(part) else { continue };
        if !pool.is_arith(pool.sort_of(a)) {
            continue;
        }
        let difference = pool.difference(a, b);
        let value = -&difference.constant;
        let form: Form = difference.terms.into_iter().collect();
        if !form.is_empty() {
            rows.push(Row {
                form,
                values: vec![value],
            });
        }
    }
    rows
}

/// Forms with their least and greatest value over all branches.
fn agreed(pool: &Pool, branches: &[TermId]) -> Vec<(Form, Rational, Rational)> {
    let mut spaces = branches.iter().map(|&b| equations(pool, b));
    let Some(mut rows) = spaces.next() else {
        return Vec::new();
    };
    for space in spaces {
        rows = intersect(&rows, &space);
    }
    // Combinations with one value in all branches: eliminate the differences of the values.
    let mut solved: Vec<(usize, Row)> = Vec::new();
    let mut all = rows.clone();
    for mut row in rows {
        let spread = |r: &Row, k: usize| &r.values[k] - &r.values[0];
        for (k, by) in &solved {
            let factor = -(&spread(&row, *k) / &spread(by, *k));
            add_form(&mut row.form, &factor, &by.form);
            add_values(&mut row.values, &factor, &by.values);
        }
        match (1..row.values.len()).find(|&k| !spread(&row, k).is_zero()) {
            Some(k) => solved.push((k, row)),
            None => all.push(row),
        }
    }
    let range = |r: Row| {
        let least = r.values.iter().min().cloned().unwrap_or_default();
        let most = r.values.iter().max().cloned().unwrap_or_default();
        (r.form, least, most)
    };
    all.into_iter()
        .filter(|r| !r.form.is_empty() && r.form.len() <= TERMS)
        .map(range)
        .collect()
}

impl Solver {
    /// The branches of an asserted disjunction: the literal to decide and the formula it implies.
    fn branches(&mut self, pool: &mut Pool, t: TermId) -> Vec<(Lit, TermId)> {
        match pool.op(t) {
            Op::Or if pool.args(t).len() <= BRANCHES => {
                let list = pool.args(t).to_vec();
                list.iter().map(|&d| (self.lit_of(pool, d), d)).collect()
            }
            Op::Ite => {
                let [c, a, b] = *pool.args(t) else {
                    return Vec::new();
                };
                let c = self.lit_of(pool, c);
                vec![(c, a), (!c, b)]
            }
            _ => Vec::new(),
        }
    }

    /// Proposals from all disjunctions in force.
    pub(crate) fn propose(&mut self, pool: &mut Pool) -> Vec<Proposal> {
        let asserted = self.scopes.iter().flat_map(|s| &s.assertions);
        let mut terms: Vec<TermId> = asserted.map(|a| a.term).collect();
        terms.extend(self.assumptions.iter().map(|a| a.1));
        let mut proposals = Vec::new();
        let mut seen = FxHashSet::default();
        for t in terms {
            let branches = self.branches(pool, t);
            let formulas: Vec<TermId> = branches.iter().map(|b| b.1).collect();
            for (form, least, most) in agreed(pool, &formulas) {
                let sorts = |t: &TermId| pool.sort_of(*t);
                let sort = sorts(form.keys().next().expect("forms are not empty"));
                if form.keys().any(|t| sorts(t) != sort) {
                    continue;
                }
                let above = Linear {
                    terms: form.into_iter().collect(),
                    constant: -most,
                };
                let mut below = above.clone();
                below.constant = -least;
                below.scale(&Rational::MINUS_ONE);
                for linear in [above, below] {
                    let atom = pool.le_zero(linear, sort);
                    if proposals.len() >= PROPOSALS || !seen.insert(atom) || atom == pool.tt() {
                        continue;
                    }
                    let lit = self.lit_of(pool, atom);
                    self.activate(pool, atom);
                    proposals.push(Proposal {
                        lit,
                        branches: branches.iter().map(|b| b.0).collect(),
                        patience: 2 * branches.len() + 2,
                    });
                }
            }
        }
        // Taken from the end.
        proposals.reverse();
        proposals
    }

    /// The next decision for a proposal, `levels` being those of assertions and assumptions.
    pub(crate) fn decide_proposal(
        &mut self,
        proposals: &mut Vec<Proposal>,
        levels: u32,
    ) -> Option<Lit> {
        while let Some(p) = proposals.last_mut() {
            let depth = self.sat.level() - levels;
            let next = match depth {
                _ if p.patience == 0 || depth > 1 => None,
                0 if self.sat.value(p.lit).is_none() => Some(!p.lit),
                1 if self.sat.is_false(p.lit) => {
                    let open = |l: &&Lit| self.sat.value(**l).is_none();
                    p.branches.iter().find(open).copied()
                }
                _ => None,
            };
            if next.is_some() {
                p.patience -= 1;
                return next;
            }
            // Known, or not to be had this way.
            self.backtrack(levels);
            proposals.pop();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Answer, Solver};
    use base::Budget;

    /// A row of branches in which two variables move alike.
    fn twins(pool: &mut Pool, n: usize) -> Vec<TermId> {
        let (int, bool) = (pool.int_sort(), pool.bool_sort());
        let var = |pool: &mut Pool, name: &str, k: usize| pool.constant(&format!("{name}{k}"), int);
        let (x, y) = (var(pool, "x", 0), var(pool, "y", 0));
        let mut parts = vec![pool.eq(x, y)];
        for k in 0..n {
            let c = pool.constant(&format!("c{k}"), bool);
            let not = pool.not(c);
            let branches = [(1, c), (-3, not)].map(|(step, guard)| {
                let mut list = vec![guard];
                for name in ["x", "y"] {
                    let (from, to) = (var(pool, name, k), var(pool, name, k + 1));
                    let step = pool.int(step);
                    let sum = pool.add2(from, step);
                    list.push(pool.eq(to, sum));
                }
                pool.and(&list)
            });
            parts.push(pool.or(&branches));
        }
        let (x, y) = (var(pool, "x", n), var(pool, "y", n));
        let equal = pool.eq(x, y);
        parts.push(pool.not(equal));
        parts
    }

    #[test]
    fn rows_of_diamonds_are_refuted_quickly() {
        let mut pool = Pool::new();
        let parts = twins(&mut pool, 40);
        for proof in [false, true] {
            let mut solver = match proof {
                true => Solver::with_proof(),
                false => Solver::new(),
            };
            for &p in &parts {
                solver.assert(&mut pool, p);
            }
            let budget = Budget::unlimited().with_conflicts(20_000);
            assert_eq!(solver.check(&mut pool, &[], &budget), Answer::Unsat);
            if let Some(proof) = solver.refutation().cloned() {
                let all = pool.and(&parts);
                assert!(crate::proof::check::check(&mut pool, &proof, &[all]).is_ok());
            }
        }
    }

    #[test]
    fn branches_agree_on_differences() {
        let mut pool = Pool::new();
        let parts = twins(&mut pool, 1);
        let branches = pool.args(parts[1]).to_vec();
        let found = agreed(&pool, &branches);
        let same = found.iter().filter(|(_, a, b)| a == b).count();
        assert_eq!(same, 1, "{found:?}");
        assert!(found.iter().any(|(f, a, b)| f.len() == 2 && a != b));
    }
}
