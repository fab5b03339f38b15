//! The C front end: text → tokens → syntax tree → typed tree.
//!
//! ```text
//! lexer ─tokens→ parser ─ast→ sema ─hir→ (lowering) ─→ program::Program
//! ```
//! [`hir`] is the contract with the lowering: names resolved, types known, conversions explicit.

pub mod ast;
pub mod hir;
pub mod layout;
pub mod lexer;
pub mod parser;
pub mod types;
