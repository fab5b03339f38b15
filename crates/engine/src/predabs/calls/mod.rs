//! Predicate abstraction without inlining: function summaries and context-free reachability.
//!
//! Idea. A call enters the callee in a *context*: the function and an abstract state of its
//! parameters, under the predicates tracked at its entry. Each context is explored once; each
//! abstract state at its exit (a relation of returns and values at entry) gives every call that
//! entered the context one more state after the call ([`contexts`]). Where a function calls itself
//! from a context it is already in, it just waits for exits of that context: recursion ends by
//! itself. Error paths are refuted with scoped cuts ([`nested`]), so the predicates of a function
//! speak of its own variables and of its values at entry only.
//!
//! Source: section 5.2 of the paper; Reps, Horwitz, Sagiv (POPL 1995) for reachability.
//!
//! Invariants: for each context that executions reach, and each node in its tree, the state of a
//! child contains what the block, or the call with the summary of its callee, reaches from its
//! parent. Without open nodes the contexts are a set of contracts that supports itself: from a
//! context's entry states, its function makes only calls that enter contexts, reaches no error, and
//! returns only with an exit state.

mod contexts;
mod nested;
mod prepare;
mod proof;
mod refine;
mod single;

use super::bdd::{Bdd, Bdds};
use super::covering::{Basis, Status};
use super::oversized;
use super::post::{Around, Before, Posts};
use super::precision::{Place, Precision, Sharing, atoms};
use super::statement_path::Statements;
use super::worklist::{self, Worklist};
use crate::api::{Progress, Task};
use crate::core::block_solver::BlockSolver;
use crate::core::path::Versions;
use crate::core::tree::{Node, NodeId};
use crate::log;
use crate::presolve::random_runs::fuzz;
use crate::summaries::given::given;
use base::{FxHashMap, FxHashSet, Id, Stop};
use contexts::{Caller, Contexts, CtxId, InContext, Via};
use evidence::{Counterexample, Reason, Verdict};
use logic::TermId;
use prepare::CallProgram;
use program::{BlockId, BlockKind, BlockSize, FuncId, LocId, VarId};
use std::collections::BTreeMap;

/// How an exploration ended.
pub(super) enum Exploration {
    /// No open node is left.
    Complete,
    Error(Counterexample),
    Stuck(String),
}

/// The state of one run.
pub(super) struct Search<'a, 't> {
    task: &'a mut Task<'t>,
    prepared: &'a CallProgram,
    contexts: Contexts,
    bdds: Bdds,
    precision: Precision,
    posts: Posts,
    block_solver: BlockSolver<'a>,
    versions: Versions,
    /// Made at the first refinement of blocks of more than one.
    statements: Option<Statements>,
    work: Worklist<NodeId>,
    refinements: u64,
}

/// Runs the engine without inlining.
pub fn run(task: &mut Task<'_>) -> Verdict {
    if task.options.aids
        && task.options.random_runs
        && let Some(cex) = fuzz(task)
    {
        return Verdict::Unsafe(cex);
    }
    let mut prepared = prepare::prepare(task, task.options.blocks);
    if task.options.blocks == BlockSize::Large
        && oversized(
            task.pool,
            &prepared.graph,
            task.options.limits.predabs.block_terms,
        )
    {
        prepared = prepare::prepare(task, BlockSize::Joins);
    }
    let mut search = Search::new(task, &prepared);
    let end = search.explore();
    search.count();
    match end {
        Ok(Exploration::Complete) => Verdict::Safe(search.proof()),
        Ok(Exploration::Error(cex)) => Verdict::Unsafe(cex),
        Ok(Exploration::Stuck(what)) => Verdict::Unknown(Reason::NoProgress { what }),
        Err(stop) => Verdict::Unknown(Reason::OutOfBudget(stop)),
    }
}

/// Where predicates may be tracked: all cut points but the program's entry; at the entry of a
/// function only those about parameters, at its exit those about returns and values at entry.
fn places(prepared: &CallProgram) -> BTreeMap<LocId, Place> {
    let program = &prepared.program;
    let start = program.functions[program.entry].entry;
    let mut out = BTreeMap::new();
    for &loc in &prepared.graph.nodes {
        let location = &program.locations[loc];
        if loc == start || location.error.is_some() {
            continue;
        }
        let f = &program.functions[location.func];
        let only: Option<FxHashSet<VarId>> = if loc == f.entry {
            Some(f.params.iter().copied().collect())
        } else if loc == f.exit {
            let frozen = f.params.iter().map(|p| prepared.frozen[p]);
            Some(frozen.chain(f.returns.iter().copied()).collect())
        } else {
            None
        };
        let place = Place {
            home: location.func.index(),
            function: f.name.clone(),
            only,
        };
        out.insert(loc, place);
    }
    out
}

impl<'a, 't> Search<'a, 't> {
    fn new(task: &'a mut Task<'t>, prepared: &'a CallProgram) -> Self {
        let solvers = task.options.solvers.clone();
        let traversal = task.options.predabs.traversal;
        let mut positions = FxHashMap::default();
        for f in prepared.program.functions.iter() {
            worklist::positions(&prepared.graph, f.entry, &mut positions);
        }
        Search {
            contexts: Contexts::new(prepared.program.locations.len()),
            bdds: Bdds::default(),
            precision: Precision::new(&prepared.program, places(prepared)),
            posts: Posts::new(task.options),
            block_solver: BlockSolver::new(&prepared.program, &prepared.graph).using(&solvers),
            versions: Versions::default(),
            statements: None,
            work: Worklist::new(traversal, positions),
            refinements: 0,
            task,
            prepared,
        }
    }

    /// The main loop: grow the trees until nothing is open.
    fn explore(&mut self) -> Result<Exploration, Stop> {
        if let Some(text) = self.task.options.predabs.precision.clone() {
            let program = &self.prepared.program;
            let read = self.precision.read(self.task.pool, program, &text);
            self.task.stats.add("predicates read", read.taken);
            self.task.stats.add("predicates not understood", read.left);
        }
        self.track_given();
        let program = &self.prepared.program;
        let start = program.functions[program.entry].entry;
        let all = self.bdds.all();
        let (_, root) = self
            .contexts
            .context(program.entry, start, all, Basis::default());
        self.open_up(root);
        while let Some(node) = self.next_node() {
            self.task.budget.check()?;
            if self.contexts.tree.nodes[node].status != Status::Open {
                continue;
            }
            let ctx = self.contexts.tree.nodes[node].ctx;
            if !self.contexts.openers().contains_key(&ctx) {
                self.contexts.park(node);
                continue;
            }
            if self.cover(node) {
                continue;
            }
            if let Some(end) = self.expand(node)? {
                return Ok(end);
            }
            self.report_progress();
        }
        Ok(Exploration::Complete)
    }

    /// Tracks what the user says of functions: at their entries what they require, at their exits and after calls of
    /// them what they ensure.
    fn track_given(&mut self) {
        let prepared = self.prepared;
        let program = &prepared.program;
        let mut wanted: Vec<(LocId, TermId)> = Vec::new();
        for (f, function) in program.functions.iter_enumerated() {
            let pool = &mut *self.task.pool;
            let facts = given(pool, &self.task.program.contracts, program, f, None);
            wanted.extend(facts.guards.iter().map(|&t| (function.entry, t)));
            for fact in facts.summaries {
                let at_exit = prepared.at_entry(pool, f, fact);
                wanted.push((function.exit, at_exit));
                for call in prepared.calls_of(f) {
                    let after = call.instance(pool, program, at_exit);
                    wanted.extend(after.map(|t| (prepared.graph.blocks[call.leave].to, t)));
                }
            }
        }
        for (loc, fact) in wanted {
            for atom in atoms(self.task.pool, fact) {
                let predicate = self.precision.number(self.task.pool, atom);
                self.precision.add(Sharing::Location, loc, predicate);
            }
        }
    }

    fn next_node(&mut self) -> Option<NodeId> {
        self.work.pop().or_else(|| {
            let unparked = self.contexts.unpark();
            self.open_up(unparked);
            self.work.pop()
        })
    }

    /// Callees come before their callers go on.
    fn open_up(&mut self, nodes: impl IntoIterator<Item = NodeId>) {
        for n in nodes {
            let node = &self.contexts.tree.nodes[n];
            let rank = u32::MAX - node.ctx.index() as u32;
            self.work.push(n, node.loc, rank, 0);
        }
    }

    /// Covers the node if the states reached at its location in its context contain its own.
    fn cover(&mut self, node: NodeId) -> bool {
        let n = &self.contexts.tree.nodes[node];
        let (ctx, loc, state) = (n.ctx, n.loc, n.state);
        let reached = self.contexts.reached(&mut self.bdds, ctx, loc);
        let covered = self.bdds.implies(state, reached);
        if covered {
            self.contexts.tree.nodes[node].status = Status::Covered;
            self.task
                .stats
                .log("cover", || vec![("node", log::id(node))]);
        }
        covered
    }

    /// Gives a node its children; at an exit, gives them to the calls that wait for it.
    fn expand(&mut self, node: NodeId) -> Result<Option<Exploration>, Stop> {
        self.contexts.tree.nodes[node].status = Status::Expanded;
        let (ctx, loc) = (
            self.contexts.tree.nodes[node].ctx,
            self.contexts.tree.nodes[node].loc,
        );
        let func = self.contexts.contexts[ctx].func;
        if loc == self.prepared.program.functions[func].exit {
            self.contexts.contexts[ctx].exits.push(node);
            for caller in self.contexts.contexts[ctx].callers.clone() {
                self.leave(caller, node)?;
            }
        }
        let out = self.prepared.graph.out[loc].clone();
        let is_error = |b: &BlockId| self.prepared.is_error_block(*b);
        let (errors, others): (Vec<BlockId>, Vec<BlockId>) = out.into_iter().partition(is_error);
        for block in errors {
            if self.post(node, block, &[], 0)? != self.bdds.none() {
                return self.refine(node, block);
            }
        }
        let mut children = Vec::new();
        for block in others {
            if matches!(self.prepared.graph.blocks[block].kind, BlockKind::Call(_)) {
                self.enter(node, block)?;
            } else {
                children.extend(self.add_child(node, Via::Block(block))?);
            }
        }
        // Depth first takes the last: leaving a loop before going round it again.
        children.sort_by_key(|&c| !self.is_loop_head(self.contexts.tree.nodes[c].loc));
        self.open_up(children);
        Ok(None)
    }

    fn is_loop_head(&self, loc: LocId) -> bool {
        self.prepared.graph.loop_heads.binary_search(&loc).is_ok()
    }

    /// Enters the callee's context and takes over what is known of its exits.
    fn enter(&mut self, node: NodeId, block: BlockId) -> Result<(), Stop> {
        let call = &self.prepared.calls[&block];
        let entry = self.post(node, call.enter, &[], 0)?;
        if entry == self.bdds.none() {
            return Ok(());
        }
        let loc = self.prepared.program.functions[call.callee].entry;
        let basis = self.basis(loc);
        let (ctx, root) = self.contexts.context(call.callee, loc, entry, basis);
        let caller = Caller { node, block, basis };
        self.contexts.enter(ctx, caller);
        self.task.stats.add("calls", 1);
        match root {
            Some(root) => {
                self.log_context(call.callee, ctx, entry);
                self.open_up([root]);
            }
            None => {
                self.task.stats.add("calls of known contexts", 1);
                let unparked = self.contexts.unpark();
                self.open_up(unparked);
                for exit in self.contexts.contexts[ctx].exits.clone() {
                    self.leave(caller, exit)?;
                }
            }
        }
        Ok(())
    }

    /// A function is entered in a new context.
    fn log_context(&mut self, func: FuncId, ctx: CtxId, entry: Bdd) {
        let pool = &mut *self.task.pool;
        let state = self.bdds.term(pool, &self.precision.terms, entry);
        let name = self.prepared.program.functions[func].name.as_str();
        self.task.stats.log("context", || {
            vec![
                ("context", log::id(ctx)),
                ("function", name.into()),
                ("state", log::formula(pool, state)),
            ]
        });
    }

    /// The node after a call that ended in an exit node.
    fn leave(&mut self, caller: Caller, exit: NodeId) -> Result<(), Stop> {
        let via = Via::Call(caller.block, exit);
        let child = self.add_child(caller.node, via)?;
        self.open_up(child);
        Ok(())
    }

    /// The node that a block or call leads to, if the abstraction lets it be taken.
    fn add_child(&mut self, node: NodeId, via: Via) -> Result<Option<NodeId>, Stop> {
        let (block, state) = match via {
            Via::Block(block) => (block, self.post(node, block, &[], 0)?),
            Via::Call(call, exit) => {
                let call = &self.prepared.calls[&call];
                let summary = self.summary(exit, &call.at_exit);
                let stamp = self.contexts.tree.nodes[exit].state.index();
                (call.leave, self.post(node, call.leave, &summary, stamp)?)
            }
        };
        if state == self.bdds.none() {
            return Ok(None);
        }
        let loc = self.prepared.graph.blocks[block].to;
        let (basis, ctx) = (self.basis(loc), self.contexts.tree.nodes[node].ctx);
        let parent = Some((node, via));
        let child = self.contexts.add(loc, ctx, parent, state, basis);
        self.task.stats.log("node", || {
            vec![
                ("node", log::id(child)),
                ("parent", log::id(node)),
                ("location", log::id(loc)),
            ]
        });
        Ok(Some(child))
    }

    /// What an exit node says to a call, as conjuncts.
    fn summary(&mut self, exit: NodeId, at_exit: &[(TermId, TermId)]) -> Vec<TermId> {
        let pool = &mut *self.task.pool;
        let state = self.contexts.tree.nodes[exit].state;
        let said = self.bdds.term(pool, &self.precision.terms, state);
        let said = pool.substitute(said, at_exit);
        pool.conjuncts(said)
    }

    /// On what a post to `to` rests now.
    fn basis(&self, to: LocId) -> Basis {
        Basis {
            predicates: self.precision.at(to).len(),
            invariants: 0,
            limit: self.posts.limit,
        }
    }

    fn post(
        &mut self,
        node: NodeId,
        block: BlockId,
        facts: &[TermId],
        stamp: usize,
    ) -> Result<Bdd, Stop> {
        let before = Before {
            state: self.contexts.tree.nodes[node].state,
            facts,
            stamp,
            of_step: true,
        };
        let mut around = Around {
            pool: self.task.pool,
            graph: &self.prepared.graph,
            block_solver: &mut self.block_solver,
            bdds: &mut self.bdds,
            precision: &self.precision,
            budget: self.task.budget,
        };
        self.posts.post(&mut around, before, block)
    }

    /// The contexts that executions reach, by function.
    fn live_contexts(&mut self) -> BTreeMap<FuncId, Vec<CtxId>> {
        let openers = self.contexts.openers().clone();
        let mut out: BTreeMap<FuncId, Vec<CtxId>> = BTreeMap::new();
        for (id, ctx) in self.contexts.contexts.iter_enumerated() {
            if openers.contains_key(&id) {
                out.entry(ctx.func).or_default().push(id);
            }
        }
        out
    }

    fn report_progress(&mut self) {
        let progress = Progress {
            engine: "predabs",
            refinements: self.refinements,
            nodes: self.contexts.tree.nodes.len() as u64,
            solver_calls: self.block_solver.solver_calls + self.posts.solver_calls,
            ..Progress::default()
        };
        (self.task.progress)(&progress);
    }

    fn count(&mut self) {
        let live: usize = self.live_contexts().values().map(Vec::len).sum();
        let stats = &mut *self.task.stats;
        stats.add("contexts", live as u64);
        let alive = |n: &&Node<InContext>| n.status != Status::Removed;
        let states = self.contexts.tree.nodes.iter().filter(alive).count();
        stats.add("abstract states", states as u64);
        stats.add(
            "abstract states made",
            self.contexts.tree.nodes.len() as u64,
        );
        stats.add("refinements", self.refinements);
        self.posts.count(stats);
        self.precision.count(stats);
        stats.precision = Some(self.precision.write(self.task.pool));
    }
}
