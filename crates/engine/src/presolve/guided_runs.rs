//! Runs that learn from each other: what one has reached, the next goes on from.
//!
//! Idea. A reactive program (an event-condition-action system, a protocol, a driver with its operations) has errors
//! behind a long sequence of right inputs, which no single random run guesses. But most inputs on the way lead to
//! something new by themselves: a branch never taken, a mode never seen. So keep them:
//!
//! ```text
//!   pick something kept; go on from its state with guessed inputs, or change some of the inputs that led there
//!   at every loop head: is the combination of cells of the live variables new? then keep the state
//!   at the end: was a branch taken for the first time? then keep the inputs
//! ```
//! An input is guessed from the *cells* of its variable, the ranges that the program tells apart
//! (`program::analysis::cells`), so a value that matters comes up as often as any other.
//!
//! Source: coverage-guided fuzzing (AFL; Böhme and others, CCS 2016), with abstract states in place of hit counts.
//! An error is an execution of the interpreter, recorded as any other counterexample and replayed by the checker.

#[cfg(test)]
mod tests;

use super::random_runs::{Guesser, cells_of, constants, is_placed, memory_with, whole};
use crate::limits::{GuideLimits, RunLimits};
use base::{Budget, FxHashMap, FxHasher, IndexVec, Random, Stop};
use evidence::{Counterexample, Step};
use logic::{Pool, Rational, Value};
use program::analysis::cells::cells;
use program::analysis::liveness::liveness;
use program::analysis::modref::modref;
use program::analysis::reads::VarsOf;
use program::analysis::shape::reachable_functions;
use program::interp::{Interpreter, Limits, Oracle, Outcome, Output, Run, Snapshot};
use program::{EdgeId, InputKind, LocId, OutputCall, Program, Stmt, VarId};
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};

/// What a run was told, in order.
#[derive(Clone, Default)]
struct Told {
    answers: Vec<(EdgeId, Vec<Value>)>,
    /// Which edge was taken where several could be.
    choices: Vec<usize>,
    /// Texts that were put into memory, and the cells they got.
    texts: Vec<Vec<u8>>,
    placed: Vec<(VarId, Value, Value)>,
}

/// Something worth going on from.
struct Kept {
    /// What came before: something kept that has a state; the start if nothing.
    base: Option<usize>,
    /// From there to here.
    told: Told,
    state: Option<Snapshot>,
    picked: u32,
}

/// The search; it can be asked for more errors than one.
pub struct GuidedRuns<'a> {
    pool: &'a Pool,
    program: &'a Program,
    limits: RunLimits,
    interpreter: Interpreter<'a>,
    constants: Vec<Rational>,
    cells: IndexVec<VarId, Vec<i128>>,
    /// Loop heads, with the live variables that the program tells values of apart.
    heads: FxHashMap<LocId, Vec<VarId>>,
    kept: Vec<Kept>,
    /// Cells in all states that are kept.
    size: u64,
    states: FxHashMap<u64, usize>,
    taken: IndexVec<EdgeId, bool>,
    random: Random,
    runs: u64,
    /// Runs since the last that found something new.
    idle: u64,
}

impl<'a> GuidedRuns<'a> {
    /// `None` if the program has no inputs.
    pub fn new(pool: &'a Pool, program: &'a Program, limits: &RunLimits) -> Option<Self> {
        let successors = program.successors();
        let functions = reachable_functions(program, &successors);
        let locations = functions.iter().flat_map(|(_, shape)| &shape.order);
        let mut edges = locations.flat_map(|l| &successors[*l]);
        let is_input = |e: &EdgeId| {
            let stmt = &program.edges[*e].stmt;
            matches!(stmt, Stmt::Havoc(_, kind) if *kind != InputKind::Approximation)
        };
        if !edges.any(is_input) {
            return None;
        }
        let cells = cells(pool, program, limits.guide.cells, limits.guide.copy_rounds);
        let effects = modref(pool, program);
        let mut vars_of = VarsOf::new(program);
        let mut heads = FxHashMap::default();
        for (func, shape) in &functions {
            let live = liveness(
                pool,
                program,
                *func,
                shape,
                &successors,
                &mut vars_of,
                &effects,
            );
            for &head in &shape.loop_heads {
                let mut vars = live.at(head);
                vars.retain(|v| !cells[*v].is_empty());
                heads.insert(head, vars);
            }
        }
        Some(GuidedRuns {
            pool,
            program,
            limits: limits.clone(),
            interpreter: Interpreter::new(pool, program),
            constants: constants(pool, program),
            cells,
            heads,
            kept: Vec::new(),
            size: 0,
            states: FxHashMap::default(),
            taken: IndexVec::filled(false, program.edges.len()),
            random: Random::new(7),
            runs: 0,
            idle: 0,
        })
    }

    /// The next run that reaches an error; `None` if there was nothing new for long.
    pub fn next(&mut self, budget: &Budget) -> Result<Option<Counterexample>, Stop> {
        loop {
            budget.spend(self.limits.guide.ticks_a_run)?;
            let guide = &self.limits.guide;
            if self.idle > guide.idle + guide.idle_a_state * self.kept.len() as u64 {
                return Ok(None);
            }
            self.runs += 1;
            self.idle += 1;
            if let Some((base, told)) = self.run(budget) {
                return Ok(self.counterexample(base, told));
            }
        }
    }

    /// How many runs there were, and how much was worth keeping.
    pub fn counts(&self) -> (u64, usize) {
        (self.runs, self.kept.len())
    }

    /// What to go on from, and what to tell the run first.
    fn pick(&mut self) -> (Option<usize>, Told) {
        if self.kept.is_empty() || self.random.below(16) == 0 {
            return (None, Told::default());
        }
        let count = self.kept.len() as u64;
        let number = match self.random.below(4) {
            0 => self.kept.len() - 1 - self.random.below(count.min(8)) as usize,
            _ => {
                let some: Vec<usize> = (0..3).map(|_| self.random.below(count) as usize).collect();
                let rarest = some.into_iter().min_by_key(|&n| self.kept[n].picked);
                rarest.unwrap_or(0)
            }
        };
        self.kept[number].picked += 1;
        let kept = &self.kept[number];
        if kept.state.is_some() && self.random.below(4) != 0 {
            return (Some(number), Told::default());
        }
        let mut told = kept.told.clone();
        let base = kept.base;
        if self.random.below(3) == 0 && change_alike(&mut told, &mut self.random) {
            return (base, told);
        }
        // Forgotten answers are guessed anew.
        for _ in 0..1 + self.random.below(3) {
            if !told.answers.is_empty() {
                let at = self.random.below(told.answers.len() as u64) as usize;
                told.answers[at].1.clear();
            }
        }
        (base, told)
    }

    /// One run; if it ends in an error, where it began and what it was told.
    fn run(&mut self, budget: &Budget) -> Option<(Option<usize>, Told)> {
        let (mut base, given) = self.pick();
        let length = 1 << self.random.below(self.limits.guide.longest);
        let limits = Limits {
            steps: self.limits.guide.steps,
            cells: self.limits.cells,
            trace: false,
        };
        let guesser = Guesser::new(
            self.pool,
            self.program,
            &self.constants,
            self.runs,
            &self.limits,
            budget,
        );
        let mut guide = Guide {
            program: self.program,
            guesser,
            cells: &self.cells,
            heads: &self.heads,
            limits: &self.limits.guide,
            random: &mut self.random,
            taken: &mut self.taken,
            given: given.answers.into(),
            given_choices: given.choices.into(),
            given_texts: given.texts.into(),
            length: 0,
            told: Told::default(),
            rests: FxHashMap::default(),
            going: true,
            rested: false,
            new: false,
        };
        let state = base.and_then(|n| self.kept[n].state.as_ref());
        let mut run: Run = match state {
            None => self.interpreter.run(&mut guide, &limits),
            Some(state) => self.interpreter.resume(state, &mut guide, &limits),
        };
        for _ in 0..length {
            let at = match run.outcome {
                Outcome::ReachedError(_) => return Some((base, guide.told)),
                Outcome::OutOfInputs(at) if guide.rested => at,
                _ => break,
            };
            let key = key(&self.interpreter, &self.cells, &self.heads, at);
            let alike = self.states.entry(key).or_insert(0);
            let size = self.interpreter.size();
            let fits = self.kept.len() < guide.limits.most_kept
                && self.size + size <= guide.limits.most_size;
            if *alike < guide.limits.alike && fits {
                *alike += 1;
                self.size += size;
                self.idle = 0;
                guide.new = false;
                self.kept.push(Kept {
                    base,
                    told: std::mem::take(&mut guide.told),
                    state: Some(self.interpreter.snapshot(at)),
                    picked: 0,
                });
                base = Some(self.kept.len() - 1);
                // Memory is copied where it is written next.
                if budget.spend(size / 16).is_err() {
                    return None;
                }
            }
            guide.going = true;
            guide.rested = false;
            run = self.interpreter.go_on(at, &mut guide, &limits);
        }
        if matches!(run.outcome, Outcome::ReachedError(_)) {
            return Some((base, guide.told));
        }
        if guide.new && self.kept.len() < guide.limits.most_kept {
            self.idle = 0;
            let told = guide.told;
            self.kept.push(Kept {
                base,
                told,
                state: None,
                picked: 0,
            });
        }
        None
    }

    /// The whole run, from the start.
    fn counterexample(&mut self, base: Option<usize>, last: Told) -> Option<Counterexample> {
        let mut parts = vec![last];
        let mut at = base;
        while let Some(n) = at {
            parts.push(self.kept[n].told.clone());
            at = self.kept[n].base;
        }
        parts.reverse();
        let answers: Vec<(EdgeId, Vec<Value>)> =
            parts.iter().flat_map(|t| t.answers.clone()).collect();
        let choices: VecDeque<usize> = parts.iter().flat_map(|t| t.choices.clone()).collect();
        let placed: Vec<_> = parts.iter().flat_map(|t| t.placed.clone()).collect();
        let initial = memory_with(self.pool, self.program, &placed);
        let step = |(edge, havocs)| Step { edge, havocs };
        if choices.is_empty() {
            return Some(Counterexample {
                initial,
                steps: answers.into_iter().map(step).collect(),
            });
        }
        let mut again = Again {
            answers: answers.clone().into(),
            choices,
            initial: initial.clone(),
        };
        let limits = Limits {
            steps: self.limits.guide.steps,
            cells: self.limits.cells,
            trace: true,
        };
        let run = self.interpreter.run(&mut again, &limits);
        let reached = matches!(run.outcome, Outcome::ReachedError(_));
        reached.then(|| whole(&run.trace, initial, answers.into()))
    }
}

/// Gives two numbers that are equal another value, the same for both: a program that asks for `a == b` and then for
/// `a != c` is not satisfied by changing one of them. `false` if there is no such pair at hand.
fn change_alike(told: &mut Told, random: &mut Random) -> bool {
    let number = |(_, values): &(EdgeId, Vec<Value>)| match values.as_slice() {
        [Value::Num(n)] => Some(n.clone()),
        _ => None,
    };
    let numbers: Vec<Option<Rational>> = told.answers.iter().map(number).collect();
    let count = numbers.len() as u64;
    if count < 2 {
        return false;
    }
    let first = random.below(count) as usize;
    let start = random.below(count) as usize;
    let others = (0..numbers.len()).map(|n| (start + n) % numbers.len());
    let equal = |n: &usize| *n != first && numbers[*n].is_some() && numbers[*n] == numbers[first];
    let Some(second) = others.into_iter().find(equal) else {
        return false;
    };
    let new = Value::Num(Rational::from(random.below(32) as i64));
    for at in [first, second] {
        told.answers[at].1 = vec![new.clone()];
    }
    true
}

/// The location and the cells of its live variables.
fn key(
    interpreter: &Interpreter<'_>,
    cells: &IndexVec<VarId, Vec<i128>>,
    heads: &FxHashMap<LocId, Vec<VarId>>,
    at: LocId,
) -> u64 {
    let mut hasher = FxHasher::default();
    at.hash(&mut hasher);
    for &var in heads.get(&at).into_iter().flatten() {
        let value = interpreter.small(var);
        let cell = value.map(|value| cells[var].partition_point(|first| *first <= value));
        cell.hash(&mut hasher);
    }
    hasher.finish()
}

/// Tells a run what was given, then guesses; lets it rest at loop heads.
struct Guide<'r, 'a> {
    program: &'a Program,
    guesser: Guesser<'r>,
    cells: &'r IndexVec<VarId, Vec<i128>>,
    heads: &'r FxHashMap<LocId, Vec<VarId>>,
    limits: &'r GuideLimits,
    random: &'r mut Random,
    taken: &'r mut IndexVec<EdgeId, bool>,
    given: VecDeque<(EdgeId, Vec<Value>)>,
    given_choices: VecDeque<usize>,
    given_texts: VecDeque<Vec<u8>>,
    /// The last length of a text.
    length: usize,
    told: Told,
    rests: FxHashMap<LocId, u32>,
    /// The run goes on from where it rested.
    going: bool,
    rested: bool,
    /// An edge was taken for the first time.
    new: bool,
}

impl Guide<'_, '_> {
    fn value(&mut self, edge: EdgeId, var: VarId) -> Value {
        let guess = self.guesser.guess(edge, var);
        let open = match &self.program.edges[edge].stmt {
            Stmt::Havoc(_, InputKind::Approximation) => false,
            // A text makes sense as a whole.
            Stmt::Havoc(_, InputKind::Environment { what }) => !self.guesser.is_word(what),
            _ => true,
        };
        let Value::Num(_) = guess else {
            return guess;
        };
        let number = match self.random.below(8) {
            0..=4 if open => self.in_cell(var),
            5 if open => self.earlier(),
            _ => None,
        };
        match number.map(Value::Num) {
            Some(value) if self.program.in_range(var, &value) => value,
            _ => guess,
        }
    }

    /// One end of a cell of the variable, or something in between.
    fn in_cell(&mut self, var: VarId) -> Option<Rational> {
        let firsts = &self.cells[var];
        let at = self.random.below(firsts.len() as u64 + 1) as usize;
        let (low, high) = match (at.checked_sub(1), firsts.get(at)) {
            (Some(low), Some(high)) => (firsts[low], high - 1),
            (Some(low), None) => (firsts[low], firsts[low] + 1000),
            (None, Some(high)) => (high - 1000, high - 1),
            (None, None) => return None,
        };
        let width = u64::try_from(high - low).ok()?;
        let number = match self.random.below(3) {
            0 => low,
            1 => high,
            _ => low + i128::from(self.random.below(width + 1)),
        };
        Some(Rational::from(number))
    }

    /// A number that the run was told before.
    fn earlier(&mut self) -> Option<Rational> {
        let count = self.told.answers.len() as u64;
        let at = (count > 0).then(|| self.random.below(count) as usize)?;
        self.told.answers[at].1.first()?.as_num().cloned()
    }
}

impl Oracle for Guide<'_, '_> {
    fn may_go_on(&mut self, instructions: u64) -> bool {
        self.guesser.may_go_on(instructions)
    }

    fn havoc(&mut self, edge: EdgeId, vars: &[VarId]) -> Option<Vec<Value>> {
        if self.told.answers.len() > self.limits.most_inputs {
            return None;
        }
        let mine = self.given.front().is_some_and(|(e, _)| *e == edge);
        let given = mine.then(|| self.given.pop_front()).flatten();
        let values = match given {
            Some((_, values)) if values.len() == vars.len() => values,
            _ => vars.iter().map(|&v| self.value(edge, v)).collect(),
        };
        if let (Stmt::Havoc(_, InputKind::Environment { what }), [Value::Num(n)]) =
            (&self.program.edges[edge].stmt, values.as_slice())
            && what.ends_with(".length")
        {
            self.length = n
                .to_i64()
                .and_then(|n| usize::try_from(n).ok())
                .unwrap_or(0);
        }
        self.told.answers.push((edge, values.clone()));
        Some(values)
    }

    fn place(&mut self, call: &OutputCall, args: &[Output]) -> Vec<(VarId, Value, Value)> {
        if !is_placed(call) {
            return Vec::new();
        }
        let mut text = match self.given_texts.pop_front() {
            Some(given) => given,
            None => self.guesser.text(),
        };
        // What lies behind it is another object's.
        text.truncate(self.length);
        let cells = cells_of(self.program, call, args, &text);
        self.told.texts.push(text);
        self.told.placed.extend(cells.iter().cloned());
        cells
    }

    fn may_skip(&self, _at: LocId) -> bool {
        true
    }

    fn choose(&mut self, at: LocId, enabled: &[EdgeId]) -> Option<usize> {
        if !std::mem::take(&mut self.going) && self.heads.contains_key(&at) {
            let rests = self.rests.entry(at).or_insert(0);
            *rests += 1;
            if *rests <= self.limits.rests {
                self.rested = true;
                return None;
            }
        }
        let choice = match enabled.len() {
            1 => 0,
            several => {
                let given = self.given_choices.pop_front().filter(|c| *c < several);
                let choice = given.unwrap_or_else(|| self.random.below(several as u64) as usize);
                self.told.choices.push(choice);
                choice
            }
        };
        let edge = enabled.get(choice)?;
        self.new |= !std::mem::replace(&mut self.taken[*edge], true);
        Some(choice)
    }
}

/// Says the same again.
struct Again {
    answers: VecDeque<(EdgeId, Vec<Value>)>,
    choices: VecDeque<usize>,
    initial: Vec<(VarId, Value)>,
}

impl Oracle for Again {
    fn initial(&mut self, var: VarId) -> Option<Value> {
        let mine = self.initial.iter().find(|(v, _)| *v == var);
        mine.map(|(_, value)| value.clone())
    }

    fn havoc(&mut self, edge: EdgeId, _vars: &[VarId]) -> Option<Vec<Value>> {
        let (at, values) = self.answers.pop_front()?;
        (at == edge).then_some(values)
    }

    fn choose(&mut self, _at: LocId, enabled: &[EdgeId]) -> Option<usize> {
        match enabled.len() {
            1 => Some(0),
            _ => self.choices.pop_front(),
        }
    }
}
