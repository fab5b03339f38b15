//! Values that consist of parts, complex numbers and vectors: their operators work on the parts.
//!
//! An operand is held in a hidden local, so that it is evaluated once, and the result is a compound
//! literal of the parts:
//!
//! ```text
//!   a + b     ({ T l = a; T r = b; (T){l.re + r.re, l.im + r.im}; })
//! ```
//! Constants need no local: their parts are read off the literal, also at file scope. The lowering
//! knows records and arrays of parts and nothing of these operators.

use super::super::hir::{
    Block, Expr, ExprKind, Init, InitItem, InitValue, LocalKind, Place, PlaceKind, Step, Stmt,
    StmtKind,
};
use super::super::types::{Type, TypeId};
use super::{Operand, Sema};
use crate::c::syntax::ast;
use program::Span;

/// The declarations of the hidden locals of one operator, in order of evaluation.
pub(super) type Held = Vec<Stmt>;

impl Sema<'_, '_> {
    /// The type of a complex number's two parts.
    pub(super) fn complex_part(&self, ty: TypeId) -> Option<TypeId> {
        self.types().complex_part(ty)
    }

    /// The element type and length of a vector.
    pub(super) fn vector_parts(&self, ty: TypeId) -> Option<(TypeId, u64)> {
        match *self.types().get(ty) {
            Type::Vector(element, n) => Some((element, n)),
            _ => None,
        }
    }

    pub(super) fn has_parts(&self, ty: TypeId) -> bool {
        self.complex_part(ty).is_some() || self.vector_parts(ty).is_some()
    }

    /// The steps to the parts of a type, their offsets and types.
    fn part_steps(&self, ty: TypeId) -> Vec<(Step, u64, TypeId)> {
        if let Some((element, n)) = self.vector_parts(ty) {
            let size = self.types().size_of(element).unwrap_or(1);
            return (0..n)
                .map(|i| (Step::Index(i), i * size, element))
                .collect();
        }
        let Some(record) = self.types().record(ty) else {
            return Vec::new();
        };
        let fields = self.types().records[record].fields.iter().enumerate();
        fields
            .map(|(i, f)| (Step::Field(record, i as u32), f.offset, f.ty))
            .collect()
    }

    /// The place of a part.
    pub(super) fn part_place(&mut self, base: &Place, index: u64) -> Place {
        let span = base.span;
        let base_box = Box::new(base.clone());
        if let Some((element, _)) = self.vector_parts(base.ty) {
            let size_t = self.types().size_t_kind();
            let index = Box::new(self.int_expr(i128::from(index), size_t, span));
            let kind = PlaceKind::Index {
                base: base_box,
                index,
            };
            return Place {
                kind,
                ty: element,
                span,
            };
        }
        let record = self.types().record(base.ty);
        let record = record.expect("only complex numbers and vectors have parts");
        let ty = self.types().records[record].fields[index as usize].ty;
        let kind = PlaceKind::Field {
            base: base_box,
            record,
            field: index as u32,
        };
        Place { kind, ty, span }
    }

    /// A hidden local with the value; outside functions only constants have a meaning.
    pub(super) fn hold_in_local(&mut self, e: Expr, held: &mut Held) -> Place {
        let (ty, span) = (e.ty, e.span);
        if self.func.is_none() {
            self.error(span, "the initialiser of a static object is not constant");
            let kind = PlaceKind::Temporary(Box::new(self.error_expr(span)));
            return Place { kind, ty, span };
        }
        let quals = ast::Qualifiers::default();
        let local = self.new_local("", ty, span, LocalKind::Auto, quals);
        let init = Some(self.scalar_init(e));
        let kind = StmtKind::Decl { local, init };
        held.push(Stmt { kind, span });
        let kind = PlaceKind::Local(local);
        Place { kind, ty, span }
    }

    /// The parts of a value, which is evaluated here.
    pub(super) fn take_apart(&mut self, e: Expr, held: &mut Held) -> Vec<Expr> {
        if let Some(parts) = self.constant_parts(&e) {
            return parts;
        }
        let place = self.hold_in_local(e, held);
        let count = self.part_steps(place.ty).len() as u64;
        (0..count)
            .map(|i| {
                let part = self.part_place(&place, i);
                self.load(part)
            })
            .collect()
    }

    /// A scalar that is used more than once.
    pub(super) fn hold(&mut self, e: Expr, held: &mut Held) -> Expr {
        if matches!(e.kind, ExprKind::Int(_) | ExprKind::Float(_)) {
            return e;
        }
        let place = self.hold_in_local(e, held);
        self.load(place)
    }

    fn constant_parts(&mut self, e: &Expr) -> Option<Vec<Expr>> {
        let ExprKind::Load(place) = &e.kind else {
            return None;
        };
        let literal = match &place.kind {
            PlaceKind::CompoundLiteral { .. } => true,
            PlaceKind::Global(g) => {
                self.func.is_none() || self.unit.globals[*g].source_name.is_none()
            }
            _ => false,
        };
        if !literal {
            return None;
        }
        let count = self.part_steps(place.ty).len() as u64;
        let mut parts = Vec::new();
        for i in 0..count {
            let part = self.part_place(place, i);
            let kind = self.initial_value(&part)?;
            parts.push(Expr::new(kind, part.ty, e.span));
        }
        Some(parts)
    }

    /// The value with these parts, each converted to its type.
    pub(super) fn put_together(&mut self, ty: TypeId, parts: Vec<Expr>, span: Span) -> Expr {
        let steps = self.part_steps(ty);
        let items = steps.into_iter().zip(parts);
        let items = items.map(|((step, offset, ty), value)| InitItem {
            path: vec![step],
            offset,
            ty,
            value: InitValue::Expr(self.cast(value, ty, span)),
            span,
        });
        let init = Init {
            zero_rest: false,
            items: items.collect(),
        };
        let place = self.literal_object(ty, init, span);
        self.load(place)
    }

    /// The value after the declarations of what it uses.
    pub(super) fn after_held(&mut self, held: Held, value: Expr) -> Expr {
        if held.is_empty() {
            return value;
        }
        let (ty, span) = (value.ty, value.span);
        let block = Block { stmts: held, span };
        let value = Some(Box::new(value));
        Expr::new(ExprKind::StmtExpr { block, value }, ty, span)
    }

    /// `place op= value` and its like, for values with parts: the place is evaluated once. The value
    /// is the new one, or the `old` one.
    pub(super) fn update(
        &mut self,
        place: Place,
        want_old: bool,
        span: Span,
        new: impl FnOnce(&mut Self, Expr) -> Expr,
    ) -> Expr {
        let mut held = Held::new();
        let ty = place.ty;
        let place = match self.hold_place(place, &mut held, span) {
            Ok(place) => place,
            Err(error) => return error,
        };
        let mut old = self.load(place.clone());
        if want_old {
            let kept = self.hold_in_local(old, &mut held);
            old = self.load(kept);
        }
        let value = new(self, old.clone());
        let value = Box::new(self.assign_convert(value, ty, "assignment"));
        let place = Box::new(place);
        let assigned = Expr::new(ExprKind::Assign { place, value }, ty, span);
        let result = match want_old {
            true => {
                let (assigned, old) = (Box::new(assigned), Box::new(old));
                Expr::new(ExprKind::Comma(assigned, old), ty, span)
            }
            false => assigned,
        };
        self.after_held(held, result)
    }

    /// The place with its address evaluated once; a member (which may be a bit-field, without an address) by that of its
    /// record. In the error case what stands for the place.
    fn hold_place(&mut self, place: Place, held: &mut Held, span: Span) -> Result<Place, Expr> {
        if is_plain(&place) {
            return Ok(place);
        }
        if let PlaceKind::Field {
            base,
            record,
            field,
        } = place.kind
        {
            let base = Box::new(self.hold_place(*base, held, span)?);
            let kind = PlaceKind::Field {
                base,
                record,
                field,
            };
            return Ok(Place { kind, ..place });
        }
        let address = self.address_of(Operand::Place(place), span);
        let pointer = self.hold_in_local(address, held);
        let pointer = self.load(pointer);
        match self.deref(pointer, span) {
            Operand::Place(place) => Ok(place),
            Operand::Value(e) | Operand::Function(e) => Err(e),
        }
    }
}

/// Does evaluating the place again change nothing?
fn is_plain(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Global(_) | PlaceKind::Local(_) => true,
        PlaceKind::Field { base, .. } => is_plain(base),
        PlaceKind::Index { base, index } => is_plain(base) && index.as_int().is_some(),
        _ => false,
    }
}
