//! Models: values for the symbols of the active terms, from a complete assignment.
//!
//! Numbers come from arithmetic, elements of uninterpreted sorts are the classes of congruence
//! closure, functions are tables over the active applications. The value of an array class is
//! that of the base of one of its definitions with an entry changed, or for a class without
//! definition a default with the entries its reads give. Only the arrays that symbols are, or that
//! others hold, are kept: a long chain of stores is written into one copy.

use crate::solver::Solver;
use crate::solver::candidate::Candidate;
use crate::theory::words;
use base::{FxHashMap, FxHashSet, Id};
use logic::{ArrayValue, FunctionValue, Model, Op, Pool, Rational, Sort, SortId, TermId, Value};
use std::sync::Arc;

/// Values of classes while a model is built.
struct Builder<'s> {
    solver: &'s Solver,
    arrays: FxHashMap<usize, Value>,
    elements: FxHashMap<usize, u32>,
    elements_of: FxHashMap<SortId, u32>,
    /// Array classes that stores connect, by union-find.
    joined: FxHashMap<usize, usize>,
    defaults: FxHashMap<usize, Value>,
    fresh: i64,
    /// Words: the value of each class.
    words: FxHashMap<usize, Rational>,
}

impl Solver {
    /// The numbers that the bits of words give their classes.
    fn word_values(&self, pool: &mut Pool) -> FxHashMap<usize, Rational> {
        if !pool.has_words() {
            return FxHashMap::default();
        }
        let values = words::class_values(pool, &Candidate::new(self));
        let values = values.into_iter();
        values
            .map(|(class, n)| (class, Rational::from(n)))
            .collect()
    }

    pub(crate) fn build_model(&self, pool: &mut Pool) -> Model {
        let words = self.word_values(pool);
        let divisions: Vec<TermId> = self.active.applications.to_vec();
        for t in divisions {
            if is_division(pool.op(t)) {
                pool.zero_division_symbol(pool.op(t));
            }
        }
        let pool: &Pool = pool;
        let mut builder = Builder {
            solver: self,
            arrays: FxHashMap::default(),
            elements: FxHashMap::default(),
            elements_of: FxHashMap::default(),
            joined: FxHashMap::default(),
            defaults: FxHashMap::default(),
            fresh: 1_000_000_007,
            words,
        };
        builder.build_arrays(pool);
        let mut model = Model::default();
        for &i in &self.active.all {
            let t = self.records[i as usize].term;
            if let Some(symbol) = pool.as_constant(t) {
                let value = builder.value(pool, t);
                model.constants.insert(symbol, value);
            }
        }
        for &t in &self.active.applications {
            let op = pool.op(t);
            let (symbol, args) = match op {
                Op::App(symbol) => (symbol, pool.args(t).to_vec()),
                op if is_division(op) && self.number(pool, pool.args(t)[1]).is_zero() => {
                    let name = logic::zero_division_name(op);
                    let symbol = pool.symbol_named(name).expect("declared above");
                    (symbol, vec![pool.args(t)[0]])
                }
                _ => continue,
            };
            let args: Vec<Value> = args.iter().map(|&a| builder.value(pool, a)).collect();
            let value = builder.value(pool, t);
            let function = model
                .functions
                .entry(symbol)
                .or_insert_with(|| FunctionValue {
                    default: pool.default_value(pool.symbol_data(symbol).sort),
                    entries: Default::default(),
                });
            function.entries.insert(args, value);
        }
        model
    }

    /// Whether the candidate model makes every assertion and assumption true. If so, it is kept for
    /// whoever asks for it.
    pub(crate) fn model_holds(&mut self, pool: &mut Pool) -> bool {
        let model = self.build_model(pool);
        let holds = self.holds_in(pool, &model);
        self.model = holds.then_some(model);
        holds
    }
}

fn is_division(op: Op) -> bool {
    matches!(op, Op::IntDiv | Op::Mod | Op::RealDiv | Op::CDiv | Op::CRem)
}

impl Builder<'_> {
    fn class(&self, t: TermId) -> Option<usize> {
        let euf = &self.solver.theories.euf;
        Some(euf.root(euf.node_of(t)?).index())
    }

    fn value(&mut self, pool: &Pool, t: TermId) -> Value {
        let sort = pool.sort_of(t);
        match pool.sort_kind(sort) {
            Sort::Bool => {
                let negated = pool.op(t) == Op::Not;
                let atom = if negated { pool.args(t)[0] } else { t };
                let value = match pool.op(atom) {
                    Op::True => true,
                    Op::False => false,
                    _ => self
                        .solver
                        .record(atom)
                        .and_then(|r| r.lit)
                        .is_some_and(|l| self.solver.sat.is_true(l)),
                };
                Value::Bool(value != negated)
            }
            Sort::Int | Sort::Real => Value::Num(self.solver.number(pool, t)),
            Sort::BitVec(_) | Sort::Float(..) | Sort::Rounding => {
                let number = match pool.as_number(t) {
                    Some(n) => Some(n.clone()),
                    None => self.class(t).and_then(|c| self.words.get(&c).cloned()),
                };
                number.map_or_else(|| pool.default_value(sort), Value::Num)
            }
            Sort::Uninterpreted(_) => {
                let Some(class) = self.class(t) else {
                    return Value::Element(sort, 0);
                };
                let next = self.elements_of.entry(sort).or_insert(0);
                let element = *self.elements.entry(class).or_insert_with(|| {
                    *next += 1;
                    *next - 1
                });
                Value::Element(sort, element)
            }
            Sort::Array(..) => self
                .class(t)
                .and_then(|c| self.arrays.get(&c).cloned())
                .unwrap_or_else(|| pool.default_value(sort)),
        }
    }

    fn find(&self, mut c: usize) -> usize {
        while let Some(&up) = self.joined.get(&c) {
            c = up;
        }
        c
    }

    fn build_arrays(&mut self, pool: &Pool) {
        let solver = self.solver;
        let mut arrays: Vec<(usize, TermId)> = Vec::new();
        for &i in &solver.active.all {
            let t = solver.records[i as usize].term;
            let sort = pool.sort_of(t);
            if let Sort::Array(..) = pool.sort_kind(sort)
                && solver.theories.euf.node_of(t).is_some()
            {
                arrays.push((depth(pool, sort), t));
            }
        }
        if arrays.is_empty() {
            return;
        }
        for &(_, t) in &arrays {
            if pool.op(t) == Op::Store {
                let ends = [t, pool.args(t)[0]].map(|a| self.class(a).expect("it has a node"));
                let [x, y] = ends.map(|c| self.find(c));
                if x != y {
                    self.joined.insert(x, y);
                }
            }
        }
        // Elements before the arrays that hold them.
        arrays.sort_by_key(|&(depth, t)| (depth, t));
        let mut level = 0;
        while level < arrays.len() {
            let d = arrays[level].0;
            let end = level + arrays[level..].iter().take_while(|a| a.0 == d).count();
            let terms: Vec<TermId> = arrays[level..end].iter().map(|a| a.1).collect();
            self.build_depth(pool, &terms);
            level = end;
        }
    }

    /// The classes whose values somebody asks for: those of symbols and of arguments. Where arrays
    /// hold arrays, all.
    fn asked(&self, pool: &Pool, terms: &[TermId]) -> FxHashSet<usize> {
        let nested = |t: TermId| depth(pool, pool.sort_of(t)) > 1;
        let class = |t: &TermId| self.class(*t).expect("arrays have nodes");
        if terms.iter().any(|&t| nested(t)) || self.solver.arrays_are_elements(pool) {
            return terms.iter().map(class).collect();
        }
        let mut out: FxHashSet<usize> = FxHashSet::default();
        out.extend(
            terms
                .iter()
                .filter(|t| pool.as_constant(**t).is_some())
                .map(class),
        );
        for &t in &self.solver.active.applications {
            if let Op::App(_) = pool.op(t) {
                let here = std::iter::once(&t).chain(pool.args(t));
                out.extend(here.filter_map(|&a| self.class(a)));
            }
        }
        out
    }

    /// Values for array classes whose element values are known.
    fn build_depth(&mut self, pool: &Pool, terms: &[TermId]) {
        let solver = self.solver;
        let asked = self.asked(pool, terms);
        let mut reads: FxHashMap<usize, Vec<TermId>> = FxHashMap::default();
        let mut definition: FxHashMap<usize, TermId> = FxHashMap::default();
        for &t in &solver.active.applications {
            if pool.op(t) == Op::Select {
                let class = self.class(pool.args(t)[0]).expect("arrays have nodes");
                reads.entry(class).or_default().push(t);
            }
        }
        for &t in terms {
            let class = self.class(t).expect("arrays have nodes");
            match pool.op(t) {
                Op::Store => {
                    definition.entry(class).or_insert(t);
                }
                Op::ConstArray => {
                    let value = self.value(pool, pool.args(t)[0]);
                    let joined = self.find(class);
                    self.defaults.insert(joined, value);
                }
                _ => {}
            }
        }
        for &t in terms {
            // Down the chain of definitions to a class that is done or has none, then back up.
            let mut chain = Vec::new();
            let mut on_chain: FxHashSet<usize> = FxHashSet::default();
            // What is on a circle must be the same for all that lead into it, so it is kept.
            let mut circle = false;
            let mut class = self.class(t).expect("arrays have nodes");
            if !asked.contains(&class) {
                continue;
            }
            let mut sort = pool.sort_of(t);
            let mut value = loop {
                if let Some(value) = self.arrays.get(&class) {
                    break value.clone();
                }
                match definition.get(&class) {
                    Some(&b) if on_chain.insert(class) => {
                        chain.push((class, b));
                        class = self.class(pool.args(b)[0]).expect("arrays have nodes");
                        sort = pool.sort_of(b);
                    }
                    _ => {
                        let value = self.base(pool, class, sort);
                        let value = self.with_reads(pool, value, reads.get(&class));
                        circle = on_chain.contains(&class);
                        if !circle {
                            self.arrays.insert(class, value.clone());
                        }
                        break value;
                    }
                }
            };
            while let Some((class, b)) = chain.pop() {
                let (i, v) = (pool.args(b)[1], pool.args(b)[2]);
                let (i, v) = (self.value(pool, i), self.value(pool, v));
                if let Value::Array(array) = &mut value {
                    Arc::make_mut(array).set(i, v);
                }
                value = self.with_reads(pool, value, reads.get(&class));
                if circle || asked.contains(&class) {
                    self.arrays.insert(class, value.clone());
                }
            }
        }
    }

    fn base(&mut self, pool: &Pool, class: usize, sort: SortId) -> Value {
        let &Sort::Array(_, element) = pool.sort_kind(sort) else {
            unreachable!("array classes have array sorts")
        };
        let joined = self.find(class);
        let default = match self.defaults.get(&joined) {
            Some(value) => value.clone(),
            None => {
                // Distinct defaults keep arrays apart that nothing equates.
                let value = if pool.is_arith(element) && self.solver.tells_arrays_apart(pool) {
                    self.fresh += 1;
                    Value::Num(Rational::from(self.fresh))
                } else {
                    pool.default_value(element)
                };
                self.defaults.insert(joined, value.clone());
                value
            }
        };
        Value::Array(Arc::new(ArrayValue {
            default,
            entries: Default::default(),
        }))
    }

    fn with_reads(&mut self, pool: &Pool, mut value: Value, reads: Option<&Vec<TermId>>) -> Value {
        for &t in reads.map_or(&[] as &[TermId], |r| r) {
            let i = self.value(pool, pool.args(t)[1]);
            let v = self.value(pool, t);
            if let Value::Array(array) = &mut value
                && *array.get(&i) != v
            {
                Arc::make_mut(array).set(i, v);
            }
        }
        value
    }
}

impl Solver {
    /// Whether some read or write is of an array.
    fn arrays_are_elements(&self, pool: &Pool) -> bool {
        let is_array = |t: TermId| matches!(pool.sort_kind(pool.sort_of(t)), Sort::Array(..));
        self.active.applications.iter().any(|&t| match pool.op(t) {
            Op::Select => is_array(t) || is_array(pool.args(t)[1]),
            Op::Store => pool.args(t)[1..].iter().any(|&a| is_array(a)),
            Op::ConstArray => is_array(pool.args(t)[0]),
            _ => false,
        })
    }

    /// Whether some application takes or gives arrays, so that their equality shows.
    fn tells_arrays_apart(&self, pool: &Pool) -> bool {
        let is_array = |t: TermId| matches!(pool.sort_kind(pool.sort_of(t)), Sort::Array(..));
        self.active.applications.iter().any(|&t| match pool.op(t) {
            Op::App(s) => {
                !pool.symbol_data(s).name.starts_with("array-diff")
                    && pool.args(t).iter().any(|&a| is_array(a))
            }
            Op::Select => is_array(t),
            _ => false,
        })
    }
}

fn depth(pool: &Pool, mut sort: SortId) -> usize {
    let mut depth = 0;
    while let &Sort::Array(_, element) = pool.sort_kind(sort) {
        depth += 1;
        sort = element;
    }
    depth
}
