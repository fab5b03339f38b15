//! Names for the elements of a sort without numbers, and formulas that say how many it has.
//!
//! *Idea.* From `const(x) = store(const(y), i, x)` with `x != y` follows that the sort of indices has one element, and if neither x
//! nor y nor i is known to the other side, there is no word for it. But differences of arrays have no symbols of any side: of the arrays
//! of zeros `Z` and of ones `O`,
//!
//! ```text
//!   e0 = array-diff(Z, O)                      any element
//!   e1 = array-diff(Z, store(O, e0, 0))        another, if there is one
//!   e2 = array-diff(Z, store(store(O, e0, 0), e1, 0))  …
//! ```
//! and `Z = store(O, e0, 0)` says that `e0` is the only one.

use super::Work;
use logic::{Pool, Sort, SortId};

impl Work {
    /// Tells both sides of the first elements of a sort, one more than `last`.
    pub(super) fn count(&mut self, pool: &mut Pool, sort: SortId, last: usize) {
        let int = pool.int_sort();
        let arrays = pool.sort(Sort::Array(sort, int));
        let (zero, one) = (pool.int(0), pool.int(1));
        let zeros = pool.const_array(arrays, zero);
        let mut rest = pool.const_array(arrays, one);
        for _ in 0..=last {
            let Some(next) = logic::array_diff(pool, zeros, rest) else {
                return;
            };
            for side in &mut self.sides {
                for t in [zeros, rest] {
                    side.note(pool, t);
                }
                side.indices.add(next);
                side.apart.push([zeros, rest, next]);
                side.compared.insert([zeros.min(rest), zeros.max(rest)]);
            }
            rest = pool.store(rest, next, zero);
        }
    }
}
