//! One execution path through the blocks of an abstract error path with calls, to refine on: as
//! [`super::super::trace`] does it, with one more case. Where a call returned, the model of the
//! step after it says in which valuation of the exit's predicates the callee ended, and the
//! callee's own steps are followed backwards from there.

use super::super::statement_path::Statements;
use super::Search;
use super::nested::PathStep;
use crate::core::block_solver::BlockFeasibility;
use crate::core::tree::NodeId;
use base::Stop;
use logic::{Model, TermId, Value, eval};
use program::BlockId;

impl Search<'_, '_> {
    /// Chooses the statements of each block of a path. False if the solver does not say.
    pub(super) fn choose_path(&mut self, steps: &mut [PathStep]) -> Result<bool, Stop> {
        if self.prepared.size.is_path() {
            return Ok(false);
        }
        if self.statements.is_none() {
            let program = &self.prepared.program;
            self.statements = Some(Statements::new(self.task.pool, program));
        }
        self.choose(steps, Vec::new())
    }

    /// Follows the steps backwards from a state of `goal`.
    fn choose(&mut self, steps: &mut [PathStep], mut goal: Vec<TermId>) -> Result<bool, Stop> {
        for step in steps.iter_mut().rev() {
            self.task.budget.check()?;
            let before = match step {
                PathStep::Block(step) => {
                    let Some(model) = self.step_model(step.before, step.block, &[], &goal)? else {
                        return Ok(false);
                    };
                    let (pool, prepared) = (&*self.task.pool, self.prepared);
                    let statements = self.statements.as_ref().and_then(|s| {
                        s.of_block(pool, &prepared.program, &prepared.graph, step.block, &model)
                    });
                    let Some(statements) = statements else {
                        return Ok(false);
                    };
                    step.statements = statements;
                    goal = self.valuation(step.before, &model, &[]);
                    continue;
                }
                PathStep::Enter(caller) => {
                    let enter = self.prepared.calls[&caller.block].enter;
                    let model = self.step_model(caller.node, enter, &[], &goal)?;
                    (caller.node, model)
                }
                PathStep::Call(step) => {
                    let call = &self.prepared.calls[&step.block];
                    let summary = self.summary(step.exit, &call.at_exit);
                    let model = self.step_model(step.before, call.leave, &summary, &goal)?;
                    let Some(model) = model else {
                        return Ok(false);
                    };
                    let inside = self.valuation(step.exit, &model, &call.at_exit);
                    if !self.choose(&mut step.inner, inside)? {
                        return Ok(false);
                    }
                    (step.before, Some(model))
                }
            };
            let (node, Some(model)) = before else {
                return Ok(false);
            };
            goal = self.valuation(node, &model, &[]);
        }
        Ok(true)
    }

    /// The values of the predicates of a node in a model, where `names` says what they speak of.
    fn valuation(
        &mut self,
        node: NodeId,
        model: &Model,
        names: &[(TermId, TermId)],
    ) -> Vec<TermId> {
        let n = &self.contexts.tree.nodes[node];
        let pool = &mut *self.task.pool;
        let tracked = &self.precision.at(n.loc)[..n.basis.predicates];
        let mut out = Vec::with_capacity(tracked.len());
        for &p in tracked {
            let t = self.precision.terms[p as usize];
            let named = pool.substitute(t, names);
            let holds = eval(pool, model, named) == Value::Bool(true);
            out.push(if holds { t } else { pool.not(t) });
        }
        out
    }

    /// A step of the block from the abstract state of `node` and further facts to a state of `goal`.
    fn step_model(
        &mut self,
        node: NodeId,
        block: BlockId,
        facts: &[TermId],
        goal: &[TermId],
    ) -> Result<Option<Model>, Stop> {
        let pool = &mut *self.task.pool;
        let state = self.contexts.tree.nodes[node].state;
        let state = self.bdds.term(pool, &self.precision.terms, state);
        let mut assumptions = pool.conjuncts(state);
        assumptions.extend_from_slice(facts);
        let budget = self.task.budget;
        Ok(
            match self
                .block_solver
                .step(pool, &assumptions, block, goal, budget)?
            {
                BlockFeasibility::Feasible(model) => model,
                BlockFeasibility::Infeasible { .. } => None,
            },
        )
    }
}
