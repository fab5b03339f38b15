//! Who looks for the verdict: the portfolio, one engine of the table, or another program.

use super::judge::{caught, judge};
use super::portfolio;
use crate::Error;
use crate::horn::spacer::Spacer;
use base::{FxHashSet, Id};
use engine::{ENGINES, EngineKind, EngineOptions, Method, Task};
use evidence::{Checked, Reason, Scope, Verdict};
use program::analysis::shape::reachable_functions;
use program::passes::Detail;
use program::{LocId, Program};
use std::sync::atomic::{AtomicUsize, Ordering};

const PORTFOLIO: &str = "portfolio";

/// Who looks for the verdict.
///
/// ```
/// use craig::{Engine, EngineKind};
///
/// assert_eq!("impact".parse::<Engine>().ok(), Some(EngineKind::Impact.into()));
/// assert!("no-such-engine".parse::<Engine>().is_err());
/// assert!(Engine::all().any(|e| e == Engine::default()));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The engines that fit the program, in turns.
    #[default]
    Portfolio,
    /// One engine alone.
    Alone(EngineKind),
    /// Another program that solves the Horn clauses of the program: `z3`, or a command that reads
    /// SMT-LIB from its standard input.
    Clauses(String),
}

impl Engine {
    /// The portfolio and the engines of the table, in the order in which help lists them.
    pub fn all() -> impl Iterator<Item = Engine> {
        let table = ENGINES.iter().map(|e| Engine::Alone(e.kind));
        std::iter::once(Engine::Portfolio).chain(table)
    }

    /// One line about the engine.
    pub fn summary(&self) -> &'static str {
        match self {
            Engine::Portfolio => "the engines that fit the program, in turns (default)",
            Engine::Alone(kind) => kind.entry().summary,
            Engine::Clauses(_) => "another program solves the Horn clauses of the program",
        }
    }

    /// Looks for a verdict and has its evidence judged.
    pub(super) fn solve(&self, task: &mut Task<'_>, memory: Option<u64>) -> Checked<Verdict> {
        let checked = match self {
            Engine::Portfolio => caught("the portfolio", || portfolio::run(task)),
            Engine::Alone(kind) => Ok(run_judged(*kind, task)),
            Engine::Clauses(solver) => {
                let solver = solver.clone();
                caught("the clauses", || Spacer { solver, memory }.run(task))
            }
        };
        checked.unwrap_or_else(Checked::unknown)
    }
}

/// Runs an engine of the table and has its evidence judged. A rejection is mostly the fault of a pass whose way back
/// says too little, so the engine tries again on a program that fewer passes have seen.
pub(super) fn run_judged(kind: EngineKind, task: &mut Task<'_>) -> Checked<Verdict> {
    // Names that one run makes may mean something else to the next.
    let before = task.pool.clone();
    let mut checked = judged(kind, task);
    for (what, options) in fewer_passes(kind, task.options) {
        if !matches!(
            checked.get(),
            Verdict::Unknown(Reason::EvidenceRejected { .. })
        ) {
            break;
        }
        task.stats.note(&format!("{kind} again {what}"));
        *task.pool = before.clone();
        checked = judged(
            kind,
            &mut Task {
                pool: task.pool,
                program: task.program,
                options: &options,
                budget: task.budget,
                stats: task.stats,
                progress: task.progress,
            },
        );
    }
    checked
}

/// The same on the cones of the errors of a program, the smaller first. What the checker rejects there is done
/// again on the next, and then on the whole. An error of a cone that is none is so for all engines: `refuted` counts the
/// cones that have one, and others begin after them.
pub(super) fn run_on_cones(
    kind: EngineKind,
    task: &mut Task<'_>,
    cones: &[(Detail, Program)],
    refuted: &AtomicUsize,
) -> Checked<Verdict> {
    let before = task.pool.clone();
    let whole = task.program;
    let mut options = task.options.clone();
    let begin = refuted.load(Ordering::Relaxed);
    if begin > 0 {
        options.shared = None;
    }
    for (number, (detail, cone)) in cones.iter().enumerate().skip(begin) {
        let mut part = Task {
            pool: task.pool,
            program: cone,
            options: &options,
            budget: task.budget,
            stats: task.stats,
            progress: task.progress,
        };
        let mut engine = (kind.entry().make)();
        part.stats.begin(&kind.to_string());
        let claim = match caught("the engine", || engine.run(&mut part)) {
            Ok(claim) => about_cone(whole, cone, *detail, claim),
            Err(reason) => Verdict::Unknown(reason),
        };
        // An error of a cone may be none: the program then runs on for ever.
        let budget = match claim {
            Verdict::Unsafe(_) => {
                let slice = task.options.limits.portfolio.execution;
                task.budget.clone().with_slice(slice)
            }
            _ => task.budget.clone(),
        };
        let was_error = matches!(claim, Verdict::Unsafe(_));
        let checked = judge(task.pool, whole, claim, &budget, task.stats);
        let end = match checked.get() {
            Verdict::Unknown(Reason::OutOfBudget(_) | Reason::NoErrorUpTo { .. }) => {
                !was_error || task.budget.check().is_err()
            }
            Verdict::Unknown(_) => false,
            _ => true,
        };
        if end {
            return checked;
        }
        if was_error {
            refuted.fetch_max(number + 1, Ordering::Relaxed);
        }
        task.stats
            .note(&format!("{kind} again on more of the program"));
        *task.pool = before.clone();
        // What engines share is made of the first cone.
        options.shared = None;
    }
    run_judged(
        kind,
        &mut Task {
            pool: task.pool,
            program: whole,
            options: &options,
            budget: task.budget,
            stats: task.stats,
            progress: task.progress,
        },
    )
}

/// The claim as one about the cone of the program. What it says of locations that only the whole program reaches is
/// left out: nobody may take it for a fact about them.
fn about_cone(whole: &Program, cone: &Program, detail: Detail, claim: Verdict) -> Verdict {
    match claim {
        Verdict::Safe(mut proof) => {
            proof.cone = Some(detail);
            if proof.scope == Scope::Modular {
                let successors = cone.successors();
                let reached: FxHashSet<LocId> = reachable_functions(cone, &successors)
                    .into_iter()
                    .flat_map(|(_, shape)| shape.order)
                    .collect();
                proof.invariants.retain(|loc, _| reached.contains(loc));
            }
            Verdict::Safe(proof)
        }
        Verdict::Unsafe(mut path) => {
            path.steps.retain(|s| s.edge.index() < whole.edges.len());
            Verdict::Unsafe(path)
        }
        Verdict::Unknown(_) => claim,
    }
}

fn judged(kind: EngineKind, task: &mut Task<'_>) -> Checked<Verdict> {
    let mut engine = (kind.entry().make)();
    task.stats.begin(&kind.to_string());
    match caught("the engine", || engine.run(task)) {
        Ok(claim) => judge(task.pool, task.program, claim, task.budget, task.stats),
        Err(reason) => Checked::unknown(reason),
    }
}

/// What is tried after a rejection, in order: without the passes that simplify, then the paper's algorithm alone.
fn fewer_passes(
    kind: EngineKind,
    options: &EngineOptions,
) -> impl Iterator<Item = (&'static str, EngineOptions)> {
    let whole = EngineOptions {
        slice: false,
        ..options.clone()
    };
    let alone = EngineOptions {
        method: Method::Paper,
        blocks: kind.entry().paper_blocks,
        aids: false,
        random_runs: false,
        ..whole.clone()
    };
    let simplified = options.slice.then_some(("without slicing", whole));
    let helped = options.method == Method::Full;
    let alone = helped.then_some(("as in its paper", alone));
    simplified.into_iter().chain(alone)
}

impl From<EngineKind> for Engine {
    fn from(kind: EngineKind) -> Self {
        Engine::Alone(kind)
    }
}

impl std::fmt::Display for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Engine::Portfolio => f.write_str(PORTFOLIO),
            Engine::Alone(kind) => kind.fmt(f),
            Engine::Clauses(solver) => write!(f, "clauses solved by {solver}"),
        }
    }
}

impl std::str::FromStr for Engine {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        if name == PORTFOLIO {
            return Ok(Engine::Portfolio);
        }
        name.parse::<EngineKind>().map(Engine::Alone).map_err(|e| {
            let names: Vec<String> = Engine::all().map(|e| e.to_string()).collect();
            Error::Message(format!("{e} (engines: {})", names.join(", ")))
        })
    }
}
