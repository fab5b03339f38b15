//! Functions of memory that are built in: allocation, copying, setting. Exact for constant sizes; lengths
//! known only at run time take loops or lose the content, with a note.

use super::super::hir::Expr;
use super::table::Meaning;
use crate::c::lower::Lower;
use crate::c::lower::access::Batch;
use crate::c::lower::expr::Val;
use crate::c::lower::scalar::Scalar;
use base::Id;
use logic::{Rational, TermId};
use program::{AccessKind, ErrorTag, InputKind, Property, Span, VarId};

/// Copies of more cells lose the content.
const CELL_LIMIT: usize = 2048;

impl Lower<'_> {
    /// `None`: the arguments are not those of the function.
    pub(super) fn memory_function(
        &mut self,
        meaning: Meaning,
        args: &[Expr],
        e: &Expr,
    ) -> Option<Val> {
        let wanted = match meaning {
            Meaning::Allocate { size, .. } => size.iter().max().map_or(0, |n| n + 1),
            Meaning::Free => 1,
            _ => 3,
        };
        if args.len() < wanted {
            return None;
        }
        let values = self.arguments(args, &[]);
        let term = |i: usize| values.get(i).and_then(|a| a.terms.first()).copied();
        Some(match meaning {
            Meaning::Allocate { size, zero, stack } => {
                let factors: Vec<TermId> = size.iter().filter_map(|&i| term(i)).collect();
                let bytes = self.pool.mul(&factors);
                let v = self.new_memory(bytes, !stack, e);
                if zero {
                    self.zero_new(v, bytes, e);
                }
                Val::int(self.var_term(v))
            }
            Meaning::Free => {
                self.free(term(0)?, e.span);
                Val::int(self.pool.int(0))
            }
            Meaning::CopyBytes { apart } => {
                let (d, s, n) = (term(0)?, term(1)?, term(2)?);
                self.check_bytes(d, n, AccessKind::Write, e.span);
                self.check_bytes(s, n, AccessKind::Read, e.span);
                if apart && self.checks(Property::ValidDeref) {
                    self.check_apart(d, s, n, e.span);
                }
                self.copy_bytes(args, d, s, n, e.span);
                Val::int(d)
            }
            _ => {
                let (p, c, n) = (term(0)?, term(1)?, term(2)?);
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
                Val::int(p)
            }
        })
    }

    fn check_apart(&mut self, d: TermId, s: TermId, n: TermId, span: Span) {
        let zero = self.pool.int(0);
        let (after_d, after_s) = (self.pool.add2(d, n), self.pool.add2(s, n));
        let parts = [
            self.pool.eq(n, zero),
            self.pool.le(after_d, s),
            self.pool.le(after_s, d),
        ];
        let apart = self.pool.or(&parts);
        let message = "the areas of memcpy overlap";
        self.check(apart, Property::ValidDeref, message, span);
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

    /// The function accesses memory in a way that is not checked.
    pub(super) fn unchecked(&mut self, name: &str, span: Span) {
        if self.checks(Property::ValidDeref) {
            let message = format!("what `{name}` accesses is not checked");
            self.doubtful_error(Property::ValidDeref, &message, span);
        }
    }

    pub(super) fn doubtful_error(&mut self, property: Property, message: &str, span: Span) {
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
}
