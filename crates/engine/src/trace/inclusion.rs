//! Hoare₁: is every trace of a function automaton accepted by some interpolant automaton?
//!
//! Terms. The facts found so far at each location are the states of one *generalised* interpolant
//! automaton, the union of those of all traces, with every edge `{I} st {J}` that holds. A state of
//! its determinisation is a location with the set of facts that hold there. Inclusion is decided on
//! the fly: breadth first from the entry, until a trace ends outside the post-condition.
//!
//! *Antichain*: fewer facts mean more traces. A state is not looked at when one with a subset of its
//! facts was.
//!
//! Edges are those of `posts.rs`.

use super::context::Depth;
use super::posts::SetId;
use super::{Halt, Search};
use base::Stop;
use logic::TermId;
use program::{BlockId, FuncId, LocId};
use std::collections::{BTreeMap, VecDeque};

/// The outcome of an inclusion check.
pub enum Inclusion {
    Holds(Proven),
    /// A trace that no automaton accepts, as letters.
    Trace(Vec<BlockId>),
}

/// `{requires} f {ensures}`, with an assertion for every location in between.
#[derive(Clone, Debug)]
pub struct Proven {
    /// Over the parameters at entry.
    pub requires: TermId,
    /// Over the variables at the exit of the automaton.
    pub ensures: TermId,
    pub assertions: BTreeMap<LocId, TermId>,
    /// A few traces to the exit.
    pub traces: Vec<Vec<BlockId>>,
}

/// A location with the facts that hold there; how it was reached.
struct State {
    loc: LocId,
    facts: SetId,
    from: Option<(usize, BlockId)>,
}

impl Search<'_, '_> {
    /// Do all traces of `f` from `entry` (facts over its parameters) end in `good`?
    pub(super) fn include(
        &mut self,
        f: FuncId,
        entry: &[TermId],
        good: TermId,
        depth: Depth,
    ) -> Result<Inclusion, Halt> {
        let exit = self.automata.exit_of(f);
        let mut states = vec![State {
            loc: self.automata.entry_of(f),
            facts: self.posts.set(entry.to_vec()),
            from: None,
        }];
        let mut antichain: BTreeMap<LocId, Vec<usize>> = BTreeMap::new();
        let mut exits: Vec<(usize, BlockId)> = Vec::new();
        let mut queue: VecDeque<usize> = VecDeque::from([0]);
        while let Some(at) = queue.pop_front() {
            self.budget().check()?;
            let loc = states[at].loc;
            // A weaker state may have come meanwhile.
            if at > 0 && !antichain.get(&loc).is_some_and(|a| a.contains(&at)) {
                continue;
            }
            for block in self.automata.graph.out[loc].clone() {
                let to = self.automata.graph.blocks[block].to;
                if to == exit {
                    if !self.ends_in(states[at].facts, block, good, depth)? {
                        return Ok(Inclusion::Trace(trace(&states, at, block)));
                    }
                    exits.push((at, block));
                    continue;
                }
                let facts = self.post(states[at].facts, block, depth)?;
                let sets = &self.posts;
                if sets.facts(facts) == [self.task.pool.ff()] {
                    continue;
                }
                let here = antichain.entry(to).or_default();
                let of = |s: usize| states[s].facts;
                if here.iter().any(|&s| sets.is_subset(of(s), facts)) {
                    continue;
                }
                here.retain(|&s| !sets.is_subset(facts, of(s)));
                here.push(states.len());
                queue.push_back(states.len());
                states.push(State {
                    loc: to,
                    facts,
                    from: Some((at, block)),
                });
                if states.len() > self.task.options.limits.trace.states {
                    return Err(Halt::Stuck(
                        "too many states of interpolant automata".into(),
                    ));
                }
            }
        }
        self.max_states = self.max_states.max(states.len() as u64);
        let kept = |at: usize| at == 0 || antichain.values().any(|a| a.contains(&at));
        exits.retain(|&(at, _)| kept(at));
        let ensures = self.ensures(&states, &exits, good, depth)?;
        let pool = &mut *self.task.pool;
        let mut assertions = BTreeMap::new();
        for (&loc, here) in &antichain {
            let facts = here.iter().map(|&s| self.posts.facts(states[s].facts));
            let sets: Vec<TermId> = facts.map(|facts| pool.and(facts)).collect();
            assertions.insert(loc, pool.or(&sets));
        }
        Ok(Inclusion::Holds(Proven {
            requires: pool.and(entry),
            ensures,
            assertions,
            traces: exits
                .iter()
                .take(self.task.options.limits.trace.generalised_traces)
                .map(|&(at, block)| trace(&states, at, block))
                .collect(),
        }))
    }

    /// The post-condition that the facts at the exit give: what all traces share, and the
    /// alternatives (Theorem 5).
    fn ensures(
        &mut self,
        states: &[State],
        exits: &[(usize, BlockId)],
        good: TermId,
        depth: Depth,
    ) -> Result<TermId, Stop> {
        let mut sets: Vec<Vec<TermId>> = Vec::new();
        for &(at, block) in exits {
            let set = self.post(states[at].facts, block, depth)?;
            let set = self.posts.facts(set);
            if !set.contains(&self.task.pool.ff()) {
                sets.push(set.to_vec());
            }
        }
        let pool = &mut *self.task.pool;
        let Some(first) = sets.first() else {
            return Ok(pool.ff());
        };
        let mut shared: Vec<TermId> = first.clone();
        shared.retain(|t| sets.iter().all(|s| s.contains(t)));
        for set in &mut sets {
            set.retain(|t| !shared.contains(t));
        }
        let alternatives: Vec<TermId> = sets.iter().map(|s| pool.and(s)).collect();
        shared.push(pool.or(&alternatives));
        let facts = pool.and(&shared);
        // The query itself reads badly; the facts mostly say more.
        let budget = self.budget();
        if self
            .block_solver
            .implies(self.task.pool, facts, good, budget)?
        {
            return Ok(facts);
        }
        Ok(self.task.pool.and2(facts, good))
    }
}

/// The letters on the way to a state, and one more.
fn trace(states: &[State], mut at: usize, last: BlockId) -> Vec<BlockId> {
    let mut out = vec![last];
    while let Some((before, block)) = states[at].from {
        out.push(block);
        at = before;
    }
    out.reverse();
    out
}
