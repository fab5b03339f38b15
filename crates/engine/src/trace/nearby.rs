//! Which facts can matter to a letter, and to a fact after it: those that share a variable with it, directly or through
//! other facts. A statement speaks of few variables, so the sets of facts before it that differ elsewhere have one answer.
//!
//! Sound because fewer facts before a letter only make triples fail. Nothing is lost either: facts that share no variable with
//! the question could only decide it by contradicting each other, and then the letter that they come from
//! cannot be taken.

use super::Search;
use crate::core::path::transition;
use base::FxHashMap;
use logic::{Pool, TermId};
use program::{BlockId, VarId};
use std::collections::BTreeSet;

/// The variables of facts, looked up once.
#[derive(Default)]
pub struct Spoken {
    vars: FxHashMap<TermId, Vec<VarId>>,
}

impl Spoken {
    fn of(&mut self, pool: &Pool, var_of: &FxHashMap<TermId, VarId>, fact: TermId) -> &[VarId] {
        self.vars.entry(fact).or_insert_with(|| {
            let order = pool.post_order(&[fact]);
            order
                .iter()
                .filter_map(|t| var_of.get(t).copied())
                .collect()
        })
    }
}

/// Variables that belong together because something speaks of them at once.
#[derive(Default)]
struct Clusters {
    of_var: FxHashMap<VarId, usize>,
    parent: Vec<usize>,
}

impl Clusters {
    fn root(&self, mut at: usize) -> usize {
        while self.parent[at] != at {
            at = self.parent[at];
        }
        at
    }

    fn join(&mut self, vars: &[VarId]) {
        let mut first: Option<usize> = None;
        for &v in vars {
            let next = self.parent.len();
            let at = *self.of_var.entry(v).or_insert(next);
            if at == next {
                self.parent.push(next);
            }
            let root = self.root(at);
            match first {
                None => first = Some(root),
                Some(to) => self.parent[root] = to,
            }
        }
    }

    fn roots(&self, vars: &[VarId]) -> BTreeSet<usize> {
        let known = vars.iter().filter_map(|v| self.of_var.get(v));
        known.map(|&at| self.root(at)).collect()
    }
}

/// The facts before a letter, by what they speak of together.
pub struct Nearby {
    clusters: Clusters,
    /// Each fact with its cluster; none if it speaks of no variable.
    facts: Vec<(TermId, Option<usize>)>,
    /// The cluster of the letter itself.
    letter: BTreeSet<usize>,
    /// All facts matter to everything: large blocks speak of most variables anyway.
    whole: bool,
}

impl Nearby {
    fn facts_of(&self, roots: &BTreeSet<usize>) -> Vec<TermId> {
        let near = |root: &Option<usize>| self.whole || root.is_none_or(|r| roots.contains(&r));
        let near = self.facts.iter().filter(|(_, root)| near(root));
        near.map(|&(fact, _)| fact).collect()
    }

    /// The facts that can matter to whether the letter is taken.
    pub fn to_letter(&self) -> Vec<TermId> {
        self.facts_of(&self.letter)
    }
}

impl Search<'_, '_> {
    /// Sorts facts before a letter by what they speak of.
    pub(super) fn nearby(&mut self, facts: &[TermId], block: BlockId) -> Nearby {
        let mut near = Nearby {
            clusters: Clusters::default(),
            facts: Vec::with_capacity(facts.len()),
            letter: BTreeSet::new(),
            whole: !self.task.options.blocks.is_path(),
        };
        if near.whole {
            near.facts.extend(facts.iter().map(|&f| (f, None)));
            return near;
        }
        let t = transition(&self.automata.graph, block);
        let own: Vec<VarId> = [&t.reads[..], &t.modified, &t.dead].concat();
        near.clusters.join(&own);
        for &fact in facts {
            let vars = self.spoken.of(self.task.pool, &self.var_of, fact);
            near.clusters.join(vars);
        }
        near.letter = near.clusters.roots(&own);
        for &fact in facts {
            let vars = self.spoken.of(self.task.pool, &self.var_of, fact);
            let root = near.clusters.roots(vars).first().copied();
            near.facts.push((fact, root));
        }
        near
    }

    /// The facts before a letter that can matter to one after it.
    pub(super) fn near_to(&mut self, near: &Nearby, after: TermId) -> Vec<TermId> {
        let vars = self.spoken.of(self.task.pool, &self.var_of, after);
        near.facts_of(&near.clusters.roots(vars))
    }

    /// Does the letter leave all that a fact speaks of as it is?
    pub(super) fn leaves_alone(&mut self, block: BlockId, fact: TermId) -> bool {
        let t = transition(&self.automata.graph, block);
        let vars = self.spoken.of(self.task.pool, &self.var_of, fact);
        let written = |v: &VarId| t.modified.contains(v) || t.dead.contains(v);
        !vars.iter().any(written)
    }
}
