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

use super::Transformed;
use super::back_translation::{Leg, Place};
use crate::analysis::modref::modref;
use crate::analysis::reads::VarsOf;
use crate::analysis::shape::reachable_functions;
use crate::{EdgeId, FuncId, Program, Stmt, VarId};
use base::FxHashSet;
use logic::Pool;
use std::collections::BTreeSet;

/// Replaces what is irrelevant by `Skip` and arguments nobody reads by constants. All ids stay.
pub fn slice(pool: &mut Pool, program: &Program) -> Transformed {
    let (relevant, kept) = relevance(pool, program);
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

fn relevance(pool: &Pool, program: &Program) -> (FxHashSet<VarId>, BTreeSet<FuncId>) {
    let successors = program.successors();
    let functions: Vec<(FuncId, Vec<EdgeId>)> = reachable_functions(program, &successors)
        .into_iter()
        .map(|(f, shape)| {
            let edges = shape.order.iter().flat_map(|l| successors[*l].clone());
            (f, edges.collect())
        })
        .collect();
    let effects = modref(pool, program);
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
