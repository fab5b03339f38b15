//! Error paths through calls as formulas: scoped cuts (section 5.2 of the paper).
//!
//! A call that returned is a path of its own inside the path. The cut after a step of it has only
//! the steps of the same call before it on its side (φ⁻), with everything else (φ⁺, φ_C) on the
//! other; so its interpolant speaks of the callee's variables and of the values at its entry. Calls
//! that did not return when the error came are simply longer prefixes. Both are tree interpolation:
//! ```text
//!   a ; call f { b ; c } ; d          a   b ── c      the node of the return has two children: the
//!                                      ╲     ╱        caller's path so far and the callee's path
//!                                       return ── d
//! ```
//! Each call has versions of its own of the callee's variables, so recursion needs nothing special.

use super::super::statement_path::Statements;
use super::contexts::{Caller, Contexts, Via};
use super::prepare::{Call, CallProgram};
use crate::core::path::{Versions, transition};
use crate::core::tree::NodeId;
use crate::limits::NESTED_STEPS;
use base::FxHashMap;
use logic::{Model, Pool, Substitution, TermId, Value, eval};
use program::{BlockGraph, BlockId, FuncId, Stmt, VarId, primed};

/// One step of a path through calls.
pub enum PathStep {
    Block(BlockStep),
    Call(CallStep),
    /// A call that did not return; what follows is the callee's.
    Enter(Caller),
}

/// A block between two nodes; the error block has none after it.
pub struct BlockStep {
    pub block: BlockId,
    pub before: NodeId,
    pub after: Option<NodeId>,
    /// The statements that one path through the block takes; all paths if there are none.
    pub statements: Vec<BlockId>,
}

/// A call that returned, with the callee's steps to one of its exits.
pub struct CallStep {
    pub block: BlockId,
    pub before: NodeId,
    pub after: NodeId,
    pub exit: NodeId,
    pub inner: Vec<PathStep>,
}

/// The steps to an error block from a node, or `None` if they are too many or the node's context
/// is not reached any more.
pub fn path_to(contexts: &mut Contexts, node: NodeId, error: BlockId) -> Option<Vec<PathStep>> {
    let mut frames = vec![node];
    let mut calls = Vec::new();
    let openers = contexts.openers().clone();
    loop {
        let ctx = contexts.tree.nodes[*frames.last()?].ctx;
        match openers.get(&ctx)? {
            None => break,
            Some(caller) => {
                calls.push(PathStep::Enter(*caller));
                frames.push(caller.node);
            }
        }
    }
    let mut room = NESTED_STEPS;
    let mut steps = Vec::new();
    while let Some(end) = frames.pop() {
        steps.extend(frame(contexts, end, &mut room)?);
        steps.extend(calls.pop());
    }
    steps.push(PathStep::Block(BlockStep {
        block: error,
        before: node,
        after: None,
        statements: Vec::new(),
    }));
    Some(steps)
}

fn frame(contexts: &Contexts, end: NodeId, room: &mut usize) -> Option<Vec<PathStep>> {
    let mut steps = Vec::new();
    for n in contexts.tree.path_to(end).0 {
        let Some((before, via)) = contexts.parent(n) else {
            continue;
        };
        *room = room.checked_sub(1)?;
        steps.push(match via {
            Via::Block(block) => PathStep::Block(BlockStep {
                block,
                before,
                after: Some(n),
                statements: Vec::new(),
            }),
            Via::Call(block, exit) => PathStep::Call(CallStep {
                block,
                before,
                after: n,
                exit,
                inner: frame(contexts, exit, room)?,
            }),
        });
    }
    Some(steps)
}

/// Which blocks a path is made of.
#[derive(Clone, Copy)]
enum Graph {
    Blocks,
    Statements,
}

/// What a part of the formula is, to read a model back.
enum Source {
    /// A block of a graph, with the constants that its own stand for.
    Block(Graph, BlockId, Vec<(TermId, TermId)>),
    Enter(BlockId),
    Return,
}

/// Where a part of the formula leads.
#[derive(Clone, Copy)]
pub enum After {
    Node(NodeId),
    /// The entry of a callee.
    Enter(Caller),
    Error,
}

/// A path as a tree of formulas, children before parents, the last one the root.
#[derive(Default)]
pub struct Nested {
    pub parts: Vec<TermId>,
    pub parent: Vec<usize>,
    /// Where each part leads.
    pub after: Vec<After>,
    /// In the order of execution: calls that returned are entered before their callee's parts.
    trace: Vec<Source>,
}

/// The current versions of one call's variables.
type Frame = FxHashMap<VarId, u32>;

pub struct Builder<'a> {
    pub pool: &'a mut Pool,
    pub prepared: &'a CallProgram,
    pub versions: &'a mut Versions,
    pub statements: Option<&'a Statements>,
    latest: FxHashMap<VarId, u32>,
    out: Nested,
}

impl<'a> Builder<'a> {
    pub fn new(
        pool: &'a mut Pool,
        prepared: &'a CallProgram,
        versions: &'a mut Versions,
        statements: Option<&'a Statements>,
    ) -> Self {
        Builder {
            pool,
            prepared,
            versions,
            statements,
            latest: FxHashMap::default(),
            out: Nested::default(),
        }
    }

    /// The formulas of a path from the program's entry.
    pub fn path(mut self, steps: &[PathStep]) -> Nested {
        self.steps(steps, &mut Frame::default());
        let n = self.out.parts.len();
        if let Some(root) = self.out.parent.last_mut() {
            *root = n - 1;
        }
        self.out
    }

    /// Adds the parts of a chain of steps; returns the last of them.
    fn steps(&mut self, steps: &[PathStep], frame: &mut Frame) -> Option<usize> {
        let mut before: Option<usize> = None;
        for step in steps {
            before = Some(match step {
                PathStep::Block(step) => {
                    let formula = if step.statements.is_empty() {
                        self.block(Graph::Blocks, step.block, frame)
                    } else {
                        let each = step.statements.iter();
                        let parts: Vec<TermId> = each
                            .map(|&s| self.block(Graph::Statements, s, frame))
                            .collect();
                        self.pool.and(&parts)
                    };
                    let after = step.after.map_or(After::Error, After::Node);
                    self.part(formula, after, before, None)
                }
                PathStep::Call(step) => {
                    self.out.trace.push(Source::Enter(step.block));
                    let mut callee = Frame::default();
                    let last = self.steps(&step.inner, &mut callee);
                    self.out.trace.push(Source::Return);
                    let formula = self.leave(step.block, frame, &mut callee);
                    self.part(formula, After::Node(step.after), before, last)
                }
                PathStep::Enter(caller) => {
                    self.out.trace.push(Source::Enter(caller.block));
                    let mut callee = Frame::default();
                    let formula = self.enter(caller.block, frame, &mut callee);
                    *frame = callee;
                    self.part(formula, After::Enter(*caller), before, None)
                }
            });
        }
        before
    }

    fn part(
        &mut self,
        formula: TermId,
        after: After,
        before: Option<usize>,
        callee: Option<usize>,
    ) -> usize {
        let id = self.out.parts.len();
        self.out.parts.push(formula);
        self.out.after.push(after);
        self.out.parent.push(id);
        for child in before.into_iter().chain(callee) {
            self.out.parent[child] = id;
        }
        id
    }

    fn fresh(&mut self, var: VarId) -> u32 {
        let next = self.latest.entry(var).or_insert(0);
        *next += 1;
        *next
    }

    fn current(&mut self, frame: &mut Frame, var: VarId) -> TermId {
        let k = match frame.get(&var) {
            Some(&k) => k,
            None => {
                let k = self.fresh(var);
                frame.insert(var, k);
                k
            }
        };
        let base = self.prepared.program.vars[var].term;
        self.versions.constant(self.pool, base, k)
    }

    /// An expression of the frame's function at its current versions.
    fn expression(&mut self, frame: &mut Frame, term: TermId, func: FuncId) -> TermId {
        let mut pairs = Vec::new();
        let f = &self.prepared.program.functions[func];
        let own: FxHashMap<TermId, VarId> = f
            .params
            .iter()
            .chain(&f.returns)
            .chain(&f.locals)
            .map(|&v| (self.prepared.program.vars[v].term, v))
            .collect();
        for t in self.pool.post_order(&[term]) {
            if let Some(&v) = own.get(&t) {
                pairs.push((t, self.current(frame, v)));
            }
        }
        self.pool.substitute(term, &pairs)
    }

    fn graph(&self, graph: Graph) -> &'a BlockGraph {
        match (graph, self.statements) {
            (Graph::Statements, Some(s)) => &s.graph,
            _ => &self.prepared.graph,
        }
    }

    fn block(&mut self, graph: Graph, id: BlockId, frame: &mut Frame) -> TermId {
        let program = &self.prepared.program;
        let t = transition(self.graph(graph), id);
        let mut names = Vec::new();
        for &v in &t.reads {
            names.push((program.vars[v].term, self.current(frame, v)));
        }
        for &v in &t.modified {
            let post = primed(self.pool, program, v);
            let k = self.fresh(v);
            frame.insert(v, k);
            names.push((post, self.current(frame, v)));
        }
        // What the block leaves without a value has a new one, unknown.
        for &v in &t.dead {
            let k = self.fresh(v);
            frame.insert(v, k);
        }
        let position = self.out.trace.len() as u32;
        for &c in &t.internals {
            names.push((c, self.versions.constant(self.pool, c, position)));
        }
        let formula = Substitution::new(names.iter().copied()).apply(self.pool, t.formula);
        self.out.trace.push(Source::Block(graph, id, names));
        formula
    }

    fn call(&self, block: BlockId) -> (&'a Call, FuncId, &'a [TermId], &'a [VarId]) {
        let call = &self.prepared.calls[&block];
        let edge = &self.prepared.program.edges[call.edge];
        let Stmt::Call { args, results, .. } = &edge.stmt else {
            unreachable!("a call is made of a call edge")
        };
        let caller = self.prepared.program.locations[edge.from].func;
        (call, caller, args, results)
    }

    /// The callee's parameters are the arguments.
    fn enter(&mut self, block: BlockId, caller: &mut Frame, callee: &mut Frame) -> TermId {
        let (call, func, args, _) = self.call(block);
        let mut conjuncts = Vec::new();
        for (&p, &arg) in self.prepared.program.functions[call.callee]
            .params
            .iter()
            .zip(args)
        {
            let value = self.expression(caller, arg, func);
            let param = self.current(callee, p);
            conjuncts.push(self.pool.eq(param, value));
        }
        self.pool.and(&conjuncts)
    }

    /// The callee's values at entry are the arguments, the results its returns.
    fn leave(&mut self, block: BlockId, caller: &mut Frame, callee: &mut Frame) -> TermId {
        let (call, func, args, results) = self.call(block);
        let function = &self.prepared.program.functions[call.callee];
        let mut conjuncts = Vec::new();
        for (p, &arg) in function.params.iter().zip(args) {
            let value = self.expression(caller, arg, func);
            let frozen = self.current(callee, self.prepared.frozen[p]);
            conjuncts.push(self.pool.eq(frozen, value));
        }
        for (i, (&result, &r)) in results.iter().zip(&function.returns).enumerate() {
            let k = self.fresh(result);
            caller.insert(result, k);
            if results[i + 1..].contains(&result) {
                continue;
            }
            let value = self.current(callee, r);
            let taken = self.current(caller, result);
            conjuncts.push(self.pool.eq(taken, value));
            if let Some((low, high)) = &self.prepared.program.vars[result].range {
                conjuncts.push(self.pool.in_range(low, taken, high));
            }
        }
        self.pool.and(&conjuncts)
    }
}

impl Nested {
    /// The execution that a model of all parts is.
    pub fn execution(
        &self,
        pool: &mut Pool,
        prepared: &CallProgram,
        statements: Option<&Statements>,
        model: &Model,
    ) -> Option<Vec<evidence::Step>> {
        let mut steps = Vec::new();
        for source in &self.trace {
            match source {
                Source::Return => {}
                Source::Enter(block) => steps.push(evidence::Step {
                    edge: prepared.calls[block].edge,
                    havocs: Vec::new(),
                }),
                Source::Block(graph, block, names) => {
                    let graph = match (graph, statements) {
                        (Graph::Statements, Some(s)) => &s.graph,
                        _ => &prepared.graph,
                    };
                    let values: FxHashMap<TermId, Value> = names
                        .iter()
                        .map(|&(own, c)| (own, eval(pool, model, c)))
                        .collect();
                    let lookup = |c: TermId| match values.get(&c) {
                        Some(value) => value.clone(),
                        None => pool.default_value(pool.sort_of(c)),
                    };
                    let t = transition(graph, *block);
                    let block = &graph.blocks[*block];
                    let path = block.concrete_path(pool, &prepared.program, t, &lookup)?;
                    let path = path.into_iter();
                    steps.extend(path.map(|(edge, havocs)| evidence::Step { edge, havocs }));
                }
            }
        }
        Some(steps)
    }
}
