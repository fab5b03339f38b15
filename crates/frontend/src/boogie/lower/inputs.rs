//! Values that a function reads before anybody wrote them, as explicit choices at its entry: so
//! counterexamples list them, in order, like any other input.

use logic::Pool;
use program::analysis::liveness::uninitialised;
use program::{Edge, FuncId, InputKind, Location, Program, Stmt, VarId};

pub(super) fn choose_inputs(pool: &Pool, program: &mut Program) {
    let open = uninitialised(pool, program);
    let globals = read_globals(pool, program);
    for (func, mut vars) in open.iter_enumerated().map(|(f, v)| (f, v.clone())) {
        if func == program.entry {
            vars.extend(&globals);
        }
        if !vars.is_empty() {
            choose(program, func, vars);
        }
    }
}

/// Globals that some execution may read before it writes them, and more.
fn read_globals(pool: &Pool, program: &Program) -> Vec<VarId> {
    let effects = program::analysis::modref::modref(pool, program);
    let read = &effects.reads[program.entry];
    let globals = program.globals.iter().copied();
    globals.filter(|g| read.contains(g)).collect()
}

/// A new entry, from which the choice leads to the old one.
fn choose(program: &mut Program, func: FuncId, vars: Vec<VarId>) {
    let old = program.functions[func].entry;
    let span = program.locations[old].span;
    let new = program.locations.push(Location {
        func,
        span,
        error: None,
        loop_head: None,
    });
    program.edges.push(Edge {
        from: new,
        to: old,
        stmt: Stmt::Havoc(vars, InputKind::Unknown),
        span,
    });
    program.functions[func].entry = new;
}
