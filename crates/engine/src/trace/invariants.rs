//! Invariants of loop heads beside the algorithm: Houdini over guesses from the text and over the
//! interpolants found at loop heads, one function at a time, for all its inputs.
//!
//! Invariant: the facts in `proven` of one function are jointly inductive under the context, from
//! any input. Sound for ever because the context only grows and loops are only kept in functions
//! that do not meet recursion.

use super::Search;
use super::context::ALWAYS;
use crate::core::clauses::guesses;
use crate::guess::affine::{Region, equalities};
use crate::guess::program_text::at_head;
use crate::guess::statement_facts::stores_and_residues;
use base::{Stop, Work};
use logic::{Pool, TermId};
use program::{BlockId, EdgeId, FuncId, LocId};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Most candidates kept for one location; the oldest unproven go first.
const MOST_CANDIDATES: usize = 240;
const AFFINE_TIME: Duration = Duration::from_secs(2);

#[derive(Clone, Default)]
pub struct Invariants {
    proven: BTreeMap<LocId, Vec<TermId>>,
    open: BTreeMap<LocId, Vec<TermId>>,
    /// What traces found since the last attempt.
    found: BTreeMap<LocId, Vec<TermId>>,
    opened: BTreeSet<FuncId>,
    next_refinement: u64,
}

impl Invariants {
    pub fn at(&self, loc: LocId) -> &[TermId] {
        self.proven.get(&loc).map_or(&[], Vec::as_slice)
    }

    /// Keeps a fact that a trace found.
    pub fn note(&mut self, pool: &mut Pool, loc: LocId, fact: TermId) {
        let parts = guesses(pool, fact);
        self.found.entry(loc).or_default().extend(parts);
    }

    /// Adds candidates; says whether any is new.
    fn offer(&mut self, pool: &Pool, loc: LocId, facts: Vec<TermId>) -> bool {
        let mut new = false;
        for fact in facts {
            let known = fact == pool.tt()
                || fact == pool.ff()
                || self.at(loc).contains(&fact)
                || self.open.get(&loc).is_some_and(|o| o.contains(&fact));
            if !known {
                self.open.entry(loc).or_default().push(fact);
                new = true;
            }
        }
        if let Some(open) = self.open.get_mut(&loc) {
            let surplus = open.len().saturating_sub(MOST_CANDIDATES);
            open.drain(..surplus);
        }
        new
    }
}

impl Search<'_, '_> {
    /// Guesses from the text and affine equalities, once a function.
    pub(super) fn open_invariants(&mut self, f: FuncId) -> Result<(), Stop> {
        let heads = self.automata.loop_heads(f);
        if !self.task.options.aids || heads.is_empty() || !self.invariants.opened.insert(f) {
            return Ok(());
        }
        let (program, graph) = (&self.automata.program, &self.automata.graph);
        let of_f = |&e: &EdgeId| program.locations[program.edges[e].from].func == f;
        let own_edges: Vec<EdgeId> = program.edges.ids().filter(of_f).collect();
        let own = own_edges.iter().map(|&e| &program.edges[e]);
        let stored = stores_and_residues(
            self.task.pool,
            program,
            own.map(|e| &e.stmt),
            &self.task.options.limits.guess,
        );
        for &head in &heads {
            self.invariants.offer(self.task.pool, head, stored.clone());
        }
        self.houdini(f)?;
        for &head in &heads {
            let limits = &self.task.options.limits.guess;
            let facts = at_head(self.task.pool, program, graph, head, limits);
            self.invariants.offer(self.task.pool, head, facts);
        }
        self.houdini(f)?;
        let slice = self.budget().clone().with_slice(AFFINE_TIME);
        let blocks = self.blocks_of(f);
        let mut known = BTreeMap::new();
        for &b in &blocks {
            let pool = &mut *self.task.pool;
            let mut facts = self.context.at_block(pool, self.automata, b, ALWAYS);
            facts.extend(self.invariants.at(graph.blocks[b].from));
            known.insert(b, facts);
        }
        let exit = self.automata.exit_of(f);
        let region = Region {
            program,
            graph,
            entry: self.automata.entry_of(f),
            heads: &heads,
            blocks: blocks
                .into_iter()
                .filter(|&b| graph.blocks[b].to != exit)
                .collect(),
            known,
            cells: Vec::new(),
            edges: own_edges,
        };
        let found = equalities(
            self.task.pool,
            &region,
            &mut self.hoare,
            self.task.options.limits.guess.affine_variables,
            &slice,
        );
        self.budget().check()?;
        for (loc, facts) in found.unwrap_or_default() {
            self.invariants.offer(self.task.pool, loc, facts);
        }
        self.houdini(f)?;
        Ok(())
    }

    /// Tries what traces found, less often the more refinements there were; says whether anything
    /// is proved that was not.
    pub(super) fn improve_invariants(&mut self, f: FuncId) -> Result<bool, Stop> {
        if !self.task.options.aids || self.refinements < self.invariants.next_refinement {
            return Ok(false);
        }
        self.invariants.next_refinement = self.refinements + 1 + self.refinements / 4;
        let mut new = false;
        for head in self.automata.loop_heads(f) {
            let found = self.invariants.found.remove(&head).unwrap_or_default();
            new |= self.invariants.offer(self.task.pool, head, found);
        }
        if !new {
            return Ok(false);
        }
        self.houdini(f)
    }

    fn blocks_of(&self, f: FuncId) -> Vec<BlockId> {
        let of_f = |&(_, b): &(BlockId, &program::Block)| {
            self.automata.program.locations[b.from].func == f
        };
        let blocks = self.automata.graph.blocks.iter_enumerated();
        blocks.filter(of_f).map(|(id, _)| id).collect()
    }

    /// Keeps the largest inductive set of the candidates at the loop heads of `f`. Running over the
    /// slice of time that this may take leaves the invariants as they were.
    fn houdini(&mut self, f: FuncId) -> Result<bool, Stop> {
        let budget = self.budget();
        let slice = budget
            .clone()
            .with_slice(Work::thousand(500) + budget.worked() / 3);
        let heads = self.automata.loop_heads(f);
        let mut kept: BTreeMap<LocId, Vec<TermId>> = BTreeMap::new();
        for &h in &heads {
            let open = self.invariants.open.get(&h);
            kept.insert(h, open.cloned().unwrap_or_default());
        }
        let mut changed = true;
        while changed {
            changed = false;
            for id in self.blocks_of(f) {
                let block = &self.automata.graph.blocks[id];
                let Some(goals) = kept.get(&block.to).filter(|g| !g.is_empty()) else {
                    continue;
                };
                let pool = &mut *self.task.pool;
                // Sound because the entry of the function may be in any state: it has no facts.
                let mut pre = self.invariants.at(block.from).to_vec();
                pre.extend(kept.get(&block.from).into_iter().flatten());
                pre.extend(self.context.at_block(pool, self.automata, id, ALWAYS));
                let failing = match self.hoare.failing(pool, &pre, id, goals, &slice) {
                    Ok(failing) => failing,
                    Err(_) => {
                        budget.check()?;
                        return Ok(false);
                    }
                };
                if !failing.is_empty() {
                    changed = true;
                    if let Some(goals) = kept.get_mut(&block.to) {
                        goals.retain(|g| !failing.contains(g));
                    }
                }
            }
        }
        let mut new = false;
        for (loc, facts) in kept {
            new |= !facts.is_empty();
            if let Some(open) = self.invariants.open.get_mut(&loc) {
                open.retain(|t| !facts.contains(t));
            }
            self.invariants.proven.entry(loc).or_default().extend(facts);
        }
        Ok(new)
    }
}
