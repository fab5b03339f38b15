//! Craig as a library: [`Checker`] runs a check and returns an [`Outcome`] whose verdict has passed
//! the evidence checker. The command (`main.rs`) is a thin layer over this crate.
//!
//! This is the only crate with files, environment, clock, processes and standard output.

mod check;
mod clock;
pub mod cross_check;
pub mod diagnostics;
pub mod horn;
mod language;
pub mod limits;
mod load;
mod preprocess;
mod printf;
pub mod process;
mod property;
pub mod run;
pub mod show;
pub mod smt_command;
mod solvers;
mod spacer;
pub mod validate;
mod watchdog;
pub mod witness;

pub use check::{Checker, OnProgress, Outcome, note_panic, on_deep_stack};
pub use load::{Language, Loaded, SourceOptions, SourceText, Trouble, load, load_texts};
pub use preprocess::Preprocessor;
pub use property::Properties;
pub use solvers::{SolverChoice, solvers};
pub use watchdog::Watchdog;

/// The engine when none is named: `portfolio` where it exists, else the first of the table.
pub fn default_engine() -> &'static str {
    let names = || engine::ENGINES.iter().map(|e| e.name);
    names()
        .find(|n| *n == "portfolio")
        .or_else(|| names().next())
        .unwrap_or("none")
}
