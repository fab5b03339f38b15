//! Machine operations over mathematical integers.
//!
//! `BitAnd`, `BitOr`, `BitXor` work on the infinite two's-complement form of their arguments, so
//! they need no width: on values of one machine type they give the machine's result. `Wrap` brings
//! a result back into a type's range. Complement is `-x - 1` and needs no operator.

use crate::{IBig, Op, Pool, Rational, TermId};

/// The least and greatest value of a machine integer type.
pub fn type_range(bits: u8, signed: bool) -> (Rational, Rational) {
    if signed {
        let half = Rational::power_of_two(bits as usize - 1);
        (-&half, &half - &Rational::ONE)
    } else {
        (
            Rational::ZERO,
            &Rational::power_of_two(bits as usize) - &Rational::ONE,
        )
    }
}

/// `value` wrapped into the range of a machine integer type.
pub fn wrap_value(bits: u8, signed: bool, value: &Rational) -> Rational {
    let modulus = Rational::power_of_two(bits as usize);
    let r = value.rem_euclid(&modulus);
    if signed && r >= Rational::power_of_two(bits as usize - 1) {
        &r - &modulus
    } else {
        r
    }
}

/// Applies a machine operator to integer values; `None` where it is unconstrained (division by 0).
pub fn apply(op: Op, a: &Rational, b: &Rational) -> Option<Rational> {
    let int = |r: &Rational| r.to_integer().expect("machine operators take integers");
    let shift = |r: &Rational| {
        r.to_i64()
            .filter(|n| (0..=255).contains(n))
            .map(|n| n as usize)
    };
    Some(match op {
        Op::BitAnd => Rational::from(int(a) & int(b)),
        Op::BitOr => Rational::from(int(a) | int(b)),
        Op::BitXor => Rational::from(int(a) ^ int(b)),
        Op::Shl => match shift(b) {
            Some(n) => a * &Rational::power_of_two(n),
            None => Rational::ZERO,
        },
        Op::Shr => match shift(b) {
            Some(n) => (a / &Rational::power_of_two(n)).floor(),
            None => Rational::from(if a.is_negative() { -1 } else { 0 }),
        },
        Op::CDiv if !b.is_zero() => {
            let q = (&a.abs() / &b.abs()).floor();
            if a.is_negative() != b.is_negative() {
                -q
            } else {
                q
            }
        }
        Op::CRem if !b.is_zero() => {
            let r = a.abs().rem_euclid(&b.abs());
            if a.is_negative() { -r } else { r }
        }
        Op::CDiv | Op::CRem => return None,
        _ => panic!("{op:?} is a machine operator"),
    })
}

impl Pool {
    pub fn wrap(&mut self, bits: u8, signed: bool, a: TermId) -> TermId {
        if let Some(n) = self.as_number(a).cloned() {
            return self.int(wrap_value(bits, signed, &n));
        }
        if let Op::Wrap {
            bits: inner,
            signed: inner_signed,
        } = self.op(a)
        {
            // The inner range lies inside the outer one.
            if (inner_signed == signed && inner <= bits)
                || (!inner_signed && signed && inner < bits)
            {
                return a;
            }
            // Only the low bits matter, and the inner wrap keeps them.
            if inner >= bits {
                let x = self.args(a)[0];
                return self.wrap(bits, signed, x);
            }
        }
        self.intern(Op::Wrap { bits, signed }, self.int_sort(), &[a])
    }

    fn machine(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        if let (Some(x), Some(y)) = (self.as_number(a), self.as_number(b))
            && let Some(r) = apply(op, &x.clone(), &y.clone())
        {
            return self.int(r);
        }
        self.intern(op, self.int_sort(), &[a, b])
    }

    fn commutative(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        self.machine(op, a, b)
    }

    fn is_num(&self, t: TermId, value: i64) -> bool {
        self.as_number(t).is_some_and(|n| n.to_i64() == Some(value))
    }

    pub fn bit_and(&mut self, a: TermId, b: TermId) -> TermId {
        for (x, y) in [(a, b), (b, a)] {
            if self.is_num(x, 0) || self.is_num(y, -1) {
                return x;
            }
        }
        if a == b {
            a
        } else {
            self.commutative(Op::BitAnd, a, b)
        }
    }

    pub fn bit_or(&mut self, a: TermId, b: TermId) -> TermId {
        for (x, y) in [(a, b), (b, a)] {
            if self.is_num(x, -1) || self.is_num(y, 0) {
                return x;
            }
        }
        if a == b {
            a
        } else {
            self.commutative(Op::BitOr, a, b)
        }
    }

    pub fn bit_xor(&mut self, a: TermId, b: TermId) -> TermId {
        for (x, y) in [(a, b), (b, a)] {
            if self.is_num(y, 0) {
                return x;
            }
            if self.is_num(y, -1) {
                return self.bit_not(x);
            }
        }
        if a == b {
            self.int(0)
        } else {
            self.commutative(Op::BitXor, a, b)
        }
    }

    /// `-a - 1`.
    pub fn bit_not(&mut self, a: TermId) -> TermId {
        let minus_one = self.int(-1);
        self.sub(minus_one, a)
    }

    pub fn shl(&mut self, a: TermId, b: TermId) -> TermId {
        match self.as_number(b).and_then(Rational::to_i64) {
            Some(n) if (0..=255).contains(&n) => {
                self.mul_const(&Rational::power_of_two(n as usize), a)
            }
            _ => self.machine(Op::Shl, a, b),
        }
    }

    pub fn shr(&mut self, a: TermId, b: TermId) -> TermId {
        match self.as_number(b).and_then(Rational::to_i64) {
            Some(n) if (0..=255).contains(&n) => {
                let d = self.int(Rational::from(IBig::ONE << n as usize));
                self.int_div(a, d)
            }
            _ => self.machine(Op::Shr, a, b),
        }
    }

    pub fn c_div(&mut self, a: TermId, b: TermId) -> TermId {
        if self.is_num(b, 1) {
            a
        } else {
            self.machine(Op::CDiv, a, b)
        }
    }

    pub fn c_rem(&mut self, a: TermId, b: TermId) -> TermId {
        if self.is_num(b, 1) || self.is_num(b, -1) {
            return self.int(0);
        }
        self.machine(Op::CRem, a, b)
    }
}
