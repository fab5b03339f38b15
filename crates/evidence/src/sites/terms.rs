//! What terms are in a state.
//!
//! A value with several alternatives, an object that is one of many, a condition that is open in the middle of a term, and
//! arithmetic that may or may not wrap are no answers: the caller splits the state ([`Split`]) and asks again.

use super::lin::Lin;
use super::names::{Cell as MemoryCell, Name, Obj};
use super::state::State;
use crate::shapes::memory::{end_of_memory, kinds_of_arrays};
use crate::shapes::value::integer;
use base::FxHashMap;
use logic::{Interval, Op, Pool, Sort, TermId};
use program::{Program, Stmt, VarId};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A place whose value is split.
#[derive(Clone, Copy, Debug)]
pub(super) enum Lvalue {
    Var(VarId),
    Cell(Obj, MemoryCell),
    /// The picked cell of a segment.
    Pick(Obj, VarId),
}

/// What has to be known before a term has a value.
#[derive(Clone, Debug)]
pub(super) enum Split {
    /// Which alternative a value is.
    Alternatives(Lvalue),
    /// The object, one of many, that a value points to becomes one of its own.
    TakeOut(Lvalue),
    /// The cell at this place of a segment that owns what it points to is picked (`owned`).
    Pick(Obj, VarId, Lin),
    Truth(TermId),
    /// Whether a number is below, in or above a range.
    Range(Lin, Interval),
}

#[derive(Clone, Debug)]
pub(super) enum Meaning {
    Number(Lin),
    Truth(Option<bool>),
    Needs(Rc<Split>),
    /// Arrays and what is not modelled.
    Other,
}

/// What the program's terms mean.
pub(super) struct Terms<'a> {
    pub pool: &'a Pool,
    pub program: &'a Program,
    pub var_of: FxHashMap<TermId, VarId>,
    pub globals: BTreeSet<VarId>,
    pub by_block: BTreeSet<VarId>,
    /// The length of a block.
    pub block: i128,
    /// The variable that is the end of what is allocated.
    pub top: Option<VarId>,
    /// Where allocation begins: declared objects lie below.
    pub start: i128,
    /// No address is larger.
    pub limit: i128,
    /// Arrays that are walked over in steps of several bytes.
    pub strides: FxHashMap<VarId, i64>,
    orders: RefCell<FxHashMap<TermId, Rc<[TermId]>>>,
    /// A step has been split often enough: what is not known stays unknown.
    pub loose: Cell<bool>,
    /// How often it was.
    pub splits: Cell<usize>,
}

impl<'a> Terms<'a> {
    /// `None` if memory is used in a way that is not understood.
    pub fn new(pool: &'a Pool, program: &'a Program) -> Option<Self> {
        let var_of: FxHashMap<TermId, VarId> = program
            .vars
            .iter_enumerated()
            .map(|(id, v)| (v.term, id))
            .collect();
        let kinds = kinds_of_arrays(pool, program, &var_of)?;
        let block = kinds.block?;
        // A program that allocates nothing has declared objects only.
        let (top, start, limit) = match end_of_memory(pool, program, &var_of) {
            Some((top, start)) => {
                let (_, limit) = program.vars[top].range.as_ref()?;
                (Some(top), start, integer(limit)?)
            }
            None => (None, 1 << 63, 1 << 64),
        };
        if start % block != 0 {
            return None;
        }
        let mut out = Terms {
            pool,
            program,
            var_of,
            globals: program.globals.iter().copied().collect(),
            by_block: kinds.by_block.iter().copied().collect(),
            block,
            top,
            start,
            limit,
            strides: FxHashMap::default(),
            orders: RefCell::default(),
            loose: Cell::new(false),
            splits: Cell::new(0),
        };
        out.find_strides();
        Some(out)
    }

    /// By how much the indices of arrays move.
    fn find_strides(&mut self) {
        let pool = self.pool;
        let mut roots: Vec<TermId> = Vec::new();
        for edge in self.program.edges.iter() {
            if let Stmt::Assign(pairs) = &edge.stmt {
                roots.extend(pairs.iter().map(|(_, t)| *t));
            }
        }
        for t in pool.post_order(&roots) {
            let (Op::Store, &[array, index, _]) = (pool.op(t), pool.args(t)) else {
                continue;
            };
            let Some(&array) = self.var_of.get(&array) else {
                continue;
            };
            for (_, factor) in &pool.linear(index).terms {
                let factor = integer(factor).and_then(|k| i64::try_from(k).ok());
                if let Some(factor) = factor.filter(|k| *k > 1 && i128::from(*k) < self.block) {
                    let known = self.strides.entry(array).or_insert(factor);
                    *known = (*known).min(factor);
                }
            }
        }
    }

    pub(super) fn order(&self, term: TermId) -> Rc<[TermId]> {
        let made = || self.pool.post_order(&[term]).into();
        let mut orders = self.orders.borrow_mut();
        orders.entry(term).or_insert_with(made).clone()
    }

    /// The number that a term is.
    pub fn lin(&self, state: &mut State, term: TermId) -> Result<Lin, Split> {
        match self.meaning(state, term) {
            Meaning::Number(lin) => Ok(lin),
            Meaning::Needs(split) => Err(Split::clone(&split)),
            _ => Ok(Lin::any()),
        }
    }

    pub fn truth(&self, state: &mut State, term: TermId) -> Result<Option<bool>, Split> {
        match self.meaning(state, term) {
            Meaning::Truth(truth) => Ok(truth),
            Meaning::Needs(split) => Err(Split::clone(&split)),
            _ => Ok(None),
        }
    }

    fn meaning(&self, state: &mut State, term: TermId) -> Meaning {
        let order = self.order(term);
        let mut known: FxHashMap<TermId, Meaning> = FxHashMap::default();
        known.reserve(order.len());
        for &t in order.iter() {
            let meaning = match state.decided.get(&t) {
                Some(&truth) => Meaning::Truth(Some(truth)),
                None => self.step(state, t, &known),
            };
            known.insert(t, meaning);
        }
        known.remove(&term).unwrap_or(Meaning::Other)
    }

    fn step(&self, state: &mut State, t: TermId, known: &FxHashMap<TermId, Meaning>) -> Meaning {
        let pool = self.pool;
        let args = pool.args(t);
        let op = pool.op(t);
        match (op, args) {
            (Op::True, _) => return Meaning::Truth(Some(true)),
            (Op::False, _) => return Meaning::Truth(Some(false)),
            (Op::Num(n), _) => {
                let number = integer(pool.number(n));
                return Meaning::Number(number.map_or(Lin::any(), Lin::number));
            }
            (Op::And | Op::Or, args) => return junction(op, args, known),
            (Op::Ite, &[c, a, b]) => {
                return match known.get(&c) {
                    Some(Meaning::Truth(Some(true))) => other(known.get(&a)),
                    Some(Meaning::Truth(Some(false))) => other(known.get(&b)),
                    Some(Meaning::Needs(split)) => Meaning::Needs(split.clone()),
                    _ => {
                        let either = self.either(state, known.get(&a), known.get(&b));
                        self.needs(Split::Truth(c), either)
                    }
                };
            }
            (Op::App(_), []) => {
                return match self.var_of.get(&t) {
                    Some(&v) if Some(v) == self.top => Meaning::Number(Lin::address(Obj::Fresh)),
                    Some(&v) if pool.sort_of(t) == pool.int_sort() => {
                        let value = state.var(v);
                        self.of_value(&value, Some(Name::Var(v)))
                    }
                    _ => unknown(pool, t),
                };
            }
            _ => {}
        }
        for a in args {
            if let Some(Meaning::Needs(split)) = known.get(a) {
                return Meaning::Needs(split.clone());
            }
        }
        let lin = |t: TermId| match known.get(&t) {
            Some(Meaning::Number(lin)) => lin.clone(),
            _ => Lin::any(),
        };
        let truth = |t: TermId| match known.get(&t) {
            Some(Meaning::Truth(truth)) => *truth,
            _ => None,
        };
        match (op, args) {
            (Op::Not, &[a]) => Meaning::Truth(truth(a).map(|b| !b)),
            (Op::Eq, &[a, b]) => Meaning::Truth(match pool.sort_kind(pool.sort_of(a)) {
                Sort::Int => self.is_zero(state, &lin(a).plus(-1, &lin(b), self.block)),
                Sort::Bool => truth(a).zip(truth(b)).map(|(a, b)| a == b),
                Sort::Array(..) => self.arrays_equal(state, a, b, &lin),
                _ => None,
            }),
            (Op::Le, &[a, b]) => {
                let d = lin(a).plus(-1, &lin(b), self.block);
                Meaning::Truth(self.is_at_most_zero(state, &d))
            }
            (Op::Add, args) => {
                let mut sum = Lin::number(0);
                for &a in args {
                    sum = sum.plus(1, &lin(a), self.block);
                }
                Meaning::Number(sum)
            }
            (Op::Mul, &[a, b]) => {
                let exact = |l: &Lin| self.quick(state, l).as_single();
                let (x, y) = (lin(a), lin(b));
                match (exact(&x), exact(&y)) {
                    (Some(k), _) => Meaning::Number(Lin::number(0).plus(k, &y, self.block)),
                    (_, Some(k)) => Meaning::Number(Lin::number(0).plus(k, &x, self.block)),
                    _ => self.product(state, &x, &y),
                }
            }
            (Op::IntDiv, &[a, b]) => {
                match self.quick(state, &lin(b)).as_single().filter(|d| *d > 0) {
                    Some(by) => self.quotient(state, t, &lin(a), by),
                    None => self.by_intervals(state, t, &lin),
                }
            }
            (Op::CDiv | Op::CRem, &[a, b]) => {
                let by = self.quick(state, &lin(b)).as_single().filter(|d| *d > 0);
                let dividend = lin(a);
                let positive = Interval::of(Some(0), None);
                // C rounds towards zero: what is negative is another case.
                if by.is_some()
                    && dividend.parts.is_empty()
                    && dividend.rest.as_single().is_some()
                    && !dividend.form.is_empty()
                    && !self.is_within(state, &dividend, &positive)
                    && !self.is_within(state, &dividend, &Interval::of(None, Some(-1)))
                {
                    let loose = self.by_intervals(state, t, &lin);
                    return self.needs(Split::Range(dividend, positive), loose);
                }
                match by {
                    Some(by)
                        if dividend.parts.is_empty()
                            && self.is_within(state, &dividend, &positive) =>
                    {
                        match op {
                            Op::CDiv => self.quotient(state, t, &dividend, by),
                            _ => self.modulo(state, t, &dividend, by),
                        }
                    }
                    None if op == Op::CRem && self.is_within(state, &dividend, &positive) => {
                        self.remainder(state, t, &dividend, &lin(b))
                    }
                    _ => self.by_intervals(state, t, &lin),
                }
            }
            (Op::Mod, &[a, b]) => match self.quick(state, &lin(b)).as_single().filter(|d| *d > 0) {
                Some(by) => self.modulo(state, t, &lin(a), by),
                None => self.remainder(state, t, &lin(a), &lin(b)),
            },
            (Op::Shr, &[a, b]) => {
                let by = self.quick(state, &lin(b)).as_single();
                match by.filter(|b| (0..60).contains(b)) {
                    Some(bits) => self.quotient(state, t, &lin(a), 1 << bits),
                    None => self.by_intervals(state, t, &lin),
                }
            }
            (Op::Shl, &[a, b]) => {
                let by = self.quick(state, &lin(b)).as_single();
                match by.filter(|b| (0..60).contains(b)) {
                    Some(bits) => {
                        Meaning::Number(Lin::number(0).plus(1 << bits, &lin(a), self.block))
                    }
                    None => self.by_intervals(state, t, &lin),
                }
            }
            (Op::BitAnd, &[a, b]) => {
                let exact = |l: &Lin| self.quick(state, l).as_single();
                let (x, y) = (lin(a), lin(b));
                let masked = match (exact(&x), exact(&y)) {
                    (_, Some(mask)) => self.masked(state, t, &x, mask),
                    (Some(mask), _) => self.masked(state, t, &y, mask),
                    _ => None,
                };
                masked.unwrap_or_else(|| self.by_intervals(state, t, &lin))
            }
            (Op::Wrap { bits, signed }, &[a]) => self.wrap(state, &lin(a), bits, signed),
            (Op::Select, &[_, index]) => {
                if pool.sort_of(t) != pool.int_sort() {
                    return unknown(pool, t);
                }
                self.read(state, t, &lin(index), &lin)
            }
            _ if pool.sort_of(t) == pool.int_sort() => self.by_intervals(state, t, &lin),
            _ => unknown(pool, t),
        }
    }

    fn by_intervals(&self, state: &State, t: TermId, lin: &dyn Fn(TermId) -> Lin) -> Meaning {
        let args = self.pool.args(t).iter();
        let args: Vec<Interval> = args.map(|&a| self.quick(state, &lin(a))).collect();
        Meaning::Number(Lin::within(Interval::of_term(self.pool, t, &args)))
    }

    pub(super) fn needs(&self, split: Split, loose: Meaning) -> Meaning {
        match self.loose.get() {
            true => loose,
            false => Meaning::Needs(Rc::new(split)),
        }
    }

    /// One of two meanings.
    fn either(&self, state: &State, a: Option<&Meaning>, b: Option<&Meaning>) -> Meaning {
        match (a, b) {
            (Some(Meaning::Number(a)), Some(Meaning::Number(b))) => {
                let bounds = self.quick(state, a).hull(&self.quick(state, b));
                Meaning::Number(Lin::within(bounds))
            }
            (Some(Meaning::Truth(a)), Some(Meaning::Truth(b))) => {
                Meaning::Truth(a.filter(|_| a == b))
            }
            (Some(Meaning::Truth(_)), _) | (_, Some(Meaning::Truth(_))) => Meaning::Truth(None),
            (Some(Meaning::Number(_)), _) | (_, Some(Meaning::Number(_))) => {
                Meaning::Number(Lin::any())
            }
            _ => Meaning::Other,
        }
    }
}

fn other(meaning: Option<&Meaning>) -> Meaning {
    meaning.cloned().unwrap_or(Meaning::Other)
}

fn unknown(pool: &Pool, t: TermId) -> Meaning {
    match pool.sort_kind(pool.sort_of(t)) {
        Sort::Bool => Meaning::Truth(None),
        Sort::Int => Meaning::Number(Lin::any()),
        _ => Meaning::Other,
    }
}

/// All are true, or one is not; or one is, or none.
fn junction(op: Op, args: &[TermId], known: &FxHashMap<TermId, Meaning>) -> Meaning {
    let decides = op == Op::Or;
    let mut open = false;
    let mut needs = None;
    for a in args {
        match known.get(a) {
            Some(Meaning::Truth(Some(b))) if *b == decides => {
                return Meaning::Truth(Some(decides));
            }
            Some(Meaning::Truth(Some(_))) => {}
            Some(Meaning::Needs(split)) => needs = needs.or(Some(split.clone())),
            _ => open = true,
        }
    }
    match (needs, open) {
        (Some(split), _) => Meaning::Needs(split),
        (None, true) => Meaning::Truth(None),
        (None, false) => Meaning::Truth(Some(!decides)),
    }
}
