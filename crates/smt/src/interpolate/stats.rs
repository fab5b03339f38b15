//! Counts of what interpolation did: problems, proofs, and per method how often it was used and
//! rejected.

use super::{FarkasSide, Labelling};
use std::collections::BTreeMap;

/// A way to interpolants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    Proof(Labelling, FarkasSide),
    /// The same proof with auxiliary variables for mixed literals.
    Mixed,
    /// A proof for each cut.
    Steps,
    /// Projection of each part with what came before.
    StrongestPost,
    /// The universal dual, from the end.
    WeakestPre,
    /// Another solver.
    External,
}

impl Method {
    /// The kind of method, for statistics.
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Proof(..) => "proof",
            Method::Mixed => "mixed",
            Method::Steps => "steps",
            Method::StrongestPost => "sp",
            Method::WeakestPre => "wp",
            Method::External => "external",
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub accepted: u64,
    pub rejected: u64,
}

#[derive(Clone, Debug, Default)]
pub struct Stats {
    pub problems: u64,
    pub sat: u64,
    pub unknown: u64,
    /// Clauses of all refutations.
    pub clauses: u64,
    /// Proofs with mixed literals.
    pub widened: u64,
    /// Symbols quantified away because of them.
    pub eliminated: u64,
    /// Solver calls that checked interpolants.
    pub checks: u64,
    pub methods: BTreeMap<Method, Counts>,
}

impl Stats {
    pub(super) fn record<T, E>(&mut self, method: Method, result: Result<T, E>) -> Result<T, E> {
        let counts = self.methods.entry(method).or_default();
        match &result {
            Ok(_) => counts.accepted += 1,
            Err(_) => counts.rejected += 1,
        }
        result
    }

    pub fn add(&mut self, other: &Stats) {
        self.problems += other.problems;
        self.sat += other.sat;
        self.unknown += other.unknown;
        self.clauses += other.clauses;
        self.widened += other.widened;
        self.eliminated += other.eliminated;
        self.checks += other.checks;
        for (&method, counts) in &other.methods {
            let own = self.methods.entry(method).or_default();
            own.accepted += counts.accepted;
            own.rejected += counts.rejected;
        }
    }
}
