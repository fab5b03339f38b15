//! Interpolants in the words of templates, so that they do not follow a loop round by round.
//!
//! Terms. A *counter* is a variable that some statement changes by a constant. A *template* is a
//! linear term over counters of a loop head: each of them, `t*v - s*w` for two that are stepped by
//! s and t, the sum of all. A *bridge* ties two copies of the counters by bounds on templates only.
//!
//! Idea, on `i = c = 0; while (i < n) {i++; c++} while (i > 0) {i--; c--} assert c = 0`: the path
//! with one round of each loop is refuted by c = 1 between the loops, the next one by c = 2, and so
//! on. At each loop head the path is cut open, and bridged on both sides of the cut:
//! ```text
//!   ... block(x) bridge(x, x')  |cut|  bridge(x', x'') block(x'') ...
//! ```
//! With bridges for `c - i = c' - i'` and `i <= i'` alone the path is still infeasible, so there is
//! an interpolant in these terms: c = i and i >= 0, which is inductive.
//! Which bounds are needed is found by unsat cores over all of them, plain variables dropped first.
//!
//! Source: Leroux, Rümmer, Subotić, "Guiding Craig interpolation with domain-specific abstractions"
//! (Acta Informatica 2016); the search in their lattice of templates is by cores here.
//!
//! Sound because a bridge holds between equal copies: each interpolant is inductive along the path
//! itself, and what the path's nodes need is an instance of what was checked.

use crate::api::Task;
use crate::core::path::{Ssa, Versions, transition};
use crate::guess::counters::strides;
use crate::prepare::Prepared;
use base::{FxHashMap, Stop};
use logic::{Pool, Rational, TermId};
use program::{BlockId, LocId, Program, VarId};
use smt::Answer;
use std::collections::{BTreeMap, BTreeSet};

/// The counters of a program, with their steps.
#[derive(Default)]
pub struct Counters {
    steps: BTreeMap<VarId, Vec<Rational>>,
}

impl Counters {
    pub fn of(pool: &Pool, program: &Program) -> Self {
        let mut steps: BTreeMap<VarId, Vec<Rational>> = BTreeMap::new();
        for (v, step) in strides(pool, program) {
            let list = steps.entry(v).or_default();
            if !list.contains(&step) {
                list.push(step);
            }
        }
        Counters { steps }
    }

    /// Templates over these counters: first the relations, then the counters themselves.
    fn templates(
        &self,
        pool: &mut Pool,
        program: &Program,
        vars: &[VarId],
        most: usize,
    ) -> Templates {
        let mut relations: Vec<TermId> = Vec::new();
        let scaled =
            |pool: &mut Pool, k: &Rational, v: VarId| pool.mul_const(k, program.vars[v].term);
        for (i, &v) in vars.iter().enumerate() {
            for &w in &vars[..i] {
                if program.vars[v].sort != program.vars[w].sort {
                    continue;
                }
                for s in &self.steps[&v] {
                    for t in &self.steps[&w] {
                        // v takes s where w takes t.
                        let (a, b) = match s.abs() == t.abs() {
                            true => (Rational::ONE, -(s.clone() * t.recip())),
                            false => (t.clone(), -s.clone()),
                        };
                        let (v, w) = (scaled(pool, &a, v), scaled(pool, &b, w));
                        relations.push(pool.add(&[v, w]));
                    }
                }
            }
        }
        let same_sort = |w: &[VarId]| program.vars[w[0]].sort == program.vars[w[1]].sort;
        if vars.len() > 2 && vars.windows(2).all(same_sort) {
            let all: Vec<TermId> = vars.iter().map(|&v| program.vars[v].term).collect();
            relations.push(pool.add(&all));
        }
        let mut seen = Vec::new();
        for t in relations {
            let opposite = pool.neg(t);
            if !seen.contains(&t) && !seen.contains(&opposite) {
                seen.push(t);
            }
        }
        seen.truncate(most);
        Templates {
            relations: seen,
            plain: vars.iter().map(|&v| program.vars[v].term).collect(),
        }
    }
}

struct Templates {
    relations: Vec<TermId>,
    plain: Vec<TermId>,
}

/// A bound on a template that bridges may use, behind a Boolean.
struct Bound {
    guard: TermId,
    /// A counter itself, not a relation between some.
    plain: bool,
}

/// What bridges are built with.
pub struct Bridges<'a, 't> {
    pub task: &'a mut Task<'t>,
    pub prepared: &'a Prepared,
    pub counters: &'a Counters,
    pub versions: &'a mut Versions,
    pub var_of: &'a FxHashMap<TermId, VarId>,
}

impl Bridges<'_, '_> {
    /// The path formula by blocks with bridges at its loop heads, as few as keep it infeasible;
    /// `None` if the plain path is as good (no counters, too long, feasible, or the solver gives
    /// up). `assumed` holds before each block.
    pub fn parts(
        &mut self,
        blocks: &[BlockId],
        assumed: &[Vec<TermId>],
    ) -> Result<Option<Vec<TermId>>, Stop> {
        if blocks.len() > self.task.options.limits.guess.template_blocks || blocks.len() < 2 {
            return Ok(None);
        }
        let mut bounds: Vec<Bound> = Vec::new();
        let parts = self.guarded_parts(blocks, assumed, &mut bounds);
        if bounds.is_empty() {
            return Ok(None);
        }
        let Some(kept) = self.needed(&parts, &bounds)? else {
            return Ok(None);
        };
        let (tt, ff) = (self.task.pool.tt(), self.task.pool.ff());
        let chosen: Vec<(TermId, TermId)> = bounds
            .iter()
            .map(|b| match kept.contains(&b.guard) {
                true => (b.guard, tt),
                false => (b.guard, ff),
            })
            .collect();
        let pool = &mut *self.task.pool;
        let parts = parts.iter().map(|&p| pool.substitute(p, &chosen)).collect();
        Ok(Some(parts))
    }

    /// The bounds without which the path would be feasible: relations are kept before counters.
    fn needed(&mut self, parts: &[TermId], bounds: &[Bound]) -> Result<Option<Vec<TermId>>, Stop> {
        let budget = self.task.budget;
        let mut solver = self.prepared.solvers.solver();
        let pool = &mut *self.task.pool;
        for &p in parts {
            solver.assert(pool, p);
        }
        let mut calls = 1;
        let all: Vec<TermId> = bounds.iter().map(|b| b.guard).collect();
        let relations = bounds.iter().filter(|b| !b.plain).map(|b| b.guard);
        let relations: Vec<TermId> = relations.collect();
        let mut kept = None;
        for set in [relations, all] {
            calls += 1;
            if matches!(solver.check(pool, &set, budget), Answer::Unsat) {
                let core = solver.core().to_vec();
                kept = Some(
                    set.into_iter()
                        .filter(|g| core.contains(g))
                        .collect::<Vec<_>>(),
                );
                break;
            }
            budget.check()?;
        }
        let Some(mut kept) = kept else {
            return Ok(None);
        };
        // Counters first, last ones first.
        let order = bounds.iter().rev().filter(|b| b.plain);
        let order = order.chain(bounds.iter().rev().filter(|b| !b.plain));
        for b in order {
            if !kept.contains(&b.guard) {
                continue;
            }
            let less: Vec<TermId> = kept.iter().copied().filter(|g| *g != b.guard).collect();
            calls += 1;
            if matches!(solver.check(pool, &less, budget), Answer::Unsat) {
                let core = solver.core();
                kept = less.into_iter().filter(|g| core.contains(g)).collect();
            }
            budget.check()?;
        }
        self.task.stats.add("template checks", calls);
        Ok(Some(kept))
    }

    /// The path formula by blocks, with all bridges behind their guards.
    fn guarded_parts(
        &mut self,
        blocks: &[BlockId],
        assumed: &[Vec<TermId>],
        bounds: &mut Vec<Bound>,
    ) -> Vec<TermId> {
        let most_counters = self.task.options.limits.guess.template_counters;
        let mut ssa = Ssa::default();
        let mut parts: Vec<TermId> = Vec::new();
        let mut guards: FxHashMap<(LocId, TermId, bool), TermId> = FxHashMap::default();
        // Written since their last version, by a block that does not say what.
        let mut stale: BTreeSet<VarId> = BTreeSet::new();
        for (&block, assumed) in blocks.iter().zip(assumed) {
            let loc = self.prepared.graph.blocks[block].from;
            let mut conjuncts = Vec::new();
            if !parts.is_empty() && self.prepared.is_loop_head(loc) {
                let vars: Vec<VarId> = self.counters.steps.keys().copied().collect();
                let live = |v: &VarId| ssa.version(*v) > 0 && !stale.contains(v);
                let vars: Vec<VarId> = vars.into_iter().filter(live).collect();
                if (1..=most_counters).contains(&vars.len()) {
                    let before = self.bridge(&mut ssa, loc, &vars, &mut guards, bounds);
                    let last = parts.pop().expect("not the first part");
                    parts.push(self.task.pool.and2(last, before));
                    conjuncts.push(self.bridge(&mut ssa, loc, &vars, &mut guards, bounds));
                }
            }
            let pool = &mut *self.task.pool;
            for &fact in assumed {
                conjuncts.push(ssa.instantiate(pool, self.versions, self.var_of, fact));
            }
            let t = transition(&self.prepared.graph, block);
            stale.extend(t.dead.iter().copied());
            stale.retain(|v| t.modified.binary_search(v).is_err());
            conjuncts.push(ssa.step(pool, &self.prepared.program, self.versions, block, t));
            parts.push(pool.and(&conjuncts));
        }
        parts
    }

    /// A bridge to new copies of the counters.
    fn bridge(
        &mut self,
        ssa: &mut Ssa,
        loc: LocId,
        vars: &[VarId],
        guards: &mut FxHashMap<(LocId, TermId, bool), TermId>,
        bounds: &mut Vec<Bound>,
    ) -> TermId {
        let program = &self.prepared.program;
        let most = self.task.options.limits.guess.templates;
        let pool = &mut *self.task.pool;
        let templates = self.counters.templates(pool, program, vars, most);
        let mut terms: Vec<(TermId, bool)> = Vec::new();
        terms.extend(templates.relations.into_iter().map(|t| (t, false)));
        terms.extend(templates.plain.into_iter().map(|t| (t, true)));
        let old: Vec<TermId> = terms
            .iter()
            .map(|&(t, _)| ssa.instantiate(pool, self.versions, self.var_of, t))
            .collect();
        for &v in vars {
            ssa.renew(v);
        }
        let mut conjuncts = Vec::new();
        for &v in vars {
            if let Some((low, high)) = &program.vars[v].range {
                let term = program.vars[v].term;
                let copy = ssa.instantiate(pool, self.versions, self.var_of, term);
                conjuncts.push(pool.in_range(low, copy, high));
            }
        }
        for (&(t, plain), old) in terms.iter().zip(old) {
            let new = ssa.instantiate(pool, self.versions, self.var_of, t);
            for (up, bound) in [(true, pool.le(old, new)), (false, pool.le(new, old))] {
                let guard = *guards.entry((loc, t, up)).or_insert_with(|| {
                    let sort = pool.bool_sort();
                    let guard = pool.fresh_constant("bound", sort);
                    bounds.push(Bound { guard, plain });
                    guard
                });
                conjuncts.push(pool.implies(guard, bound));
            }
        }
        pool.and(&conjuncts)
    }
}
