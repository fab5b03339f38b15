//! The native interpolating SMT solver of Craig, and the interface to other solvers.

mod literal;
pub mod proof;

pub use literal::{BoolVar, Lit};
