//! Guesses from a refuted call tree: tree interpolants, as summaries of functions (STITP and SUM).

use super::{Frontier, InstanceId, Tree};
use base::{Budget, FxHashMap, Stop};
use logic::{Pool, TermId};
use smt::interpolate::{self, Outcome};

impl Tree<'_> {
    /// Tree interpolants of the unfolding refuted below `bound`, one for each instance but the root:
    /// what the subtree of the instance, with the needed calls not made, implies about its call.
    pub fn interpolants(
        &mut self,
        pool: &mut Pool,
        bound: usize,
        needed: &[Frontier],
        options: &interpolate::Options,
        budget: &Budget,
    ) -> Result<Result<Vec<(InstanceId, TermId)>, String>, Stop> {
        // One part for each instance with those that were expanded with it. Callers come before
        // callees, so in reverse order the root is last.
        let mut part: FxHashMap<InstanceId, usize> = FxHashMap::default();
        let mut owners: Vec<InstanceId> = Vec::new();
        let mut parts: Vec<Vec<TermId>> = Vec::new();
        for (id, instance) in self.instances.iter_enumerated() {
            if instance.depth > bound {
                continue;
            }
            let at = match instance.parent {
                Some((caller, _)) if instance.inlined => part[&caller],
                _ => {
                    owners.push(id);
                    parts.push(Vec::new());
                    parts.len() - 1
                }
            };
            part.insert(id, at);
            parts[at].push(instance.formula);
            parts[at].extend(&instance.known);
        }
        for f in needed {
            parts[part[&f.instance]].push(pool.not(f.made));
        }
        parts[0].push(self.goal);
        let n = parts.len();
        let parent: Vec<usize> = owners
            .iter()
            .rev()
            .enumerate()
            .map(|(at, &i)| {
                let caller = self.instances[i].parent;
                caller.map_or(at, |(p, _)| n - 1 - part[&p])
            })
            .collect();
        let parts: Vec<TermId> = parts.iter().rev().map(|p| pool.and(p)).collect();
        let outcome = self.solvers.tree(pool, &parts, &parent, options, budget);
        budget.check()?;
        Ok(match outcome {
            Outcome::Interpolants(interpolants) => Ok(interpolants
                .into_iter()
                .enumerate()
                .map(|(at, t)| (owners[n - 1 - at], t))
                .collect()),
            Outcome::Sat(_) => Err("the unfolding has a model after all".into()),
            Outcome::Unknown(why) => Err(why),
        })
    }

    /// An interpolant of the subtree of `instance`, as a summary: over the terms of the callee's
    /// parameters and returns.
    pub fn summary(
        &mut self,
        pool: &mut Pool,
        instance: InstanceId,
        interpolant: TermId,
    ) -> Option<TermId> {
        let (caller, call) = self.instances[instance].parent?;
        let made = self.made(pool, caller, call);
        let mut pairs = vec![(made, pool.tt())];
        let ghosts = self.ghosts(pool, caller, call);
        pairs.extend(ghosts.into_iter().map(|(v, g)| (g, v)));
        Some(pool.substitute(interpolant, &pairs))
    }
}
