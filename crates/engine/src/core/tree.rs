//! The reachability tree: nodes are program locations with the path of blocks from the root.
//!
//! What a node says of its states, and when another node *covers* it, is the policy `C` that each node carries:
//! - [`crate::core::unwinding`]: a label, covered by one older node whose label it implies (`impact`);
//! - [`crate::predabs`]: an abstract state, covered by all expanded nodes of its location together.
//!
//! Ids are never used twice: a node that is cut off keeps its id, so newer nodes have larger ids.

use base::{IndexVec, new_id};
use program::{BlockId, LocId};
use std::collections::BTreeSet;
use std::ops::{Deref, DerefMut};

new_id!(
    /// A node of a reachability tree.
    pub NodeId, "n");

/// A node; what the covering policy keeps of it is behind `Deref`.
#[derive(Clone, Debug)]
pub struct Node<C> {
    pub loc: LocId,
    pub parent: Option<(NodeId, BlockId)>,
    pub children: Vec<NodeId>,
    /// How many blocks lead to it.
    pub depth: u32,
    policy: C,
}

impl<C> Deref for Node<C> {
    type Target = C;

    fn deref(&self) -> &C {
        &self.policy
    }
}

impl<C> DerefMut for Node<C> {
    fn deref_mut(&mut self) -> &mut C {
        &mut self.policy
    }
}

/// The nodes, by id and by location.
pub struct Tree<C> {
    pub nodes: IndexVec<NodeId, Node<C>>,
    /// Nodes of each location that are not cut off, oldest first.
    by_loc: IndexVec<LocId, Vec<NodeId>>,
    /// Those of them that the covering policy has marked: most nodes of a large tree are done with.
    marked: IndexVec<LocId, BTreeSet<NodeId>>,
}

impl<C> Tree<C> {
    pub fn new(locations: usize) -> Self {
        Tree {
            nodes: IndexVec::new(),
            by_loc: IndexVec::filled(Vec::new(), locations),
            marked: IndexVec::filled(BTreeSet::new(), locations),
        }
    }

    /// Marks a node, or takes the mark away.
    pub fn mark(&mut self, node: NodeId, on: bool) {
        let here = &mut self.marked[self.nodes[node].loc];
        match on {
            true => here.insert(node),
            false => here.remove(&node),
        };
    }

    /// The marked nodes of a location, oldest first.
    pub fn marked(&self, loc: LocId) -> impl DoubleEndedIterator<Item = NodeId> + Clone + '_ {
        self.marked[loc].iter().copied()
    }

    pub fn root(&self) -> NodeId {
        let first = self.nodes.ids().next();
        first.expect("the root is planted before the tree is used")
    }

    /// A new node, the root if it has no parent.
    pub fn add(&mut self, loc: LocId, parent: Option<(NodeId, BlockId)>, policy: C) -> NodeId {
        let depth = parent.map_or(0, |(p, _)| self.nodes[p].depth + 1);
        let id = self.nodes.push(Node {
            loc,
            parent,
            children: Vec::new(),
            depth,
            policy,
        });
        if let Some((p, _)) = parent {
            self.nodes[p].children.push(id);
        }
        self.by_loc[loc].push(id);
        id
    }

    /// Has the node a child by this block?
    pub fn has_child(&self, node: NodeId, block: BlockId) -> bool {
        let by = |&c: &NodeId| self.nodes[c].parent.is_some_and(|(_, b)| b == block);
        self.nodes[node].children.iter().any(by)
    }

    pub fn at_location(&self, loc: LocId) -> &[NodeId] {
        &self.by_loc[loc]
    }

    /// The node, its parent, … the root.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(node), |&n| self.nodes[n].parent.map(|(p, _)| p))
    }

    /// The nodes from the root to `node`, and the blocks between them.
    pub fn path_to(&self, node: NodeId) -> (Vec<NodeId>, Vec<BlockId>) {
        let mut nodes: Vec<NodeId> = self.ancestors(node).collect();
        nodes.reverse();
        let blocks = nodes.iter();
        let blocks = blocks.filter_map(|&n| self.nodes[n].parent.map(|(_, b)| b));
        let blocks = blocks.collect();
        (nodes, blocks)
    }

    /// The node and all below it.
    pub fn subtree(&self, node: NodeId) -> Vec<NodeId> {
        let mut out = Vec::new();
        let mut work = vec![node];
        while let Some(n) = work.pop() {
            out.push(n);
            work.extend(&self.nodes[n].children);
        }
        out
    }

    /// Cuts a node off with all below it, which is returned: it belongs to no location any more.
    pub fn cut_off(&mut self, node: NodeId) -> Vec<NodeId> {
        if let Some((p, _)) = self.nodes[node].parent {
            self.nodes[p].children.retain(|&c| c != node);
        }
        let below = self.subtree(node);
        for &n in &below {
            let loc = self.nodes[n].loc;
            self.by_loc[loc].retain(|&m| m != n);
            self.nodes[n].children.clear();
        }
        below
    }
}
