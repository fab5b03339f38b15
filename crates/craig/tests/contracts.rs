//! Contracts and functions as entries: one small file each under `tests/contracts`, whose first line says
//! what is expected: `// FUNCTION: VERDICT[, requires …]*[, vacuous]`.

use craig::functions::{End, FunctionCheck};
use craig::{Checker, Properties, SourceOptions, VerdictKind};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::time::Duration;

fn main() {
    let args = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/contracts");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of the tests is there")
        .map(|e| e.expect("an entry of the folder").path())
        .collect();
    files.sort();
    let trials: Vec<Trial> = files
        .into_iter()
        .map(|f| {
            let name = f
                .file_stem()
                .map_or_else(String::new, |s| s.to_string_lossy().into());
            Trial::test(name, move || run(&f))
        })
        .collect();
    let mut trials: Vec<Trial> = trials;
    trials.push(Trial::test("contracts are read back", read_back));
    trials.push(Trial::test("no reason that is none", no_reason));
    trials.push(Trial::test("mistakes are shown at their place", mistakes));
    libtest_mimic::run(&args, trials).exit();
}

/// An index that came from memory which nobody wrote is not known: nothing is said of it rather than that it is zero.
fn no_reason() -> Result<(), Failed> {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/contracts/infer-many-alarm.c");
    let craig = std::process::Command::new(env!("CARGO_BIN_EXE_craig"))
        .args(["check", "--function", "take"])
        .arg(file)
        .output()?;
    let said = String::from_utf8_lossy(&craig.stdout).to_string();
    match said.contains("Violated: index out of bounds") && !said.contains("index 0 of") {
        true => Ok(()),
        false => Err(said.into()),
    }
}

/// What is wrong with a contract is shown with file, line, column and caret, also where there is a preprocessor.
fn mistakes() -> Result<(), Failed> {
    let folder = std::env::temp_dir().join(format!("craig-mistakes-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let file = folder.join("wrong.c");
    let rows = [
        (
            "/*@ requires n > 0;\n  @ ensures \\fresh(n); */\nint f(int n) { return n; }\n",
            ":2:5",
            "is not supported",
        ),
        (
            "#include <limits.h>\n/*@ requires n > 0\n  @ ensures n; */\nint f(int n) { return n; }\n",
            ":3:5",
            "`;` is missing before `ensures`",
        ),
        (
            "//@ requires positive(n);\nint f(int n) { return n; }\n",
            ":1:14",
            "is no function of ACSL",
        ),
        (
            "int n;\n//@ ensures n > 0;\n",
            ":2:1",
            "no function follows",
        ),
        (
            "int f(int n) {\n  //@ assert n > 0 &&;\n  return n; }\n",
            ":2:7",
            "a formula is missing",
        ),
    ];
    let mut failed = Vec::new();
    for (text, place, what) in rows {
        std::fs::write(&file, text)?;
        let craig = std::process::Command::new(env!("CARGO_BIN_EXE_craig"))
            .args(["check", "--function", "all"])
            .arg(&file)
            .output()?;
        let said = String::from_utf8_lossy(&craig.stderr).to_string();
        let right =
            said.contains(what) && said.contains(&format!("wrong.c{place}")) && said.contains('┬');
        if !right || craig.status.code() == Some(0) {
            failed.push(format!("{text}{place} {what}: {said}"));
        }
    }
    std::fs::remove_dir_all(&folder)?;
    match failed.is_empty() {
        true => Ok(()),
        false => Err(failed.join("\n").into()),
    }
}

/// What `--contracts-out` writes is a program with contracts, and the JSON has a result a function.
fn read_back() -> Result<(), Failed> {
    let folder = std::env::temp_dir().join(format!("craig-contracts-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let (source, found, json) = (
        folder.join("source.c"),
        folder.join("found.c"),
        folder.join("found.json"),
    );
    let text = "int last(int *a, int n) { return n > 0 ? a[n - 1] : 0; }\nint id(int x) { return x; }\n\
                int peek(void *p) { return *(int *)p; }\n";
    std::fs::write(&source, text)?;
    let craig = || std::process::Command::new(env!("CARGO_BIN_EXE_craig"));
    let first = craig()
        .args([
            "check",
            "--function",
            "all",
            "--unwind",
            "5",
            "--contracts-out",
        ])
        .arg(&found)
        .arg("--json")
        .arg(&json)
        .arg(&source)
        .output()?;
    let said = String::from_utf8_lossy(&first.stdout).to_string();
    let results = std::fs::read_to_string(&json)?;
    let contracts = std::fs::read_to_string(&found)?;
    std::fs::write(
        &found,
        contracts.clone() + "int main(void) { return id(1) * 0; }\n",
    )?;
    let again = craig()
        .args(["check", "--contracts"])
        .arg(&found)
        .output()?;
    std::fs::remove_dir_all(&folder)?;
    if first.status.code() != Some(0) || !said.contains("--unwind is ignored") {
        return Err(said.into());
    }
    // Of a pointer to void only that it is not null: ACSL has no other word for it.
    if !contracts.contains("\\valid(a + (0 .. n - 1));")
        || !contracts.contains("requires p != \\null;")
        || results.matches("\"function\"").count() < 2
    {
        return Err(format!("{contracts}\n{results}").into());
    }
    match again.status.code() {
        Some(0) => Ok(()),
        _ => Err(String::from_utf8_lossy(&again.stdout).to_string().into()),
    }
}

fn run(file: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let head = text
        .lines()
        .next()
        .unwrap_or("")
        .trim_start_matches("//")
        .trim();
    let (function, expected) = head.split_once(": ").ok_or("no expectation")?;
    let check = FunctionCheck {
        checker: Box::new(|| Ok(Checker::new())),
        source: SourceOptions {
            properties: Properties::for_functions(),
            contracts: true,
            ..SourceOptions::default()
        },
        limit: Duration::from_secs(30),
        depth: 2,
        sharing: false,
        vacuity: true,
        plain: false,
        earlier: None,
    };
    let results = check
        .run(&[file.to_path_buf()], function, |_| {})
        .map_err(|e| e.to_string())?;
    let result = results.first().ok_or("no result")?;
    let mut found = match &result.outcome {
        Err(e) => return Err(format!("{e}").into()),
        Ok(o) => match o.kind() {
            VerdictKind::Safe => "safe".to_string(),
            VerdictKind::Unsafe => "unsafe".to_string(),
            VerdictKind::Unknown => format!("unknown\n{}", o.text()),
        },
    };
    for r in &result.requires {
        found += &format!(", requires {}", r.text());
    }
    if result.end == End::Vacuous {
        found += ", vacuous";
    }
    match found == expected {
        true => Ok(()),
        false => Err(format!("expected {expected}, found {found}").into()),
    }
}
