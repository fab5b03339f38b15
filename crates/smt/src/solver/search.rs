//! The search: conflict-driven clause learning with theories on one page.
//!
//! Propagation alternates between clauses and theories until nothing follows. Levels up to the
//! number of scopes (and one more for assumptions) belong to asserted formulas; a conflict there is the answer
//! `Unsat`. When every active variable is assigned, the final check completes the assignment to a model
//! or adds lemmas.

use crate::sat::{ClauseRef, Reason, Sat};
use crate::solver::combine::Verdict;
use crate::solver::terms::{ARITH, EUF, NOT_YET, PASSED};
use crate::solver::{Answer, Solver, Unknown};
use crate::theory::{Conflict, Interrupt, Theory};
use crate::{BoolVar, Lit, ticks};
use base::{Budget, Stop};
use logic::{Op, Pool};

/// Conflicts of a search after which it looks for what branches have in common.
const PROPOSE_AT: u64 = 200;

/// Restarts when recent clauses are worse than the long-run average (Audemard and Simon, 2012).
struct Restarts {
    fast: f64,
    slow: f64,
    since: u32,
    seen: f64,
}

impl Restarts {
    fn new() -> Self {
        Restarts {
            fast: 0.0,
            slow: 0.0,
            since: 0,
            seen: 0.0,
        }
    }

    fn note(&mut self, lbd: u32) {
        self.seen += 1.0;
        self.since += 1;
        let rate = |n: f64| (1.0 / n).max(1.0 / self.seen);
        self.fast += (f64::from(lbd) - self.fast) * rate(32.0);
        self.slow += (f64::from(lbd) - self.slow) * rate(4096.0);
    }

    fn due(&mut self) -> bool {
        let due = self.since >= 50 && self.fast > 1.2 * self.slow;
        if due {
            self.since = 0;
        }
        due
    }
}

/// Lets a theory draw consequences and takes them over.
fn consult<T: Theory>(sat: &mut Sat, theory: &mut T, budget: &Budget) -> Result<(), Interrupt> {
    theory.propagate(budget)?;
    while let Some(lit) = theory.next_implied(sat) {
        if sat.is_false(lit) {
            return Err(Interrupt::Conflict(theory.explain(lit)));
        }
        sat.enqueue(lit, Reason::Theory(T::SOURCE));
    }
    Ok(())
}

impl Solver {
    pub(crate) fn search(&mut self, pool: &mut Pool, budget: &Budget) -> Answer {
        if !self.sat.ok {
            self.conclude_again();
            return Answer::Unsat;
        }
        match self.run(pool, budget) {
            Ok(answer) => answer,
            Err(stop) => {
                self.backtrack(0);
                self.theories.arith.wake();
                Answer::Unknown(Unknown::Budget(stop))
            }
        }
    }

    fn run(&mut self, pool: &mut Pool, budget: &Budget) -> Result<Answer, Stop> {
        budget.spend(ticks::CHECK)?;
        self.theories.arith.begin_search();
        let mut restarts = Restarts::new();
        let mut conflicts = 0u64;
        let mut steps = 0u32;
        let mut propagations = self.sat.stats.propagations;
        let mut proposals = Vec::new();
        let assumption_levels =
            self.scopes.len() as u32 - 1 + u32::from(!self.assumptions.is_empty());
        loop {
            steps += 1;
            if steps.is_multiple_of(16) {
                let propagated = self.sat.stats.propagations - propagations;
                propagations += propagated;
                budget.spend(16 * ticks::STEP + propagated / ticks::PROPAGATIONS)?;
            }
            if let Some(conflict) = self.propagate(budget)? {
                self.sat.stats.conflicts += 1;
                budget.charge(ticks::CONFLICT);
                conflicts += 1;
                if self.resolve_conflict(conflict, assumption_levels, &mut restarts) {
                    self.close_contradictory_level();
                    return Ok(Answer::Unsat);
                }
                if budget.conflicts.is_some_and(|limit| conflicts >= limit) {
                    return Err(Stop::Effort);
                }
                if conflicts == PROPOSE_AT {
                    self.backtrack(assumption_levels);
                    proposals = self.propose(pool);
                }
                continue;
            }
            if restarts.due() {
                self.sat.stats.restarts += 1;
                self.backtrack(assumption_levels);
                continue;
            }
            if self.sat.should_reduce() {
                self.sat.reduce();
            }
            if self.sat.level() < assumption_levels {
                if self.open_level() {
                    self.close_contradictory_level();
                    return Ok(Answer::Unsat);
                }
                continue;
            }
            if let Some(lit) = self.decide_proposal(&mut proposals, assumption_levels) {
                self.new_level();
                self.sat.enqueue(lit, Reason::Decision);
                continue;
            }
            if let Some(v) = self.sat.next_decision() {
                self.sat.stats.decisions += 1;
                let lit = Lit::new(v, self.choose_phase(pool, v));
                self.new_level();
                self.sat.enqueue(lit, Reason::Decision);
                continue;
            }
            self.stats.final_checks += 1;
            match self.final_check(pool, budget)? {
                Verdict::Model => return Ok(Answer::Sat),
                Verdict::Refuted => return Ok(Answer::Unsat),
                Verdict::Again => {}
                Verdict::GiveUp(why) => return Ok(Answer::Unknown(Unknown::Incomplete(why))),
            }
        }
    }

    /// Learns from a false clause; true if it contradicts the assertions themselves.
    fn resolve_conflict(
        &mut self,
        conflict: ClauseRef,
        assumption_levels: u32,
        restarts: &mut Restarts,
    ) -> bool {
        let mut conflict = Some(conflict);
        while let Some(c) = conflict {
            let top = self.sat.top_level(c);
            self.backtrack(top);
            if top <= assumption_levels {
                let lits: Vec<Lit> = self.sat.clause(c).collect();
                let start = self.sat.proof_id(c);
                self.conclude(&lits, start);
                // Propagation stopped half-way: the level must be opened anew.
                self.backtrack(top.saturating_sub(1));
                return true;
            }
            let learnt = self.sat.analyze(c, &mut self.theories);
            restarts.note(learnt.lbd);
            self.backtrack(learnt.back);
            conflict = self.sat.assert_learnt(&learnt);
        }
        false
    }

    /// Sound because a later check opens the level anew and finds its contradiction again; left
    /// open, the level would look consistent: its propagation is over and its conflict forgotten.
    fn close_contradictory_level(&mut self) {
        self.backtrack(self.sat.level().saturating_sub(1));
    }

    /// Opens the next scope's level (or that of the assumptions) and asserts its literals. True if
    /// one of them is false.
    fn open_level(&mut self) -> bool {
        let level = self.sat.level() as usize + 1;
        self.new_level();
        if level < self.scopes.len() {
            for i in 0..self.scopes[level].assertions.len() {
                let a = self.scopes[level].assertions[i];
                match self.sat.value(a.lit) {
                    None => self.sat.enqueue(a.lit, Reason::Decision),
                    Some(true) => {}
                    Some(false) => {
                        self.conclude(&[a.lit], Solver::input_id(&a));
                        self.backtrack(level as u32 - 1);
                        return true;
                    }
                }
            }
        } else {
            for i in 0..self.assumptions.len() {
                let (lit, term) = self.assumptions[i];
                match self.sat.value(lit) {
                    None => self.sat.enqueue(lit, Reason::Decision),
                    Some(true) => {}
                    Some(false) => {
                        self.conclude_assumption(lit, term);
                        self.backtrack(level as u32 - 1);
                        return true;
                    }
                }
            }
        }
        false
    }

    fn new_level(&mut self) {
        self.sat.new_level();
        self.theories.push();
    }

    pub(crate) fn backtrack(&mut self, level: u32) {
        let now = self.sat.level();
        if now <= level {
            return;
        }
        self.fed = self.fed.min(self.sat.level_end(level));
        self.sat.backtrack(level);
        self.theories.pop((now - level) as usize);
        if !self.late.is_empty() {
            let (sat, fed) = (&self.sat, self.fed);
            self.late.retain_mut(|(lit, at)| {
                if *at > level {
                    *at = NOT_YET;
                }
                *at != 0 && sat.is_true(*lit) && sat.position_of(lit.var()) < fed
            });
        }
        if self.theories.euf.on {
            let sat = &self.sat;
            self.theories.euf.relink(|l| sat.is_true(l));
        }
    }

    /// Clauses and theories to the fixed point, or a false clause.
    fn propagate(&mut self, budget: &Budget) -> Result<Option<ClauseRef>, Stop> {
        // The others wait: their literals may be false below the level that this conflict leads back to, where no watch sees them.
        while let Some(c) = self.false_clauses.pop() {
            if self.sat.clause(c).all(|l| self.sat.is_false(l)) {
                return Ok(Some(c));
            }
        }
        loop {
            if let Some(c) = self.sat.pending_conflict() {
                return Ok(Some(c));
            }
            if let Some(c) = self.sat.propagate() {
                return Ok(Some(c));
            }
            for i in 0..self.late.len() {
                let (lit, at) = self.late[i];
                if at == NOT_YET {
                    self.late[i].1 = self.sat.level();
                    if let Err(conflict) = self.feed(lit) {
                        return Ok(Some(self.sat.temporary(conflict)));
                    }
                }
            }
            while self.fed < self.sat.trail.len() {
                let lit = self.sat.trail[self.fed];
                self.fed += 1;
                let v = lit.var();
                // Sound because the theories only lose constraints; complete because a model of
                // the active atoms extends to terms that only valid clauses mention.
                if self.feeds[v] == 0 {
                    continue;
                }
                if !self.sat.is_active(v) && self.sat.level_of(v) > 0 {
                    self.feeds[v] |= PASSED;
                } else {
                    self.feeds[v] &= !PASSED;
                    if let Err(conflict) = self.feed(lit) {
                        return Ok(Some(self.sat.temporary(conflict)));
                    }
                }
            }
            let consulted = consult(&mut self.sat, &mut self.theories.euf, budget).and_then(|()| {
                // Arithmetic is dearer: clauses first, if there is something for them.
                match self.sat.is_busy() {
                    true => Ok(()),
                    false => consult(&mut self.sat, &mut self.theories.arith, budget),
                }
            });
            match consulted {
                Ok(()) => {}
                Err(Interrupt::Conflict(conflict)) => {
                    return Ok(Some(self.sat.temporary(conflict)));
                }
                Err(Interrupt::Stop(stop)) => return Err(stop),
            }
            if !self.sat.is_busy() && self.fed == self.sat.trail.len() {
                return Ok(None);
            }
        }
    }

    /// Tells the theories a literal.
    fn feed(&mut self, lit: Lit) -> Result<(), Conflict> {
        let feeds = self.feeds[lit.var()];
        if feeds & EUF != 0 {
            Theory::assert_lit(&mut self.theories.euf, lit)?;
        }
        if feeds & ARITH != 0 {
            Theory::assert_lit(&mut self.theories.arith, lit)?;
        }
        Ok(())
    }

    /// The phase of last time; at first what arithmetic's current point says, so that atoms that
    /// do not matter cost nothing.
    fn choose_phase(&mut self, pool: &Pool, v: BoolVar) -> bool {
        if let Some(phase) = self.sat.phase(v) {
            return phase;
        }
        self.theories.arith.refresh();
        let t = self.var_terms[v];
        match pool.op(t) {
            Op::Le | Op::Eq if pool.is_arith(pool.sort_of(pool.args(t)[0])) => {
                let arith = &self.theories.arith;
                let [a, b] = [0, 1].map(|k| arith.value(pool, pool.args(t)[k]));
                match (a, b) {
                    (Some(a), Some(b)) if pool.op(t) == Op::Le => a <= b,
                    (Some(a), Some(b)) => a == b,
                    _ => false,
                }
            }
            _ => false,
        }
    }
}
