//! Values as bytes: regions that accesses of several widths share are arrays of bytes, little-endian.

use super::Lower;
use super::access::Batch;
use super::scalar::{Scalar, ScalarKind};
use logic::TermId;
use program::{Span, VarId};

impl Lower<'_> {
    /// Assembles a value from its bytes, little-endian.
    pub(super) fn read_bytes(
        &mut self,
        array: TermId,
        address: TermId,
        bit: i64,
        scalar: Scalar,
        span: Span,
    ) -> TermId {
        let shift = bit.rem_euclid(8) as u32;
        let count = (shift + scalar.bits).div_ceil(8);
        let mut parts = Vec::new();
        for i in 0..count {
            let offset = self.pool.int(i);
            let at = self.pool.add2(address, offset);
            let byte = self.pool.select(array, at);
            let byte = self.in_type(byte, Scalar::BYTE, span);
            parts.push(
                self.pool
                    .mul_const(&logic::Rational::power_of_two(8 * i as usize), byte),
            );
        }
        let mut whole = self.pool.add(&parts);
        if shift != 0 {
            let s = self.pool.int(shift);
            whole = self.pool.shr(whole, s);
        }
        if scalar.kind == ScalarKind::Bool {
            let zero = self.pool.int(0);
            let one = self.pool.int(1);
            let low = self.pool.wrap(scalar.bits as u8, false, whole);
            let is_zero = self.pool.eq(low, zero);
            return self.pool.ite(is_zero, zero, one);
        }
        self.wrap_to(whole, scalar)
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn write_bytes(
        &mut self,
        batch: &mut Batch,
        v: VarId,
        address: TermId,
        bit: i64,
        scalar: Scalar,
        value: TermId,
        span: Span,
    ) {
        let shift = bit.rem_euclid(8) as u32;
        let mut array = self.current(batch, v);
        let value = match scalar.kind {
            ScalarKind::Pointer => self.address_as_integer(value, span),
            _ => value,
        };
        let (whole, count) = if shift == 0 && scalar.bits.is_multiple_of(8) {
            (value, scalar.bits / 8)
        } else {
            // A bit-field: keep the neighbours in its bytes.
            let count = (shift + scalar.bits).div_ceil(8);
            let unit = Scalar {
                bits: count * 8,
                signed: false,
                kind: ScalarKind::Int,
            };
            // Of the bytes as the writes before in the same batch leave them.
            let old = self.read_bytes(array, address, 0, unit, span);
            let mask: i128 = ((1i128 << scalar.bits) - 1) << shift;
            let keep = self.pool.int((1i128 << (count * 8)) - 1 - mask);
            let kept = self.pool.bit_and(old, keep);
            let low = self.wrap_unsigned(value, scalar.bits);
            let s = self.pool.int(shift);
            let moved = self.pool.shl(low, s);
            (self.pool.add2(kept, moved), count)
        };
        for i in 0..count {
            let offset = self.pool.int(i);
            let at = self.pool.add2(address, offset);
            let shift = self.pool.int(8 * i);
            let high = self.pool.shr(whole, shift);
            let byte = self.wrap_unsigned(high, 8);
            array = self.pool.store(array, at, byte);
        }
        batch.set(v, array);
    }
}
