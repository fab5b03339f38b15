//! Values of words in a model of the translation.

use super::Words;
use base::{Budget, Stop};
use logic::{IBig, Memo, Model, Pool, Rational, TermId, Value};

impl Words {
    /// Gives the constants of word sorts the values that their bits have.
    pub fn complete(&self, pool: &Pool, model: &mut Model) {
        let mut memo = Memo::new();
        let mut values = Vec::new();
        for &x in &self.constants {
            let number = number(pool, model, &mut memo, &self.word(x));
            values.extend(pool.as_constant(x).map(|s| (s, number)));
        }
        for (s, number) in values {
            model.constants.insert(s, Value::Num(number));
        }
    }

    /// Gives constants that equations defined the values of their terms, in a model and in that of the translation.
    pub fn complete_solved(
        &mut self,
        pool: &mut Pool,
        model: &mut Model,
        bits: &mut Model,
        order: &[(TermId, TermId)],
        budget: &Budget,
    ) -> Result<(), Stop> {
        for &(x, t) in order {
            let value = self.value(pool, bits, t, budget)?;
            let Some(symbol) = pool.as_constant(x) else {
                continue;
            };
            if let (Some(shape), Some(n)) = (pool.shape(pool.sort_of(x)), value.as_num()) {
                let n = n.to_integer().unwrap_or_default();
                let raw = self.raw_bits(pool, symbol, shape);
                for (k, b) in raw.into_iter().enumerate() {
                    let set = (&n >> k) & IBig::ONE == IBig::ONE;
                    let own = pool.as_constant(b);
                    bits.constants.extend(own.map(|s| (s, Value::Bool(set))));
                }
            } else {
                bits.constants.insert(symbol, value.clone());
            }
            model.constants.insert(symbol, value);
        }
        // Constants that only the terms of others have.
        self.complete(pool, model);
        Ok(())
    }

    /// The value of a term in a model of the translation.
    pub fn value(
        &mut self,
        pool: &mut Pool,
        model: &Model,
        t: TermId,
        budget: &Budget,
    ) -> Result<Value, Stop> {
        let mut memo = Memo::new();
        if pool.shape(pool.sort_of(t)).is_some() {
            let word = self.bits(pool, t, budget)?;
            return Ok(Value::Num(number(pool, model, &mut memo, &word)));
        }
        self.walk(pool, t, budget)?;
        Ok(match self.images[&t] {
            super::Image::Term(image) => memo.eval(pool, model, image),
            super::Image::Word(_) => unreachable!("the sort is no word sort"),
        })
    }
}

fn number(pool: &Pool, model: &Model, memo: &mut Memo, word: &[TermId]) -> Rational {
    let mut sum = IBig::ZERO;
    for (k, &b) in word.iter().enumerate() {
        if memo.holds(pool, model, b) {
            sum += IBig::ONE << k;
        }
    }
    Rational::from(sum)
}
