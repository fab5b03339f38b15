//! A small congruence closure over the terms of one lemma, with explanations.
//!
//! Every merge is kept in order of time with its reason: a given equality or congruence. The merges
//! form a forest, so two equal terms are joined by exactly one path; the argument pairs of a
//! congruence are joined by merges that are older. Interpolation colours these paths, the checker
//! only asks whether there is a conflict. Formulas that are arguments are terms like others.
//!
//! Invariant: all merges on the path between the arguments of a congruence merge are older than it.

use super::strip_not;
use crate::theory::arith::linearise;
use base::FxHashMap;
use logic::{Op, Pool, Rational, SortId, TermId};

/// Lemmas with more arithmetic terms are read as they stand.
const DIFFERENCE_LIMIT: usize = 100;

/// Why two terms are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The given literal of this number.
    Given(usize),
    /// Same operator, arguments pairwise equal.
    Congruent,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Merge {
    pub left: usize,
    pub right: usize,
    pub reason: Reason,
}

/// Two equal terms that must differ: by the given literal, or as distinct values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conflict {
    pub left: usize,
    pub right: usize,
    pub literal: Option<usize>,
}

pub(crate) struct Congruence {
    nodes: FxHashMap<TermId, usize>,
    pub terms: Vec<TermId>,
    args: Vec<Vec<usize>>,
    class: Vec<usize>,
    members: Vec<Vec<usize>>,
    /// Towards the root of the explanation tree: (node, merge).
    towards: Vec<Option<(usize, usize)>>,
    pub merges: Vec<Merge>,
    disequalities: Vec<(usize, usize, Option<usize>)>,
    /// Numerals, true and false.
    values: Vec<usize>,
}

impl Congruence {
    /// The closure of literals given as (atom, value): `Eq` atoms as they are, others as equal to
    /// true or false.
    pub fn of_literals(pool: &Pool, literals: &[(TermId, bool)]) -> Congruence {
        let mut c = Congruence {
            nodes: FxHashMap::default(),
            terms: Vec::new(),
            args: Vec::new(),
            class: Vec::new(),
            members: Vec::new(),
            towards: Vec::new(),
            merges: Vec::new(),
            disequalities: Vec::new(),
            values: Vec::new(),
        };
        let mut sides = Vec::with_capacity(literals.len());
        for &(atom, value) in literals {
            let (atom, value) = strip_not(pool, atom, value);
            sides.push(match (pool.op(atom), value) {
                (Op::Eq, _) => (pool.args(atom)[0], pool.args(atom)[1], value),
                _ => (atom, pool.bool_const(value), true),
            });
        }
        let mut roots: Vec<TermId> = sides.iter().flat_map(|&(a, b, _)| [a, b]).collect();
        roots.extend([pool.tt(), pool.ff()]);
        for t in pool.post_order(&roots) {
            c.add_node(pool, t);
        }
        c.add_arguments(pool, literals);
        for (i, &(a, b, equal)) in sides.iter().enumerate() {
            let (a, b) = (c.nodes[&a], c.nodes[&b]);
            match equal {
                true => c.merge(a, b, Reason::Given(i)),
                false => c.disequalities.push((a, b, Some(i))),
            }
        }
        c.add_differences(pool, &sides);
        c.close(pool);
        c
    }

    fn add_node(&mut self, pool: &Pool, t: TermId) {
        let n = self.terms.len();
        self.nodes.insert(t, n);
        self.terms.push(t);
        self.args
            .push(pool.args(t).iter().map(|a| self.nodes[a]).collect());
        self.class.push(n);
        self.members.push(vec![n]);
        self.towards.push(None);
        if matches!(pool.op(t), Op::True | Op::False | Op::Num(_)) {
            self.values.push(n);
        }
    }

    /// Formulas may be arguments: a literal is true or false there too, and its negation the opposite.
    fn add_arguments(&mut self, pool: &Pool, literals: &[(TermId, bool)]) {
        let negations: FxHashMap<TermId, usize> = (0..self.terms.len())
            .filter(|&n| pool.op(self.terms[n]) == Op::Not)
            .map(|n| (pool.args(self.terms[n])[0], n))
            .collect();
        for (i, &(atom, value)) in literals.iter().enumerate() {
            let (atom, value) = strip_not(pool, atom, value);
            let [same, opposite] = [value, !value].map(|v| self.nodes[&pool.bool_const(v)]);
            if let Some(&n) = self.nodes.get(&atom) {
                self.merge(n, same, Reason::Given(i));
            }
            if let Some(&n) = negations.get(&atom) {
                self.merge(n, opposite, Reason::Given(i));
            }
        }
    }

    /// An arithmetic equality is normalised: it speaks of every two terms whose difference is a
    /// multiple of its own. Terms that differ by a constant are not equal.
    fn add_differences(&mut self, pool: &Pool, sides: &[(TermId, TermId, bool)]) {
        let arithmetic = |t: TermId| pool.is_arith(pool.sort_of(t));
        let nodes: Vec<usize> = (0..self.terms.len())
            .filter(|&n| arithmetic(self.terms[n]))
            .collect();
        if nodes.len() > DIFFERENCE_LIMIT {
            return;
        }
        let difference = |a: TermId, b: TermId| {
            let mut d = linearise(pool, a).add_scaled(&Rational::MINUS_ONE, &linearise(pool, b));
            if let Some((_, lead)) = d.terms.first() {
                let factor = lead.recip();
                d.scale(&factor);
            }
            d
        };
        let mut given: FxHashMap<_, (usize, bool)> = FxHashMap::default();
        for (i, &(a, b, equal)) in sides.iter().enumerate() {
            if arithmetic(a) {
                let d = difference(a, b);
                given.entry((d.terms, d.constant)).or_insert((i, equal));
            }
        }
        for (k, &m) in nodes.iter().enumerate() {
            for &n in &nodes[k + 1..] {
                let d = difference(self.terms[m], self.terms[n]);
                if d.terms.is_empty() {
                    self.disequalities.push((m, n, None));
                    continue;
                }
                match given.get(&(d.terms, d.constant)) {
                    Some(&(i, true)) => self.merge(m, n, Reason::Given(i)),
                    Some(&(i, false)) => self.disequalities.push((m, n, Some(i))),
                    None => {}
                }
            }
        }
    }

    /// Rounds of signature hashing until nothing merges. Lemmas are small, rounds are few.
    fn close(&mut self, pool: &Pool) {
        loop {
            let mut table: FxHashMap<(Op, SortId, Vec<usize>), usize> = FxHashMap::default();
            let mut changed = false;
            for n in 0..self.terms.len() {
                if self.args[n].is_empty() {
                    continue;
                }
                let signature: Vec<usize> = self.args[n].iter().map(|&a| self.class[a]).collect();
                let t = self.terms[n];
                let key = (pool.op(t), pool.sort_of(t), signature);
                match table.get(&key) {
                    Some(&m) if self.class[m] != self.class[n] => {
                        self.merge(m, n, Reason::Congruent);
                        changed = true;
                    }
                    Some(_) => {}
                    None => {
                        table.insert(key, n);
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn merge(&mut self, left: usize, right: usize, reason: Reason) {
        let (mut small, mut large) = (self.class[left], self.class[right]);
        if small == large {
            return;
        }
        let (mut from, mut to) = (left, right);
        if self.members[small].len() > self.members[large].len() {
            std::mem::swap(&mut small, &mut large);
            std::mem::swap(&mut from, &mut to);
        }
        // Turn the tree of the smaller class so that `from` is its root, then hang it on `to`.
        let mut previous = Some((to, self.merges.len()));
        let mut at = Some(from);
        while let Some(n) = at {
            let next = self.towards[n];
            self.towards[n] = previous;
            previous = next.map(|(_, m)| (n, m));
            at = next.map(|(p, _)| p);
        }
        self.merges.push(Merge {
            left,
            right,
            reason,
        });
        let moved = std::mem::take(&mut self.members[small]);
        for &m in &moved {
            self.class[m] = large;
        }
        self.members[large].extend(moved);
    }

    pub fn conflict(&self) -> Option<Conflict> {
        for &(left, right, literal) in &self.disequalities {
            if self.class[left] == self.class[right] {
                return Some(Conflict {
                    left,
                    right,
                    literal,
                });
            }
        }
        let mut value_of: FxHashMap<usize, usize> = FxHashMap::default();
        for &v in &self.values {
            match value_of.get(&self.class[v]) {
                Some(&w) => {
                    return Some(Conflict {
                        left: w,
                        right: v,
                        literal: None,
                    });
                }
                None => {
                    value_of.insert(self.class[v], v);
                }
            }
        }
        None
    }

    pub fn arguments(&self, node: usize) -> &[usize] {
        &self.args[node]
    }

    /// The merges that lead from `a` to `b`, each with the node it leaves and the node it reaches.
    /// Both must be in one class.
    pub fn path(&self, a: usize, b: usize) -> Vec<(usize, usize, usize)> {
        let up = |mut n: usize| {
            let mut nodes = vec![n];
            while let Some((p, _)) = self.towards[n] {
                nodes.push(p);
                n = p;
            }
            nodes
        };
        let (mut from_a, mut from_b) = (up(a), up(b));
        // Drop the common part above the meeting point, keep the point itself once.
        let mut meet = *from_a.last().expect("a path has its own node");
        assert!(from_b.last() == Some(&meet), "the terms are equal");
        while let (Some(&x), Some(&y)) = (from_a.last(), from_b.last()) {
            if x != y {
                break;
            }
            meet = x;
            from_a.pop();
            from_b.pop();
        }
        let mut path = Vec::with_capacity(from_a.len() + from_b.len());
        let step = |n: usize| self.towards[n].expect("not a root");
        for (i, &n) in from_a.iter().enumerate() {
            let next = from_a.get(i + 1).copied().unwrap_or(meet);
            path.push((step(n).1, n, next));
        }
        for (i, &n) in from_b.iter().enumerate().rev() {
            let next = from_b.get(i + 1).copied().unwrap_or(meet);
            path.push((step(n).1, next, n));
        }
        path
    }
}
