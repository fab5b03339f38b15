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

use base::{FxHashMap, Id, IndexVec, new_id};
use logic::{Pool, TermId};

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
        }
    }
}
