//! Preconditions of the library are checks of memory safety.
//!
//! - `rows`: what people get wrong (sizes, overlap, texts without an end, closed streams, freed blocks …), a call that keeps
//!   the precondition beside one that breaks it (`preconditions.txt`). The first is proved, the second refuted; the
//!   sanitisers agree where they look.
//! - `pointers`: every function that the headers of this machine declare and the table has, every pointer argument: memory
//!   that was freed, and null where the header says `nonnull`, is an error. What is none is in `LEFT` with its reason.
//!
//! An everyday run asks some of both, `CRAIG_CAMPAIGN=1` all.

use super::{campaign, common::skipped, twins};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

const ROWS: &str = include_str!("preconditions.txt");

const HEAD: &str = "#define _GNU_SOURCE
#include <features.h>
/* A call whose result nobody reads is to be made all the same. */
#undef __attribute_pure__
#define __attribute_pure__
#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <glob.h>
#include <libgen.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <regex.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#undef basename
static int compare(const void *a, const void *b) { return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b; }
int main(void) {
  char b[8] = \"1234567\", c[8] = \"abc\", b2[8] = \"1234\", raw[4] = {'a', 'b', 'c', 'd'}, digits[4] = {'1', '2', '3', '4'};
  char text[16], template[] = \"/tmp/fXXXXXX\", *at = 0, *heap, *other, *arguments[] = {b, 0};
  wchar_t w[4] = L\"ab\", wraw[2] = {L'a', L'b'};
  int ints[4] = {3, 1, 2, 0}, number = 0;
  size_t four = 4, size = 0;
  double real;
";

/// What only some rows name.
const NAMED: &[(&str, &str)] = &[
    ("f", "FILE *f = tmpfile(); if (f == 0) return 0;"),
    ("f2", "FILE *f2 = 0;"),
    (
        "closed",
        "FILE *closed = tmpfile(); if (closed == 0) return 0; fclose(closed);",
    ),
    ("d", "DIR *d = opendir(\".\"); if (d == 0) return 0;"),
    ("status", "struct stat status;"),
    ("polled", "struct pollfd polled[2] = {{0}};"),
    ("files", "fd_set files; FD_ZERO(&files);"),
    ("names", "struct utsname names;"),
    ("action", "struct sigaction action;"),
    ("signals", "sigset_t signals;"),
    (
        "mutex",
        "pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;",
    ),
    ("now", "time_t now = 0;"),
    ("parts", "struct tm parts = {0};"),
    ("moment", "struct timespec moment = {0};"),
    ("day", "struct timeval day;"),
    ("address", "struct in_addr address = {0};"),
    ("peer", "struct sockaddr_in peer = {0};"),
    ("pattern", "regex_t pattern;"),
    ("found", "glob_t found;"),
];

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}

fn program(call: &str) -> String {
    // What stands in a text names nothing.
    let outside: String = call.split('"').step_by(2).collect::<Vec<_>>().join(" ");
    let named: BTreeSet<&str> = words(&outside).collect();
    let mut text = HEAD.to_string();
    for (_, declared) in NAMED.iter().filter(|(name, _)| named.contains(name)) {
        let _ = writeln!(text, "  {declared}");
    }
    let _ = write!(
        text,
        "  heap = malloc(8);\n  if (heap == 0) return 0;\n  memset(heap, 0, 8);\n  (void)({call});\n"
    );
    if named.contains("getline") {
        text.push_str("  free(at);\n");
    }
    text.push_str("  free(heap);\n  return 0;\n}\n");
    text
}

/// Whether the sanitisers find an error; nothing if the program cannot be built.
fn sanitised(folder: &Path, text: &str) -> Option<bool> {
    let (source, program) = (folder.join("real.c"), folder.join("real"));
    std::fs::write(&source, text).unwrap();
    let built = Command::new("cc")
        .args([
            "-w",
            "-g",
            "-fno-builtin",
            "-fsanitize=address,undefined",
            "-fno-sanitize-recover=all",
            "-o",
        ])
        .arg(&program)
        .arg(&source)
        .arg("-lm")
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success());
    if !built {
        return None;
    }
    let options = "strict_string_checks=1:strict_memcmp=1";
    let run = Command::new(&program)
        .env("ASAN_OPTIONS", options)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    Some(!run.success())
}

#[test]
fn rows() {
    let folder = twins::folder("preconditions");
    let (mut wrong, mut tried) = (String::new(), 0);
    let rows = ROWS
        .lines()
        .filter(|l| !l.starts_with('#') && l.contains(" | "));
    let every = if campaign(0) > 0 { 1 } else { 4 };
    for row in rows.step_by(every) {
        let plain = row.trim_start_matches('-');
        let (good, bad) = plain.split_once(" | ").unwrap();
        for (call, expected) in [(good, 0), (bad, 1)] {
            let text = program(call);
            let answer = twins::verdict(&folder, &text, "memsafety");
            if answer != Some(expected) {
                let _ = writeln!(wrong, "{answer:?}, not {expected}: {call}");
            }
            if plain == row
                && let Some(found) = sanitised(&folder, &text)
                && found != (expected == 1)
            {
                let _ = writeln!(wrong, "sanitisers: {found}: {call}");
            }
        }
        tried += 1;
    }
    assert!(tried > 40, "only {tried} rows");
    assert!(wrong.is_empty(), "{wrong}");
    let _ = std::fs::remove_dir_all(&folder);
}

/// All headers whose functions the table has.
const HEADERS: &str = include_str!("headers.txt");

/// Pointers that may lead nowhere: a function (`*` at its end: all that begin so), an argument (from 0; `*`: any), and why.
const LEFT: &[(&str, &str, &str)] = &include!("left.txt");

struct Declared {
    name: String,
    parameters: Vec<String>,
    not_null: BTreeSet<usize>,
}

/// The text up to the bracket that closes the one it begins with, and what follows.
fn bracket(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Some((&text[1..i], &text[i + 1..])),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn separated(text: &str) -> Vec<String> {
    let (mut out, mut depth) = (vec![String::new()], 0);
    for c in text.chars() {
        match c {
            ',' if depth == 0 => {
                out.push(String::new());
                continue;
            }
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        out.last_mut().unwrap().push(c);
    }
    out.iter().map(|p| p.trim().to_string()).collect()
}

/// `extern T name (parameters) attributes`.
fn declared(text: &str) -> Option<Declared> {
    let text = text.trim().strip_prefix("extern ")?;
    let (head, _) = text.split_once('(')?;
    let name = head.trim_end().rsplit([' ', '*']).next()?.to_string();
    let (inside, attributes) = bracket(&text[head.len()..])?;
    if name.is_empty() || name.starts_with("__attribute") || text.contains('{') {
        return None;
    }
    let parameters = separated(inside);
    let mut not_null = BTreeSet::new();
    for part in attributes.split("__nonnull__").skip(1) {
        match part
            .trim_start()
            .starts_with('(')
            .then(|| bracket(part.trim_start()))
        {
            Some(Some((numbers, _))) => {
                not_null.extend(
                    numbers
                        .split(',')
                        .filter_map(|n| n.trim().parse::<usize>().ok()),
                );
            }
            _ => not_null.extend(1..=parameters.len()),
        }
    }
    Some(Declared {
        name,
        parameters,
        not_null,
    })
}

/// A value for a parameter and whether it is a pointer; nothing for what is not tried.
fn value(parameter: &str) -> Option<(&'static str, bool)> {
    let has = |words: &[&str]| words.iter().any(|w| parameter.contains(w));
    let word = |w: &str| words(parameter).any(|x| x == w);
    if has(&[
        "va_list",
        "(*",
        "_fn_t",
        "func_t",
        "cmp_fn",
        "handler_t",
        "cookie",
    ]) {
        return None;
    }
    if word("__SOCKADDR_ARG") || word("__CONST_SOCKADDR_ARG") {
        return None;
    }
    if has(&["*", "["]) {
        let one = parameter.matches('*').count() == 1;
        return Some(if word("FILE") {
            ("f", true)
        } else if word("DIR") {
            ("d", true)
        } else if word("char") && word("const") && one {
            ("\"r\"", true)
        } else if word("wchar_t") && word("const") && one {
            ("L\"r\"", true)
        } else {
            ("(void *)buffer", true)
        });
    }
    if word("struct") || word("union") {
        return None;
    }
    Some(("2", false))
}

/// The call with this pointer instead of the argument at `at`.
fn nowhere(d: &Declared, values: &[(&str, bool)], at: usize, null: bool) -> String {
    let instead = match (null, values[at].0) {
        (true, _) => "0",
        (false, "f") => "closed",
        (false, "d") => "ended",
        (false, _) => "(void *)freed",
    };
    let mut args: Vec<&str> = values.iter().map(|v| v.0).collect();
    args[at] = instead;
    let mut text = "static long buffer[1024];\nint main(void) {\n".to_string();
    for (name, made) in [
        ("f", "FILE *f = tmpfile(); if (!f) return 0;"),
        ("d", "DIR *d = opendir(\".\"); if (!d) return 0;"),
        (
            "closed",
            "FILE *closed = tmpfile(); if (!closed) return 0; fclose(closed);",
        ),
        (
            "ended",
            "DIR *ended = opendir(\".\"); if (!ended) return 0; closedir(ended);",
        ),
        (
            "(void *)freed",
            "char *freed = malloc(8192); if (!freed) return 0; memset(freed, 0, 8192); free(freed);",
        ),
    ] {
        if args.contains(&name) {
            let _ = writeln!(text, "  {made}");
        }
    }
    let _ = write!(
        text,
        "  {}({});\n  return 0;\n}}\n",
        d.name,
        args.join(", ")
    );
    text
}

fn is_left(name: &str, at: usize) -> bool {
    LEFT.iter().any(|(pattern, argument, _)| {
        let fits = match pattern.strip_suffix('*') {
            Some(begin) => name.starts_with(begin),
            None => *pattern == name,
        };
        fits && (*argument == "*" || argument.split(' ').any(|a| a == at.to_string()))
    })
}

#[test]
fn pointers() {
    let folder = twins::folder("pointers");
    let source = folder.join("headers.c");
    let mut text = "#define _GNU_SOURCE\n".to_string();
    for header in HEADERS.split_whitespace() {
        let _ = writeln!(
            text,
            "#if __has_include(<{header}.h>)\n#include <{header}.h>\n#endif"
        );
    }
    std::fs::write(&source, text).unwrap();
    let read = Command::new("cc").args(["-E", "-P"]).arg(&source).output();
    let Some(read) = read.ok().filter(|r| r.status.success()) else {
        return skipped("cc -E does not read the headers");
    };
    let headers = String::from_utf8(read.stdout).unwrap();
    let plain = headers.split_whitespace().collect::<Vec<_>>().join(" ");
    let known: BTreeSet<&str> = frontend::c::library_functions().into_iter().collect();
    let (mut seen, mut calls) = (BTreeSet::new(), Vec::new());
    for d in plain.split(';').filter_map(declared) {
        if !known.contains(d.name.as_str()) || !seen.insert(d.name.clone()) {
            continue;
        }
        let fixed = d.parameters.iter().filter(|p| *p != "...");
        let Some(values) = fixed.map(|p| value(p)).collect::<Option<Vec<_>>>() else {
            continue;
        };
        for at in (0..values.len()).filter(|&i| values[i].1 && !is_left(&d.name, i)) {
            calls.push((d.name.clone(), nowhere(&d, &values, at, false)));
            if d.not_null.contains(&(at + 1)) {
                calls.push((d.name.clone(), nowhere(&d, &values, at, true)));
            }
        }
    }
    let all = calls.len();
    let every = if campaign(0) > 0 { 1 } else { 40 };
    let mut wrong = String::new();
    for (name, call) in calls.iter().step_by(every) {
        let answer = twins::verdict(&folder, &format!("{headers}{call}"), "memsafety");
        if answer != Some(1) {
            let line = call.lines().rev().nth(2).unwrap_or(name);
            let _ = writeln!(wrong, "{answer:?}: {}", line.trim());
        }
    }
    assert!(all > 1_000, "only {all} pointers");
    assert!(wrong.is_empty(), "of {all}:\n{wrong}");
    let _ = std::fs::remove_dir_all(&folder);
}
