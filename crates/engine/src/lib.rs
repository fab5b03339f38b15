//! The engines: each takes a program and a budget and returns a verdict with evidence.
//!
//! Engines never see source syntax and never judge their own evidence: the checker in `evidence`
//! does. All engines stand in one table, [`ENGINES`]; help, tests and documentation read it.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod api;
mod bmc;
mod core;
mod guess;
mod impact;
mod kind;
pub mod limits;
pub mod log;
mod predabs;
mod prepare;
mod presolve;
mod split;
mod summaries;
mod trace;
mod whale;

pub use api::{
    ENGINES, Engine, EngineEntry, EngineKind, EngineOptions, InterpolationSource, Method, Order,
    Progress, Stats, Task, UnknownEngine, Ways,
};
pub use limits::Limits;
pub use predabs::{Abstraction, Calls, PredabsOptions, Sharing, Traversal};
pub use prepare::shared::Shared;
pub use presolve::guided_runs::GuidedRuns;
pub use presolve::random_runs::{asks_for_texts, first_long_run, fuzz_briefly};
pub use trace::{Outline, TraceOptions};
