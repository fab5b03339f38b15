//! Calls: of defined functions (never inlined), through pointers, and of the environment.

use super::super::hir::{self, Callee, Expr};
use super::expr::Val;
use super::scalar::{Scalar, scalar_of};
use super::{Callable, Lower, Shape};
use logic::TermId;
use program::{Access, AccessKind, InputKind, Property, Span, Stmt, VarId};

/// What the caller does with the result.
pub(in crate::c) enum Want {
    Nothing,
    Value,
    /// The result goes to this variable, if it fits.
    Into(VarId),
    /// The leaves of a record go to these variables.
    Record(Vec<VarId>),
}

/// An evaluated argument.
#[derive(Clone, Debug)]
pub(in crate::c) struct Arg {
    pub terms: Vec<TermId>,
    pub scalar: Option<Scalar>,
}

impl Lower<'_> {
    pub(in crate::c) fn call(
        &mut self,
        e: &Expr,
        callee: &Callee,
        args: &[Expr],
        want: Want,
    ) -> Val {
        match callee {
            Callee::Direct(f) => {
                let function = &self.unit.functions[*f];
                if let Some(callable) = self.functions.get(f).cloned() {
                    let args = self.arguments(args, &callable.params);
                    let v = self.call_defined(&callable, &args, e, &want);
                    if !matches!(want, Want::Nothing) {
                        self.check_missing_return(*f, e.span);
                    }
                    return v;
                }
                let name = function.source_name.clone();
                let v = self.environment(&name, args, e, &want);
                if function.is_noreturn {
                    self.ends(e.span);
                }
                v
            }
            Callee::Indirect(pointer) => self.call_pointer(pointer, args, e, &want),
        }
    }

    /// Evaluates arguments from the last to the first, see `order`; those done are kept from later effects.
    pub(in crate::c) fn arguments(&mut self, args: &[Expr], shapes: &[Shape]) -> Vec<Arg> {
        let mut later = vec![false; args.len() + 1];
        for (i, a) in args.iter().enumerate() {
            later[i + 1] = later[i] || self.has_writes(a);
        }
        let mut out = Vec::new();
        for (i, a) in args.iter().enumerate().rev() {
            let scalar = scalar_of(&self.unit.types, a.ty);
            let mut terms = match (scalar, shapes.get(i)) {
                (Some(_), _) => vec![self.term(a)],
                (None, Some(shape)) => self.leaf_terms(a, shape),
                (None, None) => {
                    self.discard(a);
                    Vec::new()
                }
            };
            if later[i] {
                for t in &mut terms {
                    *t = self.freeze(*t, a.span);
                }
            }
            out.push(Arg { terms, scalar });
        }
        out.reverse();
        out
    }

    /// The argument terms in the callee's shapes; missing ones get any value.
    fn fit(&mut self, callable: &Callable, args: &[Arg], span: Span) -> Vec<TermId> {
        let mut out = Vec::new();
        for (i, shape) in callable.params.iter().enumerate() {
            let given = args.get(i);
            match shape {
                Shape::Scalar(s) => match given {
                    Some(Arg {
                        terms,
                        scalar: Some(from),
                    }) if terms.len() == 1 => {
                        out.push(self.convert(terms[0], *from, *s, span));
                    }
                    _ => {
                        self.b.note(span, "missing argument: any value");
                        out.push(self.any(*s, InputKind::Unknown, span));
                    }
                },
                Shape::Leaves(all) => match given {
                    Some(a) if a.terms.len() == all.len() => out.extend(&a.terms),
                    _ => {
                        for leaf in all.iter() {
                            out.push(self.any(leaf.scalar, InputKind::Unknown, span));
                        }
                    }
                },
                Shape::Nothing | Shape::Opaque => {}
            }
        }
        out
    }

    pub(in crate::c) fn call_defined(
        &mut self,
        callable: &Callable,
        args: &[Arg],
        e: &Expr,
        want: &Want,
    ) -> Val {
        let args = self.fit(callable, args, e.span);
        let results: Vec<VarId> = match (&callable.ret, want) {
            (Shape::Scalar(s), Want::Into(v)) if self.holds(*v, *s) => vec![*v],
            (Shape::Scalar(s), _) => vec![self.temp(*s, e.span)],
            (Shape::Leaves(all), Want::Record(vars)) if vars.len() == all.len() => vars.clone(),
            (Shape::Leaves(all), _) => {
                let all = all.clone();
                all.iter().map(|l| self.temp(l.scalar, e.span)).collect()
            }
            _ => Vec::new(),
        };
        self.b.emit(
            Stmt::Call {
                callee: callable.id,
                args,
                results: results.clone(),
            },
            e.span,
        );
        match (&callable.ret, results.as_slice()) {
            (Shape::Scalar(s), [r]) => {
                let t = self.var_term(*r);
                let to = scalar_of(&self.unit.types, e.ty).unwrap_or(*s);
                Val::int(self.convert(t, *s, to, e.span))
            }
            (Shape::Nothing, _) if scalar_of(&self.unit.types, e.ty).is_some() => {
                // Called as if it returned something.
                let s = self.scalar(e.ty);
                Val::int(self.any(s, InputKind::Unknown, e.span))
            }
            (Shape::Opaque, _) => {
                self.b.note(e.span, "large record returned: any content");
                if let Want::Record(vars) = want {
                    let vars = vars.clone();
                    if !vars.is_empty() {
                        let stmt = Stmt::Havoc(vars, InputKind::Approximation);
                        self.b.emit(stmt, e.span);
                    }
                }
                Val::int(self.pool.int(0))
            }
            _ => Val::int(self.pool.int(0)),
        }
    }

    /// Whether the variable takes every value of the scalar and no other.
    pub(in crate::c) fn holds(&self, v: VarId, scalar: Scalar) -> bool {
        self.b.vars[v].range == Some(Self::scalar_range(scalar))
    }

    /// The functions a pointer may call: of the points-to set those that take these arguments. A
    /// call of another one is undefined.
    fn candidates(&mut self, pointer: &Expr, args: &[Expr], e: &Expr) -> Vec<hir::FuncId> {
        let all = self.memory.points.callees(pointer);
        let types = &self.unit.types;
        let kind = |ty| scalar_of(types, ty).map(|s| (s.bits, s.is_float()));
        let fits = |f: &hir::FuncId| {
            let Some(t) = types.function(self.unit.functions[*f].ty) else {
                return false;
            };
            let count = if t.variadic || t.unprototyped {
                t.params.len() <= args.len()
            } else {
                t.params.len() == args.len()
            };
            count
                && t.params
                    .iter()
                    .zip(args)
                    .all(|(&p, a)| kind(p) == kind(a.ty))
                && (types.is_void(e.ty) || kind(t.ret) == kind(e.ty))
        };
        let chosen: Vec<hir::FuncId> = all.iter().filter(|f| fits(f)).copied().collect();
        if chosen.len() < all.len() {
            self.b.assumption(
                e.span,
                "functions are called through pointers of their own type",
            );
        }
        chosen
    }

    /// A call through a pointer: one branch for each function it may point to.
    fn call_pointer(&mut self, pointer: &Expr, args: &[Expr], e: &Expr, want: &Want) -> Val {
        let mut p = self.term(pointer);
        if args.iter().any(|a| self.has_writes(a)) {
            p = self.freeze(p, e.span);
        }
        let candidates = self.candidates(pointer, args, e);
        let external = match self.memory.points.target_of(pointer) {
            Some((root, _)) => self.memory.points.graph.root_data(root).external,
            None => true,
        };
        let shapes = candidates
            .iter()
            .filter_map(|f| self.functions.get(f))
            .max_by_key(|c| c.params.len())
            .map(|c| c.params.clone())
            .unwrap_or_default();
        let evaluated = self.arguments(args, &shapes);
        if self.safety.is_some() && self.checks(Property::ValidDeref) && !self.frame.library {
            let zero = self.pool.int(0);
            let null = self.pool.eq(p, zero);
            let fine = self.pool.not(null);
            let access = Access {
                kind: AccessKind::Read,
                value: p,
                extent: None,
            };
            let message = "a null pointer is called";
            self.check_of(fine, Property::ValidDeref, message, e.span, access);
        }
        let result = scalar_of(&self.unit.types, e.ty).map(|s| self.temp(s, e.span));
        let end = self.b.new_loc(e.span);
        let origin = self.b.at;
        let mut others = Vec::new();
        for f in candidates {
            let Some(&address) = self.memory.functions.get(&f) else {
                continue;
            };
            let a = self.pool.int(address);
            let hit = self.pool.eq(p, a);
            others.push(self.pool.not(hit));
            if hit == self.pool.ff() {
                continue;
            }
            self.b.at = self.b.new_loc(e.span);
            let at = self.b.at;
            self.b.edge(origin, at, Stmt::Assume(hit), e.span);
            let v = match self.functions.get(&f).cloned() {
                Some(callable) => {
                    let v = self.call_defined(&callable, &evaluated, e, want);
                    if !matches!(want, Want::Nothing) {
                        self.check_missing_return(f, e.span);
                    }
                    v
                }
                None => {
                    let name = self.unit.functions[f].source_name.clone();
                    self.environment_evaluated(&name, args, e, want)
                }
            };
            if let Some(r) = result {
                let t = self.settle(v, e.span);
                self.b.assign(vec![(r, t)], e.span);
            }
            self.b.jump(end, e.span);
        }
        if external || others.is_empty() {
            self.b.note(
                e.span,
                "call of an unknown function through a pointer: any result, no effect",
            );
            self.b.assumption(
                e.span,
                "unknown functions called through pointers do not change the program's memory",
            );
            let rest = self.pool.and(&others);
            if rest != self.pool.ff() {
                self.b.at = self.b.new_loc(e.span);
                let at = self.b.at;
                self.b.edge(origin, at, Stmt::Assume(rest), e.span);
                if let Some(r) = result {
                    let function = String::from("*");
                    self.b.havoc(r, InputKind::Extern { function }, e.span);
                }
                if let Want::Record(vars) = want {
                    let vars = vars.clone();
                    if !vars.is_empty() {
                        self.b.emit(Stmt::Havoc(vars, InputKind::Unknown), e.span);
                    }
                }
                self.b.jump(end, e.span);
            }
        } else {
            self.b
                .assumption(e.span, "function pointers that are called are valid");
        }
        self.b.at = end;
        match result {
            Some(r) => Val::int(self.var_term(r)),
            None => Val::int(self.pool.int(0)),
        }
    }

    /// Arguments and results for a call from outside.
    pub(in crate::c) fn any_call(
        &mut self,
        callable: &Callable,
        span: Span,
    ) -> (Vec<TermId>, Vec<VarId>) {
        let args = self.fit(callable, &[], span);
        let scalars: Vec<Scalar> = match &callable.ret {
            Shape::Scalar(s) => vec![*s],
            Shape::Leaves(all) => all.iter().map(|l| l.scalar).collect(),
            _ => Vec::new(),
        };
        let results = scalars.into_iter().map(|s| self.temp(s, span)).collect();
        (args, results)
    }
}
