//! What can be said of a program: that an execution takes it somewhere ([`Execution`]), or that
//! formulas hold at its places ([`Assertions`]). Plain data; the checker of evidence judges it.

use crate::{EdgeId, FuncId, LocId, VarId};
use logic::{TermId, Value};
use std::collections::BTreeMap;

/// One edge taken. A call edge is followed by the callee's edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub edge: EdgeId,
    /// The values a havoc chose, in the order of its variables.
    pub havocs: Vec<Value>,
}

/// An execution from the entry of the program.
#[derive(Clone, Debug, Default)]
pub struct Execution {
    /// Values of globals and entry parameters before the first step, where they matter.
    pub initial: Vec<(VarId, Value)>,
    /// All edges taken, through calls and returns, in order.
    pub steps: Vec<Step>,
}

/// A function summary. `requires` speaks of parameters and globals at entry (by their plain terms);
/// `ensures` of the returns and globals at exit and of parameters and globals at entry
/// ([`crate::old_term`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    pub requires: TermId,
    pub ensures: TermId,
}

/// Formulas at the places of a program.
#[derive(Clone, Debug, Default)]
pub struct Assertions {
    /// Formulas over the current values of globals, parameters, returns and locals, and over the
    /// values of globals and parameters at function entry ([`crate::old_term`]).
    pub invariants: BTreeMap<LocId, TermId>,
    pub contracts: BTreeMap<FuncId, Contract>,
}
