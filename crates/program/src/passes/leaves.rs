//! Functions without loops and recursion, copied into their callers.
//!
//! A query about such a function would only ask what its body says anyway, and each has its price: a
//! projection, a fact or a lemma, and their traffic. So *leaves* (functions that call at most other
//! leaves) for which there is nothing better, such as an exact summary, are copied where they are called, as
//! long as that makes the program little larger. Functions keep their ids and variables; those that
//! were copied have no edges any more. Their summaries for a proof are found at its end, by interpolation
//! (`whale::leaves`).
//!
//! Sound because functions interact by values only here and run a call at most once on a path: the
//! variables of a copy hold any value before it, as those of a call do.

use super::WayBack;
use super::back_translation::{Leg, Place};
use super::error_flag::{new_location, new_var};
use crate::analysis::call_graph::CallGraph;
use crate::{Edge, EdgeId, FuncId, LocId, Program, Stmt, VarId, VarKind};
use base::{FxHashMap, IndexVec};
use logic::{Pool, Substitution};

/// A leaf of at most this weight (edges and terms) is copied, and a heavier one if all copies
/// together weigh at most so much.
const SMALL: usize = 120;
const MOST_COPIED: usize = 6_000;
/// Most weight of all copies.
const MOST_IN_ALL: usize = 60_000;

/// A program with its leaves copied into their callers.
pub struct Merged {
    pub program: Program,
    pub back: WayBack,
    /// The functions that were copied.
    pub copied: IndexVec<FuncId, bool>,
}

/// Copies the leaves that are `wanted`; `None` if there are none. The program has no loops and no globals.
pub fn merge(pool: &mut Pool, source: &Program, wanted: impl Fn(FuncId) -> bool) -> Option<Merged> {
    let (order, leaf) = leaves(pool, source);
    let copied: IndexVec<FuncId, bool> = leaf
        .iter_enumerated()
        .map(|(f, &leaf)| leaf && wanted(f))
        .collect();
    if !copied.iter().any(|&c| c) {
        return None;
    }
    let mut merger = Merger {
        source,
        program: Program {
            edges: IndexVec::new(),
            ..source.clone()
        },
        bodies: IndexVec::filled(Vec::new(), source.functions.len()),
    };
    for (id, edge) in source.edges.iter_enumerated() {
        let func = source.locations[edge.from].func;
        merger.bodies[func].push((edge.clone(), Some(id)));
    }
    // Names of what is declared for a function must differ from those in the source.
    for f in merger.program.functions.iter_mut() {
        f.name.push('+');
    }
    let mut kept: IndexVec<FuncId, _> = merger.bodies.clone();
    for &f in &order {
        let body = std::mem::take(&mut kept[f]);
        merger.bodies[f] = merger.expand(pool, f, body.clone(), &leaf);
        kept[f] = body;
    }
    let mut edges = IndexVec::new();
    let mut leg = Leg::with_new_edges(source);
    for (id, loc) in source.locations.iter_enumerated() {
        if copied[loc.func] {
            // Its copies are entered in its place.
            leg.set_location(id, Place::Within(id));
        }
    }
    for f in source.functions.ids().filter(|&f| !copied[f]) {
        let body = std::mem::take(&mut kept[f]);
        for (edge, origin) in merger.expand(pool, f, body, &copied) {
            edges.push(edge);
            leg.add_edge(origin);
        }
    }
    let program = Program {
        edges,
        ..merger.program
    };
    Some(Merged {
        back: leg.close(&program),
        program,
        copied,
    })
}

/// The leaves worth copying, callees first.
fn leaves(pool: &Pool, source: &Program) -> (Vec<FuncId>, IndexVec<FuncId, bool>) {
    let n = source.functions.len();
    let CallGraph { callees, callers } = CallGraph::of(source);
    let mut weight: IndexVec<FuncId, usize> = IndexVec::filled(0, n);
    for edge in source.edges.iter() {
        let func = source.locations[edge.from].func;
        let terms = match &edge.stmt {
            Stmt::Skip | Stmt::Havoc(..) => 0,
            Stmt::Assume(c) => pool.dag_size(*c),
            Stmt::Assign(pairs) => pairs.iter().map(|(_, t)| pool.dag_size(*t)).sum(),
            Stmt::Call { args, .. } => args.iter().map(|t| pool.dag_size(*t)).sum(),
        };
        weight[func] += 1 + terms;
    }
    let mut leaf: IndexVec<FuncId, bool> = IndexVec::filled(false, n);
    let mut order = Vec::new();
    let mut tried: IndexVec<FuncId, bool> = IndexVec::filled(false, n);
    tried[source.entry] = true;
    let mut copied = 0;
    // A function on a cycle of calls never has only leaves below it.
    while let Some(f) = source
        .functions
        .ids()
        .find(|&f| !tried[f] && callees[f].iter().all(|&g| leaf[g]))
    {
        tried[f] = true;
        let inside: usize = callees[f].iter().map(|&g| weight[g]).sum();
        weight[f] += inside;
        let sites = callers[f].len();
        let all = weight[f].saturating_mul(sites);
        let small = weight[f] <= SMALL || all <= MOST_COPIED;
        if sites > 0 && small && copied + all <= MOST_IN_ALL {
            copied += all;
            leaf[f] = true;
            order.push(f);
        }
    }
    (order, leaf)
}

/// Edges with the ones that they copy.
type Edges = Vec<(Edge, Option<EdgeId>)>;

struct Merger<'s> {
    source: &'s Program,
    program: Program,
    /// Of leaves, with their calls replaced.
    bodies: IndexVec<FuncId, Edges>,
}

impl Merger<'_> {
    /// Replaces the calls of these functions in a body.
    fn expand(
        &mut self,
        pool: &mut Pool,
        f: FuncId,
        body: Edges,
        which: &IndexVec<FuncId, bool>,
    ) -> Edges {
        let mut out = Vec::new();
        for (edge, origin) in body {
            match &edge.stmt {
                Stmt::Call { callee, .. } if which[*callee] => {
                    self.copy(pool, f, &edge, origin, &mut out);
                }
                _ => out.push((edge, origin)),
            }
        }
        out
    }

    fn copy(
        &mut self,
        pool: &mut Pool,
        f: FuncId,
        call: &Edge,
        origin: Option<EdgeId>,
        out: &mut Edges,
    ) {
        let Stmt::Call {
            callee,
            args,
            results,
        } = &call.stmt
        else {
            return;
        };
        let function = self.program.functions[*callee].clone();
        let caller = self.program.functions[f].name.clone();
        // The number of the copy: call edges can come from copies themselves.
        let site = self.program.functions[f].locals.len();
        let mut vars: FxHashMap<VarId, VarId> = FxHashMap::default();
        let all = function.params.iter().chain(&function.returns);
        for &v in all.chain(&function.locals) {
            let var = self.program.vars[v].clone();
            let name = format!("{caller}.{site}.{}", var.name);
            let copy = new_var(pool, &mut self.program, name, var.sort, VarKind::Local);
            self.program.vars[copy].range = var.range;
            self.program.functions[f].locals.push(copy);
            vars.insert(v, copy);
        }
        let terms = &self.program.vars;
        let pairs: Vec<_> = vars
            .iter()
            .map(|(old, new)| (terms[*old].term, terms[*new].term))
            .collect();
        let mut rename = Substitution::new(pairs);
        let mut places: FxHashMap<LocId, LocId> = FxHashMap::default();
        let program = &mut self.program;
        let mut place = |program: &mut Program, loc: LocId| {
            let span = self.source.locations.get(loc).map_or(call.span, |l| l.span);
            *places
                .entry(loc)
                .or_insert_with(|| new_location(program, f, span))
        };
        let span = call.span;
        let pass = function.params.iter().zip(args);
        let pass: Vec<_> = pass.map(|(p, &a)| (vars[p], a)).collect();
        let to = place(program, function.entry);
        let enter = Edge {
            from: call.from,
            to,
            stmt: Stmt::Assign(pass),
            span,
        };
        out.push((enter, origin));
        for (edge, origin) in &self.bodies[*callee] {
            let from = place(program, edge.from);
            let to = place(program, edge.to);
            let stmt = match &edge.stmt {
                Stmt::Skip | Stmt::Call { .. } => Stmt::Skip,
                Stmt::Assume(c) => Stmt::Assume(rename.apply(pool, *c)),
                Stmt::Assign(pairs) => {
                    let pairs = pairs.iter();
                    Stmt::Assign(
                        pairs
                            .map(|(v, t)| (vars[v], rename.apply(pool, *t)))
                            .collect(),
                    )
                }
                Stmt::Havoc(list, kind) => {
                    Stmt::Havoc(list.iter().map(|v| vars[v]).collect(), kind.clone())
                }
            };
            let span = edge.span;
            let copy = Edge {
                from,
                to,
                stmt,
                span,
            };
            out.push((copy, *origin));
        }
        let from = place(program, function.exit);
        let take = results.iter().zip(&function.returns);
        let take = take.map(|(&r, g)| (r, program.vars[vars[g]].term));
        let stmt = Stmt::Assign(take.collect());
        let leave = Edge {
            from,
            to: call.to,
            stmt,
            span,
        };
        out.push((leave, None));
    }
}
