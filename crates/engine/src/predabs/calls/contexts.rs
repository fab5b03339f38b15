//! Contexts and their trees: a *context* is a function with an abstract state at its entry; its
//! tree holds the abstract states that executions of the function from there reach. The context's
//! expanded exit nodes are the *summary*, shared by all calls that enter with this state.
//!
//! A node after a call rests on the node before it and on an exit node of the callee's context, so
//! it is newer than both: paths through summaries never go in circles, though contexts may call
//! each other in circles. Removing a node removes all that rests on it.

use super::super::bdd::{Bdd, Bdds};
use super::super::covering::{Basis, Status};
use crate::core::tree::{NodeId, Tree};
use base::{FxHashMap, IndexVec, new_id};
use program::{BlockId, FuncId, LocId};
use std::collections::VecDeque;
use std::collections::hash_map::Entry;

new_id!(
    /// A function with an abstract state at its entry.
    pub CtxId, "c");

/// How a node was reached from its parent.
#[derive(Clone, Copy, Debug)]
pub enum Via {
    Block(BlockId),
    /// A call, and the exit node of the callee whose state the result rests on.
    Call(BlockId, NodeId),
}

/// What is kept of a node.
#[derive(Clone, Debug)]
pub struct InContext {
    pub ctx: CtxId,
    /// After a call: the exit node of the callee that it rests on.
    exit: Option<NodeId>,
    /// The nodes after calls whose callee ended here.
    pub returns: Vec<NodeId>,
    pub state: Bdd,
    pub status: Status,
    pub basis: Basis,
}

/// A call that entered a context, and on what its state at the entry rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    pub node: NodeId,
    pub block: BlockId,
    pub basis: Basis,
}

#[derive(Clone, Debug)]
pub struct Context {
    pub func: FuncId,
    pub entry: Bdd,
    pub root: NodeId,
    pub callers: Vec<Caller>,
    /// Expanded nodes of the function's exit.
    pub exits: Vec<NodeId>,
    /// Nodes that wait for the context to be called again.
    pub parked: Vec<NodeId>,
}

/// All contexts.
pub struct Contexts {
    /// The trees of all contexts.
    pub tree: Tree<InContext>,
    pub contexts: IndexVec<CtxId, Context>,
    by_entry: FxHashMap<(FuncId, Bdd), CtxId>,
    /// For each context that executions reach, the call that reaches it first; none for the
    /// program's start. Outdated when `None`.
    openers: Option<FxHashMap<CtxId, Option<Caller>>>,
    any_parked: bool,
}

impl Contexts {
    pub fn new(locations: usize) -> Self {
        Contexts {
            tree: Tree::new(locations),
            contexts: IndexVec::new(),
            by_entry: FxHashMap::default(),
            openers: None,
            any_parked: false,
        }
    }

    /// The context of a function with this state at its entry, and whether it is new.
    pub fn context(
        &mut self,
        func: FuncId,
        loc: LocId,
        entry: Bdd,
        basis: Basis,
    ) -> (CtxId, Option<NodeId>) {
        let key = (func, entry);
        if let Some(&known) = self.by_entry.get(&key) {
            return (known, None);
        }
        let ctx = self.contexts.next_id();
        let root = self.add(loc, ctx, None, entry, basis);
        self.contexts.push(Context {
            func,
            entry,
            root,
            callers: Vec::new(),
            exits: Vec::new(),
            parked: Vec::new(),
        });
        self.by_entry.insert(key, ctx);
        (ctx, Some(root))
    }

    pub fn add(
        &mut self,
        loc: LocId,
        ctx: CtxId,
        parent: Option<(NodeId, Via)>,
        state: Bdd,
        basis: Basis,
    ) -> NodeId {
        let (above, exit) = match parent {
            Some((p, Via::Block(block))) => (Some((p, block)), None),
            Some((p, Via::Call(block, exit))) => (Some((p, block)), Some(exit)),
            None => (None, None),
        };
        let kept = InContext {
            ctx,
            exit,
            returns: Vec::new(),
            state,
            status: Status::Open,
            basis,
        };
        let id = self.tree.add(loc, above, kept);
        if let Some(exit) = exit {
            self.tree.nodes[exit].returns.push(id);
        }
        id
    }

    /// The node before a node, and how it was reached from there.
    pub fn parent(&self, node: NodeId) -> Option<(NodeId, Via)> {
        let node = &self.tree.nodes[node];
        let (parent, block) = node.parent?;
        let via = match node.exit {
            Some(exit) => Via::Call(block, exit),
            None => Via::Block(block),
        };
        Some((parent, via))
    }

    /// Notes that a call enters a context.
    pub fn enter(&mut self, ctx: CtxId, caller: Caller) {
        let fresh = self.tree.nodes[self.contexts[ctx].root].status == Status::Open;
        self.contexts[ctx].callers.push(caller);
        let from = self.tree.nodes[caller.node].ctx;
        if let Some(openers) = &mut self.openers
            && !openers.contains_key(&ctx)
        {
            if fresh && openers.contains_key(&from) {
                openers.insert(ctx, Some(caller));
            } else {
                self.openers = None;
            }
        }
    }

    /// Takes back that calls of a node enter contexts.
    pub fn withdraw(&mut self, node: NodeId) {
        for ctx in self.contexts.iter_mut() {
            let before = ctx.callers.len();
            ctx.callers.retain(|c| c.node != node);
            if ctx.callers.len() != before {
                self.openers = None;
            }
        }
    }

    /// All abstract states of the expanded nodes of a location in a context.
    pub fn reached(&self, bdds: &mut Bdds, ctx: CtxId, loc: LocId) -> Bdd {
        let mut sum = bdds.none();
        for &n in self.tree.at_location(loc) {
            let node = &self.tree.nodes[n];
            if node.ctx == ctx && node.status == Status::Expanded {
                sum = bdds.or(sum, node.state);
            }
        }
        sum
    }

    /// The contexts that executions reach, each with the call that reaches it first.
    pub fn openers(&mut self) -> &FxHashMap<CtxId, Option<Caller>> {
        if self.openers.is_none() {
            let mut callees: FxHashMap<CtxId, Vec<(Caller, CtxId)>> = FxHashMap::default();
            for (id, ctx) in self.contexts.iter_enumerated() {
                for &c in &ctx.callers {
                    let from = self.tree.nodes[c.node].ctx;
                    callees.entry(from).or_default().push((c, id));
                }
            }
            let mut openers = FxHashMap::default();
            let mut work = VecDeque::new();
            if let Some(first) = self.contexts.ids().next() {
                openers.insert(first, None);
                work.push_back(first);
            }
            while let Some(from) = work.pop_front() {
                for &(caller, to) in callees.get(&from).into_iter().flatten() {
                    if let Entry::Vacant(new) = openers.entry(to) {
                        new.insert(Some(caller));
                        work.push_back(to);
                    }
                }
            }
            self.openers = Some(openers);
        }
        self.openers.get_or_insert_default()
    }

    /// Keeps a node until its context is called again.
    pub fn park(&mut self, node: NodeId) {
        let ctx = self.tree.nodes[node].ctx;
        self.contexts[ctx].parked.push(node);
        self.any_parked = true;
    }

    /// The nodes of contexts that are called again and were parked.
    pub fn unpark(&mut self) -> Vec<NodeId> {
        if !self.any_parked {
            return Vec::new();
        }
        let live: Vec<CtxId> = {
            let openers = self.openers().clone();
            let ids = self.contexts.ids();
            ids.filter(|c| openers.contains_key(c)).collect()
        };
        let mut out = Vec::new();
        for ctx in live {
            out.append(&mut self.contexts[ctx].parked);
        }
        out
    }

    /// Removes nodes and all that rests on them. Returns the nodes that lost their cover: they are
    /// open again.
    pub fn remove(&mut self, nodes: &[NodeId]) -> Vec<NodeId> {
        let mut touched = Vec::new();
        let mut below = nodes.to_vec();
        while let Some(top) = below.pop() {
            if self.tree.nodes[top].status == Status::Removed {
                continue;
            }
            for n in self.tree.cut_off(top) {
                if let Some(exit) = self.tree.nodes[n].exit {
                    self.tree.nodes[exit].returns.retain(|&c| c != n);
                }
                below.extend(std::mem::take(&mut self.tree.nodes[n].returns));
                let (ctx, loc) = (self.tree.nodes[n].ctx, self.tree.nodes[n].loc);
                if self.tree.nodes[n].status == Status::Expanded {
                    touched.push((ctx, loc));
                    self.withdraw(n);
                    self.contexts[ctx].exits.retain(|&e| e != n);
                }
                self.tree.nodes[n].status = Status::Removed;
            }
        }
        touched.sort_unstable();
        touched.dedup();
        let mut uncovered = Vec::new();
        for (ctx, loc) in touched {
            for n in self.tree.at_location(loc).to_vec() {
                let node = &mut self.tree.nodes[n];
                if node.ctx == ctx && node.status == Status::Covered {
                    node.status = Status::Open;
                    uncovered.push(n);
                }
            }
        }
        uncovered
    }
}
