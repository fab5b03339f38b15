//! What the paper on splitting shows in its Table 1, as far as it does not depend on times (see
//! docs/split-table.md for these). Without aids: the algorithm alone.
#![allow(clippy::unwrap_used)]

use craig::{Checker, Outcome};
use engine::{EngineOptions, Ways};
use evidence::Verdict;
use program::BlockSize;
use std::fmt::Write;
use std::time::Duration;

fn check(name: &str, text: &str, ways: Ways) -> Outcome {
    check_with(
        name,
        text,
        EngineOptions {
            aids: false,
            ways,
            ..Default::default()
        },
    )
}

fn check_with(name: &str, text: &str, options: EngineOptions) -> Outcome {
    Checker::new()
        .engine(craig::EngineKind::Split)
        .engine_options(options)
        .time(Duration::from_secs(120))
        .check_text(name, text)
        .unwrap()
}

fn program(name: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/programs/split/");
    std::fs::read_to_string(format!("{root}{name}")).unwrap()
}

fn counter(outcome: &Outcome, name: &str) -> u64 {
    let found = outcome.account.counters.iter().find(|(n, _)| n == name);
    found.map_or(0, |(_, value)| *value)
}

/// A counter of `bits` bits, one if-then-else a bit; the variables stay bits.
fn bit_counter(bits: u32) -> String {
    let mut text = String::from(
        "extern int __VERIFIER_nondet_int(void); extern void abort(void);\n\
         void reach_error(void) { abort(); }\nint main(void) {\n",
    );
    for i in 0..bits {
        writeln!(text, "int b{i} = 0;").unwrap();
    }
    text += "while (__VERIFIER_nondet_int()) { int carry = 1;\n";
    for i in 0..bits {
        let set = format!("b{i} = 1; carry = 0;");
        writeln!(
            text,
            "if (carry) {{ if (b{i} == 0) {{ {set} }} else {{ b{i} = 0; }} }}"
        )
        .unwrap();
    }
    text += "}\n";
    for i in 0..bits {
        writeln!(text, "if (b{i} != 0 && b{i} != 1) reach_error();").unwrap();
    }
    text + "return 0; }\n"
}

#[test]
fn counters_need_as_many_iterations_for_few_bits_as_for_many() {
    let counts = [4, 8, 16].map(|bits| {
        let outcome = check("counter.c", &bit_counter(bits), Ways::Path);
        assert_eq!(outcome.kind().as_str(), "safe", "{bits} bits");
        (counter(&outcome, "iterations"), counter(&outcome, "split"))
    });
    assert_eq!(counts[0], counts[1]);
    assert_eq!(counts[0], counts[2]);
}

#[test]
fn the_transfer_is_proved_by_its_sum() {
    let outcome = check("transfer.c", &program("transfer.c"), Ways::Path);
    let Verdict::Safe(proof) = outcome.verdict.get() else {
        panic!("{}", outcome.kind().as_str());
    };
    let sum = "(= |main::n| (+ |main::x| |main::y| |main::z|))";
    let texts: Vec<String> = proof
        .invariants
        .values()
        .map(|&i| logic::smtlib::print_term(&outcome.input.pool, i))
        .collect();
    assert!(texts.iter().any(|t| t.contains(sum)), "{texts:?}");
}

/// Interpolants in the words of templates do not follow the loops round by round.
#[test]
fn two_loops_need_few_iterations() {
    for name in ["two_loops.c", "two_branching_loops.c"] {
        let outcome = check(name, &program(name), Ways::Path);
        assert_eq!(outcome.kind().as_str(), "safe", "{name}");
        assert!(counter(&outcome, "iterations") <= 10, "{name}");
    }
}

#[test]
fn bugs_are_found_by_splitting_alone() {
    for ways in [Ways::Path, Ways::All] {
        for name in ["transfer_bug.c", "gripper_bug.c"] {
            let outcome = check(name, &program(name), ways);
            assert_eq!(outcome.kind().as_str(), "unsafe", "{name}");
        }
    }
}

#[test]
fn facts_from_all_ways_prove() {
    for name in ["gripper.c", "counter4.c", "transfer.c"] {
        let outcome = check(name, &program(name), Ways::All);
        assert_eq!(outcome.kind().as_str(), "safe", "{name}");
    }
}

#[test]
fn single_blocks_give_the_same_verdicts() {
    for (name, verdict) in [("lock.c", "safe"), ("transfer_bug.c", "unsafe")] {
        let options = EngineOptions {
            blocks: BlockSize::Single,
            ..Default::default()
        };
        let outcome = check_with(name, &program(name), options);
        assert_eq!(outcome.kind().as_str(), verdict, "{name}");
    }
}
