//! Reads LLVM modules: which are refused, and how fast the others are read.
//!
//! `cargo run --release -p craig-frontend --example read_llvm -- FILE.ll…`

use std::time::Instant;

fn main() {
    let (mut read, mut refused, mut bytes, mut seconds) = (0, 0, 0, 0.0);
    for path in std::env::args().skip(1) {
        let Ok(data) = std::fs::read(&path) else {
            eprintln!("{path}: cannot be opened");
            continue;
        };
        let text = String::from_utf8_lossy(&data);
        let start = Instant::now();
        let parsed = frontend::llvm::parse::parse(&text);
        seconds += start.elapsed().as_secs_f64();
        bytes += text.len();
        match parsed {
            Ok(_) => read += 1,
            Err(e) => {
                refused += 1;
                let line = text[..e.start].matches('\n').count() + 1;
                println!("{path}:{line}: {}", e.message);
            }
        }
    }
    let speed = bytes as f64 / 1e6 / f64::max(seconds, 1e-9);
    println!("{read} read, {refused} refused, {speed:.1} MB/s");
}
