//! Limits of the single engines, one structure an engine.

use super::Slice;
use base::Work;

/// Forced covering costs an interpolation problem: where it rarely works, it is tried rarely.
#[derive(Clone, Debug)]
pub struct ImpactLimits {
    /// It is always tried so often;
    pub force_first: u64,
    /// then while one in so many tries works;
    pub force_rate: u64,
    /// else each time after so many.
    pub force_every: u64,
    /// Blocks between the node and the common ancestor: of large ones, and of those of one path each, of which a lap of a
    /// loop has many.
    pub force_blocks: usize,
    pub force_small_blocks: usize,
    /// With blocks of one path each: how many nodes are tried as coverers, and how many nodes there are to be for each try.
    pub force_candidates: usize,
    pub force_nodes: u64,
}

impl ImpactLimits {
    /// Is forced covering worth the next try, after so many of which so many worked?
    pub fn worth_forcing(&self, tries: u64, worked: u64) -> bool {
        tries < self.force_first
            || worked * self.force_rate > tries
            || tries.is_multiple_of(self.force_every)
    }
}

impl Default for ImpactLimits {
    fn default() -> Self {
        ImpactLimits {
            force_first: 8,
            force_rate: 8,
            force_every: 16,
            force_blocks: 40,
            force_small_blocks: 1000,
            force_candidates: 8,
            force_nodes: 2,
        }
    }
}

/// Larger DAGs of ways are left to the path alone.
#[derive(Clone, Debug)]
pub struct SplitLimits {
    pub dag_edges: usize,
    pub dag_equations: usize,
}

impl Default for SplitLimits {
    fn default() -> Self {
        SplitLimits {
            dag_edges: 60,
            dag_equations: 4000,
        }
    }
}

/// Predicate abstraction.
#[derive(Clone, Debug)]
pub struct PredabsLimits {
    /// The size of a block's formula beyond which blocks end where paths meet: an all-sat question asks
    /// for many answers, so it must be easy.
    pub block_terms: usize,
    /// Paths up to this length are refuted as a whole; of longer ones the end is tried first.
    pub short_path: usize,
    /// Valuations that one post enumerates at first, by what the number grows when it is not enough, and the
    /// most that it grows to.
    pub valuations: usize,
    pub valuations_growth: usize,
    pub most_valuations: usize,
    /// Products that a state is taken apart into, of what a statement has to do with and what not, and cubes.
    pub products: usize,
    pub cubes: usize,
}

impl Default for PredabsLimits {
    fn default() -> Self {
        PredabsLimits {
            block_terms: 600,
            short_path: 24,
            valuations: 128,
            valuations_growth: 4,
            most_valuations: 1 << 14,
            products: 32,
            cubes: 64,
        }
    }
}

/// Trace refinement.
#[derive(Clone, Debug)]
pub struct TraceLimits {
    /// The search for affine relations between inputs and outputs of recursive functions.
    pub affine_work: Slice,
    /// One attempt to prove summaries.
    pub summary_work: Slice,
    /// Bold queries for one call: how many pairs of an input and an output are compared, and how many
    /// queries come of it.
    pub bold_pairs: usize,
    pub bold_queries: usize,
    /// Projection of a query: literals of its implicant, and its work.
    pub projected_literals: usize,
    pub projection_work: Slice,
    /// States of the interpolant automata of one function.
    pub states: usize,
    /// Traces of a triple that needed none, to generalise it.
    pub generalised_traces: usize,
    /// Conditions on inputs that are left out of a summary one by one.
    pub dropped_inputs: usize,
    /// Errors are searched on the inlined program if it has no more copies of functions and edges.
    pub inlined_copies: u64,
    pub inlined_edges: u64,
}

impl Default for TraceLimits {
    fn default() -> Self {
        TraceLimits {
            affine_work: Slice::fixed(Work::thousand(2000)),
            summary_work: Slice::growing(Work::thousand(1000), 3),
            bold_pairs: 12,
            bold_queries: 2,
            projected_literals: 400,
            projection_work: Slice::fixed(Work::thousand(400)),
            states: 20_000,
            generalised_traces: 2,
            dropped_inputs: 6,
            inlined_copies: 400,
            inlined_edges: 6_000,
        }
    }
}

/// A round of unfolding that searches errors: calls are not made below `bound`, and it ends when the tree has
/// more instances.
#[derive(Clone, Copy, Debug)]
pub struct ErrorRound {
    pub bound: usize,
    pub instances: usize,
}

/// Summaries from tree interpolants.
#[derive(Clone, Debug)]
pub struct WhaleLimits {
    /// Rounds that search errors before summaries are guessed. Refuting all that is below a bound can take
    /// more than finding an error below the next one.
    pub error_rounds: [ErrorRound; 2],
    /// Solver calls after which these rounds end: with many calls the ways to errors are too many.
    pub error_checks: u64,
    /// Instances of a tree from which summaries are guessed.
    pub interpolated: usize,
    /// Clauses that an interpolant may have to become a lemma.
    pub lemma_clauses: usize,
    /// From which depth on the bounds of a lemma are moved to numerals of the body, of how many, and to how many.
    pub widen_from: usize,
    pub numerals: usize,
    pub widened_bounds: usize,
    /// Exact summaries: terms of the body, and of the summary.
    pub exact_body: usize,
    pub exact_terms: usize,
    /// Guesses from the text: inputs and outputs that are compared pairwise, conditions of one body, strides
    /// all of whose residues are tried, terms between which affine relations are sought.
    pub paired: usize,
    pub atoms: usize,
    pub small_stride: i64,
    pub affine_terms: usize,
    /// Unfolding and queries take turns, of this length at first; each turn is twice as long as the last.
    pub first_turn: Work,
    /// The first turn of unfolding, which ends with the first question that is not easy.
    pub first_unfolding: Work,
    pub first_conflicts: u64,
    /// The turn after which affine relations are tried, and the last one of unfolding.
    pub affine_turn: u32,
    pub last_unfolding: u32,
    /// The depth grows by one and by its part over this.
    pub slow_growth: usize,
    /// The search for affine relations, first guesses, and exact summaries.
    pub affine_work: Slice,
    pub guess_work: Slice,
    pub exact_work: Slice,
    /// Summaries by explicit values that are kept for one function.
    pub by_values: usize,
}

impl Default for WhaleLimits {
    fn default() -> Self {
        WhaleLimits {
            error_rounds: [
                ErrorRound {
                    bound: 4,
                    instances: 200,
                },
                ErrorRound {
                    bound: 8,
                    instances: 700,
                },
            ],
            error_checks: 60,
            interpolated: 400,
            lemma_clauses: 6,
            widen_from: 2,
            numerals: 16,
            widened_bounds: 4,
            exact_body: 2500,
            exact_terms: 300,
            paired: 8,
            atoms: 60,
            small_stride: 8,
            affine_terms: 30,
            first_turn: Work::thousand(200),
            first_unfolding: Work::thousand(500),
            first_conflicts: 40,
            affine_turn: 2,
            last_unfolding: 5,
            slow_growth: 16,
            affine_work: Slice::fixed(Work::thousand(1000)),
            guess_work: Slice::fixed(Work::thousand(1000)),
            exact_work: Slice::fixed(Work::thousand(500)),
            by_values: 24,
        }
    }
}

/// Bounded model checking of recursive programs: the first round; each later one goes twice as far.
#[derive(Clone, Debug)]
pub struct BmcLimits {
    /// How deep calls of one function are nested.
    pub first_calls: u64,
    /// How many blocks are unrolled.
    pub first_blocks: u64,
}

impl Default for BmcLimits {
    fn default() -> Self {
        BmcLimits {
            first_calls: 2,
            first_blocks: 32,
        }
    }
}

/// k-induction.
#[derive(Clone, Debug)]
pub struct KindLimits {
    /// Making invariants of a step that holds.
    pub elimination: Slice,
}

impl Default for KindLimits {
    fn default() -> Self {
        KindLimits {
            elimination: Slice::growing(Work::thousand(1000), 4),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forced_covering_rests_where_it_does_not_work() {
        let limits = ImpactLimits::default();
        assert!(limits.worth_forcing(7, 0));
        assert!(!limits.worth_forcing(9, 0));
        assert!(limits.worth_forcing(9, 2));
        assert!(limits.worth_forcing(32, 0));
    }
}
