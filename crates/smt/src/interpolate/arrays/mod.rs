//! Interpolants of two formulas with arrays, by instances of the axioms that each side can make alone.
//!
//! *Idea.* The lemmas by which the solver refutes arrays read one side's array at the other side's index. Here no
//! term has symbols of both sides. Where one side alone connects two arrays that both know by n
//! writes, both are told where they differ, by `array-diff`: of `s = store(t, k, v)` with a k that B does not
//! know, A shows `s = store(t, d, s[d])` for `d = array-diff(s, t)`, and B reads through that. So A's and B's
//! instances of the axioms together are contradictory without any axiom, by equality and arithmetic alone, and
//! the literals that mix both sides are equalities, for which there are auxiliary variables (`proof/mixed`).
//!
//! Two constant arrays a few writes apart have one value, since some of the indices 0, 1, … is not written:
//! arrays are also read there. Where one side alone makes an array that both know of a constant one, by n writes, the other
//! does not know the constant; but of n + 1 different cells of the array one has its value, so both are told of the
//! constant arrays of these cells, and where the array differs from them (`constants.rs`). Indices of a sort without numbers may
//! be few; both sides have names for the first of them and can say that there are no more (`count.rs`).
//!
//! *Source.* Bruttomesso, Ghilardi, Ranise: Quantifier-free interpolation of a theory of arrays (2012); Totla,
//! Wies: Complete instantiation-based interpolation (POPL 2013); the graph of writes as in Hoenicke, Schindler:
//! Efficient interpolation for the theory of arrays (IJCAR 2018).
//!
//! Sound because every instance is valid; what they do not refute has no interpolant from here.

mod constants;
mod count;
mod opaque;

use base::{FxHashMap, FxHashSet};
use logic::{Op, Pool, Sort, SortId, TermId};
use opaque::Opaque;
use std::collections::{BTreeMap, VecDeque};

/// Writes between two arrays, pairs of such arrays, and instances of a side that are too many.
const WRITES: usize = 5;
const PAIRS: usize = 24;
const INSTANCES: usize = 6_000;
/// Arrays that are arguments of functions and compared with each other.
const OBSERVED: usize = 8;

/// Two formulas with what each knows of its arrays, which are opaque values now.
pub(super) struct Reduction {
    pub parts: [TermId; 2],
    opaque: Opaque,
}

impl Reduction {
    /// `None` if there are no arrays, or too many. Without `diff` nobody is told where arrays differ.
    pub fn new(pool: &mut Pool, sides: [TermId; 2], diff: bool) -> Option<Reduction> {
        let mut work = Work::new(pool, sides);
        if work.sides.iter().all(|s| s.arrays.is_empty()) {
            return None;
        }
        work.differences(pool, diff)?;
        work.comparisons(pool, diff);
        work.numerals(pool, diff);
        work.exchange(pool);
        let mut opaque = Opaque::default();
        let mut parts = sides;
        for (side, part) in parts.iter_mut().enumerate() {
            let mut facts = vec![opaque.hide(pool, *part)];
            facts.extend(work.instances(pool, &mut opaque, side)?);
            *part = pool.and(&facts);
        }
        Some(Reduction { parts, opaque })
    }

    /// A formula of the opaque world in the words of the real one.
    pub fn show(&mut self, pool: &mut Pool, formula: TermId) -> TermId {
        self.opaque.show(pool, formula)
    }
}

/// Terms in order, each once.
#[derive(Default)]
struct List {
    terms: Vec<TermId>,
    seen: FxHashSet<TermId>,
}

impl List {
    fn add(&mut self, t: TermId) {
        if self.seen.insert(t) {
            self.terms.push(t);
        }
    }

    fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

#[derive(Default)]
struct Side {
    formula: Option<TermId>,
    arrays: List,
    indices: List,
    /// Pairs of arrays with the index at which they differ if they do.
    apart: Vec<[TermId; 3]>,
    compared: FxHashSet<[TermId; 2]>,
}

struct Work {
    sides: [Side; 2],
    /// In whose vocabulary a term is.
    known: FxHashMap<TermId, [bool; 2]>,
}

fn is_array(pool: &Pool, t: TermId) -> bool {
    matches!(pool.sort_kind(pool.sort_of(t)), Sort::Array(..))
}

impl Work {
    fn new(pool: &Pool, formulas: [TermId; 2]) -> Work {
        let symbols = formulas.map(|f| {
            let list = pool.symbols_of(&[f]);
            list.into_iter().collect::<FxHashSet<_>>()
        });
        let mut work = Work {
            sides: [Side::default(), Side::default()],
            known: FxHashMap::default(),
        };
        for t in pool.post_order(&formulas) {
            let own = match pool.op(t) {
                Op::App(s) if !logic::is_array_diff(pool, s) => {
                    [0, 1].map(|k: usize| symbols[k].contains(&s))
                }
                _ => [true, true],
            };
            let below = pool.args(t).iter().map(|a| work.known[a]);
            let all = below.fold(own, |x, y| [x[0] && y[0], x[1] && y[1]]);
            work.known.insert(t, all);
        }
        for (side, &formula) in work.sides.iter_mut().zip(&formulas) {
            side.formula = Some(formula);
            for t in pool.post_order(&[formula]) {
                side.note(pool, t);
            }
        }
        work
    }

    fn is_shared(&self, t: TermId) -> bool {
        self.known.get(&t).is_none_or(|k| *k == [true, true])
    }

    /// Tells both sides where arrays differ that one of them connects by writes.
    fn differences(&mut self, pool: &mut Pool, diff: bool) -> Option<()> {
        let mut pairs: BTreeMap<(TermId, TermId), usize> = BTreeMap::new();
        for side in if diff { 0..2 } else { 0..0 } {
            let links = self.sides[side].links(pool);
            for &start in &self.sides[side].arrays.terms {
                if !self.is_shared(start) {
                    continue;
                }
                for (end, writes) in self.reached(start, &links) {
                    if writes > 0 && writes <= WRITES && start < end {
                        let known = pairs.entry((start, end)).or_insert(writes);
                        *known = writes.max(*known);
                    }
                }
            }
        }
        for (a, constant, writes) in self.constants(pool, diff) {
            pairs.entry((a, constant)).or_insert(writes);
        }
        if pairs.len() > PAIRS {
            return None;
        }
        for ((a, b), writes) in pairs {
            let mut other = b;
            for _ in 0..writes {
                let d = logic::array_diff(pool, a, other)?;
                let (x, y) = (pool.select(a, d), pool.select(other, d));
                for side in &mut self.sides {
                    for t in [a, other, d, x, y] {
                        side.note(pool, t);
                    }
                    side.indices.add(d);
                    side.apart.push([a, other, d]);
                    side.compared.insert([a.min(other), a.max(other)]);
                }
                other = pool.store(other, d, x);
                for side in &mut self.sides {
                    side.note(pool, other);
                }
            }
            // Now they are equal, which either side may show by looking at any index.
            let &Sort::Array(index, _) = pool.sort_kind(pool.sort_of(a)) else {
                continue;
            };
            for (k, side) in self.sides.iter_mut().enumerate() {
                let any = pool.fresh_constant("apart", index);
                self.known.insert(any, [k == 0, k == 1]);
                side.apart.push([a, other, any]);
                side.indices.add(any);
                side.compared.insert([a.min(other), a.max(other)]);
            }
        }
        Some(())
    }

    /// Shared arrays that one side reaches from another by its own arrays alone, with the writes between.
    fn reached(
        &self,
        start: TermId,
        links: &FxHashMap<TermId, Vec<(TermId, usize)>>,
    ) -> Vec<(TermId, usize)> {
        let mut best: FxHashMap<TermId, usize> = FxHashMap::default();
        let mut queue = VecDeque::from([(start, 0)]);
        let mut found = Vec::new();
        while let Some((t, writes)) = queue.pop_front() {
            if best.get(&t).is_some_and(|&b| b <= writes) {
                continue;
            }
            if !best.contains_key(&t) && t != start && self.is_shared(t) {
                found.push((t, writes));
            }
            best.insert(t, writes);
            if t != start && self.is_shared(t) {
                continue;
            }
            for &(next, cost) in links.get(&t).map_or(&[] as &[_], |l| l) {
                match cost {
                    0 => queue.push_front((next, writes)),
                    _ => queue.push_back((next, writes + cost)),
                }
            }
        }
        found
    }

    /// Arrays that are compared, or arguments of functions, differ somewhere if they do.
    fn comparisons(&mut self, pool: &mut Pool, diff: bool) {
        for side in [0, 1] {
            let own = &self.sides[side];
            let formula = own.formula.unwrap_or(pool.tt());
            let facts: FxHashSet<TermId> = pool.conjuncts(formula).into_iter().collect();
            let mut pairs: Vec<[TermId; 2]> = Vec::new();
            let mut observed: BTreeMap<_, List> = BTreeMap::new();
            for t in pool.post_order(&[formula]) {
                match (pool.op(t), pool.args(t)) {
                    (Op::Eq, &[a, b]) if is_array(pool, a) && !facts.contains(&t) => {
                        pairs.push([a, b]);
                    }
                    (Op::App(s), &[a, b]) if logic::is_array_diff(pool, s) => {
                        pairs.push([a, b]);
                        self.sides[side].apart.push([a, b, t]);
                        self.sides[side].indices.add(t);
                    }
                    (Op::App(_) | Op::Store | Op::Select, args) => {
                        let from = usize::from(!matches!(pool.op(t), Op::App(_)));
                        for &a in args[from.min(args.len())..].iter() {
                            if is_array(pool, a) {
                                observed.entry(pool.sort_of(a)).or_default().add(a);
                            }
                        }
                    }
                    _ => {}
                }
            }
            // What a function is applied to goes by a name that both know if it is equal to one.
            let links = self.sides[side].links(pool);
            for &a in observed.values().flat_map(|l| &l.terms).take(OBSERVED) {
                if !self.is_shared(a) {
                    let ends = self.reached(a, &links);
                    pairs.extend(ends.into_iter().map(|(end, _)| [a, end]));
                }
            }
            for list in observed.values().filter(|l| l.terms.len() <= OBSERVED) {
                for (k, &a) in list.terms.iter().enumerate() {
                    pairs.extend(list.terms[k + 1..].iter().map(|&b| [a, b]));
                }
            }
            for [a, b] in pairs {
                if a == b || !self.sides[side].compared.insert([a.min(b), a.max(b)]) {
                    continue;
                }
                let &Sort::Array(index, _) = pool.sort_kind(pool.sort_of(a)) else {
                    continue;
                };
                let shared = self.is_shared(a) && self.is_shared(b);
                let d = match (diff && shared).then(|| logic::array_diff(pool, a, b)) {
                    Some(Some(d)) => d,
                    _ => pool.fresh_constant("apart", index),
                };
                self.sides[side].apart.push([a, b, d]);
                self.sides[side].indices.add(d);
                if !(diff && shared) {
                    self.known.insert(d, [side == 0, side == 1]);
                }
            }
        }
    }

    /// Constant arrays are read at as many indices as cannot all be written between them.
    fn numerals(&mut self, pool: &mut Pool, diff: bool) {
        let (mut constants, mut writes) = (List::default(), 0);
        for side in &self.sides {
            for &t in &side.arrays.terms {
                match pool.op(t) {
                    Op::ConstArray => constants.add(t),
                    Op::Store => writes += 1,
                    _ => {}
                }
            }
        }
        if constants.terms.len() < 2 {
            return;
        }
        let mut counted: FxHashSet<SortId> = FxHashSet::default();
        for &t in &constants.terms {
            let &Sort::Array(index, _) = pool.sort_kind(pool.sort_of(t)) else {
                continue;
            };
            if pool.is_arith(index) {
                for n in 0..=writes.min(2 * WRITES) {
                    let n = pool.num(n as i64, index);
                    self.sides.iter_mut().for_each(|s| s.indices.add(n));
                }
                continue;
            }
            // A sort without numbers has no more elements than are written, or they are equal.
            for side in &mut self.sides {
                for t in pool.post_order(side.formula.as_slice()) {
                    if pool.sort_of(t) == index {
                        side.indices.add(t);
                    }
                }
            }
            if diff && counted.insert(index) {
                self.count(pool, index, writes.min(WRITES));
            }
        }
    }

    /// What both know is considered by both.
    fn exchange(&mut self, pool: &Pool) {
        for (from, to) in [(0, 1), (1, 0)] {
            for k in 0..self.sides[from].indices.terms.len() {
                let t = self.sides[from].indices.terms[k];
                if self.is_shared(t) {
                    self.sides[to].indices.add(t);
                }
            }
            for k in 0..self.sides[from].arrays.terms.len() {
                let t = self.sides[from].arrays.terms[k];
                if self.is_shared(t) {
                    self.sides[to].note(pool, t);
                }
            }
        }
    }

    /// The axioms of a side's arrays at its indices.
    fn instances(&self, pool: &mut Pool, opaque: &mut Opaque, side: usize) -> Option<Vec<TermId>> {
        let own = &self.sides[side];
        let mut facts = Vec::new();
        for &t in &own.arrays.terms {
            let hidden = opaque.hide(pool, t);
            let &Sort::Array(sort, _) = pool.sort_kind(pool.sort_of(t)) else {
                continue;
            };
            let args = pool.args(t).to_vec();
            match (pool.op(t), &args[..]) {
                (Op::Store, &[a, i, v]) => {
                    let parts = [a, i, v].map(|t| opaque.hide(pool, t));
                    let read = opaque.select(pool, t, hidden, parts[1]);
                    facts.push(pool.eq(read, parts[2]));
                    for &j in own.indices.terms.iter() {
                        if j == i || pool.sort_of(j) != sort {
                            continue;
                        }
                        let j = opaque.hide(pool, j);
                        let here = pool.eq(parts[1], j);
                        let above = opaque.select(pool, t, hidden, j);
                        let below = opaque.select(pool, a, parts[0], j);
                        let same = pool.eq(above, below);
                        facts.push(pool.or2(here, same));
                    }
                }
                (Op::ConstArray, &[v]) => {
                    let v = opaque.hide(pool, v);
                    for &j in own.indices.terms.iter() {
                        if pool.sort_of(j) == sort {
                            let j = opaque.hide(pool, j);
                            let read = opaque.select(pool, t, hidden, j);
                            facts.push(pool.eq(read, v));
                        }
                    }
                }
                _ => {}
            }
            if facts.len() > INSTANCES {
                return None;
            }
        }
        for &[a, b, d] in &own.apart {
            let hidden = [a, b, d].map(|t| opaque.hide(pool, t));
            let equal = pool.eq(hidden[0], hidden[1]);
            let x = opaque.select(pool, a, hidden[0], hidden[2]);
            let y = opaque.select(pool, b, hidden[1], hidden[2]);
            let same = pool.eq(x, y);
            let differ = pool.not(same);
            facts.push(pool.or2(equal, differ));
        }
        Some(facts)
    }
}

impl Side {
    fn note(&mut self, pool: &Pool, t: TermId) {
        if is_array(pool, t) {
            self.arrays.add(t);
        }
        if let (Op::Select | Op::Store, args) = (pool.op(t), pool.args(t)) {
            self.indices.add(args[1]);
        }
    }

    /// Arrays that are equal in some case (0), or equal up to a write (1).
    fn links(&self, pool: &Pool) -> FxHashMap<TermId, Vec<(TermId, usize)>> {
        let mut links: FxHashMap<TermId, Vec<(TermId, usize)>> = FxHashMap::default();
        let mut link = |a: TermId, b: TermId, cost: usize| {
            links.entry(a).or_default().push((b, cost));
            links.entry(b).or_default().push((a, cost));
        };
        let roots: Vec<TermId> = self.formula.into_iter().collect();
        for t in pool.post_order(&roots) {
            match (pool.op(t), pool.args(t)) {
                (Op::Eq, &[a, b]) if is_array(pool, a) => link(a, b, 0),
                (Op::Store, &[a, ..]) => link(t, a, 1),
                (Op::Ite, &[_, a, b]) if is_array(pool, t) => {
                    link(t, a, 0);
                    link(t, b, 0);
                }
                _ => {}
            }
        }
        links
    }
}
