//! Operations on floats: how a result compares with its operands, for all values of them.
//!
//! Rounding is monotone and leaves numbers of the format alone, so what holds for the real result and an operand
//! holds for the float: `a * b <= a` for `0 <= b <= 1 <= a`. All in terms of the key that orders numbers.

use super::build::{at_least, at_most, when};
use logic::float::{Arithmetic, FloatOp, Rounding, Width};
use logic::{IBig, Pool, Rational, TermId};

/// An operand: its term, its key and what says that it is finite.
struct Operand {
    key: TermId,
    finite: [TermId; 4],
}

struct Relations<'p> {
    pool: &'p mut Pool,
    result: TermId,
    zero: TermId,
    one: TermId,
    minus_one: TermId,
    infinity: Rational,
    out: Vec<TermId>,
}

/// Valid comparisons of a result with its operands.
pub fn relations(pool: &mut Pool, t: TermId, op: FloatOp) -> Vec<TermId> {
    let width = op.width();
    let kind = match op {
        FloatOp::Arithmetic(Arithmetic::Rem, _) => return Vec::new(),
        FloatOp::Arithmetic(..) | FloatOp::Sqrt(_) | FloatOp::Round(..) => op,
        _ => return Vec::new(),
    };
    if width == Width::W80 {
        return Vec::new();
    }
    let big = |n: u128| Rational::from(IBig::from(n));
    let infinity = big(width.infinity());
    let one = &big(1 << width.low()) * &exponent_of_one(width);
    let all = big((width.sign() - 1) | width.sign());
    let args = pool.args(t).to_vec();
    let mut operands = Vec::new();
    for a in args {
        let key = pool.float_key(width, a);
        let inner = &infinity - &Rational::ONE;
        let finite = [
            at_least(pool, a, &Rational::ZERO),
            at_most(pool, a, &all),
            at_least(pool, key, &-&inner),
            at_most(pool, key, &inner),
        ];
        operands.push(Operand { key, finite });
    }
    let result = pool.float_key(width, t);
    let int = pool.int_sort();
    let mut relations = Relations {
        result,
        zero: pool.int(0),
        one: pool.num(one.clone(), int),
        minus_one: pool.num(-&one, int),
        infinity,
        out: Vec::new(),
        pool,
    };
    match (kind, &operands[..]) {
        (FloatOp::Arithmetic(Arithmetic::Add, _), [a, b]) => {
            relations.shift(a, b, false);
            relations.shift(b, a, false);
        }
        (FloatOp::Arithmetic(Arithmetic::Sub, _), [a, b]) => {
            relations.shift(a, b, true);
            relations.difference(a, b);
        }
        (FloatOp::Arithmetic(Arithmetic::Mul, _), [a, b]) => {
            relations.scaled(a, b, false);
            relations.scaled(b, a, false);
        }
        (FloatOp::Arithmetic(_, _), [a, b]) => {
            relations.scaled(a, b, true);
            relations.ratio(a, b);
        }
        (FloatOp::Sqrt(_), [a]) => relations.root(a),
        (FloatOp::Round(how, _), [a]) => relations.rounded(a, how),
        _ => {}
    }
    relations.out
}

/// The exponent field of one.
fn exponent_of_one(width: Width) -> Rational {
    let field = width.infinity() >> width.low();
    Rational::from(IBig::from(field >> 1))
}

impl Relations<'_> {
    fn le(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.le(a, b)
    }

    /// `guards`, with all operands finite, give `low <= result <= high`, and a number at least.
    fn note(
        &mut self,
        operands: &[&Operand],
        guards: &[TermId],
        low: Option<TermId>,
        high: Option<TermId>,
    ) {
        let mut all: Vec<TermId> = operands.iter().flat_map(|o| o.finite).collect();
        all.extend(guards);
        let result = self.result;
        let low = match low {
            Some(low) => self.le(low, result),
            None => at_least(self.pool, result, &-&self.infinity),
        };
        let high = match high {
            Some(high) => self.le(result, high),
            None => at_most(self.pool, result, &self.infinity),
        };
        let fact = self.pool.and2(low, high);
        self.out.push(when(self.pool, &all, fact));
    }

    /// `a + b` and `a - b`: the sign of `b` says on which side of `a` it lies.
    fn shift(&mut self, a: &Operand, b: &Operand, minus: bool) {
        let zero = self.zero;
        let (up, down) = (self.le(zero, b.key), self.le(b.key, zero));
        let (up, down) = if minus { (down, up) } else { (up, down) };
        self.note(&[a, b], &[up], Some(a.key), None);
        self.note(&[a, b], &[down], None, Some(a.key));
    }

    /// `a - b` has the sign of the comparison: what differs differs by a number.
    fn difference(&mut self, a: &Operand, b: &Operand) {
        let zero = self.zero;
        let (le, ge) = (self.le(a.key, b.key), self.le(b.key, a.key));
        self.note(&[a, b], &[le], None, Some(zero));
        self.note(&[a, b], &[ge], Some(zero), None);
        let (lt, gt) = (self.pool.not(ge), self.pool.not(le));
        let one = self.pool.int(1);
        let minus_one = self.pool.int(-1);
        self.note(&[a, b], &[lt], None, Some(minus_one));
        self.note(&[a, b], &[gt], Some(one), None);
    }

    /// `a * b` and `a / b` against `a`, by the size of `b`.
    fn scaled(&mut self, a: &Operand, b: &Operand, quotient: bool) {
        let (zero, one, minus_one) = (self.zero, self.one, self.minus_one);
        let minus_a = self.pool.neg(a.key);
        let (a_pos, a_neg) = (self.le(zero, a.key), self.le(a.key, zero));
        for negative in [false, true] {
            let (inside, beyond) = match negative {
                false => (self.le(b.key, one), self.le(one, b.key)),
                true => (self.le(minus_one, b.key), self.le(b.key, minus_one)),
            };
            let side = match (negative, quotient) {
                (false, false) => self.le(zero, b.key),
                (true, false) => self.le(b.key, zero),
                // Not by zero.
                (false, true) => self.pool.lt(zero, b.key),
                (true, true) => self.pool.lt(b.key, zero),
            };
            let (less, more) = if quotient {
                (beyond, inside)
            } else {
                (inside, beyond)
            };
            let image = if negative { minus_a } else { a.key };
            for (sign, positive) in [(a_pos, !negative), (a_neg, negative)] {
                // The result has the sign of the image.
                let ends = match positive {
                    true => (Some(zero), Some(image), None),
                    false => (Some(image), Some(zero), None),
                };
                let guards = [side, less, sign];
                self.note(&[a, b], &guards, ends.0, ends.1);
                let guards = [side, more, sign];
                match positive {
                    true => self.note(&[a, b], &guards, Some(image), ends.2),
                    false => self.note(&[a, b], &guards, ends.2, Some(image)),
                }
            }
        }
    }

    /// `a / b` against one, for positive operands.
    fn ratio(&mut self, a: &Operand, b: &Operand) {
        let (zero, one) = (self.zero, self.one);
        let (a_pos, b_pos) = (self.le(zero, a.key), self.pool.lt(zero, b.key));
        let (le, ge) = (self.le(a.key, b.key), self.le(b.key, a.key));
        self.note(&[a, b], &[a_pos, b_pos, le], Some(zero), Some(one));
        self.note(&[a, b], &[a_pos, b_pos, ge], Some(one), None);
    }

    fn root(&mut self, a: &Operand) {
        let (zero, one) = (self.zero, self.one);
        let (big, small) = (self.le(one, a.key), self.le(a.key, one));
        let positive = self.le(zero, a.key);
        self.note(&[a], &[big], Some(one), Some(a.key));
        self.note(&[a], &[positive, small], Some(a.key), Some(one));
    }

    fn rounded(&mut self, a: &Operand, how: Rounding) {
        let zero = self.zero;
        let (positive, negative) = (self.le(zero, a.key), self.le(a.key, zero));
        match how {
            Rounding::Down => self.note(&[a], &[], None, Some(a.key)),
            Rounding::Up => self.note(&[a], &[], Some(a.key), None),
            Rounding::Zero => {
                self.note(&[a], &[positive], Some(zero), Some(a.key));
                self.note(&[a], &[negative], Some(a.key), Some(zero));
            }
            Rounding::Away | Rounding::Even => {
                self.note(&[a], &[positive], Some(zero), None);
                self.note(&[a], &[negative], None, Some(zero));
            }
        }
    }
}
