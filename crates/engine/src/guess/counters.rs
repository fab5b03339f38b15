//! Counters: variables that a statement adds something to, and what it adds.
//!
//! The one reader of `x := x + c`, for all who guess from how variables step: residues of strides,
//! ranges of array indices, templates over counters.

use logic::{Linear, Op, Pool, Rational, TermId};
use program::{Program, Stmt, VarId};

/// What `variable := value` adds to the variable: `value - variable`, if the variable occurs in it with
/// factor one. Machine arithmetic is looked through.
pub fn added(pool: &Pool, variable: TermId, value: TermId) -> Option<Linear> {
    let mut value = value;
    while let Op::Wrap { .. } = pool.op(value) {
        value = pool.args(value)[0];
    }
    if !pool.is_arith(pool.sort_of(value)) {
        return None;
    }
    let mut sum = pool.linear(value);
    let own = |(t, f): &(TermId, Rational)| *t == variable && *f == Rational::ONE;
    let at = sum.terms.iter().position(own)?;
    sum.terms.remove(at);
    Some(sum)
}

/// The constant that `variable := value` adds, if it is one and not zero.
pub fn stride(pool: &Pool, variable: TermId, value: TermId) -> Option<Rational> {
    let sum = added(pool, variable, value)?;
    (sum.terms.is_empty() && !sum.constant.is_zero()).then_some(sum.constant)
}

/// The variables of a program that some statement changes by a constant, each with its different strides
/// in the order of the statements.
pub fn strides<'p>(
    pool: &'p Pool,
    program: &'p Program,
) -> impl Iterator<Item = (VarId, Rational)> + 'p {
    let assignments = program.edges.iter().filter_map(|e| match &e.stmt {
        Stmt::Assign(pairs) => Some(pairs),
        _ => None,
    });
    assignments
        .flatten()
        .filter_map(|&(v, value)| Some((v, stride(pool, program.vars[v].term, value)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stride_is_what_is_added_to_the_variable_itself() {
        let mut pool = Pool::new();
        let int = pool.int_sort();
        let (x, y) = (pool.constant("x", int), pool.constant("y", int));
        let (three, two) = (pool.int(3), pool.int(2));
        let up = pool.add(&[x, three]);
        assert_eq!(stride(&pool, x, up), Some(Rational::from(3)));
        assert_eq!(stride(&pool, y, up), None);
        assert_eq!(stride(&pool, x, x), None, "nothing is added");
        let by_y = pool.add(&[x, y]);
        assert_eq!(stride(&pool, x, by_y), None);
        assert_eq!(added(&pool, x, by_y).map(|l| l.terms.len()), Some(1));
        let twice = pool.mul(&[two, x]);
        assert_eq!(added(&pool, x, twice), None, "the factor is two");
    }
}
