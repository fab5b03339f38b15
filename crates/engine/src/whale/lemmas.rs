//! New lemmas: from a query that the levels exclude, the strongest statement that they still support.
//!
//! The excluded cube is first weakened by interpolation between the body (with the levels at its
//! calls) and the cube; then literals are dropped from each clause as long as it is inductive: it may be
//! assumed of the function's own recursive calls, because it then holds at every depth below as well.

use super::Search;
use super::levels::{PROVEN, Run};
use crate::core::clauses::clauses;
use base::Stop;
use logic::{Comparison, Op, Pool, Rational, Relation, TermId};
use program::FuncId;
use smt::interpolate::{FarkasSide, Labelling, Options, Outcome};

impl Search<'_, '_> {
    /// Learns from the cube (over the function's vocabulary) being excluded at this depth.
    pub(super) fn learn(&mut self, f: FuncId, core: Vec<TermId>, depth: usize) -> Result<(), Stop> {
        self.known.lemmas += 1;
        let mut cubes = Vec::new();
        if let Some(interpolant) = self.interpolant(f, &core, depth)? {
            let parts = clauses(self.task.pool, interpolant);
            if parts.len() <= self.task.options.limits.whale.lemma_clauses {
                for clause in parts {
                    let negated = self.task.pool.not(clause);
                    let cube = literals(self.task.pool, negated);
                    if !cubes.contains(&cube) {
                        cubes.push(cube);
                    }
                }
            }
        }
        if cubes.is_empty() {
            cubes.push(core);
        }
        let mut done: Vec<TermId> = Vec::new();
        for cube in cubes {
            let cube = self.shrink(f, cube, depth)?;
            let pool = &mut *self.task.pool;
            let cube = pool.and(&cube);
            let lemma = pool.not(cube);
            if lemma == pool.tt() || done.contains(&lemma) {
                continue;
            }
            done.push(lemma);
            let mut level = depth;
            while level < self.known.depth && self.holds(f, lemma, level + 1)? {
                level += 1;
            }
            self.levels.add_lemma(self.task.pool, f, lemma, level);
        }
        Ok(())
    }

    fn interpolant(
        &mut self,
        f: FuncId,
        cube: &[TermId],
        depth: usize,
    ) -> Result<Option<TermId>, Stop> {
        let budget = &self.budget.clone();
        let pool = &mut *self.task.pool;
        let levels = &mut *self.levels;
        let mut body = levels.functions[f].body.clone();
        if depth == 0 {
            body.extend(levels.above(pool, f, 0));
        } else {
            for call in 0..levels.functions[f].calls.len() {
                let made = levels.functions[f].calls[call].made;
                for lemma in levels.lemmas_at(pool, f, call, depth) {
                    body.push(pool.implies(made, lemma));
                }
            }
        }
        let body = pool.and(&body);
        let cube: Vec<TermId> = cube.iter().map(|&t| levels.at_exit(pool, f, t)).collect();
        let cube = pool.and(&cube);
        let options = Options {
            labelling: Labelling::InverseMcMillan,
            farkas: FarkasSide::Dual,
            ..Options::default()
        };
        let solvers = &self.task.options.solvers;
        let outcome = solvers.sequence(pool, &[body, cube], &options, budget);
        budget.check()?;
        Ok(match outcome {
            Outcome::Interpolants(parts) => parts
                .first()
                .map(|&t| self.levels.functions[f].entry.apply(pool, t)),
            _ => None,
        })
    }

    /// Drops literals from the cube while its negation stays inductive relative to the frame.
    fn shrink(&mut self, f: FuncId, cube: Vec<TermId>, depth: usize) -> Result<Vec<TermId>, Stop> {
        // Numbers go first: a flag, such as that of errors, says more than a bound.
        let mut kept = cube;
        kept.sort_by_key(|&t| (is_flag(self.task.pool, t), t));
        let mut at = 0;
        while at < kept.len() && kept.len() > 1 {
            let mut less = kept.clone();
            less.remove(at);
            match self.inductive(f, &less, depth)? {
                Some(core) => {
                    // Literals before `at` were needed with more around them, so they stay.
                    let needed: Vec<TermId> = less
                        .iter()
                        .enumerate()
                        .filter(|&(i, t)| i < at || core.contains(t))
                        .map(|(_, &t)| t)
                        .collect();
                    kept = if needed.is_empty() { less } else { needed };
                }
                None => at += 1,
            }
        }
        if self.known.depth >= self.task.options.limits.whale.widen_from {
            self.widen(f, &mut kept, depth)?;
        }
        Ok(kept)
    }

    /// Moves the bounds of the cube to constants of the body, where it stays excluded.
    fn widen(&mut self, f: FuncId, cube: &mut [TermId], depth: usize) -> Result<(), Stop> {
        for at in 0..cube.len() {
            let wider = self.wider(f, cube[at]);
            for candidate in wider {
                let mut tried = cube.to_vec();
                tried[at] = candidate;
                if self.inductive(f, &tried, depth)?.is_some() {
                    cube[at] = candidate;
                    break;
                }
            }
        }
        Ok(())
    }

    /// Weaker forms of an inequality of integers: other bounds, the weakest first.
    fn wider(&mut self, f: FuncId, literal: TermId) -> Vec<TermId> {
        let pool = &mut *self.task.pool;
        let read = Comparison::of_integers(pool, literal);
        let Some(read) = read.filter(|c| c.relation == Relation::Le) else {
            return Vec::new();
        };
        let Comparison { linear, sort, .. } = read;
        let bound = -&linear.constant;
        let mut bounds: Vec<Rational> = Vec::new();
        let numerals = self.task.options.limits.whale.numerals;
        for n in self.levels.functions[f].numerals.iter().take(numerals) {
            for shifted in [n.clone(), n - &Rational::ONE, -n, &-n - &Rational::ONE] {
                if shifted > bound && !bounds.contains(&shifted) {
                    bounds.push(shifted);
                }
            }
        }
        bounds.sort();
        bounds.reverse();
        let most = self.task.options.limits.whale.widened_bounds;
        if bounds.len() > most {
            // The widest and the nearest.
            bounds.drain(most / 2..bounds.len() - most / 2);
        }
        let with = |constant: Rational| {
            let mut l = linear.clone();
            l.constant = -&constant;
            pool.le_zero(l, sort)
        };
        bounds.into_iter().map(with).collect()
    }

    /// Does no execution end in the cube, if recursive calls do not? The literals needed if so.
    fn inductive(
        &mut self,
        f: FuncId,
        cube: &[TermId],
        depth: usize,
    ) -> Result<Option<Vec<TermId>>, Stop> {
        let budget = &self.budget.clone();
        let pool = &mut *self.task.pool;
        let levels = &mut *self.levels;
        let mut assumptions = levels.above(pool, f, depth);
        let whole = pool.and(cube);
        let lemma = pool.not(whole);
        for call in &mut levels.functions[f].calls {
            if call.callee == f {
                let there = call.there.apply(pool, lemma);
                assumptions.push(pool.implies(call.made, there));
            }
        }
        let known = assumptions.len();
        for &t in cube {
            assumptions.push(levels.at_exit(pool, f, t));
        }
        Ok(match levels.check(pool, f, &assumptions, budget)? {
            Run::Impossible(core) => {
                let named = cube.iter().zip(&assumptions[known..]);
                Some(
                    named
                        .filter(|(_, t)| core.contains(t))
                        .map(|(&t, _)| t)
                        .collect(),
                )
            }
            _ => None,
        })
    }

    /// Does the lemma hold at this depth?
    fn holds(&mut self, f: FuncId, lemma: TermId, depth: usize) -> Result<bool, Stop> {
        let budget = &self.budget.clone();
        let pool = &mut *self.task.pool;
        let mut assumptions = self.levels.above(pool, f, depth);
        let exit = self.levels.at_exit(pool, f, lemma);
        assumptions.push(pool.not(exit));
        let run = self.levels.check(pool, f, &assumptions, budget)?;
        Ok(matches!(run, Run::Impossible(_)))
    }

    /// Raises lemmas to the next level where they hold there. A level that loses all its lemmas is
    /// one above which the lemmas support each other: the level is returned.
    pub(super) fn raise(&mut self) -> Result<Option<usize>, Stop> {
        for level in 0..self.known.depth {
            let mut stays = false;
            for f in self.levels.functions.ids() {
                let here: Vec<TermId> = self.levels.functions[f]
                    .lemmas
                    .iter()
                    .filter(|l| l.level == level)
                    .map(|l| l.formula)
                    .collect();
                for lemma in here {
                    if self.holds(f, lemma, level + 1)? {
                        self.known.covers += 1;
                        self.levels.add_lemma(self.task.pool, f, lemma, level + 1);
                    } else if f != self.prepared.entry {
                        self.known.resets += 1;
                        stays = true;
                    }
                }
            }
            if !stays {
                return Ok(Some(level));
            }
        }
        debug_assert!(self.known.depth < PROVEN, "levels are counted");
        Ok(None)
    }
}

/// The literals of a conjunction, as far as it is one; equations in halves.
fn literals(pool: &mut Pool, t: TermId) -> Vec<TermId> {
    let mut out = Vec::new();
    let mut work = vec![t];
    while let Some(t) = work.pop() {
        match pool.op(t) {
            Op::And => work.extend(pool.args(t).to_vec()),
            Op::Not if pool.op(pool.args(t)[0]) == Op::Or => {
                let parts = pool.args(pool.args(t)[0]).to_vec();
                for p in parts {
                    work.push(pool.not(p));
                }
            }
            _ => out.extend(super::queries::halves(pool, t)),
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

fn is_flag(pool: &Pool, literal: TermId) -> bool {
    let atom = match pool.op(literal) {
        Op::Not => pool.args(literal)[0],
        _ => literal,
    };
    pool.as_constant(atom).is_some()
}
