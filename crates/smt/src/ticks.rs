//! What the solver's work costs, in ticks of [`base::Work`]: estimates, measured over the engines'
//! queries on programs. They only decide how long slices of work take.

/// One call of the solver.
pub(crate) const CHECK: u64 = 20;
/// One step of the search: a decision or a conflict, with what the theories say to it.
pub(crate) const STEP: u64 = 1;
/// Propagated literals a tick.
pub(crate) const PROPAGATIONS: u64 = 4;
/// Learning from one conflict.
pub(crate) const CONFLICT: u64 = 10;
pub(crate) const FINAL_CHECK: u64 = 10;
/// Pairs of terms that lemmas on demand compare a tick.
pub(crate) const COMPARED: u64 = 8;
/// One term that becomes part of the search.
pub(crate) const TERM: u64 = 1;
/// Entries of the tableau written a tick.
pub(crate) const ENTRIES: u64 = 8;
/// One cube of a projection.
pub(crate) const CUBE: u64 = 20;
/// One clause of a proof that is interpolated.
pub(crate) const CLAUSE: u64 = 2;
