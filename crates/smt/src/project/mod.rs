//! Projection: formulas over fewer symbols, in three ways.
//!
//! | function | gives | from |
//! |---|---|---|
//! | [`eliminate`] | a formula that `exists symbols. f` implies, often equivalent | the formula alone |
//! | [`project`] | a cube inside `exists others. f` that holds at a model | the formula and a model |
//! | [`implicant`] | literals that hold at a model and imply the formula | the formula and a model |
//!
//! Elimination looks at all cubes and may give up; the other two follow the model and cost little.
//! [`tightest`] takes out of a cube what is said twice, [`value_term`] names a value.

mod bounds;
mod elimination;
mod implicant;
mod model_based;

pub use bounds::tightest;
pub use elimination::{Projection, eliminate, eliminate_universally};
pub use implicant::{Point, implicant, value_term};
pub use model_based::project;

#[cfg(test)]
mod tests;
