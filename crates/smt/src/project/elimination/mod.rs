//! Quantifier elimination by projection: `exists symbols. formula` over the remaining symbols.
//!
//! *Idea.* The formula is taken apart into cubes, but only where an eliminated symbol occurs: parts
//! without one stay whole. In each cube (`cube.rs`) equalities are solved and substituted, stores
//! are turned around, Booleans are dropped, and what is left of linear arithmetic goes through
//! Fourier–Motzkin. The results are joined by `or`.
//!
//! *Exactness.* The result is always implied by the formula (it over-approximates the projection).
//! `exact` says that it is equivalent to the projection. It is not exact where an eliminated symbol
//! stays under an uninterpreted function or a product, and where integer shadows differ from real
//! ones. The universal dual: `forall x. f` is `not eliminate(not f)`, an under-approximation.

mod cube;
#[cfg(test)]
mod tests;

use crate::ticks;
use base::{Budget, FxHashSet};
use logic::{Op, Pool, Sort, SymbolId, TermId};

/// Cubes looked at before giving up.
const CUBES: usize = 600;

/// The result of a projection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Projection {
    pub formula: TermId,
    /// Equivalent to the projection, not only implied by it.
    pub exact: bool,
}

/// Eliminates `symbols` (constants) from `formula` existentially. `None` when the budget or the
/// limit on cubes runs out.
pub fn eliminate(
    pool: &mut Pool,
    formula: TermId,
    symbols: &[SymbolId],
    budget: &Budget,
) -> Option<Projection> {
    let mut eliminated: FxHashSet<TermId> = FxHashSet::default();
    for &s in symbols {
        let data = pool.symbol_data(s);
        if data.args.is_empty() {
            let (name, sort) = (data.name.clone(), data.sort);
            eliminated.insert(pool.constant(&name, sort));
        }
    }
    let mut work = Work {
        eliminated,
        touched: FxHashSet::default(),
        known: FxHashSet::default(),
        exact: true,
    };
    let mut open = vec![Cube {
        pending: vec![(formula, true)],
        facts: Vec::new(),
        rest: Vec::new(),
    }];
    let mut results = Vec::new();
    let mut count = 0;
    while let Some(cube) = open.pop() {
        count += 1;
        if count > CUBES || budget.spend(ticks::CUBE).is_err() {
            return None;
        }
        if let Some(result) = work.step(pool, cube, &mut open) {
            if result == pool.tt() {
                results = vec![result];
                break;
            }
            results.push(result);
        }
    }
    let formula = pool.or(&results);
    let left = pool.symbols_of(&[formula]);
    if symbols.iter().any(|s| left.binary_search(s).is_ok()) {
        return None; // a function symbol was to be eliminated
    }
    Some(Projection {
        formula,
        exact: work.exact,
    })
}

/// `forall symbols. formula`, under-approximated when not exact.
pub fn eliminate_universally(
    pool: &mut Pool,
    formula: TermId,
    symbols: &[SymbolId],
    budget: &Budget,
) -> Option<Projection> {
    let negated = pool.not(formula);
    let p = eliminate(pool, negated, symbols, budget)?;
    Some(Projection {
        formula: pool.not(p.formula),
        exact: p.exact,
    })
}

/// A conjunction under construction.
#[derive(Clone)]
struct Cube {
    /// Formulas with the value they must have, not yet taken apart.
    pending: Vec<(TermId, bool)>,
    /// Literals with an eliminated symbol.
    facts: Vec<(TermId, bool)>,
    /// Formulas without one.
    rest: Vec<TermId>,
}

struct Work {
    /// Constants to eliminate.
    eliminated: FxHashSet<TermId>,
    /// Terms with an eliminated constant; `known` are those looked at.
    touched: FxHashSet<TermId>,
    known: FxHashSet<TermId>,
    exact: bool,
}

impl Work {
    fn touches(&mut self, pool: &Pool, term: TermId) -> bool {
        let mut stack = vec![term];
        while let Some(&t) = stack.last() {
            if self.known.contains(&t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(pool.args(t).iter().filter(|a| !self.known.contains(a)));
            if stack.len() > before {
                continue;
            }
            if self.eliminated.contains(&t) || pool.args(t).iter().any(|a| self.touched.contains(a))
            {
                self.touched.insert(t);
            }
            self.known.insert(t);
            stack.pop();
        }
        self.touched.contains(&term)
    }

    /// Takes a cube apart until it branches (the branches go to `open`) or is a conjunction of
    /// literals, which is projected.
    fn step(&mut self, pool: &mut Pool, mut cube: Cube, open: &mut Vec<Cube>) -> Option<TermId> {
        while let Some((t, value)) = cube.pending.pop() {
            if t == pool.bool_const(value) {
                continue;
            }
            if t == pool.bool_const(!value) {
                return None;
            }
            if !self.touches(pool, t) {
                cube.rest.push(if value { t } else { pool.not(t) });
                continue;
            }
            let args = pool.args(t).to_vec();
            match pool.op(t) {
                Op::Not => cube.pending.push((args[0], !value)),
                Op::And if value => cube.pending.extend(args.iter().map(|&a| (a, true))),
                Op::Or if !value => cube.pending.extend(args.iter().map(|&a| (a, false))),
                Op::And | Op::Or => {
                    // Untouched parts make one branch together.
                    let (touched, rest): (Vec<TermId>, Vec<TermId>) =
                        args.iter().partition(|&&a| self.touches(pool, a));
                    let rest = match value {
                        true => pool.or(&rest),
                        false => pool.and(&rest),
                    };
                    for part in touched.into_iter().chain([rest]) {
                        let mut next = cube.clone();
                        next.pending.push((part, value));
                        open.push(next);
                    }
                    return None;
                }
                Op::Ite => {
                    for (condition, branch) in [(true, args[1]), (false, args[2])] {
                        let mut next = cube.clone();
                        next.pending.push((branch, value));
                        next.pending.push((args[0], condition));
                        open.push(next);
                    }
                    return None;
                }
                Op::Eq if pool.sort_of(args[0]) == pool.bool_sort() => {
                    for left in [true, false] {
                        let mut next = cube.clone();
                        next.pending.push((args[0], left));
                        next.pending.push((args[1], left == value));
                        open.push(next);
                    }
                    return None;
                }
                _ => match self.case_split(pool, t) {
                    Some(cases) => {
                        for (condition, holds, atom) in cases {
                            let mut next = cube.clone();
                            next.pending.push((atom, value));
                            next.pending.push((condition, holds));
                            open.push(next);
                        }
                        return None;
                    }
                    None => cube.facts.push((t, value)),
                },
            }
        }
        self.project_cube(pool, cube, open)
    }

    /// An `ite` term, or a read over a write, inside a touched atom: the atom in either case.
    fn case_split(&mut self, pool: &mut Pool, atom: TermId) -> Option<[(TermId, bool, TermId); 2]> {
        for t in pool.post_order(&[atom]) {
            if !self.touches(pool, t) {
                continue;
            }
            let (condition, yes, no) = match pool.op(t) {
                Op::Ite => {
                    let [c, a, b] = *pool.args(t) else {
                        unreachable!("ite has three arguments")
                    };
                    (c, a, b)
                }
                Op::Select if pool.op(pool.args(t)[0]) == Op::Store => {
                    let [array, index] = *pool.args(t) else {
                        unreachable!("select has two arguments")
                    };
                    let [inner, at, written] = *pool.args(array) else {
                        unreachable!("store has three arguments")
                    };
                    let same = pool.eq(at, index);
                    (same, written, pool.select(inner, index))
                }
                _ => continue,
            };
            let yes = pool.substitute(atom, &[(t, yes)]);
            let no = pool.substitute(atom, &[(t, no)]);
            return Some([(condition, true, yes), (condition, false, no)]);
        }
        None
    }

    /// A new constant that is to be eliminated as well.
    fn fresh(&mut self, pool: &mut Pool, like: TermId) -> Option<TermId> {
        let &Sort::Array(_, element) = pool.sort_kind(pool.sort_of(like)) else {
            return None;
        };
        let t = pool.fresh_constant("before", element);
        self.eliminated.insert(t);
        Some(t)
    }
}
