//! The default: picks engines by what the program is like and gives them time in turn.
//!
//! Recursive programs go to `whale`, those too large to inline to `trace`, the others to `impact`; most
//! answers that ever come, come early, so each engine gets a slice and the next takes over. An
//! engine's evidence is checked here already, so that one rejected proof does not end the run.

use crate::api::{ENGINES, Engine, EngineEntry, EngineOptions, Task};
use evidence::{Reason, Verdict};
use logic::Budget;
use program::{Stmt, inline};
use std::time::Duration;

/// The engine as the table makes it.
#[derive(Default)]
pub struct Portfolio;

/// Who runs, with which share of the time left, and why.
struct Plan {
    why: String,
    slices: &'static [(&'static str, f64)],
}

impl Engine for Portfolio {
    fn run(&mut self, task: &mut Task<'_>) -> Verdict {
        let plan = plan(task);
        task.stats.note(&plan.why);
        let mut last = Reason::NoProgress {
            what: "no engine ran".into(),
        };
        for &(name, share) in plan.slices {
            let Some(entry) = ENGINES.iter().find(|e| e.name == name) else {
                continue;
            };
            let budget = match task.budget.remaining() {
                Some(left) => task.budget.clone().with_time(left.mul_f64(share)),
                None => task.budget.clone().with_time(UNLIMITED_SLICE),
            };
            let mut options = task.options.clone();
            let mut verdict = run_checked(entry, task, &options, &budget);
            if let Verdict::Unknown(Reason::EvidenceRejected { .. }) = verdict {
                // What slicing drops can leave a gap in a proof: try once on the whole program.
                options.slice = false;
                task.stats.note(&format!("{name} again without slicing"));
                verdict = run_checked(entry, task, &options, &budget);
            }
            match verdict {
                Verdict::Unknown(reason) => {
                    task.stats.note(&format!("{name} gave no answer"));
                    last = reason;
                }
                verdict => {
                    task.stats.note(&format!("answered by {name}"));
                    return verdict;
                }
            }
            if let Err(stop) = task.budget.check() {
                return Verdict::Unknown(Reason::OutOfBudget(stop));
            }
        }
        Verdict::Unknown(last)
    }
}

/// Runs an engine and checks its evidence.
fn run_checked(
    entry: &EngineEntry,
    task: &mut Task<'_>,
    options: &EngineOptions,
    budget: &Budget,
) -> Verdict {
    let verdict = (entry.make)().run(&mut Task {
        pool: task.pool,
        program: task.program,
        options,
        budget,
        stats: task.stats,
        progress: task.progress,
    });
    evidence::check(task.pool, task.program, verdict, task.budget).into_inner()
}

/// The slice of an engine when the run has no time limit.
const UNLIMITED_SLICE: Duration = Duration::from_secs(600);

fn plan(task: &mut Task<'_>) -> Plan {
    let calls = task
        .program
        .edges
        .iter()
        .any(|e| matches!(e.stmt, Stmt::Call { .. }));
    match inline::inline(task.pool, task.program) {
        Ok(_) if calls => Plan {
            why: "impact first: calls can be inlined".into(),
            slices: &[
                ("impact", 0.4),
                ("predabs", 0.6),
                ("trace", 0.5),
                ("whale", 1.0),
            ],
        },
        Ok(_) => Plan {
            why: "impact first: there are no calls".into(),
            slices: &[
                ("impact", 0.4),
                ("predabs", 0.6),
                ("split", 0.5),
                ("whale", 1.0),
            ],
        },
        Err(refusal @ inline::Refusal::TooLarge { .. }) => Plan {
            why: format!("trace first: {refusal}"),
            slices: &[("trace", 0.6), ("whale", 1.0)],
        },
        Err(refusal) => Plan {
            why: format!("whale first: {refusal}"),
            slices: &[("whale", 0.6), ("trace", 0.6), ("predabs", 1.0)],
        },
    }
}
