//! What a run and its workers say to each other: lines of JSON over the worker's standard input and
//! output. A worker is the command itself (`craig worker`), so memory and crashes of one unit do not
//! touch others; it knows no store. One unit:
//!
//! ```text
//! run → worker   unit      texts, entry, limits
//! worker → run   program   the hash of the program, once the front end is done
//! run → worker   known     evidence about that program or an earlier one, or none
//! worker → run   result
//! ```

use super::results::UnitResult;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::path::PathBuf;

/// From the run to a worker.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToWorker {
    /// Check this.
    Unit(Box<Job>),
    /// What is remembered of the program, and of an earlier version of the unit.
    Known {
        /// Evidence about this program.
        evidence: Option<Json>,
        /// What an earlier program of the unit was decided by.
        earlier: Option<Json>,
    },
    /// The unit needs no answer: it stayed open before, and nothing has changed.
    Leave,
}

/// From a worker to the run.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FromWorker {
    /// The hash of the program.
    Program(String),
    /// The end of the unit; evidence that was rejected is said first.
    Result(Box<UnitResult>),
    /// The checker rejected what was known.
    Rejected(String),
}

/// A unit with everything that a worker needs.
#[derive(Clone, Serialize, Deserialize)]
pub struct Job {
    /// The unit's name.
    pub unit: String,
    /// The files of the program.
    pub texts: Vec<JobText>,
    /// Some file is compiled for 32 bits.
    pub bits32: bool,
    /// Where execution starts, if not at `main`.
    pub entry: Option<String>,
    /// The function that is checked by itself, if the unit is one.
    pub function: Option<String>,
    /// Seconds.
    pub time: f64,
    /// Bytes.
    pub memory: u64,
    /// Where the page of the unit goes.
    pub page: Option<PathBuf>,
}

/// A file as the run has read it.
#[derive(Clone, Serialize, Deserialize)]
pub struct JobText {
    /// From the project's folder.
    pub name: String,
    /// As it stands.
    pub text: String,
    /// After the preprocessor.
    pub preprocessed: Option<String>,
}
