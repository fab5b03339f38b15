//! IEEE 754 operations on bit patterns: what the functions named `fp.*` mean.
//!
//! A float is the unsigned integer of its bits. `fp.add.64` and its like are symbols of the pool whose
//! meaning is fixed: evaluation and constructors compute them here, exactly, in the default rounding
//! mode (to nearest, ties to even). The solver has lemmas and circuits for them.

mod order;
pub mod pattern;

use crate::{IBig, Op, Pool, Rational, SortId, SymbolId, TermId, Value};
pub use pattern::{Arithmetic, Rounding, Width};
use std::cmp::Ordering;

/// A float operation; its name in the logic is [`FloatOp::name`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatOp {
    Arithmetic(Arithmetic, Width),
    Neg(Width),
    Sqrt(Width),
    Round(Rounding, Width),
    Lt(Width),
    Le(Width),
    Eq(Width),
    /// Nearest float of an integer.
    FromInt(Width),
    /// Truncation towards zero; 0 for NaN and infinities (undefined in C).
    ToInt(Width),
    /// From one width to the other.
    Convert(Width, Width),
    /// The number nearest to `m * 10^e`.
    Decimal(Width),
}

use FloatOp::*;

/// A name and the operation it stands for in each width.
type Row = (&'static str, fn(Width) -> FloatOp);

/// The operations of one width by name: `fp.add.64`.
const NAMES: [Row; 17] = [
    ("add", |w| Arithmetic(Arithmetic::Add, w)),
    ("sub", |w| Arithmetic(Arithmetic::Sub, w)),
    ("mul", |w| Arithmetic(Arithmetic::Mul, w)),
    ("div", |w| Arithmetic(Arithmetic::Div, w)),
    ("rem", |w| Arithmetic(Arithmetic::Rem, w)),
    ("neg", Neg),
    ("sqrt", Sqrt),
    ("floor", |w| Round(Rounding::Down, w)),
    ("ceil", |w| Round(Rounding::Up, w)),
    ("trunc", |w| Round(Rounding::Zero, w)),
    ("round", |w| Round(Rounding::Away, w)),
    ("lt", Lt),
    ("le", Le),
    ("eq", Eq),
    ("from_int", FromInt),
    ("to_int", ToInt),
    ("decimal", Decimal),
];

/// The float operation at the root of a term.
pub fn operation(pool: &Pool, t: TermId) -> Option<FloatOp> {
    match pool.op(t) {
        Op::App(s) => pool.float_op(s),
        _ => None,
    }
}

impl Pool {
    /// The operation on numerals, computed.
    pub(crate) fn fold_float(&mut self, op: FloatOp, args: &[TermId]) -> Option<TermId> {
        let numbers = args.iter().map(|&a| self.as_number(a).cloned());
        let values: Option<Vec<Value>> = numbers.map(|n| n.map(Value::Num)).collect();
        Some(match op.apply(&values?)? {
            Value::Bool(b) => self.bool_const(b),
            Value::Num(n) => self.num(n, self.int_sort()),
            _ => return None,
        })
    }
}

impl FloatOp {
    /// The format of the operands.
    pub fn width(self) -> Width {
        match self {
            Arithmetic(_, w) | Round(_, w) | Convert(w, _) => w,
            Neg(w) | Sqrt(w) | Lt(w) | Le(w) | Eq(w) => w,
            FromInt(w) | ToInt(w) | Decimal(w) => w,
        }
    }

    pub fn name(self) -> String {
        let width = self.width();
        if let Convert(from, to) = self {
            return format!("fp.cvt.{}.{}", from.bits(), to.bits());
        }
        let row = NAMES.iter().find(|(_, make)| make(width) == self);
        let name = row.map_or("rint", |(name, _)| name);
        format!("fp.{name}.{}", width.bits())
    }

    pub fn from_name(name: &str) -> Option<FloatOp> {
        let mut parts = name.strip_prefix("fp.")?.split('.');
        let operation = parts.next()?;
        let width = |text: &str| Width::of_bits(text.parse().ok()?);
        let first = width(parts.next()?)?;
        let second = parts.next();
        if parts.next().is_some() {
            return None;
        }
        match (operation, second) {
            ("cvt", Some(to)) => Some(Convert(first, width(to)?)),
            (_, Some(_)) => None,
            ("rint", None) => Some(Round(Rounding::Even, first)),
            (_, None) => {
                let row = NAMES.iter().find(|(name, _)| *name == operation)?;
                Some(row.1(first))
            }
        }
    }

    pub fn arity(self) -> usize {
        match self {
            Arithmetic(..) | Lt(_) | Le(_) | Eq(_) | Decimal(_) => 2,
            _ => 1,
        }
    }

    /// The sort of its results.
    pub fn sort(self, pool: &Pool) -> SortId {
        match self {
            Lt(_) | Le(_) | Eq(_) => pool.bool_sort(),
            _ => pool.int_sort(),
        }
    }

    /// The operation's symbol in a pool.
    pub fn symbol(self, pool: &mut Pool) -> SymbolId {
        let args = vec![pool.int_sort(); self.arity()];
        let sort = self.sort(pool);
        pool.symbol(&self.name(), &args, sort)
    }

    /// The operation on integer values; `None` if the arguments do not fit.
    pub fn apply(self, args: &[Value]) -> Option<Value> {
        if args.len() != self.arity() {
            return None;
        }
        let number = |i: usize| args.get(i).and_then(Value::as_num);
        let bits = |i: usize| number(i).map(|n| low_bits(n, self.width()));
        let order = |w| Some(pattern::compare(w, bits(0)?, bits(1)?));
        let value = |bits: u128| Value::Num(from_bits(bits));
        Some(match self {
            Arithmetic(op, w) => value(pattern::arithmetic(op, w, bits(0)?, bits(1)?)),
            Neg(w) => value(bits(0)? ^ w.sign()),
            Sqrt(w) => value(pattern::sqrt(w, bits(0)?)),
            Round(how, w) => value(pattern::round(w, how, bits(0)?)),
            Lt(w) => Value::Bool(order(w)? == Some(Ordering::Less)),
            Le(w) => Value::Bool(matches!(order(w)?, Some(Ordering::Less | Ordering::Equal))),
            Eq(w) => Value::Bool(order(w)? == Some(Ordering::Equal)),
            FromInt(w) => value(pattern::from_integer(w, &number(0)?.to_integer()?)),
            ToInt(w) => {
                let integer = pattern::to_integer(w, bits(0)?).unwrap_or_default();
                Value::Num(Rational::from(integer))
            }
            Decimal(w) => {
                let (digits, exponent) = (number(0)?.to_integer()?, number(1)?.to_i64()?);
                let exponent = exponent.clamp(-20_000, 20_000);
                value(pattern::parse(w, &format!("{digits}e{exponent}"))?)
            }
            Convert(from, to) => value(pattern::convert(from, to, bits(0)?)),
        })
    }
}

/// The value of a declared function that is a float operation.
pub fn function_value(pool: &Pool, symbol: SymbolId, args: &[Value]) -> Option<Value> {
    FloatOp::from_name(&pool.symbol_data(symbol).name)?.apply(args)
}

fn from_bits(bits: u128) -> Rational {
    match i64::try_from(bits) {
        Ok(small) => Rational::from(small),
        Err(_) => Rational::from(IBig::from(bits)),
    }
}

/// The value modulo two to the width.
fn low_bits(n: &Rational, width: Width) -> u128 {
    if let Some(small) = n.to_i64().filter(|n| *n >= 0) {
        return small as u128 & (width.sign() | (width.sign() - 1));
    }
    let wrapped = crate::machine::wrap_value(width.bits() as u8, false, &n.floor());
    let integer = wrapped.to_integer().unwrap_or_default();
    u128::try_from(integer).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::pattern::Width::*;
    use super::*;

    fn bits(f: f64) -> Value {
        Value::Num(from_bits(u128::from(f.to_bits())))
    }

    #[test]
    fn names_round_trip() {
        for w in Width::ALL {
            let ops = NAMES.iter().map(|(_, make)| make(w));
            let more = [Round(Rounding::Even, w), Convert(w, W32)];
            for op in ops.chain(more) {
                assert_eq!(FloatOp::from_name(&op.name()), Some(op));
            }
        }
    }

    #[test]
    fn arithmetic_is_ieee() {
        let sum = Arithmetic(Arithmetic::Add, W64)
            .apply(&[bits(0.1), bits(0.2)])
            .unwrap();
        assert_eq!(sum, bits(0.1 + 0.2));
        let nan = bits(f64::NAN);
        assert_eq!(
            Eq(W64).apply(&[nan.clone(), nan]).unwrap(),
            Value::Bool(false)
        );
        assert_eq!(Neg(W64).apply(&[bits(0.0)]).unwrap(), bits(-0.0));
        assert_eq!(
            Eq(W64).apply(&[bits(0.0), bits(-0.0)]).unwrap(),
            Value::Bool(true)
        );
    }

    #[test]
    fn integers_convert_exactly() {
        let int = |n: i64| Value::Num(Rational::from(n));
        assert_eq!(ToInt(W64).apply(&[bits(-2.9)]).unwrap(), int(-2));
        assert_eq!(FromInt(W64).apply(&[int(-3)]).unwrap(), bits(-3.0));
        // 2^53 + 1 is a tie: to even.
        let n = (1i64 << 53) + 1;
        assert_eq!(FromInt(W64).apply(&[int(n)]).unwrap(), bits(n as f64));
        let big = Value::Num(Rational::power_of_two(200));
        assert_eq!(
            FromInt(W64).apply(std::slice::from_ref(&big)).unwrap(),
            bits(2f64.powi(200))
        );
        assert_eq!(ToInt(W64).apply(&[bits(2f64.powi(200))]).unwrap(), big);
    }
}
