//! Programs through LLVM: C++ and Rust twins, C programs the other way round, texts with errors.
//!
//! The twins are `tests/programs/{cpp,rust}`; their heads say the verdict. A sample of the C programs goes
//! through clang and must keep its verdict (`tests/slow/llvm.py` takes all). Without clang or rustc
//! a test says so and passes.

mod common;

use common::{programs, read_head, root, skipped, source_options};
use craig::{Checker, Engine};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const TIME: Duration = Duration::from_secs(60);
/// Every so many C programs are taken.
const SAMPLE: usize = 12;
/// Programs that are always taken, and must be decided: what they are about is done in another way in LLVM.
const ALWAYS: &[&str] = &[
    "basics/far_by_calls_unsafe.c",
    "library/own_options_safe.c",
    "library/own_options_unsafe.c",
    "traps/destructor_safe.c",
    "traps/destructor_unsafe.c",
];
/// Programs that gcc and clang give different meanings: arithmetic of bit-fields wider than `int`, the order of arguments,
/// lengths of arrays below zero; and objects of a block that a computed goto or `longjmp` leaves or that a jump over their
/// declaration enters, which clang does not end.
const COMPILERS_DIFFER: &[&str] = &[
    "wide_bit_field",
    "wide_field",
    "bit_field_promotion",
    "order_of_evaluation",
    "computed_goto_ends",
    "over_declaration",
    "longjmp_block",
    "negative_length",
];

fn installed(command: &str) -> bool {
    let found = Command::new(command).arg("--version").output().is_ok();
    if !found {
        skipped(&format!("no {command}"));
    }
    found
}

fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let mut list: Vec<PathBuf> = std::fs::read_dir(root().join(folder))
        .expect("the folder of programs")
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|x| x == ending))
        .collect();
    list.sort();
    list
}

/// The verdict of a file, or why there is none.
fn verdict(path: &Path, head: &common::Expectation) -> Result<String, String> {
    let options = source_options(head).map_err(|_| "options of the head".to_string())?;
    let outcome = Checker::new()
        .engine(Engine::Portfolio)
        .time(TIME)
        .source(options)
        .check_file(path)
        .map_err(|e| e.to_string())?;
    Ok(outcome.kind().as_str().to_string())
}

fn hold(list: &[PathBuf]) {
    assert!(!list.is_empty());
    let mut wrong = Vec::new();
    for path in list {
        let text = std::fs::read_to_string(path).expect("a program");
        let head = read_head(&text);
        let expected = head.expected().to_string();
        match verdict(path, &head) {
            Ok(found) if found == expected => {}
            other => wrong.push(format!(
                "{}: {other:?}, expected {expected}",
                path.display()
            )),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn cpp_twins() {
    if installed("clang++") {
        hold(&files("cpp", "cpp"));
    }
}

#[test]
fn rust_twins() {
    if installed("rustc") {
        hold(&files("rust", "rs"));
    }
}

/// A package of two files, as the command line names it; the twin has one more in an index.
#[test]
fn cargo_packages() {
    if !installed("cargo") {
        return;
    }
    let dir = std::env::temp_dir().join(format!("craig-cargo-{}", std::process::id()));
    std::fs::create_dir_all(dir.join("src")).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(dir.join(name), text).expect("a file");
    write(
        "Cargo.toml",
        "[package]\nname = \"twin\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n",
    );
    write(
        "src/table.rs",
        "pub fn at(i: usize) -> u8 { [1, 2, 4, 8][i] }\n",
    );
    for (bound, expected) in [(4, "verdict: safe"), (5, "verdict: unsafe")] {
        let main = format!(
            "mod table;\nfn main() {{ let mut s = 0; for i in 0..{bound} {{ s += table::at(i); }} assert!(s < 16); }}\n"
        );
        write("src/main.rs", &main);
        let done = Command::new(env!("CARGO_BIN_EXE_craig"))
            .args(["check", "--time", "60"])
            .arg(format!("--cargo={}", dir.display()))
            .output()
            .expect("the command");
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        let errors = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(text.lines().last(), Some(expected), "{text}{errors}");
    }
    let _ = std::fs::remove_dir_all(&dir);
}

#[test]
fn assembly() {
    hold(&files("llvm", "ll"));
}

#[test]
fn c_programs_keep_their_verdict() {
    if !installed("clang") {
        return;
    }
    let mut list = Vec::new();
    programs(&root(), &mut list).expect("the programs");
    list.retain(|p| p.extension().is_some_and(|x| x == "c"));
    list.sort();
    let dir = std::env::temp_dir().join(format!("craig-llvm-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder");
    let mut wrong = Vec::new();
    for (i, path) in list.iter().enumerate() {
        let name = path.display().to_string();
        let always = ALWAYS.iter().any(|a| name.ends_with(a));
        if i % SAMPLE != 0 && !always {
            continue;
        }
        if COMPILERS_DIFFER.iter().any(|n| name.contains(n)) {
            continue;
        }
        let head = read_head(&std::fs::read_to_string(path).expect("a program"));
        let expected = head.expected().to_string();
        let out = dir.join("program.ll");
        let mut clang = Command::new("clang");
        clang.args([
            "-w",
            "-S",
            "-emit-llvm",
            "-g",
            "-O1",
            "-Xclang",
            "-disable-llvm-passes",
        ]);
        if head.options.contains("--32") {
            clang.arg("-m32");
        }
        if head.options.contains("--wrapv") {
            clang.arg("-fwrapv");
        }
        let done = clang.arg(path).arg("-o").arg(&out).output().expect("clang");
        if !done.status.success() || !matches!(expected.as_str(), "safe" | "unsafe") {
            continue;
        }
        match verdict(&out, &head) {
            Ok(found) if found == expected || found == "unknown" && !always => {}
            other => wrong.push(format!("{name}: {other:?}, expected {expected}")),
        }
    }
    let _ = std::fs::remove_dir_all(&dir);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn errors_have_a_place() {
    let text = "define i32 @main() {\n  %x = add i32 1, 2\n  ret i32 %y\n}\n";
    let e = frontend::llvm::parse::parse(text).expect_err("a value without definition");
    assert!(e.message.contains("%y"), "{}", e.message);
    let text = "define i32 @main() {\n  %x = frobnicate i32 1\n}\n";
    let mut sources = program::SourceMap::default();
    let Err(errors) = frontend::llvm::read("x.ll", text, "main", &mut sources) else {
        panic!("an unknown instruction is refused");
    };
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].span.line, 2);
    assert!(errors[0].message.contains("frobnicate"));
}

#[test]
fn damaged_texts_do_not_panic() {
    let whole = std::fs::read_to_string(&files("llvm", "ll")[0]).expect("a module");
    for cut in (0..whole.len()).step_by(7) {
        if let Some(part) = whole.get(..cut) {
            let _ = frontend::llvm::parse::parse(part);
        }
    }
}
