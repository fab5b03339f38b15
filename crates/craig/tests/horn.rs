//! Answers in the words of Horn systems: models that z3 accepts, derivations that end in `false`,
//! and other programs' models that our checker accepts.

#![allow(clippy::unwrap_used)]

mod common;

use base::Budget;
use craig::{Checker, Outcome};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

fn systems(end: &str) -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/horn");
    let mut list: Vec<PathBuf> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|p| p.to_str().unwrap().ends_with(end))
        .collect();
    list.sort();
    assert!(!list.is_empty());
    list
}

fn check(path: &Path, functions: bool) -> Outcome {
    let mut source = craig::SourceOptions::default();
    let mut checker = Checker::new().time(Duration::from_secs(60));
    if functions {
        source.horn_shape = frontend::horn::Shape::Functions;
        checker = checker.engine(craig::EngineKind::Whale);
    }
    checker.source(source).check_file(path).ok().unwrap()
}

/// What z3 prints for a script; `None` if it is not installed.
fn z3(script: &str) -> Option<String> {
    craig::process::find("z3").ok()?;
    let mut child = Command::new("z3")
        .arg("-in")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(script.as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    Some(String::from_utf8(output.stdout).unwrap())
}

/// The system with its predicates defined, each assertion to be refuted.
fn validation(system: &str, model: &str) -> String {
    let model = model.trim();
    let mut script = model[1..model.len() - 1].to_string();
    for command in system.split("\n(").filter(|c| c.starts_with("assert")) {
        let body = command.trim_end().strip_prefix("assert").unwrap();
        let body = body.split("\n;").next().unwrap().trim_end();
        let body = body.strip_suffix(')').unwrap();
        script += &format!("(push)\n(assert (not {body}))\n(check-sat)\n(pop)\n");
    }
    script
}

fn z3_accepts(path: &Path, model: &str) {
    let text = std::fs::read_to_string(path).unwrap();
    let script = validation(&text, model);
    let count = script.matches("(check-sat)").count();
    assert_eq!(count, text.matches("(assert").count());
    let Some(answers) = z3(&script) else {
        common::skipped("z3 is not installed");
        return;
    };
    let lines: Vec<&str> = answers.lines().collect();
    assert_eq!(lines, vec!["unsat"; count], "{}:\n{script}", path.display());
}

#[test]
fn models() {
    for path in systems("_safe.smt2") {
        let mut outcome = check(&path, false);
        assert_eq!(outcome.kind().as_str(), "safe", "{}", path.display());
        let model = craig::horn::model(&mut outcome, &Budget::unlimited());
        let model = model.unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        z3_accepts(&path, &model);
    }
}

/// The same with a function per predicate, also for linear systems.
#[test]
fn models_from_contracts() {
    for name in ["chain_safe.smt2", "forms_safe.smt2", "tree_safe.smt2"] {
        let path = systems(name).remove(0);
        let mut outcome = check(&path, true);
        assert_eq!(outcome.kind().as_str(), "safe", "{name}");
        let model = craig::horn::model(&mut outcome, &Budget::unlimited());
        z3_accepts(&path, &model.unwrap_or_else(|why| panic!("{name}: {why}")));
    }
}

#[test]
fn refutations() {
    for path in systems("_unsafe.smt2") {
        for functions in [false, true] {
            if functions && path.to_str().unwrap().contains("array") {
                continue;
            }
            let mut outcome = check(&path, functions);
            assert_eq!(outcome.kind().as_str(), "unsafe", "{}", path.display());
            let text = craig::horn::refutation(&mut outcome, &Budget::unlimited());
            let text = text.unwrap_or_else(|why| panic!("{}: {why}", path.display()));
            let last = text.lines().last().unwrap();
            assert!(last.contains(". false  by the clause in line"), "{text}");
        }
    }
}

/// A derivation is what the clauses say: its facts in order, each with its premises.
#[test]
fn refutation_of_a_tree() {
    let path = systems("tree_unsafe.smt2").remove(0);
    let mut outcome = check(&path, false);
    let text = craig::horn::refutation(&mut outcome, &Budget::unlimited()).unwrap();
    assert!(
        text.contains("(sum 0 1)  by the clause in line 5"),
        "{text}"
    );
    assert!(
        text.contains(" 4)  by the clause in line 6 from "),
        "{text}"
    );
}

const SAFE: &str = "extern int __VERIFIER_nondet_int(void); extern void abort(void);
    void reach_error(void) { abort(); }
    int limit;
    int next(int x) { if (x < limit) return x + 1; return x; }
    int main(void) { limit = __VERIFIER_nondet_int(); if (limit < 3) abort();
      int x = 0;
      while (__VERIFIER_nondet_int()) x = next(x);
      if (x > limit) reach_error(); return 0; }";
const UNSAFE: &str = "extern int __VERIFIER_nondet_int(void); extern void abort(void);
    void reach_error(void) { abort(); }
    int main(void) { int x = 0;
      while (__VERIFIER_nondet_int()) x += 3;
      if (x == 9) reach_error(); return 0; }";

#[test]
fn clauses_solved_by_z3() {
    if craig::process::find("z3").is_err() {
        common::skipped("z3 is not installed");
        return;
    }
    for (text, expected) in [(SAFE, "safe"), (UNSAFE, "unsafe")] {
        let checker = Checker::new()
            .engine(craig::Engine::Clauses("z3".into()))
            .time(Duration::from_secs(60));
        let outcome = checker.check_text("test.c", text).ok().unwrap();
        let account = outcome.text();
        assert_eq!(outcome.kind().as_str(), expected, "{account}");
    }
}

/// What another program claims counts for nothing.
#[test]
fn clauses_solved_by_liars() {
    let always = |text: &str| format!("sh -c echo${{IFS}}{text}");
    for (answer, text) in [("sat", UNSAFE), ("unsat", SAFE), ("nonsense", SAFE)] {
        let checker = Checker::new()
            .engine(craig::Engine::Clauses(always(answer)))
            .time(Duration::from_secs(20));
        let outcome = checker.check_text("test.c", text).ok().unwrap();
        assert_eq!(outcome.kind().as_str(), "unknown", "{answer}");
    }
}
