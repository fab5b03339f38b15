//! Verdicts and their evidence, and the checker that re-checks it without knowing any engine.
//!
//! Flow: an engine returns a [`Verdict`]; [`check`] derives the proof's obligations anew
//! (`obligations`, over loop-free `region`s) or replays the counterexample (`replay`), and returns
//! a [`Checked`] verdict, the only kind that reports accept. `certificate` writes a proof down so
//! that others can check it; `findings` keeps what is known of each check of a program; `complete` finds assertions at locations that a proof passes over.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod boxes;
pub mod certificate;
mod checked;
pub mod complete;
mod context;
mod execute;
pub mod findings;
mod flow;
mod obligations;
mod region;
mod replay;
mod shapes;
mod sites;
mod tables;
mod taint;
mod unrolled;
mod verdict;

pub use checked::{Aside, Checked, Record, Subject, check, describe, set_aside};
pub use execute::execute;
pub use findings::{Check, Decision, Finding, Findings};
pub use obligations::{Duty, Obligation};
pub use program::{Contract, Step};
pub use replay::{Chosen, Trace};
pub use tables::derived_facts;
pub use verdict::{Counterexample, Proof, Reason, Rest, Scope, Verdict, VerdictKind};
