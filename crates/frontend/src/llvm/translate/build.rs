//! Small makers of the tree.

use super::Translator;
use crate::c::hir::{
    BinaryOp, CastKind, Expr, ExprKind, FuncId, LocalId, LocalKind, Place, PlaceKind, SizeOf, Stmt,
    StmtKind, UnaryOp,
};
use crate::c::types::{IntKind, TypeId};

impl Translator<'_, '_> {
    pub(super) fn expr(&self, kind: ExprKind, ty: TypeId) -> Expr {
        Expr::new(kind, ty, self.f.span)
    }

    pub(super) fn emit(&mut self, kind: StmtKind) {
        let span = self.f.span;
        self.f.stmts.push(Stmt { kind, span });
    }

    pub(super) fn stmt(&self, kind: StmtKind) -> Stmt {
        let span = self.f.span;
        Stmt { kind, span }
    }

    pub(super) fn emit_expr(&mut self, e: Expr) {
        self.emit(StmtKind::Expr(e));
    }

    pub(super) fn number(&mut self, value: i128, ty: TypeId) -> Expr {
        let value = match self.unit.types.int_kind(ty) {
            Some(kind) => kind.convert(value, self.unit.types.model),
            None => value,
        };
        self.expr(ExprKind::Int(value), ty)
    }

    pub(super) fn int(&mut self, value: i128) -> Expr {
        let ty = self.unit.types.int(IntKind::Int);
        self.number(value, ty)
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let ty = if op.is_comparison() {
            self.unit.types.int(IntKind::Int)
        } else {
            a.ty
        };
        self.expr(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty)
    }

    pub(super) fn not(&mut self, a: Expr) -> Expr {
        let ty = self.unit.types.int(IntKind::Int);
        self.expr(ExprKind::Unary(UnaryOp::Not, Box::new(a)), ty)
    }

    pub(super) fn both(&mut self, a: Expr, b: Expr) -> Expr {
        let ty = self.unit.types.int(IntKind::Int);
        self.expr(ExprKind::LogicalAnd(Box::new(a), Box::new(b)), ty)
    }

    pub(super) fn either(&mut self, a: Expr, b: Expr) -> Expr {
        let ty = self.unit.types.int(IntKind::Int);
        self.expr(ExprKind::LogicalOr(Box::new(a), Box::new(b)), ty)
    }

    pub(super) fn conditional(&mut self, cond: Expr, then: Expr, els: Expr) -> Expr {
        let ty = then.ty;
        let kind = ExprKind::Conditional {
            cond: Box::new(cond),
            then: Box::new(then),
            els: Box::new(els),
        };
        self.expr(kind, ty)
    }

    /// The value in another scalar type.
    pub(super) fn cast(&mut self, e: Expr, to: TypeId) -> Expr {
        if e.ty == to {
            return e;
        }
        let types = &self.unit.types;
        let (from_int, to_int) = (types.is_integer(e.ty), types.is_integer(to));
        let (from_float, to_float) = (types.is_float(e.ty), types.is_float(to));
        let (from_pointer, to_pointer) = (types.is_pointer(e.ty), types.is_pointer(to));
        if let (Some(n), Some(kind)) = (e.as_int(), types.int_kind(to))
            && from_int
            && kind != IntKind::Bool
        {
            return self.number(n, to);
        }
        let kind = match () {
            () if types.int_kind(to) == Some(IntKind::Bool) => CastKind::ToBool,
            () if from_int && to_int => CastKind::IntToInt,
            () if from_int && to_float => CastKind::IntToFloat,
            () if from_float && to_int => CastKind::FloatToInt,
            () if from_float && to_float => CastKind::FloatToFloat,
            () if from_int && to_pointer => CastKind::IntToPointer,
            () if from_pointer && to_int => CastKind::PointerToInt,
            () if from_pointer && to_pointer => CastKind::PointerToPointer,
            () => CastKind::Same,
        };
        self.expr(ExprKind::Cast(kind, Box::new(e)), to)
    }

    /// Keeps the low `bits` bits of a number whose type has more.
    pub(super) fn narrow(&mut self, e: Expr, bits: u32, signed: bool) -> Expr {
        let ty = e.ty;
        let kind = CastKind::Narrow {
            width: bits,
            signed,
        };
        self.expr(ExprKind::Cast(kind, Box::new(e)), ty)
    }

    pub(super) fn load(&self, place: Place) -> Expr {
        let ty = place.ty;
        self.expr(ExprKind::Load(Box::new(place)), ty)
    }

    pub(super) fn assign(&self, place: Place, value: Expr) -> Expr {
        let ty = place.ty;
        let kind = ExprKind::Assign {
            place: Box::new(place),
            value: Box::new(value),
        };
        self.expr(kind, ty)
    }

    pub(super) fn emit_assign(&mut self, place: Place, value: Expr) {
        let e = self.assign(place, value);
        self.emit_expr(e);
    }

    pub(super) fn local_place(&self, local: LocalId) -> Place {
        Place {
            kind: PlaceKind::Local(local),
            ty: self.unit.locals[local].ty,
            span: self.f.span,
        }
    }

    pub(super) fn field_place(&self, base: Place, field: u32) -> Place {
        let record = self
            .unit
            .types
            .record(base.ty)
            .expect("a member is of a record");
        let ty = self.unit.types.records[record].fields[field as usize].ty;
        Place {
            kind: PlaceKind::Field {
                base: Box::new(base),
                record,
                field,
            },
            ty,
            span: self.f.span,
        }
    }

    pub(super) fn index_place(&self, base: Place, index: Expr) -> Place {
        let ty = self
            .unit
            .types
            .element(base.ty)
            .expect("an element is of an array");
        Place {
            kind: PlaceKind::Index {
                base: Box::new(base),
                index: Box::new(index),
            },
            ty,
            span: self.f.span,
        }
    }

    /// `*(ty *)pointer`
    pub(super) fn deref(&mut self, pointer: Expr, ty: TypeId) -> Place {
        let to = self.unit.types.pointer(ty);
        let pointer = self.cast(pointer, to);
        Place {
            kind: PlaceKind::Deref(Box::new(pointer)),
            ty,
            span: self.f.span,
        }
    }

    pub(super) fn address(&mut self, place: Place) -> Expr {
        let ty = self.unit.types.pointer(place.ty);
        self.expr(ExprKind::AddressOf(Box::new(place)), ty)
    }

    pub(super) fn offset(&mut self, pointer: Expr, index: Expr, size: u64) -> Expr {
        if index.as_int() == Some(0) {
            return pointer;
        }
        let ty = pointer.ty;
        let size = SizeOf {
            factor: size,
            lengths: Vec::new(),
        };
        let kind = ExprKind::PointerOffset {
            pointer: Box::new(pointer),
            index: Box::new(index),
            subtract: false,
            size: Box::new(size),
        };
        self.expr(kind, ty)
    }

    pub(super) fn new_local(&mut self, name: &str, ty: TypeId, kind: LocalKind) -> LocalId {
        self.unit.locals.push(crate::c::hir::Local {
            name: name.into(),
            ty,
            span: self.f.span,
            kind,
            function: self.f.id,
            is_const: false,
            is_volatile: false,
            address_taken: false,
        })
    }

    /// Any value, which nothing decides.
    pub(super) fn open_value(&mut self, ty: TypeId) -> Expr {
        let local = self.new_local("", ty, LocalKind::Auto);
        self.emit(StmtKind::Decl { local, init: None });
        let place = self.local_place(local);
        self.load(place)
    }

    /// Some value that is not modelled; an error that depends on it does not count.
    pub(super) fn approximation(&mut self, ty: TypeId, what: &str) -> Expr {
        let span = self.f.span;
        self.note(span, format!("{what}: any value"));
        if !self.unit.types.is_scalar(ty) {
            let local = self.new_local("", ty, LocalKind::Auto);
            self.emit(StmtKind::Decl { local, init: None });
            let place = self.local_place(local);
            for leaf in self.leaf_places(&place, 64).unwrap_or_default() {
                let any = self.approximation(leaf.ty, what);
                self.emit_assign(leaf, any);
            }
            return self.load(place);
        }
        // Evaluated here, once.
        let kind = ExprKind::Intrinsic {
            name: "__builtin_craig_any_value".into(),
            args: Vec::new(),
        };
        let any = self.expr(kind, ty);
        let local = self.new_local("", ty, LocalKind::Auto);
        let place = self.local_place(local);
        self.emit_assign(place.clone(), any);
        self.load(place)
    }

    pub(super) fn intrinsic(
        &mut self,
        name: impl Into<String>,
        args: Vec<Expr>,
        ty: TypeId,
    ) -> Expr {
        let kind = ExprKind::Intrinsic {
            name: name.into(),
            args,
        };
        self.expr(kind, ty)
    }

    pub(super) fn call_direct(&mut self, f: FuncId, args: Vec<Expr>, ret: TypeId) -> Expr {
        let callee = crate::c::hir::Callee::Direct(f);
        self.expr(ExprKind::Call { callee, args }, ret)
    }
}
