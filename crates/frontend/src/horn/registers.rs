//! Which arguments of a linear system's predicates share a variable.
//!
//! At the location of a predicate only its own arguments matter, so arguments of different
//! predicates may live in one variable. Where a clause passes one on, they should: a system that
//! was made from a program gets that program's variables back, and copies vanish.
//! ```text
//!   p(x, n) and x < n => q(x, n)      q(x, n) => p(x + 1, n)
//!   one variable for x in p and q, one for n; the loop is: assume x < n; x := x + 1
//! ```
//! Idea: each clause votes for pairs of a body's and the head's argument, most for those passed on
//! as they are; pairs are joined by votes, never two arguments of one predicate.

use super::clauses::Clause;
use base::FxHashMap;
use logic::{Op, Pool, Rational, SymbolId, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// An argument: predicate and place.
type Place = (usize, usize);

/// Votes for an argument passed on as it is, with a constant added, and in any other way.
const COPY: u64 = 1000;
const STEP: u64 = 30;
const USE: u64 = 1;

/// For each predicate and argument, the number of its variable.
pub fn registers<'c>(
    pool: &Pool,
    predicates: &[SymbolId],
    clauses: impl Iterator<Item = &'c Clause>,
) -> Vec<Vec<usize>> {
    let index: FxHashMap<SymbolId, usize> = predicates
        .iter()
        .enumerate()
        .map(|(i, &s)| (s, i))
        .collect();
    let mut votes: BTreeMap<(Place, Place), u64> = BTreeMap::new();
    for clause in clauses {
        let (Some(&body), Some(head)) = (clause.body.first(), clause.head) else {
            continue;
        };
        let (Op::App(p), Op::App(q)) = (pool.op(body), pool.op(head)) else {
            continue;
        };
        let (p, q) = (index[&p], index[&q]);
        if p == q {
            continue;
        }
        for (i, j, count) in clause_votes(pool, clause, body, head) {
            let pair = match p < q {
                true => ((p, i), (q, j)),
                false => ((q, j), (p, i)),
            };
            *votes.entry(pair).or_insert(0) += count;
        }
    }
    let mut order: Vec<((Place, Place), u64)> = votes.into_iter().collect();
    order.sort_by_key(|&(pair, count)| (std::cmp::Reverse(count), pair));
    let mut groups = Groups::new(pool, predicates);
    for ((a, b), _) in order {
        groups.join(a, b);
    }
    groups.numbers()
}

/// Pairs of a body's argument and the head's, with votes.
fn clause_votes(
    pool: &Pool,
    clause: &Clause,
    body: TermId,
    head: TermId,
) -> Vec<(usize, usize, u64)> {
    let mut place_of: FxHashMap<TermId, usize> = FxHashMap::default();
    for (i, &a) in pool.args(body).iter().enumerate() {
        place_of.entry(a).or_insert(i);
    }
    let mut values: FxHashMap<TermId, TermId> = FxHashMap::default();
    for &c in &clause.constraint {
        if pool.op(c) == Op::Eq {
            let (a, b) = (pool.args(c)[0], pool.args(c)[1]);
            values.entry(a).or_insert(b);
            values.entry(b).or_insert(a);
        }
    }
    let mut out = Vec::new();
    for (j, &b) in pool.args(head).iter().enumerate() {
        if let Some(&i) = place_of.get(&b) {
            out.push((i, j, COPY));
            continue;
        }
        let value = values.get(&b).copied().unwrap_or(b);
        if let Some(&i) = place_of.get(&value) {
            out.push((i, j, COPY));
            continue;
        }
        if !pool.is_arith(pool.sort_of(value)) {
            continue;
        }
        for (t, k) in &pool.linear(value).terms {
            match place_of.get(t) {
                Some(&i) if *k == Rational::ONE => out.push((i, j, STEP)),
                Some(&i) => out.push((i, j, USE)),
                None => {}
            }
        }
    }
    out
}

/// Arguments joined so far.
struct Groups {
    sorts: Vec<Vec<logic::SortId>>,
    group_of: BTreeMap<Place, usize>,
    members: Vec<BTreeSet<Place>>,
}

impl Groups {
    fn new(pool: &Pool, predicates: &[SymbolId]) -> Self {
        let sorts: Vec<Vec<_>> = predicates
            .iter()
            .map(|&s| pool.symbol_data(s).args.to_vec())
            .collect();
        let mut groups = Groups {
            group_of: BTreeMap::new(),
            members: Vec::new(),
            sorts,
        };
        for (p, args) in groups.sorts.iter().enumerate() {
            for i in 0..args.len() {
                groups.group_of.insert((p, i), groups.members.len());
                groups.members.push(BTreeSet::from([(p, i)]));
            }
        }
        groups
    }

    fn join(&mut self, a: Place, b: Place) {
        let (x, y) = (self.group_of[&a], self.group_of[&b]);
        if x == y || self.sorts[a.0][a.1] != self.sorts[b.0][b.1] {
            return;
        }
        let predicates: BTreeSet<usize> = self.members[x].iter().map(|m| m.0).collect();
        if self.members[y].iter().any(|m| predicates.contains(&m.0)) {
            return;
        }
        let (kept, gone) = (x.min(y), x.max(y));
        for member in std::mem::take(&mut self.members[gone]) {
            self.group_of.insert(member, kept);
            self.members[kept].insert(member);
        }
    }

    fn numbers(&self) -> Vec<Vec<usize>> {
        let predicate = |(p, args): (usize, &Vec<logic::SortId>)| {
            (0..args.len()).map(|i| self.group_of[&(p, i)]).collect()
        };
        self.sorts.iter().enumerate().map(predicate).collect()
    }
}
