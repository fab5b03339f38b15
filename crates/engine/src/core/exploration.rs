//! How the search of an engine over the block graph ends, and what verdict that is.

use crate::core::path::{Versions, concrete_steps};
use crate::prepare::Prepared;
use base::Stop;
use evidence::{Counterexample, Proof, Reason, Verdict};
use logic::{Model, Pool};
use program::BlockId;

pub enum Exploration {
    /// Nothing is left to look at: no open node, no error path.
    Complete,
    /// The inductive invariants exclude all errors by themselves.
    Invariant,
    Error(Counterexample),
    Stuck(String),
}

/// What a proof is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The abstraction of the finished search.
    BySearch,
    /// The inductive invariants alone.
    ByInvariants,
}

/// The verdict of a search that ended so.
pub fn verdict(end: Result<Exploration, Stop>, proof: impl FnOnce(Shown) -> Proof) -> Verdict {
    match end {
        Ok(Exploration::Complete) => Verdict::Safe(proof(Shown::BySearch)),
        Ok(Exploration::Invariant) => Verdict::Safe(proof(Shown::ByInvariants)),
        Ok(Exploration::Error(cex)) => Verdict::Unsafe(cex),
        Ok(Exploration::Stuck(what)) => Verdict::Unknown(Reason::NoProgress { what }),
        Err(stop) => Verdict::Unknown(Reason::OutOfBudget(stop)),
    }
}

impl Exploration {
    /// An error path is feasible for the solver, by this model.
    pub fn at_model(
        pool: &mut Pool,
        prepared: &Prepared,
        versions: &mut Versions,
        path: &[BlockId],
        model: &Model,
    ) -> Self {
        let (program, graph) = (&prepared.program, &prepared.graph);
        match concrete_steps(pool, program, graph, versions, path, model) {
            Some(execution) => Exploration::Error(prepared.original(execution)),
            None => Exploration::Stuck(
                "an error path is feasible for the solver but no execution follows it".into(),
            ),
        }
    }

    /// Whether an error path is feasible could not be decided, or not explained.
    pub fn without_interpolants(path: &[BlockId], why: &str) -> Self {
        Exploration::Stuck(format!(
            "no interpolants for an error path of {} blocks: {why}",
            path.len()
        ))
    }
}
