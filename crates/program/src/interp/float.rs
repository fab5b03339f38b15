//! IEEE 754 operations on bit patterns: what the functions named `fp.*` mean.
//!
//! A float is the unsigned integer of its bits. The solver sees `fp.add.64` and its like as
//! uninterpreted functions (sound for proofs); the interpreter computes them here, exactly, in the
//! default rounding mode (to nearest, ties to even).

use base::FxHashMap;
use logic::{IBig, Op, Pool, Rational, SymbolId, TermId, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    W32,
    W64,
}

/// A float operation; its name in the logic is [`FloatOp::name`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatOp {
    Add(Width),
    Sub(Width),
    Mul(Width),
    Div(Width),
    Neg(Width),
    Lt(Width),
    Le(Width),
    Eq(Width),
    /// Nearest float of an integer.
    FromInt(Width),
    /// Truncation towards zero; 0 for NaN and infinities (undefined in C).
    ToInt(Width),
    /// From one width to the other.
    Convert(Width, Width),
}

use FloatOp::*;
use Width::*;

/// All operations.
pub const ALL: [FloatOp; 22] = [
    Add(W32),
    Add(W64),
    Sub(W32),
    Sub(W64),
    Mul(W32),
    Mul(W64),
    Div(W32),
    Div(W64),
    Neg(W32),
    Neg(W64),
    Lt(W32),
    Lt(W64),
    Le(W32),
    Le(W64),
    Eq(W32),
    Eq(W64),
    FromInt(W32),
    FromInt(W64),
    ToInt(W32),
    ToInt(W64),
    Convert(W32, W64),
    Convert(W64, W32),
];

fn named(pool: &Pool, t: TermId) -> Option<FloatOp> {
    match pool.op(t) {
        Op::App(s) if !pool.args(t).is_empty() => FloatOp::from_name(&pool.symbol_data(s).name),
        _ => None,
    }
}

/// Is there an operation to fold among these terms?
pub fn any_operation(pool: &Pool, terms: &[TermId]) -> bool {
    terms.iter().any(|&t| named(pool, t).is_some())
}

/// The term with every operation on constants computed.
pub fn fold(pool: &mut Pool, term: TermId) -> TermId {
    let order = pool.post_order(&[term]);
    if !any_operation(pool, &order) {
        return term;
    }
    let mut folded: FxHashMap<TermId, TermId> = FxHashMap::default();
    for t in order {
        let args: Vec<TermId> = pool.args(t).iter().map(|a| folded[a]).collect();
        let values: Option<Vec<Value>> = args
            .iter()
            .map(|&a| pool.as_number(a).cloned().map(Value::Num))
            .collect();
        let result = named(pool, t).and_then(|op| op.apply(&values?));
        let new = match result {
            Some(Value::Num(n)) => pool.num(n, pool.int_sort()),
            Some(Value::Bool(b)) => {
                if b {
                    pool.tt()
                } else {
                    pool.ff()
                }
            }
            _ if args == pool.args(t) => t,
            _ => pool.rebuild(t, &args),
        };
        folded.insert(t, new);
    }
    folded[&term]
}

impl FloatOp {
    pub fn name(self) -> &'static str {
        match self {
            Add(W32) => "fp.add.32",
            Add(W64) => "fp.add.64",
            Sub(W32) => "fp.sub.32",
            Sub(W64) => "fp.sub.64",
            Mul(W32) => "fp.mul.32",
            Mul(W64) => "fp.mul.64",
            Div(W32) => "fp.div.32",
            Div(W64) => "fp.div.64",
            Neg(W32) => "fp.neg.32",
            Neg(W64) => "fp.neg.64",
            Lt(W32) => "fp.lt.32",
            Lt(W64) => "fp.lt.64",
            Le(W32) => "fp.le.32",
            Le(W64) => "fp.le.64",
            Eq(W32) => "fp.eq.32",
            Eq(W64) => "fp.eq.64",
            FromInt(W32) => "fp.from_int.32",
            FromInt(W64) => "fp.from_int.64",
            ToInt(W32) => "fp.to_int.32",
            ToInt(W64) => "fp.to_int.64",
            Convert(W32, _) => "fp.cvt.32.64",
            Convert(W64, _) => "fp.cvt.64.32",
        }
    }

    pub fn from_name(name: &str) -> Option<FloatOp> {
        if !name.starts_with("fp.") {
            return None;
        }
        ALL.into_iter().find(|op| op.name() == name)
    }

    fn arity(self) -> usize {
        match self {
            Neg(_) | FromInt(_) | ToInt(_) | Convert(..) => 1,
            _ => 2,
        }
    }

    /// The operation's symbol in a pool.
    pub fn symbol(self, pool: &mut Pool) -> SymbolId {
        let int = pool.int_sort();
        let result = match self {
            Lt(_) | Le(_) | Eq(_) => pool.bool_sort(),
            _ => int,
        };
        let args = vec![int; self.arity()];
        pool.symbol(self.name(), &args, result)
    }

    /// The operation on integer values; `None` if the arguments do not fit.
    pub fn apply(self, args: &[Value]) -> Option<Value> {
        if args.len() != self.arity() {
            return None;
        }
        let number = |i: usize| args.get(i).and_then(Value::as_num);
        let bits = |i: usize| number(i).map(low_bits);
        let f32_at = |i: usize| bits(i).map(|b| f32::from_bits(b as u32));
        let f64_at = |i: usize| bits(i).map(f64::from_bits);
        let value32 = |f: f32| Value::Num(Rational::from(i64::from(f.to_bits())));
        let value64 = |f: f64| Value::Num(from_u64(f.to_bits()));
        Some(match self {
            Add(W32) => value32(f32_at(0)? + f32_at(1)?),
            Sub(W32) => value32(f32_at(0)? - f32_at(1)?),
            Mul(W32) => value32(f32_at(0)? * f32_at(1)?),
            Div(W32) => value32(f32_at(0)? / f32_at(1)?),
            Add(W64) => value64(f64_at(0)? + f64_at(1)?),
            Sub(W64) => value64(f64_at(0)? - f64_at(1)?),
            Mul(W64) => value64(f64_at(0)? * f64_at(1)?),
            Div(W64) => value64(f64_at(0)? / f64_at(1)?),
            Neg(W32) => Value::Num(from_u64((bits(0)? & 0xffff_ffff) ^ (1 << 31))),
            Neg(W64) => Value::Num(from_u64(bits(0)? ^ (1 << 63))),
            Lt(W32) => Value::Bool(f32_at(0)? < f32_at(1)?),
            Le(W32) => Value::Bool(f32_at(0)? <= f32_at(1)?),
            Eq(W32) => Value::Bool(f32_at(0)? == f32_at(1)?),
            Lt(W64) => Value::Bool(f64_at(0)? < f64_at(1)?),
            Le(W64) => Value::Bool(f64_at(0)? <= f64_at(1)?),
            Eq(W64) => Value::Bool(f64_at(0)? == f64_at(1)?),
            FromInt(width) => {
                let (mantissa, scale, negative) = scaled(number(0)?)?;
                // The mantissa has over 100 bits and a sticky bit, so one rounding happens, at the end.
                if width == W32 {
                    let f = mantissa as f32 * 2f32.powi(scale);
                    value32(if negative { -f } else { f })
                } else {
                    let f = mantissa as f64 * 2f64.powi(scale);
                    value64(if negative { -f } else { f })
                }
            }
            ToInt(W32) => Value::Num(truncate(f64::from(f32_at(0)?))),
            ToInt(W64) => Value::Num(truncate(f64_at(0)?)),
            Convert(W32, _) => value64(f64::from(f32_at(0)?)),
            Convert(W64, _) => value32(f64_at(0)? as f32),
        })
    }
}

/// The value of a declared function that is a float operation.
pub fn function_value(pool: &Pool, symbol: SymbolId, args: &[Value]) -> Option<Value> {
    FloatOp::from_name(&pool.symbol_data(symbol).name)?.apply(args)
}

fn from_u64(bits: u64) -> Rational {
    Rational::from(IBig::from(bits))
}

/// The value modulo 2^64.
fn low_bits(n: &Rational) -> u64 {
    if let Some(small) = n.to_i64() {
        return small as u64;
    }
    let wrapped = logic::machine::wrap_value(64, false, &n.floor());
    let integer = wrapped.to_integer().unwrap_or_default();
    u64::try_from(integer).unwrap_or_default()
}

/// `|n| = mantissa * 2^scale`, lower bits folded into the last bit of the mantissa.
fn scaled(n: &Rational) -> Option<(u128, i32, bool)> {
    let integer = n.to_integer()?;
    let negative = n.is_negative();
    let magnitude = if negative { -integer } else { integer };
    if let Ok(m) = u128::try_from(magnitude.clone()) {
        return Some((m, 0, negative));
    }
    let mut scale = 0usize;
    let mut rest = magnitude.clone();
    while u128::try_from(rest.clone()).is_err() {
        rest >>= 16;
        scale += 16;
    }
    let sticky = (rest.clone() << scale) != magnitude;
    let mantissa = u128::try_from(rest).ok()?;
    let scale = i32::try_from(scale).unwrap_or(i32::MAX);
    Some((mantissa | u128::from(sticky), scale, negative))
}

fn truncate(f: f64) -> Rational {
    if !f.is_finite() {
        return Rational::ZERO;
    }
    let t = f.trunc();
    if t.abs() < 9.0e18 {
        return Rational::from(t as i64);
    }
    // Large floats are integers: mantissa times a power of two.
    let bits = t.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as usize - 1075;
    let mantissa = IBig::from(bits & ((1 << 52) - 1) | 1 << 52) << exponent;
    Rational::from(if t < 0.0 { -mantissa } else { mantissa })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn bits(f: f64) -> Value {
        Value::Num(from_u64(f.to_bits()))
    }

    #[test]
    fn names_round_trip() {
        for op in ALL {
            assert_eq!(FloatOp::from_name(op.name()), Some(op));
        }
    }

    #[test]
    fn arithmetic_is_ieee() {
        let sum = Add(W64).apply(&[bits(0.1), bits(0.2)]).unwrap();
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
