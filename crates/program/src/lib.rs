//! The program model of Craig: functions as control-flow automata over terms of the logic.
//!
//! Front ends make a [`Program`], passes transform it, engines analyse it, the interpreter runs it.
//! Nothing here knows C, a solver or an engine.

#![forbid(unsafe_code)]

pub mod analysis;
pub mod blocks;
pub mod export;
pub mod interp;
mod model;
pub mod passes;
pub mod text;

pub use blocks::{
    Block, BlockGraph, BlockId, BlockKind, BlockSize, HavocSite, MOST_ANY, Transition, Version,
    any_name, any_term, old_term, primed,
};
pub use model::claims::{Assertions, Contract, Execution, Step};
pub use model::debug::{DebugField, DebugInfo, DebugMemory, DebugObject, DebugType, DebugTypeId};
pub use model::memory::{Access, AccessKind, MemoryModel, ObjectName};
pub use model::properties::{PROPERTIES, PROPERTY_SETS, Property, PropertyEntry};
pub use model::source::{Diagnostic, FileId, Note, Severity, SourceMap, Span};
pub use model::{
    BODY, Edge, EdgeId, ErrorTag, FuncId, Function, InputKind, LocId, Location, OutputCall,
    Program, Stmt, UserContract, Var, VarId, VarKind,
};
