//! The largest value that a linear form takes under linear bounds, by the simplex method in whole numbers.
//!
//! The bounds say `a_j x <= b_j`. A sum of them with factors `y_j >= 0` that has the form on its left side has an upper
//! bound of the form on its right: the least such sum is sought (the dual problem), so whatever feasible sum the search
//! ends with is a bound that holds.
//!
//! Entries of the tableau are whole numbers over one common denominator (Edmonds, "Systems of distinct representatives and
//! linear algebra", 1967; Bareiss 1968): each division below is exact. Numbers that do not fit end the search without an
//! answer. No library serves: the crates for linear programs compute with floats.

/// One bound: its factors by row, and its right side.
pub(super) struct Column {
    pub factors: Vec<(usize, i128)>,
    pub bound: i128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Largest {
    /// Nothing is known above.
    Unbounded,
    AtMost(i128),
    /// The bounds contradict each other.
    Nothing,
}

/// Steps of one search.
const MOST_PIVOTS: usize = 160;

struct Tableau {
    /// Rows of numbers, then the cost of the first phase. The last column is the right side.
    rows: Vec<Vec<i64>>,
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
    Ray,
    /// Out of steps, or numbers grew too large.
    Lost,
}

/// The largest value of the form `target` (a factor a row) under the bounds, rounded down; and what it cost.
pub(super) fn largest(target: &[i128], columns: &[Column]) -> (Largest, u64) {
    let Some(mut tableau) = Tableau::new(target, columns) else {
        return (Largest::Unbounded, 1);
    };
    let size = (tableau.rows.len() * (columns.len() + target.len())) as u64;
    let answer = tableau.solve();
    (answer, 1 + tableau.pivots as u64 * size / 256)
}

impl Tableau {
    fn new(target: &[i128], columns: &[Column]) -> Option<Self> {
        let (m, n) = (target.len(), columns.len());
        let width = n + m + 1;
        let mut rows = vec![vec![0i64; width]; m + 1];
        let mut cost = vec![0i128; width];
        for (j, column) in columns.iter().enumerate() {
            for &(i, k) in &column.factors {
                rows[i][j] = i64::try_from(k).ok()?;
            }
            cost[j] = column.bound;
        }
        for (i, &t) in target.iter().enumerate() {
            rows[i][width - 1] = i64::try_from(t).ok()?;
            if t < 0 {
                rows[i].iter_mut().for_each(|x| *x = -*x);
            }
            rows[i][n + i] = 1;
            for j in (0..n).chain([width - 1]) {
                rows[m][j] = rows[m][j].checked_sub(rows[i][j])?;
            }
        }
        Some(Tableau {
            rows,
            cost,
            basis: (n..n + m).collect(),
            denominator: 1,
            real: n,
            pivots: 0,
        })
    }

    fn solve(&mut self) -> Largest {
        let last = self.cost.len() - 1;
        let optimal = matches!(self.minimise(Phase::First), End::Optimal);
        if !optimal || self.rows[self.basis.len()][last] != 0 || !self.drop_artificial() {
            return Largest::Unbounded;
        }
        match self.minimise(Phase::Second) {
            End::Optimal => {}
            End::Ray => return Largest::Nothing,
            End::Lost => return Largest::Unbounded,
        }
        // The cost row holds the negated value.
        let value = -self.cost[last];
        Largest::AtMost(value.div_euclid(i128::from(self.denominator)))
    }

    /// Bland's rule: the first column that makes the cost smaller, the first row that bounds it; it does not cycle.
    fn minimise(&mut self, phase: Phase) -> End {
        let last = self.cost.len() - 1;
        loop {
            let count = self.basis.len();
            let enters = match phase {
                Phase::First => (0..self.real).find(|&j| self.rows[count][j] < 0),
                Phase::Second => (0..self.real).find(|&j| self.cost[j] < 0),
            };
            let Some(enters) = enters else {
                return End::Optimal;
            };
            let mut leaves: Option<usize> = None;
            for i in 0..count {
                let factor = self.rows[i][enters];
                if factor <= 0 {
                    continue;
                }
                let Some(best) = leaves else {
                    leaves = Some(i);
                    continue;
                };
                let product = |a: i64, b: i64| i128::from(a) * i128::from(b);
                let mine = product(self.rows[i][last], self.rows[best][enters]);
                let theirs = product(self.rows[best][last], factor);
                if mine < theirs || mine == theirs && self.basis[i] < self.basis[best] {
                    leaves = Some(i);
                }
            }
            let Some(leaves) = leaves else {
                return End::Ray;
            };
            if self.pivots == MOST_PIVOTS || self.pivot(leaves, enters).is_none() {
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
            match (0..self.real).find(|&j| self.rows[i][j] != 0) {
                Some(j) => {
                    if self.rows[i][j] < 0 {
                        // Sound because the right side is zero.
                        self.rows[i].iter_mut().for_each(|x| *x = -*x);
                    }
                    if self.pivot(i, j).is_none() {
                        return false;
                    }
                    i += 1;
                }
                None => {
                    self.rows.remove(i);
                    self.basis.remove(i);
                }
            }
        }
        true
    }

    fn pivot(&mut self, row: usize, column: usize) -> Option<()> {
        self.pivots += 1;
        let pivot = self.rows[row][column];
        let own = std::mem::take(&mut self.rows[row]);
        let same = pivot == self.denominator;
        for (i, other) in self.rows.iter_mut().enumerate() {
            if i == row || same && other[column] == 0 {
                continue;
            }
            let factor = other[column];
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
        self.rows[row] = own;
        self.basis[row] = column;
        self.denominator = pivot;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;

    fn column(factors: &[i128], bound: i128) -> Column {
        let factors = factors.iter().copied().enumerate();
        Column {
            factors: factors.filter(|(_, k)| *k != 0).collect(),
            bound,
        }
    }

    #[test]
    fn small_problems() {
        // x - y <= 0, y - z <= -1, z <= 5.
        let columns = [
            column(&[1, -1, 0], 0),
            column(&[0, 1, -1], -1),
            column(&[0, 0, 1], 5),
        ];
        assert_eq!(largest(&[1, 0, 0], &columns).0, Largest::AtMost(4));
        assert_eq!(largest(&[-1, 0, 0], &columns).0, Largest::Unbounded);
        assert_eq!(largest(&[2, 0, -1], &columns).0, Largest::AtMost(3));
        // x <= 1, -x <= -2.
        let none = [column(&[1], 1), column(&[-1], -2)];
        assert_eq!(largest(&[1], &none).0, Largest::Nothing);
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
                if columns.iter().all(|c| value(&point, &c.factors) <= c.bound) {
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
            match (largest(&target, &columns).0, best) {
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
