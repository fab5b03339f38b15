//! Candidates for invariants: the generators and their table ([`generator`]). Nothing here needs to be right:
//! Houdini proves what it keeps.

pub(crate) mod accesses;
pub(crate) mod affine;
pub(crate) mod array_clauses;
pub(crate) mod array_invariants;
pub(crate) mod congruences;
pub(crate) mod counters;
pub(crate) mod generator;
pub(crate) mod heap;
pub(crate) mod modular;
pub(crate) mod phases;
pub(crate) mod polynomials;
pub(crate) mod program_text;
pub(crate) mod residues;
pub(crate) mod samples;
pub(crate) mod statement_facts;
pub(crate) mod strings;
pub(crate) mod templates;
pub(crate) mod value_analysis;

#[cfg(test)]
mod tests;
