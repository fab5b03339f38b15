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
use crate::guess::affine::Region;
use crate::guess::generator::{self, Scene, Stage};
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
        for stage in [Stage::Text, Stage::Affine] {
            self.guess(f, &heads, stage)?;
            self.houdini(f)?;
        }
        Ok(())
    }

    /// Offers what the generators of one stage say of the loop heads of `f`.
    fn guess(&mut self, f: FuncId, heads: &[LocId], stage: Stage) -> Result<(), Stop> {
        let automata = self.automata;
        let (program, graph) = (&automata.program, &automata.graph);
        let mut blocks = blocks_of(automata, f);
        let mut known = BTreeMap::new();
        for &b in &blocks {
            let pool = &mut *self.task.pool;
            let mut facts = self.context.at_block(pool, automata, b, ALWAYS);
            facts.extend(self.invariants.at(graph.blocks[b].from));
            known.insert(b, facts);
        }
        let exit = automata.exit_of(f);
        blocks.retain(|&b| graph.blocks[b].to != exit);
        let own = |e: &EdgeId| program.locations[program.edges[*e].from].func == f;
        let region = Region {
            program,
            graph,
            entry: automata.entry_of(f),
            heads,
            blocks,
            known,
            cells: Vec::new(),
            edges: program.edges.ids().filter(own).collect(),
        };
        let invariants = &self.invariants;
        let found = generator::candidates(
            stage,
            &mut Scene {
                pool: self.task.pool,
                region: &region,
                proven: &|loc| invariants.at(loc).to_vec(),
                solver: &mut self.block_solver,
                stats: self.task.stats,
                limits: &self.task.options.limits.guess,
                sampled: false,
                samples: None,
                budget: self.task.budget,
            },
        )?;
        for (loc, facts) in found {
            self.invariants.offer(self.task.pool, loc, facts);
        }
        Ok(())
    }

    /// Tries what traces found, less often the more refinements there were; says whether anything
    /// is proved that was not.
    pub(super) fn improve_invariants(&mut self, f: FuncId) -> Result<bool, Stop> {
        if !self.task.options.aids || self.refinements < self.invariants.next_refinement {
            return Ok(false);
        }
        self.invariants.next_refinement = self
            .task
            .options
            .limits
            .cegar
            .next_houdini(self.refinements);
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
