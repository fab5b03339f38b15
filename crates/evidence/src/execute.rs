//! Programs decided by running them: whatever the inputs are, the program takes one course, and that
//! course ends without an error.
//!
//! The interpreter runs the program once with default values; then everything that the program
//! leaves open (inputs, approximations, initial values) is followed through the run (`taint.rs`).
//!
//! Sound because a decision that looks at no followed value falls the same way in every execution:
//! by induction every execution takes the same edges, up to its end or until it stops earlier at a
//! value outside a range, and none of them leads to an error.

use crate::Reason;
use crate::taint::Walk;
use base::{Budget, FxHashSet, IndexVec};
use logic::{Pool, Value};
use program::interp::{Interpreter, Limits, Oracle, Outcome};
use program::{EdgeId, LocId, Program, Stmt, VarId};

/// Longer executions are left to the engines.
const STEP_LIMIT: u64 = 400_000;

/// Default values, as long as the budget lasts.
struct Defaults<'a>(&'a Budget);

impl Oracle for Defaults<'_> {
    fn havoc(&mut self, _edge: EdgeId, _vars: &[VarId]) -> Option<Vec<Value>> {
        Some(Vec::new())
    }

    fn may_go_on(&mut self, instructions: u64) -> bool {
        let ticks = instructions / program::interp::INSTRUCTIONS_A_TICK;
        self.0.spend(ticks).is_ok()
    }
}

/// How many steps the one course of the program has; the error says why there is not one.
pub fn execute(pool: &mut Pool, program: &Program, budget: &Budget) -> Result<u64, Reason> {
    let mut limits = Limits {
        steps: STEP_LIMIT,
        ..Limits::default()
    };
    let mut interpreter = Interpreter::new(pool, program);
    let first = interpreter.run(&mut Defaults(budget), &limits);
    budget.check().map_err(Reason::OutOfBudget)?;
    if !matches!(first.outcome, Outcome::Exited | Outcome::Blocked(_)) {
        return Err(rejected("the program does not end without an error"));
    }
    limits.trace = true;
    let run = interpreter.run(&mut Defaults(budget), &limits);
    budget.check().map_err(Reason::OutOfBudget)?;
    let successors = program.successors();
    let opposite = opposites(pool, program, &successors);
    let mut walk = Walk::new(pool, program, true);
    for (i, taken) in run.trace.iter().enumerate() {
        if i % 1024 == 0 {
            budget.check().map_err(Reason::OutOfBudget)?;
        }
        // Where there is one edge, an assumption only ends the executions that do not meet it.
        let lone = successors[program.edges[taken.edge].from].len() == 1;
        let alone =
            taken.returns || only_way(&mut walk, program, &successors, &opposite, taken.edge);
        if !alone || walk.step(taken, &|_| true) && !lone {
            let line = program.edges[taken.edge].span.line;
            return Err(rejected(&format!(
                "its course depends on an input (line {line})"
            )));
        }
        walk.along.step(taken);
        walk.memo.clear();
    }
    if let Outcome::Blocked(at) = run.outcome
        && !successors[at].iter().all(|&e| stops(&mut walk, program, e))
    {
        return Err(rejected("where it stops depends on an input"));
    }
    Ok(run.steps)
}

fn rejected(why: &str) -> Reason {
    Reason::EvidenceRejected {
        why: format!("no complete execution: {why}"),
    }
}

/// Locations whose two edges have opposite conditions.
fn opposites(
    pool: &mut Pool,
    program: &Program,
    successors: &IndexVec<LocId, Vec<EdgeId>>,
) -> FxHashSet<LocId> {
    let mut out = FxHashSet::default();
    for (at, edges) in successors.iter_enumerated() {
        if let [a, b] = edges[..]
            && let (Stmt::Assume(a), Stmt::Assume(b)) =
                (&program.edges[a].stmt, &program.edges[b].stmt)
        {
            let (a, b) = (*a, *b);
            if pool.not(a) == b {
                out.insert(at);
            }
        }
    }
    out
}

/// Can no other edge be taken here, whatever the inputs are?
fn only_way(
    walk: &mut Walk<'_>,
    program: &Program,
    successors: &IndexVec<LocId, Vec<EdgeId>>,
    opposite: &FxHashSet<LocId>,
    edge: EdgeId,
) -> bool {
    let from = program.edges[edge].from;
    opposite.contains(&from)
        || successors[from].iter().all(|&other| {
            other == edge
                || match program.edges[other].stmt {
                    Stmt::Assume(c) => walk.is_false(c),
                    _ => false,
                }
        })
}

/// Does no execution take the edge from here?
fn stops(walk: &mut Walk<'_>, program: &Program, edge: EdgeId) -> bool {
    match &program.edges[edge].stmt {
        Stmt::Assume(c) => walk.is_false(*c),
        // The run stopped at it: a value left its range, and it is the same in all executions.
        Stmt::Assign(list) => list.iter().all(|&(_, t)| !walk.follows(t)),
        _ => false,
    }
}
