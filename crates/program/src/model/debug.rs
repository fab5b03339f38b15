//! What the values of a program mean in the words of its source: types of variables, where objects and
//! functions lie, which variables are memory. As a compiler's debug information: only reports read it,
//! nothing is decided by it.
//!
//! Variables go by their terms, which passes that renumber variables keep.

use crate::Span;
use base::{IndexVec, new_id};
use logic::TermId;
use std::collections::{BTreeMap, BTreeSet};

new_id!(
    /// A type of the source.
    pub DebugTypeId, "ty");

/// A type as far as values are written by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DebugType {
    /// `void`, functions, and what has no values to show.
    Opaque,
    /// An integer; `char` is of 8 bits and says so.
    Int {
        bits: u32,
        signed: bool,
        char: bool,
    },
    Bool,
    /// An IEEE pattern of so many bits.
    Float {
        bits: u32,
    },
    /// An enumeration: its name, its constants.
    Enum {
        name: Option<String>,
        constants: Vec<(String, i128)>,
    },
    Pointer(DebugTypeId),
    /// Elements of so many bytes; the count is zero where it is not known.
    Array {
        element: DebugTypeId,
        size: u64,
        count: u64,
    },
    Record {
        /// `struct node`.
        name: String,
        size: u64,
        fields: Vec<DebugField>,
    },
}

/// A member of a record; an anonymous one has an empty name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugField {
    pub name: String,
    /// Bytes from the start of the record.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
    pub ty: DebugTypeId,
}

/// An object with a name or a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugObject {
    /// The name in the source; empty for a literal.
    pub name: String,
    /// Bytes; zero where that is not fixed.
    pub size: u64,
    pub ty: DebugTypeId,
    pub span: Span,
    /// The function of a local.
    pub function: Option<String>,
    /// The characters of a string literal, without the last zero.
    pub text: Option<Vec<u32>>,
}

/// The memory of a program, as variables.
#[derive(Clone, Debug, Default)]
pub struct DebugMemory {
    /// Arrays from address to value.
    pub cells: BTreeSet<TermId>,
    /// The first address of allocated memory.
    pub start: u64,
    /// The first address that allocation has not used.
    pub top: Option<TermId>,
    /// From the number of a block of addresses to the bytes of the object in it.
    pub sizes: Option<TermId>,
    /// 1 for the blocks of allocated objects.
    pub heap: Option<TermId>,
    /// How many allocated objects live.
    pub live: Option<TermId>,
    /// The bytes of a block of addresses.
    pub block: Option<u64>,
}

/// Everything that reports know of the source.
#[derive(Clone, Debug, Default)]
pub struct DebugInfo {
    pub types: IndexVec<DebugTypeId, DebugType>,
    /// The type of a variable's value, or of the elements of one that is an array.
    pub vars: BTreeMap<TermId, DebugTypeId>,
    /// Objects at fixed addresses.
    pub objects: BTreeMap<u64, DebugObject>,
    /// Variables that hold the address of a local.
    pub bases: BTreeMap<TermId, DebugObject>,
    /// Functions whose address is used.
    pub functions: BTreeMap<u64, String>,
    pub memory: DebugMemory,
}

impl DebugInfo {
    /// Bytes of a type; zero where it has no size.
    pub fn size_of(&self, ty: DebugTypeId, pointer: u64) -> u64 {
        match &self.types[ty] {
            DebugType::Opaque => 0,
            DebugType::Int { bits, .. } => u64::from(bits / 8),
            DebugType::Bool => 1,
            DebugType::Float { bits: 80 } => 16,
            DebugType::Float { bits } => u64::from(bits / 8),
            DebugType::Enum { .. } => 4,
            DebugType::Pointer(_) => pointer,
            DebugType::Array { size, count, .. } => size * count,
            DebugType::Record { size, .. } => *size,
        }
    }
}
