//! Says what abstract execution makes of a program in the text form of `craig show --as cfa`, and why it gives up.
//!
//! `cargo run --release -p craig-evidence --example execute_abstractly -- sites|shapes|both|links FILE.cfa [THOUSAND_TICKS]`
//!
//! `both` sets errors aside by `sites` and has `shapes` look at the cone of the others, `links` at that without data.

use base::{Budget, Work};
use evidence::{Proof, Scope, Verdict, check, set_aside};
use logic::{Op, Pool};
use program::passes::Detail;
use program::text::parse;
use program::{Access, AccessKind, Program, Stmt};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (scope, file) = match arguments.as_slice() {
        [scope, file, ..] if scope == "sites" => (Scope::Sites, file),
        [scope, file, ..] if matches!(scope.as_str(), "shapes" | "both" | "links") => {
            (Scope::Shapes, file)
        }
        _ => {
            eprintln!(
                "usage: execute_abstractly sites|shapes|both|links FILE.cfa [THOUSAND_TICKS]"
            );
            return ExitCode::from(3);
        }
    };
    let ticks = arguments.get(2).and_then(|n| n.parse().ok());
    let mut pool = Pool::new();
    let program = match std::fs::read_to_string(file) {
        Ok(text) => parse(&mut pool, &text).map_err(|e| format!("{e:?}")),
        Err(e) => Err(e.to_string()),
    };
    let mut program = match program {
        Ok(program) => program,
        Err(why) => {
            eprintln!("{file}: {why}");
            return ExitCode::from(3);
        }
    };
    // The text form does not say how memory is modelled: blocks are what addresses are divided by, and every check is one of
    // memory.
    program.memory.block = block(&pool, &program);
    let checks = program.locations.iter_enumerated();
    let checks = checks.filter(|(_, l)| l.error.is_some()).map(|(l, _)| l);
    let access = Access {
        kind: AccessKind::Read,
        value: pool.int(0),
        extent: None,
    };
    program.memory.accesses = checks.map(|l| (l, access.clone())).collect();
    let cone = match arguments[0].as_str() {
        "both" => Some(Detail::Full),
        "links" => Some(Detail::Links),
        _ => None,
    };
    let proof = Proof {
        cone,
        ..Proof::by(scope)
    };
    let slice = || Budget::unlimited().with_slice(Work::thousand(ticks.unwrap_or(10_000)));
    let aside = cone.map(|_| set_aside(&mut pool, &program, &slice()));
    let program = match aside {
        Some(Ok(aside)) => {
            let left = aside.left(&program);
            let open = left.locations.iter_enumerated();
            let open = open.filter(|(_, l)| l.error.is_some());
            let open: Vec<String> = open.map(|(l, _)| l.to_string()).collect();
            println!(
                "set aside: {} errors, left: {}",
                aside.len(),
                open.join(" ")
            );
            left
        }
        _ => program,
    };
    let checked = check(&mut pool, &program, Verdict::Safe(proof), &slice());
    println!("{:?}", checked.get());
    ExitCode::SUCCESS
}

/// The largest number that something is divided by.
fn block(pool: &Pool, program: &Program) -> u64 {
    let mut roots = Vec::new();
    for edge in program.edges.iter() {
        match &edge.stmt {
            Stmt::Assume(c) => roots.push(*c),
            Stmt::Assign(pairs) => roots.extend(pairs.iter().map(|(_, t)| *t)),
            _ => {}
        }
    }
    let divisors = pool.post_order(&roots).into_iter();
    let divisors = divisors.filter_map(|t| match (pool.op(t), pool.args(t)) {
        (Op::IntDiv, &[_, by]) => pool.as_number(by)?.to_i64(),
        _ => None,
    });
    divisors.max().map_or(0, i64::cast_unsigned)
}
