//! Function automata: the program with globals as inputs and outputs and errors as flags, as one
//! graph of large blocks, with calls inside the blocks.
//!
//! ```text
//!   r := f(a); if (err) goto fail; x := r + 1     is one letter, whose formula is
//!   made & arg = a & !res_err & x' = res + 1      with ghosts made, arg, res, res_err
//! ```
//! A call is known by its *ghosts* only: whether it was made, its arguments, its results. They are
//! internal constants of the block, so each occurrence on a trace has its own. What the callee does
//! is said by its summary, as one more conjunct `made => summary(arg, res)`.
//! Inputs that a function writes are copied when it is entered (`x.in`), so that at its exit its
//! inputs and outputs are all there.
//!
//! Invariant: locations of the program before keep their ids; new ones follow.

use super::Outline;
use crate::api::Task;
use crate::prepare::modular::outlined;
use crate::prepare::with_constants;
use crate::summaries::bodies::CallSite;
use base::{FxHashMap, FxHashSet, IndexVec};
use evidence::{Counterexample, Step};
use logic::{Pool, TermId, Value};
use program::analysis::call_graph::CallGraph;
use program::analysis::reads::written_by;
use program::passes::WayBack;
use program::passes::back_translation::Leg;
use program::passes::error_flag::{Flagged, error_flag, new_location, new_var};
use program::passes::globals::{NoGlobals, globals_to_params};
use program::passes::loops::LoopFree;
use program::{
    BlockGraph, BlockId, BlockKind, Edge, EdgeId, FuncId, LocId, Program, Stmt, VarId, VarKind,
    blocks,
};

/// All function automata of a program.
pub struct Automata {
    pub loop_free: LoopFree,
    pub no_globals: NoGlobals,
    /// With error flags; its parameters and returns are the vocabulary of summaries.
    pub flagged: Flagged,
    /// With ghosts instead of calls.
    pub program: Program,
    pub graph: BlockGraph,
    /// The calls that a block may make.
    pub sites: IndexVec<BlockId, Vec<CallSite>>,
    /// The call that begins with an edge: its callee's summary speaks of it.
    pub site_of_edge: FxHashMap<EdgeId, CallSite>,
    /// For each parameter of a function: its term, and the term of its value at entry that is still
    /// there at the exit.
    pub inputs: IndexVec<FuncId, Vec<(TermId, TermId)>>,
    /// The functions that a function may call, through others.
    reach: IndexVec<FuncId, FxHashSet<FuncId>>,
    /// From the program with error flags to `loop_free`, which proofs speak of.
    pub to_loop_free: WayBack,
    /// From the program with ghosts to the original.
    to_original: WayBack,
    pub entry: FuncId,
    /// What was turned into functions.
    pub outlined: Outline,
}

/// Does any function that may run call itself, through others or not?
pub fn is_recursive(program: &Program) -> bool {
    CallGraph::of(program).is_recursive(program.entry)
}

/// Makes the automata, after some parts of functions became functions.
pub fn prepare(task: &mut Task<'_>, outline: Outline) -> Automata {
    let loop_free = outlined(task.pool, task.program, outline);
    let simple = with_constants(task, &loop_free.program);
    let pool = &mut *task.pool;
    let no_globals = globals_to_params(pool, &simple.program);
    let flagged = error_flag(pool, &no_globals.program);
    let mut made = Ghosts::new(pool, &flagged.program);
    let ghosts = made.leg.clone().close(&made.program);
    let to_loop_free = simple.back.then(&no_globals.back).then(&flagged.back);
    // The two halves of a call belong into one letter.
    let size = task.options.blocks;
    let mut graph = blocks::encode_all(pool, &made.program, size, &made.inside_calls);
    let sites = made.hide_in(&mut graph);
    Automata {
        to_original: loop_free.back.then(&to_loop_free).then(&ghosts),
        to_loop_free,
        reach: CallGraph::of(&flagged.program).reach(),
        loop_free,
        no_globals,
        flagged,
        program: made.program,
        graph,
        sites,
        site_of_edge: made.sites,
        inputs: made.inputs,
        entry: task.program.entry,
        outlined: outline,
    }
}

impl Automata {
    pub fn entry_of(&self, f: FuncId) -> LocId {
        self.program.functions[f].entry
    }

    pub fn exit_of(&self, f: FuncId) -> LocId {
        self.program.functions[f].exit
    }

    pub fn flag(&self, f: FuncId) -> Option<TermId> {
        self.flagged.flag[f].map(|v| self.program.vars[v].term)
    }

    /// Terms of the parameters, in order.
    pub fn params(&self, f: FuncId) -> Vec<TermId> {
        self.inputs[f].iter().map(|&(p, _)| p).collect()
    }

    /// Terms of the returns, the error flag last, in order.
    pub fn returns(&self, f: FuncId) -> Vec<TermId> {
        let returns = &self.flagged.program.functions[f].returns;
        returns.iter().map(|&r| self.program.vars[r].term).collect()
    }

    /// Heads of loops of `f`.
    pub fn loop_heads(&self, f: FuncId) -> Vec<LocId> {
        let heads = self.graph.loop_heads.iter().copied();
        heads
            .filter(|&l| self.program.locations[l].func == f)
            .collect()
    }

    /// A summary's formula as it reads at the exit of the automaton.
    pub fn at_exit(&self, pool: &mut Pool, f: FuncId, formula: TermId) -> TermId {
        pool.substitute(formula, &self.inputs[f])
    }

    /// A formula over the variables at the exit as a summary.
    pub fn as_summary(&self, pool: &mut Pool, f: FuncId, formula: TermId) -> TermId {
        let back: Vec<(TermId, TermId)> = self.inputs[f].iter().map(|&(p, i)| (i, p)).collect();
        pool.substitute(formula, &back)
    }

    /// May `f`, through others, call a function that calls itself?
    pub fn meets_recursion(&self, f: FuncId) -> bool {
        let recursive = |g: FuncId| self.reach[g].contains(&g);
        recursive(f) || self.reach[f].iter().any(|&g| recursive(g))
    }

    /// How many copies of functions inlining would make; as many as can be with recursion.
    pub fn copies(&self) -> u64 {
        let program = &self.flagged.program;
        if self.meets_recursion(self.entry) {
            return u64::MAX;
        }
        let mut order: Vec<FuncId> = self.callees(self.entry);
        order.push(self.entry);
        // Callees reach fewer functions than their callers.
        order.sort_by_key(|&f| (self.reached(f), f));
        let calls = CallGraph::of(program).callees;
        let mut copies: IndexVec<FuncId, u64> = IndexVec::filled(0, program.functions.len());
        for f in order {
            let inner = calls[f].iter().map(|&g| copies[g]);
            copies[f] = inner.fold(1, u64::saturating_add);
        }
        copies[self.entry]
    }

    /// How many functions `f` may call, through others.
    pub fn reached(&self, f: FuncId) -> usize {
        self.reach[f].len()
    }

    /// The functions that `f` may call, through others, in order.
    pub fn callees(&self, f: FuncId) -> Vec<FuncId> {
        let mut out: Vec<FuncId> = self.reach[f].iter().copied().collect();
        out.sort_unstable();
        out
    }

    /// Do both call each other, through others or not?
    pub fn same_cycle(&self, f: FuncId, g: FuncId) -> bool {
        self.reach[f].contains(&g) && self.reach[g].contains(&f)
    }

    /// Steps of the automata, with calls expanded in place, as steps of the original program, from
    /// these inputs of the entry function.
    pub fn original(&self, steps: Vec<Step>, inputs: &[Value]) -> Counterexample {
        let params = self.flagged.program.functions[self.entry].params.iter();
        self.to_original.execution(Counterexample {
            initial: params.copied().zip(inputs.iter().cloned()).collect(),
            steps,
        })
    }
}

/// The program with ghosts under construction.
struct Ghosts {
    program: Program,
    leg: Leg,
    sites: FxHashMap<EdgeId, CallSite>,
    inputs: IndexVec<FuncId, Vec<(TermId, TermId)>>,
    /// The variables that are ghosts of calls.
    ghosts: FxHashSet<VarId>,
    /// The locations between the two halves of a call.
    inside_calls: FxHashSet<LocId>,
}

impl Ghosts {
    fn new(pool: &mut Pool, source: &Program) -> Self {
        let mut out = Ghosts {
            program: Program {
                edges: IndexVec::new(),
                ..source.clone()
            },
            leg: Leg::with_new_edges(source),
            sites: FxHashMap::default(),
            inputs: IndexVec::new(),
            ghosts: FxHashSet::default(),
            inside_calls: FxHashSet::default(),
        };
        for (id, edge) in source.edges.iter_enumerated() {
            match &edge.stmt {
                Stmt::Call {
                    callee,
                    args,
                    results,
                } => out.call(pool, source, id, *callee, args, results),
                _ => {
                    out.add(edge.clone(), Some(id));
                }
            }
        }
        let written: FxHashSet<VarId> = source
            .edges
            .iter()
            .flat_map(|e| written_by(&e.stmt))
            .collect();
        for f in source.functions.ids() {
            out.keep_inputs(pool, source, f, &written);
        }
        out
    }

    fn add(&mut self, edge: Edge, origin: Option<EdgeId>) -> EdgeId {
        self.leg.add_edge(origin);
        self.program.edges.push(edge)
    }

    /// `assume made and args = the arguments; results := the ghosts`.
    fn call(
        &mut self,
        pool: &mut Pool,
        source: &Program,
        id: EdgeId,
        callee: FuncId,
        args: &[TermId],
        results: &[VarId],
    ) {
        let edge = &source.edges[id];
        let func = source.locations[edge.from].func;
        let caller = source.functions[func].name.clone();
        let mut declare = |what: String, like: Option<VarId>| {
            let sort = like.map_or(pool.bool_sort(), |v| source.vars[v].sort);
            let name = format!("{caller}.{id}.{what}");
            let v = new_var(pool, &mut self.program, name, sort, VarKind::Local);
            self.program.vars[v].range = like.and_then(|v| source.vars[v].range.clone());
            self.program.functions[func].locals.push(v);
            self.ghosts.insert(v);
            v
        };
        let f = &source.functions[callee];
        let made = declare("made".into(), None);
        let params = f.params.iter().enumerate();
        let ghost_args: Vec<VarId> = params
            .map(|(i, &p)| declare(format!("arg{i}"), Some(p)))
            .collect();
        let returns = f.returns.iter().enumerate();
        let ghost_results: Vec<VarId> = returns
            .map(|(i, &r)| declare(format!("res{i}"), Some(r)))
            .collect();
        let term = |p: &Program, v: VarId| p.vars[v].term;
        let mut parts = vec![term(&self.program, made)];
        for (&g, &a) in ghost_args.iter().zip(args) {
            parts.push(pool.eq(term(&self.program, g), a));
        }
        let take: Vec<(VarId, TermId)> = results
            .iter()
            .zip(&ghost_results)
            .map(|(&r, &g)| (r, term(&self.program, g)))
            .collect();
        let middle = new_location(&mut self.program, func, edge.span);
        self.inside_calls.insert(middle);
        let before = Edge {
            from: edge.from,
            to: middle,
            stmt: Stmt::Assume(pool.and(&parts)),
            span: edge.span,
        };
        let first = self.add(before, Some(id));
        let after = Edge {
            from: middle,
            to: edge.to,
            stmt: Stmt::Assign(take),
            span: edge.span,
        };
        self.add(after, None);
        self.sites.insert(
            first,
            CallSite {
                edge: first,
                callee,
                made,
                args: ghost_args,
                results: ghost_results,
            },
        );
    }

    /// Copies the inputs that are written and makes all inputs live to the exit.
    fn keep_inputs(
        &mut self,
        pool: &mut Pool,
        source: &Program,
        f: FuncId,
        written: &FxHashSet<VarId>,
    ) {
        let mut inputs = Vec::new();
        let mut copies = Vec::new();
        for &p in &source.functions[f].params {
            let var = &source.vars[p];
            let mut kept = p;
            if written.contains(&p) {
                let name = format!("{}.in", var.name);
                kept = new_var(pool, &mut self.program, name, var.sort, VarKind::Return);
                self.program.vars[kept].range = var.range.clone();
                copies.push((kept, var.term));
            }
            self.program.functions[f].returns.push(kept);
            inputs.push((var.term, self.program.vars[kept].term));
        }
        self.inputs.push(inputs);
        let span = source.functions[f].span;
        let start = new_location(&mut self.program, f, span);
        let enter = Edge {
            from: start,
            to: source.functions[f].entry,
            stmt: Stmt::Assign(copies),
            span,
        };
        self.add(enter, None);
        self.program.functions[f].entry = start;
    }

    /// Turns the ghosts that blocks read into internals; returns the calls of each block.
    fn hide_in(&mut self, graph: &mut BlockGraph) -> IndexVec<BlockId, Vec<CallSite>> {
        let mut out = IndexVec::new();
        for block in graph.blocks.iter_mut() {
            let BlockKind::Transition(t) = &mut block.kind else {
                unreachable!("calls were replaced by ghosts")
            };
            let (ghosts, reads): (Vec<VarId>, Vec<VarId>) =
                t.reads.iter().partition(|v| self.ghosts.contains(v));
            t.reads = reads;
            let terms = ghosts.iter().map(|&v| self.program.vars[v].term);
            t.internals.extend(terms);
            t.internals.sort_unstable();
            let mut sites: Vec<CallSite> = Vec::new();
            for edge in &t.edges {
                if let Some(site) = self.sites.get(edge)
                    && ghosts.contains(&site.made)
                {
                    sites.push(site.clone());
                }
            }
            out.push(sites);
        }
        out
    }
}
