//! Congruences at loop heads: what sums of variables are modulo a number.
//!
//! Idea, on `x = 0; y = 4; while (*) { x += y; y += 4; }` over machine words: x and y are multiples of
//! four for ever, since words wrap at a multiple of four, while no equality between them survives the wrapping. In
//! the states of runs all values of `x` at the head differ by multiples of their common divisor g, so
//! `x mod g = r` is a guess; so is its power of two, which is what wrapping leaves of it. The same for sums and differences
//! of two variables, and the sum of all.
//! Source: Granger, "Static analysis of arithmetical congruences" (1989), with states of runs in place of its transfer functions.
//!
//! The results are guesses for Houdini like any other.

use crate::guess::generator::{Candidates, Generator, Scene, Stage};
use crate::guess::polynomials::variables;
use crate::limits::GuessLimits;
use base::{FxHashSet, Stop};
use logic::{IBig, Memo, Pool, TermId};
use program::LocId;

/// Fewer different values have a divisor in common by accident.
const VALUES: usize = 5;

/// Congruences of variables, and of sums of them.
pub struct Congruences;

impl Generator for Congruences {
    fn name(&self) -> &'static str {
        "candidates: congruences"
    }

    fn stage(&self) -> Stage {
        Stage::Congruences
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

fn at_head(scene: &mut Scene<'_, '_>, head: LocId) -> Vec<TermId> {
    let Some(samples) = scene.samples else {
        return Vec::new();
    };
    let vars = variables(scene.pool, scene.region, head, scene.limits).0;
    let vars = vars.iter().map(|&v| scene.region.program.vars[v].term);
    let vars: Vec<TermId> = vars.collect();
    let mut out = Vec::new();
    let mut memo = Memo::new();
    // A sum of congruent parts says nothing new.
    let mut known: FxHashSet<TermId> = FxHashSet::default();
    for (parts, sum) in sums(scene.pool, &vars) {
        if parts.iter().all(|p| known.contains(p)) {
            continue;
        }
        let mut values: Vec<IBig> = Vec::new();
        for state in samples.states(head) {
            memo.clear();
            let value = memo.eval(scene.pool, state, sum);
            values.extend(value.as_num().and_then(|n| n.to_integer()));
        }
        values.sort();
        values.dedup();
        if values.len() < VALUES {
            continue;
        }
        let facts = of_values(scene.pool, sum, &values);
        if !facts.is_empty() && parts.len() == 1 {
            known.insert(sum);
        }
        out.extend(facts);
    }
    out
}

/// Variables, then sums and differences of two, then the sum of all; with their parts.
fn sums(pool: &mut Pool, vars: &[TermId]) -> Vec<(Vec<TermId>, TermId)> {
    let mut out: Vec<(Vec<TermId>, TermId)> = vars.iter().map(|&v| (vec![v], v)).collect();
    for (k, &a) in vars.iter().enumerate() {
        for &b in &vars[k + 1..] {
            out.push((vec![a, b], pool.add2(a, b)));
            out.push((vec![a, b], pool.sub(a, b)));
        }
    }
    if vars.len() > 2 {
        out.push((vars.to_vec(), pool.add(vars)));
    }
    out
}

/// The congruences of a term that has these values.
fn of_values(pool: &mut Pool, t: TermId, values: &[IBig]) -> Vec<TermId> {
    let mut common = IBig::ZERO;
    for pair in values.windows(2) {
        common = gcd(common, &pair[1] - &pair[0]);
    }
    if common <= IBig::ONE {
        return Vec::new();
    }
    let mut two = IBig::ONE;
    while &common % (&two << 1) == IBig::ZERO {
        two <<= 1;
    }
    let mut moduli = vec![common];
    if two > IBig::ONE && two != moduli[0] {
        moduli.push(two);
    }
    let mut out = Vec::new();
    for m in moduli {
        let rest = ((&values[0] % &m) + &m) % &m;
        let (m, rest) = (pool.int(m), pool.int(rest));
        let left = pool.modulo(t, m);
        out.push(pool.eq(left, rest));
    }
    out
}

fn gcd(mut a: IBig, mut b: IBig) -> IBig {
    while b != IBig::ZERO {
        (a, b) = (b.clone(), &a % &b);
    }
    match a < IBig::ZERO {
        true => -a,
        false => a,
    }
}
