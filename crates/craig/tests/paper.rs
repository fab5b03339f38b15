//! The papers' algorithms alone (`--method paper`) on the papers' programs, seen through their logs.
#![allow(clippy::unwrap_used)]

use craig::{Checker, EngineKind, EngineOptions, Outcome};
use engine::InterpolationSource;
use program::BlockSize;
use serde_json::Value as Json;
use std::fmt::Write;
use std::time::Duration;

fn check_with(engine: EngineKind, name: &str, text: &str, options: EngineOptions) -> Outcome {
    let options = EngineOptions {
        log: Some(usize::MAX),
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

/// A program of `tests/papers`.
fn figure(path: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/papers/");
    std::fs::read_to_string(format!("{root}{path}")).unwrap()
}

/// The predicates that a run found, without those that it found again elsewhere.
fn predicates(outcome: &Outcome) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for event in events(outcome, "predicate") {
        let text = event["predicate"].as_str().unwrap().to_string();
        if !out.contains(&text) {
            out.push(text);
        }
    }
    out
}

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n";

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

/// BLAST, Figure 2: x = ctr, x = ctr - 1, x = y - 1, y = m + 1, each after one statement and nowhere else.
#[test]
fn blast_figure_2_has_four_predicates() {
    let options = EngineOptions {
        blocks: BlockSize::Single,
        ..EngineOptions::paper(EngineKind::Predabs)
    };
    let text = figure("blast/fig2.bpl");
    let outcome = check_with(EngineKind::Predabs, "fig2.bpl", &text, options);
    assert_eq!(outcome.kind().as_str(), "safe", "{}", outcome.text());
    let paper = [
        "(= ctr x)",
        "(= ctr (+ x 1))",
        "(= (+ x 1) y)",
        "(= (+ m 1) y)",
    ];
    assert_eq!(predicates(&outcome), paper);
    let most = outcome.account.counter("predicates per location, maximum");
    assert_eq!(most, 1);
}

/// BLAST, Figure 7: b > 0 and a relation between a and c, as the paper has them after its reductions of section 7
/// (sequences of assignments are one step; only constraints that the refutation needs are cut).
#[test]
fn blast_figure_7_has_two_predicates() {
    let text = figure("blast/fig7.bpl");
    let outcome = check(EngineKind::Predabs, "fig7.bpl", &text);
    assert_eq!(outcome.kind().as_str(), "safe", "{}", outcome.text());
    let found = predicates(&outcome);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0], "(<= main.b~1 0)");
    assert_eq!(found[1], "(<= (+ main.a~1 1) main.c~1)");
}

/// BLAST, Figure 1: the lock, and each condition between the two tests of it.
#[test]
fn blast_figure_1_tracks_conditions_where_they_matter() {
    let outcome = check(EngineKind::Predabs, "fig1.c", &figure("blast/fig1.c"));
    assert_eq!(outcome.kind().as_str(), "safe", "{}", outcome.text());
    let mut found = predicates(&outcome);
    found.sort();
    let locks = ["(= L 0)", "(= L 1)"].map(String::from);
    let tests = [1, 2, 3].map(|i| format!("(= |main::p{i}| 0)"));
    assert_eq!(found, [&locks[..], &tests].concat());
    let most = outcome.account.counter("predicates per location, maximum");
    assert!(most <= 3, "{most}");
}

/// BLAST, Figures 8, 9 and 11, and pointers across calls (section 6).
#[test]
fn blast_follows_pointers_and_calls() {
    for name in ["fig8.c", "fig9.c", "fig11.c", "piv2.c"] {
        let outcome = check(EngineKind::Predabs, name, &figure(&format!("blast/{name}")));
        assert_eq!(
            outcome.kind().as_str(),
            "safe",
            "{name}: {}",
            outcome.text()
        );
    }
    // Scoped cuts: inside `inc` predicates relate x and its value at entry (Example 3).
    let mut options = EngineOptions::paper(EngineKind::Predabs);
    options.predabs.calls = engine::Calls::Summaries;
    let text = figure("blast/fig8.c");
    let outcome = check_with(EngineKind::Predabs, "fig8.c", &text, options);
    assert_eq!(outcome.kind().as_str(), "safe", "{}", outcome.text());
    let found = predicates(&outcome);
    let scoped = |p: &&String| p.contains("inc::") && !p.contains("main::");
    let relates = |p: &String| p == "(= |inc::return| (+ |old(inc::x)| 1))";
    assert!(found.iter().filter(scoped).any(relates), "{found:?}");
}

/// BLAST, section 6.2 (PIV): pointers into the frames of callers, recursion and allocation end in an answer.
#[test]
fn blast_answers_programs_with_pointers_and_recursion() {
    for (name, verdict) in [
        ("piv_recursion.c", "safe"),
        ("piv_recursion_bad.c", "unsafe"),
        ("piv_frames.c", "safe"),
        ("piv_allocation.c", "safe"),
        ("piv_allocation_bad.c", "unsafe"),
    ] {
        for calls in [engine::Calls::Inline, engine::Calls::Summaries] {
            let mut options = EngineOptions::paper(EngineKind::Predabs);
            options.predabs.calls = calls;
            let text = figure(&format!("blast/{name}"));
            let outcome = check_with(EngineKind::Predabs, name, &text, options);
            let said = outcome.kind().as_str();
            assert_eq!(said, verdict, "{name}, {calls:?}: {}", outcome.text());
        }
    }
}

/// BLAST, section 5.2: what the caller knows and what the callee returned with are put together, and the log of a run with
/// summaries says which contexts, paths and nodes there were.
#[test]
fn blast_puts_callers_and_summaries_together() {
    for (name, verdict) in [("recursion.c", "safe"), ("recursion_bad.c", "unsafe")] {
        let outcome = check(EngineKind::Predabs, name, &figure(&format!("blast/{name}")));
        let said = outcome.kind().as_str();
        assert_eq!(said, verdict, "{name}: {}", outcome.text());
        let contexts = events(&outcome, "context");
        assert!(contexts.iter().any(|e| e["function"] == "id"));
        assert!(!events(&outcome, "infeasible").is_empty());
        assert_eq!(
            events(&outcome, "path").len() as u64,
            outcome.account.counter("interpolation problems")
        );
        let dot = craig::show_log::dot(outcome.account.log.as_deref().unwrap()).unwrap();
        assert!(dot.contains("digraph unwinding"), "{dot}");
    }
}

/// WOLVERINE, Figure 1: Wegner's bit count; one partition a basic block, so the first cut is y = x.
#[test]
fn wolverine_figure_1_is_proved() {
    let text = figure("wolverine/fig1.c");
    let outcome = check(EngineKind::Impact, "fig1.c", &text);
    assert_eq!(outcome.kind().as_str(), "safe", "{}", outcome.text());
    let first = &events(&outcome, "infeasible")[0]["interpolants"];
    // The paper's own: y = x, then also y != 0.
    let same = "(= |main::x| |main::y|)";
    assert_eq!(first[1], same);
    assert_eq!(first[2], format!("(and (not (= |main::y| 0)) {same})"));
    assert!(!events(&outcome, "cover").is_empty());
}

#[test]
fn impact_covers_at_every_location_so_that_locks_are_linear() {
    let nodes = |count| {
        let outcome = check(EngineKind::Impact, "locks.c", &locks(count));
        assert_eq!(outcome.kind().as_str(), "safe", "{}", outcome.text());
        assert!(!events(&outcome, "cover").is_empty());
        outcome.account.counter("node")
    };
    let (four, eight) = (nodes(4), nodes(8));
    assert!(eight < 4 * four, "{four} nodes, then {eight}");
}

#[test]
fn interpolants_can_be_pre_and_postconditions() {
    let text = figure("blast/fig2.bpl");
    for (source, counter) in [
        (InterpolationSource::StrongestPost, "interpolants_sp_used"),
        (InterpolationSource::WeakestPre, "interpolants_wp_used"),
    ] {
        let options = EngineOptions {
            interpolation: source,
            ..EngineOptions::paper(EngineKind::Impact)
        };
        let outcome = check_with(EngineKind::Impact, "fig2.bpl", &text, options);
        assert_eq!(outcome.kind().as_str(), "safe", "{}", outcome.text());
        let used = outcome.account.counter(counter);
        assert!(used > 0, "{source:?}: {:?}", outcome.account.counters);
    }
}

/// ULTIMATE, Figures 3 to 5: the model before, after one and after two iterations.
#[test]
fn ultimate_figures_3_to_5() {
    let text = figure("ultimate/section2.bpl");
    let outcome = check(EngineKind::Split, "section_2.bpl", &text);
    assert_eq!(outcome.kind().as_str(), "safe", "{}", outcome.text());
    let (graphs, splits) = (events(&outcome, "graph"), events(&outcome, "split"));
    assert_eq!(graphs.len(), 3, "two iterations");
    let nodes = |graph: &Json| graph["nodes"].as_array().unwrap().clone();
    let has_edge = |graph: &Json, from: &Json, to: &Json| {
        let edges = graph["edges"].as_array().unwrap();
        edges.iter().any(|e| e[0] == *from && e[1] == *to)
    };
    let head = &splits[0]["location"];
    let heads = |graph: &Json| -> Vec<Json> {
        let mut found = nodes(graph);
        found.retain(|n| n[1] == *head);
        found
    };
    let errors = |graph: &Json| -> Vec<Json> {
        let mut found = nodes(graph);
        found.retain(|n| n[3] == true);
        found
    };
    let start = |graph: &Json| nodes(graph)[0][0].clone();
    // Figure 3: one node for the loop head, which begins, goes round and errs.
    let before = &graphs[0];
    let (head_0, error_0) = (&heads(before)[0][0], &errors(before)[0][0]);
    assert_eq!(heads(before).len(), 1);
    assert!(has_edge(before, &start(before), head_0) && has_edge(before, head_0, head_0));
    assert!(has_edge(before, head_0, error_0));
    // Figure 4: the loop head with the interpolant and with its negation. The program begins inside, only what is outside
    // errs, and a round of the loop leads from inside to outside; the other edges are sliced away.
    let split = &graphs[1];
    let [inside, outside] = &heads(split)[..] else {
        panic!("{split}")
    };
    assert_eq!(inside[2][0], splits[0]["by"]);
    assert_eq!(
        outside[2][0],
        format!("(not {})", splits[0]["by"].as_str().unwrap())
    );
    let (inside, outside, error) = (&inside[0], &outside[0], &errors(split)[0][0]);
    assert!(has_edge(split, &start(split), inside) && !has_edge(split, &start(split), outside));
    assert!(has_edge(split, inside, inside) && has_edge(split, inside, outside));
    assert!(!has_edge(split, inside, error) && has_edge(split, outside, error));
    // The next error path goes through both.
    let paths = events(&outcome, "path");
    let second = paths[1]["locations"].as_array().unwrap();
    assert_eq!((&second[1], &second[2]), (head, head));
    // Figure 5: n = x + y + z is split off and is a loop invariant; nothing errs any more.
    let sum = "(= (+ main.x~1 main.y~1 main.z~1) main.n~1)";
    assert!(splits.iter().any(|s| s["by"] == sum), "{splits:?}");
    let last = &graphs[2];
    assert!(errors(last).is_empty());
    let is_invariant = |n: &Json| n[2].as_array().unwrap().iter().any(|f| f == sum);
    assert!(heads(last).iter().all(is_invariant), "{last}");
    let dot = craig::show_log::dot(outcome.account.log.as_deref().unwrap()).unwrap();
    assert_eq!(dot.matches("digraph split_").count(), 3);
}

/// IPROC, Listing 1: the seven steps of section 2, in the order of the log.
#[test]
fn iproc_listing_1_takes_the_seven_steps() {
    let listing = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/programs/iproc/listing1_safe.iproc"
    ));
    let outcome = check(EngineKind::Trace, "listing1.iproc", &listing.unwrap());
    assert_eq!(outcome.kind().as_str(), "safe", "{}", outcome.text());
    let log = outcome.account.log.as_deref().unwrap();
    let all: Vec<Json> = log
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let of = |name: &str, function: &str| -> Vec<usize> {
        let is = |(_, e): &(usize, &Json)| e["event"] == name && e["function"] == function;
        let found = all.iter().enumerate().filter(is);
        found.map(|(at, _)| at).collect()
    };
    // Steps 1 and 2, 5: two traces of main are feasible as long as nothing is known of inc.
    let (traces, feasible) = (
        of("trace", "main"),
        of("feasible under the context", "main"),
    );
    assert_eq!(feasible.len(), 2);
    assert_eq!((feasible[0], feasible[1]), (traces[0] + 1, traces[1] + 1));
    // Inc is asked for what the model of the trace has: p = 1, q = 1, and its error.
    let queries = of("query", "inc");
    let asked = all[queries[0]]["error"].as_str().unwrap();
    for part in ["inc.err", "(= inc.p 1)", "(= inc.q 1)"] {
        assert!(asked.contains(part), "{asked}");
    }
    // Steps 3 and 5: the triples that join the context, (G1, S1) and (G2, S2).
    let summaries = of("summary", "inc");
    assert_eq!(summaries.len(), 2);
    let triple = |at: usize| {
        let text = |name: &str| all[at][name].as_str().unwrap().to_string();
        (text("pre"), text("post"))
    };
    let (pre, post) = triple(summaries[0]);
    assert_eq!(pre, "(>= inc.p 0)");
    assert_eq!(post, "(not inc.err)");
    let (pre, post) = triple(summaries[1]);
    assert!(
        pre.contains("(>= inc.p 1)") && pre.contains("(>= inc.q 1)"),
        "{pre}"
    );
    // The paper's is r >= q + 1; what main needs of it is that r is no less than 0.
    assert!(post.contains("(>= inc.r 0)"), "{post}");
    // Steps 4 and 6: with them the trace that asked is infeasible.
    for (&summary, &trace) in summaries.iter().zip(&feasible) {
        let next = all[summary..].iter().find(|e| e["event"] == "infeasible");
        assert!(summary > trace && next.is_some());
    }
    // Step 7: the trace that is left cannot err, and all are accepted.
    assert_eq!(traces.len(), 3);
    let (accepted, last) = (of("all traces accepted", "main"), of("summary", "main"));
    assert!(traces[2] < accepted[0] && accepted[0] < last[0]);
    assert_eq!(triple(last[0]).1, "(not main.err)");
    // The automata can be seen, with where the error may have happened.
    let dot = craig::show_log::dot(log).unwrap();
    assert_eq!(dot.matches("digraph automaton_").count(), 4);
    assert!(dot.contains("peripheries=2"));
}

/// IPROC, algorithm 3, line 10: each call of a feasible trace is asked for its values, whatever the others answer.
#[test]
fn trace_asks_every_call_of_a_trace() {
    let outcome = check(EngineKind::Trace, "par.iproc", &figure("iproc/par.iproc"));
    assert_eq!(outcome.kind().as_str(), "safe", "{}", outcome.text());
    let log = outcome.account.log.as_deref().unwrap();
    let log = log
        .lines()
        .map(|l| serde_json::from_str::<Json>(l).unwrap());
    let feasible = |e: &Json| e["event"] == "feasible under the context" && e["function"] == "main";
    let mut after = log.skip_while(|e| !feasible(e));
    after.next();
    let before_next = after.take_while(|e| !feasible(e));
    let asked = before_next.filter(|e| e["event"] == "query");
    let asked: Vec<String> = asked
        .map(|e| e["function"].as_str().unwrap().into())
        .collect();
    assert_eq!(asked, ["f", "g", "h"]);
}

/// An error at a depth of recursion.
#[test]
fn trace_keeps_depths_apart() {
    let deep = "proc main() returns (r) {
          r = isodd(n);
          assert(!(n == 3 && r == 1));
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

/// Contracts and automata of recursive programs are of the same functions, whatever the blocks.
#[test]
fn trace_answers_recursion_over_memory() {
    let name = "recursion_with_memory.c";
    let outcome = check(EngineKind::Trace, name, &figure(&format!("iproc/{name}")));
    assert_eq!(outcome.kind().as_str(), "safe", "{}", outcome.text());
}

/// IPROC's studies (section 6): array bounds and null; deep errors.
#[test]
fn trace_decides_the_studies() {
    for (name, verdict) in [
        ("aoob2", "safe"),
        ("aoob_bad", "unsafe"),
        ("null", "safe"),
        ("null_bad", "unsafe"),
        ("eo7", "unsafe"),
        ("par", "safe"),
    ] {
        let text = figure(&format!("iproc/{name}.iproc"));
        let outcome = check(EngineKind::Trace, &format!("{name}.iproc"), &text);
        assert_eq!(
            outcome.kind().as_str(),
            verdict,
            "{name}: {}",
            outcome.text()
        );
    }
}

/// A function that is asked for one point after another is summarised by what its traces do, not point by point: BLAST's
/// figures with calls and pointers, an error flag, array bounds across calls.
#[test]
fn trace_does_not_follow_points() {
    for (path, most) in [
        ("blast/fig2.bpl", 10),
        ("blast/fig8.c", 10),
        ("blast/fig11.c", 10),
        ("blast/piv2.c", 20),
        ("iproc/aoob2.iproc", 20),
    ] {
        let name = path.rsplit('/').next().unwrap();
        let outcome = check(EngineKind::Trace, name, &figure(path));
        let said = outcome.kind().as_str();
        assert_eq!(said, "safe", "{path}: {}", outcome.text());
        let queries = events(&outcome, "query").len();
        assert!(queries <= most, "{path}: {queries} queries");
    }
}

/// An error behind a loop of a callee is found with interpolants that do not follow the loop.
#[test]
fn trace_finds_the_error_of_a_callee_with_a_loop() {
    let text = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/programs/iproc/loop_unsafe.iproc"
    ));
    let outcome = check(EngineKind::Trace, "loop_unsafe.iproc", &text.unwrap());
    assert_eq!(outcome.kind().as_str(), "unsafe", "{}", outcome.text());
}

/// WHALE, Figure 1.
#[test]
fn whale_summarises_mc91() {
    let outcome = check(EngineKind::Whale, "mc91.c", &figure("whale/fig1.c"));
    assert_eq!(outcome.kind().as_str(), "safe", "{}", outcome.text());
    let guessed = events(&outcome, "summary guessed");
    assert!(guessed.iter().any(|e| e["function"] == "mc91"));
    // S1 = r >= 91 of the call in main, and S3 = r >= 91 of the second call in mc91, whose ARG is covered by that of the
    // first. The paper's guard of that call, p >= 91, comes with a summary of the first call, r >= 91; both are one
    // choice of several (its Example 3). Ours is the weaker one: the first call needs no summary, the second no guard.
    let last = |arg: &str| {
        let of = guessed.iter().filter(|e| e["arg"] == arg);
        of.map(|e| e["summary"].clone()).next_back().unwrap()
    };
    let wanted = "(>= |mc91::return| 91)";
    assert_eq!(last("A1"), wanted);
    assert_eq!(last("A2"), "true");
    assert_eq!(last("A3"), wanted);
    let covers = events(&outcome, "arg cover");
    let by = |e: &Json| (e["arg"].clone(), e["by"].clone());
    let covers: Vec<(Json, Json)> = covers.iter().map(by).collect();
    assert_eq!(covers, [(Json::from("A3"), Json::from("A1"))]);
    // Main, mc91 and its calls: the ARGs one by one, and the justification tree with the cover at the end.
    let dot = craig::show_log::dot(outcome.account.log.as_deref().unwrap()).unwrap();
    assert!(dot.contains("A1: mc91"), "{dot}");
    let iarg = dot.split("digraph iarg").nth(1).unwrap();
    let expanded = outcome.account.counter("arg expand");
    assert_eq!(expanded, outcome.account.counter("ARGs"));
    for line in [
        "\"A0\" -> \"A1\";",
        "\"A1\" -> \"A3\";",
        "\"A3\" -> \"A1\" [style=dashed",
    ] {
        assert!(iarg.contains(line), "{iarg}");
    }
}

/// WHALE, section 6: ARGs of the same function are merged, so that one shows what both calls need.
#[test]
fn whale_merges_the_args_of_a_function() {
    let safe = format!(
        "{HEAD}int up(int x) {{ if (x < 0) return 0; return x + 1; }}
        int main(void) {{
          int n = __VERIFIER_nondet_int();
          int a = up(n), b = up(a);
          if (a < 0) reach_error();
          if (b < 1) reach_error();
          return 0;
        }}"
    );
    let outcome = check(EngineKind::Whale, "merge.c", &safe);
    assert_eq!(outcome.kind().as_str(), "safe", "{}", outcome.text());
    let merges = events(&outcome, "arg merge");
    let merges: Vec<(&Json, &Json)> = merges.iter().map(|e| (&e["arg"], &e["into"])).collect();
    assert_eq!(merges, [(&Json::from("A2"), &Json::from("A1"))]);
    let outcome = check(
        EngineKind::Whale,
        "merge.c",
        &safe.replace("b < 1", "b < 2"),
    );
    assert_eq!(outcome.kind().as_str(), "unsafe", "{}", outcome.text());
}
