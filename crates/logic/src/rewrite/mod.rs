//! Simplification that looks further than the constructors: equivalent, no new symbols.
//!
//! Bottom-up over the DAG. At each conjunction (and, negated, each disjunction) the facts see each
//! other: `x <= 3 & x <= 5` is `x <= 3`, `x = 3 & (y < x | p)` is `x = 3 & (y < 3 | p)`,
//! `p & (p | q)` is `p`. Interpolants and invariants go through here before anybody reads them.

mod bounds;
mod junction;
mod lift;
mod measure;

pub use measure::Measure;

use crate::visit::rebuild_bottom_up;
use crate::{Op, Pool, TermId};
use base::FxHashMap;

/// An equivalent term (equal value in every model), usually smaller.
pub fn simplify(pool: &mut Pool, term: TermId) -> TermId {
    Simplifier::new().apply(pool, term)
}

/// A simplifier that keeps its results: many terms with shared parts are walked once.
#[derive(Clone, Debug)]
pub struct Simplifier {
    memo: FxHashMap<TermId, TermId>,
    /// Nodes that substitution below junctions may still visit; keeps the whole about linear.
    effort: usize,
}

impl Default for Simplifier {
    fn default() -> Self {
        Self::new()
    }
}

impl Simplifier {
    pub fn new() -> Self {
        Simplifier {
            memo: FxHashMap::default(),
            effort: 0,
        }
    }

    pub fn apply(&mut self, pool: &mut Pool, term: TermId) -> TermId {
        let size = pool.dag_size(term);
        self.effort = 1_000 + 20 * size;
        let once = self.pass(pool, term);
        // What a context revealed can simplify what lies around it.
        self.effort = 1_000 + 5 * size;
        let twice = self.pass(pool, once);
        self.memo.insert(term, twice);
        twice
    }

    fn pass(&mut self, pool: &mut Pool, root: TermId) -> TermId {
        let effort = &mut self.effort;
        let finish = |pool: &mut Pool, t: TermId| simplify_root(pool, t, effort);
        rebuild_bottom_up(pool, &mut self.memo, root, finish)
    }
}

/// Simplifies at the root; the arguments are simple already.
fn simplify_root(pool: &mut Pool, t: TermId, effort: &mut usize) -> TermId {
    match pool.op(t) {
        Op::And | Op::Or => junction::simplify(pool, t, effort),
        Op::Eq | Op::Le => lift::atom(pool, t),
        Op::Ite => lift::ite(pool, t),
        Op::Wrap { .. } | Op::Mod | Op::IntDiv => lift::wrapped(pool, t),
        _ => t,
    }
}
