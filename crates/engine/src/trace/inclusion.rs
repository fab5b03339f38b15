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
//! An edge from a set of facts is decided for their conjunction, which is at least the union of the
//! edges from each (Cartesian post). Sound because every edge is a Hoare triple under the context.

use super::context::Depth;
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
    facts: Vec<TermId>,
    from: Option<(usize, BlockId)>,
}

/// The facts known to hold after a letter from a set of facts, of the first so many at its end.
#[derive(Default)]
pub struct Post {
    /// Whether the letter can be taken at all was asked.
    asked: bool,
    looked_at: usize,
    context: Vec<TermId>,
    holds: Vec<TermId>,
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
            facts: entry.to_vec(),
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
                    if !self.ends_in(&states[at].facts, block, good, depth)? {
                        return Ok(Inclusion::Trace(trace(&states, at, block)));
                    }
                    exits.push((at, block));
                    continue;
                }
                let facts = self.post(&states[at].facts, block, depth)?;
                if facts.contains(&self.task.pool.ff()) {
                    continue;
                }
                let here = antichain.entry(to).or_default();
                if here.iter().any(|&s| is_subset(&states[s].facts, &facts)) {
                    continue;
                }
                here.retain(|&s| !is_subset(&facts, &states[s].facts));
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
            let sets: Vec<TermId> = here.iter().map(|&s| pool.and(&states[s].facts)).collect();
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

    /// `{facts} block {good}` under the context.
    pub(super) fn ends_in(
        &mut self,
        facts: &[TermId],
        block: BlockId,
        good: TermId,
        depth: Depth,
    ) -> Result<bool, Stop> {
        let pre = self.assumptions(facts, block, depth);
        let budget = self.budget();
        let triple = self
            .block_solver
            .triple(self.task.pool, &pre, block, good, budget)?;
        Ok(triple.holds())
    }

    /// What is known before a letter: facts, invariants, and what its calls do.
    fn assumptions(&mut self, facts: &[TermId], block: BlockId, depth: Depth) -> Vec<TermId> {
        let mut pre = facts.to_vec();
        let from = self.automata.graph.blocks[block].from;
        pre.extend(self.invariants.at(from));
        pre.extend(
            self.context
                .at_block(self.task.pool, self.automata, block, depth),
        );
        pre
    }

    /// The facts at the end of a letter that hold after it, sorted; only `false` if it cannot be
    /// taken.
    pub(super) fn post(
        &mut self,
        facts: &[TermId],
        block: BlockId,
        depth: Depth,
    ) -> Result<Vec<TermId>, Stop> {
        let to = self.automata.graph.blocks[block].to;
        let pre = self.assumptions(facts, block, depth);
        let all: Vec<TermId> = self.facts.get(&to).cloned().unwrap_or_default();
        let ff = self.task.pool.ff();
        let key = (block, facts.to_vec(), depth);
        let mut known = self.posts.remove(&key).unwrap_or_default();
        if known.context != pre {
            // Sound because the context only grows: what held still does.
            known.context = pre.clone();
            known.looked_at = 0;
            known.asked = false;
        }
        let budget = self.budget();
        if !known.asked && !known.holds.contains(&ff) {
            known.asked = true;
            let feasible = self
                .block_solver
                .feasible(self.task.pool, &pre, block, budget)?;
            if !feasible {
                known.holds = vec![ff];
            }
        }
        if !known.holds.contains(&ff) {
            let candidates: Vec<TermId> = all[known.looked_at..]
                .iter()
                .copied()
                .filter(|c| !known.holds.contains(c))
                .collect();
            let failing =
                self.block_solver
                    .failing(self.task.pool, &pre, block, &candidates, budget)?;
            let holding = candidates.iter().filter(|c| !failing.contains(c));
            known.holds.extend(holding);
            known.holds.sort_unstable();
        }
        known.looked_at = all.len();
        let out = known.holds.clone();
        self.posts.insert(key, known);
        Ok(out)
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
            let set = self.post(&states[at].facts, block, depth)?;
            if !set.contains(&self.task.pool.ff()) {
                sets.push(set);
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

/// Both sorted.
fn is_subset(small: &[TermId], large: &[TermId]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|s| rest.any(|l| l == s))
}
