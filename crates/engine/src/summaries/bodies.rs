//! Function bodies as formulas: the whole loop-free body of a function as one relation between its
//! parameters, its returns and the calls it makes (WHALE's DAG condition).
//!
//! A call edge becomes three kinds of ghosts of the caller: whether the call was *made*, its arguments and
//! its results (any value). Then the body has no calls and no loops, and block encoding turns it
//! into one formula from entry to exit. What the callee does is said elsewhere, by an instance of
//! its body or by its contract.
//!
//! A path takes a call edge at most once, so arguments and results are never assigned: a path that
//! makes the call assumes what the arguments are. They need no versions where paths meet, and mean nothing
//! where the call is not made.

use base::{FxHashMap, FxHashSet, IndexVec};
use logic::{Pool, TermId};
use program::passes::WayBack;
use program::passes::back_translation::Leg;
use program::passes::error_flag::{new_location, new_var};
use program::{
    BlockGraph, BlockId, BlockKind, BlockSize, Edge, EdgeId, FuncId, Program, Stmt, Transition,
    VarId, VarKind, blocks, primed,
};

/// One call in a body, by its ghosts.
#[derive(Clone, Debug)]
pub struct CallSite {
    /// The call edge in the program that the bodies were made from.
    pub edge: EdgeId,
    pub callee: FuncId,
    pub made: VarId,
    pub args: Vec<VarId>,
    pub results: Vec<VarId>,
}

/// A function as a formula.
pub struct Body {
    /// The block from entry to exit; `None` if no path leads there.
    pub block: Option<BlockId>,
    pub calls: Vec<CallSite>,
}

/// All bodies, over one program of ghosts.
pub struct Bodies {
    /// The program without calls.
    pub program: Program,
    pub graph: BlockGraph,
    pub bodies: IndexVec<FuncId, Body>,
    /// To the program before.
    pub back: WayBack,
}

/// Encodes every function of a program without loops and errors.
pub fn bodies(pool: &mut Pool, source: &Program) -> Bodies {
    encode(pool, source, false)
}

/// The same with bodies that may also end right after making a call: what holds of every call made
/// is to be checked on these, as a function need not go on to its exit.
pub fn prefixes(pool: &mut Pool, source: &Program) -> Bodies {
    encode(pool, source, true)
}

fn encode(pool: &mut Pool, source: &Program, early: bool) -> Bodies {
    let mut program = Program {
        edges: IndexVec::new(),
        ..source.clone()
    };
    let mut leg = Leg::with_new_edges(source);
    let mut calls: IndexVec<FuncId, Vec<CallSite>> =
        IndexVec::filled(Vec::new(), source.functions.len());
    let mut add = |program: &mut Program, edge: Edge, origin: Option<EdgeId>| {
        program.edges.push(edge);
        leg.add_edge(origin);
    };
    for (id, edge) in source.edges.iter_enumerated() {
        let Stmt::Call {
            callee,
            args,
            results,
        } = &edge.stmt
        else {
            add(&mut program, edge.clone(), Some(id));
            continue;
        };
        let func = source.locations[edge.from].func;
        let site = ghosts(pool, &mut program, source, id, func, *callee, args);
        let before = new_location(&mut program, func, edge.span);
        let made = new_location(&mut program, func, edge.span);
        let span = edge.span;
        let mut arguments = Vec::with_capacity(args.len());
        for (&g, &a) in site.args.iter().zip(args) {
            arguments.push(pool.eq(program.vars[g].term, a));
        }
        let arguments = Stmt::Assume(pool.and(&arguments));
        let make = Stmt::Assign(vec![(site.made, pool.tt())]);
        let take = results.iter().zip(&site.results);
        let take = Stmt::Assign(take.map(|(&r, &g)| (r, program.vars[g].term)).collect());
        let mut edges = vec![
            (edge.from, before, arguments, Some(id)),
            (before, made, make, None),
            (made, edge.to, take, None),
        ];
        if early {
            let exit = program.functions[func].exit;
            edges.push((made, exit, Stmt::Skip, None));
        }
        for (from, to, stmt, origin) in edges {
            let edge = Edge {
                from,
                to,
                stmt,
                span,
            };
            add(&mut program, edge, origin);
        }
        calls[func].push(site);
    }
    for f in source.functions.ids() {
        let reset: Vec<(VarId, TermId)> = calls[f].iter().map(|c| (c.made, pool.ff())).collect();
        let span = source.functions[f].span;
        let start = new_location(&mut program, f, span);
        let to = program.functions[f].entry;
        add(
            &mut program,
            Edge {
                from: start,
                to,
                stmt: Stmt::Assign(reset),
                span,
            },
            None,
        );
        program.functions[f].entry = start;
    }
    let graph = blocks::encode_all(pool, &program, BlockSize::Large, &FxHashSet::default());
    let bodies = source
        .functions
        .ids()
        .map(|f| {
            let (entry, exit) = (program.functions[f].entry, program.functions[f].exit);
            let block = graph.out[entry]
                .iter()
                .copied()
                .find(|&b| graph.blocks[b].to == exit);
            Body {
                block,
                calls: std::mem::take(&mut calls[f]),
            }
        })
        .collect();
    Bodies {
        back: leg.close(&program),
        program,
        graph,
        bodies,
    }
}

/// Declares the ghosts of a call as returns of the caller, so that they live to its exit.
fn ghosts(
    pool: &mut Pool,
    program: &mut Program,
    source: &Program,
    edge: EdgeId,
    func: FuncId,
    callee: FuncId,
    args: &[TermId],
) -> CallSite {
    let caller = source.functions[func].name.clone();
    let mut declare = |pool: &mut Pool, what: String, sort| {
        let v = new_var(
            pool,
            program,
            format!("{caller}.{edge}.{what}"),
            sort,
            VarKind::Return,
        );
        program.functions[func].returns.push(v);
        v
    };
    let made = declare(pool, "made".into(), pool.bool_sort());
    let args: Vec<VarId> = args
        .iter()
        .enumerate()
        .map(|(i, &a)| declare(pool, format!("arg{i}"), pool.sort_of(a)))
        .collect();
    let callee_returns = &source.functions[callee].returns;
    let results: Vec<VarId> = callee_returns
        .iter()
        .enumerate()
        .map(|(i, &r)| declare(pool, format!("res{i}"), source.vars[r].sort))
        .collect();
    // A call with an argument outside its parameter's range cannot be made, so neither can this.
    let callee_vars = source.functions[callee].params.iter().chain(callee_returns);
    let ghosts: Vec<VarId> = args.iter().chain(&results).copied().collect();
    for (g, &v) in ghosts.into_iter().zip(callee_vars) {
        program.vars[g].range = source.vars[v].range.clone();
    }
    CallSite {
        edge,
        callee,
        made,
        args,
        results,
    }
}

impl Bodies {
    /// The transition of a function's body.
    pub fn transition(&self, f: FuncId) -> Option<&Transition> {
        self.bodies[f]
            .block
            .map(|b| match &self.graph.blocks[b].kind {
                BlockKind::Transition(t) => t,
                BlockKind::Call(_) => unreachable!("bodies have no calls"),
            })
    }

    /// The constant that holds a variable's value at the exit of the body of `f`.
    pub fn at_exit(&self, pool: &mut Pool, f: FuncId, var: VarId) -> TermId {
        match self.transition(f) {
            Some(t) if t.modified.binary_search(&var).is_ok() => primed(pool, &self.program, var),
            _ => self.program.vars[var].term,
        }
    }

    /// Every constant of the body's formula and interface, to rename an instance apart.
    pub fn constants(&self, pool: &mut Pool, f: FuncId) -> Vec<TermId> {
        let mut out: FxHashMap<TermId, ()> = FxHashMap::default();
        let function = &self.program.functions[f];
        let mut list = Vec::new();
        let mut add = |t: TermId| {
            if out.insert(t, ()).is_none() {
                list.push(t);
            }
        };
        for &v in function
            .params
            .iter()
            .chain(&function.returns)
            .chain(&function.locals)
        {
            add(self.program.vars[v].term);
        }
        if let Some(t) = self.transition(f) {
            for &v in t.reads.iter().chain(&t.modified) {
                add(self.program.vars[v].term);
            }
            for &v in &t.modified {
                add(primed(pool, &self.program, v));
            }
            t.internals.iter().for_each(|&c| add(c));
        }
        list
    }
}
