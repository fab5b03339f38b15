//! What a program asks of a cell as a whole: `a[x] <= m || a[x] == n`.
//!
//! Conditions are taken apart into atoms, each of which is tried for all cells ([`super::array_invariants`]); where none of the
//! atoms holds of all cells alone, their disjunction may. Two places say which: a disjunction that is a value (the
//! argument of an assertion), and the branches in a row on the way into an error, each of which asks something of
//! the same cell, for the error needs them all.
//!
//! The results are guesses for Houdini like any other.

use crate::guess::array_invariants::{Gathered, is_atom, is_type_range};
use logic::{Op, Pool, TermId};
use program::{EdgeId, LocId, Program, Stmt};

impl Gathered<'_> {
    /// Adds the clauses of the program to the bodies.
    pub(super) fn clauses(&mut self, pool: &mut Pool, program: &Program, edges: &[EdgeId]) {
        for &edge in edges {
            match &program.edges[edge].stmt {
                Stmt::Assign(list) => {
                    for &(_, value) in list {
                        self.written(pool, value);
                    }
                }
                Stmt::Assume(condition) if !is_type_range(pool, *condition) => {
                    self.written(pool, *condition);
                }
                _ => {}
            }
        }
        let errors: Vec<LocId> = program.error_locations().collect();
        let before = program.predecessors();
        for &error in &errors {
            for &last in &before[error] {
                let mut literals = Vec::new();
                let mut next = Some(last);
                while let Some(edge) = next {
                    let edge = &program.edges[edge];
                    match &edge.stmt {
                        Stmt::Skip => {}
                        Stmt::Assume(c) if is_type_range(pool, *c) => {}
                        Stmt::Assume(c) if self.counter_of_literal(pool, *c).is_some() => {
                            literals.push(pool.not(*c));
                        }
                        _ => break,
                    }
                    next = match before[edge.from].as_slice() {
                        [only] if literals.len() < self.limits.clause_literals => Some(*only),
                        _ => None,
                    };
                }
                self.clause(pool, &literals);
            }
        }
    }

    /// Disjunctions inside a term.
    fn written(&mut self, pool: &mut Pool, term: TermId) {
        for whole in pool.post_order(&[term]) {
            let clause = match pool.op(whole) {
                Op::Or => whole,
                Op::And => pool.not(whole),
                _ => continue,
            };
            if pool.op(clause) == Op::Or {
                let literals = pool.args(clause).to_vec();
                self.clause(pool, &literals);
            }
        }
    }

    /// A clause is a body if it is short and all its literals speak of cells at the same counter.
    fn clause(&mut self, pool: &mut Pool, literals: &[TermId]) {
        if !(2..=self.limits.clause_literals).contains(&literals.len()) {
            return;
        }
        let mut counters = literals.iter().map(|&l| self.counter_of_literal(pool, l));
        let first = counters.next().flatten();
        let same = first.filter(|c| counters.all(|other| other == Some(*c)));
        if let Some(counter) = same {
            let clause = pool.or(literals);
            let body = pool.substitute(clause, &[(counter, self.any)]);
            self.body(pool, body);
        }
    }

    /// The one counter at which a literal reads arrays.
    fn counter_of_literal(&self, pool: &Pool, literal: TermId) -> Option<TermId> {
        let atom = match pool.op(literal) {
            Op::Not => pool.args(literal)[0],
            _ => literal,
        };
        match self.counters_in(pool, atom)[..] {
            [counter] if is_atom(pool, atom) => Some(counter),
            _ => None,
        }
    }
}
