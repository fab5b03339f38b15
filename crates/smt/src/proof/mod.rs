//! Refutations: what the solver hands to the proof checker and to interpolation.
//!
//! Every Boolean variable *denotes a Bool term* (a theory atom or any subformula of the input).
//! Under that reading all leaves except `Input` are valid formulas of the logic: Tseitin clauses
//! are tautologies, theory lemmas are theory-valid. So only `Input` clauses belong to a partition;
//! a lemma is on whichever side its symbols are.

pub mod alethe;
pub mod check;

use crate::{BoolVar, Lit};
use base::{IndexVec, new_id};
use logic::{Rational, TermId};

new_id!(
    /// A clause of a proof.
    pub ClauseId, "c");
new_id!(
    /// An input partition: one formula of an interpolation problem.
    pub PartitionId, "p");

/// A resolution refutation. Clauses refer only to earlier clauses.
#[derive(Clone, Debug, Default)]
pub struct Refutation {
    /// The term each Boolean variable denotes.
    pub terms: IndexVec<BoolVar, TermId>,
    pub clauses: IndexVec<ClauseId, ProofClause>,
    /// The empty clause.
    pub root: Option<ClauseId>,
}

#[derive(Clone, Debug)]
pub struct ProofClause {
    /// Sorted, without duplicates.
    pub lits: Vec<Lit>,
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub enum Origin {
    /// A unit clause: the formula of a partition is asserted.
    Input(PartitionId),
    /// A propositional tautology that defines a subformula by its parts (Tseitin).
    Definition,
    /// A clause valid in the theories.
    Lemma(Certificate),
    /// Resolve `start` with each `antecedent` in turn on `pivot`: the running clause contains
    /// `pivot`, the antecedent contains `!pivot`.
    Chain { start: ClauseId, steps: Vec<Step> },
}

#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub pivot: Lit,
    pub antecedent: ClauseId,
}

/// Why a lemma is valid.
#[derive(Clone, Debug)]
pub enum Certificate {
    /// The negations of the clause's literals are `Le` atoms (or negated ones); their sum weighted by these
    /// positive coefficients (one per literal, same order as `lits`) is a contradiction. Over Int a
    /// negated `a <= b` counts as `b + 1 <= a`, over Real as `b < a`.
    Farkas(Vec<Rational>),
    /// The negations of the literals are `Le` atoms (or negated ones) over Int terms, read as
    /// `p <= 0` like for `Farkas`. They come in opposite pairs (`p` and a negative multiple of it),
    /// so that each `p = 0`. The sum of `p` weighted by these coefficients (one per literal, same
    /// order; any sign, 0 included) has integer coefficients and a constant that is no integer.
    Divisibility(Vec<Rational>),
    /// Like `Divisibility`, and two literals more (marked `true`): bounds `low <= x` and `x <= high` on
    /// one integer form. The weighted upper bound plus the weighted equations has integer coefficients
    /// `i` and a constant `k`, so `i <= -k` can be rounded; likewise the lower bound minus the
    /// equations. Rounded, they contradict each other: no residue that the equations leave to `x`
    /// is between its bounds. Weights of bounds are positive.
    Residue(Vec<(Rational, bool)>),
    /// The negations of the literals are contradictory by equality reasoning alone (reflexivity,
    /// symmetry, transitivity, congruence; `Eq` atoms, Bool-sorted terms as equal to true/false).
    Equality,
    /// An `Eq` of arithmetic terms against its two `Le` halves (trichotomy), any direction.
    Trichotomy,
    /// `x <= k` or `x >= k + 1` of an Int term.
    Branch,
    /// The clause follows by propositional reasoning from the axiom formula: an instance of the
    /// axioms of `term`'s operator (see `lemmas`): `ite`, `div`, `wrap`, array read-over-write …
    Axiom { term: TermId, formula: TermId },
}
