//! The edges of the interpolant automata: which facts at the end of a letter hold after it, from a set of facts before it.
//!
//! An edge from a set of facts is decided for their conjunction, which is at least the union of the
//! edges from each (Cartesian post). Sound because every edge is a Hoare triple under the context.
//!
//! Inclusion is decided anew after every trace, and most edges are as they were: sets of facts have ids, and an edge is
//! remembered together with how much was known then. Below that, each fact is asked for from the facts that can
//! matter to it (`nearby.rs`).

use super::Search;
use super::context::Depth;
use base::{FxHashMap, IndexVec, Stop, new_id};
use logic::TermId;
use program::BlockId;
use std::collections::BTreeMap;

new_id!(
    /// A set of facts.
    pub SetId, "s");

/// How much was known when something was decided: summaries, invariants before the letter, facts after it.
type Stamp = (u64, usize, usize);

/// What is known of a letter from a set of facts.
#[derive(Default)]
struct Known {
    /// Whether the letter can be taken, if that was asked.
    feasible: Option<bool>,
    context: Vec<TermId>,
    /// Facts at its end, and whether they hold.
    decided: FxHashMap<TermId, bool>,
}

/// Edges that were decided.
#[derive(Default)]
pub struct Posts {
    sets: IndexVec<SetId, Vec<TermId>>,
    ids: FxHashMap<Vec<TermId>, SetId>,
    /// By letter, facts before it, and call depth: what calls do at one depth they need not do at another.
    edges: FxHashMap<(BlockId, SetId, Depth), (Stamp, SetId)>,
    ends: FxHashMap<(BlockId, SetId, Depth, TermId), (Stamp, bool)>,
    /// The same, by the facts that matter.
    known: FxHashMap<(BlockId, Vec<TermId>, Depth), Known>,
}

impl Posts {
    /// The id of a set; its order is kept.
    pub fn set(&mut self, facts: Vec<TermId>) -> SetId {
        if let Some(&id) = self.ids.get(&facts) {
            return id;
        }
        let id = self.sets.push(facts.clone());
        self.ids.insert(facts, id);
        id
    }

    pub fn facts(&self, set: SetId) -> &[TermId] {
        &self.sets[set]
    }

    /// Of sets that are sorted.
    pub fn is_subset(&self, small: SetId, large: SetId) -> bool {
        let mut rest = self.sets[large].iter();
        small == large || self.sets[small].iter().all(|s| rest.any(|l| l == s))
    }
}

impl Search<'_, '_> {
    fn stamp(&self, block: BlockId) -> Stamp {
        let summaries = match self.automata.sites[block].is_empty() {
            true => 0,
            false => self.context.version,
        };
        let block = &self.automata.graph.blocks[block];
        let after = self.facts.get(&block.to).map_or(0, Vec::len);
        let before = self.invariants.at(block.from).len();
        (summaries, before, after)
    }

    /// `{facts} block {good}` under the context.
    pub(super) fn ends_in(
        &mut self,
        set: SetId,
        block: BlockId,
        good: TermId,
        depth: Depth,
    ) -> Result<bool, Stop> {
        let (key, stamp) = ((block, set, depth, good), self.stamp(block));
        if let Some(&(then, ends)) = self.posts.ends.get(&key)
            && (ends || then == stamp)
        {
            // Sound because the context only grows: what held still does.
            return Ok(ends);
        }
        let facts = self.posts.facts(set).to_vec();
        let near = self.nearby(&facts, block);
        let mut matter = self.near_to(&near, good);
        for fact in near.to_letter() {
            if !matter.contains(&fact) {
                matter.push(fact);
            }
        }
        let pre = self.assumptions(&matter, block, depth);
        let budget = self.budget();
        let triple = self
            .block_solver
            .triple(self.task.pool, &pre, block, good, budget)?;
        self.posts.ends.insert(key, (stamp, triple.holds()));
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
    pub(super) fn post(&mut self, set: SetId, block: BlockId, depth: Depth) -> Result<SetId, Stop> {
        let (key, stamp) = ((block, set, depth), self.stamp(block));
        if let Some(&(then, after)) = self.posts.edges.get(&key)
            && then == stamp
        {
            return Ok(after);
        }
        let before = self.posts.facts(set).to_vec();
        let after = self.post_of(&before, block, depth)?;
        let after = self.posts.set(after);
        self.posts.edges.insert(key, (stamp, after));
        Ok(after)
    }

    fn post_of(
        &mut self,
        facts: &[TermId],
        block: BlockId,
        depth: Depth,
    ) -> Result<Vec<TermId>, Stop> {
        let near = self.nearby(facts, block);
        if !self.can_be_taken(near.to_letter(), block, depth)? {
            return Ok(vec![self.task.pool.ff()]);
        }
        let to = self.automata.graph.blocks[block].to;
        let all: Vec<TermId> = self.facts.get(&to).cloned().unwrap_or_default();
        let mut out = Vec::new();
        let mut asked: BTreeMap<Vec<TermId>, Vec<TermId>> = BTreeMap::new();
        for fact in all {
            if facts.contains(&fact) && self.leaves_alone(block, fact) {
                out.push(fact);
            } else {
                let before = self.near_to(&near, fact);
                asked.entry(before).or_default().push(fact);
            }
        }
        for (before, candidates) in asked {
            out.extend(self.holding(before, block, depth, candidates)?);
        }
        out.sort_unstable();
        Ok(out)
    }

    /// What is known of a letter from these facts under the context of today, and all that is assumed before it.
    fn known_of(
        &mut self,
        before: Vec<TermId>,
        block: BlockId,
        depth: Depth,
    ) -> (Vec<TermId>, &mut Known) {
        let pre = self.assumptions(&before, block, depth);
        let known = self.posts.known.entry((block, before, depth)).or_default();
        if known.context != pre {
            // Sound because the context only grows: what held still does.
            known.context.clone_from(&pre);
            known.decided.retain(|_, holds| *holds);
            known.feasible = known.feasible.filter(|feasible| !feasible);
        }
        (pre, known)
    }

    fn can_be_taken(
        &mut self,
        before: Vec<TermId>,
        block: BlockId,
        depth: Depth,
    ) -> Result<bool, Stop> {
        let (pre, known) = self.known_of(before.clone(), block, depth);
        if let Some(feasible) = known.feasible {
            return Ok(feasible);
        }
        let budget = self.budget();
        let feasible = self
            .block_solver
            .feasible(self.task.pool, &pre, block, budget)?;
        self.known_of(before, block, depth).1.feasible = Some(feasible);
        Ok(feasible)
    }

    /// Those of the candidates that hold after the letter.
    fn holding(
        &mut self,
        before: Vec<TermId>,
        block: BlockId,
        depth: Depth,
        candidates: Vec<TermId>,
    ) -> Result<Vec<TermId>, Stop> {
        let (pre, known) = self.known_of(before.clone(), block, depth);
        let is_new = |c: &TermId| !known.decided.contains_key(c);
        let new: Vec<TermId> = candidates.iter().copied().filter(is_new).collect();
        if !new.is_empty() {
            let budget = self.budget();
            let failing = self
                .block_solver
                .failing(self.task.pool, &pre, block, &new, budget)?;
            let known = self.known_of(before.clone(), block, depth).1;
            let new = new.into_iter().map(|c| (c, !failing.contains(&c)));
            known.decided.extend(new);
        }
        let known = self.known_of(before, block, depth).1;
        let holds = |c: &TermId| known.decided.get(c).copied().unwrap_or(false);
        Ok(candidates.into_iter().filter(holds).collect())
    }
}
