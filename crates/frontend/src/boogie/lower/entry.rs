//! The start of the program: axioms, conditions of globals, then some procedure.

use super::super::BoogieOptions;
use super::super::ast;
use super::super::types::Ty;
use super::{Env, Lower, Old};
use logic::TermId;
use program::{FuncId, Span, Stmt};
use std::collections::BTreeMap;

const START: &str = "ULTIMATE.start";

impl<'a> Lower<'a> {
    pub(super) fn entry(&mut self, func: FuncId, unit: &'a ast::Unit, options: &BoogieOptions) {
        self.b.enter(func);
        self.old = Old::Now;
        let chosen = self.starts(options);
        let env = Env::default();
        for axiom in &unit.axioms {
            self.assume(&axiom.expr, &env);
        }
        self.distinct(unit);
        let conditions: Vec<&'a ast::Expr> = self.conditions.iter().map(|c| c.1).collect();
        for e in conditions {
            self.assume(e, &env);
        }
        let from = self.b.at;
        let exit = self.b.functions[func].exit;
        for index in chosen {
            let (ins, outs) = (
                self.procs[index].ins.clone(),
                self.procs[index].outs.clone(),
            );
            let proc = self.procs[index].ast;
            let span = proc.name.span;
            let mut args = Vec::new();
            for (p, ty) in proc.ins.iter().zip(&ins) {
                let name = format!("{}.{}", proc.name.text, p.name.text);
                let var = self.temporary(&name, ty, p.name.span);
                self.b.vars[var].source_name = Some(p.name.text.clone());
                args.push(self.b.vars[var].term);
            }
            let mut results = Vec::new();
            for (p, ty) in proc.outs.iter().zip(&outs) {
                let name = format!("{}.{}", proc.name.text, p.name.text);
                results.push(self.temporary(&name, ty, p.name.span));
            }
            for callee in self.procs[index].implementations.clone() {
                let stmt = Stmt::Call {
                    callee,
                    args: args.clone(),
                    results: results.clone(),
                };
                self.b.edge(from, exit, stmt, span);
            }
        }
    }

    /// The procedures where execution may start.
    fn starts(&mut self, options: &BoogieOptions) -> Vec<usize> {
        let name = match &options.entry {
            Some(name) => name.as_str(),
            None => START,
        };
        match (self.proc_ids.get(name), &options.entry) {
            (Some(&index), _) if !self.procs[index].implementations.is_empty() => vec![index],
            (_, Some(name)) => {
                let message = format!("there is no procedure `{name}` with a body to start at");
                self.error(Span::unknown(), message);
                Vec::new()
            }
            _ => {
                let all = 0..self.procs.len();
                all.filter(|&i| !self.procs[i].implementations.is_empty())
                    .collect()
            }
        }
    }

    /// Unique constants of one type differ; those of declared types are distinct numerals already.
    fn distinct(&mut self, unit: &'a ast::Unit) {
        let mut by_type: BTreeMap<String, Vec<TermId>> = BTreeMap::new();
        for (c, unique) in &unit.constants {
            let bind = self.globals.get(&c.name.text);
            if let (true, Some(bind)) = (*unique, bind) {
                if !matches!(bind.val.ty, Ty::Named(_)) {
                    let terms = by_type.entry(bind.val.ty.to_string()).or_default();
                    terms.push(bind.val.term);
                }
            }
        }
        for terms in by_type.values() {
            let t = self.pool.distinct(terms);
            self.b.assume(self.pool, t, Span::unknown());
        }
    }
}
