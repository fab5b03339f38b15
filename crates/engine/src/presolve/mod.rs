//! What engines over the block graph share around their algorithm: a bounded search for errors first, as
//! most bugs are shallow; invariants guessed from the program text; long random runs, where no guess
//! was enough; and Houdini over what the algorithm itself finds at loop heads.
//!
//! None of it is needed for soundness or progress; `EngineOptions::aids` switches it off.

pub(crate) mod bmc;
pub(crate) mod localization;
pub(crate) mod random_runs;
pub(crate) mod seeded_runs;

use crate::api::Task;
use crate::core::block_solver::Hoare;
use crate::core::houdini::Invariants;
use crate::core::path::Versions;
use crate::guess::array_invariants::Stage;
use crate::guess::heap::Objects;
use crate::guess::phases::Phases;
use crate::prepare::Prepared;
use crate::presolve::bmc::{Hunt, hunt};
use crate::presolve::random_runs::long_runs;
use base::Stop;
use evidence::Counterexample;
use logic::TermId;
use program::LocId;
use std::collections::BTreeMap;
use std::time::Duration;

/// How long the search for affine equalities may take.
const AFFINE_TIME: Duration = Duration::from_secs(2);

/// How long facts of single phases may be sought.
const PHASES_TIME: Duration = Duration::from_secs(1);

/// How long it may take to show that enumerated states are all there are.
const STATES_TIME: Duration = Duration::from_secs(2);

/// How long facts about linked objects may be sorted out.
const HEAP_TIME: Duration = Duration::from_secs(4);

/// With more loop heads than this, affine equalities are not sought.
const MOST_HEADS: usize = 60;

/// In a larger program without its memory nothing is guessed: of the many candidates most speak of what
/// does not matter, and the algorithm asks only for what does.
const MOST_EDGES: usize = 4000;

/// Solver calls of the search for errors, and how long it may take: deep paths through branching
/// loops can be hard for the solver where an invariant is easy.
const HUNT_CALLS: u64 = 60;
const HUNT_TIME: Duration = Duration::from_millis(700);

/// What came of the opening.
pub enum Opening {
    Error(Counterexample),
    /// The guessed invariants exclude all errors.
    Invariant,
    /// The algorithm's turn.
    Undecided,
}

/// Bounded search for an error path, then guesses from the program text.
pub fn open(
    task: &mut Task<'_>,
    prepared: &Prepared,
    hoare: &mut Hoare<'_>,
    versions: &mut Versions,
    invariants: &mut Invariants,
) -> Result<Opening, Stop> {
    if !task.options.aids {
        return Ok(Opening::Undecided);
    }
    if prepared.error_blocks().is_empty() {
        return Ok(Opening::Invariant);
    }
    let given = given(prepared);
    if !given.is_empty() && offer(task, prepared, hoare, invariants, given)? {
        return Ok(Opening::Invariant);
    }
    if let Some(states) = crate::guess::value_analysis::candidates(task.pool, prepared)
        && offer_for(task, prepared, hoare, invariants, states, STATES_TIME)?
    {
        return Ok(Opening::Invariant);
    }
    let random_runs = task.options.random_runs;
    // Where locations are split by values, blocks are many and small.
    let calls = HUNT_CALLS.max(2 * prepared.graph.blocks.len() as u64);
    if let Some(cex) = search_errors(task, prepared, versions, calls)? {
        return Ok(Opening::Error(cex));
    }
    if random_runs && let Some(cex) = crate::presolve::seeded_runs::runs(task, prepared, versions) {
        return Ok(Opening::Error(cex));
    }
    if prepared.forgets() && prepared.program.edges.len() > MOST_EDGES {
        return Ok(Opening::Undecided);
    }
    let mut candidates = crate::guess::program_text::candidates(task.pool, prepared);
    let statements = crate::guess::statement_facts::candidates(task.pool, prepared);
    for (loc, facts) in statements.facts {
        candidates.entry(loc).or_default().extend(facts);
    }
    if offer(task, prepared, hoare, invariants, candidates)? {
        return Ok(Opening::Invariant);
    }
    invariants.general_next();
    let general = crate::guess::array_invariants::candidates(task.pool, prepared, Stage::Plain);
    if !general.is_empty() && offer(task, prepared, hoare, invariants, general)? {
        return Ok(Opening::Invariant);
    }
    invariants.forget_open_general(task.pool);
    let strings = crate::guess::strings::candidates(task.pool, prepared);
    if !strings.is_empty() && offer(task, prepared, hoare, invariants, strings)? {
        return Ok(Opening::Invariant);
    }
    for about in [Objects::One, Objects::Two] {
        let linked = crate::guess::heap::candidates(task.pool, prepared, about);
        if !linked.is_empty() && offer_for(task, prepared, hoare, invariants, linked, HEAP_TIME)? {
            return Ok(Opening::Invariant);
        }
    }
    invariants.forget_open_general(task.pool);
    if prepared.graph.loop_heads.len() > MOST_HEADS {
        if let Some(cex) = last_runs(task) {
            return Ok(Opening::Error(cex));
        }
        invariants.forget_general(task.pool, prepared, hoare, task.budget)?;
        return Ok(Opening::Undecided);
    }
    let slice = task.budget.clone().with_slice(AFFINE_TIME);
    let mut region = crate::guess::affine::Region::whole(prepared, invariants);
    region.cells = statements.cells;
    let equalities = crate::guess::affine::equalities(task.pool, &region, hoare, &slice);
    task.budget.check()?;
    let equalities = equalities.unwrap_or_default();
    if offer(task, prepared, hoare, invariants, equalities)? {
        return Ok(Opening::Invariant);
    }
    let phases = Phases::of(task.pool, prepared, invariants);
    let guesses = phases.candidates(task.pool, prepared, invariants, &statements.residues);
    if offer(task, prepared, hoare, invariants, guesses)? {
        return Ok(Opening::Invariant);
    }
    let slice = task.budget.clone().with_slice(PHASES_TIME);
    let equalities = phases.equalities(task.pool, prepared, hoare, invariants, &slice);
    task.budget.check()?;
    let equalities = equalities.unwrap_or_default();
    if offer(task, prepared, hoare, invariants, equalities)? {
        return Ok(Opening::Invariant);
    }
    if let Some(cex) = last_runs(task) {
        return Ok(Opening::Error(cex));
    }
    let general = crate::guess::array_invariants::candidates(task.pool, prepared, Stage::Cases);
    if !general.is_empty() && offer(task, prepared, hoare, invariants, general)? {
        return Ok(Opening::Invariant);
    }
    invariants.forget_general(task.pool, prepared, hoare, task.budget)?;
    Ok(Opening::Undecided)
}

/// Long random runs: they take longer than guesses that may make them needless.
fn last_runs(task: &mut Task<'_>) -> Option<Counterexample> {
    match task.options.random_runs {
        true => long_runs(task.pool, task.program, task.budget),
        false => None,
    }
}

/// The candidates that came with the task, at cut points.
fn given(prepared: &Prepared) -> BTreeMap<LocId, Vec<TermId>> {
    let at = |l: &LocId| Some((*l, prepared.candidates.get(l)?.clone()));
    prepared.graph.nodes.iter().filter_map(at).collect()
}

/// Bounded search for an error path; the longer the run, the longer it may take.
pub fn search_errors(
    task: &mut Task<'_>,
    prepared: &Prepared,
    versions: &mut Versions,
    solver_calls: u64,
) -> Result<Option<Counterexample>, Stop> {
    if !task.options.aids {
        return Ok(None);
    }
    let time = HUNT_TIME + task.budget.elapsed() / 4;
    let found = hunt(
        task.pool,
        prepared,
        versions,
        solver_calls,
        time,
        task.budget,
    )?;
    task.stats.add("hunt solver calls", found.solver_calls);
    Ok(match found.result {
        Hunt::Error(cex) => Some(cex),
        Hunt::Nothing => None,
    })
}

/// Offers candidate facts to Houdini; says whether the invariants now exclude all errors.
pub fn offer(
    task: &mut Task<'_>,
    prepared: &Prepared,
    hoare: &mut Hoare<'_>,
    invariants: &mut Invariants,
    candidates: BTreeMap<LocId, Vec<TermId>>,
) -> Result<bool, Stop> {
    let time = Duration::from_millis(500);
    offer_for(task, prepared, hoare, invariants, candidates, time)
}

/// The same in a slice of time of its own length; later slices are longer.
fn offer_for(
    task: &mut Task<'_>,
    prepared: &Prepared,
    hoare: &mut Hoare<'_>,
    invariants: &mut Invariants,
    candidates: BTreeMap<LocId, Vec<TermId>>,
    time: Duration,
) -> Result<bool, Stop> {
    if !task.options.aids {
        return Ok(false);
    }
    invariants.extend_for(task.pool, prepared, hoare, candidates, task.budget, time)?;
    task.stats
        .max("inductive invariants", invariants.count() as u64);
    invariants.exclude_errors(task.pool, prepared, hoare, task.budget)
}
