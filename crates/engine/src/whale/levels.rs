//! What is known of each function: lemmas above, reach facts below.
//!
//! A *lemma* of level k over-approximates the executions of a function whose call depth is at most k
//! (level 0: no calls at all); a lemma that is proven for good has level [`PROVEN`]. The lemmas of level k
//! and above are the function's *frame* k, its guessed summary from the under-approximation of depth
//! k. A *reach fact* under-approximates: each point of it is the input and output of a real execution.
//!
//! One solver a function holds its body. Lemmas and reach facts of the callees stand in it at each
//! call, lemmas behind a constant for their level, reach facts as a disjunction that can be extended. So a
//! query is a few assumptions.

use crate::prepare::modular::ModularProgram;
use crate::summaries::contracts::Facts;
use base::{Budget, FxHashSet, IndexVec, Stop, new_id};
use logic::{Model, Pool, Rational, Substitution, TermId, Value, eval};
use program::FuncId;
use smt::{Answer, SmtSolver, Solvers, Unknown};

/// The level of what holds at every depth.
pub const PROVEN: usize = usize::MAX;

new_id!(
    /// A reach fact: an under-approximation of a function's executions.
    pub ReachFactId, "u");

pub struct Lemma {
    /// Over the callee's parameters at entry and returns at exit.
    pub formula: TermId,
    pub level: usize,
}

pub struct ReachFact {
    pub func: FuncId,
    pub formula: TermId,
    /// The reach fact behind each call of the body, for those that are made.
    pub calls: Vec<Option<ReachFactId>>,
    /// All executions, and then each call may be made or not.
    pub exact: bool,
}

/// A call in a body.
pub struct Call {
    pub callee: FuncId,
    pub made: TermId,
    /// The callee's vocabulary to the ghosts of this call, and back.
    pub there: Substitution,
    pub back: Substitution,
    pub ghosts: FxHashSet<TermId>,
    /// "A reach fact that is not known yet": the open end of their disjunction.
    more: TermId,
}

pub struct State {
    solver: Box<dyn SmtSolver>,
    asserted: Vec<TermId>,
    /// Body and guards.
    pub body: Vec<TermId>,
    pub calls: Vec<Call>,
    pub lemmas: Vec<Lemma>,
    pub reach_facts: Vec<ReachFactId>,
    /// The function's vocabulary to the constants at exit of its body, and back.
    pub exit: Substitution,
    pub entry: Substitution,
    pub interface: FxHashSet<TermId>,
    callers: Vec<(FuncId, usize)>,
    /// Integers that the body mentions, few and small ones first.
    pub numerals: Vec<Rational>,
}

/// What the solver says of a query.
pub enum Run {
    Possible(Model),
    /// With the assumptions that exclude it.
    Impossible(Vec<TermId>),
    Unclear(String),
}

impl State {
    fn assert(&mut self, pool: &mut Pool, t: TermId) {
        self.solver.assert(pool, t);
        self.asserted.push(t);
    }

    fn check(
        &mut self,
        pool: &mut Pool,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<Run, Stop> {
        Ok(match self.solver.check(pool, assumptions, budget) {
            Answer::Sat => Run::Possible(self.solver.model(pool)),
            Answer::Unsat => Run::Impossible(self.solver.core().to_vec()),
            Answer::Unknown(Unknown::Budget(stop)) => return Err(stop),
            Answer::Unknown(Unknown::Incomplete(why)) => Run::Unclear(why.to_string()),
        })
    }
}

pub struct Levels {
    solvers: Solvers,
    pub functions: IndexVec<FuncId, State>,
    pub reach_facts: IndexVec<ReachFactId, ReachFact>,
    levels: Vec<TermId>,
    pub solver_calls: u64,
}

impl Levels {
    /// Levels over the bodies, with nothing known.
    pub fn new(pool: &mut Pool, prepared: &ModularProgram, solvers: &Solvers) -> Self {
        let ids: Vec<FuncId> = prepared.bodies.bodies.ids().collect();
        let functions = ids
            .iter()
            .map(|&f| state(pool, prepared, f, solvers))
            .collect();
        let mut levels = Levels {
            solvers: solvers.clone(),
            functions,
            reach_facts: IndexVec::new(),
            levels: Vec::new(),
            solver_calls: 0,
        };
        for &f in &ids {
            for at in 0..levels.functions[f].calls.len() {
                let callee = levels.functions[f].calls[at].callee;
                levels.functions[callee].callers.push((f, at));
            }
        }
        levels
    }

    /// Takes over guards and summaries that are proven; what was taken over before is passed over.
    pub fn assume(&mut self, pool: &mut Pool, proven: &IndexVec<FuncId, Facts>) {
        for f in self.functions.ids() {
            for &g in &proven[f].guards {
                if self.functions[f].body.contains(&g) {
                    continue;
                }
                self.functions[f].assert(pool, g);
                self.at_calls(pool, f, g, None);
                self.functions[f].body.push(g);
            }
            for &s in &proven[f].summaries {
                let known = &self.functions[f].lemmas;
                if !known.iter().any(|l| l.formula == s && l.level == PROVEN) {
                    self.add_lemma(pool, f, s, PROVEN);
                }
            }
        }
    }

    /// The constant that switches on the lemmas of this level and above.
    fn level(&mut self, pool: &mut Pool, level: usize) -> TermId {
        while self.levels.len() <= level {
            let sort = pool.bool_sort();
            let new = pool.fresh_constant("frame", sort);
            if let Some(&last) = self.levels.last() {
                let step = pool.implies(last, new);
                for state in self.functions.iter_mut() {
                    state.assert(pool, step);
                }
            }
            self.levels.push(new);
        }
        self.levels[level]
    }

    /// Asserts a statement about `f` at each call of it, behind a switch if there is one.
    fn at_calls(&mut self, pool: &mut Pool, f: FuncId, formula: TermId, switch: Option<TermId>) {
        for (caller, at) in self.functions[f].callers.clone() {
            let state = &mut self.functions[caller];
            let call = &mut state.calls[at];
            let here = call.there.apply(pool, formula);
            let mut claim = pool.implies(call.made, here);
            if let Some(switch) = switch {
                claim = pool.implies(switch, claim);
            }
            state.assert(pool, claim);
        }
    }

    pub fn add_lemma(&mut self, pool: &mut Pool, f: FuncId, formula: TermId, level: usize) {
        let switch = (level != PROVEN).then(|| self.level(pool, level));
        self.at_calls(pool, f, formula, switch);
        let lemmas = &mut self.functions[f].lemmas;
        match lemmas.iter_mut().find(|l| l.formula == formula) {
            Some(known) => known.level = known.level.max(level),
            None => lemmas.push(Lemma { formula, level }),
        }
    }

    pub fn add_reach_fact(&mut self, pool: &mut Pool, fact: ReachFact) -> ReachFactId {
        let (f, formula) = (fact.func, fact.formula);
        for (caller, at) in self.functions[f].callers.clone() {
            let state = &mut self.functions[caller];
            let call = &mut state.calls[at];
            let here = call.there.apply(pool, formula);
            let sort = pool.bool_sort();
            let more = pool.fresh_constant("more", sort);
            let either = pool.or2(here, more);
            let claim = pool.implies(call.more, either);
            call.more = more;
            state.assert(pool, claim);
        }
        let id = self.reach_facts.push(fact);
        self.functions[f].reach_facts.push(id);
        id
    }

    /// Assumptions: calls are as the frame below `depth` says; none are made at depth 0.
    pub fn above(&mut self, pool: &mut Pool, f: FuncId, depth: usize) -> Vec<TermId> {
        if depth > 0 {
            return vec![self.level(pool, depth - 1)];
        }
        let made: Vec<TermId> = self.functions[f].calls.iter().map(|c| c.made).collect();
        made.into_iter().map(|m| pool.not(m)).collect()
    }

    /// The assumption that a call, if made, is one of the callee's reach facts.
    pub fn below(&mut self, pool: &mut Pool, f: FuncId, call: usize) -> TermId {
        let more = self.functions[f].calls[call].more;
        pool.not(more)
    }

    /// The statement in the constants at exit of the body.
    pub fn at_exit(&mut self, pool: &mut Pool, f: FuncId, term: TermId) -> TermId {
        self.functions[f].exit.apply(pool, term)
    }

    pub fn check(
        &mut self,
        pool: &mut Pool,
        f: FuncId,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<Run, Stop> {
        budget.check()?;
        self.solver_calls += 1;
        let first = self.functions[f].check(pool, assumptions, budget)?;
        let Run::Unclear(_) = first else {
            return Ok(first);
        };
        // What an earlier check left behind can be in the way: start over with what is asserted.
        let state = &mut self.functions[f];
        state.solver = self.solvers.solver();
        for &t in &state.asserted {
            state.solver.assert(pool, t);
        }
        state.check(pool, assumptions, budget)
    }

    /// The reach fact of the callee that a model satisfies at a call.
    pub fn reach_fact_at(
        &mut self,
        pool: &mut Pool,
        f: FuncId,
        call: usize,
        model: &Model,
    ) -> Option<ReachFactId> {
        let callee = self.functions[f].calls[call].callee;
        let facts = self.functions[callee].reach_facts.clone();
        facts.into_iter().find(|&u| {
            let there = &mut self.functions[f].calls[call].there;
            let here = there.apply(pool, self.reach_facts[u].formula);
            eval(pool, model, here) == Value::Bool(true)
        })
    }

    /// The lemmas of the callee that hold below `depth`, at a call.
    pub fn lemmas_at(
        &mut self,
        pool: &mut Pool,
        f: FuncId,
        call: usize,
        depth: usize,
    ) -> Vec<TermId> {
        let callee = self.functions[f].calls[call].callee;
        let lemmas: Vec<TermId> = self.functions[callee]
            .lemmas
            .iter()
            .filter(|l| l.level == PROVEN || l.level + 1 >= depth)
            .map(|l| l.formula)
            .collect();
        let there = &mut self.functions[f].calls[call].there;
        lemmas.into_iter().map(|t| there.apply(pool, t)).collect()
    }

    /// The lemmas above a level, as summaries.
    pub fn summaries(&self, level: usize) -> IndexVec<FuncId, Vec<TermId>> {
        let above = |s: &State| {
            let lemmas = s.lemmas.iter().filter(|l| l.level > level);
            lemmas.map(|l| l.formula).collect()
        };
        self.functions.iter().map(above).collect()
    }
}

fn state(pool: &mut Pool, prepared: &ModularProgram, f: FuncId, solvers: &Solvers) -> State {
    let bodies = &prepared.bodies;
    let program = &bodies.program;
    let body = match bodies.transition(f) {
        Some(t) => t.formula,
        None => pool.ff(),
    };
    let mut asserted = vec![body];
    let mut calls = Vec::new();
    for site in &bodies.bodies[f].calls {
        let made = bodies.at_exit(pool, f, site.made);
        let callee = &program.functions[site.callee];
        let mut pairs = Vec::new();
        let params = callee.params.iter().zip(&site.args);
        for (&v, &g) in params.chain(callee.returns.iter().zip(&site.results)) {
            pairs.push((program.vars[v].term, bodies.at_exit(pool, f, g)));
        }
        let sort = pool.bool_sort();
        let more = pool.fresh_constant("more", sort);
        asserted.push(pool.implies(made, more));
        calls.push(Call {
            callee: site.callee,
            made,
            ghosts: pairs.iter().map(|p| p.1).collect(),
            back: Substitution::new(pairs.iter().map(|&(v, g)| (g, v))),
            there: Substitution::new(pairs),
            more,
        });
    }
    let mut pairs = Vec::new();
    for &r in &prepared.flagged.program.functions[f].returns {
        pairs.push((program.vars[r].term, bodies.at_exit(pool, f, r)));
    }
    let params = program.functions[f].params.iter();
    let mut interface: FxHashSet<TermId> = params.map(|&p| program.vars[p].term).collect();
    interface.extend(pairs.iter().map(|p| p.1));
    let mut solver = solvers.solver();
    for &t in &asserted {
        solver.assert(pool, t);
    }
    State {
        solver,
        asserted,
        body: vec![body],
        calls,
        lemmas: Vec::new(),
        reach_facts: Vec::new(),
        entry: Substitution::new(pairs.iter().map(|&(v, e)| (e, v))),
        exit: Substitution::new(pairs),
        interface,
        callers: Vec::new(),
        numerals: numerals(pool, body),
    }
}

fn numerals(pool: &Pool, body: TermId) -> Vec<Rational> {
    let mut out: Vec<Rational> = Vec::new();
    for t in pool.post_order(&[body]) {
        if let Some(n) = pool.as_number(t)
            && n.is_integer()
            && !out.contains(n)
        {
            out.push(n.clone());
        }
    }
    out.sort_by_key(Rational::abs);
    out
}
