//! Other solvers: the same verdicts with z3 and cvc5 where they are installed, and no wrong one
//! with solvers that crash, hang, talk nonsense or lie.

#![allow(clippy::unwrap_used)]

mod common;

use craig::{Checker, EngineKind, SolverChoice, solvers};
use engine::EngineOptions;
use std::path::Path;
use std::time::Duration;

const SAFE: &str = "extern int __VERIFIER_nondet_int(void); extern void abort(void);
    void reach_error(void) { abort(); }
    int main(void) { int n = __VERIFIER_nondet_int(); int x = 0, y = 0;
      while (x < n) { x++; y += 2; }
      if (n > 0 && y != 2 * x) reach_error(); return 0; }";
const UNSAFE: &str = "extern int __VERIFIER_nondet_int(void); extern void abort(void);
    void reach_error(void) { abort(); }
    int main(void) { int n = __VERIFIER_nondet_int();
      if (n > 1000 && n % 77 == 5) reach_error(); return 0; }";
const RECURSIVE: &str = "extern int __VERIFIER_nondet_int(void); extern void abort(void);
    void reach_error(void) { abort(); }
    int sum(int n) { if (n <= 0) return 0; return 1 + sum(n - 1); }
    int main(void) { int n = __VERIFIER_nondet_int(); if (sum(n) < 0) reach_error(); return 0; }";

const BITS: &str = "extern unsigned __VERIFIER_nondet_uint(void); extern void abort(void);
    void reach_error(void) { abort(); }
    int main(void) { unsigned x = __VERIFIER_nondet_uint(), y = x;
      while (y != 0) { y = y & (y - 1); if (y == x) reach_error(); } return 0; }";

/// Verdict, engine's notes and counters.
fn check(
    engine: EngineKind,
    text: &str,
    choice: &SolverChoice,
) -> (String, String, Vec<(String, u64)>) {
    let outcome = Checker::new()
        .engine(engine)
        .engine_options(EngineOptions {
            solvers: solvers(choice).ok().unwrap(),
            ..Default::default()
        })
        .time(Duration::from_secs(30))
        .check_text("test.c", text)
        .ok()
        .unwrap();
    (
        outcome.kind().as_str().into(),
        outcome.account.engine,
        outcome.account.counters,
    )
}

fn counter(stats: &[(String, u64)], name: &str) -> u64 {
    stats.iter().find(|s| s.0 == name).map_or(0, |s| s.1)
}

fn same_verdicts(name: &str) {
    if craig::process::find(name).is_err() {
        common::skipped(&format!("{name} is not installed"));
        return;
    }
    let choice = SolverChoice {
        name: name.into(),
        ..Default::default()
    };
    let cases = [
        (EngineKind::Impact, SAFE, "safe"),
        (EngineKind::Impact, UNSAFE, "unsafe"),
        (EngineKind::Impact, BITS, "safe"),
        (EngineKind::Split, SAFE, "safe"),
        (EngineKind::Whale, RECURSIVE, "safe"),
        (EngineKind::Whale, UNSAFE, "unsafe"),
    ];
    for (engine, text, expected) in cases {
        let (word, notes, stats) = check(engine, text, &choice);
        assert_eq!(word, expected, "{engine} with {name}: {notes} {stats:?}");
        // Random runs may find an error before any solver is asked.
        if expected == "safe" {
            assert!(counter(&stats, "solver_checks") > 0, "{name} was asked");
        }
        assert_eq!(counter(&stats, "solver_failures"), 0, "{notes}");
    }
}

#[test]
fn z3_decides() {
    same_verdicts("z3");
}

#[test]
fn cvc5_decides() {
    same_verdicts("cvc5");
}

/// A liar of each kind, with and without assumptions in its dialect.
#[test]
fn misbehaving_solvers() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/solvers/fake.sh");
    for name in ["native", "z3", "cvc5"] {
        for kind in [
            "crash", "hang", "garbage", "error", "unsat", "sat", "unknown",
        ] {
            for (text, truth) in [(SAFE, "safe"), (UNSAFE, "unsafe")] {
                let choice = SolverChoice {
                    name: name.into(),
                    command: Some(format!("sh {} {kind}", script.display())),
                    limit: Duration::from_millis(300),
                    ..Default::default()
                };
                let (word, notes, stats) = check(EngineKind::Impact, text, &choice);
                // Who says nothing useful is stood in for; only a liar costs the verdict.
                let liar = ["unsat", "sat"].contains(&kind);
                assert!(
                    word == truth || liar && word == "unknown",
                    "{kind}: {word} for a program that is {truth}"
                );
                if truth == "safe" && !liar {
                    let native = counter(&stats, "solver_native_answers");
                    assert!(native > 0, "{kind}: {stats:?}");
                }
                if truth == "safe" && ["crash", "hang", "garbage", "error"].contains(&kind) {
                    assert!(counter(&stats, "solver_failures") > 0, "{kind}: {stats:?}");
                    assert!(notes.contains("failed"), "{kind}: {notes}");
                }
            }
        }
    }
}

#[test]
fn missing_programs() {
    for (name, command, wanted) in [
        (
            "z3",
            Some("no-such-program -in"),
            "no program `no-such-program`",
        ),
        ("bitwuzla", None, "no integer arithmetic"),
        ("no-such-solver", None, "solvers: native, z3"),
    ] {
        let choice = SolverChoice {
            name: name.into(),
            command: command.map(String::from),
            ..Default::default()
        };
        match solvers(&choice) {
            Err(craig::Error::Message(text)) => assert!(text.contains(wanted), "{text}"),
            _ => panic!("{name} cannot be there"),
        }
    }
}

#[test]
fn problems_are_written_and_read_back() {
    let dir = std::env::temp_dir().join(format!("craig-smt-out-{}", std::process::id()));
    let choice = SolverChoice {
        out: Some(dir.clone()),
        ..Default::default()
    };
    let (word, _, stats) = check(EngineKind::Impact, SAFE, &choice);
    assert_eq!(word, "safe");
    let mut files: Vec<_> = std::fs::read_dir(&dir)
        .unwrap()
        .map(|f| f.unwrap().path())
        .collect();
    files.sort();
    assert!(!files.is_empty());
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let mut pool = logic::Pool::new();
        let script = logic::smtlib::parse_script(&mut pool, &text);
        assert!(script.is_ok(), "{}: {:?}", file.display(), script.err());
    }
    let used = counter(&stats, "interpolants_proof_used");
    let problems = files
        .iter()
        .filter(|f| f.to_string_lossy().contains("interpolation"));
    assert!(problems.count() as u64 >= used);
    std::fs::remove_dir_all(dir).unwrap();
}
