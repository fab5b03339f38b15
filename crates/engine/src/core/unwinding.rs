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

use base::{IndexVec, new_id};
use logic::{Pool, TermId};
use program::{BlockId, LocId};

new_id!(
    /// A node of an unwinding.
    pub NodeId, "n");

/// A conjunction, as the sorted set of its conjuncts: empty is true, `[false]` is false.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    conjuncts: Vec<TermId>,
}

impl Label {
    pub fn conjuncts(&self) -> &[TermId] {
        &self.conjuncts
    }

    pub fn is_false(&self, pool: &Pool) -> bool {
        self.conjuncts == [pool.ff()]
    }

    pub fn term(&self, pool: &mut Pool) -> TermId {
        pool.and(&self.conjuncts)
    }

    /// Adds the conjuncts of `fact`; says whether the label changed.
    pub fn strengthen(&mut self, pool: &Pool, fact: TermId) -> bool {
        if self.is_false(pool) {
            return false;
        }
        if fact == pool.ff() {
            self.conjuncts = vec![fact];
            return true;
        }
        let mut changed = false;
        for c in pool.conjuncts(fact) {
            if let Err(at) = self.conjuncts.binary_search(&c) {
                self.conjuncts.insert(at, c);
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

#[derive(Clone, Debug)]
pub struct Node {
    pub loc: LocId,
    pub parent: Option<(NodeId, BlockId)>,
    pub children: Vec<NodeId>,
    pub label: Label,
    pub covered_by: Option<NodeId>,
    /// The nodes that this one covers.
    pub covers: Vec<NodeId>,
    pub depth: u32,
    pub expanded: bool,
    /// The label is false.
    pub impossible: bool,
}

/// The tree and its covering relation.
pub struct Unwinding {
    pub nodes: IndexVec<NodeId, Node>,
    /// Nodes of each location, oldest first.
    by_loc: IndexVec<LocId, Vec<NodeId>>,
}

impl Unwinding {
    pub fn new(locations: usize, root: LocId) -> Self {
        let mut u = Unwinding {
            nodes: IndexVec::new(),
            by_loc: IndexVec::filled(Vec::new(), locations),
        };
        u.add(root, None);
        u
    }

    pub fn root(&self) -> NodeId {
        self.nodes
            .ids()
            .next()
            .expect("the root is made with the tree")
    }

    fn add(&mut self, loc: LocId, parent: Option<(NodeId, BlockId)>) -> NodeId {
        let depth = parent.map_or(0, |(p, _)| self.nodes[p].depth + 1);
        let id = self.nodes.push(Node {
            loc,
            parent,
            children: Vec::new(),
            label: Label::default(),
            covered_by: None,
            covers: Vec::new(),
            depth,
            expanded: false,
            impossible: false,
        });
        self.by_loc[loc].push(id);
        id
    }

    /// Has the node a child by this block?
    pub fn has_child(&self, node: NodeId, block: BlockId) -> bool {
        let by = |&c: &NodeId| self.nodes[c].parent.is_some_and(|(_, b)| b == block);
        self.nodes[node].children.iter().any(by)
    }

    pub fn add_child(&mut self, parent: NodeId, block: BlockId, loc: LocId) -> NodeId {
        let child = self.add(loc, Some((parent, block)));
        self.nodes[parent].children.push(child);
        child
    }

    pub fn at_location(&self, loc: LocId) -> &[NodeId] {
        &self.by_loc[loc]
    }

    /// The node or an ancestor has a coverer.
    pub fn is_covered(&self, node: NodeId) -> bool {
        self.ancestors(node)
            .any(|n| self.nodes[n].covered_by.is_some())
    }

    /// The node, its parent, … the root.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(node), |&n| self.nodes[n].parent.map(|(p, _)| p))
    }

    pub fn is_ancestor(&self, ancestor: NodeId, node: NodeId) -> bool {
        self.ancestors(node).any(|n| n == ancestor)
    }

    /// The nodes from the root to `node`, and the blocks between them.
    pub fn path_to(&self, node: NodeId) -> (Vec<NodeId>, Vec<BlockId>) {
        let mut nodes: Vec<NodeId> = self.ancestors(node).collect();
        nodes.reverse();
        let blocks = nodes
            .iter()
            .filter_map(|&n| self.nodes[n].parent.map(|(_, b)| b))
            .collect();
        (nodes, blocks)
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
        uncovered
    }

    /// Removes the covers that rest on the node.
    fn release(&mut self, node: NodeId, uncovered: &mut Vec<NodeId>) {
        for lost in std::mem::take(&mut self.nodes[node].covers) {
            self.nodes[lost].covered_by = None;
            uncovered.push(lost);
        }
    }

    /// Removes the covers that rest on the node or what is below it.
    fn release_subtree(&mut self, node: NodeId, uncovered: &mut Vec<NodeId>) {
        let mut below = vec![node];
        while let Some(n) = below.pop() {
            self.release(n, uncovered);
            below.extend(self.nodes[n].children.iter().copied());
        }
    }

    /// The nodes that keep the unwinding from being complete: neither expanded, nor covered, nor
    /// impossible.
    pub fn open_leaves(&self, pool: &Pool) -> Vec<NodeId> {
        self.nodes
            .iter_enumerated()
            .filter(|(_, n)| !n.expanded && !n.label.is_false(pool))
            .map(|(id, _)| id)
            .filter(|&id| !self.is_closed(pool, id))
            .collect()
    }

    /// Covered or impossible, or below such a node.
    pub fn is_closed(&self, pool: &Pool, node: NodeId) -> bool {
        self.ancestors(node).any(|n| {
            let n = &self.nodes[n];
            n.covered_by.is_some() || n.label.is_false(pool)
        })
    }

    /// The restrictions on covers that do not depend on labels.
    pub fn may_cover(&self, node: NodeId, by: NodeId) -> bool {
        by < node
            && self.nodes[by].loc == self.nodes[node].loc
            && !self.is_covered(by)
            && !self.ancestors(by).any(|n| self.nodes[n].impossible)
            && !self.is_covered(node)
    }
}

pub struct Strengthened {
    pub changed: bool,
    pub uncovered: Vec<NodeId>,
}
