//! Levels of the congruence closure: undoing merges, and doing again what nodes made late need.

use super::{Euf, Late, Node, Undo};
use crate::Lit;

impl Euf {
    pub(crate) fn push(&mut self) {
        self.levels.push(self.trail.len());
    }

    pub(crate) fn pop(&mut self, n: usize) {
        if n == 0 {
            return;
        }
        self.pending.clear();
        self.implied.clear();
        let level = self.levels.len() - n;
        let start = self.levels[level];
        self.levels.truncate(level);
        while self.trail.len() > start {
            let undo = self.trail.pop().expect("longer than start");
            self.undo(undo);
        }
        // Nodes and links made above this level are kept: do their part again.
        let mut redo = Vec::new();
        while self.late.last().is_some_and(|l| l.0 > level as u32) {
            redo.extend(self.late.pop());
        }
        for &(_, late) in redo.iter().rev() {
            if let Late::Node(n) = late {
                self.install(n);
            }
        }
        for &(_, late) in redo.iter().rev() {
            // Whoever owns the assignment tells again which of these still hold.
            if let Late::Lit(lit, n) = late {
                self.late.push((level as u32, Late::Lit(lit, n)));
            }
        }
    }

    /// After `pop`: asserts the literals of late links that are still true.
    pub(crate) fn relink(&mut self, is_true: impl Fn(Lit) -> bool) {
        let level = self.levels.len() as u32;
        let mut i = self.late.len();
        while i > 0 && self.late[i - 1].0 == level {
            i -= 1;
            if let Late::Lit(lit, n) = self.late[i].1 {
                if is_true(lit) {
                    self.decide(lit, n);
                } else {
                    self.late.remove(i);
                }
            }
        }
        if level == 0 {
            self.late.clear();
        }
    }

    fn undo(&mut self, undo: Undo) {
        match undo {
            Undo::Insert(signature) => {
                self.table.remove(&signature);
            }
            Undo::Remove(signature, n) => {
                self.table.insert(signature, n);
            }
            Undo::Use(root) => {
                self.nodes[root].uses.pop();
            }
            Undo::Merge {
                small,
                big,
                uses,
                constant,
                edge,
            } => {
                // Later merges may have turned the edge round.
                let (a, b) = edge;
                let at = if self.nodes[a].proof.is_some_and(|p| p.0 == b) {
                    a
                } else {
                    b
                };
                self.nodes[at].proof = None;
                let (next_big, next_small) = (self.nodes[big].next, self.nodes[small].next);
                self.nodes[big].next = next_small;
                self.nodes[small].next = next_big;
                let size = self.nodes[small].size;
                let data = &mut self.nodes[big];
                data.uses.truncate(uses);
                data.constant = constant;
                data.size -= size;
                self.set_roots(small, small);
            }
        }
    }

    pub(crate) fn set_roots(&mut self, start: Node, root: Node) {
        let mut m = start;
        loop {
            self.nodes[m].root = root;
            m = self.nodes[m].next;
            if m == start {
                break;
            }
        }
    }
}
