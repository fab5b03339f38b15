//! Verdicts and their evidence, and the checker that re-checks it without knowing any engine.

mod verdict;

pub use verdict::{Contract, Counterexample, Proof, Reason, Scope, Step, Verdict};
