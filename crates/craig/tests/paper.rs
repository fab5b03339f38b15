//! The papers' algorithms alone (`--method paper`) on the papers' programs, seen through their logs.
#![allow(clippy::unwrap_used)]

use craig::{Checker, EngineKind, EngineOptions, Outcome};
use engine::InterpolationSource;
use serde_json::Value as Json;
use std::fmt::Write;
use std::time::Duration;

fn check_with(engine: EngineKind, name: &str, text: &str, options: EngineOptions) -> Outcome {
    let options = EngineOptions {
        log: true,
        ..options
    };
    Checker::new()
        .engine(engine)
        .engine_options(options)
        .time(Duration::from_secs(60))
        .check_text(name, text)
        .unwrap()
}

fn check(engine: EngineKind, name: &str, text: &str) -> Outcome {
    check_with(engine, name, text, EngineOptions::paper(engine))
}

fn events(outcome: &Outcome, name: &str) -> Vec<Json> {
    let log = outcome.account.log.as_deref().unwrap();
    let all = log
        .lines()
        .map(|l| serde_json::from_str::<Json>(l).unwrap());
    all.filter(|e| e["event"] == name).collect()
}

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n";

/// BLAST, Figure 2.
const FIGURE_2: &str = "int main(void) {
    int ctr = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), x, y;
    x = ctr; ctr = ctr + 1; y = ctr;
    if (x == m) { if (y != m + 1) reach_error(); }
    return 0; }";

/// Locks one after the other, each taken and given back under its own condition.
fn locks(count: usize) -> String {
    let mut text = format!("{HEAD}int main(void) {{ int lock = 0;\n");
    for i in 0..count {
        writeln!(text, "int p{i} = __VERIFIER_nondet_int();").unwrap();
    }
    for i in 0..count {
        writeln!(
            text,
            "if (p{i}) {{ if (lock != 0) reach_error(); lock = 1; }}"
        )
        .unwrap();
        writeln!(
            text,
            "if (p{i}) {{ if (lock != 1) reach_error(); lock = 0; }}"
        )
        .unwrap();
    }
    text + "return 0; }"
}

#[test]
fn blast_figure_2_has_the_four_predicates_of_the_paper() {
    let text = format!("{HEAD}{FIGURE_2}");
    let outcome = check(EngineKind::Predabs, "figure_2.c", &text);
    assert_eq!(outcome.kind().as_str(), "safe", "{}", outcome.text());
    let mut predicates: Vec<String> = events(&outcome, "predicate")
        .iter()
        .map(|e| e["predicate"].as_str().unwrap().to_string())
        .collect();
    predicates.sort();
    predicates.dedup();
    // x = ctr, x = ctr - 1, x = y - 1, y = m + 1.
    assert_eq!(predicates.len(), 4, "{predicates:?}");
    // The variable that is only compared later is not spoken of before.
    let infeasible = events(&outcome, "infeasible");
    let facts = infeasible[0]["interpolants"].as_array().unwrap();
    let with_m = facts
        .iter()
        .filter(|f| f.as_str().unwrap().contains("main::m"));
    assert!(with_m.count() <= 2, "{facts:?}");
}

#[test]
fn impact_covers_at_every_location_so_that_locks_are_linear() {
    let nodes = |count| {
        let outcome = check(EngineKind::Impact, "locks.c", &locks(count));
        assert_eq!(outcome.kind().as_str(), "safe", "{}", outcome.text());
        assert!(!events(&outcome, "cover").is_empty());
        outcome.account.counter("nodes")
    };
    let (four, eight) = (nodes(4), nodes(8));
    assert!(eight < 4 * four, "{four} nodes, then {eight}");
}

#[test]
fn interpolants_can_be_pre_and_postconditions() {
    let text = format!("{HEAD}{FIGURE_2}");
    for (source, counter) in [
        (InterpolationSource::StrongestPost, "interpolants_sp_used"),
        (InterpolationSource::WeakestPre, "interpolants_wp_used"),
    ] {
        let options = EngineOptions {
            interpolation: source,
            ..EngineOptions::paper(EngineKind::Impact)
        };
        let outcome = check_with(EngineKind::Impact, "figure_2.c", &text, options);
        assert_eq!(outcome.kind().as_str(), "safe", "{}", outcome.text());
        let used = outcome.account.counter(counter);
        assert!(used > 0, "{source:?}: {:?}", outcome.account.counters);
    }
}

/// ULTIMATE, section 2: the split graph is in the log, smaller errors gone at the end.
#[test]
fn split_shows_its_graph_after_every_iteration() {
    let text = "procedure main() {
        var x, y, z, n: int;
        assume (n == x && y == 0 && z == 0);
        while (x != 0) {
          if (*) { x := x + 1; y := y - 1; }
          if (*) { y := y + 1; z := z - 1; }
          if (*) { z := z + 1; x := x - 1; }
        }
        assert(n == y + z); }";
    let outcome = check(EngineKind::Split, "section_2.bpl", text);
    assert_eq!(outcome.kind().as_str(), "safe", "{}", outcome.text());
    let (graphs, splits) = (events(&outcome, "graph"), events(&outcome, "split"));
    assert_eq!(graphs.len(), 3, "two iterations");
    assert!(!splits.is_empty());
    let is_error = |node: &Json| node[3] == true;
    let nodes = |graph: &Json| graph["nodes"].as_array().unwrap().clone();
    assert!(nodes(&graphs[0]).iter().any(is_error));
    assert!(!nodes(&graphs[2]).iter().any(is_error));
    let dot = craig::show_log::dot(outcome.account.log.as_deref().unwrap()).unwrap();
    assert_eq!(dot.matches("digraph split_").count(), 3);
}

/// IPROC, Listing 1, and an error at a depth of recursion.
#[test]
fn trace_asks_callees_and_keeps_depths_apart() {
    let listing = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/programs/iproc/listing1_safe.iproc"
    ));
    let outcome = check(EngineKind::Trace, "listing1.iproc", &listing.unwrap());
    assert_eq!(outcome.kind().as_str(), "safe", "{}", outcome.text());
    let asked = events(&outcome, "query");
    assert_eq!(asked[0]["function"], "main");
    assert!(asked.iter().any(|e| e["function"] != "main"));
    assert!(!events(&outcome, "summary").is_empty());
    let deep = "proc main() returns (r) {
          r = isodd(n);
          assert(!(n == 7 && r == 1));
        }
        proc iseven(n) returns (r) {
          if (n == 0) r = 1; else r = isodd(n - 1); endif;
        }
        proc isodd(n) returns (r) {
          if (n == 0) r = 0; else r = iseven(n - 1); endif;
        }";
    let outcome = check(EngineKind::Trace, "depth.iproc", deep);
    assert_eq!(outcome.kind().as_str(), "unsafe", "{}", outcome.text());
}

/// WHALE, Figure 1.
#[test]
fn whale_summarises_mc91() {
    let text = format!(
        "{HEAD}int mc91(int p) {{ if (p > 100) return p - 10; return mc91(mc91(p + 11)); }}
        int main(void) {{ int p = __VERIFIER_nondet_int();
          if (p > 1000 || p < -1000) return 0;
          if (mc91(p) < 91) reach_error(); return 0; }}"
    );
    let outcome = check(EngineKind::Whale, "mc91.c", &text);
    assert_eq!(outcome.kind().as_str(), "safe", "{}", outcome.text());
    let guessed = events(&outcome, "summary guessed");
    assert!(guessed.iter().any(|e| e["function"] == "mc91"));
}
