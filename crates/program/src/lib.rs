//! The program model of Craig: functions as control-flow automata over terms of the logic.
//!
//! Front ends make a [`Program`], passes transform it, engines analyse it, the interpreter runs it.
//! Nothing here knows C, a solver or an engine.

mod model;
mod source;

pub use model::{
    Edge, EdgeId, ErrorTag, FuncId, Function, InputKind, LocId, Location, Program, Property, Stmt, Var, VarId,
    VarKind,
};
pub use source::{Diagnostic, FileId, Note, Severity, SourceMap, Span};
