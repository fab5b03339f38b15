//! Refinement of an error path, and forced covering.

use super::Search;
use crate::core::clauses::guesses;
use crate::core::exploration::Exploration;
use crate::core::path::{Ssa, transition, vars_by_term};
use crate::core::unwinding::NodeId;
use crate::guess::templates::Bridges;
use base::Stop;
use logic::TermId;
use program::BlockId;
use smt::interpolate::{self, Outcome};

impl Search<'_, '_> {
    /// The path to an error node: an error if feasible, else interpolants label its nodes.
    pub(super) fn refine(&mut self, node: NodeId) -> Result<Option<Exploration>, Stop> {
        self.refinements += 1;
        let (nodes, blocks) = self.tree.path_to(node);
        let bridged = match self.bridged_parts(&blocks)? {
            Some(parts) => Some(self.interpolate(&parts)?),
            None => None,
        };
        let outcome = match bridged.filter(|o| matches!(o, Outcome::Interpolants(_))) {
            Some(outcome) => outcome,
            None => {
                let parts = self.parts(&nodes, &blocks);
                self.interpolate(&parts)?
            }
        };
        match outcome {
            Outcome::Interpolants(interpolants) => {
                let mut facts: Vec<TermId> = vec![self.task.pool.tt()];
                for i in interpolants {
                    facts.push(self.versions.unversion(self.task.pool, i));
                }
                facts.push(self.task.pool.ff());
                self.label_path(&nodes, &facts)?;
                Ok(None)
            }
            Outcome::Sat(model) => Ok(Some(Exploration::at_model(
                self.task.pool,
                self.prepared,
                &mut self.versions,
                &blocks,
                &model,
            ))),
            Outcome::Unknown(why) => Ok(Some(Exploration::without_interpolants(&blocks, &why))),
        }
    }

    /// The path with bridges at its loop heads ([`crate::guess::templates`]), if they help.
    fn bridged_parts(&mut self, blocks: &[BlockId]) -> Result<Option<Vec<TermId>>, Stop> {
        let at = |&b: &BlockId| self.invariants.at(self.prepared.graph.blocks[b].from);
        let assumed: Vec<Vec<TermId>> = blocks.iter().map(|b| at(b).to_vec()).collect();
        let var_of = vars_by_term(&self.prepared.program);
        let mut bridges = Bridges {
            task: self.task,
            prepared: self.prepared,
            counters: &self.counters,
            versions: &mut self.versions,
            var_of: &var_of,
        };
        bridges.parts(blocks, &assumed)
    }

    /// Path formulas with the known invariants of the start of each block.
    fn parts(&mut self, nodes: &[NodeId], blocks: &[BlockId]) -> Vec<TermId> {
        let var_of = vars_by_term(&self.prepared.program);
        let mut ssa = Ssa::default();
        let mut parts = Vec::new();
        for (&node, &block) in nodes.iter().zip(blocks) {
            let pool = &mut *self.task.pool;
            let mut conjuncts = Vec::new();
            for &inv in self.invariants.at(self.tree.nodes[node].loc) {
                conjuncts.push(ssa.instantiate(pool, &mut self.versions, &var_of, inv));
            }
            let t = transition(&self.prepared.graph, block);
            conjuncts.push(ssa.step(pool, &self.prepared.program, &mut self.versions, block, t));
            parts.push(pool.and(&conjuncts));
        }
        parts
    }

    fn interpolate(&mut self, parts: &[TermId]) -> Result<Outcome, Stop> {
        let budget = self.budget();
        self.task.stats.add("interpolation problems", 1);
        let options = interpolate::Options::default();
        let solvers = &self.task.options.solvers;
        let outcome = solvers.sequence(self.task.pool, parts, &options, budget);
        budget.check()?;
        Ok(outcome)
    }

    /// Strengthens the labels along a path; keeps what is new at loop heads for Houdini.
    fn label_path(&mut self, nodes: &[NodeId], facts: &[TermId]) -> Result<(), Stop> {
        for (&node, &fact) in nodes.iter().zip(facts) {
            let changed = self.tree.strengthen(self.task.pool, node, fact);
            self.work.extend(changed.uncovered);
            let loc = self.tree.nodes[node].loc;
            if changed.changed && self.prepared.is_loop_head(loc) {
                let parts = guesses(self.task.pool, fact);
                self.found.entry(loc).or_default().extend(parts);
            }
        }
        // A stronger label may let an older node cover one on the path (or the path's end).
        for &node in nodes {
            if self.tree.is_covered(node) {
                break;
            }
            if self.tree.nodes[node].expanded && self.close_directly(node)? {
                break;
            }
        }
        Ok(())
    }

    fn close_directly(&mut self, node: NodeId) -> Result<bool, Stop> {
        let loc = self.tree.nodes[node].loc;
        if !self.prepared.is_loop_head(loc) {
            return Ok(false);
        }
        let candidates: Vec<NodeId> = self.tree.at_location(loc).to_vec();
        for by in candidates {
            if by < node
                && !self.tree.is_ancestor(node, by)
                && self.tree.may_cover(node, by)
                && self.label_implies(node, by)?
            {
                self.add_cover(node, by);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Forced covering: if the path from the nearest common ancestor shows the coverer's label at
    /// the node, interpolants along that path make it so.
    pub(super) fn force_cover(&mut self, node: NodeId, by: NodeId) -> Result<bool, Stop> {
        let ancestor = self
            .tree
            .ancestors(node)
            .find(|&a| self.tree.is_ancestor(a, by))
            .expect("the root is a common ancestor");
        let (mut nodes, mut blocks) = self.tree.path_to(node);
        let skip = self.tree.nodes[ancestor].depth as usize;
        nodes.drain(..skip);
        blocks.drain(..skip);
        let goal = self.tree.nodes[by].label.clone().term(self.task.pool);
        if goal == self.task.pool.tt() || blocks.len() > 40 {
            return Ok(false);
        }
        let var_of = vars_by_term(&self.prepared.program);
        let mut parts = self.parts(&nodes, &blocks);
        let start = self.tree.nodes[ancestor].label.clone().term(self.task.pool);
        let pool = &mut *self.task.pool;
        let start = Ssa::default().instantiate(pool, &mut self.versions, &var_of, start);
        parts[0] = pool.and2(start, parts[0]);
        let mut ssa = Ssa::default();
        for &b in &blocks {
            let t = transition(&self.prepared.graph, b);
            ssa.step(pool, &self.prepared.program, &mut self.versions, b, t);
        }
        let at_end = ssa.instantiate(pool, &mut self.versions, &var_of, goal);
        parts.push(pool.not(at_end));
        let Outcome::Interpolants(interpolants) = self.interpolate(&parts)? else {
            return Ok(false);
        };
        self.task.stats.add("forced covers", 1);
        let mut facts = vec![self.task.pool.tt()];
        for i in interpolants {
            facts.push(self.versions.unversion(self.task.pool, i));
        }
        // The last fact implies the goal, so the cover below is sound by entailment.
        for (&n, &fact) in nodes.iter().zip(&facts) {
            let changed = self.tree.strengthen(self.task.pool, n, fact);
            self.work.extend(changed.uncovered);
        }
        if self.tree.may_cover(node, by) && self.label_implies(node, by)? {
            self.add_cover(node, by);
            return Ok(true);
        }
        Ok(false)
    }
}
