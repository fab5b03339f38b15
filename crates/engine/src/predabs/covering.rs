//! Covering in the abstract reachability tree: nodes are abstract states at locations.
//!
//! A node is *covered* when the abstract states of the expanded nodes of its location together
//! contain its own; then its successors are theirs. Covered nodes have no children and cover
//! nothing, so covers never go in circles. Refinement *removes* a subtree; the nodes whose cover may
//! have rested on it must be looked at again.

use super::bdd::{Bdd, Bdds};
use crate::core::tree::{NodeId, Tree};
use program::LocId;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Waits to be looked at.
    Open,
    Expanded,
    Covered,
    Removed,
}

/// What is kept of a node.
#[derive(Clone, Debug)]
pub struct AbstractState {
    pub state: Bdd,
    pub status: Status,
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

impl AbstractState {
    /// Of a node that waits to be looked at.
    pub fn open(state: Bdd, basis: Basis) -> Self {
        AbstractState {
            state,
            status: Status::Open,
            basis,
        }
    }
}

/// The abstract reachability tree.
pub type AbstractTree = Tree<AbstractState>;

impl AbstractTree {
    /// All abstract states of the expanded nodes of a location.
    pub fn reached(&self, bdds: &mut Bdds, loc: LocId) -> Bdd {
        let mut sum = bdds.none();
        for &n in self.at_location(loc) {
            if self.nodes[n].status == Status::Expanded {
                sum = bdds.or(sum, self.nodes[n].state);
            }
        }
        sum
    }

    /// Removes a node and all below it. Returns the nodes elsewhere that lost their cover: they are
    /// open again.
    pub fn remove(&mut self, node: NodeId) -> Vec<NodeId> {
        let mut touched = Vec::new();
        for n in self.cut_off(node) {
            if self.nodes[n].status == Status::Expanded {
                touched.push(self.nodes[n].loc);
            }
            self.nodes[n].status = Status::Removed;
        }
        touched.sort_unstable();
        touched.dedup();
        let mut uncovered = Vec::new();
        for loc in touched {
            for n in self.at_location(loc).to_vec() {
                if self.nodes[n].status == Status::Covered {
                    self.nodes[n].status = Status::Open;
                    uncovered.push(n);
                }
            }
        }
        uncovered
    }
}
