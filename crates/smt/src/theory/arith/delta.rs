//! Rationals with an infinitesimal: `real + delta * d` for one positive, arbitrarily small `d`.
//!
//! A strict bound `x < 3` over Real is the weak bound `x <= 3 - d`. Over Int the infinitesimal part
//! stays zero. The order is lexicographic.

use logic::Rational;
use std::cmp::Ordering;

/// `real + delta * d`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Delta {
    pub real: Rational,
    pub delta: Rational,
}

impl Delta {
    pub const ZERO: Delta = Delta {
        real: Rational::ZERO,
        delta: Rational::ZERO,
    };

    pub fn new(real: Rational, delta: Rational) -> Self {
        Delta { real, delta }
    }

    /// `self + factor * other`.
    #[inline]
    pub fn add_scaled(&self, factor: &Rational, other: &Delta) -> Delta {
        Delta {
            real: self.real.mul_add(factor, &other.real),
            delta: if other.delta.is_zero() {
                self.delta.clone()
            } else {
                self.delta.mul_add(factor, &other.delta)
            },
        }
    }

    pub fn sub(&self, other: &Delta) -> Delta {
        self.add_scaled(&Rational::MINUS_ONE, other)
    }

    pub fn scale(&self, factor: &Rational) -> Delta {
        Delta {
            real: &self.real * factor,
            delta: &self.delta * factor,
        }
    }

    pub fn is_zero(&self) -> bool {
        self.real.is_zero() && self.delta.is_zero()
    }

    /// The value for a concrete infinitesimal.
    pub fn at(&self, epsilon: &Rational) -> Rational {
        self.real.mul_add(&self.delta, epsilon)
    }

    pub fn is_integer(&self) -> bool {
        self.delta.is_zero() && self.real.is_integer()
    }
}

impl From<Rational> for Delta {
    fn from(real: Rational) -> Self {
        Delta {
            real,
            delta: Rational::ZERO,
        }
    }
}

impl Ord for Delta {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.real
            .cmp(&other.real)
            .then_with(|| self.delta.cmp(&other.delta))
    }
}

impl PartialOrd for Delta {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
