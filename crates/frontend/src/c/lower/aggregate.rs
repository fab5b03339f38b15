//! Records: copied leaf by leaf, held in temporaries where they are no object.

use super::super::hir::{Expr, ExprKind, Place};
use super::super::types::TypeId;
use super::access::Batch;
use super::place::{At, Base};
use super::scalar::{Leaf, leaves, scalar_of};
use super::{Lower, Shape, Slot, Split};
use program::{AccessKind, InputKind, Span, VarId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Copies of more leaves are not modelled.
pub(in crate::c) const COPY_LIMIT: usize = 1024;

impl Lower<'_> {
    fn lost(&mut self, e: &Expr) -> At {
        self.b
            .note(e.span, "a record value not modelled: any content");
        At {
            base: Base::Lost,
            bit: 0,
            ty: e.ty,
            scalar: scalar_of(&self.unit.types, e.ty),
            deref: false,
            span: e.span,
        }
    }

    /// Temporaries for the leaves of a record.
    fn temp_record(&mut self, all: &[Leaf], ty: TypeId, span: Span) -> (At, Vec<VarId>) {
        let mut slots = BTreeMap::new();
        let mut vars = Vec::new();
        for leaf in all {
            let var = self.temp(leaf.scalar, span);
            vars.push(var);
            slots.insert(
                leaf.bit,
                Slot {
                    var,
                    scalar: leaf.scalar,
                    dims: Vec::new(),
                },
            );
        }
        let split = Split {
            slots,
            folded: false,
        };
        let at = At {
            base: Base::Split(Rc::new(split), Vec::new()),
            bit: 0,
            ty,
            scalar: None,
            deref: false,
            span,
        };
        (at, vars)
    }

    /// Where the value of a record expression is.
    pub(in crate::c) fn aggregate(&mut self, e: &Expr) -> At {
        match &e.kind {
            ExprKind::Load(p) => self.place(p),
            ExprKind::Cast(_, a) if scalar_of(&self.unit.types, a.ty).is_none() => {
                let mut at = self.aggregate(a);
                at.ty = e.ty;
                at
            }
            ExprKind::Comma(a, b) => {
                self.discard(a);
                self.aggregate(b)
            }
            ExprKind::StmtExpr {
                block,
                value: Some(v),
            } => {
                self.open_block(block);
                let at = self.aggregate(v);
                self.close_block(e.span);
                at
            }
            ExprKind::Assign { place, value } => self.assign_aggregate(place, value, e.span),
            ExprKind::Conditional { cond, then, els } => {
                let Some(all) = leaves(&self.unit.types, e.ty, COPY_LIMIT) else {
                    return self.lost(e);
                };
                let (temp, _) = self.temp_record(&all, e.ty, e.span);
                let (yes, no, end) = (
                    self.b.new_loc(e.span),
                    self.b.new_loc(e.span),
                    self.b.new_loc(e.span),
                );
                self.branch_on(cond, yes, no, e.span);
                for (at, branch) in [(yes, then), (no, els)] {
                    self.b.at = at;
                    let from = self.aggregate(branch);
                    self.copy_leaves(&temp, &from, &all, e.span);
                    self.b.jump(end, e.span);
                }
                self.b.at = end;
                temp
            }
            ExprKind::Call { callee, args } => {
                let all = leaves(&self.unit.types, e.ty, COPY_LIMIT).unwrap_or_default();
                let (temp, vars) = self.temp_record(&all, e.ty, e.span);
                self.call(e, callee, args, super::call::Want::Record(vars));
                temp
            }
            ExprKind::UnionOf { value, .. } => {
                let scalar = self.scalar(value.ty);
                let all = leaves(&self.unit.types, e.ty, COPY_LIMIT).unwrap_or_default();
                let t = self.term(value);
                let (temp, vars) = self.temp_record(&all, e.ty, e.span);
                match (all.as_slice(), vars.as_slice()) {
                    ([leaf], [v]) if leaf.scalar.bits == scalar.bits => {
                        let t = self.wrap_to(t, leaf.scalar);
                        self.b.assign(vec![(*v, t)], e.span);
                        temp
                    }
                    _ => self.lost(e),
                }
            }
            ExprKind::Intrinsic { name, args } => {
                self.intrinsic(name, args, e);
                self.lost(e)
            }
            _ => self.lost(e),
        }
    }

    /// `place = value` for records; the place.
    pub(in crate::c) fn assign_aggregate(&mut self, place: &Place, value: &Expr, span: Span) -> At {
        let (to, from) = if self.place_has_effects(place) && super::order::place_first(value) {
            let mut to = self.place(place);
            self.protect_place(&mut to, value);
            let from = self.aggregate(value);
            (to, from)
        } else {
            let mut from = self.aggregate(value);
            if self.place_has_effects(place) {
                self.hold_place(&mut from);
            }
            (self.place(place), from)
        };
        self.copy(&to, &from, place.ty, span);
        to
    }

    pub(in crate::c) fn copy(&mut self, to: &At, from: &At, ty: TypeId, span: Span) {
        self.check_whole(from, ty, AccessKind::Read);
        self.check_whole(to, ty, AccessKind::Write);
        if let (Base::Split(a, i), Base::Split(b, j)) = (&to.base, &from.base) {
            let whole = i.is_empty() && j.is_empty() && to.bit == 0 && from.bit == 0;
            let same = a.slots.len() == b.slots.len()
                && a.slots
                    .iter()
                    .zip(&b.slots)
                    .all(|((x, s), (y, t))| x == y && s.dims == t.dims && s.scalar == t.scalar);
            let size = self.unit.types.size_of(ty);
            if whole && same && self.unit.types.size_of(from.ty) == size {
                let pairs: Vec<_> = a
                    .slots
                    .values()
                    .zip(b.slots.values())
                    .map(|(s, t)| (s.var, self.b.vars[t.var].term))
                    .collect();
                self.b.assign(pairs, span);
                return;
            }
        }
        match leaves(&self.unit.types, ty, COPY_LIMIT) {
            Some(all) => self.copy_leaves(to, from, &all, span),
            None => {
                self.b.note(span, "copy of a large object: any content");
                self.havoc_aggregate(to, span);
            }
        }
    }

    fn copy_leaves(&mut self, to: &At, from: &At, all: &[Leaf], span: Span) {
        let mut batch = Batch::default();
        for leaf in all {
            let source = from.part(leaf.bit, leaf.scalar);
            let v = self.read(&source);
            let t = self.settle(v, span);
            let target = to.part(leaf.bit, leaf.scalar);
            self.write_in(&mut batch, &target, t);
        }
        self.commit(batch, span);
    }

    pub(in crate::c) fn havoc_aggregate(&mut self, at: &At, span: Span) {
        match leaves(&self.unit.types, at.ty, 64) {
            Some(all) => {
                let mut batch = Batch::default();
                for leaf in all {
                    let t = self.any(leaf.scalar, InputKind::Approximation, span);
                    let part = at.part(leaf.bit, leaf.scalar);
                    self.write_in(&mut batch, &part, t);
                }
                self.commit(batch, span);
            }
            None => match &at.base {
                Base::Split(s, _) => {
                    let vars = s.slots.values().map(|s| s.var).collect();
                    self.b
                        .emit(program::Stmt::Havoc(vars, InputKind::Approximation), span);
                }
                Base::Memory { cell, .. } => {
                    for r in self.memory.node_regions(*cell) {
                        self.havoc_region(r, span);
                    }
                }
                Base::Lost => {}
            },
        }
    }

    /// The values of a record in the shape it is passed in.
    pub(in crate::c) fn leaf_terms(&mut self, e: &Expr, shape: &Shape) -> Vec<logic::TermId> {
        let at = self.aggregate(e);
        self.check_whole(&at, e.ty, AccessKind::Read);
        let Shape::Leaves(all) = shape else {
            return Vec::new();
        };
        let mut out = Vec::new();
        for leaf in all.iter() {
            let part = at.part(leaf.bit, leaf.scalar);
            let v = self.read(&part);
            out.push(self.settle(v, e.span));
        }
        out
    }
}
