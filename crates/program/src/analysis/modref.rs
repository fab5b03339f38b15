//! Which globals each function may read and write, itself or through the functions it calls.

use crate::analysis::call_graph::CallGraph;
use crate::analysis::reads::{VarsOf, written_by};
use crate::{FuncId, Program, VarId};
use base::{FxHashMap, IndexVec};
use logic::Pool;
use std::collections::BTreeSet;

/// Globals per function, transitively over calls. A superset of what an execution touches.
#[derive(Clone, Debug)]
pub struct ModRef {
    pub reads: IndexVec<FuncId, BTreeSet<VarId>>,
    pub writes: IndexVec<FuncId, BTreeSet<VarId>>,
}

/// A least fixed point over the call graph; recursion is fine.
pub fn modref(pool: &Pool, program: &Program) -> ModRef {
    let n = program.functions.len();
    let column: FxHashMap<VarId, usize> = program
        .globals
        .iter()
        .zip(0..)
        .map(|(v, i)| (*v, i))
        .collect();
    // One row per function: bits of globals read, then bits of globals written.
    let words = program.globals.len().div_ceil(64);
    let mut rows: IndexVec<FuncId, Vec<u64>> = IndexVec::filled(vec![0; 2 * words], n);
    let mut vars_of = VarsOf::new(program);
    for edge in program.edges.iter() {
        let func = program.locations[edge.from].func;
        let row = &mut rows[func];
        for v in vars_of.read_by(pool, &edge.stmt) {
            if let Some(c) = column.get(&v) {
                row[c / 64] |= 1 << (c % 64);
            }
        }
        for v in written_by(&edge.stmt) {
            if let Some(c) = column.get(&v) {
                row[words + c / 64] |= 1 << (c % 64);
            }
        }
    }
    let mut callers = CallGraph::of(program).callers;
    for list in callers.iter_mut() {
        list.sort_unstable();
        list.dedup();
    }
    let mut work: Vec<FuncId> = callers.ids().collect();
    while let Some(g) = work.pop() {
        let row = rows[g].clone();
        for &f in &callers[g] {
            let mut grown = false;
            for (mine, theirs) in rows[f].iter_mut().zip(&row) {
                grown |= *mine | theirs != *mine;
                *mine |= theirs;
            }
            if grown {
                work.push(f);
            }
        }
    }
    let globals = |row: &[u64]| -> BTreeSet<VarId> {
        let bits = program.globals.iter().enumerate();
        bits.filter(|(c, _)| row[c / 64] >> (c % 64) & 1 == 1)
            .map(|(_, v)| *v)
            .collect()
    };
    ModRef {
        reads: rows.iter().map(|r| globals(&r[..words])).collect(),
        writes: rows.iter().map(|r| globals(&r[words..])).collect(),
    }
}
