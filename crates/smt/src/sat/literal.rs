//! Boolean variables and literals of the SAT core.

use base::{Id, new_id};
use std::fmt;
use std::ops::Not;

new_id!(
    /// A Boolean variable of the SAT core; it stands for a Bool term.
    pub BoolVar, "b");

/// A literal: a Boolean variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    #[inline]
    pub fn new(var: BoolVar, positive: bool) -> Self {
        Lit((var.index() as u32) << 1 | u32::from(!positive))
    }
    #[inline]
    pub fn var(self) -> BoolVar {
        BoolVar::from_index((self.0 >> 1) as usize)
    }
    #[inline]
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }
    /// The inverse of [`Lit::index`].
    #[inline]
    pub fn from_index(index: usize) -> Self {
        Lit(index as u32)
    }
    /// Dense index: `2 * var + sign`.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Not for Lit {
    type Output = Lit;
    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}{:?}",
            if self.is_positive() { "" } else { "~" },
            self.var()
        )
    }
}
