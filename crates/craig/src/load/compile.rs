//! Running the compilers that write LLVM assembly: clang++ for C++, rustc and cargo for Rust,
//! llvm-dis for bitcode.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names of a compiler with numbers, newest first.
const CLANG: &[&str] = &[
    "clang++",
    "clang++-21",
    "clang++-20",
    "clang++-19",
    "clang++-18",
    "clang++-17",
    "clang++-16",
    "clang++-15",
    "clang++-14",
];
const DISASSEMBLER: &[&str] = &[
    "llvm-dis",
    "llvm-dis-21",
    "llvm-dis-20",
    "llvm-dis-19",
    "llvm-dis-18",
    "llvm-dis-17",
    "llvm-dis-16",
    "llvm-dis-15",
    "llvm-dis-14",
];

/// The crate that harnesses in Rust use: `craig::nondet::<T>()`, `craig::assume(c)`.
const HARNESS: &str = include_str!("harness.rs.txt");

fn run(names: &[&str], what: &str, args: &[OsString]) -> Result<Vec<u8>, String> {
    for name in names {
        let output = match Command::new(name).args(args).output() {
            Ok(output) => output,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => continue,
            Err(e) => return Err(format!("cannot run `{name}`: {e}")),
        };
        if output.status.success() {
            return Ok(output.stdout);
        }
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`{name}` failed:\n{}", errors.trim_end()));
    }
    Err(format!(
        "{what} needs `{}`, which is not installed",
        names[0]
    ))
}

/// Read before a C++ file: what of GNU's library would else be in its binary only.
const PRELUDE: &str = include_str!("prelude.h.txt");

/// The assembly of a C++ file.
pub fn cpp(
    path: &Path,
    include: &[String],
    define: &[String],
    bits32: bool,
) -> Result<String, String> {
    // Without passes but not for -O0: no `optnone`, lifetimes are marked, code is as written.
    let mut args: Vec<OsString> = [
        "-S",
        "-emit-llvm",
        "-g",
        "-O1",
        "-Xclang",
        "-disable-llvm-passes",
        "-fno-discard-value-names",
        "-w",
        "-std=gnu++17",
        "-o",
        "-",
    ]
    .map(OsString::from)
    .to_vec();
    if bits32 {
        args.push("-m32".into());
    }
    let folder = Folder::new()?;
    let file = folder.0.join("prelude.h");
    std::fs::write(&file, PRELUDE).map_err(|e| format!("{}: {e}", file.display()))?;
    args.extend(["-include".into(), file.into()]);
    args.extend(include.iter().map(|i| format!("-I{i}").into()));
    args.extend(define.iter().map(|d| format!("-D{d}").into()));
    args.push(path.into());
    text(run(CLANG, "a C++ program", &args)?)
}

/// The assembly of a bitcode file.
pub fn bitcode(path: &Path) -> Result<String, String> {
    text(run(
        DISASSEMBLER,
        "bitcode",
        &["-o".into(), "-".into(), path.into()],
    )?)
}

fn text(bytes: Vec<u8>) -> Result<String, String> {
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A folder that is removed when it goes out of scope.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder, String> {
        use std::sync::atomic::{AtomicU32, Ordering};
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path =
            std::env::temp_dir().join(format!("craig-compile-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Left behind at worst: some files in the folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const RUST_OPTIONS: &[&str] = &[
    "-g",
    "-Cpanic=abort",
    "-Coverflow-checks=on",
    "-Cdebug-assertions=on",
    "-Ccodegen-units=1",
    // Without passes of LLVM; but generic code of the standard library is compiled for the program instead of taken
    // from its binary, and small functions are inlined.
    "-Copt-level=2",
    "-Cno-prepopulate-passes",
    "-Awarnings",
];

fn rust_options() -> impl Iterator<Item = OsString> {
    RUST_OPTIONS.iter().map(OsString::from)
}

/// The assembly of a Rust program in one file, with the harness crate in reach.
pub fn rust(path: &Path) -> Result<String, String> {
    let folder = Folder::new()?;
    let mut externs: Vec<OsString> = Vec::new();
    let source = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    for name in ["craig", "kani"] {
        if !source.contains(&format!("{name}::")) {
            continue;
        }
        let file = folder.0.join(format!("{name}.rs"));
        std::fs::write(&file, HARNESS).map_err(|e| format!("{}: {e}", file.display()))?;
        let mut args: Vec<OsString> = vec!["--edition=2021".into(), "--crate-type=rlib".into()];
        args.extend(rust_options());
        args.extend(["--out-dir".into(), folder.0.clone().into(), file.into()]);
        // No place of the user's: what it does is told where it is called.
        let mut elsewhere = OsString::from("--remap-path-prefix=");
        elsewhere.push(&folder.0);
        elsewhere.push("=<craig>");
        args.push(elsewhere);
        run(&["rustc"], "a Rust program", &args)?;
        let library = folder.0.join(format!("lib{name}.rlib"));
        let mut flag = OsString::from(format!("{name}="));
        flag.push(&library);
        externs.extend(["--extern".into(), flag]);
    }
    let out = folder.0.join("main.ll");
    let mut args: Vec<OsString> = vec![
        "--edition=2021".into(),
        "--emit=llvm-ir".into(),
        "-o".into(),
        out.clone().into(),
    ];
    args.extend(rust_options());
    args.extend(externs);
    args.push(path.into());
    run(&["rustc"], "a Rust program", &args)?;
    std::fs::read_to_string(&out).map_err(|e| format!("{}: {e}", out.display()))
}

/// The assembly of a cargo package's binary: the path is its `Cargo.toml`.
pub fn cargo(manifest: &Path) -> Result<String, String> {
    let folder = Folder::new()?;
    let mut args: Vec<OsString> = ["rustc", "--quiet", "--manifest-path"]
        .map(OsString::from)
        .to_vec();
    args.push(manifest.into());
    args.extend(["--target-dir".into(), folder.0.clone().into()]);
    args.push("--".into());
    args.push("--emit=llvm-ir".into());
    args.extend(rust_options());
    run(&["cargo"], "a cargo package", &args)?;
    let deps = folder.0.join("debug/deps");
    let list = std::fs::read_dir(&deps).map_err(|e| format!("{}: {e}", deps.display()))?;
    let mut found: Vec<PathBuf> = list
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|x| x == "ll"))
        .collect();
    found.sort();
    for path in &found {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        if text.contains("@main(") {
            return Ok(text);
        }
    }
    Err(format!("{}: the package has no binary", manifest.display()))
}
