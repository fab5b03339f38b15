//! The engines: each takes a program and a budget and returns a verdict with evidence.
//!
//! Engines never see source syntax and never judge their own evidence: the checker in `evidence`
//! does. All engines stand in one table, [`ENGINES`]; help, tests and documentation read it.

mod affine;
mod api;
mod candidates;
mod clauses;
mod exploration;
mod fuzz;
mod guess;
mod hoare;
mod hunt;
mod impact;
mod invariants;
mod little_memory;
pub mod modular;
mod opening;
mod path;
mod phases;
mod portfolio;
mod predabs;
mod prepare;
mod samples;
mod seeds;
mod split;
mod statement_facts;
mod templates;
mod trace;
mod universal;
mod unwinding;
mod ways_back;
mod whale;

pub use api::{ENGINES, Engine, EngineEntry, EngineOptions, Order, Progress, Stats, Task, Ways};
pub use predabs::{Abstraction, Calls, PredabsOptions, Sharing, Traversal};
pub use trace::TraceOptions;
