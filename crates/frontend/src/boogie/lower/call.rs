//! Calls: the body runs if there is one, else the specification stands for it.

use super::super::ast;
use super::super::types::Ty;
use super::{Bind, Env, Lower, Old, Val};
use base::FxHashMap;
use logic::TermId;
use program::{InputKind, Span, Stmt, VarId};

impl<'a> Lower<'a> {
    pub(super) fn call(
        &mut self,
        callee: &ast::Name,
        args: &[ast::Expr],
        results: &[ast::Name],
        env: &Env,
        span: Span,
    ) {
        let Some(&index) = self.proc_ids.get(callee.text.as_str()) else {
            self.error(
                callee.span,
                format!("there is no procedure `{}`", callee.text),
            );
            return;
        };
        let proc = &self.procs[index];
        let (ast, ins, outs) = (proc.ast, proc.ins.clone(), proc.outs.clone());
        let implementations = proc.implementations.clone();
        if (args.len(), results.len()) != (ins.len(), outs.len()) {
            let message = format!(
                "`{}` takes {} arguments and gives {} results, not {} and {}",
                callee.text,
                ins.len(),
                outs.len(),
                args.len(),
                results.len()
            );
            self.error(callee.span, message);
            return;
        }
        let mut values: Vec<TermId> = Vec::new();
        for (e, ty) in args.iter().zip(&ins) {
            let Some(t) = self.expr_as(e, env, ty) else {
                return;
            };
            values.push(t);
        }
        let mut targets: Vec<VarId> = Vec::new();
        for (name, ty) in results.iter().zip(&outs) {
            let Some((var, found)) = self.assignable(name, env) else {
                return;
            };
            if found != *ty || targets.contains(&var) {
                let message = format!("`{}` cannot take a result of type {ty}", name.text);
                self.error(name.span, message);
                return;
            }
            targets.push(var);
        }
        let spec = self.spec_env(&ast.ins, &ins, &values);
        let outer = std::mem::replace(&mut self.old, Old::Now);
        for clause in ast.spec.requires.iter().filter(|c| !c.free) {
            let message = format!(
                "precondition `{}` of `{}` violated",
                clause.text, callee.text
            );
            self.check(clause, &spec, span, message);
        }
        self.old = outer;
        match implementations.as_slice() {
            [] => self.call_specification(ast, &ins, &outs, &values, &targets, span),
            [only] => {
                let stmt = Stmt::Call {
                    callee: *only,
                    args: values,
                    results: targets,
                };
                self.b.emit(stmt, span);
            }
            several => {
                let (from, after) = (self.b.at, self.b.new_loc(span));
                for &func in several {
                    let stmt = Stmt::Call {
                        callee: func,
                        args: values.clone(),
                        results: targets.clone(),
                    };
                    self.b.edge(from, after, stmt, span);
                }
                self.b.at = after;
            }
        }
    }

    fn spec_env(&self, params: &[ast::Typed], types: &[Ty], values: &[TermId]) -> Env {
        let mut env = Env::default();
        for ((p, ty), &term) in params.iter().zip(types).zip(values) {
            let val = Val {
                term,
                ty: ty.clone(),
            };
            env.names
                .insert(p.name.text.clone(), Bind { val, var: None });
        }
        env
    }

    /// Any values for what may change, as far as the postconditions allow.
    fn call_specification(
        &mut self,
        proc: &'a ast::Procedure,
        ins: &[Ty],
        outs: &[Ty],
        values: &[TermId],
        targets: &[VarId],
        span: Span,
    ) {
        // Values from before the call, which the postconditions still speak of.
        let mut copies: Vec<(VarId, TermId)> = Vec::new();
        let mut args = Vec::new();
        for ((p, ty), &value) in proc.ins.iter().zip(ins).zip(values) {
            if self.pool.as_number(value).is_some() {
                args.push(value);
                continue;
            }
            let copy = self.temporary(&format!("{}.{}", proc.name.text, p.name.text), ty, span);
            copies.push((copy, value));
            args.push(self.b.vars[copy].term);
        }
        let mut changed: Vec<VarId> = Vec::new();
        let mut saved = FxHashMap::default();
        for name in &proc.spec.modifies {
            let Some(bind) = self.globals.get(&name.text).cloned() else {
                continue;
            };
            let Some(var) = bind.var.filter(|v| !changed.contains(v)) else {
                continue;
            };
            let copy = self.temporary(&format!("before.{}", name.text), &bind.val.ty, span);
            copies.push((copy, bind.val.term));
            saved.insert(var, self.b.vars[copy].term);
            changed.push(var);
        }
        self.b.assign(copies, span);
        let mut env = self.spec_env(&proc.ins, ins, &args);
        let mut given = Vec::new();
        for (p, ty) in proc.outs.iter().zip(outs) {
            let var = self.temporary(&format!("{}.{}", proc.name.text, p.name.text), ty, span);
            env.names.insert(p.name.text.clone(), self.bind(var, ty));
            given.push(var);
        }
        let all: Vec<VarId> = changed.iter().chain(&given).copied().collect();
        if !all.is_empty() {
            let kind = InputKind::Extern {
                function: proc.name.text.clone(),
            };
            self.b.emit(Stmt::Havoc(all, kind), span);
        }
        self.assume_conditions(&changed, &env);
        let outer = std::mem::replace(&mut self.old, Old::Saved(saved));
        for p in &proc.outs {
            if let Some(condition) = &p.condition {
                self.assume(condition, &env);
            }
        }
        for clause in &proc.spec.ensures {
            self.assume(&clause.expr, &env);
        }
        self.old = outer;
        let pairs = targets
            .iter()
            .zip(&given)
            .map(|(&t, &v)| (t, self.b.vars[v].term));
        let pairs = pairs.collect();
        self.b.assign(pairs, span);
    }
}
