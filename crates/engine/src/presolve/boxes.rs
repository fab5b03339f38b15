//! Programs that decide by the ranges of their variables: all boxes of loop heads, by plain execution.
//!
//! Idea. An event-condition-action program, a protocol over modes, a product line compares its variables with a
//! few numbers only. Those numbers cut the values of each variable into *cells*; a loop head is reached with some
//! combinations of cells and not with others. So execute the program on boxes: where an interval decides a branch
//! it goes one way, else both; at a loop head the box is cut along the cells, and boxes of the same cells are one,
//! which grows to the ends of its cells if it keeps growing. If no error is met, the boxes are an invariant:
//!
//! ```text
//!   (mode = 2 && 141 <= a && a <= 245) || (mode = 3 && a <= 140) || ...
//! ```
//! which the checker confirms box by box in the same way (`evidence/src/boxes.rs`). If an error is met, one
//! concrete execution is sought along the boxes that led to it.
//!
//! Source: explicit-value analysis (Beyer and Löwe), interval analysis with trace partitioning (Mauborgne and
//! Rival). The only refinement: where the error is none, the search begins again and keeps more boxes of the same
//! cells apart. What that does not show is left to the engines.

use crate::api::Task;
use crate::limits::BoxLimits;
use crate::prepare::shared::{BoxesEnd, Shared};
use crate::prepare::{Base, Plain};
use base::{FxHashMap, FxHashSet, IndexVec, Stop};
use evidence::{Counterexample, Verdict};
use logic::{Interval, Pool, Rational, TermId, Value};
use program::analysis::boxes::{Boxes, Steps, Taken};
use program::analysis::cells::cells;
use program::analysis::liveness::liveness;
use program::analysis::modref::modref;
use program::analysis::reads::VarsOf;
use program::analysis::shape::shape;
use program::{EdgeId, LocId, Program, Step, Stmt, VarId};
use std::collections::{BTreeMap, VecDeque};

/// A proof or an error, if boxes show one within the limits.
pub fn explore(
    task: &mut Task<'_>,
    base: &Base,
    limits: &BoxLimits,
) -> Result<Option<Verdict>, Stop> {
    let options = task.options;
    let shared = options.shared.as_ref();
    let mut limits = limits.clone();
    match shared.and_then(Shared::boxes) {
        Some(BoxesEnd::Hopeless) => return Ok(None),
        Some(BoxesEnd::OutOfSteps) => limits.steps *= limits.second,
        None => {}
    }
    let plain = base.sliced(task);
    let leave = |end: BoxesEnd| {
        if let Some(shared) = shared {
            shared.set_boxes(end);
        }
    };
    loop {
        let mut search = Search::new(task.pool, &plain.program, &limits);
        if search.heads.is_empty() {
            return Ok(None);
        }
        let end = search.run(task)?;
        task.stats.max("boxes", search.nodes.len() as u64);
        task.stats.max("steps on boxes", search.steps_taken);
        match end {
            End::Safe => return Ok(Some(Verdict::Safe(search.proof(task.pool, &plain)))),
            End::Error(node) => {
                if let Some(found) = search.execution(task, node) {
                    return Ok(Some(Verdict::Unsafe(plain.original(found))));
                }
                // The boxes that led there are too large: fewer are made one in the next round.
                if limits.apart >= limits.most_apart {
                    leave(BoxesEnd::Hopeless);
                    task.stats.add("boxes given up: an error that is none", 1);
                    return Ok(None);
                }
                limits.apart *= limits.more_apart;
            }
            End::GaveUp(why) => {
                leave(match search.steps_taken > limits.steps {
                    true => BoxesEnd::OutOfSteps,
                    false => BoxesEnd::Hopeless,
                });
                task.stats.add(why, 1);
                return Ok(None);
            }
        }
    }
}

enum End {
    Safe,
    /// A path from this node meets an error.
    Error(usize),
    /// For this reason.
    GaveUp(&'static str),
}

/// A box at a loop head.
struct Node {
    head: LocId,
    /// Of the live variables of the head, in order.
    values: Vec<Interval>,
    /// The node it was first reached from.
    parent: usize,
    grown: u8,
    waiting: bool,
}

struct Search<'a> {
    limits: &'a BoxLimits,
    program: &'a Program,
    successors: IndexVec<LocId, Vec<EdgeId>>,
    steps: Steps<'a>,
    whole: Boxes,
    heads: FxHashSet<LocId>,
    live: FxHashMap<LocId, Vec<VarId>>,
    /// The first values of the cells of each variable but the lowest cell, sorted.
    cells: IndexVec<VarId, Vec<i128>>,
    nodes: Vec<Node>,
    /// The nodes of a combination of cells.
    index: FxHashMap<(LocId, Box<[u32]>), Vec<usize>>,
    queue: VecDeque<usize>,
    steps_taken: u64,
}

/// What a walk from a node came to.
enum Walk {
    Done,
    Error,
    GaveUp(&'static str),
}

impl<'a> Search<'a> {
    fn new(pool: &Pool, program: &'a Program, limits: &'a BoxLimits) -> Self {
        let successors = program.successors();
        let entry = program.functions[program.entry].entry;
        let shape = shape(program, &successors, entry);
        let mut vars_of = VarsOf::new(program);
        let known = liveness(
            pool,
            program,
            program.entry,
            &shape,
            &successors,
            &mut vars_of,
            &modref(pool, program),
        );
        let scalar = |v: &VarId| {
            let sort = program.vars[*v].sort;
            sort == pool.int_sort() || sort == pool.bool_sort()
        };
        let live = |l: &LocId| (*l, known.at(*l).into_iter().filter(scalar).collect());
        Search {
            limits,
            program,
            successors,
            steps: Steps::new(pool, program),
            whole: Boxes::whole(pool, program),
            live: shape.loop_heads.iter().map(live).collect(),
            heads: shape.loop_heads.into_iter().collect(),
            cells: cells(pool, program, limits.cells, limits.copy_rounds),
            nodes: Vec::new(),
            index: FxHashMap::default(),
            queue: VecDeque::new(),
            steps_taken: 0,
        }
    }

    fn run(&mut self, task: &Task<'_>) -> Result<End, Stop> {
        let entry = self.program.functions[self.program.entry].entry;
        if self.heads.contains(&entry) {
            return Ok(End::GaveUp("boxes given up: the entry is a loop head"));
        }
        let boxes = self.whole.clone();
        match self.walk(task, usize::MAX, entry, boxes)? {
            Walk::Done => {}
            Walk::Error => return Ok(End::Error(usize::MAX)),
            Walk::GaveUp(why) => return Ok(End::GaveUp(why)),
        }
        while let Some(node) = self.queue.pop_front() {
            self.nodes[node].waiting = false;
            let (head, boxes) = (self.nodes[node].head, self.box_of(node));
            match self.walk(task, node, head, boxes)? {
                Walk::Done => {}
                Walk::Error => return Ok(End::Error(node)),
                Walk::GaveUp(why) => return Ok(End::GaveUp(why)),
            }
        }
        Ok(End::Safe)
    }

    fn box_of(&self, node: usize) -> Boxes {
        let Node { head, values, .. } = &self.nodes[node];
        let mut boxes = self.whole.clone();
        for (&var, &value) in self.live[head].iter().zip(values) {
            boxes.set(var, value);
        }
        boxes
    }

    /// All paths from a location to the next loop heads.
    fn walk(
        &mut self,
        task: &Task<'_>,
        node: usize,
        start: LocId,
        mut boxes: Boxes,
    ) -> Result<Walk, Stop> {
        let most = (self.limits.rounds * self.program.edges.len() as u64).max(self.limits.least);
        let most = self.steps_taken + most;
        let mut stack = vec![(start, 0usize, boxes.mark())];
        while let Some((loc, next, mark)) = stack.last_mut() {
            boxes.back_to(*mark);
            let Some(&edge) = self.successors[*loc].get(*next) else {
                stack.pop();
                continue;
            };
            *next += 1;
            self.steps_taken += 1;
            if self.steps_taken.is_multiple_of(256) {
                task.budget.spend(64)?;
            }
            if self.steps_taken > most.min(self.limits.steps) {
                return Ok(Walk::GaveUp("boxes given up: too many steps"));
            }
            match self.steps.step(task.pool, edge, &mut boxes) {
                Taken::No => continue,
                Taken::Unknown => return Ok(Walk::GaveUp("boxes given up: a call")),
                Taken::Yes => {}
            }
            let to = self.program.edges[edge].to;
            if self.program.locations[to].error.is_some() {
                return Ok(Walk::Error);
            }
            if !self.heads.contains(&to) {
                stack.push((to, 0, boxes.mark()));
            } else if !self.arrive(node, to, &boxes) {
                return Ok(Walk::GaveUp("boxes given up: too many"));
            }
        }
        Ok(Walk::Done)
    }

    /// Cuts the box along the cells and keeps what is new; `false` if there is too much.
    fn arrive(&mut self, parent: usize, head: LocId, boxes: &Boxes) -> bool {
        let vars = &self.live[&head];
        let values: Vec<Interval> = vars.iter().map(|v| boxes.get(*v)).collect();
        let cell = |n: usize, value: i128| {
            self.cells[vars[n]].partition_point(|first| *first <= value) as u32
        };
        let ends: Vec<(u32, u32)> = values
            .iter()
            .enumerate()
            .map(|(n, v)| (cell(n, v.low), cell(n, v.high)))
            .collect();
        let mut count = 1usize;
        for (low, high) in &ends {
            count = count.saturating_mul((high - low + 1) as usize);
        }
        if count > self.limits.pieces {
            return false;
        }
        let mut key: Vec<u32> = ends.iter().map(|e| e.0).collect();
        loop {
            if !self.keep(parent, head, &key, &values) {
                return false;
            }
            let Some(n) = (0..key.len()).rev().find(|&n| key[n] < ends[n].1) else {
                return true;
            };
            key[n] += 1;
            for (cell, end) in key[n + 1..].iter_mut().zip(&ends[n + 1..]) {
                *cell = end.0;
            }
        }
    }

    fn keep(&mut self, parent: usize, head: LocId, key: &[u32], values: &[Interval]) -> bool {
        let vars = &self.live[&head];
        let bounds: Vec<Interval> = (0..key.len())
            .map(|n| {
                let cells = &self.cells[vars[n]];
                let range = self.whole.get(vars[n]);
                let low = key[n].checked_sub(1).map(|k| cells[k as usize]);
                let high = cells.get(key[n] as usize).map(|first| first - 1);
                Interval {
                    low: low.unwrap_or(range.low).max(range.low),
                    high: high.unwrap_or(range.high).min(range.high),
                }
            })
            .collect();
        let piece: Vec<Interval> = values.iter().zip(&bounds).map(|(v, b)| v.meet(b)).collect();
        let same = self.index.entry((head, key.into())).or_default();
        let nodes = &self.nodes;
        let known = |n: &usize| {
            nodes[*n]
                .values
                .iter()
                .zip(&piece)
                .all(|(a, b)| a.includes(b))
        };
        if same.iter().any(known) {
            return true;
        }
        // The first few are kept apart: what the program computes is often a few numbers, not all between them.
        if same.len() >= self.limits.apart
            && let Some(&old) = same.last()
        {
            let node = &mut self.nodes[old];
            node.grown = node.grown.saturating_add(1);
            for ((value, new), bound) in node.values.iter_mut().zip(&piece).zip(&bounds) {
                let mut hull = value.hull(new);
                if node.grown > self.limits.growth {
                    if hull.low < value.low {
                        hull.low = bound.low;
                    }
                    if hull.high > value.high {
                        hull.high = bound.high;
                    }
                }
                *value = hull;
            }
            if !std::mem::replace(&mut node.waiting, true) {
                self.queue.push_back(old);
            }
            return true;
        }
        if self.nodes.len() >= self.limits.boxes {
            return false;
        }
        let number = self.nodes.len();
        same.push(number);
        self.nodes.push(Node {
            head,
            values: piece,
            parent,
            grown: 0,
            waiting: true,
        });
        self.queue.push_back(number);
        true
    }

    /// One of the boxes holds, at each loop head.
    fn proof(&self, pool: &mut Pool, plain: &Plain) -> evidence::Proof {
        let mut boxes: BTreeMap<LocId, Vec<TermId>> = BTreeMap::new();
        for head in &self.heads {
            boxes.insert(*head, Vec::new());
        }
        for node in &self.nodes {
            let mut parts = Vec::new();
            for (&var, value) in self.live[&node.head].iter().zip(&node.values) {
                let whole = self.whole.get(var);
                parts.extend(within(pool, self.program, var, value, &whole));
            }
            let all = pool.and(&parts);
            boxes.entry(node.head).or_default().push(all);
        }
        let either = boxes.into_iter().map(|(l, b)| (l, pool.or(&b))).collect();
        plain.proof(pool, either)
    }

    /// A concrete execution along the nodes that led to this one and on to an error.
    fn execution(&mut self, task: &Task<'_>, last: usize) -> Option<Counterexample> {
        let mut chain = Vec::new();
        let mut node = last;
        while node != usize::MAX {
            chain.push(node);
            node = self.nodes[node].parent;
        }
        chain.reverse();
        let mut at = self.program.functions[self.program.entry].entry;
        let mut boxes = self.whole.clone();
        let mut steps = Vec::new();
        for goal in chain.into_iter().map(Some).chain([None]) {
            let path = self.path(task, at, boxes.clone(), goal)?;
            let havocs = self.choose(task, &path, boxes.clone());
            for (&edge, values) in path.iter().zip(havocs) {
                let chosen = self.concrete(task, edge, values, &mut boxes)?;
                steps.push(Step {
                    edge,
                    havocs: chosen,
                });
                at = self.program.edges[edge].to;
            }
        }
        Some(Counterexample {
            initial: Vec::new(),
            steps,
        })
    }

    /// A path from here into the box of a node, or to an error.
    fn path(
        &mut self,
        task: &Task<'_>,
        start: LocId,
        mut boxes: Boxes,
        goal: Option<usize>,
    ) -> Option<Vec<EdgeId>> {
        let most = (self.limits.rounds * self.program.edges.len() as u64).max(self.limits.least);
        let mut taken = 0;
        let mut path = Vec::new();
        let mut stack = vec![(start, 0usize, boxes.mark())];
        while let Some((loc, next, mark)) = stack.last_mut() {
            boxes.back_to(*mark);
            let Some(&edge) = self.successors[*loc].get(*next) else {
                stack.pop();
                path.pop();
                continue;
            };
            *next += 1;
            taken += 1;
            if taken > most || task.budget.spend(1).is_err() {
                return None;
            }
            if self.steps.step(task.pool, edge, &mut boxes) != Taken::Yes {
                continue;
            }
            let to = self.program.edges[edge].to;
            let arrived = match goal {
                None => self.program.locations[to].error.is_some(),
                Some(node) => {
                    let node = &self.nodes[node];
                    let vars = || self.live[&node.head].iter().zip(&node.values);
                    node.head == to && vars().all(|(v, b)| !b.meet(&boxes.get(*v)).is_empty())
                }
            };
            if arrived {
                path.push(edge);
                return Some(path);
            }
            if !self.heads.contains(&to) && self.program.locations[to].error.is_none() {
                path.push(edge);
                stack.push((to, 0, boxes.mark()));
            }
        }
        None
    }

    /// What the havocs of a path are narrowed to further on, before the variable is written again.
    fn choose(&mut self, task: &Task<'_>, path: &[EdgeId], mut boxes: Boxes) -> Vec<Vec<Interval>> {
        let mut out: Vec<Vec<Interval>> = Vec::with_capacity(path.len());
        let mut open: FxHashMap<VarId, (usize, usize)> = FxHashMap::default();
        for (n, &edge) in path.iter().enumerate() {
            let written: Vec<VarId> = match &self.program.edges[edge].stmt {
                Stmt::Havoc(vars, _) => vars.clone(),
                Stmt::Assign(pairs) => pairs.iter().map(|p| p.0).collect(),
                _ => Vec::new(),
            };
            for var in written {
                if let Some((step, place)) = open.remove(&var) {
                    out[step][place] = boxes.get(var);
                }
            }
            self.steps.step(task.pool, edge, &mut boxes);
            let mut values = Vec::new();
            if let Stmt::Havoc(vars, _) = &self.program.edges[edge].stmt {
                for (place, &var) in vars.iter().enumerate() {
                    open.insert(var, (n, place));
                    values.push(boxes.get(var));
                }
            }
            out.push(values);
        }
        let mut rest: Vec<(VarId, (usize, usize))> = open.into_iter().collect();
        rest.sort_unstable();
        for (var, (step, place)) in rest {
            out[step][place] = boxes.get(var);
        }
        out
    }

    /// Takes a step with one value for each havoc; `None` if it cannot be taken so.
    fn concrete(
        &mut self,
        task: &Task<'_>,
        edge: EdgeId,
        values: Vec<Interval>,
        boxes: &mut Boxes,
    ) -> Option<Vec<Value>> {
        let program = self.program;
        // A condition that the box leaves open (an array is read) may be false.
        if let Stmt::Assume(condition) = &program.edges[edge].stmt {
            let condition = self.steps.compile(task.pool, *condition);
            if self.steps.value(boxes, &condition) != Interval::TRUE {
                return None;
            }
        }
        if self.steps.step(task.pool, edge, boxes) != Taken::Yes {
            return None;
        }
        let mut chosen = Vec::new();
        if let Stmt::Havoc(vars, _) = &program.edges[edge].stmt {
            for (&var, value) in vars.iter().zip(values) {
                let sort = program.vars[var].sort;
                let number = if value.contains(0) {
                    0
                } else if value.has_low() {
                    value.low
                } else {
                    value.high
                };
                if sort == task.pool.bool_sort() {
                    boxes.set(var, Interval::single(number));
                    chosen.push(Value::Bool(number == 1));
                } else if sort == task.pool.int_sort() {
                    boxes.set(var, Interval::single(number));
                    chosen.push(Value::Num(Rational::from(number)));
                } else {
                    chosen.push(program.default_value(task.pool, var));
                }
            }
        }
        Some(chosen)
    }
}

/// The bounds of a variable as formulas, where they are tighter than its range.
fn within(
    pool: &mut Pool,
    program: &Program,
    var: VarId,
    value: &Interval,
    whole: &Interval,
) -> Vec<TermId> {
    let data = &program.vars[var];
    if data.sort == pool.bool_sort() {
        return match value.as_single() {
            Some(0) => vec![pool.not(data.term)],
            Some(_) => vec![data.term],
            None => Vec::new(),
        };
    }
    let number = |pool: &mut Pool, n: i128| pool.num(Rational::from(n), data.sort);
    if let Some(single) = value.as_single() {
        let n = number(pool, single);
        return vec![pool.eq(data.term, n)];
    }
    let mut out = Vec::new();
    if value.low > whole.low {
        let n = number(pool, value.low);
        out.push(pool.le(n, data.term));
    }
    if value.high < whole.high {
        let n = number(pool, value.high);
        out.push(pool.le(data.term, n));
    }
    out
}
