//! Every file under `tests/c/ok` is read and its typed tree kept as a snapshot; every file under
//! `tests/c/errors` must be rejected with the diagnostics of its snapshot.
#![allow(clippy::unwrap_used)]

use frontend::c::types::DataModel;
use frontend::c::{COptions, dump::dump, parse_and_check};
use program::{Diagnostic, SourceMap};
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn files(folder: &str) -> Vec<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/c")
        .join(folder);
    let mut list: Vec<PathBuf> = std::fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "c"))
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
            writeln!(
                out,
                "    {line}\n    {gap}{}",
                "^".repeat(d.span.len as usize)
            )
            .unwrap();
        }
        if let Some(help) = &d.help {
            writeln!(out, "    help: {help}").unwrap();
        }
    }
    out
}

fn options(name: &str) -> COptions {
    let data_model = if name.contains("ilp32") {
        DataModel::Ilp32
    } else {
        DataModel::Lp64
    };
    COptions {
        data_model,
        ..COptions::default()
    }
}

#[test]
fn accepted_files() {
    for path in files("ok") {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let mut sources = SourceMap::default();
        let file = format!("{name}.c");
        match parse_and_check(&[(&file, &text)], &options(name), &mut sources) {
            Ok((unit, warnings)) => {
                let tree = show(&warnings, &sources) + &dump(&unit);
                insta::assert_snapshot!(format!("ok_{name}"), tree);
            }
            Err(list) => panic!("{name} is rejected:\n{}", show(&list, &sources)),
        }
    }
}

#[test]
fn rejected_files() {
    for path in files("errors") {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let mut sources = SourceMap::default();
        let file = format!("{name}.c");
        match parse_and_check(&[(&file, &text)], &options(name), &mut sources) {
            Ok(_) => panic!("{name} is accepted"),
            Err(list) => insta::assert_snapshot!(format!("error_{name}"), show(&list, &sources)),
        }
    }
}
