//! Reasons of an `unknown`, in words, and what would help.

use base::Stop;
use evidence::Reason;
use program::SourceMap;

/// Why there is no answer, in words.
pub fn reason_text(reason: &Reason, sources: &SourceMap) -> String {
    match reason {
        Reason::OutOfBudget(Stop::Time) => "the time limit passed".into(),
        Reason::OutOfBudget(Stop::Memory) => "the memory limit was reached".into(),
        Reason::OutOfBudget(Stop::Work) => "a slice of the work was used up".into(),
        Reason::OutOfBudget(Stop::Effort) => "the limit on solver work was reached".into(),
        Reason::OutOfBudget(Stop::Cancelled) => "the run was interrupted".into(),
        Reason::Unsupported { what, place } if place.is_known() => {
            format!("{}: {what} is not supported", sources.place(*place))
        }
        Reason::Unsupported { what, .. } => format!("{what} is not supported"),
        Reason::NoProgress { what } => format!("no progress: {what}"),
        Reason::NoErrorUpTo {
            blocks,
            calls,
            stop,
        } => {
            let stop = stop.map(|s| reason_text(&Reason::OutOfBudget(s), sources));
            let nested = calls.map(|c| format!(" and nest calls of a function at most {c} deep"));
            format!(
                "no error up to {blocks}: in executions that pass at most {blocks} loop heads{}{}",
                nested.unwrap_or_default(),
                stop.map(|s| format!("; {s}")).unwrap_or_default()
            )
        }
        Reason::EvidenceRejected { why } => {
            format!("the engine's evidence was rejected by the checker: {why}")
        }
        Reason::NotConfirmed { why } => format!("the cross-check failed: {why}"),
        Reason::NotModelled { what, place } if place.is_known() => format!(
            "{}: the error found may be none: it depends on something not modelled ({what})",
            sources.place(*place)
        ),
        Reason::NotModelled { what, .. } => {
            format!("the error found may be none: it depends on something not modelled ({what})")
        }
        Reason::SolverGaveUp { what } => format!("the solver gave up: {what}"),
        Reason::InternalError { what } => format!("internal error: {what}"),
    }
}

/// What a user can do about it.
pub fn reason_advice(reason: &Reason) -> &'static str {
    match reason {
        Reason::OutOfBudget(Stop::Time) => "a longer --time, or another --engine",
        Reason::OutOfBudget(Stop::Memory) => "a larger --memory, or another --engine",
        Reason::OutOfBudget(Stop::Effort | Stop::Work) => "another --engine or --solver",
        Reason::OutOfBudget(Stop::Cancelled) => "letting it run on",
        Reason::Unsupported { .. } => "another --engine, or rewriting that place",
        Reason::NoProgress { .. } => "another --engine",
        Reason::NoErrorUpTo { .. } => "a larger --bound or --time, or an --engine that proves",
        Reason::EvidenceRejected { .. } => {
            "another --engine; please report this with the program, it is a bug in Craig"
        }
        Reason::NotConfirmed { .. } => {
            "another solver for --cross-check; please report this if the answer is `sat`"
        }
        Reason::NotModelled { .. } => {
            "giving that place a meaning: a function body, or `__VERIFIER_nondet_…()` if it may be any value"
        }
        Reason::SolverGaveUp { .. } => "another --engine or --solver",
        Reason::InternalError { .. } => "please report this with the program, it is a bug in Craig",
    }
}
