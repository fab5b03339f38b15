//! The frame of every engine over the block graph: presolve, then refine an abstraction until it proves the
//! program or an error path is feasible, and now and then stop for Houdini and a deeper search for errors.
//!
//! An engine keeps its abstraction (a tree, a graph, predicates) and a [`Cegar`], which holds what they all
//! need; it says how to take one step ([`Refinement::advance`]) and what a finished abstraction proves
//! ([`Refinement::proof`]). [`run`] does the rest:
//! ```text
//!   presolve ── answer ──────────────────────────────> verdict
//!      └── advance until Some(end); bmc when due ────> verdict
//!                └── after each refinement: Houdini when due
//! ```
//! Source: Clarke, Grumberg, Jha, Lu, Veith, "Counterexample-guided abstraction refinement" (CAV 2000).

use crate::api::{Progress, Task};
use crate::core::block_solver::BlockSolver;
use crate::core::exploration::Exploration;
use crate::core::houdini::Invariants;
use crate::core::path::{Versions, vars_by_term};
use crate::guess::templates::Counters;
use crate::prepare::Prepared;
use crate::presolve::{self, Presolved, lemmas};
use base::{FxHashMap, Stop};
use evidence::{Proof, Reason, Verdict};
use logic::TermId;
use program::{LocId, VarId};
use std::collections::BTreeMap;

/// What a run of a refinement loop has, whatever the abstraction.
pub struct Cegar<'a, 't> {
    pub task: &'a mut Task<'t>,
    pub prepared: &'a Prepared,
    pub block_solver: BlockSolver<'a>,
    pub versions: Versions,
    pub var_of: FxHashMap<TermId, VarId>,
    pub counters: Counters,
    pub invariants: Invariants,
    /// Refinements so far.
    pub refinements: u64,
    /// Facts found at loop heads since the last time Houdini was asked.
    found: BTreeMap<LocId, Vec<TermId>>,
    /// How many lemmas of other engines were looked at.
    taken: usize,
    /// The numbers of refinements at which Houdini is asked, and errors are searched, next.
    next_houdini: u64,
    next_bmc: u64,
}

/// An abstraction that is refined.
///
/// # Contract
/// - `advance` returns `Complete` only if the abstraction is a proof; each call makes progress or ends.
/// - `proof` is asked only after that.
pub trait Refinement<'a, 't> {
    fn cegar(&mut self) -> &mut Cegar<'a, 't>;

    /// One step of the algorithm; `Some` when it has come to an end.
    fn advance(&mut self) -> Result<Option<Exploration>, Stop>;

    /// The proof that the finished abstraction is.
    fn proof(&mut self) -> Proof;

    /// How far the run is, for people; counts what is worth counting.
    fn progress(&mut self) -> Progress;

    /// Whether errors are searched again, deeper, between refinements.
    fn searches_errors(&self) -> bool {
        true
    }
}

/// What Houdini made of the facts that refinements found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learnt {
    Nothing,
    /// There are more invariants than before.
    Invariants,
    /// The invariants exclude all errors.
    Safety,
}

impl<'a, 't> Cegar<'a, 't> {
    pub fn new(task: &'a mut Task<'t>, prepared: &'a Prepared) -> Self {
        Cegar {
            counters: Counters::of(task.pool, &prepared.program),
            block_solver: BlockSolver::new(&prepared.program, &prepared.graph)
                .using(&prepared.solvers),
            versions: Versions::default(),
            var_of: vars_by_term(&prepared.program),
            invariants: Invariants::new(&task.options.limits),
            refinements: 0,
            found: BTreeMap::new(),
            taken: 0,
            next_houdini: 1,
            next_bmc: task.options.limits.cegar.first_bmc,
            task,
            prepared,
        }
    }

    /// Cheap ways to an answer before the algorithm.
    pub fn presolve(&mut self) -> Result<Option<Exploration>, Stop> {
        let presolved = presolve::presolve(
            self.task,
            self.prepared,
            &mut self.block_solver,
            &mut self.versions,
            &mut self.invariants,
        )?;
        Ok(match presolved {
            Presolved::Error(cex) => Some(Exploration::Error(cex)),
            Presolved::Safe => Some(Exploration::Invariant),
            Presolved::Undecided => None,
        })
    }

    /// Keeps guesses made of a fact that a refinement found for the next time Houdini is asked.
    pub fn note(&mut self, loc: LocId, guesses: Vec<TermId>) {
        if self.prepared.is_loop_head(loc) {
            self.found.entry(loc).or_default().extend(guesses);
        }
    }

    /// Offers what refinements found to Houdini, less often the more refinements there were.
    pub fn houdini_if_due(&mut self) -> Result<Learnt, Stop> {
        if self.refinements < self.next_houdini {
            return Ok(Learnt::Nothing);
        }
        self.next_houdini = self
            .task
            .options
            .limits
            .cegar
            .next_houdini(self.refinements);
        let mut found = std::mem::take(&mut self.found);
        let lessons = lemmas::learn(self.task, self.prepared, self.taken);
        self.taken = lessons.taken;
        for (loc, facts) in lessons.facts {
            found.entry(loc).or_default().extend(facts);
        }
        let before = self.invariants.count();
        let safe = presolve::offer(
            self.task,
            self.prepared,
            &mut self.block_solver,
            &mut self.invariants,
            found,
        )?;
        if self.invariants.count() > before {
            lemmas::teach(self.task, self.prepared, &self.invariants, 0);
        }
        Ok(match safe {
            true => Learnt::Safety,
            false if self.invariants.count() > before => Learnt::Invariants,
            false => Learnt::Nothing,
        })
    }

    /// Searches for errors again, deeper, after twice as many refinements each time.
    fn bmc_if_due(&mut self) -> Result<Option<Exploration>, Stop> {
        if self.refinements < self.next_bmc {
            return Ok(None);
        }
        self.next_bmc = self.refinements * 2;
        let calls = self
            .task
            .options
            .limits
            .cegar
            .bmc_calls_after(self.refinements);
        let found = presolve::search_errors(self.task, self.prepared, &mut self.versions, calls)?;
        Ok(found.map(Exploration::Error))
    }
}

/// A whole run: presolve, then refine.
pub fn run<'a, 't: 'a>(search: &mut impl Refinement<'a, 't>) -> Verdict {
    let end = match search.cegar().presolve() {
        Ok(None) => refine(search),
        Ok(Some(end)) => Ok(end),
        Err(stop) => Err(stop),
    };
    verdict(search, end)
}

/// The loop: steps of the algorithm until one is the last.
pub fn refine<'a, 't: 'a>(search: &mut impl Refinement<'a, 't>) -> Result<Exploration, Stop> {
    loop {
        search.cegar().task.budget.check()?;
        if let Some(end) = search.advance()? {
            return Ok(end);
        }
        if search.searches_errors()
            && let Some(end) = search.cegar().bmc_if_due()?
        {
            return Ok(end);
        }
        let progress = search.progress();
        (search.cegar().task.progress)(&progress);
    }
}

/// The verdict of a search that ended so.
pub fn verdict<'a, 't: 'a>(
    search: &mut impl Refinement<'a, 't>,
    end: Result<Exploration, Stop>,
) -> Verdict {
    search.progress();
    let task = &mut *search.cegar().task;
    let work = task.budget.worked().count() / 1000;
    task.stats.max("work in thousand ticks", work);
    match end {
        Ok(Exploration::Complete) => Verdict::Safe(search.proof()),
        Ok(Exploration::Invariant) => {
            let cegar = search.cegar();
            let (pool, budget) = (&mut *cegar.task.pool, cegar.task.budget);
            let proof =
                cegar
                    .invariants
                    .proof(pool, cegar.prepared, &mut cegar.block_solver, budget);
            Verdict::Safe(proof)
        }
        Ok(Exploration::Error(cex)) => Verdict::Unsafe(cex),
        Ok(Exploration::Stuck(what)) => Verdict::Unknown(Reason::NoProgress { what }),
        Err(stop) => Verdict::Unknown(Reason::OutOfBudget(stop)),
    }
}
