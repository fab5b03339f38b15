//! What numbers leave where they are divided: the size of an array of words is a multiple of four.
//!
//! ```text
//!   size = 4 * ((n + 31) / 32), i < n     8 * (4 * (i / 32)) <= i < n <= 8 * size, so 4 * (i / 32) < size,
//!                                         and as both are multiples of four, 4 * (i / 32) + 4 <= size
//! ```
//! Source: Granger, "Static analysis of arithmetical congruences" (1989).

use super::facts::gcd;
use super::lin::Lin;
use super::names::{Form, Name, Val};
use super::state::State;
use logic::Interval;

/// Larger numbers are not divided by.
const LARGEST: i128 = 1 << 20;

/// All numbers `rest + k * modulus`; a modulus of zero is one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Residue {
    modulus: i128,
    rest: i128,
}

impl Residue {
    pub const ANY: Residue = Residue {
        modulus: 1,
        rest: 0,
    };

    pub fn exact(n: i128) -> Residue {
        Residue {
            modulus: 0,
            rest: n,
        }
    }

    fn new(modulus: i128, rest: i128) -> Residue {
        match modulus {
            0 => Residue::exact(rest),
            m if m > LARGEST => Residue::ANY,
            m => Residue {
                modulus: m,
                rest: rest.rem_euclid(m),
            },
        }
    }

    /// Contains the numbers of both.
    pub fn join(&self, other: &Residue) -> Residue {
        let Some(apart) = self.rest.checked_sub(other.rest) else {
            return Residue::ANY;
        };
        Residue::new(gcd(gcd(self.modulus, other.modulus), apart), self.rest)
    }

    pub fn includes(&self, other: &Residue) -> bool {
        self.modulus == 1 || self.join(other) == *self
    }

    pub fn is_multiple_of(&self, n: i64) -> bool {
        let n = i128::from(n);
        self.modulus % n == 0 && self.rest % n == 0
    }

    /// The sum with so many times a number of the other.
    fn plus(&self, factor: i128, other: &Residue) -> Option<Residue> {
        let modulus = gcd(self.modulus, other.modulus.checked_mul(factor)?);
        let rest = self.rest.checked_add(other.rest.checked_mul(factor)?)?;
        Some(Residue::new(modulus, rest))
    }

    /// Bounds of the numbers within bounds that there are.
    pub fn narrowed(&self, bounds: &Interval) -> Interval {
        if self.modulus < 2 {
            return *bounds;
        }
        let (low, high) = bounds.ends();
        let up = |l: i128| l + (self.rest - l).rem_euclid(self.modulus);
        let down = |h: i128| h - (h - self.rest).rem_euclid(self.modulus);
        Interval::of(low.map(up), high.map(down))
    }

    /// Bounds that the same of these numbers lie within.
    pub fn widened(&self, bounds: &Interval) -> Interval {
        if self.modulus < 2 {
            return *bounds;
        }
        let (low, high) = bounds.ends();
        // The next number on either side is outside.
        let up = |h: i128| h + 1 + (self.rest - h - 1).rem_euclid(self.modulus) - 1;
        let down = |l: i128| l - 1 - (l - 1 - self.rest).rem_euclid(self.modulus) + 1;
        Interval::of(low.map(down), high.map(up))
    }
}

impl State {
    /// What a form leaves.
    ///
    /// Sound because sums and multiples of numbers leave what those of their rests do.
    pub fn residue(&self, form: &Form) -> Residue {
        let of_value = |value: &Val| value.single().map_or(Residue::ANY, |a| a.residue());
        let mut out = Residue::exact(0);
        for &(name, factor) in form {
            let own = match name {
                Name::Var(v) => self.vars.get(&v).map_or(Residue::ANY, of_value),
                Name::Cell(o, c) => of_value(&self.cell(o, c)),
                _ => match self.interval(name).as_single() {
                    Some(n) => Residue::exact(n),
                    None => Residue::ANY,
                },
            };
            match out.plus(factor, &own) {
                Some(sum) if sum.modulus != 1 => out = sum,
                _ => return Residue::ANY,
            }
        }
        out
    }

    /// What a number leaves, counted from the objects that it has addresses of.
    pub fn residue_of(&self, lin: &Lin) -> Residue {
        let Some(n) = lin.rest.as_single().filter(|_| lin.parts.is_empty()) else {
            return Residue::ANY;
        };
        let form = self.residue(&lin.form);
        form.plus(1, &Residue::exact(n)).unwrap_or(Residue::ANY)
    }
}
