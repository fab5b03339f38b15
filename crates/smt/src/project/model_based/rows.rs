//! Elimination of numbers from rows of linear arithmetic that hold at a point, one constant at a time:
//! by an equation, by the bound that binds most at the point, or by its value.

use crate::project::implicant::Point;
use base::FxHashSet;
use logic::{Comparison, Linear, Pool, Rational, Relation, TermId};

/// A comparison that is true at the point, and no disequality.
type Row = Comparison;

/// The row of an arithmetic literal.
pub(crate) fn row(pool: &Pool, literal: TermId) -> Option<Row> {
    Comparison::read(pool, literal).filter(|row| row.relation != Relation::Ne)
}

/// Eliminates all constants but `kept`; the literals that remain.
pub(crate) fn eliminate(
    pool: &mut Pool,
    point: &mut Point<'_>,
    rows: Vec<Row>,
    kept: &FxHashSet<TermId>,
) -> Option<Vec<TermId>> {
    let mut rows = Rows {
        rows,
        kept,
        side: Vec::new(),
    };
    rows.eliminate_all(pool, point)?;
    let mut out = rows.side;
    for r in &rows.rows {
        out.push(r.literal(pool));
    }
    Some(out)
}

struct Rows<'k> {
    rows: Vec<Row>,
    kept: &'k FxHashSet<TermId>,
    /// Literals without eliminated constants that elimination left behind.
    side: Vec<TermId>,
}

impl Rows<'_> {
    fn open(&self, pool: &Pool, row: &Row) -> Vec<TermId> {
        let terms = row.linear.terms.iter().map(|(t, _)| *t);
        terms
            .filter(|t| pool.as_constant(*t).is_some() && !self.kept.contains(t))
            .collect()
    }

    fn value(&self, pool: &Pool, point: &mut Point<'_>, l: &Linear) -> Option<Rational> {
        let mut sum = l.constant.clone();
        for (t, c) in &l.terms {
            sum = sum.mul_add(c, point.value(pool, *t).as_num()?);
        }
        Some(sum)
    }

    fn eliminate_all(&mut self, pool: &mut Pool, point: &mut Point<'_>) -> Option<()> {
        loop {
            self.rows.retain(|r| !r.linear.terms.is_empty());
            if self.solve(pool) {
                continue;
            }
            let Some(x) = self.next(pool) else {
                return Some(());
            };
            self.eliminate(pool, point, x)?;
        }
    }

    /// Solves an equation for an eliminated constant that has a unit coefficient in it.
    fn solve(&mut self, pool: &Pool) -> bool {
        for at in 0..self.rows.len() {
            let row = &self.rows[at];
            if row.relation != Relation::Eq {
                continue;
            }
            let real = row.sort != pool.int_sort();
            let x = self
                .open(pool, row)
                .into_iter()
                .find(|&x| real || row.coefficient(x).abs().is_one());
            if let Some(x) = x {
                let by = self.rows.swap_remove(at).solved(x);
                self.rows.iter_mut().for_each(|r| r.replace(x, &by));
                return true;
            }
        }
        false
    }

    /// The eliminated constant with the fewest rows.
    fn next(&self, pool: &Pool) -> Option<TermId> {
        let mut count: Vec<(TermId, usize)> = Vec::new();
        for row in &self.rows {
            for x in self.open(pool, row) {
                match count.iter_mut().find(|c| c.0 == x) {
                    Some(c) => c.1 += 1,
                    None => count.push((x, 1)),
                }
            }
        }
        count
            .into_iter()
            .min_by_key(|&(x, n)| (n, x))
            .map(|(x, _)| x)
    }

    fn eliminate(&mut self, pool: &mut Pool, point: &mut Point<'_>, x: TermId) -> Option<()> {
        let (with, without): (Vec<Row>, Vec<Row>) = std::mem::take(&mut self.rows)
            .into_iter()
            .partition(|r| !r.coefficient(x).is_zero());
        self.rows = without;
        if let Some(at) = with.iter().position(|r| r.relation == Relation::Eq) {
            let equation = with[at].clone();
            let mut rest = with;
            rest.swap_remove(at);
            return self.by_multiple(pool, point, x, equation, rest);
        }
        let (uppers, lowers): (Vec<Row>, Vec<Row>) = with
            .into_iter()
            .partition(|r| r.coefficient(x).is_positive());
        if uppers.is_empty() || lowers.is_empty() {
            return Some(());
        }
        if uppers[0].sort != pool.int_sort() {
            return self.between(pool, point, x, uppers, lowers);
        }
        let low = self.tightest(pool, point, x, &lowers, 1)?;
        let high = self.tightest(pool, point, x, &uppers, -1)?;
        let unit = |r: &Row| r.coefficient(x).abs().is_one();
        let use_low = match (unit(&lowers[low]), unit(&uppers[high])) {
            (true, false) => true,
            (false, true) => false,
            _ => lowers.len() <= uppers.len(),
        };
        let (mut rest, mut others) = (lowers, uppers);
        if !use_low {
            std::mem::swap(&mut rest, &mut others);
        }
        let best = rest.swap_remove(if use_low { low } else { high });
        rest.extend(others);
        // c * x <= -t or c * x >= t is tight up to a slack below c: make it an equation.
        let c = best.coefficient(x).abs();
        let t = best.linear.without(x);
        let slack = (-&self.value(pool, point, &t)?).rem_euclid(&c);
        let mut equation = Row {
            relation: Relation::Eq,
            ..best
        };
        equation.linear.constant += &slack;
        self.by_multiple(pool, point, x, equation, rest)
    }

    /// `c * x + t = 0` over Int, or the value at the point if other constants stand in its way.
    fn by_multiple(
        &mut self,
        pool: &mut Pool,
        point: &mut Point<'_>,
        x: TermId,
        equation: Row,
        rest: Vec<Row>,
    ) -> Option<()> {
        let c = equation.coefficient(x);
        let t = equation.linear.without(x);
        let by = equation.solved(x);
        if c.abs().is_one() {
            for mut r in rest {
                r.replace(x, &by);
                self.rows.push(r);
            }
            return Some(());
        }
        let blocked = t
            .terms
            .iter()
            .any(|(y, _)| pool.as_constant(*y).is_some() && !self.kept.contains(y));
        if blocked {
            // The slack may have moved x: its value follows from the others'.
            let value = Linear::constant(self.value(pool, point, &by)?);
            for mut r in rest.into_iter().chain([equation]) {
                r.replace(x, &value);
                self.rows.push(r);
            }
            return Some(());
        }
        let sort = equation.sort;
        let term = pool.from_linear(&t, sort);
        let divisor = pool.num(c.abs(), sort);
        let remainder = pool.modulo(term, divisor);
        let zero = pool.num(Rational::ZERO, sort);
        self.side.push(pool.eq(remainder, zero));
        for mut r in rest {
            // Scaling keeps the coefficients integral: by is t / c.
            r.linear.scale(&c.abs());
            r.replace(x, &by);
            self.rows.push(r);
        }
        Some(())
    }

    /// The bound that binds most at the point (`side` 1: greatest lower, -1: least upper); among
    /// equals one with a unit coefficient.
    fn tightest(
        &self,
        pool: &Pool,
        point: &mut Point<'_>,
        x: TermId,
        rows: &[Row],
        side: i64,
    ) -> Option<usize> {
        let int = rows[0].sort == pool.int_sort();
        let mut best: Option<(Rational, bool, usize)> = None;
        for (at, r) in rows.iter().enumerate() {
            let mut v = self.value(pool, point, &r.solved(x))?;
            if int {
                v = if side > 0 { v.ceil() } else { v.floor() };
            }
            let v = &v * &Rational::from(side);
            // Strict bounds bind more; unit coefficients are preferred among equals.
            let good = match int {
                true => r.coefficient(x).abs().is_one(),
                false => r.relation == Relation::Lt,
            };
            let better = match &best {
                None => true,
                Some((b, g, _)) => v > *b || (v == *b && good && !g),
            };
            if better {
                best = Some((v, good, at));
            }
        }
        best.map(|(_, _, at)| at)
    }

    /// Reals: the middle between the tightest bounds, or a bound that may be reached.
    fn between(
        &mut self,
        pool: &Pool,
        point: &mut Point<'_>,
        x: TermId,
        uppers: Vec<Row>,
        lowers: Vec<Row>,
    ) -> Option<()> {
        let low = self.tightest(pool, point, x, &lowers, 1)?;
        let high = self.tightest(pool, point, x, &uppers, -1)?;
        let (l, h) = (lowers[low].solved(x), uppers[high].solved(x));
        let by = if lowers[low].relation == Relation::Le {
            // Reaches the bound; if an upper bound is strict there, the point lies above it.
            let at_low = self.value(pool, point, &l)?;
            let at_high = self.value(pool, point, &h)?;
            if at_low < at_high || uppers[high].relation == Relation::Le {
                l
            } else {
                return None;
            }
        } else {
            let half = Rational::new(1, 2);
            let mut sum = l.add_scaled(&Rational::ONE, &h);
            sum.scale(&half);
            sum
        };
        for mut r in uppers.into_iter().chain(lowers) {
            r.replace(x, &by);
            self.rows.push(r);
        }
        Some(())
    }
}
