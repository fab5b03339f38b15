//! Numbers in place of what memory holds: cells that are read as words of some bits, and words that are read byte by byte.
//!
//! ```text
//!   (wrap.u8 (select m i))                 is (select c i), where c holds the low byte of each cell of m
//!   (+ b0 (* 256 b1) ... (* 2^56 b7))      is w, 0 <= w < 2^64, if each b is a byte
//! ```
//! Without this a cell of memory that nobody wrote is any integer, and what is read of it a remainder: many of those
//! are more than integer arithmetic can bear. What the new constants stand for is kept as a link, which the solver is
//! told only if it finds no refutation without.
//!
//! Sound because for each execution there is such an array `c`, and such a number `w`: they have the values that the
//! links say, and nothing else is said of them.

use super::bounds::Bounds;
use super::fills::Fills;
use base::FxHashMap;
use logic::{Interval, Op, Pool, TermId};
use std::cell::RefCell;
use std::rc::Rc;

/// Bytes of the widest word.
pub(super) const MOST_BYTES: usize = 8;

/// What is known of the new constants.
#[derive(Default)]
pub(super) struct Cells {
    /// By an array and a number of bits: the low bits of what it holds.
    narrow: FxHashMap<(TermId, u8), TermId>,
    /// Of those: how many bits.
    width: FxHashMap<TermId, u8>,
    /// Arrays that are one of two, and what decides.
    choices: FxHashMap<TermId, (TermId, TermId, TermId)>,
    /// Arrays that a loop has filled.
    pub fills: Fills,
    /// Numbers by the sum of their bytes.
    words: FxHashMap<TermId, TermId>,
    /// Of signed words: the unsigned one, and its bits.
    unsigned: FxHashMap<TermId, (TermId, u8)>,
    /// What holds of a constant, or of what is read of one, wherever it is met.
    definitions: FxHashMap<TermId, Vec<TermId>>,
    /// What it stands for.
    links: FxHashMap<TermId, TermId>,
}

/// The one that all states share.
pub(super) type Shared = Rc<RefCell<Cells>>;

impl Cells {
    pub fn definitions(&self, t: TermId) -> &[TermId] {
        self.definitions.get(&t).map_or(&[], Vec::as_slice)
    }

    pub fn link(&self, t: TermId) -> Option<TermId> {
        self.links.get(&t).copied()
    }

    /// Says that an array is `a` if the choice is made, else `b`.
    pub fn choice(&mut self, pool: &Pool, array: TermId, choice: TermId, a: TermId, b: TermId) {
        self.choices.insert(array, (choice, a, b));
        self.fills.either(pool, array, a, b);
    }

    /// What an array is one of, where a loop has filled one of them.
    pub fn chosen(&self, pool: &Pool, array: TermId) -> Option<(TermId, TermId, TermId)> {
        let choice = self.choices.get(&array)?;
        self.fills.is_behind(pool, array).then_some(*choice)
    }

    /// The array of the low bits of what an array holds.
    fn narrow(&mut self, pool: &mut Pool, array: TermId, bits: u8) -> TermId {
        let sort = pool.sort_of(array);
        let mut stack = vec![array];
        while let Some(&t) = stack.last() {
            if self.narrow.contains_key(&(t, bits)) {
                stack.pop();
                continue;
            }
            let fill = self.fills.get(t);
            let parts: Vec<TermId> = match (pool.op(t), pool.args(t), self.choices.get(&t)) {
                _ if fill.is_some() => fill.iter().map(|f| f.parts().0).collect(),
                (Op::Store, args, _) => vec![args[0]],
                (_, _, Some(&(_, a, b))) => vec![a, b],
                _ => Vec::new(),
            };
            let before = stack.len();
            stack.extend(
                parts
                    .iter()
                    .filter(|p| !self.narrow.contains_key(&(**p, bits))),
            );
            if stack.len() > before {
                continue;
            }
            let made = match (pool.op(t), pool.args(t).to_vec().as_slice()) {
                (Op::Store, &[inner, at, value]) => {
                    let value = self.low(pool, value, bits);
                    pool.store(self.narrow[&(inner, bits)], at, value)
                }
                (Op::ConstArray, &[value]) => {
                    let value = self.low(pool, value, bits);
                    pool.const_array(sort, value)
                }
                _ => {
                    let made = pool.fresh_constant("cells", sort);
                    if let Some(fill) = fill {
                        let (before, value) = fill.parts();
                        let value = pool.wrap(bits, false, value);
                        let before = self.narrow[&(before, bits)];
                        self.fills.insert(made, fill.with(before, value));
                    }
                    if let Some(&(choice, a, b)) = self.choices.get(&t) {
                        let (a, b) = (self.narrow[&(a, bits)], self.narrow[&(b, bits)]);
                        if self.fills.is_behind(pool, a) || self.fills.is_behind(pool, b) {
                            self.choice(pool, made, choice, a, b);
                        }
                        let (this, that) = (pool.eq(made, a), pool.eq(made, b));
                        let ours = pool.implies(choice, this);
                        let theirs = pool.or(&[choice, that]);
                        self.definitions.insert(made, vec![ours, theirs]);
                    }
                    made
                }
            };
            self.narrow.insert((t, bits), made);
            self.width.insert(made, bits);
            stack.pop();
        }
        self.narrow[&(array, bits)]
    }

    /// The low bits of a value that is written.
    fn low(&self, pool: &mut Pool, value: TermId, bits: u8) -> TermId {
        // Sound because the two differ by a multiple of 2^w.
        let bare = match self.unsigned.get(&value) {
            Some(&(word, w)) if w >= bits => word,
            _ => value,
        };
        let width = match pool.op(bare) {
            Op::Select => self.width.get(&pool.args(bare)[0]),
            _ => None,
        };
        match width.is_some_and(|w| *w <= bits) {
            true => bare,
            false => pool.wrap(bits, false, bare),
        }
    }
}

impl Bounds {
    /// What is read of a cell, as a word of so many bits.
    pub fn cell(
        &mut self,
        pool: &mut Pool,
        read: TermId,
        bits: u8,
        signed: bool,
    ) -> Option<TermId> {
        let (Op::Select, &[array, index]) = (pool.op(read), pool.args(read)) else {
            return None;
        };
        if bits > 64 || pool.sort_of(read) != pool.int_sort() {
            return None;
        }
        let cells = Rc::clone(&self.cells);
        let narrow = cells.borrow_mut().narrow(pool, array, bits);
        let word = self.read(pool, narrow, index);
        let size = 1i128 << bits;
        if pool.op(word) == Op::Select {
            let mut cells = cells.borrow_mut();
            if !cells.links.contains_key(&word) {
                let most = pool.int(size - 1);
                let zero = pool.int(0);
                let inside = [pool.le(zero, word), pool.le(word, most)];
                cells.definitions.insert(word, inside.to_vec());
                let whole = pool.wrap(bits, false, read);
                let link = pool.eq(word, whole);
                cells.links.insert(word, link);
                let range = Interval {
                    low: 0,
                    high: size - 1,
                };
                self.ranges.borrow_mut().insert(word, range);
                self.memo.remove(&word);
            }
        }
        if !signed {
            return Some(word);
        }
        let value = self.of(pool, word);
        if !value.has_low() || !value.has_high() || value.low < 0 || value.high >= size {
            return None;
        }
        if value.high < size / 2 {
            return Some(word);
        }
        let half = pool.int(size / 2);
        let (upper, turn) = (pool.le(half, word), pool.int(-size));
        let below = pool.add2(word, turn);
        let made = pool.ite(upper, below, word);
        cells.borrow_mut().unsigned.insert(made, (word, bits));
        Some(made)
    }

    /// A number, or its low bits, in place of the sum of its own bytes.
    ///
    /// ```text
    ///   (+ (wrap.u8 x) (* 256 (wrap.u8 (div x 256)))), 0 <= x < 2^16:   x
    /// ```
    pub fn put_together(&mut self, pool: &mut Pool, sum: TermId) -> Option<TermId> {
        if pool.op(sum) != Op::Add || !(2..=MOST_BYTES).contains(&pool.args(sum).len()) {
            return None;
        }
        let count = pool.args(sum).len();
        let mut bytes = [None; MOST_BYTES];
        for part in pool.args(sum).to_vec() {
            let (factor, byte) = match (pool.op(part), pool.args(part)) {
                (Op::Mul, &[k, byte]) => (pool.as_number(k)?.to_i64()?, byte),
                _ => (1, part),
            };
            let place = (0..count).find(|&n| factor == 1i64 << (8 * n))?;
            if bytes[place].replace(byte).is_some() {
                return None;
            }
        }
        // The last one may be all that is left of the number.
        let last = bytes[count - 1]?;
        let is_rest = pool.op(last) == Op::IntDiv;
        let (Op::IntDiv, &[number, _]) = (match is_rest {
            true => (pool.op(last), pool.args(last)),
            false => {
                let &[above] = pool.args(last) else {
                    return None;
                };
                (pool.op(above), pool.args(above))
            }
        }) else {
            return None;
        };
        for (n, byte) in bytes.into_iter().enumerate().take(count) {
            let factor = pool.int(1i128 << (8 * n));
            let above = pool.int_div(number, factor);
            let expected = match is_rest && n + 1 == count {
                true => above,
                false => pool.wrap(8, false, above),
            };
            if byte? != expected {
                return None;
            }
        }
        // Sound because byte n of a number x is (x div 256^n) mod 256: the bytes below place n and 256^n * (x div
        // 256^n) add up to x, whatever x is; all bytes below it to x mod 256^n.
        if is_rest {
            return Some(number);
        }
        let bits = u8::try_from(8 * count).ok()?;
        let value = self.of(pool, number);
        let inside = value.has_low() && value.has_high() && value.low >= 0;
        match inside && value.high < 1i128 << bits {
            true => Some(number),
            false => Some(pool.wrap(bits, false, number)),
        }
    }

    /// A number in place of the sum of its bytes, and the condition that it is one of so many bytes.
    pub fn word(&mut self, pool: &mut Pool, sum: TermId) -> Option<(TermId, TermId)> {
        if pool.op(sum) != Op::Add || !(2..=MOST_BYTES).contains(&pool.args(sum).len()) {
            return None;
        }
        let count = pool.args(sum).len();
        let mut seen = [false; MOST_BYTES];
        for part in pool.args(sum).to_vec() {
            let (factor, byte) = match (pool.op(part), pool.args(part)) {
                (Op::Mul, &[k, byte]) => (pool.as_number(k)?.to_i64()?, byte),
                _ => (1, part),
            };
            let place = (0..count).find(|&n| factor == 1i64 << (8 * n))?;
            let value = self.of(pool, byte);
            let fits = value.has_low() && value.has_high() && value.low >= 0 && value.high <= 255;
            if !fits || pool.as_number(byte).is_some() || std::mem::replace(&mut seen[place], true)
            {
                return None;
            }
        }
        let cells = Rc::clone(&self.cells);
        let mut cells = cells.borrow_mut();
        let word = match cells.words.get(&sum) {
            Some(&word) => word,
            None => {
                let word = pool.fresh_constant("word", pool.int_sort());
                cells.words.insert(sum, word);
                let link = pool.eq(word, sum);
                cells.links.insert(word, link);
                word
            }
        };
        let most = (1i128 << (8 * count)) - 1;
        let (low, high) = (pool.int(0), pool.int(most));
        let (above, below) = (pool.le(low, word), pool.le(word, high));
        let inside = pool.and(&[above, below]);
        let range = Interval { low: 0, high: most };
        let known = self.of(pool, word).meet(&range);
        self.insert(word, known);
        Some((word, inside))
    }

    /// An equality with a number of which one case is left: the word of a signed cell is one of two.
    pub fn one_case(&mut self, pool: &mut Pool, choice: TermId, number: TermId) -> Option<TermId> {
        let (Op::Ite, &[c, a, b]) = (pool.op(choice), pool.args(choice)) else {
            return None;
        };
        let n = self.of(pool, number).as_single()?;
        let possible = [a, b].map(|t| self.of(pool, t).contains(n));
        match possible {
            [false, false] => Some(pool.ff()),
            [true, false] => {
                let same = pool.eq(a, number);
                Some(pool.and(&[c, same]))
            }
            [false, true] => {
                let (not, same) = (pool.not(c), pool.eq(b, number));
                Some(pool.and(&[not, same]))
            }
            [true, true] => None,
        }
    }
}
