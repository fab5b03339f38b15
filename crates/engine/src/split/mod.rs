//! SPLIT: the program graph itself is refined, by splitting locations along interpolants
//! (ULTIMATE/Kojak).
//!
//! Terms: *node*, *split* as in [`graph`]; *slice* as in [`slice`].
//!
//! Idea, on `x = 0; while (*) x++; if (x < 0) error;`
//! ```text
//!   entry -> head -> error is the shortest error path; it is infeasible, x >= 0 separates.
//!   head splits into head{x >= 0} and head{x < 0}. Of the copied edges, entry -> head{x < 0},
//!   head{x >= 0} -> head{x < 0} and head{x >= 0} -> error are infeasible: sliced.
//!   head{x < 0} and error are no longer reached: dropped. No error path is left. Done.
//! ```
//! Source: Ermis, Hoenicke, Podelski, "Splitting via Interpolants" (VMCAI 2012), Algorithm 1 (section 4.1); large
//! blocks are its Transformations 1 and 2 (section 4.2).
//!
//! Where we differ, and why:
//! - locations are not copied by values beforehand, as for the other engines: blocks that hold all
//!   ways through a loop body are what the paper lives on;
//! - most edge checks are skipped (conflicts, witnesses, edges that do not matter; see [`slice`]): the
//!   paper found theorem-prover calls to be the cost of splitting;
//! - interpolants may come from all loop-free ways to and from a node ([`dag`], `Ways::All`), the
//!   path insensitivity that the paper leaves to future work (section 7; with `--ways all` only);
//! - interpolants are looked for in the words of relations between counters first ([`crate::guess::templates`]; not with `--method paper`);
//! - the conjuncts of an interpolant that the refutation does not need are dropped (not with `--method paper`);
//! - the facts found at loop heads are offered to Houdini, and a bounded search for errors and
//!   guessed invariants come first ([`crate::presolve`]; not with `--method paper`).
//!
//! Invariants: those of [`graph`]. The proof is, for each location, the disjunction of its live
//! nodes' invariants, with the known invariants.

mod dag;
mod graph;
mod refine;
mod slice;
#[cfg(test)]
mod tests;

use crate::api::{Engine, Progress, Task};
use crate::core::cegar::{self, Cegar, Learnt, Refinement};
use crate::core::exploration::Exploration;
use crate::log::{self, Field};
use crate::prepare::Prepared;
use crate::presolve::localization;
use base::Stop;
use evidence::{Proof, Verdict};
use graph::{Graph, NodeId};
use logic::TermId;
use program::LocId;
use slice::{Ground, Slicer};
use std::collections::BTreeMap;

/// The engine as the table makes it.
#[derive(Default)]
pub struct Split;

impl Engine for Split {
    fn run(&mut self, task: &mut Task<'_>) -> Verdict {
        localization::run(task, false, search).unwrap_or_else(Verdict::Unknown)
    }
}

fn search(task: &mut Task<'_>, prepared: &Prepared) -> Verdict {
    cegar::run(&mut Search::new(task, prepared))
}

/// The state of one run.
struct Search<'a, 't> {
    run: Cegar<'a, 't>,
    graph: Graph,
    slicer: Slicer,
    splits: u64,
    /// Sliced at least once: Algorithm 1 begins with it.
    begun: bool,
}

impl<'a, 't> Refinement<'a, 't> for Search<'a, 't> {
    fn cegar(&mut self) -> &mut Cegar<'a, 't> {
        &mut self.run
    }

    /// One round of Algorithm 1: refute the shortest error path, split its nodes, slice.
    fn advance(&mut self) -> Result<Option<Exploration>, Stop> {
        if !self.begun {
            self.begun = true;
            self.slice()?;
        }
        let Some(path) = self.graph.error_path() else {
            return Ok(Some(Exploration::Complete));
        };
        self.run.refinements += 1;
        let before = (self.splits, self.slicer.counts.sliced);
        if let Some(end) = self.refine(&path)? {
            return Ok(Some(end));
        }
        self.slice()?;
        if before == (self.splits, self.slicer.counts.sliced) {
            return Ok(Some(Exploration::Stuck(format!(
                "the interpolants of an error path of {} blocks split nothing",
                path.edges.len()
            ))));
        }
        match self.run.houdini_if_due()? {
            Learnt::Safety => return Ok(Some(Exploration::Invariant)),
            Learnt::Invariants => self.slice_anew()?,
            Learnt::Nothing => {}
        }
        Ok(None)
    }

    /// The disjunction of a location's live nodes' invariants.
    fn proof(&mut self) -> Proof {
        let mut at: BTreeMap<LocId, Vec<TermId>> = BTreeMap::new();
        for (_, node) in self.graph.live_nodes() {
            let invariant = self.run.task.pool.and(&node.invariant);
            at.entry(node.loc).or_default().push(invariant);
        }
        let (pool, prepared) = (&mut *self.run.task.pool, self.run.prepared);
        self.run.invariants.proof_with_labels(pool, prepared, at)
    }

    fn progress(&mut self) -> Progress {
        let progress = Progress {
            engine: "split",
            refinements: self.run.refinements,
            nodes: self.graph.live_nodes().count() as u64,
            covered: 0,
            depth: 0,
            solver_calls: self.run.block_solver.solver_calls + self.run.refinements,
        };
        let counts = self.slicer.counts;
        let stats = &mut *self.run.task.stats;
        stats.max("iterations", progress.refinements);
        stats.max("nodes", progress.nodes);
        stats.max("sliced edges", counts.sliced);
        stats.max("dropped nodes", counts.dropped_nodes);
        stats.max("edge checks by solver", counts.solver_calls);
        stats.max("edge checks by conflict", counts.by_conflict);
        stats.max("edge checks by witness", counts.by_witness);
        stats.max("solver calls", progress.solver_calls);
        progress
    }
}

impl<'a, 't> Search<'a, 't> {
    fn new(task: &'a mut Task<'t>, prepared: &'a Prepared) -> Self {
        Search {
            run: Cegar::new(task, prepared),
            graph: initial_graph(prepared),
            slicer: Slicer::default(),
            splits: 0,
            begun: false,
        }
    }

    fn slice(&mut self) -> Result<(), Stop> {
        let mut ground = Ground {
            budget: self.run.task.budget,
            pool: self.run.task.pool,
            solver: &mut self.run.block_solver,
            invariants: &self.run.invariants,
        };
        self.slicer.slice(&mut self.graph, &mut ground)?;
        if cfg!(debug_assertions) {
            self.graph.check_invariants();
        }
        self.log_graph();
        Ok(())
    }

    /// The graph as it is now (the paper's Figures 4 and 5).
    fn log_graph(&mut self) {
        let (graph, pool) = (&self.graph, &*self.run.task.pool);
        self.run.task.stats.log("graph", || {
            let nodes = graph.live_nodes().map(|(id, node)| {
                let mut parts = vec![log::id(id), log::id(node.loc)];
                parts.push(log::formulas(pool, &node.invariant));
                parts.push(node.error.into());
                Field::List(parts)
            });
            let edges = graph.live_nodes().flat_map(|(_, node)| &node.out);
            let edges = edges.map(|&e| {
                let edge = &graph.edges[e];
                Field::List(vec![log::id(edge.from), log::id(edge.to)])
            });
            vec![
                ("nodes", Field::List(nodes.collect())),
                ("edges", Field::List(edges.collect())),
            ]
        });
    }

    /// New invariants may make edges infeasible that were not before.
    fn slice_anew(&mut self) -> Result<(), Stop> {
        for edge in self.graph.edges.iter_mut() {
            edge.checked = false;
        }
        self.slice()
    }
}

/// Every cut point as a node with the invariant `true`.
fn initial_graph(prepared: &Prepared) -> Graph {
    let mut graph = Graph::default();
    let mut node_of: BTreeMap<LocId, NodeId> = BTreeMap::new();
    for &loc in &prepared.graph.nodes {
        let error = prepared.program.locations[loc].error.is_some();
        let node = graph.add_node(loc, loc == prepared.entry(), error);
        node_of.insert(loc, node);
    }
    for (id, block) in prepared.graph.blocks.iter_enumerated() {
        if let (Some(&from), Some(&to)) = (node_of.get(&block.from), node_of.get(&block.to)) {
            graph.add_edge(from, id, to);
        }
    }
    graph
}
