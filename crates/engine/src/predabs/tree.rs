//! The abstract reachability tree: nodes are abstract states at locations, reached by blocks.
//!
//! A node is *covered* when the abstract states of the expanded nodes of its location together
//! contain its own; then its successors are theirs. Covered nodes have no children and cover
//! nothing, so covers never go in circles. Refinement *removes* a subtree; the nodes whose cover may
//! have rested on it must be looked at again.

use super::bdd::{Bdd, Bdds};
use base::{IndexVec, new_id};
use program::{BlockId, LocId};

new_id!(
    /// A node of an abstract reachability tree.
    pub NodeId, "n");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Waits to be looked at.
    Open,
    Expanded,
    Covered,
    Removed,
}

#[derive(Clone, Debug)]
pub struct Node {
    pub loc: LocId,
    pub parent: Option<(NodeId, BlockId)>,
    pub children: Vec<NodeId>,
    pub state: Bdd,
    pub status: Status,
    /// How many blocks lead to it.
    pub depth: u32,
    /// With how many predicates of its location and invariants of its parent's location the state
    /// was computed, and under which limit on valuations.
    pub basis: Basis,
}

/// On what the abstract state of a node rests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Basis {
    pub predicates: usize,
    pub invariants: usize,
    pub limit: usize,
}

pub struct Tree {
    pub nodes: IndexVec<NodeId, Node>,
    by_loc: IndexVec<LocId, Vec<NodeId>>,
}

impl Tree {
    pub fn new(locations: usize) -> Self {
        Tree {
            nodes: IndexVec::new(),
            by_loc: IndexVec::filled(Vec::new(), locations),
        }
    }

    pub fn add(
        &mut self,
        loc: LocId,
        parent: Option<(NodeId, BlockId)>,
        state: Bdd,
        basis: Basis,
    ) -> NodeId {
        let depth = parent.map_or(0, |(p, _)| self.nodes[p].depth + 1);
        let id = self.nodes.push(Node {
            loc,
            depth,
            parent,
            children: Vec::new(),
            state,
            status: Status::Open,
            basis,
        });
        if let Some((p, _)) = parent {
            self.nodes[p].children.push(id);
        }
        self.by_loc[loc].push(id);
        id
    }

    /// All abstract states of the expanded nodes of a location.
    pub fn reached(&self, bdds: &mut Bdds, loc: LocId) -> Bdd {
        let mut sum = bdds.none();
        for &n in &self.by_loc[loc] {
            if self.nodes[n].status == Status::Expanded {
                sum = bdds.or(sum, self.nodes[n].state);
            }
        }
        sum
    }

    /// The nodes from the root to `node`, and the blocks between them.
    pub fn path_to(&self, node: NodeId) -> (Vec<NodeId>, Vec<BlockId>) {
        let up = |&n: &NodeId| self.nodes[n].parent.map(|(p, _)| p);
        let mut nodes: Vec<NodeId> = std::iter::successors(Some(node), up).collect();
        nodes.reverse();
        let blocks = nodes
            .iter()
            .filter_map(|&n| self.nodes[n].parent.map(|(_, b)| b))
            .collect();
        (nodes, blocks)
    }

    /// Removes a node and all below it. Returns the nodes elsewhere that lost their cover: they are
    /// open again.
    pub fn remove(&mut self, node: NodeId) -> Vec<NodeId> {
        if let Some((p, _)) = self.nodes[node].parent {
            self.nodes[p].children.retain(|&c| c != node);
        }
        let mut touched = Vec::new();
        let mut below = vec![node];
        while let Some(n) = below.pop() {
            below.extend(std::mem::take(&mut self.nodes[n].children));
            if self.nodes[n].status == Status::Expanded {
                touched.push(self.nodes[n].loc);
            }
            self.nodes[n].status = Status::Removed;
            let loc = self.nodes[n].loc;
            self.by_loc[loc].retain(|&m| m != n);
        }
        touched.sort_unstable();
        touched.dedup();
        let mut uncovered = Vec::new();
        for loc in touched {
            for &n in &self.by_loc[loc] {
                if self.nodes[n].status == Status::Covered {
                    self.nodes[n].status = Status::Open;
                    uncovered.push(n);
                }
            }
        }
        uncovered
    }
}
