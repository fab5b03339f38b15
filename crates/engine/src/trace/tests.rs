//! Theorems 4, 7 and 8 by brute force on random programs over small domains.
#![allow(clippy::unwrap_used)]

use super::context::ALWAYS;
use super::*;
use crate::api::{EngineOptions, Stats};
use logic::Pool;
use program::interp::explore::explore;
use program::{Edge, Location, Program, Span, Stmt};
use std::time::Duration;
use testkit::{Random, programs};

/// Runs the algorithm alone and hands the search to `look`.
fn searched(text: &str, look: impl FnOnce(&mut Search<'_, '_>, Result<Verdict, Halt>)) {
    let mut pool = Pool::new();
    let program = program::text::parse(&mut pool, text).unwrap();
    let options = EngineOptions {
        aids: false,
        ..EngineOptions::default()
    };
    let budget = Budget::unlimited().with_time(Duration::from_millis(600));
    let mut stats = Stats::default();
    let mut task = Task {
        pool: &mut pool,
        program: &program,
        options: &options,
        budget: &budget,
        stats: &mut stats,
        progress: &mut |_| {},
    };
    let outline = match is_recursive(&program) {
        true => Outline::Loops,
        false => Outline::Nothing,
    };
    let automata = prepare(&mut task, outline);
    let mut search = Search::new(&mut task, &automata);
    let verdict = search.run();
    look(&mut search, verdict);
}

/// All inputs of a function of small ranges, and the outputs that executions from them end with.
fn executions(pool: &mut Pool, program: &Program, f: FuncId) -> Vec<(Vec<Value>, Vec<Value>)> {
    let params = program.functions[f].params.clone();
    let mut inputs: Vec<Vec<Value>> = vec![Vec::new()];
    for _ in &params {
        let longer = inputs.iter().flat_map(|v| {
            (0..4).map(|n: i64| v.iter().cloned().chain([Value::Num(n.into())]).collect())
        });
        inputs = longer.collect();
    }
    let mut out = Vec::new();
    for values in inputs {
        let mut started = program.clone();
        let start = started.locations.push(Location {
            func: f,
            span: Span::unknown(),
            error: None,
            loop_head: None,
        });
        let set = params.iter().zip(&values).map(|(&p, v)| {
            let t = execution::term_of(pool, v, program.vars[p].sort).unwrap();
            (p, t)
        });
        started.edges.push(Edge {
            from: start,
            to: program.functions[f].entry,
            stmt: Stmt::Assign(set.collect()),
            span: Span::unknown(),
        });
        started.functions[f].entry = start;
        started.entry = f;
        for outputs in explore(pool, &started, 3_000).exits {
            out.push((values.clone(), outputs));
        }
    }
    out
}

/// Theorem 7: every summary of the context holds of every execution of its function. Theorem 8: the
/// answer is what exhaustive search says.
fn context_over_approximates(seeds: std::ops::Range<u64>, recursive: bool, least: usize) {
    let (mut summaries, mut answers) = (0, 0);
    for seed in seeds {
        let text = programs::functions(seed, &["main", "f", "g"], recursive);
        searched(&text, |search, verdict| {
            let flagged = &search.automata.flagged.program;
            let truth = explore(search.task.pool, search.task.program, 20_000);
            if let (Ok(verdict), true) = (&verdict, truth.complete) {
                answers += 1;
                let expected = match truth.errors.is_empty() {
                    true => "safe",
                    false => "unsafe",
                };
                assert_eq!(verdict.as_str(), expected, "seed {seed}:\n{text}");
                let (pool, program) = (&mut *search.task.pool, search.task.program);
                let budget = Budget::unlimited();
                let checked = evidence::check(pool, program, verdict.clone(), &budget);
                // Uninitialised variables have no place in a counterexample, so some of those
                // cannot be replayed; proofs must all be accepted.
                let word = checked.get().as_str();
                assert!(
                    word == expected || expected == "unsafe" && word == "unknown",
                    "seed {seed}: {:?}\n{text}",
                    checked.get()
                );
            }
            for f in flagged.functions.ids() {
                let known = search.context.known(f, ALWAYS);
                if known.is_empty() {
                    continue;
                }
                let terms: Vec<TermId> = search
                    .automata
                    .params(f)
                    .into_iter()
                    .chain(search.automata.returns(f))
                    .collect();
                for (inputs, outputs) in executions(search.task.pool, flagged, f) {
                    let values: Vec<Value> = inputs.into_iter().chain(outputs).collect();
                    for &s in &known {
                        let pairs = terms.iter().copied().zip(&values);
                        let pool = &*search.task.pool;
                        assert!(
                            holds_of(pool, s, pairs),
                            "seed {seed}: a summary of {} fails at {values:?}: {}\n{text}",
                            flagged.functions[f].name,
                            logic::smtlib::print_term(pool, s)
                        );
                    }
                }
                summaries += known.len();
            }
        });
    }
    assert!(
        summaries >= least,
        "only {summaries} summaries were looked at"
    );
    assert!(answers > 10, "only {answers} answers were compared");
}

#[test]
fn context_over_approximates_without_recursion() {
    context_over_approximates(0..50, false, 10);
}

#[test]
fn context_over_approximates_with_recursion() {
    context_over_approximates(100..130, true, 5);
}

/// Theorem 4: interpolant automata accept only infeasible traces.
#[test]
fn automata_accept_only_infeasible_traces() {
    let mut accepted = 0;
    for seed in 200..260 {
        let text = programs::functions(seed, &["main"], false);
        searched(&text, |search, _| {
            let f = search.automata.entry;
            let Some(bad) = search.automata.flag(f) else {
                return;
            };
            let good = search.task.pool.not(bad);
            let mut r = Random::new(seed + 1);
            for _ in 0..6 {
                let Some(blocks) = random_trace(search, f, &mut r) else {
                    continue;
                };
                let mut facts: Vec<TermId> = Vec::new();
                for &block in &blocks {
                    let set = search.posts.set(facts);
                    let after = search.post(set, block, ALWAYS).unwrap();
                    facts = search.posts.facts(after).to_vec();
                    if facts.contains(&search.task.pool.ff()) {
                        break;
                    }
                }
                let all = search.task.pool.and(&facts);
                let budget = search.budget();
                let accepts = search
                    .block_solver
                    .implies(search.task.pool, all, good, budget);
                if !accepts.unwrap() {
                    continue;
                }
                accepted += 1;
                assert!(
                    search.is_infeasible(f, &blocks, bad),
                    "seed {seed}: a feasible trace is accepted\n{text}"
                );
            }
        });
    }
    assert!(accepted > 20, "only {accepted} traces were accepted");
}

/// A random walk from entry to exit.
fn random_trace(search: &Search<'_, '_>, f: FuncId, r: &mut Random) -> Option<Vec<BlockId>> {
    let mut at = search.automata.entry_of(f);
    let mut out = Vec::new();
    while at != search.automata.exit_of(f) {
        let next = &search.automata.graph.out[at];
        if next.is_empty() || out.len() > 8 {
            return None;
        }
        let block = next[r.below(next.len() as u64) as usize];
        out.push(block);
        at = search.automata.graph.blocks[block].to;
    }
    Some(out)
}

/// Listing 1 of the paper, with the summaries of its section 2 or others that say as much: inc does
/// not err from p >= 1, and its result is at least q where it matters.
#[test]
fn listing_1_has_its_summaries() {
    let text = "
entry main
fn main() returns (n: Int) {
  locals m: Int
  error bad
  entry m0
  m0 -> m1: assume (>= m 1)
  m1 -> m2: n := call inc(1, m)
  m2 -> bad: assume (< n 0)
  m2 -> exit: assume (>= n 0)
}
fn inc(p: Int, q: Int) returns (r: Int) {
  error wrong
  entry i0
  i0 -> wrong: assume (< p 0)
  i0 -> i1: assume (>= p 0)
  i1 -> exit: assume (>= p 1)
  i1 -> i2: assume (< p 1)
  i2 -> exit: r := q
}
"
    .replace(
        "i1 -> exit: assume (>= p 1)",
        "i1 -> i3: assume (>= p 1)\n  i3 -> exit: r := (+ q 1)",
    );
    searched(&text, |search, verdict| {
        assert!(matches!(verdict, Ok(Verdict::Safe(_))));
        let functions = search.automata.flagged.program.functions.iter_enumerated();
        let inc = functions
            .into_iter()
            .find(|(_, f)| f.name == "inc")
            .unwrap()
            .0;
        let known = search.context.known(inc, ALWAYS);
        let mut terms = search.automata.params(inc);
        terms.extend(search.automata.returns(inc));
        let pool = &*search.task.pool;
        let allows = |p: i64, q: i64, r: i64, err: bool| {
            let values = [p, q, r].map(|n| Value::Num(n.into()));
            let values: Vec<Value> = values.into_iter().chain([Value::Bool(err)]).collect();
            let holds = |&s: &TermId| holds_of(pool, s, terms.iter().copied().zip(&values));
            known.iter().all(holds)
        };
        assert!(!allows(1, 1, 0, true), "inc does not err from p = 1");
        assert!(!allows(1, 1, -1, false), "inc(1, 1) is not negative");
        assert!(allows(1, 1, 2, false), "inc(1, 1) is 2");
        assert!(allows(-1, 1, 0, true), "inc errs from p = -1");
    });
}
