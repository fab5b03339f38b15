//! What the checker knows of a program as a whole, for all its regions.

use crate::Contract;
use base::{FxHashMap, FxHashSet};
use logic::{Pool, TermId};
use program::{EdgeId, FuncId, LocId, Program, Stmt, VarId, old_term};
use std::collections::BTreeMap;

/// What all regions of one program share.
pub(crate) struct Context<'a> {
    pub program: &'a Program,
    pub contracts: &'a BTreeMap<FuncId, Contract>,
    pub successors: base::IndexVec<LocId, Vec<EdgeId>>,
    /// The globals each function may change, itself or through calls.
    pub modifies: base::IndexVec<FuncId, Vec<VarId>>,
    pub var_of: FxHashMap<TermId, VarId>,
    /// The variable behind `old(v)`.
    pub var_of_old: FxHashMap<TermId, VarId>,
    /// Constants in the program's statements that are no variables: one value in an execution.
    pub rigid: FxHashSet<TermId>,
}

impl<'a> Context<'a> {
    pub fn new(
        pool: &mut Pool,
        program: &'a Program,
        contracts: &'a BTreeMap<FuncId, Contract>,
    ) -> Self {
        let mut var_of = FxHashMap::default();
        let mut var_of_old = FxHashMap::default();
        for (id, var) in program.vars.iter_enumerated() {
            var_of.insert(var.term, id);
            var_of_old.insert(old_term(pool, program, id), id);
        }
        let mut terms = Vec::new();
        for edge in program.edges.iter() {
            match &edge.stmt {
                Stmt::Assign(pairs) => terms.extend(pairs.iter().map(|(_, t)| *t)),
                Stmt::Assume(t) => terms.push(*t),
                Stmt::Call { args, .. } => terms.extend(args),
                Stmt::Skip | Stmt::Havoc(..) => {}
            }
        }
        let mut rigid: FxHashSet<TermId> = pool.post_order(&terms).into_iter().collect();
        rigid.retain(|t| pool.as_constant(*t).is_some() && !var_of.contains_key(t));
        Context {
            rigid,
            program,
            contracts,
            successors: program.successors(),
            modifies: modified_globals(program),
            var_of,
            var_of_old,
        }
    }
}

/// The least solution of: a function modifies what its statements and its callees modify.
fn modified_globals(program: &Program) -> base::IndexVec<FuncId, Vec<VarId>> {
    let count = program.functions.len();
    let is_global: FxHashSet<VarId> = program.globals.iter().copied().collect();
    let mut sets = vec![FxHashSet::default(); count];
    let mut callers: Vec<Vec<FuncId>> = vec![Vec::new(); count];
    for edge in program.edges.iter() {
        let func = program.locations[edge.from].func;
        let set: &mut FxHashSet<VarId> = &mut sets[base::Id::index(func)];
        match &edge.stmt {
            Stmt::Assign(pairs) => set.extend(pairs.iter().map(|(v, _)| v)),
            Stmt::Havoc(vars, _) => set.extend(vars),
            Stmt::Call {
                callee, results, ..
            } => {
                set.extend(results);
                callers[base::Id::index(*callee)].push(func);
            }
            Stmt::Skip | Stmt::Assume(_) => {}
        }
    }
    for set in &mut sets {
        set.retain(|v| is_global.contains(v));
    }
    let mut work: Vec<usize> = (0..count).collect();
    while let Some(f) = work.pop() {
        let from = sets[f].clone();
        for &caller in &callers[f] {
            let caller = base::Id::index(caller);
            let before = sets[caller].len();
            sets[caller].extend(&from);
            if sets[caller].len() > before {
                work.push(caller);
            }
        }
    }
    sets.into_iter()
        .map(|set| {
            let mut vars: Vec<VarId> = set.into_iter().collect();
            vars.sort_unstable();
            vars
        })
        .collect()
}
