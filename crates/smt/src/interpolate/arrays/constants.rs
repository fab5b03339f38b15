//! Names that both sides know for constant arrays that only one of them knows.
//!
//! *Idea.* A says `a = store(const(v), i, w)`, and B only knows `a`. Of two different cells of `a` one has the value v, so `a` is
//! `const(a[j])` up to one cell, for one of these j. Integers have different cells by name. For indices without numbers
//! the cells are found by differences: any cell k, then the place where `a` differs from `const(a[k])`, then where it differs
//! from that with this cell mended, and so on: they are different as long as there is a difference.

use super::Work;
use crate::theory::arrays::small_numbers;
use base::FxHashMap;
use logic::{Op, Pool, Sort, TermId};
use std::collections::{BTreeMap, VecDeque};

/// Writes between an array and a constant one that are seen through.
const WRITES: usize = 3;
/// Arrays that are looked at.
const ARRAYS: usize = 4;

impl Work {
    /// Shared arrays with the constant arrays of some of their cells, and the writes between them if it is the right cell.
    /// Without `diff` only those that are constant as they are.
    pub(super) fn constants(
        &mut self,
        pool: &mut Pool,
        diff: bool,
    ) -> Vec<(TermId, TermId, usize)> {
        let mut found: BTreeMap<TermId, usize> = BTreeMap::new();
        for side in &self.sides {
            let links = side.links(pool);
            for &start in &side.arrays.terms {
                if !self.is_shared(start) || pool.op(start) == Op::ConstArray {
                    continue;
                }
                let most = if diff { WRITES } else { 0 };
                if let Some(writes) = self.to_constant(pool, start, &links, most) {
                    let known = found.entry(start).or_insert(writes);
                    *known = writes.max(*known);
                }
            }
        }
        let mut out = Vec::new();
        for (array, writes) in found.into_iter().take(ARRAYS) {
            for cell in cells(pool, array, writes, diff) {
                let value = pool.select(array, cell);
                let constant = pool.const_array(pool.sort_of(array), value);
                for side in &mut self.sides {
                    side.indices.add(cell);
                    for t in [value, constant] {
                        side.note(pool, t);
                    }
                }
                out.push((array, constant, writes));
            }
        }
        out
    }

    /// The writes between a shared array and a constant array that is not shared, through arrays of one side.
    fn to_constant(
        &self,
        pool: &Pool,
        start: TermId,
        links: &FxHashMap<TermId, Vec<(TermId, usize)>>,
        most: usize,
    ) -> Option<usize> {
        let mut best: FxHashMap<TermId, usize> = FxHashMap::default();
        let mut queue = VecDeque::from([(start, 0)]);
        while let Some((t, writes)) = queue.pop_front() {
            if writes > most || best.get(&t).is_some_and(|&b| b <= writes) {
                continue;
            }
            best.insert(t, writes);
            if t != start && self.is_shared(t) {
                continue;
            }
            if pool.op(t) == Op::ConstArray {
                return Some(writes);
            }
            for &(next, cost) in links.get(&t).map_or(&[] as &[_], |l| l) {
                match cost {
                    0 => queue.push_front((next, writes)),
                    _ => queue.push_back((next, writes + cost)),
                }
            }
        }
        None
    }
}

/// Indices of cells of which one is not written by so many writes.
fn cells(pool: &mut Pool, array: TermId, writes: usize, diff: bool) -> Vec<TermId> {
    let sort = pool.sort_of(array);
    let &Sort::Array(index, _) = pool.sort_kind(sort) else {
        return Vec::new();
    };
    let numbers = small_numbers(pool, index, writes);
    if numbers.len() > writes || !diff {
        return numbers;
    }
    let Some(first) = logic::array_diff(pool, array, array) else {
        return Vec::new();
    };
    let mut out = vec![first];
    let value = pool.select(array, first);
    let mut like = pool.const_array(sort, value);
    for _ in 0..writes {
        let Some(next) = logic::array_diff(pool, array, like) else {
            break;
        };
        let value = pool.select(array, next);
        like = pool.store(like, next, value);
        out.push(next);
    }
    out
}
