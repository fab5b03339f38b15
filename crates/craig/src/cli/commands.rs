//! The short commands: `run`, `smt`, `show`, `engines`.

use super::args::{RunArgs, ShowArgs, SmtArgs};
use super::{read, say};
use craig::{Engine, Error};
use std::io::{BufWriter, Write};

/// Runs a program in the interpreter; the exit status is the program's.
pub fn run(args: &RunArgs) -> Result<u8, Error> {
    let mut options = args.source.options()?;
    options.wrapv = true;
    options.running = true;
    let inputs = match (&args.inputs, args.seed) {
        (Some(path), _) => craig::run::Inputs::parse(&read(path)?)?,
        (None, Some(seed)) => craig::run::Inputs::Random(seed),
        (None, None) => craig::run::Inputs::Zero,
    };
    let ended = craig::on_deep_stack(|| {
        let loaded = craig::load(&args.files, &options)?;
        let mut out = BufWriter::new(std::io::stdout());
        let (start, steps) = (start(args), args.steps);
        Ok(craig::run::run(&loaded, inputs, start, steps, &mut out))
    })?;
    if let Some(note) = ended.note {
        let _ = writeln!(std::io::stderr(), "craig: {note}");
    }
    Ok(ended.status)
}

/// The command line and the environment that the program gets.
fn start(args: &RunArgs) -> craig::run::Start {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let name = args
        .files
        .first()
        .map(|f| f.as_os_str().as_bytes().to_vec());
    let rest = args.arguments.iter().map(|a| a.as_bytes().to_vec());
    craig::run::Start {
        arguments: name.into_iter().chain(rest).collect(),
        environment: std::env::vars_os()
            .map(|(n, v)| (n.into_vec(), v.into_vec()))
            .collect(),
    }
}

/// Runs SMT-LIB scripts in the native solver.
pub fn smt(args: &SmtArgs) -> Result<u8, Error> {
    let budget = args.budget.budget();
    let mut status = 0;
    for file in &args.files {
        let text = if file.as_os_str() == "-" {
            std::io::read_to_string(std::io::stdin()).map_err(|e| format!("standard input: {e}"))?
        } else {
            read(file)?
        };
        let one = craig::on_deep_stack(|| {
            let mut out = BufWriter::new(std::io::stdout().lock());
            // A closed pipe is no error of ours.
            Ok(craig::smt::run(&text, &budget, &mut out).unwrap_or(0))
        })?;
        status = status.max(one);
    }
    Ok(status)
}

/// Shows a program in one of its forms.
pub fn show(args: &ShowArgs) -> Result<u8, Error> {
    if let Some(log) = &args.log {
        say(&craig::show_log::dot(&read(log)?)?);
        return Ok(0);
    }
    let options = args.source.options()?;
    let text =
        craig::on_deep_stack(|| craig::show::show(&args.files, &options, args.form, args.dot))?;
    say(&text);
    Ok(0)
}

/// Lists the engines.
pub fn engines() -> Result<u8, Error> {
    for engine in Engine::all() {
        say(&format!(
            "{:<10} {}\n",
            engine.to_string(),
            engine.summary()
        ));
    }
    Ok(0)
}
