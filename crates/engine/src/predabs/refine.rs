//! Refinement: Extract and the pivot.

use super::covering::Status;
use super::statement_path::StatementPath;
use super::{Search, precision};
use crate::core::cegar::Learnt;
use crate::core::clauses::clauses;
use crate::core::exploration::Exploration;
use crate::core::refute::{Interpolation, Refutation, interpolate};
use crate::core::tree::NodeId;
use crate::log;
use base::Stop;
use logic::TermId;
use program::{BlockId, BlockSize};

/// From where to refute a path: from its end backwards, doubling, last from its beginning. What
/// makes an error path infeasible is mostly near the error, and what is known before is in the
/// abstract states already; so a refinement costs as much as its reason is long, not as the path.
fn starts(length: usize, short: usize) -> Vec<usize> {
    let mut out = Vec::new();
    let mut end = short / 2;
    while length > short && end < length {
        out.push(length - end);
        end *= 2;
    }
    out.push(0);
    out
}

/// What a refutation of an error path came to.
enum Refinement {
    /// The first node of the path that lacks a predicate.
    Pivot(usize),
    /// Every node has all predicates of the refutation.
    NothingNew,
    End(Exploration),
}

impl Search<'_, '_> {
    /// An error block that can be taken from the abstract state of `node`: an error if the path to
    /// it is feasible, else predicates are found and the tree is cut back to the pivot.
    pub(super) fn refine(
        &mut self,
        node: NodeId,
        error: BlockId,
    ) -> Result<Option<Exploration>, Stop> {
        self.run.refinements += 1;
        let (nodes, mut blocks) = self.tree.path_to(node);
        blocks.push(error);
        let mut found = Refinement::NothingNew;
        let mut statement_path = StatementPath::default();
        let short = self.run.task.options.limits.predabs.short_path;
        for start in starts(blocks.len(), short) {
            found = self.refine_from(start, &nodes, &blocks, &mut statement_path)?;
            if !matches!(found, Refinement::NothingNew) {
                break;
            }
        }
        if let Refinement::End(end) = found {
            return Ok(Some(end));
        }
        if self.run.prepared.size == BlockSize::Large
            && self.run.houdini_if_due()? == Learnt::Safety
        {
            return Ok(Some(Exploration::Invariant));
        }
        let pivot = match found {
            Refinement::Pivot(at) => Some(at),
            _ => self.sharper(&nodes),
        };
        match pivot {
            Some(at) => self.cut_back(&nodes, at),
            None => Ok(Some(Exploration::Stuck(
                "the refutation of an error path brings no new predicate".into(),
            ))),
        }
    }

    /// On the end of a path, from the abstract state of the node at `start`.
    ///
    /// Sound because a path whose end is infeasible from a state that contains all that reach it
    /// is infeasible; only from the entry is a model an execution.
    fn refine_from(
        &mut self,
        start: usize,
        nodes: &[NodeId],
        blocks: &[BlockId],
        statement_path: &mut StatementPath,
    ) -> Result<Refinement, Stop> {
        let state = self.tree.nodes[nodes[start]].state;
        let pool = &mut *self.run.task.pool;
        let state = self.bdds.term(pool, &self.precision.terms, state);
        let composed = !self.run.prepared.size.is_path();
        let mut found = Refinement::NothingNew;
        if composed && self.extend_path(statement_path, start, nodes, blocks)? {
            found = self.refine_on_statements(
                state,
                &nodes[start..],
                &blocks[start..],
                statement_path,
            )?;
        }
        if let Refinement::NothingNew = found
            && (start == 0 || !composed)
        {
            found = self.refine_on_blocks(state, &nodes[start..], &blocks[start..])?;
        }
        Ok(match found {
            Refinement::Pivot(at) => Refinement::Pivot(start + at),
            Refinement::End(_) if start > 0 => Refinement::NothingNew,
            found => found,
        })
    }

    /// How interpolants are asked for: in paper mode of the constraints that a refutation needs only, which say
    /// where each predicate matters (section 5.1).
    fn interpolation(&self) -> Interpolation {
        let mut how = Interpolation::default();
        how.options.core = self.run.task.options.is_paper();
        how
    }

    /// On one path through the statements of the blocks.
    fn refine_on_statements(
        &mut self,
        state: TermId,
        nodes: &[NodeId],
        blocks: &[BlockId],
        statement_path: &StatementPath,
    ) -> Result<Refinement, Stop> {
        let Some(parts) = self.statement_parts(state, blocks, statement_path) else {
            return Ok(Refinement::NothingNew);
        };
        self.run.task.stats.add("refinements on one path", 1);
        let how = self.interpolation();
        let statements = self.statements.as_mut().expect("the path is made of them");
        match interpolate(self.run.task, &statements.versions, &parts, &how)? {
            Refutation::Facts(facts) => Ok(self.learn(nodes, &facts)),
            // From a state in the middle a model is no execution.
            Refutation::Feasible(_) if self.tree.nodes[nodes[0]].parent.is_some() => {
                Ok(Refinement::NothingNew)
            }
            Refutation::Feasible(model) => {
                let (pool, prepared) = (&mut *self.run.task.pool, self.run.prepared);
                let cex = statements.steps(pool, prepared, statement_path, &model);
                // Without an execution the blocks may still have another path.
                Ok(cex.map_or(Refinement::NothingNew, |cex| {
                    Refinement::End(Exploration::Error(cex))
                }))
            }
            Refutation::Unexplained(_) => Ok(Refinement::NothingNew),
        }
    }

    /// On all paths through the blocks together.
    fn refine_on_blocks(
        &mut self,
        state: TermId,
        nodes: &[NodeId],
        blocks: &[BlockId],
    ) -> Result<Refinement, Stop> {
        let mut assumed = self.run.known_before(blocks);
        if let Some(first) = assumed.first_mut() {
            first.push(state);
        }
        let parts = self.run.path_formulas(blocks, &assumed);
        let how = self.interpolation();
        match self.run.refute_parts(&parts, &how)? {
            Refutation::Facts(facts) => Ok(self.learn(nodes, &facts)),
            Refutation::Feasible(_) if self.tree.nodes[nodes[0]].parent.is_some() => {
                Ok(Refinement::NothingNew)
            }
            other => Ok(Refinement::End(self.run.end_of_path(blocks, other))),
        }
    }

    /// Extract: tracks the atoms of the facts along a path at their locations.
    fn learn(&mut self, nodes: &[NodeId], facts: &[TermId]) -> Refinement {
        let sharing = self.run.task.options.predabs.sharing;
        let mut pivot: Option<usize> = None;
        // Nothing is to be known before the path.
        for (i, (&node, &fact)) in nodes.iter().zip(facts).enumerate().skip(1) {
            let (loc, basis) = (self.tree.nodes[node].loc, self.tree.nodes[node].basis);
            let guesses = clauses(self.run.task.pool, fact);
            self.run.note(loc, guesses);
            for atom in precision::atoms(self.run.task.pool, fact) {
                let predicate = self.precision.number(self.run.task.pool, atom);
                let known = self.precision.position(loc, predicate).is_some();
                self.precision.add(sharing, loc, predicate);
                let pool = &*self.run.task.pool;
                if !known && self.precision.position(loc, predicate).is_some() {
                    self.run.task.stats.log("predicate", || {
                        let predicate = log::formula(pool, atom);
                        vec![("location", log::id(loc)), ("predicate", predicate)]
                    });
                }
                let at = self.precision.position(loc, predicate);
                if pivot.is_none() && at.is_some_and(|at| at >= basis.predicates) {
                    pivot = Some(i);
                }
            }
        }
        pivot.map_or(Refinement::NothingNew, Refinement::Pivot)
    }

    /// The first node of a path whose state would be computed with more invariants, or with more
    /// valuations, today; the limit on valuations is raised if some post met it.
    fn sharper(&mut self, nodes: &[NodeId]) -> Option<usize> {
        self.posts.raise_limit();
        nodes
            .windows(2)
            .position(|pair| {
                let [parent, node] = [&self.tree.nodes[pair[0]], &self.tree.nodes[pair[1]]];
                node.basis != self.basis(parent.loc, node.loc)
            })
            .map(|i| i + 1)
    }

    /// Removes the subtree of the pivot and puts a node with a new state in its place.
    fn cut_back(&mut self, nodes: &[NodeId], at: usize) -> Result<Option<Exploration>, Stop> {
        let pivot = nodes[at];
        let (parent, block) = self.tree.nodes[pivot]
            .parent
            .expect("the root lacks nothing");
        let uncovered = self.tree.remove(pivot);
        self.open_up(uncovered);
        debug_assert!(self.tree.nodes[parent].status == Status::Expanded);
        let child = self.add_child(parent, block)?;
        self.open_up(child);
        Ok(None)
    }
}
