//! Lowers C files and prints what comes out: `lower [--32] [--property P] [--text] FILE|DIR…`.
//! With a directory, every `.c` and `.i` below it, one line each: time, sizes, or what is wrong.

use frontend::c::lower::{LowerOptions, lower};
use frontend::c::types::DataModel;
use frontend::c::{COptions, parse_and_check};
use logic::{Pool, Value};
use program::interp::{Interpreter, Limits, Oracle};
use program::{EdgeId, Program, Property, SourceMap, VarId};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn collect(path: &Path, out: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let mut entries: Vec<PathBuf> = std::fs::read_dir(path)
            .map(|d| d.flatten().map(|e| e.path()).collect())
            .unwrap_or_default();
        entries.sort();
        entries.iter().for_each(|p| collect(p, out));
    } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
        out.push(path.into());
    }
}

fn run(text: &str, name: &str, options: &LowerOptions) -> Result<(Pool, Program), String> {
    let mut sources = SourceMap::default();
    let c = COptions {
        data_model: options.data_model,
        line_markers: false,
        ..COptions::default()
    };
    let place = |sources: &SourceMap, d: &program::Diagnostic| {
        format!("{}: {}", sources.place(d.span), d.message)
    };
    let (unit, _) = parse_and_check(&[(name, text)], &c, &mut sources)
        .map_err(|e| format!("parse: {}", place(&sources, &e[0])))?;
    let mut pool = Pool::new();
    let program = lower(&mut pool, &unit, options, &sources)
        .map_err(|e| format!("lower: {}", place(&sources, &e[0])))?;
    Ok((pool, program))
}

/// Every input is zero.
struct Defaults;

impl Oracle for Defaults {
    fn havoc(&mut self, _: EdgeId, _: &[VarId]) -> Option<Vec<Value>> {
        Some(Vec::new())
    }
}

fn main() {
    let mut options = LowerOptions {
        data_model: DataModel::Ilp32,
        ..LowerOptions::default()
    };
    let (mut files, mut show, mut execute) = (Vec::new(), false, false);
    let mut args = std::env::args().skip(1);
    while let Some(a) = args.next() {
        match a.as_str() {
            "--32" => options.data_model = DataModel::Ilp32,
            "--64" => options.data_model = DataModel::Lp64,
            "--text" => show = true,
            "--run" => execute = true,
            "--property" => {
                options.properties = match args.next().as_deref() {
                    Some("no-overflow") => BTreeSet::from([Property::NoOverflow]),
                    Some("valid-memsafety") => BTreeSet::from([
                        Property::ValidDeref,
                        Property::ValidFree,
                        Property::ValidMemtrack,
                    ]),
                    _ => BTreeSet::from([Property::Unreach]),
                }
            }
            path => collect(Path::new(path), &mut files),
        }
    }
    let (mut good, mut bad) = (0, 0);
    for file in files {
        let name = file.display().to_string();
        let Ok(bytes) = std::fs::read(&file) else {
            continue;
        };
        let text = String::from_utf8_lossy(&bytes);
        let start = Instant::now();
        let result = std::panic::catch_unwind(|| run(&text, &name, &options));
        let time = start.elapsed().as_millis();
        match result {
            Ok(Ok((pool, program))) => {
                good += 1;
                if execute {
                    let mut input = Defaults;
                    let run = Interpreter::new(&pool, &program).run(
                        &mut input,
                        &Limits {
                            trace: true,
                            ..Limits::default()
                        },
                    );
                    let last = run.trace.iter().rev().find(|t| t.depth == 0);
                    let line = last.map_or(0, |t| program.edges[t.edge].span.line);
                    println!(
                        "{:?} after {} steps, line {line}: {name}",
                        run.outcome, run.steps
                    );
                } else if show {
                    println!("{}", program::text::print(&pool, &program));
                    for n in program.assumptions.iter().chain(&program.notes) {
                        println!("// {}:{} {}", n.span.line, n.span.column, n.message);
                    }
                } else {
                    println!(
                        "ok {time} ms {} fn {} loc {} var {} arrays {} notes {name}",
                        program.functions.len(),
                        program.locations.len(),
                        program.vars.len(),
                        program.vars.iter().filter(|v| v.range.is_none()).count(),
                        program.notes.len(),
                    );
                }
            }
            Ok(Err(message)) => {
                bad += 1;
                println!("REJECTED {time} ms {name}: {message}");
            }
            Err(_) => {
                bad += 1;
                println!("PANIC {name}");
            }
        }
    }
    println!("{good} lowered, {bad} not");
}
