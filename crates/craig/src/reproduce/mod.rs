//! `--reproduce DIR`: a counterexample as something the user can run. `run.sh` builds the program, unchanged,
//! with sanitizers, and starts it with the command line, environment, standard input and files that lead to the
//! error. Functions of the program without a body, `__VERIFIER_nondet_…` and results of the library that no file
//! can hold (`rand`, `time`, a failing `malloc`) are linked beside it (`harness.c`). So are sockets: what they receive
//! comes from standard input, call by call (`sockets.rs`). Two things make errors show that sanitizers pass over: an object of
//! no bytes has none (they give it one), and what the stack held is gone before they look for leaks.

mod record;
mod sockets;

use crate::check::Outcome;
use evidence::Verdict;
use record::{RESULTS, Recording};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The files of a reproduction, by their names in its folder.
pub fn reproduce(outcome: &Outcome) -> Option<Vec<(String, Vec<u8>)>> {
    let Verdict::Unsafe(counterexample) = outcome.verdict.get() else {
        return None;
    };
    let trace = outcome.verdict.record().trace.as_ref()?;
    let (pool, program) = (&outcome.input.pool, &outcome.input.program);
    let (initial, chosen) = (&counterexample.initial, &trace.inputs);
    let recording = record::record(pool, program, initial, chosen, trace.step_count);
    let mut files = vec![("stdin".to_string(), recording.stdin.clone())];
    let mut harness = outcome.harness()?;
    results(&recording, &mut harness);
    harness.push_str(CLEAN);
    if !recording.numbers.contains_key("malloc.fails") {
        harness.push_str(EMPTY);
    }
    if recording.sockets {
        sockets::write(&recording.counts, &mut harness);
    }
    files.push(("harness.c".into(), harness.into_bytes()));
    for (name, text) in &recording.files {
        if let Some(name) = inside(name) {
            files.push((name, text.clone()));
        }
    }
    files.push(("run.sh".into(), script(outcome, &recording).into_bytes()));
    Some(files)
}

/// A file that may be written below the folder.
fn inside(name: &[u8]) -> Option<String> {
    let name = std::str::from_utf8(name).ok()?;
    let plain = !name.is_empty()
        && Path::new(name)
            .components()
            .all(|c| matches!(c, std::path::Component::Normal(_)));
    let ours = matches!(name, "run.sh" | "harness.c" | "stdin" | "program");
    (plain && !ours).then(|| name.to_string())
}

/// A pointer that a finished call left on the stack is none.
const CLEAN: &str = "
/* What finished calls left on the stack keeps nothing alive. */
static void craig_clean(void) {
  volatile char stack[65536];
  unsigned i;
  for (i = 0; i < sizeof stack; i++) stack[i] = 0;
}
__attribute__((constructor)) static void craig_at_end(void) { atexit(craig_clean); }
";

/// Sanitizers give an object of no bytes one.
const EMPTY: &str = "
/* An object of no bytes has none. */
WEAK void __asan_poison_memory_region(void const volatile *p, unsigned long n);
void *__real_malloc(unsigned long n);
void *__wrap_malloc(unsigned long n) {
  void *p = __real_malloc(n);
  if (p && n == 0 && __asan_poison_memory_region) __asan_poison_memory_region(p, 1);
  return p;
}
";

fn script(outcome: &Outcome, recording: &Recording) -> String {
    let mut out = String::from(
        "#!/usr/bin/env bash\n# Builds the program with sanitizers and runs it on the inputs that Craig found.\n",
    );
    for what in &recording.missing {
        let _ = writeln!(out, "# not reproduced: what the outside says to `{what}`");
    }
    for name in recording.files.keys().filter(|n| inside(n).is_none()) {
        let shown = String::from_utf8_lossy(name);
        let _ = writeln!(
            out,
            "# not reproduced: the file `{}`",
            shown.escape_default()
        );
    }
    out.push_str("cd \"$(dirname \"$0\")\" || exit 125\n");
    out.push_str("${CC:-cc} -w -g -O0 -fsanitize=address,undefined -fno-sanitize-recover=all \\\n");
    let preprocessor = &outcome.input.options.preprocessor;
    if outcome.input.options.bits32 {
        out.push_str("  -m32 \\\n");
    }
    for dir in &preprocessor.include {
        let _ = writeln!(out, "  -I {} \\", quoted(absolute(dir).as_bytes()));
    }
    for define in &preprocessor.define {
        let _ = writeln!(out, "  -D {} \\", quoted(define.as_bytes()));
    }
    for name in recording.numbers.keys() {
        for function in replaced(name) {
            let _ = writeln!(out, "  -Wl,--wrap={function} \\");
        }
    }
    if !recording.numbers.contains_key("malloc.fails") {
        out.push_str("  -Wl,--wrap=malloc \\\n");
    }
    let sockets = recording.sockets.then_some(sockets::REPLACED);
    for function in sockets.into_iter().flatten() {
        let _ = writeln!(out, "  -Wl,--wrap={function} \\");
    }
    out.push_str("  -o program");
    for file in &outcome.input.files {
        let _ = write!(out, " {}", quoted(absolute(&file.name).as_bytes()));
    }
    out.push_str(" harness.c -lm || exit 125\n");
    for (name, value) in &recording.environment {
        let shown = String::from_utf8_lossy(name);
        let _ = match value {
            Some(value) => writeln!(out, "export {shown}={}", quoted(value)),
            None => writeln!(out, "unset {shown}"),
        };
    }
    let mut arguments = recording.arguments.iter();
    let name = arguments
        .next()
        .map_or_else(|| b"./program".to_vec(), Clone::clone);
    let alone = if recording.alone { "-c " } else { "" };
    let _ = write!(out, "exec {alone}-a {} ./program", quoted(&name));
    for argument in arguments {
        let _ = write!(out, " {}", quoted(argument));
    }
    let shown = recording.arguments.len().max(1) as i64;
    if recording.count > shown {
        let _ = write!(out, " $(seq {})", recording.count - shown);
    }
    out.push_str(" < stdin\n");
    out
}

fn absolute(name: &str) -> String {
    let path = std::path::absolute(name).unwrap_or_else(|_| PathBuf::from(name));
    path.to_string_lossy().into_owned()
}

/// As a word of the shell: `$'…'` with escapes.
fn quoted(text: &[u8]) -> String {
    let mut out = String::from("$'");
    for &b in text {
        match b {
            b'\'' | b'\\' => {
                out.push('\\');
                out.push(char::from(b));
            }
            32..=126 => out.push(char::from(b)),
            _ => {
                let _ = write!(out, "\\x{b:02x}");
            }
        }
    }
    out.push('\'');
    out
}

/// The functions whose results an input is.
fn replaced(what: &str) -> &'static [&'static str] {
    match what {
        "rand" => &["rand", "random"],
        "time" => &["time"],
        "clock" => &["clock"],
        "malloc.fails" => &["malloc", "calloc"],
        "realloc.fails" => &["realloc"],
        _ => &[],
    }
}

/// C text of functions that return what was recorded.
fn results(recording: &Recording, out: &mut String) {
    for (what, numbers) in &recording.numbers {
        let Some(at) = RESULTS.iter().position(|r| r == what) else {
            continue;
        };
        let list: Vec<String> = numbers.iter().map(|n| format!("{n}L")).collect();
        let _ = write!(
            out,
            "\n/* What `{what}` was. */\nstatic const long craig_{at}[] = {{ {} }};\nstatic unsigned craig_{at}_next;\n\
             static long craig_{at}_value(void) {{\n  return craig_{at}_next < {} ? craig_{at}[craig_{at}_next++] : 0;\n}}\n",
            list.join(", "),
            numbers.len(),
        );
        let v = format!("craig_{at}_value()");
        let text = match what.as_str() {
            "rand" => format!(
                "int __wrap_rand(void) {{ return (int){v}; }}\nlong __wrap_random(void) {{ return {v}; }}\n"
            ),
            "time" => format!(
                "long __wrap_time(long *p) {{\n  long t = {v};\n  if (p) *p = t;\n  return t;\n}}\n"
            ),
            "clock" => format!("long __wrap_clock(void) {{ return {v}; }}\n"),
            "malloc.fails" => format!(
                "void *__real_malloc(unsigned long n);\nvoid *__real_calloc(unsigned long n, unsigned long m);\n\
                 void *__wrap_malloc(unsigned long n) {{ return {v} ? 0 : __real_malloc(n); }}\n\
                 void *__wrap_calloc(unsigned long n, unsigned long m) {{ return {v} ? 0 : __real_calloc(n, m); }}\n"
            ),
            _ => format!(
                "void *__real_realloc(void *p, unsigned long n);\nunsigned long malloc_usable_size(void *p);\n\
                 void *__wrap_realloc(void *p, unsigned long n) {{\n  if (p && n > malloc_usable_size(p) && {v}) return 0;\n  return __real_realloc(p, n);\n}}\n"
            ),
        };
        out.push_str(&text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_shell() {
        assert_eq!(quoted(b"a'b\\\n"), "$'a\\'b\\\\\\x0a'");
        assert_eq!(inside(b"../x"), None);
        assert_eq!(inside(b"data/x.txt").as_deref(), Some("data/x.txt"));
    }
}
