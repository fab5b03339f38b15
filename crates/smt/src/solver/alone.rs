//! A whole query by bits alone: every atom becomes its circuit, and the SAT core decides the rest.
//!
//! Definitions by bits (`solver::bits`) leave the atoms to arithmetic as well, which follows each decision about a
//! bit at a high price and has nothing to say where the bits decide. So before a check turns to definitions, the
//! assertions are translated as a whole and given to a solver of their own, for a limited number of
//! conflicts.
//!
//! Sound because the translation only allows more: a leaf has any bits of a word that its range in force fits in, an atom
//! that divides by zero or that has no circuit is a variable of its own. So `Unsat` there is `Unsat` here; a model
//! from there is evaluated on the assertions before it counts.
//!
//! A query about products gets a try before lemmas have said much: with factors that are small numbers. Circuits are small then, and a
//! model is as likely there as anywhere; without one nothing is known ([`Reach::Small`]).
//!
//! Invariant: no proof comes of it, so solvers with proof do not use it.

use crate::solver::Solver;
use crate::theory::bits::words::Blaster;
use crate::theory::bits::{self, circuit};
use crate::{Answer, Lit, Unknown, ticks};
use base::{Budget, FxHashMap, FxHashSet, Id, Stop};
use logic::{IBig, Op, Pool, Rational, TermId, Value};

/// Terms that the circuits of a query may have.
const GATES: usize = 400_000;
/// Conflicts after which arithmetic takes part again, for circuits of at most so many gates; fewer for larger ones.
pub(crate) const CONFLICTS: u64 = 16_000;
const SMALL: usize = 20_000;
/// Conflicts with multipliers among the gates, if there are more gates than this: lemmas about products mostly know more.
const MULTIPLIERS: u64 = 500;
const PRODUCTS: usize = 4_000;
/// Final checks after which bits alone have a turn though lemmas did not ask for it, and how many conflicts it is
/// long: arithmetic may branch for ever, or be at the end.
const TURNS: [(u32, u64); 3] = [(40, 1_000), (160, 4_000), (640, CONFLICTS)];
/// Queries in a row without an answer after which a solver does not try any more.
const VAIN: u32 = 8;

/// Final checks after which a query about products is tried with small factors, how small they are, the range of what has none, and the
/// conflicts of the try.
const TRIES: [u32; 3] = [2, 6, 24];
const SMALL_FACTOR: u32 = 4;
const RANGE: usize = 62;
const TRY: u64 = 1_000;

/// Which values leaves may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// All of their ranges.
    Whole,
    /// Of factors only the smallest.
    Small,
}

/// What bits alone say about a query.
pub(crate) enum Alone {
    Unsat,
    /// The model is kept.
    Model,
    Open,
}

/// A bound on a term, with the literal that gives it.
type Bound = (IBig, Lit);
type Bounds = FxHashMap<TermId, (Option<Bound>, Option<Bound>)>;

/// The conflicts of the turn that is due after so many final checks.
pub(crate) fn turn(finals: u32) -> Option<u64> {
    let due = TURNS.iter().find(|(at, _)| *at == finals);
    due.map(|(_, conflicts)| *conflicts)
}

/// Whether a try with small factors is due after so many final checks.
pub(crate) fn try_due(finals: u32) -> bool {
    TRIES.contains(&finals)
}

/// The numbers of a range that are nearest to zero.
fn small((low, high): (IBig, IBig)) -> (IBig, IBig) {
    let size = IBig::ONE << SMALL_FACTOR as usize;
    if low > size {
        let end = (&low + &size).min(high);
        return (low, end);
    }
    if high < -&size {
        let end = (&high - &size).max(low);
        return (end, high);
    }
    (low.max(-&size), high.min(size))
}

impl Solver {
    /// Whether the query has a model in which all factors of products are small.
    pub(crate) fn try_small(&mut self, pool: &mut Pool, budget: &Budget) -> Result<bool, Stop> {
        let specials = &self.active.specials;
        let products = specials.iter().any(|&t| pool.op(t) == Op::Mul);
        // Where words wrap around, a small model is mostly none.
        let wraps = |t: &TermId| matches!(pool.op(*t), Op::Wrap { .. });
        if self.proof || !products || specials.iter().any(wraps) {
            return Ok(false);
        }
        let vain = self.bits.vain;
        self.bits.vain = 0;
        let found = self.attempt(pool, TRY, Reach::Small, budget);
        if !matches!(found, Ok(Alone::Model)) {
            self.bits.vain = vain;
        }
        Ok(matches!(found?, Alone::Model))
    }

    pub(crate) fn decide_alone(
        &mut self,
        pool: &mut Pool,
        conflicts: u64,
        budget: &Budget,
    ) -> Result<Alone, Stop> {
        self.attempt(pool, conflicts, Reach::Whole, budget)
    }

    /// Constants in factors of products.
    fn factors(&self, pool: &Pool) -> FxHashSet<TermId> {
        let products = self.active.specials.iter();
        let products = products.filter(|&&t| pool.op(t) == Op::Mul);
        let roots: Vec<TermId> = products.flat_map(|&t| pool.args(t)).copied().collect();
        let inside = pool.post_order(&roots).into_iter();
        inside.filter(|&t| pool.as_constant(t).is_some()).collect()
    }

    fn attempt(
        &mut self,
        pool: &mut Pool,
        conflicts: u64,
        reach: Reach,
        budget: &Budget,
    ) -> Result<Alone, Stop> {
        if self.proof || self.bits.vain >= VAIN {
            return Ok(Alone::Open);
        }
        self.bits.vain += 1;
        let before = pool.term_count();
        let bounds = self.bounds_in_force(pool);
        let factors = match reach {
            Reach::Whole => FxHashSet::default(),
            Reach::Small => self.factors(pool),
        };
        let range = |t: TermId| {
            let known = match bounds.get(&t) {
                Some((Some(low), Some(high))) if low.0 <= high.0 => {
                    Some((low.0.clone(), high.0.clone()))
                }
                _ => None,
            };
            if reach == Reach::Whole {
                return known;
            }
            let (low, high) = match bounds.get(&t) {
                Some((low, high)) => (low.as_ref(), high.as_ref()),
                None => (None, None),
            };
            let far = IBig::ONE << RANGE;
            let low = low.map_or_else(|| -&far, |b| b.0.clone());
            let high = high.map_or(far, |b| b.0.clone());
            let range = if factors.contains(&t) {
                small((low, high))
            } else {
                (low, high)
            };
            (range.0 <= range.1).then_some(range)
        };
        let asserted = self.scopes.iter().flat_map(|s| &s.assertions);
        let asserted: Vec<TermId> = asserted.map(|a| a.term).collect();
        let assumed: Vec<TermId> = self.assumptions.iter().map(|a| a.1).collect();
        let mut work = Translation::new(pool, &range);
        let (Some(facts), Some(assumptions)) = (
            work.formulas(&asserted, budget)?,
            work.formulas(&assumed, budget)?,
        ) else {
            return Ok(Alone::Open);
        };
        let Blaster { guards, leaves, .. } = work.blaster;
        let mut inner = Solver::new();
        for f in facts {
            inner.assert(pool, f);
            budget.check()?;
        }
        let gates = pool.term_count() - before;
        let conflicts = conflicts * SMALL as u64 / gates.max(SMALL) as u64;
        let products = self.active.specials.iter().any(|&t| pool.op(t) == Op::Mul);
        let conflicts = match products && gates > PRODUCTS {
            true => conflicts.min(MULTIPLIERS),
            false => conflicts,
        };
        let limit = budget.conflicts.unwrap_or(conflicts).min(conflicts);
        let limited = budget.clone().with_conflicts(limit);
        match inner.check(pool, &assumptions, &limited) {
            // Other factors were not looked at.
            Answer::Unsat if reach == Reach::Small => return Ok(Alone::Open),
            Answer::Unsat => {
                if guards.keys().any(|&t| !has_range(pool, t, &bounds)) {
                    return Ok(Alone::Open);
                }
                self.core = self.core_of(inner.core(), &assumptions, &bounds, guards.keys());
                self.bits.vain = 0;
                return Ok(Alone::Unsat);
            }
            Answer::Sat => {}
            Answer::Unknown(Unknown::Budget(Stop::Effort))
            | Answer::Unknown(Unknown::Incomplete(_)) => {
                return Ok(Alone::Open);
            }
            Answer::Unknown(Unknown::Budget(stop)) => return Err(stop),
        }
        let truth = inner.model(pool);
        let mut model = self.build_model(pool);
        for s in pool.symbols_of(&asserted.into_iter().chain(assumed).collect::<Vec<_>>()) {
            if let Some(value @ Value::Bool(_)) = truth.constants.get(&s) {
                model.constants.insert(s, value.clone());
            }
        }
        for (leaf, width) in leaves {
            let Some(symbol) = pool.as_constant(leaf) else {
                continue;
            };
            let mut number = IBig::ZERO;
            let mut last = false;
            for i in 0..width {
                let own = plain_bit(pool, leaf, i);
                let own = pool.as_constant(own);
                let value = own.and_then(|s| truth.constants.get(&s));
                last = value == Some(&Value::Bool(true));
                if last {
                    number += IBig::ONE << i;
                }
            }
            if last && guards.get(&leaf).is_some_and(|g| g.0 < IBig::ZERO) {
                number -= IBig::ONE << width;
            }
            model
                .constants
                .insert(symbol, Value::Num(Rational::from(number)));
        }
        if !self.holds_in(pool, &model) {
            return Ok(Alone::Open);
        }
        self.model = Some(model);
        self.bits.vain = 0;
        Ok(Alone::Model)
    }

    /// The assumptions that a refutation rests on: those of its core, and those that give leaves their ranges.
    fn core_of<'a>(
        &self,
        core: &[TermId],
        images: &[TermId],
        bounds: &Bounds,
        guarded: impl Iterator<Item = &'a TermId>,
    ) -> Vec<TermId> {
        let mut needed: FxHashSet<TermId> = FxHashSet::default();
        for ((_, term), image) in self.assumptions.iter().zip(images) {
            if core.contains(image) {
                needed.insert(*term);
            }
        }
        let open = self.scopes.len() as u32 - 1;
        for t in guarded {
            let Some((low, high)) = bounds.get(t) else {
                continue;
            };
            for (_, lit) in [low, high].into_iter().flatten() {
                if self.sat.level_of(lit.var()) <= open {
                    continue;
                }
                match self.assumptions.iter().find(|a| a.0 == *lit) {
                    Some(a) => {
                        needed.insert(a.1);
                    }
                    // It follows from some of them.
                    None => needed.extend(self.assumptions.iter().map(|a| a.1)),
                }
            }
        }
        let list = self.assumptions.iter().map(|a| a.1);
        list.filter(|t| needed.contains(t)).collect()
    }

    /// Bounds on single terms that hold in this check whatever the search decides.
    fn bounds_in_force(&self, pool: &Pool) -> Bounds {
        let mut bounds = Bounds::default();
        let fixed = self.scopes.len() as u32 - 1 + u32::from(!self.assumptions.is_empty());
        for &i in &self.active.all {
            let record = &self.records[i as usize];
            let Some(lit) = record.lit.filter(|_| pool.op(record.term) == Op::Le) else {
                continue;
            };
            let Some(value) = self.sat.value(lit) else {
                continue;
            };
            if self.sat.level_of(lit.var()) > fixed {
                continue;
            }
            let Some((t, n, upper)) = bits::bound_of(pool, record.term, value) else {
                continue;
            };
            let entry = bounds.entry(t).or_default();
            let slot = if upper { &mut entry.1 } else { &mut entry.0 };
            let tighter = slot
                .as_ref()
                .is_none_or(|old| (n < old.0) == upper && n != old.0);
            if tighter {
                *slot = Some((n, if value { lit } else { !lit }));
            }
        }
        bounds
    }
}

fn has_range(pool: &Pool, t: TermId, bounds: &Bounds) -> bool {
    let known = matches!(bounds.get(&t), Some((Some(low), Some(high))) if low.0 <= high.0);
    known
        || logic::float::operation(pool, t)
            .is_some_and(|op| crate::lemmas::float_result(op).is_some())
}

/// Bit `i` of a leaf as a Bool constant that no text can write.
fn plain_bit(pool: &mut Pool, leaf: TermId, i: usize) -> TermId {
    let sort = pool.bool_sort();
    pool.constant(&format!("|bit {} {i}", leaf.index()), sort)
}

struct Translation<'a> {
    blaster: Blaster<'a>,
    images: FxHashMap<TermId, TermId>,
    /// Atoms and the circuits that stand for them.
    circuits: FxHashMap<TermId, Option<TermId>>,
    limit: usize,
}

impl<'a> Translation<'a> {
    fn new(pool: &'a mut Pool, ranges: &'a bits::words::RangeOf<'a>) -> Self {
        let limit = pool.term_count() + GATES;
        Translation {
            blaster: Blaster::with_gates(pool, ranges, GATES),
            images: FxHashMap::default(),
            circuits: FxHashMap::default(),
            limit,
        }
    }

    /// The formulas over bits; `None` if they are too large.
    fn formulas(&mut self, list: &[TermId], budget: &Budget) -> Result<Option<Vec<TermId>>, Stop> {
        let mut out = Vec::new();
        for &f in list {
            if !self.walk(f, budget)? {
                return Ok(None);
            }
            out.push(self.images[&f]);
        }
        Ok(Some(out))
    }

    /// Translates a formula and all below it, arguments first; false if that is too large.
    fn walk(&mut self, root: TermId, budget: &Budget) -> Result<bool, Stop> {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.images.contains_key(&t) {
                stack.pop();
                continue;
            }
            let count = self.blaster.pool.term_count();
            if count > self.limit {
                return Ok(false);
            }
            let below = self.below(t);
            let before = stack.len();
            stack.extend(below.iter().filter(|a| !self.images.contains_key(*a)));
            if stack.len() == before {
                stack.pop();
                let image = self.image(t, &below);
                self.images.insert(t, image);
            }
            let made = self.blaster.pool.term_count() - count;
            budget.spend((1 + made) as u64 * ticks::TERM)?;
        }
        Ok(true)
    }

    /// The formulas that a formula is made of: of an atom its circuit.
    fn below(&mut self, t: TermId) -> Vec<TermId> {
        let pool = &*self.blaster.pool;
        match pool.op(t) {
            Op::Not | Op::And | Op::Or | Op::Ite => pool.args(t).to_vec(),
            Op::Eq if pool.sort_of(pool.args(t)[0]) == pool.bool_sort() => pool.args(t).to_vec(),
            Op::Le | Op::Eq if pool.sort_of(pool.args(t)[0]) == pool.int_sort() => {
                match self.circuit(t) {
                    Some(circuit) => vec![circuit],
                    None => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }

    fn image(&mut self, t: TermId, below: &[TermId]) -> TermId {
        if let Some(Some(circuit)) = self.circuits.get(&t) {
            return self.images[circuit];
        }
        let pool = &mut *self.blaster.pool;
        if let Some((leaf, i)) = bits::bit_of(pool, t) {
            return plain_bit(pool, leaf, i);
        }
        if below.is_empty() {
            // Constants of Bool stay; what else has no circuit stands for itself.
            let plain = matches!(pool.op(t), Op::True | Op::False) || pool.as_constant(t).is_some();
            return if plain { t } else { open(pool, t) };
        }
        let args: Vec<TermId> = below.iter().map(|a| self.images[a]).collect();
        pool.rebuild(t, &args)
    }

    /// The circuit of an atom of integers; `None` for the bits of leaves, and for what has none.
    fn circuit(&mut self, t: TermId) -> Option<TermId> {
        if let Some(known) = self.circuits.get(&t) {
            return *known;
        }
        let made = self.plain_circuit(t);
        let made = made.and_then(|plain| self.without_zero(t, plain));
        self.circuits.insert(t, made);
        made
    }

    fn plain_circuit(&mut self, t: TermId) -> Option<TermId> {
        if let Some((leaf, i)) = bits::bit_of(self.blaster.pool, t) {
            return match self.blaster.leaves.get(&leaf) {
                Some(&width) if i < width => None,
                _ => {
                    let word = self.blaster.low_word(leaf, i + 1)?;
                    Some(word[i]).filter(|&c| c != t)
                }
            };
        }
        let [a, b] = *self.blaster.pool.args(t) else {
            return None;
        };
        let (x, y) = (self.blaster.exact_word(a)?, self.blaster.exact_word(b)?);
        Some(match self.blaster.pool.op(t) {
            Op::Le => circuit::at_most(self.blaster.pool, &x.word, &y.word),
            _ => circuit::equal(self.blaster.pool, &x.word, &y.word),
        })
    }

    /// The circuit of `t` unless it divides by zero.
    fn without_zero(&mut self, t: TermId, plain: TermId) -> Option<TermId> {
        if self.blaster.divisors.is_empty() {
            return Some(plain);
        }
        let divisors: FxHashSet<TermId> = self.blaster.divisors.iter().copied().collect();
        let mut zero = Vec::new();
        for s in self.blaster.pool.post_order(&[t]) {
            let op = self.blaster.pool.op(s);
            if !matches!(op, Op::IntDiv | Op::Mod | Op::CDiv | Op::CRem) {
                continue;
            }
            let d = self.blaster.pool.args(s)[1];
            if divisors.contains(&d) {
                let word = self.blaster.exact_word(d)?.word;
                let none = [self.blaster.pool.ff()];
                zero.push(circuit::equal(self.blaster.pool, &word, &none));
            }
        }
        // Sound because an atom over a division by zero is a variable of its own.
        let pool = &mut *self.blaster.pool;
        let zero = pool.or(&zero);
        let any = open(pool, t);
        Some(pool.ite(zero, any, plain))
    }
}

/// A variable that stands for a formula of which nothing is known.
fn open(pool: &mut Pool, t: TermId) -> TermId {
    let sort = pool.bool_sort();
    pool.constant(&format!("|open {}", t.index()), sort)
}
