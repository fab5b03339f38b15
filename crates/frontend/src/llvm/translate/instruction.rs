//! Instructions one by one.

use super::super::module::{BlockId, Flags, Instruction, Op, Ty, Type, Typed, Value};
use super::Translator;
use super::function::{is_silent, operands};
use crate::c::hir::{BinaryOp, Case, Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind, UnaryOp};
use crate::c::types::IntKind;

impl<'t> Translator<'_, 't> {
    pub(super) fn instruction(&mut self, inst: &Instruction<'t>, block: BlockId) {
        if is_silent(&inst.op) {
            self.lifetime(&inst.op, block);
            return;
        }
        self.f.reads = Default::default();
        match (&inst.op, inst.result) {
            (Op::Phi(..), _) => {}
            (Op::Alloca(ty, Some(n)), Some(r)) if !self.f.objects.contains_key(&r) => {
                self.dynamic_alloca(r, *ty, n);
            }
            // A new object each time the instruction is executed.
            (Op::Alloca(..), Some(r)) if block.0 > 0 => {
                if let Some(&local) = self.f.objects.get(&r) {
                    self.flush(&|r| r.memory || r.objects.contains(&local));
                    self.emit(StmtKind::Decl { local, init: None });
                }
            }
            (Op::Alloca(..), _) => {}
            (Op::Gep { .. }, Some(r)) if self.f.vector[r.0 as usize] => self.vector_gep(r),
            (Op::Gep { .. }, Some(r)) => {
                let i = r.0 as usize;
                if self.f.uses[i] != 1 || !self.f.only_here[i] {
                    self.fix_operands(r);
                }
            }
            (Op::Cast(..), Some(r)) if self.is_symbolic(r) => {
                let i = r.0 as usize;
                if self.f.uses[i] != 1 || !self.f.only_here[i] {
                    self.fix_operands(r);
                }
            }
            (Op::Store(v, p), _) => self.store(v, p),
            (Op::Call(call), r) => self.call(call, r),
            (Op::Invoke(call, normal, unwind), r) => self.invoke(call, r, block, *normal, *unwind),
            (Op::Fence, _) => {}
            (op, Some(r)) => {
                let ty = self.module.functions[self.f.index].values[r.0 as usize].ty;
                match ty {
                    Some(ty) if self.is_aggregate(ty) => self.aggregate_op(op, r, ty),
                    Some(ty) => {
                        let e = self.value_op(op, r, ty);
                        self.define(r, e);
                    }
                    None => {}
                }
            }
            (op, None) => self.terminator(op, block),
        }
    }

    /// Objects of inner blocks begin with any content, and end.
    fn lifetime(&mut self, op: &Op<'t>, block: BlockId) {
        let Op::Call(call) = op else { return };
        let Value::Global(name) = &call.callee else {
            return;
        };
        let Some(word) = name.strip_prefix("llvm.lifetime.") else {
            return;
        };
        let Some(Value::Local(p)) = call.args.last().map(|a| &a.value) else {
            return;
        };
        let Some(local) = self.object_of(*p) else {
            return;
        };
        if word.starts_with("start") {
            if block.0 > 0 && self.f.scoped.contains(&local) {
                self.flush(&|r| r.memory || r.objects.contains(&local));
                self.emit(StmtKind::Decl { local, init: None });
            }
        } else if self.f.escaping.contains(&local) {
            self.flush(&|r| r.memory || r.objects.contains(&local));
            let place = self.local_place(local);
            let value = self.load(place);
            let void = self.unit.types.void();
            let e = self.intrinsic("__builtin_craig_dead", vec![value], void);
            self.emit_expr(e);
        }
    }

    /// The object that an address is the beginning of.
    pub(super) fn object_of(
        &self,
        v: super::super::module::ValueId,
    ) -> Option<crate::c::hir::LocalId> {
        if let Some(&local) = self.f.objects.get(&v) {
            return Some(local);
        }
        match self.f.defs[v.0 as usize]? {
            Op::Cast("bitcast", _, a, _) => match a.value {
                Value::Local(inner) => self.object_of(inner),
                _ => None,
            },
            _ => None,
        }
    }

    /// A scalar result.
    fn value_op(&mut self, op: &Op<'t>, r: super::super::module::ValueId, ty: Ty) -> Expr {
        let signed = self.signs.value(self.f.index, r);
        match op {
            Op::Binary(name, flags, ty, a, b) => self.binary_op(name, *flags, *ty, a, b, signed),
            Op::FNeg(ty, a) => {
                let a = self.scalar(a, *ty, false);
                let to = a.ty;
                self.expr(ExprKind::Unary(UnaryOp::Neg, Box::new(a)), to)
            }
            Op::ICmp(how, ty, a, b) => self.compare(how, *ty, a, b),
            Op::FCmp(how, ty, a, b) => self.float_compare(how, *ty, a, b),
            Op::Cast(how, _, a, to) => self.cast_op(how, a, *to, signed),
            Op::Select(c, a, b) => {
                let c = self.truth(&c.value);
                self.settle_traps();
                let (x, y) = (
                    self.scalar(&a.value, ty, signed),
                    self.scalar(&b.value, ty, signed),
                );
                let hir = self.ty(ty, signed);
                let (x, y) = (self.cast(x, hir), self.cast(y, hir));
                self.conditional(c, x, y)
            }
            Op::Load(ty, p) => {
                self.f.access_sign = Some(signed);
                let place = self.access(p, *ty);
                self.f.access_sign = None;
                self.read(&place);
                let e = self.load(place);
                match self.module.get(*ty) {
                    Type::Int(1) => self.low_bit(e),
                    Type::Int(bits) if !matches!(bits, 8 | 16 | 32 | 64 | 128) => {
                        self.narrow(e, *bits, signed)
                    }
                    Type::Int(bits) => self.with_sign(e, *bits, signed),
                    _ => {
                        let hir = self.ty(*ty, signed);
                        self.cast(e, hir)
                    }
                }
            }
            Op::Freeze(a) => self.scalar(&a.value, ty, signed),
            Op::ExtractValue(a, path) => {
                let mut place = self.aggregate(a);
                for &k in path {
                    place = self.element_place(place, k);
                }
                self.read_temporary();
                let e = self.load(place);
                let hir = self.ty(ty, signed);
                self.cast(e, hir)
            }
            Op::ExtractElement(a, i) => self.extract_element(a, i, ty, signed),
            Op::VaArg(list, ty) => self.va_arg(list, *ty, signed),
            Op::AtomicRmw(how, p, v) => self.atomic(how, p, v, r),
            _ => {
                let hir = self.ty(ty, signed);
                self.approximation(hir, "instruction")
            }
        }
    }

    /// What a load from the place depends on.
    pub(super) fn read(&mut self, place: &Place) {
        let mut p = place;
        loop {
            match &p.kind {
                PlaceKind::Local(l) => {
                    if self.f.escaping.contains(l) {
                        self.f.reads.memory = true;
                    } else if !self.f.reads.objects.contains(l) {
                        self.f.reads.objects.push(*l);
                    }
                    return;
                }
                PlaceKind::Field { base, .. } => p = base,
                PlaceKind::Index { base, .. } => {
                    self.f.reads.traps = true;
                    p = base;
                }
                PlaceKind::Global(_) | PlaceKind::String(_) => {
                    self.f.reads.memory = true;
                    return;
                }
                _ => {
                    self.f.reads.memory = true;
                    self.f.reads.traps = true;
                    return;
                }
            }
        }
    }

    /// Members of values may be assigned again by the next run of the block only.
    fn read_temporary(&mut self) {}

    /// What waits and may be undefined is computed now.
    fn settle_traps(&mut self) {
        self.flush(&|r| r.traps);
    }

    fn low_bit(&mut self, e: Expr) -> Expr {
        if self.unit.types.int_kind(e.ty) == Some(IntKind::Bool) {
            return e;
        }
        let low = self.narrow(e, 1, false);
        let zero = self.number(0, low.ty);
        self.binary(BinaryOp::Ne, low, zero)
    }

    fn store(&mut self, v: &Typed<'t>, p: &Value<'t>) {
        if self.is_aggregate(v.ty) {
            let place = self.access(p, v.ty);
            self.flush_writes(&place);
            self.fill_from(&place, v);
            return;
        }
        self.f.access_sign = self.sign_of(&v.value);
        let place = self.access(p, v.ty);
        self.f.access_sign = None;
        if matches!(v.value, Value::Undef | Value::Poison) {
            return;
        }
        let signed = self.sign_in(place.ty);
        let e = self.scalar(&v.value, v.ty, signed);
        let e = self.cast(e, place.ty);
        self.flush_writes(&place);
        self.emit_assign(place, e);
    }

    /// Computes what would see the write.
    pub(super) fn flush_writes(&mut self, place: &Place) {
        match place.kind {
            PlaceKind::Local(l) if !self.f.escaping.contains(&l) => {
                self.flush(&|r| r.memory || r.objects.contains(&l));
            }
            _ => self.flush(&|r| r.memory || !r.objects.is_empty()),
        }
    }

    pub(super) fn binary_op(
        &mut self,
        name: &str,
        flags: Flags,
        ty: Ty,
        a: &Value<'t>,
        b: &Value<'t>,
        signed: bool,
    ) -> Expr {
        let module = self.module;
        let bits = match module.get(ty) {
            Type::Int(1) => return self.truth_op(name, a, b),
            Type::Int(bits) if *bits > 128 => {
                let hir = self.ty(ty, signed);
                return self.approximation(hir, "integers of more than 128 bits");
            }
            Type::Int(bits) => *bits,
            Type::Float(_) => return self.float_op(name, ty, a, b),
            _ => {
                let hir = self.ty(ty, signed);
                return self.approximation(hir, "instruction");
            }
        };
        let (op, computed) = match name {
            "add" => (BinaryOp::Add, flags.nsw),
            "sub" => (BinaryOp::Sub, flags.nsw),
            "mul" => (BinaryOp::Mul, flags.nsw),
            "udiv" => (BinaryOp::Div, false),
            "sdiv" => (BinaryOp::Div, true),
            "urem" => (BinaryOp::Rem, false),
            "srem" => (BinaryOp::Rem, true),
            "shl" => (BinaryOp::Shl, false),
            "lshr" => (BinaryOp::Shr, false),
            "ashr" => (BinaryOp::Shr, true),
            "and" => (BinaryOp::BitAnd, signed),
            "or" => (BinaryOp::BitOr, signed),
            _ => (BinaryOp::BitXor, signed),
        };
        if name == "xor" && matches!(b, Value::Int(-1)) {
            let x = self.scalar(a, ty, signed);
            let to = x.ty;
            let e = self.expr(ExprKind::Unary(UnaryOp::BitNot, Box::new(x)), to);
            return self.kept(e, bits, signed);
        }
        self.f.reads.traps |= matches!(op, BinaryOp::Div | BinaryOp::Rem);
        let x = self.scalar(a, ty, computed);
        // The amount of a shift is a number without sign.
        let y = self.scalar(b, ty, computed && !op.is_shift());
        // `x + -1` is `x - 1`.
        let (op, y) = match (op, y.as_int()) {
            (BinaryOp::Add, Some(n)) if n < 0 && n != i128::MIN && computed => {
                let n = self.number(-n, y.ty);
                (BinaryOp::Sub, n)
            }
            _ => (op, y),
        };
        let e = self.binary(op, x, y);
        self.kept(e, bits, signed)
    }

    /// The low bits of a result, with the sign that it is kept with.
    fn kept(&mut self, e: Expr, bits: u32, signed: bool) -> Expr {
        let to = self.int_type(bits, signed);
        if matches!(bits, 8 | 16 | 32 | 64 | 128) {
            return self.cast(e, to);
        }
        let e = self.cast(e, to);
        self.narrow(e, bits, signed)
    }

    fn truth_op(&mut self, name: &str, a: &Value<'t>, b: &Value<'t>) -> Expr {
        let x = self.truth(a);
        if matches!((name, b), ("xor" | "add" | "sub", Value::Int(n)) if *n != 0) {
            return self.not(x);
        }
        let y = self.truth(b);
        match name {
            "and" | "mul" => self.both(x, y),
            "or" => self.either(x, y),
            _ => {
                let (x, y) = (self.not(x), self.not(y));
                self.binary(BinaryOp::Ne, x, y)
            }
        }
    }

    fn float_op(&mut self, name: &str, ty: Ty, a: &Value<'t>, b: &Value<'t>) -> Expr {
        let op = match name {
            "fadd" => BinaryOp::Add,
            "fsub" => BinaryOp::Sub,
            "fmul" => BinaryOp::Mul,
            "fdiv" => BinaryOp::Div,
            _ => {
                let hir = self.ty(ty, false);
                return self.approximation(hir, "frem");
            }
        };
        let (x, y) = (self.scalar(a, ty, false), self.scalar(b, ty, false));
        if !self.unit.types.is_float(x.ty) {
            let hir = x.ty;
            return self.approximation(hir, "half precision");
        }
        self.binary(op, x, y)
    }

    fn float_compare(&mut self, how: &str, ty: Ty, a: &Value<'t>, b: &Value<'t>) -> Expr {
        let (x, y) = (self.scalar(a, ty, false), self.scalar(b, ty, false));
        if !self.unit.types.is_float(x.ty) {
            let bool = self.unit.types.int(IntKind::Bool);
            return self.approximation(bool, "half precision");
        }
        let make = |t: &mut Self, op: BinaryOp| t.binary(op, x.clone(), y.clone());
        match how {
            "false" => self.int(0),
            "true" => self.int(1),
            "oeq" => make(self, BinaryOp::Eq),
            "une" => make(self, BinaryOp::Ne),
            "olt" => make(self, BinaryOp::Lt),
            "ole" => make(self, BinaryOp::Le),
            "ogt" => make(self, BinaryOp::Gt),
            "oge" => make(self, BinaryOp::Ge),
            "one" | "ueq" => {
                let (less, more) = (make(self, BinaryOp::Lt), make(self, BinaryOp::Gt));
                let e = self.either(less, more);
                if how == "one" { e } else { self.not(e) }
            }
            "ord" | "uno" => {
                let same = |t: &mut Self, v: &Expr| t.binary(BinaryOp::Eq, v.clone(), v.clone());
                let (p, q) = (same(self, &x), same(self, &y));
                let e = self.both(p, q);
                if how == "ord" { e } else { self.not(e) }
            }
            _ => {
                let opposite = match how {
                    "ult" => BinaryOp::Ge,
                    "ule" => BinaryOp::Gt,
                    "ugt" => BinaryOp::Le,
                    _ => BinaryOp::Lt,
                };
                let e = make(self, opposite);
                self.not(e)
            }
        }
    }

    pub(super) fn cast_op(&mut self, how: &str, a: &Typed<'t>, to: Ty, signed: bool) -> Expr {
        let module = self.module;
        let hir = self.ty(to, signed);
        let bits = module.int_bits(to).unwrap_or(0);
        let from_bit = module.int_bits(a.ty) == Some(1);
        match how {
            "zext" | "uitofp" => {
                let e = self.scalar(&a.value, a.ty, false);
                self.cast(e, hir)
            }
            "sext" | "sitofp" if from_bit => {
                let e = self.truth(&a.value);
                let (minus, zero) = match how {
                    "sext" => {
                        let m = super::value::truncate(-1, bits, signed);
                        (self.number(m, hir), self.number(0, hir))
                    }
                    _ => {
                        let (m, z) = (self.int(-1), self.int(0));
                        (self.cast(m, hir), self.cast(z, hir))
                    }
                };
                self.conditional(e, minus, zero)
            }
            "sext" => {
                let e = self.scalar(&a.value, a.ty, true);
                let wide = self.int_type(bits, true);
                let e = self.cast(e, wide);
                self.with_sign(e, bits, signed)
            }
            "sitofp" => {
                let e = self.scalar(&a.value, a.ty, true);
                self.cast(e, hir)
            }
            "trunc" => {
                let sign = self.sign_of(&a.value).unwrap_or(false);
                let e = self.scalar(&a.value, a.ty, sign);
                if bits == 1 {
                    return self.low_bit(e);
                }
                self.kept(e, bits, signed)
            }
            "fptosi" | "fptoui" => {
                let e = self.scalar(&a.value, a.ty, false);
                let number = self.int_type(bits, how == "fptosi");
                let e = self.cast(e, number);
                self.kept(e, bits, signed)
            }
            "fpext" | "fptrunc" => {
                let e = self.scalar(&a.value, a.ty, false);
                if !self.unit.types.is_float(e.ty) || !self.unit.types.is_float(hir) {
                    return self.approximation(hir, "half precision");
                }
                self.cast(e, hir)
            }
            "ptrtoint" | "ptrtoaddr" => {
                let e = self.scalar(&a.value, a.ty, false);
                let address = self.unit.types.size_t();
                let e = self.cast(e, address);
                self.kept(e, bits, signed)
            }
            "inttoptr" => {
                let e = self.scalar(&a.value, a.ty, false);
                let address = self.unit.types.size_t();
                let e = self.cast(e, address);
                self.cast(e, hir)
            }
            _ => self.reinterpret(a, to, signed),
        }
    }

    /// `bitcast`: the same bits as another type, through memory.
    fn reinterpret(&mut self, a: &Typed<'t>, to: Ty, signed: bool) -> Expr {
        let hir = self.ty(to, signed);
        if !self.is_aggregate(a.ty) {
            let e = self.scalar(&a.value, a.ty, signed);
            if e.ty == hir {
                return e;
            }
            let both_int = self.unit.types.is_integer(e.ty) && self.unit.types.is_integer(hir);
            if both_int || self.unit.types.is_pointer(e.ty) {
                return self.cast(e, hir);
            }
            let local = self.new_local("", e.ty, crate::c::hir::LocalKind::Auto);
            self.emit(StmtKind::Decl { local, init: None });
            let place = self.local_place(local);
            self.emit_assign(place.clone(), e);
            let address = self.address(place);
            let place = self.deref(address, hir);
            self.f.reads.memory = true;
            return self.load(place);
        }
        let place = self.aggregate(a);
        let address = self.address(place);
        let place = self.deref(address, hir);
        self.f.reads.memory = true;
        self.load(place)
    }

    fn goto(&mut self, from: BlockId, to: BlockId) -> Vec<Stmt> {
        let before = std::mem::take(&mut self.f.stmts);
        self.edge(from, to);
        let label = self.f.labels[to.0 as usize];
        self.emit(StmtKind::Goto(label));
        std::mem::replace(&mut self.f.stmts, before)
    }

    fn goto_stmt(&mut self, from: BlockId, to: BlockId) -> Box<Stmt> {
        let mut stmts = self.goto(from, to);
        let span = self.f.span;
        if stmts.len() == 1 {
            return Box::new(stmts.remove(0));
        }
        Box::new(self.stmt(StmtKind::Block(crate::c::hir::Block { stmts, span })))
    }

    pub(super) fn jump(&mut self, from: BlockId, to: BlockId) {
        let stmts = self.goto(from, to);
        self.f.stmts.extend(stmts);
    }

    pub(super) fn branch(&mut self, cond: Expr, from: BlockId, yes: BlockId, no: BlockId) {
        // Values that both ways or later blocks use are computed once, before.
        self.flush(&|r| r.traps);
        let then = self.goto_stmt(from, yes);
        let els = self.goto_stmt(from, no);
        self.emit(StmtKind::If {
            cond,
            then,
            els: Some(els),
        });
    }

    fn terminator(&mut self, op: &Op<'t>, block: BlockId) {
        match op {
            Op::Branch(to) => {
                self.jump(block, *to);
            }
            Op::CondBranch(cond, yes, no) => {
                let cond = self.truth(cond);
                if yes == no {
                    self.jump(block, *yes);
                } else {
                    self.branch(cond, block, *yes, *no);
                }
            }
            Op::Switch(v, default, cases) => self.switch(v, *default, cases, block),
            Op::Return(None) => {
                self.flush(&|r| r.traps);
                self.emit(StmtKind::Return(None));
            }
            Op::Return(Some(v)) => self.return_value(v),
            Op::Unreachable => {
                self.flush(&|r| r.traps);
                let void = self.unit.types.void();
                let e = self.intrinsic("__builtin_unreachable", Vec::new(), void);
                self.emit_expr(e);
            }
            Op::Resume(_) => self.resume(),
            Op::IndirectBranch(address, list) => {
                let to = self.f.pointer_ty;
                let e = self.scalar(address, to, false);
                for b in list {
                    self.edge(block, *b);
                    let label = self.f.labels[b.0 as usize];
                    if !self.f.address_labels.contains(&label) {
                        self.f.address_labels.push(label);
                    }
                }
                self.emit(StmtKind::ComputedGoto(e));
            }
            Op::Unsupported(word, targets) => {
                let span = self.f.span;
                self.note(span, format!("`{word}` goes to any of its targets"));
                let bool = self.unit.types.int(IntKind::Bool);
                for (k, to) in targets.iter().enumerate() {
                    if k + 1 == targets.len() {
                        self.jump(block, *to);
                    } else {
                        let cond = self.approximation(bool, word);
                        let then = self.goto_stmt(block, *to);
                        self.emit(StmtKind::If {
                            cond,
                            then,
                            els: None,
                        });
                    }
                }
            }
            _ => {
                let mut left = Vec::new();
                operands(op, &mut |v| left.push(v));
                left.into_iter().for_each(|v| self.fix_operands(v));
            }
        }
    }

    fn return_value(&mut self, v: &Typed<'t>) {
        let ret = self
            .unit
            .types
            .function(self.unit.functions[self.f.id].ty)
            .map(|t| t.ret);
        let Some(ret) = ret else { return };
        if self.is_aggregate(v.ty) {
            let mut place = self.aggregate(v);
            if place.ty != ret {
                let local = self.new_local("", ret, crate::c::hir::LocalKind::Auto);
                let to = self.local_place(local);
                self.copy(&to, &place);
                place = to;
            }
            let e = self.load(place);
            self.emit(StmtKind::Return(Some(e)));
            return;
        }
        let signed = self.sign_in(ret);
        let e = self.scalar(&v.value, v.ty, signed);
        let e = self.cast(e, ret);
        self.flush(&|r| r.traps);
        self.emit(StmtKind::Return(Some(e)));
    }

    fn switch(
        &mut self,
        v: &Typed<'t>,
        default: BlockId,
        cases: &[(i128, BlockId)],
        block: BlockId,
    ) {
        let bits = self.module.int_bits(v.ty).unwrap_or(32);
        let signed = self.sign_of(&v.value).unwrap_or(true);
        let mut e = self.scalar(&v.value, v.ty, signed);
        if bits < 32 {
            let int = self.unit.types.int(IntKind::Int);
            e = self.cast(e, int);
        }
        self.flush(&|r| r.traps);
        let span = self.f.span;
        let mut list = Vec::new();
        let mut body = Vec::new();
        let mut known: Vec<(BlockId, crate::c::hir::LabelId)> = Vec::new();
        let waiting = self.fixed_for_edges(block, cases.iter().map(|c| c.1).chain([default]));
        let _ = waiting;
        let mut arm = |t: &mut Self, to: BlockId| {
            if let Some((_, label)) = known.iter().find(|(b, _)| *b == to) {
                return *label;
            }
            let label = t
                .unit
                .labels
                .push(crate::c::hir::Label { name: None, span });
            body.push(t.stmt(StmtKind::Label(label)));
            body.extend(t.goto(block, to));
            known.push((to, label));
            label
        };
        for (n, to) in cases {
            let label = arm(self, *to);
            let n = super::value::truncate(*n, bits, signed && bits > 1);
            list.push(Case {
                low: n,
                high: n,
                label,
                span,
            });
        }
        let default = Some(arm(self, default));
        let block = crate::c::hir::Block { stmts: body, span };
        let body = Box::new(self.stmt(StmtKind::Block(block)));
        self.emit(StmtKind::Switch {
            value: e,
            cases: list,
            default,
            body,
        });
    }

    /// Values that edges use are put into locals before a jump with many targets.
    fn fixed_for_edges(&mut self, from: BlockId, targets: impl Iterator<Item = BlockId>) -> usize {
        let module = self.module;
        let mut values = Vec::new();
        for to in targets {
            let block = &module.functions[self.f.index].blocks[to.0 as usize];
            for inst in &block.instructions {
                let Op::Phi(_, list) = &inst.op else { break };
                for (v, b) in list {
                    if let (Value::Local(v), true) = (v, *b == from) {
                        values.push(*v);
                    }
                }
            }
        }
        let count = values.len();
        values.into_iter().for_each(|v| self.fix_operands(v));
        count
    }
}
