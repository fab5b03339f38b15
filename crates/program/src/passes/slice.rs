//! Slicing: drops assignments, arguments and calls that cannot influence any assumption.
//!
//! Idea. A variable is *relevant* if some assumption of a kept function reads it, or an assignment
//! to (a parameter, return for) a relevant variable does. A function is *kept* if it is the entry,
//! may reach an error, or may change something relevant. Control flow stays: loops and branches
//! are never dropped, so an execution of the slice takes the same edges in the original.
//!
//! Sound because everything kept behaves as before on relevant variables, and what is dropped could
//! only have stopped the execution (a range left, a call that never returns): the slice has at
//! least the executions of the original. So a proof carries over; an error path is replayed.
//!
//! [`slice_with_calls`] is for proofs by contracts, which speak of every variable at every call: what does not matter becomes
//! any value instead of staying what it was, arguments stay, and so do calls that may not come back, since callers
//! may rest on that (clauses of Horn systems do nothing else).

use super::Transformed;
use super::back_translation::Leg;
use crate::analysis::call_graph::CallGraph;
use crate::analysis::modref::modref;
use crate::analysis::reads::VarsOf;
use crate::analysis::shape::{Shape, reachable_functions, shape};
use crate::{EdgeId, FuncId, InputKind, LocId, Program, Stmt, VarId};
use base::{FxHashMap, FxHashSet};
use logic::{Pool, TermId};
use std::collections::BTreeSet;

/// Replaces what is irrelevant by `Skip` and arguments nobody reads by constants. All ids stay.
pub fn slice(pool: &mut Pool, program: &Program) -> Transformed {
    let functions = reachable_edges(program);
    let kept = may_fail(program, &functions);
    let (relevant, kept) = relevance(pool, program, &functions, kept, None);
    let mut out = program.clone();
    for edge in out.edges.iter_mut() {
        match &mut edge.stmt {
            Stmt::Assign(pairs) => {
                pairs.retain(|(v, _)| relevant.contains(v));
                if pairs.is_empty() {
                    edge.stmt = Stmt::Skip;
                }
            }
            Stmt::Call { callee, .. } if !kept.contains(callee) => edge.stmt = Stmt::Skip,
            Stmt::Call { callee, args, .. } => {
                for (param, arg) in program.functions[*callee].params.iter().zip(args) {
                    if relevant.contains(param) {
                        continue;
                    }
                    // Sound because a value in range never stops the call.
                    match program.default_value(pool, *param) {
                        logic::Value::Num(n) => *arg = pool.num(n, program.vars[*param].sort),
                        logic::Value::Bool(b) => *arg = pool.bool_const(b),
                        _ => {}
                    }
                }
            }
            // A havoc keeps all its variables, so that replays know all values.
            _ => {}
        }
    }
    Transformed::new(out, without(program, &kept))
}

/// Replaces what is irrelevant by havocs of what it writes. All ids stay.
///
/// Sound because each edge can do what it did before: an assertion or contract that holds of the slice holds of the
/// program. Functions that are not called any more call nobody that is, so no call is missing at which a
/// contract must hold.
pub fn slice_with_calls(pool: &mut Pool, program: &Program) -> Transformed {
    let functions = reachable_edges(program);
    let mut kept = may_fail(program, &functions);
    kept.extend(may_block(pool, program, &functions));
    let calls = CallGraph::of(program);
    let (relevant, kept) = relevance(pool, program, &functions, kept, Some(&calls));
    let effects = modref(pool, program);
    let mut out = program.clone();
    for edge in out.edges.iter_mut() {
        let written: Vec<VarId> = match &edge.stmt {
            Stmt::Assign(pairs) if !pairs.iter().any(|(v, _)| relevant.contains(v)) => {
                pairs.iter().map(|(v, _)| *v).collect()
            }
            Stmt::Call {
                callee, results, ..
            } if !kept.contains(callee) => {
                let written = results.iter().chain(&effects.writes[*callee]);
                let written: BTreeSet<VarId> = written.copied().collect();
                written.into_iter().collect()
            }
            _ => continue,
        };
        edge.stmt = match written.is_empty() {
            true => Stmt::Skip,
            false => Stmt::Havoc(written, InputKind::Approximation),
        };
    }
    Transformed::new(out, without(program, &kept))
}

/// All ids stay; of functions that nobody calls any more, which are entered in the original, nothing is known.
fn without(program: &Program, kept: &BTreeSet<FuncId>) -> Leg {
    let mut leg = Leg::of(program);
    for f in program.functions.ids().filter(|f| !kept.contains(f)) {
        leg.set_uncalled(program, f);
    }
    leg
}

/// Functions that an execution may enter and not leave: an assumption may fail, or a loop or recursion may not end.
fn may_block(
    pool: &mut Pool,
    program: &Program,
    functions: &[(FuncId, Vec<EdgeId>)],
) -> BTreeSet<FuncId> {
    let successors = program.successors();
    let reach = CallGraph::of(program).reach();
    let mut out: BTreeSet<FuncId> = BTreeSet::new();
    for (func, edges) in functions {
        let f = &program.functions[*func];
        let loops = !shape(program, &successors, f.entry).loop_heads.is_empty();
        let ends = edges.iter().map(|e| program.edges[*e].to);
        let mut locations: BTreeSet<LocId> = ends.collect();
        locations.insert(f.entry);
        locations.remove(&f.exit);
        let mut is_end = |l: &LocId| may_end_at(pool, program, &successors[*l]);
        if loops || reach[*func].contains(func) || locations.iter().any(&mut is_end) {
            out.insert(*func);
        }
    }
    out
}

/// May no edge of these, which leave one location, be possible?
fn may_end_at(pool: &mut Pool, program: &Program, edges: &[EdgeId]) -> bool {
    let mut conditions = Vec::new();
    for &e in edges {
        match &program.edges[e].stmt {
            Stmt::Assume(c) => conditions.push(*c),
            _ => return false,
        }
    }
    match conditions[..] {
        [yes, no] => pool.not(yes) != no,
        _ => true,
    }
}

/// Functions from which an error location may be reached, directly or through calls.
fn may_fail(program: &Program, functions: &[(FuncId, Vec<EdgeId>)]) -> BTreeSet<FuncId> {
    let mut out: BTreeSet<FuncId> = BTreeSet::new();
    loop {
        let before = out.len();
        for (func, edges) in functions {
            let fails = edges.iter().any(|e| {
                let edge = &program.edges[*e];
                program.locations[edge.to].error.is_some()
                    || matches!(&edge.stmt, Stmt::Call { callee, .. } if out.contains(callee))
            });
            let entry = program.functions[*func].entry;
            if fails || program.locations[entry].error.is_some() {
                out.insert(*func);
            }
        }
        if out.len() == before {
            return out;
        }
    }
}

/// The edges of each function that may run.
fn reachable_edges(program: &Program) -> Vec<(FuncId, Vec<EdgeId>)> {
    let successors = program.successors();
    let functions = reachable_functions(program, &successors).into_iter();
    let edges_of = |(f, shape): (FuncId, Shape)| {
        let edges = shape.order.iter().flat_map(|l| successors[*l].clone());
        (f, edges.collect())
    };
    functions.map(edges_of).collect()
}

/// The variables that matter and the functions that are kept, at least `kept`; with a call graph, also those that call
/// one that is kept.
fn relevance(
    pool: &Pool,
    program: &Program,
    functions: &[(FuncId, Vec<EdgeId>)],
    mut kept: BTreeSet<FuncId>,
    calls: Option<&CallGraph>,
) -> (FxHashSet<VarId>, BTreeSet<FuncId>) {
    let effects = modref(pool, program);
    let mut vars_of = VarsOf::new(program);
    kept.insert(program.entry);
    let mut relevant: FxHashSet<VarId> = FxHashSet::default();
    // What each variable is set to, so that a chain of assignments is followed to its end in one round.
    let mut sources: FxHashMap<VarId, Vec<(FuncId, TermId)>> = FxHashMap::default();
    for (func, edges) in functions {
        for &id in edges {
            if let Stmt::Assign(pairs) = &program.edges[id].stmt {
                for (v, e) in pairs {
                    sources.entry(*v).or_default().push((*func, *e));
                }
            }
        }
    }
    loop {
        let before = relevant.len() + kept.len();
        let mut work: Vec<VarId> = relevant.iter().copied().collect();
        while let Some(v) = work.pop() {
            for (func, e) in sources.get(&v).into_iter().flatten() {
                if kept.contains(func) {
                    let from = vars_of.of(pool, *e);
                    work.extend(from.iter().filter(|u| relevant.insert(**u)));
                }
            }
        }
        if let Some(calls) = calls {
            kept.extend(calls.with_callers(kept.iter().copied()));
        }
        for (func, edges) in functions {
            if !kept.contains(func) {
                continue;
            }
            for &id in edges {
                match &program.edges[id].stmt {
                    Stmt::Skip | Stmt::Havoc(..) => {}
                    Stmt::Assume(c) => relevant.extend(vars_of.of(pool, *c).iter()),
                    Stmt::Assign(pairs) => {
                        for (v, e) in pairs {
                            if relevant.contains(v) {
                                relevant.extend(vars_of.of(pool, *e).iter());
                            }
                        }
                    }
                    Stmt::Call {
                        callee,
                        args,
                        results,
                    } => {
                        let g = &program.functions[*callee];
                        let matters = results.iter().any(|r| relevant.contains(r))
                            || effects.writes[*callee].iter().any(|w| relevant.contains(w));
                        if matters {
                            kept.insert(*callee);
                        }
                        if !kept.contains(callee) {
                            continue;
                        }
                        for (p, a) in g.params.iter().zip(args) {
                            let constant = pool.sort_of(*a) == pool.bool_sort()
                                || pool.is_arith(pool.sort_of(*a));
                            if relevant.contains(p) || !constant {
                                relevant.extend(vars_of.of(pool, *a).iter());
                            }
                        }
                        for (r, result) in g.returns.iter().zip(results) {
                            // An irrelevant result must not stop the return: its range must
                            // hold whatever the return variable holds.
                            if !relevant.contains(result) && narrower(program, *result, *r) {
                                relevant.insert(*result);
                            }
                            if relevant.contains(result) {
                                relevant.insert(*r);
                            }
                        }
                    }
                }
            }
        }
        if relevant.len() + kept.len() == before {
            return (relevant, kept);
        }
    }
}

fn narrower(program: &Program, a: VarId, b: VarId) -> bool {
    match (&program.vars[a].range, &program.vars[b].range) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some((al, ah)), Some((bl, bh))) => al > bl || ah < bh,
    }
}
