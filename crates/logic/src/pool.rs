//! The term pool: sorts, symbols and hash-consed terms.
//!
//! Invariant: two terms of one pool are equal as ids exactly if they are equal as trees. A pool is
//! owned by one thread; facts travel between pools as printed text.

use crate::Rational;
use crate::float::FloatOp;
use crate::table::Table;
use crate::word::WordOp;
use base::{FxHashMap, FxHasher, Id, IndexVec, new_id};
use std::hash::{Hash, Hasher};
use std::ops::Range;

new_id!(
    /// A term of a pool.
    pub TermId, "t");
new_id!(
    /// A sort of a pool.
    pub SortId, "s");
new_id!(
    /// A declared constant or function of a pool.
    pub SymbolId, "f");
new_id!(
    /// An interned number.
    pub NumId, "n");

/// The sort of a term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    Bool,
    Int,
    Real,
    /// From index to element.
    Array(SortId, SortId),
    /// Bit-vectors of a width; only scripts have these three (`word`).
    BitVec(u32),
    /// Floats: bits of the exponent, bits of the significand with its leading one.
    Float(u32, u32),
    /// Rounding modes.
    Rounding,
    Uninterpreted(Box<str>),
}

/// A declared symbol: a constant when it takes no arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Symbol {
    pub name: Box<str>,
    pub args: Box<[SortId]>,
    pub sort: SortId,
}

/// The operator at the root of a term.
///
/// There is no `<`, `>`, `=>`, `distinct` or subtraction: constructors express them by these.
/// The machine operators work on mathematical integers (see `machine.rs` for their meaning).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    True,
    False,
    /// A numeral; the sort says whether it is Int or Real.
    Num(NumId),
    /// A declared constant (no arguments) or function application.
    App(SymbolId),
    Not,
    /// Two or more arguments, sorted, without duplicates.
    And,
    /// Two or more arguments, sorted, without duplicates.
    Or,
    /// Condition, then, else; of any sort.
    Ite,
    /// Two arguments of one sort, smaller id first; on Bool it is equivalence.
    Eq,
    /// Two arithmetic arguments, normal form as in `arith.rs`.
    Le,
    /// Two or more summands: sorted monomials, the constant last.
    Add,
    /// Either numeral times one non-numeral, or two or more sorted non-numeral factors.
    Mul,
    /// Euclidean quotient (SMT-LIB `div`), unconstrained total function at divisor 0.
    IntDiv,
    /// Euclidean remainder (SMT-LIB `mod`), unconstrained total function at divisor 0.
    Mod,
    /// Real division by a non-constant.
    RealDiv,
    ToReal,
    /// Floor.
    ToInt,
    Select,
    Store,
    /// The array of the term's sort that has the argument everywhere.
    ConstArray,
    /// The value congruent modulo 2^bits in the range of a machine integer of that kind.
    Wrap {
        bits: u8,
        signed: bool,
    },
    BitAnd,
    BitOr,
    BitXor,
    /// `a * 2^b`, 0 when `b` is outside 0..=255.
    Shl,
    /// `floor(a / 2^b)`, for `b` outside 0..=255: -1 if a < 0 else 0.
    Shr,
    /// Quotient truncated towards zero (C `/`), unconstrained total function at divisor 0.
    CDiv,
    /// Remainder with the sign of the dividend (C `%`), unconstrained total function at divisor 0.
    CRem,
}

#[derive(Clone)]
struct Node {
    op: Op,
    sort: SortId,
    args: Range<u32>,
}

fn hash_of(op: Op, sort: SortId, args: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    (op, sort).hash(&mut hasher);
    for a in args {
        hasher.write_u32(a.index() as u32);
    }
    // The upper half is what the table goes by: it depends on all bits.
    let h = hasher.finish();
    (h ^ (h >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Owner of all terms, sorts and symbols of one run.
#[derive(Clone)]
pub struct Pool {
    sorts: IndexVec<SortId, Sort>,
    sort_ids: FxHashMap<Sort, SortId>,
    symbols: IndexVec<SymbolId, Symbol>,
    symbol_ids: FxHashMap<Symbol, SymbolId>,
    /// Which symbols are float operations.
    float_ops: IndexVec<SymbolId, Option<FloatOp>>,
    /// Which symbols are operators on words of scripts.
    pub(crate) word_ops: FxHashMap<SymbolId, WordOp>,
    /// Whether a word sort was ever made.
    words: bool,
    names: FxHashMap<Box<str>, SymbolId>,
    numbers: IndexVec<NumId, Rational>,
    number_ids: FxHashMap<Rational, NumId>,
    nodes: IndexVec<TermId, Node>,
    args: Vec<TermId>,
    term_ids: Table,
    fresh: u32,
}

impl Default for Pool {
    fn default() -> Self {
        Self::new()
    }
}

impl Pool {
    pub fn new() -> Self {
        let mut pool = Pool {
            sorts: IndexVec::new(),
            sort_ids: FxHashMap::default(),
            symbols: IndexVec::new(),
            symbol_ids: FxHashMap::default(),
            float_ops: IndexVec::new(),
            word_ops: FxHashMap::default(),
            words: false,
            names: FxHashMap::default(),
            numbers: IndexVec::new(),
            number_ids: FxHashMap::default(),
            nodes: IndexVec::new(),
            args: Vec::new(),
            term_ids: Table::new(),
            fresh: 0,
        };
        let bool_sort = pool.sort(Sort::Bool);
        pool.sort(Sort::Int);
        pool.sort(Sort::Real);
        pool.intern(Op::True, bool_sort, &[]);
        pool.intern(Op::False, bool_sort, &[]);
        pool
    }

    // ---- sorts ----

    pub fn sort(&mut self, sort: Sort) -> SortId {
        if let Some(&id) = self.sort_ids.get(&sort) {
            return id;
        }
        self.words |= matches!(sort, Sort::BitVec(_) | Sort::Float(..) | Sort::Rounding);
        let id = self.sorts.push(sort.clone());
        self.sort_ids.insert(sort, id);
        id
    }

    pub fn bool_sort(&self) -> SortId {
        SortId::from_index(0)
    }

    pub fn int_sort(&self) -> SortId {
        SortId::from_index(1)
    }

    pub fn real_sort(&self) -> SortId {
        SortId::from_index(2)
    }

    pub fn array_sort(&mut self, index: SortId, element: SortId) -> SortId {
        self.sort(Sort::Array(index, element))
    }

    pub fn sort_kind(&self, sort: SortId) -> &Sort {
        &self.sorts[sort]
    }

    /// Whether there may be terms of word sorts.
    pub fn has_words(&self) -> bool {
        self.words
    }

    pub fn is_arith(&self, sort: SortId) -> bool {
        sort == self.int_sort() || sort == self.real_sort()
    }

    // ---- symbols ----

    /// The symbol with this name and type. One name may be declared once only: a second declaration
    /// with another type is a caller's bug.
    pub fn symbol(&mut self, name: &str, args: &[SortId], sort: SortId) -> SymbolId {
        let symbol = Symbol {
            name: name.into(),
            args: args.into(),
            sort,
        };
        if let Some(&id) = self.symbol_ids.get(&symbol) {
            return id;
        }
        assert!(
            !self.names.contains_key(name),
            "symbol {name} is declared with two types"
        );
        let id = self.symbols.push(symbol.clone());
        let int = |s: &SortId| *s == self.int_sort();
        let float = FloatOp::from_name(name)
            .filter(|op| op.arity() == args.len() && args.iter().all(int) && sort == op.sort(self));
        self.float_ops.push(float);
        self.symbol_ids.insert(symbol, id);
        self.names.insert(name.into(), id);
        id
    }

    pub fn symbol_named(&self, name: &str) -> Option<SymbolId> {
        self.names.get(name).copied()
    }

    /// The float operation that a symbol stands for.
    pub fn float_op(&self, id: SymbolId) -> Option<FloatOp> {
        self.float_ops[id]
    }

    pub fn symbol_data(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id]
    }

    /// The constant of this name and sort.
    pub fn constant(&mut self, name: &str, sort: SortId) -> TermId {
        let symbol = self.symbol(name, &[], sort);
        self.intern(Op::App(symbol), sort, &[])
    }

    /// A constant whose name no other symbol has; `prefix` should say what it is for.
    pub fn fresh_constant(&mut self, prefix: &str, sort: SortId) -> TermId {
        loop {
            let name = format!("{prefix}!{}", self.fresh);
            self.fresh += 1;
            if !self.names.contains_key(name.as_str()) {
                return self.constant(&name, sort);
            }
        }
    }

    /// The application of a declared symbol. Panics when the arguments do not fit its type.
    pub fn app(&mut self, symbol: SymbolId, args: &[TermId]) -> TermId {
        let data = &self.symbols[symbol];
        assert!(
            data.args.len() == args.len()
                && data
                    .args
                    .iter()
                    .zip(args)
                    .all(|(&s, &a)| s == self.nodes[a].sort),
            "arguments fit the declaration of {}",
            data.name
        );
        let sort = data.sort;
        if let Some(op) = self.float_ops[symbol]
            && let Some(folded) = self.fold_float(op, args)
        {
            return folded;
        }
        self.intern(Op::App(symbol), sort, args)
    }

    // ---- terms ----

    pub fn op(&self, term: TermId) -> Op {
        self.nodes[term].op
    }

    pub fn sort_of(&self, term: TermId) -> SortId {
        self.nodes[term].sort
    }

    pub fn args(&self, term: TermId) -> &[TermId] {
        let range = &self.nodes[term].args;
        &self.args[range.start as usize..range.end as usize]
    }

    pub fn term_count(&self) -> usize {
        self.nodes.len()
    }

    pub fn number(&self, id: NumId) -> &Rational {
        &self.numbers[id]
    }

    /// The value of a numeral term.
    pub fn as_number(&self, term: TermId) -> Option<&Rational> {
        match self.op(term) {
            Op::Num(n) => Some(&self.numbers[n]),
            _ => None,
        }
    }

    /// The symbol of a declared constant.
    pub fn as_constant(&self, term: TermId) -> Option<SymbolId> {
        match self.op(term) {
            Op::App(s) if self.args(term).is_empty() => Some(s),
            _ => None,
        }
    }

    /// The node as given, without any simplification. For the constructors of this crate.
    pub(crate) fn intern(&mut self, op: Op, sort: SortId, args: &[TermId]) -> TermId {
        let hash = hash_of(op, sort, args);
        let found = self.term_ids.find(hash, |n| {
            let node = &self.nodes[TermId::from_index(n as usize)];
            let range = node.args.start as usize..node.args.end as usize;
            node.op == op && node.sort == sort && self.args[range] == *args
        });
        if let Some(n) = found {
            return TermId::from_index(n as usize);
        }
        let start = self.args.len() as u32;
        self.args.extend_from_slice(args);
        let range = start..self.args.len() as u32;
        let id = self.nodes.push(Node {
            op,
            sort,
            args: range,
        });
        self.term_ids.insert(hash, id.index() as u32);
        id
    }

    pub(crate) fn number_id(&mut self, value: Rational) -> NumId {
        if let Some(&id) = self.number_ids.get(&value) {
            return id;
        }
        let id = self.numbers.push(value.clone());
        self.number_ids.insert(value, id);
        id
    }

    /// The same operator over other arguments, through the simplifying constructor.
    pub fn rebuild(&mut self, term: TermId, args: &[TermId]) -> TermId {
        match self.op(term) {
            Op::True | Op::False | Op::Num(_) => term,
            Op::App(s) => match self.word_op(s) {
                Some(op) => self.word(op, args).expect("the arguments keep their sorts"),
                None => self.app(s, args),
            },
            Op::Not => self.not(args[0]),
            Op::And => self.and(args),
            Op::Or => self.or(args),
            Op::Ite => self.ite(args[0], args[1], args[2]),
            Op::Eq => self.eq(args[0], args[1]),
            Op::Le => self.le(args[0], args[1]),
            Op::Add => self.add(args),
            Op::Mul => self.mul(args),
            Op::IntDiv => self.int_div(args[0], args[1]),
            Op::Mod => self.modulo(args[0], args[1]),
            Op::RealDiv => self.real_div(args[0], args[1]),
            Op::ToReal => self.to_real(args[0]),
            Op::ToInt => self.to_int(args[0]),
            Op::Select => self.select(args[0], args[1]),
            Op::Store => self.store(args[0], args[1], args[2]),
            Op::ConstArray => self.const_array(self.sort_of(term), args[0]),
            Op::Wrap { bits, signed } => self.wrap(bits, signed, args[0]),
            Op::BitAnd => self.bit_and(args[0], args[1]),
            Op::BitOr => self.bit_or(args[0], args[1]),
            Op::BitXor => self.bit_xor(args[0], args[1]),
            Op::Shl => self.shl(args[0], args[1]),
            Op::Shr => self.shr(args[0], args[1]),
            Op::CDiv => self.c_div(args[0], args[1]),
            Op::CRem => self.c_rem(args[0], args[1]),
        }
    }
}
