//! How memory is laid out where memory is checked, and what each check looked at: what an explanation of
//! a violation needs beside the execution. Nobody decides anything with it.
//!
//! Objects live in aligned blocks of a fixed size; the number of a block names its object. Two ghost
//! arrays say how large the object of a block is and whether it is allocated; an execution shows when
//! they changed.

use crate::{LocId, Span};
use logic::TermId;
use std::collections::BTreeMap;

/// The layout of memory; empty where memory is not checked.
#[derive(Clone, Debug, Default)]
pub struct MemoryModel {
    /// Bytes of a block; 0: there are none.
    pub block: u64,
    /// The array from block to bytes of its object, 0 where none lives.
    pub size: Option<TermId>,
    /// The array from block to 1 where the object is allocated and not freed.
    pub heap: Option<TermId>,
    /// Declared objects with a block of their own.
    pub objects: BTreeMap<u64, ObjectName>,
    /// What the check before an error location looked at.
    pub accesses: BTreeMap<LocId, Access>,
}

/// A declared object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectName {
    /// As the user calls it.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// It is a local variable of a function.
    pub local: bool,
}

/// What a check looked at: values in the state before the error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    pub kind: AccessKind,
    /// The address, the index, or the value that does not fit.
    pub value: TermId,
    /// How many bytes or elements.
    pub extent: Option<TermId>,
}

/// What was checked about the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// `extent` bytes from the address on are read.
    Read,
    /// `extent` bytes from the address on are written.
    Write,
    /// The index is less than `extent`.
    Index,
    /// The address is given to `free` or `realloc`.
    Free,
    /// The address was computed from `extent`, which is a pointer.
    Arithmetic,
    /// A number: the result of arithmetic, a divisor, a shift count.
    Number,
}
