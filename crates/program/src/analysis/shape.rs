//! The shape of one function: reachable locations in reverse post-order, and loop heads.
//!
//! Loop heads are the targets of back edges of a depth-first search from the entry. Every cycle of
//! reachable locations holds one, also in irreducible graphs: the edge into the location of the
//! cycle that the search entered first comes from below it in the search tree.

use crate::{EdgeId, FuncId, LocId, Program, Stmt};
use base::{FxHashMap, IndexVec};
use std::collections::BTreeSet;

/// Reachable part of a function's automaton.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Reachable locations. Edges that go backwards in this order go to loop heads.
    pub order: Vec<LocId>,
    /// Place of each location in `order`.
    pub position: FxHashMap<LocId, u32>,
    /// Targets of back edges, sorted.
    pub loop_heads: Vec<LocId>,
}

impl Shape {
    pub fn is_reachable(&self, loc: LocId) -> bool {
        self.position.contains_key(&loc)
    }
}

/// Depth-first search from `start` along `successors` (of the whole program).
pub fn shape(program: &Program, successors: &IndexVec<LocId, Vec<EdgeId>>, start: LocId) -> Shape {
    let mut open: FxHashMap<LocId, bool> = FxHashMap::default();
    let mut heads = BTreeSet::new();
    let mut post = Vec::new();
    let mut stack = vec![(start, 0)];
    open.insert(start, true);
    while let Some((loc, next)) = stack.last_mut() {
        let loc = *loc;
        if let Some(&edge) = successors[loc].get(*next) {
            *next += 1;
            let to = program.edges[edge].to;
            match open.get(&to) {
                Some(true) => {
                    heads.insert(to);
                }
                Some(false) => {}
                None => {
                    open.insert(to, true);
                    stack.push((to, 0));
                }
            }
        } else {
            open.insert(loc, false);
            post.push(loc);
            stack.pop();
        }
    }
    post.reverse();
    Shape {
        position: post
            .iter()
            .enumerate()
            .map(|(i, &l)| (l, i as u32))
            .collect(),
        order: post,
        loop_heads: heads.into_iter().collect(),
    }
}

/// The functions that execution from the entry may enter, with their shapes, in order of id.
pub fn reachable_functions(
    program: &Program,
    successors: &IndexVec<LocId, Vec<EdgeId>>,
) -> Vec<(FuncId, Shape)> {
    let mut found = vec![program.entry];
    let mut seen = BTreeSet::from([program.entry]);
    let mut out = Vec::new();
    while let Some(func) = found.pop() {
        let shape = shape(program, successors, program.functions[func].entry);
        for &loc in &shape.order {
            for &edge in &successors[loc] {
                if let Stmt::Call { callee, .. } = &program.edges[edge].stmt
                    && seen.insert(*callee)
                {
                    found.push(*callee);
                }
            }
        }
        out.push((func, shape));
    }
    out.sort_by_key(|(f, _)| *f);
    out
}
