//! The native interpolating SMT solver of Craig, and the interface to other solvers.
//!
//! [`Solver`] is a CDCL(T) solver: the SAT core (`sat`) searches over the Boolean structure that
//! `terms` translates, `search` drives it together with the theories (`euf`, [`arith`]), `combine` and
//! `arrays` complete a candidate assignment or refute it by lemmas, `model` reads it off.
//!
//! [`Solvers`] hands out this solver or another program (`external`) behind the trait [`SmtSolver`].

pub mod arith;
mod arrays;
mod backend;
mod combine;
mod euf;
pub mod external;
pub mod interpolate;
mod joins;
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

pub use backend::{Interpolate, QuerySink, SmtSolver, Solvers};
pub use literal::{BoolVar, Lit};
pub use solver::{Answer, Solver, SolverStats, Unknown};
