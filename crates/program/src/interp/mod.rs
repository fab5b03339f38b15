//! The concrete interpreter: runs a program with exact machine semantics, the judge of every
//! counterexample and what `craig run` executes.
//!
//! The program does not determine everything: initial values, havocs and branches where several
//! edges are enabled come from an [`Oracle`]. A statement that would leave a range, like a false
//! assumption, blocks the execution. Calls are on an explicit stack; steps and memory are limited.

mod acceleration;
mod action;
mod along;
mod code;
pub mod explore;
mod machine;
mod snapshot;
mod value;

#[cfg(test)]
mod tests;

pub use along::Along;
pub use logic::float;
pub use machine::Interpreter;
pub use snapshot::Snapshot;
pub use value::Unwritten;

use crate::{EdgeId, LocId, OutputCall, VarId};
use base::FxHashMap;
use logic::Value;

/// Instructions of the interpreter that are a tick of work ([`base::Work`]).
pub const INSTRUCTIONS_A_TICK: u64 = 16;

/// Decides what the program leaves open.
///
/// # Contract
/// Values must have the variable's sort; a value outside its range ends the run as `Rejected`.
/// `None` means that the oracle knows no further and ends the run as `OutOfInputs`.
pub trait Oracle {
    /// The value of a global, or of a parameter, uninitialised local or return of the entry
    /// function, before the first step. `None`: any (the interpreter takes a default).
    fn initial(&mut self, _var: VarId) -> Option<Value> {
        None
    }

    /// What the cells of an array hold before the first step, where that is not one value for all. `None`: what
    /// [`Oracle::initial`] says.
    fn unwritten(&mut self, _var: VarId) -> Option<Unwritten> {
        None
    }

    /// The values a havoc edge chooses for `vars`. Also asked at call edges of functions that
    /// may read locals or returns before they are written, for those (`liveness::uninitialised`).
    /// An empty answer stands for default values.
    fn havoc(&mut self, edge: EdgeId, vars: &[VarId]) -> Option<Vec<Value>>;

    /// Which of several enabled edges to take, as an index. Edges whose assumption holds, and
    /// those without one, count as enabled. Also asked when there is one, so that replays notice.
    fn choose(&mut self, _at: LocId, _enabled: &[EdgeId]) -> Option<usize> {
        Some(0)
    }

    /// Asked every few hundred steps, with the number of instructions since it was asked last: a run that
    /// may not go on ends as one out of steps.
    fn may_go_on(&mut self, _instructions: u64) -> bool {
        true
    }

    /// Whether visits of the location may pass unseen where one edge is enabled: then loops that only
    /// count are jumped over.
    fn may_skip(&self, _at: LocId) -> bool {
        false
    }

    /// An edge printed something.
    fn output(&mut self, _edge: EdgeId, _call: &OutputCall, _args: &[Output]) {}

    /// Cells of memory that this call speaks of and nobody has written, with what they held before the first step: an
    /// initial value that is chosen late.
    fn place(&mut self, _call: &OutputCall, _args: &[Output]) -> Vec<(VarId, Value, Value)> {
        Vec::new()
    }
}

/// An argument of an output call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    pub value: Value,
    /// The bytes it points to, up to the terminating zero, if it points to characters.
    pub text: Option<Vec<u8>>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// An error location.
    ReachedError(LocId),
    /// The exit of the entry function.
    Exited,
    /// No edge could be taken, or the chosen one left a range.
    Blocked(LocId),
    OutOfSteps,
    OutOfMemory,
    /// The oracle had no answer at this location.
    OutOfInputs(LocId),
    /// The oracle's answer did not fit here.
    Rejected(LocId),
}

/// One edge taken, if a trace was asked for.
#[derive(Clone, Debug)]
pub struct Taken {
    pub edge: EdgeId,
    /// Calls open when the edge was taken.
    pub depth: u32,
    /// The callee of this call edge came back; the changes are the results.
    pub returns: bool,
    pub changes: Vec<Change>,
}

/// A variable that got a value. A call edge lists the callee's parameters and chosen locals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub var: VarId,
    /// For a single entry of an array: where.
    pub index: Option<Value>,
    pub value: Value,
}

#[derive(Clone, Debug)]
pub struct Run {
    pub outcome: Outcome,
    pub steps: u64,
    /// How many of the steps were jumped over. Limits count the others.
    pub skipped: u64,
    /// Empty unless asked for.
    pub trace: Vec<Taken>,
}

/// What a run may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub steps: u64,
    /// Array entries and variables alive at once.
    pub cells: u64,
    pub trace: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            steps: 100_000_000,
            cells: 50_000_000,
            trace: false,
        }
    }
}

/// Follows a given sequence of edges, with the values their havocs chose.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    pub initial: FxHashMap<VarId, Value>,
    steps: std::vec::IntoIter<(EdgeId, Vec<Value>)>,
    current: Option<(EdgeId, Vec<Value>)>,
    lenient: bool,
}

impl Replay {
    /// `steps` are all edges in order, through calls; a call edge's values are those of the
    /// callee's uninitialised locals and returns.
    pub fn new(steps: Vec<(EdgeId, Vec<Value>)>) -> Self {
        Replay {
            initial: FxHashMap::default(),
            steps: steps.into_iter(),
            current: None,
            lenient: false,
        }
    }

    /// Where the next edge cannot be taken, goes on with the first edge that can (and takes lowest
    /// values): the way through calls that a slice dropped.
    pub fn lenient(mut self) -> Self {
        self.lenient = true;
        self
    }
}

impl Oracle for Replay {
    fn initial(&mut self, var: VarId) -> Option<Value> {
        self.initial.get(&var).cloned()
    }

    fn havoc(&mut self, edge: EdgeId, vars: &[VarId]) -> Option<Vec<Value>> {
        match &self.current {
            Some((at, values)) if *at == edge && values.len() == vars.len() => Some(values.clone()),
            _ if self.lenient => Some(Vec::new()),
            _ => None,
        }
    }

    fn choose(&mut self, _at: LocId, enabled: &[EdgeId]) -> Option<usize> {
        let planned = self.steps.as_slice().first().map(|(edge, _)| *edge);
        let found = enabled.iter().position(|e| Some(*e) == planned);
        if found.is_none() && self.lenient {
            self.current = None;
            return Some(0);
        }
        self.current = self.steps.next();
        found
    }
}
