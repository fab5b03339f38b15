//! Theorem 1 of the paper by brute force: on Boolean programs with recursion the engine always ends,
//! with the answer that explicit tabulation of summaries gives, and the checker accepts its evidence.
#![allow(clippy::unwrap_used)]

use super::Whale;
use crate::api::{Engine, EngineOptions, Stats, Task};
use base::Budget;
use evidence::{Reason, Verdict};
use logic::{Evaluator, Pool, Value};
use program::{BlockSize, EdgeId, FuncId, LocId, Program, Stmt, VarId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::time::Duration;
use testkit::programs;

type Values = BTreeMap<VarId, bool>;

/// Explicit summaries: for each function and entry state, the exit states, and whether it errs.
struct Tabulation<'p> {
    pool: &'p Pool,
    program: &'p Program,
    exits: BTreeMap<(FuncId, Values), BTreeSet<Values>>,
    errs: BTreeSet<(FuncId, Values)>,
    changed: bool,
}

impl Tabulation<'_> {
    fn only(values: &Values, vars: &[VarId]) -> Values {
        vars.iter().map(|v| (*v, values[v])).collect()
    }

    fn choices(from: &Values, vars: &[VarId]) -> Vec<Values> {
        let mut out = vec![from.clone()];
        for &v in vars {
            let other: Vec<Values> = out
                .iter()
                .flat_map(|s| {
                    [false, true].map(|b| s.iter().map(|(k, x)| (*k, *x)).chain([(v, b)]).collect())
                })
                .collect();
            out = other;
        }
        out
    }

    fn holds(&self, values: &Values, term: logic::TermId) -> bool {
        let lookup = |s: logic::SymbolId| {
            let found = values
                .iter()
                .find(|(v, _)| self.pool.as_constant(self.program.vars[**v].term) == Some(s));
            found.map(|(_, b)| Value::Bool(*b))
        };
        Evaluator::new(self.pool, lookup).holds(term)
    }

    fn run(&mut self, f: FuncId, entry: &Values) {
        let function = &self.program.functions[f];
        let mut fresh = function.returns.clone();
        fresh.extend(&function.locals);
        let mut open: Vec<(LocId, Values)> = Self::choices(entry, &fresh)
            .into_iter()
            .map(|s| (function.entry, s))
            .collect();
        let mut seen: BTreeSet<(LocId, Values)> = open.iter().cloned().collect();
        while let Some((loc, state)) = open.pop() {
            if self.program.locations[loc].error.is_some() {
                self.changed |= self.errs.insert((f, entry.clone()));
                continue;
            }
            if loc == function.exit {
                let mut vars = function.returns.clone();
                vars.extend(&self.program.globals);
                let exit = Self::only(&state, &vars);
                let known = self.exits.entry((f, entry.clone())).or_default();
                self.changed |= known.insert(exit);
            }
            let edges: Vec<EdgeId> = self.program.edges.ids().collect();
            for e in edges {
                if self.program.edges[e].from != loc {
                    continue;
                }
                for next in self.successors(f, entry, e, &state) {
                    let to = (self.program.edges[e].to, next);
                    if seen.insert(to.clone()) {
                        open.push(to);
                    }
                }
            }
        }
    }

    fn successors(&mut self, f: FuncId, entry: &Values, e: EdgeId, state: &Values) -> Vec<Values> {
        match self.program.edges[e].stmt.clone() {
            Stmt::Skip => vec![state.clone()],
            Stmt::Assume(t) => match self.holds(state, t) {
                true => vec![state.clone()],
                false => Vec::new(),
            },
            Stmt::Havoc(vars, _) => Self::choices(state, &vars),
            Stmt::Assign(pairs) => {
                let mut next = state.clone();
                for (v, t) in pairs {
                    next.insert(v, self.holds(state, t));
                }
                vec![next]
            }
            Stmt::Call {
                callee,
                args,
                results,
            } => {
                let function = &self.program.functions[callee];
                let mut inside = Self::only(state, &self.program.globals);
                for (&p, &a) in function.params.iter().zip(&args) {
                    inside.insert(p, self.holds(state, a));
                }
                let key = (callee, inside);
                if self.errs.contains(&key) {
                    self.changed |= self.errs.insert((f, entry.clone()));
                }
                if !self.exits.contains_key(&key) {
                    self.changed = true;
                    self.exits.insert(key.clone(), BTreeSet::new());
                }
                let mut out = Vec::new();
                for exit in &self.exits[&key] {
                    let mut next = state.clone();
                    for &g in &self.program.globals {
                        next.insert(g, exit[&g]);
                    }
                    for (&r, &v) in function.returns.iter().zip(&results) {
                        next.insert(v, exit[&r]);
                    }
                    out.push(next);
                }
                out
            }
        }
    }
}

/// Can the entry function err?
pub(super) fn errs(pool: &Pool, program: &Program) -> bool {
    let mut table = Tabulation {
        pool,
        program,
        exits: BTreeMap::new(),
        errs: BTreeSet::new(),
        changed: true,
    };
    let mut vars = program.globals.clone();
    vars.extend(&program.functions[program.entry].params);
    for entry in Tabulation::choices(&Values::new(), &vars) {
        table.exits.insert((program.entry, entry), BTreeSet::new());
    }
    while table.changed {
        table.changed = false;
        let known: Vec<(FuncId, Values)> = table.exits.keys().cloned().collect();
        for (f, entry) in known {
            table.run(f, &entry);
        }
    }
    table.errs.iter().any(|(f, _)| *f == program.entry)
}

#[test]
fn boolean_programs_end_with_the_right_answer() {
    let (mut safe, mut unsafe_) = (0, 0);
    for seed in 0..150 {
        let text = programs::boolean(seed);
        let mut pool = Pool::new();
        let program = program::text::parse(&mut pool, &text).unwrap();
        let expected = errs(&pool, &program);
        let budget = Budget::unlimited().with_time(Duration::from_secs(60));
        let mut stats = Stats::default();
        // Explicit values decide most Boolean programs, so every other one goes without.
        let mut engine = Whale {
            values: seed % 2 == 0,
            copy: seed % 4 > 1,
            ..Whale::alone()
        };
        // And every third one path by path.
        let options = EngineOptions {
            blocks: match seed % 3 {
                0 => BlockSize::Joins,
                _ => BlockSize::Large,
            },
            ..EngineOptions::default()
        };
        let verdict = engine.run(&mut Task {
            pool: &mut pool,
            program: &program,
            options: &options,
            budget: &budget,
            stats: &mut stats,
            progress: &mut |_| {},
        });
        match (&verdict, expected) {
            (Verdict::Safe(_), false) => safe += 1,
            (Verdict::Unsafe(_), true) => unsafe_ += 1,
            other => panic!("{other:?} on\n{text}"),
        }
        let mut contracts = String::new();
        if let Verdict::Safe(proof) = &verdict {
            for (f, c) in &proof.contracts {
                let requires = program::text::print_expr(&pool, c.requires);
                let ensures = program::text::print_expr(&pool, c.ensures);
                let _ = writeln!(contracts, "{f:?}: {requires} / {ensures}");
            }
        }
        let checked = evidence::check(&mut pool, &program, verdict, &budget);
        let kept = !matches!(checked.get(), Verdict::Unknown(_));
        assert!(kept, "rejected: {:?}\n{text}\n{contracts}", checked.get());
    }
    assert!(safe > 30 && unsafe_ > 30, "{safe} safe, {unsafe_} unsafe");
}

#[test]
fn programs_too_large_for_modular_form_are_refused() {
    // Each loop head has its own copy of the rest of the function.
    let mut text = String::from(
        "entry main\nfn main() returns (r: Int) {\n  locals x: Int\n  error bad\n  entry p0\n",
    );
    let loops = 500;
    for k in 0..loops {
        let _ = writeln!(
            text,
            "  p{k} -> p{k}: x := (+ x 1)\n  p{k} -> p{}: skip",
            k + 1
        );
    }
    let _ = writeln!(
        text,
        "  p{loops} -> bad: assume (= x 7)\n  p{loops} -> exit: skip\n}}"
    );
    let mut pool = Pool::new();
    let program = program::text::parse(&mut pool, &text).unwrap();
    let mut stats = Stats::default();
    let verdict = Whale::alone().run(&mut Task {
        pool: &mut pool,
        program: &program,
        options: &EngineOptions::default(),
        budget: &Budget::unlimited(),
        stats: &mut stats,
        progress: &mut |_| {},
    });
    assert!(matches!(
        verdict,
        Verdict::Unknown(Reason::Unsupported { .. })
    ));
}
