//! Arrays by lemmas on demand.
//!
//! A *read* of a class of equal arrays is `select(c, j)` for a member `c`, or the value a member
//! `store(_, j, v)` was made with. Over every store `b = store(a, i, v)` in the class a read goes *down*:
//! `c = b` and `i = j` give the value `v`, `c = b` and `i != j` give `select(a, j)`. So every read
//! reaches the arrays at the bottom, and a class with one definition has the value of its base
//! with one entry changed. A class with several definitions needs all reads of all its bases, so
//! from them reads also go *up*. Unequal arrays differ at the index `array-diff(a, b)`; a formula that speaks of
//! that index speaks of such a place. Constant arrays that n writes connect are read at the numbers from 0 to
//! n, one of which is not written, or at all terms of a sort without numbers.
//!
//! A lemma is added only where the current assignment violates it.

use crate::solver::candidate::Candidate;
use crate::theory::{Demands, OnDemand};
use base::FxHashSet;
use logic::word::Shape;
use logic::{Op, Pool, Sort, SortId, TermId};
use std::collections::BTreeMap;

/// Reads of constant arrays at small numbers: more writes between them than this are not seen through.
const NUMBERS: usize = 12;
/// The same where indices are no numbers: more classes of them than this are not looked at.
const PLACES: usize = 40;
/// Writes that a new read goes past in one round.
const LEVELS: usize = 64;

/// What is known of a class of equal arrays.
#[derive(Default)]
struct Class {
    /// `(array, index, value)`: the value is the simplified `select(array, index)`.
    reads: Vec<(TermId, TermId, TermId)>,
    /// Members that are stores or constant arrays.
    definitions: Vec<TermId>,
}

/// The indices from 0 to `last`, as far as the sort has them.
pub(crate) fn small_numbers(pool: &mut Pool, index: SortId, last: usize) -> Vec<TermId> {
    let most = match pool.shape(index) {
        Some(Shape::Bits(width)) => (1usize << width.min(16)) - 1,
        _ if pool.is_arith(index) => last,
        _ => return Vec::new(),
    };
    let numbers = 0..=last.min(most) as i64;
    numbers.map(|n| pool.num(n, index)).collect()
}

/// The theory has no state: it looks at a candidate.
pub(crate) struct Arrays;

impl OnDemand for Arrays {
    fn demands(&mut self, pool: &mut Pool, candidate: &Candidate) -> Demands {
        let (lemmas, compared) = candidate.array_lemmas(pool);
        Demands {
            lemmas,
            splits: candidate.observed_arrays(pool),
            compared,
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

    /// Array lemmas that the candidate violates, and how many pairs were compared.
    fn array_lemmas(&self, pool: &mut Pool) -> (Vec<(TermId, TermId)>, u64) {
        let mut compared = 0;
        let mut classes = self.array_classes(pool);
        self.read_constants(pool, &mut classes);
        self.read_written(pool, &mut classes);
        let mut lemmas: Vec<(TermId, TermId)> = Vec::new();
        for class in classes.values() {
            self.same_constants(pool, class, &mut lemmas);
            compared += (class.definitions.len() * class.reads.len()) as u64;
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
                let below = classes.get(&base).map_or(&[] as &[_], |c| &c.reads);
                compared += (below.len() * class.reads.len()) as u64;
                for &read in below {
                    self.read_up(pool, b, read, &class.reads, &mut lemmas);
                }
            }
        }
        for &e in self.array_equalities() {
            if self.is_false(e) {
                let lemma = extensionality(pool, e);
                lemmas.push((e, lemma));
            }
        }
        for &t in self.applications() {
            let (Op::App(s), &[a, b]) = (pool.op(t), pool.args(t)) else {
                continue;
            };
            if logic::is_array_diff(pool, s) && self.class_of(a) != self.class_of(b) {
                let e = pool.eq(a, b);
                lemmas.push((e, differ_at(pool, e, t)));
            }
        }
        (lemmas, compared)
    }

    /// Reads of a base that the term of a write above it has too, as rewriting shows (`select(store(a, 0, v), 1)` is `select(a, 1)`):
    /// they need no lemma to go up, but other definitions of the class are to see them.
    fn read_written(&self, pool: &mut Pool, classes: &mut BTreeMap<usize, Class>) {
        let upward = self.upward_classes(pool, classes);
        for &c in upward.iter().rev() {
            let Some(class) = classes.get(&c) else {
                continue;
            };
            let mut seen: FxHashSet<(TermId, TermId)> =
                class.reads.iter().map(|r| (r.0, r.1)).collect();
            let mut new = Vec::new();
            for &b in &class.definitions {
                let [a, i, _] = *pool.args(b) else { continue };
                let base = classes.get(&self.class_of(a));
                for &(d, j, _) in base.map_or(&[] as &[_], |c| &c.reads) {
                    if d != a || i == j {
                        continue;
                    }
                    let above = pool.select(b, j);
                    let plain = pool.op(above) == Op::Select && pool.args(above) == [b, j];
                    if !plain && seen.insert((b, j)) {
                        new.push((b, j, above));
                    }
                }
            }
            if let Some(class) = classes.get_mut(&c) {
                class.reads.extend(new);
            }
        }
    }

    /// Constant arrays of one class have one element: every sort has an index.
    fn same_constants(&self, pool: &mut Pool, class: &Class, lemmas: &mut Vec<(TermId, TermId)>) {
        let mut constants = class.definitions.iter().copied();
        let mut constants = constants.by_ref().filter(|&t| pool.op(t) == Op::ConstArray);
        let Some(first) = constants.next() else {
            return;
        };
        for other in constants.collect::<Vec<_>>() {
            let (v, w) = (pool.args(first)[0], pool.args(other)[0]);
            if !self.same_value(pool, v, w) {
                let same = pool.eq(first, other);
                let (apart, equal) = (pool.not(same), pool.eq(v, w));
                lemmas.push((other, pool.or2(apart, equal)));
            }
        }
    }

    /// Constant arrays that differ although writes connect them get reads at small numbers.
    fn read_constants(&self, pool: &mut Pool, classes: &mut BTreeMap<usize, Class>) {
        let is_constant = |pool: &Pool, t: &TermId| pool.op(*t) == Op::ConstArray;
        let constants: Vec<(usize, TermId)> = classes
            .iter()
            .flat_map(|(&k, c)| c.definitions.iter().map(move |&t| (k, t)))
            .filter(|(_, t)| is_constant(pool, t))
            .collect();
        if constants.len() < 2 {
            return;
        }
        // Classes that writes connect, with a number for each connected piece.
        let mut piece: BTreeMap<usize, usize> = BTreeMap::new();
        let edges: Vec<(usize, usize)> = classes
            .iter()
            .flat_map(|(&k, c)| c.definitions.iter().map(move |&t| (k, t)))
            .filter(|(_, t)| pool.op(*t) == Op::Store)
            .map(|(k, t)| (k, self.class_of(pool.args(t)[0])))
            .collect();
        let find = |piece: &BTreeMap<usize, usize>, mut k: usize| {
            while let Some(&p) = piece.get(&k).filter(|&&p| p != k) {
                k = p;
            }
            k
        };
        for &(a, b) in &edges {
            let (a, b) = (find(&piece, a), find(&piece, b));
            piece.insert(a, b);
        }
        for (i, &(k, t)) in constants.iter().enumerate() {
            let own = find(&piece, k);
            let differs = constants.iter().enumerate().any(|(j, &(l, other))| {
                let (v, w) = (pool.args(t)[0], pool.args(other)[0]);
                i != j && find(&piece, l) == own && !self.same_value(pool, v, w)
            });
            let &Sort::Array(index, _) = pool.sort_kind(pool.sort_of(t)) else {
                continue;
            };
            if !differs {
                continue;
            }
            let writes = edges.iter().filter(|(a, _)| find(&piece, *a) == own);
            let writes = writes.count().min(NUMBERS);
            let value = pool.args(t)[0];
            let mut places = small_numbers(pool, index, writes);
            if places.is_empty() {
                // Then the sort has no more elements than there are writes: its terms are all written.
                places = self.places(pool, index);
            }
            for j in places {
                if let Some(class) = classes.get_mut(&k) {
                    class.reads.push((t, j, value));
                }
            }
        }
    }

    /// Terms of a sort, one of each class.
    fn places(&self, pool: &Pool, sort: SortId) -> Vec<TermId> {
        let mut classes: FxHashSet<usize> = FxHashSet::default();
        let mut places = self.active_terms();
        places.retain(|&t| {
            pool.sort_of(t) == sort && self.has_node(t) && classes.insert(self.class_of(t))
        });
        places.truncate(PLACES);
        places
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
                self.read_on(pool, a, j, below, lemmas);
            }
        }
    }

    /// The new read `value = select(array, j)` goes on down a chain of writes at once: one level a round would be as many
    /// rounds as there are writes.
    fn read_on(
        &self,
        pool: &mut Pool,
        mut array: TermId,
        j: TermId,
        mut value: TermId,
        lemmas: &mut Vec<(TermId, TermId)>,
    ) {
        for _ in 0..LEVELS {
            let new = pool.op(value) == Op::Select && pool.args(value) == [array, j];
            let (Op::Store, true) = (pool.op(array), new && !self.is_active(value)) else {
                return;
            };
            let [a, i, v] = *pool.args(array) else { return };
            let same_index = pool.eq(i, j);
            if self.same_value(pool, i, j) {
                let (other_index, equal) = (pool.not(same_index), pool.eq(value, v));
                lemmas.push((array, pool.or2(other_index, equal)));
                return;
            }
            let below = pool.select(a, j);
            let equal = pool.eq(value, below);
            lemmas.push((array, pool.or2(same_index, equal)));
            (array, value) = (a, below);
        }
    }

    /// The read `value = select(c, j)` of the class of `a`, seen from `b = store(a, i, v)`, whose class has the reads `there`.
    fn read_up(
        &self,
        pool: &mut Pool,
        b: TermId,
        (c, j, value): (TermId, TermId, TermId),
        there: &[(TermId, TermId, TermId)],
        lemmas: &mut Vec<(TermId, TermId)>,
    ) {
        let [a, i, _] = *pool.args(b) else { return };
        if self.same_value(pool, i, j) {
            return;
        }
        let above = pool.select(b, j);
        let is_known = |&(array, index, read): &(TermId, TermId, TermId)| {
            self.same_value(pool, index, j)
                && pool.op(read) == Op::Select
                && pool.args(read) == [array, index]
                && self.same_value(pool, read, value)
        };
        if self.same_value(pool, above, value) || there.iter().any(is_known) {
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
    differ_at(pool, e, d)
}

/// The equality `e` of two arrays, or they differ at `d`.
fn differ_at(pool: &mut Pool, e: TermId, d: TermId) -> TermId {
    let [a, b] = *pool.args(e) else {
        unreachable!("an equality has two sides")
    };
    let (x, y) = (pool.select(a, d), pool.select(b, d));
    let same = pool.eq(x, y);
    let differ = pool.not(same);
    pool.or2(e, differ)
}
