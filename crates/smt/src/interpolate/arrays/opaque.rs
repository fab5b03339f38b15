//! Arrays as opaque values: sorts without structure, and functions for reading, writing and constant arrays.
//!
//! What is lost are the axioms; `instances` adds those that are needed, each over the symbols of one side.
//! `show` is the way back.

use base::{FxHashMap, Id};
use logic::{Op, Pool, Sort, SortId, SymbolId, TermId};

#[derive(Clone, Copy)]
enum Meaning {
    Symbol(SymbolId),
    Select,
    Store,
    Constant(SortId),
}

#[derive(Default)]
pub(super) struct Opaque {
    memo: FxHashMap<TermId, TermId>,
    sorts: FxHashMap<SortId, SortId>,
    meanings: FxHashMap<SymbolId, Meaning>,
    back: FxHashMap<TermId, TermId>,
}

impl Opaque {
    fn sort(&mut self, pool: &mut Pool, sort: SortId) -> SortId {
        if !matches!(pool.sort_kind(sort), Sort::Array(..)) {
            return sort;
        }
        *self.sorts.entry(sort).or_insert_with(|| {
            let name = format!("opaque!{}", sort.index());
            pool.sort(Sort::Uninterpreted(name.into()))
        })
    }

    /// The function that stands for an operator or symbol, by the sorts it has.
    fn function(
        &mut self,
        pool: &mut Pool,
        name: String,
        args: &[SortId],
        result: SortId,
        meaning: Meaning,
    ) -> SymbolId {
        let args: Vec<SortId> = args.iter().map(|&s| self.sort(pool, s)).collect();
        let result = self.sort(pool, result);
        let symbol = pool.symbol(&name, &args, result);
        self.meanings.insert(symbol, meaning);
        symbol
    }

    /// The term without arrays.
    pub fn hide(&mut self, pool: &mut Pool, term: TermId) -> TermId {
        if let Some(&t) = self.memo.get(&term) {
            return t;
        }
        for t in pool.post_order(&[term]) {
            if self.memo.contains_key(&t) {
                continue;
            }
            let args = pool.args(t).to_vec();
            let hidden: Vec<TermId> = args.iter().map(|a| self.memo[a]).collect();
            let sorts: Vec<SortId> = args.iter().map(|&a| pool.sort_of(a)).collect();
            let is_array = |s: &SortId| matches!(pool.sort_kind(*s), Sort::Array(..));
            let own = pool.sort_of(t);
            let new = match pool.op(t) {
                Op::App(s) if is_array(&own) || sorts.iter().any(is_array) => {
                    let name = format!("opaque!symbol!{}", s.index());
                    let f = self.function(pool, name, &sorts, own, Meaning::Symbol(s));
                    pool.app(f, &hidden)
                }
                Op::Select => self.select(pool, args[0], hidden[0], hidden[1]),
                Op::Store => {
                    let name = format!("opaque!store!{}", own.index());
                    let f = self.function(pool, name, &sorts, own, Meaning::Store);
                    pool.app(f, &hidden)
                }
                Op::ConstArray => {
                    let name = format!("opaque!const!{}", own.index());
                    let f = self.function(pool, name, &sorts, own, Meaning::Constant(own));
                    pool.app(f, &hidden)
                }
                _ => pool.rebuild(t, &hidden),
            };
            self.memo.insert(t, new);
        }
        self.memo[&term]
    }

    /// A read of the hidden `array`, which is `of`, without simplification.
    pub fn select(&mut self, pool: &mut Pool, of: TermId, array: TermId, index: TermId) -> TermId {
        let sort = pool.sort_of(of);
        let &Sort::Array(at, element) = pool.sort_kind(sort) else {
            unreachable!("a read is of an array")
        };
        let name = format!("opaque!select!{}", sort.index());
        let f = self.function(pool, name, &[sort, at], element, Meaning::Select);
        pool.app(f, &[array, index])
    }

    /// The term with arrays again.
    pub fn show(&mut self, pool: &mut Pool, term: TermId) -> TermId {
        for t in pool.post_order(&[term]) {
            if self.back.contains_key(&t) {
                continue;
            }
            let args: Vec<TermId> = pool.args(t).iter().map(|a| self.back[a]).collect();
            let meaning = match pool.op(t) {
                Op::App(s) => self.meanings.get(&s).copied(),
                _ => None,
            };
            let new = match (meaning, &args[..]) {
                (Some(Meaning::Symbol(s)), _) => pool.app(s, &args),
                (Some(Meaning::Select), &[a, i]) => pool.select(a, i),
                (Some(Meaning::Store), &[a, i, v]) => pool.store(a, i, v),
                (Some(Meaning::Constant(sort)), &[v]) => pool.const_array(sort, v),
                _ => pool.rebuild(t, &args),
            };
            self.back.insert(t, new);
        }
        self.back[&term]
    }
}
