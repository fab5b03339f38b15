//! `--cross-check z3`: every obligation of a proof once more, by another solver.
//!
//! The solver is one process for each script of the certificate; it must answer `unsat` to each
//! `check-sat`. Anything else takes the `safe` back.

use crate::check::process::Processes;
use evidence::{Proof, certificate};
use logic::Pool;
use program::Program;
use smt::external::{Launch, Received, entry};
use std::time::{Duration, Instant};

/// How many obligations the solver confirmed, or what went wrong. `solver` is a name of the
/// solver table or a command; each script may take `limit`.
pub fn cross_check(
    pool: &mut Pool,
    program: &Program,
    proof: &Proof,
    solver: &str,
    limit: Duration,
) -> Result<usize, String> {
    let scripts = certificate::scripts(pool, program, proof)
        .map_err(|_| "the obligations cannot be written down".to_string())?;
    let mut confirmed = 0;
    for script in &scripts {
        let answers = ask(solver, &script.text, script.shows.len(), limit)?;
        for (i, what) in script.shows.iter().enumerate() {
            match answers.get(i).map(String::as_str) {
                Some("unsat") => confirmed += 1,
                Some(other) => return Err(format!("{solver} answers `{other}` for: {what}")),
                None => return Err(format!("{solver} gives no answer for: {what}")),
            }
        }
    }
    Ok(confirmed)
}

/// The first `count` lines of the answer.
fn ask(solver: &str, script: &str, count: usize, limit: Duration) -> Result<Vec<String>, String> {
    let (command, arguments, hint) = match entry(solver) {
        Some(e) => {
            let arguments = e.arguments.iter().map(|a| a.to_string()).collect();
            (e.command.to_string(), arguments, e.install)
        }
        None => {
            let mut words = solver.split_whitespace().map(String::from);
            let command = words.next().unwrap_or_default();
            (command, words.collect::<Vec<_>>(), "is the command right?")
        }
    };
    let mut process = Processes::default()
        .start(&command, &arguments)
        .map_err(|why| format!("{why}; to install: {hint}"))?;
    process.send(script)?;
    let deadline = Instant::now() + limit;
    let mut answers = Vec::new();
    while answers.len() < count {
        let left = deadline.saturating_duration_since(Instant::now());
        match process.line(left) {
            Received::Line(line) if line.trim().is_empty() => {}
            Received::Line(line) => answers.push(line.trim().to_string()),
            Received::Nothing if left.is_zero() => break,
            Received::Nothing => {}
            Received::Closed => break,
        }
    }
    Ok(answers)
}
