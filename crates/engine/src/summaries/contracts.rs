//! Contracts of functions, by Houdini: from candidate facts about the inputs of functions (guards)
//! and about their input/output relations (summaries), keep the largest set that supports itself.
//!
//! A *guard* speaks of parameters at entry and must hold at every call; a *summary* speaks of
//! parameters at entry and returns at exit and must hold of every execution that starts inside the
//! guards. Inside a body a call is known only by the callee's kept facts: `guards(args)` implies
//! `summaries(args, results)`. Mutual recursion needs nothing special: what is kept is an inductive
//! set, which is the premise of Hoare's rule for (mutually) recursive procedures.
//!
//! Vocabulary: the term of a parameter is its value at entry, the term of a return its value at
//! exit.

use super::bodies::{Bodies, CallSite};
use base::{Budget, FxHashSet, IndexVec, Stop};
use logic::{Model, Pool, Substitution, TermId, Value, eval};
use program::FuncId;
use smt::{Answer, SmtSolver, Solvers, Unknown};

/// Most unproven candidates of one kind kept for one function; the oldest go first.
const MOST_CANDIDATES: usize = 240;

/// Facts about one function.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    pub guards: Vec<TermId>,
    pub summaries: Vec<TermId>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Guards,
    Summaries,
}

impl Facts {
    fn only(&self, kind: Kind) -> Facts {
        match kind {
            Kind::Guards => Facts {
                guards: self.guards.clone(),
                summaries: Vec::new(),
            },
            Kind::Summaries => Facts {
                guards: Vec::new(),
                summaries: self.summaries.clone(),
            },
        }
    }

    fn merged(&self, other: &Facts) -> Facts {
        let mut out = self.clone();
        out.guards.extend(&other.guards);
        out.summaries.extend(&other.summaries);
        out
    }
}

/// Kept facts and open candidates of all functions, with one solver a body.
pub struct Contracts<'b> {
    bodies: &'b Bodies,
    /// Bodies that may end at a call, for guards.
    prefixes: &'b Bodies,
    entry: FuncId,
    pub proven: IndexVec<FuncId, Facts>,
    open: IndexVec<FuncId, Facts>,
    seen: FxHashSet<(FuncId, bool, TermId)>,
    solvers: [IndexVec<FuncId, Option<Box<dyn SmtSolver>>>; 2],
    source: Solvers,
    pub solver_calls: u64,
}

impl<'b> Contracts<'b> {
    pub fn new(bodies: &'b Bodies, entry: FuncId) -> Self {
        let n = bodies.bodies.len();
        Contracts {
            bodies,
            prefixes: bodies,
            entry,
            proven: IndexVec::filled(Facts::default(), n),
            open: IndexVec::filled(Facts::default(), n),
            seen: FxHashSet::default(),
            solvers: [false, true].map(|_| (0..n).map(|_| None).collect()),
            source: Solvers::native(),
            solver_calls: 0,
        }
    }

    /// Checks guards on these bodies: a call counts as made even if the caller does not go on.
    pub fn with_prefixes(mut self, prefixes: &'b Bodies) -> Self {
        self.prefixes = prefixes;
        self
    }

    /// Has these solvers decide, instead of native ones.
    pub fn using(mut self, solvers: &Solvers) -> Self {
        self.source = solvers.clone();
        self
    }

    /// Offers a guard; the entry function has none, as it may be called with anything.
    pub fn offer_guard(&mut self, pool: &Pool, f: FuncId, fact: TermId) {
        if f != self.entry && self.is_new(pool, f, true, fact) {
            self.open[f].guards.push(fact);
        }
    }

    pub fn offer_summary(&mut self, pool: &Pool, f: FuncId, fact: TermId) {
        if self.is_new(pool, f, false, fact) {
            self.open[f].summaries.push(fact);
        }
    }

    fn is_new(&mut self, pool: &Pool, f: FuncId, guard: bool, fact: TermId) -> bool {
        fact != pool.tt() && fact != pool.ff() && self.seen.insert((f, guard, fact))
    }

    /// Proves what can be proven of the open candidates together with what is proven already.
    pub fn houdini(&mut self, pool: &mut Pool, budget: &Budget) -> Result<(), Stop> {
        for facts in self.open.iter_mut() {
            for list in [&mut facts.guards, &mut facts.summaries] {
                let surplus = list.len().saturating_sub(MOST_CANDIDATES);
                list.drain(..surplus);
            }
        }
        // Guards first, from proven summaries only: a wrong summary could claim that a call never
        // returns and so hide a wrong guard, and a wrong guard would hide the summaries it guards.
        for kind in [Kind::Guards, Kind::Summaries] {
            let mut kept: IndexVec<FuncId, Facts> =
                self.open.iter().map(|facts| facts.only(kind)).collect();
            self.settle(pool, &mut kept, kind, budget)?;
            for f in self.open.ids() {
                let now = &kept[f];
                self.open[f].guards.retain(|t| !now.guards.contains(t));
                self.open[f]
                    .summaries
                    .retain(|t| !now.summaries.contains(t));
                self.proven[f].guards.extend(&now.guards);
                self.proven[f].summaries.extend(&now.summaries);
            }
        }
        Ok(())
    }

    /// Drops candidates until the rest supports itself.
    fn settle(
        &mut self,
        pool: &mut Pool,
        kept: &mut IndexVec<FuncId, Facts>,
        kind: Kind,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let mut dirty: IndexVec<FuncId, bool> = IndexVec::filled(true, kept.len());
        while let Some(f) = dirty.ids().find(|&f| dirty[f]) {
            dirty[f] = false;
            let dropped = self.drop_failing(pool, f, kept, kind, budget)?;
            for g in dropped {
                // Whoever relied on the lost facts must be looked at again: the function itself
                // and its callers.
                dirty[g] = true;
                for caller in self.bodies.bodies.ids() {
                    if self.bodies.bodies[caller]
                        .calls
                        .iter()
                        .any(|c| c.callee == g)
                    {
                        dirty[caller] = true;
                    }
                }
            }
        }
        Ok(())
    }

    /// Drops the candidates that the body of `f` refutes: summaries of `f`, guards of its callees.
    /// Returns the functions that lost facts.
    fn drop_failing(
        &mut self,
        pool: &mut Pool,
        f: FuncId,
        kept: &mut IndexVec<FuncId, Facts>,
        kind: Kind,
        budget: &Budget,
    ) -> Result<Vec<FuncId>, Stop> {
        let bodies = self.view(kind);
        if bodies.bodies[f].block.is_none() {
            return Ok(Vec::new());
        }
        let known: IndexVec<FuncId, Facts> = kept
            .ids()
            .map(|g| self.proven[g].merged(&kept[g]))
            .collect();
        let assumptions = self.assumptions(pool, f, &known, kind);
        // Goals: (function, is a guard, fact, its instance at the exit of f's body).
        let mut goals: Vec<(FuncId, bool, TermId, TermId)> = Vec::new();
        let exit = own_map(bodies, pool, f);
        let mut at_exit = Substitution::new(exit);
        for &s in &kept[f].summaries {
            let instance = at_exit.apply(pool, s);
            goals.push((f, false, s, instance));
        }
        for call in &bodies.bodies[f].calls {
            let (made, mut map) = call_map(bodies, pool, f, call);
            for &g in &kept[call.callee].guards {
                let instance = map.apply(pool, g);
                let goal = pool.implies(made, instance);
                goals.push((call.callee, true, g, goal));
            }
        }
        let mut lost: Vec<FuncId> = Vec::new();
        while !goals.is_empty() {
            let all: Vec<TermId> = goals.iter().map(|g| g.3).collect();
            let all = pool.and(&all);
            let negated = pool.not(all);
            let Some(model) = self.model(pool, f, &assumptions, negated, kind, budget)? else {
                break;
            };
            let before = goals.len();
            let mut failed = Vec::new();
            goals.retain(|goal| {
                let holds = model
                    .as_ref()
                    .is_some_and(|m| eval(pool, m, goal.3) == Value::Bool(true));
                if !holds {
                    failed.push(*goal);
                }
                holds
            });
            // A model that shows nothing drops all: the safe side.
            if goals.len() == before {
                failed.append(&mut goals);
            }
            for (g, guard, fact, _) in failed {
                let list = if guard {
                    &mut kept[g].guards
                } else {
                    &mut kept[g].summaries
                };
                list.retain(|&t| t != fact);
                lost.push(g);
            }
        }
        lost.sort_unstable();
        lost.dedup();
        Ok(lost)
    }

    /// A run of the body inside the assumptions that satisfies `goal`: `None` if there is none,
    /// `Some(None)` if the solver cannot say.
    fn model(
        &mut self,
        pool: &mut Pool,
        f: FuncId,
        assumptions: &[TermId],
        goal: TermId,
        kind: Kind,
        budget: &Budget,
    ) -> Result<Option<Option<Model>>, Stop> {
        let formula = self
            .view(kind)
            .transition(f)
            .expect("checked by the caller")
            .formula;
        let solver = self.solvers[kind as usize][f].get_or_insert_with(|| {
            let mut s = self.source.solver();
            s.assert(pool, formula);
            s
        });
        let mut all = assumptions.to_vec();
        all.push(goal);
        self.solver_calls += 1;
        match solver.check(pool, &all, budget) {
            Answer::Unsat => Ok(None),
            Answer::Sat => Ok(Some(Some(solver.model(pool)))),
            Answer::Unknown(Unknown::Budget(stop)) => Err(stop),
            Answer::Unknown(_) => Ok(Some(None)),
        }
    }

    /// Does the body of `f`, with callees known by their proven facts only, imply `goal` (over
    /// parameters at entry and returns at exit)?
    pub fn implies(
        &mut self,
        pool: &mut Pool,
        f: FuncId,
        goal: TermId,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        if self.bodies.bodies[f].block.is_none() {
            return Ok(true);
        }
        let known = self.proven.clone();
        let assumptions = self.assumptions(pool, f, &known, Kind::Summaries);
        let map = self.own_map(pool, f);
        let instance = pool.substitute(goal, &map);
        let negated = pool.not(instance);
        Ok(self
            .model(pool, f, &assumptions, negated, Kind::Summaries, budget)?
            .is_none())
    }

    /// A run of the body of `f` under the given facts that leaves `goal`, for symbolic abstraction.
    pub fn run_outside(
        &mut self,
        pool: &mut Pool,
        f: FuncId,
        known: &IndexVec<FuncId, Facts>,
        goal: TermId,
        budget: &Budget,
    ) -> Result<Option<Model>, Stop> {
        if self.bodies.bodies[f].block.is_none() {
            return Ok(None);
        }
        let assumptions = self.assumptions(pool, f, known, Kind::Summaries);
        let map = self.own_map(pool, f);
        let instance = pool.substitute(goal, &map);
        let negated = pool.not(instance);
        Ok(self
            .model(pool, f, &assumptions, negated, Kind::Summaries, budget)?
            .flatten())
    }

    /// The values of `terms` (over the callee's parameters) at a call that the body of `f` makes
    /// under the given facts outside `inside`, for symbolic abstraction.
    #[allow(clippy::too_many_arguments)]
    pub fn call_outside(
        &mut self,
        pool: &mut Pool,
        f: FuncId,
        call: usize,
        known: &IndexVec<FuncId, Facts>,
        inside: TermId,
        terms: &[TermId],
        budget: &Budget,
    ) -> Result<Option<Vec<Value>>, Stop> {
        let bodies = self.prefixes;
        if bodies.bodies[f].block.is_none() {
            return Ok(None);
        }
        let assumptions = self.assumptions(pool, f, known, Kind::Guards);
        let (made, mut map) = call_map(bodies, pool, f, &bodies.bodies[f].calls[call]);
        let inside = map.apply(pool, inside);
        let outside = pool.not(inside);
        let goal = pool.and2(made, outside);
        let found = self.model(pool, f, &assumptions, goal, Kind::Guards, budget)?;
        let Some(model) = found.flatten() else {
            return Ok(None);
        };
        let value = |t: &TermId| {
            let here = map.apply(pool, *t);
            eval(pool, &model, here)
        };
        Ok(Some(terms.iter().map(value).collect()))
    }

    /// The guards of `f` at its entry, and what is known of each call it makes.
    fn assumptions(
        &mut self,
        pool: &mut Pool,
        f: FuncId,
        known: &IndexVec<FuncId, Facts>,
        kind: Kind,
    ) -> Vec<TermId> {
        let bodies = self.view(kind);
        let mut out = known[f].guards.clone();
        for call in &bodies.bodies[f].calls {
            let facts = &known[call.callee];
            let (made, mut map) = call_map(bodies, pool, f, call);
            let guards: Vec<TermId> = facts.guards.iter().map(|&g| map.apply(pool, g)).collect();
            let guards = pool.and(&guards);
            let premise = pool.and2(made, guards);
            for &s in &facts.summaries {
                let s = map.apply(pool, s);
                out.push(pool.implies(premise, s));
            }
        }
        out
    }

    fn view(&self, kind: Kind) -> &'b Bodies {
        match kind {
            Kind::Guards => self.prefixes,
            Kind::Summaries => self.bodies,
        }
    }

    /// Returns of `f` to their constants at the exit of its body.
    pub fn own_map(&self, pool: &mut Pool, f: FuncId) -> Vec<(TermId, TermId)> {
        own_map(self.bodies, pool, f)
    }
}

fn own_map(bodies: &Bodies, pool: &mut Pool, f: FuncId) -> Vec<(TermId, TermId)> {
    let returns = &bodies.program.functions[f].returns;
    returns
        .iter()
        .map(|&r| (bodies.program.vars[r].term, bodies.at_exit(pool, f, r)))
        .collect()
}

/// The flag that the call was made, and the callee's vocabulary in terms of the call's ghosts.
fn call_map(
    bodies: &Bodies,
    pool: &mut Pool,
    f: FuncId,
    call: &CallSite,
) -> (TermId, Substitution) {
    let made = bodies.at_exit(pool, f, call.made);
    let callee = &bodies.program.functions[call.callee];
    let params = callee.params.iter().zip(&call.args);
    let pairs: Vec<(TermId, TermId)> = params
        .chain(callee.returns.iter().zip(&call.results))
        .map(|(&v, &g)| (bodies.program.vars[v].term, bodies.at_exit(pool, f, g)))
        .collect();
    (made, Substitution::new(pairs))
}
