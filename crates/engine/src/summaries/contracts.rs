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
use super::given;
use crate::core::houdini::{self, Houdini, Obligations};
use crate::prepare::modular::ModularProgram;
use base::{Budget, IndexVec, Stop};
use logic::{Model, Pool, Substitution, TermId, Value, eval};
use program::{FuncId, UserContract};
use smt::{Answer, SmtSolver, Solvers, Unknown};

/// Facts about one function.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    pub guards: Vec<TermId>,
    pub summaries: Vec<TermId>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Guards,
    Summaries,
}

/// What a fact is about: the calls of a function, or its executions.
type Place = (FuncId, Kind);

/// Kept facts and open candidates of all functions, with one solver a body.
pub struct Contracts<'b> {
    entry: FuncId,
    facts: Houdini<Place>,
    runs: Runs<'b>,
}

/// The runs of bodies, with calls known by facts about the callees: what facts are checked on.
struct Runs<'b> {
    bodies: &'b Bodies,
    /// Bodies that may end at a call, for guards.
    prefixes: &'b Bodies,
    solvers: [IndexVec<FuncId, Option<Box<dyn SmtSolver>>>; 2],
    source: Solvers,
}

/// One obligation a function: its runs make calls inside the guards (or: end inside its summaries).
struct Functions<'a, 'b> {
    runs: &'a mut Runs<'b>,
    kind: Kind,
}

impl<'b> Contracts<'b> {
    pub fn new(bodies: &'b Bodies, entry: FuncId) -> Self {
        let n = bodies.bodies.len();
        let runs = Runs {
            bodies,
            prefixes: bodies,
            solvers: [false, true].map(|_| (0..n).map(|_| None).collect()),
            source: Solvers::native(),
        };
        Contracts {
            entry,
            facts: Houdini::default(),
            runs,
        }
    }

    /// Checks guards on these bodies: a call counts as made even if the caller does not go on.
    pub fn with_prefixes(mut self, prefixes: &'b Bodies) -> Self {
        self.runs.prefixes = prefixes;
        self
    }

    /// Has these solvers decide, instead of native ones.
    pub fn using(mut self, solvers: &Solvers) -> Self {
        self.runs.source = solvers.clone();
        self
    }

    /// What is proven of each function.
    pub fn proven(&self) -> IndexVec<FuncId, Facts> {
        let facts = |f: FuncId| Facts {
            guards: self.guards(f).to_vec(),
            summaries: self.summaries(f).to_vec(),
        };
        self.runs.bodies.bodies.ids().map(facts).collect()
    }

    /// The proven guards of a function.
    pub fn guards(&self, f: FuncId) -> &[TermId] {
        self.facts.at((f, Kind::Guards))
    }

    /// The proven summaries of a function.
    pub fn summaries(&self, f: FuncId) -> &[TermId] {
        self.facts.at((f, Kind::Summaries))
    }

    /// Takes over summaries that somebody else proved.
    pub fn assume_summaries(&mut self, f: FuncId, facts: impl IntoIterator<Item = TermId>) {
        self.facts.assume((f, Kind::Summaries), facts);
    }

    /// Offers a guard; the entry function has none, as it may be called with anything.
    pub fn offer_guard(&mut self, pool: &Pool, f: FuncId, fact: TermId) {
        if f != self.entry {
            self.facts.offer(pool, (f, Kind::Guards), fact);
        }
    }

    pub fn offer_summary(&mut self, pool: &Pool, f: FuncId, fact: TermId) {
        self.facts.offer(pool, (f, Kind::Summaries), fact);
    }

    /// Offers what the user says of functions.
    pub fn offer_given(
        &mut self,
        pool: &mut Pool,
        said: &[UserContract],
        prepared: &ModularProgram,
    ) {
        let program = &prepared.flagged.program;
        for f in self.runs.bodies.bodies.ids() {
            let flag = prepared.flag(f).map(|v| program.vars[v].term);
            let facts = given::given(pool, said, program, f, flag);
            for fact in facts.guards {
                self.offer_guard(pool, f, fact);
            }
            for fact in facts.summaries {
                self.offer_summary(pool, f, fact);
            }
        }
    }

    /// Proves what can be proven of the open candidates together with what is proven already.
    pub fn houdini(&mut self, pool: &mut Pool, budget: &Budget) -> Result<(), Stop> {
        // Guards first, from proven summaries only: a wrong summary could claim that a call never
        // returns and so hide a wrong guard, and a wrong guard would hide the summaries it guards.
        for kind in [Kind::Guards, Kind::Summaries] {
            let runs = &mut self.runs;
            let mut functions = Functions { runs, kind };
            self.facts.prove(pool, &mut functions, budget)?;
        }
        Ok(())
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
        let facts = &self.facts;
        let known = |place: Place| facts.at(place).to_vec();
        let outside = self.runs.outside(pool, f, &known, goal, budget)?;
        Ok(outside.is_none())
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
        let known = given(known);
        let found = self.runs.outside(pool, f, &known, goal, budget)?;
        Ok(found.flatten())
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
        let bodies = self.runs.prefixes;
        if bodies.bodies[f].block.is_none() {
            return Ok(None);
        }
        let known = given(known);
        let assumptions = self.runs.assumptions(pool, f, &known, Kind::Guards);
        let (made, mut map) = call_map(bodies, pool, f, &bodies.bodies[f].calls[call]);
        let inside = map.apply(pool, inside);
        let outside = pool.not(inside);
        let goal = pool.and2(made, outside);
        let found = self
            .runs
            .model(pool, f, &assumptions, goal, Kind::Guards, budget)?;
        let Some(model) = found.flatten() else {
            return Ok(None);
        };
        let value = |t: &TermId| {
            let here = map.apply(pool, *t);
            eval(pool, &model, here)
        };
        Ok(Some(terms.iter().map(value).collect()))
    }

    /// Returns of `f` to their constants at the exit of its body.
    pub fn own_map(&self, pool: &mut Pool, f: FuncId) -> Vec<(TermId, TermId)> {
        own_map(self.runs.bodies, pool, f)
    }
}

/// Facts of a table, as bodies ask for them.
fn given(known: &IndexVec<FuncId, Facts>) -> impl Fn(Place) -> Vec<TermId> {
    |(f, kind)| match kind {
        Kind::Guards => known[f].guards.clone(),
        Kind::Summaries => known[f].summaries.clone(),
    }
}

impl Obligations for Functions<'_, '_> {
    type Place = Place;
    type Id = FuncId;

    fn places(&self) -> Vec<Place> {
        let functions = self.runs.bodies.bodies.ids();
        functions.map(|f| (f, self.kind)).collect()
    }

    fn all(&self) -> Vec<FuncId> {
        self.runs.bodies.bodies.ids().collect()
    }

    /// Its own guards and its callees' summaries. Sound without the callees' guards, which are
    /// premises of the summaries: with fewer of them more is known of a call.
    fn assumes(&self, f: FuncId) -> Vec<Place> {
        let calls = self.runs.view(self.kind).bodies[f].calls.iter();
        let callees = calls.map(|call| (call.callee, Kind::Summaries));
        callees.chain([(f, Kind::Guards)]).collect()
    }

    /// Summaries of `f` or guards of its callees that the body of `f` refutes.
    fn refuted(
        &mut self,
        pool: &mut Pool,
        f: FuncId,
        facts: &houdini::Facts<'_, Place>,
        budget: &Budget,
    ) -> Result<Vec<(Place, TermId)>, Stop> {
        if self.runs.view(self.kind).bodies[f].block.is_none() {
            return Ok(Vec::new());
        }
        let mut goals = self.goals(pool, f, facts);
        if goals.is_empty() {
            return Ok(Vec::new());
        }
        let known = |place: Place| facts.assumed(place);
        let assumptions = self.runs.assumptions(pool, f, &known, self.kind);
        let mut refuted = Vec::new();
        while !goals.is_empty() {
            let all: Vec<TermId> = goals.iter().map(|g| g.instance).collect();
            let all = pool.and(&all);
            let negated = pool.not(all);
            let found = self
                .runs
                .model(pool, f, &assumptions, negated, self.kind, budget)?;
            let Some(model) = found else { break };
            let before = goals.len();
            goals.retain(|goal| {
                let holds = model
                    .as_ref()
                    .is_some_and(|m| eval(pool, m, goal.instance) == Value::Bool(true));
                if !holds {
                    refuted.push((goal.place, goal.fact));
                }
                holds
            });
            // A model that shows nothing drops all: the safe side.
            if goals.len() == before {
                refuted.extend(goals.drain(..).map(|g| (g.place, g.fact)));
            }
        }
        Ok(refuted)
    }
}

/// A candidate as a body has to show it.
struct Goal {
    place: Place,
    fact: TermId,
    /// The fact over the values at the exit of the body.
    instance: TermId,
}

impl Functions<'_, '_> {
    fn goals(&self, pool: &mut Pool, f: FuncId, facts: &houdini::Facts<'_, Place>) -> Vec<Goal> {
        let bodies = self.runs.view(self.kind);
        let mut goals = Vec::new();
        if self.kind == Kind::Summaries {
            let place = (f, Kind::Summaries);
            let mut at_exit = Substitution::new(own_map(bodies, pool, f));
            for &fact in facts.goals(place) {
                let instance = at_exit.apply(pool, fact);
                goals.push(Goal {
                    place,
                    fact,
                    instance,
                });
            }
            return goals;
        }
        for call in &bodies.bodies[f].calls {
            let place = (call.callee, Kind::Guards);
            let (made, mut map) = call_map(bodies, pool, f, call);
            for &fact in facts.goals(place) {
                let instance = map.apply(pool, fact);
                let instance = pool.implies(made, instance);
                goals.push(Goal {
                    place,
                    fact,
                    instance,
                });
            }
        }
        goals
    }
}

impl<'b> Runs<'b> {
    /// A run of the body of `f` under the known facts that ends outside `goal`: `None` if there is
    /// none, `Some(None)` if the solver cannot say.
    fn outside(
        &mut self,
        pool: &mut Pool,
        f: FuncId,
        known: &dyn Fn(Place) -> Vec<TermId>,
        goal: TermId,
        budget: &Budget,
    ) -> Result<Option<Option<Model>>, Stop> {
        if self.bodies.bodies[f].block.is_none() {
            return Ok(None);
        }
        let assumptions = self.assumptions(pool, f, known, Kind::Summaries);
        let map = own_map(self.bodies, pool, f);
        let instance = pool.substitute(goal, &map);
        let negated = pool.not(instance);
        self.model(pool, f, &assumptions, negated, Kind::Summaries, budget)
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
        match solver.check(pool, &all, budget) {
            Answer::Unsat => Ok(None),
            Answer::Sat => Ok(Some(Some(solver.model(pool)))),
            Answer::Unknown(Unknown::Budget(stop)) => Err(stop),
            Answer::Unknown(_) => Ok(Some(None)),
        }
    }

    /// The guards of `f` at its entry, and what is known of each call it makes.
    fn assumptions(
        &self,
        pool: &mut Pool,
        f: FuncId,
        known: &dyn Fn(Place) -> Vec<TermId>,
        kind: Kind,
    ) -> Vec<TermId> {
        let bodies = self.view(kind);
        let mut out = known((f, Kind::Guards));
        for call in &bodies.bodies[f].calls {
            let (made, mut map) = call_map(bodies, pool, f, call);
            let guards = known((call.callee, Kind::Guards)).into_iter();
            let guards: Vec<TermId> = guards.map(|g| map.apply(pool, g)).collect();
            let guards = pool.and(&guards);
            let premise = pool.and2(made, guards);
            for s in known((call.callee, Kind::Summaries)) {
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
}

/// Returns of `f` to their constants at the exit of its body.
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
