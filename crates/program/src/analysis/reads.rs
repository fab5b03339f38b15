//! Which variables terms and statements read and write.

use crate::{Program, Stmt, VarId};
use base::FxHashMap;
use logic::{Pool, TermId};
use std::rc::Rc;

/// Looks up the variables of terms, each term walked once.
#[derive(Clone, Debug)]
pub struct VarsOf {
    var_from_term: FxHashMap<TermId, VarId>,
    memo: FxHashMap<TermId, Rc<[VarId]>>,
}

impl VarsOf {
    pub fn new(program: &Program) -> Self {
        VarsOf {
            var_from_term: program
                .vars
                .iter_enumerated()
                .map(|(id, v)| (v.term, id))
                .collect(),
            memo: FxHashMap::default(),
        }
    }

    /// The variable whose current value this constant is.
    pub fn var(&self, term: TermId) -> Option<VarId> {
        self.var_from_term.get(&term).copied()
    }

    /// The variables of a term, sorted.
    pub fn of(&mut self, pool: &Pool, term: TermId) -> Rc<[VarId]> {
        if let Some(vars) = self.memo.get(&term) {
            return Rc::clone(vars);
        }
        let mut vars: Vec<VarId> = pool
            .post_order(&[term])
            .into_iter()
            .filter_map(|t| self.var_from_term.get(&t).copied())
            .collect();
        vars.sort_unstable();
        let vars: Rc<[VarId]> = vars.into();
        self.memo.insert(term, Rc::clone(&vars));
        vars
    }

    /// The variables a statement reads itself (a call: its arguments only), sorted.
    pub fn read_by(&mut self, pool: &Pool, stmt: &Stmt) -> Vec<VarId> {
        let mut out: Vec<VarId> = Vec::new();
        match stmt {
            Stmt::Skip | Stmt::Havoc(..) => {}
            Stmt::Assume(c) => out.extend(self.of(pool, *c).iter()),
            Stmt::Assign(pairs) => {
                for (_, e) in pairs {
                    out.extend(self.of(pool, *e).iter());
                }
            }
            Stmt::Call { args, .. } => {
                for a in args {
                    out.extend(self.of(pool, *a).iter());
                }
            }
        }
        out.sort_unstable();
        out.dedup();
        out
    }
}

/// The variables a statement writes itself (a call: its results only).
pub fn written_by(stmt: &Stmt) -> Vec<VarId> {
    match stmt {
        Stmt::Skip | Stmt::Assume(_) => Vec::new(),
        Stmt::Assign(pairs) => pairs.iter().map(|(v, _)| *v).collect(),
        Stmt::Havoc(vars, _) => vars.clone(),
        Stmt::Call { results, .. } => results.clone(),
    }
}
