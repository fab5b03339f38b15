//! One error path: feasible, or its nodes are split by interpolants.

use super::Search;
use super::graph::{Node, Path};
use crate::api::Ways;
use crate::core::block_solver::BlockFeasibility;
use crate::core::clauses::clauses;
use crate::core::exploration::Exploration;
use crate::core::path::Execution;
use crate::core::refute::{Interpolation, Refutation};
use crate::log;
use base::Stop;
use logic::TermId;
use program::BlockId;
use smt::interpolate::{Options, Selection};

/// The simplest interpolants, from a smaller problem if the whole one has none that hold.
pub(super) fn interpolation() -> Interpolation {
    Interpolation {
        options: Options {
            selection: Selection::Simplest,
            ..Default::default()
        },
        core_next: true,
    }
}

impl Search<'_, '_> {
    pub(super) fn refine(&mut self, path: &Path) -> Result<Option<Exploration>, Stop> {
        let blocks: Vec<BlockId> = path
            .edges
            .iter()
            .map(|&e| self.graph.edges[e].block)
            .collect();
        if blocks.is_empty() {
            // The program starts in an error location.
            return Ok(Some(Exploration::Error(
                self.run.prepared.original(Execution::default()),
            )));
        }
        if self.run.task.options.ways == Ways::All
            && let Some(mut facts) = self.insensitive_facts(path)?
        {
            self.trim(path, &blocks, &mut facts)?;
            self.learn_triples(path, &blocks, &facts);
            self.split_path(path, &facts);
            return Ok(None);
        }
        let assumed = self.assumed_on(path);
        match self.run.refute_path(&blocks, &assumed, &interpolation())? {
            Refutation::Facts(mut facts) => {
                self.trim(path, &blocks, &mut facts)?;
                self.learn_triples(path, &blocks, &facts);
                self.split_path(path, &facts);
                Ok(None)
            }
            other => Ok(Some(self.run.end_of_path(&blocks, other))),
        }
    }

    /// The invariants of each node of the path, and those known there.
    fn assumed_on(&self, path: &Path) -> Vec<Vec<TermId>> {
        let nodes = path.nodes.iter().map(|&n| &self.graph.nodes[n]);
        nodes
            .map(|n| [&n.invariant, self.run.invariants.at(n.loc)].concat())
            .collect()
    }

    /// Drops conjuncts of the interpolants that the path's refutation does not need, from the error
    /// backwards. Weaker facts are more often inductive.
    fn trim(&mut self, path: &Path, blocks: &[BlockId], facts: &mut [TermId]) -> Result<(), Stop> {
        if self.run.task.options.is_paper() {
            return Ok(());
        }
        let budget = self.run.task.budget;
        for (i, &block) in blocks.iter().enumerate().skip(1).rev() {
            let own = clauses(self.run.task.pool, facts[i]);
            if own.len() < 2 {
                continue;
            }
            // The whole fact comes last in its clauses if they are not its conjuncts.
            let own: Vec<TermId> = own.into_iter().filter(|&c| c != facts[i]).collect();
            let node = &self.graph.nodes[path.nodes[i]];
            let mut pre = node.invariant.clone();
            pre.extend_from_slice(self.run.invariants.at(node.loc));
            pre.extend_from_slice(&own);
            let next = &self.graph.nodes[path.nodes[i + 1]];
            let mut post = next.invariant.clone();
            post.extend_from_slice(self.run.invariants.at(next.loc));
            post.push(self.run.task.pool.not(facts[i + 1]));
            let step =
                self.run
                    .block_solver
                    .step(self.run.task.pool, &pre, block, &post, budget)?;
            // Sound because the core is what keeps the next fact inductive; else all is kept.
            if let BlockFeasibility::Infeasible { pre: core, .. } = step {
                let kept: Vec<TermId> = own.into_iter().filter(|c| core.contains(c)).collect();
                facts[i] = self.run.task.pool.and(&kept);
            }
        }
        Ok(())
    }

    /// Theorem 2: no step leads from a node's half inside its interpolant to the next node's half
    /// outside, so these edges need no check. Sound because the interpolants are checked to be
    /// inductive along the path before they are handed out.
    fn learn_triples(&mut self, path: &Path, blocks: &[BlockId], facts: &[TermId]) {
        for (i, &block) in blocks.iter().enumerate() {
            let mut pre = self.graph.nodes[path.nodes[i]].invariant.clone();
            pre.extend(self.conjuncts(facts[i]));
            let outside = self.run.task.pool.not(facts[i + 1]);
            let mut post = self.conjuncts(outside);
            // A fact is only claimed of the states of its node: facts from all ways are made
            // with the node's own invariant before the cut.
            post.extend_from_slice(&self.graph.nodes[path.nodes[i + 1]].invariant);
            self.slicer.learn(block, pre, post);
            // The solver may have taken an edge for feasible only because it gave up.
            self.graph.edges[path.edges[i]].checked = false;
        }
    }

    fn conjuncts(&self, fact: TermId) -> Vec<TermId> {
        let mut all = self.run.task.pool.conjuncts(fact);
        all.retain(|&c| c != self.run.task.pool.tt());
        all
    }

    /// Splits every node of the path by its fact; `true` and `false` do not split.
    fn split_path(&mut self, path: &Path, facts: &[TermId]) {
        for (&node, &fact) in path.nodes.iter().zip(facts) {
            let pool = &mut *self.run.task.pool;
            let Node { loc, invariant, .. } = &self.graph.nodes[node];
            let loc = *loc;
            let known = pool.conjuncts(fact).iter().all(|c| invariant.contains(c));
            let negated = pool.not(fact);
            if fact == pool.tt() || fact == pool.ff() || known || invariant.contains(&negated) {
                continue;
            }
            self.graph.split(pool, node, fact);
            self.splits += 1;
            let pool = &*self.run.task.pool;
            self.run.task.stats.log("split", || {
                vec![
                    ("node", log::id(node)),
                    ("location", log::id(loc)),
                    ("by", log::formula(pool, fact)),
                ]
            });
            let pool = &mut *self.run.task.pool;
            if self.run.prepared.is_loop_head(loc) {
                let parts = clauses(pool, fact);
                self.run.note(loc, parts);
            }
        }
    }
}
