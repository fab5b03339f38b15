//! Procedures with bodies: each implementation is a function of the program.
//!
//! ```text
//!   entry ─old copies─> ─assume requires, where─> body … ret ─check ensures─> exit
//! ```
//! Callers check `requires` before the call, so assuming it at the entry loses no execution of
//! theirs; what starts here by itself starts under it.

use super::super::ast;
use super::super::types::Ty;
use super::expr::Side;
use super::stmt::Flow;
use super::{Env, Lower, Old};
use program::{FuncId, Stmt, VarKind};
use std::collections::BTreeMap;

impl<'a> Lower<'a> {
    pub(super) fn bodies(&mut self, unit: &'a ast::Unit) {
        let mut work: Vec<(usize, &'a ast::Procedure, FuncId)> = Vec::new();
        for (i, p) in self.procs.iter().enumerate() {
            work.extend(p.implementations.iter().map(|&func| (i, p.ast, func)));
        }
        for imp in &unit.implementations {
            let Some(&i) = self.proc_ids.get(imp.name.text.as_str()) else {
                let message = format!("there is no procedure `{}`", imp.name.text);
                self.error(imp.name.span, message);
                continue;
            };
            let mine = |l: &mut Self, list: &'a [ast::Typed]| -> Option<Vec<Ty>> {
                list.iter().map(|t| l.ty(&t.ty)).collect()
            };
            let (Some(ins), Some(outs)) = (mine(self, &imp.ins), mine(self, &imp.outs)) else {
                continue;
            };
            if (&ins, &outs) != (&self.procs[i].ins, &self.procs[i].outs) {
                let message = "the parameters are not those of the procedure".to_string();
                self.error(imp.name.span, message);
                continue;
            }
            let end = imp.body.as_ref().map_or(imp.name.span, |b| b.end);
            let count = self.procs[i].implementations.len();
            let name = match count {
                0 => imp.name.text.clone(),
                n => format!("{}.{}", imp.name.text, n + 1),
            };
            let func = self.b.declare(&name, imp.name.span, end);
            self.procs[i].implementations.push(func);
            work.push((i, imp, func));
        }
        for (i, imp, func) in work {
            self.implementation(i, imp, func);
        }
    }

    fn implementation(&mut self, index: usize, imp: &'a ast::Procedure, func: FuncId) {
        let Some(body) = &imp.body else { return };
        let proc = self.procs[index].ast;
        self.b.enter(func);
        self.old = Old::Copies(BTreeMap::new());
        let mut env = Env::default();
        let mut spec = Env::default();
        self.local_conditions.clear();
        for (kind, mine, theirs) in [
            (VarKind::Param, &imp.ins, &proc.ins),
            (VarKind::Return, &imp.outs, &proc.outs),
        ] {
            for (m, t) in mine.iter().zip(theirs) {
                self.declare_variable(kind, m, &mut env);
                if let Some(bind) = env.names.get(&m.name.text) {
                    spec.names.insert(t.name.text.clone(), bind.clone());
                }
            }
        }
        for local in &body.locals {
            self.declare_variable(VarKind::Local, local, &mut env);
        }
        let start = self.b.emit(Stmt::Skip, imp.name.span);
        for clause in &proc.spec.requires {
            self.assume(&clause.expr, &spec);
        }
        if !std::ptr::eq(imp, proc) {
            for condition in proc.ins.iter().chain(&proc.outs) {
                if let Some(condition) = &condition.condition {
                    self.assume(condition, &spec);
                }
            }
        }
        for (_, condition) in self.local_conditions.clone() {
            self.assume(condition, &env);
        }
        let ret = self.b.new_loc(body.end);
        let mut flow = Flow::new(ret);
        self.collect_labels(&body.stmts, &mut flow);
        self.statements(&body.stmts, &env, &mut flow);
        self.b.jump(ret, body.end);
        self.b.at = ret;
        for clause in &proc.spec.ensures {
            if clause.free {
                self.assume(&clause.expr, &spec);
            } else {
                let message = format!(
                    "postcondition `{}` of `{}` violated",
                    clause.text, proc.name.text
                );
                self.check(clause, &spec, clause.span, message);
            }
        }
        self.b.jump(self.b.functions[func].exit, body.end);
        if let Old::Copies(copies) = std::mem::replace(&mut self.old, Old::Now) {
            if !copies.is_empty() {
                let pairs = copies.iter().map(|(&g, &copy)| (copy, self.b.vars[g].term));
                self.b.edges[start].stmt = Stmt::Assign(pairs.collect());
            }
        }
    }

    fn declare_variable(&mut self, kind: VarKind, typed: &'a ast::Typed, env: &mut Env) {
        let Some(ty) = self.ty(&typed.ty) else { return };
        let function = &self.b.functions[self.b.func].name;
        let unique = format!("{function}.{}", typed.name.text);
        let var = self.variable(kind, &typed.name, &unique, &ty);
        let bind = self.bind(var, &ty);
        self.local_conditions
            .extend(typed.condition.as_ref().map(|c| (var, c)));
        if env.names.insert(typed.name.text.clone(), bind).is_some() {
            let message = format!("`{}` is declared twice", typed.name.text);
            self.error(typed.name.span, message);
        }
    }

    pub(super) fn assume(&mut self, e: &ast::Expr, env: &Env) {
        if let Some(t) = self.formula(e, env, Side::Assumed) {
            self.b.assume(self.pool, t, e.span);
        }
    }

    /// An error at `span` unless the clause holds; goes on if it does.
    pub(super) fn check(
        &mut self,
        clause: &ast::Clause,
        env: &Env,
        span: program::Span,
        message: String,
    ) {
        if let Some(t) = self.formula(&clause.expr, env, Side::Asserted) {
            let bad = self.pool.not(t);
            let tag = self.tag(span, message);
            self.b.error_if(self.pool, bad, tag);
        }
    }
}
