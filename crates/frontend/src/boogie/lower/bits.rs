//! Bit-vector operations on integers from 0 below 2^n, by their SMT-LIB names.

use super::super::types::Ty;
use super::{Lower, Val};
use logic::{Rational, TermId};

impl Lower<'_> {
    /// The function that a solver knows by this name; `None` if we do not.
    pub(super) fn builtin(&mut self, name: &str, args: &[Val], result: &Ty) -> Option<TermId> {
        let words: Vec<&str> = name
            .split(|c: char| " ()_".contains(c))
            .filter(|w| !w.is_empty())
            .collect();
        let types: Vec<&Ty> = args.iter().map(|a| &a.ty).collect();
        let terms: Vec<TermId> = args.iter().map(|a| a.term).collect();
        match (types.as_slice(), terms.as_slice()) {
            ([Ty::Bv(n), Ty::Bv(m)], &[a, b]) if n == m => {
                self.binary_bits(&words, *n, a, b, result)
            }
            ([Ty::Bv(n), Ty::Bv(m)], &[a, b]) if words == ["concat"] => {
                (*result == Ty::Bv(n.checked_add(*m)?)).then(|| self.concat(a, b, *m))
            }
            ([Ty::Bv(n)], &[a]) => self.unary_bits(&words, *n, a, result),
            ([Ty::Int], &[a]) => match (words.as_slice(), result) {
                (["int2bv" | "nat2bv", _], Ty::Bv(n)) | (["int2bv" | "nat2bv"], Ty::Bv(n)) => {
                    Some(self.pool.wrap(*n, false, a))
                }
                (["to", "real"], Ty::Real) => Some(self.pool.to_real(a)),
                _ => None,
            },
            ([Ty::Real], &[a]) => match (words.as_slice(), result) {
                (["to", "int"], Ty::Int) => Some(self.pool.to_int(a)),
                _ => None,
            },
            ([Ty::Int, Ty::Int], &[a, b]) => match (words.as_slice(), result) {
                (["div"], Ty::Int) => Some(self.pool.int_div(a, b)),
                (["mod"], Ty::Int) => Some(self.pool.modulo(a, b)),
                _ => None,
            },
            _ => None,
        }
    }

    fn unary_bits(&mut self, words: &[&str], n: u8, a: TermId, result: &Ty) -> Option<TermId> {
        let same = *result == Ty::Bv(n);
        let p = &mut *self.pool;
        match (words, result) {
            (["bvneg"], _) if same => {
                let t = p.neg(a);
                Some(p.wrap(n, false, t))
            }
            (["bvnot"], _) if same => {
                let t = p.bit_not(a);
                Some(p.wrap(n, false, t))
            }
            (["zero", "extend", _], Ty::Bv(m)) if *m >= n => Some(a),
            (["sign", "extend", _], Ty::Bv(m)) if *m >= n => {
                let t = p.wrap(n, true, a);
                Some(p.wrap(*m, false, t))
            }
            (["bv2nat" | "bv2int"], Ty::Int) => Some(a),
            (["extract", high, low], Ty::Bv(m)) => {
                let (high, low): (u32, u32) = (high.parse().ok()?, low.parse().ok()?);
                (high >= low && high < u32::from(n) && high - low + 1 == u32::from(*m))
                    .then(|| self.extract(a, low, *m))
            }
            _ => None,
        }
    }

    /// `width` bits from bit `low` on.
    pub(super) fn extract(&mut self, a: TermId, low: u32, width: u8) -> TermId {
        let by = self.pool.int(i64::from(low));
        let t = self.pool.shr(a, by);
        self.pool.wrap(width, false, t)
    }

    /// `a` above the `m` bits of `b`.
    pub(super) fn concat(&mut self, a: TermId, b: TermId, m: u8) -> TermId {
        let factor = Rational::power_of_two(usize::from(m));
        let t = self.pool.mul_const(&factor, a);
        self.pool.add2(t, b)
    }

    fn binary_bits(
        &mut self,
        words: &[&str],
        n: u8,
        a: TermId,
        b: TermId,
        result: &Ty,
    ) -> Option<TermId> {
        let [word] = words else { return None };
        let p = &mut *self.pool;
        let (sa, sb) = (p.wrap(n, true, a), p.wrap(n, true, b));
        let relation = match *word {
            "bvult" => Some(p.lt(a, b)),
            "bvule" => Some(p.le(a, b)),
            "bvugt" => Some(p.gt(a, b)),
            "bvuge" => Some(p.ge(a, b)),
            "bvslt" => Some(p.lt(sa, sb)),
            "bvsle" => Some(p.le(sa, sb)),
            "bvsgt" => Some(p.gt(sa, sb)),
            "bvsge" => Some(p.ge(sa, sb)),
            _ => None,
        };
        if let Some(t) = relation {
            return (*result == Ty::Bool).then_some(t);
        }
        if *word == "concat" {
            return (*result == Ty::Bv(n.checked_mul(2)?)).then(|| self.concat(a, b, n));
        }
        if *result != Ty::Bv(n) {
            return None;
        }
        let zero = p.int(0);
        let by_zero = p.eq(b, zero);
        let t = match *word {
            "bvadd" => p.add2(a, b),
            "bvsub" => p.sub(a, b),
            "bvmul" => p.mul(&[a, b]),
            "bvand" => p.bit_and(a, b),
            "bvor" => p.bit_or(a, b),
            "bvxor" => p.bit_xor(a, b),
            "bvshl" => p.shl(a, b),
            "bvlshr" => p.shr(a, b),
            "bvashr" => p.shr(sa, b),
            "bvudiv" => {
                let q = p.int_div(a, b);
                let ones = p.int(-1);
                p.ite(by_zero, ones, q)
            }
            "bvurem" => {
                let r = p.modulo(a, b);
                p.ite(by_zero, a, r)
            }
            "bvsdiv" => {
                let q = p.c_div(sa, sb);
                let negative = p.lt(sa, zero);
                let (one, ones) = (p.int(1), p.int(-1));
                let at_zero = p.ite(negative, one, ones);
                p.ite(by_zero, at_zero, q)
            }
            "bvsrem" => {
                let r = p.c_rem(sa, sb);
                p.ite(by_zero, a, r)
            }
            "bvsmod" => {
                // The Euclidean remainder, moved to the sign of a negative divisor.
                let r = p.modulo(sa, sb);
                let (none, negative) = (p.eq(r, zero), p.lt(sb, zero));
                let moved = p.add2(r, sb);
                let signed = p.ite(negative, moved, r);
                let signed = p.ite(none, zero, signed);
                p.ite(by_zero, a, signed)
            }
            _ => return None,
        };
        Some(p.wrap(n, false, t))
    }
}
