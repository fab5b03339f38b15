//! From a reach fact to an execution: the justification tree, expanded with values.
//!
//! A reach fact says which others its calls rest on. Each of its points therefore extends to a run of the body
//! whose calls lie in those; the solver finds the values, and then the calls are expanded in
//! the same way. Runs are remembered by reach fact and values: a call tree often has few different ones.

use super::Search;
use super::levels::{ReachFactId, Run};
use base::{FxHashMap, Stop};
use evidence::Step;
use logic::{Model, TermId, Value, eval};
use program::{Execution, FuncId, VarId};
use smt::project::value_term;
use std::rc::Rc;

/// One run of a body: its steps, and the runs of its calls in between.
struct Piece {
    /// The values of the parameters.
    inputs: Vec<(VarId, Value)>,
    steps: Vec<Part>,
}

enum Part {
    Step(Step),
    Call(ReachFactId, Vec<(TermId, Value)>),
}

type Key = (ReachFactId, Vec<(TermId, Value)>);

impl Search<'_, '_> {
    /// An execution that the reach fact stands for, as steps of the ghost program with calls in place.
    pub(super) fn execution(&mut self, fact: ReachFactId) -> Result<Option<Execution>, Stop> {
        let mut known: FxHashMap<Key, Rc<Piece>> = FxHashMap::default();
        let mut out = Vec::new();
        let Some(first) = self.piece(&mut known, (fact, Vec::new()))? else {
            return Ok(None);
        };
        let initial = first.inputs.clone();
        let mut open: Vec<(Rc<Piece>, usize)> = vec![(first, 0)];
        while let Some((piece, at)) = open.pop() {
            let Some(part) = piece.steps.get(at) else {
                continue;
            };
            if out.len() >= self.task.options.limits.execution_steps {
                return Ok(None);
            }
            open.push((Rc::clone(&piece), at + 1));
            match part {
                Part::Step(step) => out.push(step.clone()),
                Part::Call(fact, values) => {
                    let Some(next) = self.piece(&mut known, (*fact, values.clone()))? else {
                        return Ok(None);
                    };
                    open.push((next, 0));
                }
            }
        }
        let steps = out;
        Ok(Some(Execution { initial, steps }))
    }

    /// A run of the fact's function with these values at its interface (its own vocabulary).
    fn piece(
        &mut self,
        known: &mut FxHashMap<Key, Rc<Piece>>,
        key: Key,
    ) -> Result<Option<Rc<Piece>>, Stop> {
        if let Some(piece) = known.get(&key) {
            return Ok(Some(Rc::clone(piece)));
        }
        let budget = &self.budget.clone();
        let (fact, values) = &key;
        let f = self.levels.reach_facts[*fact].func;
        let mut assumptions = Vec::new();
        let formula = self.levels.reach_facts[*fact].formula;
        assumptions.push(self.levels.at_exit(self.task.pool, f, formula));
        for (t, v) in values {
            let pool = &mut *self.task.pool;
            let sort = pool.sort_of(*t);
            let Some(v) = value_term(pool, v, sort) else {
                continue;
            };
            let exit = self.levels.at_exit(pool, f, *t);
            assumptions.push(pool.eq(exit, v));
        }
        let calls = self.levels.reach_facts[*fact].calls.clone();
        let exact = self.levels.reach_facts[*fact].exact;
        for (at, child) in calls.iter().enumerate() {
            let pool = &mut *self.task.pool;
            let child_formula = child.map(|c| self.levels.reach_facts[c].formula);
            let call = &mut self.levels.functions[f].calls[at];
            match child_formula {
                None => assumptions.push(pool.not(call.made)),
                Some(formula) => {
                    let there = call.there.apply(pool, formula);
                    if exact {
                        assumptions.push(pool.implies(call.made, there));
                    } else {
                        assumptions.push(call.made);
                        assumptions.push(there);
                    }
                }
            }
        }
        let Run::Possible(model) = self.levels.check(self.task.pool, f, &assumptions, budget)?
        else {
            return Ok(None);
        };
        let Some(steps) = self.parts(f, &calls, &model) else {
            return Ok(None);
        };
        let program = &self.prepared.bodies.program;
        let params = program.functions[f].params.iter();
        let inputs = params.map(|&p| (p, eval(self.task.pool, &model, program.vars[p].term)));
        let inputs = inputs.collect();
        let piece = Rc::new(Piece { inputs, steps });
        known.insert(key, Rc::clone(&piece));
        Ok(Some(piece))
    }

    /// The steps of a body in a model, with its calls as they follow from it.
    fn parts(
        &mut self,
        f: FuncId,
        children: &[Option<ReachFactId>],
        model: &Model,
    ) -> Option<Vec<Part>> {
        let pool = &mut *self.task.pool;
        let bodies = &self.prepared.bodies;
        let block = bodies.bodies[f].block?;
        let t = bodies.transition(f)?;
        let lookup = |c: TermId| eval(pool, model, c);
        let path = bodies.graph.blocks[block].concrete_path(pool, &bodies.program, t, &lookup)?;
        let mut out = Vec::new();
        for (edge, havocs) in path {
            let origin = bodies.back.edge(edge);
            let call = bodies.bodies[f]
                .calls
                .iter()
                .position(|c| Some(c.edge) == origin);
            out.push(Part::Step(Step { edge, havocs }));
            let Some(call) = call else { continue };
            let child = children[call]?;
            let site = &bodies.bodies[f].calls[call];
            let callee = &bodies.program.functions[site.callee];
            let params = callee.params.iter().zip(&site.args);
            let mut values = Vec::new();
            for (&v, &g) in params.chain(callee.returns.iter().zip(&site.results)) {
                let ghost = bodies.at_exit(pool, f, g);
                values.push((bodies.program.vars[v].term, eval(pool, model, ghost)));
            }
            out.push(Part::Call(child, values));
        }
        Some(out)
    }
}
