//! Random runs: the cheapest search for errors.
//!
//! The interpreter runs the original program with guessed inputs: small numbers, ends of ranges,
//! constants of the program and their neighbours. Programs that determine most of what they do, deep
//! recursion and long loops give up their bugs here in milliseconds. A run that reaches an error is
//! recorded as a counterexample like any other, and replayed by the checker.
//!
//! The generator is seeded by a constant: same program, same runs.

use super::texts::Texts;
use crate::api::Task;
use crate::limits::RunLimits;
use base::Budget;
use evidence::{Counterexample, Step};
use logic::{Op, Pool, Rational, Sort, Value};
use program::interp::{
    INSTRUCTIONS_A_TICK, Interpreter, Limits, Oracle, Outcome, Output, Taken, Unwritten,
};
use program::{EdgeId, InputKind, LocId, OutputCall, Program, Stmt, VarId};
use std::collections::VecDeque;

/// Tries random runs; gives up soon.
pub fn fuzz(task: &Task<'_>) -> Option<Counterexample> {
    fuzz_for(task, task.options.limits.runs.random_steps)
}

/// The first tenth of [`fuzz`], which finds most of what it finds.
pub fn fuzz_briefly(task: &Task<'_>) -> Option<Counterexample> {
    fuzz_for(task, task.options.limits.runs.random_steps / 10)
}

fn fuzz_for(task: &Task<'_>, steps: u64) -> Option<Counterexample> {
    let (pool, program) = (&*task.pool, task.program);
    program.error_locations().next()?;
    let limits = &task.options.limits.runs;
    let budget = &limits.random_work.of(task.budget);
    let constants = constants(pool, program);
    let mut interpreter = Interpreter::new(pool, program);
    let mut left = steps;
    let mut long = false;
    let far = counts_far(&constants, limits);
    // A run that never guesses zero comes second: it goes on where the first ended.
    let seeds = (1..limits.random).filter(|s| *s != NON_ZERO);
    let first = (!task.options.ran_long).then_some(0);
    for (number, run) in first.into_iter().chain([NON_ZERO]).chain(seeds).enumerate() {
        if left == 0 || budget.check().is_err() {
            return None;
        }
        // The first runs may use half of all steps each, later ones less and less: most that do not end soon never do.
        let apart = run == NON_ZERO && long;
        let alone = limits.apart_work.of(task.budget);
        // Where the program counts far, the first run goes to the end of its loops.
        let to_end = run == 0 && far;
        let whole_loops = limits.far_work.of(task.budget);
        let budget = match (apart, to_end) {
            (true, _) => &alone,
            (_, true) => &whole_loops,
            _ => budget,
        };
        let guesser = || Guesser::new(pool, program, &constants, run, limits, budget);
        let mut oracle = guesser();
        let steps = match apart {
            true => 2 * steps,
            false if to_end => limits.long_steps[0],
            false => (left >> (number.clamp(1, SHARES))).max(1000).min(left),
        };
        let cells = match to_end {
            true => limits.long_cells,
            false => limits.cells,
        };
        let result = interpreter.run(
            &mut oracle,
            &Limits {
                steps,
                cells,
                trace: false,
            },
        );
        let done = result.steps - result.skipped;
        long |= done > LONG;
        if !apart {
            left -= done.clamp(1, (left / 2).max(1));
        }
        if !matches!(result.outcome, Outcome::ReachedError(_)) {
            continue;
        }
        if result.skipped == 0 && result.steps <= MOST_TRACED {
            let mut again = guesser();
            let limits = Limits {
                steps: result.steps + 1,
                cells: limits.cells,
                trace: true,
            };
            let traced = interpreter.run(&mut again, &limits);
            let memory = again.memory();
            return Some(whole(&traced.trace, memory, again.answers));
        }
        if let Some(cex) = oracle.inputs() {
            return Some(cex);
        }
    }
    None
}

/// A run with the values that its havocs got, step by step.
pub(crate) fn whole(
    trace: &[Taken],
    initial: Vec<(VarId, Value)>,
    mut havocs: VecDeque<(EdgeId, Vec<Value>)>,
) -> Counterexample {
    let steps = trace.iter().filter(|t| !t.returns).map(|t| {
        let mine = havocs.front().is_some_and(|(e, _)| *e == t.edge);
        let values = if mine { havocs.pop_front() } else { None };
        Step {
            edge: t.edge,
            havocs: values.map(|(_, v)| v).unwrap_or_default(),
        }
    });
    Counterexample {
        initial,
        steps: steps.collect(),
    }
}

/// A few long runs, for bugs behind loops that go round a million times. The counterexample holds
/// only the inputs: what the program does with them is determined.
pub fn long_runs(task: &Task<'_>) -> Option<Counterexample> {
    let (pool, program) = (&*task.pool, task.program);
    let runs = &task.options.limits.runs;
    let constants = constants(pool, program);
    let work = match counts_far(&constants, runs) {
        true => &runs.far_work,
        false => &runs.long_work,
    };
    let budget = &work.of(task.budget);
    let mut interpreter = Interpreter::new(pool, program);
    for (seed, steps) in LONG_SEEDS.into_iter().zip(runs.long_steps) {
        if budget.check().is_err() {
            return None;
        }
        let mut oracle = Guesser::new(pool, program, &constants, seed, runs, budget);
        let limits = Limits {
            steps,
            cells: runs.long_cells,
            trace: false,
        };
        let result = interpreter.run(&mut oracle, &limits);
        if matches!(result.outcome, Outcome::ReachedError(_))
            && let Some(cex) = oracle.inputs()
        {
            return Some(cex);
        }
    }
    None
}

/// Where the program says that its loops go on for long: whether a run to their end reaches an error. `None` if it does not
/// say so; what is found is a run that is left to the checker.
pub fn first_long_run(
    pool: &Pool,
    program: &Program,
    limits: &RunLimits,
    budget: &Budget,
) -> Option<Option<Counterexample>> {
    let constants = constants(pool, program);
    program.error_locations().next()?;
    if !counts_far(&constants, limits) {
        return None;
    }
    let mut interpreter = Interpreter::new(pool, program);
    let to_end = Limits {
        steps: limits.long_steps[0],
        cells: limits.long_cells,
        trace: false,
    };
    // The second run, if the program asks for anything, is told to count as far as it can say.
    for mode in [Mode::Spread, Mode::Far] {
        let mut oracle = Guesser::new(pool, program, &constants, 0, limits, budget);
        oracle.mode = mode;
        let result = interpreter.run(&mut oracle, &to_end);
        match result.outcome {
            // Where inputs alone do not say which way the run went, it has to be made again, step by step.
            Outcome::ReachedError(_) => return oracle.inputs().map(Some),
            Outcome::OutOfSteps => break,
            _ if oracle.answers.is_empty() => break,
            _ => {}
        }
    }
    Some(None)
}

/// Has the program said how long its loops go on, and is that long?
fn counts_far(constants: &[Rational], limits: &RunLimits) -> bool {
    let far = |n: &Rational| limits.far.contains(&n.to_i64().unwrap_or(0));
    constants.iter().any(far)
}

/// The integers that occur in the program.
pub(crate) fn constants(pool: &Pool, program: &Program) -> Vec<Rational> {
    let mut terms = Vec::new();
    for edge in program.edges.iter() {
        match &edge.stmt {
            program::Stmt::Assign(list) => terms.extend(list.iter().map(|(_, t)| *t)),
            program::Stmt::Assume(t) => terms.push(*t),
            program::Stmt::Call { args, .. } => terms.extend(args),
            program::Stmt::Skip | program::Stmt::Havoc(..) => {}
        }
    }
    let mut out: Vec<Rational> = pool
        .post_order(&terms)
        .into_iter()
        .filter(|&t| matches!(pool.op(t), Op::Num(_)))
        .filter_map(|t| pool.as_number(t).cloned())
        .filter(Rational::is_integer)
        .collect();
    out.sort();
    out.dedup();
    out
}

/// What a run guesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Mixed,
    /// After the first inputs any value of its type: who reads so many compares them with each other.
    Spread,
    /// Never zero: loops over strings and inputs go on.
    NonZero,
    Ones,
    /// The outside is obliging and speaks in numbers, or follows a script.
    Texts,
    /// It is obliging and speaks in the program's own words; all else is guessed.
    Words,
    /// It is obliging, and each text is as long as a number that the program names: its buffers, perhaps.
    Long,
    /// Memory that nobody wrote holds something else in each cell, and inputs are small: they may be its length.
    Littered,
    /// Numbers are small and not negative.
    Near,
    /// One more than the largest number that the program names, where it is no larger than loops can count.
    Far,
}

/// Inputs that are guessed like others before they are spread.
const FIRST_INPUTS: usize = 16;
/// The seed of a run that never guesses zero.
const NON_ZERO: u64 = 5;
/// A later run may use one part in two to this power of the steps that are left.
const SHARES: usize = 5;
/// Numbers of a run with small ones are less than this.
const NEAR: usize = 13;
/// What littered memory holds.
const LITTER: [i64; 11] = [5, 2, 8, 1, 7, 3, 9, 4, 6, 0, 2];
/// How many cells of an array that the program leaves open do.
const LITTERED: i64 = 40;
/// The longest text of a run.
const LONGEST_TEXT: i64 = 5000;
/// Counterexamples of longer runs are their inputs.
const MOST_TRACED: u64 = 2_000_000;
/// A program that runs longer than so many steps has loops that go round often.
const LONG: u64 = 100_000;

/// Seeds of long runs: one of each mode, and another mixed one.
const LONG_SEEDS: [u64; 4] = [0, NON_ZERO, 6, 1];

/// Answers what a program leaves open by guesses.
pub(crate) struct Guesser<'a> {
    pool: &'a Pool,
    program: &'a Program,
    constants: &'a [Rational],
    state: u64,
    mode: Mode,
    texts: Texts,
    /// What unwritten memory holds in long texts.
    filler: u8,
    /// What memory held before the first step.
    initial: Vec<(VarId, Value)>,
    /// Memory in which each cell held something of its own.
    unwritten: Vec<(VarId, Unwritten)>,
    /// Cells of memory that a text of the outside was put into.
    placed: Vec<(VarId, Value, Value)>,
    /// What was answered, in order.
    pub(crate) answers: VecDeque<(EdgeId, Vec<Value>)>,
    /// A branch had several edges that could be taken.
    pub(crate) chose: bool,
    limits: &'a RunLimits,
    budget: &'a Budget,
}

impl<'a> Guesser<'a> {
    pub(crate) fn new(
        pool: &'a Pool,
        program: &'a Program,
        constants: &'a [Rational],
        seed: u64,
        limits: &'a RunLimits,
        budget: &'a Budget,
    ) -> Self {
        let state = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let script = seed > 0 && seed.is_multiple_of(8);
        let script = script && (reads(program, &TEXTS) || reads(program, &["scan"]));
        Guesser {
            pool,
            program,
            constants,
            state,
            mode: match seed % 8 {
                0 if script => Mode::Texts,
                4 | 7 if !program.texts.is_empty() => Mode::Words,
                1 => Mode::Littered,
                2 => Mode::Long,
                3 | 4 | 7 => Mode::Texts,
                5 => Mode::NonZero,
                6 => Mode::Ones,
                _ => Mode::Mixed,
            },
            texts: match seed % 8 {
                0 if script => Texts::script(seed / 8 - 1, &characters(constants)),
                2 => Texts::long(length(constants, seed / 8), filler(seed)),
                rest @ (4 | 7) if !program.texts.is_empty() => {
                    Texts::words(&program.texts, seed / 8 * 2 + rest / 7)
                }
                3 if !program.texts.is_empty() => Texts::new(seed / 8, constants),
                // Three runs of eight are of this kind: each takes the next number.
                rest => Texts::new(
                    seed / 8 * 3 + [0, 0, 0, 0, 1, 0, 0, 2][rest as usize],
                    constants,
                ),
            },
            filler: filler(seed),
            initial: Vec::new(),
            unwritten: Vec::new(),
            placed: Vec::new(),
            answers: VecDeque::new(),
            chose: false,
            limits,
            budget,
        }
    }

    /// Whatever kind of run the seed stands for, numbers are small and not negative.
    pub(crate) fn near(mut self) -> Self {
        self.mode = Mode::Near;
        self
    }

    /// The answers as a counterexample that is nothing but inputs, if these determine the run.
    fn inputs(mut self) -> Option<Counterexample> {
        let step = |(edge, havocs)| Step { edge, havocs };
        (!self.chose).then(|| Counterexample {
            initial: self.memory(),
            steps: self.answers.into_iter().map(step).collect(),
        })
    }

    /// What memory held before the first step, as far as the run has read it.
    fn memory(&mut self) -> Vec<(VarId, Value)> {
        let mut initial = std::mem::take(&mut self.initial);
        for (var, unwritten) in self.unwritten.drain(..) {
            if let Value::Array(array) = self.program.default_value(self.pool, var) {
                let mut array = (*array).clone();
                for (index, value) in unwritten.cells() {
                    array.set(index, value);
                }
                initial.push((var, Value::Array(array.into())));
            }
        }
        initial.extend(memory_with(self.pool, self.program, &self.placed));
        initial
    }

    /// xorshift64*
    fn next(&mut self) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    /// A value for a variable that the edge leaves open.
    pub(crate) fn guess(&mut self, edge: EdgeId, var: VarId) -> Value {
        match &self.program.edges[edge].stmt {
            // An error that depends on an approximated value does not count: nothing to guess.
            Stmt::Havoc(_, InputKind::Approximation) => self.program.default_value(self.pool, var),
            Stmt::Havoc(_, InputKind::Environment { what })
                if matches!(self.mode, Mode::Texts | Mode::Long) || self.is_word(what) =>
            {
                self.answer(what, var)
            }
            _ => self.value(var),
        }
    }

    /// Is this input part of a text of the program?
    pub(crate) fn is_word(&self, what: &str) -> bool {
        self.mode == Mode::Words && is_text(what)
    }

    /// The text whose length was guessed last.
    pub(crate) fn text(&mut self) -> Vec<u8> {
        match self.mode {
            Mode::Words | Mode::Texts => self.texts.placed(),
            _ => Vec::new(),
        }
    }

    fn value(&mut self, var: VarId) -> Value {
        let data = &self.program.vars[var];
        match self.pool.sort_kind(data.sort) {
            Sort::Bool => Value::Bool(self.below(2) == 1),
            Sort::Int => {
                let range = data.range.clone();
                let inside = |n: &Rational| range.as_ref().is_none_or(|(l, h)| l <= n && n <= h);
                let mut guess = match self.mode {
                    Mode::Ones => Rational::ONE,
                    Mode::Near => Rational::from(self.below(NEAR) as i64),
                    Mode::Far => self.farthest(),
                    Mode::Spread if self.answers.len() > FIRST_INPUTS => self.any(range.as_ref()),
                    Mode::Littered => self.small(range.as_ref()),
                    _ => self.integer(range.as_ref()),
                };
                if self.mode == Mode::NonZero && (guess.is_zero() || !inside(&guess)) {
                    guess = Rational::from(1 + self.below(100) as i64);
                }
                let fits = inside(&guess);
                match range {
                    Some((low, _)) if !fits => {
                        let zero = Rational::ZERO;
                        Value::Num(if low > zero { low } else { zero })
                    }
                    _ => Value::Num(guess),
                }
            }
            _ => {
                let value = self.program.default_value(self.pool, var);
                match self.mode {
                    Mode::NonZero | Mode::Ones => filled(value, 1),
                    Mode::Long => filled(value, self.filler),
                    Mode::Littered => self.littered(value),
                    _ => value,
                }
            }
        }
    }

    /// An array with something else in each of its first cells.
    fn littered(&mut self, value: Value) -> Value {
        match value {
            Value::Array(array) if matches!(array.default, Value::Num(_)) => {
                let mut array = (*array).clone();
                for index in 0..LITTERED {
                    let litter = LITTER[self.below(LITTER.len())];
                    let number = |n: i64| Value::Num(Rational::from(n));
                    array.set(number(index), number(litter));
                }
                Value::Array(array.into())
            }
            other => other,
        }
    }

    /// What an obliging outside says.
    fn answer(&mut self, what: &str, var: VarId) -> Value {
        let n = self.texts.answer(what);
        match (self.program.default_value(self.pool, var), n) {
            (Value::Bool(_), n) => Value::Bool(n != 0),
            (default, n) => {
                let value = Value::Num(Rational::from(n));
                match self.program.in_range(var, &value) {
                    true => value,
                    false => default,
                }
            }
        }
    }

    /// Every second one is a small length.
    fn small(&mut self, range: Option<&(Rational, Rational)>) -> Rational {
        match self.below(2) {
            0 => Rational::from(self.below(12) as i64),
            _ => self.integer(range),
        }
    }

    fn farthest(&self) -> Rational {
        let near = |n: &&Rational| n.to_i64().is_some_and(|n| n <= *self.limits.far.end());
        let last = self.constants.iter().rev().find(near);
        last.map_or(Rational::ONE, |n| n + &Rational::ONE)
    }

    /// Any value of a range.
    fn any(&mut self, range: Option<&(Rational, Rational)>) -> Rational {
        let ends = range.map(|(low, high)| (low.to_i64(), high.to_i64()));
        let (low, high) = match ends {
            Some((Some(low), Some(high))) if low <= high => (low, high),
            _ => (-1_000_000_000, 1_000_000_000),
        };
        match low.abs_diff(high).checked_add(1) {
            Some(count) => Rational::from(low.wrapping_add_unsigned(self.next() % count)),
            None => Rational::from(self.next() as i64),
        }
    }

    fn integer(&mut self, range: Option<&(Rational, Rational)>) -> Rational {
        match self.below(10) {
            0..=3 => Rational::from(self.below(4) as i64),
            4 => Rational::from(self.below(40) as i64 - 10),
            5..=7 if !self.constants.is_empty() => {
                let at = self.below(self.constants.len());
                let shift = Rational::from(self.below(3) as i64 - 1);
                &self.constants[at] + &shift
            }
            8 => match range {
                Some((low, high)) => {
                    if self.below(2) == 0 {
                        low.clone()
                    } else {
                        high.clone()
                    }
                }
                None => Rational::from(-1),
            },
            _ => Rational::from((self.next() % 20_000) as i64 - 10_000),
        }
    }
}

/// Is this input a text, a byte of one, or whether there is one?
fn is_text(what: &str) -> bool {
    let last = what.rsplit_once('.').map_or(what, |(_, last)| last);
    const PARTS: [&str; 14] = [
        "line", "length", "count", "byte", "wide", "fails", "error", "ends", "unknown", "present",
        "scan", "argc", "stdin", "file",
    ];
    PARTS.contains(&last)
}

/// The last part of inputs that are texts.
const TEXTS: [&str; 6] = ["line", "length", "count", "byte", "stdin", "file"];

/// Does the program read texts, and name some?
pub fn asks_for_texts(program: &Program) -> bool {
    !program.texts.is_empty() && reads(program, &TEXTS)
}

/// Does the program read something of these kinds from the outside?
fn reads(program: &Program, kinds: &[&str]) -> bool {
    program.edges.iter().any(|edge| match &edge.stmt {
        Stmt::Havoc(_, InputKind::Environment { what }) => {
            kinds.contains(&what.rsplit_once('.').map_or(&**what, |(_, last)| last))
        }
        _ => false,
    })
}

/// An array with something else for zeros: memory that nobody wrote need not end a string.
fn filled(value: Value, with: u8) -> Value {
    match value {
        Value::Array(array) => {
            let mut array = (*array).clone();
            array.default = filled(array.default, with);
            Value::Array(array.into())
        }
        Value::Num(n) if n.is_zero() => Value::Num(Rational::from(i64::from(with))),
        other => other,
    }
}

/// Characters among the numbers of a program.
fn characters(constants: &[Rational]) -> Vec<u8> {
    let numbers = constants.iter().filter_map(Rational::to_i64);
    let bytes = numbers.filter_map(|n| u8::try_from(n).ok());
    bytes.filter(u8::is_ascii_graphic).collect()
}

/// Long texts are letters or digits.
fn filler(seed: u64) -> u8 {
    if (seed / 8).is_multiple_of(2) {
        b'a'
    } else {
        b'1'
    }
}

/// The length of the texts of a run: a number of the program, the longest that is no large one first.
fn length(constants: &[Rational], run: u64) -> usize {
    let numbers = constants.iter().rev().filter_map(Rational::to_i64);
    let mut fitting = numbers.filter(|n| (1..=LONGEST_TEXT).contains(n));
    fitting.nth(run as usize).unwrap_or(1) as usize
}

/// Does this call speak of a text that the outside put into memory that nobody wrote (`environment.c`)?
pub(crate) fn is_placed(call: &OutputCall) -> bool {
    ["ask argument", "ask value"].contains(&call.function.as_str())
}

/// Memory before the first step that holds these cells.
pub(crate) fn memory_with(
    pool: &Pool,
    program: &Program,
    placed: &[(VarId, Value, Value)],
) -> Vec<(VarId, Value)> {
    let mut vars: Vec<VarId> = placed.iter().map(|(v, _, _)| *v).collect();
    vars.sort();
    vars.dedup();
    let filled = |var: VarId| match program.default_value(pool, var) {
        Value::Array(array) => {
            let mut array = (*array).clone();
            for (_, index, value) in placed.iter().filter(|(v, _, _)| *v == var) {
                array.set(index.clone(), value.clone());
            }
            Some((var, Value::Array(array.into())))
        }
        _ => None,
    };
    vars.into_iter().filter_map(filled).collect()
}

/// The cells of memory that a text gets where the first argument of a call points.
pub(crate) fn cells_of(
    program: &Program,
    call: &OutputCall,
    args: &[Output],
    text: &[u8],
) -> Vec<(VarId, Value, Value)> {
    let memory = call.memory.first().copied().flatten();
    let is_memory = |v: &&VarId| Some(program.vars[**v].term) == memory;
    let (Some(&var), Some(Value::Num(start))) = (
        program.globals.iter().find(is_memory),
        args.first().map(|a| &a.value),
    ) else {
        return Vec::new();
    };
    let cell = |(i, byte): (usize, &u8)| {
        let index = start + &Rational::from(i as i64);
        let value = Rational::from(i64::from(*byte as i8));
        (var, Value::Num(index), Value::Num(value))
    };
    text.iter().enumerate().map(cell).collect()
}

impl Oracle for Guesser<'_> {
    fn may_go_on(&mut self, instructions: u64) -> bool {
        self.budget
            .spend(instructions / INSTRUCTIONS_A_TICK)
            .is_ok()
    }

    fn initial(&mut self, var: VarId) -> Option<Value> {
        let memory = matches!(self.program.default_value(self.pool, var), Value::Array(_));
        if !memory || !matches!(self.mode, Mode::NonZero | Mode::Ones | Mode::Long) {
            return None;
        }
        let value = self.value(var);
        self.initial.push((var, value.clone()));
        Some(value)
    }

    fn unwritten(&mut self, var: VarId) -> Option<Unwritten> {
        let default = self.program.default_value(self.pool, var);
        let numbers = matches!(&default, Value::Array(a) if matches!(a.default, Value::Num(_)));
        if self.mode != Mode::Littered || !numbers {
            return None;
        }
        let values: Vec<Value> = LITTER.map(|n| Value::Num(Rational::from(n))).to_vec();
        let unwritten = Unwritten::of(&values, self.next());
        self.unwritten.push((var, unwritten.clone()));
        Some(unwritten)
    }

    fn place(&mut self, call: &OutputCall, args: &[Output]) -> Vec<(VarId, Value, Value)> {
        if !is_placed(call) {
            return Vec::new();
        }
        let text = self.text();
        let cells = cells_of(self.program, call, args, &text);
        self.placed.extend(cells.iter().cloned());
        cells
    }

    fn havoc(&mut self, edge: EdgeId, vars: &[VarId]) -> Option<Vec<Value>> {
        if self.answers.len() > self.limits.most_inputs {
            return None;
        }
        let values: Vec<Value> = vars.iter().map(|&v| self.guess(edge, v)).collect();
        self.answers.push_back((edge, values.clone()));
        Some(values)
    }

    fn may_skip(&self, _at: LocId) -> bool {
        true
    }

    fn choose(&mut self, _at: LocId, enabled: &[EdgeId]) -> Option<usize> {
        self.chose |= enabled.len() > 1;
        Some(if enabled.len() == 1 {
            0
        } else {
            self.below(enabled.len())
        })
    }
}
