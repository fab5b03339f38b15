//! Programs with calls, decided by execution on boxes: one table of states a function.
//!
//! Idea, on a driver that takes a lock under a condition and gives it back under the same one:
//!
//! ```text
//!   open(dev)    from lock = 0:   lock = 1, result 0  |  lock = 0, result in ..-1
//!   main         after open:      lock = 1, ret = 0   |  lock = 0, ret in ..-1      so `if (ret == 0) close()` is right
//! ```
//! A function is executed once for each box of inputs (its parameters and the globals it uses), whoever calls it.
//! States are bounds of variables, kept apart where paths meet if the program tells them apart (`cells`), and made one
//! otherwise. Nothing is inlined, no solver is asked: the cost is the number of states times the size of the functions.
//!
//! Few variables of a large program decide about its errors. So first only those are tracked that the conditions
//! of errors are computed from, then those that decide about writes to them, and so on (`precision`).
//!
//! Source: Reps, Horwitz, Sagiv, "Precise interprocedural dataflow analysis via graph reachability" (POPL 1995);
//! explicit-value analysis with refinement (Beyer and Löwe, FASE 2013), with intervals in place of values.
//!
//! Where functions return nothing and change nothing, as those of Horn clauses, calls say nothing but which arguments there
//! are to return with: [`derived`] goes the other way, from those that return without calls.
//!
//! Sound because a statement on a box has all executions from its states (`program::analysis::boxes`), variables that
//! are not tracked have any value, and in the end every state is executed once more: all it leads to lies within
//! states that are there (`Search::is_closed`). How states were merged and widened is not believed. Arrays hold
//! anything.

mod derived;
mod precision;
mod rules;
mod search;
mod setting;

use crate::Reason;
use base::{Budget, IndexVec};
use logic::{Interval, Pool, TermId};
use precision::Precision;
use program::analysis::cells::cells;
use program::{FuncId, Program};
use search::{End, Search};
use setting::Setting;

/// Steps outwards from the errors that variables are tracked in, one level after the other; then all of them.
const LEVELS: [usize; 5] = [0, 1, 2, 4, usize::MAX];
/// Cells of a variable, and rounds in which copies of variables are cut alike.
const CELLS: usize = 60;
const COPY_ROUNDS: usize = 8;

/// Shows that no execution of the program reaches an error; says how many states its functions have.
pub(crate) fn explore(pool: &Pool, program: &Program, budget: &Budget) -> Result<usize, Reason> {
    if let Some(found) = derived::derive(pool, program, budget) {
        let found = found.map_err(Reason::OutOfBudget)?;
        let count = found.map(|facts| facts.iter().map(Vec::len).sum());
        return count.ok_or_else(|| rejected("a rule without a head applies to what is derived"));
    }
    let setting = Setting::new(pool, program, cells(pool, program, CELLS, COPY_ROUNDS));
    let mut precision = Precision::new(pool, program, setting.scalars());
    let mut level = 0;
    for (number, levels) in LEVELS.into_iter().enumerate() {
        let mut grown = number == 0;
        while level < levels && precision.widen() {
            level += 1;
            grown = true;
        }
        if !grown {
            continue;
        }
        let mut search = Search::new(&setting, precision.tracked());
        match search.run(budget).map_err(Reason::OutOfBudget)? {
            End::Safe => {}
            End::Error => continue,
            End::TooMany => return Err(rejected("it has too many states")),
        }
        if !search.is_closed(budget).map_err(Reason::OutOfBudget)? {
            return Err(rejected("the states are not closed"));
        }
        return Ok(search.states());
    }
    Err(rejected("an abstract state reaches an error"))
}

/// For each function of a program of Horn clauses that [`explore`] decides: what holds of its parameters where it returns.
pub fn derived_facts(
    pool: &mut Pool,
    program: &Program,
    budget: &Budget,
) -> Option<IndexVec<FuncId, TermId>> {
    let found = derived::derive(pool, program, budget)?;
    let facts = found.ok()??;
    let mut out = IndexVec::new();
    for (function, boxes) in program.functions.iter().zip(facts.iter()) {
        let mut any = Vec::new();
        for fact in boxes.iter().filter(|fact| !is_within_another(fact, boxes)) {
            let mut all = Vec::new();
            for (var, bounds) in function.params.iter().zip(fact) {
                let range = program.vars[*var].term;
                all.push(within(pool, range, *bounds));
            }
            any.push(pool.and(&all));
        }
        out.push(pool.or(&any));
    }
    Some(out)
}

fn is_within_another(fact: &[Interval], boxes: &[Box<[Interval]>]) -> bool {
    let includes = |other: &[Interval]| other.iter().zip(fact).all(|(a, b)| a.includes(b));
    let mut others = boxes.iter().filter(|other| ***other != *fact);
    others.any(|other| includes(other))
}

/// The formula that a term is within bounds.
fn within(pool: &mut Pool, term: TermId, bounds: Interval) -> TermId {
    if pool.sort_of(term) == pool.bool_sort() {
        return match bounds.as_single() {
            Some(0) => pool.not(term),
            Some(_) => term,
            None => pool.tt(),
        };
    }
    if let Some(value) = bounds.as_single() {
        let value = pool.int(value);
        return pool.eq(term, value);
    }
    let (low, high) = bounds.ends();
    let low = low.map(|n| {
        let low = pool.int(n);
        pool.le(low, term)
    });
    let high = high.map(|n| {
        let high = pool.int(n);
        pool.le(term, high)
    });
    let parts: Vec<TermId> = low.into_iter().chain(high).collect();
    pool.and(&parts)
}

fn rejected(why: &str) -> Reason {
    Reason::EvidenceRejected {
        why: format!("no proof by tables: {why}"),
    }
}
