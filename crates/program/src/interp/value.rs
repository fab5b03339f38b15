//! Values as the interpreter computes with them: small integers unboxed, arrays updated in place.
//!
//! Invariants. An integer that fits 128 bits is an `Int`, so equal numbers are equal values. An
//! array keeps no entry equal to its default, unless what nobody wrote is not the default.

use base::FxHashMap;
use logic::{ArrayValue, IBig, Op, Rational, SortId, Value, machine};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Val {
    Int(i128),
    /// A larger integer, or a fraction.
    Big(Rc<Rational>),
    Bool(bool),
    Array(Rc<Array>),
    Element(SortId, u32),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    pub default: Val,
    ints: FxHashMap<i128, Val>,
    /// Entries at indices that are no small integers.
    others: BTreeMap<Value, Val>,
    /// What is elsewhere, if not the default.
    unwritten: Option<Unwritten>,
}

/// What cells hold that nobody has written, one of some values by the index; and which of them were read, by whichever
/// copy of the array. A run with it can be made again from these cells alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritten {
    values: Rc<[Val]>,
    seed: u64,
    read: Rc<RefCell<BTreeSet<i128>>>,
}

impl Unwritten {
    pub fn of(values: &[Value], seed: u64) -> Self {
        Unwritten {
            values: values.iter().map(Val::from_value).collect(),
            seed,
            read: Rc::default(),
        }
    }

    /// The cells that were read, with what they held.
    pub fn cells(&self) -> Vec<(Value, Value)> {
        let read = self.read.borrow();
        let cell = |i: &i128| Some((Value::Num(rational(*i)), self.at(*i)?.to_value()));
        read.iter().filter_map(cell).collect()
    }

    fn at(&self, index: i128) -> Option<&Val> {
        let mut hash = (index as u64 ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
        hash = hash.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let count = self.values.len() as u64;
        self.values.get(((hash >> 33) % count.max(1)) as usize)
    }

    fn read(&self, index: i128) -> Option<&Val> {
        self.read.borrow_mut().insert(index);
        self.at(index)
    }
}

impl Array {
    pub fn constant(default: Val) -> Self {
        Array {
            default,
            ints: FxHashMap::default(),
            others: BTreeMap::new(),
            unwritten: None,
        }
    }

    /// Gives a content to the cells that have none.
    pub fn fill(&mut self, unwritten: Unwritten) {
        self.unwritten = Some(unwritten);
    }

    pub fn get(&self, index: &Val) -> &Val {
        let entry = match index {
            Val::Int(i) => {
                let unwritten = || self.unwritten.as_ref()?.read(*i);
                self.ints.get(i).or_else(unwritten)
            }
            other => self.others.get(&other.to_value()),
        };
        entry.unwrap_or(&self.default)
    }

    pub fn set(&mut self, index: &Val, value: Val) {
        let forget = self.unwritten.is_none() && value == self.default;
        match (index, forget) {
            (Val::Int(i), true) => {
                self.ints.remove(i);
            }
            (Val::Int(i), false) => {
                self.ints.insert(*i, value);
            }
            (other, true) => {
                self.others.remove(&other.to_value());
            }
            (other, false) => {
                self.others.insert(other.to_value(), value);
            }
        }
    }

    pub fn len(&self) -> usize {
        self.ints.len() + self.others.len()
    }
}

impl Val {
    /// What computing with it costs beyond an instruction: fractions are brought to lowest terms in a time that grows with
    /// the square of their length.
    pub fn weight(&self) -> u64 {
        match self {
            Val::Big(n) => (n.bits() as u64 / 32).saturating_pow(2),
            _ => 0,
        }
    }

    pub fn number(n: Rational) -> Val {
        if let Some(i) = n.to_i64() {
            return Val::Int(i128::from(i));
        }
        match n.to_integer().map(i128::try_from) {
            Some(Ok(i)) => Val::Int(i),
            _ => Val::Big(Rc::new(n)),
        }
    }

    pub fn from_value(value: &Value) -> Val {
        // Arrays nest as deep as their sort.
        match value {
            Value::Bool(b) => Val::Bool(*b),
            Value::Num(n) => Val::number(n.clone()),
            Value::Element(s, n) => Val::Element(*s, *n),
            Value::Array(a) => {
                let mut array = Array::constant(Val::from_value(&a.default));
                for (index, value) in &a.entries {
                    array.set(&Val::from_value(index), Val::from_value(value));
                }
                Val::Array(Rc::new(array))
            }
        }
    }

    pub fn to_value(&self) -> Value {
        match self {
            Val::Int(i) => Value::Num(rational(*i)),
            Val::Big(n) => Value::Num((**n).clone()),
            Val::Bool(b) => Value::Bool(*b),
            Val::Element(s, n) => Value::Element(*s, *n),
            Val::Array(a) => {
                let ints = a.ints.iter().map(|(i, v)| (Value::Num(rational(*i)), v));
                let others = a.others.iter().map(|(i, v)| (i.clone(), v));
                let entries = ints.chain(others).map(|(i, v)| (i, v.to_value())).collect();
                Value::Array(std::sync::Arc::new(ArrayValue {
                    default: a.default.to_value(),
                    entries,
                }))
            }
        }
    }

    pub fn truth(&self) -> bool {
        matches!(self, Val::Bool(true))
    }

    pub fn to_rational(&self) -> Rational {
        match self {
            Val::Int(i) => rational(*i),
            Val::Big(n) => (**n).clone(),
            _ => panic!("arithmetic terms have numbers as values"),
        }
    }

    // ---- arithmetic: small integers fast, everything else exact ----

    pub fn add(&self, other: &Val) -> Val {
        if let (Val::Int(a), Val::Int(b)) = (self, other)
            && let Some(sum) = a.checked_add(*b)
        {
            return Val::Int(sum);
        }
        Val::number(&self.to_rational() + &other.to_rational())
    }

    pub fn mul(&self, other: &Val) -> Val {
        if let (Val::Int(a), Val::Int(b)) = (self, other)
            && let Some(product) = a.checked_mul(*b)
        {
            return Val::Int(product);
        }
        Val::number(&self.to_rational() * &other.to_rational())
    }

    pub fn le(&self, other: &Val) -> bool {
        match (self, other) {
            (Val::Int(a), Val::Int(b)) => a <= b,
            _ => self.to_rational() <= other.to_rational(),
        }
    }

    pub fn wrap(&self, bits: u8, signed: bool) -> Val {
        match self {
            Val::Int(a) if bits < 127 => {
                let r = a & ((1i128 << bits) - 1);
                let negative = signed && r >> (bits - 1) & 1 == 1;
                Val::Int(if negative { r - (1i128 << bits) } else { r })
            }
            _ => Val::number(machine::wrap_value(bits, signed, &self.to_rational())),
        }
    }

    /// The binary operators over integers; division by zero is 0, as in `logic::eval`.
    pub fn machine(&self, op: Op, other: &Val) -> Val {
        if let (&Val::Int(a), &Val::Int(b)) = (self, other) {
            let fast = match op {
                Op::BitAnd => Some(a & b),
                Op::BitOr => Some(a | b),
                Op::BitXor => Some(a ^ b),
                Op::Shl if (0..=120).contains(&b) => a.checked_mul(1i128 << b),
                Op::Shr if (0..=120).contains(&b) => Some(a >> b),
                Op::CDiv | Op::CRem | Op::IntDiv | Op::Mod if b == 0 => Some(0),
                Op::CDiv => a.checked_div(b),
                Op::CRem => a.checked_rem(b),
                Op::IntDiv => a.checked_div_euclid(b),
                Op::Mod => a.checked_rem_euclid(b),
                _ => None,
            };
            if let Some(result) = fast {
                return Val::Int(result);
            }
        }
        let (a, b) = (self.to_rational(), other.to_rational());
        Val::number(match op {
            Op::IntDiv | Op::Mod | Op::RealDiv if b.is_zero() => Rational::ZERO,
            Op::IntDiv => a.div_euclid(&b),
            Op::Mod => a.rem_euclid(&b),
            Op::RealDiv => &a / &b,
            _ => machine::apply(op, &a, &b).unwrap_or(Rational::ZERO),
        })
    }
}

fn rational(i: i128) -> Rational {
    match i64::try_from(i) {
        Ok(small) => Rational::from(small),
        Err(_) => Rational::from(IBig::from(i)),
    }
}
