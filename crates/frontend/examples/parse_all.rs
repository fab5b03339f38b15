//! Parses every C file under the directories given and reports failures and throughput.
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn main() {
    let mut files = Vec::new();
    for arg in std::env::args().skip(1) {
        collect(Path::new(&arg), &mut files);
    }
    files.sort();
    let (mut bytes, mut time, mut bad) = (0, Duration::ZERO, 0);
    for path in &files {
        let Ok(raw) = std::fs::read(path) else {
            continue;
        };
        let text = String::from_utf8_lossy(&raw).into_owned();
        let begin = Instant::now();
        let mut names = frontend::c::lexer::Interner::new();
        let lexed = frontend::c::lexer::lex(&text, &mut names);
        let (file, errors) = frontend::c::parser::parse(&lexed, &names);
        let spent = begin.elapsed();
        time += spent;
        bytes += text.len();
        let lexical = lexed.errors.first().map(|e| (e.0, e.2.clone()));
        let syntactic = errors
            .first()
            .map(|e| (lexed.tokens[e.at as usize].start, e.message.clone()));
        if let Some((offset, message)) = lexical.or(syntactic) {
            bad += 1;
            let line = text[..offset as usize].matches('\n').count() + 1;
            println!("{}:{line}: {message}", path.display());
        }
        std::hint::black_box(file);
    }
    let rate = bytes as f64 / 1e6 / time.as_secs_f64();
    println!(
        "{} files, {bad} rejected, {bytes} bytes, {rate:.1} MB/s",
        files.len()
    );
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
