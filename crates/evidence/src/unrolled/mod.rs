//! Programs decided by symbolic execution of all their paths at once: loops are unrolled until nothing goes on.
//!
//! *Idea.* A state is the condition under which it is reached and a term for each variable. Locations are
//! executed in an order in which loops hang together ([`order`]); where paths meet, states become one, and
//! variables that differ become a choice between their terms:
//! ```text
//!   n <= 2; i = 0; while (i < n) i++; assert(i == n)
//!   head: i = 0 | i = 1 if 0 < n | i = 2 if 1 < n | nothing goes on: 2 < n is false
//!   after it: i = (ite take.1 0 (ite take.2 1 2)), where take.1 implies n <= 0 ...
//! ```
//! Memory stays a term: writes on one branch only become conditional writes, and reads look behind writes to
//! other addresses, by what is known of the bounds of values on the path ([`bounds`]). So the ghosts of objects
//! are numbers mostly, and what the solver sees is small.
//!
//! A loop that goes on for too long is given up: what it writes has any value at its head, and any
//! lap is executed in place of all. Often what it writes does not matter. Of one that only fills arrays, such as a copy of any
//! length, all laps are known at once ([`fills`]).
//!
//! Sound because every execution is followed: for each one there is a model of `definitions` in which the conditions
//! of the states it passes hold and the terms have its values. An error is never reached if its condition has
//! no model; what a loop leaves undone is nothing only if the condition of its next lap has none.
//!
//! Source: Clarke, Kroening, Lerda, "A tool for checking ANSI-C programs" (TACAS 2004), with merging as in
//! Kuznetsov, Kinder, Bucur, Candea, "Efficient state merging in symbolic execution" (PLDI 2012).

mod bounds;
mod cases;
mod cells;
mod fills;
mod meeting;
mod order;
mod pieces;

use crate::Reason;
use base::{Budget, FxHashMap, FxHashSet, Trie, Work};
use bounds::{Bounds, Ranges};
use cells::Shared;
use fills::FillLoop;
use logic::{Interval, Op, Pool, TermId};
use program::analysis::liveness::{Liveness, liveness};
use program::analysis::modref::modref;
use program::analysis::reads::VarsOf;
use program::analysis::shape::{Shape, shape};
use program::{EdgeId, LocId, Program, Stmt, VarId};
use smt::{Answer, Solver, Unknown};
use std::collections::BTreeMap;
use std::ops::Range;

/// Larger programs are left to the engines.
const MOST_EDGES: usize = 60_000;
/// Edges that are executed, over all laps.
const MOST_STEPS: u64 = 400_000;
/// Laps of a loop, and those of them that only the solver can tell to be possible.
const MOST_LAPS: u32 = 4_000;
const MOST_OPEN_LAPS: u32 = 70;
/// Every so many of these the solver is told what numbers read of memory stand for.
const EXACT_LAPS: u32 = 16;
/// Loops that are given up: then any lap of them is executed in place of all.
const MOST_LOOPS: usize = 12;
/// Writes that are made conditional where paths meet; more become an equality of arrays.
const MOST_WRITES: usize = 200;
/// Work for the round in which any lap of a loop stands for all of them, and more for each edge.
const ANY_LAPS: u64 = 200_000;
const ANY_LAPS_EDGE: u64 = 100;
/// Addresses of reads and writes that are compared with each other a tick.
const COMPARED_A_TICK: u64 = 4;
/// How far a location is followed to an error.
const MOST_FOLLOWED: usize = 16;

/// What all executions at a location have in common.
#[derive(Clone)]
struct State {
    /// Implied by each of these executions.
    guard: TermId,
    /// Of the variables that were written; the others have the value they began with.
    values: Trie<VarId, TermId>,
    bounds: Bounds,
}

/// A loop of which any lap is executed in place of all of them.
struct Loop {
    /// Where its locations are in the order.
    places: Range<usize>,
    written: Vec<VarId>,
    /// If it only fills arrays: how.
    fill: Option<FillLoop>,
}

/// How often a loop was gone round.
#[derive(Clone, Copy, Default)]
struct Laps {
    all: u32,
    /// With a condition that was not met before.
    open: u32,
    guard: Option<TermId>,
}

struct Execution<'a> {
    program: &'a Program,
    budget: Budget,
    successors: base::IndexVec<LocId, Vec<EdgeId>>,
    shape: Shape,
    live: Liveness,
    /// Locations from which an error is reached whatever happens.
    doomed: FxHashSet<LocId>,
    var_of: FxHashMap<TermId, VarId>,
    position: FxHashMap<LocId, usize>,
    /// By place in the order: the edges from there, and the first and the last place that edges come from.
    leaving: Vec<Vec<EdgeId>>,
    sources: Vec<(usize, usize)>,
    /// What is known of a constant: its range, or what it implies.
    definitions: FxHashMap<TermId, Vec<TermId>>,
    /// Loops that are not unrolled, by their heads.
    loops: BTreeMap<LocId, Loop>,
    /// Of constants, wherever they are met.
    ranges: Ranges,
    /// Numbers in place of what memory holds.
    cells: Shared,
    solver: Solver,
    /// What the solver has been told.
    told: FxHashSet<TermId>,
    steps: u64,
}

/// Shows that no execution of a program without calls reaches an error; says how many steps that took.
pub(crate) fn unroll(pool: &mut Pool, program: &Program, budget: &Budget) -> Result<u64, Reason> {
    if program.edges.len() > MOST_EDGES {
        return Err(rejected("the program is too large"));
    }
    let mut execution = Execution::new(pool, program, budget);
    execution.run(pool)?;
    Ok(execution.steps)
}

fn rejected(why: &str) -> Reason {
    Reason::EvidenceRejected {
        why: format!("no proof by unrolling: {why}"),
    }
}

impl<'a> Execution<'a> {
    fn new(pool: &Pool, program: &'a Program, budget: &Budget) -> Self {
        let successors = program.successors();
        let entry = program.functions[program.entry].entry;
        let shape = shape(program, &successors, entry);
        let mut vars_of = VarsOf::new(program);
        let effects = modref(pool, program);
        let live = liveness(
            pool,
            program,
            program.entry,
            &shape,
            &successors,
            &mut vars_of,
            &effects,
        );
        Execution {
            program,
            budget: budget.clone(),
            doomed: doomed(program, &successors),
            successors,
            shape,
            live,
            var_of: program
                .vars
                .iter_enumerated()
                .map(|(id, v)| (v.term, id))
                .collect(),
            position: FxHashMap::default(),
            leaving: Vec::new(),
            sources: Vec::new(),
            definitions: FxHashMap::default(),
            loops: BTreeMap::new(),
            ranges: Ranges::default(),
            cells: Shared::default(),
            solver: Solver::new(),
            told: FxHashSet::default(),
            steps: 0,
        }
    }

    fn run(&mut self, pool: &mut Pool) -> Result<(), Reason> {
        let (order, lengths) = order::order(self.program, &self.successors, &self.shape);
        self.place(&order);
        if self.any_laps_do(pool, &order, &lengths)? {
            return Ok(());
        }
        while let Some(head) = self.unbounded(pool, &order)? {
            let body = self.body(pool, head, &order, &lengths);
            if self.loops.len() == MOST_LOOPS
                || !self.entered_at_head(&body)
                || self.loops.insert(head, body).is_some()
            {
                return Err(rejected("a loop goes on"));
            }
        }
        Ok(())
    }

    fn body(
        &self,
        pool: &mut Pool,
        head: LocId,
        order: &[LocId],
        lengths: &FxHashMap<LocId, usize>,
    ) -> Loop {
        let first = self.position[&head];
        let places = first..first + lengths[&head];
        let written = self.written_in(places.clone());
        Loop {
            fill: self.fill_loop(pool, &places, order, &written),
            written,
            places,
        }
    }

    /// Is no error possible even if any lap of each loop is executed in place of all? That takes one round of
    /// the program, however long its loops go on.
    fn any_laps_do(
        &mut self,
        pool: &mut Pool,
        order: &[LocId],
        lengths: &FxHashMap<LocId, usize>,
    ) -> Result<bool, Reason> {
        let heads = self.shape.loop_heads.iter().copied();
        let loops: BTreeMap<LocId, Loop> = heads
            .map(|h| (h, self.body(pool, h, order, lengths)))
            .collect();
        if loops.is_empty() || !loops.values().all(|body| self.entered_at_head(body)) {
            return Ok(false);
        }
        self.loops = loops;
        let whole = self.budget.clone();
        let work = ANY_LAPS + ANY_LAPS_EDGE * self.program.edges.len() as u64;
        self.budget = whole.clone().with_slice(Work::ticks(work));
        let end = self.unbounded(pool, order);
        self.budget = whole;
        self.loops.clear();
        self.budget.check().map_err(Reason::OutOfBudget)?;
        Ok(matches!(end, Ok(None)))
    }

    /// Notes where locations are in the order.
    fn place(&mut self, order: &[LocId]) {
        self.position = order.iter().copied().zip(0..).collect();
        self.leaving = order.iter().map(|l| self.successors[*l].clone()).collect();
        self.sources = vec![(usize::MAX, 0); order.len()];
        for (from, edges) in self.leaving.iter().enumerate() {
            for edge in edges {
                if let Some(&to) = self.position.get(&self.program.edges[*edge].to) {
                    let (first, last) = self.sources[to];
                    self.sources[to] = (first.min(from), last.max(from));
                }
            }
        }
    }

    /// What the statements of a loop write.
    fn written_in(&self, places: Range<usize>) -> Vec<VarId> {
        let inside = |l: LocId| self.position.get(&l).is_some_and(|p| places.contains(p));
        let edges = self.leaving[places.clone()].iter().flatten();
        let mut out: Vec<VarId> = edges
            .map(|e| &self.program.edges[*e])
            .filter(|e| inside(e.to))
            .flat_map(|e| match &e.stmt {
                Stmt::Assign(pairs) => pairs.iter().map(|(v, _)| *v).collect(),
                Stmt::Havoc(vars, _) => vars.clone(),
                _ => Vec::new(),
            })
            .collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    fn entered_at_head(&self, body: &Loop) -> bool {
        let inner = body.places.start + 1..body.places.end;
        let inside = |from: usize| body.places.contains(&from);
        self.sources[inner]
            .iter()
            .all(|&(first, last)| first > last || inside(first) && inside(last))
    }

    /// Executes the program; returns a loop that goes on for too long.
    fn unbounded(&mut self, pool: &mut Pool, order: &[LocId]) -> Result<Option<LocId>, Reason> {
        let program = self.program;
        // States by where they wait, and where they come from.
        let mut waiting: BTreeMap<usize, Vec<(usize, State)>> = BTreeMap::new();
        let mut laps: FxHashMap<LocId, Laps> = FxHashMap::default();
        let start = State {
            guard: pool.tt(),
            values: Trie::default(),
            bounds: Bounds::new(&self.ranges, &self.cells),
        };
        let entry = self.position[&program.functions[program.entry].entry];
        waiting.insert(entry, vec![(0, start)]);
        let mut began = false;
        while let Some((place, mut states)) = waiting.pop_first() {
            let loc = order[place];
            if let Some(body) = self.loops.get(&loc) {
                // Sound because the loop is entered at its head only: whoever comes round differs from the state
                // there in what the loop writes, which has any value in it.
                states.retain(|(from, _)| !began || !body.places.contains(from));
                if states.is_empty() {
                    continue;
                }
            }
            let round = began && states.iter().any(|(from, _)| place <= *from);
            began = true;
            let states: Vec<State> = states.into_iter().map(|(_, s)| s).collect();
            let mut state = self.merged(pool, loc, states);
            if program.locations[loc].error.is_some() {
                if !self.impossible(pool, state.guard, true)? {
                    return Err(rejected("an error may be reached"));
                }
                continue;
            }
            match round {
                false => drop(laps.remove(&loc)),
                true => {
                    let lap = laps.entry(loc).or_default();
                    lap.all += 1;
                    // A guard that nothing was added to is as possible as before.
                    let open = lap.guard != Some(state.guard);
                    lap.open += u32::from(open);
                    lap.guard = Some(state.guard);
                    if lap.all > MOST_LAPS || lap.open > MOST_OPEN_LAPS {
                        return Ok(Some(loc));
                    }
                    let exact = lap.open.is_multiple_of(EXACT_LAPS);
                    if open && self.impossible(pool, state.guard, exact)? {
                        continue;
                    }
                }
            }
            if let Some(body) = self.loops.get(&loc) {
                let (written, fill) = (body.written.clone(), body.fill.clone());
                if !fill.is_some_and(|fill| self.filled(pool, &mut state, &fill)) {
                    for var in written {
                        self.any_value(pool, &mut state, var);
                    }
                }
            }
            let mut edges = self.successors[loc].clone();
            edges.sort_by_key(|&e| !self.doomed.contains(&program.edges[e].to));
            let mut never = None;
            let mut state = Some(state);
            for (n, &edge) in edges.iter().enumerate() {
                self.steps += 1;
                if self.steps > MOST_STEPS {
                    return Err(rejected("there are too many steps"));
                }
                let last = n + 1 == edges.len();
                let before = match last {
                    true => state.take(),
                    false => state.clone(),
                };
                let Some(before) = before else { break };
                let Some((after, condition)) = self.step(pool, before, edge, never)? else {
                    continue;
                };
                let to = program.edges[edge].to;
                if let Some(condition) = condition.filter(|_| self.doomed.contains(&to))
                    && !last
                    && self.impossible(pool, after.guard, true)?
                {
                    never = Some(condition);
                    continue;
                }
                let to = self.position[&to];
                waiting.entry(to).or_default().push((place, after));
            }
        }
        Ok(None)
    }

    fn any_value(&mut self, pool: &mut Pool, state: &mut State, var: VarId) {
        let data = &self.program.vars[var];
        let value = pool.fresh_constant(&data.name, data.sort);
        self.ranged(pool, var, value);
        state.values.insert(var, value);
    }

    /// The state after an edge and the condition that it adds, if it is one; `None` if no execution takes it. What `never` says does
    /// not hold in the state before.
    fn step(
        &mut self,
        pool: &mut Pool,
        mut state: State,
        edge: EdgeId,
        never: Option<TermId>,
    ) -> Result<Option<(State, Option<TermId>)>, Reason> {
        let program = self.program;
        self.budget.spend(2).map_err(Reason::OutOfBudget)?;
        let mut conditions = Vec::new();
        match &program.edges[edge].stmt {
            Stmt::Skip => {}
            Stmt::Assume(condition) => {
                conditions.push(self.instance(pool, &mut state, *condition));
            }
            Stmt::Assign(pairs) => {
                let mut written = Vec::with_capacity(pairs.len());
                for &(var, term) in pairs {
                    let value = self.instance(pool, &mut state, term);
                    conditions.extend(self.in_range(pool, &mut state, var, value));
                    written.push((var, value));
                }
                for (var, value) in written {
                    state.values.insert(var, value);
                }
            }
            Stmt::Havoc(vars, _) => {
                for &var in vars {
                    self.any_value(pool, &mut state, var);
                }
            }
            Stmt::Call { .. } => return Err(rejected("there are calls")),
        }
        let always = never.map(|never| pool.not(never));
        let mut added = Vec::new();
        for condition in conditions {
            if condition == pool.tt() {
                continue;
            }
            added.push(condition);
            if condition == pool.ff() || !state.bounds.assume(pool, condition) {
                return Ok(None);
            }
            // Sound because the guard implies it.
            if Some(condition) != always {
                state.guard = pool.and(&[state.guard, condition]);
            }
        }
        if state.guard == pool.ff() {
            return Ok(None);
        }
        if pool.op(state.guard) == Op::And && pool.args(state.guard).len() > 8 {
            state.guard = self.name(pool, "at", state.guard);
        }
        let single = (added.len() == 1).then(|| added[0]);
        Ok(Some((state, single)))
    }

    /// A truth value that implies the term.
    ///
    /// Sound because it is used as a condition only, and an execution for which the term holds may have it true.
    fn name(&mut self, pool: &mut Pool, what: &str, term: TermId) -> TermId {
        let name = pool.fresh_constant(what, pool.bool_sort());
        let implied = pool.implies(name, term);
        self.definitions.insert(name, vec![implied]);
        name
    }

    /// Says that a constant that stands for a value of the variable is in its range.
    fn ranged(&mut self, pool: &mut Pool, var: VarId, value: TermId) {
        if let Some((low, high)) = &self.program.vars[var].range
            && !self.definitions.contains_key(&value)
        {
            let inside = pool.in_range(low, value, high);
            self.definitions.insert(value, vec![inside]);
            let range = Interval::between(low, high);
            self.ranges.borrow_mut().insert(value, range);
        }
    }

    /// The condition that a variable can hold a value.
    ///
    /// Sound because a statement that would put a value outside the range cannot be taken.
    fn in_range(
        &mut self,
        pool: &mut Pool,
        state: &mut State,
        var: VarId,
        value: TermId,
    ) -> Option<TermId> {
        let (low, high) = self.program.vars[var].range.as_ref()?;
        let range = Interval::between(low, high);
        if range.includes(&state.bounds.of(pool, value)) {
            return None;
        }
        Some(pool.in_range(low, value, high))
    }

    fn value(&mut self, pool: &mut Pool, state: &State, var: VarId) -> TermId {
        if let Some(&value) = state.values.get(var) {
            return value;
        }
        // The value at the start: a constant that is the same in all states.
        let term = self.program.vars[var].term;
        self.ranged(pool, var, term);
        term
    }

    /// An expression of the program, as it reads in a state.
    fn instance(&mut self, pool: &mut Pool, state: &mut State, expression: TermId) -> TermId {
        let inside = pool.post_order(&[expression]);
        self.budget.charge(inside.len() as u64 / 4);
        let mut made: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut args = Vec::new();
        for t in inside {
            let new = match self.var_of.get(&t) {
                Some(&var) => {
                    let value = self.value(pool, state, var);
                    chosen(pool, state.guard, value)
                }
                None if pool.args(t).is_empty() => t,
                None => {
                    args.clear();
                    args.extend(pool.args(t).iter().map(|a| made[a]));
                    let new = state.bounds.rebuild(pool, t, &args);
                    match state.bounds.number_of_bytes(pool, new) {
                        // Sound because the bytes of the number are in their bounds in this state.
                        Some((word, mut inside)) => {
                            inside.push(state.guard);
                            state.guard = pool.and(&inside);
                            word
                        }
                        None => new,
                    }
                }
            };
            made.insert(t, new);
        }
        self.charge_compared(&mut state.bounds);
        made[&expression]
    }

    fn charge_compared(&self, bounds: &mut Bounds) {
        let compared = std::mem::take(&mut bounds.compared);
        self.budget.charge(compared / COMPARED_A_TICK);
    }

    /// One state that stands for all of these.
    fn merged(&mut self, pool: &mut Pool, loc: LocId, states: Vec<State>) -> State {
        // Branches on one condition first: nothing remains of it in the guard.
        let mut open: Vec<State> = Vec::new();
        for state in states {
            open.push(state);
            while let [.., a, b] = open.as_slice()
                && let Some((guard, choice)) = meeting::branches(pool, a.guard, b.guard)
            {
                let pair = open.split_off(open.len() - 2);
                open.push(self.met(pool, loc, pair, &[pool.tt(), choice], guard));
            }
        }
        if open.len() == 1 {
            return open.swap_remove(0);
        }
        let choices: Vec<TermId> = open
            .iter()
            .map(|s| self.name(pool, "take", s.guard))
            .collect();
        let any = pool.or(&choices);
        let guard = self.name(pool, "at", any);
        self.met(pool, loc, open, &choices, guard)
    }

    /// The state with this guard that stands for all of these; if none of the choices but the first is made, for the first.
    fn met(
        &mut self,
        pool: &mut Pool,
        loc: LocId,
        mut states: Vec<State>,
        choices: &[TermId],
        guard: TermId,
    ) -> State {
        let mut bounds = states[0].bounds.clone();
        let mut vars = Vec::new();
        for state in &states[1..] {
            bounds = bounds.hull(&state.bounds);
            vars.extend(states[0].values.differences(&state.values));
        }
        vars.sort_unstable();
        vars.dedup();
        self.budget.charge((vars.len() * states.len()) as u64 / 4);
        let mut values = states[0].values.clone();
        for var in vars {
            if !self.live.is_live(loc, var) {
                values.remove(var);
                continue;
            }
            let mut terms = Vec::with_capacity(states.len());
            for state in &states {
                terms.push(self.value(pool, state, var));
            }
            let mut merged = terms[0];
            for (&choice, &term) in choices.iter().zip(&terms).skip(1) {
                merged = self.either(pool, &mut bounds, choice, term, merged);
            }
            if pool.sort_of(merged) == pool.int_sort() && pool.as_number(merged).is_none() {
                let mut hull = states[0].bounds.of(pool, terms[0]);
                for (state, &term) in states.iter_mut().zip(&terms).skip(1) {
                    hull = hull.hull(&state.bounds.of(pool, term));
                }
                if hull.has_low() || hull.has_high() {
                    bounds.insert(merged, hull);
                }
            }
            values.insert(var, merged);
        }
        self.charge_compared(&mut bounds);
        State {
            guard,
            values,
            bounds,
        }
    }

    /// `a` if the choice is made, else `b`.
    fn either(
        &mut self,
        pool: &mut Pool,
        bounds: &mut Bounds,
        choice: TermId,
        a: TermId,
        b: TermId,
    ) -> TermId {
        let sort = pool.sort_of(a);
        if a == b {
            return a;
        }
        if pool.is_arith(sort) || sort == pool.bool_sort() {
            return pool.ite(choice, a, b);
        }
        if let Some((base, ours, theirs)) = common(pool, a, b) {
            let mut merged = base;
            for (at, value) in theirs {
                let before = bounds.read(pool, merged, at);
                let value = choose(pool, choice, before, value);
                merged = bounds.write(pool, merged, at, value);
            }
            for (at, value) in ours {
                let before = bounds.read(pool, merged, at);
                let value = choose(pool, choice, value, before);
                merged = bounds.write(pool, merged, at, value);
            }
            return merged;
        }
        let merged = pool.fresh_constant("array", sort);
        let (this, that) = (pool.eq(merged, a), pool.eq(merged, b));
        let ours = pool.implies(choice, this);
        let theirs = pool.or(&[choice, that]);
        self.definitions.insert(merged, vec![ours, theirs]);
        self.cells.borrow_mut().choice(pool, merged, choice, a, b);
        merged
    }

    /// Tells the solver what terms depend on, and nothing else.
    fn tell(&mut self, pool: &mut Pool, terms: &[TermId]) {
        let mut stack = terms.to_vec();
        while let Some(t) = stack.pop() {
            if !self.told.insert(t) {
                continue;
            }
            stack.extend(pool.args(t));
            let cells = self.cells.borrow();
            let ours = self.definitions.get(&t).into_iter().flatten();
            for &definition in ours.chain(cells.definitions(t)) {
                self.solver.assert(pool, definition);
                stack.push(definition);
            }
        }
    }

    /// What the numbers that a condition depends on stand for.
    fn links(&self, pool: &Pool, guard: TermId) -> Vec<TermId> {
        let cells = self.cells.borrow();
        let mut out = Vec::new();
        let mut stack = vec![guard];
        let mut seen = FxHashSet::default();
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            stack.extend(pool.args(t));
            stack.extend(self.definitions.get(&t).into_iter().flatten());
            stack.extend(cells.definitions(t));
            if let Some(link) = cells.link(t) {
                stack.push(link);
                out.push(link);
            }
        }
        out
    }

    /// Has the condition no model? What numbers read of memory stand for counts if need be, and the answer has to be `exact`.
    fn impossible(&mut self, pool: &mut Pool, guard: TermId, exact: bool) -> Result<bool, Reason> {
        if guard == pool.tt() || guard == pool.ff() {
            return Ok(guard == pool.ff());
        }
        self.tell(pool, &[guard]);
        let mut answer = self.solver.check(pool, &[guard], &self.budget);
        let open = match &answer {
            Answer::Unsat | Answer::Unknown(Unknown::Budget(_)) => false,
            Answer::Sat => exact,
            Answer::Unknown(Unknown::Incomplete(_)) => true,
        };
        if open {
            let mut all = self.links(pool, guard);
            if !all.is_empty() {
                self.tell(pool, &all);
                all.push(guard);
                answer = self.solver.check(pool, &all, &self.budget);
            }
        }
        match answer {
            Answer::Unsat => {
                // What was shown once need not be shown again.
                let never = pool.not(guard);
                self.solver.assert(pool, never);
                Ok(true)
            }
            Answer::Sat => Ok(false),
            Answer::Unknown(Unknown::Budget(stop)) => Err(Reason::OutOfBudget(stop)),
            Answer::Unknown(Unknown::Incomplete(why)) => Err(rejected(why)),
        }
    }
}

/// Locations from which an error is reached by single steps that nothing can keep from being taken.
fn doomed(program: &Program, successors: &base::IndexVec<LocId, Vec<EdgeId>>) -> FxHashSet<LocId> {
    let leads = |start: LocId| {
        let mut loc = start;
        for _ in 0..MOST_FOLLOWED {
            if program.locations[loc].error.is_some() {
                return true;
            }
            match successors[loc].as_slice() {
                &[edge] if !matches!(program.edges[edge].stmt, Stmt::Assume(_)) => {
                    loc = program.edges[edge].to;
                }
                _ => return false,
            }
        }
        false
    };
    program.locations.ids().filter(|&l| leads(l)).collect()
}

/// The value that a choice between two is where the guard holds.
fn chosen(pool: &mut Pool, guard: TermId, mut value: TermId) -> TermId {
    while let (Op::Ite, &[choice, a, b]) = (pool.op(value), pool.args(value)) {
        let other = pool.not(choice);
        value = match meeting::conjuncts(pool, &guard) {
            known if known.contains(&choice) => a,
            known if known.contains(&other) => b,
            _ => break,
        };
    }
    value
}

/// `if choice then a else b`, where the same choice inside is made already.
fn choose(pool: &mut Pool, choice: TermId, a: TermId, b: TermId) -> TermId {
    let inner = |pool: &Pool, t: TermId, n: usize| match (pool.op(t), pool.args(t)) {
        (Op::Ite, args) if args[0] == choice => args[n],
        _ => t,
    };
    let (a, b) = (inner(pool, a, 1), inner(pool, b, 2));
    pool.ite(choice, a, b)
}

/// Writes, the first one first.
type Writes = Vec<(TermId, TermId)>;

/// The array that both were made of, and what was written to it since.
fn common(pool: &Pool, a: TermId, b: TermId) -> Option<(TermId, Writes, Writes)> {
    let chain = |mut t: TermId| {
        let mut arrays = vec![t];
        while arrays.len() <= MOST_WRITES
            && let (Op::Store, &[inner, ..]) = (pool.op(t), pool.args(t))
        {
            arrays.push(inner);
            t = inner;
        }
        arrays
    };
    let (ours, theirs) = (chain(a), chain(b));
    let place: FxHashMap<TermId, usize> = theirs.iter().copied().zip(0..).collect();
    let (n, m) = ours
        .iter()
        .enumerate()
        .find_map(|(n, t)| Some((n, *place.get(t)?)))?;
    let writes = |arrays: &[TermId]| -> Writes {
        let write = |t: &TermId| (pool.args(*t)[1], pool.args(*t)[2]);
        arrays.iter().rev().map(write).collect()
    };
    Some((ours[n], writes(&ours[..n]), writes(&theirs[..m])))
}
