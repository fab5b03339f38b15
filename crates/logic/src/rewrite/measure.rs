//! How simple a term is, to choose between interpolants.

use crate::{Op, Pool, TermId};
use base::FxHashSet;

/// Smaller is simpler. The order of the fields is the order of importance: few variables, few
/// numerals that are not 0 or 1, few atoms, few operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Measure {
    /// Distinct declared symbols.
    pub variables: usize,
    /// Distinct numerals other than 0, 1, -1.
    pub numerals: usize,
    /// Distinct atoms of the Boolean structure.
    pub atoms: usize,
    /// Distinct subterms.
    pub size: usize,
}

impl Measure {
    pub fn of(pool: &Pool, term: TermId) -> Self {
        let mut out = Measure::default();
        let mut symbols = FxHashSet::default();
        for t in pool.post_order(&[term]) {
            out.size += 1;
            match pool.op(t) {
                Op::App(s) => {
                    if symbols.insert(s) {
                        out.variables += 1;
                    }
                    out.atoms += usize::from(pool.sort_of(t) == pool.bool_sort());
                }
                Op::Num(n) => {
                    let n = pool.number(n).abs();
                    out.numerals += usize::from(!n.is_zero() && !n.is_one());
                }
                Op::Le | Op::Eq => out.atoms += 1,
                _ => {}
            }
        }
        out
    }
}
