//! Runs from states that the solver chose: errors behind conditions on the inputs that no guess meets.
//!
//! Idea: many programs read their inputs, ask that these are proper (`id1 != id2 && send1 == id1 && …`) and
//! are determined from there on. A model of the first block, up to a loop, gives proper inputs; the
//! interpreter runs on with them, guessing what comes later. Further models are pushed away from the last one
//! in a few random directions.

use crate::api::Task;
use crate::core::path::{Ssa, Versions, concrete_steps, transition};
use crate::prepare::Prepared;
use crate::presolve::random_runs::{Guesser, constants};
use base::Budget;
use base::Random;
use evidence::{Counterexample, Step};
use logic::{Model, Pool, Rational, TermId, eval};
use program::interp::{Interpreter, Limits, Oracle, Outcome};
use program::{BlockId, EdgeId, LocId, VarId};
use smt::{Answer, SmtSolver};
use std::collections::VecDeque;

/// Runs from models of the blocks out of the entry.
pub fn runs(
    task: &mut Task<'_>,
    prepared: &Prepared,
    versions: &mut Versions,
) -> Option<Counterexample> {
    let slice = task.options.limits.runs.model_work.of(task.budget);
    let blocks = prepared.graph.out[prepared.entry()].clone();
    let first = blocks.into_iter().filter(|&b| !prepared.is_error_block(b));
    for block in first {
        let found = from_block(task, prepared, versions, block, &slice);
        if found.is_some() || slice.check().is_err() {
            return found;
        }
    }
    None
}

fn from_block(
    task: &mut Task<'_>,
    prepared: &Prepared,
    versions: &mut Versions,
    block: BlockId,
    budget: &Budget,
) -> Option<Counterexample> {
    let limits = &task.options.limits.runs;
    let t = transition(&prepared.graph, block);
    let formula = Ssa::default().step(task.pool, &prepared.program, versions, block, t);
    let int = task.pool.int_sort();
    let mut inputs: Vec<TermId> = t.havocs.iter().map(|site| site.symbol).collect();
    inputs.retain(|&s| task.pool.sort_of(s) == int);
    let pool = &mut *task.pool;
    let inputs: Vec<TermId> = inputs
        .into_iter()
        .map(|s| versions.constant(pool, s, 0))
        .collect();
    let mut solver = prepared.solvers.solver();
    solver.assert(task.pool, formula);
    let constants = constants(task.pool, task.program);
    let mut random = Random::new(1);
    let mut last: Option<Model> = None;
    for seed in 0..limits.models {
        let away = match &last {
            Some(last) => away(task.pool, &inputs, last, &mut random, limits.directions)?,
            None => Vec::new(),
        };
        let model = next(task.pool, &mut *solver, away, budget)?;
        let execution = concrete_steps(
            task.pool,
            &prepared.program,
            &prepared.graph,
            versions,
            &[block],
            &model,
        );
        last = Some(model);
        let start = prepared.original(execution?);
        let mut interpreter = Interpreter::new(task.pool, task.program);
        for run in 0..limits.runs_a_model {
            if budget.check().is_err() {
                return None;
            }
            let given = start.steps.iter().filter(|s| !s.havocs.is_empty());
            let mut oracle = Seeded {
                guesser: Guesser::new(
                    task.pool,
                    task.program,
                    &constants,
                    limits.runs_a_model * seed + run,
                    limits,
                    task.budget,
                ),
                given: given.map(|s| (s.edge, s.havocs.clone())).collect(),
            };
            let run_limits = Limits {
                steps: limits.steps_a_model,
                cells: limits.cells,
                trace: false,
            };
            let result = interpreter.run(&mut oracle, &run_limits);
            if matches!(result.outcome, Outcome::ReachedError(_)) && !oracle.guesser.chose {
                let answers = oracle.guesser.answers.into_iter();
                let step = |(edge, havocs)| Step { edge, havocs };
                return Some(Counterexample {
                    initial: start.initial,
                    steps: answers.map(step).collect(),
                });
            }
        }
    }
    None
}

/// Conditions that keep a model away from the last one, in a few random inputs.
fn away(
    pool: &mut Pool,
    inputs: &[TermId],
    last: &Model,
    random: &mut Random,
    directions: usize,
) -> Option<Vec<TermId>> {
    let mut away = Vec::new();
    for _ in 0..directions {
        if inputs.is_empty() {
            break;
        }
        let input = random.pick(inputs);
        let value = eval(pool, last, input).as_num().cloned()?;
        let step = Rational::from(1 + random.below(20) as i64);
        let int = pool.int_sort();
        away.push(match random.below(2) {
            0 => {
                let bound = pool.num(&value + &step, int);
                pool.le(bound, input)
            }
            _ => {
                let bound = pool.num(&value - &step, int);
                pool.le(input, bound)
            }
        });
    }
    Some(away)
}

/// A model with as many of the conditions as are possible.
fn next(
    pool: &mut Pool,
    solver: &mut dyn SmtSolver,
    mut away: Vec<TermId>,
    budget: &Budget,
) -> Option<Model> {
    loop {
        match solver.check(pool, &away, budget) {
            Answer::Sat => return Some(solver.model(pool)),
            Answer::Unsat if !away.is_empty() => {
                away.pop();
            }
            _ => return None,
        }
    }
}

/// Answers with the inputs of a model as long as the run asks for them, then by guesses.
struct Seeded<'a> {
    guesser: Guesser<'a>,
    given: VecDeque<(EdgeId, Vec<logic::Value>)>,
}

impl Oracle for Seeded<'_> {
    fn may_go_on(&mut self, instructions: u64) -> bool {
        self.guesser.may_go_on(instructions)
    }

    fn havoc(&mut self, edge: EdgeId, vars: &[VarId]) -> Option<Vec<logic::Value>> {
        let mine = self.given.front().is_some_and(|(e, _)| *e == edge);
        if let Some((_, values)) = mine.then(|| self.given.pop_front()).flatten()
            && values.len() == vars.len()
        {
            self.guesser.answers.push_back((edge, values.clone()));
            return Some(values);
        }
        self.guesser.havoc(edge, vars)
    }

    fn choose(&mut self, at: LocId, enabled: &[EdgeId]) -> Option<usize> {
        self.guesser.choose(at, enabled)
    }
}
