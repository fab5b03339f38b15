//! Axioms of operators (placeholder until the full set lands).

use logic::{Op, Pool, Rational, TermId};

pub fn axioms(pool: &mut Pool, term: TermId) -> Vec<TermId> {
    if pool.op(term) != Op::Ite {
        return Vec::new();
    }
    let [c, a, b] = *pool.args(term) else {
        unreachable!()
    };
    let (x, y) = (pool.eq(term, a), pool.eq(term, b));
    let first = pool.implies(c, x);
    vec![first, pool.or2(c, y)]
}

pub fn refine(
    _pool: &mut Pool,
    _terms: &[TermId],
    _value: &dyn Fn(TermId) -> Option<Rational>,
) -> Vec<TermId> {
    Vec::new()
}
