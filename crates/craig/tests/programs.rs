//! Every program under `tests/programs`, on every engine: one test each.
//!
//! A program says what it expects in its first lines:
//! ```c
//! //@ verdict: safe | unsafe | unknown FIXME why
//! //@ engines: all | all except NAME, NAME: reason | NAME, NAME
//! //@ property: no-overflow        (optional; unreach-call if not given)
//! //@ options: --32 --wrapv        (optional)
//! ```
//! (Horn systems write `;@`), and `//~ violated` stands on the line of the violation. A tag `unknown FIXME` fails when the
//! verdict improves. An `unsafe` program is also compiled by `cc` with the harness and must abort.

use craig::{Checker, Properties, SourceOptions};
use evidence::Verdict;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const TIME: Duration = Duration::from_secs(60);

#[derive(Clone, Debug, Default)]
struct Expectation {
    verdict: String,
    engines: String,
    property: Option<String>,
    options: String,
    violated_line: Option<u32>,
}

fn read_head(text: &str) -> Expectation {
    let mut e = Expectation {
        engines: "all".into(),
        ..Default::default()
    };
    for (i, line) in text.lines().enumerate() {
        if let Some((key, value)) = line
            .strip_prefix("//@")
            .or_else(|| line.strip_prefix(";@"))
            .and_then(|rest| rest.split_once(':'))
        {
            let value = value.trim().to_string();
            match key.trim() {
                "verdict" => e.verdict = value,
                "engines" => e.engines = value,
                "property" => e.property = Some(value),
                "options" => e.options = value,
                other => panic!("unknown key `{other}` in the head of a test program"),
            }
        }
        if line.contains("//~ violated") {
            e.violated_line = Some(i as u32 + 1);
        }
    }
    e
}

fn runs_on(e: &Expectation, engine: &str) -> bool {
    let list = e.engines.split(':').next().unwrap_or("");
    let has = |names: &str| names.split(',').any(|n| n.trim() == engine);
    match list.strip_prefix("all except") {
        Some(names) => !has(names),
        None => list.trim() == "all" || has(list),
    }
}

fn source_options(e: &Expectation) -> Result<SourceOptions, Failed> {
    let name = e.property.as_deref().unwrap_or("unreach-call");
    let properties = Properties::from_name(name).ok_or(format!("no property `{name}`"))?;
    let mut options = SourceOptions {
        properties,
        ..Default::default()
    };
    for word in e.options.split_whitespace() {
        match word {
            "--32" => options.bits32 = true,
            "--64" => options.bits32 = false,
            "--wrapv" => options.wrapv = true,
            other => return Err(format!("unknown option `{other}`").into()),
        }
    }
    options.preprocessor.bits32 = options.bits32;
    Ok(options)
}

fn check(path: &Path, engine: &str, e: &Expectation) -> Result<(), Failed> {
    let outcome = Checker::new()
        .engine(engine)
        .time(TIME)
        .source(source_options(e)?)
        .check_file(path)
        .map_err(|t| t.to_string())?;
    let account = report::text(&outcome.subject());
    let expected = e.verdict.split_whitespace().next().unwrap_or("");
    if outcome.word() != expected {
        return Err(format!("verdict {}, expected {expected}\n{account}", outcome.word()).into());
    }
    if let (Verdict::Unsafe(_), Some(line)) = (outcome.verdict.get(), e.violated_line) {
        let trace = outcome.verdict.record().trace.as_ref();
        let tag = trace.and_then(|t| outcome.program.locations[t.error].error.as_ref());
        let found = tag.map(|t| t.span.line);
        if found != Some(line) {
            return Err(format!("violated in line {found:?}, expected {line}\n{account}").into());
        }
        // Only `reach_error` and assertions are visible in a compiled program.
        if e.property.is_none() && path.extension().is_some_and(|x| x == "c") {
            run_harness(path, &outcome)?;
        }
    }
    Ok(())
}

/// Compiles the program with its harness and expects it to abort.
fn run_harness(path: &Path, outcome: &craig::Outcome) -> Result<(), Failed> {
    let Some(text) = report::harness(&outcome.subject()) else {
        return Err("an unsafe verdict has a harness".into());
    };
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let unique = format!("{stem}-{}-{}", outcome.engine, std::process::id());
    let dir = std::env::temp_dir().join(format!("craig-harness-{unique}"));
    std::fs::create_dir_all(&dir)?;
    let (harness, binary) = (dir.join("harness.c"), dir.join("program"));
    std::fs::write(&harness, text)?;
    let mut cc = Command::new("cc");
    if outcome.source.bits32 {
        cc.arg("-m32");
    }
    let compiled = cc
        .args(["-w", "-o"])
        .args([&binary, path, &harness])
        .output();
    let Ok(compiled) = compiled else {
        eprintln!("skipped: no cc to compile the harness");
        return Ok(());
    };
    if !compiled.status.success() {
        return Err(String::from_utf8_lossy(&compiled.stderr)
            .into_owned()
            .into());
    }
    let status = Command::new(&binary).output()?.status;
    std::fs::remove_dir_all(&dir)?;
    if status.code().is_some() {
        return Err(format!("the harness does not reach the error: {status}").into());
    }
    Ok(())
}

fn programs(dir: &Path, out: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            programs(&path, out)?;
        } else if path
            .extension()
            .and_then(|e| e.to_str())
            .is_some_and(|e| ["c", "bpl", "iproc", "smt2"].contains(&e))
        {
            out.push(path);
        }
    }
    Ok(())
}

fn main() -> std::io::Result<()> {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut paths = Vec::new();
    programs(&root, &mut paths)?;
    paths.sort();
    let mut trials = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path)?;
        let expectation = read_head(&text);
        let name = path
            .strip_prefix(&root)
            .unwrap_or(&path)
            .display()
            .to_string();
        for entry in engine::ENGINES {
            if !runs_on(&expectation, entry.name) {
                continue;
            }
            let (path, expectation) = (path.clone(), expectation.clone());
            trials.push(Trial::test(format!("{name} [{}]", entry.name), move || {
                check(&path, entry.name, &expectation)
            }));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}
