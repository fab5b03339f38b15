//! Replay of a counterexample on the original program.

use crate::{Counterexample, Reason};
use logic::{Budget, Pool, Value};
use program::{EdgeId, LocId, Program, Property, VarId};

/// An execution as it happened in the interpreter.
#[derive(Clone, Debug)]
pub struct Trace {
    pub steps: Vec<TraceStep>,
    /// The error location reached.
    pub error: LocId,
    pub property: Property,
}

/// One edge taken.
#[derive(Clone, Debug)]
pub struct TraceStep {
    pub edge: EdgeId,
    /// Calls open when the edge was taken; 0 in the entry function.
    pub depth: u32,
    /// Variables that have a new value after the edge.
    pub changes: Vec<Change>,
}

#[derive(Clone, Debug)]
pub struct Change {
    pub var: VarId,
    pub value: Value,
}

pub(crate) fn replay(
    _pool: &mut Pool,
    _program: &Program,
    _counterexample: &Counterexample,
    _budget: &Budget,
) -> Result<Trace, Reason> {
    Err(Reason::EvidenceRejected {
        why: "no interpreter".into(),
    })
}
