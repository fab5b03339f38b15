//! The logic of Craig: sorts, hash-consed terms, rewriting, evaluation, models, SMT-LIB.
//!
//! Everything above works on [`TermId`]s of a [`Pool`]. Constructors simplify, so a term is always
//! in the normal form its constructor promises. Terms are DAGs and may be very deep: nothing in
//! this crate recurses over them.

mod arith;
mod boolean;
mod budget;
mod eval;
mod index;
mod instances;
pub mod machine;
mod num;
mod pool;
mod random;
pub mod rewrite;
pub mod smtlib;
mod turns;
mod value;
mod visit;

pub use arith::Linear;
pub use budget::{Budget, Stop};
pub use eval::{Evaluator, Interpretation, Lookup, Memo, NoFunctions, eval, zero_division_name};
pub use index::{Id, IndexVec};
pub use instances::{array_indices, instances};
pub use num::Rational;
pub use pool::{Op, Pool, Sort, SortId, Symbol, SymbolId, TermId};
pub use random::Random;
pub use rewrite::{Measure, Simplifier, simplify};
pub use turns::{Turn, Turns, Worker};
pub use value::{ArrayValue, FunctionValue, Model, Value};
pub use visit::Substitution;

pub use dashu_int::IBig;
pub use rustc_hash::{FxHashMap, FxHashSet};
