//! From the arguments of a command to options of the library.

use super::args::{
    Blocks, BudgetArgs, Calls, CheckArgs, Externs, Interpolation, Malloc, Method, Order, Outline,
    PredabsArgs, Sharing, SourceArgs, Traversal, Version, Ways,
};
use super::config::Config;
use super::read;
use base::Budget;
use craig::{
    EngineOptions, Error, Language, Preprocessor, Properties, SourceOptions, WitnessVersion,
};
use std::path::Path;
use std::time::Duration;

/// The time limit of a check when the user names none.
const DEFAULT_SECONDS: f64 = 300.0;

/// A number of seconds that an option gave.
pub fn seconds(number: f64, option: &str) -> Result<Duration, Error> {
    Duration::try_from_secs_f64(number)
        .map_err(|_| Error::Message(format!("{option} takes a positive number")))
}

impl SourceArgs {
    /// How to read the input: what the command line says, then what the configuration says.
    pub fn options(&self, config: &Config) -> Result<SourceOptions, Error> {
        let bits32 = self.b32 || (!self.b64 && config.bits32());
        let both = |config: &[String], own: &[String]| [own, config].concat();
        let properties = match self.property.as_deref().or(config.property.as_deref()) {
            None => Properties::default(),
            Some(name) if name.ends_with(".prp") => Properties::from_file(&read(Path::new(name))?)?,
            Some(names) => Properties::from_names(names)?,
        };
        Ok(SourceOptions {
            bits32,
            wrapv: self.wrapv || config.wrapv,
            externs_write: self
                .externs
                .map(|e| matches!(e, Externs::Write))
                .or(config.externs_write()),
            malloc_may_fail: match self.malloc {
                Some(how) => matches!(how, Malloc::MayFail),
                None => config.malloc_may_fail(),
            },
            entry: self.entry.clone().or_else(|| config.entry.clone()),
            properties,
            preprocessor: Preprocessor {
                command: self
                    .cpp
                    .clone()
                    .or_else(|| config.cpp.clone())
                    .unwrap_or_else(|| "cc".into()),
                include: both(&config.include, &self.include),
                define: both(&config.define, &self.define),
                bits32,
                comments: false,
            },
            stdin: Language::of(Path::new(&format!("stdin.{}", self.language))).ok_or_else(
                || {
                    let language = &self.language;
                    Error::Message(format!(
                        "--language {language}: there is no such file ending"
                    ))
                },
            )?,
            ..SourceOptions::default()
        })
    }
}

impl BudgetArgs {
    /// The time limit that was asked for.
    pub fn time(&self) -> Result<Option<Duration>, Error> {
        self.time.map(|s| seconds(s, "--time")).transpose()
    }

    /// The memory limit in bytes.
    pub fn memory(&self) -> Option<u64> {
        self.memory.map(|mib| mib << 20)
    }

    /// The same with what the configuration says, and then the default time.
    pub fn or(&self, config: &Config) -> BudgetArgs {
        let time = self.time.or(config.time).unwrap_or(DEFAULT_SECONDS);
        BudgetArgs {
            time: (time != f64::INFINITY).then_some(time),
            memory: self.memory.or(config.memory),
        }
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
    pub fn engine_options(&self, memory: Option<u64>) -> Result<EngineOptions, Error> {
        let solvers = craig::solvers(&craig::SolverChoice {
            name: self.solver.clone(),
            command: self.solver_command.clone(),
            limit: self.solver_limit()?,
            memory,
            out: self.smt_out.clone(),
        })?;
        let base = match (self.method, &self.engine) {
            (Method::Full, _) => EngineOptions::default(),
            (Method::Paper, Some(craig::Engine::Alone(kind))) => EngineOptions::paper(*kind),
            (Method::Paper, _) => {
                let why = "--method paper is the method of one engine: say which with --engine";
                return Err(Error::Message(why.into()));
            }
        };
        if self.interpolation == Interpolation::External && self.solver == "native" {
            let why = "--interpolation external takes the interpolants of another solver: say which with --solver";
            return Err(Error::Message(why.into()));
        }
        Ok(EngineOptions {
            blocks: match self.blocks {
                Some(Blocks::Large) => program::BlockSize::Large,
                Some(Blocks::Joins) => program::BlockSize::Joins,
                Some(Blocks::Basic) => program::BlockSize::Basic,
                Some(Blocks::Single) => program::BlockSize::Single,
                None => base.blocks,
            },
            bound: self.bound,
            interpolation: match self.interpolation {
                Interpolation::Proof | Interpolation::External => {
                    engine::InterpolationSource::Proof
                }
                Interpolation::Sp => engine::InterpolationSource::StrongestPost,
                Interpolation::Wp => engine::InterpolationSource::WeakestPre,
            },
            // The page shows the beginning of a long search.
            log: match (&self.log, &self.report) {
                (Some(_), _) => Some(usize::MAX),
                (None, Some(_)) => Some(report::LOG_SHOWN),
                (None, None) => None,
            },
            order: match self.order {
                Order::Depth => engine::Order::DepthFirst,
                Order::Breadth => engine::Order::BreadthFirst,
            },
            jobs: self.jobs.max(1),
            predabs: self.predabs.options()?,
            trace: engine::TraceOptions {
                outline: match self.trace.outline {
                    None => engine::Outline::Nothing,
                    Some(Outline::Loops) => engine::Outline::Loops,
                    Some(Outline::All) => engine::Outline::All,
                },
                summaries: self.trace.summaries_in.as_deref().map(read).transpose()?,
                keep_summaries: self.trace.summaries_out.is_some(),
            },
            solvers,
            aids: base.aids && !self.no_aids,
            lemmas: !self.no_lemmas,
            plan: self.portfolio.clone(),
            ways: match self.ways {
                Ways::Path => engine::Ways::Path,
                Ways::All => engine::Ways::All,
            },
            ..base
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
