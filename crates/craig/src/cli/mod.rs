//! The command line: what each command takes ([`args`], [`scale_args`]), how that reads as options of the library
//! ([`options`]), options of a project ([`config`]), the commands, the files that `check` writes
//! ([`outputs`]), what options do nothing ([`idle`]), colours and progress on a terminal.

pub mod args;
pub mod batch;
pub mod check;
pub mod commands;
pub mod config;
mod functions;
pub mod idle;
pub mod lsp;
pub mod options;
pub mod outputs;
pub mod paint;
pub mod progress;
pub mod project;
pub mod project_table;
pub mod scale_args;
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
    conclude_in(verdict, false)
}

/// As [`conclude`], perhaps in colour.
pub fn conclude_in(verdict: VerdictKind, colour: bool) -> u8 {
    let line = format!("verdict: {verdict}\n");
    say(&if colour { paint::account(&line) } else { line });
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

/// Says something beside the answer, on standard error.
pub fn remark(text: &str) {
    let _ = std::io::stderr().write_all(format!("craig: {text}\n").as_bytes());
}

/// Writes a file; `-` is standard output.
pub fn write(path: &Path, text: &str) -> Result<(), Error> {
    if path.as_os_str() == "-" {
        say(text);
        return Ok(());
    }
    std::fs::write(path, text).map_err(|e| Error::Message(format!("{}: {e}", path.display())))
}
