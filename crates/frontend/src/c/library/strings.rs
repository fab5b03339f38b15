//! Functions of memory: allocation, copying, setting, strings. Exact for constant sizes; lengths
//! known only at run time take loops or lose the content, with a note.

use super::super::hir::{CastKind, Expr, ExprKind};
use super::super::memory::regions::RegionId;
use super::super::memory::unify::Cell;
use crate::c::library::points_to::Effect;
use crate::c::lower::Lower;
use crate::c::lower::access::Batch;
use crate::c::lower::call::Want;
use crate::c::lower::expr::Val;
use crate::c::lower::scalar::{Scalar, ScalarKind};
use base::Id;
use logic::{Rational, TermId};
use program::{AccessKind, ErrorTag, InputKind, Property, Span, VarId};

/// Copies of more cells lose the content.
const CELL_LIMIT: usize = 2048;

const CHAR: Scalar = Scalar {
    bits: 8,
    signed: true,
    kind: ScalarKind::Int,
};

fn is_null(a: &Expr) -> bool {
    let mut a = a;
    while let ExprKind::Cast(_, inner) = &a.kind {
        a = inner;
    }
    a.as_int() == Some(0)
}

impl Lower<'_> {
    pub(in crate::c) fn memory_function(
        &mut self,
        effect: Effect,
        name: &str,
        args: &[Expr],
        e: &Expr,
    ) -> Val {
        let values = self.arguments(args, &[]);
        let term = |i: usize| values.get(i).and_then(|a| a.terms.first()).copied();
        let zero = self.pool.int(0);
        match effect {
            Effect::Allocate { size, zero } => {
                let stack = name.contains("alloca");
                let factors: Vec<TermId> = size.iter().filter_map(|&i| term(i)).collect();
                if factors.is_empty() {
                    return self.any_result(name, e);
                }
                let bytes = self.pool.mul(&factors);
                let v = self.new_memory(bytes, !stack, e);
                if zero {
                    self.zero_new(v, bytes, e);
                }
                Val::int(self.var_term(v))
            }
            Effect::Reallocate => {
                let bytes = term(1).unwrap_or(zero);
                if let Some(old) = term(0) {
                    self.free(old, e.span);
                }
                let v = self.new_memory(bytes, true, e);
                self.b
                    .note(e.span, "`realloc`: the old content is lost (any content)");
                self.only_approximate(e.span);
                Val::int(self.var_term(v))
            }
            Effect::Duplicate => {
                let pointer = self.pointer_scalar();
                let size = self.any(pointer, InputKind::Approximation, e.span);
                let v = self.new_memory(size, true, e);
                self.b.note(e.span, format!("`{name}`: any content"));
                self.unchecked(name, e.span);
                self.only_approximate(e.span);
                Val::int(self.var_term(v))
            }
            Effect::Free => {
                if let Some(p) = term(0) {
                    self.free(p, e.span);
                }
                Val::int(zero)
            }
            Effect::CopyBytes => {
                if let (Some(d), Some(s), Some(n)) = (term(0), term(1), term(2)) {
                    self.check_bytes(d, n, AccessKind::Write, e.span);
                    self.check_bytes(s, n, AccessKind::Read, e.span);
                    if name.ends_with("memcpy") && self.checks(Property::ValidDeref) {
                        let (after_d, after_s) = (self.pool.add2(d, n), self.pool.add2(s, n));
                        let parts = [
                            self.pool.eq(n, zero),
                            self.pool.le(after_d, s),
                            self.pool.le(after_s, d),
                        ];
                        let apart = self.pool.or(&parts);
                        let message = "the areas of memcpy overlap";
                        self.check(apart, Property::ValidDeref, message, e.span);
                    }
                    self.copy_bytes(args, d, s, n, e.span);
                }
                Val::int(term(0).unwrap_or(zero))
            }
            Effect::SetBytes => {
                if let (Some(p), Some(c), Some(n)) = (term(0), term(1), term(2)) {
                    self.check_bytes(p, n, AccessKind::Write, e.span);
                    let byte = self.wrap_unsigned(c, 8);
                    if let Some(cell) = self.memory.points.target_of(&args[0]) {
                        let size = self.pool.as_number(n).and_then(Rational::to_i64);
                        let size = size.and_then(|n| u64::try_from(n).ok());
                        let mut batch = Batch::default();
                        let skip = Self::no_skip();
                        self.fill(&mut batch, cell, p, size, Some(n), byte, &skip, e.span);
                        self.commit(batch, e.span);
                    }
                }
                Val::int(term(0).unwrap_or(zero))
            }
            Effect::CopyString | Effect::AppendString => {
                self.copy_string(effect, name, args, &values, e.span);
                Val::int(term(0).unwrap_or(zero))
            }
            Effect::ReadString => self.read_string(name, args, &values, e),
            Effect::Elsewhere => {
                // With a null end pointer the conversions only read.
                let null = |i: usize| args.get(i).is_some_and(is_null);
                if name.contains("strto") && null(1) {
                    self.unchecked(name, e.span);
                    let scalar = self.scalar(e.ty);
                    return Val::int(self.any(scalar, InputKind::Approximation, e.span));
                }
                self.doubt(&format!("what `{name}` does is not modelled"), e.span);
                self.any_result(name, e)
            }
            Effect::Write => {
                self.unchecked(name, e.span);
                for a in args {
                    if self.unit.types.is_pointer(a.ty)
                        && let Some(cell) = self.memory.points.target_of(a)
                    {
                        self.lose(cell, &format!("`{name}`: any content"), e.span);
                    }
                }
                self.any_result(name, e)
            }
            Effect::PointerIntoFirst | Effect::WriteIntoFirst => {
                self.unchecked(name, e.span);
                if effect == Effect::WriteIntoFirst
                    && let Some(cell) = args.first().and_then(|a| self.memory.points.target_of(a))
                {
                    self.lose(cell, &format!("`{name}`: any content"), e.span);
                }
                self.b.note(
                    e.span,
                    format!("`{name}`: any place in its argument, or null"),
                );
                let pointer = self.pointer_scalar();
                let t = self.any(pointer, InputKind::Approximation, e.span);
                if let Some(p) = term(0) {
                    let null = self.pool.eq(t, zero);
                    let behind = self.pool.le(p, t);
                    let fine = self.pool.or2(null, behind);
                    self.b.assume(self.pool, fine, e.span);
                }
                Val::int(t)
            }
            Effect::Scan => {
                self.scan(args, &values, name, e.span);
                self.any_result(name, e)
            }
            Effect::Print | Effect::Unknown => self.any_result(name, e),
        }
    }

    fn any_result(&mut self, name: &str, e: &Expr) -> Val {
        if self.unit.types.is_void(e.ty) {
            return Val::int(self.pool.int(0));
        }
        self.environment_evaluated(name, e, &Want::Value)
    }

    fn new_memory(&mut self, bytes: TermId, heap: bool, e: &Expr) -> VarId {
        let pointer = self.pointer_scalar();
        let v = self.temp(pointer, e.span);
        if !heap || !self.options.malloc_may_fail {
            self.b.assumption(e.span, "allocation succeeds");
            self.allocate(v, bytes, heap, e.span);
            return v;
        }
        let what = String::from("malloc.fails");
        let fails = self.any(Scalar::FLAG, InputKind::Environment { what }, e.span);
        let (zero, end) = (self.pool.int(0), self.b.new_loc(e.span));
        let fails = self.pool.eq(fails, zero);
        let fails = self.pool.not(fails);
        let (null, memory) = self.b.branch(self.pool, fails, e.span);
        self.b.at = null;
        self.b.assign(vec![(v, zero)], e.span);
        self.b.jump(end, e.span);
        self.b.at = memory;
        self.allocate(v, bytes, heap, e.span);
        self.b.jump(end, e.span);
        self.b.at = end;
        v
    }

    fn zero_new(&mut self, v: VarId, bytes: TermId, e: &Expr) {
        let Some(cell) = self.memory.points.target_of(e) else {
            return;
        };
        let size = self.pool.as_number(bytes).and_then(Rational::to_i64);
        let size = size.and_then(|n| u64::try_from(n).ok());
        let (address, zero) = (self.var_term(v), self.pool.int(0));
        let mut batch = Batch::default();
        let skip = Self::no_skip();
        self.fill(
            &mut batch,
            cell,
            address,
            size,
            Some(bytes),
            zero,
            &skip,
            e.span,
        );
        self.commit(batch, e.span);
    }

    /// Cells of both sides lie alike (the analysis merged them), so they are copied one by one.
    fn copy_bytes(&mut self, args: &[Expr], to: TermId, from: TermId, n: TermId, span: Span) {
        let Some(cell) = self.memory.points.target_of(&args[0]) else {
            return;
        };
        let size = self.pool.as_number(n).and_then(Rational::to_i64);
        let size = size.and_then(|n| u64::try_from(n).ok());
        let cells = size.and_then(|n| self.memory.cells_in(cell, n * 8, CELL_LIMIT));
        let (Some(cells), Some(size)) = (cells, size) else {
            self.copy_unknown(cell, to, from, n, span);
            return;
        };
        let mut batch = Batch::default();
        for (bit, region) in cells {
            let kind = self.memory.regions[region.index()].scalar;
            let scalar = kind.unwrap_or(Scalar::BYTE);
            let offset = self.pool.int(bit / 8);
            let (a, b) = (self.pool.add2(from, offset), self.pool.add2(to, offset));
            let inside = bit + u64::from(scalar.bits) <= size * 8;
            let bit = bit as i64 / 8 * 8;
            let value = if inside {
                self.read_region(region, a, bit, scalar, span)
            } else {
                self.b.note(span, "part of a value is copied: any value");
                self.any(scalar, InputKind::Approximation, span)
            };
            self.write_region(&mut batch, region, b, bit, scalar, value, span);
        }
        self.commit(batch, span);
    }

    fn lose(&mut self, cell: Cell, note: &str, span: Span) {
        self.b.note(span, note);
        for r in self.memory.node_regions(cell) {
            self.havoc_region(r, span);
        }
    }

    fn copy_string(
        &mut self,
        effect: Effect,
        name: &str,
        args: &[Expr],
        values: &[crate::c::lower::call::Arg],
        span: Span,
    ) {
        let term = |i: usize| values.get(i).and_then(|a| a.terms.first()).copied();
        let (Some(to), Some(from)) = (term(0), term(1)) else {
            return;
        };
        let cell = self.memory.points.target_of(&args[0]);
        if effect == Effect::CopyString
            && matches!(name, "strcpy" | "__builtin_strcpy")
            && let (Some(d), Some(s)) = (self.char_region(&args[0]), self.char_region(&args[1]))
        {
            self.copy_loop(d, s, to, from, span);
            return;
        }
        self.unchecked(name, span);
        if let Some(cell) = cell {
            self.lose(cell, &format!("`{name}`: any content"), span);
        }
    }

    /// The region with the characters a pointer points to.
    fn char_region(&mut self, a: &Expr) -> Option<RegionId> {
        let mut a = a;
        while let ExprKind::Cast(CastKind::PointerToPointer | CastKind::Same, inner) = &a.kind {
            a = inner;
        }
        let cell = self.memory.points.target_of(a)?;
        let region = self.memory.region(cell)?;
        let scalar = self.memory.regions[region.index()].scalar;
        scalar.is_none_or(|s| s.bits == 8).then_some(region)
    }

    /// `while ((*to++ = *from++) != 0);`
    fn copy_loop(&mut self, d: RegionId, s: RegionId, to: TermId, from: TermId, span: Span) {
        let i = self.string_counter(span);
        let index = self.var_term(i);
        let head = self.b.new_loc(span);
        self.b.jump(head, span);
        self.b.at = head;
        let (a, b) = (self.pool.add2(from, index), self.pool.add2(to, index));
        let byte = self.char_at(s, a, span);
        let byte = self.freeze(byte, span);
        let width = self.pool.int(1);
        self.check_bytes(b, width, AccessKind::Write, span);
        let one = self.pool.int(1);
        let next = self.pool.add2(index, one);
        let mut batch = Batch::default();
        batch.set(i, next);
        self.write_region(&mut batch, d, b, 0, CHAR, byte, span);
        self.commit(batch, span);
        let zero = self.pool.int(0);
        let end = self.pool.eq(byte, zero);
        let (out, more) = self.b.branch(self.pool, end, span);
        self.b.at = more;
        self.b.jump(head, span);
        self.b.at = out;
    }

    fn string_counter(&mut self, span: Span) -> VarId {
        let pointer = self.pointer_scalar();
        let i = self.temp(pointer, span);
        let zero = self.pool.int(0);
        self.b.assign(vec![(i, zero)], span);
        i
    }

    fn char_at(&mut self, region: RegionId, at: TermId, span: Span) -> TermId {
        let one = self.pool.int(1);
        self.check_bytes(at, one, AccessKind::Read, span);
        self.read_region(region, at, 0, CHAR, span)
    }

    fn read_string(
        &mut self,
        name: &str,
        args: &[Expr],
        values: &[crate::c::lower::call::Arg],
        e: &Expr,
    ) -> Val {
        let span = e.span;
        let term = |i: usize| values.get(i).and_then(|a| a.terms.first()).copied();
        if let ("strlen" | "__builtin_strlen", Some(p)) = (name, term(0))
            && let Some(array) = self.char_region(&args[0])
        {
            let i = self.string_counter(span);
            let index = self.var_term(i);
            let head = self.b.new_loc(span);
            self.b.jump(head, span);
            self.b.at = head;
            let at = self.pool.add2(p, index);
            let byte = self.char_at(array, at, span);
            let zero = self.pool.int(0);
            let end = self.pool.eq(byte, zero);
            let (out, more) = self.b.branch(self.pool, end, span);
            self.b.at = more;
            let one = self.pool.int(1);
            let next = self.pool.add2(index, one);
            self.b.assign(vec![(i, next)], span);
            self.b.jump(head, span);
            self.b.at = out;
            return Val::int(index);
        }
        if let ("strcmp" | "__builtin_strcmp", Some(p), Some(q)) = (name, term(0), term(1))
            && let (Some(a), Some(b)) = (self.char_region(&args[0]), self.char_region(&args[1]))
        {
            return self.compare_loop(a, b, p, q, e);
        }
        self.unchecked(name, span);
        self.b.note(span, format!("`{name}`: any result"));
        let scalar = self.scalar(e.ty);
        Val::int(self.any(scalar, InputKind::Approximation, span))
    }

    /// Something whose effects are unknown: neither a proof nor an error behind it counts.
    fn doubt(&mut self, message: &str, span: Span) {
        if let Some(&property) = self.options.properties.first() {
            self.doubtful_error(property, message, span);
        }
        self.b.note(span, message);
        self.only_approximate(span);
    }

    /// The function accesses memory in a way that is not checked.
    pub(super) fn unchecked(&mut self, name: &str, span: Span) {
        if self.checks(Property::ValidDeref) {
            let message = format!("what `{name}` accesses is not checked");
            self.doubtful_error(Property::ValidDeref, &message, span);
        }
    }

    fn doubtful_error(&mut self, property: Property, message: &str, span: Span) {
        let flag = self.any(Scalar::FLAG, InputKind::Approximation, span);
        let one = self.pool.int(1);
        let bad = self.pool.eq(flag, one);
        let tag = ErrorTag {
            property,
            span,
            message: message.into(),
        };
        self.b.error_if(self.pool, bad, tag);
    }

    /// `while (*p == *q && *p) p++, q++;` then the difference as unsigned characters.
    fn compare_loop(&mut self, a: RegionId, b: RegionId, p: TermId, q: TermId, e: &Expr) -> Val {
        let span = e.span;
        let i = self.string_counter(span);
        let index = self.var_term(i);
        let head = self.b.new_loc(span);
        self.b.jump(head, span);
        self.b.at = head;
        let (x, y) = (self.pool.add2(p, index), self.pool.add2(q, index));
        let x = self.char_at(a, x, span);
        let y = self.char_at(b, y, span);
        let x = self.wrap_unsigned(x, 8);
        let y = self.wrap_unsigned(y, 8);
        let zero = self.pool.int(0);
        let same = self.pool.eq(x, y);
        let is_end = self.pool.eq(x, zero);
        let not_end = self.pool.not(is_end);
        let go_on = self.pool.and2(same, not_end);
        let (more, out) = self.b.branch(self.pool, go_on, span);
        self.b.at = more;
        let one = self.pool.int(1);
        let next = self.pool.add2(index, one);
        self.b.assign(vec![(i, next)], span);
        self.b.jump(head, span);
        self.b.at = out;
        // Only the sign of the result is defined.
        let (one, minus) = (self.pool.int(1), self.pool.int(-1));
        let less = self.pool.lt(x, y);
        let differ = self.pool.ite(less, minus, one);
        Val::int(self.pool.ite(same, zero, differ))
    }

    fn scan(
        &mut self,
        args: &[Expr],
        values: &[crate::c::lower::call::Arg],
        name: &str,
        span: Span,
    ) {
        use super::super::memory::constraints::pointee;
        use crate::c::lower::place::{At, Base};
        let first = if name.contains("fscanf") || name.contains("sscanf") {
            2
        } else {
            1
        };
        for (i, a) in args.iter().enumerate().skip(first) {
            let (Some(ty), Some(&address)) = (
                pointee(self.unit, a),
                values.get(i).and_then(|v| v.terms.first()),
            ) else {
                continue;
            };
            let Some(cell) = self.memory.points.target_of(a) else {
                continue;
            };
            match crate::c::lower::scalar::scalar_of(&self.unit.types, ty) {
                Some(s) if s.bits > 8 => {
                    let at = At {
                        base: Base::Memory { address, cell },
                        bit: 0,
                        ty,
                        scalar: Some(s),
                        deref: true,
                        span,
                    };
                    let t = self.any(s, InputKind::Approximation, span);
                    self.write(&at, t, span);
                }
                _ => self.lose(cell, "input of a string: any content", span),
            }
        }
    }
}
