//! How the search of an engine over the block graph ends; [`crate::core::cegar`] makes a verdict of it.

use crate::core::path::{Versions, concrete_steps};
use crate::prepare::Prepared;
use evidence::Counterexample;
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
