//! Which iteration of which loop an execution is in. A loop is entered when its head is reached from
//! outside its body: the nodes from which a back edge is reached without passing the head.
//!
//! Iterations that run through the same statements as the ones before them tell nothing new: [`alike`] finds those that a
//! reader may skip.

use crate::Row;
use base::{Id, IndexVec};
use program::Span;
use program::{LocId, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Of iterations that are alike, so many are told at the beginning and at the end, if more than as many are between.
const TOLD: (usize, usize, usize) = (2, 1, 2);

/// Iterations of one loop that may be skipped.
#[derive(Debug, PartialEq, Eq)]
pub struct Fold {
    pub rows: Range<usize>,
    /// The first and the last.
    pub iterations: (u64, u64),
}

/// A loop that the rows are in.
struct Open {
    head: Span,
    depth: u32,
    /// Where each iteration begins.
    starts: Vec<usize>,
}

/// The iterations that may be skipped, in order, none inside another.
pub fn alike(rows: &[Row]) -> Vec<Fold> {
    let (mut open, mut folds): (Vec<Open>, Vec<Fold>) = (Vec::new(), Vec::new());
    for (i, row) in rows.iter().enumerate() {
        while open.last().is_some_and(|l| l.depth > row.depth) {
            close(&mut open, rows, &mut folds);
        }
        let Some(count) = row.iteration else { continue };
        let same = |l: &Open| l.depth == row.depth && l.head == row.span;
        if count > 1 && open.iter().any(same) {
            while open.last().is_some_and(|l| !same(l)) {
                close(&mut open, rows, &mut folds);
            }
        } else {
            // The loop begins anew.
            while open.iter().any(same) {
                close(&mut open, rows, &mut folds);
            }
            open.push(Open {
                head: row.span,
                depth: row.depth,
                starts: Vec::new(),
            });
        }
        open.last_mut().expect("a loop is open").starts.push(i);
    }
    while !open.is_empty() {
        close(&mut open, rows, &mut folds);
    }
    // Outer ones first, and what they hold is skipped with them.
    folds.sort_by_key(|f| (f.rows.start, std::cmp::Reverse(f.rows.end)));
    let mut end = 0;
    folds.retain(|f| {
        let kept = f.rows.start >= end;
        end = end.max(f.rows.end);
        kept
    });
    folds
}

/// The innermost loop has ended: finds its runs of iterations through the same statements.
fn close(open: &mut Vec<Open>, rows: &[Row], folds: &mut Vec<Fold>) {
    let Some(Open { starts, .. }) = open.pop() else {
        return;
    };
    // Where the last one ends is not known; it is told.
    let count = starts.len().saturating_sub(1);
    let body = |n: usize| {
        let rows = &rows[starts[n]..starts[n + 1]];
        rows.iter().map(|r| (r.span, r.depth, r.enters))
    };
    let mut first = 0;
    for n in 1..=count {
        if n < count && body(n).eq(body(first)) {
            continue;
        }
        let (before, after, least) = TOLD;
        if n - first > before + after + least {
            let (from, to) = (first + before, n - after);
            folds.push(Fold {
                rows: starts[from]..starts[to],
                iterations: (from as u64 + 1, to as u64),
            });
        }
        first = n;
    }
}

/// The bodies of the loops of a program, by head.
pub struct Loops {
    bodies: BTreeMap<LocId, BTreeSet<LocId>>,
}

impl Loops {
    /// Finds back edges by a depth-first search from each entry.
    pub fn of(program: &Program) -> Loops {
        let mut next: IndexVec<LocId, Vec<LocId>> =
            IndexVec::filled(Vec::new(), program.locations.len());
        let mut before = next.clone();
        for edge in program.edges.iter() {
            next[edge.from].push(edge.to);
            before[edge.to].push(edge.from);
        }
        let mut bodies: BTreeMap<LocId, BTreeSet<LocId>> = BTreeMap::new();
        let mut state = vec![0u8; program.locations.len()];
        for function in program.functions.iter() {
            let mut stack = vec![(function.entry, 0usize)];
            state[function.entry.index()] = 1;
            while let Some((at, tried)) = stack.last_mut() {
                let (here, i) = (*at, *tried);
                *tried += 1;
                match next[here].get(i) {
                    None => {
                        state[here.index()] = 2;
                        stack.pop();
                    }
                    Some(&to) if state[to.index()] == 0 => {
                        state[to.index()] = 1;
                        stack.push((to, 0));
                    }
                    Some(&to) if state[to.index()] == 1 => {
                        extend(bodies.entry(to).or_default(), to, here, &before);
                    }
                    Some(_) => {}
                }
            }
        }
        Loops { bodies }
    }

    /// Is going from `from` to `head` a further iteration?
    pub fn again(&self, from: LocId, head: LocId) -> bool {
        self.bodies.get(&head).is_some_and(|b| b.contains(&from))
    }
}

/// Adds what reaches `source` without passing `head`.
fn extend(
    body: &mut BTreeSet<LocId>,
    head: LocId,
    source: LocId,
    before: &IndexVec<LocId, Vec<LocId>>,
) {
    let mut work = vec![source];
    while let Some(at) = work.pop() {
        if at != head && body.insert(at) {
            work.extend(before[at].iter().copied());
        }
    }
    body.insert(source);
}
