//! Globals as explicit inputs and outputs of functions, for engines whose summaries speak of
//! parameters and returns only.
//!
//! A function that may read or write a global `g` (itself or through calls) gets a parameter
//! `f.g`; if it may write it, also a return `f.g'`, copied from the parameter before the exit.
//! Calls pass and take them. In the entry function, globals are parameters like others: arbitrary
//! at the start. The result has no globals.

use super::Transformed;
use crate::modref::modref;
use crate::{Edge, FuncId, LocId, Program, Span, Stmt, Var, VarId, VarKind};
use logic::{FxHashMap, FxHashSet, IndexVec, Pool, Substitution, TermId};
use std::collections::BTreeSet;

/// The program without globals. Origins: the copies of a global come from it.
pub fn globals_to_params(pool: &mut Pool, program: &Program) -> Transformed {
    let effects = modref(pool, program);
    let touched: IndexVec<FuncId, BTreeSet<VarId>> = program
        .functions
        .ids()
        .map(|f| &effects.reads[f] | &effects.writes[f])
        .collect();
    let mut out = Transformed::identity(program.clone());
    out.program.globals.clear();
    let mut names: FxHashSet<String> = program.vars.iter().map(|v| v.name.clone()).collect();
    let mut input: FxHashMap<(FuncId, VarId), VarId> = FxHashMap::default();
    for (f, globals) in touched.iter_enumerated() {
        let mut copies = Vec::new();
        for &g in globals {
            let copy = add(pool, &mut out, &mut names, f, g, VarKind::Param);
            input.insert((f, g), copy);
            out.program.functions[f].params.push(copy);
            if effects.writes[f].contains(&g) {
                let result = add(pool, &mut out, &mut names, f, g, VarKind::Return);
                out.program.functions[f].returns.push(result);
                copies.push((result, out.program.vars[copy].term));
            }
        }
        if !copies.is_empty() {
            new_exit(&mut out, f, copies);
        }
    }
    let mut renamings: IndexVec<FuncId, Substitution> = touched
        .iter_enumerated()
        .map(|(f, globals)| {
            let vars = &out.program.vars;
            let pairs = globals.iter();
            Substitution::new(pairs.map(|g| (vars[*g].term, vars[input[&(f, *g)]].term)))
        })
        .collect();
    for (id, edge) in program.edges.iter_enumerated() {
        let func = program.locations[edge.from].func;
        let var = |v: &VarId| input.get(&(func, *v)).copied().unwrap_or(*v);
        let renaming = &mut renamings[func];
        let mut term = |t: &TermId| renaming.apply(pool, *t);
        let stmt = match &edge.stmt {
            Stmt::Skip => Stmt::Skip,
            Stmt::Assume(c) => Stmt::Assume(term(c)),
            Stmt::Assign(pairs) => {
                Stmt::Assign(pairs.iter().map(|(v, e)| (var(v), term(e))).collect())
            }
            Stmt::Havoc(vars, kind) => Stmt::Havoc(vars.iter().map(var).collect(), kind.clone()),
            Stmt::Call {
                callee,
                args,
                results,
            } => {
                let mut args: Vec<TermId> = args.iter().map(term).collect();
                let mut results: Vec<VarId> = results.iter().map(var).collect();
                for g in &touched[*callee] {
                    args.push(out.program.vars[input[&(func, *g)]].term);
                    if effects.writes[*callee].contains(g) {
                        results.push(input[&(func, *g)]);
                    }
                }
                Stmt::Call {
                    callee: *callee,
                    args,
                    results,
                }
            }
        };
        out.program.edges[id].stmt = stmt;
    }
    for (id, call) in &program.outputs {
        let func = program.locations[program.edges[*id].from].func;
        let mut call = call.clone();
        let terms = call.args.iter_mut().chain(call.memory.iter_mut().flatten());
        for t in terms {
            *t = renamings[func].apply(pool, *t);
        }
        out.program.outputs.insert(*id, call);
    }
    out
}

fn add(
    pool: &mut Pool,
    out: &mut Transformed,
    names: &mut FxHashSet<String>,
    func: FuncId,
    global: VarId,
    kind: VarKind,
) -> VarId {
    let v = out.program.vars[global].clone();
    let mark = if kind == VarKind::Return { "'" } else { "" };
    let mut name = format!("{}.{}{mark}", out.program.functions[func].name, v.name);
    while !names.insert(name.clone()) {
        name.push('~');
    }
    out.var_origin.push(global);
    out.program.vars.push(Var {
        term: pool.constant(&name, v.sort),
        name,
        kind,
        ..v
    })
}

/// A new exit behind the old one, over an edge that sets the returns.
fn new_exit(out: &mut Transformed, func: FuncId, copies: Vec<(VarId, TermId)>) {
    let old = out.program.functions[func].exit;
    let location = out.program.locations[old].clone();
    let exit: LocId = out.program.locations.push(location);
    out.loc_origin.push(old);
    out.program.edges.push(Edge {
        from: old,
        to: exit,
        stmt: Stmt::Assign(copies),
        span: Span::unknown(),
    });
    out.edge_origin.push(None);
    out.program.functions[func].exit = exit;
}
