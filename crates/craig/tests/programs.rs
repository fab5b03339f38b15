//! Every program under `tests/programs`, on every engine: one test each.
//!
//! A program says what it expects in its first lines:
//! ```c
//! //@ verdict: safe | unsafe | unknown FIXME why
//! //@ engines: all | all except NAME, NAME: reason | NAME, NAME
//! //@ property: no-overflow        (optional; unreach-call if not given)
//! //@ options: --32 --wrapv        (optional)
//! //@ no-aids: unknown NAME NAME    (optional)
//! ```
//! (Horn systems write `;@`), and `//~ violated` stands on the line of the violation. A tag
//! `unknown FIXME` fails when the verdict improves. An `unsafe` program is also compiled by `cc` with
//! the harness and must abort; for overflows and memory under a sanitiser, where only inputs decide
//! and `cc` has it.
//!
//! Each engine also runs each program with `--no-aids`: the algorithm of its paper alone, which may
//! give up or run out of its short time, but is never wrong. What it decides is held: an engine that
//! does not decide a program alone is named in the program's head, and only there. With `CRAIG_TEST_SOLVER=z3` in the environment z3 decides the engines' queries.

mod common;

use common::{Expectation, programs, read_head, root, runs_on, source_options};
use craig::EngineOptions;
use craig::{Checker, Engine, SolverChoice};
use evidence::Verdict;
use libtest_mimic::{Arguments, Failed, Trial};
use program::{InputKind, Stmt};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

const TIME: Duration = Duration::from_secs(60);
/// For an algorithm alone on a program that it is not known to decide: enough for a wrong verdict.
const ALONE_UNKNOWN: Duration = Duration::from_millis(700);
/// With another solver, each of whose answers goes through a pipe.
const TIME_WITH_OTHERS: Duration = Duration::from_secs(150);

/// The engines' options: another solver, if `CRAIG_TEST_SOLVER` names one (`tests/slow/solvers.sh`).
fn options() -> Result<EngineOptions, Failed> {
    let mut options = EngineOptions::default();
    if let Ok(name) = std::env::var("CRAIG_TEST_SOLVER") {
        let choice = SolverChoice {
            name,
            ..Default::default()
        };
        options.solvers = craig::solvers(&choice).map_err(|t| t.to_string())?;
    }
    Ok(options)
}

fn check(path: &Path, engine: &Engine, e: &Expectation) -> Result<(), Failed> {
    let options = options()?;
    let time = match options.solvers.external() {
        None => TIME,
        Some(_) => TIME_WITH_OTHERS,
    };
    let outcome = Checker::new()
        .engine(engine.clone())
        .engine_options(options)
        .time(time)
        .source(source_options(e)?)
        .check_file(path)
        .map_err(|t| t.to_string())?;
    let account = outcome.text();
    let expected = e.expected();
    if outcome.kind().as_str() != expected {
        return Err(format!(
            "verdict {}, expected {expected}\n{account}",
            outcome.kind().as_str()
        )
        .into());
    }
    if let (Verdict::Unsafe(_), Some(line)) = (outcome.verdict.get(), e.violated_line) {
        let trace = outcome.verdict.record().trace.as_ref();
        let tag = trace.and_then(|t| outcome.input.program.locations[t.error].error.as_ref());
        let found = tag.map(|t| t.span.line);
        if found != Some(line) {
            return Err(format!("violated in line {found:?}, expected {line}\n{account}").into());
        }
        // A harness does not pass arguments to `main`.
        let arguments = &outcome.input.program.functions[outcome.input.program.entry].params;
        if path.extension().is_some_and(|x| x == "c") && arguments.is_empty() {
            match e.property.as_deref() {
                None | Some("unreach-call") => run_harness(path, &outcome, &[])?,
                // The other violations show only under a sanitiser, and surely only if nothing but
                // the inputs decides.
                Some(property) if *engine == Engine::Portfolio && only_inputs(&outcome) => {
                    if let Some(flags) = sanitiser(property, outcome.input.options.bits32) {
                        run_harness(path, &outcome, &flags)?;
                    }
                }
                Some(_) => {}
            }
        }
    }
    Ok(())
}

/// The algorithm alone: the expected verdict, or `unknown` where the head says so.
fn check_alone(path: &Path, engine: &Engine, e: &Expectation) -> Result<(), Failed> {
    let mut options = options()?;
    options.aids = false;
    let time = match e.alone_unknown.contains(&engine.to_string()) {
        true => ALONE_UNKNOWN,
        false => TIME,
    };
    let outcome = Checker::new()
        .engine(engine.clone())
        .engine_options(options)
        .time(time)
        .source(source_options(e)?)
        .check_file(path)
        .map_err(|t| t.to_string())?;
    let expected = e.expected();
    let may_give_up = e.alone_unknown.contains(&engine.to_string());
    match outcome.kind().as_str() {
        verdict if verdict == expected => Ok(()),
        "unknown" if may_give_up => Ok(()),
        verdict => {
            Err(format!("verdict {verdict}, expected {expected}\n{}", outcome.text()).into())
        }
    }
}

/// The exit status of a program that a sanitiser stopped.
const SANITISER: i32 = 99;

/// What makes a compiled program stop at such a violation; `None` if `cc` has no such thing.
fn sanitiser(property: &str, bits32: bool) -> Option<Vec<&'static str>> {
    let mut flags = match property {
        "no-overflow" => vec![
            "-fsanitize=signed-integer-overflow,integer-divide-by-zero",
            "-fsanitize-undefined-trap-on-error",
        ],
        _ => vec!["-fsanitize=address"],
    };
    if bits32 {
        flags.push("-m32");
    }
    static KNOWN: Mutex<BTreeMap<String, bool>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().ok()?;
    let works = known.entry(flags.join(" ")).or_insert_with(|| {
        let binary = std::env::temp_dir().join(format!("craig-sanitiser-{}", std::process::id()));
        let mut cc = Command::new("cc");
        cc.args(&flags).args(["-x", "c", "-", "-o"]).arg(&binary);
        cc.stdin(Stdio::piped()).stderr(Stdio::null());
        let Ok(mut child) = cc.spawn() else {
            return false;
        };
        let wrote = child
            .stdin
            .take()
            .map(|mut s| s.write_all(b"int main(void) { return 0; }"));
        let built = wrote.is_some() && child.wait().is_ok_and(|s| s.success());
        let runs = built && Command::new(&binary).status().is_ok_and(|s| s.success());
        let _ = std::fs::remove_file(&binary);
        runs
    });
    if !*works {
        common::skipped(&format!("cc has no {}", flags.join(" ")));
    }
    works.then_some(flags)
}

/// Does nothing but the values of input functions decide the execution?
fn only_inputs(outcome: &craig::Outcome) -> bool {
    let trace = outcome.verdict.record().trace.as_ref();
    trace.is_some_and(|t| {
        t.inputs.iter().all(|c| {
            let stmt = &outcome.input.program.edges[c.edge].stmt;
            matches!(stmt, Stmt::Havoc(_, InputKind::Nondet { .. }))
        })
    })
}

/// Compiles the program with its harness and expects it to abort.
fn run_harness(path: &Path, outcome: &craig::Outcome, flags: &[&str]) -> Result<(), Failed> {
    let Some(text) = outcome.harness() else {
        return Err("an unsafe verdict has a harness".into());
    };
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let unique = format!("{stem}-{}-{}", outcome.account.engine, std::process::id());
    let dir = std::env::temp_dir().join(format!("craig-harness-{unique}"));
    std::fs::create_dir_all(&dir)?;
    let (harness, binary) = (dir.join("harness.c"), dir.join("program"));
    std::fs::write(&harness, text)?;
    let mut cc = Command::new("cc");
    if outcome.input.options.bits32 {
        cc.arg("-m32");
    }
    let compiled = cc
        .args(flags)
        .args(["-w", "-o"])
        .args([&binary, path, &harness])
        .arg("-lm")
        .output();
    let Ok(compiled) = compiled else {
        common::skipped("no cc to compile the harness");
        return Ok(());
    };
    if !compiled.status.success() {
        return Err(String::from_utf8_lossy(&compiled.stderr)
            .into_owned()
            .into());
    }
    let status = Command::new(&binary)
        .env(
            "ASAN_OPTIONS",
            format!("exitcode={SANITISER}:detect_leaks=1"),
        )
        .env("LSAN_OPTIONS", format!("exitcode={SANITISER}"))
        .output()?
        .status;
    std::fs::remove_dir_all(&dir)?;
    if status
        .code()
        .is_some_and(|c| flags.is_empty() || c != SANITISER)
    {
        return Err(format!("the harness does not reach the error: {status}").into());
    }
    Ok(())
}

fn main() -> std::io::Result<()> {
    let arguments = Arguments::from_args();
    let root = root();
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
        for engine in Engine::all() {
            let word = engine.to_string();
            if !runs_on(&expectation, &word) {
                continue;
            }
            let (file, e, kind) = (path.clone(), expectation.clone(), engine.clone());
            trials.push(Trial::test(format!("{name} [{word}]"), move || {
                check(&file, &kind, &e)
            }));
            if let Engine::Alone(kind) = engine
                && !kind.entry().bounded
            {
                let (file, e) = (path.clone(), expectation.clone());
                trials.push(Trial::test(format!("{name} [{word} alone]"), move || {
                    check_alone(&file, &engine, &e)
                }));
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}
