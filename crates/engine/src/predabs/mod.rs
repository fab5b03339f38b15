//! Lazy predicate abstraction with predicates from proofs (BLAST).
//!
//! Terms: *predicate*, *precision* as in [`precision`]; *abstract state*: a Boolean combination of
//! predicates, as a decision diagram ([`bdd`]); *tree*, *cover* as in [`tree`]; *pivot*: the first
//! node of an error path that lacks a predicate the refutation of the path needs there.
//!
//! Idea, on `lock = 0; if (p) lock = 1; …; if (p) assert(lock); …`
//! ```text
//!   Without predicates the path through both `if`s reaches the error. Its interpolants are lock = 1
//!   or p after the first `if`, false after the second: the atoms p and lock = 1 are tracked between
//!   the two, and nowhere else. The tree is cut at the first `if` and grown again.
//! ```
//! Source: Henzinger, Jhala, Majumdar, McMillan, "Abstractions from Proofs" (POPL 2004): section 4
//! (abstract post), 5.1 (Extract), 7 (lazy abstraction, pivot).
//!
//! Where we differ, and why:
//! - blocks instead of single statements (option), so that fewer posts are computed: large ones, or
//!   where these are too large, blocks that end where paths meet; refinement is still on one path through their statements ([`trace`]), then on the blocks as a whole;
//! - calls are inlined where that is possible, so that the flat case of Extract suffices; recursive
//!   programs, and all with the option `calls`, have function summaries and scoped cuts ([`calls`]);
//! - covering is by the union of the states of a location, which diagrams give at no cost;
//! - errors are first searched for and invariants guessed ([`crate::presolve`]); proven invariants
//!   strengthen every post. The option `aids` turns that off.
//!
//! Invariants: the state of a node contains what the block reaches from the state of its parent.
//! Without open nodes, the union of the expanded nodes' states of each location is inductive, and it
//! excludes errors as none was entered.
//!
//! Progress: a refuted path needs a predicate that some node of it lacks, or the post was not
//! precise (limit on valuations, Cartesian abstraction, a solver that gave up). The limit is raised
//! then; if nothing is left to raise, the run ends as stuck.

mod bdd;
mod calls;
mod post;
mod precision;
mod precision_text;
mod refine;
mod trace;
mod tree;
mod worklist;

pub use post::Abstraction;
pub use precision::Sharing;
pub use worklist::Traversal;

use crate::api::{Engine, Progress, Task};
use crate::core::block_solver::Hoare;
use crate::core::exploration::{self, Exploration, Shown};
use crate::core::path::{Versions, vars_by_term};
use crate::guess::refinements::Guesses;
use crate::prepare::Prepared;
use crate::presolve::localization;
use crate::presolve::{Opening, open};
use base::{Budget, FxHashMap, Stop};
use bdd::{Bdd, Bdds};
use evidence::{Proof, Verdict};
use logic::{Pool, TermId};
use post::{Around, Before, Posts};
use precision::Precision;
use program::{BlockGraph, BlockId, BlockKind, BlockSize, LocId, VarId};
use std::collections::BTreeMap;
use trace::Statements;
use tree::{Basis, NodeId, Status, Tree};
use worklist::Worklist;

/// What becomes of calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Calls {
    /// Inlined where that is possible.
    #[default]
    Inline,
    /// Function summaries.
    Summaries,
}

/// Options of this engine.
#[derive(Clone, Debug, Default)]
pub struct PredabsOptions {
    /// Where a predicate is tracked.
    pub sharing: Sharing,
    /// How precise abstract states are.
    pub abstraction: Abstraction,
    /// What becomes of calls.
    pub calls: Calls,
    /// In which order states are explored.
    pub traversal: Traversal,
    /// Predicates to start with, as an earlier run gave them.
    pub precision: Option<String>,
}

/// The engine as the table makes it.
#[derive(Default)]
pub struct Predabs;

impl Engine for Predabs {
    fn run(&mut self, task: &mut Task<'_>) -> Verdict {
        if task.options.predabs.calls == Calls::Summaries {
            return calls::run(task);
        }
        // Recursion, or too much to inline.
        localization::run(task, true, search).unwrap_or_else(|_| calls::run(task))
    }
}

fn search(task: &mut Task<'_>, prepared: &Prepared) -> Verdict {
    // Predicates of an earlier run say where that run ended after its opening.
    let given = &task.options.predabs.precision;
    let to_start_with = given.as_deref().is_some_and(precision_text::has_any);
    let mut search = Search::new(task, prepared);
    let opened = match to_start_with {
        true => Ok(None),
        false => search.open(),
    };
    let finer = prepared.size == BlockSize::Large && oversized(search.task.pool, &prepared.graph);
    if !matches!(opened, Ok(None)) || !finer {
        let end = opened.and_then(|end| match end {
            Some(end) => Ok(end),
            None => search.explore(),
        });
        return search.verdict(end, prepared);
    }
    // Sound because the invariants hold at their locations however the program is cut.
    let invariants = std::mem::take(&mut search.guesses.invariants);
    let finer = prepared.in_blocks(search.task.pool, BlockSize::Joins);
    let mut search = Search::new(task, &finer);
    search.guesses.invariants = invariants;
    let end = search.explore();
    search.verdict(end, prepared)
}

/// The size of a block's formula beyond which blocks end where paths meet: an all-sat question asks
/// for many answers, so it must be easy.
const LARGEST_BLOCK: usize = 600;

fn oversized(pool: &Pool, graph: &BlockGraph) -> bool {
    graph.blocks.iter().any(|block| match &block.kind {
        BlockKind::Transition(t) => pool.dag_size(t.formula) > LARGEST_BLOCK,
        BlockKind::Call(_) => false,
    })
}

/// The state of one run.
struct Search<'a, 't> {
    task: &'a mut Task<'t>,
    prepared: &'a Prepared,
    tree: Tree,
    bdds: Bdds,
    precision: Precision,
    posts: Posts,
    hoare: Hoare<'a>,
    versions: Versions,
    var_of: FxHashMap<TermId, VarId>,
    guesses: Guesses,
    /// Made at the first refinement of blocks of more than one.
    statements: Option<Statements>,
    work: Worklist<NodeId>,
    refinements: u64,
}

impl<'a, 't> Search<'a, 't> {
    fn new(task: &'a mut Task<'t>, prepared: &'a Prepared) -> Self {
        let traversal = task.options.predabs.traversal;
        let mut positions = FxHashMap::default();
        worklist::positions(&prepared.graph, prepared.entry(), &mut positions);
        Search {
            statements: None,
            tree: Tree::new(prepared.program.locations.len()),
            bdds: Bdds::default(),
            precision: Precision::new(&prepared.program, precision::places(prepared)),
            posts: Posts::new(task.options.predabs.abstraction),
            hoare: Hoare::new(&prepared.program, &prepared.graph).using(&prepared.solvers),
            versions: Versions::default(),
            var_of: vars_by_term(&prepared.program),
            guesses: Guesses::default(),
            work: Worklist::new(traversal, positions),
            refinements: 0,
            task,
            prepared,
        }
    }

    fn budget(&self) -> &'t Budget {
        self.task.budget
    }

    /// Search for errors and guesses before the tree.
    fn open(&mut self) -> Result<Option<Exploration>, Stop> {
        let opening = open(
            self.task,
            self.prepared,
            &mut self.hoare,
            &mut self.versions,
            &mut self.guesses.invariants,
        )?;
        Ok(match opening {
            Opening::Error(cex) => Some(Exploration::Error(cex)),
            Opening::Invariant => Some(Exploration::Invariant),
            Opening::Undecided => None,
        })
    }

    /// The verdict of a run, with a proof for the cut points of `coarse`.
    fn verdict(&mut self, end: Result<Exploration, Stop>, coarse: &Prepared) -> Verdict {
        self.count();
        exploration::verdict(end, |shown| match shown {
            Shown::BySearch => self.proof(coarse),
            Shown::ByInvariants => {
                let (hoare, budget) = (&mut self.hoare, self.task.budget);
                let invariants = &self.guesses.invariants;
                invariants.proof(self.task.pool, self.prepared, hoare, budget)
            }
        })
    }

    /// The main loop: grow the tree until nothing is open.
    fn explore(&mut self) -> Result<Exploration, Stop> {
        if let Some(text) = self.task.options.predabs.precision.clone() {
            let read = self
                .precision
                .read(self.task.pool, &self.prepared.program, &text);
            self.task.stats.add("predicates read", read.taken);
            self.task.stats.add("predicates not understood", read.left);
        }
        let all = self.bdds.all();
        let root = self
            .tree
            .add(self.prepared.entry(), None, all, Basis::default());
        self.open_up([root]);
        while let Some(node) = self.work.pop() {
            self.budget().check()?;
            if self.tree.nodes[node].status != Status::Open || self.cover(node) {
                continue;
            }
            if let Some(end) = self.expand(node)? {
                return Ok(end);
            }
            self.report_progress();
        }
        Ok(Exploration::Complete)
    }

    fn open_up(&mut self, nodes: impl IntoIterator<Item = NodeId>) {
        for n in nodes {
            let node = &self.tree.nodes[n];
            self.work.push(n, node.loc, 0, node.depth);
        }
    }

    /// Covers the node if the states reached at its location contain its own.
    fn cover(&mut self, node: NodeId) -> bool {
        let (loc, state) = (self.tree.nodes[node].loc, self.tree.nodes[node].state);
        let reached = self.tree.reached(&mut self.bdds, loc);
        let covered = self.bdds.implies(state, reached);
        if covered {
            self.tree.nodes[node].status = Status::Covered;
            self.task.stats.add("covers", 1);
        }
        covered
    }

    /// Gives a node its children. An error that the abstraction reaches is refined at once.
    fn expand(&mut self, node: NodeId) -> Result<Option<Exploration>, Stop> {
        self.tree.nodes[node].status = Status::Expanded;
        let out = self.prepared.graph.out[self.tree.nodes[node].loc].clone();
        let (errors, others): (Vec<BlockId>, Vec<BlockId>) = out
            .into_iter()
            .partition(|&b| self.prepared.is_error_block(b));
        for block in errors {
            if self.post(node, block)? != self.bdds.none() {
                return self.refine(node, block);
            }
        }
        let mut children = Vec::new();
        for block in others {
            children.extend(self.add_child(node, block)?);
        }
        // Depth first takes the last: leaving a loop before going round it again.
        children.reverse();
        children.sort_by_key(|&c| self.prepared.is_loop_head(self.tree.nodes[c].loc));
        children.reverse();
        self.open_up(children);
        Ok(None)
    }

    /// The node that `block` leads to, if the abstraction lets it be taken.
    fn add_child(&mut self, node: NodeId, block: BlockId) -> Result<Option<NodeId>, Stop> {
        let state = self.post(node, block)?;
        if state == self.bdds.none() {
            return Ok(None);
        }
        let loc = self.prepared.graph.blocks[block].to;
        let basis = self.basis(self.tree.nodes[node].loc, loc);
        Ok(Some(self.tree.add(loc, Some((node, block)), state, basis)))
    }

    /// On what a post from `from` to `to` rests now.
    fn basis(&self, from: LocId, to: LocId) -> Basis {
        Basis {
            predicates: self.precision.at(to).len(),
            invariants: self.guesses.invariants.at(from).len(),
            limit: self.posts.limit,
        }
    }

    fn post(&mut self, node: NodeId, block: BlockId) -> Result<Bdd, Stop> {
        let from = &self.tree.nodes[node];
        let facts = self.guesses.invariants.at(from.loc);
        let before = Before {
            state: from.state,
            facts,
            stamp: facts.len(),
        };
        let mut around = Around {
            pool: self.task.pool,
            graph: &self.prepared.graph,
            hoare: &mut self.hoare,
            bdds: &mut self.bdds,
            precision: &self.precision,
            budget: self.task.budget,
        };
        self.posts.post(&mut around, before, block)
    }

    /// The states of each cut point of `coarse`, with the invariants. Those of the other cut points
    /// are left to the checker: the invariants were proven across them.
    fn proof(&mut self, coarse: &Prepared) -> Proof {
        let mut invariants = BTreeMap::new();
        // Large blocks are also cut where they grow too large, which need not be where paths meet.
        let both = |l: &&LocId| self.prepared.graph.nodes.binary_search(l).is_ok();
        for &loc in coarse.graph.nodes.iter().filter(both) {
            let reached = self.tree.reached(&mut self.bdds, loc);
            let pool = &mut *self.task.pool;
            let mut parts = vec![self.bdds.term(pool, &self.precision.terms, reached)];
            parts.extend_from_slice(self.guesses.invariants.at(loc));
            invariants.insert(loc, pool.and(&parts));
        }
        self.prepared.proof(self.task.pool, invariants)
    }

    fn report_progress(&mut self) {
        let progress = Progress {
            engine: "predabs",
            refinements: self.refinements,
            nodes: self.tree.nodes.len() as u64,
            covered: 0,
            depth: 0,
            solver_calls: self.hoare.solver_calls + self.posts.solver_calls,
        };
        (self.task.progress)(&progress);
    }

    /// The figures of the paper's Table 1, and the precision for the next run.
    fn count(&mut self) {
        let text = self.precision.write(self.task.pool);
        let stats = &mut *self.task.stats;
        let live = |n: &&tree::Node| n.status != Status::Removed;
        let alive = self.tree.nodes.iter().filter(live).count();
        stats.add("abstract states", alive as u64);
        stats.add("abstract states made", self.tree.nodes.len() as u64);
        stats.add("refinements", self.refinements);
        self.posts.count(stats);
        self.precision.count(stats);
        stats.precision = Some(text);
    }
}
