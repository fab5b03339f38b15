//! IMPACT: lazy abstraction with interpolants (WOLVERINE's engine).
//!
//! Terms: *unwinding*, *label*, *cover* as in [`crate::core::unwinding`].
//!
//! Idea, on `x = 0; while (*) x++; if (x < 0) error;`
//! ```text
//!   n0 entry {true} -> n1 head {true} -> n2 error      the path x@1 = 0, x@1 < 0 is infeasible;
//!   its interpolant x >= 0 becomes the label of n1, false that of n2.
//!   n1 -> n3 head {true}: the path n0 n1 n3 error gives x >= 0 at n3; n1 covers n3. Done.
//! ```
//! Source: McMillan, "Lazy Abstraction with Interpolants" (CAV 2006), as WOLVERINE has it
//! (sections 2 and 3): expand, refine, cover, close, forced covering.
//!
//! Where we differ, and why (`--method paper` has none of these but the second and third):
//! - nodes are cut points and edges are large blocks, so a path formula holds all branches between (the paper,
//!   section 2: basic blocks);
//! - an infeasible block is not entered (one incremental check saves whole subtrees);
//! - forced covering, which the paper leaves to McMillan's, is tried with the newest node only, not over long ways, and
//!   rarely where it rarely works: it costs an interpolation problem ([`crate::limits`]);
//! - after refinements the conjuncts found at loop heads are offered to Houdini
//!   ([`crate::core::houdini`]): what is inductive holds everywhere at once and turns facts of one path
//!   into invariants; if these exclude the error, the proof is done;
//! - interpolants in the words of relations between counters are looked for first ([`crate::guess::templates`]);
//! - a bounded search for errors and guessed invariants come first ([`crate::presolve`]).
//!
//! In paper mode, as section 2 has it: assignments in a row are one block and conditions blocks by themselves,
//! what does not matter to the property is sliced away, interpolants are made of an unsatisfiable core (of a long path one near its end), nodes are covered at
//! every location, and weakest preconditions are the last resort. Missing: recursion (not in the paper either);
//! the decision procedure is ours, not the paper's rules for bit-vectors; section 3's interface is `--solver` and
//! `--interpolation external`.
//!
//! Invariants: a node's label over-approximates the states its path reaches; a complete unwinding
//! (no open leaf) with all error nodes labelled false is a proof: the invariant of a location is
//! the disjunction of its uncovered nodes' labels.

mod refine;

use crate::api::{Engine, Order, Progress, Task};
use crate::core::cegar::{self, Cegar, Learnt, Refinement};
use crate::core::exploration::Exploration;
use crate::core::tree::NodeId;
use crate::core::unwinding::Unwinding;
use crate::log::{self, Field};
use crate::prepare::Prepared;
use crate::presolve::localization;
use base::{FxHashSet, Stop};
use evidence::{Proof, Verdict};
use logic::TermId;
use program::{BlockId, BlockSize, LocId};
use std::collections::{BTreeMap, VecDeque};

/// The engine as the table makes it.
#[derive(Default)]
pub struct Impact;

impl Engine for Impact {
    fn run(&mut self, task: &mut Task<'_>) -> Verdict {
        localization::run(task, true, search).unwrap_or_else(Verdict::Unknown)
    }
}

/// A run on a prepared program.
pub(crate) fn search(task: &mut Task<'_>, prepared: &Prepared) -> Verdict {
    cegar::run(&mut Search::new(task, prepared))
}

/// The state of one run.
struct Search<'a, 't> {
    run: Cegar<'a, 't>,
    tree: Unwinding,
    work: VecDeque<NodeId>,
    /// Attempts at forced covering, and how many worked.
    force_tries: u64,
    forced: u64,
}

impl<'a, 't> Refinement<'a, 't> for Search<'a, 't> {
    fn cegar(&mut self) -> &mut Cegar<'a, 't> {
        &mut self.run
    }

    /// Looks at the next node: closed, or covered now, or expanded.
    fn advance(&mut self) -> Result<Option<Exploration>, Stop> {
        let Some(node) = self.next_node() else {
            let open = self.tree.open_leaves();
            if open.is_empty() {
                return Ok(Some(Exploration::Complete));
            }
            self.work.extend(open);
            return Ok(None);
        };
        let closed = self.tree.is_closed(node);
        if closed || self.tree.nodes[node].expanded || self.close(node)? {
            return Ok(None);
        }
        self.expand(node)
    }

    /// The invariant of a location is the disjunction of its uncovered nodes' labels.
    fn proof(&mut self) -> Proof {
        let mut at: BTreeMap<LocId, Vec<TermId>> = BTreeMap::new();
        for id in self.tree.nodes.ids() {
            let loc = self.tree.nodes[id].loc;
            let is_error = self.run.prepared.program.locations[loc].error.is_some();
            if is_error || self.tree.is_closed(id) {
                continue;
            }
            let label = self.tree.nodes[id].label.term(self.run.task.pool);
            at.entry(loc).or_default().push(label);
        }
        let (pool, prepared) = (&mut *self.run.task.pool, self.run.prepared);
        self.run.invariants.proof_with_labels(pool, prepared, at)
    }

    fn progress(&mut self) -> Progress {
        let progress = Progress {
            engine: "impact",
            refinements: self.run.refinements,
            nodes: self.tree.nodes.len() as u64,
            covered: 0,
            depth: 0,
            solver_calls: self.run.block_solver.solver_calls,
        };
        let stats = &mut *self.run.task.stats;
        stats.max("refinements", progress.refinements);
        stats.max("hoare checks", progress.solver_calls);
        progress
    }
}

impl<'a, 't> Search<'a, 't> {
    fn new(task: &'a mut Task<'t>, prepared: &'a Prepared) -> Self {
        let tree = Unwinding::from_root(prepared.program.locations.len(), prepared.entry());
        Search {
            run: Cegar::new(task, prepared),
            work: VecDeque::from([tree.root()]),
            tree,
            force_tries: 0,
            forced: 0,
        }
    }

    fn next_node(&mut self) -> Option<NodeId> {
        match self.run.task.options.order {
            Order::DepthFirst => self.work.pop_back(),
            Order::BreadthFirst => self.work.pop_front(),
        }
    }

    /// Gives a node its children. Errors are refined at once, so that the labels they bring are
    /// known before the other children are looked at.
    fn expand(&mut self, node: NodeId) -> Result<Option<Exploration>, Stop> {
        self.tree.nodes[node].expanded = true;
        let loc = self.tree.nodes[node].loc;
        let (errors, others): (Vec<BlockId>, Vec<BlockId>) = self.run.prepared.graph.out[loc]
            .iter()
            .partition(|&&b| self.run.prepared.is_error_block(b));
        for block in errors {
            if self.tree.has_child(node, block) || !self.enterable(node, block)? {
                continue;
            }
            let child = self.add_child(node, block);
            if let Some(end) = self.refine(child)? {
                return Ok(Some(end));
            }
            if self.run.houdini_if_due()? == Learnt::Safety {
                return Ok(Some(Exploration::Invariant));
            }
            if self.tree.is_covered(node) {
                // Its other children were not made: should it lose its cover, it is open again.
                self.tree.nodes[node].expanded = false;
                return Ok(None);
            }
        }
        let mut children = Vec::new();
        for block in others {
            if self.enterable(node, block)? {
                children.push(self.add_child(node, block));
            }
        }
        // Depth first takes the last: leaving a loop before going round it again.
        children.reverse();
        children.sort_by_key(|&c| self.run.prepared.is_loop_head(self.tree.nodes[c].loc));
        children.reverse();
        self.work.extend(children);
        Ok(None)
    }

    fn add_child(&mut self, node: NodeId, block: BlockId) -> NodeId {
        let loc = self.run.prepared.graph.blocks[block].to;
        let child = self.tree.add_child(node, block, loc);
        self.run.task.stats.log("node", || {
            vec![
                ("node", log::id(child)),
                ("parent", log::id(node)),
                ("location", log::id(loc)),
            ]
        });
        child
    }

    /// Can the block be taken from the node's label? If not, no child is needed: the label stays
    /// that strong.
    fn enterable(&mut self, node: NodeId, block: BlockId) -> Result<bool, Stop> {
        let mut pre = self.tree.nodes[node].label.conjuncts().to_vec();
        pre.extend_from_slice(self.run.invariants.at(self.tree.nodes[node].loc));
        let budget = self.run.task.budget;
        self.run
            .block_solver
            .feasible(self.run.task.pool, &pre, block, budget)
    }

    /// Tries to cover the node by an older one, directly or by force.
    fn close(&mut self, node: NodeId) -> Result<bool, Stop> {
        let loc = self.tree.nodes[node].loc;
        if !self.covers_at(loc) {
            return Ok(false);
        }
        let (contained, candidates) = {
            let fits =
                |by: &NodeId| self.tree.nodes[*by].expanded && self.tree.may_cover(node, *by);
            let newest = self.tree.standing(loc).rev();
            // Without a solver first.
            let label = &self.tree.nodes[node].label;
            let weaker = |by: &NodeId| label.contains_all(&self.tree.nodes[*by].label);
            let contained = newest.clone().find(|by| weaker(by) && fits(by));
            let candidates: Vec<NodeId> = match contained {
                Some(_) => Vec::new(),
                None => newest.filter(fits).collect(),
            };
            (contained, candidates)
        };
        if let Some(by) = contained {
            self.add_cover(node, by);
            return Ok(true);
        }
        if let Some(by) = self.implied(node, &candidates)? {
            self.add_cover(node, by);
            return Ok(true);
        }
        // Forcing costs an interpolation problem: where it rarely works, try it rarely.
        self.force_tries += 1;
        let limits = &self.run.task.options.limits.impact;
        let worth = limits.worth_forcing(self.force_tries, self.forced);
        if worth
            && let Some(&by) = candidates.first()
            && self.force_cover(node, by)?
        {
            self.forced += 1;
            return Ok(true);
        }
        Ok(false)
    }

    /// Are nodes of this location covered? Blocks that end where paths meet need it at every location, as in the
    /// paper: else the ways between loop heads are all gone. Larger blocks hold these ways in one formula.
    fn covers_at(&self, loc: LocId) -> bool {
        self.run.prepared.size != BlockSize::Large || self.run.prepared.is_loop_head(loc)
    }

    fn add_cover(&mut self, node: NodeId, by: NodeId) {
        let uncovered = self.tree.cover(node, by);
        self.run.task.stats.log("cover", || {
            let lost: Vec<Field> = uncovered.iter().map(log::id).collect();
            vec![
                ("node", log::id(node)),
                ("by", log::id(by)),
                ("uncovered", Field::List(lost)),
            ]
        });
        self.work.extend(uncovered);
    }

    /// The first of the candidates whose label that of the node implies. Candidates with the same label are asked for once.
    fn implied(&mut self, node: NodeId, candidates: &[NodeId]) -> Result<Option<NodeId>, Stop> {
        let mut strong = self.tree.nodes[node].label.conjuncts().to_vec();
        strong.extend_from_slice(self.run.invariants.at(self.tree.nodes[node].loc));
        let strong = self.run.task.pool.and(&strong);
        let budget = self.run.task.budget;
        let mut asked: FxHashSet<TermId> = FxHashSet::default();
        for &by in candidates {
            let weak = self.tree.nodes[by].label.term(self.run.task.pool);
            if !asked.insert(weak) {
                continue;
            }
            budget.check()?;
            let pool = &mut *self.run.task.pool;
            if self.run.block_solver.implies(pool, strong, weak, budget)? {
                return Ok(Some(by));
            }
        }
        Ok(None)
    }
}
