//! Words of SMT-LIB: bit-vectors, floats and rounding modes, and the operators on them.
//!
//! Scripts speak of them; programs do not (their words are integers with machine operators). A numeral of
//! a word sort is the unsigned number of its bits, a rounding mode one of 0 to 4. An operator is
//! a symbol whose name no text can write and whose meaning is fixed ([`Pool::word_op`]): bit-vector
//! operators evaluate (`apply.rs`), operators on floats are circuits of the solver (`smt::words`).
//!
//! Invariant: a numeral of a float sort that is not a number is the one quiet NaN of its format.

mod apply;
mod sorts;

pub use sorts::{Shape, WIDEST, is_format};

use crate::{IBig, Op, Pool, Rational, SortId, SymbolId, TermId, Value};

/// An operator on words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WordOp {
    Not,
    Neg,
    And,
    Or,
    Xor,
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Smod,
    Shl,
    Lshr,
    Ashr,
    /// One bit: are they equal?
    Comp,
    Ult,
    Ule,
    Slt,
    Sle,
    Concat,
    /// From the first index down to the second.
    Extract(u32, u32),
    ZeroExtend(u32),
    SignExtend(u32),
    /// Overflow predicates.
    NegOverflow,
    UaddOverflow,
    SaddOverflow,
    UsubOverflow,
    SsubOverflow,
    UmulOverflow,
    SmulOverflow,
    SdivOverflow,
    /// One bit as a formula; the translation's own, scripts write `extract`.
    Bit(u32),
    Float(FpOp),
}

/// An operator on floats; formats are bits of the exponent and of the significand with its leading one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FpOp {
    /// Sign, exponent and fraction put together.
    Make,
    /// The float with these bits.
    FromBits(u32, u32),
    /// The bits of the float.
    ToBits,
    FromFloat(u32, u32),
    FromReal(u32, u32),
    FromSigned(u32, u32),
    FromUnsigned(u32, u32),
    ToUnsigned(u32),
    ToSigned(u32),
    Abs,
    Neg,
    Add,
    Sub,
    Mul,
    Div,
    Fma,
    Sqrt,
    Rem,
    Integral,
    Min,
    Max,
    Le,
    Lt,
    Eq,
    IsNormal,
    IsSubnormal,
    IsZero,
    IsInfinite,
    IsNan,
    IsNegative,
    IsPositive,
}

impl Pool {
    /// The word operator that a symbol stands for.
    pub fn word_op(&self, symbol: SymbolId) -> Option<WordOp> {
        self.word_ops.get(&symbol).copied()
    }

    /// The word operator at the root of a term.
    pub fn word_operation(&self, t: TermId) -> Option<WordOp> {
        match self.op(t) {
            Op::App(s) if !self.args(t).is_empty() => self.word_op(s),
            _ => None,
        }
    }

    /// Applies an operator; the error says which arguments it does not take.
    pub fn word(&mut self, op: WordOp, args: &[TermId]) -> Result<TermId, String> {
        let sorts: Vec<SortId> = args.iter().map(|&a| self.sort_of(a)).collect();
        let sort = sorts::result(self, op, &sorts)?;
        if let Some(folded) = self.fold_word(op, args, sort) {
            return Ok(folded);
        }
        let mut name = format!("|{op:?}");
        for &s in &sorts {
            name += &format!(" {}", crate::smtlib::print_sort(self, s));
        }
        let symbol = self.symbol(&name, &sorts, sort);
        self.word_ops.insert(symbol, op);
        Ok(self.app(symbol, args))
    }

    /// A bit-vector or float numeral; of the value only the low bits count.
    pub fn word_num(&mut self, value: &IBig, sort: SortId) -> TermId {
        let shape = self.shape(sort).expect("words have a width");
        let value = value & ((IBig::ONE << shape.width()) - IBig::ONE);
        let value = match shape {
            Shape::Float(e, s) => sorts::canonical(value, e, s),
            _ => value,
        };
        self.num(Rational::from(value), sort)
    }

    fn fold_word(&mut self, op: WordOp, args: &[TermId], sort: SortId) -> Option<TermId> {
        let numbers = args.iter().map(|&a| self.as_number(a)?.to_integer());
        let numbers: Vec<IBig> = numbers.collect::<Option<_>>()?;
        let shapes: Vec<Shape> = args
            .iter()
            .map(|&a| self.shape(self.sort_of(a)))
            .collect::<Option<_>>()?;
        match op {
            WordOp::Float(FpOp::FromBits(..) | FpOp::ToBits) => {
                Some(self.word_num(&numbers[0], sort))
            }
            WordOp::Float(FpOp::Make) => {
                let (e, f) = (shapes[1].width(), shapes[2].width());
                let bits = (&numbers[0] << (e + f)) | (&numbers[1] << f) | &numbers[2];
                Some(self.word_num(&bits, sort))
            }
            _ => match apply::apply(op, &numbers, &shapes)? {
                Value::Bool(b) => Some(self.bool_const(b)),
                Value::Num(n) => Some(self.num(n, sort)),
                _ => None,
            },
        }
    }

    /// The value of an operator, for those that evaluate.
    pub(crate) fn word_value(&self, op: WordOp, sorts: &[SortId], args: &[Value]) -> Option<Value> {
        let numbers = args.iter().map(|a| a.as_num()?.to_integer());
        let numbers: Vec<IBig> = numbers.collect::<Option<_>>()?;
        let shapes = sorts.iter().map(|&s| self.shape(s));
        let shapes: Vec<Shape> = shapes.collect::<Option<_>>()?;
        apply::apply(op, &numbers, &shapes)
    }
}

/// Whether an operator has no value in evaluation: circuits alone know it.
pub fn needs_circuits(op: WordOp) -> bool {
    matches!(op, WordOp::Float(_))
}
