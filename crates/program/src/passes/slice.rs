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
//! Engines that summarise functions guess what holds of parameters and returns, relevant or not: there nothing
//! may hold in the slice only ([`slice_for_summaries`]). So what is dropped is replaced by a local that was never given a
//! value, hence may have any, wherever somebody could tell.

use super::Transformed;
use super::back_translation::{Leg, Place};
use super::error_flag::new_var;
use crate::analysis::call_graph::CallGraph;
use crate::analysis::modref::modref;
use crate::analysis::reads::VarsOf;
use crate::analysis::shape::reachable_functions;
use crate::{EdgeId, FuncId, Program, Stmt, VarId, VarKind};
use base::FxHashSet;
use logic::{Pool, TermId};
use std::collections::BTreeSet;

/// Replaces what is irrelevant by `Skip` and arguments nobody reads by constants. All ids stay.
pub fn slice(pool: &mut Pool, program: &Program) -> Transformed {
    let (relevant, kept) = relevance(pool, program, false);
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
    let mut leg = Leg::of(program);
    for (id, loc) in program.locations.iter_enumerated() {
        // A function that nobody calls any more is entered in the original: nothing is known of it.
        if !kept.contains(&loc.func) {
            leg.set_location(id, Place::Within(id));
        }
    }
    Transformed::new(out, leg)
}

/// The same for engines that summarise functions: every fact about the parameters, returns and globals of a
/// function of the result is one of the original.
pub fn slice_for_summaries(pool: &mut Pool, program: &Program) -> Transformed {
    let (relevant, kept) = relevance(pool, program, true);
    let effects = modref(pool, program);
    let mut visible: FxHashSet<VarId> = FxHashSet::default();
    for f in program.functions.iter() {
        visible.extend(f.params.iter().chain(&f.returns));
    }
    for edge in program.edges.iter() {
        if let Stmt::Havoc(vars, _) = &edge.stmt {
            visible.extend(vars);
        }
    }
    let mut out = program.clone();
    for (id, edge) in program.edges.iter_enumerated() {
        let func = program.locations[edge.from].func;
        let mut lost: Vec<VarId> = Vec::new();
        let mut pairs: Vec<(VarId, TermId)> = Vec::new();
        match &edge.stmt {
            Stmt::Assign(list) => {
                for &(v, e) in list {
                    match relevant.contains(&v) {
                        true => pairs.push((v, e)),
                        false => lost.push(v),
                    }
                }
            }
            Stmt::Call {
                callee, results, ..
            } if !kept.contains(callee) => {
                lost.extend(results);
                lost.extend(&effects.writes[*callee]);
            }
            Stmt::Call {
                callee,
                args,
                results,
            } => {
                let mut any = Vec::with_capacity(args.len());
                for (&p, &a) in program.functions[*callee].params.iter().zip(args) {
                    any.push(match relevant.contains(&p) {
                        true => a,
                        false => any_value(pool, &mut out, func, id, p),
                    });
                }
                out.edges[id].stmt = Stmt::Call {
                    callee: *callee,
                    args: any,
                    results: results.clone(),
                };
                continue;
            }
            Stmt::Skip | Stmt::Assume(_) | Stmt::Havoc(..) => continue,
        }
        for v in lost.into_iter().filter(|v| visible.contains(v)) {
            pairs.push((v, any_value(pool, &mut out, func, id, v)));
        }
        out.edges[id].stmt = match pairs.is_empty() {
            true => Stmt::Skip,
            false => Stmt::Assign(pairs),
        };
    }
    let mut leg = Leg::of(program);
    for (id, loc) in program.locations.iter_enumerated() {
        if !kept.contains(&loc.func) {
            leg.set_location(id, Place::Within(id));
        }
    }
    // Sound because nothing that is kept calls them: whatever they require is broken by nobody here.
    for f in program.functions.ids().filter(|f| !kept.contains(f)) {
        leg.drop_function(f);
    }
    Transformed::new(out, leg)
}

/// A value that `var` can have, and nobody knows which: that of a new local of `func`, which nothing sets.
fn any_value(pool: &mut Pool, out: &mut Program, func: FuncId, edge: EdgeId, var: VarId) -> TermId {
    let like = out.vars[var].clone();
    let name = format!("{}.{edge}.any.{}", out.functions[func].name, like.name);
    let new = new_var(pool, out, name, like.sort, VarKind::Local);
    out.vars[new].range = like.range;
    out.functions[func].locals.push(new);
    out.vars[new].term
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

/// Relevant variables and kept functions. `summaries`: functions that call kept ones are kept too, so that every
/// call of a kept function is seen, and any argument can be replaced.
fn relevance(
    pool: &Pool,
    program: &Program,
    summaries: bool,
) -> (FxHashSet<VarId>, BTreeSet<FuncId>) {
    let successors = program.successors();
    let functions: Vec<(FuncId, Vec<EdgeId>)> = reachable_functions(program, &successors)
        .into_iter()
        .map(|(f, shape)| {
            let edges = shape.order.iter().flat_map(|l| successors[*l].clone());
            (f, edges.collect())
        })
        .collect();
    let effects = modref(pool, program);
    let reach = CallGraph::of(program).reach();
    let mut vars_of = VarsOf::new(program);
    let mut kept = may_fail(program, &functions);
    kept.insert(program.entry);
    let mut relevant: FxHashSet<VarId> = FxHashSet::default();
    loop {
        let before = relevant.len() + kept.len();
        for (func, edges) in &functions {
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
                            || effects.writes[*callee].iter().any(|w| relevant.contains(w))
                            || summaries && reach[*callee].iter().any(|g| kept.contains(g));
                        if matters {
                            kept.insert(*callee);
                        }
                        if !kept.contains(callee) {
                            continue;
                        }
                        for (p, a) in g.params.iter().zip(args) {
                            let constant = summaries
                                || pool.sort_of(*a) == pool.bool_sort()
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
