//! Expressions compiled to straight-line register code.
//!
//! Each distinct subterm is one instruction whose result has the instruction's number. A read over
//! a chain of stores becomes comparisons of indices, so that no array is built; an assignment
//! `a := store(a, i, v)` (also under `ite`, also nested once) becomes [`Writes`], done in place.

use super::value::{Array, Val};
use crate::interp::float::FloatOp;
use crate::{Program, VarId};
use base::FxHashMap;
use logic::{Op, Pool, SymbolId, TermId};
use std::rc::Rc;

pub type Reg = u32;

/// Where a variable lives while the program runs.
#[derive(Clone, Copy, Debug)]
pub enum Slot {
    Global(u32),
    /// In the frame of the function that runs.
    Frame(u32),
}

#[derive(Clone, Debug)]
pub enum Instr {
    Const(Val),
    Load(Slot),
    Not(Reg),
    And(Box<[Reg]>),
    Or(Box<[Reg]>),
    Ite(Reg, Reg, Reg),
    Eq(Reg, Reg),
    Le(Reg, Reg),
    Add(Box<[Reg]>),
    Mul(Box<[Reg]>),
    Wrap(u8, bool, Reg),
    Machine(Op, Reg, Reg),
    Floor(Reg),
    Copy(Reg),
    Select(Reg, Reg),
    /// Writes of (index, value) to a copy of the array, one after the other.
    Stores(Reg, Box<[(Reg, Reg)]>),
    ConstArray(Reg),
    Float(FloatOp, Box<[Reg]>),
}

impl Instr {
    /// The registers it reads.
    pub fn inputs(&self) -> Vec<Reg> {
        match self {
            Instr::Const(_) | Instr::Load(_) => Vec::new(),
            Instr::Not(a)
            | Instr::Wrap(_, _, a)
            | Instr::Floor(a)
            | Instr::Copy(a)
            | Instr::ConstArray(a) => vec![*a],
            Instr::And(list)
            | Instr::Or(list)
            | Instr::Add(list)
            | Instr::Mul(list)
            | Instr::Float(_, list) => list.to_vec(),
            Instr::Eq(a, b) | Instr::Le(a, b) | Instr::Machine(_, a, b) | Instr::Select(a, b) => {
                vec![*a, *b]
            }
            Instr::Ite(c, a, b) => vec![*c, *a, *b],
            Instr::Stores(a, list) => {
                let pairs = list.iter().flat_map(|(i, v)| [*i, *v]);
                std::iter::once(*a).chain(pairs).collect()
            }
        }
    }
}

/// Code for a list of results.
#[derive(Clone, Debug, Default)]
pub struct Code {
    pub instrs: Vec<Instr>,
    pub results: Vec<Reg>,
}

/// An array assignment done in place: the writes of the first branch whose conditions hold.
#[derive(Clone, Debug)]
pub struct Writes {
    pub steps: Vec<Write>,
}

/// One write: under all `conditions` (register, wanted truth), `value` goes to `path`.
#[derive(Clone, Debug)]
pub struct Write {
    pub conditions: Vec<(Reg, bool)>,
    pub path: Vec<Reg>,
    pub value: Reg,
}

/// Compiles the expressions of one program.
pub struct Compiler<'a> {
    pub pool: &'a Pool,
    pub program: &'a Program,
    slots: FxHashMap<SymbolId, Slot>,
}

/// Code under construction.
pub struct Builder<'c, 'a> {
    compiler: &'c Compiler<'a>,
    code: Code,
    regs: FxHashMap<TermId, Reg>,
    /// Reads compiled for an array and an index.
    selects: FxHashMap<(TermId, TermId), Reg>,
}

impl<'a> Compiler<'a> {
    pub fn new(pool: &'a Pool, program: &'a Program, slot_of: &FxHashMap<VarId, Slot>) -> Self {
        let slots = program
            .vars
            .iter_enumerated()
            .filter_map(|(id, v)| Some((pool.as_constant(v.term)?, *slot_of.get(&id)?)))
            .collect();
        Compiler {
            pool,
            program,
            slots,
        }
    }

    pub fn builder(&self) -> Builder<'_, 'a> {
        Builder {
            compiler: self,
            code: Code::default(),
            regs: FxHashMap::default(),
            selects: FxHashMap::default(),
        }
    }

    /// Code for these terms, results in their order.
    pub fn compile(&self, terms: &[TermId]) -> Code {
        let mut builder = self.builder();
        for &t in terms {
            let reg = builder.term(t);
            builder.code.results.push(reg);
        }
        builder.code
    }
}

impl Builder<'_, '_> {
    pub fn finish(self) -> Code {
        self.code
    }

    fn push(&mut self, instr: Instr) -> Reg {
        self.code.instrs.push(instr);
        self.code.instrs.len() as Reg - 1
    }

    /// The register that holds the value of `root`.
    pub fn term(&mut self, root: TermId) -> Reg {
        let pool = self.compiler.pool;
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.regs.contains_key(&t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let reads_chain = pool.op(t) == Op::Select && pool.op(pool.args(t)[0]) == Op::Store;
            if reads_chain || pool.op(t) == Op::Store {
                // Everything the chain of stores mentions, but not the stores themselves.
                let (mut array, mut wanted) = match reads_chain {
                    true => (pool.args(t)[0], vec![pool.args(t)[1]]),
                    false => (t, Vec::new()),
                };
                while pool.op(array) == Op::Store {
                    wanted.extend(&pool.args(array)[1..]);
                    array = pool.args(array)[0];
                }
                wanted.push(array);
                stack.extend(wanted.into_iter().filter(|a| !self.regs.contains_key(a)));
            } else {
                let args = pool.args(t).iter();
                stack.extend(args.filter(|a| !self.regs.contains_key(a)));
            }
            if stack.len() > before {
                continue;
            }
            let reg = self.node(t);
            self.regs.insert(t, reg);
            stack.pop();
        }
        self.regs[&root]
    }

    fn node(&mut self, t: TermId) -> Reg {
        let pool = self.compiler.pool;
        let args = pool.args(t);
        if pool.op(t) == Op::Select {
            return self.select(args[0], args[1]);
        }
        if pool.op(t) == Op::Store {
            return self.stores(t);
        }
        let regs: Vec<Reg> = args.iter().map(|a| self.regs[a]).collect();
        let instr = match pool.op(t) {
            Op::True => Instr::Const(Val::Bool(true)),
            Op::False => Instr::Const(Val::Bool(false)),
            Op::Num(n) => Instr::Const(Val::number(pool.number(n).clone())),
            Op::App(s) => self.application(t, s, &regs),
            Op::Not => Instr::Not(regs[0]),
            Op::And => Instr::And(regs.into()),
            Op::Or => Instr::Or(regs.into()),
            Op::Ite => Instr::Ite(regs[0], regs[1], regs[2]),
            Op::Eq => Instr::Eq(regs[0], regs[1]),
            Op::Le => Instr::Le(regs[0], regs[1]),
            Op::Add => Instr::Add(regs.into()),
            Op::Mul => Instr::Mul(regs.into()),
            Op::ToReal => Instr::Copy(regs[0]),
            Op::ToInt => Instr::Floor(regs[0]),
            Op::Select | Op::Store => unreachable!("handled above"),
            Op::ConstArray => Instr::ConstArray(regs[0]),
            Op::Wrap { bits, signed } => Instr::Wrap(bits, signed, regs[0]),
            op @ (Op::IntDiv
            | Op::Mod
            | Op::RealDiv
            | Op::BitAnd
            | Op::BitOr
            | Op::BitXor
            | Op::Shl
            | Op::Shr
            | Op::CDiv
            | Op::CRem) => Instr::Machine(op, regs[0], regs[1]),
        };
        self.push(instr)
    }

    /// A chain of stores in one instruction: the array is copied once, not once a store.
    fn stores(&mut self, outermost: TermId) -> Reg {
        let pool = self.compiler.pool;
        let mut list = Vec::new();
        let mut array = outermost;
        while pool.op(array) == Op::Store {
            let args = pool.args(array);
            list.push((self.regs[&args[1]], self.regs[&args[2]]));
            array = args[0];
        }
        list.reverse();
        let base = self.regs[&array];
        self.push(Instr::Stores(base, list.into()))
    }

    fn application(&self, t: TermId, symbol: SymbolId, args: &[Reg]) -> Instr {
        if let Some(&slot) = self.compiler.slots.get(&symbol) {
            return Instr::Load(slot);
        }
        let pool = self.compiler.pool;
        match FloatOp::from_name(&pool.symbol_data(symbol).name) {
            Some(op) => Instr::Float(op, args.into()),
            // A symbol nobody defines has the default value, as in `logic::eval`.
            None => Instr::Const(Val::from_value(&pool.default_value(pool.sort_of(t)))),
        }
    }

    /// A read through a chain of stores, from the innermost array outwards.
    fn select(&mut self, array: TermId, index: TermId) -> Reg {
        let pool = self.compiler.pool;
        let i = self.regs[&index];
        let mut chain = Vec::new();
        let mut at = array;
        while pool.op(at) == Op::Store && !self.selects.contains_key(&(at, index)) {
            chain.push(at);
            at = pool.args(at)[0];
        }
        let mut value = match self.selects.get(&(at, index)) {
            Some(&known) => known,
            None => {
                let inner = self.regs[&at];
                self.push(Instr::Select(inner, i))
            }
        };
        for &store in chain.iter().rev() {
            let args = pool.args(store);
            let same = self.push(Instr::Eq(self.regs[&args[1]], i));
            value = self.push(Instr::Ite(same, self.regs[&args[2]], value));
            self.selects.insert((store, index), value);
        }
        value
    }

    /// The writes that turn the array constant `base` into `term`, if it is built from it by
    /// stores and choices only.
    pub fn writes(&mut self, base: TermId, term: TermId) -> Option<Writes> {
        let pool = self.compiler.pool;
        let mut steps = Vec::new();
        // Work items: a subterm still to be applied under conditions, outermost last.
        let mut pending = vec![(term, Vec::new())];
        let mut order = Vec::new();
        while let Some((t, conditions)) = pending.pop() {
            if t == base {
                continue;
            }
            match pool.op(t) {
                Op::Store => {
                    let args = pool.args(t);
                    order.push((args[1], args[2], conditions.clone()));
                    pending.push((args[0], conditions));
                }
                Op::Ite => {
                    let args = pool.args(t);
                    let c = self.term(args[0]);
                    for (branch, wanted) in [(args[1], true), (args[2], false)] {
                        let mut both = conditions.clone();
                        both.push((c, wanted));
                        pending.push((branch, both));
                    }
                }
                _ => return None,
            }
            if order.len() > 256 {
                return None;
            }
        }
        // Inner stores happen first. Branches exclude each other, so their order is free.
        for (index, value, conditions) in order.into_iter().rev() {
            let (path, value) = match *pool.args(value) {
                // store(a, i, store(select(a, i), j, v)) writes v at (i, j).
                [inner, j, v]
                    if pool.op(value) == Op::Store
                        && pool.op(inner) == Op::Select
                        && pool.args(inner) == [base, index] =>
                {
                    (vec![self.term(index), self.term(j)], self.term(v))
                }
                _ => (vec![self.term(index)], self.term(value)),
            };
            steps.push(Write {
                conditions,
                path,
                value,
            });
        }
        // Sound because nested writes name the array before all writes: only one may be nested.
        if steps.len() > 1 && steps.iter().any(|s| s.path.len() > 1) {
            return None;
        }
        Some(Writes { steps })
    }
}

impl Code {
    /// Runs the code; `regs` is scratch memory that holds the results afterwards.
    pub fn run(&self, globals: &[Val], frame: &[Val], regs: &mut Vec<Val>) {
        regs.clear();
        for instr in &self.instrs {
            let value = execute(instr, globals, frame, regs);
            regs.push(value);
        }
    }

    pub fn result(&self, regs: &[Val], i: usize) -> Val {
        regs[self.results[i] as usize].clone()
    }
}

/// The value of one instruction.
pub fn execute(instr: &Instr, globals: &[Val], frame: &[Val], regs: &[Val]) -> Val {
    let at = |r: &Reg| &regs[*r as usize];
    match instr {
        Instr::Const(v) => v.clone(),
        Instr::Load(Slot::Global(i)) => globals[*i as usize].clone(),
        Instr::Load(Slot::Frame(i)) => frame[*i as usize].clone(),
        Instr::Not(a) => Val::Bool(!at(a).truth()),
        Instr::And(list) => Val::Bool(list.iter().all(|a| at(a).truth())),
        Instr::Or(list) => Val::Bool(list.iter().any(|a| at(a).truth())),
        Instr::Ite(c, a, b) => if at(c).truth() { at(a) } else { at(b) }.clone(),
        Instr::Eq(a, b) => Val::Bool(at(a) == at(b)),
        Instr::Le(a, b) => Val::Bool(at(a).le(at(b))),
        Instr::Add(list) => fold(list, at, Val::add),
        Instr::Mul(list) => fold(list, at, Val::mul),
        Instr::Wrap(bits, signed, a) => at(a).wrap(*bits, *signed),
        Instr::Machine(op, a, b) => at(a).machine(*op, at(b)),
        Instr::Floor(a) => Val::number(at(a).to_rational().floor()),
        Instr::Copy(a) => at(a).clone(),
        Instr::Select(a, i) => match at(a) {
            Val::Array(array) => array.get(at(i)).clone(),
            _ => panic!("select reads from an array"),
        },
        Instr::Stores(a, list) => match at(a) {
            Val::Array(array) => {
                let mut copy = Array::clone(array);
                for (i, v) in list {
                    copy.set(at(i), at(v).clone());
                }
                Val::Array(Rc::new(copy))
            }
            _ => panic!("store writes to an array"),
        },
        Instr::ConstArray(v) => Val::Array(Rc::new(Array::constant(at(v).clone()))),
        Instr::Float(op, list) => {
            let args: Vec<_> = list.iter().map(|a| at(a).to_value()).collect();
            let value = op
                .apply(&args)
                .expect("float operations fit their arguments");
            Val::from_value(&value)
        }
    }
}

fn fold<'r>(list: &[Reg], at: impl Fn(&Reg) -> &'r Val, f: impl Fn(&Val, &Val) -> Val) -> Val {
    let mut total = at(&list[0]).clone();
    for a in &list[1..] {
        total = f(&total, at(a));
    }
    total
}
