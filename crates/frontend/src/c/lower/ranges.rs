//! Intervals of Int terms, to leave out wraps and range checks that cannot matter.
//!
//! An interval is derived bottom-up from the ranges of variables and operators; `None` is
//! unbounded. Invariant: every value the term takes in a state of the program lies inside.

use base::FxHashMap;
use logic::{Op, Pool, Rational, TermId};

/// Least and greatest value.
pub type Interval = (i128, i128);

/// Known intervals of terms; variables are entered by whoever declares them.
#[derive(Default)]
pub struct Ranges {
    known: FxHashMap<TermId, Option<Interval>>,
}

fn to_i128(r: &Rational) -> Option<i128> {
    i128::try_from(r.to_integer()?).ok()
}

fn hull(a: Interval, b: Interval) -> Interval {
    (a.0.min(b.0), a.1.max(b.1))
}

/// The values of a machine integer type; `None` where `i128` cannot hold them.
pub fn type_interval(bits: u32, signed: bool) -> Option<Interval> {
    match (bits, signed) {
        (128.., true) => Some((i128::MIN, i128::MAX)),
        (127.., false) => None,
        (b, true) => Some((-(1 << (b - 1)), (1 << (b - 1)) - 1)),
        (b, false) => Some((0, (1 << b) - 1)),
    }
}

impl Ranges {
    /// Enters what is known of a term by other means (a variable's range, a typed memory cell).
    pub fn set(&mut self, term: TermId, interval: Option<Interval>) {
        self.known.insert(term, interval);
    }

    pub fn of(&mut self, pool: &Pool, term: TermId) -> Option<Interval> {
        let mut stack = vec![term];
        while let Some(&t) = stack.last() {
            if self.known.contains_key(&t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            if pool.sort_of(t) == pool.int_sort() && !matches!(pool.op(t), Op::Select | Op::App(_))
            {
                for &a in pool.args(t) {
                    if pool.sort_of(a) == pool.int_sort() && !self.known.contains_key(&a) {
                        stack.push(a);
                    }
                }
            }
            if stack.len() == before {
                let interval = self.compute(pool, t);
                self.known.insert(t, interval);
                stack.pop();
            }
        }
        self.known[&term]
    }

    pub fn within(&mut self, pool: &Pool, term: TermId, outer: Option<Interval>) -> bool {
        match (self.of(pool, term), outer) {
            (_, None) => false,
            (Some(i), Some(o)) => o.0 <= i.0 && i.1 <= o.1,
            (None, Some(_)) => false,
        }
    }

    fn compute(&self, pool: &Pool, t: TermId) -> Option<Interval> {
        let args = pool.args(t);
        let arg = |i: usize| self.known.get(&args[i]).copied().flatten();
        match pool.op(t) {
            Op::Num(n) => to_i128(pool.number(n)).map(|v| (v, v)),
            Op::Add => args.iter().try_fold((0i128, 0i128), |acc, a| {
                let i = self.known.get(a).copied().flatten()?;
                Some((acc.0.checked_add(i.0)?, acc.1.checked_add(i.1)?))
            }),
            Op::Mul => args.iter().try_fold((1i128, 1i128), |acc, a| {
                product(acc, self.known.get(a).copied().flatten()?)
            }),
            Op::Ite => {
                let (a, b) = (self.known.get(&args[1]), self.known.get(&args[2]));
                Some(hull(a.copied().flatten()?, b.copied().flatten()?))
            }
            Op::Wrap { bits, signed } => {
                let ty = type_interval(u32::from(bits), signed);
                match (arg(0), ty) {
                    (Some(i), Some(o)) if o.0 <= i.0 && i.1 <= o.1 => Some(i),
                    _ => ty,
                }
            }
            Op::BitAnd => match (arg(0), arg(1)) {
                (Some(a), Some(b)) if a.0 >= 0 && b.0 >= 0 => Some((0, a.1.min(b.1))),
                (Some(a), _) if a.0 >= 0 => Some((0, a.1)),
                (_, Some(b)) if b.0 >= 0 => Some((0, b.1)),
                (Some(a), Some(b)) => Some(bit_hull(hull(a, b))),
                _ => None,
            },
            Op::BitOr | Op::BitXor => Some(bit_hull(hull(arg(0)?, arg(1)?))),
            Op::IntDiv => {
                let (a, b) = (arg(0)?, arg(1)?);
                if b.0 != b.1 || b.0 <= 0 {
                    return None;
                }
                Some((a.0.div_euclid(b.0), a.1.div_euclid(b.0)))
            }
            Op::Mod => {
                let b = arg(1)?;
                (b.0 > 0).then_some((0, b.1 - 1))
            }
            Op::Shr => {
                let (a, b) = (arg(0)?, arg(1)?);
                (b.0 >= 0).then_some((a.0.min(0), a.1.max(0)))
            }
            Op::Shl => {
                let (a, b) = (arg(0)?, arg(1)?);
                if b.0 < 0 || b.1 > 100 {
                    return None;
                }
                product(a, (1, 1i128.checked_shl(b.1 as u32)?))
            }
            Op::CDiv => {
                // A zero divisor gives any value, so only divisors known to be non-zero count.
                let (a, b) = (arg(0)?, arg(1)?);
                if b.0 <= 0 && b.1 >= 0 {
                    return None;
                }
                let m = a.0.checked_abs()?.max(a.1.checked_abs()?);
                Some(if b.0 > 0 && a.0 >= 0 {
                    (0, a.1)
                } else {
                    (-m, m)
                })
            }
            Op::CRem => {
                let (a, b) = (arg(0)?, arg(1)?);
                if b.0 <= 0 && b.1 >= 0 {
                    return None;
                }
                let m = b.0.checked_abs()?.max(b.1.checked_abs()?) - 1;
                Some((a.0.max(-m).min(0), a.1.min(m).max(0)))
            }
            _ => None,
        }
    }
}

fn product(a: Interval, b: Interval) -> Option<Interval> {
    let all = [
        a.0.checked_mul(b.0)?,
        a.0.checked_mul(b.1)?,
        a.1.checked_mul(b.0)?,
        a.1.checked_mul(b.1)?,
    ];
    let low = all.iter().copied().min().expect("four products");
    let high = all.iter().copied().max().expect("four products");
    Some((low, high))
}

/// The smallest two's-complement range that holds the interval: closed under bit operations.
fn bit_hull(i: Interval) -> Interval {
    let magnitude = i.1.max(if i.0 < 0 { -(i.0 + 1) } else { 0 }).max(0);
    let bits = 128 - magnitude.leading_zeros();
    let top = if bits >= 127 {
        i128::MAX
    } else {
        (1i128 << bits) - 1
    };
    (if i.0 < 0 { -top - 1 } else { 0 }, top)
}
