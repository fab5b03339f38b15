//! From a program to its block graph: cut points, then one transition formula per pair of cut
//! points with a loop-free region between them (ULTIMATE §4.2; Beyer et al., FMCAD 2009).
//!
//! Where we differ from the paper: instead of composing and joining edges until nothing changes,
//! each region is walked once in topological order (see `region.rs`), so the size of a formula is
//! linear in the region. Liveness drops variables that nobody reads after the block.

use super::region::{Region, Walk};
use super::{Block, BlockGraph, BlockId, BlockKind, BlockSize};
use crate::analysis::liveness::liveness;
use crate::analysis::modref::modref;
use crate::analysis::reads::VarsOf;
use crate::analysis::shape::{Shape, reachable_functions, shape};
use crate::{EdgeId, FuncId, LocId, Program, Stmt};
use base::{FxHashSet, IndexVec};
use logic::Pool;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// Program edges that all blocks from one cut point may span together before more cuts are made,
/// and the least number of inner locations where that is worth it (few in tests).
const REGION_LIMIT: usize = if cfg!(test) { 20 } else { 20_000 };
const REGION_INNER: usize = if cfg!(test) { 3 } else { 16 };

/// The block graph of all functions that execution may enter.
pub fn encode(pool: &mut Pool, program: &Program, size: BlockSize) -> BlockGraph {
    encode_with_heads(pool, program, size, &[])
}

/// The same, with these locations treated as loop heads too.
pub fn encode_with_heads(
    pool: &mut Pool,
    program: &Program,
    size: BlockSize,
    heads: &[LocId],
) -> BlockGraph {
    let successors = program.successors();
    let mut functions = reachable_functions(program, &successors);
    for (_, shape) in &mut functions {
        let here = heads.iter().filter(|h| shape.is_reachable(**h));
        let all: BTreeSet<LocId> = shape.loop_heads.iter().chain(here).copied().collect();
        shape.loop_heads = all.into_iter().collect();
    }
    encode_functions(pool, program, size, functions, &FxHashSet::default())
}

/// The block graph of every function, called or not. Blocks of single statements do not end at the locations `inside`,
/// between two edges that are one statement.
pub fn encode_all(
    pool: &mut Pool,
    program: &Program,
    size: BlockSize,
    inside: &FxHashSet<LocId>,
) -> BlockGraph {
    let successors = program.successors();
    let functions = program.functions.iter_enumerated();
    let functions = functions
        .map(|(id, f)| (id, shape(program, &successors, f.entry)))
        .collect();
    encode_functions(pool, program, size, functions, inside)
}

fn encode_functions(
    pool: &mut Pool,
    program: &Program,
    size: BlockSize,
    functions: Vec<(FuncId, Shape)>,
    inside: &FxHashSet<LocId>,
) -> BlockGraph {
    let successors = program.successors();
    let effects = modref(pool, program);
    let mut vars_of = VarsOf::new(program);
    let mut graph = BlockGraph {
        blocks: IndexVec::new(),
        out: IndexVec::filled(Vec::new(), program.locations.len()),
        nodes: Vec::new(),
        loop_heads: Vec::new(),
    };
    for (func, shape) in functions {
        let live = liveness(
            pool,
            program,
            func,
            &shape,
            &successors,
            &mut vars_of,
            &effects,
        );
        let mut cuts = cut_points(program, &successors, func, &shape, size);
        if size.is_path() {
            cuts.retain(|l| !inside.contains(l));
        }
        let mut walk = Walk {
            program,
            successors: &successors,
            shape: &shape,
            cuts: &cuts,
            live: &live,
            vars_of: &mut vars_of,
        };
        for &from in &shape.order {
            if !cuts.contains(&from) {
                continue;
            }
            let mut transitions = Vec::new();
            match size {
                BlockSize::Large | BlockSize::Joins => {
                    transitions =
                        Region::new(pool, &mut walk, from).blocks(pool, &successors[from]);
                }
                BlockSize::Single | BlockSize::Basic => {
                    for edge in &successors[from] {
                        let region = Region::new(pool, &mut walk, from);
                        transitions.extend(region.blocks(pool, std::slice::from_ref(edge)));
                    }
                }
            }
            for (to, transition) in transitions {
                push(&mut graph, from, to, BlockKind::Transition(transition));
            }
            for &edge in &successors[from] {
                if matches!(program.edges[edge].stmt, Stmt::Call { .. }) {
                    push(
                        &mut graph,
                        from,
                        program.edges[edge].to,
                        BlockKind::Call(edge),
                    );
                }
            }
        }
        graph.nodes.extend(&cuts);
        graph.loop_heads.extend(&shape.loop_heads);
    }
    graph.nodes.sort_unstable();
    graph.loop_heads.sort_unstable();
    graph
}

fn push(graph: &mut BlockGraph, from: LocId, to: LocId, kind: BlockKind) -> BlockId {
    let id = graph.blocks.push(Block { from, to, kind });
    graph.out[from].push(id);
    id
}

/// Sound because every cycle holds a loop head, so what lies between cut points is loop-free.
fn cut_points(
    program: &Program,
    successors: &IndexVec<LocId, Vec<EdgeId>>,
    func: FuncId,
    shape: &Shape,
    size: BlockSize,
) -> BTreeSet<LocId> {
    if size == BlockSize::Single {
        return shape.order.iter().copied().collect();
    }
    let f = &program.functions[func];
    let mut cuts: BTreeSet<LocId> = shape.loop_heads.iter().copied().collect();
    cuts.insert(f.entry);
    if matches!(size, BlockSize::Joins | BlockSize::Basic) {
        let mut entered: FxHashSet<LocId> = FxHashSet::default();
        for &id in shape.order.iter().flat_map(|&l| &successors[l]) {
            if !entered.insert(program.edges[id].to) {
                cuts.insert(program.edges[id].to);
            }
        }
    }
    if size == BlockSize::Basic {
        for &loc in &shape.order {
            let out = &successors[loc];
            let tests = |e: &&EdgeId| matches!(program.edges[**e].stmt, Stmt::Assume(_));
            if out.len() > 1 || out.iter().any(|e| tests(&e)) {
                cuts.insert(loc);
            }
            let tested = out.iter().filter(tests);
            cuts.extend(tested.map(|e| program.edges[*e].to));
        }
    }
    for &loc in &shape.order {
        if loc == f.exit || program.locations[loc].error.is_some() {
            cuts.insert(loc);
        }
        for &id in &successors[loc] {
            let edge = &program.edges[id];
            if matches!(edge.stmt, Stmt::Call { .. }) {
                cuts.extend([edge.from, edge.to]);
            }
        }
    }
    // A region with many errors repeats its prefix in each error's block: cut it where it grows.
    let mut work: Vec<LocId> = cuts.iter().copied().collect();
    while let Some(from) = work.pop() {
        let middle = oversized(program, successors, shape, &cuts, from);
        let new: Vec<LocId> = middle.into_iter().filter(|l| cuts.insert(*l)).collect();
        if !new.is_empty() {
            work.push(from);
            work.extend(new);
        }
    }
    cuts
}

/// Where to cut, if the blocks from `from` would repeat too many edges: inner locations that no path from the
/// first part of the region passes by on its way to the rest, as few as possible.
fn oversized(
    program: &Program,
    successors: &IndexVec<LocId, Vec<EdgeId>>,
    shape: &Shape,
    cuts: &BTreeSet<LocId>,
    from: LocId,
) -> Vec<LocId> {
    let mut ends: FxHashSet<LocId> = FxHashSet::default();
    // By place in the order of the function: the places that edges of the region come from, the lowest first.
    let mut inner: BTreeMap<u32, u32> = BTreeMap::new();
    let mut edges = 0;
    let mut stack = vec![from];
    while let Some(loc) = stack.pop() {
        let source = match loc == from {
            true => 0,
            false => shape.position[&loc] + 1,
        };
        for &id in &successors[loc] {
            edges += 1;
            let to = program.edges[id].to;
            if cuts.contains(&to) {
                ends.insert(to);
                continue;
            }
            match inner.entry(shape.position[&to]) {
                Entry::Occupied(mut known) => {
                    let lowest = known.get_mut();
                    *lowest = source.min(*lowest);
                }
                Entry::Vacant(place) => {
                    place.insert(source);
                    stack.push(to);
                }
            }
        }
    }
    if ends.len() < 2 || edges * ends.len() <= REGION_LIMIT || inner.len() < REGION_INNER {
        return Vec::new();
    }
    // A cut before the n-th inner location is made of those from there on that are entered from before it.
    let places: Vec<u32> = inner.keys().copied().collect();
    let mut change = vec![0isize; places.len() + 1];
    let first: Vec<usize> = inner
        .values()
        .map(|&source| places.partition_point(|p| *p < source))
        .collect();
    for (n, &after) in first.iter().enumerate() {
        change[after] += 1;
        change[n + 1] -= 1;
    }
    let (low, high) = (places.len() / 4, places.len() * 3 / 4);
    let mut width = change[..low].iter().sum::<isize>();
    let mut best = (isize::MAX, 0, low);
    for (n, more) in change.iter().enumerate().take(high + 1).skip(low) {
        width += more;
        best = best.min((width, n.abs_diff(places.len() / 2), n));
    }
    let cut = best.2;
    let crossing = (cut..places.len()).filter(|&n| first[n] <= cut);
    crossing.map(|n| shape.order[places[n] as usize]).collect()
}
