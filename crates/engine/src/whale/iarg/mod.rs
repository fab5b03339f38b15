//! WHALE as the paper has it: a forest of abstract reachability graphs (an *iARG*), with guards and summaries
//! guessed from state/transition interpolants.
//!
//! Terms, all of the paper's section 4: an *ARG* explores one call of a function, has a *guard* G over the
//! function's parameters and a *summary* S over parameters and returns, and is *complete* once its body is
//! unwound; the ARG of a call *justifies* it. An ARG is *covered* by another of its function whose triple
//! is stronger, or below one that is.
//!
//! The loop is section 6's: ARGs are processed first in, first out. One is covered if it can be; else
//! its body is unwound at once (EXPANDARG) and refined (REFINEARG): the condition `G ∧ IDAGCOND ∧ ¬S` either
//! has a model, which is an error (main) or shows that the summary was guessed too strong (the caller is
//! RESET), or its interpolants are new guards and summaries for the ARGs that justify its calls.
//! An ARG created, updated or reset is processed again. On McCarthy's 91 function with r >= 91 wanted:
//! ```text
//!   A0 main: A1 justifies the call of mc91, not unwound, so the call is not made: S1 = false
//!   A1 mc91: p > 100 returns, S1 is wrong: A0 is reset
//!   A0: the path p > 100 through A1 gives S1 = p > 100 and r > 90, which is wrong again, then S1 = r > 90
//!   A1: its calls are justified by A2 and A3; once these are unwound, S3 = r > 90
//!   A3 is covered by A1; nothing is left to process: safe
//! ```
//! Source: Albarghouthi, Gurfinkel, Chechik, "Whale" (VMCAI 2012), Fig. 3.
//!
//! Where we differ, and why:
//! - the whole body is one DAG condition, made by the block encoding, with a flag for each call that is made
//!   in place of node flags; so GUARD leaves all flags but the call's own to the existential quantifier,
//!   which gives a weaker guard;
//! - an ARG whose summary is `true` needs no proof and is not processed;
//! - ARGs of a function are merged (section 6 says so, not how) by their triples: an ARG that none covers is shown together with
//!   the first uncovered one of its function, `(G1 ⇒ S1) ∧ (G2 ⇒ S2)`, and explored alone only if that fails; ARGs
//!   inside a recursion are not merged.
//!
//! Invariants (`Forest::check_invariants`): covers are sound; a safe ARG's triple follows from those
//! of the ARGs that justify its calls. At the end every ARG is covered, trivial or safe, which is the premise
//! of Hoare's rule for mutual recursion: `G ⇒ S` of all uncovered ARGs of a function are its summaries.

mod forest;
mod refine;
#[cfg(test)]
mod tests;

use super::tree::Tree;
use crate::api::{Progress, Task};
use crate::log;
use crate::prepare::modular::ModularProgram;
use crate::summaries::contracts::Facts;
use base::{IndexVec, Stop};
use evidence::{Counterexample, Reason, Verdict};
use forest::{ArgId, Forest};
use logic::{Memo, Model, TermId};
use program::FuncId;
use refine::Refined;
use std::collections::VecDeque;

/// How often each operation of the paper was applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    pub refine: u64,
    pub cover: u64,
    pub merge: u64,
    pub reset: u64,
}

/// Runs the algorithm; `goal` is the error, over the returns of the entry function.
pub fn run(task: &mut Task<'_>, prepared: &ModularProgram, goal: TermId) -> Result<Verdict, Stop> {
    let bodies = &prepared.bodies;
    let solvers = &task.options.solvers;
    let nothing_exact = IndexVec::filled(false, bodies.bodies.len());
    let tree = Tree::new(
        task.pool,
        bodies,
        prepared.entry,
        goal,
        nothing_exact,
        solvers,
    );
    let summary = task.pool.not(goal);
    let mut whale = Iarg {
        forest: Forest::new(task.pool, tree, prepared.entry, summary),
        queue: VecDeque::new(),
        operations: Operations::default(),
        task,
        prepared,
    };
    let verdict = whale.process_all();
    whale.count();
    verdict
}

struct Iarg<'a, 't> {
    task: &'a mut Task<'t>,
    prepared: &'a ModularProgram,
    forest: Forest<'a>,
    queue: VecDeque<ArgId>,
    operations: Operations,
}

impl Iarg<'_, '_> {
    fn process_all(&mut self) -> Result<Verdict, Stop> {
        self.queue.push_back(self.forest.main());
        while let Some(arg) = self.queue.pop_front() {
            self.task.budget.check()?;
            self.report_progress();
            if let Some(verdict) = self.process(arg)? {
                return Ok(verdict);
            }
        }
        let mut facts = self.facts();
        let safe = self.forest.args[self.forest.main()].summary;
        facts[self.prepared.entry].summaries.push(safe);
        Ok(Verdict::Safe(self.prepared.proof(self.task.pool, &facts)))
    }

    fn process(&mut self, arg: ArgId) -> Result<Option<Verdict>, Stop> {
        let (_, summary) = self.forest.triple(self.task.pool, arg);
        let trivial = summary == self.task.pool.tt();
        if trivial || self.forest.args[arg].safe || self.forest.is_covered(arg) {
            return Ok(None);
        }
        if let Some(uncovered) = self.forest.cover(self.task.pool, arg, self.task.budget)? {
            self.operations.cover += 1;
            let by = self.forest.args[arg].covered_by;
            self.task.stats.log("arg cover", || {
                let by = by.map_or("".into(), log::id);
                vec![("arg", log::id(arg)), ("by", by)]
            });
            self.queue.extend(uncovered);
            return Ok(None);
        }
        if let Some((into, open)) = self.forest.merge(self.task.pool, arg) {
            self.operations.merge += 1;
            let fields = || vec![("arg", log::id(arg)), ("into", log::id(into))];
            self.task.stats.log("arg merge", fields);
            self.queue.extend(open);
            return Ok(None);
        }
        if self.forest.args[arg].instance.is_none() {
            self.forest.expand(self.task.pool, arg);
            self.log_expanded(arg);
        }
        self.operations.refine += 1;
        match self.forest.refine(self.task.pool, arg, self.task.budget)? {
            Refined::Safe { updated } => {
                self.log_refined(arg);
                self.queue.extend(updated);
            }
            Refined::Violated(model) if self.part(arg, &model) => {}
            Refined::Violated(model) => {
                let Some(caller) = self.forest.args[arg].caller else {
                    let steps = self.forest.tree.execution(self.task.pool, &model);
                    return Ok(Some(self.error(steps)));
                };
                self.operations.reset += 1;
                let (wrong, reset) = (log::id(arg), log::id(caller));
                let fields = || vec![("arg", reset), ("because of", wrong)];
                self.task.stats.log("arg reset", fields);
                let open = self.forest.withdraw(self.task.pool, arg, caller);
                self.queue.extend(open);
            }
            Refined::Unknown(why) => {
                let what = format!("no interpolants for a graph of {}: {why}", self.name(arg));
                return Ok(Some(Verdict::Unknown(Reason::NoProgress { what })));
            }
        }
        Ok(None)
    }

    /// The model of an ARG violates triples that were merged into it: these are explored alone. Says whether there are any.
    fn part(&mut self, arg: ArgId, model: &Model) -> bool {
        let mut violated = Vec::new();
        for member in self.forest.members(arg) {
            let wanted = self.forest.obligation(self.task.pool, member);
            let wanted = self.forest.about_call(self.task.pool, arg, wanted);
            if !Memo::new().holds(self.task.pool, model, wanted) {
                violated.push(member);
            }
        }
        for &member in &violated {
            let fields = || vec![("arg", log::id(member)), ("from", log::id(arg))];
            self.task.stats.log("arg part", fields);
            let open = self.forest.part(member);
            self.queue.extend(open);
            self.queue.push_back(member);
        }
        if !violated.is_empty() {
            self.queue.push_back(arg);
        }
        !violated.is_empty()
    }

    fn error(&self, found: Option<Counterexample>) -> Verdict {
        match found {
            Some(found) => Verdict::Unsafe(self.prepared.original(found)),
            None => Verdict::Unknown(Reason::NoProgress {
                what: "an error is feasible for the solver but no execution follows it".into(),
            }),
        }
    }

    /// EXPANDARG: the call that the ARG justifies, and the new ARGs that justify its own calls.
    fn log_expanded(&mut self, arg: ArgId) {
        let (forest, program) = (&self.forest, &self.prepared.bodies.program);
        let name = |a: ArgId| program.functions[forest.args[a].func].name.as_str();
        let this = &forest.args[arg];
        self.task.stats.log("arg expand", || {
            let calls = this.justifying.iter().map(|&c| format!("{c} {}", name(c)));
            let caller = this.caller.map_or("".into(), log::id);
            vec![
                ("arg", log::id(arg)),
                ("function", name(arg).into()),
                ("caller", caller),
                ("calls", calls.collect::<Vec<String>>().into()),
            ]
        });
    }

    /// Says what a refined ARG has shown, and the triples it rests on.
    fn log_refined(&mut self, arg: ArgId) {
        let (forest, program) = (&self.forest, &self.prepared.bodies.program);
        let name = |a: ArgId| program.functions[forest.args[a].func].name.as_str();
        let pool = &*self.task.pool;
        let this = &forest.args[arg];
        self.task.stats.log("arg", || {
            let calls = this.justifying.iter().map(|&c| format!("{c} {}", name(c)));
            vec![
                ("arg", log::id(arg)),
                ("function", name(arg).into()),
                ("guard", log::formula(pool, this.guard)),
                ("summary", log::formula(pool, this.summary)),
                ("calls", calls.collect::<Vec<String>>().into()),
            ]
        });
        for &call in &this.justifying {
            let guessed = &forest.args[call];
            self.task.stats.log("summary guessed", || {
                vec![
                    ("function", name(call).into()),
                    ("arg", log::id(call)),
                    ("guard", log::formula(pool, guessed.guard)),
                    ("summary", log::formula(pool, guessed.summary)),
                ]
            });
        }
    }

    fn name(&self, arg: ArgId) -> &str {
        let func = self.forest.args[arg].func;
        &self.prepared.bodies.program.functions[func].name
    }

    /// `G ⇒ S` of the uncovered ARGs, for each function.
    fn facts(&mut self) -> IndexVec<FuncId, Facts> {
        let functions = self.prepared.bodies.bodies.len();
        let mut facts: IndexVec<FuncId, Facts> = IndexVec::filled(Facts::default(), functions);
        for id in self.forest.args.ids() {
            let arg = &self.forest.args[id];
            if !arg.safe || self.forest.is_covered(id) || id == self.forest.main() {
                continue;
            }
            let func = arg.func;
            let (guard, summary) = self.forest.triple(self.task.pool, id);
            let summary = self.task.pool.implies(guard, summary);
            let known = &mut facts[func].summaries;
            if summary != self.task.pool.tt() && !known.contains(&summary) {
                known.push(summary);
            }
        }
        facts
    }

    /// The paper's columns #ARGs and #Refine, and the other operations.
    fn count(&mut self) {
        let (stats, done) = (&mut *self.task.stats, self.operations);
        let unwound = self.forest.args.iter().filter(|a| a.instance.is_some());
        stats.max("ARGs", unwound.count() as u64);
        stats.max("Refine", done.refine);
        stats.max("Cover", done.cover);
        stats.max("Merge", done.merge);
        stats.max("Reset", done.reset);
    }

    fn report_progress(&mut self) {
        let progress = Progress {
            engine: "whale",
            refinements: self.operations.refine,
            nodes: self.forest.args.len() as u64,
            covered: self.operations.cover,
            ..Progress::default()
        };
        (self.task.progress)(&progress);
    }
}
