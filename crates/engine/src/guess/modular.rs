//! Polynomial congruences between machine words at loop heads: relations of monomials modulo `2^n`.
//!
//! Idea, on `s = 0; i = 0; while (i < n) { s += i; i++; }` over unsigned words: `2*s = i*i - i` ends when s wraps
//! around, but modulo `2^32` it holds for ever. So the monomials are evaluated in every state that random runs have met
//! at a loop head, and the combinations of them that are zero modulo `2^n` in all of these are offered. They are found over the
//! ring of the numbers modulo `2^n`, so states in which words have wrapped around count like any other.
//! Source: Müller-Olm and Seidl, "Analysis of Modular Arithmetic" (TOPLAS 2007), with states of runs in place of its transfer
//! functions.
//!
//! The results are guesses for Houdini like any other.

use crate::core::path::transition;
use crate::guess::generator::{Candidates, Generator, Scene, Stage};
use crate::guess::polynomials::{monomials, variables, wraps};
use crate::limits::GuessLimits;
use base::{FxHashSet, Stop};
use logic::{IBig, Linear, Memo, Pool, Rational, TermId};
use program::{LocId, VarId};

/// Relations that are offered at a head.
const RELATIONS: usize = 8;
/// Larger coefficients (or smaller than minus this) are accidents.
const COEFFICIENT: u64 = 10_000;
/// Powers of two among coefficients that may be the smallest one (`2 * s = i * i + i`).
const MOST_TWOS: u32 = 2;

/// Polynomial congruences at every loop head of the region.
pub struct Modular;

impl Generator for Modular {
    fn name(&self) -> &'static str {
        "candidates: polynomials modulo words"
    }

    fn stage(&self) -> Stage {
        Stage::Modular
    }

    fn most_heads(&self, limits: &GuessLimits) -> usize {
        limits.polynomial_heads
    }

    fn candidates(&self, scene: &mut Scene<'_, '_>) -> Result<Candidates, Stop> {
        let mut out = Candidates::new();
        // Elsewhere congruences are equalities, which are simpler to prove.
        let region = scene.region;
        let formulas = region.blocks.iter();
        let formulas = formulas.map(|&id| transition(region.graph, id).formula);
        if !wraps(scene.pool, &formulas.collect::<Vec<TermId>>()) {
            return Ok(out);
        }
        for &head in scene.region.heads {
            let facts = at_head(scene, head)?;
            if !facts.is_empty() {
                out.insert(head, facts);
            }
        }
        Ok(out)
    }
}

/// The congruences of one loop head; none without samples, and none if no relation has a product.
fn at_head(scene: &mut Scene<'_, '_>, head: LocId) -> Result<Vec<TermId>, Stop> {
    let (changed, others) = variables(scene.pool, scene.region, head, scene.limits);
    let width = |v: &VarId| width(scene, *v);
    let Some(bits) = changed.iter().filter_map(width).max() else {
        return Ok(Vec::new());
    };
    let words = changed.iter().chain(&others);
    let words = words.filter(|v| width(v).is_some());
    let mut words: Vec<TermId> = words.map(|&v| scene.region.program.vars[v].term).collect();
    // Linear relations first: what they define need not be in products.
    let linear = relations(scene, head, &words, bits)?;
    for relation in &linear {
        let first = relation.terms.iter().find(|(_, c)| is_odd(c));
        words.retain(|w| first.is_none_or(|(t, _)| t != w));
    }
    let squares = monomials(scene.pool, &words, false);
    let mut found = relations(scene, head, &squares, bits)?;
    let products = |list: &[Linear], words: &[TermId]| -> usize {
        let product = |r: &&Linear| r.terms.iter().any(|(t, _)| !words.contains(t));
        list.iter().filter(product).count()
    };
    if products(&found, &words) == 0 && words.len() <= scene.limits.polynomial_cubes {
        let cubes = monomials(scene.pool, &words, true);
        found = relations(scene, head, &cubes, bits)?;
    }
    if products(&found, &words) == 0 {
        found = of_single_words(scene, head, &words, &changed, bits)?;
    }
    if products(&found, &words) == 0 {
        return Ok(Vec::new());
    }
    let all = linear.iter().chain(&found).take(RELATIONS);
    Ok(all.map(|r| congruence(scene.pool, r, bits)).collect())
}

/// What single words that change are as polynomials in the others: fewer monomials, so that cubes are in reach and fewer
/// relations are accidents of the states.
fn of_single_words(
    scene: &mut Scene<'_, '_>,
    head: LocId,
    words: &[TermId],
    changed: &[VarId],
    bits: u32,
) -> Result<Vec<Linear>, Stop> {
    let mut found: Vec<Linear> = Vec::new();
    for v in changed {
        let word = scene.region.program.vars[*v].term;
        if !words.contains(&word) {
            continue;
        }
        let others: Vec<TermId> = words.iter().copied().filter(|w| *w != word).collect();
        let cubes = others.len() <= scene.limits.polynomial_cubes;
        let mut list = vec![word];
        list.extend(monomials(scene.pool, &others, cubes));
        let all = relations(scene, head, &list, bits)?;
        found.extend(all.into_iter().filter(|r| {
            let product = |(t, _): &(TermId, Rational)| !words.contains(t);
            r.terms.iter().any(|(t, _)| *t == word) && r.terms.iter().any(product)
        }));
    }
    Ok(found)
}

/// The bits of a variable that has the range of a machine type.
fn width(scene: &Scene<'_, '_>, v: VarId) -> Option<u32> {
    let (low, high) = scene.region.program.vars[v].range.clone()?;
    let size = high - low + Rational::ONE;
    [8u32, 16, 32, 64]
        .into_iter()
        .find(|&b| size == Rational::power_of_two(b as usize))
}

fn is_odd(c: &Rational) -> bool {
    c.to_integer()
        .is_some_and(|c| c % IBig::from(2) != IBig::ZERO)
}

/// `relation mod 2^bits = 0`.
fn congruence(pool: &mut Pool, relation: &Linear, bits: u32) -> TermId {
    let sort = pool.int_sort();
    let sum = pool.from_linear(relation, sort);
    let (rest, zero) = (pool.wrap(bits as u8, false, sum), pool.int(0));
    pool.eq(rest, zero)
}

/// The combinations of monomials, and a constant, that are zero modulo `2^bits` in all states.
fn relations(
    scene: &mut Scene<'_, '_>,
    head: LocId,
    monomials: &[TermId],
    bits: u32,
) -> Result<Vec<Linear>, Stop> {
    let Some(samples) = scene.samples else {
        return Ok(Vec::new());
    };
    let modulus = IBig::ONE << bits as usize;
    let mut points: FxHashSet<Vec<u64>> = FxHashSet::default();
    let mut kernel = Kernel::new(monomials.len() + 1, bits);
    let mut memo = Memo::new();
    for state in samples.states(head) {
        scene.budget.check()?;
        memo.clear();
        let mut point = Vec::with_capacity(monomials.len() + 1);
        for &m in monomials {
            let value = memo.eval(scene.pool, state, m);
            let value = value.as_num().and_then(|n| n.to_integer());
            let rest = value.map(|v| ((v % &modulus) + &modulus) % &modulus);
            point.extend(rest.and_then(|r| u64::try_from(r).ok()));
        }
        point.push(1);
        if point.len() == monomials.len() + 1 && points.insert(point.clone()) {
            kernel.cut(&point);
        }
    }
    if points.len() < monomials.len() + 3 {
        return Ok(Vec::new());
    }
    let small = kernel.vectors.iter().filter_map(|v| kernel.small(v));
    Ok(small.map(|v| linear(monomials, &v)).collect())
}

fn linear(monomials: &[TermId], coefficients: &[i64]) -> Linear {
    let mut out = Linear::constant(Rational::from(coefficients[monomials.len()]));
    for (&m, &c) in monomials.iter().zip(coefficients) {
        if c != 0 {
            out.terms.push((m, Rational::from(c)));
        }
    }
    out.terms.sort_by_key(|(t, _)| *t);
    out
}

/// The vectors over the numbers modulo `2^bits` that are orthogonal to some points, by a set that generates them.
struct Kernel {
    vectors: Vec<Vec<u64>>,
    mask: u64,
    bits: u32,
}

impl Kernel {
    /// Everything: orthogonal to no points.
    fn new(n: usize, bits: u32) -> Self {
        let unit = |k: usize| (0..n).map(|i| u64::from(i == k)).collect();
        Kernel {
            vectors: (0..n).map(unit).collect(),
            mask: u64::MAX >> (64 - bits),
            bits,
        }
    }

    fn product(&self, a: &[u64], b: &[u64]) -> u64 {
        let products = a.iter().zip(b).map(|(x, y)| x.wrapping_mul(*y));
        products.fold(0, u64::wrapping_add) & self.mask
    }

    /// Leaves the vectors that are orthogonal to one more point.
    ///
    /// Of the vectors that are not, the one whose product has the fewest factors of two is subtracted from the others as
    /// often as it takes; itself it is multiplied until its product is zero.
    fn cut(&mut self, point: &[u64]) {
        let values: Vec<u64> = self
            .vectors
            .iter()
            .map(|v| self.product(v, point))
            .collect();
        let open = (0..values.len()).filter(|&k| values[k] != 0);
        // Among equals the last, which has the product of most variables.
        let Some(pivot) = open.min_by_key(|&k| (values[k].trailing_zeros(), usize::MAX - k)) else {
            return;
        };
        let twos = values[pivot].trailing_zeros();
        let inverse = inverse(values[pivot] >> twos);
        let base = self.vectors[pivot].clone();
        for (k, vector) in self.vectors.iter_mut().enumerate() {
            if k == pivot || values[k] == 0 {
                continue;
            }
            let times = (values[k] >> twos).wrapping_mul(inverse);
            for (x, y) in vector.iter_mut().zip(&base) {
                *x = x.wrapping_sub(times.wrapping_mul(*y)) & self.mask;
            }
        }
        if twos == 0 {
            self.vectors.remove(pivot);
            return;
        }
        for x in &mut self.vectors[pivot] {
            *x = (*x << (self.bits - twos)) & self.mask;
        }
    }

    /// A multiple of the vector by a unit that has small coefficients, if there is one, less what vectors of even numbers
    /// add to it. Those say little: they hold for products of neighbours whatever the program does.
    fn small(&self, vector: &[u64]) -> Option<Vec<i64>> {
        let mut best: Option<(u64, Vec<i64>)> = None;
        for unit in vector.iter().flat_map(|x| self.units(*x)) {
            let inverse = inverse(unit);
            let times = vector.iter().map(|x| x.wrapping_mul(inverse) & self.mask);
            let times: Vec<u64> = times.collect();
            let mut least = times.clone();
            for other in &self.vectors {
                self.reduce(&mut least, other);
            }
            for list in [least, times] {
                let list: Vec<i64> = list.iter().map(|x| self.signed(*x)).collect();
                let size = list.iter().map(|x| x.unsigned_abs()).max().unwrap_or(0);
                if best.as_ref().is_none_or(|(old, _)| size < *old) {
                    best = Some((size, list));
                }
            }
        }
        let (size, list) = best?;
        // The constant alone may be any number.
        let named = list.iter().rev().skip(1).any(|x| *x != 0);
        (named && size <= COEFFICIENT).then_some(list)
    }

    /// The odd numbers of which this is a multiple by a small power of two, modulo `2^bits`.
    fn units(&self, x: u64) -> impl Iterator<Item = u64> {
        let twos = x.trailing_zeros();
        let few = x != 0 && twos <= MOST_TWOS;
        let count = if few { 1u64 << twos } else { 0 };
        let (odd, bits) = (x.checked_shr(twos).unwrap_or(0), self.bits);
        (0..count).map(move |k| odd.wrapping_add(k.checked_shl(bits - twos).unwrap_or(0)))
    }

    /// Subtracts a vector of even numbers as often as makes the coefficient least in which that has the fewest factors of two.
    fn reduce(&self, vector: &mut [u64], even: &[u64]) {
        let named = (0..even.len()).filter(|&k| even[k] != 0);
        let Some(at) = named.min_by_key(|&k| even[k].trailing_zeros()) else {
            return;
        };
        let twos = even[at].trailing_zeros();
        if twos == 0 {
            return;
        }
        let inverse = inverse(even[at] >> twos);
        let half = 1u64 << (twos - 1);
        let times = (vector[at].wrapping_add(half) & self.mask) >> twos;
        let times = times.wrapping_mul(inverse);
        for (x, y) in vector.iter_mut().zip(even) {
            *x = x.wrapping_sub(times.wrapping_mul(*y)) & self.mask;
        }
    }

    /// The number of least size with these low bits.
    fn signed(&self, x: u64) -> i64 {
        let unused = 64 - self.bits;
        ((x << unused) as i64) >> unused
    }
}

/// The inverse of an odd number modulo `2^64`, by Newton's iteration.
fn inverse(odd: u64) -> u64 {
    let mut out = odd;
    for _ in 0..6 {
        out = out.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(out)));
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn inverses() {
        for odd in [1, 3, 5, 0xffff_ffff, u64::MAX, 0x1234_5677] {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
        }
    }

    /// Sums of the first numbers, from where they have wrapped around.
    #[test]
    fn relations_survive_wrapping() {
        for bits in [8, 32, 64] {
            let mask = u64::MAX >> (64 - bits);
            // s, i, s*i, i*i, 1
            let mut kernel = Kernel::new(5, bits);
            let (mut s, mut i) = (0u64, 0u64);
            for _ in 0..300 {
                let squares = [s.wrapping_mul(i) & mask, i.wrapping_mul(i) & mask];
                kernel.cut(&[s, i, squares[0], squares[1], 1]);
                s = s.wrapping_add(i.wrapping_mul(0x0101)) & mask;
                i = i.wrapping_add(1) & mask;
            }
            let found: Vec<Vec<i64>> = kernel
                .vectors
                .iter()
                .filter_map(|v| kernel.small(v))
                .collect();
            let step = kernel.signed(0x0101);
            let sought = |v: &Vec<i64>| {
                let unit = v[1] / step;
                unit.abs() == 1 && *v == vec![2 * unit, step * unit, 0, -step * unit, 0]
            };
            assert!(found.iter().any(sought), "{bits}: {found:?}");
        }
    }

    /// Relations come pure, without what products of neighbours have in common anyway.
    #[test]
    fn even_vectors_are_subtracted() {
        let mut kernel = Kernel::new(10, 32);
        for n in [0x8765_4321_u64, 5, 17, 0x1234_5678, 9] {
            let mut s = 0;
            for i in 0..=n.min(14) {
                let products = [n * n, n * s, n * i, s * s, s * i, i * i];
                let mut point = vec![n, s, i];
                point.extend(products.map(|p| p & 0xffff_ffff));
                point.push(1);
                kernel.cut(&point);
                s += i;
            }
        }
        let found: Vec<Vec<i64>> = kernel
            .vectors
            .iter()
            .filter_map(|v| kernel.small(v))
            .collect();
        let sought = |v: &Vec<i64>| {
            let unit = v[2];
            unit.abs() == 1 && *v == vec![0, 2 * unit, unit, 0, 0, 0, 0, 0, -unit, 0]
        };
        assert!(found.iter().any(sought), "{found:?}");
    }

    /// What only some states are is no relation.
    #[test]
    fn wild_points_leave_nothing() {
        let mut kernel = Kernel::new(3, 32);
        for (a, b) in [(1, 7), (2, 3), (5, 11), (8, 1)] {
            kernel.cut(&[a, b, 1]);
        }
        assert!(kernel.vectors.iter().all(|v| kernel.small(v).is_none()));
    }
}
