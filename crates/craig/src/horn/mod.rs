//! Answers in the words of a Horn system: a model of its predicates for `safe` (`model.rs`), a
//! derivation of `false` for `unsafe` (`refutation.rs`). Both come from checked evidence about the
//! program that the system became, and both are checked again clause by clause before they are
//! printed, so neither the way into the program nor the way back is trusted.

pub(crate) mod spacer;

mod model;
mod refutation;

pub use model::model;
pub use refutation::refutation;
