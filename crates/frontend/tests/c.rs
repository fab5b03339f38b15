//! Every file under `tests/c/ok` is read and its typed tree kept as a snapshot; every file under
//! `tests/c/errors` must be rejected with the diagnostics of its snapshot.
#![allow(clippy::unwrap_used)]

use frontend::c::types::DataModel;
use frontend::c::{COptions, hir::dump::dump, parse_and_check};
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

fn read(files: &[(&str, &str)]) -> Result<String, String> {
    let mut sources = SourceMap::default();
    match parse_and_check(files, &COptions::default(), &mut sources) {
        Ok((unit, warnings)) => Ok(show(&warnings, &sources) + &dump(&unit)),
        Err(list) => Err(show(&list, &sources)),
    }
}

#[test]
fn files_are_linked() {
    let a = "extern int shared; static int own = 1; int g(int); static int help(void) { return own; }
             int main(void) { return g(shared) + help(); } struct s { int x; }; extern struct s both;";
    let b = "int shared = 3; static int own = 2; static int help(void) { return own; }
             int g(int n) { return n + help(); } struct s { int x; }; struct s both = {4};";
    insta::assert_snapshot!(read(&[("a.c", a), ("b.c", b)]).unwrap());
    let twice = read(&[("a.c", b), ("b.c", b)]).unwrap_err();
    assert!(
        twice.contains("b.c:1:5: Error: `shared` is defined again"),
        "{twice}"
    );
}

#[test]
fn line_markers_name_the_place() {
    let text =
        "# 1 \"main.c\"\n# 10 \"inc.h\" 1\nint a;\nint b = c;\n# 3 \"main.c\" 2\nint d = e;\n";
    let errors = read(&[("main.i", text)]).unwrap_err();
    assert!(
        errors.contains("inc.h:11:9: Error: `c` is not declared"),
        "{errors}"
    );
    assert!(
        errors.contains("main.c:3:9: Error: `e` is not declared"),
        "{errors}"
    );
}

#[test]
fn real_directives_need_the_preprocessor() {
    use frontend::c::needs_preprocessing;
    assert!(needs_preprocessing("int x;\n #include <stdio.h>\n"));
    assert!(needs_preprocessing("#define A\n"));
    assert!(!needs_preprocessing(
        "# 1 \"a.c\"\n#line 3\n#pragma once\n#ident \"x\"\n#\nint x;"
    ));
    assert!(!needs_preprocessing("/*\n#define A\n*/ char *s = \"#if\";"));
}

#[test]
fn deep_nesting_is_an_error_not_a_crash() {
    let wrap = |open: &str, middle: &str, close: &str, n: usize| {
        format!(
            "void f(void) {{ {}{middle}{} }}",
            open.repeat(n),
            close.repeat(n)
        )
    };
    for (text, ok) in [
        (
            format!("int x = {}1{};", "(".repeat(900), ")".repeat(900)),
            true,
        ),
        (wrap("{", ";", "}", 900), true),
        (wrap("{", ";", "}", 100_000), false),
        (wrap("if (1) ", ";", "", 100_000), false),
        (wrap("- ", "1;", "", 100_000), false),
        (
            format!("int f(int x) {{ return {}x; }}", "x + ".repeat(9_000)),
            true,
        ),
        (wrap("1 + ", "1;", "", 100_000), false),
        (wrap("1 ? 1 : ", "1;", "", 100_000), false),
        (wrap("if (1) ; else ", ";", "", 5_000), true),
        (wrap("a = ", "1;", "", 100_000), false),
        (format!("int {}x;", "(".repeat(100_000)), false),
        (format!("int x = {};", "{".repeat(100_000)), false),
        (format!("{}int a;", "struct { ".repeat(100_000)), false),
        (format!("int f{};", "(int g".repeat(100_000)), false),
        (format!("int x = {};", "sizeof(int[".repeat(100_000)), false),
    ] {
        let mut sources = SourceMap::default();
        let result = parse_and_check(&[("deep.c", &text)], &COptions::default(), &mut sources);
        assert_eq!(result.is_ok(), ok, "{}", &text[..60]);
    }
}

/// Random edits of the files above: any answer will do, as long as there is one.
#[test]
fn mutated_files_never_panic() {
    let mut seed = 0x2545_f491_4f6c_dd1du64;
    let mut next = |n: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % n.max(1) as u64) as usize
    };
    let mut texts = Vec::new();
    for path in files("ok").iter().chain(&files("errors")) {
        let text = std::fs::read_to_string(path).unwrap();
        if text.len() < 6000 {
            texts.push(text);
        }
    }
    let pieces = [
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ";",
        ",",
        "*",
        "&",
        "=",
        "0",
        "1.5",
        "int",
        "struct s",
        "typedef",
        "x",
        "\"s\"",
        "'c'",
        "sizeof",
        "...",
        "?",
        ":",
        "->",
        ".",
        "case 1:",
        "\\",
        "#",
        "/*",
        "static",
        "__attribute__((packed))",
        "void",
        "-1",
        "[1 ... 3] =",
        "({",
        "})",
        "enum",
    ];
    for round in 0..1500 {
        let mut text: Vec<char> = texts[next(texts.len())].chars().collect();
        for _ in 0..1 + next(4) {
            let at = next(text.len() + 1);
            match next(4) {
                0 => {
                    let end = (at + next(20)).min(text.len());
                    text.drain(at..end);
                }
                1 => {
                    let piece = pieces[next(pieces.len())];
                    text.splice(at..at, format!(" {piece} ").chars());
                }
                2 => {
                    let end = (at + next(80)).min(text.len());
                    let copy: Vec<char> = text[at..end].to_vec();
                    let to = next(text.len() + 1);
                    text.splice(to..to, copy);
                }
                _ => {
                    let other = &texts[next(texts.len())];
                    let line = other.lines().nth(next(other.lines().count())).unwrap_or("");
                    text.splice(at..at, line.chars());
                }
            }
        }
        let text: String = text.into_iter().collect();
        let result = std::panic::catch_unwind(|| read(&[("m.c", &text)]));
        assert!(result.is_ok(), "round {round} panics:\n{text}");
    }
}
