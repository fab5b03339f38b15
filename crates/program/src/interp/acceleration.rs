//! Acceleration: a loop that only counts is not run iteration by iteration but jumped over.
//!
//! Idea: the last edges taken repeat themselves with some period. If in one iteration every number grows
//! by a constant and nothing else changes, then in iteration k each is `base + k * slope`, and every branch
//! that was taken compares such lines: for how many iterations it stays as it is can be computed. The state
//! after that many iterations is known without running them.
//! ```text
//!   x = 0; while (x < 1000000) { x = x + 3; }      iteration: x := x + 3; x < 1000000
//!   in iteration k from x = 30: x = 30 + 3k, taken as long as 30 + 3k < 1000000: jump 323,324 iterations
//! ```
//! Exact by induction over the iterations: an iteration is simulated for all k at once, and each operation either
//! gives a line again, under a bound on k, or ends the attempt. Only iterations are jumped over that ask the
//! oracle nothing, write no array and print nothing.

use super::action::{Action, TargetKind};
use super::code::{Instr, Reg, Slot, execute};
use super::machine::Interpreter;
use super::value::Val;
use crate::{EdgeId, FuncId, LocId, Stmt};
use logic::Op;

/// Edges that are looked at for a period.
const WINDOW: usize = 2048;
/// Steps before the first look, and between two looks after a jump.
const FIRST_LOOK: u64 = 20_000;
const AFTER_JUMP: u64 = 2 * WINDOW as u64;
/// States with more variables are left alone.
const MOST_SLOTS: usize = 20_000;

/// Edges that a run has taken again and again, the next one first.
pub struct Iteration {
    pub edges: Vec<EdgeId>,
    /// The fewest calls open in it: from there its frames are all its own.
    pub depth: usize,
}

/// Watches a run for iterations.
pub struct Watch {
    window: Vec<EdgeId>,
    /// Calls open before each edge of the window.
    depths: Vec<usize>,
    /// The work after which edges are noted next.
    next: u64,
}

impl Default for Watch {
    fn default() -> Self {
        Watch {
            window: Vec::new(),
            depths: Vec::new(),
            next: FIRST_LOOK,
        }
    }
}

impl Watch {
    /// Whether the run should be noted; `work` are the steps run so far.
    pub fn is_due(&self, work: u64) -> bool {
        work >= self.next
    }

    /// Notes an edge, taken with so many calls open. Gives the last iteration if there is one, once
    /// enough edges are known.
    pub fn note(&mut self, edge: EdgeId, depth: usize) -> Option<Iteration> {
        self.window.push(edge);
        self.depths.push(depth);
        if self.window.len() < WINDOW {
            return None;
        }
        let iteration = period(&self.window).and_then(|p| {
            Some(Iteration {
                edges: self.window[WINDOW - p..].to_vec(),
                depth: *self.depths[WINDOW - p..].iter().min()?,
            })
        });
        self.window.clear();
        self.depths.clear();
        // Nothing repeats itself: look again when the run is twice as long.
        if iteration.is_none() {
            self.next *= 2;
        }
        iteration
    }

    /// A iteration was tried.
    pub fn tried(&mut self, jumped: bool, work: u64) {
        self.next = match jumped {
            true => work + AFTER_JUMP,
            false => work * 2,
        };
    }
}

/// The shortest period of the sequence, if it is at most half of it.
fn period(edges: &[EdgeId]) -> Option<usize> {
    // The longest proper border of each prefix (Knuth, Morris, Pratt).
    let mut border = vec![0; edges.len()];
    for i in 1..edges.len() {
        let mut k: usize = border[i - 1];
        while k > 0 && edges[i] != edges[k] {
            k = border[k - 1];
        }
        border[i] = k + usize::from(edges[i] == edges[k]);
    }
    let p = edges.len() - border.last()?;
    (p <= edges.len() / 2).then_some(p)
}

/// A value in iteration k: `value + k * slope`. What is no small integer has slope 0.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    value: Val,
    slope: i128,
}

impl Line {
    fn same(value: Val) -> Self {
        Line { value, slope: 0 }
    }

    fn number(&self) -> Option<(i128, i128)> {
        match self.value {
            Val::Int(value) => Some((value, self.slope)),
            _ => None,
        }
    }

    /// The value in iteration k.
    fn after(&self, k: i128) -> Option<Val> {
        Some(match self.number() {
            Some((value, slope)) => Val::Int(value.checked_add(slope.checked_mul(k)?)?),
            None => self.value.clone(),
        })
    }
}

/// The state in iteration k, and for how many iterations what was found holds.
struct Simulation<'m, 'a> {
    machine: &'m Interpreter<'a>,
    globals: Vec<Line>,
    stack: Vec<Line>,
    /// Calls open, with the place of their frame and the edge that made them.
    calls: Vec<(FuncId, usize, Option<EdgeId>)>,
    iterations: i128,
}

/// The state after some iterations.
pub struct Jump {
    pub globals: Vec<Val>,
    pub stack: Vec<Val>,
    pub iterations: u64,
}

/// How far the run at `at` can be taken along the iteration, if at all.
pub fn jump(machine: &Interpreter<'_>, at: LocId, iteration: &[EdgeId]) -> Option<Jump> {
    if machine.globals.len() + machine.stack.len() > MOST_SLOTS {
        return None;
    }
    let mut once = Simulation::new(machine);
    once.iteration(at, iteration)?;
    let mut all = Simulation::new(machine);
    incline(&mut all.globals, &once.globals)?;
    incline(&mut all.stack, &once.stack)?;
    let (globals, stack) = (all.globals.clone(), all.stack.clone());
    all.iteration(at, iteration)?;
    // Sound because iteration 0 starts in the state now, and each iteration ends where the next one starts:
    // by induction iteration k starts in `globals`, `stack` at k, for all k up to `iterations`.
    let follows = |(start, end): (&Line, &Line)| {
        start.slope == end.slope && start.after(1).as_ref() == Some(&end.value)
    };
    if !globals.iter().zip(&all.globals).all(follows) || !stack.iter().zip(&all.stack).all(follows)
    {
        return None;
    }
    let iterations = all.iterations;
    let after = |lines: &[Line]| {
        lines
            .iter()
            .map(|l| l.after(iterations))
            .collect::<Option<_>>()
    };
    Some(Jump {
        globals: after(&globals)?,
        stack: after(&stack)?,
        // A iteration that changes nothing goes on for ever.
        iterations: u64::try_from(iterations)
            .ok()
            .filter(|l| *l > 1 && iterations < i128::MAX)?,
    })
}

/// Gives each line the slope that one iteration shows.
fn incline(lines: &mut [Line], after: &[Line]) -> Option<()> {
    for (line, after) in lines.iter_mut().zip(after) {
        match (&line.value, &after.value) {
            (Val::Int(a), Val::Int(b)) => line.slope = b.checked_sub(*a)?,
            (Val::Array(a), Val::Array(b)) if std::rc::Rc::ptr_eq(a, b) => {}
            (Val::Array(_), _) => return None,
            (a, b) if a == b => {}
            _ => return None,
        }
    }
    Some(())
}

impl<'m, 'a> Simulation<'m, 'a> {
    fn new(machine: &'m Interpreter<'a>) -> Self {
        let line = |v: &Val| Line::same(v.clone());
        Simulation {
            globals: machine.globals.iter().map(line).collect(),
            stack: machine.stack.iter().map(line).collect(),
            calls: machine
                .calls
                .iter()
                .map(|c| (c.func, c.base, c.edge))
                .collect(),
            machine,
            iterations: i128::MAX,
        }
    }

    /// Runs the iteration from `at` back to it; `None` where it cannot be followed for all iterations.
    fn iteration(&mut self, at: LocId, iteration: &[EdgeId]) -> Option<()> {
        let depth = self.calls.len();
        let mut loc = at;
        for &edge in iteration {
            self.choose(loc, edge)?;
            loc = self.take(edge)?;
            while loc == self.machine.program.functions[self.calls.last()?.0].exit {
                // The caller's frame is part of the state only above where the iteration began.
                if self.calls.len() <= depth {
                    return None;
                }
                loc = self.leave()?;
            }
        }
        (loc == at && self.calls.len() == depth).then_some(())
    }

    /// The edge must be the only one that is enabled.
    fn choose(&mut self, loc: LocId, edge: EdgeId) -> Option<()> {
        let branches = &self.machine.out[loc];
        for &other in &branches.edges {
            let open = match &self.machine.actions[other] {
                Action::Assume(code) => {
                    let regs = self.run(&code.instrs)?;
                    regs[code.results[0] as usize].value.truth()
                }
                _ => true,
            };
            if open != (other == edge) {
                return None;
            }
            if branches.exclusive {
                break;
            }
        }
        Some(())
    }

    fn take(&mut self, edge: EdgeId) -> Option<LocId> {
        if self.machine.outputs.contains_key(&edge) {
            return None;
        }
        let to = self.machine.program.edges[edge].to;
        match &self.machine.actions[edge] {
            Action::Skip | Action::Assume(_) => Some(to),
            Action::Havoc(_) => None,
            Action::Assign(code, targets) => {
                let regs = self.run(&code.instrs)?;
                for target in targets {
                    let TargetKind::Result(i) = &target.kind else {
                        return None;
                    };
                    let line = regs[code.results[*i] as usize].clone();
                    if let Some((low, high)) = &target.range {
                        self.between(low, &line, high)?;
                    }
                    *self.cell(target.slot) = line;
                }
                Some(to)
            }
            Action::Call(callee, code) => {
                let regs = self.run(&code.instrs)?;
                let args = code.results.iter().map(|r| regs[*r as usize].clone());
                let args: Vec<Line> = args.collect();
                self.enter(edge, *callee, args)
            }
        }
    }

    fn enter(&mut self, edge: EdgeId, callee: FuncId, args: Vec<Line>) -> Option<LocId> {
        let machine = self.machine;
        if !machine.inputs[callee].is_empty() || self.stack.len() > MOST_SLOTS {
            return None;
        }
        let base = self.stack.len();
        let fresh = machine.frames[callee].iter().cloned();
        self.stack.extend(fresh.map(Line::same));
        self.calls.push((callee, base, Some(edge)));
        let f = &machine.program.functions[callee];
        for (i, (&param, line)) in f.params.iter().zip(args).enumerate() {
            self.fits(param, &line)?;
            self.stack[base + i] = line;
        }
        Some(f.entry)
    }

    fn leave(&mut self) -> Option<LocId> {
        let program = self.machine.program;
        let (func, base, edge) = self.calls.pop()?;
        let f = &program.functions[func];
        let first = base + f.params.len();
        let returned = self.stack[first..first + f.returns.len()].to_vec();
        self.stack.truncate(base);
        let edge = &program.edges[edge?];
        let Stmt::Call { results, .. } = &edge.stmt else {
            return None;
        };
        for (&var, line) in results.iter().zip(returned) {
            self.fits(var, &line)?;
            let slot = self.machine.slots[&var];
            *self.cell(slot) = line;
        }
        Some(edge.to)
    }

    fn cell(&mut self, slot: Slot) -> &mut Line {
        match slot {
            Slot::Global(i) => &mut self.globals[i as usize],
            Slot::Frame(i) => {
                let base = self.calls.last().map_or(0, |c| c.1);
                &mut self.stack[base + i as usize]
            }
        }
    }

    /// The line stays within the range of the variable.
    fn fits(&mut self, var: crate::VarId, line: &Line) -> Option<()> {
        match &self.machine.program.vars[var].range {
            Some((low, high)) => {
                let (low, high) = (Val::number(low.clone()), Val::number(high.clone()));
                self.between(&low, line, &high)
            }
            None => Some(()),
        }
    }

    fn between(&mut self, low: &Val, line: &Line, high: &Val) -> Option<()> {
        let (low, high) = (Line::same(low.clone()), Line::same(high.clone()));
        (self.le(&low, line)? && self.le(line, &high)?).then_some(())
    }

    /// The truth of `a <= b` now, and for as many iterations as it stays so.
    fn le(&mut self, a: &Line, b: &Line) -> Option<bool> {
        if a.slope == 0 && b.slope == 0 {
            return Some(a.value.le(&b.value));
        }
        let (value, slope) = difference(b, a)?;
        let holds = value >= 0;
        // Where it does not hold, the opposite stays: value + k * slope <= -1.
        let (rest, slope) = match holds {
            true => (value, slope),
            false => (value.checked_neg()?.checked_sub(1)?, slope.checked_neg()?),
        };
        if slope < 0 {
            self.limit(rest / slope.checked_neg()? + 1);
        }
        Some(holds)
    }

    fn eq(&mut self, a: &Line, b: &Line) -> Option<bool> {
        if a.slope == 0 && b.slope == 0 {
            return Some(a.value == b.value);
        }
        let (value, slope) = difference(a, b)?;
        if value == 0 && slope != 0 {
            self.limit(1);
        } else if slope != 0 && value.checked_rem(slope)? == 0 && (value < 0) != (slope < 0) {
            self.limit(value.checked_div(slope)?.checked_neg()?);
        }
        Some(value == 0)
    }

    fn limit(&mut self, iterations: i128) {
        self.iterations = self.iterations.min(iterations);
    }

    /// All registers of a piece of code.
    fn run(&mut self, instrs: &[Instr]) -> Option<Vec<Line>> {
        let mut regs: Vec<Line> = Vec::with_capacity(instrs.len());
        let mut values: Vec<Val> = Vec::with_capacity(instrs.len());
        for instr in instrs {
            let line = self.execute(instr, &regs, &values)?;
            values.push(line.value.clone());
            regs.push(line);
        }
        Some(regs)
    }

    /// One instruction; `values` are those of the registers in iteration 0.
    fn execute(&mut self, instr: &Instr, regs: &[Line], values: &[Val]) -> Option<Line> {
        let at = |r: &Reg| &regs[*r as usize];
        match instr {
            Instr::Load(slot) => Some(self.cell(*slot).clone()),
            Instr::Stores(..) => None,
            Instr::Eq(a, b) => Some(Line::same(Val::Bool(self.eq(at(a), at(b))?))),
            Instr::Le(a, b) => Some(Line::same(Val::Bool(self.le(at(a), at(b))?))),
            Instr::Ite(c, a, b) => Some(at(if at(c).value.truth() { a } else { b }).clone()),
            Instr::Copy(a) => Some(at(a).clone()),
            Instr::Add(list) => {
                let mut total = at(&list[0]).clone();
                for r in &list[1..] {
                    total = sum(&total, at(r))?;
                }
                Some(total)
            }
            Instr::Mul(list) => {
                let mut total = at(&list[0]).clone();
                for r in &list[1..] {
                    total = product(&total, at(r))?;
                }
                Some(total)
            }
            Instr::Wrap(bits, signed, a) if at(a).slope != 0 => self.wrap(*bits, *signed, at(a)),
            Instr::Machine(op, a, b) if at(a).slope != 0 => self.remainder(*op, at(a), at(b)),
            // Everything else is computed where nothing it reads changes from iteration to iteration.
            other => {
                let constant = other.inputs().iter().all(|r| at(r).slope == 0);
                constant.then(|| Line::same(execute(other, &[], &[], values)))
            }
        }
    }

    /// In range the value is the line moved by a multiple of the type's size.
    fn wrap(&mut self, bits: u8, signed: bool, a: &Line) -> Option<Line> {
        if bits >= 126 {
            return None;
        }
        let size = 1i128 << bits;
        let low = if signed { -(size / 2) } else { 0 };
        let line = Line {
            value: a.value.wrap(bits, signed),
            slope: a.slope,
        };
        self.between(&Val::Int(low), &line, &Val::Int(low + size - 1))?;
        Some(line)
    }

    /// The remainder by a constant that divides the slope.
    fn remainder(&mut self, op: Op, a: &Line, b: &Line) -> Option<Line> {
        let ((value, slope), (divisor, 0)) = (a.number()?, b.number()?) else {
            return None;
        };
        if slope.checked_rem(divisor)? != 0 {
            return None;
        }
        match op {
            Op::Mod => {}
            // C's remainder has the sign of the dividend, which must stay.
            Op::CRem => {
                let zero = Line::same(Val::Int(0));
                match value >= 0 {
                    true => self.le(&zero, a)?,
                    false => self.le(a, &zero)?,
                };
            }
            _ => return None,
        }
        Some(Line::same(a.value.machine(op, &b.value)))
    }
}

fn sum(a: &Line, b: &Line) -> Option<Line> {
    if a.slope == 0 && b.slope == 0 {
        return Some(Line::same(a.value.add(&b.value)));
    }
    let ((u, s), (v, t)) = (a.number()?, b.number()?);
    Some(Line {
        value: Val::Int(u.checked_add(v)?),
        slope: s.checked_add(t)?,
    })
}

fn difference(a: &Line, b: &Line) -> Option<(i128, i128)> {
    let ((u, s), (v, t)) = (a.number()?, b.number()?);
    Some((u.checked_sub(v)?, s.checked_sub(t)?))
}

fn product(a: &Line, b: &Line) -> Option<Line> {
    if a.slope == 0 && b.slope == 0 {
        return Some(Line::same(a.value.mul(&b.value)));
    }
    let ((u, s), (v, t)) = (a.number()?, b.number()?);
    if s != 0 && t != 0 {
        return None;
    }
    Some(Line {
        value: Val::Int(u.checked_mul(v)?),
        slope: s.checked_mul(v)?.checked_add(t.checked_mul(u)?)?,
    })
}

#[cfg(test)]
mod tests;
