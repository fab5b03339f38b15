//! Why nodes are equal: paths in the proof forest, down to asserted literals.

use super::{Euf, NONE, Node, Why};
use crate::Lit;
use crate::proof::Certificate;
use crate::theory::Conflict;
use base::Id;

impl Euf {
    pub(crate) fn make_proof_root(&mut self, n: Node) {
        let mut current = n;
        let mut edge = self.nodes[n].proof.take();
        while let Some((parent, why)) = edge {
            edge = self.nodes[parent].proof.replace((current, why));
            current = parent;
        }
    }

    /// Why an implied literal holds.
    pub(crate) fn explain(&mut self, lit: Lit) -> Conflict {
        let n = Node::from_index(self.implied_by[lit.var().index()] as usize);
        let value = self.nodes[n].lit == Some(lit);
        let mut lits = self.explain_equal(n, self.truth(value));
        lits.push(lit);
        Conflict {
            lits,
            cert: Certificate::Equality,
        }
    }

    /// The negations of literals that make `a` and `b` equal.
    pub(crate) fn explain_equal(&mut self, a: Node, b: Node) -> Vec<Lit> {
        self.stamp += 1;
        let edges = self.stamp;
        let mut out = Vec::new();
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            if a == b {
                continue;
            }
            self.stamp += 1;
            let mut m = a;
            loop {
                self.nodes[m].stamp = self.stamp;
                match self.nodes[m].proof {
                    Some((parent, _)) => m = parent,
                    None => break,
                }
            }
            let mut meet = b;
            while self.nodes[meet].stamp != self.stamp {
                meet = self.nodes[meet]
                    .proof
                    .expect("equal nodes are in one proof tree")
                    .0;
            }
            for start in [a, b] {
                let mut m = start;
                while m != meet {
                    let (parent, why) = self.nodes[m].proof.expect("the meeting point is above");
                    if self.nodes[m].edge_stamp != edges {
                        self.nodes[m].edge_stamp = edges;
                        match why {
                            Why::Lit(l) => out.push(!l),
                            Why::Reflexive(n) => {
                                let [x, y, _] = self.nodes[n].args;
                                work.push((
                                    Node::from_index(x as usize),
                                    Node::from_index(y as usize),
                                ));
                            }
                            Why::Congruence(p, q) => self.argument_pairs(p, q, false, &mut work),
                            Why::Crossed(p, q) => self.argument_pairs(p, q, true, &mut work),
                        }
                    }
                    m = parent;
                }
            }
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    fn argument_pairs(&self, p: Node, q: Node, crossed: bool, work: &mut Vec<(Node, Node)>) {
        let (mut x, y) = (self.nodes[p].args, self.nodes[q].args);
        if crossed {
            x.swap(0, 1);
        }
        for (&a, &b) in x.iter().zip(&y) {
            if a != NONE {
                work.push((Node::from_index(a as usize), Node::from_index(b as usize)));
            }
        }
    }
}
