//! Polynomial equalities between integer variables at loop heads: affine relations of monomials.
//!
//! Idea: on `s = 0; i = 0; while (i < n) { i++; s += i; }` no affine relation holds between s and i, but
//! the states of runs, (0,0), (1,1), (3,2), (6,3), with the monomial i*i beside them lie on the plane
//! `2*s = i*i + i`. So: evaluate all monomials up to a degree in every state that random runs have met at a loop head, take the
//! smallest affine space through these points (`affine::Space`), and offer its equations with a product in them.
//! Source: Sharma et al., "A Data Driven Approach for Algebraic Loop Invariants" (ESOP 2013).
//!
//! The result is a guess for Houdini like any other: nothing rests on it being right. Few states
//! make many equations, of which most are accidents; so there must be clearly more states than monomials.

use crate::core::path::transition;
use crate::guess::affine::{Region, Space};
use crate::guess::generator::{Candidates, Generator, Scene, Stage};
use crate::guess::samples::Samples;
use crate::limits::GuessLimits;
use base::{Budget, Stop};
use logic::{IBig, Linear, Memo, Op, Pool, Rational, TermId};
use program::{BlockGraph, BlockId, LocId, VarId};
use std::collections::BTreeSet;

/// Larger coefficients are accidents.
const COEFFICIENT: i64 = 10_000;

/// Polynomial equalities at every loop head of the region: before anything else where the region multiplies, and
/// late where it does not.
pub struct Polynomials {
    pub early: bool,
}

impl Generator for Polynomials {
    fn name(&self) -> &'static str {
        match self.early {
            true => "candidates: polynomials of products",
            false => "candidates: polynomials",
        }
    }

    fn stage(&self) -> Stage {
        match self.early {
            true => Stage::Products,
            false => Stage::Polynomials,
        }
    }

    fn most_heads(&self, limits: &GuessLimits) -> usize {
        limits.polynomial_heads
    }

    fn candidates(&self, scene: &mut Scene<'_, '_>) -> Result<Candidates, Stop> {
        let mut out = Candidates::new();
        if multiplies(scene.pool, scene.region.graph) != self.early {
            return Ok(out);
        }
        for &head in scene.region.heads {
            let mut facts = at_head(scene, head)?;
            if facts.is_empty() {
                continue;
            }
            if self.early {
                facts.extend(orders(scene, head));
            }
            out.insert(head, facts);
        }
        Ok(out)
    }
}

/// Signs and orders of variables, without which equalities rarely hold or suffice: what `y / 2` is depends on the sign of y, and at
/// the end of `while (i < n)` it takes `i <= n` to know that i is n.
fn orders(scene: &mut Scene<'_, '_>, head: LocId) -> Vec<TermId> {
    let (changed, others) = around(scene.pool, scene.region, head, scene.limits);
    let term = |v: &VarId| scene.region.program.vars[*v].term;
    let changed: Vec<TermId> = changed.iter().map(term).collect();
    let others: Vec<TermId> = others.iter().map(term).collect();
    let pool = &mut *scene.pool;
    let mut out = Vec::new();
    for least in [0, 1] {
        let least = pool.int(least);
        out.extend(changed.iter().map(|&v| pool.ge(v, least)));
    }
    if changed.len() * others.len() <= scene.limits.polynomial_pairs {
        for &v in &changed {
            for &u in &others {
                for more in [0, 1] {
                    let more = pool.int(more);
                    let end = pool.add2(u, more);
                    out.push(pool.le(v, end));
                }
            }
        }
    }
    out
}

/// Whether a step, or the way to an error, has a product of variables, and no word wraps around: where words do, equalities end some
/// time, which is hard to see.
pub(crate) fn multiplies(pool: &Pool, graph: &BlockGraph) -> bool {
    let blocks = graph.blocks.iter_enumerated();
    let formulas = blocks.map(|(id, _)| transition(graph, id).formula);
    let formulas: Vec<TermId> = formulas.collect();
    has_product(pool, &formulas) && !wraps(pool, &formulas)
}

/// Whether a word wraps around in formulas.
pub(super) fn wraps(pool: &Pool, formulas: &[TermId]) -> bool {
    let wrap = |t: &TermId| matches!(pool.op(*t), Op::Wrap { .. });
    pool.post_order(formulas).iter().any(wrap)
}

/// Whether there is a product of variables in formulas.
pub(super) fn has_product(pool: &Pool, formulas: &[TermId]) -> bool {
    let inside = pool.post_order(formulas);
    inside.iter().any(|&t| {
        let plain = |a: &&TermId| pool.as_number(**a).is_none();
        pool.op(t) == Op::Mul && pool.args(t).iter().filter(plain).count() > 1
    })
}

/// The equalities of one loop head; none without samples.
fn at_head(scene: &mut Scene<'_, '_>, head: LocId) -> Result<Vec<TermId>, Stop> {
    let Some(samples) = scene.samples else {
        return Ok(Vec::new());
    };
    let (changed, others) = around(scene.pool, scene.region, head, scene.limits);
    let term = |&v: &VarId| scene.region.program.vars[v].term;
    let changed: Vec<TermId> = changed.iter().map(term).collect();
    let mut terms: Vec<TermId> = others.iter().map(term).collect();
    terms.extend(&changed);
    let search = Search {
        changed,
        samples,
        head,
        limits: scene.limits,
        budget: scene.budget,
    };
    let mut out = search.equalities(scene.pool, terms)?;
    unless_at_limit(scene, &others, &mut out);
    Ok(out)
}

/// The same equalities unless a variable that the loop keeps has the largest value there is. `i <= n` for
/// machine words is a loop without an end then, in which everything wraps around some time.
fn unless_at_limit(scene: &mut Scene<'_, '_>, kept: &[VarId], facts: &mut Vec<TermId>) {
    let plain = facts.clone();
    for &v in kept {
        let var = &scene.region.program.vars[v];
        let Some((_, high)) = var.range.clone() else {
            continue;
        };
        let limit = scene.pool.int(high);
        let at_limit = scene.pool.eq(var.term, limit);
        for &fact in &plain {
            facts.push(scene.pool.or2(at_limit, fact));
        }
    }
}

/// The integer variables that a loop changes, and others that its region reads, while they are few together.
pub(super) fn variables(
    pool: &Pool,
    region: &Region<'_>,
    head: LocId,
    limits: &GuessLimits,
) -> (Vec<VarId>, Vec<VarId>) {
    let (mut changed, mut others) = (BTreeSet::new(), BTreeSet::new());
    for &id in &region.blocks {
        let block = &region.graph.blocks[id];
        let t = transition(region.graph, id);
        match block.to == head && block.from == head {
            true => changed.extend(t.modified.iter().copied()),
            false => others.extend(t.modified.iter().copied()),
        }
    }
    let integer = |v: &VarId| region.program.vars[*v].sort == pool.int_sort();
    let vars: Vec<VarId> = changed.into_iter().filter(integer).collect();
    if vars.is_empty() || vars.len() > limits.polynomial_variables {
        return (Vec::new(), Vec::new());
    }
    let known: BTreeSet<VarId> = vars.iter().copied().collect();
    let others = others.into_iter().filter(|v| !known.contains(v));
    let room = limits.polynomial_variables - vars.len();
    let others = others.filter(integer).take(room).collect();
    (vars, others)
}

/// The integer variables that are changed on a way from a loop head back to it, and others that the region reads.
fn around(
    pool: &Pool,
    region: &Region<'_>,
    head: LocId,
    limits: &GuessLimits,
) -> (Vec<VarId>, Vec<VarId>) {
    let inside = laps(region, head);
    let (mut changed, mut others) = (BTreeSet::new(), BTreeSet::new());
    let mut read = BTreeSet::new();
    for &id in &region.blocks {
        let t = transition(region.graph, id);
        read.extend(t.reads.iter().copied());
        match inside.contains(&id) {
            true => changed.extend(t.modified.iter().copied()),
            false => others.extend(t.modified.iter().copied()),
        }
    }
    let integer = |v: &VarId| region.program.vars[*v].sort == pool.int_sort();
    let wanted = |v: &VarId| integer(v) && read.contains(v);
    let vars: Vec<VarId> = changed.iter().copied().filter(wanted).collect();
    if vars.is_empty() || vars.len() > limits.polynomial_linear {
        return (Vec::new(), Vec::new());
    }
    let others = others.into_iter().filter(|v| !changed.contains(v));
    let room = limits.polynomial_linear - vars.len();
    let others = others.filter(wanted).take(room).collect();
    (vars, others)
}

/// The blocks on ways from a location back to it.
fn laps(region: &Region<'_>, head: LocId) -> BTreeSet<BlockId> {
    let closure = |forward: bool| {
        let mut seen = BTreeSet::from([head]);
        let mut found = BTreeSet::new();
        let mut more = true;
        while more {
            more = false;
            for &id in &region.blocks {
                let block = &region.graph.blocks[id];
                let (near, far) = match forward {
                    true => (block.from, block.to),
                    false => (block.to, block.from),
                };
                if seen.contains(&near) && found.insert(id) {
                    seen.insert(far);
                    more = true;
                }
            }
        }
        found
    };
    let back = closure(false);
    closure(true).intersection(&back).copied().collect()
}

/// Single variables, then products of two, and with `cubes` of three.
pub(super) fn monomials(pool: &mut Pool, vars: &[TermId], cubes: bool) -> Vec<TermId> {
    let mut out = vars.to_vec();
    for (i, &a) in vars.iter().enumerate() {
        for (j, &b) in vars.iter().enumerate().skip(i) {
            out.push(pool.mul(&[a, b]));
            if cubes {
                out.extend(vars[j..].iter().map(|&c| pool.mul(&[a, b, c])));
            }
        }
    }
    out
}

/// Monomials up to a degree, lower ones first; `None` if they are too many.
fn up_to(pool: &mut Pool, vars: &[TermId], degree: usize, most: usize) -> Option<Vec<TermId>> {
    let mut out = vars.to_vec();
    // Products of the last degree, with the place of their last factor.
    let mut last: Vec<(TermId, usize)> = vars.iter().copied().zip(0..).collect();
    for _ in 1..degree {
        let mut next = Vec::new();
        for (product, from) in last {
            for (n, &v) in vars.iter().enumerate().skip(from) {
                next.push((pool.mul(&[product, v]), n));
            }
            if out.len() + next.len() > most {
                return None;
            }
        }
        out.extend(next.iter().map(|(t, _)| *t));
        last = next;
    }
    (out.len() <= most).then_some(out)
}

/// Relations in the states of one head.
struct Search<'a> {
    /// Variables that the loop changes.
    changed: Vec<TermId>,
    samples: &'a Samples,
    head: LocId,
    limits: &'a GuessLimits,
    budget: &'a Budget,
}

impl Search<'_> {
    /// Equalities degree by degree. What an equality defines (`z = 6 * n + 6`, `s = x * y - z`) is in no later product: so there
    /// are fewer monomials, and higher degrees are in reach. Multiples of equalities say nothing new and are hard to prove, so a
    /// degree with others is the last one.
    fn equalities(&self, pool: &mut Pool, mut vars: Vec<TermId>) -> Result<Vec<TermId>, Stop> {
        let mut out = Vec::new();
        let mut degree = 1;
        while degree <= self.limits.polynomial_degree {
            self.budget.check()?;
            let most = self.limits.polynomial_monomials;
            let Some(monomials) = up_to(pool, &vars, degree, most) else {
                break;
            };
            let Some(found) = relations(pool, self.samples, self.head, &monomials) else {
                break;
            };
            let mut found = found;
            found.retain(|e| degree == 1 || self.speaks_of_change(pool, e));
            let int = pool.int_sort();
            let definition = found
                .iter()
                .find_map(|e| Some((defined(pool, e, &vars)?, e.clone())));
            if let Some((v, equation)) = definition {
                out.push(pool.eq_zero(equation, int));
                vars.retain(|x| *x != v);
                if vars.is_empty() {
                    break;
                }
                continue;
            }
            for e in &found {
                out.push(pool.eq_zero(e.clone(), int));
            }
            if !found.is_empty() && degree > 1 {
                break;
            }
            degree += 1;
        }
        let inside = |pool: &Pool, f: &TermId| has_product(pool, &[*f]);
        // Relations without products are those of other generators, unless products rest on them.
        let any = out.iter().any(|f| inside(pool, f));
        Ok(if any { out } else { Vec::new() })
    }

    /// Inputs that had few values in all runs have relations of their own, which are accidents.
    fn speaks_of_change(&self, pool: &Pool, equation: &Linear) -> bool {
        equation.terms.iter().any(|(t, _)| {
            let is_changed = |v: &TermId| self.changed.contains(v);
            is_changed(t) || pool.args(*t).iter().any(is_changed)
        })
    }
}

/// The last of some variables that an equality defines: with the coefficient one or minus one, once it is whole, and not in a product.
fn defined(pool: &Pool, equation: &Linear, vars: &[TermId]) -> Option<TermId> {
    let unit = whole(equation);
    let in_product = |v: TermId| {
        let others = equation.terms.iter().filter(|(t, _)| *t != v);
        others
            .clone()
            .any(|(t, _)| pool.args(*t).contains(&v) && pool.op(*t) == Op::Mul)
    };
    let candidates = vars.iter().rev().copied();
    candidates.into_iter().find(|&v| {
        let c = equation.terms.iter().find(|(t, _)| *t == v);
        c.is_some_and(|(_, c)| (c * &unit).abs() == Rational::ONE) && !in_product(v)
    })
}

/// The affine relations of monomials with small coefficients; `None` if there are too few states to tell.
fn relations(
    pool: &Pool,
    samples: &Samples,
    head: LocId,
    monomials: &[TermId],
) -> Option<Vec<Linear>> {
    let mut points: BTreeSet<Vec<Rational>> = BTreeSet::new();
    let mut memo = Memo::new();
    for state in samples.states(head) {
        memo.clear();
        let values = monomials
            .iter()
            .map(|&m| memo.eval(pool, state, m).as_num().cloned());
        points.extend(values.collect::<Option<Vec<Rational>>>());
    }
    if points.len() < monomials.len() + 3 {
        return None;
    }
    let mut space: Option<Space> = None;
    for point in points {
        match &mut space {
            Some(space) => {
                space.join(&point);
            }
            None => space = Some(Space::at(point)),
        }
    }
    let mut equations = space.map_or_else(Vec::new, |s| s.equations(monomials));
    equations.retain(is_small);
    Some(equations)
}

/// The least number that makes all coefficients whole.
fn whole(equation: &Linear) -> Rational {
    let all = equation.terms.iter().map(|(_, c)| c);
    let mut common = IBig::ONE;
    for c in all.chain([&equation.constant]) {
        let d = c.denominator();
        if &common % &d != IBig::ZERO {
            common *= d;
        }
    }
    Rational::from(common)
}

/// Whether the coefficients are small once they are whole.
fn is_small(equation: &Linear) -> bool {
    let all = equation.terms.iter().map(|(_, c)| c);
    let limit = IBig::from(COEFFICIENT);
    let common = whole(equation);
    let whole = |c: &Rational| (c * &common).abs().numerator();
    common.numerator() <= limit && all.map(whole).all(|c| c <= limit)
}
