//! Programs over linked objects, decided by abstract execution: all executions at once, on states in
//! which lists of any length are one object.
//!
//! Idea, on a list that is built, walked and freed:
//!
//! ```text
//!   head = 0 | head -> o -> 0 | head -> [chain] -> 0          states of the loop that builds it
//!   head -> [chain] -> p -> [chain] -> 0                      a state of the loop that walks
//! ```
//! Statements run on such states exactly where they can; what they look at inside a chain is taken out of
//! it first (`state::unfolded`). At loop heads neighbours that nobody points to become chains
//! again (`fold`), and a state that is a case of one seen before (`entail`) is not followed further.
//! Trees of any size are one object too (`tree`), arrays of lists are cut into segments (`table`); recursive functions are executed by what they are entered with (`calls`).
//!
//! Source: Distefano, O'Hearn, Yang, "A local shape analysis based on separation logic" (TACAS 2006);
//! Dudka, Peringer, Vojnar, "Byte-precise verification of low-level list manipulation" (SAS 2013).
//! Here chains have at least one object, numbers are intervals, and memory is the arrays of the program
//! model: an object is what lies between two values of the variable that ends the allocated memory.
//!
//! Sound because the states that are left in the end are checked again (`closed`): `terms` and `step` follow the
//! meaning of statements, an unfolded state's cases are all there are, and every state that a step leads to is a
//! case (`entail`) of one of those. How they were found (`fold`, widening) is not believed. So if no abstract state
//! reaches an error, no execution does.

mod assume;
mod calls;
mod closed;
mod entail;
mod entail_table;
mod entail_tree;
mod facts;
mod fold;
mod guesses;
mod inner;
pub(crate) mod memory;
pub(crate) mod order;
mod relate;
mod run;
mod state;
mod step;
mod table;
mod table_fold;
mod terms;
mod tree;
pub(crate) mod value;

use crate::Reason;
use base::{Budget, FxHashMap, FxHashSet, IndexVec, Work};
use entail::{Loose, Slot, common_facts, covers};
use facts::{Fact, Ranges};
use fold::{Folding, fold};
use logic::{Op, Pool, Sort, TermId};
use memory::compared_as_wholes;
use order::loops_first;
use program::analysis::liveness::{Liveness, liveness};
use program::analysis::modref::modref;
use program::analysis::reads::VarsOf;
use program::analysis::shape::reachable_functions;
use program::{EdgeId, FuncId, LocId, Program, Stmt, VarId};
use run::Run;
use state::State;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use terms::Terms;
use tree::Branching;
use value::{Interval, Val, integer};

/// How much is forgotten at loop heads.
struct Level {
    folding: Folding,
    /// States of a location that differ in numbers only, before intervals take their place.
    alike: usize,
    /// Abstract steps, and what they may cost.
    steps: usize,
    work: Work,
}

/// First nothing is forgotten, as many programs build lists of a few objects only; in the end it is known how numbers
/// relate.
const LEVELS: [Level; 5] = [
    Level {
        folding: Folding {
            least: 8,
            numbers: false,
            optional: false,
            facts: false,
        },
        alike: 40,
        steps: 2_500,
        work: Work::thousand(1_000),
    },
    Level {
        folding: Folding {
            least: 2,
            numbers: false,
            optional: false,
            facts: false,
        },
        alike: 3,
        steps: 200_000,
        work: Work::thousand(2_500),
    },
    Level {
        folding: Folding {
            least: 2,
            numbers: true,
            optional: true,
            facts: false,
        },
        alike: 2,
        steps: 200_000,
        work: Work::thousand(1_500),
    },
    Level {
        folding: Folding {
            least: 2,
            numbers: true,
            optional: false,
            facts: false,
        },
        alike: 2,
        steps: 200_000,
        work: Work::thousand(20_000),
    },
    Level {
        folding: Folding {
            least: 2,
            numbers: true,
            optional: false,
            facts: true,
        },
        alike: 1,
        steps: 100_000,
        // What it shows it shows soon.
        work: Work::thousand(2_000),
    },
];

/// Where there are tables, how numbers relate is known from the start.
const TABLES: [Level; 1] = [Level {
    folding: LEVELS[4].folding,
    alike: 1,
    steps: 100_000,
    work: Work::thousand(10_000),
}];
/// After so many widenings at one location, in programs with tables, bounds go away at once.
const PATIENCE: usize = 24;

/// States of one location that differ in control variables.
const MOST_APART: usize = 100;
/// A variable that is compared with so many numbers says where the program is.
const SEVERAL: usize = 3;
/// States of one location.
const MOST_STATES: usize = 1_500;
/// Numbers that are bounds of loops by the name of a variable.
const MOST_BOUNDS: usize = 16;
/// Values of a state that are compared with those of another as fast as they can be.
const LARGE_STATE: u64 = 64;
/// Objects of one state.
const MOST_OBJECTS: usize = 60;
/// Objects of a state that nothing points to any more, where that is an error in the end.
const MOST_LOST: usize = 2;
/// How often relations of numbers are guessed at one place; later those that fail are only dropped.
const MOST_GUESSES: u8 = 16;
/// Larger programs are left to the engines.
const MOST_EDGES: usize = 60_000;

/// What part of a level's work is for lists alone where trees were seen.
const TREES_SHARE: u64 = 16;
/// Functions that are entered, each time with another state.
const MOST_ENTERED: usize = 100;

/// Shows that no execution of a program reaches an error; says how many abstract states its locations have. Functions that
/// are called are the recursive ones: the others are inlined.
pub(crate) fn explore(pool: &Pool, program: &Program, budget: &Budget) -> Result<usize, Reason> {
    if program.edges.len() > MOST_EDGES {
        return Err(rejected("the program is too large"));
    }
    let Some(terms) = Terms::new(pool, program) else {
        return Err(rejected("it does not use memory in the usual way"));
    };
    let search = Search::new(&terms);
    let mut exact = false;
    // Most programs need no tables: these are tried where the first levels show nothing.
    terms.without_tables.set(true);
    let found = search.by_levels(&LEVELS[..3], &mut exact, budget)?;
    if found.is_ok() {
        return found;
    }
    if !terms.tabled.borrow().is_empty() {
        terms.without_tables.set(false);
        let found = search.by_levels(&TABLES, &mut false, budget)?;
        if found.is_ok() {
            return found;
        }
        terms.tabled.borrow_mut().clear();
        terms.without_tables.set(true);
    }
    search.by_levels(&LEVELS[3..], &mut exact, budget)?
}

fn rejected(why: &str) -> Reason {
    Reason::EvidenceRejected {
        why: format!("no proof by shapes: {why}"),
    }
}

enum Outcome {
    Safe(usize),
    /// This level does not show it.
    Given(String),
    /// Nothing was forgotten: no level that forgets will show it.
    Exact(String),
    /// Memory is used in a way that is not understood.
    Unusual,
}

/// As what a location is executed: 0 as the program's own, others for a state that a function is entered with.
type Context = usize;

/// The states of each location where paths meet.
type Reached = BTreeMap<(Context, LocId), Vec<State>>;

/// What a search found.
#[derive(Clone, Default)]
struct Found {
    reached: Reached,
    /// What recursive functions are entered with: the states of contexts 1 and on.
    entered: Vec<(FuncId, State)>,
}

impl Found {
    fn states(&self, context: Context, loc: LocId) -> &[State] {
        let states = self.reached.get(&(context, loc));
        states.map_or(&[], Vec::as_slice)
    }
}

struct Search<'t, 'a> {
    terms: &'t Terms<'a>,
    successors: IndexVec<LocId, Vec<EdgeId>>,
    /// The locations in the order in which states are followed, and the place of each.
    order: Vec<LocId>,
    position: FxHashMap<LocId, u32>,
    live: BTreeMap<FuncId, Liveness>,
    heads: FxHashSet<LocId>,
    joins: FxHashSet<LocId>,
    /// Numbers of the program: bounds of loops.
    numbers: Vec<i128>,
    /// Counters of what arrays say too.
    idle: FxHashSet<VarId>,
    /// Variables that say where a program is: states that differ in them are kept apart.
    control: FxHashSet<VarId>,
    ranges: Ranges,
    /// Arrays that are compared as a whole: that of what is allocated, in the end.
    wholes: BTreeSet<VarId>,
    /// Kinds of objects that have more than one child, as far as they were met, and those that make trees at the moment.
    seen: RefCell<Vec<Branching>>,
    trees: RefCell<Vec<Branching>>,
    /// How often states of a location were widened in this run.
    widened: RefCell<FxHashMap<LocId, usize>>,
}

impl<'t, 'a> Search<'t, 'a> {
    fn new(terms: &'t Terms<'a>) -> Self {
        let (pool, program) = (terms.pool, terms.program);
        let successors = program.successors();
        let functions = reachable_functions(program, &successors);
        let mut vars_of = VarsOf::new(program);
        let modref = modref(pool, program);
        let (mut live, mut order) = (BTreeMap::new(), Vec::new());
        let mut heads: FxHashSet<LocId> = FxHashSet::default();
        let mut exits: Vec<LocId> = Vec::new();
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
            if *func != program.entry {
                exits.push(program.functions[*func].exit);
            }
        }
        // Where a call ends states meet as at the head of a loop.
        heads.extend(&exits);
        let reachable: FxHashSet<LocId> = order.iter().copied().collect();
        let mut incoming: BTreeMap<LocId, usize> = BTreeMap::new();
        let mut numbers = vec![0, 1];
        for edge in program.edges.iter() {
            if reachable.contains(&edge.from) {
                *incoming.entry(edge.to).or_default() += 1;
            }
            if let Stmt::Assume(c) = &edge.stmt {
                let order = pool.post_order(&[*c]);
                if order.iter().any(|t| pool.op(*t) == Op::Select) {
                    continue;
                }
                for t in order {
                    if let Op::Num(n) = pool.op(t)
                        && let Some(n) = integer(pool.number(n))
                    {
                        numbers.extend([
                            n.saturating_sub(1),
                            n,
                            n.saturating_add(1),
                            n.saturating_neg(),
                        ]);
                    }
                }
            }
        }
        numbers.extend(assigned_bounds(pool, program, &terms.var_of));
        numbers.sort_unstable();
        numbers.dedup();
        let ids = program.vars.ids();
        let ranges: BTreeMap<VarId, Interval> = ids.map(|v| (v, terms.range(v))).collect();
        let joins = incoming.iter().filter(|(_, n)| **n > 1).map(|(l, _)| *l);
        Search {
            terms,
            idle: idle(terms),
            control: control(terms),
            ranges: Ranges(Rc::new((ranges, Default::default()))),
            wholes: compared_as_wholes(pool, program, &terms.var_of),
            seen: RefCell::default(),
            trees: RefCell::default(),
            widened: RefCell::default(),
            joins: joins.chain(exits).collect(),
            heads,
            live,
            position: order.iter().copied().zip(0..).collect(),
            order,
            successors,
            numbers,
        }
    }

    /// What is known before the first step.
    fn start(&self, how: Folding) -> State {
        let mut state = State::default();
        state.facts.on = how.facts;
        if how.facts {
            state.facts.ranges = self.ranges.clone();
        }
        state
    }

    /// One level after the other, with less and less; why the last one does not show it. The outer reason ends the search.
    fn by_levels(
        &self,
        levels: &[Level],
        exact: &mut bool,
        budget: &Budget,
    ) -> Result<Result<usize, Reason>, Reason> {
        let mut last = rejected("no level");
        for level in levels {
            // Where nothing was forgotten only more knowledge helps.
            if *exact && !level.folding.facts {
                continue;
            }
            match self.chains_and_trees(level, budget) {
                Ok(Outcome::Safe(states)) => return Ok(Ok(states)),
                Ok(Outcome::Given(why)) => last = rejected(&why),
                Ok(Outcome::Exact(why)) => {
                    *exact = true;
                    last = rejected(&why);
                }
                Ok(Outcome::Unusual) => {
                    return Err(rejected("memory is used in an unusual way"));
                }
                Err(reason) => {
                    budget.check().map_err(Reason::OutOfBudget)?;
                    last = reason;
                }
            }
        }
        Ok(Err(last))
    }

    /// First all is taken for lists; where objects with two children were seen that have no chains, then for trees.
    fn chains_and_trees(&self, level: &Level, budget: &Budget) -> Result<Outcome, Reason> {
        let share = match self.seen.borrow().is_empty() {
            true => 1,
            false => TREES_SHARE,
        };
        self.trees.borrow_mut().clear();
        let slice = budget.clone().with_slice(level.work / share);
        let known = self.terms.tabled.borrow().len();
        let mut outcome = self.run(level, &slice);
        let tables = !self.terms.without_tables.get();
        if tables
            && self.terms.tabled.borrow().len() > known
            && !matches!(outcome, Ok(Outcome::Safe(_)))
        {
            budget.check().map_err(Reason::OutOfBudget)?;
            let slice = budget.clone().with_slice(level.work / share);
            outcome = match level.folding.least {
                2 => self.run(level, &slice),
                _ => Ok(Outcome::Given("there are tables".into())),
            };
        }
        if tables && matches!(outcome, Ok(Outcome::Unusual | Outcome::Exact(_))) {
            outcome = Ok(Outcome::Given("tables are used in an unusual way".into()));
        }
        while level.folding.least == 2 && !matches!(outcome, Ok(Outcome::Safe(_))) {
            if *self.trees.borrow() == *self.seen.borrow() || budget.check().is_err() {
                break;
            }
            self.trees.borrow_mut().clone_from(&self.seen.borrow());
            let slice = budget.clone().with_slice(level.work);
            outcome = self.run(level, &slice);
        }
        outcome
    }

    fn run(&self, level: &Level, budget: &Budget) -> Result<Outcome, Reason> {
        self.widened.borrow_mut().clear();
        let found = match Run::new(self, level, budget).reach()? {
            Ok(found) => found,
            Err(outcome) => return Ok(outcome),
        };
        match self.is_closed(&found, level.folding, budget)? {
            None => Ok(Outcome::Safe(found.reached.values().map(Vec::len).sum())),
            Some(why) => Ok(Outcome::Given(why)),
        }
    }

    /// Adds a state to those of a location, if it is new; what is to be followed, and what need not be any more.
    fn join(
        &self,
        loc: LocId,
        mut state: State,
        states: &mut Vec<State>,
        level: &Level,
        exact: &mut bool,
        gone: &mut Vec<State>,
    ) -> Option<State> {
        self.tidy(loc, &mut state);
        state.facts.joined = 0;
        let head = self.heads.contains(&loc);
        if head {
            let kind = Branching::of(&state, &self.seen.borrow());
            if let Some(kind) = kind {
                kind.add(&mut self.seen.borrow_mut());
            }
            if fold(&mut state, level.folding, &self.trees.borrow()) {
                *exact = false;
            }
        }
        state.renumber();
        if states.contains(&state) {
            return None;
        }
        let mut alike: Vec<(usize, Loose)> = Vec::new();
        let mut apart: Vec<(usize, Loose)> = Vec::new();
        let is_control = |slot: &Slot| matches!(slot, Slot::Var(v) if self.control.contains(v));
        let tabled = !state.tables.is_empty();
        let defaults = &state.defaults;
        let is_block = |slot: &Slot| match slot {
            Slot::Cell(_, (array, _)) => defaults.contains_key(array),
            _ => false,
        };
        for (at, known) in states.iter().enumerate() {
            match covers(&state, known) {
                Some(loose) if loose.is_empty() => return None,
                // What lives and what was freed.
                Some(loose) if tabled && loose.iter().any(|(slot, _)| is_block(slot)) => {}
                // How far a loop has come in a table.
                Some(_) if state.named_borders() > known.named_borders() => {}
                Some(loose) if loose.iter().any(|(slot, _)| is_control(slot)) => {
                    apart.push((at, loose));
                }
                Some(loose) => alike.push((at, loose)),
                None => {}
            }
        }
        if apart.len() > MOST_APART {
            alike.append(&mut apart);
        }
        let enough = if head { level.alike } else { 4 * level.alike };
        if alike.len() >= enough
            && let Some((at, loose)) = alike.pop()
        {
            *exact = false;
            let mut wide = states.remove(at);
            if wide.facts.on {
                if wide.facts.joined < MOST_GUESSES {
                    let facts = common_facts(&state, &wide);
                    let known = |f: &Fact| wide.facts.all.iter().any(|g| g.form == f.form);
                    wide.facts.joined += u8::from(!facts.iter().all(known));
                    wide.facts.all = facts;
                } else {
                    let fails = |n: usize| loose.iter().any(|(s, _)| *s == Slot::Fact(n));
                    let facts = std::mem::take(&mut wide.facts.all).into_iter().enumerate();
                    wide.facts.all = facts.filter(|f| !fails(f.0)).map(|f| f.1).collect();
                }
            }
            self.widen(&mut wide, &loose, head.then_some(loc));
            wide.reduce();
            replace(states, &wide, gone);
            return Some(wide);
        }
        replace(states, &state, gone);
        Some(state)
    }

    fn tidy(&self, loc: LocId, state: &mut State) {
        let top = self.terms.top;
        let func = self.terms.program.locations[loc].func;
        let is_live = |v: VarId| self.live.get(&func).is_some_and(|l| l.is_live(loc, v));
        let live = |v: VarId| is_live(v) && !self.idle.contains(&v);
        let live = |v| v == top || self.terms.is_old(v) || live(v);
        state.tidy(live, |a| self.wholes.contains(&a));
    }

    fn widen(&self, state: &mut State, loose: &Loose, head: Option<LocId>) {
        let mut steps = self.numbers.as_slice();
        if let Some(loc) = head
            && !self.terms.without_tables.get()
        {
            let mut widened = self.widened.borrow_mut();
            let times = widened.entry(loc).or_default();
            *times += 1;
            if *times > PATIENCE {
                steps = &[];
            }
        }
        // Last names first: numbers of others stay.
        for (slot, _) in loose.iter().rev() {
            if let Slot::Border(table, segment, name) = *slot {
                state.table_mut(table).segments[segment]
                    .from
                    .names
                    .remove(name);
            }
        }
        for &(slot, more) in loose {
            let old = match slot {
                Slot::Var(v) => state.vars.get(&v).copied(),
                Slot::Fixed(c) => Some(state.fixed(c)),
                Slot::FixedDefault(a) => state.static_defaults.get(&a).copied(),
                Slot::Cell(id, c) => Some(state.cell(id, c)),
                Slot::Rest(id, a) => Some(state.rest(id, a)),
                Slot::Mark(id, a) => state.facts.marks.get(&(id, a)).map(|m| Val::int(*m)),
                Slot::Fact(_) | Slot::Border(..) => None,
            };
            let Some(old) = old else { continue };
            let wide = match head {
                Some(_) => old.offset.widen(more, steps),
                None => old.offset.hull(more),
            };
            let value = Val {
                offset: wide,
                ..old
            };
            match slot {
                Slot::Var(v) if value.base.is_none() => {
                    // Where nothing but the range of a variable is known nothing is said, so that others are a case of it.
                    let range = self.terms.range(v);
                    let offset = wide.meet(range);
                    match offset == range {
                        true => drop(state.vars.remove(&v)),
                        false => drop(state.vars.insert(v, Val::int(offset))),
                    }
                }
                Slot::Var(v) => drop(state.vars.insert(v, value)),
                Slot::Fixed(c) => drop(state.statics.insert(c, value)),
                Slot::FixedDefault(a) => drop(state.static_defaults.insert(a, value)),
                Slot::Cell(id, c) => state::set(state, id, c, value),
                Slot::Mark(id, a) => drop(state.facts.marks.insert((id, a), wide)),
                Slot::Fact(_) | Slot::Border(..) => {}
                Slot::Rest(id, a) => {
                    if let Some(object) = state.object_mut(id) {
                        object.rest.insert(a, value);
                    }
                }
            }
        }
    }
}

/// Adds a state in place of those that are cases of it.
fn replace(states: &mut Vec<State>, new: &State, gone: &mut Vec<State>) {
    let is_case = |s: &mut State| covers(s, new).is_some_and(|l| l.is_empty());
    gone.extend(states.extract_if(.., is_case));
    states.push(new.clone());
}

/// Numbers that are assigned to variables with which others are compared: bounds of loops by another name.
fn assigned_bounds(
    pool: &Pool,
    program: &Program,
    var_of: &FxHashMap<TermId, VarId>,
) -> BTreeSet<i128> {
    let mut compared: BTreeSet<VarId> = BTreeSet::new();
    let assumed = program.edges.iter().filter_map(|e| match &e.stmt {
        Stmt::Assume(c) => Some(*c),
        _ => None,
    });
    let assumed: Vec<TermId> = assumed.collect();
    for t in pool.post_order(&assumed) {
        if let (Op::Le, &[a, b]) = (pool.op(t), pool.args(t)) {
            let sides = pool.difference(a, b).terms;
            let vars: Vec<VarId> = sides
                .iter()
                .filter_map(|(t, _)| var_of.get(t).copied())
                .collect();
            if vars.len() > 1 {
                compared.extend(vars);
            }
        }
    }
    let mut out = BTreeSet::new();
    for edge in program.edges.iter() {
        let Stmt::Assign(pairs) = &edge.stmt else {
            continue;
        };
        for (v, t) in pairs.iter().filter(|(v, _)| compared.contains(v)) {
            if let Op::Num(n) = pool.op(*t)
                && let Some(n) = integer(pool.number(n))
                && program.vars[*v].sort == pool.int_sort()
                && out.len() < MOST_BOUNDS
            {
                out.extend([n.saturating_sub(1), n]);
            }
        }
    }
    out
}

/// Variables that are compared with several numbers, as those of a `switch` are, and what they are copied from.
fn control(terms: &Terms<'_>) -> FxHashSet<VarId> {
    let (pool, program) = (terms.pool, terms.program);
    let mut numbers: BTreeMap<VarId, BTreeSet<TermId>> = BTreeMap::new();
    for edge in program.edges.iter() {
        let Stmt::Assume(c) = &edge.stmt else {
            continue;
        };
        for t in pool.post_order(&[*c]) {
            let (Op::Eq, &[a, b]) = (pool.op(t), pool.args(t)) else {
                continue;
            };
            for (var, number) in [(a, b), (b, a)] {
                if let Some(&v) = terms.var_of.get(&var)
                    && pool.as_number(number).is_some()
                {
                    numbers.entry(v).or_default().insert(number);
                }
            }
        }
    }
    let several = numbers.iter().filter(|(_, n)| n.len() >= SEVERAL);
    let mut out: FxHashSet<VarId> = several.map(|(v, _)| *v).collect();
    loop {
        let before = out.len();
        for edge in program.edges.iter() {
            if let Stmt::Assign(pairs) = &edge.stmt {
                let copies = pairs.iter().filter(|(v, _)| out.contains(v));
                let copied: Vec<VarId> = copies
                    .filter_map(|(_, t)| terms.var_of.get(t).copied())
                    .collect();
                out.extend(copied);
            }
        }
        if out.len() == before {
            return out;
        }
    }
}

fn is_comparison_of_arrays(pool: &Pool, t: TermId) -> bool {
    match (pool.op(t), pool.args(t)) {
        (Op::Eq, &[a, _]) => matches!(pool.sort_kind(pool.sort_of(a)), Sort::Array(..)),
        _ => false,
    }
}

/// Variables that are only counted with, and decide only where an array is compared too.
fn idle(terms: &Terms<'_>) -> FxHashSet<VarId> {
    let (pool, program) = (terms.pool, terms.program);
    let mut vars_of = VarsOf::new(program);
    let mut idle: FxHashSet<VarId> = program.vars.ids().collect();
    let compares = |t: &TermId| is_comparison_of_arrays(pool, *t);
    for edge in program.edges.iter() {
        match &edge.stmt {
            Stmt::Assign(pairs) => {
                for (v, t) in pairs {
                    for read in vars_of.of(pool, *t).iter().filter(|r| *r != v) {
                        idle.remove(read);
                    }
                }
            }
            Stmt::Assume(c) => {
                if !pool.post_order(&[*c]).iter().any(compares) {
                    for read in vars_of.of(pool, *c).iter() {
                        idle.remove(read);
                    }
                }
            }
            Stmt::Call { callee, args, .. } => {
                for read in &program.functions[*callee].returns {
                    idle.remove(read);
                }
                for read in args.iter().flat_map(|t| vars_of.of(pool, *t).to_vec()) {
                    idle.remove(&read);
                }
            }
            Stmt::Skip | Stmt::Havoc(..) => {}
        }
    }
    let int = pool.int_sort();
    idle.retain(|v| program.vars[*v].sort == int);
    idle
}
