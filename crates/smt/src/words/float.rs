//! Circuits of SMT-LIB's operators on floats, on patterns whose only NaN is the quiet one.

use super::{Conversion, Words, constant};
use crate::theory::bits::circuit::{self, Word, choose};
use crate::theory::bits::float::{self, Format, Mode, Packed, Unpacked, quiet_nan, unpack};
use crate::ticks;
use base::{Budget, Stop};
use logic::word::{FpOp, Shape};
use logic::{IBig, Pool, Rational, TermId};
use std::rc::Rc;

fn format((e, s): (u32, u32)) -> Format {
    Format {
        exponent: e as usize,
        significand: s as usize,
        explicit: false,
    }
}

/// The pattern with its NaN made the quiet one.
pub(super) fn canonical(pool: &mut Pool, (e, s): (u32, u32), word: Word) -> Word {
    let (fraction, exponent) = word[..(e + s - 1) as usize].split_at(s as usize - 1);
    let full = pool.and(exponent);
    let some = pool.or(fraction);
    let nan = pool.and2(full, some);
    let quiet = quiet_nan(pool, format((e, s)));
    choose(pool, nan, &quiet, &word)
}

fn packed(pool: &mut Pool, format: Format, result: Packed) -> Word {
    let quiet = quiet_nan(pool, format);
    choose(pool, result.nan, &quiet, &result.bits)
}

/// Which rounding mode a word is.
fn mode(pool: &mut Pool, word: &[TermId]) -> Mode {
    let mut is = |k: i64| {
        let number = constant(pool, &IBig::from(k), 3);
        circuit::equal(pool, word, &number)
    };
    Mode {
        even: is(0),
        away: is(1),
        up: is(2),
        down: is(3),
        zero: is(4),
    }
}

/// The float nearest to a number, as the mode says.
pub(super) fn from_real(
    pool: &mut Pool,
    rounding: &[TermId],
    value: &Rational,
    (e, s): (u32, u32),
) -> Word {
    let format = format((e, s));
    let mode = mode(pool, rounding);
    let (top, bottom) = (value.abs().numerator(), value.denominator());
    // Enough digits for the format and two more, then whether anything is left.
    let length = |n: &IBig| circuit::signed_width(n) as i64;
    let wanted = i64::from(s) + 4;
    let shift = (wanted - (length(&top) - length(&bottom))).max(0);
    let scaled = top << shift as usize;
    let (digits, rest) = (&scaled / &bottom, &scaled % &bottom);
    let (digits, exponent) = match rest == IBig::ZERO {
        true => (digits, -shift),
        false => ((digits << 1usize) | IBig::ONE, -shift - 1),
    };
    float::from_digits(
        pool,
        &mode,
        value.is_negative(),
        (&digits, exponent),
        format,
    )
}

impl Words {
    /// The bits of an operator on floats; a predicate is a single one.
    pub(super) fn float(
        &mut self,
        pool: &mut Pool,
        t: TermId,
        op: FpOp,
        args: &[TermId],
        words: &[Rc<Word>],
        budget: &Budget,
    ) -> Result<Word, Stop> {
        use FpOp::*;
        let shape_of = |pool: &Pool, t: TermId| pool.shape(pool.sort_of(t));
        let own = match shape_of(pool, t) {
            Some(Shape::Float(e, s)) => Some((e, s)),
            _ => None,
        };
        let last = words.len() - 1;
        let of_last = match shape_of(pool, args[last]) {
            Some(Shape::Float(e, s)) => format((e, s)),
            _ => format(own.unwrap_or((8, 24))),
        };
        let a: &Word = &words[last];
        Ok(match op {
            Make => words
                .iter()
                .rev()
                .flat_map(|w| w.iter())
                .copied()
                .collect::<Word>(),
            FromBits(..) | ToBits => a.clone(),
            Abs | Neg => {
                let mut bits = a.clone();
                let sign = bits.len() - 1;
                bits[sign] = match op {
                    Abs => pool.ff(),
                    _ => pool.not(bits[sign]),
                };
                bits
            }
            Le | Lt | Eq | Min | Max => return Ok(self.compare(pool, op, of_last, words)),
            IsNormal | IsSubnormal | IsZero | IsInfinite | IsNan | IsNegative | IsPositive => {
                return Ok(vec![class(pool, op, of_last, a)]);
            }
            ToUnsigned(_) | ToSigned(_) => {
                return Ok(self.integer(pool, t, op, args, words));
            }
            FromSigned(..) | FromUnsigned(..) => {
                let mode = mode(pool, &words[0]);
                let mut number = a.clone();
                if let FromUnsigned(..) = op {
                    number.push(pool.ff());
                }
                float::from_integer(pool, &mode, &number, of_last)
            }
            FromFloat(e, s) => {
                let mode = mode(pool, &words[0]);
                let x = unpack(pool, of_last, a);
                let to = format((e, s));
                let result = float::to_format(pool, &mode, &x, to);
                packed(pool, to, result)
            }
            // A step for each difference of exponents: too many for quadruple precision.
            Rem if of_last.exponent > 11 => return Err(Stop::Memory),
            Rem => {
                let (x, y) = (unpack(pool, of_last, &words[0]), unpack(pool, of_last, a));
                let mut before = pool.term_count();
                let mut stop = None;
                let result = float::remainder(pool, &x, &y, &words[0], true, &mut |pool| {
                    let now = pool.term_count();
                    stop = budget.spend((now - before) as u64 * ticks::TERM).err();
                    before = now;
                    stop.is_none()
                });
                match (result, stop) {
                    (Some(result), _) => packed(pool, of_last, result),
                    (None, stop) => return Err(stop.unwrap_or(Stop::Work)),
                }
            }
            Add | Sub | Mul | Div | Fma | Sqrt | Integral => {
                let mode = mode(pool, &words[0]);
                let mut x: Vec<Unpacked> = Vec::new();
                for w in &words[1..] {
                    x.push(unpack(pool, of_last, w));
                }
                if op == Sub {
                    x[1].sign = pool.not(x[1].sign);
                }
                let result = match op {
                    Add | Sub => float::add(pool, &mode, &x[0], &x[1]),
                    Mul => float::multiply(pool, &mode, &x[0], &x[1]),
                    Div => float::divide(pool, &mode, &x[0], &x[1]),
                    Fma => float::fused(pool, &mode, &x[0], &x[1], &x[2]),
                    Sqrt => float::sqrt(pool, &mode, &x[0]),
                    _ => float::integral(pool, &mode, &x[0], a),
                };
                packed(pool, of_last, result)
            }
            FromReal(..) => unreachable!("a real number has no bits"),
        })
        .map(|word| match (op, own) {
            (Make | FromBits(..) | Neg | Abs, Some(of)) => canonical(pool, of, word),
            _ => word,
        })
    }

    /// Comparisons, and the smaller or greater of two. Which zero `fp.min` gives of two is not said: a constant.
    fn compare(&mut self, pool: &mut Pool, op: FpOp, format: Format, words: &[Rc<Word>]) -> Word {
        let (a, b): (&Word, &Word) = (&words[0], &words[1]);
        let n = a.len() - 1;
        let nans = [a, b].map(|w| class(pool, FpOp::IsNan, format, w));
        let zeros = [a, b].map(|w| class(pool, FpOp::IsZero, format, w));
        let numbers = {
            let some = pool.or(&nans);
            pool.not(some)
        };
        let both_zero = pool.and(&zeros);
        let equal = circuit::equal(pool, a, b);
        let same = pool.or2(both_zero, equal);
        // Of patterns with one sign the magnitudes decide, turned round for negative numbers.
        let mut less = pool.ff();
        for k in 0..n {
            let alike = pool.eq(a[k], b[k]);
            less = pool.ite(alike, less, b[k]);
        }
        let signs = pool.eq(a[n], b[n]);
        let turned = pool.xor(less, a[n]);
        let below = pool.ite(signs, turned, a[n]);
        let differ = pool.not(same);
        let less = pool.and(&[numbers, below, differ]);
        match op {
            FpOp::Lt => vec![less],
            FpOp::Eq => vec![pool.and2(numbers, same)],
            FpOp::Le => {
                let same = pool.and2(numbers, same);
                vec![pool.or2(less, same)]
            }
            _ => {
                let first = match op {
                    FpOp::Min => less,
                    _ => {
                        let above = pool.not(below);
                        pool.and2(above, differ)
                    }
                };
                let first = pool.or2(first, nans[1]);
                let chosen = choose(pool, first, a, b);
                let chosen = choose(pool, nans[0], b, &chosen);
                let sort = pool.bool_sort();
                let name = format!("|{op:?} {} {}", format.exponent, format.significand);
                let open = [" -+", " +-"].map(|k| pool.constant(&format!("{name}{k}"), sort));
                let open = pool.ite(a[n], open[0], open[1]);
                let unlike = pool.xor(a[n], b[n]);
                let unlike = pool.and2(both_zero, unlike);
                let mut zero = vec![pool.ff(); n];
                zero.push(open);
                choose(pool, unlike, &zero, &chosen)
            }
        }
    }

    /// The integer that the mode says; out of range any, but the same for the same arguments.
    fn integer(
        &mut self,
        pool: &mut Pool,
        t: TermId,
        op: FpOp,
        args: &[TermId],
        words: &[Rc<Word>],
    ) -> Word {
        let Some(shape @ Shape::Float(e, s)) = pool.shape(pool.sort_of(args[1])) else {
            unreachable!("a float is converted")
        };
        let format = format((e, s));
        let rounding = mode(pool, &words[0]);
        let x = unpack(pool, format, &words[1]);
        // The integer beside the largest number of a format with few exponents may be none of the format.
        let format = match 1 << (format.exponent - 1) <= format.significand {
            true => Format {
                exponent: format.exponent + 1,
                ..format
            },
            false => format,
        };
        let wide = match format.exponent == e as usize {
            true => words[1].to_vec(),
            false => float::to_format(pool, &rounding, &x, format).bits,
        };
        let nan = x.nan;
        let x = Unpacked {
            nan,
            ..unpack(pool, format, &wide)
        };
        let whole = float::integral(pool, &rounding, &x, &wide);
        let x = Unpacked {
            nan,
            ..unpack(pool, format, &whole.bits)
        };
        let (n, signed) = match op {
            FpOp::ToSigned(n) => (n as usize, true),
            FpOp::ToUnsigned(n) => (n as usize + 1, false),
            _ => unreachable!("the operators that give integers"),
        };
        let (mut number, mut within) = float::to_integer(pool, &x, n);
        if !signed {
            let sign = number.pop().expect("a number has a sign");
            let positive = pool.not(sign);
            within = pool.and2(within, positive);
        }
        let sort = pool.bool_sort();
        let other: Word = (0..number.len())
            .map(|_| pool.fresh_constant("|out", sort))
            .collect();
        let mut links = Vec::new();
        for earlier in &self.open {
            let Conversion {
                kind,
                arguments: [m, y],
                result: known,
            } = earlier;
            if *kind == (op, shape) {
                let same = [
                    circuit::equal(pool, m, &words[0]),
                    circuit::equal(pool, y, &words[1]),
                ];
                let same = pool.and(&same);
                let agree = circuit::equal(pool, known, &other);
                links.push(pool.implies(same, agree));
            }
        }
        if !links.is_empty() {
            let link = pool.and(&links);
            self.links.insert(t, link);
        }
        let arguments = [Rc::clone(&words[0]), Rc::clone(&words[1])];
        self.open.push(Conversion {
            kind: (op, shape),
            arguments,
            result: other.clone(),
        });
        choose(pool, within, &number, &other)
    }
}

/// Whether a pattern is a number of a kind.
fn class(pool: &mut Pool, op: FpOp, format: Format, bits: &[TermId]) -> TermId {
    let sign = bits.len() - 1;
    let (fraction, exponent) = bits[..sign].split_at(format.significand - 1);
    let full = pool.and(exponent);
    let any = pool.or(exponent);
    let empty = pool.not(any);
    let part = pool.or(fraction);
    let whole = pool.not(part);
    let number = |pool: &mut Pool| {
        let nan = pool.and2(full, part);
        pool.not(nan)
    };
    match op {
        FpOp::IsNan => pool.and2(full, part),
        FpOp::IsInfinite => pool.and2(full, whole),
        FpOp::IsZero => pool.and2(empty, whole),
        FpOp::IsSubnormal => pool.and2(empty, part),
        FpOp::IsNormal => {
            let below = pool.not(full);
            pool.and2(any, below)
        }
        FpOp::IsNegative => {
            let number = number(pool);
            pool.and2(number, bits[sign])
        }
        _ => {
            let (number, positive) = (number(pool), pool.not(bits[sign]));
            pool.and2(number, positive)
        }
    }
}
