//! Refinement of paths through calls: Extract with scoped cuts.

use super::super::covering::{Basis, Status};
use super::super::precision::atoms;
use super::nested::{After, Builder, Nested, PathStep, path_to};
use super::{Exploration, Search};
use crate::core::tree::NodeId;
use crate::log::{self, Field};
use base::Stop;
use evidence::Counterexample;
use logic::{Model, TermId};
use program::{BlockId, LocId};
use smt::interpolate::{self, Outcome};

/// Takes all paths through the blocks again.
fn all_paths(steps: &mut [PathStep]) {
    for step in steps {
        match step {
            PathStep::Block(step) => step.statements.clear(),
            PathStep::Call(step) => all_paths(&mut step.inner),
            PathStep::Enter(_) => {}
        }
    }
}

impl Search<'_, '_> {
    /// An error block that can be taken from the abstract state of `node`: an error if the path to
    /// it is feasible, else predicates are found and what rests on too few of them is removed.
    pub(super) fn refine(
        &mut self,
        node: NodeId,
        error: BlockId,
    ) -> Result<Option<Exploration>, Stop> {
        self.refinements += 1;
        let stuck = |what: String| Ok(Some(Exploration::Stuck(what)));
        let Some(mut path) = path_to(&mut self.contexts, node, error) else {
            return stuck("an error path through calls is too long".into());
        };
        let mut pivot = None;
        if self.choose_path(&mut path)? {
            self.task.stats.add("refinements on one path", 1);
            let (nested, outcome) = self.interpolate(&path)?;
            match outcome {
                Outcome::Interpolants(found) => pivot = self.learn(&nested, &found),
                Outcome::Sat(model) => {
                    if let Some(cex) = self.counterexample(&nested, &model) {
                        return Ok(Some(Exploration::Error(cex)));
                    }
                }
                Outcome::Unknown(_) => {}
            }
        }
        if pivot.is_none() {
            all_paths(&mut path);
            let (nested, outcome) = self.interpolate(&path)?;
            match outcome {
                Outcome::Interpolants(found) => pivot = self.learn(&nested, &found),
                Outcome::Sat(model) => match self.counterexample(&nested, &model) {
                    Some(cex) => return Ok(Some(Exploration::Error(cex))),
                    None => {
                        return stuck(
                            "an error path is feasible for the solver but no execution follows it"
                                .into(),
                        );
                    }
                },
                Outcome::Unknown(why) => {
                    return stuck(format!(
                        "no interpolants for an error path of {} blocks: {why}",
                        nested.parts.len()
                    ));
                }
            }
            pivot = pivot.or_else(|| self.sharper(&nested));
        }
        match pivot {
            Some(pivot) => {
                self.reopen(pivot);
                self.reopen(node);
                Ok(None)
            }
            None => stuck("the refutation of an error path brings no new predicate".into()),
        }
    }

    /// The path as formulas, and what interpolation says of them.
    fn interpolate(&mut self, path: &[PathStep]) -> Result<(Nested, Outcome), Stop> {
        let pool = &mut *self.task.pool;
        let statements = self.statements.as_ref();
        let builder = Builder::new(pool, self.prepared, &mut self.versions, statements);
        let nested = builder.path(path);
        self.task.stats.add("interpolation problems", 1);
        self.log_path(&nested);
        let options = interpolate::Options {
            core: self.task.options.is_paper(),
            ..interpolate::Options::default()
        };
        let outcome = self.task.options.solvers.tree(
            self.task.pool,
            &nested.parts,
            &nested.parent,
            &options,
            self.task.budget,
        );
        self.task.budget.check()?;
        match &outcome {
            Outcome::Interpolants(found) => {
                let mut facts = Vec::with_capacity(found.len());
                for &fact in found {
                    facts.push(self.versions.unversion(self.task.pool, fact));
                }
                let pool = &*self.task.pool;
                self.task.stats.log("infeasible", || {
                    vec![("interpolants", log::formulas(pool, &facts))]
                });
            }
            Outcome::Sat(_) => self.task.stats.log("feasible", Vec::new),
            Outcome::Unknown(_) => {}
        }
        Ok((nested, outcome))
    }

    /// Says where each part of a path leads; the parts of a call that returned come before its return.
    fn log_path(&mut self, nested: &Nested) {
        let (contexts, prepared) = (&self.contexts, self.prepared);
        let leads = |after: &After| match after {
            After::Error => "error".into(),
            After::Node(node) => log::id(contexts.tree.nodes[*node].loc),
            After::Enter(caller) => {
                let callee = prepared.calls[&caller.block].callee;
                log::id(prepared.program.functions[callee].entry)
            }
        };
        self.task.stats.log("path", || {
            let locations = nested.after.iter().map(leads).collect::<Vec<Field>>();
            vec![("locations", locations.into())]
        });
    }

    fn counterexample(&mut self, nested: &Nested, model: &Model) -> Option<Counterexample> {
        let statements = self.statements.as_ref();
        let steps = nested.execution(self.task.pool, self.prepared, statements, model)?;
        Some(self.prepared.original(steps))
    }

    /// For a part of a path: the location it leads to, on what its state there rests, and the node
    /// to expand again for a new one.
    fn rests(&self, after: After) -> Option<(LocId, Basis, NodeId)> {
        match after {
            After::Error => None,
            After::Node(node) => {
                let n = &self.contexts.tree.nodes[node];
                n.parent.map(|(parent, _)| (n.loc, n.basis, parent))
            }
            After::Enter(caller) => {
                let callee = self.prepared.calls[&caller.block].callee;
                let entry = self.prepared.program.functions[callee].entry;
                Some((entry, caller.basis, caller.node))
            }
        }
    }

    /// Tracks the atoms of the interpolants at their locations. The node before the first state
    /// that lacks one.
    fn learn(&mut self, nested: &Nested, interpolants: &[TermId]) -> Option<NodeId> {
        let sharing = self.task.options.predabs.sharing;
        let mut pivot = None;
        for (&after, &fact) in nested.after.iter().zip(interpolants) {
            let Some((loc, basis, before)) = self.rests(after) else {
                continue;
            };
            let fact = self.versions.unversion(self.task.pool, fact);
            for atom in atoms(self.task.pool, fact) {
                let predicate = self.precision.number(self.task.pool, atom);
                let known = self.precision.position(loc, predicate).is_some();
                self.precision.add(sharing, loc, predicate);
                let at = self.precision.position(loc, predicate);
                if !known && at.is_some() {
                    let pool = &*self.task.pool;
                    self.task.stats.log("predicate", || {
                        let predicate = log::formula(pool, atom);
                        vec![("location", log::id(loc)), ("predicate", predicate)]
                    });
                }
                if pivot.is_none() && at.is_some_and(|at| at >= basis.predicates) {
                    pivot = Some(before);
                }
            }
        }
        pivot
    }

    /// The node before the first state that would be computed with more valuations today.
    fn sharper(&mut self, nested: &Nested) -> Option<NodeId> {
        self.posts.raise_limit();
        let rests = nested.after.iter().filter_map(|&a| self.rests(a));
        let mut stale = rests.filter(|&(loc, basis, _)| basis != self.basis(loc));
        stale.next().map(|(_, _, before)| before)
    }

    /// Has a node expanded again, without the children it had.
    fn reopen(&mut self, node: NodeId) {
        if self.contexts.tree.nodes[node].status != Status::Expanded {
            return;
        }
        let children = self.contexts.tree.nodes[node].children.clone();
        let mut uncovered = self.contexts.remove(&children);
        self.contexts.withdraw(node);
        // Its own exit state, if it is one, stays: nothing of it changed.
        let ctx = self.contexts.tree.nodes[node].ctx;
        self.contexts.contexts[ctx].exits.retain(|&e| e != node);
        let resting = self.contexts.tree.nodes[node].returns.clone();
        uncovered.extend(self.contexts.remove(&resting));
        self.contexts.tree.nodes[node].status = Status::Open;
        self.open_up(uncovered);
        self.open_up([node]);
    }
}
