//! Bounds of a term's value from bounds of its variables, and the other way round.
//!
//! [`Compiled`] is a term as a list of operations. Forward ([`Compiled::value`]) each operation bounds its result by
//! the bounds of its arguments. Backward ([`Compiled::assume`]) a condition that holds narrows its arguments, down
//! to the variables:
//!
//! ```text
//!   x in 0..9, y in 3..7   forward:  2 * x + y in 3..25     backward, x >= y:  x in 3..9
//! ```
//! Invariant (over-approximation): a valuation within the bounds gives each operation a value within its own; one
//! that makes the condition true stays within the narrowed bounds. What is not known here has no bounds.
//!
//! Source: interval constraint propagation, one pass (HC4; Benhamou, Goualard, Granvilliers, Puget 1999).

use crate::{Op, Pool, Rational, TermId};
use base::FxHashMap;

/// The integers from `low` to `high`; the ends of `i128` stand for no bound. Truth values are 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Interval {
    pub low: i128,
    pub high: i128,
}

const NO_LOW: i128 = i128::MIN;
const NO_HIGH: i128 = i128::MAX;
/// Larger numbers are not told apart, so that no sum or product of two of them overflows unseen.
const LARGE: i128 = 1 << 100;

impl Interval {
    pub const ANY: Interval = Interval {
        low: NO_LOW,
        high: NO_HIGH,
    };
    pub const TRUTH: Interval = Interval { low: 0, high: 1 };
    pub const TRUE: Interval = Interval { low: 1, high: 1 };
    pub const FALSE: Interval = Interval { low: 0, high: 0 };

    /// From one number to another, either of which may be missing or too large to be told apart.
    pub fn of(low: Option<i128>, high: Option<i128>) -> Interval {
        let low = match low {
            Some(l) if l >= -LARGE => l.min(LARGE),
            _ => NO_LOW,
        };
        let high = match high {
            Some(h) if h <= LARGE => h.max(-LARGE),
            _ => NO_HIGH,
        };
        Interval { low, high }
    }

    pub fn single(value: i128) -> Interval {
        Self::of(Some(value), Some(value))
    }

    /// From one number to another.
    pub fn between(low: &Rational, high: &Rational) -> Interval {
        Self::of(integer(&low.floor()), integer(&high.ceil()))
    }

    pub fn is_empty(&self) -> bool {
        self.low > self.high
    }

    pub fn as_single(&self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    pub fn has_low(&self) -> bool {
        self.low != NO_LOW
    }

    pub fn has_high(&self) -> bool {
        self.high != NO_HIGH
    }

    pub fn contains(&self, value: i128) -> bool {
        self.low <= value && value <= self.high
    }

    pub fn includes(&self, other: &Interval) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    pub fn meet(&self, other: &Interval) -> Interval {
        Interval {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        }
    }

    pub fn hull(&self, other: &Interval) -> Interval {
        Interval {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// The bounds there are.
    pub fn ends(&self) -> (Option<i128>, Option<i128>) {
        (
            self.has_low().then_some(self.low),
            self.has_high().then_some(self.high),
        )
    }

    /// Sums of a number of each.
    pub fn add(&self, other: &Interval) -> Interval {
        let ((a, b), (c, d)) = (self.ends(), other.ends());
        Self::of(a.zip(c).map(|(x, y)| x + y), b.zip(d).map(|(x, y)| x + y))
    }

    pub fn negate(&self) -> Interval {
        let (a, b) = self.ends();
        Self::of(b.map(|x| -x), a.map(|x| -x))
    }

    /// Its numbers times a factor.
    pub fn times(&self, factor: i128) -> Interval {
        let (a, b) = self.ends();
        let by = |x: Option<i128>| x.and_then(|x| x.checked_mul(factor));
        match factor {
            0 => Interval::FALSE,
            f if f > 0 => Self::of(by(a), by(b)),
            _ => Self::of(by(b), by(a)),
        }
    }

    /// Products of a number of each.
    pub fn multiply(&self, other: &Interval) -> Interval {
        if let Some(k) = self.as_single() {
            return other.times(k);
        }
        if let Some(k) = other.as_single() {
            return self.times(k);
        }
        let (Some(a), Some(b), Some(c), Some(d)) =
            (self.ends().0, self.ends().1, other.ends().0, other.ends().1)
        else {
            return Interval::ANY;
        };
        let corners = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| x.checked_mul(y));
        match corners {
            [Some(p), Some(q), Some(r), Some(s)] => {
                Self::of(Some(p.min(q).min(r).min(s)), Some(p.max(q).max(r).max(s)))
            }
            _ => Interval::ANY,
        }
    }

    /// By a divisor that is not 0, with a quotient that grows with the dividend for positive divisors.
    fn quotient(&self, divisor: i128, divide: fn(i128, i128) -> i128) -> Interval {
        let (a, b) = self.ends();
        let (a, b) = (a.map(|x| divide(x, divisor)), b.map(|x| divide(x, divisor)));
        match divisor > 0 {
            true => Self::of(a, b),
            false => Self::of(b, a),
        }
    }

    /// The Euclidean remainder.
    fn modulo(&self, divisor: i128) -> Interval {
        let m = divisor.abs();
        if let (Some(a), Some(b)) = self.ends()
            && a.div_euclid(m) == b.div_euclid(m)
        {
            return Self::of(Some(a.rem_euclid(m)), Some(b.rem_euclid(m)));
        }
        Self::of(Some(0), Some(m - 1))
    }

    /// The remainder with the sign of the dividend.
    fn remainder(&self, divisor: i128) -> Interval {
        let m = divisor.abs();
        if let (Some(a), Some(b)) = self.ends()
            && a / m == b / m
            && (a >= 0 || b <= 0)
        {
            return Self::of(Some(a % m), Some(b % m));
        }
        let low = if self.low >= 0 {
            0
        } else {
            (1 - m).max(self.low)
        };
        let high = if self.high <= 0 {
            0
        } else {
            (m - 1).min(self.high)
        };
        Interval { low, high }
    }

    fn wrap(&self, bits: u8, signed: bool) -> Interval {
        let size = 1i128 << bits;
        let low = if signed { -(size / 2) } else { 0 };
        let range = Interval {
            low,
            high: low + size - 1,
        };
        if range.includes(self) {
            return *self;
        }
        if let (Some(a), Some(b)) = self.ends() {
            let turns = (a - low).div_euclid(size);
            if turns == (b - low).div_euclid(size) {
                return Self::of(Some(a - turns * size), Some(b - turns * size));
            }
        }
        range
    }

    fn bitwise(&self, other: &Interval, op: Op) -> Interval {
        if let (Some(a), Some(b)) = (self.as_single(), other.as_single()) {
            return Interval::single(match op {
                Op::BitAnd => a & b,
                Op::BitOr => a | b,
                _ => a ^ b,
            });
        }
        let tops = [self, other].map(|i| (i.low >= 0).then_some(i.high));
        match (op, tops) {
            (Op::BitAnd, [Some(a), Some(b)]) => Interval {
                low: 0,
                high: a.min(b),
            },
            (Op::BitAnd, [Some(a), None] | [None, Some(a)]) => Interval { low: 0, high: a },
            (Op::BitOr | Op::BitXor, [Some(a), Some(b)]) if a.max(b) < LARGE => {
                let bits = 128 - a.max(b).leading_zeros();
                Self::of(Some(0), Some((1i128 << bits) - 1))
            }
            _ => Interval::ANY,
        }
    }
}

fn integer(number: &Rational) -> Option<i128> {
    i128::try_from(&number.to_integer()?).ok()
}

/// What an operation computes.
#[derive(Clone, Copy, Debug)]
enum Code {
    Constant(Interval),
    Variable(u32),
    Apply(Op),
}

/// A term as operations, arguments first.
#[derive(Clone, Debug)]
pub struct Compiled {
    nodes: Vec<(Code, std::ops::Range<u32>)>,
    args: Vec<u32>,
}

impl Compiled {
    /// The term over variables by number.
    pub fn new(pool: &Pool, term: TermId, variable: impl Fn(TermId) -> Option<u32>) -> Compiled {
        let mut made = Compiled {
            nodes: Vec::new(),
            args: Vec::new(),
        };
        let mut place: FxHashMap<TermId, u32> = FxHashMap::default();
        let known = |t: TermId| is_known(pool, t);
        let mut stack = vec![(term, false)];
        while let Some((t, ready)) = stack.pop() {
            if place.contains_key(&t) {
                continue;
            }
            let leaf = match variable(t) {
                Some(v) if known(t) => Some(Code::Variable(v)),
                _ => constant(pool, t).map(Code::Constant),
            };
            let start = made.args.len() as u32;
            let code = match leaf {
                Some(code) => code,
                None if ready => {
                    made.args.extend(pool.args(t).iter().map(|a| place[a]));
                    Code::Apply(pool.op(t))
                }
                None => {
                    stack.push((t, true));
                    stack.extend(pool.args(t).iter().map(|&a| (a, false)));
                    continue;
                }
            };
            place.insert(t, made.nodes.len() as u32);
            made.nodes.push((code, start..made.args.len() as u32));
        }
        made
    }

    /// Bounds of the term's value; `values` is scratch, and holds those of all operations afterwards.
    pub fn value(&self, read: impl Fn(u32) -> Interval, values: &mut Vec<Interval>) -> Interval {
        values.clear();
        for (code, range) in &self.nodes {
            let args = &self.args[range.start as usize..range.end as usize];
            let value = match code {
                Code::Constant(c) => *c,
                Code::Variable(v) => read(*v),
                Code::Apply(op) => forward(*op, args, values),
            };
            values.push(value);
        }
        values.last().copied().unwrap_or(Interval::ANY)
    }

    /// Narrows the variables by the term being true. `false`: it cannot be.
    pub fn assume(
        &self,
        read: impl Fn(u32) -> Interval,
        values: &mut Vec<Interval>,
        narrow: impl FnMut(u32, Interval),
    ) -> bool {
        self.assume_within(Interval::TRUE, read, values, narrow)
    }

    /// Narrows the variables by the term having a value within these bounds. `false`: it cannot have.
    pub fn assume_within(
        &self,
        wanted: Interval,
        read: impl Fn(u32) -> Interval,
        values: &mut Vec<Interval>,
        mut narrow: impl FnMut(u32, Interval),
    ) -> bool {
        let value = self.value(read, values);
        let left = value.meet(&wanted);
        if left.is_empty() {
            return false;
        }
        if left == value {
            return true;
        }
        if let Some(last) = values.last_mut() {
            *last = left;
        }
        for (n, (code, range)) in self.nodes.iter().enumerate().rev() {
            let args = &self.args[range.start as usize..range.end as usize];
            match code {
                Code::Constant(_) => {}
                Code::Variable(v) => narrow(*v, values[n]),
                Code::Apply(op) => {
                    if !backward(*op, n, args, values) {
                        return false;
                    }
                }
            }
        }
        true
    }
}

impl Interval {
    /// Bounds of a term's value from those of its arguments.
    pub fn of_term(pool: &Pool, term: TermId, args: &[Interval]) -> Interval {
        if let Some(value) = constant(pool, term) {
            return value;
        }
        let places: Vec<u32> = (0..args.len() as u32).collect();
        forward(pool.op(term), &places, args)
    }
}

/// Is the term an integer or a truth value?
fn is_known(pool: &Pool, t: TermId) -> bool {
    let sort = pool.sort_of(t);
    sort == pool.int_sort() || sort == pool.bool_sort()
}

/// Terms whose bounds depend on no variable: constants, and what nothing is known of.
fn constant(pool: &Pool, t: TermId) -> Option<Interval> {
    let truth = pool.sort_of(t) == pool.bool_sort();
    let open = if truth {
        Interval::TRUTH
    } else {
        Interval::ANY
    };
    if !is_known(pool, t) {
        return Some(Interval::ANY);
    }
    match pool.op(t) {
        Op::True => Some(Interval::TRUE),
        Op::False => Some(Interval::FALSE),
        Op::Num(_) => {
            let number = pool.as_number(t).and_then(integer);
            Some(number.map_or(Interval::ANY, Interval::single))
        }
        Op::App(_) | Op::Select | Op::Store | Op::ConstArray => Some(open),
        Op::RealDiv | Op::ToReal | Op::ToInt => Some(open),
        _ => {
            let args = pool.args(t);
            (!args.iter().all(|&a| is_known(pool, a))).then_some(open)
        }
    }
}

fn forward(op: Op, args: &[u32], values: &[Interval]) -> Interval {
    let at = |n: usize| values[args[n] as usize];
    let all = || args.iter().map(|&a| values[a as usize]);
    let divisor = || at(1).as_single().filter(|d| *d != 0);
    match op {
        Op::Not => Interval {
            low: 1 - at(0).high,
            high: 1 - at(0).low,
        },
        Op::And => Interval {
            low: all().map(|v| v.low).min().unwrap_or(1),
            high: all().map(|v| v.high).min().unwrap_or(1),
        },
        Op::Or => Interval {
            low: all().map(|v| v.low).max().unwrap_or(0),
            high: all().map(|v| v.high).max().unwrap_or(0),
        },
        Op::Ite => match at(0) {
            Interval::TRUE => at(1),
            Interval::FALSE => at(2),
            _ => at(1).hull(&at(2)),
        },
        Op::Eq => {
            let (a, b) = (at(0), at(1));
            if a.meet(&b).is_empty() {
                Interval::FALSE
            } else if a.as_single().is_some() && a == b {
                Interval::TRUE
            } else {
                Interval::TRUTH
            }
        }
        Op::Le => {
            let (a, b) = (at(0), at(1));
            if a.has_high() && b.has_low() && a.high <= b.low {
                Interval::TRUE
            } else if a.has_low() && b.has_high() && a.low > b.high {
                Interval::FALSE
            } else {
                Interval::TRUTH
            }
        }
        Op::Add => all().fold(Interval::single(0), |sum, v| sum.add(&v)),
        Op::Mul => all().fold(Interval::single(1), |product, v| product.multiply(&v)),
        Op::IntDiv => divisor().map_or(Interval::ANY, |d| at(0).quotient(d, i128::div_euclid)),
        Op::CDiv => divisor().map_or(Interval::ANY, |d| at(0).quotient(d, |a, b| a / b)),
        Op::Mod => divisor().map_or(Interval::ANY, |d| at(0).modulo(d)),
        Op::CRem => divisor().map_or(Interval::ANY, |d| at(0).remainder(d)),
        Op::Wrap { bits, signed } if bits < 100 => at(0).wrap(bits, signed),
        Op::BitAnd | Op::BitOr | Op::BitXor => {
            let mut rest = all();
            let first = rest.next().unwrap_or(Interval::ANY);
            rest.fold(first, |a, b| a.bitwise(&b, op))
        }
        Op::Shl => match at(1).as_single() {
            Some(by) if (0..64).contains(&by) => at(0).times(1 << by),
            _ => Interval::ANY,
        },
        Op::Shr => match at(1).as_single() {
            Some(by) if (0..64).contains(&by) => at(0).quotient(1 << by, i128::div_euclid),
            _ => Interval::ANY,
        },
        _ => Interval::ANY,
    }
}

/// Narrows the arguments of an operation by its value; `false` if there is none.
fn backward(op: Op, node: usize, args: &[u32], values: &mut [Interval]) -> bool {
    let wanted = values[node];
    let at = |values: &[Interval], n: usize| values[args[n] as usize];
    let narrow = |values: &mut [Interval], n: usize, by: Interval| {
        let slot = &mut values[args[n] as usize];
        *slot = slot.meet(&by);
        !slot.is_empty()
    };
    match (op, wanted) {
        (Op::Not, w) => narrow(
            values,
            0,
            Interval {
                low: 1 - w.high,
                high: 1 - w.low,
            },
        ),
        (Op::And, Interval::TRUE) => (0..args.len()).all(|n| narrow(values, n, Interval::TRUE)),
        (Op::Or, Interval::FALSE) => (0..args.len()).all(|n| narrow(values, n, Interval::FALSE)),
        (Op::And, Interval::FALSE) | (Op::Or, Interval::TRUE) => {
            // The one argument that is not decided decides.
            let other = if op == Op::And {
                Interval::TRUE
            } else {
                Interval::FALSE
            };
            let mut open = (0..args.len()).filter(|&n| at(values, n) != other);
            match (open.next(), open.next()) {
                (None, _) => false,
                (Some(n), None) => narrow(values, n, wanted),
                _ => true,
            }
        }
        (Op::Eq, Interval::TRUE) => {
            let both = at(values, 0).meet(&at(values, 1));
            narrow(values, 0, both) && narrow(values, 1, both)
        }
        (Op::Eq, Interval::FALSE) => [(0, 1), (1, 0)].into_iter().all(|(n, m)| {
            let Some(value) = at(values, m).as_single() else {
                return true;
            };
            let mut rest = at(values, n);
            if rest.low == value {
                rest.low += 1;
            }
            if rest.high == value {
                rest.high -= 1;
            }
            narrow(values, n, rest)
        }),
        (Op::Le, Interval::TRUE) => {
            let (a, b) = (at(values, 0), at(values, 1));
            let below = Interval {
                low: NO_LOW,
                high: b.high,
            };
            let above = Interval {
                low: a.low,
                high: NO_HIGH,
            };
            narrow(values, 0, below) && narrow(values, 1, above)
        }
        (Op::Le, Interval::FALSE) => {
            let (a, b) = (at(values, 0), at(values, 1));
            let above = Interval::of(b.ends().0.map(|l| l + 1), None);
            let below = Interval::of(None, a.ends().1.map(|h| h - 1));
            narrow(values, 0, above) && narrow(values, 1, below)
        }
        (Op::Add, w) if args.len() <= 8 => (0..args.len()).all(|n| {
            let others = (0..args.len()).filter(|&m| m != n);
            let sum = others.fold(Interval::single(0), |s, m| s.add(&at(values, m)));
            narrow(values, n, w.add(&sum.negate()))
        }),
        (Op::Mul, w) if args.len() == 2 => [(0, 1), (1, 0)].into_iter().all(|(n, m)| {
            let factor = at(values, m).as_single().filter(|k| *k != 0);
            match factor {
                Some(k) => {
                    // x k in low..high: x from the ceiling to the floor of the quotients.
                    let w = if k > 0 { w } else { w.negate() };
                    let k = k.abs();
                    let (low, high) = w.ends();
                    let low = low.map(|l| -((-l).div_euclid(k)));
                    let high = high.map(|h| h.div_euclid(k));
                    narrow(values, n, Interval::of(low, high))
                }
                None => true,
            }
        }),
        (Op::Ite, w) => {
            if at(values, 1).meet(&w).is_empty() && !narrow(values, 0, Interval::FALSE) {
                return false;
            }
            if at(values, 2).meet(&w).is_empty() && !narrow(values, 0, Interval::TRUE) {
                return false;
            }
            match at(values, 0) {
                Interval::TRUE => narrow(values, 1, w),
                Interval::FALSE => narrow(values, 2, w),
                _ => true,
            }
        }
        (Op::Wrap { bits, signed }, w) if bits < 100 => {
            let range = Interval::ANY.wrap(bits, signed);
            !range.includes(&at(values, 0)) || narrow(values, 0, w)
        }
        _ => true,
    }
}
