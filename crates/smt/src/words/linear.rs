//! Sums of words: `a + b - a`, `4 * x` and `x << 2` have one form, and so one circuit.
//!
//! *Idea.* Paths compute the same sum in many ways: by steps, with its parts in another order, through bytes and back.
//! For the SAT core two adders are two problems. So each word that is a sum has a form `constant + sum of coefficient * atom`
//! modulo `2^n`; equal forms share the circuit that was built first. An atom goes by the first
//! term that has its bits, so what only moves bits around (masks, bytes that are put together again) is seen through.
//!
//! Sound because forms are equal modulo `2^n` to what they stand for, whatever the atoms are.

use super::{Image, Words, bits};
use crate::theory::bits::circuit::{self, Word};
use base::{Budget, FxHashMap, Stop};
use logic::word::WordOp;
use logic::{IBig, Pool, TermId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Atoms of a form; a longer sum is an atom itself.
const LONGEST: usize = 64;
/// Products of atoms in a product of sums.
const FACTORS: usize = 6;

/// `constant + sum of coefficient * atom`, coefficients from 1 to `2^n - 1`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Sum {
    terms: BTreeMap<TermId, IBig>,
    constant: IBig,
}

impl Sum {
    fn add_scaled(&self, other: &Sum, factor: &IBig, width: usize) -> Sum {
        let mask = (IBig::ONE << width) - IBig::ONE;
        let mut out = self.clone();
        out.constant = (&out.constant + &other.constant * factor) & &mask;
        for (&t, c) in &other.terms {
            let old = out.terms.remove(&t).unwrap_or_default();
            let new = (old + c * factor) & &mask;
            if new != IBig::ZERO {
                out.terms.insert(t, new);
            }
        }
        out
    }
}

/// Forms of the words that are sums, and circuits by form.
#[derive(Default)]
pub(super) struct Sums {
    of: FxHashMap<TermId, Rc<Sum>>,
    circuits: FxHashMap<(usize, Sum), Rc<Word>>,
    /// The first term with these bits.
    first: FxHashMap<Rc<Word>, TermId>,
}

impl Words {
    /// The form of a translated word.
    fn sum_of(&mut self, pool: &Pool, t: TermId) -> Rc<Sum> {
        if let Some(sum) = self.sums.of.get(&t) {
            return Rc::clone(sum);
        }
        let word = self.word(t);
        let first = *self.sums.first.entry(Rc::clone(&word)).or_insert(t);
        if let Some(sum) = self.sums.of.get(&first) {
            return Rc::clone(sum);
        }
        let mut sum = Sum::default();
        if word.iter().all(|&b| b == pool.tt() || b == pool.ff()) {
            for (k, &b) in word.iter().enumerate() {
                if b == pool.tt() {
                    sum.constant += IBig::ONE << k;
                }
            }
        } else {
            sum.terms.insert(first, IBig::ONE);
        }
        let sum = Rc::new(sum);
        self.sums.of.insert(first, Rc::clone(&sum));
        self.sums.of.insert(t, Rc::clone(&sum));
        sum
    }

    /// The form of an operator's result, and whether something cancelled; `None` if it is no short sum.
    fn combine(&mut self, pool: &mut Pool, op: WordOp, args: &[TermId]) -> Option<(Sum, bool)> {
        let a = match op {
            WordOp::Add | WordOp::Sub | WordOp::Neg | WordOp::Not | WordOp::Mul | WordOp::Shl => {
                self.sum_of(pool, args[0])
            }
            _ => return None,
        };
        let width = self.word(args[0]).len();
        let all = (IBig::ONE << width) - IBig::ONE;
        let minus = -IBig::ONE;
        let b = match args.get(1) {
            Some(&b) => self.sum_of(pool, b),
            None => Rc::default(),
        };
        let none = Sum::default();
        let sum = match op {
            WordOp::Add => a.add_scaled(&b, &IBig::ONE, width),
            WordOp::Sub => a.add_scaled(&b, &minus, width),
            WordOp::Neg => none.add_scaled(&a, &minus, width),
            WordOp::Not => {
                let ones = Sum {
                    constant: all,
                    ..Sum::default()
                };
                ones.add_scaled(&a, &minus, width)
            }
            WordOp::Mul if b.terms.is_empty() => none.add_scaled(&a, &b.constant, width),
            WordOp::Mul if a.terms.is_empty() => none.add_scaled(&b, &a.constant, width),
            WordOp::Mul => self.product(pool, &a, &b, width)?,
            WordOp::Shl if b.terms.is_empty() => {
                let places = usize::try_from(b.constant.clone()).ok();
                let factor = places
                    .filter(|k| *k < width)
                    .map_or(IBig::ZERO, |k| IBig::ONE << k);
                none.add_scaled(&a, &factor, width)
            }
            _ => return None,
        };
        let longest = a.terms.len().max(b.terms.len());
        let cancelled = sum.terms.len() < longest || sum.terms.is_empty();
        (sum.terms.len() <= LONGEST).then_some((sum, cancelled))
    }

    /// The form of a product of two sums, multiplied out, if they are short. Its atoms are products of atoms, which get a
    /// circuit only if one is asked for.
    fn product(&mut self, pool: &mut Pool, a: &Sum, b: &Sum, width: usize) -> Option<Sum> {
        if a.terms.len() * b.terms.len() > FACTORS {
            return None;
        }
        let constant = |sum: &Sum| Sum {
            constant: sum.constant.clone(),
            ..Sum::default()
        };
        let mut out = Sum::default().add_scaled(b, &a.constant, width);
        let (left, free) = (a.add_scaled(&constant(a), &-IBig::ONE, width), &b.constant);
        out = out.add_scaled(&left, free, width);
        for (&x, c) in &a.terms {
            for (&y, d) in &b.terms {
                let product = pool.word(WordOp::Mul, &[x.min(y), x.max(y)]).ok()?;
                let one = Sum {
                    terms: BTreeMap::from([(product, IBig::ONE)]),
                    ..Sum::default()
                };
                out = out.add_scaled(&one, &(c * d), width);
            }
        }
        Some(out)
    }

    /// The bits of an atom, which may be a product that has none yet.
    fn atom(&mut self, pool: &mut Pool, t: TermId, budget: &Budget) -> Result<Rc<Word>, Stop> {
        if !self.images.contains_key(&t) {
            let factors = [0, 1].map(|k| self.word(pool.args(t)[k]));
            let word = bits::apply(pool, WordOp::Mul, &factors, budget)?;
            self.images.insert(t, Image::Word(Rc::new(word)));
        }
        Ok(self.word(t))
    }

    /// The bits of a sum, if it is one: those of the same sum met before, or of its form where that is smaller.
    pub(super) fn sum(
        &mut self,
        pool: &mut Pool,
        t: TermId,
        op: WordOp,
        args: &[TermId],
        budget: &Budget,
    ) -> Result<Option<Rc<Word>>, Stop> {
        let Some((sum, cancelled)) = self.combine(pool, op, args) else {
            return Ok(None);
        };
        let width = self.word(args[0]).len();
        let key = (width, sum);
        let own = matches!(op, WordOp::Not | WordOp::Neg);
        let simple = cancelled || key.1.terms.len() == 1 && !own;
        let word = match self.sums.circuits.get(&key).cloned() {
            None if simple => Some(Rc::new(self.circuit_of(pool, &key.1, width, budget)?)),
            known => known,
        };
        self.sums.of.insert(t, Rc::new(key.1.clone()));
        if let Some(word) = &word {
            self.sums.circuits.insert(key, Rc::clone(word));
            self.sums.first.entry(Rc::clone(word)).or_insert(t);
        }
        Ok(word)
    }

    /// Remembers the bits that a sum was given.
    pub(super) fn note_sum(&mut self, t: TermId, word: &Rc<Word>) {
        if let Some(sum) = self.sums.of.get(&t) {
            let key = (word.len(), Sum::clone(sum));
            self.sums
                .circuits
                .entry(key)
                .or_insert_with(|| Rc::clone(word));
        }
    }

    /// The equality of two words that have atoms in common, by their difference.
    pub(super) fn equal_sums(
        &mut self,
        pool: &mut Pool,
        a: TermId,
        b: TermId,
        budget: &Budget,
    ) -> Result<Option<TermId>, Stop> {
        let width = self.word(a).len();
        let (x, y) = (self.sum_of(pool, a), self.sum_of(pool, b));
        let difference = x.add_scaled(&y, &-IBig::ONE, width);
        if difference.terms.is_empty() {
            return Ok(Some(pool.bool_const(difference.constant == IBig::ZERO)));
        }
        if difference.terms.len() >= x.terms.len().max(y.terms.len()) {
            return Ok(None);
        }
        let word = self.circuit_of(pool, &difference, width, budget)?;
        let zero = vec![pool.ff(); width];
        Ok(Some(circuit::equal(pool, &word, &zero)))
    }

    /// The circuit of a form.
    fn circuit_of(
        &mut self,
        pool: &mut Pool,
        sum: &Sum,
        width: usize,
        budget: &Budget,
    ) -> Result<Word, Stop> {
        let half = IBig::ONE << (width - 1);
        let none = pool.ff();
        let mut total: Word = (0..width)
            .map(|k| pool.bool_const((&sum.constant >> k) & IBig::ONE == IBig::ONE))
            .collect();
        let (most, least): (Vec<_>, Vec<_>) = sum.terms.iter().partition(|(_, c)| **c < half);
        for (&t, c) in most {
            let word = self.atom(pool, t, budget)?;
            let scaled = circuit::scale(pool, &word, c, width);
            total = circuit::add(pool, &total, &scaled, none, width);
        }
        for (&t, c) in least {
            let factor = (IBig::ONE << width) - c;
            let word = self.atom(pool, t, budget)?;
            let scaled = circuit::scale(pool, &word, &factor, width);
            total = circuit::subtract(pool, &total, &scaled, width);
        }
        Ok(total)
    }

    /// The image of a word after it was translated: sums remember it.
    pub(super) fn noted(&mut self, t: TermId, word: Word) -> Image {
        let word = Rc::new(word);
        self.sums.first.entry(Rc::clone(&word)).or_insert(t);
        self.note_sum(t, &word);
        Image::Word(word)
    }
}
