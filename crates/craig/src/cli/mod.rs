//! The command line: what each command takes ([`args`]), how that reads as options of the library
//! ([`options`]), the commands, the files that `check` writes ([`outputs`]), progress on a terminal.

pub mod args;
pub mod check;
pub mod commands;
mod functions;
pub mod options;
pub mod outputs;
pub mod progress;
pub mod validate;

use craig::{Error, VerdictKind};
use std::io::Write;
use std::path::Path;

/// The exit status for wrong input or usage.
pub const WRONG_INPUT: u8 = 3;

/// Writes to standard output; a closed pipe is no error of ours.
pub fn say(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// Ends an output: the last line and the exit status, both from the verdict.
pub fn conclude(verdict: VerdictKind) -> u8 {
    say(&format!("verdict: {verdict}\n"));
    match verdict {
        VerdictKind::Safe => 0,
        VerdictKind::Unsafe => 1,
        VerdictKind::Unknown => 2,
    }
}

/// The text of a file.
pub fn read(path: &Path) -> Result<String, Error> {
    std::fs::read_to_string(path).map_err(|e| Error::Message(format!("{}: {e}", path.display())))
}

/// Writes a file.
pub fn write(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(|e| Error::Message(format!("{}: {e}", path.display())))
}
