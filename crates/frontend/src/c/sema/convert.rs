//! Conversions (6.3): decay, promotion, usual arithmetic conversions, casts, assignment.

use super::super::hir::{CastKind, Expr, ExprKind, Place, PlaceKind, SizeOf};
use super::super::types::{ArrayLen, BitField, FloatKind, IntKind, Type, TypeId};
use super::{Operand, Sema};
use logic::IBig;
use program::Span;
use program::interp::float::pattern;
use std::cmp::Ordering;

impl Sema<'_, '_> {
    /// The value of an operand: loads objects, decays arrays and functions.
    pub(super) fn value_of(&mut self, operand: Operand) -> Expr {
        match operand {
            Operand::Value(e) | Operand::Function(e) => e,
            Operand::Place(place) => self.load(place),
        }
    }

    pub(super) fn load(&mut self, place: Place) -> Expr {
        let (ty, span) = (place.ty, place.span);
        if let Type::Array(element, _) = *self.types().get(ty) {
            if self.variable_records.contains_key(&ty) {
                let message =
                    "a record with members of variable length is not supported as a value";
                self.error(span, message);
            }
            return self.address_as(place, element);
        }
        Expr::new(ExprKind::Load(Box::new(place)), ty, span)
    }

    /// `&place` with a pointer to `pointee`.
    pub(super) fn address_as(&mut self, place: Place, pointee: TypeId) -> Expr {
        let ty = self.unit.types.pointer(pointee);
        let span = place.span;
        if let Some(address) = self.constant_address(&place) {
            let kind = ExprKind::Int(self.pointer_value(address));
            return Expr::new(kind, ty, span);
        }
        // `&*p` is `p`.
        if let PlaceKind::Deref(_) = place.kind
            && self.types().get(place.ty) == self.types().get(pointee)
            && let PlaceKind::Deref(pointer) = place.kind
        {
            return self.cast(*pointer, ty, span);
        }
        self.mark_address_taken(&place);
        Expr::new(ExprKind::AddressOf(Box::new(place)), ty, span)
    }

    fn mark_address_taken(&mut self, place: &Place) {
        let mut place = place;
        loop {
            match &place.kind {
                PlaceKind::Field { base, .. } | PlaceKind::Index { base, .. } => place = base,
                PlaceKind::Local(local) | PlaceKind::CompoundLiteral { local, .. } => {
                    self.unit.locals[*local].address_taken = true;
                    return;
                }
                _ => return,
            }
        }
    }

    /// The address of members of `*(T *)constant`, as `offsetof` is written by hand.
    fn constant_address(&self, place: &Place) -> Option<i128> {
        match &place.kind {
            PlaceKind::Deref(pointer) => pointer.as_int(),
            PlaceKind::Field {
                base,
                record,
                field,
            } => {
                let offset = self.types().records[*record].fields[*field as usize].offset;
                Some(self.constant_address(base)? + i128::from(offset))
            }
            PlaceKind::Index { base, index } => {
                let size = i128::from(self.types().size_of(place.ty)?);
                let base = self.constant_address(base)?;
                base.checked_add(index.as_int()?.checked_mul(size)?)
            }
            _ => None,
        }
    }

    /// An address as the unsigned value of a pointer.
    pub(super) fn pointer_value(&self, value: i128) -> i128 {
        let kind = self.types().size_t_kind();
        kind.convert(value, self.types().model)
    }

    /// The bit-field an expression reads or has just written: its width decides the promotion. As
    /// in gcc the value of `a, s.f` and of `({ s.f; })` is still one of the bit-field.
    pub(super) fn bit_field(&self, e: &Expr) -> Option<BitField> {
        let mut e = e;
        loop {
            match &e.kind {
                ExprKind::Load(place)
                | ExprKind::Assign { place, .. }
                | ExprKind::CompoundAssign { place, .. }
                | ExprKind::IncDec { place, .. } => return self.place_bit_field(place),
                ExprKind::Comma(_, last) => e = last,
                ExprKind::StmtExpr { value, .. } => e = value.as_deref()?,
                _ => return None,
            }
        }
    }

    pub(super) fn place_bit_field(&self, place: &Place) -> Option<BitField> {
        match place.kind {
            PlaceKind::Field { record, field, .. } => {
                self.types().records[record].fields[field as usize].bits
            }
            _ => None,
        }
    }

    /// The width and sign in which gcc computes with a bit-field wider than int.
    pub(super) fn wide_field(&self, e: &Expr) -> Option<(u32, bool)> {
        match &e.kind {
            ExprKind::Cast(CastKind::Narrow { width, signed }, _) => {
                return Some((*width, *signed));
            }
            ExprKind::Comma(_, last) => return self.wide_field(last),
            _ => {}
        }
        let field = self.bit_field(e)?;
        let kind = self.types().int_kind(e.ty)?;
        let model = self.types().model;
        let wide = field.width > IntKind::Int.bits(model) && field.width < kind.bits(model);
        wide.then_some((field.width, kind.is_signed()))
    }

    /// The width and sign of an operation on two values one of which may be such a field.
    pub(super) fn narrow_common(&self, left: &Expr, right: &Expr) -> Option<(u32, bool)> {
        let model = self.types().model;
        let rank = |e: &Expr| match self.wide_field(e) {
            Some(found) => Some((found, true)),
            None => {
                let kind = self.promoted_kind(e)?;
                Some(((kind.bits(model), kind.is_signed()), false))
            }
        };
        let (l, r) = (rank(left)?, rank(right)?);
        let widest = l.0.0.max(r.0.0);
        // A field counts if no whole type is as wide.
        let field = [l, r].iter().any(|x| x.1 && x.0.0 == widest);
        let whole = [l, r].iter().any(|x| !x.1 && x.0.0 == widest);
        let signed = [l, r].iter().filter(|x| x.0.0 == widest).all(|x| x.0.1);
        (field && !whole).then_some((widest, signed))
    }

    /// The value in the width of a field. Its type has the sign of the field's, also where the common type of the
    /// declared ones is unsigned: a narrower unsigned field and a signed one are computed with a sign.
    pub(super) fn narrowed(&mut self, e: Expr, (width, signed): (u32, bool)) -> Expr {
        let (mut ty, span) = (e.ty, e.span);
        if signed && let Some(kind) = self.types().int_kind(ty) {
            ty = self.unit.types.int(kind.to_signed());
        }
        let kind = CastKind::Narrow { width, signed };
        Expr::new(ExprKind::Cast(kind, Box::new(e)), ty, span)
    }

    pub(super) fn narrowed_if(&mut self, e: Expr, field: Option<(u32, bool)>) -> Expr {
        match field {
            Some(field) => self.narrowed(e, field),
            None => e,
        }
    }

    /// What the integer kind of an expression is promoted to.
    fn promoted_kind(&self, e: &Expr) -> Option<IntKind> {
        let kind = self.types().int_kind(e.ty)?;
        Some(self.promote_kind(kind, self.bit_field(e)))
    }

    pub(super) fn promote_kind(&self, kind: IntKind, bits: Option<BitField>) -> IntKind {
        let model = self.types().model;
        if let Some(field) = bits {
            let int_bits = IntKind::Int.bits(model);
            if field.width < int_bits || field.width == int_bits && kind.is_signed() {
                return IntKind::Int;
            }
            if field.width == int_bits {
                return IntKind::UInt;
            }
            return kind;
        }
        if kind.rank() >= IntKind::Int.rank() {
            return kind;
        }
        // All narrower kinds fit into int.
        IntKind::Int
    }

    /// Integer promotion; other values stay.
    pub(super) fn promote(&mut self, e: Expr) -> Expr {
        let wide = self.wide_field(&e);
        match self.promoted_kind(&e) {
            Some(kind) => {
                let ty = self.unit.types.int(kind);
                let span = e.span;
                let e = self.cast(e, ty, span);
                self.narrowed_if(e, wide)
            }
            None => e,
        }
    }

    /// Default argument promotion: also `float` to `double`.
    pub(super) fn promote_argument(&mut self, e: Expr) -> Expr {
        if *self.types().get(e.ty) == Type::Float(FloatKind::F32) {
            let ty = self.unit.types.float(FloatKind::F64);
            let span = e.span;
            return self.cast(e, ty, span);
        }
        self.promote(e)
    }

    /// The type both arithmetic operands are converted to (6.3.1.8).
    pub(super) fn common_type(&mut self, left: &Expr, right: &Expr) -> TypeId {
        let float = |t: &Type| match *t {
            Type::Float(kind) => Some(kind),
            _ => None,
        };
        let l = float(self.types().get(left.ty));
        let r = float(self.types().get(right.ty));
        if let Some(kind) = l.max(r) {
            return self.unit.types.float(kind);
        }
        let (Some(a), Some(b)) = (self.promoted_kind(left), self.promoted_kind(right)) else {
            return self.error_type();
        };
        if self.exact > 0 {
            return self.unit.types.int(IntKind::Int128);
        }
        let model = self.types().model;
        let narrower = |e: &Expr, than: IntKind| {
            let field = self.wide_field(e);
            field.is_some_and(|(width, _)| width < than.bits(model))
        };
        // A wide bit-field is a type of its own, of less rank than every wider one.
        let kind = match (narrower(left, b), narrower(right, a)) {
            (true, false) => b,
            (false, true) => a,
            _ => self.common_kind(a, b),
        };
        self.unit.types.int(kind)
    }

    pub(super) fn common_kind(&self, a: IntKind, b: IntKind) -> IntKind {
        if a == b {
            return a;
        }
        if a.is_signed() == b.is_signed() {
            return if a.rank() >= b.rank() { a } else { b };
        }
        let (signed, unsigned) = if a.is_signed() { (a, b) } else { (b, a) };
        let model = self.types().model;
        if unsigned.rank() >= signed.rank() {
            unsigned
        } else if signed.size(model) > unsigned.size(model) {
            signed
        } else {
            signed.to_unsigned()
        }
    }

    /// Converts to `ty`; the caller has checked that C allows it. Constants are folded.
    pub(super) fn cast(&mut self, e: Expr, ty: TypeId, span: Span) -> Expr {
        if self.types().is_error(e.ty) {
            return e;
        }
        if e.ty == ty {
            // Converted, a wide bit-field is a value of its declared type like any other.
            return match self.wide_field(&e) {
                Some(_) => Expr::new(ExprKind::Cast(CastKind::Same, Box::new(e)), ty, span),
                None => e,
            };
        }
        let complex = self.complex_part(e.ty).is_some() || self.complex_part(ty).is_some();
        if complex && !self.types().is_void(ty) {
            return self.complex_cast(e, ty, span);
        }
        let kind = self.cast_kind(e.ty, ty);
        if let Some(folded) = self.fold_cast(&e, ty) {
            return Expr::new(folded, ty, span);
        }
        Expr::new(ExprKind::Cast(kind, Box::new(e)), ty, span)
    }

    fn cast_kind(&self, from: TypeId, to: TypeId) -> CastKind {
        let types = self.types();
        if types.is_void(to) {
            return CastKind::ToVoid;
        }
        if types.int_kind(to) == Some(IntKind::Bool) && types.int_kind(from) != Some(IntKind::Bool)
        {
            return CastKind::ToBool;
        }
        let class = |t: TypeId| {
            if types.is_integer(t) {
                'i'
            } else if types.is_float(t) {
                'f'
            } else if types.is_pointer(t) {
                'p'
            } else {
                'o'
            }
        };
        match (class(from), class(to)) {
            ('i', 'i') => CastKind::IntToInt,
            ('i', 'f') => CastKind::IntToFloat,
            ('f', 'i') => CastKind::FloatToInt,
            ('f', 'f') => CastKind::FloatToFloat,
            ('i', 'p') => CastKind::IntToPointer,
            ('p', 'i') => CastKind::PointerToInt,
            ('p', 'p') => CastKind::PointerToPointer,
            _ => CastKind::Same,
        }
    }

    fn fold_cast(&self, e: &Expr, to: TypeId) -> Option<ExprKind> {
        let types = self.types();
        let model = types.model;
        match e.kind {
            ExprKind::Int(value) => {
                if let Some(kind) = types.int_kind(to) {
                    return Some(ExprKind::Int(kind.convert(value, model)));
                }
                if types.is_pointer(to) {
                    return Some(ExprKind::Int(self.pointer_value(value)));
                }
                if let Type::Float(kind) = *types.get(to) {
                    let unsigned = types.int_kind(e.ty) == Some(IntKind::UInt128);
                    let value = match unsigned {
                        true => IBig::from(value as u128),
                        false => IBig::from(value),
                    };
                    return Some(ExprKind::Float(pattern::from_integer(kind.width(), &value)));
                }
                None
            }
            ExprKind::Float(bits) => {
                let Type::Float(from) = *types.get(e.ty) else {
                    return None;
                };
                if let Type::Float(kind) = *types.get(to) {
                    let bits = pattern::convert(from.width(), kind.width(), bits);
                    return Some(ExprKind::Float(bits));
                }
                let kind = types.int_kind(to)?;
                if kind == IntKind::Bool {
                    let zero = pattern::compare(from.width(), bits, 0) == Some(Ordering::Equal);
                    return Some(ExprKind::Int(i128::from(!zero)));
                }
                let (low, high) = kind.range(model);
                // Outside the range the result is undefined: leave it to the lowering.
                let value = i128::try_from(pattern::to_integer(from.width(), bits)?).ok()?;
                (low..=high)
                    .contains(&value)
                    .then_some(ExprKind::Int(value))
            }
            _ => None,
        }
    }

    /// Is this a null pointer constant?
    pub(super) fn is_null_constant(&self, e: &Expr) -> bool {
        e.as_int() == Some(0)
            && (self.types().is_integer(e.ty)
                || self
                    .types()
                    .pointee(e.ty)
                    .is_some_and(|t| self.types().is_void(t)))
    }

    /// Converts as if by assignment to `ty` (6.5.16.1); `what` is for the message.
    pub(super) fn assign_convert(&mut self, e: Expr, ty: TypeId, what: &str) -> Expr {
        let span = e.span;
        if e.ty == ty || self.types().is_error(ty) || self.types().is_error(e.ty) {
            return e;
        }
        if self.types().is_scalar(ty) && self.types().is_scalar(e.ty) {
            let mixes = self.types().is_float(ty) && self.types().is_pointer(e.ty)
                || self.types().is_pointer(ty) && self.types().is_float(e.ty);
            if !mixes {
                return self.cast(e, ty, span);
            }
        } else if self.compatible(e.ty, ty, 0) || self.both_numbers(e.ty, ty) {
            return self.cast(e, ty, span);
        } else if self.vector_parts(ty).is_some() && self.same_bytes(e.ty, ty) {
            return self.reinterpreted(e, ty, span);
        } else if let Some(record) = self.types().record(ty)
            && self.types().records[record].transparent
            && let Some(union) = self.union_of(&e, ty, span)
        {
            return union;
        }
        let (from, to) = (self.show(e.ty), self.show(ty));
        self.error(span, format!("{what}: cannot convert `{from}` to `{to}`"));
        self.error_expr(span)
    }

    /// Two numbers, real or complex.
    pub(super) fn both_numbers(&self, a: TypeId, b: TypeId) -> bool {
        [a, b]
            .iter()
            .all(|&ty| self.is_real(ty) || self.complex_part(ty).is_some())
    }

    /// The union with the first member that has the value's type.
    pub(super) fn union_of(&mut self, e: &Expr, ty: TypeId, span: Span) -> Option<Expr> {
        let record = self.types().record(ty)?;
        if !self.types().records[record].is_union {
            return None;
        }
        let fields = &self.types().records[record].fields;
        let exact = fields.iter().position(|f| self.compatible(f.ty, e.ty, 0));
        let address = self.types().is_pointer(e.ty) || self.is_null_constant(e);
        let loose = || {
            let mut fields = fields.iter();
            fields.position(|f| address && self.types().is_pointer(f.ty))
        };
        let field = exact.or_else(loose)?;
        let field_ty = fields[field].ty;
        let value = Box::new(self.cast(e.clone(), field_ty, span));
        Some(Expr::new(
            ExprKind::UnionOf {
                field: field as u32,
                value,
            },
            ty,
            span,
        ))
    }

    /// Type compatibility (6.2.7), without qualifiers; records and enums by tag, since files are
    /// linked.
    pub(super) fn compatible(&self, a: TypeId, b: TypeId, depth: u32) -> bool {
        if a == b || depth > 32 {
            return true;
        }
        let types = self.types();
        match (types.get(a), types.get(b)) {
            (Type::Error, _) | (_, Type::Error) => true,
            (Type::Pointer(x), Type::Pointer(y)) => self.compatible(*x, *y, depth + 1),
            (Type::Array(x, n), Type::Array(y, m)) => {
                let lengths = match (n, m) {
                    (ArrayLen::Fixed(n), ArrayLen::Fixed(m)) => n == m,
                    _ => true,
                };
                lengths && self.compatible(*x, *y, depth + 1)
            }
            (Type::Function(f), Type::Function(g)) => {
                self.compatible(f.ret, g.ret, depth + 1)
                    && (f.unprototyped
                        || g.unprototyped
                        || f.variadic == g.variadic
                            && f.params.len() == g.params.len()
                            && f.params
                                .iter()
                                .zip(&g.params)
                                .all(|(&x, &y)| self.compatible(x, y, depth + 1)))
            }
            (Type::Record(x), Type::Record(y)) => {
                let (x, y) = (&types.records[*x], &types.records[*y]);
                x.is_union == y.is_union
                    && x.tag == y.tag
                    && (x.tag.is_some() || x.size == y.size && x.fields.len() == y.fields.len())
            }
            (Type::Enum(x), Type::Enum(y)) => {
                let (x, y) = (&types.enums[*x], &types.enums[*y]);
                x.tag == y.tag && (x.tag.is_some() || x.constants == y.constants)
            }
            (Type::Enum(x), Type::Int(kind)) | (Type::Int(kind), Type::Enum(x)) => {
                types.enums[*x].underlying == *kind
            }
            _ => false,
        }
    }

    /// Size of a type, also of a VLA; `None` if incomplete.
    pub(super) fn size_form(&self, ty: TypeId) -> Option<SizeOf> {
        let mut lengths = Vec::new();
        let mut factor = 1u64;
        let mut ty = ty;
        loop {
            match *self.types().get(ty) {
                Type::Array(element, ArrayLen::Variable(local)) => {
                    lengths.push(local);
                    ty = element;
                }
                Type::Array(element, ArrayLen::Fixed(n)) => {
                    factor = factor.checked_mul(n)?;
                    ty = element;
                }
                _ => {
                    factor = factor.checked_mul(self.types().size_of(ty)?)?;
                    return Some(SizeOf { factor, lengths });
                }
            }
        }
    }
}
