//! Live variables: those whose value at a location some execution may still read.
//!
//! Backward fixed point per function. At the exit the returns and all globals are live; a call
//! reads its arguments and the globals its callee may read; error locations read nothing. A range
//! check of an assignment reads the assigned value, not the variable.
//!
//! An inlined program has as many variables as it has locations, of which few are live anywhere, and
//! those are neighbours (a callee's). So a set is a list of the words of a bit set that are not zero.

use crate::analysis::modref::{ModRef, modref};
use crate::analysis::reads::{VarsOf, written_by};
use crate::analysis::shape::{Shape, shape};
use crate::{EdgeId, FuncId, LocId, Program, Stmt, VarId};
use base::{FxHashMap, Id, IndexVec};
use logic::Pool;

/// Live variables at the reachable locations of one function.
#[derive(Clone, Debug)]
pub struct Liveness {
    row: FxHashMap<LocId, u32>,
    sets: Vec<Set>,
}

/// Numbers of variables: the words of a bit set that are not zero, by position.
type Set = Vec<(u32, u64)>;

impl Liveness {
    pub fn is_live(&self, loc: LocId, var: VarId) -> bool {
        let (set, column) = (self.words(loc), column(var));
        let word = set.binary_search_by_key(&(column / 64), |(at, _)| *at);
        word.is_ok_and(|at| set[at].1 >> (column % 64) & 1 == 1)
    }

    /// The live variables of a location: words of a bit set over their numbers that are not zero, by position.
    pub fn words(&self, loc: LocId) -> &[(u32, u64)] {
        match self.row.get(&loc) {
            Some(&row) => &self.sets[row as usize],
            None => &[],
        }
    }

    /// The live variables of a location, sorted.
    pub fn at(&self, loc: LocId) -> Vec<VarId> {
        let mut out = Vec::new();
        for &(at, mut word) in self.words(loc) {
            while word != 0 {
                let number = at as usize * 64 + word.trailing_zeros() as usize;
                out.push(VarId::from_index(number));
                word &= word - 1;
            }
        }
        out
    }
}

fn column(var: VarId) -> u32 {
    var.index() as u32
}

fn insert(set: &mut Set, column: u32) {
    let bit = 1 << (column % 64);
    match set.binary_search_by_key(&(column / 64), |(at, _)| *at) {
        Ok(at) => set[at].1 |= bit,
        Err(at) => set.insert(at, (column / 64, bit)),
    }
}

fn remove(set: &mut Set, column: u32) {
    if let Ok(at) = set.binary_search_by_key(&(column / 64), |(at, _)| *at) {
        set[at].1 &= !(1 << (column % 64));
        if set[at].1 == 0 {
            set.remove(at);
        }
    }
}

/// Adds what `more` has; says whether that was anything new.
fn unite(set: &mut Set, more: &Set, scratch: &mut Set) -> bool {
    scratch.clear();
    let mut new = false;
    let mut own = set.iter().copied().peekable();
    for &(at, word) in more {
        while let Some(before) = own.next_if(|(a, _)| *a < at) {
            scratch.push(before);
        }
        let mine = own.next_if(|(a, _)| *a == at).map_or(0, |(_, w)| w);
        new |= word & !mine != 0;
        scratch.push((at, mine | word));
    }
    if new {
        scratch.extend(own);
        set.clone_from(scratch);
    }
    new
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
    let after = &program.globals;
    liveness_before(
        pool, program, func, shape, successors, vars_of, modref, after,
    )
}

/// Liveness of one function if only these globals are live after it.
#[allow(clippy::too_many_arguments)]
pub fn liveness_before(
    pool: &Pool,
    program: &Program,
    func: FuncId,
    shape: &Shape,
    successors: &IndexVec<LocId, Vec<EdgeId>>,
    vars_of: &mut VarsOf,
    modref: &ModRef,
    after: &[VarId],
) -> Liveness {
    let f = &program.functions[func];
    let mut live = Liveness {
        row: shape.position.clone(),
        sets: vec![Set::new(); shape.order.len()],
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
            let columns = |list: Vec<VarId>| -> Vec<u32> { list.into_iter().map(column).collect() };
            effects.insert(id, (columns(reads), columns(written_by(stmt))));
        }
    }
    if let Some(&row) = live.row.get(&f.exit) {
        for v in f.returns.iter().chain(after) {
            insert(&mut live.sets[row as usize], column(*v));
        }
    }
    let mut predecessors: Vec<Vec<u32>> = vec![Vec::new(); shape.order.len()];
    for (row, &loc) in shape.order.iter().enumerate() {
        for &id in &successors[loc] {
            predecessors[live.row[&program.edges[id].to] as usize].push(row as u32);
        }
    }
    let (mut before, mut scratch) = (Set::new(), Set::new());
    // Rows after which something has changed; back edges need another sweep, over these only.
    let mut open = vec![true; shape.order.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (row, &loc) in shape.order.iter().enumerate().rev() {
            if !std::mem::replace(&mut open[row], false) {
                continue;
            }
            let mut grown = false;
            for &id in &successors[loc] {
                let to = live.row[&program.edges[id].to] as usize;
                before.clone_from(&live.sets[to]);
                let (reads, writes) = &effects[&id];
                for &c in writes {
                    remove(&mut before, c);
                }
                for &c in reads {
                    insert(&mut before, c);
                }
                grown |= unite(&mut live.sets[row], &before, &mut scratch);
            }
            if grown {
                changed = true;
                for &p in &predecessors[row] {
                    open[p as usize] = true;
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
