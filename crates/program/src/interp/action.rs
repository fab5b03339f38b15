//! Statements made ready to run.

use super::code::{Code, Compiler, Slot, Writes};
use super::value::Val;
use crate::{Edge, EdgeId, FuncId, Program, Stmt, VarId};
use base::FxHashMap;
use logic::{Op, Pool};

pub enum Action {
    Skip,
    Assume(Code),
    Assign(Code, Vec<Target>),
    Havoc(Vec<VarId>),
    Call(FuncId, Code),
}

impl Action {
    /// Instructions it takes.
    pub fn size(&self) -> u64 {
        let code = match self {
            Action::Skip => return 1,
            Action::Havoc(vars) => return 1 + vars.len() as u64,
            Action::Assume(code) | Action::Assign(code, _) | Action::Call(_, code) => code,
        };
        1 + code.instrs.len() as u64
    }
}

pub struct Target {
    pub var: VarId,
    pub slot: Slot,
    pub range: Option<(Val, Val)>,
    pub kind: TargetKind,
}

pub enum TargetKind {
    /// Takes the result of this number.
    Result(usize),
    /// Changes entries of an array in place.
    Writes(Writes),
}

/// Whether two edges assume a condition and its negation.
pub fn exclusive(pool: &Pool, program: &Program, edges: &[EdgeId]) -> bool {
    let [a, b] = edges else { return false };
    match (&program.edges[*a].stmt, &program.edges[*b].stmt) {
        (Stmt::Assume(c), Stmt::Assume(d)) => {
            let negates = |x, y| pool.op(x) == Op::Not && pool.args(x)[0] == y;
            negates(*c, *d) || negates(*d, *c)
        }
        _ => false,
    }
}

/// The statement of an edge as code.
pub fn action(compiler: &Compiler<'_>, slots: &FxHashMap<VarId, Slot>, edge: &Edge) -> Action {
    match &edge.stmt {
        Stmt::Skip => Action::Skip,
        Stmt::Assume(c) => Action::Assume(compiler.compile(&[*c])),
        Stmt::Havoc(vars, _) => Action::Havoc(vars.clone()),
        Stmt::Call { callee, args, .. } => Action::Call(*callee, compiler.compile(args)),
        Stmt::Assign(pairs) => {
            let mut builder = compiler.builder();
            let mut targets = Vec::with_capacity(pairs.len());
            let mut results = Vec::new();
            for &(var, e) in pairs {
                let v = &compiler.program.vars[var];
                let stored = matches!(compiler.pool.op(e), Op::Store | Op::Ite)
                    && !compiler.pool.is_arith(v.sort)
                    && v.sort != compiler.pool.bool_sort();
                let writes = if stored {
                    builder.writes(v.term, e)
                } else {
                    None
                };
                let kind = match writes {
                    Some(writes) => TargetKind::Writes(writes),
                    None => {
                        results.push(builder.term(e));
                        TargetKind::Result(results.len() - 1)
                    }
                };
                let range = v.range.as_ref().map(|(low, high)| {
                    let (low, high) = (low.clone(), high.clone());
                    (Val::number(low), Val::number(high))
                });
                targets.push(Target {
                    var,
                    slot: slots[&var],
                    range,
                    kind,
                });
            }
            let mut code = builder.finish();
            code.results = results;
            Action::Assign(code, targets)
        }
    }
}
