//! CBMC's words as terms (`sema/cprover.rs` has the table): memory predicates over the ghost state of
//! memory, overflow by exact arithmetic, and functions that nobody knows.
//!
//! Sound because each term says what CBMC documents of the word; a pointer belongs to the block that its
//! address lies in, and blocks are disjoint.

use crate::c::hir::Expr;
use crate::c::lower::Lower;
use crate::c::lower::expr::Val;
use crate::c::lower::scalar::Scalar;
use logic::{Rational, TermId};

fn range(scalar: Scalar) -> (Rational, Rational) {
    let bits = scalar.bits as usize;
    let one = Rational::from(1);
    if scalar.signed {
        let half = Rational::power_of_two(bits - 1);
        return (-half.clone(), half - one);
    }
    (Rational::ZERO, Rational::power_of_two(bits) - one)
}

impl Lower<'_> {
    /// `None`: the word is not one of these.
    pub(in crate::c) fn cprover_intrinsic(
        &mut self,
        (word, text): (&str, &str),
        args: &[Expr],
        e: &Expr,
    ) -> Option<Val> {
        if word == "uninterpreted" {
            return self.uninterpreted(text, args, e);
        }
        if let Some(op) = word.strip_prefix("overflow_") {
            return self.overflow(op, args);
        }
        if matches!(word, "havoc" | "havoc_slice") {
            self.havoc_content(args, e);
            return Some(Val::int(self.pool.int(0)));
        }
        let known = crate::c::sema::cprover::is_pure(&format!("__builtin_craig_{word}"));
        if !known {
            return None;
        }
        let terms: Vec<TermId> = args.iter().map(|a| self.term(a)).collect();
        if let ("same_pointer", [a, b]) = (word, terms.as_slice()) {
            return Some(Val::boolean(self.pool.eq(*a, *b)));
        }
        let s = self.safety?;
        let (&p, zero) = (terms.first()?, self.pool.int(0));
        let (number, offset) = self.block_of(s, p);
        Some(match (word, terms.as_slice()) {
            ("ok", [_, n, ..]) => {
                // A null pointer is valid for nothing, not even for no bytes.
                let null = self.pool.eq(number, zero);
                let parts = [
                    self.pool.not(null),
                    self.pool.le(zero, *n),
                    self.bytes_valid(s, p, *n),
                ];
                Val::boolean(self.pool.and(&parts))
            }
            ("object_size", _) => {
                let sizes = self.var_term(s.size);
                Val::int(self.pool.select(sizes, number))
            }
            ("offset", _) => Val::int(offset),
            ("object", _) => Val::int(number),
            ("same_object", [_, q]) => {
                let other = self.block_of(s, *q).0;
                Val::boolean(self.pool.eq(number, other))
            }
            ("dynamic", _) => Val::boolean(self.allocated(s, number)),
            ("live", _) => {
                let sizes = self.var_term(s.size);
                let size = self.pool.select(sizes, number);
                Val::boolean(self.pool.lt(zero, size))
            }
            ("in_range", &[low, p, high]) => {
                let (middle, last) = (self.block_of(s, p).0, self.block_of(s, high).0);
                let parts = [
                    self.pool.eq(number, middle),
                    self.pool.eq(number, last),
                    self.pool.le(low, p),
                    self.pool.le(p, high),
                ];
                Val::boolean(self.pool.and(&parts))
            }
            _ => return None,
        })
    }

    /// The value of a function nobody knows: a table that the program never writes, by its arguments.
    fn uninterpreted(&mut self, name: &str, args: &[Expr], e: &Expr) -> Option<Val> {
        let int = self.pool.int_sort();
        let sort = self.pool.array_sort(int, int);
        let table = match self.tables.get(name) {
            Some(&v) => v,
            None => {
                let v = self.ghost(name, sort);
                self.tables.insert(name.to_string(), v);
                v
            }
        };
        let mut index = self.pool.int(0);
        for a in args {
            // Sound because arguments have at most 64 bits: different ones have different places.
            let wide = self.pool.mul_const(&Rational::power_of_two(64), index);
            let t = self.term(a);
            index = self.pool.add2(wide, t);
        }
        let table = self.var_term(table);
        let value = self.pool.select(table, index);
        let value = self.freeze(value, e.span);
        let (low, high) = range(self.scalar(e.ty));
        let fits = self.pool.in_range(&low, value, &high);
        self.b.assume(self.pool, fits, e.span);
        Some(Val::int(value))
    }

    /// Does the exact result leave the operands' type?
    fn overflow(&mut self, op: &str, args: &[Expr]) -> Option<Val> {
        let scalar = self.scalar(args.first()?.ty);
        let terms: Vec<TermId> = args.iter().map(|a| self.term(a)).collect();
        let exact = match (op, terms.as_slice()) {
            ("plus", [a, b]) => self.pool.add2(*a, *b),
            ("minus", [a, b]) => self.pool.sub(*a, *b),
            ("mult", [a, b]) => self.pool.mul(&[*a, *b]),
            ("unary_minus", [a]) => self.pool.neg(*a),
            ("shl", &[a, n]) => return Some(self.shift_overflows(a, n, scalar)),
            _ => return None,
        };
        let (low, high) = range(scalar);
        let fits = self.pool.in_range(&low, exact, &high);
        Some(Val::boolean(self.pool.not(fits)))
    }

    /// `a << n` has no value of its type: too far, negative, or bits are lost.
    fn shift_overflows(&mut self, a: TermId, n: TermId, scalar: Scalar) -> Val {
        let zero = self.pool.int(0);
        let (_, high) = range(scalar);
        let mut fine = Vec::new();
        for k in 0..scalar.bits {
            let distance = self.pool.int(k);
            let here = self.pool.eq(n, distance);
            let factor = Rational::power_of_two(k as usize);
            let moved = self.pool.mul_const(&factor, a);
            let most = self.pool.num(high.clone(), self.pool.int_sort());
            let fits = self.pool.le(moved, most);
            fine.push(self.pool.and2(here, fits));
        }
        let fits = self.pool.or(&fine);
        let sign = self.pool.le(zero, a);
        let fine = self.pool.and2(sign, fits);
        Val::boolean(self.pool.not(fine))
    }

    /// The memory that a pointer leads to has any content.
    fn havoc_content(&mut self, args: &[Expr], e: &Expr) {
        for a in args {
            self.discard(a);
        }
        let Some(cell) = args.first().and_then(|a| self.memory.points.target_of(a)) else {
            return;
        };
        self.b.note(
            e.span,
            "any content, also of other objects of the kind: no error may depend on it",
        );
        for r in self.memory.node_regions(cell) {
            self.havoc_region(r, e.span);
        }
    }
}
