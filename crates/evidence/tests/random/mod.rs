//! Random programs that abstract execution accepts are executed at random: none may fail.
#![allow(clippy::unwrap_used, dead_code)]

use base::{Budget, Random, Work};
use evidence::{Proof, Scope, Verdict, check};
use logic::{Pool, Rational, Value};
use program::interp::{Interpreter, Limits, Oracle, Outcome};
use program::{EdgeId, LocId, Program, VarId};
use std::collections::BTreeMap;
use std::fmt::Write;

pub fn accepted(pool: &mut Pool, program: &Program, scope: Scope, work: u64) -> bool {
    let proof = Proof {
        rest: Vec::new(),
        cone: None,
        scope,
        invariants: BTreeMap::new(),
        contracts: BTreeMap::new(),
    };
    let budget = Budget::unlimited().with_slice(Work::thousand(work));
    let verdict = check(pool, program, Verdict::Safe(proof), &budget);
    matches!(verdict.get(), Verdict::Safe(_))
}

/// A byte of memory is valid.
pub fn valid(x: &str) -> String {
    format!("(<= (+ {x} 1) (+ (* 1024 (div {x} 1024)) (select size (div {x} 1024))))")
}

/// Answers at random, within ranges.
pub struct Chance<'a>(Random, &'a Program);

impl Oracle for Chance<'_> {
    fn havoc(&mut self, _edge: EdgeId, vars: &[VarId]) -> Option<Vec<Value>> {
        let mut any = |v: &VarId| {
            let low = self.1.vars[*v].range.as_ref().map(|r| r.0.clone());
            let low = low.unwrap_or(Rational::ZERO);
            Value::Num(&low + &Rational::from(self.0.below(4) as i64))
        };
        Some(vars.iter().map(&mut any).collect())
    }

    fn choose(&mut self, _at: LocId, enabled: &[EdgeId]) -> Option<usize> {
        Some(self.0.below(enabled.len() as u64) as usize)
    }
}

/// The edges of a program as they are written one after the other.
#[derive(Default)]
pub struct Text {
    pub edges: String,
    pub at: usize,
    pub last: usize,
}

impl Text {
    pub fn edge(&mut self, from: usize, to: &str, stmt: &str) {
        let _ = writeln!(self.edges, "  l{from} -> {to}: {stmt}");
    }

    pub fn then(&mut self, stmt: &str) {
        self.last += 1;
        let (from, to) = (self.at, self.last);
        self.edge(from, &format!("l{to}"), stmt);
        self.at = to;
    }

    pub fn check(&mut self, condition: &str) {
        let from = self.at;
        self.edge(from, "e", &format!("assume (not {condition})"));
        self.then(&format!("assume {condition}"));
    }
}

/// The first seeds, or as many as the environment says.
pub fn seeds(count: u64) -> std::ops::Range<u64> {
    let campaign = std::env::var("CRAIG_CAMPAIGN").ok();
    0..campaign.and_then(|c| c.parse().ok()).unwrap_or(count)
}

/// Executes an accepted program at random; no execution may fail.
pub fn never_fails(pool: &Pool, program: &Program, seed: u64, what: &str) {
    let limits = Limits {
        steps: 300,
        ..Limits::default()
    };
    let mut interpreter = Interpreter::new(pool, program);
    for run in 0..40 {
        let mut oracle = Chance(Random::new(seed * 1000 + run), program);
        let result = interpreter.run(&mut oracle, &limits);
        let failed = matches!(result.outcome, Outcome::ReachedError(_));
        assert!(!failed, "seed {seed}, run {run}, {what}");
    }
}
