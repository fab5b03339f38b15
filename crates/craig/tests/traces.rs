//! What people read when a program is unsafe: one snapshot per kind of violation.
//!
//! The inputs that lead to the error are unique in each program, so that the trace does not depend
//! on how an engine found it.
#![allow(clippy::unwrap_used)]

use craig::{Checker, Properties, SourceOptions};
use std::time::Duration;

const HEAD: &str = "extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void *);
void reach_error(void) { abort(); }
";

/// The account of an unsafe program, without the line about the engine.
fn account(property: &str, body: &str) -> String {
    let source = SourceOptions {
        properties: Properties::from_name(property).unwrap(),
        ..SourceOptions::default()
    };
    let outcome = Checker::new()
        .time(Duration::from_secs(30))
        .source(source)
        .check_text("a.c", &format!("{HEAD}{body}"))
        .unwrap();
    let text = outcome.text();
    assert_eq!(outcome.kind().as_str(), "unsafe", "{text}");
    text.lines().skip(1).map(|l| format!("{l}\n")).collect()
}

#[test]
fn assertion() {
    insta::assert_snapshot!(account(
        "unreach-call",
        "int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = 2 * a;
  if (b == 86 && a > 0)
    reach_error();
  return 0;
}
"
    ));
}

#[test]
fn overflow() {
    insta::assert_snapshot!(account(
        "no-overflow",
        "int main(void) {
  int a = __VERIFIER_nondet_int();
  if (a < 2147483647)
    return 0;
  int b = a + 1;
  return b;
}
"
    ));
}

#[test]
fn null_dereference() {
    insta::assert_snapshot!(account(
        "valid-memsafety",
        "int main(void) {
  int x = 5;
  int *p = &x;
  if (__VERIFIER_nondet_int() == 3)
    p = 0;
  *p = 1;
  return 0;
}
"
    ));
}

#[test]
fn out_of_bounds() {
    insta::assert_snapshot!(account(
        "valid-memsafety",
        "int main(void) {
  int a[4];
  for (int i = 0; i <= 4; i++)
    a[i] = i;
  return 0;
}
"
    ));
}

#[test]
fn double_free() {
    insta::assert_snapshot!(account(
        "valid-memsafety",
        "int main(void) {
  int *p = malloc(4);
  int n = __VERIFIER_nondet_int();
  free(p);
  if (n == 12)
    free(p);
  return 0;
}
"
    ));
}

#[test]
fn leak() {
    insta::assert_snapshot!(account(
        "valid-memsafety",
        "int main(void) {
  int *p = malloc(4);
  if (__VERIFIER_nondet_int() == 1)
    p = 0;
  free(p);
  return 0;
}
"
    ));
}

#[test]
fn across_functions() {
    insta::assert_snapshot!(account(
        "unreach-call",
        "int total;
void add(int n) {
  total = total + n;
}
int half(int n) {
  return n / 2;
}
int main(void) {
  int a = __VERIFIER_nondet_int();
  if (a != 10)
    return 0;
  add(half(a));
  add(2);
  if (total == 7)
    reach_error();
  return 0;
}
"
    ));
}

#[test]
fn recursion() {
    insta::assert_snapshot!(account(
        "unreach-call",
        "int sum(int n) {
  if (n <= 0)
    return 0;
  return n + sum(n - 1);
}
int main(void) {
  int a = __VERIFIER_nondet_int();
  if (a == 3 && sum(a) == 6)
    reach_error();
  return 0;
}
"
    ));
}

/// The record is looked at byte by byte, so the model keeps bytes; its members are still whole values.
#[test]
fn members_kept_as_bytes() {
    let text = account(
        "unreach-call",
        "struct s { int n; double d; int *p; } x;
int main(void) {
  int k = __VERIFIER_nondet_int();
  if (k != 1) return 0;
  x.n = -2 * k;
  x.d = 0.5;
  x.p = &x.n;
  unsigned char *b = (unsigned char *)&x;
  int sum = 0;
  for (int i = 0; i < 24; i += k) sum += b[i];
  if (b[0] == 254 && sum != 0) reach_error();
  return 0;
}
",
    );
    for shown in ["[x.n = -2]", "[x.d = 0.5]", "[x.p = &x.n]"] {
        assert!(text.contains(shown), "{shown} in\n{text}");
    }
    assert!(!text.contains("x.n + 1"), "{text}");
}

/// What the story of a program with these inputs says first: the inputs.
fn inputs_of(property: &str, body: &str) -> Vec<String> {
    let text = account(property, body);
    let after = text.split("Inputs:\n").nth(1).unwrap_or("");
    let lines = after.lines().take_while(|l| l.contains("nondet"));
    lines
        .map(|l| l.rsplit(' ').next().unwrap().to_string())
        .collect()
}

/// The least values, none that does not matter, and no detour.
#[test]
fn inputs_are_small() {
    let least = "int main(void) {
  int n = __VERIFIER_nondet_int(), other = __VERIFIER_nondet_int();
  if (n > 41 && n * 2 < 5000 && other != 12345)
    reach_error();
  return 0;
}
";
    assert_eq!(inputs_of("unreach-call", least), ["42", "0"]);
    // One that is too small never ends.
    let endless = "int main(void) {
  int n = __VERIFIER_nondet_int();
  while (n <= 2)
    ;
  reach_error();
  return 0;
}
";
    assert_eq!(inputs_of("unreach-call", endless), ["3"]);
    // The stack need not be filled and emptied first.
    let detour = "int main(void) {
  int depth = 0, command;
  while ((command = __VERIFIER_nondet_int()) != 0) {
    if (command == 1)
      depth++;
    else if (command == 2)
      depth--;
    if (depth < 0)
      reach_error();
  }
  return 0;
}
";
    assert_eq!(inputs_of("unreach-call", detour), ["2"]);
}

#[test]
fn an_allocation_of_no_bytes_is_one() {
    let text = account(
        "valid-memsafety",
        "int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 10)
    return 0;
  char *p = malloc(n);
  p[n] = 1;
  free(p);
  return 0;
}
",
    );
    assert!(
        text.contains("of the 0 bytes allocated at a.c:10:13"),
        "{text}"
    );
    assert!(!text.contains("frees"), "{text}");
}

#[test]
fn iterations_that_are_alike_are_folded() {
    let text = account(
        "unreach-call",
        "int a[20];
int main(void) {
  for (int i = 0; i < 20; i++) {
    if (i == 11)
      a[i] = 81;
    else
      a[i] = 1;
  }
  int sum = 0;
  for (int i = 0; i < 20; i++)
    sum = sum + a[i];
  if (sum == 100)
    reach_error();
  return 0;
}
",
    );
    assert!(text.contains("… iterations 3 to 10 are alike"), "{text}");
    assert!(
        text.contains("[a[11] = 81]"),
        "what is different is told: {text}"
    );
    assert!(text.contains("… iterations 3 to 19 are alike"), "{text}");
    assert!(
        text.contains("`sum == 100` was decided with sum = 100"),
        "{text}"
    );
}

#[test]
fn long_and_quiet_runs_are_folded() {
    let text = account(
        "unreach-call",
        "int main(void) {
  int n = 0;
  int quiet = 0;
  while (n < 100) {
    if (quiet) {
      quiet = 1;
    }
    if (n == 1000)
      quiet = 2;
    if (n == 2000)
      quiet = 3;
    n++;
  }
  if (n == 100)
    reach_error();
  return 0;
}
",
    );
    assert!(text.contains("steps that do not matter"), "{text}");
    assert!(text.lines().count() < 150, "{text}");
    assert!(text.contains("iterations 3 to 99 are alike"), "{text}");
    insta::assert_snapshot!(text.lines().take(14).collect::<Vec<_>>().join("\n"));
}
