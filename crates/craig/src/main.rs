//! The command line of Craig: parses, runs the command, prints what is wrong. Exit status: 0 safe,
//! 1 unsafe, 2 unknown, 3 wrong input or usage.

#![forbid(unsafe_code)]

mod cli;

use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use cli::args::{Cli, Command};
use craig::{Error, diagnostics};
use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    // Panics become `unknown` with a note in the account instead of a message here.
    std::panic::set_hook(Box::new(craig::note_panic));
    let parsed = Cli::command().try_get_matches();
    let parsed = parsed.and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            let wrong = error.use_stderr();
            let _ = error.print();
            return ExitCode::from(if wrong { cli::WRONG_INPUT } else { 0 });
        }
    };
    let status = match cli.command {
        Command::Check(args) => cli::check::check(&args.with_package(), &given(&matches)),
        Command::Validate(args) => cli::validate::validate(&args),
        Command::Run(args) => cli::commands::run(&args),
        Command::Smt(args) => cli::commands::smt(&args),
        Command::Show(args) => cli::commands::show(&args),
        Command::Engines => cli::commands::engines(),
        Command::Project(args) => cli::project::project(*args),
        Command::Batch(args) => cli::batch::batch(&args),
        Command::Worker(args) => cli::project::worker(&args),
        Command::Lsp(args) => cli::lsp::serve(&args),
        Command::Completions { shell } => cli::commands::completions(shell),
        Command::Man { dir } => cli::commands::man(dir.as_deref()),
    };
    ExitCode::from(status.unwrap_or_else(|error| {
        let text = match &error {
            Error::Message(text) => format!("craig: {text}\n"),
            Error::Input {
                diagnostics,
                sources,
            } => diagnostics::draw(
                diagnostics,
                sources,
                std::io::stderr().is_terminal()
                    && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
            ),
        };
        let _ = std::io::stderr().write_all(text.as_bytes());
        cli::WRONG_INPUT
    }))
}

/// The options of the command that stand on the command line.
fn given(matches: &ArgMatches) -> BTreeSet<String> {
    let Some((_, command)) = matches.subcommand() else {
        return BTreeSet::new();
    };
    let from_line = |id: &&str| command.value_source(id) == Some(ValueSource::CommandLine);
    let ids: Vec<&str> = command.ids().map(|id| id.as_str()).collect();
    ids.into_iter()
        .filter(from_line)
        .map(String::from)
        .collect()
}
