//! `--reproduce`: for every unsafe C program of the tests the script builds the unchanged program and shows
//! the error; and `craig run` gives a program its real outside.
#![allow(clippy::unwrap_used)]

mod common;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("craig-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Does `cc` build programs with sanitizers here?
fn sanitizers(folder: &Path) -> bool {
    let source = folder.join("empty.c");
    std::fs::write(&source, "int main(void) { return 0; }\n").unwrap();
    let built = Command::new("cc")
        .args(["-fsanitize=address,undefined", "-o"])
        .arg(folder.join("empty"))
        .arg(&source)
        .stderr(Stdio::null())
        .status();
    let works = built.is_ok_and(|s| s.success())
        && Command::new(folder.join("empty"))
            .status()
            .is_ok_and(|s| s.success());
    if !works {
        common::skipped("cc has no -fsanitize=address,undefined");
    }
    works
}

/// Checks the program and runs the script; the exit status of the program.
fn reproduced(source: &Path, arguments: &[&str], folder: &Path) -> i32 {
    let checked = Command::new(env!("CARGO_BIN_EXE_craig"))
        .args(["check", "--quiet", "--reproduce"])
        .arg(folder)
        .args(arguments)
        .arg(source)
        .output()
        .unwrap();
    assert_eq!(checked.status.code(), Some(1), "{}", source.display());
    let run = Command::new(folder.join("run.sh"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    run.code().unwrap_or(134)
}

/// The unsafe C programs, in their order.
fn unsafe_programs() -> Vec<PathBuf> {
    let is_unsafe = |p: &PathBuf| {
        let text = std::fs::read_to_string(p).unwrap();
        text.lines().any(|l| l == "//@ verdict: unsafe")
    };
    let mut names = Vec::new();
    common::programs(&common::root(), &mut names).unwrap();
    names.sort();
    names.retain(|p| p.extension().is_some_and(|e| e == "c") && is_unsafe(p));
    names
}

/// How many tests share the programs: they run beside each other.
const SHARES: usize = 4;

/// The programs of one share.
fn show_their_error(share: usize) {
    let folder = folder(&format!("reproduce{share}"));
    if !sanitizers(&folder) {
        return;
    }
    let programs = unsafe_programs();
    assert!(programs.len() > 300, "only {} programs", programs.len());
    let mut not_shown = Vec::new();
    for path in programs.iter().skip(share).step_by(SHARES) {
        let head = std::fs::read_to_string(path).unwrap();
        let property = head.lines().find_map(|l| l.strip_prefix("//@ property: "));
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        if NOT_SHOWN.iter().any(|(_, names)| names.contains(&&*stem)) {
            continue;
        }
        let mut arguments: Vec<&str> = property.map_or(vec![], |p| vec!["--property", p]);
        let options = head.lines().find_map(|l| l.strip_prefix("//@ options: "));
        arguments.extend(options.iter().flat_map(|o| o.split_whitespace()));
        let place = folder.join(&stem);
        let status = reproduced(path, &arguments, &place);
        if status == 0 || status == 125 {
            not_shown.push(format!("{}: {status}", path.display()));
        }
        let _ = std::fs::remove_dir_all(&place);
    }
    assert!(not_shown.is_empty(), "{not_shown:#?}");
    let _ = std::fs::remove_dir_all(&folder);
}

/// Why no run of a compiled program shows an error, and the programs of which that is true.
const NOT_SHOWN: &[(&str, &[&str])] = &[
    (
        "what memory held that nobody wrote decides, and no file can say that",
        &[
            "unwritten_sort_unsafe",
            "uninit_local_unsafe",
            "format_jumped_over_unsafe",
        ],
    ),
    (
        "`__VERIFIER_nondet_memory` chose it",
        &["memory_of_the_outside_unsafe"],
    ),
    (
        "sanitizers do not look at streams that were closed",
        &["read_after_its_end_unsafe"],
    ),
    (
        "glibc's stream touches its buffer only when something is written",
        &["stream_of_a_literal_unsafe"],
    ),
    (
        "sanitizers forget the ends of blocks when `longjmp` leaves them",
        &["longjmp_block_unsafe"],
    ),
    (
        "a stale pointer on the stack keeps the object alive for the sanitizer of leaks",
        &["free_function_unsafe"],
    ),
    (
        "glibc prints `(null)` where C says nothing",
        &["echo_arguments_unsafe"],
    ),
    (
        "glibc's `getline` takes more room than it promises",
        &["numbered_lines_unsafe"],
    ),
];

#[test]
fn the_list_of_what_is_not_shown_names_programs() {
    let programs = unsafe_programs();
    let stems: Vec<_> = programs.iter().filter_map(|p| p.file_stem()).collect();
    for name in NOT_SHOWN.iter().flat_map(|(_, names)| *names) {
        assert!(stems.iter().any(|s| s.to_str() == Some(name)), "{name}");
    }
}

#[test]
fn unsafe_programs_show_their_error_1() {
    show_their_error(0);
}

#[test]
fn unsafe_programs_show_their_error_2() {
    show_their_error(1);
}

#[test]
fn unsafe_programs_show_their_error_3() {
    show_their_error(2);
}

#[test]
fn unsafe_programs_show_their_error_4() {
    show_their_error(3);
}

const RECEIVES: &str = r#"
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void) {
  char text[16];
  struct sockaddr_in to;
  int table[10] = {0}, fd = socket(AF_INET, SOCK_STREAM, 0), n;
  if (fd < 0) return 1;
  memset(&to, 0, sizeof to);
  if (connect(fd, (struct sockaddr *)&to, sizeof to) != 0) return 1;
  n = recv(fd, text, 4, 0);
  if (n != 2 || text[0] != '9' || text[1] != '9') return 1;
  n = recv(fd, text, 1, 0);
  close(fd);
  if (n == 1) table[text[0] & 15] = 1;
  return table[0];
}
"#;

#[test]
fn sockets() {
    let folder = folder("sockets");
    if !sanitizers(&folder) {
        return;
    }
    let source = folder.join("receives.c");
    std::fs::write(&source, RECEIVES).unwrap();
    let place = folder.join("shown");
    let status = reproduced(&source, &["--property", "valid-deref"], &place);
    assert!(status != 0 && status != 125, "{status}");
    let _ = std::fs::remove_dir_all(&folder);
}

const READS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  char *home = getenv("CRAIG_HOME");
  FILE *f = fopen("data.txt", "r");
  if (argc == 2 && argv[1][0] == 'g' && home && home[0] == 'x' && f && fgetc(f) == '7' && getchar() == '4') {
    int *p = malloc(4 * sizeof *p);
    p[4] = 1;
  }
  return 0;
}
"#;

#[test]
fn command_line_environment_files_and_input() {
    let folder = folder("outside");
    if !sanitizers(&folder) {
        return;
    }
    let source = folder.join("reads.c");
    std::fs::write(&source, READS).unwrap();
    let place = folder.join("shown");
    let status = reproduced(&source, &["--property", "valid-deref"], &place);
    assert!(status != 0 && status != 125, "{status}");
    let script = std::fs::read_to_string(place.join("run.sh")).unwrap();
    assert!(
        script.contains("$'g") && script.contains("CRAIG_HOME=$'x"),
        "{script}"
    );
    assert!(
        std::fs::read(place.join("data.txt"))
            .unwrap()
            .starts_with(b"7")
    );
    let _ = std::fs::remove_dir_all(&folder);
}

const ECHO: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int i, n, sum = 0;
  double d;
  char word[8], line[16], *e = getenv("CRAIG_WORD");
  for (i = 1; i < argc; i++) puts(argv[i]);
  if (scanf("%d %i %lf %7[a-c]", &n, &i, &d, word) == 4) printf("%d %d %.2f %s\n", n, i, d, word);
  while ((i = getchar()) != EOF && i != '\n') sum += i;
  while (fgets(line, sizeof line, stdin)) printf("<%s>", line);
  printf("%d %d %s\n", sum, feof(stdin) != 0, e ? e : "none");
  fprintf(stderr, "%s\n", "err");
  srand(7);
  printf("%d\n", rand());
  printf("%d\n", rand());
  exit(7);
}
"#;

#[test]
fn programs_run_as_compiled() {
    let folder = folder("run");
    let (source, program) = (folder.join("echo.c"), folder.join("echo"));
    std::fs::write(&source, ECHO).unwrap();
    let built = Command::new("cc")
        .args(["-w", "-o"])
        .arg(&program)
        .arg(&source)
        .status();
    if !built.is_ok_and(|s| s.success()) {
        common::skipped("no cc");
        return;
    }
    let mut model = Command::new(env!("CARGO_BIN_EXE_craig"));
    model
        .arg("run")
        .arg(&source)
        .args(["--", "one", "two three"]);
    let mut real = Command::new(&program);
    real.args(["one", "two three"]);
    let [model, real] = [model, real].map(|mut command| {
        command.env("CRAIG_WORD", "word").stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let text = b"12 0x1f -2.50 abcd rest\nline two\na line that is longer than the array";
        child.stdin.take().unwrap().write_all(text).unwrap();
        child.wait_with_output().unwrap()
    });
    let shown = |o: &std::process::Output| String::from_utf8_lossy(&o.stdout).into_owned();
    assert_eq!(shown(&model), shown(&real));
    assert_eq!(model.status.code(), real.status.code());
    assert_eq!(model.stderr, real.stderr);
    let _ = std::fs::remove_dir_all(&folder);
}
