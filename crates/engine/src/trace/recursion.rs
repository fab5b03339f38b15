//! Recursion, which IPROC leaves out: the program is checked with calls nested up to depth 0, 1, 2
//! and so on, and after each depth the summaries are tried as what holds at any depth.
//!
//! At a depth all is as without recursion, so an execution found is one. The check on completion is
//! Hoare's rule for recursive procedures: assume all summaries for inner calls while proving each;
//! those that fail are dropped until the rest supports itself (`summaries::contracts`). If that
//! rest excludes the error, the program is safe; otherwise what it proved is in the context for
//! the next depth. Loops are functions here.

use super::context::{ALWAYS, Depth};
use super::{Answer, Halt, Search};
use crate::core::clauses::guesses;
use crate::log;
use crate::prepare::modular::{Constants, ModularProgram, prepare};
use crate::summaries::bodies::prefixes;
use crate::summaries::contracts::Contracts;
use crate::summaries::guess;
use evidence::Verdict;
use logic::TermId;
use program::FuncId;

impl Search<'_, '_> {
    /// Is there an execution of the entry function that ends in `error`?
    pub(super) fn deepen(&mut self, error: TermId) -> Result<Verdict, Halt> {
        // The same passes on the same program: functions and variables have the same names.
        let prepared = match prepare(self.task, Constants::Kept) {
            Ok(prepared) => prepared,
            Err(reason) => return Ok(Verdict::Unknown(reason)),
        };
        // Guards must hold wherever a call is made, also on ways that do not come to the exit.
        let early = prefixes(self.task.pool, &prepared.flagged.program);
        let mut contracts = Contracts::new(&prepared.bodies, prepared.entry)
            .with_prefixes(&early)
            .using(&self.task.options.solvers);
        for (f, t) in std::mem::take(&mut self.suggested) {
            contracts.offer_summary(self.task.pool, f, t);
        }
        contracts.offer_given(self.task.pool, &self.task.program.contracts, &prepared);
        if self.complete(&prepared, &mut contracts, error)? {
            return Ok(self.supported(&prepared, &contracts, error));
        }
        if self.task.options.aids {
            let limits = &self.task.options.limits.whale;
            guess::from_text(self.task.pool, &prepared, &mut contracts, limits);
            if self.complete(&prepared, &mut contracts, error)? {
                return Ok(self.supported(&prepared, &contracts, error));
            }
            let slice = self.task.options.limits.trace.affine_work.of(self.budget());
            // Running out of the slice only means fewer guesses.
            let _ = guess::affine(self.task.pool, &prepared, &mut contracts, limits, &slice);
            if self.complete(&prepared, &mut contracts, error)? {
                return Ok(self.supported(&prepared, &contracts, error));
            }
        }
        let entry = self.automata.entry;
        for depth in 0.. {
            self.budget().check()?;
            self.task.stats.max("depth", u64::from(depth));
            if let Answer::Execution(e) = self.ask(entry, error, depth)? {
                return Ok(self.error(&e));
            }
            self.offer(&mut contracts);
            if self.complete(&prepared, &mut contracts, error)? {
                return Ok(self.supported(&prepared, &contracts, error));
            }
            self.push_deeper(depth)?;
        }
        Err(Halt::Stuck("calls nest too deep".into()))
    }

    /// Offers all summaries, and their parts, as what holds at any depth.
    fn offer(&mut self, contracts: &mut Contracts<'_>) {
        for f in self.context.summaries.ids() {
            let open = self.context.summaries[f]
                .iter()
                .filter(|s| s.depth != ALWAYS);
            let open: Vec<TermId> = open.map(|s| s.formula).collect();
            for &t in &open {
                for g in guesses(self.task.pool, t) {
                    if g != t {
                        contracts.offer_summary(self.task.pool, f, g);
                    }
                }
            }
            // Last, so that they outlive older guesses: together they support each other.
            for t in open {
                contracts.offer_summary(self.task.pool, f, t);
            }
        }
    }

    /// Proves what can be proved of the candidates, keeps it in the context, and says whether it
    /// excludes the error.
    fn complete(
        &mut self,
        prepared: &ModularProgram,
        contracts: &mut Contracts<'_>,
        error: TermId,
    ) -> Result<bool, Halt> {
        let budget = self.budget();
        let before = contracts.proven();
        let slice = self.task.options.limits.trace.summary_work.of(budget);
        // Running out of the slice leaves what was proved; the next attempt has more time.
        if contracts.houdini(self.task.pool, &slice).is_err() {
            budget.check()?;
        }
        for (f, had) in before.iter_enumerated() {
            let pool = &mut *self.task.pool;
            // Sound because an execution that begins inside the guards makes its calls inside
            // theirs: `guards => summary` holds of every execution.
            let guards = pool.and(contracts.guards(f));
            for &s in &contracts.summaries(f)[had.summaries.len()..] {
                let t = pool.implies(guards, s);
                if self.context.add(pool, f, t, ALWAYS) {
                    let name = self.automata.program.functions[f].name.as_str();
                    let pool = &*pool;
                    self.task.stats.log("summary", || {
                        vec![
                            ("function", name.into()),
                            ("pre", log::formula(pool, guards)),
                            ("post", log::formula(pool, s)),
                        ]
                    });
                }
            }
        }
        let safe = self.task.pool.not(error);
        Ok(contracts.implies(self.task.pool, prepared.entry, safe, budget)?)
    }

    fn supported(
        &mut self,
        prepared: &ModularProgram,
        contracts: &Contracts<'_>,
        error: TermId,
    ) -> Verdict {
        let mut facts = contracts.proven();
        let safe = self.task.pool.not(error);
        facts[prepared.entry].summaries.push(safe);
        Verdict::Safe(prepared.proof(self.task.pool, &facts))
    }

    /// Summaries that hold one deeper as well, without asking anybody.
    fn push_deeper(&mut self, depth: Depth) -> Result<(), Halt> {
        let functions: Vec<FuncId> = self.context.summaries.ids().collect();
        let nothing = self.posts.set(Vec::new());
        for &f in functions.iter().rev() {
            let here = self.context.summaries[f].iter();
            let here: Vec<TermId> = here
                .filter(|s| s.depth == depth)
                .map(|s| s.formula)
                .collect();
            for t in here {
                let at_exit = self.automata.at_exit(self.task.pool, f, t);
                let entry = self.automata.entry_of(f);
                let mut holds = true;
                for block in self.automata.graph.out[entry].clone() {
                    holds &= self.automata.graph.blocks[block].to == self.automata.exit_of(f)
                        && self.ends_in(nothing, block, at_exit, depth + 1)?;
                }
                if holds {
                    self.context.add(self.task.pool, f, t, depth + 1);
                }
            }
        }
        Ok(())
    }
}
