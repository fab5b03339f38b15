//! Expressions to terms, with their types.
//!
//! A quantifier that an assertion could be refuted by, or an assumption satisfied by, is a choice:
//! `assert (forall i: int :: p(i))` fails exactly if some `i` fails, so `i` gets any value first.
//! Any other quantified formula gets any truth value, and the program is inexact.

use super::super::ast::{self, Binary, Expr, ExprKind, Quantifier};
use super::super::types::Ty;
use super::{Bind, Env, Lower, Old, Val};
use logic::{Rational, TermId};
use program::{InputKind, Span, Stmt, VarKind};

/// Where a formula stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Its falsity is looked for.
    Asserted,
    /// Its truth is needed.
    Assumed,
    Neither,
}

impl Side {
    fn flip(self) -> Side {
        match self {
            Side::Asserted => Side::Assumed,
            Side::Assumed => Side::Asserted,
            Side::Neither => Side::Neither,
        }
    }
}

impl<'a> Lower<'a> {
    /// A formula; errors are reported.
    pub(super) fn formula(&mut self, e: &Expr, env: &Env, side: Side) -> Option<TermId> {
        let val = self.expr(e, env, side)?;
        self.want(e.span, &val, &Ty::Bool)?;
        Some(val.term)
    }

    fn want(&mut self, span: Span, val: &Val, ty: &Ty) -> Option<()> {
        if val.ty == *ty {
            return Some(());
        }
        self.error(span, format!("expected type {ty}, found {}", val.ty));
        None
    }

    /// A value of a given type.
    pub(super) fn expr_as(&mut self, e: &Expr, env: &Env, ty: &Ty) -> Option<TermId> {
        if let (ExprKind::Binary(Binary::Slash, a, b), Ty::Real) = (&e.kind, ty) {
            let (a, b) = (
                self.expr(a, env, Side::Neither)?,
                self.expr(b, env, Side::Neither)?,
            );
            if a.ty == Ty::Int && b.ty == Ty::Int {
                let (a, b) = (self.pool.to_real(a.term), self.pool.to_real(b.term));
                return Some(self.pool.real_div(a, b));
            }
            return Some(self.arithmetic(Binary::Slash, e.span, a, b)?.term);
        }
        let val = self.expr(e, env, Side::Neither)?;
        self.want(e.span, &val, ty)?;
        Some(val.term)
    }

    pub(super) fn expr(&mut self, e: &Expr, env: &Env, side: Side) -> Option<Val> {
        let span = e.span;
        let val = |term, ty| Some(Val { term, ty });
        match &e.kind {
            ExprKind::Bool(b) => val(self.pool.bool_const(*b), Ty::Bool),
            ExprKind::Int(digits) => {
                let n = Rational::parse_decimal(digits).expect("the lexer saw digits");
                val(self.pool.int(n), Ty::Int)
            }
            ExprKind::Real(text) => match real(text) {
                Some(n) => val(self.pool.num(n, self.pool.real_sort()), Ty::Real),
                None => {
                    self.error(span, format!("`{text}` is out of reach"));
                    None
                }
            },
            ExprKind::Bv(digits, width) => self.bit_vector(span, digits, *width),
            ExprKind::Name(name) => self.name(name, span, env),
            ExprKind::Not(inner) => {
                let t = self.formula(inner, env, side.flip())?;
                val(self.pool.not(t), Ty::Bool)
            }
            ExprKind::Neg(inner) => {
                let v = self.expr(inner, env, Side::Neither)?;
                if !matches!(v.ty, Ty::Int | Ty::Real) {
                    self.error(span, format!("`-` is not for type {}", v.ty));
                    return None;
                }
                val(self.pool.neg(v.term), v.ty)
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, span, a, b, env, side),
            ExprKind::Ite(c, a, b) => {
                let c = self.formula(c, env, Side::Neither)?;
                let a = self.expr(a, env, side)?;
                let v = self.expr(b, env, side)?;
                self.want(b.span, &v, &a.ty)?;
                val(self.pool.ite(c, a.term, v.term), a.ty)
            }
            ExprKind::Apply(name, args) => self.apply(name, args, env, side),
            ExprKind::Old(inner) => {
                let mut before = env.clone();
                before.old = true;
                self.expr(inner, &before, side)
            }
            ExprKind::Select(base, indices) => {
                let base = self.expr(base, env, Side::Neither)?;
                self.select(base, indices, env, span)
            }
            ExprKind::Store(base, indices, value) => {
                let base = self.expr(base, env, Side::Neither)?;
                let (keys, element) = self.keys(&base.ty, indices, env, span)?;
                let value = self.expr_as(value, env, &element)?;
                val(self.store(base.term, &keys, value), base.ty)
            }
            ExprKind::Extract(base, high, low) => {
                let base = self.expr(base, env, Side::Neither)?;
                match base.ty {
                    Ty::Bv(n) if *high <= u32::from(n) && low < high => {
                        let width = (high - low) as u8;
                        val(self.extract(base.term, *low, width), Ty::Bv(width))
                    }
                    _ => {
                        self.error(span, format!("no bits {high}:{low} in type {}", base.ty));
                        None
                    }
                }
            }
            ExprKind::Quantified(q, binders, body) => {
                self.quantified(*q, binders, body, span, env, side)
            }
        }
    }

    fn bit_vector(&mut self, span: Span, digits: &str, width: u32) -> Option<Val> {
        let name = ast::Name {
            text: format!("bv{width}"),
            span,
        };
        let Some(ty @ Ty::Bv(n)) = self.ty(&ast::Type::Named(name, Vec::new())) else {
            return None;
        };
        let value = Rational::parse_decimal(digits).expect("the lexer saw digits");
        let wrapped = logic::machine::wrap_value(n, false, &value);
        if wrapped != value {
            self.warn(
                span,
                format!("{digits} does not fit {width} bits and wraps"),
            );
        }
        let term = self.pool.int(wrapped);
        Some(Val { term, ty })
    }

    fn name(&mut self, name: &str, span: Span, env: &Env) -> Option<Val> {
        if let Some(bind) = env.names.get(name) {
            return Some(bind.val.clone());
        }
        let Some(bind) = self.globals.get(name).cloned() else {
            self.error(span, format!("there is no variable `{name}`"));
            return None;
        };
        let (Some(var), true) = (bind.var, env.old) else {
            return Some(bind.val);
        };
        let term = match &self.old {
            Old::Now => bind.val.term,
            Old::Saved(values) => values.get(&var).copied().unwrap_or(bind.val.term),
            Old::Copies(copies) => {
                let copy = match copies.get(&var) {
                    Some(&copy) => copy,
                    None => {
                        let copy = self.temporary(&format!("old.{name}"), &bind.val.ty, span);
                        if let Old::Copies(copies) = &mut self.old {
                            copies.insert(var, copy);
                        }
                        copy
                    }
                };
                self.b.vars[copy].term
            }
        };
        Some(Val {
            term,
            ty: bind.val.ty,
        })
    }

    fn binary(
        &mut self,
        op: Binary,
        span: Span,
        a: &Expr,
        b: &Expr,
        env: &Env,
        side: Side,
    ) -> Option<Val> {
        let sides = match op {
            Binary::Iff => Some((Side::Neither, Side::Neither)),
            Binary::Implies => Some((side.flip(), side)),
            Binary::Explies => Some((side, side.flip())),
            Binary::And | Binary::Or => Some((side, side)),
            _ => None,
        };
        if let Some((left, right)) = sides {
            let a = self.formula(a, env, left)?;
            let b = self.formula(b, env, right)?;
            let term = match op {
                Binary::Iff => self.pool.eq(a, b),
                Binary::Implies => self.pool.implies(a, b),
                Binary::Explies => self.pool.implies(b, a),
                Binary::And => self.pool.and2(a, b),
                _ => self.pool.or2(a, b),
            };
            return Some(Val { term, ty: Ty::Bool });
        }
        let left = self.expr(a, env, Side::Neither)?;
        // `r == i / j` divides as reals if `r` is one.
        let right = match (&left.ty, &b.kind) {
            (Ty::Real, ExprKind::Binary(Binary::Slash, ..)) => Val {
                term: self.expr_as(b, env, &Ty::Real)?,
                ty: Ty::Real,
            },
            _ => self.expr(b, env, Side::Neither)?,
        };
        self.arithmetic(op, span, left, right)
    }

    /// Everything that is not a connective.
    fn arithmetic(&mut self, op: Binary, span: Span, a: Val, b: Val) -> Option<Val> {
        if let (Binary::Concat, Ty::Bv(n), Ty::Bv(m)) = (op, &a.ty, &b.ty) {
            let width = u32::from(*n) + u32::from(*m);
            if width > super::MAX_BITS {
                self.error(
                    span,
                    format!("bit-vectors of {width} bits are not supported"),
                );
                return None;
            }
            let term = self.concat(a.term, b.term, *m);
            let ty = Ty::Bv(width as u8);
            return Some(Val { term, ty });
        }
        if a.ty != b.ty {
            self.error(span, format!("types {} and {} do not fit", a.ty, b.ty));
            return None;
        }
        let ty = a.ty.clone();
        if matches!(op, Binary::Eq | Binary::Neq) {
            if ty.equality_is_loose() {
                let message = "maps over bit-vectors are compared as maps over integers";
                self.loose(span, message.into());
            }
            let equal = self.pool.eq(a.term, b.term);
            let term = match op {
                Binary::Eq => equal,
                _ => self.pool.not(equal),
            };
            return Some(Val { term, ty: Ty::Bool });
        }
        if op == Binary::Extends {
            let message = "the order `<:` on constants is not modelled";
            return Some(self.unknown(&Ty::Bool, span, message));
        }
        let numeric = matches!(ty, Ty::Int | Ty::Real);
        let p = &mut *self.pool;
        let (x, y) = (a.term, b.term);
        let (term, ty) = match op {
            _ if !numeric => {
                self.error(span, format!("this operator is not for type {ty}"));
                return None;
            }
            Binary::Lt => (p.lt(x, y), Ty::Bool),
            Binary::Le => (p.le(x, y), Ty::Bool),
            Binary::Gt => (p.gt(x, y), Ty::Bool),
            Binary::Ge => (p.ge(x, y), Ty::Bool),
            Binary::Add => (p.add2(x, y), ty),
            Binary::Sub => (p.sub(x, y), ty),
            Binary::Mul => (p.mul(&[x, y]), ty),
            Binary::Slash if ty == Ty::Real => (p.real_div(x, y), ty),
            Binary::Slash | Binary::Div if ty == Ty::Int => (p.int_div(x, y), ty),
            Binary::Mod if ty == Ty::Int => (p.modulo(x, y), ty),
            Binary::Power => return self.power(span, x, y, ty),
            _ => {
                self.error(span, format!("this operator is not for type {ty}"));
                return None;
            }
        };
        Some(Val { term, ty })
    }

    fn power(&mut self, span: Span, base: TermId, exponent: TermId, ty: Ty) -> Option<Val> {
        let small = self.pool.as_number(exponent).and_then(|n| n.to_i64());
        match small {
            Some(n @ 1..=64) => {
                let term = self.pool.mul(&vec![base; n as usize]);
                Some(Val { term, ty })
            }
            _ => Some(self.unknown(&ty, span, "powers are not modelled")),
        }
    }

    /// Any value, chosen here.
    pub(super) fn unknown(&mut self, ty: &Ty, span: Span, why: &str) -> Val {
        self.loose(span, why.into());
        self.any(ty, "any", span)
    }

    fn any(&mut self, ty: &Ty, name: &str, span: Span) -> Val {
        let var = self.temporary(name, ty, span);
        self.b
            .emit(Stmt::Havoc(vec![var], InputKind::Unknown), span);
        self.bind(var, ty).val
    }

    fn quantified(
        &mut self,
        q: Quantifier,
        binders: &[ast::Binder],
        body: &Expr,
        span: Span,
        env: &Env,
        side: Side,
    ) -> Option<Val> {
        let mut types = Vec::new();
        for b in binders {
            types.push(self.ty(&b.ty)?);
        }
        let chosen = (q, side) == (Quantifier::Forall, Side::Asserted)
            || (q, side) == (Quantifier::Exists, Side::Assumed);
        let mut inner = env.clone();
        for (b, ty) in binders.iter().zip(&types) {
            let mut bind = match chosen {
                true => Bind {
                    val: self.any(ty, &b.name.text, b.name.span),
                    var: None,
                },
                false => {
                    let var = self.temporary(&b.name.text, ty, b.name.span);
                    self.bind(var, ty)
                }
            };
            bind.var = None;
            inner.names.insert(b.name.text.clone(), bind);
        }
        // Also where the value is not used: its types are checked.
        let inside = if chosen { side } else { Side::Neither };
        let value = self.expr(body, &inner, inside)?;
        if q == Quantifier::Lambda {
            let ty = Ty::Map(types, Box::new(value.ty));
            return Some(self.unknown(&ty, span, "lambda expressions are not modelled"));
        }
        self.want(body.span, &value, &Ty::Bool)?;
        match chosen {
            true => Some(value),
            false => Some(self.unknown(&Ty::Bool, span, "a quantified formula is not modelled")),
        }
    }

    // ---- maps ----

    /// The terms of the indices, and the type of an element.
    pub(super) fn keys(
        &mut self,
        map: &Ty,
        indices: &[Expr],
        env: &Env,
        span: Span,
    ) -> Option<(Vec<TermId>, Ty)> {
        if indices.is_empty() {
            return Some((Vec::new(), map.clone()));
        }
        let Ty::Map(types, element) = map else {
            self.error(span, format!("type {map} is no map"));
            return None;
        };
        if types.len() != indices.len() {
            let message = format!(
                "the map takes {} indices, not {}",
                types.len(),
                indices.len()
            );
            self.error(span, message);
            return None;
        }
        let mut keys = Vec::new();
        for (ty, i) in types.iter().zip(indices) {
            keys.push(self.expr_as(i, env, ty)?);
        }
        Some((keys, (**element).clone()))
    }

    fn select(&mut self, base: Val, indices: &[Expr], env: &Env, span: Span) -> Option<Val> {
        let (keys, ty) = self.keys(&base.ty, indices, env, span)?;
        let term = self.read(base.term, &keys, &ty);
        Some(Val { term, ty })
    }

    /// An element; arrays may hold any integer where bit-vectors are meant.
    pub(super) fn read(&mut self, array: TermId, keys: &[TermId], ty: &Ty) -> TermId {
        let mut term = array;
        for &k in keys {
            term = self.pool.select(term, k);
        }
        match ty {
            Ty::Bv(n) if !keys.is_empty() => self.pool.wrap(*n, false, term),
            _ => term,
        }
    }

    pub(super) fn store(&mut self, array: TermId, keys: &[TermId], value: TermId) -> TermId {
        let mut rows = Vec::new();
        let mut row = array;
        for &k in keys {
            rows.push((row, k));
            if rows.len() < keys.len() {
                row = self.pool.select(row, k);
            }
        }
        let write = |pool: &mut logic::Pool, v, &(row, k): &(TermId, TermId)| pool.store(row, k, v);
        rows.iter()
            .rev()
            .fold(value, |v, row| write(self.pool, v, row))
    }

    // ---- functions ----

    fn apply(&mut self, name: &ast::Name, args: &[Expr], env: &Env, side: Side) -> Option<Val> {
        let span = name.span;
        if let ("int" | "real", [arg]) = (name.text.as_str(), args) {
            let v = self.expr(arg, env, Side::Neither)?;
            let (term, ty) = match (name.text.as_str(), &v.ty) {
                ("int", Ty::Real) => (self.pool.to_int(v.term), Ty::Int),
                ("real", Ty::Int) => (self.pool.to_real(v.term), Ty::Real),
                _ => return Some(v),
            };
            return Some(Val { term, ty });
        }
        let Some(&f) = self.functions.get(name.text.as_str()) else {
            self.error(span, format!("there is no function `{}`", name.text));
            return None;
        };
        if f.polymorphic {
            self.error(
                span,
                "functions with type parameters are not supported".into(),
            );
            return None;
        }
        if f.params.len() != args.len() {
            let message = format!(
                "`{}` takes {} arguments, not {}",
                name.text,
                f.params.len(),
                args.len()
            );
            self.error(span, message);
            return None;
        }
        let mut values = Vec::new();
        for ((_, ty), arg) in f.params.iter().zip(args) {
            let ty = self.ty(ty)?;
            let term = self.expr_as(arg, env, &ty)?;
            values.push(Val { term, ty });
        }
        let result = self.ty(&f.result)?;
        self.call_function(f, values, result, span, side)
    }

    fn call_function(
        &mut self,
        f: &'a ast::Function,
        args: Vec<Val>,
        result: Ty,
        span: Span,
        side: Side,
    ) -> Option<Val> {
        let attribute = |name: &str| f.attributes.iter().find(|a| a.name == name);
        let builtin = attribute("bvbuiltin").or_else(|| attribute("builtin"));
        if let Some(text) = builtin.and_then(|a| a.text.clone()) {
            if let Some(term) = self.builtin(&text, &args, &result) {
                return Some(Val { term, ty: result });
            }
            self.loose(
                span,
                format!("the function `{text}` of solvers is not modelled"),
            );
        } else if attribute("smtdefined").is_some() {
            self.loose(
                span,
                format!("`{}` is defined for solvers only", f.name.text),
            );
        } else if let Some(what) = attribute("overapproximation") {
            let what = what.text.clone().unwrap_or_else(|| f.name.text.clone());
            self.loose(span, format!("over-approximation of {what}"));
        }
        if let Some(body) = &f.body {
            if !self.expanding.contains(&f.name.text.as_str()) {
                let mut env = Env::default();
                for ((name, _), val) in f.params.iter().zip(args) {
                    if let Some(name) = name {
                        env.names.insert(name.text.clone(), Bind { val, var: None });
                    }
                }
                self.expanding.push(&f.name.text);
                let value = self.expr(body, &env, side);
                self.expanding.pop();
                let value = value?;
                self.want(body.span, &value, &result)?;
                return Some(value);
            }
            self.loose(span, format!("the function `{}` is recursive", f.name.text));
        }
        Some(self.table(f, args, result))
    }

    /// A function of which nothing is known: a global array over its arguments.
    fn table(&mut self, f: &'a ast::Function, args: Vec<Val>, result: Ty) -> Val {
        let types: Vec<Ty> = args.iter().map(|a| a.ty.clone()).collect();
        let keys: Vec<TermId> = args.iter().map(|a| a.term).collect();
        let var = match self.tables.get(f.name.text.as_str()) {
            Some(&var) => var,
            None => {
                let ty = match types.is_empty() {
                    true => result.clone(),
                    false => Ty::Map(types, Box::new(result.clone())),
                };
                let var = self.variable(VarKind::Global, &f.name, &f.name.text, &ty);
                self.tables.insert(&f.name.text, var);
                var
            }
        };
        let term = self.read(self.b.vars[var].term, &keys, &result);
        Val { term, ty: result }
    }
}

/// `1.5`, `2e3`, `1.5e-3`.
fn real(text: &str) -> Option<Rational> {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let exponent: i32 = exponent
        .strip_prefix('+')
        .unwrap_or(exponent)
        .parse()
        .ok()?;
    if exponent.abs() > 1_000 {
        return None;
    }
    let mut value = Rational::parse_decimal(digits)?;
    let ten = Rational::from(10);
    for _ in 0..exponent.unsigned_abs() {
        value = if exponent > 0 {
            &value * &ten
        } else {
            &value / &ten
        };
    }
    Some(value)
}
