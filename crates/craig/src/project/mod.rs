//! `craig project`: every program and function of a code base, remembered between runs, on one machine
//! or many.
//!
//! ```text
//! files ─sources─→ texts ─symbols─→ link graph ─plan─→ units ─schedule─→ workers ─→ results ─→ reports
//!                                                       │                  ↑↓
//!                                                       └ shards, runners  store (.craig/)
//! ```
//! A worker is a process of its own ([`worker`]); it gets evidence from the store as a claim, and the
//! checker judges it again. So what an earlier run wrote down can make no answer wrong: it decides how long
//! an answer takes and, of an edited function, which of several sets of preconditions is tried first.

mod accepted;
mod combined;
pub mod config;
mod earlier;
mod evidence_text;
mod function_unit;
mod link;
mod order;
mod pages;
mod pieces;
mod plan;
pub mod plan_file;
mod process;
mod protocol;
mod results;
pub mod runners;
mod schedule;
pub mod shards;
mod since;
mod sources;
mod store;
mod summary;
mod symbols;
pub mod worker;

pub use accepted::{baseline, counts};
pub use combined::{json, sarif};
pub use config::Config;
pub use pages::index;
pub use plan::{Plan, Unit, UnitKind};
pub use process::Launcher;
pub use results::{Answer, Finding, Origin, UnitResult};
pub use schedule::{Event, OnEvent, page_name};
pub use shards::Shard;
pub use store::{FOLDER, Store};
pub use summary::{Summary, text};

use crate::Error;
use crate::load::SourceOptions;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// What a run is asked to do. The current folder is the project's.
pub struct Request {
    /// What the project says of itself.
    pub config: Config,
    /// How to read the files.
    pub source: SourceOptions,
    /// How to start a worker.
    pub launcher: Launcher,
    /// Workers at a time.
    pub jobs: usize,
    /// Seconds a unit.
    pub time: f64,
    /// Bytes for all workers.
    pub memory: u64,
    /// Programs are units.
    pub programs: bool,
    /// Functions are units.
    pub functions: bool,
    /// Only units that a change since this revision can affect.
    pub since: Option<String>,
    /// Only this part.
    pub shard: Option<Shard>,
    /// The folder for the units' pages.
    pub pages: Option<PathBuf>,
}

/// A run that knows its units.
pub struct Prepared {
    /// The plan.
    pub plan: Plan,
    /// The units of this run, all parts.
    pub chosen: Vec<usize>,
    /// Those of this part.
    pub mine: Vec<usize>,
    /// Hash of the plan, its options and the build.
    pub hash: String,
    settings: String,
}

/// Reads the project and decides what there is to check.
pub fn prepare(request: &Request, store: &mut Store) -> Result<Prepared, Error> {
    let root = Path::new(".");
    let files = sources::find(root, &request.config, &request.source.preprocessor)?;
    let identity = identity();
    let wanted = plan::Wanted {
        source: &request.source,
        config: &request.config,
        programs: request.programs,
        functions: request.functions,
        jobs: request.jobs,
        identity: &identity,
    };
    let plan = plan::make(&files, &wanted, store);
    let chosen: Vec<usize> = match &request.since {
        Some(revision) => since::affected(&plan, root, &since::changed(root, revision)?),
        None => (0..plan.units.len()).collect(),
    };
    let settings = settings(request);
    let hash = shards::plan_hash(&plan, &chosen, &settings);
    let mine = match request.shard {
        Some(shard) => shard.choose(&chosen),
        None => chosen.clone(),
    };
    Ok(Prepared {
        plan,
        chosen,
        mine,
        hash,
        settings,
    })
}

/// What an open unit depends on besides its texts: options and the build.
fn settings(request: &Request) -> String {
    let words = request.launcher.arguments.join("\n");
    format!("{}\n{words}\n{:?}\n", identity(), request.source)
}

/// Checks the units of this run (or of its part) on this machine.
pub fn check(
    request: &Request,
    prepared: &Prepared,
    store: &mut Store,
    cancelled: &AtomicBool,
    on_event: &OnEvent<'_>,
) -> Vec<UnitResult> {
    if let Some(pages) = &request.pages {
        let _ = std::fs::create_dir_all(pages);
    }
    let schedule = schedule::Schedule {
        launcher: &request.launcher,
        jobs: request.jobs.max(1),
        time: request.time,
        memory: request.memory,
        settings: &prepared.settings,
        pages: request.pages.clone(),
        // Parts hand their evidence on.
        keeps_evidence: request.shard.is_some(),
        cancelled,
    };
    schedule::run(&prepared.plan, &prepared.mine, &schedule, store, on_event)
}

/// Remembers results that other machines found; their evidence goes to the store.
pub fn remember(
    request: &Request,
    prepared: &Prepared,
    store: &mut Store,
    results: &mut [UnitResult],
) {
    let names = prepared.plan.units.iter().enumerate();
    let numbers: BTreeMap<&str, usize> = names.map(|(i, u)| (u.name.as_str(), i)).collect();
    for result in results.iter_mut().filter(|r| !r.lost) {
        if result.origin == Origin::Rechecked {
            store.seen(result);
        } else if result.origin == Origin::Remembered {
            continue;
        } else if let Some(&unit) = numbers.get(result.unit.as_str()) {
            let key = schedule::unit_key(&prepared.plan, unit, &prepared.settings);
            let tried = store::Tried {
                time: request.time,
                memory: request.memory >> 20,
            };
            let again = schedule::program_key(&result.program, &prepared.settings);
            store.remember(result, &[&key, &again], tried);
        }
        (result.evidence, result.earlier) = (None, None);
    }
}

/// Marks findings that a baseline or a suppression accepts; what fits nothing comes back as notes.
pub fn accept(
    request: &Request,
    baseline: Option<&Path>,
    results: &mut [UnitResult],
) -> Result<Vec<String>, Error> {
    let known = match baseline {
        Some(path) => accepted::read_baseline(path)?,
        None => std::collections::BTreeSet::new(),
    };
    let unused = accepted::mark(results, &known, &request.config.suppressions);
    let note = |s: &config::Suppression| {
        format!(
            "a suppression fits nothing any more (its reason was: {})",
            s.reason
        )
    };
    Ok(unused.into_iter().map(note).collect())
}

/// This build: version and hash of the command. Two builds of one version may differ in what they can
/// decide and read.
pub fn identity() -> String {
    let program = std::env::current_exe().and_then(std::fs::read);
    let hash = program.map_or_else(|_| String::new(), |bytes| report::sha256(&bytes));
    format!("{} {hash}", env!("CARGO_PKG_VERSION"))
}
