//! The tables: runs of functions from boxes of inputs, and the states of each run where paths meet.
//!
//! Between meeting points ([`super::setting`]) paths are walked one by one. A
//! state that lies within a known one is not kept. States of the same cells are made one when there are some, and
//! take the whole of their cells if they keep growing; so there are finitely many. A location with very many
//! states gets one more for all the rest.

use super::setting::Setting;
use base::{Budget, FxHashMap, IndexVec, Stop};
use logic::{Compiled, Interval};
use program::analysis::boxes::{Boxes, Steps, Taken};
use program::{EdgeId, FuncId, LocId, Stmt, VarId};
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

/// Statements executed in one search, states in all, states of one location in one run, runs of one function.
const STEPS: u64 = 3_000_000;
const STEPS_A_TICK: u64 = 2;
const STATES: usize = 400_000;
const STATES_AT: usize = 600;
const RUNS: usize = 5_000;
/// States of the same cells that are kept apart, and how often one grows before it takes the whole of its cells.
const APART: usize = 4;
const GROWTH: u8 = 6;

/// How a search ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Safe,
    /// Some state leads to an error.
    Error,
    TooMany,
}

/// A function from some inputs.
struct Run {
    func: FuncId,
    /// The states that call it.
    callers: BTreeSet<u32>,
    /// Its states at the exit.
    exits: Vec<u32>,
}

/// A state at a meeting point of a run.
struct Node {
    run: u32,
    loc: LocId,
    /// Of the tracked variables of the point, in order.
    values: Box<[Interval]>,
    grown: u8,
    waiting: bool,
}

/// The cells that the ends of each interval lie in; none for the state of all the rest.
type Key = Box<[(u32, u32)]>;

pub(super) struct Search<'s, 'a> {
    setting: &'s Setting<'a>,
    steps: Steps<'a>,
    whole: Boxes,
    tracked: &'s IndexVec<VarId, bool>,
    /// The tracked variables of meeting points.
    vars: FxHashMap<LocId, Rc<[VarId]>>,
    arguments: FxHashMap<EdgeId, Rc<[Compiled]>>,
    runs: Vec<Run>,
    run_from: FxHashMap<(FuncId, Box<[Interval]>), u32>,
    runs_of: IndexVec<FuncId, usize>,
    nodes: Vec<Node>,
    index: FxHashMap<(u32, LocId, Key), Vec<u32>>,
    nodes_at: FxHashMap<(u32, LocId), usize>,
    queue: VecDeque<u32>,
    taken: u64,
    charged: u64,
    /// Nothing may be added any more.
    closed: bool,
}

impl<'s, 'a> Search<'s, 'a> {
    pub fn new(setting: &'s Setting<'a>, tracked: &'s IndexVec<VarId, bool>) -> Self {
        let (pool, program) = (setting.pool, setting.program);
        Search {
            setting,
            steps: Steps::new(pool, program),
            whole: Boxes::whole(pool, program),
            tracked,
            vars: FxHashMap::default(),
            arguments: FxHashMap::default(),
            runs: Vec::new(),
            run_from: FxHashMap::default(),
            runs_of: IndexVec::filled(0, program.functions.len()),
            nodes: Vec::new(),
            index: FxHashMap::default(),
            nodes_at: FxHashMap::default(),
            queue: VecDeque::new(),
            taken: 0,
            charged: 0,
            closed: false,
        }
    }

    pub fn states(&self) -> usize {
        self.nodes.len()
    }

    /// Adds states until none is missing.
    pub fn run(&mut self, budget: &Budget) -> Result<End, Stop> {
        let inputs = self.any_inputs();
        if self.run_of(self.setting.program.entry, inputs).is_none() {
            return Ok(End::TooMany);
        }
        let mut boxes = self.whole.clone();
        while let Some(node) = self.queue.pop_front() {
            self.nodes[node as usize].waiting = false;
            let end = self.execute(node, &mut boxes, budget)?;
            if end != End::Safe {
                return Ok(end);
            }
        }
        Ok(End::Safe)
    }

    /// Does every state lead to states that are there, and to no error?
    pub fn is_closed(&mut self, budget: &Budget) -> Result<bool, Stop> {
        self.closed = true;
        (self.taken, self.charged) = (0, 0);
        let inputs = self.any_inputs();
        if self.run_of(self.setting.program.entry, inputs).is_none() {
            return Ok(false);
        }
        let mut boxes = self.whole.clone();
        for node in 0..self.nodes.len() {
            if self.execute(node as u32, &mut boxes, budget)? != End::Safe {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn any_inputs(&mut self) -> Box<[Interval]> {
        let entry = self.setting.program.functions[self.setting.program.entry].entry;
        let vars = self.vars_at(entry);
        vars.iter().map(|v| self.whole.get(*v)).collect()
    }

    fn vars_at(&mut self, point: LocId) -> Rc<[VarId]> {
        let (setting, tracked) = (self.setting, self.tracked);
        let vars = self.vars.entry(point).or_insert_with(|| {
            let all = setting.points.get(&point).into_iter().flatten();
            all.copied().filter(|v| tracked[*v]).collect()
        });
        Rc::clone(vars)
    }

    /// The run of a function from these inputs, or from more of them if it has many; `None` if it may not be added.
    fn run_of(&mut self, func: FuncId, mut inputs: Box<[Interval]>) -> Option<u32> {
        let entry = self.setting.program.functions[func].entry;
        let vars = self.vars_at(entry);
        let mut known = self.run_from.get(&(func, inputs.clone()));
        if known.is_none() && self.runs_of[func] >= RUNS {
            inputs = vars.iter().map(|v| self.whole.get(*v)).collect();
            known = self.run_from.get(&(func, inputs.clone()));
        }
        if let Some(&run) = known {
            let entered = !self.closed || self.keep(run, entry, &vars, inputs);
            return entered.then_some(run);
        }
        if self.closed {
            return None;
        }
        self.runs_of[func] += 1;
        let run = self.runs.len() as u32;
        self.run_from.insert((func, inputs.clone()), run);
        self.runs.push(Run {
            func,
            callers: BTreeSet::new(),
            exits: Vec::new(),
        });
        self.keep(run, entry, &vars, inputs).then_some(run)
    }

    /// Executes all paths from a state to the next meeting points.
    fn execute(&mut self, number: u32, boxes: &mut Boxes, budget: &Budget) -> Result<End, Stop> {
        boxes.back_to(0);
        let (run, loc) = (
            self.nodes[number as usize].run,
            self.nodes[number as usize].loc,
        );
        let func = self.runs[run as usize].func;
        if self.setting.program.locations[loc].error.is_some() {
            return Ok(End::Error);
        }
        let exit = self.setting.program.functions[func].exit;
        if loc == exit && !self.returned(run, number) {
            return Ok(End::TooMany);
        }
        let vars = self.vars_at(loc);
        for (var, value) in vars.iter().zip(&self.nodes[number as usize].values) {
            boxes.set(*var, *value);
        }
        let start = boxes.mark();
        for n in 0..self.setting.successors[loc].len() {
            boxes.back_to(start);
            let edge = self.setting.successors[loc][n];
            let end = match &self.setting.program.edges[edge].stmt {
                Stmt::Call { .. } => self.call(number, edge, boxes, budget)?,
                _ => match self.steps.step(self.setting.pool, edge, boxes) {
                    Taken::No => End::Safe,
                    Taken::Unknown => End::TooMany,
                    Taken::Yes => {
                        let to = self.setting.program.edges[edge].to;
                        self.walk(run, to, boxes, budget)?
                    }
                },
            };
            if end != End::Safe {
                return Ok(end);
            }
        }
        Ok(End::Safe)
    }

    /// Whoever called the run goes on from its exit; `false` if that may not be added.
    fn returned(&mut self, run: u32, exit: u32) -> bool {
        let run = &mut self.runs[run as usize];
        let known = run.exits.contains(&exit);
        if self.closed {
            return known;
        }
        if !known {
            run.exits.push(exit);
        }
        for &caller in &run.callers {
            let node = &mut self.nodes[caller as usize];
            if !std::mem::replace(&mut node.waiting, true) {
                self.queue.push_back(caller);
            }
        }
        true
    }

    /// Tells the budget of the steps since the last time.
    fn is_too_much(&mut self, budget: &Budget) -> Result<bool, Stop> {
        let new = self.taken - self.charged;
        if new >= 256 {
            self.charged = self.taken;
            budget.spend(new / STEPS_A_TICK)?;
        }
        Ok(self.taken > STEPS)
    }

    /// All paths from a location to the next meeting points.
    fn walk(
        &mut self,
        run: u32,
        start: LocId,
        boxes: &mut Boxes,
        budget: &Budget,
    ) -> Result<End, Stop> {
        let program = self.setting.program;
        let mut arrived = vec![(start, usize::MAX, boxes.mark())];
        while let Some((loc, next, mark)) = arrived.last_mut() {
            boxes.back_to(*mark);
            if *next == usize::MAX {
                // The location is looked at itself, once.
                *next = 0;
                let loc = *loc;
                if program.locations[loc].error.is_some() {
                    return Ok(End::Error);
                }
                if self.setting.points.contains_key(&loc) {
                    arrived.pop();
                    if !self.arrive(run, loc, boxes) {
                        return Ok(End::TooMany);
                    }
                    continue;
                }
            }
            let Some((loc, next, _)) = arrived.last_mut() else {
                break;
            };
            let Some(&edge) = self.setting.successors[*loc].get(*next) else {
                arrived.pop();
                continue;
            };
            *next += 1;
            self.taken += 1;
            if self.is_too_much(budget)? {
                return Ok(End::TooMany);
            }
            match self.steps.step(self.setting.pool, edge, boxes) {
                Taken::No => {}
                Taken::Unknown => return Ok(End::TooMany),
                Taken::Yes => {
                    let to = program.edges[edge].to;
                    arrived.push((to, usize::MAX, boxes.mark()));
                }
            }
        }
        Ok(End::Safe)
    }

    /// Goes on after a call from all states that the callee ends with, so far.
    fn call(
        &mut self,
        caller: u32,
        edge: EdgeId,
        boxes: &mut Boxes,
        budget: &Budget,
    ) -> Result<End, Stop> {
        let program = self.setting.program;
        let Stmt::Call {
            callee,
            args,
            results,
        } = &program.edges[edge].stmt
        else {
            return Ok(End::TooMany);
        };
        let function = &program.functions[*callee];
        let compiled = match self.arguments.get(&edge) {
            Some(known) => Rc::clone(known),
            None => {
                let compile = |&a| self.steps.compile(self.setting.pool, a);
                let compiled: Rc<[Compiled]> = args.iter().map(compile).collect();
                self.arguments.insert(edge, Rc::clone(&compiled));
                compiled
            }
        };
        let mut given: FxHashMap<VarId, Interval> = FxHashMap::default();
        for (&param, arg) in function.params.iter().zip(compiled.iter()) {
            if !self.setting.scalar[param] {
                continue;
            }
            // Sound because an argument out of range ends the execution.
            let value = self.steps.value(boxes, arg).meet(&self.whole.get(param));
            if value.is_empty() {
                return Ok(End::Safe);
            }
            given.insert(param, value);
        }
        let vars = self.vars_at(function.entry);
        let input = |v: &VarId| given.get(v).copied().unwrap_or_else(|| boxes.get(*v));
        let inputs: Box<[Interval]> = vars.iter().map(input).collect();
        let Some(run) = self.run_of(*callee, inputs) else {
            return Ok(End::TooMany);
        };
        let run_of_caller = self.nodes[caller as usize].run;
        self.runs[run as usize].callers.insert(caller);
        let left = self.vars_at(function.exit);
        let before = boxes.mark();
        for n in 0..self.runs[run as usize].exits.len() {
            boxes.back_to(before);
            self.taken += 1;
            if self.is_too_much(budget)? {
                return Ok(End::TooMany);
            }
            let exit = self.runs[run as usize].exits[n];
            let values = &self.nodes[exit as usize].values;
            let value = |v: VarId| match left.binary_search(&v) {
                Ok(at) => values[at],
                Err(_) => self.whole.get(v),
            };
            let mut taken = true;
            let mut set = Vec::new();
            for (&result, &returned) in results.iter().zip(&function.returns) {
                // Sound because a result out of range ends the execution.
                let value = value(returned).meet(&self.whole.get(result));
                taken &= !value.is_empty();
                set.push((result, value));
            }
            if !taken {
                continue;
            }
            for &global in &self.setting.effects.writes[*callee] {
                boxes.set(global, value(global));
            }
            for (result, value) in set {
                boxes.set(result, value);
            }
            let end = self.walk(run_of_caller, program.edges[edge].to, boxes, budget)?;
            if end != End::Safe {
                return Ok(end);
            }
        }
        Ok(End::Safe)
    }

    /// Keeps the state at a meeting point if it is new; `false` if it may not.
    fn arrive(&mut self, run: u32, loc: LocId, boxes: &Boxes) -> bool {
        let vars = self.vars_at(loc);
        let values = vars.iter().map(|v| boxes.get(*v)).collect();
        self.keep(run, loc, &vars, values)
    }

    fn cell(&self, var: VarId, value: i128) -> u32 {
        self.setting.cells[var].partition_point(|first| *first <= value) as u32
    }

    fn keep(&mut self, run: u32, loc: LocId, vars: &[VarId], values: Box<[Interval]>) -> bool {
        // As long as some statements.
        self.taken += vars.len() as u64 / 4;
        let ends = vars.iter().zip(&values);
        let key: Key = ends
            .map(|(v, i)| (self.cell(*v, i.low), self.cell(*v, i.high)))
            .collect();
        let rest: Key = Box::new([]);
        if self.is_known(&(run, loc, key.clone()), &values)
            || self.is_known(&(run, loc, rest.clone()), &values)
        {
            return true;
        }
        if self.closed {
            return false;
        }
        let count = self.nodes_at.entry((run, loc)).or_default();
        let (place, apart) = match *count < STATES_AT {
            true => ((run, loc, key), APART),
            false => ((run, loc, rest), 1),
        };
        let same = self.index.entry(place).or_default();
        if same.len() >= apart
            && let Some(&old) = same.last()
        {
            self.grow(old, vars, &values);
            return true;
        }
        *count += 1;
        if self.nodes.len() >= STATES {
            return false;
        }
        let number = self.nodes.len() as u32;
        same.push(number);
        self.nodes.push(Node {
            run,
            loc,
            values,
            grown: 0,
            waiting: true,
        });
        self.queue.push_back(number);
        true
    }

    fn is_known(&self, place: &(u32, LocId, Key), values: &[Interval]) -> bool {
        let same = self.index.get(place).into_iter().flatten();
        same.map(|n| &self.nodes[*n as usize].values)
            .any(|known| known.iter().zip(values).all(|(a, b)| a.includes(b)))
    }

    /// Adds the values to a state.
    fn grow(&mut self, old: u32, vars: &[VarId], values: &[Interval]) {
        let grown = self.nodes[old as usize].grown.saturating_add(1);
        let mut all: Vec<Interval> = Vec::with_capacity(vars.len());
        for ((var, old), new) in vars
            .iter()
            .zip(&self.nodes[old as usize].values)
            .zip(values)
        {
            let mut hull = old.hull(new);
            if grown > GROWTH {
                let (range, cells) = (self.whole.get(*var), &self.setting.cells[*var]);
                if hull.low < old.low {
                    let cell = self.cell(*var, hull.low).checked_sub(1);
                    let first = cell.map(|c| cells[c as usize]);
                    hull.low = first.unwrap_or(range.low).max(range.low);
                }
                if hull.high > old.high {
                    let next = cells.get(self.cell(*var, hull.high) as usize);
                    hull.high = next.map_or(range.high, |n| n - 1).min(range.high);
                }
            }
            all.push(hull);
        }
        let node = &mut self.nodes[old as usize];
        node.grown = grown;
        node.values = all.into();
        if !std::mem::replace(&mut node.waiting, true) {
            self.queue.push_back(old);
        }
    }
}
