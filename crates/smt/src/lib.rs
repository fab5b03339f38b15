//! The native interpolating SMT solver of Craig, and the interface to other solvers.
//!
//! [`Solver`] is a CDCL(T) solver: the SAT core (`sat`) searches over the Boolean structure that
//! `terms` translates, `search` drives it together with the theories (`euf`, [`arith`]), `combine` and
//! `arrays` complete a candidate assignment or refute it by lemmas, `model` reads it off.

pub mod arith;
mod arrays;
mod combine;
mod euf;
pub mod interpolate;
pub mod lemmas;
mod literal;
mod model;
pub mod proof;
pub mod proof_check;
pub mod qe;
mod sat;
mod search;
mod solver;
mod terms;
mod theories;

pub use literal::{BoolVar, Lit};
pub use solver::{Answer, Solver, SolverStats, Unknown};
