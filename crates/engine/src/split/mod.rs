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
//! Source: Ermis, Hoenicke, Podelski, "Splitting via Interpolants" (VMCAI 2012), Algorithm 1; large
//! blocks are its Transformations 1 and 2.
//!
//! Where we differ, and why:
//! - locations are not copied by values beforehand, as for the other engines: blocks that hold all
//!   ways through a loop body are what the paper lives on;
//! - most edge checks are skipped (conflicts, witnesses, edges that do not matter; see [`slice`]): the
//!   paper found theorem-prover calls to be the cost of splitting;
//! - interpolants may come from all loop-free ways to and from a node ([`dag`], `Ways::All`), the
//!   path insensitivity that the paper leaves to future work;
//! - interpolants are looked for in the words of relations between counters first ([`crate::guess::templates`]);
//! - the conjuncts of an interpolant that the refutation does not need are dropped;
//! - the facts found at loop heads are offered to Houdini, and a bounded search for errors and
//!   guessed invariants come first ([`crate::presolve`]).
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
use crate::core::block_solver::Hoare;
use crate::core::exploration::{self, Exploration, Shown};
use crate::core::houdini::Invariants;
use crate::core::path::Versions;
use crate::guess::templates::Counters;
use crate::prepare::Prepared;
use crate::presolve::localization;
use crate::presolve::{self, Opening};
use base::{Budget, FxHashMap, Stop};
use evidence::{Proof, Verdict};
use graph::{Graph, NodeId};
use logic::TermId;
use program::{LocId, VarId};
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
    let mut search = Search::new(task, prepared);
    let end = search.explore();
    search.report_progress();
    exploration::verdict(end, |shown| match shown {
        Shown::BySearch => search.proof(),
        Shown::ByInvariants => {
            let (hoare, budget) = (&mut search.hoare, search.task.budget);
            let invariants = &search.invariants;
            invariants.proof(search.task.pool, prepared, hoare, budget)
        }
    })
}

/// The state of one run.
struct Search<'a, 't> {
    task: &'a mut Task<'t>,
    prepared: &'a Prepared,
    graph: Graph,
    slicer: Slicer,
    hoare: Hoare<'a>,
    versions: Versions,
    var_of: FxHashMap<TermId, VarId>,
    counters: Counters,
    invariants: Invariants,
    /// Facts found at loop heads since the last Houdini run.
    found: BTreeMap<LocId, Vec<TermId>>,
    iterations: u64,
    splits: u64,
    next_houdini: u64,
    /// Number of iterations after which errors are searched again, deeper.
    next_hunt: u64,
}

impl<'a, 't> Search<'a, 't> {
    fn new(task: &'a mut Task<'t>, prepared: &'a Prepared) -> Self {
        Search {
            counters: Counters::of(task.pool, &prepared.program),
            hoare: Hoare::new(&prepared.program, &prepared.graph).using(&prepared.solvers),
            task,
            prepared,
            graph: initial_graph(prepared),
            slicer: Slicer::default(),
            versions: Versions::default(),
            var_of: crate::core::path::vars_by_term(&prepared.program),
            invariants: Invariants::default(),
            found: BTreeMap::new(),
            iterations: 0,
            splits: 0,
            next_houdini: 1,
            next_hunt: 16,
        }
    }

    fn budget(&self) -> &'t Budget {
        self.task.budget
    }

    /// Algorithm 1, after the opening.
    fn explore(&mut self) -> Result<Exploration, Stop> {
        let opening = presolve::open(
            self.task,
            self.prepared,
            &mut self.hoare,
            &mut self.versions,
            &mut self.invariants,
        )?;
        match opening {
            Opening::Error(cex) => return Ok(Exploration::Error(cex)),
            Opening::Invariant => return Ok(Exploration::Invariant),
            Opening::Undecided => {}
        }
        self.slice()?;
        while let Some(path) = self.graph.error_path() {
            self.budget().check()?;
            self.iterations += 1;
            let before = (self.splits, self.slicer.counts.sliced);
            if let Some(end) = self.refine(&path)? {
                return Ok(end);
            }
            self.slice()?;
            if before == (self.splits, self.slicer.counts.sliced) {
                return Ok(Exploration::Stuck(format!(
                    "the interpolants of an error path of {} blocks split nothing",
                    path.edges.len()
                )));
            }
            if self.iterations >= self.next_houdini {
                self.next_houdini = self.iterations + 1 + self.iterations / 4;
                if self.houdini()? {
                    return Ok(Exploration::Invariant);
                }
            }
            if self.iterations >= self.next_hunt {
                self.next_hunt = self.iterations * 2;
                let calls = 60 + self.iterations * 20;
                let found =
                    presolve::search_errors(self.task, self.prepared, &mut self.versions, calls)?;
                if let Some(cex) = found {
                    return Ok(Exploration::Error(cex));
                }
            }
            self.report_progress();
        }
        Ok(Exploration::Complete)
    }

    fn slice(&mut self) -> Result<(), Stop> {
        let mut ground = Ground {
            budget: self.task.budget,
            pool: self.task.pool,
            hoare: &mut self.hoare,
            invariants: &self.invariants,
        };
        self.slicer.slice(&mut self.graph, &mut ground)?;
        if cfg!(debug_assertions) {
            self.graph.check_invariants();
        }
        Ok(())
    }

    /// Offers the facts found since the last time to Houdini. New invariants may make edges
    /// infeasible that were not before.
    fn houdini(&mut self) -> Result<bool, Stop> {
        let found = std::mem::take(&mut self.found);
        let before = self.invariants.count();
        let done = presolve::offer(
            self.task,
            self.prepared,
            &mut self.hoare,
            &mut self.invariants,
            found,
        )?;
        if !done && self.invariants.count() > before {
            for edge in self.graph.edges.iter_mut() {
                edge.checked = false;
            }
            self.slice()?;
        }
        Ok(done)
    }

    fn proof(&mut self) -> Proof {
        let mut at: BTreeMap<LocId, Vec<TermId>> = BTreeMap::new();
        for (_, node) in self.graph.live_nodes() {
            let invariant = self.task.pool.and(&node.invariant);
            at.entry(node.loc).or_default().push(invariant);
        }
        self.invariants
            .proof_with_labels(self.task.pool, self.prepared, at)
    }

    fn report_progress(&mut self) {
        let progress = Progress {
            engine: "split",
            refinements: self.iterations,
            nodes: self.graph.live_nodes().count() as u64,
            covered: 0,
            depth: 0,
            solver_calls: self.hoare.solver_calls + self.iterations,
        };
        (self.task.progress)(&progress);
        let counts = self.slicer.counts;
        let stats = &mut *self.task.stats;
        stats.max("iterations", self.iterations);
        stats.max("splits", self.splits);
        stats.max("nodes", progress.nodes);
        stats.max("sliced edges", counts.sliced);
        stats.max("dropped nodes", counts.dropped_nodes);
        stats.max("edge checks by solver", counts.solver_calls);
        stats.max("edge checks by conflict", counts.by_conflict);
        stats.max("edge checks by witness", counts.by_witness);
        stats.max("solver calls", progress.solver_calls);
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
