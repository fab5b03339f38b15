//! Candidate invariants about memory: what was stored where, and the order of addresses.
//!
//! Idea: that a loop over a string stays inside it rests on facts such as `mem[s + n - 1] = 0`,
//! `size[s] = n` and `s <= p <= s + n - 1`. The first two are statements of the program seen from
//! later on: after `x[i] := v` the fact `x[i] = v` holds until somebody changes it. The third
//! compares terms that the program uses as addresses. Random states refute most of the comparisons
//! before a solver sees them (`samples`).

use crate::prepare::Prepared;
use logic::{FxHashSet, Op, Pool, Sort, TermId};
use program::{LocId, Stmt, VarId};
use std::collections::BTreeMap;

/// Most address terms that are compared with one another, and most facts about stores.
const MOST_ADDRESSES: usize = 14;
const MOST_STORES: usize = 40;
/// Variables and constants in an address term.
const LONGEST: usize = 4;

/// Candidates for every loop head of a program with memory; none without.
pub fn candidates(pool: &mut Pool, prepared: &Prepared) -> BTreeMap<LocId, Vec<TermId>> {
    let mut gathered = Gathered::default();
    for edge in prepared.program.edges.iter() {
        match &edge.stmt {
            Stmt::Assign(list) => gathered.assignment(pool, prepared, list),
            Stmt::Assume(condition) => gathered.addresses_in(pool, &[*condition]),
            Stmt::Skip | Stmt::Havoc(..) | Stmt::Call { .. } => {}
        }
    }
    let mut facts = gathered.stores.clone();
    let addresses = gathered.addresses;
    let one = pool.int(1);
    for &a in &addresses {
        for &b in &addresses {
            if a != b {
                let after = pool.add(&[a, one]);
                facts.push(pool.le(a, b));
                facts.push(pool.le(after, b));
            }
        }
    }
    let heads = &prepared.graph.loop_heads;
    heads.iter().map(|&head| (head, facts.clone())).collect()
}

#[derive(Default)]
struct Gathered {
    /// `x[i] = v` for the stores of the program.
    stores: Vec<TermId>,
    addresses: Vec<TermId>,
}

impl Gathered {
    fn assignment(&mut self, pool: &mut Pool, prepared: &Prepared, list: &[(VarId, TermId)]) {
        let values: Vec<TermId> = list.iter().map(|(_, t)| *t).collect();
        self.addresses_in(pool, &values);
        let vars = &prepared.program.vars;
        // What an assigned variable was before lives on only in a copy that the same statement makes.
        let assigned: FxHashSet<TermId> = list.iter().map(|&(v, _)| vars[v].term).collect();
        let copies: Vec<(TermId, TermId)> = list
            .iter()
            .filter(|(_, t)| assigned.contains(t))
            .map(|&(v, t)| (t, vars[v].term))
            .collect();
        let lost: FxHashSet<TermId> = assigned
            .iter()
            .copied()
            .filter(|t| copies.iter().all(|(old, _)| old != t))
            .collect();
        let mut after = logic::Substitution::new(copies);
        for &(var, value) in list {
            let mut term = value;
            while pool.op(term) == Op::Store {
                let [array, index, stored] = *pool.args(term) else {
                    break;
                };
                term = array;
                let gone = pool
                    .post_order(&[index, stored])
                    .iter()
                    .any(|t| lost.contains(t));
                if gone || self.stores.len() >= MOST_STORES {
                    continue;
                }
                let index = after.apply(pool, index);
                let stored = after.apply(pool, stored);
                if matches!(pool.sort_kind(pool.sort_of(stored)), Sort::Array(..)) {
                    continue;
                }
                let read = pool.select(vars[var].term, index);
                let fact = pool.eq(read, stored);
                if !self.stores.contains(&fact) {
                    self.stores.push(fact);
                }
            }
        }
    }

    /// Terms that arrays of the program are read or written at.
    fn addresses_in(&mut self, pool: &mut Pool, roots: &[TermId]) {
        for t in pool.post_order(roots) {
            if !matches!(pool.op(t), Op::Select | Op::Store) {
                continue;
            }
            let mut index = pool.args(t)[1];
            // Objects are numbered by their addresses' leading digits.
            if pool.op(index) == Op::IntDiv {
                index = pool.args(index)[0];
            }
            let wanted = pool.sort_of(index) == pool.int_sort()
                && self.addresses.len() < MOST_ADDRESSES
                && !self.addresses.contains(&index)
                && is_plain(pool, index);
            if wanted {
                self.addresses.push(index);
            }
        }
    }
}

/// A short linear term over variables.
fn is_plain(pool: &Pool, term: TermId) -> bool {
    let sum = pool.linear(term);
    let variable = |t: TermId| matches!(pool.op(t), Op::App(_)) && pool.args(t).is_empty();
    !sum.terms.is_empty()
        && sum.terms.len() <= LONGEST
        && sum.terms.iter().all(|(t, _)| variable(*t))
}
