//! The short commands: `run`, `smt`, `show`, `engines`, `completions`, `man`.

use super::args::{Cli, RunArgs, ShowArgs, SmtArgs, SourceArgs};
use super::config::Config;
use super::{read, say, write};
use clap::CommandFactory;
use craig::{Engine, Error};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

fn options(source: &SourceArgs, files: &[PathBuf]) -> Result<craig::SourceOptions, Error> {
    let config = Config::of(files, source.config.as_deref(), !source.no_config)?;
    source.options(&config)
}

/// Runs a program in the interpreter; the exit status is the program's.
pub fn run(args: &RunArgs) -> Result<u8, Error> {
    let mut options = options(&args.source, &args.files)?;
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
    let options = options(&args.source, &args.files)?;
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

/// Prints the script that completes commands and options in a shell.
pub fn completions(shell: clap_complete::Shell) -> Result<u8, Error> {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "craig", &mut out);
    say(&String::from_utf8_lossy(&out));
    Ok(0)
}

/// Prints the manual page, or writes one a command into a folder.
pub fn man(dir: Option<&Path>) -> Result<u8, Error> {
    let page = |command: clap::Command| -> Result<String, Error> {
        let mut out = Vec::new();
        let drawn = clap_mangen::Man::new(command).render(&mut out);
        drawn.map_err(|e| Error::Message(e.to_string()))?;
        Ok(String::from_utf8_lossy(&out).into_owned())
    };
    let mut root = Cli::command();
    root.build();
    let Some(dir) = dir else {
        say(&page(root)?);
        return Ok(0);
    };
    std::fs::create_dir_all(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    for command in root.get_subcommands().filter(|c| c.get_name() != "help") {
        let name = format!("craig-{}", command.get_name());
        let text = page(command.clone().display_name(name.clone()))?;
        write(&dir.join(format!("{name}.1")), &text)?;
    }
    write(&dir.join("craig.1"), &page(root)?)?;
    Ok(0)
}
