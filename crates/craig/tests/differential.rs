//! Random C programs in `craig run` and compiled by `cc -fwrapv`: same output, same exit status.
//!
//! The generator aims at what hides mistakes: values at the limits of their types, mixes of signed
//! and unsigned, narrow types and bit-fields, compound assignment, shifts and division of negative
//! numbers, switch with fall-through, goto, struct copies and pointers into arrays. Nothing it
//! writes is undefined once overflow wraps. Seeds are fixed; without a C compiler nothing runs.
#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;
use std::process::{Command, Output};
use testkit::c_programs;

const SEEDS: u64 = 24;

fn compare(dir: &Path, seed: u64, bits: &str) -> Result<(), String> {
    let text = c_programs::program(seed);
    let (source, binary) = (
        dir.join(format!("{seed}.c")),
        dir.join(format!("{seed}.bin")),
    );
    std::fs::write(&source, &text).map_err(|e| e.to_string())?;
    let run = |command: &mut Command| command.output().map_err(|e| e.to_string());
    let built = run(Command::new("cc")
        .args(["-w", "-O0", "-fwrapv", &format!("-m{bits}"), "-o"])
        .args([&binary, &source]))?;
    if !built.status.success() {
        return Err(String::from_utf8_lossy(&built.stderr).into());
    }
    let native = run(&mut Command::new(&binary))?;
    let ours = run(Command::new(env!("CARGO_BIN_EXE_craig"))
        .args(["run", "--wrapv", &format!("--{bits}")])
        .arg(&source))?;
    let shown = |o: &Output| {
        let text = String::from_utf8_lossy(&o.stdout).into_owned();
        format!("{text}exit {:?}", o.status.code())
    };
    let (n, o) = (shown(&native), shown(&ours));
    if n == o {
        return Ok(());
    }
    let line = n.lines().zip(o.lines()).find(|(x, y)| x != y);
    let errors = String::from_utf8_lossy(&ours.stderr);
    Err(format!(
        "seed {seed}, {bits} bits: {line:?} (cc, craig) {errors}\n{text}"
    ))
}

/// Is there a compiler with headers and libraries for this data model?
fn can_compile(dir: &Path, bits: &str) -> bool {
    let (source, binary) = (dir.join("try.c"), dir.join("try.bin"));
    let text = "#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n";
    std::fs::write(&source, text).unwrap();
    Command::new("cc")
        .args([&format!("-m{bits}"), "-o"])
        .args([&binary, &source])
        .output()
        .is_ok_and(|o| o.status.success())
}

#[test]
fn random_programs_run_as_compiled() {
    let dir = std::env::temp_dir().join(format!("craig-differential-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let seeds = std::env::var("CRAIG_SEEDS")
        .ok()
        .and_then(|s| s.parse().ok());
    let models: Vec<&str> = ["64", "32"]
        .into_iter()
        .filter(|bits| can_compile(&dir, bits))
        .collect();
    if models.is_empty() {
        common::skipped("no cc to compare with");
    }
    let failures: Vec<String> = (0..seeds.unwrap_or(SEEDS))
        .flat_map(|seed| models.iter().map(move |bits| (seed, bits)))
        .filter_map(|(seed, bits)| compare(&dir, seed, bits).err())
        .collect();
    std::fs::remove_dir_all(&dir).unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
