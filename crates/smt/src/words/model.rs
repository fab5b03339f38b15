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
