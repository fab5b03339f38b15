//! What is tried around the algorithm: summaries by explicit values, guesses from the text, affine
//! relations.

use crate::api::Task;
use crate::prepare::modular::ModularProgram;
use crate::summaries::contracts::Contracts;
use crate::summaries::guess;
use base::{IndexVec, Stop};
use logic::TermId;
use program::FuncId;

/// Takes over summaries by explicit values, unless some function has many: these are of little help
/// and a load at every call. The others may rest on them, so they are only offered then.
pub(super) fn keep_by_values(
    task: &mut Task<'_>,
    contracts: &mut Contracts<'_>,
    by_values: &IndexVec<FuncId, Vec<TermId>>,
) -> Result<(), Stop> {
    let most = task.options.limits.whale.by_values;
    let few = |summaries: &Vec<TermId>| summaries.len() <= most;
    if by_values.iter().all(few) {
        for (f, summaries) in by_values.iter_enumerated() {
            contracts.assume_summaries(f, summaries.iter().copied());
        }
        return Ok(());
    }
    for (f, summaries) in by_values.iter_enumerated().filter(|(_, s)| few(s)) {
        for &summary in summaries {
            contracts.offer_summary(task.pool, f, summary);
        }
    }
    // Running out of a slice only means fewer summaries.
    let slice = task.options.limits.whale.guess_work.of(task.budget);
    let _ = contracts.houdini(task.pool, &slice);
    task.budget.check()
}

/// Tries what the user says of functions; says if that proves the goal.
pub(super) fn given_contracts(
    task: &mut Task<'_>,
    prepared: &ModularProgram,
    contracts: &mut Contracts<'_>,
    goal: TermId,
) -> Result<bool, Stop> {
    if task.program.contracts.is_empty() {
        return Ok(false);
    }
    contracts.offer_given(task.pool, &task.program.contracts, prepared);
    let slice = task.options.limits.whale.guess_work.of(task.budget);
    let _ = contracts.houdini(task.pool, &slice);
    task.budget.check()?;
    proved(task, prepared, contracts, goal)
}

/// Tries guesses from the text; says if they prove the goal.
pub(super) fn from_text(
    task: &mut Task<'_>,
    prepared: &ModularProgram,
    contracts: &mut Contracts<'_>,
    goal: TermId,
) -> Result<bool, Stop> {
    guess::from_text(task.pool, prepared, contracts, &task.options.limits.whale);
    // Running out of a slice only means fewer guesses.
    let slice = task.options.limits.whale.guess_work.of(task.budget);
    let _ = contracts.houdini(task.pool, &slice);
    task.budget.check()?;
    proved(task, prepared, contracts, goal)
}

/// Tries affine relations, of inputs with outputs and between inputs; says if they prove the goal.
pub(super) fn affine(
    task: &mut Task<'_>,
    prepared: &ModularProgram,
    contracts: &mut Contracts<'_>,
    goal: TermId,
) -> Result<bool, Stop> {
    for guess in [guess::affine, guess::affine_guards] {
        let slice = task.options.limits.whale.affine_work.of(task.budget);
        let _ = guess(
            task.pool,
            prepared,
            contracts,
            &task.options.limits.whale,
            &slice,
        );
        let slice = task.options.limits.whale.guess_work.of(task.budget);
        let _ = contracts.houdini(task.pool, &slice);
        task.budget.check()?;
        if proved(task, prepared, contracts, goal)? {
            return Ok(true);
        }
    }
    Ok(false)
}

pub(super) fn proved(
    task: &mut Task<'_>,
    prepared: &ModularProgram,
    contracts: &mut Contracts<'_>,
    goal: TermId,
) -> Result<bool, Stop> {
    let safe = task.pool.not(goal);
    contracts.implies(task.pool, prepared.entry, safe, task.budget)
}
