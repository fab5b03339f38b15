//! Values of terms and models that give symbols their values.

use crate::{Rational, SortId, SymbolId};
use base::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The value of a closed term.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    Bool(bool),
    /// Of sort Int or Real.
    Num(Rational),
    Array(Arc<ArrayValue>),
    /// The n-th element of an uninterpreted sort.
    Element(SortId, u32),
}

/// An array: `default` everywhere except at `entries`. Invariant: no entry equals the default.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArrayValue {
    pub default: Value,
    pub entries: BTreeMap<Value, Value>,
}

/// The graph of a function: `default` for all arguments not in `entries`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionValue {
    pub default: Value,
    pub entries: BTreeMap<Vec<Value>, Value>,
}

/// Values for symbols. A symbol that is not mentioned has the default value of its sort.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub constants: FxHashMap<SymbolId, Value>,
    pub functions: FxHashMap<SymbolId, FunctionValue>,
}

impl Value {
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    pub fn as_num(&self) -> Option<&Rational> {
        match self {
            Value::Num(n) => Some(n),
            _ => None,
        }
    }
}

impl Value {
    /// Equality as the logic has it. Differs from `==` only for arrays over a finite index sort,
    /// where other entries can give the same array.
    pub fn same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Array(a), Value::Array(b)) => {
                Arc::ptr_eq(a, b) || a == b || a.same_over_bool(b)
            }
            _ => self == other,
        }
    }
}

impl ArrayValue {
    fn same_over_bool(&self, other: &ArrayValue) -> bool {
        let over_bool = |a: &ArrayValue| matches!(a.entries.keys().next(), Some(Value::Bool(_)));
        (over_bool(self) || over_bool(other))
            && [Value::Bool(false), Value::Bool(true)]
                .iter()
                .all(|i| self.get(i) == other.get(i))
    }

    pub fn get(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    pub fn set(&mut self, index: Value, value: Value) {
        if value == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, value);
        }
    }
}
