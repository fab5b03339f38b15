//! Places: from an lvalue of the tree to where its bits are.

use super::super::hir::{Expr, Place, PlaceKind};
use super::super::memory::unify::Cell;
use super::super::types::{ArrayLen, Type, TypeId};
use super::reach::{Direct, ObjectKey, direct};
use super::scalar::{Scalar, bitfield_scalar, scalar_of};
use super::{Lower, Split};
use logic::{Rational, TermId};
use program::Span;
use std::rc::Rc;

/// Where an object's bits are.
#[derive(Clone, Debug)]
pub(in crate::c) enum Base {
    /// In variables; the indices of folded arrays passed on the way, outermost first.
    Split(Rc<Split>, Vec<TermId>),
    /// In memory at a byte address; the cell says which region.
    Memory { address: TermId, cell: Cell },
    /// Nowhere we know of, an address made of integers: reads give any value, writes are assumed to hit no
    /// object of the program.
    Lost,
}

/// A lowered lvalue.
#[derive(Clone, Debug)]
pub(in crate::c) struct At {
    pub base: Base,
    /// Constant offset from the base.
    pub bit: i64,
    pub ty: TypeId,
    /// The scalar here, if it is one (a bit-field's own width).
    pub scalar: Option<Scalar>,
    /// Reached through a pointer, which may be invalid.
    pub deref: bool,
    pub span: Span,
}

impl At {
    /// The cell of the analysis that a place in memory lies in.
    pub(in crate::c) fn cell(&self) -> Option<Cell> {
        match self.base {
            Base::Memory { cell, .. } => Some(cell),
            _ => None,
        }
    }

    /// The part `bit` bits further on.
    pub(in crate::c) fn part(&self, bit: u64, scalar: Scalar) -> At {
        At {
            bit: self.bit + bit as i64,
            scalar: Some(scalar),
            ..self.clone()
        }
    }
}

impl Lower<'_> {
    pub(in crate::c) fn object_at(&mut self, key: ObjectKey, span: Span) -> At {
        let ty = self.type_of_object(key);
        let base = if self.is_in_memory(key) {
            let address = self.object_address(key);
            match self.memory.points.object(key) {
                Some(o) => Base::Memory {
                    address,
                    cell: self.memory.points.objects[o as usize].cell,
                },
                None => Base::Lost,
            }
        } else {
            Base::Split(self.split(key), Vec::new())
        };
        At {
            base,
            bit: 0,
            ty,
            scalar: scalar_of(&self.unit.types, ty),
            deref: false,
            span,
        }
    }

    pub(in crate::c) fn place(&mut self, p: &Place) -> At {
        let mut at = match &p.kind {
            PlaceKind::Global(g) => self.object_at(ObjectKey::Global(*g), p.span),
            PlaceKind::Local(l) => self.object_at(ObjectKey::Local(*l), p.span),
            PlaceKind::String(s) => self.object_at(ObjectKey::String(*s), p.span),
            PlaceKind::CompoundLiteral { local, init } => {
                self.begin_local(*local, Some(init), p.span);
                self.object_at(ObjectKey::Local(*local), p.span)
            }
            PlaceKind::Temporary(e) => self.aggregate(e),
            PlaceKind::Deref(e) => match direct(self.unit, p) {
                Some(Direct::Same(q)) => self.place(q),
                Some(Direct::Element(q, i)) => self.element(q, i, 0, p.span),
                None => self.deref(e, p),
            },
            PlaceKind::Field {
                base,
                record,
                field,
            } => {
                let mut at = self.place(base);
                let f = &self.unit.types.records[*record].fields[*field as usize];
                match f.bits {
                    Some(b) => {
                        at.bit += b.bit_offset as i64;
                        at.scalar = Some(bitfield_scalar(&self.unit.types, f.ty, b.width));
                        at.ty = p.ty;
                        at.span = p.span;
                        return at;
                    }
                    None => at.bit += (f.offset * 8) as i64,
                }
                at
            }
            PlaceKind::Index { base, index } => self.element(base, Some(index), 0, p.span),
        };
        at.ty = p.ty;
        at.span = p.span;
        at.scalar = scalar_of(&self.unit.types, p.ty);
        at
    }

    fn deref(&mut self, pointer: &Expr, p: &Place) -> At {
        let address = self.term(pointer);
        let base = match self.memory.points.target_of(pointer) {
            Some(cell) => Base::Memory { address, cell },
            None => Base::Lost,
        };
        At {
            base,
            bit: 0,
            ty: p.ty,
            scalar: None,
            deref: true,
            span: p.span,
        }
    }

    /// The place whose address is taken: it may be one past the end of an array.
    pub(in crate::c) fn place_of_address(&mut self, p: &Place) -> At {
        let element = match &p.kind {
            PlaceKind::Index { base, index } => Some((&**base, Some(&**index))),
            PlaceKind::Deref(_) => match direct(self.unit, p) {
                Some(Direct::Element(q, i)) => Some((q, i)),
                _ => None,
            },
            _ => None,
        };
        let Some((base, index)) = element else {
            return self.place(p);
        };
        let mut at = self.element(base, index, 1, p.span);
        at.ty = p.ty;
        at.span = p.span;
        at.scalar = scalar_of(&self.unit.types, p.ty);
        at
    }

    /// Element of an array place; the index may be `slack` past the last.
    fn element(&mut self, base: &Place, index: Option<&Expr>, slack: u64, span: Span) -> At {
        let mut at = self.place(base);
        let element = self.unit.types.element(base.ty).unwrap_or(base.ty);
        let bits = self.unit.types.size_of(element).map(|s| s as i64 * 8);
        let constant = match index {
            None => Some(0),
            Some(i) => i.as_int(),
        };
        let length = match *self.unit.types.get(base.ty) {
            Type::Array(_, ArrayLen::Fixed(n)) | Type::Vector(_, n) => Some(n),
            _ => None,
        };
        // Trailing arrays of records may be longer than declared, others have their length from a
        // variable: what counts there is the object.
        let by_object = matches!(at.base, Base::Memory { .. }) && length.is_none_or(|n| n <= 1);
        let length = length.or_else(|| Self::kept_elements(&at, bits?));
        at.deref |= by_object;
        let length = length.filter(|_| !by_object).map(|n| n + slack);
        if matches!(&at.base, Base::Split(s, _) if s.folded) {
            // The place's terms must not change while the index is evaluated.
            let i = match index {
                None => self.pool.int(0),
                Some(i) => {
                    self.protect_place(&mut at, i);
                    self.term(i)
                }
            };
            self.check_index(i, length, span);
            if let Base::Split(_, indices) = &mut at.base {
                indices.push(i);
            }
            return at;
        }
        match (constant, bits) {
            (Some(k), Some(bits)) => {
                let i = self.pool.int(k);
                self.check_index(i, length, span);
                at.bit += k as i64 * bits;
            }
            _ => {
                let Some(i) = index else { return at };
                self.protect_place(&mut at, i);
                let i = self.term(i);
                self.check_index(i, length, span);
                let size = self.size_term(element);
                let offset = self.pool.mul(&[i, size]);
                if let Base::Memory { address, .. } = &mut at.base {
                    *address = self.pool.add2(*address, offset);
                } else {
                    at.base = Base::Lost;
                }
            }
        }
        at
    }

    /// Elements behind a place without a length of its own, in an object that is kept in variables: a flexible
    /// array member that its initialiser made longer.
    fn kept_elements(at: &At, bits: i64) -> Option<u64> {
        let Base::Split(split, _) = &at.base else {
            return None;
        };
        let end = |(&bit, slot): (&u64, &super::Slot)| {
            let all = slot.dims.iter().map(|(size, n)| size * n).max();
            bit + all.unwrap_or(u64::from(slot.scalar.bits))
        };
        let end = split.slots.iter().map(end).max().unwrap_or(0) as i64;
        Some(((end - at.bit).max(0) / bits.max(1)) as u64)
    }

    /// Bytes of a type, also of variable length.
    pub(in crate::c) fn size_term(&mut self, ty: TypeId) -> TermId {
        if let Some(n) = self.unit.types.size_of(ty) {
            return self.pool.int(n);
        }
        match *self.unit.types.get(ty) {
            Type::Array(element, ArrayLen::Variable(l)) => {
                let inner = self.size_term(element);
                let at = self.object_at(ObjectKey::Local(l), Span::unknown());
                let n = self.read(&at);
                let n = self.settle(n, Span::unknown());
                self.pool.mul(&[n, inner])
            }
            _ => self.pool.int(1),
        }
    }

    /// Keeps the terms of a place from changing while `later` is evaluated.
    pub(in crate::c) fn protect_place(&mut self, at: &mut At, later: &Expr) {
        if self.has_writes(later) {
            self.hold_place(at);
        }
    }

    /// Keeps the terms of a place from changing.
    pub(in crate::c) fn hold_place(&mut self, at: &mut At) {
        let span = at.span;
        match &mut at.base {
            Base::Memory { address, .. } => *address = self.freeze(*address, span),
            Base::Split(_, indices) => {
                for i in indices.iter_mut() {
                    *i = self.freeze(*i, span);
                }
            }
            Base::Lost => {}
        }
    }

    /// The same value in a variable nobody assigns.
    pub(in crate::c) fn freeze(&mut self, t: TermId, span: Span) -> TermId {
        if self.pool.as_number(t).is_some() || self.temporaries.contains(&t) {
            return t;
        }
        let interval = self.ranges.of(self.pool, t);
        let name = format!("{}::tmp", self.frame.name);
        let sort = self.pool.int_sort();
        let v = self.b.var(
            self.pool,
            crate::builder::VarSpec {
                name: &name,
                sort,
                range: interval.map(|(l, h)| (Rational::from(l), Rational::from(h))),
                kind: program::VarKind::Local,
                source_name: None,
                source_type: None,
                span,
            },
        );
        let term = self.var_term(v);
        self.temporaries.insert(term);
        self.ranges.set(term, interval);
        self.b.assign(vec![(v, t)], span);
        term
    }
}
