//! Abstract post: the strongest Boolean combination of the target's predicates that holds after a
//! block from an abstract state (the paper's SP with predicate abstraction, section 4).
//!
//! A statement speaks of few variables: predicates that have nothing to do with these, directly or through other
//! predicates, keep their values and how they depend on others ([`Posts::post`]). So the solver is asked about the near
//! ones only, once for all states that agree on them.
//!
//! All on the one incremental solver of the block. First each predicate alone: models show which
//! values occur, a check settles the ones seen with one value only (the Cartesian abstraction).
//! Then the valuations of the others, one model at a time, each blocked by a clause.
//!
//! Sound because a valuation is left out only when the solver answers unsat; where it gives up, or
//! there are too many valuations, the Cartesian abstraction of what is known stands in.

use super::bdd::{Bdd, Bdds};
use super::precision::Precision;
use crate::api::{EngineOptions, Stats};
use crate::core::block_solver::BlockSolver;
use crate::core::path::transition;
use crate::limits::{PredabsLimits, TRIPLES};
use base::{Budget, FxHashMap, FxHashSet, Stop};
use logic::{Memo, Pool, TermId, Value};
use program::{BlockGraph, BlockId, VarId};
use smt::{Answer, Unknown};

/// How much of the relation between predicates an abstract state keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Abstraction {
    /// All combinations of predicates.
    #[default]
    Boolean,
    /// Each predicate for itself.
    Cartesian,
}

/// What a post is computed with.
pub struct Around<'a, 'p> {
    pub pool: &'a mut Pool,
    pub graph: &'a BlockGraph,
    pub block_solver: &'a mut BlockSolver<'p>,
    pub bdds: &'a mut Bdds,
    pub precision: &'a Precision,
    pub budget: &'a Budget,
}

/// What holds before a block: an abstract state and further facts. The stamp names the facts: for
/// one block, equal stamps are equal facts.
#[derive(Clone, Copy)]
pub struct Before<'a> {
    pub state: Bdd,
    pub facts: &'a [TermId],
    pub stamp: usize,
    /// The facts belong to this step (what a callee returned with), so predicates about their variables are near it;
    /// invariants say nothing that the states do not know.
    pub of_step: bool,
}

/// What an abstract post depends on: the block, the state before it, how many predicates the
/// target tracks, the stamp of the facts, and the limit on valuations.
type Key = (BlockId, Bdd, usize, usize, usize);

/// The same for some of the predicates.
type PartKey = (BlockId, Bdd, Vec<u32>, usize, usize);

/// How predicates stand to a block; each list is sorted.
#[derive(Default)]
struct Neighbourhood {
    /// Of the state: those that the block may have to do with, and the others.
    near: Vec<u32>,
    far: Vec<u32>,
    /// Of the target: those to be computed with the near ones.
    targets: Vec<u32>,
    /// Of the target: of which nothing is known before, and which nothing else depends on.
    alone: Vec<u32>,
}

pub struct Posts {
    pub abstraction: Abstraction,
    /// Most valuations enumerated for one post.
    pub limit: usize,
    /// Whether some post was cut off by the limit since it was set.
    pub cut_off: bool,
    limits: PredabsLimits,
    cache: FxHashMap<Key, Bdd>,
    parts: FxHashMap<PartKey, Bdd>,
    /// The variables that a block speaks of, and whether it is small.
    blocks: FxHashMap<BlockId, (FxHashSet<VarId>, bool)>,
    /// For evaluation: kept, as its table is as large as the pool.
    memo: Memo,
    pub computed: u64,
    pub cache_hits: u64,
    pub solver_calls: u64,
}

impl Posts {
    pub fn new(options: &EngineOptions) -> Self {
        Posts {
            abstraction: options.predabs.abstraction,
            limit: options.limits.predabs.valuations,
            limits: options.limits.predabs.clone(),
            cut_off: false,
            cache: FxHashMap::default(),
            parts: FxHashMap::default(),
            blocks: FxHashMap::default(),
            memo: Memo::new(),
            computed: 0,
            cache_hits: 0,
            solver_calls: 0,
        }
    }

    /// Raises the limit on valuations if some post met it.
    pub fn raise_limit(&mut self) {
        if self.cut_off && self.limit < self.limits.most_valuations {
            self.cut_off = false;
            self.limit *= self.limits.valuations_growth;
        }
    }

    pub fn count(&self, stats: &mut Stats) {
        stats.add("abstract posts", self.computed);
        stats.add("abstract posts from the cache", self.cache_hits);
        stats.add("all-sat solver calls", self.solver_calls);
    }

    /// The abstract state after `block`.
    pub fn post(
        &mut self,
        around: &mut Around<'_, '_>,
        before: Before<'_>,
        block: BlockId,
    ) -> Result<Bdd, Stop> {
        let tracked = around.precision.at(around.graph.blocks[block].to);
        let key = (block, before.state, tracked.len(), before.stamp, self.limit);
        if let Some(&known) = self.cache.get(&key) {
            self.cache_hits += 1;
            return Ok(known);
        }
        let result = self.by_parts(around, before, block, tracked)?;
        self.cache.insert(key, result);
        Ok(result)
    }

    /// The near predicates by the solver, the far ones as they are.
    ///
    /// Sound because the block does not change what far predicates speak of: a step from a state of one of the products
    /// ends in what is computed for its near part, with the same far values.
    fn by_parts(
        &mut self,
        around: &mut Around<'_, '_>,
        before: Before<'_>,
        block: BlockId,
        tracked: &[u32],
    ) -> Result<Bdd, Stop> {
        let Neighbourhood {
            near,
            far,
            targets,
            alone,
        } = self.neighbourhood(around, before, block, tracked);
        let most = self.limits.products;
        let products = match far.is_empty() && alone.is_empty() {
            true => None,
            false => around.bdds.products(before.state, &near, &far, most),
        };
        let Some(products) = products else {
            return self.by_cubes(around, before, block, tracked);
        };
        let gone = far.iter().filter(|p| !tracked.contains(p));
        let gone: Vec<u32> = gone.copied().collect();
        let mut result = around.bdds.none();
        for (state, beside) in products {
            let part = Before { state, ..before };
            let part = self.by_cubes(around, part, block, &targets)?;
            let beside = around.bdds.exists(beside, &gone);
            let both = around.bdds.and(part, beside);
            result = around.bdds.or(result, both);
        }
        for p in alone {
            if result == around.bdds.none() {
                break;
            }
            let state = around.bdds.all();
            let part = Before { state, ..before };
            let part = self.post_of(around, part, block, &[p])?;
            result = around.bdds.and(result, part);
        }
        Ok(result)
    }

    /// Cube by cube, if they are few and the block is small: a cube is an easy question, and the cubes of a state are mostly those of states before.
    fn by_cubes(
        &mut self,
        around: &mut Around<'_, '_>,
        before: Before<'_>,
        block: BlockId,
        targets: &[u32],
    ) -> Result<Bdd, Stop> {
        let small = self.blocks.get(&block).is_some_and(|(_, small)| *small);
        let cubes = match small && self.abstraction == Abstraction::Boolean {
            true => around.bdds.cubes(before.state, self.limits.cubes),
            false => None,
        };
        let Some(cubes) = cubes else {
            return self.post_of(around, before, block, targets);
        };
        let mut result = around.bdds.none();
        for state in cubes {
            let part = Before { state, ..before };
            let part = self.post_of(around, part, block, targets)?;
            result = around.bdds.or(result, part);
        }
        Ok(result)
    }

    /// Which predicates of the state and the target are near the block: those that speak of its variables, those of
    /// the target of which the state does not speak, and all that share a variable with these.
    fn neighbourhood(
        &mut self,
        around: &mut Around<'_, '_>,
        before: Before<'_>,
        block: BlockId,
        tracked: &[u32],
    ) -> Neighbourhood {
        let Around {
            pool,
            graph,
            bdds,
            precision,
            ..
        } = around;
        let (of_block, _) = self.blocks.entry(block).or_insert_with(|| {
            let t = transition(graph, block);
            let mut vars: FxHashSet<VarId> = t.modified.iter().chain(&t.dead).copied().collect();
            vars.extend(precision.vars_of(pool, t.formula));
            (vars, pool.dag_size(t.formula) <= TRIPLES.small_block)
        });
        let mut of_block = of_block.clone();
        if before.of_step {
            for &fact in before.facts {
                of_block.extend(precision.vars_of(pool, fact));
            }
        }
        let known = bdds.support(before.state);
        let mut all: Vec<u32> = known.iter().chain(tracked).copied().collect();
        all.sort_unstable();
        all.dedup();
        let mut speakers: FxHashMap<VarId, u32> = FxHashMap::default();
        for &v in all.iter().flat_map(|&p| precision.vars(p)) {
            *speakers.entry(v).or_default() += 1;
        }
        let is_new = |p: u32| known.binary_search(&p).is_err();
        let mut vars = of_block.clone();
        let mut out = Neighbourhood::default();
        let mut left = Vec::new();
        for &p in &all {
            let own = precision.vars(p);
            let shared = |v: &VarId| speakers[v] > 1 || of_block.contains(v);
            if is_new(p) && !own.iter().any(shared) {
                out.alone.push(p);
                continue;
            }
            if is_new(p) {
                vars.extend(own);
            }
            left.push(p);
        }
        loop {
            let before = left.len();
            left.retain(|&p| {
                let own = precision.vars(p);
                let touched = own.iter().any(|v| vars.contains(v)) || own.is_empty();
                if touched {
                    vars.extend(own);
                }
                !touched
            });
            if left.len() == before {
                break;
            }
        }
        let is_far = |p: &u32| left.contains(p);
        out.near = known.iter().copied().filter(|p| !is_far(p)).collect();
        out.targets = tracked.to_vec();
        out.targets.retain(|p| !is_far(p) && !out.alone.contains(p));
        out.far = left;
        out
    }

    /// What some predicates of the target are after `block`, all by the solver.
    fn post_of(
        &mut self,
        around: &mut Around<'_, '_>,
        before: Before<'_>,
        block: BlockId,
        tracked: &[u32],
    ) -> Result<Bdd, Stop> {
        let Around {
            pool,
            graph,
            block_solver,
            bdds,
            precision,
            budget,
        } = around;
        let state = before.state;
        let key = (block, state, tracked.to_vec(), before.stamp, self.limit);
        if let Some(&known) = self.parts.get(&key) {
            self.cache_hits += 1;
            return Ok(known);
        }
        self.computed += 1;
        let t = transition(graph, block);
        let mut carried = Vec::new();
        let mut predicates = Vec::new();
        for &p in tracked {
            let among = |set: &[VarId]| {
                let vars = precision.vars(p);
                vars.iter().any(|v| set.binary_search(v).is_ok())
            };
            // What speaks of a variable that the block leaves without a value is unknown anyway.
            if among(&t.dead) {
                continue;
            }
            // Sound because the block does not change what the predicate speaks of.
            match bdds.value(state, p) {
                Some(value) if !among(&t.modified) => carried.push((p, value)),
                _ => predicates.push(p),
            }
        }
        let terms: Vec<TermId> = predicates
            .iter()
            .map(|&p| precision.terms[p as usize])
            .collect();
        let known = bdds.term(pool, &precision.terms, state);
        let mut pre = pool.conjuncts(known);
        pre.extend_from_slice(before.facts);
        let (solver, to_post) = block_solver.solver_of(pool, &pre, &terms, block);
        let after = predicates
            .iter()
            .zip(terms)
            .map(|(&p, t)| (p, to_post.apply(pool, t)))
            .collect();
        let mut question = Question {
            pool,
            solver,
            pre,
            budget,
            memo: &mut self.memo,
            calls: 0,
        };
        let result = match question.values(after)? {
            None => bdds.none(),
            Some(Values { fixed, open }) => {
                carried.extend(fixed);
                let mut result = bdds.cube(&carried);
                if self.abstraction == Abstraction::Boolean && open.len() > 1 {
                    match question.valuations(&open, self.limit)? {
                        Valuations::All(cubes) => {
                            let mut sum = bdds.none();
                            for cube in cubes {
                                let cube = bdds.cube(&cube);
                                sum = bdds.or(sum, cube);
                            }
                            result = bdds.and(result, sum);
                        }
                        Valuations::TooMany => self.cut_off = true,
                        Valuations::GaveUp => {}
                    }
                }
                result
            }
        };
        self.solver_calls += question.calls;
        self.parts.insert(key, result);
        Ok(result)
    }
}

/// The predicates with one possible value, and the others with their formulas after the block.
struct Values {
    fixed: Vec<(u32, bool)>,
    open: Vec<(u32, TermId)>,
}

enum Valuations {
    All(Vec<Vec<(u32, bool)>>),
    TooMany,
    GaveUp,
}

/// A block with its pre-condition, on the block's solver.
struct Question<'a> {
    pool: &'a mut Pool,
    solver: &'a mut dyn smt::SmtSolver,
    pre: Vec<TermId>,
    budget: &'a Budget,
    memo: &'a mut Memo,
    calls: u64,
}

impl Question<'_> {
    fn check(&mut self, extra: Option<TermId>) -> Result<Answer, Stop> {
        let mut assumptions = self.pre.clone();
        assumptions.extend(extra);
        self.calls += 1;
        match self.solver.check(self.pool, &assumptions, self.budget) {
            Answer::Unknown(Unknown::Budget(stop)) => Err(stop),
            answer => Ok(answer),
        }
    }

    fn truth(&mut self, terms: &[(u32, TermId)]) -> Vec<bool> {
        let model = self.solver.model(self.pool);
        self.memo.clear();
        terms
            .iter()
            .map(|&(_, t)| self.memo.eval(self.pool, &model, t) == Value::Bool(true))
            .collect()
    }

    /// Decides each predicate alone; `None` if the block cannot be taken.
    fn values(&mut self, predicates: Vec<(u32, TermId)>) -> Result<Option<Values>, Stop> {
        let mut fixed = Vec::new();
        let mut open = Vec::new();
        match self.check(None)? {
            Answer::Unsat => return Ok(None),
            Answer::Unknown(_) => {
                return Ok(Some(Values {
                    fixed,
                    open: Vec::new(),
                }));
            }
            Answer::Sat => {}
        }
        let first = self.truth(&predicates);
        let mut both = vec![false; predicates.len()];
        for (i, &(p, t)) in predicates.iter().enumerate() {
            if !both[i] {
                let other = if first[i] { self.pool.not(t) } else { t };
                match self.check(Some(other))? {
                    Answer::Unsat => {
                        fixed.push((p, first[i]));
                        continue;
                    }
                    Answer::Unknown(_) => {}
                    Answer::Sat => {
                        let now = self.truth(&predicates);
                        for (seen, (a, b)) in both.iter_mut().zip(now.iter().zip(&first)) {
                            *seen |= a != b;
                        }
                    }
                }
            }
            open.push((p, t));
        }
        Ok(Some(Values { fixed, open }))
    }

    /// All valuations of the predicates that occur.
    fn valuations(&mut self, open: &[(u32, TermId)], limit: usize) -> Result<Valuations, Stop> {
        self.solver.push();
        let result = self.enumerate(open, limit);
        self.solver.pop();
        result
    }

    fn enumerate(&mut self, open: &[(u32, TermId)], limit: usize) -> Result<Valuations, Stop> {
        let mut cubes: Vec<Vec<(u32, bool)>> = Vec::new();
        loop {
            match self.check(None)? {
                Answer::Unsat => return Ok(Valuations::All(cubes)),
                Answer::Unknown(_) => return Ok(Valuations::GaveUp),
                Answer::Sat => {}
            }
            let truth = self.truth(open);
            let cube: Vec<(u32, bool)> = open.iter().map(|o| o.0).zip(truth).collect();
            if cubes.last() == Some(&cube) {
                return Ok(Valuations::GaveUp);
            }
            if cubes.len() >= limit {
                return Ok(Valuations::TooMany);
            }
            let mut clause = Vec::with_capacity(open.len());
            for (&(_, t), &(_, value)) in open.iter().zip(&cube) {
                clause.push(if value { self.pool.not(t) } else { t });
            }
            let clause = self.pool.or(&clause);
            self.solver.assert(self.pool, clause);
            cubes.push(cube);
        }
    }
}
