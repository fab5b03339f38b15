//! Facts that hold unless a limit is the largest number of its type.
//!
//! Idea, on `for (i = 0; i <= n; i++) s += i;` in machine arithmetic: `i <= n + 1` and `2s = i*i - i` are no
//! invariants, as for the largest `n` the loop never ends and `i` begins anew at zero. But `n = MAX or i <= n + 1` is
//! one. So where a loop compares a variable it changes with one that it keeps and that may be at the end of
//! the range of the first, the facts that others propose are offered with this case left out.
//!
//! The results are guesses for Houdini like any other.

use crate::core::path::transition;
use crate::guess::affine::{self, Cases, Region};
use crate::guess::generator::{Candidates, Generator, Scene, Stage};
use crate::guess::polynomials;
use crate::guess::program_text::neighbours;
use crate::limits::{GuessLimits, Slice};
use base::Stop;
use logic::{Comparison, Op, Pool, TermId};
use program::{LocId, VarId};
use std::collections::BTreeSet;

/// Facts but for the end of a range.
pub struct RangeEnds;

impl Generator for RangeEnds {
    fn name(&self) -> &'static str {
        "candidates: range ends"
    }

    fn stage(&self) -> Stage {
        Stage::Polynomials
    }

    fn most_heads(&self, limits: &GuessLimits) -> usize {
        limits.phase_heads
    }

    fn work(&self, limits: &GuessLimits) -> Option<Slice> {
        Some(limits.phase_work)
    }

    fn candidates(&self, scene: &mut Scene<'_, '_>) -> Result<Candidates, Stop> {
        let mut out = Candidates::new();
        let mut cases = Cases::new();
        for &head in scene.region.heads {
            let ends = ends(scene.pool, scene.region, head);
            let Some(&(first, _)) = ends.first() else {
                continue;
            };
            cases.insert(head, vec![first, scene.pool.not(first)]);
            let polynomials = polynomials::at_head(scene, head);
            let mut found = Vec::new();
            for (end, bound) in ends.into_iter().take(scene.limits.phase_conditions) {
                let bounds = neighbours(scene.pool, bound);
                let facts = bounds.iter().chain(&polynomials);
                found.extend(facts.map(|&f| scene.pool.or2(end, f)));
            }
            out.insert(head, found);
        }
        if cases.is_empty() {
            return Ok(out);
        }
        let most = scene.limits.affine_variables;
        let (pool, solver) = (&mut *scene.pool, &mut *scene.solver);
        let equalities =
            affine::equalities_by_case(pool, scene.region, &cases, solver, most, scene.budget);
        for (head, facts) in equalities.unwrap_or_default() {
            out.entry(head).or_default().extend(facts);
        }
        Ok(out)
    }
}

/// `n = MAX` for the limits of a loop that may be as large as what is compared with them, and the comparison.
fn ends(pool: &mut Pool, region: &Region<'_>, head: LocId) -> Vec<(TermId, TermId)> {
    let vars = &region.program.vars;
    let out = region.graph.out[head].iter();
    let inside: Vec<_> = out.filter(|b| region.blocks.contains(b)).collect();
    let mut changed: BTreeSet<VarId> = BTreeSet::new();
    for &&id in &inside {
        changed.extend(transition(region.graph, id).modified.iter().copied());
    }
    let mut found = Vec::new();
    for &&id in &inside {
        let t = transition(region.graph, id);
        let range = |term: TermId, moves: bool| {
            let read = t.reads.iter().find(|v| vars[**v].term == term)?;
            let kept = changed.contains(read) == moves;
            vars[*read].range.as_ref().filter(|_| kept)
        };
        for atom in pool.post_order(&[t.formula]) {
            if pool.op(atom) != Op::Le {
                continue;
            }
            let Some(Comparison { linear, .. }) = Comparison::of_integers(pool, atom) else {
                continue;
            };
            let [(a, _), (b, _)] = linear.terms[..] else {
                continue;
            };
            for (counter, limit) in [(a, b), (b, a)] {
                let (Some((_, top)), Some((_, high))) = (range(counter, true), range(limit, false))
                else {
                    continue;
                };
                if high >= top {
                    let top = pool.num(top.clone(), pool.int_sort());
                    // Beyond its end there are only more of the same kind.
                    let end = pool.le(top, limit);
                    if !found.contains(&(end, atom)) {
                        found.push((end, atom));
                    }
                }
            }
        }
    }
    found
}
