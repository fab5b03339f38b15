//! Projection of one cube: solve equalities, turn stores around, then Fourier–Motzkin.

use super::{Cube, Work};
use logic::{Comparison, Linear, Op, Pool, Rational, Relation, TermId};

/// Rows Fourier–Motzkin may produce for one variable before it is dropped.
const ROWS: usize = 400;

impl Work {
    /// The projection of a conjunction of literals; `None` when it is false or was split further
    /// (the parts are in `open`).
    pub(crate) fn project_cube(
        &mut self,
        pool: &mut Pool,
        mut cube: Cube,
        open: &mut Vec<Cube>,
    ) -> Option<TermId> {
        if let Some(next) = self.solve_equality(pool, &mut cube) {
            open.push(next);
            return None;
        }
        let mut rows: Vec<Comparison> = Vec::new();
        let mut opposite = Vec::new();
        for &(t, value) in &cube.facts {
            if self.eliminated.contains(&t) {
                // A Boolean constant: any value will do, but only one.
                if opposite.contains(&(t, !value)) {
                    return None;
                }
                opposite.push((t, value));
            } else if let Some(f) = Comparison::of(pool, t, value) {
                rows.push(f);
            } else {
                self.exact = false;
            }
        }
        // Nested occurrences are treated as variables of their own: a sound weakening.
        let nested = |work: &Work, t: &TermId| !work.eliminated.contains(t);
        for row in &rows {
            let terms = row.linear.terms.iter().map(|(t, _)| *t);
            for t in terms.collect::<Vec<_>>() {
                if self.touches(pool, t) && nested(self, &t) {
                    self.exact = false;
                }
            }
        }
        while let Some(variable) = self.next_variable(pool, &rows) {
            if let Some(parts) = split_disequality(pool, &rows, variable) {
                // x != t with bounds on both sides: below or above.
                for part in parts {
                    let mut next = cube.clone();
                    next.facts.clear();
                    let kept = cube.facts.iter().filter(|f| opposite.contains(f));
                    next.facts.extend(kept);
                    for f in rows.iter().filter(|f| **f != part.0) {
                        next.pending.push((f.literal(pool), true));
                    }
                    next.pending.push((part.1, true));
                    open.push(next);
                }
                return None;
            }
            self.exact &= eliminate(pool, &mut rows, variable);
        }
        let mut parts = cube.rest;
        for row in &rows {
            parts.push(row.literal(pool));
        }
        let result = pool.and(&parts);
        (result != pool.ff()).then_some(result)
    }

    /// Finds an equality that defines a term with an eliminated symbol, and substitutes it away.
    fn solve_equality(&mut self, pool: &mut Pool, cube: &mut Cube) -> Option<Cube> {
        let mut compound = None;
        for i in 0..cube.facts.len() {
            let (t, value) = cube.facts[i];
            if !value || pool.op(t) != Op::Eq {
                continue;
            }
            let [a, b] = *pool.args(t) else { continue };
            if pool.is_arith(pool.sort_of(a))
                && let Some((x, definition)) = self.solve_linear(pool, cube, i)
            {
                return Some(replace(pool, cube, i, x, definition, None));
            }
            for (x, y) in [(a, b), (b, a)] {
                if self.eliminated.contains(&x) && !occurs(pool, x, y) {
                    return Some(replace(pool, cube, i, x, y, None));
                }
                if let Some(next) = self.turn_store(pool, cube, i, x, y) {
                    return Some(next);
                }
                if !self.touches(pool, y) && self.touches(pool, x) && compound.is_none() {
                    compound = Some((i, x, y));
                }
            }
        }
        // f(x) = t: use t for f(x) elsewhere. What it says about x is lost.
        let (i, x, y) = compound?;
        let used = (0..cube.facts.len()).any(|j| j != i && occurs(pool, x, cube.facts[j].0));
        if !used {
            return None;
        }
        self.exact = false;
        Some(replace(pool, cube, i, x, y, None))
    }

    /// `c * x = rest` for an eliminated x that occurs nowhere else inside a larger term.
    /// Returns x and its definition.
    fn solve_linear(
        &mut self,
        pool: &mut Pool,
        cube: &Cube,
        at: usize,
    ) -> Option<(TermId, TermId)> {
        let f = Comparison::of(pool, cube.facts[at].0, true)?;
        let int = f.sort == pool.int_sort();
        let others: Vec<TermId> = f.linear.terms.iter().map(|t| t.0).collect();
        for (i, (x, c)) in f.linear.terms.iter().enumerate() {
            let unit = !int || c.abs().is_one();
            let alone = others.iter().enumerate();
            let alone = alone
                .filter(|&(j, _)| j != i)
                .all(|(_, &t)| !occurs(pool, *x, t));
            if !self.eliminated.contains(x) || !unit || !alone {
                continue;
            }
            // c * x + rest = 0, x = -rest / c
            let mut rest = f.linear.clone();
            rest.terms.remove(i);
            rest.scale(&-c.recip());
            let definition = pool.from_linear(&rest, f.sort);
            return Some((*x, definition));
        }
        None
    }

    /// `kept = store(old, i, v)` with `old` eliminated: `old` is `store(kept, i, w)` for the
    /// unknown w that stood there before, and `kept` reads v at i.
    fn turn_store(
        &mut self,
        pool: &mut Pool,
        cube: &mut Cube,
        at: usize,
        kept: TermId,
        store: TermId,
    ) -> Option<Cube> {
        if pool.op(store) != Op::Store {
            return None;
        }
        let [old, index, value] = *pool.args(store) else {
            return None;
        };
        let clean = [kept, index, value].iter().all(|&t| !occurs(pool, old, t));
        if !self.eliminated.contains(&old) || !clean {
            return None;
        }
        let before = self.fresh(pool, old)?;
        let definition = pool.store(kept, index, before);
        let read = pool.select(kept, index);
        let reads = pool.eq(read, value);
        Some(replace(pool, cube, at, old, definition, Some(reads)))
    }

    /// The touched term that costs least to eliminate.
    fn next_variable(&mut self, pool: &Pool, rows: &[Comparison]) -> Option<TermId> {
        let mut terms: Vec<TermId> = Vec::new();
        for row in rows {
            terms.extend(row.linear.terms.iter().map(|(t, _)| *t));
        }
        terms.sort_unstable();
        terms.dedup();
        terms.retain(|&t| self.touches(pool, t));
        terms.into_iter().min_by_key(|&t| {
            let signs = rows.iter().map(|r| r.coefficient(t).signum());
            let (mut up, mut low) = (0usize, 0usize);
            signs.for_each(|s| match s {
                1 => up += 1,
                -1 => low += 1,
                _ => {}
            });
            up * low
        })
    }
}

fn occurs(pool: &Pool, part: TermId, whole: TermId) -> bool {
    part == whole || pool.post_order(&[whole]).contains(&part)
}

/// The cube with fact `at` used up: x replaced by its definition everywhere.
fn replace(
    pool: &mut Pool,
    cube: &mut Cube,
    at: usize,
    x: TermId,
    definition: TermId,
    side: Option<TermId>,
) -> Cube {
    cube.facts.remove(at);
    let mut next = cube.clone();
    let mut substitution = logic::Substitution::new([(x, definition)]);
    for (t, value) in std::mem::take(&mut next.facts) {
        let t = substitution.apply(pool, t);
        next.pending.push((t, value));
    }
    if let Some(s) = side {
        let s = substitution.apply(pool, s);
        next.pending.push((s, true));
    }
    next
}

/// A disequality about a variable that is bounded from both sides: the row, and what replaces it in
/// the two cases. An unbounded variable can avoid finitely many values.
fn split_disequality(
    pool: &mut Pool,
    rows: &[Comparison],
    x: TermId,
) -> Option<[(Comparison, TermId); 2]> {
    let mut bounds = [false, false];
    let mut disequality = None;
    for row in rows {
        let c = row.coefficient(x);
        match row.relation {
            _ if c.is_zero() => {}
            Relation::Ne => disequality = Some(row.clone()),
            Relation::Eq => bounds = [true, true],
            _ => bounds[usize::from(c.is_positive())] = true,
        }
    }
    let row = disequality.filter(|_| bounds == [true, true])?;
    let below = Comparison {
        relation: Relation::Lt,
        ..row.clone()
    };
    let mut above = below.clone();
    above.linear.scale(&Rational::MINUS_ONE);
    let (below, above) = (below.literal(pool), above.literal(pool));
    Some([(row.clone(), below), (row, above)])
}

/// Fourier–Motzkin for one variable. Returns whether the result is exact.
fn eliminate(pool: &Pool, rows: &mut Vec<Comparison>, x: TermId) -> bool {
    let (with, mut next): (Vec<Comparison>, Vec<Comparison>) = std::mem::take(rows)
        .into_iter()
        .partition(|r| !r.coefficient(x).is_zero());
    let (mut uppers, mut lowers) = (Vec::new(), Vec::new());
    let mut exact = true;
    for row in with {
        let c = row.coefficient(x);
        match row.relation {
            Relation::Ne => {} // unbounded on one side, see `split_disequality`
            Relation::Eq => {
                let mut mirrored = row.clone();
                mirrored.linear.scale(&Rational::MINUS_ONE);
                // A multiple of x: that it is one is lost over Int.
                exact &= row.sort != pool.int_sort() || c.abs().is_one();
                match c.is_positive() {
                    true => (uppers.push(row), lowers.push(mirrored)),
                    false => (lowers.push(row), uppers.push(mirrored)),
                };
            }
            _ if c.is_positive() => uppers.push(row),
            _ => lowers.push(row),
        }
    }
    if uppers.len() * lowers.len() > ROWS {
        *rows = next;
        return false;
    }
    for up in &uppers {
        for low in &lowers {
            let (c, d) = (up.coefficient(x), -low.coefficient(x));
            // Over Int the real shadow is exact if one coefficient is 1.
            exact &= up.sort != pool.int_sort() || c.is_one() || d.is_one();
            let mut sum: Linear = up.linear.clone();
            sum.scale(&d);
            let linear = sum.add_scaled(&c, &low.linear);
            let strict = up.relation == Relation::Lt || low.relation == Relation::Lt;
            next.push(Comparison {
                linear,
                relation: if strict { Relation::Lt } else { Relation::Le },
                sort: up.sort,
            });
        }
    }
    *rows = next;
    exact
}
