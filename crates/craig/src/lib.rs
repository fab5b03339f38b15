//! Craig as a library: [`Checker`] runs a check and returns an [`Outcome`] whose verdict has passed
//! the evidence checker. The command (`main.rs`) is a thin layer over this crate.
//!
//! This is the only crate with files, environment, clock, processes and standard output.

#![forbid(unsafe_code)]

mod check;
pub mod horn;
mod load;
pub mod run;
pub mod show;
pub mod smt;
pub mod witness;

pub use check::{
    Checker, OnProgress, Outcome, SolverChoice, Watchdog, cross_check, memory, note_panic,
    on_deep_stack, process, solvers,
};
pub use load::{
    Language, Loaded, Preprocessor, Properties, SourceOptions, SourceText, Trouble, diagnostics,
    load, load_texts,
};
pub use witness::validate;

/// The engine when none is named: `portfolio` where it exists, else the first of the table.
pub fn default_engine() -> &'static str {
    let names = || engine::ENGINES.iter().map(|e| e.name);
    names()
        .find(|n| *n == "portfolio")
        .or_else(|| names().next())
        .unwrap_or("none")
}
