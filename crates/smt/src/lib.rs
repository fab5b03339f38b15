//! The native interpolating SMT solver of Craig, and the interface to other solvers.

pub mod interpolate;
mod literal;
pub mod proof;
pub mod proof_check;
pub mod qe;

pub use literal::{BoolVar, Lit};
