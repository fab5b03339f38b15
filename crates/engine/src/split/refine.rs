//! One error path: feasible, or its nodes are split by interpolants.

use super::Search;
use super::graph::{Node, Path};
use crate::api::Ways;
use crate::core::block_solver::Step;
use crate::core::clauses::clauses;
use crate::core::exploration::Exploration;
use crate::core::path::{Execution, Ssa, transition};
use crate::guess::templates::Bridges;
use base::Stop;
use logic::TermId;
use program::BlockId;
use smt::interpolate::{self, Outcome, Selection};

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
                self.prepared.original(Execution::default()),
            )));
        }
        if self.task.options.ways == Ways::All
            && let Some(mut facts) = self.insensitive_facts(path)?
        {
            self.trim(path, &blocks, &mut facts)?;
            self.learn_triples(path, &blocks, &facts);
            self.split_path(path, &facts);
            return Ok(None);
        }
        let mut outcome = None;
        let assumed = self.assumed_on(path);
        let bridged = Bridges {
            task: self.task,
            prepared: self.prepared,
            counters: &self.counters,
            versions: &mut self.versions,
            var_of: &self.var_of,
        }
        .parts(&blocks, &assumed)?;
        if let Some(parts) = bridged {
            let found = self.interpolate(&parts)?;
            outcome = matches!(found, Outcome::Interpolants(_)).then_some(found);
        }
        let outcome = match outcome {
            Some(outcome) => outcome,
            None => {
                let parts = self.parts(&blocks, &assumed);
                self.interpolate(&parts)?
            }
        };
        match outcome {
            Outcome::Interpolants(interpolants) => {
                let mut facts = vec![self.task.pool.tt()];
                for i in interpolants {
                    facts.push(self.versions.unversion(self.task.pool, i));
                }
                facts.push(self.task.pool.ff());
                self.trim(path, &blocks, &mut facts)?;
                self.learn_triples(path, &blocks, &facts);
                self.split_path(path, &facts);
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

    /// Interpolants, from a smaller problem if the whole one has none that hold.
    pub(super) fn interpolate(&mut self, parts: &[TermId]) -> Result<Outcome, Stop> {
        let budget = self.budget();
        let mut options = interpolate::Options {
            selection: Selection::Simplest,
            ..Default::default()
        };
        self.task.stats.add("interpolation problems", 1);
        let mut outcome =
            self.task
                .options
                .solvers
                .sequence(self.task.pool, parts, &options, budget);
        budget.check()?;
        if matches!(outcome, Outcome::Unknown(_)) {
            options.core = true;
            outcome = self
                .task
                .options
                .solvers
                .sequence(self.task.pool, parts, &options, budget);
            budget.check()?;
        }
        Ok(outcome)
    }

    /// The invariants of each node of the path, and those known there.
    fn assumed_on(&self, path: &Path) -> Vec<Vec<TermId>> {
        let nodes = path.nodes.iter().map(|&n| &self.graph.nodes[n]);
        nodes
            .map(|n| [&n.invariant, self.invariants.at(n.loc)].concat())
            .collect()
    }

    /// The path formula by blocks, with what is assumed before each.
    fn parts(&mut self, blocks: &[BlockId], assumed: &[Vec<TermId>]) -> Vec<TermId> {
        let mut ssa = Ssa::default();
        let mut parts = Vec::new();
        for (&block, assumed) in blocks.iter().zip(assumed) {
            let pool = &mut *self.task.pool;
            let mut conjuncts = Vec::new();
            for &fact in assumed {
                conjuncts.push(ssa.instantiate(pool, &mut self.versions, &self.var_of, fact));
            }
            let t = transition(&self.prepared.graph, block);
            conjuncts.push(ssa.step(pool, &self.prepared.program, &mut self.versions, block, t));
            parts.push(pool.and(&conjuncts));
        }
        parts
    }

    /// Drops conjuncts of the interpolants that the path's refutation does not need, from the error
    /// backwards. Weaker facts are more often inductive.
    fn trim(&mut self, path: &Path, blocks: &[BlockId], facts: &mut [TermId]) -> Result<(), Stop> {
        let budget = self.budget();
        for (i, &block) in blocks.iter().enumerate().skip(1).rev() {
            let own = clauses(self.task.pool, facts[i]);
            if own.len() < 2 {
                continue;
            }
            // The whole fact comes last in its clauses if they are not its conjuncts.
            let own: Vec<TermId> = own.into_iter().filter(|&c| c != facts[i]).collect();
            let node = &self.graph.nodes[path.nodes[i]];
            let mut pre = node.invariant.clone();
            pre.extend_from_slice(self.invariants.at(node.loc));
            pre.extend_from_slice(&own);
            let next = &self.graph.nodes[path.nodes[i + 1]];
            let mut post = next.invariant.clone();
            post.extend_from_slice(self.invariants.at(next.loc));
            post.push(self.task.pool.not(facts[i + 1]));
            let step = self
                .hoare
                .step(self.task.pool, &pre, block, &post, budget)?;
            // Sound because the core is what keeps the next fact inductive; else all is kept.
            if let Step::Infeasible { pre: core, .. } = step {
                let kept: Vec<TermId> = own.into_iter().filter(|c| core.contains(c)).collect();
                facts[i] = self.task.pool.and(&kept);
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
            let outside = self.task.pool.not(facts[i + 1]);
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
        let mut all = self.task.pool.conjuncts(fact);
        all.retain(|&c| c != self.task.pool.tt());
        all
    }

    /// Splits every node of the path by its fact; `true` and `false` do not split.
    fn split_path(&mut self, path: &Path, facts: &[TermId]) {
        for (&node, &fact) in path.nodes.iter().zip(facts) {
            let pool = &mut *self.task.pool;
            let Node { loc, invariant, .. } = &self.graph.nodes[node];
            let loc = *loc;
            let known = pool.conjuncts(fact).iter().all(|c| invariant.contains(c));
            let negated = pool.not(fact);
            if fact == pool.tt() || fact == pool.ff() || known || invariant.contains(&negated) {
                continue;
            }
            self.graph.split(pool, node, fact);
            self.splits += 1;
            if self.prepared.is_loop_head(loc) {
                let parts = clauses(pool, fact);
                self.found.entry(loc).or_default().extend(parts);
            }
        }
    }
}
