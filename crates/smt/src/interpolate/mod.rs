//! Interpolants: from one refutation for sequences, trees and WHALE's state/transition form.
//!
//! *Flow.* The partitions are asserted in a proof-logging solver. Unsat gives a refutation; `partial`
//! turns it into one formula a cut, `clean` tidies it, aliens (see `colour`) are projected away,
//! and `check` verifies every formula with fresh solver calls: the step of each node, and the
//! vocabulary. What fails is counted and the next labelling or Farkas side is tried on the same
//! proof; then `steps`, a proof for each cut; then `fallback`, which needs no proof; then the answer is
//! `Unknown` with the reason.
//!
//! Invariant: with `Options::check` on (the default) no unchecked interpolant leaves this module. All
//! interpolants of one answer come from one proof and one system, so they fit together.

mod arrays;
mod check;
mod clean;
pub mod fallback;
mod options;
pub mod proof;
mod stats;
mod steps;
#[cfg(test)]
mod tests;

pub use clean::clean;
pub use options::{FarkasSide, Labelling, Options, Outcome, Selection, Source, StateTransition};
pub use stats::{Counts, Method, Stats};

use crate::project::{eliminate, eliminate_universally};
use crate::proof::check::reachable;
use crate::proof::{ClauseId, PartitionId, Refutation};
use crate::{Answer, Solver, Unknown};
use base::{Budget, Id};
use logic::{Pool, TermId};
use proof::colour::{Colours, Cuts, Direction, Side};
use proof::partial::Extraction;

/// Interpolants of a sequence: `part_0 => I_0`, `I_k and part_k+1 => I_k+1`, and the last one
/// contradicts the last part.
pub fn sequence(pool: &mut Pool, parts: &[TermId], opts: &Options, budget: &Budget) -> Outcome {
    Interpolator::new(*opts).sequence(pool, parts, budget)
}

/// Interpolants of a tree: the children's interpolants and the node's part imply the node's
/// interpolant; at the root they are contradictory. `parent[i] > i`, the root is last.
pub fn tree(
    pool: &mut Pool,
    parts: &[TermId],
    parent: &[usize],
    opts: &Options,
    budget: &Budget,
) -> Outcome {
    Interpolator::new(*opts).tree(pool, parts, parent, budget)
}

/// State/transition interpolants (WHALE, section 5).
pub fn state_transition(
    pool: &mut Pool,
    parts: &[TermId],
    opts: &Options,
    budget: &Budget,
) -> StateTransition {
    Interpolator::new(*opts).state_transition(pool, parts, budget)
}

/// Interpolation with statistics kept between problems.
#[derive(Clone, Debug, Default)]
pub struct Interpolator {
    pub options: Options,
    pub stats: Stats,
}

/// A problem on its way: partitions as a tree.
pub(crate) struct Problem<'a> {
    pub parts: &'a [TermId],
    pub parent: &'a [usize],
    pub cuts: &'a Cuts,
}

impl Interpolator {
    pub fn new(options: Options) -> Self {
        Interpolator {
            options,
            stats: Stats::default(),
        }
    }

    pub fn sequence(&mut self, pool: &mut Pool, parts: &[TermId], budget: &Budget) -> Outcome {
        let last = parts.len().saturating_sub(1);
        let parent: Vec<usize> = (0..parts.len()).map(|i| (i + 1).min(last)).collect();
        self.tree(pool, parts, &parent, budget)
    }

    pub fn state_transition(
        &mut self,
        pool: &mut Pool,
        parts: &[TermId],
        budget: &Budget,
    ) -> StateTransition {
        assert!(parts.len() >= 2, "a first and a last formula are needed");
        // A tree: g_i+1 is a node without a formula whose children are g_i and the leaf of s_i.
        let n = parts.len() - 2;
        let (mut formulas, mut parent) = (vec![parts[0]], Vec::new());
        for (i, &phi) in parts[1..=n].iter().enumerate() {
            formulas.push(phi);
            formulas.push(pool.tt());
            parent.extend([2 * i + 2, 2 * i + 2]);
        }
        formulas.push(parts[n + 1]);
        parent.extend([2 * n + 1, 2 * n + 1]);
        match self.tree(pool, &formulas, &parent, budget) {
            Outcome::Interpolants(list) => StateTransition::Interpolants {
                states: list.iter().step_by(2).copied().collect(),
                transitions: list.iter().skip(1).step_by(2).copied().collect(),
            },
            Outcome::Sat(model) => StateTransition::Sat(model),
            Outcome::Unknown(why) => StateTransition::Unknown(why),
        }
    }

    pub fn tree(
        &mut self,
        pool: &mut Pool,
        parts: &[TermId],
        parent: &[usize],
        budget: &Budget,
    ) -> Outcome {
        let n = parts.len();
        assert!(n > 0 && parent.len() == n, "one parent a part");
        let ordered = (0..n - 1).all(|i| parent[i] > i && parent[i] < n);
        assert!(ordered, "parents come after their children");
        self.stats.problems += 1;
        if !self.options.core {
            return self.refute(pool, parts, parent, budget);
        }
        let relaxed = match fallback::relax_to_core(pool, parts, budget) {
            Ok(list) => list,
            Err(outcome) => return outcome,
        };
        let is_chain = (0..n - 1).all(|i| parent[i] == i + 1);
        let needed = |&&p: &&TermId| p != pool.tt();
        let needed: Vec<TermId> = relaxed.iter().filter(needed).copied().collect();
        if !is_chain || needed.len() == n || needed.is_empty() {
            return self.refute(pool, &relaxed, parent, budget);
        }
        let last = needed.len() - 1;
        let shorter: Vec<usize> = (0..=last).map(|i| (i + 1).min(last)).collect();
        match self.refute(pool, &needed, &shorter, budget) {
            Outcome::Interpolants(list) => Outcome::Interpolants(stretched(pool, &relaxed, &list)),
            other => other,
        }
    }

    /// Interpolants of parts as they are.
    fn refute(
        &mut self,
        pool: &mut Pool,
        parts: &[TermId],
        parent: &[usize],
        budget: &Budget,
    ) -> Outcome {
        let cuts = Cuts::of_tree(parent);
        let problem = Problem {
            parts,
            parent,
            cuts: &cuts,
        };
        let mut solver = Solver::with_proof();
        for (i, &part) in problem.parts.iter().enumerate() {
            solver.assert_in(pool, part, PartitionId::from_index(i));
        }
        match solver.check(pool, &[], budget) {
            Answer::Sat => {
                self.stats.sat += 1;
                return Outcome::Sat(solver.model(pool));
            }
            Answer::Unknown(why) => {
                self.stats.unknown += 1;
                return Outcome::Unknown(reason(why));
            }
            Answer::Unsat => {}
        }
        self.finish(pool, &problem, solver.refutation(), budget)
    }

    /// The same from a refutation that is there already; its partitions are the parts.
    pub fn tree_of(
        &mut self,
        pool: &mut Pool,
        parts: &[TermId],
        parent: &[usize],
        refutation: &Refutation,
        budget: &Budget,
    ) -> Outcome {
        self.stats.problems += 1;
        let cuts = Cuts::of_tree(parent);
        let problem = Problem {
            parts,
            parent,
            cuts: &cuts,
        };
        self.finish(pool, &problem, Some(refutation), budget)
    }

    /// Interpolants of a problem that is unsat.
    fn finish(
        &mut self,
        pool: &mut Pool,
        problem: &Problem,
        refutation: Option<&Refutation>,
        budget: &Budget,
    ) -> Outcome {
        let mut reasons: Vec<String> = Vec::new();
        if let Some(list) = self.by_source(pool, problem, budget, &mut reasons) {
            return Outcome::Interpolants(list);
        }
        let found = match refutation {
            Some(refutation) => {
                self.stats.clauses += refutation.clauses.len() as u64;
                self.extract(pool, problem, refutation, budget, &mut reasons)
            }
            None => {
                reasons.push("the solver gave no proof".into());
                None
            }
        };
        let found = found.or_else(|| self.otherwise(pool, problem, budget, &mut reasons));
        match found {
            Some(list) => Outcome::Interpolants(list),
            None => {
                self.stats.unknown += 1;
                reasons.dedup();
                Outcome::Unknown(reasons.join("; "))
            }
        }
    }

    /// Interpolants of a given refutation of the problem, method after method.
    fn extract(
        &mut self,
        pool: &mut Pool,
        problem: &Problem,
        refutation: &Refutation,
        budget: &Budget,
        reasons: &mut Vec<String>,
    ) -> Option<Vec<TermId>> {
        let clauses = reachable(refutation)?;
        for direction in [Direction::Forward, Direction::Backward] {
            let (parts, cuts) = (problem.parts, problem.cuts);
            let mut colours = Colours::new(pool, parts, cuts, refutation, &clauses, direction);
            if !colours.widened && direction == Direction::Backward {
                break; // nothing depends on the direction
            }
            self.stats.widened += u64::from(colours.widened);
            let mut candidates = Vec::new();
            let mut tried = !colours.widened || direction == Direction::Backward;
            for (labelling, farkas) in self.systems() {
                if budget.check().is_err() {
                    reasons.push("the budget ran out".into());
                    return None;
                }
                let system = (labelling, farkas);
                let mut extraction =
                    Extraction::new(refutation, &clauses, cuts, &mut colours, system, budget);
                let method = Method::Proof(labelling, farkas);
                let list = extraction.run(pool);
                let list =
                    list.and_then(|list| self.tidy(pool, extraction.colours(), list, budget));
                match self.options.selection {
                    Selection::First => {
                        let guide = Some(&extraction);
                        let list = self.checked(pool, problem, list, guide, budget);
                        let mut found = self.accept(method, list, reasons);
                        if found.is_none() && !tried {
                            tried = true;
                            found =
                                self.apart(pool, problem, (refutation, &clauses), budget, reasons);
                        }
                        if found.is_some() {
                            return found;
                        }
                    }
                    Selection::Simplest => {
                        let cost = list.as_ref().map_or(usize::MAX, |l| cost(pool, l));
                        candidates.push((cost, candidates.len(), method, list));
                    }
                }
            }
            candidates.sort_by_key(|c| (c.0, c.1));
            for (_, _, method, list) in candidates {
                let list = self.checked(pool, problem, list, None, budget);
                let found = self.accept(method, list, reasons);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// Interpolants of the same proof with auxiliary variables for literals that mix both sides.
    fn apart(
        &mut self,
        pool: &mut Pool,
        problem: &Problem,
        (refutation, clauses): (&Refutation, &[ClauseId]),
        budget: &Budget,
        reasons: &mut Vec<String>,
    ) -> Option<Vec<TermId>> {
        let (parts, cuts, direction) = (problem.parts, problem.cuts, Direction::Apart);
        let mut colours = Colours::new(pool, parts, cuts, refutation, clauses, direction);
        let system = (Labelling::McMillan, FarkasSide::Primal);
        let mut extraction =
            Extraction::new(refutation, clauses, cuts, &mut colours, system, budget);
        let list = extraction.run(pool);
        let list = list.and_then(|list| self.tidy(pool, extraction.colours(), list, budget));
        let list = self.checked(pool, problem, list, None, budget);
        self.accept(Method::Mixed, list, reasons)
    }

    /// What another interpolator offers, if it passes the check here.
    pub(crate) fn accept_offer(
        &mut self,
        pool: &mut Pool,
        parts: &[TermId],
        parent: &[usize],
        offer: Outcome,
        budget: &Budget,
    ) -> Option<Vec<TermId>> {
        let cuts = Cuts::of_tree(parent);
        let problem = Problem {
            parts,
            parent,
            cuts: &cuts,
        };
        let list = match offer {
            Outcome::Interpolants(list) => Ok(list),
            Outcome::Sat(_) => Err("it says that the parts have a model".into()),
            Outcome::Unknown(why) => Err(why),
        };
        // The check is not an option for formulas from outside.
        let checks = std::mem::replace(&mut self.options.check, true);
        let list = self.checked(pool, &problem, list, None, budget);
        let list = self.accept(Method::External, list, &mut Vec::new());
        self.options.check = checks;
        self.stats.problems += u64::from(list.is_some());
        list
    }

    /// The candidate if it passes the check, else why it does not.
    fn checked(
        &mut self,
        pool: &mut Pool,
        problem: &Problem,
        list: Result<Vec<TermId>, String>,
        guide: Option<&Extraction>,
        budget: &Budget,
    ) -> Result<Vec<TermId>, String> {
        let list = list?;
        check::vocabulary(pool, problem, &list, self.options.diff)?;
        if self.options.check {
            self.stats.checks += check::steps(pool, problem, &list, guide, budget)?;
        }
        Ok(list)
    }

    /// Counts the outcome of a method; why it failed goes to `reasons`.
    fn accept(
        &mut self,
        method: Method,
        result: Result<Vec<TermId>, String>,
        reasons: &mut Vec<String>,
    ) -> Option<Vec<TermId>> {
        match self.stats.record(method, result) {
            Ok(list) => Some(list),
            Err(why) => {
                reasons.push(format!("{method:?}: {why}"));
                None
            }
        }
    }

    /// The chosen system first, then the others that are worth trying.
    fn systems(&self) -> Vec<(Labelling, FarkasSide)> {
        let (labelling, farkas) = (self.options.labelling, self.options.farkas);
        let other = match farkas {
            FarkasSide::Primal => FarkasSide::Dual,
            FarkasSide::Dual => FarkasSide::Primal,
        };
        let mut list = vec![(labelling, farkas), (labelling, other)];
        for next in [
            (Labelling::McMillan, FarkasSide::Primal),
            (Labelling::Pudlak, FarkasSide::Primal),
            (Labelling::InverseMcMillan, FarkasSide::Dual),
        ] {
            if !list.contains(&next) {
                list.push(next);
            }
        }
        list
    }

    /// Cleans and removes aliens.
    fn tidy(
        &mut self,
        pool: &mut Pool,
        colours: &Colours,
        mut list: Vec<TermId>,
        budget: &Budget,
    ) -> Result<Vec<TermId>, String> {
        for (cut, formula) in list.iter_mut().enumerate() {
            if self.options.simplify {
                *formula = clean(pool, *formula);
            }
            let pure = self.remove_aliens(pool, colours, cut, *formula, budget)?;
            if self.options.simplify && pure != *formula {
                *formula = clean(pool, pure);
            } else {
                *formula = pure;
            }
        }
        Ok(list)
    }

    /// Quantifies symbols away that are shared only by courtesy.
    fn remove_aliens(
        &mut self,
        pool: &mut Pool,
        colours: &Colours,
        cut: usize,
        formula: TermId,
        budget: &Budget,
    ) -> Result<TermId, String> {
        if !colours.has_aliens() {
            return Ok(formula);
        }
        let (formula, mut inner) = colours.name_internal(pool, formula, self.options.diff);
        let mut outer = Vec::new();
        for s in pool.symbols_of(&[formula]) {
            match colours.original_side(s, cut) {
                Side::A => inner.push(s),
                Side::B => outer.push(s),
                Side::Shared => {}
            }
        }
        let mut result = formula;
        for (symbols, exists) in [(inner, true), (outer, false)] {
            if symbols.is_empty() {
                continue;
            }
            self.stats.eliminated += symbols.len() as u64;
            let projected = match exists {
                true => eliminate(pool, result, &symbols, budget),
                false => eliminate_universally(pool, result, &symbols, budget),
            };
            result = projected
                .ok_or("symbols of one side could not be eliminated")?
                .formula;
        }
        Ok(result)
    }

    /// Interpolants without a proof, if that is what was asked for.
    fn by_source(
        &mut self,
        pool: &mut Pool,
        problem: &Problem,
        budget: &Budget,
        reasons: &mut Vec<String>,
    ) -> Option<Vec<TermId>> {
        let (method, list) = match self.options.source {
            Source::Proof => return None,
            Source::StrongestPost => {
                let list = fallback::strongest_post(pool, problem, budget);
                (Method::StrongestPost, list)
            }
            Source::WeakestPre => {
                let list = fallback::weakest_pre(pool, problem, budget);
                (Method::WeakestPre, list)
            }
        };
        let list = self.checked(pool, problem, list, None, budget);
        self.accept(method, list, reasons)
    }

    /// A proof for each cut, then strongest postconditions, then weakest preconditions, over an unsat core.
    fn otherwise(
        &mut self,
        pool: &mut Pool,
        problem: &Problem,
        budget: &Budget,
        reasons: &mut Vec<String>,
    ) -> Option<Vec<TermId>> {
        let relaxed = match fallback::relax_to_core(pool, problem.parts, budget) {
            Ok(list) => list,
            Err(_) => problem.parts.to_vec(),
        };
        let problem = Problem {
            parts: &relaxed,
            ..*problem
        };
        for method in [Method::Steps, Method::StrongestPost, Method::WeakestPre] {
            let list = match method {
                Method::Steps => self.stepwise(pool, &problem, budget),
                Method::StrongestPost => fallback::strongest_post(pool, &problem, budget),
                _ => fallback::weakest_pre(pool, &problem, budget),
            };
            let list = self.checked(pool, &problem, list, None, budget);
            let found = self.accept(method, list, reasons);
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

/// How telling a list of interpolants is: few symbols, few and small numerals, small terms.
fn cost(pool: &Pool, list: &[TermId]) -> usize {
    let mut total = 0;
    for &f in list {
        total += 4 * pool.symbols_of(&[f]).len();
        for t in pool.post_order(&[f]) {
            total += match pool.as_number(t).map(|n| n.to_i64()) {
                None => 1,
                Some(Some(-1..=1)) => 2,
                Some(_) => 4,
            };
        }
    }
    total
}

pub(crate) fn reason(why: Unknown) -> String {
    match why {
        Unknown::Budget(stop) => format!("the solver stopped: {stop:?}"),
        Unknown::Incomplete(what) => format!("the solver gave up: {what}"),
    }
}

/// The interpolants of a sequence from those of its parts that are not `true`: across a part that says nothing they stay as
/// they are. So a long path costs as much as its reason is long.
fn stretched(pool: &Pool, parts: &[TermId], of_needed: &[TermId]) -> Vec<TermId> {
    let (mut out, mut before) = (Vec::with_capacity(parts.len()), 0);
    for &part in &parts[..parts.len() - 1] {
        before += usize::from(part != pool.tt());
        out.push(match before {
            0 => pool.tt(),
            n => of_needed.get(n - 1).copied().unwrap_or(pool.ff()),
        });
    }
    out
}
