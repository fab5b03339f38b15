//! Integers that no type of C holds: of more than 128 bits, or of a size in memory that is no power of two.
//!
//! `i24` is a number like others, but three bytes in memory: it is read and written as pieces of two and one bytes,
//! for a fourth would belong to a neighbour. Packed bit-fields of C are such. A number of more than 128 bits is a
//! record of its pieces everywhere, lowest first, words of 64 bits and then a rest; operations are written out piece by piece.

use super::super::module::{Op, Ty, Typed, Value};
use super::Translator;
use super::place::Pointer;
use crate::c::hir::{BinaryOp, Expr, Place};
use crate::c::types::TypeId;

/// Bits of a number, from a position on; the bits above its width are zero.
struct Part {
    at: u32,
    width: u32,
    word: Expr,
}

/// Bytes of the pieces of a number of so many bits.
fn pieces(bits: u32) -> Vec<u32> {
    let mut rest = bits.div_ceil(8);
    let mut out = Vec::new();
    for size in [8, 4, 2, 1] {
        while rest >= size {
            out.push(size);
            rest -= size;
        }
    }
    out
}

impl<'t> Translator<'_, 't> {
    pub(super) fn is_wide(&self, ty: Ty) -> bool {
        self.module.int_bits(ty).is_some_and(|b| b > 128)
    }

    /// The width of an integer whose bytes in memory are not those of a type of C.
    pub(super) fn odd_bits(&self, ty: Ty) -> Option<u32> {
        self.module
            .int_bits(ty)
            .filter(|b| *b <= 128 && !matches!(b.div_ceil(8), 1 | 2 | 4 | 8 | 16))
    }

    /// The record of the pieces.
    pub(super) fn pieces_type(&mut self, bits: u32) -> TypeId {
        if let Some(&t) = self.pieces.get(&bits) {
            return t;
        }
        let mut at = 0;
        let mut parts = Vec::new();
        for size in pieces(bits) {
            parts.push((at, self.int_type(size * 8, false)));
            at += u64::from(size);
        }
        let t = self.record_of(&parts, at, 1);
        self.pieces.insert(bits, t);
        t
    }

    /// The places of an odd number in memory, each with its first bit.
    fn piece_places(&mut self, p: &Value<'t>, bits: u32) -> Vec<(u32, Place)> {
        let bytes = bits.div_ceil(8);
        let place = match self.pointer(p) {
            Pointer::To(place) => {
                if let Some(array) = self.bytes_at(&place, bytes) {
                    let all = (0..bytes).map(|k| {
                        let part = self.element_place(array.clone(), u64::from(k));
                        (k * 8, part)
                    });
                    return all.collect();
                }
                self.address(place)
            }
            Pointer::Value(e) => e,
        };
        // Looked at more than once.
        let address = self.held(place);
        let record = self.pieces_type(bits);
        let whole = self.deref(address, record);
        let mut at = 0;
        let mut out = Vec::new();
        for (k, size) in pieces(bits).into_iter().enumerate() {
            out.push((at, self.field_place(whole.clone(), k as u32)));
            at += size * 8;
        }
        out
    }

    /// The array of at least so many bytes that the place begins with.
    fn bytes_at(&mut self, place: &Place, bytes: u32) -> Option<Place> {
        let mut at = place.clone();
        for _ in 0..16 {
            if let Some(element) = self.unit.types.element(at.ty) {
                let one = self.unit.types.size_of(element) == Some(1);
                let enough = self.unit.types.size_of(at.ty) >= Some(u64::from(bytes));
                return (one && enough && self.unit.types.is_integer(element)).then_some(at);
            }
            let record = self.unit.types.record(at.ty)?;
            match self.unit.types.records[record].fields.first() {
                Some(f) if f.offset == 0 => at = self.field_place(at, 0),
                _ => return None,
            }
        }
        None
    }

    pub(super) fn load_odd(&mut self, p: &Value<'t>, bits: u32, signed: bool) -> Expr {
        let to = self.int_type(bits, false);
        let mut sum = self.number(0, to);
        for (at, place) in self.piece_places(p, bits) {
            self.read(&place);
            let size = self.unit.types.size_of(place.ty).unwrap_or(1) as u32;
            let byte = self.int_type(size * 8, false);
            let part = self.load(place);
            let part = self.cast(part, byte);
            let part = self.cast(part, to);
            let by = self.number(i128::from(at), to);
            let part = self.binary(BinaryOp::Shl, part, by);
            sum = self.binary(BinaryOp::BitOr, sum, part);
        }
        let sum = self.narrow(sum, bits, false);
        self.with_sign(sum, bits, signed)
    }

    pub(super) fn store_odd(&mut self, v: &Typed<'t>, p: &Value<'t>, bits: u32) {
        let value = self.scalar(&v.value, v.ty, false);
        let value = self.held(value);
        for (at, place) in self.piece_places(p, bits) {
            let by = self.number(i128::from(at), value.ty);
            let part = self.binary(BinaryOp::Shr, value.clone(), by);
            let part = self.cast(part, place.ty);
            self.flush_writes(&place);
            self.emit_assign(place, part);
        }
    }

    fn word_type(&mut self) -> TypeId {
        self.int_type(64, false)
    }

    /// The operand as parts, lowest first.
    fn parts(&mut self, v: &Value<'t>, ty: Ty) -> Option<Vec<Part>> {
        let bits = self.module.int_bits(ty)?;
        let word = self.word_type();
        let constant = match v {
            Value::Int(n) => Some(words_of(*n, bits)),
            Value::Zero => Some(words_of(0, bits)),
            Value::Big(text) => Some(big_words(text, bits)),
            _ => None,
        };
        let widths = (0..bits.div_ceil(64)).map(|k| (k * 64, (bits - k * 64).min(64)));
        if let Some(constant) = constant {
            let all = widths.zip(constant).map(|((at, width), n)| Part {
                at,
                width,
                word: self.number(i128::from(n), word),
            });
            return Some(all.collect());
        }
        if bits > 128 {
            if !matches!(v, Value::Local(_)) {
                return None;
            }
            let typed = Typed {
                ty,
                value: v.clone(),
            };
            let place = self.aggregate(&typed);
            let mut at = 0;
            let mut out = Vec::new();
            for (k, size) in pieces(bits).into_iter().enumerate() {
                let part = self.field_place(place.clone(), k as u32);
                let part = self.load(part);
                out.push(Part {
                    at,
                    width: (bits - at).min(size * 8),
                    word: self.cast(part, word),
                });
                at += size * 8;
            }
            return Some(out);
        }
        let number = self.scalar(v, ty, false);
        let kept = if bits > 64 { number.ty } else { word };
        let number = self.cast(number, kept);
        let number = self.held(number);
        let mut out = Vec::new();
        for (at, width) in widths {
            let by = self.number(i128::from(at), number.ty);
            let part = self.binary(BinaryOp::Shr, number.clone(), by);
            out.push(Part {
                at,
                width,
                word: self.cast(part, word),
            });
        }
        Some(out)
    }

    /// The parts with copies of the sign above them.
    fn extended(&mut self, mut parts: Vec<Part>, bits: u32) -> Vec<Part> {
        let Some(top) = parts.last() else {
            return parts;
        };
        let (mut at, word) = (top.at + top.width, top.word.ty);
        let by = self.number(i128::from(top.width - 1), word);
        let sign = self.binary(BinaryOp::Shr, top.word.clone(), by);
        let zero = self.number(0, word);
        let fill = self.binary(BinaryOp::Sub, zero, sign);
        let fill = self.held(fill);
        while at < bits {
            let width = (bits - at).min(64);
            let word = self.narrow_to(fill.clone(), width);
            parts.push(Part { at, width, word });
            at += width;
        }
        parts
    }

    fn narrow_to(&mut self, e: Expr, width: u32) -> Expr {
        if width < 64 {
            self.narrow(e, width, false)
        } else {
            e
        }
    }

    /// The bits from `at` on, which may be below zero; what is not there is zero.
    fn slice(&mut self, parts: &[Part], at: i64, width: u32) -> Expr {
        let word = self.word_type();
        let mut sum = self.number(0, word);
        for p in parts {
            let from = i64::from(p.at) - at;
            if from >= i64::from(width) || from + i64::from(p.width) <= 0 {
                continue;
            }
            let by = self.number(i128::from(from.unsigned_abs()), word);
            let op = if from < 0 {
                BinaryOp::Shr
            } else {
                BinaryOp::Shl
            };
            let part = match from {
                0 => p.word.clone(),
                _ => self.binary(op, p.word.clone(), by),
            };
            sum = match sum.as_int() {
                Some(0) => part,
                _ => self.binary(BinaryOp::BitOr, sum, part),
            };
        }
        self.narrow_to(sum, width)
    }

    /// Writes a wide number, moved up by `by` bits.
    fn write_moved(&mut self, place: &Place, bits: u32, parts: &[Part], by: i64) {
        let mut at = 0;
        // All are read before the first is written.
        let mut values = Vec::new();
        for size in pieces(bits) {
            let width = (bits - at).min(size * 8);
            let e = self.slice(parts, i64::from(at) - by, width);
            values.push(self.held(e));
            at += size * 8;
        }
        for (k, e) in values.into_iter().enumerate() {
            let to = self.field_place(place.clone(), k as u32);
            let e = self.cast(e, to.ty);
            self.emit_assign(to, e);
        }
    }

    /// A constant or narrower number into the place of a wide one.
    pub(super) fn fill_wide(&mut self, place: &Place, v: &Value<'t>, ty: Ty) {
        let bits = self.module.int_bits(ty).unwrap_or(0);
        match self.parts(v, ty) {
            Some(parts) => self.write_moved(place, bits, &parts, 0),
            None => self.lost(place, "integer of more than 128 bits"),
        }
    }

    /// An instruction whose result is a wide number.
    pub(super) fn wide_op(&mut self, op: &Op<'t>, place: &Place, ty: Ty) {
        if self.known_wide_op(op, place, ty).is_none() {
            self.lost(place, "integer of more than 128 bits");
        }
    }

    fn known_wide_op(&mut self, op: &Op<'t>, place: &Place, ty: Ty) -> Option<()> {
        let bits = self.module.int_bits(ty)?;
        match op {
            Op::Cast(how @ ("zext" | "sext" | "trunc"), _, a, _) => {
                // Sound because `scalar` of a truth value is 0 or 1, the bits of `i1`.
                let parts = self.parts(&a.value, a.ty)?;
                let parts = match *how {
                    "sext" => self.extended(parts, bits),
                    _ => parts,
                };
                self.write_moved(place, bits, &parts, 0);
            }
            Op::Binary(name @ ("shl" | "lshr" | "ashr"), _, _, a, Value::Int(k)) => {
                let by = i64::try_from(*k).ok().filter(|k| *k < i64::from(bits))?;
                let parts = self.parts(a, ty)?;
                let parts = match *name {
                    "ashr" => self.extended(parts, bits + by as u32),
                    _ => parts,
                };
                let by = if *name == "shl" { by } else { -by };
                self.write_moved(place, bits, &parts, by);
            }
            Op::Binary(name @ ("and" | "or" | "xor" | "add" | "sub"), _, _, a, b) => {
                let (a, b) = (self.parts(a, ty)?, self.parts(b, ty)?);
                self.word_by_word(name, place, bits, &a, &b);
            }
            _ => return None,
        }
        Some(())
    }

    fn word_by_word(&mut self, name: &str, place: &Place, bits: u32, a: &[Part], b: &[Part]) {
        let word = self.word_type();
        let double = self.int_type(128, false);
        let op = match name {
            "and" => Some(BinaryOp::BitAnd),
            "or" => Some(BinaryOp::BitOr),
            "xor" => Some(BinaryOp::BitXor),
            _ => None,
        };
        let mut carry = self.number(i128::from(name == "sub"), double);
        let mut out = Vec::new();
        for k in 0..bits.div_ceil(64) {
            let (at, width) = (k * 64, (bits - k * 64).min(64));
            let x = self.slice(a, i64::from(at), width);
            let y = self.slice(b, i64::from(at), width);
            let e = match op {
                Some(op) => self.binary(op, x, y),
                None => {
                    // `x - y` is `x + ~y + 1`.
                    let ones = self.number(i128::from(u64::MAX >> (64 - width)), word);
                    let y = match name {
                        "sub" => self.binary(BinaryOp::BitXor, y, ones),
                        _ => y,
                    };
                    let (x, y) = (self.cast(x, double), self.cast(y, double));
                    let sum = self.binary(BinaryOp::Add, x, y);
                    let sum = self.binary(BinaryOp::Add, sum, carry);
                    let sum = self.held(sum);
                    let by = self.number(i128::from(width), double);
                    carry = self.binary(BinaryOp::Shr, sum.clone(), by);
                    let low = self.cast(sum, word);
                    self.narrow_to(low, width)
                }
            };
            let word = self.held(e);
            out.push(Part { at, width, word });
        }
        self.write_moved(place, bits, &out, 0);
    }

    /// The low bits of a wide number.
    pub(super) fn low_bits(&mut self, a: &Typed<'t>, to: Ty, signed: bool) -> Option<Expr> {
        let bits = self.module.int_bits(to).filter(|b| *b <= 128)?;
        let parts = self.parts(&a.value, a.ty)?;
        let low = self.slice(&parts, 0, bits.min(64));
        if bits == 1 {
            return Some(self.low_bit(low));
        }
        let kind = self.int_type(bits, false);
        let mut e = self.cast(low, kind);
        if bits > 64 {
            let high = self.slice(&parts, 64, bits - 64);
            let high = self.cast(high, kind);
            let by = self.number(64, kind);
            let high = self.binary(BinaryOp::Shl, high, by);
            e = self.binary(BinaryOp::BitOr, high, e);
        }
        let e = self.held(e);
        Some(self.with_sign(e, bits, signed))
    }

    pub(super) fn compare_wide(
        &mut self,
        how: &str,
        ty: Ty,
        a: &Value<'t>,
        b: &Value<'t>,
    ) -> Option<Expr> {
        let bits = self.module.int_bits(ty)?;
        let (a, b) = (self.parts(a, ty)?, self.parts(b, ty)?);
        let (op, or_equal) = match how {
            "eq" | "ne" => (BinaryOp::Eq, true),
            "ult" | "slt" => (BinaryOp::Lt, false),
            "ule" | "sle" => (BinaryOp::Lt, true),
            "ugt" | "sgt" => (BinaryOp::Gt, false),
            _ => (BinaryOp::Gt, true),
        };
        let mut e = self.int(i128::from(or_equal));
        for k in 0..bits.div_ceil(64) {
            let (at, width) = (k * 64, (bits - k * 64).min(64));
            let mut x = self.slice(&a, i64::from(at), width);
            let mut y = self.slice(&b, i64::from(at), width);
            if how.starts_with('s') && at + width == bits {
                (x, y) = (self.with_sign_of(x, width), self.with_sign_of(y, width));
            }
            let same = self.binary(BinaryOp::Eq, x.clone(), y.clone());
            e = self.both(same, e);
            if op != BinaryOp::Eq {
                let before = self.binary(op, x, y);
                e = self.either(before, e);
            }
            e = self.held(e);
        }
        Some(if how == "ne" { self.not(e) } else { e })
    }

    fn with_sign_of(&mut self, e: Expr, width: u32) -> Expr {
        let signed = self.int_type(64, true);
        let e = self.cast(e, signed);
        if width < 64 {
            self.narrow(e, width, true)
        } else {
            e
        }
    }

    /// A constant in the initialiser of a global, as what its pieces are.
    pub(super) fn wide_pieces(&self, v: &Value<'t>, bits: u32) -> Option<Vec<u64>> {
        let words = match v {
            Value::Int(n) => words_of(*n, bits),
            Value::Big(text) => big_words(text, bits),
            _ => return None,
        };
        let mut at = 0;
        let mut out = Vec::new();
        for size in pieces(bits) {
            let word = words[at as usize / 64] >> (at % 64);
            out.push(word & (u64::MAX >> (64 - size * 8)));
            at += size * 8;
        }
        Some(out)
    }
}

/// The words of a number of so many bits.
fn words_of(n: i128, bits: u32) -> Vec<u64> {
    let fill = if n < 0 { u64::MAX } else { 0 };
    let mut words = vec![fill; bits.div_ceil(64).max(2) as usize];
    words[0] = n as u64;
    words[1] = (n >> 64) as u64;
    words.truncate(bits.div_ceil(64) as usize);
    cut(words, bits)
}

/// The words of a decimal number that no number of Rust holds.
fn big_words(text: &str, bits: u32) -> Vec<u64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let mut words = vec![0u64; bits.div_ceil(64) as usize];
    for d in digits.bytes() {
        let mut carry = u128::from(d.saturating_sub(b'0'));
        for w in &mut words {
            let sum = u128::from(*w) * 10 + carry;
            *w = sum as u64;
            carry = sum >> 64;
        }
    }
    if digits.len() < text.len() {
        let mut carry = true;
        for w in &mut words {
            (*w, carry) = (!*w).overflowing_add(u64::from(carry));
        }
    }
    cut(words, bits)
}

fn cut(mut words: Vec<u64>, bits: u32) -> Vec<u64> {
    if let Some(top) = words.last_mut()
        && !bits.is_multiple_of(64)
    {
        *top &= (1 << (bits % 64)) - 1;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_no_type_holds() {
        assert_eq!(pieces(152), [8, 8, 2, 1]);
        assert_eq!(pieces(24), [2, 1]);
        assert_eq!(words_of(-1, 130), [u64::MAX, u64::MAX, 3]);
        // 2^128 and its opposite.
        let text = "340282366920938463463374607431768211456";
        assert_eq!(big_words(text, 192), [0, 0, 1]);
        assert_eq!(big_words(&format!("-{text}"), 192), [0, 0, u64::MAX]);
    }
}
