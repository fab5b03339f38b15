//! Twins of the library's functions: what the real library returns is asserted of the models and must be proved; the
//! same with another number must be refuted. Functions that the outside answers have twins of what it can choose and what
//! it cannot.
//!
//! Many calls of exact models are one program: safe if every assertion holds, and its twin reaches the error only if every changed
//! assertion fails. So two checks decide about all of them, and only if one goes wrong is each call asked alone.

use super::inputs::{DECLARED, FILES, LOCALS, Row, STREAMS, WORLD};
use super::{
    CLASS, CONVERT, FLOAT, FORMAT, RUN_TIME, Random, STRING, WIDE, built, call, frame, more,
};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

pub fn verdict(folder: &Path, text: &str, property: &str) -> Option<i32> {
    let source = folder.join("twin.c");
    std::fs::write(&source, text).unwrap();
    let checked = Command::new(env!("CARGO_BIN_EXE_craig"))
        .args(["check", "--quiet", "--time", "120", "--property", property])
        .arg(&source)
        .output()
        .unwrap();
    checked.status.code()
}

pub fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("craig-twins-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// What the real library returns for each call.
fn observed(folder: &Path, calls: &[String], declared: &str) -> Option<Vec<i64>> {
    let mut body = String::new();
    for call in calls {
        let _ = writeln!(body, "  fprintf(stderr, \"%ld\\n\", (long)({call}));");
    }
    let (source, program) = (folder.join("real.c"), folder.join("real"));
    std::fs::write(&source, frame(declared, &body)).unwrap();
    if !built(&source, &program) {
        return None;
    }
    let real = Command::new(&program).output().unwrap();
    let shown = String::from_utf8_lossy(&real.stderr).into_owned();
    Some(shown.lines().map(|l| l.parse().unwrap()).collect())
}

pub fn literal(n: i64) -> String {
    if n == i64::MIN {
        "(-9223372036854775807L - 1)".into()
    } else {
        format!("{n}L")
    }
}

/// The program that asserts what was observed, and the one that fails only if no call returns what is one bit away.
fn pair(calls: &[(&String, i64)], declared: &str) -> [String; 2] {
    let (mut good, mut bad) = (String::new(), String::from("  int wrong = 0;\n"));
    for &(call, n) in calls {
        let _ = writeln!(
            good,
            "  if ((long)({call}) != {}) reach_error();",
            literal(n)
        );
        let _ = writeln!(bad, "  wrong += (long)({call}) != {};", literal(n ^ 1));
    }
    let _ = writeln!(bad, "  if (wrong == {}) reach_error();", calls.len());
    [frame(declared, &good), frame(declared, &bad)]
}

/// Calls of one program.
const AT_ONCE: usize = 20;

/// The exit statuses of a check of both twins.
fn judged(folder: &Path, calls: &[(&String, i64)], declared: &str) -> [Option<i32>; 2] {
    pair(calls, declared).map(|text| verdict(folder, &text, "unreach-call"))
}

/// Asserted of exact models: the real library's results.
fn asserted(name: &str, templates: &[&str], declared: &str, seeds: u64) {
    let folder = folder(name);
    for seed in 0..seeds {
        let mut random = Random(base::Random::new(seed * 104_729 + 5));
        let closed = templates
            .iter()
            .filter(|t| !OPEN.iter().any(|o| t.contains(o)));
        let calls: Vec<String> = closed.map(|t| call(&mut random, t)).collect();
        let Some(numbers) = observed(&folder, &calls, declared) else {
            return;
        };
        assert_eq!(calls.len(), numbers.len(), "{name}, seed {seed}");
        let all: Vec<(&String, i64)> = calls.iter().zip(numbers).collect();
        for part in all.chunks(AT_ONCE) {
            let answers = judged(&folder, part, declared);
            if answers == [Some(0), Some(1)] {
                continue;
            }
            let mut wrong = String::new();
            for one in part {
                let answers = judged(&folder, &[*one], declared);
                if answers != [Some(0), Some(1)] {
                    let _ = writeln!(wrong, "{answers:?}: {} is {}", one.0, one.1);
                }
            }
            panic!("{name}, seed {seed}: exit statuses {answers:?}; alone:\n{wrong}");
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
}

/// Parts of templates that `check` does not decide at once: which numbers follow a seed C leaves open; digits of floats,
/// bytes of an `atomic_flag` and low bits of addresses are not followed; vectors of texts move too often.
pub const OPEN: &[&str] = &[
    "srand(",
    "%f|",
    ".3f",
    "atomic_flag",
    "aligned_alloc(",
    "memalign(",
    "argz_insert(",
    "envz_",
];

#[test]
fn twins_of_strings() {
    asserted("string", STRING, "", 1);
    asserted("ctype", CLASS, "", 1);
    asserted("text", more::TEXT, more::DECLARED, 1);
}

#[test]
fn twins_of_numbers() {
    asserted("stdlib", CONVERT, "", 1);
    asserted("math", FLOAT, "", 1);
    let templates = more::reals();
    let templates: Vec<&str> = templates.iter().map(String::as_str).collect();
    asserted("reals", &templates, more::DECLARED, 1);
}

#[test]
fn twins_of_formats() {
    asserted("stdio", FORMAT, "", 1);
    asserted("stdarg", RUN_TIME, "", 1);
    asserted("wchar", WIDE, "", 1);
}

#[test]
fn twins_of_one_thread() {
    asserted("thread", more::ALONE, more::DECLARED, 1);
}

/// Of inputs: what always holds is proved, what an answer can break is refuted.
fn chosen(name: &str, rows: &[Row]) {
    let folder = folder(name);
    let ask = |call: &str, condition: &str| {
        let text = format!(
            "{DECLARED}int main(void) {{\n  {LOCALS}\n  r = {call};\n  if (!({condition})) reach_error();\n  return 0;\n}}\n"
        );
        verdict(&folder, &text, "unreach-call")
    };
    let mut wrong = String::new();
    for (call, always, broken) in rows {
        let mut expect = |condition: &str, status: i32| {
            let answer = ask(call, condition);
            if answer != Some(status) {
                let _ = writeln!(
                    wrong,
                    "{call}: {condition} ends with {answer:?}, not {status}"
                );
            }
        };
        expect(always, 0);
        for condition in *broken {
            expect(condition, 1);
        }
    }
    assert!(wrong.is_empty(), "{name}:\n{wrong}");
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn twins_of_streams() {
    chosen("streams", STREAMS);
}

#[test]
fn twins_of_files() {
    chosen("files", FILES);
}

#[test]
fn twins_of_the_world() {
    chosen("world", WORLD);
}
