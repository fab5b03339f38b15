//! Merging classes until congruent applications are equal; the literals that follow.

use super::{EQ, Euf, Node, Undo, Why};
use crate::Lit;
use crate::proof::Certificate;
use crate::theory::{Assignment, Conflict, FinalCheck, Interrupt, Source, Theory};
use base::{Budget, Id};
use logic::Pool;

impl Euf {
    /// A literal was assigned.
    pub(crate) fn assert_lit(&mut self, lit: Lit) {
        for i in 0..self.links[lit.var().index()].len() {
            let (n, _) = self.links[lit.var().index()][i];
            self.decide(lit, n);
        }
    }

    /// `lit` is true and decides `n`, positively or negatively.
    pub(crate) fn decide(&mut self, lit: Lit, n: Node) {
        let value = self.nodes[n].lit == Some(lit);
        self.pending.push((n, self.truth(value), Why::Lit(lit)));
        if value && self.nodes[n].tag == EQ {
            let [a, b, _] = self.nodes[n].args;
            let (a, b) = (Node::from_index(a as usize), Node::from_index(b as usize));
            self.pending.push((a, b, Why::Lit(lit)));
        }
    }

    /// Closes under congruence. Literals that follow are in `implied`.
    pub(crate) fn close(&mut self) -> Result<(), Conflict> {
        let mut i = 0;
        while i < self.pending.len() {
            let (a, b, why) = self.pending[i];
            i += 1;
            if let Err(conflict) = self.merge(a, b, why) {
                self.pending.clear();
                return Err(conflict);
            }
        }
        self.pending.clear();
        Ok(())
    }

    fn merge(&mut self, a: Node, b: Node, why: Why) -> Result<(), Conflict> {
        let (ra, rb) = (self.root(a), self.root(b));
        if ra == rb {
            return Ok(());
        }
        self.merges += 1;
        let (edge, other, small, big) = if self.nodes[ra].size <= self.nodes[rb].size {
            (a, b, ra, rb)
        } else {
            (b, a, rb, ra)
        };
        self.make_proof_root(edge);
        self.nodes[edge].proof = Some((other, why));
        let (ks, kb) = (self.nodes[small].constant, self.nodes[big].constant);
        if let (Some(x), Some(y)) = (ks, kb) {
            let lits = self.explain_equal(x, y);
            self.nodes[edge].proof = None;
            return Err(Conflict {
                lits,
                cert: Certificate::Equality,
            });
        }
        match (ks, kb) {
            (Some(k), None) if k.index() < 2 => self.imply_members(big, k),
            (None, Some(k)) if k.index() < 2 => self.imply_members(small, k),
            _ => {}
        }
        let uses = std::mem::take(&mut self.nodes[small].uses);
        for &p in &uses {
            let signature = self.signature(p);
            if self.table.get(&signature) == Some(&p) {
                self.table.remove(&signature);
                self.trail.push(Undo::Remove(signature, p));
            }
        }
        self.trail.push(Undo::Merge {
            small,
            big,
            uses: self.nodes[big].uses.len(),
            constant: kb,
            edge: (edge, other),
        });
        self.set_roots(small, big);
        let (next_big, next_small) = (self.nodes[big].next, self.nodes[small].next);
        self.nodes[big].next = next_small;
        self.nodes[small].next = next_big;
        let size = self.nodes[small].size;
        let data = &mut self.nodes[big];
        data.size += size;
        data.constant = kb.or(ks);
        data.uses.extend_from_slice(&uses);
        for &p in &uses {
            self.sign(p);
        }
        self.nodes[small].uses = uses;
        Ok(())
    }

    fn imply_members(&mut self, start: Node, constant: Node) {
        let mut m = start;
        loop {
            self.imply(m, constant);
            m = self.nodes[m].next;
            if m == start {
                break;
            }
        }
    }

    pub(crate) fn imply(&mut self, n: Node, constant: Node) {
        if let Some(lit) = self.nodes[n].lit {
            let lit = if constant == self.truth(true) {
                lit
            } else {
                !lit
            };
            self.implied.push((lit, n));
        }
    }
}

impl Theory for Euf {
    const SOURCE: Source = Source::Equality;

    fn push(&mut self) {
        Euf::push(self);
    }

    fn pop(&mut self, levels: usize) {
        Euf::pop(self, levels);
    }

    fn assert_lit(&mut self, lit: Lit) -> Result<(), Conflict> {
        Euf::assert_lit(self, lit);
        Ok(())
    }

    fn propagate(&mut self, _: &Budget) -> Result<(), Interrupt> {
        if !self.on {
            return Ok(());
        }
        self.close().map_err(Interrupt::Conflict)?;
        self.implied.reverse();
        Ok(())
    }

    fn next_implied(&mut self, assignment: &impl Assignment) -> Option<Lit> {
        while let Some((lit, n)) = self.implied.pop() {
            // A literal assigned otherwise shows as a conflict of the classes of truth.
            if assignment.value(lit).is_none() {
                self.implied_by[lit.var().index()] = n.index() as u32;
                return Some(lit);
            }
        }
        None
    }

    fn explain(&mut self, lit: Lit) -> Conflict {
        Euf::explain(self, lit)
    }

    fn final_check(&mut self, _: &mut Pool, _: &Budget) -> FinalCheck {
        FinalCheck::Ok
    }
}
