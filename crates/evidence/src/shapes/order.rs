//! In which order states are followed: what is in a loop before what comes after it.
//!
//! So that the states of a loop are all there, as few and as general as they get, before anything behind the loop sees
//! one of them.

use base::{FxHashMap, FxHashSet, IndexVec};
use program::analysis::shape::Shape;
use program::{EdgeId, LocId, Program};

/// More locations in loops are not sorted out.
const MOST: usize = 2_000_000;

/// The reachable locations; edges that go backwards in this order go to loop heads.
pub(crate) fn loops_first(
    program: &Program,
    successors: &IndexVec<LocId, Vec<EdgeId>>,
    shape: &Shape,
) -> Vec<LocId> {
    let Some(&entry) = shape.order.first() else {
        return Vec::new();
    };
    let Some(loops) = loops(program, shape) else {
        return shape.order.clone();
    };
    let none = FxHashSet::default();
    let around = |loc: LocId| loops.get(&loc).unwrap_or(&none);
    // What is left first is finished first, and comes last.
    let sorted = |loc: LocId| {
        let mut to: Vec<LocId> = successors[loc]
            .iter()
            .map(|e| program.edges[*e].to)
            .collect();
        to.sort_by_key(|t| around(loc).intersection(around(*t)).count());
        to
    };
    let mut seen: FxHashSet<LocId> = FxHashSet::default();
    let mut post = Vec::new();
    let mut stack = vec![(entry, sorted(entry), 0)];
    seen.insert(entry);
    while let Some((loc, to, next)) = stack.last_mut() {
        match to.get(*next).copied() {
            Some(target) => {
                *next += 1;
                if seen.insert(target) {
                    stack.push((target, sorted(target), 0));
                }
            }
            None => {
                post.push(*loc);
                stack.pop();
            }
        }
    }
    post.reverse();
    post
}

/// The heads of the loops that a location is in.
fn loops(program: &Program, shape: &Shape) -> Option<FxHashMap<LocId, FxHashSet<LocId>>> {
    let mut before: FxHashMap<LocId, Vec<LocId>> = FxHashMap::default();
    for edge in program.edges.iter().filter(|e| shape.is_reachable(e.from)) {
        before.entry(edge.to).or_default().push(edge.from);
    }
    let mut out: FxHashMap<LocId, FxHashSet<LocId>> = FxHashMap::default();
    let mut size = 0;
    for &head in &shape.loop_heads {
        out.entry(head).or_default().insert(head);
        let back = |l: &LocId| shape.position[l] >= shape.position[&head];
        let from = before.get(&head).map_or(&[][..], Vec::as_slice);
        let mut open: Vec<LocId> = from.iter().copied().filter(back).collect();
        while let Some(loc) = open.pop() {
            if out.entry(loc).or_default().insert(head) {
                size += 1;
                if size > MOST {
                    return None;
                }
                open.extend(before.get(&loc).into_iter().flatten());
            }
        }
    }
    Some(out)
}
