//! Values that are records: structs and arrays in locals; atomics; variable arguments.

use super::super::module::{Op, Ty, Typed, Value, ValueId};
use super::Translator;
use crate::c::hir::{BinaryOp, Expr, ExprKind, LocalKind, Place, StmtKind};

impl<'t> Translator<'_, 't> {
    /// An instruction whose result is a record: its local is written part by part.
    pub(super) fn aggregate_op(&mut self, op: &Op<'t>, r: ValueId, ty: Ty) {
        let result = self.local_of(r);
        let place = self.local_place(result);
        match op {
            Op::InsertValue(a, b, path) => {
                self.fill_from(&place, a);
                let mut part = place;
                for &k in path {
                    part = self.element_place(part, k);
                }
                self.fill_from(&part, b);
            }
            Op::ExtractValue(a, path) => {
                let mut from = self.aggregate(a);
                for &k in path {
                    from = self.element_place(from, k);
                }
                self.copy(&place, &from);
            }
            Op::Load(_, p) => {
                let from = self.access(p, ty);
                self.flush_writes(&place);
                self.copy(&place, &from);
            }
            Op::Freeze(a) => self.fill_from(&place, a),
            Op::Select(c, a, b) if !self.is_aggregate(c.ty) => {
                let cond = self.truth(&c.value);
                let before = std::mem::take(&mut self.f.stmts);
                self.fill_from(&place, a);
                let yes = std::mem::take(&mut self.f.stmts);
                self.fill_from(&place, b);
                let no = std::mem::replace(&mut self.f.stmts, before);
                let span = self.f.span;
                let block =
                    |t: &Self, stmts| t.stmt(StmtKind::Block(crate::c::hir::Block { stmts, span }));
                let (then, els) = (Box::new(block(self, yes)), Some(Box::new(block(self, no))));
                self.emit(StmtKind::If { cond, then, els });
            }
            Op::InsertElement(a, b, i) => {
                self.fill_from(&place, a);
                match i.value {
                    Value::Int(k) if !self.has_lane(ty, k) => self.lost(&place, "poison"),
                    Value::Int(k) => {
                        let part = self.element_place(place, k as u64);
                        self.fill_from(&part, b);
                    }
                    _ => self.lost(&place, "insertelement at an unknown place"),
                }
            }
            Op::Shuffle(a, b, mask) => self.shuffle(&place, a, b, mask),
            Op::CompareExchange(p, old, new) => self.compare_exchange(&place, p, old, new),
            Op::LandingPad { clauses, .. } => self.landing_pad(&place, clauses),
            Op::Cast("bitcast", _, a, _) => self.vector_bits(&place, a, ty),
            _ if self.is_wide(ty) => self.wide_op(op, &place, ty),
            _ => self.lanes(op, &place, ty),
        }
    }

    pub(super) fn lost(&mut self, place: &Place, what: &str) {
        let leaves = self.leaf_places(place, 256).unwrap_or_default();
        for leaf in leaves {
            let any = self.approximation(leaf.ty, what);
            self.emit_assign(leaf, any);
        }
    }

    pub(super) fn va_arg(&mut self, list: &Typed<'t>, ty: Ty, signed: bool) -> Expr {
        let hir = self.ty(ty, signed);
        let va_list = self.unit.types.va_list();
        let p = self.pointer(&list.value);
        let p = self.pointer_value(p);
        let place = self.deref(p, va_list);
        self.f.reads.memory = true;
        let e = self.expr(ExprKind::VaArg(Box::new(place)), hir);
        // It moves the list: computed where it stands.
        let local = self.new_local("", hir, LocalKind::Auto);
        let to = self.local_place(local);
        self.emit_assign(to.clone(), e);
        self.load(to)
    }

    pub(super) fn atomic(&mut self, how: &str, p: &Value<'t>, v: &Typed<'t>, r: ValueId) -> Expr {
        let signed = self.signs.value(self.f.index, r);
        let hir = self.ty(v.ty, signed);
        let place = self.access(p, v.ty);
        let old = self.new_local("", hir, LocalKind::Auto);
        let old = self.local_place(old);
        let value = self.load(place.clone());
        let value = self.cast(value, hir);
        self.flush_writes(&place);
        self.emit_assign(old.clone(), value);
        let operand_signed = matches!(how, "max" | "min");
        let bits = self.module.int_bits(v.ty).unwrap_or(64);
        let x = self.scalar(&v.value, v.ty, operand_signed);
        let before = self.load(old.clone());
        let before = if self.unit.types.is_integer(hir) {
            self.with_sign(before, bits, operand_signed)
        } else {
            before
        };
        let op = match how {
            "add" => Some(BinaryOp::Add),
            "sub" => Some(BinaryOp::Sub),
            "and" => Some(BinaryOp::BitAnd),
            "or" => Some(BinaryOp::BitOr),
            "xor" => Some(BinaryOp::BitXor),
            _ => None,
        };
        let new = match (how, op) {
            ("xchg", _) => x,
            (_, Some(op)) if self.unit.types.is_integer(x.ty) => self.binary(op, before, x),
            ("max" | "umax" | "min" | "umin", _) => {
                let op = if how.ends_with("max") {
                    BinaryOp::Gt
                } else {
                    BinaryOp::Lt
                };
                let c = self.binary(op, before.clone(), x.clone());
                self.conditional(c, before, x)
            }
            _ => self.approximation(place.ty, "atomic operation"),
        };
        let new = self.cast(new, place.ty);
        self.emit_assign(place, new);
        self.load(old)
    }

    fn compare_exchange(
        &mut self,
        result: &Place,
        p: &Value<'t>,
        old: &Typed<'t>,
        new: &Typed<'t>,
    ) {
        let place = self.access(p, old.ty);
        let signed = self.sign_in(place.ty);
        let first = self.element_place(result.clone(), 0);
        let second = self.element_place(result.clone(), 1);
        self.flush_writes(&place);
        let seen = self.load(place.clone());
        let seen = self.cast(seen, first.ty);
        self.emit_assign(first.clone(), seen);
        let wanted = self.scalar(&old.value, old.ty, signed);
        let seen = self.load(first);
        let seen = self.cast(seen, wanted.ty);
        let hit = self.binary(BinaryOp::Eq, seen, wanted);
        let hit = self.cast(hit, second.ty);
        self.emit_assign(second.clone(), hit);
        let new = self.scalar(&new.value, new.ty, signed);
        let new = self.cast(new, place.ty);
        let cond = self.load(second);
        let write = self.assign(place, new);
        let then = Box::new(self.stmt(StmtKind::Expr(write)));
        self.emit(StmtKind::If {
            cond,
            then,
            els: None,
        });
    }

    /// An allocation of variable size.
    pub(super) fn dynamic_alloca(&mut self, r: ValueId, ty: Ty, n: &Typed<'t>) {
        let size_t = self.unit.types.size_t();
        let count = self.scalar(&n.value, n.ty, false);
        let count = self.cast(count, size_t);
        let bytes_each = self.size(ty);
        let local = self.new_local("", size_t, LocalKind::Auto);
        let number = self.local_place(local);
        self.emit_assign(number.clone(), count);
        // More bytes than there are addresses are undefined.
        let most = (1i128 << (8 * self.unit.types.pointer_size())) - 1;
        let most = self.number(most / i128::from(bytes_each.max(1)), size_t);
        let count = self.load(number.clone());
        let fits = self.binary(BinaryOp::Le, count, most);
        let void = self.unit.types.void();
        let e = self.intrinsic("__builtin_assume", vec![fits], void);
        self.emit_expr(e);
        let count = self.load(number);
        let size = self.number(i128::from(bytes_each), size_t);
        let bytes = self.binary(BinaryOp::Mul, count, size);
        let pointer = self.void_pointer();
        let e = self.intrinsic("__builtin_alloca", vec![bytes], pointer);
        let local = self.local_of(r);
        let place = self.local_place(local);
        self.emit_assign(place, e);
    }
}
