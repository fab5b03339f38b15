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
use program::interp::{Interpreter, Limits, Oracle, Outcome, Taken};
use program::{EdgeId, LocId, Program, Stmt, VarId};

/// Longer executions are left to the engines.
const STEP_LIMIT: u64 = 1_500_000;
/// So many steps are followed first, and at once after that: most programs look at an input early.
const FIRST_PART: u64 = 2_000;
const PART: u64 = 100_000;
/// What following a step costs.
const TICKS_A_STEP: u64 = 2;

/// Default values, as long as the budget lasts.
struct Defaults<'a> {
    budget: &'a Budget,
    /// Steps until the run rests.
    left: u64,
}

impl Oracle for Defaults<'_> {
    fn havoc(&mut self, _edge: EdgeId, _vars: &[VarId]) -> Option<Vec<Value>> {
        Some(Vec::new())
    }

    fn may_go_on(&mut self, instructions: u64) -> bool {
        let ticks = instructions / program::interp::INSTRUCTIONS_A_TICK;
        self.budget.spend(ticks).is_ok()
    }

    fn choose(&mut self, _at: LocId, _enabled: &[EdgeId]) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        Some(0)
    }
}

/// How many steps the one course of the program has; the error says why there is not one.
pub fn execute(pool: &mut Pool, program: &Program, budget: &Budget) -> Result<u64, Reason> {
    let mut limits = Limits {
        steps: STEP_LIMIT,
        ..Limits::default()
    };
    let successors = program.successors();
    let mut follow = Following {
        program,
        opposite: opposites(pool, program, &successors),
        successors,
        walk: Walk::new(pool, program, true),
    };
    limits.trace = true;
    let mut course = Defaults {
        budget,
        left: FIRST_PART,
    };
    let mut interpreter = Interpreter::new(pool, program);
    let mut run = interpreter.run(&mut course, &limits);
    let mut steps = run.steps;
    follow.trace(&run.trace, budget)?;
    if matches!(run.outcome, Outcome::OutOfInputs(_)) {
        ends(pool, program, budget)?;
    }
    while let Outcome::OutOfInputs(at) = run.outcome {
        course.left = PART;
        run = interpreter.go_on(at, &mut course, &limits);
        steps += run.steps;
        follow.trace(&run.trace, budget)?;
    }
    budget.check().map_err(Reason::OutOfBudget)?;
    let Following {
        successors,
        mut walk,
        ..
    } = follow;
    if !matches!(run.outcome, Outcome::Exited | Outcome::Blocked(_)) {
        return Err(no_end());
    }
    if let Outcome::Blocked(at) = run.outcome
        && !successors[at].iter().all(|&e| stops(&mut walk, program, e))
    {
        return Err(rejected("where it stops depends on an input"));
    }
    Ok(steps)
}

/// Following steps costs more than taking them: does the run end at all?
fn ends(pool: &Pool, program: &Program, budget: &Budget) -> Result<(), Reason> {
    let limits = Limits {
        steps: STEP_LIMIT,
        ..Limits::default()
    };
    let left = u64::MAX;
    let run = Interpreter::new(pool, program).run(&mut Defaults { budget, left }, &limits);
    budget.check().map_err(Reason::OutOfBudget)?;
    match run.outcome {
        Outcome::Exited | Outcome::Blocked(_) => Ok(()),
        _ => Err(no_end()),
    }
}

fn no_end() -> Reason {
    rejected("the program does not end without an error")
}

/// What the program leaves open, along its course.
struct Following<'p> {
    program: &'p Program,
    successors: IndexVec<LocId, Vec<EdgeId>>,
    opposite: FxHashSet<LocId>,
    walk: Walk<'p>,
}

impl Following<'_> {
    /// Goes on with the next steps; the error says which of them could have been another.
    fn trace(&mut self, trace: &[Taken], budget: &Budget) -> Result<(), Reason> {
        let (program, successors) = (self.program, &self.successors);
        let walk = &mut self.walk;
        for (i, taken) in trace.iter().enumerate() {
            if i % 1024 == 0 {
                let ticks = TICKS_A_STEP * 1024;
                budget.spend(ticks).map_err(Reason::OutOfBudget)?;
            }
            // Where there is one edge, an assumption only ends the executions that do not meet it.
            let lone = successors[program.edges[taken.edge].from].len() == 1;
            let alone =
                taken.returns || only_way(walk, program, successors, &self.opposite, taken.edge);
            if !alone || walk.step(taken, &|_| true) && !lone {
                let line = program.edges[taken.edge].span.line;
                return Err(rejected(&format!(
                    "its course depends on an input (line {line})"
                )));
            }
            walk.along.step(taken);
            walk.memo.clear();
        }
        Ok(())
    }
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
