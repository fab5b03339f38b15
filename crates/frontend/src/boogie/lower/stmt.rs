//! Statements to edges.

use super::super::ast::{self, StmtKind};
use super::super::types::Ty;
use super::expr::Side;
use super::{Bind, Env, Lower};
use base::FxHashMap;
use program::{InputKind, LocId, Span, Stmt, VarId};

/// Where jumps of a body lead.
pub(super) struct Flow {
    labels: FxHashMap<String, LocId>,
    /// Statements that `break` may leave: their labels, whether loops, and where they end.
    open: Vec<(Vec<String>, bool, LocId)>,
    ret: LocId,
}

impl Flow {
    pub(super) fn new(ret: LocId) -> Self {
        Flow {
            labels: FxHashMap::default(),
            open: Vec::new(),
            ret,
        }
    }
}

impl<'a> Lower<'a> {
    pub(super) fn collect_labels(&mut self, stmts: &[ast::Stmt], flow: &mut Flow) {
        for s in stmts {
            match &s.kind {
                StmtKind::Label(name) => {
                    let loc = self.b.new_loc(s.span);
                    if flow.labels.insert(name.clone(), loc).is_some() {
                        self.error(s.span, format!("label `{name}` is used twice"));
                    }
                }
                StmtKind::If(_, yes, no) => {
                    self.collect_labels(yes, flow);
                    self.collect_labels(no, flow);
                }
                StmtKind::While { body, .. } => self.collect_labels(body, flow),
                _ => {}
            }
        }
    }

    pub(super) fn statements(&mut self, stmts: &'a [ast::Stmt], env: &Env, flow: &mut Flow) {
        let mut labels: Vec<String> = Vec::new();
        for s in stmts {
            if let StmtKind::Label(name) = &s.kind {
                let to = flow.labels[name];
                self.b.jump(to, s.span);
                self.b.at = to;
                labels.push(name.clone());
                continue;
            }
            self.statement(s, env, flow, std::mem::take(&mut labels));
        }
    }

    fn statement(&mut self, s: &'a ast::Stmt, env: &Env, flow: &mut Flow, labels: Vec<String>) {
        let span = s.span;
        match &s.kind {
            StmtKind::Label(_) => unreachable!("labels are seen before"),
            StmtKind::Assert(clause) => {
                let message = format!("assertion `{}` violated", clause.text);
                self.check(clause, env, span, message);
            }
            StmtKind::Assume(e) => self.assume(e, env),
            StmtKind::Havoc(names) => self.havoc(names, env, span),
            StmtKind::Assign(left, right) => self.assignment(left, right, env, span),
            StmtKind::Call {
                callee,
                args,
                results,
            } => self.call(callee, args, results, env, span),
            StmtKind::If(condition, yes, no) => {
                let Some((then, other)) = self.fork(condition.as_ref(), env, span) else {
                    return;
                };
                let after = self.b.new_loc(span);
                flow.open.push((labels, false, after));
                for (start, stmts) in [(then, yes), (other, no)] {
                    self.b.at = start;
                    self.statements(stmts, env, flow);
                    self.b.jump(after, span);
                }
                flow.open.pop();
                self.b.at = after;
            }
            StmtKind::While {
                condition,
                invariants,
                body,
            } => {
                let head = self.b.new_loc(span);
                self.b.locations[head].loop_head = Some(span);
                self.b.jump(head, span);
                self.b.at = head;
                for clause in invariants {
                    if clause.free {
                        self.assume(&clause.expr, env);
                    } else {
                        let message = format!("loop invariant `{}` violated", clause.text);
                        self.check(clause, env, clause.span, message);
                    }
                }
                let Some((again, done)) = self.fork(condition.as_ref(), env, span) else {
                    return;
                };
                let after = self.b.new_loc(span);
                flow.open.push((labels, true, after));
                self.b.at = again;
                self.statements(body, env, flow);
                self.b.jump(head, span);
                flow.open.pop();
                self.b.at = done;
                self.b.jump(after, span);
                self.b.at = after;
            }
            StmtKind::Break(label) => self.leave(label.as_ref(), flow, span),
            StmtKind::Goto(targets) => self.goto(targets, flow, span),
            StmtKind::Return => self.b.jump(flow.ret, span),
        }
    }

    /// Where the condition holds and where it does not; both ways for `*`.
    fn fork(
        &mut self,
        condition: Option<&ast::Expr>,
        env: &Env,
        span: Span,
    ) -> Option<(LocId, LocId)> {
        let Some(condition) = condition else {
            let (yes, no) = (self.b.new_loc(span), self.b.new_loc(span));
            for to in [yes, no] {
                self.b.edge(self.b.at, to, Stmt::Skip, span);
            }
            return Some((yes, no));
        };
        let t = self.formula(condition, env, Side::Neither)?;
        Some(self.b.branch(self.pool, t, condition.span))
    }

    fn leave(&mut self, label: Option<&ast::Name>, flow: &Flow, span: Span) {
        let found = flow
            .open
            .iter()
            .rev()
            .find(|(labels, is_loop, _)| match label {
                Some(l) => labels.contains(&l.text),
                None => *is_loop,
            });
        match (found, label) {
            (Some((.., to)), _) => self.b.jump(*to, span),
            (None, Some(l)) => {
                let message = format!("no statement around this one has the label `{}`", l.text);
                self.error(l.span, message);
            }
            (None, None) => self.error(span, "`break` outside of a loop".into()),
        }
    }

    fn goto(&mut self, targets: &[ast::Name], flow: &Flow, span: Span) {
        let from = self.b.at;
        for t in targets {
            match flow.labels.get(&t.text) {
                Some(&to) => {
                    self.b.edge(from, to, Stmt::Skip, span);
                }
                None => self.error(t.span, format!("there is no label `{}`", t.text)),
            }
        }
        self.b.stop(span);
    }

    pub(super) fn assignable(&mut self, name: &ast::Name, env: &Env) -> Option<(VarId, Ty)> {
        let bind: Option<&Bind> = env.names.get(&name.text);
        let bind = bind.or_else(|| self.globals.get(&name.text));
        match bind.map(|b| (b.var, b.val.ty.clone())) {
            Some((Some(var), ty)) => Some((var, ty)),
            Some((None, _)) => {
                self.error(name.span, format!("`{}` cannot be assigned", name.text));
                None
            }
            None => {
                self.error(name.span, format!("there is no variable `{}`", name.text));
                None
            }
        }
    }

    fn havoc(&mut self, names: &[ast::Name], env: &Env, span: Span) {
        let mut vars: Vec<VarId> = Vec::new();
        for name in names {
            if let Some((var, _)) = self.assignable(name, env)
                && !vars.contains(&var)
            {
                vars.push(var);
            }
        }
        if !vars.is_empty() {
            self.b
                .emit(Stmt::Havoc(vars.clone(), InputKind::Unknown), span);
            self.assume_conditions(&vars, env);
        }
    }

    /// The `where` conditions of variables that just got any value.
    pub(super) fn assume_conditions(&mut self, vars: &[VarId], env: &Env) {
        let globals = self.conditions.iter();
        let mut found: Vec<(&'a ast::Expr, bool)> = globals
            .filter(|(v, _)| vars.contains(v))
            .map(|&(_, e)| (e, true))
            .collect();
        let locals = self.local_conditions.iter();
        found.extend(
            locals
                .filter(|(v, _)| vars.contains(v))
                .map(|&(_, e)| (e, false)),
        );
        for (e, global) in found {
            match global {
                true => self.assume(e, &Env::default()),
                false => self.assume(e, env),
            }
        }
    }

    fn assignment(&mut self, left: &[ast::Lhs], right: &[ast::Expr], env: &Env, span: Span) {
        if left.len() != right.len() {
            let message = format!("{} variables but {} values", left.len(), right.len());
            self.error(span, message);
            return;
        }
        let mut pairs: Vec<(VarId, logic::TermId)> = Vec::new();
        for (l, r) in left.iter().zip(right) {
            let Some((var, ty)) = self.assignable(&l.name, env) else {
                return;
            };
            if pairs.iter().any(|p| p.0 == var) {
                let message = format!("`{}` is assigned twice at once", l.name.text);
                self.error(l.name.span, message);
                return;
            }
            // Rows of the nested maps that the update goes through, with its keys.
            let mut rows = vec![self.b.vars[var].term];
            let mut groups = Vec::new();
            let mut at = ty;
            for group in &l.indices {
                let Some((keys, element)) = self.keys(&at, group, env, l.name.span) else {
                    return;
                };
                let row = rows[rows.len() - 1];
                let next = self.read(row, &keys, &element);
                rows.push(next);
                groups.push(keys);
                at = element;
            }
            let Some(mut value) = self.expr_as(r, env, &at) else {
                return;
            };
            for (keys, &row) in groups.iter().zip(&rows).rev() {
                value = self.store(row, keys, value);
            }
            pairs.push((var, value));
        }
        self.b.assign(pairs, span);
    }
}
