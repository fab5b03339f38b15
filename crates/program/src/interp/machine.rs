//! The running machine: compiled edges, globals, the stack, one step after the other.

use super::action::{Action, Target, TargetKind, action, exclusive};
use super::code::{Code, Compiler, Slot};
use super::value::{Array, Val};
use super::{Change, Limits, Oracle, Outcome, Output, Run, Taken};
use crate::analysis::liveness::uninitialised;
use crate::interp::acceleration::{self, Iteration, Watch};
use crate::{Edge, EdgeId, FuncId, LocId, Program, Stmt, VarId};
use base::{FxHashMap, IndexVec};
use logic::{Pool, Value};
use std::rc::Rc;

/// Longest text an output call may print from memory.
const TEXT_LIMIT: usize = 1 << 20;

/// Steps between two questions whether the run may go on.
const ASKED_EVERY: u64 = 1 << 9;
/// So many instructions are made at most before the oracle is asked: some steps are long, large numbers longer.
const MOST_UNASKED: u64 = 1 << 16;

/// A program made ready to run.
pub struct Interpreter<'a> {
    pool: &'a Pool,
    pub(super) program: &'a Program,
    pub(super) slots: FxHashMap<VarId, Slot>,
    pub(super) actions: IndexVec<EdgeId, Action>,
    pub(super) out: IndexVec<LocId, Branches>,
    pub(super) outputs: FxHashMap<EdgeId, Code>,
    pub(super) inputs: IndexVec<FuncId, Vec<VarId>>,
    /// Variables of each function in the order of its frame, with default values.
    pub(super) frames: IndexVec<FuncId, Vec<Val>>,
    pub(super) globals: Vec<Val>,
    pub(super) stack: Vec<Val>,
    pub(super) calls: Vec<Call>,
    /// Instructions that the oracle was not told of yet: short runs, one after the other, are long ones together.
    instructions: u64,
}

/// Ways out of a location.
pub(super) struct Branches {
    pub(super) edges: Vec<EdgeId>,
    /// Instructions of these edges.
    pub(super) size: u64,
    /// Two assumptions of which exactly one holds.
    pub(super) exclusive: bool,
}

/// A call in progress.
#[derive(Clone)]
pub(super) struct Call {
    pub(super) func: FuncId,
    pub(super) base: usize,
    pub(super) edge: Option<EdgeId>,
}

impl<'a> Interpreter<'a> {
    pub fn new(pool: &'a Pool, program: &'a Program) -> Self {
        let mut slots = FxHashMap::default();
        for (i, v) in program.globals.iter().enumerate() {
            slots.insert(*v, Slot::Global(i as u32));
        }
        let initial = |v: &VarId| Val::from_value(&program.default_value(pool, *v));
        let mut frames = IndexVec::new();
        for f in program.functions.iter() {
            let own = f.params.iter().chain(&f.returns).chain(&f.locals);
            for (i, v) in own.clone().enumerate() {
                slots.insert(*v, Slot::Frame(i as u32));
            }
            frames.push(own.map(initial).collect());
        }
        let compiler = Compiler::new(pool, program, &slots);
        let actions = program
            .edges
            .iter()
            .map(|e| action(&compiler, &slots, e))
            .collect();
        let actions: IndexVec<EdgeId, Action> = actions;
        let size = |edges: &[EdgeId]| edges.iter().map(|&e| actions[e].size()).sum();
        let successors = program.successors();
        let outputs = program.outputs.iter().map(|(edge, call)| {
            let mut terms = call.args.clone();
            terms.extend(call.memory.iter().flatten());
            (*edge, compiler.compile(&terms))
        });
        let out = successors
            .iter()
            .map(|edges| Branches {
                exclusive: exclusive(pool, program, edges),
                size: size(edges),
                edges: edges.clone(),
            })
            .collect();
        Interpreter {
            pool,
            program,
            out,
            actions,
            outputs: outputs.collect(),
            inputs: uninitialised(pool, program),
            globals: program.globals.iter().map(initial).collect(),
            frames,
            slots,
            stack: Vec::new(),
            calls: Vec::new(),
            instructions: 0,
        }
    }

    /// The value of a global, or of a variable of the function that runs (after a run: where it
    /// ended); `None` for variables of other functions.
    pub fn value(&self, var: VarId) -> Option<Value> {
        self.read(var).map(|v| v.to_value())
    }

    fn read(&self, var: VarId) -> Option<&Val> {
        match *self.slots.get(&var)? {
            Slot::Global(i) => self.globals.get(i as usize),
            Slot::Frame(i) => {
                let call = self.calls.last()?;
                let f = &self.program.functions[call.func];
                let mut own = f.params.iter().chain(&f.returns).chain(&f.locals);
                own.any(|v| *v == var)
                    .then(|| self.stack.get(call.base + i as usize))?
            }
        }
    }

    fn cell(&mut self, slot: Slot) -> &mut Val {
        match slot {
            Slot::Global(i) => &mut self.globals[i as usize],
            Slot::Frame(i) => {
                let base = self.calls.last().map_or(0, |c| c.base);
                &mut self.stack[base + i as usize]
            }
        }
    }

    /// Gives a cell that nobody wrote another content.
    fn place(&mut self, var: VarId, index: &Value, value: &Value) {
        if let Some(&slot) = self.slots.get(&var)
            && let Val::Array(array) = self.cell(slot)
        {
            Rc::make_mut(array).set(&Val::from_value(index), Val::from_value(value));
        }
    }

    /// Runs from the entry until the run ends.
    pub fn run<O: Oracle + ?Sized>(&mut self, oracle: &mut O, limits: &Limits) -> Run {
        let mut run = Run {
            outcome: Outcome::OutOfSteps,
            steps: 0,
            skipped: 0,
            trace: Vec::new(),
        };
        run.outcome = match self.start(oracle) {
            Err(outcome) => outcome,
            Ok(()) => {
                let entry = self.program.functions[self.program.entry].entry;
                self.steps(entry, oracle, limits, &mut run)
            }
        };
        run
    }

    /// Goes on from a location, in the state in which the last run ended there.
    pub fn go_on<O: Oracle + ?Sized>(&mut self, at: LocId, oracle: &mut O, limits: &Limits) -> Run {
        let mut run = Run {
            outcome: Outcome::OutOfSteps,
            steps: 0,
            skipped: 0,
            trace: Vec::new(),
        };
        run.outcome = self.steps(at, oracle, limits, &mut run);
        run
    }

    fn start<O: Oracle + ?Sized>(&mut self, oracle: &mut O) -> Result<(), Outcome> {
        let program = self.program;
        let main = program.entry;
        self.stack = self.frames[main].clone();
        self.calls = vec![Call {
            func: main,
            base: 0,
            edge: None,
        }];
        let f = &program.functions[main];
        let globals = program.globals.iter();
        for &var in globals.chain(&f.params).chain(&f.locals).chain(&f.returns) {
            let value = match oracle.initial(var) {
                Some(value) if program.in_range(var, &value) => value,
                Some(_) => return Err(Outcome::Rejected(f.entry)),
                None => program.default_value(self.pool, var),
            };
            let mut value = Val::from_value(&value);
            if let Val::Array(array) = &mut value
                && let Some(unwritten) = oracle.unwritten(var)
            {
                Rc::make_mut(array).fill(unwritten);
            }
            let slot = self.slots[&var];
            *self.cell(slot) = value;
        }
        Ok(())
    }

    fn steps<O: Oracle + ?Sized>(
        &mut self,
        mut loc: LocId,
        oracle: &mut O,
        limits: &Limits,
        run: &mut Run,
    ) -> Outcome {
        let program = self.program;
        let mut regs = Vec::new();
        let mut enabled = Vec::new();
        let mut cells = 0;
        let mut watch = Watch::default();
        let mut iteration: Option<Iteration> = None;
        loop {
            let location = &program.locations[loc];
            if location.error.is_some() {
                return Outcome::ReachedError(loc);
            }
            if loc == program.functions[location.func].exit {
                match self.leave(limits, run) {
                    Ok(Some(next)) => {
                        loc = next;
                        continue;
                    }
                    Ok(None) => return Outcome::Exited,
                    Err(outcome) => return outcome,
                }
            }
            let work = run.steps - run.skipped;
            self.instructions += self.out[loc].size;
            let due = work.is_multiple_of(ASKED_EVERY) || self.instructions > MOST_UNASKED;
            let asked = due && !oracle.may_go_on(std::mem::take(&mut self.instructions));
            if work >= limits.steps || asked {
                return Outcome::OutOfSteps;
            }
            match iteration.take() {
                Some(found) if self.calls.len() == found.depth => {
                    let jumped = self.jump(oracle, loc, &found.edges, run);
                    watch.tried(jumped, work);
                }
                Some(mut later) => {
                    later.edges.rotate_left(1);
                    iteration = Some(later);
                }
                None => {}
            }
            self.enabled(loc, &mut enabled, &mut regs);
            if enabled.is_empty() {
                return Outcome::Blocked(loc);
            }
            let Some(choice) = oracle.choose(loc, &enabled) else {
                return Outcome::OutOfInputs(loc);
            };
            let Some(&edge) = enabled.get(choice) else {
                return Outcome::Rejected(loc);
            };
            run.steps += 1;
            if iteration.is_none() && watch.is_due(work) && !limits.trace {
                iteration = watch.note(edge, self.calls.len());
            }
            if limits.trace {
                run.trace.push(Taken {
                    edge,
                    depth: self.calls.len() as u32 - 1,
                    returns: false,
                    changes: Vec::new(),
                });
            }
            let printed = self.printed(edge);
            match self.take(edge, oracle, limits, run, &mut regs, &mut cells) {
                Ok(next) => loc = next,
                Err(outcome) => return outcome,
            }
            if let Some(args) = printed {
                let call = &program.outputs[&edge];
                oracle.output(edge, call, &args);
                for (var, index, value) in oracle.place(call, &args) {
                    self.place(var, &index, &value);
                }
            }
            if cells + self.stack.len() as u64 > limits.cells {
                cells = self.count_cells();
                if cells > limits.cells {
                    return Outcome::OutOfMemory;
                }
            }
        }
    }

    /// Goes as many iterations at once as are all alike, if the oracle need not see them.
    fn jump<O: Oracle + ?Sized>(
        &mut self,
        oracle: &O,
        at: LocId,
        iteration: &[EdgeId],
        run: &mut Run,
    ) -> bool {
        let edges = &self.program.edges;
        if !iteration.iter().all(|e| oracle.may_skip(edges[*e].from)) {
            return false;
        }
        let Some(jump) = acceleration::jump(self, at, iteration) else {
            return false;
        };
        let steps = jump.iterations.saturating_mul(iteration.len() as u64);
        run.steps = run.steps.saturating_add(steps);
        run.skipped = run.skipped.saturating_add(steps);
        self.globals = jump.globals;
        self.stack = jump.stack;
        true
    }

    fn frame(&self) -> &[Val] {
        &self.stack[self.calls.last().map_or(0, |c| c.base)..]
    }

    fn enabled(&self, loc: LocId, enabled: &mut Vec<EdgeId>, regs: &mut Vec<Val>) {
        enabled.clear();
        let branches = &self.out[loc];
        for &edge in &branches.edges {
            let open = match &self.actions[edge] {
                Action::Assume(code) => {
                    code.run(&self.globals, self.frame(), regs);
                    regs[code.results[0] as usize].truth()
                }
                _ => true,
            };
            if open {
                enabled.push(edge);
                if branches.exclusive {
                    return;
                }
            } else if branches.exclusive {
                let other = branches.edges[1];
                enabled.push(other);
                return;
            }
        }
    }

    /// Executes an edge whose assumption, if it is one, holds.
    fn take<O: Oracle + ?Sized>(
        &mut self,
        edge: EdgeId,
        oracle: &mut O,
        limits: &Limits,
        run: &mut Run,
        regs: &mut Vec<Val>,
        cells: &mut u64,
    ) -> Result<LocId, Outcome> {
        let program = self.program;
        let Edge { from, to, .. } = program.edges[edge];
        let actions = std::mem::take(&mut self.actions);
        let result = match &actions[edge] {
            Action::Skip | Action::Assume(_) => Ok(to),
            Action::Assign(code, targets) => {
                code.run(&self.globals, self.frame(), regs);
                if self.assign(targets, code, regs, limits, run, cells) {
                    Ok(to)
                } else {
                    Err(Outcome::Blocked(from))
                }
            }
            Action::Havoc(vars) => match oracle.havoc(edge, vars) {
                None => Err(Outcome::OutOfInputs(from)),
                Some(values) => self.set_all(from, vars, values, limits, run).map(|()| to),
            },
            Action::Call(callee, code) => {
                code.run(&self.globals, self.frame(), regs);
                let args = (0..code.results.len()).map(|i| code.result(regs, i));
                let args: Vec<Val> = args.collect();
                self.enter(edge, *callee, args, oracle, limits, run)
            }
        };
        self.actions = actions;
        result
    }

    /// Assigns in parallel; false if a value is out of range (then nothing changes).
    fn assign(
        &mut self,
        targets: &[Target],
        code: &Code,
        regs: &mut Vec<Val>,
        limits: &Limits,
        run: &mut Run,
        cells: &mut u64,
    ) -> bool {
        for target in targets {
            if let (Some((low, high)), TargetKind::Result(i)) = (&target.range, &target.kind) {
                let value = &regs[code.results[*i] as usize];
                if !(low.le(value) && value.le(high)) {
                    return false;
                }
            }
        }
        let mut values = Vec::new();
        let mut writes = Vec::new();
        for target in targets {
            match &target.kind {
                TargetKind::Result(i) => values.push((target, code.result(regs, *i))),
                TargetKind::Writes(list) => {
                    for step in &list.steps {
                        let holds =
                            |(c, wanted): &(u32, bool)| regs[*c as usize].truth() == *wanted;
                        if step.conditions.iter().all(holds) {
                            let at = |r: &u32| regs[*r as usize].clone();
                            let path: Vec<Val> = step.path.iter().map(at).collect();
                            writes.push((target, path, at(&step.value)));
                        }
                    }
                }
            }
        }
        // Registers may hold the arrays: let go of them, so that writes need no copy.
        regs.clear();
        let mut changes = Vec::new();
        for (target, value) in values {
            if limits.trace {
                changes.push(change(target.var, None, &value));
            }
            self.instructions += value.weight();
            *self.cell(target.slot) = value;
        }
        for (target, path, value) in writes {
            *cells += 1;
            if limits.trace {
                changes.push(change(target.var, path.first(), &value));
            }
            write(self.cell(target.slot), &path, value);
        }
        if let Some(taken) = run.trace.last_mut() {
            taken.changes.extend(changes);
        }
        true
    }

    fn set_all(
        &mut self,
        at: LocId,
        vars: &[VarId],
        values: Vec<Value>,
        limits: &Limits,
        run: &mut Run,
    ) -> Result<(), Outcome> {
        let mut values = values;
        if values.is_empty() {
            let defaults = vars.iter();
            values = defaults
                .map(|v| self.program.default_value(self.pool, *v))
                .collect();
        }
        let fits = vars.len() == values.len()
            && vars
                .iter()
                .zip(&values)
                .all(|(v, x)| self.program.in_range(*v, x));
        if !fits {
            return Err(Outcome::Rejected(at));
        }
        for (&var, value) in vars.iter().zip(values) {
            let slot = self.slots[&var];
            *self.cell(slot) = Val::from_value(&value);
            if limits.trace
                && let Some(taken) = run.trace.last_mut()
            {
                let index = None;
                taken.changes.push(Change { var, index, value });
            }
        }
        Ok(())
    }

    fn enter<O: Oracle + ?Sized>(
        &mut self,
        edge: EdgeId,
        callee: FuncId,
        args: Vec<Val>,
        oracle: &mut O,
        limits: &Limits,
        run: &mut Run,
    ) -> Result<LocId, Outcome> {
        let program = self.program;
        let from = program.edges[edge].from;
        if (self.stack.len() + self.frames[callee].len()) as u64 > limits.cells {
            return Err(Outcome::OutOfMemory);
        }
        let f = &program.functions[callee];
        let fits = |(p, a): (&VarId, &Val)| match &program.vars[*p].range {
            Some((low, high)) => Val::number(low.clone()).le(a) && a.le(&Val::number(high.clone())),
            None => true,
        };
        if !f.params.iter().zip(&args).all(fits) {
            return Err(Outcome::Blocked(from));
        }
        let base = self.stack.len();
        self.stack.extend_from_slice(&self.frames[callee]);
        self.calls.push(Call {
            func: callee,
            base,
            edge: Some(edge),
        });
        for (i, (&var, value)) in f.params.iter().zip(args).enumerate() {
            if limits.trace
                && let Some(taken) = run.trace.last_mut()
            {
                taken.changes.push(change(var, None, &value));
            }
            self.stack[base + i] = value;
        }
        let inputs = self.inputs[callee].clone();
        if !inputs.is_empty() {
            let values = oracle
                .havoc(edge, &inputs)
                .ok_or(Outcome::OutOfInputs(from))?;
            self.set_all(from, &inputs, values, limits, run)?;
        }
        Ok(f.entry)
    }

    /// Returns from the function that runs; `None` if it was the entry function.
    fn leave(&mut self, limits: &Limits, run: &mut Run) -> Result<Option<LocId>, Outcome> {
        let program = self.program;
        let Some(edge) = self.calls.last().and_then(|c| c.edge) else {
            return Ok(None);
        };
        let call = self.calls.pop().expect("a call is in progress");
        let f = &program.functions[call.func];
        let first = call.base + f.params.len();
        let returned: Vec<Val> = self.stack[first..first + f.returns.len()].to_vec();
        self.stack.truncate(call.base);
        let Edge {
            from, to, ref stmt, ..
        } = program.edges[edge];
        let Stmt::Call { results, .. } = stmt else {
            return Err(Outcome::Blocked(from));
        };
        let mut changes = Vec::new();
        for (&var, value) in results.iter().zip(&returned) {
            if let Some((low, high)) = &program.vars[var].range {
                let (low, high) = (Val::number(low.clone()), Val::number(high.clone()));
                if !(low.le(value) && value.le(&high)) {
                    return Err(Outcome::Blocked(from));
                }
            }
            if limits.trace {
                changes.push(change(var, None, value));
            }
        }
        for (var, value) in results.iter().zip(returned) {
            let slot = self.slots[var];
            *self.cell(slot) = value;
        }
        if limits.trace {
            run.trace.push(Taken {
                edge,
                depth: self.calls.len() as u32 - 1,
                returns: true,
                changes,
            });
        }
        Ok(Some(to))
    }

    /// What the edge will print.
    fn printed(&self, edge: EdgeId) -> Option<Vec<Output>> {
        let code = self.outputs.get(&edge)?;
        let call = self.program.outputs.get(&edge)?;
        let mut regs = Vec::new();
        code.run(&self.globals, self.frame(), &mut regs);
        let mut next = call.args.len();
        let mut out = Vec::new();
        for i in 0..call.args.len() {
            let value = code.result(&regs, i);
            let mut text = None;
            if let Some(Some(_)) = call.memory.get(i) {
                let memory = code.result(&regs, next);
                next += 1;
                text = Some(text_at(&memory, &value));
            }
            out.push(Output {
                value: value.to_value(),
                text,
            });
        }
        Some(out)
    }

    pub(super) fn count_cells(&self) -> u64 {
        let size = |v: &Val| match v {
            Val::Array(a) => a.len() as u64 + 1,
            _ => 1,
        };
        self.globals.iter().chain(&self.stack).map(size).sum()
    }
}

fn text_at(memory: &Val, address: &Val) -> Vec<u8> {
    let (Val::Array(array), Val::Int(start)) = (memory, address) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    while out.len() < TEXT_LIMIT {
        match array.get(&Val::Int(start + out.len() as i128)) {
            Val::Int(0) => break,
            Val::Int(byte) => out.push((byte & 0xff) as u8),
            _ => break,
        }
    }
    out
}

fn change(var: VarId, index: Option<&Val>, value: &Val) -> Change {
    Change {
        var,
        index: index.map(Val::to_value),
        value: value.to_value(),
    }
}

/// Writes into a (nested) array in place.
fn write(cell: &mut Val, path: &[Val], value: Val) {
    let Some((index, rest)) = path.split_first() else {
        *cell = value;
        return;
    };
    let Val::Array(array) = cell else {
        panic!("store writes to an array");
    };
    let array: &mut Array = Rc::make_mut(array);
    if rest.is_empty() {
        array.set(index, value);
    } else {
        // The inner array leaves its place while it changes, so that it is not shared.
        let mut inner = array.get(index).clone();
        let default = array.default.clone();
        array.set(index, default);
        write(&mut inner, rest, value);
        array.set(index, inner);
    }
}
