//! Affine equalities between integer variables at cut points, by symbolic abstraction.
//!
//! Idea: on `x = 0; y = 0; while (*) { x++; y += 2; }` the states at the loop head lie on a line.
//! Take one state the solver finds there, (0,0); the smallest affine space with it is the point
//! x = 0, y = 0. Ask for a step that leaves it: (1,2). The smallest space with both is y = 2x; no
//! step leaves it, so it is an invariant. Each new state raises the dimension, so at most one more
//! than there are variables are needed a location.
//! Source: Reps, Sagiv, Yorsh, "Symbolic Implementation of the Best Transformer" (VMCAI 2004), on
//! Karr's domain.
//!
//! The result is a guess for Houdini like any other: nothing rests on it being right.

use crate::core::block_solver::BlockSolver;
use crate::core::houdini::Invariants;
use crate::core::path::transition;
use crate::guess::generator::{Candidates, Generator, Scene, Stage};
use crate::guess::statement_facts;
use crate::limits::{GuessLimits, Slice};
use crate::prepare::Prepared;
use base::{Budget, Stop};
use logic::{Linear, Pool, Rational, TermId, Value};
use program::{BlockGraph, BlockId, EdgeId, LocId, Program, VarId, primed};
use std::collections::{BTreeMap, BTreeSet};

/// A set of points and the smallest affine space through them.
#[derive(Clone, Default)]
pub struct Space {
    origin: Vec<Rational>,
    /// Echelon basis of the directions; each row has a pivot column with coefficient one, and zero
    /// in the pivot columns of the other rows.
    basis: Vec<(usize, Vec<Rational>)>,
}

impl Space {
    /// The point alone.
    pub fn at(point: Vec<Rational>) -> Self {
        Space {
            origin: point,
            basis: Vec::new(),
        }
    }

    /// Widens the space to contain `point`; says whether it did not before.
    pub fn join(&mut self, point: &[Rational]) -> bool {
        let mut d: Vec<Rational> = point.iter().zip(&self.origin).map(|(p, o)| p - o).collect();
        for (pivot, row) in &self.basis {
            let factor = -&d[*pivot];
            add_scaled(&mut d, &factor, row);
        }
        let Some(pivot) = d.iter().position(|c| !c.is_zero()) else {
            return false;
        };
        let inverse = d[pivot].recip();
        d.iter_mut().for_each(|c| *c = &*c * &inverse);
        for (_, row) in &mut self.basis {
            let factor = -&row[pivot];
            add_scaled(row, &factor, &d);
        }
        self.basis.push((pivot, d));
        true
    }

    /// The equations of the space, as linear forms that are zero on it: one per non-pivot column.
    pub fn equations(&self, terms: &[TermId]) -> Vec<Linear> {
        let pivots: BTreeSet<usize> = self.basis.iter().map(|(p, _)| *p).collect();
        let free = (0..terms.len()).filter(|c| !pivots.contains(c));
        free.map(|column| {
            // x_c = o_c + sum over basis of row_c * (x_pivot - o_pivot)
            let mut terms_out = vec![(terms[column], Rational::ONE)];
            let mut constant = -&self.origin[column];
            for (pivot, row) in &self.basis {
                let c = &row[column];
                if !c.is_zero() {
                    terms_out.push((terms[*pivot], -c));
                    constant = constant.mul_add(c, &self.origin[*pivot]);
                }
            }
            terms_out.sort_unstable_by_key(|(t, _)| *t);
            Linear {
                terms: terms_out,
                constant,
            }
        })
        .collect()
    }
}

fn add_scaled(to: &mut [Rational], factor: &Rational, row: &[Rational]) {
    if factor.is_zero() {
        return;
    }
    for (t, r) in to.iter_mut().zip(row) {
        *t = t.mul_add(factor, r);
    }
}

/// The affine hull of the points seen so far, over some terms of one sort of numbers.
pub struct Hull {
    pub terms: Vec<TermId>,
    space: Option<Space>,
}

impl Hull {
    pub fn over(terms: Vec<TermId>) -> Self {
        Hull { terms, space: None }
    }

    /// Has no point been seen?
    pub fn is_empty(&self) -> bool {
        self.space.is_none()
    }

    /// Takes in points outside of what is known of the hull (nothing, before there is a point), until there are no
    /// more; says whether it has grown.
    pub fn grow(
        &mut self,
        pool: &mut Pool,
        mut outside: impl FnMut(&mut Pool, &Hull) -> Result<Option<Vec<Value>>, Stop>,
    ) -> Result<bool, Stop> {
        let mut grown = false;
        while let Some(point) = outside(pool, self)?
            && self.join(point)
        {
            grown = true;
        }
        Ok(grown)
    }

    /// Adds a point; says if the hull has grown. A point that is not of numbers adds nothing.
    fn join(&mut self, values: Vec<Value>) -> bool {
        let point: Option<Vec<Rational>> = values.iter().map(|v| v.as_num().cloned()).collect();
        match (point, &mut self.space) {
            (None, _) => false,
            (Some(point), Some(space)) => space.join(&point),
            (Some(point), none) => {
                *none = Some(Space::at(point));
                true
            }
        }
    }

    /// What holds of all points, if there are any.
    pub fn equations(&self, pool: &mut Pool) -> Option<Vec<TermId>> {
        let first = self.terms.first().map(|&t| pool.sort_of(t));
        let sort = first.unwrap_or(pool.int_sort());
        let equations = self.space.as_ref()?.equations(&self.terms).into_iter();
        Some(equations.map(|l| pool.eq_zero(l, sort)).collect())
    }
}

/// Affine equalities at every loop head of the region.
pub struct Affine;

impl Generator for Affine {
    fn name(&self) -> &'static str {
        "candidates: affine"
    }

    fn stage(&self) -> Stage {
        Stage::Affine
    }

    fn most_heads(&self, limits: &GuessLimits) -> usize {
        limits.affine_heads
    }

    fn work(&self, limits: &GuessLimits) -> Option<Slice> {
        Some(limits.affine_work)
    }

    fn candidates(&self, scene: &mut Scene<'_, '_>) -> Result<Candidates, Stop> {
        let region = Region {
            cells: statement_facts::cells(scene.pool, scene.region, scene.limits),
            ..scene.region.clone()
        };
        let most = scene.limits.affine_variables;
        equalities(scene.pool, &region, scene.solver, most, scene.budget)
    }
}

/// The part of a block graph that candidates are sought for: a program, or one function of it.
#[derive(Clone)]
pub struct Region<'a> {
    pub program: &'a Program,
    pub graph: &'a BlockGraph,
    /// Where nothing is known.
    pub entry: LocId,
    pub heads: &'a [LocId],
    pub blocks: Vec<BlockId>,
    /// What is known of a block besides its formula.
    pub known: BTreeMap<BlockId, Vec<TermId>>,
    /// Array reads that count as variables too.
    pub cells: Vec<TermId>,
    /// All statements of the region.
    pub edges: Vec<EdgeId>,
}

impl<'a> Region<'a> {
    /// The whole of a program without calls, errors left out.
    pub fn whole(prepared: &'a Prepared, invariants: &Invariants) -> Self {
        let blocks: Vec<BlockId> = prepared.graph.blocks.ids().collect();
        let at_start = |b: BlockId| invariants.at(prepared.graph.blocks[b].from).to_vec();
        Region {
            program: &prepared.program,
            graph: &prepared.graph,
            entry: prepared.entry(),
            heads: &prepared.graph.loop_heads,
            known: blocks.iter().map(|&b| (b, at_start(b))).collect(),
            cells: Vec::new(),
            edges: prepared.program.edges.ids().collect(),
            blocks: blocks
                .into_iter()
                .filter(|&b| !prepared.is_error_block(b))
                .collect(),
        }
    }
}

/// Conditions that split the states of a location into cases; together they must hold always.
pub type Cases = BTreeMap<LocId, Vec<TermId>>;

/// Affine equalities at every loop head, given invariants that are known (`p := p + 1` in machine
/// arithmetic is affine only while `p` is small). Running out of `budget` returns what there is.
pub fn equalities(
    pool: &mut Pool,
    region: &Region<'_>,
    block_solver: &mut BlockSolver<'_>,
    most_variables: usize,
    budget: &Budget,
) -> Result<BTreeMap<LocId, Vec<TermId>>, Stop> {
    equalities_by_case(
        pool,
        region,
        &Cases::new(),
        block_solver,
        most_variables,
        budget,
    )
}

/// The same in each case by itself: facts of the form `case => equality`.
pub fn equalities_by_case(
    pool: &mut Pool,
    region: &Region<'_>,
    cases: &Cases,
    block_solver: &mut BlockSolver<'_>,
    most_variables: usize,
    budget: &Budget,
) -> Result<BTreeMap<LocId, Vec<TermId>>, Stop> {
    let vars = &region.program.vars;
    let mut out: BTreeMap<LocId, Vec<TermId>> = BTreeMap::new();
    for sort in [pool.int_sort(), pool.real_sort()] {
        let mut terms: Vec<TermId> = variables(region).map(|v| vars[v].term).collect();
        terms.retain(|&t| pool.sort_of(t) == sort);
        if terms.is_empty() || terms.len() > most_variables {
            continue;
        }
        let cells = region.cells.iter();
        terms.extend(cells.filter(|&&c| pool.sort_of(c) == sort));
        let found = equalities_over(pool, region, terms, cases, block_solver, budget)?;
        for (loc, facts) in found {
            out.entry(loc).or_default().extend(facts);
        }
    }
    Ok(out)
}

/// The same over terms of one sort.
fn equalities_over(
    pool: &mut Pool,
    region: &Region<'_>,
    terms: Vec<TermId>,
    cases: &Cases,
    block_solver: &mut BlockSolver<'_>,
    budget: &Budget,
) -> Result<BTreeMap<LocId, Vec<TermId>>, Stop> {
    let graph = region.graph;
    let always = vec![pool.tt()];
    let cases_at = |loc: LocId| cases.get(&loc).unwrap_or(&always);
    // A place is a location and one of its cases.
    let mut hulls: BTreeMap<(LocId, TermId), Hull> = BTreeMap::new();
    let mut facts: BTreeMap<(LocId, TermId), Vec<TermId>> =
        BTreeMap::from([((region.entry, pool.tt()), Vec::new())]);
    let mut changed = true;
    while changed {
        changed = false;
        for &id in &region.blocks {
            let block = &graph.blocks[id];
            let post_terms = after_block(pool, region, id, &terms);
            for (&before, &after) in cases_at(block.from)
                .iter()
                .flat_map(|b| cases_at(block.to).iter().map(move |a| (b, a)))
            {
                let place = (block.to, after);
                let hull = hulls.entry(place);
                let hull = hull.or_insert_with(|| Hull::over(terms.clone()));
                changed |= hull.grow(pool, |pool, hull| {
                    if let Some(equations) = hull.equations(pool) {
                        facts.insert(place, equations);
                    }
                    let Some(known) = facts.get(&(block.from, before)) else {
                        return Ok(None);
                    };
                    let mut pre = known.clone();
                    pre.push(before);
                    pre.extend(region.known.get(&id).into_iter().flatten());
                    let inside = match facts.get(&place) {
                        Some(known) => pool.and(&known.clone()),
                        None => pool.ff(),
                    };
                    let elsewhere = pool.not(after);
                    let post = pool.or2(elsewhere, inside);
                    let model = block_solver.counterexample(pool, &pre, id, post, budget)?;
                    Ok(model.map(|model| {
                        let mut memo = logic::Memo::new();
                        let values = post_terms.iter();
                        values.map(|&t| memo.eval(pool, &model, t)).collect()
                    }))
                })?;
            }
        }
    }
    let mut out: BTreeMap<LocId, Vec<TermId>> = BTreeMap::new();
    for ((loc, case), equalities) in facts {
        if region.heads.contains(&loc) {
            let other = pool.not(case);
            let list = out.entry(loc).or_default();
            list.extend(equalities.into_iter().map(|e| pool.or2(other, e)));
        }
    }
    Ok(out)
}

/// Terms as they are called after a block.
fn after_block(
    pool: &mut Pool,
    region: &Region<'_>,
    block: BlockId,
    terms: &[TermId],
) -> Vec<TermId> {
    let (program, t) = (region.program, transition(region.graph, block));
    let renamed = t.modified.iter().map(|&v| {
        let after = primed(pool, program, v);
        (program.vars[v].term, after)
    });
    let mut to_post = logic::Substitution::new(renamed.collect::<Vec<_>>());
    terms.iter().map(|&t| to_post.apply(pool, t)).collect()
}

/// The variables that some block between cut points changes.
fn variables(region: &Region<'_>) -> impl Iterator<Item = VarId> {
    let mut vars = BTreeSet::new();
    for &id in &region.blocks {
        let t = transition(region.graph, id);
        if region.heads.contains(&region.graph.blocks[id].to) {
            vars.extend(t.modified.iter().copied());
        }
    }
    vars.into_iter()
}
