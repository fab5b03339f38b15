//! `memset` and `memcpy` whose length is known only at run time.
//!
//! A region of a struct's field that occurs once gets a case distinction: the length covers it or
//! not. A region of array elements gets a loop with the region's own step. A length that ends inside
//! a value leaves any value there, with a note. Where a length is a multiple of the cells' size by how it is written
//! (`calloc(n, 8)`), cells are counted, not bytes.

use super::super::memory::regions::RegionId;
use super::super::memory::unify::Cell;
use super::access::Batch;
use super::scalar::Scalar;
use super::{Lower, RegionVars};
use base::{FxHashSet, Id};
use logic::{Rational, TermId};
use program::{Span, VarId, VarKind};

/// Where the values of a region lie, in bytes from an address on.
enum Layout {
    Once {
        offset: i64,
        scalar: Scalar,
    },
    Every {
        first: i64,
        step: i64,
        scalar: Scalar,
    },
    Irregular,
}

impl Lower<'_> {
    fn layout(&mut self, region: RegionId, cell: Cell) -> Layout {
        let data = self.memory.regions[region.index()].clone();
        let (root, label) = self.memory.points.graph.plain(cell);
        let Some(scalar) = data.scalar else {
            return Layout::Every {
                first: 0,
                step: 1,
                scalar: Scalar::BYTE,
            };
        };
        let period = self.memory.points.graph.step(root, data.label);
        let distance = data.label - label;
        if !scalar.bits.is_multiple_of(8) || period % 8 != 0 || distance % 8 != 0 {
            return Layout::Irregular;
        }
        if period == 0 {
            return Layout::Once {
                offset: distance / 8,
                scalar,
            };
        }
        Layout::Every {
            first: distance.rem_euclid(period) / 8,
            step: period / 8,
            scalar,
        }
    }

    /// Sets the part of a region that lies in `size` bytes from the address on to copies of a byte.
    #[allow(clippy::too_many_arguments)]
    pub(in crate::c) fn fill_unknown(
        &mut self,
        region: RegionId,
        cell: Cell,
        address: TermId,
        size: TermId,
        byte: TermId,
        skip: &FxHashSet<VarId>,
        span: Span,
    ) {
        let vars = self.region_vars(region);
        let address = self.freeze(address, span);
        match (self.layout(region, cell), vars) {
            (_, RegionVars::Array(v)) if skip.contains(&v) => {}
            (Layout::Once { offset, scalar }, _) => {
                let value = self.repeated(byte, scalar);
                self.once(region, offset, scalar, size, span, |this, batch, offset| {
                    let at = this.pool.add2(address, offset);
                    this.write_region(batch, region, at, 0, scalar, value, span);
                });
            }
            (
                Layout::Every {
                    first,
                    step,
                    scalar,
                },
                RegionVars::Array(v),
            ) => {
                let value = self.repeated(byte, scalar);
                self.every(region, first, step, scalar, size, span, |this, offset| {
                    let at = this.pool.add2(address, offset);
                    let array = this.var_term(v);
                    (v, this.pool.store(array, at, value))
                });
            }
            (Layout::Every { scalar, .. }, RegionVars::Cells(cells)) => {
                let value = self.repeated(byte, scalar);
                let area = (address, size);
                self.each_cell(region, &cells, area, scalar, span, |this, _| {
                    (value, this.pool.tt())
                });
            }
            (Layout::Irregular, _) => {
                self.havoc_region(region, span);
                self.b
                    .note(span, "memory set by an unknown length: any content");
            }
        }
    }

    /// Copies `size` bytes. The cells of both sides lie alike (the analysis merged them).
    pub(in crate::c) fn copy_unknown(
        &mut self,
        cell: Cell,
        to: TermId,
        from: TermId,
        size: TermId,
        span: Span,
    ) {
        let (to, from) = (self.freeze(to, span), self.freeze(from, span));
        let size = self.freeze(size, span);
        for region in self.memory.node_regions(cell) {
            let vars = self.region_vars(region);
            match (self.layout(region, cell), vars) {
                (Layout::Once { offset, scalar }, _) => {
                    self.once(region, offset, scalar, size, span, |this, batch, offset| {
                        let a = this.pool.add2(from, offset);
                        let b = this.pool.add2(to, offset);
                        let value = this.read_region(region, a, 0, scalar, span);
                        this.write_region(batch, region, b, 0, scalar, value, span);
                    });
                }
                (
                    Layout::Every {
                        first,
                        step,
                        scalar,
                    },
                    RegionVars::Array(v),
                ) => {
                    // Reads are from before the copy, as the areas of `memmove` may overlap.
                    let before = self.snapshot(v, span);
                    self.every(region, first, step, scalar, size, span, |this, offset| {
                        let a = this.pool.add2(from, offset);
                        let b = this.pool.add2(to, offset);
                        let value = this.pool.select(before, a);
                        let array = this.var_term(v);
                        (v, this.pool.store(array, b, value))
                    });
                }
                (Layout::Every { scalar, .. }, RegionVars::Cells(cells)) => {
                    let sources = std::rc::Rc::clone(&cells);
                    self.each_cell(region, &cells, (to, size), scalar, span, |this, at| {
                        let at = this.pool.int(at);
                        let ahead = this.pool.sub(at, to);
                        let source = this.pool.add2(from, ahead);
                        let mut value = at;
                        let mut known = Vec::new();
                        for &(a, v) in sources.iter() {
                            let a = this.pool.int(a);
                            let here = this.pool.eq(source, a);
                            let t = this.var_term(v);
                            value = this.pool.ite(here, t, value);
                            known.push(here);
                        }
                        (value, this.pool.or(&known))
                    });
                }
                (Layout::Irregular, _) => {
                    self.havoc_region(region, span);
                    self.b
                        .note(span, "memory copied by an unknown length: any content");
                }
            }
        }
    }

    fn snapshot(&mut self, v: VarId, span: Span) -> TermId {
        let name = format!("{}::before", self.frame.name);
        let sort = self.b.vars[v].sort;
        let copy = self.b.var(
            self.pool,
            crate::builder::VarSpec {
                name: &name,
                sort,
                range: None,
                kind: VarKind::Local,
                source_name: None,
                source_type: None,
                span,
            },
        );
        let array = self.var_term(v);
        self.b.assign(vec![(copy, array)], span);
        self.var_term(copy)
    }

    /// `if (offset + width <= size) write(offset)`.
    fn once(
        &mut self,
        region: RegionId,
        offset: i64,
        scalar: Scalar,
        size: TermId,
        span: Span,
        write: impl Fn(&mut Self, &mut Batch, TermId),
    ) {
        if offset < 0 {
            return;
        }
        let width = i64::from(scalar.bits / 8);
        let (start, end) = (self.pool.int(offset), self.pool.int(offset + width));
        let join = self.b.new_loc(span);
        let covered = self.pool.le(end, size);
        let (whole, rest) = self.b.branch(self.pool, covered, span);
        self.b.at = whole;
        let mut batch = Batch::default();
        write(self, &mut batch, start);
        self.commit(batch, span);
        self.b.jump(join, span);
        self.b.at = rest;
        let outside = self.pool.le(size, start);
        let (none, part) = self.b.branch(self.pool, outside, span);
        self.b.at = none;
        self.b.jump(join, span);
        if width > 1 {
            self.b.at = part;
            self.havoc_region(region, span);
            self.b.jump(join, span);
        }
        self.b.at = join;
    }

    /// The cells inside an area (address and size) get new values, all at once, if these are known.
    fn each_cell(
        &mut self,
        region: RegionId,
        cells: &[(u64, VarId)],
        (address, size): (TermId, TermId),
        scalar: Scalar,
        span: Span,
        value: impl Fn(&mut Self, u64) -> (TermId, TermId),
    ) {
        let end = self.pool.add2(address, size);
        let mut batch = Batch::default();
        let mut cut = Vec::new();
        for &(a, v) in cells {
            let (first, last) = (
                self.pool.int(a),
                self.pool.int(a + u64::from(scalar.bits / 8)),
            );
            let parts = [self.pool.le(address, first), self.pool.le(last, end)];
            let inside = self.pool.and(&parts);
            let parts = [
                self.pool.lt(address, last),
                self.pool.lt(first, end),
                self.pool.not(inside),
            ];
            cut.push(self.pool.and(&parts));
            let (new, known) = value(self, a);
            let unknown = self.pool.not(known);
            cut.push(self.pool.and2(inside, unknown));
            let old = self.var_term(v);
            batch.set(v, self.pool.ite(inside, new, old));
        }
        let cut = self.pool.or(&cut);
        let (part, whole) = self.b.branch(self.pool, cut, span);
        let join = self.b.new_loc(span);
        self.b.at = part;
        self.havoc_region(region, span);
        self.b.jump(join, span);
        self.b.at = whole;
        self.commit(batch, span);
        self.b.jump(join, span);
        self.b.at = join;
    }

    /// A sum of multiples of a number, divided by it.
    fn divided(&mut self, size: TermId, by: i64) -> Option<TermId> {
        if self.pool.as_number(size).is_some() {
            return None;
        }
        let by = Rational::from(by);
        let mut sum = self.pool.linear(size);
        sum.scale(&by.recip());
        let whole = sum.constant.is_integer() && sum.terms.iter().all(|t| t.1.is_integer());
        let sort = self.pool.int_sort();
        whole.then(|| self.pool.from_linear(&sum, sort))
    }

    /// `for (k = 0; k < count; k++) write(k * step)`: where the size is known to be of whole cells these are counted.
    fn each_of(
        &mut self,
        count: TermId,
        step: i64,
        span: Span,
        write: impl Fn(&mut Self, TermId) -> (VarId, TermId),
    ) {
        let count = self.freeze(count, span);
        let (zero, one, step) = (self.pool.int(0), self.pool.int(1), self.pool.int(step));
        let counter = self.temp(self.pointer_scalar(), span);
        self.b.assign(vec![(counter, zero)], span);
        let head = self.b.new_loc(span);
        self.b.jump(head, span);
        self.b.at = head;
        let k = self.var_term(counter);
        let more = self.pool.lt(k, count);
        let (inside, out) = self.b.branch(self.pool, more, span);
        self.b.at = inside;
        let offset = self.pool.mul(&[k, step]);
        let stored = write(self, offset);
        let next = self.pool.add2(k, one);
        self.b.assign(vec![stored, (counter, next)], span);
        self.b.jump(head, span);
        self.b.at = out;
    }

    /// `for (i = first; i + width <= size; i += step) write(i)`.
    #[allow(clippy::too_many_arguments)]
    fn every(
        &mut self,
        region: RegionId,
        first: i64,
        step: i64,
        scalar: Scalar,
        size: TermId,
        span: Span,
        write: impl Fn(&mut Self, TermId) -> (VarId, TermId),
    ) {
        let packed = first == 0 && step == i64::from(scalar.bits / 8);
        if let Some(count) = self.divided(size, step).filter(|_| packed) {
            return self.each_of(count, step, span, write);
        }
        let (first, step) = (self.pool.int(first), self.pool.int(step));
        let size = self.freeze(size, span);
        let counter = self.temp(self.pointer_scalar(), span);
        self.b.assign(vec![(counter, first)], span);
        let head = self.b.new_loc(span);
        self.b.jump(head, span);
        self.b.at = head;
        let i = self.var_term(counter);
        let width = self.pool.int(scalar.bits / 8);
        let last = self.pool.add2(i, width);
        let more = self.pool.le(last, size);
        let (inside, out) = self.b.branch(self.pool, more, span);
        self.b.at = inside;
        let stored = write(self, i);
        let next = self.pool.add2(i, step);
        self.b.assign(vec![stored, (counter, next)], span);
        self.b.jump(head, span);
        self.b.at = out;
        if scalar.bits > 8 {
            let part = self.pool.lt(i, size);
            let (part, join) = self.b.branch(self.pool, part, span);
            self.b.at = part;
            self.havoc_region(region, span);
            self.b.edge(self.b.at, join, program::Stmt::Skip, span);
            self.b.at = join;
        }
    }
}
