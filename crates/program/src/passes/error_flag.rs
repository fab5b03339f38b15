//! Errors as values: each function that may reach an error gets one more return, its *error flag*
//! (IPROC, section 2). Error locations jump to the exit with the flag set and every other return at
//! a fixed default; callers test the flag and pass it on. Then a function is its input/output
//! relation, and the program is safe if the entry function never returns with the flag set.
//!
//! Because the defaults are fixed, "may err from these inputs" is a quantifier-free instance of the
//! relation; see [`crate::summaries::contracts`].

use super::WayBack;
use super::back_translation::{Flag, Leg, Place};
use crate::analysis::call_graph::CallGraph;
use crate::{Edge, EdgeId, FuncId, LocId, Location, Program, Span, Stmt, Var, VarId, VarKind};
use base::IndexVec;
use logic::{Pool, Rational, Sort, SortId, TermId};

/// The program with error flags, and the way back.
pub struct Flagged {
    pub program: Program,
    /// The error flag of each function that may err.
    pub flag: IndexVec<FuncId, Option<VarId>>,
    pub back: WayBack,
}

/// The program under construction.
struct Flagging {
    program: Program,
    flag: IndexVec<FuncId, Option<VarId>>,
    leg: Leg,
}

/// Adds the flags. Calls must be the only way that functions interact (globals are parameters).
pub fn error_flag(pool: &mut Pool, program: &Program) -> Flagged {
    let may_err = functions_that_may_err(program);
    let mut out = Flagging {
        program: Program {
            edges: IndexVec::new(),
            ..program.clone()
        },
        flag: IndexVec::filled(None, program.functions.len()),
        leg: Leg::with_new_edges(program),
    };
    // An error is the way to the exit now: nobody is at its location any more.
    for loc in program.error_locations() {
        out.leg.set_location(loc, Place::Within(loc));
    }
    let mut fail: IndexVec<FuncId, Option<LocId>> = IndexVec::filled(None, program.functions.len());
    for f in program.functions.ids().filter(|&f| may_err[f]) {
        fail[f] = Some(add_flag(pool, program, &mut out, f));
    }
    for (id, edge) in program.edges.iter_enumerated() {
        let func = program.locations[edge.from].func;
        let mut edge = edge.clone();
        if program.locations[edge.to].error.is_some() {
            edge.to = fail[func].expect("a function with an error location may err");
        }
        if let Stmt::Call {
            callee, results, ..
        } = &mut edge.stmt
            && may_err[*callee]
        {
            let fail = fail[func].expect("callers of functions that may err may err");
            let local = fresh_flag(pool, &mut out.program, func, id);
            results.push(local);
            let after = edge.to;
            let test = new_location(&mut out.program, func, edge.span);
            edge.to = test;
            let raised = out.program.vars[local].term;
            let lowered = pool.not(raised);
            let span = edge.span;
            out.add(edge, Some(id));
            out.add(
                Edge {
                    from: test,
                    to: after,
                    stmt: Stmt::Assume(lowered),
                    span,
                },
                None,
            );
            out.add(
                Edge {
                    from: test,
                    to: fail,
                    stmt: Stmt::Assume(raised),
                    span,
                },
                None,
            );
            continue;
        }
        out.add(edge, Some(id));
    }
    for location in out.program.locations.iter_mut() {
        location.error = None;
    }
    Flagged {
        back: out.leg.close(&out.program),
        program: out.program,
        flag: out.flag,
    }
}

impl Flagging {
    fn add(&mut self, edge: Edge, origin: Option<EdgeId>) {
        self.program.edges.push(edge);
        self.leg.add_edge(origin);
    }
}

/// Has an error location, or calls a function that may err.
fn functions_that_may_err(program: &Program) -> IndexVec<FuncId, bool> {
    let errors = program.error_locations();
    let own = errors.map(|loc| program.locations[loc].func);
    let may_err = CallGraph::of(program).with_callers(own);
    let functions = program.functions.ids();
    functions.map(|f| may_err.contains(&f)).collect()
}

/// Declares the flag of `f`, lowers it at entry, and makes the location that raises it.
fn add_flag(pool: &mut Pool, program: &Program, out: &mut Flagging, f: FuncId) -> LocId {
    let span = program.functions[f].span;
    let name = format!("{}.err", program.functions[f].name);
    let sort = pool.bool_sort();
    let flag = new_var(pool, &mut out.program, name, sort, VarKind::Return);
    out.flag[f] = Some(flag);
    let mut raise: Vec<(VarId, TermId)> = Vec::new();
    for &r in &program.functions[f].returns {
        let var = &program.vars[r];
        raise.push((r, default_term(pool, var.sort, var.range.as_ref())));
    }
    raise.push((flag, pool.tt()));
    // Sound because the flag is lowered at entry and raised only on the way to the exit.
    out.leg.define(out.program.vars[flag].term, pool.ff());
    let term = |v: VarId| out.program.vars[v].term;
    let params = program.functions[f].params.iter();
    let params = params.map(|&p| {
        let var = &program.vars[p];
        (var.name.clone(), var.sort, var.term)
    });
    let erring = Flag {
        erring: raise.iter().map(|&(v, t)| (term(v), t)).collect(),
        params: params.collect(),
    };
    out.leg.add_flag(f, erring);
    let fail = new_location(&mut out.program, f, span);
    let exit = program.functions[f].exit;
    out.add(
        Edge {
            from: fail,
            to: exit,
            stmt: Stmt::Assign(raise),
            span,
        },
        None,
    );
    let start = new_location(&mut out.program, f, span);
    let lower = Stmt::Assign(vec![(flag, pool.ff())]);
    out.add(
        Edge {
            from: start,
            to: program.functions[f].entry,
            stmt: lower,
            span,
        },
        None,
    );
    let function = &mut out.program.functions[f];
    function.entry = start;
    function.returns.push(flag);
    fail
}

fn fresh_flag(pool: &mut Pool, program: &mut Program, func: FuncId, call: EdgeId) -> VarId {
    let name = format!("{}.err.{call}", program.functions[func].name);
    let sort = pool.bool_sort();
    let var = new_var(pool, program, name, sort, VarKind::Local);
    program.functions[func].locals.push(var);
    var
}

pub fn new_var(
    pool: &mut Pool,
    program: &mut Program,
    name: String,
    sort: SortId,
    kind: VarKind,
) -> VarId {
    let term = pool.constant(&name, sort);
    program.vars.push(Var {
        name,
        term,
        sort,
        range: None,
        kind,
        source_name: None,
        source_type: None,
        span: Span::unknown(),
    })
}

pub fn new_location(program: &mut Program, func: FuncId, span: Span) -> LocId {
    program.locations.push(Location {
        func,
        span,
        error: None,
        loop_head: None,
    })
}

/// The value that a return has when its function errs: zero, or the end of the range nearest to it.
pub fn default_term(pool: &mut Pool, sort: SortId, range: Option<&(Rational, Rational)>) -> TermId {
    match pool.sort_kind(sort).clone() {
        Sort::Bool => pool.ff(),
        Sort::Int | Sort::Real | Sort::BitVec(_) | Sort::Float(..) | Sort::Rounding => {
            let zero = Rational::ZERO;
            let value = match range {
                Some((low, _)) if *low > zero => low.clone(),
                Some((_, high)) if *high < zero => high.clone(),
                _ => zero,
            };
            pool.num(value, sort)
        }
        Sort::Array(_, element) => {
            let value = default_term(pool, element, None);
            pool.const_array(sort, value)
        }
        Sort::Uninterpreted(name) => pool.constant(&format!("default.{name}"), sort),
    }
}
