//! Abstract values: numbers in an interval, and addresses inside objects.
//!
//! A value is a base and an interval that is added to it. Without a base it is a number. The base is the
//! address of an object, or the number of the block of addresses that the object begins (its address
//! divided by the length of a block).

use super::state::ObjectId;
use logic::Rational;

/// Integers from `low` to `high`, either of which may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Interval {
    pub low: Option<i128>,
    pub high: Option<i128>,
}

impl Interval {
    pub const ALL: Interval = Interval {
        low: None,
        high: None,
    };

    pub fn number(n: i128) -> Self {
        Interval {
            low: Some(n),
            high: Some(n),
        }
    }

    pub fn new(low: i128, high: i128) -> Self {
        Interval {
            low: Some(low),
            high: Some(high),
        }
    }

    /// The only number in it.
    pub fn exact(self) -> Option<i128> {
        self.low.filter(|_| self.low == self.high)
    }

    pub fn is_empty(self) -> bool {
        matches!((self.low, self.high), (Some(l), Some(h)) if l > h)
    }

    pub fn holds(self, n: i128) -> bool {
        self.low.is_none_or(|l| l <= n) && self.high.is_none_or(|h| n <= h)
    }

    pub fn contains(self, other: Interval) -> bool {
        let low = self.low.is_none_or(|l| other.low.is_some_and(|o| l <= o));
        low && self.high.is_none_or(|h| other.high.is_some_and(|o| o <= h))
    }

    /// All of it lies in `low..high`.
    pub fn within(self, low: i128, high: i128) -> bool {
        self.low.is_some_and(|l| low <= l) && self.high.is_some_and(|h| h < high)
    }

    pub fn add(self, other: Interval) -> Interval {
        let sum = |a: Option<i128>, b: Option<i128>| a?.checked_add(b?);
        Interval {
            low: sum(self.low, other.low),
            high: sum(self.high, other.high),
        }
    }

    pub fn scale(self, k: i128) -> Interval {
        let times = |a: Option<i128>| a?.checked_mul(k);
        let (a, b) = (times(self.low), times(self.high));
        match k {
            0 => Interval::number(0),
            1.. => Interval { low: a, high: b },
            _ => Interval { low: b, high: a },
        }
    }

    pub fn times(self, other: Interval) -> Interval {
        if let Some(k) = other.exact() {
            return self.scale(k);
        }
        if let Some(k) = self.exact() {
            return other.scale(k);
        }
        let (Some(a), Some(b), Some(c), Some(d)) = (self.low, self.high, other.low, other.high)
        else {
            return Interval::ALL;
        };
        let products = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| x.checked_mul(y));
        match products.into_iter().collect::<Option<Vec<i128>>>() {
            Some(p) => Interval {
                low: p.iter().min().copied(),
                high: p.iter().max().copied(),
            },
            None => Interval::ALL,
        }
    }

    /// Euclidean quotient by a positive number.
    pub fn divided(self, by: i128) -> Interval {
        Interval {
            low: self.low.map(|l| l.div_euclid(by)),
            high: self.high.map(|h| h.div_euclid(by)),
        }
    }

    pub fn meet(self, other: Interval) -> Interval {
        let larger = |a: Option<i128>, b: Option<i128>| match (a, b) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        };
        let smaller = |a: Option<i128>, b: Option<i128>| match (a, b) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Interval {
            low: larger(self.low, other.low),
            high: smaller(self.high, other.high),
        }
    }

    pub fn hull(self, other: Interval) -> Interval {
        let both =
            |a: Option<i128>, b: Option<i128>, pick: fn(i128, i128) -> i128| Some(pick(a?, b?));
        Interval {
            low: both(self.low, other.low, i128::min),
            high: both(self.high, other.high, i128::max),
        }
    }

    /// Contains both; a bound that moves goes on to the next of the sorted `steps`, at last away.
    pub fn widen(self, other: Interval, steps: &[i128]) -> Interval {
        let hull = self.hull(other);
        let low = match (self.low == hull.low, hull.low) {
            (false, Some(l)) => steps.iter().rev().find(|s| **s <= l).copied(),
            (_, low) => low,
        };
        let high = match (self.high == hull.high, hull.high) {
            (false, Some(h)) => steps.iter().find(|s| **s >= h).copied(),
            (_, high) => high,
        };
        Interval { low, high }
    }
}

/// Which object of a chain; of a single object, the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    First,
    Last,
}

/// An object that something points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Target {
    pub object: ObjectId,
    pub end: End,
}

/// What an interval is counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Base {
    /// The address of the object.
    Address(Target),
    /// The number of its block.
    Number(Target),
}

impl Base {
    pub fn target(self) -> Target {
        match self {
            Base::Address(t) | Base::Number(t) => t,
        }
    }

    pub fn at(self, target: Target) -> Base {
        match self {
            Base::Address(_) => Base::Address(target),
            Base::Number(_) => Base::Number(target),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Val {
    pub base: Option<Base>,
    pub offset: Interval,
}

impl Val {
    /// Any number, so any address too.
    pub const ANY: Val = Val {
        base: None,
        offset: Interval::ALL,
    };

    pub fn int(offset: Interval) -> Val {
        Val { base: None, offset }
    }

    pub fn address(target: Target, offset: Interval) -> Val {
        Val {
            base: Some(Base::Address(target)),
            offset,
        }
    }

    pub fn target(self) -> Option<Target> {
        self.base.map(Base::target)
    }

    pub fn join(self, other: Val) -> Val {
        match self.base == other.base {
            true => Val {
                base: self.base,
                offset: self.offset.hull(other.offset),
            },
            false => Val::ANY,
        }
    }
}

/// A sum of multiples of bases and an interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sum {
    pub parts: Vec<(Base, i128)>,
    pub offset: Interval,
}

impl Sum {
    pub fn of(value: Val) -> Sum {
        Sum {
            parts: value.base.map(|b| (b, 1)).into_iter().collect(),
            offset: value.offset,
        }
    }

    pub fn number(n: i128) -> Sum {
        Sum::of(Val::int(Interval::number(n)))
    }

    pub fn add(&mut self, other: &Sum) {
        for &(base, factor) in &other.parts {
            match self.parts.iter_mut().find(|(b, _)| *b == base) {
                Some((_, own)) => *own += factor,
                None => self.parts.push((base, factor)),
            }
        }
        self.parts.retain(|(_, factor)| *factor != 0);
        self.offset = self.offset.add(other.offset);
    }

    /// `k` times the sum; `block` numbers make an address.
    pub fn scale(&mut self, k: i128, block: Option<i128>) {
        let mut parts: Vec<(Base, i128)> = Vec::new();
        for &(base, factor) in &self.parts {
            // A factor out of all proportion: nothing is known.
            let Some(factor) = factor.checked_mul(k) else {
                *self = Sum::of(Val::ANY);
                return;
            };
            let (base, factor) = match (base, block) {
                (Base::Number(t), Some(b)) if factor % b == 0 => (Base::Address(t), factor / b),
                other => (other.0, factor),
            };
            match parts.iter_mut().find(|(b, _)| *b == base) {
                Some((_, own)) => *own += factor,
                None => parts.push((base, factor)),
            }
        }
        parts.retain(|(_, factor)| *factor != 0);
        self.parts = parts;
        self.offset = self.offset.scale(k);
    }

    pub fn value(&self) -> Val {
        match self.parts.as_slice() {
            [] => Val::int(self.offset),
            [(base, 1)] => Val {
                base: Some(*base),
                offset: self.offset,
            },
            _ => Val::ANY,
        }
    }
}

/// A whole number of reasonable size.
pub(crate) fn integer(r: &Rational) -> Option<i128> {
    if let Some(n) = r.to_i64() {
        return Some(i128::from(n));
    }
    i128::try_from(r.to_integer()?).ok()
}

/// The greatest common divisor, at least 1.
pub(super) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}
