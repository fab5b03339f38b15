//! Globals as parameters and returns: afterwards functions interact by values only.
//!
//! Each global that a function may read or write, itself or through calls, becomes a parameter; each
//! that it may write also a return. Inside the function the parameter is the global.
//! Function, location and original edge ids stay.

use super::WayBack;
use super::back_translation::{AtEntry, Leg, Whence};
use crate::analysis::modref::modref;
use crate::{Edge, FuncId, Location, Program, Stmt, Var, VarId, VarKind};
use base::{FxHashMap, IndexVec};
use logic::{Pool, Substitution};

/// A program without globals, and the way back.
#[derive(Clone, Debug)]
pub struct NoGlobals {
    pub program: Program,
    pub back: WayBack,
    /// The global whose value at entry each new parameter holds.
    pub inputs: FxHashMap<VarId, VarId>,
    /// The global whose value at exit each new return holds.
    pub outputs: FxHashMap<VarId, VarId>,
}

/// Makes globals explicit.
pub fn globals_to_params(pool: &mut Pool, program: &Program) -> NoGlobals {
    let mods = modref(pool, program);
    let mut out = NoGlobals {
        program: Program {
            edges: IndexVec::new(),
            globals: Vec::new(),
            ..program.clone()
        },
        back: WayBack::default(),
        inputs: FxHashMap::default(),
        outputs: FxHashMap::default(),
    };
    let mut leg = Leg::with_new_edges(program);
    // Per function: its parameter for each global it touches, and its return for each it writes.
    let mut params: IndexVec<FuncId, Vec<(VarId, VarId)>> = IndexVec::new();
    let mut returns: IndexVec<FuncId, Vec<(VarId, VarId)>> = IndexVec::new();
    for (id, f) in program.functions.iter_enumerated() {
        let touched = mods.reads[id].union(&mods.writes[id]);
        let (mut ins, mut outs) = (Vec::new(), Vec::new());
        for &g in touched {
            let p = declare(
                pool,
                &mut out.program,
                program,
                g,
                &f.name,
                "",
                VarKind::Param,
            );
            out.inputs.insert(p, g);
            leg.set_var(p, Whence::Same(g));
            leg.define(out.program.vars[p].term, program.vars[g].term);
            leg.add_at_entry(AtEntry {
                new: out.program.vars[p].name.clone(),
                old: program.vars[g].name.clone(),
                sort: program.vars[g].sort,
            });
            ins.push((g, p));
        }
        for &g in &mods.writes[id] {
            let r = declare(
                pool,
                &mut out.program,
                program,
                g,
                &f.name,
                ".out",
                VarKind::Return,
            );
            out.outputs.insert(r, g);
            leg.define(out.program.vars[r].term, program.vars[g].term);
            outs.push((g, r));
        }
        params.push(ins);
        returns.push(outs);
    }
    let mut renamings: IndexVec<FuncId, Substitution> = params
        .iter()
        .map(|ins| {
            Substitution::new(
                ins.iter()
                    .map(|&(g, p)| (program.vars[g].term, out.program.vars[p].term)),
            )
        })
        .collect();
    for (id, edge) in program.edges.iter_enumerated() {
        let func = program.locations[edge.from].func;
        let own: FxHashMap<VarId, VarId> = params[func].iter().copied().collect();
        let var = |v: VarId| own.get(&v).copied().unwrap_or(v);
        let rename = &mut renamings[func];
        let stmt = match &edge.stmt {
            Stmt::Skip => Stmt::Skip,
            Stmt::Assign(list) => Stmt::Assign(
                list.iter()
                    .map(|&(v, t)| (var(v), rename.apply(pool, t)))
                    .collect(),
            ),
            Stmt::Assume(t) => Stmt::Assume(rename.apply(pool, *t)),
            Stmt::Havoc(vars, kind) => {
                Stmt::Havoc(vars.iter().map(|&v| var(v)).collect(), kind.clone())
            }
            Stmt::Call {
                callee,
                args,
                results,
            } => {
                let mut args: Vec<_> = args.iter().map(|&t| rename.apply(pool, t)).collect();
                args.extend(
                    params[*callee]
                        .iter()
                        .map(|&(g, _)| out.program.vars[own[&g]].term),
                );
                let assigned = results;
                let mut results: Vec<_> = assigned.iter().map(|&v| var(v)).collect();
                for &(g, _) in &returns[*callee] {
                    // A global that takes a result of the call: the result comes last and wins.
                    let target = match assigned.contains(&g) {
                        true => {
                            let suffix = format!(".lost.{id}");
                            let name = &program.functions[func].name;
                            let kind = VarKind::Local;
                            let v =
                                declare(pool, &mut out.program, program, g, name, &suffix, kind);
                            out.program.functions[func].locals.push(v);
                            v
                        }
                        false => own[&g],
                    };
                    results.push(target);
                }
                Stmt::Call {
                    callee: *callee,
                    args,
                    results,
                }
            }
        };
        out.program.edges.push(Edge {
            stmt,
            ..edge.clone()
        });
        leg.add_edge(Some(id));
    }
    for (id, f) in program.functions.iter_enumerated() {
        let span = f.span;
        let exit = out.program.locations.push(Location {
            func: id,
            span,
            error: None,
            loop_head: None,
        });
        let give: Vec<_> = params[id]
            .iter()
            .filter_map(|&(g, p)| {
                let r = returns[id].iter().find(|(h, _)| *h == g)?.1;
                Some((r, out.program.vars[p].term))
            })
            .collect();
        out.program.edges.push(Edge {
            from: f.exit,
            to: exit,
            stmt: Stmt::Assign(give),
            span,
        });
        leg.add_edge(None);
        let function = &mut out.program.functions[id];
        function.exit = exit;
        function.params.extend(params[id].iter().map(|&(_, p)| p));
        function.returns.extend(returns[id].iter().map(|&(_, r)| r));
    }
    out.back = leg.close(&out.program);
    out
}

fn declare(
    pool: &mut Pool,
    target: &mut Program,
    program: &Program,
    global: VarId,
    function: &str,
    suffix: &str,
    kind: VarKind,
) -> VarId {
    let var = &program.vars[global];
    let name = format!("{function}:{}{suffix}", var.name);
    let term = pool.constant(&name, var.sort);
    target.vars.push(Var {
        name,
        term,
        kind,
        ..var.clone()
    })
}
