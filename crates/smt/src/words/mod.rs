//! Scripts over bit-vectors and floats as formulas that the solver knows: the translation, eager and bit by bit.
//!
//! A term of a word sort becomes a list of Bool terms, least significant first. A constant `x` has a
//! Bool constant for each bit; operators are circuits (`bits.rs`, `float.rs`), equalities and comparisons of words
//! are formulas over them. So a script without arrays and functions becomes a problem of the SAT core alone.
//!
//! An array or function keeps its symbol, and what it is applied to gets a *name*: a term of the same word sort that
//! congruence closure treats as an element (`theory/words.rs`). A *link* says that the bits of a name are those of
//! the word. Links are definitions and hold wherever the term occurs; [`Words::translate`] adds them.
//!
//! Invariants: a float that is not a number has the bits of one quiet NaN, so that equality is equality of bits. What
//! the standard leaves open (which zero `fp.min` gives, integers of floats out of range) is open here:
//! constants that nobody else has, the same for the same arguments.

mod bits;
mod float;
mod interpolate;
mod lift;
mod linear;
mod model;
#[cfg(test)]
mod random;
mod solve;
#[cfg(test)]
mod tests;

use crate::theory::bits::circuit::{self, Word};
use crate::theory::words::bit;
use crate::ticks;
use base::{Budget, FxHashMap, Stop};
use logic::word::{FpOp, Shape, WordOp};
use logic::{IBig, Op, Pool, SymbolId, TermId};
use std::rc::Rc;

pub use solve::{Solved, solve};

/// What a term becomes.
#[derive(Clone)]
enum Image {
    /// A formula, a number, an array …
    Term(TermId),
    Word(Rc<Word>),
}

/// The translation of one script, with all it has translated so far.
#[derive(Default)]
pub struct Words {
    images: FxHashMap<TermId, Image>,
    /// Words that are arguments or elements, and the terms they are to congruence closure.
    names: FxHashMap<TermId, TermId>,
    /// What holds of a term wherever it occurs.
    links: FxHashMap<TermId, TermId>,
    /// The constants of word sorts, oldest first.
    constants: Vec<TermId>,
    /// The way back: bits of constants, and names that were made up.
    bit_of: FxHashMap<TermId, (TermId, usize)>,
    source_of: FxHashMap<TermId, TermId>,
    /// Conversions to integers.
    open: Vec<Conversion>,
    /// Words that are sums.
    sums: linear::Sums,
}

/// A conversion of a float to an integer, and the bits of what it gives out of range.
struct Conversion {
    kind: (FpOp, Shape),
    arguments: [Rc<Word>; 2],
    result: Word,
}

impl Words {
    pub fn new() -> Self {
        Self::default()
    }

    /// The formula without words, with the links of its terms.
    pub fn translate(
        &mut self,
        pool: &mut Pool,
        t: TermId,
        budget: &Budget,
    ) -> Result<TermId, Stop> {
        if !pool.has_words() {
            return Ok(t);
        }
        self.walk(pool, t, budget)?;
        let Image::Term(image) = self.images[&t] else {
            return Ok(t);
        };
        if self.links.is_empty() {
            return Ok(image);
        }
        let mut parts = vec![image];
        for s in pool.post_order(&[t]) {
            parts.extend(self.links.get(&s));
        }
        Ok(pool.and(&parts))
    }

    /// The bits of a term of a word sort.
    fn bits(&mut self, pool: &mut Pool, t: TermId, budget: &Budget) -> Result<Rc<Word>, Stop> {
        self.walk(pool, t, budget)?;
        Ok(self.word(t))
    }

    /// Translates a term and all below it, arguments first.
    fn walk(&mut self, pool: &mut Pool, root: TermId, budget: &Budget) -> Result<(), Stop> {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.images.contains_key(&t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let missing = |a: &&TermId| !self.images.contains_key(*a);
            stack.extend(pool.args(t).iter().filter(missing));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let count = pool.term_count();
            let image = self.image(pool, t, budget)?;
            budget.spend((1 + pool.term_count() - count) as u64 * ticks::TERM)?;
            self.images.insert(t, image);
        }
        Ok(())
    }

    fn word(&self, t: TermId) -> Rc<Word> {
        match &self.images[&t] {
            Image::Word(w) => Rc::clone(w),
            Image::Term(_) => unreachable!("terms of word sorts have words"),
        }
    }

    fn image(&mut self, pool: &mut Pool, t: TermId, budget: &Budget) -> Result<Image, Stop> {
        let shape = pool.shape(pool.sort_of(t));
        let args = pool.args(t).to_vec();
        if let Some(op) = pool.word_operation(t) {
            if let WordOp::Float(FpOp::FromReal(e, s)) = op {
                let mode = self.word(args[0]);
                let value = pool.as_number(args[1]).cloned().unwrap_or_default();
                let word = float::from_real(pool, &mode, &value, (e, s));
                return Ok(Image::Word(Rc::new(word)));
            }
            if let Some(word) = self.sum(pool, t, op, &args, budget)? {
                return Ok(Image::Word(word));
            }
            let words: Vec<Rc<Word>> = args.iter().map(|&a| self.word(a)).collect();
            let word = match op {
                WordOp::Float(op) => self.float(pool, t, op, &args, &words, budget)?,
                op => bits::apply(pool, op, &words, budget)?,
            };
            return Ok(match shape {
                Some(_) => self.noted(t, word),
                None => Image::Term(word[0]),
            });
        }
        Ok(match (pool.op(t), shape) {
            (Op::Num(n), Some(shape)) => {
                let value = pool.number(n).to_integer().unwrap_or_default();
                Image::Word(Rc::new(constant(pool, &value, shape.width())))
            }
            (Op::App(s), Some(shape)) if args.is_empty() => {
                let word = self.constant_bits(pool, t, s, shape);
                Image::Word(Rc::new(word))
            }
            (Op::Ite, Some(_)) => {
                let Image::Term(c) = self.images[&args[0]] else {
                    unreachable!("conditions are formulas")
                };
                let (a, b) = (self.word(args[1]), self.word(args[2]));
                Image::Word(Rc::new(circuit::choose(pool, c, &a, &b)))
            }
            (Op::Eq, _) if pool.shape(pool.sort_of(args[0])).is_some() => {
                let same = self.equal_sums(pool, args[0], args[1], budget)?;
                let (a, b) = (self.word(args[0]), self.word(args[1]));
                Image::Term(same.unwrap_or_else(|| circuit::equal(pool, &a, &b)))
            }
            _ => {
                let mut list = Vec::with_capacity(args.len());
                for &a in &args {
                    list.push(self.name(pool, a));
                }
                let image = match list == args {
                    true => t,
                    false => pool.rebuild(t, &list),
                };
                match shape {
                    None => Image::Term(image),
                    Some(shape) => self.element(pool, t, image, shape),
                }
            }
        })
    }

    /// The Bool constants of a word constant.
    fn constant_bits(&mut self, pool: &mut Pool, t: TermId, s: SymbolId, shape: Shape) -> Word {
        let word = self.raw_bits(pool, s, shape);
        for (k, &b) in word.iter().enumerate() {
            self.bit_of.insert(b, (t, k));
        }
        self.constants.push(t);
        canonical(pool, shape, word)
    }

    fn raw_bits(&self, pool: &mut Pool, s: SymbolId, shape: Shape) -> Word {
        let name = pool.symbol_data(s).name.clone();
        let sort = pool.bool_sort();
        // Names that no text can write.
        (0..shape.width())
            .map(|k| pool.constant(&format!("|{k} {name}"), sort))
            .collect()
    }

    /// The word of a read or an application, a term of congruence closure (or, simplified, something else).
    fn element(&mut self, pool: &mut Pool, t: TermId, image: TermId, shape: Shape) -> Image {
        let known = self.source_of.get(&image).copied().unwrap_or(image);
        if let Some(word) = self.images.get(&known) {
            // A read of what was just written is that.
            return word.clone();
        }
        let raw: Word = (0..shape.width()).map(|k| bit(pool, image, k)).collect();
        let word = canonical(pool, shape, raw.clone());
        self.names.insert(t, image);
        if word != raw {
            let same = circuit::equal(pool, &word, &raw);
            self.links.insert(t, same);
        }
        if image != t {
            self.source_of.insert(image, t);
        }
        Image::Word(Rc::new(word))
    }

    /// The term that an argument is: its image, or the name of a word.
    fn name(&mut self, pool: &mut Pool, t: TermId) -> TermId {
        let word = match &self.images[&t] {
            Image::Term(image) => return *image,
            Image::Word(w) => Rc::clone(w),
        };
        if let Some(&name) = self.names.get(&t) {
            return name;
        }
        let sort = pool.sort_of(t);
        let plain = pool.as_number(t).is_some() || pool.as_constant(t).is_some();
        let name = match plain {
            true => t,
            false => pool.fresh_constant("|word", sort),
        };
        let mut parts = Vec::new();
        for (k, &b) in word.iter().enumerate() {
            let own = bit(pool, name, k);
            parts.push(pool.eq(own, b));
        }
        let link = pool.and(&parts);
        self.links.insert(t, link);
        self.names.insert(t, name);
        if name != t {
            self.source_of.insert(name, t);
        }
        name
    }
}

/// The low bits of a number that is not negative.
fn constant(pool: &Pool, value: &IBig, width: usize) -> Word {
    (0..width)
        .map(|k| pool.bool_const((value >> k) & IBig::ONE == IBig::ONE))
        .collect()
}

/// The bits of a value of the sort, whatever bits are given.
fn canonical(pool: &mut Pool, shape: Shape, word: Word) -> Word {
    match shape {
        Shape::Bits(_) => word,
        Shape::Rounding => {
            let small = pool.not(word[2]);
            let low = [0, 1].map(|k| pool.and2(word[k], small));
            vec![low[0], low[1], word[2]]
        }
        Shape::Float(e, s) => float::canonical(pool, (e, s), word),
    }
}
