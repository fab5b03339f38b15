//! Constraints of places and expressions: what each value may point to, and what flows where.

use super::super::hir::{BinaryOp, CastKind, Expr, ExprKind, Place, PlaceKind, UnaryOp};
use super::super::lower::reach::{Direct, ObjectKey, direct};
use super::super::lower::scalar::{Scalar, bitfield_scalar, scalar_of};
use super::constraints::{Generator, array_bits, element_bits, step_bits};
use super::unify::{Cell, ValueId};

impl<'h> Generator<'h> {
    pub(super) fn place_scalar(&self, p: &Place) -> Option<Scalar> {
        if let PlaceKind::Field { record, field, .. } = &p.kind {
            let f = &self.unit.types.records[*record].fields[*field as usize];
            if let Some(b) = f.bits {
                return Some(bitfield_scalar(&self.unit.types, f.ty, b.width));
            }
        }
        scalar_of(&self.unit.types, p.ty)
    }

    pub(super) fn place(&mut self, p: &'h Place) -> Cell {
        match &p.kind {
            PlaceKind::Global(g) => self.object(ObjectKey::Global(*g)),
            PlaceKind::Local(l) => self.object(ObjectKey::Local(*l)),
            PlaceKind::String(s) => self.object(ObjectKey::String(*s)),
            PlaceKind::CompoundLiteral { local, init } => {
                let cell = self.object(ObjectKey::Local(*local));
                self.init(cell, self.unit.locals[*local].ty, init);
                cell
            }
            PlaceKind::Deref(e) => match direct(self.unit, p) {
                Some(Direct::Same(q)) => self.place(q),
                Some(Direct::Element(q, i)) => self.element(q, i),
                None => match self.value(e) {
                    Some(v) => self.graph().deref(v),
                    None => {
                        // A constant address.
                        let v = self.graph().value();
                        self.external(v);
                        self.out.exprs[e.id] = Some(v);
                        self.graph().deref(v)
                    }
                },
            },
            PlaceKind::Temporary(e) => match self.value(e) {
                Some(v) => self.graph().deref(v),
                None => (self.graph().node(), 0),
            },
            PlaceKind::Field {
                base,
                record,
                field,
            } => {
                let (node, off) = self.place(base);
                let f = &self.unit.types.records[*record].fields[*field as usize];
                let bit = f.bits.map_or(f.offset * 8, |b| b.bit_offset);
                (node, off + bit as i64)
            }
            PlaceKind::Index { base, index } => self.element(base, Some(index)),
        }
    }

    pub(super) fn element(&mut self, base: &'h Place, index: Option<&'h Expr>) -> Cell {
        let (node, off) = self.place(base);
        let step = element_bits(self.unit, base.ty);
        match index {
            None => (node, off),
            Some(i) => {
                self.value(i);
                let bits = array_bits(self.unit, base.ty);
                // A pointer past the end may come back into the array.
                let inside = |k: i64| bits <= 0 || (0..bits).contains(&(k * step));
                match i.as_int() {
                    Some(k) if inside(k as i64) => (node, off + k as i64 * step),
                    _ => {
                        self.graph().fold((node, off), Some(bits), step);
                        (node, off)
                    }
                }
            }
        }
    }

    // ---- expressions ----

    pub(super) fn value(&mut self, e: &'h Expr) -> Option<ValueId> {
        let v = self.value_inner(e)?;
        self.out.exprs[e.id] = Some(v);
        Some(v)
    }

    /// The value, made up if the expression is a constant.
    pub(super) fn some_value(&mut self, e: &'h Expr) -> ValueId {
        match self.value(e) {
            Some(v) => v,
            None => self.graph().value(),
        }
    }

    pub(super) fn value_inner(&mut self, e: &'h Expr) -> Option<ValueId> {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::LabelAddress(_) => None,
            ExprKind::Load(p) => {
                let cell = self.place(p);
                match self.place_scalar(p) {
                    Some(s) => {
                        self.graph().access(cell, s);
                        (!s.is_float()).then(|| self.graph().content(cell))
                    }
                    None => Some(self.pointer_to(cell)),
                }
            }
            ExprKind::AddressOf(p) => {
                let cell = self.place(p);
                let v = self.graph().value();
                let extent = self.extent(p);
                self.graph().point(v, cell, extent);
                Some(v)
            }
            ExprKind::FunctionAddress(f) => {
                let node = self.function_node(*f);
                Some(self.pointer_to((node, 0)))
            }
            ExprKind::Unary(op, a) => {
                let v = self.value(a)?;
                (*op != UnaryOp::Not).then(|| self.mangled(v))
            }
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.value(a), self.value(b));
                if op.is_comparison() {
                    // An integer that is equal to an address is one.
                    let address =
                        |e: &Expr| matches!(e.kind, ExprKind::Cast(CastKind::PointerToInt, _));
                    let equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
                    if equality && (address(a) || address(b)) {
                        self.either(x, y);
                    }
                    return None;
                }
                if self.unit.types.is_float(e.ty) {
                    return None;
                }
                let v = self.either(x, y)?;
                Some(self.mangled(v))
            }
            ExprKind::PointerOffset {
                pointer,
                index,
                subtract,
                size,
            } => {
                let v = self.some_value(pointer);
                self.value(index);
                let index = index.as_int().map(|k| if *subtract { -k } else { k });
                Some(self.offset(v, index, step_bits(size), size.lengths.is_empty()))
            }
            ExprKind::PointerDifference { left, right, .. } => {
                self.value(left);
                self.value(right);
                None
            }
            ExprKind::Cast(kind, a) => self.cast(*kind, a),
            ExprKind::Assign { place, value } => {
                let cell = self.place(place);
                let v = self.value(value);
                match self.place_scalar(place) {
                    Some(s) => {
                        self.graph().access(cell, s);
                        let c = self.graph().content(cell);
                        if let Some(v) = v {
                            self.graph().join(c, v);
                        }
                        (!s.is_float()).then_some(c)
                    }
                    None => {
                        if let Some(v) = v {
                            let from = self.graph().deref(v);
                            self.copy(cell, from, place.ty);
                        }
                        Some(self.pointer_to(cell))
                    }
                }
            }
            ExprKind::CompoundAssign { place, value, .. } => {
                let cell = self.place(place);
                let v = self.value(value);
                let s = self.place_scalar(place)?;
                self.graph().access(cell, s);
                let c = self.graph().content(cell);
                if let Some(v) = v {
                    self.graph().join(c, v);
                }
                Some(self.mangled(c))
            }
            ExprKind::PointerAssign {
                place, index, size, ..
            } => {
                let cell = self.place(place);
                self.value(index);
                let s = self.place_scalar(place)?;
                self.graph().access(cell, s);
                let c = self.graph().content(cell);
                self.graph().arithmetic(c, step_bits(size));
                Some(c)
            }
            ExprKind::IncDec { place, size, .. } => {
                let cell = self.place(place);
                let s = self.place_scalar(place)?;
                self.graph().access(cell, s);
                let c = self.graph().content(cell);
                let step = size.as_ref().map_or(8, |s| step_bits(s));
                self.graph().arithmetic(c, step);
                Some(c)
            }
            ExprKind::LogicalAnd(a, b) | ExprKind::LogicalOr(a, b) => {
                self.value(a);
                self.value(b);
                None
            }
            ExprKind::Conditional { cond, then, els } => {
                self.value(cond);
                let (a, b) = (self.value(then), self.value(els));
                self.either(a, b)
            }
            ExprKind::Elvis { cond, els } => {
                let (a, b) = (self.value(cond), self.value(els));
                self.either(a, b)
            }
            ExprKind::Comma(a, b) => {
                self.value(a);
                self.value(b)
            }
            ExprKind::Call { callee, args } => self.call(e, callee, args),
            ExprKind::Intrinsic { name, args } => {
                let values: Vec<_> = args.iter().map(|a| self.value(a)).collect();
                self.intrinsic(name, e, args, &values)
            }
            ExprKind::VaArg(p) => {
                self.place(p);
                self.external(self.varargs);
                Some(self.varargs)
            }
            ExprKind::StmtExpr { block, value } => {
                self.block(block);
                value.as_ref().and_then(|e| self.value(e))
            }
            ExprKind::UnionOf { value, .. } => {
                let v = self.value(value);
                let cell = (self.graph().node(), 0);
                if let (Some(v), Some(s)) = (v, scalar_of(&self.unit.types, value.ty)) {
                    self.graph().access(cell, s);
                    let c = self.graph().content(cell);
                    self.graph().join(c, v);
                }
                Some(self.pointer_to(cell))
            }
        }
    }

    /// Where arithmetic on `&place` stays: in the outermost of arrays of arrays, which programs walk over as one.
    pub(super) fn extent(&self, p: &Place) -> Option<(i64, i64)> {
        match &p.kind {
            PlaceKind::Index { base, index } => {
                let (first, rest) = match &base.kind {
                    PlaceKind::Index { .. } => self.extent(base)?,
                    _ => (0, array_bits(self.unit, base.ty)),
                };
                let index = index.as_int().unwrap_or(0) as i64;
                let before = index * element_bits(self.unit, base.ty);
                Some((first + before, rest - before))
            }
            _ if self.unit.types.element(p.ty).is_some() => Some((0, array_bits(self.unit, p.ty))),
            _ => None,
        }
    }

    pub(super) fn either(&mut self, a: Option<ValueId>, b: Option<ValueId>) -> Option<ValueId> {
        if let (Some(a), Some(b)) = (a, b) {
            self.graph().join(a, b);
        }
        a.or(b)
    }

    /// Integer arithmetic: a pointer in it may move by any number of bytes.
    pub(super) fn mangled(&mut self, v: ValueId) -> ValueId {
        self.graph().arithmetic(v, 8);
        v
    }

    pub(super) fn offset(
        &mut self,
        v: ValueId,
        index: Option<i128>,
        step: i64,
        fixed: bool,
    ) -> ValueId {
        match index {
            Some(0) => v,
            // A byte offset: `container_of` and friends.
            Some(k) if step == 8 && fixed && k.unsigned_abs() > 1 && k.unsigned_abs() < 1 << 30 => {
                let (node, off) = self.graph().deref(v);
                let shift = k as i64 * 8;
                let extent = self.graph().extent(v).and_then(|(before, after)| {
                    let inside = before + shift >= 0 && after - shift > 0;
                    inside.then_some((before + shift, after - shift))
                });
                let moved = self.graph().value();
                self.graph().point(moved, (node, off + shift), extent);
                moved
            }
            _ => {
                self.graph().arithmetic(v, step);
                v
            }
        }
    }

    pub(super) fn cast(&mut self, kind: CastKind, a: &'h Expr) -> Option<ValueId> {
        let v = self.value(a);
        match kind {
            CastKind::IntToPointer => match (v, a.as_int()) {
                (None, Some(0)) => None,
                (v, _) => {
                    let v = match v {
                        Some(v) => v,
                        None => self.graph().value(),
                    };
                    self.external(v);
                    Some(v)
                }
            },
            CastKind::IntToInt
            | CastKind::Narrow { .. }
            | CastKind::PointerToInt
            | CastKind::PointerToPointer
            | CastKind::Same => v,
            CastKind::IntToFloat
            | CastKind::FloatToInt
            | CastKind::FloatToFloat
            | CastKind::ToBool
            | CastKind::ToVoid => None,
        }
    }
}
