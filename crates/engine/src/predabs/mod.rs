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
//! Source: Henzinger, Jhala, Majumdar, McMillan, "Abstractions from Proofs" (POPL 2004): section 4 (abstract post), 5.1
//! (Extract), 5.2 (scoped cuts), 7 (assignments in a row are one step, cuts only where the refutation needs them). The loop
//! around it, tree and pivot, is that of Henzinger, Jhala, Majumdar, Sutre, "Lazy Abstraction" (POPL 2002).
//!
//! Where we differ, and why (`--method paper` has neither the first nor the last):
//! - blocks are large, so that fewer posts are computed, or where these are too large, blocks that end where paths
//!   meet (`--method paper`: assignments in a row, section 7; `--blocks single`: statements, as in section 5); refinement is
//!   still on one path through their statements ([`statement_path`]), then on the blocks as a whole;
//! - calls are inlined where that is possible, so that the flat case of Extract suffices (section 5.1); recursive
//!   programs, and all with the option `calls`, have function summaries and scoped cuts (section 5.2, [`calls`]);
//! - memory is an array and not cells by type (section 6), with interpolants of arrays ([`smt::interpolate`]) in place of
//!   instances of the memory axioms: the store of a caller is not copied for its callee (section 6.2), a
//!   summary says what the function writes;
//! - an abstract post (section 4) asks the solver about the predicates that the block has to do with only, which changes
//!   nothing but the cost ([`post`]);
//! - a refutation is sought from the end of the path backwards first; in paper mode it is reduced to the constraints
//!   that it needs (section 7);
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
mod covering;
mod post;
mod precision;
mod precision_text;
mod refine;
mod statement_path;
mod worklist;

pub use post::Abstraction;
pub use precision::Sharing;
pub use worklist::Traversal;

use crate::api::{Engine, Progress, Task};
use crate::core::cegar::{self, Cegar, Refinement};
use crate::core::exploration::Exploration;
use crate::core::tree::{Node, NodeId};
use crate::log;
use crate::prepare::Prepared;
use crate::presolve::localization;
use base::{FxHashMap, Stop};
use bdd::{Bdd, Bdds};
use covering::{AbstractState, AbstractTree, Basis, Status};
use evidence::{Proof, Verdict};
use logic::Pool;
use post::{Around, Before, Posts};
use precision::Precision;
use program::{BlockGraph, BlockId, BlockKind, BlockSize, LocId};
use statement_path::Statements;
use std::collections::BTreeMap;

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
    let mut search = Search::new(task, prepared, prepared);
    let presolved = match to_start_with {
        true => Ok(None),
        false => search.run.presolve(),
    };
    let most = search.run.task.options.limits.predabs.block_terms;
    let finer =
        prepared.size == BlockSize::Large && oversized(search.run.task.pool, &prepared.graph, most);
    if !matches!(presolved, Ok(None)) || !finer {
        let end = presolved.and_then(|end| match end {
            Some(end) => Ok(end),
            None => cegar::refine(&mut search),
        });
        return search.verdict(end);
    }
    // Sound because the invariants hold at their locations however the program is cut.
    let invariants = std::mem::take(&mut search.run.invariants);
    let finer = prepared.in_blocks(search.run.task.pool, BlockSize::Joins);
    let mut search = Search::new(task, &finer, prepared);
    search.run.invariants = invariants;
    let end = cegar::refine(&mut search);
    search.verdict(end)
}

/// Has some block a formula of more terms?
fn oversized(pool: &Pool, graph: &BlockGraph, most: usize) -> bool {
    graph.blocks.iter().any(|block| match &block.kind {
        BlockKind::Transition(t) => pool.dag_size(t.formula) > most,
        BlockKind::Call(_) => false,
    })
}

/// The state of one run.
struct Search<'a, 't> {
    run: Cegar<'a, 't>,
    /// The program in the blocks for whose cut points a proof is given.
    coarse: &'a Prepared,
    tree: AbstractTree,
    bdds: Bdds,
    precision: Precision,
    posts: Posts,
    /// Made at the first refinement of blocks of more than one.
    statements: Option<Statements>,
    work: Worklist<NodeId>,
}

impl<'a, 't> Refinement<'a, 't> for Search<'a, 't> {
    fn cegar(&mut self) -> &mut Cegar<'a, 't> {
        &mut self.run
    }

    /// Looks at the next node: covered, or expanded; the first time, plants the tree.
    fn advance(&mut self) -> Result<Option<Exploration>, Stop> {
        if self.tree.nodes.is_empty() {
            self.plant();
        }
        let Some(node) = self.work.pop() else {
            return Ok(Some(Exploration::Complete));
        };
        if self.tree.nodes[node].status != Status::Open || self.cover(node) {
            return Ok(None);
        }
        self.expand(node)
    }

    /// The states of each cut point of the coarse blocks, with the invariants. Those of the other cut
    /// points are left to the checker: the invariants were proven across them.
    fn proof(&mut self) -> Proof {
        let mut invariants = BTreeMap::new();
        // Large blocks are also cut where they grow too large, which need not be where paths meet.
        let both = |l: &&LocId| self.run.prepared.graph.nodes.binary_search(l).is_ok();
        for &loc in self.coarse.graph.nodes.iter().filter(both) {
            let reached = self.tree.reached(&mut self.bdds, loc);
            let pool = &mut *self.run.task.pool;
            let mut parts = vec![self.bdds.term(pool, &self.precision.terms, reached)];
            parts.extend_from_slice(self.run.invariants.at(loc));
            invariants.insert(loc, pool.and(&parts));
        }
        self.run.prepared.proof(self.run.task.pool, invariants)
    }

    fn progress(&mut self) -> Progress {
        Progress {
            engine: "predabs",
            refinements: self.run.refinements,
            nodes: self.tree.nodes.len() as u64,
            covered: 0,
            depth: 0,
            solver_calls: self.run.block_solver.solver_calls + self.posts.solver_calls,
        }
    }

    /// Its error paths are short already: breadth comes first.
    fn searches_errors(&self) -> bool {
        false
    }
}

impl<'a, 't> Search<'a, 't> {
    fn new(task: &'a mut Task<'t>, prepared: &'a Prepared, coarse: &'a Prepared) -> Self {
        let traversal = task.options.predabs.traversal;
        let mut positions = FxHashMap::default();
        worklist::positions(&prepared.graph, prepared.entry(), &mut positions);
        Search {
            coarse,
            statements: None,
            tree: AbstractTree::new(prepared.program.locations.len()),
            bdds: Bdds::default(),
            precision: Precision::new(&prepared.program, precision::places(prepared)),
            posts: Posts::new(task.options),
            work: Worklist::new(traversal, positions),
            run: Cegar::new(task, prepared),
        }
    }

    fn verdict(&mut self, end: Result<Exploration, Stop>) -> Verdict {
        self.count();
        cegar::verdict(self, end)
    }

    /// The root, with the predicates that came with the task.
    fn plant(&mut self) {
        if let Some(text) = self.run.task.options.predabs.precision.clone() {
            let (pool, program) = (&mut *self.run.task.pool, &self.run.prepared.program);
            let read = self.precision.read(pool, program, &text);
            self.run.task.stats.add("predicates read", read.taken);
            let left = read.left;
            self.run.task.stats.add("predicates not understood", left);
        }
        let all = self.bdds.all();
        let entry = self.run.prepared.entry();
        let root = self
            .tree
            .add(entry, None, AbstractState::open(all, Basis::default()));
        self.open_up([root]);
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
            self.run
                .task
                .stats
                .log("cover", || vec![("node", log::id(node))]);
        }
        covered
    }

    /// Gives a node its children. An error that the abstraction reaches is refined at once.
    fn expand(&mut self, node: NodeId) -> Result<Option<Exploration>, Stop> {
        self.tree.nodes[node].status = Status::Expanded;
        let out = self.run.prepared.graph.out[self.tree.nodes[node].loc].clone();
        let (errors, others): (Vec<BlockId>, Vec<BlockId>) = out
            .into_iter()
            .partition(|&b| self.run.prepared.is_error_block(b));
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
        children.sort_by_key(|&c| self.run.prepared.is_loop_head(self.tree.nodes[c].loc));
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
        let loc = self.run.prepared.graph.blocks[block].to;
        let basis = self.basis(self.tree.nodes[node].loc, loc);
        let state = AbstractState::open(state, basis);
        let child = self.tree.add(loc, Some((node, block)), state);
        self.run.task.stats.log("node", || {
            vec![
                ("node", log::id(child)),
                ("parent", log::id(node)),
                ("location", log::id(loc)),
            ]
        });
        Ok(Some(child))
    }

    /// On what a post from `from` to `to` rests now.
    fn basis(&self, from: LocId, to: LocId) -> Basis {
        Basis {
            predicates: self.precision.at(to).len(),
            invariants: self.run.invariants.at(from).len(),
            limit: self.posts.limit,
        }
    }

    fn post(&mut self, node: NodeId, block: BlockId) -> Result<Bdd, Stop> {
        let from = &self.tree.nodes[node];
        let facts = self.run.invariants.at(from.loc);
        let before = Before {
            state: from.state,
            facts,
            stamp: facts.len(),
            of_step: false,
        };
        let mut around = Around {
            pool: self.run.task.pool,
            graph: &self.run.prepared.graph,
            block_solver: &mut self.run.block_solver,
            bdds: &mut self.bdds,
            precision: &self.precision,
            budget: self.run.task.budget,
        };
        self.posts.post(&mut around, before, block)
    }

    /// The figures of the paper's Table 1, and the precision for the next run.
    fn count(&mut self) {
        let text = self.precision.write(self.run.task.pool);
        let stats = &mut *self.run.task.stats;
        let live = |n: &&Node<AbstractState>| n.status != Status::Removed;
        let alive = self.tree.nodes.iter().filter(live).count();
        stats.add("abstract states", alive as u64);
        stats.add("abstract states made", self.tree.nodes.len() as u64);
        stats.add("refinements", self.run.refinements);
        self.posts.count(stats);
        self.precision.count(stats);
        stats.precision = Some(text);
    }
}
