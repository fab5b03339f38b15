//! The models of the C library against the real one: programs with random calls are compiled and
//! run, and run by `craig run`; what they print must be the same.
//!
//! Strings and numbers are short and of few different characters, so that calls meet: prefixes,
//! equal strings, empty ones, numbers at the ends of their ranges.
#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// Calls in one program.
const CALLS: usize = 120;

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn text(&mut self, letters: &str, most: u64) -> String {
        let n = self.below(most + 1);
        let all: Vec<char> = letters.chars().collect();
        (0..n)
            .map(|_| all[self.below(all.len() as u64) as usize])
            .collect()
    }

    fn number(&mut self) -> String {
        match self.below(6) {
            0 => "2147483647".into(),
            1 => "(-2147483647 - 1)".into(),
            2 => "0".into(),
            3 => format!("-{}", self.below(1000)),
            _ => format!("{}", self.below(100_000)),
        }
    }
}

/// Templates of calls: S and T are strings, D is a number as text, N an int, C a character, K a
/// small length.
const STRING: &[&str] = &[
    "SIGN(strcmp(S, T))",
    "SIGN(strncmp(S, T, K))",
    "SIGN(strcasecmp(S, T))",
    "SIGN(strncasecmp(S, T, K))",
    "(long)strlen(S)",
    "(long)strnlen(S, K)",
    "(long)strspn(S, T)",
    "(long)strcspn(S, T)",
    "AT(p = S, strchr(p, C))",
    "AT(p = S, strrchr(p, C))",
    "AT(p = S, strstr(p, T))",
    "AT(p = S, strpbrk(p, T))",
    "AT(p = \"abcabcabc\", memchr(p, C, 9))",
    "(strcpy(b, S), strcat(b, T), SHOW)",
    "(memset(b, 'x', 20), b[20] = 0, strncpy(b, S, K), SHOW)",
    "(strcpy(b, S), strncat(b, T, K), SHOW)",
    "(long)(stpcpy(b, S) - b)",
    "(strcpy(b, S), p = strtok(b, \" a\"), p ? (puts(p), 1L) : 0L)",
];
const CLASS: &[&str] = &[
    "!!isalpha(C)",
    "!!isdigit(C)",
    "!!isalnum(C)",
    "!!isspace(C)",
    "!!isupper(C)",
    "!!islower(C)",
    "!!ispunct(C)",
    "!!isprint(C)",
    "!!isgraph(C)",
    "!!iscntrl(C)",
    "!!isxdigit(C)",
    "!!isblank(C)",
    "toupper(C)",
    "tolower(C)",
];
const CONVERT: &[&str] = &[
    "atoi(D)",
    "atol(D)",
    "strtol(D, 0, 10)",
    "strtol(D, 0, 0)",
    "(long)strtoul(D, 0, 16)",
    "AT(p = D, (strtol(p, &q, 10), q))",
    "abs(N / 2)",
    "ffs(N)",
    "__builtin_popcount(N)",
    "__builtin_clz(N | 1)",
    "__builtin_ctz(N | 4096)",
    "__builtin_parity(N)",
    "(long)__builtin_bswap32(N)",
];
const FORMAT: &[&str] = &[
    "(snprintf(b, 40, \"%d|%u|%x\", N, N, N), SHOW)",
    "(snprintf(b, K, \"%s-%c\", S, C), SHOW)",
    "snprintf(b, K, \"%5d%-6d|%+d\", N, N, N)",
    "(sprintf(b, \"%08d %.3d %o\", N, N, N), SHOW)",
    "(sprintf(b, \"%#x %5s %-5s|\", N, S, T), SHOW)",
    "(sprintf(b, \"%.2s%ld%%\", S, (long)N), SHOW)",
    "(n = m = 0, sscanf(D, \"%d%n\", &n, &m), (long)n)",
    "(n = 0, b[0] = 0, sscanf(S, \"%9s %d\", b, &n) * 100L + n)",
];

fn call(random: &mut Random, template: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    let letters = "abcA 1-";
    for c in template.chars().chain(['\0']) {
        if c.is_ascii_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        match word.as_str() {
            "S" | "T" => {
                let _ = write!(out, "\"{}\"", random.text(letters, 7));
            }
            "D" => {
                let _ = write!(out, "\"{}\"", random.text(" -+0123456789xa", 9));
            }
            "N" => out.push_str(&random.number()),
            "C" => {
                let _ = write!(out, "{}", random.below(128));
            }
            "K" => {
                let _ = write!(out, "{}", random.below(9));
            }
            other => out.push_str(other),
        }
        word.clear();
        if c != '\0' {
            out.push(c);
        }
    }
    out
}

fn driver(random: &mut Random, templates: &[&str]) -> String {
    let mut out = String::from(
        "#define _GNU_SOURCE\n#include <ctype.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <strings.h>\n\
         #define SIGN(x) ((x) < 0 ? -1L : (x) > 0 ? 1L : 0L)\n\
         #define AT(set, found) (set, (q = (char *)(found)) ? (long)(q - p) : -1L)\n\
         #define SHOW (puts(b), 0L)\n\
         static char b[128];\nint main(void) {\n  char *p, *q;\n  int n, m;\n  p = q = b; n = m = 0;\n",
    );
    for _ in 0..CALLS {
        let template = templates[random.below(templates.len() as u64) as usize];
        let call = call(random, template);
        let _ = writeln!(out, "  printf(\"%ld\\n\", (long)({call}));");
    }
    out.push_str("  return 0;\n}\n");
    out
}

/// The first line on which the two outputs differ, with the call.
fn difference(text: &str, real: &str, model: &str) -> Option<String> {
    let (mut a, mut b) = (real.lines(), model.lines());
    let mut number = 0;
    loop {
        number += 1;
        match (a.next(), b.next()) {
            (None, None) => return None,
            (x, y) if x == y => {}
            (x, y) => {
                return Some(format!(
                    "output line {number}: real {x:?}, model {y:?}\n{text}"
                ));
            }
        }
    }
}

fn agree(name: &str, templates: &[&str], programs: u64) {
    let folder = std::env::temp_dir().join(format!("craig-library-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for seed in 0..programs {
        let text = driver(&mut Random(seed * 7919 + 1), templates);
        let (source, program) = (folder.join("driver.c"), folder.join("driver"));
        std::fs::write(&source, &text).unwrap();
        let built = Command::new("cc")
            .args(["-w", "-fno-builtin", "-o"])
            .arg(&program)
            .arg(&source)
            .status();
        if !built.is_ok_and(|s| s.success()) {
            eprintln!("skipped: cc cannot build the driver");
            return;
        }
        let real = Command::new(&program).output().unwrap();
        let model = Command::new(Path::new(env!("CARGO_BIN_EXE_craig")))
            .arg("run")
            .arg(&source)
            .output()
            .unwrap();
        let shown = |o: &std::process::Output| String::from_utf8_lossy(&o.stdout).into_owned();
        if let Some(found) = difference(&text, &shown(&real), &shown(&model)) {
            let errors = String::from_utf8_lossy(&model.stderr).into_owned();
            panic!("{name}, seed {seed}: {found}\n{errors}");
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn strings() {
    agree("string", STRING, 6);
}

#[test]
fn classes() {
    agree("ctype", CLASS, 4);
}

#[test]
fn conversions() {
    agree("stdlib", CONVERT, 5);
}

#[test]
fn formats() {
    agree("stdio", FORMAT, 5);
}
