//! Live variables: those whose value at a location some execution may still read.
//!
//! Backward fixed point per function. At the exit the returns and all globals are live; a call
//! reads its arguments and the globals its callee may read; error locations read nothing. A range
//! check of an assignment reads the assigned value, not the variable.

use crate::graph::{Shape, shape};
use crate::modref::{ModRef, modref};
use crate::reads::{VarsOf, written_by};
use crate::{EdgeId, FuncId, LocId, Program, Stmt, VarId};
use logic::{FxHashMap, IndexVec, Pool};

/// Live variables at the reachable locations of one function.
#[derive(Clone, Debug)]
pub struct Liveness {
    vars: Vec<VarId>,
    column: FxHashMap<VarId, u32>,
    row: FxHashMap<LocId, u32>,
    words: usize,
    bits: Vec<u64>,
}

impl Liveness {
    pub fn is_live(&self, loc: LocId, var: VarId) -> bool {
        match (self.row.get(&loc), self.column.get(&var)) {
            (Some(&r), Some(&c)) => {
                let word = self.bits[r as usize * self.words + c as usize / 64];
                word >> (c % 64) & 1 == 1
            }
            _ => false,
        }
    }

    /// The live variables of a location, sorted.
    pub fn at(&self, loc: LocId) -> Vec<VarId> {
        let live = self.vars.iter().copied();
        live.filter(|&v| self.is_live(loc, v)).collect()
    }
}

/// Liveness of one function.
pub fn liveness(
    pool: &Pool,
    program: &Program,
    func: FuncId,
    shape: &Shape,
    successors: &IndexVec<LocId, Vec<EdgeId>>,
    vars_of: &mut VarsOf,
    modref: &ModRef,
) -> Liveness {
    let f = &program.functions[func];
    let mut vars: Vec<VarId> = [&program.globals, &f.params, &f.returns, &f.locals]
        .into_iter()
        .flatten()
        .copied()
        .collect();
    vars.sort_unstable();
    vars.dedup();
    let column: FxHashMap<VarId, u32> = vars.iter().zip(0..).map(|(&v, i)| (v, i)).collect();
    let words = vars.len().div_ceil(64);
    let mut live = Liveness {
        vars,
        column,
        row: shape.position.clone(),
        words,
        bits: vec![0; words * shape.order.len()],
    };
    // Per edge: what it reads and what it writes, as columns.
    let mut effects: FxHashMap<EdgeId, (Vec<u32>, Vec<u32>)> = FxHashMap::default();
    for &loc in &shape.order {
        for &id in &successors[loc] {
            let stmt = &program.edges[id].stmt;
            let mut reads = vars_of.read_by(pool, stmt);
            if let Stmt::Call { callee, .. } = stmt {
                reads.extend(modref.reads[*callee].iter());
            }
            let columns = |list: Vec<VarId>| -> Vec<u32> {
                let known = list.iter().filter_map(|v| live.column.get(v));
                known.copied().collect()
            };
            effects.insert(id, (columns(reads), columns(written_by(stmt))));
        }
    }
    if let Some(&row) = live.row.get(&f.exit) {
        for v in f.returns.iter().chain(&program.globals) {
            let c = live.column[v] as usize;
            live.bits[row as usize * words + c / 64] |= 1 << (c % 64);
        }
    }
    let mut scratch = vec![0u64; words];
    let mut changed = true;
    while changed {
        changed = false;
        for (row, &loc) in shape.order.iter().enumerate().rev() {
            for &id in &successors[loc] {
                let to = live.row[&program.edges[id].to] as usize;
                scratch.copy_from_slice(&live.bits[to * words..(to + 1) * words]);
                let (reads, writes) = &effects[&id];
                for &c in writes {
                    scratch[c as usize / 64] &= !(1 << (c % 64));
                }
                for &c in reads {
                    scratch[c as usize / 64] |= 1 << (c % 64);
                }
                let own = &mut live.bits[row * words..(row + 1) * words];
                for (o, s) in own.iter_mut().zip(&scratch) {
                    if *o | s != *o {
                        *o |= s;
                        changed = true;
                    }
                }
            }
        }
    }
    live
}

/// Per function, the locals and returns that may be read before they are written, in the order
/// locals, returns: the inputs that a call brings in besides its arguments.
pub fn uninitialised(pool: &Pool, program: &Program) -> IndexVec<FuncId, Vec<VarId>> {
    let successors = program.successors();
    let effects = modref(pool, program);
    let mut vars_of = VarsOf::new(program);
    program
        .functions
        .iter_enumerated()
        .map(|(id, f)| {
            let shape = shape(program, &successors, f.entry);
            let live = liveness(
                pool,
                program,
                id,
                &shape,
                &successors,
                &mut vars_of,
                &effects,
            );
            let own = f.locals.iter().chain(&f.returns).copied();
            own.filter(|v| live.is_live(f.entry, *v)).collect()
        })
        .collect()
}
