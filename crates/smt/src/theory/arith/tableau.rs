//! The sparse tableau: every basic variable as a linear form of non-basic ones.
//!
//! A row says `den * basic = sum of coeff * var` with integer coefficients, `den > 0`, and only
//! non-basic variables on the right. Integers avoid the gcds of fractions: nearly all rows of
//! program formulas have `den = 1`. Rows and columns point at each other (`Entry::col`, `Cell`),
//! so that removing an entry takes constant time and a pivot touches only the rows of one column.
//!
//! Invariants: `cols[x]` lists exactly the entries of `x`; a basic variable has an empty column.

use super::Var;
use crate::ticks;
use base::IndexVec;
use logic::Rational;

const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub var: Var,
    pub coeff: Rational,
    /// Where `cols[var]` lists this entry.
    col: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub basic: Var,
    pub den: Rational,
    pub entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub row: u32,
    pub pos: u32,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Tableau {
    rows: Vec<Row>,
    cols: IndexVec<Var, Vec<Cell>>,
    row_of: IndexVec<Var, u32>,
    /// Position + 1 of a variable in the row that is being combined, else 0.
    scratch: IndexVec<Var, u32>,
    /// Entries written and not yet counted as work.
    work: u64,
}

/// Greatest common divisor of integers, by machine words when they fit.
pub(crate) fn gcd(a: &Rational, b: &Rational) -> Rational {
    match (a.to_i64(), b.to_i64()) {
        (Some(x), Some(y)) => {
            let (mut x, mut y) = (x.unsigned_abs(), y.unsigned_abs());
            while y != 0 {
                (x, y) = (y, x % y);
            }
            Rational::from(x)
        }
        _ => a.gcd(b),
    }
}

/// `a / b` for integers where `b` divides `a`.
pub(crate) fn div_exact(a: &Rational, b: &Rational) -> Rational {
    match (a.to_i64(), b.to_i64()) {
        (Some(x), Some(y)) if y > 0 => Rational::from(x / y),
        _ => a / b,
    }
}

impl Tableau {
    /// The work since the last call.
    pub fn ticks(&mut self) -> u64 {
        let ticks = self.work / ticks::ENTRIES;
        self.work %= ticks::ENTRIES;
        ticks
    }

    pub fn add_var(&mut self) {
        self.cols.push(Vec::new());
        self.row_of.push(NONE);
        self.scratch.push(0);
    }

    pub fn row_of(&self, var: Var) -> Option<u32> {
        let r = self.row_of[var];
        (r != NONE).then_some(r)
    }

    pub fn row(&self, row: u32) -> &Row {
        &self.rows[row as usize]
    }

    pub fn col(&self, var: Var) -> &[Cell] {
        &self.cols[var]
    }

    pub fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// Adds `basic = sum of definition`; variables of the definition may be basic themselves.
    pub fn add_row(&mut self, basic: Var, definition: &[(Var, Rational)]) -> u32 {
        let row = Row {
            basic,
            den: Rational::ONE,
            entries: Vec::with_capacity(definition.len()),
        };
        let r = self.rows.len() as u32;
        self.rows.push(row);
        self.row_of[basic] = r;
        for (v, c) in definition {
            let q = c * &self.rows[r as usize].den;
            match self.row_of(*v) {
                Some(p) => self.combine(r, p, &q),
                None => {
                    // `v` may have come in with an earlier basic variable.
                    let single = [Entry {
                        var: *v,
                        coeff: q,
                        col: 0,
                    }];
                    self.accumulate(r, &single, &Rational::ONE);
                    self.purge(r);
                }
            }
        }
        r
    }

    /// Makes `entry.var` at `pos` of row `r` basic instead of the row's basic variable.
    pub fn pivot(&mut self, r: u32, pos: usize) {
        let leaving = self.rows[r as usize].basic;
        let entering = self.rows[r as usize].entries[pos].var;
        // den * leaving = a * entering + rest, so a * entering = den * leaving - rest.
        let col_at = self.rows[r as usize].entries[pos].col;
        self.remove_cell(entering, col_at);
        let row = &mut self.rows[r as usize];
        let a = row.entries[pos].coeff.clone();
        let den = std::mem::take(&mut row.den);
        if a.is_positive() {
            for e in &mut row.entries {
                e.coeff = -&e.coeff;
            }
            row.den = a;
            row.entries[pos].coeff = den;
        } else {
            row.den = -a;
            row.entries[pos].coeff = -den;
        }
        row.basic = entering;
        row.entries[pos].var = leaving;
        row.entries[pos].col = self.cols[leaving].len() as u32;
        self.cols[leaving].push(Cell {
            row: r,
            pos: pos as u32,
        });
        self.row_of[leaving] = NONE;
        self.row_of[entering] = r;
        while let Some(&Cell { row: s, pos }) = self.cols[entering].last() {
            let q = self.rows[s as usize].entries[pos as usize].coeff.clone();
            self.remove_entry(s, pos as usize);
            self.combine(s, r, &q);
        }
    }

    /// Adds `q * basic(p)` to the right side of row `r` (given in units of `r`'s denominator).
    fn combine(&mut self, r: u32, p: u32, q: &Rational) {
        let den_p = &self.rows[p as usize].den;
        let (scale, factor) = if den_p.is_one() {
            (Rational::ONE, q.clone())
        } else {
            let g = gcd(q, den_p);
            (div_exact(den_p, &g), div_exact(q, &g))
        };
        if !scale.is_one() {
            let row = &mut self.rows[r as usize];
            for e in &mut row.entries {
                e.coeff = &e.coeff * &scale;
            }
            row.den = &row.den * &scale;
        }
        let other = std::mem::take(&mut self.rows[p as usize].entries);
        self.work += (other.len() + self.rows[r as usize].entries.len()) as u64;
        self.accumulate(r, &other, &factor);
        self.rows[p as usize].entries = other;
        // Only now: removal may renumber entries of row `p`.
        self.purge(r);
        if !self.rows[r as usize].den.is_one() {
            self.normalise(r);
        }
    }

    fn accumulate(&mut self, r: u32, other: &[Entry], factor: &Rational) {
        let row = &mut self.rows[r as usize];
        for (i, e) in row.entries.iter().enumerate() {
            self.scratch[e.var] = i as u32 + 1;
        }
        for e in other {
            let at = self.scratch[e.var];
            if at == 0 {
                let col = &mut self.cols[e.var];
                row.entries.push(Entry {
                    var: e.var,
                    coeff: factor * &e.coeff,
                    col: col.len() as u32,
                });
                col.push(Cell {
                    row: r,
                    pos: row.entries.len() as u32 - 1,
                });
            } else {
                let entry = &mut row.entries[at as usize - 1];
                entry.coeff = entry.coeff.mul_add(factor, &e.coeff);
            }
        }
        for e in &row.entries {
            self.scratch[e.var] = 0;
        }
    }

    /// Removes entries that became zero.
    fn purge(&mut self, r: u32) {
        for i in (0..self.rows[r as usize].entries.len()).rev() {
            if self.rows[r as usize].entries[i].coeff.is_zero() {
                self.remove_entry(r, i);
            }
        }
    }

    fn normalise(&mut self, r: u32) {
        let row = &mut self.rows[r as usize];
        let mut g = row.den.clone();
        for e in &row.entries {
            g = gcd(&g, &e.coeff);
            if g.is_one() {
                return;
            }
        }
        row.den = div_exact(&row.den, &g);
        for e in &mut row.entries {
            e.coeff = div_exact(&e.coeff, &g);
        }
    }

    fn remove_entry(&mut self, r: u32, pos: usize) {
        let entry = self.rows[r as usize].entries.swap_remove(pos);
        if let Some(moved) = self.rows[r as usize].entries.get(pos) {
            self.cols[moved.var][moved.col as usize].pos = pos as u32;
        }
        self.remove_cell(entry.var, entry.col);
    }

    fn remove_cell(&mut self, var: Var, at: u32) {
        let col = &mut self.cols[var];
        col.swap_remove(at as usize);
        if let Some(&Cell { row, pos }) = col.get(at as usize) {
            self.rows[row as usize].entries[pos as usize].col = at;
        }
    }

    /// Panics if rows and columns disagree.
    #[cfg(test)]
    pub fn check_invariants(&self) {
        for row in &self.rows {
            assert!(row.den.is_positive(), "denominators are positive");
            assert!(self.cols[row.basic].is_empty(), "basic columns are empty");
            for e in &row.entries {
                assert!(!e.coeff.is_zero() && e.coeff.is_integer());
                let cell = self.cols[e.var][e.col as usize];
                assert!(self.rows[cell.row as usize].entries[cell.pos as usize].var == e.var);
                assert!(self.row_of[e.var] == NONE, "entries are non-basic");
            }
        }
        let entries: usize = self.rows.iter().map(|r| r.entries.len()).sum();
        let cells: usize = self.cols.iter().map(Vec::len).sum();
        assert_eq!(entries, cells);
    }
}
