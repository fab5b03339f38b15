//! `--cross-check z3`: every obligation of a proof once more, by another solver.
//!
//! The solver is one process that reads the scripts of the certificate from standard input; it must
//! answer `unsat` to each `check-sat`. Anything else takes the `safe` back.

use evidence::{Proof, certificate};
use logic::Pool;
use program::Program;
use std::io::Write;
use std::process::{Command, Stdio};

/// How to start a solver that reads SMT-LIB from standard input.
fn command_of(solver: &str) -> Command {
    let mut words = solver.split_whitespace();
    let name = words.next().unwrap_or("z3");
    let mut command = Command::new(name);
    command.args(words);
    match name.rsplit('/').next() {
        Some("z3") => command.arg("-in"),
        Some("cvc5") => command.args(["--incremental", "--lang=smt2"]),
        _ => &mut command,
    };
    command
}

/// How many obligations the solver confirmed, or what went wrong.
pub fn cross_check(
    pool: &mut Pool,
    program: &Program,
    proof: &Proof,
    solver: &str,
) -> Result<usize, String> {
    let scripts = certificate::scripts(pool, program, proof)
        .map_err(|_| "the obligations cannot be written down".to_string())?;
    let mut confirmed = 0;
    for script in &scripts {
        let answers = ask(solver, &script.text)?;
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

fn ask(solver: &str, script: &str) -> Result<Vec<String>, String> {
    let mut child = command_of(solver)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| format!("cannot run `{solver}` ({e}); is it installed and on the PATH?"))?;
    let mut stdin = child.stdin.take();
    let output = std::thread::scope(|scope| {
        // Writing and reading at once: neither pipe can fill up and block the other side.
        let writer = scope.spawn(move || {
            stdin
                .as_mut()
                .map_or(Ok(()), |pipe| pipe.write_all(script.as_bytes()))
        });
        let output = child.wait_with_output();
        let _ = writer.join();
        output
    })
    .map_err(|e| format!("`{solver}` failed: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text
        .lines()
        .map(|l| l.trim().to_string())
        .filter(|l| !l.is_empty())
        .collect())
}
