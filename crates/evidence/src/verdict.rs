//! What an engine returns: a verdict with its evidence. Nothing here is trusted: the checker turns
//! a [`Verdict`] into a [`crate::Checked`] one, or into `Unknown` with the reason.

use base::Stop;
use logic::TermId;
/// An execution to an error location, in terms of the original program.
pub use program::Execution as Counterexample;
use program::passes::Detail;
use program::{Contract, FuncId, LocId, Program, Span};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The answer of an engine, not yet checked.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No execution violates the property, by this proof.
    Safe(Proof),
    /// This execution violates the property.
    Unsafe(Counterexample),
    /// There is no answer, for this reason.
    Unknown(Reason),
}

impl Verdict {
    /// The verdict without its evidence.
    pub fn kind(&self) -> VerdictKind {
        match self {
            Verdict::Safe(_) => VerdictKind::Safe,
            Verdict::Unsafe(_) => VerdictKind::Unsafe,
            Verdict::Unknown(_) => VerdictKind::Unknown,
        }
    }

    /// `safe`, `unsafe` or `unknown`.
    pub fn as_str(&self) -> &'static str {
        self.kind().as_str()
    }
}

/// A verdict without its evidence: the last line of the output, and the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerdictKind {
    /// No execution violates the property.
    Safe,
    /// Some execution violates the property.
    Unsafe,
    /// Neither was shown.
    Unknown,
}

impl VerdictKind {
    /// `safe`, `unsafe` or `unknown`.
    pub fn as_str(self) -> &'static str {
        match self {
            VerdictKind::Safe => "safe",
            VerdictKind::Unsafe => "unsafe",
            VerdictKind::Unknown => "unknown",
        }
    }
}

impl std::fmt::Display for VerdictKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
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
    /// The inlined program, executed abstractly with lists of any length as one object: no assertions, the
    /// checker does it again.
    Shapes,
    /// The inlined program, executed abstractly with all objects of a place of allocation as one: no assertions, the
    /// checker does it again.
    Sites,
    /// The program as it is, its functions executed on bounds of variables: no assertions, the checker does it
    /// again.
    Tables,
    /// The inlined program, all its paths executed symbolically until every loop has ended: no assertions, the checker
    /// does it again.
    Unrolled,
}

impl Scope {
    /// Does the checker execute the program by itself, so that there is nothing in the proof but this word?
    pub fn is_executed(self) -> bool {
        match self {
            Scope::Executed | Scope::Shapes | Scope::Sites | Scope::Tables | Scope::Unrolled => {
                true
            }
            Scope::Modular | Scope::Inlined | Scope::Recursive => false,
        }
    }

    /// `modular`, `inlined`, `recursive`, `executed`, `shapes`, `sites`, `tables` or `unrolled`.
    pub fn as_str(self) -> &'static str {
        match self {
            Scope::Modular => "modular",
            Scope::Inlined => "inlined",
            Scope::Recursive => "recursive",
            Scope::Executed => "executed",
            Scope::Shapes => "shapes",
            Scope::Sites => "sites",
            Scope::Tables => "tables",
            Scope::Unrolled => "unrolled",
        }
    }
}

/// An assertion for (at least) every loop head. A location without an assertion is covered by the
/// checker through its incoming paths; a loop head without one counts as `true`.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The program that the locations and functions below belong to.
    pub scope: Scope,
    /// That program is made of the cone of the errors (`program::passes::cone`, deterministic, run again by the
    /// checker) in place of the whole, in this detail.
    pub cone: Option<Detail>,
    /// Formulas over the current values of globals, parameters, returns and locals, and over the
    /// values of globals and parameters at function entry, written as `program::old_term`.
    pub invariants: BTreeMap<LocId, TermId>,
    /// A function without a contract has `requires` and `ensures` true.
    pub contracts: BTreeMap<FuncId, Contract>,
    /// Errors that all of this says nothing of, and proofs of those.
    pub rest: Vec<Rest>,
}

/// A proof of the errors that another proof leaves out.
#[derive(Clone, Debug)]
pub struct Rest {
    /// Locations of the program as the front end gave it.
    pub errors: BTreeSet<LocId>,
    /// About the program in which only these are errors.
    pub proof: Proof,
}

impl Proof {
    /// The proof without assertions, about the whole of a program in this form.
    pub fn by(scope: Scope) -> Proof {
        Proof {
            scope,
            cone: None,
            invariants: BTreeMap::new(),
            contracts: BTreeMap::new(),
            rest: Vec::new(),
        }
    }

    /// The program with the errors that the proof itself speaks of.
    // Sound because an error that is in no part of `rest` stays.
    pub(crate) fn own_part<'p>(&self, program: &'p Program) -> Cow<'p, Program> {
        if self.rest.is_empty() {
            return Cow::Borrowed(program);
        }
        let mut out = program.clone();
        for &loc in self.rest.iter().flat_map(|r| &r.errors) {
            out.locations[loc].error = None;
        }
        Cow::Owned(out)
    }
}

impl Rest {
    /// The program with no other errors.
    pub(crate) fn part(&self, program: &Program) -> Program {
        let mut out = program.clone();
        for loc in program.locations.ids() {
            if !self.errors.contains(&loc) {
                out.locations[loc].error = None;
            }
        }
        out
    }
}

/// Why there is no verdict. Data, so that reports can say what would help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Time, memory or another limit ran out.
    OutOfBudget(Stop),
    /// The engine cannot treat something that the program has.
    Unsupported {
        /// The construct.
        what: String,
        /// Where it stands.
        place: Span,
    },
    /// The engine does not get any further.
    NoProgress {
        /// What it ran into.
        what: String,
    },
    /// No error was found up to a bound, which proves nothing beyond it.
    NoErrorUpTo {
        /// Executions that pass at most this many loop heads have no error.
        blocks: u64,
        /// If calls of one function are nested at most this deep.
        calls: Option<u64>,
        /// What ended the search; nothing if the bound was asked for.
        stop: Option<Stop>,
    },
    /// The checker did not accept the evidence of an engine.
    EvidenceRejected {
        /// The obligation that does not hold, or where the replay left the counterexample.
        why: String,
    },
    /// The checker accepted the proof, but another solver that was asked did not.
    NotConfirmed {
        /// What the other solver said to which obligation.
        why: String,
    },
    /// An error was found, but whether it is one hangs on something that is only approximated.
    NotModelled {
        /// What is approximated.
        what: String,
        /// Where it stands.
        place: Span,
    },
    /// A query that the engine depends on was not decided.
    SolverGaveUp {
        /// The query.
        what: String,
    },
    /// A bug of ours.
    InternalError {
        /// The message of the panic, with its place.
        what: String,
    },
}
