//! What engine `trace` keeps between runs and threads: summaries written, read, proved again, left
//! out when their function changed; the same verdict with more threads and with parts of functions out-lined.
#![allow(clippy::unwrap_used)]

use engine::{EngineOptions, Outline, TraceOptions};
use std::time::Duration;

const PROGRAM: &str = "extern void abort(void); extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
int clamp(int x) { if (x < 0) return 0; if (x > 9) return 9; return x; }
int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += clamp(i); return s; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  int a = clamp(n);
  int b = sum(a);
  int c = clamp(b);
  if (c < 0 || c > 9 || b < 0) reach_error();
  return 0;
}";

fn run(text: &str, mut options: EngineOptions) -> craig::Outcome {
    options.trace.keep_summaries = true;
    craig::Checker::new()
        .engine(craig::EngineKind::Trace)
        .engine_options(options)
        .time(Duration::from_secs(60))
        .check_text("program.c", text)
        .unwrap()
}

fn with_summaries(text: &str) -> EngineOptions {
    EngineOptions {
        trace: TraceOptions {
            summaries: Some(text.into()),
            ..TraceOptions::default()
        },
        ..EngineOptions::default()
    }
}

fn stat(outcome: &craig::Outcome, name: &str) -> u64 {
    let found = outcome.account.counters.iter().find(|(n, _)| n == name);
    found.map_or(0, |(_, v)| *v)
}

#[test]
fn summaries_are_used_again() {
    let first = run(PROGRAM, EngineOptions::default());
    assert_eq!(first.kind().as_str(), "safe");
    let text = first.account.summaries.clone().unwrap();
    assert!(text.contains("function clamp "), "{text}");
    let second = run(PROGRAM, with_summaries(&text));
    assert_eq!(second.kind().as_str(), "safe");
    assert!(stat(&second, "summary re-used") > 0, "{text}");
    assert!(stat(&second, "query") < stat(&first, "query"));
}

#[test]
fn summaries_of_changed_functions_are_left_out() {
    let text = run(PROGRAM, EngineOptions::default())
        .account
        .summaries
        .unwrap();
    // All functions but reach_error are clamp or call it.
    let changed = PROGRAM.replace("return 9;", "return 8;");
    let outcome = run(&changed, with_summaries(&text));
    assert_eq!(outcome.kind().as_str(), "safe");
    assert_eq!(stat(&outcome, "summary re-used"), 0);
    assert!(stat(&outcome, "summaries left out") > 0);
}

#[test]
fn wrong_summaries_are_not_believed() {
    let simple = |bound: u32| {
        format!(
            "extern void abort(void); extern int __VERIFIER_nondet_int(void);
             void reach_error(void) {{ abort(); }}
             int clamp(int x) {{ if (x < 0) return 0; if (x > 9) return 9; return x; }}
             int main(void) {{ if (clamp(__VERIFIER_nondet_int()) > {bound}) reach_error(); }}"
        )
    };
    let text = run(&simple(9), EngineOptions::default())
        .account
        .summaries
        .unwrap();
    let head = text.lines().find(|l| l.starts_with("function clamp "));
    let lie = format!("{}\nensures (<= |clamp::return| 8)\n", head.unwrap());
    let options = EngineOptions {
        aids: false,
        ..with_summaries(&lie)
    };
    let outcome = run(&simple(8), options);
    assert_eq!(outcome.kind().as_str(), "unsafe");
    assert_eq!(stat(&outcome, "summary re-used"), 0);
    assert_eq!(stat(&outcome, "summaries left out"), 1);
}

#[test]
fn threads_do_not_change_the_verdict() {
    for text in [
        PROGRAM.to_string(),
        PROGRAM
            .replace("int b = sum(a);", "int b = a + 1;")
            .replace("b < 0", "b > 9"),
    ] {
        let options = |jobs| EngineOptions {
            jobs,
            aids: false,
            ..EngineOptions::default()
        };
        let (one, two) = (run(&text, options(1)), run(&text, options(2)));
        assert_eq!(one.kind().as_str(), two.kind().as_str());
        assert_ne!(two.kind().as_str(), "unknown");
    }
}

#[test]
fn loops_can_be_functions() {
    let options = EngineOptions {
        trace: TraceOptions {
            outline: Outline::Loops,
            ..TraceOptions::default()
        },
        ..EngineOptions::default()
    };
    let text = "extern void abort(void); extern int __VERIFIER_nondet_int(void);
        void reach_error(void) { abort(); }
        int main(void) {
          int n = __VERIFIER_nondet_int(), i = 0;
          if (n < 0) return 0;
          while (i < n) i++;
          if (i != n) reach_error();
        }";
    assert_eq!(run(text, options).kind().as_str(), "safe");
}

/// Ifs and sequences as functions: what follows an `if` has summaries of its own, which the proof does not need.
#[test]
fn all_parts_can_be_functions() {
    let safe = "extern void abort(void); extern int __VERIFIER_nondet_int(void);
        void reach_error(void) { abort(); }
        int pick(int a, int b) { int r; if (a < b) r = b; else r = a; if (r < 0) r = 0; return r; }
        int main(void) {
          int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
          int m = pick(x, y);
          if (m < x || m < y || m < 0) reach_error();
          return 0;
        }";
    let looping = safe.replace("if (r < 0) r = 0;", "while (r < 0) r = r + 1;");
    for (text, has_loop) in [(safe, false), (&looping, true)] {
        for (text, verdict) in [
            (text.to_string(), "safe"),
            (text.replace("r = b; else", "r = a; else"), "unsafe"),
        ] {
            for jobs in [1, 2] {
                let options = EngineOptions {
                    jobs,
                    log: Some(usize::MAX),
                    aids: false,
                    trace: TraceOptions {
                        outline: Outline::All,
                        ..TraceOptions::default()
                    },
                    ..EngineOptions::default()
                };
                let outcome = run(&text, options);
                assert_eq!(outcome.kind().as_str(), verdict, "{}", outcome.text());
                let log = outcome.account.log.as_deref().unwrap();
                assert!(log.contains("\"function\":\"pick@"), "{has_loop}: {log}");
            }
        }
    }
}

/// Callees of a recursive program are asked in threads too; what they answer holds up to a depth.
#[test]
fn threads_know_how_deep_they_were_asked() {
    let safe = "extern void abort(void); extern int __VERIFIER_nondet_int(void);
        void reach_error(void) { abort(); }
        int up(int n) { if (n <= 0) return 0; return up(n - 1) + 1; }
        int down(int n) { if (n <= 0) return 0; return down(n - 1) - 1; }
        int main(void) {
          int n = __VERIFIER_nondet_int();
          int a = up(n), b = down(n);
          if (a < b) reach_error();
          return 0;
        }";
    for (text, verdict) in [
        (safe.to_string(), "safe"),
        (safe.replace("a < b", "a > b + 3"), "unsafe"),
    ] {
        let options = EngineOptions {
            jobs: 2,
            aids: false,
            ..EngineOptions::default()
        };
        let outcome = run(&text, options);
        assert_eq!(outcome.kind().as_str(), verdict, "{}", outcome.text());
        assert!(stat(&outcome, "queries in threads") > 0);
    }
}
