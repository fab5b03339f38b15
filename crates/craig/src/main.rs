//! The command line of Craig: parses, runs the command, prints what is wrong. Exit status: 0 safe,
//! 1 unsafe, 2 unknown, 3 wrong input or usage.

#![forbid(unsafe_code)]

mod cli;

use clap::Parser;
use cli::args::{Cli, Command};
use craig::{Error, diagnostics};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    // Panics become `unknown` with a note in the account instead of a message here.
    std::panic::set_hook(Box::new(craig::note_panic));
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let wrong = error.use_stderr();
            let _ = error.print();
            return ExitCode::from(if wrong { cli::WRONG_INPUT } else { 0 });
        }
    };
    let status = match cli.command {
        Command::Check(args) => cli::check::check(&args),
        Command::Validate(args) => cli::validate::validate(&args),
        Command::Run(args) => cli::commands::run(&args),
        Command::Smt(args) => cli::commands::smt(&args),
        Command::Show(args) => cli::commands::show(&args),
        Command::Engines => cli::commands::engines(),
        Command::Project(args) => cli::project::project(*args),
        Command::Batch(args) => cli::batch::batch(&args),
        Command::Worker(args) => cli::project::worker(&args),
    };
    ExitCode::from(status.unwrap_or_else(|error| {
        let text = match &error {
            Error::Message(text) => format!("craig: {text}\n"),
            Error::Input {
                diagnostics,
                sources,
            } => diagnostics::draw(diagnostics, sources, std::io::stderr().is_terminal()),
        };
        let _ = std::io::stderr().write_all(text.as_bytes());
        cli::WRONG_INPUT
    }))
}
