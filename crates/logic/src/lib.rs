//! The logic of Craig: sorts, hash-consed terms, rewriting, evaluation, models, SMT-LIB.
//!
//! Everything above works on [`TermId`]s of a [`Pool`]. Constructors simplify, so a term is always
//! in the normal form its constructor promises. Terms are DAGs and may be very deep: nothing in
//! this crate recurses over them.

#![forbid(unsafe_code)]

mod arith;
mod boolean;
mod comparison;
mod eval;
pub mod float;
mod instances;
mod intervals;
pub mod machine;
mod num;
mod pool;
pub mod rewrite;
pub mod smtlib;
mod table;
mod value;
mod visit;
pub mod word;

pub use arith::Linear;
pub use comparison::{Bound, Comparison, Relation, Side};
pub use eval::{Evaluator, Interpretation, Lookup, Memo, NoFunctions, eval, zero_division_name};
pub use instances::{
    Instance, array_diff, array_indices, instances, is_array_diff, neighbour_instances,
};
pub use intervals::{Compiled, Interval};
pub use num::Rational;
pub use pool::{Op, Pool, Sort, SortId, Symbol, SymbolId, TermId};
pub use rewrite::{Measure, Simplifier, simplify};
pub use value::{ArrayValue, FunctionValue, Model, Value};
pub use visit::Substitution;

pub use dashu_int::IBig;
