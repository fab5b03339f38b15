//! Declarations: what every name stands for, before any code is made.

use super::super::ast;
use super::super::types::Ty;
use super::{Bind, Lower, Proc, Val};
use base::FxHashMap;
use logic::Rational;
use program::VarKind;

impl<'a> Lower<'a> {
    pub(super) fn declarations(&mut self, unit: &'a ast::Unit) {
        for decl in &unit.types {
            let (ast::TypeDecl::Opaque(name) | ast::TypeDecl::Synonym(name, ..)) = decl;
            if self.types.insert(&name.text, decl).is_some() {
                self.error(name.span, format!("type `{}` is declared twice", name.text));
            }
        }
        self.constants(unit);
        for g in &unit.globals {
            let Some(ty) = self.ty(&g.ty) else { continue };
            let var = self.variable(VarKind::Global, &g.name, &g.name.text, &ty);
            let bind = self.bind(var, &ty);
            self.declare_global(&g.name, bind);
            if let Some(condition) = &g.condition {
                self.conditions.push((var, condition));
            }
        }
        for f in &unit.functions {
            if self.functions.insert(&f.name.text, f).is_some() {
                let message = format!("function `{}` is declared twice", f.name.text);
                self.error(f.name.span, message);
            }
        }
        self.procedures(unit);
    }

    fn declare_global(&mut self, name: &ast::Name, bind: Bind) {
        if self.globals.insert(name.text.clone(), bind).is_some() {
            self.error(name.span, format!("`{}` is declared twice", name.text));
        }
    }

    /// Unique constants of a declared type are numerals, and so are constants that an axiom
    /// equates with one; the others are globals of any value.
    fn constants(&mut self, unit: &'a ast::Unit) {
        let mut values: FxHashMap<&str, &str> = FxHashMap::default();
        for axiom in &unit.axioms {
            if let ast::ExprKind::Binary(ast::Binary::Eq, a, b) = &axiom.expr.kind {
                for (name, value) in [(a, b), (b, a)] {
                    if let (ast::ExprKind::Name(n), ast::ExprKind::Int(digits)) =
                        (&name.kind, &value.kind)
                    {
                        // The axiom is still assumed: a second value makes it false.
                        values.entry(n).or_insert(digits);
                    }
                }
            }
        }
        let mut next: FxHashMap<String, i64> = FxHashMap::default();
        for (c, unique) in &unit.constants {
            let Some(ty) = self.ty(&c.ty) else { continue };
            let number = values.get(c.name.text.as_str());
            let bind = match (&ty, unique, number) {
                (Ty::Named(name), true, _) => {
                    let n = next.entry(name.clone()).or_insert(0);
                    let term = self.pool.int(*n);
                    *n += 1;
                    let val = Val { term, ty };
                    Bind { val, var: None }
                }
                (Ty::Int, _, Some(digits)) => {
                    let value = Rational::parse_decimal(digits).expect("the lexer saw digits");
                    let term = self.pool.int(value);
                    let val = Val { term, ty };
                    Bind { val, var: None }
                }
                _ => {
                    let var = self.variable(VarKind::Global, &c.name, &c.name.text, &ty);
                    let mut bind = self.bind(var, &ty);
                    bind.var = None;
                    bind
                }
            };
            self.declare_global(&c.name, bind);
        }
    }

    fn procedures(&mut self, unit: &'a ast::Unit) {
        for p in &unit.procedures {
            if p.polymorphic {
                let message = "procedures with type parameters are not supported".to_string();
                self.error(p.name.span, message);
                continue;
            }
            let ins = p.ins.iter().map(|t| self.ty(&t.ty)).collect();
            let outs = p.outs.iter().map(|t| self.ty(&t.ty)).collect();
            let (Some(ins), Some(outs)): (Option<Vec<Ty>>, Option<Vec<Ty>>) = (ins, outs) else {
                continue;
            };
            for name in &p.spec.modifies {
                if self.global_var(&name.text).is_none() {
                    let message = format!("there is no global variable `{}`", name.text);
                    self.error(name.span, message);
                }
            }
            if self
                .proc_ids
                .insert(&p.name.text, self.procs.len())
                .is_some()
            {
                let message = format!("procedure `{}` is declared twice", p.name.text);
                self.error(p.name.span, message);
            }
            let mut implementations = Vec::new();
            if let Some(body) = &p.body {
                implementations.push(self.b.declare(&p.name.text, p.name.span, body.end));
            }
            self.procs.push(Proc {
                ast: p,
                ins,
                outs,
                implementations,
            });
        }
    }

    pub(super) fn global_var(&self, name: &str) -> Option<program::VarId> {
        self.globals.get(name)?.var
    }
}
