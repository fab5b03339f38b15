//! Assertions at locations that a proof leaves to the paths through them.
//!
//! A checked proof need not say anything at a location without a loop of its own: the checker goes
//! along the paths through it. Others want a formula there (a Horn system has a predicate at each
//! location). One is found by interpolation between all ways to the location and all ways on:
//! ```text
//!   A: asserted location, path to p, values at p        B: values at p, path to the next asserted
//!      location, assertion there fails
//! ```
//! A and B contradict each other because the proof holds. The interpolant is the assertion at p, and
//! with it the proof holds again with p as one more cut point, so one location comes after the other.

use crate::context::Context;
use crate::obligations::{assertion, contract_of, cut_points};
use crate::region::Region;
use crate::{Proof, Reason};
use base::{Budget, FxHashSet};
use logic::{Pool, TermId};
use program::{LocId, Program, VarId};
use smt::interpolate::{self, Outcome};
use std::collections::BTreeMap;

/// A location and the variables that its assertion may speak of.
pub struct Wanted {
    /// The location.
    pub loc: LocId,
    /// The variables that the assertion may speak of.
    pub vars: Vec<VarId>,
}

/// Assertions for all wanted locations, `false` for those that no path of the entry function
/// reaches. The proof holds of `program` (which is the inlined one for such proofs). What is given
/// is a guess to be checked by whoever uses it: nothing here is trusted.
pub fn assertions_at(
    pool: &mut Pool,
    program: &Program,
    proof: &Proof,
    wanted: &[Wanted],
    budget: &Budget,
) -> Result<BTreeMap<LocId, TermId>, Reason> {
    let cx = Context::new(pool, program, &proof.contracts);
    let mut known = proof.clone();
    let mut out = BTreeMap::new();
    for w in wanted {
        budget.check().map_err(Reason::OutOfBudget)?;
        let formula = match assertion_at(&cx, pool, &known, w, budget)? {
            Some(formula) => formula,
            None => {
                out.insert(w.loc, pool.ff());
                continue;
            }
        };
        known.invariants.insert(w.loc, formula);
        out.insert(w.loc, formula);
    }
    Ok(out)
}

/// `None`: no path leads there.
fn assertion_at(
    cx: &Context<'_>,
    pool: &mut Pool,
    proof: &Proof,
    wanted: &Wanted,
    budget: &Budget,
) -> Result<Option<TermId>, Reason> {
    let (program, loc) = (cx.program, wanted.loc);
    let function = program.locations[loc].func;
    let (entry, exit) = (
        program.functions[function].entry,
        program.functions[function].exit,
    );
    let mut cuts = cut_points(cx, proof, entry, exit);
    let given = cuts.contains(&loc);
    cuts.insert(loc);
    // All ways to the location.
    let mut ways_in = Vec::new();
    let mut reached = loc == entry;
    let mut seen: FxHashSet<LocId> = FxHashSet::from_iter([entry]);
    let mut work = vec![entry];
    while let Some(start) = work.pop() {
        let at_entry = start == entry && !cuts.contains(&entry);
        let hypothesis = match at_entry {
            true => contract_of(pool, proof, function).requires,
            false => assertion(pool, cx, proof, start),
        };
        let mut region = Region::encode(cx, pool, start, &cuts, at_entry);
        for target in region.targets.clone() {
            if program.locations[target].error.is_none() && seen.insert(target) {
                work.push(target);
            }
            if target == loc {
                reached = true;
            }
        }
        if !given && region.targets.contains(&loc) {
            ways_in.push(way_in(pool, program, &mut region, hypothesis, wanted));
        }
    }
    if !reached {
        return Ok(None);
    }
    if given {
        let formula = assertion(pool, cx, proof, loc);
        return Ok(Some(project(pool, program, formula, &wanted.vars, budget)));
    }
    let before = pool.or(&ways_in);
    let after = ways_on(cx, pool, proof, loc, &cuts);
    match interpolate::sequence(pool, &[before, after], &Default::default(), budget) {
        Outcome::Interpolants(list) => Ok(Some(list[0])),
        Outcome::Sat(_) => Err(Reason::NoProgress {
            what: format!("the assertion at {loc} needs more than the variables it may speak of"),
        }),
        Outcome::Unknown(what) => Err(Reason::SolverGaveUp { what }),
    }
}

/// The paths of a region into the location, with all names new but those of the values there.
fn way_in(
    pool: &mut Pool,
    program: &Program,
    region: &mut Region<'_, '_>,
    hypothesis: TermId,
    wanted: &Wanted,
) -> TermId {
    let hypothesis = region.at_start(pool, hypothesis);
    let vars = wanted.vars.iter().map(|&v| program.vars[v].term);
    let values: Vec<(TermId, TermId)> = vars
        .map(|term| (term, region.at_target(pool, wanted.loc, term)))
        .collect();
    let mut parts = region.constraints.clone();
    parts.extend([hypothesis, region.reach(wanted.loc)]);
    let mut terms = parts.clone();
    terms.extend(values.iter().map(|&(_, value)| value));
    let mut renaming = Vec::new();
    for symbol in pool.symbols_of(&terms) {
        let data = pool.symbol_data(symbol);
        if data.args.is_empty() {
            let (name, sort) = (data.name.clone(), data.sort);
            let old = pool.constant(&name, sort);
            renaming.push((old, pool.fresh_constant("before", sort)));
        }
    }
    let mut renaming = logic::Substitution::new(renaming);
    let mut all: Vec<TermId> = parts.iter().map(|&t| renaming.apply(pool, t)).collect();
    for (term, value) in values {
        let value = renaming.apply(pool, value);
        all.push(pool.eq(term, value));
    }
    pool.and(&all)
}

/// The paths from the location that break the proof further on.
fn ways_on(
    cx: &Context<'_>,
    pool: &mut Pool,
    proof: &Proof,
    loc: LocId,
    cuts: &FxHashSet<LocId>,
) -> TermId {
    let mut region = Region::encode(cx, pool, loc, cuts, false);
    let mut broken = Vec::new();
    for target in region.targets.clone() {
        let goal = assertion(pool, cx, proof, target);
        let goal = region.at_target(pool, target, goal);
        let fails = pool.not(goal);
        broken.push(pool.and(&[region.reach(target), fails]));
    }
    for duty in &region.duties {
        let fails = pool.not(duty.requires);
        broken.push(pool.and(&[duty.reach, fails]));
    }
    let mut all = region.constraints.clone();
    all.push(pool.or(&broken));
    pool.and(&all)
}

/// The formula without variables that it may not speak of: there are values for them.
fn project(
    pool: &mut Pool,
    program: &Program,
    formula: TermId,
    vars: &[VarId],
    budget: &Budget,
) -> TermId {
    let allowed: FxHashSet<TermId> = vars.iter().map(|&v| program.vars[v].term).collect();
    let mut others = Vec::new();
    for symbol in pool.symbols_of(&[formula]) {
        let data = pool.symbol_data(symbol);
        if data.args.is_empty() {
            let (name, sort) = (data.name.clone(), data.sort);
            if !allowed.contains(&pool.constant(&name, sort)) {
                others.push(symbol);
            }
        }
    }
    match others.is_empty() {
        true => formula,
        false => {
            smt::project::eliminate(pool, formula, &others, budget).map_or(formula, |p| p.formula)
        }
    }
}
