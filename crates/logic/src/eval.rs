//! Evaluation of terms: exact, iterative, lazy, with results kept for shared subterms.
//!
//! The interpreter and the solver's model checks live on this. [`Memo`] is the reusable memory: a
//! sparse set from terms to values, cleared in time proportional to what it holds. `and`, `or`,
//! `ite` evaluate only the arguments they need; a read over a chain of stores compares indices and
//! never builds the arrays, and a chain of stores is built on one copy.
//!
//! Evaluation is total. A symbol without a value has the default of its sort, and division by zero
//! is the function [`zero_division_name`] of the dividend (0 when nobody says otherwise).

use crate::machine::{apply, wrap_value};
use crate::{ArrayValue, Model, Op, Pool, Rational, Sort, SortId, SymbolId, TermId, Value};
use base::Id;
use std::sync::Arc;

/// What symbols mean. `None` stands for the default value of the symbol's sort.
pub trait Interpretation {
    fn constant(&self, symbol: SymbolId) -> Option<Value>;

    /// The value of a declared function at `args`.
    fn function(&self, _symbol: SymbolId, _args: &[Value]) -> Option<Value> {
        None
    }
}

impl Interpretation for Model {
    fn constant(&self, symbol: SymbolId) -> Option<Value> {
        self.constants.get(&symbol).cloned()
    }

    fn function(&self, symbol: SymbolId, args: &[Value]) -> Option<Value> {
        let f = self.functions.get(&symbol)?;
        Some(f.entries.get(args).unwrap_or(&f.default).clone())
    }
}

/// An interpretation from two closures.
pub struct Lookup<L, F> {
    constant: L,
    function: F,
}

/// The function callback of [`Evaluator::new`]: every function is its default.
pub type NoFunctions = fn(SymbolId, &[Value]) -> Option<Value>;

impl<L, F> Interpretation for Lookup<L, F>
where
    L: Fn(SymbolId) -> Option<Value>,
    F: Fn(SymbolId, &[Value]) -> Option<Value>,
{
    fn constant(&self, symbol: SymbolId) -> Option<Value> {
        (self.constant)(symbol)
    }

    fn function(&self, symbol: SymbolId, args: &[Value]) -> Option<Value> {
        (self.function)(symbol, args)
    }
}

/// The operators that are a function of the dividend where the divisor is 0.
pub(crate) const ZERO_DIVISIONS: [Op; 5] = [Op::IntDiv, Op::Mod, Op::RealDiv, Op::CDiv, Op::CRem];

/// The name of the function (from the dividend) that a division operator is at divisor 0;
/// scripts that declare it mean this one.
pub fn zero_division_name(op: Op) -> &'static str {
    match op {
        Op::IntDiv => "zero!div",
        Op::Mod => "zero!mod",
        Op::RealDiv => "zero!rdiv",
        Op::CDiv => "zero!cdiv",
        Op::CRem => "zero!crem",
        _ => panic!("{op:?} is a division"),
    }
}

impl Pool {
    /// The symbol of [`zero_division_name`].
    pub fn zero_division_symbol(&mut self, op: Op) -> SymbolId {
        let sort = match op {
            Op::RealDiv => self.real_sort(),
            _ => self.int_sort(),
        };
        self.symbol(zero_division_name(op), &[sort], sort)
    }

    /// Whether arrays over few bit-vectors agree at each of them, whatever they are elsewhere.
    fn same_everywhere(&self, sort: SortId, a: &Value, b: &Value) -> bool {
        let (&Sort::Array(index, _), Value::Array(a), Value::Array(b)) =
            (self.sort_kind(sort), a, b)
        else {
            return false;
        };
        let &Sort::BitVec(width @ ..16) = self.sort_kind(index) else {
            return false;
        };
        let places = 1usize << width;
        a.entries.len() + b.entries.len() >= places
            && (0..places as i64).all(|i| {
                let i = Value::Num(Rational::from(i));
                a.get(&i) == b.get(&i)
            })
    }

    /// The value of a symbol nobody mentions: false, 0, the array of defaults, element 0.
    pub fn default_value(&self, sort: SortId) -> Value {
        // Array sorts nest through elements; build from the innermost element outwards.
        let mut depth = 0;
        let mut inner = sort;
        while let &Sort::Array(_, element) = self.sort_kind(inner) {
            depth += 1;
            inner = element;
        }
        let mut value = match self.sort_kind(inner) {
            Sort::Bool => Value::Bool(false),
            Sort::Int | Sort::Real => Value::Num(Rational::ZERO),
            Sort::BitVec(_) | Sort::Float(..) | Sort::Rounding => Value::Num(Rational::ZERO),
            _ => Value::Element(inner, 0),
        };
        for _ in 0..depth {
            value = Value::Array(Arc::new(ArrayValue {
                default: value,
                entries: Default::default(),
            }));
        }
        value
    }
}

impl Model {
    /// See [`Pool::default_value`].
    pub fn default_value(pool: &Pool, sort: SortId) -> Value {
        pool.default_value(sort)
    }
}

/// The value of `term` in `model`. For many terms a [`Memo`] is better: its table is as large as the
/// pool.
pub fn eval(pool: &Pool, model: &Model, term: TermId) -> Value {
    let mut memo = Memo::new();
    if pool.args(term).is_empty()
        && let Next::Value(value) = memo.step(pool, model, term, 0)
    {
        return value;
    }
    memo.eval(pool, model, term)
}

/// An evaluator that is bound to a pool and an interpretation and remembers what it computed.
pub struct Evaluator<'p, I> {
    pool: &'p Pool,
    interpretation: I,
    memo: Memo,
}

impl<'p, L: Fn(SymbolId) -> Option<Value>> Evaluator<'p, Lookup<L, NoFunctions>> {
    pub fn new(pool: &'p Pool, lookup: L) -> Self {
        Evaluator::of(
            pool,
            Lookup {
                constant: lookup,
                function: |_, _| None,
            },
        )
    }

    /// The same with a callback for functions.
    pub fn with_functions<F>(self, function: F) -> Evaluator<'p, Lookup<L, F>>
    where
        F: Fn(SymbolId, &[Value]) -> Option<Value>,
    {
        Evaluator::of(
            self.pool,
            Lookup {
                constant: self.interpretation.constant,
                function,
            },
        )
    }
}

impl<'p, I: Interpretation> Evaluator<'p, I> {
    pub fn of(pool: &'p Pool, interpretation: I) -> Self {
        Evaluator {
            pool,
            interpretation,
            memo: Memo::new(),
        }
    }

    pub fn eval(&mut self, term: TermId) -> Value {
        self.memo.eval(self.pool, &self.interpretation, term)
    }

    /// The value of a formula.
    pub fn holds(&mut self, term: TermId) -> bool {
        self.memo.holds(self.pool, &self.interpretation, term)
    }

    /// Forgets all results: needed when the interpretation's answers change.
    pub fn clear(&mut self) {
        self.memo.clear();
    }
}

/// Values of terms computed so far; valid for one pool and one interpretation until [`clear`].
///
/// [`clear`]: Memo::clear
#[derive(Clone, Debug, Default)]
pub struct Memo {
    /// Position in `values` for each term; meaningful only if that entry names the term.
    slots: Vec<u32>,
    values: Vec<(TermId, Value)>,
    frames: Vec<(TermId, u32)>,
}

impl Memo {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn clear(&mut self) {
        self.values.clear();
    }

    /// Fixes the value of a term in advance.
    pub fn set(&mut self, term: TermId, value: Value) {
        let index = term.index();
        if index >= self.slots.len() {
            // Arguments have smaller ids than their terms, so the first, root-sized growth lasts.
            self.slots.resize(index + 1, 0);
        }
        match self.values.get_mut(self.slots[index] as usize) {
            Some((t, v)) if *t == term => *v = value,
            _ => {
                self.slots[index] = self.values.len() as u32;
                self.values.push((term, value));
            }
        }
    }

    #[inline]
    pub fn get(&self, term: TermId) -> Option<&Value> {
        let slot = *self.slots.get(term.index())?;
        match self.values.get(slot as usize) {
            Some((t, v)) if *t == term => Some(v),
            _ => None,
        }
    }

    fn value(&self, term: TermId) -> &Value {
        self.get(term).expect("arguments are evaluated first")
    }

    fn num(&self, term: TermId) -> &Rational {
        self.value(term)
            .as_num()
            .expect("arithmetic terms have numbers as values")
    }

    fn truth(&self, term: TermId) -> bool {
        self.value(term)
            .as_bool()
            .expect("formulas have truth values")
    }

    pub fn holds<I: Interpretation + ?Sized>(
        &mut self,
        pool: &Pool,
        interpretation: &I,
        term: TermId,
    ) -> bool {
        self.run(pool, interpretation, term);
        self.truth(term)
    }

    pub fn eval<I: Interpretation + ?Sized>(
        &mut self,
        pool: &Pool,
        interpretation: &I,
        term: TermId,
    ) -> Value {
        self.run(pool, interpretation, term);
        self.value(term).clone()
    }

    fn run<I: Interpretation + ?Sized>(&mut self, pool: &Pool, int: &I, root: TermId) {
        if self.slots.len() <= root.index() {
            self.slots.resize(root.index() + 1, 0);
        }
        self.frames.clear();
        self.frames.push((root, 0));
        while let Some(&(t, pos)) = self.frames.last() {
            if self.get(t).is_some() {
                self.frames.pop();
                continue;
            }
            match self.step(pool, int, t, pos as usize) {
                Next::Value(v) => {
                    self.set(t, v);
                    self.frames.pop();
                }
                Next::Need(arg, pos) => {
                    self.frames.last_mut().expect("a frame is open").1 = pos as u32;
                    self.frames.push((arg, 0));
                }
                Next::NeedAll(terms) => self.frames.extend(terms.into_iter().map(|a| (a, 0))),
            }
        }
    }

    /// Goes on with `t` at its `pos`-th argument: its value, or the argument it needs first.
    fn step<I: Interpretation + ?Sized>(
        &self,
        pool: &Pool,
        int: &I,
        t: TermId,
        pos: usize,
    ) -> Next {
        let args = pool.args(t);
        match pool.op(t) {
            Op::True => Next::Value(Value::Bool(true)),
            Op::False => Next::Value(Value::Bool(false)),
            Op::Num(n) => Next::Value(Value::Num(pool.number(n).clone())),
            Op::App(s) if args.is_empty() => Next::Value(
                int.constant(s)
                    .unwrap_or_else(|| pool.default_value(pool.sort_of(t))),
            ),
            op @ (Op::And | Op::Or) => {
                let decisive = op == Op::Or;
                for (i, &a) in args.iter().enumerate().skip(pos) {
                    match self.get(a) {
                        None => return Next::Need(a, i),
                        Some(v) if v.as_bool() == Some(decisive) => {
                            return Next::Value(Value::Bool(decisive));
                        }
                        Some(_) => {}
                    }
                }
                Next::Value(Value::Bool(!decisive))
            }
            Op::Ite => {
                if self.get(args[0]).is_none() {
                    return Next::Need(args[0], 0);
                }
                let branch = if self.truth(args[0]) {
                    args[1]
                } else {
                    args[2]
                };
                match self.get(branch) {
                    Some(v) => Next::Value(v.clone()),
                    None => Next::Need(branch, 0),
                }
            }
            Op::Select => self.select(pool, args[0], args[1]),
            Op::Store => self.store(pool, t),
            op => {
                for (i, &a) in args.iter().enumerate().skip(pos) {
                    if self.get(a).is_none() {
                        return Next::Need(a, i);
                    }
                }
                Next::Value(self.strict(pool, int, op, t, args))
            }
        }
    }

    /// An operator all of whose arguments have values.
    fn strict<I: Interpretation + ?Sized>(
        &self,
        pool: &Pool,
        int: &I,
        op: Op,
        t: TermId,
        args: &[TermId],
    ) -> Value {
        let divide = |quotient: &dyn Fn(&Rational, &Rational) -> Rational| {
            let (a, b) = (self.num(args[0]), self.num(args[1]));
            if b.is_zero() {
                pool.symbol_named(zero_division_name(op))
                    .and_then(|s| int.function(s, &[Value::Num(a.clone())]))
                    .unwrap_or(Value::Num(Rational::ZERO))
            } else {
                Value::Num(quotient(a, b))
            }
        };
        match op {
            Op::App(s) => {
                let values: Vec<Value> = args.iter().map(|&a| self.value(a).clone()).collect();
                let computed = match pool.float_op(s) {
                    Some(op) => op.apply(&values),
                    None => pool.word_op(s).and_then(|op| {
                        let sorts: Vec<SortId> = args.iter().map(|&a| pool.sort_of(a)).collect();
                        pool.word_value(op, &sorts, &values)
                    }),
                };
                computed
                    .or_else(|| int.function(s, &values))
                    .unwrap_or_else(|| pool.default_value(pool.sort_of(t)))
            }
            Op::Not => Value::Bool(!self.truth(args[0])),
            Op::Eq => {
                let (a, b) = (self.value(args[0]), self.value(args[1]));
                Value::Bool(a.same(b) || pool.same_everywhere(pool.sort_of(args[0]), a, b))
            }
            Op::Le => Value::Bool(self.num(args[0]) <= self.num(args[1])),
            Op::Add => {
                let mut sum = self.num(args[0]).clone();
                for &a in &args[1..] {
                    sum += self.num(a);
                }
                Value::Num(sum)
            }
            Op::Mul => {
                let mut product = self.num(args[0]).clone();
                for &a in &args[1..] {
                    product = &product * self.num(a);
                }
                Value::Num(product)
            }
            Op::IntDiv => divide(&Rational::div_euclid),
            Op::Mod => divide(&Rational::rem_euclid),
            Op::RealDiv => divide(&|a, b| a / b),
            Op::CDiv | Op::CRem => {
                divide(&|a, b| apply(op, a, b).expect("the divisor is not zero"))
            }
            Op::ToReal => self.value(args[0]).clone(),
            Op::ToInt => Value::Num(self.num(args[0]).floor()),
            Op::ConstArray => Value::Array(Arc::new(ArrayValue {
                default: self.value(args[0]).clone(),
                entries: Default::default(),
            })),
            Op::Wrap { bits, signed } => Value::Num(wrap_value(bits, signed, self.num(args[0]))),
            Op::BitAnd | Op::BitOr | Op::BitXor | Op::Shl | Op::Shr => Value::Num(
                apply(op, self.num(args[0]), self.num(args[1]))
                    .expect("bit operations are defined everywhere"),
            ),
            Op::True
            | Op::False
            | Op::Num(_)
            | Op::And
            | Op::Or
            | Op::Ite
            | Op::Select
            | Op::Store => unreachable!("evaluated lazily"),
        }
    }

    /// A read walks down the stores until an index is equal or the array's value is known.
    fn select(&self, pool: &Pool, array: TermId, index: TermId) -> Next {
        let Some(at) = self.get(index) else {
            return Next::Need(index, 0);
        };
        let mut array = array;
        let mut walked = 0;
        loop {
            if let Some(Value::Array(a)) = self.get(array) {
                return Next::Value(a.get(at).clone());
            }
            let args = pool.args(array);
            match pool.op(array) {
                Op::Store => match self.get(args[1]) {
                    // In batches that double, so that starting again costs linear time in all.
                    None => return Next::NeedAll(self.missing_indices(pool, array, walked + 1)),
                    Some(i) if i.same(at) => {
                        return match self.get(args[2]) {
                            Some(v) => Next::Value(v.clone()),
                            None => Next::Need(args[2], 0),
                        };
                    }
                    Some(_) => {
                        array = args[0];
                        walked += 1;
                    }
                },
                Op::ConstArray => {
                    return match self.get(args[0]) {
                        Some(v) => Next::Value(v.clone()),
                        None => Next::Need(args[0], 0),
                    };
                }
                Op::Ite => match self.get(args[0]) {
                    None => return Next::Need(args[0], 0),
                    Some(c) => {
                        array = args[if c.as_bool() == Some(true) { 1 } else { 2 }];
                    }
                },
                _ => return Next::Need(array, 0),
            }
        }
    }

    /// The first `limit` indices without a value in the chain of stores at `array`.
    fn missing_indices(&self, pool: &Pool, array: TermId, limit: usize) -> Vec<TermId> {
        let mut out = Vec::new();
        let mut array = array;
        while pool.op(array) == Op::Store && out.len() < limit && self.get(array).is_none() {
            let args = pool.args(array);
            if self.get(args[1]).is_none() {
                out.push(args[1]);
            }
            array = args[0];
        }
        out
    }

    /// Evaluates the base of the chain and every index and element, then writes on one copy.
    fn store(&self, pool: &Pool, t: TermId) -> Next {
        let mut chain: Vec<TermId> = Vec::new();
        let mut array = t;
        while self.get(array).is_none() && pool.op(array) == Op::Store {
            chain.push(array);
            array = pool.args(array)[0];
        }
        let Some(Value::Array(base)) = self.get(array) else {
            return Next::Need(array, 0);
        };
        let missing: Vec<TermId> = chain
            .iter()
            .flat_map(|&s| [pool.args(s)[1], pool.args(s)[2]])
            .filter(|&a| self.get(a).is_none())
            .collect();
        if !missing.is_empty() {
            // All at once, so that the chain is walked a bounded number of times.
            return Next::NeedAll(missing);
        }
        let mut result = Arc::clone(base);
        let contents = Arc::make_mut(&mut result);
        for &s in chain.iter().rev() {
            let [_, at, value] = *pool.args(s) else {
                unreachable!("stores have three arguments")
            };
            contents.set(self.value(at).clone(), self.value(value).clone());
        }
        Next::Value(Value::Array(result))
    }
}

enum Next {
    Value(Value),
    /// Evaluate this argument, then go on at this position.
    Need(TermId, usize),
    /// Evaluate all these, then start again.
    NeedAll(Vec<TermId>),
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn num(v: i64) -> Value {
        Value::Num(v.into())
    }

    #[test]
    fn deep_terms_and_lazy_branches() {
        let mut p = Pool::new();
        let int = p.int_sort();
        let x = p.constant("x", int);
        let f = p.symbol("f", &[int], int);
        let mut t = x;
        for _ in 0..100_000 {
            t = p.app(f, &[t]);
        }
        let xs = p.as_constant(x).unwrap();
        let mut e = Evaluator::new(&p, |s| (s == xs).then(|| num(1)))
            .with_functions(|_, args| Some(Value::Num(args[0].as_num().unwrap() + &Rational::ONE)));
        assert_eq!(e.eval(t), num(100_001));
    }

    #[test]
    fn store_chains_and_reads() {
        let mut p = Pool::new();
        let int = p.int_sort();
        let arr = p.array_sort(int, int);
        let mut a = p.constant("a", arr);
        let mut reads = Vec::new();
        let zero = p.int(0);
        for i in 0..20_000 {
            let at = p.constant(&format!("i{i}"), int);
            let v = p.int(i);
            a = p.store(a, at, v);
            reads.push(p.select(a, zero));
        }
        let last = *reads.last().unwrap();
        let base = p.symbol_named("i0").unwrap().index();
        // Every index is its number: the read finds the first store, at the end of the chain.
        let symbol_a = p.symbol_named("a").unwrap();
        let mut e = Evaluator::new(&p, |s| {
            (s != symbol_a).then(|| num(s.index() as i64 - base as i64))
        });
        assert_eq!(e.eval(last), num(0));
        let Value::Array(whole) = e.eval(a) else {
            panic!()
        };
        assert_eq!(whole.entries.len(), 19_999);
        let model = Model::default();
        assert_eq!(eval(&p, &model, last), num(19_999));
        let Value::Array(whole) = Memo::new().eval(&p, &model, a) else {
            panic!()
        };
        assert_eq!(whole.entries.len(), 1);
    }

    #[test]
    fn division_by_zero_is_a_function() {
        let mut p = Pool::new();
        let int = p.int_sort();
        let (x, y) = (p.constant("x", int), p.constant("y", int));
        let d = p.c_div(x, y);
        let mut m = Model::default();
        m.constants.insert(p.as_constant(x).unwrap(), num(7));
        assert_eq!(eval(&p, &m, d), num(0));
        let s = p.zero_division_symbol(Op::CDiv);
        m.functions.insert(
            s,
            crate::FunctionValue {
                default: num(3),
                entries: Default::default(),
            },
        );
        assert_eq!(eval(&p, &m, d), num(3));
        m.constants.insert(p.as_constant(y).unwrap(), num(-2));
        assert_eq!(eval(&p, &m, d), num(-3));
    }

    #[test]
    fn arrays_over_bool_are_equal_by_value() {
        let mut p = Pool::new();
        let (b, int) = (p.bool_sort(), p.int_sort());
        let sort = p.array_sort(b, int);
        let (zero, one) = (p.int(0), p.int(1));
        let zeros = p.const_array(sort, zero);
        let ones = p.const_array(sort, one);
        let (tt, ff) = (p.tt(), p.ff());
        let a = p.store(zeros, tt, one);
        let a = p.store(a, ff, one);
        let e = p.eq(a, ones);
        assert_eq!(eval(&p, &Model::default(), e), Value::Bool(true));
    }
}
