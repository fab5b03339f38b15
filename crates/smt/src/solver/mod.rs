//! The solver's face: assertions in scopes, checks under assumptions, models, cores, refutations.
//!
//! Assertions of the outermost scope are unit clauses. Those of scope `k` are decisions of level
//! `k`, made before any other, so nothing that is learnt depends on them and `pop` only goes back
//! a level: clauses, atoms and lemmas serve later checks. Between checks the assignment of the open
//! scopes stays in place.
//!
//! Asserting only notes the formula: its terms are prepared by the next check, under its budget.
//! Invariant: scopes inside one with unprepared assertions have no prepared ones.

mod alone;
mod bits;
pub(crate) mod candidate;
mod combine;
mod joins;
mod model;
mod search;
pub(crate) mod terms;
pub(crate) mod theories;

use crate::lemmas::Refiner;
use crate::proof::{ClauseId, PartitionId, Refutation, Step};
use crate::sat::{Because, ClauseRef, Sat, SatStats};
use crate::solver::terms::{ActiveMark, ActiveTerms, Record};
use crate::solver::theories::Theories;
use crate::theory::euf::Node;
use crate::{BoolVar, Lit};
use base::{Budget, FxHashMap, FxHashSet, Id, IndexVec, Stop};
use logic::{Model, Pool, TermId};
use std::collections::VecDeque;

/// The answer to a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Sat,
    Unsat,
    Unknown(Unknown),
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The budget ran out.
    Budget(Stop),
    /// The procedure does not decide the formula; says what stood in the way.
    Incomplete(&'static str),
}

/// Counters of a solver's life.
#[derive(Clone, Copy, Debug, Default)]
pub struct SolverStats {
    pub checks: u64,
    pub sat: SatStats,
    pub arith: crate::theory::arith::ArithStats,
    pub final_checks: u64,
    /// Lemmas and case splits that final checks asked for.
    pub lemmas: u64,
    pub merges: u64,
    /// Times the solver threw away what popped scopes left behind.
    pub rebuilds: u64,
}

/// One asserted conjunct.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assertion {
    pub(crate) term: TermId,
    pub(crate) lit: Lit,
    partition: PartitionId,
    /// Its unit clause in the proof.
    id: Option<ClauseId>,
}

#[derive(Debug, Default)]
pub(crate) struct Scope {
    pub(crate) assertions: Vec<Assertion>,
    mark: ActiveMark,
}

/// An incremental SMT solver. All calls must be given the same pool.
pub struct Solver {
    pub(crate) sat: Sat,
    pub(crate) theories: Theories,
    /// The outermost scope first; there is always one.
    pub(crate) scopes: Vec<Scope>,
    /// Asserted and not prepared yet, with their scopes, outermost first.
    unprepared: VecDeque<(usize, TermId, PartitionId)>,
    pub(crate) records: Vec<Record>,
    pub(crate) record_ids: FxHashMap<TermId, u32>,
    pub(crate) var_terms: IndexVec<BoolVar, TermId>,
    /// Which theories a variable is an atom of.
    pub(crate) feeds: IndexVec<BoolVar, u8>,
    pub(crate) active: ActiveTerms,
    /// Arithmetic equalities by their sides.
    pub(crate) eq_sides: FxHashMap<TermId, Vec<(Lit, TermId)>>,
    pub(crate) linked: FxHashSet<(Node, Node)>,
    /// Valid formulas added so far.
    pub(crate) formulas: FxHashSet<TermId>,
    /// Clauses that were false when added.
    pub(crate) false_clauses: Vec<ClauseRef>,
    /// Trail literals the theories have seen, except those of inactive variables above level 0.
    pub(crate) fed: usize,
    /// Literals passed over whose variable became active, with the level the theories got them.
    pub(crate) late: Vec<(Lit, u32)>,
    /// Assumptions of the current check, and the active terms before them.
    pub(crate) assumptions: Vec<(Lit, TermId)>,
    assumption_mark: Option<ActiveMark>,
    core: Vec<TermId>,
    refutation: Option<Refutation>,
    /// The model of the last check, if it was made to judge the answer.
    pub(crate) model: Option<Model>,
    pub(crate) stats: SolverStats,
    pub(crate) bits: bits::Bits,
    /// Remembers how often operators were refined.
    pub(crate) refiner: Refiner,
    proof: bool,
}

impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl Solver {
    pub fn new() -> Self {
        Self::make(false)
    }

    /// A solver that records refutations, for interpolation.
    pub fn with_proof() -> Self {
        Self::make(true)
    }

    fn make(proof: bool) -> Self {
        Solver {
            sat: Sat::new(proof),
            theories: Theories::new(),
            scopes: vec![Scope::default()],
            unprepared: VecDeque::new(),
            records: Vec::new(),
            record_ids: FxHashMap::default(),
            var_terms: IndexVec::new(),
            feeds: IndexVec::new(),
            active: ActiveTerms::default(),
            eq_sides: FxHashMap::default(),
            linked: FxHashSet::default(),
            formulas: FxHashSet::default(),
            false_clauses: Vec::new(),
            fed: 0,
            late: Vec::new(),
            assumptions: Vec::new(),
            assumption_mark: None,
            core: Vec::new(),
            refutation: None,
            model: None,
            stats: SolverStats::default(),
            bits: bits::Bits::default(),
            refiner: Refiner::new(),
            proof,
        }
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.settle();
        let mark = self.mark();
        self.scopes.push(Scope {
            assertions: Vec::new(),
            mark,
        });
    }

    /// Forgets the assertions since the matching `push`; without one it does nothing.
    pub fn pop(&mut self) {
        if self.scopes.len() < 2 {
            return;
        }
        self.settle();
        self.backtrack(self.scopes.len() as u32 - 2);
        let scope = self.scopes.pop().expect("there is an inner scope");
        let open = self.scopes.len();
        while self.unprepared.back().is_some_and(|a| a.0 >= open) {
            self.unprepared.pop_back();
        }
        self.deactivate(scope.mark);
    }

    /// The number of open scopes.
    pub fn depth(&self) -> usize {
        self.scopes.len() - 1
    }

    pub fn assert(&mut self, pool: &mut Pool, t: TermId) {
        self.assert_in(pool, t, PartitionId::from_index(0));
    }

    /// Asserts a formula as part of a partition of an interpolation problem.
    pub fn assert_in(&mut self, pool: &mut Pool, t: TermId, p: PartitionId) {
        self.settle();
        let scope = self.scopes.len() - 1;
        // Sound because a conjunct of the partition's formula follows from it alone.
        let parts = pool.conjuncts(t).into_iter();
        self.unprepared.extend(parts.map(|part| (scope, part, p)));
    }

    /// Prepares what was asserted. Stopped half-way, the rest waits for the next check.
    fn prepare(&mut self, pool: &mut Pool, budget: &Budget) -> Result<(), Stop> {
        for number in 1u32.. {
            let Some(&(scope, term, partition)) = self.unprepared.front() else {
                break;
            };
            // Small ones end before `activate_within` asks.
            if number.is_multiple_of(64) {
                budget.check()?;
            }
            let mark = self.mark();
            let lit = self.lit_of(pool, term);
            if let Err(stop) = self.activate_within(pool, term, budget) {
                self.deactivate(mark);
                return Err(stop);
            }
            self.unprepared.pop_front();
            let id = self.sat.log.as_mut().map(|log| log.input(lit, partition));
            self.add_assertion(
                scope,
                Assertion {
                    term,
                    lit,
                    partition,
                    id,
                },
            );
            // Scopes inside begin after it.
            let mark = self.mark();
            for inner in &mut self.scopes[scope + 1..] {
                inner.mark = mark;
            }
        }
        Ok(())
    }

    /// Adds a clause that a check has shown to follow from the outermost scope. Not with a proof.
    pub(crate) fn add_consequence(&mut self, pool: &Pool, clause: &[TermId]) {
        self.settle();
        let lits: Vec<Lit> = clause.iter().map(|&t| self.lit_of(pool, t)).collect();
        self.add_clause(&lits, Because::Derived(None));
    }

    fn add_assertion(&mut self, scope: usize, assertion: Assertion) {
        let level = scope as u32;
        self.scopes[scope].assertions.push(assertion);
        let lit = assertion.lit;
        if level == 0 {
            self.add_clause(&[lit], Because::Derived(assertion.id));
        } else if self.sat.level() == level {
            match self.sat.value(lit) {
                None => self.sat.enqueue(lit, crate::sat::Reason::Decision),
                Some(true) => {}
                // The search opens the level anew and finds it contradictory.
                Some(false) => self.backtrack(level - 1),
            }
        }
    }

    /// Goes back to the open scopes: assumptions and decisions of the last check are over.
    fn settle(&mut self) {
        self.backtrack(self.scopes.len() as u32 - 1);
        if let Some(mark) = self.assumption_mark.take() {
            self.deactivate(mark);
            self.assumptions.clear();
        }
        self.refutation = None;
        self.model = None;
        self.core.clear();
    }

    /// Whether the assertions in force and the assumptions have a model.
    pub fn check(&mut self, pool: &mut Pool, assumptions: &[TermId], budget: &Budget) -> Answer {
        self.settle();
        self.stats.checks += 1;
        if self.sat.var_count() > 20_000 + 8 * self.active.all.len() {
            self.rebuild();
        }
        if let Err(stop) = self.prepare_all(pool, assumptions, budget) {
            return Answer::Unknown(Unknown::Budget(stop));
        }
        self.bits.begin();
        let answer = self.search(pool, budget);
        self.stats.sat = self.sat.stats;
        self.stats.arith = *self.theories.arith.stats();
        self.stats.merges = self.theories.euf.merges;
        if answer == Answer::Sat {
            // A model that is there already was checked.
            debug_assert!(
                self.model.is_some() || self.model_holds(pool),
                "a model makes every assertion true"
            );
        }
        answer
    }

    fn prepare_all(
        &mut self,
        pool: &mut Pool,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<(), Stop> {
        self.prepare(pool, budget)?;
        if !assumptions.is_empty() {
            self.assumption_mark = Some(self.mark());
            for &t in assumptions {
                let lit = self.lit_of(pool, t);
                self.activate_within(pool, t, budget)?;
                self.assumptions.push((lit, t));
            }
        }
        Ok(())
    }

    /// A model of the assertions and assumptions of the last check, which answered `Sat`.
    pub fn model(&mut self, pool: &mut Pool) -> Model {
        match &self.model {
            Some(model) => model.clone(),
            None => self.build_model(pool),
        }
    }

    /// After `Unsat`: the assumptions that contradict the assertions, a subset.
    pub fn core(&self) -> &[TermId] {
        &self.core
    }

    /// After `Unsat` without assumptions, of a solver with proof.
    pub fn refutation(&self) -> Option<&Refutation> {
        self.refutation.as_ref()
    }

    pub fn stats(&self) -> &SolverStats {
        &self.stats
    }

    /// Records that false literals (a conflict clause or a contradicted assumption) rest only on
    /// asserted formulas and assumptions: the core, and the refutation if there is a proof.
    pub(crate) fn conclude(&mut self, false_lits: &[Lit], start: Option<ClauseId>) {
        let (roots, chain) = self.sat.trace(false_lits, start, &mut self.theories);
        let mut inputs = Vec::new();
        let mut all_inputs = true;
        for &r in &roots {
            let asserted = self.scopes[1..]
                .iter()
                .flat_map(|s| &s.assertions)
                .find(|a| a.lit == r);
            match asserted {
                Some(a) => inputs.push((r, a.id)),
                None => {
                    all_inputs = false;
                    let assumption = self.assumptions.iter().find(|a| a.0 == r);
                    self.core.extend(assumption.map(|a| a.1));
                }
            }
        }
        if roots.is_empty() && self.sat.level() == 0 {
            self.sat.ok = false;
        }
        let (Some((start, mut steps)), true) = (chain, all_inputs) else {
            return;
        };
        let log = self.sat.log.as_mut().expect("a chain needs a log");
        for (r, id) in inputs {
            steps.push(Step {
                pivot: !r,
                antecedent: id.expect("assertions are in the proof"),
            });
        }
        let root = log.chain(start, steps, &[]);
        if !self.sat.ok {
            log.root = Some(root);
        }
        self.refutation = Some(log.refutation(root, &self.var_terms));
    }

    /// The contradiction of the outermost scope, again.
    pub(crate) fn conclude_again(&mut self) {
        if let Some(log) = &self.sat.log {
            self.refutation = log.root.map(|root| log.refutation(root, &self.var_terms));
        }
    }

    /// An assumption that is false contradicts what it rests on.
    pub(crate) fn conclude_assumption(&mut self, lit: Lit, term: TermId) {
        self.conclude(&[lit], None);
        if !self.core.contains(&term) {
            self.core.push(term);
        }
    }

    /// The proof clause of an assertion.
    pub(crate) fn input_id(assertion: &Assertion) -> Option<ClauseId> {
        assertion.id
    }

    /// Starts over with the assertions in force: drops what popped scopes left behind.
    fn rebuild(&mut self) {
        let scopes = std::mem::take(&mut self.scopes);
        let unprepared = std::mem::take(&mut self.unprepared);
        let mut fresh = Self::make(self.proof);
        fresh.sat.stats = self.sat.stats;
        fresh.stats = self.stats;
        fresh.stats.rebuilds += 1;
        fresh.bits = self.bits.afresh();
        *self = fresh;
        for (k, scope) in scopes.into_iter().enumerate() {
            if k > 0 {
                self.push();
            }
            let again = scope.assertions.into_iter();
            self.unprepared
                .extend(again.map(|a| (k, a.term, a.partition)));
        }
        self.unprepared.extend(unprepared);
    }
}
