//! The native interpolating SMT solver of Craig, and the interface to other solvers.
//!
//! [`Solver`] is a CDCL(T) solver: the SAT core (`sat`) searches over the Boolean structure that
//! `solver::terms` translates, `solver::search` drives it together with the theories (`theory`),
//! `solver::combine` completes a candidate assignment or refutes it by lemmas, `solver::model` reads it off.
//! [`proof`] has refutations and their checker, [`interpolate`] reads interpolants off them, [`project`]
//! eliminates variables.
//!
//! [`Solvers`] (`backend`) hands out this solver or another program ([`external`]) behind the traits
//! [`SmtSolver`] and [`Interpolate`].

#![forbid(unsafe_code)]

mod backend;
pub mod external;
pub mod interpolate;
pub mod lemmas;
pub mod project;
pub mod proof;
mod sat;
mod solver;
pub mod theory;
mod ticks;
pub mod words;

pub use backend::{Interpolate, QuerySink, SmtSolver, Solvers};
pub use sat::literal::{BoolVar, Lit};
pub use solver::{Answer, Solver, SolverStats, Unknown};
