//! Large programs are proved, and errors in them found, on what can decide about errors alone.
#![allow(clippy::unwrap_used)]

use craig::{Checker, Outcome};
use evidence::Verdict;
use std::fmt::Write;
use std::time::Duration;

/// A driver: many functions that loop over a buffer and call one another, a lock that one of them takes. What
/// the lock is given back with decides about the error.
fn driver(functions: usize, given_back: &str) -> String {
    let mut text = String::from(
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
         int lock; int buffer[64]; int last;
         void step0(int n) { lock = n; }\n",
    );
    for k in 1..=functions {
        let before = k - 1;
        let _ = writeln!(
            text,
            "void work{k}(int n) {{
               for (int i = 0; i < 64; i++) {{ buffer[i] = n + i * {k}; if (buffer[i] > last) last = buffer[i]; }}
               if (last > {k}) last = {k}; else last = last / 2;
             }}
             void step{k}(int n) {{ work{k}(n); step{before}(n); work{k}(last); }}"
        );
    }
    let _ = writeln!(
        text,
        "int main(void) {{
           int n = __VERIFIER_nondet_int();
           while (__VERIFIER_nondet_int()) {{
             step{functions}(1);
             if (lock != 1) reach_error();
             step{functions}({given_back});
             if (lock != 0) reach_error();
           }}
           return n;
         }}"
    );
    text
}

fn checked(text: &str) -> Outcome {
    let checker = Checker::new().time(Duration::from_secs(60));
    checker.check_text("driver.c", text).ok().unwrap()
}

#[test]
fn what_does_not_matter_is_not_looked_at() {
    let safe = checked(&driver(150, "0"));
    let Verdict::Safe(proof) = safe.verdict.get() else {
        panic!("{:?}", safe.verdict.get());
    };
    assert!(proof.cone.is_some());
    let violated = checked(&driver(150, "2"));
    assert!(matches!(violated.verdict.get(), Verdict::Unsafe(_)));
}

/// A table with a last row, behind a branch on an input that only ends the program: run to its end. Its twin has no
/// such row.
#[test]
fn a_branch_that_only_ends_the_program_does_not_keep_it_from_being_run() {
    for (last, safe) in [("0", true), ("5", false)] {
        let outcome = checked(&format!(
            "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
             const int table[8] = {{3, 1, 4, 1, 5, 9, 2, {last}}};
             void walk(void) {{
               unsigned i = 0;
               while (table[i] != 0) {{ i++; if (i > 7) reach_error(); }}
             }}
             int main(void) {{
               if (__VERIFIER_nondet_int() == 7) return 1;
               walk();
               return 0;
             }}"
        ));
        match outcome.verdict.get() {
            Verdict::Safe(proof) => {
                assert!(safe && proof.cone.is_some());
                assert_eq!(proof.scope.as_str(), "executed");
            }
            verdict => assert!(!safe && matches!(verdict, Verdict::Unsafe(_))),
        }
    }
}
