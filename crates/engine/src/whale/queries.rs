//! Bounded queries: can a function, with call depth at most k, make an execution inside a cube?
//!
//! A query is answered from what is known of the callees: yes if their reach facts suffice (a new one),
//! no if their lemmas exclude it (a new lemma). In between, one call is asked about: calls before it
//! stand for reach facts, calls after it for lemmas, and the query to its callee is the model-based
//! projection onto that call. Its answer is a new reach fact or lemma, so the caller's query changes.

use super::Search;
use super::levels::{ReachFact, ReachFactId, Run};
use base::Stop;
use logic::{Model, Op, Pool, TermId};
use program::FuncId;
use smt::project::project;

/// An execution of `func` inside all literals of `cube`, at call depth at most `depth`?
#[derive(Clone, Debug)]
pub(super) struct Query {
    pub func: FuncId,
    /// Literals over parameters at entry and returns at exit.
    pub cube: Vec<TermId>,
    pub depth: usize,
}

/// The answer to the first query.
pub(super) enum Reply {
    /// An execution, as the reach fact says.
    Yes(ReachFactId),
    No,
    Unclear(String),
}

/// What one look at a query gives.
enum QueryStep {
    Reached(ReachFactId),
    /// These literals of the cube are excluded.
    Blocked(Vec<TermId>),
    Ask(Query),
    Unclear(String),
}

impl Search<'_, '_> {
    /// Answers a query, depth first.
    pub(super) fn answer(&mut self, first: Query) -> Result<Reply, Stop> {
        let mut open = vec![first];
        loop {
            let query = open
                .last()
                .expect("the loop ends with the last query")
                .clone();
            self.known.queries += 1;
            match self.step(&query)? {
                QueryStep::Ask(next) => {
                    open.push(next);
                    continue;
                }
                QueryStep::Unclear(why) => return Ok(Reply::Unclear(why)),
                QueryStep::Blocked(core) => {
                    self.learn(query.func, core, query.depth)?;
                    open.pop();
                    if open.is_empty() {
                        return Ok(Reply::No);
                    }
                }
                QueryStep::Reached(fact) => {
                    open.pop();
                    if open.is_empty() {
                        return Ok(Reply::Yes(fact));
                    }
                }
            }
        }
    }

    fn step(&mut self, query: &Query) -> Result<QueryStep, Stop> {
        let (f, depth) = (query.func, query.depth);
        let budget = &self.budget.clone();
        let pool = &mut *self.task.pool;
        let levels = &mut *self.levels;
        let calls = levels.functions[f].calls.len();
        let cube: Vec<TermId> = query
            .cube
            .iter()
            .map(|&t| levels.at_exit(pool, f, t))
            .collect();
        let mut assumptions: Vec<TermId> = (0..calls).map(|c| levels.below(pool, f, c)).collect();
        assumptions.extend(&cube);
        if let Run::Possible(model) = levels.check(pool, f, &assumptions, budget)? {
            return Ok(match self.reached(f, &model) {
                Some(fact) => QueryStep::Reached(fact),
                None => QueryStep::Unclear("an execution cannot be projected".into()),
            });
        }
        let mut assumptions = levels.above(pool, f, depth);
        let known = assumptions.len();
        assumptions.extend(&cube);
        let mut model = match levels.check(pool, f, &assumptions, budget)? {
            Run::Possible(model) => model,
            Run::Unclear(why) => return Ok(QueryStep::Unclear(why)),
            Run::Impossible(core) => {
                let excluded = query.cube.iter().zip(&assumptions[known..]);
                let core = excluded.filter(|(_, t)| core.contains(t)).map(|(&q, _)| q);
                return Ok(QueryStep::Blocked(core.collect()));
            }
        };
        // As many calls as possible from reach facts; the first that cannot be is asked about.
        for call in 0..calls {
            let made = levels.functions[f].calls[call].made;
            let is_made = logic::eval(pool, &model, made) == logic::Value::Bool(true);
            assumptions.push(levels.below(pool, f, call));
            if !is_made || levels.reach_fact_at(pool, f, call, &model).is_some() {
                continue;
            }
            match levels.check(pool, f, &assumptions, budget)? {
                Run::Possible(next) => model = next,
                _ => {
                    return Ok(match self.ask(query, &cube, call, &model) {
                        Some(next) => QueryStep::Ask(next),
                        None => QueryStep::Unclear("a call cannot be projected".into()),
                    });
                }
            }
        }
        Ok(QueryStep::Unclear(
            "reach facts fit one by one but not together".into(),
        ))
    }

    /// The reach fact that a model shows: body, and reach facts of the calls it makes.
    fn reached(&mut self, f: FuncId, model: &Model) -> Option<ReachFactId> {
        let pool = &mut *self.task.pool;
        let mut roots = vec![self.levels.functions[f].body[0]];
        let mut calls = Vec::new();
        for call in 0..self.levels.functions[f].calls.len() {
            let made = self.levels.functions[f].calls[call].made;
            if logic::eval(pool, model, made) != logic::Value::Bool(true) {
                calls.push(None);
                roots.push(pool.not(made));
                continue;
            }
            let fact = self.levels.reach_fact_at(pool, f, call, model)?;
            let formula = self.levels.reach_facts[fact].formula;
            let there = &mut self.levels.functions[f].calls[call].there;
            roots.push(there.apply(pool, formula));
            roots.push(made);
            calls.push(Some(fact));
        }
        let state = &mut self.levels.functions[f];
        let cube = project(pool, model, &roots, &state.interface)?;
        let formula = pool.and(&cube);
        let formula = state.entry.apply(pool, formula);
        let fact = ReachFact {
            func: f,
            formula,
            calls,
            exact: false,
        };
        Some(self.levels.add_reach_fact(pool, fact))
    }

    /// The query to the callee of a call, from a model in which the calls before it are reach facts.
    fn ask(&mut self, query: &Query, cube: &[TermId], call: usize, model: &Model) -> Option<Query> {
        let f = query.func;
        let pool = &mut *self.task.pool;
        let levels = &mut *self.levels;
        let mut roots = levels.functions[f].body.clone();
        roots.extend(cube);
        for other in 0..levels.functions[f].calls.len() {
            let made = levels.functions[f].calls[other].made;
            if other == call || logic::eval(pool, model, made) != logic::Value::Bool(true) {
                continue;
            }
            let fact = match other < call {
                true => levels.reach_fact_at(pool, f, other, model),
                false => None,
            };
            match fact {
                Some(fact) => {
                    let formula = levels.reach_facts[fact].formula;
                    let there = &mut levels.functions[f].calls[other].there;
                    roots.push(there.apply(pool, formula));
                }
                None => {
                    let lemmas = levels.lemmas_at(pool, f, other, query.depth);
                    roots.extend(lemmas);
                }
            }
        }
        let site = &mut levels.functions[f].calls[call];
        let cube = project(pool, model, &roots, &site.ghosts)?;
        let mut literals = Vec::new();
        for t in cube {
            let t = site.back.apply(pool, t);
            literals.extend(halves(pool, t));
        }
        literals.sort_unstable();
        literals.dedup();
        Some(Query {
            func: site.callee,
            cube: literals,
            depth: query.depth - 1,
        })
    }
}

/// An equation as two inequalities: a core often needs only one of them.
pub(super) fn halves(pool: &mut Pool, literal: TermId) -> Vec<TermId> {
    if pool.op(literal) == Op::Eq {
        let [a, b] = *pool.args(literal) else {
            unreachable!("an equality has two sides")
        };
        if pool.is_arith(pool.sort_of(a)) {
            return vec![pool.le(a, b), pool.le(b, a)];
        }
    }
    vec![literal]
}
