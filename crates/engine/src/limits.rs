//! How long, how many, how deep: the policy of the engines in one place.
//!
//! Slices are measured in work ([`base::Work`]: solver steps, tableau entries, interpreter instructions),
//! never in time: the same input gives the same output however busy the machine is. The outer budget alone is
//! time. None of these numbers matters for soundness; a limit on which an algorithm's correctness hangs
//! stays beside it and says so.
//!
//! `Limits::default()` is what was tuned on the benchmarks; tests set single fields.

// One comment often speaks of several fields.
#![allow(missing_docs)]

use base::{Budget, Work};

/// All limits of the engines, by part.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Random and seeded runs.
    pub runs: RunLimits,
    /// What is tried before the algorithm.
    pub presolve: PresolveLimits,
    /// Generators of candidates.
    pub guess: GuessLimits,
    /// Houdini.
    pub houdini: HoudiniLimits,
    /// The driver of the engines over blocks.
    pub cegar: CegarLimits,
    /// Engine `impact`.
    pub impact: ImpactLimits,
    /// Engine `split`.
    pub split: SplitLimits,
    /// Engine `predabs`.
    pub predabs: PredabsLimits,
    /// Engine `trace`.
    pub trace: TraceLimits,
    /// Engine `whale`.
    pub whale: WhaleLimits,
    /// Engine `bmc`.
    pub bmc: BmcLimits,
    /// Engine `kind`.
    pub kind: KindLimits,
    pub portfolio: PortfolioLimits,
    /// Programs whose functions interact by values only.
    pub modular: ModularLimits,
    /// Rounds of constants and scalar replacement in turns.
    pub memory_rounds: usize,
    /// Steps of a counterexample that is written out.
    pub execution_steps: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            runs: RunLimits::default(),
            presolve: PresolveLimits::default(),
            guess: GuessLimits::default(),
            houdini: HoudiniLimits::default(),
            cegar: CegarLimits::default(),
            impact: ImpactLimits::default(),
            split: SplitLimits::default(),
            predabs: PredabsLimits::default(),
            trace: TraceLimits::default(),
            whale: WhaleLimits::default(),
            bmc: BmcLimits::default(),
            kind: KindLimits::default(),
            portfolio: PortfolioLimits::default(),
            modular: ModularLimits::default(),
            memory_rounds: 4,
            execution_steps: 3_000_000,
        }
    }
}

/// Larger programs are not brought into modular form.
#[derive(Clone, Debug)]
pub struct ModularLimits {
    /// Edges with loops as functions.
    pub edges: usize,
    /// Values that calls pass in and out.
    pub passed: usize,
}

impl Default for ModularLimits {
    fn default() -> Self {
        ModularLimits {
            edges: 200_000,
            passed: 400_000,
        }
    }
}

/// A slice that grows with the run: `base`, and one part in `share` of the work done so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    pub base: Work,
    pub share: Option<u64>,
}

impl Slice {
    pub const fn fixed(base: Work) -> Self {
        Slice { base, share: None }
    }

    pub const fn growing(base: Work, share: u64) -> Self {
        Slice {
            base,
            share: Some(share),
        }
    }

    /// The budget for such a piece of a run.
    pub fn of(&self, budget: &Budget) -> Budget {
        let more = self.share.map_or(Work::NONE, |s| budget.worked() / s);
        budget.clone().with_slice(self.base + more)
    }
}

/// Runs of the interpreter with guessed inputs.
#[derive(Clone, Debug)]
pub struct RunLimits {
    /// Random runs, the steps of all together, and their work: a step of a program with large terms is
    /// a long one.
    pub random: u64,
    pub random_steps: u64,
    pub random_work: Slice,
    /// Steps of the long runs, one after the other, and the work of all.
    pub long_steps: [u64; 4],
    pub long_work: Slice,
    /// Most inputs of a run, and most cells of its memory.
    pub most_inputs: usize,
    pub cells: u64,
    /// Runs from models: models of one block, runs of one model, steps of one run, and their work.
    pub models: u64,
    pub runs_a_model: u64,
    pub steps_a_model: u64,
    pub model_work: Slice,
    /// In how many inputs a new model is pushed away from the last.
    pub directions: usize,
}

impl Default for RunLimits {
    fn default() -> Self {
        RunLimits {
            random: 200,
            random_steps: 2_000_000,
            random_work: Slice::fixed(Work::thousand(1000)),
            long_steps: [20_000_000, 4_000_000, 2_000_000, 2_000_000],
            long_work: Slice::fixed(Work::thousand(4000)),
            most_inputs: 1_000_000,
            cells: 1_000_000,
            models: 16,
            runs_a_model: 2,
            steps_a_model: 100_000,
            model_work: Slice::growing(Work::thousand(500), 8),
            directions: 6,
        }
    }
}

/// What comes before the algorithm.
#[derive(Clone, Debug)]
pub struct PresolveLimits {
    /// Solver calls of the first bounded search for errors, or two a block where these are more.
    pub bmc_calls: u64,
    /// Its work: deep paths through branching loops can be hard for the solver where an invariant is
    /// easy.
    pub bmc_work: Slice,
    /// The depth of its first round; each round is twice as deep as the last.
    pub bmc_depth: usize,
    /// The rounds with less memory may take one part in so many of the work that is left, and so much
    /// where nothing limits the run.
    pub localization_share: u64,
    pub localization_work: Work,
    /// An unsatisfiable core with more arrays is taken as it is.
    pub most_trimmed: usize,
    /// In a larger program without its memory nothing is guessed: of the many candidates most speak of what
    /// does not matter, and the algorithm asks only for what does.
    pub most_edges: usize,
}

impl Default for PresolveLimits {
    fn default() -> Self {
        PresolveLimits {
            bmc_calls: 60,
            bmc_work: Slice::growing(Work::thousand(700), 4),
            bmc_depth: 4,
            localization_share: 3,
            localization_work: Work::thousand(100_000),
            most_trimmed: 16,
            most_edges: 4000,
        }
    }
}

/// What the generators of candidates may use.
#[derive(Clone, Debug)]
pub struct GuessLimits {
    /// Facts from the text at one loop head, and the most variables of a loop that are compared pairwise.
    pub text_facts: usize,
    pub text_paired: usize,
    /// Facts of single statements: stores, assumptions, terms that are compared with one another.
    pub stores: usize,
    pub assumed: usize,
    pub addresses: usize,
    /// Symbols in an address or an assumption.
    pub symbols: usize,
    /// Residues of larger strides are taken to be zero.
    pub small_stride: i64,
    /// Affine equalities: their work, and the most loop heads and variables.
    pub affine_work: Slice,
    pub affine_heads: usize,
    pub affine_variables: usize,
    /// Phases: the work of their affine equalities, the most loop heads, and at each the conditions
    /// and the facts that are tried in each case.
    pub phase_work: Slice,
    pub phase_heads: usize,
    pub phase_conditions: usize,
    pub phase_facts: usize,
    pub arrays: ArrayLimits,
    pub strings: StringLimits,
    pub heap: HeapLimits,
    pub values: ValueLimits,
    pub samples: SampleLimits,
    /// Templates: paths with more counters or blocks are left to plain interpolation.
    pub template_counters: usize,
    pub template_blocks: usize,
    /// Templates of one loop head.
    pub templates: usize,
}

impl Default for GuessLimits {
    fn default() -> Self {
        GuessLimits {
            text_facts: 160,
            text_paired: 7,
            stores: 40,
            assumed: 60,
            addresses: 14,
            symbols: 4,
            small_stride: 8,
            affine_work: Slice::fixed(Work::thousand(2000)),
            affine_heads: 60,
            affine_variables: 40,
            phase_work: Slice::fixed(Work::thousand(1000)),
            phase_heads: 12,
            phase_conditions: 3,
            phase_facts: 40,
            arrays: ArrayLimits::default(),
            strings: StringLimits::default(),
            heap: HeapLimits::default(),
            values: ValueLimits::default(),
            samples: SampleLimits::default(),
            template_counters: 6,
            template_blocks: 30,
            templates: 24,
        }
    }
}

/// Candidates about all cells of an array.
#[derive(Clone, Debug)]
pub struct ArrayLimits {
    pub bodies: usize,
    pub guards: usize,
    /// Candidates for one location.
    pub facts: usize,
    /// How many likely bodies go before the next guard.
    pub bodies_a_guard: usize,
    /// Conditions that bodies are weakened by.
    pub cases: usize,
    /// Terms that are tried as pointers.
    pub pointers: usize,
    /// With more loop heads than this nothing is tried.
    pub heads: usize,
    /// Variables in what a counter is compared with.
    pub end_variables: usize,
}

impl Default for ArrayLimits {
    fn default() -> Self {
        ArrayLimits {
            bodies: 28,
            guards: 12,
            facts: 220,
            bodies_a_guard: 3,
            cases: 6,
            pointers: 10,
            heads: 40,
            end_variables: 2,
        }
    }
}

/// Candidates about terminators of strings.
#[derive(Clone, Debug)]
pub struct StringLimits {
    /// Cells that are written once, and conditions on what does not change.
    pub cells: usize,
    pub assumed: usize,
    /// Cells that hold numbers, walks over arrays, and where they start.
    pub zeros: usize,
    pub walks: usize,
    pub starts: usize,
    /// Candidates for one location.
    pub facts: usize,
    /// With more loop heads than this nothing is tried.
    pub heads: usize,
}

impl Default for StringLimits {
    fn default() -> Self {
        StringLimits {
            cells: 8,
            assumed: 16,
            zeros: 6,
            walks: 8,
            starts: 8,
            facts: 400,
            heads: 40,
        }
    }
}

/// Candidates about linked objects.
#[derive(Clone, Debug)]
pub struct HeapLimits {
    /// Pointer variables of a loop head, fields, and sizes of objects.
    pub pointers: usize,
    pub fields: usize,
    pub sizes: usize,
    /// Candidates for one location.
    pub facts: usize,
    /// With more loop heads than this nothing is tried.
    pub heads: usize,
}

impl Default for HeapLimits {
    fn default() -> Self {
        HeapLimits {
            pointers: 7,
            fields: 4,
            sizes: 3,
            facts: 900,
            heads: 30,
        }
    }
}

/// The value analysis ends without a result where the states are more.
#[derive(Clone, Debug)]
pub struct ValueLimits {
    pub steps: usize,
    /// States of one location.
    pub states: usize,
    /// Equations of all states together.
    pub equations: usize,
    /// Cells of one array that are kept.
    pub cells: usize,
}

impl Default for ValueLimits {
    fn default() -> Self {
        ValueLimits {
            steps: 60_000,
            states: 260,
            equations: 12_000,
            cells: 4_000,
        }
    }
}

/// States of random runs that refute candidates.
#[derive(Clone, Debug)]
pub struct SampleLimits {
    /// Runs to take samples from, and steps and cells of one run.
    pub runs: u64,
    pub steps: u64,
    pub cells: u64,
    /// Samples kept for one location.
    pub states: usize,
    /// A state whose arrays have more entries is too dear to keep.
    pub entries: usize,
    /// Samples at which facts "for any k" are tried; places of one array, and of all, to try there.
    pub general: usize,
    /// Samples at which facts "for any k, l" are tried.
    pub paired: usize,
    pub places_an_array: usize,
    pub places: usize,
}

impl Default for SampleLimits {
    fn default() -> Self {
        SampleLimits {
            runs: 40,
            steps: 4_000,
            cells: 100_000,
            states: 120,
            entries: 2_000,
            general: 40,
            paired: 10,
            places_an_array: 6,
            places: 12,
        }
    }
}

/// Proofs of candidates.
#[derive(Clone, Debug)]
pub struct HoudiniLimits {
    /// Candidates kept for one location; the oldest unproven go first.
    pub candidates: usize,
    /// One attempt; one with facts about linked objects or all states, which are hard to check.
    pub work: Slice,
    pub hard_work: Slice,
    /// Shortening a proof, and the most facts of one step that are left out one by one.
    pub shortening: Slice,
    pub most_shortened: usize,
}

impl Default for HoudiniLimits {
    fn default() -> Self {
        HoudiniLimits {
            candidates: 240,
            work: Slice::growing(Work::thousand(500), 3),
            hard_work: Slice::growing(Work::thousand(4000), 3),
            shortening: Slice::fixed(Work::thousand(1000)),
            most_shortened: 16,
        }
    }
}

/// How often a refinement loop stops for something else.
#[derive(Clone, Debug)]
pub struct CegarLimits {
    /// After n refinements Houdini rests for 1 + n / this.
    pub houdini_rest: u64,
    /// Refinements before errors are searched again; then after twice as many each time.
    pub first_bmc: u64,
    /// Solver calls of such a search: some, and some a refinement.
    pub bmc_calls: u64,
    pub bmc_calls_a_refinement: u64,
}

impl CegarLimits {
    /// The number of refinements at which Houdini is asked again, after one at `refinements`.
    pub fn next_houdini(&self, refinements: u64) -> u64 {
        refinements + 1 + refinements / self.houdini_rest
    }

    /// Solver calls of a search for errors after so many refinements.
    pub fn bmc_calls_after(&self, refinements: u64) -> u64 {
        self.bmc_calls + refinements * self.bmc_calls_a_refinement
    }
}

impl Default for CegarLimits {
    fn default() -> Self {
        CegarLimits {
            houdini_rest: 4,
            first_bmc: 16,
            bmc_calls: 60,
            bmc_calls_a_refinement: 20,
        }
    }
}

/// Forced covering costs an interpolation problem: where it rarely works, it is tried rarely.
#[derive(Clone, Debug)]
pub struct ImpactLimits {
    /// It is always tried so often;
    pub force_first: u64,
    /// then while one in so many tries works;
    pub force_rate: u64,
    /// else each time after so many.
    pub force_every: u64,
    /// Blocks between the node and the common ancestor.
    pub force_blocks: usize,
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
}

impl Default for PredabsLimits {
    fn default() -> Self {
        PredabsLimits {
            block_terms: 600,
            short_path: 24,
            valuations: 128,
            valuations_growth: 4,
            most_valuations: 1 << 14,
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

/// Turns of the engines of a portfolio.
#[derive(Clone, Debug)]
pub struct PortfolioLimits {
    /// The first turn of an engine of weight one, and by what each turn is longer than the one before.
    pub first_turn: Work,
    pub growth: f64,
    /// What the engine that begins has longer: presolving, which is for all, is in its turn.
    pub head_start: Work,
    /// What running the program to its end may take, before any engine.
    pub execution: Work,
}

impl Default for PortfolioLimits {
    fn default() -> Self {
        PortfolioLimits {
            first_turn: Work::thousand(500),
            growth: 1.5,
            head_start: Work::thousand(700),
            execution: Work::thousand(2000),
        }
    }
}

/// Facts as clauses: how many one fact is taken apart into, and the longest that is tried with a literal left out.
pub struct ClauseLimits {
    pub parts: usize,
    pub shortened: usize,
}

/// Triples over blocks: instances of general facts that join at once, and that are remembered of one block; how
/// often an undecided group of goals is halved.
pub struct TripleLimits {
    pub instances_a_round: usize,
    pub useful_instances: usize,
    pub halvings: u32,
}

/// Summaries by explicit values: states at a location, runs of a function, and states in all.
pub struct TabulationLimits {
    pub states: usize,
    pub runs: usize,
    pub steps: usize,
}

// Parts that are below all options.
pub const CLAUSES: ClauseLimits = ClauseLimits {
    parts: 24,
    shortened: 4,
};
pub const TRIPLES: TripleLimits = TripleLimits {
    instances_a_round: 24,
    useful_instances: 60,
    halvings: 8,
};
pub const TABULATION: TabulationLimits = TabulationLimits {
    states: 32,
    runs: 100,
    steps: 100_000,
};
/// Steps of an error path through calls.
pub const NESTED_STEPS: usize = 20_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_grows_with_the_work_of_the_run() {
        let budget = Budget::unlimited();
        budget.charge(800);
        let slice = Slice::growing(Work::ticks(100), 8).of(&budget);
        assert!(slice.spend(198).is_ok());
        assert!(slice.check().is_err());
        assert!(budget.check().is_ok());
    }

    #[test]
    fn forced_covering_rests_where_it_does_not_work() {
        let limits = ImpactLimits::default();
        assert!(limits.worth_forcing(7, 0));
        assert!(!limits.worth_forcing(9, 0));
        assert!(limits.worth_forcing(9, 2));
        assert!(limits.worth_forcing(32, 0));
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
