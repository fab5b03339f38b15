//! Reads every C file under the directories given; reports failures and throughput.
//!
//! `parse_all [--32] [--warnings] DIR…`: lexing and parsing are timed apart from checking, in processor time where
//! the system tells it, so that a loaded machine does not matter.

use frontend::c::syntax::{lexer, parser};
use frontend::c::types::DataModel;
use frontend::c::{COptions, parse_and_check};
use program::{Diagnostic, SourceMap};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Of this thread.
fn processor_time() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let start = START.get_or_init(Instant::now);
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    match text.split_whitespace().next().map(str::parse) {
        Some(Ok(nanos)) => Duration::from_nanos(nanos),
        _ => start.elapsed(),
    }
}

fn main() {
    let mut files = Vec::new();
    let mut options = COptions::default();
    let mut warnings = false;
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "--32" => options.data_model = DataModel::Ilp32,
            "--warnings" => warnings = true,
            _ => collect(Path::new(&arg), &mut files),
        }
    }
    files.sort();
    let (mut bytes, mut parse, mut check, mut bad) = (0, Duration::ZERO, Duration::ZERO, 0);
    for path in &files {
        let Ok(raw) = std::fs::read(path) else {
            continue;
        };
        let text = String::from_utf8_lossy(&raw).into_owned();
        let begin = processor_time();
        let mut names = lexer::Interner::new();
        let lexed = lexer::lex(&text, &mut names);
        let tree = parser::parse(&lexed, &names);
        parse += processor_time() - begin;
        drop(tree);
        bytes += text.len();
        let begin = Instant::now();
        let mut sources = SourceMap::default();
        let name = path.display().to_string();
        let result = parse_and_check(&[(&name, &text)], &options, &mut sources);
        check += begin.elapsed();
        match result {
            Ok((_, list)) if warnings => show(&list, &sources),
            Ok(_) => {}
            Err(list) => {
                bad += 1;
                println!("{name}");
                show(&list[..list.len().min(60)], &sources);
            }
        }
    }
    let rate = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
    println!(
        "{} files, {bad} rejected, {bytes} bytes; lex and parse {:.1} MB/s, in all {:.1} MB/s",
        files.len(),
        rate(parse),
        rate(check)
    );
}

fn show(list: &[Diagnostic], sources: &SourceMap) {
    for d in list {
        println!(
            "  {}: {:?}: {}",
            sources.place(d.span),
            d.severity,
            d.message
        );
    }
}

fn collect(path: &Path, out: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let Ok(entries) = std::fs::read_dir(path) else {
            return;
        };
        for entry in entries.flatten() {
            collect(&entry.path(), out);
        }
    } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
        out.push(path.into());
    }
}
