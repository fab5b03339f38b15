//! The program model of Craig: functions as control-flow automata over terms of the logic.
//!
//! Front ends make a [`Program`], passes transform it, engines analyse it, the interpreter runs it.
//! Nothing here knows C, a solver or an engine.

pub mod blocks;
pub mod chc;
pub mod dot;
pub mod explore;
pub mod float;
pub mod globals;
pub mod graph;
pub mod inline;
pub mod interp;
pub mod liveness;
pub mod loops;
mod model;
pub mod modref;
pub mod passes;
#[cfg(test)]
mod random;
pub mod reads;
mod source;
pub mod text;

pub use blocks::{
    Block, BlockGraph, BlockId, BlockKind, BlockSize, HavocSite, MOST_ANY, Transition, Version,
    any_name, any_term, old_term, primed,
};
pub use model::{
    Edge, EdgeId, ErrorTag, FuncId, Function, InputKind, LocId, Location, OutputCall, Program,
    Property, Stmt, Var, VarId, VarKind,
};
pub use source::{Diagnostic, FileId, Note, Severity, SourceMap, Span};
