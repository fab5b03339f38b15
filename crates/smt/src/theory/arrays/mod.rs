//! Arrays by lemmas on demand.
//!
//! A *read* of a class of equal arrays is `select(c, j)` for a member `c`, or the value a member
//! `store(_, j, v)` was made with. Over every store `b = store(a, i, v)` in the class a read goes *down*:
//! `c = b` and `i = j` give the value `v`, `c = b` and `i != j` give `select(a, j)`. So every read
//! reaches the arrays at the bottom, and a class with one definition has the value of its base
//! with one entry changed. A class with several definitions needs all reads of all its bases, so
//! from them reads also go *up*. Unequal arrays differ at the index `array-diff(a, b)`.
//!
//! A lemma is added only where the current assignment violates it.

use crate::solver::candidate::Candidate;
use crate::theory::{Demands, OnDemand};
use base::FxHashSet;
use logic::{Op, Pool, Sort, TermId};
use std::collections::BTreeMap;

/// What is known of a class of equal arrays.
#[derive(Default)]
struct Class {
    /// `(array, index, value)`: the value is the simplified `select(array, index)`.
    reads: Vec<(TermId, TermId, TermId)>,
    /// Members that are stores or constant arrays.
    definitions: Vec<TermId>,
}

/// The theory has no state: it looks at a candidate.
pub(crate) struct Arrays;

impl OnDemand for Arrays {
    fn demands(&mut self, pool: &mut Pool, candidate: &Candidate) -> Demands {
        Demands {
            lemmas: candidate.array_lemmas(pool),
            splits: candidate.observed_arrays(pool),
        }
    }
}

impl Candidate<'_> {
    fn array_classes(&self, pool: &Pool) -> BTreeMap<usize, Class> {
        let mut classes: BTreeMap<usize, Class> = BTreeMap::new();
        for &t in self.applications() {
            match pool.op(t) {
                Op::Select => {
                    let [a, j] = *pool.args(t) else { continue };
                    let class = classes.entry(self.class_of(a)).or_default();
                    class.reads.push((a, j, t));
                }
                Op::Store => {
                    let class = classes.entry(self.class_of(t)).or_default();
                    class.reads.push((t, pool.args(t)[1], pool.args(t)[2]));
                    class.definitions.push(t);
                }
                Op::ConstArray => {
                    let class = classes.entry(self.class_of(t)).or_default();
                    class.definitions.push(t);
                }
                _ => {}
            }
        }
        classes
    }

    /// Array lemmas that the candidate violates.
    fn array_lemmas(&self, pool: &mut Pool) -> Vec<(TermId, TermId)> {
        let classes = self.array_classes(pool);
        let mut lemmas: Vec<(TermId, TermId)> = Vec::new();
        for class in classes.values() {
            for &b in &class.definitions {
                for &read in &class.reads {
                    self.read_down(pool, b, read, &mut lemmas);
                }
            }
        }
        for c in self.upward_classes(pool, &classes) {
            let Some(class) = classes.get(&c) else {
                continue;
            };
            for &b in &class.definitions {
                if pool.op(b) != Op::Store {
                    continue;
                }
                let base = self.class_of(pool.args(b)[0]);
                for &read in classes.get(&base).map_or(&[] as &[_], |c| &c.reads) {
                    self.read_up(pool, b, read, &mut lemmas);
                }
            }
        }
        for &e in self.array_equalities() {
            if self.is_false(e) {
                let lemma = extensionality(pool, e);
                lemmas.push((e, lemma));
            }
        }
        lemmas
    }

    /// The read `value = select(c, j)` seen through the definition `b` of the same class.
    fn read_down(
        &self,
        pool: &mut Pool,
        b: TermId,
        (c, j, value): (TermId, TermId, TermId),
        lemmas: &mut Vec<(TermId, TermId)>,
    ) {
        // Most reads agree already: formulas are made for the others only.
        let other_array = |pool: &mut Pool| {
            let same = pool.eq(c, b);
            pool.not(same)
        };
        if pool.op(b) == Op::ConstArray {
            let everywhere = pool.args(b)[0];
            if !self.same_value(pool, value, everywhere) {
                let (other, equal) = (other_array(pool), pool.eq(value, everywhere));
                lemmas.push((b, pool.or2(other, equal)));
            }
            return;
        }
        let [a, i, v] = *pool.args(b) else { return };
        if c == b && i == j {
            return;
        }
        if self.same_value(pool, i, j) {
            if !self.same_value(pool, value, v) {
                let (other, equal) = (other_array(pool), pool.eq(value, v));
                let same_index = pool.eq(i, j);
                let other_index = pool.not(same_index);
                lemmas.push((b, pool.or(&[other, other_index, equal])));
            }
        } else {
            let below = pool.select(a, j);
            if !self.same_value(pool, value, below) {
                let (other, equal) = (other_array(pool), pool.eq(value, below));
                let same_index = pool.eq(i, j);
                lemmas.push((b, pool.or(&[other, same_index, equal])));
            }
        }
    }

    /// The read `value = select(c, j)` of the class of `a`, seen from `b = store(a, i, v)`.
    fn read_up(
        &self,
        pool: &mut Pool,
        b: TermId,
        (c, j, value): (TermId, TermId, TermId),
        lemmas: &mut Vec<(TermId, TermId)>,
    ) {
        let [a, i, _] = *pool.args(b) else { return };
        if self.same_value(pool, i, j) {
            return;
        }
        let above = pool.select(b, j);
        let known = self.applications().iter().any(|&t| {
            pool.op(t) == Op::Select
                && self.class_of(pool.args(t)[0]) == self.class_of(b)
                && self.same_value(pool, pool.args(t)[1], j)
                && self.same_value(pool, t, value)
        });
        if known || self.same_value(pool, above, value) {
            return;
        }
        let same_array = pool.eq(c, a);
        let not_same = pool.not(same_array);
        let same_index = pool.eq(i, j);
        let equal = pool.eq(above, value);
        lemmas.push((b, pool.or(&[not_same, same_index, equal])));
    }

    /// Classes with several definitions, and the bases of their definitions, all the way down.
    fn upward_classes(&self, pool: &Pool, classes: &BTreeMap<usize, Class>) -> Vec<usize> {
        let mut work: Vec<usize> = classes
            .iter()
            .filter(|(_, c)| c.definitions.len() > 1)
            .map(|(&k, _)| k)
            .collect();
        let mut seen: FxHashSet<usize> = work.iter().copied().collect();
        let mut i = 0;
        while i < work.len() {
            if let Some(class) = classes.get(&work[i]) {
                for &b in &class.definitions {
                    if pool.op(b) == Op::Store {
                        let base = self.class_of(pool.args(b)[0]);
                        if seen.insert(base) {
                            work.push(base);
                        }
                    }
                }
            }
            i += 1;
        }
        work
    }

    /// Arrays that are arguments of functions, indices or elements: which of them are equal matters,
    /// so the search decides it.
    fn observed_arrays(&self, pool: &mut Pool) -> Vec<(TermId, TermId)> {
        let mut observed: BTreeMap<logic::SortId, BTreeMap<usize, TermId>> = BTreeMap::new();
        for &t in self.applications() {
            let parts: Vec<TermId> = match pool.op(t) {
                Op::App(s) if pool.symbol_data(s).name.starts_with("array-diff") => continue,
                Op::App(_) => pool.args(t).to_vec(),
                Op::Select => vec![pool.args(t)[1], t],
                Op::Store => pool.args(t)[1..].to_vec(),
                Op::ConstArray => pool.args(t).to_vec(),
                _ => continue,
            };
            for p in parts {
                let sort = pool.sort_of(p);
                if let Sort::Array(..) = pool.sort_kind(sort) {
                    let class = self.class_of(p);
                    observed.entry(sort).or_default().entry(class).or_insert(p);
                }
            }
        }
        let mut splits = Vec::new();
        for terms in observed.values() {
            let terms: Vec<TermId> = terms.values().copied().collect();
            for (k, &a) in terms.iter().enumerate() {
                for &b in &terms[k + 1..] {
                    let e = pool.eq(a, b);
                    if !self.is_active(e) {
                        splits.push((a, b));
                    }
                }
            }
        }
        splits
    }
}

/// `a = b` or they differ at `array-diff(a, b)`.
fn extensionality(pool: &mut Pool, e: TermId) -> TermId {
    let [a, b] = *pool.args(e) else {
        unreachable!("an equality has two sides")
    };
    let d = logic::array_diff(pool, a, b).expect("the sides are arrays");
    let (x, y) = (pool.select(a, d), pool.select(b, d));
    let same = pool.eq(x, y);
    let differ = pool.not(same);
    pool.or2(e, differ)
}
