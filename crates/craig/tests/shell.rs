//! The command line as a user of a shell meets it: standard input, notes about what does nothing,
//! colours, completions, manual pages, the configuration of a project.
#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const UNSAFE: &str = "extern int __VERIFIER_nondet_int(void); extern void abort(void);
    void reach_error(void) { abort(); }
    int main(void) { if (__VERIFIER_nondet_int() == LIMIT) reach_error(); return 0; }";

fn craig(args: &[&str], input: &str) -> (String, String, i32) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_craig"))
        .args(args)
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let Output {
        status,
        stdout,
        stderr,
    } = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(stdout), text(stderr), status.code().unwrap())
}

fn folder(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("craig-shell-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn standard_input_and_what_is_not_written() {
    let program = format!("#define LIMIT 7\n{UNSAFE}");
    let dir = folder("stdin");
    let proof = dir.join("proof.json");
    let options = [
        "check",
        "-",
        "--engine",
        "impact",
        "--outline",
        "--certificate",
    ];
    let (out, err, status) = craig(&[&options[..], &[text(&proof)]].concat(), &program);
    assert_eq!(status, 1, "{out}{err}");
    assert!(out.contains("<stdin>:4:"), "{out}");
    assert!(out.ends_with("\nverdict: unsafe\n"), "{out}");
    assert!(
        err.contains("--outline does nothing with --engine impact"),
        "{err}"
    );
    assert!(err.contains("not written, only a safe verdict"), "{err}");
    assert!(!proof.exists());
    let (out, err, _) = craig(
        &["check", "-", "--quiet", "--certificate", text(&proof)],
        &program,
    );
    assert_eq!((out.as_str(), err.as_str()), ("verdict: unsafe\n", ""));
    let (out, _, _) = craig(&["check", "-", "--quiet", "--json", "-"], &program);
    let json = out.strip_suffix("verdict: unsafe\n").unwrap();
    assert!(serde_json::from_str::<serde_json::Value>(json).is_ok());
    std::fs::remove_dir_all(dir).unwrap();
}

/// What does nothing, and what is not written, is said on standard error, once.
#[test]
fn idle_options_are_named() {
    let dir = folder("idle");
    let program = UNSAFE.replace("LIMIT", "7");
    let err = |options: &[&str], program: &str| craig(options, program).1;
    let said = err(
        &[
            "check",
            "-",
            "--engine",
            "impact",
            "--bound",
            "3",
            "--jobs",
            "2",
            "--ways",
            "all",
            "--depth",
            "1",
            "--witness-version",
            "2.1",
            "--cross-check",
            "z3",
        ],
        &program,
    );
    for option in ["--bound", "--jobs", "--ways"] {
        let sentence = format!("{option} does nothing with --engine impact");
        assert_eq!(said.matches(&sentence).count(), 1, "{said}");
    }
    assert!(
        said.contains("--depth does nothing without --function"),
        "{said}"
    );
    assert!(
        said.contains("--witness-version does nothing without --witness"),
        "{said}"
    );
    assert!(
        said.contains("--cross-check did nothing: the verdict is unsafe"),
        "{said}"
    );
    let (folder, log, yml) = (dir.join("r"), dir.join("l"), dir.join("w.yml"));
    let safe = "int main(void) { return 0; }";
    let files = ["--reproduce", text(&folder), "--log", text(&log)];
    let said = err(&[&["check", "-"][..], &files].concat(), safe);
    assert!(
        said.contains("--reproduce") && said.contains("not written, only an unsafe"),
        "{said}"
    );
    assert!(
        said.contains("--log") && said.contains("empty, no engine"),
        "{said}"
    );
    let boogie = "procedure main() { assert 1 + 1 == 2; }";
    let files = ["check", "-", "--language", "bpl", "--witness", text(&yml)];
    let said = err(&files, boogie);
    assert_eq!(said.matches("--witness").count(), 1, "{said}");
    let files = ["check", "-", "--function", "all", "--sarif", text(&yml)];
    let said = err(&files, safe);
    assert!(
        said.contains("not written with --function all") || yml.exists(),
        "{said}"
    );
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn colours_only_when_wanted() {
    let program = UNSAFE.replace("LIMIT", "7");
    assert!(!craig(&["check", "-"], &program).0.contains('\x1b'));
    let (out, _, _) = craig(&["check", "-", "--color", "always"], &program);
    assert!(out.contains("\x1b[1;31mverdict: unsafe\x1b[0m\n"), "{out}");
}

#[test]
fn the_configuration_above_the_file() {
    let dir = folder("config");
    let below = dir.join("src");
    std::fs::create_dir_all(&below).unwrap();
    std::fs::write(
        dir.join("craig.toml"),
        "define = [\"LIMIT=7\"]\nengine = \"split\"\n",
    )
    .unwrap();
    let file = below.join("p.c");
    std::fs::write(&file, UNSAFE).unwrap();
    let (out, err, status) = craig(&["check", text(&file)], "");
    assert_eq!(status, 1, "{out}{err}");
    assert!(
        out.starts_with("Engine: split") && err.contains("craig.toml"),
        "{out}{err}"
    );
    assert_eq!(craig(&["check", "--no-config", text(&file)], "").2, 3);
    std::fs::write(dir.join("craig.toml"), "defines = []\n").unwrap();
    let (_, err, status) = craig(&["check", text(&file)], "");
    assert!(status == 3 && err.contains("defines"), "{err}");
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn completions_and_manual_pages() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (out, _, status) = craig(&["completions", shell], "");
        assert!(status == 0 && out.contains("certificate"), "{shell}");
    }
    let dir = folder("man");
    assert_eq!(craig(&["man", "--dir", text(&dir)], "").2, 0);
    let page = std::fs::read_to_string(dir.join("craig-check.1")).unwrap();
    assert!(
        page.contains(".TH craig-check 1") && page.contains("witness"),
        "{page}"
    );
    assert!(dir.join("craig.1").exists());
    std::fs::remove_dir_all(dir).unwrap();
}

/// Every option of `check` stands under a heading.
#[test]
fn help_is_grouped_and_has_examples() {
    let (out, _, _) = craig(&["check", "--help"], "");
    let options = out.split("\nOptions:\n").nth(1).unwrap();
    let loose = options.split("\n\n").next().unwrap();
    assert_eq!(loose.matches("--").count(), 1, "{loose}");
    for heading in ["Program:", "Limits:", "Engine:", "Outputs:", "Examples:"] {
        assert!(out.contains(&format!("\n{heading}\n")), "{heading}");
    }
}
