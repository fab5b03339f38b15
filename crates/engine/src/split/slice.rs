//! Slice: which edges of the graph can be taken at all.
//!
//! An edge is infeasible if no step of its block leads from its source's invariant to its target's.
//! Most edges are decided without the solver:
//! - a *conflict* says that some conjuncts before a block and some after exclude each other. Unsat
//!   cores give them, and interpolants do (the triple `I_i block I_i+1` excludes `not I_i+1` after
//!   `I_i`). An edge whose ends hold all conjuncts of a conflict is infeasible;
//! - a copy of a feasible edge inherits the step that showed it: if the step fits the copy's ends,
//!   the copy is feasible, too;
//! - an edge into a node that cannot reach an error does not matter;
//! - edges from nodes not reached any more are never looked at.
//!
//! Known invariants are assumed at both ends of every step and are no part of conflicts: they hold
//! whenever a location is reached and are never withdrawn, so conflicts never go stale.

use super::graph::{EdgeId, Graph, NodeId};
use crate::core::block_solver::{BlockFeasibility, BlockSolver};
use crate::core::houdini::Invariants;
use base::{Budget, FxHashMap, IndexVec, Stop};
use logic::{Model, Pool, TermId, Value, eval};
use program::BlockId;
use std::collections::VecDeque;
use std::rc::Rc;

/// Conjuncts before and after a block that exclude each other.
#[derive(Clone, Debug)]
struct Conflict {
    pre: Vec<TermId>,
    post: Vec<TermId>,
}

/// How edges were decided.
#[derive(Clone, Copy, Debug, Default)]
pub struct SliceCounts {
    pub sliced: u64,
    pub dropped_nodes: u64,
    pub solver_calls: u64,
    pub by_conflict: u64,
    pub by_witness: u64,
}

#[derive(Default)]
pub struct Slicer {
    conflicts: FxHashMap<BlockId, Vec<Conflict>>,
    pub counts: SliceCounts,
}

/// What a slicing rests on.
pub struct Ground<'a, 'p> {
    pub pool: &'a mut Pool,
    pub solver: &'a mut BlockSolver<'p>,
    pub invariants: &'a Invariants,
    pub budget: &'a Budget,
}

impl Slicer {
    /// From now on, an edge of `block` from all of `pre` to all of `post` is infeasible.
    pub fn learn(&mut self, block: BlockId, pre: Vec<TermId>, post: Vec<TermId>) {
        self.conflicts
            .entry(block)
            .or_default()
            .push(Conflict { pre, post });
    }

    /// Removes infeasible edges among those not checked yet, and nodes no longer reached.
    pub fn slice(&mut self, graph: &mut Graph, ground: &mut Ground<'_, '_>) -> Result<(), Stop> {
        let matters = graph.reaching_errors();
        let mut reached = IndexVec::filled(false, graph.nodes.len());
        let mut work: VecDeque<NodeId> = VecDeque::new();
        for (id, node) in graph.live_nodes() {
            if node.initial {
                reached[id] = true;
                work.push_back(id);
            }
        }
        while let Some(id) = work.pop_front() {
            for e in graph.nodes[id].out.clone() {
                let to = graph.edges[e].to;
                if !graph.edges[e].checked && matters[to] && !self.feasible(graph, e, ground)? {
                    graph.cut(e);
                    self.counts.sliced += 1;
                    continue;
                }
                if !reached[to] {
                    reached[to] = true;
                    work.push_back(to);
                }
            }
        }
        self.counts.dropped_nodes += graph.drop_unreached(&reached) as u64;
        Ok(())
    }

    /// Decides one edge.
    fn feasible(
        &mut self,
        graph: &mut Graph,
        e: EdgeId,
        ground: &mut Ground<'_, '_>,
    ) -> Result<bool, Stop> {
        let edge = &graph.edges[e];
        let block = edge.block;
        let (from, to) = (&graph.nodes[edge.from], &graph.nodes[edge.to]);
        let holds = |c: &Conflict| {
            c.pre.iter().all(|t| from.invariant.contains(t))
                && c.post.iter().all(|t| to.invariant.contains(t))
        };
        if self
            .conflicts
            .get(&block)
            .is_some_and(|cs| cs.iter().any(holds))
        {
            self.counts.by_conflict += 1;
            return Ok(false);
        }
        let mut pre = from.invariant.clone();
        pre.extend_from_slice(ground.invariants.at(from.loc));
        let mut post = to.invariant.clone();
        post.extend_from_slice(ground.invariants.at(to.loc));
        if let Some(witness) = edge.witness.clone()
            && fits(ground, &witness, &pre, block, &post)
        {
            self.counts.by_witness += 1;
            graph.edges[e].checked = true;
            return Ok(true);
        }
        self.counts.solver_calls += 1;
        let step = ground
            .solver
            .step(ground.pool, &pre, block, &post, ground.budget)?;
        match step {
            BlockFeasibility::Infeasible { pre, post } => {
                let own = |core: Vec<TermId>, invariant: &[TermId]| {
                    core.into_iter().filter(|t| invariant.contains(t)).collect()
                };
                let pre = own(pre, &from.invariant);
                let post = own(post, &to.invariant);
                self.learn(block, pre, post);
                Ok(false)
            }
            BlockFeasibility::Feasible(witness) => {
                graph.edges[e].checked = true;
                graph.edges[e].witness = witness.map(Rc::new);
                Ok(true)
            }
        }
    }
}

/// Does the step start in `pre` and end in `post`? A wrong yes only keeps an edge.
fn fits(
    ground: &mut Ground<'_, '_>,
    witness: &Model,
    pre: &[TermId],
    block: BlockId,
    post: &[TermId],
) -> bool {
    let yes = Value::Bool(true);
    pre.iter().all(|&t| eval(ground.pool, witness, t) == yes)
        && post.iter().all(|&t| {
            let after = ground.solver.after(ground.pool, block, t);
            eval(ground.pool, witness, after) == yes
        })
}
