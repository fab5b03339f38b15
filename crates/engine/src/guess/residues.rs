//! Affine equalities in each residue class of a variable that the program divides.
//!
//! Idea, on `i = 0; x = 0; while (*) { if (i % 2 == 0) x++; i++; }`: no affine relation between `i` and `x`
//! holds always, but `i mod 2 = 0 => 2x = i` and `i mod 2 = 1 => 2x = i + 1` do. So where a loop asks for
//! the remainder of a variable by a small constant, the remainders split the states at the heads into cases,
//! and equalities are sought in each case by itself ([`affine::equalities_by_case`]).
//!
//! The same for a variable that grows by another which the loop keeps and of which few values are possible:
//! `k = 3 => i mod 3 = 0`, for each value of `k`.
//!
//! The results are guesses for Houdini like any other.

use crate::core::path::transition;
use crate::guess::affine::{self, Cases, Region};
use crate::guess::counters::added;
use crate::guess::generator::{Candidates, Generator, Scene, Stage};
use crate::guess::program_text::starts;
use crate::limits::{GuessLimits, Slice};
use base::{FxHashMap, Stop};
use logic::{Bound, Op, Pool, Side, TermId};
use program::{Stmt, primed};

/// Equalities by residue classes.
pub struct Residues;

impl Generator for Residues {
    fn name(&self) -> &'static str {
        "candidates: residues"
    }

    fn stage(&self) -> Stage {
        Stage::Affine
    }

    fn most_heads(&self, limits: &GuessLimits) -> usize {
        limits.phase_heads
    }

    fn work(&self, limits: &GuessLimits) -> Option<Slice> {
        Some(limits.affine_work)
    }

    fn candidates(&self, scene: &mut Scene<'_, '_>) -> Result<Candidates, Stop> {
        let mut divided = divided(scene.pool, scene.region, scene.limits.small_stride);
        divided.truncate(scene.limits.phase_conditions);
        let mut out = strides(scene);
        for (variable, modulus) in divided {
            let classes = classes(scene.pool, variable, modulus);
            let heads = scene.region.heads.iter();
            let cases: Cases = heads.map(|&h| (h, classes.clone())).collect();
            let found = affine::equalities_by_case(
                scene.pool,
                scene.region,
                &cases,
                scene.solver,
                scene.limits.affine_variables,
                scene.budget,
            );
            // One that takes too long leaves what others found.
            let Ok(found) = found else {
                break;
            };
            for (head, facts) in found {
                out.entry(head).or_default().extend(facts);
            }
        }
        Ok(out)
    }
}

/// `k = c => i mod c = i0 mod c` for the statements `i := i + k`, where `i` begins with the number `i0`, or else with zero.
fn strides(scene: &mut Scene<'_, '_>) -> Candidates {
    let Region { program, graph, .. } = *scene.region;
    let pool = &mut *scene.pool;
    let mut pairs: Vec<(TermId, TermId)> = Vec::new();
    for &edge in &scene.region.edges {
        let Stmt::Assign(list) = &program.edges[edge].stmt else {
            continue;
        };
        for &(v, value) in list {
            let counter = program.vars[v].term;
            if let Some(sum) = added(pool, counter, value)
                && let [(stride, factor)] = &sum.terms[..]
                && sum.constant.is_zero()
                && factor.abs().is_one()
                && !pairs.contains(&(counter, *stride))
            {
                pairs.push((counter, *stride));
            }
        }
    }
    let mut out = Candidates::new();
    for &head in scene.region.heads {
        if pairs.is_empty() {
            break;
        }
        let proven = (scene.proven)(head);
        let starts = starts(pool, program, graph, head);
        let mut facts = Vec::new();
        for &(counter, stride) in &pairs {
            let Some((low, high)) = bounds(pool, &proven, stride) else {
                continue;
            };
            if high - low >= MOST_STRIDES {
                continue;
            }
            let start = starts.iter().find_map(|&s| start_of(pool, s, counter));
            for c in low..=high {
                if c.abs() < 2 {
                    continue;
                }
                let number = pool.int(c);
                let divisor = pool.int(c.abs());
                let other = pool.eq(stride, number);
                let other = pool.not(other);
                let rest = pool.modulo(counter, divisor);
                let first = pool.int(start.unwrap_or(0).rem_euclid(c.abs()));
                let same = pool.eq(rest, first);
                facts.push(pool.or2(other, same));
            }
        }
        out.insert(head, facts);
    }
    out
}

/// More values of a stride than so many are not told apart.
const MOST_STRIDES: i64 = 20;

/// The number that `counter = number` says.
fn start_of(pool: &Pool, fact: TermId, counter: TermId) -> Option<i64> {
    let [a, b] = *pool.args(fact) else {
        return None;
    };
    let (term, number) = if pool.as_number(a).is_some() {
        (b, a)
    } else {
        (a, b)
    };
    let number = pool.as_number(number).filter(|_| term == counter)?;
    number.to_i64()
}

/// The bounds that facts give to a variable.
fn bounds(pool: &Pool, facts: &[TermId], variable: TermId) -> Option<(i64, i64)> {
    let (mut low, mut high) = (None, None);
    for &fact in facts {
        let Some(bound) = Bound::of_integers(pool, fact) else {
            continue;
        };
        let [(term, factor)] = &bound.form[..] else {
            continue;
        };
        if *term != variable || !factor.is_one() {
            continue;
        }
        let limit = bound.limit.to_i64()?;
        match bound.side {
            Side::AtMost => high = Some(high.map_or(limit, |h: i64| h.min(limit))),
            Side::AtLeast => low = Some(low.map_or(limit, |l: i64| l.max(limit))),
            _ => {}
        }
    }
    low.zip(high)
}

/// `variable mod modulus = r` for all r.
fn classes(pool: &mut Pool, variable: TermId, modulus: i64) -> Vec<TermId> {
    let divisor = pool.int(modulus);
    let rest = pool.modulo(variable, divisor);
    let equals = |r| {
        let r = pool.int(r);
        pool.eq(rest, r)
    };
    (0..modulus).map(equals).collect()
}

/// The variables in terms whose remainder by a constant up to `most` some block of the region asks for, and that
/// constant.
fn divided(pool: &mut Pool, region: &Region<'_>, most: i64) -> Vec<(TermId, i64)> {
    let vars = &region.program.vars;
    let mut out: Vec<(TermId, i64)> = Vec::new();
    for &id in &region.blocks {
        let t = transition(region.graph, id);
        let mut state: FxHashMap<TermId, TermId> = FxHashMap::default();
        for &v in &t.reads {
            state.insert(vars[v].term, vars[v].term);
        }
        for &v in &t.modified {
            state.insert(primed(pool, region.program, v), vars[v].term);
        }
        for term in pool.post_order(&[t.formula]) {
            let Some((dividend, modulus)) = division(pool, term, most) else {
                continue;
            };
            for (inner, _) in pool.linear(dividend).terms {
                if let Some(&variable) = state.get(&inner)
                    && pool.sort_of(variable) == pool.int_sort()
                    && !out.contains(&(variable, modulus))
                {
                    out.push((variable, modulus));
                }
            }
        }
    }
    out
}

/// What a term takes the remainder of, and by which small constant; the low bits are one too.
fn division(pool: &Pool, term: TermId, most: i64) -> Option<(TermId, i64)> {
    let (op, args) = (pool.op(term), pool.args(term));
    let plain = |mut t: TermId| {
        while let Op::Wrap { .. } = pool.op(t) {
            t = pool.args(t)[0];
        }
        t
    };
    let small = |t: TermId| pool.as_number(t).and_then(|n| n.to_i64());
    let (dividend, modulus) = match op {
        Op::Mod | Op::CRem | Op::IntDiv | Op::CDiv => (args[0], small(args[1])?.checked_abs()?),
        Op::BitAnd => {
            let (dividend, mask) = match small(args[0]) {
                Some(mask) => (args[1], mask),
                None => (args[0], small(args[1])?),
            };
            let modulus = mask.checked_add(1)?;
            (dividend, (modulus.count_ones() == 1).then_some(modulus)?)
        }
        _ => return None,
    };
    let fits = (2..=most).contains(&modulus);
    fits.then_some((plain(dividend), modulus))
}
