//! Predicate abstraction on the paper's own example: cost follows locality, and a precision that one
//! run wrote spares the next one its refinements.
#![allow(clippy::unwrap_used)]

use craig::{Checker, Outcome};
use engine::{Abstraction, EngineOptions, PredabsOptions, Sharing};
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
        .engine("predabs")
        .engine_options(options)
        .time(Duration::from_secs(120))
        .check_text("locks.c", text)
        .unwrap_or_else(|_| panic!("the program is well-formed"))
}

fn only_proofs() -> PredabsOptions {
    PredabsOptions::default()
}

fn counter(outcome: &Outcome, name: &str) -> u64 {
    let found = outcome.stats.iter().find(|(n, _)| n == name);
    found.map_or(0, |(_, value)| *value)
}

#[test]
fn abstract_states_grow_linearly_with_locks() {
    let states: Vec<u64> = [2, 4, 8, 16]
        .iter()
        .map(|&n| {
            let outcome = check(&locks(n), only_proofs());
            assert_eq!(outcome.word(), "safe");
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
    assert_eq!(everywhere.word(), "safe");
    assert!(counter(&everywhere, "abstract states") > 2 * counter(&local, "abstract states"));
}

#[test]
fn a_function_shares_its_predicates() {
    let mut options = only_proofs();
    options.sharing = Sharing::Function;
    assert_eq!(check(&locks(3), options).word(), "safe");
}

#[test]
fn cartesian_abstraction_is_no_less_sound() {
    let mut options = only_proofs();
    options.abstraction = Abstraction::Cartesian;
    let text = locks(2).replace("if (p1) release();", "if (p0) release();");
    assert_ne!(check(&text, options).word(), "safe");
}

#[test]
fn a_written_precision_needs_no_refinement() {
    let first = check(&locks(4), only_proofs());
    assert!(counter(&first, "refinements") > 0);
    let mut options = only_proofs();
    options.precision.clone_from(&first.precision);
    let second = check(&locks(4), options);
    assert_eq!(second.word(), "safe");
    assert_eq!(counter(&second, "refinements"), 0);
    assert_eq!(counter(&second, "predicates not understood"), 0);
}

#[test]
fn a_precision_of_another_program_does_no_harm() {
    let mut options = only_proofs();
    options.precision = Some("main l9999:\n(<= lock 0)\n*:\n(= nobody 3)\n(nonsense\n".into());
    let outcome = check(&locks(2), options);
    assert_eq!(outcome.word(), "safe");
    assert_eq!(counter(&outcome, "predicates not understood"), 2);
}
