//! Reads LLVM modules: which are refused, and how fast the others are read.
//!
//! `cargo run --release -p craig-frontend --example read_llvm -- [--translate] FILE.ll…`
//!
//! The speed is that of the reader; with `--translate` every module is also made a typed tree, and is refused when that
//! fails.

use std::time::Instant;

fn main() {
    let (mut read, mut refused, mut bytes, mut seconds) = (0, 0, 0, 0.0);
    let mut translate = false;
    for path in std::env::args().skip(1) {
        if path == "--translate" {
            translate = true;
            continue;
        }
        let Ok(data) = std::fs::read(&path) else {
            eprintln!("{path}: cannot be opened");
            continue;
        };
        let text = String::from_utf8_lossy(&data);
        let start = Instant::now();
        let parsed = frontend::llvm::parse::parse(&text).map(drop);
        seconds += start.elapsed().as_secs_f64();
        bytes += text.len();
        let result = match parsed {
            Ok(()) if translate => translated(&path, &text),
            Ok(()) => Ok(()),
            Err(e) => {
                let line = text[..e.start].matches('\n').count() + 1;
                Err(format!("{line}: {}", e.message))
            }
        };
        match result {
            Ok(()) => read += 1,
            Err(message) => {
                refused += 1;
                println!("{path}:{message}");
            }
        }
    }
    let speed = bytes as f64 / 1e6 / f64::max(seconds, 1e-9);
    println!("{read} read, {refused} refused, {speed:.1} MB/s ({bytes} bytes, {seconds:.6} s)");
}

/// The typed tree of the module.
fn translated(path: &str, text: &str) -> Result<(), String> {
    let mut sources = program::SourceMap::default();
    match frontend::llvm::read(path, text, "main", &mut sources) {
        Ok(_) => Ok(()),
        Err(errors) => Err(errors
            .first()
            .map(|e| format!("{}: {}", e.span.line, e.message))
            .unwrap_or_default()),
    }
}
