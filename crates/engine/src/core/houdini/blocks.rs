//! Blocks as obligations: the facts at the start of a block, with what is known of the block itself,
//! imply the facts at its end.

use super::{Facts, Obligations};
use crate::core::block_solver::BlockSolver;
use crate::guess::samples::Samples;
use base::{Budget, Stop};
use logic::{Pool, TermId};
use program::{BlockGraph, BlockId, LocId};

/// Some blocks of a graph, each an obligation.
pub struct Blocks<'a, 'p> {
    pub graph: &'a BlockGraph,
    pub block_solver: &'a mut BlockSolver<'p>,
    /// Where facts are to be proven. Sound only without the entry, which may be in any state.
    pub places: Vec<LocId>,
    /// All blocks that lead to those places.
    pub blocks: Vec<BlockId>,
    /// Formulas that hold of every execution of a block.
    pub context: &'a mut dyn FnMut(&mut Pool, BlockId) -> Vec<TermId>,
    /// States that occur.
    pub samples: Option<&'a mut Samples>,
}

impl Obligations for Blocks<'_, '_> {
    type Place = LocId;
    type Id = BlockId;

    fn places(&self) -> Vec<LocId> {
        self.places.clone()
    }

    fn all(&self) -> Vec<BlockId> {
        self.blocks.clone()
    }

    fn assumes(&self, block: BlockId) -> Vec<LocId> {
        vec![self.graph.blocks[block].from]
    }

    fn refuted(
        &mut self,
        pool: &mut Pool,
        id: BlockId,
        facts: &Facts<'_, LocId>,
        budget: &Budget,
    ) -> Result<Vec<(LocId, TermId)>, Stop> {
        let block = &self.graph.blocks[id];
        let goals = facts.goals(block.to);
        if goals.is_empty() {
            return Ok(Vec::new());
        }
        let mut pre = facts.assumed(block.from);
        pre.extend((self.context)(pool, id));
        let failing = self.block_solver.failing(pool, &pre, id, goals, budget)?;
        Ok(failing.into_iter().map(|fact| (block.to, fact)).collect())
    }

    fn sample_refutes(&mut self, pool: &Pool, loc: LocId, fact: TermId) -> bool {
        let samples = self.samples.as_mut();
        samples.is_some_and(|samples| samples.refute(pool, loc, fact))
    }
}
