//! Binary decision diagrams over predicate numbers: the abstract states.
//!
//! A diagram is a number: equal sets of valuations are equal numbers, so that covering and the
//! cache of abstract posts compare by `==`. The order of variables is the order of discovery.
//!
//! Why not a library: predicates arrive during the run, while `biodivine-lib-bdd` fixes the number
//! of variables up front and gives each diagram nodes of its own (no sharing, no constant-time
//! equality). What is needed is one operation, if-then-else, and the walk to a formula.
//!
//! Invariants: `lo != hi`, variables grow from the root down, no two nodes are equal. Recursion is
//! as deep as there are predicates, not as deep as terms.

use base::{FxHashMap, FxHashSet, Id, IndexVec, new_id};
use logic::{Pool, TermId};
use std::collections::BTreeSet;

new_id!(
    /// A set of valuations of the predicates.
    pub Bdd, "b");

#[derive(Clone, Copy)]
struct Node {
    var: u32,
    lo: Bdd,
    hi: Bdd,
}

/// The variable of the two leaves: after all others.
const LEAF: u32 = u32::MAX;

/// All diagrams of one run.
pub struct Bdds {
    nodes: IndexVec<Bdd, Node>,
    unique: FxHashMap<(u32, Bdd, Bdd), Bdd>,
    ites: FxHashMap<(Bdd, Bdd, Bdd), Bdd>,
    terms: FxHashMap<Bdd, TermId>,
}

impl Default for Bdds {
    fn default() -> Self {
        let mut nodes = IndexVec::new();
        for i in 0..2 {
            let leaf = Bdd::from_index(i);
            nodes.push(Node {
                var: LEAF,
                lo: leaf,
                hi: leaf,
            });
        }
        Bdds {
            nodes,
            unique: FxHashMap::default(),
            ites: FxHashMap::default(),
            terms: FxHashMap::default(),
        }
    }
}

impl Bdds {
    /// No valuation.
    pub fn none(&self) -> Bdd {
        Bdd::from_index(0)
    }

    /// Every valuation.
    pub fn all(&self) -> Bdd {
        Bdd::from_index(1)
    }

    fn node(&mut self, var: u32, lo: Bdd, hi: Bdd) -> Bdd {
        if lo == hi {
            return lo;
        }
        *self
            .unique
            .entry((var, lo, hi))
            .or_insert_with(|| self.nodes.push(Node { var, lo, hi }))
    }

    /// The valuations with these values.
    pub fn cube(&mut self, literals: &[(u32, bool)]) -> Bdd {
        let mut sorted = literals.to_vec();
        sorted.sort_unstable();
        let none = self.none();
        let mut below = self.all();
        for &(var, value) in sorted.iter().rev() {
            below = if value {
                self.node(var, none, below)
            } else {
                self.node(var, below, none)
            };
        }
        below
    }

    fn branch(&self, b: Bdd, var: u32) -> (Bdd, Bdd) {
        let n = self.nodes[b];
        if n.var == var { (n.lo, n.hi) } else { (b, b) }
    }

    pub fn ite(&mut self, c: Bdd, a: Bdd, b: Bdd) -> Bdd {
        if c == self.all() || a == b {
            return a;
        }
        if c == self.none() {
            return b;
        }
        if a == self.all() && b == self.none() {
            return c;
        }
        if let Some(&r) = self.ites.get(&(c, a, b)) {
            return r;
        }
        let var = [c, a, b]
            .iter()
            .map(|&x| self.nodes[x].var)
            .min()
            .expect("three operands");
        let (c0, c1) = self.branch(c, var);
        let (a0, a1) = self.branch(a, var);
        let (b0, b1) = self.branch(b, var);
        let lo = self.ite(c0, a0, b0);
        let hi = self.ite(c1, a1, b1);
        let r = self.node(var, lo, hi);
        self.ites.insert((c, a, b), r);
        r
    }

    pub fn or(&mut self, a: Bdd, b: Bdd) -> Bdd {
        let all = self.all();
        self.ite(a, all, b)
    }

    pub fn and(&mut self, a: Bdd, b: Bdd) -> Bdd {
        let none = self.none();
        self.ite(a, b, none)
    }

    /// Is every valuation of `a` one of `b`?
    pub fn implies(&mut self, a: Bdd, b: Bdd) -> bool {
        let all = self.all();
        self.ite(a, b, all) == all
    }

    /// The value that a variable has in every valuation of `a`, if it is always the same.
    pub fn value(&mut self, a: Bdd, var: u32) -> Option<bool> {
        [true, false].into_iter().find(|&value| {
            let literal = self.cube(&[(var, value)]);
            self.implies(a, literal)
        })
    }

    pub fn not(&mut self, a: Bdd) -> Bdd {
        let (none, all) = (self.none(), self.all());
        self.ite(a, none, all)
    }

    /// The variables that a diagram depends on, sorted.
    pub fn support(&self, b: Bdd) -> Vec<u32> {
        let mut seen: FxHashSet<Bdd> = FxHashSet::default();
        let mut vars = BTreeSet::new();
        let mut work = vec![b];
        while let Some(b) = work.pop() {
            let n = self.nodes[b];
            if n.var != LEAF && seen.insert(b) {
                vars.insert(n.var);
                work.extend([n.lo, n.hi]);
            }
        }
        vars.into_iter().collect()
    }

    /// The valuations that are in `b` for some values of the variables `gone` (sorted).
    pub fn exists(&mut self, b: Bdd, gone: &[u32]) -> Bdd {
        let mut done = FxHashMap::default();
        self.exists_below(b, gone, &mut done)
    }

    fn exists_below(&mut self, b: Bdd, gone: &[u32], done: &mut FxHashMap<Bdd, Bdd>) -> Bdd {
        let n = self.nodes[b];
        if gone.last().is_none_or(|&last| n.var > last) {
            return b;
        }
        if let Some(&known) = done.get(&b) {
            return known;
        }
        let lo = self.exists_below(n.lo, gone, done);
        let hi = self.exists_below(n.hi, gone, done);
        let r = match gone.binary_search(&n.var) {
            Ok(_) => self.or(lo, hi),
            Err(_) => self.node(n.var, lo, hi),
        };
        done.insert(b, r);
        r
    }

    /// The set as a disjoint union of cubes, one a path through the diagram; `None` if there are more than `most`.
    pub fn cubes(&mut self, b: Bdd, most: usize) -> Option<Vec<Bdd>> {
        let mut out = Vec::new();
        let mut work = vec![(b, Vec::new())];
        while let Some((at, literals)) = work.pop() {
            let n = self.nodes[at];
            if n.var == LEAF {
                if at == self.all() {
                    out.push(literals);
                }
                if out.len() > most {
                    return None;
                }
                continue;
            }
            for (below, value) in [(n.hi, true), (n.lo, false)] {
                let mut longer = literals.clone();
                longer.push((n.var, value));
                work.push((below, longer));
            }
        }
        Some(out.iter().map(|literals| self.cube(literals)).collect())
    }

    /// A valuation of these variables (sorted) that some valuation of `b`, which is not empty, has.
    fn some_of(&self, mut b: Bdd, vars: &[u32]) -> Vec<(u32, bool)> {
        let mut out: Vec<(u32, bool)> = vars.iter().map(|&v| (v, false)).collect();
        while self.nodes[b].var != LEAF {
            let n = self.nodes[b];
            let up = n.lo == self.none();
            if let Ok(at) = vars.binary_search(&n.var) {
                out[at].1 = up;
            }
            b = if up { n.hi } else { n.lo };
        }
        out
    }

    /// The set as a union of products: each a set of valuations of the `near` variables and all that the `far` ones are with
    /// each of these. The near sets are disjoint. `None` if there are more than `most`.
    pub fn products(
        &mut self,
        b: Bdd,
        near: &[u32],
        far: &[u32],
        most: usize,
    ) -> Option<Vec<(Bdd, Bdd)>> {
        let mut out = Vec::new();
        let mut rest = b;
        while rest != self.none() {
            if out.len() == most {
                return None;
            }
            let chosen = self.some_of(rest, near);
            let chosen = self.cube(&chosen);
            let with = self.and(b, chosen);
            let beside = self.exists(with, near);
            // The near valuations with exactly these far ones.
            let other = self.not(beside);
            let differs = self.ite(b, other, beside);
            let differs = self.exists(differs, far);
            let same = self.not(differs);
            out.push((same, beside));
            let others = self.not(same);
            rest = self.and(rest, others);
        }
        Some(out)
    }

    /// The diagram as a formula; `predicates[i]` is the formula of variable `i`.
    pub fn term(&mut self, pool: &mut Pool, predicates: &[TermId], b: Bdd) -> TermId {
        let mut stack = vec![b];
        while let Some(&top) = stack.last() {
            if self.terms.contains_key(&top) {
                stack.pop();
                continue;
            }
            let n = self.nodes[top];
            if n.var == LEAF {
                self.terms.insert(top, pool.bool_const(top == self.all()));
                continue;
            }
            match (self.terms.get(&n.lo), self.terms.get(&n.hi)) {
                (Some(&lo), Some(&hi)) => {
                    let t = pool.ite(predicates[n.var as usize], hi, lo);
                    self.terms.insert(top, t);
                }
                _ => stack.extend([n.lo, n.hi]),
            }
        }
        self.terms[&b]
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Against truth tables over four variables.
    #[test]
    fn agrees_with_truth_tables() {
        let mut bdds = Bdds::default();
        let mut known: Vec<(Bdd, u16)> = Vec::new();
        for var in 0..4u32 {
            let table = (0..16u16).filter(|v| v >> var & 1 == 1).map(|v| 1 << v);
            known.push((bdds.cube(&[(var, true)]), table.sum()));
        }
        let mut seed = 12345u64;
        let mut pick = |n: usize| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
            (seed >> 33) as usize % n
        };
        for _ in 0..400 {
            let (c, ct) = known[pick(known.len())];
            let (a, at) = known[pick(known.len())];
            let (b, bt) = known[pick(known.len())];
            let table = (ct & at) | (!ct & bt);
            let r = bdds.ite(c, a, b);
            for &(other, other_table) in &known {
                assert_eq!(r == other, table == other_table);
                assert_eq!(bdds.implies(r, other), table & !other_table == 0);
            }
            known.push((r, table));
            // Without the first and the last variable, and as products.
            let some = |v: u16| [v, v ^ 1, v ^ 8, v ^ 9].iter().any(|w| table >> w & 1 == 1);
            let without: u16 = (0..16u16).filter(|&v| some(v)).map(|v| 1 << v).sum();
            let exists = bdds.exists(r, &[0, 3]);
            let inside = |b: Bdd, v: u16, bdds: &mut Bdds| {
                let cube: Vec<(u32, bool)> = (0..4).map(|i| (i, v >> i & 1 == 1)).collect();
                let cube = bdds.cube(&cube);
                bdds.implies(cube, b)
            };
            assert!((0..16).all(|v| inside(exists, v, &mut bdds) == (without >> v & 1 == 1)));
            let mut sum = bdds.none();
            for (near, far) in bdds.products(r, &[1, 3], &[0, 2], 16).unwrap() {
                assert!(bdds.support(near).iter().all(|v| [1, 3].contains(v)));
                assert!(bdds.support(far).iter().all(|v| [0, 2].contains(v)));
                let product = bdds.and(near, far);
                sum = bdds.or(sum, product);
            }
            assert_eq!(sum, r);
            let cubes = bdds.cubes(r, 16).unwrap();
            let none = bdds.none();
            assert_eq!(cubes.iter().fold(none, |sum, &c| bdds.or(sum, c)), r);
        }
    }
}
