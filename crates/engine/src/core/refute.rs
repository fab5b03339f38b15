//! Refutation of a path: its formula, block by block, and the facts along it that show that it is
//! infeasible.
//!
//! The one place where engines turn a path into interpolants: [`Cegar::refute_path`] for a path of blocks,
//! [`interpolate`] for parts that an engine has made itself.
//!
//! Invariant: the facts are inductive along the path: each fact and its part imply the next one; the first
//! is `true`, the last `false` ([`smt::interpolate`] checks interpolants before it hands them out).

use crate::api::Task;
use crate::core::cegar::Cegar;
use crate::core::exploration::Exploration;
use crate::core::path::{Versions, path_formulas};
use crate::guess::templates::Bridges;
use crate::log;
use base::Stop;
use logic::{Model, TermId};
use program::BlockId;
use smt::interpolate::{Options, Outcome};

/// What became of a path.
pub enum Refutation {
    /// It is infeasible: the facts before, between and after its parts, over program variables.
    Facts(Vec<TermId>),
    /// It is feasible for the solver.
    Feasible(Model),
    /// Whether it is could not be decided, or not explained.
    Unexplained(String),
}

/// How interpolants are asked for.
#[derive(Clone, Debug, Default)]
pub struct Interpolation {
    pub options: Options,
    /// If the whole problem has none that hold, a smaller one is tried: an unsatisfiable core.
    pub core_next: bool,
}

impl Cegar<'_, '_> {
    /// Refutes a path of blocks, with what is assumed before each. Facts in the words of templates
    /// ([`crate::guess::templates`]) are tried first.
    pub fn refute_path(
        &mut self,
        blocks: &[BlockId],
        assumed: &[Vec<TermId>],
        how: &Interpolation,
    ) -> Result<Refutation, Stop> {
        let (pool, graph) = (&*self.task.pool, &self.prepared.graph);
        self.task.stats.log("path", || {
            let known: Vec<TermId> = assumed.iter().flatten().copied().collect();
            vec![
                ("locations", log::locations(graph, blocks)),
                ("assumed", log::formulas(pool, &known)),
            ]
        });
        if self.task.options.is_paper() {
            let parts = self.path_formulas(blocks, assumed);
            return self.refute_parts(&parts, how);
        }
        let bridged = Bridges {
            task: self.task,
            prepared: self.prepared,
            counters: &self.counters,
            versions: &mut self.versions,
            var_of: &self.var_of,
        }
        .parts(blocks, assumed)?;
        if let Some(parts) = bridged
            && let found @ Refutation::Facts(_) = self.refute_parts(&parts, how)?
        {
            return Ok(found);
        }
        let parts = self.path_formulas(blocks, assumed);
        self.refute_parts(&parts, how)
    }

    /// The formulas of the blocks of a path, each with what is assumed before it.
    pub fn path_formulas(&mut self, blocks: &[BlockId], assumed: &[Vec<TermId>]) -> Vec<TermId> {
        let (program, graph) = (&self.prepared.program, &self.prepared.graph);
        let (pool, versions) = (&mut *self.task.pool, &mut self.versions);
        path_formulas(
            pool,
            program,
            graph,
            versions,
            &self.var_of,
            blocks,
            assumed,
        )
        .0
    }

    /// The formulas of a path and that `goal` fails at its end.
    pub fn formulas_to(
        &mut self,
        blocks: &[BlockId],
        assumed: &[Vec<TermId>],
        goal: TermId,
    ) -> Vec<TermId> {
        let (program, graph) = (&self.prepared.program, &self.prepared.graph);
        let (pool, versions) = (&mut *self.task.pool, &mut self.versions);
        let var_of = &self.var_of;
        let (mut parts, ssa) =
            path_formulas(pool, program, graph, versions, var_of, blocks, assumed);
        let at_end = ssa.instantiate(pool, versions, var_of, goal);
        parts.push(pool.not(at_end));
        parts
    }

    /// How the search ends with an error path that was not refuted.
    pub fn end_of_path(&mut self, blocks: &[BlockId], found: Refutation) -> Exploration {
        match found {
            Refutation::Feasible(model) => {
                let (pool, versions) = (&mut *self.task.pool, &mut self.versions);
                Exploration::at_model(pool, self.prepared, versions, blocks, &model)
            }
            Refutation::Unexplained(why) => Exploration::without_interpolants(blocks, &why),
            Refutation::Facts(_) => unreachable!("a refuted path is not the end"),
        }
    }

    /// Refutes formulas of a path.
    pub fn refute_parts(
        &mut self,
        parts: &[TermId],
        how: &Interpolation,
    ) -> Result<Refutation, Stop> {
        interpolate(self.task, &self.versions, parts, how)
    }

    /// The invariants known at the start of each block.
    pub fn known_before(&self, blocks: &[BlockId]) -> Vec<Vec<TermId>> {
        let at = |&b: &BlockId| self.invariants.at(self.prepared.graph.blocks[b].from);
        blocks.iter().map(|b| at(b).to_vec()).collect()
    }
}

/// Refutes a sequence of formulas over versions of the program's variables.
pub fn interpolate(
    task: &mut Task<'_>,
    versions: &Versions,
    parts: &[TermId],
    how: &Interpolation,
) -> Result<Refutation, Stop> {
    task.stats.add("interpolation problems", 1);
    let mut options = how.options;
    options.source = task.options.interpolation.source();
    let solvers = &task.options.solvers;
    let mut outcome = solvers.sequence(task.pool, parts, &options, task.budget);
    task.budget.check()?;
    if how.core_next && matches!(outcome, Outcome::Unknown(_)) {
        options.core = true;
        outcome = solvers.sequence(task.pool, parts, &options, task.budget);
        task.budget.check()?;
    }
    Ok(match outcome {
        Outcome::Interpolants(interpolants) => {
            let mut facts = vec![task.pool.tt()];
            let mut last = None;
            for i in interpolants {
                // Across what the refutation does not need they stay as they are.
                let fact = match last {
                    Some((before, fact)) if before == i => fact,
                    _ => versions.unversion(task.pool, i),
                };
                last = Some((i, fact));
                facts.push(fact);
            }
            facts.push(task.pool.ff());
            let pool = &*task.pool;
            task.stats.log("infeasible", || {
                vec![("interpolants", log::formulas(pool, &facts))]
            });
            Refutation::Facts(facts)
        }
        Outcome::Sat(model) => {
            task.stats.log("feasible", Vec::new);
            Refutation::Feasible(model)
        }
        Outcome::Unknown(why) => Refutation::Unexplained(why),
    })
}
