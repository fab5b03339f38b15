//! From the arguments of a command to options of the library.

use super::args::{
    Blocks, BudgetArgs, Calls, CheckArgs, Externs, Malloc, Order, PredabsArgs, Sharing, SourceArgs,
    Traversal, Version, Ways,
};
use super::read;
use base::Budget;
use craig::{EngineOptions, Error, Preprocessor, Properties, SourceOptions, WitnessVersion};
use std::path::Path;
use std::time::Duration;

/// A number of seconds that an option gave.
pub fn seconds(number: f64, option: &str) -> Result<Duration, Error> {
    Duration::try_from_secs_f64(number)
        .map_err(|_| Error::Message(format!("{option} takes a positive number")))
}

impl SourceArgs {
    /// How to read the input.
    pub fn options(&self) -> Result<SourceOptions, Error> {
        let properties = match self.property.as_deref() {
            None => Properties::default(),
            Some(name) => match Properties::from_name(name) {
                Some(properties) => properties,
                None if name.ends_with(".prp") => Properties::from_file(&read(Path::new(name))?)?,
                None => {
                    return Err(Error::Message(format!(
                        "unknown property `{name}` (known: unreach-call, no-overflow, valid-memsafety, valid-deref, valid-free, valid-memtrack, or a .prp file)"
                    )));
                }
            },
        };
        Ok(SourceOptions {
            bits32: self.b32,
            wrapv: self.wrapv,
            externs_write: self.externs.map(|e| matches!(e, Externs::Write)),
            malloc_may_fail: matches!(self.malloc, Malloc::MayFail),
            entry: self.entry.clone(),
            properties,
            preprocessor: Preprocessor {
                command: self.cpp.clone(),
                include: self.include.clone(),
                define: self.define.clone(),
                bits32: self.b32,
                comments: false,
            },
            ..SourceOptions::default()
        })
    }
}

impl BudgetArgs {
    /// The time limit.
    pub fn time(&self) -> Result<Option<Duration>, Error> {
        self.time.map(|s| seconds(s, "--time")).transpose()
    }

    /// The memory limit in bytes.
    pub fn memory(&self) -> Option<u64> {
        self.memory.map(|mib| mib << 20)
    }

    /// The budget of a command.
    pub fn budget(&self) -> Budget {
        let mut budget = Budget::unlimited();
        if let Ok(Some(limit)) = self.time() {
            budget = budget.with_time(limit);
        }
        if let Some(limit) = self.memory() {
            budget = budget.with_memory(limit, craig::memory::start_meter());
        }
        budget
    }
}

impl PredabsArgs {
    fn options(&self) -> Result<engine::PredabsOptions, Error> {
        Ok(engine::PredabsOptions {
            sharing: match self.predicates {
                Sharing::Location => engine::Sharing::Location,
                Sharing::Function => engine::Sharing::Function,
                Sharing::Global => engine::Sharing::Global,
            },
            abstraction: match self.cartesian {
                true => engine::Abstraction::Cartesian,
                false => engine::Abstraction::Boolean,
            },
            calls: match self.calls {
                Calls::Inline => engine::Calls::Inline,
                Calls::Summaries => engine::Calls::Summaries,
            },
            traversal: match self.traversal {
                Traversal::Program => engine::Traversal::Program,
                Traversal::Depth => engine::Traversal::DepthFirst,
                Traversal::Breadth => engine::Traversal::BreadthFirst,
            },
            precision: self.precision_in.as_deref().map(read).transpose()?,
        })
    }
}

impl CheckArgs {
    /// The longest time for one query to another solver.
    pub fn solver_limit(&self) -> Result<Duration, Error> {
        seconds(self.solver_time, "--solver-time")
    }

    /// What engines are told.
    pub fn engine_options(&self) -> Result<EngineOptions, Error> {
        let solvers = craig::solvers(&craig::SolverChoice {
            name: self.solver.clone(),
            command: self.solver_command.clone(),
            limit: self.solver_limit()?,
            memory: self.budget.memory(),
            out: self.smt_out.clone(),
        })?;
        Ok(EngineOptions {
            blocks: match self.blocks {
                Blocks::Large => program::BlockSize::Large,
                Blocks::Joins => program::BlockSize::Joins,
                Blocks::Single => program::BlockSize::Single,
            },
            order: match self.order {
                Order::Depth => engine::Order::DepthFirst,
                Order::Breadth => engine::Order::BreadthFirst,
            },
            jobs: self.jobs.max(1),
            predabs: self.predabs.options()?,
            trace: engine::TraceOptions {
                outline: self.trace.outline,
                summaries: self.trace.summaries_in.as_deref().map(read).transpose()?,
                keep_summaries: self.trace.summaries_out.is_some(),
            },
            solvers,
            aids: !self.no_aids,
            ways: match self.ways {
                Ways::Path => engine::Ways::Path,
                Ways::All => engine::Ways::All,
            },
            ..Default::default()
        })
    }

    /// The version of the witness format.
    pub fn witness_version(&self) -> WitnessVersion {
        match self.witness_version {
            Version::V2_0 => WitnessVersion::V2_0,
            Version::V2_1 => WitnessVersion::V2_1,
        }
    }
}
