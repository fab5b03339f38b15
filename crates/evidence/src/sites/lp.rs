//! The largest value that a linear form takes under linear bounds, by the simplex method in whole numbers.
//!
//! The bounds say `a_j x <= b_j`. A sum of them with factors `y_j >= 0` that has the form on its left side has an upper
//! bound of the form on its right: the least such sum is sought (the dual problem), so whatever feasible sum the search
//! ends with is a bound that holds.
//!
//! Entries of the tableau are whole numbers over one common denominator (Edmonds, "Systems of distinct representatives and
//! linear algebra", 1967; Bareiss 1968): each division below is exact. Numbers that do not fit end the search without an
//! answer. No library serves: the crates for linear programs compute with floats.

use logic::Interval;

/// Bounds on linear forms of numbered names.
pub(super) struct Problem {
    rows: usize,
    /// The factors of all bounds, by row, and where those of each bound end.
    factors: Vec<(usize, i128)>,
    ends: Vec<usize>,
    bounds: Vec<i128>,
}

impl Problem {
    pub fn new(rows: usize) -> Problem {
        Problem {
            rows,
            factors: Vec::new(),
            ends: Vec::new(),
            bounds: Vec::new(),
        }
    }

    /// The form does not exceed the bound.
    fn at_most(&mut self, form: impl Iterator<Item = (usize, i128)>, bound: i128) {
        self.factors.extend(form);
        self.ends.push(self.factors.len());
        self.bounds.push(bound);
    }

    /// The form lies within bounds.
    pub fn within(&mut self, form: impl Iterator<Item = (usize, i128)> + Clone, bounds: Interval) {
        let (low, high) = bounds.ends();
        if let Some(high) = high {
            self.at_most(form.clone(), high);
        }
        if let Some(low) = low {
            self.at_most(form.map(|(i, k)| (i, -k)), -low);
        }
    }

    fn columns(&self) -> impl Iterator<Item = (&[(usize, i128)], i128)> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        let forms = starts.zip(&self.ends).map(|(a, &b)| &self.factors[a..b]);
        forms.zip(self.bounds.iter().copied())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Largest {
    /// Nothing is known above.
    Unbounded,
    AtMost(i128),
    /// The bounds contradict each other.
    Nothing,
}

/// Steps of one search; the first of them take the column that promises most.
const MOST_PIVOTS: usize = 160;
const GREEDY_PIVOTS: usize = 60;
/// Products of numbers below this need no second word.
const HALF: u64 = 1 << 31;

struct Tableau {
    /// Rows of numbers, then the cost of the first phase, one after the other. The last column is the right side.
    cells: Vec<i64>,
    width: usize,
    /// The cost of the second phase: bounds may be large.
    cost: Vec<i128>,
    /// By row: the column that is basic there.
    basis: Vec<usize>,
    denominator: i64,
    /// Columns that are bounds; those after them are artificial.
    real: usize,
    pivots: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    First,
    Second,
}

enum End {
    Optimal,
    /// Small enough.
    Goal,
    Ray,
    /// Out of steps, or numbers grew too large.
    Lost,
}

/// The largest value of the form `target` (a factor a row) under the bounds, rounded down; and what it cost. The search
/// ends early with a number that is not above the goal.
pub(super) fn largest(target: &[i128], problem: &Problem, goal: Option<i128>) -> (Largest, u64) {
    let Some(mut tableau) = Tableau::new(target, problem) else {
        return (Largest::Unbounded, 1);
    };
    let size = tableau.cells.len() as u64;
    let answer = tableau.solve(goal);
    (answer, 1 + tableau.pivots as u64 * size / 256)
}

impl Tableau {
    /// The first sum takes for each number its own bound, where it has one.
    fn new(target: &[i128], problem: &Problem) -> Option<Self> {
        debug_assert_eq!(target.len(), problem.rows);
        let (m, n) = (target.len(), problem.bounds.len());
        let mut own: Vec<Option<usize>> = vec![None; m];
        for (j, (factors, _)) in problem.columns().enumerate() {
            if let [(i, k @ (1 | -1))] = *factors
                && (target[i] == 0 || target[i].signum() == k)
            {
                own[i] = Some(j);
            }
        }
        let artificial = own.iter().filter(|b| b.is_none()).count();
        let width = n + artificial + 1;
        let mut cells = vec![0i64; width * (m + 1)];
        let mut cost = vec![0i128; width];
        for (j, (factors, bound)) in problem.columns().enumerate() {
            for &(i, k) in factors {
                cells[i * width + j] = i64::try_from(k).ok()?;
            }
            cost[j] = bound;
        }
        let (rows, first_phase) = cells.split_at_mut(m * width);
        let mut made = n;
        let mut basis = Vec::with_capacity(m);
        for (i, row) in rows.chunks_mut(width).enumerate() {
            row[width - 1] = i64::try_from(target[i]).ok()?;
            let negative = match own[i] {
                Some(j) => row[j] < 0,
                None => target[i] < 0,
            };
            if negative {
                row.iter_mut().for_each(|x| *x = -*x);
            }
            if let Some(j) = own[i] {
                let bound = problem.bounds[j];
                for (x, y) in cost.iter_mut().zip(&*row).filter(|(_, y)| **y != 0) {
                    *x = x.checked_sub(bound.checked_mul(i128::from(*y))?)?;
                }
                basis.push(j);
                continue;
            }
            for j in (0..n).chain([width - 1]) {
                first_phase[j] = first_phase[j].checked_sub(row[j])?;
            }
            row[made] = 1;
            basis.push(made);
            made += 1;
        }
        Some(Tableau {
            cells,
            width,
            cost,
            basis,
            denominator: 1,
            real: n,
            pivots: 0,
        })
    }

    fn row(&self, row: usize) -> &[i64] {
        &self.cells[row * self.width..(row + 1) * self.width]
    }

    fn solve(&mut self, goal: Option<i128>) -> Largest {
        let last = self.cost.len() - 1;
        if last > self.real {
            let optimal = matches!(self.minimise(Phase::First, None), End::Optimal);
            if !optimal || self.row(self.basis.len())[last] != 0 || !self.drop_artificial() {
                return Largest::Unbounded;
            }
        }
        match self.minimise(Phase::Second, goal) {
            // Sound because every sum on the way is a bound.
            End::Optimal | End::Goal | End::Lost => {}
            End::Ray => return Largest::Nothing,
        }
        // The cost row holds the negated value.
        let value = -self.cost[last];
        Largest::AtMost(value.div_euclid(i128::from(self.denominator)))
    }

    /// The column that comes in next: the one with the least cost; after many steps by Bland's rule the first one that makes the
    /// cost smaller, which does not cycle.
    fn enters(&self, phase: Phase) -> Option<usize> {
        let first_phase = self.row(self.basis.len());
        let cost = |j: usize| match phase {
            Phase::First => i128::from(first_phase[j]),
            Phase::Second => self.cost[j],
        };
        if self.pivots >= GREEDY_PIVOTS {
            return (0..self.real).find(|&j| cost(j) < 0);
        }
        let least = (0..self.real).min_by_key(|&j| cost(j))?;
        (cost(least) < 0).then_some(least)
    }

    fn minimise(&mut self, phase: Phase, goal: Option<i128>) -> End {
        let last = self.cost.len() - 1;
        loop {
            let count = self.basis.len();
            if let Some(goal) = goal
                && (-self.cost[last]).div_euclid(i128::from(self.denominator)) <= goal
            {
                return End::Goal;
            }
            let Some(enters) = self.enters(phase) else {
                return End::Optimal;
            };
            let mut leaves: Option<usize> = None;
            for i in 0..count {
                let factor = self.row(i)[enters];
                if factor <= 0 {
                    continue;
                }
                let Some(best) = leaves else {
                    leaves = Some(i);
                    continue;
                };
                let product = |a: i64, b: i64| i128::from(a) * i128::from(b);
                let mine = product(self.row(i)[last], self.row(best)[enters]);
                let theirs = product(self.row(best)[last], factor);
                if mine < theirs || mine == theirs && self.basis[i] < self.basis[best] {
                    leaves = Some(i);
                }
            }
            let Some(leaves) = leaves else {
                return End::Ray;
            };
            if self.pivots == MOST_PIVOTS {
                return End::Lost;
            }
            let before = (self.cost[last], self.denominator);
            if self.pivot(leaves, enters).is_none() {
                // What was reached before the step holds.
                (self.cost[last], self.denominator) = before;
                return End::Lost;
            }
        }
    }

    /// Artificial columns that are still basic, at zero, go; so do rows that say nothing.
    fn drop_artificial(&mut self) -> bool {
        let mut i = 0;
        while i < self.basis.len() {
            if self.basis[i] < self.real {
                i += 1;
                continue;
            }
            let (width, real) = (self.width, self.real);
            let row = &mut self.cells[i * width..(i + 1) * width];
            match (0..real).find(|&j| row[j] != 0) {
                Some(j) => {
                    if row[j] < 0 {
                        // Sound because the right side is zero.
                        row.iter_mut().for_each(|x| *x = -*x);
                    }
                    if self.pivot(i, j).is_none() {
                        return false;
                    }
                    i += 1;
                }
                None => {
                    self.cells.drain(i * width..(i + 1) * width);
                    self.basis.remove(i);
                }
            }
        }
        true
    }

    fn pivot(&mut self, row: usize, column: usize) -> Option<()> {
        self.pivots += 1;
        let own: Vec<i64> = self.row(row).to_vec();
        let pivot = own[column];
        let same = pivot == self.denominator;
        let small = |x: i64| x.unsigned_abs() < HALF;
        let plain = same && pivot == 1 && own.iter().all(|x| small(*x));
        for (i, other) in self.cells.chunks_mut(self.width).enumerate() {
            if i == row || same && other[column] == 0 {
                continue;
            }
            let factor = other[column];
            if plain && small(factor) && other.iter().all(|x| small(*x)) {
                for (x, y) in other.iter_mut().zip(&own) {
                    *x -= factor * *y;
                }
                continue;
            }
            for (x, y) in other.iter_mut().zip(&own) {
                if same && *y == 0 {
                    continue;
                }
                let kept = i128::from(*x) * i128::from(pivot);
                let value = kept - i128::from(factor) * i128::from(*y);
                // Division of one word is much faster than that of two.
                *x = match (self.denominator, i64::try_from(value)) {
                    (1, value) => value.ok()?,
                    (by, Ok(value)) => value / by,
                    (by, Err(_)) => i64::try_from(value / i128::from(by)).ok()?,
                };
            }
        }
        let factor = self.cost[column];
        if factor != 0 || !same {
            for (x, y) in self.cost.iter_mut().zip(&own) {
                if same && *y == 0 {
                    continue;
                }
                let kept = x.checked_mul(i128::from(pivot))?;
                let taken = factor.checked_mul(i128::from(*y))?;
                let value = kept.checked_sub(taken)?;
                *x = match (self.denominator, i64::try_from(value)) {
                    (1, _) => value,
                    (by, Ok(value)) => i128::from(value / by),
                    (by, Err(_)) => value / i128::from(by),
                };
            }
        }
        self.basis[row] = column;
        self.denominator = pivot;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;

    type Column = (Vec<(usize, i128)>, i128);

    fn column(factors: &[i128], bound: i128) -> Column {
        let factors = factors.iter().copied().enumerate();
        (factors.filter(|(_, k)| *k != 0).collect(), bound)
    }

    fn problem(rows: usize, columns: &[Column]) -> Problem {
        let mut out = Problem::new(rows);
        for (factors, bound) in columns {
            out.at_most(factors.iter().copied(), *bound);
        }
        out
    }

    #[test]
    fn small_problems() {
        // x - y <= 0, y - z <= -1, z <= 5.
        let columns = [
            column(&[1, -1, 0], 0),
            column(&[0, 1, -1], -1),
            column(&[0, 0, 1], 5),
        ];
        let chain = problem(3, &columns);
        assert_eq!(largest(&[1, 0, 0], &chain, None).0, Largest::AtMost(4));
        assert_eq!(largest(&[-1, 0, 0], &chain, None).0, Largest::Unbounded);
        assert_eq!(largest(&[2, 0, -1], &chain, None).0, Largest::AtMost(3));
        // x <= 1, -x <= -2.
        let none = problem(1, &[column(&[1], 1), column(&[-1], -2)]);
        assert_eq!(largest(&[1], &none, None).0, Largest::Nothing);
    }

    /// The bound holds for all points that the columns allow, and where all is bounded it is nearly reached.
    #[test]
    fn bounds_hold_in_random_boxes() {
        let mut random = Random::new(11);
        let (mut sharp, mut empty) = (0, 0);
        for _ in 0..2_000 {
            let rows = 2 + random.below(2) as usize;
            let mut columns = Vec::new();
            for i in 0..rows {
                let mut unit = vec![0; rows];
                unit[i] = 1;
                columns.push(column(&unit, 4));
                unit[i] = -1;
                columns.push(column(&unit, 4));
            }
            let factors = |random: &mut Random| -> Vec<i128> {
                (0..rows)
                    .map(|_| i128::from(random.between(-3, 3)))
                    .collect()
            };
            for _ in 0..random.below(5) {
                let line = factors(&mut random);
                columns.push(column(&line, i128::from(random.between(-6, 6))));
            }
            let target = factors(&mut random);
            let value = |x: &[i128], f: &[(usize, i128)]| -> i128 {
                f.iter().map(|&(i, k)| x[i] * k).sum()
            };
            let mut best: Option<i128> = None;
            let mut point = vec![-4i128; rows];
            'points: loop {
                if columns.iter().all(|c| value(&point, &c.0) <= c.1) {
                    let here: i128 = point.iter().zip(&target).map(|(x, k)| x * k).sum();
                    best = Some(best.map_or(here, |b| b.max(here)));
                }
                for x in &mut point {
                    *x += 1;
                    if *x <= 4 {
                        continue 'points;
                    }
                    *x = -4;
                }
                break;
            }
            let problem = problem(rows, &columns);
            match (largest(&target, &problem, None).0, best) {
                (Largest::AtMost(bound), Some(best)) => {
                    assert!(best <= bound, "{best} {bound}");
                    sharp += u32::from(best == bound);
                }
                (Largest::Nothing, best) => {
                    assert_eq!(best, None);
                    empty += 1;
                }
                (Largest::Unbounded, _) => panic!("all is bounded"),
                (Largest::AtMost(_), None) => {}
            }
        }
        assert!(sharp > 1_000 && empty > 50, "{sharp} {empty}");
    }
}
