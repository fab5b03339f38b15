//! What terms are in an abstract state.
//!
//! Reading or comparing what lies inside a chain is not answered: the caller takes an object out of the
//! chain first ([`Need`]) and asks again.

use super::calls::calls_are_plain;
use super::memory::{end_of_memory, kinds_of_arrays};
use super::state::Cell;
use super::state::State;
use super::table::Spot;
use super::value::{Base, Interval, Sum, Target, Val, integer};
use base::{FxHashMap, FxHashSet};
use logic::{Op, Pool, Sort, TermId};
use program::{Program, VarId};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What has to be taken out of what stands for many before it can be looked at.
#[derive(Clone, Debug)]
pub(super) enum Need {
    /// The end of a chain, or of a tree, has to be an object of its own.
    End(Target),
    /// A cell of a table has to be one.
    Cell(Rc<Spot>),
}

/// What the program's terms mean.
pub(super) struct Terms<'a> {
    pub pool: &'a Pool,
    pub program: &'a Program,
    pub var_of: FxHashMap<TermId, VarId>,
    /// Arrays with one cell a block of addresses.
    pub(super) by_block: FxHashSet<VarId>,
    /// Arrays with one cell an address.
    pub(super) by_address: FxHashSet<VarId>,
    /// The length of a block.
    pub block: Option<i128>,
    /// The variable that is the end of what is allocated.
    pub top: VarId,
    /// Where allocation begins: fixed addresses lie below.
    pub start: i128,
    /// No address is larger.
    limit: i128,
    pub globals: FxHashSet<VarId>,
    /// Terms with all that they are made of, arguments first.
    orders: RefCell<FxHashMap<TermId, Rc<[TermId]>>>,
    /// Variables in the indices of a term.
    index_vars: RefCell<FxHashMap<TermId, Rc<[VarId]>>>,
    /// Arrays that are read in a term, and where.
    reads: RefCell<FxHashMap<TermId, Reads>>,
    /// Choices in a term.
    choices: RefCell<FxHashMap<TermId, Choices>>,
    /// Arrays that are tables from their next store on, as pointers are stored at places that are not known.
    pub(super) tabled: RefCell<BTreeSet<VarId>>,
    /// There are to be none.
    pub(super) without_tables: std::cell::Cell<bool>,
    /// What conditions are in the case of a statement that is looked at.
    pub(super) decided: RefCell<Vec<(TermId, bool)>>,
}

/// Arrays and the indices at which they are read.
pub(super) type Reads = Rc<[(TermId, TermId)]>;

/// Conditions, with what a number is where they hold and where not.
type Choices = Rc<[(TermId, TermId, TermId)]>;

/// What a term reads.
#[derive(Clone, Copy, Debug)]
pub(super) enum Lvalue {
    Var(VarId),
    Object(u32, Cell),
    Fixed(Cell),
}

#[derive(Clone, Debug)]
enum Meaning {
    Number(Sum),
    Truth(Option<bool>),
    /// Arrays and what is not modelled.
    Other,
}

/// Where an index leads.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Object(u32, Interval),
    Fixed(Interval),
    /// Cells of a table, none of which was taken out: they hold this.
    Row(Val),
    Anywhere,
}

impl<'a> Terms<'a> {
    /// `None` if memory is used in a way that is not understood.
    pub fn new(pool: &'a Pool, program: &'a Program) -> Option<Self> {
        let var_of: FxHashMap<TermId, VarId> = program
            .vars
            .iter_enumerated()
            .map(|(id, v)| (v.term, id))
            .collect();
        let (top, start) = end_of_memory(pool, program, &var_of)?;
        let (_, limit) = program.vars[top].range.as_ref()?;
        let limit = integer(limit)?;
        let kinds = kinds_of_arrays(pool, program, &var_of)?;
        calls_are_plain(pool, program).then_some(())?;
        Some(Terms {
            pool,
            program,
            var_of,
            by_block: kinds.by_block,
            by_address: kinds.by_address,
            block: kinds.block,
            top,
            start,
            limit,
            globals: program.globals.iter().copied().collect(),
            orders: RefCell::default(),
            index_vars: RefCell::default(),
            reads: RefCell::default(),
            choices: RefCell::default(),
            tabled: RefCell::default(),
            without_tables: std::cell::Cell::new(false),
            decided: RefCell::default(),
        })
    }

    /// The numbers among the variables that arrays are indexed by in a term.
    pub fn index_vars(&self, term: TermId) -> Rc<[VarId]> {
        let pool = self.pool;
        let made = || {
            let indices = pool.post_order(&[term]).into_iter();
            let indices = indices.filter_map(|t| match (pool.op(t), pool.args(t)) {
                (Op::Select, &[_, i]) | (Op::Store, &[_, i, _]) => Some(i),
                _ => None,
            });
            let indices: Vec<TermId> = indices.collect();
            let mut out = Vec::new();
            for t in pool.post_order(&indices) {
                if let Some(&v) = self.var_of.get(&t)
                    && pool.sort_of(t) == pool.int_sort()
                {
                    out.push(v);
                }
            }
            out.into()
        };
        let mut known = self.index_vars.borrow_mut();
        known.entry(term).or_insert_with(made).clone()
    }

    /// Numbers of a term that are one or another, as a condition says: condition and both.
    pub(super) fn choices(&self, term: TermId) -> Choices {
        let pool = self.pool;
        let made = || {
            let all = pool.post_order(&[term]).into_iter();
            let choices = all.filter_map(|t| match (pool.op(t), pool.args(t)) {
                (Op::Ite, &[c, a, b]) if pool.sort_of(t) == pool.int_sort() => Some((c, a, b)),
                _ => None,
            });
            choices.collect()
        };
        let mut known = self.choices.borrow_mut();
        known.entry(term).or_insert_with(made).clone()
    }

    /// Where arrays are read in a term.
    pub fn reads(&self, term: TermId) -> Reads {
        let pool = self.pool;
        let made = || {
            let all = pool.post_order(&[term]).into_iter();
            let reads = all.filter_map(|t| match (pool.op(t), pool.args(t)) {
                (Op::Select, &[array, index]) => Some((array, index)),
                _ => None,
            });
            reads.collect()
        };
        let mut known = self.reads.borrow_mut();
        known.entry(term).or_insert_with(made).clone()
    }

    pub fn is_by_block(&self, array: VarId) -> bool {
        self.by_block.contains(&array)
    }

    pub fn range(&self, var: VarId) -> Interval {
        match &self.program.vars[var].range {
            Some((low, high)) => Interval {
                low: integer(low),
                high: integer(high),
            },
            None => Interval::ALL,
        }
    }

    pub fn var(&self, state: &State, var: VarId) -> Val {
        let known = state.vars.get(&var).copied();
        known.unwrap_or_else(|| Val::int(self.range(var)))
    }

    /// The number that a term is.
    pub fn number(&self, state: &State, term: TermId) -> Result<Sum, Need> {
        match self.meaning(state, term)? {
            Meaning::Number(sum) => Ok(sum),
            _ => Ok(Sum::of(Val::ANY)),
        }
    }

    pub fn value(&self, state: &State, term: TermId) -> Result<Val, Need> {
        Ok(self.number(state, term)?.value())
    }

    pub fn truth(&self, state: &State, term: TermId) -> Result<Option<bool>, Need> {
        match self.meaning(state, term)? {
            Meaning::Truth(truth) => Ok(truth),
            _ => Ok(None),
        }
    }

    /// What the condition is in the case that is looked at.
    pub(super) fn decision(&self, condition: TermId) -> Option<bool> {
        let decided = self.decided.borrow();
        decided.iter().find(|d| d.0 == condition).map(|d| d.1)
    }

    fn meaning(&self, state: &State, term: TermId) -> Result<Meaning, Need> {
        let mut known: FxHashMap<TermId, Meaning> = FxHashMap::default();
        let made = || self.pool.post_order(&[term]).into();
        let order = self
            .orders
            .borrow_mut()
            .entry(term)
            .or_insert_with(made)
            .clone();
        for &t in order.iter() {
            let m = self.step(state, t, &known)?;
            known.insert(t, m);
        }
        Ok(known.remove(&term).unwrap_or(Meaning::Other))
    }

    fn step(
        &self,
        state: &State,
        t: TermId,
        known: &FxHashMap<TermId, Meaning>,
    ) -> Result<Meaning, Need> {
        let pool = self.pool;
        let args = pool.args(t);
        let sum = |t: TermId| match known.get(&t) {
            Some(Meaning::Number(sum)) => sum.clone(),
            _ => Sum::of(Val::ANY),
        };
        let truth = |t: TermId| match known.get(&t) {
            Some(Meaning::Truth(truth)) => *truth,
            _ => None,
        };
        let value = |t: TermId| sum(t).value();
        let number = |v: Val| Meaning::Number(Sum::of(v));
        let any = || Meaning::Number(Sum::of(Val::ANY));
        Ok(match (pool.op(t), args) {
            (Op::True, _) => Meaning::Truth(Some(true)),
            (Op::False, _) => Meaning::Truth(Some(false)),
            (Op::Num(n), _) => match integer(pool.number(n)) {
                Some(n) => Meaning::Number(Sum::number(n)),
                None => any(),
            },
            (Op::App(_), _) => match self.var_of.get(&t) {
                Some(&v) if pool.sort_of(t) == pool.int_sort() => number(self.var(state, v)),
                _ if pool.sort_of(t) == pool.bool_sort() => Meaning::Truth(None),
                _ => Meaning::Other,
            },
            (Op::Not, &[a]) => Meaning::Truth(truth(a).map(|b| !b)),
            (Op::And, args) => Meaning::Truth(all(args.iter().map(|&a| truth(a)))),
            (Op::Or, args) => {
                let none = all(args.iter().map(|&a| truth(a).map(|b| !b)));
                Meaning::Truth(none.map(|b| !b))
            }
            (Op::Ite, &[c, a, b]) => match (
                truth(c).or_else(|| self.decision(c)),
                known.get(&a),
                known.get(&b),
            ) {
                (Some(true), Some(m), _) | (Some(false), _, Some(m)) => m.clone(),
                (None, Some(Meaning::Number(a)), Some(Meaning::Number(b))) => {
                    number(a.value().join(b.value()))
                }
                (None, Some(Meaning::Truth(a)), Some(Meaning::Truth(b))) => {
                    Meaning::Truth(a.filter(|_| a == b))
                }
                _ => Meaning::Other,
            },
            (Op::Eq, &[a, b]) => Meaning::Truth(match pool.sort_kind(pool.sort_of(a)) {
                Sort::Int => {
                    let mut difference = sum(b);
                    difference.scale(-1, self.block);
                    difference.add(&sum(a));
                    self.is_zero(state, &difference)?
                }
                Sort::Bool => match (truth(a), truth(b)) {
                    (Some(a), Some(b)) => Some(a == b),
                    _ => None,
                },
                Sort::Array(..) => self.arrays_equal(state, a, b, &value),
                _ => None,
            }),
            (Op::Le, &[a, b]) => {
                let mut difference = sum(b);
                difference.scale(-1, self.block);
                difference.add(&sum(a));
                Meaning::Truth(self.at_most_zero(state, &difference))
            }
            (Op::Add, args) => {
                let mut total = Sum::number(0);
                args.iter().for_each(|&a| total.add(&sum(a)));
                Meaning::Number(total)
            }
            (Op::Mul, &[a, b]) => {
                let (x, y) = (sum(a), sum(b));
                let exact = |s: &Sum| s.offset.exact().filter(|_| s.parts.is_empty());
                let mut out = match (exact(&x), exact(&y)) {
                    (Some(k), _) => (y, k),
                    (_, Some(k)) => (x, k),
                    _ if x.parts.is_empty() && y.parts.is_empty() => {
                        (Sum::of(Val::int(x.offset.times(y.offset))), 1)
                    }
                    _ => return Ok(any()),
                };
                out.0.scale(out.1, self.block);
                Meaning::Number(out.0)
            }
            (Op::IntDiv, &[a, b]) => {
                let by = value(b).offset.exact().filter(|_| value(b).base.is_none());
                match (by, value(a)) {
                    (Some(by), v) if by > 0 => self.divided(state, v, by),
                    _ => any(),
                }
            }
            (Op::Mod, &[a, b]) => {
                let by = value(b).offset.exact().filter(|_| value(b).base.is_none());
                match (by, value(a)) {
                    (Some(by), v) if by > 0 => number(Val::int(self.remainder(state, v, by))),
                    _ => any(),
                }
            }
            (Op::Select, &[array, index]) => {
                if pool.sort_of(t) != pool.int_sort() {
                    return Ok(Meaning::Other);
                }
                match self.is_mark(state, array, index)? {
                    true => Meaning::Number(Sum::number(0)),
                    false => number(self.read(state, array, index, &value)?),
                }
            }
            (Op::Wrap { bits, signed }, &[a]) => {
                number(self.wrapped(state, value(a), bits, signed))
            }
            (Op::BitAnd, &[a, b]) => {
                let (a, b) = (value(a), value(b));
                let exact = |v: Val| v.offset.exact().filter(|_| v.base.is_none());
                match (exact(a), exact(b)) {
                    (Some(x), Some(y)) => Meaning::Number(Sum::number(x & y)),
                    (Some(m), None) | (None, Some(m)) if m >= 0 => {
                        number(Val::int(Interval::new(0, m)))
                    }
                    _ => any(),
                }
            }
            (Op::BitOr, &[a, b]) | (Op::BitXor, &[a, b]) => {
                let (a, b) = (value(a), value(b));
                let exact = |v: Val| v.offset.exact().filter(|_| v.base.is_none());
                match (exact(a), exact(b), pool.op(t)) {
                    (Some(x), Some(y), Op::BitOr) => Meaning::Number(Sum::number(x | y)),
                    (Some(x), Some(y), _) => Meaning::Number(Sum::number(x ^ y)),
                    _ => any(),
                }
            }
            (Op::CDiv, &[a, b]) | (Op::CRem, &[a, b]) => {
                let (a, b) = (value(a), value(b));
                let exact = |v: Val| v.offset.exact().filter(|_| v.base.is_none());
                match (exact(a), exact(b), pool.op(t)) {
                    (Some(x), Some(y), Op::CDiv) if y != 0 => Meaning::Number(Sum::number(x / y)),
                    (Some(x), Some(y), Op::CRem) if y != 0 => Meaning::Number(Sum::number(x % y)),
                    (None, Some(y), Op::CRem) if y > 0 && a.base.is_none() => {
                        let low = if a.offset.low.is_some_and(|l| l >= 0) {
                            0
                        } else {
                            1 - y
                        };
                        number(Val::int(Interval::new(low, y - 1)))
                    }
                    _ => any(),
                }
            }
            _ => match pool.sort_kind(pool.sort_of(t)) {
                Sort::Bool => Meaning::Truth(None),
                Sort::Int => any(),
                _ => Meaning::Other,
            },
        })
    }

    fn divided(&self, state: &State, v: Val, by: i128) -> Meaning {
        match v.base {
            None => Meaning::Number(Sum::of(Val::int(v.offset.divided(by)))),
            // Sound because the object begins a block and the offset lies in it.
            Some(Base::Address(t)) if self.block == Some(by) => {
                let aligned = state.objects.get(&t.object).map(|o| o.align % by == 0);
                match aligned == Some(true) && v.offset.within(0, by) {
                    true => Meaning::Number(Sum {
                        parts: vec![(Base::Number(t), 1)],
                        offset: Interval::number(0),
                    }),
                    false => Meaning::Number(Sum::of(Val::ANY)),
                }
            }
            _ => Meaning::Number(Sum::of(Val::ANY)),
        }
    }

    fn remainder(&self, state: &State, v: Val, by: i128) -> Interval {
        let all = Interval::new(0, by - 1);
        let aligned = match v.base {
            None => true,
            Some(Base::Address(t)) => {
                let object = state.objects.get(&t.object);
                object.is_some_and(|o| o.align % by == 0)
            }
            Some(Base::Number(_)) => false,
        };
        match v.offset.exact() {
            Some(n) if aligned => Interval::number(n.rem_euclid(by)),
            _ if aligned && v.offset.within(0, by) => v.offset,
            _ => all,
        }
    }

    pub(super) fn wrapped(&self, state: &State, v: Val, bits: u8, signed: bool) -> Val {
        let range = match signed {
            _ if bits > 100 => Interval::ALL,
            true => Interval::new(-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            false => Interval::new(0, (1 << bits) - 1),
        };
        match v.base {
            None if range.contains(v.offset) => v,
            None => Val::int(range),
            Some(Base::Address(t)) => {
                let inside = state.objects.get(&t.object);
                let inside = inside.is_some_and(|o| v.offset.within(0, o.extent + 1));
                // Sound because what is allocated ends at a value of the variable that says where.
                match inside && range.high.is_none_or(|h| h >= self.limit) {
                    true => v,
                    false => Val::int(range),
                }
            }
            Some(Base::Number(_)) => Val::int(range),
        }
    }

    /// Is the sum zero?
    pub(super) fn is_zero(&self, state: &State, sum: &Sum) -> Result<Option<bool>, Need> {
        let extent = |t: Target| state.objects.get(&t.object).map_or(1, |o| o.extent.max(1));
        Ok(match sum.parts.as_slice() {
            [] => match sum.offset.exact() {
                Some(n) => Some(n == 0),
                None if !sum.offset.holds(0) => Some(false),
                None => None,
            },
            &[(Base::Address(a), 1), (Base::Address(b), -1)]
            | &[(Base::Address(b), -1), (Base::Address(a), 1)] => {
                if a.object == b.object {
                    // The two ends of a chain are the same if it has one object only.
                    return Err(Need::End(a));
                }
                // Sound because objects do not overlap: `a - b >= extent(b)` or `a - b <= -extent(a)`.
                let below = sum.offset.high.is_some_and(|d| d < extent(a));
                let above = sum.offset.low.is_some_and(|d| d > -extent(b));
                (below && above).then_some(false)
            }
            &[(Base::Number(a), 1), (Base::Number(b), -1)]
            | &[(Base::Number(b), -1), (Base::Number(a), 1)] => {
                if a.object == b.object {
                    return Err(Need::End(a));
                }
                (sum.offset.exact() == Some(0)).then_some(false)
            }
            _ => match self.bounds(state, sum) {
                bounds if !bounds.holds(0) => Some(false),
                _ => None,
            },
        })
    }

    fn at_most_zero(&self, state: &State, sum: &Sum) -> Option<bool> {
        let bounds = self.bounds(state, sum);
        if bounds.high.is_some_and(|h| h <= 0) {
            return Some(true);
        }
        bounds.low.filter(|l| *l > 0).map(|_| false)
    }

    /// Numbers between which the sum lies.
    fn bounds(&self, state: &State, sum: &Sum) -> Interval {
        match *sum.parts.as_slice() {
            [] => sum.offset,
            [(base, factor)] => self.base_bounds(state, base).scale(factor).add(sum.offset),
            _ => Interval::ALL,
        }
    }

    fn base_bounds(&self, state: &State, base: Base) -> Interval {
        let extent = state
            .objects
            .get(&base.target().object)
            .map_or(0, |o| o.extent);
        let addresses = Interval::new(self.start, self.limit - extent.max(0));
        match (base, self.block) {
            (Base::Address(_), _) => addresses,
            (Base::Number(_), Some(block)) => addresses.divided(block),
            (Base::Number(_), None) => Interval::ALL,
        }
    }
}

/// All are true, or one is false.
fn all(truths: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut out = Some(true);
    for truth in truths {
        match truth {
            Some(false) => return Some(false),
            None => out = None,
            Some(true) => {}
        }
    }
    out
}
