//! Engines that are broken on purpose: whatever they claim, no wrong `safe` comes out.
//!
//! - One says `safe` of everything, with assertions that say nothing, or that say `false`.
//! - One forgets a step: it proves the program in which one edge can never be taken and passes the
//!   proof on for the whole program, as an engine does that takes a node as covered (or an edge as
//!   infeasible) without asking.
//! - One stops refining: it keeps the assertions of a real proof at some locations only.
#![allow(clippy::unwrap_used)]

mod common;

use base::Budget;
use common::{programs, read_head, root, source_options};
use craig::Loaded;
use engine::{EngineKind, EngineOptions, Progress, Stats, Task};
use evidence::{Proof, Scope, Verdict, check};
use logic::Pool;
use program::passes::inline::inline;
use program::{Program, Stmt};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

const TIME: Duration = Duration::from_secs(1);
/// Every so many programs are enough.
const EACH: usize = 3;
/// Most assertions of one proof that are left out.
const MOST_LEFT_OUT: usize = 12;

fn run(pool: &mut Pool, program: &Program, engine: EngineKind) -> Verdict {
    let options = EngineOptions::default();
    (engine.entry().make)().run(&mut Task {
        pool,
        program,
        options: &options,
        budget: &Budget::unlimited().with_time(TIME),
        stats: &mut Stats::default(),
        progress: &mut |_: &Progress| {},
    })
}

/// Some of the programs whose head says so, loaded; those that need another compiler left out.
fn loaded(verdict: &str) -> Vec<(PathBuf, Loaded)> {
    let mut paths = Vec::new();
    programs(&root(), &mut paths).unwrap();
    let compiled = |p: &PathBuf| {
        let ending = p.extension().and_then(|e| e.to_str());
        matches!(ending, Some("cpp" | "rs" | "ll"))
    };
    paths.retain(|p| !compiled(p));
    paths.sort();
    let mut out = Vec::new();
    for path in paths.into_iter().step_by(EACH) {
        let head = read_head(&std::fs::read_to_string(&path).unwrap());
        let Ok(options) = source_options(&head) else {
            continue;
        };
        if head.verdict == verdict {
            let program = craig::load(&[&path], &options).unwrap();
            out.push((path, program));
        }
    }
    out
}

fn claim(pool: &mut Pool, program: &Program, proof: Proof) -> &'static str {
    let budget = Budget::unlimited().with_time(TIME);
    check(pool, program, Verdict::Safe(proof), &budget)
        .get()
        .as_str()
}

#[test]
fn everything_is_safe() {
    let mut count = 0;
    for (path, mut l) in loaded("unsafe") {
        for scope in [Scope::Modular, Scope::Inlined, Scope::Recursive] {
            for says in [None, Some(true), Some(false)] {
                let target = match scope {
                    Scope::Inlined => inline(&mut l.pool, &l.program).ok().map(|i| i.program),
                    _ => Some(l.program.clone()),
                };
                let Some(target) = target else { continue };
                let mut invariants = BTreeMap::new();
                if let Some(says) = says {
                    let entry = target.functions[target.entry].entry;
                    let term = if says { l.pool.tt() } else { l.pool.ff() };
                    for loc in target.locations.ids().filter(|l| *l != entry) {
                        invariants.insert(loc, term);
                    }
                }
                let proof = Proof {
                    rest: Vec::new(),
                    cone: None,
                    scope,
                    invariants,
                    contracts: BTreeMap::new(),
                };
                let word = claim(&mut l.pool, &l.program, proof);
                assert_eq!(word, "unknown", "{} {scope:?} {says:?}", path.display());
                count += 1;
            }
        }
    }
    assert!(count > 300, "{count}");
}

#[test]
fn a_step_is_forgotten() {
    let (mut proofs, mut attempts) = (0, 0);
    for (path, mut l) in loaded("unsafe") {
        let Verdict::Unsafe(cex) = run(&mut l.pool, &l.program, EngineKind::Impact) else {
            continue;
        };
        // Edges of the way to the error, some of them.
        let mut edges: Vec<_> = cex.steps.iter().map(|s| s.edge).collect();
        edges.sort_unstable();
        edges.dedup();
        edges.retain(|e| !matches!(l.program.edges[*e].stmt, Stmt::Call { .. }));
        let stride = (edges.len() / 3).max(1);
        for &edge in edges.iter().rev().step_by(stride).take(3) {
            let mut broken = l.program.clone();
            broken.edges[edge].stmt = Stmt::Assume(l.pool.ff());
            attempts += 1;
            if let Verdict::Safe(proof) = run(&mut l.pool, &broken, EngineKind::Impact) {
                proofs += 1;
                let word = claim(&mut l.pool, &l.program, proof);
                assert_eq!(word, "unknown", "{} without {edge}", path.display());
            }
        }
    }
    assert!(proofs > 50, "{proofs} lies of {attempts}");
}

#[test]
fn refinement_is_skipped() {
    let (mut accepted, mut rejected) = (0, 0);
    for (path, mut l) in loaded("safe").into_iter().step_by(2) {
        let Verdict::Safe(proof) = run(&mut l.pool, &l.program, EngineKind::Impact) else {
            continue;
        };
        let whole = claim(&mut l.pool, &l.program, proof.clone());
        assert_eq!(whole, "safe", "{}", path.display());
        for &loc in proof.invariants.keys().take(MOST_LEFT_OUT) {
            let mut part = proof.clone();
            part.invariants.remove(&loc);
            // The program is safe; the checker may find that the assertion was not needed, but
            // never more than that.
            match claim(&mut l.pool, &l.program, part) {
                "safe" => accepted += 1,
                _ => rejected += 1,
            }
        }
    }
    assert!(rejected > 10, "{accepted} accepted, {rejected} rejected");
}
