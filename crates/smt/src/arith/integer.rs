//! Integrality: divisibility of equalities, then branching on integer terms.

use super::{Arith, FinalCheck, Meaning, TheoryLemma, Var};
use crate::proof::Certificate;
use logic::{Budget, Id, Pool, Rational};

/// Branches without a model in between before we give up.
const BRANCH_LIMIT: u32 = 5_000;

impl Arith {
    pub(super) fn check_integers(&mut self, pool: &mut Pool, budget: &Budget) -> FinalCheck {
        let Some(x) = self.branch_variable() else {
            return FinalCheck::Ok;
        };
        if let Err(stop) = budget.check() {
            return FinalCheck::Stop(stop);
        }
        self.branch_effort += 1;
        if self.branch_effort > BRANCH_LIMIT {
            return FinalCheck::Unknown("integer branching does not end");
        }
        self.stats.branches += 1;
        let Meaning::Term(term) = self.vars[x].meaning else {
            unreachable!("branches are on terms");
        };
        let low = self.vars[x].value.real.floor();
        let high = &low + &Rational::ONE;
        let (l, h) = (pool.int(low), pool.int(high));
        let clause = vec![pool.le(term, l), pool.ge(term, h)];
        FinalCheck::Lemmas(vec![TheoryLemma {
            clause,
            cert: Certificate::Branch,
        }])
    }

    /// An integer term whose value is not integral: smallest range first, then smallest value.
    fn branch_variable(&self) -> Option<Var> {
        let mut best: Option<(bool, Rational, Var)> = None;
        for i in 0..self.vars.len() {
            let x = Var::from_index(i);
            let s = &self.vars[x];
            if !s.is_int || s.value.is_integer() || !matches!(s.meaning, Meaning::Term(_)) {
                continue;
            }
            let key = match (&s.lower, &s.upper) {
                (Some(l), Some(u)) => (false, &u.value.real - &l.value.real, x),
                _ => (true, s.value.real.abs(), x),
            };
            if best.as_ref().is_none_or(|b| key < *b) {
                best = Some(key);
            }
        }
        best.map(|(_, _, x)| x)
    }
}
