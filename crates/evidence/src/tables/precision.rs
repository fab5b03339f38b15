//! Which variables are tracked: those that the conditions of errors are computed from, and step by step those that
//! decide whether these are written.
//!
//! ```text
//!   if (n > 3) { r = get(); if (r == 0) locked = 1; }   ...   if (locked) error();
//!   level 0: locked     level 1: r, what `get` returns     level 2: n
//! ```
//! Any choice is sound; this one is only a guess of what an error depends on.

use base::{FxHashSet, IndexVec};
use logic::Pool;
use program::analysis::reads::VarsOf;
use program::{EdgeId, FuncId, LocId, Program, Stmt, VarId};

pub(super) struct Precision<'a> {
    pool: &'a Pool,
    program: &'a Program,
    vars_of: VarsOf,
    predecessors: IndexVec<LocId, Vec<EdgeId>>,
    /// Where each function is called from.
    calls: IndexVec<FuncId, Vec<LocId>>,
    /// The statements that set each variable, and what they set it to.
    sources: IndexVec<VarId, Vec<(EdgeId, Vec<VarId>)>>,
    scalar: IndexVec<VarId, bool>,
    tracked: IndexVec<VarId, bool>,
    /// Locations whose conditions are asked for in the next step.
    open: Vec<LocId>,
    seen: FxHashSet<LocId>,
}

impl<'a> Precision<'a> {
    pub fn new(pool: &'a Pool, program: &'a Program, scalar: IndexVec<VarId, bool>) -> Self {
        let mut predecessors = IndexVec::filled(Vec::new(), program.locations.len());
        let mut calls = IndexVec::filled(Vec::new(), program.functions.len());
        for (id, edge) in program.edges.iter_enumerated() {
            predecessors[edge.to].push(id);
            if let Stmt::Call { callee, .. } = &edge.stmt {
                calls[*callee].push(edge.from);
            }
        }
        let mut vars_of = VarsOf::new(program);
        let sources = sources(pool, program, &mut vars_of);
        let mut precision = Precision {
            pool,
            program,
            vars_of,
            predecessors,
            calls,
            sources,
            tracked: IndexVec::filled(false, scalar.len()),
            scalar,
            open: program.error_locations().collect(),
            seen: FxHashSet::default(),
        };
        precision.widen();
        precision
    }

    pub fn tracked(&self) -> &IndexVec<VarId, bool> {
        &self.tracked
    }

    /// Tracks what the nearest conditions before the open locations read; `false` if that is nothing new.
    pub fn widen(&mut self) -> bool {
        let mut work = std::mem::take(&mut self.open);
        let mut read = Vec::new();
        let mut next = Vec::new();
        while let Some(loc) = work.pop() {
            if !self.seen.insert(loc) {
                continue;
            }
            let func = self.program.locations[loc].func;
            if loc == self.program.functions[func].entry {
                work.extend(&self.calls[func]);
            }
            for &id in &self.predecessors[loc] {
                let edge = &self.program.edges[id];
                match &edge.stmt {
                    Stmt::Assume(c) => {
                        read.extend(self.vars_of.of(self.pool, *c).iter().copied());
                        next.push(edge.from);
                    }
                    _ => work.push(edge.from),
                }
            }
        }
        let mut new = !next.is_empty();
        self.open = next;
        while let Some(var) = read.pop() {
            if !self.scalar[var] || std::mem::replace(&mut self.tracked[var], true) {
                continue;
            }
            new = true;
            for (edge, from) in &self.sources[var] {
                self.open.push(self.program.edges[*edge].from);
                read.extend(from);
            }
        }
        new
    }
}

/// Per variable, the statements that set it, with the variables that its value is computed from.
fn sources(
    pool: &Pool,
    program: &Program,
    vars_of: &mut VarsOf,
) -> IndexVec<VarId, Vec<(EdgeId, Vec<VarId>)>> {
    let mut out = IndexVec::filled(Vec::new(), program.vars.len());
    for (id, edge) in program.edges.iter_enumerated() {
        match &edge.stmt {
            Stmt::Skip | Stmt::Assume(_) => {}
            Stmt::Assign(pairs) => {
                for (var, value) in pairs {
                    out[*var].push((id, vars_of.of(pool, *value).to_vec()));
                }
            }
            Stmt::Havoc(vars, _) => {
                for var in vars {
                    out[*var].push((id, Vec::new()));
                }
            }
            Stmt::Call {
                callee,
                args,
                results,
            } => {
                let callee = &program.functions[*callee];
                for (param, arg) in callee.params.iter().zip(args) {
                    out[*param].push((id, vars_of.of(pool, *arg).to_vec()));
                }
                for (result, returned) in results.iter().zip(&callee.returns) {
                    out[*result].push((id, vec![*returned]));
                }
            }
        }
    }
    out
}
