//! In which order open nodes are looked at.
//!
//! *Breadth first*, the default: short error paths come first, and when a piece of code is refined, little
//! of what comes after it is there to be grown again. On `n` pieces of code in a row, each with its own
//! predicates, the states made are linear in `n` (`benches/locks.md`); depth first, the tree of all
//! later pieces is there when an earlier one is refined.
//!
//! *Program order* takes the node whose location comes first: loop bodies before what comes after
//! the loop, branches before the place where they meet. Then a state after a join or a loop is
//! looked at once all of them are there, and most are covered at once.

use base::{FxHashMap, FxHashSet};
use program::{BlockGraph, BlockKind, LocId};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// The order of exploration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Traversal {
    /// Loops before what follows them.
    Program,
    /// Newest first.
    DepthFirst,
    /// Oldest first.
    #[default]
    BreadthFirst,
}

/// Open nodes.
pub struct Worklist<N> {
    traversal: Traversal,
    positions: FxHashMap<LocId, u32>,
    queue: VecDeque<N>,
    heap: BinaryHeap<Reverse<(u32, u32, u32, N)>>,
}

impl<N: Ord + Copy> Worklist<N> {
    pub fn new(traversal: Traversal, positions: FxHashMap<LocId, u32>) -> Self {
        Worklist {
            traversal,
            positions,
            queue: VecDeque::new(),
            heap: BinaryHeap::new(),
        }
    }

    /// Adds a node at a location; in program order, those of a lower rank come first, and at one
    /// location those of less depth: refutations of short paths are short.
    pub fn push(&mut self, node: N, loc: LocId, rank: u32, depth: u32) {
        if self.traversal == Traversal::Program {
            let position = self.positions.get(&loc).copied().unwrap_or(0);
            self.heap.push(Reverse((rank, position, depth, node)));
        } else {
            self.queue.push_back(node);
        }
    }

    pub fn pop(&mut self) -> Option<N> {
        match self.traversal {
            Traversal::Program => self.heap.pop().map(|Reverse((_, _, _, node))| node),
            Traversal::DepthFirst => self.queue.pop_back(),
            Traversal::BreadthFirst => self.queue.pop_front(),
        }
    }
}

/// The place of each cut point of a function in program order.
pub fn positions(graph: &BlockGraph, entry: LocId, out: &mut FxHashMap<LocId, u32>) {
    let next = |l: LocId| -> Vec<LocId> {
        let edges = graph.out[l].iter().map(|&b| &graph.blocks[b]);
        edges
            .filter(|b| matches!(b.kind, BlockKind::Transition(_) | BlockKind::Call(_)))
            .map(|b| b.to)
            .collect()
    };
    let plain = walk(entry, &next);
    // How many loops a location is in: what leads out of a loop is walked first, so it comes last.
    let mut before: FxHashMap<LocId, Vec<LocId>> = FxHashMap::default();
    for &l in &plain.order {
        for to in next(l) {
            before.entry(to).or_default().push(l);
        }
    }
    let mut depth: FxHashMap<LocId, u32> = FxHashMap::default();
    for (head, sources) in &plain.back {
        let mut body: FxHashSet<LocId> = FxHashSet::from_iter([*head]);
        let mut work = sources.clone();
        while let Some(l) = work.pop() {
            if body.insert(l) {
                work.extend(before.get(&l).into_iter().flatten());
            }
        }
        for l in body {
            *depth.entry(l).or_default() += 1;
        }
    }
    let inside_last = |l: LocId| -> Vec<LocId> {
        let mut to = next(l);
        to.sort_by_key(|t| depth.get(t).copied().unwrap_or(0));
        to
    };
    let base = out.len() as u32;
    for (i, l) in walk(entry, &inside_last).order.into_iter().enumerate() {
        out.insert(l, base + i as u32);
    }
}

struct Walked {
    /// Reverse post-order.
    order: Vec<LocId>,
    /// The sources of edges back to each loop head, in order of discovery.
    back: Vec<(LocId, Vec<LocId>)>,
}

fn walk(entry: LocId, next: &dyn Fn(LocId) -> Vec<LocId>) -> Walked {
    let mut open: FxHashMap<LocId, bool> = FxHashMap::default();
    let mut order = Vec::new();
    let mut back: Vec<(LocId, Vec<LocId>)> = Vec::new();
    open.insert(entry, true);
    let mut stack = vec![(entry, next(entry), 0)];
    while let Some((loc, to, at)) = stack.last_mut() {
        let Some(&t) = to.get(*at) else {
            open.insert(*loc, false);
            order.push(*loc);
            stack.pop();
            continue;
        };
        *at += 1;
        match open.get(&t) {
            Some(true) => match back.iter_mut().find(|(head, _)| *head == t) {
                Some((_, sources)) => sources.push(*loc),
                None => back.push((t, vec![*loc])),
            },
            Some(false) => {}
            None => {
                open.insert(t, true);
                stack.push((t, next(t), 0));
            }
        }
    }
    order.reverse();
    Walked { order, back }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Two nested loops: 0 → 1; 1 ⇄ 2; 2 ⇄ 3; 1 → 4.
    #[test]
    fn loops_come_before_what_follows_them() {
        let text = "entry main
fn main() {
  locals x: Int
  entry l0
  exit l4
  l0 -> l1: x := 0
  l1 -> l4: assume (= x 9)
  l1 -> l2: assume (< x 9)
  l2 -> l1: x := (+ x 1)
  l2 -> l3: assume (= x 5)
  l3 -> l2: x := (+ x 2)
}
";
        let mut pool = logic::Pool::new();
        let program = program::text::parse(&mut pool, text).unwrap();
        let graph = program::blocks::encode(&mut pool, &program, program::BlockSize::Single);
        let entry = program.functions[program.entry].entry;
        let mut at = FxHashMap::default();
        positions(&graph, entry, &mut at);
        // In the order of the text: 0 → 1, 1 → 4, 1 → 2, 2 → 1, 2 → 3, 3 → 2.
        let ends: Vec<(LocId, LocId)> = program.edges.iter().map(|e| (e.from, e.to)).collect();
        let expected = [ends[0].0, ends[0].1, ends[2].1, ends[4].1, ends[1].1];
        let mut order: Vec<LocId> = at.keys().copied().collect();
        order.sort_by_key(|l| at[l]);
        assert_eq!(order, expected);
    }
}
