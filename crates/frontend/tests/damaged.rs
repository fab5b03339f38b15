//! Damaged texts: no reader panics or hangs, whatever it is given, and refuses with a place. Seeds are the texts
//! under `tests/` and `tests/programs`; the damage is `testkit`'s. What once broke a reader is under `damaged/`.
#![allow(clippy::unwrap_used)]

use frontend::c::lower::{LowerOptions, lower};
use logic::Pool;
use program::{Diagnostic, Property, SourceMap};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use testkit::damage::{deeply, fail, run_campaign, try_all};

const ROUNDS: usize = 60;

/// Reads a text; the error is what is wrong with the answer.
type Reader = fn(&str) -> Result<(), String>;

/// A refusal says what is wrong, and where.
fn refused(diagnostics: &[Diagnostic]) -> Result<(), String> {
    let said = |d: &Diagnostic| !d.message.is_empty() && d.span.is_known();
    // Only that there is nothing to start from has no place.
    let nothing = |d: &Diagnostic| d.message.starts_with("there is no ");
    match diagnostics.first() {
        None => Err("refused without a word".into()),
        Some(d) if diagnostics.iter().all(|d| said(d) || nothing(d)) || said(d) => Ok(()),
        Some(d) => Err(format!("refused without a place: {}", d.message)),
    }
}

fn c(text: &str) -> Result<(), String> {
    let mut sources = SourceMap::default();
    let read = frontend::c::parse_and_check(&[("x.c", text)], &Default::default(), &mut sources);
    let (unit, _) = match read {
        Ok(read) => read,
        Err(diagnostics) => return refused(&diagnostics),
    };
    for properties in [vec![Property::Unreach], vec![Property::ValidDeref]] {
        let options = LowerOptions {
            properties: BTreeSet::from_iter(properties),
            ..LowerOptions::default()
        };
        match lower(&mut Pool::new(), &unit, &options, &sources) {
            Ok(program) => program.check_invariants(),
            Err(diagnostics) => return refused(&diagnostics),
        }
    }
    Ok(())
}

fn boogie(text: &str) -> Result<(), String> {
    let options = Default::default();
    let read = frontend::boogie::read(
        &mut Pool::new(),
        "x.bpl",
        text,
        &options,
        &mut SourceMap::default(),
    );
    match read {
        Ok(read) => read.program.check_invariants(),
        Err(diagnostics) => return refused(&diagnostics),
    }
    Ok(())
}

fn iproc(text: &str) -> Result<(), String> {
    let read = frontend::iproc::read(
        &mut Pool::new(),
        "x.iproc",
        text,
        None,
        &mut SourceMap::default(),
    );
    match read {
        Ok(read) => read.program.check_invariants(),
        Err(diagnostics) => return refused(&diagnostics),
    }
    Ok(())
}

fn horn(text: &str) -> Result<(), String> {
    for shape in [
        frontend::horn::Shape::Natural,
        frontend::horn::Shape::Functions,
    ] {
        let read = frontend::horn::read(
            &mut Pool::new(),
            "x.smt2",
            text,
            shape,
            &mut SourceMap::default(),
        );
        match read {
            Ok(read) => read.program.check_invariants(),
            Err(diagnostics) => return refused(&diagnostics),
        }
    }
    Ok(())
}

fn llvm(text: &str) -> Result<(), String> {
    let mut sources = SourceMap::default();
    let read = match frontend::llvm::read("x.ll", text, "main", &mut sources) {
        Ok(read) => read,
        Err(diagnostics) => return refused(&diagnostics),
    };
    let options = LowerOptions {
        entry: read.entry,
        ..LowerOptions::default()
    };
    match lower(&mut Pool::new(), &read.unit, &options, &sources) {
        Ok(program) => program.check_invariants(),
        Err(diagnostics) => return refused(&diagnostics),
    }
    Ok(())
}

fn texts(end: &str) -> Vec<String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut work: Vec<PathBuf> = vec![here.join("tests"), here.join("../../tests/programs")];
    let mut paths = Vec::new();
    while let Some(path) = work.pop() {
        if path.is_dir() {
            work.extend(std::fs::read_dir(path).unwrap().map(|e| e.unwrap().path()));
        } else if path.to_str().unwrap().ends_with(end) {
            paths.push(path);
        }
    }
    paths.sort();
    assert!(!paths.is_empty());
    let read = |p: &PathBuf| String::from_utf8_lossy(&std::fs::read(p).unwrap()).into_owned();
    paths.iter().map(read).collect()
}

/// `CRAIG_CAMPAIGN=COUNT:SEED`: about COUNT damaged texts of each language.
#[test]
#[ignore = "a campaign: minutes to hours"]
fn campaign() {
    let readers: [(&str, Reader); 5] = [
        (".ll", llvm),
        (".c", c),
        (".bpl", boogie),
        (".iproc", iproc),
        (".smt2", horn),
    ];
    let run = move || {
        let kept = readers.map(|(end, read)| run_campaign(end, &texts(end), read));
        assert_eq!(kept.iter().sum::<usize>(), 0);
    };
    deeply(run);
}

#[test]
fn damaged_c() {
    deeply(|| assert!(try_all(&texts(".c"), c, 2, 0, fail) > 0));
}

#[test]
fn damaged_boogie() {
    deeply(|| assert!(try_all(&texts(".bpl"), boogie, ROUNDS, 0, fail) > 0));
}

#[test]
fn damaged_iproc() {
    deeply(|| assert!(try_all(&texts(".iproc"), iproc, ROUNDS, 0, fail) > 0));
}

#[test]
fn damaged_llvm() {
    deeply(|| assert!(try_all(&texts(".ll"), llvm, 20, 0, fail) > 0));
}

#[test]
fn damaged_horn() {
    deeply(|| assert!(try_all(&texts(".smt2"), horn, ROUNDS, 0, fail) > 0));
}

/// Deep nesting is refused or read, never a stack overflow (checks run on deep stacks; this is
/// what a reader must survive on the stack that checks have).
#[test]
fn deep_nesting() {
    let run = || {
        for depth in [300, 20_000] {
            let (open, close) = ("(".repeat(depth), ")".repeat(depth));
            let text = format!("procedure main() {{ assert {open} true {close}; }}");
            boogie(&text).unwrap();
            boogie(&format!(
                "procedure main() {{ assert {}true; }}",
                "!".repeat(depth)
            ))
            .unwrap();
            let text = format!("proc main() returns (x) {{ assume {open} x == 0 {close}; }}");
            iproc(&text).unwrap();
            let not = "(not ".repeat(depth);
            let text = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (forall ((x Int)) ";
            horn(&format!("{text} {not} (p x) {close}))(check-sat)")).unwrap();
            horn(&format!(
                "{text} (=> {not} (= x 0) {close} (p x))))(check-sat)"
            ))
            .unwrap();
        }
    };
    deeply(run);
}

/// Texts that once broke a reader: `tests/damaged/`.
#[test]
fn what_once_broke() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/damaged");
    let mut tried = 0;
    for entry in std::fs::read_dir(here).unwrap() {
        let path = entry.unwrap().path();
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let read: Reader = match path.extension().and_then(|e| e.to_str()) {
            Some("c") => c,
            Some("bpl") => boogie,
            Some("iproc") => iproc,
            Some("ll") => llvm,
            _ => horn,
        };
        deeply(move || read(&text).unwrap());
        tried += 1;
    }
    assert!(tried > 0);
}
