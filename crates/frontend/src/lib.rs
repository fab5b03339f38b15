//! Front ends of Craig: text in, a program of the model out, with diagnostics on the way.
//!
//! Nothing here knows a solver or an engine, and nothing reads files: the `craig` crate hands in
//! text (preprocessed where it had directives) and draws the diagnostics.

#![forbid(unsafe_code)]

pub mod boogie;
mod builder;
pub mod c;
pub mod horn;
pub mod iproc;
pub mod llvm;
