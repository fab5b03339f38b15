//! Cheap ways to an answer before the algorithm: a bounded search for errors first, as most bugs are
//! shallow; the generators of candidates stage by stage ([`crate::guess::generator`]), each offered to
//! Houdini; long random runs, where no guess was enough.
//!
//! None of it is needed for soundness or progress; `EngineOptions::aids` switches it off.

pub(crate) mod bmc;
pub(crate) mod boxes;
pub(crate) mod guided_runs;
pub(crate) mod lemmas;
pub(crate) mod localization;
pub(crate) mod random_runs;
pub(crate) mod seeded_runs;
mod texts;

use crate::api::Task;
use crate::core::block_solver::BlockSolver;
use crate::core::houdini::Invariants;
use crate::core::path::Versions;
use crate::guess::affine::Region;
use crate::guess::generator::{self, Candidates, Scene, Stage};
use crate::limits::Slice;
use crate::prepare::Prepared;
use crate::presolve::bmc::{Found, bmc};
use crate::presolve::random_runs::long_runs;
use base::Stop;
use evidence::Counterexample;
use program::LocId;

/// What came of it.
pub enum Presolved {
    Error(Counterexample),
    /// The guessed invariants exclude all errors.
    Safe,
    /// The algorithm's turn.
    Undecided,
}

/// Bounded search for an error path, then the generators of candidates stage by stage.
pub fn presolve(
    task: &mut Task<'_>,
    prepared: &Prepared,
    block_solver: &mut BlockSolver<'_>,
    versions: &mut Versions,
    invariants: &mut Invariants,
) -> Result<Presolved, Stop> {
    if !task.options.aids {
        return Ok(Presolved::Undecided);
    }
    if prepared.error_blocks().is_empty() {
        return Ok(Presolved::Safe);
    }
    let mut given = given(prepared);
    let lessons = lemmas::learn(task, prepared, 0);
    for (loc, facts) in lessons.facts {
        given.entry(loc).or_default().extend(facts);
    }
    if !given.is_empty() && offer(task, prepared, block_solver, invariants, given)? {
        return Ok(Presolved::Safe);
    }
    // Where the lemmas could not be proven in time, guesses are worth another try.
    let done = match lessons.taken == 0 || invariants.count() > 0 {
        true => lessons.guessed,
        false => 0,
    };
    if done > 0 {
        task.stats
            .add("stages of guesses by other engines", done as u64);
    }
    let limits = &task.options.limits.presolve;
    for (number, stage) in Stage::ALL.into_iter().enumerate().skip(done) {
        // All states come first: where they are few, nothing else is needed.
        if number == 1 {
            // Where locations are split by values, blocks are many and small.
            let calls = limits.bmc_calls.max(2 * prepared.graph.blocks.len() as u64);
            if let Some(cex) = search_errors(task, prepared, versions, calls)? {
                return Ok(Presolved::Error(cex));
            }
            if task.options.random_runs
                && let Some(cex) = seeded_runs::runs(task, prepared, versions)
            {
                return Ok(Presolved::Error(cex));
            }
            if prepared.localized() && prepared.program.edges.len() > limits.most_edges {
                return Ok(Presolved::Undecided);
            }
        }
        // After the guesses that are quick and often enough.
        if stage == Stage::Affine
            && task.options.random_runs
            && let Some(cex) = long_runs(task)
        {
            return Ok(Presolved::Error(cex));
        }
        if guess(task, prepared, block_solver, invariants, stage)? {
            return Ok(Presolved::Safe);
        }
        lemmas::teach(task, prepared, invariants, number + 1);
    }
    invariants.forget_general(task.pool, prepared, block_solver, task.budget)?;
    Ok(Presolved::Undecided)
}

/// One stage of guesses; says whether the invariants now exclude all errors.
fn guess(
    task: &mut Task<'_>,
    prepared: &Prepared,
    block_solver: &mut BlockSolver<'_>,
    invariants: &mut Invariants,
    stage: Stage,
) -> Result<bool, Stop> {
    if [Stage::Objects, Stage::MostObjects, Stage::Arrays].contains(&stage) {
        invariants.general_next(task.pool);
    }
    if stage == Stage::Products {
        invariants.sample(task.pool, prepared, task.budget);
    }
    let region = Region::whole(prepared, invariants);
    let mut scene = Scene {
        pool: task.pool,
        region: &region,
        proven: &|loc| invariants.at(loc).to_vec(),
        solver: block_solver,
        stats: task.stats,
        limits: &task.options.limits.guess,
        sampled: true,
        samples: invariants.samples(),
        budget: task.budget,
    };
    let candidates = generator::candidates(stage, &mut scene)?;
    // Programs without loops have no candidates: whether they have errors is asked once.
    let worth = stage == Stage::Text || !candidates.is_empty();
    let hard = [
        Stage::States,
        Stage::Objects,
        Stage::PairsOfObjects,
        Stage::MostObjects,
    ];
    let hard = hard.contains(&stage);
    let houdini = &task.options.limits.houdini;
    let work = match stage {
        _ if hard => houdini.hard_work,
        Stage::Strings => houdini.string_work,
        _ => houdini.work,
    };
    let safe = worth && offer_within(task, prepared, block_solver, invariants, candidates, work)?;
    if [Stage::Arrays, Stage::MostObjects].contains(&stage) && !safe {
        invariants.forget_open_general(task.pool);
    }
    Ok(safe)
}

/// The candidates that came with the task, at cut points.
fn given(prepared: &Prepared) -> Candidates {
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
    let found = bmc(task, prepared, versions, solver_calls)?;
    task.stats.add("bmc solver calls", found.solver_calls);
    Ok(match found.result {
        Found::Error(cex) => Some(cex),
        Found::Nothing => None,
    })
}

/// Offers candidate facts to Houdini; says whether the invariants now exclude all errors.
pub fn offer(
    task: &mut Task<'_>,
    prepared: &Prepared,
    block_solver: &mut BlockSolver<'_>,
    invariants: &mut Invariants,
    candidates: Candidates,
) -> Result<bool, Stop> {
    let work = task.options.limits.houdini.work;
    offer_within(task, prepared, block_solver, invariants, candidates, work)
}

/// Offers facts that an engine has found to be inductive together, whether aids are wanted or not.
pub fn prove(
    task: &mut Task<'_>,
    prepared: &Prepared,
    block_solver: &mut BlockSolver<'_>,
    invariants: &mut Invariants,
    facts: Candidates,
) -> Result<bool, Stop> {
    let (pool, budget) = (&mut *task.pool, task.budget);
    let work = task.options.limits.houdini.hard_work;
    invariants.extend_within(pool, prepared, block_solver, facts, work, budget)?;
    invariants.exclude_errors(pool, prepared, block_solver, budget)
}

/// The same within a slice of its own.
fn offer_within(
    task: &mut Task<'_>,
    prepared: &Prepared,
    block_solver: &mut BlockSolver<'_>,
    invariants: &mut Invariants,
    candidates: Candidates,
    work: Slice,
) -> Result<bool, Stop> {
    if !task.options.aids {
        return Ok(false);
    }
    let (pool, budget) = (&mut *task.pool, task.budget);
    invariants.extend_within(pool, prepared, block_solver, candidates, work, budget)?;
    task.stats
        .max("inductive invariants", invariants.count() as u64);
    invariants.exclude_errors(task.pool, prepared, block_solver, task.budget)
}
