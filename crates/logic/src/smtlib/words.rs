//! Bit-vectors, floats and rounding modes as SMT-LIB writes them.
//!
//! Names that are short for others (`bvnand`, `bvsge`, `rotate_left`, …) become what they are short for.

use super::sexpr::{SExpr, SyntaxError};
use crate::word::{FpOp, Shape, WIDEST, WordOp, is_format};
use crate::{IBig, Pool, Rational, Sort, SortId, TermId};

/// A function on words, by its name in a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordHead {
    Op(WordOp),
    /// The operator, its result inverted.
    Inverted(WordOp),
    /// The operator with its two arguments changed round.
    Turned(WordOp),
    RotateLeft(u32),
    RotateRight(u32),
    Repeat(u32),
    ToFloat(u32, u32),
    ToFloatUnsigned(u32, u32),
}

/// Operators that are printed under the name they are read by.
const NAMES: [(&str, WordOp); 54] = {
    use FpOp as F;
    use WordOp::*;
    [
        ("bvnot", Not),
        ("bvneg", Neg),
        ("bvand", And),
        ("bvor", Or),
        ("bvxor", Xor),
        ("bvadd", Add),
        ("bvsub", Sub),
        ("bvmul", Mul),
        ("bvudiv", Udiv),
        ("bvurem", Urem),
        ("bvsdiv", Sdiv),
        ("bvsrem", Srem),
        ("bvsmod", Smod),
        ("bvshl", Shl),
        ("bvlshr", Lshr),
        ("bvashr", Ashr),
        ("bvcomp", Comp),
        ("bvult", Ult),
        ("bvule", Ule),
        ("bvslt", Slt),
        ("bvsle", Sle),
        ("concat", Concat),
        ("bvnego", NegOverflow),
        ("bvuaddo", UaddOverflow),
        ("bvsaddo", SaddOverflow),
        ("bvusubo", UsubOverflow),
        ("bvssubo", SsubOverflow),
        ("bvumulo", UmulOverflow),
        ("bvsmulo", SmulOverflow),
        ("bvsdivo", SdivOverflow),
        ("fp", Float(F::Make)),
        ("fp.abs", Float(F::Abs)),
        ("fp.neg", Float(F::Neg)),
        ("fp.add", Float(F::Add)),
        ("fp.sub", Float(F::Sub)),
        ("fp.mul", Float(F::Mul)),
        ("fp.div", Float(F::Div)),
        ("fp.fma", Float(F::Fma)),
        ("fp.sqrt", Float(F::Sqrt)),
        ("fp.rem", Float(F::Rem)),
        ("fp.roundToIntegral", Float(F::Integral)),
        ("fp.min", Float(F::Min)),
        ("fp.max", Float(F::Max)),
        ("fp.leq", Float(F::Le)),
        ("fp.lt", Float(F::Lt)),
        ("fp.eq", Float(F::Eq)),
        ("fp.isNormal", Float(F::IsNormal)),
        ("fp.isSubnormal", Float(F::IsSubnormal)),
        ("fp.isZero", Float(F::IsZero)),
        ("fp.isInfinite", Float(F::IsInfinite)),
        ("fp.isNaN", Float(F::IsNan)),
        ("fp.isNegative", Float(F::IsNegative)),
        ("fp.isPositive", Float(F::IsPositive)),
        // Not in the standard, but what z3 has; a NaN has the bits of the quiet one.
        ("fp.to_ieee_bv", Float(F::ToBits)),
    ]
};

/// The rounding modes: number, short and long name.
const MODES: [(&str, &str); 5] = [
    ("RNE", "roundNearestTiesToEven"),
    ("RNA", "roundNearestTiesToAway"),
    ("RTP", "roundTowardPositive"),
    ("RTN", "roundTowardNegative"),
    ("RTZ", "roundTowardZero"),
];

/// The function with this name, if it has no indices.
pub(super) fn word_head(name: &str) -> Option<WordHead> {
    use WordHead::{Inverted, Turned};
    use WordOp::*;
    Some(match name {
        "bvnand" => Inverted(And),
        "bvnor" => Inverted(Or),
        "bvxnor" => Inverted(Xor),
        "bvuge" => Turned(Ule),
        "bvugt" => Turned(Ult),
        "bvsge" => Turned(Sle),
        "bvsgt" => Turned(Slt),
        "fp.geq" => Turned(Float(FpOp::Le)),
        "fp.gt" => Turned(Float(FpOp::Lt)),
        _ => WordHead::Op(NAMES.iter().find(|(n, _)| *n == name)?.1),
    })
}

/// The function of `(_ name indices)`.
pub(super) fn indexed_head(name: &str, indices: &[u32]) -> Option<WordHead> {
    use WordHead::Op;
    use WordOp::*;
    Some(match (name, indices) {
        ("extract", &[high, low]) => Op(Extract(high, low)),
        ("zero_extend", &[n]) => Op(ZeroExtend(n)),
        ("sign_extend", &[n]) => Op(SignExtend(n)),
        ("rotate_left", &[n]) => WordHead::RotateLeft(n),
        ("rotate_right", &[n]) => WordHead::RotateRight(n),
        ("repeat", &[n]) => WordHead::Repeat(n),
        ("to_fp", &[e, s]) => WordHead::ToFloat(e, s),
        ("to_fp_unsigned", &[e, s]) => WordHead::ToFloatUnsigned(e, s),
        ("fp.to_ubv", &[n]) => Op(Float(FpOp::ToUnsigned(n))),
        ("fp.to_sbv", &[n]) => Op(Float(FpOp::ToSigned(n))),
        _ => return None,
    })
}

/// How an operator is written as the head of an application.
pub(super) fn word_name(op: WordOp) -> String {
    use WordOp::*;
    match op {
        Extract(high, low) => format!("(_ extract {high} {low})"),
        ZeroExtend(n) => format!("(_ zero_extend {n})"),
        SignExtend(n) => format!("(_ sign_extend {n})"),
        Float(FpOp::ToUnsigned(n)) => format!("(_ fp.to_ubv {n})"),
        Float(FpOp::ToSigned(n)) => format!("(_ fp.to_sbv {n})"),
        Float(FpOp::FromUnsigned(e, s)) => format!("(_ to_fp_unsigned {e} {s})"),
        Float(
            FpOp::FromBits(e, s)
            | FpOp::FromFloat(e, s)
            | FpOp::FromReal(e, s)
            | FpOp::FromSigned(e, s),
        ) => format!("(_ to_fp {e} {s})"),
        _ => {
            let row = NAMES.iter().find(|(_, o)| *o == op);
            row.map_or("", |(name, _)| name).to_string()
        }
    }
}

impl WordHead {
    /// The application.
    pub(super) fn apply(self, pool: &mut Pool, args: &mut [TermId]) -> Result<TermId, String> {
        use WordOp::*;
        let float = |op: FpOp| WordOp::Float(op);
        match self {
            WordHead::Op(op @ (And | Or | Xor | Add | Mul | Concat)) => left(pool, op, args),
            WordHead::Op(op @ Float(FpOp::Le | FpOp::Lt | FpOp::Eq)) => {
                chain(pool, op, args, false)
            }
            WordHead::Turned(op @ Float(_)) => chain(pool, op, args, true),
            WordHead::Op(op) => pool.word(op, args),
            WordHead::Inverted(op) => {
                let inner = left(pool, op, args)?;
                pool.word(Not, &[inner])
            }
            WordHead::Turned(op) => {
                let turned: Vec<TermId> = args.iter().rev().copied().collect();
                pool.word(op, &turned)
            }
            WordHead::RotateLeft(n) => rotate(pool, args, |width| n % width),
            WordHead::RotateRight(n) => rotate(pool, args, |width| (width - n % width) % width),
            WordHead::Repeat(n) => {
                if n == 0 || n > WIDEST || args.len() != 1 {
                    return Err("`repeat` needs a positive number and a bit-vector".into());
                }
                match n {
                    1 => pool.word(Extract(width(pool, args[0])? - 1, 0), args),
                    _ => left(pool, Concat, &vec![args[0]; n as usize]),
                }
            }
            WordHead::ToFloatUnsigned(e, s) => pool.word(float(FpOp::FromUnsigned(e, s)), args),
            WordHead::ToFloat(e, s) => match args {
                [_] => pool.word(float(FpOp::FromBits(e, s)), args),
                [_, value] => {
                    let op = match pool.shape(pool.sort_of(*value)) {
                        Some(Shape::Float(..)) => FpOp::FromFloat(e, s),
                        Some(_) => FpOp::FromSigned(e, s),
                        None => {
                            let real = pool.real_sort();
                            if let Some(v) = super::builtin::coerce(pool, *value, real) {
                                *value = v;
                            }
                            if pool.as_number(*value).is_none() {
                                return Err(
                                    "`to_fp` takes real numbers that are constants only".into()
                                );
                            }
                            FpOp::FromReal(e, s)
                        }
                    };
                    pool.word(float(op), args)
                }
                _ => Err("`to_fp` takes one or two arguments".into()),
            },
        }
    }
}

fn width(pool: &Pool, t: TermId) -> Result<u32, String> {
    match pool.shape(pool.sort_of(t)) {
        Some(Shape::Bits(n)) => Ok(n),
        _ => Err("a bit-vector is needed".into()),
    }
}

fn left(pool: &mut Pool, op: WordOp, args: &[TermId]) -> Result<TermId, String> {
    let Some((&first, rest)) = args.split_first().filter(|(_, rest)| !rest.is_empty()) else {
        return Err("two arguments at least are needed".into());
    };
    rest.iter()
        .try_fold(first, |sum, &a| pool.word(op, &[sum, a]))
}

fn chain(pool: &mut Pool, op: WordOp, args: &[TermId], turned: bool) -> Result<TermId, String> {
    if args.len() < 2 {
        return Err("two arguments at least are needed".into());
    }
    let mut parts = Vec::new();
    for pair in args.windows(2) {
        let pair = if turned {
            [pair[1], pair[0]]
        } else {
            [pair[0], pair[1]]
        };
        parts.push(pool.word(op, &pair)?);
    }
    Ok(pool.and(&parts))
}

fn rotate(pool: &mut Pool, args: &[TermId], by: impl Fn(u32) -> u32) -> Result<TermId, String> {
    let shape = args.first().and_then(|&a| pool.shape(pool.sort_of(a)));
    let (&[a], Some(Shape::Bits(n))) = (args, shape) else {
        return Err("one bit-vector is needed".into());
    };
    match by(n) {
        0 => Ok(a),
        k => {
            let low = pool.word(WordOp::Extract(n - k - 1, 0), &[a])?;
            let high = pool.word(WordOp::Extract(n - 1, n - k), &[a])?;
            pool.word(WordOp::Concat, &[low, high])
        }
    }
}

// ---- sorts and constants ----

/// The sort of `(_ name indices)`.
pub(super) fn indexed_sort(pool: &mut Pool, expr: SExpr) -> Result<SortId, SyntaxError> {
    let unknown = || {
        expr.error(format!(
            "`{}` is not a sort",
            super::term::short(expr.text())
        ))
    };
    let (name, indices) = indexed(expr).ok_or_else(unknown)?;
    match (name, &indices[..]) {
        ("BitVec", &[0]) => Err(expr.error("a bit-vector has at least one bit")),
        ("BitVec", &[n]) if n <= WIDEST => Ok(pool.sort(Sort::BitVec(n))),
        ("BitVec", &[_]) => Err(expr.error(format!("bit-vectors have at most {WIDEST} bits here"))),
        ("FloatingPoint", &[e, s]) if is_format(e, s) => Ok(pool.sort(Sort::Float(e, s))),
        ("FloatingPoint", _) => Err(expr.error("this format of floats is not supported")),
        _ => Err(unknown()),
    }
}

/// The sorts of words with a name of their own.
pub(super) fn named_sort(pool: &mut Pool, name: &str) -> Option<SortId> {
    let sort = match name {
        "RoundingMode" => Sort::Rounding,
        "Float16" => Sort::Float(5, 11),
        "Float32" => Sort::Float(8, 24),
        "Float64" => Sort::Float(11, 53),
        "Float128" => Sort::Float(15, 113),
        _ => return None,
    };
    Some(pool.sort(sort))
}

/// The name and the numbers of `(_ name n m)`.
pub(super) fn indexed(expr: SExpr<'_>) -> Option<(&str, Vec<u32>)> {
    let mut parts = expr.children();
    if !parts.next()?.is_symbol("_") {
        return None;
    }
    let name = parts.next()?.symbol()?;
    let numbers: Option<Vec<u32>> = parts.map(|p| p.text().parse().ok()).collect();
    Some((name, numbers?))
}

/// `(_ bv5 8)`, `(_ +oo 8 24)` and their like.
pub(super) fn indexed_constant(pool: &mut Pool, expr: SExpr) -> Option<TermId> {
    let (name, indices) = indexed(expr)?;
    if let (Some(digits), &[n]) = (name.strip_prefix("bv"), &indices[..]) {
        let value = Rational::parse_decimal(digits)
            .filter(|_| digits.bytes().all(|b| b.is_ascii_digit()))?;
        let sort = (1..=WIDEST)
            .contains(&n)
            .then(|| pool.sort(Sort::BitVec(n)))?;
        return Some(pool.word_num(&value.to_integer()?, sort));
    }
    let &[e, s] = &indices[..] else { return None };
    if !is_format(e, s) {
        return None;
    }
    let sort = pool.sort(Sort::Float(e, s));
    let (fraction, sign) = ((s - 1) as usize, (e + s - 1) as usize);
    let infinity = ((IBig::ONE << e as usize) - IBig::ONE) << fraction;
    let bits = match name {
        "+zero" => IBig::ZERO,
        "-zero" => IBig::ONE << sign,
        "+oo" => infinity,
        "-oo" => infinity | (IBig::ONE << sign),
        "NaN" => infinity | IBig::ONE,
        _ => return None,
    };
    Some(pool.word_num(&bits, sort))
}

/// `#b0101` and `#x5f`.
pub(super) fn literal(pool: &mut Pool, text: &str) -> Option<TermId> {
    let (radix, digits) = match text.as_bytes().get(1)? {
        b'b' => (1, &text[2..]),
        _ => (4, &text[2..]),
    };
    let width = u32::try_from(digits.len()).ok()?.checked_mul(radix)?;
    let sort = (1..=WIDEST)
        .contains(&width)
        .then(|| pool.sort(Sort::BitVec(width)))?;
    let value = digits.chars().try_fold(IBig::ZERO, |value, c| {
        Some((value << radix as usize) + IBig::from(c.to_digit(16)?))
    })?;
    Some(pool.word_num(&value, sort))
}

/// The rounding mode with this name.
pub(super) fn mode(pool: &mut Pool, name: &str) -> Option<TermId> {
    let k = MODES
        .iter()
        .position(|(short, long)| *short == name || *long == name)?;
    let sort = pool.sort(Sort::Rounding);
    Some(pool.num(Rational::from(k as i64), sort))
}

/// A value of a word sort as text.
pub(super) fn print_word(value: &Rational, shape: Shape) -> String {
    let value = value.to_integer().unwrap_or_default();
    let bits = |high: usize, low: usize| -> String {
        let digit = |i: usize| match (&value >> i) & IBig::ONE == IBig::ONE {
            true => '1',
            false => '0',
        };
        (low..high).rev().map(digit).collect()
    };
    match shape {
        Shape::Rounding => {
            let k = usize::try_from(value.clone()).unwrap_or(0).min(4);
            MODES[k].0.to_string()
        }
        Shape::Bits(n) if n % 4 == 0 => {
            let all = bits(n as usize, 0);
            let digits = all.as_bytes().chunks(4).map(|c| {
                let nibble = c.iter().fold(0u32, |v, b| v * 2 + u32::from(*b - b'0'));
                char::from_digit(nibble, 16).unwrap_or('0')
            });
            format!("#x{}", digits.collect::<String>())
        }
        Shape::Bits(n) => format!("#b{}", bits(n as usize, 0)),
        Shape::Float(e, s) => {
            let (f, sign) = ((s - 1) as usize, (e + s - 1) as usize);
            let (exponent, fraction) = (bits(sign, f), bits(f, 0));
            match !exponent.contains('0') && fraction.contains('1') {
                true => format!("(_ NaN {e} {s})"),
                false => format!("(fp #b{} #b{exponent} #b{fraction})", bits(sign + 1, sign)),
            }
        }
    }
}
