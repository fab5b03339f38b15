//! Generators for tests: random programs, formulas and C sources. The same seed gives the same thing.
//!
//! Programs are made as text, so that a failing one can be read and kept, and so that the kit knows
//! only `base` and `logic`: unit tests of every crate above them can use it. Nothing but tests
//! depends on it.

#![forbid(unsafe_code)]

pub mod c_programs;
pub mod damage;
pub mod formulas;
pub mod partitions;
pub mod programs;
pub mod small;

pub use base::Random;
