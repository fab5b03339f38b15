//! Interpolants cut by cut, each from a proof of its own.
//!
//! *Idea.* In one proof for all cuts a literal may mix symbols of parts far apart (an early array read at a
//! late index), and their interpolants are hard to free of them. Node after node there are only two
//! sides: the children's interpolants with the node's part, and all that is not done yet. Each side is freed
//! of its own symbols first, as far as equations go (`local`), so arrays go by the name that both know. Where that
//! is not enough, each side makes the instances of the axioms of arrays that it can make alone (`arrays`).
//!
//! *Why they fit together.* The *front* has a formula for every subtree that is done and every part that is not;
//! it is contradictory at all times, and each step replaces a node's part and the interpolants of its children
//! by something weaker that keeps it so.

use super::{Interpolator, Problem};
use crate::interpolate::arrays::Reduction;
use crate::interpolate::clean::local::localise;
use crate::interpolate::proof::colour::Cuts;
use crate::proof::PartitionId;
use crate::{Answer, Solver};
use base::{Budget, FxHashSet, Id};
use logic::{Pool, SymbolId, TermId};

impl Interpolator {
    pub(super) fn stepwise(
        &mut self,
        pool: &mut Pool,
        problem: &Problem,
        budget: &Budget,
    ) -> Result<Vec<TermId>, String> {
        let n = problem.parts.len();
        let mut front: Vec<Option<TermId>> = problem.parts.iter().map(|&p| Some(p)).collect();
        let mut result = Vec::new();
        for node in 0..n - 1 {
            let mut inner: Vec<TermId> = Vec::new();
            for c in (0..=node).filter(|&c| c == node || problem.parent[c] == node) {
                inner.extend(front[c].take());
            }
            let outer: Vec<TermId> = front.iter().flatten().copied().collect();
            let sides = [pool.and(&inner), pool.and(&outer)];
            let formula = self.between(pool, sides, budget)?;
            result.push(formula);
            front[node] = Some(formula);
        }
        Ok(result)
    }

    /// An interpolant of two formulas.
    fn between(
        &mut self,
        pool: &mut Pool,
        sides: [TermId; 2],
        budget: &Budget,
    ) -> Result<TermId, String> {
        let why = match self.by_names(pool, sides, budget) {
            Ok(formula) => return Ok(formula),
            Err(why) => why,
        };
        let Some(mut reduction) = Reduction::new(pool, sides, self.options.diff) else {
            return Err(why);
        };
        let formula = self.of_proof(pool, reduction.parts, budget)?;
        Ok(reduction.show(pool, formula))
    }

    /// After each side was freed of its own symbols.
    fn by_names(
        &mut self,
        pool: &mut Pool,
        sides: [TermId; 2],
        budget: &Budget,
    ) -> Result<TermId, String> {
        let symbols = sides.map(|t| pool.symbols_of(&[t]));
        let own = |mine: &[SymbolId], other: &[SymbolId]| -> Vec<SymbolId> {
            let other: FxHashSet<SymbolId> = other.iter().copied().collect();
            mine.iter()
                .copied()
                .filter(|s| !other.contains(s))
                .collect()
        };
        let left = localise(pool, sides[0], own(&symbols[0], &symbols[1]));
        let right = localise(pool, sides[1], own(&symbols[1], &symbols[0]));
        self.of_proof(pool, [left, right], budget)
    }

    /// From a proof of its own.
    fn of_proof(
        &mut self,
        pool: &mut Pool,
        parts: [TermId; 2],
        budget: &Budget,
    ) -> Result<TermId, String> {
        let mut solver = Solver::with_proof();
        for (i, &p) in parts.iter().enumerate() {
            solver.assert_in(pool, p, PartitionId::from_index(i));
        }
        if solver.check(pool, &[], budget) != Answer::Unsat {
            return Err("the next step is not contradictory".into());
        }
        let refutation = solver.refutation().ok_or("the solver gave no proof")?;
        let parent = [1, 1];
        let cuts = Cuts::of_tree(&parent);
        let problem = Problem {
            parts: &parts,
            parent: &parent,
            cuts: &cuts,
        };
        // Counted as one attempt by whoever asked for all steps.
        let mut inside = Interpolator::new(self.options);
        let mut reasons = Vec::new();
        let found = inside.extract(pool, &problem, refutation, budget, &mut reasons);
        self.stats.checks += inside.stats.checks;
        let list = found.ok_or_else(|| reasons.pop().unwrap_or_default())?;
        Ok(list[0])
    }
}
