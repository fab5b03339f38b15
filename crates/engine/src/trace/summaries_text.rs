//! The context as text: what `--summaries-out` writes and `--summaries-in` reads.
//!
//! ```text
//! ; summaries of craig
//! function inc 8c2f31d07a11e6b4
//! at 1 (<= 0 |inc::i|)
//! requires (<= 1 |inc::p|)
//! ensures (<= |inc::q| |inc::r|)
//! ```
//! The number after a function's name is a fingerprint of its automaton and of those of all
//! functions it may call. A function whose fingerprint is another now has changed: its lines are
//! left out. `at` lines are facts at the n-th cut point of the function, which the proof needs;
//! `ensures` without `requires` holds for all inputs.
//!
//! Sound because everything read is proved again before it is used: facts are only states of
//! automata, and a summary enters the context only if its triple holds.

use super::Search;
use super::automaton::Automata;
use super::context::{ALWAYS, Context, Depth, Summary};
use super::inclusion::Inclusion;
use crate::log;
use crate::summaries::given::given;
use base::{FxHashMap, IndexVec, Stop};
use logic::smtlib::{parse_term, print_term};
use logic::{Pool, TermId};
use program::{FuncId, LocId, Stmt};
use std::fmt::Write;

/// A summary read from text, not yet proved.
pub struct Candidate {
    pub requires: Vec<TermId>,
    pub ensures: TermId,
    /// Up to which depth of calls; only between threads.
    pub depth: Depth,
}

/// What was read for each function, and how much was left out.
pub struct Read {
    pub candidates: IndexVec<FuncId, Vec<Candidate>>,
    pub left: u64,
}

impl Search<'_, '_> {
    /// All summaries that hold always, with the facts their proofs rest on.
    pub(super) fn write_summaries(&mut self) -> String {
        let mut out = String::from("; summaries of craig\n");
        let prints = fingerprints(self.task.pool, self.automata);
        for f in self.automata.flagged.program.functions.ids() {
            let summaries = self.context.known(f, ALWAYS);
            if summaries.is_empty() {
                continue;
            }
            self.write_function(f, prints[f], &mut out);
            if self.proven[f].is_empty() {
                for t in summaries {
                    // Writing to a string cannot fail.
                    let _ = writeln!(out, "ensures {}", print_term(self.task.pool, t));
                }
            }
        }
        out
    }

    /// The triples that this search proved itself, and what it knows up to a depth that was not known before.
    pub(super) fn write_proven(&mut self, before: &Context) -> String {
        let mut out = String::new();
        let prints = fingerprints(self.task.pool, self.automata);
        for f in self.automata.flagged.program.functions.ids() {
            let here = self.context.summaries[f].iter();
            let open: Vec<Summary> = here
                .filter(|s| s.depth != ALWAYS && !before.summaries[f].contains(s))
                .copied()
                .collect();
            if !self.proven[f].is_empty() || !open.is_empty() {
                self.write_function(f, prints[f], &mut out);
            }
            for Summary { formula, depth } in open {
                let formula = print_term(self.task.pool, formula);
                // Writing to a string cannot fail.
                let _ = write!(out, "depth {depth}\nensures {formula}\n");
            }
        }
        out
    }

    /// A function's head, the facts at its cut points and its triples.
    fn write_function(&mut self, f: FuncId, print: u64, out: &mut String) {
        let name = &self.automata.flagged.program.functions[f].name;
        let pool = &mut *self.task.pool;
        let _ = writeln!(out, "function {name} {print:016x}");
        for (n, loc) in cut_points(self.automata, f).into_iter().enumerate() {
            let here = self.facts.get(&loc).into_iter().flatten();
            for &t in here.chain(self.invariants.at(loc)) {
                let _ = writeln!(out, "at {n} {}", print_term(pool, t));
            }
        }
        for triple in &self.proven[f] {
            let ensures = self.automata.as_summary(pool, f, triple.ensures);
            for c in pool.conjuncts(triple.requires) {
                if c != pool.tt() {
                    let _ = writeln!(out, "requires {}", print_term(pool, c));
                }
            }
            let _ = writeln!(out, "ensures {}", print_term(pool, ensures));
        }
    }

    /// Reads a text; facts go to their locations, summaries are returned as candidates.
    pub(super) fn read_summaries(&mut self, text: &str) -> Read {
        let automata = self.automata;
        let prints = fingerprints(self.task.pool, automata);
        let functions = &automata.flagged.program.functions;
        let by_name: FxHashMap<&str, FuncId> = functions
            .iter_enumerated()
            .map(|(id, f)| (f.name.as_str(), id))
            .collect();
        let vars: FxHashMap<&str, TermId> = automata
            .program
            .vars
            .iter()
            .map(|v| (v.name.as_str(), v.term))
            .collect();
        let mut read = Read {
            candidates: functions.iter().map(|_| Vec::new()).collect(),
            left: 0,
        };
        let mut current: Option<FuncId> = None;
        let mut requires: Vec<TermId> = Vec::new();
        let mut depth = ALWAYS;
        for line in text.lines().map(str::trim) {
            if line.is_empty() || line.starts_with(';') {
                continue;
            }
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            if word == "function" {
                let (name, print) = rest.rsplit_once(' ').unwrap_or((rest, ""));
                let unchanged =
                    |&f: &FuncId| u64::from_str_radix(print, 16).is_ok_and(|p| p == prints[f]);
                current = by_name.get(name).copied().filter(unchanged);
                requires.clear();
                continue;
            }
            if word == "depth" {
                depth = rest.parse().unwrap_or(ALWAYS);
                continue;
            }
            let Some(f) = current else {
                read.left += 1;
                continue;
            };
            let (place, term) = match word {
                "at" => rest.split_once(' ').unwrap_or((rest, "")),
                _ => ("", rest),
            };
            let pool = &mut *self.task.pool;
            let lookup = |name: &str| vars.get(name).copied();
            let term = match parse_term(pool, term, &lookup) {
                Ok(t) if pool.sort_of(t) == pool.bool_sort() => t,
                _ => {
                    read.left += 1;
                    continue;
                }
            };
            match word {
                "at" => {
                    let n = place.parse::<usize>().ok();
                    let loc = n.and_then(|n| cut_points(automata, f).get(n).copied());
                    match loc {
                        Some(loc) => {
                            let here = self.facts.entry(loc).or_default();
                            if !here.contains(&term) {
                                here.push(term);
                            }
                        }
                        None => read.left += 1,
                    }
                }
                "requires" => requires.push(term),
                "ensures" => read.candidates[f].push(Candidate {
                    requires: std::mem::take(&mut requires),
                    ensures: term,
                    depth: std::mem::replace(&mut depth, ALWAYS),
                }),
                _ => read.left += 1,
            }
        }
        read
    }

    /// Proves what was read, and puts it into the context.
    pub(super) fn reuse(&mut self, text: &str) -> Result<(), Stop> {
        let read = self.read_summaries(text);
        let left = self.try_all(read)?;
        self.task.stats.add("summaries left out", left);
        Ok(())
    }

    /// Proves what the user says of functions, and puts it into the context.
    pub(super) fn try_given(&mut self) -> Result<(), Stop> {
        let contracts = &self.task.program.contracts;
        if contracts.is_empty() {
            return Ok(());
        }
        let program = &self.automata.flagged.program;
        let mut read = Read {
            candidates: program.functions.iter().map(|_| Vec::new()).collect(),
            left: 0,
        };
        for f in program.functions.ids().filter(|&f| f != program.entry) {
            let flag = self.automata.flag(f);
            let facts = given(self.task.pool, contracts, program, f, flag);
            let candidate = |ensures| Candidate {
                requires: facts.guards.clone(),
                ensures,
                depth: ALWAYS,
            };
            read.candidates[f] = facts.summaries.iter().copied().map(candidate).collect();
        }
        self.try_all(read).map(|_| ())
    }

    /// Proves candidates, callees before callers, and puts them into the context; says how many it leaves out.
    fn try_all(&mut self, mut read: Read) -> Result<u64, Stop> {
        let mut order: Vec<FuncId> = read.candidates.ids().collect();
        // Callees reach fewer functions than their callers.
        order.sort_by_key(|&f| (self.automata.reached(f), f));
        let mut todo: Vec<(FuncId, Candidate)> = Vec::new();
        for f in order {
            let here = std::mem::take(&mut read.candidates[f]).into_iter();
            todo.extend(here.map(|candidate| (f, candidate)));
        }
        // Without a depth first, as before; then each depth after the one below it. The sort is stable.
        todo.sort_by_key(|(_, c)| c.depth.wrapping_add(1));
        for (f, candidate) in todo {
            if self.automata.meets_recursion(f) && candidate.depth == ALWAYS {
                let pool = &mut *self.task.pool;
                let premise = pool.and(&candidate.requires);
                let t = pool.implies(premise, candidate.ensures);
                self.suggested.push((f, t));
                continue;
            }
            let pool = &mut *self.task.pool;
            let good = self.automata.at_exit(pool, f, candidate.ensures);
            for c in self.task.pool.conjuncts(good) {
                let exit = self.automata.exit_of(f);
                let here = self.facts.entry(exit).or_default();
                if !here.contains(&c) {
                    here.push(c);
                }
            }
            match self.include(f, &candidate.requires, good, candidate.depth) {
                Ok(Inclusion::Holds(proven)) => {
                    let (name, pool) = (self.name(f), &*self.task.pool);
                    self.task.stats.log("summary re-used", || {
                        let post = log::formula(pool, candidate.ensures);
                        vec![("function", name.into()), ("post", post)]
                    });
                    self.add_summary(f, proven, candidate.depth);
                }
                Ok(Inclusion::Trace(_)) => {
                    read.left += 1;
                    self.log_withdrawn(f, candidate.ensures);
                }
                Err(_) => {
                    self.budget().check()?;
                    read.left += 1;
                }
            }
        }
        Ok(read.left)
    }
}

/// The cut points of a function, in order.
fn cut_points(automata: &Automata, f: FuncId) -> Vec<LocId> {
    let nodes = automata.graph.nodes.iter().copied();
    nodes
        .filter(|&l| automata.program.locations[l].func == f)
        .collect()
}

/// A number for each function that changes, but for accidents, when the function or one that it may
/// call does.
fn fingerprints(pool: &Pool, automata: &Automata) -> IndexVec<FuncId, u64> {
    let program = &automata.flagged.program;
    let mut own: IndexVec<FuncId, u64> = IndexVec::new();
    for f in program.functions.iter() {
        let mut hash = Fnv::default();
        let all = f.params.iter().chain(&f.returns);
        all.for_each(|&v| hash.text(&program.vars[v].name));
        own.push(hash.0);
    }
    let mut first: IndexVec<FuncId, Option<usize>> = IndexVec::filled(None, own.len());
    for edge in program.edges.iter() {
        let f = program.locations[edge.from].func;
        let base = *first[f].get_or_insert(base::Id::index(edge.from));
        let mut hash = Fnv(own[f]);
        for l in [edge.from, edge.to] {
            hash.number(base::Id::index(l).wrapping_sub(base) as u64);
        }
        match &edge.stmt {
            Stmt::Skip => {}
            Stmt::Assign(pairs) => {
                for &(v, t) in pairs {
                    hash.text(&program.vars[v].name);
                    hash.text(&print_term(pool, t));
                }
            }
            Stmt::Assume(t) => hash.text(&print_term(pool, *t)),
            Stmt::Havoc(vars, _) => vars.iter().for_each(|&v| hash.text(&program.vars[v].name)),
            Stmt::Call {
                callee,
                args,
                results,
            } => {
                hash.text(&program.functions[*callee].name);
                args.iter().for_each(|&t| hash.text(&print_term(pool, t)));
                results
                    .iter()
                    .for_each(|&v| hash.text(&program.vars[v].name));
            }
        }
        own[f] = hash.0;
    }
    let all = own.ids().map(|f| {
        let mut called = automata.callees(f);
        called.sort_unstable_by_key(|&g| &program.functions[g].name);
        let mut hash = Fnv(own[f]);
        called.iter().for_each(|&g| hash.number(own[g]));
        hash.0
    });
    all.collect()
}

/// Fowler–Noll–Vo: small, and the same on every machine.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn byte(&mut self, b: u8) {
        self.0 = (self.0 ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3);
    }

    fn text(&mut self, text: &str) {
        text.bytes().for_each(|b| self.byte(b));
        self.byte(0);
    }

    fn number(&mut self, n: u64) {
        n.to_le_bytes().into_iter().for_each(|b| self.byte(b));
    }
}
