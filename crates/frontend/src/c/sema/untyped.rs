//! Loops over the bytes of untyped memory become what they do to the memory as a whole.
//!
//! ```text
//! void *copy(void *d, const void *s, size_t n) {
//!   for (size_t i = 0; i < n; i++) ((char *)d)[i] = ((char *)s)[i];   →   if (0 < n) copy_up(d, s, n);
//! ```
//! Programs with a `memcpy` or `memset` of their own (proofs, freestanding code) hand records to them. Seen byte
//! by byte, every record that any caller hands over would be kept in bytes; as a whole it keeps its fields, as
//! with the library's functions. Only functions with a parameter of type `void *` are looked at: others mean bytes.
//!
//! Sound because pointers, length and value are read from locals that the loop does not change and nobody has the
//! address of, the counter is known inside the loop only, and elements are single bytes, so that the loop
//! touches `n` bytes from the pointer on, upwards. Upward copies that overlap are left open when lowered
//! (`library/memory.rs`).

use super::super::hir::visit::{VisitorMut, changing};
use super::super::hir::{
    BinaryOp, CastKind, Expr, ExprKind, FuncId, InitValue, LocalId, Place, PlaceKind, Stmt,
    StmtKind, Unit,
};
use super::super::types::{TypeId, Types};
use base::{Id, IndexVec};
use program::Span;

/// `p, value, n`.
pub const SET: &str = "__builtin_craig_set_bytes";
/// `to, from, n`; the lowest byte first.
pub const COPY: &str = "__builtin_craig_copy_up";

pub(super) fn recognise(unit: &mut Unit) {
    for i in 0..unit.functions.len() {
        let f = FuncId::from_index(i);
        let Some(mut body) = unit.functions[f].body.take() else {
            continue;
        };
        let untyped = |&p: &LocalId| {
            let to = unit.types.pointee(unit.locals[p].ty);
            to.is_some_and(|t| unit.types.is_void(t))
        };
        if !unit.functions[f].library && body.params.iter().any(untyped) {
            let void = unit.types.void();
            let (void_pointer, size_t) = (unit.types.pointer(void), unit.types.size_t());
            let mut loops = Loops {
                types: &unit.types,
                locals: &unit.locals,
                void,
                void_pointer,
                size_t,
            };
            changing::block(&mut loops, &mut body.block);
        }
        unit.functions[f].body = Some(body);
    }
}

struct Loops<'u> {
    types: &'u Types,
    locals: &'u IndexVec<LocalId, super::super::hir::Local>,
    void: TypeId,
    void_pointer: TypeId,
    size_t: TypeId,
}

impl VisitorMut for Loops<'_> {
    fn after_stmt(&mut self, s: &mut Stmt) {
        if let Some(kind) = self.whole(s) {
            s.kind = kind;
        }
    }
}

impl Loops<'_> {
    fn whole(&self, s: &Stmt) -> Option<StmtKind> {
        let StmtKind::For {
            init,
            cond: Some(cond),
            step: Some(step),
            body,
        } = &s.kind
        else {
            return None;
        };
        let counter = self.counter(init)?;
        let length = self.length(cond, counter)?;
        if !steps(step, counter) {
            return None;
        }
        let (place, value) = assignment(body)?;
        let to = self.element(place, counter)?;
        let one = |t: TypeId| self.types.size_of(t) == Some(1) && self.types.is_integer(t);
        let (name, second) = match source(value) {
            Some(from) if one(value.ty) && one(from.ty) => {
                let from = self.element(from, counter)?;
                (
                    COPY,
                    self.cast(CastKind::PointerToPointer, from, self.void_pointer),
                )
            }
            _ if self.is_fixed(value, counter) => (SET, value.clone()),
            _ => return None,
        };
        let to = self.cast(CastKind::PointerToPointer, to, self.void_pointer);
        let bytes = self.cast(CastKind::IntToInt, length, self.size_t);
        let args = vec![to, second, bytes];
        let name = name.to_string();
        let call = Expr::new(ExprKind::Intrinsic { name, args }, self.void, s.span);
        let zero = Expr::new(ExprKind::Int(0), length.ty, s.span);
        let some = ExprKind::Binary(BinaryOp::Lt, Box::new(zero), Box::new(length.clone()));
        Some(StmtKind::If {
            cond: Expr::new(some, cond.ty, s.span),
            then: Box::new(stmt(StmtKind::Expr(call), s.span)),
            els: None,
        })
    }

    /// `T i = 0`, and nothing else.
    fn counter(&self, init: &[Stmt]) -> Option<LocalId> {
        let [
            Stmt {
                kind:
                    StmtKind::Decl {
                        local,
                        init: Some(init),
                    },
                ..
            },
        ] = init
        else {
            return None;
        };
        let [item] = init.items.as_slice() else {
            return None;
        };
        let InitValue::Expr(value) = &item.value else {
            return None;
        };
        let zero = uncast(value).as_int() == Some(0);
        (zero && self.is_plain(*local)).then_some(*local)
    }

    /// `i < n`, both of the counter's type.
    fn length<'e>(&self, cond: &'e Expr, counter: LocalId) -> Option<&'e Expr> {
        let ExprKind::Binary(BinaryOp::Lt, i, n) = &cond.kind else {
            return None;
        };
        let ty = self.locals[counter].ty;
        let same = is_local(i, counter) && i.ty == ty && n.ty == ty;
        (same && self.types.is_integer(ty) && self.is_fixed(n, counter)).then_some(n)
    }

    /// The pointer of `p[i]` with elements of one byte.
    fn element<'e>(&self, place: &'e Place, counter: LocalId) -> Option<&'e Expr> {
        let PlaceKind::Deref(address) = &place.kind else {
            return None;
        };
        let ExprKind::PointerOffset {
            pointer,
            index,
            subtract: false,
            size,
        } = &address.kind
        else {
            return None;
        };
        let byte = size.factor == 1 && size.lengths.is_empty();
        let here = is_local(uncast(index), counter) && widens(self.types, index);
        let one = self.types.size_of(place.ty) == Some(1) && self.types.is_integer(place.ty);
        (byte && here && one && self.is_fixed(pointer, counter)).then_some(pointer)
    }

    /// A local that only assignments by name change.
    fn is_plain(&self, local: LocalId) -> bool {
        let l = &self.locals[local];
        !l.address_taken && !l.is_volatile
    }

    /// Has the value no effects, and is it the same in every turn?
    fn is_fixed(&self, e: &Expr, counter: LocalId) -> bool {
        match &e.kind {
            ExprKind::Int(_) => true,
            ExprKind::Load(p) => match p.kind {
                PlaceKind::Local(l) => l != counter && self.is_plain(l),
                _ => false,
            },
            ExprKind::Cast(
                CastKind::IntToInt | CastKind::PointerToPointer | CastKind::Same,
                inner,
            ) => self.is_fixed(inner, counter),
            ExprKind::Binary(BinaryOp::BitAnd, a, b) => {
                self.is_fixed(a, counter) && self.is_fixed(b, counter)
            }
            _ => false,
        }
    }

    fn cast(&self, kind: CastKind, e: &Expr, ty: TypeId) -> Expr {
        Expr::new(ExprKind::Cast(kind, Box::new(e.clone())), ty, e.span)
    }
}

fn stmt(kind: StmtKind, span: Span) -> Stmt {
    Stmt { kind, span }
}

/// Without conversions between integers.
fn uncast(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast(CastKind::IntToInt | CastKind::Same, inner) => uncast(inner),
        _ => e,
    }
}

/// Do the conversions around an index keep its value?
fn widens(types: &Types, e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Cast(CastKind::Same, inner) => widens(types, inner),
        ExprKind::Cast(_, inner) => {
            types.size_of(inner.ty) < types.size_of(e.ty) && widens(types, inner)
        }
        _ => true,
    }
}

fn is_local(e: &Expr, local: LocalId) -> bool {
    matches!(&e.kind, ExprKind::Load(p) if matches!(p.kind, PlaceKind::Local(l) if l == local))
}

/// `i++` or `++i`.
fn steps(e: &Expr, counter: LocalId) -> bool {
    match &e.kind {
        ExprKind::IncDec {
            place,
            decrement: false,
            size: None,
            ..
        } => matches!(place.kind, PlaceKind::Local(l) if l == counter),
        ExprKind::Cast(CastKind::ToVoid, inner) => steps(inner, counter),
        _ => false,
    }
}

/// The body is one assignment.
fn assignment(body: &Stmt) -> Option<(&Place, &Expr)> {
    match &body.kind {
        StmtKind::Block(b) => match b.stmts.as_slice() {
            [only] => assignment(only),
            _ => None,
        },
        StmtKind::Expr(e) => match &e.kind {
            ExprKind::Assign { place, value } => Some((place, value)),
            _ => None,
        },
        _ => None,
    }
}

/// The place that a byte is read from, conversions looked through.
fn source(value: &Expr) -> Option<&Place> {
    match &uncast(value).kind {
        ExprKind::Load(p) if matches!(p.kind, PlaceKind::Deref(_)) => Some(p),
        _ => None,
    }
}
