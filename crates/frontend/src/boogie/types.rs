//! Types and their sorts. Bit-vectors are integers from 0 below 2^n; declared types are integers
//! of which only equality is known; maps are arrays, one level an index.
//!
//! // Sound because programs compare values of a declared type by equality only (the quantified
//! // axioms, which could say more, are not used): every execution over some set of values is one
//! // over the integers, and distinct constants may be taken as 0, 1, 2, … by renaming.

use logic::{Pool, Rational, Sort, SortId};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    Int,
    Bool,
    Real,
    Bv(u8),
    Map(Vec<Ty>, Box<Ty>),
    /// A declared type with its arguments, as text.
    Named(String),
}

/// The widest bit-vector.
pub const MAX_BITS: u32 = 128;

impl Ty {
    pub fn sort(&self, pool: &mut Pool) -> SortId {
        match self {
            Ty::Int | Ty::Bv(_) | Ty::Named(_) => pool.int_sort(),
            Ty::Bool => pool.bool_sort(),
            Ty::Real => pool.real_sort(),
            Ty::Map(indices, element) => {
                let mut sort = element.sort(pool);
                for i in indices.iter().rev() {
                    let index = i.sort(pool);
                    sort = pool.sort(Sort::Array(index, sort));
                }
                sort
            }
        }
    }

    /// The values of a variable of this type, where its sort has more.
    pub fn range(&self) -> Option<(Rational, Rational)> {
        match self {
            Ty::Bv(n) => Some(logic::machine::type_range(*n, false)),
            _ => None,
        }
    }

    /// Whether arrays that differ may stand for equal maps.
    pub fn equality_is_loose(&self) -> bool {
        match self {
            Ty::Map(indices, element) => {
                let mut parts = indices.iter().chain([&**element]);
                parts.any(|t| matches!(t, Ty::Bv(_)) || t.equality_is_loose())
            }
            _ => false,
        }
    }
}

impl std::fmt::Display for Ty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Ty::Int => f.write_str("int"),
            Ty::Bool => f.write_str("bool"),
            Ty::Real => f.write_str("real"),
            Ty::Bv(n) => write!(f, "bv{n}"),
            Ty::Named(name) => f.write_str(name),
            Ty::Map(indices, element) => {
                f.write_str("[")?;
                for (i, t) in indices.iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{t}")?;
                }
                write!(f, "]{element}")
            }
        }
    }
}
