//! Twins of functions whose results the arguments do not fix, and of all the others that no template of calls tries:
//! the rows of `answers/*.txt`. A row is a call and what is known of its result `r`:
//!
//! | row | is known | twins |
//! |---|---|---|
//! | `same: CALL` | what the real library returned here | another result: refuted as never, as sometimes |
//! | `some: CALL` | an approximation; the real result is one of those it allows | neither a proof nor an error that counts |
//! | `in: CALL \| ALWAYS \| ONE ; TWO` | an answer of the outside | `ALWAYS` is proved and holds of the real result; `ONE` and `TWO` are refuted |
//! | `call:` `fd:` `found:` `answer:` `code:` `void:` | the usual answers: 0 or -1; a descriptor; an address or null; 0 or 1; 0 or the number of an error; nothing | as of `in:` |
//! | `ends: CALL` | nothing happens after it | what follows is proved unreachable, and does not happen |
//! | `error: CALL` | being called is the error | refuted |
//! | `refused: CALL` | control would go on elsewhere | a diagnostic |
//!
//! A row with `-` before it is not run; one with `@` before its colon is three, for `double`, `float` and `long double`
//! (`@` stands for the suffix). Lines before the rows of a section are declarations.
//!
//! Some rows at a time are one program: safe if what always holds holds of all, unsafe if all can be broken at once. Only
//! if that goes wrong (answers may exclude each other) two rows are asked, then each alone. Rows of a section whose name ends with `alone` always are: they change what
//! later calls do. An everyday run asks every third program, `CRAIG_CAMPAIGN=1` all.

use super::{built, campaign, twins};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// The files of rows.
pub const FILES: &[(&str, &str)] = &[
    ("streams", include_str!("answers/streams.txt")),
    ("files", include_str!("answers/files.txt")),
    ("system", include_str!("answers/system.txt")),
    ("numbers", include_str!("answers/numbers.txt")),
    ("kernel", include_str!("answers/kernel.txt")),
    ("tables", include_str!("answers/tables.txt")),
    ("rest", include_str!("answers/rest.txt")),
];

/// Rows of one program.
const AT_ONCE: usize = 10;

/// What every section declares.
const HEAD: &str = "#define _GNU_SOURCE\n#include <errno.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n#include <wchar.h>\nextern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n";
const BUFFERS: &str = "static char b[64]; static wchar_t w[64];\n";

enum Known {
    Same,
    Some,
    Ends,
    Error,
    Refused,
    Chosen { always: String, broken: Vec<String> },
}

struct Row {
    runs: bool,
    call: String,
    known: Known,
}

#[derive(Default)]
struct Section {
    name: String,
    declared: String,
    rows: Vec<Row>,
}

fn row(kind: &str, rest: &str, runs: bool) -> Row {
    let chosen = |always: &str, broken: &[&str]| Known::Chosen {
        always: always.to_string(),
        broken: broken.iter().map(|b| (*b).to_string()).collect(),
    };
    let bit = chosen("r == 0 || r == 1", &["r != 0", "r == 0"]);
    let mut call = rest.to_string();
    let known = match kind {
        "same" => Known::Same,
        "some" => Known::Some,
        "ends" => Known::Ends,
        "error" => Known::Error,
        "refused" => Known::Refused,
        "call" => chosen("r == 0 || r == -1", &["r != 0", "r != -1"]),
        "fd" => chosen("r >= -1", &["r != 5", "r != -1"]),
        "code" => chosen("r >= 0 && r < 134", &["r != 0", "r == 0"]),
        "answer" => bit,
        "found" => {
            call = format!("({rest}) != 0");
            bit
        }
        "void" => {
            call = format!("({rest}, 1)");
            chosen("r == 1", &["r != 1"])
        }
        "in" => {
            let mut parts = rest.split(" | ");
            call = parts.next().unwrap().to_string();
            let always = parts.next().unwrap();
            let broken = parts.next().unwrap_or("").trim_end_matches('|').split(';');
            let broken: Vec<&str> = broken.map(str::trim).filter(|b| !b.is_empty()).collect();
            chosen(always.trim_end_matches('|'), &broken)
        }
        other => panic!("no kind of row is `{other}`"),
    };
    Row { runs, call, known }
}

fn sections(text: &str) -> Vec<Section> {
    let mut out: Vec<Section> = Vec::new();
    for line in text
        .lines()
        .filter(|l| !l.starts_with("# ") && !l.is_empty())
    {
        if let Some(name) = line.strip_prefix("section ") {
            let name = name.to_string();
            out.push(Section {
                name,
                ..Section::default()
            });
            continue;
        }
        let section = out.last_mut().unwrap();
        let plain = line.trim_start_matches('-');
        let head = plain
            .split_once(": ")
            .filter(|(kind, _)| kind.chars().all(|c| c.is_ascii_lowercase() || c == '@'));
        match head {
            None => {
                let _ = writeln!(section.declared, "{line}");
            }
            Some((kind, rest)) => {
                let all: &[&str] = if kind.ends_with('@') {
                    &["", "f", "l"]
                } else {
                    &[""]
                };
                for suffix in all {
                    let rest = if all.len() > 1 {
                        rest.replace('@', suffix)
                    } else {
                        rest.to_string()
                    };
                    section
                        .rows
                        .push(row(kind.trim_end_matches('@'), &rest, plain == line));
                }
            }
        }
    }
    out
}

/// All calls, for the test that no function is left out.
pub fn calls() -> String {
    let mut out = String::new();
    for section in FILES.iter().flat_map(|(_, text)| sections(text)) {
        // Calls may be in the functions that a section declares.
        out.push_str(&section.declared);
        section.rows.iter().for_each(|r| {
            out.push_str(&r.call);
            out.push('\n');
        });
    }
    out
}

fn function(i: usize, row: &Row) -> String {
    let returns = match row.known {
        Known::Ends | Known::Error | Known::Refused => format!("{}; return 0", row.call),
        _ => format!("return (long)({})", row.call),
    };
    format!(
        "static long row{i}(void) {{\n  long r = 0; int n = 0, m = 0; FILE *f = 0; char *p = 0, *q = 0;\n  {returns};\n}}\n"
    )
}

/// What the real library returns; what always holds is asserted.
fn observed(folder: &Path, section: &Section, wrong: &mut String) -> Option<BTreeMap<usize, i64>> {
    let mut text = format!(
        "{HEAD}{BUFFERS}{}void reach_error(void) {{ }}\n",
        section.declared
    );
    let mut cases = String::new();
    for (i, row) in section.rows.iter().enumerate().filter(|(_, r)| r.runs) {
        text.push_str(&function(i, row));
        let always = match &row.known {
            Known::Chosen { always, .. } => always.as_str(),
            _ => "1",
        };
        let _ = writeln!(
            cases,
            "  case {i}: r = row{i}(); fprintf(stderr, \"\\n= %ld %d\\n\", r, {always}); break;"
        );
    }
    let _ = write!(
        text,
        "int main(int argc, char **argv) {{\n  long r;\n  alarm(20);\n  switch (atoi(argv[1])) {{\n{cases}  }}\n  return 0;\n}}\n"
    );
    let (source, program) = (folder.join("real.c"), folder.join("real"));
    std::fs::write(&source, &text).unwrap();
    if !built(&source, &program) {
        return None;
    }
    let mut out = BTreeMap::new();
    for (i, row) in section.rows.iter().enumerate().filter(|(_, r)| r.runs) {
        let mut real = Command::new(&program);
        real.arg(i.to_string()).current_dir(folder).env_clear();
        real.env("PATH", "/usr/bin:/bin").stdin(Stdio::null());
        let real = real.output().unwrap();
        let shown = String::from_utf8_lossy(&real.stderr).into_owned();
        let line = shown.lines().find_map(|l| l.strip_prefix("= "));
        let ends = matches!(row.known, Known::Ends | Known::Error);
        match line.and_then(|l| l.split_once(' ')) {
            Some(_) if ends => {
                let _ = writeln!(wrong, "{}: really goes on", row.call);
            }
            None if ends => {}
            Some((n, holds)) => {
                out.insert(i, n.parse().unwrap());
                if holds != "1" {
                    let _ = writeln!(wrong, "{}: is really {n}", row.call);
                }
            }
            None => {
                let _ = writeln!(wrong, "{}: really ends: {shown}", row.call);
            }
        }
    }
    Some(out)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    Safe,
    Unsafe,
    /// An error that needs an approximation.
    Approximated,
    Refused,
    Open,
}

fn asked(folder: &Path, text: &str, options: &[&str]) -> Answer {
    let source = folder.join("twin.c");
    std::fs::write(&source, text).unwrap();
    let checked = Command::new(env!("CARGO_BIN_EXE_craig"))
        .args(["check", "--property", "unreach-call"])
        .args(options)
        .arg(&source)
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&checked.stdout);
    match checked.status.code() {
        Some(0) => Answer::Safe,
        Some(1) => Answer::Unsafe,
        Some(2) if shown.contains("depends on something not modelled") => Answer::Approximated,
        Some(3) if String::from_utf8_lossy(&checked.stderr).contains("cannot be modelled") => {
            Answer::Refused
        }
        _ => Answer::Open,
    }
}

/// All paths of at most so many laps: the quickest engine for errors in calls one after the other.
const FEW_LAPS: &[&str] = &["--engine", "bmc", "--bound", "3", "--time", "5"];
const MANY_LAPS: &[&str] = &["--engine", "bmc", "--bound", "60", "--time", "5"];
const PORTFOLIO: &[&str] = &["--time", "20"];

fn program(section: &Section, part: &[usize], body: &str) -> String {
    let mut text = format!("{HEAD}{BUFFERS}{}", section.declared);
    for &i in part {
        text.push_str(&function(i, &section.rows[i]));
    }
    let _ = write!(
        text,
        "int main(void) {{\n  long r = 0; int hits = 0;\n{body}  return 0;\n}}\n"
    );
    text
}

/// What goes wrong with these rows together.
fn judged(
    folder: &Path,
    section: &Section,
    part: &[usize],
    real: &BTreeMap<usize, i64>,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut expect = |what: &str, body: String, rows: &[usize], wanted: &[Answer]| {
        let text = program(section, rows, &body);
        // What is cheapest for each: a proof is not found by paths of some laps, an error is.
        let ways: &[&[&str]] = match wanted[0] {
            Answer::Safe => &[PORTFOLIO],
            Answer::Unsafe => &[FEW_LAPS, PORTFOLIO],
            Answer::Approximated => &[FEW_LAPS, MANY_LAPS],
            Answer::Refused | Answer::Open => &[FEW_LAPS],
        };
        let mut answers = ways.iter().map(|way| asked(folder, &text, way));
        let mut last = Answer::Open;
        if answers.any(|a| {
            last = a;
            wanted.contains(&a)
        }) {
            return;
        }
        let answer = last;
        wrong.push(format!("{what}: {answer:?}, not {wanted:?}"));
    };
    let of = |wanted: fn(&Known) -> bool| -> Vec<usize> {
        part.iter()
            .copied()
            .filter(|&i| wanted(&section.rows[i].known))
            .collect()
    };
    let mut always: Vec<(usize, String)> = Vec::new();
    let mut broken: Vec<Vec<(usize, String)>> = Vec::new();
    for &i in part {
        match &section.rows[i].known {
            Known::Same => {
                if let Some(&n) = real.get(&i) {
                    let n = twins::literal(n);
                    always.push((i, format!("r == {n}")));
                    broken.resize_with(broken.len().max(1), Vec::new);
                    broken[0].push((i, format!("r != {n}")));
                }
            }
            Known::Chosen {
                always: a,
                broken: b,
            } => {
                always.push((i, a.clone()));
                broken.resize_with(broken.len().max(b.len()), Vec::new);
                for (k, b) in b.iter().enumerate() {
                    broken[k].push((i, b.clone()));
                }
            }
            _ => {}
        }
    }
    let rows_of = |rows: &[(usize, String)]| rows.iter().map(|(i, _)| *i).collect::<Vec<_>>();
    if !always.is_empty() {
        let body = always.iter().fold(String::new(), |mut out, (i, c)| {
            let _ = writeln!(out, "  r = row{i}();\n  if (!({c})) reach_error();");
            out
        });
        expect(
            "what always holds",
            body,
            &rows_of(&always),
            &[Answer::Safe],
        );
    }
    let counted = |rows: &[(usize, String)]| {
        let mut body = rows.iter().fold(String::new(), |mut out, (i, c)| {
            let _ = writeln!(out, "  r = row{i}();\n  hits += !({c});");
            out
        });
        let _ = writeln!(body, "  if (hits == {}) reach_error();", rows.len());
        body
    };
    for rows in broken.iter().filter(|r| !r.is_empty()) {
        expect(
            "what can be broken",
            counted(rows),
            &rows_of(rows),
            &[Answer::Unsafe],
        );
    }
    let some = of(|k| matches!(k, Known::Some));
    let some: Vec<(usize, String)> = some
        .into_iter()
        .filter_map(|i| real.get(&i).map(|&n| (i, twins::literal(n))))
        .collect();
    if !some.is_empty() {
        let other = some.iter().fold(String::new(), |mut out, (i, n)| {
            let _ = writeln!(out, "  r = row{i}();\n  if (r != {n}) reach_error();");
            out
        });
        expect(
            "another result",
            other,
            &rows_of(&some),
            &[Answer::Approximated],
        );
        let equal: Vec<(usize, String)> = some
            .iter()
            .map(|(i, n)| (*i, format!("r != {n}")))
            .collect();
        // What goes well unless something unforeseen happens counts.
        let allowed = [Answer::Approximated, Answer::Unsafe];
        expect(
            "the real result",
            counted(&equal),
            &rows_of(&some),
            &allowed,
        );
    }
    let ends = of(|k| matches!(k, Known::Ends));
    if !ends.is_empty() {
        let body = ends.iter().fold(String::new(), |mut out, i| {
            let _ = writeln!(
                out,
                "  if (__VERIFIER_nondet_int() == {i}) {{ row{i}(); reach_error(); }}"
            );
            out
        });
        expect("the end", body, &ends, &[Answer::Safe]);
    }
    for i in of(|k| matches!(k, Known::Error)) {
        expect(
            "the error",
            format!("  row{i}();\n"),
            &[i],
            &[Answer::Unsafe],
        );
    }
    for i in of(|k| matches!(k, Known::Refused)) {
        expect(
            "what is refused",
            format!("  row{i}();\n"),
            &[i],
            &[Answer::Refused],
        );
    }
    wrong
}

fn answered(name: &str) {
    let folder = twins::folder(&format!("answers-{name}"));
    let text = FILES.iter().find(|(n, _)| *n == name).unwrap().1;
    let mut wrong = String::new();
    // Every third program in an everyday run; CRAIG_CAMPAIGN=1 asks all.
    let every = campaign(3);
    let mut number = 0;
    for section in sections(text) {
        let Some(real) = observed(&folder, &section, &mut wrong) else {
            let cc = Command::new("cc").arg("--version").output();
            assert!(
                cc.is_err(),
                "{name}, {}: cc does not build the rows",
                section.name
            );
            return;
        };
        let alone = section.name.ends_with("alone");
        let all: Vec<usize> = (0..section.rows.len()).collect();
        for part in all.chunks(if alone { 1 } else { AT_ONCE }) {
            number += 1;
            if number % every != 0 || judged(&folder, &section, part, &real).is_empty() {
                continue;
            }
            // Some exclude each other in one run: in twos, then alone.
            let mut alone: Vec<usize> = Vec::new();
            for two in part.chunks(2) {
                if part.len() == 1 || !judged(&folder, &section, two, &real).is_empty() {
                    alone.extend(two);
                }
            }
            for i in alone {
                for what in judged(&folder, &section, &[i], &real) {
                    let _ = writeln!(
                        wrong,
                        "{}: {what} ({:?})",
                        section.rows[i].call,
                        real.get(&i)
                    );
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{name}:\n{wrong}");
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn answers_of_streams() {
    answered("streams");
}

#[test]
fn answers_about_files() {
    answered("files");
}

#[test]
fn answers_of_the_system() {
    answered("system");
}

#[test]
fn answers_as_numbers() {
    answered("numbers");
}

#[test]
fn answers_of_the_kernel() {
    answered("kernel");
}

#[test]
fn answers_from_tables() {
    answered("tables");
}

#[test]
fn answers_of_the_rest() {
    answered("rest");
}
