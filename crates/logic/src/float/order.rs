//! The order of floats as a matter of integers.
//!
//! Patterns of positive floats are ordered as the floats are; the sign bit turns the order round. Both zeros are
//! one, and what lies beyond the infinities is no number.

use super::Width;
use crate::{Pool, TermId};

impl Pool {
    /// An integer that orders numbers of a format; its zero is zero.
    pub fn float_key(&mut self, width: Width, t: TermId) -> TermId {
        let sign = self.int(width.sign());
        let negative = self.le(sign, t);
        let minus = self.sub(sign, t);
        self.ite(negative, minus, t)
    }

    /// Whether a pattern is a number (infinities are).
    pub fn float_is_number(&mut self, width: Width, t: TermId) -> TermId {
        let key = self.float_key(width, t);
        let infinity = self.int(width.infinity());
        let least = self.neg(infinity);
        let mut number = vec![self.le(least, key), self.le(key, infinity)];
        if width == Width::W80 {
            // The leading bit is stored: without it a large pattern is no number to the machine.
            let (two_63, two_64) = (self.int(1u128 << 63), self.int(1u128 << 64));
            let minus = self.neg(two_64);
            let low = self.wrap(64, false, t);
            let set = self.le(two_63, low);
            let below = self.lt(key, two_64);
            let above = self.lt(minus, key);
            let small = self.and(&[below, above]);
            number.push(self.or(&[set, small]));
        }
        self.and(&number)
    }
}
