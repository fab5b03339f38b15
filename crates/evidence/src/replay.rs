//! Replay of a counterexample on the original program, in the exact interpreter.
//!
//! The engine's steps are hints, not truth: at the k-th visit of a location the k-th edge that the
//! counterexample takes there is tried, at the k-th execution of a havoc its k-th values are used.
//! For a complete path this follows it exactly; where a pass had removed statements that do not
//! matter, the interpreter fills the gaps by itself. Only what the interpreter then does counts.
//!
//! Values that only approximate something not modelled are then followed through the execution: one
//! that reaches the error whatever they are is real, one that branches on them may not be.

use crate::flow::possible_dependence;
use crate::taint::first_dependence;
use crate::{Counterexample, Reason};
use base::{Budget, FxHashMap};
use logic::{Pool, Sort, SortId, Value};
use program::interp::{Interpreter, Limits, Oracle, Outcome, Taken};
use program::{EdgeId, InputKind, LocId, Program, Property, Stmt, VarId};
use std::collections::VecDeque;

/// Steps beyond which a replay gives up.
const STEP_LIMIT: u64 = 50_000_000;
/// Steps beyond which the execution is not kept, only its inputs.
const TRACE_LIMIT: u64 = 2_000_000;

/// An execution as it happened in the interpreter.
#[derive(Clone, Debug)]
pub struct Trace {
    /// All edges taken; empty if there were too many to keep.
    pub steps: Vec<Taken>,
    /// How many edges were taken.
    pub step_count: u64,
    /// The error location reached.
    pub error: LocId,
    /// The property that it violates.
    pub property: Property,
    /// The values that havoc statements chose, in order.
    pub inputs: Vec<Chosen>,
}

/// A value that a havoc chose.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The havoc.
    pub edge: EdgeId,
    /// The variable that got the value.
    pub var: VarId,
    /// The value.
    pub value: Value,
}

/// The part of the time left that a replay may take is one over this.
const SHARE: u32 = 4;

/// Runs the program along the counterexample. The error is why it does not reach an error.
pub(crate) fn replay(
    pool: &mut Pool,
    program: &Program,
    counterexample: &Counterexample,
    budget: &Budget,
) -> Result<Trace, Reason> {
    budget.check().map_err(Reason::OutOfBudget)?;
    // An execution of a slice may be none of the program, which then runs on: time is left for others.
    let slice = match budget.remaining() {
        Some(left) => budget.clone().with_time(left / SHARE),
        None => budget.clone(),
    };
    let mut interpreter = Interpreter::new(pool, program);
    let mut hints = Hints::new(pool, program, counterexample, &slice);
    let mut limits = Limits {
        steps: STEP_LIMIT,
        ..Limits::default()
    };
    let mut run = interpreter.run(&mut hints, &limits);
    let Outcome::ReachedError(error) = run.outcome else {
        budget.check().map_err(Reason::OutOfBudget)?;
        return Err(rejection(program, run.outcome));
    };
    let mut inputs = hints.chosen;
    if run.steps <= TRACE_LIMIT {
        limits.trace = true;
        let mut again = Hints::new(pool, program, counterexample, &slice);
        run = interpreter.run(&mut again, &limits);
        inputs = again.chosen;
        if run.outcome != Outcome::ReachedError(error) {
            budget.check().map_err(Reason::OutOfBudget)?;
            return Err(rejection(program, run.outcome));
        }
    }
    let arithmetic = |p| {
        matches!(
            p,
            Property::NoOverflow | Property::NoDivByZero | Property::NoShift
        )
    };
    let overflow = matches!(&program.locations[error].error, Some(t) if arithmetic(t.property));
    let property = match &program.locations[error].error {
        Some(tag) => tag.property,
        None => return Err(rejection(program, run.outcome)),
    };
    let guessed = |edge: EdgeId| approximates(program, edge, overflow);
    let mut guesses: Vec<EdgeId> = inputs.iter().map(|c| c.edge).collect();
    guesses.retain(|e| guessed(*e));
    guesses.sort_unstable();
    guesses.dedup();
    if !guesses.is_empty() {
        let branch = match run.trace.is_empty() {
            true => possible_dependence(pool, program, &guesses),
            false => first_dependence(pool, program, &run.trace, guessed),
        };
        if let Some(branch) = branch {
            return Err(depends(program, &guesses, branch));
        }
    }
    Ok(Trace {
        steps: run.trace,
        step_count: run.steps,
        error,
        property,
        inputs,
    })
}

/// Whether the edge chooses a value that stands for something not modelled. Arithmetic on an
/// uninitialised object is undefined already, so that it overflows is not the violation.
fn approximates(program: &Program, edge: EdgeId, overflow: bool) -> bool {
    match program.edges[edge].stmt {
        Stmt::Havoc(_, InputKind::Approximation) => true,
        Stmt::Havoc(_, InputKind::Unknown) => overflow,
        _ => false,
    }
}

/// The execution hangs on a guessed value that is tested at `branch`: said of the place of the guess
/// if there is only one, else of the test.
fn depends(program: &Program, guesses: &[EdgeId], branch: EdgeId) -> Reason {
    let edge = match guesses {
        [only] if program.edges[*only].span.is_known() => &program.edges[*only],
        _ => &program.edges[branch],
    };
    let on_line = |n: &&program::Note| {
        edge.span.is_known() && (n.span.file, n.span.line) == (edge.span.file, edge.span.line)
    };
    let note = program.notes.iter().find(on_line);
    let function = &program.functions[program.locations[edge.from].func].name;
    Reason::NotModelled {
        what: note.map_or_else(|| format!("a value in `{function}`"), |n| n.message.clone()),
        place: edge.span,
    }
}

fn rejection(program: &Program, outcome: Outcome) -> Reason {
    let place = |loc: LocId| {
        let l = &program.locations[loc];
        let function = &program.functions[l.func].name;
        match l.span.is_known() {
            true => format!("in `{function}`, line {}", l.span.line),
            false => format!("in `{function}` at {loc}"),
        }
    };
    let what = match outcome {
        Outcome::ReachedError(l) => format!("reaches another error {}", place(l)),
        Outcome::Exited => "ends without an error".into(),
        Outcome::Blocked(l) => format!("stops {}", place(l)),
        Outcome::OutOfSteps => "takes too many steps".into(),
        Outcome::OutOfMemory => "needs too much memory".into(),
        Outcome::OutOfInputs(l) | Outcome::Rejected(l) => {
            format!("gets a value that does not fit {}", place(l))
        }
    };
    Reason::EvidenceRejected {
        why: format!("the execution {what} when it is replayed"),
    }
}

/// Is the value one of the sort? An engine's hint need not be.
fn has_sort(pool: &Pool, sort: SortId, value: &Value) -> bool {
    match (pool.sort_kind(sort), value) {
        (Sort::Bool, Value::Bool(_)) | (Sort::Real, Value::Num(_)) => true,
        (Sort::Int, Value::Num(n)) => n.is_integer(),
        (&Sort::Array(_, element), Value::Array(array)) => {
            has_sort(pool, element, &array.default)
                && array.entries.values().all(|v| has_sort(pool, element, v))
        }
        (Sort::Uninterpreted(_), Value::Element(s, _)) => *s == sort,
        _ => false,
    }
}

struct Hints<'a> {
    budget: &'a Budget,
    pool: &'a Pool,
    program: &'a Program,
    initial: FxHashMap<VarId, Value>,
    /// The edges taken at each location, in order.
    edges: FxHashMap<LocId, VecDeque<EdgeId>>,
    /// The values chosen at each edge, in order.
    values: FxHashMap<EdgeId, VecDeque<Vec<Value>>>,
    chosen: Vec<Chosen>,
}

impl<'a> Hints<'a> {
    fn new(
        pool: &'a Pool,
        program: &'a Program,
        counterexample: &Counterexample,
        budget: &'a Budget,
    ) -> Self {
        let mut hints = Hints {
            budget,
            pool,
            program,
            initial: counterexample.initial.iter().cloned().collect(),
            edges: FxHashMap::default(),
            values: FxHashMap::default(),
            chosen: Vec::new(),
        };
        for step in &counterexample.steps {
            let Some(edge) = program.edges.get(step.edge) else {
                continue;
            };
            let taken = hints.edges.entry(edge.from).or_default();
            taken.push_back(step.edge);
            if !step.havocs.is_empty() {
                let values = hints.values.entry(step.edge).or_default();
                values.push_back(step.havocs.clone());
            }
        }
        hints
    }
}

impl Oracle for Hints<'_> {
    fn may_go_on(&mut self, instructions: u64) -> bool {
        self.budget
            .spend(instructions / program::interp::INSTRUCTIONS_A_TICK)
            .is_ok()
    }

    fn initial(&mut self, var: VarId) -> Option<Value> {
        let value = self.initial.get(&var)?;
        let fits = has_sort(self.pool, self.program.vars[var].sort, value)
            && self.program.in_range(var, value);
        fits.then(|| value.clone())
    }

    fn havoc(&mut self, edge: EdgeId, vars: &[VarId]) -> Option<Vec<Value>> {
        let hint = self.values.get_mut(&edge).and_then(VecDeque::pop_front);
        let mut values = hint.filter(|v| v.len() == vars.len()).unwrap_or_default();
        for (i, &var) in vars.iter().enumerate() {
            if i >= values.len() {
                values.push(self.program.default_value(self.pool, var));
            } else if !has_sort(self.pool, self.program.vars[var].sort, &values[i])
                || !self.program.in_range(var, &values[i])
            {
                values[i] = self.program.default_value(self.pool, var);
            }
        }
        if matches!(self.program.edges[edge].stmt, Stmt::Havoc(..)) {
            for (&var, value) in vars.iter().zip(&values) {
                self.chosen.push(Chosen {
                    edge,
                    var,
                    value: value.clone(),
                });
            }
        }
        Some(values)
    }

    fn choose(&mut self, at: LocId, enabled: &[EdgeId]) -> Option<usize> {
        let hints = self.edges.get_mut(&at);
        let hint = hints.and_then(VecDeque::pop_front);
        let place = hint.and_then(|edge| enabled.iter().position(|&e| e == edge));
        Some(place.unwrap_or(0))
    }

    fn may_skip(&self, at: LocId) -> bool {
        self.edges.get(&at).is_none_or(VecDeque::is_empty)
    }
}
