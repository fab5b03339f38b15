//! Craig proves programs safe or finds inputs on which they violate a property.
//!
//! [`Checker`] runs a check. Its [`Outcome`] holds a verdict that has passed the evidence checker: no
//! engine is trusted, every proof is derived again obligation by obligation and every
//! counterexample is replayed on the program as it was read.
//!
//! # Checking a program and reading the proof
//! ```
//! use craig::{Checker, Verdict};
//! use std::time::Duration;
//!
//! let program = "
//!     extern int __VERIFIER_nondet_int(void); extern void abort(void);
//!     void reach_error(void) { abort(); }
//!     int main(void) {
//!       int n = __VERIFIER_nondet_int(), x = 0, y = 0;
//!       while (x < n) { x++; y += 2; }
//!       if (y != 2 * x) reach_error();
//!     }";
//! let outcome = Checker::new()
//!     .time(Duration::from_secs(30))
//!     .check_text("twice.c", program)?;
//!
//! let Verdict::Safe(proof) = outcome.verdict.get() else {
//!     panic!("{}", outcome.text());
//! };
//! // The proof as the checker saw it: a formula at locations of the program in `proof.scope` …
//! assert!(!proof.invariants.is_empty());
//! assert!(outcome.verdict.record().obligations > 0);
//! // … and as a reader of the source sees it: an expression at each loop.
//! for invariant in outcome.loop_invariants() {
//!     println!("line {}: {}", invariant.span.line, invariant.text);
//! }
//! assert_eq!(outcome.loop_invariants().len(), 1);
//! # Ok::<(), craig::Error>(())
//! ```
//!
//! # Reading a counterexample
//! ```
//! use craig::{Checker, Verdict};
//!
//! let program = "
//!     extern int __VERIFIER_nondet_int(void); extern void abort(void);
//!     void reach_error(void) { abort(); }
//!     int main(void) { if (__VERIFIER_nondet_int() == 77) reach_error(); }";
//! let outcome = Checker::new().check_text("key.c", program)?;
//! assert!(matches!(outcome.verdict.get(), Verdict::Unsafe(_)));
//! let value = outcome.inputs()[0].value.as_num().and_then(|n| n.to_i64());
//! assert_eq!(value, Some(77));
//! // A C file that, compiled with the program, makes it abort.
//! assert!(outcome.harness().is_some());
//! # Ok::<(), craig::Error>(())
//! ```
//!
//! [`Outcome`] also writes JSON, SARIF, HTML, witnesses and certificates. The command (`main.rs`) is a
//! thin layer over this crate, the only one with files, environment, clock, processes and standard
//! output.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod batch;
mod check;
mod error;
pub mod horn;
mod load;
pub mod lsp;
pub mod project;
mod reproduce;
pub mod run;
pub mod smt;
pub mod witness;

pub use check::date::now_iso8601 as now;
pub use check::{
    Account, Checker, Engine, OnProgress, Outcome, Plan, PlanError, SolverChoice, Watchdog,
    cross_check, functions, memory, note_panic, on_deep_stack, process, solvers,
};
pub use error::Error;
pub use load::{
    Language, Loaded, Preprocessor, Properties, SourceOptions, SourceText, diagnostics, load,
    load_texts, show, show_log,
};
pub use reproduce::reproduce;
pub use witness::validate;

pub use base::{Budget, Stop};
pub use engine::{EngineKind, EngineOptions, Outline, PredabsOptions, Progress, TraceOptions};
pub use evidence::{
    Checked, Contract, Counterexample, Proof, Reason, Record, Scope, Step, Verdict, VerdictKind,
};
pub use report::{Confirmation, Input, InputFile, LoopInvariant, WitnessVersion};
