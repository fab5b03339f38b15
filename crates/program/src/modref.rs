//! Which globals each function may read and write, itself or through the functions it calls.

use crate::reads::{VarsOf, written_by};
use crate::{FuncId, Program, Stmt, VarId, VarKind};
use logic::{IndexVec, Pool};
use std::collections::BTreeSet;

/// Globals per function, transitively over calls. A superset of what an execution touches.
#[derive(Clone, Debug)]
pub struct ModRef {
    pub reads: IndexVec<FuncId, BTreeSet<VarId>>,
    pub writes: IndexVec<FuncId, BTreeSet<VarId>>,
    /// Functions called directly.
    pub calls: IndexVec<FuncId, BTreeSet<FuncId>>,
}

/// A least fixed point over the call graph; recursion is fine.
pub fn modref(pool: &Pool, program: &Program) -> ModRef {
    let n = program.functions.len();
    let mut result = ModRef {
        reads: IndexVec::filled(BTreeSet::new(), n),
        writes: IndexVec::filled(BTreeSet::new(), n),
        calls: IndexVec::filled(BTreeSet::new(), n),
    };
    let mut vars_of = VarsOf::new(program);
    let is_global = |v: &VarId| program.vars[*v].kind == VarKind::Global;
    for edge in program.edges.iter() {
        let func = program.locations[edge.from].func;
        let read = vars_of.read_by(pool, &edge.stmt);
        result.reads[func].extend(read.into_iter().filter(is_global));
        let written = written_by(&edge.stmt);
        result.writes[func].extend(written.into_iter().filter(is_global));
        if let Stmt::Call { callee, .. } = &edge.stmt {
            result.calls[func].insert(*callee);
        }
    }
    let mut callers: IndexVec<FuncId, Vec<FuncId>> = IndexVec::filled(Vec::new(), n);
    for (f, called) in result.calls.iter_enumerated() {
        for &g in called {
            callers[g].push(f);
        }
    }
    let mut work: Vec<FuncId> = result.calls.ids().collect();
    while let Some(g) = work.pop() {
        for &f in &callers[g] {
            if f == g {
                continue;
            }
            let before = result.reads[f].len() + result.writes[f].len();
            let (reads, writes) = (result.reads[g].clone(), result.writes[g].clone());
            result.reads[f].extend(reads);
            result.writes[f].extend(writes);
            if result.reads[f].len() + result.writes[f].len() > before {
                work.push(f);
            }
        }
    }
    result
}
