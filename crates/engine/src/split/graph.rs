//! The abstract transition system: nodes are (location, invariant), edges are blocks between them.
//!
//! Terms (paper, section 4.1): *split* replaces a node by two, one with the interpolant and one with
//! its negation, and copies its edges to both (four copies of an edge from the node to itself);
//! *slice* removes edges that no step can take. Here is only the graph; which edges are infeasible
//! is [`super::slice`]'s question.
//!
//! Invariants:
//! - the nodes ever made for a location and not replaced by a split, dropped ones included, cover
//!   all states: so a step from a live node always ends in some node of the target location;
//! - an edge between two nodes, block and invariants as they are, is missing only if no step takes
//!   it or an end was dropped; a node is dropped only if no path leads to it.
//!
//! So when no error node is left, the live nodes' invariants are a proof.

use base::{IndexVec, new_id};
use logic::{Model, Pool, TermId};
use program::{BlockId, LocId};
use std::collections::VecDeque;
use std::rc::Rc;

new_id!(
    /// A location with an invariant.
    pub NodeId, "n");
new_id!(
    /// A block between two nodes.
    pub EdgeId, "e");

#[derive(Clone, Debug)]
pub struct Node {
    pub loc: LocId,
    /// The invariant's conjuncts.
    pub invariant: Vec<TermId>,
    /// Executions start here.
    pub initial: bool,
    pub error: bool,
    /// Neither split nor dropped.
    pub live: bool,
    pub out: Vec<EdgeId>,
    pub into: Vec<EdgeId>,
}

#[derive(Clone, Debug)]
pub struct Edge {
    pub from: NodeId,
    pub to: NodeId,
    pub block: BlockId,
    pub live: bool,
    /// Looked at since its ends are what they are.
    pub checked: bool,
    /// A step that took this edge or the one it was copied from.
    pub witness: Option<Rc<Model>>,
}

/// A path from an initial node, by its edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// One more than there are edges.
    pub nodes: Vec<NodeId>,
    pub edges: Vec<EdgeId>,
}

#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub nodes: IndexVec<NodeId, Node>,
    pub edges: IndexVec<EdgeId, Edge>,
}

impl Graph {
    pub fn add_node(&mut self, loc: LocId, initial: bool, error: bool) -> NodeId {
        self.nodes.push(Node {
            loc,
            invariant: Vec::new(),
            initial,
            error,
            live: true,
            out: Vec::new(),
            into: Vec::new(),
        })
    }

    pub fn add_edge(&mut self, from: NodeId, block: BlockId, to: NodeId) -> EdgeId {
        self.push_edge(Edge {
            from,
            to,
            block,
            live: true,
            checked: false,
            witness: None,
        })
    }

    fn push_edge(&mut self, edge: Edge) -> EdgeId {
        let (from, to) = (edge.from, edge.to);
        let id = self.edges.push(edge);
        self.nodes[from].out.push(id);
        self.nodes[to].into.push(id);
        id
    }

    pub fn live_nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.iter_enumerated().filter(|(_, n)| n.live)
    }

    /// Removes an edge.
    pub fn cut(&mut self, edge: EdgeId) {
        let Edge { from, to, .. } = self.edges[edge];
        self.edges[edge].live = false;
        self.nodes[from].out.retain(|&e| e != edge);
        self.nodes[to].into.retain(|&e| e != edge);
    }

    fn remove(&mut self, node: NodeId) {
        self.nodes[node].live = false;
        let mut edges = self.nodes[node].out.clone();
        edges.extend_from_slice(&self.nodes[node].into);
        for e in edges {
            if self.edges[e].live {
                self.cut(e);
            }
        }
    }

    /// Splits a node by `fact`: the halves with the fact and with its negation.
    pub fn split(&mut self, pool: &mut Pool, node: NodeId, fact: TermId) -> [NodeId; 2] {
        let negated = pool.not(fact);
        let old = self.nodes[node].clone();
        let halves = [fact, negated].map(|half| {
            let id = self.add_node(old.loc, old.initial, old.error);
            let mut invariant = old.invariant.clone();
            for c in pool.conjuncts(half) {
                if !invariant.contains(&c) {
                    invariant.push(c);
                }
            }
            self.nodes[id].invariant = invariant;
            id
        });
        let mut edges = old.out.clone();
        edges.extend(old.into.iter().filter(|e| !old.out.contains(e)));
        for e in edges {
            let edge = self.edges[e].clone();
            let ends = |end: NodeId| match end == node {
                true => halves.to_vec(),
                false => vec![end],
            };
            for from in ends(edge.from) {
                for to in ends(edge.to) {
                    self.push_edge(Edge {
                        from,
                        to,
                        checked: false,
                        ..edge.clone()
                    });
                }
            }
        }
        self.remove(node);
        halves
    }

    /// Drops the nodes not marked; says how many.
    pub fn drop_unreached(&mut self, reached: &IndexVec<NodeId, bool>) -> usize {
        let gone: Vec<NodeId> = self
            .live_nodes()
            .map(|(id, _)| id)
            .filter(|&id| !reached[id])
            .collect();
        for &id in &gone {
            self.remove(id);
        }
        gone.len()
    }

    /// The nodes from which an error node can be reached.
    pub fn reaching_errors(&self) -> IndexVec<NodeId, bool> {
        let mut marked = IndexVec::filled(false, self.nodes.len());
        let mut work: VecDeque<NodeId> = VecDeque::new();
        for (id, node) in self.live_nodes() {
            if node.error {
                marked[id] = true;
                work.push_back(id);
            }
        }
        while let Some(id) = work.pop_front() {
            for &e in &self.nodes[id].into {
                let from = self.edges[e].from;
                if !marked[from] {
                    marked[from] = true;
                    work.push_back(from);
                }
            }
        }
        marked
    }

    /// A shortest path from an initial node to an error node. It passes no node twice.
    pub fn error_path(&self) -> Option<Path> {
        let mut by: IndexVec<NodeId, Option<EdgeId>> = IndexVec::filled(None, self.nodes.len());
        let mut seen = IndexVec::filled(false, self.nodes.len());
        let mut work: VecDeque<NodeId> = VecDeque::new();
        for (id, node) in self.live_nodes() {
            if node.initial {
                seen[id] = true;
                work.push_back(id);
            }
        }
        while let Some(id) = work.pop_front() {
            if self.nodes[id].error {
                return Some(self.path_back(id, &by));
            }
            for &e in &self.nodes[id].out {
                let to = self.edges[e].to;
                if !seen[to] {
                    seen[to] = true;
                    by[to] = Some(e);
                    work.push_back(to);
                }
            }
        }
        None
    }

    fn path_back(&self, end: NodeId, by: &IndexVec<NodeId, Option<EdgeId>>) -> Path {
        let mut path = Path {
            nodes: vec![end],
            edges: Vec::new(),
        };
        let mut at = end;
        while let Some(e) = by[at] {
            at = self.edges[e].from;
            path.edges.push(e);
            path.nodes.push(at);
        }
        path.nodes.reverse();
        path.edges.reverse();
        path
    }

    /// Live edges join live nodes, and both know them.
    pub fn check_invariants(&self) {
        for (id, edge) in self.edges.iter_enumerated() {
            if edge.live {
                assert!(self.nodes[edge.from].live && self.nodes[edge.to].live);
                assert!(self.nodes[edge.from].out.contains(&id));
                assert!(self.nodes[edge.to].into.contains(&id));
            }
        }
    }
}
