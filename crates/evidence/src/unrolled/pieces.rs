//! Reads of tables of numbers: a few linear pieces in place of many writes.
//!
//! ```text
//!   lower[256] = { 0, 1, ..., 'a', ..., 255 }:   lower[c] is (ite (<= c 64) c (ite (<= c 90) (+ c 32) c))
//! ```
//! Sound because the index is within its bounds, and at each index within them the last write is of the number that
//! the piece has there.

use super::bounds::Bounds;
use logic::{Interval, Op, Pool, TermId};

/// Longer tables, and those of more pieces, stay what they are.
const MOST_ENTRIES: i128 = 1024;
const MOST_PIECES: usize = 8;
const MOST_STORES: usize = 4096;

/// A stretch of a table: its last index, and its value or how much more than the index that is.
struct Piece {
    last: i128,
    value: Option<i128>,
    more: Option<i128>,
}

impl Bounds {
    /// What an array holds at an index, if it holds numbers wherever the index may be.
    pub fn from_table(&mut self, pool: &mut Pool, array: TermId, index: TermId) -> Option<TermId> {
        let range = self.of(pool, index);
        if !range.has_low() || !range.has_high() || range.high - range.low >= MOST_ENTRIES {
            return None;
        }
        let entries = self.entries(pool, array, index, range)?;
        let pieces = pieces(&entries, range.low)?;
        let mut made = None;
        for piece in pieces.iter().rev() {
            let here = match (piece.value, piece.more) {
                (Some(value), _) => pool.int(value),
                (None, more) => {
                    let more = pool.int(more?);
                    pool.add2(index, more)
                }
            };
            made = Some(match made {
                None => here,
                Some(rest) => {
                    let last = pool.int(piece.last);
                    let inside = pool.le(index, last);
                    pool.ite(inside, here, rest)
                }
            });
        }
        let made = made?;
        let (low, high) = (*entries.iter().min()?, *entries.iter().max()?);
        if pool.as_number(made).is_none() {
            let known = self.of(pool, made).meet(&Interval { low, high });
            self.insert(made, known);
        }
        Some(made)
    }

    /// The numbers at the indices of the range.
    fn entries(
        &mut self,
        pool: &mut Pool,
        mut array: TermId,
        index: TermId,
        range: Interval,
    ) -> Option<Vec<i128>> {
        let count = usize::try_from(range.high - range.low + 1).ok()?;
        let mut found: Vec<Option<i128>> = vec![None; count];
        let mut missing = count;
        for _ in 0..MOST_STORES {
            if missing == 0 {
                break;
            }
            match (pool.op(array), pool.args(array)) {
                (Op::Store, &[inner, at, value]) => {
                    match self.of(pool, at).as_single() {
                        Some(at) if range.contains(at) => {
                            let place = usize::try_from(at - range.low).ok()?;
                            if found[place].is_none() {
                                pool.as_number(value)?;
                                found[place] = Some(self.of(pool, value).as_single()?);
                                missing -= 1;
                            }
                        }
                        Some(_) => {}
                        None if self.apart(pool, at, index) => {}
                        None => return None,
                    }
                    array = inner;
                }
                (Op::ConstArray, &[value]) => {
                    pool.as_number(value)?;
                    let value = self.of(pool, value).as_single()?;
                    found.iter_mut().for_each(|f| *f = f.or(Some(value)));
                    missing = 0;
                }
                _ => return None,
            }
        }
        found.into_iter().collect()
    }
}

fn pieces(entries: &[i128], first: i128) -> Option<Vec<Piece>> {
    let mut out: Vec<Piece> = Vec::new();
    for (at, &value) in (first..).zip(entries) {
        let more = value.checked_sub(at)?;
        if let Some(piece) = out.last_mut() {
            let same = piece.value.filter(|v| *v == value);
            let along = piece.more.filter(|m| *m == more);
            if same.is_some() || along.is_some() {
                (piece.last, piece.value, piece.more) = (at, same, along);
                continue;
            }
        }
        if out.len() == MOST_PIECES {
            return None;
        }
        out.push(Piece {
            last: at,
            value: Some(value),
            more: Some(more),
        });
    }
    Some(out)
}
