//! Interpolants of words in terms of words, before their bits are asked.
//!
//! ```text
//!   A: x1 = x0 + 1 and x0 <u 10 and y = x0     B: x1 >u 20 …
//!   x0 = x1 - 1 (solved)   so   x1 - 1 <u 10, y = x1 - 1
//! ```
//! *Idea.* Of each cut, the node below it with its children's interpolants is A and all that is left is B. What A says is written
//! without A's own constants by solving equations for them, and so is what B says; what is left over both sides' words alone are
//! facts. If A's facts contradict B, those that are needed are the interpolant, and if B's contradict A, the negation of theirs is. Else
//! atoms of either side that A implies, orders and bounds of words are tried, and at last the refutation over bits of this one cut.
//! A cut's interpolant takes the place of what is below it, so those of a tree fit together.
//!
//! *Source.* Griggio: Effective word-level interpolation for software verification (FMCAD 2011); Backeman, Rümmer, Zeljić: Bit-vector
//! interpolation and quantifier elimination by lazy reduction (FMCAD 2018), of which the layers are taken: equations, then bounds, then
//! bits.
//!
//! Sound because every step and the vocabulary are checked at the end, by solvers of their own ([`Words::verified`]).

use super::Words;
use super::solve::{are_plain, project};
use crate::interpolate::{Interpolator, Options, Outcome};
use crate::{Answer, Solver};
use base::{Budget, FxHashSet, Stop, Work};
use logic::word::{Shape, WordOp};
use logic::{IBig, Op, Pool, TermId};

/// The work on a list, and on one cut, before bits are asked.
const WORK: Work = Work::thousand(3000);
const WORK_A_CUT: Work = Work::thousand(300);
/// Atoms, words and pairs of words that are tried.
const ATOMS: usize = 24;
const WORDS: usize = 4;
const PAIRS: usize = 12;
/// Wider words have no bounds.
const WIDTH: u32 = 64;
/// Terms that are looked at in a tick.
const TERMS_A_TICK: usize = 8;
/// Longer cores are not made minimal.
const CORE: usize = 16;

/// One side of a cut.
struct Half {
    formula: TermId,
    solver: Solver,
    /// What it says without constants of its own.
    facts: Vec<TermId>,
    /// All of it, with its own constants replaced where equations define them.
    solved: Vec<TermId>,
}

impl Words {
    /// Interpolants of a tree of formulas over words that is contradictory, each in terms of words as far as that goes; `None` if
    /// there is something else in the formulas, or it takes too long.
    pub fn interpolants(
        &mut self,
        pool: &mut Pool,
        parts: &[TermId],
        parent: &[usize],
        budget: &Budget,
    ) -> Option<Vec<TermId>> {
        if !pool.has_words() || !are_plain(pool, parts, budget).ok()? {
            return None;
        }
        let slice = budget.clone().with_slice(WORK);
        // What stands for a subtree, or for a node that was not reached yet.
        let mut standing: Vec<Option<TermId>> = parts.iter().copied().map(Some).collect();
        let mut list = Vec::with_capacity(parts.len().saturating_sub(1));
        for node in 0..parts.len().saturating_sub(1) {
            let mut below = vec![parts[node]];
            for child in (0..node).filter(|&c| parent[c] == node) {
                below.extend(standing[child].take());
            }
            standing[node] = None;
            let rest: Vec<TermId> = standing.iter().flatten().copied().collect();
            let sides = [pool.and(&below), pool.and(&rest)];
            let found = self.cut(pool, sides, &slice, budget)?;
            standing[node] = Some(found);
            list.push(found);
        }
        let fine = self.verified(pool, parts, parent, &list, budget).ok()?;
        fine.then_some(list)
    }

    /// An interpolant of two formulas.
    fn cut(
        &mut self,
        pool: &mut Pool,
        [below, rest]: [TermId; 2],
        slice: &Budget,
        budget: &Budget,
    ) -> Option<TermId> {
        if below == pool.tt() || rest == pool.ff() {
            return Some(pool.tt());
        }
        if below == pool.ff() || rest == pool.tt() {
            return Some(pool.ff());
        }
        let own = slice.clone().with_slice(WORK_A_CUT);
        match self.in_words(pool, [below, rest], &own) {
            Ok(Some(found)) => return Some(found),
            Ok(None) => {}
            // Without work left for the other cuts a refutation of all of them at once is better.
            Err(_) => slice.check().ok()?,
        }
        let mut images = Vec::new();
        for side in [below, rest] {
            images.push(self.translate(pool, side, budget).ok()?);
        }
        let mut interpolator = Interpolator::new(Options::default());
        match interpolator.sequence(pool, &images, budget) {
            Outcome::Interpolants(list) => Some(self.back(pool, list[0])),
            _ => None,
        }
    }

    /// An interpolant in terms of words.
    fn in_words(
        &mut self,
        pool: &mut Pool,
        [below, rest]: [TermId; 2],
        budget: &Budget,
    ) -> Result<Option<TermId>, Stop> {
        let inside = constants(pool, below);
        let mut shared = constants(pool, rest);
        shared.retain(|x| inside.contains(x));
        let mut a = self.half(pool, below, &shared, budget)?;
        let mut b = self.half(pool, rest, &shared, budget)?;
        if let Some(core) = self.contradicts(pool, &a.facts, &mut b, budget)? {
            return Ok(Some(pool.and(&core)));
        }
        if let Some(core) = self.contradicts(pool, &b.facts, &mut a, budget)? {
            let all = pool.and(&core);
            return Ok(Some(pool.not(all)));
        }
        let mut facts = a.facts.clone();
        for guess in [Words::atoms, Words::orders, Words::bounds] {
            let candidates = guess(self, pool, [&mut a, &mut b], &shared, budget)?;
            for candidate in candidates {
                if self.implies(pool, &mut a, candidate, budget)? {
                    facts.push(candidate);
                }
            }
            if let Some(core) = self.contradicts(pool, &facts, &mut b, budget)? {
                return Ok(Some(pool.and(&core)));
            }
        }
        Ok(None)
    }

    fn half(
        &mut self,
        pool: &mut Pool,
        formula: TermId,
        shared: &FxHashSet<TermId>,
        budget: &Budget,
    ) -> Result<Half, Stop> {
        let solved = project(pool, formula, shared, budget)?;
        let mut facts = Vec::new();
        for &f in &solved {
            let inside = pool.post_order(&[f]);
            budget.spend((1 + inside.len() / TERMS_A_TICK) as u64)?;
            let own = |t: &TermId| pool.as_constant(*t).is_some() && !shared.contains(t);
            if !inside.iter().any(own) {
                facts.push(f);
            }
        }
        let image = self.translate(pool, formula, budget)?;
        let mut solver = Solver::new();
        solver.assert(pool, image);
        Ok(Half {
            formula,
            solver,
            facts,
            solved,
        })
    }

    fn implies(
        &mut self,
        pool: &mut Pool,
        half: &mut Half,
        fact: TermId,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        budget.check()?;
        let image = self.translate(pool, fact, budget)?;
        let not = pool.not(image);
        Ok(half.solver.check(pool, &[not], budget) == Answer::Unsat)
    }

    /// Those facts of a list that are needed to contradict the other side, if it does.
    fn contradicts(
        &mut self,
        pool: &mut Pool,
        facts: &[TermId],
        other: &mut Half,
        budget: &Budget,
    ) -> Result<Option<Vec<TermId>>, Stop> {
        budget.check()?;
        let mut list = Vec::with_capacity(facts.len());
        for &f in facts {
            let image = self.translate(pool, f, budget)?;
            if list.iter().all(|(_, i)| *i != image) {
                list.push((f, image));
            }
        }
        let images = |list: &[(TermId, TermId)]| list.iter().map(|l| l.1).collect::<Vec<_>>();
        if other.solver.check(pool, &images(&list), budget) != Answer::Unsat {
            return Ok(None);
        }
        let core = other.solver.core().to_vec();
        list.retain(|(_, i)| core.contains(i));
        let mut at = if list.len() > CORE { 0 } else { list.len() };
        while at > 0 {
            at -= 1;
            let mut fewer = list.clone();
            fewer.remove(at);
            if other.solver.check(pool, &images(&fewer), budget) == Answer::Unsat {
                list = fewer;
            }
        }
        Ok(Some(list.into_iter().map(|l| l.0).collect()))
    }

    /// Atoms of both sides, and their negations.
    fn atoms(
        &mut self,
        pool: &mut Pool,
        [a, b]: [&mut Half; 2],
        shared: &FxHashSet<TermId>,
        _: &Budget,
    ) -> Result<Vec<TermId>, Stop> {
        let mut out = Vec::new();
        for side in [b, a] {
            let mut roots = side.solved.clone();
            roots.push(side.formula);
            for t in pool.post_order(&roots) {
                let plain = match pool.op(t) {
                    Op::And | Op::Or | Op::Not | Op::Ite | Op::True | Op::False => false,
                    _ => pool.sort_of(t) == pool.bool_sort(),
                };
                let known = plain && constants(pool, t).iter().all(|x| shared.contains(x));
                if known && !out.contains(&t) && out.len() < 2 * ATOMS {
                    let not = pool.not(t);
                    out.extend([t, not]);
                }
            }
        }
        Ok(out)
    }

    /// How shared words compare.
    fn orders(
        &mut self,
        pool: &mut Pool,
        _: [&mut Half; 2],
        shared: &FxHashSet<TermId>,
        _: &Budget,
    ) -> Result<Vec<TermId>, Stop> {
        let words = bit_vectors(pool, shared);
        let mut out = Vec::new();
        let mut pairs = 0;
        for (n, &x) in words.iter().enumerate() {
            for &y in &words[n + 1..] {
                if pool.sort_of(x) != pool.sort_of(y) || pairs == PAIRS {
                    continue;
                }
                pairs += 1;
                let same = pool.eq(x, y);
                let differ = pool.not(same);
                out.extend([same, differ]);
                for op in [WordOp::Ule, WordOp::Sle] {
                    out.extend(pool.word(op, &[x, y]).ok());
                    out.extend(pool.word(op, &[y, x]).ok());
                }
            }
        }
        Ok(out)
    }

    /// The least and the greatest values of shared words, and their low bits where they are fixed.
    fn bounds(
        &mut self,
        pool: &mut Pool,
        [a, _]: [&mut Half; 2],
        shared: &FxHashSet<TermId>,
        budget: &Budget,
    ) -> Result<Vec<TermId>, Stop> {
        let mut out = Vec::new();
        for x in bit_vectors(pool, shared).into_iter().take(WORDS) {
            let sort = pool.sort_of(x);
            let Some(Shape::Bits(width)) = pool.shape(sort) else {
                continue;
            };
            if width > WIDTH {
                continue;
            }
            let number = |pool: &mut Pool, n: &IBig| pool.word_num(n, sort);
            for (op, least) in [
                (WordOp::Ule, IBig::ZERO),
                (WordOp::Sle, -(IBig::ONE << (width as usize - 1))),
            ] {
                let most = &least + (IBig::ONE << width as usize) - IBig::ONE;
                for upper in [true, false] {
                    // The bound is known to hold at `fine` and to fail below (above) `open`.
                    let (mut fine, mut open) = match upper {
                        true => (most.clone(), &least - IBig::ONE),
                        false => (least.clone(), &most + IBig::ONE),
                    };
                    let mut best = None;
                    while (&fine - &open) > IBig::ONE || (&open - &fine) > IBig::ONE {
                        let sum: IBig = (&fine - &least) + (&open - &least);
                        let half = &least + sum / IBig::from(2);
                        let n = number(pool, &half);
                        let bound = match upper {
                            true => pool.word(op, &[x, n]),
                            false => pool.word(op, &[n, x]),
                        };
                        let Ok(bound) = bound else { break };
                        match self.implies(pool, a, bound, budget)? {
                            true => (fine, best) = (half, Some(bound)),
                            false => open = half,
                        }
                    }
                    out.extend(best);
                }
            }
        }
        Ok(out)
    }

    /// Whether interpolants of a tree are what they should be: each follows from its node and its children's, the root's are
    /// contradictory, and each has constants of both sides alone.
    pub(super) fn verified(
        &mut self,
        pool: &mut Pool,
        parts: &[TermId],
        parent: &[usize],
        list: &[TermId],
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let last = parts.len() - 1;
        let mut below: Vec<FxHashSet<usize>> = (0..parts.len())
            .map(|k| FxHashSet::from_iter([k]))
            .collect();
        for node in 0..parts.len() {
            let mut premises = vec![parts[node]];
            for child in (0..node).filter(|&c| parent[c] == node) {
                premises.push(list[child]);
                let inside = below[child].clone();
                below[node].extend(inside);
            }
            if node < last {
                premises.push(pool.not(list[node]));
                let side = |inside: bool| {
                    let side = (0..parts.len()).filter(|p| below[node].contains(p) == inside);
                    let formulas: Vec<TermId> = side.map(|p| parts[p]).collect();
                    constants_of(pool, &formulas)
                };
                let (inside, outside) = (side(true), side(false));
                let both = |x: &TermId| inside.contains(x) && outside.contains(x);
                if !constants(pool, list[node]).iter().all(both) {
                    return Ok(false);
                }
            }
            let mut solver = Solver::new();
            for p in premises {
                let image = self.translate(pool, p, budget)?;
                solver.assert(pool, image);
            }
            if solver.check(pool, &[], budget) != Answer::Unsat {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn constants(pool: &Pool, t: TermId) -> FxHashSet<TermId> {
    constants_of(pool, &[t])
}

fn constants_of(pool: &Pool, formulas: &[TermId]) -> FxHashSet<TermId> {
    let inside = pool.post_order(formulas).into_iter();
    inside.filter(|t| pool.as_constant(*t).is_some()).collect()
}

/// Bit-vectors among constants, oldest first.
fn bit_vectors(pool: &Pool, shared: &FxHashSet<TermId>) -> Vec<TermId> {
    let is = |x: &&TermId| matches!(pool.shape(pool.sort_of(**x)), Some(Shape::Bits(_)));
    let mut words: Vec<TermId> = shared.iter().filter(is).copied().collect();
    words.sort_unstable();
    words
}
