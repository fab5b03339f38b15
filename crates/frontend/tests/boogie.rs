//! Every file under `tests/boogie/ok` is read and its program kept as a snapshot; every file under
//! `tests/boogie/errors` must be rejected with the diagnostics of its snapshot.
#![allow(clippy::unwrap_used)]

use frontend::boogie::{BoogieOptions, BoogieProgram, read};
use logic::Pool;
use program::{Diagnostic, SourceMap};
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn files(folder: &str) -> Vec<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/boogie")
        .join(folder);
    let mut list: Vec<PathBuf> = std::fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    list.sort();
    list
}

fn show(list: &[Diagnostic], sources: &SourceMap) -> String {
    let mut out = String::new();
    for d in list {
        let place = sources.place(d.span);
        writeln!(out, "{place}: {:?}: {}", d.severity, d.message).unwrap();
        if let Some(line) = sources.line_text(d.span) {
            let gap = " ".repeat(d.span.column as usize - 1);
            let mark = "^".repeat(d.span.len as usize);
            writeln!(out, "    {line}\n    {gap}{mark}").unwrap();
        }
    }
    out
}

fn read_text(
    pool: &mut Pool,
    name: &str,
    text: &str,
) -> (Result<BoogieProgram, Vec<Diagnostic>>, SourceMap) {
    let mut sources = SourceMap::default();
    let result = if name.ends_with(".iproc") {
        frontend::iproc::read(pool, name, text, None, &mut sources)
    } else {
        read(pool, name, text, &BoogieOptions::default(), &mut sources)
    };
    (result, sources)
}

#[test]
fn accepted_files() {
    for path in files("ok") {
        let name = path.file_name().unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let mut pool = Pool::new();
        let (result, sources) = read_text(&mut pool, name, &text);
        match result {
            Ok(read) => {
                read.program.check_invariants();
                let mut out = show(&read.warnings, &sources);
                if let Some(note) = &read.inexact {
                    writeln!(out, "inexact: {}", note.message).unwrap();
                }
                out += &program::text::print(&pool, &read.program);
                insta::assert_snapshot!(format!("boogie_ok_{name}"), out);
            }
            Err(list) => panic!("{name} is rejected:\n{}", show(&list, &sources)),
        }
    }
}

#[test]
fn rejected_files() {
    for path in files("errors") {
        let name = path.file_name().unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let (result, sources) = read_text(&mut Pool::new(), name, &text);
        match result {
            Ok(_) => panic!("{name} is accepted"),
            Err(list) => {
                insta::assert_snapshot!(format!("boogie_errors_{name}"), show(&list, &sources));
            }
        }
    }
}

/// No text makes the reader panic: prefixes and one-token changes of every accepted file.
#[test]
fn damaged_files() {
    for path in files("ok") {
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        for (i, _) in text.char_indices().step_by(7) {
            let _ = read_text(&mut Pool::new(), &name, &text[..i]);
            let end = text[i..].find(' ').map_or(text.len(), |n| i + n);
            let without = format!("{}{}", &text[..i], &text[end..]);
            let _ = read_text(&mut Pool::new(), &name, &without);
            let twice = format!("{}{}", &text[..end], &text[i..]);
            let _ = read_text(&mut Pool::new(), &name, &twice);
        }
    }
}

/// What is printed means the same: the programs have the same text form.
#[test]
fn printed_files() {
    for path in files("ok") {
        let name = path.file_name().unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        if !name.ends_with(".bpl") {
            continue;
        }
        let file = SourceMap::default().add(name, &text);
        let Ok(unit) = frontend::boogie::parse(&text, file) else {
            panic!("{name} is rejected");
        };
        let again = frontend::boogie::print::print(&unit);
        let form = |text: &str| {
            let mut pool = Pool::new();
            let (result, sources) = read_text(&mut pool, name, text);
            match result {
                Ok(mut read) => {
                    // Places and messages follow the text.
                    let nowhere = program::Span::unknown();
                    for l in read.program.locations.iter_mut() {
                        l.span = nowhere;
                        l.loop_head = l.loop_head.map(|_| nowhere);
                        if let Some(tag) = &mut l.error {
                            tag.span = nowhere;
                            tag.message = String::new();
                        }
                    }
                    read.program.edges.iter_mut().for_each(|e| e.span = nowhere);
                    read.program.vars.iter_mut().for_each(|v| v.span = nowhere);
                    read.program.notes.clear();
                    for f in read.program.functions.iter_mut() {
                        f.span = nowhere;
                    }
                    program::text::print(&pool, &read.program)
                }
                Err(list) => panic!("{name} is rejected:\n{}", show(&list, &sources)),
            }
        };
        assert_eq!(form(&text), form(&again), "{name}");
    }
}
