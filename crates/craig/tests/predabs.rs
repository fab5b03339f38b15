//! Predicate abstraction on the paper's own example: cost follows locality, and a precision that one
//! run wrote spares the next one its refinements.
#![allow(clippy::unwrap_used)]

use craig::{Checker, Outcome};
use engine::{Abstraction, Calls, EngineOptions, PredabsOptions, Sharing, Traversal};
use program::BlockSize;
use std::fmt::Write;
use std::time::Duration;

/// Figure 1 of "Abstractions from Proofs" with `n` conditions.
fn locks(n: usize) -> String {
    let mut text = String::from(
        "extern void abort(void); extern int __VERIFIER_nondet_int(void);
         void reach_error(void) { abort(); }
         int lock = 0;
         void acquire(void) { if (lock) reach_error(); lock = 1; }
         void release(void) { if (!lock) reach_error(); lock = 0; }
         int main(void) {\n",
    );
    for i in 0..n {
        writeln!(text, "int p{i} = __VERIFIER_nondet_int();").unwrap();
    }
    for i in 0..n {
        writeln!(text, "if (p{i}) acquire(); if (p{i}) release();").unwrap();
    }
    text + "return 0; }"
}

fn check(text: &str, predabs: PredabsOptions) -> Outcome {
    let options = EngineOptions {
        blocks: BlockSize::Single,
        aids: false,
        predabs,
        ..EngineOptions::default()
    };
    Checker::new()
        .engine(craig::EngineKind::Predabs)
        .engine_options(options)
        .time(Duration::from_secs(120))
        .check_text("locks.c", text)
        .unwrap_or_else(|_| panic!("the program is well-formed"))
}

fn only_proofs() -> PredabsOptions {
    PredabsOptions::default()
}

fn counter(outcome: &Outcome, name: &str) -> u64 {
    let found = outcome.account.counters.iter().find(|(n, _)| n == name);
    found.map_or(0, |(_, value)| *value)
}

#[test]
fn abstract_states_grow_linearly_with_locks() {
    let states: Vec<u64> = [2, 4, 8, 16]
        .iter()
        .map(|&n| {
            let outcome = check(&locks(n), only_proofs());
            assert_eq!(outcome.kind().as_str(), "safe");
            assert!(counter(&outcome, "predicates per location, maximum") <= 4);
            counter(&outcome, "abstract states")
        })
        .collect();
    let steps: Vec<u64> = states.windows(2).map(|w| w[1] - w[0]).collect();
    assert!(steps[1] <= 2 * steps[0] + 4, "{states:?}");
    assert!(steps[2] <= 2 * steps[1] + 4, "{states:?}");
}

#[test]
fn predicates_everywhere_cost_more_states() {
    let mut options = only_proofs();
    options.sharing = Sharing::Global;
    let everywhere = check(&locks(4), options);
    let local = check(&locks(4), only_proofs());
    assert_eq!(everywhere.kind().as_str(), "safe");
    assert!(counter(&everywhere, "abstract states") > 2 * counter(&local, "abstract states"));
}

#[test]
fn a_function_shares_its_predicates() {
    let mut options = only_proofs();
    options.sharing = Sharing::Function;
    assert_eq!(check(&locks(3), options).kind().as_str(), "safe");
}

#[test]
fn cartesian_abstraction_is_no_less_sound() {
    let mut options = only_proofs();
    options.abstraction = Abstraction::Cartesian;
    let text = locks(2).replace("if (p1) release();", "if (p0) release();");
    assert_ne!(check(&text, options).kind().as_str(), "safe");
}

#[test]
fn a_written_precision_needs_no_refinement() {
    let first = check(&locks(4), only_proofs());
    assert!(counter(&first, "refinements") > 0);
    let mut options = only_proofs();
    options.precision.clone_from(&first.account.precision);
    let second = check(&locks(4), options);
    assert_eq!(second.kind().as_str(), "safe");
    assert_eq!(counter(&second, "refinements"), 0);
    assert_eq!(counter(&second, "predicates not understood"), 0);
}

#[test]
fn a_precision_of_another_program_does_no_harm() {
    let mut options = only_proofs();
    options.precision = Some("main l9999:\n(<= lock 0)\n*:\n(= nobody 3)\n(nonsense\n".into());
    let outcome = check(&locks(2), options);
    assert_eq!(outcome.kind().as_str(), "safe");
    assert_eq!(counter(&outcome, "predicates not understood"), 2);
}

/// Without inlining and without anything but predicates from proofs.
fn summaries() -> PredabsOptions {
    PredabsOptions {
        calls: Calls::Summaries,
        ..PredabsOptions::default()
    }
}

fn check_in(size: BlockSize, text: &str, predabs: PredabsOptions) -> Outcome {
    let options = EngineOptions {
        blocks: size,
        aids: false,
        predabs,
        ..EngineOptions::default()
    };
    Checker::new()
        .engine(craig::EngineKind::Predabs)
        .engine_options(options)
        .time(Duration::from_secs(60))
        .check_text("test.c", text)
        .unwrap_or_else(|_| panic!("the program is well-formed"))
}

const HEAD: &str = "extern void abort(void); extern int __VERIFIER_nondet_int(void);
    void reach_error(void) { abort(); }\n";

#[test]
fn calls_from_one_abstract_state_share_a_summary() {
    let mut text = String::from(HEAD);
    text += "int inc(int x) { return x + 1; } int main(void) { int a = __VERIFIER_nondet_int();
        if (a < 0 || a > 1000) return 0; int b = a;\n";
    for _ in 0..8 {
        text += "b = inc(b);\n";
    }
    text += "if (b != a + 8) reach_error(); return 0; }";
    let outcome = check_in(BlockSize::Large, &text, summaries());
    assert_eq!(outcome.kind().as_str(), "safe");
    assert_eq!(counter(&outcome, "contexts"), 2);
    assert!(counter(&outcome, "calls of known contexts") >= 7);
}

#[test]
fn predicates_are_scoped() {
    // Example 3: the predicate of inc relates its return to its value at entry, not to main's.
    let text = String::from(HEAD)
        + "int inc(int x) { int r = x; r++; return r; }
           int main(void) { int a = __VERIFIER_nondet_int(); if (a > 1000) return 0;
           int b = inc(a); if (b - 1 != a) reach_error(); return 0; }";
    let outcome = check_in(BlockSize::Single, &text, summaries());
    assert_eq!(outcome.kind().as_str(), "safe");
    let precision = outcome.account.precision.unwrap();
    let mut inside = false;
    let mut seen = 0;
    for line in precision.lines() {
        if line.ends_with(':') {
            inside = line.starts_with("inc ");
        } else if inside {
            seen += 1;
            assert!(!line.contains("main::"), "{precision}");
        } else {
            assert!(!line.contains("inc::"), "{precision}");
        }
    }
    assert!(seen > 0, "{precision}");
}

#[test]
fn a_precision_with_summaries_is_read_again() {
    let first = check_in(BlockSize::Large, &locks(3), summaries());
    assert_eq!(first.kind().as_str(), "safe");
    let mut options = summaries();
    options.precision.clone_from(&first.account.precision);
    let second = check_in(BlockSize::Large, &locks(3), options);
    assert_eq!(second.kind().as_str(), "safe");
    assert_eq!(counter(&second, "refinements"), 0);
}

#[test]
fn every_traversal_agrees() {
    for traversal in [
        Traversal::Program,
        Traversal::DepthFirst,
        Traversal::BreadthFirst,
    ] {
        for calls in [Calls::Inline, Calls::Summaries] {
            let options = PredabsOptions {
                traversal,
                calls,
                ..PredabsOptions::default()
            };
            assert_eq!(check(&locks(3), options.clone()).kind().as_str(), "safe");
            let text = locks(3).replace("if (p1) release();", "if (p0) release();");
            assert_eq!(check(&text, options).kind().as_str(), "unsafe");
        }
    }
}

#[test]
fn program_order_regrows_little() {
    // Each refinement regrows what is below its pivot: in program order, nothing of later locks.
    let made = |n: usize| counter(&check(&locks(n), only_proofs()), "abstract states made");
    let (few, many) = (made(6), made(12));
    assert!(many < 3 * few, "{few} states for 6 locks, {many} for 12");
}

/// The programs that every engine runs on, without inlining: never the wrong verdict, and mostly
/// the right one.
#[test]
fn test_programs_with_summaries() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let (mut right, mut open) = (0, Vec::new());
    for topic in ["basics", "functions", "predabs", "split", "traps"] {
        let mut paths: Vec<_> = std::fs::read_dir(root.join(topic))
            .unwrap()
            .map(|e| e.unwrap().path())
            .collect();
        paths.sort();
        for path in paths {
            let text = std::fs::read_to_string(&path).unwrap();
            let expected = text
                .lines()
                .find_map(|l| l.strip_prefix("//@ verdict: "))
                .unwrap_or("");
            let plain = !text.contains("//@ property") && !text.contains("//@ options");
            if !plain || !matches!(expected, "safe" | "unsafe") {
                continue;
            }
            let options = EngineOptions {
                aids: false,
                predabs: summaries(),
                ..EngineOptions::default()
            };
            let outcome = Checker::new()
                .engine(craig::EngineKind::Predabs)
                .engine_options(options)
                .time(Duration::from_secs(5))
                .check_file(&path)
                .unwrap_or_else(|t| panic!("{}: {t}", path.display()));
            match outcome.kind().as_str() {
                "unknown" => open.push(path.display().to_string()),
                word => {
                    assert_eq!(word, expected, "{}", path.display());
                    right += 1;
                }
            }
        }
    }
    assert!(open.len() * 8 < right, "{right} right, open: {open:#?}");
}
