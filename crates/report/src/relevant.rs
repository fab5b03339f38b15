//! Which steps of an execution the violation depends on.
//!
//! A dynamic slice, backwards from the error: a step matters if it gives a value that a step that matters reads, or
//! decides that one is executed (the last branch of its call on which its location depends; the call itself).
//! Memory is taken entry by entry where the place read is a number in this execution, else as a whole.
//!
//! ```text
//!   int a = input();      matters: `b` comes from it
//!   int n = input();      does not
//!   b = a + 1;            matters
//!   if (n > 3) c++;       does not: the error is reached either way
//!   assert(b < 9);        fails
//! ```
//!
//! A branch that would have changed something, had it gone the other way, is not seen (`--trace full` shows all). Only for
//! readers: nothing is decided by it.

use base::{FxHashMap, FxHashSet};
use evidence::Trace;
use logic::{Evaluator, Op, Pool, SymbolId, TermId, Value};
use program::interp::Taken;
use program::{EdgeId, FuncId, LocId, Program, Property, Stmt, VarId, VarKind};

/// A variable of a call, or a global one (of call 0); an entry of it if it is an array.
type Place = (u32, VarId, Option<Value>);

/// Longer executions matter as a whole.
const STEPS: usize = 200_000;

/// Marks the steps that matter.
pub fn relevant(pool: &Pool, program: &Program, trace: &Trace) -> Vec<bool> {
    // What is leaked is so by what was not done.
    let leak = matches!(
        trace.property,
        Property::ValidMemtrack | Property::ValidMemcleanup
    );
    if leak || trace.steps.len() > STEPS || trace.steps.is_empty() {
        return vec![true; trace.steps.len()];
    }
    let mut story = Story::new(pool, program);
    for (i, step) in trace.steps.iter().enumerate() {
        story.step(i, step);
    }
    story.slice(trace)
}

/// What is known of a step.
struct Known {
    /// The call whose variables it changes.
    written: u32,
    reads: Vec<Place>,
    /// The branch, or the call, that decided that it is executed.
    because: Option<usize>,
}

struct Story<'a> {
    pool: &'a Pool,
    program: &'a Program,
    vars: FxHashMap<SymbolId, VarId>,
    values: FxHashMap<(u32, VarId), Value>,
    /// Open calls: number, the step that opened it, the last step from each branch.
    open: Vec<(u32, Option<usize>, FxHashMap<LocId, usize>)>,
    calls: u32,
    controls: FxHashMap<FuncId, FxHashMap<LocId, Vec<LocId>>>,
    next: FxHashMap<LocId, Vec<EdgeId>>,
    known: Vec<Known>,
}

impl<'a> Story<'a> {
    fn new(pool: &'a Pool, program: &'a Program) -> Self {
        let symbols = program.vars.iter_enumerated();
        let symbols = symbols.filter_map(|(v, var)| Some((pool.as_constant(var.term)?, v)));
        let mut next: FxHashMap<LocId, Vec<EdgeId>> = FxHashMap::default();
        for (id, edge) in program.edges.iter_enumerated() {
            next.entry(edge.from).or_default().push(id);
        }
        Story {
            pool,
            program,
            vars: symbols.collect(),
            values: FxHashMap::default(),
            open: vec![(1, None, FxHashMap::default())],
            calls: 1,
            controls: FxHashMap::default(),
            next,
            known: Vec::new(),
        }
    }

    /// The call that a variable belongs to.
    fn owner(&self, var: VarId, call: u32) -> u32 {
        match self.program.vars[var].kind {
            VarKind::Global => 0,
            _ => call,
        }
    }

    fn step(&mut self, i: usize, step: &Taken) {
        let edge = &self.program.edges[step.edge];
        let mut inner = 0;
        if step.returns {
            while self.open.len() > step.depth as usize + 1 {
                inner = self.open.pop().map_or(0, |o| o.0);
            }
        }
        let call = self.open.last().map_or(1, |o| o.0);
        let because = self.because(edge.from);
        let mut reads = Vec::new();
        let mut written = call;
        match &edge.stmt {
            Stmt::Call { callee, .. } if step.returns => {
                let returns = self.program.functions[*callee].returns.iter();
                reads.extend(returns.map(|&v| (self.owner(v, inner), v, None)));
            }
            Stmt::Call { args, .. } => {
                self.reads(args, &[], call, &mut reads);
                self.calls += 1;
                written = self.calls;
                self.open.push((written, Some(i), FxHashMap::default()));
            }
            Stmt::Assume(t) => self.reads(&[*t], &[], call, &mut reads),
            Stmt::Assign(pairs) => {
                let (vars, terms): (Vec<VarId>, Vec<TermId>) = pairs.iter().copied().unzip();
                self.reads(&terms, &vars, call, &mut reads);
            }
            Stmt::Skip | Stmt::Havoc(..) => {}
        }
        if self.next.get(&edge.from).is_some_and(|n| n.len() > 1)
            && let Some(open) = self.open.iter_mut().find(|o| o.0 == call)
        {
            open.2.insert(edge.from, i);
        }
        for change in step.changes.iter().filter(|c| c.index.is_none()) {
            if !matches!(change.value, Value::Array(_)) {
                let owner = self.owner(change.var, written);
                self.values
                    .insert((owner, change.var), change.value.clone());
            }
        }
        self.known.push(Known {
            written,
            reads,
            because,
        });
    }

    /// The last branch of the innermost call on which the location depends, else the call.
    fn because(&mut self, at: LocId) -> Option<usize> {
        let func = self.program.locations[at].func;
        if !self.controls.contains_key(&func) {
            let controls = self.controls_of(func);
            self.controls.insert(func, controls);
        }
        let (_, opened, last) = self.open.last()?;
        let branches = self.controls[&func].get(&at);
        let found = branches
            .into_iter()
            .flatten()
            .filter_map(|b| last.get(b).copied())
            .max();
        found.or(*opened)
    }

    /// For each location the branches that decide whether it is reached.
    fn controls_of(&self, func: FuncId) -> FxHashMap<LocId, Vec<LocId>> {
        let entry = self.program.functions[func].entry;
        let (mut order, mut seen) = (Vec::new(), FxHashSet::default());
        let mut stack = vec![(entry, 0)];
        seen.insert(entry);
        let next = |at: LocId| self.next.get(&at).map_or(&[][..], Vec::as_slice);
        while let Some((at, tried)) = stack.last_mut() {
            let edges = next(*at);
            match edges.get(*tried) {
                Some(&e) => {
                    *tried += 1;
                    let to = self.program.edges[e].to;
                    if seen.insert(to) {
                        stack.push((to, 0));
                    }
                }
                None => {
                    order.push(*at);
                    stack.pop();
                }
            }
        }
        // Ends first: 0 is the end of all, which every location without a way on leads to.
        let number: FxHashMap<LocId, usize> =
            order.iter().enumerate().map(|(i, &l)| (l, i + 1)).collect();
        let mut after: Vec<Option<usize>> = vec![None; order.len() + 1];
        after[0] = Some(0);
        let targets = |at: LocId| -> Vec<usize> {
            let list: Vec<usize> = next(at)
                .iter()
                .map(|&e| number[&self.program.edges[e].to])
                .collect();
            if list.is_empty() { vec![0] } else { list }
        };
        let depth = |after: &[Option<usize>], mut at: usize| {
            let mut n = 0;
            while at != 0 && n <= order.len() {
                at = after[at].unwrap_or(0);
                n += 1;
            }
            n
        };
        for _ in 0..ROUNDS {
            let mut changed = false;
            for (i, &at) in order.iter().enumerate() {
                let mut common: Option<usize> = None;
                for t in targets(at).into_iter().filter(|&t| after[t].is_some()) {
                    common = Some(match common {
                        None => t,
                        Some(c) => meet(&after, c, t, &depth),
                    });
                }
                if common.is_some() && after[i + 1] != common {
                    after[i + 1] = common;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        let mut out: FxHashMap<LocId, Vec<LocId>> = FxHashMap::default();
        for (i, &at) in order.iter().enumerate() {
            let to = targets(at);
            if to.len() < 2 {
                continue;
            }
            for t in to {
                let mut t = t;
                for _ in 0..=order.len() {
                    if t == 0 || Some(t) == after[i + 1] {
                        break;
                    }
                    let list = out.entry(order[t - 1]).or_default();
                    if !list.contains(&at) {
                        list.push(at);
                    }
                    t = after[t].unwrap_or(0);
                }
            }
        }
        out
    }

    /// The places that terms read, to give values to the variables.
    fn reads(&self, terms: &[TermId], given: &[VarId], call: u32, out: &mut Vec<Place>) {
        let all = self.pool.post_order(terms);
        let array = |t: TermId| self.variable(t).filter(|v| self.is_array(*v));
        let mut inside = FxHashSet::default();
        for &t in &all {
            if let (Op::Select, [a, index]) = (self.pool.op(t), self.pool.args(t))
                && let Some(var) = array(*a)
            {
                inside.insert(*a);
                out.push((self.owner(var, call), var, self.value(*index, call)));
            }
            if let (Op::Store, [a, ..]) = (self.pool.op(t), self.pool.args(t))
                && array(*a).is_some_and(|v| given.contains(&v))
            {
                // The other entries stay what they are.
                inside.insert(*a);
            }
        }
        for &t in &all {
            if let Some(var) = self.variable(t)
                && !inside.contains(&t)
            {
                out.push((self.owner(var, call), var, None));
            }
        }
    }

    fn variable(&self, t: TermId) -> Option<VarId> {
        self.vars.get(&self.pool.as_constant(t)?).copied()
    }

    fn is_array(&self, var: VarId) -> bool {
        self.program.vars[var].range.is_none()
    }

    /// The value of a term without memory.
    fn value(&self, t: TermId, call: u32) -> Option<Value> {
        let symbols = self.pool.symbols_of(&[t]);
        let mut known = FxHashMap::default();
        for s in symbols {
            let var = *self.vars.get(&s)?;
            let value = self.values.get(&(self.owner(var, call), var))?;
            known.insert(s, value.clone());
        }
        let lookup = |s: SymbolId| known.get(&s).cloned();
        Some(Evaluator::new(self.pool, lookup).eval(t))
    }

    fn slice(&self, trace: &Trace) -> Vec<bool> {
        let mut matters = vec![false; self.known.len()];
        let mut wanted: FxHashSet<Place> = FxHashSet::default();
        let mut arrays: FxHashSet<(u32, VarId)> = FxHashSet::default();
        let last = self.known.len() - 1;
        matters[last] = true;
        for i in (0..=last).rev() {
            let (known, step) = (&self.known[i], &trace.steps[i]);
            let gives = step.changes.iter().any(|c| {
                let owner = self.owner(c.var, known.written);
                let whole = wanted.contains(&(owner, c.var, None));
                whole
                    || match &c.index {
                        Some(k) => wanted.contains(&(owner, c.var, Some(k.clone()))),
                        None => arrays.contains(&(owner, c.var)),
                    }
            });
            if !gives && !matters[i] {
                continue;
            }
            matters[i] = true;
            for c in &step.changes {
                let owner = self.owner(c.var, known.written);
                let whole = c.index.is_none();
                wanted.remove(&(owner, c.var, c.index.clone()));
                if whole && arrays.remove(&(owner, c.var)) {
                    wanted.retain(|p| (p.0, p.1) != (owner, c.var));
                }
            }
            // A call only matters by what it hands over where something inside asks for it.
            for place in &known.reads {
                if place.2.is_some() {
                    arrays.insert((place.0, place.1));
                }
                wanted.insert(place.clone());
            }
            if let Some(because) = known.because {
                matters[because] = true;
            }
        }
        matters
    }
}

/// Rounds of the search for what comes after all ways from a branch.
const ROUNDS: usize = 16;

/// The first location that both lead to.
fn meet(
    after: &[Option<usize>],
    a: usize,
    b: usize,
    depth: &dyn Fn(&[Option<usize>], usize) -> usize,
) -> usize {
    let (mut a, mut b) = (a, b);
    let (mut x, mut y) = (depth(after, a), depth(after, b));
    while a != b {
        if x >= y {
            a = after[a].unwrap_or(0);
            x = x.saturating_sub(1);
        } else {
            b = after[b].unwrap_or(0);
            y = y.saturating_sub(1);
        }
        if a == 0 && b == 0 {
            break;
        }
    }
    a
}
