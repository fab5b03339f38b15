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
use base::Stop;
use logic::{IBig, Linear, Memo, Pool, Rational, TermId};
use program::{LocId, VarId};
use std::collections::BTreeSet;

/// Larger coefficients are accidents.
const COEFFICIENT: i64 = 10_000;

/// Polynomial equalities at every loop head of the region.
pub struct Polynomials;

impl Generator for Polynomials {
    fn name(&self) -> &'static str {
        "candidates: polynomials"
    }

    fn stage(&self) -> Stage {
        Stage::Polynomials
    }

    fn most_heads(&self, limits: &GuessLimits) -> usize {
        limits.polynomial_heads
    }

    fn candidates(&self, scene: &mut Scene<'_, '_>) -> Result<Candidates, Stop> {
        let mut out = Candidates::new();
        for &head in scene.region.heads {
            scene.budget.check()?;
            let facts = at_head(scene, head);
            if !facts.is_empty() {
                out.insert(head, facts);
            }
        }
        Ok(out)
    }
}

/// The equalities of one loop head; none without samples.
fn at_head(scene: &mut Scene<'_, '_>, head: LocId) -> Vec<TermId> {
    let Some(samples) = scene.samples else {
        return Vec::new();
    };
    let (changed, others) = variables(scene.pool, scene.region, head, scene.limits);
    let vars = changed.iter().chain(&others);
    let vars = vars.map(|&v| scene.region.program.vars[v].term);
    let terms: Vec<TermId> = vars.collect();
    let mut out = equalities(scene.pool, samples, head, &terms, scene.limits);
    unless_at_limit(scene, &others, &mut out);
    out
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

/// The equalities of the lowest degree that has any: multiples of them say nothing new and are hard to prove.
fn equalities(
    pool: &mut Pool,
    samples: &Samples,
    head: LocId,
    vars: &[TermId],
    limits: &GuessLimits,
) -> Vec<TermId> {
    if vars.is_empty() {
        return Vec::new();
    }
    let squares = monomials(pool, vars, false);
    let found = relations(pool, samples, head, vars, &squares);
    if !found.is_empty() || vars.len() > limits.polynomial_cubes {
        return found;
    }
    let cubes = monomials(pool, vars, true);
    relations(pool, samples, head, vars, &cubes)
}

/// The affine relations of monomials, those of single variables left out.
fn relations(
    pool: &mut Pool,
    samples: &Samples,
    head: LocId,
    vars: &[TermId],
    monomials: &[TermId],
) -> Vec<TermId> {
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
        return Vec::new();
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
    let equations = space.map_or_else(Vec::new, |s| s.equations(monomials));
    let int = pool.int_sort();
    let mut out = Vec::new();
    for equation in equations {
        let product = equation.terms.iter().any(|(t, _)| !vars.contains(t));
        if product && is_small(&equation) {
            out.push(pool.eq_zero(equation, int));
        }
    }
    out
}

/// Whether the coefficients are small once they are whole.
fn is_small(equation: &Linear) -> bool {
    let all = equation.terms.iter().map(|(_, c)| c);
    let mut common = IBig::ONE;
    for c in all.clone().chain([&equation.constant]) {
        let d = c.denominator();
        if &common % &d != IBig::ZERO {
            common *= d;
        }
    }
    let limit = IBig::from(COEFFICIENT);
    let common = Rational::from(common);
    let whole = |c: &Rational| (c * &common).abs().numerator();
    common.numerator() <= limit && all.map(whole).all(|c| c <= limit)
}
