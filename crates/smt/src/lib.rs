//! The native interpolating SMT solver of Craig, and the interface to other solvers.

pub mod arith;
pub mod lemmas;
mod literal;
pub mod proof;

pub use literal::{BoolVar, Lit};
