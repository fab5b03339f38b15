//! Bounded quantifiers of specifications: `__CPROVER_forall { int i; 0 <= i && i < n ==> a[i] == 0 }`.
//!
//! A quantifier over a range is a loop with a flag, which every part of the checker understands; that all
//! bytes of an object are zero is said of its fields instead. A quantifier whose range cannot be read off has some value, which no error may depend on.
//!
//! Sound because the loop looks at each value of the range (the bounds are conjuncts of it, the rest of
//! the range is part of what is asked) and ends before the variable overflows.

use super::super::hir::{
    BinaryOp, Block, CastKind, Expr, ExprKind, LocalId, LocalKind, Place, PlaceKind, Stmt,
    StmtKind, UnaryOp,
};
use super::super::types::{IntKind, TypeId};
use super::{Binding, Sema};
use crate::c::syntax::ast;
use program::Span;

/// An object of more scalars is looked at byte by byte.
const MOST_FIELDS: usize = 64;

/// A quantifier taken apart.
struct Range {
    low: Expr,
    /// The conjunct that bounds the variable from above.
    upper: Expr,
    /// What else must hold of a value in the range.
    rest: Vec<Expr>,
}

impl Sema<'_, '_> {
    pub(super) fn quantifier(&mut self, q: &ast::Quantifier, span: Span) -> Expr {
        if self.func.is_none() {
            self.error(span, "a quantifier outside a function");
            return self.error_expr(span);
        }
        self.enter();
        let ty = self.param_type(&q.variable);
        let variable = q.variable.declarator.name;
        let text = variable.map_or("", |n| self.text(n));
        let local = self.new_local(text, ty, span, LocalKind::Auto, q.variable.specs.quals);
        if let Some(name) = variable {
            self.bind(name, Binding::Local(local));
        }
        let body = self.condition(&q.body);
        self.leave();
        if self.types().is_error(body.ty) {
            return body;
        }
        let (range, claim) = if q.exists {
            (body, None)
        } else {
            match body.kind {
                ExprKind::LogicalOr(left, right) => match left.kind {
                    ExprKind::Unary(UnaryOp::Not, range) => (*range, Some(*right)),
                    _ => return self.unbounded(span),
                },
                _ => return self.unbounded(span),
            }
        };
        let Some(range) = self.range(local, range) else {
            return self.unbounded(span);
        };
        if let Some(claim) = &claim
            && let Some(e) = self.all_zero(local, &range, claim, span)
        {
            return e;
        }
        self.quantifier_loop(local, range, claim, span)
    }

    fn unbounded(&mut self, span: Span) -> Expr {
        self.note(span, "a quantifier without a range: some truth value");
        let ty = self.unit.types.int(IntKind::Bool);
        let name = "__builtin_craig_any_bool".into();
        let kind = ExprKind::Intrinsic {
            name,
            args: Vec::new(),
        };
        Expr::new(kind, ty, span)
    }

    /// Bounds of the variable among the conjuncts.
    fn range(&mut self, local: LocalId, e: Expr) -> Option<Range> {
        let mut parts = Vec::new();
        conjuncts(e, &mut parts);
        let (mut low, mut upper, mut rest) = (None, None, Vec::new());
        for part in parts {
            match bound(local, &part) {
                Some((true, at_least)) if low.is_none() => low = Some(at_least),
                Some((false, _)) if upper.is_none() => upper = Some(part),
                _ => rest.push(part),
            }
        }
        let ty = self.unit.locals[local].ty;
        let kind = self.types().int_kind(ty)?;
        let span = self.unit.locals[local].span;
        let low = match low {
            Some((e, strict)) => {
                let e = self.cast(e, ty, span);
                match strict {
                    false => e,
                    true => {
                        let one = Expr::new(ExprKind::Int(1), ty, span);
                        let kind = ExprKind::Binary(BinaryOp::Add, Box::new(e), Box::new(one));
                        Expr::new(kind, ty, span)
                    }
                }
            }
            None if !kind.is_signed() => Expr::new(ExprKind::Int(0), ty, span),
            None => return None,
        };
        Some(Range {
            low,
            upper: upper?,
            rest,
        })
    }

    /// `((const char *)&object)[i] == 0` for all bytes of the object: its fields are zero.
    fn all_zero(&mut self, i: LocalId, range: &Range, claim: &Expr, span: Span) -> Option<Expr> {
        let ExprKind::Binary(BinaryOp::Eq, left, right) = &claim.kind else {
            return None;
        };
        let ExprKind::Load(place) = &plain(left).kind else {
            return None;
        };
        let PlaceKind::Deref(element) = &place.kind else {
            return None;
        };
        let ExprKind::PointerOffset {
            pointer,
            index,
            subtract: false,
            ..
        } = &element.kind
        else {
            return None;
        };
        let object = plain(pointer);
        let ty = self.types().pointee(object.ty)?;
        let size = self.types().size_of(ty)?;
        let ExprKind::Binary(BinaryOp::Lt, _, count) = &range.upper.kind else {
            return None;
        };
        let whole = plain(right).as_int() == Some(0)
            && range.low.as_int() == Some(0)
            && range.rest.is_empty()
            && is_local(i, index)
            && !mentions(i, object)
            && self.types().size_of(place.ty) == Some(1)
            && plain(count).as_int() == Some(i128::from(size));
        if !whole {
            return None;
        }
        let kind = match &object.kind {
            ExprKind::AddressOf(inner) if inner.ty == ty => inner.kind.clone(),
            _ => PlaceKind::Deref(Box::new(object.clone())),
        };
        let mut parts = Vec::new();
        let covered = self.zero_fields(Place { kind, ty, span }, &mut parts)?;
        if covered < size {
            parts.push(self.unbounded(span));
        }
        let int = self.int_type();
        parts
            .into_iter()
            .reduce(|a, b| Expr::new(ExprKind::LogicalAnd(Box::new(a), Box::new(b)), int, span))
    }

    /// CBMC compares records, field by field.
    pub(super) fn record_comparison(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Option<Expr> {
        let (ExprKind::Load(a), ExprKind::Load(b)) = (&left.kind, &right.kind) else {
            return None;
        };
        self.types().record(left.ty)?;
        if left.ty != right.ty || !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            return None;
        }
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        self.scalars((**a).clone(), &mut ours)?;
        self.scalars((**b).clone(), &mut theirs)?;
        let parts: Vec<Expr> = ours
            .into_iter()
            .zip(theirs)
            .map(|(x, y)| self.binary_values(BinaryOp::Eq, x, y, span))
            .collect();
        let int = self.int_type();
        let same = parts
            .into_iter()
            .reduce(|a, b| Expr::new(ExprKind::LogicalAnd(Box::new(a), Box::new(b)), int, span))?;
        Some(match op {
            BinaryOp::Ne => Expr::new(ExprKind::Unary(UnaryOp::Not, Box::new(same)), int, span),
            _ => same,
        })
    }

    /// Says of each scalar in the place that it is zero; how many bytes that is.
    fn zero_fields(&mut self, place: Place, out: &mut Vec<Expr>) -> Option<u64> {
        let span = place.span;
        let mut scalars = Vec::new();
        let covered = self.scalars(place, &mut scalars)?;
        let int = self.int_type();
        for value in scalars {
            let value = Box::new(self.promote(value));
            out.push(Expr::new(ExprKind::Unary(UnaryOp::Not, value), int, span));
        }
        Some(covered)
    }

    /// The values of all scalars in the place; how many bytes they are. `None`: not only integers and
    /// pointers, or too many.
    fn scalars(&mut self, place: Place, out: &mut Vec<Expr>) -> Option<u64> {
        let (ty, span) = (place.ty, place.span);
        if out.len() > MOST_FIELDS {
            return None;
        }
        if let Some(record) = self.types().record(ty) {
            let data = self.types().records[record].clone();
            if data.is_union || data.fields.iter().any(|f| f.bits.is_some()) {
                return None;
            }
            let mut covered = 0;
            for (i, field) in data.fields.iter().enumerate() {
                let kind = PlaceKind::Field {
                    base: Box::new(place.clone()),
                    record,
                    field: i as u32,
                };
                let ty = field.ty;
                covered += self.scalars(Place { kind, ty, span }, out)?;
            }
            return Some(covered);
        }
        if !self.types().is_integer(ty) && !self.types().is_pointer(ty) {
            return None;
        }
        out.push(Expr::new(ExprKind::Load(Box::new(place)), ty, span));
        self.types().size_of(ty)
    }

    /// `({ flag = forall; for (i = low; upper; i++) if (…) { flag = !forall; break; } flag; })`
    fn quantifier_loop(
        &mut self,
        local: LocalId,
        range: Range,
        claim: Option<Expr>,
        span: Span,
    ) -> Expr {
        let int = self.int_type();
        let quals = ast::Qualifiers::default();
        let flag = self.new_local("", int, span, LocalKind::Auto, quals);
        let is_forall = claim.is_some();
        let ty = self.unit.locals[local].ty;
        let place = |l: LocalId, ty: TypeId| Place {
            kind: PlaceKind::Local(l),
            ty,
            span,
        };
        let load = |l, ty| Expr::new(ExprKind::Load(Box::new(place(l, ty))), ty, span);
        let set = |l, ty, value| {
            let kind = ExprKind::Assign {
                place: Box::new(place(l, ty)),
                value: Box::new(value),
            };
            stmt(StmtKind::Expr(Expr::new(kind, ty, span)), span)
        };
        let number = |n: i128, ty| Expr::new(ExprKind::Int(n), ty, span);
        // What decides: a value in the range against a universal claim, or one for an existence.
        let mut decisive = range.rest;
        decisive.extend(claim.map(|c| {
            let c = self.promote(c);
            Expr::new(ExprKind::Unary(UnaryOp::Not, Box::new(c)), int, span)
        }));
        let decides = decisive
            .into_iter()
            .reduce(|a, b| Expr::new(ExprKind::LogicalAnd(Box::new(a), Box::new(b)), int, span))
            .unwrap_or_else(|| number(1, int));
        let model = self.types().model;
        let most = self
            .types()
            .int_kind(ty)
            .map_or(i128::MAX, |k| k.range(model).1);
        let last = Expr::new(
            ExprKind::Binary(
                BinaryOp::Eq,
                Box::new(load(local, ty)),
                Box::new(number(most, ty)),
            ),
            int,
            span,
        );
        let next = ExprKind::Binary(
            BinaryOp::Add,
            Box::new(load(local, ty)),
            Box::new(number(1, ty)),
        );
        let leave = || stmt(StmtKind::Break, span);
        let found = vec![set(flag, int, number(i128::from(!is_forall), int)), leave()];
        let body = vec![
            branch(decides, found, span),
            branch(last, vec![leave()], span),
            set(local, ty, Expr::new(next, ty, span)),
        ];
        let declare = |l| {
            let kind = StmtKind::Decl {
                local: l,
                init: None,
            };
            stmt(kind, span)
        };
        let stmts = vec![
            declare(flag),
            declare(local),
            set(flag, int, number(i128::from(is_forall), int)),
            set(local, ty, range.low),
            stmt(
                StmtKind::While {
                    cond: range.upper,
                    body: Box::new(stmt(StmtKind::Block(Block { stmts: body, span }), span)),
                },
                span,
            ),
        ];
        let block = Block { stmts, span };
        let value = Some(Box::new(load(flag, int)));
        Expr::new(ExprKind::StmtExpr { block, value }, int, span)
    }
}

fn stmt(kind: StmtKind, span: Span) -> Stmt {
    Stmt { kind, span }
}

fn branch(cond: Expr, stmts: Vec<Stmt>, span: Span) -> Stmt {
    let then = stmt(StmtKind::Block(Block { stmts, span }), span);
    let kind = StmtKind::If {
        cond,
        then: Box::new(then),
        els: None,
    };
    stmt(kind, span)
}

fn conjuncts(e: Expr, out: &mut Vec<Expr>) {
    match e.kind {
        ExprKind::LogicalAnd(a, b) => {
            conjuncts(*a, out);
            conjuncts(*b, out);
        }
        _ => out.push(e),
    }
}

/// The expression without casts that keep the value's meaning here: bounds and addresses.
fn plain(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast(CastKind::IntToInt | CastKind::PointerToPointer | CastKind::Same, inner) => {
            plain(inner)
        }
        _ => e,
    }
}

fn is_local(local: LocalId, e: &Expr) -> bool {
    matches!(&plain(e).kind, ExprKind::Load(p) if matches!(p.kind, PlaceKind::Local(l) if l == local))
}

fn mentions(local: LocalId, e: &Expr) -> bool {
    use crate::c::hir::visit::{Visitor, shared};
    struct Find(LocalId, bool);
    impl<'h> Visitor<'h> for Find {
        fn place(&mut self, p: &'h Place) {
            self.1 |= matches!(p.kind, PlaceKind::Local(l) if l == self.0);
        }
    }
    let mut find = Find(local, false);
    shared::expr(&mut find, e);
    find.1
}

/// A bound of the variable: from below (the bound, and whether it is strict) or from above.
fn bound(local: LocalId, e: &Expr) -> Option<(bool, (Expr, bool))> {
    let ExprKind::Binary(op, left, right) = &e.kind else {
        return None;
    };
    let (op, other) = if is_local(local, left) && !mentions(local, right) {
        (*op, right)
    } else if is_local(local, right) && !mentions(local, left) {
        let op = match op {
            BinaryOp::Lt => BinaryOp::Gt,
            BinaryOp::Le => BinaryOp::Ge,
            BinaryOp::Gt => BinaryOp::Lt,
            BinaryOp::Ge => BinaryOp::Le,
            _ => return None,
        };
        (op, left)
    } else {
        return None;
    };
    match op {
        BinaryOp::Ge => Some((true, ((**other).clone(), false))),
        BinaryOp::Gt => Some((true, ((**other).clone(), true))),
        BinaryOp::Lt | BinaryOp::Le => Some((false, ((**other).clone(), false))),
        _ => None,
    }
}
