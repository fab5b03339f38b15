//! Integer terms as words.
//!
//! [`Blaster::exact`] gives a word that equals the term, as wide as an interval of its value demands; it
//! needs ranges of the term's leaves (variables, reads, applications), which become *guards*.
//! [`Blaster::low`] gives the term modulo `2^n`: sums, products, masks and wrapping need nothing
//! beyond the low bits of their operands, and no guard.
//!
//! Bit `i` of a leaf `x` is the atom `(x div 2^i) mod 2 = 1`, so circuits are formulas like any other.

use super::circuit::{self, Word, bit, resize, signed_width};
use base::FxHashMap;
use logic::machine::type_range;
use logic::{IBig, Op, Pool, Rational, TermId};
use std::collections::BTreeMap;

/// Nesting of operators that is followed.
const DEPTH: usize = 100;
/// Bits of the widest word.
const WIDTH: usize = 300;
/// Terms that one atom's circuit may add.
const GATES: usize = 30_000;
/// Bits of a leaf without a known range.
const UNKNOWN: usize = 66;

/// A word that equals a term, and an interval of the term's values.
#[derive(Clone)]
pub(crate) struct Exact {
    pub(crate) word: Word,
    pub(crate) low: IBig,
    pub(crate) high: IBig,
}

impl Exact {
    /// Cuts the word to what the interval needs.
    fn new(word: Word, low: IBig, high: IBig) -> Exact {
        let width = signed_width(&low).max(signed_width(&high));
        let word = match width < word.len() {
            true => resize(&word, width),
            false => word,
        };
        Exact { word, low, high }
    }

    fn magnitude(&self) -> IBig {
        let low = -&self.low;
        low.max(self.high.clone()).max(IBig::ZERO)
    }
}

/// The interval of a leaf, if one is known.
pub(crate) type RangeOf<'a> = dyn Fn(TermId) -> Option<(IBig, IBig)> + 'a;

pub(crate) struct Blaster<'a> {
    pub(crate) pool: &'a mut Pool,
    ranges: &'a RangeOf<'a>,
    exact: FxHashMap<TermId, Option<Exact>>,
    low: FxHashMap<(TermId, usize), Option<Word>>,
    /// The ranges that exact words rest on.
    pub(crate) guards: BTreeMap<TermId, (IBig, IBig)>,
    /// Divisors that must not be zero.
    pub(crate) divisors: Vec<TermId>,
    /// Leaves, with the number of their bits that occur.
    pub(crate) leaves: BTreeMap<TermId, usize>,
    limit: usize,
}

impl<'a> Blaster<'a> {
    pub(crate) fn new(pool: &'a mut Pool, ranges: &'a RangeOf<'a>) -> Self {
        Self::with_gates(pool, ranges, GATES)
    }

    /// With another limit on the terms that are added.
    pub(crate) fn with_gates(pool: &'a mut Pool, ranges: &'a RangeOf<'a>, gates: usize) -> Self {
        let limit = pool.term_count() + gates;
        Blaster {
            pool,
            ranges,
            exact: FxHashMap::default(),
            low: FxHashMap::default(),
            guards: BTreeMap::new(),
            divisors: Vec::new(),
            leaves: BTreeMap::new(),
            limit,
        }
    }

    fn goes_on(&self, depth: usize) -> Option<usize> {
        match self.pool.term_count() < self.limit {
            true => depth.checked_sub(1),
            false => None,
        }
    }

    pub(crate) fn exact_word(&mut self, t: TermId) -> Option<Exact> {
        self.exact(t, DEPTH)
    }

    fn exact(&mut self, t: TermId, depth: usize) -> Option<Exact> {
        if let Some(known) = self.exact.get(&t) {
            return known.clone();
        }
        let depth = self.goes_on(depth)?;
        let result = self.exact_new(t, depth).filter(|e| e.word.len() <= WIDTH);
        self.exact.insert(t, result.clone());
        result
    }

    fn exact_new(&mut self, t: TermId, depth: usize) -> Option<Exact> {
        let args = self.pool.args(t).to_vec();
        match self.pool.op(t) {
            Op::Num(_) => {
                let n = integer(self.pool, t)?;
                Some(Exact::new(circuit::constant(self.pool, &n), n.clone(), n))
            }
            Op::Add => self.exact_sum(t, depth),
            Op::Mul if self.pool.as_number(args[0]).is_some() => self.exact_sum(t, depth),
            Op::Mul => {
                let mut product = self.exact(args[0], depth)?;
                for &factor in &args[1..] {
                    let other = self.exact(factor, depth)?;
                    product = self.product(&product, &other)?;
                }
                Some(product)
            }
            Op::Wrap { bits, signed } => self.exact_wrap(args[0], bits, signed, depth),
            Op::BitAnd | Op::BitOr | Op::BitXor => {
                let (a, b) = (self.exact(args[0], depth)?, self.exact(args[1], depth)?);
                let width = a.word.len().max(b.word.len());
                let word = self.bitwise(self.pool.op(t), &a.word, &b.word, width);
                let signed = a.low < IBig::ZERO || b.low < IBig::ZERO;
                let half = IBig::ONE << (width - 1);
                let low = if signed { -&half } else { IBig::ZERO };
                Some(Exact::new(word, low, half - IBig::ONE))
            }
            Op::Mod | Op::IntDiv if self.power(args[1]).is_some() => {
                let k = self.power(args[1])?;
                self.exact_by_power(t, args[0], k, depth)
            }
            Op::IntDiv | Op::Mod | Op::CDiv | Op::CRem => self.exact_division(t, depth),
            Op::Shl => {
                let by = self.exact(args[1], depth)?;
                let most = usize::try_from(by.high.clone()).ok().filter(|n| *n <= 64)?;
                let a = self.exact(args[0], depth)?;
                let word = resize(&a.word, a.word.len() + most);
                let zero = self.pool.ff();
                let word = circuit::shift(self.pool, &word, &by.word, true, zero);
                let zero = IBig::ZERO;
                let (low, high) = (
                    (&a.low << most).min(zero.clone()),
                    (&a.high << most).max(zero),
                );
                Some(Exact::new(word, low, high))
            }
            Op::Shr => {
                let (a, by) = (self.exact(args[0], depth)?, self.exact(args[1], depth)?);
                let sign = bit(&a.word, a.word.len());
                let word = circuit::shift(self.pool, &a.word, &by.word, false, sign);
                let low = a.low.min(IBig::ZERO);
                Some(Exact::new(word, low, a.high.max(IBig::ZERO)))
            }
            Op::Ite => {
                let (a, b) = (self.exact(args[1], depth)?, self.exact(args[2], depth)?);
                let word = circuit::choose(self.pool, args[0], &a.word, &b.word);
                Some(Exact::new(word, a.low.min(b.low), a.high.max(b.high)))
            }
            Op::App(_) | Op::Select => Some(self.exact_leaf(t)),
            _ => None,
        }
    }

    fn exact_sum(&mut self, t: TermId, depth: usize) -> Option<Exact> {
        let form = self.pool.linear(t);
        let constant = form.constant.to_integer()?;
        let word = circuit::constant(self.pool, &constant);
        let mut sum = Exact::new(word, constant.clone(), constant);
        for (part, c) in &form.terms {
            let c = c.to_integer()?;
            let part = self.exact(*part, depth)?;
            let ends = [&part.low * &c, &part.high * &c];
            let (low, high) = (
                ends[0].clone().min(ends[1].clone()),
                ends[0].clone().max(ends[1].clone()),
            );
            let width = signed_width(&low).max(signed_width(&high));
            let scaled = circuit::scale(self.pool, &part.word, &c, width.min(WIDTH));
            let (low, high) = (&sum.low + low, &sum.high + high);
            let width = signed_width(&low).max(signed_width(&high));
            if width > WIDTH {
                return None;
            }
            let none = self.pool.ff();
            let word = circuit::add(self.pool, &sum.word, &scaled, none, width);
            sum = Exact::new(word, low, high);
        }
        Some(sum)
    }

    fn product(&mut self, a: &Exact, b: &Exact) -> Option<Exact> {
        let ends = [
            &a.low * &b.low,
            &a.low * &b.high,
            &a.high * &b.low,
            &a.high * &b.high,
        ];
        let low = ends.iter().min()?.clone();
        let high = ends.iter().max()?.clone();
        let width = signed_width(&low).max(signed_width(&high));
        if width > WIDTH {
            return None;
        }
        let word = circuit::multiply(self.pool, &a.word, &b.word, width);
        Some(Exact::new(word, low, high))
    }

    fn exact_wrap(&mut self, inner: TermId, bits: u8, signed: bool, depth: usize) -> Option<Exact> {
        let (low, high) = type_range(bits, signed);
        let (low, high) = (low.to_integer()?, high.to_integer()?);
        let mut word = self.low(inner, bits as usize, depth)?;
        if !signed {
            word.push(self.pool.ff());
        }
        Some(Exact::new(word, low, high))
    }

    /// `a div 2^k` or `a mod 2^k`.
    fn exact_by_power(&mut self, t: TermId, a: TermId, k: usize, depth: usize) -> Option<Exact> {
        if self.pool.op(t) == Op::Mod {
            let mut word = self.low(a, k, depth)?;
            word.push(self.pool.ff());
            let high = (IBig::ONE << k) - IBig::ONE;
            return Some(Exact::new(word, IBig::ZERO, high));
        }
        let a = self.exact(a, depth)?;
        let word = match a.word.get(k..) {
            Some(high @ [_, ..]) => high.to_vec(),
            _ => vec![bit(&a.word, a.word.len())],
        };
        // A shift to the right rounds down, as the division does.
        Some(Exact::new(word, a.low >> k, a.high >> k))
    }

    fn exact_division(&mut self, t: TermId, depth: usize) -> Option<Exact> {
        let op = self.pool.op(t);
        let (top, bottom) = (self.pool.args(t)[0], self.pool.args(t)[1]);
        let (a, b) = (self.exact(top, depth)?, self.exact(bottom, depth)?);
        if b.low <= IBig::ZERO && b.high >= IBig::ZERO {
            if self.pool.as_number(bottom).is_some() {
                return None;
            }
            self.divisors.push(bottom);
        }
        let (a_sign, b_sign) = (bit(&a.word, a.word.len()), bit(&b.word, b.word.len()));
        let (abs_a, abs_b) = (self.absolute(&a.word), self.absolute(&b.word));
        let (mut quotient, mut rest) = circuit::divide(self.pool, &abs_a, &abs_b);
        let (most_a, most_b) = (a.magnitude(), b.magnitude());
        let pool = &mut *self.pool;
        let width = quotient.len() + 1;
        let same_sign = pool.eq(a_sign, b_sign);
        if matches!(op, Op::IntDiv | Op::Mod) {
            // The remainder is never negative: one more in the quotient makes up for it.
            let zero = [pool.ff()];
            let whole = circuit::equal(pool, &rest, &zero);
            let part = pool.not(whole);
            let adjust = pool.and2(a_sign, part);
            quotient = circuit::add(pool, &quotient, &zero, adjust, width);
            let other = circuit::subtract(pool, &abs_b, &rest, rest.len());
            rest = circuit::choose(pool, adjust, &other, &rest);
        } else {
            let negative = circuit::negate(pool, &rest, rest.len());
            rest = circuit::choose(pool, a_sign, &negative, &rest);
        }
        Some(match op {
            Op::IntDiv | Op::CDiv => {
                let negative = circuit::negate(pool, &quotient, width);
                let word = circuit::choose(pool, same_sign, &quotient, &negative);
                Exact::new(word, -&most_a - IBig::ONE, most_a + IBig::ONE)
            }
            Op::Mod => Exact::new(rest, IBig::ZERO, most_b),
            _ => Exact::new(rest, -&most_b, most_b),
        })
    }

    /// The absolute value, with a sign that is false.
    fn absolute(&mut self, word: &[TermId]) -> Word {
        let width = word.len() + 1;
        let negative = circuit::negate(self.pool, word, width);
        let mut result = circuit::choose(self.pool, bit(word, width), &negative, word);
        // It is at most 2^(width - 2), so the sign of the wider word is 0.
        if let Some(sign) = result.last_mut() {
            *sign = self.pool.ff();
        }
        result
    }

    fn exact_leaf(&mut self, t: TermId) -> Exact {
        let known = self.range_of(t);
        let (low, high) = known.unwrap_or_else(unknown_range);
        let (low, high, width) = envelope(&low, &high);
        self.guards.insert(t, (low.clone(), high.clone()));
        let mut word = self.bits_of(t, width);
        if low >= IBig::ZERO {
            word.push(self.pool.ff());
        }
        Exact { word, low, high }
    }

    fn range_of(&self, t: TermId) -> Option<(IBig, IBig)> {
        // Patterns of floats have the range of their format, which is an axiom.
        let float = logic::float::operation(self.pool, t).and_then(crate::lemmas::float_result);
        match float {
            Some(width) => Some((IBig::ZERO, (IBig::ONE << width.bits() as usize) - IBig::ONE)),
            None => (self.ranges)(t),
        }
    }

    pub(crate) fn low_word(&mut self, t: TermId, n: usize) -> Option<Word> {
        self.low(t, n, DEPTH)
    }

    /// The bits of a leaf, whatever its range.
    pub(crate) fn leaf_bits(&mut self, t: TermId, n: usize) -> Word {
        self.bits_of(t, n)
    }

    /// A guard on a leaf: its range as far as it is known.
    pub(crate) fn leaf_word(&mut self, t: TermId) -> Exact {
        self.exact_leaf(t)
    }

    fn bits_of(&mut self, t: TermId, width: usize) -> Word {
        let seen = self.leaves.entry(t).or_insert(0);
        *seen = width.max(*seen);
        (0..width).map(|i| bit_atom(self.pool, t, i)).collect()
    }

    /// The exponent of a divisor that is a power of two.
    fn power(&self, t: TermId) -> Option<usize> {
        let n = integer(self.pool, t).filter(|n| *n > IBig::ONE)?;
        let k = signed_width(&n) - 2;
        (IBig::ONE << k == n && k < WIDTH).then_some(k)
    }

    fn bitwise(&mut self, op: Op, a: &[TermId], b: &[TermId], width: usize) -> Word {
        let pool = &mut *self.pool;
        (0..width)
            .map(|i| match op {
                Op::BitAnd => pool.and2(bit(a, i), bit(b, i)),
                Op::BitOr => pool.or2(bit(a, i), bit(b, i)),
                _ => pool.xor(bit(a, i), bit(b, i)),
            })
            .collect()
    }

    /// The low `n` bits of a term, at least one.
    fn low(&mut self, t: TermId, n: usize, depth: usize) -> Option<Word> {
        if n == 0 || n > WIDTH {
            return None;
        }
        if let Some(known) = self.low.get(&(t, n)) {
            return known.clone();
        }
        let depth = self.goes_on(depth)?;
        let result = self.low_new(t, n, depth);
        self.low.insert((t, n), result.clone());
        result
    }

    fn low_new(&mut self, t: TermId, n: usize, depth: usize) -> Option<Word> {
        let args = self.pool.args(t).to_vec();
        match self.pool.op(t) {
            Op::Add => self.low_sum(t, n, depth),
            Op::Mul if self.pool.as_number(args[0]).is_some() => self.low_sum(t, n, depth),
            Op::Mul => {
                let mut product = self.low(args[0], n, depth)?;
                for &factor in &args[1..] {
                    let other = self.low(factor, n, depth)?;
                    product = circuit::multiply(self.pool, &product, &other, n);
                }
                Some(product)
            }
            Op::Wrap { bits, .. } if n <= bits as usize => self.low(args[0], n, depth),
            Op::BitAnd | Op::BitOr | Op::BitXor => {
                let (a, b) = (self.low(args[0], n, depth)?, self.low(args[1], n, depth)?);
                Some(self.bitwise(self.pool.op(t), &a, &b, n))
            }
            Op::Mod if self.power(args[1]).is_some_and(|k| n <= k) => self.low(args[0], n, depth),
            Op::IntDiv if self.power(args[1]).is_some_and(|k| n + k <= WIDTH) => {
                let k = self.power(args[1])?;
                // Fewer bits than the exact word has, and no guard.
                let word = self.low(args[0], n + k, depth)?;
                Some(word[k..].to_vec())
            }
            Op::Shl => {
                let (a, by) = (self.low(args[0], n, depth)?, self.exact(args[1], depth)?);
                let zero = self.pool.ff();
                Some(circuit::shift(self.pool, &a, &by.word, true, zero))
            }
            Op::Ite => {
                let (a, b) = (self.low(args[1], n, depth)?, self.low(args[2], n, depth)?);
                Some(circuit::choose(self.pool, args[0], &a, &b))
            }
            Op::App(_) | Op::Select => {
                let narrow = self.range_of(t).filter(|r| *r != unknown_range());
                match narrow.is_some_and(|(low, high)| envelope(&low, &high).2 < n) {
                    true => Some(resize(&self.exact(t, depth)?.word, n)),
                    false => Some(self.bits_of(t, n)),
                }
            }
            _ => Some(resize(&self.exact(t, depth)?.word, n)),
        }
    }

    fn low_sum(&mut self, t: TermId, n: usize, depth: usize) -> Option<Word> {
        let form = self.pool.linear(t);
        let constant = form.constant.to_integer()?;
        let mut sum = resize(&circuit::constant(self.pool, &constant), n);
        for (part, c) in &form.terms {
            let c = c.to_integer()?;
            let word = self.low(*part, n, depth)?;
            let scaled = circuit::scale(self.pool, &word, &c, n);
            let none = self.pool.ff();
            sum = circuit::add(self.pool, &sum, &scaled, none, n);
        }
        Some(sum)
    }
}

fn integer(pool: &Pool, t: TermId) -> Option<IBig> {
    pool.as_number(t)?.to_integer()
}

fn unknown_range() -> (IBig, IBig) {
    let half = IBig::ONE << (UNKNOWN - 1);
    (-&half, half - IBig::ONE)
}

/// The least range of a machine word around an interval, and its bits.
pub(crate) fn envelope(low: &IBig, high: &IBig) -> (IBig, IBig, usize) {
    if *low >= IBig::ZERO {
        let width = (signed_width(high) - 1).max(1);
        return (IBig::ZERO, (IBig::ONE << width) - IBig::ONE, width);
    }
    let width = signed_width(low).max(signed_width(high));
    let half = IBig::ONE << (width - 1);
    (-&half, half - IBig::ONE, width)
}

/// `(x div 2^i) mod 2 = 1`.
pub(crate) fn bit_atom(pool: &mut Pool, x: TermId, i: usize) -> TermId {
    let divisor = pool.int(Rational::power_of_two(i));
    let shifted = pool.int_div(x, divisor);
    let two = pool.int(2);
    let last = pool.modulo(shifted, two);
    let one = pool.int(1);
    pool.eq(last, one)
}
