//! Inductive invariants of cut points: Houdini whose places are the cut points and whose obligations
//! are the blocks between them.
//!
//! Candidates are guesses (from the program text, from interpolants, from other engines).
//!
//! Invariant: for every block, the proven facts at its start imply each fact at its end after it; the
//! entry has none.

use super::{Blocks, Houdini};
use crate::core::block_solver::{BlockFeasibility, BlockSolver};
use crate::guess::polynomials::multiplies;
use crate::guess::samples::Samples;
use crate::limits::{Limits, Slice};
use crate::prepare::Prepared;
use base::{Budget, Stop};
use evidence::Proof;
use logic::{Pool, TermId};
use program::{BlockId, LocId, MOST_ANY, any_term};
use std::collections::BTreeMap;

/// Facts known to hold whenever a location is reached.
#[derive(Default)]
pub struct Invariants {
    limits: Limits,
    facts: Houdini<LocId>,
    /// What was proven before facts "for any k" came.
    before_general: BTreeMap<LocId, Vec<TermId>>,
    /// States at loop heads; taken when the first candidates come.
    samples: Option<Samples>,
}

impl Invariants {
    pub fn new(limits: &Limits) -> Self {
        Invariants {
            limits: limits.clone(),
            facts: Houdini::new(&limits.houdini),
            ..Default::default()
        }
    }

    pub fn at(&self, loc: LocId) -> &[TermId] {
        self.facts.at(loc)
    }

    /// How many facts are proven.
    pub fn count(&self) -> usize {
        self.facts.count()
    }

    /// Adds candidates and proves what can be proven. Running over the slice of work that this may
    /// take leaves the invariants as they were.
    pub fn extend(
        &mut self,
        pool: &mut Pool,
        prepared: &Prepared,
        block_solver: &mut BlockSolver<'_>,
        candidates: BTreeMap<LocId, Vec<TermId>>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let work = self.limits.houdini.work;
        self.extend_within(pool, prepared, block_solver, candidates, work, budget)
    }

    /// The states of random runs, if there were any.
    pub fn samples(&self) -> Option<&Samples> {
        self.samples.as_ref()
    }

    /// Takes the states of random runs, unless that was done.
    pub fn sample(&mut self, pool: &Pool, prepared: &Prepared, budget: &Budget) -> &mut Samples {
        self.samples.get_or_insert_with(|| {
            let heads = &prepared.graph.loop_heads;
            let near = multiplies(pool, &prepared.graph);
            Samples::collect(pool, &prepared.program, heads, near, &self.limits, budget)
        })
    }

    /// [`Invariants::extend`] within a slice of its own.
    pub fn extend_within(
        &mut self,
        pool: &mut Pool,
        prepared: &Prepared,
        block_solver: &mut BlockSolver<'_>,
        candidates: BTreeMap<LocId, Vec<TermId>>,
        work: Slice,
        budget: &Budget,
    ) -> Result<(), Stop> {
        self.sample(pool, prepared, budget);
        let samples = self.samples.as_mut();
        // Sound because the entry may be in any state: nothing is assumed there.
        let places = prepared.graph.nodes.iter().copied();
        let mut blocks = Blocks {
            graph: &prepared.graph,
            block_solver,
            places: places.filter(|&loc| loc != prepared.entry()).collect(),
            blocks: prepared.graph.blocks.ids().collect(),
            context: &mut |_, _| Vec::new(),
            samples,
        };
        let mut newest: BTreeMap<LocId, Vec<TermId>> = BTreeMap::new();
        for (loc, facts) in candidates {
            for fact in facts {
                if self.facts.offer_sampled(pool, &mut blocks, loc, fact) {
                    newest.entry(loc).or_default().push(fact);
                }
            }
        }
        if !newest.is_empty() {
            let facts = &mut self.facts;
            facts.attempt_newest(pool, &mut blocks, &newest, work, budget)?;
        }
        Ok(())
    }

    /// Do the proven facts keep every error block from being taken?
    pub fn exclude_errors(
        &self,
        pool: &mut Pool,
        prepared: &Prepared,
        block_solver: &mut BlockSolver<'_>,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        for block in prepared.error_blocks() {
            let from = prepared.graph.blocks[block].from;
            if block_solver.feasible(pool, self.at(from), block, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Drops candidates "for any k" that are not proven.
    pub fn forget_open_general(&mut self, pool: &mut Pool) {
        let any: Vec<TermId> = (0..MOST_ANY).map(|n| any_term(pool, n)).collect();
        self.facts.retain_open(|f| !speaks_of(pool, f, &any));
    }

    /// Drops all facts "for any k": away from arrays' places they say nothing, and they are many. What
    /// was proven with them has to be proven again without.
    pub fn forget_general(
        &mut self,
        pool: &mut Pool,
        prepared: &Prepared,
        block_solver: &mut BlockSolver<'_>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        self.forget_open_general(pool);
        let any: Vec<TermId> = (0..MOST_ANY).map(|n| any_term(pool, n)).collect();
        let mut facts = self.facts.proven().values().flatten();
        if !facts.any(|&f| speaks_of(pool, f, &any)) {
            return Ok(());
        }
        let mut again = self.facts.replace_proven(self.before_general.clone());
        for (&loc, facts) in &mut again {
            facts.retain(|&f| !speaks_of(pool, f, &any) && !self.at(loc).contains(&f));
        }
        self.extend(pool, prepared, block_solver, again, budget)
    }

    /// Facts "for any k" come next: what is proven so far does not rest on them, unless there are such
    /// facts already.
    pub fn general_next(&mut self, pool: &mut Pool) {
        let any: Vec<TermId> = (0..MOST_ANY).map(|n| any_term(pool, n)).collect();
        let mut facts = self.facts.proven().values().flatten();
        if !facts.any(|&f| speaks_of(pool, f, &any)) {
            self.before_general = self.facts.proven().clone();
        }
    }

    /// The proof that the facts are, once they exclude all errors: as few of them as can be found
    /// soon, for the checker and for people to read.
    pub fn proof(
        &self,
        pool: &mut Pool,
        prepared: &Prepared,
        block_solver: &mut BlockSolver<'_>,
        budget: &Budget,
    ) -> Proof {
        let slice = self.limits.houdini.shortening.of(budget);
        let mut needed = Needed {
            most_shortened: self.limits.houdini.most_shortened,
            ..Needed::default()
        };
        let shortened = needed.find(self, pool, prepared, block_solver, &slice);
        let short = matches!(shortened, Ok(true));
        let mut invariants = BTreeMap::new();
        for &loc in &prepared.graph.nodes {
            if prepared.program.locations[loc].error.is_none() {
                let fact = match short {
                    true => pool.and(needed.at(loc)),
                    false => pool.and(self.at(loc)),
                };
                invariants.insert(loc, fact);
            }
        }
        prepared.proof(pool, invariants)
    }

    /// A proof whose assertion at a cut point is that some label holds there, with the facts.
    /// Sound for a cut point without a label if nothing reaches it: `false` is inductive there.
    pub fn proof_with_labels(
        &self,
        pool: &mut Pool,
        prepared: &Prepared,
        mut labels: BTreeMap<LocId, Vec<TermId>>,
    ) -> Proof {
        let mut invariants = BTreeMap::new();
        for &loc in &prepared.graph.nodes {
            let own = labels.remove(&loc).unwrap_or_default();
            let mut parts = vec![pool.or(&own)];
            parts.extend_from_slice(self.at(loc));
            invariants.insert(loc, pool.and(&parts));
        }
        prepared.proof(pool, invariants)
    }
}

/// The facts that a proof rests on, found from the errors backwards: what excludes an error, then what
/// that follows from, and so on.
#[derive(Default)]
struct Needed {
    facts: BTreeMap<LocId, Vec<TermId>>,
    /// The most facts of one step that are left out one by one.
    most_shortened: usize,
    /// Facts for whose being inductive nothing has been noted yet.
    open: Vec<(LocId, TermId)>,
}

impl Needed {
    fn at(&self, loc: LocId) -> &[TermId] {
        self.facts.get(&loc).map_or(&[], Vec::as_slice)
    }

    /// False if the solver does not find again what it found before.
    fn find(
        &mut self,
        all: &Invariants,
        pool: &mut Pool,
        prepared: &Prepared,
        block_solver: &mut BlockSolver<'_>,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let graph = &prepared.graph;
        let ff = pool.ff();
        for block in prepared.error_blocks() {
            let known = all.at(graph.blocks[block].from);
            if !self.rest_on(known, pool, prepared, block_solver, block, ff, budget)? {
                return Ok(false);
            }
        }
        while let Some((loc, fact)) = self.open.pop() {
            for (id, block) in graph.blocks.iter_enumerated() {
                let known = all.at(block.from);
                if block.to == loc
                    && !self.rest_on(known, pool, prepared, block_solver, id, fact, budget)?
                {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Adds those of `known` from which `goal` follows after the block.
    #[allow(clippy::too_many_arguments)]
    fn rest_on(
        &mut self,
        known: &[TermId],
        pool: &mut Pool,
        prepared: &Prepared,
        block_solver: &mut BlockSolver<'_>,
        block: BlockId,
        goal: TermId,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let from = prepared.graph.blocks[block].from;
        let noted = self.at(from).to_vec();
        if block_solver
            .triple(pool, &noted, block, goal, budget)?
            .holds()
        {
            return Ok(true);
        }
        let outside = [pool.not(goal)];
        let step = block_solver.step(pool, known, block, &outside, budget)?;
        let BlockFeasibility::Infeasible { pre: mut core, .. } = step else {
            return Ok(false);
        };
        // One after the other is left out if it can be.
        let mut next = 0;
        while core.len() <= self.most_shortened && next < core.len() {
            let mut fewer = core.clone();
            fewer.remove(next);
            match block_solver.step(pool, &fewer, block, &outside, budget)? {
                BlockFeasibility::Infeasible { pre, .. } => core.retain(|f| pre.contains(f)),
                BlockFeasibility::Feasible(_) => next += 1,
            }
        }
        for fact in core {
            let facts = self.facts.entry(from).or_default();
            if !facts.contains(&fact) {
                facts.push(fact);
                self.open.push((from, fact));
            }
        }
        Ok(true)
    }
}

fn speaks_of(pool: &Pool, fact: TermId, any: &[TermId]) -> bool {
    pool.post_order(&[fact]).iter().any(|t| any.contains(t))
}
