//! Model-based projection: from literals that hold at a point, literals over some constants only
//! that hold at the point and imply `exists others. literals`.
//!
//! *Idea.* Replacing an eliminated constant by any term over the rest strengthens the formula; the
//! point says which term keeps it true there. Equations are solved; of several lower bounds the one
//! that is greatest at the point is the value (Loos and Weispfenning); multiples leave a
//! divisibility behind. What has no such term (products, array arguments) gets its value at the point.
//!
//! // Sound because each step is such a strengthening; nothing is dropped except bounds of a constant
//! // that has them on one side only.

use super::implicant::{Point, implicant, value_term};
use logic::{
    FxHashMap, FxHashSet, Linear, Op, Pool, Rational, Sort, SortId, Substitution, TermId, Value,
};

/// Projects onto `kept`. `None` if the literals do not hold at the point.
pub fn project(
    pool: &mut Pool,
    point: &mut Point<'_>,
    literals: Vec<TermId>,
    kept: &FxHashSet<TermId>,
) -> Option<Vec<TermId>> {
    let mut work = Work {
        kept,
        touched: FxHashMap::default(),
        literals,
    };
    while let Some(next) = work.solve_plain(pool) {
        work.literals = implicant(pool, point, &next)?;
    }
    while let Some(next) = work.flatten(pool, point) {
        work.literals = implicant(pool, point, &next)?;
    }
    let mut rows = Vec::new();
    let mut out = Vec::new();
    for t in std::mem::take(&mut work.literals) {
        match row(pool, t) {
            Some(r) if work.touches(pool, t) => rows.push(r),
            _ if !work.touches(pool, t) => out.push(t),
            // A Boolean constant: it has this value, and nobody else asks.
            _ => {}
        }
    }
    let mut rows = Rows {
        rows,
        kept,
        side: Vec::new(),
    };
    rows.eliminate_all(pool, point)?;
    out.append(&mut rows.side);
    for r in &rows.rows {
        out.push(r.literal(pool));
    }
    out.retain(|&t| t != pool.tt());
    out.sort_unstable();
    out.dedup();
    (!out.contains(&pool.ff())).then_some(out)
}

struct Work<'k> {
    kept: &'k FxHashSet<TermId>,
    touched: FxHashMap<TermId, bool>,
    literals: Vec<TermId>,
}

impl Work<'_> {
    /// Does an eliminated constant occur in the term?
    fn touches(&mut self, pool: &Pool, term: TermId) -> bool {
        if let Some(&known) = self.touched.get(&term) {
            return known;
        }
        for t in pool.post_order(&[term]) {
            let here = match pool.op(t) {
                Op::App(_) if pool.args(t).is_empty() => !self.kept.contains(&t),
                _ => pool.args(t).iter().any(|a| self.touched[a]),
            };
            self.touched.insert(t, here);
        }
        self.touched[&term]
    }

    fn is_eliminated(&self, pool: &Pool, t: TermId) -> bool {
        pool.as_constant(t).is_some() && !self.kept.contains(&t)
    }

    fn substituted(&self, pool: &mut Pool, pairs: Vec<(TermId, TermId)>) -> Vec<TermId> {
        let mut map = Substitution::new(pairs);
        self.literals.iter().map(|&t| map.apply(pool, t)).collect()
    }

    /// Uses an equation `x = t` of arrays or uninterpreted elements.
    fn solve_plain(&mut self, pool: &mut Pool) -> Option<Vec<TermId>> {
        for &t in &self.literals {
            if pool.op(t) != Op::Eq {
                continue;
            }
            let [a, b] = *pool.args(t) else { continue };
            if pool.is_arith(pool.sort_of(a)) {
                continue;
            }
            for (x, y) in [(a, b), (b, a)] {
                if self.is_eliminated(pool, x) && !pool.post_order(&[y]).contains(&x) {
                    return Some(self.substituted(pool, vec![(x, y)]));
                }
            }
        }
        None
    }

    /// Takes one compound term with eliminated constants out of the literals.
    fn flatten(&mut self, pool: &mut Pool, point: &mut Point<'_>) -> Option<Vec<TermId>> {
        let literals = self.literals.clone();
        for t in pool.post_order(&literals) {
            if !self.touches(pool, t) || pool.as_constant(t).is_some() {
                continue;
            }
            let args = pool.args(t).to_vec();
            match pool.op(t) {
                Op::Add | Op::Not | Op::Le => {}
                Op::Eq if pool.is_arith(pool.sort_of(args[0])) => {}
                Op::Mul if pool.as_number(args[0]).is_some() => {}
                Op::IntDiv | Op::Mod | Op::CDiv | Op::CRem | Op::Wrap { .. } => {
                    if let Some((term, side)) = unfold(pool, point, t) {
                        let mut next = self.substituted(pool, vec![(t, term)]);
                        next.extend(side);
                        return Some(next);
                    }
                    return Some(self.fix(pool, point, t));
                }
                Op::Select if self.is_eliminated(pool, args[0]) => {
                    return Some(self.reads(pool, point, args[0]));
                }
                _ => return Some(self.fix(pool, point, t)),
            }
        }
        None
    }

    /// Gives the eliminated constants of a term their values at the point.
    fn fix(&mut self, pool: &mut Pool, point: &mut Point<'_>, term: TermId) -> Vec<TermId> {
        let mut pairs = Vec::new();
        for x in pool.post_order(&[term]) {
            if self.is_eliminated(pool, x) {
                let value = point.value(pool, x);
                let sort = pool.sort_of(x);
                // Elements of uninterpreted sorts have no name: say nothing, the literal goes.
                if let Some(v) = value_term(pool, &value, sort) {
                    pairs.push((x, v));
                }
            }
        }
        if pairs.is_empty() {
            let ff = pool.ff();
            return vec![ff];
        }
        self.substituted(pool, pairs)
    }

    /// Turns the reads of an eliminated array into constants, one for each index that the point has.
    fn reads(&mut self, pool: &mut Pool, point: &mut Point<'_>, array: TermId) -> Vec<TermId> {
        let mut classes: Vec<(Value, TermId, TermId)> = Vec::new();
        let mut pairs = Vec::new();
        let mut side = Vec::new();
        for t in pool.post_order(&self.literals) {
            if !pool.args(t).contains(&array) {
                continue;
            }
            let is_read = pool.op(t) == Op::Select && pool.args(t)[0] == array;
            let index = *pool.args(t).last().expect("it has the array");
            if !is_read || pool.post_order(&[index]).contains(&array) {
                return self.fix(pool, point, array);
            }
            let at = point.value(pool, index);
            let known = classes.iter().find(|c| c.0 == at);
            let stands = match known {
                Some(&(_, other, stands)) => {
                    side.push(pool.eq(index, other));
                    stands
                }
                None => {
                    let sort = pool.sort_of(t);
                    let value = point.value(pool, t);
                    let stands = pool.fresh_constant("read", sort);
                    point.set(stands, value);
                    for &(_, other, _) in &classes {
                        let same = pool.eq(index, other);
                        side.push(pool.not(same));
                    }
                    classes.push((at, index, stands));
                    stands
                }
            };
            pairs.push((t, stands));
        }
        let mut next = self.substituted(pool, pairs);
        next.extend(side);
        next
    }
}

/// A division, remainder or wrapping as a linear term, under side conditions that hold at the point.
fn unfold(pool: &mut Pool, point: &mut Point<'_>, t: TermId) -> Option<(TermId, Vec<TermId>)> {
    let args = pool.args(t).to_vec();
    let a = args[0];
    let value = |point: &mut Point<'_>, pool: &Pool, t| point.value(pool, t).as_num().cloned();
    if let Op::Wrap { bits, signed } = pool.op(t) {
        let modulus = Rational::power_of_two(bits as usize);
        let before = value(point, pool, a)?;
        let after = value(point, pool, t)?;
        let shift = pool.int(&after - &before);
        let term = pool.add2(a, shift);
        let (low, high) = match signed {
            false => (Rational::ZERO, &modulus - &Rational::ONE),
            true => {
                let half = Rational::power_of_two(bits as usize - 1);
                (-&half, &half - &Rational::ONE)
            }
        };
        let range = pool.in_range(&low, term, &high);
        return Some((term, vec![range]));
    }
    let k = pool.as_number(args[1])?.clone();
    if !k.is_positive() {
        return None;
    }
    let zero = pool.int(0);
    let mut side = Vec::new();
    let mut negative = false;
    if matches!(pool.op(t), Op::CDiv | Op::CRem) {
        negative = value(point, pool, a)?.is_negative();
        side.push(if negative {
            pool.le(a, zero)
        } else {
            pool.le(zero, a)
        });
    }
    let magnitude = if negative { pool.neg(a) } else { a };
    let quotient_value = value(point, pool, magnitude)?.div_euclid(&k);
    let q = pool.fresh_constant("quotient", pool.int_sort());
    point.set(q, Value::Num(quotient_value));
    let multiple = pool.mul_const(&k, q);
    let rest = pool.sub(magnitude, multiple);
    side.push(pool.in_range(&Rational::ZERO, rest, &(&k - &Rational::ONE)));
    let term = match pool.op(t) {
        Op::IntDiv | Op::CDiv => q,
        _ => rest,
    };
    let term = if negative { pool.neg(term) } else { term };
    Some((term, side))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Le,
    Lt,
    Eq,
}

/// `linear (relation) 0`.
#[derive(Clone, Debug)]
struct Row {
    linear: Linear,
    relation: Relation,
    sort: SortId,
}

fn row(pool: &Pool, literal: TermId) -> Option<Row> {
    let (atom, value) = match pool.op(literal) {
        Op::Not => (pool.args(literal)[0], false),
        _ => (literal, true),
    };
    let op = pool.op(atom);
    if !matches!(op, Op::Le | Op::Eq) || (op == Op::Eq && !value) {
        return None;
    }
    let [a, b] = *pool.args(atom) else {
        return None;
    };
    let sort = pool.sort_of(a);
    if !matches!(pool.sort_kind(sort), Sort::Int | Sort::Real) {
        return None;
    }
    let (l, r) = (pool.linear(a), pool.linear(b));
    let minus = Rational::MINUS_ONE;
    let (mut linear, mut relation) = match (op, value) {
        (Op::Eq, _) => (l.add_scaled(&minus, &r), Relation::Eq),
        (_, true) => (l.add_scaled(&minus, &r), Relation::Le),
        (_, false) => (r.add_scaled(&minus, &l), Relation::Lt),
    };
    if relation == Relation::Lt && sort == pool.int_sort() {
        linear.constant += &Rational::ONE;
        relation = Relation::Le;
    }
    Some(Row {
        linear,
        relation,
        sort,
    })
}

impl Row {
    fn coefficient(&self, x: TermId) -> Rational {
        match self.linear.terms.binary_search_by_key(&x, |p| p.0) {
            Ok(i) => self.linear.terms[i].1.clone(),
            Err(_) => Rational::ZERO,
        }
    }

    fn literal(&self, pool: &mut Pool) -> TermId {
        let mut linear = self.linear.clone();
        match self.relation {
            Relation::Le => pool.le_zero(linear, self.sort),
            Relation::Eq => pool.eq_zero(linear, self.sort),
            Relation::Lt => {
                linear.scale(&Rational::MINUS_ONE);
                let le = pool.le_zero(linear, self.sort);
                pool.not(le)
            }
        }
    }

    /// The term that a bound or equation gives for x: `-(rest) / c`.
    fn solved(&self, x: TermId) -> Linear {
        let c = self.coefficient(x);
        let mut rest = self.linear.clone();
        rest.terms.retain(|(t, _)| *t != x);
        rest.scale(&-c.recip());
        rest
    }

    /// Replaces x by a linear form.
    fn replace(&mut self, x: TermId, by: &Linear) {
        let c = self.coefficient(x);
        if c.is_zero() {
            return;
        }
        self.linear.terms.retain(|(t, _)| *t != x);
        self.linear = self.linear.add_scaled(&c, by);
    }
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
        let mut t = best.linear.clone();
        t.terms.retain(|(y, _)| *y != x);
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
        let mut t = equation.linear.clone();
        t.terms.retain(|(y, _)| *y != x);
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
