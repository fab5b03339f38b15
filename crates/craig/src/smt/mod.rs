//! `craig smt`: runs SMT-LIB 2 scripts on the native solver.
//!
//! check-sat, check-sat-assuming, models, values, unsat cores of named assertions, and
//! interpolants: sequences and trees, as SMTInterpol and OpenSMT spell them. A faulty command
//! answers `(error "line:column: …")` and the script goes on; the status at the end tells.

mod backend;
mod session;

pub use backend::{Backend, Interpolation, Native};

use base::Budget;
use logic::smtlib::{CommandKind, NoHooks, ScriptReader, Sources};
use session::{Session, error_response};
use std::io::{self, Write};

/// Runs a script; the number of commands that failed.
pub fn run_script(
    text: &str,
    backend: &mut dyn Backend,
    budget: &Budget,
    out: &mut dyn Write,
) -> io::Result<usize> {
    let mut session = Session::new(backend, budget.clone());
    let mut reader = ScriptReader::new(text).with_budget(budget).with_words();
    let mut failures = 0;
    let mut checked = false;
    let mut in_row = 0;
    while let Some(next) = reader.next(&mut session.pool, &mut NoHooks) {
        let result = match next {
            Ok(command) => {
                use CommandKind::{CheckSat, CheckSatAssuming};
                checked |= matches!(command.kind, CheckSat | CheckSatAssuming(_));
                let exit = matches!(command.kind, CommandKind::Exit);
                match &command.kind {
                    CommandKind::SetOption(key, value) if key == ":produce-proofs" => {
                        reader.parser.sources = (value == "true").then(Sources::default);
                    }
                    CommandKind::Reset => reader.parser.sources = None,
                    _ => {}
                }
                let sources = reader.parser.sources.as_ref();
                let result = session.run(command.kind, sources).map_err(|message| {
                    let position = command.position;
                    format!("{position}: {message}")
                });
                if exit {
                    respond(out, result, &mut failures)?;
                    break;
                }
                result
            }
            Err(error) => Err(error.to_string()),
        };
        in_row = if result.is_err() { in_row + 1 } else { 0 };
        respond(out, result, &mut failures)?;
        if in_row >= ERRORS {
            let message = format!("{ERRORS} errors in a row; the rest is not read");
            respond(out, Err(message), &mut failures)?;
            break;
        }
        // Reading a large text takes time too; before the first check nothing else would notice.
        if !checked && budget.check().is_err() {
            respond(out, Ok(Some("unknown".into())), &mut failures)?;
            break;
        }
    }
    if reader.stopped().is_some() {
        respond(out, Ok(Some("unknown".into())), &mut failures)?;
    }
    if text.len() > LARGE {
        std::mem::forget(reader);
        std::mem::forget(session);
    }
    Ok(failures)
}

/// Faulty commands in a row after which a text is taken for no script at all.
const ERRORS: usize = 1000;

/// Bytes of a script after which its terms are left to the end of the process: to give back millions
/// of them one by one takes seconds.
const LARGE: usize = 1 << 20;

fn respond(
    out: &mut dyn Write,
    result: Result<Option<String>, String>,
    failures: &mut usize,
) -> io::Result<()> {
    match result {
        Ok(None) => Ok(()),
        Ok(Some(text)) => {
            writeln!(out, "{text}")?;
            out.flush()
        }
        Err(message) => {
            *failures += 1;
            writeln!(out, "{}", error_response(&message))?;
            out.flush()
        }
    }
}

/// Runs a script on the native solver; a panic of the solver is an error response. The exit status:
/// 0, or 1 when a command failed.
pub fn run(text: &str, budget: &Budget, out: &mut dyn Write) -> io::Result<u8> {
    let attempt = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let mut solver = Native::new();
        let failures = run_script(text, &mut solver, budget, out);
        if text.len() > LARGE {
            std::mem::forget(solver);
        }
        failures
    }));
    match attempt {
        Ok(failures) => Ok(u8::from(failures? > 0)),
        Err(panic) => {
            let what = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("unknown");
            let message = format!("internal error: {what}; please report this");
            writeln!(out, "{}", error_response(&message))?;
            Ok(1)
        }
    }
}
