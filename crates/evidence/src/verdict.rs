//! What an engine returns: a verdict with its evidence. Nothing here is trusted: the checker turns
//! a [`Verdict`] into a [`crate::Checked`] one, or into `Unknown` with the reason.

use base::Stop;
use logic::{TermId, Value};
use program::{EdgeId, FuncId, LocId, Span, VarId};
use std::collections::BTreeMap;

/// The answer of an engine, not yet checked.
#[derive(Clone, Debug)]
pub enum Verdict {
    Safe(Proof),
    Unsafe(Counterexample),
    Unknown(Reason),
}

impl Verdict {
    /// `safe`, `unsafe` or `unknown`.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Safe(_) => "safe",
            Verdict::Unsafe(_) => "unsafe",
            Verdict::Unknown(_) => "unknown",
        }
    }
}

/// Which program the locations of a proof belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The program as the front end gave it; calls are proved by contracts.
    Modular,
    /// The program after `program::passes::inline` (deterministic; the checker runs it again itself);
    /// no calls are left and there are no contracts.
    Inlined,
    /// The program after `program::passes::loops` (deterministic, run again as well): loops are functions
    /// with contracts of their own.
    Recursive,
    /// The program as it is, run to its end: no assertions, the checker runs it again.
    Executed,
}

impl Scope {
    /// `modular`, `inlined`, `recursive` or `executed`.
    pub fn word(self) -> &'static str {
        match self {
            Scope::Modular => "modular",
            Scope::Inlined => "inlined",
            Scope::Recursive => "recursive",
            Scope::Executed => "executed",
        }
    }
}

/// An assertion for (at least) every loop head. A location without an assertion is covered by the
/// checker through its incoming paths; a loop head without one counts as `true`.
#[derive(Clone, Debug)]
pub struct Proof {
    pub scope: Scope,
    /// Formulas over the current values of globals, parameters, returns and locals, and over the
    /// values of globals and parameters at function entry, written as `program::old_term`.
    pub invariants: BTreeMap<LocId, TermId>,
    /// A function without a contract has `requires` and `ensures` true.
    pub contracts: BTreeMap<FuncId, Contract>,
}

/// A function summary. `requires` speaks of parameters and globals at entry (by their plain terms);
/// `ensures` of the returns and globals at exit and of parameters and globals at entry
/// (`program::old_term`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    pub requires: TermId,
    pub ensures: TermId,
}

/// An execution to an error location, in terms of the original program.
#[derive(Clone, Debug, Default)]
pub struct Counterexample {
    /// Values of globals and entry parameters before the first step, where they matter.
    pub initial: Vec<(VarId, Value)>,
    /// All edges taken, through calls and returns, in order.
    pub steps: Vec<Step>,
}

/// One edge taken. A call edge is followed by the callee's edges.
#[derive(Clone, Debug)]
pub struct Step {
    pub edge: EdgeId,
    /// The values a havoc chose, in the order of its variables.
    pub havocs: Vec<Value>,
}

/// Why there is no verdict. Data, so that reports can say what would help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    OutOfBudget(Stop),
    Unsupported {
        what: String,
        place: Span,
    },
    NoProgress {
        what: String,
    },
    EvidenceRejected {
        why: String,
    },
    /// An error was found, but whether it is one hangs on something that is only approximated.
    NotModelled {
        what: String,
        place: Span,
    },
    SolverGaveUp {
        what: String,
    },
    InternalError {
        what: String,
    },
}
