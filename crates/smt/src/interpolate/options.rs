//! What can be asked of interpolation, and what it answers.

use logic::{Model, TermId};

/// Which labelled interpolation system, from strongest to weakest interpolants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Labelling {
    McMillan,
    Pudlak,
    InverseMcMillan,
}

/// Which part of a Farkas sum becomes the interpolant of a lemma: A's part (strong), or the negation
/// of B's (weak). Equality lemmas follow the same choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FarkasSide {
    Primal,
    Dual,
}

#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What is tried first.
    pub labelling: Labelling,
    pub farkas: FarkasSide,
    /// Verify every interpolant with the solver.
    pub check: bool,
    pub simplify: bool,
    /// Reduce the partitions to the conjuncts of an unsat core first.
    pub core: bool,
    pub selection: Selection,
    pub source: Source,
    /// Interpolants may say where arrays differ (`logic::array_diff`), a function of no part.
    pub diff: bool,
}

/// What interpolants are made from first; proofs serve where it fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// A refutation.
    #[default]
    Proof,
    /// Strongest postconditions from the start.
    StrongestPost,
    /// Weakest preconditions from the end (paths only).
    WeakestPre,
}

/// Which of the interpolants that one proof gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Those of the chosen labelling; others only if the check rejects them.
    First,
    /// Those with the fewest symbols, numerals and terms, over all systems.
    Simplest,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            labelling: Labelling::McMillan,
            farkas: FarkasSide::Primal,
            check: true,
            simplify: true,
            core: false,
            selection: Selection::First,
            source: Source::Proof,
            diff: false,
        }
    }
}

/// The answer to an interpolation problem.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// One formula a cut: `n - 1` for a sequence of `n`, one per node but the root for a tree.
    Interpolants(Vec<TermId>),
    /// The partitions have a model together.
    Sat(Model),
    Unknown(String),
}

/// WHALE's interpolants of `phi_0 … phi_n+1`: `phi_0 => g_0`, `phi_i+1 => s_i`,
/// `g_i and s_i => g_i+1`, and `g_n and phi_n+1` is unsat.
#[derive(Clone, Debug)]
pub enum StateTransition {
    Interpolants {
        /// `g_0 … g_n`.
        states: Vec<TermId>,
        /// `s_0 … s_n-1`.
        transitions: Vec<TermId>,
    },
    Sat(Model),
    Unknown(String),
}
