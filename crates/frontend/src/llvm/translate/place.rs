//! Pointers: addresses of known places as far as possible, else numbers.
//!
//! A pointer that an allocation, a global or address arithmetic on one gives is a [`Pointer::To`]; a
//! load or store through it is an access to the place itself. Where the type of an access is not
//! that of the place (a struct read through the type of its first member, a union), the place is
//! looked for by offset, and if there is none of the right size, the memory is accessed.

use super::super::module::{ConstExpr, Op, Ty, Type, Typed, Value};
use super::{Symbol, Translator};
use crate::c::hir::{BinaryOp, Expr, ExprKind, Place, PlaceKind};
use crate::c::types::{ArrayLen, TypeId};

pub(super) enum Pointer {
    To(Place),
    Value(Expr),
}

impl<'t> Translator<'_, 't> {
    /// Is the value computed where it is used: an address, not a number in a local?
    pub(super) fn is_symbolic(&self, v: super::super::module::ValueId) -> bool {
        let Some(def) = self.f.defs.get(v.0 as usize).copied().flatten() else {
            return false;
        };
        match def {
            Op::Alloca(..) => self.f.objects.contains_key(&v),
            Op::Gep { .. } => !self.f.vector[v.0 as usize],
            Op::Cast("bitcast" | "addrspacecast", _, a, to) => {
                matches!(self.module.get(a.ty), Type::Pointer)
                    && matches!(self.module.get(*to), Type::Pointer)
            }
            _ => false,
        }
    }

    pub(super) fn pointer(&mut self, p: &Value<'t>) -> Pointer {
        match p {
            Value::Global(name) => match self.symbols.get(name).copied() {
                Some(Symbol::Global(g)) => Pointer::To(Place {
                    kind: PlaceKind::Global(g),
                    ty: self.unit.globals[g].ty,
                    span: self.f.span,
                }),
                Some(Symbol::String(s)) => Pointer::To(Place {
                    kind: PlaceKind::String(s),
                    ty: self.unit.strings[s].ty,
                    span: self.f.span,
                }),
                Some(Symbol::Func(f)) => {
                    let ty = self.unit.functions[f].ty;
                    let ty = self.unit.types.pointer(ty);
                    Pointer::Value(self.expr(ExprKind::FunctionAddress(f), ty))
                }
                None => Pointer::Value(self.null()),
            },
            Value::Local(v) if self.is_symbolic(*v) => {
                match self.f.defs[v.0 as usize].expect("a symbolic value has a definition") {
                    Op::Alloca(..) => Pointer::To(self.local_place(self.f.objects[v])),
                    Op::Gep { base, args, .. } => self.gep(*base, args),
                    Op::Cast(_, _, a, _) => self.pointer(&a.value),
                    _ => Pointer::Value(self.null()),
                }
            }
            Value::Expr(e) => match &**e {
                ConstExpr::Gep { base, args } => self.gep(*base, args),
                ConstExpr::Cast("bitcast" | "addrspacecast", a, _) => self.pointer(&a.value),
                _ => Pointer::Value(self.scalar(p, self.f.pointer_ty, true)),
            },
            _ => Pointer::Value(self.scalar(p, self.f.pointer_ty, true)),
        }
    }

    pub(super) fn null(&mut self) -> Expr {
        let ty = self.void_pointer();
        self.expr(ExprKind::Int(0), ty)
    }

    /// The pointer as a number.
    pub(super) fn pointer_value(&mut self, p: Pointer) -> Expr {
        let e = match p {
            Pointer::To(place) => self.address(place),
            Pointer::Value(e) => e,
        };
        let ty = self.void_pointer();
        self.cast(e, ty)
    }

    /// The constant byte offset of the indices.
    fn constant_offset(&self, base: Ty, indices: &[Typed<'t>]) -> Option<i64> {
        let mut ty = base;
        let mut offset = 0i64;
        for (k, i) in indices.iter().enumerate() {
            let n = match i.value {
                Value::Int(n) => i64::try_from(n).ok()?,
                Value::Zero => 0,
                _ => return None,
            };
            if k == 0 {
                offset += n.checked_mul(self.size(base) as i64)?;
                continue;
            }
            match self.module.get(ty) {
                Type::Struct { fields, .. } => {
                    let offsets = super::super::layout::offsets(self.module, ty);
                    offset += *offsets.get(n as usize)? as i64;
                    ty = *fields.get(n as usize)?;
                }
                Type::Array(_, e) | Type::Vector(_, e) => {
                    offset += n.checked_mul(self.size(*e) as i64)?;
                    ty = *e;
                }
                _ => return None,
            }
        }
        Some(offset)
    }

    pub(super) fn gep(&mut self, base: Ty, args: &[Typed<'t>]) -> Pointer {
        let Some((pointer, indices)) = args.split_first() else {
            return Pointer::Value(self.null());
        };
        let from = self.pointer(&pointer.value);
        let place = match from {
            Pointer::Value(e) => return self.gep_value(e, base, indices),
            Pointer::To(place) => place,
        };
        let first_zero = matches!(indices.first().map(|i| &i.value), Some(Value::Int(0)));
        let same = self.same_type(place.ty, base);
        if first_zero && same {
            return self.path(place, base, &indices[1..]);
        }
        if let Some(offset) = self.constant_offset(base, indices)
            && let Some(found) = self.at_offset(&place, offset)
        {
            return Pointer::To(found);
        }
        // `&array[k] + i`, `array + i`
        if let Some(place) = self.walk_array(&place, base, &indices[0]) {
            return self.path(place, base, &indices[1..]);
        }
        let e = self.address(place);
        self.gep_value(e, base, indices)
    }

    fn gep_value(&mut self, e: Expr, base: Ty, indices: &[Typed<'t>]) -> Pointer {
        let size = self.size(base);
        if indices.len() > 1
            && let Some(offset) = self.constant_offset(base, indices)
            && !matches!(indices[0].value, Value::Int(0))
        {
            let ty = self.int_type(64, true);
            let index = self.number(i128::from(offset), ty);
            let byte = self.byte_pointer(e);
            return Pointer::Value(self.offset(byte, index, 1));
        }
        let hir = self.ty(base, self.signs.default_signed());
        let to = self.unit.types.pointer(hir);
        let e = self.cast(e, to);
        let index = self.index(&indices[0]);
        let moved = self.offset(e, index, size);
        if indices.len() == 1 {
            return Pointer::Value(moved);
        }
        let place = self.deref(moved, hir);
        self.path(place, base, &indices[1..])
    }

    pub(super) fn byte_pointer(&mut self, e: Expr) -> Expr {
        let byte = self.int_type(8, false);
        let ty = self.unit.types.pointer(byte);
        self.cast(e, ty)
    }

    /// An index as a signed number.
    fn index(&mut self, i: &Typed<'t>) -> Expr {
        self.scalar(&i.value, i.ty, true)
    }

    fn path(&mut self, place: Place, base: Ty, indices: &[Typed<'t>]) -> Pointer {
        let mut place = place;
        let mut ty = base;
        for i in indices {
            match self.module.get(ty).clone() {
                Type::Struct { fields, .. } => {
                    let k = match i.value {
                        Value::Int(n) => n as usize,
                        _ => 0,
                    };
                    place = self.field_place(place, k as u32);
                    ty = fields[k];
                }
                Type::Array(_, e) => {
                    let index = self.index(i);
                    place = self.index_place(place, index);
                    ty = e;
                }
                Type::Vector(_, e) => {
                    if let Value::Int(n) = i.value {
                        place = self.field_place(place, n as u32);
                        ty = e;
                    } else {
                        let address = self.address(place);
                        let index = self.index(i);
                        let element = self.ty(e, self.signs.default_signed());
                        let to = self.unit.types.pointer(element);
                        let address = self.cast(address, to);
                        let moved = self.offset(address, index, self.size(e));
                        place = self.deref(moved, element);
                        ty = e;
                    }
                }
                _ => {
                    let address = self.address(place);
                    return Pointer::Value(address);
                }
            }
        }
        Pointer::To(place)
    }

    /// Is the place laid out as the type says, member by member?
    fn same_type(&mut self, place: TypeId, ty: Ty) -> bool {
        self.ty(ty, true) == place || self.ty(ty, false) == place
    }

    /// The part of a place that begins at the offset; the outermost one.
    pub(super) fn at_offset(&mut self, place: &Place, offset: i64) -> Option<Place> {
        let mut at = place.clone();
        let mut rest = offset;
        loop {
            if rest == 0 {
                return Some(at);
            }
            let types = &self.unit.types;
            if let Some(r) = types.record(at.ty) {
                let fields = &types.records[r].fields;
                let k = fields.iter().position(|f| {
                    let size = types.size_of(f.ty).unwrap_or(0) as i64;
                    (f.offset as i64..f.offset as i64 + size).contains(&rest)
                })?;
                rest -= fields[k].offset as i64;
                at = self.field_place(at, k as u32);
                continue;
            }
            let Some(element) = types.element(at.ty) else {
                // Behind an element of an array: another element.
                return self.sibling(&at, rest);
            };
            let size = types.size_of(element).filter(|s| *s > 0)? as i64;
            let len = match types.get(at.ty) {
                crate::c::types::Type::Array(_, ArrayLen::Fixed(n)) => *n as i64,
                _ => return None,
            };
            let k = rest.div_euclid(size);
            if k < 0 || k > len {
                return None;
            }
            if k == len && rest != k * size {
                return None;
            }
            rest -= k * size;
            let ty = self.int_type(64, true);
            let index = self.number(i128::from(k), ty);
            at = self.index_place(at, index);
        }
    }

    fn sibling(&mut self, at: &Place, rest: i64) -> Option<Place> {
        let PlaceKind::Index { base, index } = &at.kind else {
            return None;
        };
        let size = self.unit.types.size_of(at.ty).filter(|s| *s > 0)? as i64;
        if rest % size != 0 {
            return None;
        }
        let more = self.number(i128::from(rest / size), index.ty);
        let index = self.sum((**index).clone(), more);
        Some(self.index_place((**base).clone(), index))
    }

    fn sum(&mut self, a: Expr, b: Expr) -> Expr {
        match (a.as_int(), b.as_int()) {
            (Some(x), Some(y)) => self.number(x + y, a.ty),
            (Some(0), _) => b,
            (_, Some(0)) => a,
            _ => {
                let b = self.cast(b, a.ty);
                self.binary(BinaryOp::Add, a, b)
            }
        }
    }

    /// A step by elements inside an array that the place is, or is an element of.
    fn walk_array(&mut self, place: &Place, base: Ty, step: &Typed<'t>) -> Option<Place> {
        let mut at = place.clone();
        let mut depth = 0;
        while depth < 4 {
            let size = self.unit.types.size_of(at.ty);
            if self.fits(at.ty, base)
                && size == Some(self.size(base))
                && let PlaceKind::Index { base: array, index } = &at.kind
            {
                let step = self.index(step);
                let index = self.sum((**index).clone(), step);
                return Some(self.index_place((**array).clone(), index));
            }
            self.unit.types.element(at.ty)?;
            let ty = self.int_type(64, true);
            let zero = self.number(0, ty);
            at = self.index_place(at, zero);
            depth += 1;
        }
        None
    }

    /// Can an access of this type be one of the whole place?
    fn fits(&mut self, place: TypeId, ty: Ty) -> bool {
        if self.same_type(place, ty) {
            return true;
        }
        let types = &self.unit.types;
        let size = types.size_of(place);
        match self.module.get(ty) {
            Type::Int(_) => types.is_integer(place) && size == Some(self.size(ty)),
            Type::Pointer => types.is_pointer(place),
            _ => false,
        }
    }

    /// The place that a load or store of the type accesses.
    pub(super) fn access(&mut self, p: &Value<'t>, ty: Ty) -> Place {
        let place = match self.pointer(p) {
            Pointer::To(place) => place,
            Pointer::Value(e) => {
                let hir = self.access_type(&e, ty);
                return self.deref(e, hir);
            }
        };
        let mut at = place.clone();
        for _ in 0..16 {
            if self.fits(at.ty, ty) {
                return at;
            }
            let types = &self.unit.types;
            at = if let Some(r) = types.record(at.ty) {
                match types.records[r].fields.first() {
                    Some(f) if f.offset == 0 => self.field_place(at, 0),
                    _ => break,
                }
            } else if types.element(at.ty).is_some() {
                let index = self.int_type(64, true);
                let zero = self.number(0, index);
                self.index_place(at, zero)
            } else {
                break;
            };
        }
        let hir = self.ty(ty, self.signs.default_signed());
        let address = self.address(place);
        self.deref(address, hir)
    }

    /// The type in memory: the sign that the pointer's type suggests.
    fn access_type(&mut self, pointer: &Expr, ty: Ty) -> TypeId {
        let pointee = self.unit.types.pointee(pointer.ty);
        match pointee {
            Some(to) if self.fits(to, ty) => to,
            _ => {
                let sign = self.f.access_sign.unwrap_or(self.signs.default_signed());
                self.ty(ty, sign)
            }
        }
    }

    /// The scalars of a place, if they are few.
    pub(super) fn leaf_places(&mut self, place: &Place, limit: usize) -> Option<Vec<Place>> {
        let mut out = Vec::new();
        let mut work = vec![place.clone()];
        while let Some(p) = work.pop() {
            if out.len() + work.len() > limit {
                return None;
            }
            if self.unit.types.is_scalar(p.ty) {
                out.push(p);
            } else if let Some(r) = self.unit.types.record(p.ty) {
                for k in (0..self.unit.types.records[r].fields.len()).rev() {
                    work.push(self.field_place(p.clone(), k as u32));
                }
            } else if let crate::c::types::Type::Array(_, ArrayLen::Fixed(n)) =
                *self.unit.types.get(p.ty)
            {
                if n as usize > limit {
                    return None;
                }
                let ty = self.int_type(64, true);
                for k in (0..n).rev() {
                    let k = self.number(i128::from(k), ty);
                    work.push(self.index_place(p.clone(), k));
                }
            } else {
                return None;
            }
        }
        Some(out)
    }
}
