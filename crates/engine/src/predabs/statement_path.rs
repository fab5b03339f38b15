//! One execution path through the blocks of an abstract error path, to refine on.
//!
//! The formula of a path of large blocks holds exponentially many paths; refuting them all at once
//! gives interpolants with many atoms. A single path through the statements, as the paper has it,
//! gives few and simple ones.
//!
//! Which path: backwards from the error, one model a block. The model says which edges are taken and
//! in which valuation of the predicates the block begins; the block before must end in that one.
//! Such a valuation exists where posts are exact. Then refuting the path brings a predicate that some
//! node lacks: with all of them tracked, each valuation of the chain would decide the interpolant
//! of its cut, and the step to the next one would preserve it, up to false.

use super::Search;
use crate::core::path::{Ssa, Versions, blocks_by_edge, concrete_steps, transition};
use crate::core::tree::NodeId;
use crate::prepare::Prepared;
use base::{FxHashMap, Stop};
use evidence::Counterexample;
use logic::{Model, Pool, TermId, Value, eval};
use program::{BlockGraph, BlockId, BlockSize, EdgeId, Program, blocks};
use smt::{Answer, Unknown};

/// The program as blocks of single statements.
pub struct Statements {
    pub graph: BlockGraph,
    block_of_edge: FxHashMap<EdgeId, BlockId>,
    pub versions: Versions,
}

impl Statements {
    pub fn new(pool: &mut Pool, program: &Program) -> Self {
        let graph = blocks::encode(pool, program, BlockSize::Single);
        Statements {
            block_of_edge: blocks_by_edge(&graph),
            graph,
            versions: Versions::default(),
        }
    }

    /// The statements that a model takes through a block.
    pub fn of_block(
        &self,
        pool: &Pool,
        program: &Program,
        graph: &BlockGraph,
        block: BlockId,
        model: &Model,
    ) -> Option<Vec<BlockId>> {
        let value_of = |c: TermId| eval(pool, model, c);
        let t = transition(graph, block);
        let path = graph.blocks[block].concrete_path(pool, program, t, &value_of)?;
        let statement = |edge| self.block_of_edge.get(edge).copied();
        path.iter().map(|(edge, _)| statement(edge)).collect()
    }

    /// The execution that a model of the path's formulas is.
    pub fn steps(
        &mut self,
        pool: &mut Pool,
        prepared: &Prepared,
        statement_path: &StatementPath,
        model: &Model,
    ) -> Option<Counterexample> {
        let path: Vec<BlockId> = statement_path
            .blocks
            .iter()
            .rev()
            .flatten()
            .copied()
            .collect();
        let execution = concrete_steps(
            pool,
            &prepared.program,
            &self.graph,
            &mut self.versions,
            &path,
            model,
        );
        execution.map(|e| prepared.original(e))
    }
}

/// The end of a path through statements, found backwards.
#[derive(Default)]
pub struct StatementPath {
    /// The statements of each block, last block first.
    blocks: Vec<Vec<BlockId>>,
    /// The values of the predicates at its beginning.
    goal: Vec<TermId>,
    /// The solver did not say how it goes on.
    lost: bool,
}

impl Search<'_, '_> {
    /// Extends a path backwards to the node at `start`; says whether that was possible.
    pub(super) fn extend_path(
        &mut self,
        statement_path: &mut StatementPath,
        start: usize,
        nodes: &[NodeId],
        path: &[BlockId],
    ) -> Result<bool, Stop> {
        if self.statements.is_none() {
            self.statements = Some(Statements::new(
                self.run.task.pool,
                &self.run.prepared.program,
            ));
        }
        for at in (start..path.len() - statement_path.blocks.len()).rev() {
            if statement_path.lost {
                break;
            }
            let (node, block) = (nodes[at], path[at]);
            let model = self.step_model(node, block, &statement_path.goal)?;
            let edges = model.as_ref().and_then(|m| self.edges_of(block, m));
            let (Some(model), Some(edges)) = (model, edges) else {
                statement_path.lost = true;
                break;
            };
            statement_path.blocks.push(edges);
            let from = &self.tree.nodes[node];
            let tracked = &self.precision.at(from.loc)[..from.basis.predicates];
            statement_path.goal.clear();
            for &p in tracked {
                let t = self.precision.terms[p as usize];
                let holds = eval(self.run.task.pool, &model, t) == Value::Bool(true);
                statement_path
                    .goal
                    .push(if holds { t } else { self.run.task.pool.not(t) });
            }
        }
        Ok(!statement_path.lost)
    }

    /// A step of the block from the abstract state of `node` to a state of `goal`.
    fn step_model(
        &mut self,
        node: NodeId,
        block: BlockId,
        goal: &[TermId],
    ) -> Result<Option<Model>, Stop> {
        let from = &self.tree.nodes[node];
        let pool = &mut *self.run.task.pool;
        let state = self.bdds.term(pool, &self.precision.terms, from.state);
        let mut assumptions = pool.conjuncts(state);
        assumptions.extend_from_slice(self.run.invariants.at(from.loc));
        let (solver, to_post) = self
            .run
            .block_solver
            .solver_of(pool, &assumptions, goal, block);
        for &t in goal {
            assumptions.push(to_post.apply(pool, t));
        }
        match solver.check(pool, &assumptions, self.run.task.budget) {
            Answer::Sat => Ok(Some(solver.model(pool))),
            Answer::Unknown(Unknown::Budget(stop)) => Err(stop),
            Answer::Unsat | Answer::Unknown(_) => Ok(None),
        }
    }

    fn edges_of(&mut self, block: BlockId, model: &Model) -> Option<Vec<BlockId>> {
        let (pool, prepared) = (&*self.run.task.pool, self.run.prepared);
        let statements = self.statements.as_ref()?;
        statements.of_block(pool, &prepared.program, &prepared.graph, block, model)
    }

    /// The formula of the path, one part a block, with the invariants of the block's start, and
    /// what holds at the first of them.
    pub(super) fn statement_parts(
        &mut self,
        state: TermId,
        path: &[BlockId],
        statement_path: &StatementPath,
    ) -> Option<Vec<TermId>> {
        let statements = self.statements.as_mut()?;
        let pool = &mut *self.run.task.pool;
        let program = &self.run.prepared.program;
        let versions = &mut statements.versions;
        let mut ssa = Ssa::default();
        let mut conjuncts = vec![ssa.instantiate(pool, versions, &self.run.var_of, state)];
        let mut parts = Vec::with_capacity(path.len());
        for (&block, edges) in path.iter().zip(statement_path.blocks.iter().rev()) {
            let from = self.run.prepared.graph.blocks[block].from;
            for &fact in self.run.invariants.at(from) {
                conjuncts.push(ssa.instantiate(pool, versions, &self.run.var_of, fact));
            }
            for &edge in edges {
                let t = transition(&statements.graph, edge);
                conjuncts.push(ssa.step(pool, program, versions, edge, t));
            }
            parts.push(pool.and(&conjuncts));
            conjuncts.clear();
        }
        Some(parts)
    }
}
