//! The unwinding: a tree of nodes over program locations, labelled with formulas, with a covering
//! relation (McMillan, "Lazy Abstraction with Interpolants").
//!
//! Terms. A *node* is a location with the path of blocks from the root; its *label* over-approximates
//! the states that path can reach. A node is *covered* if it, or an ancestor, has a coverer: another
//! node at the same location whose label its own label implies; then its subtree need not be looked
//! at. Labels only get stronger.
//!
//! Restrictions on covers, without which they are unsound or go round in circles:
//! same location; the coverer is older (smaller id, hence no descendant), not covered itself, and not
//! below a node labelled false, whose subtree is left unfinished.
//! Strengthening a coverer removes the covers that rest on it.

use crate::core::tree::{NodeId, Tree};
use logic::{Pool, TermId};
use program::{BlockId, LocId};

/// A conjunction, as the sorted set of its conjuncts: empty is true, `[false]` is false.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    conjuncts: Vec<TermId>,
    /// The conjunction as a term, once it was asked for.
    term: Option<TermId>,
}

impl Label {
    pub fn conjuncts(&self) -> &[TermId] {
        &self.conjuncts
    }

    pub fn is_false(&self, pool: &Pool) -> bool {
        self.conjuncts == [pool.ff()]
    }

    pub fn term(&mut self, pool: &mut Pool) -> TermId {
        let conjuncts = &self.conjuncts;
        *self.term.get_or_insert_with(|| pool.and(conjuncts))
    }

    /// Adds the conjuncts of `fact`; says whether the label changed.
    pub fn strengthen(&mut self, pool: &Pool, fact: TermId) -> bool {
        if self.is_false(pool) {
            return false;
        }
        if fact == pool.ff() {
            (self.conjuncts, self.term) = (vec![fact], Some(fact));
            return true;
        }
        let mut changed = false;
        for c in pool.conjuncts(fact) {
            if let Err(at) = self.conjuncts.binary_search(&c) {
                self.conjuncts.insert(at, c);
                self.term = None;
                changed = true;
            }
        }
        changed
    }

    /// Is each conjunct of `other` one of ours? Then we imply it without asking a solver.
    pub fn contains_all(&self, other: &Label) -> bool {
        other
            .conjuncts
            .iter()
            .all(|c| self.conjuncts.binary_search(c).is_ok())
    }
}

/// What is kept of a node.
#[derive(Clone, Debug, Default)]
pub struct Labelled {
    pub label: Label,
    pub covered_by: Option<NodeId>,
    /// The nodes that this one covers.
    pub covers: Vec<NodeId>,
    pub expanded: bool,
    /// The label is false.
    pub impossible: bool,
    /// The node or an ancestor is covered or impossible.
    closed: bool,
}

/// The tree and its covering relation.
pub type Unwinding = Tree<Labelled>;

impl Unwinding {
    pub fn from_root(locations: usize, root: LocId) -> Self {
        let mut tree = Tree::new(locations);
        let root = tree.add(root, None, Labelled::default());
        tree.mark(root, true);
        tree
    }

    pub fn add_child(&mut self, parent: NodeId, block: BlockId, loc: LocId) -> NodeId {
        let labelled = Labelled {
            closed: self.nodes[parent].closed,
            ..Labelled::default()
        };
        let closed = labelled.closed;
        let child = self.add(loc, Some((parent, block)), labelled);
        self.mark(child, !closed);
        child
    }

    /// The nodes of a location that may cover others, oldest first: neither covered nor impossible, nor below such a node.
    pub fn standing(&self, loc: LocId) -> impl DoubleEndedIterator<Item = NodeId> + Clone + '_ {
        self.marked(loc)
    }

    /// The node or an ancestor has a coverer.
    pub fn is_covered(&self, node: NodeId) -> bool {
        self.ancestors(node)
            .any(|n| self.nodes[n].covered_by.is_some())
    }

    /// Adds a fact to a label. When the label changed, the covers that rest on the node go, and the
    /// nodes that lost their coverer are returned: they must be looked at again.
    pub fn strengthen(&mut self, pool: &Pool, node: NodeId, fact: TermId) -> Strengthened {
        if !self.nodes[node].label.strengthen(pool, fact) {
            return Strengthened {
                changed: false,
                uncovered: Vec::new(),
            };
        }
        let mut uncovered = Vec::new();
        if self.nodes[node].label.is_false(pool) {
            // What lies below is never looked at again, so it may cover nobody.
            self.nodes[node].impossible = true;
            self.settle(node);
            self.release_subtree(node, &mut uncovered);
        } else {
            self.release(node, &mut uncovered);
        }
        Strengthened {
            changed: true,
            uncovered,
        }
    }

    /// `by` covers `node`. The caller has shown that the label of `node` implies that of `by`.
    /// Returns the nodes that lost their coverer by it: they must be looked at again.
    pub fn cover(&mut self, node: NodeId, by: NodeId) -> Vec<NodeId> {
        assert!(self.may_cover(node, by), "the cover keeps the restrictions");
        // Nodes below a covered node may not cover others: their subtrees are left unfinished.
        let mut uncovered = Vec::new();
        self.release_subtree(node, &mut uncovered);
        self.nodes[node].covered_by = Some(by);
        self.nodes[by].covers.push(node);
        self.settle(node);
        uncovered
    }

    /// Brings the flags of a node and those below it up to date.
    fn settle(&mut self, node: NodeId) {
        let mut work = vec![node];
        while let Some(n) = work.pop() {
            let this = &self.nodes[n];
            let above = this.parent.is_some_and(|(p, _)| self.nodes[p].closed);
            let closed = above || this.impossible || this.covered_by.is_some();
            if closed != this.closed {
                self.nodes[n].closed = closed;
                self.mark(n, !closed);
                work.extend(&self.nodes[n].children);
            }
        }
    }

    /// Removes the covers that rest on the node.
    fn release(&mut self, node: NodeId, uncovered: &mut Vec<NodeId>) {
        for lost in std::mem::take(&mut self.nodes[node].covers) {
            self.nodes[lost].covered_by = None;
            self.settle(lost);
            uncovered.push(lost);
        }
    }

    /// Removes the covers that rest on the node or what is below it.
    fn release_subtree(&mut self, node: NodeId, uncovered: &mut Vec<NodeId>) {
        for n in self.subtree(node) {
            self.release(n, uncovered);
        }
    }

    /// The nodes that keep the unwinding from being complete: neither expanded, nor covered, nor
    /// impossible.
    pub fn open_leaves(&self) -> Vec<NodeId> {
        let nodes = self.nodes.iter_enumerated();
        let open = nodes.filter(|(_, n)| !n.expanded && !n.closed);
        open.map(|(id, _)| id).collect()
    }

    /// Covered or impossible, or below such a node.
    pub fn is_closed(&self, node: NodeId) -> bool {
        self.nodes[node].closed
    }

    /// The restrictions on covers that do not depend on labels.
    pub fn may_cover(&self, node: NodeId, by: NodeId) -> bool {
        by < node
            && self.nodes[by].loc == self.nodes[node].loc
            && !self.nodes[by].closed
            && !self.nodes[node].closed
    }
}

pub struct Strengthened {
    pub changed: bool,
    pub uncovered: Vec<NodeId>,
}
