//! Says what abstract execution makes of a program in the text form of `craig show --as cfa`, and why it gives up.
//!
//! `cargo run --release -p craig-evidence --example execute_abstractly -- sites|shapes|both FILE.cfa [THOUSAND_TICKS]`

use base::{Budget, Work};
use evidence::{Proof, Scope, Verdict, check, set_aside};
use logic::Pool;
use program::passes::Detail;
use program::text::parse;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (scope, file) = match arguments.as_slice() {
        [scope, file, ..] if scope == "sites" => (Scope::Sites, file),
        [scope, file, ..] if scope == "shapes" || scope == "both" => (Scope::Shapes, file),
        _ => {
            eprintln!("usage: execute_abstractly sites|shapes|both FILE.cfa [THOUSAND_TICKS]");
            return ExitCode::from(3);
        }
    };
    let ticks = arguments.get(2).and_then(|n| n.parse().ok());
    let mut pool = Pool::new();
    let program = match std::fs::read_to_string(file) {
        Ok(text) => parse(&mut pool, &text).map_err(|e| format!("{e:?}")),
        Err(e) => Err(e.to_string()),
    };
    let program = match program {
        Ok(program) => program,
        Err(why) => {
            eprintln!("{file}: {why}");
            return ExitCode::from(3);
        }
    };
    let proof = Proof {
        cone: (arguments[0] == "both").then_some(Detail::Full),
        ..Proof::by(scope)
    };
    let slice = || Budget::unlimited().with_slice(Work::thousand(ticks.unwrap_or(10_000)));
    let aside = (arguments[0] == "both").then(|| set_aside(&mut pool, &program, &slice()));
    let program = match aside {
        Some(Ok(aside)) => {
            println!("set aside: {} errors", aside.len());
            aside.left(&program)
        }
        _ => program,
    };
    let checked = check(&mut pool, &program, Verdict::Safe(proof), &slice());
    println!("{:?}", checked.get());
    ExitCode::SUCCESS
}
