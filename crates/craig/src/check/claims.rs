//! Claims of others about the program (evidence of an earlier version, say), before an engine looks: the checker judges
//! each one as if an engine had made it.

use super::judge::judge;
use super::minimize::minimized;
use super::without_inexact_errors;
use crate::load::Loaded;
use base::Budget;
use engine::Stats;
use evidence::{Checked, Verdict};
use logic::TermId;
use program::LocId;

/// What may help with a program. Nothing of it is believed.
#[derive(Default)]
pub struct Hints {
    /// Judged before an engine looks.
    pub claims: Vec<Verdict>,
    /// Facts that may hold at locations: candidates for invariants.
    pub candidates: Vec<(LocId, TermId)>,
}

/// The part of the time left that a claim may take.
const SHARE: u32 = 3;

/// How many claims were accepted, as the account of a run counts them.
pub(crate) const ACCEPTED: &str = "claims accepted";

/// The claims that the checker accepts. A proof is the last.
pub(super) fn accepted(
    claims: Vec<Verdict>,
    input: &mut Loaded,
    budget: &Budget,
    stats: &mut Stats,
) -> Vec<Checked<Verdict>> {
    let mut out = Vec::new();
    for claim in claims {
        let share = match budget.remaining() {
            Some(left) => budget.clone().with_time(left / SHARE),
            None => budget.clone(),
        };
        let (pool, program) = (&mut input.pool, &input.program);
        let verdict = judge(pool, program, claim, &share, stats);
        let verdict = minimized(verdict, pool, program, &share);
        let verdict = without_inexact_errors(verdict, input.inexact.as_ref());
        let is_safe = matches!(verdict.get(), Verdict::Safe(_));
        if !matches!(verdict.get(), Verdict::Unknown(_)) {
            stats.add(ACCEPTED, 1);
            out.push(verdict);
        }
        if is_safe {
            break;
        }
    }
    out
}
