//! Block graphs: what engines walk on. A block is a transition formula between two cut points
//! (large blocks), or one statement (single blocks), or a call.
//!
//! Naming. A formula speaks of a variable's value before the block by `Var::term` and after it, if
//! the block may change it, by [`primed`]; intermediate values and choices are `internals`, which
//! every use of the block on a path must rename apart.

mod concrete;
mod encode;
mod region;
#[cfg(test)]
mod tests;

pub use encode::{encode, encode_all, encode_with_heads};

use crate::{EdgeId, LocId, Program, VarId};
use base::{IndexVec, new_id};
use logic::{Pool, TermId};

new_id!(
    /// A block of a block graph.
    pub BlockId, "blk");

/// How much of the program one block spans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockSize {
    /// One edge a block.
    Single,
    /// Assignments in a row are one block, conditions are blocks by themselves.
    Basic,
    /// As large, but with cut points also where paths meet: blocks are trees of branches.
    Joins,
    /// Loop-free regions between entry, exit, loop heads, calls and errors are one block.
    Large,
}

impl BlockSize {
    /// Is there one path through each block?
    pub fn is_path(self) -> bool {
        matches!(self, BlockSize::Single | BlockSize::Basic)
    }
}

/// The program as a graph of blocks. Nodes are the cut points, in the program's own location ids.
#[derive(Clone, Debug)]
pub struct BlockGraph {
    pub blocks: IndexVec<BlockId, Block>,
    /// Outgoing blocks of each location (empty for locations that are no cut point).
    pub out: IndexVec<LocId, Vec<BlockId>>,
    /// Cut points: entry, exit, error, loop heads, ends of calls, of all functions reachable.
    pub nodes: Vec<LocId>,
    /// The cut points that are loop heads.
    pub loop_heads: Vec<LocId>,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub from: LocId,
    pub to: LocId,
    pub kind: BlockKind,
}

#[derive(Clone, Debug)]
pub enum BlockKind {
    Transition(Transition),
    /// The call statement of this edge.
    Call(EdgeId),
}

#[derive(Clone, Debug)]
pub struct Transition {
    /// Relation between pre and post values; includes the ranges of all variables it mentions.
    pub formula: TermId,
    /// Variables that may change and are live at the end, sorted. All others keep their value,
    /// except those in `dead`.
    pub modified: Vec<VarId>,
    /// The post values ([`primed`]) of `modified`, in the same order.
    pub posts: Vec<TermId>,
    /// Variables written in the block but dead at its end, sorted: nobody reads their value, and
    /// an assertion at the end must not speak of them.
    pub dead: Vec<VarId>,
    /// Variables whose pre value the formula mentions, sorted.
    pub reads: Vec<VarId>,
    /// Constants of the formula that are neither pre nor post values.
    pub internals: Vec<TermId>,
    /// The program edges the block spans, in topological order.
    pub edges: Vec<EdgeId>,
    /// The constant that holds the value each havoc of the block chose.
    pub havocs: Vec<HavocSite>,
    /// The internals that name a variable's value where paths inside the block meet.
    pub versions: Vec<Version>,
}

/// A variable's value at an inner location of a block.
#[derive(Clone, Debug)]
pub struct Version {
    pub loc: LocId,
    pub var: VarId,
    pub symbol: TermId,
}

#[derive(Clone, Debug)]
pub struct HavocSite {
    pub edge: EdgeId,
    pub var: VarId,
    pub symbol: TermId,
}

/// The constant for a variable's value after a block.
pub fn primed(pool: &mut Pool, program: &Program, var: VarId) -> TermId {
    let v = &program.vars[var];
    pool.constant(&format!("{}'", v.name), v.sort)
}

/// The constant for a variable's value when its function was entered (contracts, invariants).
pub fn old_term(pool: &mut Pool, program: &Program, var: VarId) -> TermId {
    let v = &program.vars[var];
    pool.constant(&old_name(&v.name), v.sort)
}

/// The name of the constant for a variable's value at entry.
pub(crate) fn old_name(name: &str) -> String {
    format!("old({name})")
}

/// How many constants of [`any_term`] are in use.
pub const MOST_ANY: usize = 2;

/// A constant that stands for any integer in the assertions of a proof ("for any k").
pub fn any_term(pool: &mut Pool, number: usize) -> TermId {
    let sort = pool.int_sort();
    pool.constant(&any_name(number), sort)
}

/// The name of [`any_term`]; no variable of a program has it.
pub fn any_name(number: usize) -> String {
    format!("any!{number}")
}
