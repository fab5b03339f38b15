//! Invariants of loop heads beside the algorithm: Houdini over guesses from the text and over the
//! interpolants found at loop heads, one function at a time, for all its inputs.
//!
//! Invariant: the facts in `proven` of one function are jointly inductive under the context, from
//! any input. Sound for ever because the context only grows and loops are only kept in functions
//! that do not meet recursion.

use super::Search;
use super::automaton::Automata;
use super::context::ALWAYS;
use crate::core::clauses::guesses;
use crate::core::houdini::{Blocks, Houdini};
use crate::guess::affine::{Region, equalities};
use crate::guess::program_text::at_head;
use crate::guess::statement_facts::stores_and_residues;
use base::Stop;
use logic::{Pool, TermId};
use program::{BlockId, EdgeId, FuncId, LocId};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Default)]
pub struct Invariants {
    facts: Houdini<LocId>,
    /// What traces found since the last attempt.
    found: BTreeMap<LocId, Vec<TermId>>,
    opened: BTreeSet<FuncId>,
    next_refinement: u64,
}

impl Invariants {
    pub fn at(&self, loc: LocId) -> &[TermId] {
        self.facts.at(loc)
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
            new |= self.facts.offer(pool, loc, fact);
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
        let slice = self.task.options.limits.guess.affine_work.of(self.budget());
        let blocks = blocks_of(self.automata, f);
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
            &mut self.block_solver,
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

    /// Keeps the largest inductive set of the candidates at the loop heads of `f`. Running over the
    /// slice of work that this may take leaves the invariants as they were.
    fn houdini(&mut self, f: FuncId) -> Result<bool, Stop> {
        let (automata, context) = (self.automata, &mut self.context);
        let heads = automata.loop_heads(f).into_iter();
        // Sound because the entry of the function, which may be in any state, is not among them.
        let places = heads.filter(|&head| head != automata.entry_of(f)).collect();
        let mut blocks = Blocks {
            graph: &automata.graph,
            places,
            blocks: blocks_of(automata, f),
            block_solver: &mut self.block_solver,
            context: &mut |pool, block| context.at_block(pool, automata, block, ALWAYS),
            samples: None,
        };
        let facts = &mut self.invariants.facts;
        facts.attempt(self.task.pool, &mut blocks, self.task.budget)
    }
}

fn blocks_of(automata: &Automata, f: FuncId) -> Vec<BlockId> {
    let blocks = automata.graph.blocks.iter_enumerated();
    let own = blocks.filter(|(_, b)| automata.program.locations[b.from].func == f);
    own.map(|(id, _)| id).collect()
}
