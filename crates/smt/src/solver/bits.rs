//! Bit-precise solving on demand: when it begins, and how models come of it.
//!
//! A check begins with lemmas about operators. When a number of rounds has not settled it, every active
//! integer atom gets its definition by bits (`theory::bits`), with the ranges that the assertions in
//! force give its leaves. From then on clauses decide the atoms and arithmetic follows. When
//! all is assigned, the bits give the leaves values. Without functions and arrays that is the model; else
//! arithmetic is told the values (`x <= v` and `x >= v`, defined by bits too), so that the theories
//! agree on them as on any others.
//!
//! Invariant: definitions are valid formulas; what is made here never decides an answer by itself.

use crate::lemmas::About;
use crate::solver::Solver;
use crate::theory::bits::{self, Definition};
use crate::ticks;
use base::{Budget, FxHashMap, FxHashSet, Stop};
use logic::{IBig, Memo, Model, Op, Pool, Rational, TermId, Value};
use std::collections::BTreeMap;

/// Rounds of lemmas on demand before bits; more where interpolants are wanted, since lemmas give
/// more telling ones.
const ROUNDS: u32 = 8;
const ROUNDS_WITH_PROOF: u32 = 16;
/// Rounds about floats alone that count as one: intervals are refined step by step, circuits are large.
const FLOAT_ROUNDS: u32 = 12;
/// Rounds about products alone that count as one: a circuit of two words has some ten thousand gates.
const PRODUCT_ROUNDS: u32 = 4;
/// Terms that all circuits of a solver may have.
const GATES: usize = 1_000_000;
/// Rounds in which arithmetic is told values, in one check.
const TOLD: u32 = 50;

/// What is known of bits.
#[derive(Default)]
pub(crate) struct Bits {
    /// Whether the current check uses them.
    pub(crate) on: bool,
    /// Rounds of lemmas before bits, if not the usual number.
    after: Option<u32>,
    rounds: u32,
    told: u32,
    /// Queries in a row that bits alone left open.
    pub(crate) vain: u32,
    /// Final checks of the current check.
    pub(crate) finals: u32,
    /// The definitions of atoms; `None` for those that have none.
    formulas: FxHashMap<TermId, Option<TermId>>,
    /// Bits of leaves that circuits read, and the ranges they rest on.
    leaves: BTreeMap<TermId, usize>,
    ranges: FxHashMap<TermId, (IBig, IBig)>,
    /// The bits of leaves in circuits.
    pub(crate) atoms: FxHashSet<TermId>,
    /// A definition is being added: bits in it are no business of arithmetic.
    pub(crate) drawing: bool,
    gates: usize,
}

impl Bits {
    /// What a solver that starts over keeps.
    pub(crate) fn afresh(&self) -> Bits {
        Bits {
            after: self.after,
            ..Bits::default()
        }
    }

    /// A new check begins: with lemmas.
    pub(crate) fn begin(&mut self) {
        self.on = false;
        self.rounds = 0;
        self.told = 0;
        self.finals = 0;
    }
}

impl Solver {
    /// Rounds of lemmas about operators before atoms are decided by their bits.
    pub fn use_bits_after(&mut self, rounds: u32) {
        self.bits.after = Some(rounds);
    }

    /// Counts a round of lemmas; true if bits are used from now on.
    pub(crate) fn turn_to_bits(&mut self, about: About) -> bool {
        self.bits.rounds += match about {
            About::Nothing | About::Floats => 1,
            About::Products => FLOAT_ROUNDS / PRODUCT_ROUNDS,
            About::Words => FLOAT_ROUNDS,
        };
        let limit = match self.bits.after {
            Some(rounds) => rounds,
            None if self.proof => ROUNDS_WITH_PROOF,
            None => ROUNDS,
        };
        let due = self.bits.rounds > limit.saturating_mul(FLOAT_ROUNDS) && self.bits.gates < GATES;
        due && !std::mem::replace(&mut self.bits.on, true)
    }

    /// Uses bits from now on; false if that is so already.
    pub(crate) fn force_bits(&mut self) -> bool {
        self.bits.gates < GATES && !std::mem::replace(&mut self.bits.on, true)
    }

    /// Defines the active atoms that have no definition in force. True if there were any.
    pub(crate) fn define_by_bits(
        &mut self,
        pool: &mut Pool,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let ranges = self.ranges_in_force(pool);
        let mut new = false;
        let mut i = 0;
        while i < self.active.all.len() {
            let atom = self.records[self.active.all[i] as usize].term;
            i += 1;
            if !matches!(pool.op(atom), Op::Le | Op::Eq) || self.bits.gates > GATES {
                continue;
            }
            let gates = self.bits.gates;
            new |= self.define_atom(pool, atom, &ranges);
            budget.charge((self.bits.gates - gates) as u64 * ticks::TERM);
            if i % 16 == 0 {
                budget.check()?;
            }
        }
        Ok(new)
    }

    fn define_atom(
        &mut self,
        pool: &mut Pool,
        atom: TermId,
        ranges: &FxHashMap<TermId, (IBig, IBig)>,
    ) -> bool {
        if !self.bits.formulas.contains_key(&atom) {
            let before = pool.term_count();
            let range = |t: TermId| ranges.get(&t).cloned();
            let made = match pool.op(atom) {
                Op::App(_) => bits::float_definition(pool, atom, &range),
                _ => bits::definition(pool, atom, &range),
            };
            self.bits.gates += pool.term_count() - before;
            if let Some(d) = &made {
                self.note_leaves(pool, d);
            }
            let formula = made.map(|d| d.formula);
            self.bits.formulas.insert(atom, formula);
        }
        match self.bits.formulas[&atom] {
            Some(formula) => {
                self.bits.drawing = true;
                let new = self.learn_formula(pool, atom, formula);
                self.bits.drawing = false;
                new
            }
            None => false,
        }
    }

    /// Whether a term is an operation on floats.
    pub(crate) fn is_float(pool: &Pool, t: TermId) -> bool {
        logic::float::operation(pool, t).is_some()
    }

    /// Defines operations on floats whose bits are not what those of their operands make. True if there were any.
    pub(crate) fn define_floats(&mut self, pool: &mut Pool, budget: &Budget) -> Result<bool, Stop> {
        let list = self.active.specials.iter().copied();
        let floats: Vec<TermId> = list.filter(|&t| Self::is_float(pool, t)).collect();
        if floats.is_empty() {
            return Ok(false);
        }
        let known: FxHashMap<TermId, Rational> = self.active_leaves(pool).into_iter().collect();
        let value = |u: TermId| known.get(&u).cloned();
        let wrong = |pool: &Pool, t: TermId| {
            let own = known.get(&t)?;
            let args = pool.args(t).iter();
            let args = args.map(|&a| crate::lemmas::value_of(pool, a, &value).map(Value::Num));
            let args: Option<Vec<Value>> = args.collect();
            let op = logic::float::operation(pool, t)?;
            Some(op.apply(&args?)?.as_num()? != own)
        };
        let mut ranges = None;
        let mut new = false;
        for t in floats {
            if wrong(pool, t) != Some(true) || self.bits.gates > GATES {
                continue;
            }
            budget.check()?;
            if ranges.is_none() {
                ranges = Some(self.ranges_in_force(pool));
            }
            let gates = self.bits.gates;
            if let Some(ranges) = &ranges {
                new |= self.define_atom(pool, t, ranges);
            }
            budget.charge((self.bits.gates - gates) as u64 * ticks::TERM);
        }
        Ok(new)
    }

    fn note_leaves(&mut self, pool: &mut Pool, d: &Definition) {
        for (&leaf, &width) in &d.leaves {
            for i in 0..width {
                let atom = bits::words::bit_atom(pool, leaf, i);
                self.bits.atoms.insert(atom);
            }
            let seen = self.bits.leaves.entry(leaf).or_insert(0);
            *seen = width.max(*seen);
        }
        for (&leaf, range) in &d.guards {
            self.bits.ranges.insert(leaf, range.clone());
        }
    }

    /// Bounds on single terms that hold in this check whatever the search decides.
    fn ranges_in_force(&self, pool: &Pool) -> FxHashMap<TermId, (IBig, IBig)> {
        let mut bounds: FxHashMap<TermId, (Option<IBig>, Option<IBig>)> = FxHashMap::default();
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
                .is_none_or(|old| (n < *old) == upper && n != *old);
            if tighter {
                *slot = Some(n);
            }
        }
        let both = bounds.into_iter();
        let both = both.filter_map(|(t, (low, high))| Some((t, (low?, high?))));
        both.filter(|(_, (low, high))| low <= high).collect()
    }

    /// The value that the bits give a leaf.
    fn value_by_bits(&self, pool: &mut Pool, leaf: TermId, width: usize) -> Rational {
        let mut sum = IBig::ZERO;
        let mut last = false;
        for i in 0..width {
            let atom = bits::words::bit_atom(pool, leaf, i);
            let lit = self.record(atom).and_then(|r| r.lit);
            last = lit.is_some_and(|l| self.sat.is_true(l));
            if last {
                sum += IBig::ONE << i;
            }
        }
        let signed = self
            .bits
            .ranges
            .get(&leaf)
            .is_some_and(|r| r.0 < IBig::ZERO);
        if signed && last {
            sum -= IBig::ONE << width;
        }
        Rational::from(sum)
    }

    fn active_leaves(&self, pool: &mut Pool) -> Vec<(TermId, Rational)> {
        let list: Vec<(TermId, usize)> = self.bits.leaves.iter().map(|(&t, &w)| (t, w)).collect();
        let list = list
            .into_iter()
            .filter(|l| self.record(l.0).is_some_and(|r| r.active));
        let list: Vec<_> = list.collect();
        list.into_iter()
            .map(|(t, w)| (t, self.value_by_bits(pool, t, w)))
            .collect()
    }

    /// The model that the bits give, if there are neither functions nor arrays and it holds.
    pub(crate) fn model_by_bits(&mut self, pool: &mut Pool) -> bool {
        let values = self.active_leaves(pool);
        let mut model = self.build_model(pool);
        for (t, value) in values {
            if let Some(symbol) = pool.as_constant(t) {
                model.constants.insert(symbol, Value::Num(value));
            }
        }
        let holds = self.holds_in(pool, &model);
        self.model = holds.then_some(model);
        holds
    }

    /// Tells arithmetic the values that the bits give leaves and operators. True if that was new.
    pub(crate) fn tell_values(&mut self, pool: &mut Pool, budget: &Budget) -> Result<bool, Stop> {
        if self.bits.told >= TOLD {
            return Ok(false);
        }
        let leaves = self.active_leaves(pool);
        let known: FxHashMap<TermId, Rational> = leaves.iter().cloned().collect();
        let mut wrong = Vec::new();
        for (t, value) in leaves {
            if self.number(pool, t) != value {
                wrong.push((t, value));
            }
        }
        for t in self.active.specials.clone() {
            let value = crate::lemmas::value_of(pool, t, &|u| known.get(&u).cloned());
            if let Some(value) = value.filter(|v| *v != self.number(pool, t)) {
                wrong.push((t, value));
            }
        }
        let ranges = self.ranges_in_force(pool);
        let mut new = false;
        for (t, value) in wrong {
            budget.check()?;
            let v = pool.num(value, pool.int_sort());
            for side in [pool.le(t, v), pool.le(v, t)] {
                let atom = match pool.op(side) {
                    Op::Not => pool.args(side)[0],
                    Op::True | Op::False => continue,
                    _ => side,
                };
                new |= self.activate(pool, atom);
                new |= self.define_atom(pool, atom, &ranges);
                let lit = self.lit_of(pool, side);
                if self.sat.value(lit).is_none() {
                    self.sat.set_phase(lit);
                    new = true;
                }
            }
        }
        self.bits.told += u32::from(new);
        Ok(new)
    }

    /// Whether a model makes every assertion and assumption true.
    pub(crate) fn holds_in(&self, pool: &Pool, model: &Model) -> bool {
        let mut memo = Memo::new();
        let asserted = self.scopes.iter().flat_map(|s| &s.assertions);
        asserted
            .map(|a| a.term)
            .chain(self.assumptions.iter().map(|a| a.1))
            .all(|t| memo.eval(pool, model, t) == Value::Bool(true))
    }
}
