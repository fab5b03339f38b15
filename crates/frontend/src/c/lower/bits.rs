//! Bits of addresses: what a program may know of an address that it looks at as a number.
//!
//! The model gives every object one address; a real machine has many. An address is a multiple of what the
//! object's type, its declaration or its allocation promises, not null, in the lower half of the address space,
//! and no more is known of it. An operation whose result depends on more (`p % 32` for what `malloc` gave,
//! `p >> 4`, `p * 31`, `p < 0x400000`) gives any value: an approximation. Sums, differences, exclusive ors and
//! what clears or sets promised bits are exact: they mean the same wherever the object lies.
//! Which integers are addresses says `address_flow`.

use super::super::hir::{BinaryOp, CastKind, Expr, ExprKind};
use super::super::memory::constraints::{ObjectKind, Promise};
use super::super::memory::regions::Address as Place;
use super::super::types::DataModel;
use super::Lower;
use super::address_flow::Address;
use super::expr::Val;
use super::reach::ObjectKey;
use super::scalar::Scalar;
use logic::{Rational, TermId};
use program::{InputKind, Span};

/// No object lies in the first page.
const PAGE: i128 = 4096;
/// What is allocated is aligned for every type.
const MALLOC: u64 = 16;

impl Lower<'_> {
    fn is_address(&self, e: &Expr) -> bool {
        self.bits.of(e) != Address::No
    }

    /// How an operand comes from an address; a compound assignment stands for its place.
    fn held(&self, e: &Expr) -> Address {
        match &e.kind {
            ExprKind::CompoundAssign { place, .. } => self.bits.kept(place),
            _ => self.bits.of(e),
        }
    }

    /// Is it an address and not what was made of one, or cut off it?
    fn is_whole(&self, e: &Expr) -> bool {
        let types = &self.unit.types;
        self.held(e) == Address::Plain && types.size_of(e.ty) == Some(types.pointer_size())
    }

    /// The alignment that all objects an integer may be the address of are promised to have; `None` if it is the
    /// address of none of ours.
    fn promised(&mut self, e: &Expr) -> Option<u64> {
        let (all, _) = self.promises(e)?;
        match self.held(e) {
            Address::Scaled => Some(1),
            _ => Some(all),
        }
    }

    /// What all objects promise, and what those do that lie nowhere before they are made.
    fn promises(&mut self, e: &Expr) -> Option<(u64, Option<u64>)> {
        let (root, _) = self.memory.points.target_of(e)?;
        let node = self.memory.points.graph.root_data(root);
        let of_function = |f| self.unit.alignments.functions.get(f).copied().unwrap_or(1);
        let mut all = node.functions.iter().map(of_function).min();
        let mut made = None;
        for &(o, _) in &node.objects {
            let kind = self.memory.points.objects[o as usize].kind;
            let promise = match kind {
                ObjectKind::Declared(ObjectKey::Global(g)) => self.unit.align_of_global(g),
                ObjectKind::Declared(ObjectKey::Local(l)) => self.unit.align_of_local(l),
                ObjectKind::Declared(ObjectKey::String(_)) => 1,
                ObjectKind::Heap(promise) => self.promised_by(promise),
            };
            let fixed = match kind {
                ObjectKind::Declared(key) => {
                    matches!(self.memory.addresses.get(&key), Some(Place::Fixed(_)))
                }
                ObjectKind::Heap(_) => false,
            };
            let least = |known: Option<u64>| Some(known.map_or(promise, |n: u64| n.min(promise)));
            all = least(all);
            if !fixed {
                made = least(made);
            }
        }
        all.map(|all| (all, made))
    }

    /// When an operation with this operand tells no more of the address `x` than is promised.
    fn keeps_promises(
        &mut self,
        op: BinaryOp,
        (e, x): (&Expr, TermId),
        operand: TermId,
        scalar: Scalar,
    ) -> Option<TermId> {
        let promised = self.promised(e)?;
        let keeps = self.keeps(op, operand, promised, scalar);
        let pointer = matches!(&e.kind, ExprKind::Cast(CastKind::PointerToInt, _));
        let (_, made) = self.promises(e)?;
        let Some(made) = made.filter(|n| *n > promised && pointer && self.is_whole(e)) else {
            return Some(keeps);
        };
        // Sound because objects that are made lie behind all others, and a pointer does not leave its object.
        let heap = self.pool.int(self.memory.heap);
        let behind = self.pool.ge(x, heap);
        let more = self.keeps(op, operand, made, scalar);
        let there = self.pool.and2(behind, more);
        Some(self.pool.or2(keeps, there))
    }

    /// What an allocation promises.
    pub(super) fn promised_by(&self, promise: Promise) -> u64 {
        let asked = match promise {
            Promise::Usual => None,
            Promise::Bytes(n) => Some(n),
            Promise::Parameter(l) => self.bits.constant(l).and_then(|n| u64::try_from(n).ok()),
        };
        asked
            .filter(|n| n.is_power_of_two())
            .unwrap_or(1)
            .max(MALLOC)
    }

    /// Integer arithmetic on expressions, one of which may be an address.
    pub(in crate::c) fn number_binary(
        &mut self,
        op: BinaryOp,
        (a, x): (&Expr, TermId),
        (b, y): (&Expr, TermId),
        e: &Expr,
    ) -> Val {
        let (of_a, of_b) = (self.is_address(a), self.is_address(b));
        let scalar = self.scalar(e.ty);
        let value = self.int_binary(op, x, y, scalar, e.span);
        self.blurred(
            op,
            value,
            (x, of_a.then_some(a)),
            (y, of_b.then_some(b)),
            scalar,
            e.span,
        )
    }

    /// `place op= value`, computed in the scalar.
    pub(in crate::c) fn number_compound(
        &mut self,
        op: BinaryOp,
        e: &Expr,
        value: &Expr,
        (x, y): (TermId, TermId),
        scalar: Scalar,
    ) -> Val {
        let held = match &e.kind {
            ExprKind::CompoundAssign { place, .. } => self.bits.kept(place) != Address::No,
            _ => false,
        };
        let of_value = self.is_address(value).then_some(value);
        let result = self.int_binary(op, x, y, scalar, e.span);
        // The place and the whole expression point to the same.
        self.blurred(
            op,
            result,
            (x, held.then_some(e)),
            (y, of_value),
            scalar,
            e.span,
        )
    }

    fn blurred(
        &mut self,
        op: BinaryOp,
        value: Val,
        (x, a): (TermId, Option<&Expr>),
        (y, b): (TermId, Option<&Expr>),
        scalar: Scalar,
        span: Span,
    ) -> Val {
        if self.options.running || (a.is_none() && b.is_none()) {
            return value;
        }
        let exact = match (a, b) {
            // Wherever both lie.
            (Some(_), Some(_))
                if matches!(op, BinaryOp::Sub | BinaryOp::BitXor | BinaryOp::Add) =>
            {
                return value;
            }
            (Some(_), Some(_)) => self.pool.ff(),
            (Some(a), None) => match self.keeps_promises(op, (a, x), y, scalar) {
                Some(exact) => exact,
                None => return value,
            },
            (None, Some(b)) if op.commutes() => match self.keeps_promises(op, (b, y), x, scalar) {
                Some(exact) => exact,
                None => return value,
            },
            _ => self.pool.ff(),
        };
        // Null and small numbers are themselves, unless something was made of them.
        let page = self.pool.int(PAGE as i64);
        let small = |lower: &mut Self, t: TermId, e: Option<&Expr>| match e {
            None => lower.pool.tt(),
            Some(e) if lower.is_whole(e) => lower.pool.lt(t, page),
            Some(_) => lower.pool.ff(),
        };
        let small = [small(self, x, a), small(self, y, b)];
        let small = self.pool.and(&small);
        let exact = self.pool.or2(exact, small);
        if exact == self.pool.tt() {
            return value;
        }
        let what = "bits of an address that nothing promises: any value";
        self.b.note(span, what);
        let other = self.any(scalar, InputKind::Approximation, span);
        let limit = match op {
            BinaryOp::Rem => self.pool.as_number(y).map(|c| c.abs() - &Rational::ONE),
            BinaryOp::BitAnd => [x, y]
                .into_iter()
                .find_map(|t| self.pool.as_number(t))
                .cloned(),
            _ => None,
        };
        if let Some(limit) = limit.filter(|l| *l >= Rational::ZERO) {
            let within = self.pool.in_range(&Rational::ZERO, other, &limit);
            self.b.assume(self.pool, within, span);
        }
        let term = self.settle(value, span);
        let result = self.pool.ite(exact, term, other);
        self.ranges.set(result, scalar.interval());
        Val::int(result)
    }

    /// When the operation with this operand tells no more of an address than what is promised.
    fn keeps(&mut self, op: BinaryOp, operand: TermId, promised: u64, scalar: Scalar) -> TermId {
        let half = match self.unit.types.model {
            DataModel::Lp64 => 47,
            DataModel::Ilp32 => 32,
        };
        let known = self.pool.as_number(operand).and_then(Rational::to_integer);
        let known = known.and_then(|n| i128::try_from(n).ok());
        let below = |lower: &mut Self, n: i128| {
            let most = Rational::from(n);
            lower.pool.in_range(&Rational::ZERO, operand, &most)
        };
        let least = i128::from(promised);
        let constant = |lower: &mut Self, holds: bool| match holds {
            true => lower.pool.tt(),
            false => lower.pool.ff(),
        };
        match op {
            BinaryOp::Add | BinaryOp::Sub => self.pool.tt(),
            BinaryOp::BitAnd => {
                // Promised bits, or all others.
                let few = below(self, least - 1);
                let all = match scalar.signed {
                    true => -1,
                    false => (1i128 << scalar.bits.min(126)) - 1,
                };
                let (low, high) = (Rational::from(all - least + 1), Rational::from(all));
                let rest = self.pool.in_range(&low, operand, &high);
                let whole =
                    known.is_some_and(|c| c >= 0 && (c + 1).count_ones() == 1 && c >> half != 0);
                let whole = constant(self, whole);
                self.pool.or(&[few, rest, whole])
            }
            BinaryOp::BitOr | BinaryOp::BitXor => {
                let high = known.is_some_and(|c| c & ((1 << half) - 1) == 0);
                let (few, high) = (below(self, least - 1), constant(self, high));
                self.pool.or2(few, high)
            }
            BinaryOp::Rem => {
                let divides = known.is_some_and(|c| c > 0 && least % c == 0);
                constant(self, divides)
            }
            // Only the way back tells something.
            _ => constant(self, known.is_some_and(|c| c > 0)),
        }
    }

    /// A comparison of integers, one of which may be an address.
    pub(in crate::c) fn number_compare(
        &mut self,
        op: BinaryOp,
        (a, x): (&Expr, TermId),
        (b, y): (&Expr, TermId),
        e: &Expr,
    ) -> Val {
        let exact = self.compare(op, x, y);
        let (of_a, of_b) = (self.is_address(a), self.is_address(b));
        // An input may be equal to an address wherever it is; a constant is one address.
        let equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        let plain = if of_a { y } else { x };
        let constant = self.pool.as_number(plain).is_some();
        let (address, other) = match (of_a, of_b) {
            _ if self.options.running => return Val::boolean(exact),
            (false, false) => return Val::boolean(exact),
            _ if equality && (of_a == of_b || !constant) => return Val::boolean(exact),
            (true, true) => {
                let (p, q) = (&mut self.memory.points, (a, b));
                let (p, q) = (p.target_of(q.0), p.target_of(q.1));
                match (p, q) {
                    (Some(p), Some(q)) if p.0 != q.0 => (x, y),
                    _ => return Val::boolean(exact),
                }
            }
            (true, false) if self.promised(a).is_some() => (x, y),
            (false, true) if self.promised(b).is_some() => (y, x),
            _ => return Val::boolean(exact),
        };
        let high = match self.unit.types.model {
            DataModel::Lp64 => 1i128 << 47,
            DataModel::Ilp32 => (1 << 32) - PAGE,
        };
        let page = self.pool.int(PAGE as i64);
        let high = self.pool.int(high as i64);
        let mut sure = Vec::new();
        let whole = |e: &Expr| !self.is_address(e) || self.is_whole(e);
        if whole(a) && whole(b) {
            // Null, and where nothing lies.
            sure.push(self.pool.lt(address, page));
            sure.push(self.pool.lt(other, page));
            if of_a != of_b {
                sure.push(self.pool.ge(other, high));
            }
        }
        let sure = self.pool.or(&sure);
        if sure == self.pool.tt() {
            return Val::boolean(exact);
        }
        let what = "where an object lies in memory: any order";
        self.b.note(e.span, what);
        let t = self.any(Scalar::FLAG, InputKind::Approximation, e.span);
        let one = self.pool.int(1);
        let any = self.pool.eq(t, one);
        Val::boolean(self.pool.ite(sure, exact, any))
    }
}
