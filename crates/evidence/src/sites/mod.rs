//! Programs decided by abstract execution: all executions at once, on states in which the objects that one place
//! allocates are one object.
//!
//! Idea, on a program that copies its arguments:
//!
//! ```text
//!   char *copy = malloc(strlen(argv[i]) + 1);  strcpy(copy, argv[i]);
//!
//!   argv -> [ below 8 * argc: each a pointer to one of the many ]    many: size = n + 1, a zero at n
//!   copy -> recent: size = r + 1, the zero of argv[i] is at r        one of the many, taken out: a zero at r <= n
//! ```
//! Statements run on such states exactly where they can. What a pointer leads to is taken out of the many first; at
//! places where paths meet, what nobody holds goes back. Numbers have bounds and linear relations; of arrays it is
//! known what the cells of a beginning are, what holds for each of them (`Name::Each`: pointers into a text lie before its
//! end), and where there are zeros: the first, and of a text that is cut into pieces the last. Products of two numbers are
//! numbers that are compared with one another (`i * w <= h * w - w` if `i < h`). States that agree in what pointers point to are
//! joined; what moves in a loop is widened, then narrowed again. Recursive functions have states of their own (`calls`).
//!
//! Source: Balakrishnan, Reps, "Recency-abstraction for heap-allocated storage" (SAS 2006); Cousot, Halbwachs, "Automatic
//! discovery of linear restraints among variables of a program" (POPL 1978); Gopan, Reps, Sagiv, "A framework for
//! numeric analysis of array operations" (POPL 2005). Relations here are kept as facts, without a second description by
//! points, and joined by asking which facts of one state hold in the other.
//!
//! Sound because the states that are left in the end are checked again (`Search::open_errors`): steps (`step`, `assume`,
//! `terms`) follow the meaning of statements, what is put back becomes more general, and every state that a step
//! leads to is a case of one of those (`covers`). How they were found (`join`) is not believed.

mod access;
mod assume;
mod bounds;
mod calls;
mod compared;
mod covers;
mod facts;
mod join;
mod kept;
mod lin;
mod lp;
mod names;
mod numbers;
mod owned;
mod residue;
mod state;
mod step;
mod terms;
mod tidy;

use crate::Reason;
use crate::shapes::memory::compared_as_wholes;
use crate::shapes::order::loops_first;
use base::{Budget, FxHashMap, FxHashSet, IndexVec};
use compared::compared;
use covers::covers;
use join::{Joining, Steps, join, moves, open_like, variables_rest, widen};
use kept::{Key, Reached, counters, signals};
use logic::{Interval, Pool, TermId};
use program::analysis::liveness::{Liveness, liveness};
use program::analysis::modref::modref;
use program::analysis::reads::VarsOf;
use program::analysis::shape::reachable_functions;
use program::{EdgeId, FuncId, LocId, Program, Stmt, VarId};
use state::{Frame, State};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use terms::Terms;

/// Larger programs are left to the engines.
const MOST_EDGES: usize = 20_000;
/// Joins of a loop head before bounds that move go far.
const PATIENCE: u32 = 2;
/// The same where laps are told apart.
const PATIENCE_WITH_LAPS: u32 = 32;
/// Joins before bounds that move do not stop at numbers of the program.
const MOST_STEPS: u32 = 8;
/// Joins before numbers in memory go far, though variables move.
const MOST_OF_MEMORY: u32 = 32;
/// States of one location that are kept apart; if there are more, less counts as a difference.
const MOST_APART: usize = 24;
const MOST_OBJECTS: usize = 80;
/// How many objects may be held by cells alone, and how many laps of loops are told apart, one try after the other.
const TRIES: [(usize, usize); 4] = [(0, 0), (3, 0), (0, MOST_APART), (0, 3 * MOST_APART)];
/// Rounds in which bounds that went far come back.
const ROUNDS: usize = 2;

/// What is left of a program's errors.
pub(crate) enum Explored {
    /// None; there are so many abstract states.
    Safe(usize),
    /// Only these can be reached, if any.
    Open(BTreeSet<LocId>, Reason),
    /// Nothing is known.
    Nothing(Reason),
}

/// Shows that no execution of a program without calls, but of recursive functions, reaches an error; says how many abstract states its
/// locations have.
pub(crate) fn explore(pool: &Pool, program: &Program, budget: &Budget) -> Result<usize, Reason> {
    match explored(pool, program, budget) {
        Explored::Safe(states) => Ok(states),
        Explored::Open(_, reason) | Explored::Nothing(reason) => Err(reason),
    }
}

/// Which errors of a program without calls, but of recursive functions, an execution may reach.
pub(crate) fn explored(pool: &Pool, program: &Program, budget: &Budget) -> Explored {
    if program.edges.len() > MOST_EDGES {
        return Explored::Nothing(rejected("the program is too large"));
    }
    let Some(terms) = Terms::new(pool, program) else {
        return Explored::Nothing(rejected("it does not use memory in the usual way"));
    };
    // Sound because an error that no state of one closed set leads to is reached by no execution.
    let mut open: Option<BTreeSet<LocId>> = None;
    let mut last = None;
    for (kept, laps) in TRIES {
        let search = Search::new(&terms, kept, laps);
        match search.rounds(&mut open, budget) {
            Ok(Some(states)) => return Explored::Safe(states),
            Ok(None) => {}
            Err(reason) => {
                last = Some(reason);
                if let Err(stop) = budget.check() {
                    last = Some(Reason::OutOfBudget(stop));
                    break;
                }
            }
        }
    }
    let Some(open) = open else {
        let nothing = || rejected("the states found are not all");
        return Explored::Nothing(last.unwrap_or_else(nothing));
    };
    // Programs in the text form have no lines.
    let place = |l: &LocId| match &program.locations[*l].error {
        Some(error) if error.span.line > 0 => error.span.line.to_string(),
        _ => l.to_string(),
    };
    let lines: Vec<String> = open.iter().map(place).collect();
    let lines = lines.join(", ");
    let reached = rejected(&format!("errors may be reached (lines {lines})"));
    Explored::Open(open, last.unwrap_or(reached))
}

fn rejected(why: &str) -> Reason {
    Reason::EvidenceRejected {
        why: format!("no proof by abstract execution: {why}"),
    }
}

/// How often states were joined, and how often since a variable has moved that memory alone did.
#[derive(Clone, Copy, Default)]
struct Joins {
    all: u32,
    memory: u32,
}

impl Joins {
    /// What is in memory mostly moves with variables. Does it move by itself, or for too long?
    fn memory_goes_far(&mut self, old: &State, joined: &State) -> bool {
        match variables_rest(old, joined) {
            true => self.memory += u32::from(old.objects != joined.objects),
            false => self.memory = 0,
        }
        self.memory > PATIENCE || self.all > MOST_OF_MEMORY
    }
}

/// The states in which functions that are called end.
type Ends = BTreeMap<FuncId, Vec<State>>;

struct Search<'t, 'a> {
    terms: &'t Terms<'a>,
    /// How many states of a location there may be that differ in laps of loops; 0: these are not told apart.
    laps: usize,
    frame: Rc<Frame>,
    successors: IndexVec<LocId, Vec<EdgeId>>,
    order: Vec<LocId>,
    position: FxHashMap<LocId, u32>,
    live: BTreeMap<FuncId, Liveness>,
    /// What functions that are called write.
    writes: BTreeMap<FuncId, BTreeSet<VarId>>,
    /// Where such functions end, and where they are called.
    calls: BTreeMap<LocId, Vec<LocId>>,
    heads: FxHashSet<LocId>,
    joins: FxHashSet<LocId>,
    steps: Steps,
}

impl<'t, 'a> Search<'t, 'a> {
    fn new(terms: &'t Terms<'a>, kept: usize, laps: usize) -> Self {
        let (pool, program) = (terms.pool, terms.program);
        let successors = program.successors();
        // What functions end in is known before those that call them go on.
        let mut functions = reachable_functions(program, &successors);
        functions.sort_by_key(|(f, _)| *f == program.entry);
        let mut vars_of = VarsOf::new(program);
        let modref = modref(pool, program);
        let (mut live, mut writes, mut order) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        let mut heads: FxHashSet<LocId> = FxHashSet::default();
        for (func, shape) in &functions {
            let of = liveness(
                pool,
                program,
                *func,
                shape,
                &successors,
                &mut vars_of,
                &modref,
            );
            live.insert(*func, of);
            order.extend(loops_first(program, &successors, shape));
            heads.extend(&shape.loop_heads);
            if *func != program.entry && calls::is_understood(terms, *func, &modref) {
                writes.insert(*func, modref.writes[*func].clone());
            }
        }
        let position: FxHashMap<LocId, u32> = order.iter().copied().zip(0..).collect();
        let mut calls: BTreeMap<LocId, Vec<LocId>> = BTreeMap::new();
        let mut incoming: BTreeMap<LocId, usize> = BTreeMap::new();
        for edge in program.edges.iter() {
            if !position.contains_key(&edge.from) {
                continue;
            }
            *incoming.entry(edge.to).or_default() += 1;
            if let Stmt::Call { callee, .. } = &edge.stmt {
                let function = &program.functions[*callee];
                calls.entry(function.exit).or_default().push(edge.from);
                // States meet as at the head of a loop where functions begin and end.
                heads.extend([function.entry, function.exit]);
            }
        }
        let (compared, steps) = compared(terms);
        let range = |v: VarId| match &program.vars[v].range {
            Some((low, high)) => Interval::between(low, high),
            None => Interval::ANY,
        };
        let frame = Frame {
            ranges: program.vars.ids().map(range).collect(),
            by_block: terms.by_block.clone(),
            wholes: compared_as_wholes(pool, program, &terms.var_of),
            kept,
            compared,
            signals: signals(terms),
            counters: counters(terms),
            work: Default::default(),
        };
        let joins = incoming.iter().filter(|(_, n)| **n > 1).map(|(l, _)| *l);
        let kept = calls.values().flatten().chain(heads.iter()).copied();
        Search {
            terms,
            laps,
            frame: Rc::new(frame),
            joins: joins.chain(kept).collect(),
            heads,
            live,
            writes,
            calls,
            position,
            order,
            successors,
            steps,
        }
    }

    /// Looks for closed sets of states, each round by narrower ones; drops the errors that one leads to no more. Says how
    /// many states there are if none is left.
    fn rounds(
        &self,
        open: &mut Option<BTreeSet<LocId>>,
        budget: &Budget,
    ) -> Result<Option<usize>, Reason> {
        let mut reached = self.reach(Reached::new(self.laps > 0), budget)?;
        for round in 0..=ROUNDS {
            if round > 0 {
                let narrowed = self.again(&reached, budget)?;
                reached = self.reach(narrowed, budget)?;
            }
            let mut errors = self.open_errors(&reached, budget)?;
            if errors.is_none() {
                // A join said too much: what it left out is joined again.
                reached = self.reach(reached, budget)?;
                errors = self.open_errors(&reached, budget)?;
            }
            let Some(errors) = errors else {
                continue;
            };
            let both = match open.take() {
                Some(known) => known.intersection(&errors).copied().collect(),
                None => errors,
            };
            if both.is_empty() {
                return Ok(Some(reached.states.values().map(BTreeMap::len).sum()));
            }
            *open = Some(both);
        }
        Ok(None)
    }

    fn entry(&self) -> LocId {
        self.terms.program.functions[self.terms.program.entry].entry
    }

    /// What a state leads to at the next places where paths meet, and the errors on the way.
    fn follow(
        &self,
        loc: LocId,
        state: State,
        ends: &Ends,
        budget: &Budget,
        errors: &mut BTreeSet<LocId>,
        mut arrive: impl FnMut(LocId, State) -> Result<(), Reason>,
    ) -> Result<(), Reason> {
        let program = self.terms.program;
        let mut open = vec![(loc, state)];
        while let Some((loc, state)) = open.pop() {
            let edges = &self.successors[loc];
            let mut state = Some(state);
            for (n, &edge) in edges.iter().enumerate() {
                let to = program.edges[edge].to;
                let own = match n + 1 == edges.len() {
                    true => state.take(),
                    false => state.clone(),
                };
                let Some(own) = own else { break };
                let size = own.size();
                let after = match &program.edges[edge].stmt {
                    Stmt::Call {
                        callee,
                        args,
                        results,
                    } => {
                        let entry = program.functions[*callee].entry;
                        self.call(own, (*callee, args, results), ends, |state| {
                            arrive(entry, state)
                        })?
                    }
                    _ => self.terms.after(own, edge),
                };
                let Some(after) = after else {
                    return Err(rejected("memory is used in an unusual way"));
                };
                budget
                    .spend(2 + size / 4 + 2 * self.frame.work.take())
                    .map_err(Reason::OutOfBudget)?;
                for mut next in after {
                    if program.locations[to].error.is_some() {
                        errors.insert(to);
                        continue;
                    }
                    if next.objects.len() > MOST_OBJECTS {
                        return Err(rejected("there are too many objects"));
                    }
                    if !self.joins.contains(&to) {
                        open.push((to, next));
                        continue;
                    }
                    self.tidy(to, &mut next);
                    arrive(to, next)?;
                }
            }
        }
        Ok(())
    }

    /// The states after a call, by those that the function has ended in so far; those that it is entered with arrive. `None` if
    /// what it does is not understood.
    fn call(
        &self,
        state: State,
        (callee, args, results): (FuncId, &[TermId], &[VarId]),
        ends: &Ends,
        mut arrive: impl FnMut(State) -> Result<(), Reason>,
    ) -> Result<Option<Vec<State>>, Reason> {
        let Some(writes) = self.writes.get(&callee) else {
            return Ok(None);
        };
        let (mut work, mut out) = (vec![state], Vec::new());
        self.terms.begin_step();
        while let Some(state) = work.pop() {
            let mut entry = match self.terms.entered(&state, callee, args) {
                Ok(Some(entry)) => entry,
                Ok(None) => continue,
                Err(split) => {
                    work.extend(self.terms.split(state, &split));
                    continue;
                }
            };
            self.tidy(self.terms.program.functions[callee].entry, &mut entry);
            arrive(entry)?;
            for end in ends.get(&callee).into_iter().flatten() {
                out.extend(self.terms.returned(&state, end, (callee, results), writes));
            }
        }
        Ok(Some(out))
    }

    /// The states in which functions that are called end.
    fn ends(&self, reached: &Reached) -> Ends {
        let called = self.writes.keys().map(|&f| {
            let exit = self.terms.program.functions[f].exit;
            let states = reached.states.get(&exit);
            (
                f,
                states
                    .into_iter()
                    .flat_map(|s| s.values().cloned())
                    .collect(),
            )
        });
        called.collect()
    }

    /// States as they are kept: without what nobody reads any more, objects by their usual names.
    fn tidy(&self, loc: LocId, state: &mut State) {
        let func = self.terms.program.locations[loc].func;
        let live = self.live.get(&func);
        state.drop_idle(|v| live.is_some_and(|l| l.is_live(loc, v)));
        if self.calls.contains_key(&loc) {
            state.put_back_held();
        }
        self.terms.put_away(state);
        state.tidy();
    }

    /// States that cover all executions, if steps and joins did what they should.
    fn reach(&self, mut reached: Reached, budget: &Budget) -> Result<Reached, Reason> {
        let mut joined: FxHashMap<LocId, BTreeMap<Key, Joins>> = FxHashMap::default();
        let mut open: BTreeMap<u32, BTreeSet<Key>> = BTreeMap::new();
        for (loc, states) in &reached.states {
            if let Some(&position) = self.position.get(loc) {
                open.insert(position, states.keys().cloned().collect());
            }
        }
        let mut errors = BTreeSet::new();
        let start = State::new(self.frame.clone());
        let mut next = Some((self.entry(), start));
        loop {
            let (loc, state) = match next.take() {
                Some(first) => first,
                None => {
                    let Some(mut first) = open.first_entry() else {
                        return Ok(reached);
                    };
                    let loc = self.order[*first.key() as usize];
                    let Some(key) = first.get_mut().pop_first() else {
                        first.remove();
                        continue;
                    };
                    (loc, reached.states[&loc][&key].clone())
                }
            };
            let ends = self.ends(&reached);
            self.follow(loc, state, &ends, budget, &mut errors, |to, state| {
                let Some(&position) = self.position.get(&to) else {
                    return Ok(());
                };
                let mut key = reached.key(to, &state);
                let states = reached.states.entry(to).or_default();
                let most = match key.is_lap() {
                    true => self.laps,
                    false => MOST_APART,
                };
                if !states.contains_key(&key) && states.len() >= most {
                    let keys = reached.merge(to);
                    open.insert(position, keys.into_iter().collect());
                    key = reached.key(to, &state);
                }
                let count = joined
                    .entry(to)
                    .or_default()
                    .entry(key.clone())
                    .or_default();
                let ended = self.calls.get(&to);
                let again = ended.into_iter().flatten().filter_map(|from| {
                    let states = reached.states.get(from)?;
                    Some((*self.position.get(from)?, states.keys().cloned()))
                });
                let again: Vec<(u32, BTreeSet<Key>)> =
                    again.map(|(at, keys)| (at, keys.collect())).collect();
                let states = reached.states.entry(to).or_default();
                let Some(known) = states.get(&key) else {
                    for (at, keys) in again {
                        open.entry(at).or_default().extend(keys);
                    }
                    states.insert(key.clone(), state);
                    open.entry(position).or_default().insert(key);
                    return Ok(());
                };
                let mut state = state;
                open_like(&mut state, known);
                if covers(&state, known) {
                    return Ok(());
                }
                for (at, keys) in again {
                    open.entry(at).or_default().extend(keys);
                }
                let back = self.position.get(&loc).is_some_and(|p| *p >= position)
                    || self.calls.contains_key(&to);
                count.all += u32::from(back || !self.heads.contains(&to));
                // Numbers that only an outer loop moves are widened there.
                // From lap to lap numbers cannot move for long.
                let patience = match key.is_lap() {
                    true => PATIENCE_WITH_LAPS,
                    false => PATIENCE,
                };
                let widens = back && self.heads.contains(&to) && count.all > patience;
                let how = match widens {
                    _ if moves(known, &state) => Joining::Guessing,
                    true => Joining::Shrinking,
                    false => Joining::Growing,
                };
                let mut both = join(known, &state, how);
                if widens {
                    let far = count.all > MOST_STEPS;
                    let memory = count.memory_goes_far(known, &both);
                    both = widen(known, &both, &self.steps, far, memory);
                }
                both.reduce();
                budget
                    .spend(2 + 2 * self.frame.work.take())
                    .map_err(Reason::OutOfBudget)?;
                states.insert(key.clone(), both);
                open.entry(position).or_default().insert(key);
                Ok(())
            })?;
        }
    }

    /// What one step more makes of the states, location after location: not more than they are, if they cover all
    /// executions.
    fn again(&self, reached: &Reached, budget: &Budget) -> Result<Reached, Reason> {
        let mut errors = BTreeSet::new();
        // By location: where its states come from, and which.
        let mut arrivals: FxHashMap<LocId, BTreeMap<LocId, Vec<State>>> = FxHashMap::default();
        let entry = self.entry();
        let start = State::new(self.frame.clone());
        let ends = self.ends(reached);
        let first = self.next_states(entry, [&start], &ends, budget, &mut errors)?;
        for (to, state) in first {
            let from = arrivals.entry(to).or_default();
            from.entry(entry).or_default().push(state);
        }
        for (&loc, states) in &reached.states {
            let next = self.next_states(loc, states.values(), &ends, budget, &mut errors)?;
            for (to, state) in next {
                let from = arrivals.entry(to).or_default();
                from.entry(loc).or_default().push(state);
            }
        }
        let mut out = reached.alike();
        out.states = reached.states.clone();
        for &loc in &self.order {
            let Some(old) = out.states.remove(&loc) else {
                continue;
            };
            let mut states: BTreeMap<Key, State> = BTreeMap::new();
            for state in arrivals
                .get(&loc)
                .into_iter()
                .flat_map(|a| a.values().flatten())
            {
                let key = out.key(loc, state);
                let both = match states.get(&key) {
                    Some(known) => join(known, state, Joining::Growing),
                    None => state.clone(),
                };
                states.insert(key, both);
            }
            let same = old.len() == states.len()
                && old
                    .iter()
                    .zip(&states)
                    .all(|((k, a), (l, b))| k == l && covers(a, b));
            if !same && loc != entry {
                for from in arrivals.values_mut() {
                    from.remove(&loc);
                }
                let ends = self.ends(&out);
                let next = self.next_states(loc, states.values(), &ends, budget, &mut errors)?;
                for (to, state) in next {
                    let from = arrivals.entry(to).or_default();
                    from.entry(loc).or_default().push(state);
                }
            }
            out.states.insert(loc, states);
        }
        Ok(out)
    }

    fn next_states<'s>(
        &self,
        loc: LocId,
        states: impl IntoIterator<Item = &'s State>,
        ends: &Ends,
        budget: &Budget,
        errors: &mut BTreeSet<LocId>,
    ) -> Result<Vec<(LocId, State)>, Reason> {
        let mut out = Vec::new();
        for state in states {
            self.follow(loc, state.clone(), ends, budget, errors, |to, next| {
                out.push((to, next));
                Ok(())
            })?;
        }
        Ok(out)
    }

    /// The errors that the states lead to; `None` if a step leads out of the states.
    fn open_errors(
        &self,
        reached: &Reached,
        budget: &Budget,
    ) -> Result<Option<BTreeSet<LocId>>, Reason> {
        let mut errors = BTreeSet::new();
        let mut closed = true;
        self.for_all(reached, budget, &mut errors, |to, mut state| {
            let key = reached.key(to, &state);
            let known = reached.states.get(&to).and_then(|s| s.get(&key));
            closed &= known.is_some_and(|known| {
                open_like(&mut state, known);
                covers(&state, known)
            });
            Ok(())
        })?;
        Ok(closed.then_some(errors))
    }

    fn for_all(
        &self,
        reached: &Reached,
        budget: &Budget,
        errors: &mut BTreeSet<LocId>,
        mut arrive: impl FnMut(LocId, State) -> Result<(), Reason>,
    ) -> Result<(), Reason> {
        let start = State::new(self.frame.clone());
        let ends = self.ends(reached);
        self.follow(self.entry(), start, &ends, budget, errors, &mut arrive)?;
        for (&loc, states) in &reached.states {
            for state in states.values() {
                self.follow(loc, state.clone(), &ends, budget, errors, &mut arrive)?;
            }
        }
        Ok(())
    }
}
