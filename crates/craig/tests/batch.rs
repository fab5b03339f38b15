//! `craig batch` from outside: task definitions, sets and lists; limits; tables and files.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::process::{Command, Output};

const HEAD: &str = "extern void abort(void); void reach_error(void) { abort(); } extern int __VERIFIER_nondet_int(void);";

fn folder(test: &str) -> PathBuf {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("batch-{test}"));
    let _ = std::fs::remove_dir_all(&root);
    std::fs::create_dir_all(&root).unwrap();
    let file = |name: &str, text: String| std::fs::write(root.join(name), text).unwrap();
    file(
        "unreach-call.prp",
        "CHECK( init(main()), LTL(G ! call(reach_error())) )\n".into(),
    );
    file(
        "safe.c",
        format!(
            "{HEAD} int main(void) {{ int x = 0; while (x < 5) x++; if (x != 5) reach_error(); return 0; }}"
        ),
    );
    file(
        "unsafe.c",
        format!(
            "{HEAD} int main(void) {{ if (__VERIFIER_nondet_int() == 7) reach_error(); return 0; }}"
        ),
    );
    for (name, verdict) in [("safe", true), ("unsafe", false)] {
        let text = format!(
            "format_version: '2.0'\ninput_files: {name}.c\nproperties:\n  - property_file: unreach-call.prp\n    expected_verdict: {verdict}\n  - property_file: termination.prp\noptions:\n  language: C\n  data_model: ILP32\n"
        );
        file(&format!("{name}.yml"), text);
    }
    file("all.set", "# both\n*.yml\n".into());
    // One expectation is wrong on purpose, one program does not exist.
    file("list.csv", "group,file,property,verdict\na,safe.c,unreach-call,safe\na,unsafe.c,unreach-call,safe\nb,none.c,unreach-call,safe\n".into());
    root
}

fn batch(root: &PathBuf, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_craig"));
    command.current_dir(root).args(["batch", "--time", "60"]);
    command.args(arguments).output().unwrap()
}

#[test]
fn sets_of_task_definitions() {
    let root = folder("set");
    let files = [
        "--csv", "r.csv", "--html", "r.html", "--svg", "r.svg", "--xml", "r.xml",
    ];
    let mut arguments = vec!["all.set", "--property", "unreach-call", "--jobs", "2"];
    arguments.extend(files);
    let output = batch(&root, &arguments);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("2 of 2 tasks"), "{text}");
    let read = |name: &str| std::fs::read_to_string(root.join(name)).unwrap();
    assert_eq!(read("r.csv").matches(",correct,").count(), 2);
    assert!(read("r.html").contains("<svg") && read("r.svg").starts_with("<svg"));
    let xml = read("r.xml");
    assert!(
        xml.contains("value=\"true\"") && xml.contains("value=\"false(unreach-call)\""),
        "{xml}"
    );
    // Beside an earlier run.
    let output = batch(
        &root,
        &[
            "safe.yml",
            "--property",
            "unreach-call",
            "--beside",
            "old=r.csv",
            "--html",
            "both.html",
            "--",
            "--engine",
            "impact",
        ],
    );
    assert_eq!(output.status.code(), Some(0));
    assert!(read("both.html").contains("<h2>old</h2>"));
}

#[test]
fn wrong_answers_and_errors_are_told() {
    let root = folder("list");
    let output = batch(&root, &["list.csv", "--quiet"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("WRONG unsafe.c"), "{text}");
    let all = text.lines().find(|l| l.starts_with("all ")).unwrap();
    let cells: Vec<&str> = all.split_whitespace().collect();
    // tasks, correct, wrong, unchecked, unknown, timeout, memory, error, score
    assert_eq!(cells[1..9], ["3", "1", "1", "0", "0", "0", "0", "1"]);
    assert_eq!(cells[9], "-14");
}
