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
use program::{AccessKind, ErrorTag, InputKind, LocId, Property, Span, VarId};

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
        let address_bits = self.pointer_scalar().bits;
        // Sound because sizes are unsigned whatever the argument's type says: integers of LLVM have no sign, and
        // minus one is more than there is, not less than nothing.
        let size_of = |lower: &mut Self, i: usize| {
            let given = term(i)?;
            Some(lower.wrap_unsigned(given, address_bits))
        };
        Some(match meaning {
            Meaning::Allocate { size, zero, stack } => {
                let factors: Vec<TermId> = size.iter().filter_map(|&i| size_of(self, i)).collect();
                let bytes = self.pool.mul(&factors);
                // The other argument of `aligned_alloc`; one not known is no larger than a page.
                let align = match (size, stack) {
                    ([1], false) => term(0).map(|a| self.constant_size(a).unwrap_or(4096)),
                    ([0], true) => term(1).map(|a| self.constant_size(a).unwrap_or(4096) / 8),
                    _ => None,
                };
                let align = align.filter(|a| a.is_power_of_two()).unwrap_or(16);
                let v = self.new_memory(bytes, align, !stack, e);
                if stack {
                    self.stacked(e.id, v, e.span);
                }
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
                let (d, s, n) = (term(0)?, term(1)?, size_of(self, 2)?);
                let target = self.memory.points.target_of(&args[0]);
                self.check_bytes(d, n, AccessKind::Write, target, e.span);
                self.check_bytes(s, n, AccessKind::Read, None, e.span);
                if apart && self.checks(Property::ValidDeref) {
                    self.check_apart(d, s, n, e.span);
                }
                self.copy_bytes(args, d, s, n, e.span);
                Val::int(d)
            }
            _ => {
                let (p, c, n) = (term(0)?, term(1)?, size_of(self, 2)?);
                let target = self.memory.points.target_of(&args[0]);
                self.check_bytes(p, n, AccessKind::Write, target, e.span);
                let byte = self.wrap_unsigned(c, 8);
                if let Some(cell) = self.memory.points.target_of(&args[0]) {
                    let size = self.constant_size(n);
                    let mut batch = Batch::default();
                    let skip = Self::no_skip();
                    self.fill(&mut batch, cell, p, size, Some(n), byte, &skip, e.span);
                    self.commit(batch, e.span);
                }
                Val::int(p)
            }
        })
    }

    /// A loop over bytes upwards (`sema/untyped.rs`): as the library's functions, but for areas that overlap so that
    /// bytes are read which the loop has written.
    pub(super) fn untyped_loop(&mut self, copies: bool, args: &[Expr], e: &Expr) -> Val {
        let unused = Val::int(self.pool.int(0));
        if self.checks(Property::NoPointerArith) {
            let message = "pointers of a loop over bytes are not checked";
            self.doubtful_error(Property::NoPointerArith, message, e.span);
        }
        let meaning = match copies {
            true => Meaning::CopyBytes { apart: false },
            false => Meaning::SetBytes,
        };
        if !copies {
            return self.memory_function(meaning, args, e).unwrap_or(unused);
        }
        let values = self.arguments(args, &[]);
        let terms: Vec<TermId> = values
            .iter()
            .filter_map(|a| a.terms.first())
            .copied()
            .collect();
        let [d, s, n] = terms[..] else {
            return unused;
        };
        let (d, s, n) = (
            self.freeze(d, e.span),
            self.freeze(s, e.span),
            self.freeze(n, e.span),
        );
        let end = self.pool.add2(s, n);
        let parts = [self.pool.lt(s, d), self.pool.lt(d, end)];
        let overlap = self.pool.and(&parts);
        let join = self.b.new_loc(e.span);
        let (again, apart) = self.b.branch(self.pool, overlap, e.span);
        self.b.at = again;
        let target = self.memory.points.target_of(&args[0]);
        self.check_bytes(d, n, AccessKind::Write, target, e.span);
        self.check_bytes(s, n, AccessKind::Read, None, e.span);
        if let Some(cell) = target {
            for region in self.memory.node_regions(cell) {
                self.havoc_region(region, e.span);
            }
        }
        self.only_approximate(e.span);
        self.b.jump(join, e.span);
        self.b.at = apart;
        self.memory_function(meaning, args, e);
        self.b.jump(join, e.span);
        self.b.at = join;
        self.b
            .note(e.span, "a loop over bytes that overlap: any content");
        unused
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

    /// New memory of so many bytes, or null: more than a machine has addresses for is never given, and the heap may
    /// be allowed to refuse anything.
    fn new_memory(&mut self, bytes: TermId, align: u64, heap: bool, e: &Expr) -> VarId {
        let span = e.span;
        let pointer = self.pointer_scalar();
        let v = self.temp(pointer, span);
        let end = self.b.new_loc(span);
        if heap {
            self.no_memory_if_too_large(v, bytes, end, span);
        }
        if heap && self.options.malloc_may_fail {
            let what = String::from("malloc.fails");
            let fails = self.any(Scalar::FLAG, InputKind::Environment { what }, span);
            let zero = self.pool.int(0);
            let fails = self.pool.eq(fails, zero);
            let fails = self.pool.not(fails);
            let (null, memory) = self.b.branch(self.pool, fails, span);
            self.b.at = null;
            self.b.assign(vec![(v, zero)], span);
            self.b.jump(end, span);
            self.b.at = memory;
        } else {
            self.b.assumption(span, "allocation succeeds");
        }
        self.allocate(v, bytes, align, heap, span);
        self.b.jump(end, span);
        self.b.at = end;
        v
    }

    /// Control goes on to `end` with null if the size is larger than a machine's address space. Errors behind that
    /// count only where the size is a constant: else it is as unlikely as running out of memory.
    fn no_memory_if_too_large(&mut self, v: VarId, bytes: TermId, end: LocId, span: Span) {
        let most = i128::from(self.address_space());
        if self.ranges.within(self.pool, bytes, Some((0, most))) {
            return;
        }
        let (zero, most) = (self.pool.int(0), self.pool.int(most));
        let fits = self.pool.le(bytes, most);
        let (memory, null) = self.b.branch(self.pool, fits, span);
        self.b.at = null;
        if self.pool.as_number(bytes).is_none() {
            self.only_approximate(span);
        }
        self.b.assign(vec![(v, zero)], span);
        self.b.jump(end, span);
        self.b.at = memory;
    }

    fn constant_size(&self, t: TermId) -> Option<u64> {
        let n = self.pool.as_number(t).and_then(Rational::to_i64)?;
        u64::try_from(n).ok()
    }

    fn zero_new(&mut self, v: VarId, bytes: TermId, e: &Expr) {
        let Some(cell) = self.memory.points.target_of(e) else {
            return;
        };
        let size = self.constant_size(bytes);
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
        let size = self.constant_size(n);
        if size != Some(0) {
            let mut batch = Batch::default();
            self.forget_across(&mut batch, cell, to, span);
            self.commit(batch, span);
        }
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
            let start = bit;
            let bit = bit as i64 / 8 * 8;
            let part = (size * 8).saturating_sub(start) as u32;
            let value = if inside {
                self.read_region(region, a, bit, scalar, span)
            } else if Self::has_parts(scalar) {
                let new = self.read_region(region, a, bit, scalar, span);
                let old = self.read_region(region, b, bit, scalar, span);
                self.joined(new, old, part, scalar)
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

    /// Perhaps an error, perhaps not.
    pub(super) fn doubtful_error(&mut self, property: Property, message: &str, span: Span) {
        let bad = self.unforeseen(span);
        let tag = ErrorTag {
            property,
            span,
            message: message.into(),
        };
        self.b.error_if(self.pool, bad, tag);
    }

    /// Whether something happens that is not modelled. That it does not is one of the possibilities, so that executions
    /// go on that are real; where it happens a number decides that only approximates something, so no error counts there.
    pub(super) fn unforeseen(&mut self, span: Span) -> TermId {
        let happens = self.any(Scalar::FLAG, InputKind::Unknown, span);
        let flag = self.any(Scalar::FLAG, InputKind::Approximation, span);
        let (zero, one) = (self.pool.int(0), self.pool.int(1));
        let parts = [self.pool.eq(happens, one), self.pool.ge(flag, zero)];
        self.pool.and(&parts)
    }
}
