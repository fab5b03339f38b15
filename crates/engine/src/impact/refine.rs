//! Refinement of an error path, and forced covering.

use super::Search;
use crate::core::clauses::guesses;
use crate::core::exploration::Exploration;
use crate::core::refute::{Interpolation, Refutation};
use crate::core::tree::NodeId;
use crate::log;
use base::{FxHashSet, Stop};
use logic::TermId;

impl Search<'_, '_> {
    /// The path to an error node: an error if feasible, else interpolants label its nodes.
    pub(super) fn refine(&mut self, node: NodeId) -> Result<Option<Exploration>, Stop> {
        self.run.refinements += 1;
        let (nodes, blocks) = self.tree.path_to(node);
        let known = self.run.known_before(&blocks);
        let how = self.interpolation();
        match self.run.refute_path(&blocks, &known, &how)? {
            Refutation::Facts(facts) => {
                self.label_path(&nodes, &facts)?;
                Ok(None)
            }
            other => Ok(Some(self.run.end_of_path(&blocks, other))),
        }
    }

    /// How interpolants are asked for: in paper mode of an unsatisfiable core, as WOLVERINE does it (section 2).
    fn interpolation(&self) -> Interpolation {
        let mut how = Interpolation::default();
        how.options.core = self.run.task.options.is_paper();
        how
    }

    /// Strengthens the labels along a path; keeps what is new at loop heads for Houdini.
    fn label_path(&mut self, nodes: &[NodeId], facts: &[TermId]) -> Result<(), Stop> {
        let mut stronger = Vec::new();
        for (&node, &fact) in nodes.iter().zip(facts) {
            let changed = self.tree.strengthen(self.run.task.pool, node, fact);
            if changed.changed {
                stronger.push(node);
                let pool = &*self.run.task.pool;
                self.run.task.stats.log("label", || {
                    let fact = log::formula(pool, fact);
                    vec![("node", log::id(node)), ("strengthened by", fact)]
                });
            }
            self.work.extend(changed.uncovered);
            let loc = self.tree.nodes[node].loc;
            if changed.changed && self.run.prepared.is_loop_head(loc) {
                let parts = guesses(self.run.task.pool, fact);
                self.run.note(loc, parts);
            }
        }
        // A stronger label may let an older node cover one on the path (or the path's end).
        for node in stronger {
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
        if !self.covers_at(loc) {
            return Ok(false);
        }
        let mut candidates: Vec<NodeId> = self.tree.standing(loc).collect();
        candidates.retain(|&by| self.tree.may_cover(node, by));
        let Some(by) = self.implied(node, &candidates)? else {
            return Ok(false);
        };
        self.add_cover(node, by);
        Ok(true)
    }

    /// Forced covering: if the path from the nearest common ancestor shows the coverer's label at
    /// the node, interpolants along that path make it so.
    pub(super) fn force_cover(&mut self, node: NodeId, by: NodeId) -> Result<bool, Stop> {
        let above: FxHashSet<NodeId> = self.tree.ancestors(by).collect();
        let ancestor = self
            .tree
            .ancestors(node)
            .find(|a| above.contains(a))
            .expect("the root is a common ancestor");
        let (mut nodes, mut blocks) = self.tree.path_to(node);
        let skip = self.tree.nodes[ancestor].depth as usize;
        nodes.drain(..skip);
        blocks.drain(..skip);
        let goal = self.tree.nodes[by].label.term(self.run.task.pool);
        if goal == self.run.task.pool.tt()
            || blocks.len() > self.run.task.options.limits.impact.force_blocks
        {
            return Ok(false);
        }
        let start = self.tree.nodes[ancestor].label.conjuncts().to_vec();
        let mut assumed = self.run.known_before(&blocks);
        assumed[0].extend(start);
        let parts = self.run.formulas_to(&blocks, &assumed, goal);
        let how = self.interpolation();
        let Refutation::Facts(facts) = self.run.refute_parts(&parts, &how)? else {
            return Ok(false);
        };
        self.run.task.stats.add("forced covers", 1);
        // The last fact implies the goal, so the cover below is sound by entailment.
        for (&n, &fact) in nodes.iter().zip(&facts) {
            let changed = self.tree.strengthen(self.run.task.pool, n, fact);
            self.work.extend(changed.uncovered);
        }
        if self.tree.may_cover(node, by) && self.implied(node, &[by])?.is_some() {
            self.add_cover(node, by);
            return Ok(true);
        }
        Ok(false)
    }
}
