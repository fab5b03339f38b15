//! Exact rationals: machine words while they fit, big integers otherwise.
//!
//! Simplex and evaluation spend most of their time here, and nearly all values are small, so
//! `Small` holds a reduced fraction of two `i64`. Addresses and the bounds of 64-bit numbers do not fit, their
//! products with the size of an object neither: `Wide` holds integers of two words, and every operation whose numbers
//! fit `i128` is done there before it falls back to `dashu`. No library serves: the big-number crates measured 5–50 times
//! slower on small values (see ARCHITECTURE.md, dependencies).
//!
//! Invariant: fractions are reduced, the denominator is positive, and a value is of the first kind that holds it (so
//! derived equality and hashing are equality of numbers).

use dashu_base::{BitTest, Gcd, Signed, UnsignedAbs};
use dashu_int::{IBig, UBig};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// An exact rational number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64, i64),
    /// An integer: high and low word. Two words, not an `i128`, whose alignment would make every number larger.
    Wide(i64, u64),
    Big(Box<(IBig, IBig)>),
}

use Repr::{Big, Small, Wide};

#[inline]
fn join(high: i64, low: u64) -> i128 {
    (i128::from(high) << 64) | i128::from(low)
}

#[inline]
fn gcd_u64(mut x: u64, mut y: u64) -> u64 {
    while y != 0 {
        (x, y) = (y, x % y);
    }
    x
}

/// By halving: 128-bit division is slow, and denominators are mostly powers of two.
fn gcd_i128(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    if a == 0 || b == 0 {
        return (a | b) as i128;
    }
    let shared = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    b >>= b.trailing_zeros();
    while a != b {
        // Once both fit a word, finish with word arithmetic.
        if a <= u64::MAX as u128 && b <= u64::MAX as u128 {
            a = u128::from(gcd_u64(a as u64, b as u64));
            break;
        }
        if a < b {
            std::mem::swap(&mut a, &mut b);
        }
        a -= b;
        a >>= a.trailing_zeros();
    }
    (a << shared) as i128
}

/// Greatest common divisor, not both zero. Numbers above 32 words go by Euclid's steps until they are small:
/// `gcd` of dashu-int 0.4.3 panics ("not enough memory allocated") on some larger ones.
fn big_gcd(a: UBig, b: UBig) -> IBig {
    let (mut a, mut b) = (a, b);
    while a.bit_len().max(b.bit_len()) > 2_000 && !b.is_zero() {
        (a, b) = (b.clone(), a % b);
    }
    if b.is_zero() {
        return IBig::from(a);
    }
    IBig::from(a.gcd(b))
}

impl Rational {
    pub const ZERO: Rational = Rational(Small(0, 1));
    pub const ONE: Rational = Rational(Small(1, 1));
    pub const MINUS_ONE: Rational = Rational(Small(-1, 1));

    /// The fraction `num / den`. Panics when `den` is zero.
    pub fn new(num: impl Into<IBig>, den: impl Into<IBig>) -> Self {
        Self::from_big(num.into(), den.into())
    }

    fn from_big(mut num: IBig, mut den: IBig) -> Self {
        assert!(!den.is_zero(), "a fraction has a non-zero denominator");
        if den.is_negative() {
            num = -num;
            den = -den;
        }
        if den != IBig::ONE {
            let g = big_gcd((&num).unsigned_abs(), (&den).unsigned_abs());
            if g != IBig::ONE {
                num /= &g;
                den /= &g;
            }
        }
        if let (Ok(n), Ok(d)) = (i64::try_from(&num), i64::try_from(&den)) {
            return Rational(Small(n, d));
        }
        match i128::try_from(&num) {
            Ok(n) if den == IBig::ONE => Self::integer(n),
            _ => Rational(Big(Box::new((num, den)))),
        }
    }

    #[inline]
    fn integer(n: i128) -> Self {
        match i64::try_from(n) {
            Ok(n) => Rational(Small(n, 1)),
            Err(_) => Rational(Wide((n >> 64) as i64, n as u64)),
        }
    }

    /// From parts in `i128`, `den > 0`.
    #[inline]
    fn from_i128(num: i128, den: i128) -> Self {
        if let (Ok(n), Ok(d)) = (i64::try_from(num), i64::try_from(den)) {
            let g = gcd_u64(n.unsigned_abs(), d.unsigned_abs()) as i64;
            return Rational(if g > 1 {
                Small(n / g, d / g)
            } else {
                Small(n, d)
            });
        }
        let (mut n, mut d) = (num, den);
        if d != 1 {
            let g = gcd_i128(n, d);
            if g > 1 {
                n /= g;
                d /= g;
            }
        }
        match (i64::try_from(n), i64::try_from(d)) {
            (Ok(n), Ok(d)) => Rational(Small(n, d)),
            _ if d == 1 => Self::integer(n),
            _ => Rational(Big(Box::new((IBig::from(n), IBig::from(d))))),
        }
    }

    /// Numerator and denominator, if both fit.
    #[inline]
    fn parts(&self) -> Option<(i128, i128)> {
        match &self.0 {
            Small(n, d) => Some((i128::from(*n), i128::from(*d))),
            Wide(high, low) => Some((join(*high, *low), 1)),
            Big(b) => i128::try_from(&b.0).ok().zip(i128::try_from(&b.1).ok()),
        }
    }

    fn big_parts(&self) -> (IBig, IBig) {
        match &self.0 {
            Small(n, d) => (IBig::from(*n), IBig::from(*d)),
            Wide(high, low) => (IBig::from(join(*high, *low)), IBig::ONE),
            Big(b) => (b.0.clone(), b.1.clone()),
        }
    }

    /// The numerator of the reduced fraction.
    pub fn numerator(&self) -> IBig {
        self.big_parts().0
    }

    /// The positive denominator of the reduced fraction.
    pub fn denominator(&self) -> IBig {
        self.big_parts().1
    }

    /// The length of the longer of numerator and denominator, in bits; words count as 64.
    pub fn bits(&self) -> usize {
        match &self.0 {
            Small(..) => 64,
            Wide(high, low) => {
                let size = join(*high, *low).unsigned_abs();
                (u128::BITS - size.leading_zeros()) as usize
            }
            Big(b) => b.0.bit_len().max(b.1.bit_len()),
        }
    }

    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small(0, _))
    }

    pub fn is_one(&self) -> bool {
        matches!(self.0, Small(1, 1))
    }

    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Small(_, d) => *d == 1,
            Wide(..) => true,
            Big(b) => b.1 == IBig::ONE,
        }
    }

    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Small(n, _) | Wide(n, _) => *n < 0,
            Big(b) => b.0.is_negative(),
        }
    }

    pub fn is_positive(&self) -> bool {
        !self.is_zero() && !self.is_negative()
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        i32::from(self.is_positive()) - i32::from(self.is_negative())
    }

    pub fn abs(&self) -> Self {
        if self.is_negative() {
            -self
        } else {
            self.clone()
        }
    }

    /// The value as `i64`, if it is an integer that fits.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Small(n, 1) => Some(*n),
            _ => None,
        }
    }

    /// The value as a big integer, if it is an integer.
    pub fn to_integer(&self) -> Option<IBig> {
        self.is_integer().then(|| self.numerator())
    }

    /// The largest integer not above.
    pub fn floor(&self) -> Self {
        match &self.0 {
            Small(_, 1) | Wide(..) => self.clone(),
            Small(n, d) => Rational(Small(n.div_euclid(*d), 1)),
            Big(b) => {
                if let Some((n, d)) = self.parts() {
                    return Self::integer(n.div_euclid(d));
                }
                let (n, d) = (&b.0, &b.1);
                let mut q = n / d;
                if n.is_negative() && &q * d != *n {
                    q -= IBig::ONE;
                }
                Self::from_big(q, IBig::ONE)
            }
        }
    }

    /// The smallest integer not below.
    pub fn ceil(&self) -> Self {
        -(-self).floor()
    }

    /// 1 / self. Panics on zero.
    pub fn recip(&self) -> Self {
        match &self.0 {
            Small(n, d) if *n > 0 => Rational(Small(*d, *n)),
            Small(n, d) if *n < 0 && *n != i64::MIN => Rational(Small(-d, -n)),
            _ => {
                if let Some((n, d)) = self.parts()
                    && n > 0
                {
                    // Reduced already; a value that does not fit is found out again.
                    return Self::from_i128(d, n);
                }
                let (n, d) = self.big_parts();
                Self::from_big(d, n)
            }
        }
    }

    /// `self + a * b` without building the product.
    #[inline]
    pub fn mul_add(&self, a: &Self, b: &Self) -> Self {
        if let (Small(n, 1), Small(an, 1), Small(bn, 1)) = (&self.0, &a.0, &b.0)
            && let Some(r) = an.checked_mul(*bn).and_then(|p| p.checked_add(*n))
        {
            return Rational(Small(r, 1));
        }
        self + &(a * b)
    }

    /// Euclidean quotient of integers: `self = q * other + r`, `0 <= r < |other|` (SMT-LIB `div`).
    pub fn div_euclid(&self, other: &Self) -> Self {
        let q = self / other;
        if other.is_positive() {
            q.floor()
        } else {
            q.ceil()
        }
    }

    /// Euclidean remainder of integers (SMT-LIB `mod`).
    pub fn rem_euclid(&self, other: &Self) -> Self {
        self - &(&self.div_euclid(other) * other)
    }

    /// 2 to the power `exp`.
    pub fn power_of_two(exp: usize) -> Self {
        if exp < 62 {
            Rational(Small(1 << exp, 1))
        } else {
            Self::from_big(IBig::ONE << exp, IBig::ONE)
        }
    }

    /// Greatest common divisor of two integers (non-negative).
    pub fn gcd(&self, other: &Self) -> Self {
        if let (Some(a), Some(b)) = (self.to_i64(), other.to_i64()) {
            return Self::from(gcd_u64(a.unsigned_abs(), b.unsigned_abs()));
        }
        if let (Some((a, 1)), Some((b, 1))) = (self.parts(), other.parts())
            && a != i128::MIN
            && b != i128::MIN
        {
            return Self::integer(gcd_i128(a, b));
        }
        let (a, b) = (self.numerator(), other.numerator());
        if a.is_zero() {
            return other.abs();
        }
        if b.is_zero() {
            return self.abs();
        }
        Self::from_big(big_gcd(a.unsigned_abs(), b.unsigned_abs()), IBig::ONE)
    }

    /// Parses `[-]digits`, `[-]digits.digits`.
    pub fn parse_decimal(text: &str) -> Option<Self> {
        let (neg, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (whole, frac) = digits.split_once('.').unwrap_or((digits, ""));
        if whole.is_empty()
            || !whole
                .bytes()
                .chain(frac.bytes())
                .all(|b| b.is_ascii_digit())
        {
            return None;
        }
        let num = IBig::from_str_radix(&format!("{whole}{frac}"), 10).ok()?;
        let den = IBig::from(10).pow(frac.len());
        let value = Self::from_big(num, den);
        Some(if neg { -value } else { value })
    }
}

macro_rules! arith {
    ($trait:ident, $method:ident, $checked:ident, $wide:expr, $middle:expr, $big:expr) => {
        impl $trait<&Rational> for &Rational {
            type Output = Rational;
            #[inline]
            // Fractions are added by products.
            #[allow(clippy::suspicious_arithmetic_impl)]
            fn $method(self, other: &Rational) -> Rational {
                match (&self.0, &other.0) {
                    (Small(a, 1), Small(b, 1)) => match a.$checked(*b) {
                        Some(r) => Rational(Small(r, 1)),
                        None => $wide(*a as i128, 1, *b as i128, 1),
                    },
                    (Small(a, b), Small(c, d)) => {
                        $wide(*a as i128, *b as i128, *c as i128, *d as i128)
                    }
                    _ => {
                        if let (Some((a, b)), Some((c, d))) = (self.parts(), other.parts())
                            && let Some((n, m)) = $middle(a, b, c, d)
                        {
                            return Rational::from_i128(n, m);
                        }
                        let ((a, b), (c, d)) = (self.big_parts(), other.big_parts());
                        let (n, m): (IBig, IBig) = $big(a, b, c, d);
                        Rational::from_big(n, m)
                    }
                }
            }
        }
        impl $trait for Rational {
            type Output = Rational;
            fn $method(self, other: Rational) -> Rational {
                (&self).$method(&other)
            }
        }
        impl $trait<&Rational> for Rational {
            type Output = Rational;
            fn $method(self, other: &Rational) -> Rational {
                (&self).$method(other)
            }
        }
    };
}

/// `num/den` in `i128`, or in big integers when a product overflowed.
#[inline]
fn wide(num: Option<i128>, den: Option<i128>, big: impl FnOnce() -> (IBig, IBig)) -> Rational {
    match (num, den) {
        (Some(n), Some(d)) => Rational::from_i128(n, d),
        _ => {
            let (n, d) = big();
            Rational::from_big(n, d)
        }
    }
}

/// `a/b + c/d`, if all of it fits.
#[inline]
fn sum(a: i128, b: i128, c: i128, d: i128) -> Option<(i128, i128)> {
    if b == d {
        return Some((a.checked_add(c)?, b));
    }
    let num = a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?;
    Some((num, b.checked_mul(d)?))
}

arith!(
    Add,
    add,
    checked_add,
    |a: i128, b: i128, c: i128, d: i128| wide((a * d).checked_add(c * b), Some(b * d), || {
        let [a, b, c, d] = [a, b, c, d].map(IBig::from);
        (a * &d + c * &b, b * d)
    }),
    sum,
    |a: IBig, b: IBig, c: IBig, d: IBig| (a * &d + c * &b, b * d)
);
arith!(
    Sub,
    sub,
    checked_sub,
    |a: i128, b: i128, c: i128, d: i128| wide((a * d).checked_sub(c * b), Some(b * d), || {
        let [a, b, c, d] = [a, b, c, d].map(IBig::from);
        (a * &d - c * &b, b * d)
    }),
    |a, b, c: i128, d| c.checked_neg().and_then(|c| sum(a, b, c, d)),
    |a: IBig, b: IBig, c: IBig, d: IBig| (a * &d - c * &b, b * d)
);
arith!(
    Mul,
    mul,
    checked_mul,
    |a: i128, b: i128, c: i128, d: i128| Rational::from_i128(a * c, b * d),
    |a: i128, b: i128, c: i128, d: i128| a.checked_mul(c).zip(b.checked_mul(d)),
    |a: IBig, b: IBig, c: IBig, d: IBig| (a * c, b * d)
);

impl Div<&Rational> for &Rational {
    type Output = Rational;
    #[allow(clippy::suspicious_arithmetic_impl)]
    fn div(self, other: &Rational) -> Rational {
        if let (Small(a, 1), Small(b, 1)) = (&self.0, &other.0)
            && let (Some(q), Some(0)) = (a.checked_div(*b), a.checked_rem(*b))
        {
            return Rational(Small(q, 1));
        }
        self * &other.recip()
    }
}

impl Div for Rational {
    type Output = Rational;
    fn div(self, other: Rational) -> Rational {
        &self / &other
    }
}

impl Neg for &Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        match &self.0 {
            Small(n, d) if *n != i64::MIN => Rational(Small(-n, *d)),
            Wide(high, low) if join(*high, *low) != i128::MIN => {
                Rational::integer(-join(*high, *low))
            }
            _ => {
                let (n, d) = self.big_parts();
                Rational::from_big(-n, d)
            }
        }
    }
}

impl Neg for Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        -&self
    }
}

impl AddAssign<&Rational> for Rational {
    fn add_assign(&mut self, other: &Rational) {
        *self = &*self + other;
    }
}

impl SubAssign<&Rational> for Rational {
    fn sub_assign(&mut self, other: &Rational) {
        *self = &*self - other;
    }
}

impl Ord for Rational {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a, b), Small(c, d)) if b == d => a.cmp(c),
            (Small(a, b), Small(c, d)) => (*a as i128 * *d as i128).cmp(&(*c as i128 * *b as i128)),
            _ => {
                if let (Some((a, b)), Some((c, d))) = (self.parts(), other.parts()) {
                    if b == d {
                        return a.cmp(&c);
                    }
                    if let (Some(left), Some(right)) = (a.checked_mul(d), c.checked_mul(b)) {
                        return left.cmp(&right);
                    }
                }
                let ((a, b), (c, d)) = (self.big_parts(), other.big_parts());
                (a * d).cmp(&(c * b))
            }
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Default for Rational {
    fn default() -> Self {
        Self::ZERO
    }
}

macro_rules! from_int {
    ($($t:ty),*) => {$(
        impl From<$t> for Rational {
            fn from(n: $t) -> Self {
                match i64::try_from(n) {
                    Ok(n) => Rational(Small(n, 1)),
                    Err(_) => match i128::try_from(n) {
                        Ok(n) => Rational::integer(n),
                        Err(_) => Rational::from_big(IBig::from(n), IBig::ONE),
                    },
                }
            }
        }
    )*};
}
from_int!(i32, u32, i64, u64, usize, i128, u128);

impl From<IBig> for Rational {
    fn from(n: IBig) -> Self {
        Rational::from_big(n, IBig::ONE)
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n, d) = self.big_parts();
        if d == IBig::ONE {
            write!(f, "{n}")
        } else {
            write!(f, "{n}/{d}")
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every kind of number with every other, against big integers alone.
    #[test]
    fn kinds_agree_with_big_integers() {
        let edges = [
            0i128,
            1,
            2,
            3,
            7,
            1 << 31,
            1 << 48,
            (1 << 62) - 1,
            1 << 63,
            (1 << 64) - 1,
        ];
        let far = [1 << 96, i128::MAX, i128::MAX - 1, (1 << 126) + 12];
        let near: Vec<i128> = edges
            .iter()
            .chain(&far)
            .flat_map(|&n| [n, -n, n ^ 1])
            .collect();
        let mut all: Vec<i128> = near;
        all.push(i128::MIN);
        let dens = [1i128, 3, 1 << 48, (1 << 62) + 1, 1 << 70];
        let mut numbers = Vec::new();
        for &n in &all {
            for &d in &dens {
                let r = Rational::new(n, d);
                // The parts of the reduced fraction, by the library.
                let g = match n {
                    0 => IBig::from(d),
                    _ => IBig::from(
                        IBig::from(n)
                            .unsigned_abs()
                            .gcd(IBig::from(d).unsigned_abs()),
                    ),
                };
                assert_eq!(
                    (r.numerator(), r.denominator()),
                    (IBig::from(n) / &g, IBig::from(d) / &g)
                );
                numbers.push(r);
            }
        }
        let exact = |n: IBig, d: IBig| Rational::new(n, d);
        for x in &numbers {
            let (a, b) = x.big_parts();
            assert_eq!(-x, exact(-a.clone(), b.clone()));
            let floor = x.floor();
            assert!(floor <= *x && &floor + &Rational::ONE > *x && floor.is_integer());
            assert_eq!(x.is_negative(), a.is_negative());
            if !x.is_zero() {
                assert_eq!(x.recip(), exact(b.clone(), a.clone()));
            }
            for y in &numbers {
                let (c, d) = y.big_parts();
                assert_eq!(x + y, exact(&a * &d + &c * &b, &b * &d), "{x} + {y}");
                assert_eq!(x - y, exact(&a * &d - &c * &b, &b * &d), "{x} - {y}");
                assert_eq!(x * y, exact(&a * &c, &b * &d), "{x} * {y}");
                assert_eq!(x.cmp(y), (&a * &d).cmp(&(&c * &b)), "{x} and {y}");
                if x.is_integer() && y.is_integer() && !(x.is_zero() && y.is_zero()) {
                    let g = x.gcd(y).to_integer().expect("an integer");
                    let big = big_gcd((&a).unsigned_abs(), (&c).unsigned_abs());
                    assert_eq!(g, big, "{x} and {y}");
                }
            }
        }
    }

    #[test]
    fn fractions_of_large_numbers_are_reduced() {
        // 40 to 200 words against 33 to 90: where the library's gcd has failed.
        for (m, n) in [(2_600, 2_112), (6_400, 2_200), (12_800, 5_760), (5_000, 64)] {
            let common = (IBig::ONE << 700) - IBig::from(5);
            let a = ((IBig::ONE << m) - IBig::from(3)) * &common;
            let b = ((IBig::ONE << n) + IBig::from(9)) * &common;
            let g = Rational::from(a.clone()).gcd(&Rational::from(b.clone()));
            let g = g.to_integer().expect("an integer");
            assert_eq!(&a % &g, IBig::ZERO);
            assert_eq!(&b % &g, IBig::ZERO);
            assert_eq!(&g % &common, IBig::ZERO);
            let r = Rational::new(a.clone(), b.clone());
            assert_eq!(r.numerator() * &g, a);
            assert_eq!(r.denominator() * &g, b);
        }
    }
}
