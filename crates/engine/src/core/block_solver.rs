//! Hoare triples over blocks: does every state of `pre` end in `post` after the block?
//!
//! One incremental solver a block holds the block's formula; pre-conditions and the negated
//! post-condition come as assumptions, so that nothing is translated twice. Answers are cached by
//! (block, pre, post): the key holds everything the answer depends on, so entries never go stale.
//! A solver that gives up counts as "does not hold", the safe side for every caller.
//!
//! Facts before a block that hold "for any k" (`program::any_term`) are used at the places where the
//! block reads and writes arrays: instances that a model breaks join the assumptions.
//!
//! Variable ranges are invariants by definition of the program model, so each solver asserts the
//! range of every variable it meets.

use base::{Budget, FxHashMap, FxHashSet, Stop};
use logic::{
    Instance, Memo, Model, Op, Pool, Substitution, TermId, array_indices, instances,
    neighbour_instances,
};
use program::{BlockGraph, BlockId, MOST_ANY, Program, VarId, any_term, primed};
use smt::{Answer, SmtSolver, Solvers, Unknown};

use crate::core::path::{transition, vars_by_term};
use crate::limits::TRIPLES;

/// A solver that knows the ranges of the variables it has met.
struct RangedSolver {
    solver: Box<dyn SmtSolver>,
    seen: FxHashSet<TermId>,
    /// How often it was made ready for a question.
    questions: usize,
    /// Terms of what it always knows.
    terms: usize,
}

/// Cached Hoare-triple and implication checks over one block graph.
pub struct BlockSolver<'p> {
    program: &'p Program,
    graph: &'p BlockGraph,
    solvers: Solvers,
    var_of: FxHashMap<TermId, VarId>,
    blocks: FxHashMap<BlockId, (RangedSolver, Substitution)>,
    states: RangedSolver,
    triples: FxHashMap<(BlockId, Vec<TermId>, TermId), Triple>,
    /// Where the blocks read and write arrays.
    indices: FxHashMap<BlockId, Vec<TermId>>,
    /// Instances of general facts that were of use in a block.
    useful: FxHashMap<BlockId, Vec<Instance>>,
    /// Does a fact hold "for any k"?
    general: FxHashMap<TermId, bool>,
    implications: FxHashMap<(TermId, TermId), bool>,
    /// States of the formula that was last found not to imply others.
    outside: (Option<TermId>, Vec<Model>),
    /// For evaluation: kept, as its table is as large as the pool.
    memo: Memo,
    pub solver_calls: u64,
    pub cache_hits: u64,
}

/// The answer to a triple query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Triple {
    Holds,
    Fails,
}

/// Instances of general facts within one question.
#[derive(Default)]
struct General {
    any: FxHashSet<TermId>,
    facts: Vec<TermId>,
    indices: Vec<TermId>,
    round: u32,
    /// Those of the first round.
    first: Vec<Instance>,
    /// Made and not used.
    left: Vec<Instance>,
    used: Vec<Instance>,
}

impl General {
    /// Adds instances that the model breaks; says whether there were any.
    fn take_broken(&mut self, pool: &Pool, model: &Model, assumptions: &mut Vec<TermId>) -> bool {
        let mut memo = Memo::new();
        let mut added = 0;
        let used = &mut self.used;
        self.left.retain(|&instance| {
            // Where compared arrays differ, models do not say.
            let opaque =
                |t: &TermId| matches!(pool.op(*t), Op::App(_)) && !pool.args(*t).is_empty();
            let broken = added < TRIPLES.instances_a_round
                && (!memo.holds(pool, model, instance.fact)
                    || pool.post_order(&[instance.fact]).iter().any(opaque));
            if broken {
                added += 1;
                assumptions.push(instance.fact);
                used.push(instance);
            }
            !broken
        });
        added > 0
    }
}

/// Can a block lead from some states to some others?
#[derive(Clone, Debug)]
pub enum BlockFeasibility {
    /// No: these conjuncts before and these after exclude each other.
    Infeasible { pre: Vec<TermId>, post: Vec<TermId> },
    /// As far as the solver can say; with the step if it found one.
    Feasible(Option<Model>),
}

impl Triple {
    pub fn holds(&self) -> bool {
        *self == Triple::Holds
    }
}

impl RangedSolver {
    fn new(solvers: &Solvers) -> Self {
        RangedSolver {
            solver: solvers.solver(),
            seen: FxHashSet::default(),
            questions: 0,
            terms: 0,
        }
    }

    /// Is it cheaper to begin anew than to go on with all that past questions left behind?
    fn is_worn(&self) -> bool {
        self.terms <= TRIPLES.small_block && self.questions >= TRIPLES.questions
    }

    /// Asserts the ranges of the variables of `terms` not met before.
    fn meet(
        &mut self,
        pool: &mut Pool,
        program: &Program,
        var_of: &FxHashMap<TermId, VarId>,
        terms: &[TermId],
    ) {
        for t in pool.post_order(terms) {
            let Some(&v) = var_of.get(&t) else { continue };
            if !self.seen.insert(t) {
                continue;
            }
            if let Some((low, high)) = &program.vars[v].range {
                let range = pool.in_range(low, t, high);
                self.solver.assert(pool, range);
            }
        }
    }
}

impl<'p> BlockSolver<'p> {
    pub fn new(program: &'p Program, graph: &'p BlockGraph) -> Self {
        BlockSolver {
            program,
            graph,
            solvers: Solvers::native(),
            var_of: vars_by_term(program),
            blocks: FxHashMap::default(),
            states: RangedSolver::new(&Solvers::native()),
            triples: FxHashMap::default(),
            indices: FxHashMap::default(),
            useful: FxHashMap::default(),
            general: FxHashMap::default(),
            implications: FxHashMap::default(),
            outside: (None, Vec::new()),
            memo: Memo::new(),
            solver_calls: 0,
            cache_hits: 0,
        }
    }

    /// Has these solvers decide, instead of native ones.
    pub fn using(mut self, solvers: &Solvers) -> Self {
        self.states = RangedSolver::new(solvers);
        self.solvers = solvers.clone();
        self
    }

    /// `{ /\ pre } block { post }`; `pre` is conjuncts over program variables.
    pub fn triple(
        &mut self,
        pool: &mut Pool,
        pre: &[TermId],
        block: BlockId,
        post: TermId,
        budget: &Budget,
    ) -> Result<Triple, Stop> {
        if post == pool.tt() || pre.contains(&pool.ff()) {
            return Ok(Triple::Holds);
        }
        let key = (block, pre.to_vec(), post);
        if let Some(t) = self.triples.get(&key) {
            self.cache_hits += 1;
            return Ok(*t);
        }
        self.ranged(pool, pre, &[post], block);
        let (_, to_post) = self.blocks.get_mut(&block).expect("made by ranged");
        let after = to_post.apply(pool, post);
        let negated = pool.not(after);
        let mut assumptions = pre.to_vec();
        assumptions.push(negated);
        let answer = match self.ask(pool, pre, block, &mut assumptions, budget)?.0 {
            Answer::Unsat => Triple::Holds,
            _ => Triple::Fails,
        };
        self.triples.insert(key, answer);
        Ok(answer)
    }

    /// Asks the block's solver; general facts of `pre` are used where models break them: which is
    /// said with the answer. Never answers that the budget is over.
    fn ask(
        &mut self,
        pool: &mut Pool,
        pre: &[TermId],
        block: BlockId,
        assumptions: &mut Vec<TermId>,
        budget: &Budget,
    ) -> Result<(Answer, Vec<Instance>), Stop> {
        let mut general = General::default();
        let facts: FxHashSet<TermId> = pre.iter().copied().collect();
        for &instance in self.useful.get(&block).into_iter().flatten() {
            if facts.contains(&instance.of) && !assumptions.contains(&instance.fact) {
                assumptions.push(instance.fact);
                general.used.push(instance);
            }
        }
        loop {
            let (ranged, _) = self.blocks.get_mut(&block).expect("made by ranged");
            self.solver_calls += 1;
            let answer = ranged.solver.check(pool, assumptions, budget);
            match answer {
                Answer::Unknown(Unknown::Budget(stop)) => return Err(stop),
                Answer::Sat => {}
                Answer::Unsat => {
                    self.note_useful(block, &general.used);
                    return Ok((answer, general.used));
                }
                _ => return Ok((answer, general.used)),
            }
            let model = ranged.solver.model(pool);
            loop {
                if general.take_broken(pool, &model, assumptions) {
                    break;
                }
                if !self.next_round(pool, pre, block, assumptions, &mut general) {
                    return Ok((answer, general.used));
                }
            }
        }
    }

    /// Remembers the instances of the last refutation.
    fn note_useful(&mut self, block: BlockId, used: &[Instance]) {
        if used.is_empty() {
            return;
        }
        let (ranged, _) = self.blocks.get_mut(&block).expect("made by ranged");
        let core: FxHashSet<TermId> = ranged.solver.core().iter().copied().collect();
        let useful = self.useful.entry(block).or_default();
        for instance in used.iter().filter(|i| core.contains(&i.fact)) {
            if useful.len() < TRIPLES.useful_instances && !useful.contains(instance) {
                useful.push(*instance);
            }
        }
    }

    /// Makes more instances of the general facts of `pre`: at the array accesses of the block and of
    /// `around`, then at the neighbours of those. False if there are no more rounds.
    fn next_round(
        &mut self,
        pool: &mut Pool,
        pre: &[TermId],
        block: BlockId,
        around: &[TermId],
        general: &mut General,
    ) -> bool {
        general.round += 1;
        match general.round {
            1 => {
                general.any = (0..MOST_ANY).map(|n| any_term(pool, n)).collect();
                general.facts = self.general_facts(pool, pre, &general.any);
                if general.facts.is_empty() {
                    return false;
                }
                general.indices = self.indices(pool, block, around);
                let (facts, any) = (&general.facts, &general.any);
                general.left = instances(pool, facts, any, &general.indices);
                general.first = general.left.clone();
                true
            }
            2 => {
                let (facts, any) = (&general.facts, &general.any);
                let near = &general.first;
                general.left = neighbour_instances(pool, facts, any, &general.indices, near);
                !general.left.is_empty()
            }
            _ => false,
        }
    }

    /// Those of the facts that hold "for any k".
    fn general_facts(
        &mut self,
        pool: &Pool,
        pre: &[TermId],
        any: &FxHashSet<TermId>,
    ) -> Vec<TermId> {
        let mut facts = Vec::new();
        for &fact in pre {
            let general = self.general.entry(fact).or_insert_with(|| {
                let order = pool.post_order(&[fact]);
                order.iter().any(|t| any.contains(t))
            });
            if *general {
                facts.push(fact);
            }
        }
        facts
    }

    /// Where the block and the formulas around it access arrays.
    fn indices(&mut self, pool: &mut Pool, block: BlockId, around: &[TermId]) -> Vec<TermId> {
        let formula = transition(self.graph, block).formula;
        let own = self
            .indices
            .entry(block)
            .or_insert_with(|| array_indices(pool, &[formula]));
        let mut indices = own.clone();
        for index in array_indices(pool, around) {
            if !indices.contains(&index) {
                indices.push(index);
            }
        }
        indices
    }

    /// Makes the block's solver ready for these pre- and post-conditions.
    fn ranged(&mut self, pool: &mut Pool, pre: &[TermId], posts: &[TermId], block: BlockId) {
        let t = transition(self.graph, block);
        let program = self.program;
        if self.blocks.get(&block).is_some_and(|(r, _)| r.is_worn()) {
            self.blocks.remove(&block);
        }
        let (ranged, _) = self.blocks.entry(block).or_insert_with(|| {
            let mut ranged = RangedSolver::new(&self.solvers);
            ranged.solver.assert(pool, t.formula);
            ranged.terms = pool.dag_size(t.formula);
            let mut pairs: Vec<_> = t
                .modified
                .iter()
                .map(|&v| (program.vars[v].term, primed(pool, program, v)))
                .collect();
            // The block writes these but does not say what: nothing is known of them after it.
            for &v in &t.dead {
                let var = &program.vars[v];
                let unknown = pool.constant(&format!("{}!dead", var.name), var.sort);
                pairs.push((var.term, unknown));
            }
            (ranged, Substitution::new(pairs))
        });
        ranged.questions += 1;
        ranged.meet(pool, program, &self.var_of, pre);
        // The formula itself bounds the post values, so only unmodified variables are new here.
        ranged.meet(pool, program, &self.var_of, posts);
    }

    /// The solver that holds the block's formula and the ranges of what `pre` and `posts` speak of,
    /// and the way from a post-condition to the values after the block. The caller leaves the
    /// solver's scopes as they were.
    pub fn solver_of(
        &mut self,
        pool: &mut Pool,
        pre: &[TermId],
        posts: &[TermId],
        block: BlockId,
    ) -> (&mut dyn smt::SmtSolver, &mut Substitution) {
        self.ranged(pool, pre, posts, block);
        let (ranged, to_post) = self.blocks.get_mut(&block).expect("made by ranged");
        (&mut *ranged.solver, to_post)
    }

    /// Those of `posts` that fail after the block from `pre`. Models show several failures at once.
    pub fn failing(
        &mut self,
        pool: &mut Pool,
        pre: &[TermId],
        block: BlockId,
        posts: &[TermId],
        budget: &Budget,
    ) -> Result<Vec<TermId>, Stop> {
        let mut left: Vec<(TermId, TermId)> = Vec::new();
        if posts.is_empty() {
            return Ok(Vec::new());
        }
        self.ranged(pool, pre, posts, block);
        let (_, to_post) = self.blocks.get_mut(&block).expect("made by ranged");
        for &p in posts {
            left.push((p, to_post.apply(pool, p)));
        }
        let mut failing = Vec::new();
        let mut memo = Memo::new();
        let mut unknowns = 0;
        let mut used: Vec<TermId> = Vec::new();
        let mut groups = vec![left];
        while let Some(mut left) = groups.pop() {
            let all: Vec<TermId> = left.iter().map(|&(_, after)| after).collect();
            let all = pool.and(&all);
            let mut assumptions = pre.to_vec();
            assumptions.extend(&used);
            assumptions.push(pool.not(all));
            let given = assumptions.len();
            let (answer, _) = self.ask(pool, pre, block, &mut assumptions, budget)?;
            used.extend_from_slice(&assumptions[given..]);
            match answer {
                Answer::Unsat => {}
                // One hard goal should not take the others with it.
                Answer::Unknown(_) if left.len() > 1 && unknowns < TRIPLES.halvings => {
                    unknowns += 1;
                    let half = left.split_off(left.len() / 2);
                    groups.push(half);
                    groups.push(left);
                }
                Answer::Unknown(_) => failing.extend(left.drain(..).map(|(p, _)| p)),
                Answer::Sat => {
                    let (ranged, _) = self.blocks.get_mut(&block).expect("made by ranged");
                    let model = ranged.solver.model(pool);
                    let before = left.len();
                    memo.clear();
                    left.retain(|&(p, after)| {
                        let holds = memo.holds(pool, &model, after);
                        if !holds {
                            failing.push(p);
                        }
                        holds
                    });
                    // Sound either way; without this a model that shows nothing would loop.
                    if left.len() == before {
                        failing.extend(left.drain(..).map(|(p, _)| p));
                    }
                    if !left.is_empty() {
                        groups.push(left);
                    }
                }
            }
        }
        Ok(failing)
    }

    /// A step of the block from `pre` that ends outside `post`, if the solver finds one.
    pub fn counterexample(
        &mut self,
        pool: &mut Pool,
        pre: &[TermId],
        block: BlockId,
        post: TermId,
        budget: &Budget,
    ) -> Result<Option<Model>, Stop> {
        self.ranged(pool, pre, &[post], block);
        let (_, to_post) = self.blocks.get_mut(&block).expect("made by ranged");
        let after = to_post.apply(pool, post);
        let mut assumptions = pre.to_vec();
        assumptions.push(pool.not(after));
        let (answer, _) = self.ask(pool, pre, block, &mut assumptions, budget)?;
        let (ranged, _) = self.blocks.get_mut(&block).expect("made by ranged");
        Ok((answer == Answer::Sat).then(|| ranged.solver.model(pool)))
    }

    /// Can the block lead from a state of `pre` to one of `post` (conjuncts)? Not cached.
    pub fn step(
        &mut self,
        pool: &mut Pool,
        pre: &[TermId],
        block: BlockId,
        post: &[TermId],
        budget: &Budget,
    ) -> Result<BlockFeasibility, Stop> {
        self.ranged(pool, pre, post, block);
        let (_, to_post) = self.blocks.get_mut(&block).expect("made by ranged");
        let mut assumptions = pre.to_vec();
        assumptions.extend(post.iter().map(|&p| to_post.apply(pool, p)));
        let given = assumptions.clone();
        let (answer, used) = self.ask(pool, pre, block, &mut assumptions, budget)?;
        let (ranged, _) = self.blocks.get_mut(&block).expect("made by ranged");
        match answer {
            Answer::Unsat => {
                let core: FxHashSet<TermId> = ranged.solver.core().iter().copied().collect();
                let (before, after) = given.split_at(pre.len());
                let instance_of = |fact: TermId| {
                    let mut own = used.iter().filter(|i| i.of == fact);
                    own.any(|i| core.contains(&i.fact))
                };
                let needed = |terms: &[TermId], named: &[TermId]| {
                    let pairs = terms.iter().zip(named);
                    pairs
                        .filter(|&(&t, &n)| core.contains(&t) || instance_of(n))
                        .map(|(_, &n)| n)
                        .collect()
                };
                Ok(BlockFeasibility::Infeasible {
                    pre: needed(before, pre),
                    post: needed(after, post),
                })
            }
            Answer::Sat => Ok(BlockFeasibility::Feasible(Some(ranged.solver.model(pool)))),
            Answer::Unknown(_) => Ok(BlockFeasibility::Feasible(None)),
        }
    }

    /// A state formula as it speaks of the values after the block.
    pub fn after(&mut self, pool: &mut Pool, block: BlockId, term: TermId) -> TermId {
        self.ranged(pool, &[], &[], block);
        let (_, to_post) = self.blocks.get_mut(&block).expect("made by ranged");
        to_post.apply(pool, term)
    }

    /// Can the block be taken from a state of `pre` at all? Unknown counts as yes.
    pub fn feasible(
        &mut self,
        pool: &mut Pool,
        pre: &[TermId],
        block: BlockId,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let ff = pool.ff();
        Ok(!self.triple(pool, pre, block, ff, budget)?.holds())
    }

    /// Is every state of `a` a state of `b`?
    pub fn implies(
        &mut self,
        pool: &mut Pool,
        a: TermId,
        b: TermId,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        if a == b || a == pool.ff() || b == pool.tt() {
            return Ok(true);
        }
        if let Some(&r) = self.implications.get(&(a, b)) {
            self.cache_hits += 1;
            return Ok(r);
        }
        let r = match self.known_outside(pool, a, b) {
            true => false,
            false => self.implies_each(pool, a, b, budget)?,
        };
        self.implications.insert((a, b), r);
        Ok(r)
    }

    /// Is a state of `a` known that is none of `b`? Who asks for one `a` mostly asks for many `b`.
    fn known_outside(&mut self, pool: &Pool, a: TermId, b: TermId) -> bool {
        let (of, states) = &self.outside;
        let memo = &mut self.memo;
        let mut outside = |state: &Model| {
            memo.clear();
            !memo.holds(pool, state, b)
        };
        *of == Some(a) && states.iter().any(&mut outside)
    }

    /// Does `a` imply each conjunct of `b`?
    fn implies_each(
        &mut self,
        pool: &mut Pool,
        a: TermId,
        b: TermId,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        if self.states.is_worn() {
            self.states = RangedSolver::new(&self.solvers);
        }
        self.states.questions += 1;
        self.states.meet(pool, self.program, &self.var_of, &[a, b]);
        let strong = pool.conjuncts(a);
        for c in pool.conjuncts(b) {
            if strong.contains(&c) {
                continue;
            }
            let mut assumptions = strong.clone();
            assumptions.push(pool.not(c));
            self.solver_calls += 1;
            match self.states.solver.check(pool, &assumptions, budget) {
                Answer::Unsat => {}
                Answer::Unknown(Unknown::Budget(stop)) => return Err(stop),
                Answer::Unknown(_) => return Ok(false),
                Answer::Sat => {
                    let state = self.states.solver.model(pool);
                    if self.outside.0 != Some(a) {
                        self.outside = (Some(a), Vec::new());
                    }
                    if self.outside.1.len() < TRIPLES.states {
                        self.outside.1.push(state);
                    }
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}
