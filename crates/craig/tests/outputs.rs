//! Outputs agree: text, JSON, SARIF, witness and exit status say one verdict, also when a
//! cross-check takes a proof back; and assumptions are told with every verdict.
#![allow(clippy::unwrap_used)]

use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::Command;

const SAFE: &str = "extern int __VERIFIER_nondet_int(void); extern void abort(void);
    void reach_error(void) { abort(); }
    int main(void) { int n = __VERIFIER_nondet_int(), x = 0, y = 0;
      while (x < n) { x++; y += 2; }
      if (n > 0 && y != 2 * x) reach_error(); return 0; }";
const UNSAFE: &str = "extern int __VERIFIER_nondet_int(void); extern void abort(void);
    void reach_error(void) { abort(); }
    int main(void) { int n = __VERIFIER_nondet_int();
      if (n > 0 && n < 1000 && n + 1 == 78) reach_error(); return 0; }";

/// What a run said, in each of its outputs.
struct Said {
    text: String,
    status: Option<i32>,
    json: Json,
    sarif: Json,
    witness: Option<String>,
    certificate: Option<String>,
}

fn check(name: &str, program: &str, options: &[&str]) -> Said {
    let dir = std::env::temp_dir().join(format!("craig-outputs-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let file = |name: &str| dir.join(name);
    std::fs::write(file("p.c"), program).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_craig"));
    command.arg("check").arg(file("p.c"));
    if !options.contains(&"--time") {
        command.args(["--time", "60"]);
    }
    for (option, name) in [
        ("--json", "o.json"),
        ("--sarif", "o.sarif"),
        ("--witness", "o.yml"),
        ("--certificate", "o.cert"),
    ] {
        command.arg(option).arg(file(name));
    }
    let output = command.args(options).output().unwrap();
    let read = |name: &str| std::fs::read_to_string(file(name)).ok();
    let parse = |name: &str| serde_json::from_str(&read(name).unwrap()).unwrap();
    let said = Said {
        text: String::from_utf8(output.stdout).unwrap(),
        status: output.status.code(),
        json: parse("o.json"),
        sarif: parse("o.sarif"),
        witness: read("o.yml"),
        certificate: read("o.cert"),
    };
    std::fs::remove_dir_all(&dir).unwrap();
    said
}

/// All outputs say this verdict.
fn agree(said: &Said, verdict: &str) {
    let text = &said.text;
    assert!(text.ends_with(&format!("verdict: {verdict}\n")), "{text}");
    let status = ["safe", "unsafe", "unknown"]
        .iter()
        .position(|v| *v == verdict);
    assert_eq!(said.status, status.map(|s| s as i32));
    assert_eq!(said.json["verdict"], verdict);
    let evidence = ["proof", "violation", "reason"];
    for (key, of) in evidence.iter().zip(["safe", "unsafe", "unknown"]) {
        assert_eq!(said.json.get(key).is_some(), of == verdict, "{key}");
    }
    let run = &said.sarif["runs"][0];
    let results = run["results"].as_array().unwrap().len();
    assert_eq!(results, usize::from(verdict == "unsafe"));
    let successful = &run["invocations"][0]["executionSuccessful"];
    assert_eq!(*successful, verdict != "unknown");
    let entry_type = said.witness.as_deref().map(|w| {
        let line = w.lines().next().unwrap();
        line.split(": ").nth(1).unwrap().to_string()
    });
    let expected = match verdict {
        "safe" => Some("invariant_set"),
        "unsafe" => Some("violation_sequence"),
        _ => None,
    };
    assert_eq!(entry_type.as_deref(), expected);
    assert_eq!(said.certificate.is_some(), verdict == "safe");
}

fn fake(kind: &str) -> String {
    let script: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/solvers/fake.sh");
    format!("sh {} {kind}", script.display())
}

#[test]
fn of_plain_runs() {
    agree(&check("safe", SAFE, &[]), "safe");
    agree(&check("unsafe", UNSAFE, &[]), "unsafe");
    agree(&check("time", SAFE, &["--time", "0"]), "unknown");
}

#[test]
fn after_a_cross_check() {
    let said = check("confirmed", SAFE, &["--cross-check", &fake("unsat")]);
    agree(&said, "safe");
    assert!(said.text.contains("Cross-check: "), "{}", said.text);
    assert!(said.json["proof"]["cross_check"]["obligations"].as_u64() > Some(0));
    for kind in ["sat", "unknown", "crash", "garbage"] {
        let said = check(kind, SAFE, &["--cross-check", &fake(kind)]);
        agree(&said, "unknown");
        assert!(said.text.contains("cross-check failed"), "{}", said.text);
    }
    // There is nothing to confirm of an execution that was replayed.
    agree(
        &check("replayed", UNSAFE, &["--cross-check", &fake("sat")]),
        "unsafe",
    );
}

#[test]
fn tell_assumptions_with_every_verdict() {
    for (name, program, verdict) in [("a-safe", SAFE, "safe"), ("a-unsafe", UNSAFE, "unsafe")] {
        let said = check(name, program, &[]);
        agree(&said, verdict);
        let told = said.json["assumptions"].as_array().unwrap();
        assert!(
            !told.is_empty(),
            "signed arithmetic is assumed not to overflow"
        );
        assert!(said.text.contains("  assuming: "), "{}", said.text);
        let notes = &said.sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"];
        let notes = notes.as_array().unwrap();
        assert!(notes.iter().any(|n| n["level"] == "note"), "{notes:?}");
    }
}
