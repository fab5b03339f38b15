//! How long, how many, how deep: the policy of the engines in one place.
//!
//! Slices are measured in work ([`base::Work`]: solver steps, tableau entries, interpreter instructions),
//! never in time: the same input gives the same output however busy the machine is. The outer budget alone is
//! time. None of these numbers matters for soundness; a limit on which an algorithm's correctness hangs
//! stays beside it and says so.
//!
//! Each engine's own limits are in `engines`.
//!
//! `Limits::default()` is what was tuned on the benchmarks; tests set single fields.

// One comment often speaks of several fields.
#![allow(missing_docs)]

mod engines;

use base::{Budget, Work};
pub use engines::{
    BmcLimits, ErrorRound, ImpactLimits, KindLimits, PredabsLimits, SplitLimits, TraceLimits,
    WhaleLimits,
};
use std::ops::RangeInclusive;

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
    /// The work of the run that never guesses zero, where loops go round often.
    pub apart_work: Slice,
    /// Steps of the long runs, one after the other, and the work of all.
    pub long_steps: [u64; 4],
    pub long_work: Slice,
    /// That work where some constant of the program is one of these.
    pub far_work: Slice,
    pub far: RangeInclusive<i64>,
    /// Most inputs of a run, and most cells of its memory.
    pub most_inputs: usize,
    pub cells: u64,
    /// Those of a long run.
    pub long_cells: u64,
    /// Runs from models: models of one block, runs of one model, steps of one run, and their work.
    pub models: u64,
    pub runs_a_model: u64,
    pub steps_a_model: u64,
    pub model_work: Slice,
    /// In how many inputs a new model is pushed away from the last.
    pub directions: usize,
    /// Runs that go on from one another.
    pub guide: GuideLimits,
}

/// Runs that go on from one another ([`crate::GuidedRuns`]).
#[derive(Clone, Debug)]
pub struct GuideLimits {
    /// Work of a run besides its steps, its steps between two rests, and its inputs.
    pub ticks_a_run: u64,
    pub steps: u64,
    pub most_inputs: usize,
    /// A run rests so often at one loop head, and up to two to the power of this (less one) times in all.
    pub rests: u32,
    pub longest: u64,
    /// States that are kept, of the same cells, and in all; what all of them may hold.
    pub alike: usize,
    pub most_kept: usize,
    pub most_size: u64,
    /// Runs without anything new before the search ends, and more for each state.
    pub idle: u64,
    pub idle_a_state: u64,
    /// Cells of a variable, and rounds in which copies of variables are cut alike.
    pub cells: usize,
    pub copy_rounds: usize,
}

impl Default for GuideLimits {
    fn default() -> Self {
        GuideLimits {
            ticks_a_run: 20,
            steps: 200_000,
            most_inputs: 100_000,
            rests: 200,
            longest: 8,
            alike: 2,
            most_kept: 50_000,
            most_size: 20_000_000,
            idle: 20_000,
            idle_a_state: 40,
            cells: 200,
            copy_rounds: 8,
        }
    }
}

impl Default for RunLimits {
    fn default() -> Self {
        RunLimits {
            random: 200,
            random_steps: 2_000_000,
            random_work: Slice::fixed(Work::thousand(1000)),
            apart_work: Slice::fixed(Work::thousand(2500)),
            long_steps: [20_000_000, 4_000_000, 2_000_000, 2_000_000],
            long_work: Slice::fixed(Work::thousand(4000)),
            far_work: Slice::fixed(Work::thousand(10_000)),
            far: 50_000..=10_000_000,
            most_inputs: 1_000_000,
            cells: 1_000_000,
            long_cells: 3_000_000,
            models: 16,
            runs_a_model: 2,
            steps_a_model: 100_000,
            model_work: Slice::growing(Work::thousand(500), 8),
            directions: 6,
            guide: GuideLimits::default(),
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
    /// Executions on boxes.
    pub boxes: BoxLimits,
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
            boxes: BoxLimits::default(),
            localization_share: 3,
            localization_work: Work::thousand(100_000),
            most_trimmed: 16,
            most_edges: 4000,
        }
    }
}

/// How far a program is executed on boxes ([`crate::presolve::boxes`]).
#[derive(Clone, Debug)]
pub struct BoxLimits {
    /// Statements in all; from one box, as many as the program has edges times `rounds`, at least `least`.
    pub steps: u64,
    pub rounds: u64,
    pub least: u64,
    /// So many times the steps for the next engine of a portfolio, if they were all that was missing.
    pub second: u64,
    /// Boxes, pieces that the cells cut one into, and cells of a variable.
    pub boxes: usize,
    pub pieces: usize,
    pub cells: usize,
    /// Boxes of the same cells that are kept apart; so many times as many after each error that is none, up to most.
    pub apart: usize,
    pub more_apart: usize,
    pub most_apart: usize,
    /// How often a box grows by itself before it takes the whole of its cells.
    pub growth: u8,
    /// Rounds in which copies of variables are cut alike.
    pub copy_rounds: usize,
}

impl Default for BoxLimits {
    fn default() -> Self {
        BoxLimits {
            steps: 1_000_000,
            rounds: 20,
            least: 20_000,
            second: 60,
            boxes: 50_000,
            pieces: 64,
            cells: 100,
            apart: 8,
            more_apart: 16,
            most_apart: 2000,
            growth: 24,
            copy_rounds: 8,
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
    /// Polynomial equalities: the most loop heads, variables of a head among which linear ones are sought first, monomials
    /// and their degree.
    pub polynomial_heads: usize,
    pub polynomial_linear: usize,
    pub polynomial_monomials: usize,
    pub polynomial_degree: usize,
    /// Pairs of a variable that the loop changes and another that are compared beside them.
    pub polynomial_pairs: usize,
    /// Polynomials modulo words: the most variables of a head, and variables with cubes.
    pub polynomial_variables: usize,
    pub polynomial_cubes: usize,
    /// Phases: the work of their affine equalities, the most loop heads, and at each the conditions
    /// and the facts that are tried in each case.
    pub phase_work: Slice,
    pub phase_heads: usize,
    pub phase_conditions: usize,
    pub phase_facts: usize,
    /// Values that variables begin with, as conditions of phases beside the branches.
    pub phase_starts: usize,
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
            polynomial_heads: 12,
            polynomial_linear: 14,
            polynomial_monomials: 60,
            polynomial_degree: 5,
            polynomial_pairs: 20,
            polynomial_variables: 8,
            polynomial_cubes: 3,
            phase_work: Slice::fixed(Work::thousand(1000)),
            phase_heads: 12,
            phase_conditions: 3,
            phase_facts: 40,
            phase_starts: 2,
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
    /// Candidates for one location, and those with cases.
    pub facts: usize,
    pub facts_with_cases: usize,
    /// Longer clauses are no bodies.
    pub clause_literals: usize,
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
            guards: 14,
            facts: 220,
            facts_with_cases: 400,
            clause_literals: 3,
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
            walks: 12,
            starts: 10,
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
    /// One attempt; one with facts about linked objects or all states, which are hard to check; one with facts
    /// about strings, which are few and enough or not.
    pub work: Slice,
    pub hard_work: Slice,
    pub string_work: Slice,
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
            string_work: Slice::growing(Work::thousand(2000), 3),
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
    /// What a run to the end of long loops may take, before any engine.
    pub long_run: Work,
    /// What runs of a program that reads texts may take before any engine.
    pub words: Work,
    /// What runs of a function with guessed arguments may take before all else.
    pub brief_runs: Work,
    /// What executing it abstractly may take after that.
    pub shapes: Work,
    /// Large programs get one part in so many of it: few of them are about their lists.
    pub shapes_share: u64,
    /// What executing the cone of it, without the data in memory and with, may take before that: one part in so many of it.
    pub links_share: u64,
    pub cone_share: u64,
    /// What executing it abstractly with all objects of an allocation as one may take before any engine; it has turns too.
    pub sites: Work,
    /// The same for programs that read texts, which engines are slow on.
    pub sites_of_texts: Work,
    /// What executing the functions of a large program on bounds may take, and those of another between engines.
    pub tables: Work,
    pub tables_between: Work,
    /// What executing a program without loops symbolically may take after that.
    pub unrolled: Work,
    /// The same with any lap of each loop in place of all, for programs with more edges than this.
    pub any_lap: Work,
    /// More of it for each edge.
    pub any_lap_edge: u64,
    pub any_lap_edges: u64,
    /// The weight of symbolic execution where a program starts in a function of its own.
    pub harness_weight: f64,
    /// Of programs that are larger when inlined, engines get the cone of the errors.
    pub cone_edges: u64,
    /// Errors of guided runs that the checker may reject before they end.
    pub rejected_runs: usize,
    /// Bytes in use from which resting engines are given up, one after the other, and how many stay.
    pub resting_memory: u64,
    pub fewest: usize,
}

impl Default for PortfolioLimits {
    fn default() -> Self {
        PortfolioLimits {
            first_turn: Work::thousand(500),
            growth: 1.5,
            head_start: Work::thousand(700),
            execution: Work::thousand(6000),
            long_run: Work::thousand(4000),
            words: Work::thousand(600),
            brief_runs: Work::thousand(60),
            shapes: Work::thousand(4000),
            shapes_share: 32,
            links_share: 8,
            cone_share: 2,
            sites: Work::thousand(700),
            sites_of_texts: Work::thousand(4000),
            tables: Work::thousand(1500),
            tables_between: Work::thousand(300),
            unrolled: Work::thousand(2000),
            any_lap: Work::thousand(100),
            any_lap_edge: 10,
            any_lap_edges: 1000,
            harness_weight: 2.5,
            cone_edges: 4000,
            rejected_runs: 30,
            resting_memory: 1400 << 20,
            fewest: 2,
        }
    }
}

/// Facts as clauses: how many one fact is taken apart into, and the longest that is tried with a literal left out.
pub struct ClauseLimits {
    pub parts: usize,
    pub shortened: usize,
}

/// Triples over blocks: instances of general facts that join at once, and that are remembered of one block; how
/// often an undecided group of goals is halved; states of one formula that are remembered to show what it does not
/// imply; after how many questions the solver of a block begins anew, if the block has no more terms.
pub struct TripleLimits {
    pub instances_a_round: usize,
    pub useful_instances: usize,
    pub halvings: u32,
    pub states: usize,
    pub questions: usize,
    pub small_block: usize,
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
    states: 8,
    questions: 200,
    small_block: 60,
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
}
