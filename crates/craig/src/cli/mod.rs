//! The command line: what each command takes ([`args`]), progress on a terminal ([`progress`]).

pub mod args;
pub mod progress;
