//! The theories, and the traits by which the search speaks to them.
//!
//! A [`Theory`] has a procedure of its own: it is told literals, draws consequences and explains them.
//! Congruence closure (`euf`) and linear arithmetic (`arith`) are such. A theory [`OnDemand`] has none: it
//! looks at a complete candidate assignment and demands valid formulas which that violates, or
//! equalities to be decided. Arrays (`arrays`) and the operators of `lemmas` are such. Where lemmas do not
//! settle a query, `bits` turns its atoms into circuits for the SAT core.
//!
//! The search (`solver::search`) calls the first kind after every propagation of clauses, the final
//! check (`solver::combine`) both.

pub mod arith;
pub(crate) mod arrays;
pub mod bits;
pub(crate) mod euf;
pub(crate) mod words;

use crate::proof::Certificate;
use crate::solver::candidate::Candidate;
use crate::{BoolVar, Lit};
use base::{Budget, Stop};
use logic::{Pool, TermId};

/// Which theory implied a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Equality,
    Arith,
}

/// A clause that the theory refutes: all `lits` are false now, or, for an explanation, all but the
/// propagated one. `cert` has one coefficient per literal in the order of `lits`.
#[derive(Clone, Debug)]
pub struct Conflict {
    pub lits: Vec<Lit>,
    pub cert: Certificate,
}

/// A valid clause over possibly new atoms.
#[derive(Clone, Debug)]
pub struct TheoryLemma {
    /// Bool terms; the lemma is their disjunction.
    pub clause: Vec<TermId>,
    pub cert: Certificate,
}

/// The result of a theory's final check.
#[derive(Clone, Debug)]
pub enum FinalCheck {
    /// The assignment has a model.
    Ok,
    Conflict(Conflict),
    Lemmas(Vec<TheoryLemma>),
    /// No answer: integers that neither branching nor divisibility settles.
    Unknown(&'static str),
    Stop(Stop),
}

/// Why propagation ends before its fixed point.
pub(crate) enum Interrupt {
    Conflict(Conflict),
    Stop(Stop),
}

/// What a theory may ask about the search.
pub(crate) trait Assignment {
    fn value(&self, lit: Lit) -> Option<bool>;
    /// Whether an assertion in force contains the variable's term.
    fn is_active(&self, var: BoolVar) -> bool;
}

/// A theory with a procedure of its own.
///
/// # Contract
/// - `push` and `pop` follow the decision levels; `pop` forgets the literals of the closed ones.
/// - `propagate` may return a conflict: a valid clause (its certificate says why) of which all literals
///   are false. Afterwards `next_implied` hands out consequences one by one: unassigned literals,
///   which the search takes over at once, or false ones, whose explanation is then a conflict.
/// - `explain` is asked for literals that were taken over and are still assigned; it mentions only
///   literals that were true before.
pub(crate) trait Theory {
    const SOURCE: Source;
    fn push(&mut self);
    fn pop(&mut self, levels: usize);
    fn assert_lit(&mut self, lit: Lit) -> Result<(), Conflict>;
    fn propagate(&mut self, budget: &Budget) -> Result<(), Interrupt>;
    fn next_implied(&mut self, assignment: &impl Assignment) -> Option<Lit>;
    fn explain(&mut self, lit: Lit) -> Conflict;
    /// All active atoms are assigned and `propagate` found nothing wrong.
    fn final_check(&mut self, pool: &mut Pool, budget: &Budget) -> FinalCheck;
}

/// What a theory on demand wants before it agrees to a candidate.
#[derive(Default)]
pub(crate) struct Demands {
    /// Valid formulas, with the term each is an axiom of.
    pub(crate) lemmas: Vec<(TermId, TermId)>,
    /// Pairs of terms with nodes whose equality the search shall decide. Looked at only if no lemma
    /// is new.
    pub(crate) splits: Vec<(TermId, TermId)>,
    /// Pairs of terms that were compared to find that out.
    pub(crate) compared: u64,
}

/// A theory by lemmas on demand.
///
/// # Contract
/// Each formula is valid, of the form that `proof::check` knows as an axiom of its term, and has only
/// symbols of the candidate's terms (and functions that the theory itself brings in).
pub(crate) trait OnDemand {
    fn demands(&mut self, pool: &mut Pool, candidate: &Candidate) -> Demands;
}
